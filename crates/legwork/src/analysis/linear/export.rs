//! Linear models as files: JSON, and `.npz`, which NumPy and python-control read.
//!
//! ```python
//! import numpy, control
//! f = numpy.load("model.npz")
//! system = control.ss(f["A"], f["B"], f["C"], f["D"])
//! ```

mod npz;

use super::{DMatrix, LinearError, StateSpace};
use crate::files::{self, FileFault};
use serde_json::{Map, Value, json};
use std::path::Path;

/// What goes into a file: a model, and matrices and words beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Export<'a> {
    /// A, B, C, D with the names and units of their signals.
    pub model: &'a StateSpace,
    /// Further matrices: `mass`, `gain`.
    pub matrices: Vec<(&'static str, DMatrix<f64>)>,
    /// Further words: `robot`, `form`.
    pub words: Vec<(&'static str, String)>,
}

impl<'a> Export<'a> {
    /// The model alone.
    pub fn new(model: &'a StateSpace) -> Self {
        Self { model, matrices: Vec::new(), words: Vec::new() }
    }

    /// And this matrix.
    #[must_use]
    pub fn matrix(mut self, name: &'static str, matrix: &DMatrix<f64>) -> Self {
        self.matrices.push((name, matrix.clone()));
        self
    }

    /// And this row of numbers.
    #[must_use]
    pub fn row(self, name: &'static str, numbers: &[f64]) -> Self {
        self.matrix(name, &DMatrix::from_row_slice(1, numbers.len(), numbers))
    }

    /// And this word.
    #[must_use]
    pub fn word(mut self, name: &'static str, word: impl Into<String>) -> Self {
        self.words.push((name, word.into()));
        self
    }

    fn all_matrices(&self) -> impl Iterator<Item = (&'static str, &DMatrix<f64>)> {
        let StateSpace { a, b, c, d, .. } = self.model;
        let own = [("A", a), ("B", b), ("C", c), ("D", d)];
        own.into_iter().chain(self.matrices.iter().map(|(name, matrix)| (*name, matrix)))
    }

    fn signals(&self) -> Vec<(String, Vec<&str>)> {
        let StateSpace { states, inputs, outputs, .. } = self.model;
        let mut lists = Vec::new();
        for (what, signals) in [("state", states), ("input", inputs), ("output", outputs)] {
            lists.push((format!("{what}_names"), signals.iter().map(|s| s.name.as_str()).collect()));
            lists.push((format!("{what}_units"), signals.iter().map(|s| s.unit.as_str()).collect()));
        }
        lists
    }

    /// As JSON: matrices by rows.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert("format".into(), json!("legwork-state-space-1"));
        object.extend(self.words.iter().map(|(name, word)| ((*name).to_owned(), json!(word))));
        object.extend(self.signals().into_iter().map(|(name, list)| (name, json!(list))));
        for (name, matrix) in self.all_matrices() {
            let rows: Vec<Vec<f64>> =
                matrix.row_iter().map(|row| row.iter().map(|x| x + 0.0).collect()).collect();
            object.insert(name.to_owned(), json!(rows));
        }
        Value::Object(object)
    }

    /// As the bytes of an `.npz` file: one array for each matrix and each list of names.
    pub fn npz(&self) -> Vec<u8> {
        let mut archive = npz::Archive::default();
        for (name, matrix) in self.all_matrices() {
            archive.matrix(name, matrix);
        }
        for (name, list) in self.signals() {
            archive.texts(&name, &list);
        }
        for (name, word) in &self.words {
            archive.texts(name, &[word]);
        }
        archive.finish()
    }

    /// Whether the name of a file ends in `.json` or `.npz`.
    pub fn is_name_of_model(path: &Path) -> bool {
        path.extension().is_some_and(|ending| ending == "json" || ending == "npz")
    }

    /// The bytes of a file with this name; its ending says the format, `.json` or `.npz`.
    pub fn to_bytes(&self, path: &Path) -> Result<Vec<u8>, LinearError> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("npz") => Ok(self.npz()),
            Some("json") => Ok(format!("{:#}\n", self.json()).into_bytes()),
            _ => {
                let cause = FileFault::System(std::io::ErrorKind::InvalidInput);
                Err(LinearError::File { path: path.display().to_string(), cause })
            }
        }
    }

    /// Writes a file; its ending says the format, `.json` or `.npz`.
    pub fn save(&self, path: &Path) -> Result<(), LinearError> {
        files::write(path, &self.to_bytes(path)?)
            .map_err(|cause| LinearError::File { path: path.display().to_string(), cause })
    }
}
