//! Forward kinematics by Newton's method, as the paper does it.

use super::{Angles, ConstrainedDelta};
use crate::linalg::solve_qr;
use crate::{Margin, Real, V3};
use core::fmt;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Steps at most; default 20.
    pub max_iterations: u16,
    /// Largest accepted |h| \[m\]; default 1e-12.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_iterations: 20, tolerance: 1e-12 }
    }
}

impl Settings {
    /// Steps at most; default 20.
    #[must_use]
    pub fn with_max_iterations(self, max_iterations: u16) -> Self {
        Self { max_iterations, ..self }
    }

    /// Largest accepted |h| \[m\]; default 1e-12.
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }
}

/// What an iteration found, and how hard it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<V> {
    /// The result.
    pub value: V,
    /// Steps taken.
    pub iterations: u16,
    /// |h| at the result \[m\].
    pub residual: f64,
}

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NewtonError {
    /// All steps used; the residual |h| \[m\] is that of the last iterate.
    NoConvergence {
        /// Steps taken.
        iterations: u16,
        /// |h| \[m\].
        residual: f64,
    },
    /// The way to the solution crosses a singularity.
    Singular {
        /// Smallest pivot \[m/rad\].
        margin: f64,
    },
    /// A number in or on the way is infinite or not a number.
    NotFinite,
}

impl fmt::Display for NewtonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoConvergence { iterations, residual } => {
                write!(f, "the tips are still {residual:.3e} m apart after {iterations} Newton steps")
            }
            Self::Singular { margin } => {
                write!(f, "the passive angles are not determined here (smallest pivot {margin:.3e} m/rad)")
            }
            Self::NotFinite => f.write_str("an angle is infinite or not a number"),
        }
    }
}

impl core::error::Error for NewtonError {}

/// Below this pivot \[m/rad\] a step would throw the angles away.
const SINGULAR: f64 = 1e-9;

impl<T: Real> ConstrainedDelta<T> {
    /// One Newton step on the six passive angles, motors fixed.
    ///
    /// ```text
    /// (∂h/∂x)(x_k, y) · (x_{k+1} − x_k) = −h(x_k, y)
    /// ```
    ///
    /// \[Bortoff2018, Eq. 27, 28\]: y are the motor angles, x the others, so ∂h/∂x
    /// is H without columns 1, 4, 7. The margin is the smallest pivot \[m/rad\].
    #[inline(always)]
    pub fn newton_step(&self, angles: Angles<T>) -> Margin<Angles<T>, T> {
        let passive = self.closure_jacobian(angles).map(|[_, a, b, _, c, d, _, e, f]| [a, b, c, d, e, f]);
        let step = solve_qr(&passive, &self.closure_residual(angles).to_array()); // (28), sign below
        let [a, b, c, d, e, f] = step.value;
        let turn = V3::new(V3::new(T::zero(), a, b), V3::new(T::zero(), c, d), V3::new(T::zero(), e, f));
        Margin { value: angles.zip(turn, |old, step| old - step), margin: step.margin }
    }
}

impl ConstrainedDelta<f64> {
    /// All angles from the motor angles \[rad\], starting at the passive angles of
    /// `start`, for example those of the last sample \[Bortoff2018, Eq. 27, 28\].
    ///
    /// Two solutions exist, platform below or above the elbows; the start decides.
    /// (The paper calls forward kinematics one-to-one and without closed form;
    /// neither holds. [`angles_from_platform`](Self::angles_from_platform) needs no
    /// iteration.)
    pub fn newton_forward_kinematics(
        &self,
        motor_angles: V3<f64>,
        start: Angles<f64>,
        settings: Settings,
    ) -> Result<Solution<Angles<f64>>, NewtonError> {
        let mut angles = start.zip(motor_angles, |arm, motor| V3::new(motor, arm.y, arm.z));
        let mut iterations = 0;
        loop {
            let h = self.closure_residual(angles);
            let residual = Real::sqrt(h.second.norm_sq() + h.third.norm_sq());
            if !residual.is_finite() {
                return Err(NewtonError::NotFinite);
            }
            if residual <= settings.tolerance {
                return Ok(Solution { value: angles, iterations, residual });
            }
            if iterations >= settings.max_iterations {
                return Err(NewtonError::NoConvergence { iterations, residual });
            }
            let step = self.newton_step(angles);
            // A NaN margin is not positive either.
            if !matches!(step.margin.partial_cmp(&SINGULAR), Some(core::cmp::Ordering::Greater)) {
                return Err(NewtonError::Singular { margin: step.margin });
            }
            angles = step.value;
            iterations += 1;
        }
    }
}
