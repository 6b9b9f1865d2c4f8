//! Pages for a browser. A [`Report`] becomes one HTML file that loads nothing else: the page of `web/`,
//! with plots to zoom and robots that move, or, where that page was not built, a static one with plots as SVG.
//!
//! ```
//! use legwork::report::Report;
//! use legwork_studio::{Page, write_report};
//!
//! let mut html = Vec::new();
//! let page = write_report(&Report::new("Nothing yet"), Page::best(), &mut html)?;
//! assert_eq!(page, Page::best());
//! # Ok::<(), std::io::Error>(())
//! ```

mod interactive;
mod markup;
mod static_page;
mod studio;
mod svg;

pub use studio::{StudioStart, WITHOUT_STUDIO, studio_page};

use legwork::report::Report;
use std::io::{self, Write};

/// Which page a report is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// Plots to zoom, robots that move.
    Interactive,
    /// Plots as pictures, no script.
    Static,
}

impl Page {
    /// The interactive page if it was built into this crate.
    pub fn best() -> Self {
        if interactive::is_built() { Self::Interactive } else { Self::Static }
    }
}

/// Why reports are static, if they are: one line for the user.
pub fn why_static() -> Option<&'static str> {
    let reason =
        "built without Node, so the report is static: plots are pictures and the robot does not move";
    (Page::best() == Page::Static).then_some(reason)
}

/// Writes a report as one HTML file. Gives the page it has become: without a built page it is the static one.
pub fn write_report(report: &Report, page: Page, out: &mut dyn Write) -> io::Result<Page> {
    if page == Page::Interactive && interactive::write(report, out)? {
        return Ok(Page::Interactive);
    }
    static_page::write(report, out)?;
    Ok(Page::Static)
}
