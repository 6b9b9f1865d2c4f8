//! Options about a path, its timing and a controller.

use super::CycleArgs;
use super::typed::{
    acceleration, error_part, frequency, length, mass, measure, model_error, one_of, point, pose, ratio,
    speed, time,
};
use clap::Args;
use legwork::ForearmModel;
use legwork::description::ModelError;
use legwork::experiment::ControllerKind;
use legwork::task::{
    Acceleration, ControllerRequest, Frequency, LawKind, LawRequest, Length, Mass, Measure, MotionRequest,
    MotorValues, PathKind, PathRequest, PoseRequest, RobotRequest, Speed, Time,
};
use std::path::PathBuf;

/// What the platform follows; both ends are options of the verb.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Path")]
pub struct RouteArgs {
    /// What the platform follows, from --from to --to [default: semi-ellipse about home]
    #[arg(long, value_parser = one_of::<PathKind>())]
    pub path: Option<PathKind>,
    /// Where the path ends, as --from; the platform turns on the way if its orientation differs
    #[arg(long, num_args = 1.., value_name = "COORDINATES", value_parser = measure)]
    pub to: Vec<Measure>,
    /// A point on the way, such as 0.1,0,-0.7: one for an arc, any number for way-points; may be repeated
    #[arg(long, value_name = "X,Y,Z", value_parser = point)]
    pub via: Vec<PoseRequest>,
    /// Height of a semi-ellipse or of an arc without --via; how far pick-and-place crosses above the higher end [m] [default: 0.24 of the way]
    #[arg(long, value_name = "H", value_parser = length)]
    pub height: Option<Length>,
    /// How far pick-and-place goes up from its start, instead of --height [m] [default: level across]
    #[arg(long, value_name = "H", conflicts_with = "height", value_parser = length)]
    pub lift: Option<Length>,
    /// How far pick-and-place goes down to its end, instead of --height [m] [default: level across]
    #[arg(long, value_name = "H", conflicts_with = "height", value_parser = length)]
    pub lower: Option<Length>,
    /// Where the corners of pick-and-place begin, seen from where straight lines would meet [m] [default: 0.8 of the lift]
    #[arg(long, value_name = "D", value_parser = length)]
    pub corner: Option<Length>,
}

impl RouteArgs {
    /// The path that begins there.
    pub fn request(&self, from: Option<PoseRequest>) -> PathRequest {
        PathRequest {
            kind: self.path,
            from,
            to: pose(&self.to, &[]),
            via: self.via.clone(),
            height: self.height,
            lift: self.lift,
            lower: self.lower,
            corner: self.corner,
        }
    }
}

/// A motion from a file.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Path")]
pub struct RowsArgs {
    /// A motion from the rows of a file (.csv, .parquet, .mcap), instead of a path: t and x y z ... or q1 q2 ...
    #[arg(long, value_name = "FILE", conflicts_with_all = ["path", "from", "to", "cycle", "carry"])]
    pub motion: Option<PathBuf>,
}

impl RowsArgs {
    pub fn request(&self) -> Option<MotionRequest> {
        self.motion.clone().map(MotionRequest::File)
    }
}

/// A timing law and its size.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Timing")]
pub struct TimingArgs {
    /// When to be where on the path [default: sine]
    #[arg(long, value_parser = one_of::<LawKind>())]
    pub law: Option<LawKind>,
    /// How long a move takes [s]
    #[arg(long, value_name = "T", conflicts_with_all = ["peak", "average_speed", "limits"], value_parser = time)]
    pub move_time: Option<Time>,
    /// Peak acceleration along the path [m/s^2]; two numbers: while speeding up and while braking, for parabolic and sine
    #[arg(long, num_args = 1..=2, value_names = ["A1", "A2"], conflicts_with_all = ["average_speed", "limits"],
        value_parser = acceleration)]
    pub peak: Vec<Acceleration>,
    /// Average speed along the path [m/s]
    #[arg(long, value_name = "V", conflicts_with = "limits", value_parser = speed)]
    pub average_speed: Option<Speed>,
    /// Limits of an s-curve: speed [m/s], acceleration [m/s^2], jerk [m/s^3]
    #[arg(long, num_args = 3, value_names = ["V", "A", "J"], value_parser = measure)]
    pub limits: Vec<Measure>,
}

