//! What a call returns. The numbers stand in the header and never change.

use legwork::{ErrorKind, StateMark};

/// What a call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Code {
    /// Answered.
    Ok = 0,
    /// A number is NaN or infinite, or the answer would be.
    NotFinite = 1,
    /// A matrix is no rotation.
    NotARotation = 2,
    /// The platform cannot move or turn so.
    NotAFreedom = 3,
    /// A leg does not reach.
    Unreachable = 4,
    /// A leg is stretched, folded or along its own axis.
    SerialSingularity = 5,
    /// The motors do not hold the platform.
    ParallelSingularity = 6,
    /// Some motion of the platform moves no mass, or the robot has no masses.
    NoMass = 7,
    /// No answer for another reason, which the message says.
    NoAnswer = 8,
    /// A pointer is null that must not be.
    NullPointer = 20,
    /// A list has the wrong length, or a buffer is too small.
    Length = 21,
    /// A text is not UTF-8.
    Utf8 = 22,
    /// A handle was finished before.
    Finished = 23,
    /// A pointer is no handle of this kind.
    NotAHandle = 24,
    /// A handle is in use in another thread, and only one may use it at a time.
    Busy = 25,
    /// There are as many handles as there can be.
    TooMany = 26,
    /// Lists share memory, or begin at an address that no double can have.
    Memory = 27,
    /// A robot file cannot be read, or its numbers make no robot.
    InvalidRobot = 40,
    /// A request cannot be read, or its parts contradict each other.
    InvalidRequest = 41,
    /// A file cannot be read or written.
    File = 42,
    /// The caller cancelled the task.
    Cancelled = 43,
    /// The task has no result.
    TaskFailed = 44,
    /// An argument is out of its range.
    InvalidInput = 45,
    /// The regulator has given up: the efforts are the safe command.
    SafeCommand = 60,
    /// A mistake in legwork: please report it. The handles of the call should be finished.
    Panic = 99,
}

impl Code {
    /// All of them.
    pub const ALL: [Self; 25] = [
        Self::Ok,
        Self::NotFinite,
        Self::NotARotation,
        Self::NotAFreedom,
        Self::Unreachable,
        Self::SerialSingularity,
        Self::ParallelSingularity,
        Self::NoMass,
        Self::NoAnswer,
        Self::NullPointer,
        Self::Length,
        Self::Utf8,
        Self::Finished,
        Self::NotAHandle,
        Self::Busy,
        Self::TooMany,
        Self::Memory,
        Self::InvalidRobot,
        Self::InvalidRequest,
        Self::File,
        Self::Cancelled,
        Self::TaskFailed,
        Self::InvalidInput,
        Self::SafeCommand,
        Self::Panic,
    ];

    /// Its name in the header.
    pub fn name(self) -> &'static std::ffi::CStr {
        match self {
            Self::Ok => c"LEGWORK_OK",
            Self::NotFinite => c"LEGWORK_NOT_FINITE",
            Self::NotARotation => c"LEGWORK_NOT_A_ROTATION",
            Self::NotAFreedom => c"LEGWORK_NOT_A_FREEDOM",
            Self::Unreachable => c"LEGWORK_UNREACHABLE",
            Self::SerialSingularity => c"LEGWORK_SERIAL_SINGULARITY",
            Self::ParallelSingularity => c"LEGWORK_PARALLEL_SINGULARITY",
            Self::NoMass => c"LEGWORK_NO_MASS",
            Self::NoAnswer => c"LEGWORK_NO_ANSWER",
            Self::NullPointer => c"LEGWORK_NULL_POINTER",
            Self::Length => c"LEGWORK_LENGTH",
            Self::Utf8 => c"LEGWORK_UTF8",
            Self::Finished => c"LEGWORK_FINISHED",
            Self::NotAHandle => c"LEGWORK_NOT_A_HANDLE",
            Self::Busy => c"LEGWORK_BUSY",
            Self::TooMany => c"LEGWORK_TOO_MANY",
            Self::Memory => c"LEGWORK_MEMORY",
            Self::InvalidRobot => c"LEGWORK_INVALID_ROBOT",
            Self::InvalidRequest => c"LEGWORK_INVALID_REQUEST",
            Self::File => c"LEGWORK_FILE",
            Self::Cancelled => c"LEGWORK_CANCELLED",
            Self::TaskFailed => c"LEGWORK_TASK_FAILED",
            Self::InvalidInput => c"LEGWORK_INVALID_INPUT",
            Self::SafeCommand => c"LEGWORK_SAFE_COMMAND",
            Self::Panic => c"LEGWORK_PANIC",
        }
    }
}

impl From<StateMark> for Code {
    fn from(mark: StateMark) -> Self {
        match mark {
            StateMark::Answered => Self::Ok,
            StateMark::NotFinite => Self::NotFinite,
            StateMark::NotARotation => Self::NotARotation,
            StateMark::NotAFreedom => Self::NotAFreedom,
            StateMark::Unreachable => Self::Unreachable,
            StateMark::SerialSingularity => Self::SerialSingularity,
            StateMark::ParallelSingularity => Self::ParallelSingularity,
            StateMark::NoMass => Self::NoMass,
            _ => Self::NoAnswer,
        }
    }
}

impl From<ErrorKind> for Code {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::NotFinite => Self::NotFinite,
            ErrorKind::NotARotation => Self::NotARotation,
            ErrorKind::NotAFreedom => Self::NotAFreedom,
            ErrorKind::Unreachable => Self::Unreachable,
            ErrorKind::SerialSingularity => Self::SerialSingularity,
            ErrorKind::ParallelSingularity => Self::ParallelSingularity,
            ErrorKind::NoMass => Self::NoMass,
            ErrorKind::NoSolution | ErrorKind::NotForThisRobot | ErrorKind::NoAnswer => Self::NoAnswer,
            ErrorKind::InvalidRobot => Self::InvalidRobot,
            ErrorKind::WrongLength => Self::Length,
            ErrorKind::InvalidInput => Self::InvalidInput,
            ErrorKind::InvalidRequest => Self::InvalidRequest,
            ErrorKind::File => Self::File,
            ErrorKind::Cancelled => Self::Cancelled,
            ErrorKind::TaskFailed => Self::TaskFailed,
        }
    }
}
