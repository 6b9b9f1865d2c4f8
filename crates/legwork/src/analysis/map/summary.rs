//! A column in a few numbers.

use super::{Map, Quantity};
use serde::{Deserialize, Serialize};

/// Numbers that differ by less, relatively, are equal but for rounding.
const ROUNDING: f64 = 1e-12;

/// A number and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// The number.
    pub value: f64,
    /// Its pose: all six coordinates \[m, rad\].
    pub coordinates: [f64; 6],
}

/// A column in a few numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The least number.
    pub lowest: Place,
    /// The largest number.
    pub highest: Place,
    /// Mean over the poses that have a number.
    pub mean: f64,
    /// How many poses have a number.
    pub reached: usize,
}

impl Map {
    /// The share of the poses in reach at which the robot falls away while its motors keep their efforts; `None`
    /// without [`Quantity::Stability`] or without a pose.
    pub fn unstable_share(&self) -> Option<f64> {
        let quantity = self.quantities.iter().position(|quantity| *quantity == Quantity::Stability)?;
        let numbers = || self.column(self.columns_of(quantity).start).filter(|part| !part.is_nan());
        let all = numbers().count();
        (all > 0).then(|| numbers().filter(|part| *part > 0.0).count() as f64 / all as f64)
    }

    /// A column in a few numbers; `None` if no pose has one. Of numbers that are equal but for rounding the
    /// first pose counts.
    pub fn summary(&self, column: usize) -> Option<Summary> {
        let numbers = || self.column(column).enumerate().filter(|(_, value)| !value.is_nan());
        let (mut low, mut high, mut sum, mut reached) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0_u32);
        for (_, value) in numbers() {
            (low, high, sum, reached) = (low.min(value), high.max(value), sum + value, reached + 1);
        }
        let place = |value: f64| {
            let (pose, _) = numbers().find(|(_, other)| (other - value).abs() <= ROUNDING * value.abs())?;
            Some(Place { value, coordinates: self.grid.coordinates(pose) })
        };
        Some(Summary {
            lowest: place(low)?,
            highest: place(high)?,
            mean: sum / f64::from(reached),
            reached: reached as usize,
        })
    }
}
