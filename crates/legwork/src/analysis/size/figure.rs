//! Torque over speed, with the limits of a motor around it.

use super::{Choice, Demand};
use crate::figure::{Axis, Figure, Panel};

/// Dots of a joint at most.
const MOST_DOTS: usize = 600;

impl Demand {
    /// Effort over speed of every joint.
    pub fn figure(&self) -> Figure {
        let slides = self.joints.first().is_some_and(|joint| joint.slides);
        let (speed, effort) = if slides { ("m/s", "N") } else { ("rad/s", "N m") };
        let name = if slides { "force" } else { "torque" };
        let mut panel = Panel::new(Axis::new("speed", speed), Axis::new(name, effort)).with_origin();
        for (k, joint) in self.joints.iter().enumerate() {
            let dots =
                self.instants.iter().map(|instant| [instant.joints[k].speed, instant.joints[k].effort]);
            panel = panel.cloud(joint.name.clone(), thinned(&dots.collect::<Vec<_>>()));
        }
        Figure::new(format!("{}: {name} over speed", self.robot))
            .noted(format!("one cycle of {:.3} s", self.duration))
            .panel(panel)
    }
}

impl Choice {
    /// Torque over speed of every motor, within what it gives for ever and for a short time.
    pub fn figure(&self, demand: &Demand) -> Figure {
        let motor = &self.motor;
        let mut panel =
            Panel::new(Axis::new("motor speed", "rpm"), Axis::new("motor torque", "N m")).with_origin();
        let rpm = 30.0 / std::f64::consts::PI;
        for (k, joint) in demand.joints.iter().enumerate() {
            let dots: Vec<[f64; 2]> =
                self.cloud(demand, k).into_iter().map(|[speed, torque]| [speed * rpm, torque]).collect();
            panel = panel.cloud(joint.name.clone(), thinned(&dots));
        }
        let (rated, most) = (motor.rated_speed * rpm, motor.max_speed * rpm);
        let (peak, end) = (motor.peak_torque, motor.peak_torque_at_max_speed);
        let outline = [
            [-most, -end],
            [-most, end],
            [-rated, peak],
            [rated, peak],
            [most, end],
            [most, -end],
            [rated, -peak],
            [-rated, -peak],
            [-most, -end],
        ];
        let t = motor.rated_torque;
        let inner = [[-rated, -t], [-rated, t], [rated, t], [rated, -t], [-rated, -t]];
        panel = panel.limit("peak", outline).limit("rated", inner);
        let gear = match self.transmission {
            super::Transmission::Gear(ratio) => format!("gear {ratio}"),
            super::Transmission::Lead(lead) => format!("lead {} mm", lead * 1e3),
        };
        Figure::new(format!("{}: {}, {gear}", demand.robot, motor.name))
            .noted(format!(
                "one cycle of {:.3} s, smallest margin {:.0} %",
                demand.duration,
                100.0 * self.margin()
            ))
            .panel(panel)
    }
}

/// Every so many dots, so that a picture stays small.
fn thinned(dots: &[[f64; 2]]) -> Vec<[f64; 2]> {
    dots.iter().step_by(dots.len().div_ceil(MOST_DOTS).max(1)).copied().collect()
}
