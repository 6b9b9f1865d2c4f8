//! What a platform follows and when: paths and timing laws of requests.

use super::choice::choices;
use super::error::positive;
use super::kinematics::meant_in_millimetres;
use super::{Acceleration, Length, Measure, PoseRequest, Speed, TaskError, Time};
use crate::coordinates::CoordinateSchema;
use crate::description::{DefaultPath, LawShape, MotionDefaults, Pace, PathShape};
use crate::experiment::{
    AnyPath, ExperimentError, TimedPath, around_home, gentle_law, turn_about_home, way_points,
};
use crate::plan::{adept_cycle, check};
use crate::task::Choice;
use crate::text::short;
use crate::units::Quantity;
use crate::{AnyRobot, PlatformState};
use legwork_core::trajectory::{
    Arc, Geodesic, InPlace, Law, Line, Path, PickAndPlace, SemiEllipse, Shape, Turned, Turning,
};
use legwork_core::{M3, V3};
use serde::{Deserialize, Serialize};

choices! {
    /// A kind of path.
    PathKind {
        SemiEllipse = "semi-ellipse": "Half an ellipse, up and down again (Codourey 1998)",
        Line = "line": "Straight",
        Arc = "arc": "Part of a circle, through one point on the way or as high as its height",
        PickAndPlace = "pick-and-place": "Up, across and down with rounded corners (Adept cycle)",
        WayPoints = "way-points": "A cubic spline through every point on the way",
        Turn = "turn": "The shortest turn from one orientation to another, at one place",
    }
    /// A kind of timing law.
    LawKind {
        Parabolic = "parabolic": "Constant acceleration, then constant braking",
        Cubic = "cubic": "3 t^2 - 2 t^3",
        Quintic = "quintic": "Acceleration continuous",
        Sine = "sine": "A ramp with a sine laid on it: acceleration is a period of a sine",
        SCurve = "s-curve": "Limited speed, acceleration and jerk",
    }
}

/// Height of a semi-ellipse and lift of a cycle, as part of the way: 60 mm for 250 mm.
const HEIGHT: f64 = 0.24;
/// Reach of rounded corners, as part of the lift.
const CORNER: f64 = 0.8;

/// What the platform follows. With nothing given it is the usual path of the task: of `follow` the `[motion]` of the
/// robot's file, or a path about home that fits the robot; of `plan` and `size` the Adept cycle about home.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PathRequest {
    /// What kind of path. Default: that of the usual path.
    pub kind: Option<PathKind>,
    /// Where it begins. Default: where the usual path does.
    pub from: Option<PoseRequest>,
    /// Where it ends; the platform turns on the way if its orientation differs. Default: where the usual path does.
    pub to: Option<PoseRequest>,
    /// Points on the way: one for an arc, any number for way-points. Default: none; an arc then goes through the point
    /// that lies the height above the middle of the way.
    pub via: Vec<PoseRequest>,
    /// Height of a semi-ellipse above the middle of its ends, and of an arc without a point on the way; how far a
    /// pick-and-place cycle crosses above the higher one of its ends. Default: 0.24 of the way.
    pub height: Option<Length>,
    /// How far a pick-and-place cycle goes up from where it begins, instead of `height`. Default: as far as makes the way
    /// across level.
    pub lift: Option<Length>,
    /// How far a pick-and-place cycle goes down to where it ends, instead of `height`. Default: as far as makes the way
    /// across level.
    pub lower: Option<Length>,
    /// Where the corners of a pick-and-place cycle begin, from where straight lines would meet. Default: 0.8 of the
    /// shorter one of lift and lowering, or of half the way across if that is less.
    pub corner: Option<Length>,
}

/// When to be where on a path. With no size given a move is as fast as usual: that of the robot's `[motion]`, or at
/// most 10 m/s² within the limits of the motors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LawRequest {
    /// The shape of the law. Default: that of the usual motion, mostly `sine`.
    pub shape: Option<LawKind>,
    /// How long a move takes.
    pub move_time: Option<Time>,
    /// Peak acceleration along the path; two numbers are those of speeding up and of braking, for `parabolic` and `sine`.
    pub peak: Vec<Acceleration>,
    /// Average speed along the path.
    pub average_speed: Option<Speed>,
    /// Limits of an s-curve: speed \[m/s\], acceleration \[m/s²\], jerk \[m/s³\].
    pub limits: Option<[Measure; 3]>,
}

/// The size of a path between its ends \[m\].
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    height: Option<f64>,
    lift: Option<f64>,
    lower: Option<f64>,
    corner: Option<f64>,
}

