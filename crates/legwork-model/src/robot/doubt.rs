//! A length of a file that can hardly be meant: metres for millimetres.

use crate::description::RobotDescription;
use crate::families::properties::PropertyValue;
use crate::text::short;
use crate::units::Quantity;

/// No robot that was built has a longer part \[m\].
const LONG: f64 = 20.0;

/// The longest part, if it can hardly be meant.
pub(crate) fn doubtful_length(description: &RobotDescription) -> Option<String> {
    let lengths = description.data.geometry().into_iter().filter_map(|property| {
        let longest = match &property.value {
            PropertyValue::Number(x, Quantity::Length) => x.abs(),
            PropertyValue::Numbers(list, Quantity::Length) => {
                list.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
            }
            PropertyValue::Points { points, .. } => {
                points.as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()))
            }
            _ => 0.0,
        };
        (longest > LONG).then_some((property.key, longest))
    });
    let (key, longest) = lengths.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let number = short(longest);
    Some(format!("`{key}` is {number} m long; did you mean mm? Then write \"{number} mm\""))
}
