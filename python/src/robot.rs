//! The class `Robot`: a robot of any family and what it is.

use crate::answers::named;
use crate::errors;
use crate::numbers::Numbers;
use crate::states::{Given, Question, States};
use legwork::coordinates::{CoordinateError, CoordinateSchema, Group, POSE, Values};
use legwork::description::{BUILT_IN, RobotDescription};
use legwork::summary::RobotSummary;
use legwork::task::RobotRequest;
use legwork::{AnyRobot, PlatformState, RobotError};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use std::path::PathBuf;

/// A robot of any family, built and checked. It never changes, so threads may share it.
///
/// >>> import pylegwork as lw
/// >>> robot = lw.load("delta-industrial")
/// >>> robot
/// <pylegwork.Robot 'delta-industrial': delta, pose (x, y, z), 3 joints>
/// >>> robot.inverse_kinematics([0.1, -0.05, -0.8]).round(4)
/// array([0.2987, 0.6272, 0.4853])
#[pyclass(frozen, module = "pylegwork", name = "Robot")]
pub struct Robot {
    pub model: AnyRobot,
    pub schema: CoordinateSchema,
    /// Whether one state takes long enough to release the interpreter.
    pub is_slow: bool,
}

impl Robot {
    fn new(model: AnyRobot) -> Self {
        let (schema, is_slow) = (CoordinateSchema::of(&model), model.is_followed());
        Self { model, schema, is_slow }
    }

    fn made(py: Python<'_>, robot: Result<AnyRobot, RobotError>) -> PyResult<Self> {
        robot.map(Self::new).map_err(|error| errors::robot(py, &error))
    }

    pub fn request(&self) -> PyResult<String> {
        let broken = |error: serde_json::Error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string());
        serde_json::to_string(&RobotRequest::of(&self.model)).map_err(broken)
    }

    /// One list for each state, by the call for one state.
    pub fn list<'py>(
        &self,
        py: Python<'py>,
        states: &States<'py>,
        shape: Vec<usize>,
        return_marks: bool,
        call: impl Fn(&AnyRobot, &PlatformState, &mut [f64]) -> Result<(), RobotError> + Sync,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question = Question {
            count: states.count(py, None)?,
            shapes: &[shape],
            one: &|_, state, lists| call(&self.model, state, lists[0]),
            many: None,
        };
        states.ask(py, self, &question, return_marks)?.into_python(py, None, return_marks)
    }

    /// The names of the numbers of a pose.
    pub fn coordinate_names(&self) -> Vec<&str> {
        let names = POSE.iter().flat_map(|group| &self.schema.group(*group).names);
        names.map(|name| name.text.as_str()).collect()
    }

    /// The pose of a place as a row of coordinates.
    pub fn coordinates_of(&self, place: &PlatformState) -> Vec<f64> {
        self.schema.coordinates_of(place)
    }
}

/// The names of the robots that come with legwork.
///
/// >>> import pylegwork as lw
/// >>> "gough-stewart" in lw.robots()
/// True
#[pyfunction]
pub fn robots() -> Vec<&'static str> {
    BUILT_IN.iter().map(|robot| robot.name).collect()
}

/// A built-in robot by its name, or the robot in a file. A name with a dot or a slash in it is a file.
///
/// >>> import pylegwork as lw
/// >>> lw.load("gough-stewart").name
/// 'gough-stewart'
#[pyfunction]
pub fn load(py: Python<'_>, name_or_path: PathBuf) -> PyResult<Robot> {
    let Some(name) = name_or_path.to_str() else {
        return Err(errors::invalid_input(py, "the path of a robot file must be valid Unicode"));
    };
    Robot::made(py, AnyRobot::open(name))
}

/// The robot that a robot of another process, or of another time, was.
#[pyfunction(name = "_reopened")]
pub fn reopened(py: Python<'_>, request: &str) -> PyResult<Robot> {
    let request: RobotRequest =
        serde_json::from_str(request).map_err(|error| errors::invalid_input(py, error.to_string()))?;
    request.open().map(Robot::new).map_err(|error| errors::task(py, &error))
}

#[pymethods]
impl Robot {
    /// The robot that a robot file describes, given as text.
    ///
    /// >>> import pylegwork as lw
    /// >>> lw.Robot.from_toml("family = 'delta'")
    /// Traceback (most recent call last):
    ///     ...
    /// pylegwork.InvalidRobot: ...
    #[classmethod]
    #[pyo3(signature = (text, name="robot.toml"))]
    fn from_toml(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str, name: &str) -> PyResult<Self> {
        Self::made(py, RobotDescription::parse(text, name).map_err(RobotError::from).and_then(AnyRobot::new))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.model.name()
    }

