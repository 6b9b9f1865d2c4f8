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
            assert_eq!(found, expected, "{}", path.display());
        }
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
    let mut text = format!("$ {command}\n{}", rounded(&result.stdout));
    if !result.stderr.is_empty() {
        write!(text, "stderr:\n{}", result.stderr).unwrap();
    }
    writeln!(text, "exit {}", result.code).unwrap();
    text
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
