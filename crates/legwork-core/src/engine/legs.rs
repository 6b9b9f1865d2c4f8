//! Ready-made legs: the chains behind the families, with their closed-form kinematics.

use super::attachment::Attachment;
use super::chain::{Chain, Drive, JointKind, Link};
use super::inverse::LegInverse;
use super::leg::Leg;
use super::spatial::{Pose, RigidBody};
use crate::{M3, Real, V3};

/// A turn by ±90° about x: `Rx(π/2)` for `up`, `Rx(−π/2)` otherwise, without rounding.
pub fn quarter_turn_x<T: Real>(up: bool) -> M3<T> {
    let (o, l) = (T::zero(), T::one());
    let s = if up { l } else { -l };
    M3::from_rows(V3::new(l, o, o), V3::new(o, o, -s), V3::new(o, s, o))
}

fn link<T: Real>(kind: JointKind, placement: Pose<T>) -> Link<T> {
    Link { kind, active: false, placement, body: None, drive: Drive::ideal() }
}

fn driven<T: Real>(link: Link<T>, drive: Drive<T>) -> Link<T> {
    Link { active: true, drive, ..link }
}

/// A universal joint, a cylinder, a rod that slides in it, a ball joint:
/// \[KhalilIbrahim2007, Table 1\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpsLeg<T> {
    /// The first joint: its z is the first axis a1 of the universal joint, its origin
    /// the centre B_i; q1 is counted from its x axis turned as in the table.
    pub base: Pose<T>,
    /// Ball joint in the platform's frame, P_i \[m\].
    pub platform_point: V3<T>,
    /// The part that does not slide. Leg frame: z = a3 towards the platform,
    /// y = a2 = unit(a3 × a1), x = y × z; origin at B_i.
    pub cylinder: RigidBody<T>,
    /// The part that slides. Same axes, origin at P_i.
    pub rod: RigidBody<T>,
    /// The motor of the first joint, if it has one.
    pub first: Option<Drive<T>>,
    /// The motor of the slide.
    pub slide: Drive<T>,
}

impl<T: Real> UpsLeg<T> {
    /// The chain R, R, P with α = π/2 between joints 1, 2 and 3.
    pub fn leg(&self) -> Leg<T, 3> {
        let corner = Pose::new(quarter_turn_x(true), V3::zero());
        let base = link(JointKind::Revolute, self.base);
        let first = self.first.map_or(base, |drive| driven(base, drive));
        // Frame 2 has the leg along −y; the leg frame is frame 3, a quarter turn away.
        let second =
            Link { body: Some(self.cylinder.seen_from(&corner)), ..link(JointKind::Revolute, corner) };
        let third = Link { body: Some(self.rod), ..link(JointKind::Prismatic, corner) };
        Leg {
            chain: Chain { links: [first, second, driven(third, self.slide)], tip: V3::zero() },
            attachment: Attachment::Spherical { point: self.platform_point },
            inverse: LegInverse::Ups { side: T::one() },
        }
    }
}

/// A motor with an arm, a universal joint at its end, a rod, a ball joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RusLeg<T> {
    /// The motor: z is its axis, x the arm at q = 0.
    pub base: Pose<T>,
    /// Ball joint in the platform's frame \[m\].
    pub platform_point: V3<T>,
    /// Length of the arm \[m\].
    pub arm: T,
    /// Length of the rod \[m\].
    pub rod: T,
    /// The arm, x along it, origin on the motor axis.
    pub arm_body: RigidBody<T>,
    /// The rod, x along it, origin at the elbow.
    pub rod_body: RigidBody<T>,
    /// The motor.
    pub drive: Drive<T>,
    /// +1 or −1: q = atan2(F, E) + side·acos(…), see [`LegInverse::Rus`].
    pub side: T,
}

impl<T: Real> RusLeg<T> {
    /// The chain R, R, R. The first axis of the universal joint is parallel to the motor's.
    pub fn leg(&self) -> Leg<T, 3> {
        let o = T::zero();
        let first = Link { body: Some(self.arm_body), ..link(JointKind::Revolute, self.base) };
        let elbow = link(JointKind::Revolute, Pose::translation(V3::new(self.arm, o, o)));
        let corner = Pose::new(quarter_turn_x(true), V3::zero());
        let last = Link { body: Some(self.rod_body), ..link(JointKind::Revolute, corner) };
        Leg {
            chain: Chain { links: [driven(first, self.drive), elbow, last], tip: V3::new(self.rod, o, o) },
            attachment: Attachment::Spherical { point: self.platform_point },
            inverse: LegInverse::Rus { side: self.side, cross: T::one() },
        }
    }
}

