//! The variables of a unit: names, units, defaults.

use super::FmuRequest;
use crate::coordinates::{ACCELERATION, CoordinateSchema, Group, POSE, VELOCITY, WRENCH};
use crate::experiment::{ControllerKind, Tuning};
use crate::task::{ControllerRequest, TaskError};
use crate::{AnyRobot, RobotError};
use std::f64::consts::TAU;

/// What a variable is to the unit. A place counts in the list it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// The time.
    Time,
    /// Effort of a motor.
    Effort(usize),
    /// Where the platform should be: a coordinate of its pose.
    ReferencePose(usize),
    /// How fast, in its freedoms.
    ReferenceVelocity(usize),
    /// With which acceleration.
    ReferenceAcceleration(usize),
    /// What pulls at the platform, in its freedoms.
    Wrench(usize),
    /// Mass on the platform.
    Payload,
    /// By how much all masses differ from the file, as a share.
    MassError,
    /// The same of the inertias of motors.
    MotorInertiaError,
    /// The same of friction.
    FrictionError,
    /// Where the platform starts.
    StartPose(usize),
    /// How fast.
    StartVelocity(usize),
    /// Relative error of a step.
    Tolerance,
    /// Frequency of the gains.
    Frequency,
    /// Their damping.
    Damping,
    /// A gain of the regulator itself.
    Gain(GainKind, usize),
    /// Where the platform is.
    Pose(usize),
    /// How fast it moves, in its freedoms.
    Velocity(usize),
    /// Where a motor is.
    Joint(usize),
    /// How fast it moves.
    JointSpeed(usize),
    /// What it gives.
    AppliedEffort(usize),
    /// Kinetic energy.
    KineticEnergy,
    /// Potential energy.
    PotentialEnergy,
    /// Whether the supervisor has taken over: 1 or 0.
    Fault,
    /// A continuous state.
    State(usize),
    /// Its rate.
    Derivative(usize),
}

/// A gain of every motor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GainKind {
    /// K_p
    Proportional,
    /// K_d
    Derivative,
    /// K_i
    Integral,
}

/// What an importer may do with a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// The time.
    Independent,
    /// Set before and between steps.
    Input,
    /// Set before the start and between steps.
    TunableParameter,
    /// Set before the start.
    FixedParameter,
    /// Read.
    Output,
    /// Of model exchange.
    Local,
}

/// A variable of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it is, in words.
    pub description: String,
    /// Its unit; empty for a plain number.
    pub unit: &'static str,
    /// What it is to the unit.
    pub role: Role,
    /// What may be done with it.
    pub causality: Causality,
    /// Its value if nobody sets one.
    pub start: Option<f64>,
}

