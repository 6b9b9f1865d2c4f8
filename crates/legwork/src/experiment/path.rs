//! Paths of any kind, and those of a robot of which nothing else is known.

use super::ExperimentError;
use crate::{AnyRobot, PlatformState};
use legwork_core::control::rotation_by;
use legwork_core::trajectory::{
    Ends, Geodesic, InPlace, Law, Line, Orientation, Path, PathError, PathPoint, RotationSpline,
    RoundedCorner, SemiEllipse, Shape, Turned, Turning, WayPoints,
};
use legwork_core::{M3, V3};
use std::fmt;
use std::sync::Arc;

/// A path of any kind.
#[derive(Clone)]
pub struct AnyPath(Arc<dyn Path + Send + Sync>);

impl AnyPath {
    /// Of this kind.
    pub fn new(path: impl Path + Send + Sync + 'static) -> Self {
        Self(Arc::new(path))
    }

    /// Whether the platform only turns on it: its length is then an angle \[rad\].
    pub fn turns_in_place(&self) -> bool {
        self.at(0.5 * self.length()).first.linear.norm_sq() == 0.0
    }
}

impl Path for AnyPath {
    fn length(&self) -> f64 {
        self.0.length()
    }
    fn at(&self, s: f64) -> PathPoint<f64> {
        self.0.at(s)
    }
    fn next_joint(&self, s: f64) -> f64 {
        self.0.next_joint(s)
    }
}

impl fmt::Debug for AnyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyPath").field("length", &self.0.length()).finish_non_exhaustive()
    }
}

/// Paths one after the other, each beginning where the one before it ends.
struct JoinedPath {
    parts: Vec<AnyPath>,
    /// Where each of them ends \[m\].
    ends: Vec<f64>,
}

impl JoinedPath {
    fn new(parts: Vec<AnyPath>) -> Self {
        let ends = parts.iter().scan(0.0, |sum, part| {
            *sum += part.length();
            Some(*sum)
        });
        Self { ends: ends.collect(), parts }
    }
}

impl Path for JoinedPath {
    fn length(&self) -> f64 {
        self.ends.last().copied().unwrap_or(0.0)
    }
    fn at(&self, s: f64) -> PathPoint<f64> {
        let place = self.ends.partition_point(|end| *end < s).min(self.parts.len().saturating_sub(1));
        let begin = place.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0.0);
        match self.parts.get(place) {
            Some(part) => part.at(s - begin),
            None => PathPoint::translating(V3::zero(), V3::zero(), V3::zero()),
        }
    }
    fn next_joint(&self, s: f64) -> f64 {
        let mut begin = 0.0;
        for (part, end) in self.parts.iter().zip(&self.ends) {
            if *end > s {
                let joint = begin + part.next_joint(s - begin);
                // The sum may round down to where it began.
                return if joint > s && joint < *end { joint } else { *end };
            }
            begin = *end;
        }
        self.length()
    }
}

/// Orientations at places along a path: each turn is by the shorter way round and begins and ends gently, so that
/// neither the rate nor its change jumps at a place.
struct GentleTurns {
    /// Shares of the way, growing from 0 to 1.
    places: Vec<f64>,
    turns: Vec<Geodesic>,
}

impl Orientation for GentleTurns {
    fn at(&self, u: f64) -> (M3<f64>, V3<f64>, V3<f64>) {
        let inner = self.places.get(1..self.places.len().saturating_sub(1)).unwrap_or(&[]);
        let k = inner.partition_point(|place| *place <= u);
        let (Some(from), Some(to), Some(turn)) =
            (self.places.get(k), self.places.get(k + 1), self.turns.get(k))
        else {
            return (M3::diagonal(V3::splat(1.0)), V3::zero(), V3::zero());
        };
        let width = to - from;
        let x = ((u - from) / width).clamp(0.0, 1.0);
        // 10 x³ − 15 x⁴ + 6 x⁵ and its derivatives
        let share = x * x * x * (10.0 - x * (15.0 - 6.0 * x));
        let first = 30.0 * x * x * (1.0 - x) * (1.0 - x) / width;
        let second = 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / (width * width);
        let (rotation, w, _) = turn.at(share);
        (rotation, w * first, w * second)
    }
}

/// Panels of a blended corner: up to 160 degrees.
const PANELS: usize = 24;

