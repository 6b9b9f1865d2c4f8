//! What a mechanism answers about one state.
//!
//! With y the independent motors, their rates follow from the coordinates s: the independent components of the platform's
//! twist V and, where the motors move in more ways than the platform, the motors that are held. All else follows from y,
//!
//! ```text
//! V = J y',  J_s y' = s'                                                             (1)
//! V' = J y'' + b,  J_s y'' = s'' − b_s                                               (2)
//! q' = Y y' = R s',  R = Y J_s⁻¹,  J_r = R⁺                                          (3)
//! M_s = J_s⁻ᵀ M J_s⁻¹                                                                (4)
//! ```
//!
//! where b are accelerations with y'' = 0, Y the rates of all motors and M the mass matrix of y. The robot's Jacobian is the
//! platform's rows of J_r, its mass matrix that part of M_s.

use super::super::dense::{self, MAX_MOTORS, PerMotor};
use super::super::state::{Energies, LegForce, PlatformState, Singularity, TWIST};
use super::rooms::{Room, Taken};
use super::{MAX_COORDINATES, MechanismRobot, PerCoordinate, state_of};
use crate::RobotError;
use crate::mechanism::{Configuration, MechanismError};
use legwork_core::engine::Wrench;
use legwork_core::mechanism::Motion;

/// A given component that follows from the others may be off by so much, relative to the motion.
const FOLLOWS: f64 = 1e-6;
/// Below this margin a posture is singular.
const SINGULAR: f64 = 1e-9;

/// K×D or D×D, with room for any robot.
pub(super) type PerRow = [PerCoordinate; MAX_MOTORS];

/// A mechanism in motion.
pub(super) struct Moving<'a> {
    pub room: Taken<'a>,
    /// The smallest pivot, relative to home.
    margin: f64,
    /// J_s⁻¹: a row for each independent motor.
    pub inverse: [PerMotor; MAX_COORDINATES],
    /// Y
    pub motors: PerRow,
    pub rates: PerCoordinate,
    pub accelerations: PerCoordinate,
    /// All six components.
    pub twist: [f64; 6],
    pub acceleration: [f64; 6],
}

pub(super) fn wrench(platform: &PlatformState) -> Wrench<f64> {
    Wrench::from_vector_linear_first(platform.wrench)
}

fn put(answer: impl IntoIterator<Item = f64>, list: &mut [f64]) {
    list.iter_mut().zip(answer).for_each(|(slot, value)| *slot = value);
}

pub(super) fn rows<const C: usize>(matrix: &[[f64; C]], columns: usize) -> Vec<Vec<f64>> {
    matrix.iter().map(|row| row.iter().take(columns).copied().collect()).collect()
}

/// A B of `rows` × `n` and `n` × `columns`.
fn product(a: &[PerCoordinate], b: &[PerMotor], [rows, n, columns]: [usize; 3]) -> PerRow {
    let mut found = [[0.0; MAX_MOTORS]; MAX_MOTORS];
    for (sum, row) in found.iter_mut().zip(a).take(rows) {
        for (factor, other) in row.iter().zip(b).take(n) {
            sum.iter_mut().zip(other).take(columns).for_each(|(sum, x)| *sum += factor * x);
        }
    }
    found
}

/// Bᵀ A B of a symmetric A of size `n`, B with so many columns.
pub(super) fn turned(a: &[PerCoordinate], b: &[PerMotor], n: usize, columns: usize) -> PerRow {
    let ab = product(a, b, [n, n, columns]);
    let mut found = [[0.0; MAX_MOTORS]; MAX_MOTORS];
    for (left, right) in b.iter().zip(&ab).take(n) {
        for (row, factor) in found.iter_mut().zip(left).take(columns) {
            row.iter_mut().zip(right).take(columns).for_each(|(sum, x)| *sum += factor * x);
        }
    }
    found
}

/// W⁺ of a K×D matrix; `None` if it is singular.
fn inverse_of(w: &PerRow, rows: usize, columns: usize) -> Option<[PerMotor; MAX_COORDINATES]> {
    let found = dense::Qr::new(w, rows, columns).inverse();
    (rows >= columns && found.iter().flatten().all(|x| x.is_finite())).then_some(found)
}

impl MechanismRobot {
    /// Components of the platform's twist among the coordinates.
    pub(super) fn components(&self) -> &[usize] {
        &self.model.mobility().coordinates
    }

