//! Robots as functional mock-up units (FMI 2.0 and 3.0): which variables a unit has, its description, its file. What a unit
//! does is in the C library, whose shared library is the binary of every unit: no compiler is needed to make one.
//!
//! ```
//! use legwork::fmu::{FmuModel, FmuRequest, FmuVersion};
//! use legwork::task::RobotRequest;
//!
//! let request = FmuRequest { robot: RobotRequest::named("five-bar"), ..FmuRequest::default() };
//! let model = FmuModel::of(&request)?;
//! assert!(model.variables().iter().any(|variable| variable.name == "effort_1"));
//! assert!(model.description(FmuVersion::Two).contains("<ModelExchange"));
//! # Ok::<(), legwork::task::TaskError>(())
//! ```

mod package;
mod variables;
mod xml;

pub use package::{LIBRARY_FILE, MODEL_FILE, is_library};
pub use variables::{Causality, GainKind, Role, Variable};

use crate::AnyRobot;
use crate::coordinates::CoordinateSchema;
use crate::experiment::ControllerKind;
use crate::sim::MotionEquations;
use crate::task::{
    Choice, ControllerRequest, FollowRequest, RobotRequest, TaskError, needs_masses, positive,
};
use serde::{Deserialize, Serialize};

/// The relative error of a step inside a unit, unless told otherwise: a run of many communication steps agrees with
/// `simulate` to 1e-8.
const TOLERANCE: f64 = 1e-11;

/// Which standard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FmuVersion {
    /// FMI 2.0.
    #[default]
    #[serde(rename = "2.0")]
    Two,
    /// FMI 3.0.
    #[serde(rename = "3.0")]
    Three,
}

impl Choice for FmuVersion {
    const CHOICES: &'static [(Self, &'static str, &'static str)] =
        &[(Self::Two, "2.0", "model exchange and co-simulation"), (Self::Three, "3.0", "co-simulation")];
}

/// A robot as a functional mock-up unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FmuRequest {
    /// Which robot; it needs masses.
    pub robot: RobotRequest,
    /// Which standard. Default: 2.0.
    pub version: FmuVersion,
    /// A regulator inside: the inputs are then where the platform should be. Default: none, the inputs are efforts.
    pub controller: Option<ControllerRequest>,
    /// Relative error of a step inside the unit. Default: 1e-11.
    pub tolerance: f64,
}

impl Default for FmuRequest {
    fn default() -> Self {
        let robot = RobotRequest::named(crate::task::DEFAULT_ROBOT);
        Self { robot, version: FmuVersion::Two, controller: None, tolerance: TOLERANCE }
    }
}

/// What a unit is: made of its request in the program that writes it and in the library that runs it, so both agree.
#[derive(Debug)]
pub struct FmuModel {
    request: FmuRequest,
    robot: AnyRobot,
    schema: CoordinateSchema,
    variables: Vec<Variable>,
    states: usize,
    kind: Option<ControllerKind>,
}

impl FmuModel {
    /// Of a request.
    ///
    /// # Errors
    /// If the robot cannot be had, has no masses, or has no such regulator.
    pub fn of(request: &FmuRequest) -> Result<Self, TaskError> {
        let robot = request.robot.open()?;
        needs_masses(&robot)?;
        positive("tolerance", request.tolerance)?;
        let request = FmuRequest { robot: RobotRequest::of(&robot), ..request.clone() };
        let schema = CoordinateSchema::of(&robot);
        let states = match request.controller {
            Some(_) => Vec::new(),
            None => MotionEquations::of(&robot)?.names().into_iter().map(str::to_owned).collect(),
        };
        let kind = match &request.controller {
            None => None,
            Some(controller) => {
                if controller.regulators.len() > 1 {
                    let error =
                        TaskError::request("`controller.regulators`: a unit has one regulator inside");
                    return Err(error.or("name one"));
                }
                controller.kinds()?.last().copied()
            }
        };
        let variables = variables::of(&request, kind, &robot, &schema, &states)?;
        Ok(Self { variables, states: states.len(), request, robot, schema, kind })
    }

    /// Its request, with the robot in it.
    pub fn request(&self) -> &FmuRequest {
        &self.request
    }

    /// The robot.
    pub fn robot(&self) -> &AnyRobot {
        &self.robot
    }

    /// What its numbers are.
    pub fn schema(&self) -> &CoordinateSchema {
        &self.schema
    }

    /// All variables; the place of one is its value reference.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// How many continuous states there are, for model exchange.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Which regulator is inside, if there is one.
    pub fn kind(&self) -> Option<ControllerKind> {
        self.kind
    }

    /// The closed loop of its regulator: gains at home, derivatives as they are given.
    pub fn follow_request(&self) -> Option<FollowRequest> {
        let controller = self.request.controller.clone()?;
        let controller = ControllerRequest { exact_derivatives: true, ..controller };
        Some(FollowRequest { robot: self.request.robot.clone(), controller, ..FollowRequest::default() })
    }

    /// The name of its binary: an identifier of C.
    pub fn identifier(&self) -> String {
        let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name: String = self.robot.name().chars().map(letter).collect();
        if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("robot_{name}") }
    }

    /// What tells this unit from others: of its request and of the version of legwork.
    pub fn token(&self) -> String {
        let text = serde_json::to_string(&self.request).unwrap_or_default();
        let mut parts = [0_u32; 4];
        for (k, part) in parts.iter_mut().enumerate() {
            let mut hash = crc32fast::Hasher::new_with_initial(u32::try_from(k).unwrap_or(0));
            hash.update(env!("CARGO_PKG_VERSION").as_bytes());
            hash.update(text.as_bytes());
            *part = hash.finalize();
        }
        format!("{{{:08x}-{:08x}-{:08x}-{:08x}}}", parts[0], parts[1], parts[2], parts[3])
    }
}
