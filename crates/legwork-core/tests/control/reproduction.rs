//! The experiment of [Codourey1998, Fig. 7]: four regulators on the direct-drive Delta. The figures were worked
//! out by an independent program under the same conditions.

use crate::control_support::{PickAndPlace, Plant, reference};
use legwork_core::V3;
use legwork_core::control::{Regulator, Settings};
use legwork_core::robots::catalog;
use legwork_core::robots::delta::{Delta, Forearm, Inertia, Motion, Motor};
use legwork_testkit::{largest, nan_max};
use std::f64::consts::TAU;

const SAMPLE: f64 = 1e-3;
/// The motion takes 154, then a tenth of a second at rest.
const SAMPLES: usize = 254;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Which {
    Pd,
    ConstantInertia,
    Model,
    Shifted,
}

const FOUR: [Which; 4] = [Which::Pd, Which::ConstantInertia, Which::Model, Which::Shifted];

/// The robot, and what the regulator does not know of it.
#[derive(Clone, Copy)]
struct Case {
    /// Model masses over true ones.
    scale: f64,
    /// Mass matrix in series with the feedback.
    decoupled: bool,
    /// \[kg\], not modelled.
    payload: f64,
    /// \[N·m·s/rad\], not modelled.
    viscous: f64,
    /// Time constant of the motors \[s\].
    lag: f64,
}

const EXACT: Case = Case { scale: 1.0, decoupled: false, payload: 0.0, viscous: 0.0, lag: 2e-3 };

/// The robot as the regulator believes it to be: all masses and inertias scaled.
fn believed(scale: f64) -> Delta<f64> {
    let delta = catalog::delta_direct_drive();
    let m = delta.inertia();
    let inertia = Inertia {
        platform: m.platform * scale,
        payload: m.payload * scale,
        arm: m.arm * scale,
        arm_inertia: m.arm_inertia * scale,
        elbow: m.elbow * scale,
        forearm: m.forearm * scale,
        forearm_inertia: m.forearm_inertia * scale,
        ..*m
    };
    let motor = Motor { inertia: delta.motor().inertia * scale, ..*delta.motor() };
    Delta::new(*delta.linkage(), inertia, motor).unwrap().with_forearm(Forearm::SIMPLIFIED)
}

fn hold(delta: &Delta<f64>, at: V3<f64>) -> V3<f64> {
    delta.inverse_dynamics(&Motion::rest(at), V3::zero()).unwrap().torque
}

/// Ī \[kg·m²\], the mean diagonal of the mass matrix.
fn mean_inertia(delta: &Delta<f64>, at: V3<f64>) -> f64 {
    delta.mass_matrix_at(at).unwrap().diagonal.sum() / 3.0
}

/// Largest joint error \[deg\], largest platform error \[mm\], largest torque \[N·m\].
fn run(which: Which, case: &Case) -> [f64; 3] {
    let path = PickAndPlace::new(80.0);
    let known = catalog::delta_direct_drive().with_payload(case.payload);
    let motor = Motor { viscous: case.viscous, ..*known.motor() };
    let robot = Delta::new(*known.linkage(), *known.inertia(), motor).unwrap();
    let model = believed(case.scale);
    let start = path.at(0.0);
    let at = start.pose.position;
    let omega = TAU * 20.0;
    // Gains for the middle of the path's level, Ī = 0.0446 kg m²; feed-forward and decoupling for the start.
    let middle = mean_inertia(&believed(1.0), V3::new(0.0, 0.0, at.z));
    let (kp, kd) = (middle * omega * omega, 2.0 * 0.7 * omega * middle);
    let mut settings = Settings::pd([kp; 3], [kd; 3]).with_differences();
    settings = match which {
        Which::Pd => settings,
        Which::ConstantInertia => settings.with_constant_inertia(mean_inertia(&model, at)),
        Which::Model => settings.with_model(),
        Which::Shifted => settings.with_model().with_shift(2),
    };
    if case.decoupled {
        settings = settings.with_mass_matrix(mean_inertia(&model, at));
    }
    // The start pose is an equilibrium: the whole weight without a model, what the model leaves over with it.
    let needed = hold(&robot, at);
    let bias = match which {
        Which::Pd | Which::ConstantInertia => needed,
        Which::Model | Which::Shifted => needed - hold(&model, at),
    };
    let settings = settings.with_bias(bias.to_array());
    let shift = if which == Which::Shifted { 2 } else { 0 };
    let mut regulator = Regulator::new(model, settings, &reference(&model, &start)).unwrap();
    let mut plant = Plant::at_rest(&robot, at, case.lag);
    let mut worst = [0.0_f64; 3];
    for k in 0..SAMPLES {
        let next = reference(&model, &path.at((k + 1) as f64 * SAMPLE));
        let command = regulator.update(&next, &plant.angles(), SAMPLE);
        let seen = path.at((k as f64 - f64::from(shift)) * SAMPLE).pose.position;
        let joint = largest(command.error).to_degrees();
        let platform = (seen - plant.position()).norm_sq().sqrt() * 1e3;
        let torque = largest(command.effort);
        worst = [nan_max(worst[0], joint), nan_max(worst[1], platform), nan_max(worst[2], torque)];
        plant.hold(V3::from(command.effort), SAMPLE, 2);
    }
    worst
}

