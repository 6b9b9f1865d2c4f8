//! Units in which people give numbers and want them.

use super::{CoordinateError, CoordinateSchema, Units, number};
use crate::units::Quantity;

/// No platform of a robot that was built is farther away \[m\].
const FAR_AWAY: f64 = 20.0;

/// Units of numbers without one, and of the answers. SI where nothing else is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitChoice {
    /// Millimetres instead of metres.
    pub millimetres: bool,
    /// Degrees instead of radians.
    pub degrees: bool,
}

impl UnitChoice {
    /// `mm,deg`, in any order; `m` and `rad` are the SI ones. An error is the word that is neither.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut choice = Self::default();
        for word in text.split(',').map(str::trim) {
            match word {
                "mm" => choice.millimetres = true,
                "deg" => choice.degrees = true,
                "m" | "rad" | "si" | "SI" => {}
                other => return Err(other.to_owned()),
            }
        }
        Ok(choice)
    }

    /// The unit of a bare number of this kind; `None` for SI.
    pub fn of_bare(self, quantity: Quantity) -> Option<&'static str> {
        let (unit, _) = self.shown(quantity.si_unit());
        (unit != quantity.si_unit()).then_some(unit)
    }

    /// The unit in which a number of this SI unit is shown, and what it is multiplied by.
    pub fn shown(self, si: &'static str) -> (&'static str, f64) {
        let degrees = 180.0 / std::f64::consts::PI;
        match si {
            "m" if self.millimetres => ("mm", 1e3),
            "m/s" if self.millimetres => ("mm/s", 1e3),
            "m/s^2" if self.millimetres => ("mm/s^2", 1e3),
            "rad" if self.degrees => ("deg", degrees),
            "rad/s" if self.degrees => ("deg/s", degrees),
            "rad/s^2" if self.degrees => ("deg/s^2", degrees),
            other => (other, 1.0),
        }
    }

    /// The units of several numbers.
    pub fn units(self, units: &Units) -> Units {
        match units {
            Units::None => Units::None,
            Units::All(unit) => Units::All(self.shown(unit).0),
            Units::Each(units) => Units::Each(units.iter().map(|unit| self.shown(unit).0).collect()),
        }
    }
}

/// `x_mm` is x in mm: the name and the unit of a column whose name has both, if the name is known by what it measures.
///
/// ```
/// use legwork::{coordinates::unit_in_name, units::Quantity};
///
/// let known = |name: &str| (name == "vx").then_some(Quantity::Speed);
/// assert_eq!(unit_in_name("VX_mm_s", known), Some(("vx".into(), "mm/s".into())));
/// assert_eq!(unit_in_name("vx_kg", known), None);
/// ```
pub fn unit_in_name(name: &str, kind: impl Fn(&str) -> Option<Quantity>) -> Option<(String, String)> {
    let lower = name.to_lowercase();
    let (stem, suffix) = lower.split_once('_')?;
    let kind = kind(stem)?;
    // x_mm, vx_mm_s, ax_mm/s^2
    let suffixes =
        [suffix.to_owned(), suffix.replacen('_', "/", 1), suffix.replacen('_', "/", 1).replace("s2", "s^2")];
    let unit = suffixes.into_iter().find(|unit| kind.parse_request("0", Some(unit)).is_ok())?;
    Some((stem.to_owned(), unit))
}

impl CoordinateSchema {
    /// The same with these units for bare numbers and answers.
    pub fn choose(&mut self, units: UnitChoice) {
        self.choice = units;
    }

    /// The units for bare numbers and answers.
    pub fn choice(&self) -> UnitChoice {
        self.choice
    }

    /// Numbers that can hardly be meant: angles of more than two turns.
    pub fn doubts(&self, values: &super::Values) -> Vec<String> {
        let turns = |angle: f64| angle.abs() / std::f64::consts::TAU;
        let far = [super::Group::Joints, super::Group::Orientation].into_iter().flat_map(|group| {
            let names = self.group(group).names.iter().enumerate();
            names.filter_map(move |(k, name)| {
                let value = values.get(group, k).filter(|_| name.quantity == Quantity::Angle)?;
                (turns(value) > 2.0).then(|| (name.text.clone(), value))
            })
        });
        far.map(|(name, value)| {
            let number = crate::text::short(value);
            format!("`{name}` is {number} rad, {:.1} turns; did you mean {number}deg?", turns(value))
        })
        .collect()
    }

    /// Numbers of a pose that can hardly be meant although the robot reaches it: metres for millimetres.
    pub fn far_places(&self, values: &super::Values) -> Vec<String> {
        let names = self.group(super::Group::Position).names.iter().enumerate();
        let far = names.filter_map(|(k, name)| {
            let value = values.get(super::Group::Position, k)?;
            (value.abs() > FAR_AWAY).then(|| {
                let number = crate::text::short(value);
                format!("`{}` is {number} m; did you mean {number}mm?", name.text)
            })
        });
        far.collect()
    }

    /// The number that a text says, in SI.
    pub(super) fn number(&self, name: &str, quantity: Quantity, text: &str) -> Result<f64, CoordinateError> {
        match self.choice.of_bare(quantity) {
            None => number(name, quantity, text),
            unit => quantity.parse_request(text, unit).map_err(|cause| CoordinateError::Number {
                name: name.into(),
                quantity,
                cause,
            }),
        }
    }
}
