//! Robots of the general engine behind [`AnyRobot`](super::AnyRobot).

use super::RobotError;
use super::dense::{MAX_MOTORS, PerMotor};
use super::engine_model::{AnyLeg, EngineModel};
use super::mechanism::MechanismRobot;
use super::skeleton::Skeleton;
use super::state::{Freedom, Joint, JointSolution, PlatformSolution, PlatformState, TWIST, outside};
use crate::families::blueprint::{Blueprint, LegChoice};
use legwork_core::engine::{Forward, ForwardSettings, JointKind, Pose, Route, Twist};
use legwork_core::{M3, V3};
use std::cmp::Ordering;

/// A robot of the general engine.
#[derive(Clone, Debug)]
pub(super) struct EngineRobot {
    name: String,
    choices: Vec<LegChoice>,
    model: EngineModel,
    /// The same with dry friction that passes smoothly through zero.
    smooth_friction: EngineModel,
    joints: Vec<Joint>,
    freedoms: Vec<Freedom>,
    has_masses: bool,
    /// Mean distance of the platform's joints from their middle \[m\]: scales rotations.
    size: f64,
    home: Pose<f64>,
    /// The frame of the base in that of the cell, and of the tool in that of the platform.
    mounting: [Pose<f64>; 2],
    /// Mean size of the legs at home \[m\].
    leg_size: f64,
    /// Whether its closed forms were put aside.
    is_chains: bool,
}

/// A pose that closes the legs, and how it was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundPose {
    pub pose: Pose<f64>,
    pub steps: u16,
    pub gap: f64,
    pub route: Route,
}

