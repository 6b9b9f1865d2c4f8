//! Another order of elimination where the mechanism's own serves no longer.
//!
//! Which rows and columns are pivots is chosen at home. Elsewhere the chosen ones may become small though the mechanism is
//! not singular: others would serve. A way that ends at small pivots is then continued with pivots that serve where it
//! ended; at a singularity all choices are small, and the way ends for good. What is taken depends on the way alone, not on
//! what was asked before.
//!
//! Orders are prepared at set-up on ways along all coordinates, as far as the mechanism goes there, and with their memory
//! they wait in every workspace: taking one allocates nothing. Where none of them serves, as on a way far from all of these,
//! one is chosen for the posture, which allocates; [`MechanismModel::prepared_for`] prepares it before.

use super::MechanismError;
use super::kinematics::{PlatformPose, Target};
use super::model::{Configuration, MechanismModel};
use super::owned::Workspace;
use std::sync::Arc;

/// Pivots this much smaller than where they were chosen are chosen again.
const LOW: f64 = 0.01;
/// Others are taken if they are better by this.
const BETTER: f64 = 10.0;
/// Choices on one way at most.
const MOST_ORDERS: usize = 8;

/// Orders that are prepared at most.
const MOST_SPARES: usize = 12;
/// How far the ways of the set-up go, in lengths of the mechanism and rad; and by a motor that turns \[rad\].
const FAR: f64 = 1.2;
const FAR_TURN: f64 = 3.0;

/// Which order is in use.
#[derive(Clone, Debug, Default)]
pub(super) enum Other {
    /// The mechanism's own.
    #[default]
    Own,
    /// One that was prepared.
    Spare(usize),
    /// One that was chosen for a posture, and memory for it.
    Made(Box<(MechanismModel, Workspace<f64>)>),
}

/// Memory of a mechanism in the order that its posture needs: its own, or another one.
#[derive(Clone, Debug)]
pub(crate) struct Ordered {
    own: Workspace<f64>,
    other: Other,
    /// The margin at which no better order was found: the next search is worth its time at a tenth of it.
    refused: f64,
}

impl Ordered {
    pub(crate) fn new(model: &MechanismModel) -> Self {
        Self { own: model.workspace(), other: Other::Own, refused: f64::INFINITY }
    }

    /// The mechanism's own order again.
    pub(crate) fn reset(&mut self) {
        self.other = Other::Own;
        self.refused = f64::INFINITY;
    }

    /// Whether the order in use is the mechanism's own.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self.other, Other::Own)
    }

    /// The mechanism in the order in use, and memory for it.
    #[inline]
    pub(crate) fn parts<'a>(
        &'a mut self,
        own: &'a MechanismModel,
    ) -> (&'a MechanismModel, &'a mut Workspace<f64>) {
        in_use(own, &mut self.own, &mut self.other)
    }

    /// Chooses again at coordinates with this margin, if the pivots have become small and others are better.
    pub(crate) fn improve(&mut self, own: &MechanismModel, coordinates: &[f64], margin: f64) -> bool {
        let refused = self.refused;
        let (model, _) = self.parts(own);
        if !model.is_low(margin) || margin > 0.1 * refused {
            return false;
        }
        let Some(found) = own.better_for(coordinates, margin, (&mut self.own, &self.other)) else {
            self.refused = margin;
            return false;
        };
        self.other = found;
        self.refused = f64::INFINITY;
        true
    }

    /// Goes a way; the order is then the one that its end needs.
    pub(crate) fn go(
        &mut self,
        own: &MechanismModel,
        at: &mut Configuration,
        way: &mut Way<'_>,
    ) -> Result<(), MechanismError> {
        own.go((&mut self.own, &mut self.other), at, true, way)
    }
}

/// A continuation from a configuration in its place: the margin where it ends.
pub(super) type Way<'w> =
    dyn FnMut(&MechanismModel, &mut Configuration, &mut Workspace<f64>) -> Result<f64, WayEnd> + 'w;

