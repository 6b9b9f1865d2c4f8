//! What the verbs about states share: a question, its answers, and how they are printed.

use crate::failure::{Failure, Message};
use crate::row::Row;
use crate::{Outcome, json, stream};
use serde_json::{Map, Value, json};
use std::io::{self, IsTerminal, Write};

/// A verb with its options, ready to answer.
pub trait Question {
    /// One solution.
    type Answer;

    /// What the numbers of a line are.
    fn reads(&self) -> Reads;

    /// The robot, by name.
    fn robot(&self) -> &str;

    /// Values that hold where a line gives none.
    fn defaults(&self) -> Row {
        Row::default()
    }

    /// What is printed of an answer.
    fn columns(&self) -> Vec<Column<Self::Answer>>;

    /// Every solution asked for.
    fn answers(&self, row: &Row) -> Result<Vec<Self::Answer>, Failure>;

    /// Whether several solutions were asked for.
    fn wants_all(&self) -> bool {
        false
    }

    /// The answer as a table.
    fn table(&self, row: &Row, answers: &[Self::Answer], out: &mut dyn Write) -> io::Result<()>;
}

/// What the numbers of a question are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    Platform,
    Joints,
    Either,
}

/// A quantity of an answer.
pub struct Column<A> {
    pub name: &'static str,
    /// Empty for a plain number or a word.
    pub unit: &'static str,
    pub shape: Shape,
    pub get: fn(&A) -> Quantity,
}

/// How many numbers a quantity has, and their names in CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    One,
    /// One per axis, with these names.
    Axes([&'static str; 3]),
    /// One per joint: the name and a number from 1.
    Joints,
    /// A matrix: the name, row and column from 1.
    Square,
}

/// A value of an answer.
pub enum Quantity {
    Number(f64),
    Numbers(Vec<f64>),
    Matrix(Vec<Vec<f64>>),
    Word(String),
    Words(Vec<String>),
}

impl<A> Column<A> {
    pub const fn new(name: &'static str, unit: &'static str, shape: Shape, get: fn(&A) -> Quantity) -> Self {
        Self { name, unit, shape, get }
    }

    /// Its headings in CSV: `q1 [rad]`.
    pub fn headings(&self) -> Vec<String> {
        let names: Vec<String> = match self.shape {
            Shape::One => vec![self.name.into()],
            Shape::Axes(names) => names.map(str::to_owned).to_vec(),
            Shape::Joints => (1..=3).map(|i| format!("{}{i}", self.name)).collect(),
            Shape::Square => {
                (1..=3).flat_map(|i| (1..=3).map(move |j| format!("{}{i}{j}", self.name))).collect()
            }
        };
        let unit = if self.unit.is_empty() { String::new() } else { format!(" [{}]", self.unit) };
        names.into_iter().map(|name| name + &unit).collect()
    }
}

impl Quantity {
    /// Writes its cells in CSV, each with a comma after it.
    pub fn write_cells(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut digits = |x: &f64| {
            if x.is_finite() { write!(out, "{:?},", unsigned_zero(*x)) } else { write!(out, ",") }
        };
        match self {
            Self::Number(x) => digits(x),
            Self::Numbers(list) => list.iter().try_for_each(digits),
            Self::Matrix(rows) => rows.iter().flatten().try_for_each(digits),
            Self::Word(word) => write!(out, "{word},"),
            Self::Words(words) => write!(out, "{},", words.join(" ")),
        }
    }

    fn json(self) -> Value {
        match self {
            Self::Number(x) => json!(unsigned_zero(x)),
            Self::Numbers(list) => list_json(&list),
            Self::Matrix(rows) => rows.iter().map(|row| list_json(row)).collect(),
            Self::Word(word) => json!(word),
            Self::Words(words) => json!(words),
        }
    }
}

/// A list of numbers as JSON; what is not finite becomes null.
fn list_json(list: &[f64]) -> Value {
    list.iter().map(|x| json!(unsigned_zero(*x))).collect()
}

/// The number itself, but zero for minus zero.
fn unsigned_zero(x: f64) -> f64 {
    x + 0.0
}

/// An answer as the entries of a JSON object.
pub fn entries<A>(columns: &[Column<A>], answer: &A) -> Map<String, Value> {
    columns.iter().map(|column| (column.name.to_owned(), (column.get)(answer).json())).collect()
}

/// Names of joints, for a list of their numbers from 0.
pub fn joint_names(joints: &[usize]) -> Vec<String> {
    joints.iter().map(|joint| format!("q{}", joint + 1)).collect()
}

/// One answer if numbers were given, otherwise one per line of stdin.
pub fn run<Q: Question>(
    question: &Q,
    row: Option<&Row>,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let Some(row) = row else {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            return Err(nothing_given(question.reads()).into());
        }
        return stream::run(question, stdin.lock(), as_json, out);
    };
    let answers = question.answers(row)?;
    if as_json {
        let columns = question.columns();
        let units: Map<String, Value> = columns
            .iter()
            .filter(|column| !column.unit.is_empty())
            .map(|column| (column.name.to_owned(), json!(column.unit)))
            .collect();
        let mut object = Map::new();
        object.insert("robot".into(), json!(question.robot()));
        if question.wants_all() {
            let all: Vec<_> = answers.iter().map(|answer| entries(&columns, answer)).collect();
            object.insert("solutions".into(), json!(all));
        } else if let Some(answer) = answers.first() {
            object.extend(entries(&columns, answer));
        }
        object.insert("units".into(), Value::Object(units));
        json::print(&Value::Object(object), out)?;
    } else {
        question.table(row, &answers, out)?;
    }
    Ok(Outcome::Done)
}

fn nothing_given(reads: Reads) -> Message {
    match reads {
        Reads::Joints => Message::new("no motor angles are given")
            .hint("give three, such as 10deg 20deg 30deg, or a stream of them on stdin"),
        Reads::Platform | Reads::Either => Message::new("no platform position is given")
            .hint("give X Y Z, such as 100mm 0 -800mm, or a stream of states on stdin"),
    }
}
