//! Robots for other programs, and theirs for legwork: MJCF (MuJoCo), URDF (ROS, Pinocchio) and SDF (Drake, Gazebo).
//!
//! ```
//! use legwork::AnyRobot;
//! use legwork::exchange::{self, Dialect};
//!
//! let robot = AnyRobot::open("delta-industrial")?;
//! let exported = exchange::export(&robot, Dialect::Mjcf)?;
//! assert!(exported.text.contains("<connect"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! One tree of links with what closes its loops stands in the middle (`tree`); a dialect is how it is written and read.

mod builder;
mod error;
mod joint_states;
mod markup;
mod mjcf;
mod plain;
mod reading;
mod robot_file;
mod sdf;
mod shapes;
mod spanning;
mod tree;
mod urdf;

pub use error::ExchangeError;
pub use joint_states::{JointState, JointStates, JointStream};
pub(crate) use markup::{escaped, number};

use crate::AnyRobot;
use crate::description::nearest_word;
use tree::Tree;

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// MuJoCo's MJCF: loops as `connect` and `weld`.
    Mjcf,
    /// URDF, loops in a YAML file beside it and as `<constraint>`.
    Urdf,
    /// SDF, loops as Drake's ball constraints.
    Sdf,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Mjcf, Self::Urdf, Self::Sdf];

    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mjcf => "mjcf",
            Self::Urdf => "urdf",
            Self::Sdf => "sdf",
        }
    }

    /// Its name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::Mjcf => "MJCF",
            Self::Urdf => "URDF",
            Self::Sdf => "SDF",
        }
    }

    /// The one with this name, or the name that is nearest to it.
    pub fn from_name(name: &str) -> Result<Self, Option<&'static str>> {
        let lower = name.to_lowercase();
        let known = Self::ALL.into_iter().find(|dialect| dialect.name() == lower);
        known.ok_or_else(|| nearest_word(&lower, Self::ALL.map(Self::name).into_iter()))
    }
}

/// A robot as a file of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub text: String,
    /// What stands in a YAML file beside it: of a URDF its loops.
    pub sidecar: Option<String>,
    /// What a reader should know: what is said in another way, and what is not said.
    pub notes: Vec<String>,
}

/// A robot in a dialect: bodies, inertias, joints, motors, loops and home.
///
/// # Errors
/// If the robot does not become bodies and joints.
pub fn export(robot: &AnyRobot, dialect: Dialect) -> Result<Exported, ExchangeError> {
    let tree = Tree::of(robot)?;
    let (text, sidecar) = match dialect {
        Dialect::Mjcf => (mjcf::write(&tree), None),
        Dialect::Urdf => {
            let [text, sidecar] = urdf::write(&tree);
            (text, Some(sidecar))
        }
        Dialect::Sdf => (sdf::write(&tree), None),
    };
    Ok(Exported { text, sidecar, notes: tree.notes })
}

/// How a file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// The body whose motion counts, where the file does not say it.
    pub platform: Option<String>,
    /// The joints that motors drive, in their order, instead of what the file says.
    pub motors: Vec<String>,
}

/// A robot file that was made of a file of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Whose file it was.
    pub dialect: Dialect,
    /// The robot file, with the notes as comments on top.
    pub robot_file: String,
    /// What a reader should know: what was left out, what was assumed.
    pub notes: Vec<String>,
}

/// Whether a text is a file of another program: its first element says so.
pub fn knows(text: &str) -> Option<Dialect> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<?") {
            "?>"
        } else if rest.starts_with("<!") {
            // A document type may have a part in brackets.
            if rest.find('[').is_some_and(|at| at < rest.find('>').unwrap_or(0)) { "]>" } else { ">" }
        } else {
            break;
        };
        rest = rest.split_once(end)?.1.trim_start();
    }
    let name = rest.strip_prefix('<')?.split(|c: char| c.is_whitespace() || "/>".contains(c)).next()?;
    match name {
        "mujoco" => Some(Dialect::Mjcf),
        "robot" => Some(Dialect::Urdf),
        "sdf" => Some(Dialect::Sdf),
        _ => None,
    }
}

/// The robot in a file of another program: the texts of files with their names, the XML and, for a URDF, the YAML with its
/// loops.
///
/// # Errors
/// If the file cannot be read, with line and column, or if it describes no robot.
pub fn import(files: &[(&str, &str)], options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let whole = |file: &str, what: &str, hint: &str| ExchangeError::Whole {
        file: file.into(),
        what: what.into(),
        hint: Some(hint.into()),
    };
    let first = files.iter().find_map(|(name, text)| knows(text).map(|dialect| (*name, *text, dialect)));
    let Some((file, text, dialect)) = first else {
        let name = files.first().map_or("", |(name, _)| name);
        return Err(whole(
            name,
            "neither MJCF, URDF nor SDF",
            "their first element is <mujoco>, <robot> or <sdf>",
        ));
    };
    let text = reading::with_name_spaces(text);
    let document = reading::document(file, &text)?;
    let root = document.root_element();
    let builder = match dialect {
        Dialect::Mjcf => mjcf::read(file, root)?,
        Dialect::Urdf => {
            let sidecar = files.iter().find(|(name, _)| *name != file).copied();
            urdf::read(file, root, sidecar)?
        }
        Dialect::Sdf => sdf::read(file, root)?,
    };
    robot_file::finish(builder, dialect, file, options)
}
