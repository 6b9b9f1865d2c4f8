//! Open chains and the equations that close them: what the constrained
//! formulations are made of.

use super::ldl::{Ldl, dot, plus_rows, schur};
use super::{Energy, Fault, Load};
use crate::engine::{Pose, Twist};
use crate::robots::delta::constrained::Baumgarte;
use core::array::from_fn;

/// Bodies with Q coordinates, whose rates are the velocities, and C closure equations h(q) = 0.
pub trait Multibody<const Q: usize, const C: usize> {
    /// How many motors.
    fn motors(&self) -> usize;

    /// Everything in the equations of motion at a state.
    fn terms(&self, q: &[f64; Q], v: &[f64; Q], load: &Load<'_>) -> Result<Terms<Q, C>, Fault>;

    /// h
    fn closure(&self, q: &[f64; Q]) -> [f64; C];

    /// H = ∂h/∂q, by rows, for the velocities.
    fn closure_jacobian(&self, q: &[f64; Q]) -> [[f64; Q]; C];

    /// M
    fn mass_matrix(&self, q: &[f64; Q]) -> [[f64; Q]; Q];

    /// A closed state with the platform at a pose with a twist.
    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<([f64; Q], [f64; Q]), Fault>;

    /// Pose and twist of the platform in base axes.
    fn platform(&self, q: &[f64; Q], v: &[f64; Q]) -> (Pose<f64>, Twist<f64>);

    /// Motor positions and speeds.
    fn joints(&self, q: &[f64; Q], v: &[f64; Q], position: &mut [f64], speed: &mut [f64]);

    /// Energies of all bodies.
    fn energy(&self, q: &[f64; Q], v: &[f64; Q]) -> Energy;

    /// ∂T/∂q at fixed v.
    fn kinetic_gradient(&self, q: &[f64; Q], v: &[f64; Q]) -> [f64; Q];

    /// B u − G − D∘v and the outside wrench, with work and dissipation \[W\].
    fn applied(&self, q: &[f64; Q], v: &[f64; Q], load: &Load<'_>) -> Result<([f64; Q], [f64; 2]), Fault>;

    /// Accelerations and multipliers; by the dense [`Terms::response`] unless the structure is used.
    #[inline]
    fn response(
        &self,
        q: &[f64; Q],
        v: &[f64; Q],
        load: &Load<'_>,
        baumgarte: Baumgarte<f64>,
    ) -> Result<Reply<Q, C>, Fault> {
        self.terms(q, v, load)?.response(v, baumgarte)
    }
}

/// The equations of motion M v̇ = f + Hᵀλ, H v̇ + Ḣ v = 0 at one state.
#[derive(Clone, Copy, Debug)]
pub struct Terms<const Q: usize, const C: usize> {
    /// M
    pub mass: [[f64; Q]; Q],
    /// f = B u − C − G − D∘v and the outside wrench.
    pub force: [f64; Q],
    /// h
    pub closure: [f64; C],
    /// H by rows.
    pub jacobian: [[f64; Q]; C],
    /// Ḣ v
    pub product: [f64; C],
    /// What motors and outside wrench give \[W\].
    pub work: f64,
    /// What friction takes \[W\].
    pub dissipation: f64,
}

/// Accelerations, forces in the loops, and where energy goes.
#[derive(Clone, Copy, Debug)]
pub struct Reply<const Q: usize, const C: usize> {
    /// v̇
    pub acceleration: [f64; Q],
    /// λ
    pub multipliers: [f64; C],
    /// What motors and outside wrench give \[W\].
    pub work: f64,
    /// What friction takes \[W\].
    pub dissipation: f64,
}

impl<const Q: usize, const C: usize> Terms<Q, C> {
    /// Accelerations and multipliers, \[Bortoff2018, Eq. 15, 22, 23\]:
    ///
    /// ```text
    /// (H M⁻¹ Hᵀ) λ = −( H M⁻¹ f + Ḣ v + α₁ H v + α₀ h ),   v̇ = M⁻¹ ( f + Hᵀ λ )
    /// ```
    pub fn response(&self, v: &[f64; Q], baumgarte: Baumgarte<f64>) -> Result<Reply<Q, C>, Fault> {
        let mass = Ldl::new(&self.mass);
        let free = mass.solve(&self.force);
        let (s, y) = schur(&mass, &self.jacobian);
        let loops = Ldl::new(&s);
        let margin = super::smaller(mass.margin, loops.margin);
        if margin.is_nan() || margin <= 0.0 {
            return Err(Fault::Singular { margin });
        }
        let Baumgarte { alpha1, alpha0 } = baumgarte;
        let rows = self.jacobian.iter().zip(&self.product).zip(&self.closure);
        let mut right = [0.0; C];
        for (slot, ((row, product), h)) in right.iter_mut().zip(rows) {
            *slot = -(dot(row, &free) + product + alpha1 * dot(row, v) + alpha0 * h);
        }
        let multipliers = loops.solve(&right);
        Ok(Reply {
            acceleration: plus_rows(&free, &multipliers, &y),
            multipliers,
            work: self.work,
            dissipation: self.dissipation,
        })
    }
}

/// The largest |h| \[m\].
pub(super) fn largest<const C: usize>(h: &[f64; C]) -> f64 {
    h.iter().fold(0.0, |worst, x| super::larger(worst, x.abs()))
}

/// A configuration on closed loops near the given one, by Newton steps along M⁻¹ Hᵀ; the second
/// answer tells whether anything had to be changed.
pub(super) fn closed<B: Multibody<Q, C>, const Q: usize, const C: usize>(
    body: &B,
    start: &[f64; Q],
    tolerance: f64,
) -> Result<([f64; Q], bool), Fault> {
    let mut q = *start;
    let mut before = f64::INFINITY;
    for steps in 0..MOST_STEPS {
        let h = body.closure(&q);
        let gap = largest(&h);
        if gap <= tolerance {
            return Ok((q, steps > 0));
        }
        // Rounding stops the gap from shrinking further.
        if steps > 2 && gap >= before && gap <= 64.0 * tolerance {
            return Ok((q, true));
        }
        before = gap;
        if gap.is_nan() {
            return Err(Fault::Open { gap, steps });
        }
        let mass = Ldl::new(&body.mass_matrix(&q));
        let (s, y) = schur(&mass, &body.closure_jacobian(&q));
        let loops = Ldl::new(&s);
        let margin = super::smaller(mass.margin, loops.margin);
        if margin.is_nan() || margin <= 0.0 {
            return Err(Fault::Singular { margin });
        }
        let mu = loops.solve(&h.map(|x| -x));
        q = plus_rows(&q, &mu, &y);
    }
    Err(Fault::Open { gap: before, steps: MOST_STEPS })
}

const MOST_STEPS: u16 = 12;

/// The nearest velocities (in the metric of M) that keep closed loops closed: H v = 0.
pub(super) fn compatible<B: Multibody<Q, C>, const Q: usize, const C: usize>(
    body: &B,
    q: &[f64; Q],
    v: &[f64; Q],
) -> Result<[f64; Q], Fault> {
    let jacobian = body.closure_jacobian(q);
    let mass = Ldl::new(&body.mass_matrix(q));
    let (s, y) = schur(&mass, &jacobian);
    let loops = Ldl::new(&s);
    let margin = super::smaller(mass.margin, loops.margin);
    if margin.is_nan() || margin <= 0.0 {
        return Err(Fault::Singular { margin });
    }
    let mut out = *v;
    // Twice: the second pass removes the rounding of the first.
    for _ in 0..2 {
        let open = jacobian.map(|row| -dot(&row, &out));
        out = plus_rows(&out, &loops.solve(&open), &y);
    }
    Ok(out)
}

/// M v
pub(super) fn momentum<const Q: usize>(mass: &[[f64; Q]; Q], v: &[f64; Q]) -> [f64; Q] {
    from_fn(|i| mass.get(i).map_or(0.0, |row| dot(row, v)))
}
