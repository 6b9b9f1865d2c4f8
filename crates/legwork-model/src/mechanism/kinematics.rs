//! Where a mechanism goes: continuation along a branch, with motors or the platform given.

use super::MechanismError;
use super::assembly::turn;
use super::model::{Configuration, MechanismModel, largest};
use super::orders::{Other, WayEnd};
use super::owned::{Search, Workspace};
use super::small::{moved, solve_small, turn_between, turning_away};
use crate::rotation::Matrix;
use legwork_core::engine::{Pose, Twist};
use legwork_core::mechanism::{Frame, Memory, Motor, NONE};
use legwork_core::{M3, V3};

/// Steps of one continuation at most, tried ones included.
const MOST_STEPS: usize = 400;
/// Newton's corrections of one step before it is halved.
const CORRECTIONS: usize = 6;
/// A rate moves by so much in one step at most \[rad, lengths of the mechanism\].
const LONGEST: f64 = 0.3;
/// Gaps below this, in lengths of the mechanism and rad, are closed.
const CLOSED: f64 = 1e-13;
/// Corrections below this \[rad, lengths of the mechanism\] are rounding, and need not become smaller.
const ROUNDING: f64 = 1e-9;
/// Shortest step, as a part of the way.
const SHORTEST: f64 = 1e-5;

/// Where a platform shall go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// The whole pose counts: it must be one that the mechanism can have.
    Pose,
    /// Only the independent coordinates count; the others follow.
    Independent,
}

/// A pose of a platform: its point and its rotation by rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlatformPose {
    /// The platform's point in the world \[m\].
    pub position: [f64; 3],
    /// Maps vectors of the platform to the world.
    pub rotation: Matrix,
}

impl PlatformPose {
    fn of(frame: &Frame<f64>, origin: V3<f64>) -> Self {
        let pose = frame.to_pose();
        Self { position: (pose.position + origin).to_array(), rotation: pose.rotation.to_rows() }
    }

    fn frame(&self, origin: V3<f64>) -> Frame<f64> {
        let rows = self.rotation.map(V3::from);
        let rotation = M3::from_rows(rows[0], rows[1], rows[2]);
        Frame::from_pose(&Pose::new(rotation, V3::from(self.position) - origin))
    }
}

impl MechanismModel {
    /// Values of all motors in a configuration \[rad or m\].
    pub fn motor_values(&self, at: &Configuration) -> Vec<f64> {
        self.plan.motors.iter().map(|motor| at.0.get(motor.coordinate).copied().unwrap_or(f64::NAN)).collect()
    }

    /// The platform's pose in a configuration.
    pub fn platform_pose(&self, at: &Configuration, workspace: &mut Workspace<f64>) -> PlatformPose {
        let plan = self.plan.plan();
        let mut memory = workspace.memory();
        plan.place(&at.0, &mut memory);
        PlatformPose::of(&plan.platform_frame(&memory), self.origin())
    }

    /// Poses of all bodies in a configuration, in the order of the description.
    pub fn body_poses(&self, at: &Configuration, workspace: &mut Workspace<f64>) -> Vec<PlatformPose> {
        let plan = self.plan.plan();
        let mut memory = workspace.memory();
        plan.place(&at.0, &mut memory);
        let pose = |(body, frame): &(usize, Frame<f64>)| {
            let origin = if *body == 0 { V3::zero() } else { self.origin() };
            PlatformPose::of(&memory.frames[*body].then(frame), origin)
        };
        self.bodies.iter().map(pose).collect()
    }

    /// How far the loops are open, in lengths of the mechanism and rad.
    pub fn closing_gap(&self, at: &Configuration, workspace: &mut Workspace<f64>) -> f64 {
        let plan = self.plan.plan();
        let mut memory = workspace.memory();
        plan.place(&at.0, &mut memory);
        let (lengths, angles) = plan.gaps(&mut memory);
        (lengths / self.length().powi(2) + angles).sqrt()
    }

    /// The smallest pivot of a configuration relative to where the plan was made; zero is singular.
    pub fn margin(&self, at: &Configuration, workspace: &mut Workspace<f64>) -> f64 {
        self.margin_at(&at.0, workspace)
    }

