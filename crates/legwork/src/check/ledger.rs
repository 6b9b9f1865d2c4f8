//! What a check found: worst errors by identity, and what became of every state.

use std::fmt;

/// One thing that was checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What must hold.
    pub name: &'static str,
    /// Worst relative error over all states; NaN if a number is missing.
    pub worst: f64,
    /// Largest error that rounding explains; 0 where it was judged in no state.
    pub bar: f64,
    /// In how many states it was judged.
    pub states: usize,
    /// Why it could not be judged in others; there it does not hold.
    pub failed: Vec<Count>,
}

impl Finding {
    fn new(name: &'static str) -> Self {
        Self { name, worst: 0.0, bar: 0.0, states: 0, failed: Vec::new() }
    }

    /// Whether it holds: judged in at least one state, in every state that it was tried in, and never off by more
    /// than the bar. NaN does not hold.
    pub fn holds(&self) -> bool {
        self.states > 0 && self.failed.is_empty() && self.worst <= self.bar
    }
}

/// A reason, and how many states it stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Why.
    pub reason: String,
    /// How many states.
    pub states: usize,
}

/// One more state for a reason.
pub(super) fn count(list: &mut Vec<Count>, reason: impl fmt::Display) {
    let reason = reason.to_string();
    match list.iter_mut().find(|known| known.reason == reason) {
        Some(known) => known.states += 1,
        None => list.push(Count { reason, states: 1 }),
    }
}

/// Findings by name, in order of first appearance.
#[derive(Default)]
pub(super) struct Ledger {
    pub(super) findings: Vec<Finding>,
    /// For tests: the identity whose numbers are spoilt, and by which part of their size.
    #[cfg(test)]
    pub plant: Option<(&'static str, f64)>,
}

impl Ledger {
    pub fn into_findings(self) -> Vec<Finding> {
        self.findings
    }

    fn finding(&mut self, name: &'static str) -> Option<&mut Finding> {
        if !self.findings.iter().any(|finding| finding.name == name) {
            self.findings.push(Finding::new(name));
        }
        self.findings.iter_mut().find(|finding| finding.name == name)
    }

    fn note(&mut self, name: &'static str, bar: f64, error: f64) {
        if let Some(finding) = self.finding(name) {
            finding.bar = bar;
            finding.states += 1;
            finding.worst = worse(finding.worst, error);
        }
    }

    /// Two lists that must be equal, relative to the largest number of either; numbers below `floor` are rounding of
    /// larger things: a torque of 1e-17 N m is zero beside one of 10 N m.
    pub fn compare(&mut self, name: &'static str, bar: f64, found: &[f64], reference: &[f64], floor: f64) {
        #[cfg(test)]
        let found = &spoilt(self.plant.filter(|(plant, _)| *plant == name), found, reference, floor);
        self.note(name, bar, relative_error_above(found, reference, floor));
    }

    /// Two lists that must be equal, relative to a given size whatever their own is.
    pub fn measure(&mut self, name: &'static str, bar: f64, found: &[f64], reference: &[f64], size: f64) {
        #[cfg(test)]
        let found = &spoilt(self.plant.filter(|(plant, _)| *plant == name), found, reference, size);
        let off: Vec<f64> = found.iter().zip(reference).map(|(f, r)| (f - r) / size).collect();
        let missing = if is_pair(found, reference) { 0.0 } else { f64::NAN };
        self.note(name, bar, off.iter().fold(missing, |worst, x| worse(worst, x.abs())));
    }

    /// Something that is either so or not.
    pub fn require(&mut self, name: &'static str, holds: bool) {
        #[cfg(test)]
        let holds = holds && self.plant.is_none_or(|(plant, _)| plant != name);
        self.note(name, 0.0, if holds { 0.0 } else { f64::INFINITY });
    }

    /// A state in which an identity has no numbers to judge.
    pub fn fail(&mut self, name: &'static str, reason: impl fmt::Display) {
        if let Some(finding) = self.finding(name) {
            count(&mut finding.failed, reason);
        }
    }

