//! `legwork reproduce`: the figures and tables of the papers, computed again.

use crate::args::ReproduceArgs;
use crate::failure::{Failure, Message};
use crate::table::{Table, shortened, wrap};
use crate::{Outcome, json};
use legwork::reproduce::{
    Erratum, Expected, Findings, Number, Paper, Reproduced, Reproduction, Selection, Unknown, picture, select,
};
use serde_json::{Value, json};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

const WIDTH: usize = 100;

pub fn run(args: &ReproduceArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let selection = select(args.paper.as_deref(), args.figure.as_deref()).map_err(|error| told(&error))?;
    if args.list {
        list(&selection, as_json, out)?;
        return Ok(Outcome::Done);
    }
    if let Some(folder) = &args.figures {
        fs::create_dir_all(folder).map_err(|error| unwritable("--figures", folder, &error.to_string()))?;
    }
    #[cfg(feature = "studio")]
    if let Some(path) = args.out.as_ref().filter(|path| path.extension().is_none_or(|end| end != "html")) {
        let message = Message::new(format!("`--out {}` is not the name of a page", path.display()));
        return Err(message.hint("let it end in .html; pictures are written by `--figures DIR`").into());
    }
    let found = selection.run(progress());
    clear();
    let pictures = match &args.figures {
        Some(folder) => draw(&found, folder)?,
        None => Vec::new(),
    };
    #[cfg(feature = "studio")]
    if let Some(path) = &args.out {
        page(args, &found, path)?;
    }
    if as_json {
        json::print(&object(&found, &pictures), out)?;
    } else {
        print(args, &found, out)?;
        if let Some(folder) = &args.figures {
            writeln!(out, "\n{}: {} pictures", folder.display(), pictures.len())?;
        }
    }
    Ok(if found.agrees() { Outcome::Done } else { Outcome::Fails })
}

/// The word that was meant, and all there are.
fn told(error: &Unknown) -> Failure {
    let all = error.known.join(", ");
    let hint = match error.nearest {
        Some(nearest) => format!("did you mean `{nearest}`? There are {all}"),
        None => format!("there are {all}"),
    };
    Message::new(error.to_string()).hint(hint).into()
}

fn unwritable(option: &str, path: &Path, cause: &str) -> Failure {
    Message::new(format!("`{option} {}` cannot be written", path.display())).caused_by(cause).into()
}

/// A sign of life on a terminal.
fn progress() -> impl FnMut(&str, f64) {
    let shows = io::stderr().is_terminal();
    move |name, share| {
        if shows {
            // If nobody can hear it, so be it.
            let _ = write!(io::stderr(), "\r{:3.0} %  {name:<32}", 100.0 * share);
        }
    }
}

fn clear() {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r{}\r", " ".repeat(40));
    }
}

#[cfg(feature = "studio")]
fn page(args: &ReproduceArgs, found: &Reproduction, path: &Path) -> Result<(), Failure> {
    let words = ["legwork reproduce"].into_iter().chain(args.paper.as_deref()).chain(args.figure.as_deref());
    let command = words.collect::<Vec<_>>().join(" ");
    let report = found.to_report().with_command(format!("{command} --out {}", path.display()));
    super::report::write_and_say(path, &report)
}

/// Every figure as SVG and PNG.
fn draw(found: &Reproduction, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for one in &found.items {
        let Some(Ok(findings)) = &one.findings else { continue };
        let figures: Vec<_> = findings.blocks.iter().filter_map(picture).collect();
        for (k, figure) in figures.iter().enumerate() {
            let number = if figures.len() > 1 { format!("-{}", k + 1) } else { String::new() };
            for ending in ["svg", "png"] {
                let name = format!("{}-{}{number}.{ending}", one.item.paper.name(), one.item.id);
                let path = folder.join(name);
                figure.save(&path).map_err(|error| unwritable("--figures", &path, &error.to_string()))?;
                files.push(path);
            }
        }
    }
    Ok(files)
}

