//! Apache Parquet: one row group per block, each column one page of plain doubles.
//!
//! ```text
//! PAR1  copy of the footer, without row groups, and its length  PAR1
//! row group: for each column a page header (with checksum) and its doubles
//! …
//! footer: schema, row groups, key-value metadata, and its length  PAR1
//! ```
//!
//! Readers of Parquet begin at the end and never see the copy at the start. It is there
//! for a file that has no end: with it the pages can be read one after the other. Nothing
//! is ever written twice, so a long run costs no more per block than a short one. The
//! other way is a new footer after each block. A million rows of 30 columns have a footer
//! of 1.0 MB, so the footers of all 977 blocks would be 0.5 GB beside 0.24 GB of numbers,
//! and a kill in the middle of a block would still leave a file without one.
//!
//! Only the few structures below are needed, in Thrift's compact encoding, so this is
//! written out. The crate `parquet` cannot write a file that survives a kill, nor read one that has
//! no footer, and takes half as long to build as all of legwork; the feature `foreign-recordings`
//! has it read the files of other programs. Field numbers are those of `parquet.thrift` of the
//! Apache Parquet format.

mod footer;
#[cfg(feature = "foreign-recordings")]
mod foreign;
mod read;
mod thrift;
mod write;

#[cfg(feature = "foreign-recordings")]
pub(super) use foreign::ForeignReader;
pub(super) use read::Reader;
pub(super) use write::Writer;

/// First and last bytes of a file.
pub(super) const MAGIC: &[u8; 4] = b"PAR1";

const VERSION_KEY: &str = "legwork.recording";
const VERSION: &str = "1";
const COLUMNS_KEY: &str = "legwork.columns";
const END_KEY: &str = "legwork.end";

/// How a footer begins, and no page: with its version, 1, and a list.
const FOOTER: [u8; 3] = [0x15, 0x02, 0x19];

/// Whether these first bytes of a Parquet file are those of a recording of legwork, with a copy of the footer.
#[cfg(feature = "foreign-recordings")]
pub(super) fn is_ours(first: &[u8]) -> bool {
    first.get(MAGIC.len()..).is_some_and(|rest| rest.starts_with(&FOOTER))
}

/// Enumerators of `parquet.thrift`.
mod code {
    pub const DOUBLE: i64 = 5;
    pub const REQUIRED: i64 = 0;
    pub const OPTIONAL: i64 = 1;
    pub const PLAIN: i64 = 0;
    pub const RLE: i64 = 3;
    pub const UNCOMPRESSED: i64 = 0;
    pub const DATA_PAGE: i64 = 0;
}
