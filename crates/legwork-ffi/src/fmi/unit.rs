//! What a unit does, the same in both standards: variables are set and read by their value references, time goes on.

use super::advance::advance;
use crate::owned_regulator::OwnedRegulator;
use legwork::coordinates::StateRow;
use legwork::description::ModelError;
use legwork::fmu::{Causality, FmuModel, FmuRequest, MODEL_FILE, Role};
use legwork::sim::{Measured, MotionEquations, MotionState, SampledController};
use legwork::task::{ControllerRequest, FollowRequest, Frequency};
use legwork::{AnyRobot, PlatformState};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Departures from closed loops and unit quaternions above this are put back at an event of model exchange.
const OFF: f64 = 1e-10;

/// Units so far.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// A unit under way.
pub struct Unit {
    model: FmuModel,
    /// Of every variable that is set: by value reference.
    values: Vec<f64>,
    /// The robot with its payload and errors; none if a parameter has changed.
    robot: Option<AnyRobot>,
    state: Option<MotionState>,
    /// Time since the start of the unit, and the start \[s\].
    time: f64,
    begin: f64,
    regulator: Option<OwnedRegulator>,
    /// Samples of the regulator so far.
    samples: u64,
    command: Vec<f64>,
    /// What the outputs are, until something changes.
    outputs: Option<Vec<f64>>,
    /// Which unit of this process it is.
    number: u64,
    /// Slots of the regulator's memory: how many there are, and which are free.
    slots: usize,
    free: Vec<usize>,
}

/// A unit as it was.
#[derive(Clone)]
pub struct Snapshot {
    unit: u64,
    values: Vec<f64>,
    state: Option<MotionState>,
    time: f64,
    begin: f64,
    samples: u64,
    command: Vec<f64>,
    slot: usize,
}

impl Unit {
    /// From the folder of its resources; `token` must be that of its description.
    pub fn new(resources: &Path, token: &str) -> Result<Self, String> {
        let path = resources.join(MODEL_FILE);
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("`{}` cannot be read: {error}", path.display()))?;
        let request: FmuRequest = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let model = FmuModel::of(&request).map_err(|error| error.to_string())?;
        if model.token() != token {
            return Err(format!(
                "the unit is {}, its description is {token}: they are not of one export, or of another legwork",
                model.token()
            ));
        }
        let values = model.variables().iter().map(|variable| variable.start.unwrap_or(0.0)).collect();
        let motors = model.robot().joints().len();
        let mut unit = Self {
            model,
            values,
            robot: None,
            state: None,
            time: 0.0,
            begin: 0.0,
            regulator: None,
            samples: 0,
            command: vec![0.0; motors],
            outputs: None,
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            slots: 0,
            free: Vec::new(),
        };
        unit.make_regulator()?;
        Ok(unit)
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
    pub fn begin_at(&mut self, time: f64) {
        (self.begin, self.time, self.outputs) = (time, time, None);
    }

    /// Model exchange: time goes on by itself.
    pub fn set_time(&mut self, time: f64) {
        (self.time, self.outputs) = (time, None);
    }

    /// Begins anew.
    pub fn reset(&mut self) -> Result<(), String> {
        let variables = self.model.variables().iter();
        self.values = variables.map(|variable| variable.start.unwrap_or(0.0)).collect();
        (self.robot, self.state, self.outputs) = (None, None, None);
        (self.time, self.begin, self.samples) = (0.0, 0.0, 0);
        self.command.fill(0.0);
        self.make_regulator()
    }

    fn value_of(&self, role: Role) -> f64 {
        let found = self.model.variables().iter().position(|variable| variable.role == role);
        found.and_then(|at| self.values.get(at).copied()).unwrap_or(0.0)
    }

    /// The values of the variables of one kind, in their order.
    fn list(&self, role: fn(usize) -> Role) -> Vec<f64> {
        let place = |k: usize| self.model.variables().iter().position(|variable| variable.role == role(k));
        (0..).map_while(|k| place(k).and_then(|at| self.values.get(at).copied())).collect()
    }

    fn make_regulator(&mut self) -> Result<(), String> {
        let Some(request) = self.model.follow_request() else { return Ok(()) };
        let given = |value: f64| (value > 0.0).then_some(value);
        let controller = ControllerRequest {
            frequency: given(self.value_of(Role::Frequency)).map(Frequency),
            damping: given(self.value_of(Role::Damping)),
            ..request.controller.clone()
        };
        let request = FollowRequest { controller, ..request };
        self.regulator = Some(OwnedRegulator::new(&request, true).map_err(|error| error.to_string())?);
        self.samples = 0;
        Ok(())
    }

