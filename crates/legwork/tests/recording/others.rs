//! Other people's libraries read our files, and we read theirs.

use crate::recording_support::{Folder, HARD, as_read, hard_recording, write};
use legwork::recording::{
    Column, Ending, Format, RECOVERED, ReadError, Reader, Recording, Unsupported, recover,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

/// A Python that has the package; `LEGWORK_PYTHON` names one that must have it.
fn python_with(package: &str) -> Option<String> {
    let named = std::env::var("LEGWORK_PYTHON").ok();
    let python = named.clone().unwrap_or_else(|| "python3".to_owned());
    let output = Command::new(&python).args(["-c", &format!("import {package}")]).output();
    let has_it = output.is_ok_and(|output| output.status.success());
    assert!(has_it || named.is_none(), "`{python}`, which LEGWORK_PYTHON names, lacks the package {package}");
    has_it.then_some(python)
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
        for (format, package) in
            [(Format::Csv, "pandas"), (Format::Parquet, "pyarrow"), (Format::Mcap, "mcap")]
        {
            let path = folder.file("whole", format);
            write(&recording, &path, 10);
            compare(&as_read(&recording, format), Some(end), &path, package);
        }
    }
}

#[test]
fn others_read_what_a_killed_run_left() {
    let folder = Folder::new("left");
    for (format, package) in [(Format::Csv, "pandas"), (Format::Parquet, "pyarrow"), (Format::Mcap, "mcap")] {
        let path = folder.file("cut", format);
        write(&hard_recording(95), &path, 10);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let left = Recording::open(&path).unwrap();
        assert!(left.len() >= 30, "{}", left.len());
        let cut = matches!(left.ending(), Ending::Cut { offset } if *offset < bytes.len() as u64 / 2);
        assert!(cut, "the rest of a block");
        if format == Format::Mcap {
            // MCAP is readable as it is; so is CSV, up to a last half line.
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
        assert_eq!(recording.ending(), &Ending::Unknown);
        for (k, value) in recording.all_values()[1].iter().enumerate() {
            assert_eq!(value.to_bits(), numbers[k % numbers.len()].to_bits(), "{name}, {k}");
            assert_eq!(recording.time()[k], k as f64 * 0.25);
        }
    }
}

fn refused(name: &str) -> Unsupported {
    match Recording::open(golden(name)) {
        Err(ReadError::Unsupported { what, .. }) => what,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn mcap_without_our_channel_is_named() {
    assert_eq!(refused("recording_foreign.mcap"), Unsupported::NoColumns);
}

/// The ordinary build says what to do about a file that it does not read.
#[cfg(not(feature = "foreign-recordings"))]
#[test]
fn what_this_build_does_not_read_is_named() {
    assert_eq!(refused("recording_repeated.parquet"), Unsupported::Compression);
    assert_eq!(refused("recording_snappy.parquet"), Unsupported::Compression);
    assert_eq!(refused("recording_dictionary.parquet"), Unsupported::Encoding { column: "t".into() });
    assert_eq!(refused("recording_integer.parquet"), Unsupported::Type { column: "n".into() });
    assert_eq!(refused("recording_null.parquet"), Unsupported::Nulls { column: "t".into() });
    assert_eq!(refused("recording_zstd.mcap"), Unsupported::Compression);
    for what in ["snappy.parquet", "dictionary.parquet", "integer.parquet", "null.parquet", "lz4.mcap"] {
        let text = refused(&format!("recording_{what}")).to_string();
        assert!(text.contains("build legwork with the feature foreign-recordings"), "{what}: {text}");
    }
}

/// Two columns of one name are told, whatever the format and whoever wrote it.
#[test]
fn columns_that_are_there_twice_are_told() {
    let mut files = vec![("recording_twice.parquet", "x"), ("recording_twice.mcap", "t")];
    if cfg!(feature = "foreign-recordings") {
        files.push(("recording_twice_zstd.parquet", "x"));
    }
    for (file, name) in files {
        match Recording::open(golden(file)) {
            Err(error @ ReadError::Corrupt { .. }) => {
                let text = error.to_string();
                assert!(text.contains(&format!("two columns have the name `{name}`")), "{file}: {text}");
            }
            other => panic!("{file}: {other:?}"),
        }
    }
}

#[cfg(feature = "foreign-recordings")]
mod with_the_crates {
    use super::*;
    use crate::recording_support::bits;

    #[test]
    fn encoded_and_compressed_parquet_is_read_to_the_bit() {
        let plain = Recording::open(golden("recording_required.parquet")).unwrap();
        for name in ["snappy", "dictionary"] {
            assert_eq!(
                Recording::open(golden(&format!("recording_{name}.parquet"))).unwrap(),
                plain,
                "{name}"
            );
        }
        let integers = Recording::open(golden("recording_integer.parquet")).unwrap();
        assert_eq!(integers.values("n"), Some(&[1.0, 2.0, 3.0][..]));
    }

    /// As pandas and Polars write when nothing is asked for.
    #[test]
    fn missing_values_are_nan() {
        for name in ["recording_pandas.parquet", "recording_polars.parquet"] {
            let recording = Recording::open(golden(name)).unwrap();
            assert_eq!(recording.time(), [0.0, 0.5, 1.0, 1.5], "{name}");
            assert_eq!(recording.values("n"), Some(&[3.0, 1.0, 4.0, 1.0][..]), "{name}");
            let x = recording.values("x").unwrap();
            assert!(x[1].is_nan() && [x[0], x[2], x[3]] == [0.1, 0.1, -2.5], "{name}: {x:?}");
        }
    }

    #[test]
    fn compressed_mcap_is_read_to_the_bit() {
        let plain = Recording::open(golden("recording_ours.mcap")).unwrap();
        for name in ["recording_zstd.mcap", "recording_lz4.mcap"] {
            assert_eq!(Recording::open(golden(name)).unwrap(), plain, "{name}");
        }
    }

    /// A kilobyte that would become 640 MB, and one of MCAP that would become 300 MB.
    #[test]
    fn what_is_far_larger_than_its_file_is_refused_before_it_is_there() {
        for (name, more) in
            [("recording_repeated.parquet", 600 << 20), ("recording_repeated.mcap", 280 << 20)]
        {
            match refused(name) {
                Unsupported::Size { decoded, most } => {
                    let length = std::fs::metadata(golden(name)).unwrap().len();
                    assert_eq!(most, (256 << 20) + 64 * length, "{name}");
                    assert!(decoded > more, "{name}: {decoded}");
                }
                other => panic!("{name}: {other:?}"),
            }
        }
        let text = refused("recording_repeated.parquet").to_string();
        assert!(
            text.starts_with("its data would take 640 MB, and of a file of this size at most "),
            "{text}"
        );
    }

    /// An error with a place in the file, or what it still says; no panic.
    #[test]
    fn damaged_files_of_others_are_errors() {
        let mut next = bits(5);
        for name in ["snappy.parquet", "pandas.parquet", "polars.parquet", "zstd.mcap", "lz4.mcap"] {
            let bytes = std::fs::read(golden(&format!("recording_{name}"))).unwrap();
            for place in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[place] ^= u8::try_from(next() % 255 + 1).unwrap();
                match Reader::from_bytes(name, damaged).and_then(Recording::read) {
                    Err(ReadError::Corrupt { offset, .. } | ReadError::Cut { offset, .. }) => {
                        assert!(offset <= bytes.len() as u64, "{name} at {place}");
                    }
                    Err(ReadError::Io { .. }) => panic!("{name} at {place}"),
                    _ => {}
                }
            }
        }
    }
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
