//! The reduced form: as many coordinates as freedoms.

use super::algebra::eigenvalues;
use super::rest::Rest;
use super::{DMatrix, LinearError, Pole, Signal, StateSpace};
use crate::{AnyRobot, Freedom, Joint, PlatformState};
use nalgebra::Cholesky;
use serde::{Deserialize, Serialize};

/// What the small motions are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Coordinates {
    /// Changes of the actuated joints \[rad or m\].
    Joints,
    /// Steps of the platform along its freedoms \[m, rad\], rotations about the axes of the base; then changes of motors
    /// that its pose does not tell.
    Platform,
}

/// M δẍ + D δẋ + K δx = E δu of a robot that its motors hold at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduced {
    /// What x is.
    pub coordinates: Coordinates,
    /// M, symmetric and positive.
    pub mass: DMatrix<f64>,
    /// D: viscous friction.
    pub damping: DMatrix<f64>,
    /// K, symmetric.
    pub stiffness: DMatrix<f64>,
    /// E: what the motors do to x; 1 in joint coordinates.
    pub input: DMatrix<f64>,
    /// Change of the actuated joints per x, one row for each motor.
    pub to_joints: DMatrix<f64>,
    /// Step of the platform per x, one row for each freedom.
    pub to_platform: DMatrix<f64>,
    /// Efforts that hold the robot \[N·m or N\].
    pub hold: Vec<f64>,
    /// Largest |K − Kᵀ| over the largest |K| before it was made symmetric: what rounding did.
    pub asymmetry: f64,
    /// The actuated joints.
    pub joints: Vec<Joint>,
    /// The freedoms of the platform.
    pub freedoms: Vec<Freedom>,
    /// Motors that the platform's pose does not tell, as places in `joints`: coordinates beside the freedoms.
    pub held: Vec<usize>,
    /// Distance at which a rotation counts as a length \[m\].
    pub size: f64,
}

impl Reduced {
    /// At a pose, in joint coordinates if there are as many motors as freedoms. Velocity, acceleration and
    /// wrench of the platform are not looked at: the robot is at rest and nothing pulls at it.
    pub fn at(robot: &AnyRobot, platform: &PlatformState) -> Result<Self, LinearError> {
        let square = robot.joints().len() == robot.freedoms().len() + robot.held_motors().len();
        Self::within(robot, platform, if square { Coordinates::Joints } else { Coordinates::Platform })
    }

    /// At a pose, in these coordinates.
    pub fn within(
        robot: &AnyRobot,
        platform: &PlatformState,
        coordinates: Coordinates,
    ) -> Result<Self, LinearError> {
        let Rest { mass, damping, stiffness, rows, hold } = Rest::at(robot, platform)?;
        let (motors, freedoms) = rows.shape();
        let platform_step = match coordinates {
            Coordinates::Platform => DMatrix::identity(freedoms, freedoms),
            Coordinates::Joints if motors != freedoms => {
                return Err(LinearError::Redundant { motors, freedoms });
            }
            Coordinates::Joints => {
                rows.clone().try_inverse().ok_or(LinearError::NotFinite { what: "the Jacobian" })?
            }
        };
        let seen = |m: &DMatrix<f64>| platform_step.transpose() * m * &platform_step;
        let raw = seen(&stiffness);
        let largest = raw.amax().max(f64::MIN_POSITIVE);
        let to_joints = &rows * &platform_step;
        let reduced = Self {
            coordinates,
            mass: symmetric(&seen(&mass)),
            damping: symmetric(&seen(&damping)),
            stiffness: symmetric(&raw),
            input: to_joints.transpose(),
            to_joints,
            to_platform: platform_step.rows(0, robot.freedoms().len()).into_owned(),
            hold,
            asymmetry: (&raw - raw.transpose()).amax() / largest,
            joints: robot.joints().to_vec(),
            freedoms: robot.freedoms().to_vec(),
            held: robot.held_motors().to_vec(),
            size: robot.platform_size(),
        };
        if reduced.normal_form().is_none() {
            return Err(LinearError::NoMass { robot: robot.name().into() });
        }
        Ok(reduced)
    }

    /// How many coordinates there are.
    pub fn order(&self) -> usize {
        self.mass.nrows()
    }

    /// The same robot under efforts that balance its weight at every pose, u = Γ₀(x) + δu: no stiffness is left.
    #[must_use]
    pub fn with_gravity_compensation(&self) -> Self {
        Self { stiffness: self.stiffness.map(|_| 0.0), ..self.clone() }
    }

    /// The same robot with another damping, in the same coordinates.
    #[must_use]
    pub fn with_damping(&self, damping: DMatrix<f64>) -> Self {
        Self { damping, ..self.clone() }
    }

