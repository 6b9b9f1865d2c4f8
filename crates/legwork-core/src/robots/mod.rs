//! The robots: families in closed form, and a catalogue of real machines.

pub mod catalog;
pub mod delta;
