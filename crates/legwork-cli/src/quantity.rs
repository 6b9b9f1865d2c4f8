//! Numbers of the command line and of streams, with or without a unit, to SI.

use legwork::units::{Quantity, UnitError};

/// What a number of a question measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Length,
    Angle,
    Mass,
    Speed,
    Acceleration,
    AngularSpeed,
    AngularAcceleration,
    Force,
    Torque,
    Ratio,
}

/// Why a text is not a number of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub reason: String,
    pub hint: String,
}

/// No robot is larger, faster or stronger than this, in SI units.
const LARGEST: f64 = 1e9;

impl Kind {
    /// Name with its article.
    pub fn described(self) -> &'static str {
        match self {
            Self::Length => "a length",
            Self::Angle => "an angle",
            Self::Mass => "a mass",
            Self::Speed => "a speed",
            Self::Acceleration => "an acceleration",
            Self::Force => "a force",
            Self::Torque => "a torque",
            Self::Ratio => "a plain number",
            Self::AngularSpeed => "an angular speed",
            Self::AngularAcceleration => "an angular acceleration",
        }
    }

    /// Its SI unit; empty for a plain number.
    pub fn si(self) -> &'static str {
        if self == Self::Ratio { "" } else { self.units().split(',').next().unwrap_or("") }
    }

    /// Units it may carry, SI first.
    fn units(self) -> &'static str {
        match self {
            Self::Length => "m, mm, cm, um, in",
            Self::Angle => "rad, deg",
            Self::Mass => "kg, g",
            Self::Speed => "m/s, mm/s, cm/s, in/s",
            Self::Acceleration => "m/s^2, mm/s^2, cm/s^2, in/s^2",
            Self::Force => "N, kN, mN",
            Self::Torque => "N m, mN m",
            Self::Ratio => "no unit",
            Self::AngularSpeed => "rad/s, deg/s, rpm",
            Self::AngularAcceleration => "rad/s^2, deg/s^2",
        }
    }

    /// The number in SI; `unit` is that of its column, for a number without its own.
    pub fn parse(self, text: &str, unit: Option<&str>) -> Result<f64, Unreadable> {
        let text = text.trim();
        let value = match unit {
            Some(unit) if !has_unit(text) => self.measure(&format!("{text} {unit}"))?,
            _ => self.measure(text)?,
        };
        if value.abs() <= LARGEST {
            return Ok(value);
        }
        Err(Unreadable { reason: format!("`{text}` is too large"), hint: too_large() })
    }

    fn measure(self, text: &str) -> Result<f64, Unreadable> {
        let unreadable = |error: &UnitError| Unreadable {
            reason: error.to_string(),
            hint: match error {
                UnitError::NotANumber { .. } => error.hint(),
                UnitError::TooLarge { .. } => too_large(),
                _ => format!("use {}", self.units()),
            },
        };
        match self {
            Self::Length => plain(Quantity::Length, text),
            Self::Angle => plain(Quantity::Angle, text),
            Self::Mass => plain(Quantity::Mass, text),
            Self::Torque => plain(Quantity::Torque, text),
            Self::Ratio => plain(Quantity::Ratio, text),
            Self::AngularSpeed => plain(Quantity::AngularSpeed, text),
            Self::Speed => over_time(Quantity::Length, text, &["/s"]),
            Self::Acceleration => over_time(Quantity::Length, text, PER_SECOND_SQUARED),
            Self::AngularAcceleration => over_time(Quantity::Angle, text, PER_SECOND_SQUARED),
            Self::Force => force(text),
        }
        .map_err(|error| unreadable(&error))
    }
}

fn too_large() -> String {
    format!("numbers up to {LARGEST:e} are taken, in SI units")
}

const PER_SECOND_SQUARED: &[&str] = &["/s^2", "/s2", "/s²"];

/// Whether something stands after the number.
fn has_unit(text: &str) -> bool {
    text.ends_with(|c: char| !c.is_ascii_digit() && c != '.')
        || text.contains(['/', '²'])
        || text.ends_with("s2")
}

fn plain(quantity: Quantity, text: &str) -> Result<f64, UnitError> {
    quantity.parse(text).map(|measure| measure.value)
}

