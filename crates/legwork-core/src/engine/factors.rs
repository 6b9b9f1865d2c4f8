//! J_r⁻¹ in factors, with turning and sliding motors made comparable.
//!
//! A row of J_r⁻¹ belongs to a motor. Those of turning motors are \[rad/m\], those of sliding ones \[m/m\]: in a robot that
//! has both, their sizes differ by the size of the robot in metres, and Householder factors of such rows lose as many
//! digits. Rows of turning motors times the platform's size ℓ are lengths as the others, whatever the unit.

use super::chain::JointKind;
use super::matrix::Qr;
use super::space::MotionScales;
use crate::Real;

/// Householder factors of W = J_r⁻¹: every solve between motors and freedoms, and how far it is from singular.
#[derive(Clone, Copy, Debug)]
pub struct MotorFactors<'a, T, const K: usize, const D: usize> {
    qr: Qr<T, K, D>,
    kinds: &'a [JointKind; K],
    drives: Drives,
    scales: &'a MotionScales<T, D>,
}

/// The kinds of the motors of one robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drives {
    Turn,
    Slide,
    /// Some turn and some slide: rows of those that turn were multiplied by ℓ.
    Mixed,
}

impl<T: Real, const D: usize> MotionScales<T, D> {
    /// Factors `rows`, J_r⁻¹ of motors of these `kinds`.
    #[inline]
    pub fn motor_factors<'a, const K: usize>(
        &'a self,
        kinds: &'a [JointKind; K],
        rows: &[[T; D]; K],
    ) -> MotorFactors<'a, T, K, D> {
        let turns = kinds.iter().filter(|kind| **kind == JointKind::Revolute).count();
        let drives = match turns {
            0 => Drives::Slide,
            _ if turns == K => Drives::Turn,
            _ => Drives::Mixed,
        };
        let mut lengths = *rows;
        if drives == Drives::Mixed {
            for (row, kind) in lengths.iter_mut().zip(kinds) {
                if *kind == JointKind::Revolute {
                    *row = row.map(|entry| entry * self.length());
                }
            }
        }
        MotorFactors { qr: Qr::new(&lengths), kinds, drives, scales: self }
    }
}

impl<T: Real, const K: usize, const D: usize> MotorFactors<'_, T, K, D> {
    /// The smallest |r_kk| with all lengths in units of ℓ: a number without a unit that is zero where the motors do not
    /// hold the platform.
    #[inline]
    pub fn margin(&self) -> T {
        let margin = self.qr.margin_in(self.scales.units());
        if self.drives == Drives::Turn { margin * self.scales.length() } else { margin }
    }

    /// Numbers of the motors, those of turning ones times ℓ where the rows are.
    #[inline]
    fn scaled(&self, mut motors: [T; K]) -> [T; K] {
        if self.drives == Drives::Mixed {
            for (entry, kind) in motors.iter_mut().zip(self.kinds) {
                if *kind == JointKind::Revolute {
                    *entry = *entry * self.scales.length();
                }
            }
        }
        motors
    }

    /// V_r with W V_r = b, and the size of what it misses of b, measured as [`MotionScales::motor_norm`] (zero where
    /// K = D). In the least-squares sense where K > D, turns counted as the lengths they are at the distance ℓ where
    /// there are slides too.
    #[inline]
    pub fn solve(&self, b: &[T; K]) -> ([T; D], T) {
        let (rate, missed_sq) = self.qr.solve(&self.scaled(*b));
        let missed = missed_sq.sqrt();
        (rate, if self.drives == Drives::Turn { missed } else { missed / self.scales.length() })
    }

    /// Γ with Wᵀ Γ = f; where K > D the smallest one, torques counted as forces at the distance ℓ where there are
    /// forces too.
    #[inline]
    pub fn solve_transposed(&self, f: &[T; D]) -> [T; K] {
        self.scaled(self.qr.solve_transposed(f))
    }

    /// J_r: the inverse of W, or its pseudo-inverse in the sense of [`solve`](Self::solve) where K > D.
    #[inline]
    pub fn inverse(&self) -> [[T; K]; D] {
        self.qr.inverse().map(|row| self.scaled(row))
    }
}
