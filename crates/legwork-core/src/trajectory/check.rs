//! A whole path before motion: reach, working mode and distance to singularities, with the place where it fails.
//!
//! The path is sampled; between samples the smallest distances are searched for, a change of sign and a jump of
//! a motor are closed in on by halving.

use super::norm;
use super::path::Path;
use crate::engine::{LegModel, Mechanism, Pose, StateError};
use crate::robots::delta::{Delta, Linkage, PostureError};
use core::f64::consts::TAU;
use core::fmt;

/// What a robot says about one pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance<const K: usize> {
    /// Motor values \[rad or m\].
    pub joints: [f64; K],
    /// Distance to the nearest serial singularity, and its leg; each robot says in which measure.
    pub serial: f64,
    /// The leg, from 0.
    pub leg: usize,
    /// Distance to the parallel singularity; its sign changes on passing one where the robot knows it.
    pub parallel: f64,
}

/// A robot that can be asked about poses.
pub trait PathProbe<const K: usize> {
    /// Why a pose has no answer.
    type Fault;
    /// Distances at a pose.
    fn clearance(&self, pose: &Pose<f64>) -> Result<Clearance<K>, Self::Fault>;
}

/// Measures of [`Singularity`](crate::robots::delta::Singularity): both between 0 and 1.
impl PathProbe<3> for Linkage<f64> {
    type Fault = PostureError;

    fn clearance(&self, pose: &Pose<f64>) -> Result<Clearance<3>, PostureError> {
        let posture = self.posture(pose.position)?;
        let mut nearest = (0, f64::INFINITY);
        for (leg, transmission) in posture.transmission().to_array().into_iter().enumerate() {
            if transmission.abs() < nearest.1 {
                nearest = (leg, transmission.abs());
            }
        }
        let (leg, serial) = nearest;
        Ok(Clearance { joints: posture.angles().to_array(), serial, leg, parallel: posture.forearm_volume() })
    }
}

impl PathProbe<3> for Delta<f64> {
    type Fault = PostureError;
    fn clearance(&self, pose: &Pose<f64>) -> Result<Clearance<3>, PostureError> {
        self.linkage().clearance(pose)
    }
}

/// The smallest margin of a leg, and the margin of J_r⁻¹ in units of the platform's size: numbers without a unit,
/// zero at the singularity.
impl<L: LegModel<f64>, const D: usize, const K: usize> PathProbe<K> for Mechanism<'_, f64, L, D, K> {
    type Fault = StateError;

    fn clearance(&self, pose: &Pose<f64>) -> Result<Clearance<K>, StateError> {
        let active = self.active_at(pose)?;
        let mut nearest = (0, f64::INFINITY);
        for (leg, it) in self.legs.iter().enumerate() {
            let margin = it.kinematics(pose).margin;
            if margin < nearest.1 {
                nearest = (leg, margin);
            }
        }
        let (leg, serial) = nearest;
        let parallel = self.space.scales().motor_factors(&active.kinds, &active.rows).margin();
        Ok(Clearance { joints: active.coordinates(), serial, leg, parallel })
    }
}

/// How fine to look, and how far to stay away.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CheckSettings {
    /// Intervals the path is cut into.
    pub intervals: u32,
    /// Least distance to serial singularities.
    pub serial: f64,
    /// Least distance to parallel singularities, without its sign.
    pub parallel: f64,
}

impl Default for CheckSettings {
    /// 200 intervals, 1e-3 and 1e-3.
    fn default() -> Self {
        Self { intervals: 200, serial: 1e-3, parallel: 1e-3 }
    }
}

/// A path that can be run through, and where it comes closest to the edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathCheck {
    /// Smallest distance to a serial singularity, its place \[m\] and leg.
    pub serial: (f64, f64, usize),
    /// Smallest distance to a parallel singularity and its place \[m\].
    pub parallel: (f64, f64),
}

