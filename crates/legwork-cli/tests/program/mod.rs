//! Runs of the built program, in the folder `tests`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// The folder that the program runs in.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The program as it was built with the tests, or the one that `LEGWORK_PROGRAM` names: an optimised one is killed six hundred
/// times in minutes.
pub fn path() -> PathBuf {
    std::env::var_os("LEGWORK_PROGRAM").map_or_else(|| env!("CARGO_BIN_EXE_legwork").into(), PathBuf::from)
}

/// Runs `legwork` with these arguments and this on its stdin.
pub fn legwork(arguments: &[&str], stdin: &[u8]) -> Run {
    legwork_in(&folder(), arguments, stdin)
}

/// The same in another folder.
pub fn legwork_in(folder: &Path, arguments: &[&str], stdin: &[u8]) -> Run {
    let mut child = Command::new(path())
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = stdin.to_vec();
    // A program that does not read its stdin closes it: not an error here.
    let writer = std::thread::spawn(move || drop(pipe.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!stderr.contains("panicked"), "{arguments:?}\n{stderr}");
    Run {
        code: output.status.code().unwrap_or_else(|| panic!("{arguments:?} was killed")),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr,
    }
}
