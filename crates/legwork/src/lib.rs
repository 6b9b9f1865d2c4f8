//! Parallel robots on the desk.
pub use legwork_core::*;
