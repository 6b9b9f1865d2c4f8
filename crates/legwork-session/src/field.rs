//! Fields over the workspace, piece by piece: workers that share nothing take rows of the same map.

use crate::Failure;
use crate::opened::Opened;
use legwork::analysis::map::{MapTask, Range};
use legwork::report::packed_doubles;
#[cfg(feature = "schema")]
use legwork::task::MapRequest;
use legwork::task::{RangeResult, Request};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Which map; the robot is the one that is open.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GridAsk {
    /// A request `map` without its robot.
    #[cfg_attr(feature = "schema", schemars(with = "MapRequest"))]
    pub request: Map<String, Value>,
}

/// A piece of a map.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldAsk {
    /// A request `map` without its robot, the same for every piece.
    #[cfg_attr(feature = "schema", schemars(with = "MapRequest"))]
    pub request: Map<String, Value>,
    /// The first row: poses that differ in the fastest coordinate alone are one.
    pub from: usize,
    /// The row after the last one.
    pub to: usize,
}

/// What a map will be.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldGrid {
    /// What varies, the fastest first.
    pub ranges: Vec<RangeResult>,
    /// The free coordinates that stay \[m, rad\].
    pub fixed: BTreeMap<String, f64>,
    /// How many rows, each as long as the fastest range.
    pub rows: usize,
    /// How many poses.
    pub poses: usize,
    /// The numbers of each pose.
    pub columns: Vec<GridColumn>,
}

/// A number of each pose.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GridColumn {
    /// Its name.
    pub name: String,
    /// Its unit; empty for a ratio.
    pub unit: String,
    /// Whether the numbers of a whole map are shown as multiples of the least.
    pub relates_to_least: bool,
}

/// Numbers of some rows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldNumbers {
    /// The first row.
    pub from: usize,
    /// The row after the last one.
    pub to: usize,
    /// Column by column.
    pub columns: Vec<FieldColumn>,
}

/// A column of a piece.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldColumn {
    /// Its name.
    pub name: String,
    /// A number for each pose, little-endian doubles in base64 (`{"f64": "..."}`); NaN out of reach.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, String>"))]
    pub values: Value,
}

fn prepared<'r>(opened: &'r Opened, request: &Map<String, Value>) -> Result<MapTask<'r>, Failure> {
    let mut request = request.clone();
    request.insert("task".into(), json!("map"));
    let asked = crate::task::request(opened, request)?;
    let Request::Map(request) = &asked else { return Err(Failure::nothing_open()) };
    request.prepared(opened.robot()).map_err(|error| Failure::of_request(&asked, error, &opened.text))
}

/// What a map will be.
pub(crate) fn grid(opened: &Opened, ask: &GridAsk) -> Result<FieldGrid, Failure> {
    let task = prepared(opened, &ask.request)?;
    let grid = task.grid();
    let range = |range: &Range| RangeResult {
        coordinate: range.coordinate,
        unit: range.coordinate.unit().into(),
        from: range.from,
        to: range.to,
        count: range.count,
    };
    let columns = task.columns();
    Ok(FieldGrid {
        rows: rows(&task),
        poses: grid.len(),
        ranges: grid.ranges().iter().map(range).collect(),
        fixed: grid.rest().into_iter().map(|(coordinate, value)| (coordinate.name().into(), value)).collect(),
        columns: columns
            .into_iter()
            .map(|column| GridColumn {
                relates_to_least: column.name == "amplification",
                name: column.name,
                unit: column.unit,
            })
            .collect(),
    })
}

/// Some rows of a map.
pub(crate) fn field(opened: &Opened, ask: &FieldAsk) -> Result<FieldNumbers, Failure> {
    let task = prepared(opened, &ask.request)?;
    let to = ask.to.min(rows(&task));
    let from = ask.from.min(to);
    let length = row_length(&task);
    let numbers = task.piece(from * length..to * length);
    let columns = task.columns();
    let width = columns.len();
    let column = |(k, column): (usize, legwork::recording::Column)| {
        let values: Vec<f64> = numbers.iter().skip(k).step_by(width).copied().collect();
        FieldColumn { name: column.name, values: packed_doubles(&values) }
    };
    Ok(FieldNumbers { from, to, columns: columns.into_iter().enumerate().map(column).collect() })
}

/// How many poses are a row.
fn row_length(task: &MapTask<'_>) -> usize {
    task.grid().ranges().first().map_or(1, |range| range.count).max(1)
}

fn rows(task: &MapTask<'_>) -> usize {
    task.grid().len() / row_length(task)
}
