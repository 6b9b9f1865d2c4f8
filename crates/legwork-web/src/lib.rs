//! The border to a browser: a message in, its answer out, both JSON in UTF-8 in the memory that JavaScript sees too.
//!
//! `alloc(n)` gives room for a message, `call()` answers it, `answer()` and `answer_length()` say where the answer is until
//! the next call. One function is imported, `page.progress(done)`: how far a task has come. A panic ends a call with a trap; the answer is then what the panic said, and
//! the instance is not to be used any more.

use legwork_session::{Failure, Session};
use std::cell::RefCell;
use std::panic;

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Tells the page how far a task has come, from 0 to 1.
    safe fn progress(done: f64);
}

/// Elsewhere nobody hears it.
#[cfg(not(target_arch = "wasm32"))]
fn progress(_: f64) {}

#[allow(clippy::redundant_closure)] // in the browser it has the calling convention of C
fn session() -> Session {
    let mut session = Session::default();
    session.on_progress(|done| progress(done));
    session
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(session());
    static MESSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for a message of so many bytes; it is there until the next `call`.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(bytes: usize) -> *mut u8 {
    MESSAGE.with_borrow_mut(|message| {
        message.clear();
        message.resize(bytes, 0);
        message.as_mut_ptr()
    })
}

/// Answers the message that was written into the room.
#[unsafe(no_mangle)]
pub extern "C" fn call() {
    panic::set_hook(Box::new(|information| {
        let failure = Failure::panicked(information.to_string());
        let answer = serde_json::to_vec(&serde_json::json!({ "error": failure })).unwrap_or_default();
        // A call that fails holds neither of them.
        let _ = ANSWER.try_with(|kept| kept.try_borrow_mut().map(|mut kept| *kept = answer));
    }));
    let message = MESSAGE.take();
    let answer = SESSION.with_borrow_mut(|session| session.call(&String::from_utf8_lossy(&message)));
    ANSWER.set(answer.into_bytes());
}

/// Where the answer begins.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(Vec::as_ptr)
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}
