//! Kinematics of the Delta: inverse against forward, rates against differences,
//! the symmetry of the robot, its singular places and its errors.

use legwork_core::robots::catalog;
use legwork_core::robots::delta::{
    Assembly, Elbow, Geometry, Linkage, MeetError, ParameterFault, PostureError, Reach, WorkingMode,
};
use legwork_core::{Dual, M3, V3};
use legwork_testkit::{jacobian_fd, nan_min, relative_error};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn linkage() -> Linkage<f64> {
    *catalog::delta_direct_drive().linkage()
}

/// Positions every leg of the direct-drive Delta reaches: a quarter of a metre around the axis.
fn reachable() -> impl Strategy<Value = V3<f64>> {
    (-0.2..0.2, -0.2..0.2, -0.45..-0.25).prop_map(|(x, y, z)| V3::new(x, y, z))
}

fn vector(size: f64) -> impl Strategy<Value = V3<f64>> {
    let range = -size..size;
    (range.clone(), range.clone(), range).prop_map(|(x, y, z)| V3::new(x, y, z))
}

fn distance(a: V3<f64>, b: V3<f64>) -> f64 {
    (a - b).norm_sq().sqrt()
}

proptest! {
    // The same cases on every machine; another seed looks further.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1998), failure_persistence: None, ..ProptestConfig::default() })]

    /// All eight working modes close the loop, and forward kinematics finds each of them.
    #[test]
    fn forward_undoes_inverse_in_every_working_mode(x in reachable()) {
        for (mode, q) in linkage().all_inverse_kinematics(x).unwrap() {
            let posture = linkage().with_working_mode(mode).posture(x).unwrap();
            for leg in posture.legs.to_array() {
                prop_assert!((leg.s.norm_sq().sqrt() - 0.48).abs() < 1e-14); // lengths of 0.5 m: a few ulp
            }
            let near = [Assembly::Below, Assembly::Above]
                .map(|side| linkage().forward_kinematics(q, side).map_or(f64::INFINITY, |p| distance(p, x)));
            // Rounding of 1e-16 is amplified by one over the distance to the parallel singularity.
            let bound = 1e-14 / posture.forearm_volume().abs();
            prop_assert!(nan_min(near[0], near[1]) < bound, "{mode}: {near:?}");
        }
    }

    /// The sign of s·b tells the working mode: negative out, positive in.
    #[test]
    fn transmission_has_the_sign_of_the_elbow(x in reachable()) {
        for mode in WorkingMode::all() {
            let serial = linkage().with_working_mode(mode).posture(x).unwrap().singularity().serial;
            for (elbow, transmission) in mode.0.iter().zip(serial.to_array()) {
                prop_assert_eq!(*elbow == Elbow::Out, transmission < 0.0);
            }
        }
    }

    /// J is the derivative of the closed-form forward kinematics, taken by dual numbers (eq 36).
    #[test]
    fn jacobian_is_the_derivative_of_forward_kinematics(x in reachable()) {
        let posture = linkage().posture(x).unwrap();
        let q = posture.angles();
        let dual = linkage().map(Dual::<f64, 3>::constant);
        let variables = V3::new(Dual::variable(q.x, 0), Dual::variable(q.y, 1), Dual::variable(q.z, 2));
        let position = dual.posture_of(variables, Assembly::Below).value.position;
        let derivative = position.to_array().map(|row| row.eps).concat();
        // 1e-12: rounding times the condition of the sphere intersection.
        prop_assert!(relative_error(&posture.jacobian().to_rows().concat(), &derivative) < 1e-12);
        prop_assert!(relative_error(&(posture.jacobian() * posture.inverse_jacobian()).to_rows().concat(),
            &M3::diagonal(V3::splat(1.0)).to_rows().concat()) < 1e-12);
    }

    /// J⁻¹ is the derivative of the inverse kinematics, taken by central differences.
    #[test]
    fn inverse_jacobian_is_the_difference_of_inverse_kinematics(x in reachable()) {
        let difference = jacobian_fd(|x| linkage().inverse_kinematics(x.into()).unwrap().to_array(), x.to_array(), 1e-6);
        let exact = linkage().posture(x).unwrap().inverse_jacobian().to_rows().concat();
        prop_assert!(relative_error(&difference.concat(), &exact) < 1e-7); // h² / (distance to the edge)²
    }

    /// q̈ and J̇ are the time derivatives of q̇ and J along a path (eq 37), by dual numbers in time.
    #[test]
    fn accelerations_differentiate_velocities(x in reachable(), v in vector(2.0), a in vector(40.0)) {
        let dual = linkage().map(Dual::<f64, 1>::constant);
        let along = |value: V3<f64>, rate: V3<f64>| value.zip(rate, |re, e| Dual { re, eps: [e] });
        let posture = dual.posture_at(along(x, v)).value;
        let rate = posture.joint_velocity(along(v, a)).map(|q| q.eps[0]).to_array();
        let here = linkage().posture(x).unwrap();
        let qddot = here.joint_acceleration(v, a);
        prop_assert!(relative_error(&qddot.to_array(), &rate) < 1e-12); // rounding only
        let jacobian_rate = posture.jacobian().to_rows().concat().iter().map(|j| j.eps[0]).collect::<Vec<_>>();
        prop_assert!(relative_error(&here.jacobian_rate(v).to_rows().concat(), &jacobian_rate) < 1e-11);
        // and back: ẍ = J q̈ + J̇ q̇
        let qdot = here.joint_velocity(v);
        let again = here.platform_acceleration(v, qdot, qddot);
        let product = here.jacobian() * qddot + here.jacobian_rate(v) * qdot;
        prop_assert!(relative_error(&again.to_array(), &a.to_array()) < 1e-11);
        prop_assert!(relative_error(&product.to_array(), &a.to_array()) < 1e-11);
    }

    /// A third of a turn of the platform permutes the legs.
    #[test]
    fn a_third_of_a_turn_permutes_the_legs(x in reachable()) {
        let third = std::f64::consts::TAU / 3.0;
        let turned = M3::rotation_z(third.cos(), third.sin()) * x;
        let (q, p) = (linkage().inverse_kinematics(x).unwrap(), linkage().inverse_kinematics(turned).unwrap());
        prop_assert!(relative_error(&p.to_array(), &[q.z, q.x, q.y]) < 1e-12); // rounding of the rotation
    }

    /// Turning all azimuths turns the robot.
    #[test]
    fn azimuth_turns_the_whole_robot(x in reachable(), turn in -3.0..3.0_f64) {
        let geometry = *linkage().geometry();
        let azimuth = geometry.azimuth.map(|a| a + turn);
        let turned = Linkage::new(Geometry { azimuth, ..geometry }).unwrap();
        let (q, p) = (
            linkage().inverse_kinematics(x).unwrap(),
            turned.inverse_kinematics(M3::rotation_z(turn.cos(), turn.sin()) * x).unwrap(),
        );
        prop_assert!(relative_error(&p.to_array(), &q.to_array()) < 1e-11);
    }

    /// Eq 27 with its Δ: the error is where spec and theory put it.
    #[test]
    fn numerical_jacobian_is_as_good_as_its_step(x in reachable()) {
        let posture = linkage().posture(x).unwrap();
        let exact = posture.jacobian().to_rows().concat();
        let error = |step: f64| {
            let found = linkage().numerical_jacobian(posture.angles(), Assembly::Below, step).value;
            relative_error(&found.to_rows().concat(), &exact)
        };
        prop_assert!(error(1e-7) < 2e-6 && error(1e-3) > error(1e-7)); // truncation ∝ Δ, rounding ∝ 1/Δ
    }

    /// Any geometry that passes the checks: forward ∘ inverse = identity, no NaN without an error.
    #[test]
    fn any_geometry_closes_or_says_why(
        radii in (0.0..0.5, 0.0..0.5), arm in 0.05..1.0, forearm in 0.05..2.0, x in vector(1.5),
    ) {
        let geometry = Geometry {
            base_radius: radii.0, platform_radius: radii.1, arm, forearm, azimuth: Geometry::regular_azimuth(),
        };
        let Ok(linkage) = Linkage::new(geometry) else { return Ok(()) };
        match linkage.posture(x) {
            Ok(posture) => {
                for leg in posture.legs.to_array() {
                    // near the stretched leg √D² loses half the digits
                    prop_assert!((leg.s.norm_sq().sqrt() - forearm).abs() < 1e-7);
                }
            }
            Err(PostureError::Unreachable { gap, .. }) => prop_assert!(gap >= 0.0 && gap.is_finite()),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}

/// Out of reach: the leg, the way and the missing millimetres; checked by lengthening the forearm by just that.
#[test]
fn unreachable_positions_name_the_leg_and_the_gap() {
    let linkage = linkage();
    let far = V3::new(0.0, 0.0, -1.0);
    let error = linkage.inverse_kinematics(far).unwrap_err();
    let PostureError::Unreachable { leg: 0, reach: Reach::TooFar, gap } = error else { panic!("{error:?}") };
    assert_eq!(error.to_string(), "out of reach: leg 1 is 263.195 mm too short, even stretched");
    let longer = |by: f64| {
        let g = *linkage.geometry();
        Linkage::new(Geometry { forearm: g.forearm + by, ..g }).unwrap().inverse_kinematics(far)
    };
    assert!(longer(gap + 1e-9).is_ok() && longer(gap - 1e-9).is_err());

    let close = linkage.inverse_kinematics(V3::new(0.08, 0.0, -0.1)).unwrap_err();
    assert!(matches!(close, PostureError::Unreachable { leg: 0, reach: Reach::TooClose, .. }), "{close}");
    let side = linkage.inverse_kinematics(V3::new(0.0, 0.6, -0.1)).unwrap_err();
    assert!(matches!(side, PostureError::Unreachable { .. }), "{side}");
}

#[test]
fn arms_that_cannot_carry_a_platform_say_so() {
    let wide = Geometry { base_radius: 0.4, ..*linkage().geometry() };
    let linkage = Linkage::new(wide).unwrap();
    let error = linkage.forward_kinematics(V3::zero(), Assembly::Below).unwrap_err();
    // elbows on a circle of 0.4 − 0.03 + 0.26 = 0.63 m, forearms of 0.48 m
    assert_eq!(error.to_string(), "the arms cannot meet: every forearm is 150.000 mm too short");
    assert!(matches!(error, PostureError::CannotMeet(MeetError::TooFarApart { .. })));

    // All elbows on the axis of the robot: arms pointing inwards, as long as the base radius.
    let inwards = Geometry { base_radius: 0.29, platform_radius: 0.03, ..*linkage.geometry() };
    let linkage = Linkage::new(inwards).unwrap();
    let q = V3::splat(std::f64::consts::PI);
    let error = linkage.forward_kinematics(q, Assembly::Below).unwrap_err();
    assert!(matches!(error, PostureError::CannotMeet(MeetError::CollinearElbows { .. })), "{error}");
    // A micrometre off it: an equilateral triangle in a circle of 1 µm.
    let nearly = Geometry { base_radius: 0.290001, ..inwards };
    let error = Linkage::new(nearly).unwrap().forward_kinematics(q, Assembly::Below).unwrap_err();
    let PostureError::CannotMeet(MeetError::CollinearElbows { area }) = error else { panic!("{error}") };
    let wanted = 0.75 * 3.0_f64.sqrt() * 1e-12;
    assert!((area - wanted).abs() < 1e-8 * wanted, "{area}"); // rounding of 0.29 m beside 1 µm
}

/// The platform joint on the motor axis, arm and forearm equally long: every motor angle fits.
#[test]
fn an_undetermined_arm_is_singular_not_nan() {
    let equal = Geometry { base_radius: 0.0, platform_radius: 0.0, forearm: 0.26, ..*linkage().geometry() };
    let error = Linkage::new(equal).unwrap().inverse_kinematics(V3::zero()).unwrap_err();
    assert!(matches!(error, PostureError::SerialSingularity { leg: 0, .. }), "{error}");
}

#[test]
fn not_a_number_is_refused_with_its_place() {
    let error = linkage().inverse_kinematics(V3::new(0.0, f64::NAN, -0.3)).unwrap_err();
    assert_eq!(error.to_string(), "component 2 of the position is NaN");
    let error = linkage().forward_kinematics(V3::new(f64::INFINITY, 0.0, 0.0), Assembly::Below).unwrap_err();
    assert_eq!(error.to_string(), "component 1 of the motor angles is inf");
}

#[test]
fn impossible_geometries_are_refused_with_the_number() {
    let good = *linkage().geometry();
    let fault = |geometry| Linkage::new(geometry).unwrap_err();
    let error = fault(Geometry { base_radius: 1.0, ..good });
    assert_eq!(
        error.to_string(),
        "`geometry.base_radius` makes the triangle impossible: base radius and platform radius differ by \
         970.000 mm, but arm and forearm together reach only 740.000 mm"
    );
    let error = fault(Geometry { arm: -0.26, ..good });
    assert_eq!(error.to_string(), "`geometry.arm` is -0.26; it must be larger than zero");
    let error = fault(Geometry { forearm: f64::NAN, ..good });
    assert!(matches!(error.fault, ParameterFault::NotFinite { .. }));
    let error = fault(Geometry { azimuth: V3::new(0.0, 2.0, std::f64::consts::TAU), ..good });
    assert_eq!(error.to_string(), "`geometry.azimuth` puts legs 1 and 3 in the same direction, 0.000 deg");
}

/// The measures mean what they say: 0 at a stretched leg, ±1 where forearm and elbow motion are parallel.
#[test]
fn singularity_measures_vanish_where_the_robot_does() {
    let linkage = linkage();
    let offset: f64 = 0.08;
    let stretched = -((0.26_f64 + 0.48).powi(2) - offset * offset).sqrt();
    let near = linkage.posture(V3::new(0.0, 0.0, stretched + 1e-9)).unwrap().singularity();
    assert!(near.serial.to_array().iter().all(|s| s.abs() < 1e-3), "{near:?}"); // √ of the distance
    // Short forearms: the platform comes up into the plane of the elbows (k = 0).
    let flat = Linkage::new(Geometry { forearm: 0.30, ..*linkage.geometry() }).unwrap();
    let angle = ((0.30 - 1e-9 - offset) / 0.26_f64).acos();
    let posture = flat.posture_from(V3::splat(angle), Assembly::Below).unwrap();
    assert!(posture.singularity().parallel.abs() < 1e-3);
    assert!(posture.singularity().condition > 1e3);
    // The isotropic value: forearm along the elbow's velocity.
    let best =
        linkage.posture(V3::new(0.0, 0.0, -(0.26_f64.powi(2) + 0.48_f64.powi(2) - offset * offset).sqrt()));
    for s in best.unwrap().singularity().serial.to_array() {
        assert!((s + 1.0).abs() < 1e-12, "{s}"); // arm ⟂ forearm
    }
}
