//! Runs of `legwork simulate` and the files they leave.

mod program;
#[path = "program/python.rs"]
mod python;

use legwork::recording::{Ending, Recording, metadata_file};
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

/// What motors are told, what they give and what encoders read stand side by side in a file.
#[test]
fn commands_and_readings_are_recorded() {
    let scratch = Scratch::new("commands");
    let path = scratch.file("run.parquet");
    let efforts = folder().join("streams/efforts.csv");
    let machine = ["--lag", "2ms", "--encoder", "0.1deg", "--delay", "20ms", "--sample", "5ms"];
    let drive = ["--duration", "0.1", "--efforts", efforts.to_str().unwrap(), "--out", &path];
    let run = legwork(&[SWING, &machine, &drive].concat(), b"");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let recording = Recording::open(&path).unwrap();
    let column = |name: &str| recording.values(name).unwrap().to_vec();
    let (u, tau, q, m) = (column("u1"), column("tau1"), column("q1"), column("m1"));
    assert!(u.iter().zip(&tau).any(|(u, tau)| (u - tau).abs() > 1e-3));
    let step = 0.1_f64.to_radians();
    for k in 4..q.len() {
        // four samples of 5 ms are 20 ms
        assert!((m[k] - q[k - 4]).abs() <= 0.5 * step + 1e-9, "{k}: {} {}", m[k], q[k - 4]);
        assert!((m[k] / step - (m[k] / step).round()).abs() < 1e-9);
    }
}

/// Runs that would never end are refused or end with a reason, and what was recorded is kept.
#[test]
fn nothing_is_endless() {
    let scratch = Scratch::new("endless");
    let run = |options: &[&str]| legwork(&[&["simulate", "delta-industrial"], options].concat(), b"");
    for (options, words) in [
        (&["--integrator", "rk4", "--step", "1e-300"][..], "1.000e300 steps; 100000000 are the most"),
        (&["--integrator", "euler", "--step", "5e-324"], "steps; 100000000 are the most"),
        (&["--duration", "1e9", "--sample", "1e8"], "1.000e10 steps; 100000000 are the most"),
        (&["--sample", "1e-300"], "1.000e300 samples; 100000000 are the most"),
        (&["--regulator", "pd", "--period", "1e-300"], "100000000 are the most"),
    ] {
        let run = run(options);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{options:?}: {}", run.stderr);
        assert!(
            run.stderr.contains(words) && run.stderr.contains("\nhint: take a longer `--"),
            "{}",
            run.stderr
        );
    }
    let path = scratch.file("huge.csv");
    // A request takes numbers that the command line refuses.
    let request = scratch.file("huge.toml");
    let text =
        "task = 'simulate'\nrobot = 'delta-industrial'\nefforts = { constant = [1e200, 1e200, 1e200] }";
    std::fs::write(&request, text).unwrap();
    let huge = legwork(&["run", &request, "--out", &path], b"");
    assert_eq!(huge.code, 1, "{}", huge.stderr);
    let recording = Recording::open(&path).unwrap();
    assert!(recording.all_values().iter().flatten().all(|x| x.is_finite()));
    std::fs::write(&request, "task = 'simulate'\nduration = 1e300\nsample = 1e299").unwrap();
    let long = legwork(&["run", &request], b"");
    assert!(
        long.code == 2 && long.stderr.contains("1.000e301 steps; 100000000 are the most"),
        "{}",
        long.stderr
    );

    let path = scratch.file("stiff.csv");
    let stiff = run(&["--friction", "1e7", "--from", "0.1", "0.05", "-0.75", "--out", &path]);
    assert_eq!(stiff.code, 1, "{}", stiff.stderr);
    for words in ["the plant is stiff", "take `--integrator` stiff"] {
        assert!(stiff.stdout.contains(words), "{}", stiff.stdout);
    }
    assert!(!Recording::open(&path).unwrap().is_empty());
    // The way out is one.
    let taken = ["--friction", "1e7", "--from", "0.1", "0.05", "-0.75", "--integrator", "stiff"];
    let implicit = run(&taken);
    assert!(
        implicit.code == 0 && implicit.stdout.contains("at its end"),
        "{}{}",
        implicit.stdout,
        implicit.stderr
    );
}

