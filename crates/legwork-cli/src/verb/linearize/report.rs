//! A linear model for people.

use super::Found;
use crate::table::Table;
use legwork::analysis::linear::order::Order;
use legwork::analysis::linear::{Mode, Pole};
use legwork::coordinates::CoordinateSchema;
use legwork::text::{short, short_list};
use std::io::{self, Write};
use std::path::Path;

/// Less than this is not told apart: rounding of a root that is there twelve times.
const SCATTER: f64 = 1e-4;

pub fn print(
    found: &Found,
    schema: &CoordinateSchema,
    file: Option<&Path>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let place = schema.place(&found.platform);
    writeln!(out, "{} at {place}, held at rest", found.robot)?;
    writeln!(out, "{} form, {} states ({})", found.form_name(), found.model.a.nrows(), found.coordinates())?;
    writeln!(out, "the motors give {} {}", short_list(&found.hold), schema.either("N m", "N"))?;
    writeln!(out)?;
    modes(found, out)?;
    if let Some(constrained) = &found.constrained {
        let (poles, zeros) = (constrained.at_the_loops(&found.poles), constrained.at_the_loops(&found.zeros));
        let pole = short(-constrained.pole);
        writeln!(out)?;
        writeln!(
            out,
            "{} poles at {pole} close the loops (scatter {})",
            poles.0,
            below(poles.1.max(SCATTER))
        )?;
        writeln!(
            out,
            "{} of {} invariant zeros there (scatter {})",
            zeros.0,
            found.zeros.len(),
            below(zeros.1.max(SCATTER))
        )?;
    } else if found.zeros.is_empty() {
        writeln!(out, "\nno invariant zeros from the motors to their joints")?;
    } else {
        let list: Vec<String> = found.zeros.iter().map(root).collect();
        writeln!(out, "\ninvariant zeros: {}", list.join(", "))?;
    }
    order("controllable", &found.controllable, out)?;
    order("observable", &found.observable, out)?;
    hankel(found, out)?;
    verdict(found, out)?;
    if let Some(feedback) = &found.feedback {
        writeln!(out, "\nu = hold + F (reference - state), F in {}:", states(found))?;
        let mut table = Table::default();
        for (row, input) in feedback.rows().iter().zip(&found.reduced.joints) {
            table.numbers(&input.name, row);
        }
        table.print(out)?;
        let poles: Vec<String> = feedback.poles.iter().filter(|p| !p.is_conjugate()).map(root).collect();
        writeln!(out, "poles with it: {}", poles.join(", "))?;
        writeln!(out, "its equation holds to {}", below(feedback.residual))?;
    }
    if let Some(file) = file {
        writeln!(out, "written to {}", file.display())?;
    }
    Ok(())
}

fn states(found: &Found) -> String {
    let names: Vec<String> =
        found.reduced.state_space().states.into_iter().map(|signal| signal.name).collect();
    names.join(" ")
}

fn modes(found: &Found, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::with_left(&[5]);
    table.row(["pole [1/s]", "times", "frequency [Hz]", "damping", "time constant [s]", "what moves"]);
    for Mode { pole, times, words, .. } in &found.modes {
        let damping = pole.damping().map_or("-".into(), |damping| format!("{damping:.3}"));
        let time = pole.time_constant();
        table.row([
            root(pole),
            times.to_string(),
            if pole.im == 0.0 { "-".into() } else { digits(pole.frequency_hz()) },
            damping,
            if time.is_finite() { digits(time) } else { "-".into() },
            words.clone(),
        ]);
    }
    table.print(out)
}

fn verdict(found: &Found, out: &mut dyn Write) -> io::Result<()> {
    let worst = found.modes.first();
    let text = match worst {
        Some(Mode { pole, words, .. }) if pole.re > 0.0 => {
            let twice = std::f64::consts::LN_2 / pole.re;
            format!("unstable: {words}, twice as far every {} s", digits(twice))
        }
        Some(Mode { pole, .. }) if pole.re == 0.0 && pole.im == 0.0 => {
            "not stable: it stays wherever it is put and nothing brings it back".into()
        }
        Some(Mode { pole, .. }) if pole.re == 0.0 => {
            "it swings for ever: stable, but nothing damps it".into()
        }
        _ => "stable: it comes back to the pose".into(),
    };
    writeln!(out, "\n{text}")
}

fn order(name: &str, order: &Order, out: &mut dyn Write) -> io::Result<()> {
    let Order { order: count, states, smallest_kept, largest_dropped, .. } = order;
    write!(out, "{name}: {count} of {states} states; singular values from {smallest_kept:.0e}")?;
    if count == states {
        writeln!(out, " on")
    } else {
        writeln!(out, " on, then {}", below(*largest_dropped))
    }
}

fn hankel(found: &Found, out: &mut dyn Write) -> io::Result<()> {
    let count = found.balanced.order();
    let values: Vec<String> = found.balanced.hankel.iter().take(count).map(|sigma| digits(*sigma)).collect();
    writeln!(out, "Hankel singular values: {}", values.join(", "))?;
    if count < found.balanced.hankel.len() {
        writeln!(out, "  {count} states matter; the others are below 1e-6 of them")?;
    }
    if found.balanced.shift > 0.0 {
        let shift = digits(found.balanced.shift);
        writeln!(out, "  (not all poles decay: signals weighted by exp(-a t), a = {shift} 1/s)")?;
    }
    Ok(())
}

/// "-0.502 +- 5.506 j"
pub fn root(pole: &Pole) -> String {
    if pole.im == 0.0 {
        digits(pole.re)
    } else {
        format!("{} +- {} j", digits(pole.re), digits(pole.im.abs()))
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
    if x < 1e-12 {
        return "below 1e-12".into();
    }
    let power = x.log10().ceil();
    format!("below 1e{power:.0}")
}
