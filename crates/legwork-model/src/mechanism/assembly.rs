//! Closing a mechanism from rough poses: all bodies free, all joints as rows, damped least squares.

use super::layout::Layout;
use super::linkage::{Link, Linkage};
use super::owned::{OwnedPlan, Workspace};
use super::{JointType, MechanismError};
use legwork_core::mechanism::Frame;
use legwork_core::{Real, V3};
use nalgebra::{DMatrix, DVector};

/// Steps of an assembly at most.
const MOST_STEPS: usize = 100;
/// A body turns by so much in one step at most, and moves by so many lengths of the mechanism.
const LONGEST_STEP: f64 = 0.5;
/// A gap wider than this, in lengths of the mechanism and rad, is an open loop; below it is rounding of the file.
pub(super) const OPEN: f64 = 1e-4;

/// All bodies free, all joints rows.
pub(super) struct Maximal<'a> {
    pub linkage: &'a Linkage,
    layout: Layout,
    plan: OwnedPlan<f64>,
    workspace: Workspace<f64>,
}

/// Rows of a posture, in proportion: lengths over that of the mechanism.
#[allow(clippy::struct_field_names)] // the rows, and what belongs to each
pub(super) struct Rows {
    pub rows: Vec<Vec<f64>>,
    pub gaps: Vec<f64>,
    /// Of each row, which link of the linkage it is of.
    pub links: Vec<usize>,
}

impl<'a> Maximal<'a> {
    pub fn new(linkage: &'a Linkage) -> Self {
        let layout = Layout::maximal(linkage);
        let orders = layout.natural_order(linkage);
        let plan = layout.plan(linkage, &orders, (1, Frame::identity()), V3::zero());
        let workspace = Workspace::new(&plan.plan());
        Self { linkage, layout, plan, workspace }
    }

    /// Rates of all bodies.
    pub fn columns(&self) -> usize {
        self.layout.freedoms
    }

    /// Coordinates at frames of the clusters.
    pub fn coordinates(&self, clusters: &[Frame<f64>]) -> Vec<f64> {
        self.layout.coordinates_of(clusters)
    }

    /// Frames of the clusters, the ground first.
    pub fn clusters(&mut self, coordinates: &[f64]) -> Vec<Frame<f64>> {
        let plan = self.plan.plan();
        let mut memory = self.workspace.memory();
        plan.place(coordinates, &mut memory);
        memory.frames.to_vec()
    }

    /// Moves all bodies by one displacement per rate, lengths in proportion.
    pub fn step(&self, coordinates: &mut [f64], by: &[f64]) {
        let length = self.linkage.length;
        let by: Vec<f64> =
            by.iter().enumerate().map(|(k, x)| if k % 6 < 3 { *x } else { x * length }).collect();
        self.plan.plan().step(coordinates, &by);
    }

    fn row(&self, a: usize, b: usize, force: V3<f64>, moment: V3<f64>) -> Vec<f64> {
        // Wrench w about O: w·(V_b − V_a), lengths in proportion.
        let length = self.linkage.length;
        let mut row = vec![0.0; self.columns()];
        for (body, sign) in [(a, -1.0), (b, 1.0)] {
            let Some(first) = body.checked_sub(1).map(|k| 6 * k) else { continue };
            for (k, x) in moment.to_array().into_iter().enumerate() {
                row[first + k] = sign * x;
            }
            for (k, x) in force.to_array().into_iter().enumerate() {
                row[first + 3 + k] = sign * x * length;
            }
        }
        row
    }

