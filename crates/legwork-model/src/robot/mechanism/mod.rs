//! Mechanisms of bodies and joints behind [`AnyRobot`](super::AnyRobot).
//!
//! A platform state counts in the independent components of the platform's twist, the robot's freedoms; the others
//! follow. Where a pose is asked for, the mechanism goes there from its start along a straight motion: a model never
//! changes, and the answer depends on nothing but the question.

mod answers;
mod build;
mod control;
mod derivatives;
mod form;
mod held;
mod moving_base;
mod open_form;
mod passive;
mod postures;
mod rattle;
mod resting;
mod rooms;
mod skeleton;
mod whole;

pub(super) use build::description;
pub(crate) use form::MechanismForm;
pub(crate) use open_form::{Closing, OpenTreeForm};
pub use resting::{MotionDerivative, RestingMechanism};

use super::dense::{MAX_MOTORS, PerMotor};
use super::engine_model::EngineModel;
use super::identified_drives::IdentifiedDrives;
use super::state::{Freedom, Joint, JointSolution, PlatformSolution, PlatformState, TWIST, outside};
use super::{RobotError, Skeleton};
use crate::description::{
    EffortChoice, EffortPart, MechanismDescription as FileDescription, MechanismJointKind,
};
use crate::families::blueprint::MotorLimits;
use crate::families::mechanism::{RobotOfLegs, from_engine, joints_at};
use crate::families::mounting::Mounting;
use crate::mechanism::{Configuration, CoreChoice, MechanismModel, Mobility, PlatformPose, Target};
use legwork_core::drive::Coulomb;
use legwork_core::engine::{Drive, Pose, Route};
use legwork_core::{M3, V3};
use rooms::{Room, Rooms, Taken};
use std::sync::Arc;

/// Most coordinates of a mechanism: those of its platform, and motors that are held.
const MAX_COORDINATES: usize = MAX_MOTORS;
/// A number for each coordinate.
type PerCoordinate = PerMotor;

/// A mechanism.
#[derive(Clone, Debug)]
pub struct MechanismRobot {
    name: String,
    file: Arc<FileDescription>,
    model: Arc<MechanismModel>,
    /// The same with dry friction that passes smoothly through zero, for motion in time; none if there is none.
    smooth: Option<Arc<MechanismRobot>>,
    joints: Vec<Joint>,
    freedoms: Vec<Freedom>,
    has_masses: bool,
    size: f64,
    home: Pose<f64>,
    /// Where a search begins, and the pose there.
    start: (Configuration, Pose<f64>),
    mounting: [Pose<f64>; 2],
    /// How motors that are held move, in their order: at rest unless said otherwise.
    held_rates: Vec<f64>,
    held_accelerations: Vec<f64>,
    /// How far each motor moves the platform at home.
    reach: Vec<f64>,
    /// The point of the world that is the origin of the kernel \[m\].
    origin: V3<f64>,
    /// Potential energy that the kernel does not count \[J\].
    resting_energy: f64,
    rooms: Rooms,
}

/// The pose that a platform state gives.
fn pose_of(platform: &PlatformState) -> Pose<f64> {
    let [x, y, z] = platform.rotation.map(V3::from);
    Pose::new(M3::from_rows(x, y, z), platform.position.into())
}

fn as_pose(pose: &PlatformPose) -> Pose<f64> {
    let [x, y, z] = pose.rotation.map(V3::from);
    Pose::new(M3::from_rows(x, y, z), pose.position.into())
}

fn pose_at(model: &MechanismModel, at: &Configuration) -> Pose<f64> {
    as_pose(&model.platform_pose(at, &mut model.workspace()))
}

/// Where the platform is at home: as the description says if the loops close there.
fn home_of(model: &MechanismModel) -> Pose<f64> {
    let found = pose_at(model, model.home());
    let description = model.description();
    let body = description.bodies.iter().find(|body| body.name == description.platform);
    let Some(body) = body else { return found };
    let given = body.home * Pose::translation(description.platform_point);
    let apart = (given.position - found.position).norm_sq().sqrt() / model.length();
    let turned = crate::rotation::difference(&given.rotation.to_rows(), &found.rotation.to_rows());
    if apart < ROUNDING && turned < ROUNDING { given } else { found }
}

/// Below this a difference is rounding.
const ROUNDING: f64 = 1e-12;

/// The kernel's platform is off by what its origin is moved.
fn origin_of(model: &MechanismModel, home: &Pose<f64>) -> V3<f64> {
    let mut workspace = model.workspace();
    let mut memory = workspace.memory();
    let plan = model.plan();
    plan.place(model.home().coordinates(), &mut memory);
    home.position - plan.platform_frame(&memory).origin
}

