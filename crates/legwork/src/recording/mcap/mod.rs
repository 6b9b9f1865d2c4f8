//! MCAP: a chunk per block, with three kinds of channels.
//!
//! `/columns` has every row to the bit, as a protobuf message of doubles whose schema is
//! in the file. `/platform` and `/joints` are for viewers: poses and joint states as JSON,
//! made from columns of known names. What the columns are stands in metadata records at
//! the start, so a file that is cut has it; the index at the end is for other programs.
//!
//! Only the few records below are needed and each is a list of numbers and texts, so they
//! are written out; the crate `mcap` has 35 crates below it and would read nothing more. Chunks
//! that another program compressed are read with the feature `foreign-recordings`. Layout and
//! operation codes are those of the MCAP specification, version 0.

mod messages;
mod proto;
mod read;
mod records;
mod view;
mod write;

pub use messages::{Topic, messages_file};
pub(super) use read::Reader;
pub(super) use write::Writer;

/// First and last bytes of a file.
pub(super) const MAGIC: &[u8; 8] = b"\x89MCAP0\r\n";

const VERSION: &str = "1";
/// Metadata record with version and columns.
const RECORDING: &str = "legwork.recording";
/// Metadata record with the user's keys and values.
const METADATA: &str = "legwork.metadata";
/// Metadata record with the reason of the end.
const END: &str = "legwork.end";

const COLUMNS_TOPIC: &str = "/columns";

/// What kind of record follows.
mod code {
    pub const HEADER: u8 = 1;
    pub const FOOTER: u8 = 2;
    pub const SCHEMA: u8 = 3;
    pub const CHANNEL: u8 = 4;
    pub const MESSAGE: u8 = 5;
    pub const CHUNK: u8 = 6;
    pub const MESSAGE_INDEX: u8 = 7;
    pub const CHUNK_INDEX: u8 = 8;
    pub const STATISTICS: u8 = 11;
    pub const METADATA: u8 = 12;
    pub const METADATA_INDEX: u8 = 13;
    pub const SUMMARY_OFFSET: u8 = 14;
    pub const DATA_END: u8 = 15;
}