/// What stops a path. Legs and motors are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PathFaultKind<F> {
    /// The robot has no answer: out of reach, mostly.
    Robot(F),
    /// Too close to a serial singularity: at zero the working mode would be lost.
    Serial {
        /// Which leg.
        leg: usize,
        /// The distance.
        distance: f64,
    },
    /// Too close to a parallel singularity, or beyond one.
    Parallel {
        /// The distance.
        distance: f64,
    },
    /// A motor jumps: another working mode.
    WorkingMode {
        /// Which motor.
        motor: usize,
        /// By how much \[rad or m\].
        jump: f64,
    },
    /// The path has no length or the settings have no interval.
    Nothing,
}

/// Where and why a path cannot be run through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathFault<F> {
    /// Place on the path \[m\].
    pub s: f64,
    /// The pose there.
    pub pose: Pose<f64>,
    /// Why.
    pub kind: PathFaultKind<F>,
}

impl<F: fmt::Display> fmt::Display for PathFaultKind<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Robot(fault) => fault.fmt(f),
            Self::Serial { leg, distance } => {
                write!(f, "leg {} comes within {distance:.2e} of a serial singularity", leg + 1)
            }
            Self::Parallel { distance } => {
                write!(f, "the platform comes within {distance:.2e} of a parallel singularity")
            }
            Self::WorkingMode { motor, jump } if (jump.abs() - TAU).abs() < JUMP => write!(
                f,
                "motor {} passes half a turn, where its angle begins again from the other side; let the motion turn the \
                 other way round",
                motor + 1
            ),
            Self::WorkingMode { motor, jump } => {
                write!(f, "motor {} jumps by {jump:.3}: the working mode changes", motor + 1)
            }
            Self::Nothing => write!(f, "nothing to check: no length or no intervals"),
        }
    }
}

impl<F: fmt::Display> fmt::Display for PathFault<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let p = self.pose.position;
        let Self { s, kind, .. } = self;
        write!(f, "{s:.6} m along the path, at ({:.6}, {:.6}, {:.6}) m: {kind}", p.x, p.y, p.z)
    }
}

impl<F: fmt::Debug + fmt::Display> core::error::Error for PathFault<F> {}

/// A motor that moves further than this between two samples is looked at more closely \[rad or m\].
const JUMP: f64 = 0.05;

struct Search<'a, P, R, const K: usize> {
    path: &'a P,
    robot: &'a R,
    settings: &'a CheckSettings,
}

impl<P: Path, R: PathProbe<K>, const K: usize> Search<'_, P, R, K> {
    fn ask(&self, s: f64) -> Result<Clearance<K>, PathFaultKind<R::Fault>> {
        let found = self.robot.clearance(&self.path.at(s).pose).map_err(PathFaultKind::Robot)?;
        if !(found.serial >= self.settings.serial) {
            return Err(PathFaultKind::Serial { leg: found.leg, distance: found.serial });
        }
        if !(found.parallel.abs() >= self.settings.parallel) {
            return Err(PathFaultKind::Parallel { distance: found.parallel });
        }
        Ok(found)
    }

    /// The first place that fails between a good one and a bad one.
    fn close_in(
        &self,
        mut good: f64,
        mut bad: f64,
        mut kind: PathFaultKind<R::Fault>,
    ) -> PathFault<R::Fault> {
        // Down to rounding of s.
        for _ in 0..52 {
            let middle = 0.5 * (good + bad);
            match self.ask(middle) {
                Ok(_) => good = middle,
                Err(found) => (bad, kind) = (middle, found),
            }
        }
        PathFault { s: bad, pose: self.path.at(bad).pose, kind }
    }

    /// Whether something happens between two good samples: a change of sign, a jump.
    fn between(&self, a: (f64, Clearance<K>), b: (f64, Clearance<K>)) -> Result<(), PathFault<R::Fault>> {
        let flips = |a: &Clearance<K>, b: &Clearance<K>| a.parallel * b.parallel < 0.0;
        let widest = |a: &Clearance<K>, b: &Clearance<K>| {
            let steps = a.joints.iter().zip(&b.joints).map(|(a, b)| (b - a).abs()).enumerate();
            steps.fold((0, 0.0), |worst: (usize, f64), step| if step.1 > worst.1 { step } else { worst })
        };
        let (mut a, mut b) = (a, b);
        let flipped = flips(&a.1, &b.1);
        let (_, first) = widest(&a.1, &b.1);
        if !flipped && first <= JUMP {
            return Ok(());
        }
        for _ in 0..40 {
            let s = 0.5 * (a.0 + b.0);
            let middle = match self.ask(s) {
                Ok(found) => (s, found),
                Err(kind) => return Err(self.close_in(a.0, s, kind)),
            };
            let left = if flipped {
                flips(&a.1, &middle.1)
            } else {
                widest(&a.1, &middle.1).1 >= widest(&middle.1, &b.1).1
            };
            if left { b = middle } else { a = middle }
        }
        let (motor, jump) = widest(&a.1, &b.1);
        let kind = if flipped {
            PathFaultKind::Parallel { distance: b.1.parallel }
        } else if jump > 0.5 * JUMP {
            PathFaultKind::WorkingMode { motor, jump }
        } else {
            return Ok(()); // fast, but smooth
        };
        Err(PathFault { s: b.0, pose: self.path.at(b.0).pose, kind })
    }

    /// The smallest value of `measure` between two places, by golden section.
    fn smallest(
        &self,
        from: f64,
        to: f64,
        measure: impl Fn(&Clearance<K>) -> f64,
    ) -> Result<(f64, Clearance<K>), PathFault<R::Fault>> {
        const SHARE: f64 = 0.618_033_988_749_894_9;
        let good = from;
        let ask = |s: f64| self.ask(s).map_err(|kind| self.close_in(good, s, kind));
        let (mut a, mut b) = (from, to);
        let (mut c, mut d) = (b - SHARE * (b - a), a + SHARE * (b - a));
        let (mut at_c, mut at_d) = (ask(c)?, ask(d)?);
        // A smooth minimum is flat: half the digits of s give all of its value.
        for _ in 0..36 {
            if measure(&at_c) < measure(&at_d) {
                (b, d, at_d) = (d, c, at_c);
                c = b - SHARE * (b - a);
                at_c = ask(c)?;
            } else {
                (a, c, at_c) = (c, d, at_d);
                d = a + SHARE * (b - a);
                at_d = ask(d)?;
            }
        }
        Ok((c, at_c))
    }
}

