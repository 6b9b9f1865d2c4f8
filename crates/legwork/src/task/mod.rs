//! Tasks as plain data: a request with documented defaults, run with a handle for progress and cancelling, and a
//! result. Requests and results can be read and written as JSON and TOML; a front end fills requests and shows
//! results, and decides nothing.

mod error;
mod handle;
mod measure;
mod pose;
mod robot;

pub use error::TaskError;
pub use handle::{Handle, Progress};
pub use measure::{Acceleration, Angle, Force, Frequency, Length, Mass, Measure, Speed, Time, Torque};
pub use pose::{Components, PlacedPose, PoseRequest, twist, wrench};
pub use robot::RobotRequest;
