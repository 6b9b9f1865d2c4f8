//! A robot that is not quite as its file says: every family with its masses, lengths and
//! friction larger or smaller by given parts.

use super::RobotDescription;
use super::parts::{Bar, Body, LinearMotor, Motor, PlanarBody};

/// By how much a robot differs from its file; 0.1 is ten per cent more.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelError {
    /// Masses of all bodies and with them their inertias; the payload stays what it is.
    pub mass: f64,
    /// Inertias of rotors and gears.
    pub motor_inertia: f64,
    /// All lengths; with them centres of mass and, with their square, inertias. Limits, angles,
    /// the home position and the place in the cell stay.
    pub length: f64,
    /// Viscous and Coulomb friction.
    pub friction: f64,
}

impl ModelError {
    /// Its parts with their names; none may be −1 or less, friction may be −1.
    pub(crate) fn parts(&self) -> [(&'static str, f64); 4] {
        [
            ("mass", self.mass),
            ("motor inertia", self.motor_inertia),
            ("length", self.length),
            ("friction", self.friction),
        ]
    }

    /// This error, and then another one of the robot that has it.
    pub(crate) fn and_then(&self, next: &Self) -> Self {
        let both = |first: f64, second: f64| (1.0 + first) * (1.0 + second) - 1.0;
        Self {
            mass: both(self.mass, next.mass),
            motor_inertia: both(self.motor_inertia, next.motor_inertia),
            length: both(self.length, next.length),
            friction: both(self.friction, next.friction),
        }
    }

    fn factors(&self) -> Factors {
        Factors {
            mass: 1.0 + self.mass,
            motor: 1.0 + self.motor_inertia,
            length: 1.0 + self.length,
            friction: 1.0 + self.friction,
        }
    }
}

impl RobotDescription {
    /// The same robot with these errors.
    #[must_use]
    pub fn with_model_error(mut self, error: &ModelError) -> Self {
        let factors = error.factors();
        self.data.scale(&factors);
        self.identified.scale(error);
        self.tool.iter_mut().for_each(|tool| tool.scale(&factors));
        self
    }
}

/// What a model error multiplies.
#[derive(Clone, Copy)]
pub(crate) struct Factors {
    mass: f64,
    motor: f64,
    length: f64,
    friction: f64,
}

impl Factors {
    pub fn lengths<'a>(&self, lengths: impl IntoIterator<Item = &'a mut f64>) {
        lengths.into_iter().for_each(|length| *length *= self.length);
    }

    pub fn points<'a>(&self, points: impl IntoIterator<Item = &'a mut [f64; 3]>) {
        points.into_iter().for_each(|point| self.lengths(point));
    }

    pub fn masses<'a>(&self, masses: impl IntoIterator<Item = &'a mut f64>) {
        masses.into_iter().for_each(|mass| *mass *= self.mass);
    }

    pub fn inertias<'a>(&self, inertias: impl IntoIterator<Item = &'a mut f64>) {
        inertias.into_iter().for_each(|inertia| *inertia *= self.mass * self.length * self.length);
    }

    fn frictions<'a>(&self, frictions: impl IntoIterator<Item = &'a mut f64>) {
        frictions.into_iter().for_each(|friction| *friction *= self.friction);
    }

    pub fn bodies<'a>(&self, bodies: impl IntoIterator<Item = &'a mut Body>) {
        for body in bodies {
            self.masses([&mut body.mass]);
            self.points([&mut body.centre]);
            self.inertias(body.inertia.as_flattened_mut());
        }
    }

    /// What is carried keeps its mass; where it is moves with the lengths.
    pub fn payload(&self, body: &mut Body) {
        self.points([&mut body.centre]);
    }

    pub fn bars<'a>(&self, bars: impl IntoIterator<Item = &'a mut Bar>) {
        for bar in bars {
            self.masses([&mut bar.mass]);
            self.lengths([&mut bar.centre]);
            self.inertias([&mut bar.inertia]);
        }
    }

    pub fn planar_body(&self, body: &mut PlanarBody) {
        self.masses([&mut body.mass]);
        self.lengths(&mut body.centre);
        self.inertias([&mut body.inertia]);
    }

    pub fn motor(&self, motor: &mut Motor) {
        motor.rotor_inertia *= self.motor;
        motor.gear_inertia *= self.motor;
        self.frictions([&mut motor.viscous_friction, &mut motor.coulomb_friction]);
    }

    pub fn linear_motors<'a>(&self, motors: impl IntoIterator<Item = &'a mut LinearMotor>) {
        for motor in motors {
            let frictions = [&mut motor.viscous_friction, &mut motor.coulomb_friction];
            self.drive(&mut motor.actuator_inertia, frictions);
        }
    }

    /// A motor with this inertia and these frictions.
    pub fn drive<'a>(&self, inertia: &mut f64, frictions: impl IntoIterator<Item = &'a mut f64>) {
        *inertia *= self.motor;
        self.frictions(frictions);
    }
}
