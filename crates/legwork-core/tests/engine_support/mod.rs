//! Robots of the golden files, and the same robots as chains of axes and placements.
#![allow(dead_code)] // not every test uses every helper

use legwork_core::engine::legs::PlanarLeg;
use legwork_core::engine::{
    Attachment, AxisLink, Chain, Drive, Leg, LegInverse, Pose, RigidBody, Robot, Twist, Wrench,
};
use legwork_core::robots::delta::Elbow;
use legwork_core::robots::five_bar::Turn;
use legwork_core::robots::hexaglide::Carriage;
use legwork_core::robots::{c5, five_bar, gough_stewart, hexa, linear_delta, rrr3, space};
use legwork_core::{M3, Sym3, V3};
use legwork_testkit::{golden, numbers};
use serde_json::Value;

pub fn number(file: &Value, key: &str) -> f64 {
    file["parameters"][key].as_f64().unwrap_or_else(|| panic!("no parameter {key}"))
}

pub fn v3(v: &[f64]) -> V3<f64> {
    V3::new(v[0], v[1], v[2])
}

pub fn points<const M: usize>(file: &Value, key: &str) -> [V3<f64>; M] {
    let all = numbers(&file["parameters"][key]);
    std::array::from_fn(|i| v3(&all[3 * i..]))
}

pub fn list<const M: usize>(file: &Value, key: &str) -> [f64; M] {
    numbers(&file["parameters"][key]).try_into().expect("as many numbers as legs")
}

pub fn symmetric(i: &[f64]) -> Sym3<f64> {
    Sym3 { diagonal: V3::new(i[0], i[4], i[8]), off: V3::new(i[5], i[2], i[1]) }
}

pub fn body(file: &Value, key: &str) -> RigidBody<f64> {
    let b = &file["parameters"][key];
    RigidBody {
        mass: b["mass"].as_f64().unwrap(),
        centre: v3(&numbers(&b["com"])),
        inertia: symmetric(&numbers(&b["inertia_com"])),
    }
    .checked()
    .unwrap()
}

pub fn gough(file: &Value) -> gough_stewart::Parameters<f64> {
    gough_stewart::Parameters {
        base_points: points(file, "base_points"),
        platform_points: points(file, "platform_points"),
        first_axes: points(file, "u_axis1"),
        cylinder: body(file, "leg_cylinder"),
        rod: body(file, "leg_rod"),
        drive: Drive::ideal(),
        platform: body(file, "platform"),
        gravity: number(file, "g"),
    }
}

pub fn space(file: &Value) -> space::Parameters<f64> {
    space::Parameters {
        base_points: points(file, "base_points"),
        gamma: list(file, "gamma"),
        platform_points: points(file, "platform_points"),
        cylinder: body(file, "leg_cylinder"),
        rod: body(file, "leg_rod"),
        turn: Drive::ideal(),
        slide: Drive::ideal(),
        platform: body(file, "platform"),
        gravity: number(file, "g"),
    }
}

pub fn c5(file: &Value) -> c5::Parameters<f64> {
    c5::Parameters {
        base_points: points(file, "base_points"),
        face_distance: [0.0; 6],
        leg_mass: list(file, "leg_mass"),
        drive: list(file, "actuator_inertia").map(Drive::with_inertia),
        platform: body(file, "platform"),
        gravity: number(file, "g"),
    }
}

pub fn hexa(file: &Value) -> hexa::Parameters<f64> {
    let p = |key| number(file, key);
    let end = |length| V3::new(length, 0.0, 0.0);
    let arm = RigidBody::thin_rod(p("m_br"), V3::zero(), end(p("LA")));
    let third = std::f64::consts::TAU / 3.0;
    hexa::Parameters {
        azimuth: [0.0, third, 2.0 * third],
        base_radius: p("RA"),
        base_spacing: p("wA"),
        platform_radius: p("RB"),
        platform_spacing: p("wB"),
        arm: p("LA"),
        rod: p("LB"),
        arm_body: arm.joined(&RigidBody::point(p("m_c"), end(p("LA")))),
        rod_body: RigidBody::thin_rod(p("m_ab"), V3::zero(), end(p("LB"))),
        drive: Drive::with_inertia(p("I_m")),
        platform: body(file, "platform"),
        gravity: p("g"),
        mode: [Elbow::Out; 6],
    }
}

