//! Units of numbers that stand together.

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

impl From<&'static str> for Units {
    fn from(unit: &'static str) -> Self {
        if unit.is_empty() { Self::None } else { Self::All(unit) }
    }
}
