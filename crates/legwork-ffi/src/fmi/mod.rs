//! Functional mock-up units: the functions of FMI 2.0 and 3.0 around one `Unit`, whose behaviour they share. The shared
//! library is the binary of every unit; which robot it is, the unit's resources say.

mod advance;
mod calls;
mod exchange;
mod inside;
mod snapshot;
pub mod three;
pub mod two;
mod unit;

pub use unit::Unit;
