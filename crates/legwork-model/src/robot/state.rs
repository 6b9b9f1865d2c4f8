//! Plain data that goes into and comes out of a robot of any family.

use super::RobotError;
use super::kinematics::finite;
use crate::description::JointGear;
use crate::families::blueprint::MotorLimits;
use crate::mechanism::JointReaction;
use crate::rotation::IDENTITY;
use legwork_core::engine::Route;
use std::f64::consts::TAU;

/// One freedom of a platform: a component of its twist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freedom {
    /// Place in the twist (vx, vy, vz, wx, wy, wz), from 0.
    pub component: usize,
    /// Name of the coordinate it moves: `x`.
    pub coordinate: &'static str,
    /// Name of the velocity: `vx`.
    pub velocity: &'static str,
}

/// The components of a twist, linear first.
pub(super) const TWIST: [Freedom; 6] = [
    Freedom { component: 0, coordinate: "x", velocity: "vx" },
    Freedom { component: 1, coordinate: "y", velocity: "vy" },
    Freedom { component: 2, coordinate: "z", velocity: "vz" },
    Freedom { component: 3, coordinate: "rx", velocity: "wx" },
    Freedom { component: 4, coordinate: "ry", velocity: "wy" },
    Freedom { component: 5, coordinate: "rz", velocity: "wz" },
];

impl Freedom {
    /// Whether it is a rotation.
    pub fn turns(&self) -> bool {
        self.component >= 3
    }
}

/// An actuated joint. Its numbers count at the joint, behind the gear; [`motor_effort`](Joint::motor_effort) and
/// [`motor_speed`](Joint::motor_speed) are those of the motor itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name: `q1`.
    pub name: String,
    /// Whether it slides (metres, newtons) instead of turning (radians, newton metres).
    pub slides: bool,
    /// Lower limit \[rad or m\].
    pub min: Option<f64>,
    /// Upper limit \[rad or m\].
    pub max: Option<f64>,
    /// Largest torque or force \[N m or N\].
    pub max_effort: Option<f64>,
    /// Largest speed \[rad/s or m/s\].
    pub max_speed: Option<f64>,
    /// Its gear, if it has one.
    pub gear: Option<JointGear>,
}

impl Joint {
    pub(super) fn new(number: usize, slides: bool, limits: MotorLimits) -> Self {
        let MotorLimits { min, max, max_effort, max_speed, gear } = limits;
        let name = format!("q{}", number + 1);
        Self { name, slides, min, max, max_effort, max_speed, gear }
    }

    /// Turns of the motor for one turn of the joint; one without a gear.
    pub fn gear_ratio(&self) -> f64 {
        self.gear.map_or(1.0, |gear| gear.ratio)
    }

    /// The torque or force of the motor itself for one at the joint.
    pub fn motor_effort(&self, effort: f64) -> f64 {
        effort / self.gear_ratio()
    }

    /// The speed of the motor itself for one of the joint.
    pub fn motor_speed(&self, speed: f64) -> f64 {
        speed * self.gear_ratio()
    }

    /// Whether a value is outside its limits.
    pub fn is_outside(&self, q: f64) -> bool {
        self.min.is_some_and(|min| q < min) || self.max.is_some_and(|max| q > max)
    }

    /// Unit of its value: `rad` or `m`.
    pub fn unit(&self) -> &'static str {
        if self.slides { "m" } else { "rad" }
    }

    /// Unit of its effort: `N m` or `N`.
    pub fn effort_unit(&self) -> &'static str {
        if self.slides { "N" } else { "N m" }
    }
}

/// The places, from 0, of joints whose values are outside their limits.
pub(super) fn outside(joints: &[Joint], q: &[f64]) -> Vec<usize> {
    joints.iter().zip(q).enumerate().filter(|(_, (joint, q))| joint.is_outside(**q)).map(|(k, _)| k).collect()
}

/// Where a platform is, how it moves and what pulls at it, in the user's frame.
///
/// Twist and acceleration are linear first, then angular; the wrench is force,
/// then moment about the platform point, applied by the environment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlatformState {
    /// Platform point \[m\].
    pub position: [f64; 3],
    /// Orientation, by rows: maps vectors of the platform to the base.
    pub rotation: [[f64; 3]; 3],
    /// Velocity \[m/s, rad/s\].
    pub twist: [f64; 6],
    /// Acceleration \[m/s², rad/s²\].
    pub acceleration: [f64; 6],
    /// External wrench \[N, N m\].
    pub wrench: [f64; 6],
}

impl PlatformState {
    /// At rest, nothing pulling.
    pub fn at(position: [f64; 3]) -> Self {
        Self { position, rotation: IDENTITY, twist: [0.0; 6], acceleration: [0.0; 6], wrench: [0.0; 6] }
    }

