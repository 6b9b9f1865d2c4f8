//! The reference of a motion, sampled: for a robot that plays it.

use crate::Failure;
use crate::opened::Opened;
use legwork::coordinates::Group;
use legwork::task::{Handle, Request};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Which motion.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AlongAsk {
    /// A request `follow`. Default: what the robot follows if nothing is asked for, there and back.
    #[cfg_attr(feature = "schema", schemars(with = "Option<legwork::task::FollowRequest>"))]
    pub request: Option<Map<String, Value>>,
    /// How many samples, 2 to 5000. Default: 240.
    pub count: Option<usize>,
}

/// A motion, sample by sample.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Along {
    /// \[s\], from 0 to the end.
    pub times: Vec<f64>,
    /// Coordinates of the platform, as of `StateAsk.values`.
    pub values: Vec<Vec<f64>>,
    /// As of `StateAsk.twist`.
    pub twists: Vec<Vec<f64>>,
    /// As of `StateAsk.acceleration`.
    pub accelerations: Vec<Vec<f64>>,
}

pub(crate) fn along(opened: &Opened, ask: &AlongAsk) -> Result<Along, Failure> {
    let mut request = ask.request.clone().unwrap_or_else(|| Map::from_iter([("back".into(), json!(true))]));
    request.insert("task".into(), json!("follow"));
    let asked = crate::task::request(opened, request)?;
    let Request::Follow(request) = &asked else {
        return Err(Failure::nothing_open());
    };
    let robot = opened.robot();
    let (experiment, _) = request
        .experiment_on(robot, None, &Handle::none())
        .map_err(|error| Failure::of_request(&asked, error, &opened.text))?;
    let motion = experiment.motion();
    let count = ask.count.unwrap_or(240).clamp(2, 5000);
    let schema = opened.schema();
    let six = |numbers: &[f64; 6]| {
        let mut list = schema.pick(Group::Velocity, &numbers[..3]);
        list.extend(schema.pick(Group::AngularVelocity, &numbers[3..]));
        list
    };
    let mut found =
        Along { times: Vec::new(), values: Vec::new(), twists: Vec::new(), accelerations: Vec::new() };
    for k in 0..count {
        let time = motion.duration() * k as f64 / (count - 1) as f64;
        let platform = motion.platform(time);
        found.times.push(time);
        found.values.push(opened.values_of(&platform));
        found.twists.push(six(&platform.twist));
        found.accelerations.push(six(&platform.acceleration));
    }
    Ok(found)
}
