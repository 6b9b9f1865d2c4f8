//! Small motions about a pose, or where a robot turns unstable, as a request and a result.

use super::file_use::UsesFiles;
use super::linear_result::{LinearModelResult, PoleRequest};
use super::{Handle, Measure, PoseRequest, RobotRequest, TaskError};
use crate::analysis::linear::balance::{Balanced, balanced};
use crate::analysis::linear::export::Export;
use crate::analysis::linear::feedback::{self, Feedback};
use crate::analysis::linear::order::{Order, controllable, observable};
use crate::analysis::linear::stability::{common_motor_path, crossings_watched, straight_path};
use crate::analysis::linear::{Constrained, Coordinates, Mode, Pole, Reduced, StateSpace, zeros};
use crate::coordinates::{CoordinateSchema, MotorMotion};
use crate::text::fixed;
use crate::{AnyRobot, PlatformState};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How fast the constrained form closes its loops, unless told otherwise \[1/s\].
pub const DEFAULT_LOOP_POLE: f64 = 5.0;
/// Samples of a way on which crossings are sought.
const CROSSING_SAMPLES: usize = 261;
/// Motor angles between which a Delta without limits is looked at \[deg\].
const CROSSING_ANGLES: [f64; 2] = [-45.0, 85.0];

/// A linear model about a pose where the motors hold the robot at rest; or, with `crossing`, where on a way the robot
/// turns unstable.
///
/// ```
/// use legwork::task::{Handle, LinearizeRequest, LinearizeResult};
/// let request: LinearizeRequest =
///     toml::from_str("robot = 'delta-bortoff-b'\njoints = ['45 deg', '45 deg', '45 deg']")?;
/// let LinearizeResult::Model(model) = request.run(&Handle::none())? else { unreachable!() };
/// assert!(model.stable && model.poles.len() == 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinearizeRequest {
    /// Which robot; it needs masses.
    pub robot: RobotRequest,
    /// Where the platform is. Default: home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pose: Option<PoseRequest>,
    /// Joint values instead of a pose \[rad, m\]; of several poses with them the one nearest to home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<Vec<Measure>>,
    /// Which equations. Default: `reduced`.
    pub form: LinearForm,
    /// Coordinates of the reduced form. Default: `joints`; `platform` with more motors than freedoms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coordinates: Option<Coordinates>,
    /// How fast the constrained form closes its loops \[1/s\]. Default: 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pole: Option<f64>,
    /// Damping of the three angles of every arm of a Delta \[N m s/rad\]. Default: the friction of its motors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<[f64; 3]>,
    /// Whether the motors balance the weight at every pose, not only at this one. Default: no.
    pub gravity_compensation: bool,
    /// Weights qx, qv, r: gains that minimise qx x² + qv v² + r u² over time. Default: no gains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lqr: Option<[f64; 3]>,
    /// Gains that put the poles here \[1/s\], two for each freedom. Default: no gains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Vec<PoleRequest>>,
    /// Whether to find where the robot turns unstable, instead of a model. Default: no.
    pub crossing: bool,
    /// The other end of the straight way on which `crossing` looks. Default: all motors move alike between the limits
    /// of the first one; those of a Delta without limits between -45 and 85 degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<PoseRequest>,
    /// File for the model: `.json` or `.npz`. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<PathBuf>,
}

/// Which equations are linearised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum LinearForm {
    /// M ẍ + D ẋ + K x = u, as many coordinates as freedoms.
    #[default]
    Reduced,
    /// All angles of a Delta with their loops: eighteen states (Bortoff 2018).
    Constrained,
}

impl LinearForm {
    /// Its name in a request.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reduced => "reduced",
            Self::Constrained => "constrained",
        }
    }
}

/// What a [`LinearizeRequest`] gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::large_enum_variant, reason = "there is one of it")]
pub enum LinearizeResult {
    /// A linear model.
    Model(LinearModelResult),
    /// Where the robot turns unstable.
    Crossing(CrossingResult),
}

/// Where a robot turns unstable on a way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CrossingResult {
    /// Name of the robot.
    pub robot: String,
    /// The way, in words.
    pub path: String,
    /// First and last parameter: a joint value \[rad, m\], or 0 and 1 of a straight way.
    pub range: [f64; 2],
    /// Where it turns, in the order of the way.
    pub crossings: Vec<CrossingPlace>,
    /// How the samples of the way are.
    pub samples: CrossingSamples,
}

/// A place where a robot turns stable or unstable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CrossingPlace {
    /// Where on the way.
    pub parameter: f64,
    /// The same in words: "21.98 deg", "46.21 % of the way".
    pub at: String,
    /// Where the platform is, in words.
    pub place: String,
    /// Platform point \[m\].
    pub position: [f64; 3],
    /// Orientation by rows.
    pub rotation: [[f64; 3]; 3],
    /// Whether the robot is stable beyond it.
    pub stable_after: bool,
}

/// How many samples of a way are what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CrossingSamples {
    /// Stable.
    pub stable: usize,
    /// Unstable.
    pub unstable: usize,
    /// Out of reach or singular.
    pub unreachable: usize,
}

