//! Random bad samples by the million: each is answered as stated, and never with a number that is not finite.

use crate::control_support::watched::*;
use legwork_core::V3;
use legwork_core::control::{Command, Fault, Measured, Model, Number, Reference, SafeCommand};
use legwork_core::robots::catalog;
use legwork_core::robots::delta::Delta;
use legwork_testkit::Seeded;

/// What a fault of each kind has to be answered with.
#[derive(Clone, Copy, Debug)]
enum Injected {
    NotFinite,
    OutOfRange,
    Jump,
    Lost,
    Speed,
    ReferenceNotFinite,
    Unreachable,
    Disagrees,
    ReferenceOutOfRange,
    Clock,
    /// Random bits in place of any number: a fault or a good number, but never a bad answer.
    Bits,
    /// Finite and far beyond anything.
    Huge,
}

const KINDS: [Injected; 12] = [
    Injected::NotFinite,
    Injected::OutOfRange,
    Injected::Jump,
    Injected::Lost,
    Injected::Speed,
    Injected::ReferenceNotFinite,
    Injected::Unreachable,
    Injected::Disagrees,
    Injected::ReferenceOutOfRange,
    Injected::Clock,
    Injected::Bits,
    Injected::Huge,
];

impl Injected {
    fn is_answered_by(self, fault: Option<Fault>) -> bool {
        let Some(fault) = fault else { return matches!(self, Self::Bits | Self::Huge) };
        match self {
            Self::NotFinite => matches!(fault, Fault::NotFinite { .. }),
            Self::OutOfRange => matches!(fault, Fault::OutOfRange { .. }),
            Self::Jump => matches!(fault, Fault::Jump { .. }),
            Self::Lost => matches!(fault, Fault::LostSample),
            Self::Speed => matches!(fault, Fault::Speed { .. }),
            Self::ReferenceNotFinite => matches!(fault, Fault::ReferenceNotFinite { .. }),
            Self::Unreachable => matches!(fault, Fault::Unreachable { .. }),
            Self::Disagrees => matches!(fault, Fault::ReferenceDisagrees { .. }),
            Self::ReferenceOutOfRange => matches!(fault, Fault::ReferenceOutOfRange { .. }),
            Self::Clock => matches!(fault, Fault::Interval { .. }),
            Self::Bits | Self::Huge => true,
        }
    }
}

struct Sample<T> {
    reference: Reference<T, 3>,
    measured: Option<Measured<T, 3>>,
    dt: T,
}

fn whole(random: &mut Seeded, below: usize) -> usize {
    let place = random.uniform(0.0, below as f64);
    (1..below).filter(|k| *k as f64 <= place).count()
}

fn not_finite(random: &mut Seeded) -> f64 {
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -f64::NAN][whole(random, 4)]
}

/// One number of a reference.
fn entry<T>(r: &mut Reference<T, 3>, place: usize) -> &mut T {
    let p = &mut r.platform;
    let k = place % 3;
    match place / 3 {
        0 => &mut r.q[k],
        1 => &mut r.qdot[k],
        2 => &mut r.qddot[k],
        3 => component(&mut p.pose.position, k),
        4 => component(&mut p.twist.linear, k),
        5 => component(&mut p.twist.angular, k),
        6 => component(&mut p.acceleration.linear, k),
        7 => component(&mut p.acceleration.angular, k),
        8 => component(&mut p.pose.rotation.0.x, k),
        9 => component(&mut p.pose.rotation.0.y, k),
        _ => component(&mut p.pose.rotation.0.z, k),
    }
}

fn component<T>(v: &mut V3<T>, k: usize) -> &mut T {
    match k {
        0 => &mut v.x,
        1 => &mut v.y,
        _ => &mut v.z,
    }
}

const ENTRIES: usize = 33;

/// Spoils a good sample.
fn inject<T: Number>(kind: Injected, sample: &mut Sample<T>, random: &mut Seeded) {
    let motor = whole(random, 3);
    let any = whole(random, ENTRIES);
    let side = if random.uniform(0.0, 1.0) < 0.5 { -1.0 } else { 1.0 };
    let r = &mut sample.reference;
    let Some(m) = sample.measured.as_mut() else { return };
    match kind {
        Injected::NotFinite => m.q[motor] = number(not_finite(random)),
        Injected::OutOfRange => {
            let beyond = random.uniform(1e-3, 1e3);
            m.q[motor] = number(if side < 0.0 { RANGE.0 - beyond } else { RANGE.1 + beyond });
        }
        Injected::Jump => {
            let far = random.uniform(1.5, 4.0) * SPEED * DT;
            m.q[motor] = m.q[motor] + number(side * far);
        }
        Injected::Lost => sample.measured = None,
        Injected::Speed => {
            let bad = [not_finite(random), side * random.uniform(SPEED * 1.01, 1e6)][whole(random, 2)];
            m.qdot = Some([T::zero(); 3]);
            if let Some(qdot) = &mut m.qdot {
                qdot[motor] = number(bad);
            }
        }
        Injected::ReferenceNotFinite => *entry(r, any) = number(not_finite(random)),
        Injected::Unreachable => {
            *component(&mut r.platform.pose.position, motor) = number(side * random.uniform(0.9, 1e4));
        }
        Injected::Disagrees => r.q[motor] = r.q[motor] + number(side * random.uniform(0.002, 0.1)),
        Injected::ReferenceOutOfRange => r.q[motor] = number(RANGE.1 + random.uniform(1e-3, 10.0)),
        Injected::Clock => {
            let bad = [not_finite(random), 0.0, -random.uniform(0.0, 1.0), random.uniform(0.0051, 1e9)];
            sample.dt = number(bad[whole(random, 4)]);
        }
        Injected::Bits => {
            let half = |random: &mut Seeded| random.uniform(0.0, 1.0).to_bits() << 20 >> 32;
            let value = f64::from_bits(half(random) << 32 | half(random));
            match whole(random, 3) {
                0 => m.q[motor] = number(value),
                1 => *entry(r, any) = number(value),
                _ => sample.dt = number(value),
            }
        }
        Injected::Huge => *entry(r, 6 + whole(random, ENTRIES - 6)) = number(side * 1e30),
    }
}

