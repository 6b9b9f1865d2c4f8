//! JSON lines: one object per line.

use super::{column, unknown};
use crate::failure::Message;
use legwork::coordinates::{CoordinateSchema, Group, GroupSchema, UnitChoice, Values};
use legwork::json;
use legwork::units::Quantity;
use serde_json::Value;
use std::collections::BTreeMap;

/// Puts the numbers of an object into a row.
pub fn read(line: &str, row: &mut Values, schema: &CoordinateSchema) -> Result<(), Message> {
    let value = json::parse(line).map_err(|error| {
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or(&text).to_owned();
        if error.is_data() {
            return Message::new(reason);
        }
        Message::new(format!("not a JSON object: {reason}, column {}", error.column()))
    })?;
    let Value::Object(object) = value else {
        return Err(Message::new("not a JSON object: it is a list or a plain value"));
    };
    // A line that already failed in an earlier program of a pipe keeps its reason.
    if let Some(Value::String(reason)) = object.get("error") {
        return Err(Message::new(reason.as_str()));
    }
    let mut given: BTreeMap<(Group, usize), &str> = BTreeMap::new();
    let mut once = |group: Group, component: usize, name| match given.insert((group, component), name) {
        None => Ok(()),
        Some(before) => Err(Message::new(format!("`{before}` and `{name}` give the same number"))),
    };
    for (name, value) in &object {
        let key = schema.groups().iter().find(|known| known.key == name && !known.names.is_empty());
        if let Some(known) = key {
            (0..known.names.len()).try_for_each(|component| once(known.group, component, name))?;
            list(known, value, row, schema.choice())?;
        } else if let Some((group, component, kind)) =
            column(name, schema).map_err(|_| unknown("key", name, schema))?
        {
            once(group, component, name)?;
            row.set(group, component, number(name, kind, value, schema.choice())?);
        }
    }
    Ok(())
}

/// As many numbers as the group has names; one alone need not be a list, a matrix is a list of rows.
fn list(known: &GroupSchema, value: &Value, row: &mut Values, units: UnitChoice) -> Result<(), Message> {
    let items: Vec<&Value> = match value {
        Value::Array(rows) if known.group == Group::Rotation && rows.iter().all(Value::is_array) => {
            rows.iter().filter_map(Value::as_array).flatten().collect()
        }
        Value::Array(items) => items.iter().collect(),
        one => vec![one],
    };
    let is_list = value.is_array() || known.names.len() == 1;
    if !is_list || items.len() != known.names.len() {
        let needs = match known.names.len() {
            1 => "one number".into(),
            count => format!("a list of {count} numbers, {}", known.list()),
        };
        return Err(Message::new(format!("`{}` needs {needs}", known.key)));
    }
    for (component, (item, name)) in items.into_iter().zip(&known.names).enumerate() {
        row.set(known.group, component, number(&name.text, name.quantity, item, units)?);
    }
    Ok(())
}

/// A number in the units that were chosen, or a text with its own.
fn number(name: &str, kind: Quantity, value: &Value, units: UnitChoice) -> Result<f64, Message> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        other => {
            return Err(Message::new(format!("`{name}` is {}: {other} is not a number", kind.described())));
        }
    };
    kind.parse_request(&text, units.of_bare(kind))
        .map_err(|unreadable| Message::new(format!("`{name}` is {}: {}", kind.described(), unreadable)))
}
