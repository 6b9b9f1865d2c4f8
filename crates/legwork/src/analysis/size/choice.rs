//! Motors and gears against a cycle.

use super::{Demand, Motor, MotorTable, SizeError, Transmission};
use crate::sorting::sort_by;
use legwork_core::Real;
use std::fmt;

/// What a choice must have beside being able to do the cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Requirements {
    /// Largest inertia of the load over that of the rotor.
    pub inertia_ratio: Option<f64>,
    /// What must be left of every limit, as a share of what the cycle needs: 0.2 is a fifth more.
    pub reserve: f64,
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Largest torque against what the motor gives for a short time at that speed.
    PeakTorque,
    /// Root mean square of the torque against what it gives for ever.
    RmsTorque,
    /// Largest speed.
    PeakSpeed,
    /// Root mean square of the speed against the rated speed.
    RmsSpeed,
    /// Inertia of the load over that of the rotor.
    InertiaRatio,
}

impl Check {
    /// Its SI unit; empty for a plain number.
    pub fn unit(self) -> &'static str {
        match self {
            Self::PeakTorque | Self::RmsTorque => "N m",
            Self::PeakSpeed | Self::RmsSpeed => "rad/s",
            Self::InertiaRatio => "",
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PeakTorque => "peak torque",
            Self::RmsTorque => "rms torque",
            Self::PeakSpeed => "peak speed",
            Self::RmsSpeed => "rms speed",
            Self::InertiaRatio => "inertia ratio",
        })
    }
}

/// How much of a limit is left on the worst joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// What is compared.
    pub check: Check,
    /// The worst joint, from 0.
    pub joint: usize,
    /// What the cycle needs.
    pub needed: f64,
    /// What there is.
    pub available: f64,
    /// available/needed − 1: negative is too little.
    pub share: f64,
}

/// What a cycle asks of one motor, on the motor side.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Duty {
    /// \[N m\]
    pub peak_torque: f64,
    /// \[N m\]
    pub rms_torque: f64,
    /// \[rad/s\]
    pub peak_speed: f64,
    /// \[rad/s\]
    pub rms_speed: f64,
    /// Largest inertia of load and gear over that of the rotor.
    pub inertia_ratio: f64,
}

/// A motor with a gear, the same at every joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The motor.
    pub motor: Motor,
    /// Its gear.
    pub transmission: Transmission,
    /// One for each joint.
    pub duties: Vec<Duty>,
    /// One for each comparison; the inertia ratio only if it is limited.
    pub margins: Vec<Margin>,
    /// What must be left.
    reserve: f64,
}

impl Choice {
    /// Whether every limit is kept.
    pub fn is_feasible(&self) -> bool {
        self.margin() >= self.reserve
    }

    /// The smallest margin; NaN if one is.
    pub fn margin(&self) -> f64 {
        self.margins.iter().map(|margin| margin.share).fold(f64::INFINITY, Real::min)
    }

    /// The limits that are not kept, the worst first.
    pub fn shortfalls(&self) -> Vec<Margin> {
        let mut short: Vec<Margin> = self
            .margins
            .iter()
            .filter(|margin| margin.share < self.reserve || margin.share.is_nan())
            .copied()
            .collect();
        sort_by(&mut short, |a, b| a.share.total_cmp(&b.share));
        short
    }

    /// Torque \[N m\] and speed \[rad/s\] of the motor at a joint, instant by instant.
    pub fn cloud(&self, demand: &Demand, joint: usize) -> Vec<[f64; 2]> {
        let of = |instant: &super::Instant| {
            let (torque, speed) = self.motor.at(self.transmission, instant.joints.get(joint)?);
            Some([speed, torque])
        };
        demand.instants.iter().filter_map(of).collect()
    }
}

/// Every motor of a table with each of its gears: the feasible first, by margin and then by size.
pub fn choices(
    demand: &Demand,
    table: &MotorTable,
    requirements: &Requirements,
) -> Result<Vec<Choice>, SizeError> {
    let slides = demand.joints.first().is_some_and(|joint| joint.slides);
    if demand.joints.iter().any(|joint| joint.slides != slides) {
        return Err(SizeError::MixedJoints { robot: demand.robot.clone() });
    }
    let mut all = Vec::new();
    for motor in &table.motors {
        for transmission in motor.transmissions(slides) {
            all.push(rated(demand, motor, transmission, requirements));
        }
    }
    if all.is_empty() {
        return Err(SizeError::NoTransmission { slides });
    }
    sort_by(&mut all, |a, b| {
        let by_margin = b.margin().total_cmp(&a.margin());
        b.is_feasible().cmp(&a.is_feasible()).then(by_margin).then(a.motor.size().total_cmp(&b.motor.size()))
    });
    Ok(all)
}

fn rated(demand: &Demand, motor: &Motor, gear: Transmission, requirements: &Requirements) -> Choice {
    let (mut duties, mut margins): (Vec<Duty>, Vec<Margin>) = (Vec::new(), Vec::new());
    let mut note = |check: Check, joint: usize, needed: f64, available: f64| {
        // Nothing needed is always there; what is NaN is not there.
        let share = if needed <= 0.0 { f64::INFINITY } else { available / needed - 1.0 };
        let new = Margin { check, joint, needed, available, share };
        match margins.iter_mut().find(|margin| margin.check == check) {
            Some(old) if new.share < old.share || new.share.is_nan() => *old = new,
            Some(_) => {}
            None => margins.push(new),
        }
    };
    let n = gear.ratio();
    for (k, joint) in demand.joints.iter().enumerate() {
        let mut duty =
            Duty { peak_torque: 0.0, rms_torque: 0.0, peak_speed: 0.0, rms_speed: 0.0, inertia_ratio: 0.0 };
        // The instant at which least is left of the torque that the motor has at its speed.
        let mut tightest = (f64::INFINITY, 0.0, motor.peak_torque);
        for instant in &demand.instants {
            let Some(moment) = instant.joints.get(k) else { continue };
            let (torque, speed) = motor.at(gear, moment);
            let (torque, speed) = (torque.abs(), speed.abs());
            duty.peak_torque = Real::max(duty.peak_torque, torque);
            duty.peak_speed = Real::max(duty.peak_speed, speed);
            duty.rms_torque += instant.weight * torque * torque;
            duty.rms_speed += instant.weight * speed * speed;
            let available = motor.peak_at(speed);
            if torque.is_nan() || (torque > 0.0 && available / torque < tightest.0) {
                tightest = (available / torque, torque, available);
            }
        }
        duty.rms_torque = (duty.rms_torque / demand.duration).sqrt(); // (4)
        duty.rms_speed = (duty.rms_speed / demand.duration).sqrt();
        duty.inertia_ratio = (joint.load_inertia[1] / (n * n) + motor.gear_inertia) / motor.rotor_inertia;
        note(Check::PeakTorque, k, tightest.1, tightest.2);
        note(Check::RmsTorque, k, duty.rms_torque, motor.rated_torque);
        note(Check::PeakSpeed, k, duty.peak_speed, motor.max_speed);
        note(Check::RmsSpeed, k, duty.rms_speed, motor.rated_speed);
        if let Some(limit) = requirements.inertia_ratio {
            note(Check::InertiaRatio, k, duty.inertia_ratio, limit);
        }
        duties.push(duty);
    }
    Choice { motor: motor.clone(), transmission: gear, duties, margins, reserve: requirements.reserve }
}
