//! What a robot of the general engine answers about one state.

use super::RobotError;
use super::dense::{self, MAX_FREEDOMS, MAX_MOTORS, PerMotor};
use super::engine::EngineRobot;
use super::engine_model::{EngineMotion, JointEquation, Motors, PlatformEquation};
use super::state::{Dynamics, Energies, LegForce, PlatformState, Singularity, State, outside};
use legwork_core::Margin;
use legwork_core::engine::{LegEffort, LegHold, LegModel, Twist, Wrench};

fn twist(six: &[f64; 6]) -> Twist<f64> {
    Twist::from_vector_linear_first(*six)
}

pub(super) fn wrench(platform: &PlatformState) -> Wrench<f64> {
    Wrench::from_vector_linear_first(platform.wrench)
}

/// The first numbers of a list with room.
pub(super) fn put(answer: &[f64], list: &mut [f64]) {
    list.iter_mut().zip(answer).for_each(|(slot, value)| *slot = *value);
}

/// The corner of a matrix with room, row after row.
fn put_rows<const C: usize>(answer: &[[f64; C]], list: &mut [f64], columns: usize) {
    for (row, answer) in list.chunks_exact_mut(columns).zip(answer) {
        put(answer, row);
    }
}

impl EngineRobot {
    fn sizes(&self) -> (usize, usize) {
        (self.freedoms().len(), self.joints().len())
    }

    pub(super) fn motion(&self, platform: &PlatformState) -> Result<EngineMotion, RobotError> {
        let pose = self.pose(platform)?;
        let (twist, acceleration) = (twist(&platform.twist), twist(&platform.acceleration));
        Ok(EngineMotion { pose, twist, acceleration })
    }

    pub(super) fn massive(&self) -> Result<(), RobotError> {
        if self.has_masses() { Ok(()) } else { Err(self.massless()) }
    }

    #[cold]
    fn massless(&self) -> RobotError {
        RobotError::NoMasses { robot: self.name().into() }
    }

    pub(super) fn joints_from_platform_into(
        &self,
        platform: &PlatformState,
        q: &mut [f64],
        qd: &mut [f64],
        qdd: &mut [f64],
    ) -> Result<(), RobotError> {
        let motion = self.motion(platform)?;
        let found = self.model().inverse_dynamics(&motion, Wrench::zero());
        let found = self.model().accept_legs(&motion.pose, found)?;
        for (k, slot) in q.iter_mut().enumerate() {
            *slot = found.motors.coordinate(k);
        }
        put(&found.motors.rate, qd);
        put(&found.acceleration, qdd);
        Ok(())
    }

    pub(super) fn platform_from_joints(
        &self,
        q: &[f64],
        qd: &[f64],
        qdd: &[f64],
        start: &PlatformState,
    ) -> Result<PlatformState, RobotError> {
        let qd = self.counted("joint velocities", qd)?;
        let qdd = self.counted("joint accelerations", qdd)?;
        let pose = self.pose_from_joints(q, start)?.pose;
        let still = PlatformState::at(pose.position.to_array()).turned(pose.rotation.to_rows());
        // Through its own checks: a pose that Newton's method found is taken as one that was given.
        let pose = self.pose(&still)?;
        let (model, (_, motors)) = (self.model(), self.sizes());
        let jacobian = model.jacobian(&model.kinematics(&pose).value).value;
        let rate = model.spread(&dense::times(&jacobian, &qd, motors));
        let bias = model.platform_equation(&pose, rate).value.motors.bias;
        let driven: PerMotor = std::array::from_fn(|k| qdd[k] - bias[k]);
        let acceleration = model.spread(&dense::times(&jacobian, &driven, motors));
        let (twist, acceleration) = (rate.to_vector_linear_first(), acceleration.to_vector_linear_first());
        Ok(PlatformState { twist, acceleration, ..still })
    }

    fn jacobian_at(&self, platform: &PlatformState) -> Result<[PerMotor; MAX_FREEDOMS], RobotError> {
        let (pose, model) = (self.pose(platform)?, self.model());
        let motors = model.accept_legs(&pose, model.kinematics(&pose))?;
        Ok(model.accept(&pose, model.jacobian(&motors))?)
    }

    pub(super) fn jacobian_into(&self, platform: &PlatformState, rows: &mut [f64]) -> Result<(), RobotError> {
        put_rows(&self.jacobian_at(platform)?, rows, self.sizes().1);
        Ok(())
    }

    pub(super) fn jacobian_and_condition_into(
        &self,
        platform: &PlatformState,
        rows: &mut [f64],
    ) -> Result<f64, RobotError> {
        let jacobian = self.jacobian_at(platform)?;
        put_rows(&jacobian, rows, self.sizes().1);
        Ok(self.condition(&jacobian))
    }