/// The usual path of a task, where a request is silent.
pub(super) struct UsualPath {
    pub path: AnyPath,
    pub kind: PathKind,
    /// What goes with its ends.
    sizes: Sizes,
    /// The law that goes with it, and its duration for a length \[s\].
    law: LawKind,
    pace: Option<Pace>,
}

impl UsualPath {
    /// The `[motion]` of the robot's file, or a path about its home.
    pub fn to_follow(robot: &AnyRobot) -> Result<Self, TaskError> {
        let MotionDefaults { path, law, pace } = robot
            .description()
            .motion_defaults
            .unwrap_or(MotionDefaults { path: None, law: LawShape::Sine, pace: None });
        let law = match law {
            LawShape::Sine => LawKind::Sine,
            LawShape::Parabolic => LawKind::Parabolic,
            LawShape::Cubic => LawKind::Cubic,
            LawShape::Quintic => LawKind::Quintic,
        };
        let Some(DefaultPath { shape, from, to, height, corner }) = path else {
            let path = around_home(robot)?;
            let kind = if path.turns_in_place() { PathKind::Turn } else { PathKind::SemiEllipse };
            return Ok(Self { path, kind, sizes: Sizes::default(), law, pace });
        };
        let kind = match shape {
            PathShape::SemiEllipse => PathKind::SemiEllipse,
            PathShape::Line => PathKind::Line,
            PathShape::PickAndPlace => PathKind::PickAndPlace,
        };
        let rotation = robot.home().rotation;
        let ends = [from, to].map(|position| PlatformState::at(position).turned(rotation));
        let sizes = Sizes { height, corner, ..Sizes::default() };
        let path = between(robot, kind, ends, &[], sizes)?;
        Ok(Self { path, kind, sizes, law, pace })
    }

