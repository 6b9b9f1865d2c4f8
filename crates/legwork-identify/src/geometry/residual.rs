//! Measured minus computed, and its exact derivatives by the parameters of the robot and by what is unknown of the measurement:
//! frame of the tracker, target, planes, centre of a ball bar, zeros of sensors.
//!
//! With U = (R_U, x) the tool in the robot's frame, o the target in it, F = (R_F, t) the robot's frame in the tracker's,
//! y = x + R_U o:
//!
//! ```text
//! position    m − (R_F y + t)            δ: R_F δy + w × R_F y + δt,   δy = δx + ω × R_U o + R_U δo   (1)
//! orientation log(R_m (R_F R_U R_O)ᵀ)     δ: R_F ω + w + R_F R_U u                                    (2)
//! plane       h − (n·y − d)               δ: n·δy + δn·y − δd                                         (3)
//! distance    r − |y − c|                 δ: e·(δy − δc),   e = (y − c)/|y − c|                       (4)
//! sensor      s − (θ − z)                 δ: ∂θ/∂x δx + ∂θ/∂p δp − δz                                 (5)
//! ```

use super::model::{Built, Model, Place, pose_of, wrapped};
use super::observation::{Kind, Noise, Observations, Setup};
use legwork::engine::{Pose, turn_by};
use legwork::{M3, V3};
use nalgebra::{DMatrix, DVector, Matrix3, SymmetricEigen};

/// What is unknown of the measurement itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknowns {
    /// The robot's frame in that of the tracker.
    pub frame: Pose<f64>,
    /// The target in the frame of the tool \[m\].
    pub target: V3<f64>,
    /// Axes of the target in the frame of the tool.
    pub target_turn: M3<f64>,
    /// Normals and distances of the planes.
    pub planes: Vec<(V3<f64>, f64)>,
    /// Centre of a ball bar \[m\].
    pub centre: V3<f64>,
    /// Zeros of the sensors.
    pub zeros: Vec<f64>,
}

/// The places of the unknowns behind the parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Components of shifts of the frame, then axes of its turns.
    pub frame: Vec<usize>,
    /// Components of the target.
    pub target: Vec<usize>,
    /// Axes of the target's turns.
    pub target_turn: Vec<usize>,
    /// How many planes are unknown.
    pub planes: usize,
    /// Components of the centre.
    pub centre: Vec<usize>,
    /// How many zeros are unknown.
    pub zeros: usize,
}

impl Layout {
    /// How many numbers that is.
    pub fn count(&self) -> usize {
        self.frame.len()
            + self.target.len()
            + self.target_turn.len()
            + 3 * self.planes
            + self.centre.len()
            + self.zeros
    }

    /// Names, in order.
    pub fn names(&self) -> Vec<String> {
        let axis = ["x", "y", "z"];
        let mut names = Vec::new();
        for k in &self.frame {
            names.push(format!("frame.{}{}", if *k < 3 { "" } else { "r" }, axis[k % 3]));
        }
        names.extend(self.target.iter().map(|k| format!("target.{}", axis[*k])));
        names.extend(self.target_turn.iter().map(|k| format!("target.r{}", axis[*k])));
        for plane in 1..=self.planes {
            names.extend(["tilt 1", "tilt 2", "height"].map(|what| format!("plane {plane} {what}")));
        }
        names.extend(self.centre.iter().map(|k| format!("centre.{}", axis[*k])));
        names.extend((1..=self.zeros).map(|k| format!("sensor {k} zero")));
        names
    }
}

/// Numbers that belong together: the position of one row.
#[derive(Clone, Debug)]
pub struct Block {
    /// The row, from 0.
    pub row: usize,
    /// What it is of.
    pub kind: Kind,
    /// Measured minus computed, in standard deviations.
    pub residual: DVector<f64>,
    /// Slopes of what is computed, in standard deviations; parameters first.
    pub slopes: DMatrix<f64>,
}

/// A robot, what was measured on it, and what is known of how.
pub struct Problem<'a> {
    /// The robot.
    pub model: &'a Model,
    /// What was measured.
    pub data: &'a Observations,
    /// What is known of how.
    pub setup: Setup,
    /// Its noise.
    pub noise: Noise,
    /// What is unknown of how.
    pub layout: Layout,
    /// Where the robot of the file is in each row, and at the other end of a distance.
    pub starts: Vec<[Option<Place>; 2]>,
}

