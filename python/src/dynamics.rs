//! Dynamics of a `Robot`.

use crate::errors;
use crate::numbers::Numbers;
use crate::robot::Robot;
use crate::states::{Given, Question, States};
use legwork::{AnyRobot, LegForce, RobotError};
use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadwriteArray1, PyReadwriteArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Room for the efforts of one state without a list; a robot with more motors takes one.
const ROOM: usize = 24;

#[pymethods]
impl Robot {
    /// What the motors must give [N m or N] for a motion of the platform, friction included. What is not given is zero;
    /// `out` takes the answer instead of a new array.
    ///
    /// >>> import pylegwork as lw
    /// >>> robot = lw.load("delta-industrial")
    /// >>> robot.inverse_dynamics([0.1, -0.05, -0.8], [1, 0, 0], [0, 0, 5]).shape
    /// (3,)
    #[pyo3(signature = (pose, velocity=None, acceleration=None, wrench=None, out=None, *, return_marks=false))]
    #[allow(clippy::too_many_arguments)] // the arguments of the Python function
    fn inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        velocity: Given<'_, 'py>,
        acceleration: Given<'_, 'py>,
        wrench: Given<'_, 'py>,
        out: Given<'_, 'py>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let states = States::new(pose, velocity, acceleration, wrench)?;
        let joints = self.model.joints().len();
        // One state: nothing is allocated but the result.
        if states.is_one() && !return_marks && !self.is_slow && joints <= ROOM {
            let state = states.get(py, self, 0)?;
            let mut room = [0.0; ROOM];
            let efforts = &mut room[..joints];
            self.model.inverse_dynamics_into(&state, efforts).map_err(|error| errors::robot(py, &error))?;
            return match out {
                Some(out) => written(out, None, efforts).map(|()| out.clone()),
                None => Ok(PyArray1::from_slice(py, efforts).into_any()),
            };
        }
        let question = Question {
            count: states.count(py, None)?,
            shapes: &[vec![joints]],
            one: &|_, state, lists| self.model.inverse_dynamics_into(state, lists[0]),
            many: Some(&|_, states, lists, marks| {
                self.model.batch().inverse_dynamics(states, lists[0], marks)
            }),
        };
        let answers = states.ask(py, self, &question, return_marks)?;
        let Some(out) = out else { return answers.into_python(py, None, return_marks) };
        written(out, answers.count, &answers.lists[0])?;
        if return_marks {
            let marks = answers.into_python(py, None, true)?.get_item(1)?;
            return Ok(PyTuple::new(py, [out, &marks])?.into_any());
        }
        Ok(out.clone())
    }

    /// Accelerations of the freedoms of the `platform` and of the `joint`s under efforts of the motors [N m or N].
    ///
    /// >>> import pylegwork as lw
    /// >>> robot = lw.load("delta-industrial")
    /// >>> pose = [0.1, -0.05, -0.8]
    /// >>> robot.forward_dynamics(pose, None, robot.gravity(pose)).platform.round(9) + 0.0
    /// array([0., 0., 0.])
    #[pyo3(signature = (pose, velocity, effort, wrench=None, *, return_marks=false))]
    fn forward_dynamics<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        velocity: Given<'_, 'py>,
        effort: &Bound<'py, PyAny>,
        wrench: Given<'_, 'py>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let states = States::new(pose, velocity, None, wrench)?;
        let effort = Numbers::of("effort", effort)?;
        let count = states.count(py, Some(("effort", &effort)))?;
        let (joints, freedoms) = (self.model.joints().len(), self.model.freedoms().len());
        if effort.width() != joints {
            let what = "efforts";
            return Err(errors::robot(
                py,
                &RobotError::Count { what, expected: joints, found: effort.width() },
            ));
        }
        let efforts = effort.rows(count.unwrap_or(1));
        let question = Question {
            count,
            shapes: &[vec![freedoms], vec![joints]],
            one: &|number, state, lists| {
                let [platform, joint] = lists else { return Ok(()) };
                let own = &efforts[number * joints..(number + 1) * joints];
                self.model.forward_dynamics_into(state, own, platform, joint)
            },
            many: Some(&|numbers, states, lists, marks| {
                let [platform, joint] = lists else { return Ok(0) };
                let own = &efforts[numbers.start * joints..numbers.end * joints];
                self.model.batch().forward_dynamics(states, own, platform, joint, marks)
            }),
        };
        states.ask(py, self, &question, return_marks)?.into_python(py, Some("ForwardDynamics"), return_marks)
    }

    /// The mass matrix M(q) at the joints.
    #[pyo3(signature = (pose, *, return_marks=false))]
    fn mass_matrix<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (states, joints) = (States::new(pose, None, None, None)?, self.model.joints().len());
        self.list(py, &states, vec![joints, joints], return_marks, AnyRobot::mass_matrix_into)
    }

    /// The mass matrix that the platform feels in its freedoms.
    #[pyo3(signature = (pose, *, return_marks=false))]
    fn platform_mass_matrix<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (states, freedoms) = (States::new(pose, None, None, None)?, self.model.freedoms().len());
        self.list(py, &states, vec![freedoms, freedoms], return_marks, AnyRobot::platform_mass_matrix_into)
    }

    /// Coriolis and centrifugal efforts [N m or N].
    #[pyo3(signature = (pose, velocity, *, return_marks=false))]
    fn coriolis<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        velocity: &Bound<'py, PyAny>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (states, joints) = (States::new(pose, Some(velocity), None, None)?, self.model.joints().len());
        self.list(py, &states, vec![joints], return_marks, AnyRobot::coriolis_into)
    }

    /// The efforts [N m or N] that hold the robot at rest against its weight.
    #[pyo3(signature = (pose, *, return_marks=false))]
    fn gravity<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (states, joints) = (States::new(pose, None, None, None)?, self.model.joints().len());
        self.list(py, &states, vec![joints], return_marks, AnyRobot::gravity_into)
    }

    /// `kinetic` and `potential` energy of the whole robot [J].
    #[pyo3(signature = (pose, velocity=None, *, return_marks=false))]
    fn energies<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        velocity: Given<'_, 'py>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let states = States::new(pose, velocity, None, None)?;
        let question = Question {
            count: states.count(py, None)?,
            shapes: &[Vec::new(), Vec::new()],
            one: &|_, state, lists| {
                let found = self.model.energies(state)?;
                (lists[0][0], lists[1][0]) = (found.kinetic, found.potential);
                Ok(())
            },
            many: None,
        };
        states.ask(py, self, &question, return_marks)?.into_python(py, Some("Energies"), return_marks)
    }

    /// Exact derivatives of the accelerations of the platform's freedoms under efforts of the motors: by small steps of the
    /// `pose` (m, and rad about the axes of the base), by `velocity`, `effort` and `wrench`; a row for each freedom.
    ///
    /// >>> import pylegwork as lw
    /// >>> robot = lw.load("gough-stewart")
    /// >>> found = robot.forward_dynamics_derivatives(robot.home, None, robot.gravity(robot.home))
    /// >>> found.pose.shape, found.effort.shape
    /// ((6, 6), (6, 6))
    #[pyo3(signature = (pose, velocity, effort, wrench=None, *, return_marks=false))]
    fn forward_dynamics_derivatives<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        velocity: Given<'_, 'py>,
        effort: &Bound<'py, PyAny>,
        wrench: Given<'_, 'py>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let states = States::new(pose, velocity, None, wrench)?;
        let effort = Numbers::of("effort", effort)?;
        let count = states.count(py, Some(("effort", &effort)))?;
        let (joints, freedoms) = (self.model.joints().len(), self.model.freedoms().len());
        let (width, efforts) = (effort.width(), effort.rows(count.unwrap_or(1)));
        let square = vec![freedoms, freedoms];
        let question = Question {
            count,
            shapes: &[square.clone(), square.clone(), vec![freedoms, joints], square],
            one: &|number, state, lists| {
                let own = &efforts[number * width..(number + 1) * width];
                let found = self.model.forward_dynamics_derivatives(state, own)?;
                for (list, found) in
                    lists.iter_mut().zip([found.pose, found.velocity, found.effort, found.wrench])
                {
                    list.copy_from_slice(&found);
                }
                Ok(())
            },
            many: None,
        };
        states.ask(py, self, &question, return_marks)?.into_python(
            py,
            Some("ForwardDerivatives"),
            return_marks,
        )
    }

    /// Exact derivatives of the efforts of the motors for a motion: by small steps of the `pose` (m, and rad about the axes
    /// of the base), by `velocity`, `acceleration` and `wrench`; a row for each joint.
    ///
    /// >>> import pylegwork as lw
    /// >>> robot = lw.load("delta-industrial")
    /// >>> robot.inverse_dynamics_derivatives([0.1, -0.05, -0.8]).acceleration.shape
    /// (3, 3)
    #[pyo3(signature = (pose, velocity=None, acceleration=None, wrench=None, *, return_marks=false))]
    fn inverse_dynamics_derivatives<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        velocity: Given<'_, 'py>,
        acceleration: Given<'_, 'py>,
        wrench: Given<'_, 'py>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let states = States::new(pose, velocity, acceleration, wrench)?;
        let shape = vec![self.model.joints().len(), self.model.freedoms().len()];
        let question = Question {
            count: states.count(py, None)?,
            shapes: &[shape.clone(), shape.clone(), shape.clone(), shape],
            one: &|_, state, lists| {
                let found = self.model.inverse_dynamics_derivatives(state)?;
                let parts = [found.pose, found.velocity, found.acceleration, found.wrench];
                for (list, found) in lists.iter_mut().zip(parts) {
                    list.copy_from_slice(&found);
                }
                Ok(())
            },
            many: None,
        };
        states.ask(py, self, &question, return_marks)?.into_python(
            py,
            Some("InverseDerivatives"),
            return_marks,
        )
    }

    /// What each leg does to the platform during a motion: `force`, a row for each leg, and its part along the last
    /// link, `axial` [N], positive if the leg pushes.
    #[pyo3(signature = (pose, velocity=None, acceleration=None, wrench=None, *, return_marks=false))]
    fn leg_forces<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        velocity: Given<'_, 'py>,
        acceleration: Given<'_, 'py>,
        wrench: Given<'_, 'py>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let states = States::new(pose, velocity, acceleration, wrench)?;
        let legs = self.model.leg_count();
        let question = Question {
            count: states.count(py, None)?,
            shapes: &[vec![legs, 3], vec![legs]],
            one: &|_, state, lists| {
                let mut forces = vec![LegForce::default(); legs];
                self.model.leg_forces_into(state, &mut forces)?;
                for (leg, found) in forces.iter().enumerate() {
                    lists[0][3 * leg..3 * leg + 3].copy_from_slice(&found.force);
                    lists[1][leg] = found.axial;
                }
                Ok(())
            },
            many: None,
        };
        states.ask(py, self, &question, return_marks)?.into_python(py, Some("LegForces"), return_marks)
    }
}

