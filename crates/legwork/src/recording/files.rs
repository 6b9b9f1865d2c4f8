//! Files that know their name and the current offset, so that every error can say where.

use super::error::{Fault, ReadError, Unsupported, WriteError};
use crate::files::{self, FileFault, NewFile};
use std::io::{BufRead, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

/// When a file takes its name, in place of the one that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Appearance {
    /// With its first block: a run that is killed leaves what it has recorded.
    FirstBlock,
    /// With its last byte.
    Whole,
}

/// Where bytes go.
enum Place {
    Disk(NewFile),
    /// Kept here, under a name that the caller gives them.
    Memory(Vec<u8>, PathBuf),
}

/// A recording that is being written.
pub(super) struct Output {
    place: Place,
    appearance: Appearance,
    path: String,
    /// Bytes written.
    pub offset: u64,
}

impl Output {
    pub fn create(path: &Path, appearance: Appearance) -> Result<Self, WriteError> {
        let name = path.display().to_string();
        match NewFile::create(path) {
            Ok(file) => Ok(Self { place: Place::Disk(file), appearance, path: name, offset: 0 }),
            Err(cause) => Err(WriteError::Io { path: name, offset: 0, cause }),
        }
    }

    /// In memory; no file is touched.
    pub fn in_memory(path: &Path) -> Self {
        let place = Place::Memory(Vec::new(), path.to_owned());
        Self { place, appearance: Appearance::Whole, path: path.display().to_string(), offset: 0 }
    }

    /// The bytes of one that is in memory; nothing of one that is on the disk.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        match &mut self.place {
            Place::Memory(bytes, _) => std::mem::take(bytes),
            Place::Disk(_) => Vec::new(),
        }
    }

    /// Hands all bytes of a header to the operating system.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        match &mut self.place {
            Place::Memory(kept, _) => kept.extend_from_slice(bytes),
            Place::Disk(file) => file.write_all(bytes).map_err(|cause| self.failed(cause))?,
        }
        self.offset += bytes.len() as u64;
        Ok(())
    }

    /// Hands all bytes of a block to the operating system: they survive the end of the process.
    pub fn write_block(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.write(bytes)?;
        if self.is_due() { self.appear() } else { Ok(()) }
    }

    /// The last bytes; all are then on the disk.
    pub fn finish(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.write(bytes)?;
        if self.has_appeared() { self.sync() } else { self.appear() }
    }

    /// Whether a block is all that it waited for to take its name.
    pub fn is_due(&self) -> bool {
        self.appearance == Appearance::FirstBlock && !self.has_appeared()
    }

    /// Takes its name.
    pub fn appear(&mut self) -> Result<(), WriteError> {
        match &mut self.place {
            Place::Memory(..) => Ok(()),
            Place::Disk(file) => file.appear().map_err(|cause| self.failed(cause)),
        }
    }

    /// Whether it has its name; a device always has, and memory needs none.
    pub fn has_appeared(&self) -> bool {
        match &self.place {
            Place::Memory(..) => true,
            Place::Disk(file) => file.has_appeared(),
        }
    }

    /// Puts all bytes on the disk.
    pub fn sync(&self) -> Result<(), WriteError> {
        match &self.place {
            Place::Memory(..) => Ok(()),
            Place::Disk(file) => file.sync().map_err(|cause| self.failed(cause)),
        }
    }

    /// The file that its name leads to.
    pub fn target(&self) -> &Path {
        match &self.place {
            Place::Memory(_, path) => path,
            Place::Disk(file) => file.target(),
        }
    }

    /// What is in a file that has its name can be read; one without is removed.
    pub fn failed(&self, cause: FileFault) -> WriteError {
        let offset = if self.has_appeared() { self.offset } else { 0 };
        WriteError::Io { path: self.path.clone(), offset, cause }
    }

    /// A length as the format wants it.
    pub fn length<T: TryFrom<usize>>(&self, length: usize) -> Result<T, WriteError> {
        T::try_from(length).map_err(|_| WriteError::TooLong { path: self.path.clone(), length })
    }
}

trait ReadSeek: Read + Seek + Send {}
impl<T: Read + Seek + Send> ReadSeek for T {}

