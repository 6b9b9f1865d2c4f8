//! The loop of a run, the same for every formulation.

use super::actuation::{Actuation, Source};
use super::control::{Loop, SampledController, same_instant};
use super::plant::Plant;
use super::samples::Sample;
use super::stepper::{Stepper, Symplectic};
use super::{ControlFault, Efforts, Ending, Integrator, SimulationError, Summary};
use crate::RobotOnMovingBase;
use crate::description::Frame;
use crate::robot::RunningAngles;
use crate::{Joint, PlatformState};
use legwork_core::drive::JointParts;
use legwork_core::engine::{Pose, Twist};
use legwork_core::integrate::{Halt, Statistics};
use legwork_core::motion::{Driven, Energy, EnergyLedger, Fault, Formulation};
use legwork_core::{M3, V3};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a run goes through.
pub(super) struct Course<'a> {
    /// None if the controller commands.
    pub efforts: Option<&'a Efforts>,
    pub plant: &'a Plant,
    /// The robots where their base moves, as many as there are forms; none if it does not.
    pub bases: &'a [RobotOnMovingBase],
    pub joints: &'a [Joint],
    pub start: &'a PlatformState,
    pub times: &'a [f64],
    pub integrator: Integrator,
    pub most_steps: u64,
    /// Ends the run when it becomes true.
    pub cancelled: Option<&'a AtomicBool>,
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

    /// +1 or −1: of speeds and efforts.
    pub fn sign(&self) -> f64 {
        self.0.angle_sign
    }

    /// A joint of ours as the user counts it.
    pub fn angle(&self, q: f64) -> f64 {
        self.0.angle_to_user(q)
    }

    /// A pose of ours as the user has it.
    pub fn user_pose(&self, pose: &Pose<f64>) -> Pose<f64> {
        Pose::new(pose.rotation, self.0.position_to_user(pose.position.to_array()).into())
    }

    pub fn pose(&self, state: &PlatformState) -> (Pose<f64>, Twist<f64>) {
        let [x, y, z] = state.rotation.map(V3::from);
        let position = self.0.position_from_user(state.position).into();
        (Pose::new(M3::from_rows(x, y, z), position), Twist::from_vector_linear_first(state.twist))
    }

    pub fn platform(&self, pose: &Pose<f64>, twist: Twist<f64>, wrench: [f64; 6]) -> PlatformState {
        PlatformState {
            position: self.0.position_to_user(pose.position.to_array()),
            rotation: pose.rotation.to_rows(),
            twist: twist.to_vector_linear_first(),
            acceleration: [0.0; 6],
            wrench,
        }
    }

    /// Joints of a state as the user counts them; a state that was reached has joints, if not they are NaN.
    fn joints<F: Formulation>(&self, form: &F, x: &F::State, q: &mut [f64], qd: &mut [f64]) {
        if form.joints(x, q, qd).is_err() {
            q.fill(f64::NAN);
            qd.fill(f64::NAN);
        }
        for (q, qd) in q.iter_mut().zip(qd) {
            *q = self.angle(*q);
            *qd *= self.sign();
        }
    }
}

