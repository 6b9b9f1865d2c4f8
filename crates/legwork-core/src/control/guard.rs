//! What a supervisor holds samples against, and what it does about a bad one.
#![allow(clippy::indexing_slicing)] // every index is bounded by K

use super::fault::{Fault, PARTS};
use super::model::Model;
use super::settings::{SettingsError, SettingsFault, check, is_finite, not_negative, positive};
use super::signal::{Command, Measured, Reference};
use super::{Number, finite, first_bad};
use crate::{Margin, Real};

/// The limits of good samples, and the answer to a bad one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guard<T, const K: usize> {
    /// Lower end of each motor's range \[rad or m\].
    pub low: [T; K],
    /// Upper end of each motor's range \[rad or m\].
    pub high: [T; K],
    /// Largest speed of each motor, either way \[rad/s or m/s\].
    pub speed: [T; K],
    /// How far a reading of each motor can be from where it is, either way: encoder step and noise \[rad or m\].
    /// Default 0.
    pub reading: [T; K],
    /// Largest error of each motor, either way \[rad or m\].
    pub tracking: [T; K],
    /// Longest time between samples \[s\].
    pub interval: T,
    /// Least margin of the model's answers, a number without a unit. Default 1e-6.
    pub margin: T,
    /// How far motors and platform of a reference may disagree \[rad or m\]. Default 1e-3.
    pub agreement: T,
    /// What is done from the first bad sample on.
    pub safe: SafeCommand<T, K>,
}

/// What is done from the first fault on, until the caller resets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SafeCommand<T, const K: usize> {
    /// Holds the last good position: the model's gravity there, and a PD about it as long as the measurement is
    /// good. After the first bad measurement nothing is fed back any more, gravity stays.
    Hold {
        /// K_p \[N·m/rad or N/m\]
        proportional: [T; K],
        /// K_d \[N·m·s/rad or N·s/m\]
        derivative: [T; K],
    },
    /// Brings the robot to rest: from the last good reference on the platform goes on in its direction and slows down
    /// evenly, then it stands. Efforts are those of the model for this motion, and a PD about it as long as a
    /// measurement is good and not further from it than the tracking error that is allowed. Where the model has no
    /// answer ahead, the robot is stopped before.
    Brake {
        /// How long it takes from the last good reference to rest \[s\].
        time: T,
        /// K_p \[N·m/rad or N/m\]
        proportional: [T; K],
        /// K_d \[N·m·s/rad or N·s/m\]
        derivative: [T; K],
    },
    /// The last effort goes to zero in this time \[s\], linearly.
    RampDown {
        /// \[s\]
        time: T,
    },
    /// No effort, at once.
    Zero,
}

impl<T: Real, const K: usize> Guard<T, K> {
    /// Equal motors: range, speed, error \[rad or m, s\], the longest time between samples, and the safe command.
    pub fn equal(range: (T, T), speed: T, tracking: T, interval: T, safe: SafeCommand<T, K>) -> Self {
        Self {
            low: [range.0; K],
            high: [range.1; K],
            speed: [speed; K],
            reading: [T::zero(); K],
            tracking: [tracking; K],
            interval,
            margin: T::from_f64(1e-6),
            agreement: T::from_f64(1e-3),
            safe,
        }
    }
}

impl<T: Number, const K: usize> Guard<T, K> {
    /// The guard itself if every number can be used.
    pub fn checked(self) -> Result<Self, SettingsError> {
        check("guard.low", &self.low, |value| value.is_nan().then_some(SettingsFault::NotFinite { value }))?;
        check("guard.high", &self.high, |value| {
            value.is_nan().then_some(SettingsFault::NotFinite { value })
        })?;
        for k in 0..K {
            let (low, high) = (self.low[k].into(), self.high[k].into());
            if low >= high {
                let fault = SettingsFault::EmptyRange { low, high };
                return Err(SettingsError { field: "guard.low", motor: Some(k), fault });
            }
        }
        check("guard.speed", &self.speed, positive)?;
        check("guard.reading", &self.reading, not_negative)?;
        check("guard.tracking", &self.tracking, positive)?;
        check("guard.interval", &[self.interval], |value| is_finite(value).or(positive(value)))?;
        check("guard.margin", &[self.margin], not_negative)?;
        check("guard.agreement", &[self.agreement], positive)?;
        match &self.safe {
            SafeCommand::Hold { proportional, derivative } => {
                check("guard.safe.proportional", proportional, not_negative)?;
                check("guard.safe.derivative", derivative, not_negative)?;
            }
            SafeCommand::Brake { time, proportional, derivative } => {
                check("guard.safe.time", &[*time], |value| is_finite(value).or(positive(value)))?;
                check("guard.safe.proportional", proportional, not_negative)?;
                check("guard.safe.derivative", derivative, not_negative)?;
            }
            SafeCommand::RampDown { time } => check("guard.safe.time", &[*time], not_negative)?,
            SafeCommand::Zero => {}
        }
        Ok(self)
    }

