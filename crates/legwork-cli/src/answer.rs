//! What the verbs about states share: a question, its answers, and how they are printed.

use crate::failure::{Failure, Message};
use crate::{Outcome, json, stream};
use legwork::coordinates::{CoordinateSchema, Group, Units, Values};
use legwork::text::short;
use legwork::{PlatformState, rotation};
use serde_json::{Map, Value, json};
use std::io::{self, IsTerminal, Write};

/// A verb with its options, ready to answer.
pub trait Question {
    /// One solution.
    type Answer;

    /// What the numbers of a line are.
    fn reads(&self) -> Reads;

    /// What the numbers about the robot are.
    fn schema(&self) -> &CoordinateSchema;

    /// Values that hold where a line gives none.
    fn defaults(&self) -> Values {
        Values::default()
    }

    /// What is printed of an answer.
    fn columns(&self) -> Vec<Column<Self::Answer>>;

    /// Every solution asked for.
    fn answers(&self, row: &Values) -> Result<Vec<Self::Answer>, Failure>;

    /// Whether several solutions were asked for.
    fn wants_all(&self) -> bool {
        false
    }

    /// What JSON says of all solutions together.
    fn of_all(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// The answer as a table.
    fn table(&self, row: &Values, answers: &[Self::Answer], out: &mut dyn Write) -> io::Result<()>;
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
    pub unit: Units,
    pub shape: Shape,
    /// Whether CSV leaves it out: it says again what other columns say.
    pub only_json: bool,
    pub get: Box<dyn Fn(&A) -> AnswerValue>,
}

/// How many numbers a quantity has, and their names in CSV.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    One,
    /// Numbers with these names.
    Names(Vec<String>),
    /// So many: the name and a number from 1.
    List(usize),
    /// A matrix: the name, row and column from 1.
    Matrix(usize, usize),
}

/// A value of an answer.
pub enum AnswerValue {
    Number(f64),
    Count(usize),
    Numbers(Vec<f64>),
    Matrix(Vec<Vec<f64>>),
    Word(String),
    Words(Vec<String>),
}

impl<A: 'static> Column<A> {
    pub fn new(
        name: &'static str,
        unit: impl Into<Units>,
        shape: Shape,
        get: impl Fn(&A) -> AnswerValue + 'static,
    ) -> Self {
        Self { name, unit: unit.into(), shape, only_json: false, get: Box::new(get) }
    }

    /// The numbers of a group; one alone is no list.
    pub fn group(schema: &CoordinateSchema, group: Group, get: impl Fn(&A) -> Vec<f64> + 'static) -> Self {
        let columns = schema.group(group);
        let names: Vec<String> = columns.names.iter().map(|name| name.text.clone()).collect();
        let alone = names.len() == 1 && !matches!(group, Group::Position | Group::Joints);
        Self::new(columns.key, schema.units(group), Shape::Names(names), move |answer| {
            match get(answer).as_slice() {
                [one] if alone => AnswerValue::Number(*one),
                list => AnswerValue::Numbers(list.to_vec()),
            }
        })
    }

    /// Where the platform is; of one that turns in three ways in JSON.
    pub fn pose(schema: &CoordinateSchema, get: fn(&A) -> PlatformState) -> Vec<Self> {
        let own = schema.clone();
        let position = move |answer: &A| own.pick(Group::Position, &get(answer).position);
        let mut columns = vec![Self::group(schema, Group::Position, position)];
        if schema.turns() {
            let own = schema.clone();
            columns.push(Self::group(schema, Group::Orientation, move |answer| {
                own.angles(&get(answer).rotation)
            }));
            let rotation = Self::new("rotation", "", Shape::Matrix(3, 3), move |answer| {
                AnswerValue::Matrix(get(answer).rotation.map(|row| row.to_vec()).to_vec())
            });
            let quaternion = Self::new("quaternion_wxyz", "", Shape::List(4), move |answer| {
                AnswerValue::Numbers(rotation::to_quaternion(&get(answer).rotation).to_vec())
            });
            columns.extend([rotation, quaternion].map(|column| Self { only_json: true, ..column }));
        }
        columns
    }

    /// Its headings in CSV: `q1 [rad]`.
    pub fn headings(&self) -> Vec<String> {
        let names: Vec<String> = match &self.shape {
            Shape::One => vec![self.name.into()],
            Shape::Names(names) => names.clone(),
            Shape::List(count) => (1..=*count).map(|i| format!("{}{i}", self.name)).collect(),
            Shape::Matrix(rows, columns) => {
                // Ten and more need a mark between row and column.
                let mark = if rows.max(columns) > &9 { "_" } else { "" };
                let name = |i: usize, j: usize| format!("{}{i}{mark}{j}", self.name);
                (1..=*rows)
                    .flat_map(|i| (1..=*columns).map(move |j| (i, j)))
                    .map(|(i, j)| name(i, j))
                    .collect()
            }
        };
        let with_unit = |(place, name): (usize, String)| match self.unit.get(place) {
            "" => name,
            unit => format!("{name} [{unit}]"),
        };
        names.into_iter().enumerate().map(with_unit).collect()
    }

    /// Its units in JSON.
    fn units(&self) -> Option<Value> {
        match (&self.unit, &self.shape) {
            (Units::None, _) => None,
            (Units::All(unit), _) => Some(json!(unit)),
            (Units::Each(units), Shape::Matrix(_, columns)) => {
                Some(units.chunks(*columns).map(|row| json!(row)).collect())
            }
            (Units::Each(units), _) => Some(json!(units)),
        }
    }
}

