//! Bad samples, one by one: the fault names the motor and the numbers, the safe command is the stated one.

use crate::control_support::watched::*;
use crate::control_support::{PickAndPlace, Plant, reference};
use legwork_core::V3;
use legwork_core::control::{
    Command, Fault, Guard, Limits, Measured, Model, Reference, Regulate, Regulator, SafeCommand, Settings,
    Supervisor,
};
use legwork_core::robots::catalog;
use legwork_core::robots::delta::{Delta, Geometry, Inertia, Linkage, Motor};
use legwork_testkit::nan_max;

/// The fault that a sample right after a good one leads to.
fn answer(
    reference: impl Fn(&mut Reference<f64, 3>),
    measured: impl Fn(&mut Measured<f64, 3>),
    dt: f64,
) -> Fault {
    let delta = catalog::delta_direct_drive();
    let start = still(&delta, HOME);
    let mut it = watched(SafeCommand::Zero, &start);
    let (mut r, mut m) = (start, Measured { q: start.q, qdot: Some([0.0; 3]) });
    let good = it.update(&r, Some(&m), DT);
    assert_eq!((good.fault, it.fault()), (None, None));
    assert!(good.effort.iter().all(|u| *u < 0.0), "holds its weight");
    reference(&mut r);
    measured(&mut m);
    let command = it.update(&r, Some(&m), dt);
    assert_eq!(command.effort, [0.0; 3]);
    assert_eq!(format!("{:?}", command.fault), format!("{:?}", it.fault())); // NaN is not equal to itself
    command.fault.expect("a fault")
}

/// The largest difference.
fn worst(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).fold(0.0, |m, (a, b)| nan_max(m, (a - b).abs()))
}

#[test]
fn measurements() {
    let q = still(&catalog::delta_direct_drive(), HOME).q;
    let of = |change: &dyn Fn(&mut Measured<f64, 3>)| answer(|_| {}, change, DT);
    assert!(matches!(of(&|m| m.q[1] = f64::NAN), Fault::NotFinite { motor: 1, value } if value.is_nan()));
    let infinite = of(&|m| m.q[2] = f64::INFINITY);
    assert_eq!(infinite, Fault::NotFinite { motor: 2, value: f64::INFINITY });
    assert_eq!(infinite.to_string(), "motor 3: measured inf");
    let (low, high) = RANGE;
    assert_eq!(of(&|m| m.q[0] = 1.7), Fault::OutOfRange { motor: 0, value: 1.7, low, high });
    let most = SPEED * DT;
    assert_eq!(of(&|m| m.q[1] += 0.05), Fault::Jump { motor: 1, from: q[1], to: q[1] + 0.05, most });
    let fast = of(&|m| m.qdot = Some([0.0, 0.0, -31.0]));
    assert_eq!(fast, Fault::Speed { motor: 2, value: -31.0, most: SPEED });
    assert_eq!(fast.to_string(), "motor 3: measured speed -31.0000 rad or m/s, at most 30.0000 is possible");
    assert!(matches!(of(&|m| m.qdot = Some([0.0, f64::NAN, 0.0])), Fault::Speed { motor: 1, .. }));
    assert!(of(&|m| m.q[1] = f64::NAN).is_of_measurement());
}

