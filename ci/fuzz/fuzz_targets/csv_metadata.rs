//! See crates/legwork-attack/src/targets.rs.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| legwork_attack::targets::csv_metadata(data));
