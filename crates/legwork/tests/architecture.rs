//! The arrow points one way: between crates by their manifests, between the rooms
//! of a crate by their `use` lines.

use std::fs;
use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Two rooms that use each other: a file is read by its family, a family is made of the keys of files.
const TOGETHER: [&str; 2] = ["description", "families"];

/// Which room may use which; a room may always use itself and what stands above it.
const CORE: &[&[&str]] = &[
    &["real"],
    &["dual", "linalg"],
    &["lanes", "links", "trace", "integrate", "drive"],
    &["engine"],
    &["robots"],
    &["motion", "control"],
    &["trajectory"],
];
const DESK: &[&[&str]] = &[
    &["units", "random", "rotation", "text"],
    &["files"],
    &["figure"],
    &["description", "families"],
    &["robot"],
    &["coordinates", "recording"],
    &["report", "sim", "summary"],
    &["experiment"],
    &["plan"],
    &["analysis"],
    &["check"],
    &["task"],
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

/// The room of a source file: its first folder, or its stem.
fn room(src: &Path, file: &Path) -> String {
    let first = file.strip_prefix(src).unwrap().components().next().unwrap();
    Path::new(first.as_os_str()).file_stem().unwrap().to_string_lossy().into_owned()
}

fn check(crate_name: &str, order: &[&[&str]]) {
    let src = crates().join(crate_name).join("src");
    let level = |room: &str| order.iter().position(|rooms| rooms.contains(&room));
    for file in sources(&src) {
        let here = room(&src, &file);
        if here == "lib" {
            continue;
        }
        let own = level(&here).unwrap_or_else(|| panic!("room `{here}` of {crate_name} is not in the order"));
        for line in fs::read_to_string(&file).unwrap().lines() {
            let Some(path) = line.trim_start().strip_prefix("use crate::") else { continue };
            let target = path.split([':', ';', '{', ' ', ',']).next().unwrap();
            let Some(used) = level(target) else { continue }; // a name that lib.rs re-exports
            let together = TOGETHER.contains(&target) && TOGETHER.contains(&here.as_str());
            assert!(
                used < own || target == here || together,
                "{}: `{here}` must not use `{target}`",
                file.display()
            );
        }
    }
}

#[test]
fn rooms_use_only_what_stands_above_them() {
    check("legwork-core", CORE);
    check("legwork", DESK);
}

#[test]
fn crates_depend_in_one_direction() {
    let order = ["legwork-core", "legwork", "legwork-reproduce", "legwork-studio", "legwork-cli"];
    for (place, name) in order.iter().enumerate() {
        let manifest = fs::read_to_string(crates().join(name).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
        for later in &order[place + 1..] {
            let uses = dependencies.lines().any(|line| line.split(['=', '.', ' ']).next() == Some(*later));
            assert!(!uses, "{name} must not depend on {later}");
        }
    }
}

/// The module that a `use` line names, from the module it stands in: `super` goes up, `crate` to the top.
fn resolved(own: &[String], path: &str) -> Vec<String> {
    let mut module = own.to_vec();
    for word in path.split("::").map(|word| word.split([';', '{', ' ', ',', '(']).next().unwrap_or("")) {
        match word {
            "crate" => module.clear(),
            "super" => drop(module.pop()),
            "" => break,
            name => module.push(name.into()),
        }
    }
    module
}

#[test]
fn no_verb_imports_another_verb() {
    let src = crates().join("legwork-cli/src");
    let main = fs::read_to_string(src.join("main.rs")).unwrap();
    let verbs: Vec<&str> = main.split("verb::").skip(1).filter_map(|rest| rest.split("::").next()).collect();
    assert!(verbs.len() > 10, "{verbs:?}");
    for file in sources(&src.join("verb")) {
        let inside = file.strip_prefix(&src).unwrap().with_extension("");
        let mut own: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        own.retain(|part| part != "mod");
        let Some(here) = own.get(1).cloned() else { continue };
        for line in fs::read_to_string(&file).unwrap().lines() {
            for start in ["super::", "crate::"] {
                let Some(at) = line.find(start) else { continue };
                let module = resolved(&own, &line[at..]);
                let other = match module.as_slice() {
                    [first, verb, ..] if first == "verb" => verb,
                    _ => continue,
                };
                let is_other = verbs.contains(&other.as_str()) && *other != here;
                assert!(!is_other, "{}: `{here}` imports `{other}`: {line}", file.display());
            }
        }
    }
}
