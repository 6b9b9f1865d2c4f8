//! A mechanism as equations of motion: the coordinates of its tree, and the rates of its motors.
//!
//! Where it has more motors than freedoms, rates of some follow from the others; which ones is a matter of the order of
//! elimination, which may change along a motion. So the state has all of them, and is the same in every order.

use super::MechanismRobot;
use crate::mechanism::{Configuration, MechanismModel, Ordered, Workspace};
use legwork_core::engine::{Pose, StateError, Twist, Wrench};
use legwork_core::integrate::{List, Vector};
use legwork_core::mechanism::{Memory, Motion, Plan};
use legwork_core::motion::{Energy, Fault, Formulation, Load, Rate};
use std::cell::RefCell;

/// Most coordinates of a tree.
pub(super) const MOST_COORDINATES: usize = 256;
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
type Rates = List<f64, MOST_MOTORS>;
type State = (Coordinates, Rates);

/// A mechanism that moves in time, dry friction passing smoothly through zero.
pub(crate) struct MechanismForm<'a> {
    robot: &'a MechanismRobot,
    room: RefCell<Ordered>,
}

/// A state in the memory, in an order that serves there.
struct Prepared<'r> {
    plan: Plan<'r, f64>,
    memory: Memory<'r, f64>,
    margin: f64,
}

impl Prepared<'_> {
    /// Refuses a singular posture.
    fn checked(self) -> Result<Self, Fault> {
        let margin = self.margin;
        if margin.is_nan() || margin <= SINGULAR {
            return Err(StateError::Singular { margin }.into());
        }
        Ok(self)
    }
}

pub(super) fn list<const N: usize>(numbers: &[f64]) -> List<f64, N> {
    let mut list = List::zeros(numbers.len());
    list.as_mut_slice().iter_mut().zip(numbers).for_each(|(slot, value)| *slot = *value);
    list
}

impl<'a> MechanismForm<'a> {
    pub(super) fn new(robot: &'a MechanismRobot) -> Self {
        let model = robot.model();
        Self { robot, room: RefCell::new(Ordered::new(model)) }
    }

    /// The robot, with dry friction that passes smoothly through zero.
    pub(crate) fn robot(&self) -> &'a MechanismRobot {
        self.robot
    }

    /// A state, prepared. Where the pivots have become small, others are chosen.
    fn prepared<'r>(&'r self, x: &State, room: &'r mut Ordered) -> Prepared<'r> {
        let model = self.robot.model();
        let mut margin = prepare(x, room.parts(model));
        if room.improve(model, x.0.as_slice(), margin) {
            margin = prepare(x, room.parts(model));
        }
        let (model, workspace) = room.parts(model);
        Prepared { plan: model.plan(), memory: workspace.memory(), margin }
    }

    /// Makes accelerations from rest zero that are rounding beside those of a fall: a mechanism that its motors hold stays
    /// where it is. Their noise would wake dry friction, which is stiff around zero.
    fn stay_at_rest(accelerations: &mut Rates, Prepared { plan, memory, .. }: &mut Prepared<'_>) {
        let size = |list: &[f64]| list.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let mut falling = [0.0; MOST_MOTORS];
        let free = [0.0; MOST_MOTORS];
        let (Some(efforts), Some(falling)) =
            (free.get(..plan.motors.len()), falling.get_mut(..plan.independent()))
        else {
            return;
        };
        plan.move_bodies(memory);
        plan.accelerations_for(efforts, &Wrench::zero(), falling, memory);
        if size(accelerations.as_slice()) <= HELD * size(falling) {
            accelerations.as_mut_slice().fill(0.0);
        }
    }
}

/// A state in the memory; the margin.
fn prepare((coordinates, rates): &State, (model, room): (&MechanismModel, &mut Workspace<f64>)) -> f64 {
    let plan = model.plan();
    let mut own = [0.0; MOST_MOTORS];
    for (motor, rate) in plan.motors.iter().zip(rates.as_slice()) {
        if let Some(slot) = own.get_mut(motor.independent) {
            *slot = *rate;
        }
    }
    let rates = own.get(..plan.independent()).unwrap_or_default();
    let motion = Motion { coordinates: coordinates.as_slice(), rates, idle: None, wrench: Wrench::zero() };
    plan.prepare(&motion, &mut room.memory())
}

/// How the coordinates change at the rates in the memory.
fn flow(coordinates: &Coordinates, Prepared { plan, memory, .. }: &Prepared<'_>) -> Coordinates {
    let mut derivative = List::zeros(coordinates.as_slice().len());
    plan.flow(coordinates.as_slice(), memory.rates, derivative.as_mut_slice());
    derivative
}