    /// How many coordinates there are: the components, and the motors that are held.
    pub(super) fn count(&self) -> usize {
        self.components().len() + self.model.mobility().held.len()
    }

    /// J and Y in a configuration, the workspace prepared for rest there; the margin.
    fn slopes(&self, room: &mut Room) -> ([PerCoordinate; 6], PerRow, f64) {
        let (model, workspace, at) = room.parts(&self.model);
        let plan = model.plan();
        let count = plan.independent();
        let mut memory = workspace.memory();
        let still = [0.0; MAX_COORDINATES];
        let motion = Motion {
            coordinates: at.coordinates(),
            rates: &still[..count],
            idle: None,
            wrench: Wrench::zero(),
        };
        let margin = plan.prepare(&motion, &mut memory);
        plan.write_slopes(&mut memory);
        let (mut jacobian, mut motors) = ([[0.0; MAX_COORDINATES]; 6], [[0.0; MAX_COORDINATES]; MAX_MOTORS]);
        for k in 0..count {
            let column = plan.jacobian_column(k, &memory).to_vector_linear_first();
            jacobian.iter_mut().zip(column).for_each(|(row, x)| row[k] = x);
            for (row, motor) in motors.iter_mut().zip(plan.motors) {
                row[k] = plan.slope(motor.freedom, k, &memory);
            }
        }
        (jacobian, motors, margin)
    }

    /// What makes a component a length.
    fn lever(&self, place: usize) -> f64 {
        if place >= 3 { self.size } else { 1.0 }
    }

    /// How far each motor moves the platform in a configuration.
    pub(super) fn reaches(&self, at: &Configuration) -> Vec<f64> {
        let mut room = self.room();
        room.at.set(at);
        let (jacobian, motors, _) = self.slopes(&mut room);
        let count = self.count();
        let reach = |column: &dyn Fn(usize) -> f64| {
            let each = self.components().iter().enumerate();
            each.map(|(row, place)| (column(row) * self.lever(*place)).powi(2)).sum::<f64>().sqrt()
        };
        let inverse = inverse_of(&motors, self.joints.len(), count);
        (0..self.joints.len())
            .map(|motor| match &inverse {
                // J Y⁺
                Some(inverse) => reach(&|row| {
                    let own = &jacobian[self.components()[row]];
                    (0..count).map(|y| own[y] * inverse[y][motor]).sum()
                }),
                None => reach(&|row| jacobian[self.components()[row]].get(motor).copied().unwrap_or(0.0)),
            })
            .collect()
    }

    /// The mechanism in the motion that a platform state gives.
    pub(super) fn moving(&self, platform: &PlatformState) -> Result<Moving<'_>, RobotError> {
        let mut room = self.gone_to(platform)?;
        let (jacobian, motors, margin) = self.slopes(&mut room);
        if margin.is_nan() || margin.abs() <= SINGULAR {
            return Err(MechanismError::Singular { margin, at: "this pose".into() }.into());
        }
        let (components, count) = (self.components(), self.count());
        let held = &self.model.mobility().held;
        let mut own: PerRow = [[0.0; MAX_COORDINATES]; MAX_MOTORS];
        let rows = components.iter().map(|place| &jacobian[*place]);
        let rows = rows.chain(held.iter().map(|motor| &motors[*motor]));
        own.iter_mut().zip(rows).for_each(|(into, row)| *into = *row);
        let Some(inverse) = inverse_of(&own, count, count) else {
            return Err(MechanismError::Coordinates { freedoms: count, margin: 0.0 }.into());
        };
        let solved = |right: &[f64; 6], of_held: &[f64]| {
            let mut given = [0.0; MAX_MOTORS];
            put(components.iter().map(|place| right[*place]).chain(of_held.iter().copied()), &mut given);
            let mut y = [0.0; MAX_COORDINATES];
            put(inverse.iter().map(|row| dense::dot(row, &given, count)), &mut y);
            y
        };
        let through = |y: &PerCoordinate, place: usize| dense::dot(&jacobian[place], y, count);
        let rates = solved(&platform.twist, &self.held_rates); // (1)
        let twist = self.with_own(std::array::from_fn(|k| through(&rates, k)), &platform.twist);
        self.check_following("velocity", &platform.twist, &twist)?;
        let bias = self.bias(&rates[..count], &mut room);
        let left: [f64; 6] = std::array::from_fn(|place| platform.acceleration[place] - bias[place]);
        let mut of_held = [0.0; MAX_MOTORS];
        {
            let (model, workspace, _) = room.parts(&self.model);
            let (plan, memory) = (model.plan(), workspace.memory());
            let own = |motor: &usize| memory.accelerations[plan.motors[*motor].freedom];
            put(
                held.iter().zip(&self.held_accelerations).map(|(motor, given)| given - own(motor)),
                &mut of_held,
            );
        }
        let accelerations = solved(&left, &of_held[..held.len()]); // (2)
        let full = std::array::from_fn(|k| through(&accelerations, k) + bias[k]);
        let acceleration = self.with_own(full, &platform.acceleration);
        self.check_following("acceleration", &platform.acceleration, &acceleration)?;
        Ok(Moving { room, margin, inverse, motors, rates, accelerations, twist, acceleration })
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
    fn bias(&self, rates: &[f64], room: &mut Room) -> [f64; 6] {
        let still = [0.0; MAX_COORDINATES];
        self.efforts((rates, &still[..rates.len()]), Wrench::zero(), false, room);
        let (model, workspace, _) = room.parts(&self.model);
        model.plan().platform_acceleration(&workspace.memory()).to_vector_linear_first()
    }

