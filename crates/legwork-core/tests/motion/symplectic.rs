//! RATTLE: second order, reversible, loops closed, no trend in the energy.

use crate::motion_support::{arm, run, symmetric_start};
use legwork_core::V3;
use legwork_core::engine::{Pose, Twist};
use legwork_core::integrate::Settings;
use legwork_core::motion::{Arms, Fault, Formulation, Hamiltonian, Load};
use legwork_testkit::nan_max;
use std::f64::consts::FRAC_PI_4;

type Momenta = Hamiltonian<Arms<3>, 9, 6>;
type State = ([f64; 9], [f64; 9]);

/// The robot of set B without friction, under torques that hold it, away from where they do.
fn swinging() -> (Momenta, State, [f64; 3]) {
    let part =
        legwork_core::robots::delta::constrained::ArmParameters { damping: V3::zero(), ..arm("bortoff_B") };
    let (start, hold) = symmetric_start(part, FRAC_PI_4);
    let form = Momenta::new(Arms::regular(part));
    let pose = Pose::translation(start + V3::new(0.02, -0.03, 0.01));
    let state = form.state_at(&pose, Twist::zero()).unwrap();
    (form, state, [hold; 3])
}

fn walk(
    form: &Momenta,
    start: State,
    effort: &[f64; 3],
    h: f64,
    steps: usize,
    mut see: impl FnMut(&State),
) -> State {
    let (mut x, mut lambda) = (start, [0.0; 6]);
    for _ in 0..steps {
        let step = form.rattle_step(&x, &lambda, &Load::of_motors(effort), h).unwrap();
        x = (step.configuration, step.momentum);
        lambda = step.multipliers;
        see(&x);
    }
    x
}

fn position(form: &Momenta, x: &State) -> V3<f64> {
    form.platform(x).0.position
}

#[test]
fn rattle_is_of_second_order_and_meets_the_other_integrators() {
    let (form, start, effort) = swinging();
    let exact = run(form, start, effort, 0.5, Settings::default().with_tolerance(1e-12)).unwrap().position();
    let error = |steps: usize| {
        let x = walk(&form, start, &effort, 0.5 / steps as f64, steps, |_| ());
        (position(&form, &x) - exact).norm_sq().sqrt()
    };
    let (coarse, fine) = (error(250), error(500));
    println!("errors {coarse:e}, {fine:e}");
    assert!(((coarse / fine).log2() - 2.0).abs() < 0.02, "order {}", (coarse / fine).log2());
    assert!(fine < 1e-5);
}

#[test]
fn rattle_closes_the_loops_and_is_reversible() {
    let (form, start, effort) = swinging();
    let mut gap = 0.0_f64;
    let (mut q, p) = walk(&form, start, &effort, 2e-3, 100, |x| gap = nan_max(gap, form.loop_gap(x)));
    assert!(gap < 1e-14, "{gap:e} m"); // a few roundings of lengths of a third of a metre
    let (back, _) = walk(&form, (q, p.map(|p| -p)), &effort, 2e-3, 100, |_| ());
    q = start.0;
    let off = legwork_testkit::gap(back, q);
    assert!(off < 1e-12, "{off:e} rad"); // two hundred steps of rounding
}

/// Mean energy of the first and of the last tenth, and the largest swing in between, over the largest kinetic energy.
fn trend(seconds: usize, h: f64) -> (f64, f64) {
    let (form, start, effort) = swinging();
    let energy = |x: &State| {
        let (mut q, mut qdot) = ([0.0; 3], [0.0; 3]);
        form.joints(x, &mut q, &mut qdot).unwrap();
        let e = form.energy(x);
        (e.total() - effort.iter().zip(q).map(|(u, q)| u * q).sum::<f64>(), e.kinetic)
    };
    let reference = energy(&start).0;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let steps = (seconds as f64 / h).round() as usize;
    let (mut count, mut first, mut last, mut swing, mut kinetic) = (0, 0.0, 0.0, 0.0_f64, 0.0_f64);
    walk(&form, start, &effort, h, steps, |x| {
        let (e, k) = energy(x);
        let off = e - reference;
        (swing, kinetic) = (nan_max(swing, off.abs()), nan_max(kinetic, k));
        if count < steps / 10 {
            first += off;
        } else if count >= steps - steps / 10 {
            last += off;
        }
        count += 1;
    });
    let tenth = (steps / 10) as f64;
    let (trend, swing) = ((last - first) / tenth / kinetic, swing / kinetic);
    println!(
        "{seconds} s at {h} s: trend {trend:.1e}, swing {swing:.1e} of the kinetic energy {kinetic:.2} J"
    );
    (trend, swing)
}

#[test]
fn the_energy_shows_no_trend() {
    let (trend, swing) = trend(20, 4e-3);
    // The swing is the error of the method, h²; a trend would be the same order each period.
    // 0.1: a tenth of the run is not a whole number of periods.
    assert!(swing < 1e-2 && trend.abs() < 0.1 * swing, "trend {trend:e}, swing {swing:e}");
}

/// A thousand seconds: `cargo test --release -- --ignored`.
#[test]
#[ignore = "a quarter of a million steps: for release builds"]
fn the_energy_shows_no_trend_over_a_thousand_seconds() {
    let (trend, swing) = trend(1000, 4e-3);
    assert!(swing < 1e-2 && trend.abs() < 0.01 * swing, "trend {trend:e}, swing {swing:e}");
}

/// A step longer than the robot's fastest motion is refused, not made.
#[test]
fn too_long_a_step_is_told() {
    let (form, start, effort) = swinging();
    let far = form.rattle_step(&start, &[0.0; 6], &Load::of_motors(&effort), 5.0);
    assert!(matches!(far, Err(Fault::NoConvergence { .. } | Fault::Singular { .. })), "{far:?}");
}
