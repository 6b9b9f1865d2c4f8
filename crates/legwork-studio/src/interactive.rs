//! The page of `web/`, with a report in it.

use crate::markup::escaped;
use legwork::report::Report;
use std::io::{self, Write};

/// What `build.rs` found; empty if there is no page.
const TEMPLATE: &str = include_str!(concat!(env!("OUT_DIR"), "/report.html"));

/// Where the parts of a report go, in the order in which they stand in the page.
const TITLE: &str = "<!--legwork:title-->";
const NOSCRIPT: &str = "<!--legwork:noscript-->";
const REPORT: &str = "<!--legwork:report-->";

/// Around the marks.
fn pieces() -> Option<[&'static str; 4]> {
    let (head, rest) = TEMPLATE.split_once(TITLE)?;
    let (top, rest) = rest.split_once(NOSCRIPT)?;
    let (middle, foot) = rest.split_once(REPORT)?;
    Some([head, top, middle, foot])
}

pub fn is_built() -> bool {
    pieces().is_some()
}

/// Whether there is a page to write.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<bool> {
    let Some([head, top, middle, foot]) = pieces() else { return Ok(false) };
    let command = report.command.as_deref().map(|line| format!("It was made by: {line}")).unwrap_or_default();
    write!(out, "{head}{}{top}{}{middle}", escaped(&report.title), escaped(&command))?;
    // Inside a script element only `<` can end it or begin a comment.
    out.write_all(report.to_json().to_string().replace('<', "\\u003c").as_bytes())?;
    write!(out, "{foot}")?;
    Ok(true)
}
