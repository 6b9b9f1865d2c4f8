//! The caller's memory: the one place where its pointers are read and written. What the header says under "Pointers" is
//! what each function here relies on.

use crate::codes::Code;
use crate::message::{Failure, keep};
use legwork::coordinates::{CoordinateSchema, StateRow};
use legwork::{PlatformState, RowList, StateMark, StateRows};
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

/// The most numbers that a list about one state has: motors of a robot.
pub const MOST: usize = 24;

/// Makes a call: no panic crosses the border, and a refusal leaves its message.
pub fn call(user: impl FnOnce() -> Result<(), Failure>) -> c_int {
    call_for_code(|| user().map(|()| Code::Ok))
}

/// The same for calls with several good codes.
pub fn call_for_code(user: impl FnOnce() -> Result<Code, Failure>) -> c_int {
    let code = match catch_unwind(AssertUnwindSafe(user)) {
        Ok(Ok(code)) => code,
        Ok(Err(failure)) => keep(failure),
        Err(panic) => {
            let words = panic.downcast_ref::<&str>().map(ToString::to_string);
            let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            keep(Failure::Text(Code::Panic, format!("a mistake in legwork, please report it: {words}")))
        }
    };
    code as c_int
}

/// A state of the platform, as the header has it. Lists that are null are not given.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct legwork_state {
    /// Position, then the angles of a platform that turns, which may be left out.
    pub pose: *const f64,
    /// Numbers in it.
    pub pose_length: usize,
    /// Velocity in the freedoms.
    pub velocity: *const f64,
    /// Numbers in it.
    pub velocity_length: usize,
    /// Acceleration in the freedoms.
    pub acceleration: *const f64,
    /// Numbers in it.
    pub acceleration_length: usize,
    /// What pulls at the platform.
    pub wrench: *const f64,
    /// Numbers in it.
    pub wrench_length: usize,
}

/// States of the platform, row by row, as the header has it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct legwork_batch {
    /// How many states.
    pub count: usize,
    /// A row for each state.
    pub poses: *const f64,
    /// Numbers in all rows.
    pub poses_length: usize,
    /// A row for each state, or null.
    pub velocities: *const f64,
    /// Numbers in all rows.
    pub velocities_length: usize,
    /// A row for each state, or null.
    pub accelerations: *const f64,
    /// Numbers in all rows.
    pub accelerations_length: usize,
    /// A row for each state, or null.
    pub wrenches: *const f64,
    /// Numbers in all rows.
    pub wrenches_length: usize,
}

/// The numbers of a list about one state, copied: nobody can change them while they are used, and an answer may go where
/// they were.
#[derive(Clone, Copy)]
pub struct Given {
    numbers: [f64; MOST],
    count: usize,
}

impl Given {
    /// A list that must be there.
    pub unsafe fn new(what: &'static str, list: *const f64, length: usize) -> Result<Self, Failure> {
        if list.is_null() && length > 0 {
            return Err(Failure::Argument(Code::NullPointer, what, "is null"));
        }
        if !list.is_aligned() {
            return Err(Failure::Argument(Code::Memory, what, "is not where a double can be"));
        }
        let mut given = Self { numbers: [0.0; MOST], count: length };
        let Some(room) = given.numbers.get_mut(..length) else {
            let text =
                format!("`{what}` has {length} numbers, and no list about one state has more than {MOST}");
            return Err(Failure::Text(Code::Length, text));
        };
        if length > 0 {
            // SAFETY: not null, aligned, and readable for `length` doubles by the caller's promise; `room` is ours and has
            // the same length.
            unsafe { std::ptr::copy_nonoverlapping(list, room.as_mut_ptr(), length) };
        }
        Ok(given)
    }

    /// A list that may be null.
    pub unsafe fn optional(
        what: &'static str,
        list: *const f64,
        length: usize,
    ) -> Result<Option<Self>, Failure> {
        if list.is_null() {
            return Ok(None);
        }
        // SAFETY: as of `new`, whose promise is the caller's.
        unsafe { Self::new(what, list, length) }.map(Some)
    }

    /// The numbers.
    pub fn list(&self) -> &[f64] {
        self.numbers.get(..self.count).unwrap_or_default()
    }

    /// The numbers, if they are as many as there must be.
    pub fn exactly(&self, what: &'static str, expected: usize) -> Result<&[f64], Failure> {
        if self.count == expected {
            return Ok(self.list());
        }
        Err(wrong_length(what, expected, self.count))
    }
}

/// "`q` needs 3 numbers, and 4 are given"
pub fn wrong_length(what: &str, expected: usize, found: usize) -> Failure {
    Failure::Text(Code::Length, format!("`{what}` needs {expected} numbers, and {found} are given"))
}

/// The lists of a state, copied.
pub struct State([Option<Given>; 4]);

