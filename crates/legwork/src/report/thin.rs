//! Fewer rows of long recordings, without losing their peaks.

/// The rows to keep, rising, at most about `most`: the first and the last, and in each of equal
/// stretches between them those where a column is smallest or largest.
pub(super) fn rows_with_peaks(columns: &[&[f64]], rows: usize, most: usize) -> Vec<usize> {
    if rows <= most || columns.is_empty() {
        return (0..rows).collect();
    }
    let stretches = (most / (2 * columns.len())).max(1);
    let mut kept = vec![0, rows - 1];
    for k in 0..stretches {
        let (from, to) = (k * rows / stretches, (k + 1) * rows / stretches);
        for column in columns {
            let stretch = column.get(from..to.min(column.len())).unwrap_or(&[]);
            let by_size = |(_, a): &(usize, &f64), (_, b): &(usize, &f64)| a.total_cmp(b);
            let numbers = || stretch.iter().enumerate().filter(|(_, x)| !x.is_nan());
            let ends = [numbers().min_by(by_size), numbers().max_by(by_size)];
            kept.extend(ends.into_iter().flatten().map(|(place, _)| from + place));
            // A gap stays a gap.
            kept.extend(stretch.iter().position(|x| x.is_nan()).map(|place| from + place));
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// At most `most` rows, evenly, the first and the last among them.
pub(super) fn even_rows(rows: usize, most: usize) -> Vec<usize> {
    if rows <= most || most < 2 {
        return (0..rows).collect();
    }
    (0..most).map(|k| k * (rows - 1) / (most - 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_peak_among_many_rows_is_kept() {
        let mut flat = vec![0.0; 100_000];
        flat[61_803] = 7.0;
        flat[27_182] = -3.0;
        flat[50_000] = f64::NAN;
        let slope: Vec<f64> = (0..100_000).map(f64::from).collect();
        let kept = rows_with_peaks(&[&flat, &slope], flat.len(), 1000);
        for row in [0, 27_182, 50_000, 61_803, 99_999] {
            assert!(kept.contains(&row), "row {row}");
        }
        assert!(kept.len() <= 1003, "{}", kept.len()); // both ends and the gap come on top
        assert!(kept.is_sorted());
    }

    #[test]
    fn few_rows_are_all_kept() {
        assert_eq!(rows_with_peaks(&[&[1.0, 2.0]], 2, 10), [0, 1]);
        assert_eq!(even_rows(3, 10), [0, 1, 2]);
        assert_eq!(even_rows(11, 3), [0, 5, 10]);
    }
}
