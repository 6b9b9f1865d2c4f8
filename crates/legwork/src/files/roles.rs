//! Which files a task reads and writes: no output over an input, no two outputs in one file.

use std::fmt;
use std::path::{Path, PathBuf};

/// The files of a task.
///
/// Names are compared by the file they lead to: through links, relative folders and second names of one file.
///
/// ```
/// use legwork::files::FileRoles;
/// let mut files = FileRoles::default();
/// files.reads("the robot file", "robots/mine.toml");
/// files.writes("out", "run.csv");
/// assert!(files.check().is_ok());
/// files.writes("report", "./run.csv");
/// let conflict = files.check().unwrap_err();
/// assert_eq!(conflict.to_string(), "`report ./run.csv` would overwrite `out run.csv`");
/// ```
#[derive(Clone, Debug, Default)]
pub struct FileRoles {
    inputs: Vec<(String, PathBuf)>,
    outputs: Vec<(String, PathBuf)>,
}

/// Two roles of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileConflict {
    /// The output: its field and its name.
    pub output: (String, PathBuf),
    /// What it would overwrite: its role and its name.
    pub other: (String, PathBuf),
    /// Whether that is an input.
    pub is_input: bool,
}

impl FileRoles {
    /// A file that is read; `role` says what it is: "the robot file".
    pub fn reads(&mut self, role: impl Into<String>, path: impl Into<PathBuf>) {
        self.inputs.push((role.into(), path.into()));
    }

    /// A file that is written; `field` is the field of the request that names it.
    pub fn writes(&mut self, field: impl Into<String>, path: impl Into<PathBuf>) {
        self.outputs.push((field.into(), path.into()));
    }

    /// The same for several files, or for one that may not be given.
    pub fn writes_all(&mut self, field: &str, paths: impl IntoIterator<Item = impl Into<PathBuf>>) {
        for path in paths {
            self.writes(field, path);
        }
    }

    /// The first output that would overwrite an input or an earlier output.
    pub fn check(&self) -> Result<(), FileConflict> {
        let inputs: Vec<Identity> = self.inputs.iter().map(|(_, path)| Identity::of(path)).collect();
        let mut outputs: Vec<Identity> = Vec::new();
        for (field, path) in &self.outputs {
            let identity = Identity::of(path);
            let same = |list: &[Identity]| list.iter().position(|other| *other == identity);
            let read = same(&inputs).and_then(|place| self.inputs.get(place)).map(|other| (other, true));
            let written =
                || same(&outputs).and_then(|place| self.outputs.get(place)).map(|other| (other, false));
            if let Some((other, is_input)) = read.or_else(written) {
                let output = (field.clone(), path.clone());
                return Err(FileConflict { output, other: other.clone(), is_input });
            }
            outputs.push(identity);
        }
        Ok(())
    }
}

impl fmt::Display for FileConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (field, path) = &self.output;
        let (role, other) = &self.other;
        write!(f, "`{field} {}` would overwrite ", path.display())?;
        if self.is_input {
            write!(f, "{role} `{}`", other.display())
        } else {
            write!(f, "`{role} {}`", other.display())
        }
    }
}

impl std::error::Error for FileConflict {}

/// What a name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    /// A file that is there, by its device and its number.
    #[cfg(unix)]
    Numbered(u64, u64),
    /// A file by its name, without links.
    Named(PathBuf),
}

impl Identity {
    fn of(path: &Path) -> Self {
        #[cfg(unix)]
        if let Ok(about) = std::fs::metadata(path) {
            use std::os::unix::fs::MetadataExt;
            return Self::Numbered(about.dev(), about.ino());
        }
        Self::Named(target(path))
    }
}

/// Most links that are followed from a name to a file.
const MOST_LINKS: usize = 40;

/// The file that a name leads to, whether it is there or not: links are followed.
pub(super) fn target(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match std::fs::read_link(&path) {
            Ok(link) => path = folder(&path).join(link),
            Err(_) => break,
        }
    }
    match (folder(&path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// The folder of a file.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
