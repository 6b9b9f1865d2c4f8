//! A field over the workspace, or the size of the workspace, as a request and a result.

use super::file_use::UsesFiles;
use super::map_range::CoordinateRequest;
use super::report::is_page;
use super::{Handle, Request, RobotRequest, TaskError, number, record};
use crate::AnyRobot;
use crate::analysis::map::{
    Coordinate, Direction, Extent, Grid, Map, MapError, MapTask, Mesh, Place, Quantity, Range, VolumeTask,
};
use crate::figure::Figure;
use crate::recording::{Format, Metadata};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Poses along a range without a count.
pub const DEFAULT_COUNT: usize = 41;
/// Cells along the longest side of a workspace that is measured.
pub const DEFAULT_CELLS: usize = 48;
/// How many there can be.
const CELLS: std::ops::RangeInclusive<usize> = 4..=400;

/// A map of some quantities over a slice or a volume of the workspace; or, with `volume`, the size of the workspace.
///
/// A coordinate is one number, or a range; what is not given stays at home. Without any range the map is the slice
/// through home along the first two free coordinates that are not given, as wide as the robot reaches (whole
/// millimetres), with 41 poses along each.
///
/// ```
/// use legwork::task::{Handle, MapRequest, MapResult};
/// let request: MapRequest = toml::from_str(
///     r#"
///     robot = "delta-direct-drive"
///     quantities = ["condition"]
///     x = "-250mm..250mm/6"
///     z = "-350 mm"
///     "#,
/// )?;
/// let MapResult::Field(field) = request.run(&Handle::none())? else { unreachable!() };
/// assert_eq!((field.poses, field.reached), (6, 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MapRequest {
    /// Which robot.
    pub robot: RobotRequest,
    /// What to map; each once. Needed unless `volume` is asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quantities: Vec<Quantity>,
    /// Position along x \[m\]. Default: home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<CoordinateRequest>,
    /// Position along y \[m\]. Default: home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<CoordinateRequest>,
    /// Position along z \[m\]. Default: home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z: Option<CoordinateRequest>,
    /// Rotation about x \[rad\]. Default: home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<CoordinateRequest>,
    /// Rotation about y, after roll \[rad\]. Default: home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pitch: Option<CoordinateRequest>,
    /// Rotation about z, after pitch; the angle of a robot in a plane \[rad\]. Default: home.
    #[serde(skip_serializing_if = "Option::is_none", alias = "angle")]
    pub yaw: Option<CoordinateRequest>,
    /// Direction of acceleration and force, in base axes. Default: the worst one at each pose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<[f64; 3]>,
    /// Whether poses outside the limits of the motors count too. Default: no.
    #[serde(skip_serializing_if = "is_false")]
    pub ignore_limits: bool,
    /// How many threads. Default: 0, one for each core. The numbers do not depend on it.
    #[serde(skip_serializing_if = "is_zero")]
    pub threads: usize,
    /// Whether the size of the workspace is asked for, instead of a map. Default: no.
    #[serde(skip_serializing_if = "is_false")]
    pub volume: bool,
    /// Cells along the longest side of the workspace, 4 to 400, with `volume`. Default: 48.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<usize>,
    /// File for the boundary of the workspace, with `volume`: `.stl` or `.obj`. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<PathBuf>,
    /// Files for the map: `.csv` or `.parquet` for its numbers, `.svg` or `.png` for a picture, `.html` for a page.
    /// Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub out: Vec<PathBuf>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(value: &bool) -> bool {
    !*value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(value: &usize) -> bool {
    *value == 0
}

/// What a [`MapRequest`] gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum MapResult {
    /// Numbers over a grid of poses.
    Field(FieldResult),
    /// The size of the workspace.
    Volume(VolumeResult),
}

/// Numbers over a grid of poses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldResult {
    /// Name of the robot.
    pub robot: String,
    /// What was mapped.
    pub quantities: Vec<Quantity>,
    /// What varies, the fastest first.
    pub ranges: Vec<RangeResult>,
    /// The free coordinates that stay \[m, rad\].
    pub fixed: BTreeMap<Coordinate, f64>,
    /// How many poses there are.
    pub poses: usize,
    /// How many of them were done; fewer if the task was cancelled. They are the first ones: the others were not computed
    /// and are not out of reach.
    pub done: usize,
    /// How many of those are in reach.
    pub reached: usize,
    /// One for each number of a pose.
    pub columns: Vec<ColumnResult>,
    /// Share of the poses in reach at which the robot is unstable, if stability was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unstable_share: Option<f64>,
    /// The numbers, a row for each pose that was done; NaN (null) out of reach. Left out where files were written.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number::rows")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<Vec<Option<f64>>>>"))]
    pub rows: Option<Vec<Vec<f64>>>,
    /// The files that were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub out: Vec<PathBuf>,
}

