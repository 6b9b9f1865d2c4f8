//! Where a robot can be: what its motors and the joints of its rods allow.

use super::{AnyRobot, Kind, PlatformState, RobotError};
use crate::families::JointCone;
use legwork_core::V3;
use std::f64::consts::TAU;

/// Places on the axis at which the limits are looked at; between two of them the end is found by halving.
const PLACES: u32 = 400;
/// Circles about the axis that are looked at, up to where the legs surely end.
const RADII: u32 = 40;
/// Halvings, to the last digits of a length.
const HALVINGS: u32 = 50;

impl AnyRobot {
    /// How far the rod of each leg leans from where its joints are centred \[rad\], at the end where that is more; empty
    /// for a robot whose file has no `joint_cone`.
    pub fn joint_leans(&self, platform: &PlatformState) -> Result<Vec<f64>, RobotError> {
        let Some(cone) = self.description().data.joint_cone() else { return Ok(Vec::new()) };
        let rods = self.rods(platform)?;
        match cone {
            JointCone::OutOfPlane { azimuth, .. } => {
                let base = self.description().cell.map(|cell| cell.rotation);
                let leans = rods.iter().zip(azimuth).map(|(rod, azimuth)| {
                    let (sin, cos) = azimuth.sin_cos();
                    let across = V3::new(-sin, cos, 0.0);
                    let across = base.map_or(across, |rows| across.turned_by(rows));
                    (rod.dot(across) / rod.norm_sq().sqrt()).abs().min(1.0).asin()
                });
                Ok(leans.collect())
            }
            JointCone::AboutHome { .. } => {
                let home = self.home();
                let of_home = self.rods(&home)?;
                let leans = rods.iter().zip(&of_home).map(|(rod, at_home)| {
                    let base = angle(*rod, *at_home);
                    // As the platform sees them.
                    let [rod, at_home] = [(rod, platform), (at_home, &home)]
                        .map(|(rod, state)| rod.turned_by(transposed(state.rotation)));
                    base.max(angle(rod, at_home))
                });
                Ok(leans.collect())
            }
        }
    }

    /// The last bar of each leg that has one: from its elbow, carriage or base joint to the platform.
    fn rods(&self, platform: &PlatformState) -> Result<Vec<V3<f64>>, RobotError> {
        let place = PlatformState::at(platform.position).turned(platform.rotation);
        let skeleton = self.skeleton(&place)?;
        let rods = (0..skeleton.legs.len()).filter_map(|leg| match skeleton.joints(leg).as_slice() {
            [.., from, to] => Some(V3::from(*to) - V3::from(*from)),
            _ => None,
        });
        Ok(rods.collect())
    }

    /// Refuses a pose at which a rod would lean further than its joints allow.
    pub fn check_joint_cones(&self, platform: &PlatformState) -> Result<(), RobotError> {
        if let Kind::Mechanism(robot) = &self.kind {
            return robot.check_passive_joints(platform);
        }
        let Some(cone) = self.description().data.joint_cone() else { return Ok(()) };
        let (most, leans) = (cone.most(), self.joint_leans(platform)?);
        match leans.into_iter().enumerate().find(|(_, lean)| lean.is_nan() || *lean > most) {
            Some((leg, lean)) => Err(RobotError::JointCone { leg, lean, most }),
            None => Ok(()),
        }
    }

