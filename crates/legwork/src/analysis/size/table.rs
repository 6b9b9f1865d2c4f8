//! Motor tables: TOML text to motors in SI units.
//!
//! ```toml
//! [[motor]]
//! name = "M400"
//! rated_torque = "1.27 N m"
//! peak_torque = "3.8 N m"
//! rated_speed = "3000 rpm"
//! max_speed = "6000 rpm"
//! rotor_inertia = "0.27 kg cm^2"
//! gear_ratios = [10, 20, 33]                   # turns of the motor for one turn of the joint; or
//! leads = ["10 mm"]                            # way of the joint for one turn of the motor
//! gear_inertia = "0.05 kg cm^2"                # on the motor side; default 0
//! efficiency = 0.95                            # of the gear; default 1
//! peak_torque_at_max_speed = "2 N m"           # falls in a straight line from rated_speed on; default peak_torque
//! ```

use super::{Moment, SizeError};
use crate::description::nearest_word;
use crate::files;
use crate::units::Quantity;
use std::f64::consts::TAU;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Every key of a motor.
pub(super) const KEYS: [&str; 11] = [
    "name",
    "rated_torque",
    "peak_torque",
    "rated_speed",
    "max_speed",
    "rotor_inertia",
    "gear_ratios",
    "leads",
    "gear_inertia",
    "efficiency",
    "peak_torque_at_max_speed",
];

/// A motor with the gears it comes with.
#[derive(Clone, Debug, PartialEq)]
pub struct Motor {
    /// Its name.
    pub name: String,
    /// What it gives for ever \[N m\].
    pub rated_torque: f64,
    /// What it gives for a short time \[N m\].
    pub peak_torque: f64,
    /// What is left of it at the largest speed \[N m\].
    pub peak_torque_at_max_speed: f64,
    /// \[rad/s\]
    pub rated_speed: f64,
    /// \[rad/s\]
    pub max_speed: f64,
    /// \[kg m²\]
    pub rotor_inertia: f64,
    /// Of the gear, on the motor side \[kg m²\].
    pub gear_inertia: f64,
    /// Of the gear.
    pub efficiency: f64,
    /// Turns of the motor for one turn of the joint.
    pub gear_ratios: Vec<f64>,
    /// Way of the joint for one turn of the motor \[m\].
    pub leads: Vec<f64>,
}

/// What is between a motor and its joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transmission {
    /// Turns of the motor for one turn of the joint.
    Gear(f64),
    /// Way of the joint for one turn of the motor \[m\].
    Lead(f64),
}

impl Transmission {
    /// n: turn of the motor for a unit of the joint \[1 or rad/m\].
    pub fn ratio(self) -> f64 {
        match self {
            Self::Gear(ratio) => ratio,
            Self::Lead(lead) => TAU / lead,
        }
    }
}

impl Motor {
    /// Torque \[N m\] and speed \[rad/s\] on the motor side at an instant of a joint.
    pub fn at(&self, gear: Transmission, moment: &Moment) -> (f64, f64) {
        let n = gear.ratio();
        let inertia = self.rotor_inertia + self.gear_inertia;
        let load = if moment.load * moment.speed >= 0.0 {
            moment.load / (n * self.efficiency) // (2)
        } else {
            moment.load * self.efficiency / n // (3)
        };
        (load + inertia * n * moment.acceleration, n * moment.speed) // (1)
    }

    /// The torque it gives for a short time at a speed \[N m\]: the peak up to the rated speed, from there on a
    /// straight line to what is left at the largest.
    pub fn peak_at(&self, speed: f64) -> f64 {
        let over = (speed.abs() - self.rated_speed) / (self.max_speed - self.rated_speed);
        if over > 0.0 {
            self.peak_torque + (self.peak_torque_at_max_speed - self.peak_torque) * over.min(1.0)
        } else {
            self.peak_torque
        }
    }

