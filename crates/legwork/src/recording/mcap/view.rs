//! Poses and joint states for viewers, made from columns of known names.

use super::super::Column;
use crate::rotation::{from_roll_pitch_yaw, to_quaternion};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A channel that shows something of each row.
pub(super) struct View {
    pub topic: String,
    pub kind: Kind,
}

/// What is shown; the numbers are places of columns.
pub(super) enum Kind {
    /// The frame is a string of JSON.
    Pose {
        frame: String,
        position: [Option<usize>; 3],
        orientation: Orientation,
    },
    Joints(Vec<Joint>),
}

pub(super) enum Orientation {
    None,
    /// w, x, y, z.
    Quaternion([usize; 4]),
    /// About fixed x, then y, then z \[rad\].
    RollPitchYaw([usize; 3]),
}

/// A joint and the columns of its position, velocity, acceleration and effort.
pub(super) struct Joint {
    name: String,
    columns: [Option<usize>; 4],
}

const JOINT_FIELDS: [&str; 4] = ["position", "velocity", "acceleration", "effort"];

/// The views that the columns allow.
pub(super) fn views(columns: &[Column]) -> Vec<View> {
    // The columns of each robot by their names without prefix.
    let mut robots: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for (place, column) in columns.iter().enumerate() {
        let (robot, name) = column.name.rsplit_once('.').unwrap_or(("", &column.name));
        robots.entry(robot).or_default().insert(name, place);
    }
    let mut views = Vec::new();
    for (robot, places) in &robots {
        let topic = |name: &str| {
            if robot.is_empty() { format!("/{name}") } else { format!("/{}/{name}", robot.replace('.', "/")) }
        };
        let place = |name: &str| places.get(name).copied();
        let all = |names: [&str; 3]| Some([place(names[0])?, place(names[1])?, place(names[2])?]);
        let metres = |name: &str| place(name).filter(|place| columns[*place].unit == "m");
        if let (Some(x), Some(y)) = (metres("x"), metres("y")) {
            let quaternion = all(["qx", "qy", "qz"]).and_then(|[x, y, z]| Some([place("qw")?, x, y, z]));
            let orientation = match (quaternion, all(["roll", "pitch", "yaw"])) {
                (Some(places), _) => Orientation::Quaternion(places),
                (None, Some(places)) => Orientation::RollPitchYaw(places),
                (None, None) => Orientation::None,
            };
            let frame = Value::from(columns[x].frame.as_deref().unwrap_or("base")).to_string();
            let position = [Some(x), Some(y), metres("z")];
            views.push(View { topic: topic("platform"), kind: Kind::Pose { frame, position, orientation } });
        }
        let joints = (1..=columns.len()).map_while(|k| {
            let columns = ["q", "qd", "qdd", "tau"].map(|name| place(&format!("{name}{k}")));
            columns[0].is_some().then(|| Joint { name: format!("q{k}"), columns })
        });
        let joints: Vec<_> = joints.collect();
        if !joints.is_empty() {
            views.push(View { topic: topic("joints"), kind: Kind::Joints(joints) });
        }
    }
    views
}

impl View {
    /// Name and text of its schema.
    pub fn schema(&self) -> (&'static str, &'static str) {
        match self.kind {
            Kind::Pose { .. } => ("foxglove.PoseInFrame", include_str!("pose_in_frame.json")),
            Kind::Joints(_) => ("foxglove.JointStates", include_str!("joint_states.json")),
        }
    }

