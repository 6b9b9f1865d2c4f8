//! A regulator as a linear law of what it measures.
//!
//! About a pose where the robot rests, with q̂ and v̂ the measured deviations of the motors and their rates,
//!
//! ```text
//! δu = − F_q q̂ − F_v v̂ + W I,      I⁺ = I − K_i T q̂                                           (1)
//! ```
//!
//! With the robot that the controller knows, M ẍ + D ẋ + K x = E u and q = J x, a platform's force f is given by the
//! motors E⁺ f, and a matrix N of the platform is Ñ = E⁺ N J⁺ at the motors. Then
//!
//! ```text
//! W = 1 or M̃/Ī,   F_q = W K_p,  F_v = W K_d                        a law at the motors          (2)
//! F_q −= K̃                                                         weight of the measured pose  (3)
//! F_q −= K̃,  F_v −= D̃                                              computed torque              (4)
//! F_q = (M k₁ − K)~,  F_v = (M k₂ − D)~                            a law at the platform        (5)
//! ```
//!
//! What a regulator estimates is left out: a payload is fed forward, and a disturbance observer whose model is right, lag of
//! the drives included, adds a pole of its own and moves no other ((3) of its [settings](legwork_core::control::ObserverSettings)).

use super::TuningError;
use crate::analysis::linear::{DMatrix, LinearError, Reduced};
use crate::experiment::{ControllerKind, Experiment, MOST_MOTORS, ResolvedGains};
use legwork_core::control::{FeedForward, Law, Weight};

/// The matrices of (1), m × m for m motors.
pub(super) struct LinearLaw {
    /// F_q
    pub position: DMatrix<f64>,
    /// F_v
    pub rate: DMatrix<f64>,
    /// W
    pub weight: DMatrix<f64>,
    /// K_i, a diagonal.
    pub integral: DMatrix<f64>,
}

/// The matrices of a robot at rest, seen at its motors.
pub(super) struct AtMotors {
    spread: DMatrix<f64>,
    back: DMatrix<f64>,
}

impl AtMotors {
    pub(super) fn of(robot: &Reduced) -> Result<Self, LinearError> {
        let inverse = |m: &DMatrix<f64>, what| {
            m.clone().pseudo_inverse(f64::EPSILON).map_err(|_| LinearError::NotFinite { what })
        };
        Ok(Self {
            spread: inverse(&robot.input, "the input matrix")?,
            back: inverse(&robot.to_joints, "the Jacobian")?,
        })
    }

    /// Ñ
    pub(super) fn seen(&self, matrix: &DMatrix<f64>) -> DMatrix<f64> {
        &self.spread * matrix * &self.back
    }
}

impl LinearLaw {
    /// Of a regulator; `known` is the robot that it knows, in platform coordinates.
    pub(super) fn of(
        experiment: &Experiment<'_>,
        known: &Reduced,
        kind: ControllerKind,
        gains: &ResolvedGains,
        frequency: Option<f64>,
    ) -> Result<Self, TuningError> {
        let m = known.to_joints.nrows();
        let at = AtMotors::of(known)?;
        let none = || DMatrix::<f64>::zeros(m, m);
        let diagonal = |list: &[f64]| DMatrix::from_fn(m, m, |i, j| if i == j { list[i] } else { 0.0 });
        let (stiffness, damping) = (at.seen(&known.stiffness), at.seen(&known.damping));
        let compensated =
            |position: DMatrix<f64>, rate: DMatrix<f64>, ahead: &FeedForward<f64, MOST_MOTORS>| match ahead {
                FeedForward::Gravity => (position - &stiffness, rate), // (3)
                FeedForward::Linearising => (position - &stiffness, rate - &damping), // (4)
                _ => (position, rate),
            };
        Ok(match experiment.law(kind, gains, frequency)? {
            Law::Joint(law) => {
                let weight = match law.weight {
                    Weight::Unit => DMatrix::identity(m, m),
                    Weight::MassMatrix { mean } => at.seen(&known.mass) / mean,
                };
                let position = &weight * diagonal(&law.gains.proportional); // (2)
                let rate = &weight * diagonal(&law.gains.derivative);
                let (position, rate) = compensated(position, rate, &law.feed_forward);
                Self { position, rate, weight, integral: diagonal(&law.gains.integral) }
            }
            Law::State(law) => {
                let square =
                    |rows: &[[f64; MOST_MOTORS]; MOST_MOTORS]| DMatrix::from_fn(m, m, |i, j| rows[i][j]);
                let (position, rate) =
                    compensated(square(&law.position), square(&law.velocity), &law.feed_forward);
                Self { position, rate, weight: DMatrix::identity(m, m), integral: none() }
            }
            Law::Platform(law) => {
                let n = known.order();
                let gain = |pick: &dyn Fn((f64, f64)) -> f64| {
                    let of = |k: usize| {
                        let turns = known.freedoms.get(k).is_some_and(crate::Freedom::turns);
                        pick(if turns { law.orientation } else { law.position })
                    };
                    DMatrix::from_fn(n, n, |i, j| if i == j { of(i) } else { 0.0 })
                };
                // (5)
                Self {
                    position: at.seen(&(&known.mass * gain(&|pair| pair.0) - &known.stiffness)),
                    rate: at.seen(&(&known.mass * gain(&|pair| pair.1) - &known.damping)),
                    weight: DMatrix::identity(m, m),
                    integral: none(),
                }
            }
        })
    }
}