/// Everything about one linear model.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearModel {
    /// Name of the robot.
    pub robot: String,
    /// The pose.
    pub platform: PlatformState,
    /// The pose in words.
    pub place: String,
    /// Which equations.
    pub form: LinearForm,
    /// A, B, C, D.
    pub model: StateSpace,
    /// The reduced form; the modes of the constrained form are its modes too.
    pub reduced: Reduced,
    /// The constrained form, if it was asked for.
    pub constrained: Option<Constrained>,
    /// Poles of the model.
    pub poles: Vec<Pole>,
    /// Modes, least stable first.
    pub modes: Vec<Mode>,
    /// Invariant zeros from the motors to their joints.
    pub zeros: Vec<Pole>,
    /// What the motors can move.
    pub controllable: Order,
    /// What the joints show.
    pub observable: Order,
    /// Hankel singular values.
    pub balanced: Balanced,
    /// State feedback, if it was asked for.
    pub feedback: Option<Feedback>,
}

impl LinearModel {
    /// Refuses a model with a number that is not finite. Its matrices are looked at where they are made.
    fn unless_finite(&self) -> Result<(), TaskError> {
        let pole = |what| move |pole: &Pole| [(what, pole.re), (what, pole.im)];
        let feedback = self.feedback.iter().flat_map(|feedback| {
            let gain = feedback.gain.iter().map(|gain| ("a gain of the feedback", *gain));
            gain.chain(feedback.poles.iter().flat_map(pole("a pole under feedback")))
        });
        TaskError::unless_finite(
            self.poles
                .iter()
                .flat_map(pole("a pole"))
                .chain(self.zeros.iter().flat_map(pole("a zero")))
                .chain(self.balanced.hankel.iter().map(|value| ("a Hankel singular value", *value)))
                .chain(self.reduced.hold.iter().map(|value| ("a holding effort", *value)))
                .chain(feedback),
        )
    }

    /// What the states are.
    pub fn coordinates(&self) -> &'static str {
        match (self.form, self.reduced.coordinates) {
            (LinearForm::Constrained, _) => "angles of the arms",
            (LinearForm::Reduced, Coordinates::Joints) => "joints",
            (LinearForm::Reduced, Coordinates::Platform) => "platform",
        }
    }

    /// What goes into a file.
    pub fn export(&self) -> Export<'_> {
        let mut export = Export::new(&self.model)
            .word("robot", &self.robot)
            .word("form", self.form.name())
            .word("coordinates", self.coordinates())
            .word("pose", &self.place)
            .row("hold", &self.reduced.hold);
        if self.form == LinearForm::Reduced {
            let Reduced { mass, damping, stiffness, .. } = &self.reduced;
            export = export.matrix("mass", mass).matrix("damping", damping).matrix("stiffness", stiffness);
        }
        if let Some(feedback) = &self.feedback {
            export = export.matrix("gain", &feedback.gain);
        }
        export
    }
}

impl LinearizeRequest {
    /// Makes the model and writes its file, or seeks the crossings.
    pub fn run(&self, handle: &Handle<'_>) -> Result<LinearizeResult, TaskError> {
        self.check()?;
        self.check_files()?;
        let robot = self.robot.open()?;
        super::needs_masses(&robot)?;
        let schema = CoordinateSchema::of(&robot);
        let (robot, platform) = self.platform(&robot, &schema)?;
        if self.crossing {
            return self.crossings(&robot, &schema, &platform, handle).map(LinearizeResult::Crossing);
        }
        let model = self.compute(&robot, &schema, platform)?;
        model.unless_finite()?;
        handle.go_on()?;
        handle.report(1.0, "");
        if let Some(path) = &self.out {
            handle.write(path, &model.export().to_bytes(path)?)?;
        }
        Ok(LinearizeResult::Model(LinearModelResult::of(&model)))
    }

    /// What contradicts itself.
    fn check(&self) -> Result<(), TaskError> {
        let refused = |field: &str, form: &str| {
            TaskError::request(format!("`{field}` is for the {form} form"))
                .or(format!("add `form {form}`, or leave it out"))
        };
        let constrained = self.form == LinearForm::Constrained;
        if self.pole.is_some() && !constrained {
            return Err(refused("pole", "constrained"));
        }
        let only_reduced = [
            ("lqr", self.lqr.is_some()),
            ("place", self.place.is_some()),
            ("gravity_compensation", self.gravity_compensation),
            ("coordinates", self.coordinates.is_some()),
        ];
        if let Some((field, _)) = only_reduced.iter().find(|(_, given)| *given && constrained) {
            return Err(refused(field, "reduced"));
        }
        for (one, other, both) in [
            ("lqr", "place", self.lqr.is_some() && self.place.is_some()),
            ("pose", "joints", self.pose.is_some() && self.joints.is_some()),
        ] {
            if both {
                return Err(TaskError::request(format!("`{one}` and `{other}` exclude each other")));
            }
        }
        if self.to.is_some() && !self.crossing {
            return Err(TaskError::request("`to` is the other end of the way for `crossing`"));
        }
        match &self.out {
            Some(path) if !self.crossing && !Export::is_name_of_model(path) => {
                let what = format!("`out {}` does not say a format", path.display());
                Err(TaskError::request(what).or("let its name end in .json or .npz"))
            }
            _ => Ok(()),
        }
    }

