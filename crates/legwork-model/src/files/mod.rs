//! Files of the disk: read with a bound, written whole or not at all, and never one over another of the same task.
//!
//! * [`read`] and [`read_text`] take regular files up to a size that the caller states. A device or a pipe has no end,
//!   so neither is read.
//! * [`write`](write()) writes beside the file, as `.NAME.partial`, and renames when all bytes are on the disk: whoever
//!   opens the name finds the old file or the new one, whatever happens in between. [`NewFile`] does the same for a file
//!   that grows.
//! * A file that is being written is locked; a second writer is refused.
//! * [`FileRoles`] tells, before the work, that an output would overwrite an input or another output.

mod fault;
mod read;
mod roles;
mod write;

pub use fault::FileFault;
pub use read::{MOST_DATA, MOST_TEXT, open, read, read_text};
pub use roles::target;
pub use roles::{FileConflict, FileRole, FileRoles};
pub use write::partial_name;
pub use write::{NewFile, write};
