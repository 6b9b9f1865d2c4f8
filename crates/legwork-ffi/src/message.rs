//! Why a call was refused: a code, and a message for each thread. A refused call of the real-time functions keeps its error
//! as it is, so that nothing is allocated; its words are made when they are asked for.

use crate::border::Output;
use crate::codes::Code;
use legwork::RobotError;
use legwork::coordinates::CoordinateError;
use legwork::task::TaskError;
use std::cell::RefCell;
use std::ffi::{c_char, c_int};
use std::fmt::{self, Write};
use std::mem::ManuallyDrop;

/// Why a call was refused.
pub enum Failure {
    /// A word about the arguments.
    Argument(Code, &'static str, &'static str),
    /// The same with numbers or texts in it.
    Text(Code, String),
    /// The robot cannot answer.
    Robot(RobotError),
}

impl Failure {
    /// Its code.
    pub fn code(&self) -> Code {
        match self {
            Self::Argument(code, ..) | Self::Text(code, _) => *code,
            Self::Robot(error) => error.kind().into(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument(_, what, is) => write!(f, "`{what}` {is}"),
            Self::Text(_, text) => f.write_str(text),
            Self::Robot(error) => match error.hint() {
                Some(hint) => write!(f, "{error}; {hint}"),
                None => write!(f, "{error}"),
            },
        }
    }
}

impl From<RobotError> for Failure {
    fn from(error: RobotError) -> Self {
        Self::Robot(error)
    }
}

impl From<CoordinateError> for Failure {
    fn from(error: CoordinateError) -> Self {
        let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
        Self::Text(error.kind().into(), format!("{error}{hint}"))
    }
}

impl From<TaskError> for Failure {
    fn from(error: TaskError) -> Self {
        let mut text = error.to_string();
        for more in [error.cause(), error.hint()].into_iter().flatten() {
            text.push_str("; ");
            text.push_str(&more);
        }
        Self::Text(error.kind().into(), text)
    }
}

/// Longest message that is kept.
const ROOM: usize = 2048;

/// The last refusal of a thread. Without a destructor, so that a thread registers none on its first call.
struct Last {
    /// An error that owns no memory.
    error: Option<ManuallyDrop<RobotError>>,
    text: [u8; ROOM],
    length: usize,
}

thread_local! {
    static LAST: RefCell<Last> = const { RefCell::new(Last { error: None, text: [0; ROOM], length: 0 }) };
}

/// Text up to the end of the room, cut between two letters.
impl Write for Last {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = ROOM - self.length;
        let mut end = text.len().min(room);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.text[self.length..self.length + end].copy_from_slice(&text.as_bytes()[..end]);
        self.length += end;
        if end < text.len() { Err(fmt::Error) } else { Ok(()) }
    }
}

/// Keeps a refusal and gives its code. A call that is answered leaves the last message as it is.
pub fn keep(failure: Failure) -> Code {
    let code = failure.code();
    LAST.with_borrow_mut(|last| {
        last.length = 0;
        last.error = None;
        match failure {
            Failure::Robot(
                error @ (RobotError::State(_)
                | RobotError::Posture(_)
                | RobotError::NotFinite { .. }
                | RobotError::Overflow { .. }
                | RobotError::NotARotation { .. }
                | RobotError::NotAFreedom { .. }
                | RobotError::JointCone { .. }
                | RobotError::OtherBranch { .. }
                | RobotError::Follows { .. }),
            ) => last.error = Some(ManuallyDrop::new(error)),
            // Too long a text is cut.
            other => drop(write!(last, "{other}")),
        }
    });
    code
}

/// The last message of this thread, written now if it was not yet.
fn with_last<R>(user: impl FnOnce(&str) -> R) -> R {
    LAST.with_borrow_mut(|last| {
        if let Some(error) = last.error.take() {
            let failure = Failure::Robot(ManuallyDrop::into_inner(error));
            let _ = write!(last, "{failure}");
        }
        user(std::str::from_utf8(&last.text[..last.length]).unwrap_or_default())
    })
}

/// The message of the last call of this thread that was refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_last_message(text: *mut c_char, text_length: usize) -> usize {
    with_last(|message| {
        // SAFETY: "Pointers" of the header: `text` is null, or `text_length` bytes can be written there.
        unsafe { Output::text(text, text_length, message) };
        message.len()
    })
}

/// The name of a code: `LEGWORK_UNREACHABLE`.
#[unsafe(no_mangle)]
pub extern "C" fn legwork_code_name(code: c_int) -> *const c_char {
    let known = Code::ALL.into_iter().find(|known| *known as c_int == code);
    known.map_or(c"unknown", Code::name).as_ptr()
}

/// The version of the library: `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn legwork_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
