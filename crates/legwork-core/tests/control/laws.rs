//! Every regulator against its formula, worked out from other formulations of the robot.

use crate::control_support::{PickAndPlace, reference};
use legwork_core::control::{
    AntiWindup, Command, Differences, FeedForward, Limits, Measured, Platform, Reference, Regulator,
    Settings, SettingsFault, rotation_vector,
};
use legwork_core::engine::{Pose, Twist};
use legwork_core::motion::Quaternion;
use legwork_core::robots::catalog;
use legwork_core::robots::delta::{Assembly, Delta, Forearm, to_constrained_frame};
use legwork_core::{Real, V3};
use legwork_testkit::{Seeded, nan_max, nan_min, relative_error};

const KP: [f64; 3] = [700.0, 650.0, 600.0];
const KD: [f64; 3] = [8.0, 7.0, 6.0];
const DT: f64 = 1e-3;

/// A moving reference, and a measurement near it.
fn sample(seed: u64) -> (Reference<f64, 3>, Measured<f64, 3>) {
    let delta = catalog::delta_direct_drive();
    let mut random = Seeded::new(seed);
    let platform = Platform {
        pose: Pose::translation(V3::from(random.triple(0.1)) + V3::along_z(-0.32)),
        twist: Twist::new(V3::from(random.triple(2.0)), V3::zero()),
        acceleration: Twist::new(V3::from(random.triple(50.0)), V3::zero()),
    };
    let reference = reference(&delta, &platform);
    let off = |list: [f64; 3], by: [f64; 3]| std::array::from_fn(|k| list[k] + by[k]);
    let measured = Measured {
        q: off(reference.q, random.triple(0.05)),
        qdot: Some(off(reference.qdot, random.triple(1.0))),
    };
    (reference, measured)
}

fn once(settings: Settings<f64, 3>, seed: u64) -> (Command<f64, 3>, Reference<f64, 3>, Measured<f64, 3>) {
    let (reference, measured) = sample(seed);
    let model = catalog::delta_direct_drive();
    let mut regulator = Regulator::new(model, settings, &reference).unwrap();
    (regulator.update(&reference, &measured, DT), reference, measured)
}

/// K_p e + K_d ė
fn pd(reference: &Reference<f64, 3>, measured: &Measured<f64, 3>) -> [f64; 3] {
    let qdot = measured.qdot.unwrap();
    std::array::from_fn(|k| KP[k] * (reference.q[k] - measured.q[k]) + KD[k] * (reference.qdot[k] - qdot[k]))
}

/// Torque from the energies alone, by dual numbers: no line in common with the model.
fn lagrange(delta: &Delta<f64>, q: [f64; 3], qdot: [f64; 3], qddot: [f64; 3]) -> V3<f64> {
    delta.lagrange_torque(V3::from(q), V3::from(qdot), V3::from(qddot), Assembly::Below)
}

/// A(q), column by column.
fn mass_times(delta: &Delta<f64>, q: [f64; 3], v: [f64; 3]) -> V3<f64> {
    lagrange(delta, q, [0.0; 3], v) - lagrange(delta, q, [0.0; 3], [0.0; 3])
}

fn plus(a: [f64; 3], b: V3<f64>) -> [f64; 3] {
    (V3::from(a) + b).to_array()
}

/// 1e-10: rounding of two formulations, times the condition of the posture.
fn assert_close(found: &[f64; 3], expected: &[f64; 3]) {
    let error = relative_error(found, expected);
    assert!(error < 1e-10, "{found:?} instead of {expected:?}: {error:.1e}");
}

#[test]
fn pd_with_bias() {
    for seed in 0..20 {
        let (command, r, m) = once(Settings::pd(KP, KD).with_bias([1.0, -2.0, 3.0]), seed);
        assert_close(&command.effort, &plus(pd(&r, &m), V3::new(1.0, -2.0, 3.0)));
        assert!(command.margin.is_infinite(), "no model was asked");
    }
}

#[test]
fn constant_inertia() {
    let (command, r, m) = once(Settings::pd(KP, KD).with_constant_inertia(0.045), 1);
    assert_close(&command.effort, &plus(pd(&r, &m), V3::from(r.qddot) * 0.045));
}

