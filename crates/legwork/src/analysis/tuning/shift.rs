//! T_m, by which the feedback of a shifted regulator sees its reference later than the feed-forward.
//!
//! An effort that is commanded at a sample comes through the lag of its drive and is held over a period, so the motion
//! that the feed-forward makes is late by the lag and half a period, and is seen later still by encoders that are late:
//!
//! ```text
//! T_m = lag + T/2 + delay of the encoders                                                        (1)
//! ```
//!
//! The regulator is given references of samples only, and (1) is seldom a whole number of them: with a lag of 2 ms and a
//! period of 1 ms it is 2.5 samples. Which of its neighbours is better depends on loop and motion; so the linear loop
//! follows the motion with each of them, and the smallest error of the motors decides.

use super::law::{AtMotors, LinearLaw};
use super::sampled::half_way;
use super::{SampledLoop, TuningError};
use crate::PlatformState;
use crate::analysis::linear::DMatrix;
use crate::experiment::{ControllerKind, Experiment, ExperimentError, ResolvedGains};
use legwork_core::control::MOST_SHIFT;
use nalgebra::DVector;

/// The regulator that has a shift.
const KIND: ControllerKind = ControllerKind::ModelShifted;
/// A loop that is late by more samples than this does not hold.
const LOST: f64 = 1e3;
/// Samples of the motion that are followed at most.
const WINDOW: usize = 1500;
/// Places at which the hardest part of a longer motion is looked for.
const PLACES: u32 = 400;

/// The shift T_m of an experiment whose model is fed forward \[s\]: a whole number of samples, at most
/// [`MOST_SHIFT`]. Where the loop has no linear model, or does not hold, the nearest to (1).
pub fn best_shift(experiment: &Experiment<'_>) -> Result<f64, ExperimentError> {
    let (plant, period) = (experiment.plant(), experiment.period());
    let gains = experiment.resolved_gains(KIND)?;
    let lags = plant.lags(gains.proportional.len());
    let (whole, part) = plant.delay_in_samples(period);
    let lag = |pick: fn(f64, f64) -> f64| lags.iter().copied().reduce(pick).unwrap_or(0.0) / period + 0.5;
    let range = [lag(f64::min), lag(f64::max) + whole as f64 + part]; // (1)
    let followed = || -> Result<Option<usize>, TuningError> { best_followed(experiment, &gains, range) };
    let samples = match followed() {
        Ok(Some(samples)) => samples as f64,
        Ok(None) | Err(TuningError::Linear(_) | TuningError::TooLarge { .. }) => {
            range[1].round().clamp(0.0, MOST_SHIFT as f64)
        }
        Err(TuningError::Experiment(error)) => return Err(error),
    };
    Ok(samples * period)
}

/// The shift between two \[samples\] and their neighbours with which the linear loop follows the motion best.
fn best_followed(
    experiment: &Experiment<'_>,
    gains: &ResolvedGains,
    [least, most]: [f64; 2],
) -> Result<Option<usize>, TuningError> {
    let both = half_way(experiment)?;
    let sampled = SampledLoop::at_frequency(experiment, &both, KIND, gains, None)?;
    let [_, known] = &both;
    let law = LinearLaw::of(experiment, known, KIND, gains, None)?;
    let at = AtMotors::of(known)?;
    let efforts = Efforts {
        ahead: [&known.mass, &known.damping, &known.stiffness].map(|m| at.seen(m) / sampled.effort_unit),
        feedback: [law.position, law.rate].map(|matrix| matrix / sampled.effort_unit),
    };
    let course = Course::of(experiment)?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // from 0 to 15
    let [first, last] =
        [least.floor() - 1.0, most.ceil() + 1.0].map(|x| x.clamp(0.0, MOST_SHIFT as f64) as usize);
    let tries = (first..=last).map(|shift| (shift, course.error(&sampled, &efforts, shift)));
    let best = tries.filter(|(_, error)| error.is_finite()).min_by(|a, b| a.1.total_cmp(&b.1));
    Ok(best.filter(|(_, error)| *error < LOST * experiment.period()).map(|(shift, _)| shift))
}

