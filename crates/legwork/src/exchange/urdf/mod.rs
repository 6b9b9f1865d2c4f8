//! URDF, the dialect of ROS, with its loops beside it.

mod read;
mod write;
mod yaml;

pub(super) use read::read;
pub(super) use write::write;

/// The link that stands for the ground.
const BASE: &str = "base";
/// A limit that is none.
const FAR: f64 = 1e9;
