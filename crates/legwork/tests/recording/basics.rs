//! Recordings come back from each format as they went in.

use crate::recording_support::{Folder, as_read, awkward, hard_recording, write};
use legwork::files::FileFault;
use legwork::recording::{
    Bare, Column, ColumnFault, Ending, Format, Metadata, ReadError, Reader, Record, Recorder, Recording,
    RecoverError, WriteError, metadata_file, recover, recover_to,
};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

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
                assert!(
                    back == as_read(&recording, format),
                    "{format:?}, {rows} rows in blocks of {block_rows}"
                );
                assert_eq!(back.bare(), None);
            }
            assert_eq!(recover(&path), Ok(None), "nothing to recover");
        }
    }
}

#[test]
fn a_recording_goes_from_format_to_format_unchanged() {
    let folder = Folder::new("chain");
    let recording = as_read(&hard_recording(100), Format::Csv);
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
    let table = "t,x,tau1,n\n0.0,0.1,-1e-300,NaN\n0.001,-0.0,-inf,3.0\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), table);
    let (bytes, checksum) = (table.len(), crc32fast::hash(table.as_bytes()));
    let expected = format!(
        r#"{{
  "@context": "http://www.w3.org/ns/csvw",
  "url": "r.csv",
  "tableSchema": {{
    "columns": [
      {{
        "name": "t",
        "titles": "t",
        "datatype": "double",
        "schema:unitText": "s"
      }},
      {{
        "name": "x",
        "titles": "x",
        "datatype": "double",
        "schema:unitText": "m",
        "legwork:frame": "base"
      }},
      {{
        "name": "tau1",
        "titles": "tau1",
        "datatype": "double",
        "schema:unitText": "N m"
      }},
      {{
        "name": "n",
        "titles": "n",
        "datatype": "double"
      }}
    ]
  }},
  "legwork.recording:version": "2",
  "legwork.recording:first-block-bytes": {bytes},
  "legwork.recording:first-block-crc32": "{checksum:08x}",
  "legwork.recording:bytes": {bytes},
  "legwork.recording:crc32": "{checksum:08x}",
  "legwork.recording:end": "end",
  "legwork:command": "legwork simulate",
  "legwork:program": "p",
  "legwork:robot": "a = 1\nb = \"2\""
}}
"#
    );
    assert_eq!(metadata_file(&path), folder.path().join("r.csv-metadata.json"));
    assert_eq!(fs::read_to_string(metadata_file(&path)).unwrap(), expected);
}

/// A recording of three rows, `k` in its second column, that ends as `reason` says or not at all.
fn small(path: &Path, k: f64, reason: Option<&str>) {
    let columns = [Column::time(), Column::new("x", "mm").in_frame("base")];
    let mut recorder = Recorder::start(path, &columns, &Metadata::new().with("k", k.to_string())).unwrap();
    for row in 0..3 {
        recorder.push(&[f64::from(row), k]).unwrap();
    }
    reason.map_or(Ok(()), |reason| recorder.finish(reason)).unwrap();
}

