//! A robot at home, drawn with letters.

mod canvas;

use crate::turn;
use canvas::{Drawing, Point};
use legwork::description::{DeltaDescription, Model};
use legwork::robots::delta::Leg;
use legwork::{AnyRobot, PlatformState, State};

/// How high a picture may be.
const SIDE: usize = 16;
const TOP: usize = 24;

/// What is seen, and the picture; `None` for a family that has none.
pub fn at_home(robot: &AnyRobot, home: &State) -> Option<(String, String)> {
    if let Some(delta) = robot.description().as_delta() {
        let picture = delta_leg(robot, delta)?;
        return Some(("leg 1 at home, from the side".into(), picture));
    }
    let legs = legs(robot, home)?;
    let planar = robot.freedoms().iter().all(|freedom| !matches!(freedom.component, 2..=4));
    let title =
        if planar { "at home, x to the right, y up" } else { "at home, from above, x to the right, y up" };
    Some((title.into(), seen_from_above(&legs, &home.platform)))
}

/// The first leg of a Delta from the side; `None` where home has no posture.
fn delta_leg(robot: &AnyRobot, delta: &DeltaDescription) -> Option<String> {
    let home = delta.frame.position_from_user(robot.home().position);
    let posture = robot.linkage()?.posture(home.into()).ok()?;
    let Leg { a_cos, a_sin, .. } = posture.legs.x;
    let geometry = &delta.geometry;
    let azimuth = geometry.azimuth[0];
    let along = home[0] * azimuth.cos() + home[1] * azimuth.sin();
    let points = [
        ('O', (0.0, 0.0)),
        ('M', (geometry.base_radius, 0.0)),
        ('E', (geometry.base_radius + a_cos, -a_sin)),
        ('J', (along + geometry.platform_radius, home[2])),
        ('P', (along, home[2])),
    ];
    let mut drawing = Drawing::default();
    for pair in points.windows(2) {
        if let [(first, from), (last, to)] = pair {
            // The base and the platform are plates, arm and forearm are bars.
            let level = if *first == 'O' || *last == 'P' { '=' } else { '-' };
            drawing.line(*from, *to, level);
        }
    }
    for (letter, point) in points {
        drawing.letter(letter, point);
    }
    let legend = "O centre of the base, M motor, E elbow, J joint, P centre of the platform";
    Some(drawing.with_legend(SIDE, legend))
}

/// The joints of a leg from the base to the platform.
type Joints = Vec<[f64; 3]>;

fn seen_from_above(legs: &[Joints], home: &PlatformState) -> String {
    let flat = |point: &[f64; 3]| -> Point { (point[0], point[1]) };
    let mut drawing = Drawing::default();
    let ends: Vec<Point> = legs.iter().filter_map(|leg| leg.last()).map(flat).collect();
    // The outline of the platform in the order of the legs.
    for (k, from) in ends.iter().enumerate() {
        drawing.line(*from, ends[(k + 1) % ends.len()], '=');
    }
    for leg in legs {
        for pair in leg.windows(2) {
            drawing.line(flat(&pair[0]), flat(&pair[1]), '-');
        }
    }
    drawing.letter('P', flat(&home.position));
    for (leg, number) in legs.iter().zip(1_u32..) {
        // After nine legs come letters.
        let digit = char::from_digit(number, 36).unwrap_or('?');
        drawing.letter(digit, flat(&leg[0]));
    }
    for leg in legs {
        for elbow in leg.iter().skip(1).rev().skip(1) {
            drawing.letter('E', flat(elbow));
        }
        if let Some(end) = leg.last() {
            drawing.letter('J', flat(end));
        }
    }
    let elbows = if legs.iter().any(|leg| leg.len() > 2) { ", E elbow" } else { "" };
    let joints = if ends.contains(&flat(&home.position)) { "" } else { ", J joint of the platform" };
    let last = legs.len();
    drawing.with_legend(TOP, &format!("1 to {last} where the legs start{elbows}{joints}, P platform point"))
}

/// The joints of every leg, in the base.
fn legs(robot: &AnyRobot, home: &State) -> Option<Vec<Joints>> {
    let q = &home.q;
    let platform = |point: [f64; 3]| -> [f64; 3] {
        let turned = turn::turned(&home.platform.rotation, point);
        [0, 1, 2].map(|k| home.platform.position[k] + turned[k])
    };
    let about_z = |azimuth: f64, point: [f64; 3]| turn::turned(&turn::about(2, azimuth), point);
    let legs = match &robot.description().model {
        Model::GoughStewart(d) => straight(&d.geometry.base_points, &d.geometry.platform_points, platform),
        Model::Space(d) => straight(&d.geometry.base_points, &d.geometry.platform_points, platform),
        Model::Hexaglide(d) => {
            let carriage = |(rail, q): (&legwork::description::Rail, &f64)| {
                [0, 1, 2].map(|k| rail.point[k] + q * rail.direction[k])
            };
            let carriages: Vec<_> = d.geometry.rails.iter().zip(q).map(carriage).collect();
            straight(&carriages, &d.geometry.platform_points, platform)
        }
        Model::Hexa(d) => {
            let g = &d.geometry;
            let leg = |(k, q): (usize, &f64)| {
                let (azimuth, side) = (g.azimuth[k / 2], if k % 2 == 0 { 0.5 } else { -0.5 });
                let base = |x: f64, z: f64| about_z(azimuth, [x, side * g.base_spacing, z]);
                let end = about_z(azimuth, [g.platform_radius, side * g.platform_spacing, 0.0]);
                let elbow = base(g.base_radius + g.arm * q.cos(), -g.arm * q.sin());
                vec![base(g.base_radius, 0.0), elbow, platform(end)]
            };
            q.iter().enumerate().map(leg).collect()
        }
        Model::LinearDelta(d) => {
            let g = &d.geometry;
            let leg = |(azimuth, q): (&f64, &f64)| {
                let carriage = [g.base_radius + q * g.tilt.sin(), 0.0, q * g.tilt.cos()];
                vec![about_z(*azimuth, carriage), platform(about_z(*azimuth, [g.platform_radius, 0.0, 0.0]))]
            };
            g.azimuth.iter().zip(q).map(leg).collect()
        }
        Model::FiveBar(d) => {
            let g = &d.geometry;
            let motors = [[-g.motor_offset, 0.0, 0.0], [g.motor_offset, 0.0, 0.0]];
            let end = platform([0.0; 3]);
            motors.iter().zip(q).map(|(motor, q)| planar(*motor, g.proximal, *q, end)).collect()
        }
        Model::Planar3Rrr(d) => {
            let g = &d.geometry;
            let leg = |(k, q): (usize, &f64)| {
                let motor = about_z(g.azimuth[k], [g.base_radius, 0.0, 0.0]);
                let end = about_z(g.platform_azimuth[k], [g.platform_radius, 0.0, 0.0]);
                planar(motor, g.proximal, *q, platform(end))
            };
            q.iter().enumerate().map(leg).collect()
        }
        _ => return None,
    };
    Some(legs)
}

/// Legs without elbows.
fn straight(base: &[[f64; 3]], ends: &[[f64; 3]], platform: impl Fn([f64; 3]) -> [f64; 3]) -> Vec<Joints> {
    base.iter().zip(ends).map(|(base, end)| vec![*base, platform(*end)]).collect()
}

/// A leg in the x-y plane with its elbow.
fn planar(motor: [f64; 3], proximal: f64, q: f64, end: [f64; 3]) -> Joints {
    vec![motor, [motor[0] + proximal * q.cos(), motor[1] + proximal * q.sin(), 0.0], end]
}
