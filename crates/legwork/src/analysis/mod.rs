//! Answers about a robot: fields over its workspace, small motions about a pose, what its parameters do to it.

pub mod ellipsoid;
pub mod linear;
pub mod map;
pub mod sensitivity;
pub mod size;
pub mod timing;
pub mod tuning;
