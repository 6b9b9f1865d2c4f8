//! The Delta by Lagrange multipliers (Ngoc and Kim): derivatives, second routes,
//! and numbers from outside.

use crate::delta_support::{Random, numbers};
use legwork_core::linalg::solve_qr;
use legwork_core::robots::delta::ngoc_kim::{NgocKim, Rates};
use legwork_core::{Dual, M3, Real, V3};
use legwork_testkit::{Worst, gap, largest, nan_max};
use serde_json::Value;

const SEED: u64 = 0x4E47_2010;
const STATES: usize = 300;

fn golden() -> (Value, NgocKim<f64>) {
    let all: Value = serde_json::from_str(include_str!("../golden/spec_ngoc_kim.json")).unwrap();
    let data = all["ngoc_kim"].clone();
    let p = |name: &str| data["params"][name].as_f64().unwrap();
    let robot = NgocKim {
        base_radius: p("r"),
        platform_radius: p("h"),
        arm: p("l1"),
        rod: p("l2"),
        arm_mass: p("m_a"),
        rod_mass: p("m_b_one_rod"),
        platform_mass: p("m_p"),
        rotor_inertia: 0.0,
        gravity: V3::along_z(-p("g")),
    };
    (data, robot)
}

/// The paper's robot with every number off by up to ±10 % and a rotor, moving.
struct State {
    robot: NgocKim<f64>,
    p: V3<f64>,
    velocity: V3<f64>,
    acceleration: V3<f64>,
}

fn state(random: &mut Random) -> State {
    let robot = NgocKim { rotor_inertia: 2e-4, ..golden().1 }.map(|x| x * random.within(0.9, 1.1));
    let robot = NgocKim { gravity: random.vector(9.0), ..robot }; // mounted anyhow
    let p = V3::new(random.within(-0.06, 0.06), random.within(-0.06, 0.06), random.within(-0.23, -0.16));
    assert!(robot.limb_angles(p).is_valid(), "{p:?} is within reach");
    State { robot, p, velocity: random.vector(1.0), acceleration: random.vector(30.0) }
}

/// θ₁ of the limbs.
fn theta<T: Real>(robot: &NgocKim<T>, p: V3<T>) -> V3<T> {
    robot.limb_angles(p).value.map(|limb| limb.theta1)
}

/// Γ_i = |p − e_i|² − b², from positions.
fn constraint<T: Real>(robot: &NgocKim<T>, p: V3<T>, theta: V3<T>) -> V3<T> {
    theta.zip(azimuths::<T>(), |theta, azimuth: T| {
        let (sin, cos) = azimuth.sin_cos();
        let base = V3::new(cos, sin, T::zero()) * (robot.base_radius - robot.platform_radius);
        (p - base - along_arm(azimuth, theta) * robot.arm).norm_sq() - robot.rod.squared()
    })
}

fn azimuths<T: Real>() -> V3<T> {
    V3::new(0.0, 1.0, 2.0).map(|k: f64| T::from_f64(k * std::f64::consts::TAU / 3.0))
}

/// Unit vector along the arm of a limb.
fn along_arm<T: Real>(azimuth: T, theta: T) -> V3<T> {
    let ((s, c), (sin, cos)) = (theta.sin_cos(), azimuth.sin_cos());
    V3::new(c * cos, c * sin, s)
}

/// L(p, θ, ṗ, θ̇) with half of each rod at either end, arms as uniform rods.
fn lagrangian<T: Real>(robot: &NgocKim<T>, p: V3<T>, theta: V3<T>, pdot: V3<T>, thetadot: V3<T>) -> T {
    let (half, third, three) = (T::from_f64(0.5), T::from_f64(1.0 / 3.0), T::from_f64(3.0));
    let platform = robot.platform_mass + three * robot.rod_mass;
    let inertia = robot.rotor_inertia + (robot.arm_mass * third + robot.rod_mass) * robot.arm.squared();
    let arms = azimuths::<T>().zip(theta, |azimuth: T, theta| along_arm(azimuth, theta) * robot.arm);
    let arms = arms.x + arms.y + arms.z;
    half * (platform * pdot.norm_sq() + inertia * thetadot.norm_sq())
        + robot.gravity.dot(p * platform + arms * (half * robot.arm_mass + robot.rod_mass))
}

type D1 = Dual<f64, 1>;
type Second = Dual<D1, 6>;

/// x(t) with x(0) = `x`, ẋ(0) = `rate`.
fn moving<T: Real>(x: V3<T>, rate: V3<T>) -> V3<Dual<T, 1>> {
    x.zip(rate, |re, eps| Dual { re, eps: [eps] })
}

