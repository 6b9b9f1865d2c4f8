//! The rotors of the robot's file: what a motor of a table replaces.
//!
//! Rotors add ½ Σ I q̇² to the kinetic energy, so a robot whose rotors are twice as heavy has that much more of it, state by
//! state: as many equations for I as there are states,
//!
//! ```text
//! T₂ − T = ½ Σ I_k q̇_k²                                                                        (1)
//! ```
//!
//! Where there are as many motors as freedoms a rotor asks I q̈ of its own motor and nothing of the others. Where there are more
//! motors, least effort shares out rotors as it does all the rest; then efforts without them are twice those with them less
//! those with twice as much, because efforts are linear in I.

use super::SizeError;
use crate::description::ModelError;
use crate::{AnyRobot, PlatformState, RobotError};
use nalgebra::{DMatrix, DVector};

/// The rotors of a robot.
pub(super) struct Rotors {
    /// What the robot's file gives each motor, at the joint \[kg m² or kg\].
    pub own: Vec<f64>,
    /// The robot with twice as much, where motors are more than freedoms.
    pub twice: Option<AnyRobot>,
}

/// States for each motor.
const STATES: usize = 3;
/// Inertias below this share of the largest are rounding.
const ROUNDING: f64 = 1e-9;

impl Rotors {
    pub(super) fn of(robot: &AnyRobot) -> Result<Self, SizeError> {
        let twice = robot.with_model_error(&ModelError { motor_inertia: 1.0, ..ModelError::default() })?;
        let own = inertias(robot, &twice)?;
        let is_redundant = robot.joints().len() > robot.freedoms().len() + robot.held_motors().len();
        Ok(Self { own, twice: is_redundant.then_some(twice) })
    }
}

/// I by (1), at home.
fn inertias(robot: &AnyRobot, twice: &AnyRobot) -> Result<Vec<f64>, SizeError> {
    let motors = robot.joints().len();
    let home = robot.home();
    let (mut squares, mut gained) = (Vec::new(), Vec::new());
    let mut most = 0.0_f64;
    for k in 0..STATES * motors {
        let mut twist = [0.0; 6];
        for (i, freedom) in robot.freedoms().iter().enumerate() {
            // Any numbers, no two states alike.
            #[expect(clippy::cast_precision_loss, reason = "small counts")]
            let angle = 1.0 + 2.4 * k as f64 + 1.7 * (i * i) as f64 + 0.9 * (i * k) as f64;
            if let Some(slot) = twist.get_mut(freedom.component) {
                *slot = angle.sin();
            }
        }
        let state = PlatformState { twist, acceleration: [0.0; 6], ..home };
        // Motors that the platform does not tell move as well.
        #[expect(clippy::cast_precision_loss, reason = "small counts")]
        let speed =
            |motor: usize| (0.3 + 1.3 * k as f64 + 2.1 * motor as f64 + 0.7 * (motor * k) as f64).sin();
        let qd: Vec<f64> = (0..motors).map(speed).collect();
        let energy = |robot: &AnyRobot| -> Result<(f64, Vec<f64>), SizeError> {
            let massless = || SizeError::Robot(RobotError::NoMasses { robot: robot.name().into() });
            let state = if robot.held_motors().is_empty() {
                robot.state(&state)?
            } else {
                let q = robot.inverse_kinematics(&state)?.q;
                robot.holding(&q, &qd, &vec![0.0; motors])?.state(&state)?
            };
            Ok((state.dynamics.ok_or_else(massless)?.kinetic_energy, state.qd))
        };
        let ((one, qd), (two, _)) = (energy(robot)?, energy(twice)?);
        most = most.max(two);
        gained.push(two - one);
        squares.extend(qd.iter().map(|rate| 0.5 * rate * rate));
    }
    // Rounding of the difference is no inertia.
    if gained.iter().all(|gain| gain.abs() < 1e-12 * most) {
        return Ok(vec![0.0; motors]);
    }
    let squares = DMatrix::from_row_iterator(gained.len(), motors, squares);
    let gained = DVector::from_vec(gained);
    let found = squares.svd(true, true).solve(&gained, 1e-12);
    let found = found.map_err(|_| SizeError::NotFinite { what: "the inertia of the motors".into() })?;
    let largest = found.amax();
    Ok(found.iter().map(|own| if *own > ROUNDING * largest { *own } else { 0.0 }).collect())
}
