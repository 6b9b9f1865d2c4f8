//! MJCF, the dialect of MuJoCo.

mod geoms;
mod read;
mod settings;
mod write;

pub(super) use read::read;
pub(super) use write::write;

/// Names of the texts in `custom` that legwork writes and reads: the body of the platform, its freedoms, bodies that have
/// no mass, bodies to whose inertia something was added and how much.
const PLATFORM: &str = "legwork.platform";
const FREEDOMS: &str = "legwork.freedoms";
const MASSLESS: &str = "legwork.massless";
const FLOOR: &str = "legwork.floor";
/// The site at the point of the platform.
const SITE: &str = "platform_point";
