//! The general engine: any parallel robot as a platform, legs that are serial
//! chains, attachments that pass on some velocity components, and a motion space
//! \[KhalilIbrahim2007\], with its errata put right.
//!
//! ```text
//!            platform  P ●━━━━━━━┓                 V_P = S V_r
//!                        ┃       ◯  attachment i   J_i q̇_i = J_vi V_P
//!                        ◯      ╱
//!                         ╲    ╱  links, joints 1..N of leg i
//!                  base ━━━●━━●━━━
//! ```

mod any;
pub mod attachment;
pub mod chain;
pub mod checked;
pub mod forward;
pub mod hexapod;
pub mod inverse;
pub mod leg;
pub mod legs;
pub mod matrix;
pub mod mechanism;
pub mod robot;
pub mod space;
pub mod spatial;
mod unrolled;
pub mod ups;

pub use any::AnyLeg;
pub use attachment::Attachment;
pub use chain::{AxisLink, Chain, ChainPosture, Drive, JointKind, JointValue, Link, ModifiedDh};
pub use checked::{RobotError, StateError};
pub use forward::{Forward, ForwardSettings};
#[cfg(feature = "simd")]
pub use hexapod::HexapodLanes;
pub use hexapod::{Hexapod, HexapodAcceleration};
pub use inverse::LegInverse;
pub use leg::{ActiveJoint, ActiveJoints, Leg, LegEffort, LegModel, LegPosture, LegTerms, Reaction};
pub use mechanism::{
    ActiveState, JointDynamics, Mechanism, NewtonStep, PlatformMotion, RobotAcceleration, RobotEffort,
    TaskDynamics,
};
pub use robot::Robot;
pub use space::MotionSpace;
pub use spatial::{BodyError, Pose, RigidBody, SpatialInertia, Twist, Wrench};
pub use ups::Ups;
