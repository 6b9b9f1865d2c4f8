//! A Delta behind [`AnyRobot`](super::AnyRobot): between the user's frame and ours.

use super::RobotError;
use super::skeleton::Skeleton;
use super::state::{Freedom, Joint, JointSolution, PlatformSolution, PlatformState, outside};
use crate::description::{AngleLimits, DeltaDescription, Elbow, ForearmModel, Frame};
use crate::families::blueprint::MotorLimits;
use crate::rotation::IDENTITY;
use legwork_core::V3;
use legwork_core::robots::delta::{
    self, Assembly, Delta, Forearm, Geometry, Inertia, Linkage, Motor, WorkingMode,
};

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
}

impl DeltaRobot {
    pub(super) fn new(name: &str, gravity: f64, description: &DeltaDescription) -> Result<Self, RobotError> {
        let name = name.to_owned();
        let parameter = |fault| RobotError::Parameter { robot: name.clone(), fault };
        let g = &description.geometry;
        let geometry = Geometry {
            base_radius: g.base_radius,
            platform_radius: g.platform_radius,
            arm: g.arm,
            forearm: g.forearm,
            azimuth: g.azimuth.into(),
        };
        let mode = WorkingMode(description.working_mode.map(|elbow| match elbow {
            Elbow::Out => delta::Elbow::Out,
            Elbow::In => delta::Elbow::In,
        }));
        let linkage = Linkage::new(geometry).map_err(parameter)?.with_working_mode(mode);
        let model = description
            .mass
            .map(|m| {
                let inertia = Inertia {
                    platform: m.platform,
                    payload: m.payload,
                    arm: m.arm,
                    arm_centre: m.arm_centre,
                    arm_inertia: m.arm_inertia,
                    elbow: m.elbow,
                    forearm: m.forearm,
                    forearm_centre: m.forearm_centre,
                    forearm_inertia: m.forearm_inertia,
                    gravity,
                };
                let motor = Motor {
                    inertia: description.motor.inertia_at_arm(),
                    viscous: description.motor.viscous_friction,
                    coulomb: description.motor.coulomb_friction,
                };
                Delta::new(linkage, inertia, motor)
            })
            .transpose()
            .map_err(parameter)?;
        if let AngleLimits { min: Some(min), max: Some(max) } = description.limits
            && min >= max
        {
            return Err(RobotError::Limits { robot: name, min, max });
        }
        let home = description.home.unwrap_or_else(|| default_home(&geometry));
        if let Err(cause) = linkage.posture(home.into()) {
            let position = description.frame.position_to_user(home);
            return Err(RobotError::Home { robot: name, position, cause });
        }
        let (frame, limits, motor) = (description.frame, &description.limits, &description.motor);
        let [low, high] = [limits.min, limits.max].map(|angle| angle.map(|angle| frame.angle_to_user(angle)));
        let (min, max) = if frame.angle_sign < 0.0 { (high, low) } else { (low, high) };
        let limits = MotorLimits { min, max, max_effort: motor.max_torque, max_speed: motor.max_speed };
        let joints = (0..3).map(|number| Joint::new(number, false, limits)).collect();
        Ok(Self { name, linkage, model, frame, joints, home })
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

    /// On the axis: stretched to folded legs; off it: the stretched leg bounds the radius.
    pub(super) fn reach(&self) -> (f64, f64, f64) {
        let g = self.linkage.geometry();
        let offset = g.base_radius - g.platform_radius;
        let height = |leg: f64| (leg * leg - offset * offset).max(0.0).sqrt();
        let lowest = -height(g.arm + g.forearm);
        let highest = -height((g.forearm - g.arm).abs());
        let user = |z: f64| self.frame.position_to_user([0.0, 0.0, z])[2];
        (user(lowest), user(highest), self.largest_radius())
    }

    /// The largest distance from the axis that all legs reach at some height, by
    /// bisection along the least favourable directions.
    fn largest_radius(&self) -> f64 {
        let g = self.linkage.geometry();
        let reaches = |radius: f64, z: f64| {
            (0..24).all(|k| {
                let angle = f64::from(k) * std::f64::consts::TAU / 24.0;
                self.linkage.posture(V3::new(radius * angle.cos(), radius * angle.sin(), z)).is_ok()
            })
        };
        let (low, high) = (-(g.arm + g.forearm), 0.0);
        (0..=40).map(|k| low + (high - low) * f64::from(k) / 40.0).fold(0.0, |best: f64, z| {
            if !reaches(0.0, z) {
                return best;
            }
            let (mut inside, mut outside) = (0.0, g.arm + g.forearm + g.base_radius);
            for _ in 0..30 {
                let middle = f64::midpoint(inside, outside);
                if reaches(middle, z) {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            best.max(inside)
        })
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
        let z_offset = self.frame.position_to_user([0.0; 3])[2];
        Ok(Skeleton::of_delta(self.linkage.geometry(), &posture, z_offset))
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

/// On the axis, arm and forearm at right angles: the middle of the reach.
fn default_home(g: &Geometry<f64>) -> [f64; 3] {
    let offset = g.base_radius - g.platform_radius;
    let square = g.arm * g.arm + g.forearm * g.forearm - offset * offset;
    // A very wide base leaves only flat postures: take one between right-angled and stretched.
    let stretched = (g.arm + g.forearm).powi(2) - offset * offset;
    let height_sq = if square > 0.0 { square } else { stretched / 2.0 };
    [0.0, 0.0, -height_sq.sqrt()]
}
