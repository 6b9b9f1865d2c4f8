//! `AnyRobot`: the one robot whose type is known only at run time. The program,
//! and later Python, C and the studio, bind this and nothing generic.

mod assembly_modes;
mod batch;
mod closure;
mod delta;
mod delta_answers;
mod delta_terms;
mod dense;
mod derivatives;
mod described_legs;
mod doubt;
mod dynamics;
mod engine;
mod engine_answers;
mod engine_equations;
mod engine_model;
mod error;
mod error_kind;
mod followed;
mod identified_drives;
mod kinematics;
mod mechanism;
mod model;
mod motion;
mod motor_factors;
mod moving_base;
mod passive;
mod reach;
mod separate_legs;
mod skeleton;
mod state;
mod variant;

pub use crate::description::{ForearmModel, JointGear};
pub use assembly_modes::{AssemblyMode, AssemblyModes, AssemblySolver};
pub use batch::{
    Batch, BatchStates, Places, PlatformStates, RowAngles, RowLayout, RowList, StateMark, StateRows,
};
pub use delta_terms::DeltaTerms;
pub use derivatives::{ForwardDerivatives, InverseDerivatives, LegsDerivative};
pub(crate) use doubt::doubtful_length;
pub use error::RobotError;
pub use error_kind::ErrorKind;
pub use kinematics::FORWARD_STARTS;
pub use moving_base::{MovingBase, RobotOnMovingBase};
pub use skeleton::{Part, PartKind, Skeleton};
pub use state::RunningAngles;
pub use state::{
    Dynamics, Energies, ForwardDynamics, Freedom, Joint, JointMotion, JointSolution, LegForce,
    PlatformSolution, PlatformState, Singularity, State,
};

use crate::description::{BUILT_IN, Family, Frame, MechanismDescription, RobotDescription, RobotVariant};
use crate::families::blueprint::Construction;
use crate::families::closed_delta::Made;
use crate::families::delta::as_legs;
use crate::families::mounting::Mounting;
use crate::mechanism::Mobility;
use delta::DeltaRobot;
use engine::EngineRobot;
pub use engine_model::AnyLeg;
pub use engine_model::{EngineAtRest, EngineModel};
pub(crate) use followed::FollowedForm;
use identified_drives::{IdentifiedDrives, joints_slide, legs_slide};
use legwork_core::V3;
use legwork_core::engine::Pose;
use legwork_core::robots::delta::{Delta, Linkage};
pub(crate) use mechanism::{Closing, MechanismForm, MechanismRobot, OpenTreeForm};
pub use mechanism::{MotionDerivative, RestingMechanism};
pub use model::RobotModel;
pub(crate) use motion::EngineForm;
use std::f64::consts::TAU;
use std::path::Path;
use std::sync::Arc;

/// A robot of any family, built and checked.
#[derive(Clone, Debug)]
pub struct AnyRobot {
    description: RobotDescription,
    /// What the file says, before anything differs.
    file: Arc<RobotDescription>,
    /// By what it differs from its file.
    variant: RobotVariant,
    kind: Kind,
}

