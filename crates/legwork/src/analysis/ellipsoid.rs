//! What the motors can do at a pose, as ellipsoids about the platform point: its velocities, the forces it resists and the
//! mass it shows.

use crate::{AnyRobot, State};
use legwork_core::Real;
use nalgebra::{DMatrix, SymmetricEigen};

/// An ellipsoid about the platform point; flat for a robot that moves in a plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Ellipsoid {
    /// What it shows.
    pub kind: EllipsoidKind,
    /// Its half axes, as many as the platform has linear freedoms, longest first.
    pub axes: Vec<HalfAxis>,
}

/// What an ellipsoid shows. J_v is the part of the Jacobian that gives the velocity of the platform point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EllipsoidKind {
    /// v = J_v q̇ for all |q̇| = 1 \[m/s for 1 rad/s or 1 m/s\].
    Velocity,
    /// The forces f with |J_vᵀ f| = 1, which unit efforts of the motors hold \[N for 1 N m or 1 N\].
    Force,
    /// The mass that a force at the platform point meets, Λ = ((M⁻¹)_vv)⁻¹ with M the mass matrix of the platform \[kg\].
    Inertia,
}

/// Half an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfAxis {
    /// Unit vector in base axes, or in those of the cell.
    pub direction: [f64; 3],
    /// How long it is, in the unit of its [`EllipsoidKind`].
    pub length: f64,
}

impl EllipsoidKind {
    /// One word: `velocity`, `force`, `inertia`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Velocity => "velocity",
            Self::Force => "force",
            Self::Inertia => "inertia",
        }
    }

    /// What it shows, in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Velocity => "velocities of the platform point while the speeds of the motors have norm 1",
            Self::Force => "forces at the platform point that efforts of norm 1 hold",
            Self::Inertia => "mass that a force at the platform point meets",
        }
    }
}

impl Ellipsoid {
    /// Those of a robot in a state; that of inertia only with masses, none if the platform only turns. One with a length that
    /// is not finite is left out.
    pub fn of(robot: &AnyRobot, state: &State) -> Vec<Self> {
        let freedoms = robot.freedoms();
        let linear: Vec<usize> = (0..freedoms.len()).filter(|k| !freedoms[*k].turns()).collect();
        let components: Vec<usize> = linear.iter().map(|k| freedoms[*k].component).collect();
        let jacobian = matrix(&state.jacobian);
        if linear.is_empty() || jacobian.nrows() != freedoms.len() {
            return Vec::new();
        }
        let linear_rows = jacobian.select_rows(&linear);
        let square = &linear_rows * linear_rows.transpose();
        let inertia = state.dynamics.as_ref().and_then(|dynamics| {
            let compliance = matrix(&dynamics.platform_mass_matrix).try_inverse()?;
            compliance.select_rows(&linear).select_columns(&linear).try_inverse()
        });
        let found = [
            Some(Self::with_axes(EllipsoidKind::Velocity, &square, &components, f64::sqrt)),
            Some(Self::with_axes(EllipsoidKind::Force, &square, &components, |x| 1.0 / x.sqrt())),
            inertia.map(|mass| Self::with_axes(EllipsoidKind::Inertia, &mass, &components, |x| x)),
        ];
        let is_finite = |one: &Self| one.axes.iter().all(|axis| axis.length.is_finite());
        found.into_iter().flatten().filter(is_finite).collect()
    }

    /// The axes of a symmetric matrix, each as long as its eigenvalue says.
    fn with_axes(
        kind: EllipsoidKind,
        matrix: &DMatrix<f64>,
        components: &[usize],
        length: impl Fn(f64) -> f64,
    ) -> Self {
        // Symmetric but for rounding.
        let found = SymmetricEigen::new((matrix + matrix.transpose()) * 0.5);
        let axis = |k: usize| {
            let mut direction = [0.0; 3];
            for (row, component) in components.iter().enumerate() {
                direction[*component] = found.eigenvectors[(row, k)];
            }
            // Rounding may leave a little less than nothing.
            HalfAxis { direction, length: length(Real::max(found.eigenvalues[k], 0.0)) }
        };
        let mut axes: Vec<HalfAxis> = (0..components.len()).map(axis).collect();
        axes.sort_by(|a, b| b.length.total_cmp(&a.length));
        Self { kind, axes }
    }
}

