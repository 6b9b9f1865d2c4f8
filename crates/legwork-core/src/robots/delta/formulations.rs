//! The same robot in the other formulations: so that they can judge each other.

use super::constrained::{ArmParameters, ConstrainedDelta};
use super::ngoc_kim::NgocKim;
use super::{Delta, Forearm};
use crate::{M3, Real, V3};

impl<T: Real> Delta<T> {
    /// The robot as three arms with closure constraints \[Bortoff2018\], its legs in
    /// our order. The frame there is z down: [`to_constrained_frame`].
    ///
    /// Arm and elbow become one body; the viscous friction of the motors becomes
    /// the damping of φ₁. The forearms are exact, whatever [`Delta::forearm`] says.
    pub fn to_constrained(&self) -> ConstrainedDelta<T> {
        let (g, m) = (self.linkage().geometry(), self.inertia());
        let upper_mass = m.arm + m.elbow;
        let moment = m.arm * m.arm_centre + m.elbow * g.arm;
        // A massless arm has no centre: put it on the axis.
        let upper_centre = T::select(T::zero().lt(upper_mass), moment / upper_mass, T::zero());
        let about_axis =
            m.arm_inertia + m.arm * m.arm_centre.squared() + m.elbow * g.arm.squared() + self.motor().inertia;
        let arm = ArmParameters {
            base_offset: self.linkage().offset,
            upper: g.arm,
            lower: g.forearm,
            upper_centre,
            lower_centre: m.forearm_centre,
            upper_mass,
            lower_mass: m.forearm,
            tip_mass: (m.platform + m.payload) / T::from_f64(3.0),
            upper_inertia: about_axis - upper_mass * upper_centre.squared(),
            lower_inertia: m.forearm_inertia,
            damping: V3::new(self.motor().viscous, T::zero(), T::zero()),
            gravity: V3::zero(), // of each arm, in its own axes, below
        };
        // The map (x, y, z) → (y, x, −z) takes a leg at azimuth φ from +x to one at −φ from +y.
        let rotations = self.linkage().direction.map(|(cos, sin)| M3::rotation_z(cos, -sin));
        let gravity = to_constrained_frame(m.gravity);
        let arms = rotations.map(|rotation| ArmParameters { gravity: rotation.transpose() * gravity, ..arm });
        ConstrainedDelta { arms, rotations }
    }

    /// As [`to_constrained`](Self::to_constrained), but with the forearms as [`Delta::forearm`] says.
    ///
    /// Lumped forearms are massless rods between two point masses. An upper arm turns about a
    /// fixed axis, so its inertia I and its weight are two numbers that its mass and centre can
    /// have together; the platform falls with another gravity where inertia and weight are split differently.
    pub fn to_constrained_as_modelled(&self) -> ConstrainedDelta<T> {
        let exact = self.to_constrained();
        if self.forearm() == Forearm::Exact {
            return exact;
        }
        let c = &self.constants;
        let a = self.linkage().geometry().arm;
        let (arm_share, platform_share) = self.weight_masses();
        let scale = platform_share / c.mass;
        // Where nothing on the platform has weight, no gravity gives the arms theirs; scale is then zero.
        let upper_mass = T::select(T::zero().lt(scale), arm_share / scale, T::zero());
        let arms = exact.arms.map(|arm| ArmParameters {
            upper_centre: a,
            upper_mass,
            upper_inertia: c.axis_inertia - upper_mass * a.squared(),
            lower_mass: T::zero(),
            lower_inertia: T::zero(),
            tip_mass: c.mass / T::from_f64(3.0),
            gravity: arm.gravity * scale,
            ..arm
        });
        ConstrainedDelta { arms, ..exact }
    }

    /// The robot of \[NgocKim2010\] with the same inertia and weight about each motor
    /// axis; the forearms lumped half and half. Legs at 0°, 120°, 240°.
    pub fn to_ngoc_kim(&self) -> NgocKim<T> {
        let (g, m) = (self.linkage().geometry(), self.inertia());
        let about_axis =
            m.arm_inertia + m.arm * m.arm_centre.squared() + m.elbow * g.arm.squared() + self.motor().inertia;
        // A uniform arm of this mass has the same weight about the axis; the rotor takes the rest of the inertia.
        let arm_mass = (m.arm * m.arm_centre / g.arm + m.elbow) * T::from_f64(2.0);
        NgocKim {
            base_radius: g.base_radius,
            platform_radius: g.platform_radius,
            arm: g.arm,
            rod: g.forearm,
            arm_mass,
            rod_mass: m.forearm * T::from_f64(0.5),
            platform_mass: m.platform + m.payload,
            rotor_inertia: about_axis - arm_mass * g.arm.squared() / T::from_f64(3.0),
            gravity: m.gravity,
        }
    }
}

/// A vector of ours in the frame of [`ConstrainedDelta`], and back: (x, y, z) → (y, x, −z).
#[inline(always)]
pub fn to_constrained_frame<T: Real>(v: V3<T>) -> V3<T> {
    V3::new(v.y, v.x, -v.z)
}
