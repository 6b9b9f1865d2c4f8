//! Pixels as PNG: eight bits of red, green and blue, deflated.

use miniz_oxide::deflate::compress_to_vec_zlib;

/// Deflate's usual trade of time for size.
const LEVEL: u8 = 6;

/// An image of this width, `pixels` as red, green, blue from the top left.
pub(super) fn write(width: usize, pixels: &[u8]) -> Vec<u8> {
    let stride = 3 * width.max(1);
    let height = pixels.len() / stride;
    // Each row begins with its filter: "sub", the difference to the pixel on the left.
    let mut raw = Vec::with_capacity(pixels.len() + height);
    for row in pixels.chunks_exact(stride) {
        raw.push(1);
        raw.extend(row.iter().enumerate().map(|(k, byte)| {
            let left = if k >= 3 { row[k - 3] } else { 0 };
            byte.wrapping_sub(left)
        }));
    }
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let size = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_be_bytes();
    let mut header = [size(width), size(height)].concat();
    // Eight bits, true colour, deflate, the one filter method, not interlaced.
    header.extend([8, 2, 0, 0, 0]);
    chunk(&mut out, *b"IHDR", &header);
    chunk(&mut out, *b"IDAT", &compress_to_vec_zlib(&raw, LEVEL));
    chunk(&mut out, *b"IEND", &[]);
    out
}

fn chunk(out: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    out.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
    let start = out.len();
    out.extend(name);
    out.extend(data);
    let sum = crc32fast::hash(&out[start..]);
    out.extend(sum.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_inflates_to_the_pixels() {
        let pixels: Vec<u8> = (0..2 * 3 * 3).map(|k| k * 11).collect();
        let file = write(2, &pixels);
        assert_eq!(&file[16..24], &[0, 0, 0, 2, 0, 0, 0, 3]);
        let length = u32::from_be_bytes([file[33], file[34], file[35], file[36]]) as usize;
        let raw = miniz_oxide::inflate::decompress_to_vec_zlib(&file[41..41 + length]).unwrap();
        let mut back = Vec::new();
        for row in raw.chunks(7) {
            assert_eq!(row[0], 1);
            for k in 0..6 {
                let left = if k >= 3 { back[back.len() - 3] } else { 0_u8 };
                back.push(row[k + 1].wrapping_add(left));
            }
        }
        assert_eq!(back, pixels);
    }
}
