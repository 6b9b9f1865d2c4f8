//! Derivatives of six UPS legs in closed form.

use super::{ForwardDerivatives, put};
use legwork_core::engine::{Hexapod, Pose, Twist};

/// The derivatives of a hexapod that accelerates so under these forces.
pub(super) fn derivatives(
    hexapod: &Hexapod<f64>,
    pose: &Pose<f64>,
    twist: Twist<f64>,
    acceleration: Twist<f64>,
    tau: &[f64; 6],
    found: &mut ForwardDerivatives,
) {
    let slopes = hexapod.imbalance_slopes(pose, twist, acceleration, tau);
    let (inverse, rows) = hexapod.inverse_mass_and_rows(pose);
    put(&inverse, &slopes, &rows, found);
}
