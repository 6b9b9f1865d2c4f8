//! A regulator under supervision: every sample is judged before it counts.
#![allow(clippy::indexing_slicing)] // every index is bounded by K

use super::fault::Fault;
use super::guard::{Guard, SafeCommand};
use super::memory::{MemoryVisitor, Remembered, optional};
use super::model::Model;
use super::orientation::rotation_by;
use super::regulator::{Regulate, Regulator};
use super::settings::SettingsError;
use super::signal::{Command, Measured, Platform, Reference};
use super::{Number, finite};
use crate::engine::{Pose, Twist};
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
    /// The last good reference of the platform: where the forward kinematics of a hold starts, and braking.
    platform: Platform<T>,
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
    /// Time since the last reading that was kept \[s\].
    unseen: T,
    /// What braking starts from.
    moving: Platform<T>,
    /// The last place on the way to rest that the model answered for; where it has no answer ahead, the robot stands
    /// there.
    braked: Option<Platform<T>>,
    stands: bool,
    /// No measurement was bad yet.
    trusted: bool,
    /// The reading one sample before the last one, if both were kept.
    earlier: Option<[T; K]>,
}

impl<C: Regulate<T, K>, T: Number, const K: usize> Supervisor<C, T, K> {
    /// Watches a regulator of a robot that stands still at `start`.
    pub fn new(regulator: C, guard: Guard<T, K>, start: &Reference<T, K>) -> Result<Self, SettingsError> {
        let guard = guard.checked()?;
        let zero = [T::zero(); K];
        let (good, platform) = (start.q, Platform::rest(start.platform.pose));
        Ok(Self { regulator, guard, good, measured: None, platform, given: zero, latched: None })
    }

    /// The fault, while there is one.
    pub fn fault(&self) -> Option<Fault> {
        self.latched.map(|latched| latched.fault)
    }

    /// The regulator.
    pub fn regulator(&self) -> &C {
        &self.regulator
    }

    /// The regulator, to give it another model.
    pub fn regulator_mut(&mut self) -> &mut C {
        &mut self.regulator
    }

    /// Forgets a fault and starts anew: at rest at `start`, from the effort given last.
    pub fn reset(&mut self, start: &Reference<T, K>) {
        self.regulator.restart(start, &self.given);
        self.good = start.q;
        self.measured = None;
        self.platform = Platform::rest(start.platform.pose);
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
        if let Err(fault) = self.guard.command(&command) {
            // What was measured is good: a robot far from its reference brakes from where it is.
            if matches!(fault, Fault::Tracking { .. }) {
                self.start_from(&measured, dt);
            }
            return Err(fault);
        }
        self.good = measured.q;
        self.measured = Some(measured.q);
        self.platform = reference.platform;
        let effort = self.regulator.limits().inside(&command.effort);
        Ok(Command { effort, ..command })
    }

    /// The measured motion instead of the last reference, if the model can tell it.
    fn start_from(&mut self, measured: &Measured<T, K>, dt: T) {
        let rate = |k: usize| self.measured.map_or(T::zero(), |before| (measured.q[k] - before[k]) / dt);
        let qdot = measured.qdot.unwrap_or_else(|| from_fn(rate));
        let found = self.regulator.model().platform(&measured.q, &qdot, &self.platform.pose);
        let (pose, twist) = found.value;
        let known = found.margin > self.guard.margin
            && pose.position.to_array().iter().chain(&twist.to_vector_linear_first()).all(|x| finite(*x));
        if known {
            self.platform = Platform { pose, twist, acceleration: Twist::zero() };
        }
    }