/// All variables of a unit, in the order of their value references.
pub(super) fn of(
    request: &FmuRequest,
    kind: Option<ControllerKind>,
    robot: &AnyRobot,
    schema: &CoordinateSchema,
    states: &[String],
) -> Result<Vec<Variable>, TaskError> {
    let home = schema.coordinates_of(&robot.home());
    let mut list = List(Vec::new());
    list.push("time", "time", "s", Role::Time, Causality::Independent, None);
    let named = |groups: &[Group]| -> Vec<(String, &'static str)> {
        let names = groups.iter().flat_map(|group| &schema.group(*group).names);
        names.map(|name| (name.text.clone(), name.quantity.si_unit())).collect()
    };
    if request.controller.is_some() {
        for (k, (name, unit)) in named(POSE).into_iter().enumerate() {
            let what = format!("where {name} of the platform should be");
            let start = home.get(k).copied();
            list.push(
                &format!("reference_{name}"),
                &what,
                unit,
                Role::ReferencePose(k),
                Causality::Input,
                start,
            );
        }
        for (k, (name, unit)) in named(VELOCITY).into_iter().enumerate() {
            let what = format!("the {name} that the platform should have");
            let role = Role::ReferenceVelocity(k);
            list.push(&format!("reference_{name}"), &what, unit, role, Causality::Input, Some(0.0));
        }
        for (k, (name, unit)) in named(ACCELERATION).into_iter().enumerate() {
            let what = format!("the {name} that the platform should have");
            let role = Role::ReferenceAcceleration(k);
            list.push(&format!("reference_{name}"), &what, unit, role, Causality::Input, Some(0.0));
        }
    } else {
        let dynamics = robot.state(&robot.home())?.dynamics;
        let missing = || RobotError::NoMasses { robot: robot.name().into() };
        let hold = dynamics.ok_or_else(missing)?.motor;
        for (k, joint) in robot.joints().iter().enumerate() {
            let what =
                format!("effort of motor {} at its joint; as it starts it holds the robot at home", k + 1);
            let start = hold.get(k).copied();
            list.push(
                &format!("effort_{}", k + 1),
                &what,
                joint.effort_unit(),
                Role::Effort(k),
                Causality::Input,
                start,
            );
        }
    }
    for (k, (name, unit)) in named(WRENCH).into_iter().enumerate() {
        let what = format!("{name} of the environment on the platform, about its point");
        list.push(&format!("load_{name}"), &what, unit, Role::Wrench(k), Causality::Input, Some(0.0));
    }
    parameters(request, kind, robot, &mut list)?;
    for (k, (name, unit)) in named(POSE).into_iter().enumerate() {
        let what = format!("{name} of the platform at the start");
        let (role, start) = (Role::StartPose(k), home.get(k).copied());
        list.push(&format!("start_{name}"), &what, unit, role, Causality::FixedParameter, start);
    }
    for (k, (name, unit)) in named(VELOCITY).into_iter().enumerate() {
        let what = format!("{name} of the platform at the start");
        let role = Role::StartVelocity(k);
        list.push(&format!("start_{name}"), &what, unit, role, Causality::FixedParameter, Some(0.0));
    }
    outputs(request, robot, schema, &mut list);
    for (k, name) in states.iter().enumerate() {
        let what = "continuous state of the equations of motion";
        list.push(&format!("state_{name}"), what, "", Role::State(k), Causality::Local, None);
    }
    for (k, name) in states.iter().enumerate() {
        let (name, what) = (format!("der(state_{name})"), "its rate");
        list.push(&name, what, "", Role::Derivative(k), Causality::Local, None);
    }
    Ok(list.0)
}

fn parameters(
    request: &FmuRequest,
    kind: Option<ControllerKind>,
    robot: &AnyRobot,
    list: &mut List,
) -> Result<(), TaskError> {
    let tunable = Causality::TunableParameter;
    list.push("payload", "mass on the platform", "kg", Role::Payload, tunable, Some(robot.payload()));
    let shares = [
        ("mass_error", "by how much all masses differ from the file, as a share", Role::MassError),
        ("motor_inertia_error", "the same of the inertias of motors", Role::MotorInertiaError),
        ("friction_error", "the same of friction", Role::FrictionError),
    ];
    for (name, what, role) in shares {
        list.push(name, what, "", role, tunable, Some(0.0));
    }
    let what = "relative error of a step of co-simulation";
    list.push("tolerance", what, "", Role::Tolerance, Causality::FixedParameter, Some(request.tolerance));
    if let Some(controller) = &request.controller {
        gains(controller, kind, robot, list)?;
    }
    Ok(())
}