/// No turn.
fn straight() -> M3<f64> {
    Pose::identity().rotation
}

/// Two directions across a normal.
fn across(normal: V3<f64>) -> [V3<f64>; 2] {
    let other = if normal.x.abs() < 0.7 { V3::new(1.0, 0.0, 0.0) } else { V3::new(0.0, 1.0, 0.0) };
    let first = normal.cross(other);
    let first = first * (1.0 / first.norm_sq().sqrt());
    [first, normal.cross(first)]
}

/// The rotation vector of a small or large turn.
fn logarithm(turn: M3<f64>) -> V3<f64> {
    Pose::identity().way_to(&Pose::new(turn, V3::zero())).angular
}

impl Problem<'_> {
    /// What is unknown of how it was measured, by the robot's freedoms and what was measured.
    pub fn layout(model: &Model, data: &Observations, setup: &Setup) -> Layout {
        let moves = &model.drawn.moves;
        let has = |k: usize| moves.contains(&k);
        let turns: Vec<usize> = (3..6).filter(|k| has(*k)).collect();
        let is_planar = model.drawn.is_planar();
        let any_position = data.rows.iter().any(|row| row.position.iter().any(Option::is_some));
        let any_rotation = data.rows.iter().any(|row| row.rotation.is_some());
        let seen = |k: &usize| data.rows.iter().any(|row| row.position[*k].is_some());
        let mut layout = Layout::default();
        if (any_position || any_rotation) && !setup.frame_is_known {
            // A tracker that sees the height, too, may stand any way to the plane of the robot.
            let in_plane = is_planar && !seen(&2) && !any_rotation;
            layout.frame = if in_plane { vec![0, 1, 5] } else { vec![0, 1, 2, 3, 4, 5] };
            layout.frame.retain(|k| *k >= 3 || seen(k) || !any_position);
        }
        if setup.target.is_none() && (any_position || data.rows.iter().any(|row| row.distance.is_some())) {
            // A platform that does not turn moves its target as itself: with the frame found, that is all there is.
            layout.target = match (turns.len(), setup.frame_is_known) {
                (0, false) => vec![],
                (0, true) => (0..3).filter(|k| seen(k)).collect(),
                (1, _) => (0..3).filter(|k| *k != turns[0] - 3).collect(),
                _ => vec![0, 1, 2],
            };
            if is_planar {
                layout.target.retain(|k| *k < 2);
            }
        }
        // In the robot's own frame, a target whose place on the tool is known shows the tool's axes.
        let target_is_known = setup.frame_is_known && setup.target.is_some();
        if any_rotation && !turns.is_empty() && !target_is_known {
            layout.target_turn = if is_planar { vec![2] } else { vec![0, 1, 2] };
            // With one axis both turns are one.
            if turns.len() == 1 && !setup.frame_is_known {
                layout.target_turn.clear();
            }
        }
        let planes = data.rows.iter().filter_map(|row| row.plane.map(|plane| plane.0 + 1)).max().unwrap_or(0);
        layout.planes = if setup.plane_height.is_some() { 0 } else { planes };
        let bar = data.rows.iter().any(|row| matches!(row.distance, Some((_, None))));
        if bar && setup.centre.is_none() {
            layout.centre = if is_planar { vec![0, 1] } else { vec![0, 1, 2] };
        }
        layout.zeros = if setup.sensors_are_zeroed { 0 } else { data.sensors.len() };
        layout
    }

    #[allow(clippy::type_complexity)] // tool, target, and slopes of both
    /// Where the target is, with its slopes by the parameters and by the target.
    fn target_at(
        &self,
        built: &Built,
        values: &[f64],
        unknowns: &Unknowns,
        place: &Place,
    ) -> Option<(Pose<f64>, V3<f64>, DMatrix<f64>, DMatrix<f64>)> {
        let drawn = &self.model.drawn;
        let platform = self.model.slopes(built, values, place)?.platform;
        let user = self.model.to_user(&place.pose);
        let turn = drawn.base.rotation;
        // The tool point and the target move with the platform.
        let arm = turn * (place.pose.rotation * drawn.tool.position) + user.rotation * unknowns.target;
        let count = self.model.parameters.list.len();
        let (mut point, mut spin) = (DMatrix::zeros(3, count), DMatrix::zeros(3, count));
        for k in 0..count {
            let six = platform.column(k);
            let shift = turn * V3::new(six[0], six[1], six[2]);
            let omega = turn * V3::new(six[3], six[4], six[5]);
            let moved = shift + omega.cross(arm);
            for (row, (a, b)) in moved.to_array().into_iter().zip(omega.to_array()).enumerate() {
                point[(row, k)] = a;
                spin[(row, k)] = b;
            }
        }
        let y = user.position + user.rotation * unknowns.target;
        Some((user, y, point, spin))
    }

    /// Every block at these values; `None` if some row has no pose. `poses` are starts, and become what was found.
    pub fn blocks(
        &self,
        values: &[f64],
        unknowns: &Unknowns,
        poses: &mut [[Option<Place>; 2]],
    ) -> Option<Vec<Block>> {
        let built = self.model.built(values);
        let mut blocks = Vec::new();
        for (k, (row, start)) in self.data.rows.iter().zip(poses.iter_mut()).enumerate() {
            let [here, other] = start;
            let place = self.model.pose(&built, &row.q, here.as_ref()?)?;
            self.row_blocks(k, &built, values, unknowns, &place, other, &mut blocks)?;
            *here = Some(place);
        }
        blocks
            .iter()
            .all(|b: &Block| b.residual.iter().chain(b.slopes.iter()).all(|x| x.is_finite()))
            .then_some(blocks)
    }

    #[allow(clippy::too_many_arguments, clippy::too_many_lines)] // one paragraph for each equation
    fn row_blocks(
        &self,
        k: usize,
        built: &Built,
        values: &[f64],
        unknowns: &Unknowns,
        place: &Place,
        other: &mut Option<Place>,
        blocks: &mut Vec<Block>,
    ) -> Option<()> {
        let (row, layout) = (&self.data.rows[k], &self.layout);
        let (count, all) = (values.len(), values.len() + layout.count());
        let (user, y, point, spin) = self.target_at(built, values, unknowns, place)?;
        let frame = unknowns.frame;
        let [frame_at, target_at] = [count, count + layout.frame.len()];
        let turn_at = target_at + layout.target.len();
        let plane_at = turn_at + layout.target_turn.len();
        let centre_at = plane_at + 3 * layout.planes;
        let zero_at = centre_at + layout.centre.len();
        let unit =
            |axis: usize| V3::from(std::array::from_fn::<f64, 3, _>(|j| f64::from(u8::from(j == axis))));
        let turned = |turn: M3<f64>, by: &DMatrix<f64>, column: usize| {
            turn * V3::new(by[(0, column)], by[(1, column)], by[(2, column)])
        };
        let mut push = |kind: Kind, residual: Vec<f64>, mut slopes: DMatrix<f64>| {
            let sigma = self.noise.of(kind);
            slopes /= sigma;
            blocks.push(Block { row: k, kind, residual: DVector::from_vec(residual) / sigma, slopes });
        };
        let seen: Vec<usize> = (0..3).filter(|axis| row.position[*axis].is_some()).collect();
        if !seen.is_empty() {
            // (1)
            let point_seen = frame.of(y);
            let mut slopes = DMatrix::zeros(seen.len(), all);
            let mut put = |column: usize, v: V3<f64>| {
                for (line, axis) in seen.iter().enumerate() {
                    slopes[(line, column)] = v.to_array()[*axis];
                }
            };
            for parameter in 0..count {
                put(parameter, turned(frame.rotation, &point, parameter));
            }
            for (slot, which) in layout.frame.iter().enumerate() {
                let axis = unit(which % 3);
                put(frame_at + slot, if *which < 3 { axis } else { axis.cross(frame.rotation * y) });
            }
            for (slot, axis) in layout.target.iter().enumerate() {
                put(target_at + slot, frame.rotation * (user.rotation * unit(*axis)));
            }
            let residual = seen
                .iter()
                .map(|axis| row.position[*axis].unwrap_or(0.0) - point_seen.to_array()[*axis])
                .collect();
            push(Kind::Position, residual, slopes);
        }
        let can_turn = self.model.drawn.turns();
        if let Some(measured) = row.rotation.filter(|_| can_turn) {
            // (2)
            let computed = frame.rotation * user.rotation * unknowns.target_turn;
            let residual = logarithm(measured * computed.transpose());
            let mut slopes = DMatrix::zeros(3, all);
            let mut put = |column: usize, v: V3<f64>| {
                for (line, x) in v.to_array().into_iter().enumerate() {
                    slopes[(line, column)] = x;
                }
            };
            for parameter in 0..count {
                put(parameter, turned(frame.rotation, &spin, parameter));
            }
            for (slot, which) in layout.frame.iter().enumerate().filter(|(_, which)| **which >= 3) {
                put(frame_at + slot, unit(which % 3));
            }
            for (slot, axis) in layout.target_turn.iter().enumerate() {
                put(turn_at + slot, frame.rotation * (user.rotation * unit(*axis)));
            }
            push(Kind::Rotation, residual.to_array().to_vec(), slopes);
        }
        if let Some((plane, height)) = row.plane {
            // (3)
            let (normal, distance) = unknowns.planes.get(plane).copied()?;
            let mut slopes = DMatrix::zeros(1, all);
            for parameter in 0..count {
                slopes[(0, parameter)] = normal.dot(turned(straight(), &point, parameter));
            }
            if layout.planes > 0 {
                let [first, second] = across(normal);
                slopes[(0, plane_at + 3 * plane)] = first.dot(y);
                slopes[(0, plane_at + 3 * plane + 1)] = second.dot(y);
                slopes[(0, plane_at + 3 * plane + 2)] = -1.0;
            }
            push(Kind::Plane, vec![height - (normal.dot(y) - distance)], slopes);
        }
        if let Some((measured, to)) = &row.distance {
            // (4)
            let (end, end_slopes, end_turn) = match to {
                None => (unknowns.centre, None, None),
                Some(q) => {
                    let end = self.model.pose(built, q, other.as_ref()?)?;
                    let (user, y, point, _) = self.target_at(built, values, unknowns, &end)?;
                    *other = Some(end);
                    (y, Some(point), Some(user.rotation))
                }
            };
            let gap = y - end;
            let length = gap.norm_sq().sqrt();
            let e = gap * (1.0 / length);
            let mut slopes = DMatrix::zeros(1, all);
            for parameter in 0..count {
                let mut moved = turned(straight(), &point, parameter);
                if let Some(end) = &end_slopes {
                    moved = moved - turned(straight(), end, parameter);
                }
                slopes[(0, parameter)] = e.dot(moved);
            }
            for (slot, axis) in layout.target.iter().enumerate() {
                let mut moved = user.rotation * unit(*axis);
                if let Some(turn) = end_turn {
                    moved = moved - turn * unit(*axis);
                }
                slopes[(0, target_at + slot)] = e.dot(moved);
            }
            if to.is_none() {
                for (slot, axis) in layout.centre.iter().enumerate() {
                    slopes[(0, centre_at + slot)] = -e.dot(unit(*axis));
                }
            }
            push(Kind::Distance, vec![measured - length], slopes);
        }
        for (sensor, (sensor_joint, reading)) in self.data.sensors.iter().zip(&row.sensors).enumerate() {
            // (5)
            let (value, by) = self.model.joint(built, values, place, *sensor_joint)?;
            let mut slopes = DMatrix::zeros(1, all);
            for (parameter, slope) in by.into_iter().enumerate() {
                slopes[(0, parameter)] = slope;
            }
            if layout.zeros > 0 {
                slopes[(0, zero_at + sensor)] = -1.0;
            }
            let zero = unknowns.zeros.get(sensor).copied().unwrap_or(0.0);
            push(Kind::Sensor, vec![wrapped(reading - (value - zero))], slopes);
        }
        Some(())
    }

    /// The unknowns after a step, behind the parameters.
    pub fn stepped(&self, unknowns: &Unknowns, step: &[f64]) -> Unknowns {
        let layout = &self.layout;
        let mut next = unknowns.clone();
        let mut steps = step.iter().copied();
        let mut take = || steps.next().unwrap_or(0.0);
        let (mut shift, mut turn) = ([0.0; 3], [0.0; 3]);
        for which in &layout.frame {
            if *which < 3 { shift[*which] = take() } else { turn[*which - 3] = take() }
        }
        next.frame = Pose::new(
            turn_by(V3::from(turn)) * unknowns.frame.rotation,
            unknowns.frame.position + V3::from(shift),
        );
        let mut target = [0.0; 3];
        layout.target.iter().for_each(|axis| target[*axis] = take());
        next.target = unknowns.target + V3::from(target);
        let mut own = [0.0; 3];
        layout.target_turn.iter().for_each(|axis| own[*axis] = take());
        next.target_turn = turn_by(V3::from(own)) * unknowns.target_turn;
        for (normal, distance) in next.planes.iter_mut().take(layout.planes) {
            let [first, second] = across(*normal);
            let tilted = *normal + first * take() + second * take();
            *normal = tilted * (1.0 / tilted.norm_sq().sqrt());
            *distance += take();
        }
        let mut centre = [0.0; 3];
        layout.centre.iter().for_each(|axis| centre[*axis] = take());
        next.centre = unknowns.centre + V3::from(centre);
        next.zeros.iter_mut().take(layout.zeros).for_each(|zero| *zero += take());
        next
    }

    /// First guesses from the robot of the file, and by what factor the measured positions are larger than its own.
    pub fn first_guess(&self) -> (Unknowns, Option<f64>) {
        let target = V3::from(self.setup.target.unwrap_or([0.0; 3]));
        let mut guess = Unknowns {
            frame: Pose::identity(),
            target,
            target_turn: straight(),
            planes: vec![(V3::along_z(1.0), self.setup.plane_height.unwrap_or(0.0))],
            centre: V3::from(self.setup.centre.unwrap_or([0.0; 3])),
            zeros: vec![0.0; self.data.sensors.len()],
        };
        let user: Vec<Option<Pose<f64>>> = self
            .starts
            .iter()
            .map(|start| start[0].as_ref().map(|at| self.model.to_user(&at.pose)))
            .collect();
        let point = |k: usize| user[k].map(|user| user.position + user.rotation * target);
        let is_planar = self.model.drawn.is_planar();
        let pairs: Vec<(V3<f64>, V3<f64>)> = (0..self.data.rows.len())
            .filter_map(|k| {
                let [x, y, z] = self.data.rows[k].position;
                let z = if is_planar { z.or(Some(point(k)?.z)) } else { z };
                Some((point(k)?, V3::new(x?, y?, z?)))
            })
            .collect();
        let mut scale = None;
        if pairs.len() > 1 {
            let (frame, factor) = fitted_frame(&pairs);
            scale = Some(factor);
            if !self.setup.frame_is_known {
                guess.frame = frame;
            }
        }
        if let Some((k, measured)) =
            self.data.rows.iter().enumerate().find_map(|(k, row)| Some((k, row.rotation?)))
            && let Some(user) = user[k]
        {
            guess.target_turn = (guess.frame.rotation * user.rotation).transpose() * measured;
            if self.layout.target_turn.is_empty() {
                guess.target_turn = straight();
                if pairs.len() < 2 && !self.setup.frame_is_known {
                    guess.frame = Pose::new(measured * user.rotation.transpose(), V3::zero());
                }
            }
        }
        if self.layout.planes > 0 {
            guess.planes = (0..self.layout.planes)
                .map(|plane| {
                    let on = |k: &usize| self.data.rows[*k].plane.is_some_and(|(own, _)| own == plane);
                    let points: Vec<V3<f64>> =
                        (0..self.data.rows.len()).filter(on).filter_map(point).collect();
                    fitted_plane(&points)
                })
                .collect();
        } else if let Some(planes) = self.data.rows.iter().filter_map(|row| row.plane.map(|p| p.0 + 1)).max()
        {
            guess.planes = vec![guess.planes[0]; planes];
        }
        if !self.layout.centre.is_empty() {
            let ends: Vec<(V3<f64>, f64)> = (0..self.data.rows.len())
                .filter_map(|k| match self.data.rows[k].distance {
                    Some((length, None)) => Some((point(k)?, length)),
                    _ => None,
                })
                .collect();
            guess.centre = fitted_centre(&ends, is_planar);
        }
        if self.layout.zeros > 0 {
            let none = vec![0.0; self.model.parameters.list.len()];
            let built = self.model.built(&none);
            for (sensor, joint) in self.data.sensors.iter().enumerate() {
                let first = self.data.rows.iter().zip(&self.starts).find_map(|(row, start)| {
                    let value = self.model.joint(&built, &none, start[0].as_ref()?, *joint)?.0;
                    Some(value - row.sensors.get(sensor)?)
                });
                guess.zeros[sensor] = wrapped(first.unwrap_or(0.0));
            }
        }
        (guess, scale)
    }
}

