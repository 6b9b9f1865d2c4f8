//! Signals of logs: evenly spaced, filtered without shifting them, differentiated, and delayed as a current loop does it.

use std::f64::consts::TAU;

/// The median of some numbers; NaN of none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Root of the mean square.
pub fn rms(values: &[f64]) -> f64 {
    (values.iter().map(|x| x * x).sum::<f64>() / values.len().max(1) as f64).sqrt()
}

/// A signal at even times, by straight lines between its samples. Times rise.
pub fn at_even_times(time: &[f64], values: &[f64], start: f64, step: f64, count: usize) -> Vec<f64> {
    let mut k = 0;
    (0..count)
        .map(|n| {
            let t = start + step * n as f64;
            while k + 2 < time.len() && time[k + 1] < t {
                k += 1;
            }
            let (t0, t1) = (time[k], time[k + 1]);
            let part = ((t - t0) / (t1 - t0)).clamp(0.0, 1.0);
            values[k] + part * (values[k + 1] - values[k])
        })
        .collect()
}

/// A low pass of second order, in direct form.
#[derive(Clone, Copy, Debug)]
struct Biquad {
    b: [f64; 3],
    a: [f64; 2],
}

impl Biquad {
    /// With this quality, for a cut-off that is a part of the sampling rate; warped so that the cut-off is kept.
    fn low_pass(cut: f64, quality: f64) -> Self {
        let k = (TAU / 2.0 * cut).tan();
        let norm = 1.0 / (1.0 + k / quality + k * k);
        let b = k * k * norm;
        Self { b: [b, 2.0 * b, b], a: [2.0 * (k * k - 1.0) * norm, (1.0 - k / quality + k * k) * norm] }
    }

    fn run(&self, values: &mut [f64]) {
        let first = values.first().copied().unwrap_or(0.0);
        // As if the first value had been there for ever.
        let [mut s1, mut s2] = [first * (1.0 - self.b[0]), first * (self.b[2] - self.a[1])];
        for x in values {
            let y = self.b[0] * *x + s1;
            s1 = self.b[1] * *x - self.a[0] * y + s2;
            s2 = self.b[2] * *x - self.a[1] * y;
            *x = y;
        }
    }
}

/// Quality of the two halves of a Butterworth filter of fourth order.
const BUTTERWORTH: [f64; 2] = [0.541_196_100_146_197, 1.306_562_964_876_376];

/// A Butterworth low pass of fourth order forwards and backwards: nothing is shifted, and the cut-off \[Hz\] is where a
/// quarter of the power is left. At a cut-off beyond 0.45 of the sampling rate nothing is filtered.
pub fn low_pass(values: &[f64], rate: f64, cut_off: f64) -> Vec<f64> {
    let cut = cut_off / rate;
    if cut.is_nan() || cut >= 0.45 || values.len() < 3 {
        return values.to_vec();
    }
    // Turned about its ends, so that they are no steps.
    let pad = ((3.0 / cut).ceil() as usize).min(values.len() - 1);
    let (first, last) = (values[0], values[values.len() - 1]);
    let before = values[1..=pad].iter().rev().map(|x| 2.0 * first - x);
    let after = values[values.len() - 1 - pad..values.len() - 1].iter().rev().map(|x| 2.0 * last - x);
    let mut all: Vec<f64> = before.chain(values.iter().copied()).chain(after).collect();
    for _ in 0..2 {
        for quality in BUTTERWORTH {
            Biquad::low_pass(cut, quality).run(&mut all);
        }
        all.reverse();
    }
    all[pad..pad + values.len()].to_vec()
}

/// First and second derivative by central differences of fourth order; at the ends of lower order.
pub fn derivatives(values: &[f64], step: f64) -> [Vec<f64>; 2] {
    let n = values.len();
    let at = |k: usize| values[k.min(n - 1)];
    let mut out = [vec![0.0; n], vec![0.0; n]];
    for k in 0..n {
        if k >= 2 && k + 2 < n {
            let [a, b, c, d, e] = [at(k - 2), at(k - 1), at(k), at(k + 1), at(k + 2)];
            out[0][k] = (a - 8.0 * b + 8.0 * d - e) / (12.0 * step);
            out[1][k] = (-a + 16.0 * b - 30.0 * c + 16.0 * d - e) / (12.0 * step * step);
        } else if n >= 3 {
            let m = k.clamp(1, n - 2);
            out[0][k] = (at(m + 1) - at(m - 1)) / (2.0 * step);
            out[1][k] = (at(m + 1) - 2.0 * at(m) + at(m - 1)) / (step * step);
        }
    }
    out
}

/// What a drive gives that is told `values`: with a lag T of first order, T ẏ + y = u with u straight between samples; with
/// a negative one the same signal earlier by so much.
pub fn lagged(values: &[f64], step: f64, lag: f64) -> Vec<f64> {
    if lag.abs() < 1e-9 || values.is_empty() {
        return values.to_vec();
    }
    if lag < 0.0 {
        let times: Vec<f64> = (0..values.len()).map(|k| step * k as f64).collect();
        return at_even_times(&times, values, -lag, step, values.len());
    }
    let decay = (-step / lag).exp();
    let mut y = values[0];
    let mut out = vec![y];
    for pair in values.windows(2) {
        let slope = (pair[1] - pair[0]) / step;
        // Of u = u₀ + s t the answer is u − s T, and what was off it decays.
        y = (pair[1] - slope * lag) + (y - (pair[0] - slope * lag)) * decay;
        out.push(y);
    }
    out
}

/// The frequency \[Hz\] below which all but a thousandth of the power of signals is, their means left out.
pub fn highest_frequency(signals: &[Vec<f64>], rate: f64) -> f64 {
    let count = signals.first().map_or(0, Vec::len);
    let every = count.div_ceil(2048).max(1);
    let (rate, mut power) = (rate / every as f64, Vec::new());
    let n = count / every;
    // Up to a hundred periods in the log, in quarters of one.
    let bins = (n / 2).min(400);
    for bin in 1..=bins {
        let angle = TAU * 0.5 * bin as f64 / n as f64;
        let (turn_sin, turn_cos) = angle.sin_cos();
        let mut sum = 0.0;
        for signal in signals {
            let mean = signal.iter().sum::<f64>() / count as f64;
            let (mut re, mut im, mut cos, mut sin) = (0.0, 0.0, 1.0, 0.0);
            for (k, x) in signal.iter().step_by(every).take(n).enumerate() {
                // Towards its ends the signal is faded out, so that they are no steps.
                let fade = 0.5 - 0.5 * (TAU * k as f64 / n as f64).cos();
                re += (x - mean) * fade * cos;
                im += (x - mean) * fade * sin;
                (cos, sin) = (cos * turn_cos - sin * turn_sin, sin * turn_cos + cos * turn_sin);
            }
            sum += re * re + im * im;
        }
        power.push(sum);
    }
    let total: f64 = power.iter().sum();
    let mut so_far = 0.0;
    for (k, part) in power.iter().enumerate() {
        so_far += part;
        if so_far >= 0.999 * total {
            return rate * 0.5 * (k + 1) as f64 / n as f64;
        }
    }
    rate / 2.0
}
