//! Derivatives of the dynamics of a mechanism, by dual numbers along its branch.
//!
//! Along a direction in which the platform takes the step δ and its velocity changes by u, with J_s of the independent
//! components of the platform's motion,
//!
//! ```text
//! δy = J_s⁻¹ δ,   J_s(y) y' = V_s  →  δy' = J_s⁻¹ (u − δJ_s y')                        (1)
//! ```
//!
//! Motors that the pose does not tell are coordinates beside the components, and keep their rates. Then the acceleration of
//! the platform is the kernel's forward dynamics with y and y' in dual numbers.

use super::MechanismRobot;
use super::answers::wrench;
use super::resting::One;
use crate::RobotError;
use crate::mechanism::Workspace;
use crate::robot::{ForwardDerivatives, PlatformState};
use legwork_core::Real;
use legwork_core::engine::Wrench;
use legwork_core::mechanism::Motion;
use nalgebra::DMatrix;

impl MechanismRobot {
    pub(in crate::robot) fn forward_derivatives_into(
        &self,
        platform: &PlatformState,
        effort: &[f64],
        found: &mut ForwardDerivatives,
    ) -> Result<(), RobotError> {
        self.massive()?;
        self.counted("efforts", effort)?;
        let still = PlatformState { acceleration: [0.0; 6], ..*platform };
        let mut moving = self.moving(&still)?;
        let (freedoms, motors) = (self.components().len(), self.joints().len());

        let count = self.count();
        let mass = self.platform_mass(&mut moving);
        let mass = DMatrix::from_fn(count, count, |i, j| mass[i][j]);
        let lost = || legwork_core::engine::StateError::NoMass { margin: 0.0 };
        let inverse_mass = mass.cholesky().ok_or_else(lost)?.inverse();
        let (rows, _) = self.motor_rows(&moving)?;
        let rows = DMatrix::from_fn(motors, count, |i, j| rows[i][j]);
        // The platform's part of all coordinates.
        let by_effort = (&inverse_mass * rows.transpose()).rows(0, freedoms).into_owned();
        let by_wrench = inverse_mass.view((0, 0), (freedoms, freedoms)).into_owned();

        let inverse = DMatrix::from_fn(count, count, |i, j| moving.inverse[i][j]);
        let columns = inverse.column_iter().take(freedoms);
        let steps: Vec<Vec<f64>> = columns.map(|column| column.iter().copied().collect()).collect();
        let flows = self.flows(&mut moving, &steps);
        let rates: Vec<f64> = moving.rates[..count].to_vec();
        let (model, _, at) = moving.room.parts(&self.model);
        let coordinates = at.coordinates().to_vec();
        let varied = model.owned_plan().map(One::from_f64);
        let varied = varied.plan();
        let mut workspace: Workspace<One> = Workspace::new(&varied);
        let given: Vec<One> = effort.iter().copied().map(One::from_f64).collect();
        let external =
            Wrench::from_vector_linear_first(wrench(platform).to_vector_linear_first().map(One::from_f64));
        let pair = |(value, slope): (&f64, &f64)| One { re: *value, eps: [*slope] };
        let nowhere = vec![0.0; coordinates.len()];
        for j in 0..2 * freedoms {
            let is_step = j < freedoms;
            let flow = if is_step { &flows[j] } else { &nowhere };
            let near: Vec<One> = coordinates.iter().zip(flow).map(pair).collect();
            let mut change = vec![0.0; count];
            if is_step {
                let constant: Vec<One> = rates.iter().copied().map(One::from_f64).collect();
                let mut memory = workspace.memory();
                let motion =
                    Motion { coordinates: &near, rates: &constant, idle: None, wrench: Wrench::zero() };
                varied.prepare(&motion, &mut memory);
                let twist = varied.platform_twist(&memory).to_vector_linear_first();
                let platform = self.components().iter().map(|place| twist[*place]);
                let held = self.held().iter().map(|motor| memory.rates[varied.motors[*motor].freedom]);
                for (slot, rate) in change.iter_mut().zip(platform.chain(held)) {
                    *slot = -rate.eps[0];
                }
            } else {
                change[j - freedoms] = 1.0;
            }
            let changes = &inverse * nalgebra::DVector::from_vec(change); // (1)
            let own: Vec<One> = rates.iter().zip(changes.iter()).map(pair).collect();
            let motion = Motion { coordinates: &near, rates: &own, idle: None, wrench: external };
            let mut memory = workspace.memory();
            let mut accelerations = vec![One::zero(); count];
            varied.forward_dynamics(&motion, &given, &mut accelerations, &mut memory);
            varied.accelerate_bodies(&mut memory);
            let six = varied.platform_acceleration(&memory).to_vector_linear_first();
            let list = if is_step { &mut found.pose } else { &mut found.velocity };
            for (i, place) in self.components().iter().enumerate() {
                list[i * freedoms + j % freedoms] = six[*place].eps[0];
            }
        }
        // By rows, where nalgebra counts by columns.
        found.effort.copy_from_slice(by_effort.transpose().as_slice());
        found.wrench.copy_from_slice(by_wrench.transpose().as_slice());
        Ok(())
    }
}
