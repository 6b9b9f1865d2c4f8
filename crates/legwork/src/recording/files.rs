//! Files with a name and a place, so that every error can say where.

use super::error::{Fault, ReadError, Unsupported, WriteError};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read, Seek, Write};
use std::path::Path;

/// A file that is being written.
pub(super) struct Output {
    file: File,
    path: String,
    /// Bytes written.
    pub offset: u64,
}

impl Output {
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let name = path.display().to_string();
        match File::create(path) {
            Ok(file) => Ok(Self { file, path: name, offset: 0 }),
            Err(error) => Err(WriteError::Io { path: name, offset: 0, cause: error.kind() }),
        }
    }

    /// Hands all bytes to the operating system: they survive the end of the process.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        if let Err(error) = self.file.write_all(bytes) {
            let (path, offset) = (self.path.clone(), self.offset);
            return Err(WriteError::Io { path, offset, cause: error.kind() });
        }
        self.offset += bytes.len() as u64;
        Ok(())
    }

    /// A length as the format wants it.
    pub fn length<T: TryFrom<usize>>(&self, length: usize) -> Result<T, WriteError> {
        T::try_from(length).map_err(|_| WriteError::TooLong { path: self.path.clone(), length })
    }
}

trait ReadSeek: Read + Seek + Send {}
impl<T: Read + Seek + Send> ReadSeek for T {}

/// A file that is being read.
pub(super) struct Source {
    file: BufReader<Box<dyn ReadSeek>>,
    path: String,
    /// Bytes in it.
    pub length: u64,
    /// The next byte.
    pub offset: u64,
}

impl Source {
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let failed = |error: std::io::Error| ReadError::Io {
            path: path.display().to_string(),
            offset: 0,
            cause: error.kind(),
        };
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        Ok(Self { file: BufReader::with_capacity(1 << 16, Box::new(file)), path: name, length, offset: 0 })
    }

    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        let length = bytes.len() as u64;
        Self { file: BufReader::new(Box::new(Cursor::new(bytes))), path: name.to_owned(), length, offset: 0 }
    }

    pub fn remaining(&self) -> u64 {
        self.length.saturating_sub(self.offset)
    }

    /// The next `length` bytes, in place of what is in the buffer. A file that is too short is `Cut`.
    pub fn read(&mut self, length: u64, into: &mut Vec<u8>) -> Result<(), ReadError> {
        into.clear();
        let size = usize::try_from(length).ok().filter(|_| length <= self.remaining());
        let Some(size) = size else {
            return Err(self.cut(self.offset));
        };
        into.resize(size, 0);
        self.file.read_exact(into).map_err(|error| self.failed(&error))?;
        self.offset += length;
        Ok(())
    }

    /// The next line with its end, in place of what is in the buffer; empty at the end of the file.
    pub fn line(&mut self, into: &mut Vec<u8>) -> Result<(), ReadError> {
        into.clear();
        self.continue_line(into)
    }

    /// The next line with its end, after what is in the buffer.
    pub fn continue_line(&mut self, into: &mut Vec<u8>) -> Result<(), ReadError> {
        let read = self.file.read_until(b'\n', into).map_err(|error| self.failed(&error))?;
        self.offset += read as u64;
        Ok(())
    }

    pub fn seek(&mut self, offset: u64) -> Result<(), ReadError> {
        // Relative, so that bytes in the buffer are not read again.
        let step = offset.cast_signed().wrapping_sub(self.offset.cast_signed());
        self.file.seek_relative(step).map_err(|error| self.failed(&error))?;
        self.offset = offset;
        Ok(())
    }

    fn failed(&self, error: &std::io::Error) -> ReadError {
        ReadError::Io { path: self.path.clone(), offset: self.offset, cause: error.kind() }
    }

    pub fn cut(&self, offset: u64) -> ReadError {
        ReadError::Cut { path: self.path.clone(), offset }
    }

    pub fn corrupt(&self, offset: u64, fault: Fault) -> ReadError {
        ReadError::Corrupt { path: self.path.clone(), offset, fault }
    }

    pub fn unsupported(&self, what: Unsupported) -> ReadError {
        ReadError::Unsupported { path: self.path.clone(), what }
    }
}

/// The checksum of Parquet pages and MCAP chunks: CRC-32 of gzip.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    let (eights, rest) = bytes.as_chunks::<8>();
    // Eight bytes at a time: TABLES[k] is the effect of a byte that k more bytes follow.
    for &[a, b, c, d, e, f, g, h] in eights {
        let [w, x, y, z] = (crc ^ u32::from_le_bytes([a, b, c, d])).to_le_bytes();
        crc = TABLES[7][w as usize]
            ^ TABLES[6][x as usize]
            ^ TABLES[5][y as usize]
            ^ TABLES[4][z as usize]
            ^ TABLES[3][e as usize]
            ^ TABLES[2][f as usize]
            ^ TABLES[1][g as usize]
            ^ TABLES[0][h as usize];
    }
    for &byte in rest {
        crc = TABLES[0][crc.to_le_bytes()[0] as usize ^ byte as usize] ^ (crc >> 8);
    }
    !crc
}

static TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0u32; 256]; 8];
    let mut i = 0;
    while i < 256 {
        // i < 256
        #[allow(clippy::cast_possible_truncation)]
        let mut crc = i as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
            bit += 1;
        }
        tables[0][i] = crc;
        i += 1;
    }
    let mut table = 1;
    while table < 8 {
        let mut i = 0;
        while i < 256 {
            let before = tables[table - 1][i];
            tables[table][i] = tables[0][(before & 0xFF) as usize] ^ (before >> 8);
            i += 1;
        }
        table += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::crc32;

    /// Values of Python's zlib.crc32.
    #[test]
    fn checksums_are_those_of_gzip() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(&[0xFF; 33]), 0x682D_B523);
    }
}
