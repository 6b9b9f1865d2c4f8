//! Writing MCAP.

use super::super::error::WriteError;
use super::super::files::Output;
use super::super::{Column, Metadata, column};
use super::records::{push_map, push_record, push_sized, push_u16, push_u32, push_u64};
use super::view::{View, views};
use super::{COLUMNS_TOPIC, END, MAGIC, METADATA, RECORDING, VERSION, code, proto};

pub(in super::super) struct Writer {
    output: Output,
    views: Vec<View>,
    /// Schema and channel records: in the first chunk, and in the summary.
    schemas: Vec<u8>,
    channels: Vec<u8>,
    is_described: bool,
    /// Chunk index and metadata index records for the summary.
    chunk_indexes: Vec<u8>,
    metadata_indexes: Vec<u8>,
    chunks: u32,
    metadata: u32,
    /// Messages of each channel, of which the rows are the first.
    counts: Vec<u64>,
    /// First and last time \[ns\].
    span: Option<[u64; 2]>,
    /// Time of the last row \[ns\], also taken for rows whose time is no time.
    now: u64,
    /// Memory that is used again: text of a message, chunk, records around it, places of messages.
    text: String,
    chunk: Vec<u8>,
    bytes: Vec<u8>,
    places: Vec<Vec<[u64; 2]>>,
}

/// The schema and channel of the rows; those of the views follow.
const ROWS: u16 = 1;

impl Writer {
    pub fn start(output: Output, columns: &[Column], metadata: &Metadata) -> Result<Self, WriteError> {
        let description = column::to_json(columns);
        let total = metadata.iter().map(|(key, value)| key.len() + value.len() + 8).sum::<usize>();
        let _: u32 = output.length(total + description.len())?;

        let views = views(columns);
        let (mut schemas, mut channels) = (Vec::new(), Vec::new());
        let row = proto::schema(columns);
        push_schema(&mut schemas, ROWS, proto::ROW, "protobuf", &row);
        push_channel(&mut channels, ROWS, COLUMNS_TOPIC, "protobuf");
        // At most two views for each column, so the numbers fit.
        for (id, view) in (ROWS + 1..).zip(&views) {
            let (name, text) = view.schema();
            push_schema(&mut schemas, id, name, "jsonschema", text.as_bytes());
            push_channel(&mut channels, id, &view.topic, "json");
        }
        let mut writer = Self {
            output,
            schemas,
            channels,
            is_described: false,
            chunk_indexes: Vec::new(),
            metadata_indexes: Vec::new(),
            chunks: 0,
            metadata: 0,
            counts: vec![0; views.len() + 1],
            span: None,
            now: 0,
            text: String::new(),
            chunk: Vec::new(),
            bytes: MAGIC.to_vec(),
            places: vec![Vec::new(); views.len() + 1],
            views,
        };
        push_record(&mut writer.bytes, code::HEADER, |bytes| {
            push_sized(bytes, b""); // no profile
            push_sized(bytes, concat!("legwork ", env!("CARGO_PKG_VERSION")).as_bytes());
        });
        let about = [("version", VERSION), ("columns", &description)];
        writer.push_metadata(RECORDING, about.into_iter());
        writer.push_metadata(METADATA, metadata.iter());
        writer.output.write(&writer.bytes)?;
        Ok(writer)
    }

    pub fn block(&mut self, rows: &[f64], columns: usize) -> Result<(), WriteError> {
        self.chunk.clear();
        self.places.iter_mut().for_each(Vec::clear);
        if !self.is_described {
            self.chunk.extend_from_slice(&self.schemas);
            self.chunk.extend_from_slice(&self.channels);
            self.is_described = true;
        }
        let mut span: Option<[u64; 2]> = None;
        for row in rows.chunks(columns) {
            self.now = row.first().copied().and_then(nanoseconds).unwrap_or(self.now);
            span = Some(widened(span, [self.now; 2]));
            self.row(row);
        }
        let Some(span) = span else { return Ok(()) };
        self.span = Some(widened(self.span, span));
        self.chunk(span)
    }

