//! `legwork map --volume`: how large a workspace is.

use super::{failure, ranges};
use crate::Outcome;
use crate::args::MapArgs;
use crate::failure::{Failure, Message};
use crate::json;
use crate::table::Table;
use crate::verb::interrupt;
use legwork::AnyRobot;
use legwork::analysis::map::{Coordinate, VolumeTask};
use legwork::text::short;
use serde_json::json;
use std::io::Write;

pub fn run(args: &MapArgs, robot: &AnyRobot, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if let Some(path) = &args.mesh
        && !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("stl") || e.eq_ignore_ascii_case("obj"))
    {
        let message = Message::new(format!("`--mesh {}` does not say a format", path.display()));
        return Err(message.hint("let its name end in .stl or .obj").into());
    }
    let grid = ranges::fixed(args, robot)?;
    let place = ranges::place(&grid);
    let pressed = interrupt::watch()?;
    let mut task = VolumeTask::new(robot, grid)
        .with_cells(args.cells.map_or(48, usize::from))
        .on_threads(args.threads.map_or(0, usize::from))
        .until(&pressed);
    if args.ignore_limits {
        task = task.ignoring_limits();
    }
    if args.mesh.is_some() && Coordinate::of(robot).iter().filter(|c| !c.turns()).count() < 3 {
        let message =
            Message::new(format!("`{}` does not move in space: its workspace has no mesh", robot.name()));
        return Err(message.hint("leave `--mesh` out").into());
    }
    let Some(volume) = task.run().map_err(|error| failure(&error))? else { return Ok(Outcome::Interrupted) };
    if let (Some(path), Some(mesh)) = (&args.mesh, &volume.mesh) {
        mesh.save(path).map_err(|error| {
            Message::new(format!("`--mesh {}` cannot be written", path.display()))
                .caused_by(error.to_string())
        })?;
    }
    let triangles = volume.mesh.as_ref().map(|mesh| mesh.triangles.len());
    if as_json {
        let object = json!({
            "robot": robot.name(),
            "size": volume.size,
            "error": volume.error,
            "unit": volume.unit,
            "bounds": volume.bounds.map(|(from, to)| [from, to]),
            "triangles": triangles,
        });
        json::print(&object, out)?;
        return Ok(Outcome::Done);
    }
    writeln!(out, "{}: workspace about {place}\n", robot.name())?;
    let mut table = Table::with_left(&[1]);
    let name = if volume.mesh.is_some() { "volume" } else { "area" };
    let digits = |x: f64| if x == 0.0 { "0".to_owned() } else { format!("{x:.1e}") };
    table.row([
        name.to_owned(),
        format!("{} {}, good to {}", short(volume.size), volume.unit, digits(volume.error)),
    ]);
    for (axis, (from, to)) in ["x", "y", "z"].iter().zip(volume.bounds).filter(|(_, (from, to))| from < to) {
        table.row([(*axis).to_owned(), format!("{} to {} mm", short(rounded(from)), short(rounded(to)))]);
    }
    if let (Some(path), Some(triangles)) = (&args.mesh, triangles) {
        table.row(["written to".to_owned(), format!("{}, {triangles} triangles", path.display())]);
    }
    table.print(out)?;
    Ok(Outcome::Done)
}

/// Whole millimetres: the boundary is not known better.
fn rounded(metres: f64) -> f64 {
    (metres * 1e3).round()
}
