//! From the description of a family to its legs in the general engine.

mod custom;

pub(super) use custom::custom;

use super::RobotError;
use super::engine::{Blueprint, LegChoice};
use super::mechanism::AnyLeg;
use super::state::MotorLimits;
use crate::description::{
    AngleLimits, Bar, Bend, Body, C5Description, Carriage, Elbow, FiveBarDescription,
    GoughStewartDescription, HexaDescription, HexaglideDescription, LengthLimits, LinearDeltaDescription,
    LinearMotor, Motor, Placement, Planar3RrrDescription, PlanarBody, SpaceDescription, UpsMass,
};
use legwork_core::engine::chain::frame_with_z;
use legwork_core::engine::legs::{PusLeg, UpsLeg};
use legwork_core::engine::{Drive, Leg, Pose, RigidBody, Ups};
use legwork_core::robots::delta_legs::delta_legs;
use legwork_core::robots::{c5, delta, five_bar, hexa, hexaglide, linear_delta, rrr3, space};
use legwork_core::{M3, Sym3, V3};

/// The six places of a twist.
const FULL: [usize; 6] = [0, 1, 2, 3, 4, 5];

/// What goes wrong with one body of a robot.
struct Bodies<'a> {
    robot: &'a str,
}

impl Bodies<'_> {
    /// A body that can exist, or the reason why not.
    fn checked(&self, what: &'static str, body: RigidBody<f64>) -> Result<RigidBody<f64>, RobotError> {
        body.checked().map_err(|fault| RobotError::Body { robot: self.robot.into(), what, fault })
    }

    fn body(&self, what: &'static str, body: &Body) -> Result<RigidBody<f64>, RobotError> {
        self.checked(what, rigid(body))
    }

    /// A platform with what it carries.
    fn loaded(&self, platform: &Body, payload: &Body) -> Result<RigidBody<f64>, RobotError> {
        let platform = self.body("platform", platform)?;
        let payload = self.body("payload", payload)?;
        Ok(if payload.mass > 0.0 { platform.joined(&payload) } else { platform })
    }

    /// A bar along x.
    fn bar(&self, what: &'static str, bar: &Bar) -> Result<RigidBody<f64>, RobotError> {
        self.checked(what, along_x(bar))
    }
}

fn rigid(body: &Body) -> RigidBody<f64> {
    let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = body.inertia;
    let inertia = Sym3 { diagonal: V3::new(xx, yy, zz), off: V3::new(yz, xz, xy) };
    RigidBody { mass: body.mass, centre: body.centre.into(), inertia }
}

/// No inertia about its own length.
fn along_x(bar: &Bar) -> RigidBody<f64> {
    let inertia = Sym3 { diagonal: V3::new(0.0, bar.inertia, bar.inertia), off: V3::zero() };
    RigidBody { mass: bar.mass, centre: V3::new(bar.centre, 0.0, 0.0), inertia }
}

/// Only the moment about z acts in the plane; a flat body has half of it about each other axis.
fn planar(body: &PlanarBody) -> RigidBody<f64> {
    let [x, y] = body.centre;
    let half = body.inertia / 2.0;
    let inertia = Sym3 { diagonal: V3::new(half, half, body.inertia), off: V3::zero() };
    RigidBody { mass: body.mass, centre: V3::new(x, y, 0.0), inertia }
}

fn rotary(motor: &Motor) -> Drive<f64> {
    Drive {
        inertia: motor.inertia_at_arm(),
        viscous: motor.viscous_friction,
        coulomb: motor.coulomb_friction,
        ..Drive::ideal()
    }
}

fn linear(motor: &LinearMotor) -> Drive<f64> {
    Drive {
        inertia: motor.actuator_inertia,
        viscous: motor.viscous_friction,
        coulomb: motor.coulomb_friction,
        ..Drive::ideal()
    }
}

fn angle_limits(limits: &AngleLimits, motor: &Motor) -> MotorLimits {
    MotorLimits { min: limits.min, max: limits.max, max_effort: motor.max_torque, max_speed: motor.max_speed }
}

fn length_limits(limits: &LengthLimits, motor: &LinearMotor) -> MotorLimits {
    MotorLimits { min: limits.min, max: limits.max, max_effort: motor.max_force, max_speed: motor.max_speed }
}

