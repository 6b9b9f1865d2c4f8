//! The command line as types.

use clap::{Args, Parser, Subcommand, ValueEnum};
use legwork::ForearmModel;
use legwork::robots::delta::{Assembly, Elbow, WorkingMode};
use std::ffi::OsString;

const EXAMPLES: &str = "\
Examples:
  legwork show delta-direct-drive                     what a robot is, and a sketch
  legwork ik irb360-1600 300mm 500mm -1100mm          motor angles at a platform position
  legwork torque delta-industrial 0.1 -0.05 -0.8 --acceleration 0 0 30

ROBOT is a built-in name (`legwork robots` lists them) or a robot file.
Numbers are SI (m, rad, kg, N) or carry their unit: 100mm, -20deg.
Exit code: 0 done, 1 a check did not hold, 2 bad input.";

const STREAM: &str = "\
Without numbers, states are read from stdin, one per line, as CSV or as JSON lines:
  x [mm],y [mm],z [mm],vx,vy,vz        a header names the columns and may give units in brackets
  0.1,-0.05,-0.8,1,0,0                 without a header: x y z, vx vy vz, ax ay az, fx fy fz
  {\"position\": [0.1, -0.05, -0.8]}     or {\"x\": 0.1, \"y\": ...}; also velocity, acceleration, force
The answer is CSV, or JSON lines with --json. A line that cannot be used is reported with its number,
keeps its row in the output, and makes the exit code 2.";

const JOINT_STREAM: &str = "\
Without numbers, angles are read from stdin, one set per line, as CSV or as JSON lines:
  q1 [deg],q2 [deg],q3 [deg]           a header names the columns and may give units in brackets
  0.1,0.2,0.3                          without a header: q1 q2 q3
  {\"q\": [0.1, 0.2, 0.3]}               or {\"q1\": 0.1, ...}
The answer is CSV, or JSON lines with --json. A line that cannot be used is reported with its number,
keeps its row in the output, and makes the exit code 2.";

/// Parallel robots from the command line: kinematics, torques, and the proof that they are right
#[derive(Debug, Parser)]
#[command(name = "legwork", version, after_help = EXAMPLES, disable_help_subcommand = true)]
#[command(subcommand_value_name = "VERB", subcommand_help_heading = "Verbs")]
pub struct Cli {
    /// Print JSON with full precision, in SI units
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List the built-in robots
    Robots,
    /// Say what a robot is: sizes, masses, reach, home, and a sketch
    Show(ShowArgs),
    /// Print the JSON schema of robot files, for editors
    Schema,
    /// Inverse kinematics: motor angles at a platform position
    #[command(after_help = STREAM, override_usage = "legwork ik [OPTIONS] <ROBOT> [X Y Z]")]
    Ik(IkArgs),
    /// Forward kinematics: platform position at motor angles
    #[command(after_help = JOINT_STREAM, override_usage = "legwork fk [OPTIONS] <ROBOT> [Q1 Q2 Q3]")]
    Fk(FkArgs),
    /// Motor torques with their parts, and forces along the legs
    #[command(after_help = STREAM, override_usage = "legwork torque [OPTIONS] <ROBOT> [X Y Z]")]
    Torque(MotionArgs),
    /// Everything about a state: joints, Jacobian, singularities, masses, torques, energies
    #[command(after_help = STREAM, override_usage = "legwork state [OPTIONS] <ROBOT> [X Y Z]")]
    State(MotionArgs),
    /// Prove a model by its identities, or compare it with a golden file
    Check(CheckArgs),
    /// Print the completions of a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Built-in name or robot file
    pub robot: String,
    /// Print the robot file as it is
    #[arg(long)]
    pub toml: bool,
}

#[derive(Debug, Args)]
pub struct IkArgs {
    /// Built-in name or robot file
    pub robot: String,
    /// Platform position [m]; without it, stdin is read
    #[arg(value_name = "X Y Z")]
    pub position: Vec<String>,
    /// Every working mode
    #[arg(long, conflicts_with = "mode")]
    pub all: bool,
    /// Elbows of the legs, such as out,in,out [default: that of the robot]
    #[arg(long, value_parser = working_mode)]
    pub mode: Option<WorkingMode>,
}

#[derive(Debug, Args)]
pub struct FkArgs {
    /// Built-in name or robot file
    pub robot: String,
    /// Motor angles [rad]; without them, stdin is read
    #[arg(value_name = "Q1 Q2 Q3")]
    pub angles: Vec<String>,
    /// Both assembly modes
    #[arg(long, conflicts_with = "assembly")]
    pub all: bool,
    /// Where the platform is, seen from the elbows
    #[arg(long, default_value = "below")]
    pub assembly: Side,
}

#[derive(Debug, Args)]
pub struct MotionArgs {
    /// Built-in name or robot file
    pub robot: String,
    /// Platform position [m]; without it, stdin is read
    #[arg(value_name = "X Y Z", conflicts_with = "joints")]
    pub position: Vec<String>,
    /// Platform velocity [m/s]
    #[arg(long, num_args = 3, value_names = ["VX", "VY", "VZ"])]
    pub velocity: Vec<String>,
    /// Platform acceleration [m/s^2]
    #[arg(long, num_args = 3, value_names = ["AX", "AY", "AZ"])]
    pub acceleration: Vec<String>,
    /// Force of the environment on the platform [N]
    #[arg(long, num_args = 3, value_names = ["FX", "FY", "FZ"])]
    pub force: Vec<String>,
    /// Motor angles [rad] instead of a platform position
    #[arg(long, num_args = 3, value_names = ["Q1", "Q2", "Q3"], conflicts_with_all = ["velocity", "acceleration", "mode"])]
    pub joints: Vec<String>,
    /// Motor speeds [rad/s], with --joints
    #[arg(long, num_args = 3, value_names = ["QD1", "QD2", "QD3"], requires = "joints")]
    pub joint_velocity: Vec<String>,
    /// Motor accelerations [rad/s^2], with --joints
    #[arg(long, num_args = 3, value_names = ["QDD1", "QDD2", "QDD3"], requires = "joints")]
    pub joint_acceleration: Vec<String>,
    /// Mass on the platform [kg], instead of the payload in the robot file
    #[arg(long, value_name = "M")]
    pub payload: Option<String>,
    /// How the forearms are modelled
    #[arg(long, default_value = "complete")]
    pub model: Model,
    /// Elbows of the legs, such as out,in,out [default: that of the robot]
    #[arg(long, value_parser = working_mode)]
    pub mode: Option<WorkingMode>,
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Built-in name or robot file, or a golden file ending in .json
    #[arg(value_name = "ROBOT|FILE.json")]
    pub what: String,
    /// How many random states [default: 200]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub states: Option<u32>,
    /// Seed of the random states [default: 1998]
    #[arg(long)]
    pub seed: Option<u64>,
}

/// Assembly mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// Below the elbows, as Deltas are built
    Below,
    /// Above the elbows
    Above,
}

impl From<Side> for Assembly {
    fn from(side: Side) -> Self {
        match side {
            Side::Below => Self::Below,
            Side::Above => Self::Above,
        }
    }
}

/// How the forearms enter the torques.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// Rods, exact
    Complete,
    /// Codourey 1998: inertia 2/3 at the elbow and 1/3 at the platform, weight half and half
    Simplified,
    /// Codourey 1996: inertia and weight 2/3 and 1/3
    #[value(name = "simplified-1996")]
    Simplified1996,
    /// Ngoc and Kim 2010: inertia and weight half and half
    Halves,
}

