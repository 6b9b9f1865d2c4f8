//! The general engine with sizes that are known only when a file is read.
//!
//! Legs answer in all six components of the platform's motion, whatever its freedoms: only picking the
//! freedoms and solving small systems depends on the sizes D and K, so nothing here is built once per
//! size. Equation numbers are those of \[KhalilIbrahim2007\], as in [`Mechanism`], whose sizes are
//! constants; a test holds both equal to the bit.

use super::dense::{self, MAX_FREEDOMS, MAX_MOTORS, PerFreedom, PerMotor, Qr};
use super::motor_factors::Scales;
use legwork_core::drive::Coulomb;
use legwork_core::engine::{
    ActiveJoints, Forward, ForwardSettings, Hexapod, JointKind, JointValue, LegEffort, LegHold, LegModel,
    LegReport, LegTerms, Lost, Mechanism, MotionSpace, Pose, RigidBody, StateError, TowardsPose, Twist, Ups,
    Wrench, search_pose,
};
use legwork_core::{Margin, Real, V3};
use std::borrow::Cow;

pub(crate) use super::engine_equations::{
    Accelerations, Efforts, EngineMotion, JointEquation, Motors, PlatformEquation,
};
use super::engine_equations::{EffortSum, EquationSum, add};
pub use crate::families::blueprint::AnyLeg;

/// Below this a margin counts as zero: seven digits above rounding. Margins have no unit.
const SINGULAR: f64 = 1e-9;

/// A robot of the general engine: legs of any shape in a list, sizes as numbers.
#[derive(Clone, Debug)]
pub struct EngineModel {
    /// The moving platform with what it carries, in its own axes.
    pub platform: RigidBody<f64>,
    /// The legs, in the working mode of the robot.
    pub legs: Vec<AnyLeg>,
    /// Places of the freedoms in the twist (vx, vy, vz, wx, wy, wz).
    pub freedoms: Vec<usize>,
    /// In base axes \[m/s²\].
    pub gravity: V3<f64>,
    /// What makes rotations of the platform comparable with its translations, and turning motors with slides \[m\].
    pub length: f64,
    /// The pose at which the legs without a closed form are where their search begins, and from which they are followed
    /// along straight motions. See [`at`](Self::at).
    pub anchor: Pose<f64>,
    /// The same robot as six legs in closed form, if it is one: four times as fast.
    pub(crate) hexapod: Option<Box<ClosedHexapod>>,
    pub(super) motors: usize,
    /// Whether some leg has no closed form.
    is_followed: bool,
}

/// Legs and platform that stand still, added up in all six components of the platform's motion.
#[derive(Clone, Debug)]
pub struct EngineAtRest {
    /// What holds against gravity: Σ Lᵢᵀ H_i and the platform's own \[N, N m\] \[KhalilIbrahim2007, Eq. 20\].
    pub weight: [f64; 6],
    /// Mass matrix \[kg, kg m, kg m²\].
    pub mass: [[f64; 6]; 6],
    /// Of each motor: its rate by the platform's twist.
    pub rows: Vec<[f64; 6]>,
    /// The smallest margin of the legs.
    pub margin: f64,
}

/// Six UPS legs in closed form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClosedHexapod {
    /// In any scalar, one leg after the other: the form for many states at once.
    pub hexapod: Hexapod<f64>,
    /// One state with its legs side by side; the same bits.
    #[cfg(target_feature = "avx2")]
    lanes: legwork_core::engine::HexapodLanes,
}

impl ClosedHexapod {
    fn new(hexapod: Hexapod<f64>) -> Self {
        Self {
            #[cfg(target_feature = "avx2")]
            lanes: legwork_core::engine::HexapodLanes::new(&hexapod),
            hexapod,
        }
    }

    /// The fastest form for one state.
    #[cfg(target_feature = "avx2")]
    pub(super) fn one_state(&self) -> &legwork_core::engine::HexapodLanes {
        &self.lanes
    }

    /// The fastest form for one state.
    #[cfg(not(target_feature = "avx2"))]
    pub(super) fn one_state(&self) -> &Hexapod<f64> {
        &self.hexapod
    }
}

