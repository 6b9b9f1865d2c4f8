//! Other people's libraries read our files, and we read theirs.

mod recording_support;

use legwork::recording::{
    Column, Ending, Format, RECOVERED, ReadError, Reader, Recording, Unsupported, recover,
};
use recording_support::{Folder, HARD, hard_recording, write};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

/// A Python that has the package; `LEGWORK_PYTHON` names one that is not on the path.
fn python_with(package: &str) -> Option<String> {
    let python = std::env::var("LEGWORK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(&python).args(["-c", &format!("import {package}")]).output().ok()?;
    output.status.success().then_some(python)
}

/// Lets Python compare a file with a recording; does nothing if there is no Python with the package.
fn compare(recording: &Recording, end: Option<&str>, path: &Path, package: &str) {
    let Some(python) = python_with(package) else {
        println!("skipped: no python3 with the package {package}");
        return;
    };
    let bits = |column: &Vec<f64>| column.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    let expected = json!({
        "names": recording.columns().iter().map(|column| &column.name).collect::<Vec<_>>(),
        "columns": recording.all_values().iter().map(bits).collect::<Vec<_>>(),
        "metadata": recording.metadata().iter().collect::<std::collections::BTreeMap<_, _>>(),
        "end": end,
        "whole": end.is_some(),
    });
    let file = path.with_extension("json");
    std::fs::write(&file, expected.to_string()).unwrap();
    let output = Command::new(python).arg(golden("read_recording.py")).arg(&file).arg(path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(said.trim(), "same", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn others_read_what_we_write() {
    let folder = Folder::new("others");
    for rows in [0, 1, 95] {
        let recording = hard_recording(rows);
        let Ending::Finished(end) = recording.ending() else { panic!("not finished") };
        for (format, package) in [(Format::Parquet, "pyarrow"), (Format::Mcap, "mcap")] {
            let path = folder.file("whole", format);
            write(&recording, &path, 10);
            compare(&recording, Some(end), &path, package);
        }
    }
}

#[test]
fn others_read_what_a_killed_run_left() {
    let folder = Folder::new("left");
    for (format, package) in [(Format::Parquet, "pyarrow"), (Format::Mcap, "mcap")] {
        let path = folder.file("cut", format);
        write(&hard_recording(95), &path, 10);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let left = Recording::open(&path).unwrap();
        assert!(left.len() >= 30, "{}", left.len());
        if format == Format::Mcap {
            // MCAP is readable as it is.
            compare(&left, None, &path, package);
        }
        recover(&path).unwrap();
        compare(&left, Some(RECOVERED), &path, package);
    }
}

/// Files of pyarrow, made by `make_recordings.py` beside them.
#[test]
fn we_read_plain_parquet_of_others() {
    let numbers = HARD.map(f64::from_bits);
    for name in ["recording_required.parquet", "recording_optional.parquet"] {
        let recording = Recording::open(golden(name)).unwrap();
        assert_eq!(recording.columns(), [Column::new("t", ""), Column::new("größe, \"x\"", "")], "{name}");
        assert_eq!(recording.len(), 2 * HARD.len());
        assert_eq!(recording.metadata().get("key"), Some("größer"));
        assert_eq!(recording.ending(), &Ending::Unsaid);
        for (k, value) in recording.all_values()[1].iter().enumerate() {
            assert_eq!(value.to_bits(), numbers[k % numbers.len()].to_bits(), "{name}, {k}");
            assert_eq!(recording.time()[k], k as f64 * 0.25);
        }
    }
}

#[test]
fn what_we_do_not_read_is_named() {
    let refused = |name: &str| match Recording::open(golden(name)) {
        Err(ReadError::Unsupported { what, .. }) => what,
        other => panic!("{name}: {other:?}"),
    };
    assert_eq!(refused("recording_snappy.parquet"), Unsupported::Compression);
    assert_eq!(refused("recording_dictionary.parquet"), Unsupported::Encoding { column: "t".into() });
    assert_eq!(refused("recording_integer.parquet"), Unsupported::Type { column: "n".into() });
    assert_eq!(refused("recording_null.parquet"), Unsupported::Nulls { column: "t".into() });
    assert_eq!(refused("recording_foreign.mcap"), Unsupported::NoColumns);
}

/// A recording whose bytes were put together by the Python library of MCAP.
#[test]
fn we_read_mcap_by_another_writer() {
    let recording = Recording::open(golden("recording_ours.mcap")).unwrap();
    assert_eq!(recording.columns(), [Column::time(), Column::new("x", "m").in_frame("base")]);
    assert_eq!(recording.metadata().get("key"), Some("größer"));
    assert_eq!(recording.ending(), &Ending::Finished("done".into()));
    let bits: Vec<_> = recording.values("x").unwrap().iter().map(|value| value.to_bits()).collect();
    assert_eq!(bits, HARD);
    assert!(Reader::open(golden("recording_ours.mcap")).is_ok_and(|reader| reader.ending().is_none()));
}
