//! Results as tables of text, the same for every front end that shows them in a terminal or a notebook.

mod motion;
mod plan;
mod simulate;
mod size;
mod state;

pub use plan::plan;
pub use simulate::{follow, simulate};
pub use size::size;
pub use state::{heading, motors, notes, state, torque};
