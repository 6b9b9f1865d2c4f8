//! The tasks `identify` and `excite` as plain data.

use super::excite::{ExciteSettings, ExcitingMotion, exciting_motion};
use super::identify::{Identification, Lag, Logs, Prediction, Settings, identify};
use super::log::{Log, LogSettings};
use super::page;
use super::robot_text::robot_text;
use legwork::AnyRobot;
use legwork::recording::{Column, Metadata, ReadError, Record, Recording};
use legwork::task::{Frequency, Handle, RobotRequest, TaskError, Time};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Identifies masses, inertias, friction and offsets of a robot from logs.
///
/// ```toml
/// task = "identify"
/// robot = "delta.toml"
/// logs = ["run1.csv"]
/// validate = ["run2.csv"]
/// out = "identified.toml"
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IdentifyRequest {
    /// The robot, with rough masses.
    pub robot: RobotRequest,
    /// Logs to identify from: time, places and efforts or currents of all motors; CSV, Parquet or MCAP.
    pub logs: Vec<PathBuf>,
    /// Logs that are not used, to see how well their efforts are predicted.
    pub validate: Vec<PathBuf>,
    /// Logs with something on the platform, whose mass is found by the difference.
    pub payload_logs: Vec<PathBuf>,
    /// Torque or force for one ampere at the motor \[N m/A or N/A\]; one for all motors, or one for each. Needed for currents.
    pub motor_constant: Vec<f64>,
    /// Torques count at the motor's shaft, in front of the gear. Default: at the joint.
    pub at_motor: bool,
    /// Unit of places whose columns do not say it. Default: rad or m.
    pub position_unit: Option<String>,
    /// Counts of the encoders for one turn of the joint, gear included, or for one metre of one that slides. Needed for counts.
    pub counts_per_turn: Option<f64>,
    /// Unit of efforts whose columns do not say it. Default: N m, N or A.
    pub effort_unit: Option<String>,
    /// Letters of the columns of efforts where there are several, as `u`. Default: measured torques before commands.
    pub effort_columns: Option<String>,
    /// Cut-off of the low pass. Default: ten times the highest frequency of the motion.
    pub cut_off: Option<Frequency>,
    /// Lag of the drives. Default: it is estimated.
    pub lag: Option<Time>,
    /// Legs may differ: each has bodies of its own.
    pub separate_legs: bool,
    /// Efforts may be off those of the file by any factor: units are not doubted.
    pub any_scale: bool,
    /// Of the random states that tell the base parameters.
    pub seed: u64,
    /// Writes the robot with what was found: a robot file that every verb takes.
    pub out: Option<PathBuf>,
    /// Writes a page with tables and plots, .html.
    pub report: Option<PathBuf>,
}

/// One base parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BaseResult {
    /// The combination of parameters that motion tells.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Its value in the robot file.
    pub file: f64,
    /// Its estimate; that of the file where the logs do not tell it.
    pub value: f64,
    /// Its standard deviation; nothing where the logs do not tell it.
    pub sigma: Option<f64>,
}

/// How well efforts are predicted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictionResult {
    /// The log, or `all` of those that were used.
    pub log: String,
    /// Error over effort, root mean squares of all motors, with the robot of the file.
    pub before: f64,
    /// The same with the identified robot.
    pub after: f64,
    /// Root mean square of each motor's effort \[N m or N\].
    pub effort: Vec<f64>,
    /// Of its error \[N m or N\].
    pub error: Vec<f64>,
}

/// A mass on the platform.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PayloadResult {
    /// The log.
    pub log: String,
    /// More than the robot of the request carries \[kg\].
    pub mass: f64,
    /// \[kg\]
    pub sigma: f64,
}

/// A motor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotorFound {
    /// Its joint.
    pub joint: String,
    /// \[kg m² or kg\]
    pub inertia: f64,
    /// \[N m s/rad or N s/m\]
    pub viscous: f64,
    /// \[N m or N\]
    pub coulomb: f64,
    /// \[N m or N\]
    pub offset: f64,
    /// Deviation of a filtered row \[N m or N\].
    pub noise: f64,
}

