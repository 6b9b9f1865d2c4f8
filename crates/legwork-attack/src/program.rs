//! The program itself under damaged streams: states on its standard input, as CSV and as JSON lines. Its processor time
//! and its memory are limited by the system, so that an endless run and a huge one end with a signal.

use crate::corpus::{below, mutate, seeds};
use crate::{Found, Length, grouped};
use legwork_testkit::Seeded;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// 20 s of the processor, 2 GB of memory.
const LIMITED: &str = "ulimit -t 20; ulimit -v 2000000; exec \"$0\" \"$@\"";

const VERBS: &[&[&str]] = &[
    &["ik", "delta-industrial"],
    &["ik", "irb360-flexpicker", "--all", "--json"],
    &["fk", "delta-industrial"],
    &["fk", "gough-stewart", "--json"],
    &["torque", "delta-industrial", "--json"],
    &["torque", "hexa"],
    &["state", "five-bar", "--json"],
];

/// The program beside this one: both are built into the same folder.
fn program() -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?.with_file_name("legwork");
    path.is_file().then_some(path)
}

/// What is wrong with one run; nothing if it ended as a program should.
fn fault(program: &PathBuf, words: &[&str], input: &[u8]) -> Option<String> {
    let child = Command::new("sh")
        .args(["-c", LIMITED])
        .arg(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return Some(format!("cannot start: {error}")),
    };
    if let Some(mut stdin) = child.stdin.take() {
        // A program that has had enough closes its input.
        let input = input.to_vec();
        std::thread::spawn(move || drop(stdin.write_all(&input)));
    }
    let output = match child.wait_with_output() {
        Ok(output) => output,
        Err(error) => return Some(format!("cannot be waited for: {error}")),
    };
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        None => Some(format!("ended by {}: {said}", output.status)),
        Some(0..=2) if !said.contains("panicked") => None,
        Some(code) => Some(format!("ended with {code}: {said}")),
    }
}

/// Damaged streams into the verbs that read them.
pub fn run(length: Length, seed: u64) -> Found {
    let mut found = Found::default();
    let Some(program) = program() else {
        found.fail("the program is not built beside this one: `cargo build --release -p legwork-cli`".into());
        return found;
    };
    let seeds = seeds("stream");
    let mut random = Seeded::new(seed);
    let count = length.pick(400, 50_000);
    for case in 0..count {
        let input = mutate(&seeds[below(&mut random, seeds.len())], &seeds, &mut random);
        let words = VERBS[case % VERBS.len()];
        if let Some(fault) = fault(&program, words, &input) {
            let path = std::env::temp_dir().join(format!("legwork-attack-stream-{case}"));
            let kept = std::fs::write(&path, &input);
            found.fail(format!(
                "case {case}, legwork {}: {fault}; kept in {}: {kept:?}",
                words.join(" "),
                path.display()
            ));
        }
    }
    found.figure = format!(
        "{} streams to {} verbs, each ended with a code of its own",
        grouped(count as u64),
        VERBS.len()
    );
    found
}
