//! The path and the law that the options describe.

use super::super::{pose, positive, time};
use crate::args::{LawKind, PathArgs, PathKind, SimulateArgs};
use crate::failure::{Failure, Message};
use crate::form::Form;
use crate::quantity::Kind;
use crate::row::{POSE, Row, number};
use crate::verb::place;
use legwork::experiment::{AnyPath, ExperimentError, Motion, around_home, gentle_law, way_points};
use legwork::trajectory::{
    Arc, Geodesic, Law, LawError, Line, Path, PathError, PickAndPlace, SemiEllipse, Shape, Turned, Turning,
};
use legwork::{AnyRobot, M3, PlatformState, V3};

/// Height of a semi-ellipse and lift of a cycle, as part of the way: 60 mm for 250 mm.
const HEIGHT: f64 = 0.24;
/// Reach of rounded corners, as part of the lift.
const CORNER: f64 = 0.8;

/// A motion and its words.
pub struct Described {
    pub motion: Motion,
    pub path: &'static str,
    pub law: &'static str,
}

fn of_path(error: PathError) -> Failure {
    Message::new(format!("there is no such path: {error}")).into()
}

fn of_law(error: LawError) -> Failure {
    Message::new(format!("there is no such law: {error}")).into()
}

fn told(error: ExperimentError) -> Failure {
    Message::new(error.to_string()).into()
}

/// The motion; `is_codourey` if nothing else is said about it.
pub fn from_args(
    args: &SimulateArgs,
    robot: &AnyRobot,
    form: &Form,
    is_codourey: bool,
) -> Result<Described, Failure> {
    let options = &args.path;
    let usual = if is_codourey { Motion::codourey().map_err(told)? } else { default_motion(robot)? };
    let kind = options.path.unwrap_or(PathKind::SemiEllipse);
    let says_path = options.path.is_some()
        || !args.from.is_empty()
        || !options.to.is_empty()
        || !options.via.is_empty()
        || options.height.is_some()
        || options.corner.is_some();
    let mut motion = if says_path {
        let path = path(args, form, robot, &usual, kind)?;
        let usual = gentle_law(robot, &path).map_err(told)?.duration();
        let law = law(options, path.length(), usual)?;
        Motion::new(path, law)
    } else {
        let law = law(options, usual.length(), usual.move_duration())?;
        usual.timed(law)
    };
    if options.back || options.cycles.is_some() || options.pause.is_some() {
        let pause = match &options.pause {
            Some(text) => number("pause", Kind::Time, text)?.max(0.0),
            None => 0.0,
        };
        motion = motion.there_and_back(pause, options.cycles.unwrap_or(1));
    }
    let name = match kind {
        PathKind::SemiEllipse => "semi-ellipse",
        PathKind::Line => "line",
        PathKind::Arc => "arc",
        PathKind::PickAndPlace => "pick-and-place",
        PathKind::WayPoints => "way-points",
    };
    Ok(Described { motion, path: name, law: options.law.unwrap_or(LawKind::Sine).name() })
}

fn default_motion(robot: &AnyRobot) -> Result<Motion, Failure> {
    let path = around_home(robot).map_err(told)?;
    let law = gentle_law(robot, &path).map_err(told)?;
    Ok(Motion::new(path, law))
}

/// Along z, or along the last axis that the platform is free in.
fn upwards(robot: &AnyRobot) -> V3<f64> {
    let last =
        robot.freedoms().iter().filter(|freedom| !freedom.turns()).map(|freedom| freedom.component).max();
    V3::from(std::array::from_fn(|k| f64::from(u8::from(Some(k) == last))))
}

