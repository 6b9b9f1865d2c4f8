//! `legwork-attack [--short|--long] [--seed N] [--write] [WORD...]`: the checks, or only those that are named. The seed
//! and every figure are printed. `--write` puts the figures into the book; `--figures FILE` adds those that tests have
//! printed, lines with `figure WORD: TEXT`. `legwork-attack write FILE` puts the figures of earlier runs there: those that
//! the checks and the tests have printed into FILE.
//!
//! `legwork-attack digest`: a line for each robot with the bits of its results. `legwork-attack compare FILE FILE`: whether
//! the digests of two builds are the same, and the figure of it.
//!
//! `legwork-attack reader READER`: damaged inputs to one reader. `legwork-attack replay READER FILE`: an input that was
//! kept, again.
//!
//! `legwork-attack page`: whether the book has a row for every promise.

use legwork_attack::page::{self, Promise};
use legwork_attack::{Found, Length, fuzz, program, same, scaled, states};
use peak_alloc::PeakAlloc;
use std::process::ExitCode;

#[global_allocator]
static MEMORY: PeakAlloc = fuzz::MEMORY;

type Check = fn(Length, u64) -> Found;

/// Every promise, with the check of this program that holds it; those without one are held by a test, which `ci.sh` runs.
const CHECKS: &[(Promise, Option<Check>)] = &[
    (
        Promise {
            word: "readers",
            promise: "No file makes a reader panic, run without end, or take memory that the file does not account for.",
            check: "[damaged inputs](../../crates/legwork-attack/src/targets.rs) to every reader, memory and processor time bounded",
        },
        Some(fuzz::run),
    ),
    (
        Promise {
            word: "streams",
            promise: "No stream makes the program fail without a word.",
            check: "[damaged streams](../../crates/legwork-attack/src/program.rs) on its standard input",
        },
        Some(program::run),
    ),
    (
        Promise {
            word: "states",
            promise: "Every state has a finite answer or a reason why not, and an answer leads back.",
            check: "[random states](../../crates/legwork-attack/src/states.rs), near, far and absurd: joints to pose, efforts to acceleration",
        },
        Some(states::run),
    ),
    (
        Promise {
            word: "scaled",
            promise: "The verdict of `check` does not depend on the size of the robot.",
            check: "[the same robots](../../crates/legwork-attack/src/scaled.rs) in other lengths and masses",
        },
        Some(scaled::run),
    ),
    (
        Promise {
            word: "same",
            promise: "The same question has the same answer to the bit.",
            check: "[digests](../../crates/legwork-attack/src/same.rs) over threads, runs and builds",
        },
        Some(same::run),
    ),
    (
        Promise {
            word: "builds",
            promise: "An optimised build computes what an unoptimised one does, to the bit.",
            check: "`legwork-attack digest` of both, compared by `legwork-attack compare`",
        },
        None,
    ),
    (
        Promise {
            word: "killed",
            promise: "A run that is killed leaves a recording that can be read up to its last block.",
            check: "[kills at random moments](../../crates/legwork-cli/tests/files.rs)",
        },
        None,
    ),
    (
        Promise {
            word: "control",
            promise: "A bad sample never makes a regulator command a number that is not finite.",
            check: "[`a_million_injected_faults`](../../crates/legwork-core/tests/control/injection.rs)",
        },
        None,
    ),
];

struct Arguments {
    length: Length,
    seed: u64,
    write: bool,
    /// Figures of promises that a test holds: word and text.
    figures: Vec<(String, String)>,
    words: Vec<String>,
}

fn arguments() -> Result<Arguments, String> {
    let mut found =
        Arguments { length: Length::Short, seed: 1, write: false, figures: Vec::new(), words: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--short" => found.length = Length::Short,
            "--long" => found.length = Length::Long,
            "--write" => found.write = true,
            "--figures" => found.figures = tested_figures(&words.next().unwrap_or_default())?,
            "--seed" => {
                let seed = words.next().unwrap_or_default();
                found.seed =
                    seed.parse().map_err(|_| format!("`--seed {seed}`: a whole number is expected"))?;
            }
            "digest" | "page" => found.words.push(word),
            "compare" | "reader" | "replay" | "write" => {
                let count = if matches!(word.as_str(), "reader" | "write") { 1 } else { 2 };
                found.words.push(word);
                found.words.extend(words.by_ref().take(count));
            }
            known if CHECKS.iter().any(|(promise, check)| promise.word == known && check.is_some()) => {
                found.words.push(word);
            }
            other => return Err(format!("there is no check `{other}`")),
        }
    }
    Ok(found)
}

