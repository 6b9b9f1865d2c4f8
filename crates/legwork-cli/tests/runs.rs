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
    let skipped: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("skipped: ")).collect();
    assert_eq!(
        skipped,
        [
            "skipped: a third of a turn permutes the legs (the legs are not 120 deg apart)",
            "skipped: Ngoc-Kim multipliers = half-and-half lumping (the legs are not 120 deg apart)",
            "skipped: all dynamics (the masses are missing)",
        ]
    );
}

#[test]
fn a_golden_file_agrees_and_a_changed_one_does_not() {
    let run = legwork(&["check", GOLDEN], b"");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.ends_with("\n\nall 15 quantities agree\n"), "{}", run.stdout);

    let text = std::fs::read_to_string(folder().join(GOLDEN)).unwrap();
    let mut file: Value = serde_json::from_str(&text).unwrap();
    file["states"][3]["effort"][0] = Value::from(1.0);
    file["states"][3]["colour"] = Value::from("blue");
    let changed = Scratch::new("changed.json", file.to_string().as_bytes());
    let run = legwork(&["check", changed.name()], b"");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let failing: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("FAILS")).collect();
    assert_eq!(failing.len(), 1);
    assert!(failing[0].starts_with("FAILS  effort  "));
    assert!(
        run.stdout.ends_with("\n\nnot compared: colour\n\n1 of 15 quantities is off\n"),
        "{}",
        run.stdout
    );
    let found = json(&legwork(&["check", changed.name(), "--json"], b""));
    assert_eq!((&found["holds"], &found["not_compared"][0]), (&Value::from(false), &Value::from("colour")));
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
