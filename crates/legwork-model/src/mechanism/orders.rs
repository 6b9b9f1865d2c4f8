//! Another order of elimination where the mechanism's own serves no longer.
//!
//! Which rows and columns are pivots is chosen at home. Elsewhere the chosen ones may become small though the mechanism is
//! not singular: others would serve. A way that ends at small pivots is then continued with pivots that are chosen where it
//! ended; at a singularity all choices are small, and the way ends for good. The choice depends on the way alone, not on
//! what was asked before. It is the only thing that allocates after set-up, where it has to be made.

use super::MechanismError;
use super::model::{Configuration, MechanismModel};
use super::owned::Workspace;

/// Pivots this much smaller than where they were chosen are chosen again.
const LOW: f64 = 0.01;
/// Others are taken if they are better by this.
const BETTER: f64 = 10.0;
/// Choices on one way at most.
const MOST_ORDERS: usize = 8;

/// A mechanism in another order, and memory for it.
type Other = Option<Box<(MechanismModel, Workspace<f64>)>>;

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
        Self { own: model.workspace(), other: None, refused: f64::INFINITY }
    }

    /// The mechanism's own order again.
    pub(crate) fn reset(&mut self) {
        self.other = None;
        self.refused = f64::INFINITY;
    }

    /// Whether the order in use is the mechanism's own.
    pub(crate) fn is_own(&self) -> bool {
        self.other.is_none()
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
        let Some(found) = model.better_for(&Configuration(coordinates.to_vec()), margin) else {
            self.refused = margin;
            return false;
        };
        let memory = found.workspace();
        self.other = Some(Box::new((found, memory)));
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
    dyn FnMut(&MechanismModel, &mut Configuration, &mut Workspace<f64>) -> Result<f64, MechanismError> + 'w;

fn in_use<'a>(
    own: &'a MechanismModel,
    workspace: &'a mut Workspace<f64>,
    other: &'a mut Other,
) -> (&'a MechanismModel, &'a mut Workspace<f64>) {
    match other {
        Some(other) => (&other.0, &mut other.1),
        None => (own, workspace),
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
        if self.is_low(margin) { self.better_for(at, margin) } else { None }
    }

    /// The same mechanism in another order if that is better than this margin.
    fn better_for(&self, at: &Configuration, margin: f64) -> Option<Self> {
        self.ordered_for(at).ok().filter(|other| !(other.margin_of_order <= BETTER * margin))
    }

    /// Goes a way, in other orders where one has to be chosen. `keep`: also at the end, for what is asked there.
    pub(super) fn go(
        &self,
        (workspace, other): (&mut Workspace<f64>, &mut Other),
        at: &mut Configuration,
        keep: bool,
        way: &mut Way<'_>,
    ) -> Result<(), MechanismError> {
        let mut done = 0.0;
        for orders in 0.. {
            let (model, room) = in_use(self, workspace, other);
            let (margin, end) = match way(model, at, room) {
                Ok(margin) => (margin, Ok(())),
                Err(MechanismError::EndOfBranch { reached, margin, joint }) => {
                    done += (1.0 - done) * reached;
                    (margin, Err(MechanismError::EndOfBranch { reached: done, margin, joint }))
                }
                Err(MechanismError::EndOfReach { reached }) => {
                    done += (1.0 - done) * reached;
                    (model.margin(at, room), Err(MechanismError::EndOfReach { reached: done }))
                }
                Err(other) => return Err(other),
            };
            if (end.is_ok() && !keep) || orders == MOST_ORDERS || !model.is_low(margin) {
                return end;
            }
            let Some(found) = model.better_for(at, margin) else { return end };
            let memory = found.workspace();
            *other = Some(Box::new((found, memory)));
            if end.is_ok() {
                return end;
            }
        }
        Ok(())
    }
}
