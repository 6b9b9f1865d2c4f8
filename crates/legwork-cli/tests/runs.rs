//! Runs whose output is not a snapshot: proofs, pipes, garbage, closed pipes.

mod program;

use program::{Run, folder, legwork};
use serde_json::Value;
use std::io::Read;
use std::process::{Command, Stdio};

const GOLDEN: &str = "../../../golden/delta_industrial.json";

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn a_robot_proves_itself() {
    let run = legwork(&["check", "robots/limited.toml", "--states", "50", "--seed", "7"], b"");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "limited: 50 random states of its workspace, seed 7");
    let verdict = lines.last().unwrap();
    let proven = lines.iter().filter(|line| line.starts_with("ok  ")).count();
    assert!(proven >= 20);
    assert_eq!(*verdict, format!("all {proven} identities hold"));

    let found = json(&legwork(&["check", "robots/limited.toml", "--json", "--states", "50"], b""));
    assert_eq!((&found["holds"], &found["states"]), (&Value::from(true), &Value::from(50)));
    assert_eq!(found["findings"].as_array().unwrap().len(), proven);
}

#[test]
fn what_cannot_be_checked_is_told() {
    let run = legwork(&["check", "robots/collinear.toml", "--states", "20"], b"");
    assert_eq!(run.code, 0);
    // A sentence goes on in the next line, indented.
    let whole = run.stdout.split("\n\n").find(|part| part.starts_with("skipped: ")).unwrap();
    let whole = whole.split_whitespace().collect::<Vec<_>>().join(" ").replace(" skipped: ", "\nskipped: ");
    let skipped: Vec<&str> = whole.lines().collect();
    assert_eq!(
        skipped,
        [
            "skipped: a third of a turn permutes the legs (the legs are not 120 deg apart)",
            "skipped: Ngoc-Kim multipliers = half-and-half lumping (the legs are not 120 deg apart)",
            "skipped: all dynamics (the masses are missing)",
        ]
    );
}

/// Legs that all begin near one point leave hardly a state to judge: no proof, and nobody interrupted it.
#[test]
fn a_check_without_enough_states_fails() {
    let text = legwork(&["show", "space-table1", "--toml"], b"").stdout;
    let lines = text.lines().map(|line| match line.split(" = ").next() {
        Some("base_distances") => "base_distances = [0, '7 mm', '7 mm']",
        Some("position") => "position = ['2 mm', '0.75 mm', '7 mm']",
        _ => line,
    });
    let robot = Scratch::new("few.toml", lines.collect::<Vec<_>>().join("\n").as_bytes());
    let run = legwork(&["check", robot.name(), "--states", "20"], b"");
    assert!(run.stdout.contains("but too few states could be judged"), "{}", run.stdout);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
}

#[test]
fn a_golden_file_agrees_and_a_changed_one_does_not() {
    let run = legwork(&["check", GOLDEN], b"");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.ends_with("\n\nall 17 quantities agree\n"), "{}", run.stdout);

    let text = std::fs::read_to_string(folder().join(GOLDEN)).unwrap();
    let mut file: Value = serde_json::from_str(&text).unwrap();
    file["states"][3]["effort"][0] = Value::from(1.0);
    for state in file["states"].as_array_mut().unwrap() {
        state.as_object_mut().unwrap().remove("mass_matrix");
    }
    let changed = Scratch::new("changed.json", file.to_string().as_bytes());
    let run = legwork(&["check", changed.name()], b"");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let failing: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("FAILS")).collect();
    assert_eq!(failing.len(), 1);
    assert!(failing[0].starts_with("FAILS  effort  "));
    assert!(
        run.stdout
            .ends_with("\n\nnot compared: /mass_matrix: not in the file\n\n1 of 16 quantities is off\n"),
        "{}",
        run.stdout
    );
    let found = json(&legwork(&["check", changed.name(), "--json"], b""));
    let left_out = Value::from("/mass_matrix: not in the file");
    assert_eq!((&found["holds"], &found["not_compared"][0]), (&Value::from(false), &left_out));
}

