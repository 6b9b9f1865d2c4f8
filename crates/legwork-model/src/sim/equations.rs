//! The equations of motion of any robot as a list of numbers and its rate, for integrators that are not ours.

use super::run::Viewpoint;
use crate::robot::{EngineForm, FollowedForm, MechanismForm, Moving};
use crate::{AnyRobot, PlatformState, RobotError};
use legwork_core::engine::Wrench;
use legwork_core::integrate::Vector;
use legwork_core::motion::{DeltaMinimal, Energy, Fault, Formulation, Load};

/// The most numbers that a state has.
pub const MOST_NUMBERS: usize = 280;

type Of<F> = <F as Formulation>::State;

/// The equations of motion of a robot in the form that a simulation takes if it is not told otherwise: platform pose and
/// twist, or the coordinates of a mechanism and the rates of its motors. Everything in the user's frame.
///
/// ```
/// use legwork::AnyRobot;
/// use legwork::sim::MotionEquations;
///
/// let robot = AnyRobot::open("five-bar")?;
/// let equations = MotionEquations::of(&robot)?;
/// let state = equations.start(&robot.home())?;
/// assert_eq!(equations.names(), ["position_x", "position_y", "velocity_x", "velocity_y"]);
/// let hold = robot.gravity(&robot.home())?;
/// let mut rate = vec![f64::NAN; 4];
/// equations.rate(&state, &hold, &[0.0; 6], &mut rate)?;
/// assert!(rate.iter().all(|rate| rate.abs() < 1e-9)); // it stays at home
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MotionEquations<'a> {
    form: Form<'a>,
    view: Viewpoint,
    motors: usize,
    /// Which numbers of the form can change, and their names.
    places: Vec<usize>,
    names: Vec<String>,
}

