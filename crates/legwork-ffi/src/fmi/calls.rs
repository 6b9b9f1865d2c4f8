//! What the functions of both standards share: handles of units, errors as a status with a line in the importer's log.

use super::snapshot::Snapshot;
use super::unit::Unit;
use crate::handles::Table;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Done.
pub const OK: c_int = 0;
/// Done, but the log has something to tell.
pub const WARNING: c_int = 1;
/// The step could not be made as a whole.
pub const DISCARD: c_int = 2;
/// The call was refused.
pub const ERROR: c_int = 3;

/// The importer's function for lines of its log, with its own pointer.
#[derive(Clone, Copy)]
pub enum Logger {
    /// Of FMI 2.0.
    Two(
        Option<unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...)>,
        *mut c_void,
    ),
    /// Of FMI 3.0.
    Three(Option<unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char)>, *mut c_void),
}

// SAFETY: the importer's pointer is only handed back to the importer's own function, in the thread that called us.
unsafe impl Send for Logger {}

impl Logger {
    /// A line.
    pub fn line(self, name: &CStr, status: c_int, text: &str) {
        let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
        let category = match status {
            WARNING => c"logStatusWarning",
            DISCARD => c"logStatusDiscard",
            _ => c"logStatusError",
        };
        let category = category.as_ptr();
        // SAFETY: the importer's own functions with the importer's own pointer; the texts live during the call, and the format
        // of the line takes exactly the one text that is given.
        unsafe {
            match self {
                Self::Two(Some(log), user) => {
                    log(user, name.as_ptr(), status, category, c"%s".as_ptr(), text.as_ptr());
                }
                Self::Three(Some(log), user) => log(user, status, category, text.as_ptr()),
                Self::Two(None, _) | Self::Three(None, _) => {}
            }
        }
    }
}

/// A unit as an importer has it.
pub struct Instance {
    /// What it does.
    pub unit: Unit,
    logger: Logger,
    name: CString,
}

static INSTANCES: Table<Mutex<Instance>> = Table::new("unit", 5);
static SNAPSHOTS: Table<Mutex<Snapshot>> = Table::new("state", 6);

/// A new unit; null if it cannot be, with the reason in the log.
pub fn instantiate(
    name: &CStr,
    token: &CStr,
    resources: &CStr,
    is_exchange: bool,
    logger: Logger,
) -> *mut c_void {
    let made = catch_unwind(AssertUnwindSafe(|| {
        let unit = Unit::new(&folder(&resources.to_string_lossy()), &token.to_string_lossy())?;
        if is_exchange && unit.is_regulated() {
            return Err("a unit with a regulator inside has co-simulation only".into());
        }
        let instance = Instance { unit, logger, name: name.to_owned() };
        INSTANCES.insert::<c_void>(Mutex::new(instance)).map_err(|failure| failure.to_string())
    }));
    match made {
        Ok(Ok(handle)) => handle,
        Ok(Err(reason)) => {
            logger.line(name, ERROR, &reason);
            std::ptr::null_mut()
        }
        Err(_) => {
            logger.line(name, ERROR, "a mistake in legwork, please report it");
            std::ptr::null_mut()
        }
    }
}

/// Finishes a unit; one that is none is left alone.
pub fn free(instance: *mut c_void) {
    let _ = INSTANCES.remove(instance);
}

/// The folder that a URI or a path names.
fn folder(location: &str) -> PathBuf {
    let Some(rest) = location.strip_prefix("file:") else { return PathBuf::from(location) };
    // `file:///folder`, `file:/folder`, `file://localhost/folder`
    let rest = match rest.strip_prefix("//") {
        Some(rest) => &rest[rest.find('/').unwrap_or(0)..],
        None => rest,
    };
    let mut bytes = Vec::with_capacity(rest.len());
    let mut letters = rest.bytes();
    while let Some(letter) = letters.next() {
        let code = (letter == b'%').then(|| letters.as_slice_pair()).flatten();
        match code {
            Some(code) => {
                bytes.push(code);
                letters.next();
                letters.next();
            }
            None => bytes.push(letter),
        }
    }
    let path = String::from_utf8_lossy(&bytes).into_owned();
    // `/C:/folder` of Windows.
    let drive = path.as_bytes().get(2) == Some(&b':');
    PathBuf::from(if drive { path[1..].to_owned() } else { path })
}

/// The next two letters as the number of a byte.
trait Hex {
    fn as_slice_pair(&self) -> Option<u8>;
}

