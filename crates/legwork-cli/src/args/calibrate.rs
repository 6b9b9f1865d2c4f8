//! The arguments of `legwork calibrate`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub const HELP: &str = "\
Examples:
  legwork calibrate delta-industrial poses.csv                    from poses of a tracker; its frame is found too
  legwork calibrate printer.toml touched.csv --next 8             from points touched on a plane
  legwork calibrate gough-stewart poses.csv --parameters full --out real.toml --figure error.svg
  legwork calibrate real.toml                                     what the sigmas in the file mean for the platform

A row of the file is one pose at rest: q1, q2, ... of the motors, and what was measured there:
  x y z [roll pitch yaw, or qw qx qy qz]   a tracker, or a known point of a part that was touched
  height [plane]                           height above a plane that was touched
  distance [to_q1 to_q2 ...]               from the centre of a ball bar, or from where the motors read to_q1, ...
  joint_2_1                                a redundant sensor at joint 1 of leg 2
Units are in the names, `x [mm]`, `q1 [deg]`; else m and rad. Rows that disagree with all others are named and left out.";

#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // flags are what they are
pub struct CalibrateArgs {
    /// Built-in name or robot file
    pub robot: String,
    /// The rows that were measured: CSV, Parquet or MCAP [default: none, the tolerance of the file's own calibration]
    pub measurements: Option<PathBuf>,
    /// Which parameters are free
    #[arg(long, value_name = "SET", default_value = "reduced")]
    pub parameters: SetChoice,
    /// Parameters that stay as drawn: leg1.arm, arm or leg1
    #[arg(long, num_args = 1.., value_name = "NAME")]
    pub hold: Vec<String>,
    /// Positions and orientations are in the robot's own frame [default: the frame of the tracker is found]
    #[arg(long)]
    pub robot_frame: bool,
    /// The target from the tool point, X Y Z in the tool's axes [m] [default: 0 0 0]
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], conflicts_with = "find_target")]
    pub target: Vec<String>,
    /// Find the target
    #[arg(long)]
    pub find_target: bool,
    /// Height of the touched plane in the robot's frame [m] [default: planes are found]
    #[arg(long, value_name = "Z")]
    pub plane_height: Option<String>,
    /// Centre of the ball bar in the robot's frame, X Y Z [m] [default: it is found]
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"])]
    pub centre: Vec<String>,
    /// Standard deviation of positions, planes and distances [m] [default: found from the residuals]
    #[arg(long, value_name = "SIGMA")]
    pub noise: Option<String>,
    /// Standard deviation of orientations and of sensors [rad] [default: that of positions over the robot's size]
    #[arg(long, value_name = "SIGMA")]
    pub rotation_noise: Option<String>,
    /// How far lengths may be from the drawing, as a standard deviation [m] [default: 2 mm]
    #[arg(long, value_name = "SIGMA")]
    pub expected_error: Option<String>,
    /// Keep rows that disagree
    #[arg(long)]
    pub keep_outliers: bool,
    /// Propose so many poses for the next measurement
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub next: usize,
    /// What these make small
    #[arg(long, value_name = "WHAT", default_value = "platform")]
    pub criterion: CriterionChoice,
    /// Print the settings of controllers too
    #[arg(long)]
    pub controllers: bool,
    /// Write the robot file with what was found
    #[arg(long, value_name = "FILE.toml")]
    pub out: Option<PathBuf>,
    /// Draw the error before and after
    #[arg(long, value_name = "FILE.svg")]
    pub figure: Option<PathBuf>,
    /// Write a page
    #[cfg(feature = "studio")]
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
}

/// How many parameters are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SetChoice {
    /// What usual measurements can tell
    Reduced,
    /// Every length, position, direction and zero
    Full,
}

/// What the next poses make small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CriterionChoice {
    /// The uncertainty of the platform over the workspace
    Platform,
    /// The volume of the uncertainty of the parameters
    Parameters,
}
