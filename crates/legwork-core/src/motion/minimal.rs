//! Platform pose and twist as the state: loops closed by construction.

use super::fault::efforts;
use super::{Coulomb, Energy, Fault, Formulation, Load, Quaternion, Rate, fill, larger, too_near};
use crate::engine::{LegModel, Mechanism, Pose, StateError, Twist};
use crate::robots::delta::{Delta, Posture, PostureError};
use crate::{Margin, Real, V3};

/// A Delta by the position and velocity of its platform, in closed form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeltaMinimal {
    /// The robot.
    pub delta: Delta<f64>,
    /// Coulomb friction of the motors; the viscous one is that of the robot.
    pub coulomb: Coulomb,
}

impl DeltaMinimal {
    /// The robot with the Coulomb friction of its motors, see [`Coulomb::new`].
    pub fn new(delta: Delta<f64>) -> Self {
        Self { delta, coulomb: Coulomb::new(delta.motor().coulomb) }
    }

    #[inline(always)]
    fn friction(&self, qdot: V3<f64>) -> V3<f64> {
        let viscous = self.delta.motor().viscous;
        qdot.map(|w| viscous * w + self.coulomb.effort(w))
    }

    /// The posture at a position, if no leg is stretched there.
    #[inline(always)]
    fn posture(&self, position: V3<f64>) -> Result<Posture<f64>, Fault> {
        let Margin { value, margin } = self.delta.linkage().posture_at(position);
        let b = self.delta.linkage().geometry().forearm;
        if margin > STRETCHED * b * b { Ok(value) } else { Err(self.fault(position)) }
    }

    /// What is wrong at a position.
    #[cold]
    fn fault(&self, position: V3<f64>) -> Fault {
        let checked = self.delta.linkage().posture(position).and_then(Posture::not_serial);
        match checked {
            Err(error) => error.into(),
            // Between the threshold here and the checked one: the leg that is nearest to stretched.
            Ok(posture) => {
                let (mut leg, mut transmission) = (0, f64::INFINITY);
                for (k, t) in posture.transmission().to_array().into_iter().enumerate() {
                    if t.abs() < f64::abs(transmission) {
                        (leg, transmission) = (k, t);
                    }
                }
                PostureError::SerialSingularity { leg, transmission }.into()
            }
        }
    }
}

/// D² = (k/a)² of each leg and its rate: k̇ = b·v + (s·w + a²) q̇.
#[inline(always)]
fn margins(posture: &Posture<f64>, velocity: V3<f64>) -> V3<(f64, f64)> {
    let qdot = posture.joint_velocity(velocity);
    posture.legs.zip(qdot, |leg, rate| {
        let a_sq = leg.a_cos * leg.a_cos + leg.a_sin * leg.a_sin;
        let k_rate = leg.b().dot(velocity) + (leg.s.dot(leg.arm()) + a_sq) * rate;
        (leg.k * leg.k / a_sq, 2.0 * leg.k * k_rate / a_sq)
    })
}

/// (D/b)² below which a leg counts as stretched, a transmission of 1e-4. A motion goes through the
/// stretched posture at finite joint speed; closer to it the platform's velocity along the
/// leg is the small difference that its tolerance and the root in D no longer resolve.
const STRETCHED: f64 = 1e-8;
/// The same for the margins of any leg: 0.03 mm.
const EDGE: f64 = 1e-9;

impl Formulation for DeltaMinimal {
    /// x, ẋ
    type State = ([f64; 3], [f64; 3]);

    fn motors(&self) -> usize {
        3
    }

    #[inline]
    fn rate(&self, (x, v): &Self::State, load: &Load<'_>) -> Result<Rate<Self::State>, Fault> {
        let (velocity, tau) = (V3::from(*v), V3::from(efforts(load.effort)?));
        let posture = self.posture((*x).into())?;
        let qdot = posture.joint_velocity(velocity);
        let friction = self.friction(qdot);
        let Margin { value, margin } =
            self.delta.acceleration(&posture, velocity, tau - friction, load.wrench.force);
        if margin.is_nan() || margin <= 0.0 {
            return Err(Fault::Singular { margin });
        }
        Ok(Rate {
            state: (*v, value.platform.to_array()),
            work: tau.dot(qdot) + load.wrench.force.dot(velocity),
            dissipation: friction.dot(qdot),
        })
    }