impl State {
    /// From the caller's structure.
    pub unsafe fn read(state: *const legwork_state) -> Result<Self, Failure> {
        // SAFETY: the caller's promise: null, or a whole structure.
        let Some(state) = (unsafe { state.as_ref() }) else {
            return Err(Failure::Argument(Code::NullPointer, "state", "is null"));
        };
        // SAFETY: the caller's promise about each list of the structure.
        unsafe {
            Ok(Self([
                Some(Given::new("pose", state.pose, state.pose_length)?),
                Given::optional("velocity", state.velocity, state.velocity_length)?,
                Given::optional("acceleration", state.acceleration, state.acceleration_length)?,
                Given::optional("wrench", state.wrench, state.wrench_length)?,
            ]))
        }
    }

    /// The state that they are.
    pub fn of(&self, schema: &CoordinateSchema) -> Result<PlatformState, Failure> {
        let [pose, velocity, acceleration, wrench] =
            self.0.each_ref().map(|given| given.as_ref().map(Given::list));
        let row = StateRow { pose: pose.unwrap_or_default(), velocity, acceleration, wrench };
        Ok(schema.state_of_row(&row)?)
    }
}

/// The caller's memory for an answer.
pub struct Output<'a>(&'a mut [f64]);

impl Output<'_> {
    /// A list that must be there with so many places. It holds NaN until there is an answer.
    pub unsafe fn new(
        what: &'static str,
        list: *mut f64,
        length: usize,
        expected: usize,
    ) -> Result<Self, Failure> {
        if list.is_null() && expected > 0 {
            return Err(Failure::Argument(Code::NullPointer, what, "is null"));
        }
        if length != expected {
            let text = format!("`{what}` must have room for {expected} numbers, and has room for {length}");
            return Err(Failure::Text(Code::Length, text));
        }
        if !list.is_aligned() {
            return Err(Failure::Argument(Code::Memory, what, "is not where a double can be"));
        }
        if expected == 0 {
            return Ok(Self(&mut []));
        }
        for place in 0..length {
            // SAFETY: not null, aligned, and writable for `length` doubles by the caller's promise. What was there is not
            // read: it may be memory that nobody has written to.
            unsafe { list.add(place).write(f64::NAN) };
        }
        // SAFETY: the same, all doubles are written, and no other list of the call is here: `apart` and copies see to it.
        Ok(Self(unsafe { slice::from_raw_parts_mut(list, length) }))
    }

    /// The memory itself.
    pub fn list(&mut self) -> &mut [f64] {
        self.0
    }

    /// Asks for the answer; NaN where there is none.
    pub fn answer<E: Into<Failure>>(
        &mut self,
        ask: impl FnOnce(&mut [f64]) -> Result<(), E>,
    ) -> Result<(), Failure> {
        ask(self.0).map_err(|error| {
            self.0.fill(f64::NAN);
            error.into()
        })
    }

    /// A text with a zero behind it, cut to the room between two letters.
    pub unsafe fn text(room: *mut c_char, length: usize, text: &str) {
        let Some(most) = length.checked_sub(1) else { return };
        if room.is_null() {
            return;
        }
        let mut end = text.len().min(most);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        // SAFETY: not null and writable for `length` bytes by the caller's promise; `end` + 1 is at most `length`, and the
        // text is ours, so the two cannot overlap.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), room.cast::<u8>(), end);
            room.add(end).write(0);
        }
    }
}

/// Refuses lists that share memory: address and length in doubles of each.
pub fn apart(lists: &[(*const f64, usize)]) -> Result<(), Failure> {
    let range = |(list, length): (*const f64, usize)| list.addr()..list.addr().saturating_add(length * 8);
    for (place, first) in lists.iter().enumerate() {
        for second in lists.iter().skip(place + 1) {
            let (a, b) = (range(*first), range(*second));
            if a.start < b.end && b.start < a.end {
                return Err(Failure::Text(Code::Memory, "two lists of the call share memory".into()));
            }
        }
    }
    Ok(())
}

/// One number for the caller.
pub unsafe fn put<T>(what: &'static str, place: *mut T, value: T) -> Result<(), Failure> {
    if place.is_null() {
        return Err(Failure::Argument(Code::NullPointer, what, "is null"));
    }
    if !place.is_aligned() {
        return Err(Failure::Argument(Code::Memory, what, "is not where its type can be"));
    }
    // SAFETY: not null, aligned, and writable by the caller's promise.
    unsafe { place.write(value) };
    Ok(())
}

/// A text that ends with a zero.
pub unsafe fn words<'a>(what: &'static str, text: *const c_char) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::Argument(Code::NullPointer, what, "is null"));
    }
    // SAFETY: not null, and ended by a zero by the caller's promise; it is used within the call only.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::Argument(Code::Utf8, what, "is not UTF-8"))
}

