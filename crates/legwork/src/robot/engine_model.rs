//! The general engine with sizes that are known only when a file is read.
//!
//! Legs answer in all six components of the platform's motion, whatever its freedoms: only picking the
//! freedoms and solving small systems depends on the sizes D and K, so nothing here is built once per
//! size. Equation numbers are those of \[KhalilIbrahim2007\], as in [`Mechanism`], whose sizes are
//! constants; a test holds both equal to the bit.

use super::dense::{self, MAX_FREEDOMS, MAX_MOTORS, PerFreedom, PerMotor, Qr};
use legwork_core::drive::Coulomb;
use legwork_core::engine::{
    ActiveJoints, Forward, ForwardSettings, Hexapod, JointKind, JointValue, LegEffort, LegHold, LegModel,
    LegReport, LegTerms, Mechanism, MotionSpace, PlatformMass, Pose, RigidBody, SpatialInertia, StateError,
    Twist, Ups, Wrench,
};
use legwork_core::{Margin, Real, V3};
use std::array::from_fn;

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
    /// The same robot as six legs in closed form, if it is one: four times as fast.
    pub(crate) hexapod: Option<Box<ClosedHexapod>>,
    motors: usize,
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

/// Where the platform is, how fast it moves and how it accelerates; what are no freedoms are zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EngineMotion {
    pub pose: Pose<f64>,
    pub twist: Twist<f64>,
    pub acceleration: Twist<f64>,
}

/// The motors of the whole robot at one instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motors {
    pub kinds: [JointKind; MAX_MOTORS],
    pub values: [JointValue<f64>; MAX_MOTORS],
    /// J_r⁻¹ (80): q̇_a = J_r⁻¹ V_r.
    pub rows: [PerFreedom; MAX_MOTORS],
    /// q̇_a \[rad/s or m/s\]
    pub rate: PerMotor,
    /// What velocities alone add to q̈_a: q̈_a = J_r⁻¹ V̇_r + bias.
    pub bias: PerMotor,
    /// H_a (21); zero where not asked for.
    pub effort: PerMotor,
}

/// The answer of the inverse dynamics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Efforts {
    /// Γ \[N m or N\], friction included.
    pub effort: PerMotor,
    /// q̈_a
    pub acceleration: PerMotor,
    /// Where the motors are and how fast they move.
    pub motors: Motors,
}

/// The answer of the forward dynamics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accelerations {
    /// V̇_r
    pub platform: PerFreedom,
    /// q̈_a
    pub joint: PerMotor,
}

/// The equation of motion in platform space, the bracket of (20):
/// `mass V̇_r + coriolis + gravity + friction = J_r^{−T} Γ + Sᵀ w`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlatformEquation {
    freedoms: usize,
    count: usize,
    scales: Scales,
    /// A_rob (29)
    pub mass: [PerFreedom; MAX_FREEDOMS],
    /// Coriolis and centrifugal part of h_rob (30).
    pub coriolis: PerFreedom,
    /// Weight part of h_rob.
    pub gravity: PerFreedom,
    /// Friction of all joints.
    pub friction: PerFreedom,
    /// The motors and J_r⁻¹.
    pub motors: Motors,
}

/// The equation of motion in joint space: Γ = mass q̈_a + coriolis + gravity + friction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointEquation {
    pub mass: [PerMotor; MAX_MOTORS],
    pub coriolis: PerMotor,
    pub gravity: PerMotor,
    pub friction: PerMotor,
    /// J_r: V_r = J_r q̇_a.
    pub jacobian: [PerMotor; MAX_FREEDOMS],
}

/// What makes freedoms and motors comparable: the platform's size, and 1 or that size for each freedom. As
/// [`legwork_core::engine::MotionScales`].
#[derive(Clone, Copy, Debug)]
struct Scales {
    length: f64,
    units: PerFreedom,
}

