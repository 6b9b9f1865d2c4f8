//! Regulators and what they know, in a request.

use super::RobotRequest;
use super::error::{not_negative, positive};
use super::plant::model_error_phrases;
use super::{Choice, Frequency, Mass, Measure, MotorValues, TaskError, Time};
use crate::AnyRobot;
use crate::analysis::linear::regulator;
use crate::analysis::tuning::best_shift;
use crate::coordinates::CoordinateSchema;
use crate::description::{ForearmModel, ModelError};
use crate::experiment::{ControllerKind, Experiment, Tuning};
use crate::text::short;
use crate::units::Quantity;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

impl Choice for ControllerKind {
    const CHOICES: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Pd, "pd", "PD at the motors"),
        (Self::Pid, "pid", "PD with an integral"),
        (
            Self::ConstantInertia,
            "constant-inertia",
            "PD and a constant inertia times the wanted acceleration",
        ),
        (Self::Model, "model", "PD and the model's efforts for the reference"),
        (Self::ModelShifted, "model-shifted", "The same, its feedback late by the shift T_m"),
        (Self::Gravity, "gravity", "PD, or PID with a K_i, and what holds the measured pose (Bortoff 2018)"),
        (Self::ComputedTorque, "computed-torque", "Computed torque at the motors"),
        (Self::Platform, "platform", "Feedback linearisation in platform space (Bortoff 2018)"),
        (
            Self::Lqr,
            "lqr",
            "The model's efforts and state feedback of least cost, by the linear model half-way",
        ),
        (Self::Place, "place", "The same with all poles at the frequency and damping of the gains"),
        (
            Self::Adaptive,
            "adaptive",
            "PD and the model's efforts, with a payload found by recursive least squares",
        ),
        (
            Self::Observer,
            "observer",
            "PD and the model's efforts, and what a disturbance observer finds beside them",
        ),
    ];
}

impl Choice for ForearmModel {
    const CHOICES: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Complete, "complete", "Rods, exact"),
        (
            Self::Simplified,
            "simplified",
            "Codourey 1998: inertia 2/3 at the elbow and 1/3 at the platform, weight half and half",
        ),
        (Self::Simplified1996, "simplified-1996", "Codourey 1996: inertia and weight 2/3 and 1/3"),
        (Self::Halves, "halves", "Ngoc and Kim 2010: inertia and weight half and half"),
    ];
}