/// Events that cannot happen are told with their time.
#[test]
fn events_that_cannot_happen_are_told() {
    for (options, words) in [
        (&["--put", "0.2s"][..], "`--put` at 0.2 s: nothing is picked up before"),
        (
            &["--pick", "0.1s:1kg", "0.3s:2kg"],
            "`--pick` at 0.3 s: what was picked up before is still carried",
        ),
        (&["--pick", "0.1s:1kg", "--put", "0.2s", "0.4s"], "`--put` at 0.4 s: nothing is picked up before"),
        (&["--pick", "2s:1kg"], "the change of the payload at 2 s is after the end of the run at 1 s"),
        (&["--push", "1.5s:2s:1,0,0"], "the push at 1.5 s is after the end of the run at 1 s"),
        (&["--model-error", "mass=10", "mass=5"], "`--model-error` has `mass` twice"),
        (&["--regulator", "pd", "model", "pd"], "the regulator `pd` is there twice"),
    ] {
        let run = legwork(&[&["simulate", "delta-industrial"], options].concat(), b"");
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{options:?}");
        assert!(run.stderr.contains(words), "{options:?}: {}", run.stderr);
    }
    let good = ["simulate", "delta-industrial", "--pick", "0.1s:1kg", "0.3s:2kg", "--put", "0.3s", "0.5s"];
    assert_eq!(legwork(&good, b"").code, 0);
}

/// A golden trajectory that the robot cannot follow to its end does not hold: 1, not bad input.
#[test]
fn a_check_whose_run_stops_early_fails() {
    let scratch = Scratch::new("check");
    let path = scratch.file("fall.json");
    let golden = folder().join("../../../golden/delta_swing.json");
    let mut file: Value = serde_json::from_slice(&std::fs::read(golden).unwrap()).unwrap();
    file["constant_effort"] = serde_json::json!([0.0, 0.0, 0.0]);
    std::fs::write(&path, file.to_string()).unwrap();
    let run = legwork(&["check", &path], b"");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.contains("the run stopped at "), "{}", run.stdout);
    let json = legwork(&["check", &path, "--json"], b"");
    let found: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((json.code, &found["holds"]), (1, &Value::Bool(false)));
}

#[test]
fn a_run_that_cannot_begin_leaves_no_file() {
    let scratch = Scratch::new("begin");
    let path = scratch.file("none.csv");
    let run = legwork(&["simulate", "gough-stewart", "--integrator", "rattle", "--out", &path], b"");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(!PathBuf::from(path).exists());
}

#[test]
fn a_closed_loop_leaves_a_file_for_each_regulator() {
    let scratch = Scratch::new("closed");
    let out = scratch.file("run.csv");
    let run = legwork(
        &["simulate", "--regulator", "pd,model-shifted", "--settle", "20ms", "--out", &out, "--json"],
        b"",
    );
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(found["regulators"][1]["regulator"], "model-shifted");
    for (k, name) in ["run-pd.csv", "run-model-shifted.csv"].into_iter().enumerate() {
        let recording = Recording::open(scratch.file(name)).unwrap();
        let largest = |column: &str| legwork_testkit::largest(recording.values(column).unwrap());
        // The table and the file tell the same.
        assert_eq!(found["regulators"][k]["position_error"]["max"].as_f64(), Some(largest("position_error")));
        let errors = ["qerr1", "qerr2", "qerr3"].map(largest);
        let most = legwork_testkit::largest(errors);
        assert_eq!(found["regulators"][k]["turning_error"]["max"].as_f64(), Some(most));
        let (q, wanted, error) = ["q1", "qref1", "qerr1"].map(|name| recording.values(name).unwrap()).into();
        assert!(q.iter().zip(wanted).zip(error).all(|((q, wanted), error)| wanted - q == *error));
        assert!(recording.values("u1").is_some() && recording.values("z_ref").is_some());
    }
}

/// `pandas.read_csv` and `pandas.read_parquet` without options give the same.
#[test]
fn a_csv_is_the_table_of_its_parquet() {
    let scratch = Scratch::new("tables");
    let map: &[&str] = &["map", "five-bar", "condition", "--x=-0.3..0.3/9", "--y=0..0.4/7"];
    let plan: &[&str] = &["size", "delta-industrial", "--sample", "10ms"];
    let loops: &[&str] = &["simulate", "gough-stewart", "--regulator", "pd", "--sample", "10ms"];
    let mut pairs = Vec::new();
    for (name, arguments) in [("swing", SWING), ("map", map), ("cycle", plan), ("loop", loops)] {
        let pair = ["csv", "parquet"].map(|ending| scratch.file(&format!("{name}.{ending}")));
        for path in &pair {
            let run = legwork(&[arguments, &["--out", path]].concat(), b"");
            assert_eq!(run.code, 0, "{}", run.stderr);
        }
        let text = std::fs::read_to_string(&pair[0]).unwrap();
        let header = text.lines().next().unwrap();
        let names: Vec<String> = header.split(',').map(str::to_owned).collect();
        let [csv, parquet] = [0, 1].map(|k: usize| Recording::open(&pair[k]).unwrap());
        assert_eq!(csv.columns(), parquet.columns(), "{name}: names, units and frames");
        assert!(names.iter().eq(parquet.columns().iter().map(|column| &column.name)), "{header}");
        assert_eq!(csv.ending(), parquet.ending());
        pairs.push(pair);
    }
    let (list, files) = (scratch.file("files.json"), serde_json::to_string(&pairs).unwrap());
    python::script("same_table.py", &list, &files, "4 tables as expected");
}

