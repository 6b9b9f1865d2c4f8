//! What regulators ask of a robot: the closed-form Delta against the same robot through the engine, the engine
//! against identities.

use crate::engine_support;
use legwork_core::V3;
use legwork_core::control::{AssembledDelta, Model, Platform, Reference};
use legwork_core::engine::{Pose, Twist};
use legwork_core::motion::Quaternion;
use legwork_core::robots::delta::{Assembly, Delta, Geometry, Linkage};
use legwork_core::robots::{catalog, delta_legs::delta_legs};
use legwork_testkit::{Seeded, golden, relative_error};

fn flat<const K: usize>(m: [[f64; K]; K]) -> Vec<f64> {
    m.as_flattened().to_vec()
}

#[test]
fn delta_answers_as_its_legs_in_the_engine() {
    let delta = catalog::delta_industrial();
    let legs = delta_legs(&delta);
    let mut random = Seeded::new(1);
    for _ in 0..50 {
        let platform = Platform {
            pose: Pose::translation(V3::from(random.triple(0.2)) + V3::along_z(-0.8)),
            twist: Twist::new(V3::from(random.triple(2.0)), V3::zero()),
            acceleration: Twist::new(V3::from(random.triple(40.0)), V3::zero()),
        };
        // 1e-10: rounding, times the condition of the posture and of Newton's last step.
        let close = |what: &str, a: &[f64], b: &[f64]| {
            let error = relative_error(a, b);
            assert!(error < 1e-10, "{what}: {error:.1e}");
        };
        let (a, b) = (delta.joints(&platform).value, legs.joints(&platform).value);
        close("q", &a.q, &b.q);
        close("qdot", &a.qdot, &b.qdot);
        close("qddot", &a.qddot, &b.qddot);
        close("effort", &delta.effort(&platform).value, &legs.effort(&platform).value);
        let pose = &platform.pose;
        close("gravity", &delta.gravity(pose).value, &legs.gravity(pose).value);
        close("mass", &flat(delta.joint_mass_matrix(pose).value), &flat(legs.joint_mass_matrix(pose).value));
        let qddot = random.triple(50.0);
        let (c, d) = (
            delta.platform_acceleration(pose, &platform.twist, &qddot).value,
            legs.platform_acceleration(pose, &platform.twist, &qddot).value,
        );
        close("acceleration", &c.to_vector_linear_first(), &d.to_vector_linear_first());
        let (e, f) = (
            delta.effort_from_joints(pose, &platform.twist, &qddot).value,
            legs.effort_from_joints(pose, &platform.twist, &qddot).value,
        );
        close("effort from joints", &e, &f);
        // Forward kinematics from a pose 10 mm away gives back what was put in.
        let near = Pose::translation(pose.position + V3::new(0.006, -0.008, 0.0));
        for found in [delta.platform(&a.q, &a.qdot, &near), legs.platform(&a.q, &a.qdot, &near)] {
            assert!(found.margin > 0.0);
            close("position", &found.value.0.position.to_array(), &pose.position.to_array());
            close("twist", &found.value.1.to_vector_linear_first(), &platform.twist.to_vector_linear_first());
        }
    }
}

#[test]
fn a_platform_above_the_elbows() {
    let delta = catalog::delta_industrial();
    let above = AssembledDelta { delta, assembly: Assembly::Above };
    let q = [0.3, 0.4, 0.5];
    let (low, high) =
        (delta.platform(&q, &[0.0; 3], &Pose::identity()), above.platform(&q, &[0.0; 3], &Pose::identity()));
    assert!(low.value.0.position.z < high.value.0.position.z && high.margin > 0.0);
}

