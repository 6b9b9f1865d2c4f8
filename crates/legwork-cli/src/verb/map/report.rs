//! What is said of a map.

use super::ranges::{place, said};
use crate::args::MapArgs;
use crate::json;
use crate::table::Table;
use legwork::analysis::map::{Map, Place, Quantity};
use legwork::text::short;
use serde_json::{Value, json};
use std::io::{self, Write};

pub fn print(map: &Map, args: &MapArgs, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<&str> = map.quantities.iter().map(|quantity| quantity.title()).collect();
    writeln!(out, "{}: {}\n", map.robot, names.join("; "))?;
    let mut table = Table::with_left(&[1]);
    let ranges: Vec<String> = map
        .grid
        .ranges()
        .iter()
        .map(|range| {
            let (from, to) = (said(range.coordinate, range.from), said(range.coordinate, range.to));
            let to = to.split_once(' ').map_or("", |(_, to)| to).to_owned();
            format!("{} to {to}, {} poses", from, range.count)
        })
        .collect();
    for (k, range) in ranges.into_iter().enumerate() {
        table.row([if k == 0 { "along" } else { "" }.to_owned(), range]);
    }
    let rest = place(&map.grid);
    if !rest.is_empty() {
        table.row(["at".to_owned(), rest]);
    }
    let share = 100.0 * map.reached as f64 / map.done.max(1) as f64;
    table.row(["in reach".to_owned(), format!("{} of {} poses, {share:.1} %", map.reached, map.done)]);
    if map.is_partial() {
        table.row(["stopped".to_owned(), format!("after {} of {} poses", map.done, map.grid.len())]);
    }
    if let Some(share) = map.unstable_share() {
        table.row(["unstable".to_owned(), format!("{:.1} % of the poses in reach", 100.0 * share)]);
    }
    for path in args.files() {
        table.row(["written to".to_owned(), path.display().to_string()]);
    }
    table.print(out)?;

    let mut table = Table::with_left(&[2, 4]);
    table.row(["", "lowest", "at", "highest", "at", "mean"]);
    for column in shown(map) {
        let Some(summary) = map.summary(column) else { continue };
        let text = &map.columns[column];
        let name =
            if text.unit.is_empty() { text.name.clone() } else { format!("{} [{}]", text.name, text.unit) };
        table.row([
            name,
            short(summary.lowest.value),
            at(map, &summary.lowest),
            short(summary.highest.value),
            at(map, &summary.highest),
            short(summary.mean),
        ]);
    }
    writeln!(out)?;
    table.print(out)?;
    if let Some(k) = map.quantities.iter().position(|quantity| *quantity == Quantity::Amplification)
        && let Some(summary) = map.summary(map.columns_of(k).start)
    {
        let (factor, where_) = (summary.highest.value, at(map, &summary.highest));
        writeln!(out, "\nthe pose at {where_} needs {factor:.1} times the effort of the best pose")?;
    }
    Ok(())
}

/// A mass matrix is symmetric: its upper half will do.
fn shown(map: &Map) -> Vec<usize> {
    let mut all = Vec::new();
    for (k, quantity) in map.quantities.iter().enumerate() {
        let columns = map.columns_of(k);
        let (first, count) = (columns.start, columns.len());
        let side = (1..=count).find(|side| side * side == count).unwrap_or(1);
        let is_upper = |c: &usize| (c - first) / side <= (c - first) % side;
        let is_matrix = *quantity == Quantity::MassMatrix;
        all.extend(columns.filter(|column| !is_matrix || is_upper(column)));
    }
    all
}

/// The coordinates that vary.
fn at(map: &Map, place: &Place) -> String {
    let one = |range: &legwork::analysis::map::Range| {
        said(range.coordinate, place.coordinates[range.coordinate as usize])
    };
    map.grid.ranges().iter().map(one).collect::<Vec<_>>().join(", ")
}

pub fn json(map: &Map, args: &MapArgs, out: &mut dyn Write) -> io::Result<()> {
    let ranges: Vec<Value> = map
        .grid
        .ranges()
        .iter()
        .map(|range| {
            json!({
                "coordinate": range.coordinate.name(),
                "unit": range.coordinate.unit(),
                "from": range.from,
                "to": range.to,
                "count": range.count,
            })
        })
        .collect();
    let rest: serde_json::Map<String, Value> =
        map.grid.rest().into_iter().map(|(c, value)| (c.name().to_owned(), json!(value))).collect();
    let placed = |place: &Place| json!({ "value": place.value, "coordinates": place.coordinates });
    let columns: Vec<Value> = (0..map.columns.len())
        .map(|k| {
            let summary = map.summary(k);
            json!({
                "name": map.columns[k].name,
                "unit": map.columns[k].unit,
                "lowest": summary.map(|s| placed(&s.lowest)),
                "highest": summary.map(|s| placed(&s.highest)),
                "mean": summary.map(|s| s.mean),
            })
        })
        .collect();
    let mut object = json!({
        "robot": map.robot,
        "quantities": map.quantities.iter().map(|quantity| quantity.name()).collect::<Vec<_>>(),
        "ranges": ranges,
        "fixed": rest,
        "poses": map.grid.len(),
        "done": map.done,
        "reached": map.reached,
        "columns": columns,
    });
    if let Some(share) = map.unstable_share() {
        object["unstable_share"] = json!(share);
    }
    if args.files().next().is_none() {
        let rows: Vec<&[f64]> = (0..map.grid.len()).map(|pose| map.at(pose)).collect();
        object["rows"] = json!(rows);
    } else {
        object["out"] = json!(args.files().map(|path| path.display().to_string()).collect::<Vec<_>>());
    }
    json::print(&object, out)
}
