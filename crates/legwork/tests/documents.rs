//! Keeps the documents honest: citations, links, names of functions and tests,
//! robots, commands, and the generated table of the robot file.
//!
//! `UPDATE_DOCUMENTS=1 cargo test -p legwork --test documents` writes the generated parts anew.

use legwork::description::{BUILT_IN, schema};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every file below a folder with this ending, build output and links aside.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if entry.file_type().unwrap().is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(files(&path, ending));
        } else if entry.file_type().unwrap().is_file() && name.ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Name of a file for messages.
fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// The lines of a Markdown text, with their numbers, inside (`true`) or outside code blocks.
fn lines(text: &str, inside: bool) -> Vec<(usize, &str)> {
    let mut code = false;
    let mut kept = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let fence = line.trim_start().starts_with("```");
        if !fence && code == inside {
            kept.push((number + 1, line));
        }
        code ^= fence;
    }
    kept
}

/// What stands between two marks, again and again.
fn between<'t>(text: &'t str, open: &str, close: &str) -> Vec<&'t str> {
    let parts = text.split(open).skip(1);
    parts.filter_map(|part| part.split_once(close).map(|(inner, _)| inner)).collect()
}

/// Whether a text is a citation key: a name and a year.
fn is_key(text: &str) -> bool {
    let (name, year) = text.split_at(text.len().saturating_sub(4));
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphabetic())
        && year.len() == 4
        && year.chars().all(|c| c.is_ascii_digit())
}

/// The keys that a text cites as `[Key]` or `[Key, Eq. n]`.
fn citations(text: &str) -> impl Iterator<Item = &str> {
    text.split('[').skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric())?;
        let after = &rest[end..];
        (is_key(&rest[..end]) && after.starts_with([',', ']', '\\', ':'])).then_some(&rest[..end])
    })
}

fn bibliography() -> BTreeSet<String> {
    let text = read(&root().join("REFERENCES.bib"));
    let entries = text.lines().filter(|line| line.starts_with('@'));
    let keys: Vec<String> =
        entries.map(|line| line.split(['{', ',']).nth(1).unwrap_or_default().to_owned()).collect();
    let unique: BTreeSet<String> = keys.iter().cloned().collect();
    assert_eq!(unique.len(), keys.len(), "a key of REFERENCES.bib is there twice");
    unique
}

#[test]
fn every_citation_is_in_the_bibliography() {
    let known = bibliography();
    let mut cited = BTreeSet::new();
    for file in files(&root().join("crates"), ".rs").into_iter().chain(files(&root(), ".md")) {
        let text = read(&file);
        let is_code = file.extension().is_some_and(|ending| ending == "rs");
        let comments = text.lines().filter(|line| !is_code || line.trim_start().starts_with("//"));
        for key in comments.flat_map(citations) {
            assert!(
                known.contains(key),
                "{} cites [{key}], which REFERENCES.bib does not have",
                shown(&file)
            );
            cited.insert(key.to_owned());
        }
    }
    assert!(cited.len() >= 4, "only {cited:?} found: is the search still right?");
}

/// A link of a Markdown file: what it shows and where it goes.
struct Link {
    line: usize,
    label: String,
    target: String,
}

/// The links outside code blocks, both `[a](b)` and `[a][b]` with `[b]: c`.
fn links(text: &str) -> Vec<Link> {
    let prose = lines(text, false);
    let mut definitions = BTreeMap::new();
    for (_, line) in &prose {
        if let Some((name, target)) = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")) {
            definitions.insert(name, target.trim());
        }
    }
    let mut links: Vec<Link> = Vec::new();
    for (line, content) in &prose {
        for (open, close) in [("](", ")"), ("][", "]")] {
            let mut rest = *content;
            while let Some((before, after)) = rest.split_once(open) {
                let Some((inner, _)) = after.split_once(close) else { break };
                let label = before.rsplit_once('[').map_or("", |(_, label)| label);
                let target = if close == "]" { definitions.get(inner).copied().unwrap_or("") } else { inner };
                // `\[kg\]` and the like are no links.
                if !before.ends_with('\\') {
                    links.push(Link { line: *line, label: label.to_owned(), target: target.to_owned() });
                }
                rest = after;
            }
        }
    }
    links
}

/// The anchor that a heading gets: lower case, spaces as hyphens, punctuation gone.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The names in a label such as `` `Delta::torque` `` or `` `Dual<T, N>` ``; none for the name of a file.
fn items(label: &str) -> Vec<&str> {
    let label = label.trim_matches('`').split('<').next().unwrap_or(label);
    if label.contains(['/', '.']) {
        Vec::new()
    } else {
        label.split("::").filter(|word| !word.is_empty()).collect()
    }
}

/// Whether a source file holds an item: a test as a function, anything else as a word or as a module on its path.
fn holds(file: &Path, item: &str) -> bool {
    let text = read(file);
    if file.components().any(|part| part.as_os_str() == "tests") {
        return text.contains(&format!("fn {item}("));
    }
    let item = item.replace('-', "_");
    let mut path = file.with_extension("");
    let on_path = std::iter::from_fn(|| {
        let name = path.file_name()?.to_string_lossy().replace('-', "_");
        path.pop().then_some(name)
    });
    let mut names: Vec<String> = on_path.collect();
    names.extend(text.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(str::to_owned));
    names.contains(&item)
}