    /// The Adept cycle about home, or what a robot without room for it can do there.
    pub fn to_plan(robot: &AnyRobot, request: &PathRequest) -> Result<Self, TaskError> {
        let has_ends = request.from.is_some() && request.to.is_some();
        let (path, kind) = match adept_cycle(robot) {
            Ok(cycle) if has_ends || check(robot, &cycle).is_ok() => (cycle, PathKind::PickAndPlace),
            // It leaves the robot's reach or limits: what fits there, or else what does not, to say where and why.
            Ok(cycle) => match around_home(robot) {
                Ok(fitting) => (fitting, PathKind::SemiEllipse),
                Err(_) => (cycle, PathKind::PickAndPlace),
            },
            // A platform that only turns, or slides along one axis, has no such cycle.
            Err(ExperimentError::NoWay { .. }) => {
                let path = around_home(robot)?;
                let kind = if path.turns_in_place() { PathKind::Turn } else { PathKind::Line };
                (path, kind)
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Self { path, kind, sizes: Sizes::default(), law: LawKind::Sine, pace: None })
    }

    /// How long a move along it takes \[s\].
    fn duration(&self, robot: &AnyRobot) -> Result<f64, TaskError> {
        let (length, shape) = (self.path.length(), shape_of(self.law));
        Ok(match self.pace {
            None => gentle_law(robot, &self.path)?.duration(),
            Some(Pace::Duration(time)) => time,
            Some(Pace::AverageSpeed(speed)) => Law::by_average_speed(shape, length, speed)?.duration(),
            Some(Pace::PeakAcceleration(peak)) => Law::by_peak_acceleration(shape, length, peak)?.duration(),
        })
    }

    /// What a request makes of it: a path and a law, with their kinds.
    pub fn timed(
        self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        path: &PathRequest,
        law: &LawRequest,
    ) -> Result<(TimedPath, PathKind, LawKind), TaskError> {
        let (path, kind, usual, shape) = if path.is_given() {
            let (path, kind) = self.changed(robot, schema, path)?;
            let usual = gentle_law(robot, &path)?.duration();
            (path, kind, usual, LawKind::Sine)
        } else {
            let usual = self.duration(robot)?;
            (self.path, self.kind, usual, self.law)
        };
        let shape = law.shape.unwrap_or(shape);
        let law = law.resolve(shape, path.length(), usual)?;
        Ok((TimedPath::new(path, law), kind, shape))
    }

    /// The path of a request, with the ends of this one where it has none.
    pub fn changed(
        self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        request: &PathRequest,
    ) -> Result<(AnyPath, PathKind), TaskError> {
        if !request.is_given() {
            return Ok((self.path, self.kind));
        }
        let kind = request.kind.unwrap_or(self.kind);
        let pose = |name, pose: &Option<PoseRequest>| {
            pose.as_ref().map(|pose| pose.platform(schema, name)).transpose()
        };
        let (from, to) = (pose("from", &request.from)?, pose("to", &request.to)?);
        for (name, end) in [("`from`", from), ("`to`", to)] {
            in_metres(robot, name, end)?;
        }
        if from.is_some() != to.is_some() && kind != PathKind::WayPoints {
            let (has, lacks) = if from.is_some() { ("from", "to") } else { ("to", "from") };
            let error = TaskError::request(format!("a path with `{has}` needs `{lacks}`"));
            return Err(error.or("or leave both out: the path is then about home"));
        }
        let has_ends = from.is_some() || to.is_some();
        if kind == PathKind::Turn && !has_ends {
            return Ok((turn_about_home(robot)?, kind));
        }
        let end = |share: f64| {
            let pose = self.path.at(self.path.length() * share).pose;
            PlatformState::at(pose.position.to_array()).turned(pose.rotation.to_rows())
        };
        let ends = [from.unwrap_or_else(|| end(0.0)), to.unwrap_or_else(|| end(1.0))];
        let via: Vec<PlatformState> =
            request.via.iter().map(|pose| pose.platform(schema, "via")).collect::<Result<_, _>>()?;
        let mut sizes = request.sizes(kind)?;
        if !has_ends {
            let is_lifted = sizes.lift.is_some() || sizes.lower.is_some();
            sizes.height = sizes.height.or(self.sizes.height.filter(|_| !is_lifted));
            sizes.corner = sizes.corner.or(self.sizes.corner);
        }
        let path = between(robot, kind, ends, &via, sizes)?;
        let kind = if path.turns_in_place() { PathKind::Turn } else { kind };
        Ok((path, kind))
    }
}

/// Refuses the end of a path that is out of reach and was, it seems, meant in millimetres.
fn in_metres(robot: &AnyRobot, name: &str, end: Option<PlatformState>) -> Result<(), TaskError> {
    let Some(end) = end else { return Ok(()) };
    let Err(error) = robot.inverse_kinematics(&end) else { return Ok(()) };
    match meant_in_millimetres(robot, &end) {
        Some(hint) => Err(TaskError::request(format!("{name} is {error}")).or(hint)),
        None => Ok(()),
    }
}

/// The path of a request from a place; the request says the other end.
pub(super) fn path_between(
    robot: &AnyRobot,
    schema: &CoordinateSchema,
    from: &PlatformState,
    request: &PathRequest,
) -> Result<(AnyPath, PathKind), TaskError> {
    let kind = request.kind.unwrap_or(PathKind::Line);
    let to = request.to.as_ref().ok_or_else(|| TaskError::request("a move needs `to`"))?;
    let ends = [*from, to.platform(schema, "to")?];
    in_metres(robot, "its end", Some(ends[1]))?;
    let via: Vec<PlatformState> =
        request.via.iter().map(|pose| pose.platform(schema, "via")).collect::<Result<_, _>>()?;
    Ok((between(robot, kind, ends, &via, request.sizes(kind)?)?, kind))
}

impl PathRequest {
    /// Whether anything is said of the path.
    pub fn is_given(&self) -> bool {
        *self != Self::default()
    }

    /// Its sizes, for a path of this kind.
    fn sizes(&self, kind: PathKind) -> Result<Sizes, TaskError> {
        let length = |name, length: Option<Length>| length.map(|Length(x)| positive(name, x)).transpose();
        let sizes = Sizes {
            height: length("height", self.height)?,
            lift: length("lift", self.lift)?,
            lower: length("lower", self.lower)?,
            corner: length("corner", self.corner)?,
        };
        let is_lifted = kind == PathKind::PickAndPlace;
        let has_height = is_lifted || matches!(kind, PathKind::SemiEllipse | PathKind::Arc);
        let has_via = matches!(kind, PathKind::Arc | PathKind::WayPoints);
        for (name, is_given, fits, kinds) in [
            ("height", sizes.height.is_some(), has_height, "a semi-ellipse, an arc or pick-and-place"),
            ("corner", sizes.corner.is_some(), is_lifted, "pick-and-place"),
            ("via", !self.via.is_empty(), has_via, "an arc or way-points"),
        ] {
            if is_given && !fits {
                let error = TaskError::request(format!(
                    "`{name}` is for {kinds}, not for a path of the kind {}",
                    kind.word()
                ));
                return Err(error.or(format!("let the path be {kinds}, or leave `{name}` out")));
            }
        }
        for (name, is_given) in [("lift", sizes.lift.is_some()), ("lower", sizes.lower.is_some())] {
            if is_given && kind != PathKind::PickAndPlace {
                let error =
                    TaskError::request(format!("`{name}` is for pick-and-place, not for {}", kind.word()));
                return Err(error.or("let the path be pick-and-place, or give a `height`"));
            }
            if is_given && sizes.height.is_some() {
                let error = TaskError::request(format!("`height` and `{name}` are two sizes of one lift"));
                return Err(error.or("give `height` for a level way across, or `lift` and `lower`"));
            }
        }
        Ok(sizes)
    }
}

impl LawRequest {
    /// Whether anything is said of the timing.
    pub fn is_given(&self) -> bool {
        *self != Self::default()
    }

