//! Where a robot that its motors hold with constant efforts stays, and where it falls away.

use super::reduced::{normalized, poles};
use super::rest::Rest;
use super::{LinearError, Reduced};
use crate::{AnyRobot, PlatformState};
use nalgebra::DMatrix;

/// The largest real part of all poles at a pose \[1/s\]: positive is unstable, exactly zero is a robot
/// without damping that stays. For maps: what a linear model has besides is not worked out.
pub fn largest_real_part(robot: &AnyRobot, platform: &PlatformState) -> Result<f64, LinearError> {
    let (damping, stiffness) = normal(robot, platform)?;
    Ok(poles(&damping, &stiffness)?.first().map_or(f64::NAN, |pole| pole.re))
}

/// The smallest eigenvalue of M⁻¹ K \[1/s²\]: it changes sign where the robot turns unstable.
pub fn smallest_stiffness(robot: &AnyRobot, platform: &PlatformState) -> Result<f64, LinearError> {
    Ok(normal(robot, platform)?.1.symmetric_eigenvalues().min())
}

/// Damping and stiffness in coordinates in which the mass matrix is 1.
fn normal(robot: &AnyRobot, platform: &PlatformState) -> Result<(DMatrix<f64>, DMatrix<f64>), LinearError> {
    let Rest { mass, damping, stiffness, .. } = Rest::at(robot, platform)?;
    normalized(&mass, &damping, &stiffness).ok_or_else(|| LinearError::NoMass { robot: robot.name().into() })
}

/// A place on a path where the robot turns from stable to unstable, or back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Where on the path.
    pub parameter: f64,
    /// The pose there.
    pub platform: PlatformState,
    /// Whether the robot is stable beyond it.
    pub stable_after: bool,
}

/// What a search along a path found.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossings {
    /// In the order of the path.
    pub found: Vec<Crossing>,
    /// How many of the samples were stable, unstable, and out of reach or singular.
    pub stable: usize,
    /// See above.
    pub unstable: usize,
    /// See above.
    pub unreachable: usize,
}

/// The crossings along a path from `low` to `high`: samples, then bisection between two that differ. A pair of
/// crossings between two samples is not seen.
pub fn crossings(
    robot: &AnyRobot,
    path: impl Fn(f64) -> Result<PlatformState, LinearError>,
    range: [f64; 2],
    samples: usize,
) -> Result<Crossings, LinearError> {
    crossings_watched(robot, path, range, samples, &mut |_| true)
}

/// The same with `watch` told before each sample which share is done; it ends the search by giving false.
///
/// # Errors
/// As [`crossings`], and [`LinearError::Cancelled`].
pub fn crossings_watched(
    robot: &AnyRobot,
    path: impl Fn(f64) -> Result<PlatformState, LinearError>,
    [low, high]: [f64; 2],
    samples: usize,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<Crossings, LinearError> {
    if !low.is_finite() || !high.is_finite() {
        return Err(LinearError::NotFinite { what: "the range of the path" });
    }
    let look = |t: f64| -> Option<(f64, PlatformState)> {
        let platform = path(t).ok()?;
        Some((smallest_stiffness(robot, &platform).ok()?, platform))
    };
    let steps = samples.max(2) - 1;
    let mut all = Crossings { found: Vec::new(), stable: 0, unstable: 0, unreachable: 0 };
    let mut last: Option<(f64, f64)> = None;
    for k in 0..=steps {
        if !watch(k as f64 / steps as f64) {
            return Err(LinearError::Cancelled);
        }
        let t = low + (high - low) * k as f64 / steps as f64;
        let Some((stiffness, _)) = look(t) else {
            all.unreachable += 1;
            last = None;
            continue;
        };
        if stiffness < 0.0 {
            all.unstable += 1;
        } else {
            all.stable += 1;
        }
        if let Some((before, value)) = last
            && (value < 0.0) != (stiffness < 0.0)
            && let Some(parameter) = bisected(&|t| look(t).map(|found| found.0), before, value, t)
            && let Some((_, platform)) = look(parameter)
        {
            all.found.push(Crossing { parameter, platform, stable_after: stiffness >= 0.0 });
        }
        last = Some((t, stiffness));
    }
    if all.stable + all.unstable == 0 {
        // Nowhere on the path: say why at its beginning.
        let platform = path(low)?;
        smallest_stiffness(robot, &platform)?;
    }
    Ok(all)
}

/// The change of sign between `a`, where the function is `value`, and `b`.
fn bisected(f: &dyn Fn(f64) -> Option<f64>, mut a: f64, value: f64, mut b: f64) -> Option<f64> {
    for _ in 0..200 {
        let middle = f64::midpoint(a, b);
        if middle == a || middle == b {
            break;
        }
        if (f(middle)? < 0.0) == (value < 0.0) {
            a = middle;
        } else {
            b = middle;
        }
    }
    Some(f64::midpoint(a, b))
}

/// The path of a robot whose motors all have the same value \[rad or m\], but for those that are held.
pub fn common_motor_path(robot: &AnyRobot) -> impl Fn(f64) -> Result<PlatformState, LinearError> + '_ {
    move |q| {
        let mut all = vec![q; robot.joints().len()];
        for (motor, value) in robot.held_motors().iter().zip(robot.held_values()) {
            if let Some(slot) = all.get_mut(*motor) {
                *slot = value;
            }
        }
        let found = robot.forward_kinematics(&all, &robot.home())?;
        Ok(PlatformState::at(found.position).turned(found.rotation))
    }
}

/// The straight path between two positions, the orientation that of the first; from 0 to 1.
pub fn straight_path(
    from: PlatformState,
    to: PlatformState,
) -> impl Fn(f64) -> Result<PlatformState, LinearError> {
    move |t| {
        let position = [0, 1, 2].map(|k| from.position[k] + (to.position[k] - from.position[k]) * t);
        Ok(PlatformState::at(position).turned(from.rotation))
    }
}

impl Reduced {
    /// Whether the robot stays at the pose when its motors keep their efforts.
    pub fn is_stable(&self) -> bool {
        self.smallest_stiffness() >= 0.0
    }
}
