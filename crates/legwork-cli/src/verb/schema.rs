//! `legwork schema`: the JSON schema of robot files or of requests.

use crate::failure::Failure;
use crate::{Outcome, json};
use legwork::description::schema::json_schema;
use legwork::task::REQUEST_SCHEMA;
use std::io::Write;

pub fn run(of_requests: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if of_requests {
        out.write_all(REQUEST_SCHEMA.as_bytes())?;
    } else {
        json::print(&json_schema(), out)?;
    }
    Ok(Outcome::Done)
}
