//! Numbers as text, and back to the same bits.

use std::fmt::Write;

/// Bits of the fraction of a NaN, without the one that makes it quiet.
const PAYLOAD: u64 = (1 << 51) - 1;
const QUIET: u64 = 1 << 51;
const NAN: u64 = 0x7FF0_0000_0000_0000;
const SIGN: u64 = 1 << 63;

/// Appends a number: the shortest that reads back the same. A NaN has its sign, and its
/// bits if they are not the ordinary ones.
pub(super) fn push(value: f64, text: &mut String) {
    // Writing to a string cannot fail.
    let _ = if value.is_nan() {
        let bits = value.to_bits();
        let sign = if bits & SIGN == 0 { "" } else { "-" };
        if bits & (QUIET | PAYLOAD) == QUIET {
            write!(text, "{sign}NaN")
        } else {
            write!(text, "{sign}NaN(0x{:x})", bits & (QUIET | PAYLOAD))
        }
    } else {
        write!(text, "{value:?}")
    };
}

/// The number of a cell.
pub(super) fn parse(cell: &str) -> Option<f64> {
    let cell = cell.trim();
    let (sign, unsigned) = cell.strip_prefix('-').map_or((0, cell), |rest| (SIGN, rest));
    if unsigned.eq_ignore_ascii_case("nan") {
        return Some(f64::from_bits(sign | NAN | QUIET));
    }
    if let Some(bits) = unsigned.strip_prefix("NaN(0x").and_then(|rest| rest.strip_suffix(')')) {
        let bits = u64::from_str_radix(bits, 16).ok().filter(|bits| *bits > 0 && *bits <= QUIET | PAYLOAD)?;
        return Some(f64::from_bits(sign | NAN | bits));
    }
    cell.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{NAN, parse, push};

    #[test]
    fn numbers_are_short_and_read_back_to_the_bit() {
        let texts = [
            (0.1, "0.1"),
            (-0.0, "-0.0"),
            (1e300, "1e300"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e308"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::from_bits(NAN | 1 << 51), "NaN"),
            (f64::from_bits(1 << 63 | NAN | 1 << 51), "-NaN"),
            (f64::from_bits(NAN | 1), "NaN(0x1)"),
        ];
        for (value, expected) in texts {
            let mut text = String::new();
            push(value, &mut text);
            assert_eq!(text, expected);
            assert_eq!(parse(&text).map(f64::to_bits), Some(value.to_bits()), "{text}");
        }
        assert_eq!(parse(" 1e3 "), Some(1000.0));
        for text in ["", "x", "1,0", "NaN(0x0)", "NaN(0x10000000000000)", "0x10"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
