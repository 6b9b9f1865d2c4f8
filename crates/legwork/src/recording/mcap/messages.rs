//! Messages of one kind as MCAP, for programs that read a topic of ROS.

use super::records::{push_map, push_record, push_sized, push_u16, push_u32, push_u64};
use super::{MAGIC, code};

/// What a topic has.
pub struct Topic<'a> {
    /// Its name: `/joint_states`.
    pub name: &'a str,
    /// Name of the schema: `sensor_msgs/msg/JointState`.
    pub schema: &'a str,
    /// Its text.
    pub text: &'a str,
    /// In what language: `ros2msg`.
    pub language: &'a str,
    /// How messages are encoded: `cdr`.
    pub encoding: &'a str,
}

/// A file of messages with their times \[ns\], oldest first, in the profile `ros2`.
pub fn messages_file(topic: &Topic<'_>, messages: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let mut about = Vec::new();
    push_record(&mut about, code::SCHEMA, |bytes| {
        push_u16(bytes, 1);
        push_sized(bytes, topic.schema.as_bytes());
        push_sized(bytes, topic.language.as_bytes());
        push_sized(bytes, topic.text.as_bytes());
    });
    let schema = about.len() as u64;
    push_record(&mut about, code::CHANNEL, |bytes| {
        push_u16(bytes, 1);
        push_u16(bytes, 1);
        push_sized(bytes, topic.name.as_bytes());
        push_sized(bytes, topic.encoding.as_bytes());
        push_map(bytes, std::iter::empty());
    });
    let mut file = MAGIC.to_vec();
    push_record(&mut file, code::HEADER, |bytes| {
        push_sized(bytes, b"ros2");
        push_sized(bytes, concat!("legwork ", env!("CARGO_PKG_VERSION")).as_bytes());
    });
    file.extend_from_slice(&about);
    for (sequence, (time, message)) in (0_u32..).zip(messages) {
        push_record(&mut file, code::MESSAGE, |bytes| {
            push_u16(bytes, 1);
            push_u32(bytes, sequence);
            push_u64(bytes, *time);
            push_u64(bytes, *time);
            bytes.extend_from_slice(message);
        });
    }
    push_record(&mut file, code::DATA_END, |bytes| push_u32(bytes, 0));
    let summary = file.len();
    file.extend_from_slice(&about);
    let statistics = file.len() as u64;
    let time = |message: Option<&(u64, Vec<u8>)>| message.map_or(0, |(time, _)| *time);
    push_record(&mut file, code::STATISTICS, |bytes| {
        push_u64(bytes, messages.len() as u64);
        push_u16(bytes, 1);
        push_u32(bytes, 1); // channels
        push_u32(bytes, 0); // attachments
        push_u32(bytes, 0); // metadata
        push_u32(bytes, 0); // chunks
        push_u64(bytes, time(messages.first()));
        push_u64(bytes, time(messages.last()));
        let mut counts = Vec::new();
        push_u16(&mut counts, 1);
        push_u64(&mut counts, messages.len() as u64);
        push_sized(bytes, &counts);
    });
    let offsets = file.len() as u64;
    let begin = summary as u64;
    for (code, start, end) in [
        (code::SCHEMA, begin, begin + schema),
        (code::CHANNEL, begin + schema, statistics),
        (code::STATISTICS, statistics, offsets),
    ] {
        push_record(&mut file, code::SUMMARY_OFFSET, |bytes| {
            bytes.push(code);
            push_u64(bytes, start);
            push_u64(bytes, end - start);
        });
    }
    push_record(&mut file, code::FOOTER, |bytes| {
        push_u64(bytes, begin);
        push_u64(bytes, offsets);
        push_u32(bytes, 0);
    });
    // The checksum goes from the summary to the footer's last field, which it replaces.
    file.truncate(file.len() - 4);
    let checksum = crc32fast::hash(file.get(summary..).unwrap_or(&[]));
    push_u32(&mut file, checksum);
    file.extend_from_slice(MAGIC);
    file
}
