//! The part of legwork that runs on the robot: kinematics and dynamics of
//! parallel robots without heap, operating system or panic.
//!
//! Every formula is written once, generic over [`Real`]. With `f64` it computes,
//! in SIMD lanes it computes four states at once, with [`Dual`] numbers it gives
//! exact derivatives, with the tracing scalar it counts its own operations.
//!
//! SI units and radians throughout; letters as in `NOTATION.md`.

#![no_std]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "trace")]
extern crate alloc;

pub mod control;
pub mod drive;
mod dual;
pub mod engine;
pub mod integrate;
#[cfg(feature = "simd")]
pub mod lanes;
pub mod linalg;
pub mod links;
pub mod mechanism;
pub mod motion;
mod real;
pub mod robots;
#[cfg(feature = "trace")]
pub mod trace;
pub mod trajectory;

// Scalars
pub use dual::Dual;
pub use real::{Margin, Real};
#[cfg(feature = "trace")]
pub use trace::{Tape, Trace};
// Vectors and matrices
pub use linalg::{M3, Sym3, V3};
