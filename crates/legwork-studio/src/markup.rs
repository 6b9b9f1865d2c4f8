//! Text that is safe between tags and in attributes.

use legwork::text::printable_lines;
use std::fmt::Write;

/// The five characters that mean something to HTML and SVG; what is not seen and does something is shown.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable_lines(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// Places round numbers between two ends, about so many.
pub fn ticks([low, high]: [f64; 2], about: f64) -> Vec<f64> {
    let span = high - low;
    if !(span > 0.0 && span.is_finite()) {
        return vec![low];
    }
    let raw = span / about;
    let power = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0].into_iter().map(|k| k * power).find(|step| *step >= raw * 0.999);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil();
    let all = (0..64).map(|k| (first + f64::from(k)) * step);
    all.take_while(|x| *x <= high + 1e-9 * span).collect()
}

/// A number beside a tick.
pub fn short(x: f64) -> String {
    let size = x.abs();
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        return format!("{x:.2e}").replace(".00e", "e");
    }
    let text = format!("{x:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" || text.is_empty() { "0".into() } else { text.into() }
}

/// Adds formatted text; a string takes everything.
pub fn add(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}
