//! Shapes of timing laws on the unit square: f(0) = 0, f(1) = 1, at rest at both ends.

use crate::Real;

/// How way and time depend on each other, without their sizes.
///
/// | shape | f(τ) | peak f' | peak f'' |
/// |---|---|---|---|
/// | parabolic | 2τ², then 1 − 2(1−τ)² | 2 | 4 |
/// | cubic | 3τ² − 2τ³ | 1.5 | 6, at the ends |
/// | quintic | 10τ³ − 15τ⁴ + 6τ⁵ | 1.875 | 10/√3 |
/// | sine-on-ramp | τ − sin(2πτ)/(2π) | 2 | 2π |
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape<T> {
    /// Constant acceleration, then constant braking.
    Parabolic {
        /// Share of the time that is spent accelerating, T₁/T: ½ is symmetric.
        rise: T,
    },
    /// Acceleration falls in a straight line.
    Cubic,
    /// Acceleration continuous, zero at both ends.
    Quintic,
    /// A ramp with a sine laid on it: acceleration is one period of a sine \[Codourey1998, Sec. 5\].
    Sine {
        /// T₁/T, as for the parabolic shape.
        rise: T,
    },
    /// Limited jerk: up to seven phases of constant jerk. Without smoothing it is the
    /// trapezoid of speed; without a cruise, and with half of the ramp smooth, four phases.
    SCurve {
        /// Share of the time that speeding up takes, T_a/T in (0, ½]; ½ leaves no cruise.
        ramp: T,
        /// Share of the ramp over which acceleration builds up, T_j/T_a in [0, ½].
        smooth: T,
    },
}

/// f and its derivatives by τ.
pub(super) type Profile<T> = [T; 4];

impl<T: Real> Shape<T> {
    /// Parabolic, symmetric.
    pub fn parabolic() -> Self {
        Self::Parabolic { rise: T::from_f64(0.5) }
    }

    /// Sine-on-ramp, symmetric.
    pub fn sine() -> Self {
        Self::Sine { rise: T::from_f64(0.5) }
    }

    /// Peak of f'.
    pub fn peak_speed(&self) -> T {
        match *self {
            Self::Parabolic { .. } | Self::Sine { .. } => T::from_f64(2.0),
            Self::Cubic => T::from_f64(1.5),
            Self::Quintic => T::from_f64(1.875),
            Self::SCurve { ramp, .. } => (T::one() - ramp).recip(),
        }
    }

    /// Peaks of f'' and of −f'': while speeding up, while braking.
    pub fn peak_accelerations(&self) -> [T; 2] {
        // A₁T₁ = A₂T₂, and both together cover the way (formulas of the module).
        let shared = |whole: f64, rise: T| {
            let whole = T::from_f64(whole);
            [whole / rise, whole / (T::one() - rise)]
        };
        match *self {
            Self::Parabolic { rise } => shared(2.0, rise),
            Self::Sine { rise } => shared(core::f64::consts::PI, rise),
            Self::Cubic => [T::from_f64(6.0); 2],
            Self::Quintic => [T::from_f64(10.0) / T::from_f64(3.0).sqrt(); 2],
            Self::SCurve { ramp, smooth } => {
                let peak = self.peak_speed() / (ramp * (T::one() - smooth));
                [peak; 2]
            }
        }
    }

    /// Peak of |f'''|, where it is finite everywhere.
    pub fn peak_jerk(&self) -> Option<T> {
        match *self {
            Self::Parabolic { .. } | Self::Cubic => None, // acceleration jumps
            Self::Quintic => Some(T::from_f64(60.0)),
            Self::Sine { rise } => {
                let [up, down] = self.peak_accelerations();
                let pi = T::from_f64(core::f64::consts::PI);
                let (a, b) = (up * pi / rise, down * pi / (T::one() - rise));
                Some(T::select(a.lt(b), b, a))
            }
            Self::SCurve { ramp, smooth } => {
                let [peak, _] = self.peak_accelerations();
                Some(peak / (ramp * smooth)) // infinite for the trapezoid
            }
        }
    }

    /// Where smooth parts meet, as shares of the time; 1 where there are fewer.
    pub(super) fn joints(&self) -> [T; 6] {
        let one = T::one();
        match *self {
            Self::Parabolic { rise } | Self::Sine { rise } => [rise, one, one, one, one, one],
            Self::Cubic | Self::Quintic => [one; 6],
            Self::SCurve { ramp, smooth } => {
                let early = [ramp * smooth, ramp * (one - smooth), ramp];
                let [a, b, c] = early;
                [a, b, c, one - c, one - b, one - a]
            }
        }
    }

