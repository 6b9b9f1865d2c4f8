//! Cycles of several moves, with what is picked up and put down, in a request.

use super::error::{not_negative, positive};
use super::fastest::planned;
use super::motion::path_between;
use super::request::read_toml;
use super::{
    Choice, Handle, LawRequest, Length, Mass, PathKind, PathRequest, PoseRequest, TaskError, Time, WayResult,
};
use crate::coordinates::CoordinateSchema;
use crate::experiment::{AnyPath, MoveSequence, TimedMove, blended_lines, gentle_law};
use crate::files;
use crate::plan::{PlanError, PlanLimits, PlanTask, check};
use crate::text::short;
use crate::{AnyRobot, PlatformState};
use legwork_core::trajectory::{Path as _, TimeLaw};
use legwork_core::{M3, V3};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// Moves one after the other, with rests between them and with what is picked up and put down.
///
/// ```toml
/// from = [0.0, 0.0, "-750 mm"]
///
/// [[moves]]                       # down to the belt
/// to = ["-150 mm", 0, "-800 mm"]
/// dwell = "30 ms"
/// pick = "0.5 kg"
///
/// [[moves]]                       # over to the box, 60 mm higher
/// to = ["150 mm", 0, "-740 mm"]
/// path = "pick-and-place"
/// put = true
///
/// [[moves]]                       # and back
/// to = [0, 0, "-750 mm"]
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CycleRequest {
    /// Where it begins. Default: home.
    pub from: Option<PoseRequest>,
    /// What is picked up there. Default: nothing.
    pub pick: Option<Mass>,
    /// The moves, in order.
    pub moves: Vec<MoveRequest>,
    /// The timing of moves that have none of their own. Default: of `plan` the fastest; of the others the sine law as fast
    /// as 10 m/s² and the robot's file allow.
    pub law: LawRequest,
    /// Whether moves without a timing of their own are as fast as the limits allow. Default: no; of `plan` yes.
    pub fastest: bool,
}

/// A move of a cycle, from where the one before it ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveRequest {
    /// Where it ends.
    pub to: PoseRequest,
    /// What kind of path. Default: a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathKind>,
    /// Points on the way: one for an arc, any number for way-points. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<PoseRequest>,
    /// As in a path of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<Length>,
    /// As in a path of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lift: Option<Length>,
    /// As in a path of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<Length>,
    /// As in a path of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corner: Option<Length>,
    /// Where the corner to the next move begins to be rounded, from where both would meet: the platform does not stop
    /// there. Both are lines. Default: it stops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blend: Option<Length>,
    /// When to be where. Default: the timing of the cycle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<LawRequest>,
    /// Whether it is as fast as the limits allow. Default: as the cycle says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fastest: Option<bool>,
    /// Rest at its end. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dwell: Option<Time>,
    /// What is picked up when it has arrived. Default: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pick: Option<Mass>,
    /// Whether what is carried is put down when it has arrived. Default: no.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub put: bool,
}

/// A move from rest to rest, or several that are joined by blends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveResult {
    /// The first and the last move of the cycle in it, from 1.
    pub moves: [usize; 2],
    /// The kind of path, or `blended lines`.
    pub path: String,
    /// Its length \[m\].
    pub length: f64,
    /// The kind of law, or `fastest`.
    pub law: String,
    /// When it begins \[s\].
    pub begin: f64,
    /// How long it takes \[s\].
    pub duration: f64,
    /// Rest at its end \[s\].
    pub dwell: f64,
    /// What is carried on the way, besides what the robot carries all the time \[kg\].
    pub carried: f64,
    /// What holds it back, if it is as fast as the limits allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fastest: Option<WayResult>,
}

/// How moves are timed that do not say it.
pub(super) struct CycleTiming<'a> {
    /// What the fastest moves must keep to.
    pub limits: &'a PlanLimits,
    /// Whether moves without any timing are the fastest ones.
    pub fastest: bool,
    pub intervals: Option<usize>,
}

/// A law, its name, and what holds it back if it is the fastest.
type ChainTiming = (Arc<dyn TimeLaw + Send + Sync>, &'static str, Option<WayResult>);

/// Moves that are run through without a stop, by their places in the list.
struct Chain<'a> {
    first: usize,
    moves: &'a [MoveRequest],
}

