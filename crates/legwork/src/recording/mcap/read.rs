//! Reading MCAP from its start; the index at its end is not needed.

use super::super::error::{Fault, ReadError, Unsupported};
use super::super::files::Source;
use super::super::reader::{Ending, Header};
use super::super::{Metadata, column};
use super::records::Content;
use super::{COLUMNS_TOPIC, END, MAGIC, METADATA, RECORDING, VERSION, code, proto};
use std::borrow::Cow;

pub(in super::super) struct Reader {
    source: Source,
    /// The file ends as it should, so a length that leads out of it is wrong.
    is_whole: bool,
    /// Number of the channel with the rows.
    channel: Option<u16>,
    ending: Option<Ending>,
    bytes: Vec<u8>,
}

/// Keys and values.
type Pairs<'a> = Vec<(&'a str, &'a str)>;

impl Reader {
    pub fn open(mut source: Source) -> Result<(Header, Self), ReadError> {
        let mut bytes = Vec::new();
        let tail = source.length.saturating_sub(8);
        source.seek(tail)?;
        source.read(source.length.min(8), &mut bytes)?;
        let is_whole = tail > 8 && bytes == MAGIC;
        source.seek(0)?;
        source.read(8, &mut bytes)?;
        if bytes != MAGIC {
            return Err(source.corrupt(0, Fault::Structure { expected: "MCAP of version 0" }));
        }
        let mut reader = Self { source, is_whole, channel: None, ending: None, bytes };
        let mut columns = None;
        loop {
            let start = reader.source.offset;
            match reader.record()? {
                None => return Err(reader.source.cut(start)),
                Some(code::HEADER) => {}
                Some(code::METADATA) => {
                    let (name, pairs) = reader.metadata(start)?;
                    match (name, columns.take()) {
                        (RECORDING, _) => columns = Some(reader.columns(start, &pairs)?),
                        (METADATA, Some(columns)) => {
                            let mut metadata = Metadata::default();
                            for (key, value) in pairs {
                                metadata.insert(key.to_owned(), value.to_owned());
                            }
                            return Ok((Header { columns, metadata, bare: None }, reader));
                        }
                        (_, before) => columns = before,
                    }
                }
                // Recordings of legwork begin with their metadata.
                Some(_) => return Err(reader.source.unsupported(Unsupported::NoColumns)),
            }
        }
    }

    /// Reads the next record into the buffer and gives its code; `None` at the end of a cut file.
    fn record(&mut self) -> Result<Option<u8>, ReadError> {
        let start = self.source.offset;
        let is_whole = self.is_whole;
        let unless_cut = |source: &Source, read: Result<(), ReadError>, length| match read {
            Err(ReadError::Cut { .. }) if is_whole => Err(source.corrupt(start, Fault::Length { length })),
            Err(ReadError::Cut { .. }) => Ok(false),
            read => read.map(|()| true),
        };
        let read = self.source.read(9, &mut self.bytes);
        if !unless_cut(&self.source, read, 9)? {
            return Ok(None);
        }
        let mut head = Content(&self.bytes);
        let (Some(code), Some(length)) = (head.u8(), head.u64()) else { return Ok(None) };
        // Codes from 128 on are for the records of other programs.
        if code == 0 || (code > code::DATA_END && code < 128) {
            return Err(self.source.corrupt(start, Fault::Structure { expected: "record of MCAP" }));
        }
        let read = self.source.read(length, &mut self.bytes);
        Ok(unless_cut(&self.source, read, length)?.then_some(code))
    }

    /// Name, keys and values of a metadata record.
    fn metadata(&self, start: u64) -> Result<(&str, Pairs<'_>), ReadError> {
        let mut content = Content(&self.bytes);
        let found = content.text().and_then(|name| Some((name, content.map()?)));
        found.ok_or_else(|| self.source.corrupt(start, Fault::Metadata))
    }

    fn columns(&self, start: u64, pairs: &[(&str, &str)]) -> Result<Vec<column::Column>, ReadError> {
        let find = |key| pairs.iter().find(|pair| pair.0 == key).map(|pair| pair.1);
        if let Some(version) = find("version").filter(|version| *version != VERSION) {
            return Err(self.source.unsupported(Unsupported::Version { version: version.to_owned() }));
        }
        let columns = find("columns").and_then(column::from_json).filter(|columns| !columns.is_empty());
        let columns = columns.ok_or_else(|| self.source.corrupt(start, Fault::Columns))?;
        column::distinct(&self.source, start, columns)
    }

