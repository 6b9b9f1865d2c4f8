//! Forward kinematics in `f64`: Newton's method with a bounded number of steps.

use super::leg::LegModel;
use super::mechanism::{Mechanism, NewtonStep};
use super::spatial::{Pose, Twist};
use crate::{Margin, Real};
use core::fmt;

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ForwardSettings {
    /// Newton steps at most. Default 50.
    pub max_steps: u16,
    /// The gap |q − q(pose)| that counts as closed: \[rad\], and slides in units of the length of the
    /// [motion space](super::MotionSpace::with_length). Default 1e-12.
    pub tolerance: f64,
    /// Margin of legs and of J_r⁻¹ below which the pose counts as singular. Default 1e-9.
    pub singular: f64,
    /// Whether the motors are led in a straight line from where they are at the start, so that the posture is the one
    /// that a real robot would come to. Default true; without it the first posture that closes will do.
    pub follow: bool,
}

impl Default for ForwardSettings {
    fn default() -> Self {
        Self { max_steps: 50, tolerance: 1e-12, singular: 1e-9, follow: true }
    }
}

impl ForwardSettings {
    /// Another tolerance; default 1e-12.
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Any posture that closes, wherever the search falls into it.
    #[must_use]
    pub fn anywhere(self) -> Self {
        Self { follow: false, ..self }
    }

    /// Another number of steps; default 50.
    #[must_use]
    pub fn with_max_steps(self, max_steps: u16) -> Self {
        Self { max_steps, ..self }
    }
}

/// Whether a posture is the one that the motors lead to from the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Route {
    /// It is: the motors went there in a straight line, and the platform followed without a singularity.
    Continuous,
    /// It is another assembly mode than that: the straight way of the motors ends before, in a singularity or out
    /// of reach.
    Elsewhere {
        /// The part of the way that the platform followed, 0 to 1.
        until: f64,
    },
    /// Nobody asked.
    Unknown,
}

/// How the search for a pose ended. The pose is the best one found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Forward {
    /// The gap is closed.
    Converged {
        /// The pose.
        pose: Pose<f64>,
        /// Newton steps taken.
        steps: u16,
        /// |q − q(pose)|, measured as [`ForwardSettings::tolerance`].
        gap: f64,
        /// Whether it is the posture that the motors lead to from the start.
        route: Route,
    },
    /// No step made the gap smaller, or the steps ran out: these joint values may
    /// have no pose, or the start was too far away. With more motors than freedoms
    /// also: the joint values contradict each other by `missed`.
    Stalled {
        /// Where it stopped.
        pose: Pose<f64>,
        /// Newton steps taken.
        steps: u16,
        /// |q − q(pose)|, measured as [`ForwardSettings::tolerance`].
        gap: f64,
        /// The part of the gap that no motion closes; zero unless K > D.
        missed: f64,
    },
    /// The way led to a pose where the motors do not determine the platform, or
    /// where a leg does not reach.
    Singular {
        /// Where it stopped.
        pose: Pose<f64>,
        /// Newton steps taken.
        steps: u16,
        /// |q − q(pose)|, measured as [`ForwardSettings::tolerance`]; NaN out of reach.
        gap: f64,
        /// The smallest margin of J_r⁻¹ or of a leg there.
        margin: f64,
    },
}

impl Forward {
    /// The pose if the gap was closed.
    pub fn converged(self) -> Option<Pose<f64>> {
        match self {
            Self::Converged { pose, .. } => Some(pose),
            Self::Stalled { .. } | Self::Singular { .. } => None,
        }
    }
}

