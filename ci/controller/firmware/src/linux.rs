//! What the same program needs on Linux on aarch64: an entry, and the system's calls to print and to end. Nothing is counted.

use core::arch::{asm, global_asm};
use core::fmt;

global_asm!(".global _start", "_start:", "bl start", "brk 1");

/// A call of the system with three arguments; its answer is not looked at.
fn call(number: usize, arguments: [usize; 3]) {
    let [a, b, c] = arguments;
    // SAFETY: only `write` of memory that is there, and `exit`, see below.
    unsafe { asm!("svc 0", in("x8") number, inout("x0") a => _, in("x1") b, in("x2") c, options(nostack)) }
}

/// Ends the run with 0 if all was well, else with 1.
pub fn exit(well: bool) -> ! {
    call(93, [usize::from(!well), 0, 0]);
    loop {}
}

/// The standard output.
pub struct Terminal;

impl fmt::Write for Terminal {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        call(64, [1, text.as_ptr().addr(), text.len()]);
        Ok(())
    }
}

/// No clock.
pub struct Clock;

impl Clock {
    pub fn start() -> Self {
        Self
    }

    pub fn now(&self) -> u32 {
        0
    }

    pub fn instructions(_before: u32, _after: u32) -> u32 {
        0
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    exit(false)
}
