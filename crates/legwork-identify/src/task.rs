//! The tasks of this crate as one type, as [`legwork::task::Request`] is of the library's: read from a file, run, written
//! down as a schema.

use crate::dynamics::{ExciteRequest, ExciteResult, IdentifyRequest, IdentifyResult};
use crate::geometry::{CalibrateRequest, CalibrateResult};
use legwork::files::FileRoles;
use legwork::task::{
    Handle, RequestText, TaskError, check_request_files, reads_recording, request_toml, robot_files,
    writes_tables,
};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The JSON schema of these requests: that of the library's is [`legwork::task::REQUEST_SCHEMA`].
pub const REQUEST_SCHEMA: &str = include_str!("../schema/request.schema.json");

/// A request of one of these tasks; its key `task` says which.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "task")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Request {
    /// Masses, inertias, friction and offsets of a robot from logs.
    #[serde(rename = "identify")]
    Identify(Box<IdentifyRequest>),
    /// A motion to record for that.
    #[serde(rename = "excite")]
    Excite(Box<ExciteRequest>),
    /// The geometry of a real robot from what was measured on it.
    #[serde(rename = "calibrate")]
    Calibrate(Box<CalibrateRequest>),
}

/// The result of one of these tasks; its key `task` says which.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "task")]
pub enum TaskResult {
    /// What was identified.
    #[serde(rename = "identify")]
    Identify(Box<IdentifyResult>),
    /// The motion.
    #[serde(rename = "excite")]
    Excite(Box<ExciteResult>),
    /// What was found of the geometry.
    #[serde(rename = "calibrate")]
    Calibrate(Box<CalibrateResult>),
}

impl Request {
    /// The words of these tasks.
    pub const TASKS: &'static [&'static str] = &["identify", "excite", "calibrate"];

    /// What a text says, if it is of one of these tasks.
    pub fn read(text: &RequestText) -> Option<Result<Self, TaskError>> {
        Some(match text.task() {
            "identify" => text.read().map(Self::Identify),
            "excite" => text.read().map(Self::Excite),
            "calibrate" => text.read().map(Self::Calibrate),
            _ => return None,
        })
    }

    /// The word of its task.
    pub fn task(&self) -> &'static str {
        match self {
            Self::Identify(_) => "identify",
            Self::Excite(_) => "excite",
            Self::Calibrate(_) => "calibrate",
        }
    }

    /// Runs it.
    pub fn run(&self, handle: &Handle<'_>) -> Result<TaskResult, TaskError> {
        Ok(match self {
            Self::Identify(request) => TaskResult::Identify(Box::new(request.run(handle)?)),
            Self::Excite(request) => TaskResult::Excite(Box::new(request.run(handle)?)),
            Self::Calibrate(request) => TaskResult::Calibrate(Box::new(request.run(handle)?)),
        })
    }

    /// The files it reads and writes.
    pub fn file_roles(&self) -> FileRoles {
        match self {
            Self::Identify(request) => request.file_roles(),
            Self::Excite(request) => request.file_roles(),
            Self::Calibrate(request) => request.file_roles(),
        }
    }

    /// Refuses a request that would overwrite what it reads, what it writes elsewhere, or the file it was read from.
    pub fn check_files(&self, read_from: &Path) -> Result<(), TaskError> {
        check_request_files(self.file_roles(), read_from)
    }

    /// As TOML.
    pub fn to_toml(&self) -> String {
        request_toml(self)
    }
}

impl IdentifyRequest {
    /// The files it reads and writes.
    pub fn file_roles(&self) -> FileRoles {
        let mut files = robot_files(&self.robot);
        let logs = self.logs.iter().chain(&self.validate).chain(&self.payload_logs);
        for path in logs {
            reads_recording(&mut files, "a log", path);
        }
        for (field, path) in [("out", &self.out), ("report", &self.report)] {
            if let Some(path) = path {
                files.writes(field, path);
            }
        }
        files
    }
}

impl ExciteRequest {
    /// The files it reads and writes.
    pub fn file_roles(&self) -> FileRoles {
        let mut files = robot_files(&self.robot);
        writes_tables(&mut files, "out", &self.out);
        files
    }
}

impl CalibrateRequest {
    /// The files it reads and writes.
    pub fn file_roles(&self) -> FileRoles {
        let mut files = robot_files(&self.robot);
        if let Some(path) = &self.measurements {
            reads_recording(&mut files, "the measurements", path);
        }
        for (field, path) in [("out", &self.out), ("figure", &self.figure), ("report", &self.report)] {
            if let Some(path) = path {
                files.writes(field, path);
            }
        }
        files
    }
}