    /// L⁻¹ D L⁻ᵀ and L⁻¹ K L⁻ᵀ with M = L Lᵀ; `None` if M is not positive.
    pub(super) fn normal_form(&self) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
        normalized(&self.mass, &self.damping, &self.stiffness)
    }

    /// The poles, largest real part first: roots of det(M s² + D s + K).
    pub fn poles(&self) -> Result<Vec<Pole>, LinearError> {
        let (damping, stiffness) =
            self.normal_form().ok_or(LinearError::NotFinite { what: "the mass matrix" })?;
        poles(&damping, &stiffness)
    }

    /// The smallest eigenvalue of M⁻¹ K \[1/s²\]: negative where the robot falls away from the pose.
    pub fn smallest_stiffness(&self) -> f64 {
        self.normal_form().map_or(f64::NAN, |(_, k)| k.symmetric_eigenvalues().min())
    }

    /// The model in state space: states x and ẋ, inputs the efforts, outputs the actuated joints.
    pub fn state_space(&self) -> StateSpace {
        let n = self.order();
        let inverse =
            Cholesky::new(self.mass.clone()).map_or(DMatrix::from_element(n, n, f64::NAN), |c| c.inverse());
        let (mut a, mut b) = (DMatrix::zeros(2 * n, 2 * n), DMatrix::zeros(2 * n, self.input.ncols()));
        a.view_mut((0, n), (n, n)).fill_with_identity();
        a.view_mut((n, 0), (n, n)).copy_from(&-(&inverse * &self.stiffness));
        a.view_mut((n, n), (n, n)).copy_from(&-(&inverse * &self.damping));
        b.view_mut((n, 0), (n, self.input.ncols())).copy_from(&(&inverse * &self.input));
        let motors = self.to_joints.nrows();
        let mut c = DMatrix::zeros(motors, 2 * n);
        c.view_mut((0, 0), (motors, n)).copy_from(&self.to_joints);
        let outputs: Vec<Signal> = self.joints.iter().map(|j| Signal::new(&j.name, j.unit())).collect();
        let inputs = self.joints.iter().enumerate();
        StateSpace {
            d: DMatrix::zeros(motors, self.input.ncols()),
            states: self.states(),
            inputs: inputs
                .map(|(k, joint)| Signal::new(format!("u{}", k + 1), joint.effort_unit()))
                .collect(),
            outputs,
            a,
            b,
            c,
        }
    }

    fn states(&self) -> Vec<Signal> {
        let motor = |j: &Joint| (j.name.clone(), j.unit(), format!("{}_rate", j.name));
        let of: Vec<(String, &str, String)> = match self.coordinates {
            Coordinates::Joints => self.joints.iter().map(motor).collect(),
            Coordinates::Platform => self
                .freedoms
                .iter()
                .map(|f| (f.coordinate.into(), if f.turns() { "rad" } else { "m" }, f.velocity.into()))
                .chain(self.held.iter().filter_map(|place| self.joints.get(*place)).map(motor))
                .collect(),
        };
        let places = of.iter().map(|(name, unit, _)| Signal::new(name, *unit));
        let rates = of.iter().map(|(_, unit, rate)| Signal::new(rate, format!("{unit}/s")));
        places.chain(rates).collect()
    }
}

/// The roots of det(s² + D s + K) for symmetric D and K. Without damping they are exact pairs: s² = −k.
pub(super) fn poles(damping: &DMatrix<f64>, stiffness: &DMatrix<f64>) -> Result<Vec<Pole>, LinearError> {
    let n = stiffness.nrows();
    if damping.amax() == 0.0 {
        let mut poles: Vec<Pole> = Vec::with_capacity(2 * n);
        for k in stiffness.symmetric_eigenvalues().iter() {
            let root = k.abs().sqrt();
            poles.extend(
                [root, -root].map(
                    |s| {
                        if *k < 0.0 { Pole { re: s, im: 0.0 } } else { Pole { re: 0.0, im: s } }
                    },
                ),
            );
        }
        poles.sort_by(Pole::order);
        return Ok(poles);
    }
    if stiffness.amax() == 0.0 {
        // n at zero exactly, n of the damping
        let mut poles = vec![Pole { re: 0.0, im: 0.0 }; n];
        poles.extend(damping.symmetric_eigenvalues().iter().map(|d| Pole { re: -d, im: 0.0 }));
        poles.sort_by(Pole::order);
        return Ok(poles);
    }
    let mut a = DMatrix::zeros(2 * n, 2 * n);
    a.view_mut((0, n), (n, n)).fill_with_identity();
    a.view_mut((n, 0), (n, n)).copy_from(&-stiffness);
    a.view_mut((n, n), (n, n)).copy_from(&-damping);
    eigenvalues(&a)
}

/// L⁻¹ D L⁻ᵀ and L⁻¹ K L⁻ᵀ with M = L Lᵀ; `None` if M is not positive.
pub(super) fn normalized(
    mass: &DMatrix<f64>,
    damping: &DMatrix<f64>,
    stiffness: &DMatrix<f64>,
) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
    let l = Cholesky::new(mass.clone())?.unpack();
    let seen = |m: &DMatrix<f64>| {
        let half = l.solve_lower_triangular(m)?;
        l.solve_lower_triangular(&half.transpose()).map(|m| symmetric(&m))
    };
    Some((seen(damping)?, seen(stiffness)?))
}

fn symmetric(m: &DMatrix<f64>) -> DMatrix<f64> {
    (m + m.transpose()) * 0.5
}
