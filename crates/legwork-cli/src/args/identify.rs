//! The arguments of `legwork identify` and `legwork excite`.

use super::typed::{frequency, time};
use clap::Args;
use legwork::task::{Frequency, RobotRequest, Time};
use legwork_identify::dynamics::{ExciteRequest, IdentifyRequest};
use std::path::PathBuf;

pub const HELP: &str = "\
Examples:
  legwork excite delta.toml --out motion.csv          a motion to record
  legwork identify delta.toml run1.csv                what its efforts tell, with standard deviations
  legwork identify delta.toml run1.csv --validate run2.csv --out identified.toml --report identified.html
  legwork identify delta.toml run.parquet --motor-constant 0.12 --position-unit deg
  legwork identify delta.toml empty.csv --payload loaded.csv

A log has time, the place and the effort or current of every motor, in columns that people name as they like: t or
time_ms; q1, pos_1 [deg], joint2.position; tau1, torque_3, effort[0]; i1_mA, current_2 [A]. A column says its unit in
its name; without one it is SI. Currents need --motor-constant and count in front of the gear, torques behind it.
The robot file needs masses, rough ones are enough: what no motion tells stays as it is there, and is named.
Exit code: 0 done, 2 bad input.";

pub const EXCITE_HELP: &str = "\
Examples:
  legwork excite delta-industrial --out motion.csv
  legwork simulate delta-industrial --motion motion.csv --lag 2ms --out run.csv
  legwork excite gough-stewart --duration 8s --trials 200 --seed 3 --out motion.csv

The motion begins and ends at home, at rest. It keeps the limits of the robot file and a distance from singularities.";

#[derive(Debug, Args)]
pub struct IdentifyArgs {
    /// Built-in name or robot file, with masses
    pub robot: String,
    /// Logs to identify from (.csv, .parquet, .mcap)
    #[arg(value_name = "LOG", required = true)]
    pub logs: Vec<PathBuf>,
    /// A log that is not used, to see how well its efforts are predicted; may be given again
    #[arg(long, value_name = "LOG")]
    pub validate: Vec<PathBuf>,
    /// A log with something on the platform, whose mass is found; may be given again
    #[arg(long, value_name = "LOG")]
    pub payload: Vec<PathBuf>,
    /// Torque or force for one ampere at the motor [N m/A or N/A]; one, or one for each motor
    #[arg(long, value_name = "K", num_args = 1.., allow_negative_numbers = true)]
    pub motor_constant: Vec<f64>,
    /// Torques count at the motor's shaft, in front of the gear
    #[arg(long)]
    pub at_motor: bool,
    /// Unit of places whose columns do not say it [default: rad or m]
    #[arg(long, value_name = "UNIT")]
    pub position_unit: Option<String>,
    /// Counts of the encoders for one turn of the joint, gear included, or for one metre of one that slides
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub counts_per_turn: Option<f64>,
    /// Unit of efforts or currents whose columns do not say it [default: N m, N or A]
    #[arg(long, value_name = "UNIT")]
    pub effort_unit: Option<String>,
    /// Letters of the columns of efforts where there are several, as `u`
    #[arg(long, value_name = "LETTERS")]
    pub effort_columns: Option<String>,
    /// Cut-off of the low pass [Hz] [default: ten times the highest frequency of the motion]
    #[arg(long, value_name = "F", value_parser = frequency)]
    pub cut_off: Option<Frequency>,
    /// Lag of the drives [s] [default: estimated]
    #[arg(long, value_name = "T", value_parser = time)]
    pub lag: Option<Time>,
    /// Legs may differ: each has bodies of its own
    #[arg(long)]
    pub separate_legs: bool,
    /// Do not doubt the units of efforts
    #[arg(long)]
    pub any_scale: bool,
    /// Of the random states that tell the base parameters [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Write the robot file with what was found
    #[arg(long, value_name = "FILE.toml")]
    pub out: Option<PathBuf>,
    /// Write a page with tables and plots
    #[cfg(feature = "studio")]
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
}

impl IdentifyArgs {
    pub fn request(&self) -> IdentifyRequest {
        #[cfg(feature = "studio")]
        let report = self.report.clone();
        #[cfg(not(feature = "studio"))]
        let report = None;
        IdentifyRequest {
            robot: RobotRequest::named(&self.robot),
            logs: self.logs.clone(),
            validate: self.validate.clone(),
            payload_logs: self.payload.clone(),
            motor_constant: self.motor_constant.clone(),
            at_motor: self.at_motor,
            position_unit: self.position_unit.clone(),
            counts_per_turn: self.counts_per_turn,
            effort_unit: self.effort_unit.clone(),
            effort_columns: self.effort_columns.clone(),
            cut_off: self.cut_off,
            lag: self.lag,
            separate_legs: self.separate_legs,
            any_scale: self.any_scale,
            seed: self.seed.unwrap_or_default(),
            out: self.out.clone(),
            report,
        }
    }
}

#[derive(Debug, Args)]
pub struct ExciteArgs {
    /// Built-in name or robot file, with masses
    pub robot: String,
    /// One period [s] [default: 4s]
    #[arg(long, value_name = "T", value_parser = time)]
    pub duration: Option<Time>,
    /// Sines of each motor [default: 5]
    #[arg(long, value_name = "N")]
    pub harmonics: Option<usize>,
    /// Motions that are tried [default: 60]
    #[arg(long, value_name = "N")]
    pub trials: Option<usize>,
    /// Smallest distance from parallel singularities, as a part of that at home [default: 0.3]
    #[arg(long, value_name = "PART")]
    pub clearance: Option<f64>,
    /// Part of the limits of speed and effort that is used [default: 0.8]
    #[arg(long, value_name = "PART")]
    pub share: Option<f64>,
    /// Largest acceleration of motors that turn [rad/s^2]; of slides, in lengths of the robot [default: 4 g over its length]
    #[arg(long, value_name = "A")]
    pub acceleration: Option<f64>,
    /// The same seed gives the same motion [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Time between rows [s] [default: 5ms]
    #[arg(long, value_name = "T", value_parser = time)]
    pub sample: Option<Time>,
    /// How many periods are written [default: 3]
    #[arg(long, value_name = "N")]
    pub periods: Option<usize>,
    /// Write the motion (.csv, .parquet, .mcap)
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

impl ExciteArgs {
    pub fn request(&self) -> ExciteRequest {
        let usual = ExciteRequest::default();
        ExciteRequest {
            robot: RobotRequest::named(&self.robot),
            duration: self.duration.unwrap_or(usual.duration),
            harmonics: self.harmonics.unwrap_or(usual.harmonics),
            trials: self.trials.unwrap_or(usual.trials),
            clearance: self.clearance.unwrap_or(usual.clearance),
            share: self.share.unwrap_or(usual.share),
            acceleration: self.acceleration,
            seed: self.seed.unwrap_or(usual.seed),
            sample: self.sample.unwrap_or(usual.sample),
            periods: self.periods.unwrap_or(usual.periods),
            out: self.out.clone(),
        }
    }
}