fn list(selection: &Selection, as_json: bool, out: &mut dyn Write) -> io::Result<()> {
    if as_json {
        let items = selection.items.iter().map(|item| {
            json!({
                "paper": item.paper.name(),
                "id": item.id,
                "title": item.title,
                "is_result": item.is_result(),
                "statement": item.statement,
                "conditions": item.conditions,
                "not_comparable": item.open,
            })
        });
        return json::print(&json!({ "items": items.collect::<Vec<_>>() }), out);
    }
    let mut table = Table::with_left(&[1, 2, 3]);
    for item in &selection.items {
        let note = if item.is_result() { "" } else { "not a result" };
        table.row([item.paper.name(), item.id, item.title, note]);
    }
    for paper in Paper::ALL {
        let count = selection.errata.iter().filter(|erratum| erratum.paper == paper).count();
        if count > 0 {
            table.row([
                paper.name().into(),
                "errata".into(),
                format!("{count} misprints and claims"),
                String::new(),
            ]);
        }
    }
    table.print(out)
}

fn print(args: &ReproduceArgs, found: &Reproduction, out: &mut dyn Write) -> io::Result<()> {
    if let (Some(_), [one]) = (&args.figure, found.items.as_slice()) {
        alone(one, out)?;
    } else if !found.items.is_empty() {
        summary(found, out)?;
    }
    let errata_only = found.items.is_empty();
    if errata_only {
        errata(found, out)?;
    } else if !found.errata.is_empty() {
        let sized = found.errata.iter().filter(|(_, sizes)| sizes.is_some()).count();
        let count = found.errata.len();
        writeln!(
            out,
            "\n{count} errata, {sized} of them with the size of the error: `legwork reproduce errata`"
        )?;
        for (erratum, sizes) in &found.errata {
            let text = Erratum::sizes(sizes.as_ref());
            if text.contains("FAILED") || text.contains("NOT AS STATED") {
                writeln!(out, "  {} {}: {text}", erratum.paper.name(), erratum.place)?;
            }
        }
    }
    Ok(())
}

