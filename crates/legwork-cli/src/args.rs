//! The command line as types.

mod analysis;
mod calibrate;
mod codegen;
mod experiment;
mod held;
mod identify;
mod map;
mod plan;
mod plant;
mod reproduce;
mod simulate;
mod size;
mod typed;

pub use analysis::{CoordinateChoice, EffectChoice, LinearForm, LinearizeArgs, SensitivityArgs};
pub use calibrate::{CalibrateArgs, CriterionChoice, SetChoice};
pub use codegen::CodegenArgs;
pub use experiment::{ControllerArgs, PathArgs, RouteArgs, RowsArgs, TimingArgs};
pub use held::HeldArgs;
pub use identify::{ExciteArgs, IdentifyArgs};
pub use map::MapArgs;
pub use plan::{CycleArgs, EndArgs, FileArgs, LimitArgs, LoadArgs, PlanArgs, checked_page};
pub use plant::PlantArgs;
pub use reproduce::ReproduceArgs;
pub use simulate::SimulateArgs;
pub use size::SizeArgs;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Args, Command, CommandFactory, Parser, Subcommand, ValueEnum};
use legwork::ForearmModel;
use legwork::description::BUILT_IN;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

const EXAMPLES: &str = "\
Examples:
  legwork show delta-direct-drive                     what a robot is, and a sketch
  legwork ik irb360-1600 300mm 500mm -1100mm          motor angles at a platform position
  legwork ik gough-stewart 0 0 900mm 10deg 0 0        leg lengths at a pose
  legwork torque delta-industrial 0.1 -0.05 -0.8 --acceleration 0 0 30
  legwork simulate                                    four regulators on a fast path, side by side
  legwork simulate delta-industrial --from 0.15 -0.1 -0.72 --out swing.parquet
  legwork map delta-direct-drive condition --out map.svg
  legwork report swing.parquet --out swing.html       plots and the robot moving, in a browser

ROBOT is a built-in name (`legwork robots` lists them) or a robot file.
Numbers are SI (m, rad, kg, N) or carry their unit: 100mm, -20deg.
The coordinates of a platform are those it is free in: X Y Z, in a plane X Y or X Y [ANGLE], with six freedoms
X Y Z [ROLL PITCH YAW]: turned about x, then y, then z, the fixed axes of the base.
Exit code: 0 done, 1 a check did not hold or a run stopped early, 2 bad input,
130 interrupted (143 by SIGTERM, 129 by SIGHUP).";

