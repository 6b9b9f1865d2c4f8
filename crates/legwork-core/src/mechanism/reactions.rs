//! What the joints carry.
//!
//! The multipliers λ′ of eliminated rows belong to combinations of rows; with the factors m of the steps
//!
//! ```text
//! (1)  λ_k = λ′_k − Σ_i m_ik λ_i     rows i below k, the last first; rows handed over have the λ of their core row
//! (2)  a cut joint gives Σ_r λ_r w_r to its child and takes it from its parent
//! (3)  a joint of the tree gives to its body what the body and all behind it need, less what cut joints give them
//! ```

use super::{Block, Cut, Memory, Plan};
use crate::Real;
use crate::engine::Wrench;

impl<T: Real> Plan<'_, T> {
    /// What the joints carry after [`efforts_for`](Self::efforts_for) with its efforts, friction included, and the same
    /// external wrench: `wrenches` of a body is what its joint in the tree gives to it, about O; [`cut_wrench`](Self::cut_wrench) is what a cut joint
    /// gives to its child. Where rows depend on others, those that were dropped carry nothing.
    pub fn write_reactions(&self, efforts: &[T], wrench: &Wrench<T>, memory: &mut Memory<'_, T>) {
        self.write_needs(efforts, wrench, memory);
        for leg in self.legs {
            self.transmit(leg, memory);
        }
        self.transmit(&self.core, memory);
        self.write_lambdas(&self.core, memory);
        for leg in self.legs {
            self.write_lambdas(leg, memory);
        }
        for block in self.legs.iter().chain([&self.core]) {
            for (k, cut) in block.cuts.of(self.cuts).iter().enumerate() {
                let given = wrench_of(block, cut, block.cuts.start + k, memory); // (2)
                for (side, w) in [(cut.child.body, given), (cut.parent.body, Wrench::zero() - given)] {
                    let mut up = side;
                    while let Some(body) = up.checked_sub(1).and_then(|up| self.bodies.get(up)) {
                        if let Some(own) = memory.wrenches.get_mut(up) {
                            *own = *own - w; // (3)
                        }
                        up = body.parent;
                    }
                }
            }
        }
    }

    /// (1), into the rows of `gaps`; the core first.
    fn write_lambdas(&self, block: &Block, memory: &mut Memory<'_, T>) {
        let pivots = block.pivots.len();
        let targets = block.core_rows.of(self.targets);
        for (k, target) in targets.iter().enumerate() {
            let value = self.core.rows.of(memory.gaps).get(*target).copied().unwrap_or_else(T::zero);
            if let Some(entry) = block.rows.of_mut(memory.gaps).get_mut(pivots + k) {
                *entry = value;
            }
        }
        let rows = block.rows.of_mut(memory.gaps);
        for (entry, lambda) in rows.iter_mut().zip(block.pivots.of(memory.lambdas)) {
            *entry = *lambda;
        }
        let steps = block.steps.of(self.steps).iter().zip(block.steps.of(memory.multipliers));
        for (step, factor) in steps.rev() {
            let value = rows.get(step.row).copied().unwrap_or_else(T::zero);
            if let Some(entry) = rows.get_mut(step.pivot) {
                *entry = *entry - *factor * value;
            }
        }
    }

    /// What a cut joint gives to its child, about O, after [`write_reactions`](Self::write_reactions).
    pub fn cut_wrench(&self, place: usize, memory: &Memory<'_, T>) -> Wrench<T> {
        let blocks = self.legs.iter().chain([&self.core]);
        let mut own = blocks.filter(|block| (block.cuts.start..block.cuts.end).contains(&place));
        match (own.next(), self.cuts.get(place)) {
            (Some(block), Some(cut)) => wrench_of(block, cut, place, memory),
            _ => Wrench::zero(),
        }
    }
}

/// (2)
fn wrench_of<T: Real>(block: &Block, cut: &Cut<T>, place: usize, memory: &Memory<'_, T>) -> Wrench<T> {
    let mut sum = Wrench::zero();
    let Some(axes) = memory.axes.get(place) else { return sum };
    let lambda = |row: usize| block.rows.of(memory.gaps).get(row).copied().unwrap_or_else(T::zero);
    let [r0, r1, r2, r3, r4, r5] = cut.rows;
    for (e, row) in axes.forces.into_iter().zip([r0, r1, r2]).take(cut.joint.forces()) {
        let force = e * lambda(row);
        sum = sum + Wrench::new(force, axes.centre.cross(force));
    }
    for (m, row) in axes.moments.into_iter().zip([r3, r4, r5]).take(cut.joint.moments()) {
        sum.moment = sum.moment + m * lambda(row);
    }
    sum
}
