//! The rotary Delta through the general engine: the judge of the closed form.
//!
//! V_r = v_P, S = \[1; 0\], each forearm one rod in the middle of its pair
//! (formulas.md 12.5). The rods' rotation about their own axis carries no inertia.

use super::delta::{Delta, Elbow};
use super::hexa::{motor_frame, side_of};
use crate::engine::legs::{RusLeg, ShaftLeg};
use crate::engine::{Attachment, Drive, Leg, MotionSpace, Pose, RigidBody, Robot};
use crate::{Real, Sym3, V3};

/// Three legs of three joints, three freedoms, three motors.
pub type DeltaLegs<T> = Robot<T, 3, 3, 3, 3>;

/// A Delta with exact forearms as a robot of the general engine. Motor friction
/// is included here, whereas [`Delta`] keeps it apart.
pub fn delta_legs<T: Real>(delta: &Delta<T>) -> DeltaLegs<T> {
    let m = delta.inertia();
    Robot {
        legs: legs(delta),
        platform: RigidBody::point(m.platform + m.payload, V3::zero()),
        space: MotionSpace::translational(),
        gravity: m.gravity,
    }
}

/// The legs of a Delta whose tool turns about the normal of its plate, then the shaft that turns it, driven by `axis`.
/// The plate is carried by the forearms and does not turn; the platform of these legs is the tool, whose body and
/// whose freedoms x, y, z and rotation about z the caller adds. The plate's mass belongs to that body as a point at
/// the origin.
pub fn delta_legs_with_axis<T: Real>(delta: &Delta<T>, axis: Drive<T>) -> ([Leg<T, 3>; 3], Leg<T, 1>) {
    let carried = legs(delta).map(|leg| match leg.attachment {
        Attachment::Spherical { point } => {
            Leg { attachment: Attachment::Carried { hub: V3::zero(), point }, ..leg }
        }
        _ => leg,
    });
    (carried, ShaftLeg { base: Pose::identity(), drive: axis }.leg())
}

fn legs<T: Real>(delta: &Delta<T>) -> [Leg<T, 3>; 3] {
    let (g, m, motor) = (delta.linkage().geometry(), delta.inertia(), delta.motor());
    let o = T::zero();
    let arm = RigidBody {
        mass: m.arm,
        centre: V3::new(m.arm_centre, o, o),
        inertia: Sym3 { diagonal: V3::new(o, m.arm_inertia, m.arm_inertia), off: V3::zero() },
    };
    let elbow = RigidBody::point(m.elbow, V3::new(g.arm, o, o));
    let rod = RigidBody {
        mass: m.forearm,
        centre: V3::new(m.forearm_centre, o, o),
        inertia: Sym3 { diagonal: V3::new(o, m.forearm_inertia, m.forearm_inertia), off: V3::zero() },
    };
    let modes: [Elbow; 3] = delta.linkage().working_mode().0;
    let leg = |azimuth: T, mode: Elbow| {
        let turn = Pose::rotation_z(azimuth);
        let at = |radius: T| turn.of(V3::new(radius, o, o));
        RusLeg {
            base: Pose::new(motor_frame(azimuth), at(g.base_radius)),
            platform_point: at(g.platform_radius),
            arm: g.arm,
            rod: g.forearm,
            arm_body: arm.joined(&elbow),
            rod_body: rod,
            drive: Drive {
                inertia: motor.inertia,
                viscous: motor.viscous,
                coulomb: motor.coulomb,
                ..Drive::ideal()
            },
            side: side_of(mode),
        }
        .leg()
    };
    let [a, b, c] = g.azimuth.to_array();
    let [first, second, third] = modes;
    [leg(a, first), leg(b, second), leg(c, third)]
}
