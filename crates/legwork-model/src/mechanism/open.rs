//! A mechanism with its loops open: every rate of the tree moves by itself, and rows tie them together.
//!
//! Accelerations, velocities and corrections are all one question, with M the mass matrix of the tree and H the rows of
//! the cut joints,
//!
//! ```text
//! (1)  M x = f + Hᵀ λ,   H x = r
//! ```
//!
//! Rows are eliminated with complete pivoting, as many as are independent. The columns without a pivot are free, and
//!
//! ```text
//! (2)  x = x₀ + Z z,   H x₀ = r,   H Z = 0
//! (3)  (Zᵀ M Z) z = Zᵀ (f − M x₀)
//! ```
//!
//! No λ is needed, so rows may depend on others; M itself need not be regular, so bodies may have no mass; and no motor
//! has to tell where the mechanism is, so it passes where motors do not hold it. Only where the rank of H falls, at a
//! bifurcation, there is no answer.

#![allow(clippy::needless_range_loop)] // rows and columns are found through their order

use super::chart::{factored, solved};
use super::model::{Configuration, MechanismModel};
use super::owned::{OwnedPlan, Workspace};
use legwork_core::engine::Wrench;
use legwork_core::mechanism::{Memory, NONE, Plan, TreeJoint};
use legwork_core::{Dual, Real, V3};

/// The derivative along a motion.
pub(crate) type One = Dual<f64, 1>;

/// A smallest pivot over the largest below this is a bifurcation: independent rows have 1e-2 and more, dependent ones 1e-15.
const BIFURCATION: f64 = 1e-9;

/// A mechanism as a tree whose loops are kept closed by rows.
#[derive(Clone, Debug)]
pub(crate) struct OpenTree {
    plan: OwnedPlan<f64>,
    varied: OwnedPlan<One>,
    /// Independent rows.
    rank: usize,
    /// What a unit of each rate moves \[m or 1\], and of each row.
    columns: Vec<f64>,
    rows: Vec<f64>,
}

/// What an [`OpenTree`] works in: made once, used by every call.
#[derive(Debug)]
pub(crate) struct OpenRoom {
    workspace: Workspace<f64>,
    varied: Workspace<One>,
    /// H by rows.
    jacobian: Vec<f64>,
    /// H in proportion, eliminated; multipliers below the pivots.
    factors: Vec<f64>,
    row_order: Vec<usize>,
    column_order: Vec<usize>,
    /// Z by columns, and M Z.
    basis: Vec<f64>,
    images: Vec<f64>,
    /// Zᵀ M Z, factored.
    square: Vec<f64>,
    /// γ, gaps, and what (1) asks for.
    pub gammas: Vec<f64>,
    pub gaps: Vec<f64>,
    pub right: Vec<f64>,
    /// Forces that hold the tree at u̇ = 0 against everything but motors.
    pub holding: Vec<f64>,
    small: Vec<f64>,
    image: Vec<f64>,
    efforts: Vec<f64>,
    /// Coordinates and momenta with their derivatives.
    near: Vec<One>,
    moving: Vec<One>,
}

/// Momenta of all rates at the rates in the memory; the frames must be known.
fn momenta<T: Real>(plan: &Plan<'_, T>, memory: &mut Memory<'_, T>, out: &mut [T]) {
    plan.move_bodies(memory);
    if let Some(ground) = memory.wrenches.first_mut() {
        *ground = Wrench::zero();
    }
    for (k, body) in plan.bodies.iter().enumerate() {
        let inertia = body.body.spatial(&memory.frames[k + 1].to_pose(), V3::zero());
        memory.wrenches[k + 1] = inertia.apply(memory.twists[k + 1]);
    }
    for (k, body) in plan.bodies.iter().enumerate().rev() {
        let own = memory.wrenches[k + 1];
        for freedom in body.freedom..body.freedom + body.joint.freedoms() {
            out[freedom] = own.power(memory.columns[freedom]) + plan.rotors[freedom] * memory.rates[freedom];
        }
        memory.wrenches[body.parent] = memory.wrenches[body.parent] + own;
    }
}

