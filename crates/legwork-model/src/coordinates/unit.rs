//! Units of numbers that stand together.

use super::CoordinateSchema;
use crate::Freedom;
use std::fmt;

/// The units of a quantity of one or many numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Units {
    /// A plain number or a word.
    None,
    /// One for all.
    All(&'static str),
    /// One for each number; of a matrix by rows.
    Each(Vec<&'static str>),
}

impl Units {
    /// One unit if all are the same.
    pub fn of(units: Vec<&'static str>) -> Self {
        match units.first() {
            None => Self::None,
            Some(first) if units.iter().all(|unit| unit == first) => Self::from(*first),
            _ => Self::Each(units),
        }
    }

    /// The unit of the number at a place.
    pub fn get(&self, place: usize) -> &'static str {
        match self {
            Self::None => "",
            Self::All(unit) => unit,
            Self::Each(units) => units.get(place).copied().unwrap_or(""),
        }
    }
}

impl fmt::Display for Units {
    /// Each unit once: "kg, kg m, kg m^2, by row and column".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::All(unit) => f.write_str(unit),
            Self::Each(units) => {
                let mut once: Vec<&str> = Vec::new();
                for unit in units {
                    if !once.contains(unit) {
                        once.push(unit);
                    }
                }
                write!(f, "{}, by row and column", once.join(", "))
            }
        }
    }
}

impl CoordinateSchema {
    /// Units of the Jacobian: platform velocity over joint speed, by rows.
    pub fn jacobian_units(&self) -> Units {
        let motors = self.each(true, false);
        let entry = |turns: bool, motor_turns: bool| match (turns, motor_turns) {
            (false, true) => "m/rad",
            (true, false) => "rad/m",
            _ => "1",
        };
        let rows = self.freedoms.iter().flat_map(|f| motors.iter().map(|motor| entry(f.turns(), *motor)));
        Units::of(rows.collect())
    }

    /// Units of the mass matrix at the motors: effort over joint acceleration, by rows.
    pub fn mass_units(&self) -> Units {
        inertia(&self.each(true, false))
    }

    /// Units of the mass matrix at the platform: wrench over acceleration, by rows.
    pub fn platform_mass_units(&self) -> Units {
        inertia(&self.freedoms.iter().map(Freedom::turns).collect::<Vec<_>>())
    }
}

fn inertia(turns: &[bool]) -> Units {
    let entry = |a: bool, b: bool| match (a, b) {
        (false, false) => "kg",
        (true, true) => "kg m^2",
        _ => "kg m",
    };
    Units::of(turns.iter().flat_map(|a| turns.iter().map(|b| entry(*a, *b))).collect())
}

impl From<&'static str> for Units {
    fn from(unit: &'static str) -> Self {
        if unit.is_empty() { Self::None } else { Self::All(unit) }
    }
}
