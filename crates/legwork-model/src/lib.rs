//! Robots as files describe them, and what they answer: kinematics, dynamics, simulation.
//!
//! Crate `legwork` re-exports what users need of it and adds the tasks; use that one. What is public here
//! and not there is for `legwork` itself.

pub use legwork_core::*;

pub mod assembly;
pub mod coordinates;
pub mod description;
pub mod families;
pub mod files;
pub mod mechanism;
pub mod nearest;
pub mod random;
pub mod robot;
pub mod rotation;
pub mod sim;
pub mod sorting;
pub mod summary;
pub mod text;
pub mod units;

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
