//! What a key of a robot file is: its type, its range, its default and its meaning.

use crate::units::Quantity;
use std::fmt;

/// One key of a robot file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// What may stand behind it.
    pub kind: ValueType,
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
pub enum ValueType {
    /// Any text.
    Text,
    /// An array of texts: names of things in the file.
    Names,
    /// `true` or `false`.
    Flag,
    /// A whole number between these two, both included.
    Whole(u32, u32),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of these words, or one for each leg.
    ChoicePerLeg(&'static [&'static str], Count),
    /// One of the first words, or an array of the second ones.
    ChoiceOrList(&'static [&'static str], &'static [&'static str]),
    /// A number with an optional unit.
    Number(Quantity),
    /// A number, or one for each leg.
    NumberPerLeg(Quantity, Count),
    /// This many numbers: x, y, z.
    Vector(Quantity, usize),
    /// x, y, z, or these for each leg.
    VectorPerLeg(Quantity, Count),
    /// x, y, z for each leg.
    Points(Quantity, Count),
    /// Three rows of three plain numbers.
    Matrix,
    /// xx, yy, zz; or these and xy, xz, yz; or three rows of three.
    Inertia,
}

/// How many values a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// This many.
    Exactly(usize),
    /// As many as there are legs, between these two.
    Between(usize, usize),
}

impl Count {
    /// Whether a list may have this many values.
    pub fn allows(self, count: usize) -> bool {
        let (fewest, most) = self.ends();
        (fewest..=most).contains(&count)
    }

    /// Fewest and most.
    pub fn ends(self) -> (usize, usize) {
        match self {
            Self::Exactly(count) => (count, count),
            Self::Between(fewest, most) => (fewest, most),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(count) => write!(f, "{count}"),
            Self::Between(fewest, most) => write!(f, "{fewest} to {most}"),
        }
    }
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
    /// Any but zero; for a vector: not all of them zero.
    NotZero,
    /// An angle up to half a turn either way.
    HalfTurn,
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
    /// Required in one of the [`Alternatives`] of its table; the text says in which.
    OneOf(&'static str),
}

/// One table of a robot file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name with those of the tables around it, `leg.attachment`; empty for the top of the file.
    pub name: &'static str,
    /// What it is for, in words.
    pub meaning: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// The table that may be there in its place, if it must.
    pub unless: Option<&'static str>,
    /// Whether it is written `[[name]]`, once for each of its kind.
    pub repeated: bool,
    /// Its keys; empty for `[geometry]` of a Delta, whose keys depend on the convention.
    pub fields: &'static [Field],
    /// Keys of which only some can be given together.
    pub alternatives: &'static [Alternatives],
    /// Keys that depend on its key `type`.
    pub types: &'static [Type],
    /// The tables inside it.
    pub tables: &'static [Table],
}

/// Groups of keys of which a table holds one: the alternatives to say one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternatives {
    /// Whether one of them must be there.
    pub required: bool,
    /// The groups of keys.
    pub choices: &'static [Alternative],
}

/// Keys that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The keys it needs.
    pub needs: &'static [&'static str],
    /// More keys that belong to it.
    pub may: &'static [&'static str],
}

/// The keys of a table whose `type` is this word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// The word.
    pub word: &'static str,
    /// What it is, in words.
    pub meaning: &'static str,
    /// Its keys.
    pub fields: &'static [Field],
}

impl Table {
    /// A table with these keys that may be left out.
    pub(crate) const fn new(name: &'static str, meaning: &'static str, fields: &'static [Field]) -> Self {
        Self {
            name,
            meaning,
            required: false,
            unless: None,
            repeated: false,
            fields,
            alternatives: &[],
            types: &[],
            tables: &[],
        }
    }

    /// The same table, but it must be there.
    pub(crate) const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// The same table, but it must be there unless another one is.
    pub(crate) const fn required_unless(self, other: &'static str) -> Self {
        Self { required: true, unless: Some(other), ..self }
    }

    /// The key it has in the table around it.
    pub fn key(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }

    /// As it is written: `[geometry]`, `[[leg.joint]]`, or words for the top of the file.
    pub fn title(&self) -> String {
        match (self.name, self.repeated) {
            ("", _) => "the top of the file".into(),
            (name, false) => format!("[{name}]"),
            (name, true) => format!("[[{name}]]"),
        }
    }

