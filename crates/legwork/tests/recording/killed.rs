//! A run that is killed leaves its complete blocks, and they can be read.

use crate::recording_support::{Folder, as_read, awkward, begins, file_count, hard_recording, write};
use legwork::recording::{
    BLOCK_ROWS, Ending, Format, RECOVERED, Recorder, Recording, metadata_file, recover, recover_to,
};
use std::path::Path;
use std::process::{Command, Stdio};

/// Where the child writes; without it the child's test does nothing.
const CHILD: &str = "LEGWORK_TEST_RECORDING";

/// Rows that the child pushes: two blocks and a part of the third.
const ROWS: usize = 2 * BLOCK_ROWS + 300;

fn row(k: usize, columns: usize) -> Vec<f64> {
    (0..columns).map(|c| (k * columns + c) as f64 * 1e-3).collect()
}

/// Runs in a process of its own, which ends here as a killed one does: no destructor, no flush.
#[test]
fn child_that_aborts() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let (columns, metadata) = awkward();
    let mut recorder = Recorder::start(Path::new(&path), &columns, &metadata).unwrap();
    for k in 0..ROWS {
        recorder.push(&row(k, columns.len())).unwrap();
    }
    std::process::abort();
}

fn remove(path: &Path, format: Format) {
    std::fs::remove_file(path).unwrap();
    if format == Format::Csv {
        std::fs::remove_file(metadata_file(path)).unwrap();
    }
}

fn leave_behind(path: &Path) {
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::child_that_aborts", "--test-threads=1"])
        .env(CHILD, path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(!status.success(), "the child must not end well");
}

#[test]
fn a_killed_run_leaves_its_complete_blocks() {
    let folder = Folder::new("killed");
    let (columns, metadata) = awkward();
    for format in Format::ALL {
        let path = folder.file("run", format);
        leave_behind(&path);
        let length = std::fs::metadata(&path).unwrap().len();

        let left = Recording::open(&path).unwrap();
        assert_eq!(left.ending(), &Ending::Cut { offset: length }, "{format:?}");
        assert_eq!((left.columns(), left.metadata()), (&columns[..], &metadata));
        assert_eq!(left.len(), 2 * BLOCK_ROWS);
        for (c, column) in left.all_values().iter().enumerate() {
            assert!(column.iter().enumerate().all(|(k, value)| *value == row(k, columns.len())[c]));
        }

        assert_eq!(recover(&path), Ok(Some(2 * BLOCK_ROWS as u64)));
        let recovered = Recording::open(&path).unwrap();
        assert_eq!(recovered.ending(), &Ending::Finished(RECOVERED.into()));
        assert_eq!((recovered.columns(), recovered.metadata()), (&columns[..], &metadata));
        assert!(recovered.len() == left.len() && begins(&left, &recovered));
        assert_eq!(recover(&path), Ok(None));
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, file_count(format), "nothing else is left");
        remove(&path, format);
    }
}

#[test]
fn a_recorder_that_is_dropped_keeps_all_rows() {
    let folder = Folder::new("dropped");
    let (columns, metadata) = awkward();
    for format in Format::ALL {
        let path = folder.file("run", format);
        let mut recorder = Recorder::start(&path, &columns, &metadata).unwrap();
        recorder.push(&row(0, columns.len())).unwrap();
        drop(recorder);
        let left = Recording::open(&path).unwrap();
        assert!(left.len() == 1 && matches!(left.ending(), Ending::Cut { .. }), "{format:?}");
    }
}

/// A run that is killed between its last words and the table of contents has an end that others do not see.
#[test]
fn a_file_without_its_table_of_contents_is_recovered_with_its_ending() {
    let folder = Folder::new("contents");
    let path = folder.file("run", Format::Mcap);
    let recording = hard_recording(50);
    write(&recording, &path, 10);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 20]).unwrap();
    assert_eq!(Recording::open(&path).unwrap().ending(), recording.ending());
    let beside = folder.file("whole", Format::Mcap);
    assert_eq!(recover_to(&path, &beside), Ok(Some(50)));
    assert_eq!(Recording::open(&beside).unwrap(), recording);
    assert!(std::fs::read(&beside).unwrap().ends_with(b"\x89MCAP0\r\n"));
    assert_eq!(std::fs::read(&path).unwrap().len(), bytes.len() - 20, "the old file stays");
    assert_eq!((recover(&path), recover(&path)), (Ok(Some(50)), Ok(None)));
}