    pub(super) fn margin_at(&self, coordinates: &[f64], workspace: &mut Workspace<f64>) -> f64 {
        let plan = self.plan.plan();
        let mut memory = workspace.memory();
        plan.place(coordinates, &mut memory);
        plan.close(&mut memory)
    }

    /// The branch of a configuration: a sign for each leg and for the core, which change at singularities only. The
    /// sign is that of the determinant of the block's pivots.
    pub fn branch(&self, at: &Configuration, workspace: &mut Workspace<f64>) -> Vec<bool> {
        let plan = self.plan.plan();
        let mut memory = workspace.memory();
        plan.place(&at.0, &mut memory);
        plan.close(&mut memory);
        let mut signs = vec![false; plan.legs.len() + 1];
        self.write_signs(&memory, &mut signs);
        signs
    }

    fn write_signs(&self, memory: &Memory<'_, f64>, signs: &mut [bool]) {
        let blocks = self.plan.legs.iter().chain([&self.plan.core]);
        let negative = |inverses: &[f64]| inverses.iter().filter(|x| **x < 0.0).count() % 2 == 1;
        for (sign, block) in signs.iter_mut().zip(blocks) {
            *sign = negative(block.pivots.of(memory.inverses));
        }
    }

    fn longest(&self, step: &[f64]) -> f64 {
        let mut longest = 0.0_f64;
        for body in &self.plan.bodies {
            use legwork_core::mechanism::TreeJoint as J;
            for k in 0..body.joint.freedoms() {
                let linear = match body.joint {
                    J::Prismatic => true,
                    J::Cylindrical => k == 0,
                    J::Planar => k < 2,
                    J::Free => k > 2,
                    _ => false,
                };
                let x = step[body.freedom + k].abs();
                longest = longest.max(if linear { x / self.length() } else { x });
            }
        }
        longest
    }

    /// Gap at these coordinates, in proportion. Frames and gaps are left in the workspace.
    fn gap_at(&self, coordinates: &[f64], workspace: &mut Workspace<f64>) -> f64 {
        let plan = self.plan.plan();
        let mut memory = workspace.memory();
        plan.place(coordinates, &mut memory);
        plan.gaps(&mut memory);
        // Of the rows that are kept: dependent ones of rounded geometry stay open.
        let mut sum = 0.0;
        for block in plan.legs.iter().chain([&plan.core]) {
            for cut in block.cuts.of(plan.cuts) {
                for (place, row) in cut.rows.into_iter().enumerate().filter(|(_, row)| *row < NONE) {
                    let gap = block.rows.of(memory.gaps)[row];
                    sum += if place < 3 { (gap / self.length()).powi(2) } else { gap * gap };
                }
            }
        }
        sum.sqrt()
    }

    /// Newton's method on the loops with all independent motors held. `None` if it does not converge.
    fn correct(
        &self,
        coordinates: &mut [f64],
        still: &mut [f64],
        workspace: &mut Workspace<f64>,
    ) -> Option<usize> {
        let plan = self.plan.plan();
        still.fill(0.0);
        let mut last = f64::INFINITY;
        for round in 0..=CORRECTIONS {
            let gap = self.gap_at(coordinates, workspace);
            if gap <= CLOSED || (gap <= 1e-10 && gap >= 0.5 * last) {
                return Some(round);
            }
            if !gap.is_finite() || (round > 1 && gap > 0.9 * last) {
                return None;
            }
            last = gap;
            let mut memory = workspace.memory();
            plan.close(&mut memory);
            plan.closing_step(still, &mut memory);
            if !(self.longest(memory.accelerations) <= 2.0) {
                return None;
            }
            plan.step(coordinates, memory.accelerations);
        }
        None
    }

