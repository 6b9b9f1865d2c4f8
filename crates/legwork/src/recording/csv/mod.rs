//! CSV: a plain table of RFC 4180, and its metadata in a file beside it.
//!
//! `run.csv` is a line of names and a line for each row, nothing else; lines end in a line feed. Names are those of every
//! other format, in quotes where they need them. Numbers are the shortest that read back the same, with `NaN` and `inf`
//! as pandas and Polars know them; there is one NaN.
//!
//! ```text
//! t,x
//! 0.0,0.1
//! ```
//!
//! `run.csv-metadata.json` says the rest, in the form and under the name of the W3C's "CSV on the Web": units as
//! `schema:unitText`, and what is legwork's own under names that begin with `legwork`.
//!
//! ```json
//! {
//!   "@context": "http://www.w3.org/ns/csvw",
//!   "url": "run.csv",
//!   "tableSchema": {
//!     "columns": [
//!       { "name": "t", "titles": "t", "datatype": "double", "schema:unitText": "s" },
//!       { "name": "x", "titles": "x", "datatype": "double", "schema:unitText": "m", "legwork:frame": "base" }
//!     ]
//!   },
//!   "legwork.recording:version": "2",
//!   "legwork.recording:first-block-bytes": 12,
//!   "legwork.recording:first-block-crc32": "5edb87f5",
//!   "legwork.recording:bytes": 12,
//!   "legwork.recording:crc32": "5edb87f5",
//!   "legwork.recording:end": "end of the path",
//!   "legwork:command": "legwork simulate",
//!   "legwork:robot": "family = \"delta\"\n"
//! }
//! ```
//!
//! The checksums tell whether it was written for this table: that of the header and the first block, with which both
//! files appear, and that of the whole table, which is there when the run has ended. What does not fit is told
//! ([`Bare`](super::Bare)) and not used.
//!
//! Two files cannot take their names at once. The metadata is whole on the disk before the table takes its name, and
//! takes its own after it; a reader that finds metadata of other numbers looks for the one that still waits.

mod read;
mod side;
mod write;

pub(super) use read::Reader;
pub(super) use side::Beside;
pub use side::metadata_file;
pub(super) use write::Writer;

/// How a recording of the earlier form began, with its metadata in `#` lines.
const OLD_FIRST: &[u8] = b"# legwork recording ";
