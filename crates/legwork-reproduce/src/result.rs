//! What was found: plain data, and the texts and tables that a page, a terminal and a script show of it.

use crate::number::plain;
use crate::{Erratum, ErratumKind, ErrorSize, Findings, Item, Paper, Score, Source};

/// Everything that was computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reproduction {
    /// Figures, tables and claims.
    pub items: Vec<ItemResult>,
    /// Errata with the sizes of their errors.
    pub errata: Vec<ErratumResult>,
}

/// A figure, a table or a claim, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemResult {
    /// Where it stands.
    pub paper: Paper,
    /// Its name in the paper: `fig7`.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// What the paper says of it, in our words.
    pub statement: String,
    /// Under which conditions it was computed.
    pub conditions: String,
    /// What cannot be compared, and why; empty if nothing.
    pub not_comparable: String,
    /// Its numbers, or why there are none; nothing for what is no result, such as a drawing.
    pub findings: Option<Result<Findings, String>>,
}

/// An erratum, and how large the error is.
#[derive(Clone, Debug, PartialEq)]
pub struct ErratumResult {
    /// Where it stands.
    pub paper: Paper,
    /// Equation, table or section.
    pub place: String,
    /// Whose it is.
    pub kind: ErratumKind,
    /// What is printed.
    pub printed: String,
    /// What is right.
    pub right: String,
    /// How large the error is, or why that could not be computed; nothing if it has no size.
    pub sizes: Option<Result<Vec<ErrorSize>, String>>,
}

impl ItemResult {
    pub(crate) fn new(item: &Item, findings: Option<Result<Findings, String>>) -> Self {
        let Item { paper, id, title, statement, conditions, open, .. } = *item;
        Self {
            paper,
            id: id.into(),
            title: title.into(),
            statement: statement.into(),
            conditions: conditions.into(),
            not_comparable: open.into(),
            findings,
        }
    }

    /// "codourey1998 fig7"
    pub fn name(&self) -> String {
        format!("{} {}", self.paper.name(), self.id)
    }

    /// Remarks under the names "the paper", "conditions" and "not comparable", without those that are empty.
    pub fn remarks(&self) -> Vec<(&'static str, &str)> {
        let all = [
            ("the paper", self.statement.as_str()),
            ("conditions", &self.conditions),
            ("not comparable", &self.not_comparable),
        ];
        all.into_iter().filter(|(_, text)| !text.is_empty()).collect()
    }

    /// Whether there was something to compute.
    pub fn is_result(&self) -> bool {
        self.findings.is_some()
    }

    /// Whether it agrees; nothing for what is no result. Known differences that are explained are no fault.
    pub fn agrees(&self) -> Option<bool> {
        self.findings.as_ref().map(|found| found.as_ref().is_ok_and(Findings::agrees))
    }

    /// "agrees: paper 2 of 2, independent program 11 of 11": what was compared with whom, each by itself.
    pub fn verdict(&self) -> String {
        match &self.findings {
            None => "not a result".into(),
            Some(Err(reason)) => format!("FAILED: {reason}"),
            Some(Ok(findings)) => {
                let scores = findings.scores();
                let has_paper = scores.iter().any(|score| score.source == Source::Paper);
                let counts = scores.iter().map(|score| {
                    let Score { source, agree, all } = score;
                    format!("{} {agree} of {all}", source.name())
                });
                let counts = counts.collect::<Vec<_>>().join(", ");
                let none = if has_paper { "" } else { "; no number of the paper" };
                let word = match (findings.agrees(), findings.differences().is_empty()) {
                    _ if !findings.is_compared() => return "context, nothing to compare".into(),
                    (true, true) => "agrees",
                    (true, false) => "differs as explained",
                    (false, _) => "DIFFERS",
                };
                format!("{word}: {counts}{none}")
            }
        }
    }
}

impl ErratumResult {
    pub(crate) fn new(erratum: &Erratum, sizes: Option<Result<Vec<ErrorSize>, String>>) -> Self {
        let Erratum { paper, place, kind, printed, right, .. } = *erratum;
        Self { paper, place: place.into(), kind, printed: printed.into(), right: right.into(), sizes }
    }

    /// Whether what is printed is wrong and what is said to be right is right, as far as that can be computed.
    pub fn holds(&self) -> bool {
        match &self.sizes {
            None => true,
            Some(Ok(sizes)) => sizes.iter().all(ErrorSize::holds),
            Some(Err(_)) => false,
        }
    }

