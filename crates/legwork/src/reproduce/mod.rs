//! Every figure and table of the five papers, computed again: what the paper says, our figure, our
//! number, the conditions, whether they agree, and what cannot be compared and why. The errata are a chapter of it.
//!
//! ```
//! use legwork::reproduce::select;
//!
//! let found = select(Some("ngoc-kim2010"), Some("fig2"))?.run(|_, _| ());
//! assert!(found.agrees());
//! assert_eq!(found.items[0].item.name(), "ngoc-kim2010 fig2");
//! # Ok::<(), legwork::reproduce::Unknown>(())
//! ```
//!
//! Expected numbers are printed in the papers or come from an independent program under the same
//! conditions ([`Source`]); none is an output of ours.

mod bortoff;
mod bortoff_motion;
mod codourey;
mod control;
mod document;
pub mod errata;
mod khalil_ibrahim;
mod lagrange;
mod maps;
mod ngoc_kim;
mod number;
mod picture;
mod times;

pub use errata::{Erratum, ErratumKind, Size, Sizes};
pub use number::{Claim, Expected, Number, Source};
pub use picture::picture;

use crate::description::nearest_word;
use crate::report::Block;
use std::error::Error;
use std::fmt;

/// Why something could not be computed.
pub type Trouble = Box<dyn Error + Send + Sync>;

/// One of the five papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// \[Codourey1996\]
    Codourey1996,
    /// \[Codourey1998\]
    Codourey1998,
    /// \[KhalilIbrahim2007\]
    KhalilIbrahim2007,
    /// \[Bortoff2018\]
    Bortoff2018,
    /// \[NgocKim2010\]
    NgocKim2010,
}

impl Paper {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Codourey1996,
        Self::Codourey1998,
        Self::KhalilIbrahim2007,
        Self::NgocKim2010,
        Self::Bortoff2018,
    ];

    /// As the program names it: `codourey1998`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Codourey1996 => "codourey1996",
            Self::Codourey1998 => "codourey1998",
            Self::KhalilIbrahim2007 => "khalil-ibrahim2007",
            Self::Bortoff2018 => "bortoff2018",
            Self::NgocKim2010 => "ngoc-kim2010",
        }
    }

    /// Authors, title, year.
    pub fn citation(self) -> &'static str {
        match self {
            Self::Codourey1996 => {
                "A. Codourey, Dynamic modelling and mass matrix evaluation of the DELTA parallel robot for \
                 axes decoupling control, 1996"
            }
            Self::Codourey1998 => {
                "A. Codourey, Dynamic modeling of parallel robots for computed-torque control \
                 implementation, 1998"
            }
            Self::KhalilIbrahim2007 => {
                "W. Khalil, O. Ibrahim, General solution for the dynamic modeling of parallel robots, 2007"
            }
            Self::Bortoff2018 => "S. A. Bortoff, Object-oriented modeling and control of delta robots, 2018",
            Self::NgocKim2010 => {
                "P. V. B. Ngoc, H. S. Kim, Inverse dynamics analysis of a Delta-type parallel-kinematic robot, 2010"
            }
        }
    }

    fn items(self) -> &'static [Item] {
        match self {
            Self::Codourey1996 => codourey::ITEMS_1996,
            Self::Codourey1998 => codourey::ITEMS_1998,
            Self::KhalilIbrahim2007 => khalil_ibrahim::ITEMS,
            Self::Bortoff2018 => bortoff::ITEMS,
            Self::NgocKim2010 => ngoc_kim::ITEMS,
        }
    }
}

/// A figure, a table or a claim of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// Where it stands.
    pub paper: Paper,
    /// Its name: `fig7`, `table1`, or a word for a claim in the text.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// What the paper says of it, in our words.
    pub statement: &'static str,
    /// Under which conditions we compute it.
    pub conditions: &'static str,
    /// What cannot be compared, and why; empty if nothing.
    pub open: &'static str,
    /// How.
    pub work: Work,
}

/// How an item is computed.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// By this function.
    Compute(fn() -> Result<Findings, Trouble>),
    /// It is no result: a drawing, a list of parameters.
    NotAResult,
}

impl Item {
    /// "codourey1998 fig7"
    pub fn name(&self) -> String {
        format!("{} {}", self.paper.name(), self.id)
    }

    /// A drawing.
    const fn drawing(paper: Paper, id: &'static str, title: &'static str) -> Self {
        Self {
            paper,
            id,
            title,
            statement: "",
            conditions: "",
            open: "a drawing, not a result",
            work: Work::NotAResult,
        }
    }

    /// Whether there is something to compute.
    pub fn is_result(&self) -> bool {
        matches!(self.work, Work::Compute(_))
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Numbers beside what they should be.
    pub numbers: Vec<Number>,
    /// Claims.
    pub claims: Vec<Claim>,
    /// Figures and tables.
    pub blocks: Vec<Block>,
}

impl Findings {
    fn number(
        &mut self,
        what: impl Into<String>,
        unit: &'static str,
        found: f64,
        expected: Expected,
        source: Source,
    ) {
        self.numbers.push(Number { what: what.into(), unit, found, expected, source });
    }