    fn position_rate(&self, (_, v): &Self::State) -> Result<Self::State, Fault> {
        Ok((*v, [0.0; 3]))
    }

    /// Refuses a step towards a stretched leg: behind that its elbow would be on the other side.
    #[inline]
    fn settle(&self, h: f64, (x, v): &Self::State, _after: &mut Self::State) -> Result<bool, Fault> {
        let posture = self.posture((*x).into())?;
        let margins = margins(&posture, (*v).into()).to_array();
        match margins.into_iter().position(|margin| too_near(h, margin)) {
            None => Ok(false),
            Some(leg) => {
                let all = posture.transmission().to_array();
                let transmission = all.get(leg).copied().unwrap_or(0.0);
                Err(PostureError::SerialSingularity { leg, transmission }.into())
            }
        }
    }

    fn without_position_rate(&self, (_, a): &Self::State) -> Self::State {
        ([0.0; 3], *a)
    }

    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<Self::State, Fault> {
        self.posture(pose.position)?;
        Ok((pose.position.to_array(), twist.linear.to_array()))
    }

    fn platform(&self, (x, v): &Self::State) -> (Pose<f64>, Twist<f64>) {
        (Pose::translation((*x).into()), Twist::new((*v).into(), V3::zero()))
    }

    fn joints(&self, (x, v): &Self::State, q: &mut [f64], qdot: &mut [f64]) -> Result<(), Fault> {
        let posture = self.posture((*x).into())?;
        fill(q, posture.angles().to_array());
        fill(qdot, posture.joint_velocity((*v).into()).to_array());
        Ok(())
    }

    fn energy(&self, (x, v): &Self::State) -> Energy {
        let posture = self.delta.linkage().posture_at((*x).into()).value;
        Energy {
            kinetic: self.delta.kinetic_energy(&posture, (*v).into()),
            potential: self.delta.potential_energy(&posture),
        }
    }

    /// From the motor angles alone: elbow to platform against the length of the forearm.
    fn loop_gap(&self, (x, _): &Self::State) -> f64 {
        let linkage = self.delta.linkage();
        let g = linkage.geometry();
        let posture = linkage.posture_at((*x).into()).value;
        let angles = posture.angles().to_array();
        let azimuth = g.azimuth.to_array();
        angles.into_iter().zip(azimuth).fold(0.0, |worst, (q, phi)| {
            let ((sin_q, cos_q), (sin, cos)) = (Real::sin_cos(q), Real::sin_cos(phi));
            let reach = g.base_radius - g.platform_radius + g.arm * cos_q;
            let elbow = V3::new(cos * reach, sin * reach, -(g.arm * sin_q));
            let rod = Real::sqrt((V3::from(*x) - elbow).norm_sq());
            larger(worst, (rod - g.forearm).abs())
        })
    }
}

/// Position \[m\], orientation as a [`Quaternion`] of any length, and V_r.
pub type PoseState<const D: usize> = (([f64; 3], [f64; 4]), [f64; D]);

/// Any robot of the general engine by pose and twist of its platform: eq 23 and
/// 28 of \[KhalilIbrahim2007\]. The orientation is a quaternion, so there is no
/// singular direction.
#[derive(Clone, Copy, Debug)]
pub struct Minimal<'a, L, const D: usize, const K: usize> {
    /// The robot.
    pub mechanism: Mechanism<'a, f64, L, D, K>,
}

/// The pose of a state.
#[inline(always)]
fn pose_of((position, quaternion): &([f64; 3], [f64; 4])) -> Pose<f64> {
    Pose::new(Quaternion::from_array(*quaternion).rotation(), (*position).into())
}

