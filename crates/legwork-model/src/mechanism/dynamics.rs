//! Rates, efforts, accelerations and energies of a mechanism.
//!
//! Lists of motors have a number for each, in the order of [`motors`](MechanismModel::motors). Rates and
//! accelerations of dependent motors follow from the others, so those given for them are not read. Twists are linear
//! first, then angular; a wrench is force, then moment about the platform's point, given by the environment.

use super::MechanismError;
use super::model::{Configuration, JointPlace, MechanismModel};
use super::owned::Workspace;
use super::small::solve_small;
use legwork_core::V3;
use legwork_core::engine::Wrench;
use legwork_core::mechanism::{Memory, Motion, NONE, Plan};

/// What a mechanism does under efforts of its motors.
#[derive(Clone, Debug, PartialEq)]
pub struct Accelerations {
    /// Of all motors \[rad/s² or m/s²\].
    pub motors: Vec<f64>,
    /// Of the platform's point and of the platform \[m/s², rad/s²\].
    pub platform: [f64; 6],
    /// Of the idle freedoms, in the order of the plan.
    pub idle: Vec<f64>,
}

/// Energies of a mechanism \[J\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MechanismEnergies {
    /// Of all bodies and motors.
    pub kinetic: f64,
    /// Of weight, −Σ m g·c with centres c in the world, and of springs.
    pub potential: f64,
}

/// What a joint carries.
#[derive(Clone, Debug, PartialEq)]
pub struct JointReaction {
    /// Name of the joint.
    pub joint: String,
    /// Force that the parent gives to the child, world axes \[N\].
    pub force: [f64; 3],
    /// Moment about the origin of the joint's frame in the child, world axes \[N m\]. Along the axis of a motor it is
    /// the motor's effort less friction and less what its rotor takes.
    pub moment: [f64; 3],
}

fn wrench_of([fx, fy, fz, mx, my, mz]: [f64; 6]) -> Wrench<f64> {
    Wrench::new(V3::new(fx, fy, fz), V3::new(mx, my, mz))
}

/// Refuses a posture whose pivots are a millionth of those at home: six digits are gone.
fn judged(margin: f64) -> Result<(), MechanismError> {
    if margin > 1e-6 { Ok(()) } else { Err(MechanismError::Singular { margin, at: "this posture".into() }) }
}

