//! JSON for scripts that people can read too.

use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

/// The result of a task.
pub fn print_result(result: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    print(&serde_json::to_value(result)?, out)
}

/// One object over several lines; a list of plain values stays on one.
pub fn print(value: &Value, out: &mut dyn Write) -> io::Result<()> {
    write(value, 0, out)?;
    writeln!(out)
}

fn write(value: &Value, depth: usize, out: &mut dyn Write) -> io::Result<()> {
    let inner = "  ".repeat(depth + 1);
    let outer = "  ".repeat(depth);
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            writeln!(out, "{{")?;
            for (i, (key, entry)) in entries.iter().enumerate() {
                write!(out, "{inner}{}: ", Value::from(key.as_str()))?;
                write(entry, depth + 1, out)?;
                writeln!(out, "{}", if i + 1 < entries.len() { "," } else { "" })?;
            }
            write!(out, "{outer}}}")
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            writeln!(out, "[")?;
            for (i, item) in items.iter().enumerate() {
                write!(out, "{inner}")?;
                write(item, depth + 1, out)?;
                writeln!(out, "{}", if i + 1 < items.len() { "," } else { "" })?;
            }
            write!(out, "{outer}]")
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            write!(out, "[{}]", items.join(", "))
        }
        plain => write!(out, "{plain}"),
    }
}
