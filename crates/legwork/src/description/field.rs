//! What a key of a robot file is: its type, its range, its default and its meaning.

use crate::units::Quantity;

/// One key of a robot file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// What may stand behind it.
    pub kind: Kind,
    /// Which numbers are allowed.
    pub range: Range,
    /// What happens when the key is not there.
    pub need: Need,
    /// The unit that the key itself names (`base_triangle_mm`); a bare number is in this unit.
    pub unit_in_key: Option<&'static str>,
    /// What it means, in words.
    pub meaning: &'static str,
}

/// What may stand behind a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of these words, or one for each leg.
    ChoicePerLeg(&'static [&'static str]),
    /// A number with an optional unit.
    Number(Quantity),
    /// A number, or one for each leg.
    NumberPerLeg(Quantity),
    /// Three numbers: x, y, z.
    Vector(Quantity),
}

/// Which numbers a field allows. Every number must be finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Any.
    Any,
    /// Greater than zero.
    Positive,
    /// Zero or greater.
    NotNegative,
    /// Any but zero.
    NotZero,
}

/// What happens when a key is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The file is refused.
    Required,
    /// The value stays unknown; the text says what that means.
    Optional(&'static str),
    /// This value is taken; it is parsed like one in a file.
    Default(&'static str),
    /// The value follows from others, in this way.
    Derived(&'static str),
}

/// One table of a robot file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table {
    /// Its name; empty for the keys at the top of the file.
    pub name: &'static str,
    /// What it is for, in words.
    pub meaning: &'static str,
    /// Its keys; empty for `[geometry]`, whose keys depend on the convention.
    pub fields: &'static [Field],
}

impl Kind {
    /// What the value must be, for messages: "a length", "an array of 3 lengths".
    pub fn described(self) -> String {
        match self {
            Self::Text => "a text".into(),
            Self::Choice(_) => "a word".into(),
            Self::ChoicePerLeg(_) => "a word or an array of 3 words".into(),
            Self::Number(quantity) => quantity.described().into(),
            Self::NumberPerLeg(quantity) => format!("{} or an array of 3 of them", quantity.described()),
            Self::Vector(quantity) => format!("an array of 3 numbers, each {}", quantity.described()),
        }
    }

    /// A value in TOML that this kind accepts.
    pub fn example(self) -> String {
        match self {
            Self::Text => "\"...\"".into(),
            Self::Choice(words) | Self::ChoicePerLeg(words) => format!("{:?}", words.first().unwrap_or(&"")),
            Self::Vector(quantity) => format!("[0, 0, {}]", example(quantity)),
            Self::Number(quantity) | Self::NumberPerLeg(quantity) => example(quantity).into(),
        }
    }

    /// What a number of this kind measures.
    pub fn quantity(self) -> Option<Quantity> {
        match self {
            Self::Number(quantity) | Self::NumberPerLeg(quantity) | Self::Vector(quantity) => Some(quantity),
            Self::Text | Self::Choice(_) | Self::ChoicePerLeg(_) => None,
        }
    }
}

fn example(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Length => "\"120 mm\"",
        Quantity::Angle => "\"30 deg\"",
        Quantity::Mass => "\"83.6 g\"",
        Quantity::Inertia => "\"0.27e-4 kg m^2\"",
        Quantity::Acceleration => "\"9.81 m/s^2\"",
        Quantity::Torque => "\"25 N m\"",
        Quantity::AngularSpeed => "\"300 rpm\"",
        Quantity::ViscousFriction => "\"0.1 N m s/rad\"",
        Quantity::Ratio => "25",
    }
}
