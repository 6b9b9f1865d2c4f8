//! What a Cortex-M under qemu needs: vectors, floating point on, a clock that counts instructions, and semihosting to print.

use core::arch::{asm, global_asm};
use core::fmt;

// The table of vectors; coprocessors 10 and 11 are switched on (CPACR) before anything computes.
global_asm!(
    ".section .vectors, \"a\"",
    ".word stack_top",
    ".word reset",
    ".rept 14",
    ".word stop",
    ".endr",
    ".section .text.reset, \"ax\"",
    ".global reset",
    ".thumb_func",
    "reset:",
    "ldr r0, =0xE000ED88",
    "ldr r1, [r0]",
    "orr r1, r1, #0xF00000",
    "str r1, [r0]",
    "dsb",
    "isb",
    "bl start",
    ".thumb_func",
    "stop:",
    "b stop",
);

/// A call of the debugger: operation and argument.
fn semihosting(operation: u32, argument: *const u8) {
    // SAFETY: the debugger reads what the argument points to and answers in r0.
    unsafe { asm!("bkpt 0xAB", inout("r0") operation => _, in("r1") argument, options(nostack)) }
}

/// Ends the run; qemu leaves with 0 if all was well, else with 1.
pub fn exit(well: bool) -> ! {
    // ADP_Stopped_ApplicationExit, or ADP_Stopped_RunTimeErrorUnknown.
    semihosting(0x18, if well { 0x20026 } else { 0x20023 } as *const u8);
    loop {}
}

/// The terminal of the debugger.
pub struct Terminal;

impl fmt::Write for Terminal {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.as_bytes() {
            semihosting(0x03, byte);
        }
        Ok(())
    }
}

/// SysTick, which counts down; under `-icount shift=0` one tick is 40 instructions.
pub struct Clock;

impl Clock {
    const CONTROL: *mut u32 = 0xE000_E010 as *mut u32;
    const RELOAD: *mut u32 = 0xE000_E014 as *mut u32;
    const NOW: *mut u32 = 0xE000_E018 as *mut u32;

    pub fn start() -> Self {
        // SAFETY: registers of every Cortex-M, which nothing else here uses.
        unsafe {
            Self::RELOAD.write_volatile(0x00FF_FFFF);
            Self::NOW.write_volatile(0);
            Self::CONTROL.write_volatile(5);
        }
        Self
    }

    pub fn now(&self) -> u32 {
        // SAFETY: as above.
        unsafe { Self::NOW.read_volatile() }
    }

    /// Instructions between two readings.
    pub fn instructions(before: u32, after: u32) -> u32 {
        40 * (before.wrapping_sub(after) & 0x00FF_FFFF)
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    exit(false)
}
