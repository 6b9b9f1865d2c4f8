//! Everything about a state: where the platform is, how it moves, what the motors do.

use crate::command::state_command;
use crate::opened::Opened;
use crate::{Failure, Printed};
use legwork::analysis::ellipsoid::Ellipsoid;
use legwork::analysis::linear::{Pole, Reduced};
use legwork::coordinates::{ACCELERATION, Group, VELOCITY, Values, WRENCH};
use legwork::task::{StateAnswer, TaskError};
use legwork::{Dynamics, PlatformState, Skeleton, rotation};
use serde::{Deserialize, Serialize};

/// Where the platform is, in base axes or in those of the cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pose {
    /// Platform point \[m\].
    pub position: [f64; 3],
    /// Orientation as a quaternion w, x, y, z.
    pub quaternion: [f64; 4],
}

impl Pose {
    pub(crate) fn of(platform: &PlatformState) -> Self {
        Self { position: platform.position, quaternion: rotation::to_quaternion(&platform.rotation) }
    }
}

/// Which state. Lists have a number for each of `RobotSheet.coordinates` or `RobotSheet.velocities`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StateAsk {
    /// Where the platform is; what its robot cannot move is ignored. Default: home.
    pub pose: Option<Pose>,
    /// The same as coordinates; they count before `pose`.
    pub values: Option<Vec<f64>>,
    /// A rotation vector in base axes \[rad\], by which `pose` is turned.
    pub turn: Option<[f64; 3]>,
    /// How the platform moves. Default: it rests.
    pub twist: Option<Vec<f64>>,
    /// How it speeds up. Default: not at all.
    pub acceleration: Option<Vec<f64>>,
    /// What pulls at it. Default: nothing.
    pub wrench: Option<Vec<f64>>,
    /// The last place that was reached: if the one that is asked for is out of reach, the answer is about the last one on
    /// the straight way from here. Default: home.
    pub from: Option<Vec<f64>>,
    /// What is wanted beside the motion and the skeleton. Default: all.
    pub parts: Option<Vec<StatePart>>,
}

/// What of a state may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum StatePart {
    /// `torque`: what the program prints.
    Text,
    /// `report`: the longer text of `legwork state`.
    Report,
    /// `hold`
    Hold,
    /// `ellipsoids`
    Ellipsoids,
    /// `poles`
    Poles,
}

/// Joint values instead of a place.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JointsAsk {
    /// A number for each motor \[rad, m\].
    pub q: Vec<f64>,
    /// Where the platform was: of several places with these joint values the one that motors lead to from there. Default:
    /// home.
    pub from: Option<Vec<f64>>,
    /// As of [`StateAsk`].
    pub parts: Option<Vec<StatePart>>,
}

/// Everything about a state.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StateSheet {
    /// Where the platform is.
    pub pose: Pose,
    /// The same as coordinates.
    pub values: Vec<f64>,
    /// The same in words.
    pub place: String,
    /// Why the answer is not about the place that was asked for.
    pub refused: Option<Failure>,
    /// The working mode of the legs.
    pub mode: String,
    /// Joint values \[rad, m\].
    pub q: Vec<f64>,
    /// Their speeds.
    pub qd: Vec<f64>,
    /// Their accelerations.
    pub qdd: Vec<f64>,
    /// Motors outside their limits, from 0.
    pub outside_limits: Vec<usize>,
    /// How far the rods lean \[rad\].
    pub leans: Vec<f64>,
    /// How far they may lean.
    pub largest_lean: Option<f64>,
    /// Efforts for this motion; nothing without masses.
    pub efforts: Option<EffortParts>,
    /// Efforts that hold the robot at rest here.
    pub hold: Option<EffortParts>,
    /// What `legwork torque` prints; nothing without masses.
    pub torque: Option<Printed>,
    /// What `legwork state` prints.
    pub report: Option<Printed>,
    /// Distance to the serial singularity of each leg, 0 is singular.
    pub serial: Vec<f64>,
    /// Distance to the parallel singularity, 0 is singular.
    pub parallel: f64,
    /// Condition number of the Jacobian; nothing where it is infinite.
    pub condition: Option<f64>,
    /// The same in words.
    pub singularity: Vec<SingularityLine>,
    /// What the motors can do here.
    pub ellipsoids: Vec<EllipsoidShape>,
    /// Poles of small motions while the motors keep their efforts \[1/s\]; nothing without masses.
    pub poles: Option<Vec<PolePlace>>,
    /// What they say together.
    pub stability: Option<Stability>,
    /// The robot to draw.
    pub skeleton: SkeletonShape,
    /// What is out of its limits, in words.
    pub notes: Vec<String>,
}

