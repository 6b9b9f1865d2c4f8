//! Whether the end of a run is in sight, judged by steps and never by a clock.

use super::settings::{Halt, Statistics};

/// Attempts after which a run is judged.
const WINDOW: u64 = 20_000;
/// A stiff system that needs more steps than these is told: about half a minute of a usual robot.
const MOST_STIFF_STEPS: f64 = 1e6;
/// Steps that are short for another reason may become longer again: they are told if this many windows in a row ...
const SLOW_WINDOWS: u32 = 10;
/// ... each leave more steps than these.
const MOST_SLOW_STEPS: f64 = 1e8;
/// |hλ| at the edge of stability of the formula \[HairerWanner1996, Sec. IV.2\].
pub(super) const EDGE: f64 = 3.25;

/// The steps since the run was judged last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    /// Attempts and time \[s\] when it was.
    attempts: u64,
    time: f64,
    /// Steps at the edge of stability since then.
    at_edge: u64,
    /// Windows in a row that left too many steps.
    slow: u32,
}

impl Work {
    pub fn new(time: f64) -> Self {
        Self { attempts: 0, time, at_edge: 0, slow: 0 }
    }

    /// A step was taken.
    pub fn took(&mut self, is_at_edge: bool) {
        self.at_edge += u64::from(is_at_edge);
    }

    /// Judges a run that stands at a time and has an end.
    pub fn judge<S>(&mut self, statistics: Statistics, time: f64, end: f64) -> Result<(), Halt<S>> {
        let made = (statistics.steps + statistics.rejected).saturating_sub(self.attempts);
        if made < WINDOW {
            return Ok(());
        }
        let step = (time - self.time) / made as f64;
        let left = (end - time) / step;
        let is_stiff = 2 * self.at_edge > made;
        let slow = if left > MOST_SLOW_STEPS { self.slow + 1 } else { 0 };
        *self = Self { attempts: self.attempts + made, time, at_edge: 0, slow };
        if is_stiff && left > MOST_STIFF_STEPS {
            return Err(Halt::Stiff { step, left });
        }
        if slow >= SLOW_WINDOWS {
            return Err(Halt::TooSlow { step, left });
        }
        Ok(())
    }
}