#[test]
fn full_model_complete_and_simplified() {
    for (seed, forearm) in [(2, Forearm::Exact), (3, Forearm::SIMPLIFIED)] {
        let model = catalog::delta_direct_drive().with_forearm(forearm);
        let (r, m) = sample(seed);
        let mut regulator = Regulator::new(model, Settings::pd(KP, KD).with_model(), &r).unwrap();
        let command = regulator.update(&r, &m, DT);
        assert_close(&command.effort, &plus(pd(&r, &m), lagrange(&model, r.q, r.qdot, r.qddot)));
    }
}

#[test]
fn gravity_compensation_is_that_of_the_constraint_form() {
    let (command, r, m) = once(Settings::pd(KP, KD).with_gravity(), 4);
    let delta = catalog::delta_direct_drive();
    let x = delta.linkage().forward_kinematics(V3::from(m.q), Assembly::Below).unwrap();
    let constrained = delta.to_constrained();
    let angles = constrained.inverse_kinematics(to_constrained_frame(x)).value;
    let held = constrained.gravity_compensation(angles).value.torque; // [B Hᵀ][u λ] = G
    assert_close(&command.effort, &plus(pd(&r, &m), held));
}

#[test]
fn mass_matrix_in_series() {
    let mean = 0.045;
    let (command, r, m) = once(Settings::pd(KP, KD).with_model().with_mass_matrix(mean), 5);
    let delta = catalog::delta_direct_drive();
    let weighted = mass_times(&delta, m.q, pd(&r, &m)) * (1.0 / mean);
    assert_close(&command.effort, &plus(lagrange(&delta, r.q, r.qdot, r.qddot).to_array(), weighted));
}

#[test]
fn computed_torque_is_the_inverse_dynamics_at_the_commanded_acceleration() {
    let (omega, zeta) = (60.0, 0.8);
    for seed in 0..20 {
        let (command, r, m) = once(Settings::computed_torque(omega, zeta), seed);
        let qdot = m.qdot.unwrap();
        let commanded = std::array::from_fn(|k| {
            r.qddot[k] + 2.0 * zeta * omega * (r.qdot[k] - qdot[k]) + omega * omega * (r.q[k] - m.q[k])
        });
        let expected = lagrange(&catalog::delta_direct_drive(), m.q, qdot, commanded);
        assert_close(&command.effort, &expected.to_array());
    }
}

#[test]
fn feedback_linearisation_gives_the_platform_the_commanded_acceleration() {
    let (omega, zeta) = (50.0, 1.0);
    let delta = catalog::delta_direct_drive();
    for seed in 0..20 {
        let (command, r, m) = once(Settings::platform(omega, zeta), seed);
        let posture = delta.linkage().posture_from(V3::from(m.q), Assembly::Below).unwrap();
        let (x, v) = (posture.position, posture.platform_velocity(V3::from(m.qdot.unwrap())));
        let p = &r.platform;
        let commanded = p.acceleration.linear
            + (p.twist.linear - v) * (2.0 * zeta * omega)
            + (p.pose.position - x) * (omega * omega);
        let found = delta.forward_dynamics(x, v, V3::from(command.effort), V3::zero()).unwrap().platform;
        assert_close(&found.to_array(), &commanded.to_array());
    }
}

#[test]
fn without_measured_speeds_errors_are_differenced() {
    let (r, m) = sample(6);
    let blind = Measured::angles(m.q);
    let later = Measured::angles([m.q[0] + 1e-3, m.q[1] - 2e-3, m.q[2]]);
    let mut regulator = Regulator::new(catalog::delta_direct_drive(), Settings::pd(KP, KD), &r).unwrap();
    let first = regulator.update(&r, &blind, DT);
    assert_close(&first.effort, &std::array::from_fn(|k| KP[k] * (r.q[k] - m.q[k])));
    let second = regulator.update(&r, &later, DT);
    let moved = [-1e-3, 2e-3, 0.0]; // e_k − e_{k−1}
    assert_close(
        &second.effort,
        &std::array::from_fn(|k| KP[k] * (r.q[k] - later.q[k]) + KD[k] * moved[k] / DT),
    );
}

