//! What a Delta answers about one state, in the user's frame and signs.

use super::RobotError;
use super::delta::{DeltaRobot, three};
use super::state::{Dynamics, Energies, LegForce, PlatformState, Singularity, State, outside};
use legwork_core::robots::delta::{Assembly, Delta, Effort, Motion, Posture};
use legwork_core::{M3, V3};

/// The linear part of a twist or a wrench.
pub(super) fn linear([x, y, z, ..]: [f64; 6]) -> V3<f64> {
    V3::new(x, y, z)
}

fn put(answer: V3<f64>, list: &mut [f64]) {
    list.iter_mut().zip(answer.to_array()).for_each(|(slot, value)| *slot = value);
}

pub(super) fn put_rows(answer: M3<f64>, list: &mut [f64]) {
    list.iter_mut().zip(answer.to_rows().as_flattened()).for_each(|(slot, value)| *slot = *value);
}

fn rows(m: M3<f64>) -> Vec<Vec<f64>> {
    m.to_rows().map(Vec::from).to_vec()
}

impl DeltaRobot {
    /// The motion of a state that this robot can have.
    #[inline]
    pub(super) fn motion(&self, platform: &PlatformState) -> Result<Motion<f64>, RobotError> {
        if !platform.is_finite_translation() {
            self.only_translated(platform)?;
        }
        Ok(Motion {
            position: self.position(platform.position),
            velocity: linear(platform.twist),
            acceleration: linear(platform.acceleration),
        })
    }

    #[inline]
    pub(super) fn massive(&self) -> Result<&Delta<f64>, RobotError> {
        self.model().ok_or_else(|| RobotError::NoMasses { robot: self.name().into() })
    }

    fn posture(&self, platform: &PlatformState) -> Result<Posture<f64>, RobotError> {
        Ok(self.linkage().posture(self.motion(platform)?.position)?)
    }

    fn regular_posture(&self, platform: &PlatformState) -> Result<Posture<f64>, RobotError> {
        Ok(self.posture(platform)?.not_serial()?.not_parallel()?)
    }

    /// Motor angles of ours as the user counts them.
    fn user_angles(&self, q: V3<f64>) -> V3<f64> {
        q.map(|angle| self.frame().angle_to_user(angle))
    }

    /// Speeds, accelerations or torques of ours as the user counts them.
    fn signed(&self, v: V3<f64>) -> V3<f64> {
        v * self.frame().angle_sign
    }

    pub(super) fn inverse_kinematics_into(
        &self,
        platform: &PlatformState,
        q: &mut [f64],
    ) -> Result<(), RobotError> {
        put(self.user_angles(self.posture(platform)?.angles()), q);
        Ok(())
    }

    pub(super) fn joints_from_platform_into(
        &self,
        platform: &PlatformState,
        q: &mut [f64],
        qd: &mut [f64],
        qdd: &mut [f64],
    ) -> Result<(), RobotError> {
        let motion = self.motion(platform)?;
        let posture = self.linkage().posture(motion.position)?.not_serial()?;
        put(self.user_angles(posture.angles()), q);
        put(self.signed(posture.joint_velocity(motion.velocity)), qd);
        put(self.signed(posture.joint_acceleration(motion.velocity, motion.acceleration)), qdd);
        Ok(())
    }

    pub(super) fn platform_from_joints(
        &self,
        q: &[f64],
        qd: &[f64],
        qdd: &[f64],
    ) -> Result<PlatformState, RobotError> {
        let qdot = self.signed(three("motor speeds", qd)?);
        let qddot = self.signed(three("motor accelerations", qdd)?);
        let angles = self.joint_angles(q)?;
        let posture = self.linkage().posture_from(angles, Assembly::Below)?.not_parallel()?;
        let v = posture.platform_velocity(qdot);
        let a = posture.platform_acceleration(v, qdot, qddot);
        let position = self.frame().position_to_user(posture.position.to_array());
        Ok(PlatformState::at(position).moving(v.to_array(), a.to_array()))
    }

    pub(super) fn jacobian_into(&self, platform: &PlatformState, rows: &mut [f64]) -> Result<(), RobotError> {
        let posture = self.posture(platform)?.not_parallel()?;
        put_rows(posture.jacobian() * self.frame().angle_sign, rows);
        Ok(())
    }

    pub(super) fn jacobian_and_condition_into(
        &self,
        platform: &PlatformState,
        rows: &mut [f64],
    ) -> Result<f64, RobotError> {
        let posture = self.regular_posture(platform)?;
        put_rows(posture.jacobian() * self.frame().angle_sign, rows);
        Ok(posture.singularity().condition)
    }

    pub(super) fn singularity(&self, platform: &PlatformState) -> Result<Singularity, RobotError> {
        Ok(measures(&self.posture(platform)?.not_serial()?))
    }

    pub(super) fn inverse_dynamics_into(
        &self,
        platform: &PlatformState,
        effort: &mut [f64],
    ) -> Result<(), RobotError> {
        let delta = self.massive()?;
        let Motion { position, velocity, acceleration } = self.motion(platform)?;
        let posture = self.linkage().posture(position)?.not_serial()?.not_parallel()?;
        let found = delta.torque(&posture, velocity, acceleration, linear(platform.wrench));
        put(self.signed(found.torque + delta.friction(found.qdot)), effort);
        Ok(())
    }

