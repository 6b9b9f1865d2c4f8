//! Numbers with units: `"120 mm"`, `"-34.25 deg"`, `"0.27e-4 kg m^2"`.
//!
//! One table, [`UNITS`], says which units exist, how they are spelled and how they become SI. A number
//! without a unit is SI. The result is as good as the literal: `"350 mm"` is the same `f64` as `0.35`.
//!
//! ```
//! use legwork::units::Quantity;
//!
//! assert_eq!(Quantity::Length.parse("350 mm")?.value, 0.35);
//! assert_eq!(Quantity::Inertia.parse("2070 kg mm²")?.value, 2.07e-3);
//! assert!(Quantity::Length.parse("3 kg").is_err());
//! # Ok::<(), legwork::units::UnitError>(())
//! ```

use std::fmt;

/// What a number measures. Each kind accepts its own units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// Length \[m\].
    Length,
    /// Angle \[rad\].
    Angle,
    /// Mass \[kg\].
    Mass,
    /// Moment of inertia \[kg m²\].
    Inertia,
    /// Acceleration \[m/s²\].
    Acceleration,
    /// Angular acceleration \[rad/s²\].
    AngularAcceleration,
    /// Torque \[N m\].
    Torque,
    /// Angular speed \[rad/s\].
    AngularSpeed,
    /// Viscous friction of a rotating joint \[N m s/rad\].
    ViscousFriction,
    /// Force \[N\].
    Force,
    /// Speed \[m/s\].
    Speed,
    /// Viscous friction of a sliding joint \[N s/m\].
    LinearFriction,
    /// Time \[s\].
    Time,
    /// Frequency \[Hz\].
    Frequency,
    /// A plain number, such as a gear ratio.
    Ratio,
}

impl Quantity {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Self; 15] = [
        Self::Length,
        Self::Angle,
        Self::Mass,
        Self::Inertia,
        Self::Acceleration,
        Self::AngularAcceleration,
        Self::Torque,
        Self::AngularSpeed,
        Self::ViscousFriction,
        Self::Force,
        Self::Speed,
        Self::LinearFriction,
        Self::Time,
        Self::Frequency,
        Self::Ratio,
    ];

    /// Name with its article, for messages: "a length", "an angle".
    pub fn described(self) -> &'static str {
        match self {
            Self::Length => "a length",
            Self::Angle => "an angle",
            Self::Mass => "a mass",
            Self::Inertia => "a moment of inertia",
            Self::Acceleration => "an acceleration",
            Self::AngularAcceleration => "an angular acceleration",
            Self::Torque => "a torque",
            Self::AngularSpeed => "an angular speed",
            Self::ViscousFriction => "a viscous friction",
            Self::Force => "a force",
            Self::Speed => "a speed",
            Self::LinearFriction => "a viscous friction along a line",
            Self::Time => "a time",
            Self::Frequency => "a frequency",
            Self::Ratio => "a plain number",
        }
    }

    /// Name without article: "length", "angle".
    pub fn name(self) -> &'static str {
        self.described().split_once(' ').map_or("", |(_, name)| name)
    }

    /// Symbol of the SI unit; empty for a plain number.
    pub fn si_unit(self) -> &'static str {
        self.units().next().map_or("", |unit| unit.symbol)
    }

    /// A unit that a workshop drawing would use; hints suggest it.
    pub fn usual_unit(self) -> &'static str {
        match self {
            Self::Length => "mm",
            Self::Angle => "deg",
            _ => self.si_unit(),
        }
    }

    /// The units this kind accepts, SI first.
    pub fn units(self) -> impl Iterator<Item = &'static Unit> {
        UNITS.iter().filter(move |unit| unit.quantity == self)
    }

    /// Read a number with an optional unit.
    pub fn parse(self, text: &str) -> Result<Measure, UnitError> {
        let text = text.trim();
        let (number, rest) = split_number(text).ok_or_else(|| UnitError::NotANumber { text: text.into() })?;
        let symbol = normalise(rest);
        if symbol.is_empty() {
            return Measure { value: scale_decimal(&number, 0), unit: None }.finite(text);
        }
        let unit = UNITS
            .iter()
            .find(|unit| unit.spellings.contains(&symbol.as_str()))
            .ok_or_else(|| UnitError::UnknownUnit { unit: rest.trim().into(), quantity: self })?;
        if unit.quantity != self {
            let (unit, found) = (rest.trim().into(), unit.quantity);
            return Err(UnitError::WrongDimension { unit, found, quantity: self });
        }
        Measure { value: unit.to_si.apply(&number), unit: Some(unit.symbol) }.finite(text)
    }

    /// Read a number of a request: with its own unit, or with that of its column, or in SI; not beyond [`LARGEST`].
    pub fn parse_request(self, text: &str, column_unit: Option<&str>) -> Result<f64, UnitError> {
        let text = text.trim().replace('−', "-");
        let is_bare = split_number(&text).is_some_and(|(_, rest)| rest.trim().is_empty());
        let measure = match column_unit {
            Some(unit) if is_bare => self.parse(&format!("{text} {unit}")),
            _ => self.parse(&text),
        };
        match measure {
            Ok(measure) if measure.value.abs() <= LARGEST => Ok(measure.value),
            Ok(_) | Err(UnitError::TooLarge { .. }) => Err(UnitError::BeyondLargest { text }),
            Err(error) => Err(error),
        }
    }
}

