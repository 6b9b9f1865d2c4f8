//! Every figure and table of five papers, computed again: what the paper says, our figure, our
//! number, the conditions, whether they agree, and what cannot be compared and why. The errata are a chapter of it.
//!
//! ```
//! use legwork::task::Handle;
//! use legwork_reproduce::ReproduceRequest;
//!
//! let request = ReproduceRequest::new().of_paper("ngoc-kim2010").of_figure("fig2");
//! let found = request.run(&Handle::none())?;
//! assert!(found.agrees());
//! assert_eq!(found.items[0].name(), "ngoc-kim2010 fig2");
//! # Ok::<(), legwork_reproduce::ReproduceError>(())
//! ```
//!
//! Expected numbers are printed in the papers or come from an independent program under the same
//! conditions ([`Source`]); none is an output of ours.

mod bortoff;
mod bortoff_motion;
mod codourey;
mod control;
mod document;
pub mod errata;
mod item;
mod json;
mod khalil_ibrahim;
mod lagrange;
mod maps;
mod ngoc_kim;
mod number;
mod paper;
mod picture;
mod request;
mod result;
mod times;

pub use errata::{Erratum, ErratumKind, ErrorSize};
pub use item::{Findings, Item, Work};
pub use number::{Claim, Expected, Number, Score, Source};
pub use paper::Paper;
pub use picture::{SaveError, picture};
pub use request::{ERRATA, ReproduceError, ReproduceRequest, Selection, Unknown};
pub use result::{ErratumResult, ItemResult, Reproduction};

/// Why something could not be computed.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
