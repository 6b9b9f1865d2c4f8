//! The Delta before numbers that this code did not make.

use legwork_core::linalg::singular_values;
use legwork_core::robots::catalog;
use legwork_core::robots::delta::{Assembly, Delta, Forearm, Geometry, Inertia, Linkage, Motion, Motor};
use legwork_core::{Real, V3};
use legwork_testkit::{golden, nan_max, numbers, relative_error, triple};
use serde_json::Value;

/// The robot that a golden file describes.
fn robot(file: &Value) -> Delta<f64> {
    let p = |key: &str| file["parameters"][key].as_f64().expect(key);
    let geometry = Geometry {
        base_radius: p("RA"),
        platform_radius: p("RB"),
        arm: p("LA"),
        forearm: p("LB"),
        azimuth: Geometry::regular_azimuth(),
    };
    let rods = Inertia::thin_rods(&geometry, p("m_n"), p("m_br"), p("m_ab"), p("g"));
    let inertia = Inertia { payload: p("m_payload"), elbow: p("m_c"), ..rods };
    let motor = Motor { inertia: p("I_m"), ..Motor::ideal() };
    Delta::new(Linkage::new(geometry).unwrap(), inertia, motor).unwrap()
}

/// Worst relative error of each quantity over all states, computed in scalar `T`.
fn worst<T: Real>(file: &Value, to: fn(T) -> f64) -> Vec<(&'static str, f64)> {
    let delta = robot(file).cast::<T>();
    let v3 = |a: [f64; 3]| V3::from(a).map(T::from_f64);
    let out = |v: V3<T>| v.map(to).to_array().to_vec();
    let flat = |rows: [[T; 3]; 3]| rows.into_iter().flatten().map(to).collect::<Vec<_>>();
    let mut table: Vec<(&'static str, f64)> = Vec::new();
    for state in file["states"].as_array().unwrap() {
        let motion = Motion {
            position: v3(triple(state, "/platform/position")),
            velocity: v3(triple(state, "/platform/twist")),
            acceleration: v3(triple(state, "/platform/acceleration")),
        };
        let v = motion.velocity;
        let posture = delta.linkage().posture_at(motion.position).value;
        let effort = delta.torque_for(&motion, V3::zero()).value;
        let forward = delta.acceleration(&posture, v, v3(triple(state, "/forward/effort")), V3::zero()).value;
        let from_joints = delta
            .acceleration_of(
                v3(triple(state, "/joint/q")),
                v3(triple(state, "/joint/qd")),
                v3(triple(state, "/forward/effort")),
                V3::zero(),
                Assembly::Below,
            )
            .value;
        let external = delta.torque_for(&motion, v3(triple(state, "/external/wrench"))).value;
        let back = delta.linkage().posture_of(v3(triple(state, "/joint/q")), Assembly::Below).value;
        let sigma = singular_values(posture.jacobian());
        let rows = [
            ("inverse kinematics", out(posture.angles()), "/joint/q"),
            ("forward kinematics", out(back.position), "/platform/position"),
            ("joint velocity", out(effort.qdot), "/joint/qd"),
            (
                "platform velocity",
                out(back.platform_velocity(v3(triple(state, "/joint/qd")))),
                "/platform/twist",
            ),
            ("joint acceleration", out(effort.qddot), "/joint/qdd"),
            ("effort", out(effort.torque), "/effort"),
            ("mass matrix", flat(delta.mass_matrix(&posture).to_matrix().to_rows()), "/mass_matrix"),
            ("coriolis", out(delta.coriolis_torque(&posture, v)), "/coriolis_effort"),
            ("gravity", out(delta.gravity_torque(&posture)), "/gravity_effort"),
            ("jacobian", flat(posture.jacobian().to_rows()), "/jacobian"),
            ("condition", vec![to(sigma.x / sigma.z)], "/jacobian_condition_scaled"),
            ("forward, platform", out(forward.platform), "/forward/platform_acceleration"),
            ("forward, joints", out(forward.joint), "/forward/qdd"),
            ("forward from joints", out(from_joints.joint), "/forward/qdd"),
            ("external force", out(external.torque), "/external/effort"),
            ("kinetic energy", vec![to(delta.kinetic_energy(&posture, v))], "/kinetic_energy"),
            ("potential energy", vec![to(delta.potential_energy(&posture))], "/potential_energy"),
        ];
        for (name, found, pointer) in rows {
            let error = relative_error(&found, &numbers(state.pointer(pointer).unwrap()));
            match table.iter_mut().find(|row| row.0 == name) {
                Some(row) => row.1 = nan_max(row.1, error),
                None => table.push((name, error)),
            }
        }
    }
    table
}

fn assert_below(file: &str, scalar: &str, table: &[(&'static str, f64)], bar: f64) {
    for (name, error) in table {
        println!("{file:24} {scalar} {name:22} {error:.1e}");
        assert!(*error < bar, "{file}: {name} is off by {error:.1e}, more than {bar:.0e}");
    }
}

#[test]
fn agrees_with_the_maximal_coordinate_solver() {
    for file in ["delta_ngoc.json", "delta_industrial.json"] {
        let data = golden(file);
        assert_below(file, "f64", &worst::<f64>(&data, |x| x), 1e-12); // the data are good to about 1e-14
        // f32: 6e-8 per rounding, times about 20 in a row, times the condition of J (up to 4).
        assert_below(file, "f32", &worst::<f32>(&data, f64::from), 5e-6);
    }
}

/// \[Codourey1998\] complete and simplified model on the direct-drive Delta, by Lagrange's equation on mass points.
#[test]
fn agrees_with_lagrange_on_mass_points() {
    let file = golden("delta_direct_drive_points.json");
    let exact = catalog::delta_direct_drive();
    let simplified = exact.with_forearm(Forearm::SIMPLIFIED);
    let linkage = exact.linkage();
    for case in file["delta_direct_drive"]["cases"].as_array().unwrap() {
        let at = |key: &str| V3::from(triple(case, key));
        let (x, q) = (at("/X"), at("/q"));
        let posture = linkage.posture(x).unwrap();
        let (qdot, qddot) = (at("/qd"), at("/qdd"));
        let v = posture.platform_velocity(qdot);
        let acceleration = posture.platform_acceleration(v, qdot, qddot);
        let matrix = |d: &Delta<f64>| d.mass_matrix(&posture).to_matrix().to_rows().concat();
        let torque =
            |d: &Delta<f64>| d.torque(&posture, v, acceleration, V3::zero()).torque.to_array().to_vec();
        let elbows_in = linkage.all_inverse_kinematics(x).unwrap()[7].1;
        let rows: [(Vec<f64>, &str); 12] = [
            (posture.angles().to_array().to_vec(), "/q"),
            (elbows_in.to_array().to_vec(), "/q_elbow_in"),
            (linkage.forward_kinematics(q, Assembly::Above).unwrap().to_array().to_vec(), "/X_upper_branch"),
            (linkage.forward_kinematics(q, Assembly::Below).unwrap().to_array().to_vec(), "/X"),
            (posture.jacobian().to_rows().concat(), "/J"),
            (posture.velocity_product(v, qdot).to_array().to_vec(), "/Jdot_qd"),
            (v.to_array().to_vec(), "/Xd"),
            (acceleration.to_array().to_vec(), "/Xdd"),
            (matrix(&exact), "/A_complete"),
            (matrix(&simplified), "/A_simplified"),
            (torque(&exact), "/tau_complete"),
            (torque(&simplified), "/tau_simplified"),
        ];
        for (found, pointer) in rows {
            let error = relative_error(&found, &numbers(case.pointer(pointer).unwrap()));
            assert!(error < 1e-12, "{pointer} is off by {error:.1e}"); // 15 printed digits, condition of J about 10
        }
        let gravity = exact.gravity_torque(&posture).to_array();
        assert!(relative_error(&gravity, &triple(case, "/tau_gravity")) < 1e-12);
    }
}

/// R. L. Williams' worked examples of the IRB 360-1/1600, arm 1 along −y; recomputed digits.
#[test]
fn agrees_with_williams_irb360() {
    let (side_base, side_platform) = (0.567, 0.076);
    let root3 = 3.0_f64.sqrt();
    let linkage = Linkage::new(Geometry {
        base_radius: side_base / (2.0 * root3),
        platform_radius: side_platform / root3,
        arm: 0.524,
        forearm: 1.244,
        azimuth: V3::new(-90.0, 30.0, 150.0).map(f64::to_radians),
    })
    .unwrap();
    let degrees = |x: [f64; 3]| linkage.inverse_kinematics(x.into()).unwrap().map(f64::to_degrees).to_array();
    let close = |found: [f64; 3], printed: [f64; 3], digit: f64| {
        for (f, p) in found.iter().zip(printed) {
            assert!((f - p).abs() <= 0.5 * digit + 1e-12, "{found:?} against {printed:?}"); // half the last digit
        }
    };
    close(degrees([0.0, 0.0, -0.9]), [-20.547; 3], 1e-3);
    close(degrees([0.3, 0.5, -1.1]), [47.504, -11.569, 21.378], 1e-3);
    let forward = |q: [f64; 3], assembly| {
        let q = V3::from(q).map(f64::to_radians);
        linkage.forward_kinematics(q, assembly).unwrap().to_array()
    };
    close(forward([0.0; 3], Assembly::Below), [0.0, 0.0, -1.064452], 1e-6);
    close(forward([0.0; 3], Assembly::Above), [0.0, 0.0, 1.064452], 1e-6);
    close(forward([10.0, 20.0, 30.0], Assembly::Below), [0.108135, -0.180348, -1.243541], 1e-6);
    close(forward([10.0, 20.0, 30.0], Assembly::Above), [-0.069861, 0.120100, 0.894509], 1e-6);
}

/// The survey Delta: static and moving torques and the platform mass matrix from two independent derivations.
#[test]
fn agrees_with_the_survey_delta() {
    let delta = catalog::survey_delta();
    let x = V3::new(0.05, -0.03, -0.65);
    let rest = delta.inverse_dynamics(&Motion::rest(x), V3::zero()).unwrap().torque.to_array();
    let moving =
        Motion { position: x, velocity: V3::new(1.0, 0.5, -0.3), acceleration: V3::new(10.0, -20.0, 5.0) };
    let moving = delta.inverse_dynamics(&moving, V3::zero()).unwrap().torque.to_array();
    let posture = delta.linkage().posture(x).unwrap();
    let mass = delta.platform_mass_matrix(&posture).to_matrix().to_rows();
    let printed_mass = [
        [1.142_163, 0.004_143, -0.057_226],
        [0.004_143, 1.115_288, 0.033_642],
        [-0.057_226, 0.033_642, 1.750_302],
    ];
    let close = |found: &[f64], printed: &[f64], digit: f64| {
        for (f, p) in found.iter().zip(printed) {
            assert!((f - p).abs() <= 0.5 * digit + 1e-12, "{found:?} against {printed:?}"); // half the last digit
        }
    };
    close(&rest, &[-3.051_574_43, -2.282_262_73, -2.691_076_91], 1e-8);
    close(&moving, &[-7.201_887, 5.377_708, -7.755_041], 1e-6);
    close(&mass.concat(), &printed_mass.concat(), 1e-6);
}
