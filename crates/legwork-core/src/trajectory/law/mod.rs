//! Timing laws: how far along its path the platform is at time t.
//!
//! A [`Law`] is a [`Shape`], a length L and a duration T, σ(t) = L f(t/T); it is built by duration, by
//! peak acceleration, by average or by peak speed. [`ThereAndBack`] runs any law forth and back.
//!
//! **Non-symmetric laws**, peaks A₁ (start) and A₂ (brake), A₁T₁ = A₂T₂:
//!
//! ```text
//! parabolic:     L = ½ A₁T₁ (T₁ + T₂)
//! sine-on-ramp:  L = W (T₁ + T₂)/2,  W = 2A₁T₁/π,  T₁ = √( πL / (A₁(1 + A₁/A₂)) )
//! ```

mod build;
mod shape;
mod there_and_back;

pub use build::LawError;
pub use shape::Shape;
pub use there_and_back::ThereAndBack;

use crate::Real;

/// Where a law is at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawPoint<T> {
    /// σ \[m\]
    pub distance: T,
    /// σ̇ \[m/s\]
    pub rate: T,
    /// σ̈ \[m/s²\]
    pub acceleration: T,
    /// d³σ/dt³ \[m/s³\]; where acceleration jumps, of the smooth part only.
    pub jerk: T,
}

impl<T: Real> LawPoint<T> {
    /// At rest.
    pub fn rest(distance: T) -> Self {
        Self { distance, rate: T::zero(), acceleration: T::zero(), jerk: T::zero() }
    }
}

/// Way over time; before its start and past its end it rests.
pub trait TimeLaw {
    /// T \[s\]
    fn duration(&self) -> f64;
    /// σ and its derivatives at `time` \[s\].
    fn at(&self, time: f64) -> LawPoint<f64>;
    /// The next instant after `time` where two smooth parts meet; T if there is none. What integrates over
    /// the motion does well to stop there.
    fn next_joint(&self, time: f64) -> f64 {
        let _ = time;
        self.duration()
    }
}

impl<L: TimeLaw + ?Sized> TimeLaw for &L {
    fn duration(&self) -> f64 {
        (**self).duration()
    }
    fn at(&self, time: f64) -> LawPoint<f64> {
        (**self).at(time)
    }
    fn next_joint(&self, time: f64) -> f64 {
        (**self).next_joint(time)
    }
}

/// A shape with its size: σ(t) = L f(t/T).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law<T> {
    shape: Shape<T>,
    length: T,
    duration: T,
}

impl<T: Real> Law<T> {
    /// From numbers that are known to be good: positive, shares as [`Shape`] says.
    pub fn unchecked(shape: Shape<T>, length: T, duration: T) -> Self {
        Self { shape, length, duration }
    }

    /// The shape.
    pub fn shape(&self) -> Shape<T> {
        self.shape
    }

    /// L \[m\]
    pub fn length(&self) -> T {
        self.length
    }

    /// T \[s\]
    pub fn duration(&self) -> T {
        self.duration
    }

    /// Largest speed \[m/s\].
    pub fn peak_speed(&self) -> T {
        self.shape.peak_speed() * self.length / self.duration
    }

    /// A₁ and A₂ \[m/s²\]: largest acceleration while speeding up and while braking.
    pub fn peak_accelerations(&self) -> [T; 2] {
        self.shape.peak_accelerations().map(|peak| peak * self.length / self.duration.squared())
    }

    /// Largest jerk \[m/s³\]; nothing where acceleration jumps.
    pub fn peak_jerk(&self) -> Option<T> {
        self.shape.peak_jerk().map(|peak| peak * self.length / (self.duration.squared() * self.duration))
    }

    /// σ and its derivatives at `time` \[s\]; at rest outside [0, T].
    #[inline(always)]
    pub fn at(&self, time: T) -> LawPoint<T> {
        let (zero, one) = (T::zero(), T::one());
        let per = self.duration.recip();
        let tau = time * per;
        let (before, after) = (tau.lt(zero), one.lt(tau));
        let inside = T::select(before, zero, T::select(after, one, tau));
        let moving = T::select(before, zero, T::select(after, zero, one));
        let [f, f1, f2, f3] = self.shape.at(inside);
        let speed = self.length * per;
        LawPoint {
            distance: self.length * f,
            rate: speed * f1 * moving,
            acceleration: speed * per * f2 * moving,
            jerk: speed * per.squared() * f3 * moving,
        }
    }
}

impl TimeLaw for Law<f64> {
    fn duration(&self) -> f64 {
        self.duration
    }
    fn at(&self, time: f64) -> LawPoint<f64> {
        Law::at(self, time)
    }
    fn next_joint(&self, time: f64) -> f64 {
        let joints = self.shape.joints().into_iter().map(|share| share * self.duration);
        joints.filter(|&joint| joint > time).fold(self.duration, f64::min)
    }
}