impl EngineModel {
    pub(super) fn new(
        platform: RigidBody<f64>,
        legs: Vec<AnyLeg>,
        freedoms: Vec<usize>,
        gravity: V3<f64>,
        (length, anchor): (f64, Pose<f64>),
    ) -> Self {
        let closed = |leg: &AnyLeg| if let AnyLeg::Ups(leg) = leg { Some(*leg) } else { None };
        let six = legs.iter().map(closed).collect::<Option<Vec<_>>>().and_then(|legs| legs.try_into().ok());
        let full = freedoms == [0, 1, 2, 3, 4, 5];
        let hexapod = six
            .filter(|_| full)
            .map(|legs: [Ups<f64>; 6]| Box::new(ClosedHexapod::new(Hexapod { legs, platform, gravity })));
        let motors = legs.iter().map(LegModel::active_joints).sum();
        let is_followed = legs.iter().any(AnyLeg::is_numerical);
        Self { platform, legs, freedoms, gravity, length, anchor, hexapod, motors, is_followed }
    }

    /// The same robot with other legs, whose search begins at `anchor`.
    pub(super) fn with_legs(&self, legs: Vec<AnyLeg>, anchor: Pose<f64>) -> Self {
        Self::new(self.platform, legs, self.freedoms.clone(), self.gravity, (self.length, anchor))
    }

    /// Whether some leg has no closed form, so that it has to be followed.
    pub(crate) fn is_followed(&self) -> bool {
        self.is_followed
    }

