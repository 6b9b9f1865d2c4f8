//! A number of ours beside the one that was expected, and claims that hold or not.

use std::fmt;

/// Who gave the number that ours is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// It is printed in the paper.
    Paper,
    /// The paper prints no number; an independent program worked it out under the same conditions.
    Independent,
    /// It follows from the mathematics: rounding, counts.
    Theory,
}

impl Source {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Paper, Self::Independent, Self::Theory];

    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Independent => "independent program",
            Self::Theory => "theory",
        }
    }
}

/// What a number should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// A value, with the tolerance that its digits allow.
    Near {
        /// As printed.
        value: f64,
        /// How far from it still agrees.
        tolerance: f64,
    },
    /// Not more than this.
    AtMost(f64),
    /// Not less than this.
    AtLeast(f64),
    /// Between two numbers, because no more than a size is known.
    Within(f64, f64),
    /// Nothing to compare with.
    Open,
}

impl Expected {
    /// A printed number: one unit of its last digit, since printed digits are rounded or cut off.
    ///
    /// ```
    /// use legwork_reproduce::Expected;
    /// assert!(Expected::printed("2.07").agrees(2.0651));
    /// assert!(!Expected::printed("2.07").agrees(2.085));
    /// ```
    pub fn printed(text: &str) -> Self {
        let value = text.replace('−', "-").parse().unwrap_or(f64::NAN);
        let digits = text.split_once('.').map_or(0, |(_, after)| after.len());
        let tolerance = 10_f64.powi(-i32::try_from(digits).unwrap_or(0)) * (1.0 + 1e-9);
        Self::Near { value, tolerance }
    }

    /// An exact count.
    pub fn count(count: u32) -> Self {
        Self::Near { value: f64::from(count), tolerance: 0.0 }
    }

    /// "Of the same size": up to this factor more or less.
    pub fn size(value: f64, factor: f64) -> Self {
        Self::Within(value / factor, value * factor)
    }

    /// Whether a number is as expected; NaN never is.
    pub fn agrees(&self, found: f64) -> bool {
        match *self {
            Self::Near { value, tolerance } => (found - value).abs() <= tolerance,
            Self::AtMost(most) => found <= most,
            Self::AtLeast(least) => found >= least,
            Self::Within(low, high) => (low..=high).contains(&found),
            Self::Open => found.is_finite(),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Near { value, tolerance: 0.0 } => write!(f, "{}", plain(value)),
            Self::Near { value, tolerance } => {
                // As many decimals as the tolerance has.
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 12")]
                let decimals = (-tolerance.log10()).ceil().clamp(0.0, 12.0) as usize;
                write!(f, "{value:.decimals$} ± {}", plain(tolerance))
            }
            Self::AtMost(most) => write!(f, "≤ {}", plain(most)),
            Self::AtLeast(least) => write!(f, "≥ {}", plain(least)),
            Self::Within(low, high) => write!(f, "{} … {}", plain(low), plain(high)),
            Self::Open => f.write_str("–"),
        }
    }
}

/// Up to four digits, without zeros at the end.
pub(crate) fn plain(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".into() } else { x.to_string() };
    }
    if !(1e-3..1e5).contains(&size) {
        let text = format!("{x:.2e}");
        return text.replace(".00e", "e");
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 6")]
    let decimals = (3.0 - size.log10().floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{x:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// A number of ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// What it is.
    pub what: String,
    /// Its unit; empty for a plain number.
    pub unit: String,
    /// What we find.
    pub found: f64,
    /// What it should be.
    pub expected: Expected,
    /// Who says so.
    pub source: Source,
    /// Why ours is known to differ, if it is.
    pub difference: Option<&'static str>,
}

impl Number {
    /// Whether there is something to compare with. What is not compared is context.
    pub fn is_compared(&self) -> bool {
        self.expected != Expected::Open
    }

    /// Whether ours is as expected.
    pub fn agrees(&self) -> bool {
        self.expected.agrees(self.found)
    }

    /// Ours, with as many decimals as the expected one and one more.
    pub fn shown(&self) -> String {
        match self.expected {
            Expected::Near { tolerance, .. } if tolerance > 0.0 && self.found.is_finite() => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 12")]
                let decimals = (1.0 - tolerance.log10()).ceil().clamp(0.0, 12.0) as usize;
                let text = format!("{:.decimals$}", self.found);
                text.replace("-0.0000", "0.0000")
            }
            _ => plain(self.found),
        }
    }
}

/// Something that holds or does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What.
    pub what: String,
    /// Whether we find so.
    pub holds: bool,
    /// Who says so.
    pub source: Source,
    /// Why it is known not to hold, if it does not.
    pub difference: Option<&'static str>,
}

/// How many numbers and claims of one source agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Who says what they should be.
    pub source: Source,
    /// How many agree.
    pub agree: usize,
    /// Of how many.
    pub all: usize,
}