/// The gains of the regulator inside. Zero stands for what follows from the others, or for the usual.
fn gains(
    controller: &ControllerRequest,
    kind: Option<ControllerKind>,
    robot: &AnyRobot,
    list: &mut List,
) -> Result<(), TaskError> {
    let tunable = Causality::TunableParameter;
    let frequency = controller.frequency.map_or(0.0, |frequency| frequency.0);
    let usual = Tuning::default();
    let what = format!(
        "frequency of the gains; 0: that of the robot's file, else {} Hz, lowered until nothing rings",
        usual.frequency / TAU
    );
    list.push("frequency", &what, "Hz", Role::Frequency, tunable, Some(frequency));
    let what = format!("damping of the gains; 0: that of the robot's file, else {}", usual.damping);
    let damping = controller.damping.unwrap_or(0.0);
    list.push("damping", &what, "", Role::Damping, tunable, Some(damping));
    let Some(kind) = kind.filter(|kind| kind.takes_gains()) else { return Ok(()) };
    let [kp, kd, ki] = controller.gains()?.map(Option::unwrap_or_default);
    let integral = if kind == ControllerKind::Pid { "Kp w/10 where the reference stands" } else { "none" };
    let kinds = [
        ("kp", GainKind::Proportional, kp, "error", "from frequency"),
        ("kd", GainKind::Derivative, kd, "error rate", "from frequency and damping"),
        ("ki", GainKind::Integral, ki, "error times time", integral),
    ];
    for (word, gain, given, of, otherwise) in kinds {
        if gain == GainKind::Integral && !kind.takes_integral() {
            continue;
        }
        for motor in 0..robot.joints().len() {
            let what = format!("effort of motor {} per {of}, in SI; 0: {otherwise}", motor + 1);
            // One number is for all motors.
            let start = given.get(motor).or(given.first()).copied().unwrap_or(0.0);
            list.push(
                &format!("{word}_{}", motor + 1),
                &what,
                "",
                Role::Gain(gain, motor),
                tunable,
                Some(start),
            );
        }
    }
    Ok(())
}

fn outputs(request: &FmuRequest, robot: &AnyRobot, schema: &CoordinateSchema, list: &mut List) {
    let output = Causality::Output;
    let pose = POSE.iter().flat_map(|group| &schema.group(*group).names);
    for (k, name) in pose.enumerate() {
        let what = format!("{} of the platform", name.text);
        list.push(&name.text, &what, name.quantity.si_unit(), Role::Pose(k), output, None);
    }
    let velocity = VELOCITY.iter().flat_map(|group| &schema.group(*group).names);
    for (k, name) in velocity.enumerate() {
        let what = format!("{} of the platform", name.text);
        list.push(&name.text, &what, name.quantity.si_unit(), Role::Velocity(k), output, None);
    }
    for (k, joint) in robot.joints().iter().enumerate() {
        let what = format!("joint of motor {}", k + 1);
        list.push(&format!("q{}", k + 1), &what, joint.unit(), Role::Joint(k), output, None);
    }
    for (k, joint) in robot.joints().iter().enumerate() {
        let (what, unit) = (format!("speed of joint {}", k + 1), if joint.slides { "m/s" } else { "rad/s" });
        list.push(&format!("qd{}", k + 1), &what, unit, Role::JointSpeed(k), output, None);
    }
    for (k, joint) in robot.joints().iter().enumerate() {
        let what = format!("what motor {} gives at its joint", k + 1);
        list.push(&format!("e{}", k + 1), &what, joint.effort_unit(), Role::AppliedEffort(k), output, None);
    }
    list.push("kinetic_energy", "kinetic energy of the whole robot", "J", Role::KineticEnergy, output, None);
    list.push(
        "potential_energy",
        "potential energy of the whole robot",
        "J",
        Role::PotentialEnergy,
        output,
        None,
    );
    if request.controller.is_some() {
        let what = "1 from when the supervisor has taken over, else 0";
        list.push("fault", what, "", Role::Fault, output, None);
    }
}

struct List(Vec<Variable>);

impl List {
    fn push(
        &mut self,
        name: &str,
        description: &str,
        unit: &'static str,
        role: Role,
        causality: Causality,
        start: Option<f64>,
    ) {
        let (name, description) = (name.to_owned(), description.to_owned());
        self.0.push(Variable { name, description, unit, role, causality, start });
    }
}
