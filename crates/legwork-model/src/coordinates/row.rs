//! A state of a platform from rows of numbers: what `fill` and `platform` say of them, without a list on the way.

use super::{ACCELERATION, CoordinateError, CoordinateName, CoordinateSchema, Group, POSE, VELOCITY, WRENCH};
use crate::{Places, PlatformState, RowLayout};

/// The numbers of one state in SI, each row as [`CoordinateSchema::fill`] takes it: the numbers of the first group, or
/// those of both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StateRow<'a> {
    /// Position and orientation of the platform.
    pub pose: &'a [f64],
    /// Its velocity. Default: at rest.
    pub velocity: Option<&'a [f64]>,
    /// Its acceleration. Default: none.
    pub acceleration: Option<&'a [f64]>,
    /// What pulls at it. Default: nothing.
    pub wrench: Option<&'a [f64]>,
}

impl CoordinateSchema {
    /// The state of the platform that a row gives; allocates nothing.
    ///
    /// ```
    /// use legwork::AnyRobot;
    /// use legwork::coordinates::{CoordinateSchema, StateRow};
    ///
    /// let schema = CoordinateSchema::of(&AnyRobot::open("planar-3rrr")?);
    /// let pose = [0.01, 0.02, 0.1]; // x, y and the angle
    /// let state = schema.state_of_row(&StateRow { pose: &pose, velocity: Some(&[0.5, 0.0, 2.0]), ..StateRow::default() })?;
    /// assert_eq!(state.twist, [0.5, 0.0, 0.0, 0.0, 0.0, 2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn state_of_row(&self, row: &StateRow<'_>) -> Result<PlatformState, CoordinateError> {
        let width = |list: Option<&[f64]>| list.map(<[f64]>::len);
        let (velocity, acceleration) = (width(row.velocity), width(row.acceleration));
        let layout = self.row_layout(row.pose.len(), velocity, acceleration, width(row.wrench))?;
        let mut state = PlatformState::at(layout.position(row.pose)).turned(layout.rotation(row.pose));
        layout.velocity.put(row.velocity.unwrap_or_default(), &mut state.twist);
        layout.acceleration.put(row.acceleration.unwrap_or_default(), &mut state.acceleration);
        layout.wrench.put(row.wrench.unwrap_or_default(), &mut state.wrench);
        Ok(state)
    }

    /// What the numbers of rows of these lengths are.
    pub fn row_layout(
        &self,
        pose: usize,
        velocity: Option<usize>,
        acceleration: Option<usize>,
        wrench: Option<usize>,
    ) -> Result<RowLayout, CoordinateError> {
        let [position, angles] = self.halves("pose", POSE, pose)?;
        let six = |option, groups: &[Group], count: Option<usize>| match count {
            Some(count) => {
                let halves = self.halves(option, groups, count)?;
                let places = halves
                    .iter()
                    .enumerate()
                    .flat_map(|(half, names)| names.iter().map(move |name| 3 * half + name.place));
                Ok(Places::new(places))
            }
            None => Ok(Places::default()),
        };
        Ok(RowLayout {
            home: self.home.position,
            zero: self.zero,
            position: Places::new(position.iter().map(|name| name.place)),
            angles: Self::row_angles(angles),
            velocity: six("velocity", VELOCITY, velocity)?,
            acceleration: six("acceleration", ACCELERATION, acceleration)?,
            wrench: six("wrench", WRENCH, wrench)?,
        })
    }

    /// The names of the first group and those of the others, which may be left out, for a row of so many numbers.
    fn halves(
        &self,
        option: &str,
        groups: &[Group],
        numbers: usize,
    ) -> Result<[&[CoordinateName]; 2], CoordinateError> {
        let names = |place: usize| {
            groups.get(place).map_or([].as_slice(), |group| self.group(*group).names.as_slice())
        };
        let (first, others) = (names(0), names(1));
        match numbers.checked_sub(first.len()) {
            Some(0) => Ok([first, &[]]),
            Some(rest) if rest == others.len() => Ok([first, others]),
            _ => {
                let columns: Vec<_> = groups.iter().map(|group| self.group(*group)).collect();
                Err(self.wrong_count(option, &columns, numbers, false))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnyRobot;
    use crate::coordinates::Values;
    use crate::description::BUILT_IN;

    #[test]
    fn a_row_means_what_the_same_numbers_mean_one_by_one() {
        for built_in in BUILT_IN {
            let robot = AnyRobot::open(built_in.name).unwrap();
            let schema = CoordinateSchema::of(&robot);
            let count = |groups: &[Group]| [0, 1].map(|k| schema.group(groups[k]).names.len());
            // Numbers that are all different, so that none can stand in the place of another.
            let numbers = |scale: f64, count: usize| -> Vec<f64> {
                (0..count).map(|k| scale * (k as f64 + 1.0)).collect()
            };
            let [position, angles] = count(POSE);
            for pose in [position, position + angles] {
                let pose = numbers(0.11, pose);
                for with_turns in [false, true] {
                    let all =
                        |groups: &[Group]| count(groups)[0] + usize::from(with_turns) * count(groups)[1];
                    let velocity = numbers(0.7, all(VELOCITY));
                    let acceleration = numbers(-1.3, all(ACCELERATION));
                    let wrench = numbers(2.9, all(WRENCH));
                    let row = StateRow {
                        pose: &pose,
                        velocity: Some(&velocity),
                        acceleration: Some(&acceleration),
                        wrench: Some(&wrench),
                    };
                    let mut values = Values::default();
                    schema.fill(&mut values, "", POSE, &pose).unwrap();
                    schema.fill(&mut values, "", VELOCITY, &velocity).unwrap();
                    schema.fill(&mut values, "", ACCELERATION, &acceleration).unwrap();
                    schema.fill(&mut values, "", WRENCH, &wrench).unwrap();
                    let (row, one_by_one) = (schema.state_of_row(&row), schema.platform(&values));
                    assert_eq!(row.unwrap(), one_by_one.unwrap(), "{}", built_in.name);
                }
            }
        }
    }

    #[test]
    fn a_row_that_is_too_long_is_refused_with_the_names_of_its_numbers() {
        let schema = CoordinateSchema::of(&AnyRobot::open("delta-industrial").unwrap());
        let refused = |row: StateRow<'_>| schema.state_of_row(&row).unwrap_err().to_string();
        let pose = [0.0, 0.0, -0.8];
        assert_eq!(
            refused(StateRow { pose: &pose[..2], ..StateRow::default() }),
            "`pose` needs 3 numbers, X Y Z, and 2 are given"
        );
        let velocity = Some([0.0; 4].as_slice());
        assert_eq!(
            refused(StateRow { pose: &pose, velocity, ..StateRow::default() }),
            "`velocity` needs 3 numbers, VX VY VZ, and 4 are given"
        );
    }
}