    /// Rows and gaps of all joints.
    pub fn joints(&mut self, coordinates: &[f64]) -> Rows {
        let (length, columns) = (self.linkage.length, self.columns());
        let plan = self.plan.plan();
        let mut memory = self.workspace.memory();
        plan.place(coordinates, &mut memory);
        plan.gaps(&mut memory);
        let core = plan.core;
        plan.write_rows(&core, &mut memory);
        let flat = core.matrix.of(memory.matrix).as_flattened();
        let width = core.width * 4;
        let mut found = Rows { rows: Vec::new(), gaps: Vec::new(), links: Vec::new() };
        for (link, cut) in plan.cuts.iter().enumerate() {
            for (place, row) in cut.rows.into_iter().enumerate() {
                if row >= core.rows.len() {
                    continue;
                }
                let scale = if place < 3 { 1.0 / length } else { 1.0 };
                let entries = &flat[row * width..row * width + columns];
                let unit = |k: usize| if k % 6 < 3 { 1.0 } else { length };
                found.rows.push(entries.iter().enumerate().map(|(k, x)| x * scale * unit(k)).collect());
                found.gaps.push(memory.gaps[row] * scale);
                found.links.push(link);
            }
        }
        found
    }

    /// Rows of the motors' rates.
    pub fn motors(&mut self, coordinates: &[f64]) -> Vec<Vec<f64>> {
        let clusters = self.clusters(coordinates);
        let mut rows: Vec<(usize, Vec<f64>)> = Vec::new();
        for link in &self.linkage.links {
            let Some(motor) = link.motor else { continue };
            let Some((row, _)) = self.link_row(link, &clusters) else { continue };
            rows.push((motor, row));
        }
        rows.sort_by_key(|(motor, _)| *motor);
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// The row of the rate of a joint that turns or slides, in proportion, and the unit of its coordinate.
    pub fn link_row(&self, link: &Link, clusters: &[Frame<f64>]) -> Option<(Vec<f64>, f64)> {
        let [a, b] = link.ends;
        let p = clusters[a].then(&link.frames[0]);
        let o = clusters[b].of(link.frames[1].origin);
        let length = self.linkage.length;
        match link.kind {
            JointType::Prismatic => {
                let row = self.row(a, b, p.z, o.cross(p.z));
                Some((row.into_iter().map(|x| x / length).collect(), length))
            }
            JointType::Revolute => Some((self.row(a, b, V3::zero(), p.z), 1.0)),
            _ => None,
        }
    }

    /// Values of the motors.
    pub fn motor_values(&mut self, coordinates: &[f64]) -> Vec<f64> {
        let clusters = self.clusters(coordinates);
        let mut values = vec![0.0; self.linkage.drives.len()];
        for link in &self.linkage.links {
            let Some(motor) = link.motor else { continue };
            let [p, c] = [0, 1].map(|end| clusters[link.ends[end]].then(&link.frames[end]));
            values[motor] = if link.kind == JointType::Prismatic {
                p.z.dot(c.origin - p.origin)
            } else {
                c.x.dot(p.y).atan2(c.x.dot(p.x))
            };
        }
        values
    }

    /// The six rows of a body's motion at a point of the world, angular ones first.
    pub fn body_rows(&self, cluster: usize, point: V3<f64>) -> Vec<Vec<f64>> {
        let unit = Frame::<f64>::identity();
        let axes = [unit.x, unit.y, unit.z];
        let turns = axes.map(|axis| self.row(0, cluster, V3::zero(), axis));
        let moves = axes.map(|axis| {
            let row = self.row(0, cluster, axis, point.cross(axis));
            row.into_iter().map(|x| x / self.linkage.length).collect::<Vec<f64>>()
        });
        turns.into_iter().chain(moves).collect()
    }

    /// Names of clusters that a motion moves.
    pub fn moving(&self, motions: &[Vec<f64>]) -> Vec<String> {
        let moves =
            |k: &usize| motions.iter().any(|motion| motion[6 * k..6 * k + 6].iter().any(|x| x.abs() > 1e-6));
        (0..self.linkage.clusters.len() - 1)
            .filter(moves)
            .map(|k| self.linkage.clusters[k + 1].name.clone())
            .collect()
    }

    /// Closes all joints from these coordinates, with motors at these values if they are given. Returns the
    /// largest gap that is left and how many steps were made.
    pub fn close(&mut self, coordinates: &mut Vec<f64>, motors: Option<&[f64]>) -> (f64, usize) {
        let residual = |this: &mut Self, q: &[f64]| {
            let mut found = this.joints(q);
            if let Some(targets) = motors {
                let values = this.motor_values(q);
                for (k, row) in this.motors(q).into_iter().enumerate() {
                    let slides = this
                        .linkage
                        .links
                        .iter()
                        .any(|link| link.motor == Some(k) && link.kind == JointType::Prismatic);
                    let off = values[k] - targets[k];
                    found.rows.push(row);
                    found.gaps.push(if slides { off / this.linkage.length } else { turn(off) });
                }
            }
            found
        };
        let size = |gaps: &[f64]| gaps.iter().map(|x| x * x).sum::<f64>();
        let mut found = residual(self, coordinates);
        let mut damping = 1e-4;
        let mut best = size(&found.gaps);
        let mut steps = 0;
        while steps < MOST_STEPS && best > 1e-31 * found.gaps.len() as f64 {
            steps += 1;
            let (m, n) = (found.rows.len(), self.columns());
            let j = DMatrix::from_fn(m, n, |r, c| found.rows[r][c]);
            let r = DVector::from_column_slice(&found.gaps);
            let mut normal = j.transpose() * &j;
            for k in 0..n {
                normal[(k, k)] += damping;
            }
            let right = -(j.transpose() * r);
            let Some(factors) = normal.cholesky() else { break };
            let mut step = factors.solve(&right);
            let longest = step.iter().map(|x| x.abs()).fold(0.0, Real::max);
            if longest > LONGEST_STEP {
                step *= LONGEST_STEP / longest;
            }
            let mut moved = coordinates.clone();
            self.step(&mut moved, step.as_slice());
            let next = residual(self, &moved);
            let gap = size(&next.gaps);
            if gap < best {
                *coordinates = moved;
                found = next;
                let small = gap > 0.25 * best && gap < 1e-20;
                best = gap;
                damping = (damping * 0.1).max(1e-12);
                if small {
                    break;
                }
            } else {
                damping *= 10.0;
                if damping > 1e3 || best < 1e-26 {
                    break;
                }
            }
        }
        (found.gaps.iter().map(|x| x.abs()).fold(0.0, Real::max), steps)
    }

    /// The joint with the widest gap, as an error.
    pub fn widest(
        &mut self,
        coordinates: &[f64],
        joints: &[super::JointDescription],
        steps: usize,
    ) -> MechanismError {
        let plan = self.plan.plan();
        let mut memory = self.workspace.memory();
        plan.place(coordinates, &mut memory);
        let length = self.linkage.length;
        let mut worst = (0.0, 0, 0.0, 0.0);
        for (cut, link) in plan.cuts.iter().zip(&self.linkage.links) {
            let [a, b, c, d, e, f] = plan.gap_of(cut, &memory);
            let (distance, angle) = ((a * a + b * b + c * c).sqrt(), (d * d + e * e + f * f).sqrt());
            let size = distance / length + angle;
            if !(size <= worst.0) {
                worst = (size, link.joint, distance, angle);
            }
        }
        let joint = &joints[worst.1];
        MechanismError::OpenLoop {
            joint: joint.name.clone(),
            bodies: [joint.parent.clone(), joint.child.clone()],
            distance: worst.2,
            angle: worst.3,
            steps,
        }
    }

    /// A joint whose rows are closed with its axis turned round.
    pub fn flipped(&mut self, coordinates: &[f64]) -> Option<usize> {
        let clusters = self.clusters(coordinates);
        self.linkage.links.iter().find_map(|link| {
            let [p, c] = [0, 1].map(|end| clusters[link.ends[end]].then(&link.frames[end]));
            let wrong = match link.kind {
                JointType::Spherical | JointType::Universal => false,
                JointType::Revolute | JointType::Cylindrical | JointType::Planar => p.z.dot(c.z) < 0.0,
                JointType::Prismatic | JointType::Fixed => p.z.dot(c.z) < 0.0 || p.x.dot(c.x) < 0.0,
            };
            wrong.then_some(link.joint)
        })
    }
}

/// An angle within ±half a turn.
pub(super) fn turn(angle: f64) -> f64 {
    let tau = std::f64::consts::TAU;
    angle - tau * (angle / tau).round()
}
