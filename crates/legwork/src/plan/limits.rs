//! What a motion must keep to.

use super::PlanError;
use crate::AnyRobot;
use legwork_core::trajectory::optimal::Limits;

/// Limits of motors and path; infinite where there is none. Efforts are limited alike both ways.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanLimits {
    /// Largest effort of every motor \[N m or N\].
    pub effort: Vec<f64>,
    /// Largest speed of every motor \[rad/s or m/s\].
    pub speed: Vec<f64>,
    /// Largest speed along the path \[m/s\].
    pub path_speed: f64,
    /// Largest acceleration along the path \[m/s²\].
    pub tangential: f64,
    /// Largest acceleration across the path \[m/s²\].
    pub normal: f64,
}

impl PlanLimits {
    /// Those that the robot's file gives its motors.
    pub fn of(robot: &AnyRobot) -> Self {
        let far = f64::INFINITY;
        let joints = robot.joints();
        Self {
            effort: joints.iter().map(|joint| joint.max_effort.unwrap_or(far)).collect(),
            speed: joints.iter().map(|joint| joint.max_speed.unwrap_or(far)).collect(),
            path_speed: far,
            tangential: far,
            normal: far,
        }
    }

    /// With this largest effort of every motor \[N m or N\]: one for all, or one for each.
    pub fn with_effort(self, limits: &[f64]) -> Result<Self, PlanError> {
        Ok(Self { effort: each("effort limits", limits, self.effort.len())?, ..self })
    }

    /// With this largest speed of every motor \[rad/s or m/s\]: one for all, or one for each.
    pub fn with_speed(self, limits: &[f64]) -> Result<Self, PlanError> {
        Ok(Self { speed: each("speed limits", limits, self.speed.len())?, ..self })
    }

    /// Refuses limits under which a motion could be as fast as it likes.
    pub(super) fn bound_something(&self, robot: &AnyRobot) -> Result<(), PlanError> {
        if self.tangential.is_finite() || self.effort.iter().any(|limit| limit.is_finite()) {
            return Ok(());
        }
        Err(PlanError::NoLimits { robot: robot.name().into() })
    }

    /// With room for K motors; the ones beyond the robot's have no limits. None if there are not so many limits as
    /// the robot has motors.
    pub(super) fn sized<const K: usize>(&self, motors: usize) -> Option<Limits<K>> {
        let fits = self.effort.len() == motors && self.speed.len() == motors;
        let number = |list: &[f64], k: usize| list.get(k).copied().unwrap_or(f64::INFINITY);
        fits.then(|| Limits {
            effort: std::array::from_fn(|k| number(&self.effort, k)).map(|limit| [-limit, limit]),
            speed: std::array::from_fn(|k| number(&self.speed, k)),
            path_speed: self.path_speed,
            tangential: self.tangential,
            normal: self.normal,
        })
    }
}

/// One number for all motors, or one for each.
fn each(what: &'static str, limits: &[f64], motors: usize) -> Result<Vec<f64>, PlanError> {
    match limits {
        [one] => Ok(vec![*one; motors]),
        _ if limits.len() == motors => Ok(limits.to_vec()),
        _ => Err(PlanError::Count { what, expected: motors, found: limits.len() }),
    }
}
