//! Where a platform is, in a request.

use super::{Measure, TaskError};
use crate::PlatformState;
use crate::coordinates::{ACCELERATION, CoordinateSchema, Group, VELOCITY, Values, WRENCH};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// A pose: a list of the robot's coordinates, as on the command line (X Y Z, then ROLL PITCH YAW if the platform
/// turns), or a table with position and orientation.
///
/// ```toml
/// from = ["150 mm", "-100 mm", -0.72]
/// to = { position = [0.1, 0.0, 0.8], quaternion = [1, 0, 0, 0] }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum PoseRequest {
    /// Coordinates in the order of [`CoordinateSchema::usage`].
    Coordinates(Vec<Measure>),
    /// Position and orientation apart.
    Placed(PlacedPose),
}

/// Position and orientation apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlacedPose {
    /// Platform point: X Y Z, or those of them that are free \[m\].
    pub position: Vec<Measure>,
    /// Roll, pitch, yaw, or the one angle of a planar robot \[rad\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<Vec<Measure>>,
    /// The same as a quaternion W X Y Z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quaternion: Option<[f64; 4]>,
    /// The same as a matrix by rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[[f64; 3]; 3]>,
}

/// Takes a list or a table; not an untagged enum, so that an error in it keeps its place.
struct ListOrTable;

impl<'de> Visitor<'de> for ListOrTable {
    type Value = PoseRequest;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of coordinates, or a table with position and orientation")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<PoseRequest, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(PoseRequest::Coordinates)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PoseRequest, A::Error> {
        PlacedPose::deserialize(MapAccessDeserializer::new(map)).map(PoseRequest::Placed)
    }
}

impl<'de> Deserialize<'de> for PoseRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ListOrTable)
    }
}

/// Six numbers of a robot: as many as it has freedoms, linear first, or only the linear ones.
pub type Components = Vec<Measure>;

fn fill(
    schema: &CoordinateSchema,
    values: &mut Values,
    name: &str,
    groups: &[Group],
    list: &[Measure],
) -> Result<(), TaskError> {
    let all = groups.iter().flat_map(|group| &schema.group(*group).names);
    let numbers: Result<Vec<f64>, _> = all
        .map(|coordinate| Some((coordinate.text.as_str(), coordinate.quantity)))
        .chain(std::iter::repeat(None))
        .zip(list)
        .map(|(known, measure)| match known {
            Some((text, quantity)) => measure.expect(text, quantity),
            None => Ok(measure.value),
        })
        .collect();
    Ok(schema.fill(values, name, groups, &numbers?)?)
}

impl PoseRequest {
    /// The coordinates of a place, in SI.
    pub fn of(schema: &CoordinateSchema, platform: &PlatformState) -> Self {
        Self::Coordinates(schema.coordinates_of(platform).into_iter().map(Measure::si).collect())
    }

    /// The platform at rest at this pose; `name` is what the request calls it.
    pub fn platform(&self, schema: &CoordinateSchema, name: &str) -> Result<PlatformState, TaskError> {
        let mut values = Values::default();
        match self {
            Self::Coordinates(list) => {
                fill(schema, &mut values, name, &[Group::Position, Group::Orientation], list)?;
            }
            Self::Placed(PlacedPose { position, orientation, quaternion, rotation }) => {
                fill(schema, &mut values, name, &[Group::Position], position)?;
                if let Some(list) = orientation {
                    fill(schema, &mut values, name, &[Group::Orientation], list)?;
                }
                if let Some(quaternion) = quaternion {
                    schema.fill(&mut values, name, &[Group::Quaternion], quaternion)?;
                }
                if let Some(rotation) = rotation {
                    schema.fill(&mut values, name, &[Group::Rotation], rotation.as_flattened())?;
                }
            }
        }
        Ok(schema.platform(&values)?)
    }
}

/// A twist from its components.
pub fn twist(schema: &CoordinateSchema, name: &str, list: &[Measure]) -> Result<[f64; 6], TaskError> {
    let mut values = Values::default();
    fill(schema, &mut values, name, VELOCITY, list)?;
    Ok(schema.twist(&values))
}

/// An acceleration from its components.
pub fn acceleration(schema: &CoordinateSchema, name: &str, list: &[Measure]) -> Result<[f64; 6], TaskError> {
    let mut values = Values::default();
    fill(schema, &mut values, name, ACCELERATION, list)?;
    Ok(schema.acceleration(&values))
}

/// Joint values from a list.
pub fn joints(schema: &CoordinateSchema, name: &str, list: &[Measure]) -> Result<Vec<f64>, TaskError> {
    let mut values = Values::default();
    fill(schema, &mut values, name, &[Group::Joints], list)?;
    Ok(schema.all(&values, Group::Joints)?)
}

/// A wrench from its components.
pub fn wrench(schema: &CoordinateSchema, name: &str, list: &[Measure]) -> Result<[f64; 6], TaskError> {
    let mut values = Values::default();
    fill(schema, &mut values, name, WRENCH, list)?;
    Ok(schema.wrench(&values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnyRobot;

    #[test]
    fn a_pose_is_read_in_every_way() {
        let schema = CoordinateSchema::of(&AnyRobot::open("gough-stewart").unwrap());
        let read = |text: &str| serde_json::from_str::<PoseRequest>(text).unwrap().platform(&schema, "pose");
        let list = read(r#"["50 mm", 0, 0.8, "90 deg", 0, 0]"#).unwrap();
        let table = read(r#"{"position": [0.05, 0, "80 cm"], "orientation": ["90 deg", 0, 0]}"#).unwrap();
        assert_eq!(list, table);
        let quaternion = read(
            r#"{"position": [0.05, 0, 0.8], "quaternion": [0.7071067811865476, 0.7071067811865476, 0, 0]}"#,
        )
        .unwrap();
        assert!(crate::rotation::difference(&list.rotation, &quaternion.rotation) < 1e-15);
        assert_eq!(PoseRequest::of(&schema, &list).platform(&schema, "pose").unwrap(), list);
        assert!(read("[1, 2]").is_err());
        assert_eq!(
            read(r#"["5 deg", 0, 0.8]"#).unwrap_err().to_string(),
            "`x` is a length: `rad` is an angle"
        );
    }
}
