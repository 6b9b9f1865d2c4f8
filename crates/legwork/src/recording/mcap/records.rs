//! Records of MCAP as bytes: an operation code, a length of eight bytes, the content.

/// Appends a record whose content `fill` writes.
pub(super) fn push_record(bytes: &mut Vec<u8>, code: u8, fill: impl FnOnce(&mut Vec<u8>)) {
    bytes.push(code);
    let start = bytes.len();
    push_u64(bytes, 0);
    fill(bytes);
    let length = (bytes.len() - start - 8) as u64;
    if let Some(place) = bytes.get_mut(start..start + 8) {
        place.copy_from_slice(&length.to_le_bytes());
    }
}

pub(super) fn push_u16(bytes: &mut Vec<u8>, value: u16) {
    bytes.extend_from_slice(&value.to_le_bytes());
}

pub(super) fn push_u32(bytes: &mut Vec<u8>, value: u32) {
    bytes.extend_from_slice(&value.to_le_bytes());
}

pub(super) fn push_u64(bytes: &mut Vec<u8>, value: u64) {
    bytes.extend_from_slice(&value.to_le_bytes());
}

/// Appends something with its length in four bytes before it; longer texts are refused at the start.
pub(super) fn push_sized(bytes: &mut Vec<u8>, content: &[u8]) {
    push_u32(bytes, u32::try_from(content.len()).unwrap_or(u32::MAX));
    bytes.extend_from_slice(content);
}

/// Appends keys and values.
pub(super) fn push_map<'a>(bytes: &mut Vec<u8>, pairs: impl Iterator<Item = (&'a str, &'a str)>) {
    let mut content = Vec::new();
    for (key, value) in pairs {
        push_sized(&mut content, key.as_bytes());
        push_sized(&mut content, value.as_bytes());
    }
    push_sized(bytes, &content);
}

/// Reads the content of a record; every method is `None` at its end.
pub(super) struct Content<'a>(pub &'a [u8]);

impl<'a> Content<'a> {
    pub fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn f64(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    pub fn sized(&mut self) -> Option<&'a [u8]> {
        let length = self.u32()?.try_into().ok()?;
        self.take(length)
    }

    pub fn text(&mut self) -> Option<&'a str> {
        str::from_utf8(self.sized()?).ok()
    }

    pub fn map(&mut self) -> Option<Vec<(&'a str, &'a str)>> {
        let mut content = Content(self.sized()?);
        let mut pairs = Vec::new();
        while !content.0.is_empty() {
            pairs.push((content.text()?, content.text()?));
        }
        Some(pairs)
    }
}
