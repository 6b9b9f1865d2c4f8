//! A mechanism as equations of motion in all rates of its tree, its loops kept closed in one of three ways.

use super::MechanismRobot;
use super::form::{Coordinates, MOST_COORDINATES, list};
use super::rattle::RattleRoom;
use crate::mechanism::{OpenRoom, OpenTree};
use legwork_core::V3;
use legwork_core::engine::{Pose, Twist};
use legwork_core::integrate::{List, Vector};
use legwork_core::motion::{Energy, Fault, Formulation, Load, Rate};
use legwork_core::robots::delta::constrained::Baumgarte;
use std::cell::RefCell;

/// Newton's corrections of a step.
const CORRECTIONS: u16 = 12;
/// Gaps below this, in lengths of the mechanism and rad, are closed.
const CLOSED: f64 = 1e-14;
/// Gaps that are as small as rounding lets them be.
const ROUNDING: f64 = 1e-12;

/// How the loops of a mechanism are kept closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Closing {
    /// Index-1 form with multipliers; gaps are pulled back: ḧ + α₁ ḣ + α₀ h = 0 \[Bortoff2018, Eq. 14–16, 20–23\].
    Pulled(Baumgarte<f64>),
    /// The same without pulling; put back after each step.
    Projected,
    /// Momenta in place of velocities \[Bortoff2018, Eq. 17–19\]; put back after each step.
    Momenta,
}

/// One number for each rate of the tree.
pub(super) type Rates = List<f64, MOST_COORDINATES>;
/// Coordinates of the tree, then rates of the tree or their momenta.
pub(super) type State = (Coordinates, Rates);

/// A mechanism that moves in time with its loops open, dry friction passing smoothly through zero.
///
/// With momenta p = M u the second half of the state changes with
///
/// ```text
/// ṗ = M u̇ + Ṁ u,   u from  M u = p + Hᵀ μ, H u = 0                                  (1)
/// ```
///
/// where u̇ is that of the other forms.
pub(crate) struct OpenTreeForm<'a> {
    pub(super) robot: &'a MechanismRobot,
    pub(super) tree: OpenTree,
    closing: Closing,
    pub(super) room: RefCell<OpenRoom>,
    pub(super) rattle: RefCell<RattleRoom>,
}

impl<'a> OpenTreeForm<'a> {
    pub(crate) fn new(robot: &'a MechanismRobot, closing: Closing) -> Self {
        let robot = robot.smoothed();
        let tree = robot.model().open_tree();
        let room = RefCell::new(tree.room());
        Self { robot, tree, closing, room, rattle: RefCell::default() }
    }

    pub(super) fn still(&self) -> Rates {
        List::zeros(self.tree.freedoms())
    }

    /// Places and eliminates, or says why there is no answer.
    pub(super) fn eliminated(&self, coordinates: &Coordinates, room: &mut OpenRoom) -> Result<(), Fault> {
        self.tree.place(coordinates.as_slice(), room);
        let margin = self.tree.eliminate(room);
        if margin.is_nan() || margin <= 0.0 { Err(Fault::Singular { margin }) } else { Ok(()) }
    }

    /// The rates of a state, its rows eliminated.
    pub(super) fn rates(&self, second: &Rates, room: &mut OpenRoom) -> Rates {
        if self.closing != Closing::Momenta {
            return *second;
        }
        let mut rates = self.still();
        room.right.fill(0.0);
        self.tree.solve(Some(second.as_slice()), room, rates.as_mut_slice()); // (1)
        rates
    }

    /// The rates of a state, wherever it is; frames are placed.
    fn rates_at(&self, (coordinates, second): &State, room: &mut OpenRoom) -> Result<Rates, Fault> {
        if self.closing == Closing::Momenta {
            self.eliminated(coordinates, room)?;
        } else {
            self.tree.place(coordinates.as_slice(), room);
        }
        Ok(self.rates(second, room))
    }

    /// Rates, or their momenta at the frames that are placed.
    pub(super) fn second(&self, rates: &Rates, room: &mut OpenRoom) -> Rates {
        if self.closing != Closing::Momenta {
            return *rates;
        }
        let mut momenta = self.still();
        self.tree.momenta(rates.as_slice(), room, momenta.as_mut_slice());
        momenta
    }

