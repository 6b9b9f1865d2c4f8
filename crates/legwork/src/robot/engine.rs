//! Robots of the general engine behind [`AnyRobot`](super::AnyRobot).

use super::RobotError;
use super::mechanism::{AnyLeg, Machine, Question};
use super::skeleton::Skeleton;
use super::state::{
    Dynamics, Freedom, Joint, JointSolution, PlatformSolution, PlatformState, Reaction, Singularity, State,
    TWIST, outside,
};
use crate::families::blueprint::{Blueprint, LegChoice};
use legwork_core::engine::{
    Forward, ForwardSettings, JointKind, LegModel, Mechanism, PlatformMotion, Pose, StateError, Twist, Wrench,
};
use legwork_core::linalg::column_singular_values;
use legwork_core::{M3, V3};
use std::array::from_fn;
use std::cmp::Ordering;

/// A robot of the general engine.
#[derive(Clone, Debug)]
pub(super) struct EngineRobot {
    name: String,
    choices: Vec<LegChoice>,
    machine: Machine,
    /// The same with dry friction that passes smoothly through zero.
    moving: Machine,
    joints: Vec<Joint>,
    freedoms: Vec<Freedom>,
    has_masses: bool,
    /// Mean distance of the platform's joints from their middle \[m\]: scales rotations.
    size: f64,
    home: Pose<f64>,
}

impl EngineRobot {
    pub(super) fn new(name: &str, blueprint: Blueprint) -> Result<Self, RobotError> {
        let Blueprint { platform, legs, freedoms, gravity, has_masses, size, home, limits } = blueprint;
        let machine =
            Machine::new(platform, legs.iter().map(|choice| choice.leg).collect(), freedoms, gravity);
        let kinds = machine.motor_kinds(&home);
        let joints = kinds
            .iter()
            .enumerate()
            .map(|(k, kind)| {
                Joint::new(k, *kind == JointKind::Prismatic, limits.get(k).copied().unwrap_or_default())
            })
            .collect();
        let freedoms = machine.freedoms.iter().filter_map(|place| TWIST.get(*place).copied()).collect();
        let robot = Self {
            name: name.into(),
            choices: legs,
            moving: machine.smoothed(),
            machine,
            joints,
            freedoms,
            has_masses,
            size,
            home,
        };
        let sizes =
            RobotError::Sizes { robot: name.into(), freedoms: robot.freedoms.len(), motors: kinds.len() };
        match robot.machine.ask(Kinematics { pose: home }).ok_or(sizes)? {
            Ok(_) => Ok(robot),
            Err(cause) => Err(RobotError::HomeState { robot: name.into(), cause }),
        }
    }

    pub(super) fn joints(&self) -> &[Joint] {
        &self.joints
    }

    pub(super) fn freedoms(&self) -> &[Freedom] {
        &self.freedoms
    }

    pub(super) fn has_masses(&self) -> bool {
        self.has_masses
    }