impl EngineRobot {
    /// `mounting` is the frame of the base in that of the cell, and of the tool in that of the platform.
    pub(super) fn new(
        name: &str,
        blueprint: Blueprint,
        mounting: [Pose<f64>; 2],
    ) -> Result<Self, RobotError> {
        let Blueprint { platform, payload: _, legs, freedoms, gravity, has_masses, size, home, limits } =
            blueprint;
        let leg_size =
            legs.iter().map(|leg| leg.own.chain.size(&home)).sum::<f64>() / legs.len().max(1) as f64;
        // Points that rounding alone holds apart are one. Then the size of the legs is a length of the robot's own.
        let size = if size > 1e-9 * leg_size { size } else { leg_size };
        let model = EngineModel::new(
            platform,
            legs.iter().map(|choice| choice.own.leg).collect(),
            freedoms,
            gravity,
            (size, home),
        );
        let kinds = model.motor_kinds(&home);
        let joint = |(k, kind): (usize, &JointKind)| {
            Joint::new(k, *kind == JointKind::Prismatic, limits.get(k).copied().unwrap_or_default())
        };
        let joints = kinds.iter().enumerate().map(joint).collect();
        let freedoms = model.freedoms.iter().filter_map(|place| TWIST.get(*place).copied()).collect();
        let robot = Self {
            name: name.into(),
            choices: legs,
            smooth_friction: model.with_smooth_friction(),
            model,
            joints,
            freedoms,
            has_masses,
            size,
            home,
            mounting,
            leg_size,
            is_chains: false,
        };
        if !robot.model.fits() {
            let (freedoms, motors) = (robot.freedoms.len(), robot.model.motors());
            return Err(RobotError::Sizes { robot: name.into(), freedoms, motors });
        }
        let found = robot.model.kinematics(&home);
        match robot.model.accept_legs(&home, found) {
            Ok(_) => Ok(robot),
            Err(cause) => Err(RobotError::HomeState { robot: name.into(), cause, doubt: None }),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
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

    /// The same as bodies and joints.
    pub(super) fn as_mechanism(&self) -> Result<MechanismRobot, RobotError> {
        MechanismRobot::of_legs(&self.name, &self.model, &self.joints, &self.home)
    }

    /// Its legs and its platform.
    pub(super) fn model(&self) -> &EngineModel {
        &self.model
    }

    /// The same with dry friction that passes smoothly through zero, for motion in time.
    pub(super) fn smooth_friction(&self) -> &EngineModel {
        &self.smooth_friction
    }

    pub(super) fn home(&self) -> PlatformState {
        PlatformState::at(self.home.position.to_array()).turned(self.home.rotation.to_rows())
    }

    /// The frame of the base in that of the cell, and of the tool in that of the platform.
    pub(super) fn mounting(&self) -> [&Pose<f64>; 2] {
        self.mounting.each_ref()
    }

    pub(super) fn home_pose(&self) -> Pose<f64> {
        self.home
    }

    pub(super) fn legs(&self) -> &[AnyLeg] {
        &self.model.legs
    }

    pub(super) fn size(&self) -> f64 {
        self.size
    }

    pub(super) fn leg_size(&self) -> f64 {
        self.leg_size
    }

    /// Name of the working mode: the branches of the legs, or `only` if each has just one.
    pub(super) fn mode(&self) -> String {
        let names: Vec<_> =
            self.choices.iter().map(|leg| leg.own.name).filter(|name| !name.is_empty()).collect();
        if names.is_empty() { "only".into() } else { names.join("-") }
    }

    /// The legs with their branches.
    pub(super) fn choices(&self) -> &[LegChoice] {
        &self.choices
    }

    /// The same robot with its legs in these branches.
    pub(super) fn in_branches(&self, choices: Vec<LegChoice>) -> Self {
        self.with_choices(choices)
    }

    fn with_choices(&self, choices: Vec<LegChoice>) -> Self {
        let legs = choices.iter().map(|choice| choice.own.leg).collect();
        let model = self.model.with_legs(legs, self.home);
        Self { smooth_friction: model.with_smooth_friction(), model, choices, ..self.clone() }
    }

    /// The same robot with every leg as the chain of joints that was described.
    pub(super) fn as_chains(&self) -> Self {
        let choices = self.choices.iter().map(|choice| choice.as_chain(&self.home)).collect();
        Self { is_chains: true, ..self.with_choices(choices) }
    }

    /// The robot that a wrong recognition would make: the universal joints of its closed forms counted from their
    /// other side, its chains as described.
    pub(super) fn turned_over(&self) -> Self {
        use legwork_core::engine::LegInverse;
        let turned = |choice: &LegChoice| {
            let mut choice = *choice;
            if let AnyLeg::Three(leg) = &mut choice.own.leg
                && let LegInverse::Rus { cross, .. } = &mut leg.inverse
            {
                *cross = -*cross;
            }
            choice
        };
        self.with_choices(self.choices.iter().map(turned).collect())
    }

    /// Whether its closed forms were put aside.
    pub(super) fn is_chains(&self) -> bool {
        self.is_chains
    }

    /// The same robot; legs without a closed form go on from this pose, where they come to on the straight way from
    /// where they were.
    pub(super) fn led_to(&self, platform: &PlatformState) -> Result<Self, RobotError> {
        let pose = self.pose(platform)?;
        self.model.accept_legs(&pose, self.model.kinematics(&pose))?;
        let model = self.model.at(&pose).into_owned();
        Ok(Self { smooth_friction: model.with_smooth_friction(), model, ..self.clone() })
    }

    /// Whether some leg has no closed form, so that where it is depends on where it was.
    pub(super) fn is_followed(&self) -> bool {
        self.model.is_followed()
    }

    /// Every combination of the branches of the legs, the robot's own first.
    fn modes(&self) -> Vec<Self> {
        let mut all = vec![Vec::new()];
        for choice in &self.choices {
            let branches: Vec<_> = std::iter::once(*choice).chain(choice.flipped()).collect();
            all = all
                .into_iter()
                .flat_map(|head: Vec<LegChoice>| {
                    branches.iter().map(move |branch| [head.clone(), vec![*branch]].concat())
                })
                .collect();
        }
        all.into_iter().map(|choices| self.with_choices(choices)).collect()
    }

    /// How many legs have two branches.
    pub(super) fn branching_legs(&self) -> usize {
        self.choices.iter().filter(|choice| choice.other.is_some()).count()
    }

    /// The same robot in the working mode with this name: one word for each leg that has two branches.
    pub(super) fn with_mode(&self, name: &str) -> Result<Self, RobotError> {
        let unknown = || RobotError::Mode { found: name.into(), example: self.mode() };
        // One word alone is for all legs that have two branches.
        let meant = |choice: &LegChoice| choice.other.map_or(Some(*choice), |_| choice.named(name));
        if self.branching_legs() > 0
            && let Some(choices) = self.choices.iter().map(meant).collect::<Option<Vec<_>>>()
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
        let mut axes =
            self.freedoms.iter().filter(|freedom| freedom.turns()).map(|freedom| freedom.component - 3);
        let (axis, another) = (axes.next(), axes.next());
        if another.is_some() {
            return false;
        }
        let turn = (rotation * self.home.rotation.transpose()).to_rows();
        let still = |i: usize, j: usize| (turn[i][j] - f64::from(u8::from(i == j))).abs() < 1e-9;
        match axis {
            None => !(0..3).all(|i| (0..3).all(|j| still(i, j))),
            Some(axis) => !(0..3).all(|i| still(axis, i) && still(i, axis)),
        }
    }

    pub(super) fn joints_outside_limits(&self, q: &[f64]) -> Result<Vec<usize>, RobotError> {
        self.counted("joint values", q)?;
        Ok(outside(&self.joints, q))
    }

    pub(super) fn inverse_kinematics_into(
        &self,
        platform: &PlatformState,
        q: &mut [f64],
    ) -> Result<(), RobotError> {
        let pose = self.pose(platform)?;
        let motors = self.model.accept_legs(&pose, self.model.kinematics(&pose))?;
        for (k, slot) in q.iter_mut().enumerate() {
            *slot = motors.coordinate(k);
        }
        Ok(())
    }

    pub(super) fn inverse_kinematics(&self, platform: &PlatformState) -> Result<JointSolution, RobotError> {
        let mut q = vec![0.0; self.joints.len()];
        self.inverse_kinematics_into(platform, &mut q)?;
        Ok(JointSolution { mode: self.mode(), outside_limits: outside(&self.joints, &q), q })
    }

    pub(super) fn skeleton(&self, platform: &PlatformState) -> Result<Skeleton, RobotError> {
        let pose = self.pose(platform)?;
        self.model.accept_legs(&pose, self.model.kinematics(&pose))?;
        Ok(Skeleton::of_legs(&self.model.at(&pose).legs, &self.joints, &pose, self.mounting.each_ref()))
    }

    /// Every combination of working modes that reaches the pose.
    pub(super) fn all_inverse_kinematics(
        &self,
        platform: &PlatformState,
    ) -> Result<Vec<JointSolution>, RobotError> {
        self.inverse_kinematics(platform)?;
        Ok(self.modes().iter().filter_map(|robot| robot.inverse_kinematics(platform).ok()).collect())
    }

    /// As many finite numbers as there are motors.
    pub(super) fn counted(&self, what: &'static str, list: &[f64]) -> Result<PerMotor, RobotError> {
        let expected = self.joints.len();
        if list.len() != expected {
            return Err(RobotError::Count { what, expected, found: list.len() });
        }
        let mut out = [0.0; MAX_MOTORS];
        for (component, (slot, value)) in out.iter_mut().zip(list).enumerate() {
            if !value.is_finite() {
                return Err(RobotError::NotFinite { what, component, value: *value });
            }
            *slot = *value;
        }
        Ok(out)
    }

    /// The pose that the motors lead to from `start`, or another one that is near.
    pub(super) fn pose_from_joints(&self, q: &[f64], start: &PlatformState) -> Result<FoundPose, RobotError> {
        let q = self.counted("joint values", q)?;
        match self.model.forward_kinematics(&q, &self.pose(start)?, newton_settings()) {
            Forward::Converged { pose, steps, gap, route } => Ok(FoundPose { pose, steps, gap, route }),
            other => Err(RobotError::Forward(Box::new(other))),
        }
    }

    /// Newton's method from `start`.
    pub(super) fn forward_kinematics_from(
        &self,
        q: &[f64],
        start: &PlatformState,
    ) -> Result<PlatformSolution, RobotError> {
        let FoundPose { pose, steps, gap, route } = self.pose_from_joints(q, start)?;
        Ok(Self::platform_solution(pose, steps, gap, 1, route))
    }

    pub(super) fn platform_solution(
        pose: Pose<f64>,
        iterations: u16,
        residual: f64,
        number: usize,
        route: Route,
    ) -> PlatformSolution {
        PlatformSolution {
            mode: format!("{number}"),
            position: pose.position.to_array(),
            rotation: pose.rotation.to_rows(),
            iterations,
            residual,
            route,
        }
    }

    /// Far enough to fall into every basin: the reach of the longest leg \[m\].
    pub(super) fn reach(&self) -> f64 {
        2.0 * self.size + 2.0 * self.home.position.norm_sq().sqrt()
    }

    /// Lowest first; what is level to a millionth of the reach goes by y, then x.
    pub(super) fn lower(&self, a: &Pose<f64>, b: &Pose<f64>) -> Ordering {
        let reach = self.reach();
        let key = |pose: &Pose<f64>| {
            [pose.position.z, pose.position.y, pose.position.x].map(|x| (x / reach * 1e6).round())
        };
        let pairs = key(a).into_iter().zip(key(b));
        pairs.map(|(a, b)| a.total_cmp(&b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    pub(super) fn distance(&self, a: &Pose<f64>, b: &Pose<f64>) -> f64 {
        let turn = (a.rotation - b.rotation).0.to_array().map(V3::norm_sq).iter().sum::<f64>();
        (a.position - b.position).norm_sq().sqrt() + self.size * turn.sqrt()
    }

    /// A random pose in the robot's freedoms.
    pub(super) fn scattered(&self, random: &mut crate::random::Random, reach: f64) -> Pose<f64> {
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
}

/// Closes the legs to rounding.
pub(super) fn newton_settings() -> ForwardSettings {
    ForwardSettings::default().with_tolerance(1e-14)
}
