//! What is known about the answer to a question about single states: its columns with names, units and shapes.

use super::TaskError;
use crate::coordinates::{CoordinateSchema, Group, UnitChoice, Units, Values};
use crate::{AnyRobot, PlatformState, rotation};
use serde_json::{Map, Value, json};

/// A question that is answered row by row: once, or for every line of a stream.
pub trait StateTask {
    /// One solution.
    type Answer: 'static;

    /// What a row gives.
    fn input(&self) -> StateInput;

    /// What the numbers of a row are.
    fn schema(&self) -> &CoordinateSchema;

    /// The same, to choose units.
    fn schema_mut(&mut self) -> &mut CoordinateSchema;

    /// What an answer holds, in SI.
    fn columns(&self) -> Vec<AnswerColumn<Self::Answer>>;

    /// What an answer holds, in the units that were chosen.
    fn chosen_columns(&self) -> Vec<AnswerColumn<Self::Answer>> {
        let choice = self.schema().choice();
        self.columns().into_iter().map(|column| column.in_units(choice)).collect()
    }

    /// Every solution asked for.
    fn answers(&self, row: &Values) -> Result<Vec<Self::Answer>, TaskError>;

    /// Whether several solutions were asked for.
    fn wants_all(&self) -> bool {
        false
    }

    /// What is said of all solutions together.
    fn about_all(&self, _: &[Self::Answer]) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// One row's answers as a JSON object with their units.
    fn object(&self, answers: &[Self::Answer]) -> Map<String, Value> {
        let columns = self.chosen_columns();
        let mut object = Map::new();
        object.insert("robot".into(), json!(self.schema().robot));
        if self.wants_all() {
            let all: Vec<_> = answers.iter().map(|answer| entries(&columns, answer)).collect();
            object.insert("solutions".into(), json!(all));
            object.extend(self.about_all(answers).into_iter().map(|(name, value)| (name.to_owned(), value)));
        } else if let Some(answer) = answers.first() {
            object.extend(entries(&columns, answer));
        }
        let units = columns.iter().filter_map(|column| Some((column.name.to_owned(), column.units_json()?)));
        object.insert("units".into(), Value::Object(units.collect()));
        object
    }
}

/// What the numbers of a row are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateInput {
    /// Where the platform is, and how it moves.
    Platform,
    /// Joint values, and how they move.
    Joints,
    /// Either.
    Either,
}

/// A quantity of an answer.
pub struct AnswerColumn<A> {
    /// Its name, also its key in JSON.
    pub name: &'static str,
    /// Its units.
    pub units: Units,
    /// How many numbers it has.
    pub shape: Shape,
    /// Whether a table leaves it out: it says again what other columns say.
    pub only_json: bool,
    get: Box<dyn Fn(&A) -> AnswerValue>,
}

/// How many numbers a quantity has, and their names in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number or word.
    One,
    /// Numbers with these names.
    Names(Vec<String>),
    /// So many: the name and a number from 1.
    List(usize),
    /// A matrix: the name, row and column from 1.
    Matrix(usize, usize),
}

/// A value of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerValue {
    /// A number; NaN where there is none.
    Number(f64),
    /// A count.
    Count(usize),
    /// A list of numbers.
    Numbers(Vec<f64>),
    /// A matrix by rows.
    Matrix(Vec<Vec<f64>>),
    /// A word.
    Word(String),
    /// Words.
    Words(Vec<String>),
}