impl Scales {
    /// The margin of J_r⁻¹ with all lengths in units of the platform's size.
    fn motor_margin(&self, motors: &Motors, count: usize, freedoms: usize, qr: &Qr) -> f64 {
        let kinds = motors.kinds.iter().take(count);
        let turns = kinds.clone().filter(|kind| **kind == JointKind::Revolute).count();
        if turns == count {
            return qr.margin_in(&self.units) * self.length;
        }
        if turns == 0 {
            return qr.margin_in(&self.units);
        }
        let mut lengths = motors.rows;
        for (row, kind) in lengths.iter_mut().zip(kinds) {
            if *kind == JointKind::Revolute {
                *row = row.map(|entry| entry * self.length);
            }
        }
        Qr::new(&lengths, count, freedoms).margin_in(&self.units)
    }

    /// Turns as they are, slides in units of the platform's size.
    fn motor_norm(&self, kinds: &[JointKind; MAX_MOTORS], q: &PerMotor, count: usize) -> f64 {
        let mut sum = 0.0;
        for (kind, q) in kinds.iter().zip(q).take(count) {
            let q = if *kind == JointKind::Revolute { *q } else { *q / self.length };
            sum += q * q;
        }
        sum.sqrt()
    }
}

impl Motors {
    fn none() -> Self {
        let zero = [0.0; MAX_MOTORS];
        Self {
            kinds: [JointKind::Prismatic; MAX_MOTORS],
            values: [JointValue::slid(0.0); MAX_MOTORS],
            rows: [[0.0; MAX_FREEDOMS]; MAX_MOTORS],
            rate: zero,
            bias: zero,
            effort: zero,
        }
    }

    /// Takes the joints of one leg in.
    fn take(&mut self, at: &mut usize, joints: &ActiveJoints<f64>, model: &EngineModel) {
        for joint in joints.iter() {
            let k = *at;
            if k < MAX_MOTORS {
                self.kinds[k] = joint.kind;
                self.values[k] = joint.value;
                self.rows[k] = model.picked(&joint.row);
                self.rate[k] = joint.rate;
                self.bias[k] = joint.bias;
                self.effort[k] = joint.effort;
            }
            *at += 1;
        }
    }

    /// q_a \[rad or m\]
    pub(super) fn coordinate(&self, k: usize) -> f64 {
        self.values[k].coordinate(self.kinds[k])
    }
}

impl EngineModel {
    pub(super) fn new(
        platform: RigidBody<f64>,
        legs: Vec<AnyLeg>,
        freedoms: Vec<usize>,
        gravity: V3<f64>,
        length: f64,
    ) -> Self {
        let closed = |leg: &AnyLeg| if let AnyLeg::Ups(leg) = leg { Some(*leg) } else { None };
        let six = legs.iter().map(closed).collect::<Option<Vec<_>>>().and_then(|legs| legs.try_into().ok());
        let full = freedoms == [0, 1, 2, 3, 4, 5];
        let hexapod = six
            .filter(|_| full)
            .map(|legs: [Ups<f64>; 6]| Box::new(ClosedHexapod::new(Hexapod { legs, platform, gravity })));
        let motors = legs.iter().map(LegModel::active_joints).sum();
        Self { platform, legs, freedoms, gravity, length, hexapod, motors }
    }

    /// The same robot with other legs.
    pub(super) fn with_legs(&self, legs: Vec<AnyLeg>) -> Self {
        Self::new(self.platform, legs, self.freedoms.clone(), self.gravity, self.length)
    }

    /// The same with dry friction that passes smoothly through zero, for motion in time.
    pub(super) fn with_smooth_friction(&self) -> Self {
        self.with_legs(self.legs.iter().map(|leg| leg.smoothed(Coulomb::WIDTH)).collect())
    }

    fn scales(&self) -> Scales {
        let mut units = [1.0; MAX_FREEDOMS];
        for (unit, place) in units.iter_mut().zip(&self.freedoms) {
            *unit = if *place < 3 { 1.0 } else { self.length };
        }
        Scales { length: self.length, units }
    }

