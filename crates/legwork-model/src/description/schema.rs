//! The tables of a robot file for editors (JSON schema) and for the book (Markdown).

use super::convention::{CONVENTIONS, ConventionRow};
use super::fields::{self, Alternatives, Count, Field, Need, Range, Table, ValueType};
use super::reader::TYPE;
use crate::families::{Family, FamilyRow};
use crate::units::Quantity;
use serde_json::{Map, Value, json};
use std::f64::consts::PI;

/// The tables of a robot file as Markdown, one chapter per family.
pub fn markdown() -> String {
    super::markdown::markdown()
}

/// JSON schema (2020-12) of a robot file.
pub fn json_schema() -> Value {
    let mut definitions = Map::new();
    for quantity in Quantity::ALL {
        definitions.insert(definition_name(quantity), quantity_schema(quantity));
    }
    for row in CONVENTIONS {
        let keys: Vec<Field> = row.geometry.iter().map(|(field, _)| *field).collect();
        definitions.insert(geometry_name(row), object(row.system, &keys, row.bare_numbers));
    }
    for (number, table) in shared_tables().into_iter().enumerate() {
        definitions.insert(shared_name(number, table), table_schema(table));
    }
    for row in rows() {
        definitions.insert(family_name(row), family_schema(row));
    }
    let cases = rows().map(|row| (row.name, json!({ "$ref": format!("#/$defs/{}", family_name(row)) })));
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "legwork robot file",
    });
    let body = by_word(&fields::FAMILY, cases);
    if let (Value::Object(schema), Value::Object(body)) = (&mut schema, body) {
        schema.extend(body);
        schema.insert("$defs".into(), definitions.into());
    }
    schema
}

/// An object whose other keys depend on the word behind one key.
fn by_word(field: &Field, cases: impl Iterator<Item = (&'static str, Value)>) -> Value {
    let key = field.key;
    let rules: Vec<Value> = cases
        .map(|(word, then)| {
            let condition = json!({ "properties": { key: { "const": word } }, "required": [key] });
            json!({ "if": condition, "then": then })
        })
        .collect();
    json!({
        "type": "object",
        "required": [key],
        "properties": { key: field_schema(field, true) },
        "allOf": rules,
    })
}

fn rows() -> impl Iterator<Item = &'static FamilyRow> {
    Family::ALL.iter().map(|family| family.row())
}

fn family_name(row: &FamilyRow) -> String {
    format!("family_{}", row.name)
}

/// A whole file of one family.
fn family_schema(row: &FamilyRow) -> Value {
    let top: Vec<Field> = row.top().copied().collect();
    let mut schema = object(row.meaning, &top, true);
    add_tables(&mut schema, row.tables());
    if row.has_conventions {
        schema["allOf"] = CONVENTIONS.iter().map(geometry_rule).collect();
    }
    schema
}

/// The tables that more than one family has; they are defined once.
fn shared_tables() -> Vec<&'static Table> {
    let families = |table: &Table| rows().filter(|row| row.tables().any(|own| own == table)).count();
    let mut shared: Vec<&'static Table> = Vec::new();
    for table in rows().flat_map(FamilyRow::tables) {
        if families(table) > 1 && !shared.contains(&table) {
            shared.push(table);
        }
    }
    shared
}

/// Tables of one name can differ, so each has a number.
fn shared_name(number: usize, table: &Table) -> String {
    format!("table_{}_{}", table.key(), number + 1)
}

/// Put tables into an object.
fn add_tables(schema: &mut Value, tables: impl IntoIterator<Item = &'static Table>) {
    let shared = shared_tables();
    for table in tables {
        let number = shared.iter().position(|other| *other == table);
        schema["properties"][table.key()] = match number {
            Some(number) => json!({ "$ref": format!("#/$defs/{}", shared_name(number, table)) }),
            None => table_schema(table),
        };
        if let (true, Some(other)) = (table.required, table.unless) {
            let either = json!({ "anyOf": [{ "required": [table.key()] }, { "required": [other] }] });
            match schema.get_mut("allOf").and_then(Value::as_array_mut) {
                Some(rules) => rules.push(either),
                None => schema["allOf"] = json!([either]),
            }
        } else if table.required
            && let Some(required) = schema["required"].as_array_mut()
        {
            required.push(table.key().into());
        }
    }
}

