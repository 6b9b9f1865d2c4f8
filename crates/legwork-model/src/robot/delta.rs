//! A Delta behind [`AnyRobot`](super::AnyRobot): between the user's frame and ours.

use super::RobotError;
use super::skeleton::Skeleton;
use super::state::{Freedom, Joint, JointSolution, PlatformSolution, PlatformState, outside};
use crate::description::{DeltaDescription, ForearmModel, Frame};
use crate::families::closed_delta::ClosedDelta;
use crate::families::mounting::Mounting;
use crate::rotation::IDENTITY;
use legwork_core::engine::Route;
use legwork_core::robots::delta::{self, Assembly, Delta, Forearm, Linkage, WorkingMode};
use legwork_core::{M3, V3};

pub(super) const FREEDOMS: &[Freedom] = &[
    Freedom { component: 0, coordinate: "x", velocity: "vx" },
    Freedom { component: 1, coordinate: "y", velocity: "vy" },
    Freedom { component: 2, coordinate: "z", velocity: "vz" },
];

impl From<ForearmModel> for Forearm {
    fn from(model: ForearmModel) -> Self {
        match model {
            ForearmModel::Complete => Self::Exact,
            ForearmModel::Simplified => Self::SIMPLIFIED,
            ForearmModel::Simplified1996 => Self::SIMPLIFIED_1996,
            ForearmModel::Halves => Self::HALVES,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct DeltaRobot {
    name: String,
    linkage: Linkage<f64>,
    model: Option<Delta<f64>>,
    frame: Frame,
    /// The motors, limits as the user counts them.
    joints: Vec<Joint>,
    home: [f64; 3],
    /// From the platform point to the tool point \[m\].
    tool: V3<f64>,
}

impl DeltaRobot {
    pub(super) fn new(
        name: &str,
        gravity: V3<f64>,
        description: &DeltaDescription,
        mounting: &Mounting,
    ) -> Result<Self, RobotError> {
        let name = name.to_owned();
        if !mounting.tool_is_straight() {
            return Err(RobotError::TurnedTool { robot: name, turns: 0 });
        }
        let heading = mounting.heading().unwrap_or(0.0);
        let turn = M3::rotation_z(heading.cos(), heading.sin());
        let ClosedDelta { linkage, model, home } = description
            .closed(gravity, heading, mounting.body.mass)
            .map_err(|error| RobotError::of_build(&name, error))?;
        let file = description.frame;
        let tool = turn * mounting.tool.position;
        let offset = mounting.base.position + turn * V3::from(file.offset) + tool;
        let frame = Frame { offset: offset.to_array(), ..file };
        let limits = description.motor_limits();
        let joints = (0..3).map(|number| Joint::new(number, false, limits)).collect();
        Ok(Self { name, linkage, model, frame, joints, home, tool })
    }

    pub(super) fn linkage(&self) -> &Linkage<f64> {
        &self.linkage
    }

    pub(super) fn model(&self) -> Option<&Delta<f64>> {
        self.model.as_ref()
    }

    /// Home in our own frame.
    pub(super) fn own_home(&self) -> [f64; 3] {
        self.home
    }

    pub(super) fn frame(&self) -> Frame {
        self.frame
    }

    pub(super) fn home(&self) -> [f64; 3] {
        self.frame.position_to_user(self.home)
    }

    /// With the working mode and the forearm model of another one.
    pub(super) fn in_the_manner_of(&self, other: &Self) -> Self {
        let mode = other.linkage.working_mode();
        let forearm = other.model.map(|delta| delta.forearm());
        let model = self.model.map(|delta| {
            let delta = delta.with_working_mode(mode);
            forearm.map_or(delta, |forearm| delta.with_forearm(forearm))
        });
        Self { linkage: self.linkage.with_working_mode(mode), model, ..self.clone() }
    }

    pub(super) fn with_forearm_model(&self, model: ForearmModel) -> Self {
        self.with_forearm(model.into())
    }

    pub(super) fn with_forearm(&self, forearm: Forearm) -> Self {
        Self { model: self.model.map(|delta| delta.with_forearm(forearm)), ..self.clone() }
    }

    /// The robot in the working mode `out-in-out`, or `in` for all legs.
    pub(super) fn with_mode_name(&self, name: &str) -> Result<Self, RobotError> {
        let word = |word: &str| match word {
            "out" => Some(delta::Elbow::Out),
            "in" => Some(delta::Elbow::In),
            _ => None,
        };
        let words: Vec<_> = name.split(['-', ',', ' ']).filter(|word| !word.is_empty()).map(word).collect();
        let mode = match words.as_slice() {
            [Some(all)] => WorkingMode([*all; 3]),
            [Some(a), Some(b), Some(c)] => WorkingMode([*a, *b, *c]),
            _ => {
                return Err(RobotError::Mode {
                    found: name.into(),
                    example: self.linkage.working_mode().to_string(),
                });
            }
        };
        let model = self.model.map(|delta| delta.with_working_mode(mode));
        Ok(Self { linkage: self.linkage.with_working_mode(mode), model, ..self.clone() })
    }

    pub(super) fn position(&self, position: [f64; 3]) -> V3<f64> {
        self.frame.position_from_user(position).into()
    }

    fn solution(&self, mode: WorkingMode, q: V3<f64>) -> JointSolution {
        JointSolution {
            mode: mode.to_string(),
            q: self.angles(q),
            outside_limits: outside(&self.joints, &self.angles(q)),
        }
    }

    /// Motor angles of ours as the user counts them.
    fn angles(&self, q: V3<f64>) -> Vec<f64> {
        q.map(|angle| self.frame.angle_to_user(angle)).to_array().to_vec()
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// A Delta's platform does not turn.
    pub(super) fn only_translated(&self, platform: &PlatformState) -> Result<[f64; 3], RobotError> {
        platform.check_finite()?;
        platform.check_freedoms(FREEDOMS)?;
        if platform.rotation != IDENTITY {
            return Err(RobotError::Turned { robot: self.name.clone() });
        }
        Ok(platform.position)
    }

    pub(super) fn joints(&self) -> &[Joint] {
        &self.joints
    }

    pub(super) fn skeleton(&self, position: [f64; 3]) -> Result<Skeleton, RobotError> {
        let posture = self.linkage.posture(self.position(position))?;
        let base = V3::from(self.frame.offset) - self.tool;
        Ok(Skeleton::of_delta(self.linkage.geometry(), &posture, base, self.tool))
    }

    pub(super) fn all_inverse_kinematics(
        &self,
        position: [f64; 3],
    ) -> Result<Vec<JointSolution>, RobotError> {
        let all = self.linkage.all_inverse_kinematics(self.position(position))?;
        Ok(all.map(|(mode, q)| self.solution(mode, q)).to_vec())
    }

    /// Joint values of the user's as ours.
    pub(super) fn joint_angles(&self, q: &[f64]) -> Result<V3<f64>, RobotError> {
        Ok(three("motor angles", q)?.map(|angle| self.frame.angle_from_user(angle)))
    }

    /// The platform point in the user's frame \[m\].
    pub(super) fn position_from_joints(&self, q: &[f64], assembly: Assembly) -> Result<[f64; 3], RobotError> {
        let position = self.linkage.forward_kinematics(self.joint_angles(q)?, assembly)?;
        Ok(self.frame.position_to_user(position.to_array()))
    }

    pub(super) fn forward_kinematics(
        &self,
        q: &[f64],
        assembly: Assembly,
    ) -> Result<PlatformSolution, RobotError> {
        Ok(PlatformSolution {
            mode: assembly.to_string(),
            position: self.position_from_joints(q, assembly)?,
            rotation: IDENTITY,
            iterations: 0,
            residual: 0.0,
            route: Route::Unknown,
        })
    }

    pub(super) fn working_mode_at(&self, q: &[f64]) -> Result<WorkingMode, RobotError> {
        let posture = self.linkage.posture_from(self.joint_angles(q)?, Assembly::Below)?;
        let elbow = |transmission: f64| if transmission > 0.0 { delta::Elbow::In } else { delta::Elbow::Out };
        Ok(WorkingMode(posture.transmission().to_array().map(elbow)))
    }

    pub(super) fn joints_outside_limits(&self, q: &[f64]) -> Result<Vec<usize>, RobotError> {
        three("motor angles", q)?;
        Ok(outside(&self.joints, q))
    }
}

/// Three numbers.
pub(super) fn three(what: &'static str, list: &[f64]) -> Result<V3<f64>, RobotError> {
    <[f64; 3]>::try_from(list).map(V3::from).map_err(|_| RobotError::Count {
        what,
        expected: 3,
        found: list.len(),
    })
}
