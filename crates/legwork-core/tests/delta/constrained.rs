//! The Delta as three constrained arms (Bortoff): derivatives, second routes,
//! and numbers from outside.

use crate::delta_support::{Random, numbers};
use legwork_core::linalg::solve_qr;
use legwork_core::robots::delta::constrained::{
    Angles, ArmParameters, Baumgarte, ConstrainedDelta, NewtonError, Settings,
};
use legwork_core::{Dual, M3, Real, V3};
use legwork_testkit::{Worst, gap, largest};
use serde_json::Value;

const SEED: u64 = 0x0D17_A0B0;
const STATES: usize = 200;

/// One value for each arm.
fn each<V>(mut value: impl FnMut() -> V) -> V3<V> {
    V3::new((), (), ()).map(|()| value())
}

/// Angles away from sin φ₂ = 0, arms not meeting.
fn open(random: &mut Random) -> Angles<f64> {
    each(|| V3::new(random.within(-0.6, 1.2), random.within(1.6, 2.9), random.within(-0.5, 0.5)))
}

/// A robot whose arms differ: every parameter off by up to ±10 %, each arm in a gravity of its own.
fn robot(random: &mut Random) -> ConstrainedDelta<f64> {
    let [_, (_, arm), _] = golden_robots();
    ConstrainedDelta::new(each(|| {
        let other = arm.map(|x| if x == 0.0 { x } else { x * random.within(0.9, 1.1) });
        // Of the same size in another direction, that of arm lengths and masses: no two alike.
        let towards = V3::new(other.lower_mass - 0.231, other.upper - 0.196, other.lower - 0.35);
        let scale = (other.gravity.norm_sq() / towards.norm_sq()).sqrt();
        ArmParameters { gravity: towards * scale, ..other }
    }))
}

/// Such a robot closed at a platform point, its angles and motor velocities.
fn closed(random: &mut Random) -> (ConstrainedDelta<f64>, V3<f64>, Angles<f64>, V3<f64>) {
    let robot = robot(random);
    let w = V3::new(random.within(-0.12, 0.12), random.within(-0.12, 0.12), random.within(0.25, 0.38));
    let angles = robot.inverse_kinematics(w);
    assert!(angles.is_valid(), "{w:?} is within reach");
    (robot, w, angles.value, random.vector(3.0))
}

/// M v̇ + C + G + D∘v
fn left_side(robot: &ConstrainedDelta<f64>, q: Angles<f64>, v: Angles<f64>, a: Angles<f64>) -> Angles<f64> {
    robot.poses(q).zip(v.zip(a, |v, a| (v, a)), |arm, (v, a)| arm.mass_matrix() * a + arm.bias(v))
}

fn flat(v: Angles<f64>) -> Vec<f64> {
    v.map(V3::to_array).to_array().concat()
}

type D1 = Dual<f64, 1>;

/// x(t) with x(0) = `x`, ẋ(0) = `rate`.
fn moving(x: Angles<f64>, rate: Angles<f64>) -> Angles<D1> {
    x.zip(rate, |x, rate| x.zip(rate, |re, eps| Dual { re, eps: [eps] }))
}

fn golden_robots() -> [(Value, ArmParameters<f64>); 3] {
    let all: Value = serde_json::from_str(include_str!("../golden/spec_bortoff.json")).unwrap();
    ["bortoff_A", "bortoff_B", "bortoff_C"].map(|key| {
        let p = |name: &str| all[key]["params"][name].as_f64().unwrap();
        let damping: [f64; 3] = numbers(&all[key]["params"]["D"]).try_into().unwrap();
        let arm = ArmParameters {
            base_offset: p("L0") - p("L3"),
            upper: p("L1"),
            lower: p("L2"),
            upper_centre: p("LC1"),
            lower_centre: p("LC2"),
            upper_mass: p("M1"),
            lower_mass: p("M2"),
            tip_mass: p("M3"),
            upper_inertia: p("J1"),
            lower_inertia: p("J2"),
            damping: damping.into(),
            gravity: V3::along_z(p("g")),
        };
        (all[key].clone(), arm)
    })
}

