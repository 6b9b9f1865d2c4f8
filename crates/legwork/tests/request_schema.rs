//! The JSON schema of requests is generated from their types and committed, so that nobody who uses it builds the
//! generator. With `LEGWORK_ACCEPT=1` the file is written anew.
#![cfg(feature = "schema")]

use legwork::task::{REQUEST_SCHEMA, Request};
use serde_json::Value;
use std::path::Path;

/// Descriptions are for editors: without the examples in Rust, and with plain brackets.
fn plain(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            if let Some(Value::String(text)) = entries.get_mut("description") {
                *text = text.split("\n\n```").next().unwrap_or("").replace("\\[", "[").replace("\\]", "]");
            }
            entries.values_mut().for_each(plain);
        }
        Value::Array(items) => items.iter_mut().for_each(plain),
        _ => {}
    }
}

#[test]
fn the_committed_schema_is_that_of_the_types() {
    let mut schema = serde_json::to_value(schemars::schema_for!(Request)).unwrap();
    plain(&mut schema);
    let schema = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    if std::env::var_os("LEGWORK_ACCEPT").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/request.schema.json");
        std::fs::write(file, schema).unwrap();
    } else {
        assert!(REQUEST_SCHEMA == schema, "stale: run this test with LEGWORK_ACCEPT=1");
    }
}
