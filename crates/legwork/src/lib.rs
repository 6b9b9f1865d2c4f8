//! Parallel robots on the desk.
pub use legwork_core::*;

pub mod description;
pub mod units;