    /// The same state with this orientation.
    #[must_use]
    pub fn turned(self, rotation: [[f64; 3]; 3]) -> Self {
        Self { rotation, ..self }
    }

    /// The same place with this velocity \[m/s\] and acceleration \[m/s²\] of the platform point.
    #[must_use]
    pub fn moving(self, [vx, vy, vz]: [f64; 3], [ax, ay, az]: [f64; 3]) -> Self {
        Self { twist: [vx, vy, vz, 0.0, 0.0, 0.0], acceleration: [ax, ay, az, 0.0, 0.0, 0.0], ..self }
    }

    /// The same state while this force \[N\] acts on the platform.
    #[must_use]
    pub fn with_force(self, [fx, fy, fz]: [f64; 3]) -> Self {
        Self { wrench: [fx, fy, fz, 0.0, 0.0, 0.0], ..self }
    }
}

/// Largest departure of R Rᵀ from 1 that is taken for a rotation: five printed digits.
const ROTATION_SLACK: f64 = 1e-5;

impl PlatformState {
    /// The same place without motion; what pulls at it stays.
    #[must_use]
    pub fn at_rest(self) -> Self {
        Self { twist: [0.0; 6], acceleration: [0.0; 6], ..self }
    }

    /// Whether all numbers are finite. x·0 is 0 for every finite x and NaN for the others: sums instead of
    /// thirty comparisons.
    #[inline]
    fn is_finite(&self) -> bool {
        let vanishing = |list: &[f64]| list.iter().map(|x| x * 0.0).sum::<f64>();
        let sums = [
            vanishing(&self.position) + vanishing(self.rotation.as_flattened()),
            vanishing(&self.twist),
            vanishing(&self.acceleration),
            vanishing(&self.wrench),
        ];
        sums.iter().sum::<f64>() == 0.0
    }

    /// Whether all numbers are finite and nothing is turned or turns.
    #[inline]
    pub(super) fn is_finite_translation(&self) -> bool {
        let [.., a, b, c] = self.twist;
        let [.., d, e, f] = self.acceleration;
        self.rotation == IDENTITY && [a, b, c, d, e, f] == [0.0; 6] && self.is_finite()
    }

    /// Whether all numbers are finite and the matrix is a rotation.
    #[inline]
    fn is_sound(&self) -> bool {
        let [x, y, z] = &self.rotation;
        let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let near = |off: f64| off.abs() <= ROTATION_SLACK;
        let units = near(dot(x, x) - 1.0) & near(dot(y, y) - 1.0) & near(dot(z, z) - 1.0);
        let right_angles = near(dot(x, y)) & near(dot(y, z)) & near(dot(z, x));
        units & right_angles & self.is_right_handed() && self.is_finite()
    }

    /// Whether the determinant of the matrix is positive: a mirror has orthogonal rows of length one too.
    #[inline]
    fn is_right_handed(&self) -> bool {
        let [x, y, z] = &self.rotation;
        let across = [y[1] * z[2] - y[2] * z[1], y[2] * z[0] - y[0] * z[2], y[0] * z[1] - y[1] * z[0]];
        x[0] * across[0] + x[1] * across[1] + x[2] * across[2] > 0.0
    }

    /// Refuses NaN, infinity and matrices that are no rotations.
    #[inline]
    pub fn check_finite(&self) -> Result<(), RobotError> {
        if self.is_sound() { Ok(()) } else { self.find_unsound() }
    }

    /// What is wrong with the numbers.
    #[cold]
    fn find_unsound(&self) -> Result<(), RobotError> {
        for (what, list) in [
            ("position", self.position.as_slice()),
            ("rotation", self.rotation.as_flattened()),
            ("velocity", self.twist.as_slice()),
            ("acceleration", self.acceleration.as_slice()),
            ("wrench", self.wrench.as_slice()),
        ] {
            if let Some((component, value)) = list.iter().enumerate().find(|(_, value)| !value.is_finite()) {
                return Err(RobotError::NotFinite { what, component, value: *value });
            }
        }
        let row = |i: usize, j: usize| {
            self.rotation[i].iter().zip(self.rotation[j]).map(|(a, b)| a * b).sum::<f64>()
        };
        for i in 0..3 {
            for j in 0..3 {
                let off = row(i, j) - if i == j { 1.0 } else { 0.0 };
                if off.abs() > ROTATION_SLACK {
                    return Err(RobotError::NotARotation { off });
                }
            }
        }
        if self.is_right_handed() { Ok(()) } else { Err(RobotError::Mirrored) }
    }

    /// Refuses an answer that is not finite.
    pub(super) fn check_answer(&self) -> Result<(), RobotError> {
        finite("position", &self.position)?;
        finite("rotation", self.rotation.as_flattened())?;
        finite("velocity", &self.twist)?;
        finite("acceleration", &self.acceleration)
    }

