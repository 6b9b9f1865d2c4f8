//! From `[[leg]]` tables to a robot of one's own.

use super::tables::{self, Drive};
use super::{
    CustomAttachment, CustomDescription, CustomDrive, CustomJoint, CustomLeg, JointKind, PlatformFreedom,
};
use crate::description::fields::{self, Count};
use crate::description::parts::Placement;
use crate::description::placement::{ModifiedDh, placed};
use crate::description::problem::ProblemKind;
use crate::description::reader::Reader;
use crate::rotation::{self, about_axis, across};
use std::f64::consts::TAU;

const Z: [f64; 3] = [0.0, 0.0, 1.0];

pub(super) fn read(top: &mut Reader<'_, '_>) -> Option<CustomDescription> {
    let words = top.list_of_words(&tables::FREEDOMS, Count::Between(1, 6), tables::freedoms_of);
    let platform = top.has(tables::PLATFORM.key()).then(|| top.body(&tables::PLATFORM));
    let payload = top.body(&fields::PAYLOAD);
    let before = top.notes.problems.len();
    let mut with_bodies = top.has(fields::PAYLOAD.key());
    let legs =
        top.each_of_at_most(tables::LEGS.ends().1, &tables::LEG, |leg| read_leg(leg, &mut with_bodies));
    let all_read = top.notes.problems.len() == before;
    let home = top.home_pose();
    if with_bodies && platform.is_none() {
        top.notes.note(None, ProblemKind::MissingTable { table: &tables::PLATFORM });
    }
    let legs: Vec<CustomLeg> = legs.into_iter().collect::<Option<Vec<_>>>()?.concat();
    let found = legs.len();
    if found > 0 && !tables::LEGS.allows(found) {
        let span = top.value(tables::LEG.key()).map(toml::Spanned::span);
        let needs = tables::LEGS;
        let kind = ProblemKind::WrongCount { key: "leg", needs, found, each: false, like: None };
        top.notes.note(span, kind);
    }
    if !tables::LEGS.allows(found) {
        return None;
    }
    let freedoms: Vec<PlatformFreedom> = words?.into_iter().filter_map(freedom).collect();
    let turning = tables::freedoms_of("full").iter().skip(3);
    let (free, held): (Vec<_>, Vec<_>) =
        turning.zip(PlatformFreedom::ALL.iter().skip(3)).partition(|(_, freedom)| freedoms.contains(freedom));
    if let ([(first, _), (second, _)], [(third, _)]) = (free.as_slice(), held.as_slice()) {
        let span = top.value(tables::FREEDOMS.key).map(toml::Spanned::span);
        top.notes.note(span, ProblemKind::Rolling { words: [first, second, third] });
    }
    let active = legs.iter().flat_map(|leg| &leg.joints).filter(|joint| joint.active).count();
    // A joint that could not be read may be an active one.
    let is_short = legs.iter().any(CustomLeg::is_short);
    if is_short && active == 0 {
        let span = top.value(tables::LEG.key()).map(toml::Spanned::span);
        top.notes.note(span, ProblemKind::NoMotor);
    }
    // Freedoms of a mechanism follow from its joints.
    if all_read && !is_short && active < freedoms.len() {
        let span = top.value(tables::FREEDOMS.key).map(toml::Spanned::span);
        top.notes.note(span, ProblemKind::TooFewActive { freedoms: freedoms.len(), active });
    }
    Some(CustomDescription { freedoms, legs, platform, payload, home })
}

pub(in crate::families) fn freedom(word: &str) -> Option<PlatformFreedom> {
    let place = tables::freedoms_of("full").iter().position(|name| *name == word)?;
    PlatformFreedom::ALL.get(place).copied()
}

/// One `[[leg]]`, repeated as it says; `None` if it cannot be used.
fn read_leg(leg: &mut Reader<'_, '_>, with_bodies: &mut bool) -> Option<Vec<CustomLeg>> {
    let joints = leg.each(&tables::JOINT, |joint| {
        *with_bodies |= joint.has(tables::BODY.key());
        read_joint(joint)
    });
    let end = leg.open(&tables::ATTACHMENT).map(|mut end| {
        let tip = end.vector(&tables::TIP).unwrap_or_default();
        let span = end.value(tables::ATTACHMENT_TYPE.key).map(toml::Spanned::span);
        (tip, span, read_attachment(&mut end))
    });
    let repeat = leg.open(&tables::REPEAT).map(|mut repeat| {
        let times = repeat.whole(&tables::TIMES);
        (times, repeat.direction(&tables::ABOUT).unwrap_or(Z))
    });
    let (tip, span, attachment) = end?;
    let (word, attachment) = attachment?;
    let needs = attachment.components();
    let is_short = joints.len() < needs && !joints.is_empty();
    if joints.len() != needs && !is_short {
        let kind = ProblemKind::ChainLength { attachment: word, needs, joints: joints.len() };
        leg.notes.note(span.or(leg.header.clone()), kind);
        return None;
    }
    let joints = joints.into_iter().collect::<Option<Vec<_>>>()?;
    let (times, about) = repeat.map_or((Some(1), Z), |(times, about)| (times, about));
    let times = times?;
    let leg = CustomLeg { joints, tip, attachment };
    let copy = |k: u32| {
        // The first one as it is written, to the last bit.
        if k == 0 {
            return leg.clone();
        }
        let rotation = about_axis(about, TAU * f64::from(k) / f64::from(times));
        let mut joints = leg.joints.clone();
        if let Some(first) = joints.first_mut() {
            first.placement = placed(Placement { position: [0.0; 3], rotation }, first.placement);
        }
        CustomLeg { joints, tip, attachment: turned(attachment, rotation) }
    };
    Some((0..times).map(copy).collect())
}