    /// Efforts of all motors, in their order.
    pub(super) fn efforts(
        &self,
        (rates, accelerations): (&[f64], &[f64]),
        wrench: Wrench<f64>,
        friction: bool,
        room: &mut Room,
    ) -> PerMotor {
        let (model, workspace, at) = room.parts(&self.model);
        let plan = model.plan();
        let mut memory = workspace.memory();
        let motion = Motion { coordinates: at.coordinates(), rates, idle: None, wrench };
        plan.prepare(&motion, &mut memory);
        let mut efforts = [0.0; MAX_MOTORS];
        let own = &mut efforts[..plan.motors.len()];
        plan.efforts_for(accelerations, &wrench, friction, own, &mut memory);
        efforts
    }

    pub(super) fn massive(&self) -> Result<(), RobotError> {
        if self.has_masses { Ok(()) } else { Err(RobotError::NoMasses { robot: self.name.clone() }) }
    }

    /// Rates and accelerations of all motors.
    pub(super) fn motor_motion(&self, moving: &mut Moving<'_>) -> (PerMotor, PerMotor) {
        let count = self.count();
        let motion = (&moving.rates[..count], &moving.accelerations[..count]);
        self.efforts(motion, Wrench::zero(), false, &mut moving.room);
        let (model, workspace, _) = moving.room.parts(&self.model);
        let (plan, memory) = (model.plan(), workspace.memory());
        let pick = |list: &[f64], held: &[f64]| {
            let mut all = [0.0; MAX_MOTORS];
            put(plan.motors.iter().map(|motor| list[motor.freedom]), &mut all);
            // What was given, without the rounding of its way.
            for (motor, given) in self.held().iter().zip(held) {
                all[*motor] = *given;
            }
            all
        };
        (pick(memory.rates, &self.held_rates), pick(memory.accelerations, &self.held_accelerations))
    }

    pub(in crate::robot) fn joints_from_platform_into(
        &self,
        platform: &PlatformState,
        q: &mut [f64],
        qd: &mut [f64],
        qdd: &mut [f64],
    ) -> Result<(), RobotError> {
        let mut moving = self.moving(platform)?;
        self.write_motors(&moving.room.at, q);
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
        let mut room = self.gone_by(q, start)?;
        let (rates, accelerations) = (self.independent(qd, &mut room), self.independent(qdd, &mut room));
        let count = self.count();
        self.efforts((&rates[..count], &accelerations[..count]), Wrench::zero(), false, &mut room);
        let (model, workspace, _) = room.parts(&self.model);
        let (plan, memory) = (model.plan(), workspace.memory());
        let twist = plan.platform_twist(&memory).to_vector_linear_first();
        let acceleration = plan.platform_acceleration(&memory).to_vector_linear_first();
        Ok(PlatformState { twist, acceleration, ..state_of(&room.pose(&self.model)) })
    }

    /// R of (3), and its inverse in the sense of least squares.
    pub(super) fn motor_rows(
        &self,
        moving: &Moving<'_>,
    ) -> Result<(PerRow, [PerMotor; MAX_COORDINATES]), RobotError> {
        let (motors, count) = (self.joints.len(), self.count());
        let rows = product(&moving.motors, &moving.inverse, [motors, count, count]);
        let jacobian = inverse_of(&rows, motors, count)
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
        let (_, jacobian) = self.motor_rows(&moving)?;
        let (motors, count) = (self.joints.len(), self.components().len());
        put(jacobian.iter().take(count).flat_map(|row| row.iter().take(motors).copied()), rows);
        Ok(self.condition(&jacobian))
    }

