//! Why nothing, or not everything, could be printed, and the message about it.

use legwork::RobotError;
use legwork::coordinates::CoordinateError;
use legwork::description::{DescriptionError, ProblemKind};
use legwork::text::{printable, printable_lines};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

/// Why a request could not be answered.
#[derive(Debug)]
pub enum Failure {
    /// A message in parts.
    Message(Message),
    /// The robot file, with the library's own message of several lines.
    Description(DescriptionError),
    /// The output cannot be written.
    Output(io::Error),
    /// A signal came before there was anything to show.
    Interrupted,
}

/// What is wrong, why, and what to do about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    pub error: String,
    pub cause: Option<String>,
    pub hint: Option<String>,
}

impl Message {
    pub fn new(error: impl Into<String>) -> Self {
        Self { error: error.into(), ..Self::default() }
    }

    pub fn caused_by(self, cause: impl Into<String>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", printable(&self.error))?;
        if let Some(cause) = &self.cause {
            write!(f, "\n  caused by: {}", printable(cause))?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n\nhint: {}", printable(hint))?;
        }
        Ok(())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(message) => message.fmt(f),
            Self::Description(error) => error.fmt(f),
            Self::Interrupted => f.write_str("interrupted: no result, and no file was written"),
            Self::Output(error) => write!(f, "error: the output cannot be written: {error}"),
        }
    }
}

impl Failure {
    /// The reason alone, on one line, for a row of a stream.
    pub fn reason(&self) -> String {
        match self {
            Self::Message(message) => printable(&message.error).into_owned(),
            other => other.to_string().replace('\n', " "),
        }
    }

    /// What to do about it, if something is known.
    pub fn way_out(&self) -> Option<&str> {
        match self {
            Self::Message(message) => message.hint.as_deref(),
            _ => None,
        }
    }

    /// The failure of a robot under the name the user gave it.
    pub fn of(error: RobotError, robot: &str) -> Self {
        match error {
            RobotError::Description(error) => Self::of_description(error),
            error => {
                let text = error.to_string();
                // "cannot build the robot `x`: the field and its number", "... at its home pose: the leg"
                let message = match text.split_once(": ") {
                    Some((what, cause)) if what.starts_with("cannot build") => {
                        Message::new(what).caused_by(cause)
                    }
                    _ => Message::new(text),
                };
                let hint = error.hint().map(|hint| hint.replace("ROBOT", robot));
                Self::Message(Message { hint, ..message })
            }
        }
    }

    fn of_description(error: DescriptionError) -> Self {
        let unknown = match error.problems.as_slice() {
            [problem] if matches!(problem.kind, ProblemKind::UnknownBuiltIn { .. }) => problem,
            _ => return Self::Description(error),
        };
        let list = "`legwork robots` lists the built-in robots; a robot file is named with its ending, \
                    such as my_delta.toml";
        let file = match &unknown.kind {
            ProblemKind::UnknownBuiltIn { name, .. } => Some(format!("{name}.toml")),
            _ => None,
        };
        let file =
            file.filter(|file| Path::new(file).is_file()).map(|file| format!("did you mean `{file}`?"));
        let nearest = file.or_else(|| unknown.hint());
        let hint = nearest.map_or_else(|| list.into(), |nearest| format!("{nearest} {list}"));
        Self::Message(Message::new(unknown.to_string()).hint(hint))
    }
}

impl From<CoordinateError> for Message {
    fn from(error: CoordinateError) -> Self {
        Self { hint: error.hint(), ..Self::new(error.to_string()) }
    }
}

impl From<CoordinateError> for Failure {
    fn from(error: CoordinateError) -> Self {
        Self::Message(error.into())
    }
}

impl From<Message> for Failure {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Takes what is printed and keeps from a terminal what it would obey: names and texts of files go through it, too.
/// What stands for a character is an escape of JSON, so that JSON stays what it is.
pub struct Printable<W>(pub W);

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match str::from_utf8(bytes) {
            Ok(text) => self.0.write_all(printable_lines(text).as_bytes()),
            Err(_) => self.0.write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Prints a line to stderr. A closed stderr is no error.
pub fn print_to_stderr(text: &str) {
    let _ = writeln!(io::stderr(), "{}", printable_lines(text));
}