    /// The margin of J_r⁻¹.
    fn motor_margin(&self, motors: &Motors, qr: &Qr) -> f64 {
        self.scales().motor_margin(motors, self.motors, self.freedoms.len(), qr)
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

    /// For what does not depend on the freedoms.
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
        let (mut motors, mut joints) = (Motors::none(), ActiveJoints::none());
        let (mut at, mut least) = (0, f64::INFINITY);
        for leg in &self.legs {
            let margin = leg.kinematics_into(pose, &mut joints);
            motors.take(&mut at, &joints, self);
            least = Real::min(least, margin);
        }
        Margin { value: motors, margin: least }
    }

    /// The motors at a pose, and how each leg holds the platform there.
    pub(super) fn holds(&self, pose: &Pose<f64>) -> (Margin<Motors, f64>, Vec<LegHold>) {
        let mut motors = Motors::none();
        let (mut at, mut least) = (0, f64::INFINITY);
        let hold = |leg: &AnyLeg| {
            let Margin { value: (joints, hold), margin } = leg.hold(pose);
            motors.take(&mut at, &joints, self);
            least = Real::min(least, margin);
            hold
        };
        let holds = self.legs.iter().map(hold).collect();
        (Margin { value: motors, margin: least }, holds)
    }

    /// The equation of motion in platform space: (29), (30) and the rows of (80). The margin is the smallest
    /// of the legs.
    pub(crate) fn platform_equation(
        &self,
        pose: &Pose<f64>,
        twist: Twist<f64>,
    ) -> Margin<PlatformEquation, f64> {
        let mut sum = EquationSum::new(self, pose, twist);
        let mut terms = LegTerms::none();
        for leg in &self.legs {
            let margin = leg.terms_into(pose, twist, self.gravity, &mut terms);
            sum.add(self, &terms, margin);
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
        for leg in &self.legs {
            let margin = leg.effort_into(pose, *twist, *acceleration, self.gravity, &mut own);
            sum.add(self, &own, margin);
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
        let report = |leg: &AnyLeg| {
            let Margin { value, margin } = leg.report(pose, *twist, *acceleration, self.gravity);
            efforts.add(self, &value.effort, margin);
            equation.add(self, &value.terms, margin);
            value
        };
        let legs = self.legs.iter().map(report).collect();
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
        self.free().leg_fault(pose)
    }

    /// One step of Newton's method towards the pose with the motors at `q`: V_r solves
    /// J_r⁻¹ V_r = q − q(pose); the rotation is updated on the rotation group.
    fn newton_step(&self, pose: &Pose<f64>, q: &PerMotor) -> NewtonStep {
        let Margin { value: motors, margin: least } = self.kinematics(pose);
        let mut missing = [0.0; MAX_MOTORS];
        for k in 0..self.motors.min(MAX_MOTORS) {
            let wanted = JointValue::of(motors.kinds[k], q[k]);
            missing[k] = wanted.minus(&motors.values[k], motors.kinds[k]);
        }
        let qr = Qr::new(&motors.rows, self.motors, self.freedoms.len());
        let (step, missed_sq) = qr.solve(&missing);
        NewtonStep {
            twist: self.spread(&step),
            gap: self.scales().motor_norm(&motors.kinds, &missing, self.motors),
            missed: missed_sq.sqrt(),
            margin: Real::min(least, self.motor_margin(&motors, &qr)),
        }
    }

    /// The pose near `start` at which the motors are at `q` \[rad or m\].
    ///
    /// Newton's method; a step that makes the gap larger or leaves the reach of a leg is halved, ten times at
    /// most. Which assembly mode is found depends on the start alone.
    pub(crate) fn forward_kinematics(
        &self,
        q: &PerMotor,
        start: &Pose<f64>,
        settings: ForwardSettings,
    ) -> Forward {
        let mut pose = *start;
        let mut here = self.newton_step(&pose, q);
        for steps in 0..=settings.max_steps {
            let NewtonStep { gap, margin, missed, .. } = here;
            if gap <= settings.tolerance {
                return Forward::Converged { pose, steps, gap };
            }
            if gap.is_nan() || margin.is_nan() || margin <= settings.singular {
                return Forward::Singular { pose, steps, gap, margin };
            }
            if steps == settings.max_steps {
                break;
            }
            let mut step = here.twist;
            let mut better = None;
            for _ in 0..10 {
                let trial = pose.moved(&step);
                let next = self.newton_step(&trial, q);
                if next.gap < gap {
                    better = Some((trial, next));
                    break;
                }
                step = step * 0.5;
            }
            match better {
                Some(found) => (pose, here) = found,
                // Rounding stops a closed gap from shrinking further.
                None if gap <= 64.0 * settings.tolerance => {
                    return Forward::Converged { pose, steps, gap };
                }
                None => return Forward::Stalled { pose, steps, gap, missed },
            }
        }
        Forward::Stalled { pose, steps: settings.max_steps, gap: here.gap, missed: here.missed }
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
        let qr = Qr::new(&motors.rows, self.motors, self.freedoms.len());
        Margin { value: qr.inverse(), margin: self.motor_margin(motors, &qr) }
    }

    /// V_r for rates of the motors: J_r⁻¹ V_r = q̇, in the least-squares sense with more motors than
    /// freedoms. The margin is that of J_r⁻¹.
    pub(crate) fn platform_rate(&self, motors: &Motors, qdot: &PerMotor) -> Margin<PerFreedom, f64> {
        let qr = Qr::new(&motors.rows, self.motors, self.freedoms.len());
        Margin { value: qr.solve(qdot).0, margin: self.motor_margin(motors, &qr) }
    }
}

/// Velocity products of the platform's inertia: ω × (ω × MS), ω × I ω.
fn gyroscopic(inertia: &SpatialInertia<f64>, w: V3<f64>) -> Wrench<f64> {
    Wrench::new(w.cross(w.cross(inertia.first)), w.cross(inertia.inertia * w))
}

/// The sum over platform and legs in the bracket of (21), leg after leg.
struct EffortSum {
    wrench: [f64; 6],
    motors: Motors,
    count: usize,
    least: f64,
}

impl EffortSum {
    fn new(model: &EngineModel, motion: &EngineMotion, external: Wrench<f64>) -> Self {
        let EngineMotion { pose, twist, acceleration } = motion;
        let inertia = model.platform.spatial(pose, pose.position);
        let falling = Twist::new(acceleration.linear - model.gravity, acceleration.angular);
        let demand = inertia.apply(falling) + gyroscopic(&inertia, twist.angular) - external;
        let wrench = demand.to_vector_linear_first();
        Self { wrench, motors: Motors::none(), count: 0, least: f64::INFINITY }
    }

    fn add(&mut self, model: &EngineModel, leg: &LegEffort<f64>, margin: f64) {
        add(&mut self.wrench, &leg.wrench);
        self.motors.take(&mut self.count, &leg.active, model);
        self.least = Real::min(self.least, margin);
    }

    fn finish(self, model: &EngineModel, motion: &EngineMotion) -> Margin<Efforts, f64> {
        let (freedoms, count, motors) = (model.freedoms.len(), model.motors, self.motors);
        let qr = Qr::new(&motors.rows, count, freedoms);
        let mut held = model.picked(&self.wrench);
        let mut effort = motors.effort;
        if count > freedoms {
            add(&mut held, &dense::transposed_times(&motors.rows, &effort, count));
            effort = [0.0; MAX_MOTORS];
        }
        add(&mut effort, &qr.solve_transposed(&held)); // (21)
        let platform = model.picked(&motion.acceleration.to_vector_linear_first());
        let mut joint = dense::times(&motors.rows, &platform, freedoms);
        add(&mut joint, &motors.bias);
        let margin = Real::min(self.least, model.motor_margin(&motors, &qr));
        Margin { value: Efforts { effort, acceleration: joint, motors }, margin }
    }
}

/// The sums (29) and (30) over platform and legs, leg after leg.
struct EquationSum {
    mass: PlatformMass<f64>,
    coriolis: [f64; 6],
    gravity: [f64; 6],
    friction: [f64; 6],
    motors: Motors,
    count: usize,
    least: f64,
}

impl EquationSum {
    fn new(model: &EngineModel, pose: &Pose<f64>, twist: Twist<f64>) -> Self {
        let inertia = model.platform.spatial(pose, pose.position);
        let weight = inertia.apply(Twist::new(-model.gravity, V3::zero()));
        Self {
            mass: inertia.blocks(),
            coriolis: gyroscopic(&inertia, twist.angular).to_vector_linear_first(),
            gravity: weight.to_vector_linear_first(),
            friction: [0.0; 6],
            motors: Motors::none(),
            count: 0,
            least: f64::INFINITY,
        }
    }

    fn add(&mut self, model: &EngineModel, leg: &LegTerms<f64>, margin: f64) {
        self.mass = self.mass + leg.mass;
        add(&mut self.coriolis, &leg.coriolis);
        add(&mut self.gravity, &leg.gravity);
        add(&mut self.friction, &leg.friction);
        self.motors.take(&mut self.count, &leg.active, model);
        self.least = Real::min(self.least, margin);
    }

    fn finish(self, model: &EngineModel) -> Margin<PlatformEquation, f64> {
        let mass = self.mass.to_matrix();
        let mut picked = [[0.0; MAX_FREEDOMS]; MAX_FREEDOMS];
        for (row, place) in picked.iter_mut().zip(&model.freedoms) {
            *row = model.picked(&mass.map(|row| row.get(*place).copied().unwrap_or(f64::NAN))); // (29)
        }
        let value = PlatformEquation {
            freedoms: model.freedoms.len(),
            count: model.motors,
            scales: model.scales(),
            mass: picked,
            coriolis: model.picked(&self.coriolis),
            gravity: model.picked(&self.gravity),
            friction: model.picked(&self.friction),
            motors: self.motors,
        };
        Margin { value, margin: self.least }
    }
}

/// One step of the forward kinematics, before it is made.
#[derive(Clone, Copy)]
struct NewtonStep {
    twist: Twist<f64>,
    /// |q − q(pose)|, turns \[rad\] and slides in units of the platform's size.
    gap: f64,
    /// The part of the gap that no motion of the platform closes; zero unless K > D.
    missed: f64,
    margin: f64,
}

fn add<const N: usize>(sum: &mut [f64; N], term: &[f64; N]) {
    for (sum, term) in sum.iter_mut().zip(term) {
        *sum += term;
    }
}

impl PlatformEquation {
    /// V̇_r (28) for efforts and a projected outside wrench; the margin is the smallest pivot of A_rob.
    pub(crate) fn acceleration(&self, effort: &PerMotor, external: &PerFreedom) -> Margin<PerFreedom, f64> {
        // J_r^{−T} Γ needs no inverse.
        let drive = dense::transposed_times(&self.motors.rows, effort, self.count);
        let bias: PerFreedom = from_fn(|i| self.coriolis[i] + self.gravity[i] + self.friction[i]); // (30)
        let right = from_fn(|i| drive[i] + external[i] - bias[i]);
        dense::solve_spd(&self.mass, &right, self.freedoms)
    }

    /// The same in joint space: J_rᵀ A J_r and J_rᵀ (h − A J_r bias). The margin is the smallest |r_kk| of
    /// J_r⁻¹.
    pub(crate) fn in_joint_space(&self) -> Margin<JointEquation, f64> {
        let qr = Qr::new(&self.motors.rows, self.count, self.freedoms);
        let jacobian = qr.inverse();
        let drift = dense::times(&jacobian, &self.motors.bias, self.count);
        let carried = dense::times(&self.mass, &drift, self.freedoms);
        let coriolis: PerFreedom = from_fn(|i| self.coriolis[i] - carried[i]);
        let transposed = |f: &PerFreedom| dense::transposed_times(&jacobian, f, self.freedoms);
        let value = JointEquation {
            mass: dense::congruence(&jacobian, &self.mass, self.freedoms, self.count),
            coriolis: transposed(&coriolis),
            gravity: transposed(&self.gravity),
            friction: transposed(&self.friction),
            jacobian,
        };
        let margin = self.scales.motor_margin(&self.motors, self.count, self.freedoms, &qr);
        Margin { value, margin }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::BUILT_IN;
    use crate::random::Random;
    use crate::robot::{AnyRobot, Kind};
    use legwork_core::engine::PlatformMotion;

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
