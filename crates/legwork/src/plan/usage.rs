//! How far every limit is used, on a grid ten times finer than the one of the plan, by the checked layer of the
//! robot and not by the coefficients of the timing.

use super::model::asked;
use super::{FastestLaw, PlanError, PlanLimits};
use crate::AnyRobot;
use legwork_core::trajectory::Path;
use std::fmt;

/// Places in each interval of the grid.
const FINER: u32 = 10;

/// Speed along the path \[m/s or rad/s\] that stands for rest: dry friction already has its sign, as it has just after the
/// start and just before the end, and nothing else is changed by it.
pub(super) const STILL: f64 = 1e-9;

/// A limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The effort of a motor, from 0.
    Effort(usize),
    /// The speed of a motor, from 0.
    Speed(usize),
    /// Speed along the path.
    PathSpeed,
    /// Acceleration along the path.
    Tangential,
    /// Acceleration across the path.
    Normal,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Effort(motor) => write!(f, "effort of motor {}", motor + 1),
            Self::Speed(motor) => write!(f, "speed of motor {}", motor + 1),
            Self::PathSpeed => write!(f, "speed along the path"),
            Self::Tangential => write!(f, "acceleration along the path"),
            Self::Normal => write!(f, "acceleration across the path"),
        }
    }
}

/// How far a limit is used at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    /// Which limit.
    pub bound: Bound,
    /// Its value, in SI.
    pub limit: f64,
    /// The largest number, without its sign.
    pub largest: f64,
    /// Largest number over limit.
    pub share: f64,
    /// Where on the path \[m\].
    pub at: f64,
}

/// The largest use of every finite limit; `None` if `go_on` says no.
pub(super) fn of<P: Path>(
    robot: &AnyRobot,
    path: &P,
    limits: &PlanLimits,
    law: &FastestLaw,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<Vec<Usage>>, PlanError> {
    let new = |bound: Bound, limit: f64| Usage { bound, limit, largest: 0.0, share: 0.0, at: 0.0 };
    let efforts = limits.effort.iter().enumerate().map(|(k, limit)| new(Bound::Effort(k), *limit));
    let speeds = limits.speed.iter().enumerate().map(|(k, limit)| new(Bound::Speed(k), *limit));
    let path_limits = [
        new(Bound::PathSpeed, limits.path_speed),
        new(Bound::Tangential, limits.tangential),
        new(Bound::Normal, limits.normal),
    ];
    let all = efforts.chain(speeds).chain(path_limits);
    let mut usage: Vec<Usage> = all.filter(|usage| usage.limit.is_finite()).collect();

    let [mut efforts, mut q, mut qd, mut qdd] = std::array::from_fn(|_| vec![0.0; robot.joints().len()]);
    for (here, next) in law.grid().iter().zip(law.grid().iter().skip(1)) {
        if !go_on() {
            return Ok(None);
        }
        for k in 0..=FINER {
            let part = f64::from(k) / f64::from(FINER);
            let s = here.s + part * (next.s - here.s);
            // x is linear in s between grid points.
            let x = here.speed_sq + part * (next.speed_sq - here.speed_sq);
            let (rate, acceleration) = (x.max(0.0).sqrt().max(STILL), here.acceleration);
            let place = path.at(s);
            let state = asked(&place.moving(rate, acceleration));
            let refused = |cause| PlanError::At { s, cause };
            robot.inverse_dynamics_into(&state, &mut efforts).map_err(refused)?;
            robot.joints_from_platform_into(&state, &mut q, &mut qd, &mut qdd).map_err(refused)?;
            let bend = place.second.linear.norm_sq().sqrt();
            for usage in &mut usage {
                let value = match usage.bound {
                    Bound::Effort(motor) => efforts.get(motor).copied().unwrap_or(f64::NAN),
                    Bound::Speed(motor) => qd.get(motor).copied().unwrap_or(f64::NAN),
                    Bound::PathSpeed => rate,
                    Bound::Tangential => acceleration,
                    Bound::Normal => bend * x,
                }
                .abs();
                // NaN counts as the largest, so that it is seen.
                if value > usage.largest || value.is_nan() {
                    (usage.largest, usage.share, usage.at) = (value, value / usage.limit, s);
                }
            }
        }
    }
    Ok(Some(usage))
}
