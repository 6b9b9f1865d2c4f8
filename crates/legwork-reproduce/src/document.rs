//! A reproduction as a report.

use crate::{ErratumResult, ItemResult, Paper, Reproduction};
use legwork::report::{Axis, Report, Section, Table};

fn plain_axes<const N: usize>(names: [&str; N]) -> [Axis; N] {
    names.map(|name| Axis::new(name, ""))
}

impl Reproduction {
    /// One document: a summary, every figure, table and claim, the errata, and what is no result.
    pub fn to_report(&self) -> Report {
        let mut report = Report::new("Five papers, computed again").with_section(self.summary());
        for item in self.results() {
            report = report.with_section(section(item));
        }
        for paper in Paper::ALL {
            if self.errata.iter().any(|erratum| erratum.paper == paper) {
                report = report.with_section(self.errata_of(paper));
            }
        }
        let rows: Vec<[&str; 4]> = self
            .not_results()
            .map(|item| [item.paper.name(), &item.id, &item.title, &item.not_comparable])
            .collect();
        if rows.is_empty() {
            return report;
        }
        let table = Table::new("", plain_axes(["paper", "where", "what", "why"]));
        let table = rows.into_iter().fold(table, Table::with_row);
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
        let table = filled(table, self.summary_rows());
        if !table.rows.is_empty() {
            section = section.with(table);
        }
        if !self.errata.is_empty() {
            let (all, sized) = (self.errata.len(), self.sized_errata());
            let text = format!("{all} errata, the error of {sized} of them computed below.");
            section = section.with(text);
        }
        section
    }

    fn errata_of(&self, paper: Paper) -> Section {
        let table = Table::new("", plain_axes(["where", "printed", "right", "whose", "size of the error"]));
        let own = self.errata.iter().filter(|erratum| erratum.paper == paper);
        let table = own.fold(table, |table, erratum| {
            let ErratumResult { place, printed, right, kind, .. } = erratum;
            table.with_row([place, printed, right, kind.name(), &erratum.size_text()])
        });
        let note = "Wrong formulas are computed beside the right ones; \"if right\" is the error of the right formula against \
                    a witness of another kind. Errors without a unit are relative.";
        Section::new(format!("Errata: {}", paper.citation())).with(note).with(table)
    }
}

fn section(item: &ItemResult) -> Section {
    let title = format!("{} {}: {}", item.paper.name(), item.id, item.title);
    let mut section = Section::new(title)
        .with(format!("The paper: {}", item.statement))
        .with(format!("Conditions: {}", item.conditions));
    if !item.not_comparable.is_empty() {
        section = section.with(format!("Cannot be compared: {}", item.not_comparable));
    }
    section = section.with(format!("Verdict: {}.", item.verdict()));
    match &item.findings {
        Some(Ok(findings)) => {
            section.blocks.extend(findings.blocks.iter().cloned());
            let columns = plain_axes(["what", "ours", "expected", "unit", "by", "verdict"]);
            let section = section.with(filled(Table::new("Numbers", columns), findings.rows()));
            let differences = findings.differences().into_iter();
            differences.fold(section, |section, why| section.with(format!("Differs: {why}.")))
        }
        _ => section,
    }
}

fn filled<const N: usize>(table: Table, rows: Vec<[String; N]>) -> Table {
    rows.into_iter().fold(table, Table::with_row)
}
