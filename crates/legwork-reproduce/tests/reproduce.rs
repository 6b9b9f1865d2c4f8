//! Every number of the five papers against what is printed; the errata; the list itself.

use legwork::task::{Handle, Progress, TaskError};
use legwork_reproduce::{
    Expected, Findings, Number, ReproduceError, ReproduceRequest, Reproduction, Score, Source, Work, picture,
};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

const BOOK: &str = include_str!("../../../book/src/reproductions.md");

/// A figure of a paper, or all of the paper if the figure is empty.
fn request(paper: &str, figure: &str) -> ReproduceRequest {
    let request = ReproduceRequest::new().of_paper(paper);
    if figure.is_empty() { request } else { request.of_figure(figure) }
}

/// Runs it and says what differs.
fn differences(found: &Reproduction) -> Vec<String> {
    let mut list = Vec::new();
    for one in &found.items {
        let name = one.name();
        match &one.findings {
            None => {}
            Some(Err(reason)) => list.push(format!("{name}: {reason}")),
            Some(Ok(findings)) => {
                // What is explained must differ, and nothing else may.
                let odd = |number: &&Number| number.agrees() != number.difference.is_none();
                for number in findings.numbers.iter().filter(odd) {
                    let text = format!("{} {}", number.found, number.unit);
                    list.push(format!("{name}: {}: {text}, expected {}", number.what, number.expected));
                }
                let claims = findings.claims.iter().filter(|claim| claim.holds != claim.difference.is_none());
                list.extend(claims.map(|claim| format!("{name}: {} does not hold", claim.what)));
            }
        }
    }
    for erratum in &found.errata {
        match &erratum.sizes {
            None => {}
            Some(Err(reason)) => list.push(format!("{}: {reason}", erratum.place)),
            Some(Ok(sizes)) => {
                let wrong = sizes.iter().filter(|size| !size.holds());
                list.extend(wrong.map(|size| format!("{}: {}", erratum.place, size.to_text())));
            }
        }
    }
    list
}

fn assert_agrees(paper: &str) {
    let found = request(paper, "").run(&Handle::none()).unwrap();
    let list = differences(&found);
    assert!(list.is_empty(), "{}", list.join("\n"));
    assert!(found.agrees());
    // The table of the book says the same.
    let rows = found.items.iter().filter_map(|one| {
        let Some(Ok(findings)) = &one.findings else { return None };
        let of = |source| {
            let scores = findings.scores();
            let score = scores.iter().find(|score| score.source == source);
            score.map_or("–".to_owned(), |score| format!("{} of {}", score.agree, score.all))
        };
        let [printed, program, theory] = Source::ALL.map(of);
        Some(format!("| {paper} | `{}` | {} | {printed} | {program} | {theory} |", one.id, one.title))
    });
    let rows: Vec<String> = rows.collect();
    let missing: Vec<&String> = rows.iter().filter(|row| !BOOK.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "book/src/reproductions.md lacks these rows: {missing:#?}");
    let there = BOOK.lines().filter(|line| line.starts_with(&format!("| {paper} | `"))).count();
    assert_eq!(there, rows.len(), "book/src/reproductions.md has rows of {paper} that are no items");
}

#[test]
fn codourey_1996() {
    assert_agrees("codourey1996");
}

#[test]
fn codourey_1998() {
    assert_agrees("codourey1998");
}

#[test]
fn khalil_ibrahim_2007() {
    assert_agrees("khalil-ibrahim2007");
}

#[test]
fn ngoc_kim_2010() {
    assert_agrees("ngoc-kim2010");
}

#[test]
fn bortoff_2018() {
    assert_agrees("bortoff2018");
}

/// What the captions of the papers count.
#[test]
fn every_figure_and_table_is_there() {
    let all = ReproduceRequest::new().select().unwrap();
    let names: BTreeSet<String> = all.items.iter().map(|item| item.name()).collect();
    assert_eq!(names.len(), all.items.len(), "a name is there twice");
    for (paper, figures, tables) in [
        ("codourey1996", 6, 0),
        ("codourey1998", 8, 1),
        ("khalil-ibrahim2007", 6, 1),
        ("bortoff2018", 5, 1),
        ("ngoc-kim2010", 2, 1),
    ] {
        let figures = (1..=figures).map(|k| format!("{paper} fig{k}"));
        for name in figures.chain((1..=tables).map(|k| format!("{paper} table{k}"))) {
            assert!(names.contains(&name), "{name} is missing");
        }
    }
    for item in all.items {
        let is_result = matches!(item.work, Work::Compute(_));
        assert_eq!(is_result, !item.statement.is_empty() && !item.conditions.is_empty(), "{}", item.name());
        assert!(is_result || !item.open.is_empty(), "{}", item.name());
    }
}

#[test]
fn a_wrong_word_gets_the_nearest_one() {
    let error = request("codorey1998", "").select().unwrap_err();
    assert_eq!(error.nearest, Some("codourey1998"));
    let error = request("codourey1998", "fig77").select().unwrap_err();
    assert_eq!(error.nearest, Some("fig7"));
    assert!(error.known.contains(&"errata") && error.known.contains(&"table1"));
    assert_eq!(error.to_string(), "there is no figure, table or claim `fig77`");
    assert!(request("einstein1905", "").select().unwrap_err().nearest.is_none());
}