    /// What motors, weight, friction, springs and outside wrench do to the tree at these rates, less what velocities alone
    /// need; then what motors and wrench give, and what friction takes \[W\]. Leaves γ.
    pub(super) fn applied(&self, rates: &Rates, load: &Load<'_>, room: &mut OpenRoom) -> (Rates, f64, f64) {
        let plan = self.tree.plan();
        let twist = plan.platform_twist(&self.tree.set_rates(rates.as_slice(), room));
        self.tree.hold(&load.wrench, room);
        let mut force = self.still();
        for (slot, hold) in force.as_mut_slice().iter_mut().zip(&room.holding) {
            *slot = -hold;
        }
        let rate_of = |freedom: usize| rates.as_slice().get(freedom).copied().unwrap_or(f64::NAN);
        let (mut work, mut dissipation) = (load.wrench.power(twist), 0.0);
        for (motor, effort) in plan.motors.iter().zip(load.effort) {
            work += effort * rate_of(motor.freedom);
            if let Some(slot) = force.as_mut_slice().get_mut(motor.freedom) {
                *slot += effort;
            }
        }
        for drive in plan.motors.iter().chain(plan.drags) {
            let rate = rate_of(drive.freedom);
            dissipation += drive.drive.friction(rate) * rate;
        }
        (force, work, dissipation)
    }

    pub(super) fn flow(&self, coordinates: &Coordinates, rates: &Rates) -> Coordinates {
        let mut derivative = List::zeros(coordinates.as_slice().len());
        self.tree.plan().flow(coordinates.as_slice(), rates.as_slice(), derivative.as_mut_slice());
        derivative
    }
}

