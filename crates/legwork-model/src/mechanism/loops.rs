//! A mechanism by its loops alone: every body free, every joint and every motor an equation. This is how its platform
//! moves when the joints stand elsewhere on its bodies than they are drawn.
//!
//! ```text
//! Φ(X, F) = 0            X poses of the bodies, F frames of the joints on them, motors as they read      (1)
//! A δX + B δF = 0    ⇒   δX = −A⁺ B δF                                                                  (2)
//! row r of joint j:      A_r δX = w_r·(V_child − V_parent),   B_r δF = w_r·(ξ_child − ξ_parent)            (3)
//! ```
//!
//! A frame that moves on its body by a twist ξ does to a joint what the body does that moves by it, so (3) is exact and
//! nothing is differentiated twice. Where constraints repeat others, (2) is the answer of least squares, and what is left
//! over says that a change cannot be made without forcing the joints.

use super::assembly::{Maximal, turn};
use super::linkage::Linkage;
use super::model::{largest, platform};
use super::{JointType, MechanismDescription, MechanismError};
use legwork_core::V3;
use legwork_core::engine::Pose;
use legwork_core::mechanism::Frame;
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// A body turns by so much in one step at most, and moves by so many lengths of the mechanism.
const LONGEST_STEP: f64 = 0.5;
/// What keeps bodies that are free to spin where they are.
const DAMPING: f64 = 1e-12;
/// Motors beside joints, where more motors are read than the mechanism has freedoms: the joints hold.
const REDUNDANT_MOTOR: f64 = 1e-3;
/// Below this a step is rounding.
const ROUNDING: f64 = 1e-14;
/// And below this it has converged where steps become smaller no more.
const SMALL: f64 = 1e-9;

/// A mechanism by its loops.
#[derive(Clone, Debug)]
pub struct Loops {
    linkage: Linkage,
    platform: (usize, Frame<f64>),
    motor_weight: f64,
}

/// Where all bodies of a mechanism are.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopPosture(Vec<f64>);

/// The frame of a joint that moves on its body.
#[derive(Clone, Copy, Debug)]
pub struct FrameMotion {
    /// The joint's place in the description.
    pub joint: usize,
    /// Whether it is its frame in the child; else that in the parent.
    pub on_child: bool,
    /// Angular velocity of the frame, world axes.
    pub omega: V3<f64>,
    /// Velocity of the frame's origin, world axes.
    pub velocity: V3<f64>,
}

/// How a mechanism moves in one posture, when frames of its joints or its motors do.
pub struct LoopSlopes {
    rows: Vec<Vec<f64>>,
    /// The bodies of the row's joint: which of them has the wrench.
    ends: Vec<[usize; 2]>,
    motors: usize,
    motor_weight: f64,
    factor: Cholesky<f64, Dyn>,
    /// The same of the rows of joints alone.
    joints: Option<Cholesky<f64, Dyn>>,
    /// Frames of each joint, about the origin of the kernel.
    frames: Vec<[Frame<f64>; 2]>,
    /// Rows of each joint.
    own: Vec<Vec<usize>>,
    platform: [Vec<f64>; 6],
    length: f64,
}

impl Loops {
    /// Of a description.
    ///
    /// # Errors
    /// If it cannot be a mechanism. Whether it closes is not asked.
    pub fn new(description: &MechanismDescription) -> Result<Self, MechanismError> {
        let linkage = Linkage::new(description)?;
        let platform = platform(description, &linkage);
        Ok(Self { linkage, platform, motor_weight: 1.0 })
    }

    /// The same, where more motors are read than the mechanism has freedoms.
    #[must_use]
    pub fn with_redundant_motors(self) -> Self {
        Self { motor_weight: REDUNDANT_MOTOR, ..self }
    }

    /// A length that is typical for it \[m\].
    pub fn length(&self) -> f64 {
        self.linkage.length
    }

    /// A posture from poses of all bodies of the description, closed or nearly so.
    pub fn posture(&self, poses: &[Pose<f64>]) -> LoopPosture {
        LoopPosture(Maximal::new(&self.linkage).coordinates(&self.linkage.clusters_at(poses)))
    }

