//! Files of linear models, read back by hand: the ZIP archive, the NumPy headers, the numbers to the bit.

use legwork::AnyRobot;
use legwork::analysis::linear::export::Export;
use legwork::analysis::linear::{DMatrix, LinearError, Reduced};
use std::collections::BTreeMap;
use std::path::Path;

fn u16_at(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()))
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// The entries of an archive by its central directory, as readers go: name and content.
fn entries(bytes: &[u8]) -> BTreeMap<String, &[u8]> {
    let end = bytes.len() - 22;
    assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
    let (count, mut at) = (u16_at(bytes, end + 10), u32_at(bytes, end + 16));
    assert_eq!(at + u32_at(bytes, end + 12), end, "the directory ends where the end record begins");
    let mut found = BTreeMap::new();
    for _ in 0..count {
        assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
        assert_eq!(u16_at(bytes, at + 10), 0, "stored");
        let (size, name) = (u32_at(bytes, at + 24), u16_at(bytes, at + 28));
        let local = u32_at(bytes, at + 42);
        let text = String::from_utf8(bytes[at + 46..at + 46 + name].to_vec()).unwrap();
        assert_eq!(&bytes[local..local + 4], b"PK\x03\x04");
        assert_eq!(&bytes[local + 14..local + 26], &bytes[at + 16..at + 28], "checksum and sizes, twice");
        let start = local + 30 + u16_at(bytes, local + 26) + u16_at(bytes, local + 28);
        found.insert(text, &bytes[start..start + size]);
        at += 46 + name;
    }
    assert_eq!(at, end);
    found
}

/// Header and data of an array.
fn array(entry: &[u8]) -> (&str, &[u8]) {
    assert_eq!(&entry[..8], b"\x93NUMPY\x01\x00");
    let length = u16_at(entry, 8);
    assert_eq!((10 + length) % 64, 0);
    let (header, data) = entry[10..].split_at(length);
    (std::str::from_utf8(header).unwrap().trim_end(), data)
}

fn matrix(entry: &[u8], rows: usize, columns: usize) -> DMatrix<f64> {
    let (header, data) = array(entry);
    let shape = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    assert_eq!(header, shape);
    let numbers: Vec<f64> =
        data.chunks_exact(8).map(|eight| f64::from_le_bytes(eight.try_into().unwrap())).collect();
    DMatrix::from_row_slice(rows, columns, &numbers)
}

#[test]
fn an_archive_holds_the_model_to_the_bit() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let small = Reduced::at(&robot, &robot.home()).unwrap();
    let model = small.state_space();
    let export = Export::new(&model).matrix("mass", &small.mass).word("robot", "gough-stewart – ü");
    let bytes = export.npz();
    let entries = entries(&bytes);
    assert_eq!(matrix(entries["A.npy"], 12, 12), model.a);
    assert_eq!(matrix(entries["B.npy"], 12, 6), model.b);
    assert_eq!(matrix(entries["C.npy"], 6, 12), model.c);
    assert_eq!(matrix(entries["D.npy"], 6, 6), model.d);
    assert_eq!(matrix(entries["mass.npy"], 6, 6), small.mass);
    let (header, data) = array(entries["state_names.npy"]);
    assert_eq!(header, "{'descr': '<U7', 'fortran_order': False, 'shape': (12,), }");
    let letters: Vec<char> = data
        .chunks_exact(4)
        .map(|c| char::from_u32(u32::from_le_bytes(c.try_into().unwrap())).unwrap())
        .collect();
    let names: Vec<String> =
        letters.chunks_exact(7).map(|name| name.iter().filter(|c| **c != '\0').collect()).collect();
    assert_eq!((names[0].as_str(), names[11].as_str()), ("q1", "q6_rate"));
    assert_eq!(export.npz(), bytes, "the same model gives the same bytes");
}

#[test]
fn json_has_the_same_numbers_with_names_and_units() {
    let robot = AnyRobot::open("delta-bortoff-b").unwrap();
    let model = Reduced::at(&robot, &robot.home()).unwrap().state_space();
    let value = Export::new(&model).row("hold", &[1.0, 2.0, 3.0]).json();
    for (i, row) in value["A"].as_array().unwrap().iter().enumerate() {
        for (j, entry) in row.as_array().unwrap().iter().enumerate() {
            // As it is written, read by the standard library: serde_json's own reader may be off in the last bit.
            assert_eq!(entry.to_string().parse::<f64>().unwrap(), model.a[(i, j)]);
        }
    }
    assert_eq!(value["state_units"][5], "rad/s");
    assert_eq!(value["input_units"][0], "N m");
    assert_eq!(value["hold"][0][2], 3.0);
}

#[test]
fn a_file_that_cannot_be_written_says_so() {
    let robot = AnyRobot::open("delta-bortoff-b").unwrap();
    let model = Reduced::at(&robot, &robot.home()).unwrap().state_space();
    for path in ["model.mat", "no/such/folder/model.npz"] {
        let error = Export::new(&model).save(Path::new(path)).unwrap_err();
        assert!(matches!(&error, LinearError::File { path: told, .. } if told == path), "{error}");
    }
}
