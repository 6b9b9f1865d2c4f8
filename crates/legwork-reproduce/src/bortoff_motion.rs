//! \[Bortoff2018\]: runs in the constrained form.

use crate::number::plain;
use crate::{BoxError, Expected, Findings, Source};
use Source::{Independent, Paper, Theory};
use legwork::Real;
use legwork::V3;
use legwork::engine::{Pose, Twist};
use legwork::integrate::{Dopri5, Settings, Statistics};
use legwork::motion::{Arms, Constrained, DeltaMinimal, Driven, Fault, Formulation, Input};
use legwork::report::{Axis, Lines, Table};
use legwork::robots::catalog;
use legwork::robots::delta::constrained::{ArmParameters, ConstrainedDelta, Settings as NewtonSettings};
use legwork::task::Handle;
use std::f64::consts::{FRAC_PI_4, TAU};
use std::time::Instant;

/// Set B with the damping of all of its angles.
fn arm() -> ArmParameters<f64> {
    let arm = catalog::delta_bortoff_b().to_constrained().arms.x;
    ArmParameters { damping: V3::new(0.0412, 0.0009, 0.0521), ..arm }
}

/// All motors at an angle: platform in our frame \[m\] and holding torque \[N m\].
fn start(arm: ArmParameters<f64>, angle: f64) -> (V3<f64>, f64) {
    // On the axis of the robot: l1 cos φ1 + offset + l2 cos φ2 = 0
    let horizontal = arm.base_offset + arm.upper * angle.cos();
    let z = arm.upper * angle.sin() + (arm.lower * arm.lower - horizontal * horizontal).sqrt();
    let robot = ConstrainedDelta::symmetric(arm);
    let angles = robot.inverse_kinematics(V3::new(0.0, 0.0, z)).value;
    (V3::new(0.0, 0.0, -z), robot.gravity_compensation(angles).value.torque.x)
}

/// u_g (1 + 0.25 sin(2πt + phase)).
#[derive(Clone, Copy)]
struct Swing(f64);

impl Input for Swing {
    fn effort(&mut self, t: f64, effort: &mut [f64]) {
        let count = effort.len() as f64;
        for (i, u) in effort.iter_mut().enumerate() {
            *u = self.0 * (1.0 + 0.25 * (TAU * (t + i as f64 / count)).sin());
        }
    }
}

/// What a run left.
struct Ran {
    statistics: Statistics,
    /// Largest loop gap \[m\].
    drift: f64,
    /// At the ends of steps: time \[s\], motor angles \[rad\], loop gap \[m\].
    steps: Vec<(f64, [f64; 3], f64)>,
    /// How long it took \[s\].
    wall: f64,
}

impl Ran {
    fn last(&self) -> [f64; 3] {
        self.steps.last().map_or([f64::NAN; 3], |step| step.1)
    }
}

/// A run of five seconds; `longest` is the longest step \[s\].
fn run<F: Formulation + Copy>(
    form: F,
    place: V3<f64>,
    swing: Swing,
    settings: Settings,
    handle: &Handle<'_>,
) -> Result<Ran, BoxError> {
    const END: f64 = 5.0;
    let stopped = |fault: Fault| format!("the run stopped: {fault:?}");
    let x = form.state_at(&Pose::translation(place), Twist::zero()).map_err(stopped)?;
    let begin = Instant::now();
    let mut system = Driven::new(form, swing);
    let mut integrator = Dopri5::new(0.0, (x, [0.0; 2]), settings);
    let mut steps = Vec::new();
    while integrator.time() < END {
        handle.go_on()?;
        integrator.step(&mut system, END).map_err(|halt| format!("the run stopped: {halt:?}"))?;
        let (x, _) = integrator.state();
        let (mut q, mut rates) = ([0.0; 3], [0.0; 3]);
        form.joints(x, &mut q, &mut rates).map_err(stopped)?;
        steps.push((integrator.time(), q, form.loop_gap(x)));
    }
    let wall = begin.elapsed().as_secs_f64();
    let drift = steps.iter().fold(0.0, |m, step| Real::max(m, step.2));
    Ok(Ran { statistics: integrator.statistics(), drift, steps, wall })
}

fn tolerance(tolerance: f64) -> Settings {
    Settings::default().with_tolerance(tolerance)
}

fn swung(pole: f64, settings: Settings, handle: &Handle<'_>) -> Result<Ran, BoxError> {
    let (place, hold) = start(arm(), FRAC_PI_4);
    run(Constrained::<_, 9, 6>::new(Arms::<3>::regular(arm()), pole), place, Swing(hold), settings, handle)
}

