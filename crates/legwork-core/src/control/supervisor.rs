//! A regulator under supervision: every sample is judged before it counts.
#![allow(clippy::indexing_slicing)] // every index is bounded by K

use super::fault::Fault;
use super::guard::{Guard, SafeCommand};
use super::model::Model;
use super::regulator::Regulate;
use super::settings::SettingsError;
use super::signal::{Command, Measured, Reference};
use super::{Number, finite};
use crate::engine::Pose;
use core::array::from_fn;

/// Watches a regulator. From the first [`Fault`] on it gives the [`SafeCommand`] until it is
/// [`reset`](Supervisor::reset); a number that is not finite never leaves.
#[derive(Clone, Copy, Debug)]
pub struct Supervisor<C, T, const K: usize> {
    regulator: C,
    guard: Guard<T, K>,
    /// The last position that was good; the start at first.
    good: [T; K],
    /// The last measured position, once there is one.
    measured: Option<[T; K]>,
    /// The pose of the last good reference: where the forward kinematics of a hold starts.
    pose: Pose<T>,
    /// What was given last.
    given: [T; K],
    latched: Option<Latched<T, K>>,
}

/// What is known about a fault while it lasts.
#[derive(Clone, Copy, Debug)]
struct Latched<T, const K: usize> {
    fault: Fault,
    /// What the motors gave when it came.
    from: [T; K],
    /// The model's gravity at the last good position; zero if it has none.
    gravity: [T; K],
    /// Time since \[s\].
    elapsed: T,
    /// No measurement was bad yet.
    trusted: bool,
}

impl<C: Regulate<T, K>, T: Number, const K: usize> Supervisor<C, T, K> {
    /// Watches a regulator of a robot that stands still at `start`.
    pub fn new(regulator: C, guard: Guard<T, K>, start: &Reference<T, K>) -> Result<Self, SettingsError> {
        let guard = guard.checked()?;
        let zero = [T::zero(); K];
        let (good, pose) = (start.q, start.platform.pose);
        Ok(Self { regulator, guard, good, measured: None, pose, given: zero, latched: None })
    }

    /// The fault, while there is one.
    pub fn fault(&self) -> Option<Fault> {
        self.latched.map(|latched| latched.fault)
    }

    /// The regulator.
    pub fn regulator(&self) -> &C {
        &self.regulator
    }

    /// Forgets a fault and starts anew: at rest at `start`, from the effort given last.
    pub fn reset(&mut self, start: &Reference<T, K>) {
        self.regulator.restart(start, &self.given);
        self.good = start.q;
        self.measured = None;
        self.pose = start.platform.pose;
        self.latched = None;
    }

    /// The command of one sample, `dt` \[s\] after the last one; no measurement is a lost sample.
    pub fn update(
        &mut self,
        reference: &Reference<T, K>,
        measured: Option<&Measured<T, K>>,
        dt: T,
    ) -> Command<T, K> {
        if self.latched.is_none() {
            match self.judged(reference, measured, dt) {
                Ok(command) => {
                    self.given = command.effort;
                    return command;
                }
                Err(fault) => self.latch(fault),
            }
        }
        self.safe(measured, dt)
    }

    /// The regulator's command if nothing is wrong with it nor with what it is made of.
    fn judged(
        &mut self,
        reference: &Reference<T, K>,
        measured: Option<&Measured<T, K>>,
        dt: T,
    ) -> Result<Command<T, K>, Fault> {
        self.guard.interval(dt)?;
        let measured = self.guard.measurement(measured, self.measured.as_ref(), dt)?;
        self.guard.reference(self.regulator.model(), reference)?;
        let command = self.regulator.update(reference, &measured, dt);
        self.guard.command(&command)?;
        self.good = measured.q;
        self.measured = Some(measured.q);
        self.pose = reference.platform.pose;
        let effort = self.regulator.limits().inside(&command.effort);
        Ok(Command { effort, ..command })
    }

    fn latch(&mut self, fault: Fault) {
        let zero = [T::zero(); K];
        let model = self.regulator.model();
        let place = model.platform(&self.good, &zero, &self.pose);
        let weight = model.gravity(&place.value.0);
        let known = place.margin > T::zero() && weight.margin > T::zero();
        let known = known && weight.value.iter().all(|g| finite(*g));
        self.latched = Some(Latched {
            fault,
            from: self.given,
            gravity: if known { weight.value } else { zero },
            elapsed: T::zero(),
            trusted: !fault.is_of_measurement(),
        });
    }

    /// The safe command of a sample.
    fn safe(&mut self, measured: Option<&Measured<T, K>>, dt: T) -> Command<T, K> {
        let zero = [T::zero(); K];
        let Some(mut latched) = self.latched else {
            return self.answer(zero, None);
        };
        // A clock that cannot be trusted counts as its longest step.
        let timed = self.guard.interval(dt).is_ok();
        let dt = if timed { dt } else { self.guard.interval };
        latched.elapsed = latched.elapsed + dt;
        let seen = match self.guard.measurement(measured, self.measured.as_ref(), dt) {
            Ok(seen) if latched.trusted && timed => Some(seen),
            _ => None,
        };
        latched.trusted = seen.is_some();
        let limits = self.regulator.limits();
        let effort = match &self.guard.safe {
            SafeCommand::Zero => zero,
            SafeCommand::RampDown { time } => {
                let left = T::one() - latched.elapsed / *time;
                if left > T::zero() { latched.from.map(|from| from * left) } else { zero }
            }
            SafeCommand::Hold { proportional, derivative } => {
                let wanted: [T; K] = from_fn(|k| match &seen {
                    Some(seen) => {
                        let before = self.measured.map_or(seen.q[k], |before| before[k]);
                        let rate = seen.qdot.map_or((seen.q[k] - before) / dt, |qdot| qdot[k]);
                        latched.gravity[k] + proportional[k] * (self.good[k] - seen.q[k])
                            - derivative[k] * rate
                    }
                    None => latched.gravity[k],
                });
                limits.applied(&wanted, &self.given, dt)
            }
        };
        let effort = limits.inside(&effort);
        if let Some(seen) = &seen {
            self.measured = Some(seen.q);
        }
        self.latched = Some(latched);
        self.given = effort;
        self.answer(effort, Some(latched.fault))
    }

    fn answer(&self, effort: [T; K], fault: Option<Fault>) -> Command<T, K> {
        let error = self.measured.map_or([T::zero(); K], |q| from_fn(|k| self.good[k] - q[k]));
        Command { effort, wanted: effort, error, margin: T::from_f64(f64::INFINITY), fault }
    }
}