/// No robot is larger, faster or stronger than this, in SI units.
pub const LARGEST: f64 = 1e9;

/// A number in SI and the unit it was written in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The value in SI units.
    pub value: f64,
    /// The unit that was written; `None` for a bare number.
    pub unit: Option<&'static str>,
}

impl Measure {
    fn finite(self, text: &str) -> Result<Self, UnitError> {
        if self.value.is_finite() { Ok(self) } else { Err(UnitError::TooLarge { text: text.into() }) }
    }
}

/// One unit: its symbol, its spellings and its way to SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// What it measures.
    pub quantity: Quantity,
    /// The spelling used in messages and documentation.
    pub symbol: &'static str,
    /// Accepted spellings, after `·`, `*` became a space and `^2`, `²` became `2`.
    pub spellings: &'static [&'static str],
    /// How a number in this unit becomes SI.
    pub to_si: ToSi,
}

/// Conversion of a written number to SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ToSi {
    /// Shift the decimal point by this many places; exact, as it is done on the digits.
    Shift(i32),
    /// Multiply by the first, divide by the second; both are whole numbers.
    Fraction(f64, f64),
    /// Degrees, by [`f64::to_radians`].
    Degrees,
    /// Revolutions per minute.
    Rpm,
}

impl ToSi {
    fn apply(self, number: &Decimal<'_>) -> f64 {
        match self {
            Self::Shift(places) => scale_decimal(number, places),
            Self::Fraction(times, over) => scale_decimal(number, 0) * times / over,
            Self::Degrees => scale_decimal(number, 0).to_radians(),
            Self::Rpm => scale_decimal(number, 0) / 30.0 * std::f64::consts::PI,
        }
    }
}

const fn unit(
    quantity: Quantity,
    symbol: &'static str,
    spellings: &'static [&'static str],
    to_si: ToSi,
) -> Unit {
    Unit { quantity, symbol, spellings, to_si }
}