/// Why a way ended in one order; no text is made of it before it ends for good.
#[derive(Debug)]
pub(crate) enum WayEnd {
    /// The loops cannot be closed further after this part of the way; the margin there.
    Branch { reached: f64, margin: f64 },
    /// The motors no longer move the platform after this part of it.
    Reach { reached: f64 },
    /// Anything else.
    Fault(MechanismError),
}

impl From<MechanismError> for WayEnd {
    fn from(fault: MechanismError) -> Self {
        Self::Fault(fault)
    }
}

fn in_use<'a>(
    own: &'a MechanismModel,
    workspace: &'a mut Workspace<f64>,
    other: &'a mut Other,
) -> (&'a MechanismModel, &'a mut Workspace<f64>) {
    match other {
        Other::Own => (own, workspace),
        Other::Made(made) => (&made.0, &mut made.1),
        // A workspace has memory for each of the orders.
        Other::Spare(k) => (&own.spares[*k], &mut workspace.spares[*k]),
    }
}

impl MechanismModel {
    /// Whether a margin is small beside that where the order was chosen.
    fn is_low(&self, margin: f64) -> bool {
        !(margin >= LOW * self.margin_of_order)
    }

    /// The same mechanism in another order of elimination if it needs one at a posture: where the pivots have become a
    /// hundredth of what they were where they were chosen, and others are better. See [`ordered_for`](Self::ordered_for).
    pub fn suited_to(&self, at: &Configuration, workspace: &mut Workspace<f64>) -> Option<Self> {
        let margin = self.margin(at, workspace);
        if self.is_low(margin) { self.chosen_for(at, margin) } else { None }
    }

    /// The same mechanism in an order chosen for a posture if that is better than this margin.
    fn chosen_for(&self, at: &Configuration, margin: f64) -> Option<Self> {
        self.ordered_for(at).ok().filter(|other| !(other.margin_of_order <= BETTER * margin))
    }

    /// Another order than the one in use that is better than its margin at some coordinates: the mechanism's own or the best
    /// that is prepared, else one chosen there.
    fn better_for(
        &self,
        coordinates: &[f64],
        margin: f64,
        (workspace, used): (&mut Workspace<f64>, &Other),
    ) -> Option<Other> {
        let mut best = (BETTER * margin.max(0.0), None);
        if !matches!(used, Other::Own) {
            let found = self.margin_at(coordinates, workspace);
            if found > best.0 && !self.is_low(found) {
                best = (found, Some(Other::Own));
            }
        }
        for (k, (spare, memory)) in self.spares.iter().zip(&mut workspace.spares).enumerate() {
            if matches!(used, Other::Spare(own) if *own == k) {
                continue;
            }
            let found = spare.margin_at(coordinates, memory);
            if found > best.0 && !spare.is_low(found) {
                best = (found, Some(Other::Spare(k)));
            }
        }
        best.1.or_else(|| {
            let made = self.chosen_for(&Configuration(coordinates.to_vec()), margin)?;
            let memory = made.workspace();
            Some(Other::Made(Box::new((made, memory))))
        })
    }

    /// The same with the orders prepared that ways from home along all coordinates of its platform, and of its motors one by
    /// one, need.
    pub(super) fn with_orders(self) -> Self {
        let mut ways = Vec::new();
        let pose = self.platform_pose(&self.home, &mut self.workspace());
        for place in &self.mobility.coordinates {
            for sign in [-FAR, FAR] {
                let mut to = pose;
                if *place < 3 {
                    to.position[*place] += sign * self.length();
                } else {
                    let mut turn = [0.0; 3];
                    turn[*place - 3] = sign;
                    let turned = crate::rotation::from_rotation_vector(turn);
                    to.rotation = crate::rotation::product(&turned, &pose.rotation);
                }
                ways.push(to);
            }
        }
        let home = self.motor_values(&self.home);
        let mut prepared = self.prepared_for(&ways);
        for motor in 0..home.len() {
            let far = if prepared.motors[motor].slides { FAR * prepared.length() } else { FAR_TURN };
            for sign in [-far, far] {
                let mut q = home.clone();
                q[motor] += sign;
                if !prepared.motors[motor].dependent {
                    prepared = prepared.prepared_on(&mut |model, at, room| model.go_by(&q, at, room));
                }
            }
        }
        prepared
    }

