//! The JSON schema of requests is generated from their types and committed, so that nobody who uses it builds the
//! generator. With `LEGWORK_ACCEPT=1` the file is written anew.
#![cfg(feature = "schema")]

#[path = "../../legwork/tests/schema_text/mod.rs"]
mod schema_text;

use legwork_identify::task::{REQUEST_SCHEMA, Request};
use std::path::Path;

#[test]
fn the_committed_schema_is_that_of_the_types() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/request.schema.json");
    schema_text::compare::<Request>(REQUEST_SCHEMA, &file);
}
