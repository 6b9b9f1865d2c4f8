//! What sort of error it is: the one list that all front ends bind. C makes a code of it, Python an exception.

use super::{RobotError, StateMark};

/// What sort of error it is, for programs; the error itself says more, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// A number is NaN or infinite, or the answer would be.
    NotFinite,
    /// A matrix is no rotation.
    NotARotation,
    /// The platform cannot move or turn so.
    NotAFreedom,
    /// A leg does not reach.
    Unreachable,
    /// A leg is stretched, folded or along its own axis.
    SerialSingularity,
    /// The motors do not hold the platform.
    ParallelSingularity,
    /// The robot has no masses, or some motion of the platform moves none.
    NoMass,
    /// Forward kinematics found no pose.
    NoSolution,
    /// The question is not for this robot.
    NotForThisRobot,
    /// The robot has no answer for another reason.
    NoAnswer,
    /// A robot file cannot be read, or its numbers make no robot.
    InvalidRobot,
    /// A list has the wrong number of numbers.
    WrongLength,
    /// An argument is out of its range.
    InvalidInput,
    /// A request cannot be read, or its parts contradict each other.
    InvalidRequest,
    /// A file cannot be read or written.
    File,
    /// The caller cancelled the task.
    Cancelled,
    /// The task has no result.
    TaskFailed,
}

impl ErrorKind {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::NotFinite,
        Self::NotARotation,
        Self::NotAFreedom,
        Self::Unreachable,
        Self::SerialSingularity,
        Self::ParallelSingularity,
        Self::NoMass,
        Self::NoSolution,
        Self::NotForThisRobot,
        Self::NoAnswer,
        Self::InvalidRobot,
        Self::WrongLength,
        Self::InvalidInput,
        Self::InvalidRequest,
        Self::File,
        Self::Cancelled,
        Self::TaskFailed,
    ];

    /// Its name: `not-a-rotation`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFinite => "not-finite",
            Self::NotARotation => "not-a-rotation",
            Self::NotAFreedom => "not-a-freedom",
            Self::Unreachable => "unreachable",
            Self::SerialSingularity => "serial-singularity",
            Self::ParallelSingularity => "parallel-singularity",
            Self::NoMass => "no-mass",
            Self::NoSolution => "no-solution",
            Self::NotForThisRobot => "not-for-this-robot",
            Self::NoAnswer => "no-answer",
            Self::InvalidRobot => "invalid-robot",
            Self::WrongLength => "wrong-length",
            Self::InvalidInput => "invalid-input",
            Self::InvalidRequest => "invalid-request",
            Self::File => "file",
            Self::Cancelled => "cancelled",
            Self::TaskFailed => "task-failed",
        }
    }
}

impl RobotError {
    /// What sort of error it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Description(_)
            | Self::Parameter { .. }
            | Self::Limits { .. }
            | Self::Home { .. }
            | Self::HomeState { .. }
            | Self::Sizes { .. }
            | Self::Body { .. }
            | Self::Joints { .. }
            | Self::TurnedTool { .. }
            | Self::TiltedFreedoms { .. }
            | Self::TwoTurns { .. }
            | Self::CalibratedLegs { .. }
            | Self::CalibratedLink { .. }
            | Self::IdentifiedBody { .. }
            | Self::Mechanism { .. } => ErrorKind::InvalidRobot,
            Self::NoMasses { .. } => ErrorKind::NoMass,
            Self::Forward(_) => ErrorKind::NoSolution,
            Self::Count { .. } => ErrorKind::WrongLength,
            Self::Mode { .. } | Self::Payload { .. } | Self::ModelError { .. } => ErrorKind::InvalidInput,
            Self::OtherFamily { .. }
            | Self::NoEffortChoice { .. }
            | Self::Redundant { .. }
            | Self::NotHeld { .. }
            | Self::HeldOnMovingBase { .. }
            | Self::NoLegs { .. }
            | Self::NoMechanism { .. } => ErrorKind::NotForThisRobot,
            _ => match self.mark() {
                StateMark::NotFinite => ErrorKind::NotFinite,
                StateMark::NotARotation => ErrorKind::NotARotation,
                StateMark::NotAFreedom => ErrorKind::NotAFreedom,
                StateMark::Unreachable => ErrorKind::Unreachable,
                StateMark::SerialSingularity => ErrorKind::SerialSingularity,
                StateMark::ParallelSingularity => ErrorKind::ParallelSingularity,
                StateMark::NoMass => ErrorKind::NoMass,
                // An error is no answer, whatever its mark.
                StateMark::Answered | StateMark::Other => ErrorKind::NoAnswer,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_kind_has_a_name_of_its_own() {
        let names: BTreeSet<&str> = ErrorKind::ALL.map(ErrorKind::name).into();
        assert_eq!(names.len(), ErrorKind::ALL.len());
    }
}