impl MechanismModel {
    /// The same mechanism with its loops open, in the coordinates of its configurations.
    pub(crate) fn open_tree(&self) -> OpenTree {
        let plan = OwnedPlan { springs: self.plan.springs.clone(), ..self.natural.clone() };
        let mut columns = Vec::new();
        for body in &plan.bodies {
            columns.extend((0..body.joint.freedoms()).map(|k| {
                let slides = match body.joint {
                    TreeJoint::Prismatic => true,
                    TreeJoint::Cylindrical => k == 0,
                    TreeJoint::Planar => k < 2,
                    TreeJoint::Free => k > 2,
                    _ => false,
                };
                if slides { self.length() } else { 1.0 }
            }));
        }
        let mut rows = vec![1.0; plan.core.rows.end];
        for block in plan.legs.iter().chain([&plan.core]) {
            for cut in block.cuts.of(&plan.cuts) {
                for row in cut.rows.into_iter().take(3).filter(|row| *row < NONE) {
                    rows[block.rows.start + row] = 1.0 / self.length();
                }
            }
        }
        let rank = plan.freedoms - self.mobility.freedoms;
        OpenTree { varied: plan.map(One::from_f64), plan, rank, columns, rows }
    }

    /// All rates of the tree for these rates of the independent motors; idle freedoms without momentum unless their rates
    /// are given.
    pub(crate) fn tree_rates(
        &self,
        at: &Configuration,
        (rates, idle): (&[f64], Option<&[f64]>),
        workspace: &mut Workspace<f64>,
    ) -> Vec<f64> {
        let plan = self.plan.plan();
        let mut memory = workspace.memory();
        let motion =
            legwork_core::mechanism::Motion { coordinates: &at.0, rates, idle, wrench: Wrench::zero() };
        plan.prepare(&motion, &mut memory);
        memory.rates.to_vec()
    }
}

