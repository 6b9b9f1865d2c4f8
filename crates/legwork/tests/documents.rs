//! Keeps the documents honest: citations, links, names of functions and tests,
//! robots, families, figures, commands, examples, and the generated tables of the robot file.
//!
//! `UPDATE_DOCUMENTS=1 cargo test -p legwork --test documents` writes the generated parts anew.

use legwork::AnyRobot;
use legwork::description::{BUILT_IN, Family, RobotDescription, schema};
use legwork::task::{Request, RequestFormat};
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
        if entry.file_type().unwrap().is_dir()
            && name != "target"
            && name != "node_modules"
            && !name.starts_with('.')
        {
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
    // What is in the model is known by the name of the crate that re-exports it.
    if names.iter().any(|name| name == "legwork_model") {
        names.push("legwork".into());
    }
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

/// What stands in backquotes.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_book_shows_every_family() {
    let text = read(&root().join("book/src/families.md"));
    let files = read(&root().join("book/src/robot-file.md"));
    for family in Family::ALL {
        let name = format!("\"{}\"", family.name());
        assert!(quoted(&files).contains(name.as_str()), "robot-file.md does not name the family {name}");
        let is_there = *family == Family::Delta || quoted(&text).contains(name.as_str());
        assert!(is_there, "families.md does not name the family {name}");
    }
    // Every robot that comes with legwork but the Deltas, and no others.
    let listed = text.split("**Built in").skip(1).flat_map(|part| {
        let end = part.find("\n- ").or(part.find("\n## ")).unwrap_or(part.len());
        quoted(part[..end].split("**Code").next().unwrap())
    });
    let named: BTreeSet<&str> = listed.collect();
    let of = |name: &str| RobotDescription::built_in(name).unwrap().family();
    let there: BTreeSet<&str> =
        BUILT_IN.iter().map(|robot| robot.name).filter(|name| of(name) != Family::Delta).collect();
    assert_eq!(named, there);
}

#[test]
fn every_chapter_is_in_the_summary_and_every_figure_is_shown() {
    let book = root().join("book/src");
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let chapters: BTreeSet<String> =
        files(&book, ".md").iter().map(name).filter(|file| file != "SUMMARY.md").collect();
    let listed: BTreeSet<String> =
        links(&read(&book.join("SUMMARY.md"))).into_iter().map(|link| link.target).collect();
    assert_eq!(listed, chapters);

    let figures: BTreeSet<String> =
        files(&book.join("figures"), ".svg").iter().map(|file| format!("figures/{}", name(file))).collect();
    let pages: Vec<String> = files(&book, ".md").iter().map(|file| read(file)).collect();
    let shown = pages.iter().flat_map(|page| links(page)).map(|link| link.target);
    let shown: BTreeSet<String> = shown.filter(|target| has_extension(target, "svg")).collect();
    assert_eq!(shown, figures);
}

#[test]
fn the_architecture_names_every_room() {
    let text = read(&root().join("ARCHITECTURE.md"));
    for folder in [
        "legwork-core/src",
        "legwork-core/src/engine",
        "legwork-core/src/robots",
        "legwork-model/src",
        "legwork-model/src/description",
        "legwork/src",
        "legwork-codegen/src",
        "legwork-session/src",
        "legwork-studio/src",
        "legwork-cli/src",
    ] {
        for entry in fs::read_dir(root().join("crates").join(folder)).unwrap() {
            let stem = entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
            let named = quoted(&text).into_iter().any(|name| name.rsplit("::").next() == Some(stem.as_str()));
            let is_root = ["lib", "main", "mod", "robots"].contains(&stem.as_str());
            assert!(is_root || named, "ARCHITECTURE.md does not name `{stem}` of {folder}");
        }
    }
}