    /// f, f', f'', f''' at τ in [0, 1].
    #[inline(always)]
    pub(super) fn at(&self, tau: T) -> Profile<T> {
        match *self {
            Self::Parabolic { rise } => parabolic(tau, rise),
            Self::Cubic => cubic(tau),
            Self::Quintic => quintic(tau),
            Self::Sine { rise } => sine(tau, rise),
            Self::SCurve { ramp, smooth } => s_curve(tau, ramp, smooth),
        }
    }
}

/// One of two profiles, component by component.
#[inline(always)]
fn choose<T: Real>(mask: T::Mask, yes: Profile<T>, no: Profile<T>) -> Profile<T> {
    let ([a, b, c, d], [e, f, g, h]) = (yes, no);
    [T::select(mask, a, e), T::select(mask, b, f), T::select(mask, c, g), T::select(mask, d, h)]
}

/// σ = τ²/ρ, then the same backwards: L = ½ A₁T₁ (T₁ + T₂).
#[inline(always)]
fn parabolic<T: Real>(tau: T, rise: T) -> Profile<T> {
    let (two, left, fall) = (T::from_f64(2.0), T::one() - tau, T::one() - rise);
    let (up, down) = (rise.recip(), fall.recip());
    choose(
        tau.lt(rise),
        [tau.squared() * up, two * tau * up, two * up, T::zero()],
        [T::one() - left.squared() * down, two * left * down, -two * down, T::zero()],
    )
}

/// 3τ² − 2τ³
#[inline(always)]
fn cubic<T: Real>(tau: T) -> Profile<T> {
    let (two, three, six) = (T::from_f64(2.0), T::from_f64(3.0), T::from_f64(6.0));
    let left = T::one() - tau;
    [tau.squared() * (three - two * tau), six * tau * left, six * (left - tau), -(six + six)]
}

/// 10τ³ − 15τ⁴ + 6τ⁵
#[inline(always)]
fn quintic<T: Real>(tau: T) -> Profile<T> {
    let n = T::from_f64;
    let (sq, left) = (tau.squared(), T::one() - tau);
    [
        sq * tau * (n(10.0) - n(15.0) * tau + n(6.0) * sq),
        n(30.0) * sq * left.squared(),
        n(60.0) * tau * left * (left - tau),
        n(60.0) * (T::one() - n(6.0) * tau * left),
    ]
}

/// Half a period over T₁, the other half over T₂; speed 2 between them:
///
/// ```text
/// t ≤ T₁:  σ = W/2 (t − (T₁/π) sin(πt/T₁))
/// then:    σ = W T₁/2 + W/2 (u + (T₂/π) sin(πu/T₂)),  u = t − T₁
/// ```
#[inline(always)]
fn sine<T: Real>(tau: T, rise: T) -> Profile<T> {
    let (zero, one, pi) = (T::zero(), T::one(), T::from_f64(core::f64::consts::PI));
    let rising = tau.lt(rise);
    let span = T::select(rising, rise, one - rise);
    let from = T::select(rising, zero, rise);
    let sign = T::select(rising, one, -one);
    let (u, rate) = (tau - from, pi / span);
    let (sin, cos) = (u * rate).sin_cos();
    [from + u - sign * sin / rate, one - sign * cos, sign * sin * rate, sign * cos * rate.squared()]
}

/// An acceleration that rises from 0 to 1 over `span` and stays there, integrated twice. A `span` of
/// zero is a step.
#[inline(always)]
fn smooth_step<T: Real>(t: T, span: T) -> Profile<T> {
    let (zero, one, half) = (T::zero(), T::one(), T::from_f64(0.5));
    let early = t.lt(zero);
    let t = T::select(early, zero, t);
    let rising = t.lt(span);
    let m = T::select(rising, t, span);
    // m/span: one where it has risen, so a step needs no division by zero.
    let share = T::select(rising, m / span, one);
    [
        share * (t.squared() * half - t * m * half + m.squared() / T::from_f64(6.0)),
        share * (t - m * half),
        T::select(early, zero, share),
        T::select(early, zero, T::select(rising, span.recip(), zero)),
    ]
}

/// Jerk ±: acceleration builds up, holds and fades in the first half; the second half mirrors it.
#[inline(always)]
fn s_curve<T: Real>(tau: T, ramp: T, smooth: T) -> Profile<T> {
    let (one, half) = (T::one(), T::from_f64(0.5));
    let first = tau.lt(half);
    let t = T::select(first, tau, one - tau);
    let span = ramp * smooth;
    let peak = (one - ramp).recip() / (ramp - span);
    let ([s0, v0, a0, j0], [s1, v1, a1, j1]) = (smooth_step(t, span), smooth_step(t - (ramp - span), span));
    let (s, v, a, j) = (peak * (s0 - s1), peak * (v0 - v1), peak * (a0 - a1), peak * (j0 - j1));
    choose(first, [s, v, a, j], [one - s, v, -a, j])
}
