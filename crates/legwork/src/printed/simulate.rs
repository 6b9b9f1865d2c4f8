//! A robot in time under given efforts, or regulators along a path.

use super::motion;
use crate::table::{Table, print_line};
use crate::task::{Choice, EndingKind, FollowResult, SampleTable, SimulateResult};
use crate::text::{Decimals, fixed, four_digits, short};
use std::io::{self, Write};

/// A kinetic energy that is rounding \[J\].
const NOISE: f64 = 1e-15;

/// Three digits: a clock is not better than that.
fn three_digits(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

/// Prints a run under given efforts. `factor` is simulated time over time on the clock, where there is one; `words` puts the reason of an early end
/// into the words of the front end.
pub fn simulate(
    result: &SimulateResult,
    factor: Option<f64>,
    words: &dyn Fn(&str) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}: {} s of {} s simulated\n", result.robot, short(result.time), short(result.duration))?;
    let mut table = Table::with_left(&[1]);
    let pole = result.pole.map_or(String::new(), |pole| format!(", pole {} 1/s", short(pole)));
    table.row(["formulation".into(), format!("{}{pole}", result.formulation)]);
    let size = match (result.tolerance, result.step) {
        (Some(tolerance), _) => format!(", tolerance {tolerance:e}"),
        (None, step) => format!(", step {} ms", short(step.unwrap_or(f64::NAN) * 1e3)),
    };
    table.row(["integrator".into(), format!("{}{size}", result.integrator)]);
    table.row(["motors".into(), result.motors.clone()]);
    for (k, phrase) in result.machine.iter().enumerate() {
        table.row([if k == 0 { "machine" } else { "" }.into(), phrase.clone()]);
    }
    table.row(["samples".into(), result.samples_taken.to_string()]);
    table.row(["steps".into(), format!("{}, {} rejected", result.steps, result.rejected)]);
    table.row(["evaluations".into(), result.evaluations.to_string()]);
    table.row(["loop gap".into(), format!("{:.1e} m", result.loop_gap)]);
    let (imbalance, energy) = (result.energy_imbalance, short(result.largest_kinetic_energy));
    table.row(["energy balance".into(), format!("{imbalance:.1e} J, kinetic energy up to {energy} J")]);
    if let Some(factor) = factor {
        table.row(["real-time factor".into(), short(three_digits(factor))]);
    }
    table.row(["ended".into(), words(&result.ended)]);
    if result.ending != EndingKind::Completed {
        table.row(["last good state".into(), result.last_place.clone()]);
    }
    if let Some(path) = &result.out {
        table.row(["written to".into(), path.display().to_string()]);
    }
    table.print(out)?;
    writeln!(out)?;
    print_samples(&result.shown, out)?;
    result.outside_note.as_ref().map_or(Ok(()), |note| writeln!(out, "\n{note}"))
}

/// Time, coordinates, joints if there is room, kinetic energy. Numbers of one kind have common decimals: what is zero
/// to rounding shows as zero.
fn print_samples(samples: &SampleTable, out: &mut dyn Write) -> io::Result<()> {
    let all: Vec<(&str, &str)> =
        samples.columns.iter().map(String::as_str).zip(samples.units.iter().map(String::as_str)).collect();
    let is_place = |name: &str| ["x", "y", "z", "roll", "pitch", "yaw", "angle"].contains(&name);
    let is_joint = |name: &str| name.strip_prefix('q').is_some_and(|rest| rest.parse::<u32>().is_ok());
    let named = |is: &dyn Fn(&str, &str) -> bool| -> Vec<(&str, &str)> {
        all.iter().filter(|(name, unit)| is(name, unit)).copied().collect()
    };
    let joints = named(&|name, _| is_joint(name));
    let groups = [
        named(&|name, _| name == "t"),
        named(&|name, unit| is_place(name) && unit == "m"),
        named(&|name, unit| is_place(name) && unit == "rad"),
        if joints.len() <= 3 { joints } else { Vec::new() },
        named(&|name, _| name == "kinetic_energy"),
    ];
    let mut columns: Vec<Vec<String>> = Vec::new();
    for group in groups {
        let values: Vec<Vec<f64>> = group
            .iter()
            .map(|(name, unit)| {
                let shown = |x: &f64| match *unit {
                    "m" => x * 1e3,
                    "rad" => x.to_degrees(),
                    "J" if *x < NOISE => 0.0,
                    _ => *x,
                };
                samples.values(name).unwrap_or_default().iter().map(shown).collect()
            })
            .collect();
        let decimals = Decimals::of(&values.concat());
        for ((name, unit), values) in group.iter().zip(values) {
            let unit = if *unit == "m" {
                "mm"
            } else if *unit == "rad" {
                "deg"
            } else {
                unit
            };
            let head = format!("{} [{unit}]", name.trim_end_matches("_energy"));
            columns.push(std::iter::once(head).chain(values.iter().map(|x| decimals.show(*x))).collect());
        }
    }
    let mut table = Table::default();
    for row in 0..=samples.rows.len() {
        table.row(columns.iter().map(|column| column[row].as_str()));
    }
    table.print(out)
}

