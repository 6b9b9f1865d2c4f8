//! The options of `legwork simulate` about the machine.

use super::typed::{error_part, mass, measure, model_error, pick, push, ratio, sway, time};
use clap::Args;
use legwork::description::ModelError;
use legwork::task::{
    BaseRequest, FrictionRequest, Mass, Measure, MotorValues, PickRequest, PlantRequest, PushRequest,
    StopsRequest, SwayRequest, Time,
};
use std::path::PathBuf;

/// What the simulated machine has that the ideal one has not.
#[derive(Debug, Args)]
#[command(next_help_heading = "Machine")]
pub struct PlantArgs {
    /// Mass on the platform [kg], instead of the payload in the robot file; the motors are held for it
    #[arg(long, value_name = "M", value_parser = mass)]
    pub payload: Option<Mass>,
    /// Pick up a mass in motion, at a time [s] with a mass [kg], such as 0.2s:1.5kg; may be repeated
    #[arg(long, value_name = "T:M", num_args = 1.., value_parser = pick)]
    pub pick: Vec<PickRequest>,
    /// Put down what is carried, at a time [s]; may be repeated
    #[arg(long, value_name = "T", num_args = 1.., value_parser = time)]
    pub put: Vec<Time>,
    /// Force of the environment on the platform all the time, FX FY FZ [N], then its moment MX MY MZ [N m] about the platform point if it turns
    #[arg(long, num_args = 1.., value_name = "F", value_parser = measure)]
    pub force: Vec<Measure>,
    /// A push: a force (and moment) from one time to another, such as 0.1s:0.15s:30N,0N,-5N; may be repeated
    #[arg(long, num_args = 1.., value_name = "T:T:F,F,F", value_parser = push)]
    pub push: Vec<PushRequest>,
    /// A base that sways, such as roll:5deg:0.1Hz or z:50mm:0.2Hz:90deg: a coordinate x, y, z, roll, pitch or yaw, how far, how often, and where it begins; may be repeated
    #[arg(long, num_args = 1.., value_name = "Q:A:F", value_parser = sway)]
    pub sway: Vec<SwayRequest>,
    /// A base that moves as a file says: the column t [s] and some of x y z [m], roll pitch yaw [rad]
    #[arg(long, value_name = "FILE")]
    pub base: Option<PathBuf>,
    /// By how many per cent the machine differs from its file, such as mass=10 length=-0.5: mass (with the inertia of the bodies), motor (inertia of rotors and gears), length, friction
    #[arg(long, num_args = 1.., value_name = "PART=PERCENT", value_parser = error_part)]
    pub model_error: Vec<ModelError>,
    /// Current lag of the motors, first order [s]
    #[arg(long, value_name = "T", value_parser = time)]
    pub lag: Option<Time>,
    /// Largest torque [N m] or force [N] of the motors, one number for all or one for each
    #[arg(long, visible_alias = "torque-limit", num_args = 1.., value_name = "N", value_parser = measure)]
    pub effort_limit: Vec<Measure>,
    /// Fastest change of a motor's torque [N m/s] or force [N/s], for all or for each
    #[arg(long, num_args = 1.., value_name = "N/S", value_parser = measure)]
    pub rate_limit: Vec<Measure>,
    /// Speed beyond which a motor does not drive [rad/s, m/s], for all or for each; its last 5 % fade
    #[arg(long, num_args = 1.., value_name = "QD", value_parser = measure)]
    pub speed_limit: Vec<Measure>,
    /// Take the limits of torque and speed in the robot file, where no others are given
    #[arg(long)]
    pub file_limits: bool,
    /// Friction besides that of the file: viscous D [N m s/rad, N s/m], then Coulomb F [N m, N]
    #[arg(long, num_args = 1..=2, value_names = ["D", "F"], value_parser = measure)]
    pub friction: Vec<Measure>,
    /// Soft stops at the limits of the joints in the file: stiffness K [N m/rad, N/m], then damping C [s/rad, s/m]
    #[arg(long, num_args = 1..=2, value_names = ["K", "C"], value_parser = ratio)]
    pub stops: Vec<f64>,
    /// One step of the encoders [rad, m], for all or for each: what they read is recorded as m1 m2 ...
    #[arg(long, num_args = 1.., value_name = "Q", value_parser = measure)]
    pub encoder: Vec<Measure>,
    /// How late the encoders are read [s]
    #[arg(long, value_name = "T", value_parser = time)]
    pub delay: Option<Time>,
    /// Standard deviation of the noise before the encoder counts [rad, m], for all or for each
    #[arg(long, num_args = 1.., value_name = "Q", value_parser = measure)]
    pub noise: Vec<Measure>,
    /// Seed of the noise [default: 1998]
    #[arg(long)]
    pub seed: Option<u64>,
}

impl PlantArgs {
    pub fn request(&self) -> PlantRequest {
        let friction = self.friction.first().map(|viscous| FrictionRequest {
            viscous: viscous.value,
            coulomb: self.friction.get(1).copied(),
        });
        let stops = self.stops.first().map(|stiffness| StopsRequest {
            stiffness: *stiffness,
            damping: self.stops.get(1).copied().unwrap_or(0.0),
        });
        PlantRequest {
            lag: self.lag,
            effort_limit: MotorValues(self.effort_limit.clone()),
            rate_limit: MotorValues(self.rate_limit.clone()),
            speed_limit: MotorValues(self.speed_limit.clone()),
            file_limits: self.file_limits,
            friction,
            stops,
            encoder: MotorValues(self.encoder.clone()),
            noise: MotorValues(self.noise.clone()),
            delay: self.delay,
            seed: self.seed,
            model_error: model_error(&self.model_error),
            pick: self.pick.clone(),
            put: self.put.clone(),
            push: self.push.clone(),
            base: (self.base.is_some() || !self.sway.is_empty()).then(|| BaseRequest {
                sway: self.sway.clone(),
                file: self.base.clone(),
                table: None,
            }),
        }
    }
}