/// Straight lines from pose to pose, each corner rounded from `blends` \[m\] before it to as far behind it, one for each
/// inner pose; the lines are kept exactly everywhere else. Acceleration is continuous if that of the law is. An
/// orientation is reached at the middle of its corner.
pub fn blended_lines(
    points: &[V3<f64>],
    orientations: &[M3<f64>],
    blends: &[f64],
) -> Result<AnyPath, ExperimentError> {
    let corners = points.len().saturating_sub(2);
    if points.len() < 2 {
        return Err(PathError::TooFewPoints { points: points.len() }.into());
    }
    for (what, expected, found) in
        [("blends", corners, blends.len()), ("orientations", points.len(), orientations.len())]
    {
        if expected != found {
            return Err(ExperimentError::Count { what, expected, found });
        }
    }
    let distance = |a: V3<f64>, b: V3<f64>| (b - a).norm_sq().sqrt();
    let reach = |k: usize| k.checked_sub(1).and_then(|k| blends.get(k)).copied().unwrap_or(0.0);
    let (mut parts, mut places, mut length) = (Vec::new(), vec![0.0], 0.0);
    for (k, pair) in points.windows(2).enumerate() {
        let [from, to] = *pair else { continue };
        let whole = distance(from, to);
        if whole.is_nan() || whole <= 0.0 {
            return Err(PathError::SamePoint { first: k }.into());
        }
        let (before, after) = (reach(k), reach(k + 1));
        let straight = whole - before - after;
        // Blends that use up a line but for rounding leave no line.
        if straight < -1e-12 * whole {
            return Err(ExperimentError::Blends { line: k, length: whole, blends: [before, after] });
        }
        let along = (to - from) * whole.recip();
        if straight > 1e-12 * whole {
            let line = Line::new(from + along * before, to - along * after)?;
            length += line.length();
            parts.push(AnyPath::new(line));
        }
        if let Some(next) = points.get(k + 2) {
            let corner = RoundedCorner::<PANELS>::new(from, to, *next, after)?;
            places.push(length + 0.5 * corner.length());
            length += corner.length();
            parts.push(AnyPath::new(corner));
        }
    }
    places.push(length);
    let path = JoinedPath::new(parts);
    let turns: Vec<Geodesic> = orientations
        .windows(2)
        .filter_map(|pair| match pair {
            [from, to] => Some(Geodesic::new(*from, *to)),
            _ => None,
        })
        .collect::<Result<_, _>>()?;
    match orientations.first() {
        Some(first) if orientations.iter().all(|other| other == first) => {
            Ok(AnyPath::new(Turned { path, rotation: *first }))
        }
        _ => {
            let places = places.iter().map(|place| place / length).collect();
            Ok(AnyPath::new(Turning { path, orientation: GentleTurns { places, turns } }))
        }
    }
}

/// A cubic spline through two to ten points \[m\], with one orientation for each if the platform turns.
pub fn way_points(points: &[V3<f64>], orientations: Option<&[M3<f64>]>) -> Result<AnyPath, ExperimentError> {
    macro_rules! of_count {
        ($($n:literal),*) => {
            match points.len() {
                $($n => through::<$n>(points, orientations),)*
                found => Err(ExperimentError::WayPoints { found }),
            }
        };
    }
    of_count!(2, 3, 4, 5, 6, 7, 8, 9, 10)
}

fn through<const N: usize>(
    points: &[V3<f64>],
    orientations: Option<&[M3<f64>]>,
) -> Result<AnyPath, ExperimentError> {
    let few = PathError::TooFewPoints { points: points.len() };
    let points: &[V3<f64>; N] = points.try_into().map_err(|_| few)?;
    let path = WayPoints::new(points, Ends::Natural)?;
    let Some(list) = orientations else { return Ok(AnyPath::new(path)) };
    let count = ExperimentError::Count { what: "orientations", expected: N, found: list.len() };
    let list: &[M3<f64>; N] = list.try_into().map_err(|_| count)?;
    let orientation = RotationSpline::along(list, path.lengths())?;
    Ok(AnyPath::new(Turning { path, orientation }))
}

/// The directions in which the platform can be moved, each along an axis of the base.
pub(crate) fn translation_axes(robot: &AnyRobot) -> Vec<V3<f64>> {
    let axis = |component: usize| V3::from(std::array::from_fn(|k| f64::from(u8::from(k == component))));
    robot
        .freedoms()
        .iter()
        .filter(|freedom| !freedom.turns())
        .map(|freedom| axis(freedom.component))
        .collect()
}