#[test]
fn angles_close_the_limbs_and_rates_are_their_derivatives() {
    let mut random = Random::new(SEED);
    let mut worst = [Worst::of("closure"), Worst::of("θ̇"), Worst::of("θ̈"), Worst::of("p̈ of θ̈")];
    for _ in 0..STATES {
        let State { robot, p, velocity, acceleration } = state(&mut random);
        let limbs = robot.limb_angles(p).value;
        worst[0].see(gap(constraint(&robot, p, theta(&robot, p)).to_array(), [0.0; 3]));
        assert!(limbs.to_array().iter().all(|l| l.theta2 < 0.0), "elbows out");
        // θ(t) to second order
        let p2 = moving(moving(p, velocity), moving(velocity, acceleration));
        let motion = theta(&robot.map(Dual::<D1, 1>::from_f64), p2);
        let rates = robot.rates(p, velocity, acceleration).value;
        worst[1].see(gap(rates.velocity.to_array(), motion.map(|d| d.re.eps[0]).to_array()));
        worst[2].see(gap(rates.acceleration.to_array(), motion.map(|d| d.eps[0].eps[0]).to_array()));
        // and back
        worst[3].see(gap(robot.platform_velocity(p, rates.velocity).value.to_array(), velocity.to_array()));
        worst[3].see(gap(robot.platform_acceleration(p, rates).value.to_array(), acceleration.to_array()));
    }
    let [closure, first, second, back] = worst;
    closure.below(1e-16); // squared lengths of 0.05 m², arccosines at least 0.3 from their ends
    first.below(1e-13); // 30 rad/s, divisor sin θ₂ sin θ₃ down to 0.1
    second.below(1e-11); // 1e3 rad/s², the same divisor cubed in the dual number
    back.below(1e-12); // 30 m/s²
}

/// Lagrange in the three coordinates p alone: no multiplier anywhere.
#[test]
fn torque_follows_from_lagrange_in_minimal_coordinates() {
    let mut random = Random::new(SEED);
    let mut worst = Worst::of("τᵀ ∂θ/∂p");
    for _ in 0..STATES {
        let State { robot, p, velocity, acceleration } = state(&mut random);
        let variables = |x: V3<f64>, rate: V3<f64>, first: usize| {
            let mut k = first;
            moving(x, rate).map(|x| (k += 1, Second::variable(x, k - 1)).1)
        };
        let (x, xdot) = (variables(p, velocity, 0), variables(velocity, acceleration, 3));
        let lifted = robot.map(Second::from_f64);
        let t = theta(&lifted.map(Dual::<Second, 1>::constant), moving(x, xdot));
        let l = lagrangian(&lifted, x, t.map(|d| d.re), xdot, t.map(|d| d.eps[0]));
        let [d1, d2, d3, m1, m2, m3] = l.eps;
        let euler = [m1.eps[0] - d1.re, m2.eps[0] - d2.re, m3.eps[0] - d3.re];
        // ∂θ/∂p is in the first three outer parts of θ
        let slope = t.map(|d| V3::new(d.re.eps[0].re, d.re.eps[1].re, d.re.eps[2].re));
        let torque = robot.inverse_dynamics(p, velocity, acceleration).value.torque;
        worst.see(gap((M3(slope).transpose() * torque).to_array(), euler));
    }
    worst.below(1e-12); // forces up to 50 N, second derivatives of arccosines
}