    /// Writes the message for a row at a time \[ns\], in place of what is in the text; gives
    /// `None` if there is nothing to draw: JSON has no NaN.
    pub fn message(&self, time: u64, row: &[f64], text: &mut String) -> Option<()> {
        // Written out, because a tree of JSON values takes three times as long. Finite numbers
        // in Rust's shortest form are numbers of JSON.
        text.clear();
        let (sec, nsec) = (time / 1_000_000_000, time % 1_000_000_000);
        write!(text, r#"{{"timestamp":{{"sec":{sec},"nsec":{nsec}}},"#).ok()?;
        let value = |place: usize| row.get(place).copied().filter(|value| value.is_finite());
        match &self.kind {
            Kind::Pose { frame, position, orientation } => {
                let [x, y, z] = position.map(|place| place.map_or(Some(0.0), value));
                let (x, y, z) = (x?, y?, z?);
                let [qw, qx, qy, qz] = match orientation {
                    Orientation::None => [1.0, 0.0, 0.0, 0.0],
                    Orientation::Quaternion([w, x, y, z]) => [value(*w)?, value(*x)?, value(*y)?, value(*z)?],
                    Orientation::RollPitchYaw([roll, pitch, yaw]) => {
                        to_quaternion(&from_roll_pitch_yaw([value(*roll)?, value(*pitch)?, value(*yaw)?]))
                    }
                };
                write!(text, r#""frame_id":{frame},"pose":{{"position":{{"x":{x:?},"y":{y:?},"z":{z:?}}},"#)
                    .ok()?;
                write!(text, r#""orientation":{{"x":{qx:?},"y":{qy:?},"z":{qz:?},"w":{qw:?}}}}}}}"#).ok()
            }
            Kind::Joints(joints) => {
                text.push_str(r#""joints":["#);
                for (k, Joint { name, columns }) in joints.iter().enumerate() {
                    let comma = if k == 0 { "" } else { "," };
                    write!(text, r#"{comma}{{"name":"{name}""#).ok()?;
                    for (field, place) in JOINT_FIELDS.iter().zip(columns) {
                        if let Some(value) = place.and_then(value) {
                            write!(text, r#","{field}":{value:?}"#).ok()?;
                        }
                    }
                    text.push('}');
                }
                text.push_str("]}");
                Some(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Column;
    use super::views;
    use serde_json::Value;

    /// Asserts that a value has what its schema requires and nothing that the schema does not know.
    fn assert_fits(value: &Value, schema: &Value) {
        let names = |list: &Value| list.as_array().cloned().unwrap_or_default();
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    let known = schema["properties"].get(name);
                    assert_fits(field, known.unwrap_or_else(|| panic!("{name} is not in {schema}")));
                }
                for name in names(&schema["required"]) {
                    assert!(fields.contains_key(name.as_str().unwrap()), "{name} is missing in {value}");
                }
            }
            Value::Array(items) => items.iter().for_each(|item| assert_fits(item, &schema["items"])),
            Value::String(_) => assert_eq!(schema["type"], "string"),
            _ => assert!(schema["type"] == "number" || schema["type"] == "integer", "{value}: {schema}"),
        }
    }

    /// Names and required fields are those of Foxglove's own schemas.
    #[test]
    fn messages_fit_their_schemas() {
        let names = ["t", "x", "y", "z", "roll", "pitch", "yaw", "q1", "qd1", "qdd1", "tau1", "q2"];
        let units = ["s", "m", "m", "m", "rad", "rad", "rad", "rad", "rad/s", "rad/s²", "N m", "rad"];
        let columns: Vec<_> = names.iter().zip(units).map(|(name, unit)| Column::new(*name, unit)).collect();
        let row: Vec<_> = (0..12).map(|k| f64::from(k) / 8.0).collect();
        let views = views(&columns);
        assert_eq!(views.len(), 2);
        for (view, required) in
            views.iter().zip([&["timestamp", "frame_id", "pose"][..], &["timestamp", "joints"]])
        {
            let (name, schema) = view.schema();
            let schema: Value = serde_json::from_str(schema).unwrap();
            assert_eq!((&schema["title"], &schema["required"]), (&name.into(), &required.into()));
            let mut text = String::new();
            view.message(1_500_000_000, &row, &mut text).unwrap();
            assert_fits(&serde_json::from_str(&text).unwrap(), &schema);
        }
    }
}