/// A text of a given length.
pub unsafe fn long_text<'a>(
    what: &'static str,
    text: *const c_char,
    length: usize,
) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::Argument(Code::NullPointer, what, "is null"));
    }
    // SAFETY: not null, and readable for `length` bytes by the caller's promise; it is used within the call only.
    let bytes = unsafe { slice::from_raw_parts(text.cast::<u8>(), length) };
    std::str::from_utf8(bytes).map_err(|_| Failure::Argument(Code::Utf8, what, "is not UTF-8"))
}

/// The caller's rows of a batch.
pub struct Rows<'a> {
    count: usize,
    lists: [Option<&'a [f64]>; 4],
}

impl<'a> Rows<'a> {
    /// From the caller's structure; `outputs` must lie elsewhere.
    pub unsafe fn read(
        batch: *const legwork_batch,
        outputs: &[(*const f64, usize)],
    ) -> Result<Self, Failure> {
        // SAFETY: the caller's promise: null, or a whole structure.
        let Some(batch) = (unsafe { batch.as_ref() }) else {
            return Err(Failure::Argument(Code::NullPointer, "batch", "is null"));
        };
        let lists = [
            ("poses", batch.poses, batch.poses_length),
            ("velocities", batch.velocities, batch.velocities_length),
            ("accelerations", batch.accelerations, batch.accelerations_length),
            ("wrenches", batch.wrenches, batch.wrenches_length),
        ];
        let mut rows = Self { count: batch.count, lists: [None; 4] };
        for (place, (what, list, length)) in lists.into_iter().enumerate() {
            if list.is_null() && place == 0 {
                return Err(Failure::Argument(Code::NullPointer, what, "is null"));
            }
            if list.is_null() {
                continue;
            }
            if !list.is_aligned() {
                return Err(Failure::Argument(Code::Memory, what, "is not where a double can be"));
            }
            for output in outputs {
                apart(&[(list, length), *output])?;
            }
            // SAFETY: not null, aligned, readable for `length` doubles by the caller's promise, and apart from what is
            // written.
            rows.lists[place] = Some(unsafe { slice::from_raw_parts(list, length) });
        }
        Ok(rows)
    }

    /// How many states.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The states that they are.
    pub fn states(&self, schema: &CoordinateSchema) -> Result<StateRows<'a>, Failure> {
        let width = |place: usize, what: &str| -> Result<Option<usize>, Failure> {
            let Some(list) = self.lists.get(place).copied().flatten() else { return Ok(None) };
            if let Some(0) = list.len().checked_rem(self.count) {
                return Ok(Some(list.len() / self.count));
            }
            let text = format!("`{what}` has {} numbers for {} states", list.len(), self.count);
            Err(Failure::Text(Code::Length, text))
        };
        let poses = width(0, "poses")?.unwrap_or(0);
        let layout = schema.row_layout(
            poses,
            width(1, "velocities")?,
            width(2, "accelerations")?,
            width(3, "wrenches")?,
        )?;
        let [poses, velocities, accelerations, wrenches] = self.lists;
        Ok(StateRows {
            layout,
            count: self.count,
            poses: RowList::Each(poses.unwrap_or_default()),
            velocities: velocities.map(RowList::Each),
            accelerations: accelerations.map(RowList::Each),
            wrenches: wrenches.map(RowList::Each),
        })
    }
}

/// The caller's memory for the mark of each state; a list of our own where it is null.
pub unsafe fn marks<'a>(list: *mut u8, length: usize, count: usize) -> Result<Option<&'a mut [u8]>, Failure> {
    if list.is_null() {
        return Ok(None);
    }
    if length != count {
        let text = format!("`marks` must have room for {count} states, and has room for {length}");
        return Err(Failure::Text(Code::Length, text));
    }
    // SAFETY: not null and writable for `length` bytes by the caller's promise; written before they are read.
    unsafe {
        std::ptr::write_bytes(list, StateMark::Other as u8, length);
        Ok(Some(slice::from_raw_parts_mut(list, length)))
    }
}

/// A long list that is read while `outputs` are written elsewhere.
pub unsafe fn many<'a>(
    what: &'static str,
    list: *const f64,
    length: usize,
    outputs: &[(*const f64, usize)],
) -> Result<&'a [f64], Failure> {
    if list.is_null() {
        return Err(Failure::Argument(Code::NullPointer, what, "is null"));
    }
    if !list.is_aligned() {
        return Err(Failure::Argument(Code::Memory, what, "is not where a double can be"));
    }
    for output in outputs {
        apart(&[(list, length), *output])?;
    }
    // SAFETY: not null, aligned, readable for `length` doubles by the caller's promise, and apart from what is written.
    Ok(unsafe { slice::from_raw_parts(list, length) })
}
