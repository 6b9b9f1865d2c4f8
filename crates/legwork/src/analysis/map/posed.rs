//! A robot in one pose, as far as the quantities ask: filled again and again without a heap.

use super::Grid;
use crate::analysis::linear::largest_real_part;
use crate::description::Frame;
use crate::robot::{AnyRobot, DeltaParts, State};
use legwork_core::V3;
use legwork_core::robots::delta::{Delta, Linkage, Posture};

/// What the quantities of a map need to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a list of what is needed or not")]
pub(super) struct Needs {
    /// The mass matrix at the motors.
    pub mass: bool,
    /// Gravity, and the mass matrix at the platform.
    pub forces: bool,
    /// Angles of the passive joints.
    pub passive: bool,
    /// The poles.
    pub stability: bool,
}

/// A robot in one pose. Matrices by rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Posed {
    pub motors: usize,
    pub freedoms: usize,
    pub q: Vec<f64>,
    /// freedoms × motors
    pub jacobian: Vec<f64>,
    pub serial: Vec<f64>,
    pub parallel: f64,
    pub condition: f64,
    /// motors × motors
    pub mass: Vec<f64>,
    /// freedoms × freedoms
    pub platform_mass: Vec<f64>,
    pub gravity: Vec<f64>,
    pub passive: Vec<f64>,
    /// Of all poles \[1/s\].
    pub largest_real_part: f64,
}

/// A robot that is put into one pose after the other.
pub(super) struct Poser<'a> {
    robot: &'a AnyRobot,
    grid: &'a Grid,
    needs: Needs,
    counts_limits: bool,
    /// A Delta goes the short way.
    delta: Option<DeltaParts<'a>>,
    /// Passive angles at home, from which they are counted.
    passive_home: Vec<f64>,
}

impl<'a> Poser<'a> {
    pub fn new(robot: &'a AnyRobot, grid: &'a Grid, needs: Needs, counts_limits: bool) -> Self {
        let passive_home =
            if needs.passive { robot.passive_angles(&robot.home()).unwrap_or_default() } else { Vec::new() };
        Self { robot, grid, needs, counts_limits, delta: robot.delta_parts(), passive_home }
    }

    /// Puts the robot at six coordinates; `false` where it cannot be.
    pub fn put(&self, coordinates: [f64; 6], posed: &mut Posed) -> bool {
        let [x, y, z, ..] = coordinates;
        let found = match self.delta {
            Some((linkage, delta, frame)) => {
                posed.of_delta(linkage, delta, frame, self.needs, [x, y, z]).is_some()
            }
            None => {
                self.robot.state(&self.grid.platform(coordinates)).map(|state| posed.of_state(&state)).is_ok()
            }
        };
        if !found || (self.counts_limits && self.is_outside(&posed.q)) {
            return false;
        }
        // The short way of a Delta does not look at the joints of its forearms.
        if self.delta.is_some() && self.robot.check_joint_cones(&self.grid.platform(coordinates)).is_err() {
            return false;
        }
        if self.needs.passive {
            let Ok(angles) = self.robot.passive_angles(&self.grid.platform(coordinates)) else {
                return false;
            };
            posed.passive.clear();
            posed
                .passive
                .extend(angles.iter().zip(&self.passive_home).map(|(now, home)| wrapped(now - home)));
        }
        if self.needs.stability {
            let Ok(part) = largest_real_part(self.robot, &self.grid.platform(coordinates)) else {
                return false;
            };
            posed.largest_real_part = part;
        }
        true
    }

    fn is_outside(&self, q: &[f64]) -> bool {
        self.robot.joints().iter().zip(q).any(|(joint, q)| joint.is_outside(*q))
    }
}

/// An angle within ±π.
fn wrapped(angle: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    angle - turn * (angle / turn).round()
}

fn set(list: &mut Vec<f64>, values: impl IntoIterator<Item = f64>) {
    list.clear();
    list.extend(values);
}

impl Posed {
    /// The same calls as those of `DeltaRobot::state`, so the same bits.
    fn of_delta(
        &mut self,
        linkage: &Linkage<f64>,
        delta: Option<&Delta<f64>>,
        frame: Frame,
        needs: Needs,
        position: [f64; 3],
    ) -> Option<()> {
        let position: V3<f64> = frame.position_from_user(position).into();
        let posture: Posture<f64> = linkage.posture(position).ok()?.not_serial().ok()?.not_parallel().ok()?;
        (self.motors, self.freedoms) = (3, 3);
        let sign = frame.angle_sign;
        set(&mut self.q, posture.angles().map(|angle| frame.angle_to_user(angle)).to_array());
        set(&mut self.jacobian, (posture.jacobian() * sign).to_rows().into_iter().flatten());
        let singularity = posture.singularity();
        set(&mut self.serial, singularity.serial.map(f64::abs).to_array());
        self.parallel = singularity.parallel.abs();
        self.condition = singularity.condition;
        if let Some(delta) = delta {
            if needs.mass {
                let mass = delta.mass_matrix(&posture).to_matrix();
                set(&mut self.mass, mass.to_rows().into_iter().flatten());
            }
            if needs.forces {
                let mass = delta.platform_mass_matrix(&posture).to_matrix();
                set(&mut self.platform_mass, mass.to_rows().into_iter().flatten());
                set(&mut self.gravity, (delta.gravity_torque(&posture) * sign).to_array());
            }
        }
        Some(())
    }

    fn of_state(&mut self, state: &State) {
        (self.motors, self.freedoms) = (state.q.len(), state.jacobian.len());
        let flat = |rows: &[Vec<f64>]| rows.iter().flatten().copied().collect::<Vec<_>>();
        set(&mut self.q, state.q.iter().copied());
        set(&mut self.jacobian, flat(&state.jacobian));
        set(&mut self.serial, state.singularity.serial.iter().copied());
        self.parallel = state.singularity.parallel;
        self.condition = state.singularity.condition;
        if let Some(dynamics) = &state.dynamics {
            set(&mut self.mass, flat(&dynamics.mass_matrix));
            set(&mut self.platform_mass, flat(&dynamics.platform_mass_matrix));
            set(&mut self.gravity, dynamics.gravity.iter().copied());
        }
    }

    /// Whether det J is positive; `None` for a matrix that is not square.
    pub fn orientation(&self) -> Option<bool> {
        if self.motors != self.freedoms {
            return None;
        }
        let n = self.motors;
        let mut a = self.jacobian.clone();
        let mut is_positive = true;
        for k in 0..n {
            let pivot = (k..n).max_by(|i, j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()))?;
            if pivot != k {
                (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
                is_positive = !is_positive;
            }
            is_positive ^= a[k * n + k] < 0.0;
            for i in k + 1..n {
                let factor = a[i * n + k] / a[k * n + k];
                (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
            }
        }
        Some(is_positive)
    }
}
