//! A ZIP archive without compression that holds arrays in NumPy's format, version 1.0.

use crc32fast::hash as crc32;
use nalgebra::DMatrix;
use std::fmt::Write;

/// An archive that grows.
#[derive(Default)]
pub(super) struct Archive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    entries: u16,
}

impl Archive {
    /// An array of two dimensions, `<f8`, row by row.
    pub(super) fn matrix(&mut self, name: &str, matrix: &DMatrix<f64>) {
        let mut data = header("<f8", &format!("({}, {})", matrix.nrows(), matrix.ncols()));
        for row in matrix.row_iter() {
            for x in row.iter() {
                data.extend((x + 0.0).to_le_bytes());
            }
        }
        self.entry(name, &data);
    }

    /// A list of texts, `<U`.
    pub(super) fn texts(&mut self, name: &str, texts: &[&str]) {
        let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
        let mut data = header(&format!("<U{width}"), &format!("({},)", texts.len()));
        for text in texts {
            let letters = text.chars().map(u32::from).chain(std::iter::repeat(0)).take(width);
            letters.for_each(|letter| data.extend(letter.to_le_bytes()));
        }
        self.entry(name, &data);
    }

    fn entry(&mut self, name: &str, data: &[u8]) {
        let name = format!("{name}.npy");
        let offset = size(self.bytes.len());
        // Version, flags, method 0 (stored), time 0:00, date 1980-01-01: the same bytes for the same model.
        let mut common: Vec<u8> = Vec::new();
        for field in [20_u16, 0x0800, 0, 0, 0x0021] {
            common.extend(field.to_le_bytes());
        }
        for field in [crc32(data), size(data.len()), size(data.len())] {
            common.extend(field.to_le_bytes());
        }
        common.extend(u16::try_from(name.len()).unwrap_or(u16::MAX).to_le_bytes());
        common.extend([0, 0]); // no extra field
        self.bytes.extend(*b"PK\x03\x04");
        self.bytes.extend(&common);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(data);
        self.directory.extend(*b"PK\x01\x02");
        self.directory.extend(20_u16.to_le_bytes());
        self.directory.extend(&common);
        self.directory.extend([0; 10]); // no comment, first disk, no attributes
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.entries += 1;
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        let (start, length) = (size(self.bytes.len()), size(self.directory.len()));
        self.bytes.append(&mut self.directory);
        self.bytes.extend(*b"PK\x05\x06");
        self.bytes.extend([0; 4]);
        self.bytes.extend(self.entries.to_le_bytes());
        self.bytes.extend(self.entries.to_le_bytes());
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend(start.to_le_bytes());
        self.bytes.extend([0; 2]);
        self.bytes
    }
}

/// Magic, version, and a dictionary padded so that the data begin at a multiple of 64 bytes.
fn header(kind: &str, shape: &str) -> Vec<u8> {
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let pad = 63 - (10 + text.len()) % 64;
    let _ = write!(text, "{:pad$}", "");
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(text.len()).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}

/// Linear models stay far below four gigabytes.
fn size(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_begin_at_multiples_of_64() {
        for shape in ["(18, 18)", "(3,)", "(123456, 9)"] {
            assert_eq!(header("<f8", shape).len() % 64, 0);
        }
    }
}