impl CycleRequest {
    /// Reads a cycle from a file in TOML.
    pub fn load(path: &Path) -> Result<Self, TaskError> {
        let unread =
            |cause: String| TaskError::File { path: path.display().to_string(), action: "read", cause };
        let text = files::read_text(path, files::MOST_TEXT).map_err(|error| unread(error.to_string()))?;
        read_toml(&text).map_err(|error| TaskError::Unusable {
            what: format!("the cycle in `{}` cannot be used", path.display()),
            cause: match error {
                TaskError::Unreadable { message, line, column, .. } => {
                    format!("line {line}, column {column}: {message}")
                }
                other => other.to_string(),
            },
            hint: Some("a cycle has from = [...] and a list of [[moves]], each with to = [...]".into()),
        })
    }

    /// Whether a move of it says that it is as fast as the limits allow.
    pub(super) fn has_fastest(&self) -> bool {
        self.fastest || self.moves.iter().any(|one| one.fastest == Some(true))
    }

    /// The motion of a robot, and what each part of it is. Every path is checked.
    pub(super) fn resolve(
        &self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        timing: &CycleTiming<'_>,
        handle: &Handle<'_>,
    ) -> Result<(MoveSequence, Vec<MoveResult>), TaskError> {
        let mut place = match &self.from {
            Some(pose) => pose.platform(schema, "from")?,
            None => PlatformState { twist: [0.0; 6], acceleration: [0.0; 6], ..robot.home() },
        };
        let mut mass = self.pick.map_or(Ok(0.0), |Mass(mass)| positive("pick", mass))?;
        let chains = self.chains()?;
        let (mut moves, mut results) = (Vec::new(), Vec::new());
        for (k, chain) in chains.iter().enumerate() {
            handle.report(k as f64 / chains.len() as f64, "timing");
            handle.go_on()?;
            let in_move = |error: TaskError| of_move(chain.first, error);
            let loaded = if mass > 0.0 { robot.with_payload(robot.payload() + mass)? } else { robot.clone() };
            let (path, kind) = chain.path(robot, schema, &place).map_err(in_move)?;
            place = at_end(&path);
            let (law, name, way) = self.law(chain, &loaded, &path, timing, handle).map_err(in_move)?;
            let last = chain.moves.last();
            let dwell = last.and_then(|last| last.dwell).map_or(0.0, |dwell| dwell.0);
            let dwell = not_negative("dwell", dwell).map_err(in_move)?;
            results.push(MoveResult {
                moves: [chain.first + 1, chain.first + chain.moves.len()],
                path: kind.into(),
                length: path.length(),
                law: name.into(),
                begin: 0.0,
                duration: law.duration(),
                dwell,
                carried: mass,
                fastest: way,
            });
            moves.push(TimedMove { path, law, dwell, mass });
            mass = last.map_or(Ok(mass), |last| last.carried_after(mass)).map_err(in_move)?;
        }
        let motion = MoveSequence::new(moves, mass)?;
        for (k, result) in results.iter_mut().enumerate() {
            result.begin = motion.begin_of(k);
        }
        Ok((motion, results))
    }

    /// The moves, those that are joined by blends together.
    fn chains(&self) -> Result<Vec<Chain<'_>>, TaskError> {
        if self.moves.is_empty() {
            let error = TaskError::request("the cycle has no moves");
            return Err(error.or("give it a list of [[moves]], each with to = [...]"));
        }
        let (mut chains, mut first) = (Vec::new(), 0);
        for (k, one) in self.moves.iter().enumerate() {
            let Some(blend) = one.blend else {
                chains.push(Chain { first, moves: self.moves.get(first..=k).unwrap_or_default() });
                first = k + 1;
                continue;
            };
            let refused = |what: &str, hint: &str| {
                let blend = short(blend.0 * 1e3);
                let error = TaskError::request(format!("move {}: a `blend` of {blend} mm {what}", k + 1));
                Err(error.or(hint))
            };
            positive("blend", blend.0).map_err(|error| of_move(k, error))?;
            if one.dwell.is_some() || one.pick.is_some() || one.put {
                let hint = "leave the blend out where the platform dwells, picks up or puts down";
                return refused("goes past a place where the platform stops", hint);
            }
            let Some(next) = self.moves.get(k + 1) else {
                return refused("has no move after it", "leave it out of the last move");
            };
            if [one, next].iter().any(|one| one.path.is_some_and(|path| path != PathKind::Line)) {
                return refused("joins lines only", "let this move and the next one be lines");
            }
        }
        Ok(chains)
    }

    /// The timing of a chain on a robot with its load, in words, and what holds it back if it is the fastest.
    fn law(
        &self,
        chain: &Chain<'_>,
        robot: &AnyRobot,
        path: &AnyPath,
        timing: &CycleTiming<'_>,
        handle: &Handle<'_>,
    ) -> Result<ChainTiming, TaskError> {
        let mut own: Vec<(&LawRequest, bool)> = Vec::new();
        let none = LawRequest::default();
        for one in chain.moves.iter().filter(|one| one.law.is_some() || one.fastest.is_some()) {
            own.push((one.law.as_ref().unwrap_or(&none), one.fastest.unwrap_or(false)));
        }
        if own.windows(2).any(|pair| matches!(pair, [a, b] if a != b)) {
            let error = TaskError::request("moves that are joined by a `blend` have one timing");
            return Err(error.or("give it at the first of them"));
        }
        let of_cycle = (&self.law, self.fastest || (timing.fastest && !self.law.is_given()));
        let (law, fastest) = own.first().copied().unwrap_or(of_cycle);
        if law.is_given() && fastest {
            return Err(TaskError::request("`fastest` and a `law` are two timings"));
        }
        if fastest {
            let plan = planned(PlanTask::new(robot, path, timing.limits.clone()), timing.intervals, handle)?;
            let way = WayResult::of(&plan, robot);
            return Ok((Arc::new(plan.law), "fastest", Some(way)));
        }
        check(robot, path)?;
        let (law, kind) = law.timing(path.length(), || Ok(gentle_law(robot, path)?.duration()))?;
        Ok((Arc::new(law), kind.word(), None))
    }
}

