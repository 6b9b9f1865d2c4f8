//! A robot of the user's own: chains of joints from `[[leg]]` tables.

use super::tables::BRANCHES;
use super::{CustomAttachment, CustomDescription, CustomJoint, CustomLeg, JointKind};
use crate::families::blueprint::{
    AnyLeg, Blueprint, Branch, BuildError, LegChoice, MotorLimits, NOTHING, body, loaded, pose, spread,
};
use legwork_core::engine::{
    Attachment, AxisLink, Chain, Drive, JointKind as EngineKind, JointValue, Leg, LegInverse, Pose,
    RigidBody, Twist, Ups,
};
use legwork_core::{M3, V3};

pub(super) fn blueprint(d: &CustomDescription, gravity: V3<f64>) -> Result<Blueprint, BuildError> {
    let [platform, payload] =
        d.platform.as_ref().map_or(Ok(NOTHING), |platform| loaded(platform, &d.payload))?;
    let home = d.home.as_ref().map_or_else(Pose::identity, pose);
    let legs = d.legs.iter().map(|leg| choice(leg, &home)).collect::<Result<Vec<_>, _>>()?;
    let points: Vec<V3<f64>> = d.legs.iter().filter_map(|leg| leg.attachment.point()).map(V3::from).collect();
    Ok(Blueprint {
        platform,
        payload,
        legs,
        freedoms: d.freedoms.iter().map(|freedom| freedom.component()).collect(),
        gravity,
        has_masses: d.platform.is_some(),
        size: spread(&points),
        home,
        limits: d.motor_limits(),
    })
}

impl CustomDescription {
    /// What limits each motor, leg after leg.
    pub(in crate::families) fn motor_limits(&self) -> Vec<MotorLimits> {
        let active =
            |leg: &CustomLeg| leg.joints.iter().filter(|joint| joint.active).map(limits).collect::<Vec<_>>();
        self.legs.iter().flat_map(active).collect()
    }
}

fn limits(joint: &CustomJoint) -> MotorLimits {
    MotorLimits {
        min: joint.min,
        max: joint.max,
        max_effort: joint.drive.max_effort,
        max_speed: joint.drive.max_speed,
        gear: None,
    }
}

/// A leg by its number of joints.
fn choice(leg: &CustomLeg, home: &Pose<f64>) -> Result<LegChoice, BuildError> {
    match leg.joints.len() {
        1 => chain::<1>(leg, home).map(|leg| general(leg, home)),
        2 => chain::<2>(leg, home).map(|leg| general(leg, home)),
        3 => chain::<3>(leg, home).map(|leg| with_three_joints(leg, home)),
        4 => chain::<4>(leg, home).map(|leg| general(leg, home)),
        5 => chain::<5>(leg, home).map(|leg| general(leg, home)),
        6 => chain::<6>(leg, home).map(|leg| general(leg, home)),
        joints => Err(BuildError::Joints { joints }),
    }
}

/// The leg with its joints as they are written, of any number up to six.
pub(in crate::families) fn engine_leg(leg: &CustomLeg) -> Result<AnyLeg, BuildError> {
    Ok(match leg.joints.len() {
        1 => plain::<1>(leg)?.into(),
        2 => plain::<2>(leg)?.into(),
        3 => plain::<3>(leg)?.into(),
        4 => plain::<4>(leg)?.into(),
        5 => plain::<5>(leg)?.into(),
        6 => plain::<6>(leg)?.into(),
        joints => return Err(BuildError::Joints { joints }),
    })
}

/// The leg as a chain whose joints are found numerically from its start values.
fn plain<const N: usize>(leg: &CustomLeg) -> Result<Leg<f64, N>, BuildError> {
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
    let start: [f64; N] = joints.map(|joint| joint.start);
    let attachment = attachment(&leg.attachment, turn);
    let inverse = LegInverse::Numerical { seed: start, steps: LegInverse::<f64, N>::USUAL_STEPS };
    Ok(Leg { chain, attachment, inverse })
}

/// The same from the joints nearest to its start values that close it at home; from the start values themselves if none
/// do.
fn chain<const N: usize>(leg: &CustomLeg, home: &Pose<f64>) -> Result<Leg<f64, N>, BuildError> {
    let start: [f64; N] = std::array::from_fn(|k| leg.joints.get(k).map_or(0.0, |joint| joint.start));
    let leg = plain::<N>(leg)?;
    // A closed form knows all solutions, so also the nearest.
    let nearest = closed_forms(&leg, home)
        .into_iter()
        .map(|(_, joints)| joints)
        .min_by(|a, b| apart(&leg, a, &start, home).total_cmp(&apart(&leg, b, &start, home)))
        .or_else(|| leg.nearest(&start, home));
    Ok(nearest.map_or(leg, |joints| started(leg, joints)))
}

/// A leg of three joints: UPS with its slide driven as one formula, the rest as any other leg.
fn with_three_joints(leg: Leg<f64, 3>, home: &Pose<f64>) -> LegChoice {
    let ups = |[near, _]: [Leg<f64, 3>; 2]| Ups::recognized(&near, home);
    match recognised(&leg, home).and_then(ups) {
        Some(ups) => LegChoice::recognised(ups, leg),
        None => general(leg, home),
    }
}