/// What a table says without its metadata, and with that of another.
#[test]
fn metadata_that_is_missing_or_of_others_is_told() {
    let scratch = Scratch::new("metadata");
    let [run, copy, again] = ["run.csv", "copy.csv", "again.csv"].map(|name| scratch.file(name));
    assert_eq!(legwork(&[SWING, &["--out", &run]].concat(), b"").code, 0);
    // A copy of both files runs again.
    std::fs::copy(&run, &copy).unwrap();
    std::fs::copy(metadata_file(&run), metadata_file(&copy)).unwrap();
    let rerun = legwork(&["run", &copy, "--out", &again], b"");
    assert_eq!((rerun.code, rerun.stderr.as_str()), (0, ""));
    assert_eq!(std::fs::read(&again).unwrap(), std::fs::read(&run).unwrap());
    // Without the second file it is a table of numbers, and good as such.
    std::fs::remove_file(metadata_file(&copy)).unwrap();
    let refused = legwork(&["run", &copy], b"");
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""));
    for words in ["does not carry its request", "hint: there is no `", "copy.csv-metadata.json`"] {
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
    let driven = |file: &str| legwork(&["simulate", "delta-industrial", "--efforts", file, "--json"], b"");
    let (with, without) = (driven(&run), driven(&copy));
    assert_eq!((with.code, with.stderr.as_str(), without.stderr.as_str()), (0, "", ""));
    let last = |text: &str| serde_json::from_str::<Value>(text).unwrap()["last"].clone();
    assert_eq!(last(&with.stdout), last(&without.stdout));
    let said = legwork(&["recover", &copy], b"");
    assert_eq!((said.code, said.stdout.contains("a table of whole lines, nothing to recover")), (0, true));
    assert!(said.stderr.contains("note: ") && said.stderr.contains("how the run ended are not known"));
    // That of another run is told wherever the table is read.
    assert_eq!(
        legwork(&["simulate", "delta-industrial", "--duration", "20ms", "--out", &again], b"").code,
        0
    );
    std::fs::copy(metadata_file(&again), metadata_file(&copy)).unwrap();
    let words = "copy.csv-metadata.json` was written for other numbers, or these were changed since";
    for arguments in [
        &["run", &copy] as &[&str],
        &["simulate", "delta-industrial", "--efforts", &copy],
        &["simulate", "delta-industrial", "--base", &copy, "--duration", "10ms"],
        &["recover", &copy],
    ] {
        let said = legwork(arguments, b"").stderr;
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    if cfg!(feature = "studio") {
        let page = scratch.file("page.html");
        let report = legwork(&["report", &copy, "--out", &page], b"");
        assert!(report.code == 0 && report.stderr.contains(words), "{}", report.stderr);
        std::fs::remove_file(metadata_file(&copy)).unwrap();
        let report = legwork(&["report", &copy, "--out", &page], b"");
        assert!(report.code == 0 && report.stderr.contains("there is no `"), "{}", report.stderr);
    }
}

/// The rows of a table are states: their torques are those that the table has, and they are a motion to follow.
#[test]
fn a_table_goes_back_in() {
    let scratch = Scratch::new("back");
    for robot in ["delta-industrial", "gough-stewart"] {
        let path = scratch.file(&format!("{robot}.csv"));
        let size = legwork(&["size", robot, "--sample", "20ms", "--out", &path], b"");
        assert_eq!(size.code, 0, "{}", size.stderr);
        let recording = Recording::open(&path).unwrap();
        let run = legwork(&["torque", robot], &std::fs::read(&path).unwrap());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let lines: Vec<Vec<&str>> = run.stdout.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(lines.len(), recording.len() + 1);
        for k in 1..=3 {
            let heading = format!("motor_effort{k} ");
            let place = lines[0].iter().position(|name| name.starts_with(&heading)).unwrap();
            let found: Vec<f64> = lines[1..].iter().map(|line| line[place].parse().unwrap()).collect();
            // A stream prints zero for minus zero.
            assert_eq!(found, recording.values(&format!("tau{k}")).unwrap(), "{robot}, motor {k}");
        }
    }
    let path = scratch.file("delta-industrial.csv");
    for arguments in [
        &["simulate", "delta-industrial", "--motion", &path, "--regulator", "pd"] as &[&str],
        &["size", "delta-industrial", "--motion", &path],
    ] {
        let run = legwork(arguments, b"");
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}");
    }
}
