//! The types of messages and answers for TypeScript are generated from those of Rust and committed, so that nobody who builds
//! the page builds the generator. With `LEGWORK_ACCEPT=1` the file is written anew.
//!
//! Our own hundred lines over the schema of `schemars`, which requests have already: the crates that write TypeScript know
//! nothing of it, and would ask for a second derive on every request.
#![cfg(feature = "schema")]

use legwork_session::{
    Along, Answer, Choices, CodeFiles, CommandText, Equation, Failure, FieldGrid, FieldNumbers, Message,
    Modes, RobotListEntry, RobotSheet, Session, StateSheet, TaskAnswer,
};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

const HEAD: &str = "\
// Generated from the types of crate legwork-session by its test `messages`; do not edit.
// LEGWORK_ACCEPT=1 cargo test -p legwork-session --all-features --test messages
";

/// The type that an answer has in TypeScript.
fn type_of(answer: &Answer) -> &'static str {
    match answer {
        Answer::Robots(_) => "RobotListEntry[]",
        Answer::Choices(_) => "Choices",
        Answer::Number(_) => "number",
        Answer::Robot(_) => "RobotSheet",
        Answer::State(_) => "StateSheet",
        Answer::Modes(_) => "Modes",
        Answer::Grid(_) => "FieldGrid",
        Answer::Field(_) => "FieldNumbers",
        Answer::Along(_) => "Along",
        Answer::Task(_) => "TaskAnswer",
        Answer::Equations(_) => "Equation[]",
        Answer::Command(_) => "CommandText",
        Answer::Code(_) => "CodeFiles",
    }
}

/// One message of each kind, so that a session says what it answers.
const EXAMPLES: &[&str] = &[
    r#"{"ask": "robots"}"#,
    r#"{"ask": "choices"}"#,
    r#"{"ask": "number", "text": "50 mm", "name": "x", "unit": "m"}"#,
    r#"{"ask": "open", "name": "delta-industrial"}"#,
    r#"{"ask": "edit", "path": "mass.platform", "value": "0.5 kg"}"#,
    r#"{"ask": "vary"}"#,
    r#"{"ask": "state"}"#,
    r#"{"ask": "joints", "q": [0.5, 0.5, 0.5]}"#,
    r#"{"ask": "modes"}"#,
    r#"{"ask": "grid", "request": {"quantities": ["condition"]}}"#,
    r#"{"ask": "field", "request": {"quantities": ["condition"]}, "from": 0, "to": 1}"#,
    r#"{"ask": "along"}"#,
    r#"{"ask": "task", "request": {"task": "linearize"}}"#,
    r#"{"ask": "equations"}"#,
    r#"{"ask": "command"}"#,
    r#"{"ask": "code", "what": ["inverse-kinematics"], "language": "c"}"#,
];

/// What is answered to what, as a session does it: a line for each kind of message.
fn answers() -> BTreeMap<String, &'static str> {
    let mut session = Session::default();
    let answered = |text: &&str| {
        let message: Message = serde_json::from_str(text).unwrap();
        let ask = serde_json::from_str::<Value>(text).unwrap()["ask"].as_str().unwrap().to_owned();
        let answer = session.answer(message).unwrap_or_else(|failure| panic!("{text}: {failure:?}"));
        (ask, type_of(&answer))
    };
    EXAMPLES.iter().map(answered).collect()
}

