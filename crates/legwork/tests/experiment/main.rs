//! Closed loops along a motion.

mod basics;
mod learning;
mod robots;
mod tuning;
