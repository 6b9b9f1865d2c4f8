//! Which parameters move a result, and how much.
//!
//! Two ways to the same slopes. [`of_delta`]: exact, by dual numbers through the closed form of a rotary Delta,
//! for every number of its model, each alone while the others stay. [`of_file`]: central differences over
//! the numbers of a robot file, for every family; what the file leaves to defaults follows (the centre of a bar
//! moves when the bar gets longer).
//!
//! ```
//! use legwork::AnyRobot;
//! use legwork::analysis::sensitivity::{Effect, of_delta};
//!
//! let robot = AnyRobot::open("delta-bortoff-b")?;
//! let found = of_delta(&robot, &robot.home(), Effect::Efforts)?;
//! // Torques at rest are proportional to gravity: one per cent per per cent.
//! let gravity = found.parameters.iter().find(|p| p.name == "gravity").unwrap();
//! assert!((found.relative(gravity) - 1.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod delta;
mod file;

pub use delta::of_delta;
pub use file::{of_file, of_file_watched};

use crate::analysis::linear::{LinearError, Signal, largest_real_part};
use crate::sorting::sort_by;
use crate::{AnyRobot, PlatformState, RobotError};
use legwork_core::Real;
use serde::{Deserialize, Serialize};

/// A result that parameters move, always at one pose or state of the platform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Effect {
    /// Motor torques or forces at the state.
    #[default]
    #[serde(rename = "torque")]
    Efforts,
    /// Where the platform goes while the motors keep the values they have at the pose \[m, rad\]: what an error
    /// of a parameter does to the accuracy.
    Shift,
    /// The largest real part of the poles at rest \[1/s\].
    Pole,
    /// The entries of the mass matrix at the motors.
    Mass,
}

impl Effect {
    /// What it is, in a few words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Efforts => "motor efforts",
            Self::Shift => "place of the platform while the motors stay",
            Self::Pole => "largest real part of the poles",
            Self::Mass => "mass matrix at the motors",
        }
    }
}

/// One parameter and what it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Where it is: `geometry.arm`.
    pub name: String,
    /// Its value, in its unit.
    pub number: f64,
    /// Its unit: `m`, or the one its file has.
    pub unit: String,
    /// Change of each result per unit of the parameter.
    pub slopes: Vec<f64>,
}

/// What all parameters do to a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    /// The components of the result.
    pub results: Vec<Signal>,
    /// Their values; zero for a shift.
    pub values: Vec<f64>,
    /// The strongest first.
    pub parameters: Vec<Parameter>,
    /// Parameters without a robot on both sides of their value, and why.
    pub refused: Vec<(String, String)>,
    /// Whether the slopes are exact, not differences.
    pub exact: bool,
}

impl Sensitivity {
    /// The component that a parameter moves most, and its change per per cent of the parameter.
    pub fn strongest(&self, parameter: &Parameter) -> (usize, f64) {
        let place = largest(&parameter.slopes);
        (place, parameter.slopes.get(place).copied().unwrap_or(0.0) * parameter.number * 0.01)
    }

    /// Per cent of the largest result per per cent of the parameter; NaN if all results are zero.
    pub fn relative(&self, parameter: &Parameter) -> f64 {
        let largest = self.values.iter().fold(0.0, |most, value| Real::max(most, value.abs()));
        let sign = self.values.get(self.strongest(parameter).0).map_or(1.0, |value| value.signum());
        if largest == 0.0 { f64::NAN } else { self.strongest(parameter).1 * sign / largest * 100.0 }
    }

    /// Whether a parameter moves nothing: its slopes are zero but for rounding.
    pub fn is_idle(&self, parameter: &Parameter) -> bool {
        let rounding = if self.exact { 1e-12 } else { 1e-9 };
        parameter.slopes.iter().all(|slope| slope.abs() < rounding)
    }

    /// The strongest first; parameters that are zero, which have no per cent, last.
    fn ranked(mut self) -> Self {
        let strength = |parameter: &Parameter| self.strongest(parameter).1.abs();
        let mut keyed: Vec<(f64, Parameter)> =
            self.parameters.iter().map(|parameter| (strength(parameter), parameter.clone())).collect();
        sort_by(&mut keyed, |a, b| b.0.total_cmp(&a.0));
        self.parameters = keyed.into_iter().map(|(_, parameter)| parameter).collect();
        self
    }
}

/// The place of the largest number; of several that differ by rounding only, the first.
fn largest(list: &[f64]) -> usize {
    let mut best = (0, 0.0_f64);
    for (place, x) in list.iter().enumerate() {
        if x.abs() > best.1 * (1.0 + 1e-9) {
            best = (place, x.abs());
        }
    }
    best.0
}

/// The result of a robot; `reference` has the joint values of the pose for a shift.
fn result(
    robot: &AnyRobot,
    platform: &PlatformState,
    effect: Effect,
    reference: &[f64],
) -> Result<Vec<f64>, LinearError> {
    let massless = || RobotError::NoMasses { robot: robot.name().into() };
    Ok(match effect {
        Effect::Efforts => robot.state(platform)?.dynamics.ok_or_else(massless)?.motor,
        Effect::Mass => robot.state(platform)?.dynamics.ok_or_else(massless)?.mass_matrix.concat(),
        Effect::Pole => vec![largest_real_part(robot, platform)?],
        Effect::Shift => {
            let found = robot.forward_kinematics(reference, platform)?;
            robot.freedoms().iter().map(|freedom| step(platform, &found, freedom.component)).collect()
        }
    })
}

/// One component of the small step from a pose to another.
fn step(from: &PlatformState, to: &crate::PlatformSolution, component: usize) -> f64 {
    if component < 3 {
        return to.position[component] - from.position[component];
    }
    // The skew part of R Rᵀ₀ is the axis times the sine of the angle.
    let turn = |i: usize, j: usize| (0..3).map(|k| to.rotation[i][k] * from.rotation[j][k]).sum::<f64>();
    let (i, j) = ((component - 2) % 3, (component - 1) % 3);
    0.5 * (turn(j, i) - turn(i, j))
}

/// Names and units of the components of a result.
fn results(robot: &AnyRobot, effect: Effect) -> Vec<Signal> {
    let joints = robot.joints();
    let inertia = |a: &crate::Joint, b: &crate::Joint| match (a.slides, b.slides) {
        (false, false) => "kg m2",
        (true, true) => "kg",
        _ => "kg m",
    };
    match effect {
        Effect::Efforts => joints.iter().map(|joint| Signal::new(&joint.name, joint.effort_unit())).collect(),
        Effect::Pole => vec![Signal::new("largest real part", "1/s")],
        Effect::Shift => robot
            .freedoms()
            .iter()
            .map(|freedom| Signal::new(freedom.coordinate, if freedom.turns() { "rad" } else { "m" }))
            .collect(),
        Effect::Mass => joints
            .iter()
            .flat_map(|a| {
                joints.iter().map(move |b| Signal::new(format!("{} {}", a.name, b.name), inertia(a, b)))
            })
            .collect(),
    }
}
