//! The loop of a run, the same for every formulation.

use super::samples::Sample;
use super::{Efforts, Ending, Integrator, SimulationError, Summary};
use crate::PlatformState;
use crate::description::Frame;
use legwork_core::engine::{Pose, Twist, Wrench};
use legwork_core::integrate::{Dopri5, Fixed, FixedMethod, Halt, Settings, Statistics};
#[cfg(feature = "stiff")]
use legwork_core::integrate::{System, Vector};
use legwork_core::motion::{Books, Driven, Fault, Formulation, Input, Load, MOST_MOTORS};
use legwork_core::{M3, V3};
use std::ops::ControlFlow;

/// What a run goes through.
pub(super) struct Course<'a> {
    pub efforts: &'a Efforts,
    pub start: &'a PlatformState,
    pub times: &'a [f64],
    pub integrator: Integrator,
}

/// Between the user's frame and ours.
pub(super) struct Viewpoint(Frame);

impl Viewpoint {
    pub fn new(frame: Frame) -> Self {
        Self(frame)
    }

    pub fn ours() -> Self {
        Self(Frame::OURS)
    }

    fn pose(&self, state: &PlatformState) -> (Pose<f64>, Twist<f64>) {
        let [x, y, z] = state.rotation.map(V3::from);
        let position = self.0.position_from_user(state.position).into();
        (Pose::new(M3::from_rows(x, y, z), position), Twist::from_vector_linear_first(state.twist))
    }

    fn platform(&self, pose: &Pose<f64>, twist: Twist<f64>, wrench: [f64; 6]) -> PlatformState {
        PlatformState {
            position: self.0.position_to_user(pose.position.to_array()),
            rotation: pose.rotation.to_rows(),
            twist: twist.to_vector_linear_first(),
            acceleration: [0.0; 6],
            wrench,
        }
    }
}

/// A formulation's own step, if it has one.
pub(super) enum Symplectic<F: Formulation> {
    None,
    Step(SymplecticStep<F>),
}

type SymplecticStep<F> = fn(
    &F,
    &<F as Formulation>::State,
    &Load<'_>,
    f64,
) -> Result<(<F as Formulation>::State, [f64; 2]), Fault>;

/// The course's efforts in our own signs, on a stretch of time without a jump inside.
struct Signed<'a> {
    efforts: &'a Efforts,
    begin: f64,
    sign: f64,
    wrench: Wrench<f64>,
}

impl Input for Signed<'_> {
    fn effort(&mut self, t: f64, effort: &mut [f64]) {
        self.efforts.on_stretch(t, self.begin, effort);
        for u in effort {
            *u *= self.sign;
        }
    }

    fn wrench(&mut self, _t: f64) -> Wrench<f64> {
        self.wrench
    }
}

type Full<F> = (<F as Formulation>::State, [f64; 2]);

/// One of the integrators, under way.
enum Stepper<F: Formulation> {
    Dopri5(Dopri5<Full<F>>),
    Fixed(Fixed<Full<F>>),
    #[cfg(feature = "stiff")]
    Bdf(Box<super::stiff::Bdf>, Full<F>),
    Symplectic {
        step: SymplecticStep<F>,
        length: f64,
        time: f64,
        state: Full<F>,
        statistics: Statistics,
    },
}

impl<F: Formulation> Stepper<F> {
    fn new(integrator: Integrator, own: Symplectic<F>, start: Full<F>) -> Result<Self, SimulationError> {
        Ok(match (integrator, own) {
            (Integrator::Dopri5 { tolerance }, _) => {
                Self::Dopri5(Dopri5::new(0.0, start, Settings::default().with_tolerance(tolerance)))
            }
            (Integrator::Rk4 { step }, _) => Self::Fixed(Fixed::new(0.0, start, FixedMethod::Rk4, step)),
            (Integrator::SemiImplicitEuler { step }, _) => {
                Self::Fixed(Fixed::new(0.0, start, FixedMethod::SemiImplicitEuler, step))
            }
            #[cfg(feature = "stiff")]
            (Integrator::Bdf { tolerance }, _) => {
                Self::Bdf(Box::new(super::stiff::Bdf::new(numbers(&start), tolerance)), start)
            }
            #[cfg(not(feature = "stiff"))]
            (Integrator::Bdf { .. }, _) => return Err(SimulationError::NotStiff),
            (Integrator::Rattle { step: length }, Symplectic::Step(step)) => {
                Self::Symplectic { step, length, time: 0.0, state: start, statistics: Statistics::default() }
            }
            (Integrator::Rattle { .. }, Symplectic::None) => return Err(SimulationError::NotSymplectic),
        })
    }

