//! Where the platform is for given readings of the motors and given parameters, and how it moves with either: one robot,
//! whether it is legs ([`legs`](super::legs)) or bodies and joints ([`joints`](super::joints)).

use super::joints::{BuiltJoints, DrawnJoints};
use super::parameters::Parameters;
use legwork::description::{CalibratedLeg, RobotDescription};
use legwork::engine::{AnyLeg, Pose};
use legwork::mechanism::LoopPosture;
use legwork::{AnyRobot, M3, PlatformState, RobotError, V3};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::{PI, TAU};

/// A robot whose parameters may change.
#[derive(Clone, Debug)]
pub struct Model {
    /// The robot as its file says.
    pub robot: AnyRobot,
    /// What it is made of, as drawn, in its own frame.
    pub drawn: Drawn,
    /// What may change.
    pub parameters: Parameters,
}

/// A robot as its file draws it.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// What it is made of.
    pub structure: Structure,
    /// Places of the platform's freedoms in its twist (vx, vy, vz, wx, wy, wz).
    pub freedoms: Vec<usize>,
    /// Components of its twist that are not always zero: the freedoms, and what follows from them.
    pub moves: Vec<usize>,
    /// The platform at rest, in the frame of the base.
    pub home: Place,
    /// Mean distance of the platform's joints from their middle, or of another length of the robot \[m\].
    pub size: f64,
    /// A length of the whole robot \[m\].
    pub reach: f64,
    /// The frame of the base in that of the poses that the robot takes and gives.
    pub base: Pose<f64>,
    /// The frame that poses are of, in that of the platform.
    pub tool: Pose<f64>,
}

/// What a robot is made of.
#[derive(Clone, Debug)]
pub enum Structure {
    /// Legs, in the branches of the file.
    Legs(Vec<AnyLeg<f64>>),
    /// Bodies and joints.
    Joints(Box<DrawnJoints>),
}

/// A robot with values of its parameters.
#[derive(Clone, Debug)]
pub enum Built {
    /// Its legs.
    Legs(Vec<AnyLeg<f64>>),
    /// Its loops; none where it cannot exist.
    Joints(Option<Box<BuiltJoints>>),
}

/// Where a robot is: its platform, and all its bodies if it is bodies and joints.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its platform, in the frame of the base.
    pub pose: Pose<f64>,
    /// All bodies.
    pub bodies: Option<LoopPosture>,
}

impl From<Pose<f64>> for Place {
    fn from(pose: Pose<f64>) -> Self {
        Self { pose, bodies: None }
    }
}

/// How the platform moves at one pose.
#[derive(Clone, Debug)]
pub struct Slopes {
    /// Six components of the platform's twist in base axes, at its origin, by each parameter.
    pub platform: DMatrix<f64>,
    /// The same by each motor reading.
    pub motors: DMatrix<f64>,
}

/// The nearest angle to zero that is the same turn.
pub fn wrapped(angle: f64) -> f64 {
    let turn = angle.rem_euclid(TAU);
    if turn > PI { turn - TAU } else { turn }
}

impl Drawn {
    /// Of a robot.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn of(robot: &AnyRobot) -> Result<Self, RobotError> {
        if robot.mechanism_model().is_some() {
            return super::joints::drawn(robot);
        }
        let legs = robot.description().described_legs()?;
        let reach = legs.legs.first().map_or(0.3, |leg| leg.size(&legs.home));
        Ok(Self {
            structure: Structure::Legs(legs.legs),
            moves: legs.freedoms.clone(),
            freedoms: legs.freedoms,
            home: legs.home.into(),
            size: legs.size,
            reach,
            base: legs.base,
            tool: legs.tool,
        })
    }

    /// Its legs, if it is legs.
    pub fn legs(&self) -> &[AnyLeg<f64>] {
        match &self.structure {
            Structure::Legs(legs) => legs,
            Structure::Joints(_) => &[],
        }
    }

    /// Whether its platform turns.
    pub fn turns(&self) -> bool {
        self.moves.iter().any(|place| *place >= 3)
    }

    /// Whether its platform stays in the x-y plane.
    pub fn is_planar(&self) -> bool {
        !self.moves.iter().any(|place| [2, 3, 4].contains(place))
    }
}

