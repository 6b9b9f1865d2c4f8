//! Closed loops along a motion.

mod basics;
mod robots;
mod tuning;
