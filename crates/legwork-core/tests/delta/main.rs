//! The Delta in closed form and in every other formulation.

mod constrained;
#[path = "../delta_support/mod.rs"]
mod delta_support;
mod dynamics;
mod formulations;
mod golden;
mod kinematics;
mod ngoc_kim;
#[cfg(all(feature = "simd", feature = "trace"))]
mod scalars;
