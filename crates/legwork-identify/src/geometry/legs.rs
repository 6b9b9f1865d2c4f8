//! Legs whose parameters may change: where the platform is for given readings, and how it moves with them and with the
//! parameters: exact, by dual numbers through the legs and the implicit function theorem.
//!
//! ```text
//! q(x, p) = reading                 the inverse kinematics of the legs                      (1)
//! ∂q/∂x δx + ∂q/∂p δp = 0    ⇒     δx = −(∂q/∂x)⁺ ∂q/∂p δp                                 (2)
//! ```

use super::model::{Model, Slopes, least, pseudo_inverse, wrapped};
use legwork::engine::{AnyLeg, JointKind, Leg, LegInverse, Pose, Ups};
use legwork::{Dual, M3, Real, V3};
use nalgebra::{DMatrix, DVector};

/// Six directions at once.
type Six = Dual<f64, 6>;

/// A joint of a leg: which, and its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegJoint<T> {
    /// Whether it has a motor.
    pub active: bool,
    /// What it lets its link do.
    pub kind: JointKind,
    /// Its coordinate \[rad or m\].
    pub value: T,
}

/// Every joint of a leg at a pose, base first.
pub fn joints_of<T: Real>(leg: &AnyLeg<T>, pose: &Pose<T>) -> Vec<LegJoint<T>> {
    fn chain<T: Real, const N: usize>(leg: &Leg<T, N>, pose: &Pose<T>) -> Vec<LegJoint<T>> {
        let found = leg.inverse.solve(&leg.chain, &leg.attachment, pose).value;
        let links = leg.chain.links.iter().zip(found);
        links
            .map(|(link, joint)| LegJoint {
                active: link.active,
                kind: link.kind,
                value: joint.coordinate(link.kind),
            })
            .collect()
    }
    fn slide<T: Real>(leg: &Ups<T>, pose: &Pose<T>) -> Vec<LegJoint<T>> {
        let value = leg.posture(pose).length - leg.zero_length();
        vec![LegJoint { active: true, kind: JointKind::Prismatic, value }]
    }
    match leg {
        AnyLeg::One(leg) => chain(leg, pose),
        AnyLeg::Two(leg) => chain(leg, pose),
        AnyLeg::Three(leg) => chain(leg, pose),
        AnyLeg::Four(leg) => chain(leg, pose),
        AnyLeg::Five(leg) => chain(leg, pose),
        AnyLeg::Six(leg) => chain(leg, pose),
        AnyLeg::Ups(leg) => slide(leg, pose),
    }
}

/// The pose moved by a small twist in the axes of the base, its rotation about its own origin.
fn moved(pose: &Pose<f64>, twist: &[f64; 6]) -> Pose<f64> {
    let [x, y, z, rx, ry, rz] = *twist;
    let turn = legwork::engine::turn_by(V3::new(rx, ry, rz));
    Pose::new(turn * pose.rotation, pose.position + V3::new(x, y, z))
}

/// The pose with the six components of its twist as variables.
fn varied(pose: &Pose<f64>) -> Pose<Six> {
    let variable = |k: usize| Six::variable(0.0, k);
    let turn = legwork::engine::turn_by(V3::new(variable(3), variable(4), variable(5)));
    let rotation = pose.rotation.to_rows().map(|row| V3::from(row.map(Six::from_f64)));
    let [a, b, c] = rotation;
    let position = pose.position.map(Six::from_f64) + V3::new(variable(0), variable(1), variable(2));
    Pose::new(turn * M3::from_rows(a, b, c), position)
}

impl Model {
    /// The legs with these values of the parameters.
    pub fn legs(&self, values: &[f64]) -> Vec<AnyLeg<f64>> {
        let value = |k: usize| values.get(k).copied().unwrap_or(0.0);
        let legs = self.drawn.legs().iter().enumerate();
        legs.map(|(k, leg)| {
            let built = leg.as_built(&self.parameters.correction(k, value));
            if built.is_numerical() { built.found_numerically(&self.drawn.home.pose) } else { built }
        })
        .collect()
    }