    /// Adds the messages of a row to the chunk.
    fn row(&mut self, row: &[f64]) {
        let time = self.now;
        self.message(ROWS, |bytes| proto::push_row(bytes, row));
        for k in 0..self.views.len() {
            let mut text = std::mem::take(&mut self.text);
            if self.views[k].message(time, row, &mut text).is_some() {
                let channel = (ROWS + 1..).nth(k).unwrap_or(ROWS);
                self.message(channel, |bytes| bytes.extend_from_slice(text.as_bytes()));
            }
            self.text = text;
        }
    }

    fn message(&mut self, channel: u16, fill: impl FnOnce(&mut Vec<u8>)) {
        let place = usize::from(channel - ROWS);
        let time = self.now;
        // Numbers begin again after 2³² messages.
        let sequence = u32::try_from(self.counts[place] & u64::from(u32::MAX)).unwrap_or(0);
        self.places[place].push([time, self.chunk.len() as u64]);
        self.counts[place] += 1;
        push_record(&mut self.chunk, code::MESSAGE, |bytes| {
            push_u16(bytes, channel);
            push_u32(bytes, sequence);
            push_u64(bytes, time); // logged
            push_u64(bytes, time); // published
            fill(bytes);
        });
    }

    /// Writes the chunk and the index of its messages.
    fn chunk(&mut self, span: [u64; 2]) -> Result<(), WriteError> {
        let start = self.output.offset;
        let size = self.chunk.len() as u64;
        let (bytes, chunk) = (&mut self.bytes, &self.chunk);
        bytes.clear();
        push_record(bytes, code::CHUNK, |bytes| {
            push_u64(bytes, span[0]);
            push_u64(bytes, span[1]);
            push_u64(bytes, size);
            push_u32(bytes, crc32fast::hash(chunk));
            push_sized(bytes, b""); // no compression
            push_u64(bytes, size);
            bytes.extend_from_slice(chunk);
        });
        let length = bytes.len() as u64;
        let mut index = Vec::new();
        for (channel, places) in (ROWS..).zip(&self.places).filter(|(_, places)| !places.is_empty()) {
            push_u16(&mut index, channel);
            push_u64(&mut index, start + bytes.len() as u64);
            let size: u32 = self.output.length(places.len() * 16)?;
            push_record(bytes, code::MESSAGE_INDEX, |bytes| {
                push_u16(bytes, channel);
                push_u32(bytes, size);
                for number in places.as_flattened() {
                    push_u64(bytes, *number);
                }
            });
        }
        let index_length = bytes.len() as u64 - length;
        push_record(&mut self.chunk_indexes, code::CHUNK_INDEX, |bytes| {
            push_u64(bytes, span[0]);
            push_u64(bytes, span[1]);
            push_u64(bytes, start);
            push_u64(bytes, length);
            push_sized(bytes, &index);
            push_u64(bytes, index_length);
            push_sized(bytes, b"");
            push_u64(bytes, size);
            push_u64(bytes, size);
        });
        self.chunks = self.chunks.saturating_add(1);
        self.output.write_block(&self.bytes)
    }

