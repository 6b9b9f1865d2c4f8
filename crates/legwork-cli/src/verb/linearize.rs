//! `legwork linearize`: small motions about a pose.

use crate::args::{CoordinateChoice, LinearForm as Form, LinearizeArgs};
use crate::failure::Failure;
use crate::measures;
use crate::{Outcome, json, task};
use legwork::analysis::linear::{Coordinates, Pole};
use legwork::table::{Table, print_line};
use legwork::task::{
    CrossingResult, LinearForm, LinearModelResult, LinearizeRequest, LinearizeResult, OrderResult,
    PoleRequest, PoleResult, RobotRequest,
};
use legwork::text::{short, short_list};
use std::io::{self, Write};
use std::path::Path;

const VERB: &str = "linearize";
/// Less than this is not told apart: rounding of a root that is there twelve times.
const SCATTER: f64 = 1e-4;

pub fn run(args: &LinearizeArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let request = request(args)?;
    let result = task::run(VERB, &args.robot, |handle| request.run(handle))?;
    match &result {
        _ if as_json => json::print_result(&result, out)?,
        LinearizeResult::Model(model) => print(model, args.out.as_deref(), out)?,
        LinearizeResult::Crossing(crossing) => print_crossing(crossing, out)?,
    }
    Ok(Outcome::Done)
}

fn request(args: &LinearizeArgs) -> Result<LinearizeRequest, Failure> {
    let poles = args.place.iter().map(|text| PoleRequest::parse(text)).collect::<Result<Vec<_>, _>>();
    let poles = poles.map_err(|error| task::failure(error, VERB, &args.robot))?;
    Ok(LinearizeRequest {
        robot: RobotRequest { held: args.held.values(), ..RobotRequest::named(&args.robot) },
        pose: measures::pose("pose", &args.pose)?,
        joints: measures::list("joints", &args.joints)?,
        form: match args.form {
            Form::Reduced => LinearForm::Reduced,
            Form::Constrained => LinearForm::Constrained,
        },
        coordinates: args.coordinates.map(|coordinates| match coordinates {
            CoordinateChoice::Joints => Coordinates::Joints,
            CoordinateChoice::Platform => Coordinates::Platform,
        }),
        pole: measures::ratio("pole", args.pole.as_ref())?,
        damping: measures::three("damping", &args.damping)?,
        gravity_compensation: args.gravity_compensation,
        lqr: measures::three("lqr", &args.lqr)?,
        place: (!poles.is_empty()).then_some(poles),
        crossing: args.crossing,
        to: measures::pose("to", &args.to)?,
        out: args.out.clone(),
    })
}

fn print_crossing(found: &CrossingResult, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: {}", found.robot, found.path)?;
    for at in &found.crossings {
        let (before, after) = if at.stable_after { ("unstable", "stable") } else { ("stable", "unstable") };
        let (parameter, place) = (&at.at, &at.place);
        let text = format!("{before} before {parameter}, {after} after it; the platform is at {place} there");
        print_line(&text, out)?;
    }
    let samples = found.samples;
    if found.crossings.is_empty() {
        let word = if samples.unstable == 0 { "stable" } else { "unstable" };
        writeln!(out, "{word} wherever it reaches")?;
    }
    let (stable, unstable, unreachable) = (samples.stable, samples.unstable, samples.unreachable);
    let count = stable + unstable + unreachable;
    writeln!(
        out,
        "of {count} samples {stable} are stable, {unstable} unstable, {unreachable} out of reach or singular"
    )
}

fn print(model: &LinearModelResult, file: Option<&Path>, out: &mut dyn Write) -> io::Result<()> {
    print_line(&format!("{} at {}, held at rest", model.robot, model.pose), out)?;
    writeln!(out, "{} form, {} states ({})", model.form.name(), model.a.len(), model.coordinates)?;
    let mut units: Vec<&str> = model.input_units.iter().map(String::as_str).collect();
    units.dedup();
    print_line(&format!("the motors give {} {}", short_list(&model.hold.concat()), units.join(", ")), out)?;
    writeln!(out)?;
    modes(model, out)?;
    if let Some(loops) = &model.loops {
        let pole = short(loops.pole);
        let (scatter, zeros) = (below(loops.scatter.max(SCATTER)), below(loops.zero_scatter.max(SCATTER)));
        writeln!(out, "\n{} poles at {pole} close the loops (scatter {scatter})", loops.poles)?;
        let (there, all) = (loops.zeros, model.zeros.len());
        writeln!(out, "{there} of {all} invariant zeros there (scatter {zeros})")?;
    } else if model.zeros.is_empty() {
        writeln!(out, "\nno invariant zeros from the motors to their joints")?;
    } else {
        let list: Vec<String> = model.zeros.iter().map(root).collect();
        writeln!(out, "\ninvariant zeros: {}", list.join(", "))?;
    }
    order("controllable", &model.controllable, out)?;
    order("observable", &model.observable, out)?;
    hankel(model, out)?;
    writeln!(out)?;
    print_line(&verdict(model), out)?;
    if let (Some(gain), Some(poles)) = (&model.gain, &model.closed_loop_poles) {
        writeln!(out, "\nu = hold + F (reference - state), F in {}:", model.state_names.join(" "))?;
        let mut table = Table::default();
        for (row, input) in gain.iter().zip(&model.input_names) {
            table.numbers(input, row);
        }
        table.print(out)?;
        let poles: Vec<String> = poles.iter().filter(|pole| pole.im >= 0.0).map(root).collect();
        writeln!(out, "poles with it: {}", poles.join(", "))?;
        writeln!(out, "its equation holds to {}", below(model.gain_residual.unwrap_or(0.0)))?;
    }
    if let Some(file) = file {
        writeln!(out, "written to {}", file.display())?;
    }
    Ok(())
}