/// One table with the tables inside it.
fn table_schema(table: &Table) -> Value {
    let complete = |keys: &[Field]| {
        let mut schema = object(table.meaning, keys, true);
        add_tables(&mut schema, table.tables);
        let present = |group: &&Alternatives| {
            let mut all = group.choices.iter().flat_map(|choice| choice.needs.iter().chain(choice.may));
            all.any(|key| keys.iter().any(|field| field.key == *key))
        };
        let rules: Vec<Value> = table.alternatives.iter().filter(present).map(alternatives_schema).collect();
        if !rules.is_empty() {
            schema["allOf"] = rules.into();
        }
        schema
    };
    let schema = if !table.types.is_empty() {
        let kind = table.fields.iter().find(|field| field.key == TYPE);
        let cases = table.types.iter().map(|of| (of.word, complete(&[table.fields, of.fields].concat())));
        let mut schema = kind.map_or(Value::Null, |kind| by_word(kind, cases));
        schema["description"] = json!(table.meaning);
        schema
    } else if table.fields.is_empty() && table.tables.is_empty() {
        // The keys of a Delta's [geometry] are set by its convention.
        json!({ "type": "object", "description": table.meaning })
    } else {
        complete(table.fields)
    };
    if table.repeated { json!({ "type": "array", "items": schema, "minItems": 1 }) } else { schema }
}

/// At most one way to say a thing, or exactly one.
fn alternatives_schema(group: &Alternatives) -> Value {
    let any_of =
        |keys: &[&str]| -> Vec<Value> { keys.iter().map(|key| json!({ "required": [key] })).collect() };
    let mut cases: Vec<Value> = Vec::new();
    for (i, choice) in group.choices.iter().enumerate() {
        let others = group.choices.iter().enumerate().filter(|(j, _)| *j != i);
        let excluded: Vec<&str> =
            others.flat_map(|(_, other)| other.needs.iter().chain(other.may)).copied().collect();
        let mut case = json!({ "required": choice.needs });
        if !excluded.is_empty() {
            case["not"] = json!({ "anyOf": any_of(&excluded) });
        }
        cases.push(case);
    }
    if !group.required {
        let all: Vec<&str> =
            group.choices.iter().flat_map(|choice| choice.needs.iter().chain(choice.may)).copied().collect();
        cases.push(json!({ "not": { "anyOf": any_of(&all) } }));
    }
    json!({ "anyOf": cases })
}

/// The keys of `[geometry]`, if the convention is this one. Without a convention it is the default.
fn geometry_rule(row: &ConventionRow) -> Value {
    let mut condition = json!({ "properties": { "convention": { "enum": row.names } } });
    let is_default = fields::CONVENTION.need == Need::Default(row.convention.name());
    if !is_default {
        condition["required"] = json!(["convention"]);
    }
    let geometry = json!({ "$ref": format!("#/$defs/{}", geometry_name(row)) });
    json!({ "if": condition, "then": { "properties": { "geometry": geometry } } })
}

fn geometry_name(row: &ConventionRow) -> String {
    format!("geometry_{}", row.convention.name())
}

fn definition_name(quantity: Quantity) -> String {
    quantity.name().replace(' ', "_")
}

/// One table. Unless `bare` numbers are SI, a number other than 0 must be a text with its unit.
fn object(meaning: &str, keys: &[Field], bare: bool) -> Value {
    json!({
        "type": "object",
        "description": meaning,
        "additionalProperties": false,
        "required": required_keys(keys),
        "properties": object_of(keys, bare),
    })
}

fn required_keys(keys: &[Field]) -> Vec<&'static str> {
    keys.iter().filter(|field| field.need == Need::Required).map(|field| field.key).collect()
}

fn object_of(keys: &[Field], bare: bool) -> Map<String, Value> {
    let bare = |field: &Field| bare || field.unit_in_key.is_some();
    keys.iter().map(|field| (field.key.to_owned(), field_schema(field, bare(field)))).collect()
}

/// A number in SI or a text with a unit of this kind.
fn quantity_schema(quantity: Quantity) -> Value {
    let spellings: Vec<_> = quantity.units().flat_map(|unit| unit.spellings).map(|s| pattern(s)).collect();
    let unit = if spellings.is_empty() { String::new() } else { format!("({})?", spellings.join("|")) };
    let pattern = format!(r"^\s*[-+−]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*{unit}\s*$");
    json!({ "type": ["number", "string"], "pattern": pattern })
}

