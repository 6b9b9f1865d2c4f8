//! `legwork run`: the same numbers as the library, and recordings that run again.

mod program;

use legwork::recording::Recording;
use legwork::task::{Handle, Request, RequestFormat};
use program::legwork;
use serde_json::Value;
use std::path::PathBuf;

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("legwork-run-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

const REQUESTS: [&str; 4] = [
    r#"{"task": "simulate", "robot": {"name": "delta-industrial", "payload": "300 g"}, "from": [0.05, -0.02, "-780 mm"],
        "duration": "50 ms", "plant": {"lag": "2 ms", "encoder": 1e-5}, "keep_samples": true}"#,
    r#"{"task": "follow", "controller": {"regulators": ["pd", "model-shifted"], "known_error": {"mass": 0.1}},
        "settle": "10 ms"}"#,
    r#"{"task": "plan", "robot": "delta-industrial", "limits": {"torque_limit": 60}}"#,
    r#"{"task": "size", "robot": "delta-industrial", "motors": "sample", "law": {"move_time": 0.2}}"#,
];

#[test]
fn the_program_and_the_library_agree_to_the_bit() {
    let folder = scratch("agree");
    for (k, text) in REQUESTS.into_iter().enumerate() {
        let request = Request::parse(text, RequestFormat::Json).unwrap();
        let expected = serde_json::to_value(request.run(&Handle::none()).unwrap()).unwrap();
        for (name, text) in [("request.json", text.to_owned()), ("request.toml", request.to_toml())] {
            let file = folder.join(format!("{k}-{name}"));
            std::fs::write(&file, text).unwrap();
            let run = legwork(&["run", file.to_str().unwrap(), "--json"], b"");
            assert_eq!((run.code, run.stderr.as_str()), (0, ""));
            // Every number is printed so that it is read back to the bit.
            let found: Value = serde_json::from_str(&run.stdout).unwrap();
            assert_eq!(found, expected, "{name} {k}");
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_recording_runs_again_from_itself_alone() {
    let folder = scratch("again");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let efforts = file("efforts.csv");
    std::fs::write(&efforts, "t,e1,e2,e3\n0,-20,-19,-19\n0.05,-18,-19,-20\n").unwrap();
    let (first, second) = (file("first.mcap"), file("second.mcap"));
    let words =
        ["simulate", "delta-industrial", "--efforts", &efforts, "--between", "linear", "--payload", "200g"];
    let run = legwork(&[&words[..], &["--duration", "0.05", "--out", &first]].concat(), b"");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    // The file of efforts is not needed any more: its rows are in the recording.
    std::fs::remove_file(&efforts).unwrap();
    let run = legwork(&["run", &first, "--out", &second], b"");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout.contains("motors            from a table, straight lines between its rows"),
        "{}",
        run.stdout
    );
    let [first, second] = [&first, &second].map(|path| Recording::open(path).unwrap());
    assert_eq!(first.all_values(), second.all_values());
    assert_eq!(first.metadata().get("request"), second.metadata().get("request"));
    let shown = legwork(&["run", &file("second.mcap"), "--show"], b"");
    assert_eq!(
        Request::parse(&shown.stdout, RequestFormat::Toml).unwrap().to_json(),
        first.metadata().get("request").unwrap()
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_cannot_be_run_is_told() {
    let folder = scratch("refused");
    for (name, text, expected) in [
        (
            "typo.toml",
            "task = 'simulate'\nduraton = 1\n",
            "line 2, column 1: unknown word `duraton`, did you mean",
        ),
        ("paper.toml", "task = 'reproduce'\npaper = 'nobody1999'\n", "nobody1999"),
        ("task.toml", "task = 'dance'\n", "there is no task `dance`"),
        ("plain.csv", "t,x\n0,1\n", "does not carry its request"),
    ] {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        let run = legwork(&["run", file.to_str().unwrap()], b"");
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
    std::fs::remove_dir_all(folder).unwrap();
}
