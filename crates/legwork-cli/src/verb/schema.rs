//! `legwork schema`: the JSON schema of robot files or of requests.

use crate::failure::Failure;
use crate::{Outcome, json};
use legwork::description::schema::json_schema;
use legwork::task::REQUEST_SCHEMA;
use serde_json::Value;
use std::io::Write;

pub fn run(of_requests: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if of_requests {
        json::print(&of_all_requests(), out)?;
    } else {
        json::print(&json_schema(), out)?;
    }
    Ok(Outcome::Done)
}

/// The schema of the library's requests, with those of the crates above it.
fn of_all_requests() -> Value {
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let mut schema = read(REQUEST_SCHEMA);
    let mut more = read(legwork_identify::task::REQUEST_SCHEMA);
    if let (Some(Value::Array(all)), Some(Value::Array(own))) =
        (schema.get_mut("oneOf"), more.get_mut("oneOf"))
    {
        all.append(own);
    }
    // Kinds of values that both have are the same types.
    if let (Some(Value::Object(all)), Some(Value::Object(own))) =
        (schema.get_mut("$defs"), more.get_mut("$defs"))
    {
        all.append(own);
    }
    schema
}
