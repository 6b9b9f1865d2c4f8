//! The parameters of the real machine, from what was measured on it.

pub mod dynamics;
pub mod geometry;
pub mod task;
