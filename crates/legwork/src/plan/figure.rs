//! A plan as a picture: speed and efforts along the path.

use super::model::asked;
use super::{Plan, PlanError, PlanLimits};
use crate::AnyRobot;
use crate::figure::{Axis, Figure, Panel};
use legwork_core::trajectory::Path;

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
        let unit = robot.joints().first().map_or("N m", |joint| joint.effort_unit());
        let name = if unit == "N" { "force" } else { "torque" };
        let mut effort = Panel::new(way(), Axis::new(name, unit));
        for (joint, line) in robot.joints().iter().zip(efforts) {
            effort = effort.line(joint.name.clone(), line);
        }
        let end = path.length() * 1e3;
        let (least, most) =
            limits.effort.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
        if least == most && most.is_finite() {
            effort = effort.limit("limit", [[0.0, most], [end, most]]);
            effort = effort.limit("", [[0.0, -most], [end, -most]]);
        }
        let note = format!("{:.1} mm in {:.4} s", end, self.duration());
        Ok(Figure::new(format!("{}: as fast as its motors allow", robot.name()))
            .noted(note)
            .panel(speed)
            .panel(effort))
    }
}
