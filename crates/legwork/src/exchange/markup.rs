//! XML, written: elements with attributes, numbers to the last bit.

use legwork_core::V3;
use legwork_core::engine::Pose;

use crate::rotation::{to_quaternion, to_roll_pitch_yaw};
use std::fmt::Write;

/// XML under way.
pub(super) struct Markup {
    text: String,
    depth: usize,
}

/// Without what ends an attribute, and without characters that XML cannot have.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The shortest text that reads back the same; no minus before zero.
pub(crate) fn number(value: f64) -> String {
    let value = if value == 0.0 { 0.0 } else { value };
    let (plain, short) = (format!("{value}"), format!("{value:e}"));
    if short.len() + 4 < plain.len() { short } else { plain }
}

pub(super) fn numbers(values: &[f64]) -> String {
    values.iter().map(|value| number(*value)).collect::<Vec<_>>().join(" ")
}

pub(super) fn vector(v: V3<f64>) -> String {
    numbers(&v.to_array())
}

/// w x y z
pub(super) fn quaternion(pose: &Pose<f64>) -> String {
    numbers(&to_quaternion(&pose.rotation.to_rows()))
}

/// Roll, pitch and yaw about fixed axes \[rad\].
pub(super) fn angles(pose: &Pose<f64>) -> String {
    numbers(&to_roll_pitch_yaw(&pose.rotation.to_rows()))
}

impl Markup {
    pub fn new() -> Self {
        Self { text: String::new(), depth: 0 }
    }

    fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push('<');
        self.text.push_str(name);
        for (key, value) in attributes {
            let _ = write!(self.text, " {key}=\"{}\"", escaped(value)); // a string takes everything
        }
    }

    /// An element with elements in it.
    pub fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.start(name, attributes);
        self.text.push_str(">\n");
        self.depth += 1;
    }

    pub fn close(&mut self, name: &str) {
        self.depth -= 1;
        self.text.push_str(&"  ".repeat(self.depth));
        let _ = writeln!(self.text, "</{name}>");
    }

    /// An element without content.
    pub fn leaf(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.start(name, attributes);
        self.text.push_str("/>\n");
    }

    /// An element with text.
    pub fn text(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.start(name, attributes);
        let _ = writeln!(self.text, ">{}</{name}>", escaped(text));
    }

    /// A comment; two hyphens would end it.
    pub fn comment(&mut self, text: &str) {
        self.text.push_str(&"  ".repeat(self.depth));
        let text = escaped(text).replace("--", "- -");
        let _ = writeln!(self.text, "<!-- {text} -->");
    }

    pub fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_to_the_bit() {
        for value in [0.0, -0.0, 1.0, -1.5, 1e-300, 0.1 + 0.2, 6.02e23, std::f64::consts::PI, f64::MAX] {
            assert_eq!(number(value).parse::<f64>().unwrap(), value);
        }
        assert_eq!(number(-0.0), "0");
        assert_eq!(number(1e-12), "1e-12");
    }

    #[test]
    fn what_would_end_an_attribute_is_escaped() {
        let mut markup = Markup::new();
        markup.leaf("a", &[("name", "x\" <&>\n\u{1}")]);
        markup.comment("a -- b");
        let text = markup.finish();
        assert_eq!(text, "<a name=\"x&quot; &lt;&amp;&gt;  \"/>\n<!-- a - - b -->\n");
    }
}