const STREAM: &str = "\
Without numbers, states are read from stdin, one per line, as CSV or as JSON lines:
  x [mm],y [mm],z [mm],vx,vy,vz        a header names the columns and may give units in brackets
  0.1,-0.05,-0.8,1,0,0                 without a header: coordinates, velocity, acceleration, force
  {\"position\": [0.1, -0.05, -0.8]}     or {\"x\": 0.1, \"y\": ...}; also velocity, acceleration, force
Columns: x y z, vx vy vz, ax ay az, fx fy fz; if the platform turns also its orientation roll pitch yaw (angle in a
plane; or a quaternion qw qx qy qz), its angular velocity wx wy wz, its angular acceleration bx by bz, and the moment
mx my mz about the platform point; all in the axes of the base, or of the cell if the file has one. In JSON also
orientation, quaternion_wxyz, rotation, angular_velocity, angular_acceleration, moment.
The answer is CSV, or JSON lines with --json. A line that cannot be used is reported with its number,
keeps its row in the output, and makes the exit code 2.";

const JOINT_STREAM: &str = "\
Without numbers, joint values are read from stdin, one set per line, as CSV or as JSON lines:
  q1 [deg],q2 [deg],q3 [deg]           a header names the columns and may give units in brackets
  0.1,0.2,0.3                          without a header: q1 q2 q3 ...
  {\"q\": [0.1, 0.2, 0.3]}               or {\"q1\": 0.1, ...}
The answer is CSV, or JSON lines with --json. A line that cannot be used is reported with its number,
keeps its row in the output, and makes the exit code 2.";

/// Parallel robots from the command line: kinematics, torques, and the proof that they are right
#[derive(Debug, Parser)]
#[command(name = "legwork", version, after_help = EXAMPLES, )]
#[command(subcommand_value_name = "VERB", subcommand_help_heading = "Verbs")]
pub struct Cli {
    /// Print JSON with full precision, in SI units
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// The command line. An option is given once, also one that takes several numbers: the second one would be added to
/// the first, or replace it. Those that may be repeated say so in their help.
pub fn command() -> Command {
    let once = |argument: Arg| {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let adds = matches!(argument.get_action(), ArgAction::Append) && argument.get_long().is_some();
        let repeats = help.contains("may be repeated") || help.contains("may be given again");
        if adds && !repeats { argument.action(ArgAction::Set) } else { argument }
    };
    Cli::command().mut_subcommands(|verb| verb.mut_args(once))
}

/// What is meant by an argument that a verb has under another name.
fn other_word(verb: &str, argument: &str) -> Option<String> {
    let is_number = argument.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit());
    let hint = match (verb, argument) {
        ("ik" | "fk" | "torque" | "state" | "acceleration", "--csv" | "--file" | "--input") => {
            format!("states in a file are read from stdin: `legwork {verb} ROBOT < FILE.csv`")
        }
        ("acceleration", "--torque" | "--torques" | "--tau") => {
            "torques and forces of the motors are `--effort`".into()
        }
        ("linearize" | "sensitivity", _) if is_number => "a pose is given with `--pose X Y Z`".into(),
        ("plan" | "size" | "simulate", _) if is_number => "poses are given with `--from` and `--to`".into(),
        ("map", _) if is_number => "coordinates are given with `--x`, `--y` and `--z`".into(),
        _ => return None,
    };
    Some(hint)
}

/// The words that started the program: those of the process, or what a front end passed on.
static WORDS: RwLock<Vec<OsString>> = RwLock::new(Vec::new());

/// Keeps the words of the command line for messages, and gives them back.
pub fn keep(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let words: Vec<OsString> = words.into_iter().collect();
    WORDS.write().unwrap_or_else(PoisonError::into_inner).clone_from(&words);
    words
}

/// The words that started the program, its own name first, as people read them.
pub fn words() -> Vec<String> {
    let words = WORDS.read().unwrap_or_else(PoisonError::into_inner);
    words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// What a command line that cannot be read may have meant.
pub fn way_out(error: &clap::Error) -> Option<String> {
    let word = |kind: ContextKind| match error.get(kind)? {
        ContextValue::String(word) => Some(word.clone()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let first = word(ContextKind::InvalidArg)?;
            let words = words();
            if let Some(hint) = other_word(words.get(1).map_or("", String::as_str), &first) {
                return Some(hint);
            }
            let mut given = words.iter().skip(1).filter(|arg| arg.len() > 2 && !arg.starts_with("--"));
            let whole = given.find(|arg| arg.starts_with(&first) && first.starts_with('-'))?;
            Some(format!("an option has two dashes: `-{whole}`"))
        }
        ErrorKind::InvalidSubcommand => {
            let robot = word(ContextKind::InvalidSubcommand)?;
            let is_robot = BUILT_IN.iter().any(|known| known.name == robot) || Path::new(&robot).exists();
            if is_robot {
                return Some(format!("a verb comes first, such as `legwork show {robot}`"));
            }
            // clap has its own words for a verb that is nearly one, but not behind `help`.
            let verbs = command();
            let names = verbs.get_subcommands().map(Command::get_name);
            let behind_help = words().get(1).is_some_and(|word| word == "help");
            let near = legwork::description::nearest_word(&robot, names).filter(|_| behind_help);
            match (near, behind_help) {
                (Some(verb), _) => Some(format!("did you mean `legwork help {verb}`?")),
                (None, true) => Some("`legwork help` lists the verbs".into()),
                (None, false) => None,
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let ContextValue::Strings(missing) = error.get(ContextKind::InvalidArg)? else { return None };
            if missing.iter().any(|name| name.contains("QUANTITY")) {
                return Some("say what to map, such as `legwork map ROBOT condition`; `legwork help map` lists them all".into());
            }
            let robot = missing.iter().any(|name| name.contains("ROBOT"));
            robot.then(|| "`legwork robots` lists the built-in robots; a robot file will do too".into())
        }
        _ => None,
    }
}

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List the built-in robots
    Robots,
    /// Say what a robot is: sizes, masses, reach, home, and a sketch
    Show(ShowArgs),
    /// Print the JSON schema of robot files or of requests, for editors
    Schema {
        /// That of requests, for `legwork run`
        #[arg(long)]
        request: bool,
    },
    /// Inverse kinematics: joint values at a platform position
    #[command(after_help = STREAM, override_usage = "legwork ik [OPTIONS] <ROBOT> [COORDINATES]")]
    Ik(IkArgs),
    /// Forward kinematics: where the platform is at joint values
    #[command(after_help = JOINT_STREAM, override_usage = "legwork fk [OPTIONS] <ROBOT> [JOINTS]")]
    Fk(FkArgs),
    /// Motor torques or forces with their parts, and the forces of the legs
    #[command(after_help = STREAM, override_usage = "legwork torque [OPTIONS] <ROBOT> [COORDINATES]")]
    Torque(MotionArgs),
    /// Everything about a state: joints, Jacobian, singularities, masses, torques, energies
    #[command(after_help = STREAM, override_usage = "legwork state [OPTIONS] <ROBOT> [COORDINATES]")]
    State(StateArgs),
    /// Direct dynamics: how platform and joints accelerate under given motor torques or forces
    #[command(after_help = STREAM, override_usage = "legwork acceleration [OPTIONS] <ROBOT> [COORDINATES] --effort <E>...")]
    Acceleration(AccelerationArgs),
    /// Move a robot in time: under given motor torques or forces, or along a path by regulators
    #[command(after_help = simulate::HELP, override_usage = "legwork simulate [OPTIONS] [ROBOT]")]
    Simulate(Box<SimulateArgs>),
    /// The fastest motion along a path under the limits of the motors
    #[command(after_help = plan::HELP, override_usage = "legwork plan [OPTIONS] <ROBOT>")]
    Plan(Box<PlanArgs>),
    /// What a cycle asks of the motors, and which motors of a table can do it
    #[command(after_help = size::HELP, override_usage = "legwork size [OPTIONS] <ROBOT>")]
    Size(Box<SizeArgs>),
    /// Run a request from a file, or what a recording came from again
    #[command(after_help = RUN_HELP)]
    Run(RunArgs),
    /// A field over the workspace: reach, condition, masses, torques; as a table or a picture
    #[command(after_help = map::HELP, override_usage = "legwork map [OPTIONS] <ROBOT> <QUANTITY>")]
    Map(Box<MapArgs>),
    /// Small motions about a pose: poles, modes, stability, regulators
    #[command(after_help = analysis::LINEARIZE_HELP, override_usage = "legwork linearize [OPTIONS] <ROBOT>")]
    Linearize(Box<LinearizeArgs>),
    /// Which parameters move a result, and how much
    #[command(after_help = analysis::SENSITIVITY_HELP, override_usage = "legwork sensitivity [OPTIONS] <ROBOT>")]
    Sensitivity(Box<SensitivityArgs>),
    /// The geometry of a real robot from what was measured on it, and how sure its platform is
    #[command(after_help = calibrate::HELP, override_usage = "legwork calibrate [OPTIONS] <ROBOT> [MEASUREMENTS]")]
    Calibrate(Box<CalibrateArgs>),
    /// Masses, inertias, friction and offsets of the real machine from logs of its motors
    #[command(after_help = identify::HELP, override_usage = "legwork identify [OPTIONS] <ROBOT> <LOG>...")]
    Identify(Box<IdentifyArgs>),
    /// A motion that tells much about masses and friction, to be recorded for `identify`
    #[command(after_help = identify::EXCITE_HELP, override_usage = "legwork excite [OPTIONS] <ROBOT>")]
    Excite(ExciteArgs),
    /// How long the calls of a robot take on this machine, beside those of 1998
    Time(TimeArgs),
    /// Make the recording of a killed run readable for every program
    #[command(after_help = RECOVER_HELP)]
    Recover(RecoverArgs),
    /// A robot file from MJCF, URDF or SDF, or from the settings of a controller: Klipper, LinuxCNC, Marlin, grblHAL
    #[command(after_help = IMPORT_HELP)]
    Import(ImportArgs),
    /// A robot as MJCF, URDF, SDF, FMU or a LinuxCNC module, or settings of Klipper, LinuxCNC, Marlin, grblHAL
    #[command(after_help = EXPORT_HELP)]
    Export(ExportArgs),
    /// Code for a controller: kinematics, dynamics and regulators as C, Rust or Structured Text
    #[command(after_help = codegen::HELP)]
    Codegen(CodegenArgs),
    /// All joints along a recording, those without a motor too, for RViz and Foxglove: lines of JSON, or MCAP
    #[command(after_help = JOINT_STATES_HELP)]
    JointStates(JointStatesArgs),
    /// Move a robot by hand in a browser: torques, limits, modes, maps and runs, in one page without a server
    #[cfg(feature = "studio")]
    #[command(after_help = STUDIO_HELP)]
    Studio(StudioArgs),
    /// Make a page of recordings: plots to zoom, the robot moving, tables, in one HTML file
    #[cfg(feature = "studio")]
    Report(ReportArgs),
    /// Compute the figures, tables and claims of five papers again, and their errata
    #[command(after_help = reproduce::HELP)]
    Reproduce(ReproduceArgs),
    /// Prove a model by its identities, or compare it with a golden file
    Check(CheckArgs),
    /// Print the completions of a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

const RUN_HELP: &str = "\
Examples:
  legwork run swing.toml                              a request: `task = \"simulate\"` and what differs from the defaults
  legwork run run.parquet --out again.parquet         what a recording came from again, to the bit
  legwork run run.parquet --show > request.toml       the request alone, with the robot in it

Every recording of legwork carries the request that made it and the robot as it was.
Exit code: as that of the verb of the task.";

#[derive(Debug, Args)]
pub struct RunArgs {
    /// A request (.toml, .json) or a recording (.csv, .parquet, .mcap)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write samples or the motion to this file instead of where the request says
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print the request as TOML and do not run it
    #[arg(long)]
    pub show: bool,
}

#[derive(Debug, Args)]
pub struct TimeArgs {
    /// Built-in name or robot file
    pub robot: String,
}

const IMPORT_HELP: &str = "\
Examples:
  legwork import printer.cfg --out printer.toml       Klipper: `delta` and `rotary_delta`
  legwork import machine.ini machine.hal              LinuxCNC: `lineardeltakins`, `rotarydeltakins`, `genhexkins`
  legwork import Configuration.h                      Marlin: a Delta; the answer to M503 will do too
  legwork import settings.txt                         grblHAL: the answer to $$
  legwork import robot.xml --out robot.toml           MuJoCo's MJCF; loops are `connect` and `weld`
  legwork import robot.urdf robot.yaml                URDF with its loops: `<constraint>`, or a YAML file beside it
  legwork import robot.sdf --platform tool            SDF, with joints that form loops or Drake's ball constraints

Of MJCF, URDF and SDF bodies with their inertia, joints, limits, motors and loops are taken over. Of settings the geometry, limits and home position are taken over; comments on top of the robot file say what was left out.
Settings have no masses: add them for torques.";

const EXPORT_HELP: &str = "\
Examples:
  legwork export mjcf gough-stewart --out robot.xml   for MuJoCo: loops as `connect` and `weld`, home as a key frame
  legwork export urdf gough-stewart --out robot.urdf  and robot.yaml, its loops for Pinocchio and Gepetto's toolbox
  legwork export sdf gough-stewart --out robot.sdf    for Drake: loops as ball constraints
  legwork export fmu delta-industrial                 delta_industrial.fmu: FMI 2.0, model exchange and co-simulation
  legwork export fmu five-bar --fmi 3.0 --regulator model   references in, the regulator inside
  legwork export linuxcnc-component five-bar --out fivebarkins.c    a kinematics module for LinuxCNC
  legwork export delta-industrial --system linuxcnc   the settings of a controller";

const JOINT_STATES_HELP: &str = "\
Examples:
  legwork joint-states run.parquet                    a line of JSON for each row: sensor_msgs/msg/JointState
  legwork joint-states run.csv --out joints.mcap      for Foxglove and ros2 tools: topic /joint_states

Names are those of `legwork export urdf`. Recordings are what `--out` of simulate and plan writes.";

#[derive(Debug, Args)]
pub struct JointStatesArgs {
    /// A recording that carries its robot (.csv, .parquet, .mcap)
    #[arg(value_name = "RECORDING")]
    pub recording: PathBuf,
    /// Write them here instead of printing them: .mcap, or lines of JSON
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The files; settings complete each other, and a YAML file has the loops of a URDF
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Whose settings: klipper, linuxcnc, marlin or grblhal; found out if it is not said
    #[arg(long, value_name = "NAME")]
    pub system: Option<String>,
    /// Unit of LinuxCNC's lengths where no file says it: mm or inch
    #[arg(long, value_name = "UNIT")]
    pub units: Option<String>,
    /// Take the mean of lengths that a rotary Delta has once and the settings for each leg
    #[arg(long)]
    pub mean: bool,
    /// Of MJCF, URDF and SDF: the body whose motion counts, where the file does not say it
    #[arg(long, value_name = "BODY")]
    pub platform: Option<String>,
    /// Of MJCF, URDF and SDF: the joints that motors drive, in their order, instead of what the file says
    #[arg(long, value_name = "JOINT", value_delimiter = ',')]
    pub motors: Vec<String>,
    /// Write the robot file here instead of printing it
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// mjcf, urdf, sdf, fmu or linuxcnc-component, then the robot: a built-in name or a robot file
    #[arg(value_names = ["FORMAT", "ROBOT"], num_args = 1..=2, required = true)]
    pub words: Vec<String>,
    /// Instead of a format whose settings: klipper, linuxcnc, marlin or grblhal
    #[arg(long, value_name = "NAME")]
    pub system: Option<String>,
    /// Write the file here instead of printing it; of a URDF its loops beside it, with the ending .yaml
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Of an FMU the standard: 2.0 (default) or 3.0
    #[arg(long, value_name = "VERSION")]
    pub fmi: Option<String>,
    /// Of an FMU a regulator inside: the inputs are then references, not efforts
    #[arg(long, value_name = "NAME")]
    pub regulator: Option<String>,
    /// Of an FMU the shared library of legwork [default: LEGWORK_LIBRARY, else beside the program]
    #[arg(long, value_name = "FILE")]
    pub library: Option<PathBuf>,
}

const RECOVER_HELP: &str = "\
Examples:
  legwork recover run.parquet                         in place: the old file is replaced when the new one is whole
  legwork recover run.mcap --out whole.mcap           the old file stays as it is

A run that is killed leaves a recording up to its last block, at most a second before its end. legwork reads it as
it is, and so does every program that reads CSV, unless the kill came within a line: this cuts such a line off.
Parquet, and MCAP for most programs, need their table of contents at the end of the file, which a killed run has not
written: this writes it. The metadata of run.csv is in run.csv-metadata.json; keep them together.";

#[derive(Debug, Args)]
pub struct RecoverArgs {
    /// A recording that a killed run left (.csv, .parquet, .mcap)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write to this file and leave the other as it is
    #[arg(long, value_name = "NEW")]
    pub out: Option<PathBuf>,
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
    /// Where the platform is [m, rad]: X Y Z [ROLL PITCH YAW], in a plane X Y [ANGLE]; without it, stdin is read
    #[arg(value_name = "COORDINATES")]
    pub position: Vec<String>,
    /// Orientation of the platform as a quaternion, instead of angles
    #[arg(long, num_args = 4, value_names = ["W", "X", "Y", "Z"])]
    pub quaternion: Vec<String>,
    /// Every working mode
    #[arg(long, conflicts_with = "mode")]
    pub all: bool,
    /// In a stream of poses, go on from the pose of the line before, for robots whose joints have to be followed
    #[arg(long, conflicts_with = "all")]
    pub follow: bool,
    /// The way of each leg that has two, such as out,in,out, or one word for all [default: that of the robot]
    #[arg(long)]
    pub mode: Option<String>,
    #[command(flatten)]
    pub held: HeldArgs,
    #[command(flatten)]
    pub units: UnitArgs,
}

#[derive(Debug, Args)]
pub struct FkArgs {
    /// Built-in name or robot file
    pub robot: String,
    /// Joint values [rad, m]; without them, stdin is read
    #[arg(value_name = "JOINTS")]
    pub joints: Vec<String>,
    /// Every assembly mode: both of a Delta; of other robots those found from many starts
    #[arg(long, conflicts_with_all = ["assembly", "near", "follow"])]
    pub all: bool,
    /// Where the platform of a Delta is, seen from the elbows [default: below]
    #[arg(long)]
    pub assembly: Option<Side>,
    #[command(flatten)]
    pub start: StartArgs,
    #[command(flatten)]
    pub units: UnitArgs,
}

#[derive(Debug, Args)]
pub struct MotionArgs {
    /// Built-in name or robot file
    pub robot: String,
    /// Where the platform is [m, rad]: X Y Z [ROLL PITCH YAW], in a plane X Y [ANGLE]; without it, stdin is read
    #[arg(value_name = "COORDINATES", conflicts_with = "joints")]
    pub position: Vec<String>,
    /// Orientation of the platform as a quaternion, instead of angles
    #[arg(long, num_args = 4, value_names = ["W", "X", "Y", "Z"], conflicts_with = "joints")]
    pub quaternion: Vec<String>,
    /// Platform velocity, VX VY VZ [m/s], then WX WY WZ [rad/s] if it turns
    #[arg(long, num_args = 1.., value_name = "V")]
    pub velocity: Vec<String>,
    /// Platform acceleration, AX AY AZ [m/s^2], then angular BX BY BZ [rad/s^2] if it turns
    #[arg(long, num_args = 1.., value_name = "A")]
    pub acceleration: Vec<String>,
    /// Force of the environment on the platform, FX FY FZ [N], then its moment MX MY MZ [N m] about the platform point if it turns
    #[arg(long, num_args = 1.., value_name = "F")]
    pub force: Vec<String>,
    /// Velocity of a base that moves, VX VY VZ [m/s], which has no effect on efforts, then WX WY WZ [rad/s], in its own axes; the platform's is relative to it
    #[arg(long, num_args = 1.., value_name = "V")]
    pub base_velocity: Vec<String>,
    /// Acceleration of a base that moves, AX AY AZ [m/s^2] of its origin, then angular BX BY BZ [rad/s^2]
    #[arg(long, num_args = 1.., value_name = "A")]
    pub base_acceleration: Vec<String>,
    /// Joint values [rad, m] instead of a platform position
    #[arg(long, num_args = 1.., value_name = "Q", conflicts_with_all = ["velocity", "acceleration", "mode"])]
    pub joints: Vec<String>,
    /// Joint speeds [rad/s, m/s], with --joints
    #[arg(long, num_args = 1.., value_name = "QD", requires = "joints")]
    pub joint_velocity: Vec<String>,
    /// Joint accelerations [rad/s^2, m/s^2], with --joints
    #[arg(long, num_args = 1.., value_name = "QDD", requires = "joints")]
    pub joint_acceleration: Vec<String>,
    #[command(flatten)]
    pub start: StartArgs,
    /// Mass on the platform [kg], instead of the payload in the robot file
    #[arg(long, value_name = "M")]
    pub payload: Option<String>,
    /// With more motors than freedoms: what the torque or force of each motor counts; the sum of weighted squares is least
    #[arg(long, num_args = 1.., value_name = "W")]
    pub effort_weights: Vec<String>,
    /// With more motors than freedoms: the torque or force that each motor should have [N m, N], as far as the motion leaves a choice
    #[arg(long, num_args = 1.., value_name = "E", allow_hyphen_values = true)]
    pub preload: Vec<String>,
    /// How the forearms of a Delta are modelled
    #[arg(long, default_value = "complete")]
    pub model: Model,
    /// The way of each leg that has two, such as out,in,out, or one word for all [default: that of the robot]
    #[arg(long)]
    pub mode: Option<String>,
    #[command(flatten)]
    pub held: HeldArgs,
    #[command(flatten)]
    pub units: UnitArgs,
}

#[derive(Debug, Args)]
pub struct StateArgs {
    #[command(flatten)]
    pub motion: MotionArgs,
    /// Also what the papers call the parts of a Delta's equations: theta, J_x, J_q, J rate, numerical J, multipliers
    #[arg(long)]
    pub papers: bool,
    /// Step of the numerical Jacobian [rad], with --papers [default: 1e-7]
    #[arg(long, value_name = "DELTA", requires = "papers")]
    pub difference: Option<String>,
}

#[derive(Debug, Args)]
pub struct AccelerationArgs {
    #[command(flatten)]
    pub motion: MotionArgs,
    /// Torque or force of each motor [N m, N]
    #[arg(long, num_args = 1.., value_name = "E", conflicts_with_all = ["acceleration", "joint_acceleration"])]
    pub effort: Vec<String>,
}

/// Units of numbers.
#[derive(Debug, Args)]
pub struct UnitArgs {
    /// Units of numbers without one, and of CSV and JSON that are printed: mm,deg [default: m,rad]
    #[arg(long, value_name = "UNITS")]
    pub units: Option<String>,
}

/// Where a robot without closed-form forward kinematics is sought.
#[derive(Debug, Args)]
pub struct StartArgs {
    /// Coordinates from which the platform is sought, for robots other than a Delta [default: home]
    #[arg(long, num_args = 1.., value_name = "COORDINATES")]
    pub near: Vec<String>,
    /// In a stream of joint values, start at the pose of the line before
    #[arg(long)]
    pub follow: bool,
}

#[cfg(feature = "studio")]
const STUDIO_HELP: &str = "\
Examples:
  legwork studio                                      the robot of Codourey 1998, in a browser
  legwork studio my-robot.toml                        a robot of your own
  legwork studio gough-stewart --out studio.html      as one file to mail or to keep

The page holds the whole library. It needs no server and no network, and nothing leaves the machine.";

#[cfg(feature = "studio")]
#[derive(Debug, Args)]
pub struct StudioArgs {
    /// Built-in name or robot file to begin with
    pub robot: Option<String>,
    /// Write the page to this file and open no browser [default: a file for this run, opened]
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
}

#[cfg(feature = "studio")]
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Files that `legwork simulate --out` wrote; several are shown over the same axes
    #[arg(required = true, value_name = "RECORDING")]
    pub recordings: Vec<PathBuf>,
    /// Write the page to this file
    #[arg(long, value_name = "FILE.html")]
    pub out: PathBuf,
    /// Heading of the page [default: the robot and the names of the files]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// A page without a script: plots are pictures, the robot does not move
    #[arg(long = "static")]
    pub is_static: bool,
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

impl Side {
    /// As the library names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Below => "below",
            Self::Above => "above",
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

impl Model {
    /// The model, if it is not the exact one.
    pub fn changed(self) -> Option<ForearmModel> {
        (self != Self::Complete).then(|| self.into())
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