    /// The same mechanism with the orders prepared that straight ways of the platform from home to these poses need, as far
    /// as they go: calls on such ways allocate nothing. Workspaces must be made anew.
    pub fn prepared_for(self, poses: &[PlatformPose]) -> Self {
        poses.iter().fold(self, |prepared, pose| {
            prepared.prepared_on(&mut |model, at, room| model.go_to(pose, Target::Independent, at, room))
        })
    }

    /// The same with the orders that a way from home needs; where it ends is no matter.
    fn prepared_on(mut self, way: &mut Way<'_>) -> Self {
        let (mut workspace, mut other) = (self.workspace(), Other::Own);
        let mut at = self.home.clone();
        let mut made: Vec<Self> = Vec::new();
        let _ = self.go_noting((&mut workspace, &mut other), &mut at, true, Some(&mut made), way);
        let room = MOST_SPARES.saturating_sub(self.spares.len());
        if !made.is_empty() {
            Arc::make_mut(&mut self.spares).extend(made.into_iter().take(room));
        }
        self
    }

    /// The same with loads and choices of efforts in its prepared orders, too.
    pub(super) fn with_like_spares(mut self) -> Self {
        let mut spares = std::mem::take(&mut self.spares);
        if !spares.is_empty() {
            for spare in Arc::make_mut(&mut spares) {
                for (body, own) in spare.plan.bodies.iter_mut().zip(&self.plan.bodies) {
                    body.body = own.body;
                }
                spare.plan.share_out();
                for (motor, own) in spare.plan.motors.iter_mut().zip(&self.plan.motors) {
                    (motor.weight, motor.preload) = (own.weight, own.preload);
                }
                spare.resting_energy = self.resting_energy;
            }
        }
        self.spares = spares;
        self
    }

    /// Goes a way, in other orders where one has to be chosen. `keep`: also at the end, for what is asked there.
    pub(super) fn go(
        &self,
        (workspace, other): (&mut Workspace<f64>, &mut Other),
        at: &mut Configuration,
        keep: bool,
        way: &mut Way<'_>,
    ) -> Result<(), MechanismError> {
        self.go_noting((workspace, other), at, keep, None, way)
    }

    /// The same, with a list of the orders that were chosen on the way.
    fn go_noting(
        &self,
        (workspace, other): (&mut Workspace<f64>, &mut Other),
        at: &mut Configuration,
        keep: bool,
        mut made: Option<&mut Vec<Self>>,
        way: &mut Way<'_>,
    ) -> Result<(), MechanismError> {
        let mut done = 0.0;
        for orders in 0.. {
            let (model, room) = in_use(self, workspace, other);
            let end = way(model, at, room);
            let margin = match &end {
                Ok(margin) => *margin,
                Err(WayEnd::Branch { reached, margin }) => {
                    done += (1.0 - done) * reached;
                    *margin
                }
                Err(WayEnd::Reach { reached }) => {
                    done += (1.0 - done) * reached;
                    model.margin(at, room)
                }
                Err(WayEnd::Fault(fault)) => return Err(fault.clone()),
            };
            let is_last = (end.is_ok() && !keep) || orders == MOST_ORDERS || !model.is_low(margin);
            let found = if is_last { None } else { self.better_for(&at.0, margin, (workspace, other)) };
            let Some(found) = found else {
                let (model, room) = in_use(self, workspace, other);
                return match end {
                    Ok(_) => Ok(()),
                    Err(WayEnd::Branch { margin, .. }) => {
                        let joint = model.widest_joint(room);
                        Err(MechanismError::EndOfBranch { reached: done, margin, joint })
                    }
                    Err(WayEnd::Reach { .. }) => Err(MechanismError::EndOfReach { reached: done }),
                    Err(WayEnd::Fault(fault)) => Err(fault),
                };
            };
            if let (Some(made), Other::Made(one)) = (&mut made, &found) {
                made.push(one.0.clone());
            }
            *other = found;
            if end.is_ok() {
                return Ok(());
            }
        }
        Ok(())
    }
}