#[test]
fn feedback_sees_the_reference_late_and_feed_forward_at_once() {
    let path = PickAndPlace::new(80.0);
    let delta = catalog::delta_direct_drive();
    let at = |k: usize| reference(&delta, &path.at(k as f64 * DT));
    for shift in [0, 1, 2, 15] {
        let settings = Settings::pd(KP, KD).with_model().with_shift(shift);
        let mut regulator = Regulator::new(delta, settings, &at(0)).unwrap();
        let still = Measured { q: at(0).q, qdot: Some([0.0; 3]) };
        for k in 0..40 {
            let command = regulator.update(&at(k), &still, DT);
            let (now, late) = (at(k), at(k.saturating_sub(shift)));
            let ahead = lagrange(&delta, now.q, now.qdot, now.qddot);
            assert_close(&command.effort, &plus(pd(&late, &still), ahead));
        }
    }
}

#[test]
fn integral_adds_up_the_error() {
    let (r, m) = sample(7);
    let settings = Settings::pid(KP, [40.0, 50.0, 60.0], KD, AntiWindup::Clamping);
    let mut regulator = Regulator::new(catalog::delta_direct_drive(), settings, &r).unwrap();
    let first = regulator.update(&r, &m, DT).effort;
    for _ in 0..99 {
        regulator.update(&r, &m, DT);
    }
    let last = regulator.update(&r, &m, DT).effort; // 100 samples have been added
    let ki = [40.0, 50.0, 60.0];
    let expected: [f64; 3] = std::array::from_fn(|k| first[k] + ki[k] * (r.q[k] - m.q[k]) * 100.0 * DT);
    assert_close(&last, &expected);
}

#[test]
fn differences_are_exact_for_constant_acceleration() {
    let turning = |t: f64| {
        // About a fixed axis by 0.3 t² + 0.1 t, along a parabola.
        let axis = V3::new(2.0, -1.0, 2.0) * (1.0 / 3.0);
        let (s, c) = (0.5 * (0.3 * t * t + 0.1 * t)).sin_cos();
        let rotation = Quaternion { scalar: c, vector: axis * s }.rotation();
        let pose = Pose::new(rotation, V3::new(0.2 * t * t, -0.4 * t, 0.5));
        Reference { q: [t * t - t], qdot: [f64::NAN], qddot: [f64::NAN], platform: Platform::rest(pose) }
    };
    let (t, h) = (0.7, 1e-2);
    let mut differences = Differences::new(&turning(t - h));
    differences.next(&turning(t), h);
    let found = differences.next(&turning(t + h), h);
    // 1e-11: rounding over h².
    assert!((found.qdot[0] - (2.0 * t - 1.0)).abs() < 1e-11 && (found.qddot[0] - 2.0).abs() < 1e-11);
    let spin = 0.6 * t + 0.1;
    let twist = [0.4 * t, -0.4, 0.0, spin * 2.0 / 3.0, -spin / 3.0, spin * 2.0 / 3.0];
    assert!(relative_error(&found.platform.twist.to_vector_linear_first(), &twist) < 1e-11);
    let acceleration = [0.4, 0.0, 0.0, 0.4, -0.2, 0.4];
    assert!(relative_error(&found.platform.acceleration.to_vector_linear_first(), &acceleration) < 1e-10);
}

#[test]
fn differences_come_near_the_exact_derivatives_of_the_papers_motion() {
    let path = PickAndPlace::new(80.0);
    let delta = catalog::delta_direct_drive();
    let mut differences = Differences::new(&reference(&delta, &path.at(0.0)));
    let (mut worst, mut peak) = (0.0_f64, 0.0_f64);
    for k in 0..150 {
        let found = differences.next(&reference(&delta, &path.at(f64::from(k + 1) * DT)), DT);
        let exact = reference(&delta, &path.at(f64::from(k) * DT));
        for i in 0..3 {
            worst = nan_max(worst, (found.qddot[i] - exact.qddot[i]).abs());
            peak = nan_max(peak, exact.qddot[i].abs());
        }
    }
    // h²/12 q⁗ with frequencies up to 2π/20 ms: 0.8 %. At the start the law has a corner in its jerk.
    assert!(worst < 0.01 * peak && worst > 1e-6 * peak, "{worst} of {peak}");
}