/// All of Lagrange's equations of the first kind, solved at once for p̈, θ̈, λ
/// from the torque: Γ is differentiated by dual numbers.
#[test]
fn torque_and_multipliers_give_back_the_motion() {
    let mut random = Random::new(SEED);
    let (mut motion, mut forces) = (Worst::of("p̈, θ̈, λ"), Worst::of("rod forces"));
    for _ in 0..STATES {
        let State { robot, p, velocity, acceleration } = state(&mut random);
        let efforts = robot.inverse_dynamics(p, velocity, acceleration);
        assert!(efforts.is_valid());
        let efforts = efforts.value;
        let rates = robot.rates(p, velocity, acceleration).value;
        let t = theta(&robot, p);
        // Γ_q and Γ̈ at zero acceleration
        let mut k = 0;
        let mut variable = |x: f64| (k += 1, Dual::<f64, 6>::variable(x, k - 1)).1;
        let (pk, tk) = (p.map(&mut variable), t.map(&mut variable));
        let slope = constraint(&robot.map(Dual::constant), pk, tk).map(|d| d.eps).to_array();
        let twice = |x: V3<f64>, rate: V3<f64>| moving(moving(x, rate), moving(rate, V3::zero()));
        let second =
            constraint(&robot.map(Dual::<D1, 1>::from_f64), twice(p, velocity), twice(t, rates.velocity));
        let bias = second.map(|d| d.eps[0].eps[0]).to_array();
        // [ M, −Γ_qᵀ; Γ_q, 0 ] (p̈, θ̈, λ) = (torque − weight; −Γ̈)
        let platform = robot.platform_mass + 3.0 * robot.rod_mass;
        let inertia = robot.rotor_inertia + (robot.arm_mass / 3.0 + robot.rod_mass) * robot.arm.powi(2);
        let weight = robot.gravity * ((robot.arm_mass / 2.0 + robot.rod_mass) * robot.arm);
        let turned = t.map(|t| t + std::f64::consts::FRAC_PI_2); // d/dθ of the arm's direction
        let across = azimuths::<f64>().zip(turned, along_arm).to_array();
        let torque = efforts.torque.to_array();
        let (mut a, mut b) = ([[0.0; 9]; 9], [0.0; 9]);
        for i in 0..3 {
            (a[i][i], a[3 + i][3 + i]) = (platform, inertia);
            b[3 + i] = torque[i] + weight.dot(across[i]);
            b[6 + i] = -bias[i];
            for k in 0..6 {
                (a[k][6 + i], a[6 + i][k]) = (-slope[i][k], slope[i][k]);
            }
        }
        [b[0], b[1], b[2]] = (robot.gravity * platform).to_array();
        let solved = solve_qr(&a, &b).value;
        let ours = [acceleration, rates.acceleration, efforts.multipliers].map(V3::to_array).concat();
        let size = nan_max(1.0, largest(&ours));
        motion.see(gap(solved, ours) / size);
        // λ_i ∂Γ_i/∂p is the force of limb i
        for (i, force) in efforts.rod_forces.to_array().into_iter().enumerate() {
            let l = efforts.multipliers.to_array()[i];
            forces.see(gap(force.to_array(), [0, 1, 2].map(|k| l * slope[i][k])));
        }
    }
    motion.below(1e-12); // relative; the 9×9 mixes kg, kg·m² and m: conditioning 1e3
    forces.below(1e-13); // forces up to 50 N
}

#[test]
fn a_third_of_a_turn_permutes_the_limbs() {
    let mut random = Random::new(SEED);
    let mut worst = Worst::of("permutation");
    let third = M3::rotation_z(-0.5, 0.75_f64.sqrt());
    for _ in 0..STATES {
        let State { robot, p, velocity, acceleration } = state(&mut random);
        let here = robot.inverse_dynamics(p, velocity, acceleration).value;
        let turned = NgocKim { gravity: third * robot.gravity, ..robot };
        let there = turned.inverse_dynamics(third * p, third * velocity, third * acceleration).value;
        // limb 2 now stands as limb 1 did
        worst.see(gap(there.torque.to_array(), [here.torque.z, here.torque.x, here.torque.y]));
        worst.see(gap(there.rod_forces.y.to_array(), (third * here.rod_forces.x).to_array()));
    }
    worst.below(1e-13); // forces up to 50 N through divisors down to 0.1
}

#[test]
fn margin_is_not_positive_out_of_reach() {
    let (_, robot) = golden();
    for p in [V3::new(0.0, 0.0, -0.33), V3::new(0.0, 0.3, -0.1), V3::new(0.4, 0.0, -0.2)] {
        assert!(!robot.limb_angles(p).is_valid(), "{p:?}");
        assert!(!robot.inverse_dynamics(p, V3::zero(), V3::zero()).is_valid(), "{p:?}");
    }
}

#[test]
fn agrees_with_the_reference_numbers() {
    let (data, robot) = golden();
    let mut worst = Worst::of("reference");
    for case in data["cases"].as_array().unwrap() {
        let three = |key: &str| -> V3<f64> { <[f64; 3]>::try_from(numbers(&case[key])).unwrap().into() };
        let p = three("X");
        let rates = Rates { velocity: three("theta1_d"), acceleration: three("theta1_dd") };
        let velocity = robot.platform_velocity(p, rates.velocity).value;
        let acceleration = robot.platform_acceleration(p, rates).value;
        let efforts = robot.inverse_dynamics(p, velocity, acceleration).value;
        let mut see = |key: &str, ours: V3<f64>| {
            let theirs = three(key).to_array();
            let size = nan_max(1e-3, largest(theirs));
            worst.see(gap(ours.to_array(), theirs) / size);
        };
        see("theta1", theta(&robot, p));
        see("Xdd", acceleration);
        see("lambda_", efforts.multipliers);
        see("tau", efforts.torque);
    }
    worst.below(1e-13); // fifteen digits in the file, divisors down to 0.1
}