/// Goes through the course and shows its samples. There is one form for the start and one
/// after each change of the payload.
pub(super) fn run<F: Formulation>(
    forms: &[F],
    course: &Course<'_>,
    view: &Viewpoint,
    own: Symplectic<F>,
    controller: Option<&mut dyn SampledController>,
    each: &mut dyn FnMut(&Sample<'_>) -> ControlFlow<()>,
) -> Result<Summary, SimulationError> {
    let mut under_way = UnderWay::new(forms, course, view, own, controller)?;
    for &target in course.times {
        let ending = under_way.go_to(target);
        // A run that stops on a sample has shown it, and a state without energy is none.
        let is_new = under_way.shown != Some(under_way.stepper.time()) && under_way.not_finite.is_none();
        let flow = if ending.is_none() || is_new { under_way.show(each) } else { ControlFlow::Continue(()) };
        if let Some(ending) = ending {
            under_way.summary.ending = ending;
            break;
        }
        if flow.is_break() {
            under_way.summary.ending = Ending::Interrupted { time: under_way.stepper.time() };
            break;
        }
    }
    under_way.summary.statistics = under_way.stepper.statistics();
    Ok(under_way.summary)
}

/// A run and everything it needs on the way: all lists are made before it begins.
struct UnderWay<'a, 'c, F: Formulation> {
    forms: &'a [F],
    /// The form it is in.
    form: usize,
    payloads: &'a [(f64, f64)],
    view: &'a Viewpoint,
    stepper: Stepper<F>,
    system: Driven<&'a F, Actuation<'a>>,
    control: Option<Loop<'c>>,
    /// What holds energy at the joints; none if nothing does.
    springs: Vec<JointParts>,
    /// T + V at the start \[J\].
    reference: f64,
    lists: Lists,
    joints: &'a [Joint],
    /// Angles of the samples run on beyond half a turn.
    angles: RunningAngles,
    /// When the last sample was shown \[s\].
    shown: Option<f64>,
    cancelled: Option<&'a AtomicBool>,
    /// The energy balance of the last step, if it is not a number: that state is not shown.
    not_finite: Option<f64>,
    summary: Summary,
}

struct Lists {
    q: Vec<f64>,
    qd: Vec<f64>,
    effort: Vec<f64>,
}

impl<'a, 'c, F: Formulation> UnderWay<'a, 'c, F> {
    fn new(
        forms: &'a [F],
        course: &'a Course<'a>,
        view: &'a Viewpoint,
        own: Symplectic<F>,
        controller: Option<&'c mut dyn SampledController>,
    ) -> Result<Self, SimulationError> {
        let plant = course.plant;
        let form = &forms[0];
        let (pose, twist) = view.pose(course.start);
        let x = form.state_at(&pose, twist).map_err(SimulationError::Start)?;
        let end = course.times.last().copied().unwrap_or(0.0);
        let stepper = Stepper::new((course.integrator, course.most_steps), own, (x, [0.0; 2]), end)?;
        let motors = form.motors();
        let mut lists = Lists { q: vec![0.0; motors], qd: vec![0.0; motors], effort: vec![0.0; motors] };
        view.joints(form, &x, &mut lists.q, &mut lists.qd);
        let control = controller.map(|it| {
            Loop::new(it, &plant.sensor, plant.seed, (&lists.q, &lists.qd), course.efforts.is_some())
        });
        let source = course.efforts.map_or(Source::Held, Source::Open);
        let input = Actuation::new(source, course, view, course.start.wrench);
        let parts = plant.parts(course.joints);
        let springs = if parts.iter().any(|part| part.stop.is_some()) { parts } else { Vec::new() };
        let mut under_way = Self {
            forms,
            form: 0,
            payloads: &plant.payloads,
            view,
            stepper,
            system: Driven::new(form, input),
            control,
            springs,
            reference: 0.0,
            lists,
            joints: course.joints,
            angles: RunningAngles::default(),
            shown: None,
            cancelled: course.cancelled,
            not_finite: None,
            summary: Summary {
                ending: Ending::Completed,
                statistics: Statistics::default(),
                samples: 0,
                time: 0.0,
                loop_gap: 0.0,
                imbalance: 0.0,
                kinetic: 0.0,
            },
        };
        under_way.reference = energy(form, &x, view, &under_way.springs, &mut under_way.lists).total();
        if !under_way.reference.is_finite() {
            return Err(SimulationError::Start(energy_is(under_way.reference)));
        }
        // The first command, so that the motors begin with it; if it fails it fails again on the way.
        if under_way.happen().is_ok() {
            under_way.system.input.settle(plant.start_effort());
        }
        Ok(under_way)
    }

    /// To a time, from one instant at which something happens to the next.
    fn go_to(&mut self, target: f64) -> Option<Ending> {
        loop {
            let now = self.stepper.time();
            match self.happen() {
                Ok(true) => self.stepper.restart(),
                Ok(false) => {}
                Err(fault) => return Some(Ending::ControllerFailed { time: now, fault }),
            }
            if now >= target {
                return None;
            }
            let next = self.next_break(now);
            // An instant that differs from the target by rounding is the target.
            let limit = if next > target || same_instant(next, target) { target } else { next };
            let end = self.system.input.begin(now, limit);
            let stopped = self.advance(end);
            self.system.input.end(self.stepper.time());
            if end < limit || next <= limit || same_instant(next, limit) {
                self.stepper.restart();
            }
            let time = self.stepper.time();
            match stopped {
                Ok(()) if time > now => {}
                Ok(()) => {
                    let reason = Halt::TimeStandsStill { time, step: end - now };
                    return Some(Ending::Stopped { time, reason });
                }
                Err(Halt::Interrupted) => return Some(self.broken(time)),
                Err(reason) => return Some(Ending::Stopped { time, reason }),
            }
        }
    }

    /// A run that was broken off between two samples: by the caller, or because its energy is not a number.
    fn broken(&self, time: f64) -> Ending {
        match self.not_finite {
            None => Ending::Interrupted { time },
            Some(value) => Ending::Stopped { time, reason: Halt::System(energy_is(value)) },
        }
    }

    /// Steps to a time and looks at each of them.
    fn advance(&mut self, end: f64) -> Result<(), Halt<Fault>> {
        let form = &self.forms[self.form];
        let (cancelled, not_finite) = (self.cancelled, &mut self.not_finite);
        let (summary, reference) = (&mut self.summary, self.reference);
        let (springs, lists, view) = (&self.springs, &mut self.lists, self.view);
        self.stepper.advance_to(&mut self.system, end, |(x, [work, dissipation])| {
            let energy = energy(form, x, view, springs, lists);
            let imbalance = energy.total() - work + dissipation - reference;
            if !imbalance.is_finite() {
                *not_finite = Some(imbalance);
                return ControlFlow::Break(());
            }
            summary.loop_gap = worse(summary.loop_gap, form.loop_gap(x));
            summary.imbalance = worse(summary.imbalance, imbalance.abs());
            summary.kinetic = worse(summary.kinetic, energy.kinetic);
            if cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
    }

    fn next_break(&self, now: f64) -> f64 {
        let payload = self.payloads.get(self.form).map_or(f64::INFINITY, |(time, _)| *time);
        let control = self.control.as_ref().map_or(f64::INFINITY, Loop::next_break);
        self.system.input.next_break(now).min(payload).min(control)
    }

    /// What happens at this instant: payloads come and go, the controller looks and commands. Tells
    /// whether the rate of change jumps.
    fn happen(&mut self) -> Result<bool, ControlFault> {
        let now = self.stepper.time();
        let mut jumps = false;
        while let Some((time, _)) = self.payloads.get(self.form)
            && (*time <= now || same_instant(*time, now))
        {
            let (x, [work, dissipation]) = *self.stepper.state();
            let (old, new) = (&self.forms[self.form], &self.forms[self.form + 1]);
            let next = new.taken_over(old, &x);
            let brought = new.energy(&next).total() - old.energy(&x).total();
            self.stepper.set_state((next, [work + brought, dissipation]));
            self.system.formulation = new;
            self.form += 1;
            self.system.input.robot = self.form;
            jumps = true;
        }
        if let Some(control) = &mut self.control {
            let form = &self.forms[self.form];
            let due = control.next_break();
            if due <= now || same_instant(due, now) {
                self.view.joints(form, &self.stepper.state().0, &mut self.lists.q, &mut self.lists.qd);
                let command = &mut self.system.input.command;
                jumps |= control.happen(now, &self.lists.q, &self.lists.qd, command)?;
            }
        }
        Ok(jumps)
    }

    /// Shows the present state.
    fn show(&mut self, each: &mut dyn FnMut(&Sample<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let (x, [work, dissipation]) = *self.stepper.state();
        let time = self.stepper.time();
        let form = &self.forms[self.form];
        let energy = energy(form, &x, self.view, &self.springs, &mut self.lists);
        let Lists { q, qd, effort } = &mut self.lists;
        self.view.joints(form, &x, q, qd);
        let input = &mut self.system.input;
        input.renew(time);
        input.efforts_now(q, qd, effort);
        self.angles.run_on(self.joints, q);
        let (pose, twist) = form.platform(&x);
        let loop_gap = form.loop_gap(&x);
        let imbalance = energy.total() - work + dissipation - self.reference;
        let summary = &mut self.summary;
        summary.samples += 1;
        summary.time = time;
        summary.loop_gap = worse(summary.loop_gap, loop_gap);
        summary.imbalance = worse(summary.imbalance, imbalance.abs());
        summary.kinetic = worse(summary.kinetic, energy.kinetic);
        self.shown = Some(time);
        let wrench = input.wrench_on(time, time).to_vector_linear_first();
        each(&Sample {
            time,
            platform: self.view.platform(&pose, twist, wrench),
            q,
            qd,
            effort,
            command: &input.command,
            measured: self.control.as_ref().map(Loop::last_seen),
            energy,
            ledger: EnergyLedger { work, dissipation },
            loop_gap,
        })
    }
}

/// Energies of the bodies and of the springs at the joints.
#[inline(never)] // three places ask, and it is large
fn energy<F: Formulation>(
    form: &F,
    x: &F::State,
    view: &Viewpoint,
    springs: &[JointParts],
    lists: &mut Lists,
) -> Energy {
    let mut energy = form.energy(x);
    if !springs.is_empty() {
        view.joints(form, x, &mut lists.q, &mut lists.qd);
        energy.potential += springs.iter().zip(&lists.q).map(|(part, q)| part.energy(*q)).sum::<f64>();
    }
    energy
}

/// Speeds or places so large that their energy is no number.
fn energy_is(value: f64) -> Fault {
    Fault::NotFinite { what: "energy", component: 0, value }
}

/// The larger one; NaN if either is.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}