    /// What it counts as when motors are compared: its rated power \[W\].
    pub fn size(&self) -> f64 {
        self.rated_torque * self.rated_speed
    }

    /// The gears for joints that slide or turn.
    pub(super) fn transmissions(&self, slides: bool) -> Vec<Transmission> {
        if slides {
            self.leads.iter().copied().map(Transmission::Lead).collect()
        } else {
            self.gear_ratios.iter().copied().map(Transmission::Gear).collect()
        }
    }
}

/// Motors to choose from.
#[derive(Clone, Debug, PartialEq)]
pub struct MotorTable {
    /// In the order of the file.
    pub motors: Vec<Motor>,
}

/// The text of the table that comes with legwork.
const SAMPLE: &str = include_str!("../../../motors/sample.toml");

impl MotorTable {
    /// The table that comes with legwork: plausible numbers of nobody's motors.
    pub fn sample() -> Self {
        Self::parse(SAMPLE).unwrap_or(Self { motors: Vec::new() })
    }

    /// The text of a file.
    pub fn text(path: impl AsRef<Path>) -> Result<String, SizeError> {
        files::read_text(path, files::MOST_TEXT).map_err(|cause| SizeError::Unreadable { cause })
    }

    /// The table in a file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SizeError> {
        Self::parse(&Self::text(path)?)
    }

    /// The table in a text.
    pub fn parse(text: &str) -> Result<Self, SizeError> {
        let line_of = |at: usize| 1 + text.get(..at).unwrap_or(text).matches('\n').count();
        let table = DeTable::parse(text).map_err(|error| SizeError::Syntax {
            line: line_of(error.span().map_or(0, |span| span.start)),
            message: error.message().to_owned(),
        })?;
        let mut motors: Vec<Motor> = Vec::new();
        for (key, value) in table.get_ref() {
            let line = line_of(key.span().start);
            if key.get_ref() != "motor" {
                let key = key.get_ref().to_string();
                let nearest = nearest_word(&key, ["motor"].into_iter());
                return Err(SizeError::UnknownKey { line, motor: "a motor table".into(), key, nearest });
            }
            let DeValue::Array(list) = value.get_ref() else {
                let expected = "a list of tables, each begun by [[motor]]".into();
                return Err(SizeError::Value { line, motor: "the table".into(), key: "motor", expected });
            };
            for (place, value) in list.iter().enumerate() {
                let line = line_of(value.span().start);
                let motor = format!("motor {}", place + 1);
                let DeValue::Table(table) = value.get_ref() else {
                    let expected = "a list of tables, each begun by [[motor]]".into();
                    return Err(SizeError::Value { line, motor, key: "motor", expected });
                };
                let motor = Entry { table, line, motor, line_of: &line_of }.read()?;
                if motors.iter().any(|other| other.name == motor.name) {
                    return Err(SizeError::Twice { line, motor: format!("motor `{}`", motor.name) });
                }
                motors.push(motor);
            }
        }
        if motors.is_empty() { Err(SizeError::Empty) } else { Ok(Self { motors }) }
    }
}

/// One motor of the text.
struct Entry<'a, 't> {
    table: &'a DeTable<'t>,
    line: usize,
    /// As it is called in messages.
    motor: String,
    line_of: &'a dyn Fn(usize) -> usize,
}

