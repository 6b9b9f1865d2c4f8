//! Answers about a robot over many states.

pub mod map;