fn mean(points: impl Iterator<Item = V3<f64>>) -> V3<f64> {
    let (sum, count) = points.fold((V3::zero(), 0.0), |(sum, count), p| (sum + p, count + 1.0));
    sum * (1.0 / f64::max(count, 1.0))
}

fn matrix(m: Matrix3<f64>) -> M3<f64> {
    let row = |k: usize| V3::new(m[(k, 0)], m[(k, 1)], m[(k, 2)]);
    M3::from_rows(row(0), row(1), row(2))
}

/// The frame that brings the first points to the second ones best, and how much larger the second ones are (Kabsch).
fn fitted_frame(pairs: &[(V3<f64>, V3<f64>)]) -> (Pose<f64>, f64) {
    let (from, to) = (mean(pairs.iter().map(|p| p.0)), mean(pairs.iter().map(|p| p.1)));
    let mut h: Matrix3<f64> = Matrix3::zeros();
    let mut spread = [0.0; 2];
    for (a, b) in pairs {
        let (a, b) = (*a - from, *b - to);
        spread[0] += a.norm_sq();
        spread[1] += b.norm_sq();
        for (i, x) in b.to_array().into_iter().enumerate() {
            for (j, y) in a.to_array().into_iter().enumerate() {
                h[(i, j)] += x * y;
            }
        }
    }
    let svd = h.svd(true, true);
    let (Some(u), Some(vt)) = (svd.u, svd.v_t) else { return (Pose::identity(), 1.0) };
    let both: Matrix3<f64> = u * vt;
    let side = both.determinant().signum();
    let turn = matrix(u * Matrix3::from_diagonal(&nalgebra::Vector3::new(1.0, 1.0, side)) * vt);
    (Pose::new(turn, to - turn * from), (spread[1] / spread[0]).sqrt())
}

