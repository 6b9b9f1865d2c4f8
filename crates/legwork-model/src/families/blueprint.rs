//! What a family gives to have its robot built: a platform, legs and limits for the general engine, or a closed
//! form.

use super::delta::DeltaDescription;
use super::mechanism::MechanismDescription;
use crate::description::{
    AngleLimits, Bar, Body, JointGear, LengthLimits, LinearMotor, Motor, Placement, PlanarBody, UpsMass,
};
use legwork_core::engine::{BodyError, Drive, Leg, Pose, RigidBody};
use legwork_core::robots::delta::{ParameterError, PostureError};
use legwork_core::{M3, Sym3, V3};
use std::borrow::Cow;
use std::fmt;

/// A leg of any shape.
pub type AnyLeg = legwork_core::engine::AnyLeg<f64>;

/// The six places of a twist.
pub(super) const FULL: [usize; 6] = [0, 1, 2, 3, 4, 5];

/// How a robot is built.
#[allow(clippy::large_enum_variant)] // there is one of it while a robot is built
pub(crate) enum Construction<'a> {
    /// As a rotary Delta in closed form.
    Delta(&'a DeltaDescription),
    /// As legs of the general engine.
    Legs(Box<Blueprint>),
    /// As a mechanism of bodies and joints.
    Mechanism(Cow<'a, MechanismDescription>),
}

impl Construction<'_> {
    /// As these legs of the general engine.
    pub fn legs(blueprint: Blueprint) -> Self {
        Self::Legs(Box::new(blueprint))
    }
}

/// A robot for the general engine.
#[derive(Debug)]
pub(crate) struct Blueprint {
    /// Without what it carries.
    pub platform: RigidBody<f64>,
    /// What the platform carries, in the frame of the tool; without a tool in that of the platform.
    pub payload: RigidBody<f64>,
    pub legs: Vec<LegChoice>,
    /// Places of the freedoms in the twist.
    pub freedoms: Vec<usize>,
    /// In base axes \[m/s²\].
    pub gravity: V3<f64>,
    pub has_masses: bool,
    /// Mean distance of the platform's joints from their middle \[m\]: scales rotations.
    pub size: f64,
    pub home: Pose<f64>,
    /// Limits of each actuated joint.
    pub limits: Vec<MotorLimits>,
}

/// What limits one motor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MotorLimits {
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub max_effort: Option<f64>,
    pub max_speed: Option<f64>,
    pub gear: Option<JointGear>,
}

impl MotorLimits {
    /// How strong and how fast a motor that turns is, at the arm.
    pub fn of(motor: &Motor) -> Self {
        let gear = JointGear { ratio: motor.gear_ratio.abs(), side_is_not_named: motor.side_is_not_named };
        Self {
            max_effort: motor.max_torque,
            max_speed: motor.max_speed,
            gear: (gear.ratio != 1.0).then_some(gear),
            ..Self::default()
        }
    }
}

/// One way in which a leg reaches the platform.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    /// Its name; empty for a leg with one branch.
    pub name: &'static str,
    /// The leg in its fastest form.
    pub leg: AnyLeg,
    /// The same leg as the chain of joints that was described, nothing recognised.
    pub chain: AnyLeg,
}

impl Branch {
    /// Of a leg that is its own description, or of a closed form that knows its chain.
    fn of(name: &'static str, leg: AnyLeg) -> Self {
        Self { name, leg, chain: leg.as_chain() }
    }

    /// The same as a chain of joints that are found numerically.
    fn as_chain(&self, home: &Pose<f64>) -> Self {
        Self { leg: self.chain.found_numerically(home), ..*self }
    }
}

/// A leg, and its other branch if it has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LegChoice {
    pub own: Branch,
    pub other: Option<Branch>,
}

impl LegChoice {
    /// A leg with one branch.
    pub fn only(leg: impl Into<AnyLeg>) -> Self {
        Self { own: Branch::of("", leg.into()), other: None }
    }

    /// A leg with one branch whose closed form was recognised in a chain.
    pub fn recognised(leg: impl Into<AnyLeg>, chain: impl Into<AnyLeg>) -> Self {
        Self { own: Branch { name: "", leg: leg.into(), chain: chain.into() }, other: None }
    }

