//! What is to be generated, as plain data.

use crate::emit::{GeneratedFile, Module, c_files, rust_files, st_files};
use crate::error::CodegenError;
use crate::name::function_name;
use crate::program::Function;
use crate::record::{Asked, Subject, Symbol};
use crate::rounding::{Bound, bound, set_usual_sizes};
use crate::vectors::{Vector, vectors};
use legwork::AnyRobot;
use serde::{Deserialize, Serialize};

/// A formula of a robot that code is generated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Motors for a pose.
    InverseKinematics,
    /// Pose for motors.
    ForwardKinematics,
    /// J of V = J q̇.
    Jacobian,
    /// Efforts for a motion.
    InverseDynamics,
    /// Efforts for a motion, forearms of a Delta lumped at their ends.
    SimplifiedInverseDynamics,
    /// Accelerations for efforts.
    ForwardDynamics,
    /// At the motors.
    MassMatrix,
    /// Efforts that hold the robot at rest.
    Gravity,
    /// Slopes of the inverse dynamics by pose, velocity and acceleration.
    InverseDerivatives,
    /// Slopes of the forward dynamics by pose, velocity and effort.
    ForwardDerivatives,
    /// Positions, speeds and accelerations of the motors for a motion of the platform.
    JointMotion,
    /// Efforts for a motion of the motors.
    AxesTorque,
    /// One sample of feed-forward and PD under supervision.
    Regulator,
    /// One sample of computed torque under supervision.
    ComputedTorque,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::InverseKinematics,
        Self::ForwardKinematics,
        Self::Jacobian,
        Self::InverseDynamics,
        Self::SimplifiedInverseDynamics,
        Self::ForwardDynamics,
        Self::MassMatrix,
        Self::Gravity,
        Self::InverseDerivatives,
        Self::ForwardDerivatives,
        Self::JointMotion,
        Self::AxesTorque,
        Self::Regulator,
        Self::ComputedTorque,
    ];

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::InverseKinematics => "ik",
            Self::ForwardKinematics => "fk",
            Self::Jacobian => "jacobian",
            Self::InverseDynamics => "torque",
            Self::SimplifiedInverseDynamics => "simplified-torque",
            Self::ForwardDynamics => "acceleration",
            Self::MassMatrix => "mass-matrix",
            Self::Gravity => "gravity",
            Self::InverseDerivatives => "torque-derivatives",
            Self::ForwardDerivatives => "acceleration-derivatives",
            Self::JointMotion => "joint-motion",
            Self::AxesTorque => "axes-torque",
            Self::Regulator => "regulator",
            Self::ComputedTorque => "computed-torque",
        }
    }

    /// The name of its function.
    pub fn function_name(self) -> &'static str {
        match self {
            Self::InverseKinematics => "inverse_kinematics",
            Self::ForwardKinematics => "forward_kinematics",
            Self::Jacobian => "jacobian",
            Self::InverseDynamics => "inverse_dynamics",
            Self::SimplifiedInverseDynamics => "simplified_inverse_dynamics",
            Self::ForwardDynamics => "forward_dynamics",
            Self::MassMatrix => "mass_matrix",
            Self::Gravity => "gravity",
            Self::InverseDerivatives => "inverse_dynamics_derivatives",
            Self::ForwardDerivatives => "forward_dynamics_derivatives",
            Self::JointMotion => "joint_motion",
            Self::AxesTorque => "axes_state_to_torque",
            Self::Regulator => "regulator_step",
            Self::ComputedTorque => "computed_torque_step",
        }
    }

    /// What its function gives, one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::InverseKinematics => "Positions of the motors for a pose of the platform.",
            Self::ForwardKinematics => "Pose of the platform for positions of the motors.",
            Self::Jacobian => "J of V = J qd: how the platform follows its motors.",
            Self::InverseDynamics => {
                "Efforts of the motors for a motion of the platform, kinematics included."
            }
            Self::SimplifiedInverseDynamics => {
                "Torques of the motors for a motion of the platform, forearms lumped at their ends (2/3, 1/3)."
            }
            Self::ForwardDynamics => "Accelerations for efforts of the motors, kinematics included.",
            Self::MassMatrix => "Mass matrix at the motors.",
            Self::Gravity => "Efforts that hold the robot at rest.",
            Self::InverseDerivatives => {
                "Efforts of the motors and their slopes by the motion of the platform."
            }
            Self::ForwardDerivatives => "Accelerations and their slopes by the state and by the efforts.",
            Self::JointMotion => {
                "Positions, speeds and accelerations of the motors for a motion of the platform."
            }
            Self::AxesTorque => "Efforts of the motors for a motion of the motors themselves.",
            Self::Regulator => {
                "One sample of a regulator under supervision: feed-forward and PD at the motors."
            }
            Self::ComputedTorque => {
                "One sample of a regulator under supervision: computed torque at the motors."
            }
        }
    }

    /// Whether the robot needs masses for it.
    pub fn needs_masses(self) -> bool {
        !matches!(
            self,
            Self::InverseKinematics | Self::ForwardKinematics | Self::Jacobian | Self::JointMotion
        )
    }

    /// The formula whose slopes it is.
    pub(crate) fn derivative_of(self) -> Option<Self> {
        match self {
            Self::InverseDerivatives => Some(Self::InverseDynamics),
            Self::ForwardDerivatives => Some(Self::ForwardDynamics),
            _ => None,
        }
    }
}

