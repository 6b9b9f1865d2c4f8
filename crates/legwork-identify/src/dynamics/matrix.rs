//! Small dense matrices for least squares: what the estimation needs and no more.

/// Columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns(pub Vec<Vec<f64>>);

impl Columns {
    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.0.first().map_or(0, Vec::len)
    }

    /// How many columns it has.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// These columns only, in this order.
    #[must_use]
    pub fn picked(&self, places: &[usize]) -> Self {
        Self(places.iter().filter_map(|place| self.0.get(*place).cloned()).collect())
    }

    /// Sum of the columns times numbers.
    pub fn times(&self, numbers: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.rows()];
        for (column, number) in self.0.iter().zip(numbers) {
            add(&mut sum, *number, column);
        }
        sum
    }

    /// Columns with every row times a number of its own.
    #[must_use]
    pub fn weighted(&self, weights: &[f64]) -> Self {
        let column = |column: &Vec<f64>| column.iter().zip(weights).map(|(x, w)| x * w).collect();
        Self(self.0.iter().map(column).collect())
    }

    /// AᵀA
    pub fn gram(&self) -> Square {
        let n = self.count();
        let mut out = Square::zero(n);
        for i in 0..n {
            for j in 0..=i {
                let product = dot(&self.0[i], &self.0[j]);
                out.set(i, j, product);
                out.set(j, i, product);
            }
        }
        out
    }

    /// Singular values, largest first.
    pub fn singular_values(&self) -> Vec<f64> {
        if self.count() == 0 || self.rows() == 0 {
            return Vec::new();
        }
        let flat: Vec<f64> = self.0.iter().flatten().copied().collect();
        let matrix = nalgebra::DMatrix::from_column_slice(self.rows(), self.count(), &flat);
        // R has the singular values of the whole, and is small.
        let r = matrix.qr().r();
        let mut values: Vec<f64> = r.singular_values().iter().copied().collect();
        values.sort_by(|a, b| b.total_cmp(a));
        values
    }
}

/// a + s b
pub fn add(a: &mut [f64], s: f64, b: &[f64]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a += s * b;
    }
}

/// aᵀ b
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// √(aᵀ a)
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// A square matrix, by rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Square {
    size: usize,
    entries: Vec<f64>,
}

impl Square {
    /// Nothing but zeros.
    pub fn zero(size: usize) -> Self {
        Self { size, entries: vec![0.0; size * size] }
    }

    /// With these entries, by rows.
    pub fn from_rows(rows: &[Vec<f64>]) -> Self {
        Self { size: rows.len(), entries: rows.iter().flatten().copied().collect() }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// An entry; zero outside.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.entries.get(i * self.size + j).copied().unwrap_or(0.0)
    }

    /// Another entry.
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        if let Some(slot) = self.entries.get_mut(i * self.size + j) {
            *slot = value;
        }
    }

    /// A x
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        self.entries.chunks_exact(self.size.max(1)).map(|row| dot(row, x)).collect()
    }

    /// A B
    #[must_use]
    pub fn product(&self, other: &Self) -> Self {
        let mut out = Self::zero(self.size);
        for i in 0..self.size {
            for j in 0..self.size {
                out.set(i, j, (0..self.size).map(|k| self.at(i, k) * other.at(k, j)).sum());
            }
        }
        out
    }

    /// The inverse by Gauss with pivoting; `None` if a pivot is zero or no number.
    pub fn inverse(&self) -> Option<Self> {
        let n = self.size;
        let mut a = self.clone();
        let mut out = Self::zero(n);
        (0..n).for_each(|i| out.set(i, i, 1.0));
        for k in 0..n {
            let pivot = (k..n).max_by(|i, j| a.at(*i, k).abs().total_cmp(&a.at(*j, k).abs()))?;
            for j in 0..n {
                let (x, y) = (a.at(k, j), a.at(pivot, j));
                a.set(k, j, y);
                a.set(pivot, j, x);
                let (x, y) = (out.at(k, j), out.at(pivot, j));
                out.set(k, j, y);
                out.set(pivot, j, x);
            }
            let inverse = a.at(k, k).recip();
            if !inverse.is_finite() {
                return None;
            }
            for j in 0..n {
                a.set(k, j, a.at(k, j) * inverse);
                out.set(k, j, out.at(k, j) * inverse);
            }
            for i in (0..n).filter(|i| *i != k) {
                let factor = a.at(i, k);
                for j in 0..n {
                    a.set(i, j, a.at(i, j) - factor * a.at(k, j));
                    out.set(i, j, out.at(i, j) - factor * out.at(k, j));
                }
            }
        }
        Some(out)
    }
}

/// The least-squares solution of A x = y, and (AᵀA)⁻¹; `None` if columns depend on each other. Columns are scaled to
/// length one before, so that units do not matter.
pub fn least_squares(a: &Columns, y: &[f64]) -> Option<(Vec<f64>, Square)> {
    let sizes: Vec<f64> = a.0.iter().map(|column| norm(column)).collect();
    if sizes.iter().any(|size| !(size.is_finite() && *size > 0.0)) {
        return None;
    }
    let scaled = Columns(
        a.0.iter().zip(&sizes).map(|(column, size)| column.iter().map(|x| x / size).collect()).collect(),
    );
    let inverse = scaled.gram().inverse()?;
    let right: Vec<f64> = scaled.0.iter().map(|column| dot(column, y)).collect();
    let mut x = inverse.times(&right);
    // One step of refinement: the Gram matrix has the square of the condition.
    let mut rest = y.to_vec();
    for (column, x) in scaled.0.iter().zip(&x) {
        add(&mut rest, -x, column);
    }
    let right: Vec<f64> = scaled.0.iter().map(|column| dot(column, &rest)).collect();
    add(&mut x, 1.0, &inverse.times(&right));
    let n = sizes.len();
    let mut covariance = Square::zero(n);
    for i in 0..n {
        for j in 0..n {
            covariance.set(i, j, inverse.at(i, j) / (sizes[i] * sizes[j]));
        }
    }
    x.iter_mut().zip(&sizes).for_each(|(x, size)| *x /= size);
    x.iter().all(|x| x.is_finite()).then_some((x, covariance))
}
