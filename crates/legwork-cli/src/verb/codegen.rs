//! `legwork codegen`: a robot's formulas as C, Rust or Structured Text.

use super::open;
use crate::args::CodegenArgs;
use crate::failure::{Failure, Message};
use crate::{Outcome, json};
use legwork::description::nearest_word;
use legwork::files::{self, FileRoles};
use legwork::table::Table;
use legwork_codegen::{CodegenError, CodegenRequest, Generated, Language, Precision, Quantity, Symbol};
use serde_json::json;
use std::fs;
use std::io::{self, Write};

impl From<CodegenError> for Failure {
    fn from(error: CodegenError) -> Self {
        Message::new(error.to_string()).hint(error.hint()).into()
    }
}

/// The one of a list whose word was given.
fn word<T: Copy>(what: &str, given: &str, list: &[(&'static str, T)]) -> Result<T, Failure> {
    if let Some((_, found)) = list.iter().find(|(word, _)| *word == given) {
        return Ok(*found);
    }
    let words: Vec<&str> = list.iter().map(|(word, _)| *word).collect();
    let hint = nearest_word(given, words.iter().copied())
        .map_or_else(|| format!("there are {}", words.join(", ")), |near| format!("did you mean `{near}`?"));
    Err(Message::new(format!("`{given}` is no {what}")).hint(hint).into())
}

pub fn run(args: &CodegenArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let quantities = Quantity::ALL.map(|quantity| (quantity.word(), quantity));
    let symbols = Symbol::ALL.map(|symbol| (symbol.name(), symbol));
    let languages = [("c", Language::C), ("rust", Language::Rust), ("st", Language::St)];
    let precisions = [("double", Precision::Double), ("float", Precision::Float)];
    let request = CodegenRequest {
        robot: args.robot.clone(),
        what: args
            .what
            .iter()
            .map(|given| word("quantity of `--what`", given, &quantities))
            .collect::<Result<_, _>>()?,
        language: word("language of `--lang`", &args.lang, &languages)?,
        precision: word("precision", &args.precision, &precisions)?,
        symbolic: args
            .symbolic
            .iter()
            .map(|given| word("parameter of `--symbolic`", given, &symbols))
            .collect::<Result<_, _>>()?,
        wrench: args.wrench,
        name: args.name.clone(),
    };
    let generated = request.run_for(&open(&args.robot)?)?;
    if let Some(folder) = &args.out {
        let mut roles = FileRoles::default();
        roles.reads("the robot", &args.robot);
        if folder.is_file() {
            let what = format!("`--out {}` is a file, not a folder", folder.display());
            return Err(Message::new(what)
                .hint("the files have names of their own; name the folder for them")
                .into());
        }
        fs::create_dir_all(folder)
            .map_err(|error| unwritable(&folder.display().to_string(), &error.to_string()))?;
        let paths: Vec<_> = generated.files.iter().map(|file| folder.join(&file.name)).collect();
        roles.writes_all("--out", paths.clone());
        roles.check().map_err(|conflict| Message::new(conflict.to_string()))?;
        for (path, file) in paths.iter().zip(&generated.files) {
            files::write(path, file.text.as_bytes())
                .map_err(|error| unwritable(&path.display().to_string(), &error.to_string()))?;
        }
    }
    if as_json {
        let counts = |function: &legwork_codegen::Function| {
            let c = function.counts();
            json!({
                "name": function.name, "mul": c.mul, "add": c.add, "div": c.div, "sqrt": c.sqrt,
                "sin_cos": c.sin_cos, "atan2": c.atan2, "select": c.select, "flops": c.flops(),
                "searches": function.iteration.is_some(),
            })
        };
        let functions: Vec<_> = generated.functions.iter().map(counts).collect();
        json::print(
            &json!({ "name": generated.name, "functions": functions, "files": generated.files }),
            out,
        )?;
    } else if args.out.is_some() {
        summary(args, &generated, out)?;
    } else {
        for file in &generated.files {
            out.write_all(file.text.as_bytes())?;
        }
    }
    Ok(Outcome::Done)
}

fn summary(args: &CodegenArgs, generated: &Generated, out: &mut dyn Write) -> io::Result<()> {
    let heading = ["function", "mul", "add", "div", "sqrt", "sin/cos", "atan2", "select"].map(String::from);
    let rows = generated.functions.iter().map(|function| {
        let c = function.counts();
        let star = if function.iteration.is_some() { " (one step)" } else { "" };
        let numbers = [c.mul, c.add, c.div, c.sqrt, c.sin_cos, c.atan2, c.select].map(|n| n.to_string());
        let [mul, add, div, sqrt, sin_cos, atan2, select] = numbers;
        [format!("{}{star}", function.name), mul, add, div, sqrt, sin_cos, atan2, select]
    });
    let rows: Vec<[String; 8]> = rows.collect();
    Table::with_left(&[]).with_rows([heading]).with_rows(rows).print(out)?;
    for file in &generated.files {
        let folder = args.out.as_deref().unwrap_or_else(|| ".".as_ref());
        writeln!(out, "{}: {} lines", folder.join(&file.name).display(), file.text.lines().count())?;
    }
    Ok(())
}

fn unwritable(path: &str, reason: &str) -> Failure {
    Message::new(format!("`{path}` cannot be written")).caused_by(reason.to_owned()).into()
}