/// A platform state at rest at a pose.
pub(super) fn state_of(pose: &Pose<f64>) -> PlatformState {
    PlatformState::at(pose.position.to_array()).turned(pose.rotation.to_rows())
}

impl MechanismRobot {
    pub(super) fn new(
        name: &str,
        file: &FileDescription,
        gravity: V3<f64>,
        mounting: &Mounting,
        drives: &IdentifiedDrives,
    ) -> Result<Self, RobotError> {
        let refused = |fault| RobotError::Mechanism { robot: name.into(), fault: Box::new(fault) };
        let mut description =
            description(name, file, gravity, mounting).map_err(|error| RobotError::of_build(name, error))?;
        let motors = description.joints.iter_mut().filter_map(|joint| joint.motor.as_mut());
        motors.enumerate().for_each(|(motor, drive)| drives.change(motor, drive));
        let model = MechanismModel::new(&description).map_err(refused)?;
        let parts = || file.driven().map(|joint| joint.choice);
        let (weights, preloads): (Vec<f64>, Vec<f64>) =
            parts().map(|part| (part.weight, part.preload)).unzip();
        let chosen = parts().any(|part| part != EffortPart::default());
        let model =
            if chosen { model.with_effort_choice(&weights, &preloads).map_err(refused)? } else { model };
        Self::of(name, file, model, [mounting.base, mounting.tool])?.with_smooth_friction()
    }

    /// Legs of the general engine as bodies and joints, put together with the platform at a pose.
    pub(super) fn of_legs(
        name: &str,
        model: &EngineModel,
        joints: &[Joint],
        at: &Pose<f64>,
    ) -> Result<Self, RobotError> {
        let limits: Vec<MotorLimits> = joints
            .iter()
            .map(|joint| MotorLimits {
                min: joint.min,
                max: joint.max,
                max_effort: joint.max_effort,
                max_speed: joint.max_speed,
                gear: joint.gear,
            })
            .collect();
        let legs = RobotOfLegs {
            legs: model.legs_at(at).map(|leg| (*leg, joints_at(&leg, at))).collect(),
            platform: model.platform,
            home: *at,
            freedoms: Some(&model.freedoms),
            limits: &limits,
            cone: None,
        };
        let file = from_engine(&legs).map_err(|error| RobotError::of_build(name, error))?;
        Self::new(name, &file, model.gravity, &Mounting::none(), &IdentifiedDrives::of_legs(&model.legs))
    }

    /// The same with all bodies in one dense core.
    pub(super) fn with_dense_core(&self) -> Result<Self, RobotError> {
        let model = MechanismModel::with_core(self.model.description(), CoreChoice::Everything)
            .map_err(|fault| RobotError::Mechanism { robot: self.name.clone(), fault: Box::new(fault) })?;
        let dense = Self::of(&self.name, &self.file, model.with_choice_of(&self.model), self.mounting)?;
        dense.holding(&self.held_values(), &self.held_rates, &self.held_accelerations)
    }

    /// The same with a choice of efforts; what is not given stays.
    pub(super) fn with_effort_choice(&self, choice: &EffortChoice) -> Result<Self, RobotError> {
        let refused = |fault| RobotError::Mechanism { robot: self.name.clone(), fault: Box::new(fault) };
        let plan = self.model.plan();
        let own =
            |pick: fn(&legwork_core::mechanism::Motor<f64>) -> f64| plan.motors.iter().map(pick).collect();
        let weights = choice.weights.clone().unwrap_or_else(|| own(|motor| motor.weight));
        let preloads = choice.preloads.clone().unwrap_or_else(|| own(|motor| motor.preload));
        let model = Arc::new(self.model.with_effort_choice(&weights, &preloads).map_err(refused)?);
        let smooth = self.smooth.as_ref().map(|smooth| {
            let model = Arc::new(MechanismModel::clone(&smooth.model).with_choice_of(&model));
            Arc::new(Self { model, ..Self::clone(smooth) })
        });
        Ok(Self { model, smooth, ..self.clone() })
    }

    /// The same, with itself with dry friction that passes smoothly through zero if it has any.
    fn with_smooth_friction(self) -> Result<Self, RobotError> {
        let mut description = self.model.description().clone();
        for joint in &mut description.joints {
            let smooth =
                |drive: Drive<f64>| if drive.coulomb > 0.0 { drive.smoothed(Coulomb::WIDTH) } else { drive };
            (joint.motor, joint.drag) = (joint.motor.map(smooth), joint.drag.map(smooth));
        }
        if description == *self.model.description() {
            return Ok(self);
        }
        let refused = |fault| RobotError::Mechanism { robot: self.name.clone(), fault: Box::new(fault) };
        let model = MechanismModel::new(&description).map_err(refused)?.with_choice_of(&self.model);
        let rooms = Rooms::new(&model);
        let smooth = Self { model: Arc::new(model), rooms, smooth: None, ..self.clone() };
        Ok(Self { smooth: Some(Arc::new(smooth)), ..self })
    }