    /// Condition number of the Jacobian, rotations made lengths by the platform's size: those of the platform and,
    /// where some motors turn and some slide, those of the motors.
    fn condition(&self, jacobian: &[PerMotor; MAX_COORDINATES]) -> f64 {
        let mut scaled = [[0.0; MAX_MOTORS]; MAX_COORDINATES];
        let slides = self.joints.iter().filter(|joint| joint.slides).count();
        let mixed = slides > 0 && slides < self.joints.len();
        for (i, (row, freedom)) in scaled.iter_mut().zip(&self.freedoms).enumerate() {
            let lever = if freedom.turns() { self.size } else { 1.0 };
            for (j, (entry, joint)) in row.iter_mut().zip(&self.joints).enumerate() {
                let unit = if mixed && !joint.slides { self.size } else { 1.0 };
                *entry = jacobian[i][j] * lever / unit;
            }
        }
        let condition = dense::condition(&scaled[..], self.freedoms.len());
        if condition.is_nan() { f64::INFINITY } else { condition }
    }

    pub(in crate::robot) fn singularity(&self, platform: &PlatformState) -> Result<Singularity, RobotError> {
        let moving = self.moving(&platform.at_rest())?;
        let (rows, jacobian) = self.motor_rows(&moving)?;
        Ok(self.measures(&moving, &rows, &jacobian))
    }

