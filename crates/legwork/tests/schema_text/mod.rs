//! The schema of a type as it is committed; tests of other crates read this file, too.

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

/// Compares the committed schema with that of a type, or writes it anew with `LEGWORK_ACCEPT=1`.
pub fn compare<T: schemars::JsonSchema>(committed: &str, file: &Path) {
    let mut schema = serde_json::to_value(schemars::schema_for!(T)).unwrap();
    plain(&mut schema);
    let schema = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    if std::env::var_os("LEGWORK_ACCEPT").is_some() {
        std::fs::write(file, schema).unwrap();
    } else {
        assert!(committed == schema, "stale: run this test with LEGWORK_ACCEPT=1");
    }
}
