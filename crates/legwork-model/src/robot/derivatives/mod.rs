//! Exact derivatives of the dynamics by state and input.
//!
//! With F(x, v, a, τ, w) = 0 the equation of motion at the platform, in the freedoms of the platform,
//!
//! ```text
//! F = M(x) a + c(x, v) + g(x) + f(x, v) − Rᵀ τ − w,   q̇ = R v                           (1)
//! ∂a/∂x = −M⁻¹ ∂F/∂x,  ∂a/∂v = −M⁻¹ ∂F/∂v,  ∂a/∂τ = M⁻¹ Rᵀ,  ∂a/∂w = M⁻¹                (2)
//! ∂τ/∂a = R⁻ᵀ M,  ∂τ/∂x = −∂τ/∂a ∂a/∂x,  ∂τ/∂v = −∂τ/∂a ∂a/∂v,  ∂τ/∂w = −R⁻ᵀ            (3)
//! ```
//!
//! F is run in dual numbers along one direction after the other (four at once for closed forms), with a and τ held, so neither mass matrix nor Jacobian is
//! differentiated. A step of the pose is a small twist: x, y, z \[m\] and a rotation vector about the axes of the base \[rad\],
//! as far as the platform is free. The slope of dry friction at rest is taken for 0, and that of a stop likewise.

mod delta;
mod engine;
mod hexapod;

pub use engine::LegsDerivative;

use super::kinematics::finite;
use super::{AnyRobot, PlatformState, RobotError, either};
use legwork_core::engine::{Pose, Twist};
use legwork_core::{Dual, M3, Real, V3};
use nalgebra::{DMatrix, DMatrixView};

/// The derivative along one direction.
pub(super) type One = Dual<f64, 1>;

/// Derivatives of the accelerations of the platform's freedoms, by rows: a row for each freedom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForwardDerivatives {
    /// By a small step of the pose, a column for each freedom \[1/s²\].
    pub pose: Vec<f64>,
    /// By the velocity of the platform, a column for each freedom \[1/s\].
    pub velocity: Vec<f64>,
    /// By the efforts of the motors, a column for each joint \[1/kg and the like\].
    pub effort: Vec<f64>,
    /// By the wrench on the platform, a column for each freedom: the inverse of its mass matrix.
    pub wrench: Vec<f64>,
}

/// Derivatives of the efforts of the motors, by rows: a row for each joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InverseDerivatives {
    /// By a small step of the pose, a column for each freedom \[N m or N per m or rad\].
    pub pose: Vec<f64>,
    /// By the velocity of the platform, a column for each freedom.
    pub velocity: Vec<f64>,
    /// By the acceleration of the platform, a column for each freedom.
    pub acceleration: Vec<f64>,
    /// By the wrench on the platform, a column for each freedom: −Jᵀ.
    pub wrench: Vec<f64>,
}

impl ForwardDerivatives {
    /// Room for so many freedoms and joints.
    fn make_room(&mut self, freedoms: usize, joints: usize) {
        let square = freedoms * freedoms;
        for (list, count) in [
            (&mut self.pose, square),
            (&mut self.velocity, square),
            (&mut self.effort, freedoms * joints),
            (&mut self.wrench, square),
        ] {
            list.clear();
            list.resize(count, f64::NAN);
        }
    }
}

impl AnyRobot {
    /// How the accelerations of [`forward_dynamics`](Self::forward_dynamics) change with pose, velocity, efforts and
    /// wrench; exact but for rounding. The acceleration given is ignored.
    ///
    /// ```
    /// use legwork::{AnyRobot, PlatformState};
    ///
    /// let robot = AnyRobot::open("delta-industrial")?;
    /// let at = PlatformState::at([0.1, -0.05, -0.8]).moving([1.0, 0.0, 0.5], [0.0; 3]);
    /// let effort = robot.inverse_dynamics(&at)?;
    /// let found = robot.forward_dynamics_derivatives(&at, &effort)?;
    /// // A newton more in z accelerates the platform as the inverse of its mass matrix says.
    /// let more = robot.forward_dynamics(&at.with_force([0.0, 0.0, 1.0]), &effort)?;
    /// assert!((more.platform[2] - found.wrench[8]).abs() < 1e-9);
    /// # Ok::<(), legwork::RobotError>(())
    /// ```
    pub fn forward_dynamics_derivatives(
        &self,
        platform: &PlatformState,
        effort: &[f64],
    ) -> Result<ForwardDerivatives, RobotError> {
        let mut found = ForwardDerivatives::default();
        self.forward_dynamics_derivatives_into(platform, effort, &mut found)?;
        Ok(found)
    }