#[test]
fn a_golden_file_that_cannot_be_used_is_bad_input() {
    let text = std::fs::read_to_string(folder().join(GOLDEN)).unwrap();
    let cut = Scratch::new("cut.json", &text.as_bytes()[..text.len() / 2]);
    let other = Scratch::new("other.json", br#"{"format": "something else"}"#);
    let binary = Scratch::new("binary.json", &[0xff, 0x00, 0x80]);
    for (file, reason) in
        [(&cut, "EOF while parsing"), (&other, "its `format` is"), (&binary, "cannot be read")]
    {
        let run = legwork(&["check", file.name()], b"");
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        assert!(run.stderr.starts_with("error: cannot use the golden file `"), "{}", run.stderr);
        assert!(run.stderr.contains(reason), "{}", run.stderr);
    }
}

/// What one program of a pipe writes, the next one reads.
#[test]
fn positions_come_back_through_a_pipe() {
    let states = b"x [mm],y [mm],z [mm]\n100,-50,-800\n9000,0,0\n-33.3,71.9,-777.7\n";
    for flags in [&[][..], &["--json"]] {
        let arguments = |verb| [&[verb, "delta-industrial"], flags].concat();
        let angles = legwork(&arguments("ik"), states);
        let places = legwork(&arguments("fk"), angles.stdout.as_bytes());
        let again = legwork(&arguments("ik"), places.stdout.as_bytes());
        assert_eq!([angles.code, places.code, again.code], [2; 3]);
        // The line that failed first fails to the end, for the same reason.
        for run in [&angles, &places, &again] {
            let bad: Vec<&str> = run.stdout.lines().filter(|line| line.contains("out of reach")).collect();
            assert_eq!(bad.len(), 1, "{}", run.stdout);
        }
        assert!(places.stderr.contains("1 of 3 lines"), "{}", places.stderr);
        if !flags.is_empty() {
            let position = |run: &Run| -> Vec<f64> {
                let last: Value = serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap();
                serde_json::from_value(last["position"].clone()).unwrap()
            };
            for (found, given) in position(&again).iter().zip([-0.0333, 0.0719, -0.7777]) {
                assert!((found - given).abs() < 1e-14);
            }
        }
    }
}

#[test]
fn garbage_on_stdin_is_bad_input() {
    let mut noise: Vec<u8> =
        (0..5000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0]).collect();
    noise.insert(0, 0xff);
    for verb in ["ik", "fk", "torque", "state"] {
        let run = legwork(&[verb, "delta-industrial"], &noise);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        assert!(
            run.stderr.starts_with("error: the stream on stdin cannot be read: line 1: "),
            "{}",
            run.stderr
        );

        // In the middle of a stream, only its lines are lost.
        let (first, last) = if verb == "fk" { ("0.1,0.2,0.3", "0,0,0") } else { ("0,0,-0.8", "0,0,-0.7") };
        let stream = [first.as_bytes(), b"\n", &noise, b"\n", last.as_bytes()].concat();
        let run = legwork(&[verb, "delta-industrial"], &stream);
        assert_eq!(run.code, 2);
        let good = run.stdout.lines().filter(|line| line.ends_with(',')).count();
        assert_eq!(good, 2, "{}", run.stdout);
    }
}

#[test]
fn an_endless_line_is_one_bad_line() {
    let long = [b"0,0,-0.8\n".as_slice(), &vec![b'7'; 300_000], b"\n0,0,-0.7"].concat();
    let run = legwork(&["ik", "delta-industrial"], &long);
    assert_eq!((run.code, run.stdout.lines().count()), (2, 4));
    assert_eq!(
        run.stderr,
        "line 2: the line is longer than 65536 bytes\nerror: 1 of 3 lines could not be used\n"
    );
}

