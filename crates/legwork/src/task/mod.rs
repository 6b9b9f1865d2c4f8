//! Tasks as plain data: a request with documented defaults, run with a handle for progress and cancelling, and a
//! result. Requests and results can be read and written as JSON and TOML; a front end fills requests and shows
//! results, and decides nothing.

mod answer;
mod base;
mod check;
mod choice;
mod columns;
mod controller;
mod cycle;
mod efforts;
mod ending;
mod error;
mod fastest;
mod file_use;
mod follow;
mod follow_margins;
mod follow_motion;
mod follow_table;
mod handle;
mod kinematics;
mod linear_result;
mod linearize;
mod map;
mod map_range;
mod measure;
mod motion;
mod motion_file;
mod motion_page;
mod motion_source;
mod motor_values;
pub(crate) mod number;
mod peaks;
mod plan;
mod plant;
mod pose;
mod record;
mod report;
mod request;
mod request_tree;
mod robot;
mod sensitivity;
mod simulate;
mod size;
mod solver;
mod state;

pub use answer::{AnswerColumn, AnswerValue, Shape, StateInput, StateTask, entries};
pub use base::{BaseCoordinate, BaseRequest, BaseRows, SwayRequest};
pub use check::{CheckRequest, CheckResult, FindingResult, SkippedCheck, StateCount};
pub use choice::Choice;
pub use columns::RunColumns;
pub use controller::ControllerRequest;
pub use cycle::{CycleRequest, MoveRequest, MoveResult};
pub use efforts::{BetweenRows, EffortFile, EffortRows, EffortsRequest};
pub use ending::EndingKind;
pub use error::TaskError;
pub(crate) use error::positive;
pub use file_use::{reads_recording, robot_files, writes_tables};
pub use follow::{FaultResult, FollowRequest, FollowResult, RegulatorResult};
pub use follow_margins::MarginsResult;
pub use handle::{FileTaker, Handle, Page, PageMaker, Progress};
pub use kinematics::{
    ForwardAnswer, ForwardOptions, ForwardTask, InverseAnswer, InverseTask, OneOfAll, SearchStart, route_note,
};
pub use linear_result::{
    HankelResult, LinearModelResult, LoopResult, ModeResult, OrderResult, PoleRequest, PoleResult,
};
pub use linearize::{
    CrossingPlace, CrossingResult, CrossingSamples, DEFAULT_LOOP_POLE, LinearForm, LinearModel,
    LinearizeRequest, LinearizeResult,
};
pub use map::{
    ColumnResult, DEFAULT_CELLS, DEFAULT_COUNT, FieldResult, MapRequest, MapResult, RangeResult, VolumeResult,
};
pub use map_range::{CoordinateRequest, RangeRequest};
pub use measure::{Acceleration, Angle, Force, Frequency, Length, Mass, Measure, Speed, Time, Torque};
pub use motion::{LawKind, LawRequest, PathKind, PathRequest};
pub use motion_source::{MotionRequest, MotionRows};
pub use motor_values::MotorValues;
pub use peaks::{PeakPlace, PeakResult};
pub use plan::{
    LimitsRequest, MotorSideUsage, ParallelClearance, PartResult, PlanRequest, PlanResult, SerialClearance,
    UsageResult, WayResult,
};
pub use plant::{FrictionRequest, PickRequest, PlantRequest, PushRequest, StopsRequest};
pub use pose::{Components, PlacedPose, PoseRequest, acceleration, joints, twist, wrench};
pub use report::{PageKind, ReportRequest, ReportResult};
pub use request::{
    Request, RequestFormat, RequestText, TaskResult, check_request_files, request_toml, unknown_task,
};
pub use robot::{RobotRequest, needs_masses};
pub use sensitivity::{
    EffectComponent, ParameterResult, RefusedParameter, SensitivityRequest, SensitivityResult,
};
pub use simulate::{SampleTable, SimulateRequest, SimulateResult};
pub use size::{MarginResult, MotorOrder, MotorResult, MotorsRequest, SizeRequest, SizeResult};
pub use solver::{FormulationChoice, IntegratorChoice, SolverRequest};
pub use state::{MotionTask, StateAnswer, StateParts};

/// The robot of a request that names none: the one of Codourey 1998, with its path and its controller.
pub const DEFAULT_ROBOT: &str = "delta-direct-drive";

/// The JSON schema of [`Request`], for editors; a test with the feature `schema` compares it with the types.
pub const REQUEST_SCHEMA: &str = include_str!("../../schema/request.schema.json");
