//! A mechanism at rest, for those who differentiate it.
//!
//! In the independent motors y, which are coordinates, with Γ₀ the efforts that hold it and Y the rates of all motors,
//!
//! ```text
//! f(y) = Yᵀ (Γ(y) − Γ₀),   K_y = ∂f/∂y = Yᵀ ∂Γ/∂y   where Γ = Γ₀                      (1)
//! K_s = J_s⁻ᵀ K_y J_s⁻¹,   D_s = Rᵀ diag(viscous) R                                     (2)
//! ```
//!
//! Γ(y) is the kernel's inverse dynamics at rest in dual numbers, along the branch: exact but for rounding.

use super::MechanismRobot;
use crate::RobotError;
use crate::mechanism::Workspace;
use crate::robot::PlatformState;
use legwork_core::engine::Wrench;
use legwork_core::mechanism::Motion;
use legwork_core::{Dual, Real, V3};
use nalgebra::DMatrix;

/// The derivative along one independent motor.
pub(super) type One = Dual<f64, 1>;

/// A mechanism at rest at a pose, in its D coordinates, the freedoms of its platform and the motors that are held, and its
/// K motors.
pub struct RestingMechanism {
    /// D×D
    pub mass: DMatrix<f64>,
    /// D×D
    pub damping: DMatrix<f64>,
    /// D×D
    pub stiffness: DMatrix<f64>,
    /// K×D
    pub rows: DMatrix<f64>,
    /// Γ₀
    pub hold: Vec<f64>,
}

impl MechanismRobot {
    pub(in crate::robot) fn resting(&self, platform: &PlatformState) -> Result<RestingMechanism, RobotError> {
        let mut moving = self.moving(platform)?;
        let (motors, count) = (self.joints().len(), self.count());
        let mass = self.platform_mass(&mut moving);
        let mass = DMatrix::from_fn(count, count, |i, j| mass[i][j]);
        let (rows, _) = self.motor_rows(&moving)?;
        let rows = DMatrix::from_fn(motors, count, |i, j| rows[i][j]);
        let hold = self.parts(&mut moving).1[..motors].to_vec();
        let slopes = self.effort_slopes(&mut moving);
        let own = DMatrix::from_fn(motors, count, |i, j| moving.motors[i][j]);
        let inverse = DMatrix::from_fn(count, count, |i, j| moving.inverse[i][j]);
        let stiffness = own.transpose() * slopes; // (1)
        let stiffness = inverse.transpose() * stiffness * &inverse; // (2)
        let (model, workspace, _) = moving.room.parts(&self.model);
        let (plan, memory) = (model.plan(), workspace.memory());
        let viscous = DMatrix::from_fn(rows.nrows(), rows.ncols(), |k, i| {
            plan.motors.get(k).map_or(f64::NAN, |motor| motor.drive.viscous) * rows[(k, i)]
        });
        let mut damping = rows.transpose() * viscous;
        for drag in plan.drags {
            let own = DMatrix::from_fn(1, plan.independent(), |_, y| plan.slope(drag.freedom, y, &memory));
            let row = own * &inverse;
            damping += row.transpose() * drag.drive.viscous * row;
        }
        Ok(RestingMechanism { mass, damping, stiffness, rows, hold })
    }

    /// The rates of all coordinates for each of these rates of the independent motors.
    pub(super) fn flows(
        &self,
        moving: &mut super::answers::Moving<'_>,
        motors: &[Vec<f64>],
    ) -> Vec<Vec<f64>> {
        let (model, workspace, at) = moving.room.parts(&self.model);
        let (plan, coordinates) = (model.plan(), at.coordinates());
        let mut memory = workspace.memory();
        plan.place(coordinates, &mut memory);
        plan.close(&mut memory);
        plan.write_slopes(&mut memory);
        let flow = |motors: &Vec<f64>| {
            let rate =
                |k: usize| motors.iter().enumerate().map(|(y, by)| plan.slope(k, y, &memory) * by).sum();
            let rates: Vec<f64> = (0..plan.freedoms).map(rate).collect();
            let mut flow = vec![0.0; coordinates.len()];
            plan.flow(coordinates, &rates, &mut flow);
            flow
        };
        motors.iter().map(flow).collect()
    }

