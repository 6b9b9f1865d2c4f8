//! The arguments of `legwork plan`, and those that `legwork size` shares with it.

use super::typed::{acceleration, mass, measure, pose, ratio, speed, time};
use super::{HeldArgs, Model, RouteArgs};
use crate::failure::{Failure, Message};
use crate::task;
use clap::Args;
use legwork::task::{
    Acceleration, CycleRequest, LimitsRequest, Mass, Measure, MotorValues, PlanRequest, PoseRequest,
    RobotRequest, Speed, Time,
};
use std::path::PathBuf;

pub const HELP: &str = "\
Examples:
  legwork plan delta-industrial --torque-limit 60 --speed-limit 12
  legwork plan delta-direct-drive --torque-limit 6 --path semi-ellipse --from -125mm 0 -350mm --to 125mm 0 -350mm
  legwork plan gough-stewart --torque-limit 500N --path line --from -0.1 0 0.85 --to 0.1 0 0.9 10deg 0 0 --out fast.parquet
  legwork plan delta-industrial --torque-limit 60 --out cycle.svg --out cycle.csv
  legwork plan delta-industrial --torque-limit 60 --path pick-and-place --from -0.15 0 -0.8 --to 0.15 0 -0.74 --carry 1kg
  legwork plan delta-industrial --torque-limit 60 --cycle cycle.toml

Without a path: the Adept cycle, 25 mm up, 305 mm across, 25 mm down, about home, or half an ellipse that fits. The whole
path is checked first: reach, working mode, singularities, limits of the motors. Then the timing is worked out on the
exact dynamics; every limit is verified on a grid ten times finer. Limits that are not given are those of the robot file.
A cycle file has `from`, if needed `pick` (what is carried from there on), and a list of [[moves]]: `to`; if needed `path` (line), `height`, `lift`, `lower`, `corner`, `via`,
`law` or `fastest`, `dwell`, `pick`, `put`, and `blend`, the distance from the corner to the next move that is rounded.
The rows of --out run in `legwork simulate --motion` and in `legwork size --motion` as they are.
Exit code: 0 done, 1 a limit is exceeded by more than 1e-6, 2 bad input or no such motion.";

#[derive(Debug, Args)]
pub struct PlanArgs {
    /// Built-in name or robot file
    pub robot: String,
    #[command(flatten)]
    pub ends: EndArgs,
    #[command(flatten)]
    pub route: RouteArgs,
    #[command(flatten)]
    pub several: CycleArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// There only, not back again
    #[arg(long)]
    pub one_way: bool,
    /// Rest at each end [s] [default: 0s]
    #[arg(long, value_name = "T", conflicts_with = "one_way", value_parser = time)]
    pub pause: Option<Time>,
    /// Intervals of the grid [default: as many as keep the limits]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub intervals: Option<u32>,
    #[command(flatten)]
    pub load: LoadArgs,
    #[command(flatten)]
    pub files: FileArgs,
}

/// A motion of several moves, and a mass that is carried one way.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Path")]
pub struct CycleArgs {
    /// Several moves with dwell, pick and put, instead of a path: a TOML file with `from` and [[moves]]
    #[arg(long, value_name = "FILE.toml", conflicts_with_all = ["path", "to", "via", "height", "lift", "lower", "corner"])]
    pub cycle: Option<PathBuf>,
    /// Mass that is carried there and not back: picked up where the path begins, put down at its end [kg]
    #[arg(long, value_name = "M", conflicts_with = "cycle", value_parser = mass)]
    pub carry: Option<Mass>,
}

impl CycleArgs {
    /// The cycle of the file, if one is given.
    pub fn read(&self, verb: &str, robot: &str) -> Result<Option<CycleRequest>, Failure> {
        let read = self.cycle.as_ref().map(|path| CycleRequest::load(path)).transpose();
        read.map_err(|error| task::failure(error, verb, robot))
    }
}

/// Where a path begins.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Path")]
pub struct EndArgs {
    /// Where the path begins [m, rad]: X Y Z [ROLL PITCH YAW], in a plane X Y [ANGLE]
    #[arg(long, num_args = 1.., value_name = "COORDINATES", value_parser = measure)]
    pub from: Vec<Measure>,
    /// Orientation of the platform at the start as a quaternion, instead of angles
    #[arg(long, num_args = 4, value_names = ["W", "X", "Y", "Z"], requires = "from", value_parser = ratio)]
    pub quaternion: Vec<f64>,
}

