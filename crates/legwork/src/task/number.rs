//! Numbers of a result that may be none: NaN and the infinities are null in JSON, and null is read as NaN.

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// A number that may be NaN.
#[derive(Clone, Copy)]
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrNull;
        impl Visitor<'_> for NumberOrNull {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or null")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
                Ok(Number(value))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }
            fn visit_unit<E: Error>(self) -> Result<Number, E> {
                Ok(Number(f64::NAN))
            }
            fn visit_none<E: Error>(self) -> Result<Number, E> {
                Ok(Number(f64::NAN))
            }
        }
        deserializer.deserialize_any(NumberOrNull)
    }
}

/// `#[serde(with = "number::one")]`
pub(crate) mod one {
    use super::{Deserialize, Deserializer, Number, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        Number(*value).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Number::deserialize(deserializer)?.0)
    }
}

/// `#[serde(with = "number::list")]`
pub(super) mod list {
    use super::{Deserialize, Deserializer, Number, Serializer};

    pub fn serialize<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(|value| Number(*value)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        Ok(Vec::<Number>::deserialize(deserializer)?.into_iter().map(|number| number.0).collect())
    }
}

/// `#[serde(with = "number::rows")]`
pub(super) mod rows {
    use super::{Deserialize, Deserializer, Number, Serializer};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub fn serialize<S: Serializer>(rows: &Option<Vec<Vec<f64>>>, serializer: S) -> Result<S::Ok, S::Error> {
        match rows {
            None => serializer.serialize_none(),
            Some(rows) => serializer.collect_seq(
                rows.iter().map(|row| row.iter().map(|value| Number(*value)).collect::<Vec<_>>()),
            ),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Vec<Vec<f64>>>, D::Error> {
        let rows = Option::<Vec<Vec<Number>>>::deserialize(deserializer)?;
        let row = |row: Vec<Number>| row.into_iter().map(|number| number.0).collect();
        Ok(rows.map(|rows| rows.into_iter().map(row).collect()))
    }
}

/// `#[serde(with = "number::matrix")]`
pub(super) mod matrix {
    use super::{Deserialize, Deserializer, Number, Serializer};

    pub fn serialize<S: Serializer>(rows: &[Vec<f64>], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(rows.iter().map(|row| row.iter().map(|x| Number(*x)).collect::<Vec<_>>()))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<f64>>, D::Error> {
        let row = |row: Vec<Number>| row.into_iter().map(|number| number.0).collect();
        Ok(Vec::<Vec<Number>>::deserialize(deserializer)?.into_iter().map(row).collect())
    }
}
