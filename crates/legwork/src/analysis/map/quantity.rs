//! What can be asked of every pose. A quantity is a row of [`Quantity::ALL`] with its columns and its formula.

use super::MapError;
use super::posed::{Needs, Posed};
use crate::description::nearest_word;
use crate::recording::Column;
use crate::robot::AnyRobot;
use legwork_core::Real;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Quantity {
    /// 1 where the robot can go from home without passing a parallel singularity, within its limits; 0 elsewhere.
    Reachable,
    /// Condition number of the Jacobian, rotations measured at the platform's size; 1 is isotropic.
    Condition,
    /// Distance to the serial singularity of each leg, 0 is singular.
    Serial,
    /// Distance to the parallel singularity, 0 is singular.
    Parallel,
    /// How many times the largest effort of the best pose of the map a push in the worst direction needs.
    Amplification,
    /// Every entry of the mass matrix at the motors.
    MassMatrix,
    /// The efforts that hold the robot, and the largest.
    Gravity,
    /// The largest acceleration from rest that the motors can give.
    Acceleration,
    /// The largest force on the environment that the motors can hold.
    Force,
    /// Angles of the passive joints from where they are at home.
    Passive,
    /// Largest real part of the poles while the motors keep their efforts; positive is unstable.
    Stability,
}

/// In which direction an acceleration or a force is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Direction {
    /// The one in which it is smallest.
    #[default]
    Worst,
    /// Along this vector, in base axes.
    Along([f64; 3]),
}

impl Quantity {
    /// Every quantity, in the order of the help.
    pub const ALL: [Self; 11] = [
        Self::Reachable,
        Self::Condition,
        Self::Serial,
        Self::Parallel,
        Self::Amplification,
        Self::MassMatrix,
        Self::Gravity,
        Self::Acceleration,
        Self::Force,
        Self::Passive,
        Self::Stability,
    ];

