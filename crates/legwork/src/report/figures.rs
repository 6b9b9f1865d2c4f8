//! A figure on a page: the same panels as plots to zoom; and the plots of a page as a figure.

use super::{Axis, Block, Cloud, Lines, Marker, Report};
use crate::figure::{self, Figure, Mark, Panel};

impl Figure {
    /// Its panels of lines and dots as blocks of a report, in order; panels of colours are left out.
    pub fn blocks(&self) -> Vec<Block> {
        self.panels.iter().filter_map(Panel::block).collect()
    }
}

impl Report {
    /// Its plots of curves as one picture, two side by side. Of several runs a curve has the name of its run too.
    pub fn figure(&self) -> Figure {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        let plots = blocks.filter_map(|block| if let Block::Lines(plot) = block { Some(plot) } else { None });
        plots.map(Panel::of).fold(Figure::new(&self.title).in_columns(2), Figure::panel)
    }
}

impl From<&Axis> for figure::Axis {
    fn from(axis: &Axis) -> Self {
        Self::new(&axis.name, &axis.unit)
    }
}

impl From<&figure::Axis> for Axis {
    fn from(axis: &figure::Axis) -> Self {
        Self::new(&axis.name, &axis.unit)
    }
}

impl Panel {
    fn of(plot: &Lines) -> Self {
        let empty = Self::new((&plot.x).into(), (&plot.y).into()).titled(&plot.title);
        plot.curves.iter().fold(empty, |panel, curve| {
            let points: Vec<[f64; 2]> = curve.x.iter().zip(&curve.y).map(|(x, y)| [*x, *y]).collect();
            let name = match &curve.run {
                Some(run) => format!("{run}: {}", curve.name),
                None => curve.name.clone(),
            };
            panel.line(name, points)
        })
    }

    fn block(&self) -> Option<Block> {
        let has = |wanted: fn(&Mark) -> bool| self.marks.iter().any(wanted);
        if has(|mark| matches!(mark, Mark::Field { .. })) {
            return None;
        }
        let over = format!("{} over {}", self.y.name, self.x.name);
        let title = if self.title.is_empty() { &over } else { &self.title };
        let (x, y) = (Axis::from(&self.x), Axis::from(&self.y));
        if has(|mark| matches!(mark, Mark::Line { is_limit: false, .. })) {
            return Some(self.marks.iter().fold(Lines::new(title, x, y), Mark::on_lines).into());
        }
        let cloud = self.marks.iter().fold(Cloud::new(title, x, y), Mark::on_cloud);
        Some(if self.is_equal { cloud.with_equal_axes() } else { cloud }.into())
    }
}

impl Mark {
    fn on_lines(plot: Lines, mark: &Self) -> Lines {
        let Self::Line { label, points, is_limit } = mark else { return plot };
        // A limit without a word is the other side of the one before it.
        let name = if label.is_empty() && *is_limit { "lower limit" } else { label };
        let name = if name.is_empty() { plot.y.name.clone() } else { name.to_owned() };
        let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|[x, y]| (*x, *y)).unzip();
        plot.with_curve(name, &x, &y)
    }

    fn on_cloud(plot: Cloud, mark: &Self) -> Cloud {
        match mark {
            Self::Line { label, points, .. } => plot.with_points(label, Marker::Line, points),
            Self::Cloud { label, points } => plot.with_points(label, Marker::Dot, points),
            Self::Poles { label, points } => plot.with_points(label, Marker::Cross, points),
            Self::Zeros { label, points } => plot.with_points(label, Marker::Circle, points),
            Self::Field { .. } => plot,
        }
    }
}
