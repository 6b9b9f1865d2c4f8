//! What a unit does, the same in both standards: variables are set and read by their value references, time goes on.

use super::advance::advance;
use super::inside::{Inside, Wanted};
use legwork::coordinates::StateRow;
use legwork::description::ModelError;
use legwork::fmu::{Causality, FmuModel, FmuRequest, GainKind, MODEL_FILE, Role};
use legwork::sim::{MotionEquations, MotionState};
use legwork::{AnyRobot, PlatformState};
use std::path::Path;

/// Two instants so near to each other are one, as a part of the time.
const ROUNDING: f64 = 1e-12;
/// How far the beginning of a step may be from where the unit is: as a part of the time, and of the step.
const APART: (f64, f64) = (1e-9, 1e-6);

/// A unit under way.
pub struct Unit {
    pub(super) model: FmuModel,
    /// Whether it is past its initialization.
    pub(super) has_started: bool,
    /// Of every variable that is set: by value reference.
    pub(super) values: Vec<f64>,
    /// The robot with its payload and errors; none if a parameter has changed.
    pub(super) robot: Option<AnyRobot>,
    pub(super) state: Option<MotionState>,
    /// Time since the start of the unit, and the start \[s\].
    pub(super) time: f64,
    pub(super) begin: f64,
    /// The regulator; none if there is none inside, or if it has to be made anew.
    pub(super) inside: Option<Inside>,
    /// What the regulator remembers, while it has to be made anew.
    pub(super) remembered: Option<Vec<f64>>,
    /// The reference that it began with: pose, velocity, acceleration.
    pub(super) begun_with: Option<Vec<f64>>,
    /// Samples of the regulator so far.
    pub(super) samples: u64,
    pub(super) command: Vec<f64>,
    /// What the outputs are, until something changes.
    pub(super) outputs: Option<Vec<f64>>,
    /// What the importer has to be told after the step.
    pub(super) warning: Option<String>,
}

