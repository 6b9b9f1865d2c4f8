//! The blocks of a report: tables, plots, maps, files.

use super::Block;

/// What is counted along an edge of a plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// `x`
    pub name: String,
    /// `m`; empty for a pure number.
    pub unit: String,
}

impl Axis {
    /// A name and its unit.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into() }
    }

    /// `x [m]`
    pub fn label(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} [{}]", self.name, self.unit) }
    }
}

/// Rows of cells under headings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it shows; may be empty.
    pub title: String,
    /// Headings with units.
    pub columns: Vec<Axis>,
    /// Cells as they are to be read. A row may be shorter than the headings.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Without rows.
    pub fn new(title: impl Into<String>, columns: impl IntoIterator<Item = Axis>) -> Self {
        Self { title: title.into(), columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// With one more row.
    #[must_use]
    pub fn with_row<S: Into<String>>(mut self, cells: impl IntoIterator<Item = S>) -> Self {
        self.rows.push(cells.into_iter().map(Into::into).collect());
        self
    }
}

/// Curves over one axis. Plots over the same axis are linked on the page: cursor and zoom, and over
/// time \[s\] the moving robots too.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// What it shows.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards; all curves are in this unit.
    pub y: Axis,
    /// In order; of one run colours follow the names, of several the runs.
    pub curves: Vec<Curve>,
}

/// One curve. A point that is not a number is a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// `x`
    pub name: String,
    /// Which of several runs it belongs to.
    pub run: Option<String>,
    /// Rising.
    pub x: Vec<f64>,
    /// As many as `x`.
    pub y: Vec<f64>,
}

impl Lines {
    /// Without curves.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { title: title.into(), x, y, curves: Vec::new() }
    }

    /// With one more curve.
    #[must_use]
    pub fn with_curve(mut self, name: impl Into<String>, x: &[f64], y: &[f64]) -> Self {
        self.curves.push(Curve { name: name.into(), run: None, x: x.to_vec(), y: y.to_vec() });
        self
    }

    /// With a curve of one of several runs.
    #[must_use]
    pub fn with_run_curve(
        mut self,
        run: impl Into<String>,
        name: impl Into<String>,
        x: &[f64],
        y: &[f64],
    ) -> Self {
        self.curves.push(Curve { name: name.into(), run: Some(run.into()), x: x.to_vec(), y: y.to_vec() });
        self
    }
}

/// A number at each point of a grid. A cell that is not a number is shown as empty.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// What it shows.
    pub title: String,
    /// To the right, and where the columns are.
    pub x: (Axis, Vec<f64>),
    /// Upwards, and where the rows are.
    pub y: (Axis, Vec<f64>),
    /// What the colour means.
    pub value: Axis,
    /// Row by row, from the lowest y.
    pub cells: Vec<f64>,
    /// Ends of the colours; those of the cells if it is not given.
    pub range: Option<[f64; 2]>,
    /// How many cells, from the first on, were computed; the others are neither numbers nor "no value".
    pub computed: usize,
}

impl HeatMap {
    /// A map whose colours span its cells.
    pub fn new(
        title: impl Into<String>,
        x: (Axis, Vec<f64>),
        y: (Axis, Vec<f64>),
        value: Axis,
        cells: Vec<f64>,
    ) -> Self {
        let computed = cells.len();
        Self { title: title.into(), x, y, value, cells, range: None, computed }
    }

    /// With only the first so many cells computed: the work was interrupted.
    #[must_use]
    pub fn computed_to(self, cells: usize) -> Self {
        Self { computed: cells.min(self.cells.len()), ..self }
    }

    /// With these ends of the colours, for maps that are to be compared.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        Self { range: Some([low, high]), ..self }
    }

    /// The ends of the colours; `None` if no cell is a number.
    pub fn ends(&self) -> Option<[f64; 2]> {
        self.range.or_else(|| ends(self.cells.iter().copied()))
    }
}

/// Smallest and largest of the finite numbers.
pub(super) fn ends(numbers: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    numbers
        .filter(|x| x.is_finite())
        .fold(None, |ends, x| Some(ends.map_or([x, x], |[low, high]: [f64; 2]| [low.min(x), high.max(x)])))
}

/// How the points of a cloud are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marker {
    /// Small and filled.
    #[default]
    Dot,
    /// As poles are drawn.
    Cross,
    /// As zeros are drawn.
    Circle,
    /// Joined by a line: the limits of a motor.
    Line,
}

impl Marker {
    /// One word: `dot`, `cross`, `circle`, `line`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dot => "dot",
            Self::Cross => "cross",
            Self::Circle => "circle",
            Self::Line => "line",
        }
    }
}

/// Points in a plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloud {
    /// What it shows.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// In order.
    pub groups: Vec<Points>,
    /// The same scale along both axes.
    pub equal: bool,
}

/// Points of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// `poles`
    pub name: String,
    /// How they are drawn.
    pub marker: Marker,
    /// Where they are.
    pub points: Vec<[f64; 2]>,
}

impl Cloud {
    /// Without points.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { title: title.into(), x, y, groups: Vec::new(), equal: false }
    }

    /// With one more kind of points.
    #[must_use]
    pub fn with_points(mut self, name: impl Into<String>, marker: Marker, points: &[[f64; 2]]) -> Self {
        self.groups.push(Points { name: name.into(), marker, points: points.to_vec() });
        self
    }

    /// With the same scale along both axes.
    #[must_use]
    pub fn with_equal_axes(self) -> Self {
        Self { equal: true, ..self }
    }
}

/// Small plots side by side, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Multiples {
    /// What they show together.
    pub title: String,
    /// How many in a row.
    pub columns: usize,
    /// Plots, maps or clouds.
    pub blocks: Vec<Block>,
}

impl Multiples {
    /// Without plots.
    pub fn new(title: impl Into<String>, columns: usize) -> Self {
        Self { title: title.into(), columns: columns.max(1), blocks: Vec::new() }
    }

    /// With one more.
    #[must_use]
    pub fn with(mut self, block: impl Into<Block>) -> Self {
        self.blocks.push(block.into());
        self
    }
}

/// A file to take away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its name: `poles.csv`.
    pub name: String,
    /// What it is: `text/csv`.
    pub media_type: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}
