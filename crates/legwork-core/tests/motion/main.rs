//! Equations of motion in time.

mod constrained;
#[path = "../engine_support/mod.rs"]
mod engine_support;
#[path = "../motion_support/mod.rs"]
mod motion_support;
mod swing;
mod symplectic;