    /// Sets a variable; before the start parameters and the start too.
    pub fn set(&mut self, reference: usize, value: f64, has_started: bool) -> Result<(), String> {
        let Some(variable) = self.model.variables().get(reference) else {
            return Err(format!("there is no variable with the value reference {reference}"));
        };
        let (name, role) = (&variable.name, variable.role);
        if !value.is_finite() {
            return Err(format!("`{name}` cannot be {value}"));
        }
        match variable.causality {
            Causality::Input | Causality::TunableParameter => {}
            Causality::FixedParameter if !has_started => {}
            Causality::FixedParameter => return Err(format!("`{name}` can be set before the start only")),
            _ => return Err(format!("`{name}` cannot be set")),
        }
        if role == Role::Payload && value < 0.0 {
            return Err(format!("`{name}` cannot be {value} kg"));
        }
        let old = std::mem::replace(&mut self.values[reference], value);
        self.outputs = None;
        match role {
            Role::Payload | Role::MassError | Role::MotorInertiaError | Role::FrictionError
                if old != value =>
            {
                self.robot = None;
                // Refused now, not in the middle of a step.
                if let Err(reason) = self.ready() {
                    self.values[reference] = old;
                    self.robot = None;
                    return Err(reason);
                }
            }
            Role::StartPose(_) | Role::StartVelocity(_) => self.state = None,
            Role::Frequency | Role::Damping if old != value => self.make_regulator()?,
            _ => {}
        }
        Ok(())
    }

    /// The robot and its state, made if they are not there.
    fn ready(&mut self) -> Result<(), String> {
        if self.robot.is_none() {
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
        }
        if self.state.is_none()
            && let Some(robot) = &self.robot
        {
            let start = self.row(Role::StartPose, Role::StartVelocity, None)?;
            robot.inverse_kinematics(&start).map_err(|error| format!("the start: {error}"))?;
            let equations = MotionEquations::of(robot).map_err(|error| error.to_string())?;
            self.state = Some(equations.start(&start).map_err(|fault| format!("the start: {fault}"))?);
        }
        Ok(())
    }

    /// Makes everything that is needed to start.
    pub fn settle_start(&mut self) -> Result<(), String> {
        self.ready()
    }

    /// A state of the platform from variables.
    fn row(
        &self,
        pose: fn(usize) -> Role,
        velocity: fn(usize) -> Role,
        acceleration: Option<fn(usize) -> Role>,
    ) -> Result<PlatformState, String> {
        let (pose, velocity) = (self.list(pose), self.list(velocity));
        let acceleration = acceleration.map(|role| self.list(role));
        let row = StateRow {
            pose: &pose,
            velocity: Some(&velocity),
            acceleration: acceleration.as_deref(),
            wrench: None,
        };
        self.model.schema().state_of_row(&row).map_err(|error| error.to_string())
    }

    fn wrench(&self) -> Result<[f64; 6], String> {
        let (pose, wrench) = (self.list(Role::StartPose), self.list(Role::Wrench));
        let row = StateRow { pose: &pose, wrench: Some(&wrench), ..StateRow::default() };
        Ok(self.model.schema().state_of_row(&row).map_err(|error| error.to_string())?.wrench)
    }

    /// What the motors give now.
    fn efforts(&self) -> Vec<f64> {
        if self.regulator.is_some() { self.command.clone() } else { self.list(Role::Effort) }
    }

