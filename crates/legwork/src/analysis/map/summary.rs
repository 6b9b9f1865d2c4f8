//! A column in a few numbers.

use super::Map;

/// A number and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// A column in a few numbers; `None` if no pose has one. Of equal numbers the first counts.
    pub fn summary(&self, column: usize) -> Option<Summary> {
        let (mut lowest, mut highest) = ((f64::INFINITY, 0), (f64::NEG_INFINITY, 0));
        let (mut sum, mut reached) = (0.0, 0);
        for (pose, value) in self.column(column).enumerate() {
            if value.is_nan() {
                continue;
            }
            sum += value;
            reached += 1;
            if value < lowest.0 {
                lowest = (value, pose);
            }
            if value > highest.0 {
                highest = (value, pose);
            }
        }
        let place = |(value, pose)| Place { value, coordinates: self.grid.coordinates(pose) };
        (reached > 0).then(|| Summary {
            lowest: place(lowest),
            highest: place(highest),
            mean: sum / reached as f64,
            reached,
        })
    }
}
