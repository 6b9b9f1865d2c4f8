//! The arguments of `legwork simulate`.

use super::typed::{measure, one_of, part_given_twice, pose, ratio, time};
use super::{ControllerArgs, HeldArgs, PathArgs, PlantArgs};
use crate::failure::Failure;
use clap::Args;
use legwork::task::{
    BetweenRows, DEFAULT_ROBOT, EffortFile, EffortsRequest, FollowRequest, FormulationChoice,
    IntegratorChoice, LimitsRequest, Measure, RobotRequest, SimulateRequest, SolverRequest, Time,
};
use std::path::PathBuf;

pub const HELP: &str = "\
Examples:
  legwork simulate                                    four regulators of Codourey 1998 side by side
  legwork simulate --regulator pd model-shifted --known-error mass=10 motor=10 --out run.parquet
  legwork simulate gough-stewart --path line --from -0.1 0 0.8 --to 0.1 0 0.85 --regulator platform
  legwork simulate delta-industrial --from 0.15 -0.1 -0.72 --duration 2s --out swing.parquet
  legwork simulate delta-industrial --cycle cycle.toml --cycles 2 --report cycle.html
  legwork simulate delta-industrial --motion fast.csv     rows of a file, such as those of `legwork plan --out fast.csv`
  legwork simulate gough-stewart --hold --velocity 0.1 0 0 --sample 1ms --out push.mcap
  legwork simulate delta-industrial --efforts torques.csv --between linear --formulation projected
  legwork simulate delta-industrial --lag 2ms --friction 0.2 0.1Nm --pick 0.2s:1.5kg --put 0.6s --stops 20000 0.2

Without a robot, or with an option of the path or of the controller, a regulator follows a path: errors are taken against
the reference that its feedback is given, over the whole run. With several regulators --out writes a file for each, its
name before the dot: run-pd.parquet. Otherwise the motors hold the robot at home unless --effort, --hold, --hold-at or --efforts says otherwise.
A file of a motion has the columns t and x y z (then roll pitch yaw or qw qx qy qz if the platform turns), or q1 q2 ...; if it
has them also vx, wx, qd1 ..., ax, bx, qdd1 ... and picked, the mass that is carried. Between rows it is smooth; without
velocities it begins and ends at rest. A cycle file is that of `legwork plan --help`.
A file of efforts has the columns t and e1 e2 ... (or tau1 tau2 ..., as --out writes them), one for each motor;
a unit may follow in brackets: `t [ms],e1 [N m]`. Before its first row and after its last one those rows hold.
--out writes every sample as it is computed; a run that is killed leaves a readable file (see `legwork recover`). Ctrl-C ends a run at its
next step and keeps what was computed; a second one ends it at once. Where motors do not just give what they are
told, tau1 tau2 ... are what they give and u1 u2 ... what they are told. The work of a run includes the energy that a
picked-up mass brings along.
Exit code: 0 the run reached its end, 1 the robot could not go on (singular, out of reach, a fault of
the controller), 2 bad input, 130 Ctrl-C.";

#[derive(Debug, Args)]
pub struct SimulateArgs {
    /// Built-in name or robot file [default: delta-direct-drive, following a path]
    pub robot: Option<String>,
    /// Where the platform starts [m, rad]: X Y Z [ROLL PITCH YAW], in a plane X Y [ANGLE] [default: home]
    #[arg(long, num_args = 1.., value_name = "COORDINATES", help_heading = "Start", value_parser = measure)]
    pub from: Vec<Measure>,
    /// Orientation of the platform at the start as a quaternion, instead of angles
    #[arg(long, num_args = 4, value_names = ["W", "X", "Y", "Z"], requires = "from", help_heading = "Start", value_parser = ratio)]
    pub quaternion: Vec<f64>,
    /// Platform velocity at the start, VX VY VZ [m/s], then WX WY WZ [rad/s] if it turns [default: at rest]
    #[arg(long, num_args = 1.., value_name = "V", help_heading = "Start", value_parser = measure)]
    pub velocity: Vec<Measure>,
    /// The way of each leg that has two, such as out,in,out, or one word for all [default: that of the robot]
    #[arg(long, help_heading = "Start")]
    pub mode: Option<String>,
    /// How long [s] [default: 1s]
    #[arg(long, value_name = "T", value_parser = time)]
    pub duration: Option<Time>,
    /// Time from one sample to the next [s] [default: 10ms; along a path that of the controller]
    #[arg(long, value_name = "T", value_parser = time)]
    pub sample: Option<Time>,
    /// The same motor torques [N m] or forces [N] all the time
    #[arg(long, num_args = 1.., value_name = "N", conflicts_with_all = ["hold", "hold_at", "efforts"], help_heading = "Commands to the motors", value_parser = measure)]
    pub effort: Vec<Measure>,
    /// The motor torques or forces that would hold the robot at the start
    #[arg(long, conflicts_with_all = ["efforts", "hold_at"], help_heading = "Commands to the motors")]
    pub hold: bool,
    /// Those that would hold it at this pose [default: home]
    #[arg(long, num_args = 1.., value_name = "COORDINATES", conflicts_with_all = ["efforts"], help_heading = "Commands to the motors", value_parser = measure)]
    pub hold_at: Vec<Measure>,
    /// Motor torques or forces over time: a CSV file or a recording
    #[arg(long, value_name = "FILE", help_heading = "Commands to the motors")]
    pub efforts: Option<PathBuf>,
    /// What holds between two rows of the file [default: hold]
    #[arg(long, requires = "efforts", help_heading = "Commands to the motors", value_parser = one_of::<BetweenRows>())]
    pub between: Option<BetweenRows>,
    /// How the equations of motion are written
    #[arg(long, default_value = "minimal", help_heading = "Mathematics", value_parser = one_of::<FormulationChoice>())]
    pub formulation: FormulationChoice,
    /// How fast the constrained form closes its loops again [1/s] [default: 5]
    #[arg(long, value_name = "P", help_heading = "Mathematics", value_parser = ratio)]
    pub pole: Option<f64>,
    /// How time goes on
    #[arg(long, default_value = "dopri5", help_heading = "Mathematics", value_parser = one_of::<IntegratorChoice>())]
    pub integrator: IntegratorChoice,
    /// Relative error of a step of dopri5 and stiff [default: 1e-8]
    #[arg(long, value_name = "E", help_heading = "Mathematics", value_parser = ratio)]
    pub tolerance: Option<f64>,
    /// Longest step of rk4, euler and rattle [s] [default: 1ms]
    #[arg(long, value_name = "T", help_heading = "Mathematics", value_parser = time)]
    pub step: Option<Time>,
    /// Write every sample to this file: .csv (with FILE-metadata.json beside it), .parquet or .mcap
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub path: PathArgs,
    #[command(flatten)]
    pub controller: ControllerArgs,
    #[command(flatten)]
    pub plant: PlantArgs,
    #[command(flatten)]
    pub held: HeldArgs,
    /// Write a page about the run to this file: plots to zoom, the robot moving
    #[cfg(feature = "studio")]
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
}

