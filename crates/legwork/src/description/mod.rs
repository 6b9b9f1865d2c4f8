//! Robot files: TOML text to checked numbers in SI units.
//!
//! A robot is a `family` and a few numbers. A length, angle, mass or inertia may carry its unit; a bare
//! number is SI. With `convention` a file uses the names, frame and signs of another system. What comes out
//! is always in legwork's own: z up from the motor axes, leg 1 along +x, motor angle 0 when the arm is
//! horizontal and outward, positive when it goes down.
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
//! assert_eq!(robot.geometry.arm, 0.35);
//! # Ok::<(), legwork::description::DescriptionError>(())
//! ```
//!
//! A file that is refused comes back with all of its problems, each with its place in the file and, where
//! there is one, a way out. What can be checked here is each value alone; whether the robot can be built is
//! checked when its model is made.
//!
//! [`fields`] and [`convention`] are the tables behind all of it; [`schema`] gives them to editors and to the
//! documentation.

mod built_in;
pub mod convention;
mod delta;
mod field;
pub mod fields;
mod nearest;
mod problem;
mod reader;
pub mod schema;

pub use built_in::{BUILT_IN, BuiltIn};
pub use convention::{Convention, Frame};
pub use problem::{DescriptionError, Location, Problem, ProblemKind, Suggestion};

use reader::Notes;
use std::path::Path;
use toml::de::DeTable;

/// A robot as its file describes it, in SI units and legwork's convention.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotDescription {
    /// Name of the robot; the stem of the file name if the file does not say.
    pub name: String,
    /// Kind of robot.
    pub family: Family,
    /// Where the numbers come from.
    pub source: Option<String>,
    /// What a reader should know about the numbers.
    pub note: Option<String>,
    /// The convention the file was written in. All values here are converted already.
    pub convention: Convention,
    /// Between the frame and signs of that convention and ours.
    pub frame: Frame,
    /// Acceleration of gravity along −z, g₀ \[m/s²\].
    pub gravity: f64,
    /// Lengths and directions of the legs.
    pub geometry: DeltaGeometry,
    /// Masses and inertias; `None` for a robot with geometry only.
    pub mass: Option<DeltaMass>,
    /// One motor with its gear; all three are equal.
    pub motor: Motor,
    /// Limits of the motor angles.
    pub limits: AngleLimits,
    /// Platform position at rest, in our frame \[m\].
    pub home: Option<[f64; 3]>,
    /// Which way the elbow of each leg bends.
    pub working_mode: [Elbow; 3],
}

/// Kind of robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Rotary Delta: three motors, three arms, three parallelograms, a platform that only translates.
    Delta,
}

/// Lengths of a rotary Delta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeltaGeometry {
    /// Centre of the base to a motor axis, R_A \[m\].
    pub base_radius: f64,
    /// Centre of the platform to the joints of a forearm, R_B \[m\].
    pub platform_radius: f64,
    /// Motor axis to elbow, a \[m\].
    pub arm: f64,
    /// Elbow to platform joint, b \[m\].
    pub forearm: f64,
    /// Direction of each leg from +x, counter-clockwise seen from above, φ_i \[rad\].
    pub azimuth: [f64; 3],
}

/// Masses and inertias of a rotary Delta, all resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeltaMass {
    /// Platform without payload \[kg\].
    pub platform: f64,
    /// What the platform carries \[kg\].
    pub payload: f64,
    /// One arm without its elbow, m_a \[kg\].
    pub arm: f64,
    /// One forearm, both of its rods together, m_f \[kg\].
    pub forearm: f64,
    /// Joint at the end of one arm, m_e \[kg\].
    pub elbow: f64,
    /// Centre of mass of the arm, from the motor axis, c_a \[m\].
    pub arm_centre: f64,
    /// Arm about its own centre of mass, about an axis parallel to the motor's, I_a \[kg m²\].
    pub arm_inertia: f64,
    /// Centre of mass of the forearm, from the elbow \[m\].
    pub forearm_centre: f64,
    /// Both rods of a forearm together, each about its own centre, across its length, I_⊥ \[kg m²\].
    pub forearm_inertia: f64,
}

/// One motor with its gear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// Rotor, on the motor side \[kg m²\].
    pub rotor_inertia: f64,
    /// Turns of the motor for one turn of the arm; not zero.
    pub gear_ratio: f64,
    /// Gearbox, on the motor side \[kg m²\].
    pub gear_inertia: f64,
    /// Friction that grows with speed, on the arm side \[N m s/rad\].
    pub viscous_friction: f64,
    /// Friction that only has a sign, on the arm side \[N m\].
    pub coulomb_friction: f64,
    /// Largest torque, on the arm side \[N m\].
    pub max_torque: Option<f64>,
    /// Largest speed, on the arm side \[rad/s\].
    pub max_speed: Option<f64>,
}

impl Motor {
    /// Rotor and gearbox as the arm feels them, I_m \[kg m²\]: the sum times the square of the gear ratio.
    pub fn inertia_at_arm(&self) -> f64 {
        (self.rotor_inertia + self.gear_inertia) * self.gear_ratio * self.gear_ratio
    }
}

/// Limits of the motor angles; `None` is no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleLimits {
    /// Smallest angle \[rad\].
    pub min: Option<f64>,
    /// Largest angle \[rad\].
    pub max: Option<f64>,
}

/// Which way an elbow bends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elbow {
    /// Away from the centre, as robots are built.
    Out,
    /// Towards the centre.
    In,
}

impl RobotDescription {
    /// Read a robot file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, DescriptionError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => return Err(whole_file(&file, ProblemKind::Unreadable { cause: error.kind() })),
        };
        match str::from_utf8(&bytes) {
            Ok(text) => Self::parse(text, &file),
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
        let mut notes = Notes { text, problems: Vec::new() };
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
            robot = delta::read(root.get_ref(), &mut notes, &stem);
        }
        let mut problems = problem::without_echoes(&notes.problems);
        problems.sort_by(|a, b| a.location.cmp(&b.location));
        match robot {
            Some(robot) if problems.is_empty() => Ok(robot),
            _ => Err(DescriptionError { file: file.to_owned(), problems }),
        }
    }

    /// Read a robot that comes with legwork; [`BUILT_IN`] lists them.
    pub fn built_in(name: &str) -> Result<Self, DescriptionError> {
        if let Some(robot) = BUILT_IN.iter().find(|robot| robot.name == name) {
            return Self::parse(robot.text, &format!("{name}.toml"));
        }
        let nearest = nearest::nearest(name, BUILT_IN.iter().map(|robot| robot.name));
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
