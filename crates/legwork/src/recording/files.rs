//! Files that know their name and the current offset, so that every error can say where.

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

    pub fn failed(&self, error: &std::io::Error) -> ReadError {
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

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(into)?;
        self.offset += read as u64;
        Ok(read)
    }
}
