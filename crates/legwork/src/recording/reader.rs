//! Reading a recording block by block.

use super::error::ReadError;
use super::files::Source;
use super::{Bare, Column, Format, Metadata, csv, mcap, parquet};
use std::path::Path;

/// How a recording ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The run was ended, for this reason.
    Finished(String),
    /// The run was killed, or its file cut.
    Cut {
        /// Where in the file the readable part ends \[bytes\].
        offset: u64,
    },
    /// Nothing says how: a file of another program, or a recording that still goes on.
    Unknown,
}

/// What stands at the beginning of a file.
#[derive(Default)]
pub(super) struct Header {
    pub columns: Vec<Column>,
    pub metadata: Metadata,
    /// Why nothing else is known, of a table of numbers.
    pub bare: Option<Bare>,
}

enum Blocks {
    Csv(csv::Reader),
    Parquet(parquet::Reader),
    #[cfg(feature = "foreign-recordings")]
    ForeignParquet(Box<parquet::ForeignReader>),
    Mcap(mcap::Reader),
}

/// A file that is read block by block; memory does not grow with its length.
pub struct Reader {
    header: Header,
    blocks: Blocks,
    ending: Option<Ending>,
}

impl Reader {
    /// Opens a file of any format, which its first bytes show. Files of other programs can be read too: CSV with a
    /// header, and Parquet with plain doubles; with the feature `foreign-recordings` any flat Parquet of numbers
    /// and compressed MCAP.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Ok(Self::open_any(path.as_ref())?.1)
    }

    /// Reads the bytes of a file; `name` stands for its path in messages.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, ReadError> {
        Ok(Self::of_source(Source::from_bytes(name, bytes), csv::Beside::Nothing)?.1)
    }

    /// Reads the bytes of a CSV file and those of the metadata beside it.
    pub fn from_bytes_with(name: &str, bytes: Vec<u8>, metadata: &[u8]) -> Result<Self, ReadError> {
        Ok(Self::of_source(Source::from_bytes(name, bytes), csv::Beside::Bytes(metadata))?.1)
    }

    pub(super) fn open_any(path: &Path) -> Result<(Format, Self), ReadError> {
        Self::of_source(Source::open(path)?, csv::Beside::File(path))
    }

    fn of_source(mut source: Source, beside: csv::Beside<'_>) -> Result<(Format, Self), ReadError> {
        let mut first = Vec::new();
        source.read(source.length.min(8), &mut first)?;
        source.seek(0)?;
        #[cfg(feature = "foreign-recordings")]
        if first.starts_with(parquet::MAGIC) && !parquet::is_ours(&first) {
            let (header, reader) = parquet::ForeignReader::open(source)?;
            let blocks = Blocks::ForeignParquet(Box::new(reader));
            return Ok((Format::Parquet, Self { header, blocks, ending: None }));
        }
        let (format, (header, blocks)) = if first.starts_with(parquet::MAGIC) {
            let (header, reader) = parquet::Reader::open(source)?;
            (Format::Parquet, (header, Blocks::Parquet(reader)))
        } else if first.starts_with(&mcap::MAGIC[..5]) {
            let (header, reader) = mcap::Reader::open(source)?;
            (Format::Mcap, (header, Blocks::Mcap(reader)))
        } else {
            let (header, reader) = csv::Reader::open(source, beside)?;
            (Format::Csv, (header, Blocks::Csv(reader)))
        };
        Ok((format, Self { header, blocks, ending: None }))
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.header.columns
    }

    /// What made it.
    pub fn metadata(&self) -> &Metadata {
        &self.header.metadata
    }

    /// Why nothing but the numbers is known: of a CSV file without its metadata.
    pub fn bare(&self) -> Option<&Bare> {
        self.header.bare.as_ref()
    }

    /// How the recording ended; known after the last block.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Whether the file has its last bytes: a table of contents, where its format has one.
    pub(super) fn is_whole(&self) -> bool {
        match &self.blocks {
            Blocks::Csv(_) => true,
            Blocks::Parquet(reader) => reader.is_whole(),
            #[cfg(feature = "foreign-recordings")]
            Blocks::ForeignParquet(_) => true,
            Blocks::Mcap(reader) => reader.is_whole(),
        }
    }

    /// Appends the rows of the next block to `columns`, which has a list for each column,
    /// and returns how many they are; 0 at the end. After an error the lists hold what could be read.
    pub fn read_block(&mut self, columns: &mut [Vec<f64>]) -> Result<usize, ReadError> {
        if self.ending.is_some() {
            return Ok(0);
        }
        let before = columns.first().map_or(0, Vec::len);
        loop {
            let ending = match &mut self.blocks {
                Blocks::Csv(reader) => reader.block(columns),
                Blocks::Parquet(reader) => reader.block(columns),
                #[cfg(feature = "foreign-recordings")]
                Blocks::ForeignParquet(reader) => reader.block(columns),
                Blocks::Mcap(reader) => reader.block(columns),
            };
            // Whole rows only.
            let rows = columns.iter().map(Vec::len).min().unwrap_or(0);
            for column in columns.iter_mut() {
                column.truncate(rows);
            }
            self.ending = ending?;
            if rows > before || self.ending.is_some() {
                return Ok(rows - before);
            }
        }
    }
}