    /// Refuses motion that the platform cannot make.
    pub(super) fn check_freedoms(&self, freedoms: &[Freedom]) -> Result<(), RobotError> {
        let moves = |of: &Freedom| self.twist[of.component] != 0.0 || self.acceleration[of.component] != 0.0;
        let has = |of: &Freedom| freedoms.iter().any(|freedom| freedom.component == of.component);
        match TWIST.iter().find(|other| moves(other) && !has(other)) {
            Some(other) => Err(RobotError::NotAFreedom { velocity: other.velocity }),
            None => Ok(()),
        }
    }
}

/// Angles along a motion: they run on beyond half a turn, where angles one by one jump back by a turn.
#[derive(Clone, Debug, Default)]
pub struct RunningAngles {
    last: Vec<f64>,
}

impl RunningAngles {
    /// The next joint values \[rad or m\] of a motion: of angles that are a turn apart the one nearest to the last.
    pub fn run_on(&mut self, joints: &[Joint], q: &mut [f64]) {
        for ((q, last), joint) in q.iter_mut().zip(&self.last).zip(joints) {
            if !joint.slides && q.is_finite() && last.is_finite() {
                *q += TAU * ((last - *q) / TAU).round();
            }
        }
        q.clone_into(&mut self.last);
    }
}

/// One answer of the inverse kinematics.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSolution {
    /// Name of the working mode: `out-out-in`.
    pub mode: String,
    /// Actuated joints \[rad\].
    pub q: Vec<f64>,
    /// The joints that are outside their limits, from 0.
    pub outside_limits: Vec<usize>,
}

/// One answer of the forward kinematics.
#[derive(Clone, Debug, PartialEq)]
pub struct PlatformSolution {
    /// Name of the assembly mode: `below`, or its number.
    pub mode: String,
    /// Platform point \[m\].
    pub position: [f64; 3],
    /// Orientation, by rows.
    pub rotation: [[f64; 3]; 3],
    /// Newton steps; 0 for a closed form.
    pub iterations: u16,
    /// How far the joints are off: \[rad\] and, for slides, in units of the platform's size.
    pub residual: f64,
    /// Whether it is the posture that the motors lead to from the start of the search.
    pub route: Route,
}

impl PlatformSolution {
    /// Refuses an answer that is not finite.
    pub(super) fn check_finite(&self) -> Result<(), RobotError> {
        finite("position", &self.position)?;
        finite("rotation", self.rotation.as_flattened())?;
        finite("gap of the joints", &[self.residual])
    }
}

impl Singularity {
    /// Below this a measure is called close to a singularity.
    pub const NEAR: f64 = 0.05;

    /// Whether a leg is close to a posture in which its motors do not move its end.
    #[allow(clippy::neg_cmp_op_on_partial_ord)] // a measure that is NaN is near
    pub fn is_near_serial(&self) -> bool {
        self.serial.iter().any(|measure| !(*measure >= Self::NEAR))
    }

    /// Whether it is close to a posture in which the motors do not hold the platform.
    #[allow(clippy::neg_cmp_op_on_partial_ord)] // a measure that is NaN is near
    pub fn is_near_parallel(&self) -> bool {
        !(self.parallel >= Self::NEAR)
    }
}

/// How far a posture is from each kind of singularity, in numbers without a unit that mean the same for every
/// robot: 0 is singular, 1 is best.
#[derive(Clone, Debug, PartialEq)]
pub struct Singularity {
    /// Serial, per leg: how well its motors move its end. For a leg with an arm and a rod it is the cosine between
    /// rod and elbow velocity, for one with a carriage the cosine between rod and rail, for a leg that grows the
    /// sine between leg and first axis of its universal joint; in general the smallest
    /// [transmission](legwork_core::engine::LegHold::transmission) of the joints.
    pub serial: Vec<f64>,
    /// Parallel: the volume that the unit wrenches span by which the motors hold the platform,
    ///
    /// ```text
    /// √det(WᵀW) / (K/D)^(D/2),   row k of W is row k of J⁻¹ over its length
    /// ```
    ///
    /// with K motors and D freedoms; rotations are made lengths by the platform's size. For a Delta it is the
    /// volume of the unit forearm vectors.
    pub parallel: f64,
    /// Condition number of the Jacobian, rotations made lengths by the platform's size: 1 is isotropic, ∞
    /// singular.
    pub condition: f64,
}

impl Singularity {
    /// Refuses an answer that is not finite; the condition may be infinite.
    pub(super) fn check_finite(&self) -> Result<(), RobotError> {
        finite("distances from singularities", &self.serial)?;
        finite("distances from singularities", &[self.parallel])?;
        if self.condition == f64::INFINITY { Ok(()) } else { finite("condition number", &[self.condition]) }
    }
}

