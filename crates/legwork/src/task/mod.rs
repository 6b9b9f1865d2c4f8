//! Tasks as plain data: a request with documented defaults, run with a handle for progress and cancelling, and a
//! result. Requests and results can be read and written as JSON and TOML; a front end fills requests and shows
//! results, and decides nothing.

mod answer;
mod check;
mod error;
mod handle;
mod kinematics;
mod linear_result;
mod linearize;
mod map;
mod map_range;
mod measure;
mod number;
mod pose;
mod report;
mod robot;
mod sensitivity;
mod state;

pub use answer::{AnswerColumn, AnswerValue, Shape, StateInput, StateTask, entries};
pub use check::{CheckRequest, CheckResult, FindingResult, SkippedCheck};
pub use error::TaskError;
pub use handle::{FileTaker, Handle, Page, PageMaker, Progress};
pub use kinematics::{ForwardAnswer, ForwardOptions, ForwardTask, InverseAnswer, InverseTask, SearchStart};
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
pub use pose::{Components, PlacedPose, PoseRequest, acceleration, joints, twist, wrench};
pub use report::{PageKind, ReportRequest, ReportResult};
pub use robot::{RobotRequest, needs_masses};
pub use sensitivity::{
    EffectComponent, ParameterResult, RefusedParameter, SensitivityRequest, SensitivityResult,
};
pub use state::{MotionTask, StateAnswer, StateParts};
