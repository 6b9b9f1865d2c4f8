//! What a supervised regulator remembers, taken over by another one in the middle of a motion: the same future to the bit, also
//! after every kind of fault.

use crate::control_support::watched::*;
use crate::control_support::{PickAndPlace, reference};
use legwork_core::control::{
    AntiWindup, Fault, Measured, Reference, Regulator, SafeCommand, Settings, Supervisor,
};
use legwork_core::robots::catalog;

fn made(settings: Settings<f64, 3>, safe: SafeCommand<f64, 3>, from: f64) -> Watched<f64> {
    let delta = catalog::delta_direct_drive();
    let start = reference(&delta, &PickAndPlace::new(20.0).at(from));
    Supervisor::new(Regulator::new(delta, settings, &start).unwrap(), guard(safe), &start).unwrap()
}

fn written(it: &mut Watched<f64>) -> Vec<f64> {
    let mut memory = Vec::new();
    it.visit_memory(&mut |number| memory.push(*number));
    memory
}

fn read(it: &mut Watched<f64>, memory: &[f64]) {
    let mut numbers = memory.iter();
    it.visit_memory(&mut |slot| *slot = *numbers.next().expect("as many numbers"));
    assert_eq!(numbers.next(), None);
}

/// What is measured at a sample: near the reference, a little off.
fn sample(k: u32) -> (Reference<f64, 3>, Measured<f64, 3>) {
    let delta = catalog::delta_direct_drive();
    let wanted = reference(&delta, &PickAndPlace::new(20.0).at(f64::from(k) * DT));
    let off = 1e-3 * f64::from(k).sin();
    (wanted, Measured::angles(wanted.q.map(|q| q + off)))
}

fn bits(list: &[f64]) -> Vec<u64> {
    list.iter().map(|x| x.to_bits()).collect()
}

/// Goes on for some samples with both and compares what they command.
fn same_future(one: &mut Watched<f64>, other: &mut Watched<f64>, from: u32) {
    for k in from..from + 60 {
        let (wanted, seen) = sample(k);
        let (a, b) = (one.update(&wanted, Some(&seen), DT), other.update(&wanted, Some(&seen), DT));
        assert_eq!(bits(&a.effort), bits(&b.effort), "sample {k}");
        assert_eq!(format!("{:?}", a.fault), format!("{:?}", b.fault), "sample {k}"); // NaN is not equal to itself
    }
    assert_eq!(bits(&written(one)), bits(&written(other)));
}

#[test]
fn another_regulator_goes_on_to_the_bit() {
    let pid = Settings::pid([700.0; 3], [900.0; 3], [7.8; 3], AntiWindup::Clamping);
    let laws = [
        settings::<f64>(),
        settings::<f64>().with_differences(),
        pid,
        Settings::computed_torque(120.0, 0.7),
        Settings::platform(120.0, 0.7),
    ];
    for law in laws {
        let mut one = made(law, brake(), 0.0);
        for k in 0..37 {
            let (wanted, seen) = sample(k);
            assert_eq!(one.update(&wanted, Some(&seen), DT).fault, None, "sample {k}");
        }
        // The other one has begun elsewhere, and has seen something else.
        let mut other = made(law, brake(), 0.02);
        let (wanted, seen) = sample(20);
        other.update(&wanted, Some(&seen), DT);
        assert_ne!(bits(&written(&mut one)), bits(&written(&mut other)));
        let memory = written(&mut one);
        read(&mut other, &memory);
        same_future(&mut one, &mut other, 37);
    }
}

/// Spoils a sample; gives the time since the last one.
type Spoil = fn(&mut Reference<f64, 3>, &mut Measured<f64, 3>) -> f64;

#[test]
fn faults_are_taken_over() {
    let bad: [(&str, Spoil); 9] = [
        ("not finite", |_, m| {
            m.q[1] = f64::NAN;
            DT
        }),
        ("speed", |_, m| {
            m.qdot = Some([0.0, 0.0, 99.0]);
            DT
        }),
        ("out of range", |_, m| {
            m.q[0] = 1.7;
            DT
        }),
        ("jump", |_, m| {
            m.q[2] += 0.05;
            DT
        }),
        ("interval", |_, _| -1.0),
        ("reference not finite", |r, _| {
            r.platform.twist.angular.z = f64::INFINITY;
            DT
        }),
        ("reference out of range", |r, _| {
            r.q[2] = -1.3;
            DT
        }),
        ("unreachable", |r, _| {
            r.platform.pose.position.z = -0.9;
            DT
        }),
        ("disagrees", |r, _| {
            r.q[0] += 0.01;
            DT
        }),
    ];
    for safe in [brake(), hold(), SafeCommand::RampDown { time: RAMP }] {
        for (name, spoil) in bad {
            let mut one = made(settings(), safe, 0.0);
            for k in 0..20 {
                let (wanted, seen) = sample(k);
                one.update(&wanted, Some(&seen), DT);
            }
            let (mut wanted, mut seen) = sample(20);
            let dt = spoil(&mut wanted, &mut seen);
            assert!(one.update(&wanted, Some(&seen), dt).fault.is_some(), "{name}");
            let mut other = made(settings(), safe, 0.0);
            let memory = written(&mut one);
            read(&mut other, &memory);
            assert_eq!(format!("{:?}", other.fault()), format!("{:?}", one.fault()), "{name}");
            same_future(&mut one, &mut other, 21);
        }
        let mut one = made(settings(), safe, 0.0);
        let (wanted, _) = sample(0);
        one.update(&wanted, None, DT);
        let mut other = made(settings(), safe, 0.0);
        let memory = written(&mut one);
        read(&mut other, &memory);
        assert_eq!(other.fault(), Some(Fault::LostSample));
    }
}

#[test]
fn numbers_that_are_no_memory_do_not_panic() {
    for nonsense in [f64::NAN, f64::INFINITY, -7.5, 1e300] {
        let mut it = made(settings(), brake(), 0.0);
        it.visit_memory(&mut |slot| *slot = nonsense);
        let (wanted, seen) = sample(3);
        it.update(&wanted, Some(&seen), DT);
        // Words about a fault of nonsense are words, too.
        assert!(it.fault().is_none_or(|fault| !fault.to_string().is_empty()));
    }
}