impl AnswerValue {
    /// Writes its cells in CSV, each with a comma after it.
    pub fn write_cells(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut digits = |x: &f64| {
            if x.is_finite() { write!(out, "{:?},", unsigned_zero(*x)) } else { write!(out, ",") }
        };
        match self {
            Self::Number(x) => digits(x),
            Self::Count(n) => write!(out, "{n},"),
            Self::Numbers(list) => list.iter().try_for_each(digits),
            Self::Matrix(rows) => rows.iter().flatten().try_for_each(digits),
            Self::Word(word) => write!(out, "{word},"),
            Self::Words(words) => write!(out, "{},", words.join(" ")),
        }
    }

    fn json(self) -> Value {
        match self {
            Self::Number(x) => json!(unsigned_zero(x)),
            Self::Count(n) => json!(n),
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
pub fn run<Q: Question<Answer: 'static>>(
    question: &Q,
    row: Option<&Values>,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let Some(row) = row else {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            return Err(nothing_given(question).into());
        }
        return stream::run(question, stdin.lock(), as_json, out);
    };
    let answers = question.answers(row)?;
    if as_json {
        let columns = question.columns();
        let units = columns.iter().filter_map(|column| Some((column.name.to_owned(), column.units()?)));
        let mut object = Map::new();
        object.insert("robot".into(), json!(question.schema().robot));
        if question.wants_all() {
            let all: Vec<_> = answers.iter().map(|answer| entries(&columns, answer)).collect();
            object.insert("solutions".into(), json!(all));
            object.extend(question.of_all().into_iter().map(|(name, value)| (name.to_owned(), value)));
        } else if let Some(answer) = answers.first() {
            object.extend(entries(&columns, answer));
        }
        object.insert("units".into(), Value::Object(units.collect()));
        json::print(&Value::Object(object), out)?;
    } else {
        question.table(row, &answers, out)?;
    }
    Ok(Outcome::Done)
}

fn nothing_given(question: &impl Question) -> Message {
    let schema = question.schema();
    match question.reads() {
        Reads::Joints => {
            let example = schema.each("10deg", "100mm").join(" ");
            Message::new("no joint values are given").hint(format!(
                "give {} of them, such as {example}, or a stream on stdin",
                schema.motor_count()
            ))
        }
        Reads::Platform | Reads::Either => {
            let home = schema.home_position();
            let home: Vec<String> = home.iter().map(|x| format!("{}mm", short(x * 1e3))).collect();
            let example = home.join(" ");
            Message::new("no platform position is given")
                .hint(format!("give {}, such as {example}, or a stream of states on stdin", schema.usage()))
        }
    }
}