#[test]
fn other_separators_a_mark_and_windows_lines_are_read() {
    for stream in [
        "\u{feff}x,y,z\r\n0.1,0,-0.8\r\n",
        "x;y;z\n0.1;0;-0.8\n",
        "x\ty\tz\n0.1\t0\t-0.8\n",
        "x [mm] y [mm] z [mm]\n100 0 -800\n",
        "\"z\", \"y\", \"x\"\n-0.8, 0, \"100 mm\"\n",
        "100mm 0 -800mm",
        "{\"x\": 0.1, \"y\": 0, \"z\": \"-800 mm\"}\r\n",
    ] {
        let run = legwork(&["ik", "delta-industrial", "--json"], stream.as_bytes());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{stream}");
        assert_eq!(json(&run)["position"], serde_json::json!([0.1, 0.0, -0.8]), "{stream}");
    }
}

/// `legwork ... | head` ends quietly.
#[test]
fn a_closed_pipe_is_no_error() {
    let file = Scratch::new("many.csv", "0,0,-0.8\n".repeat(20_000).as_bytes());
    let mut child = Command::new(env!("CARGO_BIN_EXE_legwork"))
        .args(["ik", "delta-industrial"])
        .stdin(std::fs::File::open(file.name()).unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
}

#[test]
fn the_schema_and_the_version_are_those_of_the_library() {
    let run = legwork(&["schema"], b"");
    assert_eq!(run.code, 0);
    assert_eq!(json(&run), legwork::description::schema::json_schema());
    let version = legwork(&["--version"], b"");
    assert_eq!((version.code, version.stdout), (0, format!("legwork {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = legwork(&["completions", shell], b"");
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        assert!(run.stdout.contains("torque"), "{shell}");
    }
}

#[test]
fn every_built_in_robot_can_be_shown_and_listed() {
    let listed = json(&legwork(&["robots", "--json"], b""));
    let names: Vec<&str> =
        listed["robots"].as_array().unwrap().iter().map(|robot| robot["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), legwork::description::BUILT_IN.len());
    for name in names {
        let text = legwork(&["show", name], b"");
        assert_eq!((text.code, text.stderr.as_str()), (0, ""), "{name}");
        assert!(text.stdout.lines().all(|line| line.chars().count() <= 100), "{name}");
        let object = json(&legwork(&["show", name, "--json"], b""));
        assert_eq!(object["name"], name);
        let file = legwork(&["show", name, "--toml"], b"");
        let built_in = legwork::description::BUILT_IN.iter().find(|robot| robot.name == name).unwrap();
        assert_eq!(file.stdout, built_in.text);
    }
}

/// Numbers of a list as arguments.
fn arguments(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(ToString::to_string).collect()
}

fn numbers(list: &Value) -> Vec<f64> {
    serde_json::from_value(list.clone()).unwrap()
}

/// Whether two lists agree.
fn near(found: &Value, expected: &Value) -> bool {
    let (found, expected) = (numbers(found), numbers(expected));
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9)
}

/// `legwork` with these words and these numbers, as JSON.
fn ask(words: &[&str], lists: &[(&str, &Value)]) -> Value {
    let mut all: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    for (option, list) in lists {
        all.extend((!option.is_empty()).then(|| (*option).to_owned()));
        all.extend(arguments(list));
    }
    all.push("--json".into());
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let run = legwork(&all, b"");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{all:?}");
    json(&run)
}

#[test]
fn every_verb_works_for_every_robot() {
    for robot in legwork::description::BUILT_IN {
        let name = robot.name;
        let shown = ask(&["show", name], &[]);
        let home = &shown["home"];
        let (place, q) = (&home["position"], &home["q"]);
        let mut pose = vec![("", place)];
        if !home["quaternion_wxyz"].is_null() {
            pose.push(("--quaternion", &home["quaternion_wxyz"]));
        }
        assert!(near(&ask(&["ik", name], &pose)["q"], q), "{name}");
        let all = ask(&["ik", name, "--all"], &pose);
        assert!(near(&all["solutions"][0]["q"], q), "{name}");
        assert!(near(&ask(&["fk", name], &[("", q)])["position"], place), "{name}");
        let found = ask(&["fk", name, "--all"], &[("", q)]);
        let found = found["solutions"].as_array().unwrap();
        assert!(found.iter().any(|solution| near(&solution["position"], place)), "{name}");
        let state = ask(&["state", name], &pose);
        let from_joints = ask(&["state", name], &[("--joints", q)]);
        assert!(near(&from_joints["position"], place) && near(&from_joints["q"], &state["q"]), "{name}");
        if shown["mass"].is_null() {
            assert_eq!(legwork(&["torque", name, "0", "0"], b"").code, 2, "{name}");
        } else {
            let torque = ask(&["torque", name], &pose);
            assert!(near(&torque["gravity"], &home["gravity_effort"]), "{name}");
            assert!(near(&torque["motor_effort"], &state["motor_effort"]), "{name}");
        }
        // For people, too.
        for verb in ["ik", "state"] {
            let mut words = vec![verb.to_owned(), name.to_owned()];
            words.extend(arguments(place));
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let run = legwork(&words, b"");
            // A home that is turned may be out of reach when it is not.
            let reached = home["orientation"].is_null() || numbers(&home["orientation"]) == [0.0; 3];
            // A robot that only turns has no place to give.
            assert!(run.code == 0 || !reached || words.len() == 2, "{words:?}: {}", run.stderr);
        }
        // A robot that ships has to prove itself.
        let run = legwork(&["check", name, "--states", "10"], b"");
        assert!(run.code == 0 && run.stderr.is_empty(), "{name}\n{}", run.stderr);
    }
}

#[test]
fn every_golden_file_agrees() {
    for entry in std::fs::read_dir(folder().join("../../../golden")).unwrap() {
        let path = entry.unwrap().path();
        let is_points = path.to_str().unwrap().ends_with("_points.json");
        if path.extension().is_some_and(|ending| ending == "json") && !is_points {
            let run = legwork(&["check", path.to_str().unwrap()], b"");
            assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", path.display());
        }
    }
}

/// LinuxCNC's own numbers, in inches: 8 poses, 4 of them above the base.
#[test]
fn the_hexapod_of_linuxcnc_has_its_legs_and_eight_poses() {
    let legs = ask(&["ik", "linuxcnc-hexapod", "0", "0", "20in"], &[])["q"].clone();
    let expected = [29.74668, 29.74668, 29.746715, 29.746363, 29.746363, 29.746715];
    for (found, inches) in numbers(&legs).iter().zip(expected) {
        assert!((found / 0.0254 - inches).abs() < 5e-6, "{found}");
    }
    let found = ask(&["fk", "linuxcnc-hexapod", "--all"], &[("", &legs)]);
    // Three pairs of legs: 16 certified solutions are all there are.
    assert_eq!(
        (&found["complete"], &found["completeness"]["solutions"]),
        (&Value::from(true), &Value::from(16))
    );
    let poses = found["solutions"].as_array().unwrap();
    let above = poses.iter().filter(|pose| pose["position"][2].as_f64().unwrap() > 0.0).count();
    assert_eq!((poses.len(), above), (8, 4));
}

/// Poses and joints of robots that turn come back through pipes, as CSV and as JSON lines.
#[test]
fn poses_come_back_through_a_pipe() {
    for (robot, states) in [
        ("gough-stewart", "x,y,z [mm],roll [deg],pitch,yaw\n0.02,-0.01,850,5,-0.05,0.3\n"),
        ("space-radial", "x,y,z,qw,qx,qy,qz\n-0.19,-0.11,0.7,0.9990482,0.0436194,0,0\n"),
        ("planar-3rrr", "x,y,yaw [deg]\n0.02,0.01,5\n"),
        ("five-bar", "x,y\n0.02,0.35\n"),
        ("robots/own-3rpr.toml", "x,y,angle\n0.02,0.01,0.1\n"),
    ] {
        for flags in [&[][..], &["--json"]] {
            let arguments = |verb| [&[verb, robot], flags].concat();
            let joints = legwork(&arguments("ik"), states.as_bytes());
            let poses = legwork(&arguments("fk"), joints.stdout.as_bytes());
            let again = legwork(&arguments("ik"), poses.stdout.as_bytes());
            for run in [&joints, &poses, &again] {
                assert_eq!(run.code, 0, "{robot}: {}", run.stderr);
            }
            if !flags.is_empty() {
                let q = |run: &Run| json(run)["q"].clone();
                assert!(near(&q(&joints), &q(&again)) && near(&q(&poses), &q(&again)), "{robot}");
            }
        }
    }
}

/// An option is given once, also one that takes several numbers.
#[test]
fn an_option_twice_is_told() {
    for arguments in [
        &["simulate", "gough-stewart", "--from", "0", "0", "0.8", "--from", "0", "0", "0.1"][..],
        &["simulate", "delta-industrial", "--duration", "1s", "--duration", "2s"],
        &["simulate", "delta-industrial", "--effort-limit", "10", "--torque-limit", "20"],
        &[
            "ik",
            "gough-stewart",
            "0",
            "0",
            "0.85",
            "--quaternion",
            "1",
            "0",
            "0",
            "0",
            "--quaternion",
            "1",
            "0",
            "0",
            "0",
        ],
        &[
            "torque",
            "gough-stewart",
            "0",
            "0",
            "0.85",
            "--velocity",
            "1",
            "0",
            "0",
            "--velocity",
            "0",
            "0",
            "1",
        ],
        &["show", "delta-industrial", "--json", "--json"],
    ] {
        let run = legwork(arguments, b"");
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(run.stderr.contains("cannot be used multiple times"), "{arguments:?}: {}", run.stderr);
    }
    let contradiction =
        legwork(&["simulate", "delta-industrial", "--hold", "--hold-at", "0", "0", "-0.8"], b"");
    assert!(contradiction.code == 2 && contradiction.stderr.contains("cannot be used with"));
}

/// A stream that says one thing twice, under one name or two, is told so.
#[test]
fn two_names_of_one_number_are_told() {
    for (robot, verb, stream, words) in [
        ("delta-industrial", "ik", "x,y,z,x\n0,0,-0.8,0\n", "the column `x` twice"),
        ("delta-industrial", "ik", "x,y,z,x [mm]\n0,0,-0.8,0\n", "the column `x` twice"),
        (
            "planar-3rrr",
            "ik",
            "x,y,angle,yaw\n0,0,0,0\n",
            "the columns `angle` and `yaw` are two names of one thing",
        ),
        ("delta-industrial", "ik", "{\"x\":0,\"y\":0,\"z\":-0.8,\"x\":1}\n", "the key `x` is there twice"),
        (
            "delta-industrial",
            "ik",
            "{\"x\":0,\"position\":[0,0,-0.8]}\n",
            "`x` and `position` give the same number",
        ),
        ("delta-industrial", "fk", "{\"q\":[0,0,0],\"q1\":1}\n", "`q` and `q1` give the same number"),
    ] {
        let run = legwork(&[verb, robot], stream.as_bytes());
        assert_eq!(run.code, 2, "{stream}");
        assert!(run.stderr.contains(words), "{stream}: {}", run.stderr);
    }
    let efforts = Scratch::new("efforts.csv", b"t,e1,e2,e3,tau1\n0,1,1,1,2\n");
    let run = legwork(&["simulate", "delta-industrial", "--efforts", efforts.name()], b"");
    assert!(
        run.code == 2 && run.stderr.contains("`e1` and `tau1` are two names of one thing"),
        "{}",
        run.stderr
    );
    let twice = Scratch::new("twice.csv", b"t,e1 [N m],e2,e3,e1\n0,1,1,1,2\n");
    let run = legwork(&["simulate", "delta-industrial", "--efforts", twice.name()], b"");
    assert!(run.code == 2 && run.stderr.contains("`e1`"), "{}", run.stderr);
    let request = Scratch::new("twice.json", br#"{"task": "simulate", "plant": {"seed": 1, "seed": 2}}"#);
    let run = legwork(&["run", request.name()], b"");
    assert!(run.code == 2 && run.stderr.contains("`seed` is given twice"), "{}", run.stderr);
}

/// Whatever names a file holds, nothing that a terminal obeys comes out: no escape sequence, no override of the writing
/// direction, and no new line inside a name.
#[test]
fn names_of_files_are_printed_without_control_characters() {
    const EVIL: &str = "a\u{1b}[2J\u{9b}31m\nb\u{202e}c\u{2066}\u{7}";
    let is_clean = |text: &str| {
        let hidden = |c: char| (c.is_control() && c != '\n' && c != '\t') || "\u{202e}\u{2066}".contains(c);
        !text.contains(hidden) && !text.contains("31m\nb")
    };
    let own = std::fs::read_to_string(folder().join("robots/limited.toml")).unwrap();
    let own = own.split("[limits]").next().unwrap(); // it reaches more without them
    let name = "a\\u001b[2J\\u009b31m\\nb\\u202ec\\u2066\\u0007"; // escapes of TOML
    let robot = Scratch::new("evil.toml", own.replace("\"limited\"", &format!("\"{name}\"")).as_bytes());
    let key = own.replace("viscous_friction", &format!("\"{name}\""));
    let key = Scratch::new("key.toml", key.as_bytes());
    let note = Scratch::new("note.toml", format!("note = \"{name}\"\n{own}").as_bytes());
    let folder = std::env::temp_dir().join(format!("legwork-evil-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |ending: &str| folder.join(format!("{EVIL}{ending}")).to_str().unwrap().to_owned();
    let (table, svg, page, table_of_efforts) = (file(".csv"), file(".svg"), file(".html"), file("e.csv"));
    std::fs::write(&table_of_efforts, format!("t,\"{EVIL}\",e2,e3\n0,1,1,1\n")).unwrap();
    let header = format!("x,y,z,{}\n0,0,-0.8,1\n", EVIL.replace('\n', ""));
    let object = format!("{{\"x\":0,\"y\":0,\"z\":-0.8,{}:1}}\n", Value::from(EVIL));
    let missing = file(".json");
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (vec!["show", robot.name()], ""),
        (vec!["show", robot.name(), "--json"], ""),
        (vec!["show", note.name()], ""),
        (vec!["show", key.name()], ""),
        (vec!["show", &table], ""),
        (vec!["show", EVIL], ""),
        (vec!["check", robot.name(), "--states", "5"], ""),
        (vec!["ik", robot.name(), "0", "0", "-9"], ""),
        (vec!["ik", "delta-industrial"], &header),
        (vec!["ik", "delta-industrial"], &object),
        (vec!["ik", "delta-industrial", EVIL, "0", "0"], ""),
        (vec!["simulate", robot.name(), "--duration", "10ms", "--out", &table, "--report", &page], ""),
        (vec!["simulate", "delta-industrial", "--efforts", &table_of_efforts], ""),
        (vec!["map", robot.name(), "condition", "--x=-0.1..0.1/3", "--y=-0.1..0.1/3", "--out", &svg], ""),
        (vec!["run", &table], ""),
        (vec!["run", &missing], ""),
    ];
    for (arguments, stdin) in &cases {
        let run = legwork(arguments, stdin.as_bytes());
        assert!(
            is_clean(&run.stdout) && is_clean(&run.stderr),
            "{arguments:?}\n{:?}\n{:?}",
            run.stdout,
            run.stderr
        );
    }
    for written in [&svg, &page] {
        let text = std::fs::read_to_string(written).unwrap();
        let title =
            text.split("<title>").nth(1).map_or(text.as_str(), |rest| rest.split("</title>").next().unwrap());
        assert!(is_clean(title) && title.contains("\\u001b"), "{title:?}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A file of one test, gone afterwards.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("legwork-cli-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}
