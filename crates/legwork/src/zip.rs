//! ZIP archives, written: entries as they are or deflated, the same bytes for the same entries.

use crc32fast::hash as crc32;

/// An archive that grows.
#[derive(Debug, Default)]
pub struct Archive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    entries: u16,
}

impl Archive {
    /// A file as it is.
    pub fn stored(&mut self, name: &str, data: &[u8]) {
        self.entry(name, data, 0, data);
    }

    /// A file, deflated.
    pub fn deflated(&mut self, name: &str, data: &[u8]) {
        self.entry(name, data, 8, &miniz_oxide::deflate::compress_to_vec(data, 6));
    }

    fn entry(&mut self, name: &str, data: &[u8], method: u16, packed: &[u8]) {
        let offset = size(self.bytes.len());
        // Version, flags (names are UTF-8), method, time 0:00, date 1980-01-01: the same bytes for the same entries.
        let mut common: Vec<u8> = Vec::new();
        for field in [20_u16, 0x0800, method, 0, 0x0021] {
            common.extend(field.to_le_bytes());
        }
        for field in [crc32(data), size(packed.len()), size(data.len())] {
            common.extend(field.to_le_bytes());
        }
        common.extend(u16::try_from(name.len()).unwrap_or(u16::MAX).to_le_bytes());
        common.extend([0, 0]); // no extra field
        self.bytes.extend(*b"PK\x03\x04");
        self.bytes.extend(&common);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(packed);
        self.directory.extend(*b"PK\x01\x02");
        self.directory.extend(20_u16.to_le_bytes());
        self.directory.extend(&common);
        self.directory.extend([0; 10]); // no comment, first disk, no attributes
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.entries += 1;
    }

    /// The whole file.
    pub fn finish(mut self) -> Vec<u8> {
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

/// What is packed here stays far below four gigabytes.
fn size(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
