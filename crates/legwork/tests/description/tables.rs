//! The tables behind robot files: every key is read, is in the schema and is in the documentation.

use legwork::description::convention::CONVENTIONS;
use legwork::description::fields::{Field, Need, Table, ValueType};
use legwork::description::schema::{json_schema, markdown};
use legwork::description::{BUILT_IN, ProblemKind, RobotDescription};
use legwork::families::Family;
use serde_json::Value;

/// One key, and the lines of a file up to it.
struct Row {
    start: String,
    field: Field,
}

/// The headers of a table and of those around it.
fn headers(row: &[&'static Table], table: &Table) -> String {
    let mut lines = String::new();
    for (at, _) in table.name.match_indices('.').chain([(table.name.len(), "")]) {
        let name = &table.name[..at];
        let outer = row.iter().find(|table| table.name == name).expect("a table of the family");
        lines.extend([outer.title(), "\n".into()]);
    }
    lines
}

/// Every key of every family, table, type and convention.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for family in Family::ALL.iter().map(|family| family.row()) {
        let start = format!("family = \"{}\"\n", family.name);
        // The family itself is given already.
        let top = family.top().filter(|field| field.key != "family");
        rows.extend(top.map(|field| Row { start: start.clone(), field: *field }));
        let tables: Vec<_> = family.tables().flat_map(Table::all).collect();
        for table in &tables {
            let start = format!("{start}{}", headers(&tables, table));
            for field in table.fields {
                // A word of its own would be a second one.
                rows.push(Row { start: start.clone(), field: *field });
            }
            for of in table.types {
                let start = format!("{start}type = \"{}\"\n", of.word);
                rows.extend(of.fields.iter().map(|field| Row { start: start.clone(), field: *field }));
            }
        }
    }
    for row in CONVENTIONS {
        let start = format!("family = \"delta\"\nconvention = \"{}\"\n[geometry]\n", row.convention.name());
        rows.extend(row.geometry.iter().map(|(field, _)| Row { start: start.clone(), field: *field }));
    }
    rows
}

/// What is said about a file that holds one key, if it is refused.
fn problems(row: &Row, value: &str) -> Vec<(ProblemKind, String)> {
    let text = format!("{}{} = {value}\n", row.start, row.field.key);
    let error = RobotDescription::parse(&text, "robot.toml");
    let problems = error.map_or_else(|error| error.problems, |_| Vec::new());
    problems.into_iter().map(|problem| (problem.kind.clone(), problem.to_string())).collect()
}

#[test]
fn every_field_of_the_tables_is_read() {
    let rows = rows();
    assert!(rows.len() > 300, "{}", rows.len());
    for row in rows {
        let (field, key) = (row.field, row.field.key);
        let wrong =
            |kind: &ProblemKind| matches!(kind, ProblemKind::WrongType { field: f, .. } if f.key == key);
        let found = problems(&row, "1979-05-27");
        assert!(found.iter().any(|(kind, _)| wrong(kind)), "{}{key}: {found:?}", row.start);
        // And its own example is fine.
        for (_, message) in problems(&row, &field.kind.example()) {
            let about = |start: &str| message.starts_with(&format!("`{key}` {start}"));
            assert!(!about("must") && !about("is a ") && !about("needs") && !about("cannot be"), "{message}");
            assert!(!about("is not a key"), "{message}");
        }
        // A default in the table is a value the field accepts.
        if let (Need::Default(value), ValueType::Number(quantity)) = (field.need, field.kind) {
            assert!(quantity.parse(value).is_ok(), "{key}");
        }
    }
}

#[test]
fn the_documentation_names_every_key() {
    let page = markdown();
    for row in rows() {
        assert!(page.contains(&format!("| `{}` | ", row.field.key)), "{}", row.field.key);
    }
    for family in Family::ALL.iter().map(|family| family.row()) {
        assert!(page.contains(&format!("# family `\"{}\"`", family.name)));
    }
}

