//! The rows of cut joints: what they forbid, how far they are open, and γ.
//!
//! A cut joint between bodies a and b passes on unit forces at its centre o along directions e and unit moments
//! about directions m. Its rows are
//!
//! ```text
//! (1)  e·(v_b(o) − v_a(o)) = 0,   m·(ω_b − ω_a) = 0          v(o) = v_O + ω × o
//! ```
//!
//! With Δ for b minus a, and e, m fixed in a (or any e where Δv(o) = 0), their derivatives without u̇ are
//!
//! ```text
//! (2)  γ_e = e·(Δ(v̇_O + α × o) + Δω × ȯ + Δv × ω_a)         ȯ = v_b(o)
//! (3)  γ_m = m·(Δα + Δω × ω_a)
//! (4)  γ_m = m·Δα + ((ω_a × z_P) × y_C + z_P × (ω_b × y_C))·Δω    universal, m = z_P × y_C
//! ```

use super::{Block, Cut, CutJoint, Frame, Memory, Plan, Side};
use crate::engine::Twist;
use crate::{Real, V3};

/// Centre and directions of a cut joint in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutAxes<T> {
    /// o
    pub centre: V3<T>,
    /// e
    pub forces: [V3<T>; 3],
    /// m; of a universal joint m, z_P and y_C.
    pub moments: [V3<T>; 3],
}

#[inline(always)]
fn put<T: Real>(matrix: &mut [T], at: usize, value: T) {
    if let Some(entry) = matrix.get_mut(at) {
        *entry = value;
    }
}

impl<T: Real> Cut<T> {
    /// Centre and directions of a ball, which passes on no moments.
    #[inline(always)]
    fn write_ball(&self, frames: &[Frame<T>], axes: &mut CutAxes<T>) {
        let side = if self.on_child { &self.child } else { &self.parent };
        let (Some(own), d) = (frames.get(side.body), &self.directions) else { return };
        axes.centre = own.of(d.origin);
        axes.forces = [own.turned(d.x), own.turned(d.y), own.turned(d.z)];
    }

    /// Centre and directions at these frames of the bodies.
    #[inline(always)]
    fn axes(&self, frames: &[Frame<T>]) -> CutAxes<T> {
        let o = V3::zero();
        let (Some(a), Some(b)) = (frames.get(self.parent.body), frames.get(self.child.body)) else {
            return CutAxes { centre: o, forces: [o; 3], moments: [o; 3] };
        };
        let own = if self.on_child { b } else { a };
        let d = &self.directions;
        let p = &self.parent.frame;
        let centre = if self.joint.has_centre() { own.of(d.origin) } else { b.of(self.child.frame.origin) };
        let three = || [own.turned(d.x), own.turned(d.y), own.turned(d.z)];
        match self.joint {
            CutJoint::Spherical => CutAxes { centre, forces: three(), moments: [o; 3] },
            CutJoint::Universal => {
                let (z, y) = (a.turned(p.z), b.turned(self.child.frame.y));
                CutAxes { centre, forces: three(), moments: [z.cross(y), z, y] }
            }
            CutJoint::Revolute => {
                CutAxes { centre, forces: three(), moments: [a.turned(p.x), a.turned(p.y), o] }
            }
            CutJoint::Fixed => {
                CutAxes { centre, forces: three(), moments: [a.turned(p.x), a.turned(p.y), a.turned(p.z)] }
            }
            CutJoint::Prismatic => {
                let (x, y, z) = (a.turned(p.x), a.turned(p.y), a.turned(p.z));
                CutAxes { centre, forces: [x, y, o], moments: [x, y, z] }
            }
            CutJoint::Cylindrical => {
                let (x, y) = (a.turned(p.x), a.turned(p.y));
                CutAxes { centre, forces: [x, y, o], moments: [x, y, o] }
            }
            CutJoint::Planar => {
                let (x, y, z) = (a.turned(p.x), a.turned(p.y), a.turned(p.z));
                CutAxes { centre, forces: [z, o, o], moments: [x, y, o] }
            }
        }
    }