    /// The posture in which the motors read this, from one nearby; `None` if there is none.
    pub fn closed(&self, start: &LoopPosture, readings: &[f64]) -> Option<LoopPosture> {
        let weight = self.motor_weight;
        self.newton(start, |maximal, q, rows, gaps| {
            let values = maximal.motor_values(q);
            for (k, row) in maximal.motors(q).into_iter().enumerate() {
                let off = values[k] - readings.get(k).copied().unwrap_or(f64::NAN);
                let off = if self.slides(k) { off / self.linkage.length } else { turn(off) };
                rows.push(row.iter().map(|x| x * weight).collect());
                gaps.push(off * weight);
            }
        })
    }

    /// The posture in which these components of the platform's pose (x, y, z, and turns about them, from 0) are those of
    /// `pose`, from one nearby; `None` if there is none.
    pub fn closed_at(
        &self,
        start: &LoopPosture,
        pose: &Pose<f64>,
        components: &[usize],
    ) -> Option<LoopPosture> {
        self.newton(start, |maximal, q, rows, gaps| {
            let frame = self.platform_frame(maximal, q);
            let own = maximal.body_rows(self.platform.0, frame.origin);
            let apart = frame.origin + self.linkage.origin - pose.position;
            let turn = frame.to_pose().rotation * pose.rotation.transpose();
            let turned = Pose::identity().way_to(&Pose::new(turn, V3::zero())).angular;
            let (apart, turned) = (apart.to_array(), turned.to_array());
            for place in components {
                let (row, gap) = match place {
                    0..3 => (3 + place, apart[*place] / self.linkage.length),
                    _ => (place - 3, turned[place - 3]),
                };
                rows.push(own[row].clone());
                gaps.push(gap);
            }
        })
    }