fn path(
    args: &SimulateArgs,
    form: &Form,
    robot: &AnyRobot,
    usual: &Motion,
    kind: PathKind,
) -> Result<AnyPath, Failure> {
    let options = &args.path;
    let end = |share: f64| {
        let pose = usual.path().at(usual.path().length() * share).pose;
        PlatformState::at(pose.position.to_array()).turned(pose.rotation.to_rows())
    };
    let mut from = pose(form, "--from", &args.from)?;
    if let (Some(start), false) = (&mut from, args.quaternion.is_empty()) {
        let mut row = Row::default();
        form.argument(&mut row, "--from", POSE, &args.from)?;
        place(form, &mut row, &[], &args.quaternion)?;
        *start = form.platform(&row)?;
    }
    let to = pose(form, "--to", &options.to)?;
    if from.is_some() != to.is_some() && kind != PathKind::WayPoints {
        let (has, lacks) = if from.is_some() { ("--from", "--to") } else { ("--to", "--from") };
        let message = Message::new(format!("a path with `{has}` needs `{lacks}`"));
        return Err(message.hint("or leave both out: the path is then about home").into());
    }
    let (from, to) = (from.unwrap_or_else(|| end(0.0)), to.unwrap_or_else(|| end(1.0)));
    let via = options.via.iter().map(|text| {
        let texts: Vec<String> = text.split(',').map(|part| part.trim().to_owned()).collect();
        Ok(pose(form, "--via", &texts)?.unwrap_or(from))
    });
    let via: Vec<PlatformState> = via.collect::<Result<_, Failure>>()?;
    let (a, b) = (V3::from(from.position), V3::from(to.position));
    let way = (b - a).norm_sq().sqrt();
    let height = match &options.height {
        Some(text) => positive("height", number("height", Kind::Length, text)?)?,
        None => HEIGHT * way,
    };
    let lift = upwards(robot) * height;
    let positions = match kind {
        PathKind::SemiEllipse => AnyPath::new(SemiEllipse::new(a, b, lift).map_err(of_path)?),
        PathKind::Line => AnyPath::new(Line::new(a, b).map_err(of_path)?),
        PathKind::Arc => {
            let [middle] = via.as_slice() else {
                let message =
                    Message::new(format!("an arc goes through one `--via`; {} are given", via.len()));
                return Err(message.hint("give a point of the circle between both ends: --via X,Y,Z").into());
            };
            AnyPath::new(Arc::through(a, middle.position.into(), b).map_err(of_path)?)
        }
        PathKind::PickAndPlace => {
            let reach = match &options.corner {
                Some(text) => positive("corner", number("corner", Kind::Length, text)?)?,
                None => CORNER * height.min(0.5 * way),
            };
            AnyPath::new(PickAndPlace::new(a, b, lift, reach).map_err(of_path)?)
        }
        PathKind::WayPoints => {
            let all: Vec<PlatformState> = [vec![from], via, vec![to]].concat();
            let points: Vec<V3<f64>> = all.iter().map(|state| state.position.into()).collect();
            let turns: Vec<M3<f64>> = all.iter().map(matrix).collect();
            let turned = all.iter().any(|state| state.rotation != from.rotation);
            let path = way_points(&points, turned.then_some(turns.as_slice())).map_err(told)?;
            if turned {
                return Ok(path);
            }
            path
        }
    };
    if from.rotation == to.rotation {
        return Ok(AnyPath::new(Turned { path: positions, rotation: matrix(&from) }));
    }
    let orientation = Geodesic::new(matrix(&from), matrix(&to)).map_err(of_path)?;
    Ok(AnyPath::new(Turning { path: positions, orientation }))
}

fn matrix(state: &PlatformState) -> M3<f64> {
    let [x, y, z] = state.rotation.map(V3::from);
    M3::from_rows(x, y, z)
}

/// The law for a length \[m\]; as long as the usual one \[s\] if its size is not said.
fn law(options: &PathArgs, length: f64, usual: f64) -> Result<Law<f64>, Failure> {
    let kind = options.law.unwrap_or(LawKind::Sine);
    let rate = |name: &str, kind, text: &String| positive(name, number(name, kind, text)?);
    if kind == LawKind::SCurve || !options.limits.is_empty() {
        let [v, a, j] = options.limits.as_slice() else {
            let message = Message::new("an s-curve needs its limits of speed, acceleration and jerk");
            return Err(message.hint("for example --law s-curve --limits 2m/s 50m/s^2 5000").into());
        };
        if kind != LawKind::SCurve {
            return Err(Message::new("`--limits` are for an s-curve").hint("add `--law s-curve`").into());
        }
        let v = rate("limits", Kind::Speed, v)?;
        let a = rate("limits", Kind::Acceleration, a)?;
        return Law::s_curve_within(length, v, a, rate("limits", Kind::Ratio, j)?).map_err(of_law);
    }
    let shape = match kind {
        LawKind::Parabolic => Shape::parabolic(),
        LawKind::Cubic => Shape::Cubic,
        LawKind::Quintic => Shape::Quintic,
        _ => Shape::sine(),
    };
    if let Some(text) = &options.move_time {
        return Law::by_duration(shape, length, time("move-time", text)?).map_err(of_law);
    }
    if let Some(text) = &options.average_speed {
        return Law::by_average_speed(shape, length, rate("average-speed", Kind::Speed, text)?)
            .map_err(of_law);
    }
    match options.peak.as_slice() {
        [peak] => {
            Law::by_peak_acceleration(shape, length, rate("peak", Kind::Acceleration, peak)?).map_err(of_law)
        }
        [start, brake] => {
            let start = rate("peak", Kind::Acceleration, start)?;
            let brake = rate("peak", Kind::Acceleration, brake)?;
            match kind {
                LawKind::Parabolic => Law::parabolic_by_peaks(length, start, brake).map_err(of_law),
                LawKind::Sine => Law::sine_by_peaks(length, start, brake).map_err(of_law),
                _ => {
                    let message = Message::new(format!("the {} law has one peak, not two", kind.name()));
                    Err(message.hint("two are for parabolic and sine").into())
                }
            }
        }
        _ => Law::by_duration(shape, length, usual).map_err(of_law),
    }
}