/// Checks a whole path; on success where it comes closest to singularities, else the first place that fails.
pub fn check_path<P: Path, R: PathProbe<K>, const K: usize>(
    path: &P,
    robot: &R,
    settings: &CheckSettings,
) -> Result<PathCheck, PathFault<R::Fault>> {
    let search = Search { path, robot, settings };
    let (length, n) = (path.length(), settings.intervals);
    let start = path.at(0.0).pose;
    if !(length > 0.0 && length.is_finite() && n > 0 && norm(start.position).is_finite()) {
        return Err(PathFault { s: 0.0, pose: start, kind: PathFaultKind::Nothing });
    }
    let serial = |c: &Clearance<K>| c.serial;
    let parallel = |c: &Clearance<K>| c.parallel.abs();
    let first = search.ask(0.0).map_err(|kind| PathFault { s: 0.0, pose: start, kind })?;
    let mut check =
        PathCheck { serial: (first.serial, 0.0, first.leg), parallel: (first.parallel.abs(), 0.0) };
    let mut note = |(s, c): (f64, Clearance<K>)| {
        if c.serial < check.serial.0 {
            check.serial = (c.serial, s, c.leg);
        }
        if c.parallel.abs() < check.parallel.0 {
            check.parallel = (c.parallel.abs(), s);
        }
    };
    let mut before: Option<(f64, Clearance<K>)> = None;
    let mut here = (0.0, first);
    for i in 1..=n {
        let s = if i == n { length } else { length * f64::from(i) / f64::from(n) };
        let next = match search.ask(s) {
            Ok(found) => (s, found),
            Err(kind) => return Err(search.close_in(here.0, s, kind)),
        };
        search.between(here, next)?;
        note(next);
        if let Some(last) = before {
            if serial(&here.1) <= serial(&last.1) && serial(&here.1) <= serial(&next.1) {
                note(search.smallest(last.0, next.0, serial)?);
            }
            if parallel(&here.1) <= parallel(&last.1) && parallel(&here.1) <= parallel(&next.1) {
                note(search.smallest(last.0, next.0, parallel)?);
            }
        }
        (before, here) = (Some(here), next);
    }
    Ok(check)
}