    /// [`forward_dynamics_derivatives`](Self::forward_dynamics_derivatives) in lists that are used again.
    pub fn forward_dynamics_derivatives_into(
        &self,
        platform: &PlatformState,
        effort: &[f64],
        found: &mut ForwardDerivatives,
    ) -> Result<(), RobotError> {
        found.make_room(self.freedoms().len(), self.joints().len());
        either!(self, robot => robot.forward_derivatives_into(platform, effort, found))?;
        for list in [&found.pose, &found.velocity, &found.effort, &found.wrench] {
            finite("derivatives of the accelerations", list)?;
        }
        Ok(())
    }

    /// How the efforts of [`inverse_dynamics`](Self::inverse_dynamics) change with pose, velocity, acceleration and
    /// wrench (3); exact but for rounding. A robot with more motors than freedoms has none: its efforts are a choice, or do not
    /// follow from the platform alone.
    pub fn inverse_dynamics_derivatives(
        &self,
        platform: &PlatformState,
    ) -> Result<InverseDerivatives, RobotError> {
        let (freedoms, joints) = (self.freedoms().len(), self.joints().len());
        if freedoms != joints {
            return Err(RobotError::Redundant { robot: self.name().into(), motors: joints, freedoms });
        }
        let effort = self.inverse_dynamics(platform)?;
        let forward = self.forward_dynamics_derivatives(platform, &effort)?;
        let view = |list: &[f64]| DMatrixView::from_slice(list, freedoms, freedoms).transpose();
        let lost = || RobotError::State(legwork_core::engine::StateError::Singular { margin: 0.0 });
        let by_acceleration = view(&forward.effort).try_inverse().ok_or_else(lost)?; // (2)
        let rows = |matrix: DMatrix<f64>| matrix.transpose().as_slice().to_vec();
        let found = InverseDerivatives {
            pose: rows(-(&by_acceleration * view(&forward.pose))), // (3)
            velocity: rows(-(&by_acceleration * view(&forward.velocity))),
            wrench: rows(-(&by_acceleration * view(&forward.wrench))),
            acceleration: rows(by_acceleration),
        };
        for list in [&found.pose, &found.velocity, &found.acceleration, &found.wrench] {
            finite("derivatives of the efforts", list)?;
        }
        Ok(found)
    }
}

/// A pose whose derivative is a twist.
#[inline(always)]
pub(super) fn stepped<T: Real>(pose: &Pose<f64>, step: Twist<T>) -> Pose<Dual<T, 1>> {
    let turned = |axis: V3<f64>| dual(axis, step.angular.cross(axis.map(T::from_f64)));
    let columns = pose.rotation.columns().map(turned);
    Pose::new(M3::from_columns(columns.x, columns.y, columns.z), dual(pose.position, step.linear))
}

/// A vector and its derivative.
#[inline(always)]
pub(super) fn dual<T: Real>(value: V3<f64>, slope: V3<T>) -> V3<Dual<T, 1>> {
    value.zip(slope, |re, eps| Dual { re: T::from_f64(re), eps: [eps] })
}

/// A twist and its derivative.
#[inline(always)]
pub(super) fn dual_twist<T: Real>(value: Twist<f64>, slope: Twist<T>) -> Twist<Dual<T, 1>> {
    Twist::new(dual(value.linear, slope.linear), dual(value.angular, slope.angular))
}

/// −M⁻¹ G and M⁻¹ Rᵀ of (2), for D freedoms and any number of motors; the columns of G are those of the pose and then
/// those of the velocity.
fn put<const D: usize, const C: usize>(
    inverse: &[[f64; D]; D],
    slopes: &[[f64; C]; D],
    rows: &[[f64; D]],
    found: &mut ForwardDerivatives,
) {
    for (i, inverse) in inverse.iter().enumerate() {
        for j in 0..D {
            let by = |column: usize| -(0..D).map(|k| inverse[k] * slopes[k][column]).sum::<f64>();
            found.pose[i * D + j] = by(j);
            found.velocity[i * D + j] = by(D + j);
            found.wrench[i * D + j] = inverse[j];
        }
        for (k, row) in rows.iter().enumerate() {
            found.effort[i * rows.len() + k] = inverse.iter().zip(row).map(|(a, b)| a * b).sum();
        }
    }
}