    /// Its name on the command line: `mass-matrix`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reachable => "reachable",
            Self::Condition => "condition",
            Self::Serial => "serial",
            Self::Parallel => "parallel",
            Self::Amplification => "amplification",
            Self::MassMatrix => "mass-matrix",
            Self::Gravity => "gravity",
            Self::Acceleration => "acceleration",
            Self::Force => "force",
            Self::Passive => "passive",
            Self::Stability => "stability",
        }
    }

    /// The quantity with a name, or the nearest name if one is near.
    pub fn named(name: &str) -> Result<Self, Option<&'static str>> {
        let found = Self::ALL.into_iter().find(|quantity| quantity.name() == name);
        let names = || Self::ALL.iter().map(|quantity| quantity.name());
        let begins = |known: &&str| !name.is_empty() && known.starts_with(name);
        found.ok_or_else(|| nearest_word(name, names()).or_else(|| names().find(begins)))
    }

    /// What it is, in a few words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Reachable => "reachable from home",
            Self::Condition => "condition number of the Jacobian",
            Self::Serial => "distance to the serial singularity",
            Self::Parallel => "distance to the parallel singularity",
            Self::Amplification => "effort of the worst push, times that of the best pose",
            Self::MassMatrix => "mass matrix at the motors",
            Self::Gravity => "efforts against gravity",
            Self::Acceleration => "peak acceleration under the motor limits",
            Self::Force => "peak force under the motor limits",
            Self::Passive => "angles of the passive joints from home",
            Self::Stability => "largest real part of the poles under constant efforts",
        }
    }

    /// Whether its numbers have a sign that matters.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::MassMatrix | Self::Gravity | Self::Passive | Self::Stability)
    }

    pub(super) fn needs(self) -> Needs {
        Needs {
            mass: self == Self::MassMatrix,
            forces: matches!(self, Self::Gravity | Self::Acceleration | Self::Force),
            passive: self == Self::Passive,
            stability: self == Self::Stability,
        }
    }

    /// Whether a robot can be asked.
    pub fn check(self, robot: &AnyRobot, direction: Direction) -> Result<(), MapError> {
        let (name, quantity) = (robot.name().to_owned(), self.name());
        let needs = self.needs();
        if (needs.mass || needs.forces || needs.stability) && !robot.has_masses() {
            return Err(MapError::NoMasses { robot: name, quantity });
        }
        if matches!(self, Self::Acceleration | Self::Force) {
            if let Some(joint) = robot.joints().iter().find(|joint| joint.max_effort.is_none()) {
                return Err(MapError::NoEffortLimit { robot: name, joint: joint.name.clone(), quantity });
            }
            if let Direction::Along(direction) = direction
                && unit(robot, direction).is_none()
            {
                return Err(MapError::Direction { robot: name, direction });
            }
        }
        let slides = robot.joints().iter().filter(|joint| joint.slides).count();
        let is_mixed = slides > 0 && slides < robot.joints().len();
        if self == Self::Amplification && is_mixed {
            return Err(MapError::MixedMotors { robot: name, quantity });
        }
        Ok(())
    }

    /// The columns it fills.
    pub fn columns(self, robot: &AnyRobot) -> Vec<Column> {
        let joints = robot.joints();
        let linear = robot.freedoms().iter().any(|freedom| !freedom.turns());
        match self {
            Self::Reachable | Self::Condition | Self::Parallel => vec![Column::new(self.name(), "")],
            Self::Serial => {
                let legs = robot.leg_count();
                let each = (1..=legs).map(|leg| Column::new(format!("serial{leg}"), ""));
                each.chain([Column::new("serial_least", "")]).collect()
            }
            Self::Amplification => vec![
                Column::new("amplification", ""),
                Column::new("effort_per_load", effort_per_load(robot, linear)),
            ],
            Self::MassMatrix => {
                let pairs = joints.iter().enumerate().flat_map(|(i, a)| {
                    joints.iter().enumerate().map(move |(j, b)| (i + 1, j + 1, a.slides, b.slides))
                });
                let unit = |a: bool, b: bool| match (a, b) {
                    (true, true) => "kg",
                    (false, false) => "kg m^2",
                    _ => "kg m",
                };
                pairs.map(|(i, j, a, b)| Column::new(format!("m{}", pair(i, j)), unit(a, b))).collect()
            }
            Self::Gravity => {
                let each = joints
                    .iter()
                    .enumerate()
                    .map(|(k, joint)| Column::new(format!("gravity{}", k + 1), joint.effort_unit()));
                let largest =
                    Column::new("gravity_largest", joints.first().map_or("", |joint| joint.effort_unit()));
                each.chain([largest]).collect()
            }
            Self::Acceleration => vec![Column::new("acceleration", if linear { "m/s^2" } else { "rad/s^2" })],
            Self::Force => vec![Column::new("force", if linear { "N" } else { "N m" })],
            Self::Passive => {
                let names = robot.passive_names().into_iter().map(|name| Column::new(name, "rad"));
                names.chain([Column::new("passive_largest", "rad")]).collect()
            }
            Self::Stability => vec![Column::new("stability", "1/s")],
        }
    }

    /// Fills its columns.
    pub(super) fn fill(self, ask: &Ask, posed: &Posed, out: &mut [f64]) {
        let largest = |list: &[f64]| list.iter().fold(0.0, |m, x| Real::max(m, x.abs()));
        match self {
            Self::Reachable => set(out, &[f64::from(u8::from(ask.home_side == posed.orientation()))]),
            Self::Condition => set(out, &[posed.condition]),
            Self::Serial => {
                set(out, &posed.serial);
                let least = posed.serial.iter().copied().fold(f64::INFINITY, Real::min);
                last(out, least);
            }
            Self::Parallel => set(out, &[posed.parallel]),
            Self::Amplification => {
                let most = (0..posed.motors).map(|k| ask.norm(posed, k)).fold(0.0, Real::max);
                // The first column is divided by its least number when all are there.
                set(out, &[most, most]);
            }
            Self::MassMatrix => set(out, &posed.mass),
            Self::Gravity => {
                set(out, &posed.gravity);
                last(out, largest(&posed.gravity));
            }
            Self::Acceleration => {
                // τ = Jᵀ M_x ẍ + g at rest.
                let row = |k: usize, j: usize| {
                    (0..posed.freedoms)
                        .map(|i| posed.j(i, k) * posed.platform_mass[i * posed.freedoms + j])
                        .sum()
                };
                set(out, &[ask.peak(posed, &row)]);
            }
            Self::Force => {
                // τ = Jᵀ f + g: what the platform pushes with.
                set(out, &[ask.peak(posed, &|k, j| posed.j(j, k))]);
            }
            Self::Passive => {
                set(out, &posed.passive);
                last(out, largest(&posed.passive));
            }
            Self::Stability => set(out, &[posed.largest_real_part]),
        }
    }
}

impl Posed {
    /// Entry of the Jacobian.
    fn j(&self, freedom: usize, motor: usize) -> f64 {
        self.jacobian[freedom * self.motors + motor]
    }
}

