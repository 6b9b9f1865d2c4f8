//! Comparisons that a NaN cannot pass: `f64::max` and `f64::min` drop it, these keep it. A test of the library's
//! sources forbids the dropping ones in tests.

use std::borrow::Borrow;

/// The larger one; NaN if either is.
pub fn nan_max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// The smaller one; NaN if either is.
pub fn nan_min(a: f64, b: f64) -> f64 {
    -nan_max(-a, -b)
}

/// The largest number without its sign, 0 of none; NaN if one is.
pub fn largest(values: impl IntoIterator<Item = impl Borrow<f64>>) -> f64 {
    values.into_iter().fold(0.0, |most, x| nan_max(most, x.borrow().abs()))
}

/// The highest number with its sign, −∞ of none; NaN if one is.
pub fn highest(values: impl IntoIterator<Item = impl Borrow<f64>>) -> f64 {
    values.into_iter().fold(f64::NEG_INFINITY, |most, x| nan_max(most, *x.borrow()))
}

/// The lowest number with its sign, ∞ of none; NaN if one is.
pub fn lowest(values: impl IntoIterator<Item = impl Borrow<f64>>) -> f64 {
    values.into_iter().fold(f64::INFINITY, |least, x| nan_min(least, *x.borrow()))
}

/// Largest |a − b| over two lists; NaN anywhere gives NaN.
///
/// # Panics
/// If the lengths differ.
pub fn gap(
    a: impl IntoIterator<Item = impl Borrow<f64>>,
    b: impl IntoIterator<Item = impl Borrow<f64>>,
) -> f64 {
    let list = |x: &mut dyn Iterator<Item = f64>| x.collect::<Vec<f64>>();
    let a = list(&mut a.into_iter().map(|x| *x.borrow()));
    let b = list(&mut b.into_iter().map(|x| *x.borrow()));
    assert_eq!(a.len(), b.len());
    largest(a.iter().zip(&b).map(|(a, b)| a - b))
}

/// Largest difference over the largest component of `reference`: the relative
/// error used throughout. NaN anywhere gives NaN, which fails every `<`.
///
/// # Panics
/// If the lengths differ.
pub fn relative_error(found: &[f64], reference: &[f64]) -> f64 {
    relative_error_above(found, reference, f64::MIN_POSITIVE)
}

/// The same over `floor` if the reference is smaller than that.
///
/// # Panics
/// If the lengths differ.
pub fn relative_error_above(found: &[f64], reference: &[f64], floor: f64) -> f64 {
    let worst = gap(found, reference);
    let scale = nan_max(floor, largest(reference));
    if worst == 0.0 && !scale.is_nan() { 0.0 } else { worst / scale }
}

/// The worst of many errors. A NaN stays, and no error at all is NaN too: a loop that judged nothing proves nothing.
#[derive(Clone, Copy, Debug)]
pub struct Worst {
    name: &'static str,
    seen: Option<f64>,
}

impl Worst {
    /// Nothing seen yet.
    pub const fn of(name: &'static str) -> Self {
        Self { name, seen: None }
    }

    /// One more error, without its sign.
    pub fn see(&mut self, error: f64) {
        self.seen = Some(nan_max(self.seen.unwrap_or(0.0), error.abs()));
    }

    /// The largest error; NaN if one was, or if there was none.
    pub fn value(&self) -> f64 {
        self.seen.unwrap_or(f64::NAN)
    }

    /// Holds the worst error below a limit.
    ///
    /// # Panics
    /// If it is not below, is NaN, or nothing was judged.
    #[track_caller]
    pub fn below(self, limit: f64) {
        let Self { name, seen } = self;
        let worst = seen.unwrap_or_else(|| panic!("{name}: nothing was judged"));
        println!("{name}: worst {worst:.2e}, limit {limit:.0e}");
        assert!(worst < limit, "{name}: {worst:.3e} is not below {limit:.0e}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    /// Whether a comparison lets numbers pass that it must not: a NaN first, in the middle, or last.
    fn planted() -> [[f64; 3]; 3] {
        [0, 1, 2].map(|place| {
            let mut list = [1.0, 2.0, 3.0];
            list[place] = f64::NAN;
            list
        })
    }

    #[test]
    fn a_nan_passes_no_comparison() {
        let good = [1.0, 2.0, 3.0];
        for bad in planted() {
            assert!(largest(bad).is_nan() && highest(bad).is_nan() && lowest(bad).is_nan(), "{bad:?}");
            for (found, reference) in [(bad, good), (good, bad), (bad, bad)] {
                assert!(gap(found, reference).is_nan(), "{found:?} {reference:?}");
                assert!(relative_error(&found, &reference).is_nan(), "{found:?} {reference:?}");
                assert!(relative_error_above(&found, &reference, 10.0).is_nan(), "{found:?} {reference:?}");
            }
            let mut worst = Worst::of("planted");
            bad.into_iter().for_each(|x| worst.see(x));
            assert!(
                worst.value().is_nan() && catch_unwind(|| worst.below(f64::INFINITY)).is_err(),
                "{bad:?}"
            );
        }
        for (a, b) in [(f64::NAN, 1.0), (1.0, f64::NAN), (f64::NAN, f64::NAN)] {
            assert!(nan_max(a, b).is_nan() && nan_min(a, b).is_nan());
        }
    }

    #[test]
    fn an_infinite_number_passes_no_comparison() {
        let good = [1.0, 2.0, 3.0];
        for infinity in [f64::INFINITY, f64::NEG_INFINITY] {
            let bad = [1.0, infinity, 3.0];
            for (found, reference) in [(bad, good), (good, bad), (bad, bad)] {
                let error = relative_error(&found, &reference);
                assert!(error.is_nan() || error == f64::INFINITY, "{found:?} {reference:?}: {error}");
            }
        }
    }

    #[test]
    fn nothing_judged_is_no_proof() {
        let worst = Worst::of("nothing");
        assert!(worst.value().is_nan() && catch_unwind(|| worst.below(1.0)).is_err());
    }

    #[test]
    fn numbers_are_what_they_are() {
        assert_eq!((nan_max(1.0, -2.0), nan_min(1.0, -2.0)), (1.0, -2.0));
        assert_eq!((largest([1.0, -2.0]), highest([1.0, -2.0]), lowest([1.0, -2.0])), (2.0, 1.0, -2.0));
        assert_eq!((gap([1.0, 2.0], [1.5, 4.0]), relative_error(&[1.0, 2.0], &[1.5, 4.0])), (2.0, 0.5));
        assert_eq!(relative_error_above(&[1.0], &[3.0], 8.0), 0.25);
        let mut worst = Worst::of("numbers");
        [0.1, -0.3, 0.2].into_iter().for_each(|x| worst.see(x));
        assert_eq!(worst.value(), 0.3);
        worst.below(0.31);
        assert!(catch_unwind(|| worst.below(0.3)).is_err());
    }
}
