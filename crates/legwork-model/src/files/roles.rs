//! Which files a task reads and writes: no output over an input, no two outputs in one file.

use super::write::partial_name;
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
    inputs: Vec<FileRole>,
    outputs: Vec<FileRole>,
}

/// A file of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRole {
    /// What it is: "the robot file", or the field of the request that names it.
    pub role: String,
    /// The name that was given.
    pub path: PathBuf,
    /// The file: that of the name, or one that belongs to it and stands beside it.
    pub file: PathBuf,
}

/// Two roles of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileConflict {
    /// The output.
    pub output: Box<FileRole>,
    /// What it would overwrite.
    pub other: Box<FileRole>,
    /// Whether that is an input.
    pub is_input: bool,
}

impl FileRole {
    fn new(role: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self { role: role.into(), file: path.clone(), path }
    }

    fn beside(self, file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), ..self }
    }
}

impl FileRoles {
    /// A file that is read; `role` says what it is: "the robot file".
    pub fn reads(&mut self, role: impl Into<String>, path: impl Into<PathBuf>) {
        self.inputs.push(FileRole::new(role, path));
    }

    /// A file that is read because it stands beside another.
    pub fn reads_beside(
        &mut self,
        role: impl Into<String>,
        path: impl Into<PathBuf>,
        file: impl Into<PathBuf>,
    ) {
        self.inputs.push(FileRole::new(role, path).beside(file));
    }

    /// A file that is written; `field` is the field of the request that names it.
    pub fn writes(&mut self, field: impl Into<String>, path: impl Into<PathBuf>) {
        self.outputs.push(FileRole::new(field, path));
    }

    /// A file that is written beside another.
    pub fn writes_beside(
        &mut self,
        field: impl Into<String>,
        path: impl Into<PathBuf>,
        file: impl Into<PathBuf>,
    ) {
        self.outputs.push(FileRole::new(field, path).beside(file));
    }

    /// The same for several files, or for one that may not be given.
    pub fn writes_all(&mut self, field: &str, paths: impl IntoIterator<Item = impl Into<PathBuf>>) {
        for path in paths {
            self.writes(field, path);
        }
    }

    /// The first output that would overwrite an input or an earlier output.
    pub fn check(&self) -> Result<(), FileConflict> {
        let mut taken: Vec<(Identity, &FileRole, bool)> =
            self.inputs.iter().map(|input| (Identity::of(&input.file), input, true)).collect();
        for output in &self.outputs {
            // Until it is whole its bytes are under another name.
            let partial = partial_name(&target(&output.file)).map(|partial| output.clone().beside(partial));
            let names: Vec<FileRole> = std::iter::once(output.clone()).chain(partial).collect();
            for name in &names {
                let identity = Identity::of(&name.file);
                if let Some((_, other, is_input)) = taken.iter().find(|(known, ..)| *known == identity) {
                    return Err(FileConflict {
                        output: Box::new(name.clone()),
                        other: Box::new((*other).clone()),
                        is_input: *is_input,
                    });
                }
            }
            taken.extend(names.iter().map(|name| (Identity::of(&name.file), output, false)));
        }
        Ok(())
    }
}

impl fmt::Display for FileConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileRole { role, path, file } = &*self.output;
        write!(f, "`{role} {}` would overwrite ", path.display())?;
        if path != file {
            write!(f, "with `{}` beside it ", file.display())?;
        }
        let FileRole { role, path, file } = &*self.other;
        if path != file {
            write!(f, "`{}` beside ", file.display())?;
        }
        if self.is_input {
            write!(f, "{role} `{}`", path.display())
        } else {
            write!(f, "`{role} {}`", path.display())
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
pub fn target(path: &Path) -> PathBuf {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// An output has two names: its own, and the one that its bytes have until it is whole.
    #[test]
    fn outputs_keep_to_themselves() {
        let of = |input: &str, outputs: [&str; 2]| {
            let mut files = FileRoles::default();
            files.reads("the robot file", input);
            files.writes_all("out", outputs);
            files.check().err().map(|conflict| conflict.to_string()).unwrap_or_default()
        };
        assert_eq!(of("robot.toml", ["a.csv", "b.csv"]), "");
        let told = "`out a.csv` would overwrite the robot file `./a.csv`";
        assert_eq!(of("./a.csv", ["a.csv", "b.csv"]), told);
        assert_eq!(of("robot.toml", ["a.csv", "./a.csv"]), "`out ./a.csv` would overwrite `out a.csv`");
        let told = of(".a.csv.partial", ["a.csv", "b.csv"]);
        assert!(told.ends_with("/.a.csv.partial` beside it the robot file `.a.csv.partial`"), "{told}");
        for outputs in [["a.csv", ".a.csv.partial"], [".a.csv.partial", "a.csv"]] {
            assert!(of("robot.toml", outputs).contains("would overwrite"), "{outputs:?}");
        }
    }
}
