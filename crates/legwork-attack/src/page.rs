//! The table of promises in the book, written by the checks themselves.

use std::path::PathBuf;

/// A promise, and the check that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// The word for it, on the command line.
    pub word: &'static str,
    /// What is promised.
    pub promise: &'static str,
    /// How it is checked.
    pub check: &'static str,
}

const BEGIN: &str = "<!-- written by `legwork-attack --write` -->";
const END: &str = "<!-- to here -->";
const HEAD: &str = "| promise | check | last figure |\n|---|---|---|\n";

/// The page.
pub fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../book/src/trust.md")
}

/// The rows of a page: promise, check, figure.
fn rows(page: &str) -> Vec<[&str; 3]> {
    let table =
        page.split_once(BEGIN).and_then(|(_, rest)| rest.split_once(END)).map_or("", |(table, _)| table);
    let lines = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    lines
        .filter_map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            Some([cells.next()?, cells.next()?, cells.next()?])
        })
        .collect()
}

/// What is wrong with the rows of a page: one is missing, has no figure, or nobody holds it.
pub fn faults(page: &str, promises: &[Promise]) -> Vec<String> {
    let rows = rows(page);
    let mut faults = Vec::new();
    for Promise { promise, check, word } in promises {
        match rows.iter().find(|row| row[0] == *promise && row[1] == *check) {
            None => faults.push(format!("the page has no row for `{word}`")),
            Some([.., ""]) => faults.push(format!("the page has no figure for `{word}`")),
            Some(_) => {}
        }
    }
    for [promise, ..] in rows {
        if !promises.iter().any(|known| known.promise == promise) {
            faults.push(format!("no check holds the promise \u{201c}{promise}\u{201d}"));
        }
    }
    faults
}

/// The page with these figures; a promise without one keeps that of the page.
///
/// # Errors
/// If the page has no place for the table.
pub fn with_figures(page: &str, promises: &[Promise], figures: &[(&str, String)]) -> Result<String, String> {
    let old = rows(page);
    let (before, rest) = page.split_once(BEGIN).ok_or("the page has no place for the table")?;
    let (_, after) = rest.split_once(END).ok_or("the table of the page has no end")?;
    let mut table = HEAD.to_owned();
    for Promise { word, promise, check } in promises {
        let new = figures.iter().find(|(known, _)| known == word).map(|(_, figure)| figure.as_str());
        let known = old.iter().find(|row| row[0] == *promise).map(|row| row[2]);
        let figure = new.or(known).unwrap_or("");
        table.extend(["| ", promise, " | ", check, " | ", figure, " |\n"]);
    }
    Ok(format!("{before}{BEGIN}\n\n{table}\n{END}{after}"))
}

/// The figures that tests have printed: lines with `figure WORD: TEXT`, wherever in the line it begins.
pub fn printed_figures(output: &str) -> Vec<(String, String)> {
    let figure = |line: &str| {
        let (_, rest) = line.split_once("figure ")?;
        let (word, text) = rest.split_once(": ")?;
        let is_word = !word.is_empty() && word.bytes().all(|c| c.is_ascii_lowercase() || c == b'-');
        is_word.then(|| (word.to_owned(), text.trim().to_owned()))
    };
    output.lines().filter_map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMISES: &[Promise] = &[
        Promise { word: "a", promise: "It holds.", check: "a test" },
        Promise { word: "b", promise: "So does it.", check: "b" },
    ];

    #[test]
    fn a_page_has_a_row_for_every_promise_and_keeps_old_figures() {
        let page = format!("# Trust\n\n{BEGIN}\n{END}\nmore\n");
        assert_eq!(faults(&page, PROMISES).len(), 2);
        let page = with_figures(&page, PROMISES, &[("a", "3 of 3".into())]).unwrap();
        assert_eq!(faults(&page, PROMISES), ["the page has no figure for `b`"], "{page}");
        let page = with_figures(&page, PROMISES, &[("b", "4".into())]).unwrap();
        assert!(
            faults(&page, PROMISES).is_empty() && page.contains("| 3 of 3 |") && page.ends_with("more\n")
        );
        assert_eq!(faults(&page, &PROMISES[..1]).len(), 1, "a promise that nobody checks is told");
        assert!(with_figures("", PROMISES, &[]).is_err());
    }

    #[test]
    fn figures_are_found_in_the_output_of_tests() {
        let output = "running 1 test\n.figure control: 3 faults, each answered\nfigure of speech: none\ntest result: ok\n\
                      figure killed: 2 runs: 7 rows\n";
        let found = printed_figures(output);
        let texts: Vec<(&str, &str)> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(texts, [("control", "3 faults, each answered"), ("killed", "2 runs: 7 rows")]);
    }
}
