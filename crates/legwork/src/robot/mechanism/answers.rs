//! What a mechanism answers about one state.
//!
//! With y the independent motors, their rates follow from the independent components s of the platform's twist, and all
//! else from them,
//!
//! ```text
//! V = J y',  J_s y' = V_s                                                            (1)
//! V' = J y'' + b,  J_s y'' = V'_s − b_s                                              (2)
//! q' = Y y' = R V_s,  R = Y J_s⁻¹,  J_r = R⁺                                         (3)
//! M_s = J_s⁻ᵀ M J_s⁻¹                                                                (4)
//! ```
//!
//! where b is the platform's acceleration with y'' = 0, Y the rates of all motors and M the mass matrix of y.

use super::super::dense::{self, MAX_FREEDOMS, MAX_MOTORS};
use super::super::state::{Dynamics, Energies, LegForce, PlatformState, Singularity, State, TWIST, outside};
use super::{MechanismRobot, ONLY, state_of};
use crate::RobotError;
use crate::mechanism::{Configuration, MechanismError, Workspace};
use legwork_core::engine::Wrench;
use legwork_core::mechanism::Motion;
use nalgebra::{DMatrix, DVector};

/// A given component that follows from the others may be off by so much, relative to the motion.
const FOLLOWS: f64 = 1e-6;
/// Below this margin a posture is singular.
const SINGULAR: f64 = 1e-9;

/// A mechanism in motion.
pub(super) struct Moving {
    pub workspace: Workspace<f64>,
    pub at: Configuration,
    /// The smallest pivot, relative to home.
    margin: f64,
    /// J_s⁻¹
    pub inverse: DMatrix<f64>,
    /// Y
    pub motors: DMatrix<f64>,
    pub rates: Vec<f64>,
    pub accelerations: Vec<f64>,
    /// All six components.
    twist: [f64; 6],
    acceleration: [f64; 6],
}

fn wrench(platform: &PlatformState) -> Wrench<f64> {
    Wrench::from_vector_linear_first(platform.wrench)
}

fn put(answer: impl IntoIterator<Item = f64>, list: &mut [f64]) {
    list.iter_mut().zip(answer).for_each(|(slot, value)| *slot = value);
}

fn by_rows(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.transpose().iter().copied().collect()
}

fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    (0..matrix.nrows()).map(|i| matrix.row(i).iter().copied().collect()).collect()
}

impl MechanismRobot {
    fn components(&self) -> &[usize] {
        &self.model.mobility().coordinates
    }

    /// J and Y in a configuration, the workspace prepared for rest there; the margin.
    fn slopes(
        &self,
        at: &Configuration,
        workspace: &mut Workspace<f64>,
    ) -> (DMatrix<f64>, DMatrix<f64>, f64) {
        let plan = self.model.plan();
        let count = plan.independent();
        let mut memory = workspace.memory();
        let still = vec![0.0; count];
        let motion =
            Motion { coordinates: at.coordinates(), rates: &still, idle: None, wrench: Wrench::zero() };
        let margin = plan.prepare(&motion, &mut memory);
        plan.write_slopes(&mut memory);
        let columns: Vec<[f64; 6]> =
            (0..count).map(|k| plan.jacobian_column(k, &memory).to_vector_linear_first()).collect();
        let jacobian = DMatrix::from_fn(6, count, |i, j| columns[j][i]);
        let motors =
            DMatrix::from_fn(plan.motors.len(), count, |i, j| plan.slope(plan.motors[i].freedom, j, &memory));
        (jacobian, motors, margin)
    }

    /// The rows of the independent components, as lengths.
    fn scaled(&self, matrix: &DMatrix<f64>) -> DMatrix<f64> {
        let picked = self.picked(matrix);
        DMatrix::from_fn(picked.nrows(), picked.ncols(), |i, j| {
            let turns = self.components().get(i).is_some_and(|place| *place >= 3);
            picked[(i, j)] * if turns { self.size } else { 1.0 }
        })
    }

    fn picked(&self, matrix: &DMatrix<f64>) -> DMatrix<f64> {
        let components = self.components();
        DMatrix::from_fn(components.len(), matrix.ncols(), |i, j| matrix[(components[i], j)])
    }

