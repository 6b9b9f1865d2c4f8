//! Paths, laws and the fastest timing.

mod check;
mod laws;
mod optimal;
mod paths;
