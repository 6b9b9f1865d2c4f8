//! `legwork reproduce`: the figures and tables of the papers, computed again.

use crate::args::ReproduceArgs;
use crate::failure::{Failure, Message};
use crate::{Outcome, json, task};
use legwork::table::{Table, WIDTH, print_line, print_wrapped, shortened};
use legwork::text::wrap;
use legwork_reproduce::{ItemResult, ReproduceRequest, Reproduction, SaveError};
use serde_json::Value;
use std::fs;
use std::io::{self, Write};

pub fn run(args: &ReproduceArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let request = ReproduceRequest { paper: args.paper.clone(), figure: args.figure.clone() };
    let selection = request.select();
    let selection = selection.map_err(|error| Message::new(error.to_string()).hint(error.hint()))?;
    if args.list {
        if as_json {
            json::print(&selection.to_json(), out)?;
        } else {
            Table::with_left(&[1, 2, 3]).with_rows(selection.rows()).print(out)?;
        }
        return Ok(Outcome::Done);
    }
    #[cfg(feature = "studio")]
    if let Some(path) = args.out.as_ref().filter(|path| path.extension().is_none_or(|end| end != "html")) {
        let message = Message::new(format!("`--out {}` is not the name of a page", path.display()));
        return Err(message.hint("let it end in .html; pictures are written by `--figures DIR`").into());
    }
    if let Some(folder) = &args.figures {
        fs::create_dir_all(folder).map_err(|error| unwritable(SaveError::new(folder, &error)))?;
    }
    let found = task::run("reproduce", "", |handle| selection.run(handle))?;
    let pictures = args.figures.as_ref().map(|folder| found.save_figures(folder)).transpose();
    let pictures = pictures.map_err(unwritable)?;
    #[cfg(feature = "studio")]
    if let Some(path) = &args.out {
        let words =
            ["legwork reproduce"].into_iter().chain(args.paper.as_deref()).chain(args.figure.as_deref());
        let command = words.collect::<Vec<_>>().join(" ");
        let report = found.to_report().with_command(format!("{command} --out {}", path.display()));
        crate::page::write_and_tell(path, &report)?;
    }
    if as_json {
        let mut object = found.to_json();
        let files = pictures.iter().flatten().map(|path| path.display().to_string());
        object["pictures"] = files.map(Value::from).collect();
        json::print(&object, out)?;
    } else {
        match (&args.figure, found.items.as_slice()) {
            (_, []) => errata(&found, out)?,
            (Some(_), [item]) => one_item(item, out)?,
            _ => summary(&found, out)?,
        }
        if let (Some(folder), Some(files)) = (&args.figures, &pictures) {
            writeln!(out, "\n{}: {} pictures", folder.display(), files.len())?;
        }
    }
    Ok(if found.agrees() { Outcome::Done } else { Outcome::Fails })
}

fn unwritable(error: SaveError) -> Failure {
    let message = Message::new(format!("`--figures {}` cannot be written", error.path.display()));
    message.caused_by(error.reason).into()
}

fn numbers(rows: Vec<[String; 6]>, out: &mut dyn Write) -> io::Result<()> {
    let heading = ["", "ours", "expected", "unit", "by", ""].map(String::from);
    Table::with_left(&[3, 4, 5]).with_rows([heading]).with_rows(rows).print(out)
}

fn summary(found: &Reproduction, out: &mut dyn Write) -> io::Result<()> {
    Table::with_left(&[1, 2, 3]).with_rows(found.summary_rows()).print(out)?;
    let drawings: Vec<String> = found.not_results().map(ItemResult::name).collect();
    if !drawings.is_empty() {
        writeln!(out)?;
        let text = format!("no results, but drawings or lists of parameters: {}", drawings.join(", "));
        print_wrapped(&text, WIDTH, out)?;
    }
    for (name, rows) in found.differences() {
        writeln!(out, "\n{name} differs:")?;
        numbers(rows, out)?;
    }
    if !found.errata.is_empty() {
        let (all, sized) = (found.errata.len(), found.sized_errata());
        writeln!(out)?;
        let text =
            format!("{all} errata, {sized} of them with the size of the error: `legwork reproduce errata`");
        print_line(&text, out)?;
    }
    for erratum in found.errata.iter().filter(|erratum| !erratum.holds()) {
        let text = format!("  {} {}: {}", erratum.paper.name(), erratum.place, erratum.size_text());
        print_line(&text, out)?;
    }
    Ok(())
}

fn one_item(item: &ItemResult, out: &mut dyn Write) -> io::Result<()> {
    print_line(&format!("{}, {}: {}", item.paper.citation(), item.id, item.title), out)?;
    for (name, text) in item.remarks() {
        writeln!(out)?;
        print_wrapped(&format!("{name}: {text}"), WIDTH, out)?;
    }
    if let Some(Ok(findings)) = &item.findings {
        writeln!(out)?;
        numbers(findings.rows(), out)?;
        for why in findings.differences() {
            writeln!(out)?;
            print_wrapped(&format!("differs: {why}"), WIDTH, out)?;
        }
    }
    writeln!(out, "\n{}", item.verdict())
}

fn errata(found: &Reproduction, out: &mut dyn Write) -> io::Result<()> {
    let mut last = None;
    for erratum in &found.errata {
        if last != Some(erratum.paper) {
            let space = if last.is_some() { "\n" } else { "" };
            writeln!(out, "{space}{}", shortened(erratum.paper.citation(), WIDTH))?;
            last = Some(erratum.paper);
        }
        writeln!(out, "\n  {} ({})", erratum.place, erratum.kind.name())?;
        for (name, text) in erratum.remarks() {
            for (k, line) in wrap(&text, WIDTH - 13).iter().enumerate() {
                writeln!(out, "    {:<8} {line}", if k == 0 { name } else { "" })?;
            }
        }
    }
    Ok(())
}
