//! States on stdin, one per line; an answer for each on stdout.

mod csv;
mod lines;
mod objects;

use crate::Outcome;
use crate::answer::Asked;
use crate::failure::{self, Failure, Message};
use legwork::coordinates::{CoordinateSchema, Group, GroupSchema};
use legwork::task::{AnswerColumn, AnswerValue, RunColumns, StateInput, StateTask, entries};
use legwork::text::short;
use legwork::units::Quantity;
use lines::{Line, Lines};
use serde_json::{Map, Value, json};
use std::io::{self, BufRead, Write};

/// Columns that our own output has beside states, and time: they are ignored.
const IGNORED: &str = "line mode assembly steps route from_home singular residual outside_limits error robot t time id index no name label \
                       comment note";
/// Numbers of a state that some robot has: those that do not turn, and the others.
const LINEAR: &str = "x y z vx vy vz ax ay az fx fy fz";
const ANGULAR: &str = "roll pitch yaw angle qw qx qy qz wx wy wz bx by bz mx my mz orientation quaternion_wxyz \
                       rotation angular_velocity angular_acceleration moment";

fn has(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
}

/// How the lines of a stream are read.
enum Format {
    Csv(csv::Layout),
    Objects,
}

/// Answers every line. Memory does not grow with the stream.
pub fn run<T: StateTask>(
    asked: &Asked<'_, T>,
    input: impl BufRead,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let mut lines = Lines::new(input);
    let (columns, schema) = (asked.task.chosen_columns(), asked.task.schema());
    let (format, mut next) = open(&mut lines, asked.task.input(), schema)?;
    let mut printer = Printer { columns, as_json, out };
    printer.header()?;
    let (mut read, mut bad) = (0_u64, 0_u64);
    // That of the first bad line: a stream in the wrong unit has the same on every line.
    let mut way_out = None;
    let mut is_doubted = false;
    loop {
        let line = match next.take() {
            Some(line) => line,
            None => match lines.next()? {
                Some(line) => line,
                None => break,
            },
        };
        read += 1;
        let mut row = asked.row.clone();
        let answers = line.text().map_err(Failure::from).and_then(|text| {
            match &format {
                Format::Csv(layout) => layout.read(text, &mut row)?,
                Format::Objects => objects::read(text, &mut row, schema)?,
            }
            asked.answers(&row)
        });
        match answers {
            Ok(answers) => {
                answers.iter().try_for_each(|answer| printer.answer(line.number, answer))?;
                // Once: a stream in the wrong unit has them on every line.
                let doubts = [schema.doubts(&row), schema.far_places(&row)].concat();
                if let Some(doubt) = doubts.first().filter(|_| !is_doubted) {
                    failure::print_to_stderr(&format!("note: line {}: {doubt}", line.number));
                    is_doubted = true;
                }
            }
            Err(Failure::Output(error)) => return Err(error.into()),
            Err(failure) => {
                if bad == 0 {
                    way_out = failure.way_out().map(|hint| format!("\nhint: line {}: {hint}", line.number));
                }
                bad += 1;
                let reason = failure.reason();
                failure::print_to_stderr(&format!("line {}: {reason}", line.number));
                printer.bad(line.number, &reason)?;
            }
        }
    }
    printer.out.flush()?;
    if read == 0 {
        let message = Message::new("the stream has a header and no states");
        return Err(message.hint("give one state per line below the header").into());
    }
    if bad == 0 {
        return Ok(Outcome::Done);
    }
    let lines = if read == 1 { "line" } else { "lines" };
    failure::print_to_stderr(&format!("error: {bad} of {read} {lines} could not be used"));
    if let Some(hint) = way_out {
        failure::print_to_stderr(&hint);
    }
    Ok(Outcome::BadLines)
}

/// The format, from the first line; and that line again if it is a state.
fn open(
    lines: &mut Lines<impl BufRead>,
    input: StateInput,
    schema: &CoordinateSchema,
) -> Result<(Format, Option<Line>), Failure> {
    let Some(first) = lines.next()? else {
        let message = Message::new("the stream on stdin is empty");
        return Err(message.hint("give the numbers as arguments, or one state per line on stdin").into());
    };
    let text = first.text().map_err(|message| {
        Message::new(format!("the stream on stdin cannot be read: line {}: {}", first.number, message.error))
    })?;
    let found = match text.chars().next() {
        Some('{') => (Format::Objects, Some(first)),
        Some('[') => {
            let (group, values) = match input {
                StateInput::Joints => (Group::Joints, vec![0.1; schema.motor_count()]),
                _ => (Group::Position, schema.home_position()),
            };
            let names = schema.group(group).names.iter().zip(values);
            let names = names.map(|(name, value)| format!("\"{}\": {}", name.text, short(value)));
            let example = names.collect::<Vec<_>>().join(", ");
            let message = Message::new("the stream on stdin is a JSON array");
            return Err(message.hint(format!("give one JSON object per line, such as {{{example}}}")).into());
        }
        _ => match csv::Layout::from_first(text, input, schema)? {
            (layout, true) => (Format::Csv(layout), None),
            (layout, false) => (Format::Csv(layout), Some(first)),
        },
    };
    Ok(found)
}