fn read_joint(joint: &mut Reader<'_, '_>) -> Option<CustomJoint> {
    let kind = match joint.word(&tables::JOINT_TYPE) {
        Some("prismatic") => Some(JointKind::Prismatic),
        Some(_) => Some(JointKind::Revolute),
        None => None,
    };
    let active = joint.flag(&tables::ACTIVE);
    let dh = ModifiedDh {
        gamma: joint.number(&tables::GAMMA),
        b: joint.number(&tables::B),
        alpha: joint.number(&tables::ALPHA),
        d: joint.number(&tables::D),
        theta: joint.number(&tables::THETA),
        r: joint.number(&tables::R),
    };
    let place =
        Placement { position: joint.vector(&tables::ORIGIN).unwrap_or_default(), rotation: joint.rotation() };
    let axis = joint.direction(&tables::AXIS).unwrap_or(Z);
    let body = joint.body(&tables::BODY);
    let by_dh = [tables::GAMMA, tables::B, tables::ALPHA, tables::D, tables::THETA, tables::R];
    let placement = if by_dh.iter().any(|field| joint.has(field.key)) { dh.placement() } else { place };
    // Without its type no quantity of the joint has a unit.
    let kind = kind?;
    let keys = match kind {
        JointKind::Revolute => &tables::REVOLUTE,
        JointKind::Prismatic => &tables::PRISMATIC,
    };
    let drive = read_drive(joint, keys);
    let [min, max] = joint.ends(&keys.min, &keys.max);
    let start = joint.number(&keys.start);
    Some(CustomJoint { kind, active, placement, axis, body, drive, min, max, start })
}

fn read_drive(joint: &mut Reader<'_, '_>, keys: &Drive) -> CustomDrive {
    CustomDrive {
        actuator_inertia: joint.number(&keys.inertia),
        viscous_friction: joint.number(&keys.viscous),
        coulomb_friction: joint.number(&keys.coulomb),
        max_effort: joint.optional_number(&keys.max_effort),
        max_speed: joint.optional_number(&keys.max_speed),
    }
}

/// The attachment of a leg that is turned about the origins.
fn turned(attachment: CustomAttachment, rotation: [[f64; 3]; 3]) -> CustomAttachment {
    let turned = |vector| rotation::rotated(&rotation, vector);
    match attachment {
        CustomAttachment::Spherical { point } => CustomAttachment::Spherical { point: turned(point) },
        CustomAttachment::Planar { point, normal, .. } => planar(turned(point), turned(normal)),
        CustomAttachment::Sliding { normal, distance } => {
            CustomAttachment::Sliding { normal: turned(normal), distance }
        }
        CustomAttachment::Universal { point, leg_axis, platform_axis } => CustomAttachment::Universal {
            point: turned(point),
            leg_axis,
            platform_axis: turned(platform_axis),
        },
        CustomAttachment::Revolute { point, leg_axis, platform_axis, platform_normals } => {
            CustomAttachment::Revolute {
                point: turned(point),
                leg_axis,
                platform_axis: turned(platform_axis),
                platform_normals: platform_normals.map(turned),
            }
        }
        CustomAttachment::Fixed { placement } => CustomAttachment::Fixed {
            placement: placed(Placement { position: [0.0; 3], rotation }, placement),
        },
    }
}

fn planar(point: [f64; 3], normal: [f64; 3]) -> CustomAttachment {
    CustomAttachment::Planar { point, normal, directions: across(normal) }
}

/// The word of the attachment and what it is.
fn read_attachment(end: &mut Reader<'_, '_>) -> Option<(&'static str, CustomAttachment)> {
    let word = end.word(&tables::ATTACHMENT_TYPE)?;
    let point = match word {
        "sliding" => [0.0; 3],
        _ => end.vector(&tables::POINT).unwrap_or_default(),
    };
    let attachment = match word {
        "planar" => planar(point, end.direction(&tables::PLANE).unwrap_or(Z)),
        "sliding" => {
            let normal = end.direction(&tables::NORMAL);
            let distance = end.number(&tables::DISTANCE);
            CustomAttachment::Sliding { normal: normal?, distance }
        }
        "universal" | "revolute" => {
            let axes = (end.direction(&tables::LEG_AXIS), end.direction(&tables::PLATFORM_AXIS));
            let (leg_axis, platform_axis) = (axes.0?, axes.1?);
            if word == "universal" {
                CustomAttachment::Universal { point, leg_axis, platform_axis }
            } else {
                let platform_normals = across(platform_axis);
                CustomAttachment::Revolute { point, leg_axis, platform_axis, platform_normals }
            }
        }
        "fixed" => {
            CustomAttachment::Fixed { placement: Placement { position: point, rotation: end.rotation() } }
        }
        _ => CustomAttachment::Spherical { point },
    };
    Some((word, attachment))
}
