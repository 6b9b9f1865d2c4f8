//! What stands between two rows of a motion.
//!
//! Seven numbers y have value, first and second derivative at both rows. With h the time between the rows, x ∈ [0, 1] the
//! share of it that has passed, and Δ the change from the first to the second:
//!
//! ```text
//! y''(x) = (1 − λ(x)) (y₀'' + σ₀ x) + λ(x) (y₁'' − σ₁ (1 − x)) + x (1 − x) (α + β x)           (1)
//! ```
//!
//! The polynomial makes velocity and place arrive, R being what the other terms leave of them:
//!
//! ```text
//! R₁ = Δy'/h − ∫y'' ,   R₂ = (Δy − h y₀')/h² − ∫(1 − x) y''                                    (2)
//! α = 60 R₂ − 24 R₁ ,   β = 60 R₁ − 120 R₂                                                     (3)
//! ```
//!
//! With λ = x and σ = 0 (1) is the polynomial of fifth degree with all six numbers. It is right where the acceleration is
//! smooth. Where motors are switched over between two rows it swings beyond both, by half of the jump and more. There λ goes from
//! one row's acceleration to the other's such that it alone brings along Δy' and Δy in the direction D of the jump,
//!
//! ```text
//! λ = A + B x, not below 0 and not above 1                                                     (4)
//! ∫λ = μ ,   ∫(1 − x) λ = ν                                                                    (5)
//! ```
//!
//! which is the flattest of all between 0 and 1, and a step if there was one switch. σ₀ and σ₁, the changes of y'' before and
//! after, go on up to the jump and from it where that leaves less to the polynomial. Efforts are linear in y'', so they
//! stay between those of the two sides: λ is the same for all seven numbers.

/// y, y', y'' at a row: x y z, then the quaternion W X Y Z.
pub(super) type Knot = [[f64; 7]; 3];

type Seven = [f64; 7];

/// Two rows, the time between them, and the changes of y'' before and after in as much time.
pub(super) struct Pair<'a> {
    pub rows: [&'a Knot; 2],
    pub h: f64,
    pub trends: [Option<Seven>; 2],
}

/// How one acceleration becomes the next: λ of (4), and whether the changes before and after go on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    /// Between these shares of the time λ is straight; 0 before, 1 after.
    part: [f64; 2],
    /// λ at their ends.
    ends: [f64; 2],
    trends: [bool; 2],
}

/// From row to row.
const STRAIGHT: Change = Change { part: [0.0, 1.0], ends: [0.0, 1.0], trends: [false; 2] };
/// The shortest part: a jump within rounding, and still a function.
const SHORTEST: f64 = 1e-6;
/// What a polynomial may swing beyond both rows, as a share of the change between them.
const SWING: f64 = 1e-2;
/// What a smooth acceleration may: its curvature takes it by an eighth of the second difference beyond the rows.
const CURVATURE: f64 = 0.25;
/// A jump is one if it leaves less than this share to the polynomial.
const BETTER: f64 = 0.5;
/// Rounds until the part of (5) that the trends bring along has settled.
const ROUNDS: u32 = 4;

impl Pair<'_> {
    /// Δy'' and what the moments of y'' must be beside those of y₀'': Δy'/h − y₀'', (Δy − h y₀')/h² − y₀''/2.
    fn wanted(&self) -> [Seven; 3] {
        let ([[y0, v0, a0], [y1, v1, a1]], h) = (self.rows, self.h);
        [
            seven(|i| a1[i] - a0[i]),
            seven(|i| (v1[i] - v0[i]) / h - a0[i]),
            seven(|i| (y1[i] - y0[i] - h * v0[i]) / (h * h) - 0.5 * a0[i]),
        ]
    }

    /// σ₀ and σ₁.
    fn trends(&self, which: [bool; 2]) -> [Seven; 2] {
        let one = |k: usize| self.trends[k].filter(|_| which[k]).unwrap_or([0.0; 7]);
        [one(0), one(1)]
    }
}

fn seven(number: impl Fn(usize) -> f64) -> Seven {
    std::array::from_fn(number)
}

