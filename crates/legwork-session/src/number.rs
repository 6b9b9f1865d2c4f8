//! A number as a person types it.

use crate::Failure;
use legwork::coordinates::CoordinateError;
use legwork::task::TaskError;
use legwork::units::{UNITS, UnitError};
use serde::Deserialize;

/// A number that was typed, with its unit or in SI.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NumberAsk {
    /// As typed: `50 mm`, `3 deg`, `0.05`.
    pub text: String,
    /// What it is called in a refusal.
    pub name: String,
    /// The SI unit of what it should be: `m`, `rad`, `m/s`.
    pub unit: String,
}

/// The number in SI.
pub(crate) fn number(ask: &NumberAsk) -> Result<f64, Failure> {
    let quantity = UNITS.iter().map(|unit| unit.quantity).find(|quantity| quantity.si_unit() == ask.unit);
    let Some(quantity) = quantity else { return Err(Failure::no_unit(&ask.unit)) };
    let refused = |cause: UnitError| CoordinateError::Number { name: ask.name.clone(), quantity, cause };
    let read = quantity.parse_request(&ask.text, None).map_err(refused);
    read.map_err(|error| Failure::of_state(TaskError::from(error), ""))
}