#[test]
fn rotation_vectors() {
    let mut random = Seeded::new(8);
    for _ in 0..200 {
        let axis = V3::from(random.triple(1.0));
        let axis = axis * axis.norm_sq().sqrt().recip();
        let angle = random.uniform(0.0, 3.1);
        let (s, c) = (0.5 * angle).sin_cos();
        let found = rotation_vector(Quaternion { scalar: c, vector: axis * s }.rotation());
        // 1e-13: rounding, times 1/sin θ at 3.1 rad (24).
        assert!((found - axis * angle).norm_sq().sqrt() < 1e-13, "{angle}");
    }
    assert_eq!(rotation_vector(Pose::<f64>::identity().rotation), V3::zero());
    let half_turn = Quaternion { scalar: 0.0_f64, vector: V3::new(0.0, 1.0, 0.0) }.rotation();
    assert!(rotation_vector(half_turn).norm_sq().is_finite());
}

#[test]
fn effort_and_its_rate_are_limited() {
    let (r, _) = sample(9);
    let m = Measured { q: [r.q[0] + 0.03, r.q[1] - 0.03, r.q[2] + 0.03], qdot: Some(r.qdot) };
    let free = pd(&r, &m); // about 20 N·m
    let settings = Settings::pd(KP, KD).with_limits(Limits { effort: [5.0, 4.0, 3.0], rate: [1000.0; 3] });
    let mut regulator = Regulator::new(catalog::delta_direct_drive(), settings, &r).unwrap();
    for k in 1..10 {
        let command = regulator.update(&r, &m, DT);
        for motor in 0..3 {
            let most = nan_min(f64::from(k), [5.0, 4.0, 3.0][motor]); // 1 N·m more each sample
            assert!((command.effort[motor] - most.copysign(free[motor])).abs() < 1e-12);
        }
        assert_eq!((command.limited(), command.wanted), ([true; 3], free));
    }
}

/// The integral after a second beyond the limit, and the effort wanted right after the error turned round.
fn wound(anti_windup: AntiWindup<f64>) -> (f64, f64) {
    let (r, _) = sample(10);
    let settings =
        Settings::pid([100.0; 3], [500.0; 3], [0.0; 3], anti_windup).with_limits(Limits::equal(5.0, 1e9));
    let mut regulator = Regulator::new(catalog::delta_direct_drive(), settings, &r).unwrap();
    let at = |error: f64| Measured { q: r.q.map(|q| q - error), qdot: Some([0.0; 3]) };
    for _ in 0..1000 {
        regulator.update(&r, &at(0.1), DT); // K_p e is twice the limit
    }
    let integral = regulator.integral()[0];
    (integral, regulator.update(&r, &at(-0.01), DT).wanted[0])
}

#[test]
fn anti_windup() {
    let (open, turned) = wound(AntiWindup::BackCalculation { time: f64::INFINITY });
    assert!((open - 50.0).abs() < 1e-9 && turned > 48.0, "no way back: {open}, {turned}");
    let (clamped, turned) = wound(AntiWindup::Clamping);
    assert!(clamped == 0.0 && turned < 0.0, "the integral stood: {clamped}, {turned}");
    // İ = K_i e + (5 − 10 − I)/T_t = 0 at I = 50 T_t − 5.
    let (led, turned) = wound(AntiWindup::BackCalculation { time: 0.02 });
    assert!((led + 4.0).abs() < 1e-6 && turned < 0.0, "led back: {led}, {turned}");
}

