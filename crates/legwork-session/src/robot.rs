//! Which robot: opened, edited, varied.

use crate::Failure;
use crate::failure::Numbered;
use crate::opened::Opened;
use crate::state::Pose;
use legwork::analysis::map::Quantity;
use legwork::coordinates::Group;
use legwork::description::{BUILT_IN, FileNumber};
use legwork::summary::{RobotEntry, RobotSummary, doubts};
use legwork::task::{Mass, RobotRequest};
use legwork::text::toml_text;
use legwork::{AnyRobot, Joint, PlatformState};
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, PI};

/// A robot that comes with the library.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RobotListEntry {
    /// Its name.
    pub name: String,
    /// Name of its family.
    pub family: String,
    /// What its family is, in words.
    pub sentence: String,
    /// "3 turn"
    pub motors: String,
    /// Names of the platform's free coordinates.
    pub freedoms: Vec<String>,
    /// How many legs.
    pub legs: usize,
    /// Whether it has masses, so that it has torques.
    pub masses: bool,
    /// Where its numbers come from.
    pub source: Option<String>,
}

/// Which robot to open: one by its name, or the text of a robot file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenAsk {
    /// A built-in name; with `text` what its file is called, without an ending.
    pub name: Option<String>,
    /// A robot file, TOML.
    pub text: Option<String>,
    /// The way of each leg that has two. Default: that of the file.
    pub working_mode: Option<String>,
    /// What the platform carries. Default: the payload of the file.
    pub payload: Option<Mass>,
}

/// Another number in the robot file.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EditAsk {
    /// Where, as in `EditableNumber.path`.
    pub path: String,
    /// As typed: `350 mm`, or a number alone, which keeps the unit of the file.
    pub value: String,
}

/// What differs from the file; what is left out is as in the file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VaryAsk {
    /// The way of each leg that has two, such as `out-in-out`.
    pub working_mode: Option<String>,
    /// What the platform carries, `500 g`.
    pub payload: Option<Mass>,
}

/// Everything about a robot that does not depend on where it is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RobotSheet {
    /// Its name.
    pub name: String,
    /// Name of its family.
    pub family: String,
    /// What its family is, in words.
    pub meaning: String,
    /// Where its numbers come from.
    pub source: Option<String>,
    /// What a reader should know about them.
    pub note: Option<String>,
    /// Its file, TOML: this is what is saved.
    pub text: String,
    /// Whether it is a built-in robot as it comes.
    pub is_built_in: bool,
    /// As `legwork show` prints it.
    pub summary: String,
    /// Numbers that can hardly be meant, in words.
    pub doubts: Vec<String>,
    /// Where the platform can be: its coordinates as they are read and shown.
    pub coordinates: Vec<PlatformCoordinate>,
    /// Names of the components of twist, acceleration and wrench, in order: `vx`.
    pub velocities: Vec<String>,
    /// Its motors.
    pub motors: Vec<Motor>,
    /// Where it rests.
    pub home: Pose,
    /// The same as coordinates.
    pub home_values: Vec<f64>,
    /// Whether it has masses, so that it has torques.
    pub has_masses: bool,
    /// The working mode it is in.
    pub working_mode: String,
    /// The two ways of its legs, if they have two.
    pub branches: Option<BranchChoice>,
    /// What the platform carries \[kg\].
    pub payload: f64,
    /// All numbers of its file.
    pub numbers: Vec<EditableNumber>,
    /// What maps of it can show.
    pub quantities: Vec<QuantityChoice>,
    /// Whether its file says what it follows if no path is asked for.
    pub has_motion: bool,
    /// A length to scale views by \[m\].
    pub size: f64,
    /// A length to scale handles by \[m\].
    pub platform_size: f64,
}

/// A coordinate of the platform.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlatformCoordinate {
    /// `x`
    pub name: String,
    /// `m` or `rad`
    pub unit: String,
    /// Whether it is an angle.
    pub turns: bool,
    /// Whether it can be chosen; one that follows from the others cannot.
    pub is_free: bool,
    /// At home.
    pub home: f64,
    /// How far the robot reaches from home along this coordinate alone, below home.
    pub from: f64,
    /// The same above home.
    pub to: f64,
}

/// A motor with its limits; the numbers count at the joint.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Motor {
    /// `q1`
    pub name: String,
    /// Whether it slides instead of turning.
    pub slides: bool,
    /// `rad` or `m`
    pub unit: String,
    /// `N m` or `N`
    pub effort_unit: String,
    /// Lower limit.
    pub min: Option<f64>,
    /// Upper limit.
    pub max: Option<f64>,
    /// Lower end of a slider: the limit, or a round distance from home.
    pub from: f64,
    /// Upper end of a slider.
    pub to: f64,
    /// Largest torque or force.
    pub max_effort: Option<f64>,
    /// Largest speed.
    pub max_speed: Option<f64>,
}