impl Hex for std::str::Bytes<'_> {
    fn as_slice_pair(&self) -> Option<u8> {
        let mut ahead = self.clone();
        let mut digit = || char::from(ahead.next()?).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        u8::try_from(16 * high + low).ok()
    }
}

/// Asks a unit; a refusal is a line of the log.
pub fn call(instance: *mut c_void, user: impl FnOnce(&mut Instance) -> Result<(), String>) -> c_int {
    call_or(instance, ERROR, user)
}

/// The same with another status for a refusal.
pub fn call_or(
    instance: *mut c_void,
    refused: c_int,
    user: impl FnOnce(&mut Instance) -> Result<(), String>,
) -> c_int {
    let asked = INSTANCES.with(instance, |instance| {
        let mut instance = instance.lock().unwrap_or_else(PoisonError::into_inner);
        let reason = match catch_unwind(AssertUnwindSafe(|| user(&mut instance))) {
            Ok(Ok(())) => return Ok(OK),
            Ok(Err(reason)) => reason,
            Err(_) => "a mistake in legwork, please report it".into(),
        };
        instance.logger.line(&instance.name, refused, &reason);
        Ok(refused)
    });
    asked.unwrap_or(ERROR)
}

/// The list of a call.
pub unsafe fn input<'a, T>(list: *const T, count: usize) -> Result<&'a [T], String> {
    if count == 0 {
        return Ok(&[]);
    }
    if list.is_null() || !list.is_aligned() {
        return Err("a list is null or misplaced".into());
    }
    // SAFETY: not null, aligned, and readable for `count` numbers by the standard's promise; used within the call only.
    Ok(unsafe { std::slice::from_raw_parts(list, count) })
}

/// The memory for an answer.
pub unsafe fn output<'a, T: Copy>(list: *mut T, count: usize, nothing: T) -> Result<&'a mut [T], String> {
    if count == 0 {
        return Ok(&mut []);
    }
    if list.is_null() || !list.is_aligned() {
        return Err("a list is null or misplaced".into());
    }
    for place in 0..count {
        // SAFETY: not null, aligned, and writable for `count` numbers by the standard's promise.
        unsafe { list.add(place).write(nothing) };
    }
    // SAFETY: the same, and written just now.
    Ok(unsafe { std::slice::from_raw_parts_mut(list, count) })
}

/// One value for the importer, if it wants it.
pub unsafe fn put<T>(place: *mut T, value: T) {
    if !place.is_null() && place.is_aligned() {
        // SAFETY: not null, aligned, and writable by the standard's promise.
        unsafe { place.write(value) };
    }
}

/// A text of the importer; empty if it is null.
pub unsafe fn text<'a>(text: *const c_char) -> &'a CStr {
    if text.is_null() {
        return c"";
    }
    // SAFETY: not null, and ended by a zero by the standard's promise; used within the call only.
    unsafe { CStr::from_ptr(text) }
}

/// Co-simulation: goes on. What the caller got wrong is an error; a motion that cannot go on discards the step.
pub fn step(instance: *mut c_void, at: f64, duration: f64, then: impl FnOnce(&Instance)) -> c_int {
    let checked = call(instance, |it| it.unit.check_step(at, duration));
    if checked != OK {
        return checked;
    }
    let mut warning = None;
    let made = call_or(instance, DISCARD, |it| {
        let made = it.unit.step(at, duration);
        then(it);
        warning = it.unit.warning.take();
        made
    });
    let Some(text) = warning else { return made };
    // The step is made, and the importer should know what happened in it.
    let told = call_or(instance, WARNING, |_| Err(text));
    if made == OK { told } else { made }
}

/// Reads variables.
pub unsafe fn get(
    instance: *mut c_void,
    references: *const u32,
    count: usize,
    values: *mut f64,
    value_count: usize,
) -> c_int {
    call(instance, |it| {
        // SAFETY: the promise of the caller of this function, which is that of the standard.
        let (references, values) =
            unsafe { (input(references, count)?, output(values, value_count, f64::NAN)?) };
        as_many(count, value_count)?;
        for (slot, reference) in values.iter_mut().zip(references) {
            *slot = it.unit.get(*reference)?;
        }
        Ok(())
    })
}