    /// The actuated joints, in order: names, units and limits.
    ///
    /// >>> import pylegwork as lw
    /// >>> joint = lw.load("gough-stewart").joints[0]
    /// >>> joint.name, joint.unit, joint.effort_unit
    /// ('q1', 'm', 'N')
    #[getter]
    fn joints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let class = named(py, "Joint")?;
        let joint = |joint: &legwork::Joint| {
            let limits = (joint.min, joint.max, joint.max_effort, joint.max_speed, joint.gear_ratio());
            let (min, max, max_effort, max_speed, gear_ratio) = limits;
            let words = (joint.name.as_str(), joint.unit(), joint.effort_unit());
            class.call1((words.0, words.1, words.2, min, max, max_effort, max_speed, gear_ratio))
        };
        PyTuple::new(py, self.model.joints().iter().map(joint).collect::<PyResult<Vec<_>>>()?)
    }

    /// The freedoms of the platform, in order: the components of velocities, accelerations and wrenches, the rows of
    /// Jacobians.
    ///
    /// >>> import pylegwork as lw
    /// >>> lw.load("planar-3rrr").freedoms
    /// ('x', 'y', 'rz')
    #[getter]
    fn freedoms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.model.freedoms().iter().map(|freedom| freedom.coordinate))
    }

    /// The names of the numbers of a pose: position, then the angles of a platform that turns, which may be left out.
    ///
    /// >>> import pylegwork as lw
    /// >>> lw.load("gough-stewart").coordinates
    /// ('x', 'y', 'z', 'roll', 'pitch', 'yaw')
    #[getter]
    fn coordinates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.coordinate_names())
    }

    /// Where it rests, as a pose.
    #[getter]
    fn home<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.coordinates_of(&self.model.home()))
    }

    /// Whether it has masses, so that it has torques.
    #[getter]
    fn has_masses(&self) -> bool {
        self.model.has_masses()
    }

    /// What the platform carries [kg].
    #[getter]
    fn payload(&self) -> f64 {
        self.model.payload()
    }

    /// Name of the working mode that it is in.
    #[getter]
    fn working_mode(&self) -> String {
        self.model.working_mode()
    }

    /// The same robot with this payload [kg] at the platform point.
    ///
    /// >>> import pylegwork as lw
    /// >>> lw.load("delta-industrial").with_payload(0.5).payload
    /// 0.5
    fn with_payload(&self, py: Python<'_>, payload: f64) -> PyResult<Self> {
        Self::made(py, self.model.with_payload(payload))
    }

    /// The same robot in this working mode: a word for each leg that has two branches, or one for all.
    ///
    /// >>> import pylegwork as lw
    /// >>> lw.load("delta-industrial").with_working_mode("out-in-out").working_mode
    /// 'out-in-out'
    fn with_working_mode(&self, py: Python<'_>, working_mode: &str) -> PyResult<Self> {
        Self::made(py, self.model.with_working_mode(working_mode))
    }

    /// A pose from a position and an orientation that is not given by angles: a quaternion, real part first, or a
    /// matrix that maps vectors of the platform to the base.
    ///
    /// >>> import pylegwork as lw
    /// >>> lw.load("gough-stewart").pose([0, 0, 0.8], quaternion=[1, 0, 0, 0]) + 0.0
    /// array([0. , 0. , 0.8, 0. , 0. , 0. ])
    #[pyo3(signature = (position, *, quaternion=None, rotation=None))]
    fn pose<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        quaternion: Given<'_, 'py>,
        rotation: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut values = Values::default();
        let refused = |error: CoordinateError| errors::coordinates(py, &error);
        let position = Numbers::of("position", position)?;
        self.schema.fill(&mut values, "position", &[Group::Position], position.all()).map_err(refused)?;
        for (what, group, given) in
            [("quaternion", Group::Quaternion, quaternion), ("rotation", Group::Rotation, rotation)]
        {
            if let Some(given) = given {
                let numbers = Numbers::of(what, given)?;
                self.schema.fill_orientation(&mut values, what, group, numbers.all()).map_err(refused)?;
            }
        }
        let place = self.schema.platform(&values).map_err(refused)?;
        place.check_finite().map_err(|error| errors::robot(py, &error))?;
        Ok(PyArray1::from_vec(py, self.coordinates_of(&place)))
    }

    /// The orientation of the platform at a pose: a matrix that maps its vectors to the base.
    #[pyo3(signature = (pose, *, return_marks=false))]
    fn rotation<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        return_marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.list(py, &States::new(pose, None, None, None)?, vec![3, 3], return_marks, |_, state, rows| {
            rows.copy_from_slice(state.rotation.as_flattened());
            Ok(())
        })
    }

    /// What the robot is, as text.
    fn __str__(&self) -> String {
        RobotSummary::of(&self.model).to_string()
    }

    fn __repr__(&self) -> String {
        let (name, family) = (self.model.name(), self.model.description().family().name());
        let (pose, joints) = (self.coordinate_names().join(", "), self.model.joints().len());
        format!("<pylegwork.Robot '{name}': {family}, pose ({pose}), {joints} joints>")
    }

    /// What a notebook shows.
    fn _repr_html_(&self) -> String {
        let text = self.__str__().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!("<pre>{text}</pre>")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.import("pylegwork._native")?.getattr("_reopened")?, (self.request()?,)))
    }
}