/// Efforts of the motors and their parts \[N m, N\].
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EffortParts {
    /// What the motors give.
    pub motor: Vec<f64>,
    /// For the acceleration.
    pub inertial: Vec<f64>,
    /// For the velocity.
    pub coriolis: Vec<f64>,
    /// Against the weight.
    pub gravity: Vec<f64>,
    /// Against what pulls at the platform.
    pub external: Vec<f64>,
    /// Against friction.
    pub friction: Vec<f64>,
    /// The share of the largest effort, 1 at the limit; nothing for a motor without one.
    pub share: Vec<Option<f64>>,
    /// Force of each leg on the platform along its last link \[N\], positive pushes.
    pub leg_force: Vec<f64>,
}

/// A measure of singularity in words.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SingularityLine {
    /// `serial`, `parallel`, `condition`
    pub name: String,
    /// The number with what it means.
    pub text: String,
    /// Whether it is close to a singularity.
    pub is_near: bool,
}

/// An ellipsoid about the platform point.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EllipsoidShape {
    /// `velocity`, `force`, `inertia`
    pub name: String,
    /// Unit of its lengths.
    pub unit: String,
    /// What it shows.
    pub meaning: String,
    /// Its half axes, longest first; two for a robot in a plane.
    pub axes: Vec<AxisOfEllipsoid>,
}

/// Half an axis.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AxisOfEllipsoid {
    /// Unit vector.
    pub direction: [f64; 3],
    /// In the unit of its ellipsoid.
    pub length: f64,
}

/// What becomes of a small motion while the motors keep their efforts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Stability {
    /// It grows: a pole is right of the imaginary axis.
    Grows,
    /// It neither grows nor dies out: none is right of the axis, and some are on it.
    Stays,
    /// It dies out: all are left of the axis.
    DiesOut,
}

/// A pole nearer to the imaginary axis than this share of the largest pole is on it: rounding moves it so far.
const ON_THE_AXIS: f64 = 1e-6;

/// The poles as they are shown, and what they say together.
fn shown_poles(poles: &[Pole]) -> (Vec<PolePlace>, Stability) {
    let largest = poles.iter().map(|pole| pole.re.hypot(pole.im)).fold(0.0, f64::max);
    let edge = ON_THE_AXIS * largest;
    let places: Vec<PolePlace> =
        poles.iter().map(|pole| PolePlace { re: pole.re, im: pole.im, grows: pole.re > edge }).collect();
    let stability = if places.iter().any(|pole| pole.grows) {
        Stability::Grows
    } else if poles.iter().all(|pole| pole.re < -edge) {
        Stability::DiesOut
    } else {
        Stability::Stays
    };
    (places, stability)
}

/// A pole.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PolePlace {
    /// Real part \[1/s\].
    pub re: f64,
    /// Imaginary part \[1/s\].
    pub im: f64,
    /// Whether it is right of the imaginary axis by more than rounding.
    pub grows: bool,
}

/// A robot as points and lines, as in the animation of a report.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SkeletonShape {
    /// \[m\]
    pub points: Vec<[f64; 3]>,
    /// What joins them.
    pub parts: Vec<SkeletonPart>,
    /// The joints of each leg from base to platform, as places in `points`.
    pub joints: Vec<Vec<usize>>,
    /// Where the motors are.
    pub motors: Vec<usize>,
    /// The platform point.
    pub platform: usize,
}

/// Points that belong together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SkeletonPart {
    /// `base`, `rail`, `link`, `slide`, `platform`
    pub kind: String,
    /// The leg it belongs to, from 0.
    pub leg: Option<usize>,
    /// Places in `points`.
    pub points: Vec<usize>,
}