/// Every unit. The first of each kind is SI.
#[rustfmt::skip]
pub const UNITS: &[Unit] = &[
    unit(Quantity::Length, "m", &["m"], ToSi::Shift(0)),
    unit(Quantity::Length, "mm", &["mm"], ToSi::Shift(-3)),
    unit(Quantity::Length, "cm", &["cm"], ToSi::Shift(-2)),
    unit(Quantity::Length, "um", &["um"], ToSi::Shift(-6)),
    unit(Quantity::Length, "in", &["in", "inch"], ToSi::Fraction(254.0, 10_000.0)),
    unit(Quantity::Angle, "rad", &["rad"], ToSi::Shift(0)),
    unit(Quantity::Angle, "deg", &["deg", "°"], ToSi::Degrees),
    unit(Quantity::Mass, "kg", &["kg"], ToSi::Shift(0)),
    unit(Quantity::Mass, "g", &["g"], ToSi::Shift(-3)),
    unit(Quantity::Inertia, "kg m^2", &["kg m2", "kgm2"], ToSi::Shift(0)),
    unit(Quantity::Inertia, "kg cm^2", &["kg cm2", "kgcm2"], ToSi::Shift(-4)),
    unit(Quantity::Inertia, "kg mm^2", &["kg mm2", "kgmm2"], ToSi::Shift(-6)),
    unit(Quantity::Inertia, "g cm^2", &["g cm2", "gcm2"], ToSi::Shift(-7)),
    unit(Quantity::Acceleration, "m/s^2", &["m/s2"], ToSi::Shift(0)),
    unit(Quantity::Acceleration, "mm/s^2", &["mm/s2"], ToSi::Shift(-3)),
    unit(Quantity::Acceleration, "cm/s^2", &["cm/s2"], ToSi::Shift(-2)),
    unit(Quantity::Acceleration, "in/s^2", &["in/s2", "inch/s2"], ToSi::Fraction(254.0, 10_000.0)),
    unit(Quantity::AngularAcceleration, "rad/s^2", &["rad/s2"], ToSi::Shift(0)),
    unit(Quantity::AngularAcceleration, "deg/s^2", &["deg/s2", "°/s2"], ToSi::Degrees),
    unit(Quantity::Torque, "N m", &["N m", "Nm"], ToSi::Shift(0)),
    unit(Quantity::Torque, "mN m", &["mN m", "mNm"], ToSi::Shift(-3)),
    unit(Quantity::AngularSpeed, "rad/s", &["rad/s"], ToSi::Shift(0)),
    unit(Quantity::AngularSpeed, "deg/s", &["deg/s", "°/s"], ToSi::Degrees),
    unit(Quantity::AngularSpeed, "rpm", &["rpm", "1/min"], ToSi::Rpm),
    unit(
        Quantity::ViscousFriction, "N m s/rad",
        &["N m s/rad", "Nm s/rad", "Nms/rad", "N m s", "Nms", "N m/(rad/s)", "Nm/(rad/s)"], ToSi::Shift(0),
    ),
    unit(Quantity::Force, "N", &["N"], ToSi::Shift(0)),
    unit(Quantity::Force, "kN", &["kN"], ToSi::Shift(3)),
    unit(Quantity::Force, "mN", &["mN"], ToSi::Shift(-3)),
    unit(Quantity::Speed, "m/s", &["m/s"], ToSi::Shift(0)),
    unit(Quantity::Speed, "mm/s", &["mm/s"], ToSi::Shift(-3)),
    unit(Quantity::Speed, "cm/s", &["cm/s"], ToSi::Shift(-2)),
    unit(Quantity::Speed, "m/min", &["m/min"], ToSi::Fraction(1.0, 60.0)),
    unit(Quantity::Speed, "in/s", &["in/s"], ToSi::Fraction(254.0, 10_000.0)),
    unit(Quantity::LinearFriction, "N s/m", &["N s/m", "Ns/m", "N/(m/s)"], ToSi::Shift(0)),
    unit(Quantity::LinearFriction, "N s/mm", &["N s/mm", "Ns/mm", "N/(mm/s)"], ToSi::Shift(3)),
    unit(Quantity::Time, "s", &["s"], ToSi::Shift(0)),
    unit(Quantity::Time, "ms", &["ms"], ToSi::Shift(-3)),
    unit(Quantity::Time, "us", &["us"], ToSi::Shift(-6)),
    unit(Quantity::Time, "min", &["min"], ToSi::Fraction(60.0, 1.0)),
    unit(Quantity::Frequency, "Hz", &["Hz", "1/s"], ToSi::Shift(0)),
];

/// Why a text is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnitError {
    /// The text does not start with a number.
    NotANumber {
        /// What was written.
        text: String,
    },
    /// The number does not fit into a double.
    TooLarge {
        /// What was written.
        text: String,
    },
    /// No robot is so large, fast or strong.
    BeyondLargest {
        /// What was written.
        text: String,
    },
    /// No unit is spelled like this.
    UnknownUnit {
        /// What was written after the number.
        unit: String,
        /// What the number should measure.
        quantity: Quantity,
    },
    /// The unit exists but measures something else.
    WrongDimension {
        /// What was written after the number.
        unit: String,
        /// What that unit measures.
        found: Quantity,
        /// What the number should measure.
        quantity: Quantity,
    },
}

