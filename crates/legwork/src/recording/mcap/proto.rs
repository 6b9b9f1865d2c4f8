//! Rows as protobuf: one message type of doubles, described in the file.
//!
//! ```text
//! message Row { double t = 1; double x = 2; … }     // package legwork
//! ```

use super::super::Column;
use super::records::Content;
use std::collections::BTreeSet;

/// Wire types: eight bytes, and bytes with their length.
const EIGHT: u64 = 1;
const SIZED: u64 = 2;

/// Full name of the message.
pub(super) const ROW: &str = "legwork.Row";

/// The schema: a `google.protobuf.FileDescriptorSet` with one file and one message.
pub(super) fn schema(columns: &[Column]) -> Vec<u8> {
    // Field numbers are those of descriptor.proto.
    let mut message = Vec::new();
    push_bytes(&mut message, 1, b"Row");
    for (k, name) in identifiers(columns).iter().enumerate() {
        let mut field = Vec::new();
        push_bytes(&mut field, 1, name.as_bytes());
        push_number(&mut field, 3, number(k)); // field number
        push_number(&mut field, 4, 1); // optional
        push_number(&mut field, 5, 1); // a double
        push_bytes(&mut message, 2, &field);
    }
    let mut file = Vec::new();
    push_bytes(&mut file, 1, b"legwork/row.proto");
    push_bytes(&mut file, 2, b"legwork");
    push_bytes(&mut file, 4, &message);
    push_bytes(&mut file, 12, b"proto3");
    let mut set = Vec::new();
    push_bytes(&mut set, 1, &file);
    set
}

/// Appends a row.
pub(super) fn push_row(bytes: &mut Vec<u8>, row: &[f64]) {
    for (k, value) in row.iter().enumerate() {
        push_varint(bytes, number(k) << 3 | EIGHT);
        bytes.extend_from_slice(&value.to_le_bytes());
    }
}

/// Reads a row, one number for each column. Gives how many there are if they are not
/// as many as the columns, or not in order.
pub(super) fn read_row(bytes: &[u8], columns: &mut [Vec<f64>]) -> Result<(), usize> {
    let mut content = Content(bytes);
    for (k, column) in columns.iter_mut().enumerate() {
        let tag = varint(&mut content);
        let value = content.f64().filter(|_| tag == Some(number(k) << 3 | EIGHT));
        column.push(value.ok_or(k)?);
    }
    if content.0.is_empty() { Ok(()) } else { Err(columns.len() + 1) }
}

fn number(column: usize) -> u64 {
    column as u64 + 1
}

/// The names as protobuf allows them: letters, digits and underscores, all different.
fn identifiers(columns: &[Column]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut identifiers = Vec::new();
    for Column { name, .. } in columns {
        let mut plain: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            plain.insert(0, '_');
        }
        let mut identifier = plain.clone();
        // Tools also know fields by their JSON name, in which underscores and case are lost.
        let mut copies = 1;
        while !taken.insert(identifier.replace('_', "").to_ascii_lowercase()) {
            copies += 1;
            identifier = format!("{plain}_copy{copies}");
        }
        identifiers.push(identifier);
    }
    identifiers
}

fn push_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push((value & 0x7F) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push((value & 0x7F) as u8);
}

fn varint(content: &mut Content) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = content.u8()?;
        value |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn push_number(bytes: &mut Vec<u8>, field: u64, value: u64) {
    push_varint(bytes, field << 3);
    push_varint(bytes, value);
}

fn push_bytes(bytes: &mut Vec<u8>, field: u64, content: &[u8]) {
    push_varint(bytes, field << 3 | SIZED);
    push_varint(bytes, content.len() as u64);
    bytes.extend_from_slice(content);
}

#[cfg(test)]
mod tests {
    use super::{Column, identifiers};

    #[test]
    fn names_become_identifiers_that_differ() {
        let names = ["t", "T", "a,b", "a.b", "1", "q1", "q_1", "ä"];
        let columns = names.map(|name| Column::new(name, ""));
        let expected = ["t", "T_copy2", "a_b", "a_b_copy2", "_1", "q1", "q_1_copy2", "_"];
        assert_eq!(identifiers(&columns), expected);
    }
}