fn dot(a: &Seven, b: &Seven) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Change {
    /// λ with these moments, (5); the nearest that there is.
    fn with_moments(mean: f64, first: f64) -> Self {
        let line = |part: [f64; 2], ends: [f64; 2]| Self { part, ends, trends: [false; 2] };
        // A step has the least first moment, a constant the largest that does not fall.
        let mean = mean.clamp(SHORTEST, 1.0 - SHORTEST);
        let first = first.clamp(0.5 * mean * mean, 0.5 * mean);
        let [begin, end] = [6.0 * first - 2.0 * mean, 4.0 * mean - 6.0 * first];
        if begin >= 0.0 && end <= 1.0 {
            return line([0.0, 1.0], [begin, end]);
        }
        // Zero at first, then rising up to the end.
        let length = 3.0 * first / mean;
        if begin < 0.0 && length <= 1.0 && 2.0 * mean <= length {
            return line([1.0 - length, 1.0], [0.0, 2.0 * mean / length]);
        }
        // The same turned round: rising from the beginning, then one.
        let rest = 1.0 - mean;
        let length = 3.0 * (0.5 - mean + first) / rest;
        if end > 1.0 && length <= 1.0 && 2.0 * rest <= length {
            return line([0.0, length], [1.0 - 2.0 * rest / length, 1.0]);
        }
        let width = (12.0 * (2.0 * first - mean * mean)).max(0.0).sqrt().max(SHORTEST);
        let width = width.min(2.0 * mean.min(rest));
        line([rest - 0.5 * width, rest + 0.5 * width], [0.0, 1.0])
    }

    /// λ, its integral and the integral of that from 0 to x, and the same of x λ.
    fn at(self, x: f64) -> [[f64; 3]; 2] {
        let ([begin, end], [low, high]) = (self.part, self.ends);
        let slope = (high - low) / (end - begin);
        let z = (x - begin).clamp(0.0, end - begin);
        let t = (x - end).max(0.0);
        let straight = low + slope * z;
        // At a row it is the row's number.
        let now = if x <= begin.max(0.0) {
            0.0
        } else if x >= end {
            1.0
        } else {
            straight
        };
        let once = z * (low + z * slope / 2.0);
        let twice = z * z * (low / 2.0 + z * slope / 6.0);
        let (c0, c1) = (begin * low, low + begin * slope);
        let of_x = z * (c0 + z * (c1 / 2.0 + z * slope / 3.0));
        let of_x_twice = z * z * (c0 / 2.0 + z * (c1 / 6.0 + z * slope / 12.0));
        [
            [now, once + t, twice + t * (once + t / 2.0)],
            [x * now, of_x + t * (end + t / 2.0), of_x_twice + t * (of_x + t * (end / 2.0 + t / 6.0))],
        ]
    }

    /// What all but the polynomial of (1) gives beside y₀'', its integral and the integral of that.
    fn base(self, pair: &Pair<'_>, x: f64) -> [Seven; 3] {
        let ([blend, of_x], [before, after]) = (self.at(x), pair.trends(self.trends));
        let [change, ..] = pair.wanted();
        let powers = [x, x * x / 2.0, x * x * x / 6.0];
        std::array::from_fn(|k| {
            seven(|i| {
                before[i] * powers[k] + blend[k] * (change[i] - after[i]) + of_x[k] * (after[i] - before[i])
            })
        })
    }

    /// R₁ and R₂, (2).
    fn rest(self, pair: &Pair<'_>) -> [Seven; 2] {
        let ([_, share, way], [_, once, twice]) = (pair.wanted(), self.base(pair, 1.0));
        [seven(|i| share[i] - once[i]), seven(|i| way[i] - twice[i])]
    }

    /// The size of that.
    fn leaves(self, pair: &Pair<'_>) -> f64 {
        self.rest(pair).as_flattened().iter().map(|r| r * r).sum()
    }

    /// λ of (4) and (5) for two rows, with these trends.
    fn fitted(pair: &Pair<'_>, which: [bool; 2]) -> Self {
        let ([change, share, way], [before, after]) = (pair.wanted(), pair.trends(which));
        let jump = seven(|i| change[i] - after[i]);
        let square = dot(&jump, &jump);
        let mut found = STRAIGHT;
        for _ in 0..ROUNDS {
            let [_, [_, once, twice]] = found.at(1.0);
            let mean = seven(|i| share[i] - before[i] / 2.0 - once * (after[i] - before[i]));
            let first = seven(|i| way[i] - before[i] / 6.0 - twice * (after[i] - before[i]));
            found = Self::with_moments(dot(&mean, &jump) / square, dot(&first, &jump) / square);
        }
        Self { trends: which, ..found }
    }

    /// What stands between two rows.
    pub(super) fn between(pair: &Pair<'_>) -> Self {
        let [change, ..] = pair.wanted();
        let square = dot(&change, &change);
        let [r1, r2] = STRAIGHT.rest(pair);
        let swing = |i: usize| {
            // Second differences at both rows: where a smooth acceleration has its largest or least number between the rows, they
            // are nearly the same, and larger than the change.
            let [at_first, at_second] =
                pair.trends.map(|trend| trend.map_or(0.0, |trend: Seven| change[i] - trend[i]));
            let bend = if at_first * at_second < 0.0 { at_first.abs().min(at_second.abs()) } else { 0.0 };
            let bend = if bend > change[i].abs() { bend } else { 0.0 };
            beyond(change[i], r1[i], r2[i]) - CURVATURE * bend
        };
        let swings: f64 = (0..7).map(|i| swing(i).max(0.0).powi(2)).sum();
        if !(swings > SWING * SWING * square && square > 0.0) {
            return STRAIGHT;
        }
        // A trend that is another jump does not go on.
        let goes_on = pair.trends.map(|trend| trend.is_some_and(|trend| 4.0 * dot(&trend, &trend) < square));
        let mut best = (STRAIGHT, BETTER * BETTER * STRAIGHT.leaves(pair));
        for which in [[false, false], [true, false], [false, true], [true, true]] {
            if which.iter().zip(&goes_on).all(|(wanted, goes_on)| !wanted || *goes_on) {
                let found = Self::fitted(pair, which);
                let leaves = found.leaves(pair);
                if leaves < best.1 {
                    best = (found, leaves);
                }
            }
        }
        best.0
    }

    /// From where to where the acceleration jumps, if it does.
    pub(super) fn jump(self) -> Option<[f64; 2]> {
        (self != STRAIGHT).then_some(self.part)
    }

    /// Where λ bends or jumps, if that is not at the rows.
    pub(super) fn joints(self) -> Option<[f64; 2]> {
        (self.part != STRAIGHT.part).then_some(self.part)
    }

    /// y, y', y'' at a share of the time between two rows, by (1).
    pub(super) fn values(self, pair: &Pair<'_>, x: f64) -> Knot {
        let ([[y0, v0, a0], _], h) = (pair.rows, pair.h);
        let ([r1, r2], [now, once, twice]) = (self.rest(pair), self.base(pair, x));
        let mut found = [[0.0; 7]; 3];
        for i in 0..7 {
            let [p, p1, p2] = polynomial_at(polynomial(r1[i], r2[i]), x);
            found[0][i] = y0[i] + h * x * v0[i] + h * h * (0.5 * x * x * a0[i] + twice[i] + p2);
            found[1][i] = v0[i] + h * (x * a0[i] + once[i] + p1);
            found[2][i] = a0[i] + now[i] + p;
        }
        found
    }
}