/// A number that is off is seen: the verdict is not a constant.
#[test]
fn what_differs_is_said() {
    let printed = Expected::printed("−6.50");
    assert!(printed.agrees(-6.499) && printed.agrees(-6.509) && !printed.agrees(-6.52));
    assert!(!printed.agrees(f64::NAN) && !Expected::Open.agrees(f64::NAN));
    assert!(Expected::printed("704").agrees(703.2) && !Expected::printed("704").agrees(702.8));
    assert!(Expected::count(12).agrees(12.0) && !Expected::count(12).agrees(11.0));
    let mut found = request("ngoc-kim2010", "fig2").run(&Handle::none()).unwrap();
    assert!(found.agrees());
    // Nothing of it is a number of the paper, and the verdict says so.
    assert_eq!(found.items[0].verdict(), "agrees: independent program 52 of 52; no number of the paper");
    let Some(Ok(Findings { numbers, .. })) = &mut found.items[0].findings else { panic!("no numbers") };
    assert!(numbers.iter().all(|number| number.source == Source::Independent));
    numbers[1].found += 0.001;
    assert!(!found.agrees() && found.items[0].verdict().starts_with("DIFFERS"));
    let report = found.to_report().to_json().to_string();
    assert!(report.contains("DIFFERS"));
}

/// What the paper says and we do not find is counted and explained; an explanation of what holds is a fault.
#[test]
fn known_differences_are_counted_and_explained() {
    let mut found = request("codourey1998", "fig7").run(&Handle::none()).unwrap();
    assert!(found.agrees() && found.items[0].verdict().starts_with("differs as explained: paper "));
    let Some(Ok(findings)) = &mut found.items[0].findings else { panic!("no numbers") };
    let friction = findings.claims.iter_mut().find(|claim| claim.what.contains("friction")).unwrap();
    assert!(!friction.holds && friction.difference.is_some_and(|why| why.contains("1.21 to 1.26 mm")));
    friction.holds = true;
    assert!(!found.agrees() && found.items[0].verdict().starts_with("DIFFERS"));

    let found = request("codourey1998", "fig4").run(&Handle::none()).unwrap();
    let Some(Ok(findings)) = &found.items[0].findings else { panic!("no numbers") };
    let coupling =
        findings.numbers.iter().find(|number| number.what.contains("median of the poses")).unwrap();
    assert!((coupling.found - 0.068).abs() < 5e-4 && !coupling.agrees(), "{}", coupling.found);
    assert!(findings.agrees() && coupling.difference.is_some());
}

/// Times of two machines and a number that defines another are context: they count for nothing.
#[test]
fn what_cannot_fail_is_context() {
    let found = request("codourey1998", "table1").run(&Handle::none()).unwrap();
    assert_eq!(found.items[0].verdict(), "context, nothing to compare");
    let Some(Ok(findings)) = &found.items[0].findings else { panic!("no numbers") };
    assert!(findings.scores().is_empty() && findings.numbers.len() == 5);
    let found = request("codourey1998", "fig8").run(&Handle::none()).unwrap();
    let Some(Ok(findings)) = &found.items[0].findings else { panic!("no numbers") };
    let paper = findings.scores().into_iter().find(|score| score.source == Source::Paper);
    assert!(findings.numbers.iter().any(|number| !number.is_compared() && number.what.contains("defines")));
    assert!(matches!(paper, Some(Score { agree, all, .. }) if agree == all));
}

/// Figures become pictures.
#[test]
fn figures_are_pictures() {
    let found = request("codourey1998", "fig5").run(&Handle::none()).unwrap();
    let Some(Ok(findings)) = &found.items[0].findings else { panic!("no numbers") };
    let figures: Vec<_> = findings.blocks.iter().filter_map(picture).collect();
    assert_eq!(figures.len(), 1);
    let svg = figures[0].to_svg();
    assert!(svg.contains("A23") && svg.contains("kg m²"), "nine panels with a scale");
}

/// Cancelled while it computes, it ends there and shows nothing.
#[test]
fn a_cancelled_reproduction_ends_on_its_way() {
    let cancel = AtomicBool::new(false);
    let heard = Mutex::new(Vec::new());
    let listener = |progress: Progress<'_>| {
        heard.lock().unwrap().push(progress.what.to_owned());
        cancel.store(true, Ordering::Relaxed);
    };
    let handle = Handle::none().with_progress(&listener).cancelled_by(&cancel);
    for figure in ["identities", ""] {
        cancel.store(false, Ordering::Relaxed);
        let found = request("khalil-ibrahim2007", figure).run(&handle);
        assert!(matches!(found, Err(ReproduceError::Task(TaskError::Cancelled))), "{figure}");
        assert_eq!(std::mem::take(&mut *heard.lock().unwrap()).len(), 1, "{figure}");
    }
}
