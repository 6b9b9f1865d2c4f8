//! Every message on every robot that comes with the library, and rubbish.

use legwork::description::BUILT_IN;
use legwork_session::Session;
use serde_json::{Value, json};
use std::f64::consts::PI;

fn ask(session: &mut Session, message: &Value) -> Value {
    let answer = session.call(&message.to_string());
    serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

fn good(session: &mut Session, message: &Value) -> Value {
    let mut answer = ask(session, message);
    assert!(answer.get("error").is_none(), "{message}: {}", answer["error"]);
    answer["ok"].take()
}

fn refused(session: &mut Session, message: &Value) -> Value {
    let mut answer = ask(session, message);
    assert!(answer.get("ok").is_none(), "{message} was answered");
    answer["error"].take()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// A robot that is open, and what it says of itself.
fn open(name: &str) -> (Session, Value) {
    let mut session = Session::default();
    let sheet = good(&mut session, &json!({ "ask": "open", "name": name }));
    (session, sheet)
}

#[test]
fn every_robot_opens_and_answers() {
    let list = good(&mut Session::default(), &json!({ "ask": "robots" }));
    assert_eq!(list.as_array().unwrap().len(), BUILT_IN.len());
    for robot in BUILT_IN {
        let name = robot.name;
        let (mut session, sheet) = open(name);
        let count = sheet["coordinates"].as_array().unwrap().len();
        assert!(count > 0 && sheet["is_built_in"] == true, "{name}");
        assert_eq!(sheet["home_values"].as_array().unwrap().len(), count, "{name}");
        let state = good(&mut session, &json!({ "ask": "state" }));
        assert_eq!(state["refused"], Value::Null, "{name}");
        assert!(!state["skeleton"]["parts"].as_array().unwrap().is_empty(), "{name}");
        let motors = sheet["motors"].as_array().unwrap().len();
        assert_eq!(numbers(&state["q"]).len(), motors, "{name}");
        // Motors lead back to where the platform is.
        let back = good(&mut session, &json!({ "ask": "joints", "q": state["q"], "parts": [] }));
        for (a, b) in numbers(&back["q"]).iter().zip(numbers(&state["q"])) {
            assert!((a - b).abs() < 1e-6, "{name}: {a} {b}"); // the search ends at a gap
        }
        let modes = good(&mut session, &json!({ "ask": "modes" }));
        let own = modes["working"].as_array().unwrap().iter().filter(|mode| mode["is_own"] == true).count();
        assert_eq!(own, 1, "{name}");
        let equations = good(&mut session, &json!({ "ask": "equations" }));
        assert!(equations.as_array().unwrap().len() >= 5, "{name}");
        let command = good(&mut session, &json!({ "ask": "command", "state": {} }));
        assert!(command["command"].as_str().unwrap().starts_with("legwork "), "{name}");
        if sheet["has_masses"] == true {
            assert!(state["torque"]["text"].as_str().unwrap().starts_with(name), "{name}");
            let pole_count = state["poles"].as_array().map_or(0, Vec::len);
            assert!(pole_count >= 2, "{name}: {pole_count}");
        }
    }
}

/// What a page shows is what `legwork torque` computes: the same numbers by another way, from the words of the command.
#[test]
fn the_command_of_a_state_gives_its_digits() {
    for name in ["delta-industrial", "gough-stewart", "five-bar", "planar-3rrr", "linear-delta"] {
        let (mut session, sheet) = open(name);
        let home = numbers(&sheet["home_values"]);
        let values: Vec<f64> = home.iter().enumerate().map(|(k, x)| x + 0.0123 / (k as f64 + 3.0)).collect();
        let twist: Vec<f64> = sheet["velocities"].as_array().unwrap().iter().map(|_| 0.1).collect();
        let state = good(&mut session, &json!({ "ask": "state", "values": values, "twist": twist }));
        let line = state["torque"]["command"].as_str().unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let read: Vec<f64> = words[3..3 + values.len()].iter().map(|word| word.parse().unwrap()).collect();
        assert_eq!(read, values, "{line}");
        let robot = legwork::AnyRobot::open(name).unwrap();
        let schema = legwork::coordinates::CoordinateSchema::of(&robot);
        let mut row = legwork::coordinates::Values::default();
        schema.read(&mut row, "", legwork::coordinates::POSE, &words[3..3 + values.len()]).unwrap();
        let speed = &words[words.iter().position(|word| *word == "--velocity").unwrap() + 1..];
        schema.read(&mut row, "--velocity", legwork::coordinates::VELOCITY, speed).unwrap();
        let efforts = robot.state(&schema.platform(&row).unwrap()).unwrap().dynamics.unwrap().motor;
        assert_eq!(numbers(&state["efforts"]["motor"]), efforts, "{name}");
    }
}

/// A pose that is given as position and quaternion is the one of its coordinates; a turn is applied before.
#[test]
fn poses_and_coordinates_agree() {
    let (mut session, sheet) = open("gough-stewart");
    let turned = good(
        &mut session,
        &json!({ "ask": "state", "pose": sheet["home"], "turn": [0.0, 0.0, 0.1], "parts": [] }),
    );
    let values = numbers(&turned["values"]);
    let home = numbers(&sheet["home_values"]);
    assert!((values[5] - home[5] - 0.1).abs() < 1e-12, "{values:?}"); // one sine and one arctangent
    let again = good(&mut session, &json!({ "ask": "state", "pose": turned["pose"], "parts": [] }));
    for (a, b) in numbers(&again["q"]).iter().zip(numbers(&turned["q"])) {
        assert!((a - b).abs() < 1e-12, "{a} {b}"); // a quaternion there and back
    }
}

#[test]
fn out_of_reach_is_said_and_answered_with_the_last_place_in_reach() {
    for name in ["delta-industrial", "hexa", "linear-delta", "five-bar"] {
        let (mut session, sheet) = open(name);
        let mut values = numbers(&sheet["home_values"]);
        let place = 0;
        values[place] += 40.0;
        let state = good(&mut session, &json!({ "ask": "state", "values": values, "parts": [] }));
        assert_eq!(state["refused"]["kind"], "reach", "{name}");
        assert!(!state["refused"]["what"].as_str().unwrap().is_empty());
        let reached = numbers(&state["values"]);
        assert!(
            reached[place] < values[place] && reached[place] >= numbers(&sheet["home_values"])[place],
            "{name}"
        );
    }
}

#[test]
fn a_number_is_edited_wrongly_and_rightly() {
    let (mut session, sheet) = open("delta-industrial");
    let before = good(&mut session, &json!({ "ask": "state" }));
    let of = |sheet: &Value, path: &str| {
        sheet["numbers"].as_array().unwrap().iter().find(|number| number["path"] == path).cloned().unwrap()
    };
    let arm = of(&sheet, "geometry.arm");
    assert!(arm["unit"] == "m" && arm["value"].as_f64().unwrap() > 0.0 && arm["meaning"] != "", "{arm}");
    for typed in ["-1 kg", "nan", "1 mm", "", "\"", "1e999", "heavy"] {
        let error = refused(&mut session, &json!({ "ask": "edit", "path": "mass.platform", "value": typed }));
        assert_eq!(error["kind"], "file", "{typed}: {error}");
        let problem = &error["problems"][0];
        let named = problem["field"] == "mass.platform"
            || problem["text"].as_str().unwrap_or("").contains("platform");
        assert!(named && problem["line"].is_u64(), "{typed}: {problem}");
    }
    // The robot is as it was.
    assert_eq!(good(&mut session, &json!({ "ask": "state" })), before);
    let heavier = good(&mut session, &json!({ "ask": "edit", "path": "mass.platform", "value": "2 kg" }));
    assert_eq!(of(&heavier, "mass.platform")["value"].as_f64(), Some(2.0));
    assert_eq!(heavier["is_built_in"], false);
    assert_ne!(good(&mut session, &json!({ "ask": "state" }))["efforts"], before["efforts"]);
    // Everything else in the file stays as it is written.
    let (old, new) = (sheet["text"].as_str().unwrap(), heavier["text"].as_str().unwrap());
    let differ = old.lines().zip(new.lines()).filter(|(a, b)| a != b).count();
    assert_eq!((old.lines().count(), differ), (new.lines().count(), 1));
    // A request about it carries the edited file.
    let text = good(&mut session, &json!({ "ask": "command", "request": { "task": "plan" } }));
    assert!(
        text["toml"].as_str().unwrap().contains("2 kg")
            && text["python"].as_str().unwrap().contains("lw.run")
    );
    // Undo is opening the text of before.
    let undone = good(&mut session, &json!({ "ask": "open", "name": "delta-industrial", "text": old }));
    assert_eq!(undone["is_built_in"], true);
    assert_eq!(good(&mut session, &json!({ "ask": "state" })), before);
}

/// Every number of every built-in file can be written again as it is, and the robot stays the same.
#[test]
fn numbers_are_where_their_paths_say() {
    for robot in BUILT_IN {
        let (mut session, sheet) = open(robot.name);
        let before = good(&mut session, &json!({ "ask": "state", "parts": [] }));
        for number in sheet["numbers"].as_array().unwrap().iter().step_by(7) {
            let edited = good(
                &mut session,
                &json!({ "ask": "edit", "path": number["path"], "value": number["text"] }),
            );
            let same =
                edited["numbers"].as_array().unwrap().iter().find(|other| other["path"] == number["path"]);
            assert_eq!(same.unwrap()["value"], number["value"], "{}: {number}", robot.name);
        }
        assert_eq!(good(&mut session, &json!({ "ask": "state", "parts": [] })), before, "{}", robot.name);
    }
}

#[test]
fn modes_are_found_and_taken() {
    let (mut session, sheet) = open("delta-industrial");
    let modes = good(&mut session, &json!({ "ask": "modes", "assembly": true }));
    assert_eq!(modes["working"].as_array().unwrap().len(), 8);
    assert_eq!(modes["assembly"].as_array().unwrap().len(), 2);
    assert!(!modes["statement"].as_str().unwrap().is_empty());
    let other = modes["working"].as_array().unwrap().iter().find(|mode| mode["is_own"] == false).unwrap();
    let varied = good(&mut session, &json!({ "ask": "vary", "working_mode": other["mode"] }));
    assert_eq!(varied["working_mode"], other["mode"]);
    let state = good(&mut session, &json!({ "ask": "state", "parts": ["text"] }));
    assert_eq!(state["q"], other["q"]);
    let mode = other["mode"].as_str().unwrap();
    assert!(state["torque"]["command"].as_str().unwrap().ends_with(&format!("--mode {mode}")));
    let back = good(&mut session, &json!({ "ask": "vary" }));
    assert_eq!(back["working_mode"], sheet["working_mode"]);
}

/// Pieces of a map are the map, to the bit.
#[test]
fn a_map_in_pieces_is_the_map() {
    let (mut session, _) = open("delta-direct-drive");
    let request = json!({ "quantities": ["condition", "gravity"], "x": "-250mm..250mm/11", "y": "-200mm..200mm/7", "z": "-350 mm" });
    let grid = good(&mut session, &json!({ "ask": "grid", "request": request }));
    assert_eq!((grid["rows"].as_u64(), grid["poses"].as_u64()), (Some(7), Some(77)));
    let whole = good(&mut session, &json!({ "ask": "field", "request": request, "from": 0, "to": 7 }));
    let mut task = request.clone();
    task["task"] = json!("map");
    let result = good(&mut session, &json!({ "ask": "task", "request": task }));
    let rows = result["result"]["rows"].as_array().unwrap();
    for (k, column) in whole["columns"].as_array().unwrap().iter().enumerate() {
        let bytes = decoded(column["values"]["f64"].as_str().unwrap());
        let values: Vec<f64> =
            bytes.chunks(8).map(|eight| f64::from_le_bytes(eight.try_into().unwrap())).collect();
        assert_eq!(values.len(), rows.len());
        for (value, row) in values.iter().zip(rows) {
            assert_eq!(row[k].as_f64(), Some(*value).filter(|x| x.is_finite()));
        }
    }
    let (first, second) = (
        good(&mut session, &json!({ "ask": "field", "request": request, "from": 0, "to": 3 })),
        good(&mut session, &json!({ "ask": "field", "request": request, "from": 3, "to": 99 })),
    );
    assert_eq!((&second["from"], &second["to"]), (&json!(3), &json!(7)));
    let column = |piece: &Value| decoded(piece["columns"][0]["values"]["f64"].as_str().unwrap());
    assert_eq!([column(&first), column(&second)].concat(), column(&whole));
}

fn decoded(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for four in text.as_bytes().chunks(4) {
        let word =
            four.iter().fold(0_u32, |word, c| word << 6 | u32::from(if *c == b'=' { 0 } else { digit(*c) }));
        let count = 3 - usize::from(four[2] == b'=') - usize::from(four[3] == b'=');
        bytes.extend(&word.to_be_bytes()[1..=count]);
    }
    bytes
}

/// What comes back instead of being written to a disk is a recording that the library reads, to the same bits.
#[test]
fn tasks_give_results_reports_and_recordings() {
    let (mut session, _) = open("delta-direct-drive");
    for format in ["parquet", "mcap", "csv"] {
        let request = json!({ "task": "follow", "controller": { "regulators": ["pd"] } });
        let answer = good(
            &mut session,
            &json!({ "ask": "task", "request": request, "report": true, "recording": format }),
        );
        assert_eq!(answer["report"]["format"], 1);
        assert!(answer["printed"].as_str().unwrap().contains("pd"));
        let files = answer["files"].as_array().unwrap();
        assert_eq!(files.len(), if format == "csv" { 2 } else { 1 }, "{format}");
        let folder = std::env::temp_dir().join(format!("legwork-session-{}-{format}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for file in files {
            std::fs::write(
                folder.join(file["name"].as_str().unwrap()),
                decoded(file["base64"].as_str().unwrap()),
            )
            .unwrap();
        }
        let read =
            legwork::recording::Recording::open(folder.join(files[0]["name"].as_str().unwrap())).unwrap();
        let text = read.metadata().get(legwork::recording::REQUEST_KEY).unwrap().to_owned();
        let legwork::task::Request::Follow(again) =
            legwork::task::Request::parse(&text, legwork::task::RequestFormat::Json).unwrap()
        else {
            panic!("{text}")
        };
        let (_, recordings) = again.run_recorded(&legwork::task::Handle::none()).unwrap();
        assert!(read == recordings[0], "{format}: the recording is not that of its request");
        std::fs::remove_dir_all(folder).unwrap();
    }
    let way = good(&mut session, &json!({ "ask": "along", "count": 20 }));
    assert_eq!(way["values"].as_array().unwrap().len(), 20);
    assert_eq!(way["values"][0], way["values"][19]); // there and back
    good(&mut session, &json!({ "ask": "open", "name": "delta-four-axis" }));
    for task in ["plan", "size", "linearize", "sensitivity", "check"] {
        let answer = good(&mut session, &json!({ "ask": "task", "request": { "task": task } }));
        assert_eq!(answer["task"], task);
    }
    let volume = good(
        &mut session,
        &json!({ "ask": "task", "request": { "task": "map", "volume": true, "cells": 8 } }),
    );
    assert!(volume["result"]["size"].as_f64().unwrap() > 0.0);
}

#[test]
fn code_is_generated() {
    let (mut session, _) = open("delta-industrial");
    let code = good(&mut session, &json!({ "ask": "code", "language": "c", "what": ["inverse-kinematics"] }));
    let names: Vec<&str> =
        code["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"delta_industrial.c"), "{names:?}");
    let choices = good(&mut session, &json!({ "ask": "choices" }));
    assert!(choices["code"].as_array().unwrap().iter().any(|word| word["name"] == "inverse-kinematics"));
    assert_eq!(refused(&mut session, &json!({ "ask": "code", "what": ["nonsense"] }))["kind"], "message");
}

/// Every source of an equation is in the bibliography.
#[test]
fn equations_name_their_sources() {
    let bibliography = include_str!("../../../REFERENCES.bib");
    for name in ["delta-industrial", "gough-stewart"] {
        let (mut session, _) = open(name);
        let equations = good(&mut session, &json!({ "ask": "equations" }));
        for equation in equations.as_array().unwrap() {
            let source = equation["source"].as_str().unwrap();
            let key = source.trim_start_matches('[').split(',').next().unwrap();
            assert!(source.is_empty() || bibliography.contains(&format!("{{{key},")), "{source}");
        }
    }
}

#[test]
fn rubbish_is_refused_in_words_and_nothing_is_lost() {
    let mut session = Session::default();
    assert_eq!(refused(&mut session, &json!({ "ask": "state" }))["what"], "no robot is open");
    for text in [
        "",
        "{",
        "null",
        "[]",
        "{\"ask\": 7}",
        "{\"ask\": \"nonsense\"}",
        "\u{0}\u{ffff}",
        &"[".repeat(10_000),
    ] {
        let answer: Value = serde_json::from_str(&session.call(text)).unwrap();
        assert_eq!(answer["error"]["kind"], "message", "{text:.40}");
    }
    good(&mut session, &json!({ "ask": "open", "name": "delta-industrial" }));
    let before = good(&mut session, &json!({ "ask": "state" }));
    for text in
        ["", "x", "= = =", "family = 'delta'", "family = 7", "[geometry]\narm = nan", "\u{0}", "a = '''"]
    {
        let error = refused(&mut session, &json!({ "ask": "open", "text": text }));
        assert!(error["kind"] == "file" && !error["what"].as_str().unwrap().is_empty(), "{text}: {error}");
    }
    assert_eq!(refused(&mut session, &json!({ "ask": "open", "name": "delta-industril" }))["kind"], "file");
    for message in [
        json!({ "ask": "state", "values": [0.0, null, -0.8] }),
        json!({ "ask": "state", "values": [0.0] }),
        json!({ "ask": "state", "values": [0.0, 0.0, -0.8, 1.0, 2.0, 3.0, 4.0] }),
        json!({ "ask": "state", "values": [0.0, 0.0, -0.8], "twist": [1.0, 2.0] }),
        json!({ "ask": "state", "values": [0.0, 0.0, -0.8], "twist": [1e308, 1e308, 1e308] }),
        json!({ "ask": "state", "pose": { "position": [0, 0, -0.8], "quaternion": [0, 0, 0, 0] }, "parts": 7 }),
        json!({ "ask": "joints", "q": [1.0] }),
        json!({ "ask": "along", "request": { "law": { "move_time": "-1 s" } } }),
        json!({ "ask": "edit", "path": "no.such", "value": "1" }),
        json!({ "ask": "vary", "working_mode": "sideways" }),
        json!({ "ask": "vary", "payload": "1 m" }),
        json!({ "ask": "field", "request": { "quantities": ["condition"], "x": "0..1/999999999" }, "from": 0, "to": 1 }),
        json!({ "ask": "field", "request": { "quantities": ["nonsense"] }, "from": 0, "to": 1 }),
        json!({ "ask": "task", "request": { "task": "nonsense" } }),
        json!({ "ask": "task", "request": { "task": "follow", "law": { "move_time": "-1 s" } } }),
        json!({ "ask": "task", "request": { "task": "check" }, "recording": "csv" }),
        json!({ "ask": "task", "request": { "task": "follow", "motion": { "file": "/etc/passwd" } } }),
    ] {
        let error = refused(&mut session, &message);
        assert!(!error["what"].as_str().unwrap().is_empty(), "{message}");
    }
    assert_eq!(good(&mut session, &json!({ "ask": "state" })), before);
}

/// Ten thousand legs are too many, and that is said before any of them is read; so are ten thousand empty tables, and other
/// files with more problems than anybody reads.
#[test]
fn a_robot_of_ten_thousand_legs_is_refused() {
    let (mut session, custom) = open("custom-gough-stewart");
    let text = custom["text"].as_str().unwrap();
    let leg = text.find("[[leg]]").unwrap();
    let end = text[leg + 1..].find("\n[[leg]]").map_or(text.len(), |end| leg + 1 + end + 1);
    let full = format!("{}{}", text, text[leg..end].repeat(10_000));
    let empty = format!("name = \"many\"\nfamily = \"custom\"\n{}", "[[leg]]\n".repeat(10_000));
    for many in [full, empty] {
        let error = refused(&mut session, &json!({ "ask": "open", "text": many }));
        let what = error["problems"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap());
        let said: Vec<&str> =
            what.filter(|what| what.contains("tables [[leg]], and there can be 24")).collect();
        assert_eq!(said.len(), 1, "{error:.600}");
    }
    let bodies = "[[body]]\n[[joint]]\n".repeat(10_000);
    let keys = (0..10_000).map(|k| format!("key{k} = 1\n")).collect::<Vec<_>>().concat();
    for text in [format!("family = \"mechanism\"\n{bodies}"), format!("family = \"delta\"\n{keys}")] {
        let error = refused(&mut session, &json!({ "ask": "open", "text": text }));
        assert!(error["problems"].as_array().unwrap().len() <= 101, "{error:.600}");
    }
    assert_eq!(good(&mut session, &json!({ "ask": "state" }))["refused"], Value::Null);
}

/// What is refused names its field by the path in the request, so that a page says it there.
#[test]
fn refusals_name_the_field_of_the_request() {
    let (mut session, _) = open("delta-direct-drive");
    for (field, part) in [
        ("carry", json!({ "carry": "rubbish" })),
        ("carry", json!({ "carry": "1 mm" })),
        ("path.height", json!({ "path": { "height": "60 s" } })),
        ("path.from.2", json!({ "path": { "from": [0.1, "nonsense", -0.3] } })),
        ("path.kind", json!({ "path": { "kind": "spiral" } })),
        ("law.move_time", json!({ "law": { "move_time": "-1 s" } })),
        ("plant.lag", json!({ "plant": { "lag": "-2 ms" } })),
        ("plant.delay", json!({ "plant": { "delay": "-1 ms" } })),
        ("controller.frequency", json!({ "controller": { "frequency": "20 kg" } })),
        ("controller.period", json!({ "controller": { "period": "0 s" } })),
    ] {
        let mut request = part.clone();
        request["task"] = json!("follow");
        let error = refused(&mut session, &json!({ "ask": "task", "request": request }));
        assert_eq!(error["field"], field, "{part}: {error}");
        assert!(!error["what"].as_str().unwrap().contains("line "), "{error}");
    }
    for (field, request) in [
        ("z", json!({ "quantities": ["condition"], "z": "deep" })),
        ("x.count", json!({ "quantities": ["condition"], "x": { "from": 0, "to": 1, "count": "few" } })),
    ] {
        let error = refused(&mut session, &json!({ "ask": "grid", "request": request }));
        assert_eq!(error["field"], field, "{error}");
    }
    // A number of the file, of a leg among others.
    let (mut session, _) = open("custom-gough-stewart");
    let path = "leg[1].joint[1].position[1]";
    let sheet = good(&mut session, &json!({ "ask": "open", "name": "custom-gough-stewart" }));
    let known = sheet["numbers"].as_array().unwrap().iter().any(|number| number["path"] == path);
    let path = if known { path } else { sheet["numbers"][3]["path"].as_str().unwrap() };
    let error = refused(&mut session, &json!({ "ask": "edit", "path": path, "value": "3 kg" }));
    assert_eq!((&error["field"], &error["problems"][0]["field"]), (&json!(path), &json!(path)), "{error}");
}

/// A run comes with the robot where it should be: the reference of its recording.
#[test]
fn a_run_has_its_reference_beside_it() {
    for name in ["delta-direct-drive", "gough-stewart", "five-bar"] {
        let (mut session, _) = open(name);
        let request = json!({ "task": "follow", "controller": { "regulators": ["pd", "model"] } });
        let answer = good(&mut session, &json!({ "ask": "task", "request": request, "report": true }));
        let sections = answer["report"]["sections"].as_array().unwrap().iter();
        let mut blocks = sections.flat_map(|section| section["blocks"].as_array().unwrap());
        let animation = blocks.find(|block| block["kind"] == "animation").unwrap();
        let references = animation["references"].as_array().unwrap();
        assert_eq!((animation["runs"].as_array().unwrap().len(), references.len()), (2, 1), "{name}");
        // It begins where the motion does, with the parts of the runs.
        let way = good(&mut session, &json!({ "ask": "along", "request": {}, "count": 2 }));
        let points = decoded(references[0]["points"]["f32"].as_str().unwrap());
        let platform = usize::try_from(references[0]["platform"].as_u64().unwrap()).unwrap();
        let first = |k: usize| {
            let at = 4 * (3 * platform + k);
            f64::from(f32::from_le_bytes(points[at..at + 4].try_into().unwrap()))
        };
        for (k, value) in numbers(&way["values"][0]).iter().take(2).enumerate() {
            assert!((first(k) - value).abs() < 1e-6, "{name}: {} {value}", first(k)); // single precision
        }
        assert_eq!(references[0]["parts"], animation["runs"][0]["parts"], "{name}");
    }
}

/// A request is told as a line of the program where the verb has its options; else as a file for `legwork run`.
#[test]
fn requests_are_command_lines_where_that_is_possible() {
    let (mut session, _) = open("delta-direct-drive");
    let mut line = |request: Value| {
        let told = good(&mut session, &json!({ "ask": "command", "request": request }));
        told["command"].as_str().unwrap().to_owned()
    };
    let follow = json!({
        "task": "follow", "path": { "kind": "pick-and-place", "from": [-0.1, 0, -0.35], "height": "60 mm" }, "carry": "200 g", "back": true,
        "controller": { "regulators": ["pd", "model"], "frequency": "20 Hz", "known_error": { "motor_inertia": 0.1 } },
        "plant": { "lag": "2 ms", "model_error": { "mass": -0.07 } },
    });
    assert_eq!(
        line(follow),
        "legwork simulate delta-direct-drive --path pick-and-place --from -0.1 0.0 -0.35 --height 0.06 --carry 0.2 --back \
         --regulator pd model --frequency 20.0 --known-error motor=10 --lag 0.002 --model-error mass=-7"
    );
    assert_eq!(
        line(json!({ "task": "plan", "limits": { "torque_limit": 6 }, "carry": 0.2 })),
        "legwork plan delta-direct-drive --torque-limit 6.0 --carry 0.2"
    );
    assert_eq!(
        line(json!({ "task": "size", "motors": "sample", "law": { "move_time": "0.2 s" } })),
        "legwork size delta-direct-drive --move-time 0.2 --motors sample"
    );
    assert_eq!(
        line(
            json!({ "task": "map", "quantities": ["condition", "gravity"], "x": "-250mm..250mm/26", "z": -0.35 })
        ),
        "legwork map delta-direct-drive condition,gravity --x -0.25..0.25/26 --z -0.35"
    );
    assert_eq!(line(json!({ "task": "map", "volume": true })), "legwork map delta-direct-drive --volume");
    let robot = json!({ "name": "delta-direct-drive", "working_mode": "in", "payload": 0.1 });
    assert_eq!(
        line(json!({ "task": "plan", "limits": { "torque_limit": 6 }, "robot": robot })),
        "legwork plan delta-direct-drive --mode in --payload 0.1 --torque-limit 6.0"
    );
    // Motors in the request itself, and a verb that would do something else.
    for request in [json!({ "task": "size", "motors": { "text": "[[motor]]" } }), json!({ "task": "follow" })]
    {
        assert_eq!(line(request), "legwork run request.toml");
    }
}

/// Every row that has an equation leads to it, and a pose at a singularity says so.
#[test]
fn rows_lead_to_their_equations() {
    for name in ["delta-direct-drive", "gough-stewart", "planar-3rrr"] {
        let (mut session, _) = open(name);
        let state = good(&mut session, &json!({ "ask": "state" }));
        let equations = good(&mut session, &json!({ "ask": "equations" }));
        let known: Vec<&Value> =
            equations.as_array().unwrap().iter().map(|equation| &equation["quantity"]).collect();
        for row in state["torque"]["rows"].as_array().unwrap().iter().skip(1) {
            assert!(known.contains(&&row["quantity"]), "{name}: {row}");
        }
        for line in state["singularity"].as_array().unwrap() {
            assert!(known.contains(&&line["name"]) && line["is_near"].is_boolean(), "{name}: {line}");
        }
    }
    // Straight legs of a five-bar are a serial singularity.
    let (mut session, sheet) = open("five-bar");
    let mut values = numbers(&sheet["home_values"]);
    values[0] += 40.0;
    let state = good(&mut session, &json!({ "ask": "state", "values": values }));
    let near: Vec<&Value> =
        state["singularity"].as_array().unwrap().iter().filter(|line| line["is_near"] == true).collect();
    assert!(!near.is_empty(), "{}", state["singularity"]);
}

/// A task tells how far it has come, rising, and no more often than ten thousand times.
#[test]
fn a_task_tells_its_progress() {
    use std::sync::Mutex;
    static HEARD: Mutex<Vec<f64>> = Mutex::new(Vec::new());
    let (mut session, _) = open("delta-direct-drive");
    session.on_progress(|done| HEARD.lock().unwrap().push(done));
    good(&mut session, &json!({ "ask": "task", "request": { "task": "follow", "cycles": 5, "back": true } }));
    let heard = HEARD.lock().unwrap();
    assert!((4..=10_000).contains(&heard.len()), "{heard:?}");
    assert!(heard.windows(2).all(|pair| pair[0] < pair[1]) && heard.iter().all(|x| (0.0..=1.0).contains(x)));
}

#[test]
fn numbers_are_read_with_their_units() {
    let mut session = Session::default();
    let read = |session: &mut Session, text: &str, unit: &str| {
        let ask = serde_json::json!({ "ask": "number", "text": text, "name": "x", "unit": unit });
        serde_json::from_str::<Value>(&session.call(&ask.to_string())).unwrap()
    };
    for (text, unit, value) in
        [("50 mm", "m", 0.05), ("0.05", "m", 0.05), ("180 deg", "rad", PI), ("2", "rad/s", 2.0)]
    {
        let found = read(&mut session, text, unit)["ok"].as_f64().unwrap();
        assert!((found - value).abs() < 1e-15, "{text}: {found}");
    }
    for (text, unit) in
        [("50 kg", "m"), ("NaN", "m"), ("1e999", "m"), ("", "m"), ("much", "rad"), ("1", "furlong")]
    {
        let failure = &read(&mut session, text, unit)["error"];
        assert!(failure["what"].as_str().is_some_and(|what| what.len() > 10), "{text}: {failure}");
    }
}

#[test]
fn a_posture_that_coordinates_do_not_name_says_so() {
    let mut session = Session::default();
    let mut ask = |message: Value| {
        let answer: Value = serde_json::from_str(&session.call(&message.to_string())).unwrap();
        assert!(answer["error"].is_null(), "{message}: {answer}");
        answer["ok"].clone()
    };
    ask(serde_json::json!({ "ask": "open", "name": "3-rps" }));
    let modes = ask(serde_json::json!({ "ask": "modes", "assembly": true }));
    let modes = modes["assembly"].as_array().unwrap();
    assert_eq!(modes.iter().filter(|mode| mode["is_here"] == true).count(), 1);
    let (mut named, mut others) = (0, 0);
    for mode in modes {
        let state = ask(serde_json::json!({ "ask": "state", "pose": mode["pose"], "parts": [] }));
        let quaternions = [&mode["pose"]["quaternion"], &state["pose"]["quaternion"]];
        let [a, b] =
            quaternions.map(|list| list.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect());
        let (a, b): (Vec<f64>, Vec<f64>) = (a, b);
        let is_there = a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>().abs() > 1.0 - 1e-9;
        assert_eq!(mode["is_named"], is_there, "{mode}");
        if is_there { named += 1 } else { others += 1 }
    }
    assert!(named >= 4 && others >= 4, "{named} {others}");
}

#[test]
fn a_run_is_a_picture_too() {
    let mut session = Session::default();
    session.call(r#"{"ask": "open", "name": "delta-industrial"}"#);
    let answer = session.call(r#"{"ask": "task", "request": {"task": "follow", "controller": {"regulators": ["pd"]}}, "recording": "svg"}"#);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let files = answer["ok"]["files"].as_array().unwrap();
    assert_eq!(files.len(), 1, "{}", answer["error"]);
    assert_eq!(
        (files[0]["name"].as_str(), files[0]["media_type"].as_str()),
        (Some("run.svg"), Some("image/svg+xml"))
    );
    assert!(files[0]["base64"].as_str().unwrap().len() > 10_000 && answer["ok"]["report"].is_null());
}
