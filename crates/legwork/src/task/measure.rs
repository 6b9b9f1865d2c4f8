//! Numbers of a request: plain numbers are SI, a text carries its unit, as in `"30 ms"`. They are written as plain
//! numbers, so a request that was written and read again is the same to the bit.

use crate::coordinates::CoordinateError;
use crate::units::{Quantity, UNITS, UnitError};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A number with the dimension of its unit, if one was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The value in SI units.
    pub value: f64,
    /// What its unit measures; `None` for a plain number.
    pub quantity: Option<Quantity>,
}

impl Measure {
    /// A number in SI.
    pub fn si(value: f64) -> Self {
        Self { value, quantity: None }
    }

    /// The number, if it measures this; `name` says in the error what it is.
    pub fn expect(self, name: &str, quantity: Quantity) -> Result<f64, CoordinateError> {
        match self.quantity {
            Some(found) if found != quantity => Err(CoordinateError::Number {
                name: name.into(),
                quantity,
                cause: UnitError::WrongDimension { unit: found.si_unit().into(), found, quantity },
            }),
            _ => Ok(self.value),
        }
    }

    /// What a text says, whatever it measures.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let as_plain = Quantity::Ratio.parse_request(text, None);
        if let Ok(value) = as_plain {
            return Ok(Self::si(value));
        }
        let mut tried: Vec<Quantity> = Vec::new();
        for unit in UNITS {
            if !tried.contains(&unit.quantity) {
                tried.push(unit.quantity);
                if let Ok(value) = unit.quantity.parse_request(text, None) {
                    return Ok(Self { value, quantity: Some(unit.quantity) });
                }
            }
        }
        as_plain.map(Self::si)
    }
}

impl From<f64> for Measure {
    fn from(value: f64) -> Self {
        Self::si(value)
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value)
    }
}

/// Takes a number or a text.
struct NumberOrText<T> {
    expecting: &'static str,
    number: fn(f64) -> T,
    text: fn(&str) -> Result<T, UnitError>,
}

impl<T> Visitor<'_> for NumberOrText<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: a number in SI, or a text with a unit", self.expecting)
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<T, E> {
        if value.is_finite() {
            Ok((self.number)(value))
        } else {
            Err(E::custom(format_args!("{value} is not a finite number")))
        }
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        Ok((self.number)(value as f64))
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        Ok((self.number)(value as f64))
    }
    fn visit_str<E: Error>(self, value: &str) -> Result<T, E> {
        (self.text)(value).map_err(|error| E::custom(format_args!("{error}; {}", error.hint())))
    }
}

impl<'de> Deserialize<'de> for Measure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrText {
            expecting: "a quantity",
            number: Self::si,
            text: Self::parse,
        })
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Measure {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Measure".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A number in SI units, or a text with a number and its unit, such as \"120 mm\".",
            "type": ["number", "string"]
        })
    }
}

macro_rules! measures {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
            pub struct $name(pub f64);

            impl $name {
                /// What a text says: a number in SI, or one with its unit.
                pub fn parse(text: &str) -> Result<Self, UnitError> {
                    Quantity::$name.parse_request(text, None).map(Self)
                }
            }

            impl From<f64> for $name {
                fn from(value: f64) -> Self {
                    Self(value)
                }
            }

            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_f64(self.0)
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    deserializer.deserialize_any(NumberOrText {
                        expecting: Quantity::$name.described(),
                        number: Self,
                        text: Self::parse,
                    })
                }
            }

            #[cfg(feature = "schema")]
            impl schemars::JsonSchema for $name {
                fn schema_name() -> std::borrow::Cow<'static, str> {
                    stringify!($name).into()
                }
                fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                    let quantity = Quantity::$name;
                    let units: Vec<&str> = quantity.units().map(|unit| unit.symbol).collect();
                    schemars::json_schema!({
                        "description": format!(
                            "{}: a number in {}, or a text with one of the units {}.",
                            quantity.described(), quantity.si_unit(), units.join(", ")
                        ),
                        "type": ["number", "string"]
                    })
                }
            }
        )*
    };
}

measures! {
    /// A length \[m\].
    Length,
    /// An angle \[rad\].
    Angle,
    /// A mass \[kg\].
    Mass,
    /// A time \[s\].
    Time,
    /// A frequency \[Hz\].
    Frequency,
    /// A speed \[m/s\].
    Speed,
    /// An acceleration \[m/s²\].
    Acceleration,
    /// A force \[N\].
    Force,
    /// A torque \[N m\].
    Torque,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_and_numbers_come_back_to_the_bit() {
        assert_eq!(serde_json::from_str::<Time>("\"30 ms\"").unwrap(), Time(0.03));
        assert_eq!(serde_json::from_str::<Time>("2").unwrap(), Time(2.0));
        for value in [0.1, 1.0 / 3.0, -7.25e-9, 12345.678901234567] {
            let text = serde_json::to_string(&Length(value)).unwrap();
            assert_eq!(serde_json::from_str::<Length>(&text).unwrap().0.to_bits(), value.to_bits());
            let text = toml::to_string(&std::collections::BTreeMap::from([("a", Length(value))])).unwrap();
            let back: std::collections::BTreeMap<String, Length> = toml::from_str(&text).unwrap();
            assert_eq!(back["a"].0.to_bits(), value.to_bits());
        }
    }

    #[test]
    fn a_wrong_dimension_is_told() {
        let error = serde_json::from_str::<Time>("\"3 mm\"").unwrap_err().to_string();
        assert!(error.contains("`mm` is a length; use s, ms, us, min"), "{error}");
        let measure: Measure = serde_json::from_str("\"3 mm\"").unwrap();
        assert_eq!(measure, Measure { value: 0.003, quantity: Some(Quantity::Length) });
        assert!(measure.expect("x", Quantity::Length).is_ok());
        let error = measure.expect("roll", Quantity::Angle).unwrap_err();
        assert_eq!(error.to_string(), "`roll` is an angle: `m` is a length");
    }
}
