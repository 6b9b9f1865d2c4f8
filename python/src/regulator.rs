//! A regulator in a user's own loop: it lives in a thread of its own with everything it is made of, and answers there.

use crate::answers::named;
use crate::errors;
use crate::numbers::Numbers;
use crate::states::Given;
use legwork::PlatformState;
use legwork::coordinates::{ACCELERATION, CoordinateSchema, Group, VELOCITY};
use legwork::sim::{Measured, SampledController};
use legwork::task::{Handle, Request, RequestFormat, TaskError};
use numpy::PyArray1;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// What is asked of a regulator.
enum Question {
    /// A sample: the time, the joints, their speeds if they are measured.
    Sample(f64, Vec<f64>, Option<Vec<f64>>),
    /// Where the joints should be at a time.
    Reference(f64),
    /// Where the platform should be at a time.
    Platform(f64),
    /// To begin anew.
    Reset,
    /// Why it gave up, if it did.
    Fault,
}

/// What it says.
enum Reply {
    Numbers(Vec<f64>),
    Platform(Box<PlatformState>),
    Fault(Option<(f64, String)>),
    Refused(String),
}

/// What is known of it from the beginning.
struct Ready {
    joints: usize,
    period: f64,
    duration: f64,
    schema: CoordinateSchema,
}

/// A supervised regulator along a motion; see `Robot.regulator`.
#[pyclass(frozen, module = "pylegwork", name = "Regulator")]
pub struct Regulator {
    line: Mutex<(Sender<Question>, Receiver<Reply>)>,
    ready: Ready,
    /// The process that made it and has its thread.
    process: u32,
}

/// Makes the regulator of the request `follow` in this text.
#[pyfunction]
pub fn regulator(py: Python<'_>, text: &str) -> PyResult<Regulator> {
    let request = Request::parse(text, RequestFormat::Json).map_err(|error| errors::task(py, &error))?;
    let Request::Follow(request) = request else {
        return Err(errors::invalid_input(py, "a regulator is made of a request `follow`"));
    };
    let (ask, questions) = channel::<Question>();
    let (answer, replies) = channel::<Reply>();
    let (tell, told) = channel::<Result<Ready, TaskError>>();
    let work = move || {
        let outcome = request.regulate(&Handle::none(), |regulator, experiment| {
            let robot = experiment.robot();
            let ready = Ready {
                joints: robot.joints().len(),
                period: experiment.period(),
                duration: experiment.duration(),
                schema: CoordinateSchema::of(robot),
            };
            let joints = ready.joints;
            if tell.send(Ok(ready)).is_err() {
                return;
            }
            for question in questions {
                let reply = match question {
                    Question::Sample(time, q, qd) => {
                        let mut command = vec![0.0; joints];
                        let seen = Measured { time, q: &q, qd: qd.as_deref() };
                        match regulator.sample(&seen, &mut command) {
                            Ok(()) => Reply::Numbers(command),
                            Err(fault) => Reply::Refused(format!("{fault:?}")),
                        }
                    }
                    Question::Reference(time) => {
                        let mut q = vec![0.0; joints];
                        regulator.reference(time, &mut q);
                        Reply::Numbers(q)
                    }
                    Question::Platform(time) => Reply::Platform(Box::new(experiment.motion().platform(time))),
                    Question::Reset => {
                        regulator.reset();
                        Reply::Numbers(Vec::new())
                    }
                    Question::Fault => {
                        Reply::Fault(regulator.fault().map(|(time, fault)| (time, fault.to_string())))
                    }
                };
                if answer.send(reply).is_err() {
                    return;
                }
            }
        });
        if let Err(error) = outcome {
            let _ = tell.send(Err(error));
        }
    };
    let broken = |what: String| PyRuntimeError::new_err(what);
    thread::Builder::new()
        .name("regulator".into())
        .spawn(work)
        .map_err(|error| broken(format!("no thread for a regulator: {error}")))?;
    let ready = py.detach(move || told.recv());
    let ready = ready.map_err(|_| broken("the regulator ended without a word".into()))?;
    let ready = ready.map_err(|error| errors::task(py, &error))?;
    Ok(Regulator { line: Mutex::new((ask, replies)), ready, process: std::process::id() })
}