impl UnitError {
    /// What to write instead.
    pub fn hint(&self) -> String {
        match self {
            Self::NotANumber { text } if text.contains(',') => "write the decimal sign as a point".into(),
            Self::NotANumber { .. } => "write a number, then its unit, such as \"120 mm\"".into(),
            Self::TooLarge { .. } => "write a number below 1e308".into(),
            Self::BeyondLargest { .. } => format!("numbers up to {LARGEST:e} are taken, in SI units"),
            Self::UnknownUnit { quantity, .. } | Self::WrongDimension { quantity, .. } => accepted(*quantity),
        }
    }
}

/// "use m, mm, cm, um, in".
fn accepted(quantity: Quantity) -> String {
    let symbols: Vec<_> = quantity.units().map(|unit| unit.symbol).collect();
    if symbols.is_empty() { "leave the unit out".into() } else { format!("use {}", symbols.join(", ")) }
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber { text } => write!(f, "`{text}` is not a number"),
            Self::TooLarge { text } | Self::BeyondLargest { text } => write!(f, "`{text}` is too large"),
            Self::UnknownUnit { unit, .. } => write!(f, "`{unit}` is not a unit"),
            Self::WrongDimension { unit, found, .. } => write!(f, "`{unit}` is {}", found.described()),
        }
    }
}

impl std::error::Error for UnitError {}

/// A number split into its digits and its power of ten.
struct Decimal<'a> {
    negative: bool,
    digits: &'a str,
    exponent: i64,
}

/// Split "−1.5e3 mm" into the number and what follows; `None` if it does not start with a number.
fn split_number(text: &str) -> Option<(Decimal<'_>, &str)> {
    let unsigned = text.strip_prefix(['+', '-', '−']).unwrap_or(text);
    let negative = text.starts_with(['-', '−']);
    let mut point = false;
    let length = unsigned
        .find(|c: char| !(c.is_ascii_digit() || (c == '.' && !std::mem::replace(&mut point, true))))
        .unwrap_or(unsigned.len());
    let (digits, rest) = unsigned.split_at(length);
    if !digits.contains(|c: char| c.is_ascii_digit()) || rest.starts_with(['.', ',']) {
        return None;
    }
    let (exponent, rest) = split_exponent(rest).unwrap_or((0, rest));
    Some((Decimal { negative, digits, exponent }, rest))
}

/// Split "e-3 mm" into −3 and " mm"; `None` if there is no exponent.
fn split_exponent(text: &str) -> Option<(i64, &str)> {
    let signed = text.strip_prefix(['e', 'E'])?;
    let unsigned = signed.strip_prefix(['+', '-']).unwrap_or(signed);
    let length = unsigned.find(|c: char| !c.is_ascii_digit()).unwrap_or(unsigned.len());
    let (digits, rest) = unsigned.split_at(length);
    if digits.is_empty() {
        return None;
    }
    // More digits than fit mean zero or infinity, whatever they are.
    let size = digits.parse::<i64>().unwrap_or(i64::MAX).min(1_000_000);
    Some((if signed.starts_with('-') { -size } else { size }, rest))
}

/// The nearest double of the number times a power of ten, with a single rounding.
fn scale_decimal(number: &Decimal<'_>, places: i32) -> f64 {
    let exponent = number.exponent + i64::from(places);
    // Digits and an exponent always parse; NaN would be refused as not finite.
    let size = format!("{}e{exponent}", number.digits).parse().unwrap_or(f64::NAN);
    if number.negative { -size } else { size }
}

/// One spelling for `·`, `*`, `^2`, `²`, `µ` and spaces around them.
fn normalise(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '·' | '⋅' | '*' => plain.push(' '),
            '²' => plain.push('2'),
            'µ' | 'μ' => plain.push('u'),
            '^' => {}
            _ => plain.push(c),
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ").replace(" /", "/").replace("/ ", "/")
}

#[cfg(test)]
mod tests;
