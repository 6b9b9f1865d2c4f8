//! Closed loops: the errors obey the equation that the law promises, poses are held, poles are where theory
//! puts them.

use crate::control_support::{PickAndPlace, Plant, reference};
use crate::engine_support;
use crate::motion_support;
use legwork_core::V3;
use legwork_core::control::{Measured, Platform, Reference, Regulator, Settings};
use legwork_core::engine::{Hexapod, Pose, Twist};
use legwork_core::integrate::{System, rk4_step};
use legwork_core::motion::{Fault, Formulation, Load, Minimal, Quaternion};
use legwork_core::robots::delta::constrained::{ArmParameters, Baumgarte, ConstrainedDelta};
use legwork_core::robots::delta::{Assembly, Delta, Geometry, Inertia, Linkage, Motor, to_constrained_frame};
use legwork_core::robots::{catalog, gough_stewart};
use legwork_testkit::{golden, largest};

/// e and ė at a time of ë + 2ζω ė + ω² e = 0, ζ = 1: (e₀ + (v₀ + ω e₀) t) e^{−ωt}
fn critically_damped(omega: f64, start: f64, rate: f64, t: f64) -> f64 {
    (start + (rate + omega * start) * t) * (-omega * t).exp()
}

/// A Delta under a regulator that is asked at every stage of the integrator: no hold, no lag.
struct Continuous<'a> {
    regulator: Regulator<Delta<f64>, f64, 3>,
    delta: Delta<f64>,
    path: &'a PickAndPlace,
}

impl System<f64> for Continuous<'_> {
    type State = [f64; 6];
    type Stop = std::convert::Infallible;

    fn derivative(&mut self, t: f64, &[x, y, z, u, v, w]: &[f64; 6]) -> Result<[f64; 6], Self::Stop> {
        let (x, v) = (V3::new(x, y, z), V3::new(u, v, w));
        let posture = self.delta.linkage().posture_at(x).value;
        let (q, qdot) = (posture.angles().to_array(), posture.joint_velocity(v).to_array());
        let wanted = reference(&self.delta, &self.path.at(t));
        let command = self.regulator.update(&wanted, &Measured { q, qdot: Some(qdot) }, 1e-3);
        let a = self.delta.acceleration(&posture, v, V3::from(command.effort), V3::zero()).value.platform;
        Ok([v.x, v.y, v.z, a.x, a.y, a.z])
    }
}

/// Runs the pick-and-place motion from a wrong start; calls `judge` with time, position, velocity.
fn follow(settings: Settings<f64, 3>, judge: impl Fn(f64, V3<f64>, &PickAndPlace)) {
    let path = PickAndPlace::new(80.0);
    let delta = catalog::delta_direct_drive();
    let regulator = Regulator::new(delta, settings, &reference(&delta, &path.at(0.0))).unwrap();
    let start = path.at(0.0).pose.position + V3::new(0.010, -0.020, 0.005);
    let mut x = [start.x, start.y, start.z, 0.0, 0.0, 0.0];
    let mut system = Continuous { regulator, delta, path: &path };
    let h = 2.5e-4;
    for k in 0..800 {
        let t = f64::from(k) * h;
        x = rk4_step(&mut system, t, &x, h).unwrap();
        judge(t + h, V3::new(x[0], x[1], x[2]), &path);
    }
}

#[test]
fn feedback_linearisation_makes_the_platform_follow_its_target_model() {
    let omega = 40.0;
    follow(Settings::platform(omega, 1.0), |t, x, path| {
        let error = path.at(t).pose.position - x;
        let target = V3::new(-0.010, 0.020, -0.005).map(|e| critically_damped(omega, e, 0.0, t));
        // 1e-6 m: RK4 with 0.25 ms.
        assert!((error - target).norm_sq().sqrt() < 1e-6, "{t}: {error:?} {target:?}");
    });
}

#[test]
fn computed_torque_gives_the_motors_their_target_error() {
    let omega = 40.0;
    let delta = catalog::delta_direct_drive();
    let angles = |x| delta.linkage().inverse_kinematics(x).unwrap();
    let start = PickAndPlace::new(80.0).at(0.0).pose.position;
    let first = angles(start) - angles(start + V3::new(0.010, -0.020, 0.005));
    follow(Settings::computed_torque(omega, 1.0), |t, x, path| {
        let error = angles(path.at(t).pose.position) - angles(x);
        let target = first.map(|e| critically_damped(omega, e, 0.0, t));
        // 1e-6 rad: RK4 with 0.25 ms.
        assert!((error - target).norm_sq().sqrt() < 1e-6, "{t}: {error:?} {target:?}");
    });
}

/// A hexapod under computed torque in platform space.
struct Turning<'a> {
    hexapod: Hexapod<f64>,
    regulator: Regulator<&'a Hexapod<f64>, f64, 6>,
    wanted: Reference<f64, 6>,
}