/// α and β, (3).
fn polynomial(r1: f64, r2: f64) -> [f64; 2] {
    [60.0 * r2 - 24.0 * r1, 60.0 * r1 - 120.0 * r2]
}

/// x (1 − x) (α + β x), its integral and the integral of that, from 0 to x.
fn polynomial_at([alpha, beta]: [f64; 2], x: f64) -> [f64; 3] {
    let (middle, last) = (beta - alpha, -beta);
    [
        x * (alpha + x * (middle + x * last)),
        x * x * (alpha / 2.0 + x * (middle / 3.0 + x * last / 4.0)),
        x * x * x * (alpha / 6.0 + x * (middle / 12.0 + x * last / 20.0)),
    ]
}

/// How far the polynomial of fifth degree goes beyond both rows in y''.
fn beyond(change: f64, r1: f64, r2: f64) -> f64 {
    let [alpha, beta] = polynomial(r1, r2);
    let at = |x: f64| change * x + polynomial_at([alpha, beta], x)[0];
    let (low, high) = (change.min(0.0), change.max(0.0));
    // Its slope is Δ + α + 2 (β − α) x − 3 β x².
    let (a, b, c) = (-3.0 * beta, beta - alpha, change + alpha);
    let root = (b * b - a * c).max(0.0).sqrt();
    // Both roots, neither of them by a difference of nearly equal numbers.
    let q = -(b + root.copysign(b));
    let inside = |x: f64| if x > 0.0 && x < 1.0 { at(x) } else { 0.0 };
    [inside(q / a), inside(c / q)].into_iter().fold(0.0, |worst: f64, y| worst.max(y - high).max(low - y))
}
