//! Simulation: forms, plants, control, stiffness.

mod basics;
mod control;
mod direct_drive;
mod forms;
mod model_error;
mod plant;
mod stiff;
