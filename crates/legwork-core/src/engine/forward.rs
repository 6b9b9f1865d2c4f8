//! Forward kinematics in `f64`: Newton's method with a bounded number of steps.

use super::leg::LegModel;
use super::mechanism::Mechanism;
use super::spatial::Pose;
use crate::Margin;
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
}

impl Default for ForwardSettings {
    fn default() -> Self {
        Self { max_steps: 50, tolerance: 1e-12, singular: 1e-9 }
    }
}

impl ForwardSettings {
    /// Another tolerance; default 1e-12.
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Another number of steps; default 50.
    #[must_use]
    pub fn with_max_steps(self, max_steps: u16) -> Self {
        Self { max_steps, ..self }
    }
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

impl<L: LegModel<f64>, const D: usize, const K: usize> Mechanism<'_, f64, L, D, K> {
    /// The pose near `start` at which the active joints are at `q` \[rad or m\].
    ///
    /// Newton's method; a step that makes the gap larger or leaves the reach of a
    /// leg is halved, ten times at most. Which assembly mode is found depends on the
    /// start alone.
    pub fn forward_kinematics(&self, q: &[f64; K], start: &Pose<f64>, settings: ForwardSettings) -> Forward {
        let mut pose = *start;
        let Margin { value: mut here, mut margin } = self.newton_step(&pose, q);
        for steps in 0..=settings.max_steps {
            let gap = here.gap;
            if gap <= settings.tolerance {
                return Forward::Converged { pose, steps, gap };
            }
            if gap.is_nan() || margin.is_nan() || margin <= settings.singular {
                return Forward::Singular { pose, steps, gap, margin };
            }
            if steps == settings.max_steps {
                break;
            }
            let mut step = here.twist;
            let mut better = None;
            for _ in 0..10 {
                let trial = pose.moved(&step);
                let next = self.newton_step(&trial, q);
                if next.value.gap < gap {
                    better = Some((trial, next));
                    break;
                }
                step = step * 0.5;
            }
            match better {
                Some((trial, next)) => (pose, here, margin) = (trial, next.value, next.margin),
                // Rounding stops a closed gap from shrinking further.
                None if gap <= 64.0 * settings.tolerance => {
                    return Forward::Converged { pose, steps, gap };
                }
                None => return Forward::Stalled { pose, steps, gap, missed: here.missed },
            }
        }
        Forward::Stalled { pose, steps: settings.max_steps, gap: here.gap, missed: here.missed }
    }
}