    /// Remarks under the names "printed", "right" and "error", the last empty if the error has no size.
    pub fn remarks(&self) -> [(&'static str, String); 3] {
        [("printed", self.printed.clone()), ("right", self.right.clone()), ("error", self.size_text())]
    }

    /// "mass matrix: 8.1e-3 as printed, 5e-16 if right"; empty if the error has no size.
    pub fn size_text(&self) -> String {
        match &self.sizes {
            None => String::new(),
            Some(Err(reason)) => format!("FAILED: {reason}"),
            Some(Ok(sizes)) => sizes.iter().map(ErrorSize::to_text).collect::<Vec<_>>().join("; "),
        }
    }
}

/// An error of the size of rounding: `1.9e-15`.
fn rounding(error: f64) -> String {
    if error == 0.0 { "0".into() } else { format!("{error:.1e}") }
}

impl ErrorSize {
    /// In one line.
    pub fn to_text(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let right = self
            .right
            .map_or(String::new(), |(right, _)| format!(" as printed, {}{unit} if right", rounding(right)));
        let wrong = if self.holds() { "" } else { " (NOT AS STATED)" };
        format!("{}: {}{unit}{right}{wrong}", self.what, plain(self.printed))
    }
}

/// A verdict in a word.
fn verdict(agrees: bool) -> &'static str {
    if agrees { "agrees" } else { "DIFFERS" }
}

impl Findings {
    /// A table of numbers and claims: what, ours, expected, unit, by whom, verdict.
    pub fn rows(&self) -> Vec<[String; 6]> {
        self.rows_where(|_| true)
    }

    /// The rows of what is not as expected.
    pub fn rows_that_differ(&self) -> Vec<[String; 6]> {
        self.rows_where(|agrees| !agrees)
    }

    fn rows_where(&self, wanted: impl Fn(bool) -> bool) -> Vec<[String; 6]> {
        let numbers = self.numbers.iter().filter(|number| wanted(number.agrees())).map(|number| {
            let (by, word) = if number.is_compared() {
                (number.source.name(), verdict(number.agrees()))
            } else {
                ("", "context")
            };
            let (ours, expected) = (number.shown(), number.expected.to_string());
            [number.what.clone(), ours, expected, number.unit.clone(), by.into(), word.into()]
        });
        let claims = self.claims.iter().filter(|claim| wanted(claim.holds)).map(|claim| {
            let ours = if claim.holds { "holds" } else { "does not hold" };
            [claim.what.as_str(), ours, "holds", "", claim.source.name(), verdict(claim.holds)]
                .map(String::from)
        });
        numbers.chain(claims).collect()
    }
}

impl Reproduction {
    /// Whether everything agrees, and every erratum is one.
    pub fn agrees(&self) -> bool {
        self.items.iter().all(|item| item.agrees() != Some(false))
            && self.errata.iter().all(ErratumResult::holds)
    }

    /// What could be computed.
    pub fn results(&self) -> impl Iterator<Item = &ItemResult> {
        self.items.iter().filter(|item| item.is_result())
    }

    /// What is no result, such as drawings and lists of parameters.
    pub fn not_results(&self) -> impl Iterator<Item = &ItemResult> {
        self.items.iter().filter(|item| !item.is_result())
    }

    /// A table of results: paper, name, title, verdict.
    pub fn summary_rows(&self) -> Vec<[String; 4]> {
        let row = |item: &ItemResult| {
            [item.paper.name().into(), item.id.clone(), item.title.clone(), item.verdict()]
        };
        self.results().map(row).collect()
    }

    /// The results that differ, each with its rows that do.
    pub fn differences(&self) -> Vec<(String, Vec<[String; 6]>)> {
        let differing = self.results().filter(|item| item.agrees() == Some(false));
        let rows = |item: &ItemResult| match &item.findings {
            Some(Ok(findings)) => Some((item.name(), findings.rows_that_differ())),
            _ => None,
        };
        differing.filter_map(rows).collect()
    }

    /// How many errata have an error whose size can be computed.
    pub fn sized_errata(&self) -> usize {
        self.errata.iter().filter(|erratum| erratum.sizes.is_some()).count()
    }
}
