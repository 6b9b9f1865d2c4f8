//! How hard the motors of a robot may be driven before its fastest mode rings.
//!
//! With K_d = 2ζωD, D the mean diagonal of the mass matrix A, a mode of A whose inertia is κ times smaller than D
//! has the velocity loop 2ζωκ/s, seen through the motor's lag T and the delay T_d of hold and difference:
//!
//! ```text
//! atan(xT) + x T_d = π/2,    2ζωκ = x √(1 + x²T²)                      at the edge
//! ```

use crate::{AnyRobot, PlatformState, RobotError};
use std::f64::consts::FRAC_PI_2;

/// The gain 2ζωκ \[1/s\] at the edge, for a lag and a delay \[s\] of more than zero.
pub(super) fn edge(lag: f64, delay: f64) -> f64 {
    let (mut low, mut high) = (0.0, FRAC_PI_2 / delay);
    // The phase grows with x; sixty halvings are all digits.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if (middle * lag).atan() + middle * delay < FRAC_PI_2 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low * 1.0_f64.hypot(low * lag)
}

/// κ: the largest eigenvalue of D^½ A⁻¹ D^½ at rest at a place, by power iteration with the forward dynamics.
pub(super) fn fastest_mode(
    robot: &AnyRobot,
    place: &PlatformState,
    inertia: &[f64],
) -> Result<f64, RobotError> {
    const STEPS: usize = 40;
    let fall = robot.forward_dynamics(place, &vec![0.0; inertia.len()])?.joint;
    // Not along an axis of symmetry.
    let mut v: Vec<f64> =
        (0..inertia.len()).map(|k| 1.0 + 0.37 * k as f64 * if k % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let mut size = f64::NAN;
    for _ in 0..STEPS {
        let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let effort: Vec<f64> = v.iter().zip(inertia).map(|(x, d)| x / norm * d.sqrt()).collect();
        let found = robot.forward_dynamics(place, &effort)?.joint;
        v = found.iter().zip(&fall).zip(inertia).map(|((a, b), d)| (a - b) * d.sqrt()).collect();
        size = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edge_of_a_pure_delay_is_a_quarter_turn() {
        // 60 halvings leave the last digits of π/2.
        assert!((edge(0.0, 1e-3) - FRAC_PI_2 * 1e3).abs() < 1e-9);
        // With a lag the phase is there earlier, but the gain has fallen.
        let x = 652.0_f64;
        assert!((edge(2e-3, 1e-3) - x * 1.0_f64.hypot(x * 2e-3)).abs() < 5.0);
    }

    #[test]
    fn a_diagonal_mass_matrix_has_its_smallest_inertia() {
        let robot = AnyRobot::open("delta-direct-drive").unwrap();
        let place = PlatformState::at([0.0, 0.0, -0.35]);
        let mass = robot.state(&place).unwrap().dynamics.unwrap().mass_matrix;
        let (a, b) = (mass[0][0], mass[0][1]);
        // On the axis A is circulant: a + 2b once and a − b twice.
        let expected = a / legwork_testkit::nan_min(a - b, a + 2.0 * b);
        let found = fastest_mode(&robot, &place, &[a; 3]).unwrap();
        // What forty steps leave of the other mode.
        assert!((found - expected).abs() < 1e-6 * expected, "{found} {expected}");
    }
}