/// A unit of `quantity` with one of the endings, or a bare number.
fn over_time(quantity: Quantity, text: &str, endings: &[&str]) -> Result<f64, UnitError> {
    let unknown = |text: &str| UnitError::UnknownUnit { unit: unit_of(text).into(), quantity };
    match endings.iter().find_map(|ending| text.strip_suffix(ending)) {
        Some(rest) => {
            let measure = quantity.parse(rest).map_err(|error| match error {
                UnitError::NotANumber { .. } => UnitError::NotANumber { text: text.into() },
                _ => unknown(text),
            })?;
            if measure.unit.is_some() { Ok(measure.value) } else { Err(unknown(text)) }
        }
        None => match quantity.parse(text)? {
            measure if measure.unit.is_none() => Ok(measure.value),
            _ => Err(UnitError::WrongDimension { unit: unit_of(text).into(), found: quantity, quantity }),
        },
    }
}

fn force(text: &str) -> Result<f64, UnitError> {
    let known = [("kN", 1e3), ("mN", 1e-3), ("N", 1.0)];
    let (number, factor) = known
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)))
        .unwrap_or((text, 1.0));
    plain(Quantity::Ratio, number).map(|value| value * factor)
}

/// What stands after the number.
fn unit_of(text: &str) -> &str {
    let number = |c: char| c.is_ascii_digit() || "+-−.".contains(c);
    text.trim_start_matches(number).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_reads_its_units() {
        for (kind, text, value) in [
            (Kind::Length, "100mm", 0.1),
            (Kind::Length, "−0.3", -0.3),
            (Kind::Angle, "180 deg", std::f64::consts::PI),
            (Kind::Mass, "500g", 0.5),
            (Kind::Speed, "1500 mm/s", 1.5),
            (Kind::Speed, "2", 2.0),
            (Kind::Acceleration, "3 m/s^2", 3.0),
            (Kind::Acceleration, "3000 mm/s²", 3.0),
            (Kind::Force, "-2.5kN", -2500.0),
            (Kind::Torque, "250 mN m", 0.25),
            (Kind::Ratio, "0.5", 0.5),
            (Kind::AngularSpeed, "30 rpm", std::f64::consts::PI),
            (Kind::AngularAcceleration, "180deg/s2", std::f64::consts::PI),
        ] {
            assert_eq!(kind.parse(text, None).unwrap(), value, "{text}");
        }
    }

    #[test]
    fn a_column_gives_its_unit_to_bare_numbers_only() {
        assert_eq!(Kind::Length.parse("100", Some("mm")), Ok(0.1));
        assert_eq!(Kind::Length.parse("1e2", Some("mm")), Ok(0.1));
        assert_eq!(Kind::Length.parse("10 cm", Some("mm")), Ok(0.1));
        assert_eq!(Kind::Acceleration.parse("5", Some("mm/s^2")), Ok(0.005));
        assert_eq!(Kind::Acceleration.parse("5 m/s2", Some("mm/s^2")), Ok(5.0));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let reason = |kind: Kind, text: &str| kind.parse(text, None).unwrap_err().reason;
        assert_eq!(reason(Kind::Length, "nan"), "`nan` is not a number");
        assert_eq!(reason(Kind::Length, ""), "`` is not a number");
        assert_eq!(reason(Kind::Length, "3kg"), "`kg` is a mass");
        assert_eq!(reason(Kind::Speed, "3mm"), "`mm` is a length");
        assert_eq!(reason(Kind::Speed, "3kg/s"), "`kg/s` is not a unit");
        assert_eq!(reason(Kind::Speed, "3/s"), "`/s` is not a unit");
        assert_eq!(reason(Kind::Speed, "nan m/s"), "`nan m/s` is not a number");
        assert_eq!(reason(Kind::Force, "3kg"), "`kg` is a mass");
        assert_eq!(reason(Kind::Force, "3 lbf"), "`lbf` is not a unit");
        assert_eq!(reason(Kind::Length, "1e300"), "`1e300` is too large");
        assert_eq!(reason(Kind::Length, "1e999"), "`1e999` is too large");
    }
}