#[test]
fn single_precision_follows_double() {
    let path = PickAndPlace::new(80.0);
    let delta = catalog::delta_direct_drive();
    let single = delta.cast::<f32>();
    let narrow = |list: [f64; 3]| list.map(f32::from_f64);
    let narrowed = |r: &Reference<f64, 3>| Reference {
        q: narrow(r.q),
        qdot: narrow(r.qdot),
        qddot: narrow(r.qddot),
        platform: Platform {
            pose: r.platform.pose.map(f32::from_f64),
            twist: Twist::new(r.platform.twist.linear.map(f32::from_f64), V3::zero()),
            acceleration: Twist::new(r.platform.acceleration.linear.map(f32::from_f64), V3::zero()),
        },
    };
    let start = reference(&delta, &path.at(0.0));
    let all = |kp: f64| {
        [
            Settings::pd([kp; 3], KD).with_model().with_shift(2),
            Settings::pd([kp; 3], KD).with_gravity(),
            Settings::pd([kp; 3], KD).with_model().with_mass_matrix(0.045),
            Settings::computed_torque(60.0, 0.7),
            Settings::platform(60.0, 0.7),
        ]
    };
    let all_single = |kp: f32| {
        let kd = narrow(KD);
        [
            Settings::pd([kp; 3], kd).with_model().with_shift(2),
            Settings::pd([kp; 3], kd).with_gravity(),
            Settings::pd([kp; 3], kd).with_model().with_mass_matrix(0.045),
            Settings::computed_torque(60.0, 0.7),
            Settings::platform(60.0, 0.7),
        ]
    };
    for (wide, small) in all(700.0).into_iter().zip(all_single(700.0)) {
        let mut wide = Regulator::new(delta, wide, &start).unwrap();
        let mut small = Regulator::new(single, small, &narrowed(&start)).unwrap();
        let (mut worst, mut peak) = (0.0_f64, 0.0_f64);
        for k in 0..150 {
            let r = reference(&delta, &path.at(f64::from(k) * DT));
            let q = r.q.map(|q| q + 0.01);
            let m = Measured { q, qdot: Some(r.qdot) };
            let m32 = Measured { q: narrow(q), qdot: Some(narrow(r.qdot)) };
            let (a, b) = (wide.update(&r, &m, DT), small.update(&narrowed(&r), &m32, f32::from_f64(DT)));
            for i in 0..3 {
                worst = nan_max(worst, (a.effort[i] - f64::from(b.effort[i])).abs());
                peak = nan_max(peak, a.effort[i].abs());
            }
        }
        // 6e-8 of rounding in angles of 1 rad times a gain of 700 over 10 N·m: 4e-6; ten such terms.
        assert!(worst < 5e-5 * peak, "{worst} of {peak}");
    }
}

#[test]
fn bad_settings_are_named() {
    let (r, _) = sample(11);
    let model = catalog::delta_direct_drive();
    let error = |settings: Settings<f64, 3>| Regulator::new(model, settings, &r).unwrap_err();
    let found = error(Settings::pd([1.0, f64::NAN, 1.0], KD));
    assert_eq!((found.field, found.motor), ("gains.proportional", Some(1)));
    assert_eq!(found.to_string(), "`gains.proportional` of motor 2 is NaN; give a finite number");
    assert_eq!(
        error(Settings::pd(KP, KD).with_shift(16)).fault,
        SettingsFault::TooLarge { value: 16.0, most: 15.0 }
    );
    for (settings, field) in [
        (Settings::pd(KP, [-1.0; 3]), "gains.derivative"),
        (Settings::pd(KP, KD).with_bias([f64::INFINITY; 3]), "bias"),
        (Settings::pd(KP, KD).with_mass_matrix(0.0), "weight.mean"),
        (Settings::pd(KP, KD).with_constant_inertia(f64::NAN), "feed_forward.inertia"),
        (Settings::pd(KP, KD).with_limits(Limits::equal(0.0, 1.0)), "limits.effort"),
        (Settings::pd(KP, KD).with_limits(Limits::equal(1.0, f64::NAN)), "limits.rate"),
        (Settings::platform(f64::NAN, 1.0), "platform.position"),
        (Settings::pid(KP, KD, KD, AntiWindup::BackCalculation { time: -1.0 }), "gains.anti_windup.time"),
    ] {
        assert_eq!(error(settings).field, field);
    }
    // A law at the platform has no other feed-forward.
    let platform = Settings::<f64, 3>::platform(10.0, 1.0);
    assert_eq!(platform.with_feed_forward(FeedForward::Gravity), platform);
}

