//! Links by their end weights, against integrals over the rod.

use legwork_core::links::{GravitySplit, LinkWeights, cylinder_velocity};
use legwork_core::{M3, V3};
use legwork_testkit::{Seeded, relative_error};

const SEED: u64 = 0x11_4b;

fn random(rng: &mut Seeded) -> V3<f64> {
    rng.triple(1.0).into()
}

fn matrix(rng: &mut Seeded) -> M3<f64> {
    M3::from_rows(random(rng), random(rng), random(rng))
}

/// Three-point Gauss quadrature on [0, 1], exact up to degree five.
fn quadrature(f: impl Fn(f64) -> f64) -> f64 {
    let node = 0.6_f64.sqrt() / 2.0;
    (5.0 * f(0.5 - node) + 8.0 * f(0.5) + 5.0 * f(0.5 + node)) / 18.0
}

/// Eq 10–12: the velocity is linear along the bar, the energy its integral.
#[test]
fn thin_bar_is_the_integral_over_its_points() {
    let mut rng = Seeded::new(SEED);
    for _ in 0..100 {
        let (v1, v2, mass) = (random(&mut rng), random(&mut rng), rng.uniform(0.1, 2.0));
        let along = |x: f64| (v1 * (1.0 - x) + v2 * x).norm_sq(); // (10)
        let energy = 0.5 * mass * quadrature(along); // (11)
        let bar = LinkWeights::thin_bar(mass);
        assert!((bar.kinetic_energy(v1, v2) - energy).abs() < 1e-15 * energy.max(1.0)); // rounding
    }
}

/// Eq 20–23: δW is the integral of δ(x)·a(x) over the bar, weight included.
#[test]
fn virtual_work_is_the_integral_over_its_points() {
    let mut rng = Seeded::new(SEED + 1);
    let gravity = V3::new(0.0, 0.0, -9.81);
    for _ in 0..100 {
        let (j1, j2) = (matrix(&mut rng), matrix(&mut rng));
        let (a1, a2, mass) = (random(&mut rng), random(&mut rng), rng.uniform(0.1, 2.0));
        let found = LinkWeights::thin_bar(mass).virtual_work(j1, j2, a1, a2, gravity);
        let force = |x: f64| a1 * (1.0 - x) + a2 * x - gravity; // (22)
        let work = |column: fn(&V3<V3<f64>>) -> V3<f64>| {
            let (c1, c2) = (column(&j1.columns()), column(&j2.columns()));
            mass * quadrature(|x| (c1 * (1.0 - x) + c2 * x).dot(force(x))) // (20), (21)
        };
        let expected = [work(|c| c.x), work(|c| c.y), work(|c| c.z)];
        assert!(relative_error(&found.to_array(), &expected) < 1e-13); // rounding
    }
}

/// Eq 5–9: the rigid cylinder by centre velocity and angular velocity equals its end weights.
#[test]
fn cylinder_weights_equal_centre_and_rotation() {
    let mut rng = Seeded::new(SEED + 2);
    for _ in 0..100 {
        let axis = random(&mut rng);
        let axis = axis * (1.0 / axis.norm_sq().sqrt());
        let (length, radius, mass) = (rng.uniform(0.1, 1.0), rng.uniform(0.01, 0.1), rng.uniform(0.1, 2.0));
        // A rigid motion without spin about the axis.
        let (v1, spin) = (random(&mut rng), random(&mut rng));
        let spin = spin - axis * spin.dot(axis);
        let v2 = v1 + spin.cross(axis * length);
        let (centre, angular) = cylinder_velocity(axis, length, v1, v2);
        assert!(relative_error(&angular.to_array(), &spin.to_array()) < 1e-13);
        let transverse = mass * (3.0 * radius * radius + length * length) / 12.0;
        let energy = 0.5 * (mass * centre.norm_sq() + transverse * angular.norm_sq()); // (1)
        let found = LinkWeights::cylinder(mass, length, radius).kinetic_energy(v1, v2);
        assert!((found - energy).abs() < 1e-13 * energy);
    }
}

/// A rod whose centre and inertia are those of two unequal halves: energies add.
#[test]
fn a_rod_with_any_centre_is_the_sum_of_its_parts() {
    let mut rng = Seeded::new(SEED + 3);
    for _ in 0..100 {
        let (v1, v2) = (random(&mut rng), random(&mut rng));
        let (m1, m2, cut, length) =
            (rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0), rng.uniform(0.2, 0.8), 0.7);
        let middle = v1 * (1.0 - cut) + v2 * cut;
        let parts = LinkWeights::thin_bar(m1).kinetic_energy(v1, middle)
            + LinkWeights::thin_bar(m2).kinetic_energy(middle, v2);
        let mass = m1 + m2;
        let (c1, c2) = (cut / 2.0, f64::midpoint(cut, 1.0));
        let centre = (m1 * c1 + m2 * c2) / mass;
        let own = |m: f64, part: f64, c: f64| m * (part * part / 12.0 + (c - centre).powi(2));
        let inertia = (own(m1, cut, c1) + own(m2, 1.0 - cut, c2)) * length * length;
        let rod = LinkWeights::rod(mass, length, centre, inertia);
        assert!((rod.kinetic_energy(v1, v2) - parts).abs() < 1e-14); // rounding, energies below 1 J
        assert!((rod.weight_first + rod.weight_second - mass).abs() < 1e-15);
    }
}

/// Errata of eq 13: the printed, unsymmetric cross term gives the same energy and another matrix.
#[test]
fn the_mass_matrix_is_symmetric_and_the_printed_one_is_not() {
    let mut rng = Seeded::new(SEED + 4);
    let (j1, j2, qdot) = (matrix(&mut rng), matrix(&mut rng), random(&mut rng));
    let bar = LinkWeights::thin_bar(0.3);
    let a = bar.mass_matrix(j1, j2);
    let printed = (j1.transpose() * j1 + j2.transpose() * j2 + j1.transpose() * j2) * 0.1;
    let energy = bar.kinetic_energy(j1 * qdot, j2 * qdot);
    for matrix in [a, printed] {
        assert!((0.5 * qdot.dot(matrix * qdot) - energy).abs() < 1e-15);
    }
    let asymmetry = |m: M3<f64>| relative_error(&m.to_rows().concat(), &m.transpose().to_rows().concat());
    assert!(asymmetry(a) < 1e-15 && asymmetry(printed) > 1e-3);
}

/// Point masses: shares of inertia and of weight are separate.
#[test]
fn lumped_links_carry_their_weight_as_told() {
    let half = LinkWeights::lumped(0.3_f64, 2.0 / 3.0, GravitySplit::Half);
    let same = LinkWeights::lumped(0.3_f64, 2.0 / 3.0, GravitySplit::SameAsInertia);
    assert_eq!((half.first, half.cross), (same.first, 0.0));
    assert!((half.weight_first - 0.15).abs() < 1e-16 && (same.weight_first - 0.2).abs() < 1e-16);
    assert!((half.second - 0.1).abs() < 1e-16);
}