fn nine(value: &Value) -> Angles<f64> {
    let [a, b, c, d, e, f, g, h, i] = numbers(value).try_into().unwrap();
    V3::new(V3::new(a, b, c), V3::new(d, e, f), V3::new(g, h, i))
}

// ---- derivatives ----

#[test]
fn tip_jacobian_closure_and_their_rates_are_derivatives() {
    let mut random = Random::new(SEED);
    let (mut tip, mut closure, mut bias) = (Worst::of("dψ"), Worst::of("H"), Worst::of("Ḣv"));
    for _ in 0..STATES {
        let (robot, q, v) = (robot(&mut random), open(&mut random), each(|| random.vector(4.0)));
        // dψ
        let arm = robot.arms.y.map(D3::constant);
        let phi = V3::new(Dual::variable(q.y.x, 0), Dual::variable(q.y.y, 1), Dual::variable(q.y.z, 2));
        let exact = arm.at(phi).tip().map(|d: D3| d.eps).to_array().concat();
        tip.see(gap(robot.arms.y.at(q.y).tip_jacobian().to_rows().concat(), exact));
        // H
        let mut k = 0;
        let q9 = q.map(|arm| arm.map(|x| (k += 1, Dual::<f64, 9>::variable(x, k - 1)).1));
        let h = robot.map(Dual::constant).closure_residual(q9).to_array();
        closure.see(gap(robot.closure_jacobian(q).concat(), h.iter().flat_map(|d| d.eps)));
        // H v and Ḣ v in time, v constant
        let qt = moving(q, v);
        let still = v.map(|v| v.map(D1::constant));
        let d = robot.map(D1::constant);
        let hv = d.closure_rate(qt, still).to_array();
        bias.see(gap(robot.closure_bias(q, v).to_array(), hv.map(|d| d.eps[0])));
        let hdot = d.closure_residual(qt).to_array();
        bias.see(gap(robot.closure_rate(q, v).to_array(), hdot.map(|d| d.eps[0])));
    }
    tip.below(1e-15); // a few roundings of numbers below 0.5
    closure.below(1e-15); // as dψ, then one rotation
    bias.below(1e-13); // lengths times v² = 16, sums of six
}

type D3 = Dual<f64, 3>;
type Second = Dual<Dual<f64, 1>, 6>;

/// Lagrangian from mass points \[Bortoff2018, Eq. 1–6\], M3 undivided: the
/// positions only, velocities by a dual number in time.
fn lagrangian<T: Real>(p: &ArmParameters<T>, phi: V3<T>, v: V3<T>) -> T {
    let t = phi.zip(v, |re, eps| Dual { re, eps: [eps] });
    let c = |x: T| Dual::<T, 1>::constant(x);
    let ((s1, c1), (s2, c2), (s3, c3)) = (t.x.sin_cos(), t.y.sin_cos(), t.z.sin_cos());
    let first = V3::new(Dual::zero(), c(p.upper_centre) * c1, c(p.upper_centre) * s1); // (2)
    let along = |l: T| {
        V3::new(c(l) * s2 * s3, c(p.upper) * c1 + c(l) * c2, c(p.upper) * s1 + c(l) * s2 * c3) // (3), (4)
    };
    let (second, third) = (along(p.lower_centre), along(p.lower));
    let energy = |m: T, x: V3<Dual<T, 1>>| {
        m * (x.map(|d| d.eps[0]).norm_sq() * T::from_f64(0.5) + p.gravity.dot(x.map(|d| d.re))) // z down: V = −m g z
    };
    let spin =
        p.upper_inertia * v.x.squared() + p.lower_inertia * (s2.re.squared() * v.z.squared() + v.y.squared());
    energy(p.upper_mass, first)
        + energy(p.lower_mass, second)
        + energy(p.tip_mass, third)
        + spin * T::from_f64(0.5)
}

