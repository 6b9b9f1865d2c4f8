//! Options that are numbers, as requests carry them.

use crate::failure::{Failure, Message};
use legwork::MovingBase;
use legwork::coordinates::{CoordinateError, number};
use legwork::description::EffortChoice;
use legwork::task::{Components, Mass, Measure, PoseRequest};
use legwork::units::Quantity;

/// A mass.
pub fn mass(name: &str, text: Option<&String>) -> Result<Option<Mass>, Failure> {
    Ok(text.map(|text| number(name, Quantity::Mass, text)).transpose()?.map(Mass))
}

/// Which efforts a mechanism with more motors than freedoms takes.
pub fn effort_choice(weights: &[String], preloads: &[String]) -> Result<Option<EffortChoice>, Failure> {
    if weights.is_empty() && preloads.is_empty() {
        return Ok(None);
    }
    let weights = weights.iter().map(|text| number("--effort-weights", Quantity::Ratio, text));
    let weights: Vec<f64> = weights.collect::<Result<_, _>>()?;
    // A torque, or a force where the motor slides.
    let effort = |text: &String| {
        number("--preload", Quantity::Torque, text)
            .or_else(|error| number("--preload", Quantity::Force, text).map_err(|_| error))
    };
    let preloads: Vec<f64> = preloads.iter().map(effort).collect::<Result<_, _>>()?;
    let given = |list: Vec<f64>| (!list.is_empty()).then_some(list);
    Ok(Some(EffortChoice { weights: given(weights), preloads: given(preloads) }))
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

/// Three numbers along the axes, then three about them, or none.
fn six(option: &str, names: &[&str; 6], kinds: [Quantity; 2], texts: &[String]) -> Result<[f64; 6], Failure> {
    if !matches!(texts.len(), 0 | 3 | 6) {
        let message = format!("`{option}` needs 3 or 6 numbers, and {} are given", texts.len());
        let hint = format!("give {} and, if the base turns, {}", names[..3].join(" "), names[3..].join(" "));
        return Err(Message::new(message).hint(hint).into());
    }
    let mut numbers = [0.0; 6];
    for (k, (slot, text)) in numbers.iter_mut().zip(texts).enumerate() {
        *slot = number(names[k], kinds[usize::from(k > 2)], text)?;
    }
    Ok(numbers)
}

/// How the base moves; `None` if nothing is said about it.
pub fn moving_base(velocity: &[String], acceleration: &[String]) -> Result<Option<MovingBase>, Failure> {
    let speeds = [Quantity::Speed, Quantity::AngularSpeed];
    let accelerations = [Quantity::Acceleration, Quantity::AngularAcceleration];
    let twist = six("--base-velocity", &["VX", "VY", "VZ", "WX", "WY", "WZ"], speeds, velocity)?;
    let names = ["AX", "AY", "AZ", "BX", "BY", "BZ"];
    let acceleration_of = six("--base-acceleration", &names, accelerations, acceleration)?;
    let moves = !(velocity.is_empty() && acceleration.is_empty());
    Ok(moves.then_some(MovingBase { twist, acceleration: acceleration_of, ..MovingBase::REST }))
}
