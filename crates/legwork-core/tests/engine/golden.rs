//! Every family before numbers that this code did not make: as a family, and as
//! chains of axes and placements with numerical leg kinematics.

use crate::engine_support as support;
use legwork_core::engine::{JointKind, PlatformMotion, Robot, Wrench};
use legwork_core::robots::delta::{Delta, Geometry, Inertia, Linkage, Motor};
use legwork_core::robots::delta_legs::delta_legs;
use legwork_testkit::{golden, nan_max, numbers, relative_error};
use serde_json::Value;

type Table = Vec<(&'static str, f64)>;

/// Difference of angles brought to (−π, π], of lengths as it is.
fn joint_difference(kinds: &[JointKind], found: &[f64], wanted: &[f64]) -> Vec<f64> {
    let turn = std::f64::consts::TAU;
    kinds
        .iter()
        .zip(found.iter().zip(wanted))
        .map(|(kind, (f, w))| match kind {
            JointKind::Revolute => w + (f - w + turn / 2.0).rem_euclid(turn) - turn / 2.0,
            JointKind::Prismatic => *f,
        })
        .collect()
}

/// Worst relative error of each quantity over all states. `home` is added to the joint coordinates.
fn worst<const N: usize, const M: usize, const D: usize, const K: usize>(
    file: &Value,
    robot: &Robot<f64, N, M, D, K>,
    home: &[f64; K],
    scale: Scale,
) -> Table {
    let m = robot.mechanism();
    let angular: [bool; D] =
        std::array::from_fn(|i| file["platform_rate_order"][i].as_str().unwrap().starts_with('w'));
    let mut table: Table = Vec::new();
    for state in file["states"].as_array().unwrap() {
        let pose = support::pose(state);
        let motion = PlatformMotion {
            pose,
            rate: support::array(state, "/platform/twist"),
            acceleration: support::array(state, "/platform/acceleration"),
        };
        let effort = m.inverse_dynamics(&motion, Wrench::zero());
        assert!(effort.is_valid());
        let effort = effort.value;
        let task = m.task_dynamics(&pose, &motion.rate).value;
        let by_20 = task.effort(&motion.acceleration, &[0.0; D]).value;
        let joint = task.joint_dynamics().value;
        let tau: [f64; K] = support::array(state, "/forward/effort");
        let forward = m.direct_dynamics(&pose, &motion.rate, &tau, Wrench::zero()).value;
        let pushed = support::wrench(robot, &support::array(state, "/external/wrench"));
        let external = m.inverse_dynamics(&motion, pushed).value;
        let (kinetic, potential) = m.energy(&pose, &motion.rate);
        let coordinates = task.active.coordinates();
        let shifted: Vec<f64> = coordinates.iter().zip(home).map(|(q, h)| q + h).collect();
        let wanted = numbers(&state["joint"]["q"]);
        let q = joint_difference(&task.active.kinds, &shifted, &wanted);
        let jacobian: [[f64; K]; D] = joint.jacobian;
        let scaled: [[f64; D]; D] = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let turning = task.active.kinds[j] == JointKind::Revolute;
                let row = if angular[i] { scale.radius } else { 1.0 };
                jacobian[i][j] * row / if turning { scale.lever } else { 1.0 }
            })
        });
        let sigma = support::singular_values(&scaled);
        let rows: [(&'static str, Vec<f64>, &str); 15] = [
            ("inverse kinematics", q, "/joint/q"),
            ("joint velocity", effort.rate.to_vec(), "/joint/qd"),
            ("joint acceleration", effort.acceleration.to_vec(), "/joint/qdd"),
            ("effort (21)", effort.effort.to_vec(), "/effort"),
            ("effort (20)", by_20.to_vec(), "/effort"),
            ("mass matrix", joint.mass.concat(), "/mass_matrix"),
            ("coriolis", joint.coriolis.to_vec(), "/coriolis_effort"),
            ("gravity", joint.gravity.to_vec(), "/gravity_effort"),
            ("jacobian", jacobian.concat(), "/jacobian"),
            ("condition", vec![sigma[0] / sigma[D - 1]], "/jacobian_condition_scaled"),
            ("forward, platform", forward.platform.to_vec(), "/forward/platform_acceleration"),
            ("forward, joints", forward.joint.to_vec(), "/forward/qdd"),
            ("external wrench", external.effort.to_vec(), "/external/effort"),
            ("kinetic energy", vec![kinetic], "/kinetic_energy"),
            ("potential energy", vec![potential], "/potential_energy"),
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

/// Holds a robot against its file, as a family and as tables of axes and placements.
fn judge<const N: usize, const M: usize, const D: usize, const K: usize>(
    name: &str,
    robot: &Robot<f64, N, M, D, K>,
    scale: Scale,
) {
    let file = golden(name);
    let mut failed = Vec::new();
    // 1e-11: the data are good to 1e-12, 1e-11 where the Jacobian is badly conditioned (reference README).
    let mut check = |form: &str, table: Table| {
        for (quantity, error) in table {
            println!("{name:20} {form:7} {quantity:20} {error:.1e}");
            if error.is_nan() || error >= 1e-11 {
                failed.push(format!("{name} as {form}: {quantity} is off by {error:.1e}"));
            }
        }
    };
    check("family", worst(&file, robot, &[0.0; K], scale));

    let home = support::pose(&file["states"][0]);
    let tables = robot.legs.map(|leg| support::as_table(&leg, &home));
    let mut offsets = Vec::new();
    for (leg, at) in &tables {
        offsets.extend(leg.chain.links.iter().zip(at).filter(|(link, _)| link.active).map(|(_, q)| *q));
    }
    let general = Robot { legs: tables.map(|(leg, _)| leg), ..*robot };
    check("chains", worst(&file, &general, &offsets.try_into().unwrap(), scale));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// How `jacobian_condition_scaled` makes the Jacobian comparable: angular rows times a
/// radius, columns of turning motors over a lever where the motors are of both kinds \[m\].
///
/// The files do not say these lengths. They were found by search: each makes all twenty
/// condition numbers of its file come out to 1e-14, and no other does.
#[derive(Clone, Copy)]
struct Scale {
    radius: f64,
    lever: f64,
}

const fn scale(radius: f64, lever: f64) -> Scale {
    Scale { radius, lever }
}

#[test]
fn gough_stewart() {
    judge("gough_stewart.json", &support::gough(&golden("gough_stewart.json")).robot(), scale(0.35, 1.0));
}

#[test]
fn space_radial() {
    judge("space_radial.json", &support::space(&golden("space_radial.json")).robot(), scale(0.22, 0.7));
}

#[test]
fn space_table_1() {
    judge("space_table1.json", &support::space(&golden("space_table1.json")).robot(), scale(0.22, 0.7));
}

#[test]
fn c5() {
    judge("c5.json", &support::c5(&golden("c5.json")).robot(), scale(0.1, 1.0));
}

#[test]
fn hexa() {
    judge("hexa.json", &support::hexa(&golden("hexa.json")).robot(), scale(0.15, 1.0));
}

#[test]
fn linear_delta() {
    judge("linear_delta.json", &support::linear_delta(&golden("linear_delta.json")).robot(), scale(1.0, 1.0));
}

#[test]
fn five_bar() {
    judge("fivebar.json", &support::five_bar(&golden("fivebar.json")).robot(), scale(1.0, 1.0));
}

#[test]
fn rrr3() {
    judge("rrr3.json", &support::rrr3(&golden("rrr3.json")).robot(), scale(0.09, 1.0));
}

/// The rotary Deltas of the closed form, through the engine.
#[test]
fn deltas() {
    for name in ["delta_ngoc.json", "delta_industrial.json"] {
        let file = golden(name);
        let p = |key: &str| support::number(&file, key);
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
        let delta = Delta::new(Linkage::new(geometry).unwrap(), inertia, motor).unwrap();
        judge(name, &delta_legs(&delta), scale(1.0, 1.0));
    }
}
