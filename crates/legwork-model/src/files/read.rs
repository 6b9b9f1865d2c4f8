//! Reading a file whose size is known before the first byte.

use super::FileFault;
use crate::nearest::nearest;
use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Most bytes of a file that people write: robots, requests, tables of motors. What is made of it takes up to forty times
/// as much memory.
pub const MOST_TEXT: u64 = 16 << 20;
/// Most bytes of a text with data of programs: golden files. What is made of it takes up to sixteen times as much memory.
pub const MOST_DATA: u64 = 64 << 20;

/// Opens a regular file for reading, and gives its size \[bytes\].
pub fn open(path: impl AsRef<Path>) -> Result<(File, u64), FileFault> {
    let path = path.as_ref();
    // Before it is opened: to open a pipe is to wait for its writer.
    let about = std::fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => FileFault::Missing { nearest: name_beside(path) },
        _ => error.into(),
    })?;
    check(&about)?;
    let file = OpenOptions::new().read(true).open(path)?;
    let about = file.metadata()?;
    check(&about)?;
    Ok((file, about.len()))
}

/// Most names of a folder that are looked at for a file that is not there.
const MOST_NAMES: usize = 1000;

/// The file in the same folder whose name is nearest to that of a file that is not there.
fn name_beside(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let text = |name: Option<&OsStr>| name.map(|name| name.to_string_lossy().into_owned());
    let files = std::fs::read_dir(folder).ok()?.take(MOST_NAMES).flatten();
    let files = files.filter(|entry| entry.path().is_file());
    let mut names: Vec<String> = files.filter_map(|entry| text(Some(&entry.file_name()))).collect();
    names.sort();
    let asked = text(path.file_name())?;
    let name = nearest(&asked, names.iter().map(String::as_str))?;
    Some(path.with_file_name(name).display().to_string())
}

/// The bytes of a regular file that has at most `most` of them.
pub fn read(path: impl AsRef<Path>, most: u64) -> Result<Vec<u8>, FileFault> {
    let (file, length) = open(path)?;
    if length > most {
        return Err(FileFault::TooLarge { length, most });
    }
    let mut bytes = Vec::new();
    // A file that grows meanwhile, or whose size the system does not tell, ends here too.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    let length = bytes.len() as u64;
    if length > most { Err(FileFault::TooLarge { length, most }) } else { Ok(bytes) }
}

/// The text of a regular file that has at most `most` bytes, without the mark of the encoding that some editors put
/// before it.
pub fn read_text(path: impl AsRef<Path>, most: u64) -> Result<String, FileFault> {
    let mut text = String::from_utf8(read(path, most)?)
        .map_err(|error| FileFault::NotUtf8 { offset: error.utf8_error().valid_up_to() })?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}

fn check(about: &Metadata) -> Result<(), FileFault> {
    if about.is_file() { Ok(()) } else { Err(FileFault::NotAFile { kind: kind(about) }) }
}

/// What is there instead of a file.
fn kind(about: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = about.file_type();
        if kind.is_fifo() {
            return "a pipe";
        } else if kind.is_socket() {
            return "a socket";
        } else if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if about.is_dir() { "a folder" } else { "something else" }
}
