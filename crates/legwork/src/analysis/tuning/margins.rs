//! Phase and gain margins of a sampled loop with several motors.
//!
//! With the loop cut at the commands, L(z) is what comes back. The closed loop with all gains g times as large and all
//! commands turned by a phase φ has a pole on the unit circle, z = e^{jωT}, exactly where
//!
//! ```text
//! det(1 + g e^{jφ} L(z)) = 0,   that is  g e^{jφ} λ_i(z) = −1                                   (1)
//! ```
//!
//! for one of the eigenvalues λ_i of L, its characteristic loci. So the margins are those of the loci: where one crosses
//! the negative real axis −1/λ_i is a gain g, where one has the size 1 its angle from −1 is a phase φ. For one
//! motor these are the margins of every textbook; for several they are exact for gains that change together, as
//! they do with the frequency of the gains, and say nothing of gains that change one by one.
//!
//! Eigenvalues and not the modes of mass matrix and gains, because those modes are apart only if K_p, K_i and K_d are in
//! proportion, motors lag alike, and neither weight nor friction couples them. Where all this holds, the loci are the
//! loops of the modes.

use super::response::{Response, spectrum};
use super::sampled::half_way;
use super::{SampledLoop, TuningError};
use crate::analysis::linear::LinearError;
use crate::experiment::{ControllerKind, Experiment};
use nalgebra::Complex;
use std::f64::consts::PI;

/// Where the sweep over frequency begins, as a share of half the sampling rate.
const LOWEST: f64 = 1e-5;
/// How many frequencies it has, evenly over their logarithms.
const FREQUENCIES: u32 = 320;
/// Halvings of the interval in which a locus crosses.
const HALVINGS: u32 = 40;
/// Gains that fall or grow by more than this are no margin anybody asks for.
const NO_MARGIN: f64 = 100.0;
/// At the ends of the sweep a locus whose imaginary part is smaller than this share is on the real axis.
const REAL: f64 = 0.05;

/// How much later the loop may answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseMargin {
    /// The phase \[rad\].
    pub margin: f64,
    /// Where the loop has the gain 1 \[rad/s\].
    pub crossover: f64,
}

/// How far all gains may change together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainMargin {
    /// The factor at which the loop is at the edge.
    pub factor: f64,
    /// The frequency at which it then oscillates \[rad/s\].
    pub frequency: f64,
}

/// How far a loop is from its edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopMargins {
    /// The smallest phase margin; none if no locus has the gain 1.
    pub phase: Option<PhaseMargin>,
    /// By how much gains may grow; none if by any factor that matters.
    pub gain_up: Option<GainMargin>,
    /// By how much they may fall: with an integral, or where the weight would pull the robot over.
    pub gain_down: Option<GainMargin>,
    /// Size of the largest pole z of the closed loop; below one is stable.
    pub radius: f64,
    /// Damping of its least damped pole, ζ of s = ln z / T; negative grows.
    pub damping: f64,
    /// Its frequency \[rad/s\].
    pub damping_frequency: f64,
}

impl LoopMargins {
    /// Of a regulator of an experiment.
    pub fn of(experiment: &Experiment<'_>, kind: ControllerKind) -> Result<Self, TuningError> {
        Ok(Self::of_loop(&SampledLoop::of(experiment, kind)?)?)
    }

    /// The same half-way with the robot and the gains worked out once: for a search over frequencies.
    pub(super) fn searcher<'e>(
        experiment: &'e Experiment<'_>,
        kind: ControllerKind,
    ) -> Result<impl Fn(Option<f64>) -> Result<Self, TuningError> + 'e, TuningError> {
        let (both, gains) = (half_way(experiment)?, experiment.resolved_gains(kind)?);
        Ok(move |frequency| {
            Ok(Self::of_loop(&SampledLoop::at_frequency(experiment, &both, kind, &gains, frequency)?)?)
        })
    }

    /// Of any loop.
    pub fn of_loop(sampled: &SampledLoop) -> Result<Self, LinearError> {
        let response = Response::of(sampled)?;
        let poles = spectrum(&sampled.closed(1.0).map(|x| Complex::new(x, 0.0)))?;
        let radius = poles.iter().map(|z| z.norm()).fold(0.0, largest);
        let rates = poles.iter().filter(|z| z.norm() > 0.0).map(|z| z.ln() / sampled.period);
        let damped = rates.map(|s| (-s.re / s.norm(), s.im.abs())).filter(|(damping, _)| !damping.is_nan());
        let (damping, damping_frequency) =
            damped.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::NAN, f64::NAN));
        let (phases, gains) = crossings(&response, PI / sampled.period)?;
        let nearest = |up: bool| {
            let side = gains.iter().filter(|gain| (gain.factor > 1.0) == up);
            side.min_by(|a, b| a.factor.ln().abs().total_cmp(&b.factor.ln().abs())).copied()
        };
        Ok(Self {
            phase: phases.into_iter().min_by(|a, b| a.margin.total_cmp(&b.margin)),
            gain_up: nearest(true),
            gain_down: nearest(false),
            radius,
            damping,
            damping_frequency,
        })
    }

    /// Whether the loop comes to rest by itself.
    pub fn is_stable(&self) -> bool {
        self.radius < 1.0
    }
}