impl fmt::Display for Forward {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Converged { steps, gap, route: Route::Elsewhere { until }, .. } => write!(
                f,
                "converged in {steps} steps, gap {gap:.1e}, to another assembly mode: the way from the start ends \
                 at {:.0} %",
                until * 100.0
            ),
            Self::Converged { steps, gap, .. } => write!(f, "converged in {steps} steps, gap {gap:.1e}"),
            Self::Stalled { steps, gap, missed, .. } if *missed > 0.0 => {
                write!(
                    f,
                    "stalled after {steps} steps with a gap of {gap:.3e}, {missed:.1e} of it for any pose"
                )
            }
            Self::Stalled { steps, gap, .. } => {
                write!(f, "stalled after {steps} steps with a gap of {gap:.3e} (rad or platform sizes)")
            }
            Self::Singular { steps, gap, margin, .. } => {
                write!(f, "singular after {steps} steps (margin {margin:.1e}) with a gap of {gap:.3e}")
            }
        }
    }
}

/// One step of Newton's method towards a pose, before it is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TowardsPose<const K: usize> {
    /// The step.
    pub twist: Twist<f64>,
    /// q − q(pose) \[rad or m\].
    pub missing: [f64; K],
    /// Its size, measured as [`ForwardSettings::tolerance`].
    pub gap: f64,
    /// The part of the gap that no motion closes.
    pub missed: f64,
    /// The smallest margin of J_r⁻¹ or of a leg.
    pub margin: f64,
}

impl<const K: usize> TowardsPose<K> {
    /// The part of the gap that a motion can close.
    fn closable(&self) -> f64 {
        if self.missed > 0.0 {
            Real::sqrt((self.gap * self.gap - self.missed * self.missed).max(0.0))
        } else {
            self.gap
        }
    }
}

/// Steps that one try to come to the next place of the motors may take.
const TRY: u16 = 6;
/// The shortest part of the way that is tried.
const SHORTEST: f64 = 1.0 / 16384.0;
/// Gap at which a place on the way counts as reached; the end has the tolerance of the settings.
const ON_THE_WAY: f64 = 1e-6;

/// The loop of the forward kinematics around `newton`, which works out one step at a pose for joint values.
///
/// ```text
/// (1) q_λ = q − (1 − λ) (q − q(start)),   λ from 0 to 1
/// ```
///
/// A place (1) is taken if every Newton step to it leaves at most a quarter of the gap. Then, by Kantorovich, no
/// singularity is between; else the way is halved. Mostly λ = 1 is reached at once, and this is Newton's method. Where the
/// way ends, a damped search for any posture follows: a step that does not shrink the gap or whose margin is not
/// positive is halved, ten times at most.
pub fn search_pose<const K: usize>(
    newton: impl Fn(&Pose<f64>, &[f64; K]) -> TowardsPose<K>,
    q: &[f64; K],
    start: &Pose<f64>,
    settings: ForwardSettings,
) -> Forward {
    let first = newton(start, q);
    if !settings.follow {
        return damped(newton, q, start, first, settings, Route::Unknown);
    }
    if first.gap.is_nan()
        || first.margin.is_nan()
        || first.margin <= settings.singular && first.gap > settings.tolerance
    {
        return Forward::Singular { pose: *start, steps: 0, gap: first.gap, margin: first.margin };
    }
    let (mut pose, mut here) = (*start, first);
    let (mut at, mut way, mut steps) = (0.0, 1.0, 0);
    while steps <= settings.max_steps.saturating_mul(16) {
        let next: f64 = if at + way > 1.0 - 1e-9 { 1.0 } else { at + way };
        let is_end = next == 1.0;
        let mut target = *q;
        if !is_end {
            // (1)
            for (target, missing) in target.iter_mut().zip(&first.missing) {
                *target -= (1.0 - next) * missing;
            }
            here = newton(&pose, &target);
        }
        if let Some((found, step, taken)) = quadratic(&newton, &target, pose, here, is_end, settings) {
            steps += taken;
            if is_end {
                return Forward::Converged { pose: found, steps, gap: step.gap, route: Route::Continuous };
            }
            (pose, at) = (found, next);
            way *= 2.0;
        } else {
            steps += TRY;
            way *= 0.5;
            if way < SHORTEST {
                break;
            }
        }
        here = newton(&pose, q);
    }
    damped(newton, q, start, first, settings, Route::Elsewhere { until: at })
}