impl MechanismRobot {
    /// Where a motion begins: the configuration, and all rates of the tree.
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
        self.robot.joints().len()
    }

    fn rate(&self, x: &State, load: &Load<'_>) -> Result<Rate<State>, Fault> {
        let motors = self.motors();
        if load.effort.len() != motors {
            return Err(Fault::Count { motors, found: load.effort.len() });
        }
        let mut room = self.room.borrow_mut();
        let mut here = self.prepared(x, &mut room).checked()?;
        let coordinates = flow(&x.0, &here);
        let Prepared { plan, memory, .. } = &mut here;
        let twist = plan.platform_twist(memory);
        let mut own = [0.0; MOST_MOTORS];
        let Some(own) = own.get_mut(..plan.independent()) else {
            return Err(Fault::TooMany { what: "motors", most: MOST_MOTORS, found: motors });
        };
        let margin = plan.accelerations_for(load.effort, &load.wrench, own, memory);
        if margin.is_nan() || margin <= 0.0 {
            return Err(StateError::NoMass { margin }.into());
        }
        let mut accelerations = Rates::zeros(motors);
        for (slot, motor) in accelerations.as_mut_slice().iter_mut().zip(plan.motors) {
            *slot = memory.accelerations.get(motor.freedom).copied().unwrap_or(f64::NAN);
        }
        let (mut work, mut dissipation) = (load.wrench.power(twist), 0.0);
        for (motor, effort) in plan.motors.iter().zip(load.effort) {
            let rate = memory.rates.get(motor.freedom).copied().unwrap_or(f64::NAN);
            work += effort * rate;
            dissipation += motor.drive.friction(rate) * rate;
        }
        for drag in plan.drags {
            let rate = memory.rates.get(drag.freedom).copied().unwrap_or(f64::NAN);
            dissipation += drag.drive.friction(rate) * rate;
        }
        if x.1.as_slice().iter().all(|rate| *rate == 0.0) {
            Self::stay_at_rest(&mut accelerations, &mut here);
        }
        Ok(Rate { state: (coordinates, accelerations), work, dissipation })
    }

    fn position_rate(&self, x: &State) -> Result<State, Fault> {
        let mut room = self.room.borrow_mut();
        let here = self.prepared(x, &mut room).checked()?;
        Ok((flow(&x.0, &here), Rates::zero()))
    }

    fn without_position_rate(&self, (_, rates): &State) -> State {
        (Coordinates::zero(), *rates)
    }

    /// Closes the loops again; quaternions get their length back, and rates of motors that follow from others become those.
    fn settle(&self, _h: f64, _before: &State, x: &mut State) -> Result<bool, Fault> {
        let mut room = self.room.borrow_mut();
        let (model, workspace) = room.parts(self.robot.model());
        let (plan, mut memory) = (model.plan(), workspace.memory());
        let still = [0.0; MOST_MOTORS];
        let still = still.get(..plan.independent()).unwrap_or_default();
        let mut last = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            plan.place(x.0.as_slice(), &mut memory);
            let (lengths, angles) = plan.gaps(&mut memory);
            let gap = (lengths / self.robot.length().powi(2) + angles).sqrt();
            if gap <= CLOSED || (gap <= 1e-9 && gap >= 0.5 * last) {
                break;
            }
            if gap.is_nan() || gap > 0.1 {
                return Err(Fault::Open { gap: gap * self.robot.length(), steps: CORRECTIONS });
            }
            last = gap;
            plan.close(&mut memory);
            plan.closing_step(still, &mut memory);
            plan.step(x.0.as_mut_slice(), memory.accelerations);
        }
        if plan.independent() < plan.motors.len() {
            let here = self.prepared(x, &mut room);
            for (slot, motor) in x.1.as_mut_slice().iter_mut().zip(here.plan.motors) {
                *slot = here.memory.rates.get(motor.freedom).copied().unwrap_or(f64::NAN);
            }
        }
        Ok(true)
    }

    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<State, Fault> {
        let (at, rates) = self.robot.start_at(pose, twist)?;
        let motors = self.robot.model().plan().motors;
        let mut own = Rates::zeros(motors.len());
        for (slot, motor) in own.as_mut_slice().iter_mut().zip(motors) {
            *slot = rates.get(motor.freedom).copied().unwrap_or(f64::NAN);
        }
        Ok((list(at.coordinates()), own))
    }

    fn platform(&self, x: &State) -> (Pose<f64>, Twist<f64>) {
        let mut room = self.room.borrow_mut();
        let here = self.prepared(x, &mut room);
        let pose = here.plan.platform_frame(&here.memory).to_pose();
        let shifted = Pose::new(pose.rotation, pose.position + self.robot.origin());
        (shifted, here.plan.platform_twist(&here.memory))
    }

    fn joints(&self, x: &State, q: &mut [f64], qdot: &mut [f64]) -> Result<(), Fault> {
        let mut room = self.room.borrow_mut();
        let here = self.prepared(x, &mut room).checked()?;
        for (motor, (q, qdot)) in here.plan.motors.iter().zip(q.iter_mut().zip(qdot)) {
            *q = x.0.as_slice().get(motor.coordinate).copied().unwrap_or(f64::NAN);
            *qdot = here.memory.rates.get(motor.freedom).copied().unwrap_or(f64::NAN);
        }
        Ok(())
    }

    fn energy(&self, x: &State) -> Energy {
        let mut room = self.room.borrow_mut();
        let here = self.prepared(x, &mut room);
        let potential = here.plan.potential_energy(&here.memory) + self.robot.resting_energy;
        Energy { kinetic: here.plan.kinetic_energy(&here.memory), potential }
    }

    fn loop_gap(&self, x: &State) -> f64 {
        let mut room = self.room.borrow_mut();
        let (model, workspace) = room.parts(self.robot.model());
        let (plan, mut memory) = (model.plan(), workspace.memory());
        plan.place(x.0.as_slice(), &mut memory);
        let (lengths, _) = plan.gaps(&mut memory);
        lengths.sqrt()
    }
}
