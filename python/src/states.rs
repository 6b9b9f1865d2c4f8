//! States of the platform from rows of numbers, and one question about all of them.

use crate::answers::Answers;
use crate::errors;
use crate::numbers::{Numbers, View, common_count};
use crate::robot::Robot;
use legwork::coordinates::StateRow;
use legwork::{PlatformState, PlatformStates, RobotError, StateMark};
use pyo3::prelude::*;
use std::ops::Range;

/// States that are asked together while the interpreter is released. Enough for many threads; their lists stay small.
const CHUNK: usize = 16384;

/// The same for robots that are followed from home: Ctrl-C is heard in between.
const SLOW_CHUNK: usize = 512;

/// Poses, and what else is given about them.
pub struct States<'py> {
    pose: Numbers<'py>,
    velocity: Option<Numbers<'py>>,
    acceleration: Option<Numbers<'py>>,
    wrench: Option<Numbers<'py>>,
}

/// The rows of states.
pub struct StatesView<'a> {
    pose: View<'a>,
    velocity: Option<View<'a>>,
    acceleration: Option<View<'a>>,
    wrench: Option<View<'a>>,
}

impl<'a> StatesView<'a> {
    /// The numbers of a state.
    fn row(&self, number: usize) -> StateRow<'a> {
        StateRow {
            pose: self.pose.row(number),
            velocity: self.velocity.map(|given| given.row(number)),
            acceleration: self.acceleration.map(|given| given.row(number)),
            wrench: self.wrench.map(|given| given.row(number)),
        }
    }
}

/// An argument that may be left out.
pub type Given<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The answer for one state: its number, the state, a list for each part of the answer.
pub type One<'a> = &'a (dyn Fn(usize, &PlatformState, &mut [Vec<f64>]) -> Result<(), RobotError> + Sync);
/// The library's own call for many states: their numbers, the states, a list for each part, a mark for each.
pub type Many<'a> = &'a (
        dyn Fn(
    Range<usize>,
    &PlatformStates<'_>,
    &mut [Vec<f64>],
    &mut [StateMark],
) -> Result<usize, RobotError>
            + Sync
    );

/// Lists as the library's batches take them.
#[derive(Default)]
struct Lists {
    positions: Vec<f64>,
    rotations: Option<Vec<f64>>,
    twists: Option<Vec<f64>>,
    accelerations: Option<Vec<f64>>,
    wrenches: Option<Vec<f64>>,
}

impl Lists {
    fn push(&mut self, state: &PlatformState) {
        self.positions.extend_from_slice(&state.position);
        if let Some(list) = &mut self.rotations {
            list.extend_from_slice(state.rotation.as_flattened());
        }
        for (list, six) in [
            (&mut self.twists, &state.twist),
            (&mut self.accelerations, &state.acceleration),
            (&mut self.wrenches, &state.wrench),
        ] {
            if let Some(list) = list {
                list.extend_from_slice(six);
            }
        }
    }

    fn clear(&mut self) {
        self.positions.clear();
        let lists = [&mut self.rotations, &mut self.twists, &mut self.accelerations, &mut self.wrenches];
        lists.into_iter().flatten().for_each(Vec::clear);
    }

    fn states(&self) -> PlatformStates<'_> {
        PlatformStates {
            positions: &self.positions,
            rotations: self.rotations.as_deref(),
            twists: self.twists.as_deref(),
            accelerations: self.accelerations.as_deref(),
            wrenches: self.wrenches.as_deref(),
        }
    }
}

impl<'py> States<'py> {
    /// From the arguments of a call.
    pub fn new(
        pose: &Bound<'py, PyAny>,
        velocity: Given<'_, 'py>,
        acceleration: Given<'_, 'py>,
        wrench: Given<'_, 'py>,
    ) -> PyResult<Self> {
        let optional = |what, given: Given<'_, 'py>| given.map(|given| Numbers::of(what, given)).transpose();
        Ok(Self {
            pose: Numbers::of("pose", pose)?,
            velocity: optional("velocity", velocity)?,
            acceleration: optional("acceleration", acceleration)?,
            wrench: optional("wrench", wrench)?,
        })
    }

    /// How many there are, if not one alone; with further rows that must be as many.
    pub fn count(
        &self,
        py: Python<'py>,
        other: Option<(&'static str, &Numbers<'py>)>,
    ) -> PyResult<Option<usize>> {
        let optional =
            [("velocity", &self.velocity), ("acceleration", &self.acceleration), ("wrench", &self.wrench)];
        let optional = optional.into_iter().filter_map(|(what, given)| Some((what, given.as_ref()?)));
        common_count(py, [("pose", &self.pose)].into_iter().chain(optional).chain(other))
    }

    /// Whether each of them is one row.
    pub fn is_one(&self) -> bool {
        let optional = [&self.velocity, &self.acceleration, &self.wrench];
        self.pose.count().is_none() && optional.into_iter().flatten().all(|given| given.count().is_none())
    }

