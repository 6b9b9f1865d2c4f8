//! A robot at home, drawn with letters.

use super::canvas::{Drawing, Point};
use crate::description::DeltaDescription;
use crate::families::View;
use crate::{AnyRobot, PlatformState};
use legwork_core::robots::delta::Leg;

/// A robot drawn with letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// What is seen.
    pub title: &'static str,
    /// Lines of letters, with what they mean and how large they are below.
    pub picture: String,
}

/// How high a picture may be.
const SIDE: usize = 16;
const TOP: usize = 24;

impl Sketch {
    /// The robot where it rests; `None` for a family of which there is nothing to see.
    pub fn at_home(robot: &AnyRobot) -> Option<Self> {
        let picture = match robot.description().family().row().view {
            View::FirstLeg if robot.linkage().is_some() => delta_leg(robot, robot.description().as_delta()?)?,
            View::FirstLeg | View::FromAbove => seen_from_above(&legs(robot)?, &robot.home()),
            View::None => return None,
        };
        let is_planar = robot.freedoms().iter().all(|freedom| !matches!(freedom.component, 2..=4));
        let title = match (robot.description().family().row().view, is_planar) {
            (View::FirstLeg, _) if robot.linkage().is_some() => "leg 1 at home, from the side",
            (_, true) => "at home, x to the right, y up",
            (_, false) => "at home, from above, x to the right, y up",
        };
        Some(Self { title, picture })
    }
}

/// The first leg of a Delta from the side; `None` where home has no posture.
fn delta_leg(robot: &AnyRobot, delta: &DeltaDescription) -> Option<String> {
    let (linkage, _, frame) = robot.delta_parts()?;
    let home = frame.position_from_user(robot.home().position);
    let posture = linkage.posture(home.into()).ok()?;
    let Leg { a_cos, a_sin, .. } = posture.legs.x;
    let geometry = &delta.geometry;
    let azimuth = linkage.geometry().azimuth.x;
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
    drawing.with_legend(TOP, &format!("1 to {last} starts of the legs{elbows}{joints}, P platform point"))
}

/// The joints of every leg, in the base.
fn legs(robot: &AnyRobot) -> Option<Vec<Joints>> {
    let skeleton = robot.skeleton(&robot.home()).ok()?;
    Some((0..skeleton.legs.len()).map(|leg| skeleton.joints(leg)).collect())
}
