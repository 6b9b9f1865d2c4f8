//! From commands to what acts on the robot, in our own signs.

use super::plant::Push;
use super::run::{Course, Viewpoint};
use super::{BaseCourse, EffortTable, Efforts};
use crate::RobotOnMovingBase;
use legwork_core::drive::{CurrentLoop, JointParts, LoopState, Stretch};
use legwork_core::engine::{Pose, Twist, Wrench};
use legwork_core::motion::{Input, Passive};

/// Where commands come from.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// From a function of time.
    Open(&'a Efforts),
    /// From a controller that renews a list.
    Held,
}

/// Motors, friction, stops and pushes, on a stretch of time without a jump inside.
pub(super) struct Actuation<'a> {
    source: Source<'a>,
    /// The command at the beginning of the stretch, in the user's signs.
    pub command: Vec<f64>,
    /// The command at its end, for straight lines.
    ahead: Vec<f64>,
    loops: Vec<CurrentLoop>,
    states: Vec<LoopState>,
    stretches: Vec<Stretch>,
    parts: Vec<JointParts>,
    remembers: bool,
    feels: bool,
    begin: f64,
    view: &'a Viewpoint,
    /// The wrench that acts all the time.
    steady: Wrench<f64>,
    pushes: &'a [Push],
    table: Option<&'a EffortTable>,
    /// How the base moves, and the robots on it.
    base: Option<(&'a BaseCourse, &'a [RobotOnMovingBase])>,
    /// Which of the robots it is: one for the start, then one after each change of the payload.
    pub robot: usize,
}

/// Parts of the lag that a function of time is followed in by straight lines.
const PARTS_OF_LAG: f64 = 32.0;
/// The same where there is a limit of the rate and no lag \[s\].
const SHORT: f64 = 1e-4;
/// A stretch is not shorter \[s\].
const CRUMB: f64 = 1e-12;

impl<'a> Actuation<'a> {
    pub fn new(source: Source<'a>, course: &Course<'a>, view: &'a Viewpoint, steady: [f64; 6]) -> Self {
        let (plant, joints) = (course.plant, course.joints);
        let (loops, parts) = (plant.loops(joints), plant.parts(joints));
        let ideal = CurrentLoop::ideal().follow(LoopState::default(), 0.0, 0.0).0;
        Self {
            source,
            command: vec![0.0; joints.len()],
            ahead: vec![0.0; joints.len()],
            states: vec![LoopState::default(); joints.len()],
            stretches: vec![ideal; joints.len()],
            remembers: loops.iter().any(CurrentLoop::remembers),
            feels: parts.iter().any(JointParts::is_some),
            loops,
            parts,
            begin: 0.0,
            view,
            steady: Wrench::from_vector_linear_first(steady),
            pushes: &plant.pushes,
            table: plant.wrench.as_ref(),
            base: plant.base.as_ref().map(|base| (base, course.bases)),
            robot: 0,
        }
    }

    /// The motors at the start: as given, or settled at the first command.
    pub fn settle(&mut self, given: Option<&[f64]>) {
        self.renew(0.0);
        let efforts = given.unwrap_or(&self.command);
        for ((state, motor), effort) in self.states.iter_mut().zip(&self.loops).zip(efforts) {
            *state = motor.settled(*effort);
        }
    }

    /// The command that holds from now on.
    pub fn renew(&mut self, now: f64) {
        if let Source::Open(efforts) = self.source {
            efforts.on_stretch(now, now, &mut self.command);
        }
    }

    /// The next time after `t` at which a step has to end.
    pub fn next_break(&self, t: f64) -> f64 {
        let later = |instant: f64| if instant > t { instant } else { f64::INFINITY };
        let efforts = match self.source {
            Source::Open(efforts) => efforts.next_break(t),
            Source::Held => None,
        };
        let table = self.table.and_then(|table| table.next_break(t));
        let first = [efforts, table].into_iter().flatten().fold(f64::INFINITY, f64::min);
        self.pushes.iter().fold(first, |first, push| first.min(later(push.from)).min(later(push.until)))
    }

