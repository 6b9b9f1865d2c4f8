//! Every way in which the legs can stand, and every place that the same motors can hold.

use crate::Failure;
use crate::opened::Opened;
use crate::state::{Pose, SkeletonShape, StateAsk};
use legwork::{AnyRobot, AssemblyMode, JointSolution, PlatformState, rotation};
use serde::{Deserialize, Serialize};

/// Where.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModesAsk {
    /// The coordinates of the platform. Default: home.
    pub values: Option<Vec<f64>>,
    /// Whether assembly modes are wanted too: they may take a tenth of a second. Default: no.
    pub assembly: bool,
}

/// All modes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Modes {
    /// The same place with other joint values.
    pub working: Vec<WorkingChoice>,
    /// The same joint values at other places; nothing if they were not asked for or cannot be found.
    pub assembly: Option<Vec<AssemblyChoice>>,
    /// What may be said of the list of assembly modes.
    pub statement: String,
}

/// A working mode.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkingChoice {
    /// Its name, for `vary`.
    pub mode: String,
    /// Whether the robot is in it.
    pub is_own: bool,
    /// Joint values \[rad, m\].
    pub q: Vec<f64>,
    /// Motors outside their limits, from 0.
    pub outside_limits: Vec<usize>,
    /// The robot to draw.
    pub skeleton: Option<SkeletonShape>,
}

/// An assembly mode.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::struct_excessive_bools)] // marks of a list, each on its own
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AssemblyChoice {
    /// Its name or number.
    pub name: String,
    /// Where the platform is.
    pub pose: Pose,
    /// The same as coordinates.
    pub values: Vec<f64>,
    /// The same in words.
    pub place: String,
    /// The working mode that the legs are in, if it is known.
    pub mode: Option<String>,
    /// Whether the platform is there now.
    pub is_here: bool,
    /// Whether motors lead there from home.
    pub is_reached_from_home: bool,
    /// Whether its coordinates name this place. Where some follow from the others they may name another posture.
    pub is_named: bool,
    /// Whether two or more assembly modes meet there.
    pub is_singular: bool,
    /// The robot to draw.
    pub skeleton: Option<SkeletonShape>,
}

pub(crate) fn modes(opened: &Opened, ask: &ModesAsk) -> Result<Modes, Failure> {
    let robot = opened.robot();
    let refused = |error| Failure::of_state(error, &opened.text);
    let values = StateAsk { values: ask.values.clone(), ..StateAsk::default() }.values(opened);
    let row = opened.row(&values).map_err(refused)?;
    let platform = opened.schema().platform(&row).map_err(|error| refused(error.into()))?;
    let own = robot.inverse_kinematics(&platform).map_err(|error| refused(error.into()))?;
    let all = robot.all_inverse_kinematics(&platform).unwrap_or_else(|_| vec![own.clone()]);
    let working = all
        .into_iter()
        .map(|JointSolution { mode, q, outside_limits }| WorkingChoice {
            is_own: mode == own.mode,
            skeleton: drawn(robot, Some(&mode), &platform),
            mode,
            q,
            outside_limits,
        })
        .collect();
    let (assembly, statement) = if ask.assembly {
        match robot.assembly_modes(&own.q) {
            Ok(found) => {
                let list = found.modes.into_iter().map(|mode| choice(opened, &platform, mode)).collect();
                (Some(list), found.completeness.to_string())
            }
            Err(error) => (None, error.to_string()),
        }
    } else {
        (None, String::new())
    };
    Ok(Modes { working, assembly, statement })
}

/// Two places of the platform are one if they are nearer than this \[m, rad\]: searches end within a thousandth of it.
const SAME: f64 = 1e-6;

fn choice(opened: &Opened, now: &PlatformState, found: AssemblyMode) -> AssemblyChoice {
    let AssemblyMode { solution, working_mode, is_own_mode: _, is_reached_from_home, is_singular } = found;
    let platform = PlatformState::at(solution.position).turned(solution.rotation);
    let values = opened.values_of(&platform);
    let found = opened.row(&values).and_then(|row| opened.answer(&row));
    AssemblyChoice {
        name: solution.mode,
        is_named: found.map_or(true, |answer| is_same(&answer.state.platform, &platform)),
        values,
        pose: Pose::of(&platform),
        place: opened.place(&platform),
        skeleton: drawn(opened.robot(), working_mode.as_deref(), &platform),
        mode: working_mode,
        is_here: is_same(now, &platform),
        is_reached_from_home,
        is_singular,
    }
}

fn is_same(one: &PlatformState, other: &PlatformState) -> bool {
    let way = one.position.iter().zip(&other.position).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    way < SAME && rotation::difference(&one.rotation, &other.rotation) < SAME
}

/// The robot in a working mode, if it can be drawn there.
fn drawn(robot: &AnyRobot, mode: Option<&str>, platform: &PlatformState) -> Option<SkeletonShape> {
    let other = mode.filter(|mode| *mode != robot.working_mode()).map(|mode| robot.with_working_mode(mode));
    let found = match other {
        Some(Ok(other)) => other.skeleton(platform),
        _ => robot.skeleton(platform),
    };
    found.ok().map(SkeletonShape::of)
}