/// What a motion must keep to.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Largest torque [N m] or force [N] of the motors at the joints, behind their gears, for all or for each [default: that
    /// of the robot file]
    #[arg(long, num_args = 1.., value_name = "N", visible_alias = "force-limit", value_parser = measure)]
    pub torque_limit: Vec<Measure>,
    /// Largest speed of the motors at the joints [rad/s, m/s], behind their gears, for all or for each [default: that of the
    /// robot file]
    #[arg(long, num_args = 1.., value_name = "V", value_parser = measure)]
    pub speed_limit: Vec<Measure>,
    /// Largest speed along the path [m/s]
    #[arg(long, value_name = "V", value_parser = speed)]
    pub path_speed: Option<Speed>,
    /// Largest acceleration along the path [m/s^2]
    #[arg(long, value_name = "A", value_parser = acceleration)]
    pub acceleration: Option<Acceleration>,
    /// Largest acceleration across the path [m/s^2]
    #[arg(long, value_name = "A", value_parser = acceleration)]
    pub normal_acceleration: Option<Acceleration>,
}

impl LimitArgs {
    pub fn request(&self) -> LimitsRequest {
        LimitsRequest {
            torque_limit: MotorValues(self.torque_limit.clone()),
            speed_limit: MotorValues(self.speed_limit.clone()),
            path_speed: self.path_speed,
            acceleration: self.acceleration,
            normal_acceleration: self.normal_acceleration,
        }
    }
}

impl EndArgs {
    pub fn from(&self) -> Option<PoseRequest> {
        pose(&self.from, &self.quaternion)
    }
}

impl FileArgs {
    /// Every file to write.
    pub fn all(&self) -> Result<Vec<PathBuf>, Failure> {
        #[cfg(feature = "studio")]
        let page = self.report.as_ref();
        #[cfg(not(feature = "studio"))]
        let page = None;
        checked_page(page)?;
        Ok(self.out.iter().chain(page).cloned().collect())
    }
}

/// The name of a page says that it is one.
pub fn checked_page(page: Option<&PathBuf>) -> Result<(), Failure> {
    match page.filter(|path| path.extension().is_none_or(|end| end != "html")) {
        None => Ok(()),
        Some(path) => {
            let message = Message::new(format!("`--report {}` is a page", path.display()));
            Err(message.hint("let its name end in .html").into())
        }
    }
}

impl LoadArgs {
    pub fn robot(&self, name: &str) -> RobotRequest {
        RobotRequest {
            working_mode: self.mode.clone(),
            payload: self.payload,
            forearm_model: (self.model != Model::Complete).then(|| self.model.into()),
            held: self.held.values(),
            ..RobotRequest::named(name)
        }
    }
}

impl PlanArgs {
    pub fn request(&self) -> Result<PlanRequest, Failure> {
        let usual = PlanRequest::default();
        Ok(PlanRequest {
            robot: self.load.robot(&self.robot),
            path: self.route.request(self.ends.from()),
            limits: self.limits.request(),
            cycle: self.several.read("plan", &self.robot)?,
            carry: self.several.carry,
            one_way: self.one_way,
            pause: self.pause,
            intervals: self.intervals.map(|count| count as usize),
            out: self.files.all()?,
            sample: self.files.sample.unwrap_or(usual.sample),
        })
    }
}

/// What is moved.
#[derive(Debug, Args)]
pub struct LoadArgs {
    /// Mass on the platform [kg], instead of the payload in the robot file
    #[arg(long, value_name = "M", value_parser = mass)]
    pub payload: Option<Mass>,
    /// How the forearms of a Delta are modelled
    #[arg(long, default_value = "complete")]
    pub model: Model,
    /// The way of each leg that has two, such as out,in,out, or one word for all [default: that of the robot]
    #[arg(long)]
    pub mode: Option<String>,
    #[command(flatten)]
    pub held: HeldArgs,
}

/// What is written.
#[derive(Debug, Args)]
pub struct FileArgs {
    /// Write the motion (.csv with FILE-metadata.json beside it, .parquet, .mcap), a picture (.svg, .png) or a page (.html); may be given again
    #[arg(long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
    /// Write a page to open in a browser: the robot moving, every curve, what was found
    #[cfg(feature = "studio")]
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Time from one row of the motion to the next [s] [default: 1ms]
    #[arg(long, value_name = "T", value_parser = time)]
    pub sample: Option<Time>,
}
