//! legwork for programs in C, C++ and whatever calls C: a static and a shared library with the header
//! `include/legwork.h`, and the entry points of functional mock-up units.
//!
//! Arguments in, one call of crate `legwork`, numbers out: no formula and no default of its own. `unsafe` is in `border`
//! (the caller's pointers), in `owned_regulator` (a regulator together with what it borrows) and in the functions that
//! hand over pointers; everything else is safe code.
#![allow(non_camel_case_types)] // the names of C

pub mod batch;
mod border;
mod codes;
pub mod dynamics;
pub mod fmi;
mod handles;
pub mod kinematics;
mod message;
mod owned_regulator;
pub mod regulator;
pub mod robot;
pub mod task;

pub use border::{legwork_batch, legwork_state};
pub use codes::Code;
pub use message::{legwork_code_name, legwork_last_message, legwork_version};
pub use robot::legwork_built_in;