impl TimingArgs {
    pub fn request(&self) -> LawRequest {
        LawRequest {
            shape: self.law,
            move_time: self.move_time,
            peak: self.peak.clone(),
            average_speed: self.average_speed,
            limits: self.limits.clone().try_into().ok(),
        }
    }
}

/// What the platform follows, and when.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Path")]
pub struct PathArgs {
    #[command(flatten)]
    pub route: RouteArgs,
    #[command(flatten)]
    pub several: CycleArgs,
    #[command(flatten)]
    pub rows: RowsArgs,
    #[command(flatten)]
    pub timing: TimingArgs,
    /// As fast as the limits of torque and speed allow, instead of a law: those given, or those of the robot file
    #[arg(long, help_heading = "Timing", conflicts_with_all = ["law", "move_time", "peak", "average_speed", "limits"])]
    pub fastest: bool,
    /// Back again on the same path
    #[arg(long)]
    pub back: bool,
    /// How often there and back, or through the cycle
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub cycles: Option<u32>,
    /// Rest at each end, on the way there and back [s]
    #[arg(long, value_name = "T", value_parser = time)]
    pub pause: Option<Time>,
    /// How long the robot may come to rest after its motion [s] [default: 0.1s]
    #[arg(long, value_name = "T", value_parser = time)]
    pub settle: Option<Time>,
    /// Within this distance of its reference the platform has arrived [m] [default: 0.1mm]
    #[arg(long, value_name = "D", value_parser = length)]
    pub band: Option<Length>,
}

impl PathArgs {
    /// Whether any of them is given.
    pub fn is_given(&self) -> bool {
        self.route.request(None).is_given()
            || self.several.cycle.is_some()
            || self.several.carry.is_some()
            || self.rows.motion.is_some()
            || self.fastest
            || self.timing.request().is_given()
            || self.back
            || self.cycles.is_some()
            || self.pause.is_some()
            || self.settle.is_some()
            || self.band.is_some()
    }
}

