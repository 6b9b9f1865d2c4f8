//! Regulators and laws in a closed loop: \[Codourey1996, Fig. 6\], \[Codourey1998, Fig. 7, 8\].

use crate::{BoxError, Expected, Findings, Source};
use Source::{Independent, Paper};
use legwork::V3;
use legwork::experiment::{ControllerKind, Experiment, Outcome, ReferenceMotion, TimedPath, Tuning};
use legwork::report::{Axis, Lines, Multiples};
use legwork::sim::{ModelError, Plant};
use legwork::task::Handle;
use legwork::trajectory::{Law, SemiEllipse, Shape};
use legwork::{AnyRobot, ForearmModel};
use std::f64::consts::TAU;
use std::ops::ControlFlow;

const NAMES: [&str; 4] = ["1 PD", "2 PD + constant inertia", "3 PD + model", "4 PD + model, shifted"];

fn robot() -> Result<AnyRobot, BoxError> {
    Ok(AnyRobot::open("delta-direct-drive")?)
}

/// What the controller takes for the robot: lumped forearms, masses and inertias too large by this part.
fn believed(robot: &AnyRobot, part: f64) -> Result<AnyRobot, BoxError> {
    let error = ModelError { mass: part, motor_inertia: part, ..ModelError::default() };
    Ok(robot.with_model_error(&error)?.with_forearm_model(ForearmModel::Simplified)?)
}

fn lagging() -> Plant {
    Plant::ideal().with_lag(2e-3)
}

