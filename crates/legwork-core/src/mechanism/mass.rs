//! The mass matrix of the independent motors, and the platform's motion per unit of each.
//!
//! ```text
//! (1)  M = Σ_k u_kᵀ (Σ_j S_j·(I_k S_k) u_j), rates u per unit of y, j on the way from k to the ground
//! ```

use super::idle::power;
use super::rows::{at, set, subtract_in};
use super::{Memory, NONE, Plan};
use crate::engine::{SpatialInertia, Twist};
use crate::{Real, V3};

impl<T: Real> Plan<'_, T> {
    /// Mass matrix (1) of the independent motors after [`close`](Self::close), left in `mass`, and the rates per
    /// unit of each in `slopes`.
    #[inline]
    pub fn write_mass_matrix(&self, memory: &mut Memory<'_, T>) {
        self.slopes(memory);
        if !self.idle.is_empty() {
            self.settle_slopes(memory);
        }
        self.composite_inertias(memory);
        memory.mass.fill([T::zero(); 4]);
        match self.independent().div_ceil(4) {
            1 => self.sum_mass::<1>(memory),
            2 => self.sum_mass::<2>(memory),
            3 => self.sum_mass::<3>(memory),
            4 => self.sum_mass::<4>(memory),
            groups => self.sum_mass_of(groups, memory),
        }
    }

    /// (1) with at most sixteen independent motors: N, half of M, then M = N + Nᵀ.
    #[inline]
    fn sum_mass<const G: usize>(&self, memory: &mut Memory<'_, T>) {
        let (slopes, _) = memory.slopes.as_chunks::<G>();
        let (mass, _) = memory.mass.as_chunks_mut::<G>();
        let half = T::from_f64(0.5);
        for (body, inertia) in self.bodies.iter().zip(memory.inertias.iter().skip(1)) {
            for freedom in body.freedom..body.freedom + body.joint.freedoms() {
                let (Some(s), Some(own), Some(rotor)) =
                    (memory.columns.get(freedom), slopes.get(freedom), self.rotors.get(freedom))
                else {
                    return;
                };
                let f = inertia.apply(*s);
                let mut sum = [[T::zero(); 4]; G];
                subtract_in(&mut sum, -((power(&f, s) + *rotor) * half), own);
                let mut up = self.before.get(freedom).copied().unwrap_or(NONE);
                while let (Some(s), Some(slope), Some(next)) =
                    (memory.columns.get(up), slopes.get(up), self.before.get(up))
                {
                    subtract_in(&mut sum, -power(&f, s), slope);
                    up = *next;
                }
                for (factor, row) in own.as_flattened().iter().zip(mass.iter_mut()) {
                    subtract_in(row, -*factor, &sum);
                }
            }
        }
        for i in 0..mass.len() {
            let Some((before, rest)) = mass.split_at_mut_checked(i) else { return };
            let Some(row) = rest.first_mut() else { return };
            for (j, other) in before.iter_mut().enumerate() {
                let sum = at(row, j) + at(other, i);
                set(row, j, sum);
                set(other, i, sum);
            }
            let twice = at(row, i);
            set(row, i, twice + twice);
        }
    }

    /// The same for any number.
    fn sum_mass_of(&self, groups: usize, memory: &mut Memory<'_, T>) {
        let count = self.independent();
        let mass = &mut *memory.mass;
        let half = T::from_f64(0.5);
        for (body, inertia) in self.bodies.iter().zip(memory.inertias.iter().skip(1)) {
            for freedom in body.freedom..body.freedom + body.joint.freedoms() {
                let Some(s) = memory.columns.get(freedom) else { return };
                let f = inertia.apply(*s);
                let rotor = self.rotors.get(freedom).copied().unwrap_or_else(T::zero);
                let own = power(&f, s) + rotor;
                let Some(slopes) = memory.slopes.get(freedom * groups..(freedom + 1) * groups) else {
                    return;
                };
                for group in 0..groups {
                    let Some(slope) = slopes.get(group) else { return };
                    let mut sum = slope.map(|x| x * (own * half));
                    let mut up = self.before.get(freedom).copied().unwrap_or(NONE);
                    while let (Some(s), Some(slope)) =
                        (memory.columns.get(up), memory.slopes.get(up * groups + group))
                    {
                        let share = power(&f, s);
                        let ([a, b, c, d], [p, q, r, t]) = (sum, *slope);
                        sum = [a + share * p, b + share * q, c + share * r, d + share * t];
                        up = self.before.get(up).copied().unwrap_or(NONE);
                    }
                    for (k, factor) in slopes.as_flattened().iter().take(count).enumerate() {
                        if let Some(entry) = mass.get_mut(k * groups + group) {
                            let ([a, b, c, d], [p, q, r, t]) = (*entry, sum);
                            *entry = [a + *factor * p, b + *factor * q, c + *factor * r, d + *factor * t];
                        }
                    }
                }
            }
        }
        for i in 0..count {
            for j in 0..=i {
                let (x, y) =
                    (mass.get(i * groups..).unwrap_or_default(), mass.get(j * groups..).unwrap_or_default());
                let sum = at(x, j) + at(y, i);
                if let Some(row) = mass.get_mut(i * groups..(i + 1) * groups) {
                    set(row, j, sum);
                }
                if let Some(row) = mass.get_mut(j * groups..(j + 1) * groups) {
                    set(row, i, sum);
                }
            }
        }
    }

    /// Inertias of all bodies with all that hangs on them, about O.
    #[inline]
    fn composite_inertias(&self, memory: &mut Memory<'_, T>) {
        if let Some(ground) = memory.inertias.first_mut() {
            *ground = SpatialInertia::zero();
        }
        let each =
            self.bodies.iter().zip(memory.frames.iter().skip(1)).zip(memory.inertias.iter_mut().skip(1));
        for ((body, frame), inertia) in each {
            *inertia = body.body.spatial(&frame.to_pose(), V3::zero());
        }
        for (k, body) in self.bodies.iter().enumerate().rev() {
            let Some((before, rest)) = memory.inertias.split_at_mut_checked(k + 1) else { return };
            if let (Some(own), Some(parent)) = (rest.first(), before.get_mut(body.parent)) {
                *parent = *parent + *own;
            }
        }
    }

    /// The motion of the platform's point and of the platform per unit of each independent motor, a column
    /// each, after slopes are known ([`write_mass_matrix`](Self::write_mass_matrix) or
    /// [`write_slopes`](Self::write_slopes)).
    pub fn jacobian_column(&self, motor: usize, memory: &Memory<'_, T>) -> Twist<T> {
        let groups = self.independent().div_ceil(4);
        let mut sum = Twist::zero();
        let mut body = self.platform.body;
        while let Some(own) = body.checked_sub(1).and_then(|body| self.bodies.get(body)) {
            for freedom in own.freedom..own.freedom + own.joint.freedoms() {
                let slope = memory.slopes.get(freedom * groups..).unwrap_or_default();
                if let Some(s) = memory.columns.get(freedom) {
                    sum = sum + *s * at(slope, motor);
                }
            }
            body = own.parent;
        }
        sum.at(self.platform_frame(memory).origin)
    }

    /// Rates per unit of each independent motor after [`close`](Self::close), in `slopes`.
    pub fn write_slopes(&self, memory: &mut Memory<'_, T>) {
        self.slopes(memory);
        if !self.idle.is_empty() {
            self.prepare_idle(memory);
            self.settle_slopes(memory);
        }
    }

    /// The rate of one freedom per unit of one independent motor.
    pub fn slope(&self, freedom: usize, motor: usize, memory: &Memory<'_, T>) -> T {
        let groups = self.independent().div_ceil(4);
        at(memory.slopes.get(freedom * groups..).unwrap_or_default(), motor)
    }

    /// An entry of the mass matrix.
    pub fn mass(&self, row: usize, column: usize, memory: &Memory<'_, T>) -> T {
        let groups = self.independent().div_ceil(4);
        at(memory.mass.get(row * groups..).unwrap_or_default(), column)
    }
}