    /// The interval, if it can be one.
    pub(super) fn interval(&self, dt: T) -> Result<(), Fault> {
        if dt > T::zero() && dt <= self.interval {
            Ok(())
        } else {
            Err(Fault::Interval { dt: dt.into(), most: self.interval.into() })
        }
    }

    /// A measurement that can be one, `dt` after the good one before.
    #[inline]
    pub(super) fn measurement(
        &self,
        measured: Option<&Measured<T, K>>,
        before: Option<&[T; K]>,
        dt: T,
    ) -> Result<Measured<T, K>, Fault> {
        let measured = measured.ok_or(Fault::LostSample)?;
        if let Some((motor, value)) = first_bad(&measured.q) {
            return Err(Fault::NotFinite { motor, value });
        }
        for motor in 0..K {
            let reading = self.reading[motor];
            let (value, low, high) = (measured.q[motor], self.low[motor], self.high[motor]);
            if value < low - reading || value > high + reading {
                let (value, low, high) = (value.into(), low.into(), high.into());
                return Err(Fault::OutOfRange { motor, value, low, high });
            }
            if let Some(before) = before {
                // Both readings may be off, each to its side.
                let (from, most) = (before[motor], self.speed[motor] * dt + reading + reading);
                if (value - from).abs() > most {
                    let (from, to, most) = (from.into(), value.into(), most.into());
                    return Err(Fault::Jump { motor, from, to, most });
                }
            }
            if let Some(qdot) = &measured.qdot {
                let (value, most) = (qdot[motor], self.speed[motor]);
                if !finite(value) || value.abs() > most {
                    return Err(Fault::Speed { motor, value: value.into(), most: most.into() });
                }
            }
        }
        Ok(*measured)
    }

    /// A reference of finite numbers in the motors' ranges that the platform can follow.
    pub(super) fn reference<M: Model<T, K>>(
        &self,
        model: &M,
        reference: &Reference<T, K>,
    ) -> Result<(), Fault> {
        let p = &reference.platform;
        let rows = p.pose.rotation.to_rows();
        let [places, speeds, accelerations, position, rotation, twist, acceleration] = PARTS;
        let bad = |lists: &[(&'static str, &[T])]| {
            lists.iter().find_map(|(what, list)| {
                let (component, value) = first_bad(list)?;
                Some(Fault::ReferenceNotFinite { what, component, value })
            })
        };
        let platform: [(&'static str, &[T]); 4] = [
            (position, &p.pose.position.to_array()),
            (rotation, rows.as_flattened()),
            (twist, &p.twist.to_vector_linear_first()),
            (acceleration, &p.acceleration.to_vector_linear_first()),
        ];
        if let Some(fault) = bad(&platform) {
            return Err(fault);
        }
        let Margin { value: needed, margin } = model.joints(p);
        let reachable = margin > self.margin; // false for NaN, as all below
        // Motors that are worked out from a platform out of reach are no numbers: that it is out of reach is the reason.
        let motors: [(&'static str, &[T]); 3] =
            [(places, &reference.q), (speeds, &reference.qdot), (accelerations, &reference.qddot)];
        let unreachable = Fault::Unreachable { margin: margin.into(), least: self.margin.into() };
        if let Some(fault) = bad(&motors) {
            return Err(if reachable { fault } else { unreachable });
        }
        for motor in 0..K {
            let (value, low, high) = (reference.q[motor], self.low[motor], self.high[motor]);
            if value < low || value > high {
                let (value, low, high) = (value.into(), low.into(), high.into());
                return Err(Fault::ReferenceOutOfRange { motor, value, low, high });
            }
        }
        if !reachable {
            return Err(unreachable);
        }
        for motor in 0..K {
            let (given, needed) = (reference.q[motor], needed.q[motor]);
            let agrees = (given - needed).abs() <= self.agreement;
            if !agrees {
                let (given, needed) = (given.into(), needed.into());
                return Err(Fault::ReferenceDisagrees { motor, given, needed });
            }
        }
        Ok(())
    }

    /// A command that may be given.
    pub(super) fn command(&self, command: &Command<T, K>) -> Result<(), Fault> {
        for motor in 0..K {
            let (error, most) = (command.error[motor], self.tracking[motor]);
            let close = error.abs() <= most;
            if !close {
                return Err(Fault::Tracking { motor, error: error.into(), most: most.into() });
            }
        }
        let answered = command.margin > self.margin;
        if !answered {
            return Err(Fault::Model { margin: command.margin.into(), least: self.margin.into() });
        }
        match first_bad(&command.wanted).or(first_bad(&command.effort)) {
            Some((motor, value)) => Err(Fault::Effort { motor, value }),
            None => Ok(()),
        }
    }
}