    /// How far each motor moves the platform in a configuration.
    pub(super) fn reaches(&self, at: &Configuration) -> Vec<f64> {
        let mut workspace = self.model.workspace();
        let (jacobian, motors, _) = self.slopes(at, &mut workspace);
        let scaled = self.scaled(&jacobian);
        let each = pseudo_inverse(&motors).map_or_else(|| scaled.clone(), |inverse| &scaled * inverse);
        each.column_iter().map(|column| column.norm()).collect()
    }

    /// The mechanism in the motion that a platform state gives.
    pub(super) fn moving(&self, platform: &PlatformState) -> Result<Moving, RobotError> {
        let at = self.configuration(platform)?;
        let mut workspace = self.model.workspace();
        let (jacobian, motors, margin) = self.slopes(&at, &mut workspace);
        if margin.is_nan() || margin.abs() <= SINGULAR {
            return Err(MechanismError::Singular { margin, at: "this pose".into() }.into());
        }
        let own = self.picked(&jacobian);
        let inverse = own.clone().try_inverse().filter(|inverse| {
            let size = self.scaled(&jacobian).norm();
            inverse.iter().all(|x| x.is_finite()) && size > 0.0
        });
        let Some(inverse) = inverse else {
            let freedoms = self.components().len();
            return Err(MechanismError::Coordinates { freedoms, margin: 0.0 }.into());
        };
        let given = DVector::from_iterator(
            self.components().len(),
            self.components().iter().map(|place| platform.twist[*place]),
        );
        let rates: Vec<f64> = (&inverse * given).iter().copied().collect(); // (1)
        let full = &jacobian * DVector::from_column_slice(&rates);
        let twist = self.with_own(std::array::from_fn(|k| full[k]), &platform.twist);
        self.check_following("velocity", &platform.twist, &twist)?;
        let bias = self.bias(&at, &rates, &mut workspace);
        let asked = DVector::from_iterator(
            self.components().len(),
            self.components().iter().map(|place| platform.acceleration[*place] - bias[*place]),
        );
        let accelerations: Vec<f64> = (&inverse * asked).iter().copied().collect(); // (2)
        let full = &jacobian * DVector::from_column_slice(&accelerations);
        let acceleration = self.with_own(std::array::from_fn(|k| full[k] + bias[k]), &platform.acceleration);
        self.check_following("acceleration", &platform.acceleration, &acceleration)?;
        Ok(Moving { workspace, at, margin, inverse, motors, rates, accelerations, twist, acceleration })
    }

    /// What was found, the independent components as they were given.
    fn with_own(&self, mut found: [f64; 6], given: &[f64; 6]) -> [f64; 6] {
        for place in self.components() {
            found[*place] = given[*place];
        }
        found
    }

    /// Refuses a given component that contradicts what follows from the others; zero counts as not given.
    fn check_following(
        &self,
        what: &'static str,
        given: &[f64; 6],
        found: &[f64; 6],
    ) -> Result<(), RobotError> {
        let size = given.iter().chain(found).map(|x| x.abs()).fold(0.0, legwork_core::Real::max);
        for (place, freedom) in TWIST.iter().enumerate() {
            let (given, follows) = (given[place], found[place]);
            let is_own = self.components().contains(&place);
            if !is_own && given != 0.0 && (given - follows).abs() > FOLLOWS * size {
                return Err(RobotError::Follows { what, velocity: freedom.velocity, given, follows });
            }
        }
        Ok(())
    }

    /// The platform's acceleration with these rates of the independent motors and no accelerations.
    fn bias(&self, at: &Configuration, rates: &[f64], workspace: &mut Workspace<f64>) -> [f64; 6] {
        let plan = self.model.plan();
        let mut memory = workspace.memory();
        let motion = Motion { coordinates: at.coordinates(), rates, idle: None, wrench: Wrench::zero() };
        plan.prepare(&motion, &mut memory);
        let mut efforts = vec![0.0; plan.motors.len()];
        let still = vec![0.0; rates.len()];
        plan.efforts_for(&still, &Wrench::zero(), false, &mut efforts, &mut memory);
        plan.platform_acceleration(&memory).to_vector_linear_first()
    }

