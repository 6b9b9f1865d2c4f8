//! Identities of any robot of the general engine, and of any mechanism, over random states around its home.

use super::ledger::{Ledger, within_half_a_turn};
use super::scales::{Scales, largest, over_each, times_each};
use super::states::{NEAR_PARALLEL, NEAR_SERIAL, NEAR_SERIAL_ON_THE_WAY, Unjudged, visit};
use super::{Checked, Watch};
use crate::random::Random;
use crate::robot::{LegsDerivative, MotionDerivative};
use crate::rotation::{from_rotation_vector, product};
use crate::{AnyRobot, Dynamics, PlatformState, RobotError, State};

/// Rounding, times the condition of the states visited.
const BAR: f64 = 1e-10;
/// The same through derivatives of roots and of Newton's method: once more times the condition of the legs.
const DERIVATIVE: f64 = 1e-8;
/// States with a worse condition number than this are left out.
const WORST_CONDITION: f64 = 200.0;
/// States in which a leg is closer to its singularity than this, or than a hundredth of what it is at home, are left
/// out.
const NEAREST_LEG: f64 = 1e-3;
/// How far from home the platform is taken, in lengths of the robot, and how far it is turned \[rad\].
const FAR: f64 = 0.15;
const TURNED: f64 = 0.25;
/// Steps of the way there on which a motor must not jump, and how far it turns in one of them at most \[rad\].
const STEPS: u8 = 16;
const JUMP: f64 = 0.7;
/// Where the forward kinematics starts: so far along the motion, in times of the robot over the condition number. The
/// other assembly mode, behind the nearest singularity, is much farther away.
const AHEAD: f64 = 0.01;

const FORWARD_KINEMATICS: &str = "forward of inverse kinematics = identity";
const JACOBIAN: &str = "Jacobian times joint velocity = platform velocity";
const VELOCITY: &str = "joint velocity = derivative of the joints";
const ACCELERATION: &str = "joint acceleration = derivative of their velocity";
const THERE_AND_BACK: &str = "accelerations there and back";
const SUM: &str = "effort = inertia + Coriolis + gravity - Jt w";
const JOINT_ENERGY: &str = "kinetic energy = half qd A qd";
const ENERGY: &str = "kinetic energy = half V M V";
const FORWARD_DYNAMICS: &str = "forward of inverse dynamics = identity";
const SYMMETRIC: &str = "platform mass matrix symmetric";
const POSITIVE: &str = "mass matrix positive definite";
const POWER: &str = "power balances";
const LOOPS: &str = "loops closed";
const PLATFORM_VELOCITY: &str = "platform velocity = derivative of its pose";
const PLATFORM_ACCELERATION: &str = "platform acceleration = derivative of its velocity";
const CORE_JOINTS: &str = "joint accelerations = those of one dense core";
const CORE_EFFORTS: &str = "efforts = those of one dense core";
const CORE_MASSES: &str = "mass matrix = that of one dense core";
const CHAIN_JOINTS: &str = "joints = those of plain chains";
const CHAIN_EFFORTS: &str = "efforts = those of plain chains";
const CHAIN_MASSES: &str = "mass matrix = that of plain chains";

/// Checks a robot of the general engine.
pub(super) fn check_engine(
    robot: &AnyRobot,
    states: usize,
    seed: u64,
    watch: Watch<'_>,
    mut ledger: Ledger,
) -> Checked {
    let mut random = Random::new(seed);
    let checker = Checker::new(robot);
    let judge = |ledger: &mut Ledger, checker: &Checker<'_>, state: &State| {
        checker.kinematics(ledger, state);
        if let Some(dynamics) = &state.dynamics {
            checker.dynamics(ledger, state, dynamics);
        }
        match &checker.dense {
            Some(dense) => checker.dense_core(ledger, state, dense),
            None => checker.chains(ledger, state),
        }
    };
    let draw = |spread: f64| {
        let moved = checker.with_held_drawn(&mut random, spread)?;
        let here = moved.as_ref().map(|held| checker.of(held));
        let state = here.as_ref().unwrap_or(&checker).drawn(&mut random, spread)?;
        Ok((moved, state))
    };
    let tally = visit(states, watch, draw, |(moved, state)| {
        let here = moved.as_ref().map(|held| checker.of(held));
        judge(&mut ledger, here.as_ref().unwrap_or(&checker), &state);
    });
    let mut skipped = Vec::new();
    if !robot.has_masses() {
        skipped.push(("all dynamics", "the masses are missing"));
    } else if !checker.is_square() {
        let why = "more motors than freedoms: there is no mass matrix at the motors";
        skipped.extend([(SUM, why), (JOINT_ENERGY, why)]);
    }
    if robot.has_masses() && !robot.held_motors().is_empty() {
        skipped.push((ENERGY, "motors move that the platform's velocity does not tell"));
    }
    (tally, ledger, skipped)
}