/// A condition, and what an independent program found under it.
struct Case {
    name: &'static str,
    /// By how much the controller's masses are too large.
    believed: f64,
    plant: fn() -> Plant,
    tuning: fn() -> Tuning,
    degrees: [&'static str; 4],
    millimetres: Option<[&'static str; 4]>,
    /// Why the regulators are not in the order of the paper, if they are not.
    difference: Option<&'static str>,
}

const EXACT: Case = Case {
    name: "masses known exactly",
    believed: 0.0,
    plant: lagging,
    tuning: Tuning::default,
    degrees: ["1.977", "0.823", "0.374", "0.146"],
    millimetres: Some(["7.28", "2.51", "1.16", "0.51"]),
    difference: None,
};
const HEAVY: Case = Case {
    name: "masses believed 10 % too large",
    believed: 0.1,
    degrees: ["1.977", "1.098", "0.450", "0.335"],
    millimetres: Some(["7.28", "3.19", "1.65", "1.21"]),
    ..EXACT
};
const CASES: [Case; 6] = [
    HEAVY,
    EXACT,
    Case {
        name: "masses believed 10 % too small",
        believed: -0.1,
        degrees: ["1.977", "0.548", "0.395", "0.174"],
        millimetres: None,
        ..EXACT
    },
    Case {
        name: "viscous friction 0.2 N m s/rad, not modelled",
        plant: || lagging().with_friction(0.2, 0.0),
        degrees: ["2.100", "0.918", "0.270", "0.250"],
        millimetres: Some(["7.69", "2.57", "1.21", "1.26"]),
        difference: Some(
            "the error of the motors falls, that of the platform rises from 1.21 to 1.26 mm from regulator 3 to 4: what \
             the shift gains is less than what friction that no model knows takes",
        ),
        ..EXACT
    },
    Case {
        name: "payload 0.1 kg, not modelled",
        plant: || lagging().carrying(0.0, 0.1),
        degrees: ["2.155", "0.733", "0.370", "0.167"],
        millimetres: None,
        ..EXACT
    },
    Case {
        name: "lag 0.91 ms (2 ms from 10 to 90 %)",
        plant: || Plant::ideal().with_lag(2e-3 / 9.0_f64.ln()),
        degrees: ["1.946", "0.794", "0.247", "0.118"],
        millimetres: None,
        ..EXACT
    },
];
const SERIES: Case = Case {
    name: "mass matrix in series",
    tuning: || Tuning { is_decoupled: true, ..Tuning::default() },
    degrees: ["2.583", "1.079", "0.434", "0.176"],
    millimetres: None,
    ..EXACT
};

/// Runs the four regulators and notes their errors; gives the largest ones at the motors \[deg\].
fn compare(findings: &mut Findings, case: &Case, handle: &Handle<'_>) -> Result<Vec<Outcome>, BoxError> {
    let robot = robot()?;
    let experiment = Experiment::new(&robot, TimedPath::codourey()?)
        .with_controller_model(believed(&robot, case.believed)?)
        .on_plant((case.plant)())
        .tuned((case.tuning)());
    handle.go_on()?;
    let found = experiment.run_all(&ControllerKind::FOUR)?;
    for (k, outcome) in found.iter().enumerate() {
        let what = |what: &str| format!("{}: regulator {}, largest {what} error", case.name, NAMES[k]);
        let expected = Expected::printed(case.degrees[k]);
        findings.number(what("joint"), "deg", joint(outcome), expected, Independent);
        if let Some(millimetres) = case.millimetres {
            let expected = Expected::printed(millimetres[k]);
            findings.number(what("platform"), "mm", outcome.position.max * 1e3, expected, Independent);
        }
    }
    Ok(found)
}

/// Largest error of a motor \[deg\].
fn joint(outcome: &Outcome) -> f64 {
    outcome.turning.map_or(f64::NAN, |spread| spread.max.to_degrees())
}

/// The largest error becomes smaller from regulator to regulator, at the motors and at the platform.
fn falls(found: &[Outcome]) -> bool {
    found
        .windows(2)
        .all(|pair| joint(&pair[0]) > joint(&pair[1]) && pair[0].position.max > pair[1].position.max)
}

/// The factor of the paper, with masses known to ten per cent.
fn six(findings: &mut Findings, handle: &Handle<'_>) -> Result<(), BoxError> {
    let found = compare(findings, &HEAVY, handle)?;
    let (at_motors, of_platform) = found[3].factors(&found[0]);
    // The paper prints one digit: what rounds to six.
    let six = Expected::Near { value: 6.0, tolerance: 0.5 };
    findings.number("factor from regulator 1 to 4, joint error", "", at_motors, six, Paper);
    findings.number("factor from regulator 1 to 4, platform error", "", of_platform, six, Paper);
    findings.number("the same, joint error", "", at_motors, Expected::printed("5.9"), Independent);
    findings.number("the same, platform error", "", of_platform, Expected::printed("6.0"), Independent);
    findings.claim("each regulator is better than the one before", falls(&found), Paper);
    findings.show(curves(handle)?);
    Ok(())
}

pub(crate) fn four_1996(handle: &Handle<'_>) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    six(&mut findings, handle)?;
    Ok(findings)
}

pub(crate) fn four_1998(handle: &Handle<'_>) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    let motion = TimedPath::codourey()?;
    findings.number("length of the path", "m", motion.length(), Expected::printed("0.29964"), Independent);
    findings.number("duration", "s", motion.duration(), Expected::printed("0.15341"), Independent);
    let robot = robot()?;
    let gains = Experiment::new(&robot, motion)
        .with_controller_model(believed(&robot, 0.0)?)
        .resolved_gains(ControllerKind::Pd)?;
    let gains = [
        ("mean inertia Ī", "kg m²", gains.inertia[0], "0.0446"),
        ("gain K_p", "N m/rad", gains.proportional[0], "704"),
        ("gain K_d", "N m s/rad", gains.derivative[0], "7.85"),
    ];
    for (what, unit, value, text) in gains {
        findings.number(what, unit, value, Expected::printed(text), Independent);
    }
    six(&mut findings, handle)?;
    let mut ideal = Vec::new();
    for case in &CASES[1..] {
        let found = compare(&mut findings, case, handle)?;
        let ordered = format!("{}: each regulator is better than the one before", case.name);
        findings.claim(ordered, falls(&found), Paper);
        if let Some(why) = case.difference {
            findings.claim_differs(why);
        }
        if case.believed == 0.0 && ideal.is_empty() {
            let (at_motors, of_platform) = found[3].factors(&found[0]);
            let what = "masses known exactly: factor from regulator 1 to 4";
            let [joints, platform] = ["13.6", "14.2"].map(Expected::printed);
            findings.number(format!("{what}, joint error"), "", at_motors, joints, Independent);
            findings.number(format!("{what}, platform error"), "", of_platform, platform, Independent);
            for (k, text) in [(0, "30"), (3, "26")] {
                let torque = found[k].asked_torque.unwrap_or(f64::NAN);
                let what = format!("masses known exactly: regulator {}, peak torque", NAMES[k]);
                findings.number(what, "N m", torque, Expected::printed(text), Independent);
            }
            ideal = found;
        }
    }
    let series = compare(&mut findings, &SERIES, handle)?;
    let no_gain = series.iter().zip(&ideal).all(|(with, without)| joint(with) >= joint(without));
    findings.claim("the mass matrix in series does not make the errors smaller", no_gain, Paper);
    Ok(findings)
}

/// Errors over time with masses believed 10 % too large: platform, and motor 1.
fn curves(handle: &Handle<'_>) -> Result<Multiples, BoxError> {
    let robot = robot()?;
    let experiment = Experiment::new(&robot, TimedPath::codourey()?)
        .with_controller_model(believed(&robot, 0.1)?)
        .on_plant(lagging())
        .settling_for(0.05);
    let time = || Axis::new("time", "ms");
    let mut platform = Lines::new("Error of the platform", time(), Axis::new("distance", "mm"));
    let mut motor = Lines::new("Error of motor 1", time(), Axis::new("angle", "deg"));
    for (kind, name) in ControllerKind::FOUR.into_iter().zip(NAMES) {
        handle.go_on()?;
        let (mut t, mut way, mut angle) = (Vec::new(), Vec::new(), Vec::new());
        experiment.run_each(kind, |seen| {
            t.push(seen.sample.time * 1e3);
            way.push(seen.position_error * 1e3);
            angle.push(seen.error.first().map_or(f64::NAN, |error| error.to_degrees()));
            ControlFlow::Continue(())
        })?;
        platform = platform.with_curve(name, &t, &way);
        motor = motor.with_curve(name, &t, &angle);
    }
    Ok(Multiples::new("Tracking errors, masses believed 10 % too large", 2).with(motor).with(platform))
}

const LAWS: [&str; 3] = ["parabolic", "sine-on-ramp", "non-symmetric sine-on-ramp"];

/// The three laws of the figure, all of the same duration.
fn laws() -> Result<[Law<f64>; 3], BoxError> {
    let length = TimedPath::codourey()?.length();
    let duration = (TAU * length / 80.0).sqrt();
    let law = |shape| Law::by_duration(shape, length, duration);
    Ok([law(Shape::parabolic())?, law(Shape::sine())?, law(Shape::Sine { rise: 1.0 / 3.0 })?])
}

fn motions() -> Result<Vec<TimedPath>, BoxError> {
    let [from, to] = [-0.125, 0.125].map(|x| V3::new(x, 0.0, -0.35));
    let mut list = Vec::new();
    for law in laws()? {
        list.push(TimedPath::new(SemiEllipse::new(from, to, V3::along_z(0.06))?, law));
    }
    Ok(list)
}

fn arrivals(
    kind: ControllerKind,
    part: f64,
    hertz: f64,
    handle: &Handle<'_>,
) -> Result<Vec<Outcome>, BoxError> {
    let robot = robot()?;
    let known = believed(&robot, part)?;
    let mut list = Vec::new();
    for motion in motions()? {
        handle.go_on()?;
        let experiment = Experiment::new(&robot, motion)
            .with_controller_model(known.clone())
            .on_plant(lagging())
            .tuned(Tuning { frequency: TAU * hertz, ..Tuning::default() });
        list.push(experiment.run(kind)?);
    }
    Ok(list)
}

/// A number of an outcome, and its name and unit.
type Aspect = (&'static str, &'static str, fn(&Outcome) -> f64);

/// A regulator, what it did with each law, and what an independent program found.
type ArrivalCase = (&'static str, Vec<Outcome>, Vec<(Aspect, [&'static str; 3])>);