/// What a leg does to the platform.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegForce {
    /// The force that the leg exerts on the platform at its attachment \[N\], base axes, user's frame.
    pub force: [f64; 3],
    /// Its component along the last link of the leg, from the base's side to the attachment \[N\]: positive pushes
    /// the platform away, negative pulls at it. A rod with mass also pulls sideways, so this is not all of it.
    pub axial: f64,
}

/// Everything a robot can say about one state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The question.
    pub platform: PlatformState,
    /// Working mode of the legs.
    pub mode: String,
    /// Actuated joints \[rad\], their velocities \[rad/s\] and accelerations \[rad/s²\].
    pub q: Vec<f64>,
    /// \[rad/s\]
    pub qd: Vec<f64>,
    /// \[rad/s²\]
    pub qdd: Vec<f64>,
    /// The joints that are outside their limits, from 0.
    pub outside_limits: Vec<usize>,
    /// Freedom velocity = jacobian · qd, by rows.
    pub jacobian: Vec<Vec<f64>>,
    /// Distances to the singularities.
    pub singularity: Singularity,
    /// Torques and energies; `None` for a robot with geometry only.
    pub dynamics: Option<Dynamics>,
}

impl State {
    /// Refuses an answer that is not finite.
    pub(super) fn check_finite(&self) -> Result<(), RobotError> {
        finite("joint values", &self.q)?;
        finite("joint velocities", &self.qd)?;
        finite("joint accelerations", &self.qdd)?;
        self.jacobian.iter().try_for_each(|row| finite("Jacobian", row))?;
        self.singularity.check_finite()?;
        let Some(it) = &self.dynamics else { return Ok(()) };
        let parts =
            [&it.motor, &it.effort, &it.inertial, &it.coriolis, &it.gravity, &it.external, &it.friction];
        parts.into_iter().try_for_each(|part| finite("efforts", part))?;
        finite("forces of the legs", &it.leg_force)?;
        for reaction in &it.joint_reaction {
            finite("forces of joints", &reaction.force)?;
            finite("moments of joints", &reaction.moment)?;
        }
        let rows = it.mass_matrix.iter().chain(&it.platform_mass_matrix);
        rows.into_iter().try_for_each(|row| finite("mass matrix", row))?;
        finite("energies", &[it.kinetic_energy, it.potential_energy])
    }
}

/// Torques, mass matrices and energies in one state. Torques are at the joint side of the gears \[N m\].
#[derive(Clone, Debug, PartialEq)]
pub struct Dynamics {
    /// Actuator torque with friction: what the motor must give.
    pub motor: Vec<f64>,
    /// Actuator torque without friction; the sum of the next four.
    pub effort: Vec<f64>,
    /// Mass matrix times joint acceleration.
    pub inertial: Vec<f64>,
    /// Coriolis and centrifugal part.
    pub coriolis: Vec<f64>,
    /// Gravity part.
    pub gravity: Vec<f64>,
    /// What the external wrench asks for.
    pub external: Vec<f64>,
    /// Viscous and Coulomb friction.
    pub friction: Vec<f64>,
    /// Mass matrix in joint space \[kg m²\], by rows.
    pub mass_matrix: Vec<Vec<f64>>,
    /// Mass matrix seen at the platform \[kg\], by rows.
    pub platform_mass_matrix: Vec<Vec<f64>>,
    /// Force of each leg on the platform along its last link \[N\], positive pushes the platform away, see
    /// [`LegForce::axial`].
    pub leg_force: Vec<f64>,
    /// What each joint of a mechanism carries, in the order of its file, motors and friction included; empty for
    /// robots with legs.
    pub joint_reaction: Vec<JointReaction>,
    /// Kinetic energy \[J\].
    pub kinetic_energy: f64,
    /// Potential energy \[J\], zero with every centre of mass in the plane of the motors.
    pub potential_energy: f64,
}

/// Where the actuated joints are, how fast they move and how they accelerate.
#[derive(Clone, Debug, PartialEq)]
pub struct JointMotion {
    /// \[rad or m\]
    pub q: Vec<f64>,
    /// \[rad/s or m/s\]
    pub qd: Vec<f64>,
    /// \[rad/s² or m/s²\]
    pub qdd: Vec<f64>,
}

/// The answer of the forward dynamics.
#[derive(Clone, Debug, PartialEq)]
pub struct ForwardDynamics {
    /// Accelerations of the platform's freedoms \[m/s² or rad/s²\], in their order.
    pub platform: Vec<f64>,
    /// Accelerations of the actuated joints \[rad/s² or m/s²\].
    pub joint: Vec<f64>,
}

/// Energies of a whole robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energies {
    /// T \[J\]: platform, legs and rotors.
    pub kinetic: f64,
    /// U \[J\]: zero with every centre of mass at the height of the base's origin, for a Delta in the plane
    /// of its motor axes.
    pub potential: f64,
}