/// Whether a value fits a schema; the part of JSON schema that ours is written in.
fn fits(schema: &Value, root: &Value, value: &Value) -> bool {
    let all = |key: &str| schema[key].as_array().cloned().unwrap_or_default();
    if let Some(path) = schema["$ref"].as_str() {
        let target = root.pointer(path.trim_start_matches('#')).unwrap_or_else(|| panic!("no {path}"));
        if !fits(target, root, value) {
            return false;
        }
    }
    let type_name = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is = |name: &Value| name == type_name || (name == "integer" && value.as_i64().is_some());
    let typed = match &schema["type"] {
        Value::Null => true,
        Value::Array(names) => names.iter().any(is),
        name => is(name),
    };
    let chosen = all("enum").is_empty() || all("enum").contains(value);
    let constant = schema.get("const").is_none_or(|constant| constant == value);
    let size = value.as_f64();
    let at_least = schema["minimum"].as_f64().is_none_or(|least| size.is_none_or(|x| x >= least));
    let at_most = schema["maximum"].as_f64().is_none_or(|most| size.is_none_or(|x| x <= most));
    let above = schema["exclusiveMinimum"].as_f64().is_none_or(|least| size.is_none_or(|x| x > least));
    let parts = all("allOf").iter().all(|part| fits(part, root, value))
        && (all("anyOf").is_empty() || all("anyOf").iter().any(|part| fits(part, root, value)))
        && schema.get("not").is_none_or(|part| !fits(part, root, value))
        && schema.get("if").is_none_or(|part| !fits(part, root, value) || fits(&schema["then"], root, value));
    let inside = match value {
        Value::Object(object) => {
            let required = all("required").iter().all(|key| object.contains_key(key.as_str().unwrap()));
            required
                && object.iter().all(|(key, inner)| match schema["properties"].get(key) {
                    Some(part) => fits(part, root, inner),
                    None => schema["additionalProperties"] != Value::Bool(false),
                })
        }
        Value::Array(items) => {
            let (fewest, most) = (schema["minItems"].as_u64(), schema["maxItems"].as_u64());
            let count = items.len() as u64;
            fewest.is_none_or(|n| count >= n)
                && most.is_none_or(|n| count <= n)
                && (schema["items"].is_null() || items.iter().all(|item| fits(&schema["items"], root, item)))
        }
        _ => true,
    };
    typed && chosen && constant && at_least && at_most && above && parts && inside
}

/// A robot file as JSON.
fn as_json(text: &str) -> Value {
    use toml::de::{DeTable, DeValue};
    fn value(from: &DeValue<'_>) -> Value {
        match from {
            DeValue::String(text) => text.to_string().into(),
            DeValue::Integer(number) => number.as_str().parse::<i64>().unwrap().into(),
            DeValue::Float(number) => number.as_str().parse::<f64>().unwrap().into(),
            DeValue::Boolean(flag) => (*flag).into(),
            DeValue::Datetime(date) => date.to_string().into(),
            DeValue::Array(items) => items.iter().map(|item| value(item.get_ref())).collect(),
            DeValue::Table(inner) => table(inner),
        }
    }
    fn table(from: &DeTable<'_>) -> Value {
        from.iter().map(|(key, inner)| (key.get_ref().to_string(), value(inner.get_ref()))).collect()
    }
    table(DeTable::parse(text).unwrap().get_ref())
}

#[test]
fn every_built_in_robot_fits_the_schema_and_no_longer_with_a_key_too_many() {
    let schema = json_schema();
    for robot in BUILT_IN {
        let file = as_json(robot.text);
        assert!(fits(&schema, &schema, &file), "{}", robot.name);
        for (key, inner) in file.as_object().unwrap() {
            let mut changed = file.clone();
            match inner {
                Value::Object(_) => changed[key]["a_key_too_many"] = 1.into(),
                Value::Array(legs) if legs[0].is_object() && key == "leg" => {
                    changed[key][0]["joint"][0]["a_key_too_many"] = 1.into();
                }
                Value::Array(list) if list[0].is_object() => changed[key][0]["a_key_too_many"] = 1.into(),
                _ => changed["a_key_too_many"] = 1.into(),
            }
            assert!(!fits(&schema, &schema, &changed), "{}: {key}", robot.name);
        }
        let mut without = file.clone();
        let has = |key: &&&str| file.get(**key).is_some();
        // A cell needs neither bodies nor joints of its own.
        let first = match file.get("robot") {
            Some(_) => "platform",
            None => *["leg", "joint"].iter().find(has).unwrap_or(&"geometry"),
        };
        without.as_object_mut().unwrap().remove(first);
        assert!(!fits(&schema, &schema, &without), "{}", robot.name);
    }
}

#[test]
fn every_key_of_the_schema_has_its_words() {
    let schema = json_schema();
    let mut found = 0;
    let mut open = vec![&schema];
    while let Some(value) = open.pop() {
        if let Some(properties) = value["properties"].as_object()
            && value["additionalProperties"] == Value::Bool(false)
        {
            for (key, property) in properties {
                // A shared table has its words where it is defined, a list those of its items.
                let target = property["$ref"].as_str().map(|path| path.trim_start_matches('#'));
                let places = [Some(property), target.and_then(|at| schema.pointer(at))];
                let words = places.into_iter().flatten().any(|place| {
                    place["description"].is_string() || place["items"]["description"].is_string()
                });
                assert!(words, "{key}: {property}");
                found += 1;
            }
        }
        open.extend(value.as_object().into_iter().flat_map(|object| object.values()));
        open.extend(value.as_array().into_iter().flatten());
    }
    assert!(found > 250, "{found}");
}