/// Normal and distance of the plane through points, its normal upward.
fn fitted_plane(points: &[V3<f64>]) -> (V3<f64>, f64) {
    let middle = mean(points.iter().copied());
    let mut h: Matrix3<f64> = Matrix3::zeros();
    for p in points {
        let d = (*p - middle).to_array();
        for i in 0..3 {
            for j in 0..3 {
                h[(i, j)] += d[i] * d[j];
            }
        }
    }
    let eigen = SymmetricEigen::new(h);
    let least = eigen.eigenvalues.imin();
    let v = eigen.eigenvectors.column(least);
    let side = if v[2] < 0.0 { -1.0 } else { 1.0 };
    let normal = V3::new(v[0], v[1], v[2]) * side;
    (normal, normal.dot(middle))
}

/// The centre from which the points have these distances: |p|² − r² = 2 p·c − k, linear in c and k.
fn fitted_centre(ends: &[(V3<f64>, f64)], is_planar: bool) -> V3<f64> {
    let axes = if is_planar { 2 } else { 3 };
    let rows =
        DMatrix::from_fn(
            ends.len(),
            axes + 1,
            |k, j| {
                if j < axes { 2.0 * ends[k].0.to_array()[j] } else { -1.0 }
            },
        );
    let right = DVector::from_fn(ends.len(), |k, _| ends[k].0.norm_sq() - ends[k].1 * ends[k].1);
    let found = rows.svd(true, true).solve(&right, 1e-9).unwrap_or_else(|_| DVector::zeros(axes + 1));
    let mut centre = [0.0; 3];
    centre.iter_mut().zip(found.iter()).take(axes).for_each(|(slot, x)| *slot = *x);
    V3::from(centre)
}

/// A pose as a result shows it.
pub fn shown(pose: &Pose<f64>) -> ([f64; 3], [[f64; 3]; 3]) {
    (pose.position.to_array(), pose.rotation.to_rows())
}

/// The pose that a tracker sees of the target.
pub fn seen(unknowns: &Unknowns, user: &Pose<f64>) -> Pose<f64> {
    let target = Pose::new(unknowns.target_turn, unknowns.target);
    unknowns.frame * *user * target
}

/// Checked again by others: a frame of numbers.
pub fn frame_of(position: [f64; 3], rotation: [[f64; 3]; 3]) -> Pose<f64> {
    pose_of(&position, &rotation)
}
