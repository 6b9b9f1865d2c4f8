//! What a regulator and its supervisor remember from sample to sample, as a list of numbers: to be written down and to be
//! taken over, to the bit.

use super::delay::{Delay, Differences};
use super::signal::{Platform, Reference};
use crate::V3;
use crate::engine::{Pose, Twist};

/// Sees the numbers of a memory one by one, always as many and in the same order, and may change them.
pub type MemoryVisitor<'a> = dyn FnMut(&mut f64) + 'a;

/// A part of a memory.
pub(super) trait Remembered {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>);
}

impl Remembered for f64 {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        visitor(self);
    }
}

impl Remembered for bool {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        let mut number = f64::from(u8::from(*self));
        visitor(&mut number);
        *self = number == 1.0;
    }
}

impl<X: Remembered, const N: usize> Remembered for [X; N] {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        for x in self {
            x.visit(visitor);
        }
    }
}

impl<A: Remembered, B: Remembered> Remembered for (A, B) {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        self.0.visit(visitor);
        self.1.visit(visitor);
    }
}

impl<A: Remembered, B: Remembered, C: Remembered> Remembered for (A, B, C) {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        self.0.visit(visitor);
        self.1.visit(visitor);
        self.2.visit(visitor);
    }
}

impl Remembered for V3<f64> {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        for x in [&mut self.x, &mut self.y, &mut self.z] {
            visitor(x);
        }
    }
}

impl Remembered for Pose<f64> {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        let rows = &mut self.rotation.0;
        for row in [&mut rows.x, &mut rows.y, &mut rows.z, &mut self.position] {
            row.visit(visitor);
        }
    }
}

impl Remembered for Twist<f64> {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        self.linear.visit(visitor);
        self.angular.visit(visitor);
    }
}

impl Remembered for Platform<f64> {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        self.pose.visit(visitor);
        self.twist.visit(visitor);
        self.acceleration.visit(visitor);
    }
}

impl<const K: usize> Remembered for Reference<f64, K> {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        for list in [&mut self.q, &mut self.qdot, &mut self.qddot] {
            list.visit(visitor);
        }
        self.platform.visit(visitor);
    }
}

impl<const K: usize> Remembered for Differences<f64, K> {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        self.now.visit(visitor);
        self.before.visit(visitor);
    }
}

impl<const K: usize> Remembered for Delay<f64, K> {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        self.slots.visit(visitor);
        index(&mut self.newest, self.slots.len(), visitor);
    }
}

/// A place in a list of `count`; one that is none becomes the first.
pub(super) fn index(place: &mut usize, count: usize, visitor: &mut MemoryVisitor<'_>) {
    let mut number = *place as f64;
    visitor(&mut number);
    // A number that is not whole, or too large, finds no equal.
    *place = (0..count).find(|place| *place as f64 == number).unwrap_or(0);
}

/// What may be there: whether it is, and its numbers in any case, those of `empty` if it is not.
pub(super) fn optional<X: Remembered>(slot: &mut Option<X>, empty: X, visitor: &mut MemoryVisitor<'_>) {
    let mut is_there = slot.is_some();
    is_there.visit(visitor);
    let mut value = slot.take().unwrap_or(empty);
    value.visit(visitor);
    *slot = is_there.then_some(value);
}