/// Reads whole numbers.
pub unsafe fn get_whole(
    instance: *mut c_void,
    references: *const u32,
    count: usize,
    values: *mut c_int,
    value_count: usize,
) -> c_int {
    call(instance, |it| {
        // SAFETY: the promise of the caller of this function, which is that of the standard.
        let (references, values) = unsafe { (input(references, count)?, output(values, value_count, 0)?) };
        as_many(count, value_count)?;
        for (slot, reference) in values.iter_mut().zip(references) {
            *slot = c_int::from(it.unit.get(*reference)? > 0.5);
        }
        Ok(())
    })
}

/// Sets variables.
pub unsafe fn set(
    instance: *mut c_void,
    references: *const u32,
    count: usize,
    values: *const f64,
    value_count: usize,
) -> c_int {
    call(instance, |it| {
        // SAFETY: the promise of the caller of this function, which is that of the standard.
        let (references, values) = unsafe { (input(references, count)?, input(values, value_count)?) };
        as_many(count, value_count)?;
        it.unit.set(references, values)
    })
}

/// All variables are scalars.
fn as_many(references: usize, values: usize) -> Result<(), String> {
    if references == values {
        return Ok(());
    }
    Err(format!("{references} value references, but {values} values: every variable is one number"))
}

/// Refuses variables of a type that no unit of ours has.
pub fn none(instance: *mut c_void, count: usize) -> c_int {
    call(instance, |_| if count == 0 { Ok(()) } else { Err("there are no variables of this type".into()) })
}

/// Keeps the state of a unit, in a handle that is there or in a new one.
pub unsafe fn keep(instance: *mut c_void, state: *mut *mut c_void) -> c_int {
    call(instance, |it| {
        if state.is_null() || !state.is_aligned() {
            return Err("no place for the state".into());
        }
        // SAFETY: not null, aligned, and holding null or a handle by the standard's promise.
        let old = unsafe { state.read() };
        let renewed = SNAPSHOTS.with(old, |slot| {
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            *slot = it.unit.snapshot();
            Ok(())
        });
        if renewed.is_err() {
            let kept = it.unit.snapshot();
            let handle =
                SNAPSHOTS.insert::<c_void>(Mutex::new(kept)).map_err(|failure| failure.to_string())?;
            // SAFETY: as above.
            unsafe { state.write(handle) };
        }
        Ok(())
    })
}

fn kept(state: *mut c_void) -> Result<Snapshot, String> {
    SNAPSHOTS
        .with(state, |slot| Ok(slot.lock().unwrap_or_else(PoisonError::into_inner).clone()))
        .map_err(|failure| failure.to_string())
}

/// A unit as it was.
pub fn restore(instance: *mut c_void, state: *mut c_void) -> c_int {
    call(instance, |it| {
        let kept = kept(state)?;
        it.unit.restore(&kept)
    })
}

/// Finishes a state.
pub unsafe fn free_state(instance: *mut c_void, state: *mut *mut c_void) -> c_int {
    call(instance, |_| {
        if state.is_null() || !state.is_aligned() {
            return Ok(());
        }
        // SAFETY: not null, aligned, and holding null or a handle by the standard's promise.
        let old = unsafe { state.replace(std::ptr::null_mut()) };
        SNAPSHOTS.remove(old).map_err(|failure| failure.to_string())
    })
}

/// A state as bytes: how many.
pub unsafe fn state_size(instance: *mut c_void, state: *mut c_void, size: *mut usize) -> c_int {
    call(instance, |_| {
        let bytes = kept(state)?.to_bytes();
        // SAFETY: the promise of the caller of this function, which is that of the standard.
        unsafe { put(size, bytes.len()) };
        Ok(())
    })
}

/// A state as bytes.
pub unsafe fn state_bytes(instance: *mut c_void, state: *mut c_void, out: *mut u8, size: usize) -> c_int {
    call(instance, |_| {
        let bytes = kept(state)?.to_bytes();
        // SAFETY: the promise of the caller of this function, which is that of the standard.
        let out = unsafe { output(out, size, 0) }?;
        let room = out.get_mut(..bytes.len()).ok_or("too little room for the state")?;
        room.copy_from_slice(&bytes);
        Ok(())
    })
}

/// A state from bytes.
pub unsafe fn state_of_bytes(
    instance: *mut c_void,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> c_int {
    call(instance, |it| {
        // SAFETY: the promise of the caller of this function, which is that of the standard.
        let kept = it.unit.of_bytes(unsafe { input(bytes, size) }?)?;
        let handle = SNAPSHOTS.insert::<c_void>(Mutex::new(kept)).map_err(|failure| failure.to_string())?;
        // SAFETY: as above.
        unsafe { put(state, handle) };
        Ok(())
    })
}
