//! Everything about one state of a mechanism, and what its joints carry.

use super::super::dense::{self, PerMotor};
use super::super::state::{Dynamics, PlatformState, State, outside};
use super::answers::{Moving, rows, turned, wrench};
use super::rooms::Room;
use super::{MAX_COORDINATES, MechanismRobot, ONLY};
use crate::RobotError;
use crate::mechanism::JointReaction;
use legwork_core::engine::Wrench;

impl MechanismRobot {
    /// What the joints carry under efforts that were just found.
    fn reactions(&self, effort: &PerMotor, outside: &Wrench<f64>, room: &mut Room) -> Vec<JointReaction> {
        let (model, workspace, _) = room.parts(&self.model);
        let (plan, mut memory) = (model.plan(), workspace.memory());
        plan.write_reactions(&effort[..plan.motors.len()], outside, &mut memory);
        model.reactions_in(&memory)
    }

    pub(in crate::robot) fn joint_reactions(
        &self,
        platform: &PlatformState,
    ) -> Result<Vec<JointReaction>, RobotError> {
        self.massive()?;
        let Moving { mut room, rates, accelerations, .. } = self.moving(platform)?;
        let (count, outside) = (self.count(), wrench(platform));
        let motion = (&rates[..count], &accelerations[..count]);
        let effort = self.efforts(motion, outside, true, &mut room);
        Ok(self.reactions(&effort, &outside, &mut room))
    }

    /// Everything.
    pub(in crate::robot) fn state(&self, platform: &PlatformState) -> Result<State, RobotError> {
        let mut moving = self.moving(platform)?;
        let motors = self.joints.len();
        let q = self.model.motor_values(&moving.room.at);
        let (qd, qdd) = self.motor_motion(&mut moving);
        let (motor_rows, jacobian) = self.motor_rows(&moving)?;
        let singularity = self.measures(&moving, &motor_rows, &jacobian);
        let dynamics = self.has_masses.then(|| self.dynamics(&mut moving, platform, &jacobian, &qdd));
        let found = PlatformState {
            twist: moving.twist,
            acceleration: moving.acceleration,
            ..self.whole_pose(platform)?
        };
        Ok(State {
            platform: found,
            mode: ONLY.into(),
            outside_limits: outside(&self.joints, &q),
            q,
            qd: qd[..motors].to_vec(),
            qdd: qdd[..motors].to_vec(),
            jacobian: rows(&jacobian[..self.components().len()], motors),
            singularity,
            dynamics,
        })
    }

    fn dynamics(
        &self,
        moving: &mut Moving<'_>,
        platform: &PlatformState,
        jacobian: &[PerMotor; MAX_COORDINATES],
        qdd: &PerMotor,
    ) -> Dynamics {
        let (motors, count) = (self.joints.len(), self.count());
        let freedoms = self.components().len();
        let platform_mass = self.platform_mass(moving);
        let mass = turned(&platform_mass, jacobian, count, motors);
        let (coriolis, gravity) = self.parts(moving);
        let still = [0.0; MAX_COORDINATES];
        let (rates, accelerations) = (moving.rates, moving.accelerations);
        let (rest, motion) = ((&still[..count], &still[..count]), (&rates[..count], &accelerations[..count]));
        let (outside, room) = (wrench(platform), &mut moving.room);
        let held = self.efforts(rest, outside, false, room);
        let effort = self.efforts(motion, outside, false, room);
        let motor = self.efforts(motion, outside, true, room);
        let joint_reaction = self.reactions(&motor, &outside, room);
        let energies = self.energy(moving);
        let minus = |a: &PerMotor, b: &PerMotor| a.iter().zip(b).take(motors).map(|(a, b)| a - b).collect();
        Dynamics {
            friction: minus(&motor, &effort),
            inertial: mass.iter().take(motors).map(|row| dense::dot(row, qdd, motors)).collect(),
            external: minus(&held, &gravity),
            motor: motor[..motors].to_vec(),
            effort: effort[..motors].to_vec(),
            coriolis: coriolis[..motors].to_vec(),
            gravity: gravity[..motors].to_vec(),
            mass_matrix: rows(&mass[..motors], motors),
            platform_mass_matrix: rows(&platform_mass[..freedoms], freedoms),
            leg_force: Vec::new(),
            joint_reaction,
            kinetic_energy: energies.kinetic,
            potential_energy: energies.potential,
        }
    }
}
