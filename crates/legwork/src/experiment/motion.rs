//! Where the platform should be over time: a path, a law, there and back.

use super::ExperimentError;
use crate::description::Frame;
use crate::{AnyRobot, PlatformState};
use legwork_core::control::Platform;
use legwork_core::trajectory::{
    Ends, Law, Line, Path, PathError, PathPoint, RotationSpline, SemiEllipse, Shape, ThereAndBack, TimeLaw,
    Turned, Turning, WayPoints,
};
use legwork_core::{M3, V3};
use std::fmt;

/// A path of any kind.
pub struct AnyPath(Box<dyn Path + Send + Sync>);

impl AnyPath {
    /// Of this kind.
    pub fn new(path: impl Path + Send + Sync + 'static) -> Self {
        Self(Box::new(path))
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

/// A motion of the platform, in the user's frame: a path and when to be where on it.
pub struct TimedPath {
    path: AnyPath,
    law: Box<dyn TimeLaw + Send + Sync>,
    /// The law of the way back, if it is another one.
    back_law: Option<Box<dyn TimeLaw + Send + Sync>>,
    /// Rest at each end \[s\] and number of cycles, if it goes back.
    back: Option<(f64, u32)>,
}

/// The last arrival of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// When the reference arrives \[s\].
    pub time: f64,
    /// Where \[m\].
    pub position: [f64; 3],
    /// The direction it comes from, a unit vector; zero for a motion that only turns.
    pub direction: [f64; 3],
}

impl fmt::Debug for TimedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TimedPath")
            .field("length", &self.path.length())
            .field("law", &self.law.duration())
            .field("back", &self.back)
            .finish_non_exhaustive()
    }
}

impl TimedPath {
    /// Along a path by a law for its length, once.
    pub fn new(path: impl Path + Send + Sync + 'static, law: impl TimeLaw + Send + Sync + 'static) -> Self {
        Self { path: AnyPath::new(path), law: Box::new(law), back_law: None, back: None }
    }

    /// The same path by another law.
    #[must_use]
    pub fn timed(self, law: impl TimeLaw + Send + Sync + 'static) -> Self {
        Self { law: Box::new(law), ..self }
    }

    /// The same there and back, so many times, with a rest at each end \[s\]. Default: there only.
    #[must_use]
    pub fn there_and_back(self, pause: f64, cycles: u32) -> Self {
        Self { back: Some((pause, cycles)), ..self }
    }

    /// The same with a way back by another law, counted from the far end.
    #[must_use]
    pub fn back_by(self, law: impl TimeLaw + Send + Sync + 'static) -> Self {
        Self { back_law: Some(Box::new(law)), ..self }
    }

    /// The move of \[Codourey1998, Sec. 5\]: 250 mm along x with 60 mm of height at z = −350 mm, a
    /// semi-ellipse run through by the sine-on-ramp law with 80 m/s² at its peaks.
    pub fn codourey() -> Result<Self, ExperimentError> {
        let (from, to) = (V3::new(-0.125, 0.0, -0.35), V3::new(0.125, 0.0, -0.35));
        let path = SemiEllipse::new(from, to, V3::along_z(0.06))?;
        let law = Law::by_peak_acceleration(Shape::sine(), path.length(), 80.0)?;
        Ok(Self::new(path, law))
    }

    /// How far its path goes \[m\], or \[rad\] if it only turns.
    pub fn length(&self) -> f64 {
        self.path.length()
    }

    /// The path.
    pub fn path(&self) -> &AnyPath {
        &self.path
    }

    /// Duration of one move \[s\].
    pub fn move_duration(&self) -> f64 {
        self.law.duration()
    }

    /// Duration of the whole motion \[s\].
    pub fn duration(&self) -> f64 {
        self.with_law(|law| law.duration())
    }

    /// Duration of one cycle, there and back with its rests, or of the one move \[s\].
    pub fn cycle_duration(&self) -> f64 {
        match self.back {
            None => self.law.duration(),
            Some((pause, _)) => self.law.duration() + self.return_law().duration() + 2.0 * pause,
        }
    }

    fn return_law(&self) -> &dyn TimeLaw {
        match &self.back_law {
            Some(law) => &**law,
            None => &*self.law,
        }
    }

    /// The instants of one cycle between which it is smooth, with its begin and its end \[s\]: where parts of a
    /// law meet, where parts of the path meet, where a rest begins.
    pub fn cycle_joints(&self) -> Vec<f64> {
        let mut all = vec![0.0];
        self.joints_of(&*self.law, 0.0, false, &mut all);
        if let Some((pause, _)) = self.back {
            let turn = self.law.duration() + pause;
            all.push(turn);
            self.joints_of(self.return_law(), turn, true, &mut all);
            all.push(self.cycle_duration());
        }
        all.sort_by(f64::total_cmp);
        // Instants that differ by rounding are one.
        let least = 1e-12 * self.cycle_duration();
        all.dedup_by(|b, a| *b - *a <= least);
        all
    }

