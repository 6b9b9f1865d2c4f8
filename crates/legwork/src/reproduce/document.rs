//! A reproduction as a report.

use super::number::plain;
use super::{Erratum, Expected, Findings, Item, Paper, Reproduced, Reproduction, Size, Sizes};
use crate::report::{Axis, Report, Section, Table};

/// A verdict in a word.
fn word(agrees: bool) -> &'static str {
    if agrees { "agrees" } else { "DIFFERS" }
}

fn plain_axes<const N: usize>(names: [&str; N]) -> [Axis; N] {
    names.map(|name| Axis::new(name, ""))
}

impl Reproduced {
    /// "agrees, 25 of 25"
    pub fn verdict(&self) -> String {
        match &self.findings {
            None => "not a result".into(),
            Some(Err(trouble)) => format!("FAILED: {trouble}"),
            Some(Ok(findings)) => {
                let (good, all) = findings.score();
                format!("{}, {good} of {all}", word(findings.agrees()))
            }
        }
    }
}

impl Erratum {
    /// "mass matrix: 8.1e-3, right 5e-16"
    pub fn sizes(sizes: Option<&Sizes>) -> String {
        match sizes {
            None => String::new(),
            Some(Err(trouble)) => format!("FAILED: {trouble}"),
            Some(Ok(list)) => list.iter().map(Size::shown).collect::<Vec<_>>().join("; "),
        }
    }
}

impl Size {
    /// In one line.
    pub fn shown(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let right =
            self.right.map_or(String::new(), |(right, _)| format!(" as printed, {right:.1e}{unit} if right"));
        let wrong = if self.holds() { "" } else { " (NOT AS STATED)" };
        format!("{}: {}{unit}{right}{wrong}", self.what, plain(self.printed))
    }
}

impl Reproduction {
    /// One document: a summary, every figure, table and claim, the errata, and what is no result.
    pub fn to_report(&self) -> Report {
        let mut report = Report::new("Five papers, computed again").with_section(self.summary());
        for one in self.items.iter().filter(|one| one.item.is_result()) {
            report = report.with_section(section(one));
        }
        for paper in Paper::ALL {
            if self.errata.iter().any(|(erratum, _)| erratum.paper == paper) {
                report = report.with_section(self.errata_of(paper));
            }
        }
        let drawings: Vec<&Item> =
            self.items.iter().map(|one| one.item).filter(|item| !item.is_result()).collect();
        if drawings.is_empty() {
            return report;
        }
        let table = Table::new("", plain_axes(["paper", "where", "what", "why"]));
        let table = drawings
            .iter()
            .fold(table, |table, item| table.with_row([item.paper.name(), item.id, item.title, item.open]));
        report.with_section(Section::new("What is no result").with(table))
    }

    fn summary(&self) -> Section {
        let mut section = Section::new("Summary").with(
            "Every figure, table and numerical claim of five papers on the dynamics of parallel robots, computed again. Ours \
             is compared with the number that the paper prints; where the paper prints none, with that of an independent \
             program under the same conditions, and this is said. A printed number may differ by one unit of its last digit. \
             Robots whose data the papers do not print are sets of ours that bring the printed figures out; they are not the \
             authors' robots.",
        );
        let table = Table::new("", plain_axes(["paper", "where", "what", "verdict"]));
        let results = self.items.iter().filter(|one| one.item.is_result());
        let table = results.fold(table, |table, one| {
            let item = one.item;
            table.with_row([item.paper.name().into(), item.id.into(), item.title.into(), one.verdict()])
        });
        if !table.rows.is_empty() {
            section = section.with(table);
        }
        let sized = self.errata.iter().filter(|(_, sizes)| sizes.is_some()).count();
        if !self.errata.is_empty() {
            let text = format!("{} errata, the error of {sized} of them computed below.", self.errata.len());
            section = section.with(text);
        }
        section
    }

    fn errata_of(&self, paper: Paper) -> Section {
        let table = Table::new("", plain_axes(["where", "printed", "right", "whose", "size of the error"]));
        let own = self.errata.iter().filter(|(erratum, _)| erratum.paper == paper);
        let table = own.fold(table, |table, (erratum, sizes)| {
            let size = Erratum::sizes(sizes.as_ref());
            let Erratum { place, printed, right, kind, .. } = erratum;
            table.with_row([place, printed, right, kind.name(), &size].map(ToString::to_string))
        });
        let note = "Wrong formulas are computed beside the right ones; \"if right\" is the error of the right formula against \
                    a witness of another kind. Errors without a unit are relative.";
        Section::new(format!("Errata: {}", paper.citation())).with(note).with(table)
    }
}

fn section(one: &Reproduced) -> Section {
    let item = one.item;
    let title = format!("{} {}: {}", item.paper.name(), item.id, item.title);
    let mut section = Section::new(title)
        .with(format!("The paper: {}", item.statement))
        .with(format!("Conditions: {}", item.conditions));
    if !item.open.is_empty() {
        section = section.with(format!("Cannot be compared: {}", item.open));
    }
    section = section.with(format!("Verdict: {}.", one.verdict()));
    match &one.findings {
        Some(Ok(findings)) => {
            section.blocks.extend(findings.blocks.iter().cloned());
            section.with(numbers(findings))
        }
        _ => section,
    }
}

fn numbers(findings: &Findings) -> Table {
    let table = Table::new("Numbers", plain_axes(["what", "ours", "expected", "unit", "by", "verdict"]));
    let table = findings.numbers.iter().fold(table, |table, number| {
        let verdict = if number.expected == Expected::Open { "" } else { word(number.agrees()) };
        let by = if number.expected == Expected::Open { "" } else { number.source.name() };
        table.with_row([
            number.what.clone(),
            number.shown(),
            number.expected.to_string(),
            number.unit.into(),
            by.into(),
            verdict.into(),
        ])
    });
    findings.claims.iter().fold(table, |table, claim| {
        let found = if claim.holds { "holds" } else { "does not hold" };
        table.with_row([claim.what.as_str(), found, "holds", "", claim.source.name(), word(claim.holds)])
    })
}