    /// Efforts of all motors, in their order.
    fn efforts(
        &self,
        at: &Configuration,
        (rates, accelerations): (&[f64], &[f64]),
        wrench: Wrench<f64>,
        friction: bool,
        workspace: &mut Workspace<f64>,
    ) -> Vec<f64> {
        let plan = self.model.plan();
        let mut memory = workspace.memory();
        let motion = Motion { coordinates: at.coordinates(), rates, idle: None, wrench };
        plan.prepare(&motion, &mut memory);
        let mut efforts = vec![0.0; plan.motors.len()];
        plan.efforts_for(accelerations, &wrench, friction, &mut efforts, &mut memory);
        efforts
    }

    fn massive(&self) -> Result<(), RobotError> {
        if self.has_masses { Ok(()) } else { Err(RobotError::NoMasses { robot: self.name.clone() }) }
    }

    /// Rates and accelerations of all motors.
    fn motor_motion(&self, moving: &mut Moving) -> (Vec<f64>, Vec<f64>) {
        let plan = self.model.plan();
        let mut memory = moving.workspace.memory();
        let motion = Motion {
            coordinates: moving.at.coordinates(),
            rates: &moving.rates,
            idle: None,
            wrench: Wrench::zero(),
        };
        plan.prepare(&motion, &mut memory);
        let mut efforts = vec![0.0; plan.motors.len()];
        plan.efforts_for(&moving.accelerations, &Wrench::zero(), false, &mut efforts, &mut memory);
        let pick = |list: &[f64]| plan.motors.iter().map(|motor| list[motor.freedom]).collect::<Vec<_>>();
        (pick(memory.rates), pick(memory.accelerations))
    }

    pub(in crate::robot) fn joints_from_platform_into(
        &self,
        platform: &PlatformState,
        q: &mut [f64],
        qd: &mut [f64],
        qdd: &mut [f64],
    ) -> Result<(), RobotError> {
        let mut moving = self.moving(platform)?;
        put(self.model.motor_values(&moving.at), q);
        let (rates, accelerations) = self.motor_motion(&mut moving);
        put(rates, qd);
        put(accelerations, qdd);
        Ok(())
    }

    pub(in crate::robot) fn platform_from_joints(
        &self,
        q: &[f64],
        qd: &[f64],
        qdd: &[f64],
        start: &PlatformState,
    ) -> Result<PlatformState, RobotError> {
        self.counted("joint velocities", qd)?;
        self.counted("joint accelerations", qdd)?;
        let at = self.configuration_at(q, start)?;
        let plan = self.model.plan();
        let (rates, accelerations) = (self.independent(qd), self.independent(qdd));
        let mut workspace = self.model.workspace();
        self.efforts(&at, (&rates, &accelerations), Wrench::zero(), false, &mut workspace);
        let memory = workspace.memory();
        let twist = plan.platform_twist(&memory).to_vector_linear_first();
        let acceleration = plan.platform_acceleration(&memory).to_vector_linear_first();
        Ok(PlatformState { twist, acceleration, ..state_of(&self.pose(&at)) })
    }

    /// R of (3), and its inverse in the sense of least squares.
    pub(super) fn motor_rows(moving: &Moving) -> Result<(DMatrix<f64>, DMatrix<f64>), RobotError> {
        let rows = &moving.motors * &moving.inverse;
        let jacobian = pseudo_inverse(&rows)
            .ok_or_else(|| MechanismError::Singular { margin: 0.0, at: "this pose".into() })?;
        Ok((rows, jacobian))
    }

    pub(in crate::robot) fn jacobian_into(
        &self,
        platform: &PlatformState,
        rows: &mut [f64],
    ) -> Result<(), RobotError> {
        self.jacobian_and_condition_into(platform, rows).map(|_| ())
    }

    pub(in crate::robot) fn jacobian_and_condition_into(
        &self,
        platform: &PlatformState,
        rows: &mut [f64],
    ) -> Result<f64, RobotError> {
        let moving = self.moving(&platform.at_rest())?;
        let (_, jacobian) = Self::motor_rows(&moving)?;
        put(by_rows(&jacobian), rows);
        Ok(self.condition(&jacobian))
    }

