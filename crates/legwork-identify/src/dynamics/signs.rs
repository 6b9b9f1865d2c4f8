//! Whether a motor's efforts or places are counted the other way, or the efforts of two motors stand in each other's columns,
//! whatever the masses of the robot are: a robot of this kind then explains the log far better the other way round.
//!
//! ```text
//! S(y) = min_β |W (y − X β)| / |W e|,   y = e − rest        the share of the efforts that no robot explains       (1)
//! ```
//!
//! W makes the efforts of all motors equally large. X is orthogonalised once, so a trial is a product.

use super::estimate::Rows;
use super::filter::rms;
use super::identify::refused;
use super::matrix::{dot, norm};
use legwork::AnyRobot;
use legwork::task::TaskError;
use legwork::text::short;

/// A log of which less is left over has no motor the wrong way round.
const SUSPICIOUS: f64 = 0.05;
/// And by this factor less is left over the right way round.
const FAR_BETTER: f64 = 3.0;
/// Friction that drives a motor by more than this part of its effort is no friction.
const DRIVES: f64 = 0.01;

/// The efforts of a log against all robots of its kind.
pub(super) struct Trial {
    /// Orthonormal columns of all that can be estimated.
    basis: Vec<Vec<f64>>,
    /// Efforts in the rows, one motor after the other.
    effort: Vec<f64>,
    /// What makes the efforts of all motors equally large; zero in rows that do not count.
    weights: Vec<f64>,
    rest: Vec<f64>,
    motors: usize,
    size: f64,
    /// Where the rows of each motor are.
    stretches: Vec<(std::ops::Range<usize>, usize)>,
}

impl Trial {
    /// Of rows whose efforts are `effort`, of which `rest` is known.
    pub fn new(rows: &Rows, effort: &[f64], rest: &[f64], motors: usize) -> Self {
        let own = |motor: usize| rows.stretches.iter().filter(move |(_, of)| *of == motor);
        let units: Vec<f64> = (0..motors)
            .map(|motor| {
                let all: Vec<f64> =
                    own(motor).flat_map(|(range, _)| effort[range.clone()].to_vec()).collect();
                rms(&all).max(1e-300)
            })
            .collect();
        let mut weights = vec![0.0; effort.len()];
        for (range, motor) in &rows.stretches {
            for k in range.clone().filter(|k| rows.kept[*k]) {
                weights[k] = units[*motor].recip();
            }
        }
        let weighted = |list: &[f64]| -> Vec<f64> { list.iter().zip(&weights).map(|(x, w)| x * w).collect() };
        let mut basis: Vec<Vec<f64>> = Vec::new();
        for column in &rows.columns.0 {
            let mut own = weighted(column);
            let before = norm(&own);
            for _ in 0..2 {
                for other in &basis {
                    let part = dot(other, &own);
                    super::matrix::add(&mut own, -part, other);
                }
            }
            let rest = norm(&own);
            if rest > 1e-9 * before {
                for x in &mut own {
                    *x /= rest;
                }
                basis.push(own);
            }
        }
        Self {
            basis,
            size: norm(&weighted(effort)),
            rest: weighted(rest),
            effort: effort.to_vec(),
            weights,
            motors,
            stretches: rows.stretches.clone(),
        }
    }

    /// (1) with the efforts of this motor turned, or of these two exchanged.
    fn left(&self, turned: Option<usize>, exchanged: Option<[usize; 2]>) -> f64 {
        let mut efforts = self.effort.clone();
        for (range, _) in self.stretches.iter().filter(|(_, motor)| Some(*motor) == turned) {
            efforts[range.clone()].iter_mut().for_each(|x| *x = -*x);
        }
        if let Some([a, b]) = exchanged {
            // Rows of a log stand one motor after the other, each of the same length.
            let of = |motor: usize| {
                self.stretches.iter().filter(move |(_, of)| *of == motor).map(|(range, _)| range.clone())
            };
            for (first, second) in of(a).zip(of(b)) {
                for (i, j) in first.zip(second) {
                    efforts.swap(i, j);
                }
            }
        }
        let scaled = efforts.iter().zip(&self.weights).zip(&self.rest);
        let y: Vec<f64> = scaled.map(|((x, w), rest)| x * w - rest).collect();
        let told: f64 = self.basis.iter().map(|column| dot(column, &y).powi(2)).sum();
        (dot(&y, &y) - told).max(0.0).sqrt() / self.size.max(1e-300)
    }

