//! Measurements from a file: which columns it has, in which units, and what is wrong with it.
//!
//! | columns | what |
//! |---|---|
//! | `q1`, `q2`, ... | what the motors read; needed always |
//! | `x`, `y`, `z` | where a tracker saw the target, or a known point of a part that was touched |
//! | `roll`, `pitch`, `yaw` or `qw`, `qx`, `qy`, `qz` | its orientation |
//! | `height`, with `plane` if there are several | height above a plane when it was touched: usually 0 |
//! | `distance`, with `to_q1`, ... | from the centre of a ball bar, or from where the motors read `to_q1`, ... |
//! | `joint_2_1` | what a sensor at joint 1 of leg 2 reads |

use super::model::Model;
use super::observation::{Observations, Row};
use legwork::description::MechanismJointKind;
use legwork::engine::JointKind;
use legwork::recording::Recording;
use legwork::task::TaskError;
use legwork::units::Quantity;
use legwork::{M3, V3};
use std::path::Path;

/// Most rows.
const MOST_ROWS: usize = 20_000;

fn unusable(path: &Path, cause: impl Into<String>, hint: impl Into<String>) -> TaskError {
    let what = format!("cannot use the measurements in `{}`", path.display());
    TaskError::Unusable { what, cause: cause.into(), hint: Some(hint.into()) }
}

struct Columns<'a> {
    path: &'a Path,
    recording: &'a Recording,
}

impl Columns<'_> {
    /// A column in SI, if it is there.
    fn get(&self, name: &str, quantity: Quantity) -> Result<Option<Vec<f64>>, TaskError> {
        let Some(place) = self.recording.columns().iter().position(|column| column.name == name) else {
            return Ok(None);
        };
        let unit = self.recording.columns()[place].unit.as_str();
        let one = if unit.is_empty() || unit == quantity.si_unit() {
            1.0
        } else {
            quantity.parse_request("1", Some(unit)).map_err(|error| {
                let cause = format!("the column `{name}` is {}: {error}", quantity.described());
                unusable(self.path, cause, error.hint())
            })?
        };
        let values = self.recording.all_values().get(place).map(Vec::as_slice).unwrap_or_default();
        if let Some(row) = values.iter().position(|x| !x.is_finite()) {
            let cause = format!("`{name}` of row {} is not a number", row + 1);
            return Err(unusable(self.path, cause, "leave the row out, or measure it again"));
        }
        Ok(Some(values.iter().map(|x| x * one).collect()))
    }

    fn has(&self, name: &str) -> bool {
        self.recording.columns().iter().any(|column| column.name == name)
    }
}

/// What a file has to hold.
const ROWS: &str = "a table, .csv, .parquet or .mcap: a row is what the motors read, `q1 [deg]` or `q1 [mm]`, and what was \
                    measured there, `x [mm]` ...";

