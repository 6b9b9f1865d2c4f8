//! The errata of the five papers: what is printed, what is right, and how large the error is, computed now.
//! Wrong formulas are written here and nowhere else, each marked `as printed`.
#![allow(clippy::unnecessary_wraps)] // one type for all of them

mod bortoff;
mod codourey;
mod khalil_ibrahim;
mod ngoc_kim;

use crate::{BoxError, Paper};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErratumKind {
    /// The paper or its typesetting.
    Paper,
    /// The scan that we read.
    Scan,
    /// One of both.
    PaperOrScan,
    /// Right, but easily read wrong.
    Misleading,
    /// A statement in words.
    Claim,
}

impl ErratumKind {
    /// In few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Scan => "scan",
            Self::PaperOrScan => "paper or scan",
            Self::Misleading => "misleading",
            Self::Claim => "claim",
        }
    }
}

/// One erratum.
#[derive(Clone, Copy, Debug)]
pub struct Erratum {
    /// Where.
    pub paper: Paper,
    /// Equation, table or section.
    pub place: &'static str,
    /// Whose.
    pub kind: ErratumKind,
    /// What is printed.
    pub printed: &'static str,
    /// What is right.
    pub right: &'static str,
    /// How large the error is, if that can be computed.
    pub sizes: Option<fn() -> Sizes>,
}

/// Sizes, or why there are none.
pub type Sizes = Result<Vec<ErrorSize>, BoxError>;

/// The size of an error.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorSize {
    /// Of what, and where.
    pub what: String,
    /// Its unit; empty for a relative error.
    pub unit: String,
    /// Error of the right formula against a witness, and the rounding it may have.
    pub right: Option<(f64, f64)>,
    /// Error of what is printed.
    pub printed: f64,
}

impl ErrorSize {
    /// Two formulas against a witness.
    fn of(what: impl Into<String>, unit: &str, (right, bar): (f64, f64), printed: f64) -> Self {
        Self { what: what.into(), unit: unit.into(), right: Some((right, bar)), printed }
    }

    /// A number that says how much it matters.
    fn of_printed(what: impl Into<String>, unit: &str, printed: f64) -> Self {
        Self { what: what.into(), unit: unit.into(), right: None, printed }
    }

    /// Whether the right formula is right and the printed one is not.
    pub fn holds(&self) -> bool {
        match self.right {
            Some((right, bar)) => right <= bar && self.printed > 1e3 * bar,
            None => self.printed.is_finite(),
        }
    }
}

/// An erratum that is words only.
const fn in_words(
    paper: Paper,
    place: &'static str,
    kind: ErratumKind,
    printed: &'static str,
    right: &'static str,
) -> Erratum {
    Erratum { paper, place, kind, printed, right, sizes: None }
}

/// All of them, paper by paper.
pub(crate) const ALL: &[&[Erratum]] = &[
    codourey::ERRATA_1998,
    codourey::ERRATA_1996,
    khalil_ibrahim::ERRATA,
    bortoff::ERRATA,
    ngoc_kim::ERRATA,
];
