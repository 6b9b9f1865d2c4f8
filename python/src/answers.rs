//! Answers of the library as arrays.

use crate::errors;
use legwork::{RobotError, StateMark};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

/// Lists of numbers for one state or many, and which states have an answer.
pub struct Answers {
    /// How many states, if not one alone.
    pub count: Option<usize>,
    /// The shape of each list for one state.
    pub shapes: Vec<Vec<usize>>,
    /// The lists, state after state.
    pub lists: Vec<Vec<f64>>,
    /// A mark for each state.
    pub marks: Vec<StateMark>,
}

impl Answers {
    /// The answer for one state.
    pub fn one(shapes: Vec<Vec<usize>>, lists: Vec<Vec<f64>>) -> Self {
        Self { count: None, shapes, lists, marks: vec![StateMark::Answered] }
    }

    /// A state that has none: an exception, or NaN if marks are asked for.
    pub fn refused(
        py: Python<'_>,
        shapes: Vec<Vec<usize>>,
        error: &RobotError,
        return_marks: bool,
    ) -> PyResult<Self> {
        if !return_marks || errors::is_of_every_state(error) {
            return Err(errors::robot(py, error));
        }
        let lists = shapes.iter().map(|shape| vec![f64::NAN; shape.iter().product()]).collect();
        Ok(Self { count: None, shapes, lists, marks: vec![error.mark()] })
    }

    /// As arrays; several in the named tuple `name` of `pylegwork._answers`, with the marks if they are asked for.
    pub fn into_python<'py>(
        self,
        py: Python<'py>,
        name: Option<&str>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut arrays = Vec::with_capacity(self.lists.len());
        for (shape, list) in self.shapes.into_iter().zip(self.lists) {
            let array = PyArray1::from_vec(py, list);
            let shape: Vec<usize> = self.count.into_iter().chain(shape).collect();
            arrays.push(match shape[..] {
                [] => array.get_item(0)?,
                [_] => array.into_any(),
                _ => array.reshape(shape)?.into_any(),
            });
        }
        let answer = match name {
            Some(name) => named(py, name)?.call1(PyTuple::new(py, arrays)?)?,
            None => arrays.into_iter().next().unwrap_or_else(|| py.None().into_bound(py)),
        };
        if !return_marks {
            return Ok(answer);
        }
        let marks: Vec<u8> = self.marks.into_iter().map(|mark| mark as u8).collect();
        let marks = PyArray1::from_vec(py, marks);
        let marks = if self.count.is_some() { marks.into_any() } else { marks.get_item(0)? };
        Ok(PyTuple::new(py, [answer, marks])?.into_any())
    }
}

/// A named tuple of `pylegwork._answers`.
pub fn named<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("pylegwork._answers").map(Bound::unbind))?;
    module.bind(py).getattr(name)
}