fn summary(found: &Reproduction, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::with_left(&[1, 2, 3]);
    for one in found.items.iter().filter(|one| one.item.is_result()) {
        let item = one.item;
        table.row([item.paper.name(), item.id, item.title, one.verdict().as_str()]);
    }
    table.print(out)?;
    let drawings: Vec<String> =
        found.items.iter().filter(|one| !one.item.is_result()).map(|one| one.item.name()).collect();
    if !drawings.is_empty() {
        writeln!(out)?;
        let text = format!("no results, but drawings or lists of parameters: {}", drawings.join(", "));
        wrap(&text, WIDTH).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    for one in found.items.iter().filter(|one| one.agrees() == Some(false)) {
        if let Some(Ok(findings)) = &one.findings {
            writeln!(out, "\n{} differs:", one.item.name())?;
            numbers(findings, true, out)?;
        }
    }
    Ok(())
}

/// One item with all that is to be said of it.
fn alone(one: &Reproduced, out: &mut dyn Write) -> io::Result<()> {
    let item = one.item;
    writeln!(out, "{}, {}: {}", item.paper.citation(), item.id, item.title)?;
    for (name, text) in
        [("the paper", item.statement), ("conditions", item.conditions), ("not comparable", item.open)]
    {
        if !text.is_empty() {
            writeln!(out)?;
            let text = format!("{name}: {text}");
            wrap(&text, WIDTH).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
    }
    if let Some(Ok(findings)) = &one.findings {
        writeln!(out)?;
        numbers(findings, false, out)?;
    }
    writeln!(out, "\n{}", one.verdict())
}

fn numbers(findings: &Findings, only_bad: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::with_left(&[3, 4, 5]);
    table.row(["", "ours", "expected", "unit", "by", ""]);
    for number in findings.numbers.iter().filter(|number| !only_bad || !number.agrees()) {
        let (by, verdict) = match number.expected {
            Expected::Open => ("", ""),
            _ => (number.source.name(), word(number.agrees())),
        };
        let Number { what, unit, expected, .. } = number;
        table.row([what, &number.shown(), &expected.to_string(), *unit, by, verdict]);
    }
    for claim in findings.claims.iter().filter(|claim| !only_bad || !claim.holds) {
        let found = if claim.holds { "holds" } else { "does not" };
        table.row([claim.what.as_str(), found, "holds", "", claim.source.name(), word(claim.holds)]);
    }
    table.print(out)
}

fn word(agrees: bool) -> &'static str {
    if agrees { "agrees" } else { "DIFFERS" }
}

fn errata(found: &Reproduction, out: &mut dyn Write) -> io::Result<()> {
    let mut last = None;
    for (erratum, sizes) in &found.errata {
        if last != Some(erratum.paper) {
            let space = if last.is_some() { "\n" } else { "" };
            writeln!(out, "{space}{}", shortened(erratum.paper.citation(), WIDTH))?;
            last = Some(erratum.paper);
        }
        writeln!(out, "\n  {} ({})", erratum.place, erratum.kind.name())?;
        let size = Erratum::sizes(sizes.as_ref());
        for (name, text) in [("printed", erratum.printed), ("right", erratum.right), ("error", size.as_str())]
        {
            for (k, line) in wrap(text, WIDTH - 13).iter().enumerate() {
                let name = if k == 0 { name } else { "" };
                writeln!(out, "    {name:<8} {line}")?;
            }
        }
    }
    Ok(())
}

fn object(found: &Reproduction, pictures: &[PathBuf]) -> Value {
    let items: Vec<Value> = found.items.iter().map(item).collect();
    let errata = found.errata.iter().map(|(erratum, sizes)| {
        let sizes: Vec<Value> = match sizes {
            Some(Ok(list)) => list
                .iter()
                .map(|size| {
                    json!({
                        "what": size.what,
                        "unit": size.unit,
                        "printed": size.printed,
                        "right": size.right.map(|(right, _)| right),
                        "holds": size.holds(),
                    })
                })
                .collect(),
            Some(Err(trouble)) => vec![json!({ "failed": trouble.to_string() })],
            None => Vec::new(),
        };
        json!({
            "paper": erratum.paper.name(),
            "place": erratum.place,
            "kind": erratum.kind.name(),
            "printed": erratum.printed,
            "right": erratum.right,
            "sizes": sizes,
        })
    });
    json!({
        "agrees": found.agrees(),
        "items": items,
        "errata": errata.collect::<Vec<_>>(),
        "pictures": pictures.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
    })
}

fn item(one: &Reproduced) -> Value {
    let item = one.item;
    let (mut numbers, mut claims) = (Vec::new(), Vec::new());
    let mut failed = None;
    match &one.findings {
        Some(Ok(findings)) => {
            numbers.extend(findings.numbers.iter().map(|number| {
                json!({
                    "what": number.what,
                    "unit": number.unit,
                    "found": number.found,
                    "expected": number.expected.to_string(),
                    "by": number.source.name(),
                    "agrees": number.agrees(),
                })
            }));
            claims.extend(
                findings.claims.iter().map(
                    |claim| json!({ "what": claim.what, "holds": claim.holds, "by": claim.source.name() }),
                ),
            );
        }
        Some(Err(trouble)) => failed = Some(trouble.to_string()),
        None => {}
    }
    json!({
        "paper": item.paper.name(),
        "id": item.id,
        "title": item.title,
        "is_result": item.is_result(),
        "statement": item.statement,
        "conditions": item.conditions,
        "not_comparable": item.open,
        "agrees": one.agrees(),
        "failed": failed,
        "numbers": numbers,
        "claims": claims,
    })
}