/// Every regulator against its printed figures: joint errors \[deg\], platform errors \[mm\].
fn assert_printed(name: &str, case: &Case, degrees: [f64; 4], millimetres: Option<[f64; 4]>) {
    for (k, which) in FOUR.into_iter().enumerate() {
        let [deg, mm, _] = run(which, case);
        // One unit of the last printed digit: how the reference's speed is formed is not printed.
        assert!((deg - degrees[k]).abs() < 1e-3, "{name}, {which:?}: {deg:.4} deg, printed {}", degrees[k]);
        if let Some(printed) = millimetres {
            assert!((mm - printed[k]).abs() < 1e-2, "{name}, {which:?}: {mm:.3} mm, printed {}", printed[k]);
        }
    }
}

#[test]
fn exact_masses() {
    assert_printed("exact", &EXACT, [1.977, 0.823, 0.374, 0.146], Some([7.28, 2.51, 1.16, 0.51]));
}

#[test]
fn masses_ten_per_cent_too_large_give_the_factor_of_the_paper() {
    let case = Case { scale: 1.1, ..EXACT };
    assert_printed("+10 %", &case, [1.977, 1.098, 0.450, 0.335], Some([7.28, 3.19, 1.65, 1.21]));
    let (first, last) = (run(Which::Pd, &case), run(Which::Shifted, &case));
    // "a factor of 6" [Codourey1998, Sec. 5]
    assert!((first[0] / last[0] - 5.9).abs() < 0.05 && (first[1] / last[1] - 6.0).abs() < 0.05);
}

#[test]
fn masses_ten_per_cent_too_small() {
    assert_printed("-10 %", &Case { scale: 0.9, ..EXACT }, [1.977, 0.548, 0.395, 0.174], None);
}

#[test]
fn friction_that_is_not_modelled() {
    let case = Case { viscous: 0.2, ..EXACT };
    assert_printed("friction", &case, [2.100, 0.918, 0.270, 0.250], Some([7.69, 2.57, 1.21, 1.26]));
}

#[test]
fn payload_that_is_not_modelled() {
    assert_printed("payload", &Case { payload: 0.1, ..EXACT }, [2.155, 0.733, 0.370, 0.167], None);
}

#[test]
fn shorter_lag() {
    let case = Case { lag: 2e-3 / 9.0_f64.ln(), ..EXACT };
    assert_printed("lag", &case, [1.946, 0.794, 0.247, 0.118], None);
}

#[test]
fn mass_matrix_in_series_brings_no_further_gain() {
    let case = Case { decoupled: true, ..EXACT };
    assert_printed("mass matrix in series", &case, [2.583, 1.079, 0.434, 0.176], None);
}

#[test]
fn peak_torque() {
    // Printed without a decimal.
    assert!((run(Which::Pd, &EXACT)[2] - 30.0).abs() < 0.5);
    assert!((run(Which::Shifted, &EXACT)[2] - 26.0).abs() < 0.5);
}
