//! All joints as the state, the loops closed by multipliers.

use super::multibody::{Multibody, closed, compatible, largest};
use super::{Energy, Fault, Formulation, Load, Rate};
use crate::engine::{Pose, Twist};
use crate::robots::delta::constrained::Baumgarte;

/// Index-1 form with multipliers; gaps are pulled back: ḧ + α₁ ḣ + α₀ h = 0
/// \[Bortoff2018, Eq. 14–16, 20–23\].
#[derive(Clone, Copy, Debug)]
pub struct Constrained<B, const Q: usize, const C: usize> {
    /// Chains and closure.
    pub body: B,
    /// How gaps are pulled back.
    pub baumgarte: Baumgarte<f64>,
}

/// The same without pulling; after each step positions and velocities are put
/// back onto the closed loops, along M⁻¹ Hᵀ.
#[derive(Clone, Copy, Debug)]
pub struct Projected<B, const Q: usize, const C: usize> {
    /// Chains and closure.
    pub body: B,
    /// Gap that counts as closed \[m\]. Default 1e-14.
    pub tolerance: f64,
}

impl<B: Multibody<Q, C>, const Q: usize, const C: usize> Constrained<B, Q, C> {
    /// With both roots at −`pole` \[1/s\]; the paper takes 5, zero switches it off.
    pub fn new(body: B, pole: f64) -> Self {
        Self { body, baumgarte: Baumgarte::from_pole(pole) }
    }
}

impl<B: Multibody<Q, C>, const Q: usize, const C: usize> Projected<B, Q, C> {
    /// Closed to 1e-14 m.
    pub fn new(body: B) -> Self {
        Self { body, tolerance: 1e-14 }
    }
}

/// Configuration and velocities.
type State<const Q: usize> = ([f64; Q], [f64; Q]);

#[inline]
fn rate<B: Multibody<Q, C>, const Q: usize, const C: usize>(
    body: &B,
    (q, v): &State<Q>,
    load: &Load<'_>,
    baumgarte: Baumgarte<f64>,
) -> Result<Rate<State<Q>>, Fault> {
    let reply = body.response(q, v, load, baumgarte)?;
    Ok(Rate { state: (*v, reply.acceleration), work: reply.work, dissipation: reply.dissipation })
}

macro_rules! common {
    () => {
        type State = State<Q>;

        fn motors(&self) -> usize {
            self.body.motors()
        }

        fn position_rate(&self, (_, v): &Self::State) -> Result<Self::State, Fault> {
            Ok((*v, [0.0; Q]))
        }

        fn without_position_rate(&self, (_, a): &Self::State) -> Self::State {
            ([0.0; Q], *a)
        }

        fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<Self::State, Fault> {
            self.body.state_at(pose, twist)
        }

        fn platform(&self, (q, v): &Self::State) -> (Pose<f64>, Twist<f64>) {
            self.body.platform(q, v)
        }

        fn joints(&self, (q, v): &Self::State, position: &mut [f64], speed: &mut [f64]) -> Result<(), Fault> {
            self.body.joints(q, v, position, speed);
            Ok(())
        }

        fn energy(&self, (q, v): &Self::State) -> Energy {
            self.body.energy(q, v)
        }

        fn loop_gap(&self, (q, _): &Self::State) -> f64 {
            largest(&self.body.closure(q))
        }
    };
}

impl<B: Multibody<Q, C>, const Q: usize, const C: usize> Formulation for Constrained<B, Q, C> {
    common!();

    #[inline]
    fn rate(&self, x: &Self::State, load: &Load<'_>) -> Result<Rate<Self::State>, Fault> {
        rate(&self.body, x, load, self.baumgarte)
    }
}

impl<B: Multibody<Q, C>, const Q: usize, const C: usize> Formulation for Projected<B, Q, C> {
    common!();

    #[inline]
    fn rate(&self, x: &Self::State, load: &Load<'_>) -> Result<Rate<Self::State>, Fault> {
        rate(&self.body, x, load, Baumgarte::none())
    }

    fn settle(&self, _h: f64, _before: &Self::State, (q, v): &mut Self::State) -> Result<bool, Fault> {
        let (there, _) = closed(&self.body, q, self.tolerance)?;
        *v = compatible(&self.body, &there, v)?;
        *q = there;
        Ok(true)
    }
}
