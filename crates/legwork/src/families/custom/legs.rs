//! A robot of the user's own: chains of joints from `[[leg]]` tables.

use super::tables::BRANCHES;
use super::{CustomAttachment, CustomDescription, CustomJoint, CustomLeg, JointKind};
use crate::families::blueprint::{
    AnyLeg, Blueprint, BuildError, LegChoice, MotorLimits, body, loaded, pose, spread,
};
use legwork_core::engine::{
    Attachment, AxisLink, Chain, Drive, JointKind as EngineKind, Leg, LegInverse, Pose, RigidBody, Ups,
};
use legwork_core::{M3, V3};

/// Newton steps of a leg that fits no closed form. From a start within half a turn
/// eight are enough; more cost little beside the trouble of too few.
const STEPS: usize = 12;

pub(super) fn blueprint(d: &CustomDescription, gravity: V3<f64>) -> Result<Blueprint, BuildError> {
    let platform = match &d.platform {
        Some(platform) => loaded(platform, &d.payload)?,
        None => RigidBody::massless(),
    };
    let home = d.home.as_ref().map_or_else(Pose::identity, pose);
    let legs = d.legs.iter().map(|leg| choice(leg, &home)).collect::<Result<Vec<_>, _>>()?;
    let active =
        |leg: &CustomLeg| leg.joints.iter().filter(|joint| joint.active).map(limits).collect::<Vec<_>>();
    let points: Vec<V3<f64>> = d.legs.iter().filter_map(|leg| leg.attachment.point()).map(V3::from).collect();
    Ok(Blueprint {
        platform,
        legs,
        freedoms: d.freedoms.iter().map(|freedom| freedom.component()).collect(),
        gravity,
        has_masses: d.platform.is_some(),
        size: Some(spread(&points)).filter(|size| *size > 0.0).unwrap_or(1.0),
        home,
        limits: d.legs.iter().flat_map(active).collect(),
    })
}

fn limits(joint: &CustomJoint) -> MotorLimits {
    MotorLimits {
        min: joint.min,
        max: joint.max,
        max_effort: joint.drive.max_effort,
        max_speed: joint.drive.max_speed,
    }
}

/// A leg by its number of joints.
fn choice(leg: &CustomLeg, home: &Pose<f64>) -> Result<LegChoice, BuildError> {
    match leg.joints.len() {
        1 => chain::<1>(leg).map(|leg| general(leg, home)),
        2 => chain::<2>(leg).map(|leg| general(leg, home)),
        3 => chain::<3>(leg).map(|leg| match Ups::recognized(&leg) {
            Some(ups) => LegChoice::only(ups),
            None => general(leg, home),
        }),
        4 => chain::<4>(leg).map(|leg| general(leg, home)),
        5 => chain::<5>(leg).map(|leg| general(leg, home)),
        6 => chain::<6>(leg).map(|leg| general(leg, home)),
        joints => Err(BuildError::Joints { joints }),
    }
}

/// The leg as a chain whose joints are found numerically.
fn chain<const N: usize>(leg: &CustomLeg) -> Result<Leg<f64, N>, BuildError> {
    let joints: &[CustomJoint; N] =
        leg.joints.as_slice().try_into().map_err(|_| BuildError::Joints { joints: leg.joints.len() })?;
    let mut fault = None;
    let links = joints.map(|joint| {
        let body = body("leg.joint.body", &joint.body).unwrap_or_else(|error| {
            fault.get_or_insert(error);
            RigidBody::massless()
        });
        AxisLink {
            kind: match joint.kind {
                JointKind::Revolute => EngineKind::Revolute,
                JointKind::Prismatic => EngineKind::Prismatic,
            },
            active: joint.active,
            placement: pose(&joint.placement),
            axis: joint.axis.into(),
            body: (body.mass > 0.0).then_some(body),
            drive: Drive {
                inertia: joint.drive.actuator_inertia,
                viscous: joint.drive.viscous_friction,
                coulomb: joint.drive.coulomb_friction,
                ..Drive::ideal()
            },
        }
    });
    if let Some(fault) = fault {
        return Err(fault);
    }
    let (chain, turn) = Chain::from_axes(links, leg.tip.into());
    let seed: [f64; N] = joints.map(|joint| joint.start);
    let attachment = attachment(&leg.attachment, turn);
    Ok(Leg { chain, attachment, inverse: LegInverse::Numerical { seed, steps: STEPS } })
}

