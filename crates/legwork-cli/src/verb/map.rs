//! `legwork map`: a field over a slice or a volume of the workspace, or the size of the workspace.

use crate::args::{MapArgs, checked_page};
use crate::failure::Failure;
use crate::measures;
use crate::{Outcome, json, task};
use legwork::analysis::map::{Coordinate, Place, Quantity};
use legwork::table::{Table, print_line};
use legwork::task::{CoordinateRequest, FieldResult, MapRequest, MapResult, RobotRequest, VolumeResult};
use legwork::text::short;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

const VERB: &str = "map";

pub fn run(args: &MapArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    checked_page(args.page())?;
    let request = request(args)?;
    let result = task::run(VERB, &args.robot, |handle| request.run(handle))?;
    if as_json {
        json::print_result(&result, out)?;
    } else {
        match &result {
            MapResult::Field(field) => print(field, out)?,
            MapResult::Volume(volume) => print_volume(volume, out)?,
        }
    }
    let is_partial = matches!(&result, MapResult::Field(field) if field.is_partial());
    Ok(if is_partial { Outcome::Interrupted } else { Outcome::Done })
}

fn request(args: &MapArgs) -> Result<MapRequest, Failure> {
    let refused = |error| task::failure(error, VERB, &args.robot);
    let coordinate = |coordinate: Coordinate, text: &Option<String>| {
        text.as_ref().map(|text| CoordinateRequest::parse(coordinate, text)).transpose().map_err(refused)
    };
    let quantities = args.quantity.as_deref().map(MapRequest::quantities_in).transpose().map_err(refused)?;
    Ok(MapRequest {
        robot: RobotRequest {
            working_mode: args.mode.clone(),
            payload: measures::mass("payload", args.payload.as_ref())?,
            forearm_model: args.model.changed(),
            held: args.held.values(),
            ..RobotRequest::named(&args.robot)
        },
        quantities: quantities.unwrap_or_default(),
        x: coordinate(Coordinate::X, &args.x)?,
        y: coordinate(Coordinate::Y, &args.y)?,
        z: coordinate(Coordinate::Z, &args.z)?,
        roll: coordinate(Coordinate::Roll, &args.roll)?,
        pitch: coordinate(Coordinate::Pitch, &args.pitch)?,
        yaw: coordinate(Coordinate::Yaw, &args.yaw)?,
        direction: measures::three("direction", &args.direction)?,
        ignore_limits: args.ignore_limits,
        threads: args.threads.map_or(0, usize::from),
        volume: args.volume,
        cells: args.cells.map(usize::from),
        mesh: args.mesh.clone(),
        out: args.files().cloned().collect::<Vec<PathBuf>>(),
    })
}

fn print(map: &FieldResult, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<&str> = map.quantities.iter().map(|quantity| quantity.title()).collect();
    print_line(&format!("{}: {}", map.robot, names.join("; ")), out)?;
    writeln!(out)?;
    let mut table = Table::with_left(&[1]);
    for (k, range) in map.ranges.iter().enumerate() {
        let from = range.coordinate.with_value(range.from);
        let to = range.coordinate.with_value(range.to);
        let to = to.split_once(' ').map_or("", |(_, to)| to);
        let text = format!("{from} to {to}, {} poses", range.count);
        table.row([if k == 0 { "along" } else { "" }.to_owned(), text]);
    }
    if !map.fixed.is_empty() {
        table.row(["at".to_owned(), place(&map.fixed)]);
    }
    let share = 100.0 * map.reached as f64 / map.done.max(1) as f64;
    table.row(["in reach".to_owned(), format!("{} of {} poses, {share:.1} %", map.reached, map.done)]);
    if map.is_partial() {
        let rest = map.poses - map.done;
        let text = format!("after {} of {} poses; {rest} not computed", map.done, map.poses);
        table.row(["interrupted".to_owned(), text]);
    }
    if let Some(share) = map.unstable_share {
        table.row(["unstable".to_owned(), format!("{:.1} % of the poses in reach", 100.0 * share)]);
    }
    for path in &map.out {
        table.row(["written to".to_owned(), path.display().to_string()]);
    }
    table.print(out)?;

    // The coordinates that vary.
    let at = |place: &Place| {
        let one = |range: &legwork::task::RangeResult| {
            range.coordinate.with_value(place.coordinates[range.coordinate as usize])
        };
        map.ranges.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let mut table = Table::with_left(&[2, 4]).folding_before(vec![3]);
    table.row(["", "lowest", "at", "highest", "at", "mean"]);
    for column in map.distinct_columns() {
        let (Some(low), Some(high), Some(mean)) = (&column.lowest, &column.highest, column.mean) else {
            continue;
        };
        let unit = if column.unit.is_empty() { String::new() } else { format!(" [{}]", column.unit) };
        let name = format!("{}{unit}", column.name);
        table.row([name, short(low.value), at(low), short(high.value), at(high), short(mean)]);
    }
    writeln!(out)?;
    table.print(out)?;
    if map.quantities.contains(&Quantity::Amplification)
        && let Some(worst) = map.columns.iter().find(|column| column.name == "amplification")
        && let Some(worst) = &worst.highest
    {
        let (factor, at) = (worst.value, at(worst));
        writeln!(out, "\nthe pose at {at} needs {factor:.1} times the effort of the best pose")?;
    }
    Ok(())
}

fn place(fixed: &BTreeMap<Coordinate, f64>) -> String {
    fixed.iter().map(|(coordinate, value)| coordinate.with_value(*value)).collect::<Vec<_>>().join(", ")
}

fn print_volume(volume: &VolumeResult, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: workspace about {}\n", volume.robot, place(&volume.fixed))?;
    let mut table = Table::with_left(&[1]);
    let name = if volume.triangles.is_some() { "volume" } else { "area" };
    let error = if volume.error == 0.0 { "0".to_owned() } else { format!("{:.1e}", volume.error) };
    table.row([name.to_owned(), format!("{} {}, good to {error}", short(volume.size), volume.unit)]);
    // Whole millimetres: the boundary is not known better.
    let rounded = |metres: f64| short((metres * 1e3).round());
    for (axis, [from, to]) in ["x", "y", "z"].iter().zip(volume.bounds).filter(|(_, [from, to])| from < to) {
        table.row([(*axis).to_owned(), format!("{} to {} mm", rounded(from), rounded(to))]);
    }
    if let (Some(path), Some(triangles)) = (&volume.mesh, volume.triangles) {
        table.row(["written to".to_owned(), format!("{}, {triangles} triangles", path.display())]);
    }
    table.print(out)
}
