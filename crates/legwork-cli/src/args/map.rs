//! The arguments of `legwork map`.

use super::{HeldArgs, Model};
use clap::Args;
use std::path::PathBuf;

pub const HELP: &str = "\
Quantities, one or several with commas between them:
  reachable       1 where the robot can go from home within its limits, 0 elsewhere
  condition       condition number of the Jacobian, rotations measured at the platform's size
  serial          distance to the serial singularity of each leg, and the least; 0 is singular
  parallel        distance to the parallel singularity; 0 is singular
  amplification   effort for a push in the worst direction, times that of the best pose of the map
  mass-matrix     every entry of the mass matrix at the motors
  gravity         effort of each motor against gravity, and the largest
  acceleration    largest acceleration from rest under the motor limits, worst direction or --direction
  force           largest force on the environment under the motor limits, worst direction or --direction
  passive         angles of the joints without a motor, from where they are at home
  stability       largest real part of the poles while the motors keep their efforts; positive is unstable

Examples:
  legwork map delta-direct-drive condition
  legwork map delta-direct-drive mass-matrix --x -250mm..250mm/26 --y -250mm..250mm/26 --z -350mm --out mass.svg
  legwork map gough-stewart condition --roll -30deg..30deg --pitch -30deg..30deg --out tilt.png
  legwork map delta-bortoff-b stability --x 0 --y 0 --z -500mm..-150mm --report stability.html
  legwork map delta-direct-drive --volume --mesh reach.stl

A coordinate is one number, or a range FROM..TO/COUNT with both ends; without COUNT it has 41 poses. What is not
given stays at home; without any range the map is the slice through home, as wide as the robot reaches.
Ctrl-C ends a map early: what is done is printed and written.
Exit code: 0 done, 2 bad input or nothing in reach, 130 interrupted.";

#[derive(Debug, Args)]
pub struct MapArgs {
    /// Built-in name or robot file
    pub robot: String,
    /// What to map; several with commas between them
    #[arg(required_unless_present = "volume")]
    pub quantity: Option<String>,
    /// Position along x [m]: a number or FROM..TO/COUNT
    #[arg(long, value_name = "RANGE")]
    pub x: Option<String>,
    /// Position along y [m]
    #[arg(long, value_name = "RANGE")]
    pub y: Option<String>,
    /// Position along z [m]
    #[arg(long, value_name = "RANGE")]
    pub z: Option<String>,
    /// Turn about x [rad]
    #[arg(long, value_name = "RANGE")]
    pub roll: Option<String>,
    /// Turn about y [rad], after roll
    #[arg(long, value_name = "RANGE")]
    pub pitch: Option<String>,
    /// Turn about z [rad], after pitch; the angle of a robot in a plane
    #[arg(long, value_name = "RANGE", visible_alias = "angle")]
    pub yaw: Option<String>,
    /// Direction of acceleration and force, instead of the worst
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"])]
    pub direction: Vec<String>,
    /// Write the map to this file: .csv (with FILE-metadata.json beside it) or .parquet for its numbers, .svg or .png for a picture, .html for a page; may be given again
    #[arg(long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
    /// Write a page for a browser with all quantities: maps to look into, tables, the robot file
    #[cfg(feature = "studio")]
    #[arg(long, value_name = "FILE.html", conflicts_with = "volume")]
    pub report: Option<PathBuf>,
    /// Also poses that are outside the limits of the motors
    #[arg(long)]
    pub ignore_limits: bool,
    /// The size of the workspace
    #[arg(long)]
    pub volume: bool,
    /// Write the boundary of the workspace: .stl or .obj
    #[arg(long, value_name = "FILE", requires = "volume")]
    pub mesh: Option<PathBuf>,
    /// Cells along the longest side of the workspace [default: 48]
    #[arg(long, value_name = "N", requires = "volume", value_parser = clap::value_parser!(u16).range(4..=400))]
    pub cells: Option<u16>,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub held: HeldArgs,
    /// Mass on the platform [kg], instead of the payload in the robot file
    #[arg(long, value_name = "M")]
    pub payload: Option<String>,
    /// How the forearms of a Delta are modelled
    #[arg(long, default_value = "complete")]
    pub model: Model,
    /// The way of each leg that has two, such as out,in,out, or one word for all [default: that of the robot]
    #[arg(long)]
    pub mode: Option<String>,
}

impl MapArgs {
    /// The page that was asked for by its own option.
    #[cfg_attr(not(feature = "studio"), allow(clippy::unused_self))]
    pub fn page(&self) -> Option<&PathBuf> {
        #[cfg(feature = "studio")]
        return self.report.as_ref();
        #[cfg(not(feature = "studio"))]
        None
    }

    /// Every file to write.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.out.iter().chain(self.page())
    }
}