/// A language to generate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// C99.
    #[default]
    C,
    /// Rust without the standard library.
    Rust,
    /// IEC 61131-3 Structured Text.
    St,
}

/// How wide the numbers are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// 64 bits.
    #[default]
    Double,
    /// 32 bits.
    Float,
}

/// What is to be generated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CodegenRequest {
    /// Name of a built-in robot, or its file.
    pub robot: String,
    /// Which formulas. Default: `ik`, `fk`, `jacobian` and, with masses, `torque` and `acceleration`.
    pub what: Vec<Quantity>,
    /// Default: C.
    pub language: Language,
    /// Default: double.
    pub precision: Precision,
    /// Parameters that stay arguments. Default: none.
    pub symbolic: Vec<Symbol>,
    /// Whether a wrench on the platform is an argument of the dynamics. Default: no.
    pub wrench: bool,
    /// What all names begin with. Default: the name of the robot.
    pub name: Option<String>,
}

/// What was generated.
#[derive(Clone, Debug, PartialEq)]
pub struct Generated {
    /// What all names begin with.
    pub name: String,
    /// The functions, as programs.
    pub functions: Vec<Function>,
    /// What rounding can do to each of them, see [`Sensitivity`](crate::Sensitivity).
    pub bounds: Vec<Bound>,
    /// The files.
    pub files: Vec<GeneratedFile>,
}

/// Functions of a robot that only have to be written down.
#[derive(Clone, Debug)]
pub struct Prepared {
    robot: String,
    about: Vec<String>,
    /// What all names begin with.
    pub name: String,
    precision: Precision,
    /// The functions, as programs.
    pub functions: Vec<Function>,
    /// What rounding can do to each of them.
    pub bounds: Vec<Bound>,
    tests: Vec<Vec<Vector>>,
}

impl Prepared {
    /// The files in a language.
    pub fn files(&self, language: Language) -> Vec<GeneratedFile> {
        let module = Module {
            robot: &self.robot,
            name: &self.name,
            precision: self.precision,
            functions: &self.functions,
            about: &self.about,
            vectors: &self.tests,
            bounds: &self.bounds,
        };
        match language {
            Language::C => c_files(&module),
            Language::Rust => rust_files(&module),
            Language::St => st_files(&module),
        }
    }
}

/// Vectors of a self-test.
const VECTORS: usize = 4;
/// States about home at which it is seen what rounding does, the vectors of the self-test among them, and fewer where that is long
/// work.
const BOUND_STATES: std::ops::RangeInclusive<usize> = 40..=1_000;
/// Steps that all these states have together, and passes of a search.
const BOUND_STEPS: usize = 2_000_000;
const PASSES: usize = 8;
const SEED: u64 = 1998;

impl CodegenRequest {
    /// Generates the code.
    pub fn run(&self) -> Result<Generated, CodegenError> {
        self.run_for(&AnyRobot::open(&self.robot)?)
    }

    /// The same for a robot that is open already.
    pub fn run_for(&self, robot: &AnyRobot) -> Result<Generated, CodegenError> {
        let prepared = self.prepare(robot)?;
        let files = prepared.files(self.language);
        let Prepared { name, functions, bounds, .. } = prepared;
        Ok(Generated { name, functions, bounds, files })
    }

