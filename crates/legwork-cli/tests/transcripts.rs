//! Whole outputs: each file in `tests/transcripts` is a list of commands with what they print.
//!
//! A command is `$ legwork ...`, with `< FILE` for its stdin; below it stand stdout, stderr after a line `stderr:`
//! and `exit CODE`. With `LEGWORK_ACCEPT=1` the files are written anew: read the difference before keeping it.

mod program;

use program::{folder, legwork};
use std::fmt::Write as _;
use std::fs;

#[test]
fn every_command_prints_what_its_transcript_says() {
    let accept = std::env::var_os("LEGWORK_ACCEPT").is_some();
    let mut files: Vec<_> = fs::read_dir(folder().join("transcripts")).unwrap().collect();
    files.sort_by_key(|entry| entry.as_ref().unwrap().file_name());
    assert!(files.len() > 5);
    for entry in files {
        let path = entry.unwrap().path();
        let expected = fs::read_to_string(&path).unwrap();
        let found: Vec<String> =
            expected.lines().filter_map(|line| line.strip_prefix("$ ")).map(run).collect();
        let found = found.join("\n");
        if accept {
            fs::write(&path, found).unwrap();
        } else {
            let differs = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
            assert!(found == expected, "{}: found, and expected: {differs:#?}", path.display());
        }
    }
}

/// On the standard output no line is wider than a terminal of 80 columns, of tables (with two spaces or more between
/// their columns) and of sentences. Left out are help texts, whose width is the terminal's, JSON, CSV and files of robots
/// and controllers, and a last cell that is one long word, such as a path.
#[test]
fn tables_and_sentences_fit_eighty_columns() {
    let (mut tables, mut wide) = (0, Vec::new());
    for entry in fs::read_dir(folder().join("transcripts")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let mut is_judged = false;
        for line in text.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                let other =
                    ["--help", "--json", "--toml", "--csv", "schema", "help", "export", "import", "<"];
                let is_bare = command == "legwork";
                is_judged = !is_bare && !command.split_whitespace().any(|word| other.contains(&word));
            } else if line == "stderr:" {
                is_judged = false;
            }
            if !is_judged || line.starts_with(['{', '[', '$']) {
                continue;
            }
            tables += usize::from(line.trim().contains("  "));
            let last_cell = line.rsplit("  ").next().unwrap_or_default();
            let is_long_word = !last_cell.contains(' ') && last_cell.chars().count() > 20;
            if line.chars().count() > 80 && !is_long_word {
                wide.push(format!("{name}: {line}"));
            }
        }
    }
    assert!(tables > 500, "{tables} lines of tables: is the search still right?");
    assert!(wide.is_empty(), "{} lines are too wide:\n{}", wide.len(), wide.join("\n"));
}

/// The chapter "From the data sheet to the motors": its files are written to a folder, its commands run there, what they
/// print is what the chapter shows, and its pictures are those that they write. A line `...` stands for any lines.
#[test]
fn the_chapter_from_the_data_sheet_prints_what_it_says() {
    let accept = std::env::var_os("LEGWORK_ACCEPT").is_some();
    let book = folder().join("../../../book/src");
    let chapter = fs::read_to_string(book.join("data-sheet.md")).unwrap();
    let scratch = std::env::temp_dir().join(format!("legwork-chapter-{}", std::process::id()));
    fs::create_dir_all(&scratch).unwrap();
    let (mut written, mut commands) = (0, 0);
    let mut anew = chapter.clone();
    for block in chapter.split("\n```").skip(1).step_by(2) {
        let (head, body) = block.split_once('\n').unwrap();
        if let Some(name) = head.strip_prefix("toml name=") {
            fs::write(scratch.join(name), body).unwrap();
            written += 1;
        } else if head == "console" {
            let (command, expected) = body.split_once('\n').unwrap();
            let command = command.strip_prefix("$ ").unwrap();
            let words: Vec<&str> = command.split_whitespace().skip(1).collect();
            let result = program::legwork_in(&scratch, &words, &[]);
            assert_eq!(result.code, 0, "{command}\n{}", result.stderr);
            let found = result.stdout.trim_end();
            let shows_all = !expected.lines().any(|line| line == "...");
            if accept && shows_all {
                anew = anew.replace(&format!("$ {command}\n{expected}"), &format!("$ {command}\n{found}"));
            } else {
                matches_parts(command, expected, found);
            }
            commands += 1;
        }
    }
    assert!(
        written >= 4 && commands >= 6,
        "{written} files and {commands} commands: is the search still right?"
    );
    let mut pictures = 0;
    for part in chapter.split("](figures/").skip(1) {
        let name = part.split(')').next().unwrap();
        let drawn = fs::read_to_string(scratch.join(name)).unwrap();
        let shown = book.join("figures").join(name);
        if accept {
            fs::write(&shown, &drawn).unwrap();
        }
        same_picture(name, &drawn, &fs::read_to_string(shown).unwrap());
        pictures += 1;
    }
    assert!(pictures >= 2);
    if accept {
        fs::write(book.join("data-sheet.md"), anew).unwrap();
    }
    fs::remove_dir_all(scratch).unwrap();
}

