//! The arguments of the verbs that look at a robot around a pose.

use super::HeldArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub const LINEARIZE_HELP: &str = "\
Examples:
  legwork linearize delta-bortoff-b --joints 45deg 45deg 45deg
  legwork linearize gough-stewart --pose 0 0 850mm 5deg 0 0 --out model.npz
  legwork linearize delta-bortoff-b --form constrained --damping 0.0412 0.0009 0.0521
  legwork linearize delta-industrial --lqr 1e4 10 0.01 --out regulator.json
  legwork linearize delta-bortoff-b --crossing

The robot is at rest and its motors keep the efforts that hold it there. Coulomb friction is left out.
In Python: f = numpy.load(\"model.npz\"); control.ss(f[\"A\"], f[\"B\"], f[\"C\"], f[\"D\"]).";

#[derive(Debug, Args)]
pub struct LinearizeArgs {
    /// Built-in name or robot file
    pub robot: String,
    /// Where the platform is [m, rad]: X Y Z [ROLL PITCH YAW], in a plane X Y [ANGLE] [default: home]
    #[arg(long, num_args = 1.., value_name = "COORDINATES", conflicts_with = "joints")]
    pub pose: Vec<String>,
    /// Joint values [rad, m] instead of a pose
    #[arg(long, num_args = 1.., value_name = "Q")]
    pub joints: Vec<String>,
    #[command(flatten)]
    pub held: HeldArgs,
    /// Which equations: as many coordinates as freedoms, or all angles of a Delta with their loops
    #[arg(long, default_value = "reduced")]
    pub form: LinearForm,
    /// Coordinates of the reduced form [default: joints; platform with more motors than freedoms]
    #[arg(long)]
    pub coordinates: Option<CoordinateChoice>,
    /// How fast the constrained form closes its loops [1/s] [default: 5]
    #[arg(long, value_name = "P")]
    pub pole: Option<String>,
    /// Damping of the three angles of every arm of a Delta [N m s/rad], instead of its motors' friction
    #[arg(long, num_args = 3, value_names = ["D1", "D2", "D3"])]
    pub damping: Vec<String>,
    /// With motors that balance the weight at every pose, not only at this one
    #[arg(long)]
    pub gravity_compensation: bool,
    /// Gains that minimise QX x^2 + QV v^2 + R u^2 over time
    #[arg(long, num_args = 3, value_names = ["QX", "QV", "R"], conflicts_with = "place")]
    pub lqr: Vec<String>,
    /// Gains that put the poles here [1/s], two for each freedom: -10 -12 -8+6j -8-6j ...
    #[arg(long, num_args = 1.., value_name = "POLE")]
    pub place: Vec<String>,
    /// Where the robot turns unstable: with all motors alike, or on the way to --to
    #[arg(long)]
    pub crossing: bool,
    /// The other end of the way on which --crossing looks
    #[arg(long, num_args = 1.., value_name = "COORDINATES", requires = "crossing")]
    pub to: Vec<String>,
    /// Write the model to this file: .json or .npz
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Which equations are linearised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LinearForm {
    /// M x'' + D x' + K x = u
    Reduced,
    /// Eighteen states of a Delta (Bortoff 2018)
    Constrained,
}

/// What a reduced form is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CoordinateChoice {
    /// The actuated joints
    Joints,
    /// Steps of the platform
    Platform,
}

pub const SENSITIVITY_HELP: &str = "\
Examples:
  legwork sensitivity delta-industrial                          torques at home
  legwork sensitivity delta-industrial --of shift --pose 0.1 0 -0.8
  legwork sensitivity gough-stewart --of pole --top 10
  legwork sensitivity delta-bortoff-b --of torque --acceleration 0 0 30 --from-file

A rotary Delta: exact derivatives after the numbers of its model, each alone while the others stay. Other robots,
and with --from-file: central differences over the numbers of the robot file; what it leaves to defaults follows.";

#[derive(Debug, Args)]
pub struct SensitivityArgs {
    /// Built-in name or robot file
    pub robot: String,
    /// Which result
    #[arg(long, value_name = "RESULT", default_value = "torque")]
    pub of: EffectChoice,
    /// Where the platform is [m, rad]: X Y Z [ROLL PITCH YAW], in a plane X Y [ANGLE] [default: home]
    #[arg(long, num_args = 1.., value_name = "COORDINATES")]
    pub pose: Vec<String>,
    #[command(flatten)]
    pub held: HeldArgs,
    /// Platform velocity for torques, VX VY VZ [m/s], then WX WY WZ [rad/s] if it turns [default: at rest]
    #[arg(long, num_args = 1.., value_name = "V")]
    pub velocity: Vec<String>,
    /// Platform acceleration for torques, AX AY AZ [m/s^2], then angular BX BY BZ [rad/s^2] if it turns
    #[arg(long, num_args = 1.., value_name = "A")]
    pub acceleration: Vec<String>,
    /// Only the strongest so many
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Differences over the numbers of the file, also for a Delta
    #[arg(long)]
    pub from_file: bool,
}

/// A result that parameters move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EffectChoice {
    /// Motor torques or forces at the state
    Torque,
    /// Where the platform goes while the motors stay: the accuracy
    Shift,
    /// The largest real part of the poles at rest
    Pole,
    /// The entries of the mass matrix at the motors
    Mass,
}