#[test]
fn every_link_leads_somewhere() {
    let mut seen = 0;
    for file in files(&root(), ".md") {
        for Link { line, label, target } in links(&read(&file)) {
            if target.starts_with("http") || target.starts_with("mailto:") {
                continue;
            }
            seen += 1;
            let place = format!("{}:{line}: [{label}]({target})", shown(&file));
            let (path, fragment) = target.split_once('#').unwrap_or((target.as_str(), ""));
            let goal = if path.is_empty() { file.clone() } else { file.parent().unwrap().join(path) };
            assert!(!target.is_empty() && goal.exists(), "{place} leads nowhere");
            if !fragment.is_empty() {
                let text = read(&goal);
                let mut headings = lines(&text, false).into_iter().filter(|(_, line)| line.starts_with('#'));
                assert!(headings.any(|(_, line)| anchor(line) == fragment), "{place}: no such heading");
            }
            if label.starts_with('`') && goal.extension().is_some_and(|ending| ending == "rs") {
                for word in items(&label) {
                    assert!(holds(&goal, word), "{place}: `{word}` is not there");
                }
            }
        }
    }
    assert!(seen > 100, "only {seen} links found: is the search still right?");
}

#[test]
fn the_readme_names_the_robots_there_are() {
    let text = read(&root().join("README.md"));
    let section = text.split_once("## Robots that come with it\n").expect("the section about robots").1;
    let section = section.split("\n## ").next().unwrap();
    let named: BTreeSet<&str> = section.split('`').skip(1).step_by(2).collect();
    let there: BTreeSet<&str> = BUILT_IN.iter().map(|robot| robot.name).collect();
    assert_eq!(named, there);
}

/// The words of a command that runs the program, after its name.
fn command(text: &str) -> Option<Vec<&str>> {
    let text = text.split(['#', '|', '>']).find(|part| part.contains("legwork ") || part.contains("-- "))?;
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["legwork", rest @ ..] | ["cargo", "run", "--release", "--", rest @ ..] => Some(rest.to_vec()),
        _ => None,
    }
}

#[test]
fn every_command_names_a_verb_and_a_robot() {
    let verbs = ["robots", "show", "schema", "ik", "fk", "torque", "state", "check", "completions"];
    let mut seen = 0;
    for file in files(&root(), ".md") {
        let text = read(&file);
        let blocks = lines(&text, true).into_iter().map(|(_, line)| line);
        let prose: Vec<&str> = lines(&text, false).into_iter().map(|(_, line)| line).collect();
        let spans = prose.iter().flat_map(|line| line.split('`').skip(1).step_by(2));
        for words in blocks.chain(spans).filter_map(command) {
            let said = format!("{}: legwork {}", shown(&file), words.join(" "));
            let Some((verb, rest)) = words.split_first() else { continue };
            assert!(verbs.contains(verb), "{said}: no such verb");
            let asks = ["show", "ik", "fk", "torque", "state", "check"].contains(verb);
            let Some(robot) = rest.first().filter(|word| asks && !word.starts_with('-')) else { continue };
            let is_robot = BUILT_IN.iter().any(|built_in| built_in.name == *robot);
            // A file of the reader's own, or one of ours, which must be there.
            let is_file = robot.contains('.') && (!robot.contains('/') || root().join(robot).exists());
            let is_placeholder = *robot == "ROBOT";
            assert!(is_robot || is_file || is_placeholder, "{said}: no such robot");
            seen += 1;
        }
    }
    assert!(seen > 5, "only {seen} commands found: is the search still right?");
}

#[test]
fn contributing_names_every_job() {
    let script = read(&root().join("ci.sh"));
    let jobs = between(&script, "jobs=(", ")").first().copied().expect("the list of jobs").split_whitespace();
    let text = read(&root().join("CONTRIBUTING.md"));
    let rows: BTreeSet<&str> = between(&text, "\n| `", "` |").into_iter().collect();
    assert_eq!(rows, jobs.collect());
}

/// The chapter with its generated part replaced by what the field table says now.
fn robot_file_chapter(text: &str) -> String {
    let (begin, end) = ("<!-- fields: begin -->\n", "<!-- fields: end -->");
    let (before, rest) = text.split_once(begin).expect("the mark where the fields begin");
    let (_, after) = rest.split_once(end).expect("the mark where the fields end");
    format!("{before}{begin}\n{}\n{end}{after}", schema::markdown())
}

#[test]
fn the_table_of_fields_is_the_one_of_the_parser() {
    let path = root().join("book/src/robot-file.md");
    let text = read(&path);
    let wanted = robot_file_chapter(&text);
    if std::env::var_os("UPDATE_DOCUMENTS").is_some() {
        fs::write(&path, wanted).unwrap();
    } else {
        assert!(text == wanted, "book/src/robot-file.md is stale: run this test with UPDATE_DOCUMENTS=1");
    }
}

/// The TOML examples of the book are robot files.
#[test]
fn robot_files_in_the_book_parse() {
    let mut parsed = 0;
    for file in files(&root().join("book"), ".md") {
        for text in between(&read(&file), "```toml\n", "```") {
            legwork::description::RobotDescription::parse(text, "book.toml")
                .unwrap_or_else(|error| panic!("{}:\n{error}", shown(&file)));
            parsed += 1;
        }
    }
    assert!(parsed > 0);
}