/// A coordinate that varies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RangeResult {
    /// Which one.
    pub coordinate: Coordinate,
    /// `m` or `rad`.
    pub unit: String,
    /// The first value.
    pub from: f64,
    /// The last value.
    pub to: f64,
    /// How many values.
    pub count: usize,
}

/// A column of a map in a few numbers; those are absent where no pose is in reach.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ColumnResult {
    /// Its name.
    pub name: String,
    /// Its unit; empty for a ratio.
    pub unit: String,
    /// The least number and where it is.
    #[serde(default)]
    pub lowest: Option<Place>,
    /// The largest number and where it is.
    #[serde(default)]
    pub highest: Option<Place>,
    /// Mean over the poses in reach.
    #[serde(default)]
    pub mean: Option<f64>,
}

/// The size of a workspace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VolumeResult {
    /// Name of the robot.
    pub robot: String,
    /// Where the search starts and how the platform is turned \[m, rad\].
    pub fixed: BTreeMap<Coordinate, f64>,
    /// Volume \[m³\], or area \[m²\] for a robot in a plane.
    pub size: f64,
    /// How far it may be off.
    pub error: f64,
    /// `m^3` or `m^2`.
    pub unit: String,
    /// Least and largest coordinate along x, y, z \[m\].
    pub bounds: [[f64; 2]; 3],
    /// Triangles of the boundary; absent in a plane.
    #[serde(default)]
    pub triangles: Option<usize>,
    /// The file with the boundary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<PathBuf>,
}

impl MapRequest {
    /// The quantities in a text: `condition,mass-matrix`.
    pub fn quantities_in(text: &str) -> Result<Vec<Quantity>, TaskError> {
        let one = |word: &str| {
            Quantity::named(word).map_err(|nearest| {
                let names: Vec<&str> = Quantity::ALL.iter().map(|quantity| quantity.name()).collect();
                TaskError::request(format!("`{word}` is not a quantity")).or(match nearest {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => format!("the quantities are {}", names.join(", ")),
                })
            })
        };
        text.split(',').map(|word| one(word.trim())).collect()
    }

    /// Makes the map and writes its files. A map that is cancelled is given as far as it has come; a volume that is
    /// cancelled is [`TaskError::Cancelled`].
    pub fn run(&self, handle: &Handle<'_>) -> Result<MapResult, TaskError> {
        self.check(handle)?;
        self.check_files()?;
        let robot = self.robot.open()?;
        if self.volume {
            return self.measure(&robot, handle).map(MapResult::Volume);
        }
        let map = self.compute(&robot, handle)?;
        let report = || {
            let mut report = map.report();
            report.command = handle.command().map(str::to_owned);
            report.robot = Some((map.robot.clone(), text(&robot)));
            report
        };
        let metadata = self.metadata(&robot, handle);
        for path in &self.out {
            handle.report(1.0, &path.display().to_string());
            if is_page(path) {
                handle.write_page(path, &report(), false)?;
            } else if Figure::is_name_of_picture(path) {
                handle.write(path, &map.figure().to_bytes(path).unwrap_or_default())?;
            } else if handle.takes_files() {
                let what = format!("`{}` is a table, which is written to a disk only", path.display());
                return Err(TaskError::request(what).or("take `rows` of the result"));
            } else {
                map.save(path, &metadata).map_err(|error| match error {
                    MapError::Write(error) => record::unwritten(path, &error),
                    error => error.into(),
                })?;
            }
        }
        Ok(MapResult::Field(FieldResult::of(&map, &self.out)))
    }

    /// The map itself, with all its numbers; no file is written.
    pub fn compute(&self, robot: &AnyRobot, handle: &Handle<'_>) -> Result<Map, TaskError> {
        let mut task = self.prepared(robot)?;
        let listener = |share: f64| handle.report(share, "");
        task = task.on_threads(self.threads).with_progress(&listener);
        if let Some(flag) = handle.cancel_flag() {
            task = task.until(flag);
        }
        handle.note(&format!("a map of {}", task.size()));
        let map = task.run();
        // What follows is the end, with what there is.
        if handle.is_cancelled() && map.done == 0 {
            return Err(TaskError::Cancelled);
        }
        if map.reached == 0 && !map.is_partial() {
            return Err(out_of_reach(&map, robot));
        }
        Ok(map)
    }