/// Injects `count` faults; every answer is looked at, and some samples of rubbish after it. Gives how many of each kind
/// were answered as stated.
fn endure<T: Number>(count: usize, seed: u64, safe: SafeCommand<T, 3>) -> [usize; KINDS.len()] {
    let mut answered = [0; KINDS.len()];
    let delta = catalog::delta_direct_drive().cast::<T>();
    let mut random = Seeded::new(seed);
    let mut it = watched(safe, &still(&delta, HOME));
    for k in 0..count {
        let kind = KINDS[k % KINDS.len()];
        let at = V3::from(random.triple(0.05)) + V3::along_z(-0.32);
        let start = still(&delta, at);
        it.reset(&start);
        let good = || Sample {
            reference: start,
            measured: Some(Measured { q: start.q, qdot: None }),
            dt: number(DT),
        };
        let before = good();
        let calm = it.update(&before.reference, before.measured.as_ref(), before.dt);
        assert!(calm.fault.is_none() && all_finite(&calm), "seed {seed}, {k}: {calm:?}");
        let mut bad = good();
        inject(kind, &mut bad, &mut random);
        let command = it.update(&bad.reference, bad.measured.as_ref(), bad.dt);
        assert!(all_finite(&command), "seed {seed}, {k}, {kind:?}: {command:?}");
        assert!(kind.is_answered_by(command.fault), "seed {seed}, {k}, {kind:?}: {:?}", command.fault);
        assert_eq!(command.fault.is_some(), it.fault().is_some());
        answered[k % KINDS.len()] += 1;
        let Some(fault) = command.fault else { continue };
        check_safe(&delta, &safe, &fault, &command, (calm.effort, bad.dt.into()), &start);
        for _ in 0..2 {
            let mut rubbish = good();
            inject(KINDS[whole(&mut random, KINDS.len())], &mut rubbish, &mut random);
            let later = it.update(&rubbish.reference, rubbish.measured.as_ref(), rubbish.dt);
            assert!(all_finite(&later) && later.fault.is_some(), "seed {seed}, {k}: {later:?}");
        }
    }
    answered
}

/// The first safe command, as stated.
fn check_safe<T: Number>(
    delta: &Delta<T>,
    safe: &SafeCommand<T, 3>,
    fault: &Fault,
    command: &Command<T, 3>,
    (from, dt): ([T; 3], f64),
    start: &Reference<T, 3>,
) {
    let weight = delta.gravity(&start.platform.pose).value;
    for motor in 0..3 {
        let found: f64 = command.effort[motor].into();
        let from: f64 = from[motor].into();
        let held: f64 = weight[motor].into();
        match safe {
            SafeCommand::Zero => assert_eq!(found, 0.0),
            SafeCommand::RampDown { .. } => {
                // One sample of it has gone, or the longest one if the clock is in doubt.
                let gone = if matches!(fault, Fault::Interval { .. }) { 5.0 * DT } else { dt };
                let left = 1.0 - gone / RAMP;
                assert!((found - from * left).abs() < 1e-12 * from.abs(), "{fault}: {found} of {from}");
            }
            // The robot stands where it should: its weight, whether the measurement is trusted or not.
            // 1e-3: forward kinematics in f32.
            SafeCommand::Hold { .. } | SafeCommand::Brake { .. } => {
                assert!((found - held).abs() < 1e-3 * held.abs() + 1e-6, "{fault}");
            }
        }
    }
}

/// How many faults, and of how many kinds, were answered as stated.
fn endure_all(count: usize) -> (usize, usize) {
    let rounds = [
        endure::<f64>(count / 8, 1, hold()),
        endure::<f64>(count / 8, 5, brake()),
        endure::<f64>(count / 4, 2, SafeCommand::RampDown { time: RAMP }),
        endure::<f64>(count / 4, 3, SafeCommand::Zero),
        endure::<f32>(count / 8, 4, hold()),
        endure::<f32>(count - 2 * (count / 4) - 3 * (count / 8), 6, brake()),
    ];
    let of_kind = |kind: usize| rounds.iter().map(|answered| answered[kind]).sum::<usize>();
    let kinds = (0..KINDS.len()).filter(|kind| of_kind(*kind) > 0).count();
    ((0..KINDS.len()).map(of_kind).sum(), kinds)
}

#[test]
fn injected_faults() {
    assert_eq!(endure_all(20_000), (20_000, KINDS.len()));
}

/// `cargo test -p legwork-core --test control_injection -- --ignored`
#[test]
#[ignore = "half a minute; ci.sh runs it"]
fn a_million_injected_faults() {
    let (answered, kinds) = endure_all(1_000_000);
    assert_eq!((answered, kinds), (1_000_000, KINDS.len()));
    println!("figure control: {answered} faults of {kinds} kinds, each answered as stated");
}

#[test]
fn every_number_of_a_reference_is_looked_at() {
    let delta = catalog::delta_direct_drive();
    let start = still(&delta, HOME);
    for place in 0..ENTRIES {
        let mut it = watched(SafeCommand::Zero, &start);
        let mut bad = start;
        *entry(&mut bad, place) = f64::NAN;
        let fault = it.update(&bad, Some(&Measured::angles(start.q)), DT).fault;
        assert!(matches!(fault, Some(Fault::ReferenceNotFinite { .. })), "{place}: {fault:?}");
    }
}
