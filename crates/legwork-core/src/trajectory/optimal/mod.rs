//! The fastest timing along a path under effort, speed and acceleration limits: reachability analysis
//! \[Pham2018\] on the exact dynamics.
//!
//! On a grid of the path x = ṡ² and u = s̈ are the unknowns; u is constant between grid points, so x is linear in s:
//!
//! ```text
//! x_{i+1} = x_i + 2 (s_{i+1} − s_i) u_i                                             (1)
//! τ_min ≤ a(s) u + b(s) x + d(s) √x + c(s) + f(s) ≤ τ_max                           (2)
//! ```
//!
//! Backward, the set of x_i from which the rest of the path can be run through (an interval, by a linear
//! program in two unknowns); forward, the largest u that stays in it. Limits hold at **both ends** of each
//! interval. Between them (2) bulges: it is measured at the middle of each interval, and the limits of that
//! interval are drawn in by the bulge of the parabola through the three points; a few rounds do. The same rounds
//! take the root of viscous friction as its tangent at the last solution.
//!
//! The path should have continuous curvature: where p'' jumps, so do the efforts, and the grid sees one side only.

mod error;
mod law;
mod limits;
mod model;
mod refine;
mod solve;
mod stage;

pub use error::OptimalError;
pub use law::{OptimalLaw, Stretch};
pub use limits::{Limit, Limits};
pub use model::{FromEfforts, MechanismFault, PathDynamics, PathModel};
pub use solve::{Settings, time_optimal};

/// One point of the grid, and the interval that begins there; the caller owns them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridPoint<const K: usize> {
    /// Place on the path \[m\].
    pub s: f64,
    /// ṡ² \[m²/s²\]
    pub speed_sq: f64,
    /// s̈ from here to the next point \[m/s²\].
    pub acceleration: f64,
    /// When it is passed \[s\].
    pub time: f64,
    /// What holds the motion back from here to the next point.
    pub limit: Limit,
    /// How much of that limit's range is left, as a share.
    pub margin: f64,
    /// Coefficients here and in the middle of the interval.
    here: PathDynamics<K>,
    middle: PathDynamics<K>,
    /// |p''| here and in the middle.
    bend: [f64; 2],
    /// Largest x that speed limits allow, and which one.
    top: f64,
    top_limit: Limit,
    /// The x from which the rest of the path can be run through.
    low: f64,
    high: f64,
    /// What the limits of this interval are drawn in by: least, largest effort.
    slack: [[f64; 2]; K],
    /// x at which the root of viscous friction is taken; none in the first round.
    around: f64,
}

impl<const K: usize> GridPoint<K> {
    /// A point without anything: fill a buffer with it.
    pub const EMPTY: Self = Self {
        s: 0.0,
        speed_sq: 0.0,
        acceleration: 0.0,
        time: 0.0,
        limit: Limit::Nothing,
        margin: 1.0,
        here: PathDynamics::ZERO,
        middle: PathDynamics::ZERO,
        bend: [0.0; 2],
        top: f64::INFINITY,
        top_limit: Limit::Nothing,
        low: 0.0,
        high: 0.0,
        slack: [[0.0; 2]; K],
        around: 0.0,
    };

    /// a, b and c of motor `k` with √x ≈ √x₀/2 + x/(2√x₀) for viscous friction.
    #[inline(always)]
    fn linear(&self, k: usize) -> (f64, f64, f64) {
        let number = |all: &[f64; K]| all.get(k).copied().unwrap_or(0.0);
        let d = 0.5 * number(&self.here.viscous);
        let (a, b) = (number(&self.here.inertia), number(&self.here.square));
        let c = number(&self.here.constant) + number(&self.here.coulomb);
        if d == 0.0 || self.around == 0.0 { (a, b, c) } else { (a, b + d / self.around, c + d * self.around) }
    }
}
