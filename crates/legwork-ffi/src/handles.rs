//! Handles: what the caller holds is no address but a number, its kind, its place in a table and how often that place was
//! used before. So a handle that was finished, or that is none, is seen and not followed; and whoever finishes a handle
//! waits for the calls that use it.

use crate::codes::Code;
use crate::message::Failure;
use std::sync::{PoisonError, RwLock};

/// Handles of one kind at a time.
const MOST: usize = 1024;
/// Bits of a handle for its place, and above them for its kind.
const PLACE_BITS: u32 = 12;
const KIND_BITS: u32 = 4;

struct Slot<T> {
    /// How often it was used.
    generation: usize,
    value: Option<Box<T>>,
}

/// All handles of one kind.
pub struct Table<T> {
    what: &'static str,
    kind: usize,
    slots: [RwLock<Slot<T>>; MOST],
}

impl<T> Table<T> {
    /// No handles yet; kinds count from 1, so that no handle is null.
    #[allow(clippy::large_stack_arrays)] // of statics only
    pub const fn new(what: &'static str, kind: usize) -> Self {
        Self { what, kind, slots: [const { RwLock::new(Slot { generation: 0, value: None }) }; MOST] }
    }

    fn handle<H>(&self, place: usize, generation: usize) -> *mut H {
        let number = (generation << (PLACE_BITS + KIND_BITS)) | (self.kind << PLACE_BITS) | place;
        std::ptr::without_provenance_mut(number)
    }

    /// A new handle.
    pub fn insert<H>(&self, value: T) -> Result<*mut H, Failure> {
        let value = Box::new(value);
        for (place, slot) in self.slots.iter().enumerate() {
            // Who uses it now, has it.
            let Ok(mut slot) = slot.try_write() else { continue };
            if slot.value.is_none() {
                slot.value = Some(value);
                return Ok(self.handle(place, slot.generation));
            }
        }
        let what = self.what;
        Err(Failure::Text(Code::TooMany, format!("there are {MOST} handles `{what}`: finish some of them")))
    }

    fn slot<H>(&self, handle: *const H) -> Result<(&RwLock<Slot<T>>, usize), Failure> {
        if handle.is_null() {
            return Err(Failure::Argument(Code::NullPointer, self.what, "is null"));
        }
        let number = handle.addr();
        let kind = (number >> PLACE_BITS) & ((1 << KIND_BITS) - 1);
        let slot = self.slots.get(number & ((1 << PLACE_BITS) - 1)).filter(|_| kind == self.kind);
        let slot = slot.ok_or(Failure::Argument(Code::NotAHandle, self.what, "is no handle of this kind"))?;
        Ok((slot, number >> (PLACE_BITS + KIND_BITS)))
    }

    /// What a handle stands for; it stays while it is used.
    pub fn with<H, R>(
        &self,
        handle: *const H,
        user: impl FnOnce(&T) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let (slot, generation) = self.slot(handle)?;
        let slot = slot.read().unwrap_or_else(PoisonError::into_inner);
        match &slot.value {
            Some(value) if slot.generation == generation => user(value),
            _ => Err(Failure::Argument(Code::Finished, self.what, "was finished before")),
        }
    }

    /// Finishes a handle; null is none and is left alone.
    pub fn remove<H>(&self, handle: *mut H) -> Result<(), Failure> {
        if handle.is_null() {
            return Ok(());
        }
        let (slot, generation) = self.slot(handle)?;
        let mut slot = slot.write().unwrap_or_else(PoisonError::into_inner);
        if slot.value.is_none() || slot.generation != generation {
            return Err(Failure::Argument(Code::Finished, self.what, "was finished before"));
        }
        slot.generation = (slot.generation + 1) & (usize::MAX >> (PLACE_BITS + KIND_BITS));
        let value = slot.value.take();
        drop(slot);
        drop(value);
        Ok(())
    }
}
