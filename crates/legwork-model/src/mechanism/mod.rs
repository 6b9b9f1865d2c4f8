//! Mechanisms of bodies and joints with loops: from a plain description to a model that can be asked.
//!
//! [`MechanismDescription`] → checked and merged (`linkage`) → closed at home (`assembly`) → studied (`mobility`) →
//! tree and core (`core_choice`, `layout`) → order of the elimination (`order`) → [`MechanismModel`], which runs the
//! kernel [`legwork_core::mechanism`].
//!
//! Set-up may use the heap and takes milliseconds. After it every call works in a [`Workspace`] of the caller.

#![allow(clippy::neg_cmp_op_on_partial_ord)] // `!(x <= limit)` is also true for NaN, as it must be

mod assembly;
mod chart;
mod core_choice;
mod description;
mod dynamics;
mod error;
mod kinematics;
mod layout;
mod linkage;
mod loops;
mod mobility;
mod model;
mod open;
mod order;
mod orders;
mod owned;
mod planned;
mod rank;
mod run;
mod shares;
mod small;

pub(crate) use chart::{Chart, factored, solved};
pub use description::{
    BodyDescription, JointDescription, JointType, MechanismDescription, SpringDescription, WORLD,
};
pub use dynamics::{Accelerations, JointReaction, MechanismEnergies};
pub use error::MechanismError;
pub use kinematics::{PlatformPose, Target};
pub use loops::{FrameMotion, LoopPosture, LoopSlopes, Loops};
pub use mobility::Mobility;
pub use model::{Configuration, CoreChoice, MechanismModel, MotorInfo};
pub(crate) use open::{OpenRoom, OpenTree};
pub(crate) use orders::Ordered;
pub use owned::{OwnedPlan, Workspace};
pub use run::MechanismSample;
