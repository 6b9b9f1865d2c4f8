//! What a cycle asks of the motors, and which can do it.

use super::motion;
use crate::analysis::size::JointDemand;
use crate::table::Table;
use crate::task::{MarginResult, MotorResult, SizeRequest, SizeResult};
use crate::text::{fixed, four_digits, in_rpm, short};
use std::io::{self, Write};

/// Prints the demand of every motor, where its peaks are, and which motors of the table can do it.
pub fn size(request: &SizeRequest, result: &SizeResult, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: what a cycle asks of the motors\n", result.robot)?;
    let mut table = Table::with_left(&[1]);
    let way = if request.one_way { "one way" } else { "there and back" };
    let how = match result.law.as_str() {
        // A cycle of several moves, or a file: each says its own timing.
        "" => String::new(),
        "fastest" => format!(", as fast as the limits allow, {way}"),
        law => format!(", {law} law, {way}"),
    };
    table.row(["cycle".into(), format!("{}{how}: {} s", result.path, fixed(result.cycle_time, 4))]);
    let mean = four_digits(result.settled(result.energy) / result.cycle_time);
    table.row(["power".to_owned(), format!("peak {} W, mean {mean} W", four_digits(result.peak_power))]);
    table.row([
        "energy".to_owned(),
        format!(
            "{} J a cycle, {} J if nothing is fed back; friction takes {} J",
            four_digits(result.settled(result.energy)),
            four_digits(result.energy_without_regeneration),
            four_digits(result.settled(result.dissipated))
        ),
    ]);
    for path in &result.out {
        table.row(["written to".to_owned(), path.display().to_string()]);
    }
    table.print(out)?;
    motion::print_moves(&result.moves, out)?;
    writeln!(out)?;
    print_joints(&result.joints, out)?;
    motion::print_peaks(&result.peaks, out)?;
    result.motors.as_ref().map_or(Ok(()), |motors| print_motors(motors, out))
}

fn print_joints(joints: &[JointDemand], out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::default();
    table.row(std::iter::once("").chain(joints.iter().map(|joint| joint.name.as_str())));
    let mut add = |name: String, get: &dyn Fn(&JointDemand) -> f64| {
        table.row(std::iter::once(name).chain(joints.iter().map(|joint| four_digits(get(joint)))));
    };
    let either = |turning: &str, sliding: &str| {
        let slides = |slides: bool| joints.iter().any(|joint| joint.slides == slides);
        match (slides(false), slides(true)) {
            (true, true) => format!("{turning}, {sliding}"),
            (_, false) => turning.to_owned(),
            _ => sliding.to_owned(),
        }
    };
    let (effort, speed, inertia) = (either("N m", "N"), either("rad/s", "m/s"), either("kg m^2", "kg"));
    let name = either("torque", "force");
    // With a gear both of its sides are told.
    let geared = joints.iter().any(|joint| joint.gear_ratio != 1.0);
    let side = if geared { ", joint" } else { "" };
    add(format!("peak {name}{side} [{effort}]"), &|joint| joint.peak_effort);
    add(format!("rms {name}{side} [{effort}]"), &|joint| joint.rms_effort);
    add(format!("peak speed{side} [{speed}]"), &|joint| joint.peak_speed);
    add(format!("rms speed{side} [{speed}]"), &|joint| joint.rms_speed);
    if geared {
        add("gear ratio".into(), &|joint| joint.gear_ratio);
        add(format!("peak {name}, motor [{effort}]"), &|joint| joint.motor_side.peak_effort);
        add(format!("rms {name}, motor [{effort}]"), &|joint| joint.motor_side.rms_effort);
        // As data sheets have it.
        let in_rpm = |joint: &JointDemand, speed: f64| if joint.slides { speed } else { in_rpm(speed) };
        let speed = either("rpm", "m/s");
        add(format!("peak speed, motor [{speed}]"), &|joint| in_rpm(joint, joint.motor_side.peak_speed));
        add(format!("rms speed, motor [{speed}]"), &|joint| in_rpm(joint, joint.motor_side.rms_speed));
    }
    add("peak power [W]".into(), &|joint| joint.peak_power);
    add("peak braking [W]".into(), &|joint| joint.peak_braking);
    add(format!("load inertia, least [{inertia}]"), &|joint| joint.load_inertia[0]);
    add(format!("load inertia, largest [{inertia}]"), &|joint| joint.load_inertia[1]);
    add(format!("motor of the file [{inertia}]"), &|joint| joint.own_inertia);
    table.print(out)
}

fn print_motors(motors: &[MotorResult], out: &mut dyn Write) -> io::Result<()> {
    let gear = |motor: &MotorResult| match motor.lead {
        Some(lead) => format!("{} mm", short(lead * 1e3)),
        None => short(motor.gear_ratio.unwrap_or(f64::NAN)),
    };
    let gears = if motors.iter().any(|motor| motor.lead.is_some()) { "lead" } else { "gear" };
    let feasible: Vec<&MotorResult> = motors.iter().filter(|motor| motor.feasible).collect();
    writeln!(out, "\n{} of {} motors with their gears can do it\n", feasible.len(), motors.len())?;
    let percent = |share: Option<f64>| format!("{:.0} %", 100.0 * share.unwrap_or(f64::INFINITY));
    let checks = ["peak torque", "rms torque", "peak speed", "rms speed"];
    if !feasible.is_empty() {
        let mut table = Table::default();
        let heads = ["motor", gears, "margin"].into_iter().chain(checks).chain(["inertia ratio"]);
        table.row(heads);
        for motor in feasible {
            let of = |check: &str| {
                let margin = motor.margins.iter().find(|margin| margin.of == check);
                margin.map_or("-".into(), |margin| percent(margin.margin))
            };
            let ratio = motor.duties.iter().fold(0.0_f64, |most, duty| most.max(duty.inertia_ratio));
            let first = [motor.motor.clone(), gear(motor), percent(motor.margin)];
            table.row(first.into_iter().chain(checks.map(of)).chain([four_digits(ratio)]));
        }
        table.print(out)?;
        writeln!(out)?;
    }
    let mut table = Table::with_left(&[2]);
    for motor in motors.iter().filter(|motor| !motor.feasible) {
        let mut short: Vec<&MarginResult> = motor.margins.iter().filter(|margin| margin.short).collect();
        let share = |margin: &MarginResult| margin.margin.unwrap_or(f64::NAN);
        short.sort_by(|a, b| share(a).total_cmp(&share(b)));
        let why: Vec<String> = short.into_iter().map(shortfall).collect();
        table.row([motor.motor.clone(), gear(motor), why.join("; ")]);
    }
    table.print(out)
}

/// "peak torque 12.3 N m at q1, has 8.4: 32 % short"
fn shortfall(margin: &MarginResult) -> String {
    let (factor, unit) = match margin.unit.as_str() {
        "rad/s" => (in_rpm(1.0), " rpm".to_owned()),
        "" => (1.0, String::new()),
        unit => (1.0, format!(" {unit}")),
    };
    let (needed, available) = (four_digits(margin.needed * factor), four_digits(margin.available * factor));
    let share = margin.margin.unwrap_or(f64::NAN);
    let missing = if share < 0.0 {
        format!("{:.0} % short", -100.0 * share)
    } else {
        format!("only {:.0} % left", 100.0 * share)
    };
    format!("{} {needed}{unit} at q{}, has {available}: {missing}", margin.of, margin.joint)
}