impl MechanismModel {
    /// The numbers of the independent motors.
    pub(super) fn independent(&self, list: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.plan.plan().independent()];
        for (motor, value) in self.plan.motors.iter().zip(list) {
            if let Some(entry) = y.get_mut(motor.independent) {
                *entry = *value;
            }
        }
        y
    }

    fn of_motors(&self, rates: &[f64]) -> Vec<f64> {
        self.plan.motors.iter().map(|motor| rates[motor.freedom]).collect()
    }

    /// Prepares a state with these rates of the motors.
    fn prepared<'w>(
        &self,
        plan: &Plan<'_, f64>,
        at: &Configuration,
        rates: &[f64],
        workspace: &'w mut Workspace<f64>,
    ) -> Result<Memory<'w, f64>, MechanismError> {
        self.prepared_with(plan, at, (rates, None), workspace)
    }

    /// The same with rates of idle freedoms.
    fn prepared_with<'w>(
        &self,
        plan: &Plan<'_, f64>,
        at: &Configuration,
        (rates, idle): (&[f64], Option<&[f64]>),
        workspace: &'w mut Workspace<f64>,
    ) -> Result<Memory<'w, f64>, MechanismError> {
        self.check_motors("rates of motors", rates)?;
        let y = self.independent(rates);
        let mut memory = workspace.memory();
        let motion = Motion { coordinates: &at.0, rates: &y, idle, wrench: Wrench::zero() };
        judged(plan.prepare(&motion, &mut memory))?;
        Ok(memory)
    }

    /// The platform's twist and acceleration for rates and accelerations of the motors.
    pub fn platform_motion(
        &self,
        at: &Configuration,
        rates: &[f64],
        accelerations: &[f64],
        workspace: &mut Workspace<f64>,
    ) -> Result<([f64; 6], [f64; 6]), MechanismError> {
        self.check_motors("accelerations of motors", accelerations)?;
        let plan = self.plan.plan();
        let mut memory = self.prepared(&plan, at, rates, workspace)?;
        let twist = plan.platform_twist(&memory).to_vector_linear_first();
        plan.spread_accelerations(&self.independent(accelerations), &mut memory);
        plan.accelerate_bodies(&mut memory);
        Ok((twist, plan.platform_acceleration(&memory).to_vector_linear_first()))
    }

    /// Rates of all motors for rates of the independent ones: dependent motors filled in.
    pub fn motor_rates(
        &self,
        at: &Configuration,
        rates: &[f64],
        accelerations: &[f64],
        workspace: &mut Workspace<f64>,
    ) -> Result<(Vec<f64>, Vec<f64>), MechanismError> {
        self.check_motors("accelerations of motors", accelerations)?;
        let plan = self.plan.plan();
        let mut memory = self.prepared(&plan, at, rates, workspace)?;
        let rates = self.of_motors(memory.rates);
        plan.spread_accelerations(&self.independent(accelerations), &mut memory);
        Ok((rates, self.of_motors(memory.accelerations)))
    }

    /// Rates and accelerations of the motors for a motion of the platform: of its twist and acceleration the
    /// independent coordinates count ([`Mobility::coordinates`](super::Mobility::coordinates)). Motors that are held
    /// ([`Mobility::held`](super::Mobility::held)) stand still.
    pub fn motor_motion(
        &self,
        at: &Configuration,
        twist: &[f64; 6],
        acceleration: &[f64; 6],
        workspace: &mut Workspace<f64>,
    ) -> Result<(Vec<f64>, Vec<f64>), MechanismError> {
        let still = vec![0.0; self.mobility.held.len()];
        self.motor_motion_with(at, (twist, acceleration), (&still, &still), workspace)
    }

    /// The same with rates and accelerations of the motors that are held.
    pub fn motor_motion_with(
        &self,
        at: &Configuration,
        (twist, acceleration): (&[f64; 6], &[f64; 6]),
        (held_rates, held_accelerations): (&[f64], &[f64]),
        workspace: &mut Workspace<f64>,
    ) -> Result<(Vec<f64>, Vec<f64>), MechanismError> {
        let given = twist.iter().chain(acceleration).chain(held_rates).chain(held_accelerations);
        if given.into_iter().any(|x| !x.is_finite()) {
            return Err(MechanismError::NotFinite { what: "motion of the platform" });
        }
        for list in [held_rates, held_accelerations] {
            let (what, expected, found) = ("motors that are held", self.mobility.held.len(), list.len());
            if expected != found {
                return Err(MechanismError::Count { what, expected, found });
            }
        }
        let rows = self.coordinate_rows(at, workspace)?;
        let chosen = &self.mobility.coordinates;
        let solved = |right: &[f64; 6], held: &[f64]| {
            let mut a = rows.concat();
            let mut b: Vec<f64> = chosen.iter().map(|k| self.scaled(*k, right[*k])).collect();
            b.extend(self.held().zip(held).map(|((_, size), x)| size * x));
            let (margin, _) = solve_small(&mut a, &mut b);
            if !(margin > 1e-12) {
                let at = "the platform: its coordinates do not tell the motors' rates".into();
                return Err(MechanismError::Singular { margin, at });
            }
            Ok(b)
        };
        let y = solved(twist, held_rates)?;
        let all = self.spread(&y);
        let still = vec![0.0; all.len()];
        let (_, bias) = self.platform_motion(at, &all, &still, workspace)?;
        let (_, own) = self.motor_rates(at, &all, &still, workspace)?;
        let held = self.mobility.held.iter().zip(held_accelerations);
        let held: Vec<f64> = held.map(|(motor, given)| given - own[*motor]).collect();
        let mut rest = *acceleration;
        for (x, b) in rest.iter_mut().zip(bias) {
            *x -= b;
        }
        let ydd = solved(&rest, &held)?;
        self.motor_rates(at, &all, &self.spread(&ydd), workspace)
    }

    /// Independent coordinates of the platform and motors that are held per unit of the independent motors, by rows and in
    /// proportion.
    fn coordinate_rows(
        &self,
        at: &Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<Vec<Vec<f64>>, MechanismError> {
        let six = self.jacobian(at, workspace)?;
        let (plan, memory) = (self.plan.plan(), workspace.memory());
        let mut rows: Vec<Vec<f64>> =
            self.mobility.coordinates.iter().map(|k| self.scaled_row(*k, &six[*k])).collect();
        for (motor, size) in self.held() {
            rows.push(
                (0..plan.independent()).map(|y| size * plan.slope(motor.freedom, y, &memory)).collect(),
            );
        }
        Ok(rows)
    }

    /// A list of all motors with the independent ones set.
    fn spread(&self, y: &[f64]) -> Vec<f64> {
        let each = self.plan.motors.iter();
        each.map(|motor| y.get(motor.independent).copied().unwrap_or(0.0)).collect()
    }

    fn scaled(&self, component: usize, x: f64) -> f64 {
        if component < 3 { x / self.length() } else { x }
    }

    fn scaled_row(&self, component: usize, row: &[f64]) -> Vec<f64> {
        row.iter().map(|x| self.scaled(component, *x)).collect()
    }

    /// The Jacobian from the rates of the independent motors to the platform's twist: six rows.
    pub fn jacobian(
        &self,
        at: &Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<Vec<Vec<f64>>, MechanismError> {
        let plan = self.plan.plan();
        let mut memory = workspace.memory();
        plan.place(&at.0, &mut memory);
        judged(plan.close(&mut memory))?;
        plan.write_slopes(&mut memory);
        let columns: Vec<[f64; 6]> = (0..plan.independent())
            .map(|k| plan.jacobian_column(k, &memory).to_vector_linear_first())
            .collect();
        Ok((0..6).map(|row| columns.iter().map(|column| column[row]).collect()).collect())
    }

    /// Rates of all motors per unit of each independent one: a row per motor.
    pub fn motor_slopes(
        &self,
        at: &Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<Vec<Vec<f64>>, MechanismError> {
        let plan = self.plan.plan();
        let mut memory = workspace.memory();
        plan.place(&at.0, &mut memory);
        judged(plan.close(&mut memory))?;
        plan.write_slopes(&mut memory);
        let row = |freedom: usize| (0..plan.independent()).map(|k| plan.slope(freedom, k, &memory)).collect();
        Ok(plan.motors.iter().map(|motor| row(motor.freedom)).collect())
    }

    /// Inverse dynamics: efforts of all motors for a motion, friction included; with more motors than freedoms those of
    /// smallest norm.
    pub fn inverse_dynamics(
        &self,
        at: &Configuration,
        rates: &[f64],
        accelerations: &[f64],
        wrench: [f64; 6],
        workspace: &mut Workspace<f64>,
    ) -> Result<Vec<f64>, MechanismError> {
        self.check_motors("accelerations of motors", accelerations)?;
        if wrench.iter().any(|x| !x.is_finite()) {
            return Err(MechanismError::NotFinite { what: "wrench" });
        }
        let plan = self.plan.plan();
        let mut memory = self.prepared(&plan, at, rates, workspace)?;
        let mut efforts = vec![0.0; self.motors.len()];
        let ydd = self.independent(accelerations);
        plan.efforts_for(&ydd, &wrench_of(wrench), true, &mut efforts, &mut memory);
        Ok(efforts)
    }

    /// What every joint carries during a motion, in the order of the description; fixed joints, which make one body of
    /// two, are left out. In an overconstrained mechanism
    /// ([`redundant_constraints`](super::Mobility::redundant_constraints)) it is one of many answers: constraints that
    /// depend on others carry nothing.
    pub fn joint_reactions(
        &self,
        at: &Configuration,
        rates: &[f64],
        accelerations: &[f64],
        wrench: [f64; 6],
        workspace: &mut Workspace<f64>,
    ) -> Result<Vec<JointReaction>, MechanismError> {
        let efforts = self.inverse_dynamics(at, rates, accelerations, wrench, workspace)?;
        let plan = self.plan.plan();
        let mut memory = workspace.memory();
        plan.write_reactions(&efforts, &wrench_of(wrench), &mut memory);
        Ok(self.reactions_in(&memory))
    }

    /// What the joints carry, from what [`write_reactions`](Plan::write_reactions) has left.
    pub(crate) fn reactions_in(&self, memory: &Memory<'_, f64>) -> Vec<JointReaction> {
        let plan = self.plan.plan();
        let reaction = |place: JointPlace| {
            let given = match place.cut {
                Some(cut) => plan.cut_wrench(cut, memory),
                None if place.reversed => Wrench::zero() - memory.wrenches[place.body],
                None => memory.wrenches[place.body],
            };
            let centre = memory.frames[place.child].of(place.centre);
            let given = given.seen_from(-centre);
            let (force, moment) = (given.force.to_array(), given.moment.to_array());
            JointReaction { joint: place.joint, force, moment }
        };
        self.joint_places().into_iter().map(reaction).collect()
    }

    /// Coriolis and centrifugal efforts: without acceleration, weight, springs and friction.
    pub fn coriolis(
        &self,
        at: &Configuration,
        rates: &[f64],
        workspace: &mut Workspace<f64>,
    ) -> Result<Vec<f64>, MechanismError> {
        let plan = Plan { gravity: V3::zero(), springs: &[], ..self.plan.plan() };
        let still = vec![0.0; plan.independent()];
        let mut of = |rates: &[f64]| {
            let mut memory = self.prepared(&plan, at, rates, workspace)?;
            let mut efforts = vec![0.0; self.motors.len()];
            plan.efforts_for(&still, &Wrench::zero(), false, &mut efforts, &mut memory);
            Ok::<_, MechanismError>(efforts)
        };
        let mut efforts = of(rates)?;
        if plan.motors.iter().any(|motor| motor.preload != 0.0) {
            // What motors do against each other has nothing to do with rates.
            let internal = of(&vec![0.0; rates.len()])?;
            efforts.iter_mut().zip(internal).for_each(|(effort, internal)| *effort -= internal);
        }
        Ok(efforts)
    }

    /// Efforts that hold the mechanism at rest against weight and springs.
    pub fn gravity(
        &self,
        at: &Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<Vec<f64>, MechanismError> {
        let still = vec![0.0; self.motors.len()];
        self.inverse_dynamics(at, &still, &still, [0.0; 6], workspace)
    }

    /// Forward dynamics: accelerations under these efforts of all motors, of which friction takes its part.
    pub fn forward_dynamics(
        &self,
        at: &Configuration,
        rates: &[f64],
        efforts: &[f64],
        wrench: [f64; 6],
        workspace: &mut Workspace<f64>,
    ) -> Result<Accelerations, MechanismError> {
        self.check_motors("efforts", efforts)?;
        let plan = self.plan.plan();
        let mut memory = self.prepared(&plan, at, rates, workspace)?;
        let mut y = vec![0.0; plan.independent()];
        let margin = plan.accelerations_for(efforts, &wrench_of(wrench), &mut y, &mut memory);
        if !(margin > 1e-14) {
            return Err(MechanismError::Singular { margin, at: "the mass matrix".into() });
        }
        plan.accelerate_bodies(&mut memory);
        Ok(Accelerations {
            motors: self.of_motors(memory.accelerations),
            platform: plan.platform_acceleration(&memory).to_vector_linear_first(),
            idle: plan.idle.iter().map(|idle| memory.accelerations[idle.freedom]).collect(),
        })
    }

    /// The mass matrix of the independent motors, by rows.
    pub fn mass_matrix(
        &self,
        at: &Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<Vec<Vec<f64>>, MechanismError> {
        let plan = self.plan.plan();
        let mut memory = workspace.memory();
        plan.place(&at.0, &mut memory);
        judged(plan.close(&mut memory))?;
        plan.prepare_idle_rates(&mut memory);
        plan.write_mass_matrix(&mut memory);
        let count = plan.independent();
        Ok((0..count).map(|i| (0..count).map(|j| plan.mass(i, j, &memory)).collect()).collect())
    }

    /// The mass matrix that the platform feels in its independent coordinates, by rows; motors that are held stand still.
    pub fn platform_mass_matrix(
        &self,
        at: &Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<Vec<Vec<f64>>, MechanismError> {
        let chosen = &self.mobility.coordinates;
        let rows = self.coordinate_rows(at, workspace)?;
        let mass = self.mass_matrix(at, workspace)?;
        // Columns of J⁻¹, then J⁻ᵀ M J⁻¹.
        let mut inverse: Vec<Vec<f64>> = Vec::new();
        for (column, place) in chosen.iter().enumerate() {
            let (mut a, mut b) = (rows.concat(), vec![0.0; mass.len()]);
            b[column] = self.scaled(*place, 1.0);
            let (margin, _) = solve_small(&mut a, &mut b);
            if !(margin > 1e-12) {
                let at = "the platform: its coordinates do not tell the motors' rates".into();
                return Err(MechanismError::Singular { margin, at });
            }
            inverse.push(b);
        }
        let product = |a: &[f64], b: &[f64]| -> f64 {
            mass.iter().zip(a).map(|(row, x)| x * row.iter().zip(b).map(|(m, y)| m * y).sum::<f64>()).sum()
        };
        Ok(inverse.iter().map(|a| inverse.iter().map(|b| product(a, b)).collect()).collect())
    }

    /// Kinetic and potential energy.
    pub fn energies(
        &self,
        at: &Configuration,
        rates: &[f64],
        workspace: &mut Workspace<f64>,
    ) -> Result<MechanismEnergies, MechanismError> {
        self.energies_of(at, rates, None, workspace)
    }

    pub(super) fn energies_of(
        &self,
        at: &Configuration,
        rates: &[f64],
        idle: Option<&[f64]>,
        workspace: &mut Workspace<f64>,
    ) -> Result<MechanismEnergies, MechanismError> {
        let plan = self.plan.plan();
        let memory = self.prepared_with(&plan, at, (rates, idle), workspace)?;
        let potential = plan.potential_energy(&memory) + self.resting_energy;
        Ok(MechanismEnergies { kinetic: plan.kinetic_energy(&memory), potential })
    }

    /// Whether a motor follows from the others.
    pub fn is_dependent(&self, motor: usize) -> bool {
        self.plan.motors.get(motor).is_some_and(|motor| motor.independent == NONE)
    }
}