/// A robot with motors that its platform does not tell somewhere, and the same with one dense core.
struct Held {
    robot: AnyRobot,
    dense: Option<Result<AnyRobot, RobotError>>,
}

/// A robot with its own units.
struct Checker<'a> {
    robot: &'a AnyRobot,
    /// The same as plain chains, or why there are none.
    chains: Result<AnyRobot, RobotError>,
    /// The same with one dense core, if it is a mechanism.
    dense: Option<Result<AnyRobot, RobotError>>,
    scales: Scales,
    /// What one of each freedom and of each motor is as a length.
    freedom_levers: Vec<f64>,
    motor_levers: Vec<f64>,
    /// How close a leg may come to its singularity.
    nearest_leg: f64,
}

impl<'a> Checker<'a> {
    fn new(robot: &'a AnyRobot) -> Self {
        let scales = Scales::of(robot);
        let at_home = robot.state(&robot.home()).map(|home| least(&home.singularity.serial));
        let nearest_leg = NEAREST_LEG.min(0.01 * at_home.unwrap_or(f64::INFINITY));
        Self {
            robot,
            chains: robot.as_chains(),
            dense: robot.with_dense_core(),
            scales,
            freedom_levers: robot.freedoms().iter().map(|freedom| scales.lever(freedom.turns())).collect(),
            motor_levers: robot.joints().iter().map(|joint| scales.lever(!joint.slides)).collect(),
            nearest_leg,
        }
    }

    /// Whether there are as many motors as freedoms.
    fn is_square(&self) -> bool {
        self.robot.joints().len() == self.robot.freedoms().len() + self.robot.held_motors().len()
    }

    /// The robot with motors that the platform does not tell, if it has such, somewhere around home and in motion.
    fn with_held_drawn(&self, random: &mut Random, spread: f64) -> Result<Option<Held>, Unjudged> {
        let (robot, scales) = (self.robot, &self.scales);
        if robot.held_motors().is_empty() {
            return Ok(None);
        }
        let mut q = robot.inverse_kinematics(&robot.home())?.q;
        let (mut qd, mut qdd) = (vec![0.0; q.len()], vec![0.0; q.len()]);
        for motor in robot.held_motors() {
            let slides = robot.joints()[*motor].slides;
            let (lever, far) = (scales.lever(!slides), if slides { FAR * scales.length } else { TURNED });
            q[*motor] += 0.5 * spread * far * random.uniform(-1.0, 1.0);
            qd[*motor] = scales.speed() / lever * random.uniform(-1.0, 1.0);
            qdd[*motor] = scales.acceleration() / lever * random.uniform(-1.0, 1.0);
        }
        let holding = |robot: &AnyRobot| robot.holding(&q, &qd, &qdd);
        let dense = self.dense.as_ref().map(|dense| dense.as_ref().map_err(Clone::clone).and_then(holding));
        Ok(Some(Held { robot: holding(robot)?, dense }))
    }

