//! Robot files: TOML text to checked numbers in SI units.
//!
//! A robot is a `family` and a few numbers. A length, angle, mass or inertia may carry its unit; a bare
//! number is SI. With `convention` the file of a Delta uses the names, frame and signs of another system. What
//! comes out is always in legwork's own: z up from the motor axes, leg 1 along +x, motor angle 0 when the arm
//! is horizontal and outward, positive when it goes down. A robot of no family is given by its `[[leg]]` tables.
//!
//! ```
//! use legwork::description::RobotDescription;
//!
//! let robot = RobotDescription::parse(
//!     r#"
//!     family = "delta"
//!     [geometry]
//!     base_radius = "200 mm"
//!     platform_radius = "45 mm"
//!     arm = "350 mm"
//!     forearm = "800 mm"
//!     "#,
//!     "my_delta.toml",
//! )?;
//! assert_eq!(robot.as_delta().expect("a Delta").geometry.arm, 0.35);
//! # Ok::<(), legwork::description::DescriptionError>(())
//! ```
//!
//! A file that is refused comes back with all of its problems, each with its place in the file and, where
//! there is one, a way out. What can be checked here is each value alone; whether the robot can be built is
//! checked when its model is made.
//!
//! [`families`](crate::families), [`fields`] and [`convention`] are the tables behind all of it; [`schema`] gives them to editors
//! and to the documentation.

pub(crate) mod built_in;
pub(crate) mod calibration;
pub mod convention;
pub(crate) mod defaults;
mod field;
pub mod fields;
mod file_value;
pub(crate) mod identified;
pub(crate) mod joint_calibration;
mod markdown;
mod message;
pub(crate) mod model_error;
pub(crate) mod mounting;
mod numbers;
pub(crate) mod parts;
pub(crate) mod placement;
pub(crate) mod problem;
pub(crate) mod reader;
pub mod schema;
pub(crate) mod shapes;
mod top;
mod values;
mod variant;

pub use crate::families::c5::{C5Description, C5Geometry, C5Mass};
pub use crate::families::custom::{
    CustomAttachment, CustomDescription, CustomDrive, CustomJoint, CustomLeg, JointKind, PlatformFreedom,
};
pub use crate::families::delta::{DeltaDescription, DeltaGeometry, DeltaMass};
pub use crate::families::five_bar::{FiveBarDescription, FiveBarGeometry, FiveBarMass};
pub use crate::families::gough_stewart::{GoughStewartDescription, UpsGeometry, UpsMass};
pub use crate::families::hexa::{HexaDescription, HexaGeometry, HexaMass};
pub use crate::families::hexaglide::{HexaglideDescription, HexaglideGeometry, HexaglideMass, Rail};
pub use crate::families::inertial::{InertialNumbers, InertialPart};
pub use crate::families::linear_delta::{LinearDeltaDescription, LinearDeltaGeometry, LinearDeltaMass};
pub use crate::families::mechanism::{
    EffortPart, JointProperties, MechanismBody, MechanismCone, MechanismDescription, MechanismJoint,
    MechanismJointKind, MechanismMotor,
};
pub use crate::families::planar_3rrr::{Planar3RrrDescription, Planar3RrrGeometry, Planar3RrrMass};
pub use crate::families::space::{SpaceDescription, SpaceGeometry};
pub use crate::families::{BUILT_IN, Family, FamilyData};
pub use crate::nearest::nearest as nearest_word;
pub use built_in::BuiltIn;
pub use calibration::{CalibratedLeg, LegCalibration, calibration_text, without_calibration};
pub use convention::{Convention, Frame};
pub use defaults::{ControllerDefaults, DefaultPath, LawShape, MotionDefaults, Pace, PathShape};
pub use identified::{Identified, IdentifiedBody, IdentifiedMotor, IdentifiedParameter};
pub use joint_calibration::{CalibratedJoint, JointCalibration, joint_calibration_text};
pub use model_error::ModelError;
pub use mounting::Tool;
pub use numbers::FileNumber;
pub use parts::{
    AngleLimits, Bar, Bend, Body, Carriage, Elbow, ForearmModel, JointGear, LengthLimits, LinearMotor, Motor,
    Placement, PlanarBody, PlanarPlacement,
};
pub use problem::{DescriptionError, Location, Problem, ProblemKind, Suggestion};
pub use variant::{EffortChoice, RobotVariant};

use crate::families::mechanism::with_files;
use crate::files;
use crate::sorting::sort_by;
use reader::Notes;
use std::path::Path;
use std::sync::Arc;
use toml::de::DeTable;

/// A cell in a cell in a cell: deeper than this a file most likely names itself.
const MOST_WITHIN: usize = 4;

