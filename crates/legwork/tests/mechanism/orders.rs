//! Pivots that are chosen again: ways on which those of home become small though nothing is singular.

use super::support::{described, golden_path, postures};
use legwork::mechanism::{Configuration, MechanismError, MechanismModel, PlatformPose, Target, Workspace};
use legwork_core::engine::RigidBody;
use legwork_core::{Sym3, V3};
use legwork_testkit::{gap, largest, nan_max, nan_min};

fn motors_of_state(name: &str, state: usize) -> Vec<f64> {
    let text = std::fs::read_to_string(golden_path(name)).unwrap();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    serde_json::from_value(file["states"][state]["motor"]["q"].clone()).unwrap()
}

/// The smallest margin of the pivots of home along a way of the motors.
fn smallest_margin(model: &MechanismModel, q: &[f64], workspace: &mut Workspace<f64>) -> f64 {
    let step: Vec<f64> = model.way_of_motors(q, model.home()).iter().map(|x| x / 400.0).collect();
    let mut at = model.home().clone();
    let mut least = f64::INFINITY;
    for _ in 0..400 {
        at = model.follow_motors(&step, &at, workspace).unwrap();
        least = nan_min(least, model.margin(&at, workspace));
    }
    least
}

#[test]
fn a_way_goes_on_where_the_pivots_of_home_vanish() {
    for (name, state) in [("sarrus", 1), ("made_up_3_30", 2)] {
        let model = MechanismModel::new(&described(name)).unwrap();
        let mut workspace = model.workspace();
        let q = motors_of_state(name, state);
        let least = smallest_margin(&model, &q, &mut workspace);
        // They change their sign on the way; a step of 1/400 comes that near to it.
        assert!(least < 0.02, "{name}: {least}");
        let there = model.forward_kinematics(&q, model.home(), &mut workspace).unwrap();
        assert!(model.closing_gap(&there, &mut workspace) < 1e-12, "{name}");
        // And back to where it came from.
        let home = model.motor_values(model.home());
        let back = model.forward_kinematics(&home, &there, &mut workspace).unwrap();
        let off = gap(back.coordinates(), model.home().coordinates());
        assert!(off < 1e-9, "{name}: {off:e}"); // 1e-9: rounding, times the condition of the way
    }
}

/// In another order everything is the same to rounding: the order of home is as good beside home. With what was changed since
/// the mechanism was made: a load, and the choice of efforts.
#[test]
fn another_order_gives_the_same_answers() {
    for name in ["sarrus", "made_up_3_30", "quattro", "two_deltas_bar", "delta_ss"] {
        let load = RigidBody {
            mass: 1.5,
            centre: V3::new(0.02, -0.01, 0.03),
            inertia: Sym3 { diagonal: V3::new(0.02, 0.03, 0.04), off: V3::zero() },
        };
        let mut model = MechanismModel::new(&described(name)).unwrap().with_payload(&load).unwrap();
        if model.motors().iter().any(|motor| motor.dependent) {
            let weights: Vec<f64> = (0..model.motors().len()).map(|k| 1.0 + k as f64).collect();
            model = model.with_effort_choice(&weights, &vec![0.1; weights.len()]).unwrap();
        }
        let (list, mut workspace) = postures(&model, 3, 5);
        for posture in &list {
            let other = model.ordered_for(&posture.at).unwrap();
            let mut memory = other.workspace();
            let margin = other.margin(&posture.at, &mut memory);
            assert!(margin > 0.05 && margin < 20.0, "{name}: {margin}");
            let ask = |model: &MechanismModel, workspace: &mut Workspace<f64>| {
                let wrench = [3.0, -2.0, 1.0, 0.2, 0.3, -0.4];
                let (at, rates) = (&posture.at, &posture.rates);
                let efforts =
                    model.inverse_dynamics(at, rates, &posture.accelerations, wrench, workspace).unwrap();
                let falling = model.forward_dynamics(at, rates, &efforts, wrench, workspace).unwrap();
                let energies = model.energies(at, rates, workspace).unwrap();
                [
                    efforts,
                    falling.motors,
                    falling.platform.to_vec(),
                    vec![energies.kinetic, energies.potential],
                ]
            };
            let (own, others) = (ask(&model, &mut workspace), ask(&other, &mut memory));
            for (a, b) in own.iter().zip(&others) {
                let size = nan_max(1.0, largest(a));
                let off = gap(a, b) / size;
                assert!(off < 1e-10, "{name}: {off:e}"); // 1e-10: rounding, times the condition of the postures
            }
        }
    }
}

/// Beside a stretched leg a straight way leaves the reach of the motors: nothing lies beyond, and no sign changes.
#[test]
fn a_way_out_of_reach_is_told_as_that() {
    let model = MechanismModel::new(&described("made_up_1_29")).unwrap();
    let mut workspace = model.workspace();
    let q = motors_of_state("made_up_1_29", 0);
    let there: Configuration = model.forward_kinematics(&q, model.home(), &mut workspace).unwrap();
    let pose: PlatformPose = model.platform_pose(&there, &mut workspace);
    let error = model.inverse_kinematics(&pose, Target::Pose, model.home(), &mut workspace).unwrap_err();
    assert!(matches!(error, MechanismError::EndOfReach { .. }), "{error}");
    // From near by it is the same posture.
    let near: Vec<f64> = model.way_of_motors(&q, model.home()).iter().map(|x| 0.98 * x).collect();
    let near = model.follow_motors(&near, model.home(), &mut workspace).unwrap();
    let found = model.inverse_kinematics(&pose, Target::Pose, &near, &mut workspace).unwrap();
    let off = gap(model.motor_values(&found), &q);
    assert!(off < 1e-9, "{off:e}");
}
