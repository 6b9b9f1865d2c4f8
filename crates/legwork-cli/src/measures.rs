//! Options that are numbers, as requests carry them.

use crate::failure::Failure;
use legwork::coordinates::{CoordinateError, number};
use legwork::task::{Components, Mass, Measure, PoseRequest};
use legwork::units::Quantity;

/// A mass.
pub fn mass(name: &str, text: Option<&String>) -> Result<Option<Mass>, Failure> {
    Ok(text.map(|text| number(name, Quantity::Mass, text)).transpose()?.map(Mass))
}

/// A plain number.
pub fn ratio(name: &str, text: Option<&String>) -> Result<Option<f64>, Failure> {
    Ok(text.map(|text| number(name, Quantity::Ratio, text)).transpose()?)
}

/// Three plain numbers, or none.
pub fn three(name: &str, texts: &[String]) -> Result<Option<[f64; 3]>, Failure> {
    let numbers: Vec<f64> =
        texts.iter().map(|text| number(name, Quantity::Ratio, text)).collect::<Result<_, _>>()?;
    Ok(numbers.try_into().ok())
}

/// Numbers with their units, whatever they measure; `None` if there are none.
pub fn list(name: &str, texts: &[String]) -> Result<Option<Components>, Failure> {
    let one = |text: &String| {
        Measure::parse(text).map_err(|cause| {
            let quantity = Quantity::Ratio;
            CoordinateError::Number { name: name.into(), quantity, cause }
        })
    };
    let list: Components = texts.iter().map(one).collect::<Result<_, _>>()?;
    Ok((!list.is_empty()).then_some(list))
}

/// A pose; `None` if there is none.
pub fn pose(name: &str, texts: &[String]) -> Result<Option<PoseRequest>, Failure> {
    Ok(list(name, texts)?.map(PoseRequest::Coordinates))
}