    /// The same for the robot with motors elsewhere.
    fn of<'b>(&self, held: &'b Held) -> Checker<'b> {
        Checker {
            robot: &held.robot,
            chains: self.chains.clone(),
            dense: held.dense.clone(),
            scales: self.scales,
            freedom_levers: self.freedom_levers.clone(),
            motor_levers: self.motor_levers.clone(),
            nearest_leg: self.nearest_leg,
        }
    }

    /// A state around the home pose, up to a part of the usual distance, moving and pulled at in units of the robot.
    fn drawn(&self, random: &mut Random, spread: f64) -> Result<State, Unjudged> {
        let (robot, scales) = (self.robot, &self.scales);
        let home = robot.home();
        let mut platform = home;
        let mut turn = [0.0; 3];
        let mut pull = [0.0; 6];
        for freedom in robot.freedoms() {
            let k = freedom.component;
            let lever = scales.lever(freedom.turns());
            if freedom.turns() {
                turn[k - 3] = spread * random.uniform(-TURNED, TURNED);
            } else {
                platform.position[k] += spread * scales.length * random.uniform(-FAR, FAR);
            }
            platform.twist[k] = scales.speed() / lever * random.uniform(-1.0, 1.0);
            platform.acceleration[k] = scales.acceleration() / lever * random.uniform(-1.0, 1.0);
            pull[k] = random.uniform(-1.0, 1.0);
        }
        platform.rotation = product(&from_rotation_vector(turn), &home.rotation);
        let state = robot.state(&platform)?;
        if !self.is_smooth_to(&platform, turn) {
            return Err(Unjudged::refused(NEAR_SERIAL_ON_THE_WAY));
        }
        let (condition, leg) = (state.singularity.condition, least(&state.singularity.serial));
        if condition.is_nan() || leg.is_nan() {
            return Err(Unjudged::Failed("the distance to singularities is no number".into()));
        }
        if condition > WORST_CONDITION {
            return Err(Unjudged::refused(NEAR_PARALLEL));
        }
        if leg < self.nearest_leg {
            return Err(Unjudged::refused(NEAR_SERIAL));
        }
        let Some(dynamics) = &state.dynamics else { return Ok(state) };
        // A pull as large as what accelerates the platform.
        for (freedom, row) in robot.freedoms().iter().zip(&dynamics.platform_mass_matrix) {
            let k = freedom.component;
            let inertia =
                largest(&times_each(row, &self.freedom_levers.iter().map(|l| 1.0 / l).collect::<Vec<_>>()));
            platform.wrench[k] = pull[k] * inertia * scales.acceleration();
        }
        Ok(robot.state(&platform)?)
    }

    /// Whether no motor jumps on the straight way from home, turning by this vector. Where a leg passes its own axis, a
    /// formula stays on its side and joints that are followed, as those of the plain chains, change it: both are right.
    fn is_smooth_to(&self, platform: &PlatformState, turn: [f64; 3]) -> bool {
        let (robot, home) = (self.robot, self.robot.home());
        let joints = |part: f64| {
            let mut pose = home;
            for (place, to) in pose.position.iter_mut().zip(platform.position) {
                *place += part * (to - *place);
            }
            pose.rotation = product(&from_rotation_vector(turn.map(|a| part * a)), &home.rotation);
            robot.inverse_kinematics(&pose).map(|found| found.q)
        };
        let way: Vec<_> = (0..=STEPS).filter_map(|k| joints(f64::from(k) / f64::from(STEPS)).ok()).collect();
        let jumps = |a: &[f64], b: &[f64]| {
            let turning = robot.joints().iter().zip(a.iter().zip(b)).filter(|(joint, _)| !joint.slides);
            turning.into_iter().any(|(_, (a, b))| within_half_a_turn(a - b).abs() > JUMP)
        };
        !way.iter().zip(way.iter().skip(1)).any(|(a, b)| jumps(a, b))
    }

    /// The freedom components of a list of six, as lengths.
    fn free(&self, six: &[f64; 6]) -> Vec<f64> {
        let freedoms = self.robot.freedoms().iter().zip(&self.freedom_levers);
        freedoms.map(|(freedom, lever)| six[freedom.component] * lever).collect()
    }

    /// Efforts as forces.
    fn forces(&self, effort: &[f64]) -> Vec<f64> {
        effort.iter().zip(&self.motor_levers).map(|(effort, lever)| effort / lever).collect()
    }

    /// The largest force in a state: below it a difference of forces is rounding.
    fn force(&self, d: &Dynamics) -> f64 {
        let parts = [&d.motor, &d.inertial, &d.coriolis, &d.gravity, &d.external, &d.friction];
        largest(&parts.map(|part| self.forces(part)).concat())
    }

    /// Differences of motor positions as lengths, angles modulo a turn.
    fn apart(&self, a: &[f64], b: &[f64]) -> Vec<f64> {
        let joints = self.robot.joints().iter().zip(&self.motor_levers);
        let pairs = a.iter().zip(b).zip(joints);
        pairs
            .map(|((a, b), (joint, lever))| {
                let gap = a - b;
                lever * if joint.slides { gap } else { within_half_a_turn(gap) }
            })
            .collect()
    }

    /// Where the forward kinematics begins: ahead on the way of the platform, as far as all legs reach.
    fn start_of_search(&self, platform: &PlatformState, condition: f64) -> PlatformState {
        let mut far = AHEAD * self.scales.time / condition;
        for _ in 0..30 {
            if self.robot.inverse_kinematics(&ahead(platform, far).at_rest()).is_ok() {
                break;
            }
            far *= 0.5;
        }
        ahead(platform, far)
    }

    fn kinematics(&self, ledger: &mut Ledger, state: &State) {
        let (robot, scales, platform) = (self.robot, &self.scales, &state.platform);
        let (speed, acceleration) = (scales.speed(), scales.acceleration());
        let condition = state.singularity.condition.max(1.0);
        let start = self.start_of_search(platform, condition);
        let back = robot.forward_kinematics(&state.q, &start);
        if let Some(back) = ledger.solved(FORWARD_KINEMATICS, back) {
            let place = |position: &[f64; 3], rotation: &[[f64; 3]; 3]| {
                let turned = rotation.as_flattened().iter().map(|r| r * scales.length);
                position.iter().copied().chain(turned).collect::<Vec<_>>()
            };
            let (found, given) =
                (place(&back.position, &back.rotation), place(&platform.position, &platform.rotation));
            // Joints that are right to rounding place the platform to rounding times the condition.
            ledger.compare(FORWARD_KINEMATICS, BAR, &found, &given, scales.length * condition);
        }
        let rate = times(&state.jacobian, &state.qd);
        let rate = times_each(&rate, &self.freedom_levers);
        ledger.compare(JACOBIAN, BAR, &rate, &self.free(&platform.twist), speed);
        let of_legs = robot.engine_model().map(|model| model.along_motion(platform));
        let mechanism = robot.mechanism_derivative(platform);
        let is_mechanism = mechanism.is_some();
        let of_mechanism = mechanism.and_then(|found| ledger.solved(PLATFORM_VELOCITY, found)).map(|found| {
            self.platform_derivative(ledger, platform, &found);
            LegsDerivative { joints: found.joints, rates: found.rates, energies: found.energies }
        });
        let derivative = of_legs.or(of_mechanism);
        match &derivative {
            _ if is_mechanism => {}
            Some(derivative) => {
                let lengths = |list: &[f64]| times_each(list, &self.motor_levers);
                let (found, exact) = (lengths(&state.qd), lengths(&derivative.joints));
                ledger.compare(VELOCITY, DERIVATIVE, &found, &exact, speed);
                let (found, exact) = (lengths(&state.qdd), lengths(&derivative.rates));
                ledger.compare(ACCELERATION, DERIVATIVE, &found, &exact, acceleration);
            }
            None => ledger.fail(VELOCITY, "the robot has no legs to differentiate"),
        }
        let back = robot.platform_from_joints(&state.q, &state.qd, &state.qdd, &start);
        if let Some(back) = ledger.solved(THERE_AND_BACK, back) {
            let (found, given) = (self.free(&back.acceleration), self.free(&platform.acceleration));
            let joint = largest(&times_each(&state.qdd, &self.motor_levers));
            ledger.compare(THERE_AND_BACK, BAR, &found, &given, acceleration.max(joint) * condition);
        }
        if let (Some(derivative), Some(d)) = (&derivative, &state.dynamics) {
            // d/dt (T + V) = effort·qd + w·V
            let efforts = d.effort.iter().zip(&state.qd).map(|(effort, rate)| effort * rate);
            let pulls = (0..6).map(|k| platform.wrench[k] * platform.twist[k]);
            let terms: Vec<f64> = efforts.chain(pulls).collect();
            let [kinetic, potential] = derivative.energies;
            let floor = terms.iter().map(|term| term.abs()).sum::<f64>() + kinetic.abs() + potential.abs();
            ledger.compare(POWER, DERIVATIVE, &[kinetic + potential], &[terms.iter().sum()], floor);
        }
    }

    /// Pose and velocity of the platform of a mechanism, differentiated.
    fn platform_derivative(&self, ledger: &mut Ledger, platform: &PlatformState, found: &MotionDerivative) {
        let scales = &self.scales;
        ledger.compare(LOOPS, BAR, &[found.gap], &[0.0], 1.0);
        let lengths = |six: &[f64; 6]| {
            six.iter().enumerate().map(|(k, x)| x * scales.lever(k >= 3)).collect::<Vec<_>>()
        };
        let (exact, told) = (lengths(&found.velocity), lengths(&platform.twist));
        ledger.compare(PLATFORM_VELOCITY, DERIVATIVE, &told, &exact, scales.speed());
        let (exact, told) = (lengths(&found.acceleration), lengths(&platform.acceleration));
        ledger.compare(PLATFORM_ACCELERATION, DERIVATIVE, &told, &exact, scales.acceleration());
    }

    /// The same state of the mechanism with all its bodies in one dense core.
    fn dense_core(&self, ledger: &mut Ledger, state: &State, dense: &Result<AnyRobot, RobotError>) {
        let found = dense.as_ref().map_err(Clone::clone).and_then(|dense| dense.state(&state.platform));
        let Some(plain) = ledger.solved(CORE_JOINTS, found) else { return };
        let lengths = |list: &[f64]| times_each(list, &self.motor_levers);
        let (found, exact) = (lengths(&state.qdd), lengths(&plain.qdd));
        ledger.compare(CORE_JOINTS, BAR, &found, &exact, self.scales.acceleration());
        if let (Some(d), Some(plain)) = (&state.dynamics, &plain.dynamics) {
            let parts =
                |d: &Dynamics| [&d.motor, &d.effort, &d.gravity].map(|part| self.forces(part)).concat();
            ledger.compare(CORE_EFFORTS, BAR, &parts(d), &parts(plain), self.force(d));
            let levers = &self.freedom_levers;
            let masses = |d: &Dynamics| over_each(&d.platform_mass_matrix, levers, levers);
            ledger.compare(CORE_MASSES, BAR, &masses(d), &masses(plain), 0.0);
        }
    }

    fn dynamics(&self, ledger: &mut Ledger, state: &State, d: &Dynamics) {
        let (robot, platform) = (self.robot, &state.platform);
        let force = self.force(d);
        if self.is_square() {
            let parts = sum(&[&d.inertial, &d.coriolis, &d.gravity, &d.external]);
            ledger.compare(SUM, BAR, &self.forces(&parts), &self.forces(&d.effort), force);
            let kinetic = 0.5 * dot(&state.qd, &times(&d.mass_matrix, &state.qd));
            ledger.compare(JOINT_ENERGY, BAR, &[kinetic], &[d.kinetic_energy], 0.0);
        }
        if robot.held_motors().is_empty() {
            let v: Vec<f64> =
                robot.freedoms().iter().map(|freedom| platform.twist[freedom.component]).collect();
            let kinetic = 0.5 * dot(&v, &times(&d.platform_mass_matrix, &v));
            ledger.compare(ENERGY, BAR, &[kinetic], &[d.kinetic_energy], 0.0);
        }

        let back = robot.forward_dynamics(platform, &d.motor);
        if let Some(back) = ledger.solved(FORWARD_DYNAMICS, back) {
            // As efforts: what the accelerations found ask of the motors beyond the given ones, beside what friction,
            // weight and pull ask of them.
            let given = robot.freedoms().iter().map(|freedom| platform.acceleration[freedom.component]);
            let asked = |a: &[f64]| {
                self.forces(&transposed_times(&state.jacobian, &times(&d.platform_mass_matrix, a)))
            };
            let (found, given) = if robot.held_motors().is_empty() {
                (asked(&back.platform), asked(&given.collect::<Vec<_>>()))
            } else {
                let asked = |qdd: &[f64]| self.forces(&times(&d.mass_matrix, qdd));
                (asked(&back.joint), asked(&state.qdd))
            };
            ledger.compare(FORWARD_DYNAMICS, BAR, &found, &given, force);
        }
        let levers = &self.freedom_levers;
        let masses = over_each(&d.platform_mass_matrix, levers, levers);
        let turned = over_each(&transposed(&d.platform_mass_matrix), levers, levers);
        ledger.compare(SYMMETRIC, BAR, &turned, &masses, 0.0);
        ledger.require(POSITIVE, is_positive_definite(&masses, levers.len()));
    }

    /// The same state of the robot as plain chains of joints, nothing recognised.
    fn chains(&self, ledger: &mut Ledger, state: &State) {
        let chained = self.chains.as_ref().map_err(Clone::clone);
        let found = chained.and_then(|chains| chains.led_to(&state.platform)?.state(&state.platform));
        let Some(plain) = ledger.solved(CHAIN_JOINTS, found) else { return };
        let zeros = vec![0.0; state.q.len()];
        ledger.compare(CHAIN_JOINTS, BAR, &self.apart(&state.q, &plain.q), &zeros, self.scales.length);
        if let (Some(d), Some(plain)) = (&state.dynamics, &plain.dynamics) {
            let parts =
                |d: &Dynamics| [&d.motor, &d.effort, &d.gravity].map(|part| self.forces(part)).concat();
            ledger.compare(CHAIN_EFFORTS, BAR, &parts(d), &parts(plain), self.force(d));
            let levers = &self.freedom_levers;
            let masses = |d: &Dynamics| over_each(&d.platform_mass_matrix, levers, levers);
            ledger.compare(CHAIN_MASSES, BAR, &masses(d), &masses(plain), 0.0);
        }
    }
}