    pub(super) fn measures(
        &self,
        moving: &Moving<'_>,
        rows: &PerRow,
        jacobian: &[PerMotor; MAX_COORDINATES],
    ) -> Singularity {
        let (motors, freedoms) = (self.joints.len(), self.count());
        let platform = self.freedoms.len();
        let held = &self.model.mobility().held;
        let turns = |place: usize| match self.freedoms.get(place) {
            Some(freedom) => freedom.turns(),
            None => held.get(place - platform).is_some_and(|motor| !self.joints[*motor].slides),
        };
        let lever = |place: usize| if turns(place) { self.size } else { 1.0 };
        let most = self.reach.iter().copied().fold(0.0, legwork_core::Real::max);
        let reach = (0..motors)
            .map(|motor| (0..platform).map(|i| (jacobian[i][motor] * lever(i)).powi(2)).sum::<f64>().sqrt());
        let serial = reach.zip(&self.reach).map(|(now, home)| {
            let part = now / home;
            // A motor that does not move the platform at home is none of its legs.
            if part < 1.0 && *home > 1e-9 * most { part } else { 1.0 }
        });
        // Unit rows of R, rotations as lengths.
        let mut unit: PerRow = [[0.0; MAX_COORDINATES]; MAX_MOTORS];
        for (into, row) in unit.iter_mut().zip(rows).take(motors) {
            put((0..freedoms).map(|i| row[i] / lever(i)), into);
            let length = dense::dot(into, into, freedoms).sqrt();
            for x in into.iter_mut() {
                *x /= length;
            }
        }
        let best = (motors as f64 / freedoms as f64).powf(freedoms as f64 / 2.0);
        let volume = dense::Qr::new(&unit, motors, freedoms).volume() / best;
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
        let Moving { mut room, rates, accelerations, .. } = self.moving(platform)?;
        let count = self.count();
        let motion = (&rates[..count], &accelerations[..count]);
        put(self.efforts(motion, wrench(platform), true, &mut room), effort);
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
        let (model, workspace, at) = moving.room.parts(&self.model);
        let plan = model.plan();
        let count = plan.independent();
        let mut memory = workspace.memory();
        let motion = Motion {
            coordinates: at.coordinates(),
            rates: &moving.rates[..count],
            idle: None,
            wrench: wrench(platform),
        };
        let mut found = [0.0; MAX_COORDINATES];
        let (_, margin) = plan.forward_dynamics(&motion, effort, &mut found[..count], &mut memory);
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
    pub(super) fn platform_mass(&self, moving: &mut Moving<'_>) -> PerRow {
        let (model, workspace, at) = moving.room.parts(&self.model);
        let plan = model.plan();
        let count = plan.independent();
        let mut memory = workspace.memory();
        let motion = Motion {
            coordinates: at.coordinates(),
            rates: &moving.rates[..count],
            idle: None,
            wrench: Wrench::zero(),
        };
        plan.prepare(&motion, &mut memory);
        plan.write_mass_matrix(&mut memory);
        let mut mass = [[0.0; MAX_COORDINATES]; MAX_COORDINATES];
        for (i, row) in mass.iter_mut().enumerate().take(count) {
            put((0..count).map(|j| plan.mass(i, j, &memory)), row);
        }
        turned(&mass, &moving.inverse, count, count)
    }

    pub(in crate::robot) fn mass_matrix_into(
        &self,
        platform: &PlatformState,
        rows: &mut [f64],
    ) -> Result<(), RobotError> {
        self.massive()?;
        let mut moving = self.moving(&platform.at_rest())?;
        let mass = self.platform_mass(&mut moving);
        let (_, jacobian) = self.motor_rows(&moving)?;
        let (motors, count) = (self.joints.len(), self.count());
        let found = turned(&mass, &jacobian, count, motors);
        put(found.iter().take(motors).flat_map(|row| row.iter().take(motors).copied()), rows);
        Ok(())
    }

    pub(in crate::robot) fn platform_mass_matrix_into(
        &self,
        platform: &PlatformState,
        rows: &mut [f64],
    ) -> Result<(), RobotError> {
        self.massive()?;
        let mut moving = self.moving(&platform.at_rest())?;
        let (mass, count) = (self.platform_mass(&mut moving), self.components().len());
        put(mass.iter().take(count).flat_map(|row| row.iter().take(count).copied()), rows);
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
    pub(super) fn parts(&self, moving: &mut Moving<'_>) -> (PerMotor, PerMotor) {
        let (still, count) = ([0.0; MAX_COORDINATES], self.count());
        let (free, still) = (Wrench::zero(), &still[..count]);
        let mut both = self.efforts((&moving.rates[..count], still), free, false, &mut moving.room);
        let gravity = self.efforts((still, still), free, false, &mut moving.room);
        both.iter_mut().zip(&gravity).for_each(|(both, weight)| *both -= weight);
        (both, gravity)
    }

    pub(in crate::robot) fn energies(&self, platform: &PlatformState) -> Result<Energies, RobotError> {
        self.massive()?;
        let mut moving = self.moving(&PlatformState { acceleration: [0.0; 6], ..*platform })?;
        Ok(self.energy(&mut moving))
    }

    pub(super) fn energy(&self, moving: &mut Moving<'_>) -> Energies {
        let (model, workspace, at) = moving.room.parts(&self.model);
        let plan = model.plan();
        let mut memory = workspace.memory();
        let motion = Motion {
            coordinates: at.coordinates(),
            rates: &moving.rates[..plan.independent()],
            idle: None,
            wrench: Wrench::zero(),
        };
        plan.prepare(&motion, &mut memory);
        let potential = plan.potential_energy(&memory) + self.resting_energy;
        Energies { kinetic: plan.kinetic_energy(&memory), potential }
    }

    /// Where the tree is in a state, and all its rates.
    pub(super) fn configuration_and_rates(
        &self,
        platform: &PlatformState,
    ) -> Result<(Configuration, Vec<f64>), RobotError> {
        let mut moving = self.moving(platform)?;
        let (model, workspace, at) = moving.room.parts(&self.model);
        let rates = model.tree_rates(at, (&moving.rates[..self.count()], None), workspace);
        Ok((at.clone(), rates))
    }

    /// The platform's acceleration in all six components with these accelerations of the motors.
    pub(super) fn platform_acceleration(
        &self,
        platform: &PlatformState,
        qdd: &[f64],
    ) -> Result<[f64; 6], RobotError> {
        let mut moving = self.moving(&PlatformState { acceleration: [0.0; 6], ..*platform })?;
        let (accelerations, count) = (self.independent(qdd, &mut moving.room), self.count());
        let motion = (&moving.rates[..count], &accelerations[..count]);
        self.efforts(motion, Wrench::zero(), false, &mut moving.room);
        let (model, workspace, _) = moving.room.parts(&self.model);
        Ok(model.plan().platform_acceleration(&workspace.memory()).to_vector_linear_first())
    }

    /// The numbers of the motors that are independent in a room.
    fn independent(&self, list: &[f64], room: &mut Room) -> PerCoordinate {
        let plan = room.parts(&self.model).0.plan();
        let mut own = [0.0; MAX_COORDINATES];
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
        self.gone_to(platform).map(|_| ())
    }
}
