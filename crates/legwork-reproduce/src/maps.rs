//! The mass matrix over the workspace: \[Codourey1996, Fig. 4\], \[Codourey1998, Fig. 4, 5\].

use crate::{BoxError, Expected, Findings, Source};
use Source::{Independent, Paper, Theory};
use legwork::Real;
use legwork::analysis::map::{Coordinate, Grid, Map, MapTask, Quantity, Range};
use legwork::report::{Axis, HeatMap, Multiples};
use legwork::task::Handle;
use legwork::{AnyRobot, ForearmModel, PlatformState};

const SIDE: usize = 26;
const REACH: f64 = 0.25;

/// What an independent program found at one height: ratio, smallest, largest, coupling over mean, coupling.
struct Printed {
    model: ForearmModel,
    name: &'static str,
    numbers: [&'static str; 5],
}

pub(crate) fn high(_: &Handle<'_>) -> Result<Findings, BoxError> {
    let rows = [
        printed(ForearmModel::Simplified, ["2.07", "0.0310", "0.0642", "0.46", "0.0175"]),
        printed(ForearmModel::Complete, ["2.25", "0.0285", "0.0641", "0.52", "0.0189"]),
    ];
    let mut findings = level(-0.23, &rows, "2.9")?;
    let ratio = findings.numbers.first().map_or(f64::NAN, |number| number.found);
    // "About 2": what rounds to it.
    let about = Expected::Near { value: 2.0, tolerance: 0.5 };
    findings.number("largest over smallest diagonal entry", "", ratio, about, Paper);
    Ok(findings)
}

pub(crate) fn low(_: &Handle<'_>) -> Result<Findings, BoxError> {
    let rows = [
        printed(ForearmModel::Simplified, ["1.77", "0.0436", "0.0772", "0.58", "0.0285"]),
        printed(ForearmModel::Complete, ["1.85", "0.0421", "0.0777", "0.63", "0.0302"]),
    ];
    let mut findings = level(-0.35, &rows, "3.0")?;
    let here = findings.numbers.first().map_or(f64::NAN, |number| number.found);
    let above = Level::of(&map(-0.23, ForearmModel::Simplified)?).ratio();
    findings.claim(format!("less variation ({here:.2}) than at −230 mm ({above:.2})"), here < above, Paper);
    Ok(findings)
}

fn printed(model: ForearmModel, numbers: [&'static str; 5]) -> Printed {
    let name = if model == ForearmModel::Complete { "complete model" } else { "simplified model" };
    Printed { model, name, numbers }
}

fn robot(model: ForearmModel) -> Result<AnyRobot, BoxError> {
    Ok(AnyRobot::open("delta-direct-drive")?.with_forearm_model(model)?)
}

fn map(z: f64, model: ForearmModel) -> Result<Map, BoxError> {
    let robot = robot(model)?;
    let grid = Grid::at_home(&robot)
        .along(Range::new(Coordinate::X, -REACH, REACH, SIDE))?
        .along(Range::new(Coordinate::Y, -REACH, REACH, SIDE))?
        .fixed(Coordinate::Z, z)?;
    Ok(MapTask::new(&robot, grid, &[Quantity::MassMatrix, Quantity::Condition])?.run())
}

/// The numbers of one map.
struct Level {
    smallest: f64,
    largest: f64,
    mean: f64,
    coupling: f64,
    condition: f64,
}

impl Level {
    fn of(map: &Map) -> Self {
        let diagonal = || [0, 4, 8].into_iter().flat_map(|k| map.column(k));
        let other = [1, 2, 5].into_iter().flat_map(|k| map.column(k));
        let count = diagonal().count() as f64;
        Self {
            smallest: diagonal().fold(f64::INFINITY, nan_min),
            largest: diagonal().fold(f64::NEG_INFINITY, nan_max),
            mean: diagonal().sum::<f64>() / count,
            coupling: other.map(f64::abs).fold(0.0, nan_max),
            condition: map.column(9).fold(0.0, nan_max),
        }
    }

    fn ratio(&self) -> f64 {
        self.largest / self.smallest
    }
}

/// Of each pose the largest |A_ij|/√(A_ii A_jj), coupling over the inertias it couples; the median of all poses. The
/// largest coupling of the whole map over its mean inertia would compare two places with each other.
fn coupling_of_poses(map: &Map) -> f64 {
    let columns: Vec<Vec<f64>> = (0..9).map(|k| map.column(k).collect()).collect();
    let poses = columns.first().map_or(0, Vec::len);
    let mut shares: Vec<f64> = (0..poses)
        .map(|pose| {
            let entry = |k: usize| columns[k][pose];
            let share = |i: usize, j: usize| entry(3 * i + j).abs() / (entry(4 * i) * entry(4 * j)).sqrt();
            [share(0, 1), share(0, 2), share(1, 2)].into_iter().fold(0.0, nan_max)
        })
        .collect();
    if shares.is_empty() || shares.iter().any(|share| share.is_nan()) {
        return f64::NAN;
    }
    shares.sort_by(f64::total_cmp);
    f64::midpoint(shares[(poses - 1) / 2], shares[poses / 2])
}

/// NaN stays: a pose out of reach shows.
fn nan_max(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

fn nan_min(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

fn level(z: f64, rows: &[Printed], condition: &str) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    for row in rows {
        let found = map(z, row.model)?;
        let Level { smallest, largest, mean, coupling, .. } = Level::of(&found);
        let names = [
            ("largest over smallest diagonal entry", "", largest / smallest),
            ("smallest diagonal entry", "kg m²", smallest),
            ("largest diagonal entry", "kg m²", largest),
            ("largest coupling over mean diagonal entry", "", coupling / mean),
            ("largest coupling", "kg m²", coupling),
        ];
        for ((what, unit, value), text) in names.into_iter().zip(row.numbers) {
            let what = format!("{}: {what}", row.name);
            findings.number(what, unit, value, Expected::printed(text), Independent);
        }
        if row.model == ForearmModel::Simplified {
            let worst = Level::of(&found).condition;
            findings.number("worst condition number", "", worst, Expected::printed(condition), Independent);
            // The same order of magnitude: 1 is the nearest power of ten.
            let order = Expected::size(1.0, 10_f64.sqrt());
            let typical = coupling_of_poses(&found);
            findings.number(
                "largest |A_ij|/√(A_ii A_jj) of a pose, median of the poses",
                "",
                typical,
                order,
                Paper,
            );
            findings.number_differs(
                "with our robot the largest coupling of a pose is a small part of its mean inertia; only in the corners of \
                 the square it comes near the order of magnitude that the paper states for its own robot",
            );
            findings.show(panels(z, &found));
        }
    }
    // 1e-12: rounding of a third of a turn, over the entries of 0.05 kg m²
    let off = asymmetry(z)?;
    findings.number("A(x turned by 120°) less A(x) permuted", "kg m²", off, Expected::AtMost(1e-12), Theory);
    Ok(findings)
}

/// Largest difference between the mass matrix at a turned place and that of the place, axes permuted.
fn asymmetry(z: f64) -> Result<f64, BoxError> {
    let robot = robot(ForearmModel::Simplified)?;
    let matrix = |x: f64, y: f64| -> Result<Vec<Vec<f64>>, BoxError> {
        let state = robot.state(&PlatformState::at([x, y, z]))?;
        Ok(state.dynamics.ok_or("the robot has no masses")?.mass_matrix)
    };
    let (sin, cos) = (std::f64::consts::TAU / 3.0).sin_cos();
    let mut worst = 0.0_f64;
    for (x, y) in [(0.1, 0.0), (0.2, -0.1), (-0.05, 0.15), (-0.12, -0.18)] {
        let (here, there) = (matrix(x, y)?, matrix(cos * x - sin * y, sin * x + cos * y)?);
        for (i, row) in here.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                worst = Real::max(worst, (entry - there[(i + 1) % 3][(j + 1) % 3]).abs());
            }
        }
    }
    Ok(worst)
}

/// Nine small maps with one scale.
fn panels(z: f64, map: &Map) -> Multiples {
    let places: Vec<f64> =
        (0..SIDE).map(|k| 1e3 * (-REACH + 2.0 * REACH * k as f64 / (SIDE - 1) as f64)).collect();
    let all = || (0..9).flat_map(|k| map.column(k));
    let range = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let size = range.1.max(-range.0);
    let title = format!("Mass matrix at z = −{:.0} mm", -z * 1e3);
    (0..9).fold(Multiples::new(title, 3), |several, k| {
        let axis = |name| (Axis::new(name, "mm"), places.clone());
        let value = Axis::new("inertia", "kg m²");
        let name = format!("A{}{}", k / 3 + 1, k % 3 + 1);
        several.with(
            HeatMap::new(name, axis("x"), axis("y"), value, map.column(k).collect()).within(-size, size),
        )
    })
}
