//! Pictures of results: lines, clouds, fields, small multiples, poles and zeros;
//! as SVG or PNG, in colours that everybody can tell apart.
//!
//! ```
//! use legwork::figure::{Axis, Figure, Panel};
//!
//! let panel = Panel::new(Axis::new("time", "s"), Axis::new("torque", "N m"))
//!     .line("motor 1", [[0.0, 1.0], [0.5, -0.5], [1.0, 0.0]])
//!     .limit("largest torque", [[0.0, 2.0], [1.0, 2.0]]);
//! let svg = Figure::new("A swing").panel(panel).to_svg();
//! assert!(svg.contains("torque [N m]"));
//! ```

mod color;
mod draw;
mod layout;
mod png;
mod raster;
mod scene;
mod svg;
mod text;
mod ticks;

pub use color::{Color, ColorMap};

use crate::files::{self, FileFault};
use std::fmt;
use std::path::Path;

/// Pixels per point of a PNG.
const PIXELS: f64 = 2.0;

/// One axis: what it shows and its unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub(crate) name: String,
    pub(crate) unit: String,
    range: Option<(f64, f64)>,
}

impl Axis {
    /// An axis that is as long as what is shown on it; `unit` is empty for a plain number.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into(), range: None }
    }

    /// The same axis from one number to another.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), ..self }
    }

    /// "x \[mm\]"
    fn label(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} [{}]", self.name, self.unit) }
    }
}

/// Numbers on a grid, shown as colours. A number that is NaN is shown as "no value".
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// First and last of the columns.
    pub x: (f64, f64),
    /// First and last of the rows.
    pub y: (f64, f64),
    /// How many columns.
    pub columns: usize,
    /// Row after row, the first at `y.0`.
    pub values: Vec<f64>,
}

/// What is drawn in a panel.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    Line { label: String, points: Vec<[f64; 2]>, is_limit: bool },
    Cloud { label: String, points: Vec<[f64; 2]> },
    Poles { label: String, points: Vec<[f64; 2]> },
    Zeros { label: String, points: Vec<[f64; 2]> },
    Field { field: Field, computed: usize },
}

/// One pair of axes with what is drawn between them.
#[derive(Clone, Debug)]
pub struct Panel {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) marks: Vec<Mark>,
    pub(crate) is_equal: bool,
    shows_origin: bool,
}

impl Panel {
    /// An empty panel.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self { title: String::new(), x, y, marks: Vec::new(), is_equal: false, shows_origin: false }
    }

    /// A panel for [`poles`](Self::poles) and [`zeros`](Self::zeros): real part to the right \[1/s\], imaginary up.
    pub fn of_roots() -> Self {
        Self::new(Axis::new("real part", "1/s"), Axis::new("imaginary part", "rad/s")).with_origin()
    }

    /// With a title above.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// With one scale for both axes: a square is a square.
    #[must_use]
    pub fn with_equal_axes(self) -> Self {
        Self { is_equal: true, ..self }
    }

    /// With lines where an axis is zero.
    #[must_use]
    pub fn with_origin(self) -> Self {
        Self { shows_origin: true, ..self }
    }

    /// A line through points; a NaN interrupts it.
    #[must_use]
    pub fn line(self, label: impl Into<String>, points: impl Into<Vec<[f64; 2]>>) -> Self {
        self.mark(Mark::Line { label: label.into(), points: points.into(), is_limit: false })
    }

    /// A dashed line that should not be passed.
    #[must_use]
    pub fn limit(self, label: impl Into<String>, points: impl Into<Vec<[f64; 2]>>) -> Self {
        self.mark(Mark::Line { label: label.into(), points: points.into(), is_limit: true })
    }

    /// Dots.
    #[must_use]
    pub fn cloud(self, label: impl Into<String>, points: impl Into<Vec<[f64; 2]>>) -> Self {
        self.mark(Mark::Cloud { label: label.into(), points: points.into() })
    }

    /// Crosses at poles.
    #[must_use]
    pub fn poles(self, label: impl Into<String>, points: impl Into<Vec<[f64; 2]>>) -> Self {
        self.mark(Mark::Poles { label: label.into(), points: points.into() })
    }

    /// Rings at zeros.
    #[must_use]
    pub fn zeros(self, label: impl Into<String>, points: impl Into<Vec<[f64; 2]>>) -> Self {
        self.mark(Mark::Zeros { label: label.into(), points: points.into() })
    }

    /// Numbers on a grid as colours.
    #[must_use]
    pub fn field(self, field: Field) -> Self {
        let computed = field.values.len();
        self.field_computed_to(field, computed)
    }

    /// The same of which only the first so many numbers are known; the others are dark grey, and neither numbers nor
    /// "no value".
    #[must_use]
    pub fn field_computed_to(self, field: Field, computed: usize) -> Self {
        self.mark(Mark::Field { field, computed })
    }

    fn mark(mut self, mark: Mark) -> Self {
        self.marks.push(mark);
        self
    }
}

