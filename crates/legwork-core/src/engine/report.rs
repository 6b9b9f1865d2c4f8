//! Everything that a leg has to say about a state, the leg solved once; and how it holds the platform.
//! In `f64` only, like the other checked forms.

use super::any::AnyLeg;
use super::chain::JointKind;
use super::leg::{ActiveJoints, Leg, LegEffort, LegPosture, LegTerms};
use super::spatial::{Pose, Twist, Wrench};
use super::ups::{Ups, UpsPosture};
use crate::{Margin, Real, V3};

/// How a leg holds the platform at a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegHold {
    /// Unit vector along the last link towards the platform, in base axes. The last link ends at the attachment and
    /// begins at the last joint that slides or is not at the attachment; a slide's link is along its axis. With no
    /// such joint it is the axis of the last one.
    pub direction: V3<f64>,
    /// How well the motors of the leg move its end: dimensionless, 0 where the leg is singular (stretched,
    /// folded, along an axis of its own), 1 at best.
    ///
    /// A motor j that gives unit effort transmits a force f and, where the attachment takes one, a moment m to
    /// the platform; no other joint of the leg can resist them. E is the end of the link that the motor moves.
    /// Power is f·v_E + m·ω = 1 per unit of speed, and at most |f||v_E| + |m||ω|, so that
    ///
    /// ```text
    /// σ_j = 1 / (|f| ρ + |m|)   turning,  ρ the length from its axis to E,     σ_j = 1 / |f|   sliding
    /// ```
    ///
    /// is the cosine between the transmitted force and the velocity of E: for a leg with an arm and a rod that
    /// between rod and elbow velocity. It is the input transmission index of \[WangWuLiu2010\]. A passive joint
    /// j counts with the part of its velocity at the attachment that no other passive joint gives, over the
    /// lever that it has at best; so a leg along the first axis of its universal joint has 0. The smallest of
    /// all is the transmission of the leg.
    pub transmission: f64,
}

/// Everything about a leg in one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegReport {
    /// Contribution to the equation of motion.
    pub terms: LegTerms<f64>,
    /// Contribution to the inverse dynamics.
    pub effort: LegEffort<f64>,
    /// Kinetic energy \[J\].
    pub kinetic_energy: f64,
    /// Potential energy \[J\].
    pub potential_energy: f64,
    /// How it holds the platform.
    pub hold: LegHold,
}

impl LegEffort<f64> {
    /// The force that the leg exerts on the platform \[N\], base axes, while its motors give `motors`: what they
    /// give beyond the leg's own needs, J_i⁻ᵀ(Γ_i − H_i).
    pub fn force(&self, motors: &[f64]) -> V3<f64> {
        let [x, y, z, ..] = self.wrench;
        let mut force = -V3::new(x, y, z);
        for (joint, motor) in self.active.iter().zip(motors) {
            let [x, y, z, ..] = joint.row;
            force = force + V3::new(x, y, z) * (motor - joint.effort);
        }
        force
    }
}

impl AnyLeg<f64> {
    /// The active joints at a pose and how the leg holds the platform there. Margin as in
    /// [`LegModel::kinematics_into`](super::LegModel::kinematics_into).
    pub fn hold(&self, pose: &Pose<f64>) -> Margin<(ActiveJoints<f64>, LegHold), f64> {
        match self {
            Self::One(leg) => leg.hold(pose),
            Self::Two(leg) => leg.hold(pose),
            Self::Three(leg) => leg.hold(pose),
            Self::Four(leg) => leg.hold(pose),
            Self::Five(leg) => leg.hold(pose),
            Self::Six(leg) => leg.hold(pose),
            Self::Ups(leg) => leg.hold(pose),
        }
    }

    /// Everything about the leg in one state, the leg solved once.
    pub fn report(
        &self,
        pose: &Pose<f64>,
        twist: Twist<f64>,
        acceleration: Twist<f64>,
        gravity: V3<f64>,
    ) -> Margin<LegReport, f64> {
        match self {
            Self::One(leg) => leg.report(pose, twist, acceleration, gravity),
            Self::Two(leg) => leg.report(pose, twist, acceleration, gravity),
            Self::Three(leg) => leg.report(pose, twist, acceleration, gravity),
            Self::Four(leg) => leg.report(pose, twist, acceleration, gravity),
            Self::Five(leg) => leg.report(pose, twist, acceleration, gravity),
            Self::Six(leg) => leg.report(pose, twist, acceleration, gravity),
            Self::Ups(leg) => leg.report(pose, twist, acceleration, gravity),
        }
    }
}

impl Ups<f64> {
    /// See [`AnyLeg::hold`].
    pub fn hold(&self, pose: &Pose<f64>) -> Margin<(ActiveJoints<f64>, LegHold), f64> {
        let at = self.posture(pose);
        let mut joints = ActiveJoints::none();
        self.put_active(&at, [0.0; 3], &mut joints);
        Margin { value: (joints, Self::hold_at(&at)), margin: at.margin }
    }

