//! JSON lines: one object per line.

use super::{column, unknown};
use crate::failure::Message;
use crate::quantity::Kind;
use crate::row::{GROUPS, GroupRow, Row};
use serde_json::{Map, Value};

/// Puts the numbers of an object into a row.
pub fn read(line: &str, row: &mut Row) -> Result<(), Message> {
    let object: Map<String, Value> = serde_json::from_str(line).map_err(|error| {
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or(&text).to_owned();
        Message::new(format!("not a JSON object: {reason}, column {}", error.column()))
    })?;
    // A line that already failed in an earlier program of a pipe keeps its reason.
    if let Some(Value::String(reason)) = object.get("error") {
        return Err(Message::new(reason.as_str()));
    }
    for (name, value) in &object {
        if let Some(known) = GROUPS.iter().find(|known| known.name == name) {
            three(known, value, row)?;
        } else if let Some((group, component)) = column(name).map_err(|_| unknown("key", name))? {
            row.set(group, component, number(name, group.row().kind, value)?);
        }
    }
    Ok(())
}

fn three(known: &GroupRow, value: &Value, row: &mut Row) -> Result<(), Message> {
    let needed = || Message::new(format!("`{}` needs a list of three numbers", known.name));
    let list = value.as_array().filter(|list| list.len() == 3).ok_or_else(needed)?;
    for (component, item) in list.iter().enumerate() {
        row.set(known.group, component, number(known.columns[component], known.kind, item)?);
    }
    Ok(())
}

/// A number in SI, or a text with a unit.
fn number(name: &str, kind: Kind, value: &Value) -> Result<f64, Message> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        other => {
            return Err(Message::new(format!("`{name}` is {}: {other} is not a number", kind.described())));
        }
    };
    kind.parse(&text, None).map_err(|unreadable| {
        Message::new(format!("`{name}` is {}: {}", kind.described(), unreadable.reason))
    })
}