/// The colours of all fields of a figure: one scale for all panels.
#[derive(Clone, Debug)]
struct Scale {
    axis: Axis,
    map: ColorMap,
    /// What a cell without a value means.
    nothing: String,
}

/// A picture of one or more panels.
#[derive(Clone, Debug)]
pub struct Figure {
    title: String,
    /// A second line, smaller.
    note: String,
    pub(crate) panels: Vec<Panel>,
    columns: usize,
    scale: Scale,
}

impl Figure {
    /// A figure without panels.
    pub fn new(title: impl Into<String>) -> Self {
        let scale = Scale { axis: Axis::new("", ""), map: ColorMap::Sequential, nothing: "no value".into() };
        Self { title: title.into(), note: String::new(), panels: Vec::new(), columns: 1, scale }
    }

    /// With a line of small text below the title.
    #[must_use]
    pub fn noted(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// With more at the end of that line.
    #[must_use]
    pub(crate) fn also_noted(mut self, more: &str) -> Self {
        self.note.push_str(more);
        self
    }

    /// One more panel, to the right of the last or in a new row.
    #[must_use]
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    /// With this many panels side by side.
    #[must_use]
    pub fn in_columns(self, columns: usize) -> Self {
        Self { columns: columns.max(1), ..self }
    }

    /// What the colours of its fields mean, the same in every panel.
    #[must_use]
    pub fn colored(mut self, axis: Axis, map: ColorMap) -> Self {
        self.scale = Scale { axis, map, ..self.scale };
        self
    }

    /// What a cell without a value means: "out of reach".
    #[must_use]
    pub fn without_value(mut self, meaning: impl Into<String>) -> Self {
        self.scale.nothing = meaning.into();
        self
    }

    /// As SVG.
    pub fn to_svg(&self) -> String {
        svg::write(&layout::scene(self))
    }

    /// As PNG, two pixels to the point.
    pub fn to_png(&self) -> Vec<u8> {
        raster::write(&layout::scene(self), PIXELS)
    }

    /// Whether the name of a file ends in `.svg` or `.png`.
    pub fn is_name_of_picture(path: impl AsRef<Path>) -> bool {
        Kind::of(path.as_ref()).is_some()
    }

    /// The bytes of a file with this name; `None` if it ends neither in `.svg` nor in `.png`.
    pub fn to_bytes(&self, name: impl AsRef<Path>) -> Option<Vec<u8>> {
        Some(match Kind::of(name.as_ref())? {
            Kind::Svg => self.to_svg().into_bytes(),
            Kind::Png => self.to_png(),
        })
    }

    /// Writes a file; the end of its name, `.svg` or `.png`, says as what.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FigureError> {
        let path = path.as_ref();
        let name = || path.display().to_string();
        let bytes = self.to_bytes(path).ok_or_else(|| FigureError::Format { path: name() })?;
        files::write(path, &bytes).map_err(|cause| FigureError::Io { path: name(), cause })
    }
}

enum Kind {
    Svg,
    Png,
}

impl Kind {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            _ => None,
        }
    }
}

/// Why a picture cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FigureError {
    /// The name does not say a format.
    Format {
        /// The file.
        path: String,
    },
    /// The system refuses.
    Io {
        /// The file.
        path: String,
        /// Why.
        cause: FileFault,
    },
}

impl fmt::Display for FigureError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Format { path } => write!(f, "`{path}` does not end in .svg or .png"),
            Self::Io { path, cause } => write!(f, "cannot write `{path}`: {cause}"),
        }
    }
}

impl std::error::Error for FigureError {}