#[test]
fn arm_terms_follow_from_lagrange_on_mass_points() {
    let mut random = Random::new(SEED);
    let (mut torque, mut energy) = (Worst::of("m φ̈ + c + g"), Worst::of("T − V"));
    for _ in 0..STATES {
        let (p, q, v, a) =
            (robot(&mut random).arms.z, open(&mut random).x, random.vector(4.0), random.vector(40.0));
        // Coordinates 0..6 = (φ, φ̇); the inner dual moves them along (φ̇, φ̈).
        let lift = |x: V3<f64>, rate: V3<f64>, first: usize| {
            let mut k = first;
            x.zip(rate, |re, eps| (k += 1, Second::variable(Dual { re, eps: [eps] }, k - 1)).1)
        };
        let l = lagrangian(&p.map(Second::from_f64), lift(q, v, 0), lift(v, a, 3));
        let [d1, d2, d3, m1, m2, m3] = l.eps;
        let euler = [m1.eps[0] - d1.re, m2.eps[0] - d2.re, m3.eps[0] - d3.re]; // (7)
        let arm = p.at(q);
        torque.see(gap((arm.mass_matrix() * a + arm.coriolis(v) + arm.gravity_torque()).to_array(), euler));
        energy.see((arm.kinetic_energy(v) - arm.potential_energy() - l.re.re).abs());
        // ∂T/∂φ = ∂L/∂φ + g
        let gradient = (arm.kinetic_energy_gradient(v) - arm.gravity_torque()).to_array();
        torque.see(gap(gradient, [d1.re, d2.re, d3.re]));
        // g = ∂V/∂φ
        let phi = V3::new(D3::variable(q.x, 0), D3::variable(q.y, 1), D3::variable(q.z, 2));
        torque.see(gap(arm.gravity_torque().to_array(), p.map(D3::constant).at(phi).potential_energy().eps));
    }
    torque.below(1e-13); // terms up to 5 N·m, about twenty roundings
    energy.below(1e-14); // energies up to 2 J
}

#[test]
fn energy_changes_by_the_power_and_momentum_by_its_rate() {
    let mut random = Random::new(SEED);
    let (mut power, mut momentum) = (Worst::of("d(T+V)/dt − power"), Worst::of("d(Mv)/dt − ṗ"));
    for _ in 0..STATES {
        let (robot, _, q, qdot) = closed(&mut random);
        let (v, u) = (robot.velocities_from_motors(q, qdot).value, random.vector(5.0));
        let r = robot.accelerations(q, v, u, Baumgarte::from_pole(5.0)).value;
        let (d, qt, vt) = (robot.map(D1::constant), moving(q, v), moving(v, r.accelerations));
        power.see(((d.kinetic_energy(qt, vt) + d.potential_energy(qt)).eps[0] - robot.power(v, u)).abs());
        let pdot = robot.momentum_rates(q, v, u, r.multipliers);
        momentum.see(gap(flat(d.momenta(qt, vt).map(|p| p.map(|d| d.eps[0]))), flat(pdot)));
        let back = robot.velocities_from_momenta(q, robot.momenta(q, v));
        assert!(back.is_valid());
        momentum.see(gap(flat(back.value), flat(v)));
    }
    power.below(1e-12); // 100 W, sums of products of nine
    momentum.below(1e-13); // torques up to 10 N·m
}

// ---- second routes ----

