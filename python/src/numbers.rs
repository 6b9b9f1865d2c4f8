//! Arguments that are rows of numbers.

use crate::errors;
use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// So many numbers of one row are copied, which takes less time than to mark them as read by us.
const FEW: usize = 12;

/// One row `(n,)` or many rows `(N, n)` of numbers, one after the other in memory.
pub enum Numbers<'py> {
    /// `(n,)`, a copy, and n.
    Few([f64; FEW], usize),
    /// `(n,)`
    One(PyReadonlyArray1<'py, f64>),
    /// `(N, n)`
    Many(PyReadonlyArray2<'py, f64>),
}

impl<'py> Numbers<'py> {
    /// An array of doubles as it is; anything else that is made of numbers by a copy.
    pub fn of(what: &'static str, given: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Some(numbers) = Self::as_it_is(what, given)? {
            return Ok(numbers);
        }
        let copied = converter(given.py())?.call1((what, given))?;
        let refused = || errors::invalid_input(given.py(), format!("`{what}` is no array of numbers"));
        Self::as_it_is(what, &copied)?.ok_or_else(refused)
    }

    fn as_it_is(what: &str, given: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        // A subclass may mean something else by its memory: a masked array does.
        if !given.is_exact_instance_of::<PyUntypedArray>() {
            return Ok(None);
        }
        let in_use = |_| {
            let message = format!("`{what}` shares its memory with an `out` that is being written");
            errors::invalid_input(given.py(), message)
        };
        if let Ok(array) = given.cast::<PyArray1<f64>>() {
            let count = array.len();
            if count <= FEW && array.is_aligned() {
                let mut row = [0.0; FEW];
                for (place, slot) in row.iter_mut().take(count).enumerate() {
                    *slot = array.get_owned(place).unwrap_or(f64::NAN);
                }
                return Ok(Some(Self::Few(row, count)));
            }
            let numbers = array.try_readonly().map_err(in_use)?;
            return Ok(numbers.as_slice().is_ok().then_some(Self::One(numbers)));
        }
        if let Ok(array) = given.cast::<PyArray2<f64>>()
            && array.is_c_contiguous()
        {
            let numbers = array.try_readonly().map_err(in_use)?;
            return Ok(numbers.as_slice().is_ok().then_some(Self::Many(numbers)));
        }
        Ok(None)
    }

    /// All numbers.
    pub fn all(&self) -> &[f64] {
        // Arrays were asked for their slice when they were made.
        match self {
            Self::Few(row, count) => &row[..*count],
            Self::One(array) => array.as_slice().unwrap_or_default(),
            Self::Many(array) => array.as_slice().unwrap_or_default(),
        }
    }

    /// How many rows there are, if there is not one alone.
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::Few(..) | Self::One(_) => None,
            Self::Many(array) => array.shape().first().copied(),
        }
    }

    /// Numbers in a row.
    pub fn width(&self) -> usize {
        match self {
            Self::Few(_, count) => *count,
            Self::One(array) => array.len(),
            Self::Many(array) => array.shape().last().copied().unwrap_or(0),
        }
    }

    /// For those who ask for one row after the other.
    pub fn view(&self) -> View<'_> {
        let (all, width) = (self.all(), self.width());
        View { all, width, step: if self.count().is_some() { width } else { 0 } }
    }

    /// The rows for so many states, in memory of our own.
    pub fn rows(&self, count: usize) -> Vec<f64> {
        match self {
            Self::Few(..) | Self::One(_) => self.all().repeat(count),
            Self::Many(_) => self.all().to_vec(),
        }
    }
}

/// Rows of numbers; one that is alone is the same for all states.
#[derive(Clone, Copy)]
pub struct View<'a> {
    all: &'a [f64],
    width: usize,
    step: usize,
}

impl<'a> View<'a> {
    /// The row of a state.
    pub fn row(&self, number: usize) -> &'a [f64] {
        let start = number * self.step;
        self.all.get(start..start + self.width).unwrap_or_default()
    }
}

fn converter(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static CONVERTER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let found = || Ok::<_, PyErr>(py.import("pylegwork._arrays")?.getattr("numbers")?.unbind());
    CONVERTER.get_or_try_init(py, found).map(|converter| converter.bind(py))
}

/// How many states there are: the number of rows of everything that has several, if it is one number.
pub fn common_count<'a, 'py: 'a>(
    py: Python<'py>,
    given: impl IntoIterator<Item = (&'static str, &'a Numbers<'py>)>,
) -> PyResult<Option<usize>> {
    let mut found: Option<(&str, usize)> = None;
    for (what, numbers) in given {
        match (found, numbers.count()) {
            (Some((first, one)), Some(other)) if one != other => {
                let message =
                    format!("`{first}` has {one} rows and `{what}` has {other}: give as many, or one");
                return Err(errors::invalid_input(py, message));
            }
            (None, Some(count)) => found = Some((what, count)),
            _ => {}
        }
    }
    Ok(found.map(|(_, count)| count))
}