    /// The legs where their platform is, those without a closed form followed there.
    fn there(&self, legs: &[AnyLeg<f64>], pose: &Pose<f64>) -> Vec<AnyLeg<f64>> {
        legs.iter().map(|leg| leg.followed(&self.drawn.home.pose, pose).unwrap_or(*leg)).collect()
    }

    /// What the motors read at a pose, and how much each of them changes with the twist of the platform.
    pub fn leg_readings(
        &self,
        legs: &[AnyLeg<f64>],
        pose: &Pose<f64>,
    ) -> (Vec<f64>, Vec<[f64; 6]>, Vec<bool>) {
        let varied = varied(pose);
        let (mut q, mut rows, mut turns) = (Vec::new(), Vec::new(), Vec::new());
        for leg in self.there(legs, pose) {
            let dual: AnyLeg<Six> = found(&leg).map(Six::from_f64);
            for joint in joints_of(&dual, &varied).into_iter().filter(|joint| joint.active) {
                q.push(joint.value.re);
                rows.push(joint.value.eps);
                turns.push(joint.kind == JointKind::Revolute);
            }
        }
        (q, rows, turns)
    }

    /// The pose at which the motors read `q`, from a pose nearby; `None` if there is none.
    pub(super) fn pose_of_legs(
        &self,
        legs: &[AnyLeg<f64>],
        q: &[f64],
        start: &Pose<f64>,
    ) -> Option<Pose<f64>> {
        let freedoms = &self.drawn.freedoms;
        let (mut pose, mut last) = (*start, f64::INFINITY);
        for _ in 0..60 {
            let (at, rows, turns) = self.leg_readings(legs, &pose);
            if at.len() != q.len() {
                return None;
            }
            let gap = |k: usize| {
                let gap = q[k] - at[k];
                if turns[k] { wrapped(gap) } else { gap }
            };
            let inverse = DMatrix::from_fn(at.len(), freedoms.len(), |k, j| rows[k][freedoms[j]]);
            let step = least(&inverse, &DVector::from_fn(at.len(), |k, _| gap(k)))?;
            let mut twist = [0.0; 6];
            for (place, part) in freedoms.iter().zip(step.iter()) {
                twist[*place] = *part;
            }
            let length = twist.iter().map(|x| x * x).sum::<f64>().sqrt();
            if !length.is_finite() {
                return None;
            }
            // Rotations in radians and lengths in metres are both small beside one where this matters.
            let most = 0.25 * self.drawn.size.max(0.05);
            let part = if length > most { most / length } else { 1.0 };
            pose = moved(&pose, &twist.map(|x| x * part));
            // Until rounding: the step does not become smaller any more.
            if length < 1e-9 && length >= 0.5 * last || length < 1e-14 {
                return Some(pose);
            }
            last = length;
        }
        (last < 1e-9).then_some(pose)
    }

    /// How the platform moves at a pose with the parameters and with the motors (2).
    pub(super) fn slopes_of_legs(
        &self,
        legs: &[AnyLeg<f64>],
        values: &[f64],
        pose: &Pose<f64>,
    ) -> Option<Slopes> {
        let (_, rows, _) = self.leg_readings(legs, pose);
        let freedoms = &self.drawn.freedoms;
        let by_parameters = self.reading_slopes(legs, values, pose);
        let inverse = DMatrix::from_fn(rows.len(), freedoms.len(), |k, j| rows[k][freedoms[j]]);
        let pseudo = pseudo_inverse(&inverse)?;
        let spread = |by: DMatrix<f64>| {
            let mut six = DMatrix::zeros(6, by.ncols());
            for (row, place) in freedoms.iter().enumerate() {
                six.row_mut(*place).copy_from(&by.row(row));
            }
            six
        };
        Some(Slopes { platform: spread(-(&pseudo * by_parameters)), motors: spread(pseudo) })
    }

