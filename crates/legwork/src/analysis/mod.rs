//! What a robot is like around a pose: its small motions, and what its parameters do to it.

pub mod linear;
pub mod sensitivity;
