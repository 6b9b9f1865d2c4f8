//! Where all joints are, those without a motor too: what RViz and other viewers of ROS need of a robot with loops.

use super::ExchangeError;
use super::tree::{Coordinates, Tree};
use crate::recording::{Recording, Topic, messages_file};
use crate::report::{recorded_pose, recorded_robot};
use crate::{AnyRobot, PlatformState, RobotError};
use std::f64::consts::TAU;

/// The joints of an exported robot where its platform is: names and order are those of its URDF and SDF.
///
/// ```
/// use legwork::{AnyRobot, PlatformState, exchange::JointStates};
///
/// let robot = AnyRobot::open("delta-industrial")?;
/// let mut joints = JointStates::new(&robot)?;
/// let positions = joints.at(&PlatformState::at([0.0, 0.0, -0.8]))?;
/// assert_eq!(positions.len(), joints.names().len());
/// assert!(joints.names().contains(&"leg1_joint2".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct JointStates {
    coordinates: Coordinates,
    /// Those that turn.
    turns: Vec<bool>,
    before: Vec<f64>,
}

impl JointStates {
    /// Of a robot.
    ///
    /// # Errors
    /// If the robot does not become bodies and joints.
    pub fn new(robot: &AnyRobot) -> Result<Self, ExchangeError> {
        let tree = Tree::of(robot)?;
        let coordinates = Coordinates::new(robot, &tree)?;
        let turns = Coordinates::turns(&tree);
        Ok(Self { coordinates, turns, before: Vec::new() })
    }

    /// Names of the joints: those of the exported URDF.
    pub fn names(&self) -> &[String] {
        &self.coordinates.names
    }

    /// All joints where the platform is \[rad or m\]; angles go on from those of the call before instead of jumping by a
    /// turn.
    ///
    /// # Errors
    /// If the robot does not come there.
    pub fn at(&mut self, platform: &PlatformState) -> Result<Vec<f64>, RobotError> {
        let mut found = self.coordinates.at(platform)?;
        for ((value, turns), before) in found.iter_mut().zip(&self.turns).zip(&self.before) {
            if *turns {
                *value += TAU * ((before - *value) / TAU).round();
            }
        }
        self.before.clone_from(&found);
        Ok(found)
    }
}

/// A moment of all joints.
#[derive(Clone, Debug, PartialEq)]
pub struct JointState {
    /// \[ns\]
    pub time: u64,
    /// In the order of the names \[rad or m\].
    pub position: Vec<f64>,
}

/// All joints along a recording of the platform: what `sensor_msgs/msg/JointState` is on the topic `/joint_states`. Speeds
/// and efforts are left empty, as the message allows.
#[derive(Clone, Debug, PartialEq)]
pub struct JointStream {
    /// Names of the joints: those of the exported URDF.
    pub names: Vec<String>,
    /// The moments that the robot comes to.
    pub states: Vec<JointState>,
    /// How many rows it does not come to.
    pub out_of_reach: usize,
}

/// `sensor_msgs/msg/JointState` with what it is made of.
const SCHEMA: &str = "\
std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
";

const SECOND: u64 = 1_000_000_000;

impl JointStream {
    /// Of a recording that carries its robot and the poses of its platform.
    ///
    /// # Errors
    /// If the recording does not say which robot it is of, or not where its platform is.
    pub fn of(recording: &Recording, name: &str) -> Result<Self, ExchangeError> {
        let refused = |what: String| ExchangeError::Whole { file: name.into(), what, hint: None };
        let robot = recorded_robot(recording, name).map_err(refused)?;
        let mut joints = JointStates::new(&robot)?;
        let (mut states, mut out_of_reach) = (Vec::new(), 0);
        for (row, time) in recording.time().iter().enumerate() {
            let position = joints.at(&recorded_pose(&robot, recording, row));
            let nanoseconds = (time * 1e9).round();
            match position {
                Ok(position) if (0.0..9e18).contains(&nanoseconds) => {
                    // In range by the condition.
                    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                    let time = nanoseconds as u64;
                    states.push(JointState { time, position });
                }
                _ => out_of_reach += 1,
            }
        }
        Ok(Self { names: joints.names().to_vec(), states, out_of_reach })
    }

    /// A message as a line of JSON.
    pub fn line(&self, state: &JointState) -> String {
        let stamp = serde_json::json!({ "sec": state.time / SECOND, "nanosec": state.time % SECOND });
        serde_json::json!({
            "header": { "stamp": stamp, "frame_id": "" },
            "name": self.names, "position": state.position, "velocity": [], "effort": [],
        })
        .to_string()
    }

    /// A file that Foxglove and the tools of ROS 2 read: MCAP, messages in CDR.
    pub fn mcap(&self) -> Vec<u8> {
        let topic = Topic {
            name: "/joint_states",
            schema: "sensor_msgs/msg/JointState",
            text: SCHEMA,
            language: "ros2msg",
            encoding: "cdr",
        };
        let messages: Vec<(u64, Vec<u8>)> =
            self.states.iter().map(|state| (state.time, self.cdr(state))).collect();
        messages_file(&topic, &messages)
    }

    /// A message in CDR, little end first: numbers stand at multiples of their size, counted from the fifth byte.
    fn cdr(&self, state: &JointState) -> Vec<u8> {
        let mut bytes = vec![0, 1, 0, 0];
        let aligned = |bytes: &mut Vec<u8>, size: usize| {
            while !(bytes.len() - 4).is_multiple_of(size) {
                bytes.push(0);
            }
        };
        let number = |bytes: &mut Vec<u8>, value: u64| {
            aligned(bytes, 4);
            bytes.extend(u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
        };
        let text = |bytes: &mut Vec<u8>, text: &str| {
            number(bytes, text.len() as u64 + 1);
            bytes.extend(text.as_bytes());
            bytes.push(0);
        };
        number(&mut bytes, state.time / SECOND);
        number(&mut bytes, state.time % SECOND);
        text(&mut bytes, "");
        number(&mut bytes, self.names.len() as u64);
        for name in &self.names {
            text(&mut bytes, name);
        }
        number(&mut bytes, state.position.len() as u64);
        for value in &state.position {
            aligned(&mut bytes, 8);
            bytes.extend(value.to_le_bytes());
        }
        // No speeds, no efforts.
        number(&mut bytes, 0);
        number(&mut bytes, 0);
        bytes
    }
}
