//! A mechanism as equations of motion: the coordinates of its tree, and the rates of its independent motors.

use super::MechanismRobot;
use crate::mechanism::{Configuration, Workspace};
use legwork_core::engine::{Pose, StateError, Twist, Wrench};
use legwork_core::integrate::{List, Vector};
use legwork_core::mechanism::{Memory, Motion, Plan};
use legwork_core::motion::{Energy, Fault, Formulation, Load, Rate};
use std::cell::RefCell;

/// Most coordinates of a tree.
pub(super) const MOST_COORDINATES: usize = 256;
/// Most independent motors.
const MOST_RATES: usize = 16;
/// Most motors.
const MOST_MOTORS: usize = super::MAX_MOTORS;
/// Newton's corrections of a step.
const CORRECTIONS: u16 = 8;
/// Gaps below this, in lengths of the mechanism and rad, are closed.
const CLOSED: f64 = 1e-13;
/// Below this margin a posture is singular.
const SINGULAR: f64 = 1e-6;
/// Accelerations from rest, as a part of those of a fall, that are rounding: of sums of some dozen terms, times the
/// condition of the mass matrix.
const HELD: f64 = 1e-12;

pub(super) type Coordinates = List<f64, MOST_COORDINATES>;
type Rates = List<f64, MOST_RATES>;
type State = (Coordinates, Rates);

/// A mechanism that moves in time, dry friction passing smoothly through zero.
pub(crate) struct MechanismForm<'a> {
    robot: &'a MechanismRobot,
    plan: Plan<'a, f64>,
    room: RefCell<Workspace<f64>>,
}

pub(super) fn list<const N: usize>(numbers: &[f64]) -> List<f64, N> {
    let mut list = List::zeros(numbers.len());
    list.as_mut_slice().iter_mut().zip(numbers).for_each(|(slot, value)| *slot = *value);
    list
}

impl<'a> MechanismForm<'a> {
    pub(super) fn new(robot: &'a MechanismRobot) -> Self {
        let model = robot.model();
        Self { robot, plan: model.plan(), room: RefCell::new(model.workspace()) }
    }

    /// The robot, with dry friction that passes smoothly through zero.
    pub(crate) fn robot(&self) -> &'a MechanismRobot {
        self.robot
    }

    /// The gap of the loops at some coordinates, in proportion; frames and gaps are left in the memory.
    fn gap(&self, coordinates: &[f64], memory: &mut Memory<'_, f64>) -> f64 {
        self.plan.place(coordinates, memory);
        let (lengths, angles) = self.plan.gaps(memory);
        (lengths / self.robot.length().powi(2) + angles).sqrt()
    }

    /// The state in the memory, prepared; the margin.
    fn prepare(&self, (coordinates, rates): &State, memory: &mut Memory<'_, f64>) -> Result<(), Fault> {
        let motion = Motion {
            coordinates: coordinates.as_slice(),
            rates: rates.as_slice(),
            idle: None,
            wrench: Wrench::zero(),
        };
        let margin = self.plan.prepare(&motion, memory);
        if margin.is_nan() || margin <= SINGULAR {
            return Err(StateError::Singular { margin }.into());
        }
        Ok(())
    }

    /// Makes accelerations from rest zero that are rounding beside those of a fall: a mechanism that its motors hold stays
    /// where it is. Their noise would wake dry friction, which is stiff around zero.
    fn stay_at_rest(&self, accelerations: &mut Rates, memory: &mut Memory<'_, f64>) {
        let size = |list: &Rates| list.as_slice().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let mut falling = Rates::zeros(accelerations.as_slice().len());
        let free = [0.0; MOST_MOTORS];
        let Some(efforts) = free.get(..self.plan.motors.len()) else { return };
        self.plan.move_bodies(memory);
        self.plan.accelerations_for(efforts, &Wrench::zero(), falling.as_mut_slice(), memory);
        if size(accelerations) <= HELD * size(&falling) {
            accelerations.as_mut_slice().fill(0.0);
        }
    }

    fn flow(&self, coordinates: &Coordinates, memory: &Memory<'_, f64>) -> Coordinates {
        let mut derivative = List::zeros(coordinates.as_slice().len());
        self.plan.flow(coordinates.as_slice(), memory.rates, derivative.as_mut_slice());
        derivative
    }
}

impl MechanismRobot {
    /// Where a motion begins: the configuration, and the rates of the independent motors.
    pub(super) fn start_at(
        &self,
        pose: &Pose<f64>,
        twist: Twist<f64>,
    ) -> Result<(Configuration, Vec<f64>), Fault> {
        let platform = super::state_of(pose);
        let mut start = super::PlatformState { twist: twist.to_vector_linear_first(), ..platform };
        // Components that follow from the others are left out.
        for (place, component) in start.twist.iter_mut().enumerate() {
            if !self.freedoms().iter().any(|freedom| freedom.component == place) {
                *component = 0.0;
            }
        }
        let (at, rates) = self.configuration_and_rates(&start).map_err(|_| {
            // The robot itself said more before the run began.
            Fault::from(StateError::Singular { margin: 0.0 })
        })?;
        let (most, found) = (MOST_COORDINATES, at.coordinates().len());
        if found > most {
            return Err(Fault::TooMany { what: "coordinates", most, found });
        }
        Ok((at, rates))
    }
}