/// What was identified.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdentifyResult {
    /// The robot.
    pub robot: String,
    /// Base parameters, all that motion can tell.
    pub base: Vec<BaseResult>,
    /// Parameters that no motion tells: they stay as in the file.
    pub without_effect: Vec<String>,
    /// Parameters that are known only in the combinations above.
    pub only_together: Vec<String>,
    /// Smallest singular value that counts and largest that does not: how sure the count is.
    pub gap: [f64; 2],
    /// Condition of the scaled columns of the logs: below a hundred is good.
    pub condition: f64,
    /// Lag of the drives \[s\].
    pub lag: f64,
    /// Its deviation; nothing if it was given.
    pub lag_sigma: Option<f64>,
    /// Cut-off of the low pass \[Hz\].
    pub cut_off: f64,
    /// Rows that counted, after filtering.
    pub rows: usize,
    /// How residuals of rows that follow each other go together.
    pub correlation: f64,
    /// The motors.
    pub motors: Vec<MotorFound>,
    /// The logs that were used.
    pub fit: PredictionResult,
    /// Logs that were not used.
    pub validation: Vec<PredictionResult>,
    /// What is on the platform in other logs.
    pub payloads: Vec<PayloadResult>,
    /// What should be known.
    pub notes: Vec<String>,
    /// Which columns were taken.
    pub columns: Vec<String>,
    /// The robot file with what was found.
    pub robot_file: String,
}

fn unreadable(path: &Path, cause: String, hint: Option<String>) -> TaskError {
    TaskError::Unusable { what: format!("cannot use the log `{}`", path.display()), cause, hint }
}

/// What to do about a log that cannot be read.
fn log_hint(error: &ReadError) -> String {
    error.hint().unwrap_or_else(|| {
        "a log is a file with t, q1 ... and tau1 ... or i1 ... in columns: .csv, .parquet or .mcap; `legwork excite` writes a \
         motion to record"
            .to_owned()
    })
}

impl IdentifyRequest {
    fn read(&self, path: &Path, robot: &AnyRobot) -> Result<Log, TaskError> {
        let recording = Recording::open(path)
            .map_err(|error| unreadable(path, error.to_string(), Some(log_hint(&error))))?;
        let constants = &self.motor_constant;
        let settings = LogSettings {
            motor_constant: (!constants.is_empty()).then(|| constants.clone()),
            at_motor: self.at_motor,
            position_unit: self.position_unit.clone(),
            counts: self.counts_per_turn,
            effort_unit: self.effort_unit.clone(),
            effort_columns: self.effort_columns.clone(),
        };
        Log::of(&recording, robot, &settings).map_err(|error| unreadable(path, error.what, Some(error.hint)))
    }

    /// Reads the logs and identifies the robot; writes what is asked for.
    pub fn run(&self, handle: &Handle<'_>) -> Result<IdentifyResult, TaskError> {
        self.file_roles().check()?;
        if self.logs.is_empty() {
            let error = TaskError::request("there is no log to identify from");
            return Err(error.or(
                "give `logs`: files with t, q1 ..., tau1 ...; `legwork excite` writes a motion to record",
            ));
        }
        let opened = self.robot.open()?;
        let robot = if self.separate_legs { opened.with_separate_legs()? } else { opened.clone() };
        let all = |paths: &[PathBuf]| {
            paths.iter().map(|path| self.read(path, &robot)).collect::<Result<Vec<_>, _>>()
        };
        let logs =
            Logs { used: all(&self.logs)?, unseen: all(&self.validate)?, loaded: all(&self.payload_logs)? };
        let settings = Settings {
            cut_off: self.cut_off.map(|cut_off| cut_off.0),
            lag: self.lag.map_or(Lag::Estimated, |lag| Lag::Known(lag.0)),
            seed: self.seed,
            any_scale: self.any_scale,
        };
        let found = identify(&robot, &logs, &settings, handle)?;
        let text = robot_text(&opened, &robot, &found, &self.logs);
        let result = self.result(&robot, &logs, &found, text.clone().unwrap_or_default());
        if let Some(path) = &self.out {
            let Some(text) = text else {
                let error = TaskError::request(format!(
                    "`{}` was in no file, so there is none to complete",
                    robot.name()
                ));
                return Err(error.or("take the numbers from the result"));
            };
            handle.write(path, text.as_bytes())?;
        }
        if let Some(path) = &self.report {
            handle.write_page(path, &page::report(&result, &found, handle.command()), false)?;
        }
        Ok(result)
    }

