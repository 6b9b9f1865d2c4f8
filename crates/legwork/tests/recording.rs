//! Recordings come back from each format as they went in.

mod recording_support;

use legwork::files::FileFault;
use legwork::recording::{
    Column, ColumnFault, Ending, Format, Metadata, ReadError, Reader, Record, Recorder, Recording,
    Unsupported, WriteError, recover,
};
use recording_support::{Folder, awkward, hard_recording, write};
use std::io::ErrorKind;

#[test]
fn every_format_gives_back_every_bit() {
    let folder = Folder::new("bits");
    for rows in [0, 1, 2, 9, 10, 11, 1000] {
        let recording = hard_recording(rows);
        for format in Format::ALL {
            let path = folder.file(&format!("r{rows}"), format);
            for block_rows in [1, 10, 1024] {
                write(&recording, &path, block_rows);
                let back = Recording::open(&path).unwrap_or_else(|error| panic!("{error}"));
                assert!(back == recording, "{format:?}, {rows} rows in blocks of {block_rows}");
            }
            assert_eq!(recover(&path), Ok(None), "nothing to recover");
        }
    }
}

#[test]
fn a_recording_goes_from_format_to_format_unchanged() {
    let folder = Folder::new("chain");
    let recording = hard_recording(100);
    let mut current = recording.clone();
    for format in [Format::Csv, Format::Mcap, Format::Parquet, Format::Mcap, Format::Csv, Format::Parquet] {
        let path = folder.file("step", format);
        current.save(&path).unwrap();
        current = Recording::open(&path).unwrap();
    }
    assert!(current == recording);
}

#[test]
fn memory_and_files_take_the_same_rows() {
    let (columns, metadata) = awkward();
    let folder = Folder::new("record");
    let path = folder.file("r", Format::Csv);
    let mut memory = Recording::new(&columns, &metadata).unwrap();
    let mut file = Recorder::start(&path, &columns, &metadata).unwrap();
    let both: [&mut dyn Record; 2] = [&mut memory, &mut file];
    for record in both {
        record.push(&vec![1.5; columns.len()]).unwrap();
        let short = WriteError::Row { expected: columns.len(), found: 1 };
        assert_eq!(record.push(&[0.0]), Err(short));
        record.finish("stop").unwrap();
        assert_eq!(record.push(&vec![0.0; columns.len()]), Err(WriteError::Finished));
        assert_eq!(record.finish("again"), Err(WriteError::Finished));
    }
    assert!(Recording::open(&path).unwrap() == memory);
}

#[test]
fn a_csv_file_reads_like_this() {
    let folder = Folder::new("text");
    let path = folder.file("r", Format::Csv);
    let columns = [
        Column::time(),
        Column::new("x", "m").in_frame("base"),
        Column::new("tau1", "N m"),
        Column::new("n", ""),
    ];
    let metadata =
        Metadata::new().with("program", "p").with_robot("a = 1\nb = \"2\"").with_command("legwork simulate");
    let mut recorder = Recorder::start(&path, &columns, &metadata).unwrap();
    recorder.push(&[0.0, 0.1, -1e-300, f64::NAN]).unwrap();
    recorder.push(&[0.001, -0.0, f64::NEG_INFINITY, 3.0]).unwrap();
    recorder.finish("end").unwrap();
    let expected = r#"# legwork recording 1
# legwork.frames: {"x":"base"}
# command: "legwork simulate"
# program: "p"
# robot: "a = 1\n"
# + "b = \"2\""
t [s],x [m],tau1 [N m],n
0.0,0.1,-1e-300,NaN
0.001,-0.0,-inf,3.0
# legwork.end: "end"
"#;
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
}

#[test]
fn csv_of_other_programs_is_read() {
    let text = "# from elsewhere\r\ntime [s], \"tau 1\" [N m] ,x\r\n0, 1.5,-2e3\r\n\r\n\"0.1\",+2,\"nan\"";
    let recording = Recording::read(Reader::from_bytes("f.csv", text.into()).unwrap()).unwrap();
    let columns = [Column::new("time", "s"), Column::new("tau 1", "N m"), Column::new("x", "")];
    assert_eq!(recording.columns(), columns);
    assert_eq!(recording.values("tau 1"), Some(&[1.5, 2.0][..]));
    assert_eq!((recording.len(), recording.ending()), (2, &Ending::Unknown));
    for text in ["", "1,2,3\n", "\n", "a,b\n1\n", "a,b\n1,2,3\n", "a\nx\n", "a\n\u{fffd}\n", "a,\"b\n"] {
        let recording = Reader::from_bytes("f.csv", text.into()).and_then(Recording::read);
        assert!(recording.is_err(), "{text:?}");
    }
}

#[test]
fn a_later_version_is_refused_by_name() {
    let later = |what| ReadError::Unsupported { path: "f".into(), what };
    let version = Unsupported::Version { version: "2".into() };
    let error = Reader::from_bytes("f", "# legwork recording 2\nt\n".into()).err();
    assert_eq!(error, Some(later(version)));
}

#[test]
fn columns_that_cannot_be_told_apart_are_refused() {
    let refused = |columns: &[Column]| match Recording::new(columns, &Metadata::new()) {
        Err(WriteError::Column { index, fault, .. }) => (index, fault),
        other => panic!("{other:?}"),
    };
    let t = Column::time;
    let twice = [t(), Column::new("x", "m"), Column::new("x", "rad")];
    assert_eq!(refused(&[]), (0, ColumnFault::NotTime));
    assert_eq!(refused(&[Column::new("x", "m")]), (0, ColumnFault::NotTime));
    assert_eq!(refused(&twice), (2, ColumnFault::Twice { first: 1 }));
    assert_eq!(refused(&[t(), Column::new("", "m")]), (1, ColumnFault::NoName));
    assert_eq!(refused(&[t(), Column::new("x", "[m]")]), (1, ColumnFault::BracketInUnit));
    for key in ["", "legwork.end"] {
        let error = Recording::new(&[t()], &Metadata::new().with(key, "")).err();
        assert_eq!(error, Some(WriteError::Key { key: key.into() }));
    }
}

#[test]
fn errors_of_the_system_name_the_file() {
    let folder = Folder::new("system");
    let (columns, metadata) = ([Column::time()], Metadata::new());
    for format in Format::ALL {
        let path = folder.path().join("no such folder").join(format!("r.{}", format.extension()));
        let written = Recorder::start(&path, &columns, &metadata).err().unwrap();
        let read = Recording::open(&path).err().unwrap();
        let path = path.display().to_string();
        let cause = FileFault::System(ErrorKind::NotFound);
        assert_eq!(written, WriteError::Io { path: path.clone(), offset: 0, cause: cause.clone() });
        assert_eq!(written.to_string(), format!("cannot write `{path}`: {cause}"));
        assert_eq!(read, ReadError::Io { path, offset: 0, cause });
    }
    let path = folder.path().join("r.txt");
    let error = Recorder::start(&path, &columns, &metadata).err();
    assert_eq!(error, Some(WriteError::Format { path: path.display().to_string() }));
}

/// `/dev/full` is a disk with no space.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_at_once_and_again() {
    for format in Format::ALL {
        let path = "/dev/full".to_owned();
        let error = Recorder::start_as(format, &path, &[Column::time()], &Metadata::new()).err();
        let cause = FileFault::System(ErrorKind::StorageFull);
        assert_eq!(error, Some(WriteError::Io { path, offset: 0, cause }));
    }
}
