//! `AnyRobot`: the one robot whose type is known only at run time. The program,
//! and later Python, C and the studio, bind this and nothing generic.

mod batch;
mod delta;
mod delta_answers;
mod dense;
mod dynamics;
mod engine;
mod engine_answers;
mod engine_model;
mod error;
mod kinematics;
mod model;
mod motion;
mod passive;
mod skeleton;
mod state;
mod variant;

pub use crate::description::ForearmModel;
pub use batch::{Batch, PlatformStates, StateMark};
pub use error::RobotError;
pub use kinematics::FORWARD_STARTS;
pub use skeleton::{Part, PartKind, Skeleton};
pub use state::{
    Dynamics, Energies, ForwardDynamics, Freedom, Joint, JointMotion, JointSolution, LegForce,
    PlatformSolution, PlatformState, Singularity, State,
};

use crate::description::{BUILT_IN, Frame, RobotDescription, RobotVariant};
use crate::families::blueprint::Construction;
use crate::families::delta::as_legs;
use delta::DeltaRobot;
use engine::EngineRobot;
pub(crate) use engine_model::AnyLeg;
pub use engine_model::EngineModel;
use legwork_core::V3;
use legwork_core::engine::Pose;
use legwork_core::robots::delta::{Delta, Linkage};
pub(crate) use model::RobotModel;
pub(crate) use motion::EngineForm;
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
}

/// Legs, model if it has masses, and the user's frame.
pub(crate) type DeltaParts<'a> = (&'a Linkage<f64>, Option<&'a Delta<f64>>, Frame);

