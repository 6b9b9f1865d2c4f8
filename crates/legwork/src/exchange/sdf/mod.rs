//! SDF, the dialect of Gazebo and Drake, with Drake's ball constraints.

mod read;
mod write;

pub(super) use read::read;
pub(super) use write::write;

/// The name space of what legwork says itself.
const SPACE: &str = "legwork";
/// A link that stands for the ground, where a constraint needs one.
const GROUND: &str = "base";
/// The frame at the point of the platform.
const PLATFORM: &str = "platform_point";
