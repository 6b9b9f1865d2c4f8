//! Lengths, times and efforts of a robot's own: what makes numbers of different units comparable.

use crate::AnyRobot;

/// Where nothing pulls, motions are taken as quick as if this did \[m/s²\].
const USUAL_GRAVITY: f64 = 9.81;

/// The robot's own units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scales {
    /// Size of its legs \[m\].
    pub length: f64,
    /// In which it falls by about that length: √(length/g) \[s\].
    pub time: f64,
}

impl Scales {
    pub fn of(robot: &AnyRobot) -> Self {
        let g = robot.description().gravity.abs();
        let length = robot.length();
        Self { length, time: (length / if g > 0.0 { g } else { USUAL_GRAVITY }).sqrt() }
    }

    /// \[m/s\]
    pub fn speed(&self) -> f64 {
        self.length / self.time
    }

    /// \[m/s²\]
    pub fn acceleration(&self) -> f64 {
        self.speed() / self.time
    }

    /// What one of a coordinate is as a length: 1 m for a translation or a slide, the robot's length for a turn of 1 rad.
    /// Rates times this are lengths per time, efforts over this are forces.
    pub fn lever(&self, turns: bool) -> f64 {
        if turns { self.length } else { 1.0 }
    }
}

/// The largest of some numbers without their signs; NaN if one is NaN.
pub(super) fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |m: f64, x| if x.is_nan() || m.is_nan() { f64::NAN } else { m.max(x.abs()) })
}

/// Each number times its factor.
pub(super) fn times_each(numbers: &[f64], factors: &[f64]) -> Vec<f64> {
    numbers.iter().zip(factors).map(|(x, factor)| x * factor).collect()
}

/// A matrix by rows, each entry over the factors of its row and column, row after row.
pub(super) fn over_each(matrix: &[Vec<f64>], rows: &[f64], columns: &[f64]) -> Vec<f64> {
    let row =
        |(row, i): (&Vec<f64>, &f64)| row.iter().zip(columns).map(|(x, j)| x / (i * j)).collect::<Vec<_>>();
    matrix.iter().zip(rows).flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_robot_has_its_own_units() {
        let scales = Scales { length: 8.0, time: 2.0 };
        assert_eq!((scales.speed(), scales.acceleration()), (4.0, 2.0));
        assert_eq!((scales.lever(true), scales.lever(false)), (8.0, 1.0));
        let robot = AnyRobot::open("five-bar").unwrap();
        let found = Scales::of(&robot);
        let g = robot.description().gravity;
        assert!(
            g > 0.0 && (found.acceleration() - g).abs() < 1e-14 * g,
            "it falls by its length in its time"
        );
        // Where nothing pulls it is as quick as on earth.
        let mut floating = robot.description().clone();
        floating.gravity = 0.0;
        let found = Scales::of(&AnyRobot::new(floating).unwrap());
        assert!((found.acceleration() - USUAL_GRAVITY).abs() < 1e-14 * USUAL_GRAVITY);
    }

    #[test]
    fn numbers_are_weighed() {
        assert_eq!(largest(&[1.0, -3.0, 2.0]), 3.0);
        assert!(largest(&[f64::NAN, 3.0]).is_nan() && largest(&[3.0, f64::NAN]).is_nan());
        assert_eq!(times_each(&[3.0, 5.0], &[2.0, 4.0]), [6.0, 20.0]);
        let matrix = [vec![8.0, 16.0], vec![32.0, 64.0]];
        assert_eq!(over_each(&matrix, &[2.0, 4.0], &[1.0, 8.0]), [4.0, 1.0, 8.0, 2.0]);
    }
}