    /// A leg with two branches, in the first of them.
    pub fn two([(name, leg), (other_name, other)]: [(&'static str, AnyLeg); 2]) -> Self {
        Self { own: Branch::of(name, leg), other: Some(Branch::of(other_name, other)) }
    }

    /// The same leg in its other branch.
    pub fn flipped(&self) -> Option<Self> {
        self.other.map(|other| Self { own: other, other: Some(self.own) })
    }

    /// The same leg in the branch with this name.
    pub fn named(&self, name: &str) -> Option<Self> {
        if self.own.name == name { Some(*self) } else { self.flipped().filter(|leg| leg.own.name == name) }
    }

    /// The same leg as the chain that was described, found numerically, in either branch.
    pub fn as_chain(&self, home: &Pose<f64>) -> Self {
        Self { own: self.own.as_chain(home), other: self.other.map(|other| other.as_chain(home)) }
    }
}

/// Why a robot cannot be built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum BuildError {
    /// A body cannot exist.
    Body { what: &'static str, fault: BodyError },
    /// A leg with no joint, or more than six.
    Joints { joints: usize },
    /// A tool turned where the platform cannot be turned at will: it turns about so many axes.
    TurnedTool { turns: usize },
    /// The base stands so that the platform's freedoms are along no axes of the cell.
    TiltedFreedoms,
    /// The numbers make no Delta.
    Parameter(ParameterError),
    /// Limits of the motor angles that leave nothing \[rad\].
    Limits { min: f64, max: f64 },
    /// A home, in the user's frame \[m\], that cannot be reached.
    Home { position: [f64; 3], cause: PostureError },
    /// A platform that turns about two axes of the base, which no joint lets it do.
    TwoTurns,
    /// A calibration for another number of legs.
    CalibratedLegs { legs: usize, found: usize },
    /// A calibrated link of a leg, from 0, whose length is its joint.
    CalibratedLink { leg: usize },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Body { what, fault } => write!(f, "its {what} cannot exist: {fault}"),
            Self::Joints { joints } => write!(f, "a leg has {joints} joints; one to six are possible"),
            Self::TurnedTool { turns: 1 } => f.write_str(
                "its platform turns about one axis, so its [tool] can be turned about that axis only; leave the other \
                 angles of its `orientation` out",
            ),
            Self::TurnedTool { .. } => f.write_str(
                "its platform does not turn freely, so its [tool] has the platform's axes; leave `orientation`, \
                 `rotation` and `quaternion_wxyz` of [tool] out",
            ),
            Self::TiltedFreedoms => f.write_str(
                "as [cell] turns its base, its platform moves along or about no axes of the cell, so x, y, z and angles \
                 of the cell do not describe it; turn it by quarter turns, or leave [cell] out and give \
                 `gravity_direction` in base axes",
            ),
            Self::Parameter(fault) => fault.fmt(f),
            Self::Limits { min, max } => write!(
                f,
                "`limits.angle_min` is {:.3} deg, not below `limits.angle_max`, {:.3} deg",
                min.to_degrees(),
                max.to_degrees()
            ),
            Self::Home { position: [x, y, z], cause } => {
                write!(f, "`home.position` ({:.1}, {:.1}, {:.1}) mm is {cause}", x * 1e3, y * 1e3, z * 1e3)
            }
            Self::CalibratedLegs { legs, found } => {
                write!(f, "it has {legs} legs, and {found} `[[calibration]]` tables; each leg has one, or none has")
            }
            Self::CalibratedLink { leg } => write!(
                f,
                "`link_1` to `link_6` of `[[calibration]]` of leg {} are for links of a given length; the length of this leg \
                 is its joint: use `zero_length`",
                leg + 1
            ),
            Self::TwoTurns => f.write_str(
                "its platform turns about two axes of the base, which no joint lets it do, so it is no mechanism of \
                 bodies and joints",
            ),
        }
    }
}

fn checked(what: &'static str, body: RigidBody<f64>) -> Result<RigidBody<f64>, BuildError> {
    body.checked().map_err(|fault| BuildError::Body { what, fault })
}

/// A body that can exist, or the reason why not.
pub(crate) fn body(what: &'static str, body: &Body) -> Result<RigidBody<f64>, BuildError> {
    let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = body.inertia;
    let inertia = Sym3 { diagonal: V3::new(xx, yy, zz), off: V3::new(yz, xz, xy) };
    checked(what, RigidBody { mass: body.mass, centre: body.centre.into(), inertia })
}

/// A platform, and what it carries.
pub(super) fn loaded(platform: &Body, payload: &Body) -> Result<[RigidBody<f64>; 2], BuildError> {
    Ok([body("platform", platform)?, body("payload", payload)?])
}

/// Nothing, and nothing carried.
pub(super) const NOTHING: [RigidBody<f64>; 2] = [MASSLESS; 2];

const MASSLESS: RigidBody<f64> = RigidBody {
    mass: 0.0,
    centre: V3 { x: 0.0, y: 0.0, z: 0.0 },
    inertia: Sym3 { diagonal: V3 { x: 0.0, y: 0.0, z: 0.0 }, off: V3 { x: 0.0, y: 0.0, z: 0.0 } },
};

/// A bar along x, with no inertia about its own length.
pub(super) fn bar(what: &'static str, bar: &Bar) -> Result<RigidBody<f64>, BuildError> {
    let inertia = Sym3 { diagonal: V3::new(0.0, bar.inertia, bar.inertia), off: V3::zero() };
    checked(what, RigidBody { mass: bar.mass, centre: V3::new(bar.centre, 0.0, 0.0), inertia })
}

/// A platform in the plane, and what it carries.
pub(super) fn loaded_in_plane(
    platform: &PlanarBody,
    payload: &PlanarBody,
) -> Result<[RigidBody<f64>; 2], BuildError> {
    Ok([checked("platform", planar(platform))?, planar(payload)])
}

