//! Bodies and joints whose parameters may change: where the platform is for given readings, and how it moves with them and
//! with the frames of its joints ([`Loops`]).

use super::joint_terms::{JointPart, Term};
use super::model::{Drawn, Model, Place, Slopes, Structure, pose_of};
use super::parameters::Parameters;
use legwork::description::{CalibratedJoint, JointCalibration, Placement};
use legwork::engine::Pose;
use legwork::families::calibrated::DescribedJoints;
use legwork::mechanism::{FrameMotion, JointType, LoopSlopes, Loops};
use legwork::random::Random;
use legwork::{AnyRobot, PlatformState, RobotError, V3};
use nalgebra::DMatrix;

/// A posture whose joints are open by less needs no closing, in lengths of the mechanism and rad.
const CLOSED: f64 = 1e-12;
/// A posture whose joints stay open by more is none.
const OPEN: f64 = 1e-4;
/// Postures at which it is judged which components of the platform's twist are always zero.
const POSTURES: usize = 8;

/// Bodies and joints as their file draws them.
#[derive(Clone, Debug)]
pub struct DrawnJoints {
    /// Without calibration.
    pub described: DescribedJoints,
    /// With that of the file, by its loops.
    loops: Loops,
    /// Whether more motors are read than there are freedoms.
    redundant: bool,
    /// Postures all over the workspace.
    pub postures: Vec<Place>,
}

/// Bodies and joints with values of the parameters.
#[derive(Clone, Debug)]
pub struct BuiltJoints {
    loops: Loops,
    joints: Vec<BuiltJoint>,
    /// Of each motor, whether it slides.
    slides: Vec<bool>,
}

/// A joint as it was built.
#[derive(Clone, Copy, Debug)]
struct BuiltJoint {
    kind: JointType,
    by: JointCalibration,
    parent: Placement,
    child: Placement,
}

/// A mechanism as drawn.
pub(super) fn drawn(robot: &AnyRobot) -> Result<Drawn, RobotError> {
    let description = robot.description();
    let described = description.described_joints()?;
    let refused =
        |fault| RobotError::Mechanism { robot: description.name.as_str().into(), fault: Box::new(fault) };
    let loops = Loops::new(&described.calibrated(&description.joint_calibration)).map_err(refused)?;
    let mobility = robot.mechanism_model().map(legwork::mechanism::MechanismModel::mobility);
    let redundant = mobility.is_some_and(|mobility| !mobility.dependent_motors.is_empty());
    let loops = if redundant { loops.with_redundant_motors() } else { loops };
    let freedoms = mobility.map(|mobility| mobility.coordinates.clone()).unwrap_or_default();
    let mut own = DrawnJoints { described, loops, redundant, postures: Vec::new() };
    let at = robot.home();
    let home = own
        .place(robot, &pose_of(&at.position, &at.rotation))
        .ok_or_else(|| RobotError::NoMechanism { robot: description.name.clone() })?;
    let reach = own.loops.length();
    own.postures = postures(&own, robot, &home, &freedoms);
    let built = own.built(&description.joint_calibration);
    let mut most = [0.0_f64; 6];
    for place in &own.postures {
        let Some(slopes) = built.as_ref().and_then(|built| built.loop_slopes(place, &freedoms)) else {
            continue;
        };
        for (motor, joint) in robot.joints().iter().enumerate() {
            for (k, x) in slopes.motor(motor, joint.slides).into_iter().enumerate() {
                let scale = if k < 3 { 1.0 / reach } else { 1.0 } * if joint.slides { reach } else { 1.0 };
                most[k] = most[k].max((x * scale).abs());
            }
        }
    }
    let moves = (0..6).filter(|k| most[*k] > 1e-7 || freedoms.contains(k)).collect();
    let size = platform_size(&own.described).filter(|size| *size > 1e-6 * reach).unwrap_or(reach);
    Ok(Drawn {
        structure: Structure::Joints(Box::new(own)),
        freedoms,
        moves,
        home,
        size,
        reach,
        base: Pose::identity(),
        tool: Pose::identity(),
    })
}

/// Places all over the workspace, drawn at random about home; home is the first.
fn postures(own: &DrawnJoints, robot: &AnyRobot, home: &Place, freedoms: &[usize]) -> Vec<Place> {
    let mut random = Random::new(legwork::random::DEFAULT_SEED);
    let mut found = vec![home.clone()];
    let reach = own.loops.length();
    for tried in 0..40 * POSTURES {
        if found.len() > POSTURES {
            break;
        }
        // Nearer to home after many that are out of reach.
        let share = if tried < 20 * POSTURES { 0.25 } else { 0.08 };
        let (mut shift, mut turn) = ([0.0; 3], [0.0; 3]);
        for place in freedoms {
            let x = share * random.uniform(-1.0, 1.0);
            if *place < 3 { shift[*place] = x * reach } else { turn[*place - 3] = x }
        }
        let pose = Pose::new(
            legwork::engine::turn_by(V3::from(turn)) * home.pose.rotation,
            home.pose.position + V3::from(shift),
        );
        found.extend(own.place(robot, &pose));
    }
    found
}

