//! Legs eliminated into the core, in an order fixed at set-up: no search, no branch on a number.
//!
//! A leg has rows over [p passive | m motors | c core] columns. Elimination of its pivots gives
//!
//! ```text
//! (1)  [P C D] → [U  C₁ D₁]
//!                [0  C̃  D̃ ]     C̃ q̇_m + D̃ v_c = −γ̃: rows for the core
//! ```
//!
//! and the core's rows, from its own cut joints and from all legs, become an upper triangle over the passive core
//! rates and dependent motors x, followed by the columns of the independent motors y:
//!
//! ```text
//! (2)  [T K] → [U_T K′],   x = −U_T⁻¹ (K′ y + γ′)
//! ```

use super::rows::{at, dot, dot_in, set, subtract, subtract_in};
use super::{Block, Group, Memory, Plan};
use crate::Real;

impl<T: Real> Plan<'_, T> {
    /// Rows, elimination of every leg, elimination of the core. The frames must be known.
    ///
    /// Returns the smallest pivot over its size where the plan was made: one there, zero at a singularity.
    #[inline]
    pub fn close(&self, memory: &mut Memory<'_, T>) -> T {
        let mut margin = T::from_f64(f64::MAX);
        self.write_rows(&self.core, memory);
        for leg in self.legs {
            self.write_rows(leg, memory);
            margin = margin.min(self.eliminate(leg, memory));
            self.hand_over(leg, memory);
        }
        margin.min(self.eliminate(&self.core, memory))
    }

    /// (1) or (2) of one block.
    #[inline]
    fn eliminate(&self, block: &Block, memory: &mut Memory<'_, T>) -> T {
        match block.width {
            1 => self.eliminate_in::<1>(block, memory),
            2 => self.eliminate_in::<2>(block, memory),
            3 => self.eliminate_in::<3>(block, memory),
            4 => self.eliminate_in::<4>(block, memory),
            _ => self.eliminate_any(block, memory),
        }
    }

    /// Rows of one to sixteen columns, which the compiler writes out.
    #[inline(always)]
    fn eliminate_in<const W: usize>(&self, block: &Block, memory: &mut Memory<'_, T>) -> T {
        let (mut rows, _) = block.matrix.of_mut(memory.matrix).as_chunks_mut::<W>();
        let inverses = block.pivots.of_mut(memory.inverses);
        let (mut steps, mut multipliers) =
            (block.steps.of(self.steps), block.steps.of_mut(memory.multipliers));
        let mut margin = T::from_f64(f64::MAX);
        for (k, (pivot, inverse)) in block.pivots.of(self.pivots).iter().zip(inverses).enumerate() {
            let Some((source, below)) = rows.split_first_mut() else { break };
            let value = at(source, k);
            let over = value.recip();
            *inverse = over;
            margin = margin.min(value.abs() * pivot.reference);
            let count = pivot.steps.len();
            let (Some((own, rest)), Some((factors, others))) =
                (steps.split_at_checked(count), multipliers.split_at_mut_checked(count))
            else {
                break;
            };
            for (step, multiplier) in own.iter().zip(factors) {
                let Some(target) = below.get_mut(step.row.wrapping_sub(k + 1)) else { break };
                let factor = at(target, k) * over;
                *multiplier = factor;
                subtract_in(target, factor, source);
            }
            (rows, steps, multipliers) = (below, rest, others);
        }
        margin
    }

    #[inline]
    fn eliminate_any(&self, block: &Block, memory: &mut Memory<'_, T>) -> T {
        let width = block.width;
        let matrix = block.matrix.of_mut(memory.matrix);
        let mut margin = T::from_f64(f64::MAX);
        let pivots = block.pivots.of(self.pivots).iter().zip(block.pivots.of_mut(memory.inverses));
        for (k, (pivot, inverse)) in pivots.enumerate() {
            let group = k >> 2;
            let Some((above, below)) = matrix.split_at_mut_checked((k + 1) * width) else { break };
            let Some(source) = above.get(k * width + group..) else { break };
            let value = at(source, k & 3);
            *inverse = value.recip();
            margin = margin.min(value.abs() * pivot.reference);
            let steps = pivot.steps.of(self.steps).iter().zip(pivot.steps.of_mut(memory.multipliers));
            for (step, multiplier) in steps {
                let start = step.row.saturating_sub(k + 1) * width + group;
                let Some(target) = below.get_mut(start..start + source.len()) else { break };
                let factor = at(target, k & 3) * *inverse;
                *multiplier = factor;
                subtract(target, factor, source);
            }
        }
        margin
    }

    /// Rows of a leg without a pivot become rows of the core.
    #[inline(always)]
    fn hand_over(&self, leg: &Block, memory: &mut Memory<'_, T>) {
        let Some((legs, core)) = memory.matrix.split_at_mut_checked(self.core.matrix.start) else { return };
        let (pivots, width) = (leg.pivots.len(), leg.width * 4);
        let columns = leg.core_columns.of(self.targets);
        let own = leg.matrix.of(legs).as_flattened();
        let (core, core_width) = (core.as_flattened_mut(), self.core.width * 4);
        let rows = own.get(pivots * width..).unwrap_or_default().chunks_exact(width.max(1));
        for (target, row) in leg.core_rows.of(self.targets).iter().zip(rows) {
            let (Some(row), Some(into)) = (row.get(pivots..), core.get_mut(target * core_width..)) else {
                return;
            };
            for (value, column) in row.iter().zip(columns) {
                // The core has no column for an idle rate.
                let Some(entry) = into.get_mut(*column) else { continue };
                *entry = *value;
            }
        }
    }

    /// Replays the steps of the eliminations on `gaps`, legs into the core: γ′ of (2).
    #[inline]
    pub(super) fn eliminate_gaps(&self, memory: &mut Memory<'_, T>) {
        let Some((legs, core)) = memory.gaps.split_at_mut_checked(self.core.rows.start) else { return };
        for leg in self.legs {
            let own = leg.rows.of_mut(legs);
            self.replay(leg, own, memory.multipliers);
            let rest = own.get(leg.pivots.len()..).unwrap_or_default();
            for (target, value) in leg.core_rows.of(self.targets).iter().zip(rest) {
                if let Some(entry) = core.get_mut(*target) {
                    *entry = *value;
                }
            }
        }
        self.replay(&self.core, core, memory.multipliers);
    }

    #[inline(always)]
    fn replay(&self, block: &Block, gaps: &mut [T], multipliers: &[T]) {
        for (step, factor) in block.steps.of(self.steps).iter().zip(block.steps.of(multipliers)) {
            let Some(value) = gaps.get(step.pivot).copied() else { return };
            let Some(gap) = gaps.get_mut(step.row) else { return };
            *gap = *gap - *factor * value;
        }
    }

    /// Rates of the pivot columns of a block from those of its other columns: U p = −(rest + γ′).
    #[inline]
    pub(super) fn solve<const GAPS: bool>(
        &self,
        block: &Block,
        unknown: &mut [T],
        memory: &mut Solve<'_, T>,
    ) {
        match block.width {
            1 => self.solve_in::<GAPS, 1>(block, unknown, memory),
            2 => self.solve_in::<GAPS, 2>(block, unknown, memory),
            3 => self.solve_in::<GAPS, 3>(block, unknown, memory),
            4 => self.solve_in::<GAPS, 4>(block, unknown, memory),
            _ => self.solve_any::<GAPS>(block, unknown, memory),
        }
    }

    #[inline(always)]
    fn solve_in<const GAPS: bool, const W: usize>(
        &self,
        block: &Block,
        unknown: &mut [T],
        memory: &mut Solve<'_, T>,
    ) {
        let pivots = block.pivots.len();
        let Some((own, known)) = block.columns.of(self.columns).split_at_checked(pivots) else { return };
        let mut vector = [[T::zero(); 4]; W];
        let Some(rest) = vector.as_flattened_mut().get_mut(pivots..) else { return };
        for (entry, freedom) in rest.iter_mut().zip(known) {
            let Some(rate) = unknown.get(*freedom) else { return };
            *entry = *rate;
        }
        let inverses = block.pivots.of(memory.inverses);
        let (rows, _) = block.matrix.of(memory.matrix).as_chunks::<W>();
        let (Some(rows), Some(gaps)) = (rows.get(..pivots), block.rows.of(memory.gaps).get(..pivots)) else {
            return;
        };
        let each = own.iter().zip(rows).zip(inverses).zip(gaps);
        for (k, (((freedom, row), inverse), gap)) in each.enumerate().rev() {
            let mut sum = dot_in(row, &vector); // rates that are not known yet are zero
            if GAPS {
                sum = sum + *gap;
            }
            let rate = -(sum * *inverse);
            set(&mut vector, k, rate);
            let Some(entry) = unknown.get_mut(*freedom) else { return };
            *entry = rate;
        }
    }

    #[inline]
    fn solve_any<const GAPS: bool>(&self, block: &Block, unknown: &mut [T], memory: &mut Solve<'_, T>) {
        let columns = block.columns.of(self.columns);
        let pivots = block.pivots.len();
        let Some(vector) = memory.vector.get_mut(..block.width) else { return };
        vector.fill([T::zero(); 4]);
        let Some((own, known)) = columns.split_at_checked(pivots) else { return };
        for (k, freedom) in known.iter().enumerate() {
            if let Some(rate) = unknown.get(*freedom) {
                set(vector, pivots + k, *rate);
            }
        }
        let inverses = block.pivots.of(memory.inverses);
        let matrix = block.matrix.of(memory.matrix);
        let gaps = block.rows.of(memory.gaps);
        for (k, freedom) in own.iter().enumerate().rev() {
            let group = k >> 2;
            let (start, end) = (k * block.width + group, (k + 1) * block.width);
            let (Some(row), Some(part)) = (matrix.get(start..end), vector.get(group..)) else { return };
            let (Some(inverse), Some(gap)) = (inverses.get(k), gaps.get(k)) else { return };
            let sum = dot(row, part);
            let rate = -((if GAPS { sum + *gap } else { sum }) * *inverse);
            set(vector, k, rate);
            if let Some(entry) = unknown.get_mut(*freedom) {
                *entry = rate;
            }
        }
    }

    /// Takes the forces of the pivot columns of a block to its other columns: Uᵀ λ = f_p, f −= [C₁ D₁]ᵀ λ.
    #[inline]
    pub(super) fn transmit(&self, block: &Block, memory: &mut Memory<'_, T>) {
        match block.width {
            1 => self.transmit_in::<1>(block, memory),
            2 => self.transmit_in::<2>(block, memory),
            3 => self.transmit_in::<3>(block, memory),
            4 => self.transmit_in::<4>(block, memory),
            _ => self.transmit_any(block, memory),
        }
    }

    #[inline(always)]
    fn transmit_in<const W: usize>(&self, block: &Block, memory: &mut Memory<'_, T>) {
        let columns = block.columns.of(self.columns);
        let mut vector = [[T::zero(); 4]; W];
        for (entry, freedom) in vector.as_flattened_mut().iter_mut().zip(columns) {
            let Some(force) = memory.forces.get(*freedom) else { return };
            *entry = *force;
        }
        let inverses = block.pivots.of(memory.inverses);
        let (rows, _) = block.matrix.of(memory.matrix).as_chunks::<W>();
        let lambdas = block.pivots.of_mut(memory.lambdas);
        for (k, ((inverse, lambda), row)) in inverses.iter().zip(lambdas).zip(rows).enumerate() {
            let factor = at(&vector, k) * *inverse;
            *lambda = factor;
            subtract_in(&mut vector, factor, row); // what was left of k is not read again
        }
        let pivots = inverses.len();
        let (Some(rest), Some(others)) = (vector.as_flattened().get(pivots..), columns.get(pivots..)) else {
            return;
        };
        for (value, freedom) in rest.iter().zip(others) {
            let Some(force) = memory.forces.get_mut(*freedom) else { return };
            *force = *value;
        }
    }

    #[inline]
    fn transmit_any(&self, block: &Block, memory: &mut Memory<'_, T>) {
        let columns = block.columns.of(self.columns);
        let Some(vector) = memory.vector.get_mut(..block.width) else { return };
        for (k, freedom) in columns.iter().enumerate() {
            if let Some(force) = memory.forces.get(*freedom) {
                set(vector, k, *force);
            }
        }
        let inverses = block.pivots.of(memory.inverses);
        let rows = block.matrix.of(memory.matrix).chunks_exact(block.width.max(1));
        let lambdas = block.pivots.of_mut(memory.lambdas);
        for (k, ((inverse, row), lambda)) in inverses.iter().zip(rows).zip(lambdas).enumerate() {
            let group = k >> 2;
            let factor = at(vector, k) * *inverse;
            *lambda = factor;
            let (Some(row), Some(part)) = (row.get(group..), vector.get_mut(group..)) else { return };
            subtract(part, factor, row);
        }
        let pivots = block.pivots.len();
        for (k, freedom) in columns.iter().enumerate().skip(pivots) {
            if let Some(force) = memory.forces.get_mut(*freedom) {
                *force = at(vector, k);
            }
        }
    }

    /// Rates per unit of each independent motor, a row of `slopes` for every rate; idle rates at rest.
    #[inline]
    pub(super) fn slopes(&self, memory: &mut Memory<'_, T>) {
        let groups = self.independent().div_ceil(4);
        let pivots = self.core.pivots.len();
        for (k, freedom) in self.core.columns.of(self.columns).iter().skip(pivots).enumerate() {
            if let Some(row) = memory.slopes.get_mut(freedom * groups..(freedom + 1) * groups) {
                row.fill([T::zero(); 4]);
                set(row, k, T::one());
            }
        }
        for idle in self.idle {
            if let Some(row) = memory.slopes.get_mut(idle.freedom * groups..(idle.freedom + 1) * groups) {
                row.fill([T::zero(); 4]);
            }
        }
        self.block_slopes(&self.core, memory, groups);
        for leg in self.legs {
            self.block_slopes(leg, memory, groups);
        }
    }

    #[inline(always)]
    fn block_slopes(&self, block: &Block, memory: &mut Memory<'_, T>, groups: usize) {
        match groups {
            1 => self.block_slopes_in(block, memory, 1),
            2 => self.block_slopes_in(block, memory, 2),
            _ => self.block_slopes_in(block, memory, groups),
        }
    }

    #[inline(always)]
    fn block_slopes_in(&self, block: &Block, memory: &mut Memory<'_, T>, groups: usize) {
        let width = block.width * 4;
        let rows = block.matrix.of(memory.matrix).as_flattened().chunks_exact(width.max(1));
        let (columns, inverses) = (block.columns.of(self.columns), block.pivots.of(memory.inverses));
        let each = block.pivots.of(self.pivots).iter().zip(inverses).zip(columns).zip(rows);
        for (((pivot, inverse), freedom), row) in each.rev() {
            let entries = pivot.entries.of(self.entries);
            for group in 0..groups {
                let mut sum = [T::zero(); 4];
                for entry in entries {
                    let (Some(factor), Some(slope)) =
                        (row.get(entry.column), memory.slopes.get(entry.freedom * groups + group))
                    else {
                        return;
                    };
                    sum = T::four_plus(sum, *factor, *slope);
                }
                let Some(slope) = memory.slopes.get_mut(*freedom * groups + group) else { return };
                *slope = T::four_times([-*inverse; 4], sum);
            }
        }
    }
}

/// The part of the memory that a solution for rates needs, apart from the rates.
pub(super) struct Solve<'a, T> {
    pub matrix: &'a [Group<T>],
    pub inverses: &'a [T],
    pub gaps: &'a [T],
    pub vector: &'a mut [Group<T>],
}

/// Splits rates (or accelerations) from what solves for them.
macro_rules! solving {
    ($memory:expr) => {
        &mut $crate::mechanism::elimination::Solve {
            matrix: $memory.matrix,
            inverses: $memory.inverses,
            gaps: $memory.gaps,
            vector: $memory.vector,
        }
    };
}
pub(super) use solving;
