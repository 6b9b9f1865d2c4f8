//! Where a robot of any type is and how it moves.
//!
//! Every call comes in two forms: one returns vectors, one ends in `_into`, writes into the caller's memory
//! and allocates nothing. Matrices are by rows.

use super::state::outside;
use super::{AnyRobot, Kind, either};
use super::{JointMotion, JointSolution, PlatformSolution, PlatformState, RobotError, Singularity, Skeleton};
use legwork_core::robots::delta::Assembly;

/// How many seeded starts [`AnyRobot::assembly_modes`] makes where nothing better is known.
pub const FORWARD_STARTS: usize = 2000;

/// Refuses a list of another length.
#[inline]
pub(super) fn sized(what: &'static str, list: &[f64], expected: usize) -> Result<(), RobotError> {
    if list.len() == expected { Ok(()) } else { Err(RobotError::Count { what, expected, found: list.len() }) }
}

/// Refuses an answer that is not finite: numbers that are finite, and too large for what is made of them.
#[inline]
pub(super) fn finite(what: &'static str, answer: &[f64]) -> Result<(), RobotError> {
    // x·0 is 0 for every finite x and NaN for the others.
    if answer.iter().map(|x| x * 0.0).sum::<f64>() == 0.0 {
        return Ok(());
    }
    overflow(what, answer)
}

#[cold]
fn overflow(what: &'static str, answer: &[f64]) -> Result<(), RobotError> {
    match answer.iter().enumerate().find(|(_, value)| !value.is_finite()) {
        Some((component, value)) => Err(RobotError::Overflow { what, component, value: *value }),
        None => Ok(()),
    }
}

/// A list of rows from one list.
pub(super) fn by_rows(flat: &[f64], columns: usize) -> Vec<Vec<f64>> {
    flat.chunks_exact(columns.max(1)).map(<[f64]>::to_vec).collect()
}

impl AnyRobot {
    /// Inverse kinematics: the actuated joints q \[rad or m\] at a pose, in the robot's working mode.
    pub fn inverse_kinematics(&self, platform: &PlatformState) -> Result<JointSolution, RobotError> {
        let mut q = vec![0.0; self.joints().len()];
        self.inverse_kinematics_into(platform, &mut q)?;
        Ok(JointSolution { mode: self.working_mode(), outside_limits: outside(self.joints(), &q), q })
    }

    /// [`inverse_kinematics`](Self::inverse_kinematics) in the caller's memory, a number for each joint.
    pub fn inverse_kinematics_into(&self, platform: &PlatformState, q: &mut [f64]) -> Result<(), RobotError> {
        sized("joint values", q, self.joints().len())?;
        either!(self, robot => robot.inverse_kinematics_into(platform, q))?;
        finite("joint values", q)?;
        self.check_joint_cones(platform)
    }

    /// Every inverse-kinematic solution, the robot's own working mode first.
    pub fn all_inverse_kinematics(&self, platform: &PlatformState) -> Result<Vec<JointSolution>, RobotError> {
        let found = match &self.kind {
            Kind::Delta(robot) => robot.all_inverse_kinematics(robot.only_translated(platform)?),
            Kind::Engine(robot) => robot.all_inverse_kinematics(platform),
            Kind::Mechanism(robot) => robot.all_inverse_kinematics(platform),
        }?;
        found.iter().try_for_each(|found| finite("joint values", &found.q))?;
        self.check_joint_cones(platform)?;
        Ok(found)
    }

    /// Forward kinematics: the pose at which the actuated joints are at `q` \[rad or m\]. A Delta hangs below
    /// its elbows; other robots are sought from `start`, for example the last pose: the pose that the motors lead to
    /// from there in a straight line or, if that way ends before, another one; the answer says which.
    pub fn forward_kinematics(
        &self,
        q: &[f64],
        start: &PlatformState,
    ) -> Result<PlatformSolution, RobotError> {
        let found = match &self.kind {
            Kind::Delta(robot) => robot.forward_kinematics(q, Assembly::Below),
            Kind::Engine(robot) => robot.forward_kinematics_from(q, start),
            Kind::Mechanism(robot) => robot.forward_kinematics_from(q, start),
        }?;
        found.check_finite()?;
        Ok(found)
    }

    /// [`forward_kinematics`](Self::forward_kinematics) in the caller's memory: `platform` is the start, and
    /// the pose that was found, at rest. Where there is none, it stays as it is.
    pub fn forward_kinematics_into(&self, q: &[f64], platform: &mut PlatformState) -> Result<(), RobotError> {
        let found = match &self.kind {
            Kind::Delta(robot) => PlatformState::at(robot.position_from_joints(q, Assembly::Below)?),
            Kind::Engine(robot) => {
                let pose = robot.pose_from_joints(q, platform)?.pose;
                PlatformState::at(pose.position.to_array()).turned(pose.rotation.to_rows())
            }
            Kind::Mechanism(robot) => robot.pose_from_joints(q, platform)?,
        };
        found.check_answer()?;
        *platform = found;
        Ok(())
    }

