//! From recordings to a report: the robot moving, what every column did, plots over time.

use super::thin::{even_rows, rows_with_peaks};
use super::{Animation, Axis, Lines, Moving, Report, Section, Table};
use crate::description::RobotDescription;
use crate::recording::{Column, Ending, REQUEST_KEY, Recording};
use crate::sorting::sort_by;
use crate::{AnyRobot, PlatformState, rotation_from_roll_pitch_yaw};

/// A plot has at most about so many rows of each run.
const MOST_ROWS: usize = 6000;
/// A moving robot has at most so many pictures.
const MOST_FRAMES: usize = 1200;
/// Where it should be is smooth, and needs fewer.
const REFERENCE_FRAMES: usize = 300;

/// A recording with a name to tell it from others.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// As it is to be called: the stem of its file.
    pub name: &'a str,
    /// What was recorded.
    pub recording: &'a Recording,
}

/// A report about one run, or about several over the same axes. The robot is the one that the first
/// recording carries; what a recording does not have, the report says.
pub fn of_runs(title: &str, runs: &[Run<'_>]) -> Report {
    let mut report = Report::new(title);
    if let Some(first) = runs.first() {
        let metadata = first.recording.metadata();
        report.command = metadata.command().map(str::to_owned);
        report.robot = metadata.robot().map(|text| (robot_name(text), text.to_owned()));
        if let Some(program) = metadata.program() {
            program.clone_into(&mut report.program);
        }
    }
    let requests = runs.iter().filter_map(|run| run.recording.metadata().get(REQUEST_KEY));
    report.requests = requests.map(str::to_owned).collect();
    report.with_section(motion(runs)).with_section(plots(runs)).with_section(columns(runs))
}

fn robot_name(text: &str) -> String {
    RobotDescription::parse(text, "robot").map_or_else(|_| "robot".into(), |robot| robot.name)
}

/// The robots, and how each run went.
fn motion(runs: &[Run<'_>]) -> Section {
    let mut animation = Animation::new("");
    let mut table = Table::new(
        "",
        [Axis::new("run", ""), Axis::new("samples", ""), Axis::new("time", "s"), Axis::new("ended", "")],
    );
    let mut notes = Vec::new();
    for run in runs {
        let recording = run.recording;
        let time = recording.time().last().copied().unwrap_or(0.0);
        let ended = match recording.ending() {
            Ending::Finished(reason) if reason.is_empty() => "finished".to_owned(),
            Ending::Finished(reason) => reason.clone(),
            Ending::Cut { .. } => {
                "cut short: killed, or the file was cut; `legwork recover FILE` makes it readable for every program"
                    .into()
            },
            Ending::Unknown => "nothing says how".into(),
        };
        table = table.with_row([run.name.to_owned(), recording.len().to_string(), short(time), ended]);
        match moving(run) {
            Ok(moving) => {
                if moving.missing() > 0 {
                    let (missing, all) = (moving.missing(), moving.times.len());
                    notes.push(format!(
                        "{}: {missing} of {all} pictures are empty, the robot is out of reach there.",
                        run.name
                    ));
                }
                animation = animation.with(moving);
                if let Some(reference) = reference(run) {
                    animation = animation.with_reference(reference);
                }
            }
            Err(reason) => notes.push(format!("{}: the robot is not drawn, {reason}.", run.name)),
        }
    }
    let mut section = Section::new("Motion");
    if !animation.runs.is_empty() {
        section = section.with(animation);
    }
    section = section.with(table);
    notes.into_iter().fold(section, Section::with)
}

/// The robot of a recording along its poses; in words why not.
fn moving(run: &Run<'_>) -> Result<Moving, String> {
    let recording = run.recording;
    let robot = recorded_robot(recording, run.name)?;
    let rows = even_rows(recording.len(), MOST_FRAMES);
    let states = rows.into_iter().map(|row| (recording.time()[row], pose(&robot, recording, row)));
    Moving::new(run.name, &robot, states).map_err(|error| error.to_string())
}

/// The robot where it should be, of a recording that says so and of a robot that reaches it.
fn reference(run: &Run<'_>) -> Option<Moving> {
    let recording = run.recording;
    let is_said = recording.columns().iter().any(|column| column.name.ends_with(REFERENCE));
    let robot = is_said.then(|| recorded_robot(recording, run.name).ok())??;
    let rows = even_rows(recording.len(), REFERENCE_FRAMES);
    let states =
        rows.into_iter().map(|row| (recording.time()[row], named_pose(&robot, recording, row, REFERENCE)));
    Moving::new("reference", &robot, states).ok()
}

/// What follows the name of a coordinate in the column of where it should be.
const REFERENCE: &str = "_ref";

/// The robot that a recording carries and that its poses are of; in words why there is none.
pub(crate) fn recorded_robot(recording: &Recording, name: &str) -> Result<AnyRobot, String> {
    let text = recording.metadata().robot().ok_or("the recording does not carry its file")?;
    let description = RobotDescription::parse(text, name).map_err(|_| "its file cannot be read")?;
    let robot = AnyRobot::new(description).map_err(|error| error.to_string())?;
    if recording.is_empty() {
        return Err("there is no sample".into());
    }
    let has_position = robot
        .freedoms()
        .iter()
        .all(|freedom| freedom.turns() || recording.values(freedom.coordinate).is_some());
    if has_position { Ok(robot) } else { Err("the recording does not have its position x, y, z".into()) }
}

/// The pose in a row; coordinates that are not recorded are those of home.
pub(crate) fn pose(robot: &AnyRobot, recording: &Recording, row: usize) -> PlatformState {
    named_pose(robot, recording, row, "")
}

/// The same of the columns whose names end so.
fn named_pose(robot: &AnyRobot, recording: &Recording, row: usize, ending: &str) -> PlatformState {
    let home = robot.home();
    let value = |name: &str| {
        let column = recording.values(&format!("{name}{ending}"))?;
        column.get(row).copied()
    };
    let mut position = home.position;
    for (slot, name) in position.iter_mut().zip(["x", "y", "z"]) {
        *slot = value(name).unwrap_or(*slot);
    }
    let angles = [value("roll"), value("pitch"), value("yaw").or(value("angle"))];
    let rotation = if angles.iter().any(Option::is_some) {
        rotation_from_roll_pitch_yaw(angles.map(Option::unwrap_or_default))
    } else {
        home.rotation
    };
    PlatformState::at(position).turned(rotation)
}

/// Columns that belong into one plot.
#[derive(Debug, PartialEq, Eq)]
struct Group {
    title: String,
    axis: Axis,
    names: Vec<String>,
}

/// Groups of the columns of all runs, in the order in which they are read.
fn groups(runs: &[Run<'_>]) -> Vec<Group> {
    let mut groups: Vec<(usize, Group)> = Vec::new();
    for run in runs {
        let all = run.recording.columns();
        let has_angles = all.iter().any(|column| column.name == "roll" || column.name == "angle");
        for column in all.iter().skip(1) {
            if has_angles && ["qw", "qx", "qy", "qz"].contains(&column.name.as_str()) {
                continue; // the same once more
            }
            let (order, title, symbol) = place(column);
            let axis = Axis::new(symbol, &column.unit);
            let found = groups.iter_mut().find(|(_, group)| group.title == title && group.axis == axis);
            match found {
                Some((_, group)) if group.names.contains(&column.name) => {}
                Some((_, group)) => group.names.push(column.name.clone()),
                None => groups.push((order, Group { title, axis, names: vec![column.name.clone()] })),
            }
        }
    }
    sort_by(&mut groups, |(a, _), (b, _)| a.cmp(b));
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Rank, title and symbol of the plot that a column belongs to.
fn place(column: &Column) -> (usize, String, String) {
    let slides = !column.unit.contains("rad") && column.unit != "N m";
    let stem = column.name.trim_end_matches(|c: char| c.is_ascii_digit());
    let known = match column.name.as_str() {
        "x" | "y" | "z" => Some((2, "Position of the platform", "position")),
        "roll" | "pitch" | "yaw" | "angle" => Some((3, "Orientation of the platform", "angle")),
        "vx" | "vy" | "vz" => Some((4, "Velocity of the platform", "velocity")),
        "wx" | "wy" | "wz" => Some((4, "Angular velocity of the platform", "angular velocity")),
        "ax" | "ay" | "az" => Some((4, "Acceleration of the platform", "acceleration")),
        "bx" | "by" | "bz" => Some((4, "Angular acceleration of the platform", "angular acceleration")),
        "picked" => Some((9, "What is picked up", "mass")),
        "position_error" => Some((0, "Position error of the platform", "error")),
        "orientation_error" => Some((0, "Orientation error of the platform", "error")),
        "x_ref" | "y_ref" | "z_ref" => Some((9, "Where the platform should be", "position")),
        "roll_ref" | "pitch_ref" | "yaw_ref" | "angle_ref" => {
            Some((9, "How the platform should be turned", "angle"))
        }
        "loop_gap" => Some((11, "Loop gap", "gap")),
        _ if column.unit == "J" => Some((10, "Energies", "energy")),
        _ if stem.len() == column.name.len() => None,
        _ => match (stem, slides) {
            ("qerr", _) => Some((1, "Joint errors", "error")),
            ("q", false) => Some((5, "Joint angles", "q")),
            ("q", true) => Some((5, "Joint lengths", "q")),
            ("qd", _) => Some((6, "Joint speeds", "qd")),
            ("qdd", _) => Some((6, "Joint accelerations", "qdd")),
            ("tau", false) => Some((7, "Motor torques", "torque")),
            ("tau", true) => Some((7, "Motor forces", "force")),
            ("u", _) => Some((8, "Commands to the motors", "command")),
            ("m", _) => Some((9, "Encoder readings", "reading")),
            ("qref", _) => Some((9, "Where the joints should be", "q")),
            _ => None,
        },
    };
    match known {
        Some((rank, title, symbol)) => (rank, title.into(), symbol.into()),
        None => (12, stem.replace('_', " "), stem.into()),
    }
}

/// The unit in which people read it, as in the terminal, and the factor to it.
fn shown_unit(unit: &str) -> (&str, f64) {
    match unit {
        "m" => ("mm", 1e3),
        "rad" => ("deg", 1_f64.to_degrees()),
        unit => (unit, 1.0),
    }
}

fn plots(runs: &[Run<'_>]) -> Section {
    let mut section = Section::new("Over time");
    let mut thinned = false;
    for group in groups(runs) {
        let (unit, factor) = shown_unit(&group.axis.unit);
        let axis = Axis::new(group.axis.name, unit);
        let mut plot = Lines::new(&group.title, Axis::new("t", "s"), axis);
        for run in runs {
            let columns: Vec<(&String, &[f64])> =
                group.names.iter().filter_map(|name| Some((name, run.recording.values(name)?))).collect();
            let values: Vec<&[f64]> = columns.iter().map(|(_, values)| *values).collect();
            let rows = rows_with_peaks(&values, run.recording.len(), MOST_ROWS);
            thinned |= rows.len() < run.recording.len();
            let pick = |values: &[f64]| -> Vec<f64> { rows.iter().map(|row| values[*row]).collect() };
            let times = pick(run.recording.time());
            for (name, values) in columns {
                // The title says that it is an energy.
                let name = name.strip_suffix("_energy").unwrap_or(name);
                let shown: Vec<f64> = pick(values).into_iter().map(|value| value * factor).collect();
                plot = match runs.len() {
                    1 => plot.with_curve(name, &times, &shown),
                    _ => plot.with_run_curve(run.name, name, &times, &shown),
                };
            }
        }
        section = section.with(plot);
    }
    if thinned {
        section = section.with("Long recordings are thinned for these plots; their peaks are kept.");
    }
    section
}

/// First, last, smallest and largest number of every column.
fn columns(runs: &[Run<'_>]) -> Section {
    let mut section = Section::new("Columns");
    for run in runs {
        let heads = ["column", "unit", "start", "end", "smallest", "largest"];
        let title = if runs.len() == 1 { "" } else { run.name };
        let mut table = Table::new(title, heads.map(|head| Axis::new(head, "")));
        for (column, values) in run.recording.columns().iter().zip(run.recording.all_values()) {
            let number = |x: Option<f64>| x.map_or_else(|| "–".into(), short);
            let ends = super::blocks::ends(values.iter().copied());
            table = table.with_row([
                column.name.clone(),
                column.unit.clone(),
                number(values.first().copied()),
                number(values.last().copied()),
                number(ends.map(|[low, _]| low)),
                number(ends.map(|[_, high]| high)),
            ]);
        }
        section = section.with(table);
    }
    section
}

/// Six digits, without a tail of zeros.
fn short(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{}", if x == 0.0 { 0.0 } else { x });
    }
    let size = x.abs().log10().floor();
    if !(-5.0..7.0).contains(&size) {
        return format!("{x:.5e}");
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and 10
    let decimals = (5.0 - size).max(0.0) as usize;
    let text = format!("{x:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
