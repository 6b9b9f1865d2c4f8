//! Lines of a stream with their numbers, blank lines and comments left out.

use crate::failure::{Failure, Message};
use std::io::{BufRead, Read};

/// A state has at most a few hundred characters; a longer line is not one.
const LONGEST: u64 = 64 * 1024;
/// What such a line may have more and still be passed over; a device has no end.
const MOST_SKIPPED: u64 = 64 * 1024 * 1024;

/// One line.
pub struct Line {
    /// Its number, from 1.
    pub number: u64,
    bytes: Vec<u8>,
    too_long: bool,
}

impl Line {
    /// Its text without space around it.
    pub fn text(&self) -> Result<&str, Message> {
        if self.too_long {
            return Err(Message::new(format!("the line is longer than {LONGEST} bytes")));
        }
        match str::from_utf8(&self.bytes) {
            Ok(text) if !text.contains(|c: char| c.is_control() && c != '\t' && c != '\r' && c != '\n') => {
                Ok(text.trim_start_matches('\u{feff}').trim())
            }
            _ => Err(Message::new("the line is not text in UTF-8")),
        }
    }

    fn is_skipped(&self) -> bool {
        self.text().is_ok_and(|text| text.is_empty() || text.starts_with('#'))
    }
}

/// The lines of a stream.
pub struct Lines<R> {
    input: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Self {
        Self { input, number: 0 }
    }

    /// The next line that is neither blank nor a comment.
    pub fn next(&mut self) -> Result<Option<Line>, Failure> {
        loop {
            let mut bytes = Vec::new();
            let size = self
                .input
                .by_ref()
                .take(LONGEST)
                .read_until(b'\n', &mut bytes)
                .map_err(|error| unreadable(&error))?;
            if size == 0 {
                return Ok(None);
            }
            self.number += 1;
            let too_long = size as u64 == LONGEST && bytes.last() != Some(&b'\n');
            if too_long {
                bytes.clear();
                let skipped = self.input.by_ref().take(MOST_SKIPPED).skip_until(b'\n');
                if skipped.map_err(|error| unreadable(&error))? as u64 == MOST_SKIPPED {
                    let (line, most) = (self.number, MOST_SKIPPED / (1024 * 1024));
                    return Err(
                        Message::new(format!("line {line} of stdin has no end after {most} MiB")).into()
                    );
                }
            }
            let line = Line { number: self.number, bytes, too_long };
            if !line.is_skipped() {
                return Ok(Some(line));
            }
        }
    }
}

fn unreadable(error: &std::io::Error) -> Failure {
    Message::new(format!("stdin cannot be read: {error}")).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, repeat};

    /// A long line is passed over, one without an end ends the stream.
    #[test]
    fn no_line_is_endless() {
        let long = b"a\n".chain(repeat(b'0').take(3 * LONGEST)).chain(&b"\nb\n"[..]);
        let mut lines = Lines::new(BufReader::new(long));
        let mut next = || lines.next().unwrap().unwrap();
        assert_eq!(next().text().unwrap(), "a");
        assert!(next().text().is_err());
        let last = next();
        assert_eq!((last.text().unwrap(), last.number), ("b", 3));
        let mut endless = Lines::new(BufReader::new(repeat(0)));
        assert!(endless.next().is_err());
    }
}
