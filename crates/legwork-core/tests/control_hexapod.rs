//! A hexapod in closed form is to a regulator what the general mechanism is: the same answers, by other formulas.

mod engine_support;

use legwork_core::V3;
use legwork_core::control::{Model, Platform};
use legwork_core::engine::{Pose, Twist};
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

/// A pose far away or a leg that cannot be is no answer.
#[test]
fn what_cannot_be_has_no_margin() {
    let parameters: gough_stewart::Parameters<f64> = engine_support::gough(&golden("gough_stewart.json"));
    let hexapod = parameters.hexapod();
    let home = Pose::translation(V3::new(0.0, 0.0, 0.9));
    let mut q = hexapod.lengths(&home);
    q[0] += 3.0;
    let found = Model::<f64, 6>::platform(&hexapod, &q, &[0.0; 6], &home);
    assert!(found.margin.is_nan() || found.margin <= 0.0);
}
