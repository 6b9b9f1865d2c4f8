//! A coordinate of a map: one number, or a range.

use super::map::DEFAULT_COUNT;
use super::{Measure, TaskError};
use crate::analysis::map::{Coordinate, Range};
use crate::coordinates::number;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A coordinate of a map: a number, a text `FROM..TO/COUNT` with units, or a table.
///
/// ```toml
/// x = "-250..250mm/26"
/// y = { from = -0.25, to = "250 mm", count = 26 }
/// z = "-350 mm"
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum CoordinateRequest {
    /// It stays there.
    Fixed(Measure),
    /// It varies.
    Range(RangeRequest),
}

/// Values of a coordinate, equally far apart, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RangeRequest {
    /// The first \[m, rad\].
    pub from: Measure,
    /// The last \[m, rad\].
    pub to: Measure,
    /// How many, 2 at least. Default: 41.
    #[serde(default = "default_count")]
    pub count: usize,
}

fn default_count() -> usize {
    DEFAULT_COUNT
}

impl RangeRequest {
    /// The range along a coordinate.
    pub fn range(&self, coordinate: Coordinate) -> Result<Range, TaskError> {
        let value = |measure: Measure| measure.expect(coordinate.name(), coordinate.quantity());
        Ok(Range::new(coordinate, value(self.from)?, value(self.to)?, self.count))
    }
}

impl CoordinateRequest {
    /// What a text says of a coordinate.
    pub fn parse(coordinate: Coordinate, text: &str) -> Result<Self, TaskError> {
        let name = coordinate.name();
        read(text, |text| Ok(Measure::si(number(name, coordinate.quantity(), text)?))).map_err(|error| {
            match error {
                RangeError::Shape => {
                    let example = if coordinate.turns() { "-30deg..30deg/21" } else { "-250mm..250mm/26" };
                    TaskError::request(format!("`{name} {text}` is not a range"))
                        .or(format!("FROM..TO/COUNT, such as `{name} {example}`"))
                }
                RangeError::Count(count) => {
                    TaskError::request(format!("`{name}`: `{count}` is not a number of poses"))
                        .or("a whole number from 2 on")
                }
                RangeError::Number(error) => error,
            }
        })
    }
}

/// Why a text is no coordinate.
enum RangeError<E> {
    Shape,
    Count(String),
    Number(E),
}

/// "-250..250mm/26": a unit at the end is that of both.
fn read<E>(
    text: &str,
    number: impl Fn(&str) -> Result<Measure, E>,
) -> Result<CoordinateRequest, RangeError<E>> {
    let text = text.replace('\u{2212}', "-");
    let Some((from, rest)) = text.split_once("..") else {
        return Ok(CoordinateRequest::Fixed(number(&text).map_err(RangeError::Number)?));
    };
    let (to, count) = rest.split_once('/').map_or((rest, None), |(to, count)| (to, Some(count.trim())));
    if from.trim().is_empty() || to.trim().is_empty() {
        return Err(RangeError::Shape);
    }
    let count = match count {
        None => DEFAULT_COUNT,
        Some(count) => count.parse().map_err(|_| RangeError::Count(count.into()))?,
    };
    let ends_in_digit = |text: &str| text.trim_end().ends_with(|c: char| c.is_ascii_digit() || c == '.');
    let unit = to.trim_start().trim_start_matches(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let from = if ends_in_digit(from) && !ends_in_digit(to) { format!("{from}{unit}") } else { from.into() };
    let (from, to) = (number(&from).map_err(RangeError::Number)?, number(to).map_err(RangeError::Number)?);
    Ok(CoordinateRequest::Range(RangeRequest { from, to, count }))
}

impl<'de> Deserialize<'de> for CoordinateRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberTextOrTable;
        impl<'de> Visitor<'de> for NumberTextOrTable {
            type Value = CoordinateRequest;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, a text `FROM..TO/COUNT`, or a table with from, to and count")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
                Ok(CoordinateRequest::Fixed(Measure::si(value)))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
                self.visit_f64(value as f64)
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
                self.visit_f64(value as f64)
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                read(text, Measure::parse).map_err(|error| match error {
                    RangeError::Shape => E::custom(format_args!("`{text}` is not a range FROM..TO/COUNT")),
                    RangeError::Count(count) => E::custom(format_args!("`{count}` is not a number of poses")),
                    RangeError::Number(error) => E::custom(format_args!("{error}; {}", error.hint())),
                })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                RangeRequest::deserialize(MapAccessDeserializer::new(map)).map(CoordinateRequest::Range)
            }
        }
        deserializer.deserialize_any(NumberTextOrTable)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for CoordinateRequest {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CoordinateRequest".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let (measure, range) =
            (generator.subschema_for::<Measure>(), generator.subschema_for::<RangeRequest>());
        schemars::json_schema!({
            "description": "A coordinate of a map: a number, a text FROM..TO/COUNT with units, or a table.",
            "anyOf": [measure, range]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_carry_units() {
        let read = |text: &str| match CoordinateRequest::parse(Coordinate::X, text).unwrap() {
            CoordinateRequest::Range(range) => (range.from.value, range.to.value, range.count),
            CoordinateRequest::Fixed(value) => (value.value, value.value, 1),
        };
        assert_eq!(read("-0.25..0.25/26"), (-0.25, 0.25, 26));
        assert_eq!(read("\u{2212}250mm..250mm/26"), (-0.25, 0.25, 26));
        assert_eq!(read("-250..250mm"), (-0.25, 0.25, 41));
        assert_eq!(read("10 cm .. 20 cm / 3"), (0.1, 0.2, 3));
        assert_eq!(read("30mm"), (0.03, 0.03, 1));
    }

    #[test]
    fn what_is_no_range_says_so() {
        let error = |text: &str| CoordinateRequest::parse(Coordinate::X, text).unwrap_err().to_string();
        assert_eq!(error("..3"), "`x ..3` is not a range");
        assert_eq!(error("1..2/many"), "`x`: `many` is not a number of poses");
        assert_eq!(error("1kg..2"), "`x` is a length: `kg` is a mass");
    }
}
