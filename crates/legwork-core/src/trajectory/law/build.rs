//! Laws from duration, speed or acceleration, checked.

use super::{Law, Shape};
use crate::Real;
use core::fmt;

/// Why there is no law with these numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LawError {
    /// Must be a number larger than zero.
    NotPositive {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// Must lie between two bounds.
    OutOfRange {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The bounds.
        range: [f64; 2],
    },
    /// The numbers are good one by one, but the law does not fit into double precision.
    Overflow {
        /// What came out.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}

impl fmt::Display for LawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotPositive { what, value } => {
                write!(f, "the {what} is {value}; it must be a number larger than zero")
            }
            Self::OutOfRange { what, value, range: [low, high] } => {
                write!(f, "the {what} is {value}; it must lie between {low} and {high}")
            }
            Self::Overflow { what, value } => {
                write!(f, "the {what} would be {value}: length, speed and acceleration do not fit together")
            }
        }
    }
}

impl core::error::Error for LawError {}

fn positive(what: &'static str, value: f64) -> Result<f64, LawError> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(LawError::NotPositive { what, value }) }
}

fn within(what: &'static str, value: f64, range: [f64; 2], holds: bool) -> Result<(), LawError> {
    if holds { Ok(()) } else { Err(LawError::OutOfRange { what, value, range }) }
}

impl Shape<f64> {
    /// The shape itself if its shares of time are possible.
    pub fn checked(self) -> Result<Self, LawError> {
        match self {
            Self::Parabolic { rise } | Self::Sine { rise } => {
                within("rise", rise, [0.0, 1.0], rise > 0.0 && rise < 1.0)?;
            }
            Self::SCurve { ramp, smooth } => {
                within("ramp", ramp, [0.0, 0.5], ramp > 0.0 && ramp <= 0.5)?;
                within("smooth share of the ramp", smooth, [0.0, 0.5], (0.0..=0.5).contains(&smooth))?;
            }
            Self::Cubic | Self::Quintic => {}
        }
        Ok(self)
    }
}

impl Law<f64> {
    /// Over `length` \[m\] in `duration` \[s\].
    pub fn by_duration(shape: Shape<f64>, length: f64, duration: f64) -> Result<Self, LawError> {
        let law =
            Self::unchecked(shape.checked()?, positive("length", length)?, positive("duration", duration)?);
        let [up, down] = law.peak_accelerations();
        let peak = up.max(down);
        let fits = peak.is_finite() && peak > 0.0;
        if fits { Ok(law) } else { Err(LawError::Overflow { what: "peak acceleration", value: peak }) }
    }

    /// By its larger peak of acceleration \[m/s²\].
    pub fn by_peak_acceleration(shape: Shape<f64>, length: f64, peak: f64) -> Result<Self, LawError> {
        let [up, down] = shape.checked()?.peak_accelerations();
        let (length, peak) = (positive("length", length)?, positive("peak acceleration", peak)?);
        Self::timed(shape, length, Real::sqrt(up.max(down) * length / peak))
    }

    /// By its average speed \[m/s\], T = L/v.
    pub fn by_average_speed(shape: Shape<f64>, length: f64, speed: f64) -> Result<Self, LawError> {
        Self::timed(shape, positive("length", length)?, length / positive("average speed", speed)?)
    }

    /// By its peak speed \[m/s\].
    pub fn by_peak_speed(shape: Shape<f64>, length: f64, speed: f64) -> Result<Self, LawError> {
        let peak = shape.checked()?.peak_speed();
        Self::timed(shape, positive("length", length)?, peak * length / positive("peak speed", speed)?)
    }

    /// Parabolic with peaks A₁ at the start and A₂ at the end \[m/s²\].
    pub fn parabolic_by_peaks(length: f64, start: f64, brake: f64) -> Result<Self, LawError> {
        let rise = rise(start, brake)?;
        Self::by_peak_acceleration(Shape::Parabolic { rise }, length, start.max(brake))
    }

    /// Sine-on-ramp with peaks A₁ at the start and A₂ at the end \[m/s²\].
    pub fn sine_by_peaks(length: f64, start: f64, brake: f64) -> Result<Self, LawError> {
        let rise = rise(start, brake)?;
        Self::by_peak_acceleration(Shape::Sine { rise }, length, start.max(brake))
    }

    /// The fastest motion from rest to rest within speed \[m/s\], acceleration \[m/s²\] and jerk
    /// \[m/s³\]: seven phases, fewer where a limit is not reached.
    pub fn s_curve_within(length: f64, speed: f64, acceleration: f64, jerk: f64) -> Result<Self, LawError> {
        let l = positive("length", length)?;
        let v = positive("speed limit", speed)?;
        let a = positive("acceleration limit", acceleration)?;
        let j = positive("jerk limit", jerk)?;
        // Time to build up acceleration, and to full speed; speed may be reached before acceleration is.
        let (t_j, t_a) = if v * j < a * a {
            let t_j = Real::sqrt(v / j);
            (t_j, 2.0 * t_j)
        } else {
            (a / j, a / j + v / a)
        };
        let (t_j, t_a, duration) = if l / v >= t_a {
            (t_j, t_a, t_a + l / v)
        } else if l * j * j >= 2.0 * a * a * a {
            // The acceleration limit is reached, the speed limit is not: L = a (T_a − T_j) T_a.
            let half = 0.5 * a / j;
            let t_a = half + Real::sqrt(half * half + l / a);
            (a / j, t_a, 2.0 * t_a)
        } else {
            // Neither: L = 2 j T_j³.
            let t_j = libm::cbrt(l / (2.0 * j));
            (t_j, 2.0 * t_j, 4.0 * t_j)
        };
        // Rounding must not push the shares over their bounds.
        let shape = Shape::SCurve { ramp: (t_a / duration).min(0.5), smooth: (t_j / t_a).min(0.5) };
        Self::timed(shape, l, duration)
    }

    fn timed(shape: Shape<f64>, length: f64, duration: f64) -> Result<Self, LawError> {
        if duration.is_finite() && duration > 0.0 {
            Self::by_duration(shape, length, duration)
        } else {
            Err(LawError::Overflow { what: "duration", value: duration })
        }
    }
}

/// T₁/T of A₁T₁ = A₂T₂.
fn rise(start: f64, brake: f64) -> Result<f64, LawError> {
    let (a1, a2) = (positive("peak acceleration", start)?, positive("peak of braking", brake)?);
    Ok(1.0 / (1.0 + a1 / a2))
}