/// What stays the same over a map.
pub(super) struct Ask {
    /// Sign of det J at home.
    pub home_side: Option<bool>,
    /// For each freedom, whether a load may act along it: translations, or rotations if there are none.
    loaded: Vec<bool>,
    /// Components of the direction in the freedoms.
    direction: Option<Vec<f64>>,
    limits: Vec<f64>,
}

impl Ask {
    pub fn new(robot: &AnyRobot, direction: Direction, home_side: Option<bool>) -> Self {
        let linear = robot.freedoms().iter().any(|freedom| !freedom.turns());
        Self {
            home_side,
            loaded: robot.freedoms().iter().map(|freedom| freedom.turns() != linear).collect(),
            direction: match direction {
                Direction::Worst => None,
                Direction::Along(direction) => unit(robot, direction),
            },
            limits: robot.joints().iter().map(|joint| joint.max_effort.unwrap_or(f64::INFINITY)).collect(),
        }
    }

    /// The effort of a motor for a unit load in its worst direction: the norm of its column of J.
    fn norm(&self, posed: &Posed, motor: usize) -> f64 {
        let loaded = self.loaded.iter().enumerate().filter(|(_, loaded)| **loaded);
        loaded.map(|(i, _)| posed.j(i, motor).powi(2)).sum::<f64>().sqrt()
    }

    /// The largest load F with |F cₖ·u + gₖ| ≤ limit for every motor, where cₖⱼ = `row(k, j)`.
    ///
    /// ```text
    /// along u:  F = minₖ (limitₖ − sign(cₖ·u) gₖ) / |cₖ·u|                           (1)
    /// worst u:  F = minₖ (limitₖ − |gₖ|) / ‖cₖ‖                                      (2)
    /// ```
    ///
    /// (2) is (1) at the u that is worst for motor k, ±cₖ/‖cₖ‖. Zero where the motors cannot hold the robot.
    fn peak(&self, posed: &Posed, row: &dyn Fn(usize, usize) -> f64) -> f64 {
        let peak = |k: usize| {
            let (limit, gravity) = (self.limits[k], posed.gravity[k]);
            if gravity.abs() >= limit {
                return 0.0;
            }
            if let Some(u) = &self.direction {
                let c: f64 = u.iter().enumerate().map(|(j, u)| row(k, j) * u).sum();
                (limit - c.signum() * gravity) / c.abs() // (1)
            } else {
                let loaded = self.loaded.iter().enumerate().filter(|(_, loaded)| **loaded);
                let norm = loaded.map(|(j, _)| row(k, j).powi(2)).sum::<f64>().sqrt();
                (limit - gravity.abs()) / norm // (2)
            }
        };
        (0..posed.motors).map(peak).fold(f64::INFINITY, Real::min)
    }
}

/// "12", and "1_12" where one digit is not enough.
fn pair(i: usize, j: usize) -> String {
    if i < 10 && j < 10 { format!("{i}{j}") } else { format!("{i}_{j}") }
}

fn effort_per_load(robot: &AnyRobot, linear: bool) -> &'static str {
    let slides = robot.joints().first().is_some_and(|joint| joint.slides);
    match (slides, linear) {
        (true, true) => "N/N",
        (false, true) => "N m/N",
        (true, false) => "N/(N m)",
        (false, false) => "N m/(N m)",
    }
}

/// A direction as components of the freedoms, of length one; `None` if the platform cannot follow it.
fn unit(robot: &AnyRobot, direction: [f64; 3]) -> Option<Vec<f64>> {
    let linear = robot.freedoms().iter().any(|freedom| !freedom.turns());
    let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    let component = |place: usize| {
        let free = robot.freedoms().iter();
        free.filter(|freedom| freedom.turns() != linear).any(|freedom| freedom.component % 3 == place)
    };
    let is_free = (0..3).all(|place| direction[place] == 0.0 || component(place));
    (length > 0.0 && length.is_finite() && is_free).then(|| {
        let of = |freedom: &crate::robot::Freedom| {
            if freedom.turns() == linear { 0.0 } else { direction[freedom.component % 3] / length }
        };
        robot.freedoms().iter().map(of).collect()
    })
}

fn set(out: &mut [f64], values: &[f64]) {
    out.iter_mut().zip(values).for_each(|(out, value)| *out = *value);
}

fn last(out: &mut [f64], value: f64) {
    if let Some(out) = out.last_mut() {
        *out = value;
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}
