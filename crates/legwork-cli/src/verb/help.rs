//! The program without a verb, and the completions of shells.

use crate::Outcome;
use crate::failure::Failure;
use clap::Command;
use clap_complete::Shell;
use std::io::Write;

pub fn run(mut command: Command, out: &mut dyn Write) -> Result<Outcome, Failure> {
    write!(out, "{}", command.render_help())?;
    Ok(Outcome::Done)
}

pub fn completions(mut command: Command, shell: Shell, out: &mut dyn Write) -> Result<Outcome, Failure> {
    // The generator does not expect a pipe to close: give it memory to write to.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "legwork", &mut script);
    out.write_all(&script)?;
    Ok(Outcome::Done)
}
