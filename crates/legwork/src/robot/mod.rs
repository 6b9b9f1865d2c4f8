//! `AnyRobot`: the one robot whose type is known only at run time. The program,
//! and later Python, C and the studio, bind this and nothing generic.

mod delta;
mod error;
mod state;

pub use delta::ForearmModel;
pub use error::RobotError;
pub use state::{
    Dynamics, Freedom, JointSolution, PlatformSolution, PlatformState, Reaction, Singularity, State,
};

use crate::description::{BUILT_IN, DeltaDescription, Model, RobotDescription};
use delta::DeltaRobot;
use legwork_core::robots::delta::{Assembly, Delta, Linkage, WorkingMode};
use std::path::Path;

/// A robot of any family, built and checked.
#[derive(Clone, Debug)]
pub struct AnyRobot {
    description: RobotDescription,
    delta: DeltaRobot,
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
        let Some(delta) = description.as_delta() else {
            return Err(RobotError::Family { robot: description.name, family: description.family });
        };
        let delta = DeltaRobot::new(&description.name, description.gravity, delta)?;
        Ok(Self { description, delta })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.description.name
    }

    /// What its file says.
    pub fn description(&self) -> &RobotDescription {
        &self.description
    }

    /// Names of the actuated joints, in order.
    pub fn joints(&self) -> &'static [&'static str] {
        &["q1", "q2", "q3"]
    }

    /// The freedoms of the platform, in order.
    pub fn freedoms(&self) -> &'static [Freedom] {
        delta::FREEDOMS
    }

    /// Whether it has masses, so that it has torques.
    pub fn has_masses(&self) -> bool {
        self.delta.model().is_some()
    }

    /// The legs of the Delta in our own frame.
    pub fn linkage(&self) -> &Linkage<f64> {
        self.delta.linkage()
    }

    /// The closed-form model in our own frame, if the robot is a Delta with masses.
    pub fn as_delta(&self) -> Option<&Delta<f64>> {
        self.delta.model()
    }

    /// Where the robot rests, in the user's frame \[m\]: `home.position` of its file, or
    /// a place in the middle of its reach.
    pub fn home(&self) -> [f64; 3] {
        self.delta.home()
    }

    /// Lowest and highest platform position on the axis of the robot \[m\], and its largest radius anywhere.
    pub fn reach(&self) -> (f64, f64, f64) {
        self.delta.reach()
    }

    /// The same robot with another payload \[kg\].
    pub fn with_payload(&self, payload: f64) -> Result<Self, RobotError> {
        if !payload.is_finite() || payload < 0.0 {
            return Err(RobotError::Payload { mass: payload });
        }
        let mut description = self.description.clone();
        match &mut description.model {
            Model::Delta(DeltaDescription { mass: Some(mass), .. }) => mass.payload = payload,
            _ => return Err(RobotError::NoMasses { robot: self.name().into() }),
        }
        Ok(Self { delta: self.delta.with_payload(payload), description })
    }

    /// The same robot with another model of its forearms.
    pub fn with_forearm_model(&self, model: ForearmModel) -> Self {
        Self { description: self.description.clone(), delta: self.delta.with_forearm_model(model) }
    }

    /// The same robot in another working mode.
    pub fn with_working_mode(&self, mode: WorkingMode) -> Self {
        Self { description: self.description.clone(), delta: self.delta.with_working_mode(mode) }
    }

    /// Inverse kinematics in the robot's working mode; `position` in the user's frame \[m\].
    pub fn inverse_kinematics(&self, position: [f64; 3]) -> Result<JointSolution, RobotError> {
        self.delta.inverse_kinematics(position)
    }

    /// Every inverse-kinematic solution.
    pub fn all_inverse_kinematics(&self, position: [f64; 3]) -> Result<Vec<JointSolution>, RobotError> {
        self.delta.all_inverse_kinematics(position)
    }

    /// Forward kinematics in one assembly mode.
    pub fn forward_kinematics(&self, q: &[f64], assembly: Assembly) -> Result<PlatformSolution, RobotError> {
        self.delta.forward_kinematics(q, assembly)
    }

    /// Every forward-kinematic solution.
    pub fn all_forward_kinematics(&self, q: &[f64]) -> Result<Vec<PlatformSolution>, RobotError> {
        [Assembly::Below, Assembly::Above]
            .map(|assembly| self.forward_kinematics(q, assembly))
            .into_iter()
            .collect()
    }

    /// The platform's motion for a motion of the joints, below the elbows.
    pub fn platform_from_joints(
        &self,
        q: &[f64],
        qd: &[f64],
        qdd: &[f64],
    ) -> Result<PlatformState, RobotError> {
        self.delta.platform_from_joints(q, qd, qdd)
    }

    /// Everything about one state: joints, Jacobian, singularities, torques, energies.
    pub fn state(&self, platform: &PlatformState) -> Result<State, RobotError> {
        self.delta.state(platform)
    }

    /// What the robot does under these torques at the joints \[N m\], friction taken off
    /// first, in this position and with this velocity; the acceleration given is ignored.
    pub fn forward_dynamics(&self, platform: &PlatformState, effort: &[f64]) -> Result<Reaction, RobotError> {
        self.delta.forward_dynamics(platform, effort)
    }
}