    /// How far it is open, in the order of its forces and moments: the derivative of each is its row.
    #[inline(always)]
    fn gap(&self, axes: &CutAxes<T>, frames: &[Frame<T>]) -> [T; 6] {
        let get =
            |side: &Side<T>| frames.get(side.body).copied().unwrap_or_else(Frame::identity).then(&side.frame);
        let (p, c) = (get(&self.parent), get(&self.child));
        let apart = c.origin - p.origin;
        let [e, f, g] = axes.forces.map(|e| e.dot(apart));
        let o = T::zero();
        // The small turn from P to C: of the z axes, or of all three.
        let tilt = p.z.cross(c.z);
        let turned = (p.x.cross(c.x) + p.y.cross(c.y) + tilt) * T::from_f64(0.5);
        let [mx, my, mz] = axes.moments;
        match self.joint {
            CutJoint::Spherical => [e, f, g, o, o, o],
            CutJoint::Universal => [e, f, g, -(p.z.dot(c.y)), o, o],
            CutJoint::Revolute | CutJoint::Cylindrical | CutJoint::Planar => {
                [e, f, g, tilt.dot(mx), tilt.dot(my), o]
            }
            CutJoint::Prismatic | CutJoint::Fixed => {
                [e, f, g, turned.dot(mx), turned.dot(my), turned.dot(mz)]
            }
        }
    }

    /// (2) to (4), with accelerations of the bodies for u̇ = 0, into the rows of the block.
    #[inline(always)]
    fn write_gamma(&self, axes: &CutAxes<T>, twists: &[Twist<T>], motions: &[Twist<T>], gaps: &mut [T]) {
        let (a, b) = (self.parent.body, self.child.body);
        let (Some(va), Some(vb), Some(ma), Some(mb)) =
            (twists.get(a), twists.get(b), motions.get(a), motions.get(b))
        else {
            return;
        };
        let (turning, o) = (vb.angular - va.angular, axes.centre);
        let (spinning_up, speeding_up) = (mb.angular - ma.angular, mb.linear - ma.linear);
        let moving = vb.linear + vb.angular.cross(o);
        let mut along = speeding_up + spinning_up.cross(o) + turning.cross(moving);
        if !self.joint.has_centre() {
            let apart = moving - va.linear - va.angular.cross(o);
            along = along + apart.cross(va.angular);
        }
        let [r0, r1, r2, r3, r4, r5] = self.rows;
        let [e, f, g] = axes.forces;
        put(gaps, r0, e.dot(along)); // (2)
        if self.joint.forces() > 1 {
            put(gaps, r1, f.dot(along));
            if self.joint.forces() > 2 {
                put(gaps, r2, g.dot(along));
            }
        }
        let [m, n, l] = axes.moments;
        match self.joint.moments() {
            0 => {}
            1 => {
                let rate = va.angular.cross(n).cross(l) + n.cross(vb.angular.cross(l));
                put(gaps, r3, m.dot(spinning_up) + rate.dot(turning)); // (4)
            }
            count => {
                let about = spinning_up + turning.cross(va.angular);
                put(gaps, r3, m.dot(about)); // (3)
                put(gaps, r4, n.dot(about));
                if count > 2 {
                    put(gaps, r5, l.dot(about));
                }
            }
        }
    }

    /// The entries of both sides in a matrix with rows of length `stride`.
    #[inline(always)]
    fn entries<const F: usize, const M: usize>(
        &self,
        plan: &Plan<'_, T>,
        axes: &CutAxes<T>,
        columns: &[Twist<T>],
        stride: usize,
        matrix: &mut [T],
    ) {
        let [r0, r1, r2, r3, r4, r5] = self.rows.map(|row| row * stride);
        let ([e0, e1, e2], [m0, m1, m2]) = (axes.forces, axes.moments);
        for (side, is_child) in [(&self.child, true), (&self.parent, false)] {
            for term in side.terms.of(plan.terms) {
                let Some(s) = columns.get(term.freedom) else { return };
                let (w, c) = (s.angular, axes.centre);
                // (1)
                let (v, w) = if is_child {
                    (s.linear + w.cross(c), w)
                } else {
                    (c.cross(w) - s.linear, if M > 0 { -w } else { w })
                };
                put(matrix, r0 + term.column, e0.dot(v));
                if F > 1 {
                    put(matrix, r1 + term.column, e1.dot(v));
                }
                if F > 2 {
                    put(matrix, r2 + term.column, e2.dot(v));
                }
                if M > 0 {
                    put(matrix, r3 + term.column, m0.dot(w));
                }
                if M > 1 {
                    put(matrix, r4 + term.column, m1.dot(w));
                }
                if M > 2 {
                    put(matrix, r5 + term.column, m2.dot(w));
                }
            }
            if side.free < super::NONE {
                let sign = |v: V3<T>| if is_child { v } else { -v };
                let mut write = |at: usize, moment: V3<T>, force: V3<T>| {
                    if let Some([a, b, c, d, e, f]) = matrix.get_mut(at..at + 6) {
                        (*a, *b, *c) = (moment.x, moment.y, moment.z);
                        (*d, *e, *f) = (force.x, force.y, force.z);
                    }
                };
                for (e, row) in [(e0, r0), (e1, r1), (e2, r2)].into_iter().take(F) {
                    let e = sign(e);
                    write(row + side.free, axes.centre.cross(e), e);
                }
                for (m, row) in [(m0, r3), (m1, r4), (m2, r5)].into_iter().take(M) {
                    write(row + side.free, sign(m), V3::zero());
                }
            }
        }
    }
}