impl System<f64> for Turning<'_> {
    type State = (([f64; 3], [f64; 4]), [f64; 6]);
    type Stop = Fault;

    fn derivative(&mut self, _t: f64, x: &Self::State) -> Result<Self::State, Fault> {
        let form = Minimal { mechanism: self.hexapod.mechanism() };
        let (mut q, mut qdot) = ([0.0; 6], [0.0; 6]);
        form.joints(x, &mut q, &mut qdot)?;
        let command = self.regulator.update(&self.wanted, &Measured { q, qdot: Some(qdot) }, 1e-3);
        assert!(command.margin > 0.0, "{}", command.margin);
        Ok(form.rate(x, &Load::of_motors(&command.effort))?.state)
    }
}

#[test]
fn computed_torque_turns_a_hexapod_along_its_target_error() {
    let parameters: gough_stewart::Parameters<f64> = engine_support::gough(&golden("gough_stewart.json"));
    let hexapod = parameters.hexapod();
    let (omega, axis) = (20.0, V3::new(2.0, -1.0, 2.0) * (1.0 / 3.0));
    let turned = |angle: f64, z: f64| {
        let (s, c) = (0.5 * angle).sin_cos();
        Pose::new(Quaternion { scalar: c, vector: axis * s }.rotation(), V3::new(0.0, 0.0, z))
    };
    let wanted = Reference::at(&hexapod, &Platform::rest(turned(0.1, 0.9))).value;
    let start = turned(-0.15, 0.88);
    let at = Reference::at(&hexapod, &Platform::rest(start)).value;
    let regulator = Regulator::new(&hexapod, Settings::platform(omega, 1.0), &at).unwrap();
    let form = Minimal { mechanism: hexapod.mechanism() };
    let mut x = form.state_at(&start, Twist::zero()).unwrap();
    let mut system = Turning { hexapod, regulator, wanted };
    let h = 1e-3;
    for k in 0..200 {
        let t = f64::from(k) * h;
        x = rk4_step(&mut system, t, &x, h).unwrap();
        let (pose, _) = form.platform(&x);
        let target = turned(
            0.1 - critically_damped(omega, 0.25, 0.0, t + h),
            0.9 - critically_damped(omega, 0.02, 0.0, t + h),
        );
        let off = pose.rotation - target.rotation;
        let turn = off.0.x.norm_sq() + off.0.y.norm_sq() + off.0.z.norm_sq();
        // 1e-6 rad and m: RK4 with 1 ms.
        assert!(turn.sqrt() < 1e-6 && (pose.position - target.position).norm_sq().sqrt() < 1e-6, "{t}");
    }
}

#[test]
fn gravity_compensation_with_pd_holds_every_pose_of_a_grid() {
    let delta = catalog::delta_direct_drive();
    let mut poses = 0;
    for i in 0..5 {
        for j in 0..5 {
            for z in [-0.25, -0.32, -0.40] {
                let at = V3::new(-0.16 + 0.08 * f64::from(i), -0.16 + 0.08 * f64::from(j), z);
                let start = reference(&delta, &Platform::rest(Pose::translation(at)));
                let settings = Settings::pd([120.0; 3], [3.0; 3]).with_gravity();
                let mut regulator = Regulator::new(delta, settings, &start).unwrap();
                // 10 mm beside the pose and on the move.
                let mut plant = Plant::at_rest(&delta, at + V3::new(0.008, -0.006, 0.0), 2e-3);
                plant.state[3] = 0.3;
                for _ in 0..400 {
                    let command = regulator.update(&start, &plant.angles(), 1e-3);
                    plant.hold(V3::from(command.effort), 1e-3, 1);
                }
                // The slowest pole is near −12/s: e^{−12·0.4} of 10 mm is 0.08 mm; half a millimetre is held.
                let off = (plant.position() - at).norm_sq().sqrt();
                assert!(off < 5e-4, "{at:?}: {off}");
                poses += 1;
            }
        }
    }
    assert_eq!(poses, 75);
}

type Square<const N: usize> = [[f64; N]; N];

fn product<const N: usize>(a: &Square<N>, b: &Square<N>) -> Square<N> {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..N).map(|k| a[i][k] * b[k][j]).sum()))
}

/// e^{A t} with t = 2^doublings seconds: Taylor on a small step, then squared.
fn exponential(a: &Square<6>, doublings: i32) -> Square<6> {
    let small = 2.0_f64.powi(-12);
    let unit: Square<6> = std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    let (mut sum, mut term) = (unit, unit);
    for k in 1..12 {
        term = product(&term, a).map(|row| row.map(|x| x * small / f64::from(k)));
        for (row, more) in sum.iter_mut().zip(term) {
            for (x, y) in row.iter_mut().zip(more) {
                *x += y;
            }
        }
    }
    for _ in 0..12 + doublings {
        sum = product(&sum, &sum);
    }
    sum
}