/// The two ways of legs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BranchChoice {
    /// What differs: "elbows".
    pub what: String,
    /// The names of the two.
    pub names: Vec<String>,
    /// How many legs have two.
    pub legs: usize,
}

/// A number of the robot file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EditableNumber {
    /// `geometry.arm`
    pub path: String,
    /// The first part of the path: its table.
    pub table: String,
    /// The rest.
    pub key: String,
    /// As it is written, with its unit: `350 mm`.
    pub text: String,
    /// As it is written, without its unit.
    pub number: f64,
    /// The unit that is written; may be empty.
    pub written_unit: String,
    /// In SI.
    pub value: f64,
    /// The SI unit; empty if it is not known.
    pub unit: String,
    /// Its line, from 1.
    pub line: usize,
    /// What it means, in words; may be empty.
    pub meaning: String,
}

/// What a map can show.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuantityChoice {
    /// Its word in a request.
    pub name: String,
    /// What it is.
    pub meaning: String,
    /// Whether the sign of its numbers matters.
    pub is_signed: bool,
}

/// The robots that come with the library.
pub(crate) fn list() -> Vec<RobotListEntry> {
    let opened = BUILT_IN.iter().filter_map(|robot| AnyRobot::open(robot.name).ok());
    let entry = |robot: AnyRobot| {
        let entry = RobotEntry::of(&robot);
        RobotListEntry {
            sentence: robot.description().family().row().meaning.into(),
            motors: entry.motors_text(),
            name: entry.name,
            family: entry.family.into(),
            freedoms: entry.freedoms.iter().map(|name| (*name).to_owned()).collect(),
            legs: entry.legs,
            masses: entry.masses,
            source: entry.source,
        }
    };
    opened.map(entry).collect()
}

/// Opens a robot.
pub(crate) fn open(ask: &OpenAsk) -> Result<(Opened, RobotSheet), Failure> {
    let request = RobotRequest {
        name: ask.name.clone().unwrap_or_else(|| "robot".into()),
        text: ask.text.clone(),
        working_mode: ask.working_mode.clone(),
        payload: ask.payload,
        ..RobotRequest::default()
    };
    Ok(with_sheet(Opened::new(request)?))
}

/// The robot with another number in its file; the one that is open stays as it is.
pub(crate) fn edit(opened: &Opened, ask: &EditAsk) -> Result<(Opened, RobotSheet), Failure> {
    let numbers = Numbered::all(&opened.text);
    let Some(one) = numbers.iter().find(|one| one.number.path == ask.path) else {
        return Err(Failure::no_number(&ask.path));
    };
    let text = Some(typed(&one.number, &opened.text, &ask.value));
    Ok(with_sheet(Opened::new(RobotRequest { text, ..opened.request.clone() })?))
}

/// The file with what a person typed in place of a number: one with a unit, or one alone, which keeps the unit that is
/// written. What is no number is written as a text, for the library to refuse.
fn typed(number: &FileNumber, text: &str, typed: &str) -> String {
    let typed = typed.trim();
    let keeps_unit = number.quoted && !number.unit.is_empty();
    let value = match typed.parse::<f64>() {
        Ok(_) if keeps_unit => toml_text(&format!("{typed} {}", number.unit)),
        // A whole number stays one: it may be a count.
        Ok(_) if typed.parse::<i64>().is_ok() => typed.trim_start_matches('+').to_owned(),
        Ok(number) => format!("{number:?}").to_lowercase(),
        Err(_) => toml_text(typed),
    };
    let before = text.get(..number.span.start).unwrap_or(text);
    [before, &value, text.get(number.span.end..).unwrap_or("")].concat()
}

/// The robot with something else than its file says.
pub(crate) fn vary(opened: &Opened, ask: &VaryAsk) -> Result<(Opened, RobotSheet), Failure> {
    let request = RobotRequest {
        working_mode: ask.working_mode.clone(),
        payload: ask.payload,
        text: Some(opened.text.clone()),
        ..opened.request.clone()
    };
    Ok(with_sheet(Opened::new(request)?))
}

fn with_sheet(opened: Opened) -> (Opened, RobotSheet) {
    let sheet = RobotSheet::of(&opened);
    (opened, sheet)
}