impl<T: Real> Plan<'_, T> {
    /// Writes the rows (1) of a block's cut joints into its matrix, which is cleared before.
    #[inline]
    pub fn write_rows(&self, block: &Block, memory: &mut Memory<'_, T>) {
        let groups = block.matrix.of_mut(memory.matrix);
        groups.fill([T::zero(); 4]);
        let matrix = groups.as_flattened_mut();
        let stride = block.width * 4;
        let axes = block.cuts.of_mut(memory.axes);
        for (cut, axes) in block.cuts.of(self.cuts).iter().zip(axes) {
            if cut.joint == CutJoint::Spherical {
                cut.write_ball(memory.frames, axes);
            } else {
                *axes = cut.axes(memory.frames);
            }
            match cut.joint {
                CutJoint::Spherical => cut.entries::<3, 0>(self, axes, memory.columns, stride, matrix),
                CutJoint::Universal => cut.entries::<3, 1>(self, axes, memory.columns, stride, matrix),
                CutJoint::Revolute => cut.entries::<3, 2>(self, axes, memory.columns, stride, matrix),
                CutJoint::Prismatic => cut.entries::<2, 3>(self, axes, memory.columns, stride, matrix),
                CutJoint::Cylindrical => cut.entries::<2, 2>(self, axes, memory.columns, stride, matrix),
                CutJoint::Planar => cut.entries::<1, 2>(self, axes, memory.columns, stride, matrix),
                CutJoint::Fixed => cut.entries::<3, 3>(self, axes, memory.columns, stride, matrix),
            }
        }
    }

    /// Writes γ of all cut joints into their rows of `gaps`, from twists and from accelerations for u̇ = 0.
    #[inline]
    pub(super) fn write_gammas(&self, block: &Block, memory: &mut Memory<'_, T>) {
        let gaps = block.rows.of_mut(memory.gaps);
        let axes = block.cuts.of(memory.axes);
        for (cut, axes) in block.cuts.of(self.cuts).iter().zip(axes) {
            cut.write_gamma(axes, memory.twists, memory.motions, gaps);
        }
    }

    /// Writes the closing gaps of the independent rows of all cut joints into `gaps`; returns the sum of the
    /// squares of **all** gaps, forces \[m²\] and moments \[rad²\] apart. The frames must be known.
    pub fn gaps(&self, memory: &mut Memory<'_, T>) -> (T, T) {
        let mut open = (T::zero(), T::zero());
        for block in self.legs.iter().chain([&self.core]) {
            for cut in block.cuts.of(self.cuts) {
                let axes = cut.axes(memory.frames);
                let gap = cut.gap(&axes, memory.frames);
                let gaps = block.rows.of_mut(memory.gaps);
                for (place, (row, value)) in cut.rows.into_iter().zip(gap).enumerate() {
                    put(gaps, row, value);
                    let part = if place < 3 { &mut open.0 } else { &mut open.1 };
                    *part = *part + value * value;
                }
            }
        }
        open
    }

    /// The gaps of one cut joint: forces \[m\], then moments \[rad\]. The frames must be known.
    pub fn gap_of(&self, cut: &Cut<T>, memory: &Memory<'_, T>) -> [T; 6] {
        cut.gap(&cut.axes(memory.frames), memory.frames)
    }
}
