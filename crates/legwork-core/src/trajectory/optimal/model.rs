//! What a robot asks of its motors along a path.

use super::super::PlatformState;
use super::super::path::PathPoint;
use crate::V3;
use crate::engine::matrix::Qr;
use crate::engine::{LegModel, Mechanism, PlatformMotion, Robot, StateError, Twist, Wrench};
use crate::robots::delta::{Delta, PostureError};
use core::array::from_fn;
use core::fmt;

/// Motor efforts at one point of a path, by speed and acceleration along it:
///
/// ```text
/// τ = a s̈ + b ṡ² + d ṡ + c + f,    q̇ = q' ṡ,    ṡ ≥ 0
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathDynamics<const K: usize> {
    /// a: inertia felt along the path.
    pub inertia: [f64; K],
    /// b: centrifugal and Coriolis part, and the inertia of the path's own bending.
    pub square: [f64; K],
    /// d: viscous friction.
    pub viscous: [f64; K],
    /// c: weight.
    pub constant: [f64; K],
    /// f: Coulomb friction of a forward motion; jumps where a motor turns round.
    pub coulomb: [f64; K],
    /// q': motor motion per unit of path.
    pub rates: [f64; K],
}

impl<const K: usize> PathDynamics<K> {
    /// Nothing is asked.
    pub const ZERO: Self = Self {
        inertia: [0.0; K],
        square: [0.0; K],
        viscous: [0.0; K],
        constant: [0.0; K],
        coulomb: [0.0; K],
        rates: [0.0; K],
    };

    pub(super) fn is_finite(&self) -> bool {
        [&self.inertia, &self.square, &self.viscous, &self.constant, &self.coulomb, &self.rates]
            .iter()
            .all(|numbers| numbers.iter().all(|x| x.is_finite()))
    }
}

/// A robot as the motion along a path sees it.
pub trait PathModel<const K: usize> {
    /// Why it has no answer somewhere.
    type Fault;
    /// The coefficients at a point of the path.
    fn along(&self, point: &PathPoint<f64>) -> Result<PathDynamics<K>, Self::Fault>;
}

impl<M: PathModel<K> + ?Sized, const K: usize> PathModel<K> for &M {
    type Fault = M::Fault;
    fn along(&self, point: &PathPoint<f64>) -> Result<PathDynamics<K>, Self::Fault> {
        (**self).along(point)
    }
}

/// The closed form: one posture, three torques.
impl PathModel<3> for Delta<f64> {
    type Fault = PostureError;

    fn along(&self, point: &PathPoint<f64>) -> Result<PathDynamics<3>, PostureError> {
        let posture = self.linkage().posture(point.pose.position)?.not_serial()?.not_parallel()?;
        let (zero, first, second) = (V3::zero(), point.first.linear, point.second.linear);
        let torque = |v, a| self.torque(&posture, v, a, zero);
        let rest = torque(zero, zero).torque;
        let moving = torque(first, second);
        let motor = self.motor();
        let coulomb = moving.qdot.map(|rate| motor.coulomb * crate::Real::signum0(rate));
        Ok(PathDynamics {
            inertia: (torque(zero, first).torque - rest).to_array(),
            square: (moving.torque - rest).to_array(),
            viscous: (moving.qdot * motor.viscous).to_array(),
            constant: rest.to_array(),
            coulomb: coulomb.to_array(),
            rates: moving.qdot.to_array(),
        })
    }
}

/// Any robot as a function: pose, twist and acceleration to efforts (friction included) and motor speeds.
#[derive(Clone, Copy, Debug)]
pub struct FromEfforts<F>(
    /// The function.
    pub F,
);