    /// The map that is to be made, for those who make it piece by piece.
    pub fn prepared<'r>(&self, robot: &'r AnyRobot) -> Result<MapTask<'r>, TaskError> {
        let mut task = MapTask::new(robot, self.grid(robot)?, &self.quantities)?;
        if let Some(direction) = self.direction {
            task = task.towards(Direction::Along(direction))?;
        }
        Ok(if self.ignore_limits { task.ignoring_limits() } else { task })
    }

    /// What contradicts itself, told before the work and not after it.
    fn check(&self, handle: &Handle<'_>) -> Result<(), TaskError> {
        for path in &self.out {
            let is_known = is_page(path)
                || Figure::is_name_of_picture(path)
                || matches!(Format::of(path), Some(Format::Csv | Format::Parquet));
            if !is_known {
                let page = if handle.makes_pages() { ", .png or .html" } else { " or .png" };
                let what = format!("`out {}` does not say a format", path.display());
                return Err(
                    TaskError::request(what).or(format!("let its name end in .csv, .parquet, .svg{page}"))
                );
            }
        }
        for (k, quantity) in self.quantities.iter().enumerate() {
            if self.quantities[..k].contains(quantity) {
                return Err(TaskError::request(format!("`{quantity}` is given twice")));
            }
        }
        if let Some(cells) = self.cells.filter(|cells| !CELLS.contains(cells)) {
            let must = "must be from 4 to 400";
            return Err(TaskError::Value { field: "cells".into(), value: cells as f64, must });
        }
        if !self.volume {
            return Ok(());
        }
        if let Some(quantity) = self.quantities.first() {
            let what = format!("`volume` measures the workspace and maps nothing: `{quantity}`");
            return Err(TaskError::request(what).or("leave one of them out"));
        }
        match &self.mesh {
            Some(path) if !Mesh::is_name_of_mesh(path) => {
                let what = format!("`mesh {}` does not say a format", path.display());
                Err(TaskError::request(what).or("let its name end in .stl or .obj"))
            }
            _ => Ok(()),
        }
    }

    /// What is said of each coordinate.
    fn coordinates(&self) -> impl Iterator<Item = (Coordinate, CoordinateRequest)> {
        let all = [self.x, self.y, self.z, self.roll, self.pitch, self.yaw];
        Coordinate::ALL.into_iter().zip(all).filter_map(|(coordinate, given)| Some((coordinate, given?)))
    }

    /// Home with the coordinates that are one number.
    fn centre(&self, robot: &AnyRobot) -> Result<Grid, TaskError> {
        let mut grid = Grid::at_home(robot);
        for (coordinate, given) in self.coordinates() {
            if let CoordinateRequest::Fixed(value) = given {
                grid = grid.fixed(coordinate, value.expect(coordinate.name(), coordinate.quantity())?)?;
            }
        }
        Ok(grid)
    }

    /// The poses; as far as the robot reaches where no range is given.
    pub fn grid(&self, robot: &AnyRobot) -> Result<Grid, TaskError> {
        let mut grid = self.centre(robot)?;
        for (coordinate, given) in self.coordinates() {
            if let CoordinateRequest::Range(range) = given {
                grid = grid.along(range.range(coordinate)?)?;
            }
        }
        if !grid.is_empty() {
            return Ok(grid);
        }
        let is_fixed = |c: &Coordinate| self.coordinates().any(|(other, _)| other == *c);
        let free: Vec<Coordinate> =
            Coordinate::of(robot).into_iter().filter(|c| !is_fixed(c)).take(2).collect();
        let extent = Extent::of(robot, &grid, &free, !self.ignore_limits);
        for (coordinate, from, to) in extent.ranges {
            // Whole millimetres; angles are whole turns already.
            let (from, to) = if coordinate.turns() {
                (from, to)
            } else {
                ((from * 1e3).floor() / 1e3, (to * 1e3).ceil() / 1e3)
            };
            grid = grid.along(Range::new(coordinate, from, to, DEFAULT_COUNT))?;
        }
        Ok(grid)
    }

    fn measure(&self, robot: &AnyRobot, handle: &Handle<'_>) -> Result<VolumeResult, TaskError> {
        let grid = self.centre(robot)?;
        let fixed = grid.rest().into_iter().collect();
        if self.mesh.is_some() && Coordinate::of(robot).iter().filter(|c| !c.turns()).count() < 3 {
            let what = format!("`{}` does not move in space: its workspace has no mesh", robot.name());
            return Err(TaskError::request(what).or("leave `mesh` out"));
        }
        let cells = self.cells.unwrap_or(DEFAULT_CELLS);
        let mut task = VolumeTask::new(robot, grid).with_cells(cells).on_threads(self.threads);
        if let Some(flag) = handle.cancel_flag() {
            task = task.until(flag);
        }
        if self.ignore_limits {
            task = task.ignoring_limits();
        }
        handle.note(&task.size_text());
        let volume = task.run()?;
        handle.go_on()?;
        let volume = volume.ok_or(TaskError::Cancelled)?;
        let bounds = volume.bounds.iter().flat_map(|(from, to)| [*from, *to]);
        TaskError::unless_finite(
            [("the size of the workspace", volume.size), ("the error of that size", volume.error)]
                .into_iter()
                .chain(bounds.map(|end| ("an end of the workspace", end))),
        )?;
        if let (Some(path), Some(mesh)) = (&self.mesh, &volume.mesh) {
            handle.write(path, &mesh.to_bytes(path).unwrap_or_default())?;
        }
        Ok(VolumeResult {
            robot: robot.name().into(),
            fixed,
            size: volume.size,
            error: volume.error,
            unit: volume.unit.into(),
            bounds: volume.bounds.map(|(from, to)| [from, to]),
            triangles: volume.mesh.as_ref().map(|mesh| mesh.triangles.len()),
            mesh: self.mesh.clone(),
        })
    }

    /// What a table of numbers carries: the robot and this request.
    fn metadata(&self, robot: &AnyRobot, handle: &Handle<'_>) -> Metadata {
        let request = Self { robot: RobotRequest::of(robot), out: Vec::new(), mesh: None, ..self.clone() };
        record::metadata(robot, &Request::Map(Box::new(request)), handle)
    }
}