    pub(super) fn singularity(&self, platform: &PlatformState) -> Result<Singularity, RobotError> {
        let (pose, model) = (self.pose(platform)?, self.model());
        let (motors, holds) = model.holds(&pose);
        let motors = model.accept_legs(&pose, motors)?;
        Ok(self.measures(&motors, &model.jacobian(&motors).value, holds.iter()))
    }

    fn measures<'a>(
        &self,
        motors: &Motors,
        jacobian: &[PerMotor; MAX_FREEDOMS],
        holds: impl Iterator<Item = &'a LegHold>,
    ) -> Singularity {
        // In a parallel singularity the Jacobian is the inverse of a matrix that has none.
        let condition = Some(self.condition(jacobian)).filter(|x| !x.is_nan()).unwrap_or(f64::INFINITY);
        Singularity {
            serial: holds.map(|hold| hold.transmission).collect(),
            parallel: self.model().held_volume(motors, self.size()),
            condition,
        }
    }

    /// Condition number of the Jacobian, rotations made lengths by the platform's size: those of the platform and,
    /// where some motors turn and some slide, those of the motors.
    fn condition(&self, jacobian: &[PerMotor; MAX_FREEDOMS]) -> f64 {
        let mut scaled = *jacobian;
        for (row, freedom) in scaled.iter_mut().zip(self.freedoms()) {
            let factor = if freedom.turns() { self.size() } else { 1.0 };
            *row = row.map(|entry| entry * factor);
        }
        let slides = self.joints().iter().filter(|joint| joint.slides).count();
        if slides > 0 && slides < self.joints().len() {
            for row in &mut scaled {
                for (entry, joint) in row.iter_mut().zip(self.joints()) {
                    *entry /= if joint.slides { 1.0 } else { self.size() };
                }
            }
        }
        dense::condition(&scaled, self.freedoms().len())
    }

    pub(super) fn inverse_dynamics_into(
        &self,
        platform: &PlatformState,
        effort: &mut [f64],
    ) -> Result<(), RobotError> {
        self.massive()?;
        let motion = self.motion(platform)?;
        if let Some(hexapod) = &self.model().hexapod {
            let EngineMotion { pose, twist, acceleration } = motion;
            let found = hexapod.one_state().effort_for(&pose, twist, acceleration, wrench(platform))?;
            put(&found, effort);
            return Ok(());
        }
        let found = self.model().inverse_dynamics(&motion, wrench(platform));
        put(&self.model().accept(&motion.pose, found)?.effort, effort);
        Ok(())
    }

    pub(super) fn forward_dynamics_into(
        &self,
        platform: &PlatformState,
        effort: &[f64],
        acceleration: &mut [f64],
        qdd: &mut [f64],
    ) -> Result<(), RobotError> {
        self.massive()?;
        let effort = self.counted("efforts", effort)?;
        let EngineMotion { pose, twist, .. } = self.motion(platform)?;
        if let Some(hexapod) = &self.model().hexapod {
            let [a, b, c, d, e, f, ..] = effort;
            let tau = [a, b, c, d, e, f];
            let found = hexapod.one_state().acceleration_for(&pose, twist, &tau, wrench(platform))?;
            put(&found.platform.to_vector_linear_first(), acceleration);
            put(&found.joint, qdd);
            return Ok(());
        }
        let found = self.model().forward_dynamics(&pose, twist, &effort, wrench(platform));
        let found = self.model().accept_masses(&pose, found)?;
        put(&found.platform, acceleration);
        put(&found.joint, qdd);
        Ok(())
    }

    /// The equation of motion seen at the platform.
    pub(super) fn platform_equation(&self, platform: &PlatformState) -> Result<PlatformEquation, RobotError> {
        self.massive()?;
        let EngineMotion { pose, twist, .. } = self.motion(platform)?;
        Ok(self.model().accept_legs(&pose, self.model().platform_equation(&pose, twist))?)
    }

    /// The equation of motion seen at the motors.
    fn joint_equation(&self, platform: &PlatformState) -> Result<JointEquation, RobotError> {
        self.massive()?;
        let EngineMotion { pose, twist, .. } = self.motion(platform)?;
        let Margin { value: equation, margin: reach } = self.model().platform_equation(&pose, twist);
        let Margin { value, margin } = equation.in_joint_space();
        let margin = legwork_core::Real::min(margin, reach);
        Ok(self.model().accept(&pose, Margin { value, margin })?)
    }

    pub(super) fn mass_matrix_into(
        &self,
        platform: &PlatformState,
        rows: &mut [f64],
    ) -> Result<(), RobotError> {
        put_rows(&self.joint_equation(&platform.at_rest())?.mass, rows, self.sizes().1);
        Ok(())
    }

    pub(super) fn platform_mass_matrix_into(
        &self,
        platform: &PlatformState,
        rows: &mut [f64],
    ) -> Result<(), RobotError> {
        put_rows(&self.platform_equation(&platform.at_rest())?.mass, rows, self.sizes().0);
        Ok(())
    }

    pub(super) fn coriolis_into(
        &self,
        platform: &PlatformState,
        effort: &mut [f64],
    ) -> Result<(), RobotError> {
        put(&self.joint_equation(platform)?.coriolis, effort);
        Ok(())
    }

    pub(super) fn energies(&self, platform: &PlatformState) -> Result<Energies, RobotError> {
        self.massive()?;
        let EngineMotion { pose, twist, .. } = self.motion(platform)?;
        let model = self.model();
        model.accept_legs(&pose, model.kinematics(&pose))?;
        let (kinetic, potential) = model.at(&pose).free().energy(&pose, &twist.to_vector_linear_first());
        Ok(Energies { kinetic, potential })
    }

    pub(super) fn leg_forces_into(
        &self,
        platform: &PlatformState,
        forces: &mut [LegForce],
    ) -> Result<(), RobotError> {
        let EngineMotion { pose, twist, acceleration } = self.motion(platform)?;
        let mut effort = [0.0; MAX_MOTORS];
        let motors = self.sizes().1.min(MAX_MOTORS);
        self.inverse_dynamics_into(platform, &mut effort[..motors])?;
        let mut rest = &effort[..motors];
        for (leg, slot) in self.model().legs_at(&pose).zip(forces) {
            let own = leg.effort(&pose, twist, acceleration, self.model().gravity).value;
            *slot = leg_force(&own, &leg.hold(&pose).value.1, &mut rest);
        }
        Ok(())
    }

    /// Everything, each leg solved once.
    pub(super) fn state(&self, platform: &PlatformState) -> Result<State, RobotError> {
        let (model, (freedoms, motors)) = (self.model(), self.sizes());
        let motion = self.motion(platform)?;
        let EngineMotion { pose, twist, .. } = motion;
        let (found, equation, legs) = model.everything(&motion, wrench(platform));
        let found = model.accept(&pose, found)?;
        let joint = equation.in_joint_space().value;
        let rows = |list: &[PerMotor]| list.iter().map(|row| row[..motors].to_vec()).collect::<Vec<_>>();
        let q: Vec<f64> = (0..motors).map(|k| found.motors.coordinate(k)).collect();
        let dynamics = || {
            let (kinetic_energy, potential_energy) =
                legs.iter().fold(model.platform_energy(&pose, twist), |(kinetic, potential), leg| {
                    (kinetic + leg.kinetic_energy, potential + leg.potential_energy)
                });
            let mut rest = &found.effort[..motors];
            let leg_force = legs.iter().map(|leg| leg_force(&leg.effort, &leg.hold, &mut rest).axial);
            let outside = model.picked(&platform.wrench);
            let list = |list: &PerMotor| list[..motors].to_vec();
            let frictionless: PerMotor = std::array::from_fn(|k| found.effort[k] - joint.friction[k]);
            Dynamics {
                motor: list(&found.effort),
                effort: list(&frictionless),
                inertial: list(&dense::times(&joint.mass, &found.acceleration, motors)),
                coriolis: list(&joint.coriolis),
                gravity: list(&joint.gravity),
                external: list(&dense::transposed_times(&joint.jacobian, &outside, freedoms).map(|x| -x)),
                friction: list(&joint.friction),
                mass_matrix: rows(&joint.mass[..motors]),
                platform_mass_matrix: equation.mass[..freedoms]
                    .iter()
                    .map(|row| row[..freedoms].to_vec())
                    .collect(),
                leg_force: leg_force.collect(),
                joint_reaction: Vec::new(),
                kinetic_energy,
                potential_energy,
            }
        };
        Ok(State {
            platform: *platform,
            mode: self.mode(),
            outside_limits: outside(self.joints(), &q),
            q,
            qd: found.motors.rate[..motors].to_vec(),
            qdd: found.acceleration[..motors].to_vec(),
            jacobian: rows(&joint.jacobian[..freedoms]),
            singularity: self.measures(&found.motors, &joint.jacobian, legs.iter().map(|leg| &leg.hold)),
            dynamics: self.has_masses().then(dynamics),
        })
    }
}

/// What a leg does to the platform; its motors are the first of the efforts, which are then left to the others.
fn leg_force(leg: &LegEffort<f64>, hold: &LegHold, efforts: &mut &[f64]) -> LegForce {
    let own = leg.active.iter().count().min(efforts.len());
    let (motors, others) = efforts.split_at(own);
    *efforts = others;
    let force = leg.force(motors);
    LegForce { force: force.to_array(), axial: force.dot(hold.direction) }
}
