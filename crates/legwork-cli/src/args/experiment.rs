//! Options about a path, its timing and a controller.

use super::Model;
use clap::{Args, ValueEnum};

/// What the platform follows; both ends are options of the verb.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Path")]
pub struct RouteArgs {
    /// What the platform follows, from --from to --to [default: semi-ellipse about home]
    #[arg(long)]
    pub path: Option<PathKind>,
    /// Where the path ends, as --from; the platform turns on the way if its orientation differs
    #[arg(long, num_args = 1.., value_name = "COORDINATES")]
    pub to: Vec<String>,
    /// A point on the way, such as 0.1,0,-0.7: one for an arc, any number of way-points; may be repeated
    #[arg(long, value_name = "X,Y,Z")]
    pub via: Vec<String>,
    /// Height of a semi-ellipse, lift of pick-and-place [m] [default: 0.24 of the way]
    #[arg(long, value_name = "H")]
    pub height: Option<String>,
    /// Where the corners of pick-and-place begin, seen from where straight lines would meet [m] [default: 0.8 of the lift]
    #[arg(long, value_name = "D")]
    pub corner: Option<String>,
}

/// A timing law and its size.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Timing")]
pub struct TimingArgs {
    /// When to be where on the path [default: sine]
    #[arg(long)]
    pub law: Option<LawKind>,
    /// How long a move takes [s]
    #[arg(long, value_name = "T", conflicts_with_all = ["peak", "average_speed", "limits"])]
    pub move_time: Option<String>,
    /// Peak acceleration along the path [m/s^2]; two numbers: while speeding up and while braking, for parabolic and sine
    #[arg(long, num_args = 1..=2, value_names = ["A1", "A2"], conflicts_with_all = ["average_speed", "limits"])]
    pub peak: Vec<String>,
    /// Average speed along the path [m/s]
    #[arg(long, value_name = "V", conflicts_with = "limits")]
    pub average_speed: Option<String>,
    /// Limits of an s-curve: speed [m/s], acceleration [m/s^2], jerk [m/s^3]
    #[arg(long, num_args = 3, value_names = ["V", "A", "J"])]
    pub limits: Vec<String>,
}

/// What the platform follows, and when.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Path")]
pub struct PathArgs {
    #[command(flatten)]
    pub route: RouteArgs,
    #[command(flatten)]
    pub timing: TimingArgs,
    /// Back again on the same path
    #[arg(long)]
    pub back: bool,
    /// How often there and back
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub cycles: Option<u32>,
    /// Rest at each end, on the way there and back [s]
    #[arg(long, value_name = "T")]
    pub pause: Option<String>,
    /// How long the robot may come to rest after its motion [s] [default: 0.1s]
    #[arg(long, value_name = "T")]
    pub settle: Option<String>,
    /// Within this distance of its reference the platform has arrived [m] [default: 0.1mm]
    #[arg(long, value_name = "D")]
    pub band: Option<String>,
}

/// Which regulators, and what they know.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Controller")]
pub struct ControllerArgs {
    /// Which regulators, one after the other [default: pd constant-inertia model model-shifted]
    #[arg(long, num_args = 1.., value_delimiter = ',', value_name = "NAME")]
    pub regulator: Vec<Regulator>,
    /// Time between two samples of the controller [s] [default: 1ms]
    #[arg(long, value_name = "T")]
    pub period: Option<String>,
    /// Gains by frequency [Hz]: K_p = I w^2 with the mean diagonal I of the mass matrix [default: 20]
    #[arg(long, value_name = "F")]
    pub frequency: Option<String>,
    /// Damping that belongs to it: K_d = 2 z w I [default: 0.7]
    #[arg(long, value_name = "Z")]
    pub damping: Option<String>,
    /// K_p itself [N m/rad, N/m], for all or for each
    #[arg(long, num_args = 1.., value_name = "K")]
    pub kp: Vec<String>,
    /// K_d itself [N m s/rad, N s/m], for all or for each
    #[arg(long, num_args = 1.., value_name = "K")]
    pub kd: Vec<String>,
    /// K_i of pid itself [N m/(rad s), N/(m s)], for all or for each [default: K_p w/10]
    #[arg(long, num_args = 1.., value_name = "K")]
    pub ki: Vec<String>,
    /// What lqr weighs: errors, their rates, efforts [default: as K_p and K_d would for each motor alone]
    #[arg(long, num_args = 3, value_names = ["QX", "QV", "R"])]
    pub lqr_weights: Vec<String>,
    /// T_m of model-shifted: its feedback sees the reference so late [s] [default: 2ms]
    #[arg(long, value_name = "T")]
    pub shift: Option<String>,
    /// Mass matrix in series with the feedback: axes decoupled
    #[arg(long)]
    pub decouple: bool,
    /// Derivatives of the reference exact, not by differences over three samples
    #[arg(long)]
    pub exact_derivatives: bool,
    /// No constant effort that makes the start an equilibrium
    #[arg(long)]
    pub no_bias: bool,
    /// Largest torque [N m] or force [N] that the regulators command, for all or for each
    #[arg(long, num_args = 1.., value_name = "N")]
    pub command_limit: Vec<String>,
    /// By how many per cent the robot that the controller knows differs from its file, as --model-error
    #[arg(long, num_args = 1.., value_name = "PART=PERCENT")]
    pub known_error: Vec<String>,
    /// How the controller models the forearms of a Delta [default: simplified for delta-direct-drive, else complete]
    #[arg(long, value_name = "MODEL")]
    pub known_forearms: Option<Model>,
    /// Mass on the platform that the controller believes in [kg] [default: that of the robot]
    #[arg(long, value_name = "M")]
    pub known_payload: Option<String>,
}

