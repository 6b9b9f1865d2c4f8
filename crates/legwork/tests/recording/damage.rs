//! Damaged files give an error with its place, or what they still say; never a panic.

use crate::recording_support::{Folder, bits, hard_recording, write};
use legwork::recording::{
    Bare, Column, Fault, Format, Metadata, ReadError, Reader, Recorder, Recording, metadata_file,
};

fn read(name: &str, bytes: Vec<u8>) -> Result<Recording, ReadError> {
    Recording::read(Reader::from_bytes(name, bytes)?)
}

fn file(format: Format) -> (Recording, Vec<u8>) {
    let folder = Folder::new(&format!("damage-{}", format.extension()));
    let recording = hard_recording(12);
    let path = folder.file("run", format);
    write(&recording, &path, 5);
    (recording, std::fs::read(path).unwrap())
}

/// Whatever happens to the metadata, the numbers are those of the table: what cannot be read is told.
#[test]
fn damaged_metadata_leaves_the_numbers() {
    let folder = Folder::new("damage-metadata");
    let path = folder.file("run", Format::Csv);
    let columns = [Column::time(), Column::new("x", "m").in_frame("base"), Column::new("say \"a\"", "N m")];
    let mut recorder = Recorder::start(&path, &columns, &Metadata::new().with("a key", "größer")).unwrap();
    for k in 0..12 {
        recorder.push(&[f64::from(k), 0.1, f64::NAN]).unwrap();
    }
    recorder.finish("end").unwrap();
    let whole = Recording::open(&path).unwrap();
    let bits_of = |recording: &Recording| {
        let bits = |column: &Vec<f64>| column.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        recording.all_values().iter().map(bits).collect::<Vec<_>>()
    };
    let [table, metadata] = [path.clone(), metadata_file(&path)].map(|path| std::fs::read(path).unwrap());
    let mut next = bits(7);
    let mut below = |most: usize| usize::try_from(next() % most as u64).unwrap();
    let (mut told, mut read) = (0, 0);
    for _ in 0..2000 {
        let mut damaged = metadata.clone();
        let place = below(damaged.len());
        match below(3) {
            0 => damaged.truncate(place),
            1 => drop(damaged.remove(place)),
            _ => damaged[place] = u8::try_from(below(256)).unwrap(),
        }
        match Reader::from_bytes_with("run.csv", table.clone(), &damaged).and_then(Recording::read) {
            // It has another name for a column than the table.
            Err(error) => {
                assert!(matches!(&error, ReadError::Corrupt { fault: Fault::Columns, .. }), "{error}");
                told += 1;
            }
            Ok(recording) => {
                assert_eq!(bits_of(&recording), bits_of(&whole));
                match recording.bare() {
                    Some(Bare::Unreadable(_) | Bare::Other { .. }) => told += 1,
                    Some(other) => panic!("{other:?}"),
                    None => read += 1,
                }
            }
        }
    }
    // Most bytes are structure or checksums; the others are texts.
    assert!(told > 1000 && read > 100, "{told} told, {read} read");
}

/// The place that an error names is in the file.
fn check_place(error: &ReadError, length: usize) {
    match error {
        ReadError::Corrupt { offset, .. } | ReadError::Cut { offset, .. } => {
            assert!(*offset <= length as u64, "{error}");
        }
        ReadError::Unsupported { .. } => {}
        other => panic!("{other}"),
    }
    assert!(!error.to_string().is_empty());
}

#[test]
fn one_byte_changed_in_many_places() {
    for format in Format::ALL {
        let (_, bytes) = file(format);
        let mut next = bits(2);
        for place in (0..bytes.len()).step_by(5) {
            let mut damaged = bytes.clone();
            damaged[place] ^= u8::try_from(next() % 255 + 1).unwrap();
            if let Err(error) = read("run", damaged) {
                check_place(&error, bytes.len());
            }
        }
    }
}

