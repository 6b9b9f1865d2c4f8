//! Derivatives of a Delta, four directions side by side in registers.

use super::{ForwardDerivatives, dual, put};
use crate::robot::delta::{DeltaRobot, three};
use crate::robot::delta_answers::linear;
use crate::robot::{PlatformState, RobotError};
use legwork_core::lanes::f64x4;
use legwork_core::robots::delta::Delta;
use legwork_core::{Dual, Margin, Real, V3};

/// The derivatives along four directions, side by side in registers.
type Four = Dual<f64x4, 1>;

/// Directions in which F is run, two more than a Delta has: full registers.
const DIRECTIONS: usize = 8;

/// Four directions at once, from number `first` on: a one for each of six variables in its own lane.
#[inline(always)]
fn units(first: usize) -> [f64x4; 6] {
    std::array::from_fn(|k| {
        let one = |lane: usize| if k == first + lane { 1.0 } else { 0.0 };
        f64x4::new([one(0), one(1), one(2), one(3)])
    })
}

/// What is held while F is run.
struct Held {
    position: V3<f64>,
    velocity: V3<f64>,
    acceleration: V3<f64>,
    torque: V3<f64>,
}

/// ∂F along x, y, z, vx, vy, vz and twice nowhere, a row for each component.
fn slopes(delta: &Delta<Four>, held: &Held, found: &mut [[f64; DIRECTIONS]; 3]) {
    let constant = |v: V3<f64>| v.map(Four::from_f64);
    let (acceleration, torque) = (constant(held.acceleration), constant(held.torque));
    for first in (0..DIRECTIONS).step_by(4) {
        let [x, y, z, vx, vy, vz] = units(first);
        let posture = delta.linkage().posture_at(dual(held.position, V3::new(x, y, z))).value;
        let velocity = dual(held.velocity, V3::new(vx, vy, vz));
        let lacking = delta.imbalance(&posture, velocity, acceleration, torque, V3::zero());
        for (row, component) in found.iter_mut().zip(lacking.to_array()) {
            row[first..first + 4].copy_from_slice(&component.eps[0].to_array());
        }
    }
}

impl DeltaRobot {
    pub(in crate::robot) fn forward_derivatives_into(
        &self,
        platform: &PlatformState,
        effort: &[f64],
        found: &mut ForwardDerivatives,
    ) -> Result<(), RobotError> {
        let delta = self.massive()?;
        let motion = self.motion(platform)?;
        let sign = self.frame().angle_sign;
        let torque = three("efforts", effort)? * sign;
        let posture = self.linkage().posture(motion.position)?.not_serial()?;
        let driving = torque - delta.friction(posture.joint_velocity(motion.velocity));
        let Margin { value, margin } =
            delta.acceleration(&posture, motion.velocity, driving, linear(platform.wrench));
        if margin.is_nan() || margin <= 0.0 {
            return Err(legwork_core::engine::StateError::NoMass { margin }.into());
        }
        let held = Held {
            position: motion.position,
            velocity: motion.velocity,
            acceleration: value.platform,
            torque,
        };
        let mut columns = [[0.0; DIRECTIONS]; 3];
        slopes(&delta.cast::<Four>(), &held, &mut columns);
        let mass = delta.platform_mass_matrix(&posture);
        let inverse = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
            .map(|[x, y, z]| mass.solve(V3::new(x, y, z)).value.to_array());
        let rows = (posture.inverse_jacobian() * sign).to_rows();
        put(&inverse, &columns, &rows, found);
        Ok(())
    }
}
