//! A picture as SVG, written for small files: cells go in as one embedded image.

use super::color::Color;
use super::png;
use super::scene::{Anchor, Point, Scene, Shape};
use crate::text::printable;
use std::fmt::Write;

/// DejaVu Sans has the widths that the layout reckons with; Verdana is its sister.
const FONT: &str = "DejaVu Sans,Verdana,Geneva,sans-serif";

pub(super) fn write(scene: &Scene) -> String {
    let [w, h] = scene.size.map(short);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
         font-family=\"{FONT}\">\n<rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>\n",
        Color::PAPER.hex()
    );
    for shape in &scene.shapes {
        element(&mut out, shape);
    }
    out.push_str("</svg>\n");
    out
}

/// Two decimals are a hundredth of a point.
fn short(x: f64) -> String {
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

fn list(points: &[Point]) -> String {
    points.iter().map(|[x, y]| format!("{},{}", short(*x), short(*y))).collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Writing to a text cannot fail.
fn element(out: &mut String, shape: &Shape) {
    let _ = match shape {
        Shape::Fill { points, color, opacity } => {
            let faint = if *opacity < 1.0 { format!(" opacity=\"{opacity}\"") } else { String::new() };
            writeln!(out, "<polygon points=\"{}\" fill=\"{}\"{faint}/>", list(points), color.hex())
        }
        Shape::Stroke { points, color, width, dash } => {
            let dashed = dash.map_or(String::new(), |dash| format!(" stroke-dasharray=\"{}\"", short(dash)));
            writeln!(
                out,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" \
                 stroke-linejoin=\"round\"{dashed}/>",
                list(points),
                color.hex(),
                short(*width)
            )
        }
        Shape::Dot { centre: [x, y], radius, color, opacity } => {
            let faint = if *opacity < 1.0 { format!(" opacity=\"{opacity}\"") } else { String::new() };
            let (x, y, r) = (short(*x), short(*y), short(*radius));
            writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{}\"{faint}/>", color.hex())
        }
        Shape::Text { at: [x, y], text, size, anchor, up, color } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let (x, y) = (short(*x), short(*y));
            let turned = if *up { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
            writeln!(
                out,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{}\"{anchor}{turned}>{}</text>",
                short(*size),
                color.hex(),
                escaped(text)
            )
        }
        Shape::Cells { at: [x, y], size: [w, h], columns, colors } => {
            let pixels: Vec<u8> = colors.iter().flat_map(|c| [c.0, c.1, c.2]).collect();
            let image = base64(&png::write(*columns, &pixels));
            let [x, y, w, h] = [x, y, w, h].map(|number| short(*number));
            writeln!(
                out,
                "<image x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" preserveAspectRatio=\"none\" \
                 style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{image}\"/>"
            )
        }
    };
}

/// RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, byte| (bits << 8) | u32::from(*byte));
        let bits = bits << (8 * (3 - three.len()));
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k)) as usize & 63];
            text.push(if k <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_as_in_the_rfc() {
        for (plain, coded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn signs_of_markup_in_a_text_are_escaped() {
        assert_eq!(escaped("a < b & c"), "a &lt; b &amp; c");
    }
}
