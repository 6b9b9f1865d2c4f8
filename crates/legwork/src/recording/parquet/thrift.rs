//! Thrift's compact encoding, as much of it as Parquet needs.

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

/// A structure that is being written. Fields go in ascending order.
#[derive(Default)]
pub(super) struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

impl Struct {
    pub fn new() -> Self {
        Self::default()
    }

    /// Field numbers of Parquet are small and ascend, so the short form always fits.
    fn field(&mut self, number: u8, kind: u8) {
        let step = number.wrapping_sub(self.last);
        self.bytes.push(step << 4 | kind);
        self.last = number;
    }

    pub fn i32(mut self, number: u8, value: impl Into<i64>) -> Self {
        self.field(number, I32);
        push_zigzag(&mut self.bytes, value.into());
        self
    }

    pub fn i64(mut self, number: u8, value: i64) -> Self {
        self.field(number, I64);
        push_zigzag(&mut self.bytes, value);
        self
    }

    pub fn text(mut self, number: u8, text: &str) -> Self {
        self.field(number, BINARY);
        push_text(&mut self.bytes, text);
        self
    }

    pub fn child(mut self, number: u8, child: Self) -> Self {
        self.field(number, STRUCT);
        self.bytes.extend(child.end());
        self
    }

    pub fn children(mut self, number: u8, count: usize, children: &[u8]) -> Self {
        self.field(number, LIST);
        push_list(&mut self.bytes, count, STRUCT);
        self.bytes.extend_from_slice(children);
        self
    }

    pub fn texts(mut self, number: u8, texts: &[&str]) -> Self {
        self.field(number, LIST);
        push_list(&mut self.bytes, texts.len(), BINARY);
        for text in texts {
            push_text(&mut self.bytes, text);
        }
        self
    }

    pub fn codes(mut self, number: u8, codes: &[i64]) -> Self {
        self.field(number, LIST);
        push_list(&mut self.bytes, codes.len(), I32);
        for code in codes {
            push_zigzag(&mut self.bytes, *code);
        }
        self
    }

