//! Results as tables of text, the same for every front end that shows them in a terminal or a notebook.

mod motion;
mod plan;
mod simulate;
mod size;

pub use plan::plan;
pub use simulate::{follow, simulate};
pub use size::size;