pub fn linear_delta(file: &Value) -> linear_delta::Parameters<f64> {
    let p = |key| number(file, key);
    let third = std::f64::consts::TAU / 3.0;
    linear_delta::Parameters {
        base_radius: p("RA"),
        platform_radius: p("RB"),
        azimuth: [0.0, third, 2.0 * third],
        inclination: 0.0,
        forearm: p("L"),
        carriage: p("m_s"),
        forearm_body: RigidBody::thin_rod(p("m_ab"), V3::zero(), V3::new(p("L"), 0.0, 0.0)),
        drive: Drive::with_inertia(p("I_a")),
        platform: p("m_n") + p("m_payload"),
        gravity: p("g"),
        mode: [Carriage::Ahead; 3],
    }
}

pub fn five_bar(file: &Value) -> five_bar::Parameters<f64> {
    let p = |key| number(file, key);
    five_bar::Parameters {
        half_distance: p("d"),
        lengths: [p("l1"), p("l2")],
        proximal: PlanarLeg::bar(p("m1"), p("c1"), p("I1")),
        distal: PlanarLeg::bar(p("m2"), p("c2"), p("I2")),
        drive: Drive::with_inertia(p("I_m")),
        platform: p("m_p"),
        gravity: p("g"),
        mode: [Turn::Left, Turn::Right],
    }
}

pub fn rrr3(file: &Value) -> rrr3::Parameters<f64> {
    let p = |key| number(file, key);
    let platform = &file["parameters"]["platform"];
    let centre = numbers(&platform["com_xy"]);
    rrr3::Parameters {
        base_radius: p("rb"),
        platform_radius: p("rp"),
        azimuth: list::<3>(file, "angles_deg").map(f64::to_radians),
        platform_azimuth: list::<3>(file, "angles_deg").map(f64::to_radians),
        lengths: [p("l1"), p("l2")],
        proximal: PlanarLeg::bar(p("m1"), p("c1"), p("I1")),
        distal: PlanarLeg::bar(p("m2"), p("c2"), p("I2")),
        drive: Drive::with_inertia(p("I_m")),
        platform: RigidBody {
            mass: platform["mass"].as_f64().unwrap(),
            centre: V3::new(centre[0], centre[1], 0.0),
            inertia: Sym3::scalar(platform["Izz_com"].as_f64().unwrap()),
        },
        gravity: p("g"),
        mode: [Turn::Left; 3],
    }
}

pub fn gough_robot() -> gough_stewart::GoughStewart<f64> {
    gough(&golden("gough_stewart.json")).robot()
}

/// The pose of a golden state.
pub fn pose(state: &Value) -> Pose<f64> {
    let platform = &state["platform"];
    let at = numbers(&platform["position"]);
    let position = V3::new(at[0], at[1], at.get(2).copied().unwrap_or(0.0));
    if let Some(angle) = platform["angle"].as_f64() {
        return Pose::planar(position.x, position.y, angle);
    }
    if platform["rotation"].is_null() {
        return Pose::translation(position);
    }
    let r = numbers(&platform["rotation"]);
    Pose::new(M3::from_rows(v3(&r), v3(&r[3..]), v3(&r[6..])), position)
}

pub fn array<const D: usize>(state: &Value, pointer: &str) -> [f64; D] {
    let found = state.pointer(pointer).unwrap_or_else(|| panic!("nothing at {pointer}"));
    numbers(found).try_into().unwrap_or_else(|v| panic!("{pointer}: {v:?}"))
}

/// A wrench given by its components along the freedoms of a robot.
pub fn wrench<const N: usize, const M: usize, const D: usize, const K: usize>(
    robot: &Robot<f64, N, M, D, K>,
    components: &[f64; D],
) -> Wrench<f64> {
    let t: Twist<f64> = robot.space.twist(components);
    Wrench::new(t.linear, t.angular)
}

/// The leg as a table of axes and placements would give it: every link frame has its
/// origin on its joint and base axes in the posture at `home`, where all joints
/// read zero. Returns the joint coordinates there too.
pub fn as_table<const N: usize>(leg: &Leg<f64, N>, home: &Pose<f64>) -> (Leg<f64, N>, [f64; N]) {
    let posture = leg.posture(home).value;
    let frames = posture.chain.frames;
    let links = std::array::from_fn(|j| {
        let before = if j == 0 { V3::zero() } else { frames[j - 1].position };
        let old = &leg.chain.links[j];
        AxisLink {
            kind: old.kind,
            active: old.active,
            placement: Pose::translation(frames[j].position - before),
            axis: frames[j].rotation.columns().z,
            body: old.body.map(|body| body.seen_from(&Pose::new(frames[j].rotation, V3::zero()))),
            drive: old.drive,
        }
    });
    let (chain, _) = Chain::from_axes(links, posture.chain.point - frames[N - 1].position);
    let attachment: Attachment<f64> = leg.attachment;
    let inverse = LegInverse::Numerical { seed: [0.0; N], steps: 12 };
    (Leg { chain, attachment, inverse }, leg.chain.coordinates(&posture.joints))
}