#[test]
fn references() {
    let of = |change: &dyn Fn(&mut Reference<f64, 3>)| answer(change, |_| {}, DT);
    assert!(matches!(
        of(&|r| r.qddot[1] = f64::NAN),
        Fault::ReferenceNotFinite { what: "joint accelerations", component: 1, .. }
    ));
    assert!(matches!(
        of(&|r| r.platform.twist.angular.z = f64::INFINITY),
        Fault::ReferenceNotFinite { what: "twist", component: 5, .. }
    ));
    assert!(matches!(of(&|r| r.q[2] = -1.3), Fault::ReferenceOutOfRange { motor: 2, .. }));
    let far = of(&|r| r.platform.pose.position.z = -0.9);
    assert!(matches!(far, Fault::Unreachable { margin, .. } if margin < 0.0), "{far}");
    // Motors that were worked out from such a platform are no numbers; the reason is the same.
    let far = of(&|r| *r = still(&catalog::delta_direct_drive(), V3::new(0.0, 0.0, -5.0)));
    assert!(matches!(far, Fault::Unreachable { margin, .. } if margin.is_nan() || margin <= 0.0), "{far}");
    assert!(matches!(of(&|r| r.q[0] += 0.01), Fault::ReferenceDisagrees { motor: 0, .. }));
    let delta = catalog::delta_direct_drive();
    let elsewhere = still(&delta, HOME + V3::new(0.1, 0.0, 0.0));
    // The feedback sees it two samples later.
    let mut it = watched(SafeCommand::Zero, &still(&delta, HOME));
    let m = Measured::angles(still(&delta, HOME).q);
    assert_eq!(it.update(&elsewhere, Some(&m), DT).fault, None);
    assert_eq!(it.update(&elsewhere, Some(&m), DT).fault, None);
    let late = it.update(&elsewhere, Some(&m), DT).fault.unwrap();
    assert!(matches!(late, Fault::Tracking { error, most, .. } if error.abs() > most), "{late}");
    assert!(!late.is_of_measurement());
}

#[test]
fn clock_and_lost_samples() {
    for dt in [0.0, -DT, f64::NAN, f64::INFINITY, 0.006] {
        assert!(matches!(answer(|_| {}, |_| {}, dt), Fault::Interval { .. }), "{dt}");
    }
    let delta = catalog::delta_direct_drive();
    let start = still(&delta, HOME);
    let mut it = watched(SafeCommand::Zero, &start);
    assert_eq!(it.update(&start, None, DT).fault, Some(Fault::LostSample));
}

#[test]
fn latched_until_reset() {
    let delta = catalog::delta_direct_drive();
    let start = still(&delta, HOME);
    let mut it = watched(SafeCommand::Zero, &start);
    let good = Measured::angles(start.q);
    let before = it.update(&start, Some(&good), DT).effort;
    it.update(&start, None, DT);
    for _ in 0..10 {
        let command = it.update(&start, Some(&good), DT);
        assert_eq!((command.effort, command.fault), ([0.0; 3], Some(Fault::LostSample)));
    }
    it.reset(&start);
    let after = it.update(&start, Some(&good), DT);
    assert_eq!((after.effort, after.fault), (before, None));
}

#[test]
fn ramp_down_is_linear() {
    let delta = catalog::delta_direct_drive();
    let start = still(&delta, HOME);
    let mut it = watched(SafeCommand::RampDown { time: RAMP }, &start);
    let from = it.update(&start, Some(&Measured::angles(start.q)), DT).effort;
    for k in 1..40 {
        let command = it.update(&start, None, DT);
        let left = (1.0 - f64::from(k) * DT / RAMP).max(0.0);
        assert!(worst(command.effort, from.map(|from| from * left)) < 1e-12);
    }
}

/// The robot on its way, a bad reference half-way; the last platform speed and how far it still went.
fn stopped(safe: SafeCommand<f64, 3>, spoil: bool) -> (f64, f64, V3<f64>) {
    let path = PickAndPlace::new(20.0);
    let delta = catalog::delta_direct_drive();
    let start = reference(&delta, &path.at(0.0));
    let mut it = watched(safe, &start);
    let mut plant = Plant::at_rest(&delta, path.at(0.0).pose.position, 2e-3);
    let middle = 0.5 * path.duration;
    let mut left_at = plant.position();
    for k in 0..1200 {
        let t = f64::from(k) * DT;
        let mut wanted = reference(&delta, &path.at(t));
        let measured = plant.angles();
        let mut seen = Some(&measured);
        if t >= middle {
            wanted.qdot[1] = f64::NAN;
            if spoil {
                seen = None;
            }
        }
        let command = it.update(&wanted, seen, DT);
        if command.fault.is_none() {
            left_at = plant.position();
        }
        plant.hold(V3::from(command.effort), DT, 1);
        if t > middle + 0.3 {
            break;
        }
    }
    assert!(it.fault().is_some());
    let way = (plant.position() - left_at).norm_sq().sqrt();
    (plant.velocity().norm_sq().sqrt(), way, left_at)
}

