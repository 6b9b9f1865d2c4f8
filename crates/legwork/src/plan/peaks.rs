//! When and where each motor has its peaks.

use super::PlanError;
use crate::experiment::{LoadedRobot, ReferenceMotion};
use crate::{AnyRobot, PlatformState, State};

/// A peak that is larger by a smaller share is the same one: a motor that stays at its limit is there at once.
const SAME: f64 = 1e-6;

/// The largest size of a quantity, with its sign, and when and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Its value there.
    pub value: f64,
    /// When \[s\].
    pub time: f64,
    /// Where the platform is.
    pub platform: PlatformState,
}

impl Peak {
    fn none() -> Self {
        Self { value: 0.0, time: 0.0, platform: PlatformState::at([0.0; 3]) }
    }

    /// A NaN is the largest of all, so that it is seen.
    fn see(&mut self, value: f64, time: f64, state: &State, is_first: bool) {
        let is_larger =
            value.abs() > self.value.abs() * (1.0 + SAME) || (value.is_nan() && !self.value.is_nan());
        if is_larger || is_first {
            *self = Self { value, time, platform: state.platform };
        }
    }
}

/// The peaks of one motor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotorPeaks {
    /// Torque or force \[N m or N\].
    pub effort: Peak,
    /// \[rad/s or m/s\]
    pub speed: Peak,
    /// Power that it gives, or takes back if that is more \[W\].
    pub power: Peak,
}

/// Looks at states one after the other and keeps the peaks of every motor.
#[derive(Clone, Debug)]
pub struct PeakTracker {
    motors: Vec<MotorPeaks>,
    is_first: bool,
}

impl PeakTracker {
    /// Of so many motors.
    pub fn new(motors: usize) -> Self {
        let none = Peak::none();
        Self { motors: vec![MotorPeaks { effort: none, speed: none, power: none }; motors], is_first: true }
    }

    /// A state with dynamics at a time \[s\].
    pub fn see(&mut self, time: f64, state: &State) {
        let efforts = state.dynamics.as_ref().map(|dynamics| dynamics.motor.as_slice()).unwrap_or_default();
        for ((peaks, effort), speed) in self.motors.iter_mut().zip(efforts).zip(&state.qd) {
            peaks.effort.see(*effort, time, state, self.is_first);
            peaks.speed.see(*speed, time, state, self.is_first);
            peaks.power.see(effort * speed, time, state, self.is_first);
        }
        self.is_first = false;
    }

    /// One for each motor.
    pub fn peaks(self) -> Vec<MotorPeaks> {
        self.motors
    }

    /// The peaks of one cycle of a motion, with what it picks up: at the ends and in the middle of each of its smooth
    /// parts, of which there are 400 at least.
    pub fn over(robot: &AnyRobot, motion: &dyn ReferenceMotion) -> Result<Vec<MotorPeaks>, PlanError> {
        let loaded = LoadedRobot::new(robot, motion)?;
        let mut tracker = Self::new(robot.joints().len());
        let (joints, step) = (motion.cycle_joints(), motion.cycle_duration() / PARTS);
        for pair in joints.windows(2) {
            let [from, to] = pair else { continue };
            let parts = ((to - from) / step).ceil().clamp(1.0, PARTS);
            let width = (to - from) / parts;
            let mut k = 0.0;
            while k < parts {
                let begin = from + k * width;
                // Beside the ends: there accelerations may jump.
                for time in [begin + BESIDE * width, begin + 0.5 * width, begin + (1.0 - BESIDE) * width] {
                    // What is carried in a part is what is carried in its middle.
                    let robot = loaded.at(begin + 0.5 * width);
                    let state = robot.state(&motion.platform(time));
                    tracker.see(time, &state.map_err(|cause| PlanError::AtTime { time, cause })?);
                }
                k += 1.0;
            }
        }
        Ok(tracker.peaks())
    }
}

/// Least number of parts that a motion is looked at in.
const PARTS: f64 = 400.0;
/// Share of a part.
const BESIDE: f64 = 1e-9;
