//! A figure, a table or a claim of a paper, and what computing it finds.

use crate::{BoxError, Claim, Expected, Number, Paper, Source};
use legwork::report::Block;

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
    Compute(fn() -> Result<Findings, BoxError>),
    /// It is no result: a drawing, a list of parameters.
    NotAResult,
}

impl Item {
    /// "codourey1998 fig7"
    pub fn name(&self) -> String {
        format!("{} {}", self.paper.name(), self.id)
    }

    /// A drawing.
    pub(crate) const fn drawing(paper: Paper, id: &'static str, title: &'static str) -> Self {
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Numbers beside what they should be.
    pub numbers: Vec<Number>,
    /// Claims.
    pub claims: Vec<Claim>,
    /// Figures and tables.
    pub blocks: Vec<Block>,
}

impl Findings {
    pub(crate) fn number(
        &mut self,
        what: impl Into<String>,
        unit: &str,
        found: f64,
        expected: Expected,
        source: Source,
    ) {
        self.numbers.push(Number { what: what.into(), unit: unit.into(), found, expected, source });
    }

    pub(crate) fn claim(&mut self, what: impl Into<String>, holds: bool, source: Source) {
        self.claims.push(Claim { what: what.into(), holds, source });
    }

    pub(crate) fn show(&mut self, block: impl Into<Block>) {
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
