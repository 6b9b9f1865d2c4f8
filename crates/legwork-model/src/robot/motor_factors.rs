//! J_r⁻¹ in factors, with turning and sliding motors made comparable: step for step
//! [`legwork_core::engine::MotorFactors`], with sizes that are known only when a file is read.

use super::dense::{MAX_FREEDOMS, MAX_MOTORS, PerFreedom, PerMotor, Qr};
use legwork_core::engine::JointKind;

/// What makes freedoms and motors comparable: the platform's size, and 1 or that size for each freedom. As
/// [`legwork_core::engine::MotionScales`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Scales {
    length: f64,
    units: PerFreedom,
    freedoms: usize,
    motors: usize,
}

/// The motors of a robot and J_r⁻¹: what the factors are made of.
#[derive(Clone, Copy)]
pub(super) struct MotorRows<'a> {
    pub kinds: &'a [JointKind; MAX_MOTORS],
    pub rows: &'a [PerFreedom; MAX_MOTORS],
}

/// Householder factors of W = J_r⁻¹.
#[derive(Clone, Copy, Debug)]
pub(super) struct MotorFactors<'a> {
    qr: Qr,
    kinds: &'a [JointKind; MAX_MOTORS],
    drives: Drives,
    scales: Scales,
}

/// The kinds of the motors of one robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drives {
    Turn,
    Slide,
    /// Some turn and some slide: rows of those that turn were multiplied by the platform's size.
    Mixed,
}

impl Scales {
    /// Of a platform of this size \[m\] with these freedoms, places in its twist, and so many motors.
    pub(super) fn new(length: f64, freedoms: &[usize], motors: usize) -> Self {
        let mut units = [1.0; MAX_FREEDOMS];
        for (unit, place) in units.iter_mut().zip(freedoms) {
            *unit = if *place < 3 { 1.0 } else { length };
        }
        Self { length, units, freedoms: freedoms.len(), motors }
    }

    /// Factors J_r⁻¹.
    pub(super) fn factors(self, MotorRows { kinds, rows }: MotorRows<'_>) -> MotorFactors<'_> {
        let turns = kinds.iter().take(self.motors).filter(|kind| **kind == JointKind::Revolute).count();
        let drives = match turns {
            0 => Drives::Slide,
            _ if turns == self.motors => Drives::Turn,
            _ => Drives::Mixed,
        };
        let qr = if drives == Drives::Mixed {
            let mut lengths = *rows;
            for (row, kind) in lengths.iter_mut().zip(kinds) {
                if *kind == JointKind::Revolute {
                    *row = row.map(|entry| entry * self.length);
                }
            }
            Qr::new(&lengths, self.motors, self.freedoms)
        } else {
            Qr::new(rows, self.motors, self.freedoms)
        };
        MotorFactors { qr, kinds, drives, scales: self }
    }

    /// Turns as they are, slides in units of the platform's size.
    pub(super) fn motor_norm(&self, kinds: &[JointKind; MAX_MOTORS], q: &PerMotor) -> f64 {
        let mut sum = 0.0;
        for (kind, q) in kinds.iter().zip(q).take(self.motors) {
            let q = if *kind == JointKind::Revolute { *q } else { *q / self.length };
            sum += q * q;
        }
        sum.sqrt()
    }
}

impl MotorFactors<'_> {
    /// The smallest |r_kk| with all lengths in units of the platform's size.
    pub(super) fn margin(&self) -> f64 {
        let margin = self.qr.margin_in(&self.scales.units);
        if self.drives == Drives::Turn { margin * self.scales.length } else { margin }
    }

    /// Numbers of the motors, those of turning ones times the platform's size where the rows are.
    fn scaled(&self, mut motors: PerMotor) -> PerMotor {
        if self.drives == Drives::Mixed {
            for (entry, kind) in motors.iter_mut().zip(self.kinds) {
                if *kind == JointKind::Revolute {
                    *entry *= self.scales.length;
                }
            }
        }
        motors
    }

    /// V_r with W V_r = b, and the size of what it misses of b, measured as [`Scales::motor_norm`].
    pub(super) fn solve(&self, b: &PerMotor) -> (PerFreedom, f64) {
        let (rate, missed_sq) = self.qr.solve(&self.scaled(*b));
        let missed = missed_sq.sqrt();
        (rate, if self.drives == Drives::Turn { missed } else { missed / self.scales.length })
    }

    /// Γ with Wᵀ Γ = f.
    pub(super) fn solve_transposed(&self, f: &PerFreedom) -> PerMotor {
        self.scaled(self.qr.solve_transposed(f))
    }

    /// J_r.
    pub(super) fn inverse(&self) -> [PerMotor; MAX_FREEDOMS] {
        self.qr.inverse().map(|row| self.scaled(row))
    }
}