    fn of(
        name: &str,
        file: &FileDescription,
        model: MechanismModel,
        mounting: [Pose<f64>; 2],
    ) -> Result<Self, RobotError> {
        let mobility = model.mobility();
        let motors = model.motors().len();
        if motors > MAX_MOTORS {
            let freedoms = mobility.platform_freedoms;
            return Err(RobotError::Sizes { robot: name.into(), freedoms, motors });
        }
        let freedoms: Vec<Freedom> =
            mobility.coordinates.iter().filter_map(|place| TWIST.get(*place).copied()).collect();
        let still = vec![0.0; mobility.held.len()];
        let joints = file
            .driven()
            .enumerate()
            .map(|(k, joint)| Joint::new(k, joint.kind == MechanismJointKind::Prismatic, joint.limits()));
        let home = home_of(&model);
        let origin = origin_of(&model, &pose_at(&model, model.home()));
        // A platform that other bodies carry about is not measured by its own joints.
        let own_size = if mobility.held.is_empty() { platform_size(file) } else { None };
        let size = own_size.filter(|size| *size > 1e-9 * model.length());
        let rooms = Rooms::new(&model);
        let mut robot = Self {
            name: name.into(),
            joints: joints.collect(),
            freedoms,
            has_masses: crate::families::FamilyModel::has_masses(file),
            size: size.unwrap_or_else(|| model.length()),
            home,
            start: (model.home().clone(), home),
            mounting,
            held_rates: still.clone(),
            held_accelerations: still,
            file: Arc::new(file.clone()),
            model: Arc::new(model),
            smooth: None,
            reach: Vec::new(),
            origin,
            resting_energy: 0.0,
            rooms,
        };
        robot.reach = robot.reaches(&robot.start.0.clone());
        robot.resting_energy = robot.potential_beside();
        Ok(robot)
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

    pub(super) fn mobility(&self) -> &Mobility {
        self.model.mobility()
    }

    pub(super) fn guided(&self, joint: &str) -> Option<&str> {
        self.file.guided(joint)
    }

    pub(super) fn model(&self) -> &MechanismModel {
        &self.model
    }

    pub(super) fn form(&self) -> MechanismForm<'_> {
        MechanismForm::new(self.smoothed())
    }

    /// The same with dry friction that passes smoothly through zero.
    pub(super) fn smoothed(&self) -> &Self {
        self.smooth.as_deref().unwrap_or(self)
    }

    /// The point of the world that is the origin of the kernel \[m\].
    fn origin(&self) -> V3<f64> {
        self.origin
    }

    pub(super) fn home(&self) -> PlatformState {
        state_of(&self.home)
    }

    pub(super) fn size(&self) -> f64 {
        self.size
    }

    pub(super) fn length(&self) -> f64 {
        self.model.length()
    }

    /// The same robot; searches begin at this pose, where the mechanism comes to on the way from its start.
    pub(super) fn led_to(&self, platform: &PlatformState) -> Result<Self, RobotError> {
        let mut led = self.clone();
        led.lead_to(platform)?;
        Ok(led)
    }

    /// Searches begin at this pose from now on, where the mechanism comes to on the way from its start.
    pub(super) fn lead_to(&mut self, platform: &PlatformState) -> Result<(), RobotError> {
        let (found, start) = {
            let mut room = self.gone_to(platform)?;
            let pose = room.pose(&self.model);
            (pose, std::mem::replace(&mut room.at, self.start.0.clone()))
        };
        self.start = (start, found);
        if let Some(smooth) = &mut self.smooth {
            Arc::make_mut(smooth).start = self.start.clone();
        }
        Ok(())
    }

    /// Searches begin where the motors lead to these values, from where they began before.
    pub(super) fn led_by_joints(&self, q: &[f64]) -> Result<Self, RobotError> {
        self.counted("joint values", q)?;
        let mut led = self.clone();
        {
            let mut taken = self.room();
            let Room { ordered, at } = &mut *taken;
            at.set(&self.start.0);
            ordered.go(&self.model, at, &mut |model, at, room| model.go_by(q, at, room))?;
            led.start = (at.clone(), taken.pose(&self.model));
        }
        if let Some(smooth) = &mut led.smooth {
            Arc::make_mut(smooth).start.clone_from(&led.start);
        }
        Ok(led)
    }

