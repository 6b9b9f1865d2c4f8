//! The Delta in closed form as a model. Its forearms decide which model of the papers it is:
//! exact, or lumped as in [`Forearm::SIMPLIFIED`](crate::robots::delta::Forearm::SIMPLIFIED).

use super::model::{Model, as_model_of};
use super::signal::{Joints, Platform};
use crate::engine::{Pose, Twist};
use crate::robots::delta::{Assembly, Delta, Posture};
use crate::{Margin, Real, V3};

/// A Delta whose platform hangs on the given side of its elbows. A [`Delta`] alone is one with the platform below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AssembledDelta<T> {
    /// The robot.
    pub delta: Delta<T>,
    /// Where its platform hangs.
    pub assembly: Assembly,
}

/// The posture at a position. The margin is the smaller of D²/b² (a leg stretched or folded) and
/// |det S|/b³ (forearms in a plane).
#[inline]
fn posture<T: Real>(delta: &Delta<T>, position: V3<T>) -> Margin<Posture<T>, T> {
    let Margin { value, margin } = delta.linkage().posture_at(position);
    let margin = margin / delta.linkage().geometry().forearm.squared();
    Margin { value, margin: with_volume(margin, &value) }
}

/// Out of reach the posture is NaN and so is its volume: the margin tells how far.
#[inline]
fn with_volume<T: Real>(margin: T, posture: &Posture<T>) -> T {
    T::select(margin.lt(T::zero()), margin, margin.min(posture.forearm_volume().abs()))
}

fn translating<T: Real>(linear: V3<T>) -> Twist<T> {
    Twist::new(linear, V3::zero())
}

impl<T: Real> Model<T, 3> for AssembledDelta<T> {
    #[inline]
    fn joints(&self, platform: &Platform<T>) -> Margin<Joints<T, 3>, T> {
        let Margin { value: posture, margin } = posture(&self.delta, platform.pose.position);
        let v = platform.twist.linear;
        let value = Joints {
            q: posture.angles().to_array(),
            qdot: posture.joint_velocity(v).to_array(),
            qddot: posture.joint_acceleration(v, platform.acceleration.linear).to_array(),
        };
        Margin { value, margin }
    }

    #[inline]
    fn platform(&self, q: &[T; 3], qdot: &[T; 3], _near: &Pose<T>) -> Margin<(Pose<T>, Twist<T>), T> {
        let Margin { value: posture, margin } = self.delta.linkage().posture_of(V3::from(*q), self.assembly);
        let velocity = posture.platform_velocity(V3::from(*qdot));
        let value = (Pose::translation(posture.position), translating(velocity));
        let margin = margin / self.delta.linkage().geometry().forearm.squared(); // k²/b²: without a unit
        Margin { value, margin: with_volume(margin, &posture) }
    }

    #[inline]
    fn effort(&self, platform: &Platform<T>) -> Margin<[T; 3], T> {
        let Margin { value: posture, margin } = posture(&self.delta, platform.pose.position);
        let (v, a) = (platform.twist.linear, platform.acceleration.linear);
        let found = self.delta.torque(&posture, v, a, V3::zero());
        Margin { value: (found.torque + self.delta.friction(found.qdot)).to_array(), margin }
    }

    #[inline]
    fn joint_mass_matrix(&self, pose: &Pose<T>) -> Margin<[[T; 3]; 3], T> {
        let Margin { value: posture, margin } = posture(&self.delta, pose.position);
        Margin { value: self.delta.mass_matrix(&posture).to_matrix().to_rows(), margin }
    }

    #[inline]
    fn platform_acceleration(&self, pose: &Pose<T>, twist: &Twist<T>, qddot: &[T; 3]) -> Margin<Twist<T>, T> {
        let Margin { value: posture, margin } = posture(&self.delta, pose.position);
        let v = twist.linear;
        let value = posture.platform_acceleration(v, posture.joint_velocity(v), V3::from(*qddot));
        Margin { value: translating(value), margin }
    }

    #[inline]
    fn effort_from_joints(&self, pose: &Pose<T>, twist: &Twist<T>, qddot: &[T; 3]) -> Margin<[T; 3], T> {
        let Margin { value: posture, margin } = posture(&self.delta, pose.position);
        let v = twist.linear;
        let a = posture.platform_acceleration(v, posture.joint_velocity(v), V3::from(*qddot));
        let found = self.delta.torque(&posture, v, a, V3::zero());
        Margin { value: (found.torque + self.delta.friction(found.qdot)).to_array(), margin }
    }
}

impl<T: Real> Delta<T> {
    /// The robot with its platform below the elbows.
    #[inline(always)]
    fn hanging(&self) -> AssembledDelta<T> {
        AssembledDelta { delta: *self, assembly: Assembly::Below }
    }
}

impl<T: Real> Model<T, 3> for Delta<T> {
    as_model_of!(T, 3, |it| it.hanging());

    #[inline]
    fn effort(&self, platform: &Platform<T>) -> Margin<[T; 3], T> {
        self.hanging().effort(platform)
    }

    #[inline]
    fn effort_from_joints(&self, pose: &Pose<T>, twist: &Twist<T>, qddot: &[T; 3]) -> Margin<[T; 3], T> {
        self.hanging().effort_from_joints(pose, twist, qddot)
    }
}
