//! Small motions about a pose where the motors hold the robot at rest.
//!
//! ```text
//! M δẍ + D δẋ + K δx = Jᵀ⁻¹ δu                                                     (1)
//! ```
//!
//! for every robot, by exact derivatives: [`Reduced`]. M is the mass matrix, D what viscous friction makes of
//! velocities, K the second derivative of the potential energy less the work of the holding efforts. Always
//! at rest: with motion, (1) would have terms of velocity that no steady state has. Coulomb friction is left
//! out, because it has no derivative at rest. A Delta also has its constrained form with all its passive
//! angles: [`constrained`].
//!
//! What follows from (1): poles, [`zeros`], modes, controllable and observable orders
//! ([`order`]), Hankel singular values and [`truncated`](balance::Balanced::truncated) models, state feedback
//! ([`feedback`], and as the [`regulator`] of a closed loop), files for other programs ([`export`]), and where a robot turns unstable ([`stability`]).
//!
//! ```
//! use legwork::AnyRobot;
//! use legwork::analysis::linear::{Reduced, largest_real_part};
//!
//! let robot = AnyRobot::open("delta-bortoff-b")?;
//! let small = Reduced::at(&robot, &robot.home())?;
//! assert_eq!(small.poles()?.len(), 6);
//! let worst = largest_real_part(&robot, &robot.home())?;
//! assert!((worst - small.poles()?[0].re).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algebra;
pub mod balance;
pub mod constrained;
mod error;
pub mod export;
pub mod feedback;
pub mod modes;
pub mod order;
mod pole;
mod reduced;
pub mod regulator;
mod rest;
pub mod stability;
mod state_space;
pub mod zeros;

pub use constrained::Constrained;
pub use error::LinearError;
pub use modes::Mode;
pub use nalgebra::DMatrix;
pub use pole::Pole;
pub use reduced::{Coordinates, Reduced};
pub use stability::{largest_real_part, smallest_stiffness};
pub use state_space::{Signal, StateSpace};
