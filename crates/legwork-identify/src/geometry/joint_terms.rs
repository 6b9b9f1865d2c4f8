//! Numbers of the calibration of joints that parameters change, and what the robot file says of joints with values of the
//! parameters.

use super::joints::DrawnJoints;
use super::model::{Drawn, Structure};
use super::parameters::{Change, Parameter, Parameters, XYZ};
use legwork::description::{CalibratedJoint, JointCalibration};
use nalgebra::DMatrix;

/// A number of the calibration of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointPart {
    /// Where it is on its parent, along x, y, z of that body \[m\].
    ParentShift(usize),
    /// Which way it points on its parent \[rad\].
    ParentTurn(usize),
    /// Where it is on its child \[m\].
    ChildShift(usize),
    /// Which way it points on its child \[rad\].
    ChildTurn(usize),
    /// What is added to its reading, if it turns \[rad\].
    ZeroAngle,
    /// The same if it slides \[m\].
    ZeroLength,
}

impl JointPart {
    /// All of them.
    fn all() -> impl Iterator<Item = Self> {
        let three = |of: fn(usize) -> Self| (0..3).map(of);
        three(Self::ParentShift)
            .chain(three(Self::ParentTurn))
            .chain(three(Self::ChildShift))
            .chain(three(Self::ChildTurn))
            .chain([Self::ZeroAngle, Self::ZeroLength])
    }

    /// What its parameter is called, behind the name of the joint, and whether it is an angle.
    fn name(self) -> (String, bool) {
        let of = |what: &str, k: usize| format!("{what}_{}", XYZ.get(k).copied().unwrap_or_default());
        match self {
            Self::ParentShift(k) => (of("parent", k), false),
            Self::ParentTurn(k) => (of("parent_turn", k), true),
            Self::ChildShift(k) => (of("child", k), false),
            Self::ChildTurn(k) => (of("child_turn", k), true),
            Self::ZeroAngle => ("zero".into(), true),
            Self::ZeroLength => ("zero_length".into(), false),
        }
    }

    /// Its number.
    fn of(self, joint: &mut JointCalibration) -> &mut f64 {
        match self {
            Self::ParentShift(k) => &mut joint.parent_shift[k],
            Self::ParentTurn(k) => &mut joint.parent_turn[k],
            Self::ChildShift(k) => &mut joint.child_shift[k],
            Self::ChildTurn(k) => &mut joint.child_turn[k],
            Self::ZeroAngle => &mut joint.zero_angle,
            Self::ZeroLength => &mut joint.zero_length,
        }
    }
}

/// A number of the calibration of a joint that a parameter changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// The joint's place in the file.
    pub joint: usize,
    /// Its number.
    pub part: JointPart,
    /// By how much of the parameter.
    pub factor: f64,
}

impl Parameters {
    /// None of the parameters of these joints.
    pub(super) fn of_joints(drawn: &Drawn, start: &[CalibratedJoint]) -> Self {
        match &drawn.structure {
            Structure::Joints(joints) => Self::of_drawn_joints(joints, start),
            Structure::Legs(_) => Self::none(),
        }
    }

    /// The same of joints as they are drawn.
    pub(super) fn of_drawn_joints(joints: &DrawnJoints, start: &[CalibratedJoint]) -> Self {
        let own = |name: &str| start.iter().find(|found| found.joint == name);
        let file = joints.described.file.joints.iter();
        let joints =
            file.map(|joint| (joint.name.clone(), own(&joint.name).map(|own| own.value).unwrap_or_default()));
        let mut parameters = Self::none();
        parameters.joints = joints.collect();
        parameters
    }

    /// The numbers of a calibration that have a standard deviation, as parameters from where they are, and these.
    pub(super) fn of_joint_sigma(drawn: &Drawn, calibration: &[CalibratedJoint]) -> (Self, Vec<f64>) {
        let mut parameters = Self::of_joints(drawn, calibration);
        let mut sigmas = Vec::new();
        for found in calibration {
            let Some(joint) = parameters.joints.iter().position(|own| own.0 == found.joint) else { continue };
            let mut sigma = found.sigma;
            for part in JointPart::all() {
                let own = *part.of(&mut sigma);
                if own > 0.0 {
                    let (name, is_angle) = part.name();
                    parameters.list.push(Parameter {
                        name: format!("{}.{name}", found.joint),
                        leg: 0,
                        change: Change::Joints { is_angle },
                        drawn: None,
                        prior: own,
                        terms: vec![Term { joint, part, factor: 1.0 }],
                    });
                    sigmas.push(own);
                }
            }
        }
        (parameters, sigmas)
    }

    /// What the robot file says of joints with these values: those that differ.
    pub fn joints(&self, values: &[f64]) -> Vec<CalibratedJoint> {
        self.calibrated_joints(values, None)
    }

    /// The same, with standard deviations from the covariance of the parameters.
    pub fn calibrated_joints(
        &self,
        values: &[f64],
        covariance: Option<&DMatrix<f64>>,
    ) -> Vec<CalibratedJoint> {
        let mut found: Vec<CalibratedJoint> = self
            .joints
            .iter()
            .map(|(joint, start)| CalibratedJoint {
                joint: joint.clone(),
                value: *start,
                sigma: JointCalibration::default(),
            })
            .collect();
        for (parameter, value) in self.list.iter().zip(values) {
            for term in &parameter.terms {
                *term.part.of(&mut found[term.joint].value) += term.factor * value;
            }
        }
        let factor = |joint: usize, part: JointPart, k: usize| -> f64 {
            let own = self.list[k].terms.iter().filter(|term| term.joint == joint && term.part == part);
            own.map(|term| term.factor).sum()
        };
        if let Some(covariance) = covariance {
            for (joint, own) in found.iter_mut().enumerate() {
                for part in JointPart::all() {
                    let factors: Vec<(usize, f64)> = (0..self.list.len())
                        .map(|k| (k, factor(joint, part, k)))
                        .filter(|(_, x)| *x != 0.0)
                        .collect();
                    let mut sum = 0.0;
                    for (i, a) in &factors {
                        for (j, b) in &factors {
                            sum += a * b * covariance[(*i, *j)];
                        }
                    }
                    *part.of(&mut own.sigma) = sum.max(0.0).sqrt();
                }
            }
        }
        let nothing = JointCalibration::default();
        found.retain(|own| own.value != nothing || own.sigma != nothing);
        found
    }
}