#[test]
fn six_by_six_equals_three_by_three_and_fulfils_the_equations() {
    // Both poles of s² + α₁ s + α₀ at −5.
    assert_eq!(Baumgarte::from_pole(5.0), Baumgarte { alpha1: 10.0, alpha0: 25.0 });
    let mut random = Random::new(SEED);
    let mut worst = [Worst::of("6×6 − 3×3"), Worst::of("constraint"), Worst::of("motion")];
    for _ in 0..STATES {
        let (robot, q, u) = (robot(&mut random), open(&mut random), random.vector(5.0));
        let v = each(|| random.vector(4.0));
        for baumgarte in [Baumgarte::none(), Baumgarte::from_pole(5.0)] {
            let six = robot.accelerations(q, v, u, baumgarte);
            let three = robot.accelerations_by_tip_mass(q, v, u, baumgarte);
            assert!(six.is_valid() && three.is_valid());
            let (six, three) = (six.value, three.value);
            let size = 1.0 + gap(flat(six.accelerations), [0.0; 9]);
            worst[0].see(gap(flat(six.accelerations), flat(three.accelerations)) / size);
            worst[0].see(gap(six.multipliers.to_array(), three.multipliers.to_array()) / size);
            // (23) and (15) with the full H
            let (a, l) = (flat(six.accelerations), six.multipliers.to_array());
            let (full, bias) = (robot.closure_jacobian(q), robot.closure_bias(q, v).to_array());
            let (hv, h) = (robot.closure_rate(q, v).to_array(), robot.closure_residual(q).to_array());
            for (i, row) in full.iter().enumerate() {
                let ha: f64 = row.iter().zip(&a).map(|(h, a)| h * a).sum();
                let rest = bias[i] + baumgarte.alpha1 * hv[i] + baumgarte.alpha0 * h[i];
                worst[1].see((ha + rest).abs() / size);
            }
            let left = flat(left_side(&robot, q, v, six.accelerations));
            for k in 0..9 {
                let right: f64 = full.iter().zip(&l).map(|(row, l)| row[k] * l).sum();
                let motor = if k % 3 == 0 { u.to_array()[k / 3] } else { 0.0 };
                worst[2].see((left[k] - right - motor).abs() / size);
            }
        }
    }
    let [routes, constraint, motion] = worst; // relative to the largest acceleration
    routes.below(1e-11); // the 3×3 divides by det dψ, which comes near zero for open robots
    constraint.below(1e-14); // residuals of backward stable solves
    motion.below(1e-14); // likewise
}

#[test]
fn reduction_is_the_null_space_of_the_closure_and_inverse_dynamics_undoes_the_motion() {
    let mut random = Random::new(SEED);
    let (mut null, mut undo, mut project) = (Worst::of("N"), Worst::of("inverse"), Worst::of("Nᵀf"));
    for _ in 0..STATES {
        let (robot, _, q, qdot) = closed(&mut random);
        let n = robot.reduction(q);
        assert!(n.is_valid());
        // −H_x⁻¹ H_y by the 6×6 (27)
        let full = robot.closure_jacobian(q);
        let passive = full.map(|[_, a, b, _, c, d, _, e, f]| [a, b, c, d, e, f]);
        for k in 0..3 {
            let [a, b, c, d, e, f] = solve_qr(&passive, &full.map(|row| -row[3 * k])).value;
            let one = |i| if i == k { 1.0 } else { 0.0 };
            let axis = V3::new(one(0), one(1), one(2));
            null.see(gap(flat(n.value.velocities(axis)), [one(0), a, b, one(1), c, d, one(2), e, f]));
        }
        let v = robot.velocities_from_motors(q, qdot).value;
        null.see(gap(flat(n.value.velocities(qdot)), flat(v)));
        null.see(gap((n.value.jacobian * qdot).to_array(), robot.tip_velocities(q, v).x.to_array()));
        // motors → nine accelerations → torques → the same accelerations
        let qddot = random.vector(50.0);
        let a = robot.accelerations_from_motors(q, v, qddot).value;
        undo.see(gap(a.map(|arm| arm.x).to_array(), qddot.to_array()));
        let drive = robot.inverse_dynamics(q, v, a);
        assert!(drive.is_valid());
        let direct = robot.accelerations(q, v, drive.value.torque, Baumgarte::none()).value;
        undo.see(gap(flat(direct.accelerations), flat(a)) / 50.0);
        undo.see(gap(direct.multipliers.to_array(), drive.value.multipliers.to_array()) / 50.0);
        // u = Nᵀ(M v̇ + C + G + D∘v), and with M_r for the part of v̇ from the motors
        let torque = drive.value.torque.to_array();
        project.see(gap(n.value.project(left_side(&robot, q, v, a)).to_array(), torque));
        let still = robot.accelerations_from_motors(q, v, V3::zero()).value;
        let rest = robot.inverse_dynamics(q, v, still).value.torque;
        project.see(gap((robot.motor_mass_matrix(q).value * qddot + rest).to_array(), torque));
    }
    null.below(1e-13); // two inverses of conditioning up to 1e2
    undo.below(1e-13); // relative to 50 rad/s²
    project.below(1e-13); // torques up to 20 N·m
}

