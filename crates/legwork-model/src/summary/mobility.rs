//! How a mechanism can move, for `show`.

use crate::AnyRobot;
use crate::mechanism::Mobility;
use crate::text::short;
use serde::Serialize;

/// How a mechanism of bodies and joints can move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MobilitySummary {
    /// Bodies that move, and joints.
    pub bodies: usize,
    /// See `bodies`.
    pub joints: usize,
    /// Freedoms of all bodies together.
    pub freedoms: usize,
    /// Constraints of all joints.
    pub constraints: usize,
    /// Constraints that repeat others.
    pub dependent_constraints: usize,
    /// Freedoms that neither a motor nor the platform feels.
    pub idle_freedoms: usize,
    /// The bodies that idle freedoms move.
    pub idle_bodies: Vec<String>,
    /// Coordinates of the platform that are independent.
    pub independent: Vec<&'static str>,
    /// Coordinates that move with them: parasitic motion.
    pub following: Vec<&'static str>,
    /// Motors that the platform's pose does not tell: `q7 (delta.leg1_joint1)`.
    pub held: Vec<String>,
    /// Motors that follow from the others.
    pub dependent_motors: Vec<String>,
    /// Whether the platform stands still when the motors do.
    pub motors_hold: bool,
    /// How far the loops are open at home, relative to the size of the mechanism.
    pub closing_gap: f64,
}

const COORDINATES: [&str; 6] = ["x", "y", "z", "rx", "ry", "rz"];

fn names(places: &[usize]) -> Vec<&'static str> {
    places.iter().filter_map(|place| COORDINATES.get(*place).copied()).collect()
}

impl MobilitySummary {
    /// Of this robot.
    pub(super) fn of(robot: &AnyRobot, mobility: &Mobility) -> Self {
        let (bodies, joints) = robot.mechanism_model().map_or((0, 0), |model| {
            let description = model.description();
            (description.bodies.len(), description.joints.len())
        });
        Self {
            bodies,
            joints,
            freedoms: mobility.freedoms,
            constraints: mobility.constraint_rows,
            dependent_constraints: mobility.redundant_constraints,
            idle_freedoms: mobility.idle_freedoms,
            idle_bodies: mobility.idle_bodies.clone(),
            independent: names(&mobility.coordinates),
            following: names(&mobility.following),
            held: robot.held_texts(),
            dependent_motors: mobility.dependent_motors.clone(),
            motors_hold: mobility.motors_hold,
            closing_gap: mobility.closing_gap,
        }
    }

    /// The lines of `show`: names with their texts.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![(
            "mobility",
            format!(
                "{} of {} bodies and {} joints: 6 x {} - {} constraints{}",
                counted(self.freedoms, "freedom"),
                self.bodies,
                self.joints,
                self.bodies,
                self.constraints,
                match self.dependent_constraints {
                    0 => ", none of them dependent".to_owned(),
                    more => format!(" + {more} that repeat others (overconstrained)"),
                }
            ),
        )];
        if self.idle_freedoms > 0 {
            lines.push(("idle freedoms", format!("{}: {}", self.idle_freedoms, self.idle_bodies.join(", "))));
        }
        let follow = match self.following.as_slice() {
            [] => "nothing else moves".to_owned(),
            [one] => format!("{one} follows (parasitic motion)"),
            all => format!("{} follow (parasitic motion)", all.join(", ")),
        };
        lines.push(("platform", format!("{} independent; {follow}", self.independent.join(", "))));
        if !self.held.is_empty() {
            let verb = if self.held.len() == 1 { "is" } else { "are" };
            let what = format!("{} {verb} not told by the platform's pose", self.held.join(", "));
            lines.push(("held motors", what));
        }
        let hold = if self.motors_hold { "they hold the platform" } else { "they do not hold the platform" };
        let more = match self.dependent_motors.len() {
            0 => String::new(),
            1 => format!("; {} follows from the others", self.dependent_motors[0]),
            _ => format!("; {} follow from the others", self.dependent_motors.join(", ")),
        };
        lines.push(("motors at rest", format!("{hold}{more}")));
        if self.closing_gap > 1e-12 {
            lines.push(("loops", format!("open by {} of its size at home", short(self.closing_gap))));
        }
        lines
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