/// The leg in closed form where one fits, both branches then.
fn general<const N: usize>(leg: Leg<f64, N>, home: &Pose<f64>) -> LegChoice
where
    AnyLeg: From<Leg<f64, N>>,
{
    match recognised(&leg, home) {
        Some([near, far]) => {
            let [start, other] = [BRANCHES.names[0], BRANCHES.names[1]];
            LegChoice::two([(start, AnyLeg::from(near)), (other, AnyLeg::from(far))])
        }
        None => LegChoice::only(leg),
    }
}

/// The attachment, vectors of the last link turned with its frame.
fn attachment(attachment: &CustomAttachment, turn: M3<f64>) -> Attachment<f64> {
    match attachment {
        CustomAttachment::Spherical { point } => Attachment::Spherical { point: V3::from(*point) },
        CustomAttachment::Planar { point, directions, .. } => {
            Attachment::Planar { point: V3::from(*point), directions: directions.map(V3::from) }
        }
        CustomAttachment::Sliding { normal, distance } => {
            Attachment::Sliding { normal: V3::from(*normal), distance: *distance }
        }
        CustomAttachment::Universal { point, leg_axis, platform_axis } => Attachment::Universal {
            point: V3::from(*point),
            leg_axis: turn * V3::from(*leg_axis),
            platform_axis: V3::from(*platform_axis),
        },
        CustomAttachment::Revolute { point, leg_axis, platform_normals, .. } => Attachment::Revolute {
            point: V3::from(*point),
            leg_axis: turn * V3::from(*leg_axis),
            platform_normals: platform_normals.map(V3::from),
        },
        CustomAttachment::Fixed { placement } => {
            let frame = pose(placement);
            Attachment::Fixed { frame: Pose::new(frame.rotation * turn.transpose(), frame.position) }
        }
    }
}

/// The leg with a closed-form inverse, if one of them fits its chain: it does when it
/// finds, at home and around it, joints that the numerical one confirms. First the
/// way that the start values lead to.
fn recognised<const N: usize>(leg: &Leg<f64, N>, home: &Pose<f64>) -> Option<[Leg<f64, N>; 2]> {
    let forms: [fn(f64) -> LegInverse<f64, N>; 4] = [
        |side| LegInverse::Ups { side },
        |side| LegInverse::Rus { side },
        |side| LegInverse::Pus { side },
        |side| LegInverse::Rr { side },
    ];
    forms.into_iter().filter(|form| form(1.0).joints() == Some(N)).find_map(|form| {
        let ways = [1.0, -1.0].map(|side| Leg { inverse: form(side), ..*leg });
        let fits = |way: &Leg<f64, N>| closes(way, home);
        if !ways.iter().all(fits) {
            return None;
        }
        let [plus, minus] = ways;
        if same(&plus, leg, home) {
            Some([plus, minus])
        } else if same(&minus, leg, home) {
            Some([minus, plus])
        } else {
            None
        }
    })
}

/// Poses at home and around it.
fn nearby(home: &Pose<f64>) -> impl Iterator<Item = Pose<f64>> + '_ {
    use legwork_core::engine::Twist;
    let steps = [[0.0; 6], [0.01, -0.02, 0.015, 0.02, 0.01, -0.03], [-0.015, 0.01, -0.02, -0.01, 0.03, 0.02]];
    steps.into_iter().map(|step| home.moved(&Twist::from_vector_linear_first(step)))
}

/// Whether the joints found bring the leg to its place on the platform.
fn closes<const N: usize>(leg: &Leg<f64, N>, home: &Pose<f64>) -> bool {
    nearby(home).all(|pose| {
        let found = leg.inverse.solve(&leg.chain, &leg.attachment, &pose);
        found.margin > 0.0 && leg.closure_gap(&pose, &found.value) < 1e-9
    })
}

/// Whether two legs agree at home in their active joints: universal joints may be counted from either side.
fn same<const N: usize>(a: &Leg<f64, N>, b: &Leg<f64, N>, home: &Pose<f64>) -> bool {
    let joints = |leg: &Leg<f64, N>| leg.inverse.solve(&leg.chain, &leg.attachment, home).value;
    let pairs = joints(a).into_iter().zip(joints(b)).zip(&a.chain.links);
    pairs.filter(|(_, link)| link.active).all(|((a, b), link)| a.minus(&b, link.kind).abs() < 1e-6)
}
