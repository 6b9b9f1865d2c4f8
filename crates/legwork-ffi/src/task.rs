//! Tasks: a request as JSON, its result as JSON.

use crate::border::{call, long_text, put};
use crate::codes::Code;
use crate::handles::Table;
use crate::message::Failure;
use legwork::task::{Handle, Progress, Request, RequestFormat};
use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

/// A text that the library made, as the caller holds it.
#[repr(C)]
pub struct legwork_text {
    _opaque: [u8; 0],
}

/// A flag that cancels tasks, as the caller holds it.
#[repr(C)]
pub struct legwork_cancel {
    _opaque: [u8; 0],
}

/// Told of progress: the share that is done and what is going on; anything but 0 cancels the task.
pub type legwork_progress =
    Option<unsafe extern "C" fn(user: *mut c_void, done: f64, what: *const c_char) -> c_int>;
/// Told what should be known beside the result.
pub type legwork_note = Option<unsafe extern "C" fn(user: *mut c_void, text: *const c_char)>;

static TEXTS: Table<CString> = Table::new("text", 3);
static FLAGS: Table<AtomicBool> = Table::new("cancel", 4);

/// A flag that is not set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_cancel_new(out: *mut *mut legwork_cancel) -> c_int {
    call(|| {
        // SAFETY: "Pointers" of the header.
        unsafe {
            put("out", out, std::ptr::null_mut())?;
            put("out", out, FLAGS.insert(AtomicBool::new(false))?)
        }
    })
}

/// Sets it: tasks that look at it end soon. From any thread.
#[unsafe(no_mangle)]
pub extern "C" fn legwork_cancel_set(cancel: *const legwork_cancel) -> c_int {
    call(|| {
        FLAGS.with(cancel, |flag| {
            flag.store(true, Ordering::Relaxed);
            Ok(())
        })
    })
}

/// Finishes it, after the tasks that look at it.
#[unsafe(no_mangle)]
pub extern "C" fn legwork_cancel_free(cancel: *mut legwork_cancel) -> c_int {
    call(|| FLAGS.remove(cancel))
}

/// The caller's pointer, handed back to its own functions.
struct User(*mut c_void);

// SAFETY: we only hand it back; the header says that the functions are called from several threads.
unsafe impl Sync for User {}

impl User {
    fn pointer(&self) -> *mut c_void {
        self.0
    }
}

/// Runs a task.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_run(
    request: *const c_char,
    request_length: usize,
    cancel: *const legwork_cancel,
    progress: legwork_progress,
    note: legwork_note,
    user: *mut c_void,
    out: *mut *mut legwork_text,
) -> c_int {
    call(|| {
        // SAFETY: "Pointers" of the header.
        unsafe { put("out", out, std::ptr::null_mut()) }?;
        // SAFETY: "Pointers" of the header.
        let text = unsafe { long_text("request", request, request_length) }?;
        let request = Request::parse(text, RequestFormat::Json)?;
        let user = User(user);
        let work = |flag: &AtomicBool| {
            let listener = |now: Progress<'_>| {
                let Some(progress) = progress else { return };
                let what = CString::new(now.what.replace('\0', " ")).unwrap_or_default();
                // SAFETY: the caller's own function with the caller's own pointer, and a text that lives during the call.
                if unsafe { progress(user.pointer(), now.done, what.as_ptr()) } != 0 {
                    flag.store(true, Ordering::Relaxed);
                }
            };
            let taker = |text: &str| {
                let Some(note) = note else { return };
                let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
                // SAFETY: as above.
                unsafe { note(user.pointer(), text.as_ptr()) };
            };
            let mut handle = Handle::none().with_notes(&taker).cancelled_by(flag);
            if progress.is_some() {
                handle = handle.with_progress(&listener);
            }
            Ok(request.run(&handle)?)
        };
        let result =
            if cancel.is_null() { work(&AtomicBool::new(false))? } else { FLAGS.with(cancel, work)? };
        let json = serde_json::to_string(&result)
            .map_err(|error| Failure::Text(Code::TaskFailed, error.to_string()))?;
        let json = CString::new(json).map_err(|error| Failure::Text(Code::TaskFailed, error.to_string()))?;
        // SAFETY: "Pointers" of the header.
        unsafe { put("out", out, TEXTS.insert(json)?) }
    })
}

/// The text, ended by a zero, and its length; it lives as long as the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_text_data(text: *const legwork_text, length: *mut usize) -> *const c_char {
    let mut data = std::ptr::null();
    call(|| {
        TEXTS.with(text, |text| {
            if !length.is_null() {
                // SAFETY: "Pointers" of the header.
                unsafe { put("length", length, text.as_bytes().len()) }?;
            }
            data = text.as_ptr();
            Ok(())
        })
    });
    data
}

/// Finishes a text.
#[unsafe(no_mangle)]
pub extern "C" fn legwork_text_free(text: *mut legwork_text) -> c_int {
    call(|| TEXTS.remove(text))
}
