//! Which files each request reads and writes, so that no output goes over an input or another output.

use super::efforts::EffortsRequest;
use super::follow::named;
use super::size::MotorsRequest;
use super::{
    CheckRequest, FollowRequest, LinearizeRequest, MapRequest, MotionRequest, PlanRequest, PlantRequest,
    ReportRequest, RobotRequest, SensitivityRequest, SimulateRequest, SizeRequest, TaskError,
};
use crate::description::BUILT_IN;
use crate::files::{FileConflict, FileRoles};
use crate::recording::{Format, metadata_file};
use std::path::Path;

impl From<FileConflict> for TaskError {
    fn from(conflict: FileConflict) -> Self {
        Self::request(conflict.to_string()).or("give each file a name of its own")
    }
}

/// A request that reads or writes files.
pub(super) trait UsesFiles {
    /// What it reads and what it writes.
    fn file_roles(&self) -> FileRoles;

    /// Refuses, before the work, to overwrite what is read or written by the same request.
    fn check_files(&self) -> Result<(), TaskError> {
        Ok(self.file_roles().check()?)
    }
}

/// A recording or another table of numbers that is read, with its metadata if it is CSV.
pub fn reads_recording(files: &mut FileRoles, role: &str, path: &Path) {
    files.reads(role, path);
    if matches!(Format::of(path), None | Some(Format::Csv)) {
        files.reads_beside(role, path, metadata_file(path));
    }
}

fn reads_base(files: &mut FileRoles, plant: &PlantRequest) {
    if let Some(path) = plant.base.as_ref().and_then(|base| base.file.as_ref()) {
        reads_recording(files, "the file of the base", path);
    }
}

/// Files that are written, with the metadata of those that are CSV.
pub fn writes_tables(files: &mut FileRoles, field: &str, paths: impl IntoIterator<Item = impl AsRef<Path>>) {
    for path in paths {
        let path = path.as_ref();
        files.writes(field, path);
        if Format::of(path) == Some(Format::Csv) {
            files.writes_beside(field, path, metadata_file(path));
        }
    }
}

/// The file that a robot of a request is read from, if it is.
pub fn robot_files(robot: &RobotRequest) -> FileRoles {
    let mut files = FileRoles::default();
    if robot.text.is_none() && !BUILT_IN.iter().any(|known| known.name == robot.name) {
        files.reads("the robot file", &robot.name);
    }
    files
}

impl UsesFiles for SimulateRequest {
    fn file_roles(&self) -> FileRoles {
        let mut files = robot_files(&self.robot);
        if let EffortsRequest::File(file) = &self.efforts {
            reads_recording(&mut files, "the file of efforts", &file.path);
        }
        reads_base(&mut files, &self.plant);
        writes_tables(&mut files, "out", &self.out);
        files.writes_all("report", &self.report);
        files
    }
}

impl UsesFiles for FollowRequest {
    fn file_roles(&self) -> FileRoles {
        let mut files = robot_files(&self.robot);
        if let Some(MotionRequest::File(path)) = &self.motion {
            reads_recording(&mut files, "the file of the motion", path);
        }
        reads_base(&mut files, &self.plant);
        // Regulators that are there twice are told by the run.
        let kinds = self.controller.kinds().unwrap_or_default();
        match &self.out {
            Some(path) if kinds.len() > 1 => {
                writes_tables(&mut files, "out", kinds.iter().map(|kind| named(path, *kind)));
            }
            path => writes_tables(&mut files, "out", path),
        }
        files.writes_all("report", &self.report);
        files
    }
}

impl UsesFiles for PlanRequest {
    fn file_roles(&self) -> FileRoles {
        let mut files = robot_files(&self.robot);
        writes_tables(&mut files, "out", &self.out);
        files
    }
}

impl UsesFiles for SizeRequest {
    fn file_roles(&self) -> FileRoles {
        let mut files = robot_files(&self.robot);
        if let Some(MotorsRequest::File(path)) = &self.motors {
            files.reads("the motor table", path);
        }
        if let Some(MotionRequest::File(path)) = &self.motion {
            reads_recording(&mut files, "the file of the motion", path);
        }
        writes_tables(&mut files, "out", &self.out);
        files
    }
}

impl UsesFiles for MapRequest {
    fn file_roles(&self) -> FileRoles {
        let mut files = robot_files(&self.robot);
        writes_tables(&mut files, "out", &self.out);
        files.writes_all("mesh", &self.mesh);
        files
    }
}

impl UsesFiles for LinearizeRequest {
    fn file_roles(&self) -> FileRoles {
        let mut files = robot_files(&self.robot);
        files.writes_all("out", &self.out);
        files
    }
}

impl UsesFiles for SensitivityRequest {
    fn file_roles(&self) -> FileRoles {
        robot_files(&self.robot)
    }
}

impl UsesFiles for CheckRequest {
    fn file_roles(&self) -> FileRoles {
        let mut files = self.robot.as_ref().map(robot_files).unwrap_or_default();
        if let Some(path) = &self.golden {
            files.reads("the golden file", path);
        }
        files
    }
}

impl UsesFiles for ReportRequest {
    fn file_roles(&self) -> FileRoles {
        let mut files = FileRoles::default();
        for path in &self.recordings {
            reads_recording(&mut files, "the recording", path);
        }
        files.writes("out", &self.out);
        files
    }
}