/// Every part between lines `...` is found, in order; without such lines all of it is the same.
fn matches_parts(command: &str, expected: &str, found: &str) {
    let found: Vec<&str> = found.lines().map(str::trim_end).collect();
    let parts: Vec<Vec<&str>> =
        expected.lines().collect::<Vec<_>>().split(|line| *line == "...").map(<[&str]>::to_vec).collect();
    let mut from = 0;
    for (k, part) in parts.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
        let places = found.get(from..).unwrap_or_default().windows(part.len());
        let place = places.clone().position(|lines| lines == part.as_slice());
        let Some(place) = place else {
            panic!("$ {command}\nprints\n{}\nand not\n{}", found.join("\n"), part.join("\n"))
        };
        assert!(k > 0 || place == 0, "$ {command}: it begins in another way");
        from += place + part.len();
    }
    let ends_open = parts.last().is_some_and(Vec::is_empty);
    assert!(ends_open || from == found.len(), "$ {command}: more is printed\n{}", found[from..].join("\n"));
}

/// The same marks; numbers may differ in their last digit, which belongs to the machine.
fn same_picture(name: &str, drawn: &str, shown: &str) {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-')).map(str::to_owned).collect()
    };
    let (drawn, shown) = (words(drawn), words(shown));
    assert_eq!(drawn.len(), shown.len(), "{name} is another picture: run this test with LEGWORK_ACCEPT=1");
    for (a, b) in drawn.iter().zip(&shown) {
        let numbers = a.parse::<f64>().ok().zip(b.parse::<f64>().ok());
        let is_same = numbers.map_or(a == b, |(a, b)| (a - b).abs() <= 0.2);
        assert!(is_same, "{name}: {a} and {b}: run this test with LEGWORK_ACCEPT=1");
    }
}

/// A command with what it prints.
fn run(command: &str) -> String {
    let (words, stdin) = match command.split_once(" < ") {
        Some((words, file)) => (words, fs::read(folder().join(file)).unwrap()),
        None => (command, Vec::new()),
    };
    let mut words = words.split_whitespace();
    assert_eq!(words.next(), Some("legwork"));
    let result = legwork(&words.collect::<Vec<_>>(), &stdin);
    let mut text = format!("$ {command}\n{}", rounded(&without_clock(&result.stdout)));
    if !result.stderr.is_empty() {
        write!(text, "stderr:\n{}", result.stderr).unwrap();
    }
    writeln!(text, "exit {}", result.code).unwrap();
    text
}

/// What a run says of the clock and of its rounding differs from machine to machine.
fn without_clock(text: &str) -> String {
    let changing = ["real-time factor", "loop gap", "energy balance"];
    let is_changing = |line: &&str| changing.iter().any(|start| line.starts_with(start));
    let line = |line: &str| match Some(line).filter(is_changing) {
        Some(line) => format!("{}...\n", &line[..18]),
        None => format!("{line}\n"),
    };
    if text.ends_with('\n') { text.lines().map(line).collect() } else { text.into() }
}

/// The text with ten digits of every long number: the last ones belong to the machine's sine and cosine.
fn rounded(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_digit() || "+-.e".contains(c);
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let (before, tail) = rest.split_at(start);
        let (word, after) = tail.split_at(tail.find(|c| !is_part(c)).unwrap_or(tail.len()));
        result.push_str(before);
        let is_long = word.chars().filter(char::is_ascii_digit).count() > 10;
        match word.parse::<f64>() {
            Ok(number) if is_long && number.abs() < 1e-12 => result.push_str("0.0"),
            Ok(number) if is_long => {
                let short: f64 = format!("{number:.9e}").parse().unwrap();
                write!(result, "{short:?}").unwrap();
            }
            _ => result.push_str(word),
        }
        rest = after;
    }
    result + rest
}