    /// Its bytes.
    pub fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn push_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push((value & 0x7F) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push((value & 0x7F) as u8);
}

fn push_zigzag(bytes: &mut Vec<u8>, value: i64) {
    push_varint(bytes, (value << 1 ^ value >> 63).cast_unsigned());
}

fn push_text(bytes: &mut Vec<u8>, text: &str) {
    push_varint(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

fn push_list(bytes: &mut Vec<u8>, count: usize, kind: u8) {
    if let Ok(count @ 0..15) = u8::try_from(count) {
        bytes.push(count << 4 | kind);
    } else {
        bytes.push(0xF0 | kind);
        push_varint(bytes, count as u64);
    }
}

/// A value that was read.
#[derive(Debug, PartialEq)]
pub(super) enum Value<'a> {
    Int(i64),
    Bytes(&'a [u8]),
    List(Vec<Value<'a>>),
    Struct(Vec<(i64, Value<'a>)>),
    /// Something that Parquet has and that is not needed here.
    Other,
}

/// Structures of Parquet are at most this deep; deeper ones are an attack.
const DEEPEST: u8 = 16;
/// In the structures of Parquet a value has more bytes than this on average; one that is told in a single byte takes
/// forty of memory, so a footer of nothing else is an attack.
const BYTES_OF_A_VALUE: usize = 2;
/// So many values are read of the shortest structure.
const FEW: usize = 1 << 16;

impl<'a> Value<'a> {
    /// Reads a structure at the beginning of `bytes`; also gives its length.
    pub fn read(bytes: &'a [u8]) -> Option<(Self, usize)> {
        let mut input = Input { bytes, place: 0, values: bytes.len() / BYTES_OF_A_VALUE + FEW };
        let value = input.value(STRUCT, DEEPEST)?;
        Some((value, input.place))
    }

    pub fn field(&self, number: i64) -> Option<&Self> {
        let Self::Struct(fields) = self else { return None };
        fields.iter().find(|(found, _)| *found == number).map(|(_, value)| value)
    }

    pub fn int(&self, number: i64) -> Option<i64> {
        if let Self::Int(value) = self.field(number)? { Some(*value) } else { None }
    }

    /// A length or an offset.
    pub fn unsigned(&self, number: i64) -> Option<u64> {
        self.int(number)?.try_into().ok()
    }

    pub fn text(&self, number: i64) -> Option<&'a str> {
        if let Self::Bytes(bytes) = self.field(number)? { str::from_utf8(bytes).ok() } else { None }
    }

    /// A list; one that is not there is empty.
    pub fn list(&self, number: i64) -> &[Self] {
        if let Some(Self::List(list)) = self.field(number) { list } else { &[] }
    }
}

struct Input<'a> {
    bytes: &'a [u8],
    place: usize,
    /// How many more are read.
    values: usize,
}

impl<'a> Input<'a> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.place)?;
        self.place += 1;
        Some(byte)
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.place..)?.get(..count)?;
        self.place += count;
        Some(taken)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn value(&mut self, kind: u8, depth: u8) -> Option<Value<'a>> {
        let depth = depth.checked_sub(1)?;
        self.values = self.values.checked_sub(1)?;
        Some(match kind {
            TRUE | FALSE => Value::Other,
            BYTE => {
                self.byte()?;
                Value::Other
            }
            I16 | I32 | I64 => Value::Int(self.zigzag()?),
            DOUBLE => {
                self.take(8)?;
                Value::Other
            }
            BINARY => {
                let length = self.varint()?.try_into().ok()?;
                Value::Bytes(self.take(length)?)
            }
            LIST | SET => self.list(depth)?,
            STRUCT => self.structure(depth)?,
            _ => return None, // maps: Parquet has none
        })
    }

    fn list(&mut self, depth: u8) -> Option<Value<'a>> {
        let head = self.byte()?;
        let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        let mut list = Vec::new();
        for _ in 0..count {
            // An element has at least one byte, so a wrong count ends here before memory does.
            if head & 15 == TRUE || head & 15 == FALSE {
                self.byte()?;
                self.values = self.values.checked_sub(1)?;
                list.push(Value::Other);
            } else {
                list.push(self.value(head & 15, depth)?);
            }
        }
        Some(Value::List(list))
    }

    fn structure(&mut self, depth: u8) -> Option<Value<'a>> {
        let mut fields = Vec::new();
        let mut number = 0i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(Value::Struct(fields));
            }
            number = if head >> 4 == 0 { self.zigzag()? } else { number.checked_add((head >> 4).into())? };
            fields.push((number, self.value(head & 15, depth)?));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Struct, Value};

    #[test]
    fn what_is_written_is_read() {
        let bytes = Struct::new()
            .i32(1, -3)
            .i64(2, i64::MIN)
            .text(4, "ä")
            .codes(5, &[7; 20])
            .child(6, Struct::new().texts(1, &["a", ""]))
            .end();
        let Some((value, length)) = Value::read(&bytes) else { panic!("unreadable") };
        assert_eq!((length, value.int(1), value.int(2)), (bytes.len(), Some(-3), Some(i64::MIN)));
        assert_eq!((value.text(4), value.list(5).len()), (Some("ä"), 20));
        let child = value.field(6).map(|child| child.list(1).len());
        assert_eq!(child, Some(2));
        for length in 0..bytes.len() {
            assert_eq!(Value::read(&bytes[..length]), None);
        }
    }

    /// A megabyte of empty structures would take forty of memory.
    #[test]
    fn a_list_of_nothing_is_not_kept() {
        let count = 1 << 20;
        let bytes = Struct::new().children(1, count, &vec![0; count]).end();
        assert_eq!(Value::read(&bytes), None);
    }
}