impl Model {
    /// The model of a robot with these parameters.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn new(robot: AnyRobot, parameters: Parameters) -> Result<Self, RobotError> {
        Ok(Self { drawn: Drawn::of(&robot)?, robot, parameters })
    }

    /// The robot with these values of the parameters.
    pub fn built(&self, values: &[f64]) -> Built {
        match &self.drawn.structure {
            Structure::Legs(_) => Built::Legs(self.legs(values)),
            Structure::Joints(drawn) => {
                Built::Joints(drawn.built(&self.parameters.joints(values)).map(Box::new))
            }
        }
    }

    /// The robot of the file at a pose; `None` if it does not go there.
    pub fn place(&self, pose: &Pose<f64>) -> Option<Place> {
        match &self.drawn.structure {
            Structure::Legs(_) => Some((*pose).into()),
            Structure::Joints(drawn) => drawn.place(&self.robot, pose),
        }
    }

    /// The place at which the motors read `q`, from one nearby; `None` if there is none.
    pub fn pose(&self, built: &Built, q: &[f64], start: &Place) -> Option<Place> {
        match built {
            Built::Legs(legs) => self.pose_of_legs(legs, q, &start.pose).map(Place::from),
            Built::Joints(joints) => joints.as_ref()?.closed(q, start),
        }
    }

    /// What the motors read at a pose, NaN if the robot does not go there.
    pub fn readings(&self, built: &Built, place: &Place) -> Vec<f64> {
        let own = match built {
            Built::Legs(legs) => Some(self.leg_readings(legs, &place.pose).0),
            Built::Joints(joints) => {
                joints.as_ref().and_then(|joints| joints.readings(place, &self.drawn.freedoms))
            }
        };
        own.unwrap_or_else(|| vec![f64::NAN; self.robot.joints().len()])
    }

    /// How the platform moves at a pose with the parameters and with the motors.
    pub fn slopes(&self, built: &Built, values: &[f64], place: &Place) -> Option<Slopes> {
        match built {
            Built::Legs(legs) => self.slopes_of_legs(legs, values, &place.pose),
            Built::Joints(joints) => joints.as_ref()?.slopes(&self.parameters, place, &self.drawn.freedoms),
        }
    }

    /// A joint, of a leg or of its own, that a sensor reads at a place: its coordinate, and how it changes with each of the
    /// parameters, the motors reading the same.
    pub fn joint(
        &self,
        built: &Built,
        values: &[f64],
        place: &Place,
        joint: (usize, usize),
    ) -> Option<(f64, Vec<f64>)> {
        match built {
            Built::Legs(legs) => {
                let (value, by_twist, own) = self.joint_of_leg(legs, values, &place.pose, joint)?;
                let platform = self.slopes_of_legs(legs, values, &place.pose)?.platform;
                let mut slopes: Vec<f64> = platform
                    .column_iter()
                    .map(|column| column.iter().zip(by_twist).map(|(x, by)| x * by).sum())
                    .collect();
                for (parameter, slope) in own {
                    slopes[parameter] += slope;
                }
                Some((value, slopes))
            }
            Built::Joints(joints) => {
                joints.as_ref()?.joint(&self.parameters, place, joint.0, &self.drawn.freedoms)
            }
        }
    }

    /// What the robot calls this pose of its platform: tool point and axes in the frame of its cell.
    pub fn to_user(&self, pose: &Pose<f64>) -> Pose<f64> {
        self.drawn.base * *pose * self.drawn.tool
    }

    /// The pose of the platform that the robot calls so.
    pub fn from_user(&self, pose: &Pose<f64>) -> Pose<f64> {
        self.drawn.base.inverse() * *pose * self.drawn.tool.inverse()
    }

    /// The robot's state at rest at a pose.
    pub fn state(&self, pose: &Pose<f64>) -> PlatformState {
        let user = self.to_user(pose);
        PlatformState::at(user.position.to_array()).turned(user.rotation.to_rows())
    }

    /// Where the robot as its file says is when its motors read `q`; the start of all that follows.
    ///
    /// # Errors
    /// If it does not go there.
    pub fn nominal(&self, q: &[f64]) -> Result<Place, RobotError> {
        let found = self.robot.forward_kinematics(q, &self.robot.home())?;
        let pose = self.from_user(&pose_of(&found.position, &found.rotation));
        match &self.drawn.structure {
            Structure::Legs(_) => Ok(pose.into()),
            Structure::Joints(drawn) => drawn.nominal(&self.robot, q, &pose),
        }
    }

    /// The description with these values of the parameters, as a robot file holds them.
    pub fn calibrated(&self, values: &[f64], covariance: Option<&DMatrix<f64>>) -> RobotDescription {
        let mut description = self.robot.description().clone();
        match &self.drawn.structure {
            Structure::Joints(_) => {
                description.joint_calibration = self.parameters.calibrated_joints(values, covariance);
            }
            Structure::Legs(_) => {
                description.calibration = (0..self.parameters.legs())
                    .map(|leg| CalibratedLeg {
                        value: self.parameters.calibration(leg, values),
                        sigma: covariance
                            .map(|covariance| self.parameters.calibration_sigma(leg, values, covariance))
                            .unwrap_or_default(),
                    })
                    .collect();
            }
        }
        description
    }
}

/// A pose from a position and rows of a rotation.
pub fn pose_of(position: &[f64; 3], rotation: &[[f64; 3]; 3]) -> Pose<f64> {
    let [x, y, z] = rotation.map(V3::from);
    Pose::new(M3::from_rows(x, y, z), (*position).into())
}

/// The shortest solution of least squares.
pub(super) fn least(matrix: &DMatrix<f64>, right: &DVector<f64>) -> Option<DVector<f64>> {
    Some(pseudo_inverse(matrix)? * right)
}

/// The pseudo-inverse of a matrix of full column rank; `None` if it has not.
pub(super) fn pseudo_inverse(matrix: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    if matrix.iter().any(|x| !x.is_finite()) {
        return None;
    }
    if matrix.is_square() {
        let lu = matrix.clone().lu();
        return lu.try_inverse();
    }
    matrix.clone().pseudo_inverse(1e-12).ok()
}
