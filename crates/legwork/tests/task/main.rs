//! Requests and what they run.

mod requests;
mod results;
mod runs;