    /// Newton's method for all joints and what else is asked, least squares where rows depend on each other.
    fn newton(
        &self,
        start: &LoopPosture,
        more: impl Fn(&mut Maximal<'_>, &[f64], &mut Vec<Vec<f64>>, &mut Vec<f64>),
    ) -> Option<LoopPosture> {
        let mut maximal = Maximal::new(&self.linkage);
        let (mut q, mut last) = (start.0.clone(), f64::INFINITY);
        for _ in 0..60 {
            let found = maximal.joints(&q);
            let (mut rows, mut gaps) = (found.rows, found.gaps);
            more(&mut maximal, &q, &mut rows, &mut gaps);
            let right = transposed_times(&rows, &gaps.iter().map(|x| -x).collect::<Vec<f64>>());
            let mut step = normal(&rows).cholesky()?.solve(&right);
            let longest = step.amax();
            if !longest.is_finite() {
                return None;
            }
            if longest > LONGEST_STEP {
                step *= LONGEST_STEP / longest;
            }
            maximal.step(&mut q, step.as_slice());
            if longest < SMALL && longest >= 0.5 * last || longest < ROUNDING {
                return Some(LoopPosture(q));
            }
            last = longest;
        }
        (last < SMALL).then_some(LoopPosture(q))
    }

    fn slides(&self, motor: usize) -> bool {
        let mut links = self.linkage.links.iter();
        links.any(|link| link.motor == Some(motor) && link.kind == JointType::Prismatic)
    }

    fn platform_frame(&self, maximal: &mut Maximal<'_>, q: &[f64]) -> Frame<f64> {
        maximal.clusters(q)[self.platform.0].then(&self.platform.1)
    }

    /// Where the platform is: its point, and the axes of its body.
    pub fn platform(&self, at: &LoopPosture) -> Pose<f64> {
        let frame = self.platform_frame(&mut Maximal::new(&self.linkage), &at.0).to_pose();
        Pose::new(frame.rotation, frame.position + self.linkage.origin)
    }

    /// What the motors read.
    pub fn readings(&self, at: &LoopPosture) -> Vec<f64> {
        Maximal::new(&self.linkage).motor_values(&at.0)
    }

    /// How far the joint that is farthest open is open, in lengths of the mechanism and rad.
    pub fn gap(&self, at: &LoopPosture) -> f64 {
        largest(Maximal::new(&self.linkage).joints(&at.0).gaps)
    }

    /// (2) in a closed posture; `None` if its rows are no numbers.
    pub fn slopes(&self, at: &LoopPosture) -> Option<LoopSlopes> {
        let mut maximal = Maximal::new(&self.linkage);
        let found = maximal.joints(&at.0);
        let (mut rows, mut joints, mut ends) = (found.rows, Vec::new(), Vec::new());
        for link in &found.links {
            let link = &self.linkage.links[*link];
            joints.push((link.kind != JointType::Fixed).then_some(link.joint));
            ends.push(link.ends);
        }
        let motors = maximal.motors(&at.0);
        let count = motors.len();
        for (k, row) in motors.into_iter().enumerate() {
            let link = self.linkage.links.iter().find(|link| link.motor == Some(k))?;
            rows.push(row.iter().map(|x| x * self.motor_weight).collect());
            joints.push(Some(link.joint));
            ends.push(link.ends);
        }
        let clusters = maximal.clusters(&at.0);
        let last = self.linkage.links.iter().map(|link| link.joint + 1).max().unwrap_or(0);
        let mut frames = vec![[Frame::identity(); 2]; last];
        for link in self.linkage.links.iter().filter(|link| link.kind != JointType::Fixed) {
            frames[link.joint] = [0, 1].map(|end| clusters[link.ends[end]].then(&link.frames[end]));
        }
        let mut own_rows = vec![Vec::new(); last];
        for (row, joint) in joints.iter().enumerate() {
            if let Some(joint) = joint {
                own_rows[*joint].push(row);
            }
        }
        let point = self.platform_frame(&mut maximal, &at.0).origin;
        let own = maximal.body_rows(self.platform.0, point);
        let factor = normal(&rows).cholesky()?;
        let mut slopes = LoopSlopes {
            rows,
            ends,
            motors: count,
            motor_weight: self.motor_weight,
            factor,
            joints: None,
            frames,
            own: own_rows,
            platform: std::array::from_fn(|_| Vec::new()),
            length: self.linkage.length,
        };
        // Shifts first, as a twist is written.
        slopes.platform = std::array::from_fn(|k| {
            let (row, unit) = if k < 3 { (3 + k, self.linkage.length) } else { (k - 3, 1.0) };
            slopes.transfer(&own[row]).into_iter().map(|x| x * unit).collect()
        });
        Some(slopes)
    }

    /// How the coordinate of a joint that turns or slides depends on the bodies, for [`LoopSlopes::joint`].
    fn joint_row(&self, at: &LoopPosture, joint: usize) -> Option<(Vec<f64>, [usize; 2], f64)> {
        let mut maximal = Maximal::new(&self.linkage);
        let clusters = maximal.clusters(&at.0);
        let link = self.linkage.links.iter().find(|link| link.joint == joint)?;
        let (row, unit) = maximal.link_row(link, &clusters)?;
        Some((row, link.ends, unit))
    }
}

/// AᵀA with what keeps free bodies where they are.
fn normal(rows: &[Vec<f64>]) -> DMatrix<f64> {
    let n = rows.first().map_or(0, Vec::len);
    let mut normal = DMatrix::identity(n, n) * DAMPING;
    for row in rows {
        // A row has two bodies: twelve numbers of many.
        let full: Vec<usize> = (0..n).filter(|k| row[*k] != 0.0).collect();
        for i in &full {
            for j in &full {
                normal[(*i, *j)] += row[*i] * row[*j];
            }
        }
    }
    normal
}

fn transposed_times(rows: &[Vec<f64>], values: &[f64]) -> DVector<f64> {
    let n = rows.first().map_or(0, Vec::len);
    let mut sum = DVector::zeros(n);
    for (row, value) in rows.iter().zip(values).filter(|(_, value)| **value != 0.0) {
        for (slot, x) in sum.iter_mut().zip(row) {
            *slot += x * value;
        }
    }
    sum
}

fn dot(a: &[f64], b: impl IntoIterator<Item = f64>) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl LoopSlopes {
    /// eᵀ A⁺: what each equation does to a number whose change is e·δX.
    fn transfer(&self, row: &[f64]) -> Vec<f64> {
        let wanted = DVector::from_column_slice(row);
        let mut found = self.factor.solve(&wanted);
        for _ in 0..2 {
            let image: Vec<f64> = self.rows.iter().map(|row| dot(row, found.iter().copied())).collect();
            let rest = &wanted - transposed_times(&self.rows, &image);
            found += self.factor.solve(&rest);
        }
        self.rows.iter().map(|row| dot(row, found.iter().copied())).collect()
    }

    /// w·ξ of a row, for a frame on the child or on the parent of its joint: (3).
    fn driven(&self, row: &[f64], [parent, child]: [usize; 2], motion: &FrameMotion) -> f64 {
        let at = self.frames[motion.joint][usize::from(motion.on_child)].origin;
        // About the origin of the kernel, lengths in proportion.
        let shift = motion.velocity + at.cross(motion.omega);
        let twist: Vec<f64> = motion
            .omega
            .to_array()
            .into_iter()
            .chain(shift.to_array().into_iter().map(|x| x / self.length))
            .collect();
        let part = |body: usize| body.checked_sub(1).map(|body| &row[6 * body..6 * body + 6]);
        // The wrench on the child; on a parent alone it stands with the other sign.
        let of_child = part(child)
            .map(|own| dot(own, twist.iter().copied()))
            .or_else(|| part(parent).map(|own| -dot(own, twist.iter().copied())));
        of_child.unwrap_or(0.0) * if motion.on_child { 1.0 } else { -1.0 }
    }

    /// B ξ: its rows that are not zero.
    fn image(&self, motion: &FrameMotion) -> Vec<(usize, f64)> {
        let rows = self.own.get(motion.joint).into_iter().flatten();
        rows.map(|row| (*row, self.driven(&self.rows[*row], self.ends[*row], motion))).collect()
    }

    /// How the platform moves when a frame does and the motors read the same: velocity of its point, angular velocity.
    pub fn platform(&self, motion: &FrameMotion) -> [f64; 6] {
        let image = self.image(motion);
        self.platform.each_ref().map(|transfer| -image.iter().map(|(row, x)| transfer[*row] * x).sum::<f64>())
    }

    /// Axes of the frames of a joint, that in the parent and that in the child, in the world; none of a fixed one.
    pub fn axes(&self, joint: usize) -> Option<[Pose<f64>; 2]> {
        self.frames.get(joint).map(|two| two.each_ref().map(Frame::to_pose))
    }

    /// The same when a motor reads more.
    pub fn motor(&self, motor: usize, slides: bool) -> [f64; 6] {
        let row = self.rows.len() - self.motors + motor;
        let unit = self.motor_weight / if slides { self.length } else { 1.0 };
        self.platform.each_ref().map(|transfer| transfer[row] * unit)
    }

    /// The coordinate of a joint that turns or slides: how it changes with each of these frames, the motors reading the
    /// same.
    pub fn joint(
        &self,
        loops: &Loops,
        at: &LoopPosture,
        joint: usize,
        motions: &[FrameMotion],
    ) -> Option<Vec<f64>> {
        let (row, ends, unit) = loops.joint_row(at, joint)?;
        let transfer = self.transfer(&row);
        Some(
            motions
                .iter()
                .map(|motion| {
                    let own = if motion.joint == joint { self.driven(&row, ends, motion) } else { 0.0 };
                    let passed: f64 = self.image(motion).iter().map(|(row, x)| transfer[*row] * x).sum();
                    unit * (own - passed)
                })
                .collect(),
        )
    }

    /// What of a motion of a frame no motion of bodies and motors makes up for, in lengths of the mechanism and rad: zero where
    /// the joints let it be.
    pub fn forced(&mut self, motion: &FrameMotion) -> Option<Vec<f64>> {
        let count = self.rows.len() - self.motors;
        let rows = &self.rows[..count];
        let factor = match self.joints.take() {
            Some(factor) => factor,
            None => normal(rows).cholesky()?,
        };
        let mut rest = vec![0.0; count];
        for (row, x) in self.image(motion) {
            rest.get_mut(row).into_iter().for_each(|slot| *slot = x);
        }
        for _ in 0..3 {
            let step = factor.solve(&transposed_times(rows, &rest));
            for (slot, row) in rest.iter_mut().zip(rows) {
                *slot -= dot(row, step.iter().copied());
            }
        }
        self.joints = Some(factor);
        Some(rest)
    }
}