fn diagonal(list: [f64; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { list[i] } else { 0.0 }))
}

/// To the bit: the matrices add zeros.
#[test]
fn state_feedback_with_diagonal_gains_is_pd() {
    let inertia = FeedForward::ConstantInertia([0.02; 3]);
    let ahead =
        [FeedForward::None, inertia, FeedForward::Model, FeedForward::Gravity, FeedForward::Linearising];
    let limits = Limits { effort: [20.0; 3], ..Limits::none() };
    for (seed, ahead) in (0..20).flat_map(|seed| ahead.map(|ahead| (seed, ahead))) {
        let dressed = |settings: Settings<f64, 3>| {
            once(settings.with_feed_forward(ahead).with_bias([1.0, -2.0, 3.0]).with_limits(limits), seed).0
        };
        let state = dressed(Settings::state_feedback(diagonal(KP), diagonal(KD)));
        assert_eq!(state, dressed(Settings::pd(KP, KD)), "{ahead:?}");
    }
}

/// Row by row, on the torque that holds the reference, from the energies.
#[test]
fn state_feedback_couples_the_motors() {
    let delta = catalog::delta_direct_drive();
    let position = [[700.0, -40.0, 30.0], [20.0, 650.0, -10.0], [5.0, 60.0, -600.0]];
    let velocity = [[8.0, 0.5, -0.2], [0.1, 7.0, 0.3], [-0.4, 0.6, 6.0]];
    for seed in 0..20 {
        let (command, r, m) = once(Settings::state_feedback(position, velocity), seed);
        let rate = m.qdot.unwrap();
        let expected: [f64; 3] = std::array::from_fn(|i| {
            (0..3).map(|j| position[i][j] * (r.q[j] - m.q[j]) + velocity[i][j] * (r.qdot[j] - rate[j])).sum()
        });
        assert_close(&command.effort, &plus(expected, lagrange(&delta, r.q, [0.0; 3], [0.0; 3])));
    }
    let (settings, r) = (Settings::state_feedback(position, velocity), sample(1).0);
    assert_eq!(settings.with_mass_matrix(0.02), settings);
    // Late feedback: the first samples still see the start.
    let mut late = Regulator::new(delta, settings.with_shift(2), &r).unwrap();
    let moved = sample(2).0;
    let command = late.update(&moved, &Measured { q: r.q, qdot: Some([0.0; 3]) }, DT);
    assert_eq!(command.error, [0.0; 3]);
}

#[test]
fn state_feedback_refuses_gains_that_are_no_numbers() {
    let (delta, start) = (catalog::delta_direct_drive(), sample(0).0);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for (field, place) in [("state.position", 0), ("state.velocity", 1)] {
            let mut gains = [diagonal(KP), diagonal(KD)];
            gains[place][2][0] = bad;
            let refused =
                Regulator::new(delta, Settings::state_feedback(gains[0], gains[1]), &start).unwrap_err();
            assert_eq!((refused.field, refused.motor), (field, Some(2)));
            assert!(matches!(refused.fault, SettingsFault::NotFinite { .. }));
        }
    }
}

/// A(q)/Ī (K_p e + K_d ė): gains and Ī a number of times larger are the same law, with the linearising feed-forward
/// (one call of the inverse dynamics) as with a weight alone.
#[test]
fn gains_and_mean_inertia_scale_together() {
    for feed_forward in [FeedForward::Linearising, FeedForward::None] {
        let law = |times: f64| {
            let [kp, kd] = [KP, KD].map(|gains| gains.map(|gain| gain * times));
            Settings::pd(kp, kd).with_mass_matrix(0.02 * times).with_feed_forward(feed_forward)
        };
        for seed in 0..20 {
            let [one, three] = [1.0, 3.0].map(|times| once(law(times), seed).0.effort);
            // 1e-12: rounding of the gains.
            assert!(relative_error(&three, &one) < 1e-12, "{three:?} {one:?}");
        }
    }
}