/// Prints regulators along a path, side by side; `words` as in [`simulate`].
pub fn follow(result: &FollowResult, words: &dyn Fn(&str) -> String, out: &mut dyn Write) -> io::Result<()> {
    let duration = short(three_digits(result.duration));
    writeln!(out, "{}: {duration} s along a path, regulator by regulator\n", result.robot)?;
    let mut table = Table::with_left(&[1]);
    let (length, time) = (way(&result.path, result.length), four_digits(result.move_time * 1e3));
    let hertz = fixed(0.5 / result.move_time, 2);
    let path = format!("{}, {length}", result.path);
    let row = match result.law.as_str() {
        "" => format!("{path} in {time} ms"),
        "fastest" => format!("{path}, fastest in {time} ms: {hertz} Hz there and back"),
        law => format!("{path}, {law} law in {time} ms: {hertz} Hz there and back"),
    };
    table.row(["path".into(), row]);
    if let Some(first) = result.regulators.first() {
        let gains = |list: &[f64]| {
            let same = list.windows(2).all(|pair| pair[0] == pair[1]);
            let shown = list.iter().take(if same { 1 } else { list.len() });
            shown.map(|x| short(three_digits(*x))).collect::<Vec<_>>().join(", ")
        };
        let (kp, kd) = (gains(&first.kp), gains(&first.kd));
        let (turns, slides) = (first.turning_error.is_some(), first.sliding_error.is_some());
        let units = match (turns, slides) {
            (true, true) => ("N m/rad, N/m", "N m s/rad, N s/m"),
            (_, true) => ("N/m", "N s/m"),
            _ => ("N m/rad", "N m s/rad"),
        };
        let (period, hertz) = (short(result.period * 1e3), short(three_digits(result.frequency)));
        table.row([
            "controller".into(),
            format!("every {period} ms, {hertz} Hz: K_p {kp} {}, K_d {kd} {}", units.0, units.1),
        ]);
        let integrals: Vec<_> = result.regulators.iter().filter(|of| !of.ki.is_empty()).collect();
        if let Some(of) = integrals.first() {
            let names: Vec<_> = integrals.iter().map(|of| of.regulator.word()).collect();
            let unit = match (turns, slides) {
                (true, true) => "N m/(rad s), N/(m s)",
                (_, true) => "N/(m s)",
                _ => "N m/(rad s)",
            };
            let ki = gains(&of.ki);
            table.row(["integral".into(), format!("K_i {ki} {unit} of {}", names.join(", "))]);
        }
    }
    for (k, text) in margins(result).into_iter().enumerate() {
        table.row([if k == 0 { "margins" } else { "" }.into(), text]);
    }
    if let Some(shift) = result.regulators.iter().find_map(|of| of.shift) {
        table.row(["shift".into(), format!("{} ms: feedback behind feed-forward", short(shift * 1e3))]);
    }
    let knows = &result.controller_knows;
    let knows = if knows.is_empty() { "the robot as its file says".into() } else { knows.join(", ") };
    table.row(["it knows".into(), knows]);
    table.row(["machine".into(), result.machine.join(", ")]);
    for file in &result.out {
        table.row(["written to".into(), file.display().to_string()]);
    }
    table.print(out)?;
    motion::print_moves(&result.moves, out)?;
    writeln!(out)?;
    let columns = result.columns();
    let opens = |head: &str| head.starts_with("peak") || head.starts_with("beyond");
    let folds = (0..columns.len()).filter(|k| columns[*k].first().is_some_and(|head| opens(head)));
    let mut table = Table::default().folding_before(folds.collect());
    for row in 0..=result.regulators.len() {
        table.row(columns.iter().map(|column| column[row].as_str()));
    }
    table.print(out)?;
    for of in &result.regulators {
        let name = of.regulator.word();
        if let Some(fault) = &of.fault {
            let time = short(fault.time);
            writeln!(out)?;
            print_line(&format!("{name}: the supervisor took over at {time} s: {}", fault.reason), out)?;
        }
        if of.ended != EndingKind::Completed {
            writeln!(out)?;
            print_line(&format!("{name}: {}", words(&of.ending)), out)?;
        }
    }
    let Some(note) = &result.note else { return Ok(()) };
    writeln!(out)?;
    print_line(note.trim(), out)
}

/// The margins of the loops; regulators that have the same stand together.
fn margins(result: &FollowResult) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for of in &result.regulators {
        let Some(margins) = &of.margins else { continue };
        match groups.iter_mut().find(|(words, _)| *words == margins.words) {
            Some((_, names)) => names.push(of.regulator.word()),
            None => groups.push((&margins.words, vec![of.regulator.word()])),
        }
    }
    let is_one = groups.iter().map(|(_, names)| names.len()).eq([result.regulators.len()]);
    let with_names = |(words, names): (&str, Vec<&str>)| format!("{}: {words}", names.join(", "));
    groups.into_iter().map(|group| if is_one { group.0.to_owned() } else { with_names(group) }).collect()
}

/// A length in millimetres, or the angle of a turn in degrees.
fn way(path: &str, length: f64) -> String {
    match path {
        "turn" => format!("{} deg", four_digits(length.to_degrees())),
        _ => format!("{} mm", four_digits(length * 1e3)),
    }
}