    fn result(
        &self,
        robot: &AnyRobot,
        logs: &Logs,
        found: &Identification,
        robot_file: String,
    ) -> IdentifyResult {
        let name = |path: &PathBuf| path.display().to_string();
        let prediction = |log: String, prediction: &Prediction| {
            let [before, after] = prediction.relative();
            PredictionResult {
                log,
                before,
                after,
                effort: prediction.effort.clone(),
                error: prediction.after.clone(),
            }
        };
        let motors = found.description.identified.motors.iter().zip(&found.noise);
        IdentifyResult {
            robot: robot.name().into(),
            base: found
                .base
                .iter()
                .map(|base| BaseResult {
                    name: base.name.clone(),
                    unit: base.unit.into(),
                    file: base.file,
                    value: base.value,
                    sigma: base.sigma,
                })
                .collect(),
            without_effect: found.without_effect.clone(),
            only_together: found.only_together.clone(),
            gap: found.gap,
            condition: found.condition,
            lag: found.lag.0,
            lag_sigma: found.lag.1,
            cut_off: found.cut_off,
            rows: found.rows,
            correlation: found.correlation,
            motors: motors
                .map(|(motor, noise)| MotorFound {
                    joint: motor.joint.clone(),
                    inertia: motor.inertia.unwrap_or(0.0),
                    viscous: motor.viscous_friction.unwrap_or(0.0),
                    coulomb: motor.coulomb_friction.unwrap_or(0.0),
                    offset: motor.offset,
                    noise: *noise,
                })
                .collect(),
            fit: prediction("all".into(), &found.fit),
            validation: self
                .validate
                .iter()
                .zip(&found.validation)
                .map(|(path, one)| prediction(name(path), one))
                .collect(),
            payloads: self
                .payload_logs
                .iter()
                .zip(&found.payloads)
                .map(|(path, one)| PayloadResult { log: name(path), mass: one.mass, sigma: one.sigma })
                .collect(),
            notes: found.notes.clone(),
            columns: logs.used.first().map(|log| log.columns.clone()).unwrap_or_default(),
            robot_file,
        }
    }
}

/// Finds a motion that tells much about the parameters of a robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExciteRequest {
    /// The robot.
    pub robot: RobotRequest,
    /// One period. Default 4 s.
    pub duration: Time,
    /// Sines of each motor. Default 5.
    pub harmonics: usize,
    /// Motions that are tried. Default 60.
    pub trials: usize,
    /// Smallest distance from parallel singularities, as a part of that at home. Default 0.3.
    pub clearance: f64,
    /// Part of the limits of speed and effort that is used. Default 0.8.
    pub share: f64,
    /// Largest acceleration of the motors \[rad/s² or, of the robot's length, m/s²\]. Default: 4 g over the robot's length.
    pub acceleration: Option<f64>,
    /// The same seed gives the same motion. Default 1.
    pub seed: u64,
    /// Time between rows. Default 5 ms.
    pub sample: Time,
    /// How many periods are written. Default 3.
    pub periods: usize,
    /// Writes the motion: t, q, qd and qdd of all motors, as `simulate --motion` and drives take it.
    pub out: Option<PathBuf>,
}

impl Default for ExciteRequest {
    fn default() -> Self {
        let usual = ExciteSettings::default();
        Self {
            robot: RobotRequest::default(),
            duration: Time(usual.duration),
            harmonics: usual.harmonics,
            trials: usual.trials,
            clearance: usual.clearance,
            share: usual.share,
            acceleration: None,
            seed: usual.seed,
            sample: Time(5e-3),
            periods: 3,
            out: None,
        }
    }
}

/// An exciting motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExciteResult {
    /// The robot.
    pub robot: String,
    /// How many base parameters it is about.
    pub base_count: usize,
    /// Condition of the scaled columns of the base regressor.
    pub condition: f64,
    /// That of the first motion that was tried.
    pub first_condition: f64,
    /// Motions that were tried.
    pub trials: usize,
    /// How long it is \[s\].
    pub duration: f64,
    /// Largest excursion of each motor from home \[rad or m\].
    pub excursion: Vec<f64>,
    /// Largest speed of each motor \[rad/s or m/s\].
    pub speed: Vec<f64>,
    /// Largest acceleration of each motor \[rad/s² or m/s²\].
    pub acceleration: Vec<f64>,
    /// The file.
    pub out: Option<PathBuf>,
}