impl RouteArgs {
    /// Whether any of them is given.
    pub fn is_given(&self) -> bool {
        self.path.is_some()
            || self.height.is_some()
            || self.corner.is_some()
            || !self.to.is_empty()
            || !self.via.is_empty()
    }
}

impl TimingArgs {
    /// Whether any of them is given.
    pub fn is_given(&self) -> bool {
        self.law.is_some()
            || self.move_time.is_some()
            || self.average_speed.is_some()
            || !self.peak.is_empty()
            || !self.limits.is_empty()
    }
}

impl PathArgs {
    /// Whether any of them is given.
    pub fn is_given(&self) -> bool {
        let texts = [&self.pause, &self.settle, &self.band];
        self.route.is_given()
            || self.timing.is_given()
            || self.back
            || self.cycles.is_some()
            || texts.iter().any(|text| text.is_some())
    }
}

impl ControllerArgs {
    /// Whether any of them is given.
    pub fn is_given(&self) -> bool {
        let texts = [&self.period, &self.frequency, &self.damping, &self.shift, &self.known_payload];
        let lists = [&self.kp, &self.kd, &self.ki, &self.lqr_weights, &self.command_limit, &self.known_error];
        !self.regulator.is_empty()
            || self.decouple
            || self.exact_derivatives
            || self.no_bias
            || self.known_forearms.is_some()
            || texts.iter().any(|text| text.is_some())
            || lists.iter().any(|list| !list.is_empty())
    }
}

/// A path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PathKind {
    /// Half an ellipse, up and down again (Codourey 1998)
    SemiEllipse,
    /// Straight
    Line,
    /// Part of a circle, through one --via
    Arc,
    /// Up, across and down with rounded corners (Adept cycle)
    PickAndPlace,
    /// A cubic spline through every --via
    WayPoints,
}

impl PathKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::SemiEllipse => "semi-ellipse",
            Self::Line => "line",
            Self::Arc => "arc",
            Self::PickAndPlace => "pick-and-place",
            Self::WayPoints => "way-points",
        }
    }
}

/// A timing law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LawKind {
    /// Constant acceleration, then constant braking
    Parabolic,
    /// 3 t^2 - 2 t^3
    Cubic,
    /// Acceleration continuous
    Quintic,
    /// A ramp with a sine laid on it: acceleration is a period of a sine
    Sine,
    /// Limited speed, acceleration and jerk
    SCurve,
}

impl LawKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Parabolic => "parabolic",
            Self::Cubic => "cubic",
            Self::Quintic => "quintic",
            Self::Sine => "sine",
            Self::SCurve => "s-curve",
        }
    }
}

/// A regulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Regulator {
    /// PD at the motors
    Pd,
    /// PD with an integral
    Pid,
    /// PD and a constant inertia times the wanted acceleration
    ConstantInertia,
    /// PD and the model's efforts for the reference
    Model,
    /// The same, its feedback late by --shift
    ModelShifted,
    /// PD and what holds the measured pose (Bortoff 2018)
    Gravity,
    /// Computed torque at the motors
    ComputedTorque,
    /// Feedback linearisation in platform space (Bortoff 2018)
    Platform,
    /// The model's efforts and state feedback of least cost, by the linear model half-way
    Lqr,
    /// The same with all poles at --frequency and --damping
    Place,
}