impl OpenTree {
    pub(crate) fn plan(&self) -> Plan<'_, f64> {
        self.plan.plan()
    }

    pub(crate) fn freedoms(&self) -> usize {
        self.plan.freedoms
    }

    pub(crate) fn room(&self) -> OpenRoom {
        let (n, m) = (self.plan.freedoms, self.rows.len());
        let free = n - self.rank;
        OpenRoom {
            workspace: Workspace::new(&self.plan.plan()),
            varied: Workspace::new(&self.varied.plan()),
            jacobian: vec![0.0; m * n],
            factors: vec![0.0; m * n],
            row_order: (0..m).collect(),
            column_order: (0..n).collect(),
            basis: vec![0.0; free * n],
            images: vec![0.0; free * n],
            square: vec![0.0; free * free],
            gammas: vec![0.0; m],
            gaps: vec![0.0; m],
            right: vec![0.0; m],
            holding: vec![0.0; n],
            small: vec![0.0; m.max(n)],
            image: vec![0.0; n],
            efforts: vec![0.0; self.plan.motors.len()],
            near: vec![One::zero(); self.plan.coordinates],
            moving: vec![One::zero(); n],
        }
    }

    /// Frames, rows and gaps at these coordinates; the gap in proportion and \[m\].
    pub(crate) fn place(&self, coordinates: &[f64], room: &mut OpenRoom) -> [f64; 2] {
        let (plan, n) = (self.plan.plan(), self.plan.freedoms);
        let mut memory = room.workspace.memory();
        plan.place(coordinates, &mut memory);
        plan.close(&mut memory); // without pivots: rows alone
        let (lengths, angles) = plan.gaps(&mut memory);
        room.gaps.copy_from_slice(memory.gaps);
        room.jacobian.fill(0.0);
        for block in plan.legs.iter().chain([&plan.core]) {
            let flat = block.matrix.of(memory.matrix).as_flattened();
            for (k, row) in flat.chunks_exact((block.width * 4).max(1)).enumerate() {
                for (freedom, value) in block.columns.of(plan.columns).iter().zip(row) {
                    room.jacobian[(block.rows.start + k) * n + freedom] = *value;
                }
            }
        }
        let scale = self.rows.iter().copied().fold(1.0, f64::min);
        [(lengths * scale * scale + angles).sqrt(), lengths.sqrt()]
    }

    /// Twists of all bodies for these rates, after [`place`](Self::place).
    pub(crate) fn set_rates<'r>(&self, rates: &[f64], room: &'r mut OpenRoom) -> Memory<'r, f64> {
        let mut memory = room.workspace.memory();
        memory.rates.copy_from_slice(rates);
        self.plan.plan().move_bodies(&mut memory);
        memory
    }

    /// γ and the forces that hold the tree, at the rates that were set.
    pub(crate) fn hold(&self, wrench: &Wrench<f64>, room: &mut OpenRoom) {
        let plan = self.plan.plan();
        let mut memory = room.workspace.memory();
        memory.accelerations.fill(0.0);
        plan.efforts_for(&[], wrench, true, &mut room.efforts, &mut memory);
        room.gammas.copy_from_slice(memory.gaps);
        room.holding.copy_from_slice(memory.forces);
    }

    /// The rows that were eliminated, each by its place among all of them.
    pub(crate) fn independent_rows<'r>(&self, room: &'r OpenRoom) -> &'r [usize] {
        room.row_order.get(..self.rank).unwrap_or_default()
    }

    /// One row of H.
    pub(crate) fn row<'r>(&self, row: usize, room: &'r OpenRoom) -> &'r [f64] {
        &room.jacobian[row * self.plan.freedoms..(row + 1) * self.plan.freedoms]
    }

    /// H x
    pub(crate) fn opening(&self, x: &[f64], room: &OpenRoom, out: &mut [f64]) {
        for (slot, row) in out.iter_mut().zip(room.jacobian.chunks_exact(self.plan.freedoms.max(1))) {
            *slot = row.iter().zip(x).map(|(a, b)| a * b).sum();
        }
    }

    /// Writes M x; rates and twists in the memory are those of x then.
    pub(crate) fn momenta(&self, x: &[f64], room: &mut OpenRoom, out: &mut [f64]) {
        let mut memory = room.workspace.memory();
        memory.rates.copy_from_slice(x);
        momenta(&self.plan.plan(), &mut memory, out);
    }

    /// Writes Ṁ u along a motion, by dual numbers.
    pub(crate) fn momenta_rate(
        &self,
        (coordinates, flow): (&[f64], &[f64]),
        rates: &[f64],
        room: &mut OpenRoom,
        out: &mut [f64],
    ) {
        let plan = self.varied.plan();
        let mut memory = room.varied.memory();
        for (slot, (re, eps)) in room.near.iter_mut().zip(coordinates.iter().zip(flow)) {
            *slot = One { re: *re, eps: [*eps] };
        }
        plan.place(&room.near, &mut memory);
        for (slot, rate) in memory.rates.iter_mut().zip(rates) {
            *slot = One::from_f64(*rate);
        }
        momenta(&plan, &mut memory, &mut room.moving);
        out.iter_mut().zip(&room.moving).for_each(|(slot, value)| *slot = value.eps[0]);
    }

    /// Elimination of the rows, Z and (3) factored, after [`place`](Self::place); the smallest pivot over the largest of the
    /// rows, or of the mass matrix, and not above zero where (1) has no answer. Rates in the memory are lost.
    pub(crate) fn eliminate(&self, room: &mut OpenRoom) -> f64 {
        let (n, m) = (self.plan.freedoms, self.rows.len());
        for i in 0..m {
            for j in 0..n {
                room.factors[i * n + j] = room.jacobian[i * n + j] * self.rows[i] * self.columns[j];
            }
        }
        let (rows, columns, a) = (&mut room.row_order, &mut room.column_order, &mut room.factors);
        let (mut largest, mut margin) = (0.0_f64, 1.0_f64);
        for k in 0..self.rank {
            let mut best = (0.0, k, k);
            for i in k..m {
                let row = &a[rows[i] * n..(rows[i] + 1) * n];
                for j in k..n {
                    let size = row[columns[j]].abs();
                    if size > best.0 {
                        best = (size, i, j);
                    }
                }
            }
            rows.swap(k, best.1);
            columns.swap(k, best.2);
            largest = largest.max(best.0);
            margin = margin.min(best.0 / largest);
            if !(margin > BIFURCATION) {
                return margin - BIFURCATION;
            }
            let (own, column) = (rows[k], columns[k]);
            let pivot = a[own * n + column];
            for i in k + 1..m {
                let other = rows[i];
                let factor = a[other * n + column] / pivot;
                a[other * n + column] = factor;
                if factor != 0.0 {
                    for j in k + 1..n {
                        let value = a[own * n + columns[j]];
                        if value != 0.0 {
                            a[other * n + columns[j]] -= factor * value;
                        }
                    }
                }
            }
        }
        self.write_basis(room);
        margin.min(self.write_square(room))
    }

    /// Back substitution in proportion: `small` holds the right side of each pivot and becomes the rates of the pivots.
    fn back(&self, room: &mut OpenRoom) {
        let n = self.plan.freedoms;
        for k in (0..self.rank).rev() {
            let row = &room.factors[room.row_order[k] * n..(room.row_order[k] + 1) * n];
            let known: f64 = (k + 1..self.rank).map(|j| row[room.column_order[j]] * room.small[j]).sum();
            room.small[k] = (room.small[k] - known) / row[room.column_order[k]];
        }
    }

    /// Z of (2): one free rate moved at a time.
    fn write_basis(&self, room: &mut OpenRoom) {
        let n = self.plan.freedoms;
        for free in 0..n - self.rank {
            let column = room.column_order[self.rank + free];
            for k in 0..self.rank {
                room.small[k] = -room.factors[room.row_order[k] * n + column];
            }
            self.back(room);
            let z = &mut room.basis[free * n..(free + 1) * n];
            z.fill(0.0);
            z[column] = self.columns[column];
            for (k, place) in room.column_order.iter().take(self.rank).enumerate() {
                z[*place] = room.small[k] * self.columns[*place];
            }
        }
    }

    /// M Z, and Zᵀ M Z as L D Lᵀ; its smallest pivot over its diagonal.
    fn write_square(&self, room: &mut OpenRoom) -> f64 {
        let n = self.plan.freedoms;
        let count = n - self.rank;
        let (plan, mut memory) = (self.plan.plan(), room.workspace.memory());
        for (z, image) in room.basis.chunks_exact(n).zip(room.images.chunks_exact_mut(n)) {
            memory.rates.copy_from_slice(z);
            momenta(&plan, &mut memory, image);
        }
        for i in 0..count {
            for j in 0..=i {
                let (z, image) = (&room.basis[i * n..(i + 1) * n], &room.images[j * n..(j + 1) * n]);
                room.square[i * count + j] = z.iter().zip(image).map(|(a, b)| a * b).sum();
            }
        }
        factored(&mut room.square, count)
    }

    /// The x of (1) for the force f and the right side in `right`, after [`eliminate`](Self::eliminate).
    pub(crate) fn solve(&self, force: Option<&[f64]>, room: &mut OpenRoom, x: &mut [f64]) {
        let n = self.plan.freedoms;
        let (count, m) = (n - self.rank, self.rows.len());
        // The steps of the elimination, on the right side.
        let mut reduced = std::mem::take(&mut room.image);
        reduced.clear();
        reduced.extend(room.row_order.iter().map(|row| room.right[*row] * self.rows[*row]));
        for k in 0..self.rank {
            for i in k + 1..m {
                reduced[i] -= room.factors[room.row_order[i] * n + room.column_order[k]] * reduced[k];
            }
        }
        room.small[..self.rank].copy_from_slice(&reduced[..self.rank]);
        self.back(room);
        x.fill(0.0);
        for (k, place) in room.column_order.iter().take(self.rank).enumerate() {
            x[*place] = room.small[k] * self.columns[*place]; // x₀
        }
        // (3)
        let z = &mut room.small[..count];
        for (k, slot) in z.iter_mut().enumerate() {
            let (own, image) = (&room.basis[k * n..(k + 1) * n], &room.images[k * n..(k + 1) * n]);
            let pushed: f64 = force.map_or(0.0, |force| own.iter().zip(force).map(|(a, b)| a * b).sum());
            *slot = pushed - image.iter().zip(&*x).map(|(a, b)| a * b).sum::<f64>();
        }
        solved(&room.square, count, z);
        for (k, z) in z.iter().enumerate() {
            for (slot, own) in x.iter_mut().zip(&room.basis[k * n..(k + 1) * n]) {
                *slot += z * own; // (2)
            }
        }
        room.image = reduced;
    }
}
