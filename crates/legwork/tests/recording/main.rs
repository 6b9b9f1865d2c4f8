//! Recordings: formats, damage, kills, other programs.

mod basics;
mod damage;
mod killed;
mod others;
#[path = "../recording_support/mod.rs"]
mod recording_support;