/// What a file says was measured on a robot.
#[allow(clippy::too_many_lines)] // one paragraph for each kind of column
pub fn read(path: &Path, model: &Model) -> Result<Observations, TaskError> {
    let recording = Recording::open(path).map_err(|error| TaskError::Unusable {
        what: format!("cannot use the measurements in `{}`", path.display()),
        cause: error.to_string(),
        hint: error.hint().or_else(|| Some(ROWS.into())),
    })?;
    let columns = Columns { path, recording: &recording };
    let joints = model.robot.joints();
    let kinds: Vec<Quantity> =
        joints.iter().map(|joint| if joint.slides { Quantity::Length } else { Quantity::Angle }).collect();
    let of_motors = |prefix: &str| -> Result<Option<Vec<Vec<f64>>>, TaskError> {
        let mut all = Vec::new();
        for (k, kind) in kinds.iter().enumerate() {
            let name = format!("{prefix}{}", k + 1);
            match columns.get(&name, *kind)? {
                Some(values) => all.push(values),
                None if k == 0 => return Ok(None),
                None => {
                    let cause = format!("the column `{name}` is missing");
                    let hint = format!(
                        "`{}` has {} motors: `{prefix}1` to `{prefix}{}`",
                        model.robot.name(),
                        kinds.len(),
                        kinds.len()
                    );
                    return Err(unusable(path, cause, hint));
                }
            }
        }
        let next = format!("{prefix}{}", kinds.len() + 1);
        if columns.has(&next) {
            let cause =
                format!("it has a column `{next}`, and `{}` has {} motors", model.robot.name(), kinds.len());
            return Err(unusable(path, cause, "are these the readings of another robot?"));
        }
        Ok(Some(all))
    };
    let Some(q) = of_motors("q")? else {
        let have: Vec<&str> = recording.columns().iter().map(|column| column.name.as_str()).collect();
        let cause = format!("the column `q1` is missing; it has {}", have.join(", "));
        return Err(unusable(
            path,
            cause,
            "a row is what the motors read, `q1 [deg]` or `q1 [mm]`, and what was measured there",
        ));
    };
    let rows = q.first().map_or(0, Vec::len);
    if rows == 0 {
        return Err(unusable(path, "it has no rows", "each row is one pose"));
    }
    if rows > MOST_ROWS {
        let cause = format!("it has {rows} rows, and {MOST_ROWS} are the most");
        return Err(unusable(path, cause, "a calibration needs tens of poses at rest, not a motion"));
    }
    let to = of_motors("to_q")?;
    let mut position = Vec::new();
    for name in ["x", "y", "z"] {
        position.push(columns.get(name, Quantity::Length)?);
    }
    let angles = ["roll", "pitch", "yaw"].map(|name| columns.get(name, Quantity::Angle));
    let [roll, pitch, yaw] = angles;
    let (roll, pitch, yaw) = (roll?, pitch?, yaw?);
    let quaternion = ["qw", "qx", "qy", "qz"].map(|name| columns.get(name, Quantity::Ratio));
    let [qw, qx, qy, qz] = quaternion;
    let (qw, qx, qy, qz) = (qw?, qx?, qy?, qz?);
    let height = columns.get("height", Quantity::Length)?;
    let plane = columns.get("plane", Quantity::Ratio)?;
    let distance = columns.get("distance", Quantity::Length)?;
    let mut sensors = Vec::new();
    let mut readings = Vec::new();
    for column in recording.columns() {
        let Some(rest) = column.name.strip_prefix("joint_") else { continue };
        let found = sensor_place(model, rest);
        let kind = found.map(|(_, active, kind)| (active, kind));
        let Some((active, kind)) = kind else {
            let cause = format!("the column `{}` names no joint of `{}`", column.name, model.robot.name());
            let hint = if model.drawn.legs().is_empty() {
                "`joint_NAME` is the joint of this name that turns or slides"
            } else {
                "`joint_2_1` is joint 1 of leg 2, counted from the base"
            };
            return Err(unusable(path, cause, hint));
        };
        if active {
            let cause = format!("`{}` is a joint with a motor", column.name);
            return Err(unusable(path, cause, "what motors read are the columns `q1`, `q2`, ..."));
        }
        let quantity = match kind {
            JointKind::Revolute => Quantity::Angle,
            JointKind::Prismatic => Quantity::Length,
        };
        readings.push(columns.get(&column.name, quantity)?.unwrap_or_default());
        sensors.push(found.map(|found| found.0).unwrap_or_default());
    }
    let has_position = position.iter().any(Option::is_some);
    if !has_position
        && height.is_none()
        && distance.is_none()
        && sensors.is_empty()
        && roll.is_none()
        && qw.is_none()
    {
        let have: Vec<&str> = recording.columns().iter().map(|column| column.name.as_str()).collect();
        let cause = format!("nothing was measured but the motors; it has {}", have.join(", "));
        let hint = "add `x [mm]`, `y [mm]`, `z [mm]` of a tracker, `height [mm]` above a touched plane, `distance [mm]` of a \
                    ball bar, or `joint_1_2 [deg]` of a redundant sensor";
        return Err(unusable(path, cause, hint));
    }
    let at = |column: &Option<Vec<f64>>, row: usize| column.as_ref().and_then(|list| list.get(row).copied());
    let mut list = Vec::with_capacity(rows);
    for row in 0..rows {
        let turn = match (at(&roll, row), at(&pitch, row), at(&yaw, row)) {
            (None, None, None) => match (at(&qw, row), at(&qx, row), at(&qy, row), at(&qz, row)) {
                (Some(w), Some(x), Some(y), Some(z)) => Some(from_quaternion(path, row, [w, x, y, z])?),
                _ => None,
            },
            (a, b, c) => {
                let rows = legwork::rotation_from_roll_pitch_yaw([a, b, c].map(|angle| angle.unwrap_or(0.0)));
                Some(of_rows(rows))
            }
        };
        let plane_of = at(&plane, row).unwrap_or(1.0);
        if plane_of < 1.0 || plane_of.fract() != 0.0 || plane_of > 64.0 {
            let cause = format!("`plane` of row {} is {plane_of}", row + 1);
            return Err(unusable(path, cause, "planes are numbered 1, 2, ..."));
        }
        let own = |list: &Vec<Vec<f64>>| list.iter().map(|column| column[row]).collect::<Vec<f64>>();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
        let plane_of = plane_of as usize - 1;
        list.push(Row {
            q: own(&q),
            position: std::array::from_fn(|k| at(&position[k], row)),
            rotation: turn,
            plane: at(&height, row).map(|height| (plane_of, height)),
            distance: at(&distance, row).map(|length| (length, to.as_ref().map(own))),
            sensors: own(&readings),
        });
    }
    Ok(Observations { rows: list, sensors })
}

/// The joint that a column names behind `joint_`: its place, whether it has a motor, and its kind. Joints of bodies and joints
/// go by their names.
fn sensor_place(model: &Model, name: &str) -> Option<((usize, usize), bool, JointKind)> {
    if let Some(drawn) = model.drawn_joints() {
        let joints = &drawn.described.file.joints;
        let place = joints.iter().position(|joint| joint.name == name)?;
        let kind = match joints[place].kind {
            MechanismJointKind::Revolute => JointKind::Revolute,
            MechanismJointKind::Prismatic => JointKind::Prismatic,
            _ => return None,
        };
        return Some(((place, 0), joints[place].motor.is_some(), kind));
    }
    let (leg, joint) = name.split_once('_')?;
    let (leg, joint) =
        (leg.parse::<usize>().ok()?.checked_sub(1)?, joint.parse::<usize>().ok()?.checked_sub(1)?);
    let legs = model.legs(&[]);
    let found = super::legs::joints_of(legs.get(leg)?, &model.drawn.home.pose);
    found.get(joint).map(|found| ((leg, joint), found.active, found.kind))
}

fn of_rows(rows: [[f64; 3]; 3]) -> M3<f64> {
    let [x, y, z] = rows.map(V3::from);
    M3::from_rows(x, y, z)
}

fn from_quaternion(path: &Path, row: usize, [w, x, y, z]: [f64; 4]) -> Result<M3<f64>, TaskError> {
    let norm = (w * w + x * x + y * y + z * z).sqrt();
    if !(0.9..1.1).contains(&norm) {
        let cause = format!("the quaternion of row {} has the length {norm:.4}", row + 1);
        return Err(unusable(path, cause, "the columns are qw, qx, qy, qz of a unit quaternion"));
    }
    let [w, x, y, z] = [w, x, y, z].map(|part| part / norm);
    Ok(of_rows([
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]))
}
