//! Fields over the workspace: what a robot can do at every pose of a slice or a volume.
//!
//! ```
//! use legwork::AnyRobot;
//! use legwork::analysis::map::{Coordinate, Grid, MapTask, Quantity, Range};
//!
//! let robot = AnyRobot::open("delta-direct-drive")?;
//! let grid = Grid::at_home(&robot)
//!     .along(Range::new(Coordinate::X, -0.25, 0.25, 26))?
//!     .along(Range::new(Coordinate::Y, -0.25, 0.25, 26))?
//!     .fixed(Coordinate::Z, -0.35)?;
//! let map = MapTask::new(&robot, grid, &[Quantity::Condition])?.run();
//! let condition = map.summary(0).expect("all of it is in reach");
//! assert!(condition.highest.value < 3.1 && condition.reached == 26 * 26);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A pose that the robot cannot take has NaN in every column but `reachable`: a leg too short or too
//! long, a serial or parallel singularity, a motor outside its limits (unless
//! [`MapTask::ignoring_limits`]). The numbers are those of [`AnyRobot::state`](crate::AnyRobot::state), to the
//! bit, and do not depend on the number of threads.

mod error;
mod extent;
mod grid;
mod mesh;
mod page;
mod parallel;
mod picture;
mod posed;
mod quantity;
mod run;
mod summary;
mod volume;
mod write;

pub use error::MapError;
pub use extent::Extent;
pub use grid::{Coordinate, Grid, Range};
pub use mesh::Mesh;
pub use quantity::{Direction, Quantity};
pub use run::{Map, MapSize, MapTask};
pub use summary::{Place, Summary};
pub use volume::{Volume, VolumeTask};
