//! A hexapod in closed form is to a regulator what the general mechanism is: the same answers, by other formulas.

use crate::engine_support;
use legwork_core::V3;
use legwork_core::control::{Model, Platform};
use legwork_core::engine::{Hexapod, Pose, Twist};
use legwork_core::motion::Quaternion;
use legwork_core::robots::gough_stewart;
use legwork_testkit::{Seeded, golden, relative_error};

#[test]
fn the_closed_form_answers_as_the_mechanism_does() {
    let parameters: gough_stewart::Parameters<f64> = engine_support::gough(&golden("gough_stewart.json"));
    let hexapod = parameters.hexapod();
    let mechanism = hexapod.mechanism();
    let mut random = Seeded::new(7);
    for _ in 0..200 {
        let vector = V3::from(random.triple(0.15));
        let rotation = Quaternion { scalar: (1.0 - vector.norm_sq()).sqrt(), vector }.rotation();
        let mut position = V3::from(random.triple(0.1));
        position.z += 0.9;
        let pose = Pose::new(rotation, position);
        let mut twist = || Twist::new(random.triple(1.0).into(), random.triple(2.0).into());
        let (velocity, acceleration) = (twist(), twist());
        let motion = Platform { pose, twist: velocity, acceleration };

        let (a, b) = (hexapod.joints(&motion), mechanism.joints(&motion));
        assert!(a.margin > 0.0 && b.margin > 0.0);
        // 1e-12: rounding, times the condition of J_r (below 100).
        assert!(relative_error(&a.value.q, &b.value.q) < 1e-12);
        assert!(relative_error(&a.value.qdot, &b.value.qdot) < 1e-12);
        assert!(relative_error(&a.value.qddot, &b.value.qddot) < 1e-12);

        let (q, qdot) = (a.value.q, a.value.qdot);
        let near = pose.moved(&Twist::new(random.triple(0.01).into(), random.triple(0.02).into()));
        let a6 = Model::<f64, 6>::platform(&hexapod, &q, &qdot, &near);
        let b6 = Model::<f64, 6>::platform(&mechanism, &q, &qdot, &near);
        for found in [&a6, &b6] {
            assert!(found.margin > 0.0);
            let (found_pose, found_twist) = found.value;
            // The motion that was asked for comes back: the inverse and the forward road close.
            assert!((found_pose.position - pose.position).norm_sq().sqrt() < 1e-13);
            let found = found_twist.to_vector_linear_first();
            assert!(relative_error(&found, &velocity.to_vector_linear_first()) < 1e-11);
        }

        let qddot = a.value.qddot;
        let c = Model::<f64, 6>::platform_acceleration(&hexapod, &pose, &velocity, &qddot);
        assert!(c.margin > 0.0);
        let expected = acceleration.to_vector_linear_first();
        assert!(relative_error(&c.value.to_vector_linear_first(), &expected) < 1e-11);

        // From the joints' accelerations or from the platform's: the same forces.
        let forces = Model::<f64, 6>::effort_from_joints(&hexapod, &pose, &velocity, &qddot);
        assert!(forces.margin > 0.0);
        assert!(relative_error(&forces.value, &mechanism.effort(&motion).value) < 1e-11);
        let (m, n) = (
            Model::<f64, 6>::joint_mass_matrix(&hexapod, &pose),
            Model::<f64, 6>::joint_mass_matrix(&mechanism, &pose),
        );
        assert!(m.margin > 0.0);
        assert!(relative_error(m.value.as_flattened(), n.value.as_flattened()) < 1e-11);
    }
}

/// The hexapod with all lengths times `l`; masses are the same.
fn scaled(l: f64) -> Hexapod<f64> {
    let known: gough_stewart::Parameters<f64> = engine_support::gough(&golden("gough_stewart.json"));
    let parameters = gough_stewart::Parameters {
        base_points: known.base_points.map(|point| point * l),
        platform_points: known.platform_points.map(|point| point * l),
        ..known
    };
    parameters.hexapod()
}

/// Margins of a hexapod of any size, for what its regulators ask.
#[test]
fn margins_do_not_depend_on_the_unit() {
    let margins = |l: f64| {
        let hexapod = scaled(l);
        let pose = Pose::translation(V3::new(0.05, -0.03, 0.9) * l);
        let platform = Platform::rest(pose);
        let near = Pose::translation(V3::new(0.05, -0.028, 0.895) * l);
        let q = hexapod.joints(&platform).value.q;
        [
            hexapod.joints(&platform).margin,
            Model::<f64, 6>::platform(&hexapod, &q, &[0.0; 6], &near).margin,
            Model::<f64, 6>::platform(&hexapod.mechanism(), &q, &[0.0; 6], &near).margin,
            hexapod.effort(&platform).margin,
            hexapod.mechanism().effort(&platform).margin,
            Model::<f64, 6>::joint_mass_matrix(&hexapod, &pose).margin,
            Model::<f64, 6>::platform_acceleration(&hexapod, &pose, &Twist::zero(), &[0.0; 6]).margin,
            Model::<f64, 6>::effort_from_joints(&hexapod, &pose, &Twist::zero(), &[0.0; 6]).margin,
        ]
    };
    let here = margins(1.0);
    assert!(here.iter().all(|margin| *margin > 1e-6), "{here:?}");
    for l in [1e-6, 1e-3, 1e3] {
        let found = margins(l);
        for (k, (a, b)) in found.iter().zip(here).enumerate() {
            assert!((a - b).abs() < 1e-9 * b, "{l}, {k}: {a} {b}"); // rounding, times the condition
        }
    }
}

/// A pose far away or a leg that cannot be is no answer, in a robot of any size.
#[test]
fn what_cannot_be_has_no_margin() {
    for l in [1.0, 1e-6, 1e3] {
        let hexapod = scaled(l);
        let home = Pose::translation(V3::new(0.0, 0.0, 0.9 * l));
        let mut q = hexapod.lengths(&home);
        q[0] += 3.0 * l;
        for found in [
            Model::<f64, 6>::platform(&hexapod, &q, &[0.0; 6], &home),
            Model::<f64, 6>::platform(&hexapod.mechanism(), &q, &[0.0; 6], &home),
        ] {
            assert!(found.margin.is_nan() || found.margin <= 0.0, "{l}: {}", found.margin);
        }
    }
}