/// The group, component and kind that a name means; `None` for one that is ignored.
fn column(name: &str, schema: &CoordinateSchema) -> Result<Option<(Group, usize, Quantity)>, Message> {
    match schema.find(name) {
        Some((group, component)) => {
            Ok(Some((group, component, schema.group(group).names[component].quantity)))
        }
        // The rows of a recording are states, with efforts, energies and errors beside them.
        None if has(IGNORED, name) || name.starts_with('_') || RunColumns::any_has(schema, name) => Ok(None),
        None => Err(unknown("column", name, schema)),
    }
}

/// An unknown name, with the nearest known one or all of them as a hint.
fn unknown(what: &str, name: &str, schema: &CoordinateSchema) -> Message {
    let message = |extra: &str| Message::new(format!("`{name}` is not a {what} of a state{extra}"));
    let named = schema.groups().iter().filter(|columns| !columns.names.is_empty());
    let names: Vec<String> =
        named.filter(|columns| columns.group != Group::Rotation).map(GroupSchema::list).collect();
    let known = names.join(", ");
    let hint = format!("known are {known}; a column that is to be left out can be called `_{name}`");
    if has(LINEAR, name) || has(ANGULAR, name) {
        let does_not_turn = has(ANGULAR, name) && !schema.turns();
        let turns = if does_not_turn { ", whose platform does not turn" } else { "" };
        return message(&format!(" of `{}`{turns}", schema.robot)).hint(hint);
    }
    let known = || schema.groups().iter().flat_map(|columns| &columns.names).map(|known| known.text.as_str());
    let plain = name.to_lowercase().replace(['_', '-', ' '], "");
    let near = known().find(|column| *column == plain);
    if let Some(near) = near.or_else(|| known().find(|column| one_slip(column, &plain))) {
        return message(&format!("; did you mean `{near}`?"));
    }
    message("").hint(hint)
}

/// Whether one letter is added, dropped, changed or swapped with its neighbour.
fn one_slip(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    match (&a[..a.len() - end], &b[..b.len() - end]) {
        ([x, y], [v, w]) => x == w && y == v,
        // A name of one letter that is another letter is another name.
        (x, y) => x.len().max(y.len()) <= 1 && same + end > 0,
    }
}

/// Rows of the output.
struct Printer<'o, A> {
    columns: Vec<AnswerColumn<A>>,
    as_json: bool,
    out: &'o mut dyn Write,
}

impl<A: 'static> Printer<'_, A> {
    /// The columns of CSV.
    fn cells(&self) -> impl Iterator<Item = &AnswerColumn<A>> {
        self.columns.iter().filter(|column| !column.only_json)
    }

    fn header(&mut self) -> Result<(), Failure> {
        if !self.as_json {
            let names = self.cells().flat_map(AnswerColumn::headings);
            let all: Vec<String> =
                std::iter::once("line".into()).chain(names).chain(["error".into()]).collect();
            writeln!(self.out, "{}", all.join(","))?;
        }
        Ok(())
    }

    fn answer(&mut self, line: u64, answer: &A) -> Result<(), Failure> {
        if self.as_json {
            let mut object = Map::new();
            object.insert("line".into(), json!(line));
            object.extend(entries(&self.columns, answer));
            writeln!(self.out, "{}", Value::Object(object))?;
        } else {
            write!(self.out, "{line},")?;
            for column in self.columns.iter().filter(|column| !column.only_json) {
                write_cells(&column.value(answer), self.out)?;
            }
            writeln!(self.out)?;
        }
        Ok(())
    }

    fn bad(&mut self, line: u64, reason: &str) -> Result<(), Failure> {
        if self.as_json {
            writeln!(self.out, "{}", json!({ "line": line, "error": reason }))?;
        } else {
            let empty: usize = self.cells().map(|column| column.headings().len()).sum();
            writeln!(self.out, "{line}{},{}", ",".repeat(empty), csv::quoted(reason))?;
        }
        Ok(())
    }
}

/// The cells of a value, each with a comma after it; what is not finite is an empty cell.
fn write_cells(value: &AnswerValue, out: &mut dyn Write) -> io::Result<()> {
    match value {
        AnswerValue::Count(n) => write!(out, "{n},"),
        AnswerValue::Word(word) => write!(out, "{word},"),
        AnswerValue::Words(words) => write!(out, "{},", words.join(" ")),
        numbers => numbers.numbers().iter().try_for_each(|x| {
            // Zero for minus zero.
            if x.is_finite() { write!(out, "{:?},", x + 0.0) } else { write!(out, ",") }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested() {
        let schema = CoordinateSchema::of(&legwork::AnyRobot::open("delta-industrial").unwrap());
        for (given, near) in [("vX", "vx"), ("Q_1", "q1"), ("vxx", "vx"), ("qd", "q1")] {
            assert!(
                unknown("column", given, &schema).error.ends_with(&format!("did you mean `{near}`?")),
                "{given}"
            );
        }
        for given in ["w", "speed", ""] {
            assert!(unknown("column", given, &schema).hint.is_some(), "{given}");
        }
    }
}