/// The leg in closed form where one fits, both branches then.
fn general<const N: usize>(leg: Leg<f64, N>, home: &Pose<f64>) -> LegChoice
where
    AnyLeg: From<Leg<f64, N>>,
{
    let Some([near, far]) = recognised(&leg, home) else { return LegChoice::only(leg) };
    let [start, other] = [BRANCHES.names[0], BRANCHES.names[1]];
    // The other branch as a chain starts where its closed form is at home.
    let joints = far.chain.coordinates(&far.inverse.solve(&far.chain, &far.attachment, home).value);
    let far_chain = started(leg, joints);
    let branch = |name, leg: Leg<f64, N>, chain: Leg<f64, N>| Branch {
        name,
        leg: AnyLeg::from(leg),
        chain: AnyLeg::from(chain),
    };
    LegChoice { own: branch(start, near, leg), other: Some(branch(other, far, far_chain)) }
}

/// The leg with the search for its joints begun at these.
fn started<const N: usize>(leg: Leg<f64, N>, seed: [f64; N]) -> Leg<f64, N> {
    Leg { inverse: LegInverse::Numerical { seed, steps: LegInverse::<f64, N>::USUAL_STEPS }, ..leg }
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

/// The leg in a closed form.
type Closed<const N: usize> = Leg<f64, N>;

/// The closed forms that fit the chain, each with its joints at home \[rad or m\]: they do when they, and what is their
/// other branch, close the leg at home and around it. A universal joint can be reached from two sides; on the other one
/// cross and rod are turned over, which the motors' positions do not tell and their efforts do. Angles are those within
/// half a turn of the start values.
fn closed_forms<const N: usize>(leg: &Leg<f64, N>, home: &Pose<f64>) -> Vec<(Closed<N>, [f64; N])> {
    let forms: [fn(f64, f64) -> LegInverse<f64, N>; 4] = [
        |side, _| LegInverse::Ups { side },
        |side, cross| LegInverse::Rus { side, cross },
        |side, cross| LegInverse::Pus { side, cross },
        |side, _| LegInverse::Rr { side },
    ];
    let LegInverse::Numerical { seed: start, .. } = leg.inverse else { return Vec::new() };
    let size = leg.chain.size(leg.attachment.point(home, V3::zero()), home.position);
    let poses = nearby(home, size);
    let mut found: Vec<(Closed<N>, [f64; N])> = Vec::new();
    for form in forms.into_iter().filter(|form| form(1.0, 1.0).joints() == Some(N)) {
        for [side, cross] in [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]] {
            let inverse = form(side, cross);
            if found.iter().any(|(known, _)| known.inverse == inverse) {
                continue;
            }
            let [near, far] = [inverse, form(-side, cross)].map(|inverse| Leg { inverse, ..*leg });
            if poses.iter().all(|pose| closes(&near, pose, size) && closes(&far, pose, size)) {
                let values = near.inverse.solve(&near.chain, &near.attachment, home).value;
                let joints = std::array::from_fn(|k| {
                    let kind = leg.chain.links[k].kind;
                    start[k] + values[k].minus(&JointValue::of(kind, start[k]), kind)
                });
                found.push((near, joints));
            }
        }
    }
    found
}

/// How far joints are apart, seen from home.
fn apart<const N: usize>(leg: &Leg<f64, N>, a: &[f64; N], b: &[f64; N], home: &Pose<f64>) -> f64 {
    leg.joints_apart(a, b, leg.chain.size(leg.attachment.point(home, V3::zero()), home.position))
}

/// The leg with a closed-form inverse, if one of them fits its chain. First the way that its start values are nearest
/// to, then its other branch.
fn recognised<const N: usize>(leg: &Leg<f64, N>, home: &Pose<f64>) -> Option<[Leg<f64, N>; 2]> {
    let LegInverse::Numerical { seed, .. } = leg.inverse else { return None };
    let (near, _) = closed_forms(leg, home)
        .into_iter()
        .min_by(|(_, a), (_, b)| apart(leg, a, &seed, home).total_cmp(&apart(leg, b, &seed, home)))?;
    let other = match near.inverse {
        LegInverse::Ups { side } => LegInverse::Ups { side: -side },
        LegInverse::Rus { side, cross } => LegInverse::Rus { side: -side, cross },
        LegInverse::Pus { side, cross } => LegInverse::Pus { side: -side, cross },
        LegInverse::Rr { side } => LegInverse::Rr { side: -side },
        _ => return None,
    };
    Some([near, Leg { inverse: other, ..near }])
}

/// Poses at home and around it, for a leg of this size \[m\]: a few hundredths of its size and of a radian away.
fn nearby(home: &Pose<f64>, size: f64) -> [Pose<f64>; 3] {
    let steps = [[0.0; 6], [0.01, -0.02, 0.015, 0.02, 0.01, -0.03], [-0.015, 0.01, -0.02, -0.01, 0.03, 0.02]];
    steps.map(|[x, y, z, a, b, c]| home.moved(&Twist::new(V3::new(x, y, z) * size, V3::new(a, b, c))))
}

/// Whether the joints found bring the leg to its place on the platform. Recognised legs pass on positions only.
fn closes<const N: usize>(leg: &Leg<f64, N>, pose: &Pose<f64>, size: f64) -> bool {
    let found = leg.inverse.solve(&leg.chain, &leg.attachment, pose);
    found.margin > 0.0 && leg.closure_gap(pose, &found.value) < 1e-9 * size
}
