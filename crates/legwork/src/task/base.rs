//! How the base of a simulated robot moves, in a request.

use super::choice::choices;
use super::efforts::column;
use super::{Frequency, Handle, Measure, TaskError, number, record};
use crate::recording::Recording;
use crate::sim::{BaseCourse, Sway};
use crate::text::short;
use crate::units::Quantity;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

choices! {
    /// A coordinate of the base.
    BaseCoordinate {
        X = "x": "Along x, a length",
        Y = "y": "Along y",
        Z = "z": "Along z",
        Roll = "roll": "About x, an angle",
        Pitch = "pitch": "About y",
        Yaw = "yaw": "About z",
    }
}

impl BaseCoordinate {
    /// Its place among x, y, z, roll, pitch, yaw, and what it measures.
    fn place(self) -> (usize, Quantity) {
        let place = Self::CHOICES.iter().position(|(choice, ..)| *choice == self).unwrap_or(0);
        (place, if place < 3 { Quantity::Length } else { Quantity::Angle })
    }
}

use super::Choice;

/// How the frame in which poses are given moves: a robot on a ship, a sledge, a shaker.
///
/// ```toml
/// base = { sway = [{ coordinate = "roll", amplitude = "5 deg", frequency = "0.1 Hz" }] }
/// base = { file = "deck.csv" }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BaseRequest {
    /// Sinusoids, added to each other. Default: none.
    pub sway: Vec<SwayRequest>,
    /// A CSV file or a recording with the column `t` and some of `x`, `y`, `z`, `roll`, `pitch`, `yaw`; in between it is
    /// a smooth curve. Default: none.
    pub file: Option<PathBuf>,
    /// The same as rows that stand here. Default: none.
    pub table: Option<BaseRows>,
}

/// A sinusoid of one coordinate of the base: amplitude · sin(2π frequency t + phase).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SwayRequest {
    /// Which coordinate.
    pub coordinate: BaseCoordinate,
    /// How far, a length or an angle.
    pub amplitude: Measure,
    /// How often.
    pub frequency: Frequency,
    /// Where it begins, an angle. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Measure>,
}

/// Places of the base at given times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BaseRows {
    /// Times in ascending order \[s\].
    #[serde(with = "number::list")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Option<f64>>"))]
    pub times: Vec<f64>,
    /// For each of them x, y, z \[m\], roll, pitch, yaw \[rad\].
    #[serde(with = "number::matrix")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Vec<Option<f64>>>"))]
    pub rows: Vec<Vec<f64>>,
}

impl BaseRequest {
    /// The motion, and what it is in words.
    pub(super) fn resolve(&self, handle: &Handle<'_>) -> Result<(BaseCourse, Vec<String>), TaskError> {
        let (mut course, mut phrases) = (BaseCourse::default(), Vec::new());
        if self.file.is_some() && self.table.is_some() {
            return Err(
                TaskError::request("`file` and `table` of `base` are two motions").or("give one of them")
            );
        }
        for sway in &self.sway {
            let (component, quantity) = sway.coordinate.place();
            let amplitude = sway.amplitude.expect("amplitude", quantity)?;
            let phase = sway.phase.map_or(Ok(0.0), |phase| phase.expect("phase", Quantity::Angle))?;
            let (shown, unit) =
                if component < 3 { (amplitude * 1e3, "mm") } else { (amplitude.to_degrees(), "deg") };
            let frequency = sway.frequency.0;
            let name = sway.coordinate.word();
            phrases.push(format!("base sways {} {unit} in {name} at {} Hz", short(shown), short(frequency)));
            course = course.swaying(Sway { component, amplitude, frequency, phase });
        }
        let rows = match (&self.file, &self.table) {
            (Some(path), _) => Some((read(path, handle)?, format!("base moves as {}", path.display()))),
            (None, Some(rows)) => Some((rows.clone(), "base moves as a table says".into())),
            (None, None) => None,
        };
        if let Some((rows, phrase)) = rows {
            phrases.push(phrase);
            let six = |row: &Vec<f64>| {
                <[f64; 6]>::try_from(row.as_slice()).map_err(|_| {
                    TaskError::request(format!("a row of `base.table` has {} numbers", row.len()))
                        .or("x, y, z, roll, pitch, yaw are six")
                })
            };
            let all = rows.rows.iter().map(six).collect::<Result<Vec<_>, _>>()?;
            course = course.through(&rows.times, &all)?;
        }
        Ok((course, phrases))
    }

    /// The same without a file.
    pub(super) fn self_contained(&self) -> Result<Self, TaskError> {
        Ok(match &self.file {
            Some(path) => Self { file: None, table: Some(read(path, &Handle::none())?), ..self.clone() },
            None => self.clone(),
        })
    }
}

/// The columns t and those of the base, in SI; a coordinate without a column stays at zero.
fn read(path: &Path, handle: &Handle<'_>) -> Result<BaseRows, TaskError> {
    let hint = "the columns are t and some of x, y, z in m and roll, pitch, yaw in rad; [mm] or [deg] may follow a name";
    let unusable = |cause: String, hint: Option<String>| TaskError::Unusable {
        what: format!("cannot use the motion of the base in `{}`", path.display()),
        cause,
        hint,
    };
    let recording = Recording::open(path).map_err(|error| unusable(error.to_string(), error.hint()))?;
    record::note_state(path, &recording, handle);
    let said = |cause: String| unusable(cause, Some(hint.into()));
    let times = column(&recording, &["t"], Quantity::Time).map_err(said)?;
    let mut rows = vec![vec![0.0; 6]; times.len()];
    let mut found = false;
    for (coordinate, name, _) in BaseCoordinate::CHOICES {
        if recording.values(name).is_none() {
            continue;
        }
        found = true;
        let (place, quantity) = coordinate.place();
        let values = column(&recording, &[name], quantity).map_err(said)?;
        rows.iter_mut().zip(values).for_each(|(row, value)| row[place] = value);
    }
    if !found {
        return Err(said("it has none of the columns x, y, z, roll, pitch, yaw".into()));
    }
    Ok(BaseRows { times, rows })
}
