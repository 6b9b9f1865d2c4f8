//! A law forth and back: the cycle of a pick-and-place robot.

use super::{LawPoint, TimeLaw};

/// There by one law, a pause, back by another (the way the second goes is counted from the far end), a pause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThereAndBack<A, B> {
    /// The way out.
    pub there: A,
    /// The way home.
    pub back: B,
    /// Rest at each end \[s\].
    pub pause: f64,
    /// How often; time past the last cycle is rest at the start.
    pub cycles: u32,
}

impl<A: TimeLaw, B: TimeLaw> ThereAndBack<A, B> {
    /// One cycle without a pause.
    pub fn once(there: A, back: B) -> Self {
        Self { there, back, pause: 0.0, cycles: 1 }
    }

    /// Duration of one cycle \[s\].
    pub fn period(&self) -> f64 {
        self.there.duration() + self.back.duration() + 2.0 * self.pause
    }
}

impl<A: TimeLaw, B: TimeLaw> TimeLaw for ThereAndBack<A, B> {
    fn duration(&self) -> f64 {
        self.period() * f64::from(self.cycles)
    }

    fn at(&self, time: f64) -> LawPoint<f64> {
        let (period, whole) = (self.period(), self.duration());
        // Past the end the last instant of the last cycle is held.
        let within = if time >= whole {
            period
        } else if period > 0.0 && time > 0.0 {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // below `cycles`, a u32
            let done = (time / period) as u32;
            (time - f64::from(done) * period).max(0.0)
        } else {
            time
        };
        let turn = self.there.duration() + self.pause;
        if within < turn {
            return self.there.at(within);
        }
        let far = self.there.at(self.there.duration()).distance;
        let back = self.back.at(within - turn);
        let resting = time > whole;
        let moving = if resting { LawPoint::rest(back.distance) } else { back };
        LawPoint {
            distance: far - moving.distance,
            rate: -moving.rate,
            acceleration: -moving.acceleration,
            jerk: -moving.jerk,
        }
    }
}
