//! A request as a line of the program, where its verb has options for all that the request says.

use crate::command::quoted;
use legwork::task::{Request, RequestFormat};
use serde_json::{Value, json};

/// A value of a request and its option.
type Options = &'static [(&'static str, &'static str)];

const PATH: Options = &[
    ("path.kind", "path"),
    ("path.from", "from"),
    ("path.to", "to"),
    ("path.height", "height"),
    ("path.lift", "lift"),
    ("path.lower", "lower"),
    ("path.corner", "corner"),
    ("carry", "carry"),
    ("pause", "pause"),
];

const LAW: Options = &[
    ("law.shape", "law"),
    ("law.move_time", "move-time"),
    ("law.peak", "peak"),
    ("law.average_speed", "average-speed"),
    ("law.limits", "limits"),
    ("fastest", "fastest"),
];

const LIMITS: Options = &[
    ("limits.torque_limit", "torque-limit"),
    ("limits.speed_limit", "speed-limit"),
    ("limits.path_speed", "path-speed"),
    ("limits.acceleration", "acceleration"),
    ("limits.normal_acceleration", "normal-acceleration"),
    ("one_way", "one-way"),
];

const LOOP: Options = &[
    ("back", "back"),
    ("cycles", "cycles"),
    ("settle", "settle"),
    ("band", "band"),
    ("controller.regulators", "regulator"),
    ("controller.period", "period"),
    ("controller.frequency", "frequency"),
    ("controller.damping", "damping"),
    ("controller.kp", "kp"),
    ("controller.kd", "kd"),
    ("controller.ki", "ki"),
    ("controller.lqr_weights", "lqr-weights"),
    ("controller.shift", "shift"),
    ("controller.decouple", "decouple"),
    ("controller.exact_derivatives", "exact-derivatives"),
    ("controller.no_bias", "no-bias"),
    ("controller.command_limit", "command-limit"),
    ("controller.known_payload", "known-payload"),
    ("controller.ignores_loads", "ignore-loads"),
    ("plant.lag", "lag"),
    ("plant.effort_limit", "effort-limit"),
    ("plant.rate_limit", "rate-limit"),
    ("plant.speed_limit", "speed-limit"),
    ("plant.file_limits", "file-limits"),
    ("plant.encoder", "encoder"),
    ("plant.noise", "noise"),
    ("plant.delay", "delay"),
    ("plant.seed", "seed"),
];

const SIZE: Options = &[("motors", "motors"), ("inertia_ratio", "inertia-ratio"), ("by", "by")];

const MAP: Options = &[
    ("x", "x"),
    ("y", "y"),
    ("z", "z"),
    ("roll", "roll"),
    ("pitch", "pitch"),
    ("yaw", "yaw"),
    ("direction", "direction"),
    ("ignore_limits", "ignore-limits"),
    ("volume", "volume"),
    ("cells", "cells"),
    ("mesh", "mesh"),
    ("out", "out"),
];

/// The line, with `file` as the robot; nothing if the request says something that no option says.
pub(crate) fn line(request: &Request, file: &str) -> Option<String> {
    let (verb, tables): (_, &[Options]) = match request {
        Request::Follow(_) => ("simulate", &[PATH, LAW, LOOP]),
        Request::Plan(_) => ("plan", &[PATH, LIMITS]),
        Request::Size(_) => ("size", &[PATH, LAW, LIMITS, SIZE]),
        Request::Map(_) => ("map", &[MAP]),
        _ => return None,
    };
    let given = serde_json::to_value(request).ok()?;
    let usual = json!({ "task": request.task(), "robot": given["robot"] }).to_string();
    let usual = serde_json::to_value(Request::parse(&usual, RequestFormat::Json).ok()?).ok()?;
    let mut words = vec!["legwork".to_owned(), verb.into(), quoted(file)];
    if let Some(quantities) = given["quantities"].as_array().filter(|_| verb == "map") {
        let names: Vec<&str> = quantities.iter().filter_map(Value::as_str).collect();
        words.push(names.join(","));
    }
    let told = words.len();
    for (key, value) in leaves(&given) {
        let of_usual = usual.pointer(&format!("/{}", key.replace('.', "/")));
        let is_usual = of_usual == Some(&value) && !key.starts_with("robot");
        if is_usual || value.is_null() || ["task", "quantities"].contains(&key.as_str()) {
            continue;
        }
        if let Some(rest) = key.strip_prefix("robot") {
            words.extend(of_robot(rest, &value)?);
        } else if let Some(part) = model_error(&key) {
            words.extend(part_in_per_cent(part, &value)?);
        } else {
            let (_, option) = tables.iter().flat_map(|table| table.iter()).find(|(path, _)| *path == key)?;
            words.push(format!("--{option}"));
            words.extend(written(&value)?);
        }
    }
    // Without an option of the path or of the controller the verb lets go of the robot.
    let follows = verb != "simulate" || words.len() > told;
    follows.then(|| words.join(" "))
}

/// The values of a request with their paths; a range and a list are one value each.
fn leaves(value: &Value) -> Vec<(String, Value)> {
    fn collect(path: &str, value: &Value, found: &mut Vec<(String, Value)>) {
        match value {
            Value::Object(entries) if !entries.contains_key("count") => {
                for (key, entry) in entries {
                    let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                    collect(&path, entry, found);
                }
            }
            _ => found.push((path.to_owned(), value.clone())),
        }
    }
    let mut found = Vec::new();
    collect("", value, &mut found);
    found
}

/// How a robot differs from its file.
fn of_robot(key: &str, value: &Value) -> Option<Vec<String>> {
    let option = match key {
        "" | ".name" | ".text" => return Some(Vec::new()),
        ".working_mode" => "--mode",
        ".payload" => "--payload",
        _ => return None,
    };
    Some([vec![option.to_owned()], written(value)?].concat())
}

/// The option and the part that a share of an error is.
fn model_error(key: &str) -> Option<(&'static str, &str)> {
    let of_machine = key.strip_prefix("plant.model_error.").map(|part| ("--model-error", part));
    of_machine.or_else(|| key.strip_prefix("controller.known_error.").map(|part| ("--known-error", part)))
}

/// `--model-error mass=10`, if that is the same share to the bit.
fn part_in_per_cent((option, part): (&str, &str), value: &Value) -> Option<Vec<String>> {
    let share = value.as_f64()?;
    if share == 0.0 {
        return Some(Vec::new());
    }
    let text = format!("{:.9}", share * 100.0);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let same = text.parse::<f64>().is_ok_and(|per_cent| per_cent / 100.0 == share);
    let part = if part == "motor_inertia" { "motor" } else { part };
    same.then(|| vec![option.to_owned(), format!("{part}={text}")])
}

/// The words behind an option.
fn written(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Bool(true) => Some(Vec::new()),
        Value::Number(number) => Some(vec![number.to_string()]),
        Value::String(text) => Some(vec![quoted(text)]),
        Value::Array(items) => {
            let words = items.iter().map(|item| match item {
                Value::Number(_) | Value::String(_) => written(item),
                _ => None,
            });
            Some(words.collect::<Option<Vec<_>>>()?.concat())
        }
        Value::Object(range) => Some(vec![format!(
            "{}..{}/{}",
            range.get("from")?.as_f64()?,
            range.get("to")?.as_f64()?,
            range.get("count")?.as_u64()?
        )]),
        _ => None,
    }
}