const OVERSHOOT: Aspect =
    ("overshoot", "mm", |outcome| outcome.arrival.map_or(f64::NAN, |arrival| arrival.overshoot * 1e3));
const REST: Aspect = ("largest error after arrival", "mm", |outcome| {
    outcome.arrival.map_or(f64::NAN, |arrival| arrival.rest * 1e3)
});
const SETTLING: Aspect = ("time to stay within 0.1 mm", "ms", |outcome| {
    outcome.arrival.and_then(|arrival| arrival.settling).map_or(f64::NAN, |time| time * 1e3)
});
const TORQUE: Aspect = ("peak torque", "N m", |outcome| outcome.asked_torque.unwrap_or(f64::NAN));
const WAY: Aspect = ("largest error on the way", "mm", |outcome| outcome.position.max * 1e3);

pub(crate) fn arrival(handle: &Handle<'_>) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    let [parabolic, sine, lopsided] = laws()?.map(|law| law.peak_accelerations());
    let accelerations = [
        ("parabolic: peak acceleration", parabolic[0], "51"),
        ("non-symmetric: peak acceleration", lopsided[0], "120"),
        ("non-symmetric: peak deceleration", lopsided[1].abs(), "60"),
    ];
    for (what, value, text) in accelerations {
        findings.number(what, "m/s²", value, Expected::printed(text), Paper);
    }
    findings.context(
        "sine-on-ramp: peak acceleration, which defines the duration of all three",
        "m/s²",
        sine[0],
    );
    let rhythm = 0.5 / TimedPath::codourey()?.duration();
    findings.number("there and back without a pause", "Hz", rhythm, Expected::AtLeast(3.0), Paper);
    findings.number("there and back without a pause", "Hz", rhythm, Expected::printed("3.26"), Independent);
    let cases: [ArrivalCase; 4] = [
        (
            "PD, 20 Hz",
            arrivals(ControllerKind::Pd, 0.0, 20.0, handle)?,
            vec![(OVERSHOOT, ["2.90", "1.52", "0.89"])],
        ),
        (
            "PD, 15 Hz",
            arrivals(ControllerKind::Pd, 0.0, 15.0, handle)?,
            vec![(OVERSHOOT, ["4.84", "3.83", "2.32"])],
        ),
        (
            "regulator 4, masses exact",
            arrivals(ControllerKind::ModelShifted, 0.0, 20.0, handle)?,
            vec![
                (REST, ["0.132", "0.095", "0.056"]),
                (OVERSHOOT, ["0.046", "0.003", "0.002"]),
                (TORQUE, ["26.7", "25.9", "38.1"]),
                (WAY, ["0.40", "0.51", "0.67"]),
            ],
        ),
        (
            "regulator 4, masses +10 %",
            arrivals(ControllerKind::ModelShifted, 0.1, 20.0, handle)?,
            vec![(REST, ["0.279", "0.244", "0.150"]), (SETTLING, ["17", "10", "6"])],
        ),
    ];
    for (name, found, aspects) in &cases {
        for ((what, unit, get), texts) in aspects {
            for (k, outcome) in found.iter().enumerate() {
                let what = format!("{name}, {}: {what}", LAWS[k]);
                findings.number(what, unit, get(outcome), Expected::printed(texts[k]), Independent);
            }
        }
        let ((what, _, get), _) = aspects[0];
        let ordered = found.windows(2).all(|pair| get(&pair[0]) > get(&pair[1]));
        findings.claim(format!("{name}: {what} parabolic > sine > non-symmetric"), ordered, Paper);
    }
    findings.show(approach()?);
    Ok(findings)
}