fn modes(model: &LinearModelResult, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::with_left(&[5]);
    table.row(["pole [1/s]", "times", "frequency [Hz]", "damping", "time constant [s]", "what moves"]);
    for mode in &model.modes {
        let pole = &mode.pole;
        let time = pole.pole().time_constant();
        table.row([
            root(pole),
            mode.times.to_string(),
            if pole.im == 0.0 { "-".into() } else { digits(pole.frequency_hz) },
            pole.damping.map_or("-".into(), |damping| {
                format!("{:.3}", if damping.abs() < 5e-4 { 0.0 } else { damping })
            }),
            if time.is_finite() { digits(time) } else { "-".into() },
            mode.words.clone(),
        ]);
    }
    table.print(out)
}

fn verdict(model: &LinearModelResult) -> String {
    let Some(worst) = model.modes.first() else { return String::new() };
    let Pole { re, im } = worst.pole.pole();
    if re > 0.0 {
        let doubling = digits(std::f64::consts::LN_2 / re);
        format!("unstable: {}, twice as far every {doubling} s", worst.words)
    } else if re == 0.0 && im == 0.0 {
        "not stable: it stays wherever it is put and nothing brings it back".into()
    } else if re == 0.0 {
        "it swings for ever: stable, but nothing damps it".into()
    } else {
        "stable: it comes back to the pose".into()
    }
}

fn order(name: &str, order: &OrderResult, out: &mut dyn Write) -> io::Result<()> {
    let OrderResult { order: count, states, smallest_kept, largest_dropped, .. } = order;
    let rest = if count == states { String::new() } else { format!(", then {}", below(*largest_dropped)) };
    writeln!(out, "{name}: {count} of {states} states; singular values from {smallest_kept:.0e} on{rest}")
}

fn hankel(model: &LinearModelResult, out: &mut dyn Write) -> io::Result<()> {
    let (values, count) = (&model.hankel.values, model.hankel.order);
    let list: Vec<String> = values.iter().take(count).map(|sigma| digits(*sigma)).collect();
    print_line(&format!("Hankel singular values: {}", list.join(", ")), out)?;
    if count < values.len() {
        writeln!(out, "  {count} states matter; the others are below 1e-6 of them")?;
    }
    if model.hankel.shift > 0.0 {
        let shift = digits(model.hankel.shift);
        writeln!(out, "  (not all poles decay: signals weighted by exp(-a t), a = {shift} 1/s)")?;
    }
    Ok(())
}

/// "-0.502 +- 5.506 j"
fn root(pole: &PoleResult) -> String {
    match pole.im {
        0.0 => digits(pole.re),
        im => format!("{} +- {} j", digits(pole.re), digits(im.abs())),
    }
}

/// Four digits.
fn digits(x: f64) -> String {
    let x = format!("{x:.3e}").parse().unwrap_or(x);
    let size = x.abs();
    match size {
        0.0 => "0".into(),
        _ if !(1e-3..1e5).contains(&size) => format!("{x:.3e}"),
        _ if size >= 1000.0 => format!("{x:.0}"),
        _ if size >= 100.0 => format!("{x:.1}"),
        _ if size >= 10.0 => format!("{x:.2}"),
        _ if size >= 1.0 => format!("{x:.3}"),
        _ => format!("{x:.4}"),
    }
}

/// A small number by its power of ten, from above.
fn below(x: f64) -> String {
    if x < 1e-12 { "below 1e-12".into() } else { format!("below 1e{:.0}", x.log10().ceil()) }
}
