//! The field table for editors (JSON schema) and for the book (Markdown).

use super::convention::{CONVENTIONS, ConventionRow, Gives, Measured};
use super::fields::{self, Field, Kind, Need, Range, Table};
use crate::units::Quantity;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// JSON schema (2020-12) of a robot file.
pub fn json_schema() -> Value {
    let mut properties = object_of(fields::TOP.fields, true);
    for table in fields::TABLES {
        // The keys of [geometry] are set by the convention, below.
        let schema = match table.fields {
            [] => json!({ "type": "object", "description": table.meaning }),
            keys => table_schema(table.meaning, keys, true),
        };
        properties.insert(table.name.into(), schema);
    }
    let mut definitions = Map::new();
    for quantity in Quantity::ALL {
        definitions.insert(definition_name(quantity), quantity_schema(quantity));
    }
    for row in CONVENTIONS {
        let keys: Vec<Field> = row.geometry.iter().map(|(field, _)| *field).collect();
        definitions.insert(geometry_name(row), table_schema(row.system, &keys, row.bare_numbers));
    }
    let mut required = required_keys(fields::TOP.fields);
    required.push(fields::GEOMETRY.name);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "legwork robot file",
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": properties,
        "allOf": CONVENTIONS.iter().map(geometry_rule).collect::<Vec<_>>(),
        "$defs": definitions,
    })
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
fn table_schema(meaning: &str, keys: &[Field], bare: bool) -> Value {
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
            Range::Any => {}
            Range::Positive => schema["exclusiveMinimum"] = json!(0),
            Range::NotNegative => schema["minimum"] = json!(0),
            Range::NotZero => schema["not"] = json!({ "const": 0 }),
        }
        if !bare {
            schema["anyOf"] = json!([{ "type": "string" }, { "const": 0 }]);
        }
        schema
    };
    let three = |items: Value| json!({ "type": "array", "items": items, "minItems": 3, "maxItems": 3 });
    let mut schema = match field.kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::ChoicePerLeg(words) => json!({ "anyOf": [{ "enum": words }, three(json!({ "enum": words }))] }),
        Kind::Number(quantity) => number(quantity),
        Kind::NumberPerLeg(quantity) => json!({ "anyOf": [number(quantity), three(number(quantity))] }),
        Kind::Vector(quantity) => three(number(quantity)),
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
enum Unit {
    /// It has none.
    None,
    /// A bare number is in this one.
    Of(&'static str),
    /// It must be written.
    Written,
}

fn unit(field: &Field, bare: bool) -> Unit {
    match (field.unit_in_key, field.kind.quantity().map_or("", Quantity::si_unit)) {
        (Some(unit), _) => Unit::Of(unit),
        (None, "") => Unit::None,
        (None, unit) if bare => Unit::Of(unit),
        (None, _) => Unit::Written,
    }
}

fn need(field: &Field) -> String {
    match field.need {
        Need::Required => "required".into(),
        Need::Optional(meaning) => format!("optional: {meaning}"),
        Need::Default(value) | Need::Derived(value) => format!("default: {value}"),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The field table as Markdown, one section per table and one per convention.
pub fn markdown() -> String {
    let mut page = String::new();
    let title = |table: &Table| match table.name {
        "" => "Top of the file".to_owned(),
        name => format!("`[{name}]`"),
    };
    for table in std::iter::once(&fields::TOP).chain(fields::TABLES) {
        section(&mut page, &format!("## {}", title(table)), table.meaning, table.fields, true);
        if table.name == fields::GEOMETRY.name {
            for row in CONVENTIONS {
                let keys: Vec<Field> = row.geometry.iter().map(|(field, _)| *field).collect();
                let names: Vec<_> = row.names.iter().map(|name| format!("`\"{name}\"`")).collect();
                let title = format!("### convention {}", names.join(", "));
                section(&mut page, &title, &facts(row), &keys, row.bare_numbers);
            }
        }
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

/// What a convention fixes, in words.
fn facts(row: &ConventionRow) -> String {
    let [a, b, c] = row.azimuth_deg;
    let direction = if row.angle_sign > 0.0 { "down" } else { "up" };
    let mut text = format!(
        "{}. Legs at {a}, {b}, {c} deg. Motor angle {} deg when the arm is horizontal, positive {direction}.",
        row.system, row.angle_zero_deg
    );
    for (field, gives) in row.geometry {
        let rule = match gives {
            Gives::BaseRadius(measured) | Gives::PlatformRadius(measured) => match measured {
                Measured::Radius => continue,
                Measured::SideJointsAtMiddle => "divided by 2 sqrt(3) is a radius",
                Measured::SideJointsAtCorners => "divided by sqrt(3) is a radius",
            },
            Gives::RadiusDifference => "is the base radius less the platform radius",
            Gives::Height => "is where our z = 0 lies",
            Gives::Arm | Gives::Forearm | Gives::Azimuth => continue,
        };
        // Writing to a String cannot fail.
        let _ = write!(text, " `{}` {rule}.", field.key);
    }
    if !row.bare_numbers {
        text.push_str(" A number other than 0 needs its unit here, in `[limits]` and in `[home]`");
        let named = row.geometry.iter().any(|(field, _)| field.unit_in_key.is_some());
        text.push_str(if named { ", unless the key names it." } else { "." });
    }
    text
}

fn section(page: &mut String, title: &str, text: &str, keys: &[Field], bare: bool) {
    let _ = write!(page, "{title}\n\n{text}\n\n");
    if keys.is_empty() {
        return;
    }
    page.push_str("| key | value | if it is not there | meaning |\n|---|---|---|---|\n");
    for field in keys {
        let value = match field.kind {
            Kind::Choice(words) | Kind::ChoicePerLeg(words) => {
                let words: Vec<_> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
                format!("{}: {}", field.kind.described(), words.join(", "))
            }
            kind => kind.described(),
        };
        let unit = match unit(field, bare) {
            Unit::None => String::new(),
            Unit::Of(unit) => format!(" \\[{unit}\\]"),
            Unit::Written => " with its unit".into(),
        };
        let _ = writeln!(page, "| `{}` | {value}{unit} | {} | {} |", field.key, need(field), field.meaning);
    }
    page.push('\n');
}