/// Writes an answer into the caller's array, which must be one of doubles of the right shape.
fn written(out: &Bound<'_, PyAny>, count: Option<usize>, numbers: &[f64]) -> PyResult<()> {
    let py = out.py();
    let width = numbers.len() / count.unwrap_or(1).max(1);
    let refused = || {
        let shape = count.map_or(format!("({width},)"), |count| format!("({count}, {width})"));
        let message = format!("`out` must be a writable, C-contiguous float64 array of shape {shape}");
        errors::invalid_input(py, format!("{message} that shares no memory with the arguments"))
    };
    let mut one: PyReadwriteArray1<'_, f64>;
    let mut many: PyReadwriteArray2<'_, f64>;
    let place = match count {
        None => {
            one =
                out.cast::<PyArray1<f64>>().map_err(|_| refused())?.try_readwrite().map_err(|_| refused())?;
            one.as_slice_mut()
        }
        Some(rows) => {
            let array = out.cast::<PyArray2<f64>>().map_err(|_| refused())?;
            if !array.is_c_contiguous() || array.shape().first() != Some(&rows) {
                return Err(refused());
            }
            many = array.try_readwrite().map_err(|_| refused())?;
            many.as_slice_mut()
        }
    };
    let place = place.map_err(|_| refused())?;
    if place.len() != numbers.len() {
        return Err(refused());
    }
    place.copy_from_slice(numbers);
    Ok(())
}