impl<A: 'static> AnswerColumn<A> {
    /// A column, and how its value is taken out of an answer.
    pub fn new(
        name: &'static str,
        units: impl Into<Units>,
        shape: Shape,
        get: impl Fn(&A) -> AnswerValue + 'static,
    ) -> Self {
        Self { name, units: units.into(), shape, only_json: false, get: Box::new(get) }
    }

    /// What follows from the free coordinates of a mechanism's platform; nothing for other robots.
    pub fn following(robot: &AnyRobot, pose: impl Fn(&A) -> PlatformState + 'static) -> Option<Self> {
        let units: Vec<&'static str> =
            robot.following(&robot.home()).iter().map(|(_, _, unit)| *unit).collect();
        if units.is_empty() {
            return None;
        }
        let (robot, count) = (robot.clone(), units.len());
        Some(Self::new("following", Units::of(units), Shape::List(count), move |answer| {
            AnswerValue::Numbers(robot.following(&pose(answer)).iter().map(|(_, value, _)| *value).collect())
        }))
    }

    /// Names of the motors that the platform's pose does not tell, if there are some.
    pub fn held(robot: &AnyRobot) -> Option<Self> {
        let names = robot.held_motors().iter().filter_map(|place| robot.joints().get(*place));
        let names: Vec<String> = names.map(|joint| joint.name.clone()).collect();
        (!names.is_empty()).then(|| {
            let words = Self::new("held", "", Shape::One, move |_| AnswerValue::Words(names.clone()));
            Self { only_json: true, ..words }
        })
    }

    /// Whether the motors of a mechanism lead to the pose from home: `reached`, or nothing where it is beyond a posture in
    /// which they do not hold the platform; nothing for other robots.
    pub fn from_home(robot: &AnyRobot, pose: impl Fn(&A) -> PlatformState + 'static) -> Option<Self> {
        robot.mobility()?;
        let robot = robot.clone();
        Some(Self::new("from_home", "", Shape::One, move |answer| {
            let leaves = robot.leaves_branch(&pose(answer)).unwrap_or(true);
            AnswerValue::Word(if leaves { "" } else { "reached" }.to_owned())
        }))
    }

    /// The same in these units.
    #[must_use]
    pub fn in_units(self, choice: UnitChoice) -> Self {
        if choice == UnitChoice::default() {
            return self;
        }
        let (si, get) = (self.units.clone(), self.get);
        let scale = move |place: usize, x: f64| x * choice.shown(si.get(place)).1;
        let units = choice.units(&self.units);
        let get = Box::new(move |answer: &A| match get(answer) {
            AnswerValue::Number(x) => AnswerValue::Number(scale(0, x)),
            AnswerValue::Numbers(list) => {
                AnswerValue::Numbers(list.into_iter().enumerate().map(|(k, x)| scale(k, x)).collect())
            }
            AnswerValue::Matrix(rows) => {
                let mut place = 0..;
                let mut next = |x: f64| scale(place.next().unwrap_or(0), x);
                AnswerValue::Matrix(
                    rows.into_iter().map(|row| row.into_iter().map(&mut next).collect()).collect(),
                )
            }
            other => other,
        });
        Self { units, get, ..self }
    }

    /// Its value in an answer.
    pub fn value(&self, answer: &A) -> AnswerValue {
        (self.get)(answer)
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

    /// Where the platform is; the orientation in three ways in JSON.
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

    /// Names of joints, of a list of their numbers from 0.
    pub fn joint_names(name: &'static str, get: impl Fn(&A) -> Vec<usize> + 'static) -> Self {
        Self::new(name, "", Shape::One, move |answer| {
            AnswerValue::Words(get(answer).iter().map(|joint| format!("q{}", joint + 1)).collect())
        })
    }

    /// Its headings in a table: `q1 [rad]`.
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
        let with_unit = |(place, name): (usize, String)| match self.units.get(place) {
            "" => name,
            unit => format!("{name} [{unit}]"),
        };
        names.into_iter().enumerate().map(with_unit).collect()
    }

    /// Its units in JSON.
    fn units_json(&self) -> Option<Value> {
        match (&self.units, &self.shape) {
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
    /// Its numbers, a matrix row by row; none of a count or of words.
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Number(x) => vec![*x],
            Self::Numbers(list) => list.clone(),
            Self::Matrix(rows) => rows.concat(),
            Self::Count(_) | Self::Word(_) | Self::Words(_) => Vec::new(),
        }
    }

    /// As JSON: what is not finite is null, minus zero is zero.
    pub fn json(&self) -> Value {
        let list = |list: &[f64]| -> Value { list.iter().map(|x| json!(x + 0.0)).collect() };
        match self {
            Self::Number(x) => json!(x + 0.0),
            Self::Count(n) => json!(n),
            Self::Numbers(numbers) => list(numbers),
            Self::Matrix(rows) => rows.iter().map(|row| list(row)).collect(),
            Self::Word(word) => json!(word),
            Self::Words(words) => json!(words),
        }
    }
}

/// An answer as the entries of a JSON object.
pub fn entries<A: 'static>(columns: &[AnswerColumn<A>], answer: &A) -> Map<String, Value> {
    columns.iter().map(|column| (column.name.to_owned(), column.value(answer).json())).collect()
}
