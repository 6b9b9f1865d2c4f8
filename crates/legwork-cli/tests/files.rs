//! Files that survive: nothing overwritten by mistake, nothing half written, runs that are killed or interrupted, and
//! files without an end.
#![cfg(target_os = "linux")]

mod program;
#[path = "program/python.rs"]
mod python;

use legwork::recording::{Ending, Recording, metadata_file};
use program::{Run, legwork};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A folder of one test, gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("legwork-files-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// The names in it.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// A run that never ends by itself, and writes quickly.
const ENDLESS: &[&str] = &[
    "simulate",
    "delta-industrial",
    "--duration",
    "50000s",
    "--sample",
    "1ms",
    "--integrator",
    "rk4",
    "--step",
    "1ms",
];
const SHORT: &[&str] = &["simulate", "delta-industrial", "--duration", "50ms"];

fn start(arguments: &[&str]) -> Child {
    started(&program::path(), arguments)
}

/// The program that was built with the tests: an optimised one may be done before a signal comes.
fn start_unoptimised(arguments: &[&str]) -> Child {
    started(env!("CARGO_BIN_EXE_legwork").as_ref(), arguments)
}

fn started(program: &Path, arguments: &[&str]) -> Child {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until something holds of a child, or the child has ended, whichever comes first: then it never will.
fn wait_until(child: &mut Child, what: &str, mut holds: impl FnMut(u32) -> bool) {
    while !holds(child.id()) {
        if let Some(status) = child.try_wait().unwrap() {
            panic!("{what} did not happen before the end: {status}");
        }
        sleep(Duration::from_millis(1));
    }
}

fn length(path: &str) -> u64 {
    fs::metadata(path).map_or(0, |about| about.len())
}

/// Sends a signal as soon as the program listens for it.
fn signal(child: &mut Child, name: &str, number: u32) {
    wait_until(child, "listening", |id| {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:\t")).unwrap_or("0");
        u64::from_str_radix(caught, 16).unwrap() >> (number - 1) & 1 == 1
    });
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// Waits until a child has worked for so many hundredths of a second of the processor.
fn work(child: &mut Child, ticks: u64) {
    wait_until(child, "work", |id| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
        fields.get(11).is_some_and(|time| time.parse::<u64>().unwrap() >= ticks)
    });
}

fn end(child: Child) -> Run {
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().expect("not ended by a signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn refused(run: &Run, words: &[&str]) {
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    for word in words {
        assert!(run.stderr.contains(word), "`{word}` in {}", run.stderr);
    }
}

#[test]
fn an_output_never_overwrites_an_input() {
    let scratch = Scratch::new("input");
    let robot = scratch.file("mine.toml");
    fs::write(&robot, legwork(&["show", "delta-industrial", "--toml"], b"").stdout).unwrap();
    let text = fs::read(&robot).unwrap();
    let (linked, twin, away) =
        (scratch.file("link.html"), scratch.file("twin.svg"), scratch.file("a/../mine.html"));
    symlink("mine.toml", &linked).unwrap();
    fs::hard_link(&robot, &twin).unwrap();
    fs::hard_link(&robot, scratch.file("mine.html")).unwrap();
    fs::create_dir(scratch.file("a")).unwrap();
    let simulate = |out: &str| legwork(&["simulate", &robot, "--duration", "10ms", "--report", out], b"");
    refused(&simulate(&away), &["`--report ", "would overwrite the robot file `", "mine.toml`", "hint: "]);
    refused(&simulate(&linked), &["`--report ", "link.html` would overwrite the robot file `"]);
    let map = legwork(&["map", &robot, "condition", "--out", &twin], b"");
    refused(&map, &["twin.svg` would overwrite the robot file `"]);

    let motors = scratch.file("motors.csv");
    fs::write(&motors, "").unwrap();
    let size = legwork(&["size", "delta-industrial", "--motors", &motors, "--out", &motors], b"");
    refused(&size, &["would overwrite the motor table `"]);

    let efforts = scratch.file("efforts.csv");
    fs::write(&efforts, "t,e1,e2,e3\n0,0,0,0\n").unwrap();
    let run = legwork(&["simulate", "delta-industrial", "--efforts", &efforts, "--out", &efforts], b"");
    refused(&run, &["would overwrite the file of efforts `"]);

    let recording = scratch.file("run.parquet");
    assert_eq!(legwork(&[SHORT, &["--out", &recording]].concat(), b"").code, 0);
    let bytes = fs::read(&recording).unwrap();
    refused(
        &legwork(&["run", &recording, "--out", &recording], b""),
        &["would overwrite the request file `"],
    );
    if cfg!(feature = "studio") {
        let report = legwork(&["report", &recording, "--out", &recording], b"");
        refused(&report, &["would overwrite the recording `"]);
    }
    let recover = legwork(&["recover", &recording, "--out", &recording], b"");
    refused(&recover, &["`--out ", "would overwrite the recording `", "leave `--out` out"]);

    // The metadata of a table is read and written with it.
    let (table, beside) = (scratch.file("run.csv"), scratch.file("run.csv-metadata.json"));
    fs::copy(&robot, &beside).unwrap();
    let run = legwork(&["simulate", &beside, "--duration", "10ms", "--out", &table], b"");
    let words = [
        "run.csv` would overwrite with `",
        "run.csv-metadata.json` beside it the robot file `",
        "hint: give each",
    ];
    refused(&run, &words);
    let page = scratch.file("page.html");
    symlink("run.csv-metadata.json", &page).unwrap();
    let run = ["simulate", "delta-industrial", "--duration", "10ms", "--report", &page, "--out", &table];
    refused(&legwork(&run, b""), &["page.html` would overwrite `", "run.csv-metadata.json` beside `--out "]);
    assert_eq!(fs::read(&beside).unwrap(), text, "it is as it was");
    assert_eq!(legwork(&[SHORT, &["--out", &table]].concat(), b"").code, 0);
    let metadata = fs::read(&beside).unwrap();
    let recover = legwork(&["recover", &table, "--out", &beside], b"");
    refused(&recover, &["would overwrite `", "run.csv-metadata.json` beside the recording `"]);
    let deck = legwork(&["simulate", "delta-industrial", "--base", &table, "--out", &table], b"");
    refused(&deck, &["would overwrite the file of the base `"]);
    if cfg!(feature = "studio") {
        let report = legwork(&["report", &table, "--out", &beside], b"");
        refused(&report, &["run.csv-metadata.json` beside the recording `"]);
    }
    assert_eq!(fs::read(&beside).unwrap(), metadata);

    let request = scratch.file("request.json");
    fs::write(&request, format!(r#"{{"task":"linearize","robot":"delta-industrial","out":"{request}"}}"#))
        .unwrap();
    refused(&legwork(&["run", &request], b""), &["would overwrite the request file `"]);

    // Nor under the name that it has until it is whole.
    let partial = scratch.file(".run.csv.partial");
    fs::rename(&robot, &partial).unwrap();
    let run = legwork(&["simulate", &partial, "--duration", "10ms", "--out", &table], b"");
    refused(&run, &["run.csv` would overwrite with `", ".run.csv.partial` beside it the robot file `"]);
    let hidden = scratch.file("hidden.html");
    symlink(".run.csv.partial", &hidden).unwrap();
    let run = ["simulate", "delta-industrial", "--duration", "10ms", "--out", &table, "--report", &hidden];
    refused(&legwork(&run, b""), &["hidden.html` would overwrite `--out "]);
    fs::rename(&partial, &robot).unwrap();

    assert_eq!(fs::read(&robot).unwrap(), text);
    assert_eq!(fs::read(&recording).unwrap(), bytes);
    assert!(!scratch.names().iter().any(|name| name.contains("partial")), "{:?}", scratch.names());
}

#[test]
fn two_outputs_are_two_files() {
    let scratch = Scratch::new("outputs");
    let [a, other] = ["a.csv", "other.html"].map(|name| scratch.file(name));
    // Both are not there yet: the second is a link to the first.
    symlink("a.csv", &other).unwrap();
    let run = legwork(&[SHORT, &["--out", &a, "--report", &other]].concat(), b"");
    refused(&run, &["`--report ", "other.html` would overwrite `--out ", "a.csv`"]);
    let plan = legwork(&["plan", "delta-industrial", "--out", &a, "--out", &a], b"");
    refused(&plan, &["a.csv` would overwrite `--out "]);
    assert_eq!(scratch.names(), ["other.html"]);
}

/// The old file is there until the new one is whole, or, of a recording, has its first block.
#[test]
fn a_disk_that_is_full_loses_nothing() {
    let scratch = Scratch::new("full");
    // The shell's limit on the size of a file stands for the disk.
    let limited = |blocks: &str, arguments: &[&str]| {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_legwork")])
            .args(arguments)
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for ending in ["csv", "parquet", "mcap"] {
        let path = scratch.file(&format!("run.{ending}"));
        assert_eq!(legwork(&[SHORT, &["--out", &path]].concat(), b"").code, 0);
        let before = fs::read(&path).unwrap();
        let long = [ENDLESS, &["--out", &path]].concat();
        // 51 kB: less than a block.
        let (code, said) = limited("100", &long);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("cannot be written") && said.contains("file too large"), "{said}");
        assert_eq!(fs::read(&path).unwrap(), before, "{ending}");
        assert_eq!(scratch.names().iter().filter(|name| name.contains("partial")).count(), 0);
        // Some blocks.
        let (code, said) = limited("3000", &long);
        assert_eq!(code, Some(2), "{said}");
        let hint = format!("what was recorded before is in it: `legwork recover {path}`");
        assert!(said.contains("any further after") && said.contains(&hint), "{said}");
        let left = Recording::open(&path).unwrap();
        assert!(left.len() >= 1024, "{ending}: {}", left.len());
        assert_eq!(left.ending(), &Ending::Cut { offset: length(&path) });
        fs::remove_file(&path).unwrap();
    }
    // A picture and a table of a map, whole or not at all.
    for ending in ["png", "svg", "csv", "parquet", "html"] {
        if ending == "html" && !cfg!(feature = "studio") {
            continue;
        }
        let path = scratch.file(&format!("map.{ending}"));
        fs::write(&path, "old").unwrap();
        let arguments = ["map", "five-bar", "condition", "--out", &path];
        let (code, said) = limited("1", &arguments);
        assert_eq!(code, Some(2), "{said}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old", "{ending}");
    }
    assert!(!scratch.names().iter().any(|name| name.contains("partial")), "{:?}", scratch.names());
    // A device that is full, told in its words.
    let full = scratch.file("device.csv");
    symlink("/dev/full", &full).unwrap();
    let run = legwork(&[SHORT, &["--out", &full]].concat(), b"");
    refused(&run, &["the disk is full", "hint: make room on the disk"]);
}

#[test]
fn a_file_that_is_being_written_is_refused_to_a_second_run() {
    let scratch = Scratch::new("two");
    for ending in ["csv", "parquet", "mcap"] {
        let path = scratch.file(&format!("run.{ending}"));
        let mut first = start(&[ENDLESS, &["--out", &path]].concat());
        wait_until(&mut first, "the first block", |_| length(&path) > 0);
        let second = legwork(&[SHORT, &["--out", &path]].concat(), b"");
        refused(&second, &["another run is writing it", "hint: wait until the other run has ended"]);
        refused(&legwork(&["recover", &path], b""), &["another run is writing it"]);
        if ending == "csv" {
            // The metadata is its run's too, whoever else would write it.
            let beside = metadata_file(&path);
            let other = ["import", "settings/printer.cfg", "--out", beside.to_str().unwrap()];
            refused(&legwork(&other, b""), &["run.csv-metadata.json", "another run is writing it"]);
        }
        first.kill().unwrap();
        first.wait().unwrap();
        // A killed run holds nothing.
        assert_eq!(legwork(&["recover", &path], b"").code, 0);
        let third = legwork(&[SHORT, &["--out", &path]].concat(), b"");
        assert_eq!(third.code, 0, "{}", third.stderr);
    }
}

#[test]
fn signals_end_a_run_as_ctrl_c_does() {
    let scratch = Scratch::new("signals");
    for (k, (name, number)) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)].into_iter().enumerate() {
        let path = scratch.file(["run.csv", "run.parquet", "run.mcap"][k]);
        let mut child = start(&[ENDLESS, &["--out", &path]].concat());
        wait_until(&mut child, "the first block", |_| length(&path) > 0);
        signal(&mut child, name, number);
        let run = end(child);
        assert_eq!(run.code, 128 + i32::try_from(number).unwrap(), "{name}: {}", run.stderr);
        assert!(run.stdout.contains("ended             interrupted at "), "{}", run.stdout);
        let recording = Recording::open(&path).unwrap();
        let Ending::Finished(reason) = recording.ending() else { panic!("{name}: {:?}", recording.ending()) };
        assert!(reason.starts_with("interrupted at "), "{reason}");
    }
}

/// Every verb that can be long ends with the first signal, wherever it is.
#[test]
fn the_first_signal_ends_every_verb() {
    let scratch = Scratch::new("verbs");
    let mesh = scratch.file("body.stl");
    let verbs: [&[&str]; 7] = [
        &["map", "delta-industrial", "--volume", "--cells", "400", "--mesh", &mesh],
        &["map", "gough-stewart", "condition", "--x=-0.1..0.1/4000", "--y=-0.1..0.1/4000"],
        &["plan", "delta-industrial", "--torque-limit", "60Nm", "--intervals", "100000"],
        &["size", "quattro", "--fastest", "--torque-limit", "60Nm"],
        &["check", "gough-stewart", "--states", "10000000"],
        &[
            "simulate",
            "delta-industrial",
            "--duration",
            "90s",
            "--sample",
            "90s",
            "--integrator",
            "rk4",
            "--step",
            "1us",
        ],
        &["reproduce"],
    ];
    for arguments in verbs {
        let mut child = start_unoptimised(arguments);
        work(&mut child, 10);
        signal(&mut child, "-TERM", 15);
        let run = end(child);
        // What was done before the signal came is done.
        assert!(run.code == 143 || arguments[0] == "size", "{arguments:?}: {} {}", run.code, run.stderr);
    }
    assert_eq!(scratch.names(), [""; 0]);
}

#[test]
fn an_interrupted_map_tells_what_was_not_computed() {
    let scratch = Scratch::new("map");
    let (table, picture) = (scratch.file("map.csv"), scratch.file("map.svg"));
    let mut child = start_unoptimised(&[
        "map",
        "delta-direct-drive",
        "condition",
        "--x=-0.6..0.6/500",
        "--y=-0.6..0.6/500",
        "--out",
        &table,
        "--out",
        &picture,
    ]);
    let mut said = String::new();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    stderr.read_line(&mut said).unwrap();
    assert_eq!(said, "note: a map of 250000 poses with 1 number each, 2 MB of memory\n");
    work(&mut child, 10);
    signal(&mut child, "-INT", 2);
    let run = end(child);
    assert_eq!(run.code, 130);
    assert!(run.stdout.contains("not computed"), "{}", run.stdout);
    let text = fs::read_to_string(&table).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(text.lines().next(), Some("x,y,computed,condition"));
    assert_eq!(rows.len(), 250_000);
    let done = rows.iter().take_while(|row| row[2] == "1.0").count();
    assert!(done > 0 && rows[done..].iter().all(|row| row[2] == "0.0" && row[3] == "NaN"), "{done}");
    // The first poses are out of reach: computed, and without a number.
    assert_eq!((rows[0][2], rows[0][3]), ("1.0", "NaN"));
    let ending = Recording::open(&table).unwrap().ending().clone();
    let words = format!("interrupted after {done} of 250000 poses, {} not computed", 250_000 - done);
    assert_eq!(ending, Ending::Finished(words));
    assert!(fs::read_to_string(&picture).unwrap().starts_with("<svg"));
}

/// Devices and pipes have no end, and a table of other people may claim to be huge.
#[test]
fn only_files_are_read() {
    let scratch = Scratch::new("devices");
    let [toml, json, csv] = ["zero.toml", "zero.json", "zero.csv"].map(|name| scratch.file(name));
    for path in [&toml, &json, &csv] {
        symlink("/dev/zero", path).unwrap();
    }
    let pipe = scratch.file("pipe.toml");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let cases: [&[&str]; 7] = [
        &["show", &toml],
        &["run", &toml],
        &["run", &csv],
        &["check", &json],
        &["size", "delta-industrial", "--motors", &toml],
        &["simulate", "delta-industrial", "--efforts", &csv],
        &["recover", &csv],
    ];
    for arguments in cases {
        let run = legwork(arguments, b"");
        refused(&run, &["it is a device and not a file"]);
    }
    refused(&legwork(&["show", &pipe], b""), &["it is a pipe and not a file"]);
    // A hole of a terabyte.
    let huge = scratch.file("huge.toml");
    fs::File::create(&huge).unwrap().set_len(1 << 40).unwrap();
    let golden = scratch.file("huge.json");
    fs::hard_link(&huge, &golden).unwrap();
    refused(&legwork(&["check", &golden], b""), &["it has 1.1 TB, and at most 67.1 MB are read"]);
    // Recordings may be large, their lines and records not.
    let lines = scratch.file("lines.csv");
    fs::hard_link(&huge, &lines).unwrap();
    refused(&legwork(&["recover", &lines], b""), &["a line of more than 67108864 bytes"]);
    let table = scratch.file("table.csv");
    fs::write(&table, "t,x\n0,0\n").unwrap();
    fs::OpenOptions::new().append(true).open(&table).unwrap().set_len(1 << 40).unwrap();
    refused(&legwork(&["recover", &table], b""), &["a line of more than 67108864 bytes"]);
    let records = scratch.file("records.mcap");
    fs::write(&records, b"\x89MCAP0\r\n\x01\x00\x00\x00\x00\x80\x00\x00\x00").unwrap();
    fs::OpenOptions::new().append(true).open(&records).unwrap().set_len(1 << 40).unwrap();
    refused(
        &legwork(&["recover", &records], b""),
        &["a length of 549755813888 bytes is more than is read at once"],
    );
    refused(&legwork(&["show", &huge], b""), &["it has 1.1 TB, and at most 16.8 MB are read"]);
}

#[test]
fn what_is_too_large_is_refused_with_its_size() {
    let map = ["map", "delta-direct-drive", "condition", "--x=-0.2..0.2/100000", "--y=-0.2..0.2/100000"];
    refused(
        &legwork(&map, b""),
        &[
            "10000000000 poses with 1 number each, 80 GB of memory; at most 268435456 numbers",
            "hint: take fewer poses",
        ],
    );
    let run = |more: &[&str]| legwork(&[&["simulate", "delta-industrial"], more].concat(), b"");
    refused(
        &run(&["--duration", "90s", "--sample", "1e-9"]),
        &["9.000e10 samples; 100000000 are the most", "--sample"],
    );
    refused(&run(&["--duration", "9000s", "--sample", "0.1ms", "--json"]), &["GB of memory", "`--out`"]);
    refused(
        &run(&["--integrator", "rk4", "--step", "1e-13"]),
        &["1.000e13 steps; 100000000 are the most", "take a longer `--step`"],
    );
    let scratch = Scratch::new("large");
    let request = scratch.file("request.toml");
    for (text, words) in [
        ("task = 'plan'\nrobot = 'delta-industrial'\nintervals = 2000000000", "must be from 2 to 100000"),
        ("task = 'map'\nrobot = 'delta-industrial'\nvolume = true\ncells = 100000", "must be from 4 to 400"),
    ] {
        fs::write(&request, text).unwrap();
        refused(&legwork(&["run", &request], b""), &[words]);
    }
}

/// A seeded stream of numbers (SplitMix64).
fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// Kills runs at random moments, as often as `LEGWORK_KILLS` says in each format, and lets other programs read what
/// is left. A moment is a size of the file, not a time.
#[test]
fn killed_at_any_moment_a_recording_can_be_read() {
    let scratch = Scratch::new("kills");
    let kills: u64 = std::env::var("LEGWORK_KILLS").ok().map_or(3, |count| count.parse().unwrap());
    let mut next = random(11);
    let (mut left, mut as_they_are, mut rows) = (Vec::new(), Vec::new(), 0);
    for ending in ["csv", "parquet", "mcap"] {
        for k in 0..kills {
            let path = scratch.file(&format!("run-{k}.{ending}"));
            let mut child = start(&[ENDLESS, &["--out", &path]].concat());
            let size = next() % 1_500_000;
            wait_until(&mut child, "progress", |_| length(&path) > size);
            child.kill().unwrap();
            child.wait().unwrap();
            let before = Recording::open(&path).unwrap();
            assert!(matches!(before.ending(), Ending::Cut { .. }), "{path}: {:?}", before.ending());
            assert!(!before.is_empty(), "{path}");
            rows += before.len();
            // Plain CSV needs nothing, unless the kill came within a line.
            if ending == "csv" && before.ending() == (&Ending::Cut { offset: length(&path) }) {
                let copy = scratch.file(&format!("as-it-is-{k}.csv"));
                fs::copy(&path, &copy).unwrap();
                as_they_are.push((copy, before.len()));
            }
            let run = legwork(&["recover", &path], b"");
            assert_eq!(run.code, 0, "{}", run.stderr);
            assert!(run.stdout.contains(&format!("{} rows", before.len())), "{}", run.stdout);
            let after = Recording::open(&path).unwrap();
            assert_eq!(after.all_values(), before.all_values(), "{path}");
            assert!(legwork(&["recover", &path], b"").stdout.contains("nothing to recover"));
            left.push((path, before.len()));
        }
    }
    others_read(&scratch, &as_they_are);
    let by_others = others_read(&scratch, &left);
    println!(
        "figure killed: {} runs killed, {kills} of each format: all {rows} rows up to their last blocks read, and after \
         `legwork recover` by pandas, pyarrow, polars and mcap in {by_others} of the files",
        left.len()
    );
}

/// pandas, pyarrow, polars and mcap count the rows of every file. Gives how many files they read: none without them.
fn others_read(scratch: &Scratch, files: &[(String, usize)]) -> usize {
    let words = format!("{} files as expected", files.len());
    let list = serde_json::to_string(files).unwrap();
    if python::script("count_rows.py", &scratch.file("files.json"), &list, &words) { files.len() } else { 0 }
}