enum Form<'a> {
    Delta(Box<DeltaMinimal>),
    Engine(EngineForm<'a>),
    Followed(FollowedForm<'a>),
    Mechanism(Box<MechanismForm<'a>>),
}

/// A state of these equations, with what belongs to it and is not integrated: where legs without a closed form are.
#[derive(Clone)]
pub struct MotionState(Kept);

#[derive(Clone)]
enum Kept {
    Delta(Of<DeltaMinimal>),
    Engine(Of<EngineForm<'static>>),
    Followed(Box<Of<FollowedForm<'static>>>),
    Mechanism(Box<Of<MechanismForm<'static>>>),
}

impl MotionState {
    fn visit(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
        let mut each = |mut x: f64| {
            visitor(&mut x);
            x
        };
        match &mut self.0 {
            Kept::Delta(x) => *x = x.map(&mut each),
            Kept::Engine(x) => *x = x.map(&mut each),
            Kept::Mechanism(x) => **x = x.map(&mut each),
            Kept::Followed(x) => {
                **x = x.map(&mut each);
                x.visit_legs(visitor);
            }
        }
    }

    /// Everything that it is, as numbers: also what is not integrated.
    pub fn memory(&self) -> Vec<f64> {
        let mut memory = Vec::new();
        self.clone().visit(&mut |number| memory.push(*number));
        memory
    }

    /// Is what another state of the same robot was, to the bit. False, and nothing changes, if the numbers are not as many.
    pub fn set_memory(&mut self, memory: &[f64]) -> bool {
        if self.memory().len() != memory.len() {
            return false;
        }
        let mut numbers = memory.iter();
        self.visit(&mut |slot| {
            if let Some(number) = numbers.next() {
                *slot = *number;
            }
        });
        true
    }
}

/// The same with the form and the state of each kind. A state of another robot has no answer.
macro_rules! with_form {
    ($self:ident, $state:expr, $form:ident, $x:ident => $call:expr) => {
        match (&$self.form, $state) {
            (Form::Delta($form), Kept::Delta($x)) => Ok($call),
            (Form::Engine($form), Kept::Engine($x)) => Ok($call),
            (Form::Followed($form), Kept::Followed($x)) => Ok($call),
            (Form::Mechanism($form), Kept::Mechanism($x)) => Ok($call),
            _ => Err(Fault::Count { motors: $self.motors, found: 0 }),
        }
    };
}

impl<'a> MotionEquations<'a> {
    /// Of a robot with masses.
    pub fn of(robot: &'a AnyRobot) -> Result<Self, RobotError> {
        let mut view = Viewpoint::ours();
        let form = match robot.moving()? {
            Moving::Delta(delta, frame) => {
                view = Viewpoint::new(frame);
                Form::Delta(Box::new(DeltaMinimal::new(*delta)))
            }
            Moving::Engine(engine) if engine.is_followed() => Form::Followed(FollowedForm(engine)),
            Moving::Engine(engine) => Form::Engine(engine),
            Moving::Mechanism(mechanism) => Form::Mechanism(mechanism),
        };
        let axes = ["x", "y", "z"];
        let freedoms = robot.freedoms();
        let is_free = |component: usize| freedoms.iter().any(|freedom| freedom.component == component);
        let turns = freedoms.iter().any(crate::Freedom::turns);
        let (mut places, mut names) = (Vec::new(), Vec::new());
        match &form {
            Form::Delta(_) => {
                places.extend(0..6);
                names.extend(axes.map(|axis| format!("position_{axis}")));
                names.extend(axes.map(|axis| format!("velocity_{axis}")));
            }
            Form::Engine(_) | Form::Followed(_) => {
                // Position, quaternion, twist: components that are no freedoms stay as they are.
                for (k, axis) in axes.iter().enumerate().filter(|(k, _)| is_free(*k)) {
                    places.push(k);
                    names.push(format!("position_{axis}"));
                }
                for (k, part) in ["w", "x", "y", "z"].iter().enumerate().filter(|_| turns) {
                    places.push(3 + k);
                    names.push(format!("orientation_{part}"));
                }
                for component in (0..6).filter(|component| is_free(*component)) {
                    places.push(7 + component);
                    let what = if component < 3 { "velocity" } else { "angular_velocity" };
                    names.push(format!("{what}_{}", axes[component % 3]));
                }
            }
            Form::Mechanism(mechanism) => {
                let home = robot.home();
                let (pose, twist) = view.pose(&home);
                let motors = robot.joints().len();
                let count = mechanism
                    .state_at(&pose, twist)
                    .map_or(0, |(coordinates, _)| coordinates.as_slice().len());
                places.extend(0..count + motors);
                names.extend((1..=count).map(|k| format!("coordinate_{k}")));
                names.extend((1..=motors).map(|k| format!("motor_speed_{k}")));
            }
        }
        Ok(Self { form, view, motors: robot.joints().len(), places, names })
    }

    /// What its numbers are called.
    pub fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// How many numbers a state has.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// The state in which the platform is at a place with a velocity.
    pub fn start(&self, platform: &PlatformState) -> Result<MotionState, Fault> {
        let (pose, twist) = self.view.pose(platform);
        Ok(MotionState(match &self.form {
            Form::Delta(form) => Kept::Delta(form.state_at(&pose, twist)?),
            Form::Engine(form) => Kept::Engine(form.state_at(&pose, twist)?),
            Form::Followed(form) => Kept::Followed(Box::new(form.state_at(&pose, twist)?)),
            Form::Mechanism(form) => Kept::Mechanism(Box::new(form.state_at(&pose, twist)?)),
        }))
    }

    /// The numbers of a state that can change.
    pub fn numbers(&self, state: &MotionState, out: &mut [f64]) {
        let all = match &state.0 {
            Kept::Delta(x) => all(x),
            Kept::Engine(x) => all(x),
            Kept::Followed(x) => all(&**x),
            Kept::Mechanism(x) => all(&**x),
        };
        self.pick(&all, out);
    }

    fn pick(&self, all: &[f64], out: &mut [f64]) {
        for (slot, place) in out.iter_mut().zip(&self.places) {
            *slot = all.get(*place).copied().unwrap_or(f64::NAN);
        }
    }

    /// Gives a state these numbers.
    pub fn set_numbers(&self, state: &mut MotionState, numbers: &[f64]) {
        let put = |place: usize, old: f64| {
            let found = self.places.iter().position(|known| *known == place);
            found.and_then(|at| numbers.get(at).copied()).unwrap_or(old)
        };
        let mut place = 0;
        let mut next = |old: f64| {
            place += 1;
            put(place - 1, old)
        };
        match &mut state.0 {
            Kept::Delta(x) => *x = x.map(&mut next),
            Kept::Engine(x) => *x = x.map(&mut next),
            Kept::Followed(x) => **x = x.map(&mut next),
            Kept::Mechanism(x) => **x = x.map(&mut next),
        }
    }

    /// How the numbers change under efforts of the motors \[N m or N\] and a wrench on the platform \[N, N m\].
    pub fn rate(
        &self,
        state: &MotionState,
        efforts: &[f64],
        wrench: &[f64; 6],
        out: &mut [f64],
    ) -> Result<(), Fault> {
        let mut signed = [0.0; legwork_core::motion::MOST_MOTORS];
        let found = efforts.len();
        let own = signed.get_mut(..found).ok_or(Fault::Count { motors: self.motors, found })?;
        own.iter_mut().zip(efforts).for_each(|(slot, effort)| *slot = effort * self.view.sign());
        let load = Load { effort: own, wrench: Wrench::from_vector_linear_first(*wrench) };
        let rates = with_form!(self, &state.0, form, x => form.rate(x, &load).map(|rate| all(&rate.state)))??;
        self.pick(&rates, out);
        Ok(())
    }

    /// Puts the end of a step of length `h` \[s\] back onto closed loops and quaternions of length one; tells whether it changed
    /// anything, or refuses a step across a singularity.
    pub fn settle(&self, h: f64, before: &MotionState, after: &mut MotionState) -> Result<bool, Fault> {
        match (&self.form, &before.0, &mut after.0) {
            (Form::Delta(form), Kept::Delta(a), Kept::Delta(b)) => form.settle(h, a, b),
            (Form::Engine(form), Kept::Engine(a), Kept::Engine(b)) => form.settle(h, a, b),
            (Form::Followed(form), Kept::Followed(a), Kept::Followed(b)) => form.settle(h, a, b),
            (Form::Mechanism(form), Kept::Mechanism(a), Kept::Mechanism(b)) => form.settle(h, a, b),
            _ => Err(Fault::Count { motors: self.motors, found: 0 }),
        }
    }

    /// Where the platform is and how it moves.
    pub fn platform(&self, state: &MotionState) -> Result<PlatformState, Fault> {
        let (pose, twist) = with_form!(self, &state.0, form, x => form.platform(x))?;
        Ok(self.view.platform(&pose, twist, [0.0; 6]))
    }

    /// Where the motors are and how fast.
    pub fn joints(&self, state: &MotionState, q: &mut [f64], qd: &mut [f64]) -> Result<(), Fault> {
        with_form!(self, &state.0, form, x => form.joints(x, q, qd))??;
        for (q, qd) in q.iter_mut().zip(qd) {
            (*q, *qd) = (self.view.angle(*q), *qd * self.view.sign());
        }
        Ok(())
    }

    /// Kinetic and potential energy.
    pub fn energy(&self, state: &MotionState) -> Result<Energy, Fault> {
        with_form!(self, &state.0, form, x => form.energy(x))
    }
}

/// All numbers of a state.
fn all<V: Vector<f64>>(state: &V) -> Vec<f64> {
    state.fold(Vec::with_capacity(state.length()), |mut list, x| {
        list.push(x);
        list
    })
}
