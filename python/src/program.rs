//! The program `legwork`, for the console script of the same name.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the program with the words of a command line, its own name first, and gives its exit code. The interpreter is
/// released meanwhile; what becomes of signals is the caller's matter.
#[pyfunction]
pub fn program(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| crate::threads::within(|| legwork_cli::program(words)))
}