impl<F, E, const K: usize> PathModel<K> for FromEfforts<F>
where
    F: Fn(&PlatformState<f64>) -> Result<([f64; K], [f64; K]), E>,
{
    type Fault = E;

    fn along(&self, point: &PathPoint<f64>) -> Result<PathDynamics<K>, E> {
        let ask = |rate: f64, acceleration: f64, square: f64| {
            (self.0)(&PlatformState {
                pose: point.pose,
                twist: point.first * rate,
                acceleration: point.first * acceleration + point.second * square,
            })
        };
        let (rest, _) = ask(0.0, 0.0, 0.0)?;
        let (pushed, _) = ask(0.0, 1.0, 0.0)?;
        // Friction is the part that changes its sign with the motion.
        let (forth, rates) = ask(1.0, 0.0, 1.0)?;
        let (back, _) = ask(-1.0, 0.0, 1.0)?;
        let each = |f: &dyn Fn(f64, f64, f64, f64) -> f64| -> [f64; K] {
            let (mut r, mut p, mut o, mut b) = (rest.iter(), pushed.iter(), forth.iter(), back.iter());
            from_fn(|_| match (r.next(), p.next(), o.next(), b.next()) {
                (Some(&r), Some(&p), Some(&o), Some(&b)) => f(r, p, o, b),
                _ => 0.0,
            })
        };
        let inertia = each(&|r, p, _, _| p - r);
        let square = each(&|r, _, o, b| 0.5 * (o + b) - r);
        let friction = each(&|_, _, o, b| 0.5 * (o - b));
        if friction.iter().all(|&f| f == 0.0) {
            return Ok(PathDynamics {
                inertia,
                square,
                viscous: friction,
                constant: rest,
                coulomb: friction,
                rates,
            });
        }
        // At twice the speed viscous friction doubles, Coulomb friction does not.
        let (fast, _) = ask(2.0, 0.0, 4.0)?;
        let mut at_two = fast.iter().zip(&square).zip(&rest).map(|((t, b), c)| t - 4.0 * b - c);
        let mut once = friction.iter();
        let viscous = from_fn(|_| at_two.next().unwrap_or(0.0) - once.next().copied().unwrap_or(0.0));
        let mut both = friction.iter().zip(&viscous).map(|(f, d)| f - d);
        let coulomb = from_fn(|_| both.next().unwrap_or(0.0));
        Ok(PathDynamics { inertia, square, viscous, constant: rest, coulomb, rates })
    }
}

/// Why a mechanism of the engine cannot follow a path.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum MechanismFault {
    /// Its state has no answer.
    State(StateError),
    /// The path asks for a motion that the platform's freedoms do not have.
    OutsideMotionSpace {
        /// How much of the twist per unit of path is left over.
        rest: f64,
    },
}

impl fmt::Display for MechanismFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::State(error) => error.fmt(f),
            Self::OutsideMotionSpace { rest } => {
                write!(
                    f,
                    "the path moves the platform in a way that it cannot ({rest:.1e} of the twist is left over)"
                )
            }
        }
    }
}

impl core::error::Error for MechanismFault {}

/// Of a twist of unit size, rounding leaves some 1e-16; a path that turns a platform without that freedom, all.
const LEFT_OVER: f64 = 1e-9;

impl<L: LegModel<f64>, const D: usize, const K: usize> PathModel<K> for Mechanism<'_, f64, L, D, K> {
    type Fault = MechanismFault;

    fn along(&self, point: &PathPoint<f64>) -> Result<PathDynamics<K>, MechanismFault> {
        let rows: [[f64; D]; 6] =
            from_fn(|i| self.space.columns().map(|column| column.get(i).copied().unwrap_or(0.0)));
        let qr = Qr::<f64, 6, D>::new(&rows);
        // V_r of V_P = S V_r
        let reduced = |twist: Twist<f64>| -> Result<[f64; D], MechanismFault> {
            let (rate, _) = qr.solve(&twist.to_vector_linear_first());
            let off = twist - self.space.twist(&rate);
            let rest = crate::Real::sqrt(off.linear.norm_sq() + off.angular.norm_sq());
            let size = crate::Real::sqrt(twist.linear.norm_sq() + twist.angular.norm_sq());
            if rest <= LEFT_OVER * (1.0 + size) {
                Ok(rate)
            } else {
                Err(MechanismFault::OutsideMotionSpace { rest })
            }
        };
        FromEfforts(|state: &PlatformState<f64>| {
            let rate = reduced(state.twist)?;
            let acceleration = reduced(state.acceleration - self.space.product(&rate))?;
            let motion = PlatformMotion { pose: state.pose, rate, acceleration };
            let answer = self.effort_for(&motion, Wrench::zero()).map_err(MechanismFault::State)?;
            Ok((answer.effort, answer.rate))
        })
        .along(point)
    }
}

impl<const N: usize, const M: usize, const D: usize, const K: usize> PathModel<K> for Robot<f64, N, M, D, K> {
    type Fault = MechanismFault;

    fn along(&self, point: &PathPoint<f64>) -> Result<PathDynamics<K>, MechanismFault> {
        self.mechanism().along(point)
    }
}
