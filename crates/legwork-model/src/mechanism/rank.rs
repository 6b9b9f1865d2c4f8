//! Rank and null space of a matrix of any size, by complete pivoting.

/// What complete pivoting found.
#[derive(Clone, Debug)]
pub(super) struct Rank {
    /// How many rows are independent.
    pub rows: usize,
    /// Smallest pivot that counts; one if there is none.
    pub kept: f64,
    /// Largest entry that does not.
    pub dropped: f64,
    /// A basis of what the matrix maps to zero.
    pub null: Vec<Vec<f64>>,
}

/// Rows of equal length; each is divided by its own length first.
pub(super) fn rank(rows: &[Vec<f64>], columns: usize, tolerance: f64) -> Rank {
    let mut a: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| {
            let size = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            if size > 1e-12 { row.iter().map(|x| x / size).collect() } else { vec![0.0; columns] }
        })
        .collect();
    let mut order: Vec<usize> = (0..columns).collect();
    let mut rank = 0;
    let (mut kept, mut dropped) = (1.0_f64, 0.0);
    while rank < a.len().min(columns) {
        let (mut best, mut place) = (0.0, (rank, rank));
        for (i, row) in a.iter().enumerate().skip(rank) {
            for (j, x) in row.iter().enumerate().skip(rank) {
                // NaN is never larger: it is found by `kept` of the caller.
                if x.abs() > best {
                    (best, place) = (x.abs(), (i, j));
                }
            }
        }
        if best <= tolerance {
            dropped = best;
            break;
        }
        kept = kept.min(best);
        a.swap(rank, place.0);
        order.swap(rank, place.1);
        for row in &mut a {
            row.swap(rank, place.1);
        }
        let (done, below) = a.split_at_mut(rank + 1);
        let source = &done[rank];
        for row in below {
            let factor = row[rank] / source[rank];
            if factor != 0.0 {
                for (x, y) in row.iter_mut().zip(source).skip(rank) {
                    *x -= factor * y;
                }
            }
        }
        rank += 1;
    }
    let null = (rank..columns)
        .map(|free| {
            let mut x = vec![0.0; columns];
            x[free] = 1.0;
            for i in (0..rank).rev() {
                let sum: f64 = (i + 1..columns).map(|j| a[i][j] * x[j]).sum();
                x[i] = -sum / a[i][i];
            }
            let mut placed = vec![0.0; columns];
            for (value, column) in x.into_iter().zip(&order) {
                placed[*column] = value;
            }
            placed
        })
        .collect();
    Rank { rows: rank, kept, dropped, null }
}