/// The recording that was there stays until the new one has its first block.
#[test]
fn an_old_recording_stays_until_the_new_one_has_a_block() {
    let folder = Folder::new("old");
    for format in Format::ALL {
        let path = folder.file("run", format);
        let old = hard_recording(5);
        write(&old, &path, 10);
        let (columns, metadata) = awkward();
        let mut recorder = Recorder::start(&path, &columns, &metadata).unwrap();
        recorder.push(&row(0, columns.len())).unwrap();
        let old = as_read(&old, format);
        assert_eq!(Recording::open(&path).unwrap(), old, "{format:?}");
        assert!(Recorder::start(&path, &columns, &metadata).is_err(), "{format:?}: two writers");
        recorder.flush().unwrap();
        assert_eq!(Recording::open(&path).unwrap().len(), 1, "{format:?}");
        assert!(Recorder::start(&path, &columns, &metadata).is_err(), "{format:?}: two writers");
        if format == Format::Csv {
            let error = legwork::files::write(metadata_file(&path), b"").err();
            assert_eq!(error, Some(legwork::files::FileFault::InUse), "the metadata is part of it");
        }
        drop(recorder);
        // One without rows that is given up leaves everything as it was.
        let before = std::fs::read(&path).unwrap();
        let recording = Recording::open(&path).unwrap();
        drop(Recorder::start(&path, &columns, &metadata).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), before, "{format:?}");
        assert_eq!(Recording::open(&path).unwrap(), recording, "{format:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), file_count(format));
        remove(&path, format);
    }
}

/// A file cut anywhere gives the rows of its complete blocks, or says that it ends too early.
#[test]
fn every_cut_keeps_the_complete_blocks() {
    let folder = Folder::new("cut");
    let recording = hard_recording(50);
    for format in Format::ALL {
        let path = folder.file("run", format);
        write(&recording, &path, 10);
        let bytes = std::fs::read(&path).unwrap();
        let metadata = (format == Format::Csv).then(|| std::fs::read(metadata_file(&path)).unwrap());
        let recording = as_read(&recording, format);
        let mut rows_before = 0;
        for length in (0..bytes.len()).step_by(97).chain([bytes.len() - 1]) {
            std::fs::write(&path, &bytes[..length]).unwrap();
            if let Some(metadata) = &metadata {
                std::fs::write(metadata_file(&path), metadata).unwrap();
            }
            match Recording::open(&path) {
                Ok(part) => {
                    assert!(begins(&recording, &part), "{format:?} cut at {length}");
                    assert!(part.len() >= rows_before, "{format:?} cut at {length}");
                    rows_before = part.len();
                    let offset = match part.ending() {
                        Ending::Cut { offset } => *offset,
                        // MCAP says its end before its index.
                        Ending::Finished(_) => length as u64,
                        // Less than a block of CSV: its checksum cannot hold, and a line may happen to be whole.
                        Ending::Unknown if part.bare().is_some() => length as u64,
                        Ending::Unknown => panic!("{format:?} cut at {length}: the ending is not known"),
                    };
                    assert!(offset <= length as u64);
                    assert_eq!(
                        part.bare().is_some(),
                        format == Format::Csv && part.len() < 10,
                        "{format:?}, {length}"
                    );
                    if length % 3 == 0 && part.bare().is_none() {
                        recover(&path).unwrap();
                        let recovered = Recording::open(&path).unwrap();
                        assert!(recovered.len() == part.len() && begins(&part, &recovered));
                    }
                }
                Err(error) => {
                    assert_eq!(rows_before, 0, "{format:?} cut at {length}: {error}");
                    assert!(error.to_string().contains("run."), "{error}");
                }
            }
        }
        // The last byte of CSV is that of its last row.
        let all = if format == Format::Csv { 49 } else { 50 };
        assert_eq!(rows_before, all, "{format:?}: all blocks are there before the last byte is");
    }
}