/// Which regulators, their numbers, and the robot that they know. Computed torque and the law in platform space take
/// frequency and damping only; the others take gains where they are given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own, with a name in requests")]
pub struct ControllerRequest {
    /// Which regulators, one after the other. Default: `pd`, `constant-inertia`, `model`, `model-shifted`.
    pub regulators: Vec<ControllerKind>,
    /// Time between two samples of the controller. Default: 1 ms.
    pub period: Time,
    /// Gains by frequency: K_p = I ω² with the mean diagonal I of the mass matrix. Default: that of the robot's
    /// `[controller]`, else 20 Hz, lowered until the fastest mode of the robot does not ring.
    pub frequency: Option<Frequency>,
    /// Damping that belongs to it: K_d = 2ζωI. Default: that of the robot's `[controller]`, else 0.7.
    pub damping: Option<f64>,
    /// K_p itself \[N m/rad, N/m\].
    pub kp: MotorValues,
    /// K_d itself \[N m s/rad, N s/m\].
    pub kd: MotorValues,
    /// K_i itself \[N m/(rad s), N/(m s)\], of `pid`, and of `gravity`, `constant-inertia`, `model` and `model-shifted`, which
    /// have no integral without it; given, it works always. Default: K_p ω/10 of `pid`, at work only where the reference has
    /// stood until the loop is at rest, so that it is nowhere worse than `pd`; none of the others.
    pub ki: MotorValues,
    /// What `lqr` weighs: errors, their rates, efforts. Default: as K_p and K_d would for each motor alone.
    pub lqr_weights: Option<[f64; 3]>,
    /// T_m of `model-shifted`: how late its feedback sees the reference, a whole number of samples. Default: the one with
    /// which the linear loop follows the motion best, near the lag of the drives and half a sample.
    pub shift: Option<Time>,
    /// Whether the mass matrix is in series with the feedback, so that axes are decoupled. Default: no.
    pub decouple: bool,
    /// Whether derivatives of the reference are exact and not differences over three samples. Default: no.
    pub exact_derivatives: bool,
    /// Whether the constant effort that makes the start an equilibrium is left out. Default: no.
    pub no_bias: bool,
    /// How fast the disturbance observer of `observer` follows. Default: a third of the frequency of the gains.
    pub observer_bandwidth: Option<Frequency>,
    /// Largest disturbance that it believes in. Default: what K_p gives for a tenth of the error at which the supervisor stops
    /// the robot.
    pub disturbance_limit: MotorValues,
    /// Largest payload that `adaptive` believes in. Default: the one that doubles what the motors move.
    pub payload_limit: Option<Mass>,
    /// How long `adaptive` remembers what it measured. Default: 20 ms.
    pub payload_memory: Option<Time>,
    /// Largest torque or force that the regulators command. Default: none.
    pub command_limit: MotorValues,
    /// By how much the robot that the controller knows differs from its file, as shares; an error of the masses is also
    /// one of the payload, unless `known_payload` says what it believes in. Default: not at all.
    pub known_error: Option<ModelError>,
    /// How the controller models the forearms of a Delta. Default: as the robot's `[controller]` says, else exactly.
    pub known_forearms: Option<ForearmModel>,
    /// The robot that the controller takes for its own, such as one that was identified. Default: the robot itself.
    pub known_robot: Option<RobotRequest>,
    /// Mass on the platform that the controller believes in. Default: that of the robot.
    pub known_payload: Option<Mass>,
    /// Whether the controller does not know what its motion picks up and puts down. Default: it knows.
    pub ignores_loads: bool,
}

impl Default for ControllerRequest {
    fn default() -> Self {
        Self {
            regulators: Vec::new(),
            period: Time(1e-3),
            frequency: None,
            damping: None,
            kp: MotorValues::default(),
            kd: MotorValues::default(),
            ki: MotorValues::default(),
            lqr_weights: None,
            shift: None,
            decouple: false,
            exact_derivatives: false,
            no_bias: false,
            observer_bandwidth: None,
            disturbance_limit: MotorValues::default(),
            payload_limit: None,
            payload_memory: None,
            command_limit: MotorValues::default(),
            known_error: None,
            known_forearms: None,
            known_robot: None,
            known_payload: None,
            ignores_loads: false,
        }
    }
}

/// Gains of one kind, none of them negative.
fn gains(field: &str, values: &MotorValues) -> Result<Option<Vec<f64>>, TaskError> {
    let read = |value: &Measure| not_negative(field, value.expect(field, Quantity::Ratio)?);
    let list: Vec<f64> = values.0.iter().map(read).collect::<Result<_, _>>()?;
    Ok((!list.is_empty()).then_some(list))
}

impl ControllerRequest {
    /// The regulators, each once.
    pub fn kinds(&self) -> Result<Vec<ControllerKind>, TaskError> {
        for (k, kind) in self.regulators.iter().enumerate() {
            if self.regulators.iter().take(k).any(|before| before == kind) {
                return Err(TaskError::request(format!("the regulator `{}` is there twice", kind.word())));
            }
        }
        Ok(if self.regulators.is_empty() { ControllerKind::FOUR.to_vec() } else { self.regulators.clone() })
    }

    /// Whether the controller knows the robot as it does by default.
    pub(super) fn knows_as_usual(&self) -> bool {
        self.known_error.is_none()
            && self.known_forearms.is_none()
            && self.known_robot.is_none()
            && self.known_payload.is_none()
            && !self.ignores_loads
    }