impl Formulation for OpenTreeForm<'_> {
    type State = State;

    fn motors(&self) -> usize {
        self.tree.plan().motors.len()
    }

    fn rate(&self, x: &State, load: &Load<'_>) -> Result<Rate<State>, Fault> {
        let motors = self.motors();
        if load.effort.len() != motors {
            return Err(Fault::Count { motors, found: load.effort.len() });
        }
        let room = &mut *self.room.borrow_mut();
        self.eliminated(&x.0, room)?;
        let rates = self.rates(&x.1, room);
        let (force, work, dissipation) = self.applied(&rates, load, room);
        let Baumgarte { alpha1, alpha0 } = match self.closing {
            Closing::Pulled(pull) => pull,
            _ => Baumgarte::none(),
        };
        let mut right = std::mem::take(&mut room.right);
        self.tree.opening(rates.as_slice(), room, &mut right);
        for (right, (gamma, gap)) in right.iter_mut().zip(room.gammas.iter().zip(&room.gaps)) {
            *right = -(gamma + alpha1 * *right + alpha0 * gap);
        }
        room.right = right;
        let mut second = self.still();
        self.tree.solve(Some(force.as_slice()), room, second.as_mut_slice());
        let flow = self.flow(&x.0, &rates);
        if self.closing == Closing::Momenta {
            let mut turning = self.still();
            let along = (x.0.as_slice(), flow.as_slice());
            self.tree.momenta_rate(along, rates.as_slice(), room, turning.as_mut_slice());
            second = self.second(&second, room).zip(&turning, |a, b| a + b); // (1)
        }
        Ok(Rate { state: (flow, second), work, dissipation })
    }

    fn position_rate(&self, x: &State) -> Result<State, Fault> {
        let rates = self.rates_at(x, &mut self.room.borrow_mut())?;
        Ok((self.flow(&x.0, &rates), Rates::zero()))
    }

    fn without_position_rate(&self, (_, second): &State) -> State {
        (Coordinates::zero(), *second)
    }

    /// Closes the loops again by steps that are short in the metric of M, unless gaps are pulled; quaternions get their
    /// length back.
    fn settle(&self, _h: f64, _before: &State, x: &mut State) -> Result<bool, Fault> {
        let room = &mut *self.room.borrow_mut();
        let plan = self.tree.plan();
        plan.step(x.0.as_mut_slice(), self.still().as_slice());
        if let Closing::Pulled(_) = self.closing {
            return Ok(true);
        }
        let mut last = f64::INFINITY;
        for steps in 0..=CORRECTIONS {
            let [gap, _] = self.tree.place(x.0.as_slice(), room);
            if gap <= CLOSED || (gap <= ROUNDING && gap >= 0.5 * last) {
                break;
            }
            if gap.is_nan() || gap > 0.1 || steps == CORRECTIONS {
                return Err(Fault::Open { gap: gap * self.robot.length(), steps });
            }
            last = gap;
            self.eliminated(&x.0, room)?;
            for (right, gap) in room.right.iter_mut().zip(&room.gaps) {
                *right = -gap;
            }
            let mut step = self.still();
            self.tree.solve(None, room, step.as_mut_slice());
            plan.step(x.0.as_mut_slice(), step.as_slice());
        }
        self.eliminated(&x.0, room)?;
        let mut rates = self.rates(&x.1, room);
        // The nearest rates that keep the loops closed; once more against rounding.
        for _ in 0..2 {
            let mut right = std::mem::take(&mut room.right);
            self.tree.opening(rates.as_slice(), room, &mut right);
            for x in &mut right {
                *x = -*x;
            }
            room.right = right;
            let mut more = self.still();
            self.tree.solve(None, room, more.as_mut_slice());
            rates = rates.zip(&more, |a, b| a + b);
        }
        x.1 = self.second(&rates, room);
        Ok(true)
    }

    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<State, Fault> {
        let (at, rates) = self.robot.start_at(pose, twist)?;
        let rates = list(&rates);
        let room = &mut *self.room.borrow_mut();
        self.tree.place(at.coordinates(), room);
        Ok((list(at.coordinates()), self.second(&rates, room)))
    }

    fn platform(&self, x: &State) -> (Pose<f64>, Twist<f64>) {
        let room = &mut *self.room.borrow_mut();
        let unknown = Twist::new(V3::splat(f64::NAN), V3::splat(f64::NAN));
        let rates = self.rates_at(x, room);
        let plan = self.tree.plan();
        let memory = self.tree.set_rates(rates.unwrap_or_else(|_| self.still()).as_slice(), room);
        let pose = plan.platform_frame(&memory).to_pose();
        let twist = if rates.is_ok() { plan.platform_twist(&memory) } else { unknown };
        (Pose::new(pose.rotation, pose.position + self.robot.origin()), twist)
    }

    fn joints(&self, x: &State, q: &mut [f64], qdot: &mut [f64]) -> Result<(), Fault> {
        let rates = self.rates_at(x, &mut self.room.borrow_mut())?;
        for (motor, (q, qdot)) in self.tree.plan().motors.iter().zip(q.iter_mut().zip(qdot)) {
            *q = x.0.as_slice().get(motor.coordinate).copied().unwrap_or(f64::NAN);
            *qdot = rates.as_slice().get(motor.freedom).copied().unwrap_or(f64::NAN);
        }
        Ok(())
    }

    fn energy(&self, x: &State) -> Energy {
        let room = &mut *self.room.borrow_mut();
        let Ok(rates) = self.rates_at(x, room) else {
            return Energy { kinetic: f64::NAN, potential: f64::NAN };
        };
        let plan = self.tree.plan();
        let memory = self.tree.set_rates(rates.as_slice(), room);
        let potential = plan.potential_energy(&memory) + self.robot.resting_energy;
        Energy { kinetic: plan.kinetic_energy(&memory), potential }
    }

    /// With momenta: those of the new masses.
    fn taken_over(&self, before: &Self, x: &State) -> State {
        let Ok(rates) = before.rates_at(x, &mut before.room.borrow_mut()) else { return *x };
        let room = &mut *self.room.borrow_mut();
        self.tree.place(x.0.as_slice(), room);
        (x.0, self.second(&rates, room))
    }

    fn loop_gap(&self, x: &State) -> f64 {
        self.tree.place(x.0.as_slice(), &mut self.room.borrow_mut())[1]
    }
}
