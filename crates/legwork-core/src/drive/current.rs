//! The current loop of a motor: a command goes in, an effort comes out.

use crate::Real;

/// Effort after a hold: τ(t + h) = u + (τ(t) − u) e^{−h/T}, with the decay e^{−h/T} given.
#[inline]
pub fn after_hold<T: Real>(effort: T, command: T, decay: T) -> T {
    command + (effort - command) * decay
}

/// Effort after a ramp u(t) = command + slope t that lasted `h` \[s\]:
/// τ(h) = u(h) − slope T + (τ(0) − u(0) + slope T) e^{−h/T}. Late by exactly T in the end.
#[inline]
pub fn after_ramp<T: Real>(effort: T, command: T, slope: T, lag: T, h: T, decay: T) -> T {
    let late = slope * lag;
    command + slope * h - late + (effort - command + late) * decay
}

/// Limits and lag of a motor's current loop. The command is cut to the limit, its rate is cut, and
/// the rest goes through the lag τ̇ = (u − τ)/T.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurrentLoop {
    /// T \[s\]; zero for none.
    pub lag: f64,
    /// Largest |u| \[N·m or N\]; infinite for none.
    pub limit: f64,
    /// Largest |u̇| \[N·m/s or N/s\]; infinite for none.
    pub rate: f64,
}

/// Where a current loop stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LoopState {
    /// u, behind the limits and before the lag \[N·m or N\].
    pub input: f64,
    /// τ \[N·m or N\].
    pub effort: f64,
}

/// The course of a current loop while its input is a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// At its beginning.
    pub begin: LoopState,
    /// u̇
    pub slope: f64,
    lag: f64,
}

/// A gap between command and input that is rounding.
const ROUNDING: f64 = 1e-13;
/// A gap that the rate closes in this time is closed \[s\]: clocks round, and what they leave must not be chased.
const INSTANT: f64 = 1e-12;

impl CurrentLoop {
    /// Effort = command.
    pub fn ideal() -> Self {
        Self { lag: 0.0, limit: f64::INFINITY, rate: f64::INFINITY }
    }

    /// Whether what comes out depends on what went in before.
    pub fn remembers(&self) -> bool {
        self.lag > 0.0 || self.rate < f64::INFINITY
    }

    /// The command within the limit; NaN stays NaN.
    pub fn cut(&self, command: f64) -> f64 {
        within(command, self.limit)
    }

    /// Settled at a command.
    pub fn settled(&self, command: f64) -> LoopState {
        let input = self.cut(command);
        LoopState { input, effort: input }
    }

    /// Follows the command u(t) = command + slope t from a state on. The second answer is how
    /// long the input is a straight line \[s\]: there the command has been caught up, or meets the limit.
    pub fn follow(&self, state: LoopState, command: f64, slope: f64) -> (Stretch, f64) {
        let (target, target_slope, corner) = self.cut_line(command, slope);
        let gap = target - state.input;
        let rounding = f64::max(ROUNDING * (target.abs() + state.input.abs()), INSTANT * self.rate);
        let (input, slope, meeting) = if self.rate == f64::INFINITY || gap.abs() <= rounding {
            (target, within(target_slope, self.rate), f64::INFINITY)
        } else {
            let own = self.rate.copysign(gap);
            let meeting = gap / (own - target_slope);
            (state.input, own, if meeting > 0.0 { meeting } else { f64::INFINITY })
        };
        let begin = LoopState {
            input,
            // Without a lag the effort is the input.
            effort: if self.lag > 0.0 { state.effort } else { input },
        };
        (Stretch { begin, slope, lag: self.lag }, Real::min(corner, meeting))
    }

    /// The command within the limit, its slope, and when that slope changes.
    fn cut_line(&self, command: f64, slope: f64) -> (f64, f64, f64) {
        let inside = self.cut(command);
        // Where it goes: the bound ahead, or the one it comes back through.
        let outward = command * slope > 0.0;
        if inside == command && !(command.abs() == self.limit && outward) {
            let corner =
                if slope == 0.0 { f64::INFINITY } else { (self.limit.copysign(slope) - command) / slope };
            (inside, slope, corner)
        } else {
            let back = if outward || slope == 0.0 { f64::INFINITY } else { (inside - command) / slope };
            (inside, 0.0, back)
        }
    }
}

/// The nearest number with |x| ≤ bound; NaN stays NaN.
fn within(x: f64, bound: f64) -> f64 {
    if x > bound {
        bound
    } else if x < -bound {
        -bound
    } else {
        x
    }
}

impl Stretch {
    /// u a time after the beginning.
    pub fn input(&self, after: f64) -> f64 {
        self.begin.input + self.slope * after
    }

    /// τ a time after the beginning: exact.
    #[inline]
    pub fn effort(&self, after: f64) -> f64 {
        if self.lag > 0.0 {
            let decay = libm::exp(-after / self.lag);
            if self.slope == 0.0 {
                return after_hold(self.begin.effort, self.begin.input, decay);
            }
            after_ramp(self.begin.effort, self.begin.input, self.slope, self.lag, after, decay)
        } else {
            self.input(after)
        }
    }

    /// Where the loop stands a time after the beginning.
    pub fn end(&self, after: f64) -> LoopState {
        LoopState { input: self.input(after), effort: self.effort(after) }
    }
}
