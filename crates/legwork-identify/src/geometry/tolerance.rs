//! From the uncertainty of parameters to that of the platform, at any pose; beside a Monte-Carlo check.
//!
//! ```text
//! Σ_x = S Σ_p Sᵀ,   S = ∂x/∂p with the motors held                                  (1)
//! S'  = S − R (RᵀR)⁺ Rᵀ S                                                         (2)
//! ```
//!
//! Where the frame of the measurement was found together with the parameters, nobody knows where the robot's own frame is in the
//! machine, and it does not matter: errors count in the frame that fits best over the workspace (2), R the slopes of its six
//! components at all poses.

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

/// In which frame errors of the platform count.
#[derive(Clone, Debug, Default)]
pub struct Reference(Option<DMatrix<f64>>);

impl Reference {
    /// The robot's own.
    pub fn own() -> Self {
        Self(None)
    }

    /// The one that fits best over these places.
    pub fn best(model: &Model, values: &[f64], places: &[Place]) -> Self {
        let all: Vec<(DMatrix<f64>, DMatrix<f64>)> = places
            .iter()
            .filter_map(|place| Some((rigid(model, place), model.point_slopes(values, place)?)))
            .collect();
        let (lines, count) = (3 * all.len(), values.len());
        let (mut frames, mut slopes) = (DMatrix::zeros(lines, 6), DMatrix::zeros(lines, count));
        for (k, (frame, slope)) in all.iter().enumerate() {
            frames.rows_mut(3 * k, 3).copy_from(frame);
            slopes.rows_mut(3 * k, 3).copy_from(slope);
        }
        Self(frames.pseudo_inverse(1e-9).ok().map(|inverse| inverse * slopes))
    }

    /// By what the frame moves the platform point at a place, by each parameter.
    pub(super) fn slopes(&self, model: &Model, place: &Place) -> Option<DMatrix<f64>> {
        self.0.as_ref().map(|own| rigid(model, place) * own)
    }

    /// Ways of the platform point from place to place, less those of the frame that fits best.
    pub fn without_frame(&self, model: &Model, ways: &mut [(Place, legwork::V3<f64>)]) {
        if self.0.is_none() || ways.is_empty() {
            return;
        }
        let mut frames = DMatrix::zeros(3 * ways.len(), 6);
        let mut gaps = DMatrix::zeros(3 * ways.len(), 1);
        for (k, (place, way)) in ways.iter().enumerate() {
            frames.rows_mut(3 * k, 3).copy_from(&rigid(model, place));
            way.to_array().into_iter().enumerate().for_each(|(axis, x)| gaps[(3 * k + axis, 0)] = x);
        }
        let Ok(inverse) = frames.clone().pseudo_inverse(1e-9) else { return };
        let rest = &gaps - frames * (inverse * &gaps);
        for (k, (_, way)) in ways.iter_mut().enumerate() {
            *way = legwork::V3::new(rest[(3 * k, 0)], rest[(3 * k + 1, 0)], rest[(3 * k + 2, 0)]);
        }
    }
}

/// How the tool point moves with the six components of a frame's motion.
fn rigid(model: &Model, place: &Place) -> DMatrix<f64> {
    let [x, y, z] = model.to_user(&place.pose).position.to_array();
    DMatrix::from_row_slice(
        3,
        6,
        &[1.0, 0.0, 0.0, 0.0, z, -y, 0.0, 1.0, 0.0, -z, 0.0, x, 0.0, 0.0, 1.0, y, -x, 0.0],
    )
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
        reference: &Reference,
    ) -> Option<PoseTolerance> {
        let mut slopes = self.point_slopes(values, place)?;
        if let Some(frame) = reference.slopes(self, place) {
            slopes -= frame;
        }
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
        (place, reference): (&Place, &Reference),
        robots: usize,
        seed: u64,
    ) -> Option<f64> {
        let frame = reference.slopes(self, place);
        let built = self.built(values);
        let q = self.readings(&built, place);
        // What follows from the freedoms is elsewhere on the robot that was built.
        let near = self.pose(&built, &q, place)?;
        let eigen = SymmetricEigen::new(covariance.clone());
        let mut random = Random::new(seed);
        let here = self.to_user(&near.pose).position;
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
            let mut way = self.to_user(&found.pose).position - here;
            if let Some(frame) = &frame {
                let change = DMatrix::from_fn(drawn.len(), 1, |k, _| drawn[k] - values[k]);
                let by = frame * change;
                way = way - legwork::V3::new(by[(0, 0)], by[(1, 0)], by[(2, 0)]);
            }
            sum += way.norm_sq();
            count += 1.0;
        }
        (count > 0.0).then(|| (sum / count).sqrt())
    }
}