/// Mean distance of the platform's joints from their middle.
fn platform_size(described: &DescribedJoints) -> Option<f64> {
    let file = &described.file;
    let points: Vec<V3<f64>> = file
        .platform_joints()
        .map(|k| {
            let joint = &file.joints[k];
            let own =
                if joint.parent == Some(file.platform) { joint.parent_frame } else { joint.child_frame };
            V3::from(own.position)
        })
        .collect();
    let count = points.len() as f64;
    let middle = points.iter().fold(V3::zero(), |sum, p| sum + *p) * (1.0 / count.max(1.0));
    let sum: f64 = points.iter().map(|p| (*p - middle).norm_sq().sqrt()).sum();
    (points.len() > 1).then(|| sum / count)
}

impl DrawnJoints {
    /// With joints as they were built; `None` if that is no mechanism.
    pub fn built(&self, joints: &[CalibratedJoint]) -> Option<BuiltJoints> {
        let description = self.described.calibrated(joints);
        let loops = Loops::new(&description).ok()?;
        let loops = if self.redundant { loops.with_redundant_motors() } else { loops };
        let of = |name: &str| joints.iter().find(|found| found.joint == name);
        let file = &self.described.file;
        let kinds = description.joints.iter().map(|joint| joint.kind);
        let joints = file.joints.iter().zip(kinds).map(|(joint, kind)| {
            let by = of(&joint.name).map(|found| found.value).unwrap_or_default();
            let (parent, child) =
                (by.of_frame(&joint.parent_frame, false), by.of_frame(&joint.child_frame, true));
            BuiltJoint { kind, by, parent, child }
        });
        let slides =
            file.driven().map(|joint| joint.kind == legwork::description::MechanismJointKind::Prismatic);
        Some(BuiltJoints { joints: joints.collect(), slides: slides.collect(), loops })
    }

    /// The robot of the file at a pose.
    pub fn place(&self, robot: &AnyRobot, pose: &Pose<f64>) -> Option<Place> {
        let state = PlatformState::at(pose.position.to_array()).turned(pose.rotation.to_rows());
        let bodies = robot.body_poses(&state)?.ok()?;
        let at = self.loops.posture(&bodies);
        Some(Place { pose: self.loops.platform(&at), bodies: Some(at) })
    }

    /// The robot of the file where its motors read this and its platform is here.
    pub fn nominal(&self, robot: &AnyRobot, q: &[f64], pose: &Pose<f64>) -> Result<Place, RobotError> {
        let near =
            self.place(robot, pose).ok_or_else(|| RobotError::NoMechanism { robot: robot.name().into() })?;
        // Motors that the platform does not tell are led to where they read.
        let closed = near.bodies.as_ref().and_then(|at| self.loops.closed(at, q));
        Ok(closed.map_or(near, |at| Place { pose: self.loops.platform(&at), bodies: Some(at) }))
    }
}

impl BuiltJoints {
    /// The place at which the motors read `q`.
    pub fn closed(&self, q: &[f64], start: &Place) -> Option<Place> {
        let at = self.loops.closed(start.bodies.as_ref()?, q)?;
        (self.loops.gap(&at) < OPEN).then(|| Place { pose: self.loops.platform(&at), bodies: Some(at) })
    }

    /// The same place with its joints closed, if it is that of another robot.
    fn settled(&self, place: &Place, freedoms: &[usize]) -> Option<legwork::mechanism::LoopPosture> {
        let at = place.bodies.as_ref()?;
        if self.loops.gap(at) < CLOSED {
            return Some(at.clone());
        }
        self.loops.closed_at(at, &place.pose, freedoms)
    }

    /// Whether its loops close at a place as those of a robot that moves do; no more is left than this, in lengths of the
    /// mechanism and rad.
    pub(super) fn closes(&self, place: &Place, freedoms: &[usize], most: f64) -> bool {
        self.settled(place, freedoms).is_some_and(|at| self.loops.gap(&at) < most)
    }

    /// What the motors read at a place.
    pub fn readings(&self, place: &Place, freedoms: &[usize]) -> Option<Vec<f64>> {
        Some(self.loops.readings(&self.settled(place, freedoms)?))
    }

    fn loop_slopes(&self, place: &Place, freedoms: &[usize]) -> Option<LoopSlopes> {
        self.loops.slopes(&self.settled(place, freedoms)?)
    }