/// A carriage on a rail, a universal joint on it, a rod, a ball joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PusLeg<T> {
    /// The rail: z along it, origin where q = 0, y the first axis of the universal joint.
    pub base: Pose<T>,
    /// Ball joint in the platform's frame \[m\].
    pub platform_point: V3<T>,
    /// Length of the rod \[m\].
    pub rod: T,
    /// The carriage, axes of the rail, origin at the universal joint.
    pub carriage: RigidBody<T>,
    /// The rod, x along it, origin at the carriage.
    pub rod_body: RigidBody<T>,
    /// The motor.
    pub drive: Drive<T>,
    /// +1: the carriage is ahead of the ball joint along the rail; −1: behind it.
    pub side: T,
}

impl<T: Real> PusLeg<T> {
    /// The chain P, R, R.
    pub fn leg(&self) -> Leg<T, 3> {
        let o = T::zero();
        let first = Link { body: Some(self.carriage), ..link(JointKind::Prismatic, self.base) };
        let hinge = link(JointKind::Revolute, Pose::new(quarter_turn_x(false), V3::zero()));
        let corner = Pose::new(quarter_turn_x(true), V3::zero());
        let last = Link { body: Some(self.rod_body), ..link(JointKind::Revolute, corner) };
        Leg {
            chain: Chain { links: [driven(first, self.drive), hinge, last], tip: V3::new(self.rod, o, o) },
            attachment: Attachment::Spherical { point: self.platform_point },
            inverse: LegInverse::Pus { side: self.side, cross: T::one() },
        }
    }
}

/// Two bars in the x-y plane: motor, elbow, pin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarLeg<T> {
    /// The motor \[m\]; q is counted from +x, counter-clockwise.
    pub base: V3<T>,
    /// The pin in the platform's frame \[m\].
    pub platform_point: V3<T>,
    /// Lengths of the proximal and the distal bar \[m\].
    pub lengths: [T; 2],
    /// The proximal bar, x along it, origin at the motor.
    pub proximal: RigidBody<T>,
    /// The distal bar, x along it, origin at the elbow.
    pub distal: RigidBody<T>,
    /// The motor.
    pub drive: Drive<T>,
    /// +1: q = angle to the pin + acos(…); −1: minus.
    pub side: T,
}

impl<T: Real> PlanarLeg<T> {
    /// A bar in a planar robot: mass, centre along x, moment of inertia about the
    /// centre and z. Only the moment about z acts; the others are set equal to it.
    pub fn bar(mass: T, centre: T, inertia: T) -> RigidBody<T> {
        RigidBody {
            mass,
            centre: V3::new(centre, T::zero(), T::zero()),
            inertia: crate::Sym3::scalar(inertia),
        }
    }

    /// The chain R, R.
    pub fn leg(&self) -> Leg<T, 2> {
        let (o, [l1, l2]) = (T::zero(), self.lengths);
        let first =
            Link { body: Some(self.proximal), ..link(JointKind::Revolute, Pose::translation(self.base)) };
        let elbow = Pose::translation(V3::new(l1, o, o));
        let second = Link { body: Some(self.distal), ..link(JointKind::Revolute, elbow) };
        Leg {
            chain: Chain { links: [driven(first, self.drive), second], tip: V3::new(l2, o, o) },
            attachment: Attachment::planar_xy(self.platform_point),
            inverse: LegInverse::Rr { side: self.side },
        }
    }
}

/// A shaft that turns with the platform and follows it by a telescope and joints of its own, whose masses are
/// neglected: its angle does not depend on where the platform is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShaftLeg<T> {
    /// The motor: z is its axis; q = 0 where the platform's axes are those of this frame.
    pub base: Pose<T>,
    /// The motor, with the inertia of all that turns with it besides the platform.
    pub drive: Drive<T>,
}

impl<T: Real> ShaftLeg<T> {
    /// The chain R.
    pub fn leg(&self) -> Leg<T, 1> {
        let first = link(JointKind::Revolute, self.base);
        Leg {
            chain: Chain { links: [driven(first, self.drive)], tip: V3::zero() },
            attachment: Attachment::Turning {
                axis: self.base.rotation.columns().z,
                frame: self.base.rotation,
            },
            inverse: LegInverse::Turn,
        }
    }
}

/// A slide whose end stays in a face of the platform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlideLeg<T> {
    /// The slide: z along it, origin where q = 0.
    pub base: Pose<T>,
    /// Unit normal of the face in the platform's frame.
    pub normal: V3<T>,
    /// Distance of the face from the platform's origin \[m\].
    pub distance: T,
    /// What slides \[kg\].
    pub mass: T,
    /// The motor.
    pub drive: Drive<T>,
}

impl<T: Real> SlideLeg<T> {
    /// The chain P.
    pub fn leg(&self) -> Leg<T, 1> {
        let body = RigidBody::point(self.mass, V3::zero());
        let first = Link { body: Some(body), ..link(JointKind::Prismatic, self.base) };
        Leg {
            chain: Chain { links: [driven(first, self.drive)], tip: V3::zero() },
            attachment: Attachment::Sliding { normal: self.normal, distance: self.distance },
            inverse: LegInverse::Slide,
        }
    }
}