    /// Everything but the writing, which is the same for every language.
    pub fn prepare(&self, robot: &AnyRobot) -> Result<Prepared, CodegenError> {
        let name = function_name(self.name.as_deref(), robot.name())?;
        let asked = self.asked();
        let subject = Subject::of(robot, &asked)?;
        for symbol in &self.symbolic {
            if !subject.symbols().contains(symbol) {
                let known = subject.symbols().iter().map(|symbol| symbol.name()).collect();
                return Err(CodegenError::Symbol {
                    robot: robot.name().into(),
                    found: symbol.name().into(),
                    known,
                });
            }
        }
        let mut functions = Vec::new();
        for quantity in self.quantities(robot) {
            if quantity.needs_masses() && !robot.has_masses() {
                return Err(CodegenError::NoMasses { robot: robot.name().into(), quantity });
            }
            let Some(function) = subject.record(quantity, &asked) else {
                let (robot, why) = (robot.name().into(), subject.why_not(quantity));
                return Err(CodegenError::NotOfRobot { robot, quantity, why });
            };
            functions.push(match self.precision {
                Precision::Double => function,
                Precision::Float => function.for_single(),
            });
        }
        if functions.is_empty() {
            return Err(CodegenError::Nothing);
        }
        self.check_that_all_is_read(&functions)?;
        let (mut tests, mut bounds) = (Vec::new(), Vec::new());
        for function in &mut functions {
            let searches = function.iteration.is_some() || !function.before.is_empty();
            let passes = if searches { PASSES } else { 1 };
            let count = BOUND_STEPS / (passes * function.all_steps().count().max(1));
            let count = count.clamp(*BOUND_STATES.start(), *BOUND_STATES.end());
            let mut states = vectors(&subject, function, count, SEED);
            set_usual_sizes(function, &states);
            let bound = bound(function, &states, self.precision);
            bounds.push(bound);
            // The bound is for these.
            states.retain(|state| function.margin(&state.outputs) >= bound.margin);
            states.truncate(VECTORS);
            tests.push(states);
        }
        Ok(Prepared {
            robot: robot.name().to_owned(),
            about: about(robot),
            name,
            precision: self.precision,
            functions,
            bounds,
            tests,
        })
    }

    /// Whether a robot has a quantity.
    pub fn has(robot: &AnyRobot, quantity: Quantity) -> bool {
        let asked = Asked::default();
        let subject = Subject::of(robot, &asked);
        subject.is_ok_and(|subject| subject.record(quantity, &asked).is_some())
    }

    /// Random states about home with what the programs give there, as many as asked for of each function: for tests. None
    /// of them is a state of the self-tests.
    pub fn vectors_for(
        &self,
        robot: &AnyRobot,
        count: impl Fn(&Function) -> usize,
    ) -> Result<Vec<Vec<Vector>>, CodegenError> {
        let asked = self.asked();
        let subject = Subject::of(robot, &asked)?;
        let functions =
            self.quantities(robot).into_iter().filter_map(|quantity| subject.record(quantity, &asked));
        Ok(functions.map(|function| vectors(&subject, &function, count(&function), 7)).collect())
    }

    /// What shapes the functions; a parameter that was named twice is one argument.
    fn asked(&self) -> Asked {
        let mut symbolic = Vec::new();
        for symbol in &self.symbolic {
            if !symbolic.contains(symbol) {
                symbolic.push(*symbol);
            }
        }
        Asked { symbolic, wrench: self.wrench }
    }

    /// Refuses an argument that none of the functions reads: whoever asked for it counts on it.
    fn check_that_all_is_read(&self, functions: &[Function]) -> Result<(), CodegenError> {
        let reads = |names: &[&str]| {
            functions.iter().flat_map(|function| &function.inputs).any(|group| names.contains(&group.name))
        };
        let unread = self.symbolic.iter().map(|symbol| symbol.name()).find(|name| !reads(&[name]));
        let wrench = (self.wrench && !reads(&["wrench", "force"])).then_some("wrench");
        match unread.or(wrench) {
            None => Ok(()),
            Some(argument) => {
                let functions = functions.iter().map(|function| function.name.clone()).collect();
                Err(CodegenError::NotRead { argument, functions })
            }
        }
    }

    /// Each once, in the order of [`Quantity::ALL`].
    fn quantities(&self, robot: &AnyRobot) -> Vec<Quantity> {
        let usual = |quantity: &Quantity| match quantity {
            Quantity::InverseKinematics | Quantity::ForwardKinematics | Quantity::Jacobian => true,
            Quantity::InverseDynamics | Quantity::ForwardDynamics => robot.has_masses(),
            _ => false,
        };
        let wanted = |quantity: &Quantity| {
            if self.what.is_empty() { usual(quantity) } else { self.what.contains(quantity) }
        };
        Quantity::ALL.into_iter().filter(wanted).collect()
    }
}

/// Lines about the robot for the top of a file.
fn about(robot: &AnyRobot) -> Vec<String> {
    let joints: Vec<String> = robot
        .joints()
        .iter()
        .map(|joint| format!("{} [{}]", joint.name, if joint.slides { "m" } else { "rad" }))
        .collect();
    let freedoms: Vec<&str> = robot.freedoms().iter().map(|freedom| freedom.coordinate).collect();
    vec![
        format!("Motors: {}. Freedoms of the platform: {}.", joints.join(", "), freedoms.join(", ")),
        format!("Frames and signs are those of the robot file; working mode {}.", robot.working_mode()),
    ]
}
