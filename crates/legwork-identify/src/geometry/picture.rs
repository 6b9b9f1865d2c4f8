//! Before and after, as a picture and as a page.

use super::model::Place;
use super::request::Calibrated;
use super::workspace;
use legwork::figure::{Axis, ColorMap, Field, Figure, Panel};
use legwork::report::{self, Report, Section};
use legwork::text::short;

/// Cells along each side of a map.
const CELLS: usize = 25;
const NAMES: [(&str, &str); 6] =
    [("x", "mm"), ("y", "mm"), ("z", "mm"), ("about x", "deg"), ("about y", "deg"), ("about z", "deg")];

/// The error of the drawn robot and what is left of it, over a slice of the workspace.
pub fn figure(found: &Calibrated) -> Figure {
    let model = &found.model;
    let figure = Figure::new(format!("{}: error before and after calibration", found.result.robot))
        .noted("before: from the drawn to the calibrated robot at the same readings; after: standard deviation that is left")
        .colored(Axis::new("error", "um"), ColorMap::Sequential)
        .without_value("out of reach");
    let Some(slice) = workspace::slice(model, CELLS) else { return figure };
    let places: Vec<Place> = slice.poses.iter().flatten().cloned().collect();
    // In the order of the cells that are reached.
    let ways = super::answer::ways(model, &found.values, &places, &found.reference);
    let before = |place: &Place| {
        let here = |(at, _): &&(Place, legwork::V3<f64>)| at.pose.position == place.pose.position;
        ways.iter().find(here).map(|(_, way)| way.norm_sq().sqrt() * 1e6)
    };
    let after = |place: &Place| {
        let own = model.tolerance(&found.values, &found.covariance, place, &found.reference)?;
        Some(own.total * 1e6)
    };
    let ends = |k: usize| {
        let unit = if slice.axes[k] < 3 { 1e3 } else { 1.0_f64.to_degrees() };
        (slice.ends[k][0] * unit, slice.ends[k][1] * unit)
    };
    let field = |of: &dyn Fn(&Place) -> Option<f64>| Field {
        x: ends(0),
        y: ends(1),
        columns: slice.cells,
        values: slice.poses.iter().map(|pose| pose.as_ref().and_then(of).unwrap_or(f64::NAN)).collect(),
    };
    let axis = |k: usize| {
        let (name, unit) = NAMES[slice.axes[k]];
        Axis::new(name, unit)
    };
    let alike = slice.axes.iter().all(|axis| *axis < 3);
    let panel = |title: &str, field: Field| {
        let panel = Panel::new(axis(0), axis(1)).titled(title);
        if alike { panel.with_equal_axes().field(field) } else { panel.field(field) }
    };
    let (first, second) = (field(&before), field(&after));
    figure.in_columns(2).panel(panel("before", first)).panel(panel("after, 1 sigma", second))
}

/// Everything on a page.
pub fn report(found: &Calibrated, command: Option<&str>, request: &str) -> Report {
    let result = &found.result;
    let axis = |name: &str, unit: &str| report::Axis::new(name, unit);
    let mut residuals = report::Table::new(
        "Residuals, root mean square",
        [axis("of", ""), axis("before", "µm or µrad"), axis("after", "µm or µrad")],
    );
    for kind in &result.residuals {
        residuals =
            residuals.with_row([kind.kind.clone(), short(kind.before * 1e6), short(kind.after * 1e6)]);
    }
    let mut table = report::Table::new(
        "Parameters",
        [
            axis("name", ""),
            axis("drawn", "mm or deg"),
            axis("change", "mm or deg"),
            axis("sigma", "mm or deg"),
            axis("known", ""),
        ],
    );
    for parameter in &result.parameters {
        let factor = if parameter.unit == "rad" { 1.0_f64.to_degrees() } else { 1e3 };
        table = table.with_row([
            parameter.name.clone(),
            parameter.drawn.map(|x| short(x * factor)).unwrap_or_default(),
            format!("{:.5}", parameter.change * factor),
            format!("{:.5}", parameter.sigma * factor),
            if parameter.determined { "yes".into() } else { "not alone".to_owned() },
        ]);
    }
    let error = format!(
        "Over the workspace{} the drawn robot is off by {} µm (root mean square), {} µm at most; {} µm are left (1 sigma).",
        if result.in_frame_of_measurement { ", seen from the frame of the measurement," } else { "" },
        short(result.error_before * 1e6),
        short(result.error_before_most * 1e6),
        short(result.error_after * 1e6)
    );
    let mut summary = Section::new("What was found").with(error.as_str()).with(residuals);
    for outlier in &result.outliers {
        summary = summary.with(
            format!(
                "Row {} disagrees by {:.1} deviations and was left out.",
                outlier.row, outlier.deviations
            )
            .as_str(),
        );
    }
    for note in &result.notes {
        summary = summary.with(note.as_str());
    }
    let map = figure(found).blocks().into_iter().fold(Section::new("Error before and after"), Section::with);
    let mut known = Section::new("What the rows do not tell");
    if result.undetermined.is_empty() {
        known = known.with("Every combination of the parameters is determined.");
    }
    for combination in &result.undetermined {
        known = known.with(combination.text.as_str());
    }
    let mut settings = Section::new("Settings of controllers");
    for block in &result.controllers {
        settings = settings.with(format!("{}:\n{}", block.controller, block.text).as_str());
    }
    let mut page = Report::new(format!("{}: calibration", result.robot))
        .with_robot(result.robot.clone(), result.robot_file.clone())
        .with_section(summary)
        .with_section(map)
        .with_section(Section::new("Parameters").with(table))
        .with_section(known)
        .with_section(settings);
    if let Some(command) = command {
        page = page.with_command(command);
    }
    page.requests.push(request.into());
    page
}
