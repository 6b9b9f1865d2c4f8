//! Regulators, their models and the supervisor.

#[path = "../control_support/mod.rs"]
mod control_support;
#[path = "../engine_support/mod.rs"]
mod engine_support;
mod estimates;
mod faults;
mod hexapod;
mod injection;
mod laws;
mod loops;
mod memory;
mod models;
#[path = "../motion_support/mod.rs"]
mod motion_support;
mod reproduction;