    /// For those who ask for one after the other.
    pub fn view(&self) -> StatesView<'_> {
        StatesView {
            pose: self.pose.view(),
            velocity: self.velocity.as_ref().map(Numbers::view),
            acceleration: self.acceleration.as_ref().map(Numbers::view),
            wrench: self.wrench.as_ref().map(Numbers::view),
        }
    }

    /// One of them.
    pub fn get(&self, py: Python<'_>, robot: &Robot, number: usize) -> PyResult<PlatformState> {
        let row = self.view().row(number);
        robot.schema.state_of_row(&row).map_err(|error| errors::coordinates(py, &error))
    }

    /// Asks the same about each of them. One state without an answer is an exception; in a batch, and with marks, it
    /// is NaN. The interpreter is released while the library computes; the caller's memory is read and written only
    /// while it is held.
    pub fn ask(
        &self,
        py: Python<'py>,
        robot: &Robot,
        question: &Question<'_>,
        return_marks: bool,
    ) -> PyResult<Answers> {
        let shapes = question.shapes.to_vec();
        let widths: Vec<usize> = shapes.iter().map(|shape| shape.iter().product()).collect();
        let room =
            |count: usize| -> Vec<Vec<f64>> { widths.iter().map(|width| vec![0.0; width * count]).collect() };
        let Some(count) = question.count else {
            let state = self.get(py, robot, 0)?;
            let mut lists = room(1);
            let asked = if robot.is_slow {
                py.detach(|| (question.one)(0, &state, &mut lists))
            } else {
                (question.one)(0, &state, &mut lists)
            };
            return match asked {
                Ok(()) => Ok(Answers::one(shapes, lists)),
                Err(error) => Answers::refused(py, shapes, &error, return_marks),
            };
        };
        if count == 0 {
            // Numbers of a wrong width are refused all the same.
            self.check_widths(py, robot)?;
        }
        let mut answers = Answers {
            count: Some(count),
            shapes,
            lists: widths.iter().map(|width| Vec::with_capacity(width * count)).collect(),
            marks: Vec::with_capacity(count),
        };
        let mut lists = Lists {
            rotations: robot.is_turned.then(Vec::new),
            twists: self.velocity.as_ref().map(|_| Vec::new()),
            accelerations: self.acceleration.as_ref().map(|_| Vec::new()),
            wrenches: self.wrench.as_ref().map(|_| Vec::new()),
            ..Lists::default()
        };
        let (view, mut states) = (self.view(), Vec::new());
        let chunk = if robot.is_slow { SLOW_CHUNK } else { CHUNK };
        for first in (0..count).step_by(chunk) {
            let range = first..count.min(first + chunk);
            lists.clear();
            states.clear();
            for number in range.clone() {
                let state = robot.schema.state_of_row(&view.row(number));
                let state = state.map_err(|error| errors::coordinates(py, &error))?;
                if question.many.is_some() {
                    lists.push(&state);
                } else {
                    states.push(state);
                }
            }
            let mut found = room(range.len());
            let mut marks = vec![StateMark::Answered; range.len()];
            py.detach(|| match question.many {
                Some(many) => many(range, &lists.states(), &mut found, &mut marks).map(|_| ()),
                None => one_by_one(question.one, range, &states, &widths, &mut found, &mut marks),
            })
            .map_err(|error| errors::robot(py, &error))?;
            for (all, found) in answers.lists.iter_mut().zip(&found) {
                all.extend_from_slice(found);
            }
            answers.marks.extend(marks);
            py.check_signals()?;
        }
        Ok(answers)
    }

    /// Refuses rows of a wrong width where there are none.
    fn check_widths(&self, py: Python<'_>, robot: &Robot) -> PyResult<()> {
        let zeros = |given: &Numbers<'_>| vec![0.0; given.width()];
        let pose = zeros(&self.pose);
        let [velocity, acceleration, wrench] =
            [&self.velocity, &self.acceleration, &self.wrench].map(|given| given.as_ref().map(zeros));
        let row = StateRow {
            pose: &pose,
            velocity: velocity.as_deref(),
            acceleration: acceleration.as_deref(),
            wrench: wrench.as_deref(),
        };
        robot.schema.state_of_row(&row).map(|_| ()).map_err(|error| errors::coordinates(py, &error))
    }
}

/// What is asked about states.
pub struct Question<'a> {
    /// About how many, if not one alone.
    pub count: Option<usize>,
    /// The shape of each part of the answer, for one state.
    pub shapes: &'a [Vec<usize>],
    /// For one state.
    pub one: One<'a>,
    /// For many, if the library has a call for them.
    pub many: Option<Many<'a>>,
}

/// One state after the other. What no state can have is an error.
fn one_by_one(
    one: One<'_>,
    numbers: Range<usize>,
    states: &[PlatformState],
    widths: &[usize],
    found: &mut [Vec<f64>],
    marks: &mut [StateMark],
) -> Result<(), RobotError> {
    let mut own: Vec<Vec<f64>> = widths.iter().map(|width| vec![0.0; *width]).collect();
    for (place, (number, state)) in numbers.zip(states).enumerate() {
        match one(number, state, &mut own) {
            Ok(()) => {}
            Err(error @ (RobotError::NoMasses { .. } | RobotError::Count { .. })) => return Err(error),
            Err(error) => {
                for list in &mut own {
                    list.fill(f64::NAN);
                }
                marks[place] = error.mark();
            }
        }
        for ((all, own), width) in found.iter_mut().zip(&own).zip(widths) {
            all[place * width..(place + 1) * width].copy_from_slice(own);
        }
    }
    Ok(())
}

/// The names and numbers of all marks.
#[pyfunction]
pub fn marks() -> Vec<(String, u8)> {
    [
        StateMark::Answered,
        StateMark::NotFinite,
        StateMark::NotARotation,
        StateMark::NotAFreedom,
        StateMark::Unreachable,
        StateMark::SerialSingularity,
        StateMark::ParallelSingularity,
        StateMark::NoMass,
        StateMark::Other,
    ]
    .into_iter()
    .map(|mark| (format!("{mark:?}"), mark as u8))
    .collect()
}