    /// The robot that the controller knows, and what it is in words.
    pub(super) fn known(&self, robot: &AnyRobot) -> Result<(AnyRobot, Vec<String>), TaskError> {
        let mut phrases = Vec::new();
        let mut known = match &self.known_robot {
            None => robot.clone(),
            Some(request) => {
                let known = request.open()?;
                let kinds =
                    |robot: &AnyRobot| robot.joints().iter().map(|joint| joint.slides).collect::<Vec<_>>();
                if kinds(&known) != kinds(robot) {
                    let what = format!(
                        "`known_robot` is `{}`, whose motors are not those of `{}`",
                        known.name(),
                        robot.name()
                    );
                    return Err(TaskError::request(what)
                        .or("give a file of the same robot, as `legwork identify --out` writes it"));
                }
                phrases.push(format!("the robot `{}`", request.name));
                known
            }
        };
        if let Some(error) = &self.known_error {
            phrases.extend(model_error_phrases(error));
            known = known.with_model_error(error)?;
            let carried = robot.description().data.payload();
            if error.mass != 0.0 && carried > 0.0 && self.known_payload.is_none() {
                let believed = carried * (1.0 + error.mass);
                known = known.with_payload(believed)?;
                phrases.push(format!("with it a payload of {} kg", short(believed)));
            }
        }
        if let Some(Mass(payload)) = self.known_payload {
            known = known.with_payload(payload)?;
            phrases.push(format!("a payload of {} kg", short(payload)));
        }
        // A robot that is given says all by itself.
        let of_file = robot.description().controller_defaults.as_ref().filter(|_| self.known_robot.is_none());
        if let Some(model) = self.known_forearms.or(of_file.and_then(|defaults| defaults.known_forearms)) {
            known = known.with_forearm_model(model)?;
            if model != ForearmModel::Complete {
                phrases.push(format!("{} forearms", model.name()));
            }
        }
        Ok((known, phrases))
    }

    /// K_p, K_d and K_i, as far as they are given: one for all motors or one for each.
    pub(crate) fn gains(&self) -> Result<[Option<Vec<f64>>; 3], TaskError> {
        Ok([gains("kp", &self.kp)?, gains("kd", &self.kd)?, gains("ki", &self.ki)?])
    }

    /// Gains and what belongs to them, as far as the request and the robot's file give them.
    fn tuning(&self, robot: &AnyRobot, schema: &CoordinateSchema) -> Result<Tuning, TaskError> {
        let usual = Tuning::default();
        let of_file = robot.description().controller_defaults.as_ref();
        let frequency =
            self.frequency.map(|hertz| hertz.0).or(of_file.and_then(|defaults| defaults.frequency));
        let damping = self.damping.or(of_file.and_then(|defaults| defaults.damping));
        let efforts = schema.each(Quantity::Torque, Quantity::Force);
        let [proportional, derivative, integral] = self.gains()?;
        Ok(Tuning {
            frequency: match frequency {
                Some(hertz) => TAU * positive("frequency", hertz)?,
                None => usual.frequency,
            },
            damping: match damping {
                Some(damping) => positive("damping", damping)?,
                None => usual.damping,
            },
            proportional,
            derivative,
            integral,
            shift: self.shift.map_or(0.0, |shift| shift.0),
            is_decoupled: self.decouple,
            takes_differences: !self.exact_derivatives,
            is_balanced: !self.no_bias,
            observer_bandwidth: match self.observer_bandwidth {
                Some(hertz) => Some(TAU * positive("observer_bandwidth", hertz.0)?),
                None => None,
            },
            disturbance_limit: self.disturbance_limit.positive_list("disturbance_limit", &efforts)?,
            payload_limit: match self.payload_limit {
                Some(mass) => Some(positive("payload_limit", mass.0)?),
                None => None,
            },
            payload_memory: match self.payload_memory {
                Some(time) => positive("payload_memory", time.0)?,
                None => usual.payload_memory,
            },
            effort_limit: self.command_limit.positive_list("command_limit", &efforts)?,
            ..usual
        })
    }

