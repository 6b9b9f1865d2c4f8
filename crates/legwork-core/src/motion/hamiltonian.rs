//! Configuration and momenta as the state: Hamilton's equations with multipliers.

use super::ldl::{Ldl, dot, plus_rows, schur};
use super::multibody::{Multibody, closed, compatible, largest, momentum};
use super::{Energy, Fault, Formulation, Load, Rate, larger, smaller};
use crate::engine::{Pose, Twist};
use crate::robots::delta::constrained::Baumgarte;

/// (q, p, λ) of \[Bortoff2018, Eq. 17–19\] for the ordinary integrators:
///
/// ```text
/// q̇ = M⁻¹ p,   ṗ = ∂T/∂q − G − D∘v + B u + Hᵀλ,   h(q) = 0
/// ```
///
/// λ is that of the index-1 form; after each step q and p are put back onto the
/// closed loops as in [`Projected`](super::Projected).
#[derive(Clone, Copy, Debug)]
pub struct Hamiltonian<B, const Q: usize, const C: usize> {
    /// Chains and closure.
    pub body: B,
    /// Gap that counts as closed \[m\]. Default 1e-14.
    pub tolerance: f64,
}

impl<B: Multibody<Q, C>, const Q: usize, const C: usize> Hamiltonian<B, Q, C> {
    /// Closed to 1e-14 m.
    pub fn new(body: B) -> Self {
        Self { body, tolerance: 1e-14 }
    }

    /// v = M⁻¹ p
    fn velocity(&self, q: &[f64; Q], p: &[f64; Q]) -> [f64; Q] {
        Ldl::new(&self.body.mass_matrix(q)).solve(p)
    }
}

impl<B: Multibody<Q, C>, const Q: usize, const C: usize> Formulation for Hamiltonian<B, Q, C> {
    /// q, p
    type State = ([f64; Q], [f64; Q]);

    fn motors(&self) -> usize {
        self.body.motors()
    }

    #[inline]
    fn rate(&self, (q, p): &Self::State, load: &Load<'_>) -> Result<Rate<Self::State>, Fault> {
        let v = self.velocity(q, p); // (17)
        let reply = self.body.response(q, &v, load, Baumgarte::none())?;
        let (applied, [work, dissipation]) = self.body.applied(q, &v, load)?;
        let gradient = self.body.kinetic_gradient(q, &v);
        let free = sum(&applied, &gradient);
        let force = plus_rows(&free, &reply.multipliers, &self.body.closure_jacobian(q)); // (18)
        Ok(Rate { state: (v, force), work, dissipation })
    }

    fn position_rate(&self, (q, p): &Self::State) -> Result<Self::State, Fault> {
        Ok((self.velocity(q, p), [0.0; Q]))
    }

    fn without_position_rate(&self, (_, force): &Self::State) -> Self::State {
        ([0.0; Q], *force)
    }

    fn settle(&self, _h: f64, _before: &Self::State, (q, p): &mut Self::State) -> Result<bool, Fault> {
        let (there, _) = closed(&self.body, q, self.tolerance)?; // (19)
        let v = compatible(&self.body, &there, &self.velocity(&there, p))?;
        *p = momentum(&self.body.mass_matrix(&there), &v);
        *q = there;
        Ok(true)
    }

    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<Self::State, Fault> {
        let (q, v) = self.body.state_at(pose, twist)?;
        Ok((q, momentum(&self.body.mass_matrix(&q), &v)))
    }

    fn platform(&self, (q, p): &Self::State) -> (Pose<f64>, Twist<f64>) {
        self.body.platform(q, &self.velocity(q, p))
    }

    fn joints(&self, (q, p): &Self::State, position: &mut [f64], speed: &mut [f64]) -> Result<(), Fault> {
        self.body.joints(q, &self.velocity(q, p), position, speed);
        Ok(())
    }

    fn energy(&self, (q, p): &Self::State) -> Energy {
        self.body.energy(q, &self.velocity(q, p))
    }

    /// p = M v with the new M.
    fn taken_over(&self, before: &Self, (q, p): &Self::State) -> Self::State {
        (*q, momentum(&self.body.mass_matrix(q), &before.velocity(q, p)))
    }

    fn loop_gap(&self, (q, _): &Self::State) -> f64 {
        largest(&self.body.closure(q))
    }
}

/// a + b
fn sum<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    advanced(a, 1.0, b)
}

/// One step of [`Hamiltonian::rattle_step`].
#[derive(Clone, Copy, Debug)]
pub struct RattleStep<const Q: usize, const C: usize> {
    /// q at the end.
    pub configuration: [f64; Q],
    /// p at the end.
    pub momentum: [f64; Q],
    /// λ of the first half step, a good guess for the next one.
    pub multipliers: [f64; C],
    /// Work of motors and outside wrench \[J\]; that of constant efforts is τ·(q₁ − q₀).
    pub work: f64,
    /// Dissipation, by the same rule \[J\].
    pub dissipation: f64,
    /// Iterations that the implicit equations took.
    pub iterations: u16,
}

/// Iterations at most; each gains a factor of about h times the frequencies of the robot.
const MOST_ITERATIONS: u16 = 80;

