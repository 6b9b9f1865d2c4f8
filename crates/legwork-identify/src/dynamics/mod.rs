//! Identification of inertial and friction parameters from logs of motions and efforts.
// Counts of rows come from times and rates that were checked; matrices are written with their indices.
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::needless_range_loop)]

pub mod base;
mod doubts;
pub mod estimate;
pub mod excite;
pub mod feasible;
pub mod filter;
pub mod identify;
pub mod log;
pub mod matrix;
mod names;
mod page;
pub mod parameters;
mod printed;
pub mod regressor;
pub mod request;
mod robot_text;
pub mod series;
mod signs;

pub use base::{BaseParameters, random_states};
pub use identify::{Identification, Lag, Logs, Settings, identify};
pub use log::{Log, LogSettings};
pub use parameters::Parameters;
pub use regressor::Regressor;
pub use request::{ExciteRequest, ExciteResult, IdentifyRequest, IdentifyResult};
pub use robot_text::robot_text;
