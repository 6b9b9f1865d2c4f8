//! The regulator inside a unit, with the gains that the unit has now.

use crate::owned_regulator::OwnedRegulator;
use legwork::PlatformState;
use legwork::experiment::fault_in_words;
use legwork::fmu::FmuModel;
use legwork::sim::{Measured, SampledController};
use legwork::task::{ControllerRequest, FollowRequest, Frequency, Measure, MotorValues};

/// What a regulator is made for.
pub struct Wanted {
    /// Frequency \[Hz\] and damping of the gains; zero where they are not given.
    pub frequency: f64,
    pub damping: f64,
    /// K_p, K_d and K_i of every motor; zero where they are not given, empty if the regulator has none.
    pub gains: [Vec<f64>; 3],
    /// The reference at its first sample.
    pub start: PlatformState,
}

/// A regulator that follows the references of a unit.
pub struct Inside(OwnedRegulator);

impl Inside {
    /// With gains of its own where they are given, otherwise those of frequency and damping.
    pub fn new(model: &FmuModel, wanted: &Wanted) -> Result<Self, String> {
        let (Some(request), Some(kind)) = (model.follow_request(), model.kind()) else {
            return Err("there is no regulator inside".into());
        };
        let given = |value: f64| (value > 0.0).then_some(value);
        let controller = ControllerRequest {
            frequency: given(wanted.frequency).map(Frequency),
            damping: given(wanted.damping),
            kp: MotorValues::default(),
            kd: MotorValues::default(),
            ki: MotorValues::default(),
            ..request.controller.clone()
        };
        let made = |controller: ControllerRequest| {
            let request = FollowRequest { controller, ..request.clone() };
            OwnedRegulator::live_from(&request, &wanted.start).map_err(|error| error.to_string())
        };
        let usual = made(controller.clone())?;
        if wanted.gains.iter().flatten().all(|gain| *gain == 0.0) {
            return Ok(Self(usual));
        }
        let derived = usual.experiment().resolved_gains(kind).map_err(|error| error.to_string())?;
        let filled = |given: &[f64], derived: &[f64]| {
            if given.iter().all(|gain| *gain == 0.0) {
                return MotorValues::default();
            }
            let each = given.iter().zip(derived);
            MotorValues(
                each.map(|(own, other)| Measure::si(if *own > 0.0 { *own } else { *other })).collect(),
            )
        };
        let [kp, kd, ki] = &wanted.gains;
        let none = vec![0.0; ki.len()];
        let controller = ControllerRequest {
            kp: filled(kp, &derived.proportional),
            kd: filled(kd, &derived.derivative),
            ki: filled(ki, &none),
            ..controller
        };
        made(controller).map(Self)
    }

    /// Time between two samples \[s\].
    pub fn period(&self) -> f64 {
        self.0.experiment().period()
    }

    /// Looks at the joints at a time since the start and commands.
    pub fn sample(
        &mut self,
        target: &PlatformState,
        time: f64,
        q: &[f64],
        command: &mut [f64],
    ) -> Result<(), String> {
        if let Some(live) = self.0.target() {
            live.set(target);
        }
        let seen = Measured { time, q, qd: None };
        self.0.controller().sample(&seen, command).map_err(|fault| fault.to_string())
    }

    /// Why the supervisor has taken over, if it has.
    pub fn fault(&mut self) -> Option<String> {
        let (_, fault) = self.0.controller().fault()?;
        Some(fault_in_words(self.0.experiment().robot(), &fault))
    }

    /// Everything that it remembers.
    pub fn memory(&mut self) -> Vec<f64> {
        self.0.controller().memory()
    }

    /// Remembers what one of other gains did; false if that cannot be.
    pub fn set_memory(&mut self, memory: &[f64]) -> bool {
        self.0.controller().set_memory(memory)
    }
}
