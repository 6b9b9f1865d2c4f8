//! The program `legwork`: flags become a typed request, the library answers, the answer is printed.

mod answer;
mod args;
mod failure;
mod interrupt;
mod json;
mod measures;
mod motion;
#[cfg(feature = "studio")]
mod page;
mod progress;
mod result;
mod stream;
mod task;
mod unit;
mod verb;

use args::{Cli, Verb};
use clap::{CommandFactory, FromArgMatches};
use failure::{Failure, Printable};
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};

/// What a run that could be done came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Everything asked for was printed.
    Done,
    /// A check did not hold, or a run stopped before its end.
    Fails,
    /// A signal ended a run.
    Interrupted,
    /// Some lines of a stream could not be used.
    BadLines,
}

/// The program: the words of the command line, its own name first, in; an exit code out.
pub fn program(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words = args::keep(words);
    let matches = args::command().try_get_matches_from(words.into_iter().map(args::keep_negative));
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let mut out = Printable(BufWriter::new(io::stdout().lock()));
    let outcome = run(cli, &mut out).and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    match outcome {
        Ok(Outcome::Done) => 0,
        Ok(Outcome::Fails) => 1,
        Ok(Outcome::BadLines) => 2,
        Ok(Outcome::Interrupted) => interrupt::exit_code(),
        // Nothing to show.
        Err(Failure::Interrupted) => {
            failure::print_to_stderr(&Failure::Interrupted.to_string());
            interrupt::exit_code()
        }
        // Whoever read the output has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(failure) => {
            // What was already found stands before the error.
            let _ = out.flush();
            failure::print_to_stderr(&failure.to_string());
            2
        }
    }
}

fn run(cli: Cli, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let json = cli.json;
    match cli.verb {
        None => verb::help::run(Cli::command(), out),
        Some(Verb::Robots) => verb::robots::run(json, out),
        Some(Verb::Show(args)) => verb::show::run(&args, json, out),
        Some(Verb::Schema { request }) => verb::schema::run(request, out),
        Some(Verb::Ik(args)) => verb::ik::run(&args, json, out),
        Some(Verb::Fk(args)) => verb::fk::run(&args, json, out),
        Some(Verb::Torque(args)) => verb::torque::run(&args, json, out),
        Some(Verb::State(args)) => verb::state::run(&args, json, out),
        Some(Verb::Acceleration(args)) => verb::acceleration::run(&args, json, out),
        Some(Verb::Simulate(args)) => verb::simulate::run(&args, json, out),
        Some(Verb::Plan(args)) => result::plan::run(&args.request()?, json, out),
        Some(Verb::Size(args)) => result::size::run(&args.request()?, json, out),
        Some(Verb::Run(args)) => result::run(&args, json, out),
        Some(Verb::Map(args)) => verb::map::run(&args, json, out),
        Some(Verb::Linearize(args)) => verb::linearize::run(&args, json, out),
        Some(Verb::Sensitivity(args)) => verb::sensitivity::run(&args, json, out),
        Some(Verb::Calibrate(args)) => verb::calibrate::run(&args, json, out),
        Some(Verb::Identify(args)) => verb::identify::run(&args.request(), json, out),
        Some(Verb::Excite(args)) => verb::identify::excite(&args.request(), json, out),
        Some(Verb::Recover(args)) => verb::recover::run(&args, json, out),
        Some(Verb::Time(args)) => verb::time::run(&args, json, out),
        Some(Verb::Import(args)) => verb::exchange::import(&args, json, out),
        Some(Verb::Export(args)) => verb::exchange::export(&args, json, out),
        Some(Verb::Codegen(args)) => verb::codegen::run(&args, json, out),
        Some(Verb::JointStates(args)) => verb::joint_states::run(&args, json, out),
        #[cfg(feature = "studio")]
        Some(Verb::Report(args)) => verb::report::run(&args, json, out),
        #[cfg(feature = "studio")]
        Some(Verb::Studio(args)) => verb::studio::run(&args, out),
        Some(Verb::Reproduce(args)) => verb::reproduce::run(&args, json, out),
        Some(Verb::Check(args)) => verb::check::run(&args, json, out),
        Some(Verb::Completions { shell }) => verb::help::completions(Cli::command(), shell, out),
    }
}

/// Help and version go to stdout; a command line that cannot be read to stderr, in the words of our own errors.
fn usage(error: &clap::Error) -> u8 {
    let text = error.render().to_string().replace('\u{2212}', "-");
    if error.use_stderr() {
        let text = text.replace("\n  tip: ", "\nhint: ");
        let text = match args::way_out(error) {
            // Ours is the better hint.
            Some(hint) => {
                let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("hint: ")).collect();
                let kept = kept.join("\n").replace("\n\n\n", "\n\n");
                let (error, usage) = kept.split_once("\n\n").unwrap_or((&kept, ""));
                format!("{error}\n\nhint: {hint}\n\n{usage}")
            }
            None => text,
        };
        failure::print_to_stderr(text.trim_end());
        2
    } else {
        let _ = io::stdout().write_all(text.as_bytes());
        0
    }
}
