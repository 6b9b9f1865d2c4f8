//! Numbers of motors in a request.

use super::error::positive;
use super::{Measure, TaskError};
use crate::sim::PerMotor;
use crate::units::Quantity;
use serde::de::value::{
    F64Deserializer, I64Deserializer, SeqAccessDeserializer, StrDeserializer, U64Deserializer,
};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// One number for all motors or a list with one for each; empty where nothing is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotorValues(pub Vec<Measure>);

impl MotorValues {
    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The numbers in SI, each positive; `kinds` is what each motor's number measures.
    pub(super) fn positive(&self, field: &str, kinds: &[Quantity]) -> Result<Option<PerMotor>, TaskError> {
        let read = |(kind, value): (&Quantity, &Measure)| positive(field, value.expect(field, *kind)?);
        match self.0.as_slice() {
            [] => Ok(None),
            [one] if kinds.iter().all(|kind| *kind == kinds[0]) => {
                Ok(Some(PerMotor::All(read((&kinds[0], one))?)))
            }
            list if list.len() == kinds.len() => {
                Ok(Some(PerMotor::Each(kinds.iter().zip(list).map(read).collect::<Result<_, _>>()?)))
            }
            list => Err(TaskError::request(format!(
                "`{field}` needs one number for all motors or {}, one for each, and {} are given",
                kinds.len(),
                list.len()
            ))),
        }
    }

    /// The same as a list as long as it was given, whatever its length.
    pub(super) fn positive_list(
        &self,
        field: &str,
        kinds: &[Quantity],
    ) -> Result<Option<Vec<f64>>, TaskError> {
        let read = |(value, kind): (&Measure, &Quantity)| positive(field, value.expect(field, *kind)?);
        let list: Vec<f64> = self.0.iter().zip(kinds.iter().cycle()).map(read).collect::<Result<_, _>>()?;
        Ok((!list.is_empty()).then_some(list))
    }
}

impl Serialize for MotorValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

struct OneOrMore;

impl<'de> Visitor<'de> for OneOrMore {
    type Value = MotorValues;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number for all motors, or a list with one for each")
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<MotorValues, E> {
        Measure::deserialize(F64Deserializer::new(value)).map(|one| MotorValues(vec![one]))
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<MotorValues, E> {
        Measure::deserialize(I64Deserializer::new(value)).map(|one| MotorValues(vec![one]))
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<MotorValues, E> {
        Measure::deserialize(U64Deserializer::new(value)).map(|one| MotorValues(vec![one]))
    }
    fn visit_str<E: Error>(self, value: &str) -> Result<MotorValues, E> {
        Measure::deserialize(StrDeserializer::new(value)).map(|one| MotorValues(vec![one]))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<MotorValues, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(MotorValues)
    }
}

impl<'de> Deserialize<'de> for MotorValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrMore)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for MotorValues {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "MotorValues".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let one = generator.subschema_for::<Measure>();
        schemars::json_schema!({
            "description": "One number for all motors, or a list with one for each.",
            "anyOf": [one, { "type": "array", "items": one }]
        })
    }
}