fn pose(placement: &Placement) -> Pose<f64> {
    let [x, y, z] = placement.rotation.map(V3::from);
    Pose::new(M3::from_rows(x, y, z), placement.position.into())
}

fn vectors(points: &[[f64; 3]]) -> Vec<V3<f64>> {
    points.iter().copied().map(V3::from).collect()
}

fn mean(points: &[V3<f64>]) -> V3<f64> {
    points.iter().fold(V3::zero(), |sum, p| sum + *p) * (1.0 / points.len().max(1) as f64)
}

/// Mean distance of points from their middle.
fn spread(points: &[V3<f64>]) -> f64 {
    let middle = mean(points);
    points.iter().map(|p| (*p - middle).norm_sq().sqrt()).sum::<f64>() / points.len().max(1) as f64
}

/// Legs with two ways each, from the robot built once in either.
fn two_ways<const N: usize, const M: usize, W: Copy + PartialEq>(
    names: [(W, &'static str); 2],
    chosen: [W; M],
    build: impl Fn([W; M]) -> [Leg<f64, N>; M],
) -> Vec<LegChoice>
where
    AnyLeg: From<Leg<f64, N>>,
{
    let [(first, first_name), (second, second_name)] = names;
    let legs = build([first; M]).into_iter().zip(build([second; M])).zip(chosen);
    legs.map(|((a, b), way)| {
        let ways = [(first_name, AnyLeg::from(a)), (second_name, AnyLeg::from(b))];
        if way == first { LegChoice::two(ways) } else { LegChoice::two([ways[1], ways[0]]) }
    })
    .collect()
}

fn only<const N: usize>(legs: impl IntoIterator<Item = Leg<f64, N>>) -> Vec<LegChoice>
where
    AnyLeg: From<Leg<f64, N>>,
{
    legs.into_iter().map(LegChoice::only).collect()
}

/// Cylinder, rod and loaded platform.
fn ups_bodies(bodies: &Bodies<'_>, mass: Option<&UpsMass>) -> Result<[RigidBody<f64>; 3], RobotError> {
    mass.map_or(Ok([RigidBody::massless(); 3]), |m| {
        Ok([
            bodies.body("leg.cylinder", &m.cylinder)?,
            bodies.body("leg.rod", &m.rod)?,
            bodies.loaded(&m.platform, &m.payload)?,
        ])
    })
}

/// Over the middle of the base, as high as the legs are usually long.
fn above(base: &[V3<f64>], platform: &[V3<f64>], limits: &LengthLimits) -> Pose<f64> {
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

pub(super) fn gough_stewart(
    robot: &str,
    d: &GoughStewartDescription,
    g: V3<f64>,
) -> Result<Blueprint, RobotError> {
    let bodies = Bodies { robot };
    let [cylinder, rod, platform] = ups_bodies(&bodies, d.mass.as_ref())?;
    let (base, points) = (vectors(&d.geometry.base_points), vectors(&d.geometry.platform_points));
    let legs = base.iter().zip(&points).zip(&d.geometry.base_axes).map(|((base, point), axis)| {
        let leg = UpsLeg {
            base: Pose::new(frame_with_z(V3::from(*axis)), *base),
            platform_point: *point,
            cylinder,
            rod,
            first: None,
            slide: linear(&d.motor),
        };
        LegChoice::only(Ups::new(&leg))
    });
    Ok(Blueprint {
        platform,
        legs: legs.collect(),
        freedoms: FULL.to_vec(),
        gravity: g,
        has_masses: d.mass.is_some(),
        size: spread(&points),
        home: d.home.as_ref().map_or_else(|| above(&base, &points, &d.limits), pose),
        limits: vec![length_limits(&d.limits, &d.motor); base.len()],
    })
}

pub(super) fn space(robot: &str, d: &SpaceDescription, g: V3<f64>) -> Result<Blueprint, RobotError> {
    let bodies = Bodies { robot };
    let [cylinder, rod, platform] = ups_bodies(&bodies, d.mass.as_ref())?;
    let (base, points) = (d.geometry.base_points.map(V3::from), d.geometry.platform_points.map(V3::from));
    let parameters = space::Parameters {
        base_points: base,
        gamma: d.geometry.gamma,
        platform_points: points,
        cylinder,
        rod,
        turn: rotary(&d.rotary_motor),
        slide: linear(&d.linear_motor),
        platform,
        gravity: 0.0, // only the legs are taken
    };
    let pair =
        [angle_limits(&d.angle_limits, &d.rotary_motor), length_limits(&d.length_limits, &d.linear_motor)];
    Ok(Blueprint {
        platform,
        legs: only(parameters.robot().legs),
        freedoms: FULL.to_vec(),
        gravity: g,
        has_masses: d.mass.is_some(),
        size: spread(&points),
        home: d.home.as_ref().map_or_else(|| above(&base, &points, &d.length_limits), pose),
        limits: pair.repeat(3),
    })
}

pub(super) fn c5(robot: &str, d: &C5Description, g: V3<f64>) -> Result<Blueprint, RobotError> {
    let bodies = Bodies { robot };
    let platform = match &d.mass {
        Some(m) => bodies.loaded(&m.platform, &m.payload)?,
        None => RigidBody::massless(),
    };
    let base = d.geometry.base_points.map(V3::from);
    let parameters = c5::Parameters {
        base_points: base,
        face_distance: d.geometry.face_distances,
        leg_mass: d.mass.as_ref().map_or([0.0; 6], |m| m.legs),
        drive: d.motors.map(|motor| linear(&motor)),
        platform,
        gravity: 0.0, // only the legs are taken
    };
    Ok(Blueprint {
        platform,
        legs: only(parameters.robot().legs),
        freedoms: FULL.to_vec(),
        gravity: g,
        has_masses: d.mass.is_some(),
        // Half the mean distance of the legs of a pair: the lever on which the platform turns.
        size: (0..3).map(|k| (base[2 * k] - base[2 * k + 1]).norm_sq().sqrt() / 6.0).sum::<f64>(),
        home: d.home.as_ref().map_or_else(Pose::identity, pose),
        limits: d.motors.map(|motor| length_limits(&d.limits, &motor)).to_vec(),
    })
}

pub(super) fn hexa(robot: &str, d: &HexaDescription, g: V3<f64>) -> Result<Blueprint, RobotError> {
    let bodies = Bodies { robot };
    let geometry = &d.geometry;
    let nothing = RigidBody::massless();
    let (arm_body, rod_body, platform) = match &d.mass {
        Some(m) => {
            let arm = bodies.bar("arm", &m.arm)?;
            let elbow = RigidBody::point(m.elbow, V3::new(geometry.arm, 0.0, 0.0));
            let arm = if m.elbow > 0.0 { arm.joined(&elbow) } else { arm };
            (arm, bodies.bar("rod", &m.rod)?, bodies.loaded(&m.platform, &m.payload)?)
        }
        None => (nothing, nothing, nothing),
    };
    let build = |mode: [Elbow; 6]| {
        hexa::Parameters {
            base_radius: geometry.base_radius,
            base_spacing: geometry.base_spacing,
            platform_radius: geometry.platform_radius,
            platform_spacing: geometry.platform_spacing,
            azimuth: geometry.azimuth,
            arm: geometry.arm,
            rod: geometry.rod,
            arm_body,
            rod_body,
            drive: rotary(&d.motor),
            platform,
            gravity: 0.0, // only the legs are taken
            mode: mode.map(|elbow| match elbow {
                Elbow::Out => delta::Elbow::Out,
                Elbow::In => delta::Elbow::In,
            }),
        }
        .robot()
        .legs
    };
    let offset = geometry.base_radius - geometry.platform_radius;
    let drop = (geometry.arm.powi(2) + geometry.rod.powi(2) - offset * offset).max(0.0).sqrt();
    Ok(Blueprint {
        platform,
        legs: two_ways([(Elbow::Out, "out"), (Elbow::In, "in")], d.working_mode, build),
        freedoms: FULL.to_vec(),
        gravity: g,
        has_masses: d.mass.is_some(),
        size: geometry.platform_radius.hypot(geometry.platform_spacing / 2.0),
        home: d.home.as_ref().map_or_else(|| Pose::translation(V3::along_z(-drop)), pose),
        limits: vec![angle_limits(&d.limits, &d.motor); 6],
    })
}

pub(super) fn hexaglide(robot: &str, d: &HexaglideDescription, g: V3<f64>) -> Result<Blueprint, RobotError> {
    let bodies = Bodies { robot };
    let geometry = &d.geometry;
    let nothing = RigidBody::massless();
    let (carriage, rod_body, platform) = match &d.mass {
        Some(m) => (
            RigidBody::point(m.carriage, V3::zero()),
            bodies.bar("rod", &m.rod)?,
            bodies.loaded(&m.platform, &m.payload)?,
        ),
        None => (nothing, nothing, nothing),
    };
    let points = vectors(&geometry.platform_points);
    let starts: Vec<V3<f64>> = geometry.rails.iter().map(|rail| V3::from(rail.point)).collect();
    let leg = |i: usize, side: f64| -> AnyLeg {
        let rail = &geometry.rails[i];
        let direction = V3::from(rail.direction);
        // Rods hang from their rails, so the first axis of the carriage's joint lies across, level.
        let across = V3::new(0.0, 0.0, 1.0).cross(direction);
        let level = across.norm_sq() > 1e-6;
        let hinge = if level { across } else { V3::new(0.0, 1.0, 0.0) };
        let hinge = hinge * (1.0 / hinge.norm_sq().sqrt());
        let rail = hexaglide::Rail { start: starts[i], direction, hinge };
        AnyLeg::from(
            PusLeg {
                base: rail.frame(),
                platform_point: points[i],
                rod: geometry.rod,
                carriage,
                rod_body,
                drive: linear(&d.motor),
                side,
            }
            .leg(),
        )
    };
    let legs = d.working_mode.iter().enumerate().map(|(i, way)| {
        let ways = [("ahead", leg(i, 1.0)), ("behind", leg(i, -1.0))];
        if *way == Carriage::Ahead { LegChoice::two(ways) } else { LegChoice::two([ways[1], ways[0]]) }
    });
    Ok(Blueprint {
        platform,
        legs: legs.collect(),
        freedoms: FULL.to_vec(),
        gravity: g,
        has_masses: d.mass.is_some(),
        size: spread(&points),
        home: d.home.as_ref().map_or_else(
            || Pose::translation(mean(&starts) - mean(&points) - V3::along_z(0.7 * geometry.rod)),
            pose,
        ),
        limits: vec![length_limits(&d.limits, &d.motor); starts.len()],
    })
}

fn carriage(way: Carriage) -> hexaglide::Carriage {
    match way {
        Carriage::Ahead => hexaglide::Carriage::Ahead,
        Carriage::Behind => hexaglide::Carriage::Behind,
    }
}

pub(super) fn linear_delta(
    robot: &str,
    d: &LinearDeltaDescription,
    g: V3<f64>,
) -> Result<Blueprint, RobotError> {
    let bodies = Bodies { robot };
    let geometry = &d.geometry;
    let (weight, slider, rod) = match &d.mass {
        Some(m) => (m.platform + m.payload, m.carriage, bodies.bar("rod", &m.rod)?),
        None => (0.0, 0.0, RigidBody::massless()),
    };
    let build = |mode: [Carriage; 3]| {
        linear_delta::Parameters {
            base_radius: geometry.base_radius,
            platform_radius: geometry.platform_radius,
            azimuth: geometry.azimuth,
            inclination: -geometry.tilt,
            forearm: geometry.rod,
            carriage: slider,
            forearm_body: rod,
            drive: linear(&d.motor),
            platform: weight,
            gravity: 0.0, // only the legs are taken
            mode: mode.map(carriage),
        }
        .robot()
        .legs
    };
    Ok(Blueprint {
        platform: RigidBody::point(weight, V3::zero()),
        legs: two_ways([(Carriage::Ahead, "above"), (Carriage::Behind, "below")], d.working_mode, build),
        freedoms: vec![0, 1, 2],
        gravity: g,
        has_masses: d.mass.is_some(),
        size: geometry.platform_radius.max(0.1 * geometry.rod),
        home: Pose::translation(d.home.map_or_else(V3::zero, V3::from)),
        limits: vec![length_limits(&d.limits, &d.motor); 3],
    })
}

const BENDS: [(Bend, &str); 2] = [(Bend::Left, "left"), (Bend::Right, "right")];

fn turn(bend: Bend) -> five_bar::Turn {
    match bend {
        Bend::Left => five_bar::Turn::Left,
        Bend::Right => five_bar::Turn::Right,
    }
}

fn planar_bar(bar: &Bar) -> RigidBody<f64> {
    legwork_core::engine::legs::PlanarLeg::bar(bar.mass, bar.centre, bar.inertia)
}

pub(super) fn five_bar(d: &FiveBarDescription, g: V3<f64>) -> Blueprint {
    let geometry = &d.geometry;
    let nothing = RigidBody::massless();
    let (proximal, distal, weight) = match &d.mass {
        Some(m) => (planar_bar(&m.proximal), planar_bar(&m.distal), m.platform + m.payload),
        None => (nothing, nothing, 0.0),
    };
    let build = |mode: [Bend; 2]| {
        five_bar::Parameters {
            half_distance: geometry.motor_offset,
            lengths: [geometry.proximal, geometry.distal],
            proximal,
            distal,
            drive: rotary(&d.motor),
            platform: weight,
            gravity: 0.0, // only the legs are taken
            mode: mode.map(turn),
        }
        .robot()
        .legs
    };
    let height_sq = geometry.proximal.powi(2) + geometry.distal.powi(2) - geometry.motor_offset.powi(2);
    let [x, y] = d.home.unwrap_or([0.0, height_sq.max(0.0).sqrt()]);
    Blueprint {
        platform: RigidBody::point(weight, V3::zero()),
        legs: two_ways(BENDS, d.working_mode, build),
        freedoms: vec![0, 1],
        gravity: g,
        has_masses: d.mass.is_some(),
        size: geometry.proximal,
        home: Pose::translation(V3::new(x, y, 0.0)),
        limits: vec![angle_limits(&d.limits, &d.motor); 2],
    }
}

pub(super) fn planar_3rrr(
    robot: &str,
    d: &Planar3RrrDescription,
    g: V3<f64>,
) -> Result<Blueprint, RobotError> {
    let bodies = Bodies { robot };
    let geometry = &d.geometry;
    let nothing = RigidBody::massless();
    let (proximal, distal, platform) = match &d.mass {
        Some(m) => {
            let payload = planar(&m.payload);
            let platform = bodies.checked("platform", planar(&m.platform))?;
            let platform = if payload.mass > 0.0 { platform.joined(&payload) } else { platform };
            (planar_bar(&m.proximal), planar_bar(&m.distal), platform)
        }
        None => (nothing, nothing, nothing),
    };
    let build = |mode: [Bend; 3]| {
        rrr3::Parameters {
            base_radius: geometry.base_radius,
            platform_radius: geometry.platform_radius,
            azimuth: geometry.azimuth,
            platform_azimuth: geometry.platform_azimuth,
            lengths: [geometry.proximal, geometry.distal],
            proximal,
            distal,
            drive: rotary(&d.motor),
            platform,
            gravity: 0.0, // only the legs are taken
            mode: mode.map(turn),
        }
        .robot()
        .legs
    };
    let home = d
        .home
        .map_or_else(Pose::identity, |home| Pose::planar(home.position[0], home.position[1], home.angle));
    Ok(Blueprint {
        platform,
        legs: two_ways(BENDS, d.working_mode, build),
        freedoms: vec![0, 1, 5],
        gravity: g,
        has_masses: d.mass.is_some(),
        size: geometry.platform_radius,
        home,
        limits: vec![angle_limits(&d.limits, &d.motor); 3],
    })
}

/// A rotary Delta through the engine.
pub(super) fn delta(delta: &delta::Delta<f64>, home: [f64; 3]) -> Blueprint {
    let robot = delta_legs(delta);
    Blueprint {
        platform: robot.platform,
        legs: only(robot.legs),
        freedoms: vec![0, 1, 2],
        gravity: robot.gravity,
        has_masses: true,
        size: delta.linkage().geometry().platform_radius,
        home: Pose::translation(home.into()),
        limits: Vec::new(),
    }
}
