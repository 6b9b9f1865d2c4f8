//! Writing CSV.

use super::super::error::WriteError;
use super::super::files::Output;
use super::super::{Column, Metadata};
use super::{END, FIRST, FRAMES, MORE, VERSION, number};
use serde_json::{Map, Value};

pub(in super::super) struct Writer {
    output: Output,
    /// The text of a block, kept for its memory.
    text: String,
}

impl Writer {
    pub fn start(output: Output, columns: &[Column], metadata: &Metadata) -> Result<Self, WriteError> {
        let mut text = format!("{FIRST}{VERSION}\n");
        let frames: Map<_, _> = columns
            .iter()
            .filter_map(|column| Some((column.name.clone(), Value::from(column.frame.clone()?))))
            .collect();
        if !frames.is_empty() {
            text += &["# ", FRAMES, ": ", &Value::Object(frames).to_string(), "\n"].concat();
        }
        // Long texts last, so that the short ones are seen first.
        for long in [false, true] {
            for (key, value) in metadata.iter().filter(|(_, value)| value.contains('\n') == long) {
                text += &entry(key, value);
            }
        }
        let header: Vec<_> = columns.iter().map(heading).collect();
        text += &header.join(",");
        text.push('\n');
        let mut writer = Self { output, text };
        writer.output.write(writer.text.as_bytes())?;
        Ok(writer)
    }

    pub fn block(&mut self, rows: &[f64], columns: usize) -> Result<(), WriteError> {
        self.text.clear();
        for row in rows.chunks(columns) {
            for (k, value) in row.iter().enumerate() {
                if k > 0 {
                    self.text.push(',');
                }
                number::push(*value, &mut self.text);
            }
            self.text.push('\n');
        }
        self.output.write_block(self.text.as_bytes())
    }

    pub fn finish(&mut self, reason: &str) -> Result<(), WriteError> {
        self.output.finish(entry(END, reason).as_bytes())
    }
}

/// `# key: "value"`, with a line for each line of the value.
fn entry(key: &str, value: &str) -> String {
    let is_plain = key.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    let key = if is_plain { key.to_owned() } else { Value::from(key).to_string() };
    let mut lines = value.split_inclusive('\n').map(|line| Value::from(line).to_string());
    let mut text = format!("# {key}: {}\n", lines.next().unwrap_or_else(|| "\"\"".to_owned()));
    for line in lines {
        text += &[MORE, &line, "\n"].concat();
    }
    text
}

/// The header of a column: `name [unit]`, in quotes where it needs them.
fn heading(column: &Column) -> String {
    let Column { name, unit, .. } = column;
    let text =
        if unit.is_empty() && !name.ends_with(']') { name.clone() } else { format!("{name} [{unit}]") };
    let needs_quotes = text.contains([',', '"', '\n', '\r']) || text.starts_with('#') || text.trim() != text;
    if needs_quotes { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
