//! `legwork check`: the proof of a model, or the comparison with a golden file.

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::{Outcome, json, task};
use legwork::table::{Table, print_line};
use legwork::task::{CheckRequest, CheckResult, FindingResult};
use std::io::{self, Write};

pub fn run(args: &CheckArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let states = args.states.map(|states| states as usize);
    let request = CheckRequest { states, seed: args.seed, ..CheckRequest::about(&args.what) };
    let result = task::run("check", &args.what, |handle| request.run(handle))?;
    if as_json {
        json::print_result(&result, out)?;
    } else {
        print(&args.what, &result, out)?;
    }
    Ok(match result.holds {
        _ if result.interrupted => Outcome::Interrupted,
        true => Outcome::Done,
        false => Outcome::Fails,
    })
}

fn print(what: &str, result: &CheckResult, out: &mut dyn Write) -> io::Result<()> {
    if let Some(reason) = &result.reason {
        return writeln!(out, "{what}: {reason}");
    }
    let robot = result.robot.as_deref().unwrap_or_default();
    let states = result.states.unwrap_or(0);
    match result.seed {
        Some(seed) => writeln!(out, "{robot}: {states} random states of its workspace, seed {seed}")?,
        None => writeln!(out, "{what}: robot {robot}, {states} states")?,
    }
    let drawn = result.sampled.unwrap_or(states);
    let [refused, failed] = [&result.refused, &result.failed].map(|list| list.as_deref().unwrap_or_default());
    for (word, list) in [("refused", refused), ("FAILED", failed)] {
        for count in list {
            print_line(&format!("{word}: {} of {drawn} states drawn ({})", count.states, count.reason), out)?;
        }
    }
    writeln!(out)?;
    let findings = result.findings.as_deref().unwrap_or_default();
    let mut table = Table::with_left(&[1]);
    table.row(["", "", "worst error", "allowed"]);
    for finding in findings {
        let word = if finding.holds { "ok" } else { "FAILS" };
        table.row([word.to_owned(), finding.name.clone(), size(finding.worst), size(finding.bar)]);
    }
    table.print(out)?;
    for finding in findings {
        for count in &finding.failed {
            writeln!(out)?;
            let (name, states, reason) = (&finding.name, count.states, &count.reason);
            print_line(&format!("{name}: no answer in {states} states ({reason})"), out)?;
        }
    }
    let skipped = result.skipped.as_deref().unwrap_or_default();
    if !skipped.is_empty() {
        writeln!(out)?;
    }
    for check in skipped {
        print_line(&format!("skipped: {} ({})", check.name, check.why), out)?;
    }
    let not_compared = result.not_compared.as_deref().unwrap_or_default();
    if !not_compared.is_empty() {
        writeln!(out)?;
    }
    for quantity in not_compared {
        writeln!(out, "not compared: {quantity}")?;
    }
    let words = match result.seed {
        Some(_) => ["identities", "hold", "does not hold", "do not hold"],
        None => ["quantities", "agree", "is off", "are off"],
    };
    if let Some(note) = &result.note {
        writeln!(out)?;
        print_line(&format!("note: {note}"), out)?;
    }
    writeln!(out, "\n{}", verdict(findings, words))?;
    if result.holds || findings.iter().any(|finding| !finding.holds) || findings.is_empty() {
        return Ok(());
    }
    // Every identity holds where it was judged, and that is not enough.
    print_line(
        "but too few states could be judged, or some have no answer: this proves nothing about the rest",
        out,
    )
}

/// An error: "3.1e-15".
fn size(error: f64) -> String {
    if error == 0.0 { "0".into() } else { format!("{error:.1e}") }
}

fn verdict(findings: &[FindingResult], [what, all, one_fails, some_fail]: [&str; 4]) -> String {
    let wrong = findings.iter().filter(|finding| !finding.holds).count();
    match (findings.len(), wrong) {
        (0, _) => format!("no {what} could be checked"),
        (count, 0) => format!("all {count} {what} {all}"),
        (count, 1) => format!("1 of {count} {what} {one_fails}"),
        (count, wrong) => format!("{wrong} of {count} {what} {some_fail}"),
    }
}
