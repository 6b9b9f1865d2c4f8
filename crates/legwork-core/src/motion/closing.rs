//! The linear equations that all forms in all joints share, and what follows from them:
//! loops that are closed again.
#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // indices are bounded by the counts checked in `AnyOpenLegs::new`

use super::any_open_legs::{AnyOpenLegs, Configuration, Cuts, Loops, MOST_JOINTS, MOST_LEGS, Speeds};
use super::ldl::{Ldl, dot};
use super::{Fault, put_at};
use crate::integrate::Vector;

/// Unknowns of the dense equations: velocities and multipliers.
const MOST_UNKNOWNS: usize = 2 * MOST_JOINTS + 6;
/// Margin of a leg below which it counts as stretched: closer, its J_i⁻¹ costs five digits.
const STRETCHED: f64 = 1e-5;
/// Share of the largest number below which a pivot of the dense equations is zero.
const NO_PIVOT: f64 = 1e-14;

const MOST_STEPS: u16 = 12;

impl AnyOpenLegs<'_> {
    /// x and λ of
    ///
    /// ```text
    /// M x = f + Hᵀ λ,   H x = r,      H = [ −J_i … | J_vi S ]                            (1)
    /// ```
    ///
    /// for accelerations, corrections and velocities alike. With all J_i regular, leg by leg:
    ///
    /// ```text
    /// x_i = L_i x_P − J_i⁻¹ r_i,   L_i = J_i⁻¹ J_vi S                                    (2)
    /// ( M_P + Σ L_iᵀ A_i L_i ) x_P = f_P + Σ L_iᵀ ( f_i + A_i J_i⁻¹ r_i )                (3)
    /// λ_i = J_i⁻ᵀ ( f_i − A_i x_i )                                                      (4)
    /// ```
    ///
    /// No A_i has to be regular, so massless links are allowed. With a leg stretched, (1) as it stands.
    pub(super) fn solve(&self, cuts: &Cuts, f: &Speeds, r: &Loops) -> Result<(Speeds, Loops), Fault> {
        let least =
            cuts.legs.iter().take(cuts.count).fold(f64::INFINITY, |m, leg| super::smaller(m, leg.margin));
        if least > STRETCHED { self.solve_by_legs(cuts, f, r) } else { self.solve_dense(cuts, f, r) }
    }

    pub(super) fn solve_by_legs(&self, cuts: &Cuts, f: &Speeds, r: &Loops) -> Result<(Speeds, Loops), Fault> {
        let f = f.as_slice();
        let mut total = cuts.body.to_matrix();
        let mut push = [0.0; 6];
        put_at(&mut push, 0, f.get(self.joints..).unwrap_or(&[]));
        let mut follow = [[[0.0; 6]; 6]; MOST_LEGS];
        let mut shift = [[0.0; 6]; MOST_LEGS];
        for (k, (from, _, n)) in self.each_leg().enumerate() {
            let leg = &cuts.legs[k];
            let mut heavy = [[0.0; 6]; 6]; // A_i L_i
            let mut rest = [0.0; 6];
            for i in 0..n {
                for j in 0..n {
                    let x = leg.inverse[i][j];
                    shift[k][i] += x * r[k][j];
                    for c in 0..6 {
                        follow[k][i][c] += x * leg.platform[j][c];
                    }
                }
            }
            for i in 0..n {
                rest[i] = f.get(from + i).copied().unwrap_or(0.0);
                for j in 0..n {
                    let a = leg.mass[i][j];
                    rest[i] += a * shift[k][j];
                    for c in 0..6 {
                        heavy[i][c] += a * follow[k][j][c];
                    }
                }
            }
            for i in 0..n {
                for c in 0..6 {
                    let l = follow[k][i][c];
                    push[c] += l * rest[i];
                    for d in 0..6 {
                        total[c][d] += l * heavy[i][d]; // (3)
                    }
                }
            }
        }
        for c in (0..6).filter(|c| !self.free[*c]) {
            for d in 0..6 {
                (total[c][d], total[d][c]) = (0.0, 0.0);
            }
            (total[c][c], push[c]) = (1.0, 0.0);
        }
        let factors = Ldl::new(&total);
        if factors.margin.is_nan() || factors.margin <= 0.0 {
            return Err(Fault::Singular { margin: factors.margin });
        }
        let platform = factors.solve(&push);
        let (mut x, mut lambda) = (self.still(), [[0.0; 6]; MOST_LEGS]);
        let out = x.as_mut_slice();
        for (k, (from, _, n)) in self.each_leg().enumerate() {
            let leg = &cuts.legs[k];
            let (mut own, mut left) = ([0.0; 6], [0.0; 6]);
            for i in 0..n {
                own[i] = dot(&follow[k][i], &platform) - shift[k][i]; // (2)
            }
            for i in 0..n {
                left[i] = f.get(from + i).copied().unwrap_or(0.0) - dot(&leg.mass[i], &own);
            }
            for i in 0..n {
                for j in 0..n {
                    lambda[k][i] += leg.inverse[j][i] * left[j]; // (4)
                }
            }
            put_at(out, from, own.get(..n).unwrap_or(&[]));
        }
        put_at(out, self.joints, &platform);
        Ok((x, lambda))
    }

    /// (1) by elimination with pivots.
    #[cold]
    #[inline(never)]
    #[allow(clippy::large_stack_arrays)] // 85 kB while a leg is stretched, and no heap here
    pub(super) fn solve_dense(&self, cuts: &Cuts, f: &Speeds, r: &Loops) -> Result<(Speeds, Loops), Fault> {
        let n = self.joints;
        let (speeds, size) = (n + 6, 2 * n + 6);
        let mut a = [[0.0; MOST_UNKNOWNS]; MOST_UNKNOWNS];
        let mut b = [0.0; MOST_UNKNOWNS];
        put_at(&mut b, 0, f.as_slice());
        let body = cuts.body.to_matrix();
        for c in 0..6 {
            for d in 0..6 {
                let both = self.free[c] && self.free[d];
                a[n + c][n + d] = if both { body[c][d] } else { f64::from(u8::from(c == d)) };
            }
            b[n + c] = if self.free[c] { b[n + c] } else { 0.0 };
        }
        for (k, (from, _, joints)) in self.each_leg().enumerate() {
            let leg = &cuts.legs[k];
            for i in 0..joints {
                let row = speeds + from + i;
                b[row] = r[k][i];
                for j in 0..joints {
                    a[from + i][from + j] = leg.mass[i][j];
                    a[row][from + j] = -leg.own[i][j];
                    a[from + j][row] = leg.own[i][j];
                }
                for c in (0..6).filter(|c| self.free[*c]) {
                    a[row][n + c] = leg.platform[i][c];
                    a[n + c][row] = -leg.platform[i][c];
                }
            }
        }
        let margin = eliminated(&mut a, &mut b, size);
        if margin.is_nan() || margin <= NO_PIVOT {
            return Err(Fault::Singular { margin });
        }
        let (mut x, mut lambda) = (self.still(), [[0.0; 6]; MOST_LEGS]);
        put_at(x.as_mut_slice(), 0, b.get(..speeds).unwrap_or(&[]));
        for (k, (from, _, joints)) in self.each_leg().enumerate() {
            put_at(&mut lambda[k], 0, b.get(speeds + from..speeds + from + joints).unwrap_or(&[]));
        }
        Ok((x, lambda))
    }

    /// A configuration on closed loops near the given one, by Newton steps that are short in the metric of M.
    pub(super) fn close(&self, start: &Configuration, tolerance: f64) -> Result<Configuration, Fault> {
        let mut q = *start;
        let mut before = f64::INFINITY;
        for steps in 0..MOST_STEPS {
            let cuts = self.cut(&q, &self.still());
            let gap = cuts.gap();
            // At the goal, or as near as rounding lets it.
            if gap <= tolerance || (steps > 2 && gap >= before && gap <= 64.0 * tolerance) {
                return Ok(q);
            }
            if gap.is_nan() {
                return Err(Fault::Open { gap, steps });
            }
            before = gap;
            let (step, _) = self.solve(&cuts, &self.still(), &cuts.each(|leg| leg.gap.map(|h| -h)))?;
            let rate = self.configuration_rate(&q, &step);
            q = q.zip(&rate, |q, rate| q + rate);
        }
        Err(Fault::Open { gap: before, steps: MOST_STEPS })
    }

    /// The nearest velocities, in the metric of M, that keep closed loops closed; once more against rounding.
    pub(super) fn compatible(&self, q: &Configuration, v: &Speeds) -> Result<Speeds, Fault> {
        let cuts = self.cut(q, &self.still());
        let mut v = *v;
        for _ in 0..2 {
            let opening = self.opening(&cuts, &v);
            let (more, _) = self.solve(&cuts, &self.still(), &opening.map(|h| h.map(|h| -h)))?;
            v = v.zip(&more, |v, more| v + more);
        }
        Ok(v)
    }
}

