//! The geometry of the real machine: lengths, positions, directions and zeros of its legs from what was measured on it.
//!
//! | module | holds |
//! |---|---|
//! | [`parameters`] | which numbers of the legs are free: full and reduced sets |
//! | [`model`] | where the platform is for given readings and parameters, and exact slopes of both |
//! | [`legs`], [`joints`], `joint_parameters`, [`joint_terms`] | the same for legs, and for bodies and joints |
//! | [`observation`], [`read`] | what was measured: rows, and from a file |
//! | [`residual`] | measured minus computed, with what is unknown of the measurement |
//! | [`estimate`] | the fit, rows that disagree, what is determined |
//! | [`tolerance`], [`workspace`], [`next`] | from parameters to the platform; poses; what to measure next |
//! | [`blocks`], [`picture`] | settings of controllers; picture and page |
//! | [`request`], [`result`] | the task as plain data; `judge` and `answer`: whether rows tell anything, and what a fit means |

mod answer;
pub mod blocks;
pub mod estimate;
mod joint_parameters;
pub mod joint_terms;
pub mod joints;
mod judge;
pub mod legs;
pub mod model;
pub mod next;
pub mod observation;
pub mod parameters;
pub mod picture;
mod printed;
pub mod read;
pub mod request;
pub mod residual;
pub mod result;
pub mod tolerance;
pub mod workspace;

pub use next::Criterion;
pub use parameters::ParameterSet;
pub use request::CalibrateRequest;
pub use result::CalibrateResult;
