//! Equations of motion in time.

mod any;
mod constrained;
#[path = "../engine_support/mod.rs"]
mod engine_support;
mod joined;
#[path = "../motion_support/mod.rs"]
mod motion_support;
mod swing;
mod symplectic;