impl Unit {
    /// From the folder of its resources; `token` must be that of its description.
    pub fn new(resources: &Path, token: &str) -> Result<Self, String> {
        let path = resources.join(MODEL_FILE);
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("`{}` cannot be read: {error}", path.display()))?;
        let request: FmuRequest = serde_json::from_str(&text)
            .map_err(|error| format!("`{}` is no robot of a unit: {error}", path.display()))?;
        let model = FmuModel::of(&request).map_err(|error| error.to_string())?;
        if model.token() != token {
            return Err(format!(
                "the unit is {}, its description is {token}: they are not of one export, or of another legwork",
                model.token()
            ));
        }
        Ok(Self::of(model))
    }

    fn of(model: FmuModel) -> Self {
        let values = model.variables().iter().map(|variable| variable.start.unwrap_or(0.0)).collect();
        let motors = model.robot().joints().len();
        Self {
            model,
            has_started: false,
            values,
            robot: None,
            state: None,
            time: 0.0,
            begin: 0.0,
            inside: None,
            remembered: None,
            begun_with: None,
            samples: 0,
            command: vec![0.0; motors],
            outputs: None,
            warning: None,
        }
    }

    /// Whether a regulator is inside.
    pub fn is_regulated(&self) -> bool {
        self.model.kind().is_some()
    }

    /// How many continuous states there are.
    pub fn states(&self) -> usize {
        self.model.states()
    }

    /// The time \[s\].
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Where time begins.
    pub fn begin_at(&mut self, time: f64) -> Result<(), String> {
        self.set_time(time)?;
        self.begin = time;
        Ok(())
    }

    /// Model exchange: time goes on by itself.
    pub fn set_time(&mut self, time: f64) -> Result<(), String> {
        if !time.is_finite() {
            return Err(format!("the time cannot be {time} s"));
        }
        (self.time, self.outputs) = (time, None);
        Ok(())
    }

    /// Begins anew.
    pub fn reset(&mut self) {
        let variables = self.model.variables().iter();
        self.values = variables.map(|variable| variable.start.unwrap_or(0.0)).collect();
        (self.robot, self.state, self.outputs, self.has_started) = (None, None, None, false);
        (self.inside, self.remembered, self.begun_with) = (None, None, None);
        (self.time, self.begin, self.samples) = (0.0, 0.0, 0);
        self.command.fill(0.0);
        self.warning = None;
    }

    fn value_of(&self, role: Role) -> f64 {
        let found = self.model.variables().iter().position(|variable| variable.role == role);
        found.and_then(|at| self.values.get(at).copied()).unwrap_or(0.0)
    }

    /// The values of the variables of one kind, in their order.
    fn list(&self, role: impl Fn(usize) -> Role) -> Vec<f64> {
        let place = |k: usize| self.model.variables().iter().position(|variable| variable.role == role(k));
        (0..).map_while(|k| place(k).and_then(|at| self.values.get(at).copied())).collect()
    }

    /// Sets variables, all of them or none; before the start parameters and the start too.
    pub fn set(&mut self, references: &[u32], values: &[f64]) -> Result<(), String> {
        for (reference, value) in references.iter().zip(values) {
            self.check(*reference, *value)?;
        }
        let before = self.values.clone();
        for (reference, value) in references.iter().zip(values) {
            if let Some(slot) = self.values.get_mut(*reference as usize) {
                *slot = *value;
            }
        }
        self.outputs = None;
        let made = self.changed_from(&before);
        if made.is_err() {
            let now = std::mem::replace(&mut self.values, before);
            self.forget_what_depends_on(&now);
        }
        made
    }

    /// Whether a variable can be set so.
    fn check(&self, reference: u32, value: f64) -> Result<(), String> {
        let Some(variable) = self.model.variables().get(reference as usize) else {
            return Err(format!("there is no variable with the value reference {reference}"));
        };
        let (name, unit) = (&variable.name, variable.unit);
        if !value.is_finite() {
            return Err(format!("`{name}` cannot be {value}"));
        }
        match variable.causality {
            Causality::Input | Causality::TunableParameter => {}
            Causality::FixedParameter if !self.has_started => {}
            Causality::FixedParameter => return Err(format!("`{name}` can be set before the start only")),
            _ => return Err(format!("`{name}` cannot be set")),
        }
        let is_size = matches!(
            variable.role,
            Role::Payload | Role::Frequency | Role::Damping | Role::Tolerance | Role::Gain(..)
        );
        if is_size && value < 0.0 {
            return Err(format!("`{name}` cannot be {value} {unit}").trim_end().into());
        }
        Ok(())
    }

    /// Forgets what is made of values that have changed; what the regulator remembers is kept for the next one.
    pub(super) fn forget_what_depends_on(&mut self, before: &[f64]) {
        let (mut robot, mut gains, mut start, mut reference) = (false, false, false, false);
        for (variable, (old, new)) in self.model.variables().iter().zip(before.iter().zip(&self.values)) {
            if old == new {
                continue;
            }
            match variable.role {
                Role::Payload | Role::MassError | Role::MotorInertiaError | Role::FrictionError => {
                    robot = true;
                }
                Role::Frequency | Role::Damping | Role::Gain(..) => gains = true,
                Role::StartPose(_) | Role::StartVelocity(_) => start = true,
                Role::ReferencePose(_) | Role::ReferenceVelocity(_) | Role::ReferenceAcceleration(_) => {
                    reference = true;
                }
                _ => {}
            }
        }
        if robot {
            self.robot = None;
        }
        if start {
            self.state = None;
        }
        // The regulator begins with the reference of the first sample.
        if gains || (reference && self.samples == 0) {
            self.forget_regulator();
        }
    }

    fn forget_regulator(&mut self) {
        if let Some(mut inside) = self.inside.take() {
            self.remembered = (self.samples > 0).then(|| inside.memory());
        }
    }

    /// Makes anew what the changed values need, so that they are refused now and not in the middle of a step.
    fn changed_from(&mut self, before: &[f64]) -> Result<(), String> {
        self.forget_what_depends_on(before);
        if self.has_started {
            return self.ready();
        }
        // Before the start one value comes after the other: the start and the regulator are tried when all are there.
        self.make_robot()
    }

    pub(super) fn make_robot(&mut self) -> Result<(), String> {
        if self.robot.is_some() {
            return Ok(());
        }
        let error = ModelError {
            mass: self.value_of(Role::MassError),
            motor_inertia: self.value_of(Role::MotorInertiaError),
            friction: self.value_of(Role::FrictionError),
            ..ModelError::default()
        };
        let file = self.model.robot();
        let mut robot = file.clone();
        if error != ModelError::default() {
            robot = robot.with_model_error(&error).map_err(|error| error.to_string())?;
        }
        let payload = self.value_of(Role::Payload);
        if payload != file.payload() {
            robot = robot.with_payload(payload).map_err(|error| error.to_string())?;
        }
        self.robot = Some(robot);
        Ok(())
    }

    /// Robot, state and regulator, made if they are not there.
    pub fn ready(&mut self) -> Result<(), String> {
        self.make_robot()?;
        if self.state.is_none()
            && let Some(robot) = &self.robot
        {
            let start = self.row(Role::StartPose, Role::StartVelocity)?;
            robot.inverse_kinematics(&start).map_err(|error| format!("the start: {error}"))?;
            let equations = MotionEquations::of(robot).map_err(|error| error.to_string())?;
            self.state = Some(equations.start(&start).map_err(|fault| format!("the start: {fault}"))?);
        }
        self.make_regulator()
    }

    fn make_regulator(&mut self) -> Result<(), String> {
        if self.inside.is_some() || !self.is_regulated() {
            return Ok(());
        }
        let begun_with = match &self.begun_with {
            Some(known) if self.samples > 0 => known.clone(),
            _ => self.reference_values(),
        };
        let gain = |kind: GainKind| self.list(|motor| Role::Gain(kind, motor));
        let wanted = Wanted {
            frequency: self.value_of(Role::Frequency),
            damping: self.value_of(Role::Damping),
            gains: [GainKind::Proportional, GainKind::Derivative, GainKind::Integral].map(gain),
            start: self.reference_of(&begun_with)?,
        };
        let mut inside = Inside::new(&self.model, &wanted)?;
        if let Some(memory) = &self.remembered
            && !inside.set_memory(memory)
        {
            return Err("what the regulator remembers is of another one".into());
        }
        (self.inside, self.remembered, self.begun_with) = (Some(inside), None, Some(begun_with));
        Ok(())
    }

    /// Makes everything that is needed to start.
    pub fn start(&mut self) -> Result<(), String> {
        self.ready()?;
        self.has_started = true;
        Ok(())
    }

    /// Where the platform should be: pose, velocity, acceleration.
    fn reference_values(&self) -> Vec<f64> {
        let roles = [Role::ReferencePose, Role::ReferenceVelocity, Role::ReferenceAcceleration];
        roles.iter().flat_map(|role| self.list(role)).collect()
    }

    /// The same as a state of the platform.
    fn reference_of(&self, values: &[f64]) -> Result<PlatformState, String> {
        let (coordinates, freedoms) =
            (self.model.schema().coordinate_count(), self.model.robot().freedoms().len());
        let missing = || "the reference is not complete".to_owned();
        let (pose, rates) = values.split_at_checked(coordinates).ok_or_else(missing)?;
        let (velocity, acceleration) = rates.split_at_checked(freedoms).ok_or_else(missing)?;
        let row = StateRow { pose, velocity: Some(velocity), acceleration: Some(acceleration), wrench: None };
        self.model.schema().state_of_row(&row).map_err(|error| format!("the reference: {error}"))
    }

    /// A state of the platform from variables.
    fn row(&self, pose: fn(usize) -> Role, velocity: fn(usize) -> Role) -> Result<PlatformState, String> {
        let (pose, velocity) = (self.list(pose), self.list(velocity));
        let row = StateRow { pose: &pose, velocity: Some(&velocity), ..StateRow::default() };
        self.model.schema().state_of_row(&row).map_err(|error| error.to_string())
    }

    pub(super) fn wrench(&self) -> Result<[f64; 6], String> {
        let (pose, wrench) = (self.list(Role::StartPose), self.list(Role::Wrench));
        let row = StateRow { pose: &pose, wrench: Some(&wrench), ..StateRow::default() };
        Ok(self.model.schema().state_of_row(&row).map_err(|error| error.to_string())?.wrench)
    }

    /// What the motors give now.
    pub(super) fn efforts(&self) -> Vec<f64> {
        if self.is_regulated() { self.command.clone() } else { self.list(Role::Effort) }
    }

    /// What the motors would give now: before the first sample of a regulator, what it would command.
    fn efforts_shown(&mut self) -> Result<Vec<f64>, String> {
        if !self.is_regulated() || self.samples > 0 {
            return Ok(self.efforts());
        }
        let (target, (q, _)) = (self.reference_of(&self.reference_values())?, self.joints()?);
        let mut command = self.command.clone();
        if let Some(inside) = &mut self.inside {
            let memory = inside.memory();
            inside.sample(&target, 0.0, &q, &mut command)?;
            inside.set_memory(&memory);
        }
        Ok(command)
    }

    /// Co-simulation: goes on from `at` by so many seconds.
    pub fn step(&mut self, at: f64, duration: f64) -> Result<(), String> {
        self.ready()?;
        self.outputs = None;
        // The importer adds steps up in its own way.
        let end = at + duration;
        if !self.is_regulated() {
            self.go_on(end - self.time)?;
            self.time = end;
            return Ok(());
        }
        loop {
            self.sample_if_due()?;
            let next = self.next_sample();
            if next >= end - ROUNDING * end.abs().max(1.0) {
                self.go_on(end - self.time)?;
                self.time = end;
                return Ok(());
            }
            self.go_on(next - self.time)?;
            self.time = next;
        }
    }

    /// Whether a step can be: otherwise the caller is at fault, not the motion.
    pub fn check_step(&self, at: f64, duration: f64) -> Result<(), String> {
        if !self.has_started {
            return Err("the unit has not left its initialization: no step is possible".into());
        }
        if !(duration.is_finite() && duration > 0.0) {
            return Err(format!("a step of {duration} s is not possible: it must be more than zero"));
        }
        let is_here = (at - self.time).abs() <= APART.0 * self.time.abs().max(1.0) + APART.1 * duration;
        if !is_here {
            return Err(format!("the step begins at {at} s, but the unit is at {} s", self.time));
        }
        Ok(())
    }

    fn go_on(&mut self, duration: f64) -> Result<(), String> {
        let (efforts, wrench, tolerance) = (self.efforts(), self.wrench()?, self.value_of(Role::Tolerance));
        let (Some(robot), Some(state)) = (&self.robot, &mut self.state) else { return Ok(()) };
        if duration <= 0.0 {
            return Ok(());
        }
        let equations = MotionEquations::of(robot).map_err(|error| error.to_string())?;
        let tolerance = if tolerance > 0.0 { tolerance } else { self.model.request().tolerance };
        let mut next = state.clone();
        advance(&equations, &mut next, duration, (&efforts, &wrench), tolerance)
            .map_err(|reason| format!("after {} s: {reason}", self.time))?;
        *state = next;
        Ok(())
    }

    fn next_sample(&self) -> f64 {
        let period = self.inside.as_ref().map_or(f64::INFINITY, Inside::period);
        self.begin + self.samples as f64 * period
    }

    /// The regulator looks and commands, if it is time.
    fn sample_if_due(&mut self) -> Result<(), String> {
        if self.next_sample() > self.time + ROUNDING * self.time.abs().max(1.0) {
            return Ok(());
        }
        let target = self.reference_of(&self.reference_values())?;
        let (q, _) = self.joints()?;
        let time = self.time - self.begin;
        if let Some(inside) = &mut self.inside {
            let had_fault = inside.fault().is_some();
            inside.sample(&target, time, &q, &mut self.command)?;
            if let Some(fault) = inside.fault().filter(|_| !had_fault) {
                let now = self.time;
                self.warning =
                    Some(format!("at {now} s the supervisor took over and brakes the robot: {fault}"));
            }
        }
        self.samples += 1;
        Ok(())
    }

    fn joints(&self) -> Result<(Vec<f64>, Vec<f64>), String> {
        let motors = self.model.robot().joints().len();
        let (mut q, mut qd) = (vec![f64::NAN; motors], vec![f64::NAN; motors]);
        if let (Some(robot), Some(state)) = (&self.robot, &self.state) {
            let equations = MotionEquations::of(robot).map_err(|error| error.to_string())?;
            equations.joints(state, &mut q, &mut qd).map_err(|fault| fault.to_string())?;
        }
        Ok((q, qd))
    }

    /// Reads a variable.
    pub fn get(&mut self, reference: u32) -> Result<f64, String> {
        let Some(variable) = self.model.variables().get(reference as usize) else {
            return Err(format!("there is no variable with the value reference {reference}"));
        };
        let (role, causality, reference) = (variable.role, variable.causality, reference as usize);
        match causality {
            Causality::Independent => return Ok(self.time),
            Causality::Output | Causality::Local => {}
            _ => return Ok(self.values[reference]),
        }
        if let Role::Derivative(state) = role {
            let mut rates = vec![0.0; self.states()];
            self.derivatives(&mut rates)?;
            return Ok(rates.get(state).copied().unwrap_or(f64::NAN));
        }
        if self.outputs.is_none() {
            self.outputs = Some(self.computed()?);
        }
        Ok(self.outputs.as_ref().and_then(|all| all.get(reference).copied()).unwrap_or(f64::NAN))
    }

    /// All outputs and states, by value reference.
    fn computed(&mut self) -> Result<Vec<f64>, String> {
        self.ready()?;
        let (q, qd) = self.joints()?;
        let efforts = self.efforts_shown()?;
        let (Some(robot), Some(state)) = (&self.robot, &self.state) else { return Ok(Vec::new()) };
        let equations = MotionEquations::of(robot).map_err(|error| error.to_string())?;
        let platform = equations.platform(state).map_err(|fault| fault.to_string())?;
        let energy = equations.energy(state).map_err(|fault| fault.to_string())?;
        let pose = self.model.schema().coordinates_of(&platform);
        let velocity: Vec<f64> =
            robot.freedoms().iter().map(|freedom| platform.twist[freedom.component]).collect();
        let mut numbers = vec![0.0; self.states()];
        equations.numbers(state, &mut numbers);
        let has_fault = self.inside.as_mut().is_some_and(|inside| inside.fault().is_some());
        let at = |list: &[f64], k: usize| list.get(k).copied().unwrap_or(f64::NAN);
        let value = |role: Role| match role {
            Role::Pose(k) => at(&pose, k),
            Role::Velocity(k) => at(&velocity, k),
            Role::Joint(k) => at(&q, k),
            Role::JointSpeed(k) => at(&qd, k),
            Role::AppliedEffort(k) => at(&efforts, k),
            Role::KineticEnergy => energy.kinetic,
            Role::PotentialEnergy => energy.potential,
            Role::Fault => f64::from(u8::from(has_fault)),
            Role::State(k) => at(&numbers, k),
            _ => 0.0,
        };
        Ok(self.model.variables().iter().map(|variable| value(variable.role)).collect())
    }
}
