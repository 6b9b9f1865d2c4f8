//! The rotary Delta: three arms on fixed motors, three forearms of two parallel
//! rods each, a platform that only translates.
//!
//! ```text
//!              R_A        a
//!   base  ●─────────◉──────────●  elbow eᵢ          z up, leg 1 along +x,
//!         │         motor qᵢ    \                   q = 0 horizontal, positive down
//!         z                      \  b  (sᵢ: elbow → platform)
//!                                 \
//!               platform  ●────────●   R_B
//! ```
//!
//! Everything follows from the closure |sᵢ| = b with sᵢ = x − eᵢ and R = R_A − R_B.
//! [`Linkage`] holds the lengths and answers kinematic questions through a
//! [`Posture`]; [`Delta`] adds masses and answers dynamic ones. Both have a total,
//! generic form that returns margins, and for `f64` a checked form that returns
//! typed errors:
//!
//! ```
//! use legwork_core::robots::{catalog, delta::{Assembly, Motion}};
//! use legwork_core::V3;
//!
//! let delta = catalog::delta_direct_drive();
//! let x = V3::new(0.10, -0.05, -0.30);                        // metres in
//! let q = delta.linkage().inverse_kinematics(x)?;             // radians out
//! let back = delta.linkage().forward_kinematics(q, Assembly::Below)?;
//! assert!((back - x).norm_sq() < 1e-28);
//! let hold = delta.inverse_dynamics(&Motion::rest(x), V3::zero())?.torque; // N·m
//! assert!(hold.x < 0.0);                                      // the motors hold the arms up
//! # Ok::<(), legwork_core::robots::delta::PostureError>(())
//! ```

mod checked;
pub mod constrained;
mod dynamics;
mod formulations;
mod geometry;
mod inertia;
mod lagrange;
pub mod ngoc_kim;
mod posture;

pub use checked::{MeetError, ParameterError, ParameterFault, PostureError, Reach};
pub use dynamics::{Acceleration, Effort, Motion, PlatformDynamics};
pub use formulations::to_constrained_frame;
pub use geometry::{Assembly, Elbow, Geometry, Linkage, WorkingMode};
pub use inertia::{Delta, Forearm, Inertia, Motor};
pub use posture::{Leg, Posture, Singularity};
