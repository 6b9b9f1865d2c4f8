//! The options of `legwork simulate` about the machine.

use clap::Args;

/// What the simulated machine has that the ideal one has not.
#[derive(Debug, Args)]
#[command(next_help_heading = "Machine")]
pub struct PlantArgs {
    /// Mass on the platform [kg], instead of the payload in the robot file; the motors are held for it
    #[arg(long, value_name = "M")]
    pub payload: Option<String>,
    /// Pick up a mass in motion, at a time [s] with a mass [kg], such as 0.2s:1.5kg; may be repeated
    #[arg(long, value_name = "T:M", num_args = 1..)]
    pub pick: Vec<String>,
    /// Put down what is carried, at a time [s]; may be repeated
    #[arg(long, value_name = "T", num_args = 1..)]
    pub put: Vec<String>,
    /// Force of the environment on the platform all the time, FX FY FZ [N], then its moment MX MY MZ [N m] about the platform point if it turns
    #[arg(long, num_args = 1.., value_name = "F")]
    pub force: Vec<String>,
    /// A push: a force (and moment) from one time to another, such as 0.1s:0.15s:30N,0N,-5N; may be repeated
    #[arg(long, num_args = 1.., value_name = "T:T:F,F,F")]
    pub push: Vec<String>,
    /// By how many per cent the machine differs from its file, such as mass=10 length=-0.5: mass (with the inertia of the bodies), motor (inertia of rotors and gears), length, friction
    #[arg(long, num_args = 1.., value_name = "PART=PERCENT")]
    pub model_error: Vec<String>,
    /// Current lag of the motors, first order [s]
    #[arg(long, value_name = "T")]
    pub lag: Option<String>,
    /// Largest torque [N m] or force [N] of the motors, one number for all or one for each
    #[arg(long, visible_alias = "torque-limit", num_args = 1.., value_name = "N")]
    pub effort_limit: Vec<String>,
    /// Fastest change of a motor's torque [N m/s] or force [N/s], for all or for each
    #[arg(long, num_args = 1.., value_name = "N/S")]
    pub rate_limit: Vec<String>,
    /// Speed beyond which a motor does not drive [rad/s, m/s], for all or for each; its last 5 % fade
    #[arg(long, num_args = 1.., value_name = "QD")]
    pub speed_limit: Vec<String>,
    /// Take the limits of torque and speed in the robot file, where no others are given
    #[arg(long)]
    pub file_limits: bool,
    /// Friction besides that of the file: viscous D [N m s/rad, N s/m], then Coulomb F [N m, N]
    #[arg(long, num_args = 1..=2, value_names = ["D", "F"])]
    pub friction: Vec<String>,
    /// Soft stops at the limits of the joints in the file: stiffness K [N m/rad, N/m], then damping C [s/rad, s/m]
    #[arg(long, num_args = 1..=2, value_names = ["K", "C"])]
    pub stops: Vec<String>,
    /// One step of the encoders [rad, m], for all or for each: what they read is recorded as m1 m2 ...
    #[arg(long, num_args = 1.., value_name = "Q")]
    pub encoder: Vec<String>,
    /// How late the encoders are read [s]
    #[arg(long, value_name = "T")]
    pub delay: Option<String>,
    /// Standard deviation of the noise before the encoder counts [rad, m], for all or for each
    #[arg(long, num_args = 1.., value_name = "Q")]
    pub noise: Vec<String>,
    /// Seed of the noise [default: 1998]
    #[arg(long)]
    pub seed: Option<u64>,
}