/// A path for a robot of which nothing else is known: about its home, as wide as goes without leaving its
/// reach, its limits or the neighbourhood of its home's condition.
pub fn around_home(robot: &AnyRobot) -> Result<AnyPath, ExperimentError> {
    let home = robot.home();
    let here = V3::from(home.position);
    let axes = translation_axes(robot);
    let [x, y, z] = home.rotation.map(V3::from);
    let rotation = M3::from_rows(x, y, z);
    let mut width = 0.25;
    // A robot has a home, so it has a neighbourhood.
    for _ in 0..12 {
        let path = match axes.as_slice() {
            [] => return turn_about_home(robot),
            [only] => {
                let path = Line::new(here - *only * (0.5 * width), here + *only * (0.5 * width))?;
                AnyPath::new(Turned { path, rotation })
            }
            [across, .., up] => {
                // Its height is that of Codourey's move: 60 mm for 250 mm.
                let half = *across * (0.5 * width);
                let path = SemiEllipse::new(here - half, here + half, *up * (0.24 * width))?;
                AnyPath::new(Turned { path, rotation })
            }
        };
        if is_easy(robot, &path) {
            return Ok(path);
        }
        width *= 0.5;
    }
    Err(ExperimentError::NoWay { robot: robot.name().into() })
}

/// A turn about the first axis that the platform is free in, home in its middle: a quarter of a radian to either side, or
/// as much as [`around_home`] would dare.
pub fn turn_about_home(robot: &AnyRobot) -> Result<AnyPath, ExperimentError> {
    let home = robot.home();
    let Some(first) = robot.freedoms().iter().find(|freedom| freedom.turns()) else {
        return Err(ExperimentError::NoTurn { robot: robot.name().into() });
    };
    let axis = V3::from(std::array::from_fn(|k| f64::from(u8::from(k + 3 == first.component))));
    let [x, y, z] = home.rotation.map(V3::from);
    let mut angle = 0.25;
    for _ in 0..12 {
        let [from, to] = [-angle, angle].map(|angle| rotation_by(axis * angle) * M3::from_rows(x, y, z));
        let path = AnyPath::new(InPlace::shortest(home.position.into(), from, to)?);
        if is_easy(robot, &path) {
            return Ok(path);
        }
        angle *= 0.5;
    }
    Err(ExperimentError::NoWay { robot: robot.name().into() })
}

/// Reached everywhere, inside the limits, no more than three times as far from isotropic as home.
fn is_easy(robot: &AnyRobot, path: &AnyPath) -> bool {
    const PLACES: u32 = 32;
    let Ok(home) = robot.state(&robot.home()) else { return false };
    (0..=PLACES).all(|k| {
        let pose = path.at(path.length() * f64::from(k) / f64::from(PLACES)).pose;
        let place = PlatformState::at(pose.position.to_array()).turned(pose.rotation.to_rows());
        robot.state(&place).is_ok_and(|state| {
            state.outside_limits.is_empty() && state.singularity.parallel > home.singularity.parallel / 3.0
        })
    })
}

/// The fastest sine-on-ramp law of at most 10 m/s² along a path that stays inside the limits of torque and speed
/// in the robot's file.
pub fn gentle_law(robot: &AnyRobot, path: &AnyPath) -> Result<Law<f64>, ExperimentError> {
    const PLACES: u32 = 64;
    let mut peak = 10.0;
    loop {
        let law = Law::by_peak_acceleration(Shape::sine(), path.length(), peak)?;
        let fits = (0..=PLACES).all(|k| {
            let now = law.at(law.duration() * f64::from(k) / f64::from(PLACES));
            let state = path.at(now.distance).moving(now.rate, now.acceleration);
            let place = PlatformState {
                twist: state.twist.to_vector_linear_first(),
                acceleration: state.acceleration.to_vector_linear_first(),
                ..PlatformState::at(state.pose.position.to_array()).turned(state.pose.rotation.to_rows())
            };
            // A place out of reach is told by the experiment, not by the law.
            robot.state(&place).map_or(true, |found| {
                let efforts = found.dynamics.map(|dynamics| dynamics.motor).unwrap_or_default();
                let below = |limit: Option<f64>, value: f64| limit.is_none_or(|most| value.abs() <= most);
                let joints = robot.joints();
                joints.iter().zip(&efforts).all(|(joint, effort)| below(joint.max_effort, *effort))
                    && joints.iter().zip(&found.qd).all(|(joint, speed)| below(joint.max_speed, *speed))
            })
        });
        if fits || peak < 1e-3 {
            return Ok(law);
        }
        peak *= 0.5;
    }
}