impl<B: Multibody<Q, C>, const Q: usize, const C: usize> Hamiltonian<B, Q, C> {
    /// A symplectic step of length `h` \[s\] that ends on closed loops: RATTLE for a mass
    /// matrix that depends on q, \[HairerLubichWanner2006, Sec. VII.1.4\].
    ///
    /// ```text
    /// p½ = p₀ + h/2 ( F(q₀, p½) + H(q₀)ᵀ λ )                                          (1)
    /// q₁ = q₀ + h/2 ( M(q₀)⁻¹ p½ + M(q₁)⁻¹ p½ ),    h(q₁) = 0                          (2)
    /// p₁ = p½ + h/2 ( F(q₁, p½) + H(q₁)ᵀ μ ),       H(q₁) M(q₁)⁻¹ p₁ = 0               (3)
    /// ```
    ///
    /// with F = ∂T/∂q − G − D∘v + B u. Second order, time-reversible. (1) and (2) are solved
    /// together by fixed-point iteration with the Newton correction of λ in it,
    /// δλ = −(½ h² H M⁻¹ Hᵀ)⁻¹ h(q₁), down to rounding: an iteration that stops early is not symplectic.
    pub fn rattle_step(
        &self,
        (q0, p0): &([f64; Q], [f64; Q]),
        guess: &[f64; C],
        load: &Load<'_>,
        h: f64,
    ) -> Result<RattleStep<Q, C>, Fault> {
        let body = &self.body;
        let half = 0.5 * h;
        let mass = Ldl::new(&body.mass_matrix(q0));
        let jacobian = body.closure_jacobian(q0);
        let (s, y) = schur(&mass, &jacobian);
        let loops = Ldl::new(&s);
        let margin = smaller(mass.margin, loops.margin);
        if margin.is_nan() || margin <= 0.0 {
            return Err(Fault::Singular { margin });
        }
        let force = |q: &[f64; Q], v: &[f64; Q]| {
            let (applied, ledger) = body.applied(q, v, load)?;
            Ok::<_, Fault>((sum(&applied, &body.kinetic_gradient(q, v)), ledger))
        };
        let (first, _) = force(q0, &mass.solve(p0))?;
        let mut lambda = *guess;
        let mut p = plus_rows(&advanced(p0, half, &first), &lambda.map(|l| l * half), &jacobian);
        let mut q = advanced(q0, h, &mass.solve(&p));
        let mut last = f64::INFINITY;
        let mut iterations = 0;
        let (next_mass, v) = loop {
            iterations += 1;
            let (f, _) = force(q0, &mass.solve(&p))?;
            let pushed = plus_rows(&advanced(p0, half, &f), &lambda.map(|l| l * half), &jacobian); // (1)
            let near = mass.solve(&pushed);
            let next_mass = Ldl::new(&body.mass_matrix(&q));
            let far = next_mass.solve(&pushed);
            let moved = advanced(&advanced(q0, half, &near), half, &far); // (2)
            let gap = body.closure(&moved);
            let more = loops.solve(&gap.map(|g| -g / (half * h)));
            let there = plus_rows(&moved, &more.map(|l| l * half * h), &y);
            let correction = difference(&there, &q);
            q = there;
            p = plus_rows(&pushed, &more.map(|l| l * half), &jacobian);
            lambda = sum(&lambda, &more);
            if correction.is_nan() {
                return Err(Fault::NoConvergence { iterations, correction });
            }
            // Below a few roundings no iteration gets better; one more would only wander.
            if correction <= ROUNDING || (correction >= last && correction <= 1e3 * ROUNDING) {
                break (next_mass, next_mass.solve(&p));
            }
            if iterations == MOST_ITERATIONS {
                return Err(Fault::NoConvergence { iterations, correction });
            }
            last = correction;
        };
        if next_mass.margin.is_nan() || next_mass.margin <= 0.0 {
            return Err(Fault::Singular { margin: next_mass.margin });
        }
        let (_, begin_books) = force(q0, &mass.solve(&p))?;
        let (f, end_books) = force(&q, &v)?;
        let mut momentum = advanced(&p, half, &f);
        let end = body.closure_jacobian(&q);
        let (s, _) = schur(&next_mass, &end);
        let loops = Ldl::new(&s);
        for _ in 0..2 {
            let v = next_mass.solve(&momentum);
            let mu = loops.solve(&end.map(|row| -dot(&row, &v)));
            momentum = plus_rows(&momentum, &mu, &end); // (3)
        }
        // Both ends with p½, as in (2): then efforts that are constant give τ·(q₁ − q₀).
        let [work, dissipation] = [0, 1].map(|k: usize| {
            let at = |ledger: &[f64; 2]| ledger.get(k).copied().unwrap_or(0.0);
            half * (at(&begin_books) + at(&end_books))
        });
        Ok(RattleStep { configuration: q, momentum, multipliers: lambda, work, dissipation, iterations })
    }
}

/// Size of a correction that is rounding, for angles of a few radians.
const ROUNDING: f64 = 1e-15;

/// x + h k
fn advanced<const N: usize>(x: &[f64; N], h: f64, k: &[f64; N]) -> [f64; N] {
    let mut out = *x;
    for (o, k) in out.iter_mut().zip(k) {
        *o += h * k;
    }
    out
}

/// Largest |a − b|.
fn difference<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).fold(0.0, |worst, (a, b)| larger(worst, (a - b).abs()))
}
