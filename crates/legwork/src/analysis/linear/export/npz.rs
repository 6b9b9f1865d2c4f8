//! A ZIP archive without compression that holds arrays in NumPy's format, version 1.0.

use crate::zip;
use nalgebra::DMatrix;
use std::fmt::Write;

/// An archive that grows.
#[derive(Default)]
pub(super) struct Archive(zip::Archive);

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
        self.0.stored(&format!("{name}.npy"), data);
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.0.finish()
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