    /// The share that is left over as the log is.
    pub fn as_it_is(&self) -> f64 {
        self.left(None, None)
    }

    /// The share that is left over with the efforts of a motor the other way.
    pub fn turned(&self, motor: usize) -> f64 {
        self.left(Some(motor), None)
    }

    /// Refuses efforts that no robot of this kind explains, and that one does with a motor turned or two exchanged.
    pub fn check(&self, robot: &AnyRobot) -> Result<(), TaskError> {
        let now = self.as_it_is();
        if now < SUSPICIOUS {
            return Ok(());
        }
        let motors = self.motors;
        let mut best = (now / FAR_BETTER, None);
        let mut tried = |left: f64, what: String| {
            if left < best.0 {
                best = (left, Some(what));
            }
        };
        for motor in 0..motors {
            tried(self.turned(motor), format!("the efforts of {} have the other sign", name(robot, motor)));
            for other in 0..motor {
                let (a, b) = (name(robot, other), name(robot, motor));
                tried(
                    self.left(None, Some([other, motor])),
                    format!("the efforts of {a} and {b} are those of {b} and {a}"),
                );
            }
        }
        match best {
            (left, Some(what)) => Err(refused(said(&what, now, left), HINT)),
            _ => Ok(()),
        }
    }
}

/// Refuses places that no robot of this kind has: `turned` is the trial of the same log with the places of a motor the other
/// way, where the robot goes there.
pub(super) fn check_places(
    robot: &AnyRobot,
    now: f64,
    turned: impl Fn(usize) -> Option<Trial>,
) -> Result<(), TaskError> {
    if now < SUSPICIOUS {
        return Ok(());
    }
    let mut best: (f64, Option<usize>) = (now / FAR_BETTER, None);
    for motor in 0..robot.joints().len() {
        let Some(trial) = turned(motor) else { continue };
        // Its efforts may count with its places or against them.
        let left = trial.as_it_is().min(trial.turned(motor));
        if left < best.0 {
            best = (left, Some(motor));
        }
    }
    match best {
        (left, Some(motor)) => {
            let what = format!("the places of {} have the other sign", name(robot, motor));
            Err(refused(said(&what, now, left), HINT))
        }
        _ => Ok(()),
    }
}

/// Refuses a motor that its own friction would drive: where legs do not share parameters, nothing else tells its sign.
/// `friction` is value and deviation of viscous and dry friction of a motor, where the log tells them.
pub(super) fn check_friction(
    robot: &AnyRobot,
    effort: impl Fn(usize) -> f64,
    friction: impl Fn(usize) -> [Option<(f64, f64)>; 2],
) -> Result<(), TaskError> {
    for motor in 0..robot.joints().len() {
        let [Some(viscous), Some(dry)] = friction(motor) else { continue };
        let drives = |(value, sigma): (f64, f64)| value < -5.0 * sigma;
        // A slow motor tells its dry friction alone.
        let holds = viscous.0 > 3.0 * viscous.1;
        if drives(dry) && !holds && -dry.0 > DRIVES * effort(motor) {
            let what = format!(
                "the friction of {} would drive it (dry {}, viscous {}): its efforts have the other sign",
                name(robot, motor),
                short(dry.0),
                short(viscous.0)
            );
            return Err(refused(what, HINT));
        }
    }
    Ok(())
}

const HINT: &str = "look at the columns of the log; with `any_scale` they are taken as they are";

fn name(robot: &AnyRobot, motor: usize) -> &str {
    robot.joints().get(motor).map_or("a motor", |joint| joint.name.as_str())
}

fn said(what: &str, now: f64, left: f64) -> String {
    let share = |x: f64| short((1e3 * x).round() / 10.0);
    format!(
        "{} % of the efforts are explained by no robot of this kind, and only {} % are left over if {what}",
        share(now),
        share(left)
    )
}
