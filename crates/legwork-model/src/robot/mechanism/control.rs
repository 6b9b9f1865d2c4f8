//! A mechanism as the model of a regulator. Where there is no answer the margin is not positive.

use super::super::dense::{MAX_MOTORS, PerMotor};
use super::super::state::PlatformState;
use super::{MechanismRobot, state_of};
use crate::RobotError;
use legwork_core::Margin;
use legwork_core::control::{Joints, Platform};
use legwork_core::engine::{Pose, Twist};

/// An answer, or NaN with a margin that is not positive.
fn judged<V>(answer: Result<V, RobotError>, none: V) -> Margin<V, f64> {
    match answer {
        Ok(value) => Margin { value, margin: 1.0 },
        Err(_) => Margin { value: none, margin: -1.0 },
    }
}

const NONE: PerMotor = [f64::NAN; MAX_MOTORS];

impl MechanismRobot {
    /// The motion in the freedoms: what follows from the others is left out.
    fn asked(&self, pose: &Pose<f64>, twist: &Twist<f64>, acceleration: &Twist<f64>) -> PlatformState {
        let own = |six: [f64; 6]| {
            let mut picked = [0.0; 6];
            for freedom in self.freedoms() {
                picked[freedom.component] = six[freedom.component];
            }
            picked
        };
        PlatformState {
            twist: own(twist.to_vector_linear_first()),
            acceleration: own(acceleration.to_vector_linear_first()),
            ..state_of(pose)
        }
    }

    fn lists(&self) -> usize {
        self.joints().len().min(MAX_MOTORS)
    }

    pub(in crate::robot) fn motor_joints(
        &self,
        platform: &Platform<f64>,
    ) -> Margin<Joints<f64, MAX_MOTORS>, f64> {
        let mut joints = Joints { q: [0.0; MAX_MOTORS], qdot: [0.0; MAX_MOTORS], qddot: [0.0; MAX_MOTORS] };
        let asked = self.asked(&platform.pose, &platform.twist, &platform.acceleration);
        let count = self.lists();
        let Joints { q, qdot, qddot } = &mut joints;
        let found =
            self.joints_from_platform_into(&asked, &mut q[..count], &mut qdot[..count], &mut qddot[..count]);
        judged(found.map(|()| joints), Joints { q: NONE, qdot: NONE, qddot: NONE })
    }

    pub(in crate::robot) fn platform_near(
        &self,
        q: &PerMotor,
        qdot: &PerMotor,
        near: &Pose<f64>,
    ) -> Margin<(Pose<f64>, Twist<f64>), f64> {
        let count = self.lists();
        let still = &[0.0; MAX_MOTORS][..count];
        let found = self.platform_from_joints(&q[..count], &qdot[..count], still, &state_of(near));
        let answer = found.map(|state| {
            let asked = Twist::from_vector_linear_first(state.twist);
            (super::pose_of(&state), asked)
        });
        judged(answer, (*near, Twist::zero()))
    }

    pub(in crate::robot) fn motor_effort(&self, platform: &Platform<f64>) -> Margin<PerMotor, f64> {
        let asked = self.asked(&platform.pose, &platform.twist, &platform.acceleration);
        let mut effort = [0.0; MAX_MOTORS];
        let found = self.inverse_dynamics_into(&asked, &mut effort[..self.lists()]);
        judged(found.map(|()| effort), NONE)
    }

    pub(in crate::robot) fn motor_mass_matrix(
        &self,
        pose: &Pose<f64>,
    ) -> Margin<[PerMotor; MAX_MOTORS], f64> {
        let count = self.lists();
        let mut flat = [0.0; MAX_MOTORS * MAX_MOTORS];
        let flat = &mut flat[..count * count];
        let found = self.mass_matrix_into(&state_of(pose), flat);
        let mut rows = [[0.0; MAX_MOTORS]; MAX_MOTORS];
        for (row, own) in rows.iter_mut().zip(flat.chunks_exact(count.max(1))) {
            row.iter_mut().zip(own).for_each(|(slot, value)| *slot = *value);
        }
        judged(found.map(|()| rows), [NONE; MAX_MOTORS])
    }

    pub(in crate::robot) fn acceleration_of(
        &self,
        pose: &Pose<f64>,
        twist: &Twist<f64>,
        qddot: &PerMotor,
    ) -> Margin<Twist<f64>, f64> {
        let asked = self.asked(pose, twist, &Twist::zero());
        let found = self.platform_acceleration(&asked, &qddot[..self.lists()]);
        judged(found.map(Twist::from_vector_linear_first), Twist::zero())
    }
}