/// Only the moment about z acts in the plane; a flat body has half of it about each other axis.
fn planar(body: &PlanarBody) -> RigidBody<f64> {
    let [x, y] = body.centre;
    let half = body.inertia / 2.0;
    let inertia = Sym3 { diagonal: V3::new(half, half, body.inertia), off: V3::zero() };
    RigidBody { mass: body.mass, centre: V3::new(x, y, 0.0), inertia }
}

/// A link of a planar leg.
pub(super) fn planar_bar(bar: &Bar) -> RigidBody<f64> {
    legwork_core::engine::legs::PlanarLeg::bar(bar.mass, bar.centre, bar.inertia)
}

/// Cylinder, rod, platform and payload.
pub(super) fn ups_bodies(mass: Option<&UpsMass>) -> Result<[RigidBody<f64>; 4], BuildError> {
    mass.map_or(Ok([MASSLESS; 4]), |m| {
        let [platform, payload] = loaded(&m.platform, &m.payload)?;
        Ok([body("leg.cylinder", &m.cylinder)?, body("leg.rod", &m.rod)?, platform, payload])
    })
}

/// A motor that turns an arm.
pub(super) fn rotary(motor: &Motor) -> Drive<f64> {
    Drive {
        inertia: motor.inertia_at_arm(),
        viscous: motor.viscous_friction,
        coulomb: motor.coulomb_friction,
        ..Drive::ideal()
    }
}

/// A motor that moves along a line.
pub(super) fn linear(motor: &LinearMotor) -> Drive<f64> {
    Drive {
        inertia: motor.actuator_inertia,
        viscous: motor.viscous_friction,
        coulomb: motor.coulomb_friction,
        ..Drive::ideal()
    }
}

/// How far, how strong and how fast a motor that turns is.
pub(super) fn angle_limits(limits: &AngleLimits, motor: &Motor) -> MotorLimits {
    MotorLimits { min: limits.min, max: limits.max, ..MotorLimits::of(motor) }
}

/// The same of a motor that moves along a line.
pub(super) fn length_limits(limits: &LengthLimits, motor: &LinearMotor) -> MotorLimits {
    MotorLimits {
        min: limits.min,
        max: limits.max,
        max_effort: motor.max_force,
        max_speed: motor.max_speed,
        gear: None,
    }
}

pub(crate) fn pose(placement: &Placement) -> Pose<f64> {
    let [x, y, z] = placement.rotation.map(V3::from);
    Pose::new(M3::from_rows(x, y, z), placement.position.into())
}

pub(super) fn vectors(points: &[[f64; 3]]) -> Vec<V3<f64>> {
    points.iter().copied().map(V3::from).collect()
}

pub(super) fn mean(points: &[V3<f64>]) -> V3<f64> {
    points.iter().fold(V3::zero(), |sum, p| sum + *p) * (1.0 / points.len().max(1) as f64)
}

/// Mean distance of points from their middle.
pub(crate) fn spread(points: &[V3<f64>]) -> f64 {
    let middle = mean(points);
    points.iter().map(|p| (*p - middle).norm_sq().sqrt()).sum::<f64>() / points.len().max(1) as f64
}

/// A home over the middle of the base, as high as legs between these limits are usually long.
pub(super) fn home_above(base: &[V3<f64>], platform: &[V3<f64>], limits: &LengthLimits) -> Pose<f64> {
    let gap =
        base.iter().zip(platform).map(|(b, p)| (mean(base) - *b + *p - mean(platform)).norm_sq().sqrt());
    let sideways = gap.fold(0.0_f64, f64::max);
    let length = match (limits.min, limits.max) {
        (Some(min), Some(max)) => f64::midpoint(min, max),
        _ => 0.0,
    };
    let height = if length > sideways {
        (length * length - sideways * sideways).sqrt()
    } else {
        1.2 * spread(base).max(spread(platform))
    };
    Pose::translation(mean(base) - mean(platform) + V3::along_z(height))
}

/// Legs with two branches each, from the robot built once in either.
pub(super) fn two_branches<const N: usize, const M: usize, B: Copy + PartialEq>(
    branches: [(B, &'static str); 2],
    chosen: [B; M],
    build: impl Fn([B; M]) -> [Leg<f64, N>; M],
) -> Vec<LegChoice>
where
    AnyLeg: From<Leg<f64, N>>,
{
    let [(first, first_name), (second, second_name)] = branches;
    let legs = build([first; M]).into_iter().zip(build([second; M])).zip(chosen);
    legs.map(|((a, b), branch)| {
        let both = [(first_name, AnyLeg::from(a)), (second_name, AnyLeg::from(b))];
        if branch == first { LegChoice::two(both) } else { LegChoice::two([both[1], both[0]]) }
    })
    .collect()
}

/// Legs with one branch each.
pub(super) fn one_branch<const N: usize>(legs: impl IntoIterator<Item = Leg<f64, N>>) -> Vec<LegChoice>
where
    AnyLeg: From<Leg<f64, N>>,
{
    legs.into_iter().map(LegChoice::only).collect()
}
