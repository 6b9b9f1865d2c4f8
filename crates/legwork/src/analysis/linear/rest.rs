//! M, D and K of a robot at rest, in the freedoms of its platform.
//!
//! With W(x) = V(x) − Γ₀·q_a(x), Γ₀ the efforts that hold the robot at the pose,
//!
//! ```text
//! f(x) = ∂W/∂x = Σ_i Lᵢᵀ (H_i − Γ₀,i) + platform = 0                                   (1)
//! K    = ∂f/∂x                                                                          (2)
//! ```
//!
//! f is what the engine gives leg by leg [KhalilIbrahim2007, Eq. 20], so K is one derivative of it, taken
//! along steps on the rotation group; where f = 0 it is the Hessian of W, hence symmetric. One leg at a time,
//! one direction after the other: the number of legs, freedoms and motors does not matter.

use super::LinearError;
use crate::robot::{EngineAtRest, EngineModel, Resting, RestingMechanism};
use crate::{AnyRobot, PlatformState};
use legwork_core::engine::{Pose, Twist};
use legwork_core::robots::delta::Delta;
use legwork_core::{Dual, M3, Real, V3};
use nalgebra::{DMatrix, DVector};

/// Derivatives along x, y, z.
type Three = Dual<f64, 3>;

/// Below this a posture is looked at more closely.
const NARROW: f64 = 1e-9;

/// A robot at rest, in the D freedoms of its platform and its K motors.
pub(super) struct Rest {
    /// Mass matrix, D×D.
    pub mass: DMatrix<f64>,
    /// Derivative of the friction, D×D.
    pub damping: DMatrix<f64>,
    /// K of (2), D×D.
    pub stiffness: DMatrix<f64>,
    /// J_r⁻¹, K×D: q̇_a = rows ẋ.
    pub rows: DMatrix<f64>,
    /// Γ₀ \[N·m or N\]; with more motors than freedoms the smallest.
    pub hold: Vec<f64>,
}

impl Rest {
    pub(super) fn at(robot: &AnyRobot, platform: &PlatformState) -> Result<Self, LinearError> {
        let rest = match robot.resting(platform)? {
            Resting::Delta(delta, frame, x) => {
                let own = Self::of_delta(delta, x).map_err(crate::RobotError::from)?;
                // Motor angles as the user counts them.
                let hold = own.hold.iter().map(|torque| torque * frame.angle_sign).collect();
                Self { rows: own.rows * frame.angle_sign, hold, ..own }
            }
            Resting::Engine(machine, pose) => {
                let (rest, margin) = Self::of_engine(machine, &pose);
                if margin.is_nan() || margin <= NARROW {
                    // Says which leg cannot be closed, or that the motors do not hold the platform.
                    robot.state(&PlatformState::at(platform.position).turned(platform.rotation))?;
                }
                rest
            }
            Resting::Mechanism(it) => {
                let RestingMechanism { mass, damping, stiffness, rows, hold } = *it;
                Self { mass, damping, stiffness, rows, hold }
            }
        };
        let matrices = [&rest.mass, &rest.damping, &rest.stiffness, &rest.rows];
        if matrices.iter().any(|m| m.iter().any(|x| !x.is_finite())) {
            return Err(LinearError::NotFinite { what: "the linear model" });
        }
        Ok(rest)
    }

    fn of_delta(delta: &Delta<f64>, x: V3<f64>) -> Result<Self, legwork_core::robots::delta::PostureError> {
        let posture = delta.linkage().posture(x)?.not_serial()?.not_parallel()?;
        let hold = delta.gravity_torque(&posture);
        let rows = matrix(posture.inverse_jacobian());
        // f along x, y, z
        let varied = delta.cast::<Three>();
        let [a, b, c] = x.to_array();
        let point = V3::new(Three::variable(a, 0), Three::variable(b, 1), Three::variable(c, 2));
        let near = varied.linkage().posture_at(point).value;
        let weight = varied.platform_dynamics(&near, V3::zero()).gravity;
        let carried = near.inverse_jacobian().transpose() * hold.map(Three::from_f64);
        let f = (weight - carried).to_array(); // (1)
        Ok(Self {
            mass: matrix(delta.platform_mass_matrix(&posture).to_matrix()),
            damping: rows.transpose() * &rows * delta.motor().viscous,
            stiffness: DMatrix::from_fn(3, 3, |i, j| f[i].eps[j]), // (2)
            rows,
            hold: hold.to_array().to_vec(),
        })
    }

    /// The rest, and the smallest margin of the legs and of the motors.
    fn of_engine(machine: &EngineModel, pose: &Pose<f64>) -> (Self, f64) {
        let machine = machine.at(pose);
        let places = machine.freedoms.as_slice();
        let EngineAtRest { weight, mass, rows, margin: least } = machine.at_rest(pose);
        let d = places.len();
        let rows = DMatrix::from_fn(rows.len(), d, |k, j| rows[k][places[j]]);
        let gravity = DVector::from_fn(d, |i, _| weight[places[i]]);
        let (hold, margin) = holding(&rows, &gravity);

        let slopes: Vec<Slope> = places.iter().map(|&place| along(&machine, pose, &hold, place)).collect();
        let rest = Self {
            mass: DMatrix::from_fn(d, d, |i, j| mass[places[i]][places[j]]),
            damping: DMatrix::from_fn(d, d, |i, j| slopes[j].friction[places[i]]),
            stiffness: DMatrix::from_fn(d, d, |i, j| slopes[j].force[places[i]]), // (2)
            rows,
            hold,
        };
        (rest, Real::min(least, margin))
    }
}

/// The smallest Γ with rowsᵀ Γ = `gravity`, and the smallest |r_kk| of the rows.
fn holding(rows: &DMatrix<f64>, gravity: &DVector<f64>) -> (Vec<f64>, f64) {
    let qr = rows.clone().qr();
    let (q, r) = (qr.q(), qr.r());
    let margin = r.diagonal().iter().fold(f64::INFINITY, |least, x| Real::min(least, x.abs()));
    match r.transpose().solve_lower_triangular(gravity) {
        Some(y) => ((q * y).iter().copied().collect(), margin),
        None => (vec![f64::NAN; rows.nrows()], 0.0),
    }
}

/// Derivatives along one component of a twist.
struct Slope {
    /// Of f (1).
    force: [f64; 6],
    /// Of what friction takes.
    friction: [f64; 6],
}

/// How f and the friction change along the component of a twist at `place`. At rest the velocity products have no first
/// derivative: friction alone is left.
fn along(machine: &EngineModel, pose: &Pose<f64>, hold: &[f64], place: usize) -> Slope {
    let one = std::array::from_fn(|k| if k == place { 1.0 } else { 0.0 });
    let (step, still) = (Twist::from_vector_linear_first(one), Twist::zero());
    let change =
        |by_pose, by_velocity| machine.imbalance_slope((pose, still, still), hold, by_pose, by_velocity);
    Slope { force: change(step, still), friction: change(still, step) }
}

fn matrix(m: M3<f64>) -> DMatrix<f64> {
    let rows = m.to_rows();
    DMatrix::from_fn(3, 3, |i, j| rows[i][j])
}
