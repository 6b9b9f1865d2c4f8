//! Recordings as arrays: the memory that the library filled, not a copy of it.

use crate::errors;
use legwork::recording::{Ending, ReadError, Recording};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The arguments of the class `Recording` of `pylegwork._recording`.
pub type Parts<'py> =
    (Vec<(String, String, Option<String>)>, Vec<Bound<'py, PyArray1<f64>>>, Bound<'py, PyDict>, String);

/// A recording as its columns (name, unit, frame), their numbers, what made it and how it ended.
pub fn parts(py: Python<'_>, recording: Recording) -> PyResult<Parts<'_>> {
    let columns = recording.columns().iter();
    let columns = columns.map(|it| (it.name.clone(), it.unit.clone(), it.frame.clone())).collect();
    let metadata = PyDict::new(py);
    for (key, value) in recording.metadata().iter() {
        metadata.set_item(key, value)?;
    }
    let ending = match recording.ending() {
        Ending::Finished(reason) => reason.clone(),
        Ending::Cut { .. } => "cut".to_owned(),
        Ending::Unknown => String::new(),
    };
    let values = recording.into_values().into_iter().map(|list| PyArray1::from_vec(py, list)).collect();
    Ok((columns, values, metadata, ending))
}

/// Reads a recording of any format.
#[pyfunction]
pub fn read_recording(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Parts<'_>> {
    let read = py.detach(|| Recording::open(&path));
    parts(py, read.map_err(|error: ReadError| errors::file(py, &path, &error))?)
}