    /// ∂q/∂p at a pose: of every motor by every parameter.
    pub fn reading_slopes(&self, legs: &[AnyLeg<f64>], values: &[f64], pose: &Pose<f64>) -> DMatrix<f64> {
        let still = fixed(pose);
        let count = self.parameters.list.len();
        let motors: usize = legs.iter().map(legwork::engine::LegModel::active_joints).sum();
        let mut slopes = DMatrix::zeros(motors, count);
        let mut first = 0;
        for (k, leg) in self.there(legs, pose).iter().enumerate() {
            let own = self.own(k);
            for chunk in own.chunks(6) {
                let built = self.built_dual(k, leg, values, chunk);
                let found = joints_of(&built, &still);
                for (motor, joint) in found.iter().filter(|joint| joint.active).enumerate() {
                    for (slot, parameter) in chunk.iter().enumerate() {
                        slopes[(first + motor, *parameter)] = joint.value.eps[slot];
                    }
                }
            }
            first += legwork::engine::LegModel::active_joints(leg);
        }
        slopes
    }

    #[allow(clippy::type_complexity)] // value, slopes by the twist, slopes by parameters
    /// A joint of a leg at a pose, and how it changes with the platform's twist and with the parameters.
    pub(super) fn joint_of_leg(
        &self,
        legs: &[AnyLeg<f64>],
        values: &[f64],
        pose: &Pose<f64>,
        (leg, joint): (usize, usize),
    ) -> Option<(f64, [f64; 6], Vec<(usize, f64)>)> {
        let there = self.there(legs.get(leg..=leg)?, pose);
        let there = there.first()?;
        let dual: AnyLeg<Six> = found(there).map(Six::from_f64);
        let at = joints_of(&dual, &varied(pose)).get(joint).copied()?.value;
        let mut by = Vec::new();
        for chunk in self.own(leg).chunks(6) {
            let built = self.built_dual(leg, there, values, chunk);
            let value = joints_of(&built, &fixed(pose)).get(joint).copied()?.value;
            by.extend(chunk.iter().zip(value.eps).map(|(parameter, slope)| (*parameter, slope)));
        }
        Some((at.re, at.eps, by))
    }

    /// The places of a leg's own parameters.
    fn own(&self, leg: usize) -> Vec<usize> {
        let list = self.parameters.list.iter().enumerate();
        list.filter(|(_, parameter)| parameter.leg == leg).map(|(k, _)| k).collect()
    }

    /// A leg as it was built, with these parameters as variables; `there` is the same leg where its joints were found.
    fn built_dual(
        &self,
        leg: usize,
        there: &AnyLeg<f64>,
        values: &[f64],
        variables: &[usize],
    ) -> AnyLeg<Six> {
        let drawn = match there.seed() {
            Some(seed) => self.drawn.legs()[leg].with_seed(&seed, LegInverse::<f64, 1>::FOUND_STEPS),
            None => self.drawn.legs()[leg],
        };
        let value = |k: usize| {
            let x = values.get(k).copied().unwrap_or(0.0);
            variables.iter().position(|v| *v == k).map_or(Six::constant(x), |slot| Six::variable(x, slot))
        };
        drawn.map(Six::from_f64).as_built(&self.parameters.correction(leg, value))
    }
}

fn fixed(pose: &Pose<f64>) -> Pose<Six> {
    let [a, b, c] = pose.rotation.to_rows().map(|row| V3::from(row.map(Six::from_f64)));
    Pose::new(M3::from_rows(a, b, c), pose.position.map(Six::from_f64))
}

/// A leg that was followed needs few steps from where it is.
fn found(leg: &AnyLeg<f64>) -> AnyLeg<f64> {
    match leg.seed() {
        Some(seed) => leg.with_seed(&seed, LegInverse::<f64, 1>::FOUND_STEPS),
        None => *leg,
    }
}
