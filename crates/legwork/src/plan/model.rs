//! A robot of any type as the timing along a path sees it.

use super::usage::STILL;
use super::{FastestLaw, PlanError, PlanLimits};
use crate::description::Frame;
use crate::robot::RobotModel;
use crate::{AnyRobot, PlatformState, RobotError};
use legwork_core::control::{Model, Platform};
use legwork_core::trajectory::PlatformState as Moving;
use legwork_core::trajectory::optimal::{FromEfforts, GridPoint, Settings, time_optimal};
use legwork_core::trajectory::{Path, PathPoint};

/// What a timing is worked out from. Paths are erased: code is built for a few numbers of motors only.
#[derive(Clone, Copy)]
struct Asked<'a> {
    robot: &'a AnyRobot,
    path: &'a dyn Path,
    limits: &'a PlanLimits,
    intervals: usize,
    go_on: &'a dyn Fn() -> bool,
}

/// The fastest law on a grid of so many intervals, and how often its limits were drawn in.
pub(super) fn fastest<P: Path>(
    robot: &AnyRobot,
    path: &P,
    limits: &PlanLimits,
    intervals: usize,
    go_on: &dyn Fn() -> bool,
) -> Result<(FastestLaw, u16), PlanError> {
    let asked = Asked { robot, path, limits, intervals, go_on };
    // With room for 3, 6, 12 or 24 motors: for each number alone it would be much of the program.
    match robot.joints().len() {
        1..=3 => asked.sized::<3>(),
        4..=6 => asked.sized::<6>(),
        7..=12 => asked.sized::<12>(),
        13..=24 => asked.sized::<24>(),
        motors => Err(PlanError::Motors { motors }),
    }
}

impl Asked<'_> {
    /// With room for K motors; the ones beyond the robot's do nothing and have no limits.
    fn sized<const K: usize>(self) -> Result<(FastestLaw, u16), PlanError> {
        let robot = self.robot;
        let (model, frame) = robot.control_model()?;
        let efforts = FromEfforts(|state: &Moving<f64>| {
            if !(self.go_on)() {
                return Ok(([f64::NAN; K], [f64::NAN; K]));
            }
            efforts::<K>(robot, &model, &frame, state)
        });
        let limits = self.limits.sized::<K>(robot.joints().len()).ok_or(PlanError::Count {
            what: "limits",
            expected: robot.joints().len(),
            found: self.limits.effort.len().min(self.limits.speed.len()),
        })?;
        let mut grid = vec![GridPoint::<K>::EMPTY; self.intervals.max(1) + 1];
        let law = time_optimal(&self.path, &efforts, &limits, &Settings::default(), &mut grid).map_err(
            |error| self.cannot_hold().unwrap_or_else(|| PlanError::timing(error, frame.angle_sign)),
        )?;
        Ok((FastestLaw::of(law.grid(), frame.angle_sign), law.rounds()))
    }
}

/// Places along a path at which holding the robot is looked at.
const PLACES: u32 = 200;

impl Asked<'_> {
    /// Where the motors lack most to hold the robot, or to begin to move it against dry friction, if they do: the reason
    /// behind a path that has no timing.
    fn cannot_hold(&self) -> Option<PlanError> {
        let mut worst = 1.0;
        let mut found = None;
        for k in 0..=PLACES {
            let s = self.path.length() * f64::from(k) / f64::from(PLACES);
            // So slow that inertia and viscous friction are nothing beside the rest.
            let slow = asked(&self.path.at(s).moving(STILL, 0.0));
            let Ok(efforts) = self.robot.inverse_dynamics(&slow) else { continue };
            let motors = self.robot.joints().iter().zip(efforts).zip(&self.limits.effort);
            for (motor, ((joint, effort), limit)) in motors.enumerate() {
                if effort.abs() > limit * worst {
                    worst = effort.abs() / limit;
                    let (unit, gear_ratio) = (joint.effort_unit(), joint.gear_ratio());
                    let (needed, limit) = (effort.abs(), *limit);
                    found = Some(PlanError::CannotHold { s, motor, needed, limit, unit, gear_ratio });
                }
            }
        }
        found
    }
}

/// Efforts with friction and motor speeds, as the robot itself counts.
fn efforts<const K: usize>(
    robot: &AnyRobot,
    model: &RobotModel<'_>,
    frame: &Frame,
    state: &Moving<f64>,
) -> Result<([f64; K], [f64; K]), RobotError> {
    let mut platform = Platform { pose: state.pose, twist: state.twist, acceleration: state.acceleration };
    platform.pose.position = frame.position_from_user(platform.pose.position.to_array()).into();
    let effort = Model::<f64, K>::effort(model, &platform);
    let joints = Model::<f64, K>::joints(model, &platform);
    if effort.margin > 0.0 && joints.margin > 0.0 {
        return Ok((effort.value, joints.value.qdot));
    }
    // The checked layer says why; if it knows nothing, the numbers are not finite and the timing says where.
    robot.state(&asked(state))?;
    Ok(([f64::NAN; K], [f64::NAN; K]))
}

/// The same as a question to a robot.
pub(super) fn asked(state: &Moving<f64>) -> PlatformState {
    PlatformState {
        twist: state.twist.to_vector_linear_first(),
        acceleration: state.acceleration.to_vector_linear_first(),
        ..at_rest(&PathPoint { pose: state.pose, first: state.twist, second: state.acceleration })
    }
}

/// The place alone.
pub(super) fn at_rest(point: &PathPoint<f64>) -> PlatformState {
    PlatformState::at(point.pose.position.to_array()).turned(point.pose.rotation.to_rows())
}