impl Regulator {
    fn ask(&self, py: Python<'_>, question: Question) -> PyResult<Reply> {
        if self.process != std::process::id() {
            let message =
                "this regulator belongs to the process that made it, and this one was forked from it";
            return Err(errors::invalid_input(py, format!("{message}: make another here")));
        }
        let reply = py.detach(|| {
            let (ask, replies) = &*self.line.lock().ok()?;
            ask.send(question).ok()?;
            replies.recv().ok()
        });
        reply.ok_or_else(|| PyRuntimeError::new_err("the regulator has ended by a panic: please report it"))
    }

    fn finite(py: Python<'_>, time: f64) -> PyResult<f64> {
        if time.is_finite() {
            return Ok(time);
        }
        Err(errors::invalid_input(py, format!("`time` is {time}")))
    }

    fn joints(&self, what: &'static str, given: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        let numbers = Numbers::of(what, given)?;
        if numbers.count().is_some() || numbers.width() != self.ready.joints {
            let message = format!("`{what}` needs {} numbers, one for each joint", self.ready.joints);
            return Err(errors::invalid_input(given.py(), message));
        }
        Ok(numbers.all().to_vec())
    }
}

#[pymethods]
impl Regulator {
    /// Time between two samples [s].
    #[getter]
    fn period(&self) -> f64 {
        self.ready.period
    }

    /// Duration of the motion and of what follows it [s].
    #[getter]
    fn duration(&self) -> f64 {
        self.ready.duration
    }

    /// The efforts [N m or N] for joints measured now [rad or m], and their speeds if there are sensors for them. A sample
    /// that cannot be is answered by the safe command, and `fault` says why.
    #[pyo3(signature = (time, q, qd=None))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        time: f64,
        q: &Bound<'py, PyAny>,
        qd: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let q = self.joints("q", q)?;
        let qd = qd.map(|qd| self.joints("qd", qd)).transpose()?;
        match self.ask(py, Question::Sample(Self::finite(py, time)?, q, qd))? {
            Reply::Numbers(efforts) => Ok(PyArray1::from_vec(py, efforts)),
            Reply::Refused(why) => Err(errors::invalid_input(py, why)),
            Reply::Platform(_) | Reply::Fault(_) => Err(PyRuntimeError::new_err("not an answer to a sample")),
        }
    }

    /// Where the joints should be at a time [rad or m].
    fn reference<'py>(&self, py: Python<'py>, time: f64) -> PyResult<Bound<'py, PyArray1<f64>>> {
        match self.ask(py, Question::Reference(Self::finite(py, time)?))? {
            Reply::Numbers(q) => Ok(PyArray1::from_vec(py, q)),
            _ => Err(PyRuntimeError::new_err("not an answer about the joints")),
        }
    }

    /// Where the platform should be at a time: `pose`, `velocity` and `acceleration`, as every function takes them.
    fn target<'py>(&self, py: Python<'py>, time: f64) -> PyResult<Bound<'py, PyAny>> {
        let Reply::Platform(place) = self.ask(py, Question::Platform(Self::finite(py, time)?))? else {
            return Err(PyRuntimeError::new_err("not an answer about the platform"));
        };
        let schema = &self.ready.schema;
        let picked = |groups: &[Group], six: &[f64; 6]| -> Vec<f64> {
            let places = groups.iter().enumerate().flat_map(|(half, group)| {
                schema.group(*group).names.iter().map(move |name| 3 * half + name.place)
            });
            places.map(|place| six[place]).collect()
        };
        let rows = [
            schema.coordinates_of(&place),
            picked(VELOCITY, &place.twist),
            picked(ACCELERATION, &place.acceleration),
        ];
        let [pose, velocity, acceleration] = rows.map(|row| PyArray1::from_vec(py, row));
        named(py, "Target")?.call1((pose, velocity, acceleration))
    }

    /// Begins anew.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.ask(py, Question::Reset).map(|_| ())
    }

    /// When [s] and why it gave up; nothing while it regulates.
    #[getter]
    fn fault(&self, py: Python<'_>) -> PyResult<Option<(f64, String)>> {
        match self.ask(py, Question::Fault)? {
            Reply::Fault(fault) => Ok(fault),
            _ => Err(PyRuntimeError::new_err("not an answer about a fault")),
        }
    }

    fn __repr__(&self) -> String {
        let Ready { joints, period, duration, schema } = &self.ready;
        format!(
            "<pylegwork.Regulator of '{}': {joints} joints, every {period} s for {duration} s>",
            schema.robot
        )
    }
}