/// Which regulators, and what they know.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Controller")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct ControllerArgs {
    /// Which regulators, one after the other [default: pd constant-inertia model model-shifted]
    #[arg(long, num_args = 1.., value_delimiter = ',', value_name = "NAME", value_parser = one_of::<ControllerKind>())]
    pub regulator: Vec<ControllerKind>,
    /// Time between two samples of the controller [s] [default: 1ms]
    #[arg(long, value_name = "T", value_parser = time)]
    pub period: Option<Time>,
    /// Gains by frequency [Hz]: K_p = I w^2 with the mean diagonal I of the mass matrix [default: that of the robot file, else 20, or less where the robot would ring]
    #[arg(long, value_name = "F", value_parser = frequency)]
    pub frequency: Option<Frequency>,
    /// Damping that belongs to it: K_d = 2 z w I [default: that of the robot file, else 0.7]
    #[arg(long, value_name = "Z", value_parser = ratio)]
    pub damping: Option<f64>,
    /// K_p itself [N m/rad, N/m], for all or for each
    #[arg(long, num_args = 1.., value_name = "K", value_parser = measure)]
    pub kp: Vec<Measure>,
    /// K_d itself [N m s/rad, N s/m], for all or for each
    #[arg(long, num_args = 1.., value_name = "K", value_parser = measure)]
    pub kd: Vec<Measure>,
    /// K_i itself [N m/(rad s), N/(m s)], for all or for each, of pid, gravity, constant-inertia, model and model-shifted
    /// [default: K_p w/10 of pid, at work only where the reference rests; none of the others]
    #[arg(long, num_args = 1.., value_name = "K", value_parser = measure)]
    pub ki: Vec<Measure>,
    /// What lqr weighs: errors, their rates, efforts [default: as K_p and K_d would for each motor alone]
    #[arg(long, num_args = 3, value_names = ["QX", "QV", "R"], value_parser = ratio)]
    pub lqr_weights: Vec<f64>,
    /// T_m of model-shifted: its feedback sees the reference so late [s], whole samples [default: the best, near lag and half a sample]
    #[arg(long, value_name = "T", value_parser = time)]
    pub shift: Option<Time>,
    /// Mass matrix in series with the feedback: axes decoupled
    #[arg(long)]
    pub decouple: bool,
    /// Derivatives of the reference exact, not by differences over three samples
    #[arg(long)]
    pub exact_derivatives: bool,
    /// No constant effort that makes the start an equilibrium
    #[arg(long)]
    pub no_bias: bool,
    /// How fast the observer of `observer` follows [Hz] [default: a third of the frequency of the gains]
    #[arg(long, value_name = "F", value_parser = frequency)]
    pub observer_bandwidth: Option<Frequency>,
    /// Largest disturbance that it believes in [N m, N], for all or for each [default: K_p times a tenth of the error at which the robot is stopped]
    #[arg(long, num_args = 1.., value_name = "N", value_parser = measure)]
    pub disturbance_limit: Vec<Measure>,
    /// Largest payload that `adaptive` believes in [kg] [default: the one that doubles what the motors move]
    #[arg(long, value_name = "M", value_parser = mass)]
    pub payload_limit: Option<Mass>,
    /// How long `adaptive` remembers what it measured [s] [default: 20ms]
    #[arg(long, value_name = "T", value_parser = time)]
    pub payload_memory: Option<Time>,
    /// Largest torque [N m] or force [N] that the regulators command, for all or for each
    #[arg(long, num_args = 1.., value_name = "N", value_parser = measure)]
    pub command_limit: Vec<Measure>,
    /// By how many per cent the robot that the controller knows differs from its file, as --model-error
    #[arg(long, num_args = 1.., value_name = "PART=PERCENT", value_parser = error_part)]
    pub known_error: Vec<ModelError>,
    /// How the controller models the forearms of a Delta [default: as the robot file says, else complete]
    #[arg(long, value_name = "MODEL", value_parser = one_of::<ForearmModel>())]
    pub known_forearms: Option<ForearmModel>,
    /// The robot that the controller takes for its own: a file that `legwork identify --out` wrote [default: the robot itself]
    #[arg(long, value_name = "ROBOT")]
    pub known_robot: Option<String>,
    /// Mass on the platform that the controller believes in [kg] [default: that of the robot]
    #[arg(long, value_name = "M", value_parser = mass)]
    pub known_payload: Option<Mass>,
    /// The controller does not know what its motion picks up and puts down
    #[arg(long)]
    pub ignore_loads: bool,
}

impl ControllerArgs {
    /// Whether any of them is given.
    pub fn is_given(&self) -> bool {
        self.period.is_some() || self.request() != ControllerRequest::default()
    }

    pub fn request(&self) -> ControllerRequest {
        let usual = ControllerRequest::default();
        ControllerRequest {
            regulators: self.regulator.clone(),
            period: self.period.unwrap_or(usual.period),
            frequency: self.frequency,
            damping: self.damping,
            kp: MotorValues(self.kp.clone()),
            kd: MotorValues(self.kd.clone()),
            ki: MotorValues(self.ki.clone()),
            lqr_weights: self.lqr_weights.clone().try_into().ok(),
            shift: self.shift,
            decouple: self.decouple,
            exact_derivatives: self.exact_derivatives,
            no_bias: self.no_bias,
            observer_bandwidth: self.observer_bandwidth,
            disturbance_limit: MotorValues(self.disturbance_limit.clone()),
            payload_limit: self.payload_limit,
            payload_memory: self.payload_memory,
            command_limit: MotorValues(self.command_limit.clone()),
            known_error: model_error(&self.known_error),
            known_forearms: self.known_forearms,
            known_robot: self.known_robot.as_ref().map(RobotRequest::named),
            known_payload: self.known_payload,
            ignores_loads: self.ignore_loads,
        }
    }
}