/// b becomes the solution; the smallest pivot over the largest number.
fn eliminated(
    a: &mut [[f64; MOST_UNKNOWNS]; MOST_UNKNOWNS],
    b: &mut [f64; MOST_UNKNOWNS],
    size: usize,
) -> f64 {
    let largest = a.iter().flatten().fold(0.0, |most: f64, x| super::larger(most, x.abs()));
    let mut margin = f64::INFINITY;
    for k in 0..size {
        let mut best = k;
        for i in k..size {
            best = if a[i][k].abs() > a[best][k].abs() { i } else { best };
        }
        a.swap(k, best);
        b.swap(k, best);
        let pivot = a[k];
        margin = super::smaller(margin, pivot[k].abs() / largest);
        for i in k + 1..size {
            let factor = a[i][k] / pivot[k];
            if factor != 0.0 {
                for j in k..size {
                    a[i][j] -= factor * pivot[j];
                }
                b[i] -= factor * b[k];
            }
        }
    }
    for k in (0..size).rev() {
        for j in k + 1..size {
            b[k] -= a[k][j] * b[j];
        }
        b[k] /= a[k][k];
    }
    margin
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::V3;
    use crate::engine::{AnyLeg, Pose, Twist};
    use crate::robots::catalog;
    use crate::robots::delta_legs::delta_legs;

    /// Open loops, moving joints, any force: both ways give the same, and with a leg exactly
    /// stretched, where there is only one, it fulfils (1).
    #[test]
    fn leg_by_leg_and_dense_agree() {
        let robot = delta_legs(&catalog::delta_industrial());
        let legs = robot.legs.map(AnyLeg::Three);
        let body = AnyOpenLegs::new(&legs, robot.platform, &[0, 1, 2], robot.gravity).unwrap();
        let pose = Pose::translation(V3::new(0.15, -0.1, -0.72));
        let (mut q, mut v) = body.closed_at(&pose, Twist::new(V3::new(0.3, 0.2, 0.1), V3::zero())).unwrap();
        for (k, slot) in q.as_mut_slice().iter_mut().enumerate() {
            *slot += 1e-3 * (k as f64 - 4.0);
        }
        for (k, slot) in v.as_mut_slice().iter_mut().take(12).enumerate() {
            *slot = 1.0 + k as f64;
        }
        let right = [[1.0, -2.0, 0.5, 0.0, 0.0, 0.0]; MOST_LEGS];
        let cuts = body.cut(&q, &v);
        let (a, b) =
            (body.solve_by_legs(&cuts, &v, &right).unwrap(), body.solve_dense(&cuts, &v, &right).unwrap());
        // 1e-11: rounding times the condition of the dense equations, 1e4.
        for (a, b) in a.0.as_slice().iter().zip(b.0.as_slice()) {
            assert!((a - b).abs() < 1e-11 * (1.0 + a.abs()), "{a} {b}");
        }
        for (a, b) in a.1.iter().flatten().zip(b.1.iter().flatten()) {
            assert!((a - b).abs() < 1e-11 * (1.0 + a.abs()), "{a} {b}");
        }

        // Upper arm and forearm in line.
        let q = {
            let mut q = q;
            q.as_mut_slice()[1..3].fill(0.0);
            q
        };
        let cuts = body.cut(&q, &v);
        assert!(cuts.legs[0].margin < STRETCHED, "{}", cuts.legs[0].margin);
        let (x, lambda) = body.solve(&cuts, &v, &right).unwrap();
        for (row, right) in body.opening(&cuts, &x).iter().zip(right).take(3) {
            assert!(row.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-9), "{row:?}");
        }
        let held = body.momentum(&cuts, &x);
        for (k, leg) in cuts.legs.iter().take(3).enumerate() {
            for j in 0..3 {
                let pull: f64 = (0..3).map(|i| leg.own[i][j] * lambda[k][i]).sum();
                let place = 3 * k + j;
                let left = held.as_slice()[place] - v.as_slice()[place] + pull;
                assert!(left.abs() < 1e-9 * (1.0 + pull.abs()), "{left:e}");
            }
        }
    }
}