/// The text of a robot's file.
fn text(robot: &AnyRobot) -> String {
    robot.description().text.as_deref().unwrap_or_default().to_owned()
}

fn out_of_reach(map: &Map, robot: &AnyRobot) -> TaskError {
    let poses = map.grid.len();
    let middle = map.grid.platform(map.grid.coordinates(poses / 2));
    TaskError::NoPoseInReach {
        robot: map.robot.clone(),
        poses,
        cause: match robot.inverse_kinematics(&middle) {
            Err(error) => error.to_string(),
            Ok(_) => "a motor is outside its limits in all of them".into(),
        },
        home: Grid::at_home(robot).place(),
    }
}

impl MapResult {
    /// Whether the task was cancelled before all poses were done.
    pub fn is_partial(&self) -> bool {
        matches!(self, Self::Field(field) if field.is_partial())
    }
}

impl FieldResult {
    /// A map in plain data; with its rows if no files hold them.
    pub fn of(map: &Map, out: &[PathBuf]) -> Self {
        let range = |range: &Range| {
            let Range { coordinate, from, to, count } = *range;
            RangeResult { coordinate, unit: coordinate.unit().into(), from, to, count }
        };
        let column = |(k, column): (usize, &crate::recording::Column)| {
            let summary = map.summary(k);
            ColumnResult {
                name: column.name.clone(),
                unit: column.unit.clone(),
                lowest: summary.map(|summary| summary.lowest),
                highest: summary.map(|summary| summary.highest),
                mean: summary.map(|summary| summary.mean),
            }
        };
        Self {
            robot: map.robot.clone(),
            quantities: map.quantities.clone(),
            ranges: map.grid.ranges().iter().map(range).collect(),
            fixed: map.grid.rest().into_iter().collect(),
            poses: map.grid.len(),
            done: map.done,
            reached: map.reached,
            columns: map.columns.iter().enumerate().map(column).collect(),
            unstable_share: map.unstable_share(),
            rows: out.is_empty().then(|| (0..map.done).map(|pose| map.at(pose).to_vec()).collect()),
            out: out.to_vec(),
        }
    }

    /// Whether the task was cancelled before all poses were done.
    pub fn is_partial(&self) -> bool {
        self.done < self.poses
    }

    /// The columns worth showing: of a symmetric mass matrix its upper half.
    pub fn distinct_columns(&self) -> impl Iterator<Item = &ColumnResult> {
        self.columns.iter().filter(|column| match column.name.strip_prefix('m').map(str::as_bytes) {
            Some([row, column]) => row <= column,
            _ => true,
        })
    }
}
