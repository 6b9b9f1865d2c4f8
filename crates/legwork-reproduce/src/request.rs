//! What is to be computed: a request in words, and the figures, tables, claims and errata that it names.

use crate::errata::{self, Erratum};
use crate::{ErratumResult, Item, ItemResult, Paper, Reproduction, Work};
use legwork::description::nearest_word;
use legwork::task::{Handle, TaskError};
use std::error::Error;
use std::fmt;

/// The word for the chapter of errata, beside the names of papers and of figures.
pub const ERRATA: &str = "errata";

/// Which figures, tables, claims and errata to compute. The default is everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReproduceRequest {
    /// Name of a paper ([`Paper::name`]), or [`ERRATA`] for the errata of all papers. Default: every paper.
    pub paper: Option<String>,
    /// Name of a figure, table or claim of that paper ([`Item::id`]), or [`ERRATA`]. Default: all of them and the errata.
    pub figure: Option<String>,
}

impl ReproduceRequest {
    /// Everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only this paper. Default: every paper.
    pub fn of_paper(self, name: impl Into<String>) -> Self {
        Self { paper: Some(name.into()), ..self }
    }

    /// Only this figure, table or claim of the paper. Default: all of them.
    pub fn of_figure(self, id: impl Into<String>) -> Self {
        Self { figure: Some(id.into()), ..self }
    }

    /// The figures, tables, claims and errata that the request names.
    pub fn select(&self) -> Result<Selection, Unknown> {
        let errata_of =
            |paper: Paper| errata::ALL.iter().copied().flatten().filter(move |one| one.paper == paper);
        let all_errata = || Paper::ALL.into_iter().flat_map(errata_of).collect();
        let Some(word) = self.paper.as_deref() else {
            let items = Paper::ALL.iter().flat_map(|paper| paper.items()).collect();
            return Ok(Selection { items, errata: all_errata() });
        };
        if word == ERRATA && self.figure.is_none() {
            return Ok(Selection { items: Vec::new(), errata: all_errata() });
        }
        let names = || Paper::ALL.iter().map(|paper| paper.name()).chain([ERRATA]).collect();
        let paper = Paper::ALL.into_iter().find(|paper| paper.name() == word);
        let paper = paper.ok_or_else(|| Unknown::new("paper", word, names()))?;
        match self.figure.as_deref() {
            None => {
                Ok(Selection { items: paper.items().iter().collect(), errata: errata_of(paper).collect() })
            }
            Some(ERRATA) => Ok(Selection { items: Vec::new(), errata: errata_of(paper).collect() }),
            Some(id) => {
                let item = paper.items().iter().find(|item| item.id == id);
                let ids = || paper.items().iter().map(|item| item.id).chain([ERRATA]).collect();
                let item = item.ok_or_else(|| Unknown::new("figure, table or claim", id, ids()))?;
                Ok(Selection { items: vec![item], errata: Vec::new() })
            }
        }
    }

    /// Selects and computes one after the other. The handle hears the name of each and the share that is done.
    ///
    /// # Errors
    /// If a word names nothing, or the handle cancels.
    pub fn run(&self, handle: &Handle<'_>) -> Result<Reproduction, ReproduceError> {
        let selection = self.select().map_err(ReproduceError::Unknown)?;
        selection.run(handle).map_err(ReproduceError::Task)
    }
}

/// What a request selects.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Figures, tables and claims.
    pub items: Vec<&'static Item>,
    /// Errata.
    pub errata: Vec<&'static Erratum>,
}

impl Selection {
    /// Computes one after the other. The handle hears the name of each and the share that is done.
    ///
    /// # Errors
    /// [`TaskError::Cancelled`] if the handle cancels: a part of a reproduction shows nothing.
    pub fn run(&self, handle: &Handle<'_>) -> Result<Reproduction, TaskError> {
        let count = (self.items.len() + self.errata.len()).max(1) as f64;
        let mut items = Vec::new();
        for (k, item) in self.items.iter().enumerate() {
            handle.report(k as f64 / count, &item.name());
            let findings = match item.work {
                Work::Compute(work) => Some(work(handle).map_err(|error| error.to_string())),
                Work::NotAResult => None,
            };
            // What was cancelled in the middle is no finding.
            handle.go_on()?;
            items.push(ItemResult::new(item, findings));
        }
        let mut errata = Vec::new();
        for (k, erratum) in self.errata.iter().enumerate() {
            handle.go_on()?;
            handle.report((items.len() + k) as f64 / count, ERRATA);
            let sizes = erratum.sizes.map(|compute| compute().map_err(|error| error.to_string()));
            errata.push(ErratumResult::new(erratum, sizes));
        }
        Ok(Reproduction { items, errata })
    }

    /// A table of what is selected, without computing it: paper, name, title, and a note.
    pub fn rows(&self) -> Vec<[String; 4]> {
        let items = self.items.iter().map(|item| {
            let note = if item.is_result() { "" } else { "not a result" };
            [item.paper.name(), item.id, item.title, note].map(String::from)
        });
        let errata = Paper::ALL.iter().filter_map(|paper| {
            let count = self.errata.iter().filter(|erratum| erratum.paper == *paper).count();
            let title = format!("{count} misprints and claims");
            (count > 0).then(|| [paper.name().into(), ERRATA.into(), title, String::new()])
        });
        items.chain(errata).collect()
    }
}

/// Why a request was not answered.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReproduceError {
    /// A word names nothing.
    Unknown(Unknown),
    /// The caller cancelled.
    Task(TaskError),
}

impl fmt::Display for ReproduceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(error) => error.fmt(f),
            Self::Task(error) => error.fmt(f),
        }
    }
}

impl Error for ReproduceError {}

/// A word that names no paper or no figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// "paper" or "figure, table or claim".
    pub what: &'static str,
    /// The word.
    pub given: String,
    /// The known one that is nearest to it.
    pub nearest: Option<&'static str>,
    /// All known ones.
    pub known: Vec<&'static str>,
}

impl Unknown {
    fn new(what: &'static str, given: &str, known: Vec<&'static str>) -> Self {
        Self { what, given: given.into(), nearest: nearest_word(given, known.iter().copied()), known }
    }

    /// The word that was probably meant, and all that there are.
    pub fn hint(&self) -> String {
        let all = self.known.join(", ");
        match self.nearest {
            Some(nearest) => format!("did you mean `{nearest}`? There are {all}"),
            None => format!("there are {all}"),
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {} `{}`", self.what, self.given)
    }
}

impl Error for Unknown {}