    /// Its legs and its platform.
    pub(super) fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Its equations of motion, if it has masses.
    pub(super) fn motion(&self) -> Option<super::MachineMotion<'_>> {
        self.has_masses.then_some(super::motion::MachineMotion(&self.moving))
    }

    pub(super) fn home(&self) -> PlatformState {
        PlatformState::at(self.home.position.to_array()).turned(self.home.rotation.to_rows())
    }

    pub(super) fn home_pose(&self) -> Pose<f64> {
        self.home
    }

    pub(super) fn legs(&self) -> &[AnyLeg] {
        &self.machine.legs
    }

    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// Name of the working mode: the ways of the legs, or `only` if each has just one.
    pub(super) fn mode(&self) -> String {
        let names: Vec<_> = self.choices.iter().map(|leg| leg.name).filter(|name| !name.is_empty()).collect();
        if names.is_empty() { "only".into() } else { names.join("-") }
    }

    fn with_choices(&self, choices: Vec<LegChoice>) -> Self {
        let legs = choices.iter().map(|choice| choice.leg).collect();
        let machine = self.machine.with_legs(legs);
        Self { moving: machine.smoothed(), machine, choices, ..self.clone() }
    }

    /// Every combination of the ways of the legs, the robot's own first.
    fn modes(&self) -> Vec<Self> {
        let mut all = vec![Vec::new()];
        for choice in &self.choices {
            let ways: Vec<_> = std::iter::once(*choice).chain(choice.flipped()).collect();
            all = all
                .into_iter()
                .flat_map(|head: Vec<LegChoice>| {
                    ways.iter().map(move |way| [head.clone(), vec![*way]].concat())
                })
                .collect();
        }
        all.into_iter().map(|choices| self.with_choices(choices)).collect()
    }

    /// The same robot in the working mode with this name: one word for each leg that has two ways.
    pub(super) fn with_mode(&self, name: &str) -> Result<Self, RobotError> {
        let unknown = || RobotError::Mode { found: name.into(), example: self.mode() };
        // One word alone is for all legs.
        if let Some(choices) =
            self.choices.iter().map(|choice| choice.named(name)).collect::<Option<Vec<_>>>()
        {
            return Ok(self.with_choices(choices));
        }
        if name == self.mode() {
            return Ok(self.clone());
        }
        let mut words = name.split(['-', ',', ' ']).filter(|word| !word.is_empty());
        let mut choices = Vec::new();
        for choice in &self.choices {
            let chosen = match choice.other {
                Some(_) => words.next().and_then(|word| choice.named(word)).ok_or_else(unknown)?,
                None => *choice,
            };
            choices.push(chosen);
        }
        if words.next().is_some() { Err(unknown()) } else { Ok(self.with_choices(choices)) }
    }

    pub(super) fn pose(&self, platform: &PlatformState) -> Result<Pose<f64>, RobotError> {
        platform.check_finite()?;
        platform.check_freedoms(&self.freedoms)?;
        let [x, y, z] = platform.rotation.map(V3::from);
        let rotation = M3::from_rows(x, y, z);
        if self.turns_where_it_cannot(rotation) {
            return Err(RobotError::Turned { robot: self.name.clone() });
        }
        Ok(Pose::new(rotation, platform.position.into()))
    }

    /// A platform that does not turn keeps the orientation of its home; one that turns
    /// about one axis of the base keeps that axis.
    fn turns_where_it_cannot(&self, rotation: M3<f64>) -> bool {
        let axes: Vec<usize> = self.freedoms.iter().filter(|f| f.turns()).map(|f| f.component - 3).collect();
        let turn = (rotation * self.home.rotation.transpose()).to_rows();
        let still = |i: usize, j: usize| (turn[i][j] - f64::from(u8::from(i == j))).abs() < 1e-9;
        match axes.as_slice() {
            [] => !(0..3).all(|i| (0..3).all(|j| still(i, j))),
            [axis] => !(0..3).all(|i| still(*axis, i) && still(i, *axis)),
            _ => false,
        }
    }

    pub(super) fn joints_outside_limits(&self, q: &[f64]) -> Result<Vec<usize>, RobotError> {
        self.count("joint values", q)?;
        Ok(outside(&self.joints, q))
    }

    pub(super) fn inverse_kinematics(&self, platform: &PlatformState) -> Result<JointSolution, RobotError> {
        let q = self.ask(Kinematics { pose: self.pose(platform)? })??;
        Ok(JointSolution { mode: self.mode(), outside_limits: outside(&self.joints, &q), q })
    }

    pub(super) fn skeleton(&self, platform: &PlatformState) -> Result<Skeleton, RobotError> {
        let pose = self.pose(platform)?;
        self.ask(Kinematics { pose })??;
        Ok(Skeleton::of_legs(&self.machine.legs, &self.joints, &pose))
    }

    /// Every combination of working modes that reaches the pose.
    pub(super) fn all_inverse_kinematics(
        &self,
        platform: &PlatformState,
    ) -> Result<Vec<JointSolution>, RobotError> {
        self.inverse_kinematics(platform)?;
        Ok(self.modes().iter().filter_map(|robot| robot.inverse_kinematics(platform).ok()).collect())
    }

    fn ask<Q: Question>(&self, question: Q) -> Result<Q::Answer, RobotError> {
        self.machine.ask(question).ok_or_else(|| RobotError::Sizes {
            robot: self.name.clone(),
            freedoms: self.freedoms.len(),
            motors: self.joints.len(),
        })
    }

    fn count(&self, what: &'static str, list: &[f64]) -> Result<(), RobotError> {
        let expected = self.joints.len();
        if list.len() != expected {
            return Err(RobotError::Count { what, expected, found: list.len() });
        }
        match list.iter().enumerate().find(|(_, value)| !value.is_finite()) {
            Some((component, value)) => Err(RobotError::NotFinite { what, component, value: *value }),
            None => Ok(()),
        }
    }

    /// Newton's method from `start`.
    pub(super) fn forward_kinematics_from(
        &self,
        q: &[f64],
        start: &PlatformState,
    ) -> Result<PlatformSolution, RobotError> {
        self.count("joint values", q)?;
        match self.ask(Search { q, start: self.pose(start)? })? {
            Forward::Converged { pose, steps, gap } => Ok(Self::platform_solution(pose, steps, gap, 1)),
            other => Err(RobotError::Forward(Box::new(other))),
        }
    }

    fn platform_solution(pose: Pose<f64>, iterations: u16, residual: f64, number: usize) -> PlatformSolution {
        PlatformSolution {
            mode: format!("{number}"),
            position: pose.position.to_array(),
            rotation: pose.rotation.to_rows(),
            iterations,
            residual,
        }
    }

    /// The assembly modes that many seeded starts find, sorted by height: a lower
    /// bound on their number, not a proof that there are no more.
    pub(super) fn all_forward_kinematics(
        &self,
        q: &[f64],
        starts: usize,
        seed: u64,
    ) -> Result<Vec<PlatformSolution>, RobotError> {
        self.count("joint values", q)?;
        let mut random = crate::random::Random::new(seed);
        let mut found: Vec<(Pose<f64>, u16, f64)> = Vec::new();
        // Far enough to fall into every basin: the reach of the longest leg.
        let reach = 2.0 * self.size + 2.0 * self.home.position.norm_sq().sqrt();
        for k in 0..starts {
            let start = if k == 0 { self.home } else { self.scattered(&mut random, reach) };
            if let Forward::Converged { pose, steps, gap } = self.ask(Search { q, start })?
                && !found.iter().any(|(other, ..)| self.distance(other, &pose) < 1e-6 * reach)
            {
                found.push((pose, steps, gap));
            }
        }
        // Lowest first; what is level to a millionth of the reach goes by y, then x.
        let key = |pose: &Pose<f64>| {
            [pose.position.z, pose.position.y, pose.position.x].map(|x| (x / reach * 1e6).round())
        };
        found.sort_by(|a, b| {
            let pairs = key(&a.0).into_iter().zip(key(&b.0));
            pairs.map(|(a, b)| a.total_cmp(&b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        let numbered = found.into_iter().enumerate();
        Ok(numbered.map(|(k, (pose, steps, gap))| Self::platform_solution(pose, steps, gap, k + 1)).collect())
    }

    fn distance(&self, a: &Pose<f64>, b: &Pose<f64>) -> f64 {
        let turn = (a.rotation - b.rotation).0.to_array().map(V3::norm_sq).iter().sum::<f64>();
        (a.position - b.position).norm_sq().sqrt() + self.size * turn.sqrt()
    }

    /// A random pose in the robot's freedoms.
    fn scattered(&self, random: &mut crate::random::Random, reach: f64) -> Pose<f64> {
        let mut twist = [0.0; 6];
        for freedom in &self.freedoms {
            let size = if freedom.component < 3 { reach } else { 4.0 };
            if let Some(slot) = twist.get_mut(freedom.component) {
                *slot = random.uniform(-size, size);
            }
        }
        let step = Twist::from_vector_linear_first(twist);
        Pose::new(self.home.rotation, V3::zero()).moved(&step)
    }

    pub(super) fn platform_from_joints(
        &self,
        q: &[f64],
        qd: &[f64],
        qdd: &[f64],
        start: &PlatformState,
    ) -> Result<PlatformState, RobotError> {
        self.count("joint velocities", qd)?;
        self.count("joint accelerations", qdd)?;
        let found = self.forward_kinematics_from(q, start)?;
        let still = PlatformState::at(found.position).turned(found.rotation);
        let pose = self.pose(&still)?;
        let (twist, acceleration) = self.ask(Rates { pose, qd, qdd })?;
        Ok(PlatformState { twist, acceleration, ..still })
    }

    pub(super) fn state(&self, platform: &PlatformState) -> Result<State, RobotError> {
        let pose = self.pose(platform)?;
        let found = self.ask(Assess { pose, platform, size: self.size })??;
        Ok(State {
            platform: *platform,
            mode: self.mode(),
            outside_limits: outside(&self.joints, &found.q),
            q: found.q,
            qd: found.qd,
            qdd: found.qdd,
            jacobian: found.jacobian,
            singularity: Singularity {
                serial: self.machine.legs.iter().map(|leg| leg.kinematics(&pose).margin).collect(),
                parallel: 1.0 / found.condition,
                condition: found.condition,
            },
            dynamics: self.has_masses.then(|| Dynamics {
                leg_force: self.leg_forces(&pose, platform, &found.dynamics.motor),
                ..found.dynamics
            }),
        })
    }

    /// Size of the force that each leg exerts on the platform \[N\].
    fn leg_forces(&self, pose: &Pose<f64>, platform: &PlatformState, motor: &[f64]) -> Vec<f64> {
        let mut rest = motor;
        let (v, a) = (twist(&platform.twist), twist(&platform.acceleration));
        self.machine
            .legs
            .iter()
            .map(|leg| {
                let (own, others) = rest.split_at(leg.active_joints().min(rest.len()));
                rest = others;
                leg.reaction(pose, v, a, self.machine.gravity, own).wrench.force.norm_sq().sqrt()
            })
            .collect()
    }

    pub(super) fn forward_dynamics(
        &self,
        platform: &PlatformState,
        effort: &[f64],
    ) -> Result<Reaction, RobotError> {
        if !self.has_masses {
            return Err(RobotError::NoMasses { robot: self.name.clone() });
        }
        self.count("efforts", effort)?;
        let pose = self.pose(platform)?;
        Ok(self.ask(Direct { pose, platform, effort })??)
    }
}

fn twist(six: &[f64; 6]) -> Twist<f64> {
    Twist::from_vector_linear_first(*six)
}

fn wrench(six: &[f64; 6]) -> Wrench<f64> {
    Wrench::from_vector_linear_first(*six)
}

/// The components of a twist that are freedoms.
fn rates<const D: usize, const K: usize>(
    robot: &Mechanism<'_, f64, AnyLeg, D, K>,
    six: &[f64; 6],
) -> [f64; D] {
    robot.space.project(six)
}

fn rows<const R: usize, const C: usize>(m: &[[f64; C]; R]) -> Vec<Vec<f64>> {
    m.iter().map(|row| row.to_vec()).collect()
}

/// The joints at a pose.
struct Kinematics {
    pose: Pose<f64>,
}

impl Question for Kinematics {
    type Answer = Result<Vec<f64>, StateError>;
    fn ask<const D: usize, const K: usize>(self, robot: &Mechanism<'_, f64, AnyLeg, D, K>) -> Self::Answer {
        robot.inverse_kinematics(&self.pose).map(|q| q.to_vec())
    }
}

/// Newton's method towards joint values.
struct Search<'a> {
    q: &'a [f64],
    start: Pose<f64>,
}

impl Question for Search<'_> {
    type Answer = Forward;
    fn ask<const D: usize, const K: usize>(self, robot: &Mechanism<'_, f64, AnyLeg, D, K>) -> Forward {
        let target: [f64; K] = from_fn(|k| self.q.get(k).copied().unwrap_or(f64::NAN));
        robot.forward_kinematics(&target, &self.start, ForwardSettings::default().with_tolerance(1e-14))
    }
}

/// Platform velocity and acceleration for those of the joints.
struct Rates<'a> {
    pose: Pose<f64>,
    qd: &'a [f64],
    qdd: &'a [f64],
}