    fn time(&self) -> f64 {
        match self {
            Self::Dopri5(run) => run.time(),
            Self::Fixed(run) => run.time(),
            #[cfg(feature = "stiff")]
            Self::Bdf(run, _) => run.time,
            Self::Symplectic { time, .. } => *time,
        }
    }

    fn state(&self) -> &Full<F> {
        match self {
            Self::Dopri5(run) => run.state(),
            Self::Fixed(run) => run.state(),
            #[cfg(feature = "stiff")]
            Self::Bdf(_, state) => state,
            Self::Symplectic { state, .. } => state,
        }
    }

    fn statistics(&self) -> Statistics {
        match self {
            Self::Dopri5(run) => run.statistics(),
            Self::Fixed(run) => run.statistics(),
            #[cfg(feature = "stiff")]
            Self::Bdf(run, _) => run.statistics,
            Self::Symplectic { statistics, .. } => *statistics,
        }
    }

    /// The rate of change jumps here.
    fn restart(&mut self) {
        match self {
            Self::Dopri5(run) => run.restart(),
            #[cfg(feature = "stiff")]
            Self::Bdf(run, _) => run.restart(),
            _ => {}
        }
    }

    fn advance_to<U: Input>(&mut self, system: &mut Driven<&F, U>, limit: f64) -> Result<(), Halt<Fault>> {
        match self {
            Self::Dopri5(run) => run.advance_to(system, limit),
            Self::Fixed(run) => run.advance_to(system, limit),
            #[cfg(feature = "stiff")]
            Self::Bdf(run, state) => advance_bdf(run, state, system, limit),
            Self::Symplectic { step, length, time, state, statistics } => {
                let begin = *time;
                let span = limit - begin;
                let count = (span / *length - 1e-9).max(1.0).ceil();
                let mut k = 0.0;
                let mut effort = [0.0; MOST_MOTORS];
                while k < count && span > 0.0 {
                    let h = span / count;
                    let motors = system.formulation.motors().min(MOST_MOTORS);
                    let effort = &mut effort[..motors];
                    // The effort in the middle of the step: still of second order.
                    system.input.effort(begin + h * (k + 0.5), effort);
                    if let Some((component, value)) = effort.iter().enumerate().find(|(_, u)| !u.is_finite())
                    {
                        let fault = Fault::NotFinite { what: "effort", component, value: *value };
                        return Err(Halt::System(fault));
                    }
                    let wrench = system.input.wrench(begin);
                    let load = Load { effort, wrench };
                    let (next, books) = step(system.formulation, &state.0, &load, h).map_err(Halt::System)?;
                    k += 1.0;
                    *state = (next, [state.1[0] + books[0], state.1[1] + books[1]]);
                    *time = if k < count { begin + h * k } else { limit };
                    statistics.steps += 1;
                    statistics.evaluations += 1;
                }
                Ok(())
            }
        }
    }
}

/// All numbers of a state.
#[cfg(feature = "stiff")]
fn numbers<V: Vector<f64>>(state: &V) -> Vec<f64> {
    state.fold(Vec::with_capacity(state.length()), |mut list, x| {
        list.push(x);
        list
    })
}

/// Between the implicit integrator's slices and a system. Loops are put back at the end of the
/// stretch, because each change of the state costs the integrator its memory.
#[cfg(feature = "stiff")]
fn advance_bdf<S: System<f64, Stop = Fault>>(
    run: &mut super::stiff::Bdf,
    state: &mut S::State,
    system: &mut S,
    limit: f64,
) -> Result<(), Halt<Fault>> {
    use super::stiff::Trouble;
    let template = *state;
    let of = |list: &[f64]| {
        let mut next = list.iter();
        template.map(|_| next.next().copied().unwrap_or(f64::NAN))
    };
    let fault = std::cell::Cell::new(None);
    let shared = std::cell::RefCell::new(system);
    let mut rate = |t: f64, x: &[f64], out: &mut [f64]| {
        // A Newton iteration that went astray is no reason to tell.
        if x.iter().any(|x| !x.is_finite()) {
            return false;
        }
        match shared.borrow_mut().derivative(t, &of(x)) {
            Ok(rate) => {
                out.copy_from_slice(&numbers(&rate));
                true
            }
            Err(stop) => {
                fault.set(Some(stop));
                false
            }
        }
    };
    let mut look = |h: f64, before: &[f64], after: &[f64]| {
        let settled = shared.borrow_mut().settle(h, &of(before), &mut of(after));
        settled.map_err(|stop| fault.set(Some(stop))).is_ok()
    };
    let ended = run.advance_to(&mut rate, &mut look, limit);
    *state = of(&run.state);
    let here = *state;
    match ended {
        Ok(()) => {
            let settled = shared.into_inner().settle(0.0, &here, state);
            if settled.map_err(Halt::System)? {
                run.state = numbers(state);
                run.restart();
            }
            Ok(())
        }
        Err(Trouble::StepTooShort(step)) => Err(Halt::StepTooShort { step }),
        Err(Trouble::System) => Err(fault.take().map_or(Halt::StepTooShort { step: 0.0 }, Halt::System)),
    }
}