impl<L: LegModel<f64>, const D: usize, const K: usize> Minimal<'_, L, D, K> {
    #[inline(always)]
    fn place_rate(&self, place: &([f64; 3], [f64; 4]), rate: &[f64; D]) -> ([f64; 3], [f64; 4]) {
        let twist = self.mechanism.space.twist(rate);
        let turning = Quaternion::from_array(place.1).rate(twist.angular);
        (twist.linear.to_array(), turning.to_array())
    }

    /// Margin of one leg at a state and its rate, by a difference of a millionth of a step.
    fn leg_margin(leg: &L, pose: &Pose<f64>, twist: Twist<f64>, h: f64) -> (f64, f64) {
        let shift = 1e-6 * h;
        let here = leg.kinematics(pose).margin;
        let before = leg.kinematics(&pose.moved(&(twist * -shift))).margin;
        (here, (here - before) / shift)
    }

    #[cold]
    fn fault(&self, pose: &Pose<f64>, margin: f64) -> Fault {
        let legs = self.mechanism.legs.iter().enumerate();
        let near =
            legs.map(|(leg, it)| (leg, it.kinematics(pose).margin)).find(|(_, margin)| *margin <= EDGE);
        let edge = near.map(|(leg, margin)| StateError::SingularLeg { leg, margin });
        self.mechanism.leg_fault(pose).or(edge).unwrap_or(StateError::NoMass { margin }).into()
    }
}

impl<L: LegModel<f64>, const D: usize, const K: usize> Formulation for Minimal<'_, L, D, K> {
    type State = PoseState<D>;

    fn motors(&self) -> usize {
        K
    }

    #[inline]
    fn rate(&self, (place, rate): &Self::State, load: &Load<'_>) -> Result<Rate<Self::State>, Fault> {
        let effort: [f64; K] = efforts(load.effort)?;
        let pose = pose_of(place);
        let Margin { value: task, margin: reach } = self.mechanism.task_dynamics(&pose, rate);
        let outside = self.mechanism.space.project(&load.wrench.to_vector_linear_first());
        let Margin { value, margin } = task.acceleration(&effort, &outside); // (28)
        if margin.is_nan() || margin <= 0.0 || reach.is_nan() || reach <= EDGE {
            return Err(self.fault(&pose, Real::min(margin, reach)));
        }
        let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b);
        Ok(Rate {
            state: (self.place_rate(place, rate), value),
            work: sum(&effort, &task.active.rate) + sum(&outside, rate),
            dissipation: sum(&task.friction, rate),
        })
    }

    fn position_rate(&self, (place, rate): &Self::State) -> Result<Self::State, Fault> {
        Ok((self.place_rate(place, rate), [0.0; D]))
    }

    /// Refuses a step towards a stretched leg: behind that it would be in another working mode.
    fn settle(&self, h: f64, before: &Self::State, _after: &mut Self::State) -> Result<bool, Fault> {
        let (pose, twist) = self.platform(before);
        for (number, leg) in self.mechanism.legs.iter().enumerate() {
            let (margin, rate) = Self::leg_margin(leg, &pose, twist, h);
            if too_near(h, (margin, rate)) {
                return Err(StateError::SingularLeg { leg: number, margin }.into());
            }
        }
        Ok(false)
    }

    fn without_position_rate(&self, (_, acceleration): &Self::State) -> Self::State {
        (([0.0; 3], [0.0; 4]), *acceleration)
    }

    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<Self::State, Fault> {
        self.mechanism.active_at(pose)?;
        let rate = self.mechanism.space.project(&twist.to_vector_linear_first());
        Ok(((pose.position.to_array(), Quaternion::of_rotation(pose.rotation).to_array()), rate))
    }

    fn platform(&self, (place, rate): &Self::State) -> (Pose<f64>, Twist<f64>) {
        (pose_of(place), self.mechanism.space.twist(rate))
    }

    fn joints(&self, (place, rate): &Self::State, q: &mut [f64], qdot: &mut [f64]) -> Result<(), Fault> {
        let active = self.mechanism.active_at(&pose_of(place))?;
        fill(q, active.coordinates());
        fill(qdot, crate::engine::matrix::times(&active.rows, rate));
        Ok(())
    }

    fn energy(&self, (place, rate): &Self::State) -> Energy {
        let (kinetic, potential) = self.mechanism.energy(&pose_of(place), rate);
        Energy { kinetic, potential }
    }

    fn loop_gap(&self, (place, _): &Self::State) -> f64 {
        let pose = pose_of(place);
        self.mechanism.legs.iter().fold(0.0, |worst, leg| larger(worst, leg.loop_gap(&pose)))
    }
}
