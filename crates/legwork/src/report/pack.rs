//! Many numbers as text: little-endian floats in base64. A quarter of the size of decimals, exact to the bit.

use serde_json::{Value, json};

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base64 with padding.
pub fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |k: usize| u32::from(chunk.get(k).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * k) & 63) as usize];
            text.push(if k > chunk.len() { '=' } else { char::from(digit) });
        }
    }
    text
}

/// In double precision, `{"f64": "..."}`: axes, where small differences of large numbers count.
pub fn doubles(numbers: &[f64]) -> Value {
    let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    json!({ "f64": base64(&bytes) })
}

/// In single precision, which no screen can tell from double.
#[allow(clippy::cast_possible_truncation)] // that is what it does
pub(super) fn singles(numbers: impl IntoIterator<Item = f64>) -> Value {
    let bytes: Vec<u8> = numbers.into_iter().flat_map(|x| (x as f32).to_le_bytes()).collect();
    json!({ "f32": base64(&bytes) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of RFC 4648, section 10.
    #[test]
    fn base64_of_the_standard() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn numbers_are_little_endian() {
        // 1.0 is 3ff0 0000 0000 0000, as a single 3f80 0000.
        assert_eq!(doubles(&[1.0])["f64"], "AAAAAAAA8D8=");
        assert_eq!(singles([1.0])["f32"], "AACAPw==");
    }
}