    /// The slide pushes along the leg; the universal joint has sin q2 of its lever about the first axis.
    fn hold_at(at: &UpsPosture<f64>) -> LegHold {
        LegHold { direction: at.z, transmission: Real::sqrt(at.margin) }
    }

    /// See [`AnyLeg::report`].
    pub fn report(
        &self,
        pose: &Pose<f64>,
        twist: Twist<f64>,
        acceleration: Twist<f64>,
        gravity: V3<f64>,
    ) -> Margin<LegReport, f64> {
        let at = self.posture(pose);
        let (mut terms, mut effort) = (LegTerms::none(), LegEffort::none());
        self.put_terms(&at, twist, gravity, &mut terms);
        self.put_effort(&at, twist, acceleration, gravity, &mut effort);
        let (kinetic_energy, potential_energy) = self.energy_at(&at, twist, gravity);
        let hold = Self::hold_at(&at);
        let value = LegReport { terms, effort, kinetic_energy, potential_energy, hold };
        Margin { value, margin: at.margin }
    }
}

impl<const N: usize> Leg<f64, N> {
    /// See [`AnyLeg::hold`].
    pub fn hold(&self, pose: &Pose<f64>) -> Margin<(ActiveJoints<f64>, LegHold), f64> {
        let Margin { value: posture, margin } = self.posture(pose);
        let mut joints = ActiveJoints::none();
        self.select(&posture, [&[0.0; N]; 3], &mut joints);
        Margin { value: (joints, self.hold_at(&posture)), margin }
    }

    /// See [`AnyLeg::report`].
    pub fn report(
        &self,
        pose: &Pose<f64>,
        twist: Twist<f64>,
        acceleration: Twist<f64>,
        gravity: V3<f64>,
    ) -> Margin<LegReport, f64> {
        let Margin { value: posture, margin } = self.posture(pose);
        let rates = self.rates(&posture, pose, twist);
        let (mut terms, mut effort) = (LegTerms::none(), LegEffort::none());
        self.put_terms(&posture, &rates, gravity, &mut terms);
        self.put_effort(&posture, &rates, acceleration, gravity, &mut effort);
        let (kinetic_energy, potential_energy) = self.energy_at(&posture, twist, gravity);
        let hold = self.hold_at(&posture);
        Margin { value: LegReport { terms, effort, kinetic_energy, potential_energy, hold }, margin }
    }

    fn hold_at(&self, posture: &LegPosture<f64, N>) -> LegHold {
        let mut shape = Shape { joints: [None; 6], point: posture.chain.point };
        let mut rows = posture.jacobian_inverse.iter();
        let links = self.chain.links.iter().zip(&posture.chain.frames).zip(&posture.chain.screws);
        for (slot, ((link, frame), screw)) in shape.joints.iter_mut().zip(links) {
            let transmitted = rows.next().map_or(Wrench::zero(), |row| posture.attachment.wrench(row));
            *slot = Some(ShapeJoint {
                turns: link.kind == JointKind::Revolute,
                active: link.active,
                origin: frame.position,
                axis: frame.rotation.columns().z,
                transmitted,
                column: six(&posture.attachment.components(*screw)),
            });
        }
        shape.hold()
    }
}

fn six<const N: usize>(list: &[f64; N]) -> [f64; 6] {
    let mut out = [0.0; 6];
    out.iter_mut().zip(list).for_each(|(slot, value)| *slot = *value);
    out
}

/// A leg in one posture, as [`LegHold`] sees it.
struct Shape {
    joints: [Option<ShapeJoint>; 6],
    /// The attachment point \[m\].
    point: V3<f64>,
}

/// A joint of a leg, in base axes.
#[derive(Clone, Copy)]
struct ShapeJoint {
    turns: bool,
    active: bool,
    origin: V3<f64>,
    axis: V3<f64>,
    /// Force and moment at the attachment that unit effort of this joint gives: its row of J_i⁻¹.
    transmitted: Wrench<f64>,
    /// Its column of J_i: forces first, then moments.
    column: [f64; 6],
}

/// What is nearer counts as one point: as a part of the leg's size.
const NEAR: f64 = 1e-9;

fn length(v: V3<f64>) -> f64 {
    Real::sqrt(v.norm_sq())
}

/// The smaller one; NaN if one is NaN.
fn smaller(a: f64, b: f64) -> f64 {
    Real::min(a, b)
}

impl Shape {
    fn joints(&self) -> impl DoubleEndedIterator<Item = &ShapeJoint> {
        self.joints.iter().flatten()
    }

