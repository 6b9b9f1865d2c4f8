//! States of the platform from rows of numbers, and one question about all of them.

use crate::answers::Answers;
use crate::errors;
use crate::numbers::{Numbers, View, common_count};
use crate::robot::Robot;
use crate::threads;
use legwork::coordinates::StateRow;
use legwork::{PlatformState, RobotError, RowLayout, RowList, StateMark, StateRows};
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
pub type One<'a> = &'a (dyn Fn(usize, &PlatformState, &mut [&mut [f64]]) -> Result<(), RobotError> + Sync);
/// The library's own call for many states: their numbers, the states, a list for each part, a mark for each.
pub type Many<'a> = &'a (
        dyn Fn(Range<usize>, &StateRows<'_>, &mut [&mut [f64]], &mut [StateMark]) -> Result<usize, RobotError>
            + Sync
    );

/// The rows of a chunk in memory of our own, so that nobody writes to them while they are read.
#[derive(Default)]
struct Chunk {
    pose: Vec<f64>,
    velocity: Vec<f64>,
    acceleration: Vec<f64>,
    wrench: Vec<f64>,
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
        let count = question.count.unwrap_or(1);
        let mut lists: Vec<Vec<f64>> = widths.iter().map(|width| vec![0.0; width * count]).collect();
        if question.count.is_none() {
            let state = self.get(py, robot, 0)?;
            let mut parts: Vec<&mut [f64]> = lists.iter_mut().map(Vec::as_mut_slice).collect();
            let asked = if robot.is_slow {
                py.detach(|| (question.one)(0, &state, &mut parts))
            } else {
                (question.one)(0, &state, &mut parts)
            };
            return match asked {
                Ok(()) => Ok(Answers::one(shapes, lists)),
                Err(error) => Answers::refused(py, shapes, &error, return_marks),
            };
        }
        let layout = self.layout(py, robot)?;
        let mut marks = vec![StateMark::Answered; count];
        let mut chunk = Chunk::default();
        let step = if robot.is_slow { SLOW_CHUNK } else { CHUNK };
        for first in (0..count).step_by(step) {
            let range = first..count.min(first + step);
            let rows = self.rows(layout, &range, &mut chunk);
            let parts = lists.iter_mut().zip(&widths);
            let mut parts: Vec<&mut [f64]> =
                parts.map(|(list, width)| &mut list[range.start * width..range.end * width]).collect();
            let marks = &mut marks[range.clone()];
            let work = || match question.many {
                Some(many) => many(range, &rows, &mut parts, marks).map(|_| ()),
                None => one_by_one(question.one, range, &rows, &widths, &mut parts, marks),
            };
            py.detach(|| threads::within(work)).map_err(|error| errors::robot(py, &error))?;
            py.check_signals()?;
        }
        Ok(Answers { count: question.count, shapes, lists, marks })
    }

    /// What the numbers of the rows are.
    fn layout(&self, py: Python<'_>, robot: &Robot) -> PyResult<RowLayout> {
        let [velocity, acceleration, wrench] = [&self.velocity, &self.acceleration, &self.wrench]
            .map(|given| given.as_ref().map(Numbers::width));
        let layout = robot.schema.row_layout(self.pose.width(), velocity, acceleration, wrench);
        layout.map_err(|error| errors::coordinates(py, &error))
    }

    /// The rows of these states, copied into the chunk.
    fn rows<'a>(&self, layout: RowLayout, range: &Range<usize>, chunk: &'a mut Chunk) -> StateRows<'a> {
        fn own<'a>(given: &Numbers<'_>, range: &Range<usize>, room: &'a mut Vec<f64>) -> RowList<'a> {
            let width = given.width();
            room.clear();
            if given.count().is_none() {
                room.extend_from_slice(given.all());
                return RowList::Same(room);
            }
            room.extend_from_slice(&given.all()[range.start * width..range.end * width]);
            RowList::Each(room)
        }
        StateRows {
            layout,
            count: range.len(),
            poses: own(&self.pose, range, &mut chunk.pose),
            velocities: self.velocity.as_ref().map(|given| own(given, range, &mut chunk.velocity)),
            accelerations: self.acceleration.as_ref().map(|given| own(given, range, &mut chunk.acceleration)),
            wrenches: self.wrench.as_ref().map(|given| own(given, range, &mut chunk.wrench)),
        }
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
    rows: &StateRows<'_>,
    widths: &[usize],
    found: &mut [&mut [f64]],
    marks: &mut [StateMark],
) -> Result<(), RobotError> {
    for (place, (number, mark)) in numbers.zip(marks).enumerate() {
        let parts = found.iter_mut().zip(widths);
        let mut own: Vec<&mut [f64]> =
            parts.map(|(list, width)| &mut list[place * width..(place + 1) * width]).collect();
        match one(number, &rows.get(place), &mut own) {
            Ok(()) => {}
            Err(error) if errors::is_of_every_state(&error) => return Err(error),
            Err(error) => {
                for list in own {
                    list.fill(f64::NAN);
                }
                *mark = error.mark();
            }
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
