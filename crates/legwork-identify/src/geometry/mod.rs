//! The geometry of the real machine: lengths, positions, directions and zeros of its legs from what was measured on it.

pub mod estimate;
pub mod model;
pub mod observation;
pub mod parameters;
pub mod residual;
