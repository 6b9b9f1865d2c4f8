//! `legwork schema`: the JSON schema of robot files.

use crate::failure::Failure;
use crate::{Outcome, json};
use legwork::description::schema::json_schema;
use std::io::Write;

pub fn run(out: &mut dyn Write) -> Result<Outcome, Failure> {
    json::print(&json_schema(), out)?;
    Ok(Outcome::Done)
}