impl SimulateArgs {
    /// The page to write, if one is asked for.
    pub fn page(&self) -> Option<PathBuf> {
        #[cfg(feature = "studio")]
        return self.report.clone();
        #[cfg(not(feature = "studio"))]
        None
    }

    fn robot(&self) -> RobotRequest {
        RobotRequest {
            working_mode: self.mode.clone(),
            payload: self.plant.payload,
            held: self.held.values(),
            ..RobotRequest::named(self.robot.as_deref().unwrap_or(DEFAULT_ROBOT))
        }
    }

    fn solver(&self) -> SolverRequest {
        SolverRequest {
            formulation: self.formulation,
            pole: self.pole,
            integrator: self.integrator,
            tolerance: self.tolerance,
            step: self.step,
        }
    }

    /// The option and the part of a model error that is there twice, if one is.
    pub fn part_given_twice(&self) -> Option<(&'static str, &'static str)> {
        let lists =
            [("--model-error", &self.plant.model_error), ("--known-error", &self.controller.known_error)];
        lists.into_iter().find_map(|(option, parts)| Some((option, part_given_twice(parts)?)))
    }

    /// Whether the options ask for regulators along a path.
    pub fn follows(&self) -> bool {
        self.robot.is_none() || self.path.is_given() || self.controller.is_given()
    }

    /// The first option that belongs to a run without a controller.
    pub fn open_loop_option(&self) -> Option<&'static str> {
        let given = [
            ("--effort", !self.effort.is_empty()),
            ("--hold", self.hold),
            ("--hold-at", !self.hold_at.is_empty()),
            ("--efforts", self.efforts.is_some()),
            ("--velocity", !self.velocity.is_empty()),
            ("--force", !self.plant.force.is_empty()),
            ("--duration", self.duration.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    pub fn follow_request(&self) -> Result<FollowRequest, Failure> {
        let from = pose(&self.from, &self.quaternion);
        let robot = self.robot.as_deref().unwrap_or(DEFAULT_ROBOT);
        let cycle = self.path.several.read("simulate", robot)?;
        let plant = self.plant.request();
        // What is fastest keeps to the limits that the machine is given.
        let plans = self.path.fastest || cycle.is_some();
        let limits = LimitsRequest {
            torque_limit: plant.effort_limit.clone(),
            speed_limit: plant.speed_limit.clone(),
            ..LimitsRequest::default()
        };
        Ok(FollowRequest {
            robot: self.robot(),
            path: self.path.route.request(from),
            law: self.path.timing.request(),
            fastest: self.path.fastest,
            limits: if plans { limits } else { LimitsRequest::default() },
            cycle,
            motion: self.path.rows.request(),
            carry: self.path.several.carry,
            back: self.path.back,
            cycles: self.path.cycles,
            pause: self.path.pause,
            settle: self.path.settle,
            band: self.path.band,
            controller: self.controller.request(),
            plant,
            solver: self.solver(),
            sample: self.sample,
            out: self.out.clone(),
            report: self.page(),
        })
    }

    pub fn simulate_request(&self, keep_samples: bool) -> SimulateRequest {
        let usual = SimulateRequest::default();
        let efforts = match (&self.efforts, pose(&self.hold_at, &[])) {
            (Some(path), _) => {
                let between = self.between.unwrap_or(BetweenRows::Hold);
                EffortsRequest::File(EffortFile { path: path.clone(), between })
            }
            _ if !self.effort.is_empty() => EffortsRequest::Constant(self.effort.clone()),
            (None, Some(pose)) => EffortsRequest::HoldAt(pose),
            _ if self.hold => EffortsRequest::HoldStart,
            _ => EffortsRequest::HoldHome,
        };
        SimulateRequest {
            robot: self.robot(),
            from: pose(&self.from, &self.quaternion),
            velocity: self.velocity.clone(),
            force: self.plant.force.clone(),
            efforts,
            duration: self.duration.unwrap_or(usual.duration),
            sample: self.sample.unwrap_or(usual.sample),
            plant: self.plant.request(),
            solver: self.solver(),
            keep_samples,
            out: self.out.clone(),
            report: self.page(),
        }
    }
}
