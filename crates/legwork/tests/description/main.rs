//! Robot files: keys, defaults, conventions, errors.

mod basics;
mod custom;
mod custom_errors;
mod defaults;
mod errors;
mod families;
mod family_errors;
mod fuzz;
mod mechanism;
mod tables;