/// Height above the target around the arrival, with the PD regulator and with regulator 4.
fn approach() -> Result<Multiples, BoxError> {
    let robot = robot()?;
    let known = believed(&robot, 0.1)?;
    let mut several = Multiples::new("Arrival by three laws", 2);
    for (kind, title) in
        [(ControllerKind::Pd, "PD, 20 Hz"), (ControllerKind::ModelShifted, "Regulator 4, masses +10 %")]
    {
        let axes = (Axis::new("time after arrival", "ms"), Axis::new("height above target", "mm"));
        let mut plot = Lines::new(title, axes.0, axes.1);
        for (motion, name) in motions()?.into_iter().zip(LAWS) {
            let target = motion.target();
            let experiment =
                Experiment::new(&robot, motion).with_controller_model(known.clone()).on_plant(lagging());
            let (mut t, mut height) = (Vec::new(), Vec::new());
            experiment.run_each(kind, |seen| {
                let after = (seen.sample.time - target.time) * 1e3;
                if (-10.0..=60.0).contains(&after) {
                    t.push(after);
                    height.push((seen.sample.platform.position[2] - target.position[2]) * 1e3);
                }
                ControlFlow::Continue(())
            })?;
            plot = plot.with_curve(name, &t, &height);
        }
        several = several.with(plot);
    }
    Ok(several)
}
