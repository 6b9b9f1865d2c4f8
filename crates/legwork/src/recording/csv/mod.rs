//! CSV: metadata in `#` lines on top, a header with units, one line per row.
//!
//! ```text
//! # legwork recording 1
//! # legwork.frames: {"x":"base"}
//! # command: "legwork simulate"
//! # robot: "family = \"delta\"\n"
//! # + "[geometry]\n"
//! t [s],x [m]
//! 0.0,0.1
//! # legwork.end: "end of the path"
//! ```
//!
//! Values are JSON strings, a text of several lines one string per line. Numbers are
//! the shortest that read back the same; `NaN` and `inf` as most programs write them.

mod number;
mod read;
mod write;

pub(super) use read::Reader;
pub(super) use write::Writer;

/// The first line of a recording; the version follows.
const FIRST: &str = "# legwork recording ";
const VERSION: &str = "1";
const FRAMES: &str = "legwork.frames";
const END: &str = "legwork.end";
/// Begins a line that continues the value of the line above.
const MORE: &str = "# + ";
