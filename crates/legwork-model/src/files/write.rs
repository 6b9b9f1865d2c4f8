//! Writing a file that is there as a whole, or not at all.

use super::FileFault;
use super::roles::{folder, target};
use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Writes a file whole: its bytes go beside it and take its name when they are on the disk. What was there before
/// stays until then, and for good if anything fails.
pub fn write(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), FileFault> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.appear()
}

/// A file that is being written beside its name, as `.NAME.partial`, until [`appear`](Self::appear) gives it the name.
///
/// From its creation to its end it is locked: a second one for the same name is refused with [`FileFault::InUse`].
/// One that is dropped before it has appeared is removed. Where a name stands for a device, bytes go there directly.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    /// Where its bytes are; `None` once they are in their place.
    partial: Option<PathBuf>,
    target: PathBuf,
    /// Bytes written.
    length: u64,
}

impl NewFile {
    /// Begins a file. What is there under its name is not touched.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, FileFault> {
        let target = target(path.as_ref());
        match std::fs::metadata(&target) {
            Ok(about) if about.is_dir() => return Err(FileFault::NotAFile { kind: "a folder" }),
            Ok(about) if !about.is_file() => {
                let file = OpenOptions::new().write(true).open(&target)?;
                return Ok(Self { file, partial: None, target, length: 0 });
            }
            _ => {}
        }
        let partial = partial_name(&target).ok_or(FileFault::System(io::ErrorKind::InvalidFilename))?;
        let file = locked(&partial)?;
        let begun = Self { file, partial: Some(partial), target, length: 0 };
        // A file that has appeared already may still grow: its writer has locked it.
        if let Ok(there) = OpenOptions::new().read(true).open(&begun.target) {
            try_lock(&there)?;
        }
        if let Ok(about) = std::fs::metadata(&begun.target) {
            let permissions = about.permissions();
            if permissions.readonly() {
                return Err(FileFault::System(io::ErrorKind::PermissionDenied));
            }
            // Those who could read the old file can read the new one. Where the system refuses that, it has the
            // usual permissions.
            let _ = begun.file.set_permissions(permissions);
        }
        // What a killed process left there.
        begun.file.set_len(0)?;
        Ok(begun)
    }

    /// Appends bytes. Where that fails nothing of them stays.
    pub fn write_all(&mut self, bytes: &[u8]) -> Result<(), FileFault> {
        if let Err(error) = self.file.write_all(bytes) {
            // A part of a block is of no use, and a disk that is full needs the room. The error of the write counts.
            let _ = self.file.set_len(self.length);
            return Err(FileFault::of(&error));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Puts what has been written on the disk and gives it its name, in place of a file that is there. More can be
    /// written after that.
    pub fn appear(&mut self) -> Result<(), FileFault> {
        if let Some(partial) = &self.partial {
            self.file.sync_all()?;
            std::fs::rename(partial, &self.target)?;
            self.partial = None;
            // That the folder is on the disk, too, is for a machine that loses its power: no error of this file.
            if let Ok(folder) = File::open(folder(&self.target)) {
                let _ = folder.sync_all();
            }
        }
        Ok(())
    }

    /// Puts other bytes in the place of a file that has appeared, whole or not at all. It stays locked meanwhile.
    pub fn replace(&mut self, bytes: &[u8]) -> Result<(), FileFault> {
        let partial = partial_name(&self.target).ok_or(FileFault::System(io::ErrorKind::InvalidFilename))?;
        let (file, target) = (locked(&partial)?, self.target.clone());
        let mut next = Self { file, partial: Some(partial), target, length: 0 };
        // As in `create`: where the system refuses that, it has the usual permissions.
        let _ = self.file.metadata().and_then(|about| next.file.set_permissions(about.permissions()));
        next.file.set_len(0)?;
        next.write_all(bytes)?;
        next.appear()?;
        *self = next;
        Ok(())
    }

    /// The file that its name leads to.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Whether it has its name.
    pub fn has_appeared(&self) -> bool {
        self.partial.is_none()
    }

    /// Bytes written so far.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Puts on the disk what the operating system still holds.
    pub fn sync(&self) -> Result<(), FileFault> {
        match self.file.sync_all() {
            // Devices and pipes have nothing to put there.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => Err(FileFault::of(&error)),
            _ => Ok(()),
        }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            // There is nobody left to whom an error could be returned.
            let _ = std::fs::remove_file(partial);
        }
    }
}

/// `.run.csv.partial` of `run.csv`: where a file is until it takes its name.
pub fn partial_name(target: &Path) -> Option<PathBuf> {
    let mut name = OsString::from(".");
    name.push(target.file_name()?);
    name.push(".partial");
    Some(target.with_file_name(name))
}

/// How often a file that was renamed between being opened and being locked is opened again.
const TRIES: usize = 100;

/// A file that this process alone has locked, with what was in it.
fn locked(path: &Path) -> Result<File, FileFault> {
    for _ in 0..TRIES {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        try_lock(&file)?;
        if is_at(&file, path) {
            return Ok(file);
        }
    }
    Err(FileFault::InUse)
}

/// How often a lock is tried, and how long it is waited in between: a program that another part of this process starts
/// has a copy of every open file, and so of its lock, until it begins.
const LOCK_TRIES: usize = 25;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

fn try_lock(file: &File) -> Result<(), FileFault> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            // Some network disks know no locks; the work goes on without.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
    Err(FileFault::InUse)
}

/// Whether an open file still has this name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(open), Ok(named)) => open.dev() == named.dev() && open.ino() == named.ino(),
        _ => false,
    }
}

/// Other systems do not rename a file that is open.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::{FileFault, NewFile, write};
    use std::fs;
    use std::path::PathBuf;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("legwork-write-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_file_is_there_when_it_is_whole() {
        let folder = folder("whole");
        let path = folder.join("a.txt");
        write(&path, b"old").unwrap();
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        // Nobody else gets in between.
        assert_eq!(NewFile::create(&path).err(), Some(FileFault::InUse));
        file.appear().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        // It may still grow, and is still its writer's.
        assert_eq!(write(&path, b"other").err(), Some(FileFault::InUse));
        file.write_all(b" and more").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new and more");
        // What has appeared can be replaced as a whole, and nobody gets in between.
        file.replace(b"newer").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"newer");
        assert_eq!(write(&path, b"other").err(), Some(FileFault::InUse));
        drop(file);
        write(&path, b"other").unwrap();
        // One that is given up leaves nothing.
        drop(NewFile::create(&path).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"other");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = folder("links");
        let (file, link) = (folder.join("file"), folder.join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("file", &link).unwrap();
        write(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o440)).unwrap();
        assert!(write(&file, b"forbidden").is_err());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        fs::remove_dir_all(folder).unwrap();
    }
}