/// Bortoff's set B as a Delta of the closed form, without friction.
fn delta_of(arm: &ArmParameters<f64>) -> Delta<f64> {
    let geometry = Geometry {
        base_radius: arm.base_offset,
        platform_radius: 0.0,
        arm: arm.upper,
        forearm: arm.lower,
        azimuth: Geometry::regular_azimuth(),
    };
    let inertia = Inertia {
        platform: 3.0 * arm.tip_mass,
        payload: 0.0,
        arm: arm.upper_mass,
        arm_centre: arm.upper_centre,
        arm_inertia: arm.upper_inertia,
        elbow: 0.0,
        forearm: arm.lower_mass,
        forearm_centre: arm.lower_centre,
        forearm_inertia: arm.lower_inertia,
        gravity: -arm.gravity, // along z, which points down there
    };
    Delta::new(Linkage::new(geometry).unwrap(), inertia, Motor::ideal()).unwrap()
}

/// The closed loop of a regulator and Bortoff's nine-angle robot, linearised at rest with all motors at `angle`
/// by central differences: d/dt (q, q̇) = A (q, q̇).
fn linearised(settings: Settings<f64, 3>, angle: f64) -> Square<6> {
    let arm = motion_support::arm("bortoff_B");
    let delta = delta_of(&arm);
    // Legs in our order, every joint damped.
    let robot = ConstrainedDelta { arms: V3::splat(arm), ..delta.to_constrained() };
    let start = delta.linkage().forward_kinematics(V3::splat(angle), Assembly::Below).unwrap();
    let hold = reference(&delta, &Platform::rest(Pose::translation(start)));
    let acceleration = |state: [f64; 6]| {
        let [a, b, c, d, e, f] = state;
        let (q, qdot) = ([a, b, c], [d, e, f]);
        let mut regulator = Regulator::new(delta, settings, &hold).unwrap();
        let command = regulator.update(&hold, &Measured { q, qdot: Some(qdot) }, 1e-3);
        let x = delta.linkage().forward_kinematics(V3::from(q), Assembly::Below).unwrap();
        let angles = robot.inverse_kinematics(to_constrained_frame(x)).value;
        let rates = robot.velocities_from_motors(angles, V3::from(qdot)).value;
        let found = robot.accelerations(angles, rates, V3::from(command.effort), Baumgarte::none()).value;
        found.accelerations.map(|arm| arm.x).to_array()
    };
    let mut a = [[0.0; 6]; 6];
    for k in 0..6 {
        let shifted = |by: f64| {
            let mut state = [angle, angle, angle, 0.0, 0.0, 0.0];
            state[k] += by;
            acceleration(state)
        };
        let (up, down) = (shifted(1e-5), shifted(-1e-5));
        for i in 0..3 {
            a[i][k] = f64::from(u8::from(k == i + 3));
            a[i + 3][k] = (up[i] - down[i]) / 2e-5;
        }
    }
    a
}

#[test]
fn gravity_compensation_alone_leaves_three_poles_at_zero() {
    let a = linearised(Settings::pd([0.0; 3], [0.0; 3]).with_gravity(), 17.0_f64.to_radians());
    let stiffness = largest(a[3..].iter().flat_map(|row| &row[..3]));
    // 1e-6: rounding over the step of 1e-5; without compensation it is about 30.
    assert!(stiffness < 1e-6, "{stiffness}");
    // The other three by symmetry: one with all motors, two with them against each other.
    let (vertical, lateral) = (a[3][3] + a[3][4] + a[3][5], a[3][3] - a[3][4]);
    // Printed with two digits at "17°".
    assert!((vertical + 0.96).abs() < 0.01 && (lateral + 1.47).abs() < 0.01, "{vertical} {lateral}");
    // After 32 s only the poles at zero are left: the trace of e^{At} counts them.
    let late = exponential(&a, 5);
    let trace: f64 = (0..6).map(|i| late[i][i]).sum();
    assert!((trace - 3.0).abs() < 1e-3, "{trace}");
}

#[test]
fn with_pd_the_poles_are_stable_where_the_robot_alone_is_not() {
    for angle in [0.0_f64, 17.0, 45.0] {
        let settings = Settings::pd([5.0; 3], [0.3; 3]).with_gravity();
        let held = exponential(&linearised(settings, angle.to_radians()), 4);
        let left = largest(held.iter().flatten());
        assert!(left < 1e-6, "{angle}: {left}"); // after 16 s
    }
    // At 0° the robot under constant torque falls [Bortoff2018, Fig. 5]: a pole at +5.2.
    let delta = delta_of(&motion_support::arm("bortoff_B"));
    let flat = delta.linkage().posture_from(V3::zero(), Assembly::Below).unwrap();
    let settings = Settings::pd([0.0; 3], [0.0; 3]).with_bias(delta.gravity_torque(&flat).to_array());
    let alone = linearised(settings, 0.0);
    let size = |doublings| largest(exponential(&alone, doublings).iter().flatten());
    let growth = (size(2) / size(1)).ln() / 2.0; // from 2 s to 4 s
    assert!((growth - 5.2).abs() < 0.02, "{growth}"); // printed with two digits
}
