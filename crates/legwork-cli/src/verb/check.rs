//! `legwork check`: the proof of a model, or the comparison with a golden file.

use super::open;
use crate::args::CheckArgs;
use crate::failure::{Failure, Message};
use crate::table::Table;
use crate::{Outcome, json};
use legwork::check::{
    DEFAULT_SEED, DEFAULT_STATES, Finding, GoldenError, GoldenReport, Report, check_golden, check_robot,
};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

pub fn run(args: &CheckArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let is_golden = Path::new(&args.what).extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
    let holds = if is_golden { golden(args, as_json, out)? } else { robot(args, as_json, out)? };
    Ok(if holds { Outcome::Done } else { Outcome::Fails })
}

fn robot(args: &CheckArgs, as_json: bool, out: &mut dyn Write) -> Result<bool, Failure> {
    let robot = open(&args.what)?;
    let states = args.states.map_or(DEFAULT_STATES, |states| states as usize);
    let report = check_robot(&robot, states, args.seed.unwrap_or(DEFAULT_SEED));
    if as_json {
        let skipped: Vec<Value> =
            report.skipped.iter().map(|(name, why)| json!({ "name": name, "why": why })).collect();
        let object = json!({
            "robot": robot.name(),
            "states": report.states,
            "seed": report.seed,
            "holds": report.holds(),
            "findings": findings_json(&report.findings),
            "skipped": skipped,
        });
        json::print(&object, out)?;
    } else {
        print_report(robot.name(), &report, out)?;
    }
    Ok(report.holds())
}

fn print_report(name: &str, report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{name}: {} random states of its workspace, seed {}\n", report.states, report.seed)?;
    findings(&report.findings, out)?;
    if !report.skipped.is_empty() {
        writeln!(out)?;
    }
    for (what, why) in &report.skipped {
        writeln!(out, "skipped: {what} ({why})")?;
    }
    writeln!(out, "\n{}", verdict(&report.findings, "identities", "hold", "does not hold", "do not hold"))
}

fn golden(args: &CheckArgs, as_json: bool, out: &mut dyn Write) -> Result<bool, Failure> {
    if args.states.is_some() || args.seed.is_some() {
        let message = Message::new("`--states` and `--seed` are for robots: a golden file brings its states");
        return Err(message.hint(format!("legwork check {}", args.what)).into());
    }
    let report = match check_golden(&args.what) {
        Ok(report) => report,
        // The file is good; the robot did not get through it.
        Err(error @ GoldenError::Stopped { .. }) => {
            if as_json {
                json::print(&json!({ "holds": false, "reason": error.to_string() }), out)?;
            } else {
                writeln!(out, "{}: {error}", args.what)?;
            }
            return Ok(false);
        }
        Err(error) => return Err(Failure::of_golden(&error, &args.what)),
    };
    if as_json {
        let object = json!({
            "robot": report.robot,
            "states": report.states,
            "holds": report.holds(),
            "findings": findings_json(&report.findings),
            "not_compared": report.unknown,
        });
        json::print(&object, out)?;
    } else {
        print_golden(&args.what, &report, out)?;
    }
    Ok(report.holds())
}

fn print_golden(file: &str, report: &GoldenReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{file}: robot {}, {} states\n", report.robot, report.states)?;
    findings(&report.findings, out)?;
    if !report.unknown.is_empty() {
        writeln!(out, "\nnot compared: {}", report.unknown.join(", "))?;
    }
    writeln!(out, "\n{}", verdict(&report.findings, "quantities", "agree", "is off", "are off"))
}

fn findings(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::with_left(&[1]);
    table.row(["", "", "worst error", "allowed"]);
    for finding in findings {
        let word = if finding.holds() { "ok" } else { "FAILS" };
        table.row([word.to_owned(), finding.name.to_owned(), size(finding.worst), size(finding.bar)]);
    }
    table.print(out)
}

/// An error: "3.1e-15".
fn size(error: f64) -> String {
    if error == 0.0 { "0".into() } else { format!("{error:.1e}") }
}

fn verdict(findings: &[Finding], what: &str, all: &str, one_fails: &str, some_fail: &str) -> String {
    let wrong = findings.iter().filter(|finding| !finding.holds()).count();
    match (findings.len(), wrong) {
        (0, _) => format!("no {what} could be checked"),
        (count, 0) => format!("all {count} {what} {all}"),
        (count, 1) => format!("1 of {count} {what} {one_fails}"),
        (count, wrong) => format!("{wrong} of {count} {what} {some_fail}"),
    }
}

fn findings_json(findings: &[Finding]) -> Vec<Value> {
    let entry = |finding: &Finding| {
        let holds = finding.holds();
        json!({ "name": finding.name, "worst": finding.worst, "bar": finding.bar, "holds": holds })
    };
    findings.iter().map(entry).collect()
}