    /// Closes the loops of nearly closed coordinates by Newton's method, the motors as they are.
    pub fn closed(
        &self,
        near: &Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<Configuration, MechanismError> {
        let mut coordinates = near.0.clone();
        let mut still = vec![0.0; self.plan.plan().independent()];
        match self.correct(&mut coordinates, &mut still, workspace) {
            Some(_) => Ok(Configuration(coordinates)),
            None => Err(MechanismError::EndOfBranch {
                reached: 0.0,
                margin: self.margin(near, workspace),
                joint: self.widest_joint(workspace),
            }),
        }
    }

    /// Forward kinematics: from a configuration along a straight line in the independent motors to these values of all
    /// motors, on the branch of the start. Angles go the shorter way round.
    pub fn forward_kinematics(
        &self,
        motors: &[f64],
        start: &Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<Configuration, MechanismError> {
        let mut found = start.clone();
        self.forward_kinematics_into(motors, &mut found, workspace)?;
        Ok(found)
    }

    /// The same from a configuration in its place. Where it ends without an answer, the configuration is that of the last
    /// good step.
    pub fn forward_kinematics_into(
        &self,
        motors: &[f64],
        at: &mut Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<(), MechanismError> {
        self.go((workspace, &mut Other::Own), at, false, &mut |model, at, room| model.go_by(motors, at, room))
    }

    /// The same in this order of elimination; the margin at the end.
    pub(crate) fn go_by(
        &self,
        motors: &[f64],
        at: &mut Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<f64, WayEnd> {
        self.check_motors("values of motors", motors)?;
        let mut way = std::mem::take(&mut workspace.search.right);
        self.write_way_of_motors(motors, at, &mut way);
        let followed = self.follow_motors_into(&way, at, workspace);
        workspace.search.right = way;
        let margin = followed?;
        for ((motor, info), value) in self.plan.motors.iter().zip(&self.motors).zip(motors) {
            let at = at.0[motor.coordinate];
            let off = if info.slides { (at - value) / self.length() } else { turn(at - value) };
            if motor.independent == NONE && !(off.abs() <= 1e-6) {
                let motor = info.name.clone();
                return Err(MechanismError::Contradiction { motor, follows: at, given: *value }.into());
            }
        }
        Ok(margin)
    }

    /// By how much the independent motors move from a configuration to these values of all motors; angles the shorter
    /// way round.
    pub fn way_of_motors(&self, motors: &[f64], start: &Configuration) -> Vec<f64> {
        let mut way = vec![0.0; self.plan.plan().independent()];
        self.write_way_of_motors(motors, start, &mut way);
        way
    }

    fn write_way_of_motors(&self, motors: &[f64], start: &Configuration, way: &mut [f64]) {
        for ((motor, info), value) in self.plan.motors.iter().zip(&self.motors).zip(motors) {
            if let Some(entry) = way.get_mut(motor.independent) {
                let off = value - start.0[motor.coordinate];
                *entry = if info.slides { off } else { turn(off) };
            }
        }
    }

    /// Follows the branch of the start while the independent motors move by so much.
    pub fn follow_motors(
        &self,
        way: &[f64],
        start: &Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<Configuration, MechanismError> {
        let goal = |motor: &Motor<f64>| way.get(motor.independent).map(|by| start.0[motor.coordinate] + by);
        let goals: Vec<Option<f64>> = self.plan.motors.iter().map(goal).collect();
        let mut found = start.clone();
        self.go((workspace, &mut Other::Own), &mut found, false, &mut |model, at, room| {
            let mut left = vec![0.0; model.plan.plan().independent()];
            for ((motor, goal), info) in model.plan.motors.iter().zip(&goals).zip(&self.motors) {
                let Some(entry) = left.get_mut(motor.independent) else { continue };
                let Some(goal) = goal else {
                    // In this order a motor is independent whose way was not given.
                    let joint = info.name.clone();
                    let margin = model.margin_of_order;
                    return Err(MechanismError::EndOfBranch { reached: 0.0, margin, joint }.into());
                };
                *entry = goal - at.0[motor.coordinate];
            }
            model.follow_motors_into(&left, at, room)
        })?;
        Ok(found)
    }

    /// The same from a configuration in its place.
    fn follow_motors_into(
        &self,
        way: &[f64],
        at: &mut Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<f64, WayEnd> {
        let mut search = std::mem::take(&mut workspace.search);
        let ended = self.follow_with(way, &mut at.0, &mut search, workspace);
        workspace.search = search;
        ended.map_err(|(reached, margin)| WayEnd::Branch { reached, margin })
    }

    /// The margin at the end; or how far it came, and the margin there.
    fn follow_with(
        &self,
        way: &[f64],
        here: &mut [f64],
        search: &mut Search<f64>,
        workspace: &mut Workspace<f64>,
    ) -> Result<f64, (f64, f64)> {
        let plan = self.plan.plan();
        let mut end = f64::INFINITY;
        let Search { next, tangent, step, still, signs: [signs, now], .. } = search;
        next.copy_from_slice(here);
        if self.correct(next, still, workspace).is_some() {
            here.copy_from_slice(next);
        }
        let (mut reached, mut part) = (0.0, 1.0_f64);
        let mut steps = 0;
        while reached < 1.0 {
            self.gap_at(here, workspace);
            let mut memory = workspace.memory();
            let margin = plan.close(&mut memory);
            self.write_signs(&memory, signs);
            plan.closing_step(way, &mut memory);
            tangent.copy_from_slice(memory.accelerations);
            let whole = self.longest(tangent);
            part = part.min(1.0 - reached).min(LONGEST / whole.max(1e-300));
            loop {
                steps += 1;
                if steps > MOST_STEPS || part < SHORTEST {
                    return Err((reached, margin));
                }
                next.copy_from_slice(here);
                step.iter_mut().zip(tangent.iter()).for_each(|(step, x)| *step = x * part);
                plan.step(next, step);
                let done = self.correct(next, still, workspace);
                let same = done.is_some() && {
                    let mut memory = workspace.memory();
                    end = plan.close(&mut memory);
                    self.write_signs(&memory, now);
                    now == signs
                };
                match done {
                    Some(rounds) if same => {
                        here.copy_from_slice(next);
                        reached += part;
                        if reached > 1.0 - 1e-12 {
                            reached = 1.0;
                        }
                        part *= if rounds <= 3 { 2.0 } else { 1.0 };
                        break;
                    }
                    _ => part *= 0.5,
                }
            }
        }
        Ok(end)
    }

    /// Inverse kinematics: from a configuration along a straight way to a pose of the platform, on the branch of the
    /// start. With [`Target::Independent`] only the independent coordinates of the pose count. The way ends where the
    /// motors no longer move the platform on: beyond a stretched leg there is another branch.
    pub fn inverse_kinematics(
        &self,
        pose: &PlatformPose,
        target: Target,
        start: &Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<Configuration, MechanismError> {
        let mut found = start.clone();
        self.inverse_kinematics_into(pose, target, &mut found, workspace)?;
        Ok(found)
    }

    /// The same from a configuration in its place. Where it ends without an answer, the configuration is that of the last
    /// good step.
    pub fn inverse_kinematics_into(
        &self,
        pose: &PlatformPose,
        target: Target,
        at: &mut Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<(), MechanismError> {
        self.go((workspace, &mut Other::Own), at, false, &mut |model, at, room| {
            model.go_to(pose, target, at, room)
        })
    }

    /// The same in this order of elimination; the margin at the end.
    pub(crate) fn go_to(
        &self,
        pose: &PlatformPose,
        target: Target,
        at: &mut Configuration,
        workspace: &mut Workspace<f64>,
    ) -> Result<f64, WayEnd> {
        let plan = self.plan.plan();
        let goal = pose.frame(self.origin());
        self.gap_at(&at.0, workspace);
        let from = plan.platform_frame(&workspace.memory());
        let (shift, turned) = (goal.origin - from.origin, turn_between(&from, &goal));
        let way = (shift.norm_sq().sqrt() / self.length()).max(turned.norm_sq().sqrt());
        if !way.is_finite() {
            return Err(MechanismError::NotFinite { what: "pose of the platform" }.into());
        }
        let mut search = std::mem::take(&mut workspace.search);
        let ended = self.lead_with((&from, shift, turned, way), &mut at.0, &mut search, workspace);
        workspace.search = search;
        let margin = match ended {
            Ok(margin) => margin,
            Err((reached, None)) => return Err(WayEnd::Reach { reached }),
            Err((reached, Some(margin))) => return Err(WayEnd::Branch { reached, margin }),
        };
        if target == Target::Pose {
            let mut memory = workspace.memory();
            plan.place(&at.0, &mut memory);
            let found = plan.platform_frame(&memory);
            let distance = (goal.origin - found.origin).norm_sq().sqrt();
            let angle = turn_between(&found, &goal).norm_sq().sqrt();
            if !(distance / self.length() <= 1e-7 && angle <= 1e-7) {
                return Err(MechanismError::OffPose { distance, angle }.into());
            }
        }
        Ok(margin)
    }

    /// Along a straight motion of the platform: from a frame by a shift and a turn, whose length is `way`. The margin at its
    /// end; or how much of it was gone, and the margin where the loops ended it; no margin where the motors no longer move
    /// the platform on.
    fn lead_with(
        &self,
        (from, shift, turned, way): (&Frame<f64>, V3<f64>, V3<f64>, f64),
        here: &mut [f64],
        search: &mut Search<f64>,
        workspace: &mut Workspace<f64>,
    ) -> Result<f64, (f64, Option<f64>)> {
        let (mut reached, mut part) = (0.0, (LONGEST / way.max(1e-300)).min(1.0));
        let mut steps = 0;
        let mut memory = workspace.memory();
        let plan = self.plan.plan();
        plan.place(here, &mut memory);
        let first_margin = plan.close(&mut memory);
        self.write_signs(&memory, &mut search.signs[0]);
        let first_moves = self.motors_move_platform(search, workspace);
        let mut margin = first_margin;
        let mut moves = first_moves;
        let mut is_at_reach = false;
        while reached < 1.0 {
            steps += 1;
            if steps > MOST_STEPS || part < SHORTEST {
                // Where the platform turns back there is nothing beyond, and no change of sign is seen: what has become
                // smaller has ended the way.
                let moves_less = moves.0 / first_moves.0 < margin / first_margin;
                return Err((reached, (!is_at_reach && !moves_less).then_some(margin)));
            }
            let next_part = (reached + part).min(1.0);
            let between = moved(from, turned * next_part, shift * next_part);
            search.next.copy_from_slice(here);
            match self.reach(&between, search, workspace) {
                Some((rounds, at)) => {
                    self.write_signs(&workspace.memory(), &mut search.signs[1]);
                    let is_same = search.signs[0] == search.signs[1];
                    // With the signs of the loops, the determinant changes its own.
                    let now_moves = self.motors_move_platform(search, workspace);
                    is_at_reach = is_same && now_moves.1 * moves.1 < 0.0;
                    if is_at_reach || (!is_same && part > 64.0 * SHORTEST) {
                        part *= 0.5;
                        continue;
                    }
                    moves = now_moves;
                    here.copy_from_slice(&search.next);
                    let [signs, now] = &mut search.signs;
                    signs.copy_from_slice(now);
                    margin = at;
                    reached = next_part;
                    part *= if rounds <= 3 { 2.0 } else { 1.0 };
                    part = part.min(LONGEST / way.max(1e-300));
                }
                None => part *= 0.5,
            }
        }
        Ok(margin)
    }

    /// ∂(independent coordinates of the platform, held motors)/∂(independent motors) by rows, lengths in those of the
    /// mechanism, where the loops are eliminated and a turn is left to the goal.
    fn write_platform_slopes(&self, left: V3<f64>, square: &mut [f64], memory: &mut Memory<'_, f64>) {
        let (plan, chosen) = (self.plan.plan(), &self.mobility.coordinates);
        plan.write_slopes(memory);
        let count = plan.independent();
        for motor in 0..count {
            let column = plan.jacobian_column(motor, memory);
            let column = Twist { angular: turning_away(left, column.angular), ..column };
            let column = column.to_vector_linear_first();
            for (row, place) in chosen.iter().enumerate() {
                let size = if *place < 3 { 1.0 / self.length() } else { 1.0 };
                square[row * count + motor] = size * column[*place];
            }
        }
        for (row, (held, size)) in (chosen.len()..).zip(self.held()) {
            for motor in 0..count {
                square[row * count + motor] = size * plan.slope(held.freedom, motor, memory);
            }
        }
    }

    /// The motors that are held, and what makes their coordinates numbers of the size of a turn.
    pub(super) fn held(&self) -> impl Iterator<Item = (&Motor<f64>, f64)> {
        let size = |motor: usize| if self.motors[motor].slides { 1.0 / self.length() } else { 1.0 };
        self.mobility.held.iter().map(move |motor| (&self.plan.motors[*motor], size(*motor)))
    }

    /// The smallest pivot of the slopes, and the sign of their determinant: it changes where motors move and the platform
    /// does not, at a stretched leg.
    fn motors_move_platform(&self, search: &mut Search<f64>, workspace: &mut Workspace<f64>) -> (f64, f64) {
        let Search { square, right, .. } = search;
        self.write_platform_slopes(V3::zero(), square, &mut workspace.memory());
        right.fill(0.0);
        solve_small(square, right)
    }

    /// Newton's method on loops and independent coordinates of the platform together, held motors where they are. How
    /// many rounds, and the margin.
    fn reach(
        &self,
        goal: &Frame<f64>,
        search: &mut Search<f64>,
        workspace: &mut Workspace<f64>,
    ) -> Option<(usize, f64)> {
        let plan = self.plan.plan();
        let chosen = &self.mobility.coordinates;
        let Search { next, step, still, square, right, .. } = search;
        still.fill(0.0);
        let (mut last, mut longest) = (f64::INFINITY, 2.0);
        for round in 0..=CORRECTIONS + 2 {
            let gap = self.gap_at(next, workspace);
            let mut memory = workspace.memory();
            let now = plan.platform_frame(&memory);
            let (shift, turned) = (goal.origin - now.origin, turn_between(&now, goal));
            let off = Twist::new(shift, turned).to_vector_linear_first();
            let size = |k: usize, x: f64| if k < 3 { x / self.length() } else { x };
            let miss = largest(chosen.iter().map(|k| size(*k, off[*k]))) + gap;
            let margin = plan.close(&mut memory);
            if miss <= CLOSED || (miss <= 1e-10 && miss >= 0.5 * last) {
                return Some((round, margin));
            }
            if !miss.is_finite() || (round > 1 && miss > 0.9 * last) {
                return None;
            }
            last = miss;
            plan.closing_step(still, &mut memory);
            step.copy_from_slice(memory.accelerations);
            // What closing the loops moves the platform by.
            let mut twist = Twist::zero();
            let mut body = plan.platform.body;
            while let Some(own) = body.checked_sub(1).map(|k| &plan.bodies[k]) {
                let rates = own.freedom..own.freedom + own.joint.freedoms();
                for (column, by) in memory.columns[rates.clone()].iter().zip(&step[rates]) {
                    twist = twist + *column * *by;
                }
                body = own.parent;
            }
            let drift = twist.at(now.origin);
            let drift = Twist { angular: turning_away(turned, drift.angular), ..drift };
            let drift = drift.to_vector_linear_first();
            self.write_platform_slopes(turned, square, &mut memory);
            for (entry, k) in right.iter_mut().zip(chosen) {
                *entry = size(*k, off[*k] - drift[*k]);
            }
            // Motors that follow from others drift when loops are closed.
            for (entry, (held, size)) in right.iter_mut().skip(chosen.len()).zip(self.held()) {
                *entry = -size * step[held.freedom];
            }
            if !(solve_small(square, right).0 > 1e-12) {
                return None;
            }
            for (k, entry) in step.iter_mut().enumerate() {
                for (motor, by) in right.iter().enumerate() {
                    *entry += plan.slope(k, motor, &memory) * by;
                }
            }
            // Each step of Newton's method is at most half the last one, else it may end on another branch.
            let size = self.longest(step);
            if !(size <= longest) {
                return None;
            }
            longest = (0.5 * size).max(ROUNDING);
            plan.step(next, step);
        }
        None
    }
}