fn matrix(rows: &[Vec<f64>]) -> DMatrix<f64> {
    let columns = rows.first().map_or(0, Vec::len);
    DMatrix::from_fn(rows.len(), columns, |i, j| rows[i].get(j).copied().unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlatformState;

    fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    fn of(name: &str, place: Option<[f64; 3]>) -> (AnyRobot, State, Vec<Ellipsoid>) {
        let robot = AnyRobot::open(name).unwrap();
        let home = robot.home();
        let state =
            robot.state(&place.map_or(home, |place| PlatformState { position: place, ..home })).unwrap();
        let found = Ellipsoid::of(&robot, &state);
        (robot, state, found)
    }

    /// Motors at a unit speed take the platform of a robot with as many motors as linear freedoms to the surface: the
    /// forward rates are another formula than the Jacobian.
    #[test]
    fn unit_speeds_end_on_the_surface() {
        for (name, place) in
            [("delta-industrial", Some([0.1, -0.05, -0.8])), ("linear-delta", None), ("five-bar", None)]
        {
            let (robot, state, found) = of(name, place);
            let count = state.q.len();
            for k in 0..24 {
                let raw: Vec<f64> =
                    (0..count).map(|m| f64::from(k * 7 + u32::try_from(m).unwrap() * 5 + 1).sin()).collect();
                let norm = raw.iter().map(|x| x * x).sum::<f64>().sqrt();
                let qd: Vec<f64> = raw.iter().map(|x| x / norm).collect();
                let moving =
                    robot.platform_from_joints(&state.q, &qd, &vec![0.0; count], &state.platform).unwrap();
                let v = [moving.twist[0], moving.twist[1], moving.twist[2]];
                let on: f64 =
                    found[0].axes.iter().map(|axis| (dot(axis.direction, v) / axis.length).powi(2)).sum();
                assert!((on - 1.0).abs() < 1e-9, "{name}: {on}"); // rounding times the condition squared
            }
        }
    }

    /// Power: a force along an axis of one and a velocity along the same axis of the other are one watt.
    #[test]
    fn force_and_velocity_are_each_other_s_inverse() {
        for name in ["delta-direct-drive", "gough-stewart", "hexaglide"] {
            let (_, _, found) = of(name, None);
            for axis in &found[0].axes {
                let across: f64 = found[1]
                    .axes
                    .iter()
                    .map(|force| (dot(force.direction, axis.direction) * force.length).powi(2))
                    .sum();
                assert!((across.sqrt() * axis.length - 1.0).abs() < 1e-9, "{name}"); // rounding times the condition
            }
        }
    }

    /// A push of one newton along an axis gives, beyond what the motors hold, one over that mass.
    #[test]
    fn a_push_meets_the_mass_of_its_axis() {
        for (name, place) in [("delta-industrial", Some([0.1, -0.05, -0.8])), ("gough-stewart", None)] {
            let (robot, state, found) = of(name, place);
            let hold = &state.dynamics.as_ref().unwrap().motor;
            for axis in &found[2].axes {
                let pushed = state.platform.with_force(axis.direction);
                let still = robot.forward_dynamics(&state.platform, hold).unwrap().platform;
                let moved = robot.forward_dynamics(&pushed, hold).unwrap().platform;
                let mut along = 0.0;
                for ((freedom, a), b) in robot.freedoms().iter().zip(&moved).zip(&still) {
                    along += axis.direction.get(freedom.component).map_or(0.0, |d| d * (a - b));
                }
                assert!((along * axis.length - 1.0).abs() < 1e-9, "{name}: {along} {}", axis.length); // rounding
            }
        }
    }

    /// About its axis a Delta is the same in all directions.
    #[test]
    fn a_delta_at_home_is_round() {
        let (_, _, found) = of("delta-industrial", Some([0.0, 0.0, -0.8]));
        for one in &found {
            let flat: Vec<f64> = one
                .axes
                .iter()
                .filter(|axis| axis.direction[2].abs() < 0.5)
                .map(|axis| axis.length)
                .collect();
            assert_eq!(flat.len(), 2);
            assert!((flat[0] / flat[1] - 1.0).abs() < 1e-9, "{:?}", one.kind); // rounding
        }
    }
}