    /// Begins a stretch that has no jump before `limit`; gives the end of it, at a corner of a motor's
    /// course if there is one before.
    pub fn begin(&mut self, now: f64, limit: f64) -> f64 {
        self.begin = now;
        self.renew(now);
        if !self.remembers {
            return limit;
        }
        let mut end = limit;
        let is_straight = match self.source {
            Source::Open(Efforts::Function(_)) => {
                let lags = self.loops.iter().map(|motor| motor.lag).filter(|lag| *lag > 0.0);
                let shortest = lags.fold(f64::INFINITY, f64::min);
                end = end.min(now + if shortest.is_finite() { shortest / PARTS_OF_LAG } else { SHORT });
                true
            }
            Source::Open(efforts) => efforts.is_straight(),
            Source::Held => false,
        };
        if let (true, Source::Open(efforts)) = (is_straight, self.source) {
            efforts.on_stretch(end, now, &mut self.ahead);
        } else {
            self.ahead.copy_from_slice(&self.command);
        }
        let span = end - now;
        let commands = self.command.iter().zip(&self.ahead);
        let motors = self.loops.iter().zip(&self.states).zip(&mut self.stretches);
        for (((motor, state), stretch), (command, ahead)) in motors.zip(commands) {
            let slope = if command == ahead { 0.0 } else { (ahead - command) / span };
            let (course, valid) = motor.follow(*state, *command, slope);
            *stretch = course;
            let corner = now + valid.max(CRUMB);
            if corner < end {
                end = corner;
            }
        }
        end
    }

    /// Ends the stretch where the run stands.
    pub fn end(&mut self, now: f64) {
        if self.remembers {
            let after = now - self.begin;
            for (state, stretch) in self.states.iter_mut().zip(&self.stretches) {
                *state = stretch.end(after);
            }
        }
    }

    /// What the motors give now, in the user's signs, with the joints as the user counts them.
    pub fn efforts_now(&self, q: &[f64], qd: &[f64], effort: &mut [f64]) {
        for (k, slot) in effort.iter_mut().enumerate() {
            let motor = &self.loops[k];
            let given = if motor.lag > 0.0 {
                self.states[k].effort
            } else if motor.remembers() {
                // A rate that is limited has no jumps.
                self.states[k].input
            } else {
                motor.cut(self.command[k])
            };
            *slot = self.parts[k].acting(q[k], qd[k], given).motor;
        }
    }

    /// Force and moment on the platform at a time of the stretch from `begin` on.
    pub fn wrench_on(&self, t: f64, begin: f64) -> Wrench<f64> {
        let mut six = self.steady.to_vector_linear_first();
        if let Some(table) = self.table {
            let mut row = [0.0; 6];
            table.on_stretch(t, begin, &mut row);
            six.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        for push in self.pushes.iter().filter(|push| push.from <= begin && begin < push.until) {
            six.iter_mut().zip(push.wrench).for_each(|(sum, x)| *sum += x);
        }
        Wrench::from_vector_linear_first(six)
    }
}

impl Input for Actuation<'_> {
    fn effort(&mut self, t: f64, effort: &mut [f64]) {
        if self.remembers {
            for (slot, stretch) in effort.iter_mut().zip(&self.stretches) {
                *slot = stretch.effort(t - self.begin);
            }
        } else {
            match self.source {
                Source::Open(efforts) => efforts.on_stretch(t, self.begin, effort),
                Source::Held => effort.copy_from_slice(&self.command),
            }
            for (slot, motor) in effort.iter_mut().zip(&self.loops) {
                *slot = motor.cut(*slot);
            }
        }
        let sign = self.view.sign();
        for u in effort {
            *u *= sign;
        }
    }

    fn wrench(&mut self, t: f64) -> Wrench<f64> {
        if self.table.is_none() && self.pushes.is_empty() {
            return self.steady;
        }
        self.wrench_on(t, self.begin)
    }

    fn feels_platform(&self) -> bool {
        self.base.is_some()
    }

    fn at_platform(&mut self, t: f64, pose: &Pose<f64>, twist: Twist<f64>) -> Wrench<f64> {
        let found = self.base.and_then(|(base, robots)| Some((base, robots.get(self.robot)?)));
        found.map_or(Wrench::zero(), |(base, robot)| {
            let wrench = robot.wrench_at(&self.view.user_pose(pose), twist, &base.at(t));
            Wrench::from_vector_linear_first(wrench)
        })
    }

    fn feels_joints(&self) -> bool {
        self.feels
    }

    fn at_joints(&mut self, q: &[f64], qdot: &[f64], effort: &mut [f64]) -> Passive {
        let sign = self.view.sign();
        let mut passive = Passive::default();
        for (k, slot) in effort.iter_mut().enumerate() {
            let (q, speed) = (self.view.angle(q[k]), sign * qdot[k]);
            let acting = self.parts[k].acting(q, speed, sign * *slot);
            *slot = sign * (acting.motor + acting.passive);
            passive.power += acting.passive * speed;
            passive.heat += acting.heat;
        }
        passive
    }
}
