//! Colours that readers with any kind of colour vision can tell apart.

/// Red, green and blue, 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    pub(super) const INK: Self = Self(34, 34, 34);
    pub(super) const GREY: Self = Self(128, 128, 128);
    pub(super) const GRID: Self = Self(228, 228, 228);
    pub(super) const PAPER: Self = Self(255, 255, 255);
    /// A cell without a value: in neither of the scales.
    pub(super) const NOTHING: Self = Self(190, 190, 190);
    /// A cell that nobody has computed.
    pub(super) const NOT_COMPUTED: Self = Self(90, 90, 90);

    /// `#rrggbb`
    pub(super) fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// The colour of the n-th line: Okabe and Ito's set, dark ones first, yellow left out.
    pub fn of_line(number: usize) -> Self {
        OKABE_ITO[number % OKABE_ITO.len()]
    }
}

const OKABE_ITO: [Color; 7] = [
    Color(0, 114, 178),
    Color(213, 94, 0),
    Color(0, 158, 115),
    Color(204, 121, 167),
    Color(86, 180, 233),
    Color(230, 159, 0),
    Color(0, 0, 0),
];

/// How a number becomes a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorMap {
    /// Dark to light, equal steps look equal: viridis.
    Sequential,
    /// Two hues with white at zero, for numbers with a sign: blue to red.
    Diverging,
}

#[rustfmt::skip]
const VIRIDIS: [Color; 17] = [
    Color(68, 1, 84), Color(72, 24, 106), Color(71, 45, 123), Color(66, 64, 134), Color(59, 82, 139),
    Color(51, 99, 141), Color(44, 114, 142), Color(38, 130, 142), Color(33, 145, 140), Color(31, 160, 136),
    Color(40, 174, 128), Color(63, 188, 115), Color(94, 201, 98), Color(132, 212, 75), Color(173, 220, 48),
    Color(216, 226, 25), Color(253, 231, 37),
];

#[rustfmt::skip]
const BLUE_RED: [Color; 17] = [
    Color(5, 48, 97), Color(23, 82, 144), Color(42, 113, 178), Color(63, 142, 192), Color(107, 172, 209),
    Color(155, 201, 224), Color(194, 221, 236), Color(224, 236, 243), Color(247, 246, 246), Color(251, 229, 216),
    Color(251, 204, 180), Color(245, 170, 137), Color(228, 128, 102), Color(208, 85, 72), Color(186, 40, 50),
    Color(147, 14, 38), Color(103, 0, 31),
];

impl ColorMap {
    /// The colour at a share of the scale, 0 to 1.
    pub fn at(self, share: f64) -> Color {
        let stops = match self {
            Self::Sequential => &VIRIDIS,
            Self::Diverging => &BLUE_RED,
        };
        let last = stops.len() - 1;
        let place = share.clamp(0.0, 1.0) * last as f64;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 16")]
        let low = (place.floor() as usize).min(last - 1);
        let t = place - low as f64;
        let (a, b) = (stops[low], stops[low + 1]);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 255")]
        let mix = |a: u8, b: u8| (f64::from(a) * (1.0 - t) + f64::from(b) * t).round() as u8;
        Color(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, WCAG.
    fn luminance(Color(r, g, b): Color) -> f64 {
        let linear = |c: u8| (f64::from(c) / 255.0).powf(2.2);
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    }

    #[test]
    fn a_sequential_scale_gets_lighter_all_the_way() {
        let shades: Vec<f64> =
            (0..=64).map(|k| luminance(ColorMap::Sequential.at(f64::from(k) / 64.0))).collect();
        assert!(shades.windows(2).all(|pair| pair[1] > pair[0]));
    }

    #[test]
    fn a_diverging_scale_is_lightest_in_the_middle() {
        let at = |share: f64| luminance(ColorMap::Diverging.at(share));
        assert!(at(0.5) > 0.85 && at(0.0) < 0.1 && at(1.0) < 0.1);
        assert!((0..8).all(|k| at(f64::from(k) / 16.0) < at(f64::from(k + 1) / 16.0)));
    }
}
