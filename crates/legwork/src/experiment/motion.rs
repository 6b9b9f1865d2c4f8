//! Where the platform should be over time.

use super::ExperimentError;
use super::path::AnyPath;
use super::sequence::{MoveSequence, TimedMove};
use crate::PlatformState;
use crate::description::Frame;
use legwork_core::V3;
use legwork_core::control::Platform;
use legwork_core::trajectory::{Law, Path, Reversed, SemiEllipse, Shape, ThereAndBack, TimeLaw};
use std::fmt;
use std::sync::Arc;

/// What the platform is to do over time, in the user's frame: along a path by a law, a sequence of moves, or rows of a
/// file. At rest before its start and after its end.
pub trait ReferenceMotion: fmt::Debug + Send + Sync {
    /// Duration of the whole motion \[s\].
    fn duration(&self) -> f64;

    /// Where the platform should be at a time \[s\].
    fn at(&self, time: f64) -> Platform<f64>;

    /// Duration of one cycle, or of the whole if it has none \[s\].
    fn cycle_duration(&self) -> f64 {
        self.duration()
    }

    /// The instants of one cycle between which it is smooth, with its begin and its end \[s\]: where parts of a law meet,
    /// where parts of a path meet, where a rest begins.
    fn cycle_joints(&self) -> Vec<f64>;

    /// The last arrival.
    fn target(&self) -> Target;

    /// A place in the midst of it, at rest: where gains are taken.
    fn middle(&self) -> PlatformState;

    /// The paths of one cycle, to be checked before anything moves; none if it is known by instants only.
    fn paths(&self) -> Vec<&AnyPath>;

    /// How long its paths are \[m\], or \[rad\] where they only turn; of rows the distances between them.
    fn length(&self) -> f64 {
        self.paths().into_iter().map(Path::length).sum()
    }

    /// What is picked up and put down in one cycle, in order.
    fn loads(&self) -> &[Load] {
        &[]
    }

    /// The same as a state that a robot can be asked about.
    fn platform(&self, time: f64) -> PlatformState {
        let now = self.at(time);
        PlatformState {
            twist: now.twist.to_vector_linear_first(),
            acceleration: now.acceleration.to_vector_linear_first(),
            ..PlatformState::at(now.pose.position.to_array()).turned(now.pose.rotation.to_rows())
        }
    }
}

impl<M: ReferenceMotion + ?Sized> ReferenceMotion for Box<M> {
    fn duration(&self) -> f64 {
        (**self).duration()
    }
    fn at(&self, time: f64) -> Platform<f64> {
        (**self).at(time)
    }
    fn cycle_duration(&self) -> f64 {
        (**self).cycle_duration()
    }
    fn cycle_joints(&self) -> Vec<f64> {
        (**self).cycle_joints()
    }
    fn target(&self) -> Target {
        (**self).target()
    }
    fn middle(&self) -> PlatformState {
        (**self).middle()
    }
    fn paths(&self) -> Vec<&AnyPath> {
        (**self).paths()
    }
    fn length(&self) -> f64 {
        (**self).length()
    }
    fn loads(&self) -> &[Load] {
        (**self).loads()
    }
}

/// A change of what is carried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// When \[s\].
    pub time: f64,
    /// What is picked up from then on, besides what the robot carries all the time \[kg\].
    pub mass: f64,
}

/// The same as the robot itself counts.
pub(super) fn in_frame(motion: &dyn ReferenceMotion, frame: &Frame, time: f64) -> Platform<f64> {
    let mut platform = motion.at(time);
    platform.pose.position = frame.position_from_user(platform.pose.position.to_array()).into();
    platform
}

