//! The figures as pictures in files.

use crate::Reproduction;
use legwork::figure::{Axis, ColorMap, Field, Figure, Panel};
use legwork::report::{self, Block, Cloud, HeatMap, Lines, Marker, Multiples};
use std::error::Error;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// A file or folder that cannot be written, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveError {
    /// Which.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

impl SaveError {
    /// A path that cannot be written, and the error of whoever tried.
    pub fn new(path: &Path, error: &dyn Error) -> Self {
        Self { path: path.into(), reason: error.to_string() }
    }
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` cannot be written: {}", self.path.display(), self.reason)
    }
}

impl Error for SaveError {}

impl Reproduction {
    /// Writes every figure to a folder as SVG and PNG, and returns the files. The folder is made if it is not there.
    pub fn save_figures(&self, folder: &Path) -> Result<Vec<PathBuf>, SaveError> {
        fs::create_dir_all(folder).map_err(|error| SaveError::new(folder, &error))?;
        let mut files = Vec::new();
        for item in self.results() {
            let Some(Ok(findings)) = &item.findings else { continue };
            let figures: Vec<_> = findings.blocks.iter().filter_map(picture).collect();
            for (k, figure) in figures.iter().enumerate() {
                let number = if figures.len() > 1 { format!("-{}", k + 1) } else { String::new() };
                for ending in ["svg", "png"] {
                    let path = folder.join(format!("{}-{}{number}.{ending}", item.paper.name(), item.id));
                    figure.save(&path).map_err(|error| SaveError::new(&path, &error))?;
                    files.push(path);
                }
            }
        }
        Ok(files)
    }
}

/// The picture of a block; nothing for text, tables and files.
pub fn picture(block: &Block) -> Option<Figure> {
    match block {
        Block::Lines(plot) => Some(Figure::new(plot.title.as_str()).panel(lines(plot))),
        Block::Cloud(plot) => Some(Figure::new(plot.title.as_str()).panel(cloud(plot))),
        Block::HeatMap(map) => {
            Some(colored(Figure::new(map.title.as_str()), &[map]).panel(field(map).titled("")))
        }
        Block::Multiples(several) => multiples(several),
        _ => None,
    }
}

fn axis(axis: &report::Axis) -> Axis {
    Axis::new(axis.name.as_str(), axis.unit.as_str())
}

fn lines(plot: &Lines) -> Panel {
    plot.curves.iter().fold(Panel::new(axis(&plot.x), axis(&plot.y)), |panel, curve| {
        let points: Vec<[f64; 2]> = curve.x.iter().zip(&curve.y).map(|(x, y)| [*x, *y]).collect();
        panel.line(curve.name.as_str(), points)
    })
}

fn cloud(plot: &Cloud) -> Panel {
    let mut panel = Panel::new(axis(&plot.x), axis(&plot.y)).with_origin();
    if plot.equal {
        panel = panel.with_equal_axes();
    }
    plot.groups.iter().fold(panel, |panel, group| {
        let (name, points) = (group.name.as_str(), group.points.clone());
        match group.marker {
            Marker::Cross => panel.poles(name, points),
            Marker::Circle => panel.zeros(name, points),
            Marker::Line => panel.line(name, points),
            Marker::Dot => panel.cloud(name, points),
        }
    })
}

fn field(map: &HeatMap) -> Panel {
    let ends = |list: &[f64]| (list.first().copied().unwrap_or(0.0), list.last().copied().unwrap_or(0.0));
    Panel::new(axis(&map.x.0), axis(&map.y.0)).titled(map.title.as_str()).with_equal_axes().field(Field {
        x: ends(&map.x.1),
        y: ends(&map.y.1),
        columns: map.x.1.len(),
        values: map.cells.clone(),
    })
}

/// One scale of colours for all maps.
fn colored(figure: Figure, maps: &[&HeatMap]) -> Figure {
    let Some(first) = maps.first() else { return figure };
    let ends = maps.iter().filter_map(|map| map.ends());
    let all = ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
    let scale = axis(&first.value);
    let signed = all.is_some_and(|[low, _]| low < 0.0);
    let scale = match all {
        Some([low, high]) if signed => scale.within(-high.max(-low), high.max(-low)),
        Some([low, high]) => scale.within(low, high),
        None => scale,
    };
    figure.colored(scale, if signed { ColorMap::Diverging } else { ColorMap::Sequential })
}

fn multiples(several: &Multiples) -> Option<Figure> {
    let maps: Vec<&HeatMap> = several
        .blocks
        .iter()
        .filter_map(|block| if let Block::HeatMap(map) = block { Some(map) } else { None })
        .collect();
    let figure = colored(Figure::new(several.title.as_str()), &maps).in_columns(several.columns);
    let panels: Vec<Panel> = several
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::Lines(plot) => Some(lines(plot).titled(plot.title.as_str())),
            Block::Cloud(plot) => Some(cloud(plot).titled(plot.title.as_str())),
            Block::HeatMap(map) => Some(field(map)),
            _ => None,
        })
        .collect();
    (!panels.is_empty()).then(|| panels.into_iter().fold(figure, Figure::panel))
}
