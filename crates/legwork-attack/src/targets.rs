//! One plain function for every reader. It may refuse the bytes; it must not panic, run without end or take memory
//! that the bytes do not account for. A text that is refused must say why, and an answer must be finite.

use legwork::analysis::size::MotorTable;
use legwork::check::check_golden;
use legwork::description::RobotDescription;
use legwork::recording::{ReadError, Reader, Recording};
use legwork::task::{Handle, Request, RequestFormat};
use legwork::{AnyRobot, PlatformState};
use std::fs;
use std::path::PathBuf;

/// A reader: its name and what drives it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, also that of its folder of kept inputs.
    pub name: &'static str,
    /// Reads these bytes.
    pub run: fn(&[u8]),
    /// How many inputs a short and a long run try.
    pub cases: [u32; 2],
}

/// Every reader.
pub const TARGETS: &[Target] = &[
    Target { name: "robot", run: robot, cases: [20_000, 1_000_000] },
    Target { name: "request-toml", run: request_toml, cases: [200_000, 10_000_000] },
    Target { name: "request-json", run: request_json, cases: [200_000, 10_000_000] },
    Target { name: "motors", run: motors, cases: [200_000, 10_000_000] },
    Target { name: "efforts", run: efforts, cases: [10_000, 500_000] },
    Target { name: "golden", run: golden, cases: [3_000, 100_000] },
    Target { name: "recording", run: recording, cases: [100_000, 5_000_000] },
    Target { name: "csv-metadata", run: csv_metadata, cases: [100_000, 5_000_000] },
];

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// An error has words.
fn told(error: &dyn std::fmt::Display) {
    assert!(!error.to_string().trim().is_empty(), "an error without words");
}

/// A robot file, and the robot at its home.
///
/// # Panics
/// If it is at home in a state that is not finite, or refused without a word: what the attack looks for.
pub fn robot(data: &[u8]) {
    let description = match RobotDescription::parse(&text(data), "attack.toml") {
        Ok(description) => description,
        Err(error) => return told(&error),
    };
    let robot = match AnyRobot::new(description) {
        Ok(robot) => robot,
        Err(error) => return told(&error),
    };
    let home = robot.home();
    match robot.state(&home) {
        Ok(state) => {
            assert!(crate::states::is_finite(&state), "a state at home that is not finite: {state:?}");
        }
        Err(error) => told(&error),
    }
    if let Err(error) = robot.inverse_kinematics(&PlatformState { wrench: [1.0; 6], ..home }) {
        told(&error);
    }
}

fn request(data: &[u8], format: RequestFormat) {
    match Request::parse(&text(data), format) {
        Ok(request) => {
            // What was read can be written and read again.
            let json = request.to_json();
            if let Err(error) = Request::parse(&json, RequestFormat::Json) {
                panic!("a request that was read cannot be read again: {error}\n{json}");
            }
        }
        Err(error) => told(&error),
    }
}

/// A request in TOML; it is not run.
pub fn request_toml(data: &[u8]) {
    request(data, RequestFormat::Toml);
}

/// A request in JSON; it is not run.
pub fn request_json(data: &[u8]) {
    request(data, RequestFormat::Json);
}

/// A table of motors.
pub fn motors(data: &[u8]) {
    if let Err(error) = MotorTable::parse(&text(data)) {
        told(&error);
    }
}

/// A file of this process for readers that take a path.
fn file(name: &str, data: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("legwork-attack-{}-{name}", std::process::id()));
    fs::write(&path, data).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

/// A table of efforts, and a microsecond of a run under it.
pub fn efforts(data: &[u8]) {
    let path = file("efforts.csv", data);
    let words = format!(
        "task = 'simulate'\nrobot = 'delta-industrial'\nduration = '1 us'\nefforts = {{ file = {{ path = '{}' }} }}",
        path.display()
    );
    let result = Request::parse(&words, RequestFormat::Toml).and_then(|request| request.run(&Handle::none()));
    if let Err(error) = result {
        told(&error);
    }
    let _ = fs::remove_file(path);
}

/// A golden file, compared with the model of its own parameters.
pub fn golden(data: &[u8]) {
    let path = file("golden.json", data);
    if let Err(error) = check_golden(&path) {
        told(&error);
    }
    let _ = fs::remove_file(path);
}

/// A recording in any of its formats.
///
/// # Panics
/// If its columns are of unequal length, or it is refused without a word: what the attack looks for.
pub fn recording(data: &[u8]) {
    whole(Reader::from_bytes("attack", data.to_vec()).and_then(Recording::read));
}

/// The table that the metadata of [`csv_metadata`] is beside.
pub const TABLE: &str = "t,x\n0.0,0.1\n0.001,NaN\n";

/// The metadata beside a CSV file.
///
/// # Panics
/// If it changes the numbers, or is not used without a word: what the attack looks for.
pub fn csv_metadata(data: &[u8]) {
    let read = Reader::from_bytes_with("attack.csv", TABLE.into(), data).and_then(Recording::read);
    if let Ok(recording) = &read {
        assert_eq!((recording.time(), recording.len()), (&[0.0, 0.001][..], 2));
        if let Some(bare) = recording.bare() {
            told(bare);
            assert!(recording.metadata().iter().next().is_none(), "metadata that is not used is there");
        }
    }
    whole(read);
}

fn whole(read: Result<Recording, ReadError>) {
    match read {
        Ok(recording) => {
            let rows = recording.len();
            assert!(
                recording.all_values().iter().all(|column| column.len() == rows),
                "columns of unequal length"
            );
        }
        Err(error) => told(&error),
    }
}