    /// The law for a length \[m\] and its kind; as long as `usual` says \[s\] if its size is not given.
    pub(super) fn timing(
        &self,
        length: f64,
        usual: impl FnOnce() -> Result<f64, TaskError>,
    ) -> Result<(Law<f64>, LawKind), TaskError> {
        let kind = self.shape.unwrap_or(LawKind::Sine);
        Ok((self.resolve(kind, length, usual()?)?, kind))
    }

    /// The law of this kind for a length \[m\]; as long as the usual one \[s\] if its size is not given.
    fn resolve(&self, kind: LawKind, length: f64, usual: f64) -> Result<Law<f64>, TaskError> {
        let sizes = [
            ("move_time", self.move_time.is_some()),
            ("peak", !self.peak.is_empty()),
            ("average_speed", self.average_speed.is_some()),
            ("limits", self.limits.is_some()),
        ];
        let given: Vec<&str> =
            sizes.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect();
        if let [first, second, ..] = given[..] {
            return Err(TaskError::request(format!("`{first}` and `{second}` are two sizes of one law")));
        }
        if kind == LawKind::SCurve || self.limits.is_some() {
            let Some([v, a, j]) = self.limits else {
                let error = TaskError::request("an s-curve needs its limits of speed, acceleration and jerk");
                return Err(error.or("for example `limits` of 2 m/s, 50 m/s^2 and 5000 m/s^3"));
            };
            if kind != LawKind::SCurve {
                return Err(TaskError::request("`limits` are for an s-curve").or("let `law` be s-curve"));
            }
            let rate = |limit: Measure, quantity| positive("limits", limit.expect("limits", quantity)?);
            let (v, a) = (rate(v, Quantity::Speed)?, rate(a, Quantity::Acceleration)?);
            return Ok(Law::s_curve_within(length, v, a, rate(j, Quantity::Ratio)?)?);
        }
        let shape = shape_of(kind);
        if let Some(Time(time)) = self.move_time {
            return Ok(Law::by_duration(shape, length, positive("move_time", time)?)?);
        }
        if let Some(Speed(speed)) = self.average_speed {
            return Ok(Law::by_average_speed(shape, length, positive("average_speed", speed)?)?);
        }
        let peaks: Vec<f64> =
            self.peak.iter().map(|peak| positive("peak", peak.0)).collect::<Result<_, _>>()?;
        Ok(match (peaks[..].as_ref(), kind) {
            ([], _) => Law::by_duration(shape, length, usual)?,
            ([peak], _) => Law::by_peak_acceleration(shape, length, *peak)?,
            ([start, brake], LawKind::Parabolic) => Law::parabolic_by_peaks(length, *start, *brake)?,
            ([start, brake], LawKind::Sine) => Law::sine_by_peaks(length, *start, *brake)?,
            ([_, _], _) => {
                let error = TaskError::request(format!("the {} law has one peak, not two", kind.word()));
                return Err(error.or("two are for parabolic and sine"));
            }
            _ => return Err(TaskError::request("a law has one peak or two")),
        })
    }
}

fn shape_of(kind: LawKind) -> Shape<f64> {
    match kind {
        LawKind::Parabolic => Shape::parabolic(),
        LawKind::Cubic => Shape::Cubic,
        LawKind::Quintic => Shape::Quintic,
        LawKind::Sine | LawKind::SCurve => Shape::sine(),
    }
}

/// Along z, or along the last axis that the platform is free in.
fn upwards(robot: &AnyRobot) -> V3<f64> {
    let last =
        robot.freedoms().iter().filter(|freedom| !freedom.turns()).map(|freedom| freedom.component).max();
    V3::from(std::array::from_fn(|k| f64::from(u8::from(Some(k) == last))))
}

fn matrix(state: &PlatformState) -> M3<f64> {
    let [x, y, z] = state.rotation.map(V3::from);
    M3::from_rows(x, y, z)
}

/// How far a pick-and-place cycle goes up and down \[m\]: what is given, the rest so that the way across is level.
fn lifts(sizes: Sizes, height: f64, rise: f64) -> Result<[f64; 2], TaskError> {
    let level = |name: &str, other: &str, given: f64, rise: f64| {
        if given > rise {
            return Ok(given - rise);
        }
        let (given, rise) = (short(given * 1e3), short(rise * 1e3));
        let error = TaskError::request(format!(
            "a `{name}` of {given} mm leaves no level way across: the other end is {rise} mm higher"
        ));
        Err(error.or(format!("let `{name}` be more than {rise} mm, or give `{other}` too")))
    };
    Ok(match (sizes.lift, sizes.lower) {
        (None, None) => [height + rise.max(0.0), height + (-rise).max(0.0)],
        (Some(lift), None) => [lift, level("lift", "lower", lift, rise)?],
        (None, Some(lower)) => [level("lower", "lift", lower, -rise)?, lower],
        (Some(lift), Some(lower)) => [lift, lower],
    })
}

/// The path of a kind between two ends.
fn between(
    robot: &AnyRobot,
    kind: PathKind,
    [from, to]: [PlatformState; 2],
    via: &[PlatformState],
    sizes: Sizes,
) -> Result<AnyPath, TaskError> {
    let (a, b) = (V3::from(from.position), V3::from(to.position));
    let way = (b - a).norm_sq().sqrt();
    if kind == PathKind::Turn && way > 0.0 {
        let error = TaskError::request(format!(
            "a turn stays at one place; its ends are {} mm apart",
            short(way * 1e3)
        ));
        return Err(
            error.or("give both ends the same position, or take another kind of path: it turns on the way")
        );
    }
    if kind == PathKind::Turn || (way == 0.0 && via.is_empty() && from.rotation != to.rotation) {
        return Ok(AnyPath::new(InPlace::shortest(a, matrix(&from), matrix(&to))?));
    }
    let (height, up) = (sizes.height.unwrap_or(HEIGHT * way), upwards(robot));
    let positions = match kind {
        PathKind::SemiEllipse => AnyPath::new(SemiEllipse::new(a, b, up * height)?),
        PathKind::Line | PathKind::Turn => AnyPath::new(Line::new(a, b)?),
        PathKind::Arc => {
            let middle = match via {
                [] => (a + b) * 0.5 + up * height,
                [middle] => middle.position.into(),
                _ => {
                    let error =
                        TaskError::request(format!("an arc goes through one `via`; {} are given", via.len()));
                    return Err(error.or("give one point of the circle between both ends, or a `height`"));
                }
            };
            AnyPath::new(Arc::through(a, middle, b)?)
        }
        PathKind::PickAndPlace => {
            let [lift, lower] = lifts(sizes, height, (b - a).dot(up))?;
            let way = (b + up * lower) - (a + up * lift);
            let across = way.norm_sq().sqrt();
            let beside = (way - up * way.dot(up)).norm_sq().sqrt();
            if beside.is_nan() || beside <= 1e-9 * across {
                let error =
                    TaskError::request("pick-and-place has no way across: its ends are above each other");
                return Err(error.or("let the path be a line, or move one of its ends sideways"));
            }
            let reach = sizes.corner.unwrap_or(CORNER * lift.min(lower).min(0.5 * across));
            AnyPath::new(PickAndPlace::between(a, b, up, [lift, lower], reach)?)
        }
        PathKind::WayPoints => {
            let all: Vec<PlatformState> = [&[from], via, &[to]].concat();
            let points: Vec<V3<f64>> = all.iter().map(|state| state.position.into()).collect();
            let orientations: Vec<M3<f64>> = all.iter().map(matrix).collect();
            let turns = all.iter().any(|state| state.rotation != from.rotation);
            let path = way_points(&points, turns.then_some(orientations.as_slice()))?;
            if turns {
                return Ok(path);
            }
            path
        }
    };
    if from.rotation == to.rotation {
        return Ok(AnyPath::new(Turned { path: positions, rotation: matrix(&from) }));
    }
    let orientation = Geodesic::new(matrix(&from), matrix(&to))?;
    Ok(AnyPath::new(Turning { path: positions, orientation }))
}