    /// Condition number of the Jacobian, rotations made lengths by the platform's size: those of the platform and,
    /// where some motors turn and some slide, those of the motors.
    fn condition(&self, jacobian: &DMatrix<f64>) -> f64 {
        let mut scaled = [[0.0; MAX_MOTORS]; MAX_FREEDOMS];
        let slides = self.joints.iter().filter(|joint| joint.slides).count();
        let mixed = slides > 0 && slides < self.joints.len();
        for (i, (row, freedom)) in scaled.iter_mut().zip(&self.freedoms).enumerate() {
            let lever = if freedom.turns() { self.size } else { 1.0 };
            for (j, (entry, joint)) in row.iter_mut().zip(&self.joints).enumerate() {
                let unit = if mixed && !joint.slides { self.size } else { 1.0 };
                *entry = jacobian[(i, j)] * lever / unit;
            }
        }
        let condition = dense::condition(&scaled, self.freedoms.len());
        if condition.is_nan() { f64::INFINITY } else { condition }
    }

    pub(in crate::robot) fn singularity(&self, platform: &PlatformState) -> Result<Singularity, RobotError> {
        let moving = self.moving(&platform.at_rest())?;
        let (rows, jacobian) = Self::motor_rows(&moving)?;
        Ok(self.measures(&moving, &rows, &jacobian))
    }

    fn measures(&self, moving: &Moving, rows: &DMatrix<f64>, jacobian: &DMatrix<f64>) -> Singularity {
        let lever = |freedom: usize| if self.freedoms[freedom].turns() { self.size } else { 1.0 };
        let reach = jacobian
            .column_iter()
            .map(|column| column.iter().enumerate().map(|(i, x)| (x * lever(i)).powi(2)).sum::<f64>().sqrt());
        let serial = reach.zip(&self.reach).map(|(now, home)| {
            let part = now / home;
            if part < 1.0 { part } else { 1.0 }
        });
        // Unit rows of R, rotations as lengths.
        let unit = DMatrix::from_fn(rows.nrows(), rows.ncols(), |k, i| rows[(k, i)] / lever(i));
        let unit = DMatrix::from_fn(unit.nrows(), unit.ncols(), |k, i| unit[(k, i)] / unit.row(k).norm());
        let (motors, freedoms) = (rows.nrows() as f64, rows.ncols() as f64);
        let most = (motors / freedoms).powf(freedoms / 2.0);
        let volume = (unit.transpose() * &unit).determinant().max(0.0).sqrt() / most;
        let held = moving.margin.abs();
        Singularity {
            serial: serial.collect(),
            parallel: volume * if held < 1.0 { held } else { 1.0 },
            condition: self.condition(jacobian),
        }
    }

    pub(in crate::robot) fn inverse_dynamics_into(
        &self,
        platform: &PlatformState,
        effort: &mut [f64],
    ) -> Result<(), RobotError> {
        self.massive()?;
        let mut moving = self.moving(platform)?;
        let motion = (moving.rates.as_slice(), moving.accelerations.as_slice());
        put(self.efforts(&moving.at, motion, wrench(platform), true, &mut moving.workspace), effort);
        Ok(())
    }

    pub(in crate::robot) fn forward_dynamics_into(
        &self,
        platform: &PlatformState,
        effort: &[f64],
        acceleration: &mut [f64],
        qdd: &mut [f64],
    ) -> Result<(), RobotError> {
        self.massive()?;
        self.counted("efforts", effort)?;
        let still = PlatformState { acceleration: [0.0; 6], ..*platform };
        let mut moving = self.moving(&still)?;
        let plan = self.model.plan();
        let mut memory = moving.workspace.memory();
        let motion = Motion {
            coordinates: moving.at.coordinates(),
            rates: &moving.rates,
            idle: None,
            wrench: wrench(platform),
        };
        let mut found = vec![0.0; plan.independent()];
        let (_, margin) = plan.forward_dynamics(&motion, effort, &mut found, &mut memory);
        if margin.is_nan() || margin <= 0.0 {
            return Err(legwork_core::engine::StateError::NoMass { margin }.into());
        }
        plan.accelerate_bodies(&mut memory);
        let six = plan.platform_acceleration(&memory).to_vector_linear_first();
        put(self.components().iter().map(|place| six[*place]), acceleration);
        put(plan.motors.iter().map(|motor| memory.accelerations[motor.freedom]), qdd);
        Ok(())
    }