/// Newton's method where every step leaves at most a quarter of the gap.
fn quadratic<const K: usize>(
    newton: &impl Fn(&Pose<f64>, &[f64; K]) -> TowardsPose<K>,
    q: &[f64; K],
    mut pose: Pose<f64>,
    mut here: TowardsPose<K>,
    is_end: bool,
    settings: ForwardSettings,
) -> Option<(Pose<f64>, TowardsPose<K>, u16)> {
    let goal = if is_end { settings.tolerance } else { ON_THE_WAY };
    for taken in 0..=TRY {
        let closable = here.closable();
        if here.gap <= goal || !is_end && closable <= goal {
            return Some((pose, here, taken));
        }
        if here.margin.is_nan() || here.margin <= settings.singular || taken == TRY {
            break;
        }
        let trial = pose.moved(&here.twist);
        let next = newton(&trial, q);
        // Rounding stops a closed gap from shrinking further.
        if here.gap <= 64.0 * settings.tolerance && (next.gap.is_nan() || next.gap >= here.gap) {
            return Some((pose, here, taken));
        }
        if next.gap.is_nan()
            || next.closable() > 0.25 * closable && next.closable() > 64.0 * settings.tolerance
        {
            break;
        }
        (pose, here) = (trial, next);
    }
    None
}

/// Newton's method whose steps are halved until the gap shrinks and the margin is positive.
fn damped<const K: usize>(
    newton: impl Fn(&Pose<f64>, &[f64; K]) -> TowardsPose<K>,
    q: &[f64; K],
    start: &Pose<f64>,
    first: TowardsPose<K>,
    settings: ForwardSettings,
    route: Route,
) -> Forward {
    let (mut pose, mut here) = (*start, first);
    for steps in 0..=settings.max_steps {
        let TowardsPose { gap, margin, missed, .. } = here;
        if gap <= settings.tolerance {
            return Forward::Converged { pose, steps, gap, route };
        }
        if gap.is_nan() || margin.is_nan() || margin <= settings.singular {
            return Forward::Singular { pose, steps, gap, margin };
        }
        if steps == settings.max_steps {
            break;
        }
        let mut step = here.twist;
        let mut better = None;
        let mut least = f64::INFINITY;
        for _ in 0..10 {
            let trial = pose.moved(&step);
            let next = newton(&trial, q);
            if next.gap < gap {
                if next.margin > settings.singular || next.gap <= settings.tolerance {
                    better = Some((trial, next));
                    break;
                }
                least = least.min(next.margin);
            }
            step = step * 0.5;
        }
        match better {
            Some(found) => (pose, here) = found,
            // Rounding stops a closed gap from shrinking further.
            None if gap <= 64.0 * settings.tolerance => {
                return Forward::Converged { pose, steps, gap, route };
            }
            // Every shorter way leads to where the motors do not determine the platform.
            None if least <= settings.singular => {
                return Forward::Singular { pose, steps, gap, margin: least };
            }
            None => return Forward::Stalled { pose, steps, gap, missed },
        }
    }
    Forward::Stalled { pose, steps: settings.max_steps, gap: here.gap, missed: here.missed }
}

impl<L: LegModel<f64>, const D: usize, const K: usize> Mechanism<'_, f64, L, D, K> {
    /// The pose at which the active joints are at `q` \[rad or m\], where the motors lead from `start`; if their
    /// straight way ends before, another one that is near, and the answer says so ([`Route`]). See [`search_pose`].
    pub fn forward_kinematics(&self, q: &[f64; K], start: &Pose<f64>, settings: ForwardSettings) -> Forward {
        let newton = |pose: &Pose<f64>, q: &[f64; K]| {
            let Margin { value, margin } = self.newton_step(pose, q);
            let NewtonStep { twist, missing, gap, missed, .. } = value;
            TowardsPose { twist, missing, gap, missed, margin }
        };
        search_pose(newton, q, start, settings)
    }
}
