//! `legwork fk`: where the platform is at joint values.

use super::open;
use super::start::Start;
use crate::Outcome;
use crate::answer::{self, AnswerValue, Column, Question, Reads, Shape, joint_names};
use crate::args::{FkArgs, Side};
use crate::failure::{Failure, Message};
use crate::table::Table;
use legwork::coordinates::{CoordinateSchema, Group, MotorMotion, Values};
use legwork::text::{fixed, short_list};
use legwork::{AnyRobot, FORWARD_STARTS, PlatformSolution, PlatformState, RobotError};
use serde_json::{Value, json};
use std::io::{self, Write};

struct Fk {
    robot: AnyRobot,
    schema: CoordinateSchema,
    name: String,
    all: bool,
    assembly: Side,
    start: Start,
    has_formula: bool,
}

/// A solution with the joint values it is of.
struct Found {
    q: Vec<f64>,
    outside_limits: Vec<usize>,
    solution: PlatformSolution,
}

impl Found {
    fn pose(&self) -> PlatformState {
        PlatformState::at(self.solution.position).turned(self.solution.rotation)
    }
}

pub fn run(args: &FkArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robot = open(&args.robot)?;
    let schema = CoordinateSchema::of(&robot);
    let has_formula = robot.linkage().is_some();
    if args.assembly.is_some() && !has_formula {
        let error = RobotError::OtherFamily { what: "`--assembly`", robot: robot.name().into() };
        let hint =
            format!("`--near {}` says where to seek, `--all` prints all that are found", schema.usage());
        return Err(Message::new(error.to_string()).hint(hint).into());
    }
    let mut row = Values::default();
    if !args.joints.is_empty() {
        schema.read(&mut row, "", &[Group::Joints], &args.joints)?;
    }
    let start = Start::from_args(&args.start, &robot, &schema)?;
    let assembly = args.assembly.unwrap_or(Side::Below);
    let question =
        Fk { robot, schema, name: args.robot.clone(), all: args.all, assembly, start, has_formula };
    answer::run(&question, (!args.joints.is_empty()).then_some(&row), as_json, out)
}

impl Question for Fk {
    type Answer = Found;

    fn reads(&self) -> Reads {
        Reads::Joints
    }

    fn schema(&self) -> &CoordinateSchema {
        &self.schema
    }

    fn wants_all(&self) -> bool {
        self.all
    }

    fn of_all(&self) -> Vec<(&'static str, Value)> {
        let starts = if self.has_formula { Value::Null } else { json!(FORWARD_STARTS) };
        vec![("complete", json!(self.has_formula)), ("seeded_starts", starts)]
    }

    fn columns(&self) -> Vec<Column<Found>> {
        let mut columns = vec![Column::group(&self.schema, Group::Joints, |found: &Found| found.q.clone())];
        if self.has_formula || self.all {
            columns.push(Column::new("assembly", "", Shape::One, |found: &Found| {
                AnswerValue::Word(found.solution.mode.clone())
            }));
        }
        columns.extend(Column::pose(&self.schema, Found::pose));
        if !self.has_formula {
            columns.push(Column::new("steps", "", Shape::One, |found: &Found| {
                AnswerValue::Count(found.solution.iterations.into())
            }));
            columns.push(Column::new("residual", "", Shape::One, |found: &Found| {
                AnswerValue::Number(found.solution.residual)
            }));
        }
        columns.push(Column::new("outside_limits", "", Shape::One, |found: &Found| {
            AnswerValue::Words(joint_names(&found.outside_limits))
        }));
        columns
    }

    fn answers(&self, row: &Values) -> Result<Vec<Found>, Failure> {
        let q = self.schema.all(row, Group::Joints)?;
        let failed = |error| Failure::of(error, &self.name);
        let outside_limits = self.robot.outside_limits(&q).map_err(failed)?;
        let solutions = self.solutions(&q).map_err(failed)?;
        if solutions.is_empty() {
            let error =
                format!("no pose has these joint values: none was found by {FORWARD_STARTS} seeded starts");
            return Err(Message::new(error).into());
        }
        let found = |solution| Found { q: q.clone(), outside_limits: outside_limits.clone(), solution };
        Ok(solutions.into_iter().map(found).collect())
    }

    fn table(&self, _: &Values, answers: &[Found], out: &mut dyn Write) -> io::Result<()> {
        let schema = &self.schema;
        let Some(first) = answers.first() else { return Ok(()) };
        let what = match schema.motor_motion() {
            MotorMotion::Turn => "motor angles",
            MotorMotion::Slide => "motor positions",
            MotorMotion::Both => "joints",
        };
        let q = short_list(&schema.in_degrees_and_millimetres(&first.q));
        writeln!(out, "{} at {what} ({q}) {}\n", schema.robot, schema.either("deg", "mm"))?;
        self.poses(answers).print(out)?;
        if self.all {
            let modes = if answers.len() == 1 { "assembly mode" } else { "assembly modes" };
            let proof = if self.has_formula {
                "all there are".into()
            } else {
                format!("found by {FORWARD_STARTS} seeded starts; there may be more")
            };
            writeln!(out, "\n{} {modes}, {proof}", answers.len())?;
        }
        if let Some(note) = self.robot.outside_limits_text(&first.outside_limits) {
            writeln!(out, "\n{note}")?;
        }
        Ok(())
    }
}

impl Fk {
    fn solutions(&self, q: &[f64]) -> Result<Vec<PlatformSolution>, RobotError> {
        if self.all {
            return self.robot.all_forward_kinematics(q);
        }
        if self.has_formula && self.assembly == Side::Above {
            let mut both = self.robot.all_forward_kinematics(q)?;
            both.retain(|solution| solution.mode == self.assembly.name());
            return Ok(both);
        }
        let solution = self.robot.forward_kinematics(q, &self.start.pose())?;
        self.start.found(PlatformState::at(solution.position).turned(solution.rotation));
        Ok(vec![solution])
    }

    fn poses(&self, answers: &[Found]) -> Table {
        let schema = &self.schema;
        let mut table = Table::default();
        let names = |group: Group, unit: &str| -> Vec<String> {
            schema.group(group).names.iter().map(|name| format!("{} [{unit}]", name.text)).collect()
        };
        let mut heads = vec!["platform".to_owned()];
        heads.extend(names(Group::Position, "mm"));
        heads.extend(names(Group::Orientation, "deg"));
        if !self.has_formula {
            heads.extend(["steps".into(), format!("residual [{}]", schema.either("rad", "m"))]);
        }
        table.row(heads);
        for found in answers {
            let solution = &found.solution;
            let name = match (self.has_formula, self.all) {
                (true, _) => format!("{} the elbows", solution.mode),
                (false, true) => solution.mode.clone(),
                (false, false) if self.start.is_home => "near home".into(),
                (false, false) => "near the start".into(),
            };
            let mut cells = vec![name];
            cells.extend(schema.pick(Group::Position, &solution.position).iter().map(|x| fixed(x * 1e3, 4)));
            cells.extend(schema.angles(&solution.rotation).iter().map(|angle| fixed(angle.to_degrees(), 4)));
            if !self.has_formula {
                cells.extend([solution.iterations.to_string(), residual(solution.residual)]);
            }
            table.row(cells);
        }
        table
    }
}

/// A gap that rounding explains is none.
fn residual(gap: f64) -> String {
    if gap < 1e-12 { "< 1e-12".into() } else { format!("{gap:.0e}") }
}