    /// M_s of (4).
    pub(super) fn platform_mass(&self, moving: &mut Moving) -> DMatrix<f64> {
        let plan = self.model.plan();
        let mut memory = moving.workspace.memory();
        let motion = Motion {
            coordinates: moving.at.coordinates(),
            rates: &moving.rates,
            idle: None,
            wrench: Wrench::zero(),
        };
        plan.prepare(&motion, &mut memory);
        plan.write_mass_matrix(&mut memory);
        let count = plan.independent();
        let mass = DMatrix::from_fn(count, count, |i, j| plan.mass(i, j, &memory));
        moving.inverse.transpose() * mass * &moving.inverse
    }

    pub(in crate::robot) fn mass_matrix_into(
        &self,
        platform: &PlatformState,
        rows: &mut [f64],
    ) -> Result<(), RobotError> {
        self.massive()?;
        let mut moving = self.moving(&platform.at_rest())?;
        let mass = self.platform_mass(&mut moving);
        let (_, jacobian) = Self::motor_rows(&moving)?;
        put(by_rows(&(jacobian.transpose() * mass * &jacobian)), rows);
        Ok(())
    }

    pub(in crate::robot) fn platform_mass_matrix_into(
        &self,
        platform: &PlatformState,
        rows: &mut [f64],
    ) -> Result<(), RobotError> {
        self.massive()?;
        let mut moving = self.moving(&platform.at_rest())?;
        put(by_rows(&self.platform_mass(&mut moving)), rows);
        Ok(())
    }

    pub(in crate::robot) fn coriolis_into(
        &self,
        platform: &PlatformState,
        effort: &mut [f64],
    ) -> Result<(), RobotError> {
        self.massive()?;
        let mut moving = self.moving(&PlatformState { acceleration: [0.0; 6], ..*platform })?;
        put(self.parts(&mut moving).0, effort);
        Ok(())
    }

    /// Coriolis efforts, and those of weight.
    pub(super) fn parts(&self, moving: &mut Moving) -> (Vec<f64>, Vec<f64>) {
        let still = vec![0.0; moving.rates.len()];
        let free = Wrench::zero();
        let workspace = &mut moving.workspace;
        let both = self.efforts(&moving.at, (&moving.rates, &still), free, false, workspace);
        let gravity = self.efforts(&moving.at, (&still, &still), free, false, workspace);
        (both.iter().zip(&gravity).map(|(both, weight)| both - weight).collect(), gravity)
    }

    pub(in crate::robot) fn energies(&self, platform: &PlatformState) -> Result<Energies, RobotError> {
        self.massive()?;
        let mut moving = self.moving(&PlatformState { acceleration: [0.0; 6], ..*platform })?;
        Ok(self.energy(&mut moving))
    }

    fn energy(&self, moving: &mut Moving) -> Energies {
        let plan = self.model.plan();
        let mut memory = moving.workspace.memory();
        let motion = Motion {
            coordinates: moving.at.coordinates(),
            rates: &moving.rates,
            idle: None,
            wrench: Wrench::zero(),
        };
        plan.prepare(&motion, &mut memory);
        let kinetic = plan.kinetic_energy(&memory);
        Energies { kinetic, potential: self.potential(&moving.at) }
    }

    /// Where the tree is in a state, and the rates of the independent motors.
    pub(super) fn configuration_and_rates(
        &self,
        platform: &PlatformState,
    ) -> Result<(Configuration, Vec<f64>), RobotError> {
        let moving = self.moving(platform)?;
        Ok((moving.at, moving.rates))
    }

    /// The platform's acceleration in all six components with these accelerations of the motors.
    pub(super) fn platform_acceleration(
        &self,
        platform: &PlatformState,
        qdd: &[f64],
    ) -> Result<[f64; 6], RobotError> {
        let mut moving = self.moving(&PlatformState { acceleration: [0.0; 6], ..*platform })?;
        let accelerations = self.independent(qdd);
        let (rates, workspace) = (moving.rates.clone(), &mut moving.workspace);
        self.efforts(&moving.at, (&rates, &accelerations), Wrench::zero(), false, workspace);
        Ok(self.model.plan().platform_acceleration(&workspace.memory()).to_vector_linear_first())
    }

