//! Writing Parquet.

use super::super::error::WriteError;
use super::super::files::Output;
use super::super::{Column, Metadata};
use super::footer::footer;
use super::thrift::Struct;
use super::{MAGIC, code};

pub(in super::super) struct Writer {
    output: Output,
    columns: Vec<Column>,
    metadata: Metadata,
    rows: i64,
    /// How many row groups there are, and their part of the footer.
    groups: (usize, Vec<u8>),
    /// The bytes of a block and of a page, kept for their memory.
    bytes: Vec<u8>,
    page: Vec<u8>,
}

impl Writer {
    pub fn start(mut output: Output, columns: &[Column], metadata: &Metadata) -> Result<Self, WriteError> {
        let mut bytes = MAGIC.to_vec();
        match footer(columns, metadata, None, 0, (0, &[])) {
            Some(copy) => bytes.extend(copy),
            None => output.length(usize::MAX).map(|_: u32| ())?,
        }
        output.write(&bytes)?;
        let (columns, metadata) = (columns.to_vec(), metadata.clone());
        Ok(Self { output, columns, metadata, rows: 0, groups: (0, Vec::new()), bytes, page: Vec::new() })
    }

    pub fn block(&mut self, rows: &[f64]) -> Result<(), WriteError> {
        let count: i32 = self.output.length(rows.len() / self.columns.len())?;
        self.bytes.clear();
        let mut chunks = Vec::new();
        for (k, column) in self.columns.iter().enumerate() {
            self.page.clear();
            for value in rows.iter().skip(k).step_by(self.columns.len()) {
                self.page.extend_from_slice(&value.to_le_bytes());
            }
            let size: i32 = self.output.length(self.page.len())?;
            // number of values, encoding of values, of definition and of repetition levels
            let page = Struct::new().i32(1, count).i32(2, code::PLAIN).i32(3, code::RLE).i32(4, code::RLE);
            let header = Struct::new()
                .i32(1, code::DATA_PAGE)
                .i32(2, size)
                .i32(3, size)
                .i32(4, crc32fast::hash(&self.page).cast_signed())
                .child(5, page)
                .end();
            let start = self.place()?;
            self.bytes.extend(header);
            self.bytes.extend_from_slice(&self.page);
            let length = self.place()? - start;
            let about = Struct::new()
                .i32(1, code::DOUBLE)
                .codes(2, &[code::PLAIN, code::RLE])
                .texts(3, &[&column.name])
                .i32(4, code::UNCOMPRESSED)
                .i64(5, count.into())
                .i64(6, length)
                .i64(7, length)
                .i64(9, start);
            chunks.extend(Struct::new().i64(2, 0).child(3, about).end());
        }
        let group = Struct::new()
            .children(1, self.columns.len(), &chunks)
            .i64(2, self.output.length(self.bytes.len())?)
            .i64(3, count.into());
        self.output.write_block(&self.bytes)?;
        self.groups.0 += 1;
        self.groups.1.extend(group.end());
        self.rows += i64::from(count);
        Ok(())
    }

    /// What was written, of a recording in memory.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        self.output.take_bytes()
    }

    pub fn finish(&mut self, reason: &str) -> Result<(), WriteError> {
        let groups = (self.groups.0, self.groups.1.as_slice());
        match footer(&self.columns, &self.metadata, Some(reason), self.rows, groups) {
            Some(bytes) => self.output.finish(&bytes),
            None => self.output.length(usize::MAX).map(|_: u32| ()),
        }
    }

    /// Where in the file the next byte of the block goes.
    fn place(&self) -> Result<i64, WriteError> {
        let block: i64 = self.output.length(self.bytes.len())?;
        Ok(self.output.offset.cast_signed() + block)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::files::{Appearance, Output};
    use super::super::super::{Column, Fault, Metadata, ReadError, Recording};
    use super::Writer;

    /// A footer that names the same pages a thousand times: ten kilobytes would become eight megabytes, and a megabyte
    /// gigabytes.
    #[test]
    fn pages_that_are_named_again_and_again_are_refused() {
        let path = std::env::temp_dir().join(format!("legwork-again-{}.parquet", std::process::id()));
        let output = Output::create(&path, Appearance::Whole).unwrap();
        let columns = [Column::time()];
        let mut writer = Writer::start(output, &columns, &Metadata::new()).unwrap();
        writer.block(&vec![0.0; 1024]).unwrap();
        writer.groups = (1000, writer.groups.1.repeat(1000));
        writer.rows *= 1000;
        writer.finish("end").unwrap();
        let read = Recording::open(&path);
        std::fs::remove_file(&path).unwrap();
        assert!(
            matches!(&read, Err(ReadError::Corrupt { fault: Fault::Length { .. }, .. })),
            "{:?}",
            read.map(|recording| recording.len())
        );
    }
}