fn least(list: &[f64]) -> f64 {
    list.iter()
        .copied()
        .fold(f64::INFINITY, |m, x| if x.is_nan() || m.is_nan() { f64::NAN } else { m.min(x) })
}

/// The place a moment `dt` further on the way; for a search to begin there.
fn ahead(state: &PlatformState, dt: f64) -> PlatformState {
    let [x, y, z, a, b, c] = state.twist.map(|v| v * dt);
    let [px, py, pz] = state.position;
    PlatformState {
        position: [px + x, py + y, pz + z],
        rotation: product(&from_rotation_vector([a, b, c]), &state.rotation),
        ..*state
    }
}

fn times(m: &[Vec<f64>], v: &[f64]) -> Vec<f64> {
    m.iter().map(|row| dot(row, v)).collect()
}

fn transposed(m: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let columns = m.first().map_or(0, Vec::len);
    (0..columns).map(|j| m.iter().filter_map(|row| row.get(j)).copied().collect()).collect()
}

fn transposed_times(m: &[Vec<f64>], v: &[f64]) -> Vec<f64> {
    times(&transposed(m), v)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn sum(lists: &[&[f64]]) -> Vec<f64> {
    let length = lists.first().map_or(0, |list| list.len());
    (0..length).map(|k| lists.iter().filter_map(|list| list.get(k)).sum()).collect()
}

/// Whether a symmetric matrix, row after row, has positive pivots only.
fn is_positive_definite(flat: &[f64], size: usize) -> bool {
    if size == 0 || flat.len() != size * size {
        return false;
    }
    let mut rows: Vec<Vec<f64>> = flat.chunks(size).map(<[f64]>::to_vec).collect();
    for k in 0..size {
        let (pivot_row, below) = match rows.split_at_mut(k + 1) {
            (done, below) if done.len() == k + 1 => (done[k].clone(), below),
            _ => return false,
        };
        let pivot = pivot_row[k];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        for row in below {
            let factor = row[k] / pivot;
            for (entry, above) in row.iter_mut().zip(&pivot_row) {
                *entry -= factor * above;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests;