/// A robot at rest at a pose, for those who differentiate it.
pub(crate) enum Resting<'a> {
    /// In closed form: the model, the frame of the user, and the platform point in ours \[m\].
    Delta(&'a Delta<f64>, Frame, V3<f64>),
    /// Through the general engine.
    Engine(&'a EngineModel, Pose<f64>),
}

/// Families in closed form, and the general engine.
#[derive(Clone, Debug)]
enum Kind {
    Delta(Box<DeltaRobot>),
    Engine(Box<EngineRobot>),
}

/// The same call to a robot in closed form and to one of the engine.
macro_rules! either {
    ($self:ident, $robot:ident => $call:expr) => {
        match &$self.kind {
            $crate::robot::Kind::Delta($robot) => $call,
            $crate::robot::Kind::Engine($robot) => $call,
        }
    };
}
use either;

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
        let name = description.name.as_str();
        let g = V3::from(description.gravity_direction) * description.gravity;
        let kind =
            match description.data.construction(g).map_err(|error| RobotError::of_build(name, error))? {
                Construction::Delta(delta) => {
                    Kind::Delta(Box::new(DeltaRobot::new(name, description.gravity, delta)?))
                }
                Construction::Legs(blueprint) => Kind::Engine(Box::new(EngineRobot::new(name, *blueprint)?)),
            };
        Ok(Self::of(description, kind))
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
        }
    }

    /// Whether it has masses, so that it has torques.
    pub fn has_masses(&self) -> bool {
        match &self.kind {
            Kind::Delta(robot) => robot.model().is_some(),
            Kind::Engine(robot) => robot.has_masses(),
        }
    }

    /// The legs in our own frame, if the robot is a rotary Delta.
    pub fn linkage(&self) -> Option<&Linkage<f64>> {
        match &self.kind {
            Kind::Delta(robot) => Some(robot.linkage()),
            Kind::Engine(_) => None,
        }
    }

    /// The closed-form model in our own frame, if the robot is a Delta with masses.
    pub fn as_delta(&self) -> Option<&Delta<f64>> {
        match &self.kind {
            Kind::Delta(robot) => robot.model(),
            Kind::Engine(_) => None,
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
                let robot = EngineRobot::new(self.name(), blueprint)?;
                Ok(Self { kind: Kind::Engine(Box::new(robot)), ..self.clone() })
            }
            Kind::Engine(_) => Ok(self.clone()),
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
            Kind::Delta(_) => Ok(engine),
        }
    }

    /// The robot that a wrong recognition would make.
    #[cfg(test)]
    pub(crate) fn turned_over(&self) -> Self {
        let kind = match &self.kind {
            Kind::Delta(robot) => Kind::Delta(robot.clone()),
            Kind::Engine(robot) => Kind::Engine(Box::new(robot.turned_over())),
        };
        Self { kind, ..self.clone() }
    }

    /// The same robot; legs that are found numerically begin their search at this pose, where they come to on the way
    /// from home. A robot in closed form stays as it is.
    pub fn led_to(&self, platform: &PlatformState) -> Result<Self, RobotError> {
        match &self.kind {
            Kind::Delta(_) => Ok(self.clone()),
            Kind::Engine(robot) => {
                Ok(Self { kind: Kind::Engine(Box::new(robot.led_to(platform)?)), ..self.clone() })
            }
        }
    }

    /// Its platform and legs, if it is a robot of the general engine; a Delta becomes one by
    /// [`through_the_engine`](Self::through_the_engine).
    pub fn engine_model(&self) -> Option<&EngineModel> {
        match &self.kind {
            Kind::Delta(_) => None,
            Kind::Engine(robot) => Some(robot.model()),
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
            Kind::Engine(_) => Err(massless()),
        }
    }

    /// The closed forms of a Delta and its frame: for those who ask a million times.
    pub(crate) fn delta_parts(&self) -> Option<DeltaParts<'_>> {
        match &self.kind {
            Kind::Delta(robot) => Some((robot.linkage(), robot.model(), robot.frame())),
            Kind::Engine(_) => None,
        }
    }

    /// The robot at rest at a pose, if it has masses; what moves or pulls there is left aside.
    pub(crate) fn resting(&self, platform: &PlatformState) -> Result<Resting<'_>, RobotError> {
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
            Kind::Engine(_) => Err(massless()),
        }
    }

    /// What a regulator knows of the robot, if it has masses, and the user's frame seen from ours.
    pub(crate) fn control_model(&self) -> Result<(RobotModel<'_>, Frame), RobotError> {
        Ok(match self.moving()? {
            Moving::Delta(delta, frame) => (RobotModel::delta(delta), frame),
            Moving::Engine(EngineForm(model)) => (RobotModel::engine(model), Frame::OURS),
        })
    }

    /// Where the robot rests, in the user's frame: the home of its file, or a place
    /// in the middle of its reach.
    pub fn home(&self) -> PlatformState {
        match &self.kind {
            Kind::Delta(robot) => PlatformState::at(robot.home()),
            Kind::Engine(robot) => robot.home(),
        }
    }

    /// Lowest and highest platform position on the axis of a Delta \[m\], and its largest radius anywhere.
    pub fn reach(&self) -> Option<(f64, f64, f64)> {
        match &self.kind {
            Kind::Delta(robot) => Some(robot.reach()),
            Kind::Engine(_) => None,
        }
    }

    /// Mean distance of the platform's joints from their middle \[m\]; makes rotations comparable with lengths.
    pub fn platform_size(&self) -> f64 {
        match &self.kind {
            Kind::Delta(robot) => robot.linkage().geometry().platform_radius,
            Kind::Engine(robot) => robot.size(),
        }
    }

    /// A length of the robot itself, whatever the unit: the mean size of its legs at home \[m\]; for a Delta arm and
    /// forearm together.
    pub fn length(&self) -> f64 {
        match &self.kind {
            Kind::Delta(robot) => robot.linkage().geometry().arm + robot.linkage().geometry().forearm,
            Kind::Engine(robot) => robot.leg_size(),
        }
    }

    /// Name of the working mode the robot is in.
    pub fn working_mode(&self) -> String {
        match &self.kind {
            Kind::Delta(robot) => robot.linkage().working_mode().to_string(),
            Kind::Engine(robot) => robot.mode(),
        }
    }

    /// The same robot with the forearms of a Delta; others have none.
    pub(crate) fn with_forearms_of(&self, other: &Delta<f64>) -> Self {
        let kind = match &self.kind {
            Kind::Delta(robot) => Kind::Delta(Box::new(robot.with_forearm(other.forearm()))),
            Kind::Engine(robot) => Kind::Engine(robot.clone()),
        };
        Self { kind, ..self.clone() }
    }
}
