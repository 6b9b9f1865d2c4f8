//! Moves one after the other, with rests between them and with what is picked up and put down.

use super::ExperimentError;
use super::motion::{Load, ReferenceMotion, Target, arrival, in_order, joints_of, middle_of};
use super::path::AnyPath;
use crate::PlatformState;
use legwork_core::control::Platform;
use legwork_core::engine::Pose;
use legwork_core::trajectory::{Path, TimeLaw};
use legwork_core::{M3, V3};
use std::fmt;
use std::sync::Arc;

/// Two poses that differ by more are two \[m\]; their rotations by more than this \[1\].
const SAME: f64 = 1e-9;

/// A move of a sequence: along a path from rest to rest, then a rest.
pub struct TimedMove {
    /// Where.
    pub path: AnyPath,
    /// When, for the length of the path.
    pub law: Arc<dyn TimeLaw + Send + Sync>,
    /// Rest at its end \[s\].
    pub dwell: f64,
    /// What is carried on the way, besides what the robot carries all the time \[kg\].
    pub mass: f64,
}

impl fmt::Debug for TimedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TimedMove")
            .field("length", &self.path.length())
            .field("duration", &self.law.duration())
            .field("dwell", &self.dwell)
            .field("mass", &self.mass)
            .finish_non_exhaustive()
    }
}

/// Moves one after the other, and the same again. What is picked up or put down changes when a move has arrived.
#[derive(Debug)]
pub struct MoveSequence {
    moves: Vec<TimedMove>,
    /// When each move begins \[s\], and the end of the cycle.
    begins: Vec<f64>,
    loads: Vec<Load>,
    cycles: u32,
}

impl MoveSequence {
    /// Once through these moves, each of which begins where the one before it ends; at its end the robot carries `after`
    /// \[kg\] besides what it carries all the time.
    pub fn new(moves: Vec<TimedMove>, after: f64) -> Result<Self, ExperimentError> {
        if moves.is_empty() {
            return Err(ExperimentError::NoMoves);
        }
        let mut begins = vec![0.0];
        let mut loads: Vec<Load> = Vec::new();
        let mut carried = 0.0;
        for (k, one) in moves.iter().enumerate() {
            let begin = begins.last().copied().unwrap_or(0.0);
            for (what, value) in [("rest", one.dwell), ("mass", one.mass), ("duration", one.law.duration())] {
                if !(value >= 0.0 && value.is_finite()) {
                    return Err(ExperimentError::Number { what, value });
                }
            }
            if let Some(before) = k.checked_sub(1).and_then(|before| moves.get(before))
                && !meet(before, one)
            {
                return Err(ExperimentError::Apart { first: k - 1 });
            }
            // What a move carries was picked up when the one before it arrived.
            if one.mass != carried {
                let dwell =
                    k.checked_sub(1).and_then(|before| moves.get(before)).map_or(0.0, |one| one.dwell);
                loads.push(Load { time: begin - dwell, mass: one.mass });
                carried = one.mass;
            }
            begins.push(begin + one.law.duration() + one.dwell);
        }
        if after != carried {
            let last = moves.last().map_or(0.0, |one| one.dwell);
            loads.push(Load { time: begins.last().copied().unwrap_or(0.0) - last, mass: after });
        }
        Ok(Self { moves, begins, loads, cycles: 1 })
    }

    /// The same so many times. It must end where it begins, without what it picked up on the way.
    pub fn repeated(self, cycles: u32) -> Result<Self, ExperimentError> {
        if cycles > 1 {
            let is_closed = self.moves.last().zip(self.moves.first()).is_some_and(|(a, b)| meet(a, b));
            let carried = self.loads.last().map_or(0.0, |load| load.mass);
            if !is_closed || carried != 0.0 {
                return Err(ExperimentError::NotClosed { is_at_start: is_closed, carried });
            }
        }
        Ok(Self { cycles, ..self })
    }

    /// Its moves.
    pub fn moves(&self) -> &[TimedMove] {
        &self.moves
    }

    /// When a move begins in the first cycle \[s\].
    pub fn begin_of(&self, number: usize) -> f64 {
        self.begins.get(number).copied().unwrap_or(f64::NAN)
    }
}

/// Whether the second begins where the first ends.
fn meet(first: &TimedMove, second: &TimedMove) -> bool {
    let (a, b) = (first.path.at(first.path.length()).pose, second.path.at(0.0).pose);
    let apart = (a.position - b.position).norm_sq().sqrt();
    let [a, b] = [a, b].map(|pose| pose.rotation.to_rows());
    let turned = a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| (a - b).abs());
    apart <= SAME && turned.fold(0.0, f64::max) <= SAME
}

impl ReferenceMotion for MoveSequence {
    fn duration(&self) -> f64 {
        self.cycle_duration() * f64::from(self.cycles)
    }

    fn cycle_duration(&self) -> f64 {
        self.begins.last().copied().unwrap_or(0.0)
    }

    fn at(&self, time: f64) -> Platform<f64> {
        let (cycle, whole) = (self.cycle_duration(), self.duration());
        let within = if time >= whole {
            cycle
        } else if time > 0.0 {
            (time - (time / cycle).floor() * cycle).max(0.0)
        } else {
            0.0
        };
        let last = self.moves.len().saturating_sub(1);
        let place = self.begins.partition_point(|begin| *begin <= within).saturating_sub(1).min(last);
        let (Some(one), Some(begin)) = (self.moves.get(place), self.begins.get(place)) else {
            return Platform::rest(Pose::new(M3::diagonal(V3::splat(1.0)), V3::zero()));
        };
        let now = one.law.at(within - begin);
        let is_moving = time >= 0.0 && time <= whole;
        let (rate, acceleration) = if is_moving { (now.rate, now.acceleration) } else { (0.0, 0.0) };
        let state = one.path.at(now.distance).moving(rate, acceleration);
        Platform { pose: state.pose, twist: state.twist, acceleration: state.acceleration }
    }

    fn cycle_joints(&self) -> Vec<f64> {
        let mut all = vec![0.0];
        for (one, begin) in self.moves.iter().zip(&self.begins) {
            all.push(*begin);
            joints_of(&one.path, &*one.law, *begin, false, &mut all);
        }
        all.push(self.cycle_duration());
        in_order(all, self.cycle_duration())
    }

    fn target(&self) -> Target {
        let Some(last) = self.moves.last() else { return arrival(0.0, V3::zero(), V3::zero()) };
        let end = last.path.at(last.path.length());
        arrival(self.duration() - last.dwell, end.pose.position, end.first.linear)
    }

    /// In the middle of the longest move.
    fn middle(&self) -> PlatformState {
        let longest = self.moves.iter().max_by(|a, b| a.path.length().total_cmp(&b.path.length()));
        longest.map_or_else(|| PlatformState::at([0.0; 3]), |one| middle_of(&one.path))
    }

    fn paths(&self) -> Vec<&AnyPath> {
        self.moves.iter().map(|one| &one.path).collect()
    }

    fn loads(&self) -> &[Load] {
        &self.loads
    }
}