    /// The value, or the identity fails for the reason.
    pub fn solved<V, E: fmt::Display>(&mut self, name: &'static str, found: Result<V, E>) -> Option<V> {
        found.map_err(|error| self.fail(name, error)).ok()
    }
}

/// The larger of two errors; NaN is larger than any number.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// Whether two lists can be compared: as long as each other, and not empty, because nothing would be compared.
fn is_pair(found: &[f64], reference: &[f64]) -> bool {
    !found.is_empty() && found.len() == reference.len()
}

/// Largest difference over the largest component of either, or over `floor` if that is larger; NaN if anything is not
/// finite, one list is longer or there is none.
pub(super) fn relative_error_above(found: &[f64], reference: &[f64], floor: f64) -> f64 {
    if !is_pair(found, reference) || found.iter().chain(reference).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let scale = found.iter().chain(reference).fold(floor, |m, x| worse(m, x.abs()));
    let worst = found.iter().zip(reference).fold(0.0, |m, (f, r)| worse(m, (f - r).abs()));
    if worst == 0.0 { 0.0 } else { worst / scale }
}

/// An angle, or the difference of two, within ±half a turn.
pub(super) fn within_half_a_turn(angle: f64) -> f64 {
    let tau = std::f64::consts::TAU;
    angle - tau * (angle / tau).round()
}

/// The numbers with an error planted in the largest of them.
#[cfg(test)]
fn spoilt(plant: Option<(&'static str, f64)>, found: &[f64], reference: &[f64], floor: f64) -> Vec<f64> {
    let mut found = found.to_vec();
    if let Some((_, part)) = plant {
        let scale = found.iter().chain(reference).fold(floor, |m, x| worse(m, x.abs()));
        if let Some(largest) = found.iter_mut().max_by(|a, b| a.abs().total_cmp(&b.abs())) {
            *largest += part * scale;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_none_is_not_passed() {
        for bad in [f64::NAN, f64::INFINITY] {
            for (found, reference) in [([bad, 1.0], [0.0, 1.0]), ([0.0, 1.0], [0.0, bad])] {
                let mut ledger = Ledger::default();
                ledger.compare("a", 1.0, &[1.0], &[1.0], 0.0);
                ledger.compare("a", 1.0, &found, &reference, 0.0);
                ledger.compare("a", 1.0, &[1.0], &[1.0], 0.0);
                let findings = ledger.into_findings();
                assert!(findings[0].worst.is_nan() && !findings[0].holds());
            }
        }
        assert!(relative_error_above(&[1.0], &[1.0, 2.0], 0.0).is_nan(), "a list that is too short");
        assert!(relative_error_above(&[], &[], 0.0).is_nan(), "nothing to compare");
    }

    #[test]
    fn an_identity_that_is_never_judged_does_not_hold() {
        let mut ledger = Ledger::default();
        ledger.fail("a", "no answer");
        ledger.fail("a", "no answer");
        ledger.compare("b", 1.0, &[1.0], &[1.0], 0.0);
        ledger.fail("b", "no answer");
        let findings = ledger.into_findings();
        assert!(
            !findings[0].holds() && findings[0].failed == [Count { reason: "no answer".into(), states: 2 }]
        );
        assert!(!findings[1].holds(), "judged in one state, failed in another");
    }

    /// Errors are relative to the larger list, to a floor above it, or to a given size; lists of two lengths to nothing.
    #[test]
    fn errors_are_relative_to_what_is_said() {
        let one = |ledger: Ledger| {
            let findings = ledger.into_findings();
            assert_eq!((findings.len(), findings[0].states), (1, 1));
            findings[0].worst
        };
        let compared = |found: &[f64], reference: &[f64], floor: f64| {
            let mut ledger = Ledger::default();
            ledger.compare("a", 1.0, found, reference, floor);
            one(ledger)
        };
        assert_eq!(compared(&[1.0, -8.0], &[1.0, -6.0], 0.0), 0.25);
        assert_eq!(compared(&[1.0, -6.0], &[3.0, -8.0], 0.0), 0.25);
        assert_eq!(compared(&[1.0], &[2.0], 16.0), 0.0625);
        assert_eq!(compared(&[0.0], &[0.0], 0.0), 0.0);
        let measured = |found: &[f64], reference: &[f64], size: f64| {
            let mut ledger = Ledger::default();
            ledger.measure("a", 1.0, found, reference, size);
            one(ledger)
        };
        assert_eq!(measured(&[1.0, 5.0], &[2.0, 3.0], 4.0), 0.5);
        assert_eq!(measured(&[1.0, 3.0], &[2.0, 5.0], 4.0), 0.5);
        assert!(measured(&[1.0, 2.0], &[1.0], 4.0).is_nan() && measured(&[1.0], &[1.0, 2.0], 4.0).is_nan());
        assert!(measured(&[f64::NAN, 9.0], &[1.0, 1.0], 4.0).is_nan());
        assert!(measured(&[], &[], 4.0).is_nan());
    }

    /// The worst of all states is kept, and one that is just over the bar does not hold.
    #[test]
    fn the_worst_state_counts() {
        for (off, holds) in [(0.9, true), (1.1, false)] {
            let mut ledger = Ledger::default();
            for error in [0.1, off, 0.2] {
                ledger.measure("a", 1.0, &[error], &[0.0], 1.0);
            }
            let findings = ledger.into_findings();
            assert_eq!((findings[0].worst, findings[0].states, findings[0].holds()), (off, 3, holds));
        }
        let mut ledger = Ledger::default();
        ledger.require("b", true);
        ledger.require("b", false);
        ledger.require("c", true);
        assert_eq!(ledger.solved("d", Ok::<_, &str>(7)), Some(7));
        assert_eq!(ledger.solved::<i32, _>("d", Err("no answer")), None);
        let holding: Vec<_> =
            ledger.into_findings().iter().map(|f| (f.name, f.holds(), f.failed.len())).collect();
        assert_eq!(holding, [("b", false, 0), ("c", true, 0), ("d", false, 1)]);
    }

    #[test]
    fn angles_are_the_same_modulo_a_turn() {
        let tau = std::f64::consts::TAU;
        assert!(within_half_a_turn(3.19 - (3.19 - tau)).abs() < 1e-15);
        assert!((within_half_a_turn(0.3 + 3.0 * tau) - 0.3).abs() < 1e-14); // rounding of three turns
    }
}