    /// Lowest and highest platform position on the axis of a Delta \[m\], and the radius of the largest disc about it
    /// that is in reach at some height, all within the limits of its motors and of the joints of its forearms. Nothing if
    /// these leave no place on the axis, and for other robots.
    pub fn reach(&self) -> Option<(f64, f64, f64)> {
        let Kind::Delta(robot) = &self.kind else { return None };
        let user = |position: V3<f64>| robot.frame().position_to_user(position.to_array());
        let is_limited = self.joints().iter().any(|joint| joint.min.is_some() || joint.max.is_some())
            || self.description().data.joint_cone().is_some();
        let fits = |position: V3<f64>| {
            if !is_limited {
                return robot.linkage().posture(position).is_ok();
            }
            let found = self.inverse_kinematics(&PlatformState::at(user(position)));
            found.is_ok_and(|found| found.outside_limits.is_empty())
        };
        let g = robot.linkage().geometry();
        let offset = g.base_radius - g.platform_radius;
        let height = |leg: f64| (leg * leg - offset * offset).max(0.0).sqrt();
        // Stretched to folded legs.
        let ends = [-height(g.arm + g.forearm), -height((g.forearm - g.arm).abs())];
        let [low, high] = if is_limited {
            part_of(ends, robot.own_home()[2], |z| fits(V3::new(0.0, 0.0, z)))?
        } else {
            ends
        };
        let [low_user, high_user] = [low, high].map(|z| user(V3::new(0.0, 0.0, z))[2]);
        // Where the legs are stretched on the axis they reach no further, so the height is searched.
        let from = if is_limited { low } else { -(g.arm + g.forearm) };
        let to = if is_limited { high } else { 0.0 };
        Some((low_user, high_user, largest_radius(from, to, g.arm + g.forearm + g.base_radius, fits)))
    }
}

/// The part of a range in which something fits, the one nearest to a place in it; nothing if it fits nowhere.
fn part_of([low, high]: [f64; 2], near: f64, fits: impl Fn(f64) -> bool) -> Option<[f64; 2]> {
    let place = |k: u32| low + (high - low) * f64::from(k) / f64::from(PLACES);
    let distance = |k: &u32| (place(*k) - near).abs();
    let nearest =
        (0..=PLACES).filter(|k| fits(place(*k))).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    let between = |mut inside: f64, mut outside: f64| {
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(inside, outside);
            if fits(middle) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    };
    let below = (0..nearest).rev().find(|k| !fits(place(*k)));
    let above = (nearest..=PLACES).find(|k| !fits(place(*k)));
    Some([
        below.map_or(low, |k| between(place(k + 1), place(k))),
        above.map_or(high, |k| between(place(k - 1), place(k))),
    ])
}

/// The radius of the largest disc about the axis that fits at some height: at heights of a mesh, which is drawn closer about
/// the best of them.
fn largest_radius(low: f64, high: f64, most: f64, fits: impl Fn(V3<f64>) -> bool) -> f64 {
    let all_around = |radius: f64, z: f64| {
        (0..24).all(|k| {
            let (sin, cos) = (f64::from(k) * TAU / 24.0).sin_cos();
            fits(V3::new(radius * cos, radius * sin, z))
        })
    };
    let at = |z: f64| {
        if !all_around(0.0, z) {
            return 0.0;
        }
        // From the axis to the first circle that does not fit: beyond it may be others that do, and no way to them.
        let mut circles = (1..=RADII).map(|k| most * f64::from(k) / f64::from(RADII));
        let mut outside = circles.find(|radius| !all_around(*radius, z)).unwrap_or(most);
        let mut inside = outside - most / f64::from(RADII);
        for _ in 0..30 {
            let middle = f64::midpoint(inside, outside);
            if all_around(middle, z) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    };
    let (mut best, mut step) = ((0.0, f64::midpoint(low, high)), (high - low) / 40.0);
    let (mut from, mut places) = (low, 40);
    for _ in 0..4 {
        for k in 0..=places {
            let z = (from + step * f64::from(k)).clamp(low, high);
            let radius = at(z);
            if radius > best.0 {
                best = (radius, z);
            }
        }
        (from, step, places) = (best.1 - step, step / 5.0, 10);
    }
    best.0
}

/// The angle between two directions \[rad\], to the last digits also if it is small.
fn angle(a: V3<f64>, b: V3<f64>) -> f64 {
    a.cross(b).norm_sq().sqrt().atan2(a.dot(b))
}

fn transposed(rows: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|k| rows[k][i]))
}

/// A vector turned by the rows of a rotation.
trait Turned {
    fn turned_by(&self, rows: [[f64; 3]; 3]) -> Self;
}

impl Turned for V3<f64> {
    fn turned_by(&self, rows: [[f64; 3]; 3]) -> Self {
        rows.map(|row| V3::from(row).dot(*self)).into()
    }
}
