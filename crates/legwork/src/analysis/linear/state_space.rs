//! A linear model in state space.

use super::algebra::eigenvalues;
use super::{DMatrix, LinearError, Pole};

/// A number that goes into, through or out of a linear model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Its name: `q1`.
    pub name: String,
    /// Its unit: `rad`.
    pub unit: String,
}

impl Signal {
    /// A signal with a name and a unit.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into() }
    }
}

/// ẋ = A x + B u, y = C x + D u; all numbers are differences from the pose it was taken at.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpace {
    /// A
    pub a: DMatrix<f64>,
    /// B
    pub b: DMatrix<f64>,
    /// C
    pub c: DMatrix<f64>,
    /// D
    pub d: DMatrix<f64>,
    /// x
    pub states: Vec<Signal>,
    /// u
    pub inputs: Vec<Signal>,
    /// y
    pub outputs: Vec<Signal>,
}

impl StateSpace {
    /// The poles, largest real part first.
    pub fn poles(&self) -> Result<Vec<Pole>, LinearError> {
        eigenvalues(&self.a)
    }

    /// C (s − A)⁻¹ B + D at s = jω: amplitude of each output per input, `None` at a pole.
    pub fn gain(&self, omega: f64) -> Option<DMatrix<f64>> {
        let n = self.a.nrows();
        let complex = |m: &DMatrix<f64>| m.map(|x| nalgebra::Complex::new(x, 0.0));
        let s = DMatrix::from_diagonal_element(n, n, nalgebra::Complex::new(0.0, omega));
        let inner = (s - complex(&self.a)).lu().solve(&complex(&self.b))?;
        Some((complex(&self.c) * inner + complex(&self.d)).map(|z| z.re.hypot(z.im)))
    }

    /// Whether every number is one.
    pub fn is_finite(&self) -> bool {
        [&self.a, &self.b, &self.c, &self.d].iter().all(|m| m.iter().all(|x| x.is_finite()))
    }
}