#[test]
fn hold_brings_the_robot_back_to_where_the_fault_came() {
    let (speed, way, _) = stopped(hold(), false);
    // The slowest pole is near −15/s: 0.3 s leave e^{−4.5} of the 1.6 m/s and of the 50 mm of overshoot.
    assert!(speed < 0.03 && way < 1.5e-3, "{speed} {way}");
}

/// From 2 m/s in 80 ms: the platform goes on for 80 mm in its direction and stands, whether its sensors are there or not.
#[test]
fn braking_brings_the_robot_to_rest_with_and_without_sensors() {
    let (speed, way, _) = stopped(brake(), false);
    assert!(speed < 1e-6 && way > 0.06 && way < 0.09, "{speed} {way}");
    // Without them the motors do what the model says, and what lag and error were left over is not corrected.
    let (speed, way, _) = stopped(brake(), true);
    assert!(speed < 0.15 && way > 0.04 && way < 0.12, "{speed} {way}");
}

/// Two readings may each be off by the encoder's step: 30 rad/s are 0.03 rad in a sample.
#[test]
fn a_jump_is_more_than_speed_and_readings_allow() {
    let delta = catalog::delta_direct_drive();
    let start = still(&delta, HOME);
    let jump = |reading: f64, by: f64| {
        let guard = Guard { reading: [reading; 3], ..guard(hold()) };
        let regulator = Regulator::new(delta, settings(), &start).unwrap();
        let mut it = Supervisor::new(regulator, guard, &start).unwrap();
        it.update(&start, Some(&Measured::angles(start.q)), DT);
        let mut q = start.q;
        q[1] += by;
        it.update(&start, Some(&Measured::angles(q)), DT).fault
    };
    assert!(jump(0.0, 0.0301).is_some() && jump(0.002, 0.0301).is_none() && jump(0.002, 0.0339).is_none());
    let fault = jump(0.002, 0.0341).unwrap();
    assert!(matches!(fault, Fault::Jump { motor: 1, most, .. } if (most - 0.034).abs() < 1e-12), "{fault}");
}

#[test]
fn hold_without_measurement_gives_the_last_good_weight() {
    let delta = catalog::delta_direct_drive();
    let start = still(&delta, HOME);
    let mut it = watched(hold(), &start);
    it.update(&start, Some(&Measured::angles(start.q)), DT);
    let expected = delta.gravity(&start.platform.pose).value;
    let moved = Measured::angles(start.q.map(|q| q + 0.01));
    it.update(&start, None, DT);
    // A measurement that comes back is not trusted: the joint may have been renumbered meanwhile.
    for seen in [None, Some(&moved), None] {
        let command = it.update(&start, seen, DT);
        assert!(worst(command.effort, expected) < 1e-10, "{:?}", command.effort);
    }
}

#[test]
fn hold_feeds_back_while_the_measurement_is_good() {
    let delta = catalog::delta_direct_drive();
    let start = still(&delta, HOME);
    let mut it = watched(hold(), &start);
    it.update(&start, Some(&Measured::angles(start.q)), DT);
    let weight = delta.gravity(&start.platform.pose).value;
    let mut bad = start;
    bad.q[0] = f64::NAN;
    let moved = Measured { q: start.q.map(|q| q + 0.01), qdot: Some([0.5; 3]) };
    let command = it.update(&bad, Some(&moved), DT);
    assert!(worst(command.effort, weight.map(|g| g - HOLD_KP * 0.01 - HOLD_KD * 0.5)) < 1e-9);
}