    /// ∂Γ/∂y, a column for each independent motor.
    fn effort_slopes(&self, moving: &mut super::answers::Moving<'_>) -> DMatrix<f64> {
        let count = moving.room.parts(&self.model).0.plan().independent();
        let unit = |y: usize| -> Vec<f64> { (0..count).map(|k| f64::from(u8::from(k == y))).collect() };
        let units: Vec<Vec<f64>> = (0..count).map(unit).collect();
        let flows = self.flows(moving, &units);
        let (model, _, at) = moving.room.parts(&self.model);
        let (plan, coordinates) = (model.plan(), at.coordinates().to_vec());
        let varied = model.owned_plan().map(One::from_f64);
        let varied = varied.plan();
        let mut workspace: Workspace<One> = Workspace::new(&varied);
        let still = vec![One::zero(); count];
        let mut columns = Vec::new();
        for flow in &flows {
            let near: Vec<One> =
                coordinates.iter().zip(flow).map(|(q, by)| One { re: *q, eps: [*by] }).collect();
            let mut memory = workspace.memory();
            let motion = Motion { coordinates: &near, rates: &still, idle: None, wrench: Wrench::zero() };
            varied.prepare(&motion, &mut memory);
            let mut efforts = vec![One::zero(); varied.motors.len()];
            varied.efforts_for(&still, &Wrench::zero(), false, &mut efforts, &mut memory);
            columns.push(efforts);
        }
        DMatrix::from_fn(plan.motors.len(), count, |k, y| columns[y][k].eps[0])
    }

    /// Derivatives in time along the motion of a state, by dual numbers.
    pub(in crate::robot) fn derivative(
        &self,
        platform: &PlatformState,
    ) -> Result<MotionDerivative, RobotError> {
        let mut moving = self.moving(platform)?;
        let (model, workspace, at) = moving.room.parts(&self.model);
        let plan = model.plan();
        let coordinates = at.coordinates().to_vec();
        let mut flow = vec![0.0; coordinates.len()];
        {
            let mut memory = workspace.memory();
            let motion = Motion {
                coordinates: &coordinates,
                rates: &moving.rates[..plan.independent()],
                idle: None,
                wrench: Wrench::zero(),
            };
            plan.prepare(&motion, &mut memory);
            plan.flow(&coordinates, memory.rates, &mut flow);
        }
        let pair = |(value, rate): (&f64, &f64)| One { re: *value, eps: [*rate] };
        let near: Vec<One> = coordinates.iter().zip(&flow).map(pair).collect();
        let rates: Vec<One> =
            moving.rates.iter().zip(&moving.accelerations).take(plan.independent()).map(pair).collect();
        let varied = model.owned_plan().map(One::from_f64);
        let varied = varied.plan();
        let mut workspace: Workspace<One> = Workspace::new(&varied);
        let mut memory = workspace.memory();
        let motion = Motion { coordinates: &near, rates: &rates, idle: None, wrench: Wrench::zero() };
        varied.prepare(&motion, &mut memory);
        let frame = varied.platform_frame(&memory);
        // ω = ½ Σ e × e' over the axes.
        let rate = |axis: V3<One>| axis.map(|x| x.eps[0]);
        let part = |axis: V3<One>| axis.map(|x| x.re).cross(rate(axis));
        let v = rate(frame.origin);
        let w = (part(frame.x) + part(frame.y) + part(frame.z)) * 0.5;
        let twist = varied.platform_twist(&memory).to_vector_linear_first();
        let motors = varied.motors.iter();
        Ok(MotionDerivative {
            velocity: [v.x, v.y, v.z, w.x, w.y, w.z],
            acceleration: twist.map(|x| x.eps[0]),
            joints: motors.clone().map(|motor| near[motor.coordinate].eps[0]).collect(),
            rates: motors.map(|motor| memory.rates[motor.freedom].eps[0]).collect(),
            energies: [varied.kinetic_energy(&memory).eps[0], varied.potential_energy(&memory).eps[0]],
            gap: moving.room.gap(&self.model),
        })
    }
}

/// Derivatives in time along a motion.
#[derive(Clone, Debug)]
pub struct MotionDerivative {
    /// Of the platform's pose: its twist.
    pub velocity: [f64; 6],
    /// Of the platform's twist.
    pub acceleration: [f64; 6],
    /// Of the motors.
    pub joints: Vec<f64>,
    /// Of their rates.
    pub rates: Vec<f64>,
    /// Of kinetic and potential energy \[W\].
    pub energies: [f64; 2],
    /// How far the loops are open, in lengths of the mechanism and rad.
    pub gap: f64,
}
