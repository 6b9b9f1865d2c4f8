//! Puts the page into the crate: `web/dist/report.html` if it is there, built with Node first if it is
//! missing or older than its sources. Without Node the crate still builds, and reports are static. The studio, which needs a
//! compiler for WebAssembly, is not built here: `page/studio.html` is taken if `ci/studio.sh` has put it there.

use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;
use std::{env, fs};

/// What the page is made of.
const SOURCES: [&str; 6] =
    ["src/report", "src/view", "report.html", "vite.config.ts", "package.json", "package-lock.json"];

fn main() -> Result<(), Box<dyn Error>> {
    let web = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("web");
    let page = web.join("dist/report.html");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=PATH");
    for source in SOURCES.map(|source| web.join(source)).iter().filter(|source| source.exists()) {
        println!("cargo:rerun-if-changed={}", source.display());
    }
    if !is_stale(&web, &page) {
        // A page made just now is newer than this run and would make cargo run it again.
        println!("cargo:rerun-if-changed={}", page.display());
    } else if let Err(reason) = build(&web) {
        println!("cargo:warning=the page of reports is not built, so reports are static: {reason}");
        // A page of older sources is not what these sources say.
        let _ = fs::remove_file(&page);
    }
    // An empty text stands for no page.
    let text = fs::read_to_string(&page).unwrap_or_default();
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("report.html"), text)?;
    let studio = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("page");
    println!("cargo:rerun-if-changed={}", studio.display());
    fs::write(out.join("studio.html"), fs::read_to_string(studio.join("studio.html")).unwrap_or_default())?;
    Ok(())
}

/// Whether the page is missing or older than one of its sources. A package has no sources, only the page.
fn is_stale(web: &Path, page: &Path) -> bool {
    let Some(built) = changed(page) else { return true };
    SOURCES.iter().filter_map(|source| newest(&web.join(source))).any(|source| source > built)
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|entry| entry.modified()).ok()
}

/// When a file, or anything in a folder, was last changed.
fn newest(path: &Path) -> Option<SystemTime> {
    if !path.is_dir() {
        return changed(path);
    }
    let entries = fs::read_dir(path).ok()?.flatten();
    entries.filter_map(|entry| newest(&entry.path())).chain(changed(path)).max()
}

fn build(web: &Path) -> Result<(), String> {
    if !web.join("package-lock.json").exists() {
        return Err("its sources are not here".into());
    }
    let lock = changed(&web.join("package-lock.json"));
    if changed(&web.join("node_modules/.package-lock.json")) < lock {
        // From the lock file alone, and no script of a package runs.
        npm(web, &["ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"])?;
    }
    npm(web, &["run", "build"])?;
    if changed(&web.join("dist/report.html")).is_none() {
        return Err("`npm run build` left no dist/report.html".into());
    }
    Ok(())
}

/// Runs npm; its own words are the reason if it fails.
fn npm(web: &Path, words: &[&str]) -> Result<(), String> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = Command::new(OsStr::new(program)).args(words).current_dir(web).output();
    let output = output.map_err(|_| "npm is not on the path; for pages that move install Node and touch crates/legwork-studio/build.rs")?;
    if output.status.success() {
        return Ok(());
    }
    let text = [output.stderr, output.stdout].concat();
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(6);
    Err(format!("`npm {}` failed: {}", words.join(" "), lines.collect::<Vec<_>>().join("; ")))
}