    /// Where the platform is, and the robot with motors there that its pose does not tell.
    fn platform(
        &self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
    ) -> Result<(AnyRobot, PlatformState), TaskError> {
        if let Some(joints) = &self.joints {
            let q = super::joints(schema, "joints", joints)?;
            let found = robot.forward_kinematics(&q, &robot.home())?;
            let still = vec![0.0; q.len()];
            let there = robot.holding(&q, &still, &still)?;
            return Ok((there, PlatformState::at(found.position).turned(found.rotation)));
        }
        let home = robot.home();
        let pose = self.pose.as_ref().map_or_else(|| Ok(home), |pose| pose.platform(schema, "pose"))?;
        Ok((robot.clone(), pose))
    }

    /// The model with everything that follows from it; no file is written.
    pub fn compute(
        &self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        platform: PlatformState,
    ) -> Result<LinearModel, TaskError> {
        let mut reduced = match self.coordinates {
            None => Reduced::at(robot, &platform)?,
            Some(coordinates) => Reduced::within(robot, &platform, coordinates)?,
        };
        if let Some(damping) = self.damping {
            reduced = reduced.with_arm_damping(robot, &platform, damping)?;
        }
        if self.gravity_compensation {
            reduced = reduced.with_gravity_compensation();
        }
        let constrained = match self.form {
            LinearForm::Reduced => None,
            LinearForm::Constrained => {
                let pole = self.pole.unwrap_or(DEFAULT_LOOP_POLE);
                Some(Constrained::at(robot, &platform, pole, self.damping)?)
            }
        };
        let model = constrained.as_ref().map_or_else(|| reduced.state_space(), |form| form.model.clone());
        let poles = match &constrained {
            Some(form) => form.model.poles()?,
            None => reduced.poles()?,
        };
        let feedback = match (self.lqr, &self.place) {
            (Some([x, v, r]), _) => {
                let model = reduced.state_space();
                let (q, r) = feedback::plain_weights(&model, x, v, r);
                Some(feedback::lqr(&model, &q, &r)?)
            }
            (None, Some(poles)) => {
                let poles: Vec<Pole> = poles.iter().map(|pole| pole.0).collect();
                Some(feedback::place(&reduced, &poles)?)
            }
            (None, None) => None,
        };
        Ok(LinearModel {
            robot: robot.name().into(),
            platform,
            place: schema.place(&platform),
            form: self.form,
            zeros: zeros::invariant_zeros(&model)?,
            controllable: controllable(&model),
            observable: observable(&model),
            balanced: balanced(&model)?,
            modes: reduced.modes()?,
            reduced,
            constrained,
            poles,
            feedback,
            model,
        })
    }

    fn crossings(
        &self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        from: &PlatformState,
        handle: &Handle<'_>,
    ) -> Result<CrossingResult, TaskError> {
        let mut watch = |done: f64| {
            handle.report(done, "");
            !handle.is_cancelled()
        };
        let joint = |q: f64| match schema.motor_motion() {
            MotorMotion::Slide => format!("{} mm", fixed(q * 1e3, 2)),
            _ => format!("{} deg", fixed(q.to_degrees(), 2)),
        };
        let to = self.to.as_ref().map(|to| to.platform(schema, "to")).transpose()?;
        let (found, range, path) = if let Some(to) = to {
            let path = format!("from {} to {}", schema.place(from), schema.place(&to));
            let way = straight_path(*from, to);
            let found = crossings_watched(robot, way, [0.0, 1.0], CROSSING_SAMPLES, &mut watch)?;
            (found, [0.0, 1.0], path)
        } else {
            let limits = robot.joints().first().and_then(|joint| joint.min.zip(joint.max));
            let range = match limits {
                Some((min, max)) => [min, max],
                None if robot.linkage().is_some() => CROSSING_ANGLES.map(f64::to_radians),
                None => {
                    let what = format!("`{}` has no limits of its joints to look between", robot.name());
                    return Err(TaskError::request(what).or("give the other end of a straight way with `to`"));
                }
            };
            let path = format!("all motors alike, from {} to {}", joint(range[0]), joint(range[1]));
            let way = common_motor_path(robot);
            (crossings_watched(robot, way, range, CROSSING_SAMPLES, &mut watch)?, range, path)
        };
        let place = |at: &crate::analysis::linear::stability::Crossing| CrossingPlace {
            parameter: at.parameter,
            at: match to {
                Some(_) => format!("{} % of the way", fixed(at.parameter * 100.0, 2)),
                None => joint(at.parameter),
            },
            place: schema.place(&at.platform),
            position: at.platform.position,
            rotation: at.platform.rotation,
            stable_after: at.stable_after,
        };
        Ok(CrossingResult {
            robot: robot.name().into(),
            path,
            range,
            crossings: found.found.iter().map(place).collect(),
            samples: CrossingSamples {
                stable: found.stable,
                unstable: found.unstable,
                unreachable: found.unreachable,
            },
        })
    }
}