/// Most rows of a file.
const MOST_ROWS: f64 = 4e6;

impl ExciteRequest {
    /// Finds the motion and writes it.
    pub fn run(&self, handle: &Handle<'_>) -> Result<ExciteResult, TaskError> {
        self.file_roles().check()?;
        let in_range = [
            (
                "duration",
                self.duration.0,
                self.duration.0 > 0.0 && self.duration.0 <= 600.0,
                "a time up to 600 s",
            ),
            ("sample", self.sample.0, self.sample.0 > 0.0, "a time above zero"),
            ("clearance", self.clearance, (0.0..1.0).contains(&self.clearance), "from 0 to below 1"),
            ("share", self.share, self.share > 0.0 && self.share <= 1.0, "above 0 and up to 1"),
            ("harmonics", self.harmonics as f64, (2..=20).contains(&self.harmonics), "from 2 to 20"),
            ("trials", self.trials as f64, (1..=10_000).contains(&self.trials), "from 1 to 10000"),
            ("periods", self.periods as f64, (1..=1000).contains(&self.periods), "from 1 to 1000"),
        ];
        if let Some((field, value, _, must)) = in_range.into_iter().find(|(_, _, good, _)| !good) {
            return Err(TaskError::Value { field: field.into(), value, must });
        }
        let robot = self.robot.open()?;
        let settings = ExciteSettings {
            duration: self.duration.0,
            harmonics: self.harmonics,
            trials: self.trials,
            clearance: self.clearance,
            share: self.share,
            acceleration: self.acceleration,
            seed: self.seed,
        };
        let motion = exciting_motion(&robot, &settings, handle)?;
        let steps = motion.duration * self.periods as f64 / self.sample.0;
        if steps > MOST_ROWS {
            return Err(
                TaskError::request(format!("{steps:.0} rows are too many")).or("take a longer `sample`")
            );
        }
        let recording = self.recorded(&robot, &motion, steps.round() as usize);
        if let Some(path) = &self.out {
            recording.save(path).map_err(|error| TaskError::Unusable {
                what: format!("cannot write `{}`", path.display()),
                cause: error.to_string(),
                hint: Some("let its name end in .csv, .parquet or .mcap".into()),
            })?;
        }
        let motors = robot.joints().len();
        let home = motion.at(0.0);
        let mut largest = [vec![0.0_f64; motors], vec![0.0; motors], vec![0.0; motors]];
        for k in 0..2000 {
            let now = motion.at(motion.duration * f64::from(k) / 2000.0);
            for ((largest, now), home) in
                largest.iter_mut().zip(&now).zip([&home[0], &vec![0.0; motors], &vec![0.0; motors]])
            {
                for ((largest, now), home) in largest.iter_mut().zip(now).zip(home) {
                    *largest = largest.max((now - home).abs());
                }
            }
        }
        let [excursion, speed, acceleration] = largest;
        Ok(ExciteResult {
            robot: robot.name().into(),
            base_count: motion.base_count,
            condition: motion.condition,
            first_condition: motion.first_condition,
            trials: motion.trials,
            duration: motion.duration * self.periods as f64,
            excursion,
            speed,
            acceleration,
            out: self.out.clone(),
        })
    }

    fn recorded(&self, robot: &AnyRobot, motion: &ExcitingMotion, steps: usize) -> Recording {
        let mut columns = vec![Column::time()];
        for (letters, turning, sliding) in
            [("q", "rad", "m"), ("qd", "rad/s", "m/s"), ("qdd", "rad/s^2", "m/s^2")]
        {
            let named = robot.joints().iter().enumerate();
            columns.extend(named.map(|(k, joint)| {
                Column::new(format!("{letters}{}", k + 1), if joint.slides { sliding } else { turning })
            }));
        }
        let metadata = Metadata::new();
        let metadata = match &robot.description().text {
            Some(text) => metadata.with_robot(text.to_string()),
            None => metadata,
        };
        let mut recording =
            Recording::new(&columns, &metadata).unwrap_or_else(|_| unreachable!("names differ"));
        for k in 0..=steps {
            let time = self.sample.0 * k as f64;
            let row: Vec<f64> = std::iter::once(time).chain(motion.at(time).into_iter().flatten()).collect();
            let _ = recording.push(&row);
        }
        let _ = recording.finish("end of the motion");
        recording
    }
}