    /// How the platform moves at a place with the parameters and with the motors.
    pub fn slopes(&self, parameters: &Parameters, place: &Place, freedoms: &[usize]) -> Option<Slopes> {
        let slopes = self.loop_slopes(place, freedoms)?;
        let mut platform = DMatrix::zeros(6, parameters.list.len());
        for (k, parameter) in parameters.list.iter().enumerate() {
            for (term, motion) in self.motions(&slopes, &parameter.terms)? {
                for (row, x) in slopes.platform(&motion).into_iter().enumerate() {
                    platform[(row, k)] += term * x;
                }
            }
        }
        let mut motors = DMatrix::zeros(6, self.slides.len());
        for (k, slides) in self.slides.iter().enumerate() {
            for (row, x) in slopes.motor(k, *slides).into_iter().enumerate() {
                motors[(row, k)] = x;
            }
        }
        Some(Slopes { platform, motors })
    }

    /// What terms do at a place: the six components of the platform's twist, and what of them forces the joints.
    pub(super) fn effect(
        &self,
        terms: &[Term],
        place: &Place,
        freedoms: &[usize],
    ) -> Option<Vec<([f64; 6], Vec<f64>)>> {
        let mut slopes = self.loop_slopes(place, freedoms)?;
        terms
            .iter()
            .map(|term| {
                let motion = self.motion(&slopes, term)?;
                Some((slopes.platform(&motion), slopes.forced(&motion)?))
            })
            .collect()
    }

    /// A joint that a sensor reads: its coordinate, and how it changes with each parameter.
    pub fn joint(
        &self,
        parameters: &Parameters,
        place: &Place,
        joint: usize,
        freedoms: &[usize],
    ) -> Option<(f64, Vec<f64>)> {
        let at = self.settled(place, freedoms)?;
        let slopes = self.loops.slopes(&at)?;
        let [p, c] = slopes.axes(joint)?;
        let value = *self.joints.get(joint)?.kind.coordinates(&(p.inverse() * c)).first()?;
        let mut by = Vec::with_capacity(parameters.list.len());
        for parameter in &parameters.list {
            let (factors, motions): (Vec<f64>, Vec<FrameMotion>) =
                self.motions(&slopes, &parameter.terms)?.into_iter().unzip();
            let each = slopes.joint(&self.loops, &at, joint, &motions)?;
            by.push(factors.iter().zip(each).map(|(factor, x)| factor * x).sum());
        }
        Some((value, by))
    }

    fn motions(&self, slopes: &LoopSlopes, terms: &[Term]) -> Option<Vec<(f64, FrameMotion)>> {
        terms.iter().map(|term| Some((term.factor, self.motion(slopes, term)?))).collect()
    }

    /// How the frame of a joint moves when a number of its calibration grows.
    fn motion(&self, slopes: &LoopSlopes, term: &Term) -> Option<FrameMotion> {
        let joint = self.joints.get(term.joint)?;
        let [parent, child] = slopes.axes(term.joint)?;
        let on_child = matches!(term.part, JointPart::ChildShift(_) | JointPart::ChildTurn(_));
        let (frame, built, turned) = if on_child {
            (child, &joint.child, joint.by.child_turn)
        } else {
            (parent, &joint.parent, joint.by.parent_turn)
        };
        let body = frame.rotation * pose_of(&[0.0; 3], &built.rotation).rotation.transpose();
        let unit =
            |k: usize| body * V3::from(std::array::from_fn::<f64, 3, _>(|j| f64::from(u8::from(j == k))));
        let along = frame.rotation * V3::along_z(1.0);
        let none = V3::zero();
        let (omega, velocity) = match term.part {
            JointPart::ParentShift(k) | JointPart::ChildShift(k) => (none, unit(k)),
            JointPart::ParentTurn(k) | JointPart::ChildTurn(k) => {
                let omega = body * left_jacobian(V3::from(turned), k);
                // What is added to a length turns with it.
                let arm = if on_child { none } else { along * joint.by.zero_length };
                (omega, omega.cross(arm))
            }
            JointPart::ZeroAngle => (along, none),
            JointPart::ZeroLength => (none, along),
        };
        Some(FrameMotion { joint: term.joint, on_child, omega, velocity })
    }
}

/// By what a rotation turns when component k of its rotation vector grows: column k of
/// 1 + (1 − cos θ)/θ² [r]× + (θ − sin θ)/θ³ [r]×².
fn left_jacobian(r: V3<f64>, k: usize) -> V3<f64> {
    let e = V3::from(std::array::from_fn::<f64, 3, _>(|j| f64::from(u8::from(j == k))));
    let square = r.norm_sq();
    let angle = square.sqrt();
    let (a, b) = if angle < 1e-4 {
        (0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0)
    } else {
        ((1.0 - angle.cos()) / square, (angle - angle.sin()) / (square * angle))
    };
    let once = r.cross(e);
    e + once * a + r.cross(once) * b
}

impl Model {
    /// What it is made of, if that is bodies and joints.
    pub fn drawn_joints(&self) -> Option<&DrawnJoints> {
        match &self.drawn.structure {
            Structure::Joints(drawn) => Some(drawn),
            Structure::Legs(_) => None,
        }
    }
}
