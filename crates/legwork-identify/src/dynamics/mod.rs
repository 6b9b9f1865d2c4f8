//! Identification of inertial and friction parameters from logs of motions and efforts.

pub mod base;
pub mod estimate;
pub mod feasible;
pub mod filter;
pub mod identify;
pub mod log;
pub mod matrix;
pub mod parameters;
pub mod regressor;
pub mod series;

pub use base::{BaseParameters, random_states};
pub use identify::{Identification, Lag, Logs, Settings, identify};
pub use log::{Log, LogSettings};
pub use parameters::Parameters;
pub use regressor::Regressor;
