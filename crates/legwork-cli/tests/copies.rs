//! A saved copy of a robot, `legwork show NAME --toml > copy.toml`, answers as the robot itself.

mod program;

use program::legwork;
use serde_json::Value;
use std::fs;

#[test]
fn a_saved_copy_answers_as_the_original() {
    let folder = std::env::temp_dir().join(format!("legwork-copies-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for name in ["delta-direct-drive", "klipper-rotary-delta", "gough-stewart", "five-bar", "custom-delta"] {
        let text = legwork(&["show", name, "--toml"], b"").stdout;
        let file = folder.join("copy.toml");
        fs::write(&file, &text).unwrap();
        let copy = file.to_str().unwrap();
        let shown: Value = serde_json::from_str(&legwork(&["show", name, "--json"], b"").stdout).unwrap();
        let home = shown["home"]["position"].as_array().unwrap().iter().map(Value::to_string);
        let home: Vec<String> = home.collect();
        let home: Vec<&str> = home.iter().map(String::as_str).collect();
        let mut commands = vec![vec!["show"], vec!["show", "--json"], vec!["show", "--toml"]];
        commands.extend([vec!["check", "--states", "5"], vec!["linearize"]]);
        commands.push(vec!["map", "condition", "--x", "-0.05..0.05/3", "--y", "-0.05..0.05/3"]);
        // The robot that brings a path and a controller.
        if name == "delta-direct-drive" {
            commands.push(vec![
                "simulate",
                "--regulator",
                "pd",
                "constant-inertia",
                "model",
                "model-shifted",
            ]);
            commands.extend([vec!["plan", "--torque-limit", "6", "--json"], vec!["size", "--json"]]);
        }
        for verb in ["ik", "torque", "state"] {
            commands.push([&[verb][..], &home].concat());
        }
        for command in commands {
            let (verb, rest) = (command[0], &command[1..]);
            let run = |robot: &str| {
                let found = legwork(&[&[verb, robot], rest].concat(), b"");
                (found.code, found.stdout, found.stderr.replace(robot, name))
            };
            assert_eq!(run(copy), run(name), "{verb} {name} {rest:?}");
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}
