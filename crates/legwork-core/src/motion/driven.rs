//! A formulation under an input: the system that integrators see.

use super::{Fault, Formulation, Load, MOST_MOTORS};
use crate::engine::{Pose, Twist, Wrench};
use crate::integrate::{Partitioned, System, Vector};

/// What drives a robot, as a function of time.
pub trait Input {
    /// Efforts of all motors at a time \[N·m or N\].
    fn effort(&mut self, t: f64, effort: &mut [f64]);

    /// Wrench on the platform from outside; none by default.
    fn wrench(&mut self, t: f64) -> Wrench<f64> {
        let _ = t;
        Wrench::zero()
    }

    /// Whether [`at_platform`](Self::at_platform) has anything to say.
    #[inline(always)]
    fn feels_platform(&self) -> bool {
        false
    }

    /// Wrench on the platform that depends on where it is and how it moves, such as inertial forces of the whole robot
    /// on a base that moves, carried over to the platform's freedoms.
    fn at_platform(&mut self, t: f64, pose: &Pose<f64>, twist: Twist<f64>) -> Wrench<f64> {
        let _ = (t, pose, twist);
        Wrench::zero()
    }

    /// Whether [`at_joints`](Self::at_joints) has anything to say; only then are positions and
    /// speeds computed for it.
    #[inline(always)]
    fn feels_joints(&self) -> bool {
        false
    }

    /// Changes the efforts by what depends on the joints: motors that lose effort at high
    /// speed, friction, stops.
    fn at_joints(&mut self, q: &[f64], qdot: &[f64], effort: &mut [f64]) -> Passive {
        let _ = (q, qdot, effort);
        Passive::default()
    }
}

/// What parts without a motor do among the efforts of [`Input::at_joints`] \[W\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Passive {
    /// What they give to the joints: no work of a motor.
    pub power: f64,
    /// What they turn into heat.
    pub heat: f64,
}

/// The same efforts always.
impl<const K: usize> Input for [f64; K] {
    fn effort(&mut self, _t: f64, effort: &mut [f64]) {
        super::fill(effort, *self);
    }
}

/// Energy that came and went since the start of a run \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyLedger {
    /// Given by motors and outside wrench.
    pub work: f64,
    /// Taken by friction.
    pub dissipation: f64,
}

/// A formulation with its input. The state is the formulation's own and the two entries of an [`EnergyLedger`].
#[derive(Clone, Copy, Debug)]
pub struct Driven<F, U> {
    /// The equations of motion.
    pub formulation: F,
    /// What drives them.
    pub input: U,
    effort: [f64; MOST_MOTORS],
    wrench: Wrench<f64>,
}

impl<F: Formulation, U: Input> Driven<F, U> {
    /// A robot and what drives it.
    pub fn new(formulation: F, input: U) -> Self {
        Self { formulation, input, effort: [0.0; MOST_MOTORS], wrench: Wrench::zero() }
    }

    /// Asks the input for what acts at a time and state.
    #[inline(always)]
    fn load(&mut self, t: f64, x: &F::State) -> Result<Passive, Fault> {
        let motors = self.formulation.motors();
        let found = self.effort.len();
        let effort = self.effort.get_mut(..motors).ok_or(Fault::Count { motors, found })?;
        self.input.effort(t, effort);
        self.wrench = self.input.wrench(t);
        if self.input.feels_platform() {
            let (pose, twist) = self.formulation.platform(x);
            self.wrench = self.wrench + self.input.at_platform(t, &pose, twist);
        }
        check("effort", effort)?;
        check("wrench", &self.wrench.to_vector_linear_first())?;
        if self.input.feels_joints() { self.felt(x) } else { Ok(Passive::default()) }
    }

    /// Joints first, for an input that depends on them.
    #[inline(never)]
    fn felt(&mut self, x: &F::State) -> Result<Passive, Fault> {
        let (mut q, mut qdot) = ([0.0; MOST_MOTORS], [0.0; MOST_MOTORS]);
        let motors = self.formulation.motors();
        let (Some(q), Some(qdot), Some(effort)) =
            (q.get_mut(..motors), qdot.get_mut(..motors), self.effort.get_mut(..motors))
        else {
            return Err(Fault::Count { motors, found: MOST_MOTORS });
        };
        self.formulation.joints(x, q, qdot)?;
        let passive = self.input.at_joints(q, qdot, effort);
        check("effort", effort)?;
        Ok(passive)
    }

    /// What acts at a time and state, held still: for steps of a formulation's own such as
    /// [`rattle_step`](super::Hamiltonian::rattle_step).
    pub fn load_at(&mut self, t: f64, x: &F::State) -> Result<(Load<'_>, Passive), Fault> {
        let passive = self.load(t, x)?;
        let effort = self.effort.get(..self.formulation.motors()).unwrap_or(&[]);
        Ok((Load { effort, wrench: self.wrench }, passive))
    }

    /// A state with an empty ledger.
    pub fn opened(state: F::State) -> (F::State, [f64; 2]) {
        (state, [0.0; 2])
    }

    /// The ledger of a state.
    pub fn ledger((_, [work, dissipation]): &(F::State, [f64; 2])) -> EnergyLedger {
        EnergyLedger { work: *work, dissipation: *dissipation }
    }
}

impl<F: Formulation, U: Input> System<f64> for Driven<F, U> {
    type State = (F::State, [f64; 2]);
    type Stop = Fault;

    // An integrator asks for it in ten places; it is large.
    #[inline(never)]
    fn derivative(&mut self, t: f64, (x, _): &Self::State) -> Result<Self::State, Fault> {
        let passive = self.load(t, x)?;
        let load =
            Load { effort: self.effort.get(..self.formulation.motors()).unwrap_or(&[]), wrench: self.wrench };
        let rate = self.formulation.rate(x, &load)?;
        Ok((rate.state, [rate.work - passive.power, rate.dissipation + passive.heat]))
    }

    #[inline(never)]
    fn settle(&mut self, h: f64, (before, _): &Self::State, (x, _): &mut Self::State) -> Result<bool, Fault> {
        self.formulation.settle(h, before, x)
    }
}

impl<F: Formulation, U: Input> Partitioned<f64> for Driven<F, U> {
    fn position_rate(&mut self, _t: f64, (x, _): &Self::State) -> Result<Self::State, Fault> {
        Ok((self.formulation.position_rate(x)?, <[f64; 2]>::zero()))
    }

    fn without_position_rate(&self, (rate, ledger): &Self::State) -> Self::State {
        (self.formulation.without_position_rate(rate), *ledger)
    }
}

/// Refuses NaN and infinity.
#[inline(always)]
fn check(what: &'static str, list: &[f64]) -> Result<(), Fault> {
    // One sum is enough to see whether any number is bad; look for it only then.
    let sum: f64 = list.iter().map(|x| x * 0.0).sum();
    if sum == 0.0 {
        return Ok(());
    }
    let place = list.iter().enumerate().find(|(_, value)| !value.is_finite());
    place.map_or(Ok(()), |(component, value)| Err(Fault::NotFinite { what, component, value: *value }))
}