/// A robot as its file describes it, in SI units and legwork's convention.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotDescription {
    /// Name of the robot; the stem of the file name if the file does not say.
    pub name: String,
    /// Where the numbers come from.
    pub source: Option<String>,
    /// What a reader should know about the numbers.
    pub note: Option<String>,
    /// The convention the file was written in. All values here are converted already.
    pub convention: Convention,
    /// Acceleration of gravity, g₀ \[m/s²\].
    pub gravity: f64,
    /// Where gravity pulls, in base axes, or in those of the cell if it has one; unit vector.
    pub gravity_direction: [f64; 3],
    /// Where its base stands in the cell, if poses are given in the frame of a cell.
    pub cell: Option<Placement>,
    /// What is mounted on its platform.
    pub tool: Option<Tool>,
    /// By what its legs differ from the rest of the file, one for each leg; empty if they do not.
    pub calibration: Vec<CalibratedLeg>,
    /// By what joints of its bodies stand elsewhere than the rest of the file says, if it is bodies and joints.
    pub joint_calibration: Vec<CalibratedJoint>,
    /// What the robot is made of.
    pub data: FamilyData,
    /// What was identified on the machine; its bodies are in `data` already.
    pub identified: Identified,
    /// What it follows if no path is asked for.
    pub motion_defaults: Option<MotionDefaults>,
    /// How it is controlled if nothing else is asked for.
    pub controller_defaults: Option<ControllerDefaults>,
    /// The text it was read from, to the byte, and after it the other robot files that it names; `None` for a robot that was in
    /// no file. With `parse(text, "NAME.toml")` it is read again, anywhere.
    pub text: Option<Arc<str>>,
}

impl RobotDescription {
    /// Read a robot file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, DescriptionError> {
        Self::load_within(path, 0)
    }

    /// The same of a file that other files name, one within the other.
    pub(crate) fn load_within(path: impl AsRef<Path>, depth: usize) -> Result<Self, DescriptionError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let bytes = match files::read(path, files::MOST_TEXT) {
            Ok(bytes) => bytes,
            Err(cause) => return Err(whole_file(&file, ProblemKind::Unreadable { cause })),
        };
        match str::from_utf8(&bytes) {
            Ok(text) => Self::parse_within(text, &file, depth),
            Err(error) => {
                // Up to the bad byte the lossy text has the same offsets.
                let offset = error.valid_up_to();
                let text = String::from_utf8_lossy(&bytes);
                let location = Some(Location::of(&text, &(offset..offset + 1)));
                let problems = vec![Problem { kind: ProblemKind::NotUtf8 { offset }, location }];
                Err(DescriptionError { file, problems })
            }
        }
    }

    /// Read the text of a robot file; `file` is its name in messages, and its stem the robot's default name.
    pub fn parse(text: &str, file: &str) -> Result<Self, DescriptionError> {
        Self::parse_within(text, file, 0)
    }

    /// The same of the text of a file that other files name, one within the other.
    pub(crate) fn parse_within(text: &str, file: &str, depth: usize) -> Result<Self, DescriptionError> {
        if depth > MOST_WITHIN {
            return Err(whole_file(file, ProblemKind::TooDeep { most: MOST_WITHIN }));
        }
        let folder = Path::new(file).parent().map(Path::to_path_buf).unwrap_or_default();
        let mut notes = Notes {
            text,
            problems: Vec::new(),
            more: 0,
            folder,
            depth,
            carried: Vec::new(),
            found: Vec::new(),
        };
        let (root, errors) = DeTable::parse_recoverable(text);
        let mut readable = true;
        for error in errors {
            let kind = syntax(text, &error);
            readable &= matches!(kind, ProblemKind::DuplicateKey { .. });
            notes.note(error.span(), kind);
        }
        let mut robot = None;
        if readable && root.get_ref().is_empty() {
            notes.note(None, ProblemKind::Empty);
        } else if readable {
            let stem = Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
            robot = top::read(root.get_ref(), &mut notes, &stem).map(|robot| {
                let text = with_files(text, &notes.found);
                RobotDescription { text: Some(text.into()), ..robot }
            });
        }
        let mut problems = problem::without_echoes(&notes.problems);
        sort_by(&mut problems, |a, b| a.location.cmp(&b.location));
        problems.dedup();
        if notes.more > 0 {
            problems.push(Problem { kind: ProblemKind::More { count: notes.more }, location: None });
        }
        match robot {
            Some(robot) if problems.is_empty() => Ok(robot),
            _ => Err(DescriptionError { file: file.to_owned(), problems }),
        }
    }

    /// Kind of robot.
    pub fn family(&self) -> Family {
        self.data.family()
    }

    /// What the file of a Delta says.
    pub fn as_delta(&self) -> Option<&DeltaDescription> {
        if let FamilyData::Delta(delta) = &self.data { Some(delta) } else { None }
    }

    /// Acceleration of gravity as a vector \[m/s²\], in base axes, or in those of the cell if it has one.
    pub fn gravity_vector(&self) -> [f64; 3] {
        self.gravity_direction.map(|part| part * self.gravity)
    }

    /// Read a robot that comes with legwork; [`BUILT_IN`] lists them.
    pub fn built_in(name: &str) -> Result<Self, DescriptionError> {
        if let Some(robot) = BUILT_IN.iter().find(|robot| robot.name == name) {
            return Self::parse(robot.text, &format!("{name}.toml"));
        }
        let nearest = nearest_word(name, BUILT_IN.iter().map(|robot| robot.name));
        Err(whole_file(name, ProblemKind::UnknownBuiltIn { name: name.to_owned(), nearest }))
    }
}

/// A problem of the whole file.
fn whole_file(file: &str, kind: ProblemKind) -> DescriptionError {
    DescriptionError { file: file.to_owned(), problems: vec![Problem { kind, location: None }] }
}

/// What the TOML parser says, in our terms.
fn syntax(text: &str, error: &toml::de::Error) -> ProblemKind {
    match error.span().and_then(|span| text.get(span)) {
        Some(key) if error.message() == "duplicate key" => ProblemKind::DuplicateKey { key: key.to_owned() },
        _ => ProblemKind::Syntax { message: error.message().to_owned() },
    }
}