#[test]
fn golden_files_have_their_row() {
    let text = read(&root().join("golden/README.md"));
    let there: BTreeSet<String> = files(&root().join("golden"), ".json").iter().map(|f| shown(f)).collect();
    let targets = links(&text).into_iter().map(|link| format!("golden/{}", link.target));
    let named: BTreeSet<String> =
        targets.filter(|target| has_extension(target, "json") && !target.contains("..")).collect();
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
    let verbs = [
        "robots",
        "show",
        "schema",
        "ik",
        "fk",
        "torque",
        "state",
        "simulate",
        "plan",
        "size",
        "run",
        "recover",
        "map",
        "linearize",
        "sensitivity",
        "calibrate",
        "identify",
        "excite",
        "import",
        "help",
        "time",
        "acceleration",
        "export",
        "codegen",
        "joint-states",
        "studio",
        "report",
        "reproduce",
        "check",
        "completions",
    ];
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
            let asks = ["show", "ik", "fk", "torque", "state", "plan", "size", "map", "check"].contains(verb);
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

/// The chapter with its generated part replaced by what the field tables say now, one level below its own title.
fn keys_chapter(text: &str) -> String {
    let (begin, end) = ("<!-- fields: begin -->\n", "<!-- fields: end -->");
    let (before, rest) = text.split_once(begin).expect("the mark where the fields begin");
    let (_, after) = rest.split_once(end).expect("the mark where the fields end");
    let mut tables = String::new();
    for line in schema::markdown().lines() {
        tables += if line.starts_with('#') { "#" } else { "" };
        tables += line;
        tables.push('\n');
    }
    format!("{before}{begin}\n{tables}\n{end}{after}")
}

#[test]
fn the_tables_of_keys_are_those_of_the_parser() {
    let path = root().join("book/src/keys.md");
    let text = read(&path);
    let wanted = keys_chapter(&text);
    if std::env::var_os("UPDATE_DOCUMENTS").is_some() {
        fs::write(&path, wanted).unwrap();
    } else {
        assert!(text == wanted, "book/src/keys.md is stale: run this test with UPDATE_DOCUMENTS=1");
    }
}

/// The TOML examples of a document.
fn examples(text: &str) -> Vec<AnyRobot> {
    let is_request = |text: &&str| text.starts_with("task = ");
    let blocks = between(text, "```toml\n", "```");
    for request in blocks.iter().copied().filter(is_request) {
        Request::parse(request, RequestFormat::Toml).unwrap_or_else(|error| panic!("{request}\n{error}"));
    }
    let parsed = blocks.into_iter().filter(|text| !is_request(text)).map(|text| {
        RobotDescription::parse(text, "book.toml").unwrap_or_else(|error| panic!("{text}\n{error}"))
    });
    parsed.map(|description| AnyRobot::new(description).unwrap_or_else(|error| panic!("{error}"))).collect()
}

#[test]
fn robot_files_in_the_documents_are_robots() {
    let found: usize = files(&root(), ".md").iter().map(|file| examples(&read(file)).len()).sum();
    assert!(found >= 3, "only {found} robot files found: is the search still right?");
}

/// The robot of the chapter about robots of one's own, and what that chapter says one can do by hand.
#[test]
fn the_orthoglide_of_the_book_is_as_described() {
    let all = examples(&read(&root().join("book/src/own-robot.md")));
    let [robot] = all.as_slice() else { panic!("one example expected") };
    assert_eq!(robot.working_mode(), "start-start-start"); // every leg recognised
    let state = robot.state(&robot.home()).unwrap();
    let gravity = state.dynamics.unwrap().gravity;
    for i in 0..3 {
        assert!((state.q[i] + 0.3).abs() < 1e-12);
        for (j, entry) in state.jacobian[i].iter().enumerate() {
            assert!((entry - f64::from(u8::from(i == j))).abs() < 1e-12, "{:?}", state.jacobian);
        }
        let weight = if i == 2 { 4.3 * 9.81 } else { 0.0 };
        assert!((gravity[i] - weight).abs() < 1e-12 * 42.0, "{gravity:?}"); // rounding
    }
}

fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}
