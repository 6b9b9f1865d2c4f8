//! Pages of what has just been computed.

use crate::failure::{Failure, Message, print_to_stderr};
use crate::task;
use legwork::report::Report;
use legwork::task::PageKind;
use std::io;
use std::path::Path;

/// Writes a page and tells so on stderr.
pub fn write_and_tell(path: &Path, report: &Report) -> Result<(), Failure> {
    let page = write(path, report)?;
    print_to_stderr(&format!("{}: {} page", path.display(), page.name()));
    Ok(())
}

fn write(path: &Path, report: &Report) -> Result<PageKind, Failure> {
    let refused = |error: io::Error| {
        let message = Message::new(format!("the page `{}` cannot be written", path.display()));
        Failure::Message(message.caused_by(error.to_string()))
    };
    let page = task::page(report, false).map_err(refused)?;
    legwork::files::write(path, &page.bytes).map_err(|fault| refused(io::Error::other(fault)))?;
    Ok(if page.is_static { PageKind::Static } else { PageKind::Interactive })
}
