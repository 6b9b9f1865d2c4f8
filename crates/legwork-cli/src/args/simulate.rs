//! The arguments of `legwork simulate`.

use super::{ControllerArgs, PathArgs, PlantArgs};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

pub const HELP: &str = "\
Examples:
  legwork simulate                                    four regulators of Codourey 1998 side by side
  legwork simulate --regulator pd model-shifted --known-error mass=10 motor=10 --out run.parquet
  legwork simulate gough-stewart --path line --from -0.1 0 0.8 --to 0.1 0 0.85 --regulator platform
  legwork simulate delta-industrial --from 0.15 -0.1 -0.72 --duration 2s --out swing.parquet
  legwork simulate gough-stewart --hold --velocity 0.1 0 0 --sample 1ms --out push.mcap
  legwork simulate delta-industrial --efforts torques.csv --between linear --formulation projected
  legwork simulate delta-industrial --lag 2ms --friction 0.2 0.1Nm --pick 0.2s:1.5kg --put 0.6s --stops 20000 0.2

Without a robot, or with an option of the path or of the controller, a regulator follows a path: errors are taken against
the reference that its feedback is given, over the whole run. With several regulators --out writes a file for each, its
name before the dot: run-pd.parquet. Otherwise the motors hold the robot at home unless --effort, --hold, --hold-at or --efforts says otherwise.
A file of efforts has the columns t and e1 e2 ... (or tau1 tau2 ..., as --out writes them), one for each motor;
a unit may follow in brackets: `t [ms],e1 [N m]`. Before its first row and after its last one those rows hold.
--out writes every sample as it is computed; a run that is killed leaves a readable file. Ctrl-C ends a run at its
next sample and keeps what was computed; a second one ends it at once. Where motors do not just give what they are
told, tau1 tau2 ... are what they give and u1 u2 ... what they are told. The work of a run includes the energy that a
picked-up mass brings along.
Exit code: 0 the run reached its end, 1 the robot could not go on (singular, out of reach, a fault of
the controller), 2 bad input, 130 Ctrl-C.";

#[derive(Debug, Args)]
pub struct SimulateArgs {
    /// Built-in name or robot file [default: delta-direct-drive, following a path]
    pub robot: Option<String>,
    /// Where the platform starts [m, rad]: X Y Z [ROLL PITCH YAW], in a plane X Y [ANGLE] [default: home]
    #[arg(long, num_args = 1.., value_name = "COORDINATES", help_heading = "Start")]
    pub from: Vec<String>,
    /// Orientation of the platform at the start as a quaternion, instead of angles
    #[arg(long, num_args = 4, value_names = ["W", "X", "Y", "Z"], requires = "from", help_heading = "Start")]
    pub quaternion: Vec<String>,
    /// Platform velocity at the start, VX VY VZ [m/s], then WX WY WZ [rad/s] if it turns [default: at rest]
    #[arg(long, num_args = 1.., value_name = "V", help_heading = "Start")]
    pub velocity: Vec<String>,
    /// The way of each leg that has two, such as out,in,out, or one word for all [default: that of the robot]
    #[arg(long, help_heading = "Start")]
    pub mode: Option<String>,
    /// How long [s] [default: 1s]
    #[arg(long, value_name = "T")]
    pub duration: Option<String>,
    /// Time from one sample to the next [s] [default: 10ms; along a path that of the controller]
    #[arg(long, value_name = "T")]
    pub sample: Option<String>,
    /// The same motor torques [N m] or forces [N] all the time
    #[arg(long, num_args = 1.., value_name = "N", conflicts_with_all = ["hold", "hold_at", "efforts"], help_heading = "Commands to the motors")]
    pub effort: Vec<String>,
    /// The motor torques or forces that would hold the robot at the start
    #[arg(long, conflicts_with_all = ["efforts"], help_heading = "Commands to the motors")]
    pub hold: bool,
    /// Those that would hold it at this pose [default: home]
    #[arg(long, num_args = 1.., value_name = "COORDINATES", conflicts_with_all = ["efforts"], help_heading = "Commands to the motors")]
    pub hold_at: Vec<String>,
    /// Motor torques or forces over time: a CSV file or a recording
    #[arg(long, value_name = "FILE", help_heading = "Commands to the motors")]
    pub efforts: Option<PathBuf>,
    /// What holds between two rows of the file [default: hold]
    #[arg(long, requires = "efforts", help_heading = "Commands to the motors")]
    pub between: Option<Rows>,
    /// How the equations of motion are written
    #[arg(long, default_value = "minimal", help_heading = "Mathematics")]
    pub formulation: Formulation,
    /// How fast the constrained form closes its loops again [1/s] [default: 5]
    #[arg(long, value_name = "P", help_heading = "Mathematics")]
    pub pole: Option<String>,
    /// How time goes on
    #[arg(long, default_value = "dopri5", help_heading = "Mathematics")]
    pub integrator: Method,
    /// Relative error of a step of dopri5 and stiff [default: 1e-8]
    #[arg(long, value_name = "E", help_heading = "Mathematics")]
    pub tolerance: Option<String>,
    /// Longest step of rk4, euler and rattle [s] [default: 1ms]
    #[arg(long, value_name = "T", help_heading = "Mathematics")]
    pub step: Option<String>,
    /// Write every sample to this file: .csv, .parquet or .mcap
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub path: PathArgs,
    #[command(flatten)]
    pub controller: ControllerArgs,
    #[command(flatten)]
    pub plant: PlantArgs,
    /// Write a page about the run to this file: plots to zoom, the robot moving
    #[cfg(feature = "studio")]
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
}

impl SimulateArgs {
    /// Where a page is to be written.
    #[cfg_attr(not(feature = "studio"), allow(clippy::unused_self))]
    pub fn page(&self) -> Option<&Path> {
        #[cfg(feature = "studio")]
        return self.report.as_deref();
        #[cfg(not(feature = "studio"))]
        None
    }
}

/// What holds between two rows of a file of efforts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rows {
    /// The earlier row, as a sampled controller does
    Hold,
    /// A straight line
    Linear,
}

/// How the equations of motion are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Formulation {
    /// Pose and twist of the platform: loops closed by construction
    Minimal,
    /// All joints, gaps pulled back (Bortoff 2018)
    Constrained,
    /// All joints, loops closed again after each step
    Projected,
    /// All joints and their momenta
    Hamiltonian,
}

/// How time goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Dormand-Prince 5(4), step length by its error
    Dopri5,
    /// Runge-Kutta of fourth order, fixed steps
    Rk4,
    /// Semi-implicit Euler, fixed steps
    Euler,
    /// Implicit backward differences for stiff plants (feature `stiff`)
    Stiff,
    /// Symplectic steps on closed loops, for the hamiltonian form
    Rattle,
}

impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Self::Dopri5 => "dopri5",
            Self::Rk4 => "rk4",
            Self::Euler => "euler",
            Self::Stiff => "stiff",
            Self::Rattle => "rattle",
        }
    }
}
