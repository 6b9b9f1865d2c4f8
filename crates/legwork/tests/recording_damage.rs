//! Damaged files give an error with its place, or what they still say; never a panic.

mod recording_support;

use legwork::recording::{Fault, Format, ReadError, Reader, Recording};
use recording_support::{Folder, bits, hard_recording, write};

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
    let error =
        read("run.csv", b"# legwork recording 1\nt [s],x\n0.0,1.0\n0.1,1.0.0\n".to_vec()).unwrap_err();
    assert_eq!(error.to_string(), "`run.csv` at byte 38: `1.0.0` is no number");
    let error = read("run.csv", b"# legwork recording 1\nt [s],x\n0.0,1.0\n0.1\n".to_vec()).unwrap_err();
    assert_eq!(error.to_string(), "`run.csv` at byte 38: 1 numbers for 2 columns");
    // A quote in our own numbers is damage, and does not swallow the lines below it.
    let error =
        read("run.csv", b"# legwork recording 1\nt [s],x\n0.0,\"1.0\n0.1,2.0\n".to_vec()).unwrap_err();
    assert_eq!(error.to_string(), "`run.csv` at byte 30: `\"1.0` is no number");
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
