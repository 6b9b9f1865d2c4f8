//! Lagrange's equation by dual numbers: the torque from the energies alone.

use super::{Assembly, Delta};
use crate::{Dual, Real, V3};

impl<T: Real> Delta<T> {
    /// Motor torques \[N·m\] from the mass matrix and the potential energy,
    /// differentiated exactly: a judge of [`Delta::torque`] that shares none of its
    /// acceleration formulas \[Codourey1998, Eq. 14–15\].
    ///
    /// ```text
    /// V = Ȧ q̇ − ½ ∂(q̇ᵀ A q̇)/∂q,   G = ∂V/∂q,   τ = A q̈ + V + G
    /// ```
    pub fn lagrange_torque(&self, q: V3<T>, qdot: V3<T>, qddot: V3<T>, assembly: Assembly) -> V3<T> {
        let delta: Delta<Dual<T, 3>> = self.map(Dual::constant);
        let variables = V3::new(Dual::variable(q.x, 0), Dual::variable(q.y, 1), Dual::variable(q.z, 2));
        let posture = delta.linkage().posture_of(variables, assembly).value;
        let rate = qdot.map(Dual::constant);
        let momentum = delta.mass_matrix(&posture) * rate; // A q̇, with its derivatives by q
        let energy = rate.dot(momentum);
        let potential = V3::from(delta.potential_energy(&posture).eps);
        // Ȧ q̇ = Σ ∂(A q̇)/∂q_k q̇_k
        let momentum_rate = momentum.map(|p| V3::from(p.eps).dot(qdot));
        let mass = delta.mass_matrix(&posture);
        let inertial = mass.to_matrix().0.map(|row| row.map(|entry| entry.re).dot(qddot));
        inertial + momentum_rate - V3::from(energy.eps) * T::from_f64(0.5) + potential // (14), (15)
    }
}