impl SkeletonShape {
    pub(crate) fn of(skeleton: Skeleton) -> Self {
        let Skeleton { points, parts, legs, motors, platform } = skeleton;
        let parts = parts
            .into_iter()
            .map(|part| SkeletonPart { kind: part.kind.name().into(), leg: part.leg, points: part.points })
            .collect();
        Self { points, parts, joints: legs, motors, platform }
    }
}

/// How often the straight way to a place out of reach is halved: a millionth of the way is less than anybody sees.
const HALVINGS: u8 = 20;

impl StateAsk {
    /// The coordinates that are asked for.
    pub(crate) fn values(&self, opened: &Opened) -> Vec<f64> {
        match (&self.values, &self.pose) {
            (Some(values), _) => values.clone(),
            (None, Some(pose)) => opened.values(pose, self.turn),
            (None, None) => opened.values(&Pose::of(&opened.robot().home()), self.turn),
        }
    }

    /// The row of a place with the motion that is asked for.
    pub(crate) fn row(&self, opened: &Opened, values: &[f64]) -> Result<Values, TaskError> {
        let mut row = opened.row(values)?;
        for (option, groups, numbers) in [
            ("twist", VELOCITY, &self.twist),
            ("acceleration", ACCELERATION, &self.acceleration),
            ("wrench", WRENCH, &self.wrench),
        ] {
            if let Some(numbers) = numbers {
                opened.schema().fill(&mut row, option, groups, numbers)?;
            }
        }
        Ok(row)
    }

    fn wants(&self, part: StatePart) -> bool {
        self.parts.as_ref().is_none_or(|parts| parts.contains(&part))
    }
}

/// The state that is asked for, or the last one in reach on the way there.
pub(crate) fn state(opened: &Opened, ask: &StateAsk) -> Result<StateSheet, Failure> {
    let asked = ask.values(opened);
    let at = |values: &[f64]| ask.row(opened, values).and_then(|row| opened.answer(&row));
    let refused = match at(&asked) {
        Ok(answer) => return Ok(sheet(opened, ask, &asked, &answer, None)),
        Err(error) => error,
    };
    // What is wrong with the numbers themselves is wrong everywhere.
    let is_number = asked.iter().all(|x| x.is_finite()) && ask.row(opened, &asked).is_ok();
    let failure = Failure::of_state(refused, &opened.text);
    let home = opened.values_of(&opened.robot().home());
    let starts = ask.from.iter().chain(std::iter::once(&home)).filter(|from| from.len() == asked.len());
    let Some((from, start)) = starts.filter(|_| is_number).find_map(|from| Some((from, at(from).ok()?)))
    else {
        return Err(failure);
    };
    let (mut low, mut high, mut found) = (0.0, 1.0, (from.clone(), start));
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        let values: Vec<f64> =
            from.iter().zip(&asked).map(|(from, to)| from + middle * (to - from)).collect();
        match at(&values) {
            Ok(answer) => (low, found) = (middle, (values, answer)),
            Err(_) => high = middle,
        }
    }
    Ok(sheet(opened, ask, &found.0, &found.1, Some(failure)))
}

/// The state where joint values lead.
pub(crate) fn of_joints(opened: &Opened, ask: &JointsAsk) -> Result<StateSheet, Failure> {
    let (robot, schema) = (opened.robot(), opened.schema());
    let refused = |error: TaskError| Failure::of_state(error, &opened.text);
    let mut row = Values::default();
    schema.fill(&mut row, "q", &[Group::Joints], &ask.q).map_err(|error| refused(error.into()))?;
    let start = match &ask.from {
        Some(values) => opened.row(values).and_then(|row| Ok(schema.platform(&row)?)).map_err(refused)?,
        None => robot.home(),
    };
    let found = robot.forward_kinematics(&ask.q, &start).map_err(|error| refused(error.into()))?;
    let platform = PlatformState::at(found.position).turned(found.rotation);
    let values = opened.values_of(&platform);
    let ask = StateAsk { values: Some(values), parts: ask.parts.clone(), ..StateAsk::default() };
    state(opened, &ask)
}

