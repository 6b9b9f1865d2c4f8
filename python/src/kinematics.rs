//! Kinematics of a `Robot`.

use crate::answers::{Answers, named};
use crate::errors;
use crate::numbers::Numbers;
use crate::robot::Robot;
use crate::states::{Given, Question, States};
use crate::threads;
use legwork::{PlatformState, RobotError, StateMark};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

#[pymethods]
impl Robot {
    /// Joint values [rad or m] at a pose, in the robot's working mode.
    ///
    /// >>> import pylegwork as lw
    /// >>> robot = lw.load("delta-industrial")
    /// >>> q, marks = robot.inverse_kinematics([[0, 0, -0.8], [0, 0, -9]], return_marks=True)
    /// >>> q.shape, lw.Mark(marks[1]).name
    /// ((2, 3), 'UNREACHABLE')
    #[pyo3(signature = (pose, *, return_marks=false))]
    fn inverse_kinematics<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let states = States::new(pose, None, None, None)?;
        let question = Question {
            count: states.count(py, None)?,
            shapes: &[vec![self.model.joints().len()]],
            one: &|_, state, lists| self.model.inverse_kinematics_into(state, lists[0]),
            many: Some(&|_, states, lists, marks| {
                self.model.batch().inverse_kinematics(states, lists[0], marks)
            }),
        };
        states.ask(py, self, &question, return_marks)?.into_python(py, None, return_marks)
    }

    /// Every inverse-kinematic solution at a pose, the robot's own working mode first; a list for each pose of a batch,
    /// empty where there is none.
    ///
    /// >>> import pylegwork as lw
    /// >>> all_of_them = lw.load("delta-industrial").all_inverse_kinematics([0.1, -0.05, -0.8])
    /// >>> len(all_of_them), all_of_them[0].mode
    /// (8, 'out-out-out')
    fn all_inverse_kinematics<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let states = States::new(pose, None, None, None)?;
        let class = named(py, "JointSolution")?;
        one_or_lists(py, states.count(py, None)?, |number| {
            let state = states.get(py, self, number)?;
            let found = py.detach(|| threads::within(|| self.model.all_inverse_kinematics(&state)));
            Ok(found.map(|found| {
                let solution = |it: legwork::JointSolution| {
                    class.call1((it.mode, PyArray1::from_vec(py, it.q), PyTuple::new(py, it.outside_limits)?))
                };
                found.into_iter().map(solution).collect()
            }))
        })
    }

    /// The pose at which the joints are at q [rad or m]. A Delta hangs below its elbows; another robot is sought near a
    /// pose, home if none is given.
    ///
    /// >>> import pylegwork as lw
    /// >>> robot = lw.load("gough-stewart")
    /// >>> q = robot.inverse_kinematics([0.02, 0, 0.8, 0.1, 0, 0])
    /// >>> robot.forward_kinematics(q).round(9) + 0.0
    /// array([0.02, 0.  , 0.8 , 0.1 , 0.  , 0.  ])
    #[pyo3(signature = (q, *, near=None, return_marks=false))]
    fn forward_kinematics<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        near: Given<'_, 'py>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let q = Numbers::of("q", q)?;
        let near = near.map(|near| States::new(near, None, None, None)).transpose()?;
        let count = match &near {
            Some(near) => near.count(py, Some(("q", &q)))?,
            None => q.count(),
        };
        let starts = match &near {
            Some(near) => (0..count.unwrap_or(1))
                .map(|number| near.get(py, self, number))
                .collect::<PyResult<Vec<_>>>()?,
            None => vec![self.model.home()],
        };
        let shape = vec![self.coordinate_names().len()];
        let (width, rows) = (q.width(), q.rows(count.unwrap_or(1)));
        let sought = |number: usize| {
            let mut place =
                starts.get(number).or(starts.first()).copied().unwrap_or_else(|| self.model.home());
            let row = rows.get(number * width..(number + 1) * width).unwrap_or_default();
            self.model.forward_kinematics_into(row, &mut place).map(|()| self.coordinates_of(&place))
        };
        let Some(count) = count else {
            let answers = match py.detach(|| sought(0)) {
                Ok(pose) => Answers::one(vec![shape], vec![pose]),
                Err(error) => Answers::refused(py, vec![shape], &error, return_marks)?,
            };
            return answers.into_python(py, None, return_marks);
        };
        let (mut poses, mut marks) = (Vec::with_capacity(count * shape[0]), Vec::with_capacity(count));
        // So many that Ctrl-C is heard soon.
        for first in (0..count).step_by(1024) {
            py.detach(|| {
                for number in first..count.min(first + 1024) {
                    match sought(number) {
                        Ok(pose) => {
                            poses.extend(pose);
                            marks.push(StateMark::Answered);
                        }
                        Err(error @ RobotError::Count { .. }) => return Err(error),
                        Err(error) => {
                            poses.extend(vec![f64::NAN; shape[0]]);
                            marks.push(error.mark());
                        }
                    }
                }
                Ok(())
            })
            .map_err(|error| errors::robot(py, &error))?;
            py.check_signals()?;
        }
        let answers = Answers { count: Some(count), shapes: vec![shape], lists: vec![poses], marks };
        answers.into_python(py, None, return_marks)
    }

    /// Every forward-kinematic solution in the robot's working mode, lowest first; a list for each row of a batch.
    ///
    /// >>> import pylegwork as lw
    /// >>> robot = lw.load("delta-industrial")
    /// >>> below, above = robot.all_forward_kinematics([0.1, 0.2, 0.3])
    /// >>> below.mode, above.mode
    /// ('below', 'above')
    fn all_forward_kinematics<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let q = Numbers::of("q", q)?;
        let class = named(py, "PlatformSolution")?;
        let (width, rows) = (q.width(), q.rows(1));
        one_or_lists(py, q.count(), |number| {
            let row = rows.get(number * width..(number + 1) * width).unwrap_or_default();
            let found = py.detach(|| threads::within(|| self.model.all_forward_kinematics(row)));
            Ok(found.map(|found| {
                let solution = |it: legwork::PlatformSolution| {
                    let place = PlatformState::at(it.position).turned(it.rotation);
                    let pose = PyArray1::from_vec(py, self.coordinates_of(&place));
                    class.call1((it.mode, pose, it.residual))
                };
                found.into_iter().map(solution).collect()
            }))
        })
    }

    /// The Jacobian J in V = J q̇: a row for each freedom of the platform, a column for each joint.
    ///
    /// >>> import pylegwork as lw
    /// >>> lw.load("gough-stewart").jacobian([0, 0, 0.8]).shape
    /// (6, 6)
    #[pyo3(signature = (pose, *, return_marks=false))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let states = States::new(pose, None, None, None)?;
        let (freedoms, joints) = (self.model.freedoms().len(), self.model.joints().len());
        let question = Question {
            count: states.count(py, None)?,
            shapes: &[vec![freedoms, joints]],
            one: &|_, state, lists| self.model.jacobian_into(state, lists[0]),
            many: Some(&|numbers, states, lists, marks| {
                let mut conditions = vec![0.0; numbers.len()];
                self.model.batch().jacobian(states, lists[0], &mut conditions, marks)
            }),
        };
        states.ask(py, self, &question, return_marks)?.into_python(py, None, return_marks)
    }

    /// How far a pose is from each kind of singularity: `serial` for each leg and `parallel`, 0 singular and 1 best, and
    /// the `condition` of the Jacobian.
    #[pyo3(signature = (pose, *, return_marks=false))]
    fn singularity<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let states = States::new(pose, None, None, None)?;
        // As many numbers as the robot itself has at home; it is not singular there.
        let home = self.model.singularity(&self.model.home()).map_err(|error| errors::robot(py, &error))?;
        let question = Question {
            count: states.count(py, None)?,
            shapes: &[vec![home.serial.len()], Vec::new(), Vec::new()],
            one: &|_, state, lists| {
                let found = self.model.singularity(state)?;
                lists[0].copy_from_slice(&found.serial);
                lists[1][0] = found.parallel;
                lists[2][0] = found.condition;
                Ok(())
            },
            many: None,
        };
        states.ask(py, self, &question, return_marks)?.into_python(py, Some("Singularity"), return_marks)
    }
}

/// A list of solutions, or a list of lists. One question without an answer is an exception, in a batch an empty list.
fn one_or_lists<'py>(
    py: Python<'py>,
    count: Option<usize>,
    ask: impl Fn(usize) -> PyResult<Result<PyResult<Vec<Bound<'py, PyAny>>>, RobotError>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(count) = count else {
        let found = ask(0)?.map_err(|error| errors::robot(py, &error))??;
        return Ok(PyList::new(py, found)?.into_any());
    };
    let all = PyList::empty(py);
    for number in 0..count {
        let found = match ask(number)? {
            Ok(found) => found?,
            Err(error @ RobotError::Count { .. }) => return Err(errors::robot(py, &error)),
            Err(_) => Vec::new(),
        };
        all.append(PyList::new(py, found)?)?;
        py.check_signals()?;
    }
    Ok(all.into_any())
}