    fn hold(&self) -> LegHold {
        let mut least = 1.0;
        for (j, joint) in self.joints().enumerate() {
            let quality = if joint.active { self.driven(j, joint) } else { self.passive(j, joint) };
            least = smaller(least, quality);
        }
        LegHold { direction: self.direction(), transmission: least }
    }

    /// The largest distance from a joint to the attachment \[m\].
    fn size(&self) -> f64 {
        self.joints().fold(0.0, |size, joint| {
            let distance = length(self.point - joint.origin);
            if distance > size { distance } else { size }
        })
    }

    fn direction(&self) -> V3<f64> {
        let near = NEAR * self.size();
        let first = self.joints().next().map_or(self.point, |joint| joint.origin);
        let numbered = self.joints.iter().enumerate().rev();
        for (j, joint) in numbered.filter_map(|(j, joint)| joint.as_ref().map(|joint| (j, joint))) {
            let link = self.point - joint.origin;
            let length = length(link);
            if !joint.turns {
                // A slide pushes along its axis, which may have been given towards the base.
                let backwards = j > 0 && joint.axis.dot(self.point - first) < 0.0;
                return if backwards { -joint.axis } else { joint.axis };
            }
            if length > near {
                return link * (1.0 / length);
            }
        }
        self.joints().next_back().map_or(V3::zero(), |joint| joint.axis)
    }

    /// Points beyond joint j: the origins of the following joints, then the attachment.
    fn beyond(&self, j: usize) -> impl Iterator<Item = V3<f64>> {
        self.joints().skip(j + 1).map(|joint| joint.origin).chain(core::iter::once(self.point))
    }

    /// The end of the link that turning joint j moves and its distance from the axis; for axes that meet, as in
    /// a universal joint, the first point beyond their crossing and its distance from there.
    fn lever(&self, j: usize, joint: &ShapeJoint) -> (V3<f64>, f64) {
        let next = self.beyond(j).next().unwrap_or(self.point);
        let off_axis = length(joint.axis.cross(next - joint.origin));
        let near = NEAR * self.size();
        if off_axis > near {
            return (next, off_axis);
        }
        let apart = self.beyond(j).map(|point| (point, length(point - next)));
        apart.into_iter().find(|(_, distance)| *distance > near).unwrap_or((next, 0.0))
    }

    /// σ_j of a motor, see [`LegHold::transmission`].
    fn driven(&self, j: usize, joint: &ShapeJoint) -> f64 {
        let Wrench { force, moment } = joint.transmitted;
        if !joint.turns {
            return 1.0 / length(force);
        }
        let (end, lever) = self.lever(j, joint);
        let moment = moment + (self.point - end).cross(force);
        1.0 / (length(force) * lever + length(moment))
    }

    /// How much of its lever a passive joint keeps against the other passive joints.
    fn passive(&self, j: usize, joint: &ShapeJoint) -> f64 {
        // Components beyond the third are rotations: made lengths by the length of the leg.
        let scale = self.joints().next().map_or(1.0, |first| length(self.point - first.origin));
        let scaled = |column: &[f64; 6]| {
            let [a, b, c, d, e, f] = *column;
            (V3::new(a, b, c), V3::new(d, e, f) * scale)
        };
        let dot = |a: &Column, b: &Column| a.0.dot(b.0) + a.1.dot(b.1);
        let own = scaled(&joint.column);
        // What the others give is taken off, direction after direction.
        let mut basis: [Option<Column>; 6] = [None; 6];
        let mut rest = own;
        for (slot, (k, other)) in basis.iter_mut().zip(self.joints().enumerate()) {
            if k != j && !other.active {
                *slot = Some(scaled(&other.column));
            }
        }
        for k in 0..basis.len() {
            let (done, todo) = basis.split_at_mut(k);
            let Some(Some(column)) = todo.first_mut() else { continue };
            for direction in done.iter().flatten() {
                let part = dot(column, direction);
                *column = (column.0 - direction.0 * part, column.1 - direction.1 * part);
            }
            let size = Real::sqrt(dot(column, column));
            let inverse = if size > NEAR * scale { 1.0 / size } else { 0.0 };
            *column = (column.0 * inverse, column.1 * inverse);
            let part = dot(&rest, column);
            rest = (rest.0 - column.0 * part, rest.1 - column.1 * part);
        }
        let (kept, whole) = (Real::sqrt(dot(&rest, &rest)), Real::sqrt(dot(&own, &own)));
        let next = self.beyond(j).next().unwrap_or(self.point);
        let meets = joint.turns && length(joint.axis.cross(next - joint.origin)) <= NEAR * self.size();
        let at_best = if meets { length(self.point - next) } else { 0.0 };
        kept / if at_best > whole { at_best } else { whole }
    }
}

/// A column of J_i, rotations made lengths.
type Column = (V3<f64>, V3<f64>);