#[test]
fn hexapod_in_closed_form_answers_as_its_chains() {
    let parameters = engine_support::gough(&golden("gough_stewart.json"));
    let (fast, general) = (parameters.hexapod(), parameters.robot());
    let mut random = Seeded::new(2);
    for _ in 0..30 {
        let [x, y, z] = random.triple(0.1);
        let rotation = Quaternion { scalar: 1.0, vector: V3::new(x, y, z) }.rotation();
        let platform = Platform {
            pose: Pose::new(rotation, V3::from(random.triple(0.08)) + V3::along_z(0.9)),
            twist: Twist::new(V3::from(random.triple(0.5)), V3::from(random.triple(0.5))),
            acceleration: Twist::new(V3::from(random.triple(3.0)), V3::from(random.triple(3.0))),
        };
        // 1e-9: rounding, times the condition of J_r.
        assert!(relative_error(&fast.effort(&platform).value, &general.effort(&platform).value) < 1e-9);
        let joints = fast.joints(&platform);
        assert!(joints.margin > 0.0);
        // Joint accelerations back to the platform's.
        let back = general.platform_acceleration(&platform.pose, &platform.twist, &joints.value.qddot).value;
        let expected = platform.acceleration.to_vector_linear_first();
        assert!(relative_error(&back.to_vector_linear_first(), &expected) < 1e-9);
        // A column of the mass matrix is the effort of a unit acceleration of one motor without weight and motion.
        let mass = fast.joint_mass_matrix(&platform.pose).value;
        let still = fast.gravity(&platform.pose).value;
        #[allow(clippy::needless_range_loop)] // a column
        for motor in 0..6 {
            let unit = std::array::from_fn(|k| f64::from(u8::from(k == motor)));
            let rest = Platform::rest(platform.pose);
            let acceleration = fast.platform_acceleration(&rest.pose, &rest.twist, &unit).value;
            let effort = fast.effort(&Platform { acceleration, ..rest }).value;
            let column: [f64; 6] = std::array::from_fn(|k| effort[k] - still[k]);
            assert!(relative_error(&column, &std::array::from_fn::<_, 6, _>(|k| mass[k][motor])) < 1e-9);
        }
        // Forward kinematics, warm: 5 mm and 10 mrad away.
        let near = platform.pose.moved(&Twist::new(V3::new(0.003, 0.004, 0.0), V3::new(0.0, 0.006, 0.008)));
        let found = fast.platform(&joints.value.q, &joints.value.qdot, &near);
        assert!(found.margin > 0.0);
        assert!((found.value.0.position - platform.pose.position).norm_sq().sqrt() < 1e-12);
        let twist = platform.twist.to_vector_linear_first();
        assert!(relative_error(&found.value.1.to_vector_linear_first(), &twist) < 1e-9);
    }
}

#[test]
fn no_answer_is_told_by_the_margin() {
    let far = Platform::rest(Pose::translation(V3::new(0.0, 0.0, -9.0)));
    let delta = catalog::delta_industrial();
    let legs = delta_legs(&delta);
    let geometry = Geometry {
        base_radius: 0.5,
        platform_radius: 0.0,
        arm: 0.3,
        forearm: 0.6,
        ..*delta.linkage().geometry()
    };
    let wide = Delta::new(Linkage::new(geometry).unwrap(), *delta.inertia(), *delta.motor()).unwrap();
    for margin in [
        delta.joints(&far).margin,
        delta.effort(&far).margin,
        delta.joint_mass_matrix(&far.pose).margin,
        legs.joints(&far).margin,
        legs.effort(&far).margin,
        Reference::at(&delta, &far).margin,
        // Arms outwards on a wide base: the forearms do not meet.
        wide.platform(&[0.0; 3], &[0.0; 3], &far.pose).margin,
        delta_legs(&wide).platform(&[0.0; 3], &[0.0; 3], &Pose::translation(V3::along_z(-0.5))).margin,
    ] {
        assert!(margin.is_nan() || margin <= 0.0, "{margin}");
    }
}

/// A Delta of any size: distances to its singularities have no unit.
#[test]
fn margins_of_a_delta_do_not_depend_on_the_unit() {
    let known = catalog::delta_industrial();
    let margins = |l: f64| {
        let Geometry { base_radius, platform_radius, arm, forearm, .. } = *known.linkage().geometry();
        let geometry = Geometry {
            base_radius: base_radius * l,
            platform_radius: platform_radius * l,
            arm: arm * l,
            forearm: forearm * l,
            ..*known.linkage().geometry()
        };
        let mut inertia = *known.inertia();
        (inertia.arm_centre, inertia.forearm_centre) = (inertia.arm_centre * l, inertia.forearm_centre * l);
        let delta = Delta::new(Linkage::new(geometry).unwrap(), inertia, *known.motor()).unwrap();
        let platform = Platform::rest(Pose::translation(V3::new(0.1, -0.05, -0.8) * l));
        let joints = delta.joints(&platform);
        let found = delta.platform(&joints.value.q, &[0.0; 3], &platform.pose);
        [joints.margin, found.margin, delta.effort(&platform).margin]
    };
    let here = margins(1.0);
    for l in [1e-6, 1e-3, 1e3] {
        let found = margins(l);
        for (a, b) in found.iter().zip(here) {
            assert!((a - b).abs() < 1e-9 * b, "{l}: {a} {b}"); // rounding, times the condition
        }
    }
}

#[test]
fn a_model_by_reference_or_of_any_kind() {
    let delta = catalog::delta_industrial();
    let rest = Platform::rest(Pose::translation(V3::along_z(-0.8)));
    let legs = delta_legs(&delta);
    let many: [&dyn Model<f64, 3>; 2] = [&delta, &legs];
    for model in many {
        let held = Reference::at(model, &rest).value;
        assert!(relative_error(&held.q, &delta.joints(&rest).value.q) < 1e-12);
        assert!(relative_error(&model.gravity(&rest.pose).value, &delta.effort(&rest).value) < 1e-12);
    }
}
