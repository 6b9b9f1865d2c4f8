//! A figure, a table or a claim of a paper, and what computing it finds.

use crate::{BoxError, Claim, Expected, Number, Paper, Score, Source};
use legwork::report::Block;
use legwork::task::Handle;

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
    /// By this function; it ends early if the handle cancels.
    Compute(fn(&Handle<'_>) -> Result<Findings, BoxError>),
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
        let number =
            Number { what: what.into(), unit: unit.into(), found, expected, source, difference: None };
        self.numbers.push(number);
    }

    /// A number beside the others that nothing is compared with.
    pub(crate) fn context(&mut self, what: impl Into<String>, unit: &str, found: f64) {
        self.number(what, unit, found, Expected::Open, Source::Paper);
    }

    pub(crate) fn claim(&mut self, what: impl Into<String>, holds: bool, source: Source) {
        self.claims.push(Claim { what: what.into(), holds, source, difference: None });
    }

    /// The last number is known to differ, for this reason.
    pub(crate) fn number_differs(&mut self, why: &'static str) {
        if let Some(number) = self.numbers.last_mut() {
            number.difference = Some(why);
        }
    }

    /// The last claim is known not to hold, for this reason.
    pub(crate) fn claim_differs(&mut self, why: &'static str) {
        if let Some(claim) = self.claims.last_mut() {
            claim.difference = Some(why);
        }
    }

    pub(crate) fn show(&mut self, block: impl Into<Block>) {
        self.blocks.push(block.into());
    }

    /// Source, verdict and known difference of everything that is compared.
    fn compared(&self) -> impl Iterator<Item = (Source, bool, Option<&'static str>)> {
        let numbers = self.numbers.iter().filter(|number| number.is_compared());
        let numbers = numbers.map(|number| (number.source, number.agrees(), number.difference));
        numbers.chain(self.claims.iter().map(|claim| (claim.source, claim.holds, claim.difference)))
    }

    /// Whether every number and every claim is as expected, or differs as is said of it. What is said to differ and
    /// does not is a fault, too.
    pub fn agrees(&self) -> bool {
        let is_context = |number: &Number| number.is_compared() || number.agrees();
        self.numbers.iter().all(is_context)
            && self.compared().all(|(_, agrees, difference)| agrees == difference.is_none())
    }

    /// Whether there is anything that could differ.
    pub fn is_compared(&self) -> bool {
        self.compared().next().is_some()
    }

    /// Reasons of what is known to differ.
    pub fn differences(&self) -> Vec<&'static str> {
        self.compared().filter_map(|(.., difference)| difference).collect()
    }

    /// How many numbers and claims agree, by who says what they should be; without those who say nothing.
    pub fn scores(&self) -> Vec<Score> {
        let score = |source| {
            let own = self.compared().filter(|(by, ..)| *by == source);
            let (agree, all) =
                own.fold((0, 0), |(good, all), (_, holds, _)| (good + usize::from(holds), all + 1));
            Score { source, agree, all }
        };
        Source::ALL.into_iter().map(score).filter(|score| score.all > 0).collect()
    }
}