impl Model {
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Simplified => "simplified",
            Self::Simplified1996 => "simplified-1996",
            Self::Halves => "halves",
        }
    }
}

impl From<Model> for ForearmModel {
    fn from(model: Model) -> Self {
        match model {
            Model::Complete => Self::Complete,
            Model::Simplified => Self::Simplified,
            Model::Simplified1996 => Self::Simplified1996,
            Model::Halves => Self::Halves,
        }
    }
}

/// "out,in,out", "out-in-out", or one word for all legs.
fn working_mode(text: &str) -> Result<WorkingMode, String> {
    let elbows: Option<Vec<Elbow>> = text
        .split([',', '-'])
        .map(|word| match word.trim() {
            "out" => Some(Elbow::Out),
            "in" => Some(Elbow::In),
            _ => None,
        })
        .collect();
    match elbows.as_deref() {
        Some([all]) => Ok(WorkingMode([*all; 3])),
        Some([first, second, third]) => Ok(WorkingMode([*first, *second, *third])),
        _ => Err("give `out` or `in` for each of the three legs, such as out,in,out".into()),
    }
}

/// A negative number is a value and not a flag, with or without a unit: its minus
/// becomes the sign U+2212, which units are read with too.
pub fn keep_negative(argument: OsString) -> OsString {
    let negative = argument.to_str().and_then(|text| text.strip_prefix('-')).filter(|rest| {
        let number = |c: char| c.is_ascii_digit() || c == '.';
        rest.starts_with(number) || ["inf", "infinity", "nan"].contains(&rest.to_lowercase().as_str())
    });
    match negative {
        Some(rest) => format!("\u{2212}{rest}").into(),
        None => argument,
    }
}
