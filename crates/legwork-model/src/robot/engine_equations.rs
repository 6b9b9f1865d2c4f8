//! The equations of a robot of the general engine, with sizes that are known only when a file is read: what is summed
//! over platform and legs, and what is solved. Equation numbers are those of \[KhalilIbrahim2007\].

use super::dense::{self, MAX_FREEDOMS, MAX_MOTORS, PerFreedom, PerMotor};
use super::engine_model::EngineModel;
use super::motor_factors::{MotorRows, Scales};
use legwork_core::engine::{
    ActiveJoints, JointKind, JointValue, LegEffort, LegTerms, PlatformMass, Pose, SpatialInertia, Twist,
    Wrench,
};
use legwork_core::{Margin, Real, V3};
use std::array::from_fn;
use std::f64::consts::TAU;

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
    /// Where the legs that were followed found them \[rad or m\]: tells how often an angle has gone round.
    near: [Option<f64>; MAX_MOTORS],
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
    pub(super) freedoms: usize,
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

impl Motors {
    pub(super) fn none() -> Self {
        let zero = [0.0; MAX_MOTORS];
        Self {
            kinds: [JointKind::Prismatic; MAX_MOTORS],
            values: [JointValue::slid(0.0); MAX_MOTORS],
            rows: [[0.0; MAX_FREEDOMS]; MAX_MOTORS],
            rate: zero,
            bias: zero,
            effort: zero,
            near: [None; MAX_MOTORS],
        }
    }

    /// Takes the joints of one leg in.
    pub(super) fn take(
        &mut self,
        at: &mut usize,
        joints: &ActiveJoints<f64>,
        model: &EngineModel,
        near: Option<[f64; 6]>,
    ) {
        for (j, joint) in joints.iter().enumerate() {
            let k = *at;
            if k < MAX_MOTORS {
                self.kinds[k] = joint.kind;
                self.values[k] = joint.value;
                self.rows[k] = model.picked(&joint.row);
                self.rate[k] = joint.rate;
                self.bias[k] = joint.bias;
                self.effort[k] = joint.effort;
                self.near[k] = near.and_then(|near| near.get(j).copied());
            }
            *at += 1;
        }
    }

    /// What J_r⁻¹ is factored from.
    pub(super) fn rows(&self) -> MotorRows<'_> {
        MotorRows { kinds: &self.kinds, rows: &self.rows }
    }

    /// q_a \[rad or m\]: an angle of a leg that was followed runs on beyond ±π.
    pub(super) fn coordinate(&self, k: usize) -> f64 {
        let q = self.values[k].coordinate(self.kinds[k]);
        match self.near[k] {
            Some(near) if self.kinds[k] == JointKind::Revolute => q + TAU * ((near - q) / TAU).round(),
            _ => q,
        }
    }
}

/// Adds number by number.
pub(super) fn add<const N: usize>(sum: &mut [f64; N], term: &[f64; N]) {
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
        let factors = self.scales.factors(self.motors.rows());
        let jacobian = factors.inverse();
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
        Margin { value, margin: factors.margin() }
    }
}

/// Velocity products of the platform's inertia: ω × (ω × MS), ω × I ω.
pub(super) fn gyroscopic<T: Real>(inertia: &SpatialInertia<T>, w: V3<T>) -> Wrench<T> {
    Wrench::new(w.cross(w.cross(inertia.first)), w.cross(inertia.inertia * w))
}

/// The sum over platform and legs in the bracket of (21), leg after leg.
pub(super) struct EffortSum {
    wrench: [f64; 6],
    motors: Motors,
    count: usize,
    least: f64,
}

impl EffortSum {
    pub(super) fn new(model: &EngineModel, motion: &EngineMotion, external: Wrench<f64>) -> Self {
        let EngineMotion { pose, twist, acceleration } = motion;
        let inertia = model.platform.spatial(pose, pose.position);
        let falling = Twist::new(acceleration.linear - model.gravity, acceleration.angular);
        let demand = inertia.apply(falling) + gyroscopic(&inertia, twist.angular) - external;
        let wrench = demand.to_vector_linear_first();
        Self { wrench, motors: Motors::none(), count: 0, least: f64::INFINITY }
    }

    pub(super) fn add(
        &mut self,
        model: &EngineModel,
        leg: &LegEffort<f64>,
        near: Option<[f64; 6]>,
        margin: f64,
    ) {
        add(&mut self.wrench, &leg.wrench);
        self.motors.take(&mut self.count, &leg.active, model, near);
        self.least = Real::min(self.least, margin);
    }

    pub(super) fn finish(self, model: &EngineModel, motion: &EngineMotion) -> Margin<Efforts, f64> {
        let (freedoms, count, motors) = (model.freedoms.len(), model.motors, self.motors);
        let factors = model.scales().factors(motors.rows());
        let mut held = model.picked(&self.wrench);
        let mut effort = motors.effort;
        if count > freedoms {
            add(&mut held, &dense::transposed_times(&motors.rows, &effort, count));
            effort = [0.0; MAX_MOTORS];
        }
        add(&mut effort, &factors.solve_transposed(&held)); // (21)
        let platform = model.picked(&motion.acceleration.to_vector_linear_first());
        let mut joint = dense::times(&motors.rows, &platform, freedoms);
        add(&mut joint, &motors.bias);
        let margin = Real::min(self.least, factors.margin());
        Margin { value: Efforts { effort, acceleration: joint, motors }, margin }
    }
}

/// The sums (29) and (30) over platform and legs, leg after leg.
pub(super) struct EquationSum {
    mass: PlatformMass<f64>,
    coriolis: [f64; 6],
    gravity: [f64; 6],
    friction: [f64; 6],
    motors: Motors,
    count: usize,
    least: f64,
}

impl EquationSum {
    pub(super) fn new(model: &EngineModel, pose: &Pose<f64>, twist: Twist<f64>) -> Self {
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

    pub(super) fn add(
        &mut self,
        model: &EngineModel,
        leg: &LegTerms<f64>,
        near: Option<[f64; 6]>,
        margin: f64,
    ) {
        self.mass = self.mass + leg.mass;
        add(&mut self.coriolis, &leg.coriolis);
        add(&mut self.gravity, &leg.gravity);
        add(&mut self.friction, &leg.friction);
        self.motors.take(&mut self.count, &leg.active, model, near);
        self.least = Real::min(self.least, margin);
    }

    pub(super) fn finish(self, model: &EngineModel) -> Margin<PlatformEquation, f64> {
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