    /// What was written, of a recording in memory.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        self.output.take_bytes()
    }

    pub fn finish(&mut self, reason: &str) -> Result<(), WriteError> {
        let _: u32 = self.output.length(reason.len() + 64)?;
        self.bytes.clear();
        self.push_metadata(END, [("reason", reason)].into_iter());
        let bytes = &mut self.bytes;
        // The chunks have checksums of their own: none of the whole.
        push_record(bytes, code::DATA_END, |bytes| push_u32(bytes, 0));

        let summary = self.output.offset + bytes.len() as u64;
        let first = bytes.len();
        let mut statistics = Vec::new();
        push_statistics(&mut statistics, self);
        let groups = [
            (code::SCHEMA, &self.schemas),
            (code::CHANNEL, &self.channels),
            (code::STATISTICS, &statistics),
            (code::CHUNK_INDEX, &self.chunk_indexes),
            (code::METADATA_INDEX, &self.metadata_indexes),
        ];
        let bytes = &mut self.bytes;
        let mut offsets = Vec::new();
        for (code, group) in groups.into_iter().filter(|(_, group)| !group.is_empty()) {
            let start = self.output.offset + bytes.len() as u64;
            bytes.extend_from_slice(group);
            push_record(&mut offsets, code::SUMMARY_OFFSET, |bytes| {
                bytes.push(code);
                push_u64(bytes, start);
                push_u64(bytes, group.len() as u64);
            });
        }
        let summary_offsets = self.output.offset + bytes.len() as u64;
        bytes.extend(offsets);
        push_record(bytes, code::FOOTER, |bytes| {
            push_u64(bytes, summary);
            push_u64(bytes, summary_offsets);
            push_u32(bytes, 0);
        });
        // The checksum goes from the summary to the footer's last field, which it replaces.
        bytes.truncate(bytes.len() - 4);
        let checksum = crc32fast::hash(&bytes[first..]);
        push_u32(bytes, checksum);
        bytes.extend_from_slice(MAGIC);
        self.output.finish(&self.bytes)
    }

    /// Appends a metadata record and its index.
    fn push_metadata<'a>(&mut self, name: &str, pairs: impl Iterator<Item = (&'a str, &'a str)>) {
        let start = self.bytes.len();
        push_record(&mut self.bytes, code::METADATA, |bytes| {
            push_sized(bytes, name.as_bytes());
            push_map(bytes, pairs);
        });
        let length = (self.bytes.len() - start) as u64;
        let offset = self.output.offset + start as u64;
        push_record(&mut self.metadata_indexes, code::METADATA_INDEX, |bytes| {
            push_u64(bytes, offset);
            push_u64(bytes, length);
            push_sized(bytes, name.as_bytes());
        });
        self.metadata += 1;
    }
}

fn push_schema(bytes: &mut Vec<u8>, id: u16, name: &str, encoding: &str, text: &[u8]) {
    push_record(bytes, code::SCHEMA, |bytes| {
        push_u16(bytes, id);
        push_sized(bytes, name.as_bytes());
        push_sized(bytes, encoding.as_bytes());
        push_sized(bytes, text);
    });
}

/// A channel has the number of its schema.
fn push_channel(bytes: &mut Vec<u8>, id: u16, topic: &str, encoding: &str) {
    push_record(bytes, code::CHANNEL, |bytes| {
        push_u16(bytes, id);
        push_u16(bytes, id);
        push_sized(bytes, topic.as_bytes());
        push_sized(bytes, encoding.as_bytes());
        push_map(bytes, std::iter::empty());
    });
}

fn push_statistics(bytes: &mut Vec<u8>, writer: &Writer) {
    let channels = u16::try_from(writer.counts.len()).unwrap_or(u16::MAX);
    let [first, last] = writer.span.unwrap_or_default();
    let mut counts = Vec::new();
    for (channel, count) in (ROWS..).zip(&writer.counts) {
        push_u16(&mut counts, channel);
        push_u64(&mut counts, *count);
    }
    push_record(bytes, code::STATISTICS, |bytes| {
        push_u64(bytes, writer.counts.iter().sum());
        push_u16(bytes, channels); // schemas
        push_u32(bytes, channels.into());
        push_u32(bytes, 0); // attachments
        push_u32(bytes, writer.metadata);
        push_u32(bytes, writer.chunks);
        push_u64(bytes, first);
        push_u64(bytes, last);
        push_sized(bytes, &counts);
    });
}

/// A time in nanoseconds; `None` for NaN and what is not within three centuries from 0.
fn nanoseconds(seconds: f64) -> Option<u64> {
    let time = (seconds * 1e9).round();
    // In range by the condition.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    (0.0..9e18).contains(&time).then_some(time as u64)
}

fn widened(span: Option<[u64; 2]>, [first, last]: [u64; 2]) -> [u64; 2] {
    span.map_or([first, last], |[a, b]| [a.min(first), b.max(last)])
}