    /// This table and all inside it, in the order of the file.
    pub fn all(&'static self) -> Vec<&'static Self> {
        let mut all = vec![self];
        all.extend(self.tables.iter().flat_map(Self::all));
        all
    }

    /// Its keys, with those of every type.
    pub fn every_field(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().chain(self.types.iter().flat_map(|of| of.fields))
    }
}

impl ValueType {
    /// What the value must be, for messages: "a length", "an array of 3 lengths".
    pub fn described(self) -> String {
        let each = |quantity: Quantity| format!("an array of 3 numbers, each {}", quantity.described());
        match self {
            Self::Text => "a text".into(),
            Self::Names => "an array of names".into(),
            Self::Flag => "true or false".into(),
            Self::Whole(fewest, most) => format!("a whole number from {fewest} to {most}"),
            Self::Choice(_) => "a word".into(),
            Self::ChoicePerLeg(_, count) => format!("a word or an array of {count} words"),
            Self::ChoiceOrList(..) => "a word or an array of words".into(),
            Self::Number(quantity) => quantity.described().into(),
            Self::NumberPerLeg(quantity, count) => {
                format!("{} or an array of {count} of them", quantity.described())
            }
            Self::Vector(quantity, count) => {
                format!("an array of {count} numbers, each {}", quantity.described())
            }
            Self::VectorPerLeg(quantity, count) => {
                format!("{}, or an array of {count} of these", each(quantity))
            }
            Self::Points(quantity, count) => {
                format!("an array of {count} points of 3 numbers, each {}", quantity.described())
            }
            Self::Matrix => "3 rows of 3 plain numbers".into(),
            Self::Inertia => {
                "xx, yy, zz, or xx, yy, zz, xy, xz, yz, or 3 rows of 3, each a moment of inertia".into()
            }
        }
    }

    /// A value in TOML that this kind accepts.
    pub fn example(self) -> String {
        match self {
            Self::Points(quantity, count) => {
                let point = format!("[0, 0, {}]", example(quantity));
                format!("[{}]", vec![point; count.ends().0].join(", "))
            }
            _ => self.sketch(),
        }
    }

    /// The same, with `...` for what only repeats.
    pub fn sketch(self) -> String {
        match self {
            Self::Text => "\"...\"".into(),
            Self::Names => "[\"...\"]".into(),
            Self::Flag => "true".into(),
            Self::Whole(fewest, _) => fewest.to_string(),
            Self::Choice(words) | Self::ChoicePerLeg(words, _) | Self::ChoiceOrList(words, _) => {
                format!("{:?}", words.first().unwrap_or(&""))
            }
            Self::Vector(Quantity::Ratio, 4) => "[1, 0, 0, 0]".into(),
            Self::Vector(quantity, 2) => format!("[0, {}]", example(quantity)),
            Self::Vector(quantity, _) | Self::VectorPerLeg(quantity, _) => {
                format!("[0, 0, {}]", example(quantity))
            }
            Self::Points(quantity, _) => format!("[[0, 0, {}], ...]", example(quantity)),
            Self::Number(quantity) | Self::NumberPerLeg(quantity, _) => example(quantity).into(),
            Self::Matrix => "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]".into(),
            Self::Inertia => "[0.1, 0.1, 0.2]".into(),
        }
    }

    /// What a number of this kind measures.
    pub fn quantity(self) -> Option<Quantity> {
        match self {
            Self::Number(quantity)
            | Self::NumberPerLeg(quantity, _)
            | Self::Vector(quantity, _)
            | Self::VectorPerLeg(quantity, _)
            | Self::Points(quantity, _) => Some(quantity),
            Self::Matrix => Some(Quantity::Ratio),
            Self::Inertia => Some(Quantity::Inertia),
            Self::Text
            | Self::Names
            | Self::Flag
            | Self::Whole(..)
            | Self::Choice(_)
            | Self::ChoicePerLeg(..)
            | Self::ChoiceOrList(..) => None,
        }
    }

    /// Whether it is made of vectors, so that a range speaks of their lengths.
    pub(crate) fn is_vector(self) -> bool {
        matches!(self, Self::Vector(..) | Self::VectorPerLeg(..) | Self::Points(..))
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
        Quantity::Force => "\"800 N\"",
        Quantity::Speed => "\"250 mm/s\"",
        Quantity::LinearFriction => "\"40 N s/m\"",
        Quantity::Time => "\"0.4 s\"",
        Quantity::Frequency => "\"20 Hz\"",
        Quantity::AngularAcceleration => "\"900 deg/s^2\"",
        Quantity::Ratio => "1",
    }
}