    /// The pose at which searches begin.
    pub(super) fn led_pose(&self) -> PlatformState {
        state_of(&self.start.1)
    }

    /// Memory for a call.
    fn room(&self) -> Taken<'_> {
        self.rooms.take(&self.model)
    }

    /// Where the mechanism is when its platform is at a pose, in its independent components.
    pub(super) fn configuration(&self, platform: &PlatformState) -> Result<Configuration, RobotError> {
        self.gone_to(platform).map(|room| room.at.clone())
    }

    /// A room in which the mechanism has gone to a pose.
    fn gone_to(&self, platform: &PlatformState) -> Result<Taken<'_>, RobotError> {
        platform.check_finite()?;
        let pose = PlatformPose { position: platform.position, rotation: platform.rotation };
        let mut taken = self.room();
        let Room { ordered, at } = &mut *taken;
        at.set(&self.start.0);
        ordered
            .go(&self.model, at, &mut |model, at, room| model.go_to(&pose, Target::Independent, at, room))?;
        Ok(taken)
    }

    /// The whole pose that the independent components of one give.
    pub(super) fn whole_pose(&self, platform: &PlatformState) -> Result<PlatformState, RobotError> {
        let mut room = self.gone_to(platform)?;
        let found = room.pose(&self.model);
        let mut whole = PlatformState { rotation: found.rotation.to_rows(), ..*platform };
        for (place, (slot, value)) in whole.position.iter_mut().zip(found.position.to_array()).enumerate() {
            if !self.freedoms.iter().any(|freedom| freedom.component == place) {
                *slot = value;
            }
        }
        // A platform that is free in all angles, or in none that was given, keeps what was asked for to the bit.
        let turn = crate::rotation::difference(&whole.rotation, &platform.rotation);
        if turn < ROUNDING {
            whole.rotation = platform.rotation;
        }
        Ok(whole)
    }

    /// Whether the way from home to a pose leads through a singularity of the loops, so that motors do not lead back.
    pub(super) fn leaves_branch(&self, platform: &PlatformState) -> Result<bool, RobotError> {
        let room = self.gone_to(platform)?;
        let is_own = room.ordered.is_own();
        let mut workspace = self.model.workspace();
        let found = self.model.branch(&room.at, &mut workspace);
        let home = self.model.branch(&self.start.0, &mut workspace);
        if is_own {
            return Ok(found != home);
        }
        // On the way pivots became small though nothing was singular: the sign of the whole determinant is left.
        let is_negative = |signs: Vec<bool>| signs.into_iter().filter(|sign| *sign).count() % 2 == 1;
        Ok(is_negative(found) != is_negative(home))
    }

    /// A room in which the motors have gone to these values from a pose.
    fn gone_by(&self, q: &[f64], start: &PlatformState) -> Result<Taken<'_>, RobotError> {
        self.counted("joint values", q)?;
        let mut taken = self.gone_to(start)?;
        let Room { ordered, at } = &mut *taken;
        ordered.go(&self.model, at, &mut |model, at, room| model.go_by(q, at, room))?;
        Ok(taken)
    }

    /// The platform's pose in a configuration.
    pub(super) fn pose(&self, at: &Configuration) -> Pose<f64> {
        pose_at(&self.model, at)
    }

    /// Poses of all bodies in a configuration: those of the file, then what the platform carries.
    fn body_poses(&self, at: &Configuration) -> Vec<Pose<f64>> {
        let poses = self.model.body_poses(at, &mut self.model.workspace());
        poses.iter().map(as_pose).collect()
    }

    /// Where all bodies are when the platform is at a pose: those of the file, then what the platform carries.
    pub(super) fn poses_of_bodies(&self, platform: &PlatformState) -> Result<Vec<Pose<f64>>, RobotError> {
        Ok(self.body_poses(&self.configuration(platform)?))
    }

    /// What its file says, or what was made of its legs: limits, gears and names of bodies and joints.
    pub(super) fn file(&self) -> &FileDescription {
        &self.file
    }

    /// As many finite numbers as there are motors.
    pub(super) fn counted(&self, what: &'static str, list: &[f64]) -> Result<(), RobotError> {
        super::kinematics::sized(what, list, self.joints.len())?;
        match list.iter().enumerate().find(|(_, value)| !value.is_finite()) {
            Some((component, value)) => Err(RobotError::NotFinite { what, component, value: *value }),
            None => Ok(()),
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
        let room = self.gone_to(platform)?;
        self.write_motors(&room.at, q);
        Ok(())
    }

    /// Values of all motors in a configuration.
    fn write_motors(&self, at: &Configuration, q: &mut [f64]) {
        for (slot, motor) in q.iter_mut().zip(self.model.plan().motors) {
            *slot = at.coordinates().get(motor.coordinate).copied().unwrap_or(f64::NAN);
        }
    }

    /// The one solution that the mechanism comes to on its way from home.
    pub(super) fn all_inverse_kinematics(
        &self,
        platform: &PlatformState,
    ) -> Result<Vec<JointSolution>, RobotError> {
        let mut q = vec![0.0; self.joints.len()];
        self.inverse_kinematics_into(platform, &mut q)?;
        Ok(vec![JointSolution { mode: ONLY.into(), outside_limits: outside(&self.joints, &q), q }])
    }

    /// The pose that the mechanism comes to when its motors go from a pose to these values.
    pub(super) fn forward_kinematics_from(
        &self,
        q: &[f64],
        start: &PlatformState,
    ) -> Result<PlatformSolution, RobotError> {
        let mut room = self.gone_by(q, start)?;
        let pose = room.pose(&self.model);
        Ok(PlatformSolution {
            mode: "1".into(),
            position: pose.position.to_array(),
            rotation: pose.rotation.to_rows(),
            iterations: 0,
            residual: room.gap(&self.model),
            route: Route::Continuous,
        })
    }

    pub(super) fn pose_from_joints(
        &self,
        q: &[f64],
        start: &PlatformState,
    ) -> Result<PlatformState, RobotError> {
        Ok(state_of(&self.gone_by(q, start)?.pose(&self.model)))
    }

    pub(super) fn with_mode(&self, name: &str) -> Result<Self, RobotError> {
        if name == ONLY {
            return Ok(self.clone());
        }
        Err(RobotError::Mode { found: name.into(), example: ONLY.into() })
    }

    pub(super) fn skeleton(&self, platform: &PlatformState) -> Result<Skeleton, RobotError> {
        let found = self.configuration(platform)?;
        Ok(skeleton::skeleton(self, &self.body_poses(&found), &self.pose(&found)))
    }

    /// Angles of the passive joints: of each that turns its angle or angles, of a ball joint how far it is turned.
    pub(super) fn passive_angles(&self, platform: &PlatformState) -> Result<Vec<f64>, RobotError> {
        let found = self.configuration(platform)?;
        let bodies = self.body_poses(&found);
        let base = self.mounting[0];
        let side = |body: Option<usize>| body.and_then(|body| bodies.get(body).copied()).unwrap_or(base);
        let mut angles = Vec::new();
        for joint in self.file.joints.iter().filter(|joint| joint.motor.is_none()) {
            let place = crate::families::blueprint::pose;
            let parent = side(joint.parent) * place(&joint.parent_frame);
            let child = side(joint.child) * place(&joint.child_frame);
            let seen = parent.inverse() * child;
            match joint.kind {
                MechanismJointKind::Spherical => {
                    let [x, y, z] = crate::rotation::rotation_vector(&seen.rotation.to_rows());
                    angles.push((x * x + y * y + z * z).sqrt());
                }
                MechanismJointKind::Prismatic | MechanismJointKind::Fixed => {}
                kind => {
                    let turns = if kind == MechanismJointKind::Universal { 2 } else { 1 };
                    let all = build::kind(kind).coordinates(&seen);
                    angles.extend(all.iter().skip(all.len() - turns));
                }
            }
        }
        Ok(angles)
    }

    pub(super) fn passive_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for joint in self.file.joints.iter().filter(|joint| joint.motor.is_none()) {
            let name = format!("passive_{}", joint.name.replace([' ', '-'], "_"));
            match joint.kind {
                MechanismJointKind::Universal => {
                    names.push(format!("{name}_1"));
                    names.push(format!("{name}_2"));
                }
                MechanismJointKind::Prismatic | MechanismJointKind::Fixed => {}
                _ => names.push(name),
            }
        }
        names
    }
}

/// The name of the one working mode.
pub(super) const ONLY: &str = "only";

/// Mean distance of the platform's joints from their middle \[m\].
fn platform_size(file: &FileDescription) -> Option<f64> {
    let points: Vec<V3<f64>> = file
        .platform_joints()
        .filter_map(|joint| file.joints.get(joint))
        .map(|joint| {
            let on_parent = joint.parent == Some(file.platform);
            let frame = if on_parent { joint.parent_frame } else { joint.child_frame };
            V3::from(frame.position)
        })
        .collect();
    (points.len() > 1).then(|| crate::families::blueprint::spread(&points))
}