    /// Whether the file has its index.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    pub fn block(&mut self, columns: &mut [Vec<f64>]) -> Result<Option<Ending>, ReadError> {
        loop {
            let start = self.source.offset;
            match self.record()? {
                None => {
                    let ending = self.ending.take();
                    return Ok(Some(ending.unwrap_or(Ending::Cut { offset: start })));
                }
                Some(code::CHUNK) => {
                    self.chunk(start, columns)?;
                    return Ok(None);
                }
                Some(code::METADATA) => {
                    let (name, pairs) = self.metadata(start)?;
                    if name == END {
                        let reason = pairs.first().map_or("", |pair| pair.1);
                        self.ending = Some(Ending::Finished(reason.to_owned()));
                    }
                }
                Some(code::DATA_END) => {
                    return Ok(Some(self.ending.take().unwrap_or(Ending::Cut { offset: start })));
                }
                Some(_) => {}
            }
        }
    }

    /// The rows in the chunk that is in the buffer.
    fn chunk(&mut self, start: u64, columns: &mut [Vec<f64>]) -> Result<(), ReadError> {
        #[cfg(feature = "foreign-recordings")]
        if let Some(size) = compressed(&self.bytes) {
            self.source.decodes(size)?;
        }
        let corrupt = |expected| self.source.corrupt(start, Fault::Structure { expected });
        let mut content = Content(&self.bytes);
        // The times of the first and last message, then the size.
        let head = content.take(16).and_then(|_| Some((content.u64()?, content.u32()?)));
        let (Some((size, stored)), Some(compression)) = (head, content.text()) else {
            return Err(corrupt("chunk of MCAP"));
        };
        let records = content.u64().and_then(|length| content.take(length.try_into().ok()?));
        let records = records.ok_or_else(|| corrupt("chunk of MCAP"))?;
        let records = match unpack(compression, size, records) {
            Unpacked::Records(records) => records,
            Unpacked::Damaged => return Err(corrupt("compressed chunk of MCAP")),
            Unpacked::Unsupported => return Err(self.source.unsupported(Unsupported::Compression)),
        };
        let computed = crc32fast::hash(&records);
        // 0 stands for no checksum.
        if stored != 0 && stored != computed {
            return Err(self.source.corrupt(start, Fault::Checksum { stored, computed }));
        }
        let mut records = Content(&records);
        while !records.0.is_empty() {
            let record = records.u8().and_then(|code| {
                let length = records.u64()?.try_into().ok()?;
                Some((code, Content(records.take(length)?)))
            });
            let (code, mut record) = record.ok_or_else(|| corrupt("record in a chunk of MCAP"))?;
            match code {
                code::CHANNEL => {
                    // number, number of the schema, topic
                    let found =
                        record.u16().and_then(|id| record.u16().and(record.text()).map(|topic| (id, topic)));
                    let (id, topic) = found.ok_or_else(|| corrupt("channel of MCAP"))?;
                    if topic == COLUMNS_TOPIC {
                        self.channel = Some(id);
                    }
                }
                code::MESSAGE => {
                    // channel, sequence, two times
                    let channel = record.u16();
                    let row = record.take(20).map(|_| record.0);
                    let (Some(channel), Some(row)) = (channel, row) else {
                        return Err(corrupt("message of MCAP"));
                    };
                    if Some(channel) == self.channel {
                        proto::read_row(row, columns).map_err(|found| {
                            let expected = columns.len();
                            self.source.corrupt(start, Fault::Count { expected, found })
                        })?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

enum Unpacked<'a> {
    Records(Cow<'a, [u8]>),
    Damaged,
    Unsupported,
}

/// What the records of a chunk say to come to, if they are compressed \[bytes\].
#[cfg(feature = "foreign-recordings")]
fn compressed(chunk: &[u8]) -> Option<u64> {
    let mut content = Content(chunk);
    content.take(16)?;
    let size = content.u64()?;
    content.u32()?;
    content.text().filter(|compression| !compression.is_empty())?;
    Some(size)
}

/// The records of a chunk, which are `size` bytes long.
fn unpack<'a>(compression: &str, size: u64, bytes: &'a [u8]) -> Unpacked<'a> {
    #[cfg(feature = "foreign-recordings")]
    {
        use std::io::Read;
        let decoder: Option<Box<dyn Read>> = match compression {
            "zstd" => zstd::stream::read::Decoder::new(bytes).ok().map(|decoder| Box::new(decoder) as _),
            "lz4" => Some(Box::new(lz4_flex::frame::FrameDecoder::new(bytes))),
            _ => None,
        };
        if let Some(decoder) = decoder {
            // One byte more would show a chunk that is longer than it claims.
            let mut records = Vec::new();
            let read = decoder.take(size.saturating_add(1)).read_to_end(&mut records);
            let is_whole = read.is_ok() && records.len() as u64 == size;
            return if is_whole { Unpacked::Records(records.into()) } else { Unpacked::Damaged };
        }
    }
    if !compression.is_empty() {
        return Unpacked::Unsupported;
    }
    if bytes.len() as u64 == size { Unpacked::Records(bytes.into()) } else { Unpacked::Damaged }
}