/// The larger of two; NaN stays.
fn largest(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}

/// How far apart two points of loci are, in their own size.
fn apart(a: Complex<f64>, b: Complex<f64>) -> f64 {
    (a - b).norm() / a.norm().max(b.norm()).max(f64::MIN_POSITIVE)
}

/// The new points in the order of the loci that they go on with.
fn followed(before: &[Complex<f64>], mut found: Vec<Complex<f64>>) -> Vec<Complex<f64>> {
    before.iter().filter_map(|old| take_nearest(&mut found, *old)).collect()
}

fn take_nearest(points: &mut Vec<Complex<f64>>, to: Complex<f64>) -> Option<Complex<f64>> {
    let by = |(_, point): &(usize, &Complex<f64>)| apart(**point, to);
    let (place, _) = points.iter().enumerate().min_by(|a, b| by(a).total_cmp(&by(b)))?;
    Some(points.swap_remove(place))
}

/// Everything where a locus has the size 1, or crosses the negative real axis, up to the frequency `nyquist` \[rad/s\].
fn crossings(response: &Response, nyquist: f64) -> Result<(Vec<PhaseMargin>, Vec<GainMargin>), LinearError> {
    let at = |k: u32| nyquist * LOWEST.powf(1.0 - f64::from(k) / f64::from(FREQUENCIES));
    let (mut phases, mut gains) = (Vec::new(), Vec::new());
    let mut keep = |point: Complex<f64>, frequency: f64| {
        let factor = -1.0 / point.re;
        if factor < NO_MARGIN && factor > 1.0 / NO_MARGIN {
            gains.push(GainMargin { factor, frequency });
        }
    };
    let is_real = |point: &&Complex<f64>| point.re < 0.0 && point.im.abs() < REAL * point.re.abs();
    let mut before = (at(0), response.loci(at(0))?);
    // Gains that just hold the robot up have their edge at rest.
    before.1.iter().filter(is_real).for_each(|point| keep(*point, 0.0));
    for k in 1..=FREQUENCIES {
        let omega = at(k);
        let points = followed(&before.1, response.loci(omega)?);
        for (old, new) in before.1.iter().zip(&points) {
            let ends = [(before.0, *old), (omega, *new)];
            if (old.norm() < 1.0) != (new.norm() < 1.0) {
                let (crossover, point) = crossing(response, ends, |point| point.norm() < 1.0)?;
                phases.push(PhaseMargin { margin: (-point).arg().abs(), crossover });
            }
            if (old.im < 0.0) != (new.im < 0.0) && (old.re < 0.0 || new.re < 0.0) {
                let (frequency, point) = crossing(response, ends, |point| point.im < 0.0)?;
                // Not the axis but a pole of the machine, beyond which the locus comes back from the other side.
                if point.im.abs() < REAL * point.re.abs() {
                    keep(point, frequency);
                }
            }
        }
        before = (omega, points);
    }
    before.1.iter().filter(is_real).for_each(|point| keep(*point, nyquist));
    Ok((phases, gains))
}

/// Where a locus changes its side between two frequencies.
fn crossing(
    response: &Response,
    [mut low, mut high]: [(f64, Complex<f64>); 2],
    side: impl Fn(Complex<f64>) -> bool,
) -> Result<(f64, Complex<f64>), LinearError> {
    for _ in 0..HALVINGS {
        let omega = f64::midpoint(low.0, high.0);
        let between = (low.1 + high.1) * 0.5;
        let Some(point) = take_nearest(&mut response.loci(omega)?, between) else { break };
        if side(point) == side(low.1) {
            low = (omega, point);
        } else {
            high = (omega, point);
        }
    }
    Ok(high)
}
