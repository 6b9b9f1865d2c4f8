//! Every posture of a parallel robot with locked motors, and exactly the statement that may be made of the list.
//!
//! | robot | how | statement |
//! |---|---|---|
//! | six legs to points, planes or faces | 40 complex paths in Study coordinates | proved with 40, else numerically complete |
//! | legs in pairs at three points | 16 paths on three circles | complete: a Bézout number |
//! | three legs in the plane | a sextic | complete by degree |
//! | a platform that does not turn | three spheres, two circles | complete in closed form |
//!
//! Knows no robot: the constraints come from [`AnyRobot::assembly_modes`](crate::AnyRobot::assembly_modes).
//!
//! ```
//! use legwork::assembly::{Completeness, Constraint, Poses};
//!
//! let base = [[1.0, 0.1, 0.0], [0.9, 0.2, 0.1], [-0.4, 0.9, 0.0], [-0.5, 0.8, 0.2], [-0.6, -0.8, 0.0], [0.5, -0.9, 0.1]];
//! let platform = [[0.4, -0.3, 0.1], [0.5, 0.3, 0.0], [0.1, 0.5, 0.0], [-0.4, 0.2, 0.1], [-0.4, -0.2, 0.0], [0.2, -0.5, 0.1]];
//! let leg = |k| Constraint::Sphere { point: platform[k], center: base[k], radius: 1.2 };
//! let found = Poses::of_six(&std::array::from_fn(leg));
//! assert!(matches!(found.completeness, Completeness::Proved { solutions: 40, real: 8 }));
//! ```
#![allow(clippy::neg_cmp_op_on_partial_ord)] // `!(x <= limit)` is also true for NaN, as it must be
#![allow(clippy::needless_range_loop)] // formulas with the indices of the papers

mod certify;
mod circles;
mod complex;
mod double;
mod form;
#[cfg(test)]
mod monodromy;
mod pairs;
mod planar;
mod six;
mod start;
mod statement;
mod study;
#[cfg(test)]
mod tests;
mod track;
mod translation;

pub use form::Constraint;
pub use planar::{PlanarLeg, PlanarPose, planar_poses};
pub use six::{ClosedPose, Poses, PreparedGeometry};
pub use statement::Completeness;
pub use track::PathWork;
pub use translation::{OriginConstraint, OriginPlace, origin_places};