/// A motion of the platform, in the user's frame: a path and when to be where on it.
pub struct TimedPath {
    path: AnyPath,
    law: Arc<dyn TimeLaw + Send + Sync>,
    /// The law of the way back, if it is another one.
    back_law: Option<Arc<dyn TimeLaw + Send + Sync>>,
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
        Self { path: AnyPath::new(path), law: Arc::new(law), back_law: None, back: None }
    }

    /// The same path by another law.
    #[must_use]
    pub fn timed(self, law: impl TimeLaw + Send + Sync + 'static) -> Self {
        Self { law: Arc::new(law), ..self }
    }

    /// The same there and back, so many times, with a rest at each end \[s\]. Default: there only.
    #[must_use]
    pub fn there_and_back(self, pause: f64, cycles: u32) -> Self {
        Self { back: Some((pause, cycles)), ..self }
    }

    /// The same with a way back by another law, counted from the far end.
    #[must_use]
    pub fn back_by(self, law: impl TimeLaw + Send + Sync + 'static) -> Self {
        Self { back_law: Some(Arc::new(law)), ..self }
    }

    /// The same with a mass \[kg\] that is picked up where it begins and put down at the far end.
    pub fn carrying(self, mass: f64) -> Result<MoveSequence, ExperimentError> {
        let (pause, cycles) = self.back.unwrap_or((0.0, 1));
        let there = TimedMove { path: self.path.clone(), law: Arc::clone(&self.law), dwell: pause, mass };
        let mut moves = vec![there];
        if self.back.is_some() {
            let law = self.back_law.unwrap_or(self.law);
            moves.push(TimedMove { path: AnyPath::new(Reversed(self.path)), law, dwell: pause, mass: 0.0 });
        }
        MoveSequence::new(moves, 0.0)?.repeated(cycles)
    }

    /// The move of \[Codourey1998, Sec. 5\]: 250 mm along x with 60 mm of height at z = −350 mm, a
    /// semi-ellipse run through by the sine-on-ramp law with 80 m/s² at its peaks.
    pub fn codourey() -> Result<Self, ExperimentError> {
        let (from, to) = (V3::new(-0.125, 0.0, -0.35), V3::new(0.125, 0.0, -0.35));
        let path = SemiEllipse::new(from, to, V3::along_z(0.06))?;
        let law = Law::by_peak_acceleration(Shape::sine(), path.length(), 80.0)?;
        Ok(Self::new(path, law))
    }

    /// The path.
    pub fn path(&self) -> &AnyPath {
        &self.path
    }

    /// Duration of one move \[s\].
    pub fn move_duration(&self) -> f64 {
        self.law.duration()
    }

    fn return_law(&self) -> &dyn TimeLaw {
        match &self.back_law {
            Some(law) => &**law,
            None => &*self.law,
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
}

/// Instants that differ by rounding are one.
pub(super) fn in_order(mut joints: Vec<f64>, duration: f64) -> Vec<f64> {
    joints.sort_by(f64::total_cmp);
    let least = 1e-12 * duration;
    joints.dedup_by(|b, a| *b - *a <= least);
    joints
}

/// The instants where parts of a law or of its path meet, on a way that begins at `begin` \[s\].
pub(super) fn joints_of(path: &dyn Path, law: &dyn TimeLaw, begin: f64, is_back: bool, all: &mut Vec<f64>) {
    let (duration, length) = (law.duration(), path.length());
    let mut time = 0.0;
    while time < duration {
        time = law.next_joint(time);
        all.push(begin + time);
    }
    let mut joint = path.next_joint(0.0);
    while joint < length {
        let way = if is_back { length - joint } else { joint };
        let (mut low, mut high) = (0.0, duration);
        // Down to rounding: a law only goes forward.
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if law.at(middle).distance < way { low = middle } else { high = middle }
        }
        all.push(begin + high);
        joint = path.next_joint(joint);
    }
}

/// At rest at a share of a path in [0, 1].
fn resting_at(path: &AnyPath, share: f64) -> PlatformState {
    let pose = path.at(path.length() * share).pose;
    PlatformState::at(pose.position.to_array()).turned(pose.rotation.to_rows())
}

/// Half-way between both ends of a path, as turned as in its middle.
pub(super) fn middle_of(path: &AnyPath) -> PlatformState {
    let (from, to) = (resting_at(path, 0.0).position, resting_at(path, 1.0).position);
    let middle = std::array::from_fn(|k| f64::midpoint(from[k], to[k]));
    PlatformState { position: middle, ..resting_at(path, 0.5) }
}

/// The arrival at a place \[m\] at a time \[s\], coming in a direction of any length.
pub(super) fn arrival(time: f64, position: V3<f64>, direction: V3<f64>) -> Target {
    let size = direction.norm_sq().sqrt();
    let direction = if size > 0.0 { direction * size.recip() } else { V3::zero() };
    Target { time, position: position.to_array(), direction: direction.to_array() }
}

impl ReferenceMotion for TimedPath {
    fn duration(&self) -> f64 {
        self.with_law(|law| law.duration())
    }

    fn cycle_duration(&self) -> f64 {
        match self.back {
            None => self.law.duration(),
            Some((pause, _)) => self.law.duration() + self.return_law().duration() + 2.0 * pause,
        }
    }

    fn cycle_joints(&self) -> Vec<f64> {
        let mut all = vec![0.0];
        joints_of(&self.path, &*self.law, 0.0, false, &mut all);
        if let Some((pause, _)) = self.back {
            let turn = self.law.duration() + pause;
            all.push(turn);
            joints_of(&self.path, self.return_law(), turn, true, &mut all);
            all.push(self.cycle_duration());
        }
        in_order(all, self.cycle_duration())
    }

    fn at(&self, time: f64) -> Platform<f64> {
        let now = self.with_law(|law| law.at(time));
        let state = self.path.at(now.distance).moving(now.rate, now.acceleration);
        Platform { pose: state.pose, twist: state.twist, acceleration: state.acceleration }
    }

    fn target(&self) -> Target {
        let end = self.at(f64::MAX).pose.position;
        let (time, direction) = match self.back {
            None => (self.duration(), self.path.at(self.path.length()).first.linear),
            Some((pause, _)) => (self.duration() - pause, -self.path.at(0.0).first.linear),
        };
        arrival(time, end, direction)
    }

    fn middle(&self) -> PlatformState {
        middle_of(&self.path)
    }

    fn paths(&self) -> Vec<&AnyPath> {
        vec![&self.path]
    }
}
