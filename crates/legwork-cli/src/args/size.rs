//! The arguments of `legwork size`.

use super::typed::{one_of, per_cent, ratio, time};
use super::{CycleArgs, EndArgs, FileArgs, LimitArgs, LoadArgs, RouteArgs, RowsArgs, TimingArgs};
use crate::failure::Failure;
use clap::Args;
use legwork::task::{MotorOrder, MotorsRequest, SizeRequest, Time};
use std::path::PathBuf;

pub const HELP: &str = "\
Examples:
  legwork size delta-industrial --move-time 0.2s --pause 0.1s
  legwork size delta-industrial --move-time 0.2s --pause 0.1s --motors sample --inertia-ratio 10 --out cloud.svg
  legwork size delta-industrial --fastest --torque-limit 60 --motors my_motors.toml --reserve 20
  legwork size delta-industrial --cycle cycle.toml --motors sample
  legwork size delta-industrial --motion measured.csv
  legwork size linear-delta --path line --from 0 0 0 --to 0.05 0 0.1 --peak 20 --motors sample --out cycle.csv

A cycle goes along the path and back, with a rest at each end, or it is that of --cycle (see `legwork plan --help`) or the
rows of --motion (see `legwork simulate --help`). Without a path it is the Adept cycle, 25 mm up, 305 mm
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
    pub several: CycleArgs,
    #[command(flatten)]
    pub rows: RowsArgs,
    #[command(flatten)]
    pub timing: TimingArgs,
    /// As fast as the limits allow, instead of a law
    #[arg(long, help_heading = "Timing", conflicts_with_all = ["law", "move_time", "peak", "average_speed", "limits"])]
    pub fastest: bool,
    /// There only, not back again
    #[arg(long, help_heading = "Timing")]
    pub one_way: bool,
    /// Rest at each end [s] [default: 0s]
    #[arg(long, value_name = "T", help_heading = "Timing", conflicts_with = "one_way", value_parser = time)]
    pub pause: Option<Time>,
    #[command(flatten)]
    pub bounds: LimitArgs,
    /// A motor table, or `sample`
    #[arg(long, value_name = "FILE.toml", help_heading = "Motors")]
    pub motors: Option<PathBuf>,
    /// Largest inertia of the load over that of the rotor
    #[arg(long, value_name = "R", help_heading = "Motors", requires = "motors", value_parser = ratio)]
    pub inertia_ratio: Option<f64>,
    /// What must be left of every limit [per cent] [default: 0]
    #[arg(long, value_name = "PERCENT", help_heading = "Motors", requires = "motors", value_parser = per_cent)]
    pub reserve: Option<f64>,
    /// What comes first among the motors that can do it [default: margin]
    #[arg(long, value_name = "ORDER", help_heading = "Motors", requires = "motors", value_parser = one_of::<MotorOrder>())]
    pub by: Option<MotorOrder>,
    #[command(flatten)]
    pub load: LoadArgs,
    #[command(flatten)]
    pub files: FileArgs,
}

impl SizeArgs {
    pub fn request(&self) -> Result<SizeRequest, Failure> {
        let usual = SizeRequest::default();
        let motors = self.motors.as_ref().map(|path| {
            if path.as_os_str() == "sample" {
                MotorsRequest::Sample
            } else {
                MotorsRequest::File(path.clone())
            }
        });
        Ok(SizeRequest {
            robot: self.load.robot(&self.robot),
            path: self.route.request(self.ends.from()),
            law: self.timing.request(),
            fastest: self.fastest,
            limits: self.bounds.request(),
            cycle: self.several.read("size", &self.robot)?,
            motion: self.rows.request(),
            carry: self.several.carry,
            one_way: self.one_way,
            pause: self.pause,
            motors,
            inertia_ratio: self.inertia_ratio,
            reserve: self.reserve.unwrap_or(usual.reserve),
            by: self.by.unwrap_or(usual.by),
            out: self.files.all()?,
            sample: self.files.sample.unwrap_or(usual.sample),
        })
    }
}