impl Question for Rates<'_> {
    type Answer = ([f64; 6], [f64; 6]);
    fn ask<const D: usize, const K: usize>(self, robot: &Mechanism<'_, f64, AnyLeg, D, K>) -> Self::Answer {
        let at_rest = robot.task_dynamics(&self.pose, &[0.0; D]).value;
        let jacobian = at_rest.joint_dynamics().value.jacobian;
        let times = |list: &dyn Fn(usize) -> f64| -> [f64; D] {
            from_fn(|i| {
                jacobian.get(i).map_or(0.0, |row| row.iter().enumerate().map(|(k, j)| j * list(k)).sum())
            })
        };
        let rate = times(&|k| self.qd.get(k).copied().unwrap_or(0.0));
        let moving = robot.task_dynamics(&self.pose, &rate).value.active;
        let acceleration =
            times(&|k| self.qdd.get(k).copied().unwrap_or(0.0) - moving.bias.get(k).copied().unwrap_or(0.0));
        let six = |rate: &[f64; D]| robot.space.twist(rate).to_vector_linear_first();
        (six(&rate), six(&acceleration))
    }
}

/// Everything about one state.
struct Assess<'a> {
    pose: Pose<f64>,
    platform: &'a PlatformState,
    size: f64,
}

struct Assessed {
    q: Vec<f64>,
    qd: Vec<f64>,
    qdd: Vec<f64>,
    jacobian: Vec<Vec<f64>>,
    condition: f64,
    dynamics: Dynamics,
}