    /// Every forward-kinematic solution in the working mode of the robot, lowest first; for a Delta those below and
    /// above its elbows. [`assembly_modes`](Self::assembly_modes) has those of other working modes as well, and says
    /// whether there can be more.
    pub fn all_forward_kinematics(&self, q: &[f64]) -> Result<Vec<PlatformSolution>, RobotError> {
        let is_closed = matches!(self.kind, Kind::Delta(_));
        let all = self.assembly_modes(q)?.modes.into_iter();
        Ok(all.filter(|mode| is_closed || mode.is_own_mode).map(|mode| mode.solution).collect())
    }

    /// The joints' motion for a motion of the platform: q, q̇ = J⁻¹ V and q̈ = J⁻¹ V̇ + d(J⁻¹)/dt V.
    pub fn joints_from_platform(&self, platform: &PlatformState) -> Result<JointMotion, RobotError> {
        let zero = vec![0.0; self.joints().len()];
        let mut motion = JointMotion { q: zero.clone(), qd: zero.clone(), qdd: zero };
        let JointMotion { q, qd, qdd } = &mut motion;
        self.joints_from_platform_into(platform, q, qd, qdd)?;
        Ok(motion)
    }

    /// [`joints_from_platform`](Self::joints_from_platform) in the caller's memory, a number for each joint in
    /// each list.
    pub fn joints_from_platform_into(
        &self,
        platform: &PlatformState,
        q: &mut [f64],
        qd: &mut [f64],
        qdd: &mut [f64],
    ) -> Result<(), RobotError> {
        let expected = self.joints().len();
        sized("joint values", q, expected)?;
        sized("joint velocities", qd, expected)?;
        sized("joint accelerations", qdd, expected)?;
        either!(self, robot => robot.joints_from_platform_into(platform, q, qd, qdd))?;
        finite("joint values", q)?;
        finite("joint velocities", qd)?;
        finite("joint accelerations", qdd)
    }

    /// The platform's motion for a motion of the joints; `start` as in
    /// [`forward_kinematics`](Self::forward_kinematics).
    pub fn platform_from_joints(
        &self,
        q: &[f64],
        qd: &[f64],
        qdd: &[f64],
        start: &PlatformState,
    ) -> Result<PlatformState, RobotError> {
        let found = match &self.kind {
            Kind::Delta(robot) => robot.platform_from_joints(q, qd, qdd),
            Kind::Engine(robot) => robot.platform_from_joints(q, qd, qdd, start),
            Kind::Mechanism(robot) => robot.platform_from_joints(q, qd, qdd, start),
        }?;
        found.check_answer()?;
        Ok(found)
    }

    /// The Jacobian J in V = J q̇, by rows: a row for each freedom of the platform (linear ones in m/s,
    /// angular ones in rad/s, base axes, user's frame), a column for each joint.
    pub fn jacobian(&self, platform: &PlatformState) -> Result<Vec<Vec<f64>>, RobotError> {
        let mut flat = vec![0.0; self.freedoms().len() * self.joints().len()];
        self.jacobian_into(platform, &mut flat)?;
        Ok(by_rows(&flat, self.joints().len()))
    }

    /// [`jacobian`](Self::jacobian) in the caller's memory, row after row.
    pub fn jacobian_into(&self, platform: &PlatformState, rows: &mut [f64]) -> Result<(), RobotError> {
        sized("entries of the Jacobian", rows, self.freedoms().len() * self.joints().len())?;
        either!(self, robot => robot.jacobian_into(platform, rows))?;
        finite("Jacobian", rows)
    }

    /// How far the pose is from each kind of singularity. The condition of a singular pose is infinite: the one
    /// answer that may be.
    pub fn singularity(&self, platform: &PlatformState) -> Result<Singularity, RobotError> {
        let found = either!(self, robot => robot.singularity(platform))?;
        found.check_finite()?;
        Ok(found)
    }

    /// Name of the working mode that the legs are in at these joint values, where a Delta hangs below its elbows.
    pub fn working_mode_at(&self, q: &[f64]) -> Result<String, RobotError> {
        match &self.kind {
            Kind::Delta(robot) => robot.working_mode_at(q).map(|mode| mode.to_string()),
            Kind::Engine(robot) => Ok(robot.mode()),
            Kind::Mechanism(_) => Ok(self.working_mode()),
        }
    }

    /// The joints, from 0, that are outside their limits at these values.
    pub fn outside_limits(&self, q: &[f64]) -> Result<Vec<usize>, RobotError> {
        either!(self, robot => robot.joints_outside_limits(q))
    }

    /// The robot as points and lines in this pose, in the user's frame: what a picture is drawn from.
    pub fn skeleton(&self, platform: &PlatformState) -> Result<Skeleton, RobotError> {
        let found = match &self.kind {
            Kind::Delta(robot) => robot.skeleton(robot.only_translated(platform)?),
            Kind::Engine(robot) => robot.skeleton(platform),
            Kind::Mechanism(robot) => robot.skeleton(platform),
        }?;
        finite("points of the skeleton", found.points.as_flattened())?;
        Ok(found)
    }
}