/// Goes through the course and shows its samples.
pub(super) fn run<F: Formulation>(
    form: &F,
    course: &Course<'_>,
    view: &Viewpoint,
    own: Symplectic<F>,
    mut each: impl FnMut(&Sample<'_>) -> ControlFlow<()>,
) -> Result<Summary, SimulationError> {
    let (pose, twist) = view.pose(course.start);
    let start = form.state_at(&pose, twist).map_err(SimulationError::Start)?;
    let mut stepper = Stepper::new(course.integrator, own, (start, [0.0; 2]))?;
    let wrench = Wrench::from_vector_linear_first(course.start.wrench);
    let input = Signed { efforts: course.efforts, begin: 0.0, sign: view.0.angle_sign, wrench };
    let mut system = Driven::new(form, input);
    let motors = form.motors();
    let mut lists = Lists { q: vec![0.0; motors], qd: vec![0.0; motors], effort: vec![0.0; motors] };
    let reference = form.energy(&start).total();
    let mut summary = Summary {
        ending: Ending::Completed,
        statistics: Statistics::default(),
        samples: 0,
        time: 0.0,
        loop_gap: 0.0,
        imbalance: 0.0,
        kinetic: 0.0,
    };
    let mut show = |stepper: &Stepper<F>, summary: &mut Summary| {
        let (x, [work, dissipation]) = *stepper.state();
        let time = stepper.time();
        // A state that was reached has joints; if not, they show as NaN.
        if form.joints(&x, &mut lists.q, &mut lists.qd).is_err() {
            lists.q.fill(f64::NAN);
            lists.qd.fill(f64::NAN);
        }
        for (q, qd) in lists.q.iter_mut().zip(&mut lists.qd) {
            *q = view.0.angle_to_user(*q);
            *qd *= view.0.angle_sign;
        }
        course.efforts.on_stretch(time, time, &mut lists.effort);
        let (pose, twist) = form.platform(&x);
        let energy = form.energy(&x);
        let loop_gap = form.loop_gap(&x);
        let imbalance = energy.total() - work + dissipation - reference;
        summary.samples += 1;
        summary.time = time;
        summary.loop_gap = worse(summary.loop_gap, loop_gap);
        summary.imbalance = worse(summary.imbalance, imbalance.abs());
        summary.kinetic = worse(summary.kinetic, energy.kinetic);
        each(&Sample {
            time,
            platform: view.platform(&pose, twist, course.start.wrench),
            q: &lists.q,
            qd: &lists.qd,
            effort: &lists.effort,
            energy,
            books: Books { work, dissipation },
            loop_gap,
        })
    };
    for &target in course.times {
        let mut stop = None;
        while stepper.time() < target && stop.is_none() {
            let begin = stepper.time();
            let limit = course.efforts.next_break(begin).map_or(target, |next| next.min(target));
            system.input.begin = begin;
            stop = stepper.advance_to(&mut system, limit).err();
            if limit < target || course.efforts.next_break(begin) == Some(limit) {
                stepper.restart();
            }
        }
        let flow = show(&stepper, &mut summary);
        if let Some(reason) = stop {
            summary.ending = Ending::Stopped { time: stepper.time(), reason };
            break;
        }
        if flow.is_break() {
            summary.ending = Ending::Interrupted { time: stepper.time() };
            break;
        }
    }
    summary.statistics = stepper.statistics();
    Ok(summary)
}

struct Lists {
    q: Vec<f64>,
    qd: Vec<f64>,
    effort: Vec<f64>,
}

/// The larger one; NaN if either is.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}
