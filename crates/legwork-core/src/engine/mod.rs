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
//!
//! | part | type | paper |
//! |---|---|---|
//! | leg | [`Chain`] of revolute and prismatic joints, by [`ModifiedDh`] or by [`AxisLink`]; [`Leg`] | (18), (24), (25) |
//! | attachment | [`Attachment`]: 1 to 6 velocity components | (19), (26), (64) corrected |
//! | motion space | [`MotionSpace`], constant or with Ṡ | (9), (13) |
//! | robot | [`Mechanism`]: any legs in a slice; [`Robot`]: equal legs, owned | (20)–(22), (28)–(30), (80) |
//! | equation of motion | [`TaskDynamics`] in platform space, [`JointDynamics`] in joint space | bracket of (20) |
//! | forward kinematics | [`Mechanism::newton_step`], [`Mechanism::forward_kinematics`] | |
//! | hexapod | [`Hexapod`]: UPS legs in closed form, also in lanes | Sec. 4, Appendix |
//!
//! Functions on any scalar are total and return a [`Margin`](crate::Margin); for `f64` there is a checked
//! form that returns [`StateError`] or [`RobotError`] with the leg and the numbers.
//!
//! A robot of one's own, a pendulum platform on two sliding legs in the plane:
//!
//! ```
//! use legwork_core::V3;
//! use legwork_core::engine::*;
//!
//! let slide = |x: f64| AxisLink {
//!     kind: JointKind::Prismatic,
//!     active: true,
//!     placement: Pose::translation(V3::new(x, 0.0, 0.0)),
//!     axis: V3::new(0.0, 1.0, 0.0),
//!     body: Some(RigidBody::point(0.4, V3::zero())),
//!     drive: Drive::with_inertia(0.2),
//! };
//! let swing = AxisLink {
//!     kind: JointKind::Revolute,
//!     active: false,
//!     placement: Pose::identity(),
//!     axis: V3::new(0.0, 0.0, 1.0),
//!     body: Some(RigidBody::thin_rod(0.3, V3::zero(), V3::new(0.0, -0.5, 0.0))),
//!     drive: Drive::ideal(),
//! };
//! let leg = |x: f64, lean: f64| Leg {
//!     chain: Chain::from_axes([slide(x), swing], V3::new(0.0, -0.5, 0.0)).0,
//!     attachment: Attachment::planar_xy(V3::zero()),
//!     inverse: LegInverse::Numerical { seed: [0.4, lean], steps: 12 },
//! };
//! let robot = Robot::<f64, 2, 2, 2, 2> {
//!     legs: [leg(-0.3, 0.6), leg(0.3, -0.6)],
//!     platform: RigidBody::point(1.0, V3::zero()),
//!     space: MotionSpace::planar_point(),
//!     gravity: V3::new(0.0, -9.81, 0.0),
//! }
//! .checked()?;
//! let rest = PlatformMotion::rest(Pose::identity());
//! let hold = robot.mechanism().effort_for(&rest, Wrench::zero())?.effort;
//! assert!((hold[0] + hold[1] - 9.81 * (1.0 + 2.0 * (0.4 + 0.3))).abs() < 1e-9); // the slides carry all
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any;
pub mod attachment;
pub mod chain;
pub mod checked;
pub mod continuation;
pub mod correction;
pub mod factors;
pub mod forward;
pub mod hexapod;
pub mod inverse;
pub mod leg;
pub mod legs;
pub mod matrix;
pub mod mechanism;
pub mod moving_base;
mod report;
pub mod robot;
pub mod space;
pub mod spatial;
pub(crate) mod unrolled;
pub mod ups;

pub use any::AnyLeg;
pub use attachment::{Attachment, AttachmentJacobian};
pub use chain::{
    AxisLink, Chain, ChainMotion, ChainPosture, Drive, JointKind, JointValue, Link, ModifiedDh, frame_with_z,
};
pub use checked::{RobotError, StateError};
pub use continuation::{Followed, LegStep, Lost};
pub use correction::{LegCorrection, turn_by};
pub use factors::MotorFactors;
pub use forward::{Forward, ForwardSettings, Route, TowardsPose, search_pose};
pub use hexapod::{Hexapod, HexapodAcceleration, HexapodMotion};
#[cfg(feature = "simd")]
pub use hexapod::{HexapodLanes, HexapodSlopes};
pub use inverse::LegInverse;
pub use leg::{ActiveJoint, ActiveJoints, Leg, LegEffort, LegModel, LegPosture, LegTerms, Reaction};
pub use mechanism::{
    ActiveState, JointDynamics, Mechanism, NewtonStep, PlatformMotion, RobotAcceleration, RobotEffort,
    TaskDynamics,
};
pub use moving_base::BaseMotion;
pub use report::{LegHold, LegReport};
pub use robot::Robot;
pub use space::{MotionScales, MotionSpace};
pub use spatial::{BodyError, PlatformMass, Pose, RigidBody, SpatialInertia, Twist, Wrench};
pub use ups::Ups;
