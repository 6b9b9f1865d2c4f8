//! A robot with what it picks up on the way.

use super::motion::ReferenceMotion;
use crate::{AnyRobot, RobotError};

/// A robot in a cycle that picks up and puts down: one robot for each mass.
#[derive(Clone, Debug)]
pub struct LoadedRobot {
    bare: AnyRobot,
    /// One for each mass.
    loaded: Vec<AnyRobot>,
    /// What is picked up \[kg\]: nothing first, then one for each of these robots.
    masses: Vec<f64>,
    /// From when on \[s\] which robot: 0 is the bare one.
    changes: Vec<(f64, usize)>,
    cycle: f64,
    /// From 0; after it nothing changes any more.
    last_cycle: f64,
}

impl LoadedRobot {
    /// A robot with the loads of a motion; they come to what it carries all the time.
    pub fn new(robot: &AnyRobot, motion: &dyn ReferenceMotion) -> Result<Self, RobotError> {
        let (loads, cycle) = (motion.loads(), motion.cycle_duration());
        let last_cycle = (motion.duration() / cycle).round() - 1.0;
        let (mut loaded, mut masses) = (Vec::new(), vec![0.0]);
        let mut changes = Vec::with_capacity(loads.len());
        for load in loads {
            let known = masses.iter().position(|mass| *mass == load.mass);
            let place = if let Some(place) = known {
                place
            } else {
                loaded.push(robot.with_payload(robot.payload() + load.mass)?);
                masses.push(load.mass);
                loaded.len()
            };
            changes.push((load.time, place));
        }
        Ok(Self { bare: robot.clone(), loaded, masses, changes, cycle, last_cycle })
    }

    /// Every robot, the one without a load first.
    pub fn robots(&self) -> impl Iterator<Item = &AnyRobot> {
        std::iter::once(&self.bare).chain(&self.loaded)
    }

    /// Which of the robots it is at a time \[s\].
    pub fn index_at(&self, time: f64) -> usize {
        if self.changes.is_empty() {
            return 0;
        }
        let cycles = (time / self.cycle).floor().min(self.last_cycle).max(0.0);
        let within = time - cycles * self.cycle;
        let passed = self.changes.partition_point(|(from, _)| *from <= within);
        // Before the first change of a later cycle it carries what it ended the one before it with.
        let last = if passed > 0 {
            self.changes.get(passed - 1)
        } else if cycles > 0.0 {
            self.changes.last()
        } else {
            None
        };
        last.map_or(0, |(_, place)| *place)
    }

    /// The robot at a time \[s\].
    pub fn at(&self, time: f64) -> &AnyRobot {
        self.index_at(time).checked_sub(1).and_then(|place| self.loaded.get(place)).unwrap_or(&self.bare)
    }

    /// What is picked up at a time \[s\], besides what the robot carries all the time \[kg\].
    pub fn mass_at(&self, time: f64) -> f64 {
        self.masses.get(self.index_at(time)).copied().unwrap_or(0.0)
    }
}
