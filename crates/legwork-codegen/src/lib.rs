//! Code for a controller: kinematics, dynamics and regulators of one robot as C, Rust and Structured Text.
//!
//! The formulas of [`legwork_core`] are run with numbers that record what is done to them ([`legwork_core::trace`]), the
//! numbers of the robot folded in. What is left is a straight-line program, [`Function`]: it is evaluated here, counted,
//! differentiated by dual numbers, and written out. What has to be searched for, forward kinematics of legs or the joints of
//! a leg without a closed form, is one step of Newton's method with a bounded loop around it.
//!
//! ```
//! use legwork_codegen::{CodegenRequest, Quantity};
//!
//! let what = vec![Quantity::InverseDynamics];
//! let request = CodegenRequest { robot: "delta-industrial".into(), what, ..CodegenRequest::default() };
//! let generated = request.run()?;
//! assert_eq!(generated.files[1].name, "delta_industrial.c");
//! assert!(generated.files[1].text.contains("void delta_industrial_inverse_dynamics(const double position[3]"));
//! assert_eq!(generated.functions[0].counts().sqrt, 3);
//! # Ok::<(), legwork_codegen::CodegenError>(())
//! ```

mod counts;
mod emit;
mod error;
mod evaluate;
mod name;
mod program;
mod record;
mod request;
mod rounding;
mod vectors;

pub use counts::counts_page;
pub use emit::GeneratedFile;
pub use error::CodegenError;
pub use program::{Counts, Function, Group, Iteration, Operation, Rolled, Value};
pub use record::{FAULTS, Symbol};
pub use request::{CodegenRequest, Generated, Language, Precision, Prepared, Quantity};
pub use rounding::{Bound, Sensitivity, UNIT_DOUBLE, UNIT_FLOAT, least_size};
pub use vectors::Vector;
