//! The program `legwork`. All of it is in the library beside it, which is built while the ones it stands on are still
//! being optimised; a program has to wait for them.

fn main() -> std::process::ExitCode {
    legwork_cli::program(std::env::args_os()).into()
}