#[test]
fn a_third_of_a_turn_permutes_the_arms() {
    let mut random = Random::new(SEED);
    let mut worst = Worst::of("permutation");
    let third = M3::rotation_z(-0.5, 0.75_f64.sqrt());
    for (_, arm) in golden_robots() {
        let robot = ConstrainedDelta::symmetric(arm);
        for _ in 0..STATES {
            let w = V3::new(random.within(-0.1, 0.1), random.within(-0.1, 0.1), random.within(0.28, 0.38));
            let torque_at = |w| robot.gravity_compensation(robot.inverse_kinematics(w).value).value.torque;
            let (here, there) = (torque_at(w), torque_at(third * w));
            // arm 1 now stands as arm 3 did, 2 as 1, 3 as 2
            worst.see(gap(there.to_array(), [here.z, here.x, here.y]));
        }
    }
    worst.below(1e-13); // torques up to 10 N·m, rotation rounded once
}

#[test]
fn newton_finds_the_exact_angles_and_says_when_it_cannot() {
    let mut random = Random::new(SEED);
    let (mut exact, mut steps) = (Worst::of("Newton − closed form"), 0);
    for _ in 0..STATES {
        let (robot, w, q, qdot) = closed(&mut random);
        exact.see(gap(robot.tips(q).map(V3::to_array).to_array().concat(), [w.to_array(); 3].concat()));
        let motors = q.map(|arm| arm.x);
        exact.see(gap(flat(robot.angles_from_platform(w, motors).value), flat(q)));
        // from a sample 1 ms earlier
        let start = q.zip(robot.velocities_from_motors(q, qdot).value, |q, v| q - v * 1e-3);
        let found = robot.newton_forward_kinematics(motors, start, Settings::default()).unwrap();
        exact.see(gap(flat(found.value), flat(q)));
        exact.see(gap(robot.platform(found.value).to_array(), w.to_array()));
        steps = Ord::max(steps, found.iterations);
        let loose = Settings::default().with_tolerance(1e-7);
        assert!(robot.newton_forward_kinematics(motors, start, loose).unwrap().iterations <= 2);
        let stopped =
            robot.newton_forward_kinematics(motors, start, Settings::default().with_max_iterations(0));
        assert!(
            matches!(stopped, Err(NewtonError::NoConvergence { iterations: 0, residual }) if residual > 1e-12)
        );
    }
    println!("at most {steps} steps to 1e-12 m");
    assert!(steps <= 3); // quadratic: 1e-3, 1e-6, 1e-12
    exact.below(1e-10); // |h| below 1e-12 m over pivots above 1e-2 m/rad
    let (robot, _, q, motors) = closed(&mut random);
    let flatten = V3 { y: V3 { y: 0.0, ..q.y }, ..q }; // sin φ₂ = 0: φ₃ of arm 2 does nothing
    let singular = robot.newton_forward_kinematics(motors, flatten, Settings::default());
    assert!(matches!(singular, Err(NewtonError::Singular { margin }) if margin.abs() < 1e-9));
    assert!(!robot.reduction(flatten).is_valid());
    let broken = robot.newton_forward_kinematics(V3::splat(f64::NAN), q, Settings::default());
    assert_eq!(broken, Err(NewtonError::NotFinite));
    assert!(!robot.inverse_kinematics(V3::new(0.0, 0.0, 0.8)).is_valid(), "longer than arm and forearm");
}

// ---- numbers from outside ----