impl Entry<'_, '_> {
    fn read(mut self) -> Result<Motor, SizeError> {
        let name = match self.value("name") {
            Some(value) => match value.get_ref() {
                DeValue::String(text) => text.to_string(),
                _ => return Err(self.wrong("name", "a text in quotes".into())),
            },
            None => return Err(self.missing("name")),
        };
        self.motor = format!("motor `{name}`");
        for (key, _) in self.table {
            if !KEYS.contains(&key.get_ref().as_ref()) {
                return Err(SizeError::UnknownKey {
                    line: (self.line_of)(key.span().start),
                    nearest: nearest_word(key.get_ref(), KEYS.into_iter()),
                    motor: self.motor,
                    key: key.get_ref().to_string(),
                });
            }
        }
        let peak_torque = self.needed("peak_torque", Quantity::Torque)?;
        let has_leads = self.value("leads").is_some();
        let ratios = self.list("gear_ratios", Quantity::Ratio)?;
        let motor = Motor {
            rated_torque: self.needed("rated_torque", Quantity::Torque)?,
            peak_torque,
            peak_torque_at_max_speed: self
                .number("peak_torque_at_max_speed", Quantity::Torque)?
                .unwrap_or(peak_torque),
            rated_speed: self.needed("rated_speed", Quantity::AngularSpeed)?,
            max_speed: self.needed("max_speed", Quantity::AngularSpeed)?,
            rotor_inertia: self.needed("rotor_inertia", Quantity::Inertia)?,
            gear_inertia: self.number("gear_inertia", Quantity::Inertia)?.unwrap_or(0.0),
            efficiency: self.number("efficiency", Quantity::Ratio)?.unwrap_or(1.0),
            // Without anything between it turns the joint itself.
            gear_ratios: ratios.unwrap_or_else(|| if has_leads { Vec::new() } else { vec![1.0] }),
            leads: self.list("leads", Quantity::Length)?.unwrap_or_default(),
            name,
        };
        if !(motor.efficiency > 0.0 && motor.efficiency <= 1.0) {
            return Err(self.wrong("efficiency", "above 0 and at most 1".into()));
        }
        if motor.peak_torque < motor.rated_torque {
            return Err(self.wrong("peak_torque", "at least `rated_torque`".into()));
        }
        if motor.max_speed < motor.rated_speed {
            return Err(self.wrong("max_speed", "at least `rated_speed`".into()));
        }
        if motor.peak_torque_at_max_speed > motor.peak_torque {
            return Err(self.wrong("peak_torque_at_max_speed", "at most `peak_torque`".into()));
        }
        Ok(motor)
    }

    fn value(&self, key: &str) -> Option<&Spanned<DeValue<'_>>> {
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    fn missing(&self, key: &'static str) -> SizeError {
        SizeError::MissingKey { line: self.line, motor: self.motor.clone(), key }
    }

    fn wrong(&self, key: &'static str, expected: String) -> SizeError {
        let line = self.value(key).map_or(self.line, |value| (self.line_of)(value.span().start));
        SizeError::Value { line, motor: self.motor.clone(), key, expected }
    }

    fn needed(&self, key: &'static str, quantity: Quantity) -> Result<f64, SizeError> {
        self.number(key, quantity)?.ok_or_else(|| self.missing(key))
    }

    /// A number in SI, larger than zero but for the inertia of a gear.
    fn number(&self, key: &'static str, quantity: Quantity) -> Result<Option<f64>, SizeError> {
        self.value(key).map(|value| self.measure(key, quantity, value)).transpose()
    }

    fn list(&self, key: &'static str, quantity: Quantity) -> Result<Option<Vec<f64>>, SizeError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Array(items) if !items.is_empty() => {
                items.iter().map(|item| self.measure(key, quantity, item)).collect::<Result<_, _>>().map(Some)
            }
            _ => Err(self.wrong(key, "a list in brackets with one number at least".into())),
        }
    }

    fn measure(
        &self,
        key: &'static str,
        quantity: Quantity,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<f64, SizeError> {
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            _ => return Err(self.wrong(key, quantity.described().into())),
        };
        let line = (self.line_of)(value.span().start);
        let number = quantity
            .parse(&text)
            .map_err(|error| SizeError::Unit { line, motor: self.motor.clone(), key, error })?
            .value;
        let may_be_zero = key == "gear_inertia" || key == "peak_torque_at_max_speed";
        if number > 0.0 || (may_be_zero && number == 0.0) {
            return Ok(number);
        }
        Err(self.wrong(key, format!("{} larger than zero", quantity.described())))
    }
}