impl Question for Assess<'_> {
    type Answer = Result<Assessed, StateError>;
    fn ask<const D: usize, const K: usize>(self, robot: &Mechanism<'_, f64, AnyLeg, D, K>) -> Self::Answer {
        let (rate, acceleration) =
            (rates(robot, &self.platform.twist), rates(robot, &self.platform.acceleration));
        let external = wrench(&self.platform.wrench);
        let motion = PlatformMotion { pose: self.pose, rate, acceleration };
        let found = robot.effort_for(&motion, external)?;
        let task = robot.task_dynamics(&self.pose, &rate).value;
        let joint = task.joint_dynamics().value;
        let (kinetic_energy, potential_energy) = robot.energy(&self.pose, &rate);
        let projected = robot.space.project(&external.to_vector_linear_first());
        let minus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
        let external: Vec<f64> = (0..K)
            .map(|k| {
                -joint
                    .jacobian
                    .iter()
                    .zip(projected)
                    .map(|(row, f)| row.get(k).copied().unwrap_or(0.0) * f)
                    .sum::<f64>()
            })
            .collect();
        let inertial =
            joint.mass.iter().map(|row| row.iter().zip(found.acceleration).map(|(m, a)| m * a).sum());
        Ok(Assessed {
            q: task.active.coordinates().to_vec(),
            qd: found.rate.to_vec(),
            qdd: found.acceleration.to_vec(),
            jacobian: rows(&joint.jacobian),
            condition: condition(robot, &joint.jacobian, self.size),
            dynamics: Dynamics {
                motor: found.effort.to_vec(),
                effort: minus(&found.effort, &joint.friction),
                inertial: inertial.collect(),
                coriolis: joint.coriolis.to_vec(),
                gravity: joint.gravity.to_vec(),
                external,
                friction: joint.friction.to_vec(),
                mass_matrix: rows(&joint.mass),
                platform_mass_matrix: rows(&task.mass),
                leg_force: Vec::new(),
                kinetic_energy,
                potential_energy,
            },
        })
    }
}

