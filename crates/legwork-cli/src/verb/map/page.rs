//! A map as a page for a browser.

use crate::failure::Failure;
use crate::verb::report::{say_why_static, write};
use legwork::analysis::map::Map;
use legwork::recording::Metadata;
use legwork::report::Report;
use legwork_studio::Page;
use std::path::Path;

pub fn save(map: &Map, path: &Path, metadata: &Metadata) -> Result<(), Failure> {
    let names: Vec<&str> = map.quantities.iter().map(|quantity| quantity.name()).collect();
    let mut report = Report::new(format!("{}: {}", map.robot, names.join(", ")));
    report.command = metadata.command().map(str::to_owned);
    report.robot = metadata.robot().map(|text| (map.robot.clone(), text.to_owned()));
    report.sections = map.sections();
    write(path, &report, Page::best())?;
    say_why_static();
    Ok(())
}
