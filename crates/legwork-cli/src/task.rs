//! What the program gives every task of the library: signals, progress and notes on a terminal, its command line, pages.

use crate::args::Cli;
use crate::failure::{Failure, Message, print_to_stderr};
use crate::interrupt;
use crate::progress;
use clap::CommandFactory;
use legwork::coordinates::CoordinateError;
use legwork::task::{Handle, Progress, TaskError};
#[cfg(feature = "studio")]
use std::io;

/// Runs a task of a verb about a robot; its errors name the options of the verb.
pub fn run<T>(
    verb: &str,
    robot: &str,
    task: impl FnOnce(&Handle<'_>) -> Result<T, TaskError>,
) -> Result<T, Failure> {
    let signals = interrupt::watch()?;
    let bar = progress::Progress::new();
    let show = |progress: Progress<'_>| bar.show(progress.done, progress.what);
    let command = command_line();
    let note = |text: &str| print_to_stderr(&format!("note: {}", with_options(text, verb)));
    let handle = Handle::none()
        .cancelled_by(&signals.came)
        .noticing(&signals.noticed)
        .with_progress(&show)
        .with_notes(&note)
        .started_by(&command);
    #[cfg(feature = "studio")]
    let handle = handle.with_pages(&page);
    let result = task(&handle);
    drop(bar);
    result.map_err(|error| failure(error, verb, robot))
}

/// The words that started the program.
pub fn command_line() -> String {
    let words = crate::args::words()
        .into_iter()
        .skip(1)
        .map(|word| if word.contains(char::is_whitespace) { format!("'{word}'") } else { word });
    std::iter::once("legwork".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// A page of a report; on stderr, why it is static if that was not asked for.
#[cfg(feature = "studio")]
pub fn page(report: &legwork::report::Report, is_static: bool) -> io::Result<legwork::task::Page> {
    use legwork_studio::Page;
    let mut bytes = Vec::new();
    let wanted = if is_static { Page::Static } else { Page::best() };
    let page = legwork_studio::write_report(report, wanted, &mut bytes)?;
    if let (false, Some(reason)) = (is_static, legwork_studio::why_static()) {
        print_to_stderr(&format!("note: this legwork was {reason}"));
    }
    Ok(legwork::task::Page { bytes, is_static: page == Page::Static })
}

/// The failure of a task, under the name the user gave the robot; fields of a request are options of the verb.
pub fn failure(error: TaskError, verb: &str, robot: &str) -> Failure {
    if let TaskError::Cancelled = error {
        return Failure::Interrupted;
    }
    if let TaskError::Robot(error) = error {
        return Failure::of(error, robot);
    }
    // A name of a coordinate is not an option, even where an option is called so.
    let is_named = matches!(error, TaskError::Coordinates(CoordinateError::Number { .. }));
    let in_options = |text: String| if is_named { text } else { with_options(&text, verb) };
    let hint = error.hint().map(|hint| in_options(hint.replace("ROBOT", robot)));
    Message { error: in_options(error.to_string()), cause: error.cause(), hint }.into()
}

/// "`gravity_compensation` is" becomes "`--gravity-compensation` is" if the verb has such an option.
pub fn with_options(text: &str, verb: &str) -> String {
    let command = Cli::command();
    let options: Vec<String> = command
        .find_subcommand(verb)
        .map(|verb| {
            verb.get_arguments().filter_map(|argument| argument.get_long()).map(str::to_owned).collect()
        })
        .unwrap_or_default();
    let parts = text.split('`').enumerate().map(|(k, part)| {
        let (word, rest) = part.split_at(part.find(' ').unwrap_or(part.len()));
        let option = if word == "working_mode" { "mode".into() } else { word.replace('_', "-") };
        if k % 2 == 1 && options.contains(&option) { format!("--{option}{rest}") } else { part.to_owned() }
    });
    parts.collect::<Vec<_>>().join("`")
}
