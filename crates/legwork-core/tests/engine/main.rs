//! The general engine: chains, legs, hexapods.

mod chains;
mod closed_forms;
#[path = "../engine_support/mod.rs"]
mod engine_support;
mod golden;
mod hexapod;
mod identities;
#[cfg(all(feature = "simd", feature = "trace"))]
mod scalars;
