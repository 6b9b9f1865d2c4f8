//! Numbers as people read them: six digits, no noise; and texts of files without what a terminal would obey.

use std::borrow::Cow;
use std::fmt::Write;

/// A speed \[rad/s\] in revolutions per minute.
pub fn in_rpm(speed: f64) -> f64 {
    speed * 30.0 / std::f64::consts::PI
}

/// Significant digits of a number in a table.
const DIGITS: i32 = 6;

/// How many decimals numbers that stand together have: six digits of the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimals(Option<usize>);

impl Decimals {
    /// The decimals that suit these numbers.
    pub fn of(numbers: &[f64]) -> Self {
        let largest = numbers.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if largest == 0.0 {
            return Self(Some(0));
        }
        let place = largest.log10().floor();
        if !(-4.0..=8.0).contains(&place) {
            return Self(None);
        }
        // Small enough after the line above.
        #[expect(clippy::cast_possible_truncation, reason = "between -4 and 8")]
        let decimals = DIGITS - 1 - place as i32;
        Self(Some(usize::try_from(decimals).unwrap_or(0)))
    }

    /// A number with these decimals; NaN is a dash.
    pub fn show(self, number: f64) -> String {
        match self.0 {
            _ if number.is_nan() => "-".into(),
            Some(decimals) => fixed(number, decimals),
            None if number == 0.0 => "0".into(),
            None => format!("{number:.5e}"),
        }
    }
}

/// A number alone, with six digits at most and no zeros at its end.
pub fn short(number: f64) -> String {
    trimmed(Decimals::of(&[number]).show(number))
}

fn trimmed(text: String) -> String {
    if text.contains('.') && !text.contains('e') {
        without_minus_zero(text.trim_end_matches('0').trim_end_matches('.').to_owned())
    } else {
        text
    }
}

/// Four significant digits: `24.27`, `1.234e-7`; a dash where it is no finite number.
pub fn four_digits(number: f64) -> String {
    if !number.is_finite() {
        return "-".into();
    }
    short(format!("{number:.3e}").parse().unwrap_or(number))
}

/// A cell of a table whose columns are read downwards: four digits, but three decimals at most, and zeros to the end; a dash
/// where it is no finite number. A number alone is [`four_digits`].
pub fn cell(number: f64) -> String {
    let size = number.abs();
    let decimals = if size >= 100.0 {
        1
    } else if size >= 10.0 {
        2
    } else {
        3
    };
    if number.is_finite() { fixed(number, decimals) } else { "-".into() }
}

/// A number with this many decimals.
pub fn fixed(number: f64, decimals: usize) -> String {
    without_minus_zero(format!("{number:.decimals$}"))
}

/// A size as people say it: "512 bytes", "13.4 kB", "2.1 GB".
pub fn bytes(count: u64) -> String {
    if count < 1000 {
        return format!("{count} byte{}", if count == 1 { "" } else { "s" });
    }
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"];
    let (mut size, mut unit) = (count as f64 / 1e3, 0);
    // Beyond that, rounding would make a thousand of it.
    while size >= 999.95 && unit + 1 < units.len() {
        size /= 1e3;
        unit += 1;
    }
    let number = fixed(size, 1);
    format!("{} {}", number.strip_suffix(".0").unwrap_or(&number), units.get(unit).unwrap_or(&"EB"))
}

/// Numbers that belong together, six digits of the largest: "0, 120, 240".
pub fn short_list(numbers: &[f64]) -> String {
    let decimals = Decimals::of(numbers);
    numbers.iter().map(|x| trimmed(decimals.show(*x))).collect::<Vec<_>>().join(", ")
}

/// Numbers that stand together, six digits of the largest.
pub fn aligned(numbers: &[f64]) -> Vec<String> {
    let decimals = Decimals::of(numbers);
    numbers.iter().map(|x| decimals.show(*x)).collect()
}

fn without_minus_zero(text: String) -> String {
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| c == '0' || c == '.') => rest.to_owned(),
        _ => text,
    }
}

/// Whether a character is not seen and does something: controls (an escape sequence begins with one), overrides of the
/// writing direction, separators of lines, marks without width.
pub(crate) fn is_hidden(c: char) -> bool {
    let has_no_width = matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{feff}');
    let turns_or_ends_lines = matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    c.is_control()
        || has_no_width
        || turns_or_ends_lines
        || matches!(c, '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn shown(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}"); // a text takes everything
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// A name or a line that a file holds, as it may be printed: a character that is not seen and does something (an escape
/// sequence, a new line, an override of the writing direction) stands there as `\u001b`, as JSON writes it.
///
/// ```
/// assert_eq!(legwork::text::printable("arm \u{1b}[2J\n\u{202e}4"), r"arm \u001b[2J\u000a\u202e4");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    shown(text, is_hidden)
}

/// The same for text of several lines: new lines and tabs stay.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    shown(text, |c| is_hidden(c) && c != '\n' && c != '\t')
}

/// A text as a TOML file has it, on one line; the escapes of JSON are among those of TOML, which wants one more.
pub fn toml_text(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// Text in lines of at most `width` characters, broken at spaces.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Columns side by side, a line each row: the first column to the left, the others to the right.
pub(crate) fn columns(columns: &[Vec<String>]) -> String {
    let width = |column: &Vec<String>| column.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = columns.iter().map(width).collect();
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines = String::new();
    for row in 0..height {
        let cell = |(k, column): (usize, &Vec<String>)| {
            let (text, width) = (column.get(row).map_or("", String::as_str), widths[k]);
            if k == 0 { format!("{text:<width$}") } else { format!("{text:>width$}") }
        };
        let cells: Vec<String> = columns.iter().enumerate().map(cell).collect();
        lines.push_str(cells.join("  ").trim_end());
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits() {
        assert_eq!(aligned(&[47.504_3, -11.569, -1e-17]), ["47.5043", "-11.5690", "0.0000"]);
        assert_eq!(aligned(&[-0.3]), ["-0.300000"]);
        assert_eq!(aligned(&[123_456_789.0]), ["123456789"]);
        assert_eq!(aligned(&[1e12, 0.0]), ["1.00000e12", "0"]);
        assert_eq!(short(-0.0), "0");
        assert_eq!(short(350.0), "350");
        assert_eq!(short(1.0 / 3.0), "0.333333");
        assert_eq!(short(2.7e-9), "2.70000e-9");
        assert_eq!(short_list(&[100.0, -1.9e-13, -514.8931]), "100, 0, -514.893");
    }

    #[test]
    fn long_text_is_wrapped() {
        assert_eq!(wrap("one two  three", 8), ["one two", "three"]);
    }
}
