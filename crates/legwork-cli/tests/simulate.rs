//! Runs of `legwork simulate` and the files they leave.

mod program;

use legwork::recording::{Ending, Recording};
use program::{folder, legwork};
use serde_json::Value;
use std::path::PathBuf;

const SWING: &[&str] = &["simulate", "delta-industrial", "--from", "0.15", "-0.1", "-0.72"];

/// A folder of one test, gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("legwork-simulate-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

#[test]
fn every_format_holds_the_same_run() {
    let scratch = Scratch::new("formats");
    let open = |name: &str| {
        let path = scratch.file(name);
        let run = legwork(&[SWING, &["--out", &path, "--json"]].concat(), b"");
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!((&found["samples"], &found["samples_taken"]), (&Value::Null, &Value::from(101)));
        let recording = Recording::open(&path).unwrap();
        assert_eq!(recording.ending(), &Ending::Finished("at its end".into()));
        assert_eq!(found["last"]["x"].as_f64(), recording.values("x").unwrap().last().copied());
        recording
    };
    let recordings = ["run.csv", "run.parquet", "run.mcap"].map(open);
    for recording in &recordings {
        let names: Vec<&str> = recording.columns().iter().map(|column| column.name.as_str()).collect();
        let expected = "t x y z vx vy vz q1 q2 q3 qd1 qd2 qd3 tau1 tau2 tau3 kinetic_energy potential_energy work \
                        dissipation loop_gap";
        assert_eq!(names.join(" "), expected);
        assert_eq!(
            (recording.columns()[1].unit.as_str(), recording.columns()[1].frame.as_deref()),
            ("m", Some("base"))
        );
        assert_eq!((recording.columns()[13].unit.as_str(), recording.len()), ("N m", 101));
        let metadata = recording.metadata();
        assert!(
            metadata
                .command()
                .unwrap()
                .starts_with("legwork simulate delta-industrial --from 0.15 -0.1 -0.72 --out")
        );
        legwork::description::RobotDescription::parse(metadata.robot().unwrap(), "delta-industrial").unwrap();
        let same =
            |a: &Vec<f64>, b: &Vec<f64>| a.iter().map(|x| x.to_bits()).eq(b.iter().map(|x| x.to_bits()));
        assert!(recording.all_values().iter().zip(recordings[0].all_values()).all(|(a, b)| same(a, b)));
    }
}

/// The efforts of a recording drive the same motion again.
#[test]
fn a_recording_can_be_played_back() {
    let scratch = Scratch::new("playback");
    let (first, second) = (scratch.file("first.parquet"), scratch.file("second.csv"));
    let efforts = folder().join("streams/efforts.csv");
    let drive = ["--duration", "0.1", "--efforts", efforts.to_str().unwrap(), "--out", &first];
    assert_eq!(legwork(&[SWING, &drive].concat(), b"").code, 0);
    assert_eq!(
        legwork(&[SWING, &["--duration", "0.1", "--efforts", &first, "--out", &second]].concat(), b"").code,
        0
    );
    let end = |path: &str| Recording::open(path).unwrap().values("z").unwrap().last().copied().unwrap();
    assert!((end(&first) - end(&second)).abs() < 1e-9);
}

#[test]
fn the_forms_agree_on_a_swing() {
    let end = |flags: &[&str]| -> Vec<f64> {
        let tight = ["--tolerance", "1e-10", "--sample", "0.5", "--json"];
        let run = legwork(&[SWING, &tight, flags].concat(), b"");
        assert_eq!(run.code, 0, "{}", run.stderr);
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(found["samples"]["rows"].as_array().unwrap().len(), 3);
        ["x", "y", "z"].map(|name| found["last"][name].as_f64().unwrap()).to_vec()
    };
    let minimal = end(&[]);
    for form in ["constrained", "projected", "hamiltonian"] {
        for (a, b) in end(&["--formulation", form]).iter().zip(&minimal) {
            assert!((a - b).abs() < 1e-8, "{form}: {a} {b}");
        }
    }
}

/// A run that stops leaves its samples, the last good state and the reason.
#[test]
fn a_run_that_stops_keeps_what_it_has() {
    let scratch = Scratch::new("stops");
    let path = scratch.file("fall.mcap");
    let fall = ["simulate", "delta-industrial", "--effort", "0", "0", "0", "--json", "--out", &path];
    let run = legwork(&fall, b"");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(found["ending"], "stopped");
    let recording = Recording::open(&path).unwrap();
    assert_eq!(recording.time().last().copied(), found["time"].as_f64());
    let reason = found["reason"].as_str().unwrap();
    assert!(matches!(recording.ending(), Ending::Finished(text) if text.ends_with(reason)));
}

#[test]
fn a_run_that_cannot_begin_leaves_no_file() {
    let scratch = Scratch::new("begin");
    let path = scratch.file("none.csv");
    let run = legwork(&["simulate", "gough-stewart", "--formulation", "projected", "--out", &path], b"");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(!PathBuf::from(path).exists());
}
