//! Plain data that goes into and comes out of a robot of any family.

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

/// Where a platform is, how it moves and what pulls at it, in the user's frame.
///
/// Twist and acceleration are linear first, then angular; the wrench is force,
/// then moment about the platform point, applied by the environment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlatformState {
    /// Platform point \[m\].
    pub position: [f64; 3],
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
        Self { position, twist: [0.0; 6], acceleration: [0.0; 6], wrench: [0.0; 6] }
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
    /// Name of the assembly mode: `below`.
    pub mode: String,
    /// Platform point \[m\].
    pub position: [f64; 3],
}

/// How far a posture is from each kind of singularity; 0 is singular, 1 the best there is.
#[derive(Clone, Debug, PartialEq)]
pub struct Singularity {
    /// Serial, per leg: how well the motor moves the platform.
    pub serial: Vec<f64>,
    /// Parallel: how well the legs hold the platform.
    pub parallel: f64,
    /// Condition number of the Jacobian; 1 is isotropic.
    pub condition: f64,
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
    /// Force along each leg on the platform \[N\], positive pushes the platform away from the elbow.
    pub leg_force: Vec<f64>,
    /// Kinetic energy \[J\].
    pub kinetic_energy: f64,
    /// Potential energy \[J\], zero with every centre of mass in the plane of the motors.
    pub potential_energy: f64,
}

/// What a robot does under given torques.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// Acceleration of the freedoms \[m/s²\].
    pub platform: Vec<f64>,
    /// Acceleration of the actuated joints \[rad/s²\].
    pub joint: Vec<f64>,
}
