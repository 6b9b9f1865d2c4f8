//! A plan as a picture: speed and efforts along the path.

use super::model::asked;
use super::{Plan, PlanError, PlanLimits};
use crate::AnyRobot;
use crate::experiment::{LoadedRobot, ReferenceMotion};
use crate::figure::{Axis, Figure, Panel};
use crate::text::{fixed, short};
use legwork_core::trajectory::Path;

/// Rows of a motion at least, in a picture.
const ROWS: f64 = 600.0;

/// A whole motion over time: the speed of the platform, and the effort of every motor with its limits.
pub fn motion_figure(
    robot: &AnyRobot,
    motion: &dyn ReferenceMotion,
    limits: &PlanLimits,
) -> Result<Figure, PlanError> {
    let duration = motion.cycle_duration();
    let loaded = LoadedRobot::new(robot, motion)?;
    let mut speeds = Vec::new();
    let mut efforts: Vec<Vec<[f64; 2]>> = vec![Vec::new(); robot.joints().len()];
    let step = duration / ROWS;
    let mut before: Option<f64> = None;
    for joint in motion.cycle_joints() {
        let Some(begin) = before.replace(joint) else { continue };
        let parts = ((joint - begin) / step).ceil().clamp(1.0, ROWS);
        let mut k = 0.0;
        while k < parts {
            // In the middle, as accelerations may jump at the ends.
            let time = begin + (k + 0.5) * (joint - begin) / parts;
            let platform = motion.platform(time);
            let state = loaded.at(time).state(&platform);
            let state = state.map_err(|cause| PlanError::AtTime { time, cause })?;
            let [x, y, z, ..] = platform.twist;
            speeds.push([time * 1e3, (x * x + y * y + z * z).sqrt()]);
            let found = state.dynamics.map(|dynamics| dynamics.motor).unwrap_or_default();
            efforts.iter_mut().zip(found).for_each(|(line, effort)| line.push([time * 1e3, effort]));
            k += 1.0;
        }
    }
    let clock = || Axis::new("time", "ms");
    let speed = Panel::new(clock(), Axis::new("speed", "m/s")).line("", speeds);
    let effort = effort_panel(robot, clock(), efforts, limits, duration * 1e3);
    let carried = motion
        .loads()
        .iter()
        .filter(|load| load.mass > 0.0)
        .map(|load| format!("{} kg picked up at {} ms", short(load.mass), fixed(load.time * 1e3, 1)));
    let mut notes = vec![format!("{} s a cycle", fixed(duration, 4))];
    notes.extend(carried);
    Ok(Figure::new(format!("{}: a cycle", robot.name())).noted(notes.join("; ")).panel(speed).panel(effort))
}

/// The efforts of all motors, with their limit if it is one for all.
fn effort_panel(
    robot: &AnyRobot,
    across: Axis,
    efforts: Vec<Vec<[f64; 2]>>,
    limits: &PlanLimits,
    end: f64,
) -> Panel {
    let unit = robot.joints().first().map_or("N m", |joint| joint.effort_unit());
    let name = if unit == "N" { "force" } else { "torque" };
    let mut panel = Panel::new(across, Axis::new(name, unit));
    for (joint, line) in robot.joints().iter().zip(efforts) {
        panel = panel.line(joint.name.clone(), line);
    }
    let (least, most) =
        limits.effort.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
    if least == most && most.is_finite() {
        panel = panel.limit("limit", [[0.0, most], [end, most]]);
        panel = panel.limit("", [[0.0, -most], [end, -most]]);
    }
    panel
}

impl Plan {
    /// Speed along the path, and the effort of every motor with its limits.
    pub fn figure<P: Path>(
        &self,
        robot: &AnyRobot,
        path: &P,
        limits: &PlanLimits,
    ) -> Result<Figure, PlanError> {
        let mut speeds = Vec::new();
        let mut efforts: Vec<Vec<[f64; 2]>> = vec![Vec::new(); robot.joints().len()];
        for (here, next) in self.law.grid().iter().zip(self.law.grid().iter().skip(1)) {
            speeds.push([here.s * 1e3, here.speed_sq.max(0.0).sqrt()]);
            // In the middle, as s̈ jumps at the points themselves.
            let (s, x) = (f64::midpoint(here.s, next.s), f64::midpoint(here.speed_sq, next.speed_sq));
            let state = robot
                .state(&asked(&path.at(s).moving(x.max(0.0).sqrt(), here.acceleration)))
                .map_err(|cause| PlanError::At { s, cause })?;
            let found = state.dynamics.map(|dynamics| dynamics.motor).unwrap_or_default();
            efforts.iter_mut().zip(found).for_each(|(line, effort)| line.push([s * 1e3, effort]));
        }
        speeds.extend(self.law.grid().last().map(|end| [end.s * 1e3, end.speed_sq.max(0.0).sqrt()]));
        let way = || Axis::new("way", "mm");
        let speed = Panel::new(way(), Axis::new("speed", "m/s")).line("", speeds);
        let end = path.length() * 1e3;
        let effort = effort_panel(robot, way(), efforts, limits, end);
        let note = format!("{:.1} mm in {:.4} s", end, self.duration());
        Ok(Figure::new(format!("{}: as fast as its motors allow", robot.name()))
            .noted(note)
            .panel(speed)
            .panel(effort))
    }
}
