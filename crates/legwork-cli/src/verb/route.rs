//! The path and the law that the options of a verb describe.

use super::simulate::{pose, positive, time};
use crate::args::{LawKind, PathKind, RouteArgs, TimingArgs};
use crate::failure::{Failure, Message};
use legwork::coordinates::{CoordinateSchema, POSE, Values, number};
use legwork::experiment::{AnyPath, ExperimentError, way_points};
use legwork::trajectory::{
    Arc, Geodesic, Law, LawError, Line, Path, PathError, PickAndPlace, SemiEllipse, Shape, Turned, Turning,
};
use legwork::units::Quantity;
use legwork::{AnyRobot, M3, PlatformState, V3};

/// Height of a semi-ellipse and lift of a cycle, as part of the way: 60 mm for 250 mm.
const HEIGHT: f64 = 0.24;
/// Reach of rounded corners, as part of the lift.
const CORNER: f64 = 0.8;

fn of_path(error: PathError) -> Failure {
    Message::new(format!("there is no such path: {error}")).into()
}

fn of_law(error: LawError) -> Failure {
    Message::new(format!("there is no such law: {error}")).into()
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub fn told(error: ExperimentError) -> Failure {
    Message::new(error.to_string()).into()
}

/// Along z, or along the last axis that the platform is free in.
fn upwards(robot: &AnyRobot) -> V3<f64> {
    let last =
        robot.freedoms().iter().filter(|freedom| !freedom.turns()).map(|freedom| freedom.component).max();
    V3::from(std::array::from_fn(|k| f64::from(u8::from(Some(k) == last))))
}

/// Where a path begins, as the options of a verb say.
#[derive(Clone, Copy)]
pub struct From<'a> {
    pub coordinates: &'a [String],
    pub quaternion: &'a [String],
}

/// The path that the options describe; without ends it has those of the usual one.
pub fn path(
    options: &RouteArgs,
    start: From<'_>,
    schema: &CoordinateSchema,
    robot: &AnyRobot,
    usual: &AnyPath,
    kind: PathKind,
) -> Result<AnyPath, Failure> {
    let end = |share: f64| {
        let pose = usual.at(usual.length() * share).pose;
        PlatformState::at(pose.position.to_array()).turned(pose.rotation.to_rows())
    };
    let mut from = pose(schema, "--from", start.coordinates)?;
    if let (Some(first), false) = (&mut from, start.quaternion.is_empty()) {
        let mut row = Values::default();
        schema.read(&mut row, "--from", POSE, start.coordinates)?;
        schema.read_pose(&mut row, &[""; 0], start.quaternion)?;
        *first = schema.platform(&row)?;
    }
    let to = pose(schema, "--to", &options.to)?;
    if from.is_some() != to.is_some() && kind != PathKind::WayPoints {
        let (has, lacks) = if from.is_some() { ("--from", "--to") } else { ("--to", "--from") };
        let message = Message::new(format!("a path with `{has}` needs `{lacks}`"));
        return Err(message.hint("or leave both out: the path is then about home").into());
    }
    let (from, to) = (from.unwrap_or_else(|| end(0.0)), to.unwrap_or_else(|| end(1.0)));
    let via = options.via.iter().map(|text| {
        let texts: Vec<String> = text.split(',').map(|part| part.trim().to_owned()).collect();
        Ok(pose(schema, "--via", &texts)?.unwrap_or(from))
    });
    let via: Vec<PlatformState> = via.collect::<Result<_, Failure>>()?;
    let (a, b) = (V3::from(from.position), V3::from(to.position));
    let way = (b - a).norm_sq().sqrt();
    let height = match &options.height {
        Some(text) => positive("height", number("height", Quantity::Length, text)?)?,
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
                Some(text) => positive("corner", number("corner", Quantity::Length, text)?)?,
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
pub fn law(options: &TimingArgs, length: f64, usual: f64) -> Result<Law<f64>, Failure> {
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
        let v = rate("limits", Quantity::Speed, v)?;
        let a = rate("limits", Quantity::Acceleration, a)?;
        return Law::s_curve_within(length, v, a, rate("limits", Quantity::Ratio, j)?).map_err(of_law);
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
        return Law::by_average_speed(shape, length, rate("average-speed", Quantity::Speed, text)?)
            .map_err(of_law);
    }
    match options.peak.as_slice() {
        [peak] => Law::by_peak_acceleration(shape, length, rate("peak", Quantity::Acceleration, peak)?)
            .map_err(of_law),
        [start, brake] => {
            let start = rate("peak", Quantity::Acceleration, start)?;
            let brake = rate("peak", Quantity::Acceleration, brake)?;
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
