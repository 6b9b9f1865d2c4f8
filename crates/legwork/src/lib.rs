//! Parallel robots on the desk: robot files, the run-time-typed robot, proofs of
//! a model. Re-exports the core, so `legwork::robots::delta::Delta` is one path.
//!
//! ```
//! use legwork::{AnyRobot, PlatformState};
//!
//! let robot = AnyRobot::open("delta-industrial")?;             // a built-in name or a file
//! let state = robot.state(&PlatformState::at([0.1, -0.05, -0.8]))?;
//! let dynamics = state.dynamics.expect("this robot has masses");
//! assert_eq!(state.q.len(), 3);                                 // motor angles, rad
//! assert!(dynamics.motor.iter().all(|torque| *torque < 0.0));   // N m; the motors hold the arms up
//! # Ok::<(), legwork::RobotError>(())
//! ```

pub use legwork_core::*;
#[doc(inline)]
pub use legwork_model::{
    assembly, coordinates, description, families, files, mechanism, random, rotation, sim, summary, text,
    units,
};
use legwork_model::{robot, sorting};

pub mod analysis;
pub mod check;
pub mod exchange;
pub mod experiment;
pub mod figure;
pub mod firmware;
pub mod fmu;
pub mod json;
pub mod plan;
pub mod printed;
pub mod recording;
pub mod report;
pub mod table;
pub mod task;
pub mod zip;

// The run-time-typed robot
pub use robot::{
    AnyRobot, AssemblyMode, AssemblyModes, AssemblySolver, Batch, BatchStates, DeltaTerms, Dynamics,
    Energies, EngineModel, ErrorKind, FORWARD_STARTS, ForearmModel, ForwardDerivatives, ForwardDynamics,
    Freedom, InverseDerivatives, Joint, JointGear, JointMotion, JointSolution, LegForce, MovingBase, Part,
    PartKind, Places, PlatformSolution, PlatformState, PlatformStates, RobotError, RobotOnMovingBase,
    RowAngles, RowLayout, RowList, Singularity, Skeleton, State, StateMark, StateRows,
};
// Rotations as matrices by rows
pub use rotation::{
    IDENTITY, from_roll_pitch_yaw as rotation_from_roll_pitch_yaw, to_roll_pitch_yaw as roll_pitch_yaw,
};

/// The listings of README and book, run as tests.
#[cfg(doctest)]
mod listings {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../book/src/first-steps.md")]
    struct FirstSteps;
    #[doc = include_str!("../../../book/src/scalars.md")]
    struct Scalars;
    #[doc = include_str!("../../../book/src/requests.md")]
    struct Requests;
}