/// What is commanded for a reference, in units of effort.
struct Efforts {
    /// The model's mass, damping and stiffness at the motors.
    ahead: [DMatrix<f64>; 3],
    /// F_q and F_v.
    feedback: [DMatrix<f64>; 2],
}

/// What the motors should do, sample by sample, less where they begin.
struct Course {
    q: Vec<DVector<f64>>,
    qd: Vec<DVector<f64>>,
    qdd: Vec<DVector<f64>>,
    /// One over the usual speed of each motor: an error becomes a time.
    scale: DVector<f64>,
    /// Samples at the beginning that do not count: a part of a longer motion begins with a jump.
    ignored: usize,
}

impl Course {
    fn of(experiment: &Experiment<'_>) -> Result<Self, TuningError> {
        let (motion, period) = (experiment.motion(), experiment.period());
        let duration = motion.duration();
        let span = (WINDOW as f64 * period).min(duration);
        let begin = if span < duration {
            let size = |time: f64| {
                let now = motion.at(time).acceleration;
                now.linear
                    .norm_sq()
                    .sqrt()
                    .max(experiment.robot().platform_size() * now.angular.norm_sq().sqrt())
            };
            let times = (0..=PLACES).map(|k| duration * f64::from(k) / f64::from(PLACES));
            let hardest = times.max_by(|a, b| size(*a).total_cmp(&size(*b))).unwrap_or(0.0);
            (hardest - 0.5 * span).clamp(0.0, duration - span)
        } else {
            0.0
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most WINDOW and the shift
        let samples = (span / period).ceil() as usize + MOST_SHIFT;
        let (mut q, mut qd, mut qdd) = (Vec::new(), Vec::new(), Vec::new());
        for k in 0..=samples {
            let time = begin + k as f64 * period;
            let state: PlatformState = motion.platform(time);
            let joints = experiment.robot().joints_from_platform(&state);
            let joints = joints.map_err(crate::analysis::linear::LinearError::from)?;
            for (list, values) in [(&mut q, joints.q), (&mut qd, joints.qd), (&mut qdd, joints.qdd)] {
                list.push(DVector::from_vec(values));
            }
        }
        let zero = q.first().cloned().unwrap_or_else(|| DVector::zeros(0));
        for place in &mut q {
            *place -= &zero;
        }
        let count = qd.len() as f64;
        let scale = DVector::from_fn(zero.len(), |k, _| {
            let speed = (qd.iter().map(|rates| rates[k] * rates[k]).sum::<f64>() / count).sqrt();
            if speed > 0.0 { 1.0 / speed } else { 0.0 }
        });
        let ignored = if begin > 0.0 { q.len() / 3 } else { 0 };
        Ok(Self { q, qd, qdd, scale, ignored })
    }

    /// Root of the mean square of the error against the shifted reference, as a time \[s\].
    fn error(&self, sampled: &SampledLoop, efforts: &Efforts, shift: usize) -> f64 {
        let ([mass, damping, stiffness], [position, rate]) = (&efforts.ahead, &efforts.feedback);
        let mut state = DVector::zeros(sampled.open.nrows());
        let still = DVector::zeros(sampled.motors());
        let late = |k: usize| k.checked_sub(shift).and_then(|k| self.q.get(k)).unwrap_or(&still);
        let mut sum = 0.0;
        for k in 0..self.q.len() {
            let wanted = late(k);
            let before = if k == 0 { &still } else { late(k - 1) };
            let error = wanted - &sampled.joints * &state;
            if k >= self.ignored {
                sum += error.component_mul(&self.scale).norm_squared();
            }
            // The model's effort for the reference of now, and the feedback of the late one.
            let forward = mass * &self.qdd[k] + damping * &self.qd[k] + stiffness * &self.q[k];
            let turn = (wanted - before) / sampled.period;
            let command = forward + position * wanted + rate * turn + &sampled.feedback * &state;
            state = &sampled.open * &state + &sampled.input * command + &sampled.to_integral * wanted;
        }
        (sum / (self.q.len() - self.ignored) as f64).sqrt()
    }
}
