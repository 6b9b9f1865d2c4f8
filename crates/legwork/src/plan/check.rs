//! A whole path before motion.

use super::PlanError;
use super::model::at_rest;
use crate::experiment::ReferenceMotion;
use crate::{AnyRobot, PlatformState, RobotError};
use legwork_core::engine::{Pose, Twist};
use legwork_core::trajectory::check::Clearance;
use legwork_core::trajectory::{CheckSettings, Path, PathCheck, PathFault, PathPoint, PathProbe, check_path};
use std::fmt;

/// How close a path comes to singularities, in the measures of [`Singularity`](crate::Singularity).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathClearance {
    /// Smallest distance to a serial singularity.
    pub serial: f64,
    /// Where \[m\].
    pub serial_at: f64,
    /// Of which leg, from 0.
    pub leg: usize,
    /// Smallest distance to a parallel singularity.
    pub parallel: f64,
    /// Where \[m\].
    pub parallel_at: f64,
}

/// Why a pose of a path cannot be taken.
#[derive(Clone, Debug, PartialEq)]
pub enum PoseFault {
    /// The robot has no answer: out of reach, mostly.
    Robot(RobotError),
    /// A motor is beyond the limits of the robot's file.
    OutsideLimits {
        /// Which motor, from 0.
        motor: usize,
        /// Its value \[rad or m\].
        value: f64,
        /// The limits \[rad or m\].
        range: [Option<f64>; 2],
        /// `rad` or `m`.
        unit: &'static str,
    },
}

impl fmt::Display for PoseFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Robot(error) => error.fmt(f),
            Self::OutsideLimits { motor, value, range: [min, max], unit } => {
                let shown = |limit: &Option<f64>| limit.map_or("no limit".into(), |x| format!("{x:.4}"));
                let (motor, min, max) = (motor + 1, shown(min), shown(max));
                write!(f, "motor {motor} is at {value:.4} {unit}, outside its limits ({min} to {max} {unit})")
            }
        }
    }
}

impl std::error::Error for PoseFault {}

impl PathClearance {
    /// The same of a path of this length \[m\] from its end to its start.
    #[must_use]
    pub fn reversed(self, length: f64) -> Self {
        Self { serial_at: length - self.serial_at, parallel_at: length - self.parallel_at, ..self }
    }
}

struct Probe<'a>(&'a AnyRobot);

/// Motors that a jump is looked for in; more than any robot here has.
const MOTORS: usize = 24;

impl PathProbe<MOTORS> for Probe<'_> {
    type Fault = PoseFault;

    fn clearance(&self, pose: &Pose<f64>) -> Result<Clearance<MOTORS>, PoseFault> {
        let point = PathPoint { pose: *pose, first: Twist::zero(), second: Twist::zero() };
        let place = at_rest(&point);
        let found = self.0.inverse_kinematics(&place).map_err(PoseFault::Robot)?;
        if let Some(&motor) = found.outside_limits.first()
            && let Some(joint) = self.0.joints().get(motor)
        {
            let value = found.q.get(motor).copied().unwrap_or(f64::NAN);
            let range = [joint.min, joint.max];
            return Err(PoseFault::OutsideLimits { motor, value, range, unit: joint.unit() });
        }
        let mut joints = [0.0; MOTORS];
        joints.iter_mut().zip(&found.q).for_each(|(slot, q)| *slot = *q);
        let singularity = self.0.singularity(&place).map_err(PoseFault::Robot)?;
        let (leg, serial) = least(&singularity.serial);
        Ok(Clearance { joints, serial, leg, parallel: singularity.parallel })
    }
}

/// The least number and its place; NaN if one is.
fn least(list: &[f64]) -> (usize, f64) {
    let numbers = list.iter().copied().enumerate();
    numbers.fold((0, f64::INFINITY), |least, one| {
        if one.1 < least.1 || (one.1.is_nan() && !least.1.is_nan()) { one } else { least }
    })
}

/// Checks reach, working mode, singularities and the limits of the motors along a whole path.
pub fn check<P: Path>(robot: &AnyRobot, path: &P) -> Result<PathClearance, PlanError> {
    checked(robot, path, CheckSettings::default()).map_err(PlanError::Path)
}

/// Checks the same along every path of a motion; a motion that is known by instants only is checked at its instants and
/// between them.
pub fn check_motion(robot: &AnyRobot, motion: &dyn ReferenceMotion) -> Result<(), PlanError> {
    let paths = motion.paths();
    for (number, path) in paths.iter().enumerate() {
        match check(robot, *path) {
            Err(cause) if paths.len() > 1 => return Err(PlanError::Move { number, cause: Box::new(cause) }),
            found => found?,
        };
    }
    if paths.is_empty() {
        let mut settings = CheckSettings::default();
        let instants = u32::try_from(motion.cycle_joints().len()).unwrap_or(MOST_INSTANTS);
        settings.intervals = settings.intervals.max(instants.saturating_mul(2)).min(MOST_INSTANTS);
        let found = checked(robot, &OverTime(motion), settings);
        found.map_err(PlanError::During)?;
    }
    Ok(())
}

/// Most places of a motion that are looked at.
const MOST_INSTANTS: u32 = 200_000;

/// The poses of a motion by their time.
struct OverTime<'a>(&'a dyn ReferenceMotion);

impl Path for OverTime<'_> {
    fn length(&self) -> f64 {
        self.0.cycle_duration()
    }
    fn at(&self, time: f64) -> PathPoint<f64> {
        let now = self.0.at(time);
        PathPoint { pose: now.pose, first: now.twist, second: now.acceleration }
    }
}

fn checked<P: Path>(
    robot: &AnyRobot,
    path: &P,
    mut settings: CheckSettings,
) -> Result<PathClearance, Box<PathFault<PoseFault>>> {
    // Some measures have no fixed scale: a hundredth of what they are at home is near.
    if let Ok(home) = robot.singularity(&PlatformState { twist: [0.0; 6], ..robot.home() }) {
        settings.serial = settings.serial.min(0.01 * least(&home.serial).1);
        settings.parallel = settings.parallel.min(0.01 * home.parallel);
    }
    let PathCheck { serial: (serial, serial_at, leg), parallel: (parallel, parallel_at) } =
        check_path::<_, _, MOTORS>(path, &Probe(robot), &settings).map_err(Box::new)?;
    Ok(PathClearance { serial, serial_at, leg, parallel, parallel_at })
}

#[cfg(test)]
mod tests {
    use super::least;

    #[test]
    fn the_least_of_numbers_with_a_nan_is_nan() {
        assert_eq!(least(&[3.0, 1.0, 2.0]), (1, 1.0));
        for list in [[f64::NAN, 1.0, 2.0], [1.0, f64::NAN, 0.5], [1.0, 2.0, f64::NAN]] {
            assert!(least(&list).1.is_nan(), "{list:?}");
        }
    }
}