    /// Co-simulation: goes on by so many seconds.
    pub fn step(&mut self, duration: f64) -> Result<(), String> {
        if !(duration.is_finite() && duration >= 0.0) {
            return Err(format!("a step of {duration} s is not possible"));
        }
        self.ready()?;
        self.outputs = None;
        let end = self.time + duration;
        if self.regulator.is_none() {
            self.go_on(duration)?;
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
        let period = self.regulator.as_ref().map_or(f64::INFINITY, |owned| owned.experiment().period());
        self.begin + self.samples as f64 * period
    }

    /// The regulator looks and commands, if it is time.
    fn sample_if_due(&mut self) -> Result<(), String> {
        if self.next_sample() > self.time + ROUNDING * self.time.abs().max(1.0) {
            return Ok(());
        }
        let target = self.row(
            Role::ReferencePose,
            Role::ReferenceVelocity,
            Some(Role::ReferenceAcceleration as fn(usize) -> Role),
        )?;
        let (q, _) = self.joints()?;
        let time = self.time - self.begin;
        if let Some(owned) = &mut self.regulator {
            if let Some(live) = owned.target() {
                live.set(&target);
            }
            let seen = Measured { time, q: &q, qd: None };
            owned.controller().sample(&seen, &mut self.command).map_err(|fault| fault.to_string())?;
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
    pub fn get(&mut self, reference: usize) -> Result<f64, String> {
        let Some(variable) = self.model.variables().get(reference) else {
            return Err(format!("there is no variable with the value reference {reference}"));
        };
        match variable.causality {
            Causality::Independent => return Ok(self.time),
            Causality::Output | Causality::Local => {}
            _ => return Ok(self.values[reference]),
        }
        let role = variable.role;
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
        // At the start the regulator has looked before anybody asks.
        if self.regulator.is_some() && self.samples == 0 {
            self.sample_if_due()?;
        }
        let (q, qd) = self.joints()?;
        let efforts = self.efforts();
        let (Some(robot), Some(state)) = (&self.robot, &self.state) else { return Ok(Vec::new()) };
        let equations = MotionEquations::of(robot).map_err(|error| error.to_string())?;
        let platform = equations.platform(state).map_err(|fault| fault.to_string())?;
        let energy = equations.energy(state).map_err(|fault| fault.to_string())?;
        let pose = self.model.schema().coordinates_of(&platform);
        let velocity: Vec<f64> =
            robot.freedoms().iter().map(|freedom| platform.twist[freedom.component]).collect();
        let mut numbers = vec![0.0; self.states()];
        equations.numbers(state, &mut numbers);
        let has_fault = self.regulator.as_mut().is_some_and(|owned| owned.controller().fault().is_some());
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

    /// Model exchange: the continuous states.
    pub fn continuous_states(&mut self, out: &mut [f64]) -> Result<(), String> {
        self.ready()?;
        if let (Some(robot), Some(state)) = (&self.robot, &self.state) {
            MotionEquations::of(robot).map_err(|error| error.to_string())?.numbers(state, out);
        }
        Ok(())
    }

    /// Model exchange: other continuous states.
    pub fn set_continuous_states(&mut self, numbers: &[f64]) -> Result<(), String> {
        if let Some(place) = numbers.iter().position(|x| !x.is_finite()) {
            return Err(format!("state {} cannot be {}", place + 1, numbers[place]));
        }
        self.ready()?;
        self.outputs = None;
        if let (Some(robot), Some(state)) = (&self.robot, &mut self.state) {
            MotionEquations::of(robot).map_err(|error| error.to_string())?.set_numbers(state, numbers);
        }
        Ok(())
    }

    /// Model exchange: the rates of the continuous states.
    pub fn derivatives(&mut self, out: &mut [f64]) -> Result<(), String> {
        self.ready()?;
        let (efforts, wrench) = (self.efforts(), self.wrench()?);
        if let (Some(robot), Some(state)) = (&self.robot, &self.state) {
            let equations = MotionEquations::of(robot).map_err(|error| error.to_string())?;
            equations.rate(state, &efforts, &wrench, out).map_err(|fault| fault.to_string())?;
        }
        Ok(())
    }

    /// Model exchange: a step was taken. Tells whether the states are so far off closed loops that they should be put back.
    pub fn completed_step(&mut self) -> Result<bool, String> {
        let Some((settled, off)) = self.settled()? else { return Ok(false) };
        if off <= OFF {
            // Where legs are is known from here on; the numbers stay those of the integrator.
            let mut numbers = vec![0.0; self.states()];
            self.continuous_states(&mut numbers)?;
            self.state = Some(settled);
            self.set_continuous_states(&numbers)?;
        }
        Ok(off > OFF)
    }

    /// Model exchange, at an event: puts the states back onto closed loops; tells whether they changed.
    pub fn put_back(&mut self) -> Result<bool, String> {
        let Some((settled, off)) = self.settled()? else { return Ok(false) };
        let changes = off > OFF;
        if changes {
            (self.state, self.outputs) = (Some(settled), None);
        }
        Ok(changes)
    }

    /// The state put back onto closed loops, and by how much its numbers change.
    fn settled(&mut self) -> Result<Option<(MotionState, f64)>, String> {
        self.ready()?;
        let (Some(robot), Some(state)) = (&self.robot, &self.state) else { return Ok(None) };
        let equations = MotionEquations::of(robot).map_err(|error| error.to_string())?;
        let mut settled = state.clone();
        equations.settle(0.0, state, &mut settled).map_err(|fault| fault.to_string())?;
        let mut both = [vec![0.0; equations.count()], vec![0.0; equations.count()]];
        equations.numbers(state, &mut both[0]);
        equations.numbers(&settled, &mut both[1]);
        let apart = both[0].iter().zip(&both[1]).map(|(a, b)| (a - b).abs());
        Ok(Some((settled, apart.fold(0.0, f64::max))))
    }

    /// Everything as it is now; in the place of a state of this unit that is not needed any more, if there is one.
    pub fn snapshot(&mut self, old: Option<&Snapshot>) -> Snapshot {
        let slot = match old {
            Some(old) if old.unit == self.number => old.slot,
            _ => self.free.pop().unwrap_or_else(|| {
                self.slots += 1;
                self.slots - 1
            }),
        };
        if let Some(owned) = &mut self.regulator {
            owned.controller().keep(slot);
        }
        Snapshot {
            unit: self.number,
            values: self.values.clone(),
            state: self.state.clone(),
            time: self.time,
            begin: self.begin,
            samples: self.samples,
            command: self.command.clone(),
            slot,
        }
    }

    /// A state is not needed any more.
    pub fn release(&mut self, old: &Snapshot) {
        if old.unit == self.number {
            self.free.push(old.slot);
        }
    }

    /// Everything as it was.
    pub fn restore(&mut self, kept: &Snapshot) -> Result<(), String> {
        if kept.values.len() != self.values.len() || kept.command.len() != self.command.len() {
            return Err("the state is of another unit".into());
        }
        if let Some(owned) = &mut self.regulator {
            if kept.unit != self.number {
                return Err("with a regulator inside, the state of another unit cannot be taken over".into());
            }
            if !owned.controller().restore(kept.slot) {
                return Err("the regulator was made anew since this state was taken".into());
            }
        }
        self.values.clone_from(&kept.values);
        self.state.clone_from(&kept.state);
        self.command.clone_from(&kept.command);
        (self.time, self.begin, self.samples) = (kept.time, kept.begin, kept.samples);
        (self.robot, self.outputs) = (None, None);
        self.ready()
    }

    /// A kept state as bytes: numbers one after the other, little end first.
    pub fn to_bytes(&self, kept: &Snapshot) -> Vec<u8> {
        let mut numbers = vec![self.model.variables().len() as f64, kept.time, kept.begin];
        numbers.extend(&kept.values);
        let mut states = vec![f64::NAN; self.states()];
        if let (Some(state), Some(robot)) = (&kept.state, &self.robot)
            && let Ok(equations) = MotionEquations::of(robot)
        {
            equations.numbers(state, &mut states);
        }
        numbers.extend(states);
        numbers.into_iter().flat_map(f64::to_le_bytes).collect()
    }

    /// The same from bytes. Legs without a closed form are followed from home to where they were.
    pub fn of_bytes(&mut self, bytes: &[u8]) -> Result<Snapshot, String> {
        let wrong = || "the bytes are no state of this unit".to_owned();
        if self.regulator.is_some() {
            return Err("the state of a unit with a regulator inside is kept in memory only".into());
        }
        let (whole, rest) = bytes.as_chunks::<8>();
        let numbers: Vec<f64> = whole.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
        let (variables, states) = (self.model.variables().len(), self.states());
        if !rest.is_empty() || numbers.len() != 3 + variables + states || numbers[0] != variables as f64 {
            return Err(wrong());
        }
        let now = self.snapshot(None);
        self.release(&now);
        let (values, own) = numbers[3..].split_at(variables);
        if values.iter().any(|x| !x.is_finite()) {
            return Err(wrong());
        }
        let mut kept = Snapshot {
            values: values.to_vec(),
            time: numbers[1],
            begin: numbers[2],
            state: None,
            ..now.clone()
        };
        if own.iter().all(|x| x.is_finite()) {
            self.restore(&kept)?;
            let mut state = self.state.clone();
            if let (Some(robot), Some(state)) = (&self.robot, &mut state) {
                MotionEquations::of(robot).map_err(|error| error.to_string())?.set_numbers(state, own);
            }
            kept.state = state;
            self.restore(&now)?;
        }
        Ok(kept)
    }
}

/// Two instants so near to each other are one, as a part of the time.
const ROUNDING: f64 = 1e-12;
