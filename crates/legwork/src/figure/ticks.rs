//! Round numbers along an axis.

/// Round numbers within a range, at most about `most` of them, and their texts.
pub(super) fn ticks(low: f64, high: f64, most: usize) -> Vec<(f64, String)> {
    let step = step((high - low) / most.max(1) as f64);
    if !(step.is_finite() && step > 0.0 && low.is_finite()) {
        return Vec::new();
    }
    let slack = 1e-9 * step;
    let first = ((low - slack) / step).ceil();
    let count = ((high + slack) / step).floor() - first;
    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    let count = count.clamp(-1.0, 100.0) as i64;
    (0..=count).map(|k| (first + k as f64) * step).map(|x| (x, label(x, step))).collect()
}

/// The next round number that is not less: 1, 2, 2.5 or 5 times a power of ten.
fn step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    let round = [1.0, 2.0, 2.5, 5.0, 10.0];
    round.into_iter().map(|r| r * power).find(|s| *s >= rough * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// A tick's number with as many decimals as the step needs.
fn label(x: f64, step: f64) -> String {
    let x = if x.abs() < 1e-9 * step { 0.0 } else { x };
    let text = if (1e-4..1e6).contains(&step) {
        let is_whole = |decimals: i32| {
            let scaled = step * 10_f64.powi(decimals);
            (scaled - scaled.round()).abs() < 1e-6
        };
        let decimals = (0..8).find(|d| is_whole(*d)).unwrap_or(8);
        format!("{x:.*}", usize::try_from(decimals).unwrap_or(0))
    } else {
        format!("{x:.2e}")
    };
    text.replace('-', "−")
}

/// A number for a colour bar or a note: three digits.
pub(super) fn three_digits(x: f64) -> String {
    let size = x.abs();
    let text = if x == 0.0 {
        "0".into()
    } else if !(1e-3..1e5).contains(&size) {
        format!("{x:.2e}")
    } else {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 5")]
        let decimals = (2.0 - size.log10().floor()).clamp(0.0, 5.0) as usize;
        format!("{x:.decimals$}")
    };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(low: f64, high: f64, most: usize) -> String {
        ticks(low, high, most).into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(texts(-250.0, 250.0, 5), "−200 −100 0 100 200");
        assert_eq!(texts(0.031, 0.0642, 5), "0.04 0.05 0.06");
        assert_eq!(texts(0.0, 1.0, 4), "0.00 0.25 0.50 0.75 1.00");
        assert_eq!(texts(1.0, 1.0, 4), "");
        assert_eq!(texts(f64::NAN, 1.0, 4), "");
    }

    #[test]
    fn numbers_alone_have_three_digits() {
        assert_eq!([0.0, 0.031_02, 1234.5, -2.0].map(three_digits), ["0", "0.0310", "1234", "−2.00"]);
    }
}