    /// Refuses gains and a shift that no regulator would take.
    fn check_gains(&self) -> Result<(), TaskError> {
        let kinds = self.kinds()?;
        if self.shift.is_some() && !kinds.contains(&ControllerKind::ModelShifted) {
            let error = TaskError::request("`shift` is for the regulator model-shifted");
            return Err(error.or("add model-shifted to the regulators, or leave it out"));
        }
        let of_observer = self.observer_bandwidth.is_some() || !self.disturbance_limit.0.is_empty();
        let of_adaptive = self.payload_limit.is_some() || self.payload_memory.is_some();
        for (given, kind, fields) in [
            (of_observer, ControllerKind::Observer, "`observer_bandwidth` and `disturbance_limit` are"),
            (of_adaptive, ControllerKind::Adaptive, "`payload_limit` and `payload_memory` are"),
        ] {
            if given && !kinds.contains(&kind) {
                let word = kind.word();
                let error = TaskError::request(format!("{fields} for the regulator {word}"));
                return Err(error.or(format!("add {word} to the regulators, or leave them out")));
            }
        }
        if self.ki.0.is_empty() || kinds.iter().any(|kind| kind.takes_integral()) {
            return Ok(());
        }
        let error = TaskError::request("`ki` is given, but no regulator here has an integral");
        Err(error.or(
            "add pid, gravity, constant-inertia, model or model-shifted to the regulators, or leave it out",
        ))
    }

    /// An experiment with these regulators; without a frequency in the request or in the robot's file its gains are
    /// detuned. The plant must be there already: the detuning sees its lag.
    pub(super) fn applied_to<'r>(
        &self,
        experiment: Experiment<'r>,
        robot: &'r AnyRobot,
        schema: &CoordinateSchema,
        known: AnyRobot,
    ) -> Result<Experiment<'r>, TaskError> {
        self.check_gains()?;
        let experiment = experiment
            .with_controller_model(known)
            .tuned(self.tuning(robot, schema)?)
            .controlled_every(positive("period", self.period.0)?);
        let of_file = robot.description().controller_defaults.as_ref();
        let is_given =
            self.frequency.is_some() || of_file.is_some_and(|defaults| defaults.frequency.is_some());
        if is_given { Ok(experiment) } else { Ok(experiment.with_detuned_gains()?) }
    }

    /// The shift of `model-shifted` where none is given. Everything else must be there already.
    pub(super) fn with_best_shift<'r>(
        &self,
        experiment: Experiment<'r>,
    ) -> Result<Experiment<'r>, TaskError> {
        if self.shift.is_some() || !self.kinds()?.contains(&ControllerKind::ModelShifted) {
            return Ok(experiment);
        }
        let tuning = Tuning { shift: best_shift(&experiment)?, ..experiment.tuning().clone() };
        Ok(experiment.tuned(tuning))
    }

    /// The gains of the regulators that have them from the linear model.
    pub(super) fn with_state_feedback<'r>(
        &self,
        experiment: Experiment<'r>,
    ) -> Result<Experiment<'r>, TaskError> {
        let kinds = self.kinds()?;
        let [is_lqr, is_place] =
            [ControllerKind::Lqr, ControllerKind::Place].map(|kind| kinds.contains(&kind));
        if self.lqr_weights.is_some() && !is_lqr {
            let error = TaskError::request("`lqr_weights` is for the regulator lqr");
            return Err(error.or("add lqr to the regulators, or leave it out"));
        }
        if !is_lqr && !is_place {
            return Ok(experiment);
        }
        let small = regulator::along(&experiment)?;
        let mut tuning = experiment.tuning().clone();
        if is_lqr {
            let pd = experiment.resolved_gains(ControllerKind::Lqr)?;
            let motors = pd.proportional.len();
            let ((place, rate), effort) = match self.lqr_weights {
                Some([place, rate, effort]) => ((vec![place; motors], vec![rate; motors]), effort),
                None => (regulator::like_pd(&pd), 1.0),
            };
            tuning.lqr = Some(regulator::lqr(&small, &place, &rate, effort)?);
        }
        if is_place {
            tuning.placed = Some(regulator::place(&small, tuning.frequency, tuning.damping)?);
        }
        Ok(experiment.tuned(tuning))
    }
}