/// The same error, with the move it belongs to, from 0.
fn of_move(number: usize, error: TaskError) -> TaskError {
    match error {
        TaskError::Plan(cause) => TaskError::Plan(Box::new(PlanError::Move { number, cause })),
        TaskError::Request { what, hint } => {
            TaskError::Request { what: format!("move {}: {what}", number + 1), hint }
        }
        TaskError::Value { field, value, must } => {
            TaskError::Value { field: format!("{field} of move {}", number + 1), value, must }
        }
        TaskError::Experiment(error) => TaskError::request(format!("move {}: {error}", number + 1)),
        other => other,
    }
}

fn at_end(path: &AnyPath) -> PlatformState {
    let pose = path.at(path.length()).pose;
    PlatformState::at(pose.position.to_array()).turned(pose.rotation.to_rows())
}

impl Chain<'_> {
    /// Its path from a place, and the word for it.
    fn path(
        &self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        from: &PlatformState,
    ) -> Result<(AnyPath, &'static str), TaskError> {
        if let [one] = self.moves {
            let (path, kind) = path_between(robot, schema, from, &one.path_request())?;
            return Ok((path, kind.word()));
        }
        let mut poses = vec![*from];
        for one in self.moves {
            poses.push(one.to.platform(schema, "to")?);
        }
        let points: Vec<V3<f64>> = poses.iter().map(|pose| pose.position.into()).collect();
        let rotations = poses.iter().map(|pose| {
            let [x, y, z] = pose.rotation.map(V3::from);
            M3::from_rows(x, y, z)
        });
        let blends: Vec<f64> = self.moves.iter().filter_map(|one| one.blend.map(|blend| blend.0)).collect();
        Ok((blended_lines(&points, &rotations.collect::<Vec<_>>(), &blends)?, "blended lines"))
    }
}

impl MoveRequest {
    /// To a place, along a line.
    pub fn to(pose: PoseRequest) -> Self {
        Self {
            to: pose,
            path: None,
            via: Vec::new(),
            height: None,
            lift: None,
            lower: None,
            corner: None,
            blend: None,
            law: None,
            fastest: None,
            dwell: None,
            pick: None,
            put: false,
        }
    }

    fn path_request(&self) -> PathRequest {
        PathRequest {
            kind: Some(self.path.unwrap_or(PathKind::Line)),
            from: None,
            to: Some(self.to.clone()),
            via: self.via.clone(),
            height: self.height,
            lift: self.lift,
            lower: self.lower,
            corner: self.corner,
        }
    }

    /// What is carried after it \[kg\], if it carries this.
    fn carried_after(&self, mass: f64) -> Result<f64, TaskError> {
        if self.put && mass == 0.0 {
            let error = TaskError::request("`put`, and nothing is picked up before");
            return Err(error.or(
                "`pick` something up before; above [[moves]], `pick` is what is carried from the start",
            ));
        }
        let left = if self.put { 0.0 } else { mass };
        let Some(Mass(picked)) = self.pick else { return Ok(left) };
        if left > 0.0 {
            let error = TaskError::request("`pick`, and what was picked up before is still carried");
            return Err(error.or("`put` it down before, or pick up both masses at once"));
        }
        positive("pick", picked)
    }
}
