//! Robots of every family: answers, batches, conventions, pictures.

mod answers;
mod assembly;
mod batch;
mod branches;
mod cells;
mod checks;
mod conventions;
mod delta_terms;
mod derivatives;
mod families;
mod held;
mod meaning;
mod mechanism_efforts;
mod mechanisms;
mod reach;
#[path = "../robot_support/mod.rs"]
mod robot_support;
mod skeleton;
