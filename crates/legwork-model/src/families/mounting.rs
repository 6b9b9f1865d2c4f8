//! A robot in its cell and with its tool: the one place where base and platform get other frames.
//!
//! A family describes its legs between the frame of its base B and that of its platform P. With the base placed in a
//! cell C and a tool T on the platform, the same legs are written between C and T,
//!
//! ```text
//! T_CB: every first joint and every direction of the base,   T_PT: every point and direction of the platform
//! ```
//!
//! so that poses, speeds, wrenches, Jacobians and mass matrices are those of the tool point in the cell, and nothing
//! has to be converted afterwards.

use super::blueprint::{Blueprint, Branch, BuildError, LegChoice, body, pose};
use crate::description::RobotDescription;
use legwork_core::engine::{Pose, RigidBody};
use legwork_core::{M3, V3};

/// Entries of a rotation below this are rounding of sines and cosines, or of nine printed digits.
const ROUNDING: f64 = 1e-9;

/// Where a robot stands and what it carries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mounting {
    /// The frame of the base in that of the cell.
    pub base: Pose<f64>,
    /// The frame of the tool in that of the platform.
    pub tool: Pose<f64>,
    /// The tool, in the platform's frame.
    pub body: RigidBody<f64>,
}

impl Mounting {
    /// Of a robot in its own frame without a tool.
    pub fn none() -> Self {
        Self { base: Pose::identity(), tool: Pose::identity(), body: RigidBody::massless() }
    }

    /// What a description says.
    pub fn of(description: &RobotDescription) -> Result<Self, BuildError> {
        let mut mounting = Self::none();
        if let Some(cell) = &description.cell {
            mounting.base = pose(cell);
        }
        if let Some(tool) = &description.tool {
            mounting.tool = pose(&tool.placement);
            mounting.body = body("tool", &tool.body)?;
        }
        Ok(mounting)
    }

    /// The same where the frame of the base is seen from a frame at this point of it \[m\].
    pub fn seen_from(self, point: V3<f64>) -> Self {
        Self { base: self.base * Pose::translation(point), ..self }
    }

    /// How far the base is turned about z \[rad\]; `None` if it is tilted.
    pub fn heading(&self) -> Option<f64> {
        let [[xx, _, xz], [yx, _, yz], [zx, zy, _]] = self.base.rotation.to_rows();
        let upright = [xz, yz, zx, zy].iter().all(|entry| entry.abs() < ROUNDING)
            && (self.base.rotation.columns().z.z > 0.0);
        upright.then(|| yx.atan2(xx))
    }

    /// Whether the tool has the axes of the platform.
    pub fn tool_is_straight(&self) -> bool {
        is_identity(self.tool.rotation)
    }
}

fn is_identity(rotation: M3<f64>) -> bool {
    let off = |i: usize, j: usize, entry: f64| (entry - f64::from(u8::from(i == j))).abs();
    rotation
        .to_rows()
        .iter()
        .enumerate()
        .all(|(i, row)| row.iter().enumerate().all(|(j, entry)| off(i, j, *entry) < ROUNDING))
}

/// The axes that a robot's freedoms have after its base was turned: each must come to lie along an axis of the cell.
fn turned_axes(turn: M3<f64>, axes: &[usize]) -> Option<Vec<usize>> {
    let columns = turn.columns().to_array();
    let mut along = [0.0; 3];
    for axis in axes {
        let column = columns.get(*axis)?.to_array();
        along.iter_mut().zip(column).for_each(|(sum, entry)| *sum += entry * entry);
    }
    // The diagonal of R P Rᵀ has ones where the freedoms are and zeros elsewhere.
    let clear = along.iter().all(|part| part.abs() < ROUNDING || (part - 1.0).abs() < ROUNDING);
    clear.then(|| (0..3).filter(|axis| along.get(*axis).is_some_and(|part| *part > 0.5)).collect())
}

impl Blueprint {
    /// The same robot in its cell and with its tool; then the frame of its base in that of the cell, and of what poses
    /// are of in that of the platform.
    pub fn mounted(self, mounting: &Mounting) -> Result<(Self, [Pose<f64>; 2]), BuildError> {
        let Mounting { base, tool, body } = *mounting;
        let mut platform = self.platform;
        for more in [body, self.payload.seen_from(&tool)] {
            if more.mass > 0.0 {
                platform = platform.joined(&more);
            }
        }
        let loaded = Self { platform, payload: RigidBody::massless(), ..self };
        if base == Pose::identity() && tool == Pose::identity() {
            return Ok((loaded, [base, tool]));
        }
        let (shifts, turns): (Vec<usize>, Vec<usize>) = loaded.freedoms.iter().partition(|place| **place < 3);
        let turns: Vec<usize> = turns.iter().map(|place| place - 3).collect();
        let kept = match turns.as_slice() {
            [] | [_, _] => mounting.tool_is_straight(),
            [axis] => {
                let own = loaded.home.rotation.transpose().columns().to_array().get(*axis).copied();
                own.is_some_and(|own| (tool.rotation * own - own).norm_sq() < ROUNDING * ROUNDING)
            }
            _ => true,
        };
        if !kept {
            return Err(BuildError::TurnedTool { turns: turns.len() });
        }
        let axes = turned_axes(base.rotation, &shifts).zip(turned_axes(base.rotation, &turns));
        let (shifts, turned) = axes.ok_or(BuildError::TiltedFreedoms)?;
        // A platform that cannot be turned at will has the axes of the cell where it is not turned.
        let seen = if turns.len() < 3 {
            Pose::new(tool.rotation * base.rotation.transpose(), tool.position)
        } else {
            tool
        };
        let branch = |branch: Branch| Branch {
            leg: branch.leg.placed(&base).seen_from(&seen),
            chain: branch.chain.placed(&base).seen_from(&seen),
            ..branch
        };
        let choice =
            |choice: &LegChoice| LegChoice { own: branch(choice.own), other: choice.other.map(branch) };
        let mounted = Self {
            platform: platform.seen_from(&seen.inverse()),
            legs: loaded.legs.iter().map(choice).collect(),
            freedoms: shifts.into_iter().chain(turned.into_iter().map(|axis| axis + 3)).collect(),
            home: base * loaded.home * seen,
            ..loaded
        };
        Ok((mounted, [base, seen]))
    }
}