    /// The numbers of the independent motors.
    fn independent(&self, list: &[f64]) -> Vec<f64> {
        let plan = self.model.plan();
        let mut own = vec![0.0; plan.independent()];
        for (motor, value) in plan.motors.iter().zip(list) {
            if let Some(slot) = own.get_mut(motor.independent) {
                *slot = *value;
            }
        }
        own
    }

    /// Potential energy, zero with every centre of mass at the origin.
    fn potential(&self, at: &Configuration) -> f64 {
        let description = self.model.description();
        let poses = self.body_poses(at);
        description.bodies.iter().zip(poses).fold(0.0, |sum, (body, pose)| {
            sum - description.gravity.dot(pose.of(body.body.centre)) * body.body.mass
        })
    }

    /// What the kernel does not count of the potential energy.
    pub(super) fn potential_beside(&self) -> f64 {
        let mut workspace = self.model.workspace();
        let mut memory = workspace.memory();
        let (plan, home) = (self.model.plan(), self.model.home());
        plan.place(home.coordinates(), &mut memory);
        self.potential(home) - plan.potential_energy(&memory)
    }

    /// A mechanism has joints, not legs: the list is empty.
    pub(in crate::robot) fn leg_forces_into(
        &self,
        platform: &PlatformState,
        _forces: &mut [LegForce],
    ) -> Result<(), RobotError> {
        self.massive()?;
        self.configuration(platform).map(|_| ())
    }

    /// Everything.
    pub(in crate::robot) fn state(&self, platform: &PlatformState) -> Result<State, RobotError> {
        let mut moving = self.moving(platform)?;
        let q = self.model.motor_values(&moving.at);
        let (qd, qdd) = self.motor_motion(&mut moving);
        let (motor_rows, jacobian) = Self::motor_rows(&moving)?;
        let singularity = self.measures(&moving, &motor_rows, &jacobian);
        let dynamics = self.has_masses.then(|| self.dynamics(&mut moving, platform, &jacobian, &qdd));
        let found = PlatformState {
            twist: moving.twist,
            acceleration: moving.acceleration,
            ..self.whole_pose(platform)?
        };
        Ok(State {
            platform: found,
            mode: ONLY.into(),
            outside_limits: outside(&self.joints, &q),
            q,
            qd,
            qdd,
            jacobian: rows(&jacobian),
            singularity,
            dynamics,
        })
    }

    fn dynamics(
        &self,
        moving: &mut Moving,
        platform: &PlatformState,
        jacobian: &DMatrix<f64>,
        qdd: &[f64],
    ) -> Dynamics {
        let platform_mass = self.platform_mass(moving);
        let mass = jacobian.transpose() * &platform_mass * jacobian;
        let (coriolis, gravity) = self.parts(moving);
        let still = vec![0.0; moving.rates.len()];
        let (rates, accelerations) = (moving.rates.clone(), moving.accelerations.clone());
        let outside = wrench(platform);
        let workspace = &mut moving.workspace;
        let held = self.efforts(&moving.at, (&still, &still), outside, false, workspace);
        let effort = self.efforts(&moving.at, (&rates, &accelerations), outside, false, workspace);
        let motor = self.efforts(&moving.at, (&rates, &accelerations), outside, true, workspace);
        let energies = self.energy(moving);
        let minus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>();
        let inertial = &mass * DVector::from_column_slice(qdd);
        Dynamics {
            friction: minus(&motor, &effort),
            inertial: inertial.iter().copied().collect(),
            external: minus(&held, &gravity),
            motor,
            effort,
            coriolis,
            gravity,
            mass_matrix: rows(&mass),
            platform_mass_matrix: rows(&platform_mass),
            leg_force: Vec::new(),
            kinetic_energy: energies.kinetic,
            potential_energy: energies.potential,
        }
    }
}

/// (AᵀA)⁻¹Aᵀ of a matrix with as many rows as columns or more; `None` if it is singular.
fn pseudo_inverse(a: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    if a.nrows() == a.ncols() {
        return a.clone().try_inverse();
    }
    let qr = a.clone().qr();
    qr.r().try_inverse().map(|inverse| inverse * qr.q().transpose())
}
