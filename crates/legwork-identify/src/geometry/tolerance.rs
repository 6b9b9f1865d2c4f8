//! From the uncertainty of parameters to that of the platform, at any pose; beside a Monte-Carlo check.
//!
//! ```text
//! Σ_x = S Σ_p Sᵀ,   S = ∂x/∂p with the motors held                                  (1)
//! ```

use super::model::{Model, Place};
use legwork::random::Random;
use nalgebra::{DMatrix, Matrix3, SymmetricEigen};

/// How sure the place of the tool point is at one pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseTolerance {
    /// Root of the trace of the covariance of its position \[m\].
    pub total: f64,
    /// Standard deviation along the worst direction \[m\].
    pub worst: f64,
    /// That direction, robot's axes.
    pub direction: [f64; 3],
    /// Covariance of its position \[m²\].
    pub covariance: [[f64; 3]; 3],
}

impl Model {
    /// Slopes of the tool point by the parameters, robot's axes \[m per m or rad\].
    pub fn point_slopes(&self, values: &[f64], place: &Place) -> Option<DMatrix<f64>> {
        let platform = self.slopes(&self.built(values), values, place)?.platform;
        let turn = self.drawn.base.rotation;
        let arm = turn * (place.pose.rotation * self.drawn.tool.position);
        let mut point = DMatrix::zeros(3, platform.ncols());
        for k in 0..platform.ncols() {
            let six = platform.column(k);
            let shift = turn * legwork::V3::new(six[0], six[1], six[2]);
            let omega = turn * legwork::V3::new(six[3], six[4], six[5]);
            for (row, x) in (shift + omega.cross(arm)).to_array().into_iter().enumerate() {
                point[(row, k)] = x;
            }
        }
        Some(point)
    }

    /// (1) at a pose.
    pub fn tolerance(
        &self,
        values: &[f64],
        covariance: &DMatrix<f64>,
        place: &Place,
    ) -> Option<PoseTolerance> {
        let slopes = self.point_slopes(values, place)?;
        let sigma = &slopes * covariance * slopes.transpose();
        let three = Matrix3::from_fn(|i, j| 0.5 * (sigma[(i, j)] + sigma[(j, i)]));
        let eigen = SymmetricEigen::new(three);
        let most = eigen.eigenvalues.imax();
        let v = eigen.eigenvectors.column(most);
        Some(PoseTolerance {
            total: three.trace().max(0.0).sqrt(),
            worst: eigen.eigenvalues[most].max(0.0).sqrt(),
            direction: [v[0], v[1], v[2]],
            covariance: std::array::from_fn(|i| std::array::from_fn(|j| three[(i, j)])),
        })
    }

    /// The same by so many robots drawn at random from the covariance: the judge of (1). The root of the trace \[m\].
    pub fn tolerance_by_chance(
        &self,
        values: &[f64],
        covariance: &DMatrix<f64>,
        place: &Place,
        robots: usize,
        seed: u64,
    ) -> Option<f64> {
        let q = self.readings(&self.built(values), place);
        let eigen = SymmetricEigen::new(covariance.clone());
        let mut random = Random::new(seed);
        let here = self.to_user(&place.pose).position;
        let (mut sum, mut count) = (0.0, 0.0);
        for _ in 0..robots {
            let mut drawn = values.to_vec();
            for (k, variance) in eigen.eigenvalues.iter().enumerate() {
                let size = variance.max(0.0).sqrt() * random.normal();
                for (slot, part) in drawn.iter_mut().zip(eigen.eigenvectors.column(k).iter()) {
                    *slot += size * part;
                }
            }
            let Some(found) = self.pose(&self.built(&drawn), &q, place) else { continue };
            sum += (self.to_user(&found.pose).position - here).norm_sq();
            count += 1.0;
        }
        (count > 0.0).then(|| (sum / count).sqrt())
    }
}
