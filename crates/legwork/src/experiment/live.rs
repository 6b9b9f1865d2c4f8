//! A reference that is given from outside while the loop runs: by another program, sample by sample.

use super::motion::{ReferenceMotion, Target};
use super::path::AnyPath;
use crate::PlatformState;
use legwork_core::control::Platform;
use legwork_core::engine::{Pose, Twist};
use legwork_core::{M3, V3};
use std::sync::{Arc, PoisonError, RwLock};

/// Where the platform should be now. Whoever holds it may change it at any time; it allocates nothing.
#[derive(Debug)]
pub struct LiveTarget(RwLock<PlatformState>);

impl LiveTarget {
    /// At rest at a place.
    pub fn at(place: &PlatformState) -> Arc<Self> {
        Arc::new(Self(RwLock::new(place.at_rest())))
    }

    /// From now on here: pose, twist and acceleration.
    pub fn set(&self, target: &PlatformState) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = *target;
    }

    /// Where it is.
    pub fn get(&self) -> PlatformState {
        *self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The motion of such a target: at every time where the target is when it is asked for. Regulators should take its
/// derivatives as they are given (`exact_derivatives`), because the next sample is not known.
#[derive(Debug)]
pub struct LiveReference {
    target: Arc<LiveTarget>,
    /// Where gains are taken.
    middle: PlatformState,
}

impl LiveReference {
    /// Of a target; gains are taken where it is now.
    pub fn of(target: Arc<LiveTarget>) -> Self {
        let middle = target.get().at_rest();
        Self { target, middle }
    }
}

impl ReferenceMotion for LiveReference {
    fn duration(&self) -> f64 {
        1.0
    }

    fn at(&self, _time: f64) -> Platform<f64> {
        let now = self.target.get();
        let [x, y, z] = now.rotation.map(V3::from);
        Platform {
            pose: Pose::new(M3::from_rows(x, y, z), now.position.into()),
            twist: Twist::from_vector_linear_first(now.twist),
            acceleration: Twist::from_vector_linear_first(now.acceleration),
        }
    }

    fn cycle_joints(&self) -> Vec<f64> {
        vec![0.0, 1.0]
    }

    fn target(&self) -> Target {
        Target { time: 1.0, position: self.middle.position, direction: [0.0; 3] }
    }

    fn middle(&self) -> PlatformState {
        self.middle
    }

    fn paths(&self) -> Vec<&AnyPath> {
        Vec::new()
    }
}
