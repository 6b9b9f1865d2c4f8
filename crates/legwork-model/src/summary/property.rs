//! Properties of a robot as text, in millimetres and degrees.

use crate::description::{Body, CustomLeg, JointProperties, MechanismJointKind};
use crate::families::properties::{DriveProperties, Property, PropertyValue};
use crate::text::{short, short_list};
use crate::units::Quantity;
use std::fmt::Write as _;

impl Property {
    /// Its name with spaces: "base radius".
    pub fn label(&self) -> String {
        self.key.replace('_', " ")
    }
}

impl PropertyValue {
    /// The value as people read it, in millimetres and degrees; `None` for what is better shown as a table with a
    /// row for each leg.
    pub fn text(&self) -> Option<String> {
        Some(match self {
            Self::Number(x, quantity) => with_unit(&[*x], *quantity),
            Self::Numbers(list, quantity) => with_unit(list, *quantity),
            Self::Directions(list) => format!("at {} deg from +x", short_list(&degrees(list))),
            Self::Bar { bar, from } => format!(
                "{} kg, centre {} mm from the {from}, {} kg m^2 about it",
                short(bar.mass),
                short(bar.centre * 1e3),
                short(bar.inertia)
            ),
            Self::Body(body) => body_text(body),
            Self::PlanarBody(body) if body.mass == 0.0 => "0 kg".into(),
            Self::PlanarBody(body) => format!(
                "{} kg, centre ({}) mm, {} kg m^2 about it",
                short(body.mass),
                short_list(&millimetres(&body.centre)),
                short(body.inertia)
            ),
            Self::Points { .. } | Self::Axes { .. } | Self::Legs(_) | Self::Bodies(_) | Self::Joints(_) => {
                return None;
            }
        })
    }
}

/// Numbers in the units that people use for them.
fn with_unit(list: &[f64], quantity: Quantity) -> String {
    match quantity {
        Quantity::Length => format!("{} mm", short_list(&millimetres(list))),
        Quantity::Angle => format!("{} deg", short_list(&degrees(list))),
        Quantity::Ratio => short_list(list),
        other => format!("{} {}", short_list(list), other.si_unit()),
    }
}

fn millimetres(list: &[f64]) -> Vec<f64> {
    list.iter().map(|x| x * 1e3).collect()
}

fn degrees(list: &[f64]) -> Vec<f64> {
    list.iter().map(|x| x.to_degrees()).collect()
}

/// "2.4 kg, centre (0, 0, 220) mm, about it xx yy zz (0.052, 0.052, 0.0031) kg m^2"
pub(super) fn body_text(body: &Body) -> String {
    let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = body.inertia;
    let mut parts = vec![format!("{} kg", short(body.mass))];
    if body.mass != 0.0 {
        parts.push(format!("centre ({}) mm", short_list(&millimetres(&body.centre))));
    }
    if body.mass != 0.0 && [xx, yy, zz] != [0.0; 3] {
        parts.push(format!("about it xx yy zz ({})", short_list(&[xx, yy, zz])));
        if [xy, xz, yz] != [0.0; 3] {
            parts.push(format!("xy xz yz ({})", short_list(&[xy, xz, yz])));
        }
        return parts.join(", ") + " kg m^2";
    }
    parts.join(", ")
}

/// "revolute, revolute, prismatic with motor; ends spherical at (225, -268, -30) mm"
pub(super) fn leg_text(leg: &CustomLeg) -> String {
    let joint = |joint: &crate::description::CustomJoint| {
        format!("{}{}", joint.kind.name(), if joint.active { " with motor" } else { "" })
    };
    let joints: Vec<String> = leg.joints.iter().map(joint).collect();
    let end = leg
        .attachment
        .point()
        .map_or_else(String::new, |point| format!(" at ({}) mm", short_list(&millimetres(&point))));
    format!("{}; ends {}{end}", joints.join(", "), leg.attachment.name())
}

/// "prismatic with motor, between `cylinder1` and `rod1`"
pub(super) fn joint_text(joint: &JointProperties) -> String {
    let motor = if joint.has_motor { " with motor" } else { "" };
    let [parent, child] = &joint.bodies;
    let mut text = format!("{}{motor}, {parent} to {child}", joint.kind.name());
    // Those of motors are told with the motors.
    if !joint.has_motor && joint.range != [None, None] {
        let slides = joint.kind == MechanismJointKind::Prismatic;
        let (unit, scale) = if slides { ("mm", 1e3) } else { ("deg", 1.0_f64.to_degrees()) };
        for (word, end) in ["from", "to"].into_iter().zip(joint.range) {
            if let Some(end) = end {
                let _ = write!(text, ", {word} {} {unit}", short(end * scale));
            }
        }
    }
    if let Some(cone) = joint.cone {
        let _ = write!(text, ", leans up to {} deg", short(cone.to_degrees()));
    }
    text
}

/// Inertia and, if there is any, friction of motors with one title.
pub(super) fn drive_texts(drives: &[&DriveProperties]) -> Vec<(&'static str, String)> {
    let Some(first) = drives.first() else { return Vec::new() };
    let list = |get: fn(&DriveProperties) -> f64| -> Vec<f64> {
        let list: Vec<f64> = drives.iter().map(|drive| get(drive)).collect();
        let is_same = list.iter().all(|x| Some(x) == list.first());
        if is_same { list[..1].to_vec() } else { list }
    };
    let inertias = list(|drive| drive.inertia);
    let unit = if first.slides { "kg" } else { "kg m^2" };
    let inertia = match (&first.gear, inertias.as_slice()) {
        (Some(gear), [0.0]) => format!("not given, gear ratio {}", short(gear.gear_ratio)),
        (Some(gear), [inertia]) => format!(
            "{} kg m^2: rotor {} and gear {} kg m^2, gear ratio {}",
            short(*inertia),
            short(gear.rotor_inertia),
            short(gear.gear_inertia),
            short(gear.gear_ratio)
        ),
        (_, [0.0]) => "not given".into(),
        (_, inertias) => format!("{} {unit}", short_list(inertias)),
    };
    let mut texts = vec![("inertia", inertia)];
    let (viscous, coulomb) = (list(|drive| drive.viscous_friction), list(|drive| drive.coulomb_friction));
    if viscous != [0.0] || coulomb != [0.0] {
        let (per_speed, effort) = if first.slides { ("N s/m", "N") } else { ("N m s/rad", "N m") };
        let (viscous, coulomb) = (short_list(&viscous), short_list(&coulomb));
        texts.push(("friction", format!("viscous {viscous} {per_speed}, Coulomb {coulomb} {effort}")));
    }
    texts
}