impl Formulation for MechanismForm<'_> {
    type State = State;

    fn motors(&self) -> usize {
        self.plan.motors.len()
    }

    fn rate(&self, x: &State, load: &Load<'_>) -> Result<Rate<State>, Fault> {
        let motors = self.motors();
        if load.effort.len() != motors {
            return Err(Fault::Count { motors, found: load.effort.len() });
        }
        let mut room = self.room.borrow_mut();
        let mut memory = room.memory();
        self.prepare(x, &mut memory)?;
        let coordinates = self.flow(&x.0, &memory);
        let twist = self.plan.platform_twist(&memory);
        let mut accelerations = Rates::zeros(x.1.as_slice().len());
        let margin =
            self.plan.accelerations_for(load.effort, &load.wrench, accelerations.as_mut_slice(), &mut memory);
        if margin.is_nan() || margin <= 0.0 {
            return Err(StateError::NoMass { margin }.into());
        }
        if x.1.as_slice().iter().all(|rate| *rate == 0.0) {
            self.stay_at_rest(&mut accelerations, &mut memory);
        }
        let (mut work, mut dissipation) = (load.wrench.power(twist), 0.0);
        for (motor, effort) in self.plan.motors.iter().zip(load.effort) {
            let rate = memory.rates.get(motor.freedom).copied().unwrap_or(f64::NAN);
            work += effort * rate;
            dissipation += motor.drive.friction(rate) * rate;
        }
        for drag in self.plan.drags {
            let rate = memory.rates.get(drag.freedom).copied().unwrap_or(f64::NAN);
            dissipation += drag.drive.friction(rate) * rate;
        }
        Ok(Rate { state: (coordinates, accelerations), work, dissipation })
    }

    fn position_rate(&self, x: &State) -> Result<State, Fault> {
        let mut room = self.room.borrow_mut();
        let mut memory = room.memory();
        self.prepare(x, &mut memory)?;
        Ok((self.flow(&x.0, &memory), Rates::zero()))
    }

    fn without_position_rate(&self, (_, rates): &State) -> State {
        (Coordinates::zero(), *rates)
    }

    /// Closes the loops again; quaternions get their length back.
    fn settle(&self, _h: f64, _before: &State, x: &mut State) -> Result<bool, Fault> {
        let mut room = self.room.borrow_mut();
        let mut memory = room.memory();
        let still = Rates::zeros(x.1.as_slice().len());
        let mut last = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            let gap = self.gap(x.0.as_slice(), &mut memory);
            if gap <= CLOSED || (gap <= 1e-9 && gap >= 0.5 * last) {
                break;
            }
            if gap.is_nan() || gap > 0.1 {
                return Err(Fault::Open { gap: gap * self.robot.length(), steps: CORRECTIONS });
            }
            last = gap;
            self.plan.close(&mut memory);
            self.plan.closing_step(still.as_slice(), &mut memory);
            self.plan.step(x.0.as_mut_slice(), memory.accelerations);
        }
        Ok(true)
    }

    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<State, Fault> {
        let (at, rates) = self.robot.start_at(pose, twist)?;
        Ok((list(at.coordinates()), list(&rates)))
    }

    fn platform(&self, x: &State) -> (Pose<f64>, Twist<f64>) {
        let mut room = self.room.borrow_mut();
        let mut memory = room.memory();
        let motion =
            Motion { coordinates: x.0.as_slice(), rates: x.1.as_slice(), idle: None, wrench: Wrench::zero() };
        self.plan.prepare(&motion, &mut memory);
        let pose = self.plan.platform_frame(&memory).to_pose();
        let shifted = Pose::new(pose.rotation, pose.position + self.robot.origin());
        (shifted, self.plan.platform_twist(&memory))
    }

    fn joints(&self, x: &State, q: &mut [f64], qdot: &mut [f64]) -> Result<(), Fault> {
        let mut room = self.room.borrow_mut();
        let mut memory = room.memory();
        self.prepare(x, &mut memory)?;
        for (motor, (q, qdot)) in self.plan.motors.iter().zip(q.iter_mut().zip(qdot)) {
            *q = x.0.as_slice().get(motor.coordinate).copied().unwrap_or(f64::NAN);
            *qdot = memory.rates.get(motor.freedom).copied().unwrap_or(f64::NAN);
        }
        Ok(())
    }

    fn energy(&self, x: &State) -> Energy {
        let mut room = self.room.borrow_mut();
        let mut memory = room.memory();
        let motion =
            Motion { coordinates: x.0.as_slice(), rates: x.1.as_slice(), idle: None, wrench: Wrench::zero() };
        self.plan.prepare(&motion, &mut memory);
        let potential = self.plan.potential_energy(&memory) + self.robot.resting_energy;
        Energy { kinetic: self.plan.kinetic_energy(&memory), potential }
    }

    fn loop_gap(&self, x: &State) -> f64 {
        let mut room = self.room.borrow_mut();
        let mut memory = room.memory();
        self.plan.place(x.0.as_slice(), &mut memory);
        let (lengths, _) = self.plan.gaps(&mut memory);
        lengths.sqrt()
    }
}