fn sheet(
    opened: &Opened,
    ask: &StateAsk,
    values: &[f64],
    answer: &StateAnswer,
    refused: Option<Failure>,
) -> StateSheet {
    let (robot, state) = (opened.robot(), &answer.state);
    let platform = &state.platform;
    let rest = platform.at_rest();
    let still = ask.twist.iter().chain(&ask.acceleration).flatten().all(|x| *x == 0.0);
    let efforts = state.dynamics.as_ref().map(|dynamics| EffortParts::of(dynamics, answer.effort_use()));
    let hold = if !ask.wants(StatePart::Hold) {
        None
    } else if still {
        efforts.clone()
    } else {
        let row = opened.row(values).and_then(|row| opened.answer(&row));
        row.ok().and_then(|answer| {
            let share = answer.effort_use();
            answer.state.dynamics.map(|dynamics| EffortParts::of(&dynamics, share))
        })
    };
    let poles = (ask.wants(StatePart::Poles) && robot.has_masses())
        .then(|| Reduced::at(robot, &rest).and_then(|model| model.poles()).ok())
        .flatten()
        .map(|poles| shown_poles(&poles));
    let command = |verb: &str| state_command(opened, verb, ask, values);
    StateSheet {
        pose: Pose::of(platform),
        values: values.to_vec(),
        place: opened.place(platform),
        refused,
        mode: state.mode.clone(),
        q: state.q.clone(),
        qd: state.qd.clone(),
        qdd: state.qdd.clone(),
        outside_limits: state.outside_limits.clone(),
        leans: robot.joint_leans(&rest).unwrap_or_default(),
        largest_lean: robot.description().data.joint_cone().map(|cone| cone.most()),
        efforts,
        hold,
        torque: (ask.wants(StatePart::Text) && robot.has_masses())
            .then(|| Printed::torque(opened, answer, command("torque"))),
        report: ask.wants(StatePart::Report).then(|| Printed::state(opened, answer, command("state"))),
        serial: state.singularity.serial.clone(),
        parallel: state.singularity.parallel,
        condition: Some(state.singularity.condition).filter(|condition| condition.is_finite()),
        singularity: robot
            .singularity_text(&state.singularity)
            .into_iter()
            .map(|(name, text)| SingularityLine {
                name: name.into(),
                text,
                is_near: if name == "serial" {
                    state.singularity.is_near_serial()
                } else {
                    state.singularity.is_near_parallel()
                },
            })
            .collect(),
        ellipsoids: if ask.wants(StatePart::Ellipsoids) { ellipsoids(opened, answer) } else { Vec::new() },
        stability: poles.as_ref().map(|(_, stability)| *stability),
        poles: poles.map(|(places, _)| places),
        skeleton: SkeletonShape::of(robot.skeleton(&rest).unwrap_or_default()),
        notes: legwork::printed::notes(&opened.task, answer),
    }
}

impl EffortParts {
    fn of(dynamics: &Dynamics, share: Option<Vec<f64>>) -> Self {
        Self {
            motor: dynamics.motor.clone(),
            inertial: dynamics.inertial.clone(),
            coriolis: dynamics.coriolis.clone(),
            gravity: dynamics.gravity.clone(),
            external: dynamics.external.clone(),
            friction: dynamics.friction.clone(),
            share: match share {
                Some(share) => share.into_iter().map(|x| Some(x).filter(|x| x.is_finite())).collect(),
                None => vec![None; dynamics.motor.len()],
            },
            leg_force: dynamics.leg_force.clone(),
        }
    }
}

pub(crate) fn ellipsoids(opened: &Opened, answer: &StateAnswer) -> Vec<EllipsoidShape> {
    let schema = opened.schema();
    let one = |found: Ellipsoid| {
        let unit = match found.kind.name() {
            "velocity" => format!("m/s for 1 {}", schema.either("rad/s", "m/s").replace(", ", " or 1 ")),
            "force" => format!("N for 1 {}", schema.either("N m", "N").replace(", ", " or 1 ")),
            _ => "kg".into(),
        };
        let axes = found.axes.iter();
        let axes = axes.map(|axis| AxisOfEllipsoid { direction: axis.direction, length: axis.length });
        EllipsoidShape {
            name: found.kind.name().into(),
            unit,
            meaning: found.kind.meaning().into(),
            axes: axes.collect(),
        }
    };
    Ellipsoid::of(opened.robot(), &answer.state).into_iter().map(one).collect()
}