/// A robot as something that moves in time: dry friction that passes smoothly through zero.
pub(crate) enum Moving<'a> {
    /// In closed form, between the user's frame and ours.
    Delta(&'a Delta<f64>, Frame),
    /// Through the general engine.
    Engine(EngineForm<'a>),
    /// As a mechanism of bodies and joints.
    Mechanism(Box<MechanismForm<'a>>),
}

/// Legs, model if it has masses, and the user's frame.
pub type DeltaParts<'a> = (&'a Linkage<f64>, Option<&'a Delta<f64>>, Frame);

/// A robot at rest at a pose, for those who differentiate it.
pub enum Resting<'a> {
    /// In closed form: the model, the frame of the user, and the platform point in ours \[m\].
    Delta(&'a Delta<f64>, Frame, V3<f64>),
    /// Through the general engine.
    Engine(&'a EngineModel, Pose<f64>),
    /// As a mechanism of bodies and joints, differentiated already.
    Mechanism(Box<RestingMechanism>),
}

/// Families in closed form, the general engine, and mechanisms.
#[derive(Clone, Debug)]
enum Kind {
    Delta(Box<DeltaRobot>),
    Engine(Box<EngineRobot>),
    Mechanism(Box<MechanismRobot>),
}

/// The same call to a robot of each kind.
macro_rules! either {
    ($self:ident, $robot:ident => $call:expr) => {
        match &$self.kind {
            $crate::robot::Kind::Delta($robot) => $call,
            $crate::robot::Kind::Engine($robot) => $call,
            $crate::robot::Kind::Mechanism($robot) => $call,
        }
    };
}
use either;

/// The robot of legs of the general engine that a description describes.
fn built_of_legs(description: &RobotDescription) -> Result<EngineRobot, RobotError> {
    let name = description.name.as_str();
    let g = V3::from(description.gravity_vector());
    let refused = |error| RobotError::of_build(name, error);
    let mounting = Mounting::of(description).map_err(refused)?;
    let Made::Legs(blueprint, offset) = description.data.made(g).map_err(refused)? else {
        return Err(RobotError::NoLegs { robot: name.into() });
    };
    let blueprint = blueprint.calibrated(&description.calibration).map_err(refused)?;
    let mounting = mounting.seen_from(offset);
    let (blueprint, mounting) = blueprint.mounted(&mounting).map_err(refused)?;
    let drives = IdentifiedDrives::of(description, &legs_slide(&blueprint))?;
    EngineRobot::new(name, drives.in_legs(blueprint), mounting)
}

impl AnyRobot {
    /// A built-in robot by its name, or the robot in a file. A name with a dot or a
    /// slash in it is a file.
    pub fn open(name_or_path: &str) -> Result<Self, RobotError> {
        let is_built_in = BUILT_IN.iter().any(|robot| robot.name == name_or_path);
        let is_path = name_or_path.contains(['/', '\\', '.']) || Path::new(name_or_path).exists();
        let description = if !is_built_in && is_path {
            RobotDescription::load(name_or_path)?
        } else {
            RobotDescription::built_in(name_or_path)?
        };
        Self::new(description)
    }

    /// The robot that a description describes.
    pub fn new(description: RobotDescription) -> Result<Self, RobotError> {
        if description.identified.separate_legs && description.family() != Family::Mechanism {
            return separate_legs::opened(&description);
        }
        match Self::built(&description) {
            Ok(kind) => Ok(Self::of(description, kind)),
            Err(mut error) => {
                // Metres for millimetres are told before a home that is out of reach because of them.
                if let RobotError::Home { doubt, .. } | RobotError::HomeState { doubt, .. } = &mut error {
                    *doubt = doubtful_length(&description).map(String::into_boxed_str);
                }
                Err(error)
            }
        }
    }

    fn built(description: &RobotDescription) -> Result<Kind, RobotError> {
        let name = description.name.as_str();
        let g = V3::from(description.gravity_vector());
        let refused = |error| RobotError::of_build(name, error);
        let mounting = Mounting::of(description).map_err(refused)?;
        Ok(match description.data.construction(g).map_err(refused)? {
            // Motors and legs that differ from each other are legs of the engine.
            Construction::Delta(delta)
                if delta.rotation_axis.is_none()
                    && mounting.heading().is_some()
                    && description.identified.motors.is_empty()
                    && description.calibration.is_empty() =>
            {
                Kind::Delta(Box::new(DeltaRobot::new(name, g, delta, &mounting)?))
            }
            Construction::Mechanism(file) => {
                let file = MechanismDescription::calibrated(file, &description.joint_calibration);
                let motors = IdentifiedDrives::of(description, &joints_slide(&file))?;
                Kind::Mechanism(Box::new(MechanismRobot::new(name, &file, g, &mounting, &motors)?))
            }
            _ => Kind::Engine(Box::new(built_of_legs(description)?)),
        })
    }

    /// The robot of legs of the general engine in the user's frame and signs, whatever it is in itself.
    fn of_legs(&self) -> Result<EngineRobot, RobotError> {
        match &self.kind {
            Kind::Delta(robot) => {
                built_of_legs(&self.description)?.with_mode(&robot.linkage().working_mode().to_string())
            }
            Kind::Engine(robot) => Ok((**robot).clone()),
            Kind::Mechanism(robot) => Err(RobotError::NoLegs { robot: robot.name().into() }),
        }
    }

    /// A robot as its file says.
    fn of(description: RobotDescription, kind: Kind) -> Self {
        let file = Arc::new(description.clone());
        Self { description, file, variant: RobotVariant::default(), kind }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.description.name
    }

    /// What its file says.
    pub fn description(&self) -> &RobotDescription {
        &self.description
    }

    /// The actuated joints, in order.
    pub fn joints(&self) -> &[Joint] {
        either!(self, robot => robot.joints())
    }

    /// The freedoms of the platform, in order.
    pub fn freedoms(&self) -> &[Freedom] {
        match &self.kind {
            Kind::Delta(_) => delta::FREEDOMS,
            Kind::Engine(robot) => robot.freedoms(),
            Kind::Mechanism(robot) => robot.freedoms(),
        }
    }

    /// Whether it has masses, so that it has torques.
    pub fn has_masses(&self) -> bool {
        match &self.kind {
            Kind::Delta(robot) => robot.model().is_some(),
            Kind::Engine(robot) => robot.has_masses(),
            Kind::Mechanism(robot) => robot.has_masses(),
        }
    }

    /// The legs in our own frame, if the robot is a rotary Delta.
    pub fn linkage(&self) -> Option<&Linkage<f64>> {
        match &self.kind {
            Kind::Delta(robot) => Some(robot.linkage()),
            Kind::Engine(_) | Kind::Mechanism(_) => None,
        }
    }

    /// The closed-form model in our own frame, if the robot is a Delta with masses.
    pub fn as_delta(&self) -> Option<&Delta<f64>> {
        match &self.kind {
            Kind::Delta(robot) => robot.model(),
            Kind::Engine(_) | Kind::Mechanism(_) => None,
        }
    }

    /// The same robot through the general engine, if it is a Delta with masses: two
    /// implementations that judge each other. In our own frame and signs, whatever the
    /// convention of the file, and without limits.
    pub fn through_the_engine(&self) -> Result<Self, RobotError> {
        match &self.kind {
            Kind::Delta(robot) => {
                let delta =
                    robot.model().ok_or_else(|| RobotError::NoMasses { robot: self.name().into() })?;
                let blueprint = as_legs(delta, robot.own_home());
                let robot = EngineRobot::new(self.name(), blueprint, [Pose::identity(); 2])?;
                Ok(Self { kind: Kind::Engine(Box::new(robot)), ..self.clone() })
            }
            Kind::Engine(_) | Kind::Mechanism(_) => Ok(self.clone()),
        }
    }

    /// The same robot with every leg as the chain of joints that its file or its family describes, found by Newton's
    /// method: no closed form is used, and none is recognised in `[[leg]]` tables, whose search begins at their start
    /// values. Slower, and the judge of everything that is recognised. A Delta goes
    /// [through the engine](Self::through_the_engine).
    pub fn as_chains(&self) -> Result<Self, RobotError> {
        let engine = self.through_the_engine()?;
        match &engine.kind {
            Kind::Engine(robot) => Ok(Self { kind: Kind::Engine(Box::new(robot.as_chains())), ..engine }),
            Kind::Delta(_) | Kind::Mechanism(_) => Ok(engine),
        }
    }

    /// The same robot as bodies and joints, its legs in the branches that they are in: another implementation, and a
    /// part of a cell. In the user's frame and signs. A mechanism is itself.
    ///
    /// # Errors
    /// If its platform turns about two axes of the base, which no joint lets it do.
    pub fn as_mechanism(&self) -> Result<Self, RobotError> {
        if let Kind::Mechanism(_) = &self.kind {
            return Ok(self.clone());
        }
        let robot = self.of_legs()?.as_mechanism()?;
        Ok(Self { kind: Kind::Mechanism(Box::new(robot)), ..self.clone() })
    }

    /// The same robot as bodies and joints, each leg with bodies of its own: for legs that differ. Cell, tool and payload are
    /// then parts of its bodies.
    ///
    /// # Errors
    /// If it is no mechanism: see [`as_mechanism`](Self::as_mechanism).
    pub fn with_separate_legs(&self) -> Result<Self, RobotError> {
        separate_legs::separated(self)
    }

    /// The robot that a wrong recognition would make: a test of `check` must see it.
    #[doc(hidden)]
    pub fn turned_over(&self) -> Self {
        let kind = match &self.kind {
            Kind::Delta(robot) => Kind::Delta(robot.clone()),
            Kind::Engine(robot) => Kind::Engine(Box::new(robot.turned_over())),
            Kind::Mechanism(robot) => Kind::Mechanism(robot.clone()),
        };
        Self { kind, ..self.clone() }
    }

    /// The same robot where it has gone to a pose: legs without a closed form were followed along the straight motion
    /// from where they were, home at first, keep the branch that they arrive in, and go on from here. So a motion is
    /// followed by leading a robot from pose to pose. A robot in closed form stays as it is.
    ///
    /// # Errors
    /// If a leg does not arrive: it does not reach, or its branch ends on the way.
    pub fn led_to(&self, platform: &PlatformState) -> Result<Self, RobotError> {
        match &self.kind {
            Kind::Delta(_) => Ok(self.clone()),
            Kind::Engine(robot) => {
                Ok(Self { kind: Kind::Engine(Box::new(robot.led_to(platform)?)), ..self.clone() })
            }
            Kind::Mechanism(robot) => {
                Ok(Self { kind: Kind::Mechanism(Box::new(robot.led_to(platform)?)), ..self.clone() })
            }
        }
    }

    /// The same robot led on by its motors: searches begin where these joint values lead it from where they began before,
    /// along a straight line of the motors, on the branch that it is on. Where it began otherwise is not asked again, so a
    /// mechanism keeps its branch along any motion of its motors. For robots of legs a pose is enough:
    /// [`led_to`](Self::led_to).
    pub fn led_by_joints(&self, q: &[f64]) -> Result<Self, RobotError> {
        let Kind::Mechanism(robot) = &self.kind else {
            let found = self.forward_kinematics(q, &self.led_pose())?;
            return self.led_to(&PlatformState::at(found.position).turned(found.rotation));
        };
        Ok(Self { kind: Kind::Mechanism(Box::new(robot.led_by_joints(q)?)), ..self.clone() })
    }

    /// The pose at which its searches begin: home, or where it was [led to](Self::led_to).
    pub fn led_pose(&self) -> PlatformState {
        match &self.kind {
            Kind::Mechanism(robot) => robot.led_pose(),
            _ => self.home(),
        }
    }

    /// [Led to](Self::led_to) a pose of a motion, and whether its legs are there in the same branch as on the straight way
    /// from `home`, the same robot before the motion: what is asked of that one along the motion is then right.
    pub fn led_along(&self, home: &Self, platform: &PlatformState) -> Result<Self, RobotError> {
        let led = self.led_to(platform)?;
        let (along, straight) = (led.inverse_kinematics(platform)?.q, home.inverse_kinematics(platform)?.q);
        let pairs = along.into_iter().zip(straight).zip(self.joints()).enumerate();
        for (motor, ((along, straight), joint)) in pairs {
            let gap = along - straight;
            let gap = if joint.slides { gap / self.length() } else { gap - TAU * (gap / TAU).round() };
            // Branches are apart; rounding is not.
            if gap.is_nan() || gap.abs() >= 1e-6 {
                return Err(RobotError::OtherBranch { motor, along, straight });
            }
        }
        Ok(led)
    }

    /// Whether a leg has no closed form: where it is at a pose is then found by following it along the straight motion
    /// from home, or from where the robot was [led to](Self::led_to).
    pub fn is_followed(&self) -> bool {
        match &self.kind {
            Kind::Delta(_) => false,
            Kind::Engine(robot) => robot.is_followed(),
            Kind::Mechanism(_) => true,
        }
    }

    /// Its platform and legs, if it is a robot of the general engine; a Delta becomes one by
    /// [`through_the_engine`](Self::through_the_engine).
    pub fn engine_model(&self) -> Option<&EngineModel> {
        match &self.kind {
            Kind::Delta(_) | Kind::Mechanism(_) => None,
            Kind::Engine(robot) => Some(robot.model()),
        }
    }

    /// Motors whose values the platform's pose does not tell, as places in the list of joints: those that are held, in a
    /// mechanism whose motors move in more ways than its platform, as a robot that stands on another. Empty for all others.
    pub fn held_motors(&self) -> &[usize] {
        match &self.kind {
            Kind::Mechanism(robot) => robot.held(),
            _ => &[],
        }
    }

    /// Where the motors that are held are \[rad or m\], in the order of [`held_motors`](Self::held_motors): at home, or as
    /// [`with_held`](Self::with_held) says.
    pub fn held_values(&self) -> Vec<f64> {
        match &self.kind {
            Kind::Mechanism(robot) => robot.held_values(),
            _ => Vec::new(),
        }
    }

    /// The same robot with the held motors as they are among these values, speeds and accelerations of all motors: what is
    /// asked of a platform state is then asked with them so. Home is where the platform is with the others as they were.
    pub fn holding(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<Self, RobotError> {
        let Kind::Mechanism(robot) = &self.kind else { return Ok(self.clone()) };
        if robot.held().is_empty() {
            return Ok(self.clone());
        }
        for (what, list) in [("joint values", q), ("joint velocities", qd), ("joint accelerations", qdd)] {
            kinematics::sized(what, list, self.joints().len())?;
        }
        let of = |list: &[f64]| -> Vec<f64> { robot.held().iter().map(|motor| list[*motor]).collect() };
        let kind = Kind::Mechanism(Box::new(robot.holding(&of(q), &of(qd), &of(qdd))?));
        Ok(Self { kind, ..self.clone() })
    }

    /// How it can move, if it is a mechanism of bodies and joints: freedoms, dependent constraints, idle freedoms,
    /// what follows from what.
    pub fn mobility(&self) -> Option<&Mobility> {
        match &self.kind {
            Kind::Mechanism(robot) => Some(robot.mobility()),
            _ => None,
        }
    }

    /// The whole pose of the platform: of a mechanism the independent components of the pose count, and the others are
    /// filled in as they follow; of another robot the pose itself.
    pub fn whole_pose(&self, platform: &PlatformState) -> Result<PlatformState, RobotError> {
        match &self.kind {
            Kind::Mechanism(robot) => robot.whole_pose(platform),
            _ => Ok(*platform),
        }
    }

    /// Whether a mechanism comes to a pose only through a posture in which its motors do not hold it: from home they do
    /// not lead there. A robot of legs is asked by [`forward_kinematics`](Self::forward_kinematics) instead.
    pub fn leaves_branch(&self, platform: &PlatformState) -> Result<bool, RobotError> {
        match &self.kind {
            Kind::Mechanism(robot) => robot.leaves_branch(platform),
            _ => Ok(false),
        }
    }

    /// Derivatives in time along the motion of a state, if it is a mechanism.
    pub fn mechanism_derivative(
        &self,
        platform: &PlatformState,
    ) -> Option<Result<MotionDerivative, RobotError>> {
        match &self.kind {
            Kind::Mechanism(robot) => Some(robot.derivative(platform)),
            _ => None,
        }
    }

    /// The same mechanism with all its bodies in one dense core: another order of all sums, the judge of the usual one.
    pub fn with_dense_core(&self) -> Option<Result<Self, RobotError>> {
        match &self.kind {
            Kind::Mechanism(robot) => Some(
                robot
                    .with_dense_core()
                    .map(|robot| Self { kind: Kind::Mechanism(Box::new(robot)), ..self.clone() }),
            ),
            _ => None,
        }
    }

    /// Bodies, joints and kernel, if it is a mechanism.
    pub fn mechanism_model(&self) -> Option<&crate::mechanism::MechanismModel> {
        match &self.kind {
            Kind::Mechanism(robot) => Some(robot.model()),
            _ => None,
        }
    }

    /// Bodies and joints with limits and gears as its file, or what was made of its legs, has them, if it is a mechanism;
    /// without cell, tool and payload, which [`mechanism_model`](Self::mechanism_model) has.
    pub fn bodies_and_joints(&self) -> Option<&MechanismDescription> {
        match &self.kind {
            Kind::Mechanism(robot) => Some(robot.file()),
            _ => None,
        }
    }

    /// Where all bodies of a mechanism are when its platform is at a pose, in the order of
    /// [`mechanism_model`](Self::mechanism_model); another robot becomes one by [`as_mechanism`](Self::as_mechanism).
    pub fn body_poses(&self, platform: &PlatformState) -> Option<Result<Vec<Pose<f64>>, RobotError>> {
        match &self.kind {
            Kind::Mechanism(robot) => Some(robot.poses_of_bodies(platform)),
            _ => None,
        }
    }

    /// The platform that a joint of a mechanism guides, if the joint is none of the machine: a guide stands for what the
    /// parallelograms of a Delta, or other legs without bodies of their own, leave the platform. The moment that it carries
    /// keeps the platform from turning.
    pub fn guided(&self, joint: &str) -> Option<&str> {
        match &self.kind {
            Kind::Mechanism(robot) => robot.guided(joint),
            _ => None,
        }
    }

    /// The robot as something that moves in time, if it has masses.
    pub(crate) fn moving(&self) -> Result<Moving<'_>, RobotError> {
        let massless = || RobotError::NoMasses { robot: self.name().into() };
        match &self.kind {
            Kind::Delta(robot) => {
                robot.model().map(|delta| Moving::Delta(delta, robot.frame())).ok_or_else(massless)
            }
            Kind::Engine(robot) if robot.has_masses() => {
                Ok(Moving::Engine(EngineForm(robot.smooth_friction())))
            }
            Kind::Mechanism(robot) if robot.has_masses() => Ok(Moving::Mechanism(Box::new(robot.form()))),
            Kind::Engine(_) | Kind::Mechanism(_) => Err(massless()),
        }
    }

    /// The closed forms of a Delta and its frame: for those who ask a million times.
    pub fn delta_parts(&self) -> Option<DeltaParts<'_>> {
        match &self.kind {
            Kind::Delta(robot) => Some((robot.linkage(), robot.model(), robot.frame())),
            Kind::Engine(_) | Kind::Mechanism(_) => None,
        }
    }

    /// The robot at rest at a pose, if it has masses; what moves or pulls there is left aside.
    pub fn resting(&self, platform: &PlatformState) -> Result<Resting<'_>, RobotError> {
        let massless = || RobotError::NoMasses { robot: self.name().into() };
        let still = PlatformState::at(platform.position).turned(platform.rotation);
        match &self.kind {
            Kind::Delta(robot) => {
                let position = robot.frame().position_from_user(robot.only_translated(&still)?);
                let delta = robot.model().ok_or_else(massless)?;
                Ok(Resting::Delta(delta, robot.frame(), position.into()))
            }
            Kind::Engine(robot) if robot.has_masses() => {
                Ok(Resting::Engine(robot.model(), robot.pose(&still)?))
            }
            Kind::Mechanism(robot) if robot.has_masses() => {
                Ok(Resting::Mechanism(Box::new(robot.resting(&still)?)))
            }
            Kind::Engine(_) | Kind::Mechanism(_) => Err(massless()),
        }
    }

    /// What a regulator knows of the robot, if it has masses, and the user's frame seen from ours.
    pub fn control_model(&self) -> Result<(RobotModel<'_>, Frame), RobotError> {
        Ok(match self.moving()? {
            Moving::Delta(delta, frame) => (RobotModel::delta(delta), frame),
            Moving::Engine(EngineForm(model)) => (RobotModel::engine(model), Frame::OURS),
            Moving::Mechanism(form) => (RobotModel::Mechanism(form.robot()), Frame::OURS),
        })
    }

    /// Where the robot rests, in the user's frame: the home of its file, or a place
    /// in the middle of its reach.
    pub fn home(&self) -> PlatformState {
        match &self.kind {
            Kind::Delta(robot) => PlatformState::at(robot.home()),
            Kind::Engine(robot) => robot.home(),
            Kind::Mechanism(robot) => robot.home(),
        }
    }

    /// Mean distance of the platform's joints from their middle \[m\]; makes rotations comparable with lengths.
    pub fn platform_size(&self) -> f64 {
        match &self.kind {
            Kind::Delta(robot) => robot.linkage().geometry().platform_radius,
            Kind::Engine(robot) => robot.size(),
            Kind::Mechanism(robot) => robot.size(),
        }
    }

    /// A length of the robot itself, whatever the unit: the mean size of its legs at home \[m\]; for a Delta arm and
    /// forearm together.
    pub fn length(&self) -> f64 {
        match &self.kind {
            Kind::Delta(robot) => robot.linkage().geometry().arm + robot.linkage().geometry().forearm,
            Kind::Engine(robot) => robot.leg_size(),
            Kind::Mechanism(robot) => robot.length(),
        }
    }

    /// Name of the working mode the robot is in.
    pub fn working_mode(&self) -> String {
        match &self.kind {
            Kind::Delta(robot) => robot.linkage().working_mode().to_string(),
            Kind::Engine(robot) => robot.mode(),
            Kind::Mechanism(_) => mechanism::ONLY.into(),
        }
    }

    /// The same robot with the forearms of a Delta; others have none.
    pub fn with_forearms_of(&self, other: &Delta<f64>) -> Self {
        let kind = match &self.kind {
            Kind::Delta(robot) => Kind::Delta(Box::new(robot.with_forearm(other.forearm()))),
            Kind::Engine(robot) => Kind::Engine(robot.clone()),
            Kind::Mechanism(robot) => Kind::Mechanism(robot.clone()),
        };
        Self { kind, ..self.clone() }
    }
}
