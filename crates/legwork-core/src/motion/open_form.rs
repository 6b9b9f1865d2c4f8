//! The forms in all joints for a robot of any legs.

use super::any_open_legs::{AnyOpenLegs, Configuration, Cuts, Loops, MOST_LEGS, Speeds};
use super::{Energy, Fault, Formulation, Load, Rate, put_at};
use crate::V3;
use crate::engine::{Pose, Twist, Wrench};
use crate::integrate::Vector;
use crate::robots::delta::constrained::Baumgarte;

/// How the loops of an [`OpenForm`] are kept closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Closing {
    /// Index-1 form with multipliers; gaps are pulled back as in [`Constrained`](super::Constrained).
    Pulled(Baumgarte<f64>),
    /// The same without pulling; put back after each step, as in [`Projected`](super::Projected).
    Projected,
    /// Momenta in place of velocities; put back after each step, as in [`Hamiltonian`](super::Hamiltonian).
    Momenta,
}

/// Any robot of the general engine in all joints, in the form that `closing` names: one code
/// for legs of any number and length, beside the forms with constant sizes.
///
/// With momenta the platform's equations are those of Newton and Euler about its moving
/// origin, so the orientation needs no angles:
///
/// ```text
/// M v = p + Hᵀ μ,   H v = 0                                                          (1)
/// ṗ_i = ∂T_i/∂q_i − G_i − D∘q̇_i + Γ_i − J_iᵀ λ_i                                     (2)
/// ṗ_P = f + weight − (0, v × p_linear) + Σ J_viᵀ λ_i                                 (3)
/// ```
///
/// (1) is v = M⁻¹ p on closed loops, and has an answer for massless links too, where M has no inverse.
#[derive(Clone, Copy, Debug)]
pub struct OpenForm<'a> {
    /// Legs and platform.
    pub legs: AnyOpenLegs<'a>,
    /// What keeps the loops closed.
    pub closing: Closing,
    /// Gap that counts as closed \[m\]. Default 1e-14.
    pub tolerance: f64,
}

/// Accelerations, multipliers and what acts, at one state.
struct Moving {
    cuts: Cuts,
    acceleration: Speeds,
    multipliers: Loops,
    motor: Speeds,
    work: f64,
    dissipation: f64,
}

impl<'a> OpenForm<'a> {
    /// Closed to 1e-14 m.
    pub fn new(legs: AnyOpenLegs<'a>, closing: Closing) -> Self {
        Self { legs, closing, tolerance: 1e-14 }
    }

    /// The velocities of a state.
    fn velocity(&self, (q, second): &(Configuration, Speeds)) -> Result<Speeds, Fault> {
        match self.closing {
            Closing::Momenta => {
                let cuts = self.legs.cut(q, &self.legs.still());
                Ok(self.legs.solve(&cuts, second, &[[0.0; 6]; MOST_LEGS])?.0) // (1)
            }
            _ => Ok(*second),
        }
    }

    fn moving(&self, q: &Configuration, v: &Speeds, load: &Load<'_>) -> Result<Moving, Fault> {
        let body = &self.legs;
        let motor = body.in_joints(load.effort)?;
        let cuts = body.cut(q, v);
        let twist = cuts.at.twist;
        let mut force = motor;
        let (mut work, mut dissipation) = (load.wrench.power(twist), 0.0);
        for ((from, _, n), leg) in body.each_leg().zip(&cuts.legs) {
            let slots = force.as_mut_slice().iter_mut().zip(v.as_slice()).skip(from).take(n);
            for ((f, rate), (bias, friction)) in slots.zip(leg.bias.iter().zip(leg.friction)) {
                work += *f * rate;
                dissipation += friction * rate;
                *f -= bias + friction;
            }
        }
        let w = twist.angular;
        let turning = Wrench::new(w.cross(w.cross(cuts.body.first)), w.cross(cuts.body.inertia * w));
        let push = load.wrench + self.weight(&cuts) - turning;
        put_at(force.as_mut_slice(), body.joints, &push.to_vector_linear_first());
        let Baumgarte { alpha1, alpha0 } = match self.closing {
            Closing::Pulled(pull) => pull,
            _ => Baumgarte::none(),
        };
        let opening = body.opening(&cuts, v);
        let mut right = cuts.each(|leg| leg.product);
        for ((right, speed), leg) in right.iter_mut().zip(&opening).zip(&cuts.legs) {
            for ((right, speed), gap) in right.iter_mut().zip(speed).zip(&leg.gap) {
                *right = -(*right + alpha1 * speed + alpha0 * gap);
            }
        }
        let (acceleration, multipliers) = body.solve(&cuts, &force, &right)?;
        Ok(Moving { cuts, acceleration, multipliers, motor, work, dissipation })
    }

    fn weight(&self, cuts: &Cuts) -> Wrench<f64> {
        cuts.body.apply(Twist::new(self.legs.gravity, V3::zero()))
    }