impl RobotSheet {
    fn of(opened: &Opened) -> Self {
        let (robot, schema, description) = (opened.robot(), opened.schema(), opened.robot().description());
        let home = robot.home();
        let row = description.family().row();
        let names = |group| schema.group(group).names.iter().map(|name| name.text.clone());
        Self {
            name: robot.name().into(),
            family: row.name.into(),
            meaning: row.meaning.into(),
            source: description.source.clone(),
            note: description.note.clone(),
            text: opened.text.clone(),
            is_built_in: opened.request.text.is_none(),
            summary: RobotSummary::of(robot).to_string(),
            doubts: doubts(robot),
            coordinates: PlatformCoordinate::all(opened),
            velocities: names(Group::Velocity).chain(names(Group::AngularVelocity)).collect(),
            motors: Motor::all(robot, &home),
            home: Pose::of(&home),
            home_values: opened.values_of(&home),
            has_masses: robot.has_masses(),
            working_mode: robot.working_mode(),
            branches: robot.branches().map(|branches| BranchChoice {
                what: branches.what.into(),
                names: branches.names.iter().map(|name| (*name).to_owned()).collect(),
                legs: branches.legs,
            }),
            payload: robot.payload(),
            numbers: Numbered::all(&opened.text).into_iter().map(EditableNumber::of).collect(),
            quantities: QuantityChoice::of(robot),
            has_motion: description.motion_defaults.is_some(),
            size: robot.length(),
            platform_size: robot.platform_size(),
        }
    }
}

/// Steps in which the reach along a coordinate is looked for.
const STEPS: u8 = 24;

impl PlatformCoordinate {
    fn all(opened: &Opened) -> Vec<Self> {
        let (schema, robot) = (opened.schema(), opened.robot());
        let home = opened.values_of(&robot.home());
        let groups = [Group::Position, Group::Orientation].map(|group| schema.group(group));
        let names: Vec<_> = groups.iter().flat_map(|group| &group.names).collect();
        let free_angles = schema.group(Group::AngularVelocity);
        let reaches = |values: &[f64]| {
            let platform = opened.row(values).and_then(|row| Ok(schema.platform(&row)?));
            platform.is_ok_and(|platform| robot.inverse_kinematics(&platform).is_ok())
        };
        let one = |(k, name): (usize, &&legwork::coordinates::CoordinateName)| {
            let turns = k >= groups[0].names.len();
            let is_free = !turns
                || names.len() == groups[0].names.len() + 1
                || free_angles.names.iter().any(|free| free.place == name.place);
            let farthest = match (turns, name.text.as_str()) {
                (false, _) => robot.length(),
                (true, "pitch") => FRAC_PI_2,
                (true, _) => PI,
            };
            let end = |sign: f64| {
                let mut at = home.clone();
                let mut reached = home[k];
                for step in 1..=STEPS {
                    at[k] = home[k] + sign * farthest * f64::from(step) / f64::from(STEPS);
                    if !is_free || !reaches(&at) {
                        break;
                    }
                    reached = at[k];
                }
                reached
            };
            Self {
                name: name.text.clone(),
                unit: name.quantity.si_unit().into(),
                turns,
                is_free,
                home: home[k],
                from: end(-1.0),
                to: end(1.0),
            }
        };
        names.iter().enumerate().map(one).collect()
    }
}

impl Motor {
    fn all(robot: &AnyRobot, home: &PlatformState) -> Vec<Self> {
        let q = robot.inverse_kinematics(home).map(|solution| solution.q).unwrap_or_default();
        let one = |(k, joint): (usize, &Joint)| {
            let at_home = q.get(k).copied().unwrap_or(0.0);
            let room = if joint.slides { robot.length() / 2.0 } else { PI };
            Self {
                name: joint.name.clone(),
                slides: joint.slides,
                unit: joint.unit().into(),
                effort_unit: joint.effort_unit().into(),
                min: joint.min,
                max: joint.max,
                from: joint.min.unwrap_or(at_home - room),
                to: joint.max.unwrap_or(at_home + room),
                max_effort: joint.max_effort,
                max_speed: joint.max_speed,
            }
        };
        robot.joints().iter().enumerate().map(one).collect()
    }
}

impl EditableNumber {
    fn of(one: Numbered) -> Self {
        let Numbered { number, line, .. } = one;
        let (value, unit) = number.in_si();
        let (table, key) = match number.path.find(['.', '[']) {
            Some(at) => (&number.path[..at], number.path[at..].trim_start_matches('.')),
            None => ("", number.path.as_str()),
        };
        let shown = if number.unit.is_empty() { String::new() } else { format!(" {}", number.unit) };
        Self {
            table: table.into(),
            key: key.into(),
            text: format!("{}{shown}", number.number),
            number: number.number,
            value,
            unit: unit.into(),
            line,
            meaning: number.field.map_or("", |field| field.meaning).into(),
            path: number.path,
            written_unit: number.unit,
        }
    }
}

impl QuantityChoice {
    /// Those that can be asked of a robot.
    fn of(robot: &AnyRobot) -> Vec<Self> {
        let can =
            |quantity: &Quantity| quantity.check(robot, legwork::analysis::map::Direction::Worst).is_ok();
        let one = |quantity: Quantity| Self {
            name: quantity.name().into(),
            meaning: quantity.title().into(),
            is_signed: quantity.is_signed(),
        };
        Quantity::ALL.into_iter().filter(can).map(one).collect()
    }
}