/// The figures in the output of tests: one for every promise that a test holds, and no other.
fn tested_figures(path: &str) -> Result<Vec<(String, String)>, String> {
    let figures = page::printed_figures(&read(path)?);
    let held_by_tests = CHECKS.iter().filter(|(_, check)| check.is_none()).map(|(promise, _)| promise.word);
    for word in held_by_tests.clone() {
        let count = figures.iter().filter(|(known, _)| known == word).count();
        if count != 1 {
            return Err(format!("{path}: {count} figures of `{word}`, one is expected"));
        }
    }
    match figures.iter().find(|(word, _)| !held_by_tests.clone().any(|known| known == word)) {
        Some((word, _)) => Err(format!("{path}: no promise is held by a test of the name `{word}`")),
        None => Ok(figures),
    }
}

/// The figures that checks and tests have printed: each of a promise, and of none two.
fn printed_figures(path: &str) -> Result<Vec<(String, String)>, String> {
    let figures = page::printed_figures(&read(path)?);
    for (k, (word, _)) in figures.iter().enumerate() {
        if !CHECKS.iter().any(|(promise, _)| promise.word == word) {
            return Err(format!("{path}: there is no promise `{word}`"));
        }
        if figures.iter().take(k).any(|(known, _)| known == word) {
            return Err(format!("{path}: two figures of `{word}`"));
        }
    }
    if figures.is_empty() { Err(format!("{path}: no figures")) } else { Ok(figures) }
}

fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))
}

fn promises() -> Vec<Promise> {
    CHECKS.iter().map(|(promise, _)| *promise).collect()
}

fn check_page() -> Result<(), String> {
    let path = page::path();
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let faults = page::faults(&text, &promises());
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

fn write_page(figures: &[(&str, String)]) -> Result<(), String> {
    let path = page::path();
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = page::with_figures(&text, &promises(), figures)?;
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let Arguments { length, seed, write, figures, words } = arguments;
    println!("{length:?}, seed {seed}");
    let mut figures: Vec<(&str, String)> =
        figures.iter().map(|(word, figure)| (word.as_str(), figure.clone())).collect();
    let mut failed = Vec::new();
    for (promise, check) in CHECKS {
        let Some(check) = check else { continue };
        if !words.is_empty() && !words.iter().any(|word| word == promise.word) {
            continue;
        }
        println!("{}: {}", promise.word, promise.promise);
        let found = check(*length, *seed);
        if found.failures.is_empty() {
            println!("  holds, figure {}: {}", promise.word, found.figure);
            figures.push((promise.word, found.figure));
        } else {
            println!("  FAILS: {}", found.failures.join("\n  FAILS: "));
            failed.push(promise.word);
        }
    }
    if *write {
        write_page(&figures)?;
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("does not hold: {}", failed.join(", "))) }
}

fn main() -> ExitCode {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        told(panic);
        fuzz::keep_what_is_under_way();
    }));
    let done = arguments().and_then(|arguments| match arguments.words.first().map(String::as_str) {
        Some("digest") => {
            println!("{}", same::digest(0).join("\n"));
            Ok(())
        }
        Some("compare") => match arguments.words.as_slice() {
            [_, one, other] => {
                same::compare(&read(one)?, &read(other)?).map(|figure| println!("figure builds: {figure}"))
            }
            _ => Err("`compare` needs two files with digests".into()),
        },
        Some("page") => check_page(),
        Some("write") => match arguments.words.as_slice() {
            [_, path] => {
                let figures = printed_figures(path)?;
                let figures: Vec<_> = figures.iter().map(|(word, it)| (word.as_str(), it.clone())).collect();
                write_page(&figures)
            }
            _ => Err("`write` needs a file with figures".into()),
        },
        Some("reader") => match arguments.words.as_slice() {
            [_, target] => fuzz::one(target, arguments.length, arguments.seed),
            _ => Err("`reader` needs the name of a reader".into()),
        },
        Some("replay") => match arguments.words.as_slice() {
            [_, target, path] => fuzz::replay(target, path),
            _ => Err("`replay` needs the name of a reader and a file".into()),
        },
        _ => run(&arguments),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