    /// Those of one way that begins at `begin`.
    fn joints_of(&self, law: &dyn TimeLaw, begin: f64, is_back: bool, all: &mut Vec<f64>) {
        let (duration, length) = (law.duration(), self.path.length());
        let mut time = 0.0;
        while time < duration {
            time = law.next_joint(time);
            all.push(begin + time);
        }
        let mut joint = self.path.next_joint(0.0);
        while joint < length {
            let way = if is_back { length - joint } else { joint };
            let (mut low, mut high) = (0.0, duration);
            // Down to rounding: a law only goes forward.
            for _ in 0..60 {
                let middle = f64::midpoint(low, high);
                if law.at(middle).distance < way { low = middle } else { high = middle }
            }
            all.push(begin + high);
            joint = self.path.next_joint(joint);
        }
    }

    fn with_law<A>(&self, ask: impl FnOnce(&dyn TimeLaw) -> A) -> A {
        let law = &*self.law;
        match self.back {
            None => ask(&law),
            Some((pause, cycles)) => {
                let back = self.back_law.as_deref().unwrap_or(law);
                ask(&ThereAndBack { there: law, back, pause, cycles })
            }
        }
    }

    /// Where the platform should be at a time \[s\]; at rest before the start and after the end.
    pub fn at(&self, time: f64) -> Platform<f64> {
        let now = self.with_law(|law| law.at(time));
        let state = self.path.at(now.distance).moving(now.rate, now.acceleration);
        Platform { pose: state.pose, twist: state.twist, acceleration: state.acceleration }
    }

    /// The same as a state that a robot can be asked about.
    pub fn platform(&self, time: f64) -> PlatformState {
        let now = self.at(time);
        PlatformState {
            twist: now.twist.to_vector_linear_first(),
            acceleration: now.acceleration.to_vector_linear_first(),
            ..PlatformState::at(now.pose.position.to_array()).turned(now.pose.rotation.to_rows())
        }
    }

    /// The same as the robot itself counts.
    pub(super) fn in_frame(&self, frame: &Frame, time: f64) -> Platform<f64> {
        let mut platform = self.at(time);
        platform.pose.position = frame.position_from_user(platform.pose.position.to_array()).into();
        platform
    }

    /// The last arrival.
    pub fn target(&self) -> Target {
        let end = self.at(f64::MAX).pose.position;
        let (time, direction) = match self.back {
            None => (self.duration(), self.path.at(self.path.length()).first.linear),
            Some((pause, _)) => (self.duration() - pause, -self.path.at(0.0).first.linear),
        };
        let size = direction.norm_sq().sqrt();
        let direction = if size > 0.0 { direction * size.recip() } else { V3::zero() };
        Target { time, position: end.to_array(), direction: direction.to_array() }
    }

    /// At rest at a share of the way in [0, 1].
    pub(super) fn resting_at(&self, share: f64) -> PlatformState {
        let pose = self.path.at(self.path.length() * share).pose;
        PlatformState::at(pose.position.to_array()).turned(pose.rotation.to_rows())
    }

    /// Half-way between both ends, as turned as in the middle of the path: where gains are taken.
    pub fn middle(&self) -> PlatformState {
        let (from, to) = (self.resting_at(0.0).position, self.resting_at(1.0).position);
        let middle = std::array::from_fn(|k| f64::midpoint(from[k], to[k]));
        PlatformState { position: middle, ..self.resting_at(0.5) }
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

/// A path for a robot of which nothing else is known: about its home, as wide as goes without leaving its
/// reach, its limits or the neighbourhood of its home's condition.
pub fn around_home(robot: &AnyRobot) -> Result<AnyPath, ExperimentError> {
    let home = robot.home();
    let here = V3::from(home.position);
    let axes: Vec<V3<f64>> = robot
        .freedoms()
        .iter()
        .filter(|freedom| !freedom.turns())
        .map(|freedom| V3::from(std::array::from_fn(|k| f64::from(u8::from(k == freedom.component)))))
        .collect();
    let [x, y, z] = home.rotation.map(V3::from);
    let rotation = M3::from_rows(x, y, z);
    let mut width = 0.25;
    // A robot has a home, so it has a neighbourhood.
    for _ in 0..12 {
        let path = match axes.as_slice() {
            [] => return Err(ExperimentError::NoWay { robot: robot.name().into() }),
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