    fn claim(&mut self, what: impl Into<String>, holds: bool, source: Source) {
        self.claims.push(Claim { what: what.into(), holds, source });
    }

    fn show(&mut self, block: impl Into<Block>) {
        self.blocks.push(block.into());
    }

    /// Whether every number and every claim is as expected.
    pub fn agrees(&self) -> bool {
        self.numbers.iter().all(Number::agrees) && self.claims.iter().all(|claim| claim.holds)
    }

    /// How many numbers and claims agree, and of how many.
    pub fn score(&self) -> (usize, usize) {
        let numbers = self.numbers.iter().filter(|number| number.expected != Expected::Open);
        let list = numbers.map(Number::agrees).chain(self.claims.iter().map(|claim| claim.holds));
        list.fold((0, 0), |(good, all), holds| (good + usize::from(holds), all + 1))
    }
}

/// An item and what came of it.
#[derive(Debug)]
pub struct Reproduced {
    /// The item.
    pub item: &'static Item,
    /// Its numbers; none for a drawing.
    pub findings: Option<Result<Findings, Trouble>>,
}

impl Reproduced {
    /// Whether it agrees; nothing for what is no result.
    pub fn agrees(&self) -> Option<bool> {
        self.findings.as_ref().map(|found| found.as_ref().is_ok_and(Findings::agrees))
    }
}

/// What was chosen to be computed.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Figures, tables and claims.
    pub items: Vec<&'static Item>,
    /// Errata.
    pub errata: Vec<&'static Erratum>,
}

/// Everything that was computed.
#[derive(Debug)]
pub struct Reproduction {
    /// Figures, tables and claims.
    pub items: Vec<Reproduced>,
    /// Errata with their sizes.
    pub errata: Vec<(&'static Erratum, Option<Sizes>)>,
}

impl Selection {
    /// Computes one after the other; `tell` hears the name of each before it begins, and which share is done.
    pub fn run(&self, mut tell: impl FnMut(&str, f64)) -> Reproduction {
        let all = (self.items.len() + self.errata.len()).max(1) as f64;
        let items = self.items.iter().enumerate().map(|(k, item)| {
            tell(&item.name(), k as f64 / all);
            let findings = match item.work {
                Work::Compute(work) => Some(work()),
                Work::NotAResult => None,
            };
            Reproduced { item, findings }
        });
        let items: Vec<Reproduced> = items.collect();
        let errata = self.errata.iter().enumerate().map(|(k, erratum)| {
            tell("errata", (items.len() + k) as f64 / all);
            (*erratum, erratum.size.map(|size| size()))
        });
        let errata = errata.collect();
        Reproduction { items, errata }
    }
}

impl Reproduction {
    /// Whether everything agrees, and every erratum is one.
    pub fn agrees(&self) -> bool {
        self.items.iter().all(|one| one.agrees() != Some(false))
            && self.errata.iter().all(|(_, sizes)| match sizes {
                None => true,
                Some(Ok(sizes)) => sizes.iter().all(Size::holds),
                Some(Err(_)) => false,
            })
    }
}

/// The word for the chapter of errata, beside the names of figures.
pub const ERRATA: &str = "errata";

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

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {} `{}`", self.what, self.given)
    }
}

impl Error for Unknown {}

fn unknown(what: &'static str, given: &str, known: Vec<&'static str>) -> Unknown {
    Unknown { what, given: given.into(), nearest: nearest_word(given, known.iter().copied()), known }
}

/// Everything, one paper, one figure of a paper, or the errata (`errata` instead of a paper or of a figure).
pub fn select(paper: Option<&str>, figure: Option<&str>) -> Result<Selection, Unknown> {
    let errata_of = |paper: Paper| errata::ALL.iter().copied().flatten().filter(move |e| e.paper == paper);
    let Some(word) = paper else {
        let items = Paper::ALL.iter().flat_map(|paper| paper.items()).collect();
        return Ok(Selection { items, errata: Paper::ALL.into_iter().flat_map(errata_of).collect() });
    };
    if word == ERRATA && figure.is_none() {
        let errata = Paper::ALL.into_iter().flat_map(errata_of).collect();
        return Ok(Selection { items: Vec::new(), errata });
    }
    let names = || Paper::ALL.iter().map(|paper| paper.name()).chain([ERRATA]).collect::<Vec<_>>();
    let chosen = Paper::ALL.into_iter().find(|paper| paper.name() == word);
    let chosen = chosen.ok_or_else(|| unknown("paper", word, names()))?;
    let Some(id) = figure else {
        return Ok(Selection { items: chosen.items().iter().collect(), errata: errata_of(chosen).collect() });
    };
    if id == ERRATA {
        return Ok(Selection { items: Vec::new(), errata: errata_of(chosen).collect() });
    }
    let item = chosen.items().iter().find(|item| item.id == id);
    let ids = || chosen.items().iter().map(|item| item.id).chain([ERRATA]).collect();
    let item = item.ok_or_else(|| unknown("figure, table or claim", id, ids()))?;
    Ok(Selection { items: vec![item], errata: Vec::new() })
}