#[test]
fn metadata_of_other_numbers_is_told_and_not_used() {
    let folder = Folder::new("stale");
    let [path, other] = ["run", "other"].map(|stem| folder.file(stem, Format::Csv));
    let metadata = metadata_file(&path);
    let name = metadata.display().to_string();
    small(&path, 1.0, Some("end"));
    small(&other, 2.0, Some("end"));
    let (own, table) = (fs::read(&metadata).unwrap(), fs::read_to_string(&path).unwrap());
    let bare = || {
        let recording = Recording::open(&path).unwrap();
        assert_eq!((recording.metadata(), recording.ending()), (&Metadata::default(), &Ending::Unknown));
        assert_eq!(recording.columns(), [Column::new("t", ""), Column::new("x", "")]);
        assert_eq!(recording.len(), 3);
        recording.bare().cloned().unwrap()
    };
    // That of another table, and that of an older table of the same name.
    fs::copy(metadata_file(&other), &metadata).unwrap();
    assert_eq!(bare(), Bare::Other { path: name.clone() });
    fs::write(&metadata, &own).unwrap();
    assert_eq!(Recording::open(&path).unwrap().bare(), None);
    // One number changed, at any place.
    for changed in [table.replacen("1.0", "7.0", 1), table.replace("2.0,1.0", "2.0,1.5")] {
        fs::write(&path, changed).unwrap();
        assert_eq!(bare(), Bare::Other { path: name.clone() });
    }
    fs::write(&path, table.clone() + "3.0,1.0\n").unwrap();
    assert!(matches!(Recording::open(&path).unwrap().bare(), Some(Bare::Other { .. })), "a row more");
    fs::write(&path, &table).unwrap();
    // None at all, and what is no metadata of a recording.
    fs::remove_file(&metadata).unwrap();
    assert_eq!(bare(), Bare::Missing { path: name.clone() });
    let said = bare().to_string();
    assert!(said.starts_with(&format!("there is no `{name}`: frames, robot, request and how")), "{said}");
    for (text, fault) in [
        ("", "EOF while parsing"),
        ("[1, 2", "EOF while parsing"),
        ("{}", "there is no legwork.recording:version here"),
        (r#"{"url": "a", "url": "b"}"#, "the key `url` is there twice"),
        (r#"{"legwork.recording:version": "2"}"#, "there is no checksum of the first block here"),
        (r#"{"legwork.recording:version": "3"}"#, "written by a later legwork, as recording version 3"),
    ] {
        fs::write(&metadata, text).unwrap();
        let said = bare().to_string();
        assert!(said.contains(fault) && said.contains(&name), "{text}: {said}");
    }
    fs::remove_file(&metadata).unwrap();
    fs::create_dir(&metadata).unwrap();
    assert!(matches!(bare(), Bare::Unreadable(ReadError::Io { .. })));
    // A run to that name is refused before it changes anything.
    let error = Recorder::start(&path, &[Column::time()], &Metadata::new()).err().unwrap();
    assert_eq!(error.to_string(), format!("cannot write `{name}`: it is a folder and not a file"));
    assert_eq!(fs::read_to_string(&path).unwrap(), table);
}

/// A copy of both files is the recording; its names may change.
#[test]
fn both_files_can_be_copied_and_renamed() {
    let folder = Folder::new("copied");
    let [path, copy] = ["run", "a copy"].map(|stem| folder.file(stem, Format::Csv));
    write(&hard_recording(20), &path, 7);
    fs::copy(&path, &copy).unwrap();
    fs::copy(metadata_file(&path), metadata_file(&copy)).unwrap();
    assert_eq!(Recording::open(&copy).unwrap(), Recording::open(&path).unwrap());
    // Read through a link its metadata is beside the file.
    #[cfg(unix)]
    {
        fs::create_dir(folder.path().join("elsewhere")).unwrap();
        let link = folder.path().join("elsewhere/link.csv");
        std::os::unix::fs::symlink("../run.csv", &link).unwrap();
        assert_eq!(Recording::open(&link).unwrap(), Recording::open(&path).unwrap());
        small(&link, 3.0, Some("end"));
        assert_eq!(Recording::open(&path).unwrap().metadata().get("k"), Some("3"));
    }
}

/// Between the names of the two files: the table has its name, its metadata waits.
#[test]
fn a_kill_between_the_two_names_loses_nothing() {
    let folder = Folder::new("between");
    let [path, other] = ["run", "other"].map(|stem| folder.file(stem, Format::Csv));
    let (metadata, waiting) = (metadata_file(&path), folder.path().join(".run.csv-metadata.json.partial"));
    for old in [Some("end"), None] {
        small(&path, 1.0, old);
        let before = Recording::open(&path).unwrap();
        // Killed before the table has its name.
        small(&other, 2.0, None);
        fs::copy(metadata_file(&other), &waiting).unwrap();
        assert_eq!(Recording::open(&path).unwrap(), before);
        // And after it.
        fs::copy(&other, &path).unwrap();
        let after = Recording::open(&path).unwrap();
        assert_eq!((after.bare(), after.metadata().get("k")), (None, Some("2")));
        assert!(matches!(after.ending(), Ending::Cut { .. }));
        // A next run that cannot begin leaves it so.
        drop(Recorder::start(&path, &[Column::time()], &Metadata::new()).unwrap());
        assert_eq!(Recording::open(&path).unwrap(), after);
        assert!(!waiting.exists(), "it has its name");
        fs::rename(&metadata, &waiting).unwrap();
        assert_eq!(recover(&path), Ok(Some(3)));
        let recovered = Recording::open(&path).unwrap();
        assert_eq!((recovered.metadata(), recovered.columns()), (after.metadata(), after.columns()));
        assert!(!waiting.exists());
        fs::remove_file(&path).unwrap();
    }
}

/// Earlier versions had the metadata in the table, in lines that begin with `#`.
#[test]
fn tables_of_earlier_versions_are_read_and_told() {
    let folder = Folder::new("earlier");
    let path = folder.file("old", Format::Csv);
    let text = "# legwork recording 1\n# legwork.frames: {\"x\":\"base\"}\n# robot: \"a = 1\\n\"\n# + \"b\"\n\
                t [s],x [mm]\n0.0,0.1\n0.001,NaN\n";
    for (text, is_cut) in
        [(text.to_owned() + "# legwork.end: \"end\"\n", false), (text.to_owned() + "0.002,0", true)]
    {
        fs::write(&path, &text).unwrap();
        let recording = Recording::open(&path).unwrap();
        assert_eq!(recording.columns(), [Column::time(), Column::new("x", "mm")]);
        assert_eq!((recording.len(), recording.bare()), (2, Some(&Bare::OldLines)));
        assert_eq!(matches!(recording.ending(), Ending::Cut { .. }), is_cut);
        // Its lines would be lost.
        let refused = if is_cut { Err(RecoverError::Bare(Bare::OldLines)) } else { Ok(None) };
        assert_eq!(recover(&path), refused);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let new = folder.file("new", Format::Csv);
    assert_eq!(recover_to(&path, &new), Ok(Some(2)));
    assert_eq!(fs::read_to_string(&new).unwrap(), "t,x\n0.0,0.1\n0.001,NaN\n");
    assert_eq!(Recording::open(&new).unwrap().columns(), [Column::time(), Column::new("x", "mm")]);
}

#[test]
fn csv_of_other_programs_is_read() {
    let text = "# from elsewhere\r\ntime [s], \"tau 1\" [N m] ,x\r\n0, 1.5,-2e3\r\n\r\n\"0.1\",+2,\"nan\"";
    let recording = Recording::read(Reader::from_bytes("f.csv", text.into()).unwrap()).unwrap();
    let columns = [Column::new("time", "s"), Column::new("tau 1", "N m"), Column::new("x", "")];
    assert_eq!(recording.columns(), columns);
    assert_eq!(recording.values("tau 1"), Some(&[1.5, 2.0][..]));
    assert_eq!((recording.len(), recording.ending()), (2, &Ending::Unknown));
    // A last line that is half a line is no row, and told.
    for (text, rows) in [("a,b\n1,2\n3", 1), ("a,b\n1,2\n3,4\n5,-", 2), ("a,b\n1,2\n3,4", 2)] {
        let recording = Reader::from_bytes("f.csv", text.into()).and_then(Recording::read).unwrap();
        let is_cut = matches!(recording.ending(), Ending::Cut { .. });
        assert_eq!((recording.len(), is_cut), (rows, !text.ends_with("3,4")), "{text:?}");
    }
    for text in
        ["", "1,2,3\n", "a,b\n1,2,3", "\n", "a,b\n1\n", "a,b\n1,2,3\n", "a\nx\n", "a\n\u{fffd}\n", "a,\"b\n"]
    {
        let recording = Reader::from_bytes("f.csv", text.into()).and_then(Recording::read);
        assert!(recording.is_err(), "{text:?}");
    }
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
        let cause = FileFault::Missing { nearest: None };
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
