//! `legwork fk`: where the platform is at joint values.

use super::start::Start;
use super::{about, open};
use crate::Outcome;
use crate::answer::{self, Column, Quantity, Question, Reads, Shape, joint_names};
use crate::args::{FkArgs, Side};
use crate::failure::{Failure, Message};
use crate::form::{Form, Motors, Pose};
use crate::row::{Group, Row};
use crate::table::{Table, fixed, short_list};
use legwork::{AnyRobot, FORWARD_STARTS, PlatformSolution, PlatformState, RobotError};
use serde_json::{Value, json};
use std::io::{self, Write};

struct Fk {
    robot: AnyRobot,
    form: Form,
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
    fn pose(&self) -> Pose {
        Pose { position: self.solution.position, rotation: self.solution.rotation }
    }
}

pub fn run(args: &FkArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robot = open(&args.robot)?;
    let form = Form::of(&robot);
    let has_formula = robot.linkage().is_some();
    if args.assembly.is_some() && !has_formula {
        let error = RobotError::OtherFamily { what: "`--assembly`", robot: robot.name().into() };
        let hint =
            format!("`--near {}` says where to seek, `--all` prints all that are found", form.coordinates());
        return Err(Message::new(error.to_string()).hint(hint).into());
    }
    let mut row = Row::default();
    if !args.joints.is_empty() {
        form.argument(&mut row, "", &[Group::Joints], &args.joints)?;
    }
    let start = Start::from_args(&args.start, &robot, &form)?;
    let assembly = args.assembly.unwrap_or(Side::Below);
    let question = Fk { robot, form, name: args.robot.clone(), all: args.all, assembly, start, has_formula };
    answer::run(&question, (!args.joints.is_empty()).then_some(&row), as_json, out)
}

impl Question for Fk {
    type Answer = Found;

    fn reads(&self) -> Reads {
        Reads::Joints
    }

    fn form(&self) -> &Form {
        &self.form
    }

    fn wants_all(&self) -> bool {
        self.all
    }

    fn of_all(&self) -> Vec<(&'static str, Value)> {
        let starts = if self.has_formula { Value::Null } else { json!(FORWARD_STARTS) };
        vec![("complete", json!(self.has_formula)), ("seeded_starts", starts)]
    }

    fn columns(&self) -> Vec<Column<Found>> {
        let mut columns = vec![Column::group(&self.form, Group::Joints, |found: &Found| found.q.clone())];
        if self.has_formula || self.all {
            columns.push(Column::new("assembly", "", Shape::One, |found: &Found| {
                Quantity::Word(found.solution.mode.clone())
            }));
        }
        columns.extend(Column::pose(&self.form, Found::pose));
        if !self.has_formula {
            columns.push(Column::new("steps", "", Shape::One, |found: &Found| {
                Quantity::Count(found.solution.iterations.into())
            }));
            columns.push(Column::new("residual", "", Shape::One, |found: &Found| {
                Quantity::Number(found.solution.residual)
            }));
        }
        columns.push(Column::new("outside_limits", "", Shape::One, |found: &Found| {
            Quantity::Words(joint_names(&found.outside_limits))
        }));
        columns
    }

    fn answers(&self, row: &Row) -> Result<Vec<Found>, Failure> {
        let q = self.form.all(row, Group::Joints)?;
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

    fn table(&self, _: &Row, answers: &[Found], out: &mut dyn Write) -> io::Result<()> {
        let form = &self.form;
        let Some(first) = answers.first() else { return Ok(()) };
        let what = match form.motors() {
            Motors::Turn => "motor angles",
            Motors::Slide => "motor positions",
            Motors::Both => "joints",
        };
        let q = short_list(&form.human(&first.q));
        writeln!(out, "{} at {what} ({q}) {}\n", form.robot, form.either("deg", "mm"))?;
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
        if let Some(note) = about::outside(&self.robot, &first.outside_limits) {
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
        let form = &self.form;
        let mut table = Table::default();
        let names = |group: Group, unit: &str| -> Vec<String> {
            form.group(group).names.iter().map(|name| format!("{} [{unit}]", name.text)).collect()
        };
        let mut heads = vec!["platform".to_owned()];
        heads.extend(names(Group::Position, "mm"));
        heads.extend(names(Group::Orientation, "deg"));
        if !self.has_formula {
            heads.extend(["steps".into(), format!("residual [{}]", form.either("rad", "m"))]);
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
            cells.extend(form.pick(Group::Position, &solution.position).iter().map(|x| fixed(x * 1e3, 4)));
            cells.extend(form.angles(&solution.rotation).iter().map(|angle| fixed(angle.to_degrees(), 4)));
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
