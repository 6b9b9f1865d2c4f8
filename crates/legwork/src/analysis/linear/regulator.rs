//! Gains for closed loops along a path: state feedback for the [`Tuning`](crate::experiment::Tuning) of an
//! [`Experiment`].
//!
//! ```
//! use legwork::AnyRobot;
//! use legwork::analysis::linear::regulator;
//! use legwork::experiment::{Experiment, TimedPath, ControllerKind, Tuning};
//!
//! let robot = AnyRobot::open("delta-direct-drive")?;
//! let experiment = Experiment::new(&robot, TimedPath::codourey()?);
//! let small = regulator::along(&experiment)?;
//! let (place, rate) = regulator::like_pd(&experiment.resolved_gains(ControllerKind::Lqr)?);
//! let lqr = regulator::lqr(&small, &place, &rate, 1.0)?;
//! let outcome = experiment.tuned(Tuning { lqr: Some(lqr), ..Tuning::default() }).run(ControllerKind::Lqr)?;
//! assert!(outcome.fault.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{DMatrix, LinearError, Pole, Reduced, feedback};
use crate::experiment::{Experiment, ResolvedGains};

/// The robot that the controller knows, half-way between the ends of the path; at its start if it cannot be there.
pub fn along(experiment: &Experiment<'_>) -> Result<Reduced, LinearError> {
    let (robot, motion) = (experiment.known(), experiment.motion());
    Reduced::at(robot, &motion.middle()).or_else(|_| Reduced::at(robot, &motion.platform(0.0)))
}

/// Weights (of places, of rates) with which LQR gives a single mass Ī, with an effort that weighs 1, the gains of PD:
/// K_p² and K_d² − 2 Ī K_p. PD damped less than any LQR (ζ < 1/√2) gives rates no weight.
pub fn like_pd(pd: &ResolvedGains) -> (Vec<f64>, Vec<f64>) {
    let place = pd.proportional.iter().map(|kp| kp * kp).collect();
    let each = pd.proportional.iter().zip(&pd.derivative).zip(&pd.inertia);
    let rate = each.map(|((kp, kd), inertia)| (kd * kd - 2.0 * inertia * kp).max(0.0)).collect();
    (place, rate)
}

/// LQR with one weight for the error of each motor, for its rate, and one for all efforts: gains at the motors.
pub fn lqr(
    reduced: &Reduced,
    place: &[f64],
    rate: &[f64],
    effort: f64,
) -> Result<Vec<Vec<f64>>, LinearError> {
    let (motors, n) = reduced.to_joints.shape();
    let mut q = DMatrix::zeros(2 * n, 2 * n);
    for (half, (what, weights)) in
        [("weights of places", place), ("weights of rates", rate)].into_iter().enumerate()
    {
        if weights.len() != motors {
            return Err(LinearError::Count { what, expected: motors, found: weights.len() });
        }
        let diagonal = DMatrix::from_fn(motors, motors, |i, j| if i == j { weights[i] } else { 0.0 });
        let seen = reduced.to_joints.transpose() * diagonal * &reduced.to_joints;
        q.view_mut((half * n, half * n), (n, n)).copy_from(&seen);
    }
    let r = DMatrix::from_diagonal_element(motors, motors, effort);
    feedback::lqr(&reduced.state_space(), &q, &r)?.motor_rows(reduced)
}

/// Every mode with the poles of s² + 2ζω s + ω², ω \[rad/s\], ζ \[1\]: gains at the motors.
pub fn place(reduced: &Reduced, frequency: f64, damping: f64) -> Result<Vec<Vec<f64>>, LinearError> {
    let (middle, apart) = (-damping * frequency, frequency * (damping * damping - 1.0).abs().sqrt());
    let pair = if damping < 1.0 {
        [apart, -apart].map(|im| Pole { re: middle, im })
    } else {
        [middle + apart, middle - apart].map(|re| Pole { re, im: 0.0 })
    };
    feedback::place(reduced, &pair.repeat(reduced.order()))?.motor_rows(reduced)
}
