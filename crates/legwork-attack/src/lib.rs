//! The attack on legwork, kept as a check: what has been tried to break it is tried again, with other numbers.
//!
//! `cargo run --release -p legwork-attack -- --short` takes about two minutes, `--long` hours; `./ci.sh` runs the
//! first, `./ci.sh attack` the second. Every figure is printed with its seed, and the long run writes them into the
//! book ([`page`]). The readers' targets ([`targets`]) are plain functions of bytes, so that a fuzzer can drive them
//! too: see `ci/fuzz`.

pub mod corpus;
pub mod fuzz;
pub mod page;
pub mod program;
pub mod same;
pub mod scaled;
pub mod states;
pub mod targets;

/// The built-in robots of legs. Mechanisms of bodies and joints follow their branch from home at every question, which is
/// too long for a million of them: [`states`] has fewer, their proofs and golden files judge the rest.
pub fn robots_of_legs() -> impl Iterator<Item = &'static legwork::description::BuiltIn> {
    legwork::description::BUILT_IN.iter().filter(|robot| !robot.text.contains("family = \"mechanism\""))
}

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// About two minutes.
    Short,
    /// About an hour.
    Long,
}

impl Length {
    /// One of two numbers.
    pub fn pick<T>(self, short: T, long: T) -> T {
        match self {
            Self::Short => short,
            Self::Long => long,
        }
    }
}

/// What one check found: a row of the table in the book, and what went wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// What was counted, without a word about the machine or the day.
    pub figure: String,
    /// What must not be; nothing if the promise holds.
    pub failures: Vec<String>,
}

impl Found {
    /// One more failure; the first hundred are told.
    pub fn fail(&mut self, what: String) {
        if self.failures.len() < 100 {
            self.failures.push(what);
        }
    }
}

/// A number with spaces between groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut groups: Vec<&str> = digits.get(..first).filter(|part| !part.is_empty()).into_iter().collect();
    groups.extend((first..digits.len()).step_by(3).filter_map(|at| digits.get(at..at + 3)));
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_threes() {
        let shown = [0, 12, 123, 1234, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "12", "123", "1 234", "1 234 567"]);
    }
}