    fn latch(&mut self, fault: Fault) {
        let zero = [T::zero(); K];
        let model = self.regulator.model();
        let place = model.platform(&self.good, &zero, &self.platform.pose);
        let weight = model.gravity(&place.value.0);
        let known = place.margin > T::zero() && weight.margin > T::zero();
        let known = known && weight.value.iter().all(|g| finite(*g));
        self.latched = Some(Latched {
            fault,
            from: self.given,
            gravity: if known { weight.value } else { zero },
            elapsed: T::zero(),
            unseen: T::zero(),
            moving: self.platform,
            braked: None,
            stands: false,
            trusted: !fault.is_of_measurement(),
            earlier: None,
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
        latched.unseen = latched.unseen + dt;
        let brakes = matches!(self.guard.safe, SafeCommand::Brake { .. });
        let since = if brakes { latched.unseen } else { dt };
        let good = self.guard.measurement(measured, self.measured.as_ref(), since).ok();
        // Faster than a motor may, but as fast as before: it does move so, and has to be braked.
        let going_on = match (self.measured, latched.earlier) {
            (Some(last), Some(earlier)) if brakes => Some(from_fn(|k| last[k] + last[k] - earlier[k])),
            _ => None,
        };
        let good = good.or(going_on.and_then(|on| self.guard.measurement(measured, Some(&on), dt).ok()));
        let seen = good.filter(|_| latched.trusted && timed);
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
            SafeCommand::Brake { time, proportional, derivative } => {
                let (on_the_way, ahead) = self.braking(&mut latched, *time);
                let near = |seen: &Measured<T, K>| {
                    let apart = |k: usize| (on_the_way.q[k] - seen.q[k]).abs() <= self.guard.tracking[k];
                    timed && (0..K).all(apart)
                };
                let seen = good.filter(near);
                let wanted: [T; K] = from_fn(|k| match &seen {
                    Some(seen) => {
                        let before = self.measured.map_or(seen.q[k], |before| before[k]);
                        let rate = (seen.q[k] - before) / latched.unseen;
                        let rate = seen.qdot.map_or(rate, |qdot| qdot[k]);
                        ahead[k]
                            + proportional[k] * (on_the_way.q[k] - seen.q[k])
                            + derivative[k] * (on_the_way.qdot[k] - rate)
                    }
                    None => ahead[k],
                });
                self.good = on_the_way.q;
                limits.applied(&wanted, &self.given, dt)
            }
        };
        let effort = limits.inside(&effort);
        // Braking goes on with a sensor that comes back: a reading is compared with the one before, good or not.
        let kept = if brakes { self.guard.measurement(measured, None, dt).ok() } else { seen };
        latched.earlier = self.measured.filter(|_| kept.is_some() && latched.unseen <= dt);
        if let Some(kept) = &kept {
            self.measured = Some(kept.q);
            latched.unseen = T::zero();
        }
        self.latched = Some(latched);
        self.given = effort;
        self.answer(effort, Some(latched.fault))
    }

    /// Where the robot should be on its way to rest, and the model's efforts for it. Slowing down evenly over T from the
    /// velocity V₀, after t: V₀ (1 − t/T), −V₀/T, and the way V₀ (t − t²/2T).
    fn braking(&self, latched: &mut Latched<T, K>, time: T) -> (Reference<T, K>, [T; K]) {
        let model = self.regulator.model();
        let (half, one) = (T::from_f64(0.5), T::one());
        let passed = if latched.elapsed < time { latched.elapsed } else { time };
        let left = one - passed / time;
        let way = latched.moving.twist * (passed - half * passed * passed / time);
        let still = latched.braked.map(|place| Platform::rest(place.pose));
        let still = still.unwrap_or(Platform::rest(latched.moving.pose));
        let ahead = Platform {
            pose: Pose::new(
                rotation_by(way.angular) * latched.moving.pose.rotation,
                latched.moving.pose.position + way.linear,
            ),
            twist: latched.moving.twist * left,
            acceleration: latched.moving.twist * if left > T::zero() { -time.recip() } else { T::zero() },
        };
        let wanted = if latched.stands { still } else { ahead };
        let (place, effort) = (Reference::at(model, &wanted), model.effort(&wanted));
        let answered = place.margin > self.guard.margin
            && effort.margin > self.guard.margin
            && place.value.q.iter().chain(&effort.value).all(|x| finite(*x));
        if answered || latched.stands {
            if answered {
                latched.braked = Some(wanted);
            }
            let known = effort.value.iter().all(|x| finite(*x)) && effort.margin > self.guard.margin;
            return (place.value, if known { effort.value } else { latched.gravity });
        }
        latched.stands = true;
        (Reference::at(model, &still).value, latched.gravity)
    }

    fn answer(&self, effort: [T; K], fault: Option<Fault>) -> Command<T, K> {
        let error = self.measured.map_or([T::zero(); K], |q| from_fn(|k| self.good[k] - q[k]));
        Command { effort, wanted: effort, error, margin: T::from_f64(f64::INFINITY), fault }
    }
}

impl<M, const K: usize> Supervisor<Regulator<M, f64, K>, f64, K> {
    /// Shows everything that it and its regulator remember, see [`Regulator::visit_memory`]. Its guard stays.
    pub fn visit_memory(&mut self, visitor: &mut MemoryVisitor<'_>) {
        self.regulator.visit_memory(visitor);
        self.good.visit(visitor);
        optional(&mut self.measured, [0.0; K], visitor);
        self.platform.visit(visitor);
        self.given.visit(visitor);
        let nothing = Latched {
            fault: Fault::LostSample,
            from: [0.0; K],
            gravity: [0.0; K],
            elapsed: 0.0,
            unseen: 0.0,
            moving: self.platform,
            braked: None,
            stands: false,
            trusted: false,
            earlier: None,
        };
        optional(&mut self.latched, nothing, visitor);
    }
}

impl<const K: usize> Remembered for Latched<f64, K> {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        self.fault.visit_memory(visitor);
        self.from.visit(visitor);
        self.gravity.visit(visitor);
        self.elapsed.visit(visitor);
        self.unseen.visit(visitor);
        self.moving.visit(visitor);
        optional(&mut self.braked, self.moving, visitor);
        self.stands.visit(visitor);
        self.trusted.visit(visitor);
        optional(&mut self.earlier, [0.0; K], visitor);
    }
}