    /// The legs where they are with the platform at a pose: those without a closed form followed there from the anchor.
    pub(crate) fn legs_at<'a>(&'a self, pose: &'a Pose<f64>) -> impl Iterator<Item = Cow<'a, AnyLeg>> {
        let found = |leg: &'a AnyLeg| match leg.followed(&self.anchor, pose) {
            Some(there) => Cow::Owned(there),
            None => Cow::Borrowed(leg),
        };
        self.legs.iter().map(found)
    }

    /// The same robot where its platform is at a pose: legs without a closed form are followed there along the straight
    /// motion from the anchor, and go on from there. A leg whose branch ends on the way stays open.
    #[must_use]
    pub fn at(&self, pose: &Pose<f64>) -> Cow<'_, Self> {
        if !self.is_followed {
            return Cow::Borrowed(self);
        }
        let legs = self.legs_at(pose).map(Cow::into_owned).collect();
        Cow::Owned(self.with_legs(legs, *pose))
    }

    /// Weight, mass and rows of the motors where it stands still at a pose.
    pub fn at_rest(&self, pose: &Pose<f64>) -> EngineAtRest {
        let (still, g) = (Twist::zero(), self.gravity);
        let inertia = self.platform.spatial(pose, pose.position);
        let mut rest = EngineAtRest {
            weight: inertia.apply(Twist::new(-g, V3::zero())).to_vector_linear_first(),
            mass: inertia.to_matrix(),
            rows: Vec::with_capacity(self.motors),
            margin: f64::INFINITY,
        };
        for leg in &self.legs {
            let Margin { value, margin } = leg.effort(pose, still, still, g);
            let terms = leg.terms(pose, still, g).value;
            rest.margin = Real::min(rest.margin, margin);
            add(&mut rest.weight, &value.wrench);
            for joint in value.active.iter() {
                add(&mut rest.weight, &joint.row.map(|row| row * joint.effort));
                rest.rows.push(joint.row);
            }
            for (sum, row) in rest.mass.iter_mut().zip(&terms.mass.to_matrix()) {
                add(sum, row);
            }
        }
        rest
    }

    /// The same with dry friction that passes smoothly through zero, for motion in time.
    pub(super) fn with_smooth_friction(&self) -> Self {
        self.with_legs(self.legs.iter().map(|leg| leg.smoothed(Coulomb::WIDTH)).collect(), self.anchor)
    }

    pub(super) fn scales(&self) -> Scales {
        Scales::new(self.length, &self.freedoms, self.motors)
    }

    pub(crate) fn motors(&self) -> usize {
        self.motors
    }

    /// Whether there is room for its motors and they can hold its freedoms.
    pub(super) fn fits(&self) -> bool {
        let freedoms = self.freedoms.len();
        (1..=MAX_FREEDOMS).contains(&freedoms) && (freedoms..=MAX_MOTORS).contains(&self.motors)
    }

    /// Turning or sliding, for each motor; needs no posture but asks one leg after the other at `pose`.
    pub(super) fn motor_kinds(&self, pose: &Pose<f64>) -> Vec<JointKind> {
        let kinds =
            |leg: &AnyLeg| leg.kinematics(pose).value.iter().map(|joint| joint.kind).collect::<Vec<_>>();
        self.legs.iter().flat_map(kinds).collect()
    }

    /// Sᵀ w: the components that are freedoms.
    pub(crate) fn picked(&self, six: &[f64; 6]) -> PerFreedom {
        let mut out = [0.0; MAX_FREEDOMS];
        for (slot, place) in out.iter_mut().zip(&self.freedoms) {
            *slot = six.get(*place).copied().unwrap_or(f64::NAN);
        }
        out
    }

    /// S V_r: the freedoms in their places (9).
    pub(crate) fn spread(&self, freedoms: &PerFreedom) -> Twist<f64> {
        let mut six = [0.0; 6];
        for (value, place) in freedoms.iter().zip(&self.freedoms) {
            if let Some(slot) = six.get_mut(*place) {
                *slot = *value;
            }
        }
        Twist::from_vector_linear_first(six)
    }

    /// For what does not depend on the freedoms, where its legs need not be followed.
    pub(super) fn free(&self) -> Mechanism<'_, f64, AnyLeg, 6, 6> {
        Mechanism {
            platform: self.platform,
            legs: &self.legs,
            space: MotionSpace::full().with_length(self.length),
            gravity: self.gravity,
        }
    }

    /// The motors at a pose, all rates zero. The margin is the smallest of the legs.
    pub(crate) fn kinematics(&self, pose: &Pose<f64>) -> Margin<Motors, f64> {
        self.kinematics_of(self.legs_at(pose), pose)
    }

    /// The same of legs that are there already.
    pub(super) fn kinematics_of<'a>(
        &self,
        legs: impl Iterator<Item = Cow<'a, AnyLeg>>,
        pose: &Pose<f64>,
    ) -> Margin<Motors, f64> {
        let (mut motors, mut joints) = (Motors::none(), ActiveJoints::none());
        let (mut at, mut least) = (0, f64::INFINITY);
        for leg in legs {
            let margin = leg.kinematics_into(pose, &mut joints);
            motors.take(&mut at, &joints, self, leg.active_seed());
            least = Real::min(least, margin);
        }
        Margin { value: motors, margin: least }
    }

    /// The motors at a pose, and how each leg holds the platform there.
    pub(super) fn holds(&self, pose: &Pose<f64>) -> (Margin<Motors, f64>, Vec<LegHold>) {
        let mut motors = Motors::none();
        let (mut at, mut least) = (0, f64::INFINITY);
        let hold = |leg: Cow<'_, AnyLeg>| {
            let Margin { value: (joints, hold), margin } = leg.hold(pose);
            motors.take(&mut at, &joints, self, leg.active_seed());
            least = Real::min(least, margin);
            hold
        };
        let holds = self.legs_at(pose).map(hold).collect();
        (Margin { value: motors, margin: least }, holds)
    }

    /// The equation of motion in platform space: (29), (30) and the rows of (80). The margin is the smallest
    /// of the legs.
    pub(crate) fn platform_equation(
        &self,
        pose: &Pose<f64>,
        twist: Twist<f64>,
    ) -> Margin<PlatformEquation, f64> {
        self.platform_equation_of(self.legs_at(pose), pose, twist)
    }

    /// The same of legs that are there already.
    pub(super) fn platform_equation_of<'a>(
        &self,
        legs: impl Iterator<Item = Cow<'a, AnyLeg>>,
        pose: &Pose<f64>,
        twist: Twist<f64>,
    ) -> Margin<PlatformEquation, f64> {
        let mut sum = EquationSum::new(self, pose, twist);
        let mut terms = LegTerms::none();
        for leg in legs {
            let margin = leg.terms_into(pose, twist, self.gravity, &mut terms);
            sum.add(self, &terms, leg.active_seed(), margin);
        }
        sum.finish(self)
    }

    /// Inverse dynamics (21), and (20) with more motors than freedoms, while `external` acts on the platform
    /// from outside (about its origin, base axes). The margin is the smallest of the legs' and of J_r⁻¹'s.
    pub(crate) fn inverse_dynamics(
        &self,
        motion: &EngineMotion,
        external: Wrench<f64>,
    ) -> Margin<Efforts, f64> {
        let EngineMotion { pose, twist, acceleration } = motion;
        let mut sum = EffortSum::new(self, motion, external);
        let mut own = LegEffort::none();
        for leg in self.legs_at(pose) {
            let margin = leg.effort_into(pose, *twist, *acceleration, self.gravity, &mut own);
            sum.add(self, &own, leg.active_seed(), margin);
        }
        sum.finish(self, motion)
    }

    /// Everything that the legs have to say about a motion, each leg solved once: the answers of
    /// [`inverse_dynamics`](Self::inverse_dynamics) and [`platform_equation`](Self::platform_equation) with the
    /// margin of the former, and the legs one by one.
    pub(super) fn everything(
        &self,
        motion: &EngineMotion,
        external: Wrench<f64>,
    ) -> (Margin<Efforts, f64>, PlatformEquation, Vec<LegReport>) {
        let EngineMotion { pose, twist, acceleration } = motion;
        let mut efforts = EffortSum::new(self, motion, external);
        let mut equation = EquationSum::new(self, pose, *twist);
        let report = |leg: Cow<'_, AnyLeg>| {
            let Margin { value, margin } = leg.report(pose, *twist, *acceleration, self.gravity);
            efforts.add(self, &value.effort, leg.active_seed(), margin);
            equation.add(self, &value.terms, leg.active_seed(), margin);
            value
        };
        let legs = self.legs_at(pose).map(report).collect();
        (efforts.finish(self, motion), equation.finish(self).value, legs)
    }

    /// Kinetic and potential energy of the platform \[J\].
    pub(super) fn platform_energy(&self, pose: &Pose<f64>, twist: Twist<f64>) -> (f64, f64) {
        let inertia = self.platform.spatial(pose, pose.position);
        let kinetic = inertia.apply(twist).power(twist) * 0.5;
        (kinetic, -(self.gravity.dot(pose.of(self.platform.centre)) * self.platform.mass))
    }

    /// Forward dynamics (28): accelerations for motor efforts and an `external` wrench on the platform. Needs
    /// no J_r, so it passes through parallel singularities. The margin is the smallest of the legs' and of
    /// the pivots of A_rob.
    pub(crate) fn forward_dynamics(
        &self,
        pose: &Pose<f64>,
        twist: Twist<f64>,
        effort: &PerMotor,
        external: Wrench<f64>,
    ) -> Margin<Accelerations, f64> {
        let Margin { value: equation, margin: least } = self.platform_equation(pose, twist);
        let outside = self.picked(&external.to_vector_linear_first());
        let Margin { value: platform, margin } = equation.acceleration(effort, &outside);
        let mut joint = dense::times(&equation.motors.rows, &platform, equation.freedoms);
        add(&mut joint, &equation.motors.bias);
        Margin { value: Accelerations { platform, joint }, margin: Real::min(margin, least) }
    }

    /// The answer, if its margin is good enough; else the leg that is at fault or, if none is, that the
    /// motors do not hold the platform.
    pub(crate) fn accept<V>(&self, pose: &Pose<f64>, found: Margin<V, f64>) -> Result<V, StateError> {
        if found.margin > SINGULAR {
            return Ok(found.value);
        }
        Err(self.leg_fault(pose).unwrap_or(StateError::Singular { margin: found.margin }))
    }

    /// As [`accept`](Self::accept) for what exists also where the motors do not hold the platform.
    pub(crate) fn accept_legs<V>(&self, pose: &Pose<f64>, found: Margin<V, f64>) -> Result<V, StateError> {
        if found.margin > SINGULAR {
            return Ok(found.value);
        }
        self.leg_fault(pose).map_or(Ok(found.value), Err)
    }

    /// As [`accept`](Self::accept) for accelerations: a light robot has small pivots, so only a leg at fault
    /// or a pivot that is not positive stops it.
    pub(crate) fn accept_masses<V>(&self, pose: &Pose<f64>, found: Margin<V, f64>) -> Result<V, StateError> {
        let margin = found.margin;
        let value = self.accept_legs(pose, found)?;
        if margin > 0.0 { Ok(value) } else { Err(StateError::NoMass { margin }) }
    }

    /// Which leg fails at a pose, if one does.
    #[cold]
    pub(crate) fn leg_fault(&self, pose: &Pose<f64>) -> Option<StateError> {
        for (leg, it) in self.legs.iter().enumerate() {
            match it.lost(&self.anchor, pose) {
                Some(Lost { way, joint, margin, closes_there: true, .. }) => {
                    return Some(StateError::BranchEnds { leg, joint, way, margin });
                }
                Some(Lost { gap, .. }) => return Some(StateError::Unreachable { leg, margin: -gap }),
                None => {}
            }
        }
        self.at(pose).free().leg_fault(pose)
    }

    /// One step of Newton's method towards the pose with the motors at `q`: V_r solves
    /// J_r⁻¹ V_r = q − q(pose); the rotation is updated on the rotation group.
    fn newton_step(&self, pose: &Pose<f64>, q: &PerMotor) -> TowardsPose<MAX_MOTORS> {
        let Margin { value: motors, margin: least } = self.kinematics(pose);
        let mut missing = [0.0; MAX_MOTORS];
        for k in 0..self.motors.min(MAX_MOTORS) {
            let wanted = JointValue::of(motors.kinds[k], q[k]);
            missing[k] = wanted.minus(&motors.values[k], motors.kinds[k]);
        }
        let scales = self.scales();
        let factors = scales.factors(motors.rows());
        let (step, missed) = factors.solve(&missing);
        TowardsPose {
            twist: self.spread(&step),
            missing,
            gap: scales.motor_norm(&motors.kinds, &missing),
            missed,
            margin: Real::min(least, factors.margin()),
        }
    }

    /// The pose at which the motors are at `q` \[rad or m\], where they lead from `start`: see [`search_pose`].
    pub(crate) fn forward_kinematics(
        &self,
        q: &PerMotor,
        start: &Pose<f64>,
        settings: ForwardSettings,
    ) -> Forward {
        search_pose(|pose: &Pose<f64>, q: &PerMotor| self.newton_step(pose, q), q, start, settings)
    }

    /// `steps` steps of Newton's method from `near`, whatever they lead to; then the gap that is left, the
    /// motors there and the margin. For loops whose work has to be bounded.
    pub(crate) fn newton_steps(&self, q: &PerMotor, near: &Pose<f64>, steps: usize) -> (Pose<f64>, f64, f64) {
        let mut pose = *near;
        for _ in 0..steps {
            pose = pose.moved(&self.newton_step(&pose, q).twist);
        }
        let last = self.newton_step(&pose, q);
        (pose, last.gap, last.margin)
    }

    /// The volume that the unit wrenches of the motors span, see [`Singularity`](crate::Singularity); `size` makes
    /// rotations lengths.
    pub(super) fn held_volume(&self, motors: &Motors, size: f64) -> f64 {
        let (freedoms, count) = (self.freedoms.len(), self.motors);
        let mut unit = motors.rows;
        for row in &mut unit {
            for (entry, place) in row.iter_mut().zip(&self.freedoms) {
                *entry /= if *place < 3 { 1.0 } else { size };
            }
            let length = dense::dot(row, row, freedoms).sqrt();
            *row = row.map(|entry| entry / length);
        }
        let best = (count as f64 / freedoms as f64).powf(0.5 * freedoms as f64);
        Qr::new(&unit, count, freedoms).volume() / best
    }

    /// J_r of V_r = J_r q̇_a, and the margin of J_r⁻¹.
    pub(crate) fn jacobian(&self, motors: &Motors) -> Margin<[PerMotor; MAX_FREEDOMS], f64> {
        let factors = self.scales().factors(motors.rows());
        Margin { value: factors.inverse(), margin: factors.margin() }
    }

    /// V_r for rates of the motors: J_r⁻¹ V_r = q̇, in the least-squares sense with more motors than
    /// freedoms. The margin is that of J_r⁻¹.
    pub(crate) fn platform_rate(&self, motors: &Motors, qdot: &PerMotor) -> Margin<PerFreedom, f64> {
        let factors = self.scales().factors(motors.rows());
        Margin { value: factors.solve(qdot).0, margin: factors.margin() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::BUILT_IN;
    use crate::random::Random;
    use crate::robot::{AnyRobot, Kind};
    use legwork_core::engine::PlatformMotion;
    use std::array::from_fn;

    /// The model asked with sizes from its file and with constant sizes, at random states about home.
    fn equal_to_constant_sizes<const D: usize, const K: usize>(
        name: &str,
        model: &EngineModel,
        home: &Pose<f64>,
    ) {
        let places: [usize; D] = model.freedoms.as_slice().try_into().unwrap();
        let constant = Mechanism::<f64, AnyLeg, D, K> {
            platform: model.platform,
            legs: &model.legs,
            space: MotionSpace::of_components(places).with_length(model.length),
            gravity: model.gravity,
        };
        let mut random = Random::new(3);
        let mut some = |size: f64| -> [f64; D] { from_fn(|_| random.uniform(-size, size)) };
        let room = |list: &[f64]| -> PerFreedom { from_fn(|i| list.get(i).copied().unwrap_or(0.0)) };
        let mut answered = 0;
        for _ in 0..40 {
            let pose = home.moved(&constant.space.twist(&some(0.03)));
            let motion = PlatformMotion { pose, rate: some(1.0), acceleration: some(10.0) };
            let own = EngineMotion {
                pose,
                twist: model.spread(&room(&motion.rate)),
                acceleration: model.spread(&room(&motion.acceleration)),
            };
            let pull = Wrench::new(V3::new(5.0, -3.0, 2.0), V3::new(0.5, 1.0, -2.0));
            let (a, b) = (model.inverse_dynamics(&own, pull), constant.inverse_dynamics(&motion, pull));
            answered += usize::from(a.margin > SINGULAR);
            let equal = |a: &[f64], b: &[f64]| {
                let same = a.iter().zip(b).all(|(a, b)| a == b || (a.is_nan() && b.is_nan()));
                assert!(same, "{name}: {a:?} {b:?}");
            };
            equal(&[a.margin], &[b.margin]);
            equal(&a.value.effort, &b.value.effort);
            equal(&a.value.motors.rate, &b.value.rate);
            equal(&a.value.acceleration, &b.value.acceleration);
            let tau: [f64; K] = from_fn(|k| 3.0 * k as f64 - 4.0);
            let mut efforts = [0.0; MAX_MOTORS];
            efforts[..K].copy_from_slice(&tau);
            let a = model.forward_dynamics(&pose, own.twist, &efforts, pull);
            let b = constant.direct_dynamics(&pose, &motion.rate, &tau, pull);
            equal(&[a.margin], &[b.margin]);
            equal(&a.value.platform, &b.value.platform);
            equal(&a.value.joint, &b.value.joint);
            let a = model.platform_equation(&pose, own.twist).value;
            let b = constant.task_dynamics(&pose, &motion.rate).value;
            equal(&a.coriolis, &b.coriolis);
            equal(&a.gravity, &b.gravity);
            let (a, b) = (a.in_joint_space().value, b.joint_dynamics().value);
            for (a, b) in a.mass.iter().zip(&b.mass).chain(a.jacobian.iter().zip(&b.jacobian)) {
                equal(a, b);
            }
            equal(&a.coriolis, &b.coriolis);
            equal(&a.friction, &b.friction);
            let found = constant.kinematics(&pose).value.coordinates();
            let mut q = [0.0; MAX_MOTORS];
            q[..K].copy_from_slice(&found);
            let settings = ForwardSettings::default().with_tolerance(1e-14);
            let a = model.forward_kinematics(&q, home, settings);
            assert_eq!(a, constant.forward_kinematics(&found, home, settings), "{name}");
        }
        assert!(answered > 20, "{name}: {answered} answers");
    }

    #[test]
    fn equal_to_constant_sizes_to_the_bit() {
        let mut seen = 0;
        for entry in BUILT_IN {
            let robot = AnyRobot::open(entry.name).unwrap();
            let Kind::Engine(robot) = &robot.kind else { continue };
            let (model, home) = (robot.model(), robot.home_pose());
            match (model.freedoms.len(), model.motors()) {
                (2, 2) => equal_to_constant_sizes::<2, 2>(entry.name, model, &home),
                (3, 3) => equal_to_constant_sizes::<3, 3>(entry.name, model, &home),
                (6, 6) => equal_to_constant_sizes::<6, 6>(entry.name, model, &home),
                // Three pairs of sizes are enough to tell that sizes do not matter.
                _ => continue,
            }
            seen += 1;
        }
        assert!(seen >= 8, "{seen} robots of the engine");
    }
}