/// A regular expression for one spelling of a unit and the signs that stand for it.
fn pattern(spelling: &str) -> String {
    let mut pattern = String::new();
    for c in spelling.chars() {
        match c {
            ' ' => pattern.push_str(r"[\s·⋅*]+"),
            '2' => pattern.push_str(r"\^?[2²]"),
            '/' => pattern.push_str(r"\s*/\s*"),
            'u' => pattern.push_str("[uµμ]"),
            '(' | ')' => pattern.extend(['\\', c]),
            _ => pattern.push(c),
        }
    }
    pattern
}

fn field_schema(field: &Field, bare: bool) -> Value {
    let number = |quantity| {
        let mut schema = json!({ "$ref": format!("#/$defs/{}", definition_name(quantity)) });
        match field.range {
            // The range of a vector is that of its length.
            _ if field.kind.is_vector() => {}
            Range::Any => {}
            Range::Positive => schema["exclusiveMinimum"] = json!(0),
            Range::NotNegative => schema["minimum"] = json!(0),
            Range::NotZero => schema["not"] = json!({ "const": 0 }),
            Range::HalfTurn => {
                schema["minimum"] = json!(-PI);
                schema["maximum"] = json!(PI);
            }
        }
        if !bare {
            schema["anyOf"] = json!([{ "type": "string" }, { "const": 0 }]);
        }
        schema
    };
    let array = |items: Value, count: Count| {
        let (fewest, most) = count.ends();
        json!({ "type": "array", "items": items, "minItems": fewest, "maxItems": most })
    };
    let vector = |quantity, count| array(number(quantity), Count::Exactly(count));
    let rows = |quantity| array(vector(quantity, 3), Count::Exactly(3));
    let mut schema = match field.kind {
        ValueType::Text => json!({ "type": "string" }),
        ValueType::Names => {
            json!({ "type": "array", "items": { "type": "string" }, "minItems": 1, "uniqueItems": true })
        }
        ValueType::Flag => json!({ "type": "boolean" }),
        ValueType::Whole(fewest, most) => json!({ "type": "integer", "minimum": fewest, "maximum": most }),
        ValueType::Choice(words) => json!({ "enum": words }),
        ValueType::ChoicePerLeg(words, count) => {
            json!({ "anyOf": [{ "enum": words }, array(json!({ "enum": words }), count)] })
        }
        ValueType::ChoiceOrList(words, names) => {
            let mut list = array(json!({ "enum": names }), Count::Between(1, names.len()));
            list["uniqueItems"] = json!(true);
            json!({ "anyOf": [{ "enum": words }, list] })
        }
        ValueType::Number(quantity) => number(quantity),
        ValueType::NumberPerLeg(quantity, count) => {
            json!({ "anyOf": [number(quantity), array(number(quantity), count)] })
        }
        ValueType::Vector(quantity, count) => vector(quantity, count),
        ValueType::VectorPerLeg(quantity, count) => {
            json!({ "anyOf": [vector(quantity, 3), array(vector(quantity, 3), count)] })
        }
        ValueType::Points(quantity, count) => array(vector(quantity, 3), count),
        ValueType::Matrix => rows(Quantity::Ratio),
        ValueType::Inertia => {
            let inertia = Quantity::Inertia;
            json!({ "anyOf": [vector(inertia, 3), vector(inertia, 6), rows(inertia)] })
        }
    };
    let unit = match unit(field, bare) {
        Unit::None => String::new(),
        Unit::Of(unit) => format!("A bare number is in {unit}. "),
        Unit::Written => "Needs its unit. ".into(),
    };
    schema["description"] = json!(format!("{} {unit}{}.", field.meaning, capital(&need(field))));
    schema
}

/// How a number gets its unit.
pub(super) enum Unit {
    /// It has none.
    None,
    /// A bare number is in this one.
    Of(&'static str),
    /// It must be written.
    Written,
}

pub(super) fn unit(field: &Field, bare: bool) -> Unit {
    match (field.unit_in_key, field.kind.quantity().map_or("", Quantity::si_unit)) {
        (Some(unit), _) => Unit::Of(unit),
        (None, "") => Unit::None,
        (None, unit) if bare => Unit::Of(unit),
        (None, _) => Unit::Written,
    }
}

pub(super) fn need(field: &Field) -> String {
    match field.need {
        Need::Required => "required".into(),
        Need::Optional(meaning) => format!("optional: {meaning}"),
        Need::Default(value) | Need::Derived(value) => format!("default: {value}"),
        Need::OneOf(which) => which.into(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
