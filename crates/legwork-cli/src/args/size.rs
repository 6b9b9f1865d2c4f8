//! The arguments of `legwork size`.

use super::{EndArgs, FileArgs, LimitArgs, LoadArgs, RouteArgs, TimingArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub const HELP: &str = "\
Examples:
  legwork size delta-industrial --move-time 0.2s --pause 0.1s
  legwork size delta-industrial --move-time 0.2s --pause 0.1s --motors sample --inertia-ratio 10 --out cloud.svg
  legwork size delta-industrial --fastest --torque-limit 60 --motors my_motors.toml --reserve 20
  legwork size linear-delta --path line --from 0 0 0 --to 0.05 0 0.1 --peak 20 --motors sample --out cycle.csv

A cycle goes along the path and back, with a rest at each end. Without a path it is the Adept cycle, 25 mm up, 305 mm
across, 25 mm down, about home; without a law the sine law as fast as 10 m/s^2 and the robot file allow. A motor table
is TOML, one [[motor]] for each: name, rated_torque, peak_torque, rated_speed, max_speed, rotor_inertia; if it has them
gear_ratios (for joints that turn), leads (for joints that slide), gear_inertia, efficiency, peak_torque_at_max_speed.
`--motors sample` is a table of made-up numbers to try it with. The rotor of each motor is part of the torque; that of
the robot file is taken off first. With a picture the first motor of the list is shown.
Exit code: 0 done, 1 no motor of the table can do it, 2 bad input.";

#[derive(Debug, Args)]
pub struct SizeArgs {
    /// Built-in name or robot file
    pub robot: String,
    #[command(flatten)]
    pub ends: EndArgs,
    #[command(flatten)]
    pub route: RouteArgs,
    #[command(flatten)]
    pub timing: TimingArgs,
    /// As fast as the limits allow, instead of a law
    #[arg(long, help_heading = "Timing", conflicts_with_all = ["law", "move_time", "peak", "average_speed", "limits"])]
    pub fastest: bool,
    /// There only, not back again
    #[arg(long, help_heading = "Timing")]
    pub one_way: bool,
    /// Rest at each end [s] [default: 0s]
    #[arg(long, value_name = "T", help_heading = "Timing", conflicts_with = "one_way")]
    pub pause: Option<String>,
    #[command(flatten)]
    pub bounds: LimitArgs,
    /// A motor table, or `sample`
    #[arg(long, value_name = "FILE.toml", help_heading = "Motors")]
    pub motors: Option<PathBuf>,
    /// Largest inertia of the load over that of the rotor
    #[arg(long, value_name = "R", help_heading = "Motors", requires = "motors")]
    pub inertia_ratio: Option<String>,
    /// What must be left of every limit [per cent] [default: 0]
    #[arg(long, value_name = "PERCENT", help_heading = "Motors", requires = "motors")]
    pub reserve: Option<String>,
    /// What comes first among the motors that can do it [default: margin]
    #[arg(long, value_name = "ORDER", help_heading = "Motors", requires = "motors")]
    pub by: Option<Order>,
    #[command(flatten)]
    pub load: LoadArgs,
    #[command(flatten)]
    pub files: FileArgs,
}

/// The order of motors that can do a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// The largest smallest margin first
    Margin,
    /// The smallest rated power first
    Size,
}