/// The names of all kinds of messages.
fn asks(message: &Value) -> Vec<String> {
    let kinds = message["oneOf"].as_array().unwrap().iter();
    let mut names: Vec<String> =
        kinds.map(|kind| kind["properties"]["ask"]["const"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// The type of a schema.
fn written(schema: &Value) -> String {
    let Value::Object(schema) = schema else { return "unknown".into() };
    let mut parts = Vec::new();
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        parts.push(named(name));
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(Value::Array(choices)) = schema.get(key) {
            let mut words: Vec<String> = choices.iter().map(written).collect();
            words.dedup();
            parts.push(format!("({})", words.join(" | ")));
        }
    }
    if let Some(Value::Array(all)) = schema.get("allOf") {
        parts.extend(all.iter().map(written));
    }
    if let Some(value) = schema.get("const") {
        parts.push(value.to_string());
    } else if let Some(Value::Array(values)) = schema.get("enum") {
        parts.push(format!("({})", values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ")));
    } else if let Some(kind) = schema.get("type") {
        parts.push(typed(kind, schema));
    } else if schema.contains_key("properties") {
        parts.push(object(schema));
    }
    if parts.is_empty() { "unknown".into() } else { parts.join(" & ") }
}

fn typed(kind: &Value, schema: &Map<String, Value>) -> String {
    match kind {
        Value::Array(kinds) => {
            let words: Vec<String> = kinds.iter().map(|kind| typed(kind, schema)).collect();
            format!("({})", words.join(" | "))
        }
        Value::String(kind) => match kind.as_str() {
            "string" | "boolean" | "null" => kind.clone(),
            "number" | "integer" => "number".into(),
            "array" => array(schema),
            "object" => object(schema),
            other => panic!("a type `{other}`"),
        },
        other => panic!("a type {other}"),
    }
}

fn array(schema: &Map<String, Value>) -> String {
    if let Some(Value::Array(items)) = schema.get("prefixItems") {
        return format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", "));
    }
    let item = schema.get("items").map_or_else(|| "unknown".into(), written);
    let (least, most) =
        (schema.get("minItems").and_then(Value::as_u64), schema.get("maxItems").and_then(Value::as_u64));
    match (least, most) {
        (Some(least), Some(most)) if least == most && most <= 9 => {
            let count = usize::try_from(most).unwrap();
            format!("[{}]", vec![item; count].join(", "))
        }
        _ if item.contains([' ', '&']) && !item.starts_with('(') => format!("({item})[]"),
        _ => format!("{item}[]"),
    }
}

fn object(schema: &Map<String, Value>) -> String {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut lines = String::new();
    for (key, value) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let mark = if required.contains(&key.as_str()) { "" } else { "?" };
        lines += &comment(value, "  ");
        let is_name = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let key = if is_name { key.clone() } else { format!("{key:?}") };
        let kind = written(value).replace('\n', "\n  ");
        lines.extend(["  ", key.as_str(), mark, ": ", kind.as_str(), ";\n"]);
    }
    match schema.get("additionalProperties") {
        Some(value @ Value::Object(_)) => lines.extend(["  [key: string]: ", written(value).as_str(), ";\n"]),
        _ if lines.is_empty() => return "{ [key: string]: unknown }".into(),
        _ => {}
    }
    format!("{{\n{lines}}}")
}

fn named(reference: &str) -> String {
    reference.rsplit('/').next().unwrap().to_owned()
}

/// What a type or a key is, without examples in Rust and with plain brackets.
fn comment(schema: &Value, indent: &str) -> String {
    let Some(text) = schema.get("description").and_then(Value::as_str) else { return String::new() };
    let text = text
        .split("\n\n```")
        .next()
        .unwrap_or("")
        .replace("\\[", "[")
        .replace("\\]", "]")
        .replace("*/", "* /");
    let lines: Vec<&str> = text.lines().collect();
    if let [one] = lines.as_slice() {
        return format!("{indent}/** {one} */\n");
    }
    let body: String =
        lines.iter().map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n").collect();
    format!("{indent}/**\n{body}{indent} */\n")
}

fn add<T: JsonSchema>(generator: &mut SchemaGenerator, names: &mut Vec<(String, Value)>) {
    let schema = generator.root_schema_for::<T>().to_value();
    names.push((T::schema_name().into_owned(), schema));
}

/// Every type of these roots, by name.
fn definitions(roots: Vec<(String, Value)>) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    for (name, mut root) in roots {
        if let Some(Value::Object(inner)) = root.as_object_mut().unwrap().remove("$defs") {
            all.extend(inner);
        }
        all.insert(name, root);
    }
    all
}

#[test]
fn the_committed_types_are_those_of_rust() {
    let (mut asked, mut answered) = (Vec::new(), Vec::new());
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    add::<Message>(&mut generator, &mut asked);
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    add::<RobotListEntry>(&mut generator, &mut answered);
    add::<Choices>(&mut generator, &mut answered);
    add::<RobotSheet>(&mut generator, &mut answered);
    add::<StateSheet>(&mut generator, &mut answered);
    add::<Modes>(&mut generator, &mut answered);
    add::<FieldGrid>(&mut generator, &mut answered);
    add::<FieldNumbers>(&mut generator, &mut answered);
    add::<Along>(&mut generator, &mut answered);
    add::<TaskAnswer>(&mut generator, &mut answered);
    add::<Equation>(&mut generator, &mut answered);
    add::<CommandText>(&mut generator, &mut answered);
    add::<CodeFiles>(&mut generator, &mut answered);
    add::<Failure>(&mut generator, &mut answered);
    let mut all = definitions(asked);
    let answers = answers();
    assert_eq!(
        answers.keys().cloned().collect::<Vec<_>>(),
        asks(&all["Message"]),
        "a message without an example"
    );
    for (name, schema) in definitions(answered) {
        if let Some(other) = all.get(&name) {
            assert_eq!(
                written(other),
                written(&schema),
                "`{name}` is asked in one form and answered in another"
            );
        }
        all.insert(name, schema);
    }
    let mut text = HEAD.to_owned();
    for (name, schema) in &all {
        text.extend([
            "\n",
            comment(schema, "").as_str(),
            "export type ",
            name.as_str(),
            " = ",
            written(schema).as_str(),
            ";\n",
        ]);
    }
    text += "\n/** What is answered, by what was asked. */\nexport type Answers = {\n";
    text.extend(answers.iter().map(|(ask, answer)| format!("  {ask}: {answer};\n")));
    text += "};\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../legwork-studio/web/src/studio/messages.ts");
    if std::env::var_os("LEGWORK_ACCEPT").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    } else {
        let committed = std::fs::read_to_string(file).unwrap_or_default();
        assert!(committed == text, "stale: run this test with LEGWORK_ACCEPT=1");
    }
}
