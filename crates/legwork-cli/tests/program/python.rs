//! Other people's libraries.

use std::path::Path;
use std::process::Command;

/// Runs a script of this folder on a list of files and expects these last words. Gives whether it ran: not without a
/// Python that has the packages; `LEGWORK_PYTHON` names one that must have them.
pub fn script(name: &str, list: &str, files: &str, words: &str) -> bool {
    let Some(python) = python() else { return false };
    std::fs::write(list, files).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    let output = Command::new(python).arg(script).arg(list).output().unwrap();
    let (said, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.trim(), words, "{error}");
    true
}

fn python() -> Option<String> {
    let named = std::env::var("LEGWORK_PYTHON").ok();
    let python = named.clone().unwrap_or_else(|| "python3".to_owned());
    let import = "import mcap, pandas, polars, pyarrow";
    let output = Command::new(&python).args(["-c", import]).output();
    if output.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    assert!(named.is_none(), "`{python}` lacks one of mcap, pandas, polars and pyarrow");
    println!("skipped: no python3 with mcap, pandas, polars and pyarrow");
    None
}