    /// (2) and (3).
    fn force(&self, at: &Moving, load: &Load<'_>) -> Speeds {
        let body = &self.legs;
        let mut force = at.motor;
        let twist = at.cuts.at.twist;
        let momentum = at.cuts.body.apply(twist);
        let carried = Wrench::new(V3::zero(), twist.linear.cross(momentum.force));
        let mut platform = (load.wrench + self.weight(&at.cuts) - carried).to_vector_linear_first();
        for (((from, _, n), leg), lambda) in body.each_leg().zip(&at.cuts.legs).zip(&at.multipliers) {
            let mut own = [0.0; 6];
            for (j, slot) in own.iter_mut().enumerate() {
                let [gradient, weight, friction] = [&leg.gradient, &leg.weight, &leg.friction]
                    .map(|list| list.get(j).copied().unwrap_or(0.0));
                *slot = gradient - weight - friction;
            }
            for ((row, line), l) in leg.own.iter().zip(&leg.platform).zip(lambda) {
                for (slot, x) in own.iter_mut().zip(row) {
                    *slot -= l * x;
                }
                for (slot, x) in platform.iter_mut().zip(line) {
                    *slot += l * x;
                }
            }
            for (slot, x) in force.as_mut_slice().iter_mut().skip(from).take(n).zip(own) {
                *slot += x;
            }
        }
        put_at(force.as_mut_slice(), body.joints, &body.freed(platform));
        force
    }
}

impl Formulation for OpenForm<'_> {
    /// q and v, or q and p.
    type State = (Configuration, Speeds);

    fn motors(&self) -> usize {
        self.legs.motors()
    }

    fn rate(&self, x: &Self::State, load: &Load<'_>) -> Result<Rate<Self::State>, Fault> {
        let v = self.velocity(x)?;
        let at = self.moving(&x.0, &v, load)?;
        let second = match self.closing {
            Closing::Momenta => self.force(&at, load),
            _ => at.acceleration,
        };
        let state = (self.legs.configuration_rate(&x.0, &v), second);
        Ok(Rate { state, work: at.work, dissipation: at.dissipation })
    }

    fn position_rate(&self, x: &Self::State) -> Result<Self::State, Fault> {
        Ok((self.legs.configuration_rate(&x.0, &self.velocity(x)?), Speeds::zero()))
    }

    fn without_position_rate(&self, (_, second): &Self::State) -> Self::State {
        (Configuration::zero(), *second)
    }

    fn settle(&self, _h: f64, _before: &Self::State, x: &mut Self::State) -> Result<bool, Fault> {
        if let Closing::Pulled(_) = self.closing {
            return Ok(false);
        }
        let q = self.legs.close(&x.0, self.tolerance)?;
        let v = self.legs.compatible(&q, &self.velocity(&(q, x.1))?)?;
        *x = (q, self.second(&q, &v));
        Ok(true)
    }

    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<Self::State, Fault> {
        let (q, v) = self.legs.closed_at(pose, twist)?;
        Ok((q, self.second(&q, &v)))
    }

    fn platform(&self, x: &Self::State) -> (Pose<f64>, Twist<f64>) {
        let unknown = Twist::new(V3::splat(f64::NAN), V3::splat(f64::NAN));
        (self.legs.pose(&x.0), self.velocity(x).map_or(unknown, |v| self.legs.twist(&v)))
    }

    fn joints(&self, x: &Self::State, q: &mut [f64], qdot: &mut [f64]) -> Result<(), Fault> {
        self.legs.of_motors(x.0.as_slice(), q);
        self.legs.of_motors(self.velocity(x)?.as_slice(), qdot);
        Ok(())
    }

    fn energy(&self, x: &Self::State) -> Energy {
        let Ok(v) = self.velocity(x) else {
            return Energy { kinetic: f64::NAN, potential: f64::NAN };
        };
        let cuts = self.legs.cut(&x.0, &v);
        let (pose, twist) = (cuts.at.pose, cuts.at.twist);
        let body = &self.legs.platform;
        let mut energy = Energy {
            kinetic: 0.5 * cuts.body.apply(twist).power(twist),
            potential: -(self.legs.gravity.dot(pose.of(body.centre)) * body.mass),
        };
        for leg in cuts.legs.iter().take(cuts.count) {
            let [kinetic, potential] = leg.energy;
            energy.kinetic += kinetic;
            energy.potential += potential;
        }
        energy
    }

    /// With momenta: p = M v with the new M.
    fn taken_over(&self, before: &Self, x: &Self::State) -> Self::State {
        before.velocity(x).map_or(*x, |v| (x.0, self.second(&x.0, &v)))
    }

    fn loop_gap(&self, x: &Self::State) -> f64 {
        self.legs.cut(&x.0, &self.legs.still()).gap()
    }
}

impl OpenForm<'_> {
    /// The second half of a state: velocities, or their momenta.
    fn second(&self, q: &Configuration, v: &Speeds) -> Speeds {
        match self.closing {
            Closing::Momenta => self.legs.momentum(&self.legs.cut(q, v), v),
            _ => *v,
        }
    }
}
