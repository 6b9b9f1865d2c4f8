//! A rotary Delta from its description: in closed form, and through it as legs.

use super::FamilyData;
use super::blueprint::{Blueprint, BuildError, Construction};
use super::delta::DeltaDescription;
use crate::description::parts::{AngleLimits, Elbow};
use legwork_core::robots::delta::{self, Assembly, Delta, Geometry, Inertia, Linkage, Motor, WorkingMode};
use legwork_core::{M3, V3};
use std::f64::consts::FRAC_PI_2;

/// A Delta in its own frame.
pub(crate) struct ClosedDelta {
    pub linkage: Linkage<f64>,
    /// None without masses.
    pub model: Option<Delta<f64>>,
    pub home: [f64; 3],
}

impl DeltaDescription {
    /// The Delta turned about its axis by `heading` \[rad\] and with so much more mass on its platform \[kg\].
    pub(crate) fn closed(
        &self,
        gravity: V3<f64>,
        heading: f64,
        tool_mass: f64,
    ) -> Result<ClosedDelta, BuildError> {
        // Turned about its axis, a Delta is one whose legs point elsewhere.
        let turn = M3::rotation_z(heading.cos(), heading.sin());
        let g = &self.geometry;
        let geometry = Geometry {
            base_radius: g.base_radius,
            platform_radius: g.platform_radius,
            arm: g.arm,
            forearm: g.forearm,
            azimuth: V3::from(g.azimuth).map(|azimuth| azimuth + heading),
        };
        let mode = WorkingMode(self.working_mode.map(|elbow| match elbow {
            Elbow::Out => delta::Elbow::Out,
            Elbow::In => delta::Elbow::In,
        }));
        let linkage = Linkage::new(geometry).map_err(BuildError::Parameter)?.with_working_mode(mode);
        let model = self.mass.map(|m| {
            let inertia = Inertia {
                platform: m.platform + tool_mass,
                payload: m.payload,
                arm: m.arm,
                arm_centre: m.arm_centre,
                arm_inertia: m.arm_inertia,
                elbow: m.elbow,
                forearm: m.forearm,
                forearm_centre: m.forearm_centre,
                forearm_inertia: m.forearm_inertia,
                gravity,
            };
            let motor = Motor {
                inertia: self.motor.inertia_at_arm(),
                viscous: self.motor.viscous_friction,
                coulomb: self.motor.coulomb_friction,
            };
            Delta::new(linkage, inertia, motor)
        });
        let model = model.transpose().map_err(BuildError::Parameter)?;
        if let AngleLimits { min: Some(min), max: Some(max) } = self.limits
            && min >= max
        {
            return Err(BuildError::Limits { min, max });
        }
        let home = self.home.unwrap_or_else(|| default_home(&geometry, &linkage, &self.limits));
        let home = (turn * V3::from(home)).to_array();
        if let Err(cause) = linkage.posture(home.into()) {
            let position = self.frame.position_to_user(self.home.unwrap_or(home));
            return Err(BuildError::Home { position, cause });
        }
        Ok(ClosedDelta { linkage, model, home })
    }
}

/// On the axis, arm and forearm at right angles: the middle of the reach.
fn default_home(g: &Geometry<f64>, linkage: &Linkage<f64>, limits: &AngleLimits) -> [f64; 3] {
    let offset = g.base_radius - g.platform_radius;
    let square = g.arm * g.arm + g.forearm * g.forearm - offset * offset;
    // A very wide base leaves only flat postures: take one between right-angled and stretched.
    let stretched = (g.arm + g.forearm).powi(2) - offset * offset;
    let height_sq = if square > 0.0 { square } else { stretched / 2.0 };
    let home = [0.0, 0.0, -height_sq.sqrt()];
    // Where the limits of the motors leave that out: in their middle, or as far inside one as a right angle divides into
    // sixteen.
    let (inside, step) =
        (|q: f64| !(limits.min > Some(q) || limits.max.is_some_and(|max| q > max)), FRAC_PI_2 / 16.0);
    let is_inside = |home: [f64; 3]| {
        linkage.posture(home.into()).is_ok_and(|posture| posture.angles().to_array().into_iter().all(inside))
    };
    let middle = match (limits.min, limits.max) {
        (Some(min), Some(max)) => f64::midpoint(min, max),
        (Some(min), None) => min + step,
        (None, Some(max)) => max - step,
        (None, None) => return home,
    };
    let other = linkage.forward_kinematics(V3::new(middle, middle, middle), Assembly::Below);
    // To a micrometre, so that it is the same place on every machine.
    let rounded = |position: V3<f64>| [0.0, 0.0, (position.z * 1e6).round() / 1e6];
    let other = other.ok().map(rounded).filter(|other| is_inside(*other));
    if is_inside(home) { home } else { other.unwrap_or(home) }
}

/// What a robot is made of, if it is legs: in its own frame, without what stands in its file about cell and tool.
#[allow(clippy::large_enum_variant)] // there is one of it while a robot is built
pub(crate) enum Made<'a> {
    /// Legs, and the origin of their base in the user's frame \[m\].
    Legs(Box<Blueprint>, V3<f64>),
    /// Bodies and joints.
    Mechanism(std::borrow::Cow<'a, super::mechanism::MechanismDescription>),
}

impl FamilyData {
    /// Its legs, or its bodies and joints.
    pub(crate) fn made(&self, gravity: V3<f64>) -> Result<Made<'_>, BuildError> {
        Ok(match self.construction(gravity)? {
            Construction::Delta(delta) => {
                // Checked in its own frame, then built of legs.
                let closed = delta.closed(gravity, 0.0, 0.0)?;
                let blueprint = delta.blueprint(&closed.linkage, closed.model.as_ref(), gravity, closed.home);
                Made::Legs(Box::new(blueprint), delta.frame.offset.into())
            }
            Construction::Legs(blueprint) => Made::Legs(blueprint, V3::zero()),
            Construction::Mechanism(file) => Made::Mechanism(file),
        })
    }
}