/// Condition number of the Jacobian, its rotations made lengths by the platform's size.
fn condition<const D: usize, const K: usize>(
    robot: &Mechanism<'_, f64, AnyLeg, D, K>,
    jacobian: &[[f64; K]; D],
    size: f64,
) -> f64 {
    // A freedom whose column of S is a rotation is measured at the size of the platform.
    let scale =
        robot.space.columns.map(|column| if column.iter().take(3).any(|x| *x != 0.0) { 1.0 } else { size });
    let scaled: [[f64; K]; D] = from_fn(|i| {
        let factor = scale.get(i).copied().unwrap_or(1.0);
        jacobian.get(i).map_or([f64::NAN; K], |row| row.map(|j| j * factor))
    });
    // Rows as columns: the transpose has the same singular values.
    let sigma = column_singular_values(&scaled);
    match (sigma.first(), sigma.last()) {
        (Some(largest), Some(smallest)) => largest / smallest,
        _ => f64::NAN,
    }
}

/// What the robot does under given efforts.
struct Direct<'a> {
    pose: Pose<f64>,
    platform: &'a PlatformState,
    effort: &'a [f64],
}

impl Question for Direct<'_> {
    type Answer = Result<Reaction, StateError>;
    fn ask<const D: usize, const K: usize>(self, robot: &Mechanism<'_, f64, AnyLeg, D, K>) -> Self::Answer {
        let rate = rates(robot, &self.platform.twist);
        let effort: [f64; K] = from_fn(|k| self.effort.get(k).copied().unwrap_or(f64::NAN));
        let found = robot.acceleration_for(&self.pose, &rate, &effort, wrench(&self.platform.wrench))?;
        Ok(Reaction { platform: found.platform.to_vec(), joint: found.joint.to_vec() })
    }
}
