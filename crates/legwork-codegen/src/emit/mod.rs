//! Functions written out in a language.

mod c;
mod rust;
mod structured_text;
mod text;

pub(crate) use c::c_files;
pub(crate) use rust::rust_files;
pub(crate) use structured_text::st_files;

use crate::program::{Function, Group, Iteration, SINGLE_CLOSED, Value};
use crate::request::Precision;
use crate::rounding::Bound;
use crate::vectors::Vector;

/// What all languages write out.
pub(crate) struct Module<'a> {
    /// Name of the robot in its file.
    pub robot: &'a str,
    /// What all names begin with.
    pub name: &'a str,
    pub precision: Precision,
    pub functions: &'a [Function],
    /// Lines about the robot: joints, freedoms, frame.
    pub about: &'a [String],
    /// For the self-test, of each function.
    pub vectors: &'a [Vec<Vector>],
    /// The largest error that the self-test of each function allows.
    pub bounds: &'a [Bound],
}

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct GeneratedFile {
    /// Its name, without a folder.
    pub name: String,
    /// All of it.
    pub text: String,
}

/// Where an input stands: its group and its place in it.
fn input_at(function: &Function, number: usize) -> Option<(&Group, usize)> {
    let mut rest = number;
    for group in &function.inputs {
        if rest < group.count() {
            return Some((group, rest));
        }
        rest -= group.count();
    }
    None
}

/// Whether an output has the name of an input: one argument that is read and written.
fn is_carried(function: &Function, group: &Group) -> bool {
    let both = |list: &[Group]| list.iter().any(|other| other.name == group.name);
    both(&function.inputs) && both(&function.outputs)
}

/// Outputs group by group with their values.
fn outputs(function: &Function) -> impl Iterator<Item = (&Group, &[Value])> {
    let mut at = 0;
    function.outputs.iter().map(move |group| {
        let values = &function.results[at..at + group.count()];
        at += group.count();
        (group, values)
    })
}

/// The gap at which a search ends: single precision cannot close further.
pub(crate) fn closed(search: &Iteration, precision: Precision) -> f64 {
    match precision {
        Precision::Double => search.tolerance,
        Precision::Float => SINGLE_CLOSED,
    }
}

/// A number as a literal that reads back to the same bits, always with a point or an exponent.
fn literal(value: f64, precision: Precision) -> String {
    match precision {
        Precision::Double => format!("{value:?}"),
        Precision::Float => {
            #[allow(clippy::cast_possible_truncation)] // rounded to the nearest on purpose
            let single = value as f32;
            let single = if single.is_infinite() { f32::MAX.copysign(single) } else { single };
            format!("{single:?}")
        }
    }
}
