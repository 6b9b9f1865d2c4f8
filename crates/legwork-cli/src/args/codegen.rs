//! The arguments of `legwork codegen`.

use clap::Args;
use std::path::PathBuf;

pub const HELP: &str = "\
Examples:
  legwork codegen delta-industrial --out model               C99: delta_industrial.h, .c and a self-test
  legwork codegen gough-stewart --what torque --lang rust    Rust without the standard library, printed
  legwork codegen five-bar --what ik,fk,torque --lang st --out plc
  legwork codegen delta-industrial --what regulator --precision float --out firmware
  legwork codegen delta-industrial --what torque --symbolic payload --out model

Quantities: ik, fk, jacobian, torque, simplified-torque, acceleration, mass-matrix, gravity, torque-derivatives,
acceleration-derivatives, joint-motion, axes-torque, regulator, computed-torque.
Default: ik, fk, jacobian and, if the robot has masses, torque and acceleration.
Exit code: 0 generated, 2 bad input.";

#[derive(Debug, Args)]
pub struct CodegenArgs {
    /// A built-in robot or a robot file
    pub robot: String,
    /// Which formulas, a list with commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub what: Vec<String>,
    /// c, rust or st
    #[arg(long, value_name = "LANGUAGE", default_value = "c")]
    pub lang: String,
    /// double or float
    #[arg(long, value_name = "PRECISION", default_value = "double")]
    pub precision: String,
    /// Parameters that stay arguments, a list with commas: payload, gravity; of a Delta also its masses and friction
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub symbolic: Vec<String>,
    /// A wrench on the platform is an argument of the dynamics
    #[arg(long)]
    pub wrench: bool,
    /// What all names begin with [default: the name of the robot]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Write the files to this folder instead of printing them
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
