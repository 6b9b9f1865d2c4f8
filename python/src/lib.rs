//! The native half of the Python package `pylegwork`: arguments in, one call of crate `legwork`, arrays out. No formula
//! and no default of its own.

mod answers;
mod dynamics;
mod errors;
mod kinematics;
mod numbers;
mod robot;
mod states;
mod task;

use pyo3::prelude::*;

/// The native half of pylegwork; import `pylegwork` instead.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::robot::{Robot, load, reopened, robots};
    #[pymodule_export]
    use super::states::marks;
    #[pymodule_export]
    use super::task::{run_request, tasks};

    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