/// A regulator of one's own that gives whatever it is told to.
struct Broken {
    model: Delta<f64>,
    limits: Limits<f64, 3>,
    effort: [f64; 3],
}

impl Regulate<f64, 3> for Broken {
    type Model = Delta<f64>;

    fn update(&mut self, _: &Reference<f64, 3>, _: &Measured<f64, 3>, _: f64) -> Command<f64, 3> {
        Command { effort: self.effort, wanted: self.effort, error: [0.0; 3], margin: 1.0, fault: None }
    }
    fn restart(&mut self, _: &Reference<f64, 3>, _: &[f64; 3]) {}
    fn model(&self) -> &Delta<f64> {
        &self.model
    }
    fn limits(&self) -> &Limits<f64, 3> {
        &self.limits
    }
}

#[test]
fn nothing_but_finite_numbers_leaves_even_from_broken_parts() {
    let model = catalog::delta_direct_drive();
    let start = still(&model, HOME);
    let good = Measured::angles(start.q.map(|q| q + 0.02)); // an error for the gains below
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for safe in [SafeCommand::Zero, SafeCommand::RampDown { time: 0.0 }, hold()] {
            for limits in [Limits::none(), Limits::equal(f64::NAN, f64::NAN), Limits::equal(10.0, 1e3)] {
                let broken = Broken { model, limits, effort: [0.0, value, 0.0] };
                let mut it = Supervisor::new(broken, guard(safe), &start).unwrap();
                for _ in 0..3 {
                    let command = it.update(&start, Some(&good), DT);
                    assert!(all_finite(&command), "{command:?}");
                    assert!(matches!(command.fault, Some(Fault::Effort { motor: 1, .. })));
                }
            }
        }
    }
    // A robot without usable masses, and gains that overflow.
    let nowhere = Geometry { arm: f64::NAN, ..*model.linkage().geometry() };
    let masses = Inertia { platform: f64::NAN, ..*model.inertia() };
    for (linkage, inertia) in [(*model.linkage(), masses), (Linkage::unchecked(nowhere), *model.inertia())] {
        let sick = Delta::unchecked(linkage, inertia, Motor::ideal());
        for law in [settings(), Settings::computed_torque(1e154, 1.0), Settings::platform(1e154, 1.0)] {
            let mut alone = Regulator::new(sick, law, &start).unwrap();
            let mut it = Supervisor::new(alone, guard(hold()), &start).unwrap();
            for _ in 0..3 {
                assert!(all_finite(&alone.update(&start, &good, DT)));
                let command = it.update(&start, Some(&good), DT);
                assert!(all_finite(&command) && command.fault.is_some());
            }
        }
    }
}

#[test]
fn bad_guards_are_named() {
    let start = still(&catalog::delta_direct_drive(), HOME);
    let error = |guard: Guard<f64, 3>| {
        let regulator = Regulator::new(catalog::delta_direct_drive(), settings(), &start).unwrap();
        Supervisor::new(regulator, guard, &start).unwrap_err()
    };
    let fine = guard(hold());
    let crossed = error(Guard { low: [-1.0, 2.0, -1.0], ..fine });
    assert_eq!(crossed.to_string(), "`guard.low` of motor 2 is from 2 to 1.6; the first has to be smaller");
    for (guard, field) in [
        (Guard { speed: [1.0, f64::NAN, 1.0], ..fine }, "guard.speed"),
        (Guard { tracking: [0.0; 3], ..fine }, "guard.tracking"),
        (Guard { interval: f64::INFINITY, ..fine }, "guard.interval"),
        (Guard { safe: SafeCommand::RampDown { time: f64::NAN }, ..fine }, "guard.safe.time"),
    ] {
        assert_eq!(error(guard).field, field);
    }
}