#[test]
fn bytes_lost_doubled_and_made_up() {
    let seed = 3;
    println!("seed {seed}");
    let mut next = bits(seed);
    for format in Format::ALL {
        let (_, bytes) = file(format);
        let mut below = |most: usize| usize::try_from(next() % most as u64).unwrap();
        for _ in 0..2000 {
            let mut damaged = bytes.clone();
            let start = below(bytes.len());
            let end = Ord::min(start + below(40), bytes.len());
            match below(4) {
                0 => drop(damaged.drain(start..end)),
                1 => drop(damaged.splice(start..start, bytes[start..end].to_vec())),
                2 => damaged[start..end].fill(0xFF),
                _ => (start..end).for_each(|k| damaged[k] = u8::try_from(below(256)).unwrap()),
            }
            let length = damaged.len();
            if let Err(error) = read("run", damaged) {
                check_place(&error, length);
            }
        }
        // Nothing but the first bytes is right.
        for length in 0..400 {
            let mut noise: Vec<_> = (0..length).map(|_| u8::try_from(below(256)).unwrap()).collect();
            let kept = length.min(8);
            noise[..kept].copy_from_slice(&bytes[..kept]);
            if let Err(error) = read("run", noise) {
                check_place(&error, length);
            }
        }
    }
}

/// Parquet and MCAP find a single changed bit in the numbers.
#[test]
fn a_changed_number_is_found_by_its_checksum() {
    for format in [Format::Parquet, Format::Mcap] {
        let (recording, mut bytes) = file(format);
        // a number that is in the file once per format: the bits of the first random one
        let wanted = recording.all_values()[1][2].to_le_bytes();
        let place = bytes.windows(8).position(|window| window == wanted).unwrap();
        bytes[place + 3] ^= 1;
        match read("run", bytes) {
            Err(ReadError::Corrupt { offset, fault: Fault::Checksum { stored, computed }, .. }) => {
                assert!(offset <= place as u64 && stored != computed, "{format:?}");
            }
            other => panic!("{format:?}: {:?}", other.map(|recording| recording.len())),
        }
    }
}

#[test]
fn a_csv_error_names_the_line_by_its_place() {
    let folder = Folder::new("damage-line");
    let path = folder.file("run", Format::Csv);
    let error = |rest: &str| {
        let columns = [Column::time(), Column::new("x", "")];
        let mut recorder = Recorder::start(&path, &columns, &Metadata::new()).unwrap();
        recorder.push(&[0.0, 1.0]).unwrap();
        drop(recorder);
        let table = std::fs::read_to_string(&path).unwrap() + rest;
        std::fs::write(&path, table).unwrap();
        let error = Recording::open(&path).unwrap_err().to_string();
        error.replace(&path.display().to_string(), "run.csv")
    };
    assert_eq!(error("0.1,1.0.0\n"), "`run.csv` at byte 12: `1.0.0` is no number");
    assert_eq!(error("0.1\n"), "`run.csv` at byte 12: 1 numbers for 2 columns");
    // A quote in our own numbers is damage, and does not swallow the lines below it.
    assert_eq!(error("0.1,\"1.0\n0.2,2.0\n"), "`run.csv` at byte 12: `\"1.0` is no number");
    // Those of others may have them.
    let table = read("run.csv", b"t [s],x\n0.0,\"1.0\"\n0.1,1.0.0\n".to_vec()).unwrap_err();
    assert_eq!(table.to_string(), "`run.csv` at byte 18: `1.0.0` is no number");
}

/// Without columns there would be no end to the rows.
#[test]
fn a_file_without_columns_is_refused() {
    let mut bytes = b"PAR1\x15\x02\x19\x1c".to_vec(); // version, a schema of one element
    bytes.extend(b"\x48\x06schema\x15\x00\x00"); // which has no children
    bytes.extend(b"\x16\x00\x19\x0c\x19\x2c"); // no rows, no row groups, two keys
    bytes.extend(b"\x18\x11legwork.recording\x18\x011\x00");
    bytes.extend(b"\x18\x0flegwork.columns\x18\x02[]\x00\x00");
    let length = u32::try_from(bytes.len() - 4).unwrap();
    bytes.extend(length.to_le_bytes());
    bytes.extend(b"PAR1");
    let refused = ReadError::Corrupt { path: "run".into(), offset: 4, fault: Fault::Columns };
    assert_eq!(read("run", bytes).err(), Some(refused));
}