#[test]
fn agrees_with_the_reference_numbers() {
    let mut worst = Worst::of("reference");
    for (data, arm) in golden_robots() {
        let robot = ConstrainedDelta::symmetric(arm);
        let case = &data["cases"][0];
        let (q, v) = (nine(&case["q"]), nine(&case["v"]));
        let three = |key: &str| -> V3<f64> { <[f64; 3]>::try_from(numbers(&case[key])).unwrap().into() };
        // relative to the largest number of each entry
        let mut see = |key: &str, ours: Vec<f64>| {
            let theirs = numbers(&case[key]);
            let size = largest(&theirs);
            worst.see(gap(ours, theirs) / size);
        };
        see("q", flat(robot.inverse_kinematics(three("w")).value));
        see("v", flat(robot.velocities_from_motors(q, v.map(|arm| arm.x)).value));
        let first = arm.at(q.x);
        see("M_arm1", first.mass_matrix().to_matrix().to_rows().concat());
        see("C_arm1", first.coriolis(v.x).to_array().to_vec());
        see("G_arm1", first.gravity_torque().to_array().to_vec());
        see("H", robot.closure_jacobian(q).concat());
        see("Hdot_v", robot.closure_bias(q, v).to_array().to_vec());
        let response = robot.accelerations(q, v, three("u"), Baumgarte::from_pole(5.0)).value;
        see("vdot", flat(response.accelerations));
        see("lambda_", response.multipliers.to_array().to_vec());
        let hold = robot.gravity_compensation(q).value;
        see("u_gravity", hold.torque.to_array().to_vec());
        see("lambda_gravity", hold.multipliers.to_array().to_vec());
    }
    worst.below(1e-13); // fifteen digits in the file, conditioning 1e2
}

/// Poles of the linearised robot at equal motor angles: one vertical mode
/// (1, 1, 1), one lateral mode twice \[Bortoff2018, Fig. 5\].
#[test]
fn poles_agree_with_the_reference_numbers() {
    let mut worst = Worst::of("poles");
    for (data, arm) in golden_robots() {
        let robot = ConstrainedDelta::symmetric(arm);
        for (key, angle) in [("45deg", std::f64::consts::FRAC_PI_4), ("0deg", 0.0)] {
            // straight below the centre the forearm ends on the axis of the robot
            let out = -(arm.base_offset + arm.upper * angle.cos()) / arm.lower;
            let q = each(|| V3::new(angle, out.acos(), 0.0));
            let n = robot.reduction(q).value;
            let v = n.velocities(V3::new(1.0, 0.0, 0.0)); // first columns of N, M_r, NᵀDN, K_r
            let damping = n.project(v.map(|v| arm.damping.scale(v)));
            let mass = robot.motor_mass_matrix(q).value.columns().x;
            // K_r: how the holding torque changes along N
            let qt = moving(q, v);
            let stiffness = robot.map(D1::constant).gravity_compensation(qt).value.torque.map(|d| d.eps[0]);
            // circulant: one eigenvalue each for (1, 1, 1) and its complement
            let mut poles = Vec::new();
            for (times, mode) in [(1, V3::new(1.0, 1.0, 1.0)), (2, V3::new(1.0, -0.5, -0.5))] {
                let (m, d, k) = (mass.dot(mode), damping.dot(mode), stiffness.dot(mode));
                let (half, disc) = (-0.5 * d / m, 0.25 * d * d / (m * m) - k / m);
                for sign in [-1.0, 1.0] {
                    let root = sign * disc.abs().sqrt();
                    let pole = if disc < 0.0 { [half, root] } else { [half + root, 0.0] };
                    poles.extend(std::iter::repeat_n(pole, times));
                }
            }
            poles.sort_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
            let list = data["poles_besides_12_at_minus5"][key].as_array().unwrap();
            let mut theirs: Vec<_> = list.iter().map(numbers).collect();
            theirs.sort_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
            worst.see(gap(poles.concat(), theirs.concat()));
        }
    }
    worst.below(6e-5); // four digits after the point in the file
}