pub(crate) fn drift(handle: &Handle<'_>) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    let names = [("relative tolerance", ""), ("loops' poles", "1/s"), ("drift", "µm"), ("evaluations", "")];
    let mut table = Table::new("Drift", names.map(|(name, unit)| Axis::new(name, unit)));
    let axes = (Axis::new("time", "ms"), Axis::new("log10 of the loop gap", "m"));
    let mut plot = Lines::new("Loop gap along the run", axes.0, axes.1);
    let mut found = Vec::new();
    for (pole, rtol, printed) in
        [(5.0, 1e-4, 15.0), (5.0, 1e-6, 0.028), (5.0, 1e-8, 1.3e-4), (0.0, 1e-4, 1.5e3), (0.0, 1e-6, 3.8)]
    {
        let ran = swung(pole, tolerance(rtol), handle)?;
        let drift = ran.drift * 1e6;
        let name = if pole > 0.0 { "stabilised" } else { "not stabilised" };
        // Steps are controlled otherwise there: within a factor of five.
        let what = format!("{name}, tolerance {rtol:e}: drift");
        findings.number(what, "µm", drift, Expected::size(printed, 5.0), Independent);
        let count = ran.statistics.evaluations.to_string();
        table = table.with_row([format!("{rtol:e}"), format!("{pole:.0}"), plain(drift), count]);
        let every = (ran.steps.len() / 400).max(1);
        let shown = || ran.steps.iter().step_by(every);
        let times: Vec<f64> = shown().map(|step| step.0 * 1e3).collect();
        let gaps: Vec<f64> = shown().map(|step| step.2.max(1e-17).log10()).collect();
        plot = plot.with_curve(format!("{name}, {rtol:e}"), &times, &gaps);
        if (pole, rtol) == (5.0, 1e-6) {
            findings.number("stabilised, tolerance 1e-6: drift", "µm", drift, Expected::AtMost(1.0), Paper);
            let angles = || ran.steps.iter().map(|step| step.1[0].to_degrees());
            let (low, high) = (angles().fold(f64::MAX, f64::min), angles().fold(f64::MIN, f64::max));
            findings.number("motor 1 swings from", "deg", low, Expected::printed("14"), Independent);
            findings.number("motor 1 swings to", "deg", high, Expected::printed("75"), Independent);
        }
        found.push(drift);
    }
    findings.claim("a smaller tolerance makes it smaller", found[0] > found[1] && found[1] > found[2], Paper);
    findings.claim("stabilisation makes it smaller", found[3] > found[0] && found[4] > found[1], Theory);
    findings.show(table);
    findings.show(plot);
    Ok(findings)
}

pub(crate) fn newton(handle: &Handle<'_>) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    let (place, hold) = start(arm(), FRAC_PI_4);
    let form = Constrained::<_, 9, 6>::new(Arms::<3>::regular(arm()), 5.0);
    let robot = ConstrainedDelta::symmetric(arm());
    let settings = NewtonSettings::default().with_tolerance(1e-7);
    let x = form.state_at(&Pose::translation(place), Twist::zero()).map_err(|fault| format!("{fault:?}"))?;
    let mut system = Driven::new(form, Swing(hold));
    let mut integrator = Dopri5::new(0.0, (x, [0.0; 2]), tolerance(1e-9));
    let mut samples = Vec::new();
    for k in 1..=5000 {
        handle.go_on()?;
        integrator.advance_to(&mut system, 1e-3 * f64::from(k)).map_err(|halt| format!("{halt:?}"))?;
        let (mut q, mut rates) = ([0.0; 3], [0.0; 3]);
        form.joints(&integrator.state().0, &mut q, &mut rates).map_err(|fault| format!("{fault:?}"))?;
        samples.push(q);
    }
    let z = -place.z;
    let first = robot.inverse_kinematics(V3::new(0.0, 0.0, z)).value;
    for every in [1, 5, 20] {
        let (mut angles, mut sum, mut most, mut count) = (first, 0.0, 0, 0.0);
        for q in samples.iter().skip(every - 1).step_by(every) {
            let found = robot.newton_forward_kinematics(V3::from(*q), angles, settings)?;
            angles = found.value;
            sum += f64::from(found.iterations);
            count += 1.0;
            most = most.max(found.iterations);
        }
        let what = format!("a sample every {every} ms: iterations");
        // "Two to three": what rounds to one of them.
        findings.number(format!("{what}, mean"), "", sum / count, Expected::Within(1.5, 3.5), Paper);
        findings.number(format!("{what}, most"), "", f64::from(most), Expected::AtMost(3.0), Paper);
    }
    Ok(findings)
}

pub(crate) fn cost(handle: &Handle<'_>) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    let delta = catalog::delta_bortoff_b();
    let arms = Arms::from(&delta);
    let (place, hold) = start(arms.arms[0], FRAC_PI_4);
    let constrained = Constrained::<_, 9, 6>::new(arms, 5.0);
    let minimal = DeltaMinimal::new(delta);
    let names = [("form", ""), ("tolerance", ""), ("evaluations", ""), ("each", "µs"), ("together", "ms")];
    let mut table = Table::new("Cost of five seconds", names.map(|(name, unit)| Axis::new(name, unit)));
    for rtol in [1e-6, 1e-8] {
        let long = run(constrained, place, Swing(hold), tolerance(rtol), handle)?;
        let short = run(minimal, place, Swing(hold), tolerance(rtol), handle)?;
        for (name, ran) in [("constrained, stabilised", &long), ("minimal, closed form", &short)] {
            let count = ran.statistics.evaluations as f64;
            let each = format!("{:.2}", ran.wall * 1e6 / count);
            let together = format!("{:.2}", ran.wall * 1e3);
            table = table.with_row([name.into(), format!("{rtol:e}"), format!("{count:.0}"), each, together]);
        }
        let factor = long.wall / short.wall;
        let what = format!("constrained over minimal, tolerance {rtol:e}: time");
        findings.number(what, "", factor, Expected::Open, Paper);
        let counts = long.statistics.evaluations as f64 / short.statistics.evaluations as f64;
        let what = format!("constrained over minimal, tolerance {rtol:e}: evaluations");
        // 1274 against 1034 there, with other coordinates: of the same size.
        findings.number(what, "", counts, Expected::size(1274.0 / 1034.0, 2.0), Independent);
    }
    let long = run(constrained, place, Swing(hold), tolerance(1e-9), handle)?.last();
    let short = run(minimal, place, Swing(hold), tolerance(1e-9), handle)?.last();
    let apart = long.iter().zip(short).fold(0.0, |m, (a, b)| Real::max(m, (a - b).abs()));
    // 2.8e-10 there: two runs with tolerance 1e-9 agree to some times that.
    findings.number(
        "motor angles of both after 5 s, tolerance 1e-9",
        "rad",
        apart,
        Expected::AtMost(1e-8),
        Independent,
    );
    findings.show(table);
    Ok(findings)
}
