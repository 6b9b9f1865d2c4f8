//! Letters as outlines: how wide a text is, and its shape for pixels.

use super::scene::Point;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Units of the outlines to the em.
const EM: f64 = 2048.0;
/// What stands for a character that the table does not have.
const UNKNOWN: char = '?';
/// Straight pieces of a curve of a letter: at 40 pixels the eye sees no corner.
const PIECES: usize = 5;

struct Glyph {
    advance: f64,
    /// Closed outlines, y up.
    outlines: Vec<Vec<Point>>,
}

fn glyphs() -> &'static BTreeMap<char, Glyph> {
    static GLYPHS: OnceLock<BTreeMap<char, Glyph>> = OnceLock::new();
    GLYPHS.get_or_init(|| include_str!("glyphs.txt").lines().filter_map(glyph).collect())
}

/// A line of the table: code, advance, path of `M`, `L` and `Q`.
fn glyph(line: &str) -> Option<(char, Glyph)> {
    let mut parts = line.splitn(3, ' ');
    let letter = char::from_u32(u32::from_str_radix(parts.next()?, 16).ok()?)?;
    let advance = parts.next()?.parse().ok()?;
    let mut outlines: Vec<Vec<Point>> = Vec::new();
    let path = parts.next().unwrap_or("");
    let starts: Vec<usize> = path.match_indices(['M', 'L', 'Q']).map(|(at, _)| at).collect();
    for (k, &start) in starts.iter().enumerate() {
        let piece = &path[start..starts.get(k + 1).copied().unwrap_or(path.len())];
        let kind = piece.chars().next()?;
        let numbers: Vec<f64> = piece[1..].split(' ').filter_map(|n| n.parse().ok()).collect();
        match (kind, numbers.as_slice()) {
            ('M', &[x, y]) => outlines.push(vec![[x, y]]),
            ('L', &[x, y]) => outlines.last_mut()?.push([x, y]),
            ('Q', &[cx, cy, x, y]) => {
                let outline = outlines.last_mut()?;
                let &[x0, y0] = outline.last()?;
                for k in 1..=PIECES {
                    let t = k as f64 / PIECES as f64;
                    let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
                    outline.push([a * x0 + b * cx + c * x, a * y0 + b * cy + c * y]);
                }
            }
            _ => return None,
        }
    }
    Some((letter, Glyph { advance, outlines }))
}

fn find(letter: char) -> Option<&'static Glyph> {
    glyphs().get(&letter).or_else(|| glyphs().get(&UNKNOWN))
}

/// Width of a text \[pt\] in letters of this size \[pt\].
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().filter_map(find).map(|glyph| glyph.advance).sum::<f64>() * size / EM
}

/// The outlines of a text that begins at the origin, y down \[pt\].
pub(super) fn outlines(text: &str, size: f64) -> Vec<Vec<Point>> {
    let scale = size / EM;
    let mut x = 0.0;
    let mut all = Vec::new();
    for glyph in text.chars().filter_map(find) {
        let moved = |outline: &Vec<Point>| -> Vec<Point> {
            outline.iter().map(|[px, py]| [(x + px) * scale, -py * scale]).collect()
        };
        all.extend(glyph.outlines.iter().map(moved));
        x += glyph.advance;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_the_table_is_read() {
        let lines = include_str!("glyphs.txt").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(glyphs().len(), lines);
        // Two outlines: the letter and its hole.
        assert_eq!(glyphs()[&'o'].outlines.len(), 2);
        assert!(glyphs()[&' '].outlines.is_empty());
    }

    #[test]
    fn texts_have_the_width_of_the_font() {
        // DejaVu Sans: a digit is 1303 of 2048 units wide, so is no other than the next.
        assert_eq!(width("0", 2048.0), 1303.0);
        assert_eq!(width("12", 10.0), width("90", 10.0));
    }
}
