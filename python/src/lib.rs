//! The native half of the Python package `pylegwork`: arguments in, one call of crate `legwork`, arrays out. No formula
//! and no default of its own.
#![allow(clippy::needless_pass_by_value)] // arguments of Python functions arrive by value

mod answers;
mod dynamics;
mod errors;
mod kinematics;
mod numbers;
mod program;
mod recording;
mod regulator;
mod robot;
mod states;
mod studio;
mod task;
mod threads;

use pyo3::prelude::*;

/// The native half of pylegwork; import `pylegwork` instead.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::program::program;
    #[pymodule_export]
    use super::recording::read_recording;
    #[pymodule_export]
    use super::regulator::{Regulator, regulator};
    #[pymodule_export]
    use super::robot::{Robot, load, reopened, robots};
    #[pymodule_export]
    use super::states::marks;
    #[pymodule_export]
    use super::studio::{studio_page, without_studio};
    #[pymodule_export]
    use super::task::{record_request, run_request, tasks};

    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::threads::remember();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
