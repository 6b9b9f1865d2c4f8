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
    &["mechanism"],
    &["robots"],
    &["motion", "control"],
    &["trajectory"],
];
const MODEL: &[&[&str]] = &[
    &["random", "rotation", "text", "nearest", "sorting"],
    &["assembly"],
    &["units", "mechanism"],
    &["files"],
    &["description", "families"],
    &["robot"],
    &["coordinates"],
    &["sim", "summary"],
];
/// Those of the model that it re-exports are named as if they were its own: they stand above.
const DESK: &[&[&str]] = &[
    &["json", "table", "zip"],
    &["figure", "firmware"],
    &["recording"],
    &["report"],
    &["exchange"],
    &["experiment"],
    &["plan"],
    &["analysis"],
    &["check"],
    &["task"],
    &["fmu", "printed"],
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
    check("legwork-model", MODEL);
    check("legwork", DESK);
}

#[test]
fn crates_depend_in_one_direction() {
    let order = [
        "legwork-core",
        "legwork-model",
        "legwork",
        "legwork-codegen",
        "legwork-identify",
        "legwork-reproduce",
        "legwork-studio",
        "legwork-session",
        "legwork-web",
        "legwork-cli",
    ];
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
    let program = fs::read_to_string(src.join("lib.rs")).unwrap();
    let verbs: Vec<&str> =
        program.split("verb::").skip(1).filter_map(|rest| rest.split("::").next()).collect();
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

/// The part of a source file that is a test: all of it in a folder of tests, else what follows `#[cfg(test)]`.
fn tests_of(file: &Path, text: &str) -> Vec<(usize, String)> {
    let is_test = ["tests", "examples", "benches"].iter().any(|part| file.iter().any(|word| word == *part));
    let lines =
        text.lines().enumerate().map(|(n, line)| (n + 1, line.split("//").next().unwrap_or("").into()));
    lines.skip_while(|(_, line): &(usize, String)| !is_test && line.trim() != "#[cfg(test)]").collect()
}

/// Whether a call of `.max` or `.min` has a number as its argument, or none: a floor, or the extreme of integers.
fn takes_a_number(call: &str) -> bool {
    let argument = call.split_once('(').map_or("", |(_, rest)| rest.split(')').next().unwrap_or(""));
    argument.is_empty() || argument.starts_with(|c: char| c.is_ascii_digit())
}

/// What in these lines lets a NaN pass. `f64::max` and `f64::min` drop it, and with them a method call on two numbers;
/// `if error > bar` is not true of it; nor is `!(error > bar)` false.
fn drops_nan(lines: &[(usize, String)]) -> Vec<usize> {
    let mut found = Vec::new();
    for (k, (number, line)) in lines.iter().enumerate() {
        let path = ["f64::max", "f64::min", "f32::max", "f32::min"].iter().any(|name| line.contains(name));
        let method = [".max(", ".min("]
            .iter()
            .any(|call| line.match_indices(call).any(|(at, _)| !takes_a_number(&line[at + 1..])));
        let next = lines.get(k + 1).map_or("", |(_, next)| next.trim_start());
        let words = line.trim_start().trim_start_matches("} else ");
        let compares = |text: &str| [" > ", " >= ", " < ", " <= "].iter().any(|sign| text.contains(sign));
        let ends = next.starts_with("panic!");
        let negated = ["assert!(!(", "prop_assert!(!("].iter().any(|start| line.contains(start));
        if path
            || method
            || (words.starts_with("if ") && compares(words) && ends)
            || (negated && compares(line))
        {
            found.push(*number);
        }
    }
    found
}

#[test]
fn no_test_lets_a_nan_pass() {
    let (mut seen, mut faults) = (0, Vec::new());
    for file in sources(&crates()) {
        let kept = file.ends_with("legwork-testkit/src/compare.rs")
            || file.ends_with("legwork/tests/architecture.rs");
        if kept || file.iter().any(|part| part == "target" || part == "node_modules") {
            continue;
        }
        let lines = tests_of(&file, &fs::read_to_string(&file).unwrap());
        seen += usize::from(!lines.is_empty());
        faults.extend(drops_nan(&lines).into_iter().map(|line| format!("{}:{line}", file.display())));
    }
    assert!(seen > 100, "{seen} files of tests");
    assert!(
        faults.is_empty(),
        "a NaN passes; use `nan_max`, `largest`, `Worst` and the like of legwork-testkit:\n{}",
        faults.join("\n")
    );
}

#[test]
fn shapes_that_drop_a_nan_are_seen() {
    let lines = |text: &str| tests_of(Path::new("tests/x.rs"), text);
    for text in [
        "let worst = errors.fold(0.0, f64::max);",
        "worst = worst.max((a - b).abs());",
        "list.iter().fold(1.0, |m, x| m.max(x.abs()))",
        "let least = a.min(b);",
        "if error > bar {\n    panic!(\"too large\");",
        "} else if error >= bar {\n    panic!(\"too large\");",
        "assert!(!(error > 1e-9));",
    ] {
        assert_eq!(drops_nan(&lines(text)), [1], "{text}");
    }
    for text in
        ["let floor = x.max(1.0);", "numbers.iter().max().unwrap()", "// f64::max", "assert!(!(a == b));"]
    {
        assert!(drops_nan(&lines(text)).is_empty(), "{text}");
    }
    let inside = "fn judge() { a.max(b) }\n#[cfg(test)]\nmod tests { fn judge() { a.max(b) } }";
    assert_eq!(drops_nan(&tests_of(Path::new("src/x.rs"), inside)), [3]);
}
