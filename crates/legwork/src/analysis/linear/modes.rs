//! Modes: how the robot moves at each pole, in numbers and in words.

use super::{DMatrix, LinearError, Pole, Reduced};
use nalgebra::Complex;

/// One mode: a pole, or a pair, or several in one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// The pole; of a pair the one with positive frequency.
    pub pole: Pole,
    /// How often it is there: twice for the lateral motions of a robot of threefold symmetry.
    pub times: usize,
    /// Shapes, one for each time: change of the actuated joints, the largest 1 \[rad or m\].
    pub motors: Vec<Vec<f64>>,
    /// The same motions of the platform, rotations times the size of the platform, the largest 1 \[m\].
    pub platform: Vec<Vec<f64>>,
    /// Share of each freedom in the motion of the platform; they add up to 1.
    pub shares: Vec<f64>,
    /// Whether all parts move in step; else only the part in step with the largest is in the shape.
    pub in_step: bool,
    /// What moves.
    pub words: String,
}

/// Poles closer than this, relative to their size, are in one place.
const SAME: f64 = 1e-6;

impl Reduced {
    /// The modes, least stable first: null vectors of M s² + D s + K at each pole.
    pub fn modes(&self) -> Result<Vec<Mode>, LinearError> {
        let poles = self.poles()?;
        let scale = poles.iter().fold(0.0, |most: f64, pole| most.max(pole.natural_frequency()));
        let mut rest: Vec<Pole> = poles.into_iter().filter(|pole| !pole.is_conjugate()).collect();
        let mut modes = Vec::new();
        while let Some(pole) = rest.first().copied() {
            let near = SAME * pole.natural_frequency().max(1e-3 * scale);
            let before = rest.len();
            rest.retain(|other| other.distance(&pole) > near);
            let times = before - rest.len();
            modes.push(self.mode(pole, times.max(1)));
        }
        Ok(modes)
    }

    fn mode(&self, pole: Pole, times: usize) -> Mode {
        let s = Complex::new(pole.re, pole.im);
        let complex = |m: &DMatrix<f64>| m.map(|x| Complex::new(x, 0.0));
        let pencil = complex(&self.mass) * (s * s) + complex(&self.damping) * s + complex(&self.stiffness);
        let n = self.order();
        let svd = pencil.svd(false, true);
        // At s = 0 with K = 0 every direction is one.
        let times_shown = times.min(n);
        let vectors: Vec<Vec<Complex<f64>>> = svd.v_t.map_or(Vec::new(), |vt| {
            (n - times_shown..n).map(|k| vt.row(k).iter().map(Complex::conj).collect()).collect()
        });
        let mut in_step = true;
        let mut shapes: Vec<DMatrix<f64>> = Vec::new();
        for vector in &vectors {
            let largest = vector.iter().max_by(|a, b| a.norm().total_cmp(&b.norm())).copied();
            let turn = largest.map_or(Complex::new(1.0, 0.0), |z| z.conj() / z.norm().max(f64::MIN_POSITIVE));
            let turned: Vec<Complex<f64>> = vector.iter().map(|z| z * turn).collect();
            in_step &= turned.iter().all(|z| z.im.abs() < 1e-2);
            shapes.push(DMatrix::from_fn(n, 1, |i, _| turned[i].re));
        }
        let sizes: Vec<f64> = self.freedoms.iter().map(|f| if f.turns() { self.size } else { 1.0 }).collect();
        let motors: Vec<Vec<f64>> =
            shapes.iter().map(|shape| largest_one(&(&self.to_joints * shape), &[])).collect();
        let platform: Vec<Vec<f64>> =
            shapes.iter().map(|shape| largest_one(&(&self.to_platform * shape), &sizes)).collect();
        let mut shares: Vec<f64> = (0..self.freedoms.len())
            .map(|i| platform.iter().map(|shape| unit_share(shape, i)).sum())
            .collect();
        let sum: f64 = shares.iter().sum();
        for share in &mut shares {
            *share /= sum.max(f64::MIN_POSITIVE);
        }
        let words = self.words(&shares, &motors, times);
        Mode { pole, times, motors, platform, shares, in_step, words }
    }

    /// "the platform moves along z; all motors alike"
    fn words(&self, shares: &[f64], motors: &[Vec<f64>], times: usize) -> String {
        let list = |turns: bool| -> Vec<&str> {
            let own =
                self.freedoms.iter().zip(shares).filter(|(f, share)| f.turns() == turns && **share > 0.05);
            own.map(|(f, _)| f.coordinate.trim_start_matches('r')).collect()
        };
        let (moves, turns) = (list(false), list(true));
        let any = times > 1;
        let mut words = Vec::new();
        let joined = |names: &[&str]| if any { names.join(", ") } else { names.join(" and ") };
        words.push(match (moves.as_slice(), turns.as_slice()) {
            ([], []) => "the platform stays".into(),
            (m, []) if any && m.len() > 1 => format!("the platform moves in any direction of {}", joined(m)),
            (m, []) => format!("the platform moves along {}", joined(m)),
            ([], t) => format!("the platform turns about {}", joined(t)),
            (m, t) => format!("the platform moves along {} and turns about {}", joined(m), joined(t)),
        });
        if let [shape] = motors {
            words.extend(motor_words(shape, &self.joints));
        }
        words.join("; ")
    }
}

/// The motors of one shape.
fn motor_words(shape: &[f64], joints: &[crate::Joint]) -> Option<String> {
    if shape.len() < 2 {
        return None;
    }
    if shape.iter().all(|q| (q - 1.0).abs() < 1e-3) {
        return Some("all motors alike".into());
    }
    let named = |wanted: &dyn Fn(f64) -> bool| -> Vec<&str> {
        let moving = shape.iter().zip(joints).filter(|(q, _)| wanted(**q));
        moving.map(|(_, joint)| joint.name.as_str()).collect()
    };
    let (one, other, still) = (named(&|q| q > 0.1), named(&|q| q < -0.1), named(&|q| q.abs() < 1e-3));
    let mut text = one.join(" ");
    if !other.is_empty() {
        text = format!("{text} against {}", other.join(" "));
    }
    if !still.is_empty() {
        text = format!("{text}, {} still", still.join(" "));
    }
    Some(text)
}

fn largest_one(shape: &DMatrix<f64>, sizes: &[f64]) -> Vec<f64> {
    let scaled: Vec<f64> =
        shape.iter().enumerate().map(|(i, x)| x * sizes.get(i).copied().unwrap_or(1.0)).collect();
    let largest =
        scaled.iter().fold(0.0_f64, |most, x| if x.abs() > most.abs() * (1.0 + 1e-9) { *x } else { most });
    if largest == 0.0 { scaled } else { scaled.iter().map(|x| x / largest).collect() }
}

fn unit_share(shape: &[f64], i: usize) -> f64 {
    let sum: f64 = shape.iter().map(|x| x * x).sum();
    shape[i] * shape[i] / sum.max(f64::MIN_POSITIVE)
}