/// How many times its size a compressed file may grow to, and what every file may grow to \[bytes\].
#[cfg(feature = "foreign-recordings")]
const MOST_GROWTH: u64 = 64;
#[cfg(feature = "foreign-recordings")]
const ALWAYS_READ: u64 = 256 << 20;

/// Longest part of a file that is read at once: a block, a page, a footer \[bytes\].
const LONGEST_PART: u64 = 1 << 30;
/// Longest line of a text \[bytes\].
const LONGEST_LINE: u64 = 64 << 20;

/// A file that is being read.
pub(super) struct Source {
    file: BufReader<Box<dyn ReadSeek>>,
    path: String,
    /// Bytes in it.
    pub length: u64,
    /// The next byte.
    pub offset: u64,
    /// How many bytes of a line were read without its end, by a reader of lines.
    line: u64,
    /// What has been made of compressed data so far \[bytes\].
    #[cfg(feature = "foreign-recordings")]
    decoded: u64,
}

impl Source {
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let opened = files::open(path);
        let (file, length) =
            opened.map_err(|cause| ReadError::Io { path: name.clone(), offset: 0, cause })?;
        Ok(Self::new(Box::new(file), name, length))
    }

    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        let length = bytes.len() as u64;
        Self::new(Box::new(Cursor::new(bytes)), name.to_owned(), length)
    }

    fn new(file: Box<dyn ReadSeek>, path: String, length: u64) -> Self {
        Self {
            file: BufReader::with_capacity(1 << 16, file),
            path,
            length,
            offset: 0,
            line: 0,
            #[cfg(feature = "foreign-recordings")]
            decoded: 0,
        }
    }

    /// The most that the file may grow to \[bytes\].
    #[cfg(feature = "foreign-recordings")]
    pub fn most_decoded(&self) -> u64 {
        self.length.saturating_mul(MOST_GROWTH).saturating_add(ALWAYS_READ)
    }

    /// Counts data that is about to be decompressed, and refuses what the file is too small for.
    #[cfg(feature = "foreign-recordings")]
    pub fn decodes(&mut self, length: u64) -> Result<(), ReadError> {
        let (decoded, most) = (self.decoded.saturating_add(length), self.most_decoded());
        if decoded > most {
            return Err(self.unsupported(Unsupported::Size { decoded, most }));
        }
        self.decoded = decoded;
        Ok(())
    }

    /// Its name in messages.
    pub fn path(&self) -> &str {
        &self.path
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
        if length > LONGEST_PART {
            return Err(self.corrupt(self.offset, Fault::TooLong { length }));
        }
        into.resize(size, 0);
        self.file.read_exact(into).map_err(|error| self.failed(&error))?;
        self.offset += length;
        Ok(())
    }

    /// The next line with its end, in place of what is in the buffer; empty at the end of the file.
    pub fn line(&mut self, into: &mut Vec<u8>) -> Result<(), ReadError> {
        into.clear();
        // Not beyond the end that the file had when it was opened: another program may be writing it.
        let most = self.length.saturating_sub(self.offset).min(LONGEST_LINE + 1);
        let read =
            (&mut self.file).take(most).read_until(b'\n', into).map_err(|error| self.failed(&error))?;
        if read as u64 > LONGEST_LINE {
            return Err(self.corrupt(self.offset, Fault::LongLine { most: LONGEST_LINE }));
        }
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
        if self.line > LONGEST_LINE {
            return self.corrupt(self.offset - self.line, Fault::LongLine { most: LONGEST_LINE });
        }
        ReadError::Io { path: self.path.clone(), offset: self.offset, cause: FileFault::of(error) }
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
        let most = usize::try_from(self.remaining()).unwrap_or(usize::MAX).min(into.len());
        let into = into.get_mut(..most).unwrap_or_default();
        let read = self.file.read(into)?;
        self.offset += read as u64;
        // A line without an end would fill the memory of whoever reads lines.
        let bytes = into.get(..read).unwrap_or_default();
        self.line = match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => (read - end - 1) as u64,
            None => self.line + read as u64,
        };
        if self.line > LONGEST_LINE { Err(std::io::ErrorKind::InvalidData.into()) } else { Ok(read) }
    }
}