/// Singular values of a small square matrix, largest first, by one-sided Jacobi rotations.
pub fn singular_values<const D: usize>(rows: &[[f64; D]; D]) -> [f64; D] {
    let mut c: [[f64; D]; D] = std::array::from_fn(|j| std::array::from_fn(|i| rows[i][j]));
    let dot = |a: &[f64; D], b: &[f64; D]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    for _ in 0..30 {
        for p in 0..D {
            for q in p + 1..D {
                let (a, b, g) = (dot(&c[p], &c[p]), dot(&c[q], &c[q]), dot(&c[p], &c[q]));
                if g.abs() <= 1e-18 * (a * b).sqrt() {
                    continue;
                }
                let z = (b - a) / (2.0 * g);
                let t = z.signum() / (z.abs() + (1.0 + z * z).sqrt());
                let (cos, sin) = (1.0 / (1.0 + t * t).sqrt(), t / (1.0 + t * t).sqrt());
                let (first, second) = (c[p], c[q]);
                c[p] = std::array::from_fn(|i| cos * first[i] - sin * second[i]);
                c[q] = std::array::from_fn(|i| sin * first[i] + cos * second[i]);
            }
        }
    }
    let mut s = c.map(|column| dot(&column, &column).sqrt());
    s.sort_by(|a, b| b.total_cmp(a));
    s
}

/// A body with its centre anywhere and full inertia: three rods joined.
pub fn some_body(rng: &mut legwork_testkit::Seeded, mass: f64, size: f64) -> RigidBody<f64> {
    let mut rod = || RigidBody::thin_rod(mass / 3.0, rng.triple(size).into(), rng.triple(size).into());
    let (a, b, c) = (rod(), rod(), rod());
    a.joined(&b).joined(&c).checked().unwrap()
}

/// Turns z into x, x into y, y into z.
fn cycled() -> Pose<f64> {
    let (x, y, z) = (V3::new(1.0, 0.0, 0.0), V3::new(0.0, 1.0, 0.0), V3::new(0.0, 0.0, 1.0));
    Pose::new(M3::from_columns(y, z, x), V3::zero())
}

/// A leg that ends in a ball joint, with the ball joint partly or wholly taken apart
/// into revolute joints: 4 joints and a universal joint, 5 and a hinge, or 6 and a weld.
/// The new links are massless, so nothing else changes. All new joints read zero at `home`.
pub fn with_wrist<const N: usize>(leg: &Leg<f64, 3>, home: &Pose<f64>) -> Leg<f64, N> {
    let posture = leg.posture(home).value;
    let Attachment::Spherical { point } = leg.attachment else { panic!("a ball joint expected") };
    let link = |placement| legwork_core::engine::Link {
        kind: legwork_core::engine::JointKind::Revolute,
        active: false,
        placement,
        body: None,
        drive: Drive::ideal(),
    };
    let links = std::array::from_fn(|j| match j {
        0..=2 => leg.chain.links[j],
        3 => link(Pose::translation(leg.chain.tip)),
        _ => link(cycled()),
    });
    let first = leg.chain.coordinates(&posture.joints);
    let seed = std::array::from_fn(|j| if j < 3 { first[j] } else { 0.0 });
    // The new frames at home, seen from the platform.
    let fourth = home.rotation.transpose() * posture.chain.tip_rotation();
    let fifth = fourth * cycled().rotation;
    let sixth = fifth * cycled().rotation;
    let x = V3::new(1.0, 0.0, 0.0);
    let attachment = match N {
        4 => Attachment::Universal { point, leg_axis: x, platform_axis: sixth.columns().z },
        5 => Attachment::Revolute {
            point,
            leg_axis: x,
            platform_normals: [sixth.columns().x, sixth.columns().y],
        },
        _ => Attachment::Fixed { frame: Pose::new(sixth, point) },
    };
    let inverse = LegInverse::Numerical { seed, steps: 14 };
    Leg { chain: Chain { links, tip: if N == 3 { leg.chain.tip } else { V3::zero() } }, attachment, inverse }
}