    pub(super) fn forward_dynamics_into(
        &self,
        platform: &PlatformState,
        effort: &[f64],
        acceleration: &mut [f64],
        qdd: &mut [f64],
    ) -> Result<(), RobotError> {
        let delta = self.massive()?;
        let motion = self.motion(platform)?;
        let torque = self.signed(three("torques", effort)?);
        let qdot = self.linkage().posture(motion.position)?.not_serial()?.joint_velocity(motion.velocity);
        let driving = torque - delta.friction(qdot);
        let force = linear(platform.wrench);
        let found = delta.forward_dynamics(motion.position, motion.velocity, driving, force)?;
        put(found.platform, acceleration);
        put(self.signed(found.joint), qdd);
        Ok(())
    }

    pub(super) fn mass_matrix_into(
        &self,
        platform: &PlatformState,
        rows: &mut [f64],
    ) -> Result<(), RobotError> {
        let delta = self.massive()?;
        put_rows(delta.mass_matrix(&self.regular_posture(platform)?).to_matrix(), rows);
        Ok(())
    }

    pub(super) fn platform_mass_matrix_into(
        &self,
        platform: &PlatformState,
        rows: &mut [f64],
    ) -> Result<(), RobotError> {
        let delta = self.massive()?;
        put_rows(delta.platform_mass_matrix(&self.posture(platform)?.not_serial()?).to_matrix(), rows);
        Ok(())
    }

    pub(super) fn coriolis_into(
        &self,
        platform: &PlatformState,
        effort: &mut [f64],
    ) -> Result<(), RobotError> {
        let delta = self.massive()?;
        let posture = self.regular_posture(platform)?;
        put(self.signed(delta.coriolis_torque(&posture, linear(platform.twist))), effort);
        Ok(())
    }

    pub(super) fn energies(&self, platform: &PlatformState) -> Result<Energies, RobotError> {
        let delta = self.massive()?;
        let posture = self.posture(platform)?.not_serial()?;
        Ok(Energies {
            kinetic: delta.kinetic_energy(&posture, linear(platform.twist)),
            potential: delta.potential_energy(&posture),
        })
    }

    pub(super) fn leg_forces_into(
        &self,
        platform: &PlatformState,
        forces: &mut [LegForce],
    ) -> Result<(), RobotError> {
        let delta = self.massive()?;
        let Motion { position, velocity, acceleration } = self.motion(platform)?;
        let posture = self.linkage().posture(position)?.not_serial()?.not_parallel()?;
        let effort = delta.torque(&posture, velocity, acceleration, linear(platform.wrench));
        let found = leg_forces(delta, &posture, acceleration, &effort);
        forces.iter_mut().zip(found.to_array()).for_each(|(slot, force)| *slot = force);
        Ok(())
    }

    pub(super) fn state(&self, platform: &PlatformState) -> Result<State, RobotError> {
        let motion = self.motion(platform)?;
        let posture = self.linkage().posture(motion.position)?.not_serial()?.not_parallel()?;
        let (v, a) = (motion.velocity, motion.acceleration);
        let q = self.user_angles(posture.angles()).to_array().to_vec();
        let list = |v: V3<f64>| self.signed(v).to_array().to_vec();
        let dynamics = |delta: &Delta<f64>| {
            let force = linear(platform.wrench);
            let effort = delta.torque(&posture, v, a, force);
            let friction = delta.friction(effort.qdot);
            let mass = delta.mass_matrix(&posture);
            Dynamics {
                motor: list(effort.torque + friction),
                effort: list(effort.torque),
                inertial: list(mass * effort.qddot),
                coriolis: list(delta.coriolis_torque(&posture, v)),
                gravity: list(delta.gravity_torque(&posture)),
                external: list(-Delta::static_torque(&posture, force)),
                friction: list(friction),
                mass_matrix: rows(mass.to_matrix()),
                platform_mass_matrix: rows(delta.platform_mass_matrix(&posture).to_matrix()),
                leg_force: leg_forces(delta, &posture, a, &effort).map(|leg| leg.axial).to_array().to_vec(),
                joint_reaction: Vec::new(),
                kinetic_energy: delta.kinetic_energy(&posture, v),
                potential_energy: delta.potential_energy(&posture),
            }
        };
        Ok(State {
            platform: *platform,
            mode: self.linkage().working_mode().to_string(),
            outside_limits: outside(self.joints(), &q),
            q,
            qd: list(posture.joint_velocity(v)),
            qdd: list(posture.joint_acceleration(v, a)),
            jacobian: rows(posture.jacobian() * self.frame().angle_sign),
            singularity: measures(&posture),
            dynamics: self.model().map(dynamics),
        })
    }
}

fn leg_forces(
    delta: &Delta<f64>,
    posture: &Posture<f64>,
    acceleration: V3<f64>,
    effort: &Effort<f64>,
) -> V3<LegForce> {
    let forces = delta.leg_forces(posture, acceleration, effort);
    forces.zip(posture.legs, |force, leg| LegForce {
        force: force.to_array(),
        axial: force.dot(leg.s) / leg.s.norm_sq().sqrt(),
    })
}

fn measures(posture: &Posture<f64>) -> Singularity {
    let found = posture.singularity();
    Singularity {
        serial: found.serial.map(f64::abs).to_array().to_vec(),
        parallel: found.parallel.abs(),
        condition: found.condition,
    }
}
