//! What was found out, as a document: sections of text, tables, plots, maps and
//! moving robots. Plain data that becomes JSON; a page that shows it is made of it elsewhere.
//!
//! ```
//! use legwork::report::{Axis, Block, Lines, Report, Section};
//!
//! let t = [0.0, 0.5, 1.0];
//! let plot = Lines::new("Fall", Axis::new("t", "s"), Axis::new("z", "m"))
//!     .with_curve("z", &t, &[0.0, -1.23, -4.9]);
//! let report = Report::new("A stone")
//!     .with_command("legwork simulate stone")
//!     .with_section(Section::new("Motion").with("It falls.").with(plot));
//! assert_eq!(report.to_json()["sections"][0]["blocks"][1]["kind"], "lines");
//! ```
//!
//! Nothing here asks a clock: the same input gives the same bytes, unless [`Report::with_date`] is used.

mod animation;
mod blocks;
mod figures;
mod json;
mod pack;
mod runs;
mod thin;

pub use animation::{Animation, Moving};
pub use blocks::{Attachment, Axis, Cloud, Curve, HeatMap, Lines, Marker, Multiples, Points, Table};
pub use pack::{base64, doubles as packed_doubles};
pub use runs::{Run, of_runs};
pub(crate) use runs::{pose as recorded_pose, recorded_robot};

/// A document about robots.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What it is about.
    pub title: String,
    /// The command line that made it.
    pub command: Option<String>,
    /// Name and text of the robot file.
    pub robot: Option<(String, String)>,
    /// The requests that made it, as JSON: they can be run again.
    pub requests: Vec<String>,
    /// The program and its version.
    pub program: String,
    /// When it was made; only if the caller says so.
    pub date: Option<String>,
    /// In order.
    pub sections: Vec<Section>,
}

/// A part of a report under its own heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// In order.
    pub blocks: Vec<Block>,
}

/// One thing in a section.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Block {
    /// A paragraph of plain text.
    Text(String),
    /// Rows of cells.
    Table(Table),
    /// Curves over one axis.
    Lines(Lines),
    /// A number at each point of a grid.
    HeatMap(HeatMap),
    /// Points in a plane: poles and zeros, torques over speeds.
    Cloud(Cloud),
    /// Small maps or plots side by side.
    Multiples(Multiples),
    /// Robots that move.
    Animation(Animation),
    /// A file to take away.
    Attachment(Attachment),
}

impl Report {
    /// An empty report of this version of legwork.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            command: None,
            robot: None,
            program: concat!("legwork ", env!("CARGO_PKG_VERSION")).into(),
            requests: Vec::new(),
            date: None,
            sections: Vec::new(),
        }
    }

    /// With the command line that made it.
    #[must_use]
    pub fn with_command(self, line: impl Into<String>) -> Self {
        Self { command: Some(line.into()), ..self }
    }

    /// With name and text of the robot file.
    #[must_use]
    pub fn with_robot(self, name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { robot: Some((name.into(), text.into())), ..self }
    }

    /// With a date, in any words.
    #[must_use]
    pub fn with_date(self, date: impl Into<String>) -> Self {
        Self { date: Some(date.into()), ..self }
    }

    /// With one more section.
    #[must_use]
    pub fn with_section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }
}

impl Section {
    /// An empty section.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), blocks: Vec::new() }
    }

    /// With one more block.
    #[must_use]
    pub fn with(mut self, block: impl Into<Block>) -> Self {
        self.blocks.push(block.into());
        self
    }
}

macro_rules! blocks {
    ($($name:ident),*) => {$(
        impl From<$name> for Block {
            fn from(block: $name) -> Self {
                Self::$name(block)
            }
        }
    )*};
}

blocks!(Table, Lines, HeatMap, Cloud, Multiples, Animation, Attachment);

impl From<&str> for Block {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Block {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}
