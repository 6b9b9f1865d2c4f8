//! A leg that is not built as it was drawn: its joints elsewhere, its links longer, its motor counted from another zero.
//!
//! ```text
//! first joint      p_B + base_shift, turned by Exp(base_turn) about itself
//! link k           u_k (|u_k| + link_k),   u_k from joint k to joint k + 1, the last to the attachment
//! attachment       p_P + platform_shift, in the platform's frame
//! active joint     coordinate = reading + zero
//! ```
//!
//! Bodies stay where they are in the frames of their joints. A closed form of the inverse kinematics stays one, because it
//! reads its lengths from the chain; the universal joint of a rod keeps its shape.

use super::any::AnyLeg;
use super::attachment::Attachment;
use super::chain::{Chain, JointKind};
use super::leg::Leg;
use super::spatial::Pose;
use crate::{M3, Real, V3};

/// Most joints, and so most links, of a leg.
pub const MOST_LINKS: usize = 6;

/// By what a leg differs from its description.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegCorrection<T> {
    /// Where the first joint is, base axes \[m\].
    pub base_shift: V3<T>,
    /// Rotation vector of the first joint's frame about its own origin, base axes \[rad\].
    pub base_turn: V3<T>,
    /// Change of each link's length, base first; that of a link without a length does nothing \[m\].
    pub links: [T; MOST_LINKS],
    /// Where the attachment is, platform's axes \[m\].
    pub platform_shift: V3<T>,
    /// What is added to the reading of an active joint that turns \[rad\].
    pub zero_angle: T,
    /// The same of one that slides \[m\].
    pub zero_length: T,
}

impl<T: Real> LegCorrection<T> {
    /// A leg as it is described.
    pub fn none() -> Self {
        let o = T::zero();
        Self {
            base_shift: V3::zero(),
            base_turn: V3::zero(),
            links: [o; MOST_LINKS],
            platform_shift: V3::zero(),
            zero_angle: o,
            zero_length: o,
        }
    }

    /// Every number through `f`.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> LegCorrection<U> {
        LegCorrection {
            base_shift: self.base_shift.map(&mut f),
            base_turn: self.base_turn.map(&mut f),
            links: self.links.map(&mut f),
            platform_shift: self.platform_shift.map(&mut f),
            zero_angle: f(self.zero_angle),
            zero_length: f(self.zero_length),
        }
    }
}

/// Exp of a rotation vector r, by Rodrigues' formula with the half angle θ/2 = |r|/2:
///
/// ```text
/// Exp(r) = 1 + 2 c s/θ [r]× + 2 (s/θ)² [r]×²,   s = sin(θ/2), c = cos(θ/2)
/// ```
///
/// s/θ is continued to 1/2 where θ vanishes, so that derivatives there are right too.
pub fn turn_by<T: Real>(r: V3<T>) -> M3<T> {
    let square = r.norm_sq();
    let tiny = square.lt(T::from_f64(1e-16));
    // Away from the root's edge, where its derivative has no end.
    let safe = T::select(tiny, T::one(), square);
    let angle = safe.sqrt();
    let (sin, cos) = (angle * T::from_f64(0.5)).sin_cos();
    let half = T::from_f64(0.5);
    let ratio = T::select(tiny, half - square * T::from_f64(1.0 / 48.0), sin / angle);
    let cos = T::select(tiny, T::one() - square * T::from_f64(0.125), cos);
    let (a, b) = (ratio * cos * T::from_f64(2.0), ratio.squared() * T::from_f64(2.0));
    let o = T::zero();
    let cross = M3::from_rows(V3::new(o, -r.z, r.y), V3::new(r.z, o, -r.x), V3::new(-r.y, r.x, o));
    let columns = |e: V3<T>| e + (cross * e) * a + (cross * (cross * e)) * b;
    let l = T::one();
    let [x, y, z] = [V3::new(l, o, o), V3::new(o, l, o), V3::new(o, o, l)].map(columns);
    M3::from_rows(x, y, z).transpose()
}

/// A vector longer by so much; zero stays zero.
fn longer<T: Real>(u: V3<T>, by: T) -> V3<T> {
    let square = u.norm_sq();
    let is_none = square.lt(T::from_f64(1e-24));
    let safe = T::select(is_none, T::one(), square);
    u + u * (by / safe.sqrt())
}

impl<T: Real> Attachment<T> {
    /// The same attachment elsewhere on the platform.
    #[must_use]
    pub fn shifted(self, by: V3<T>) -> Self {
        match self {
            Self::Spherical { point } => Self::Spherical { point: point + by },
            Self::Planar { point, directions } => Self::Planar { point: point + by, directions },
            Self::Sliding { normal, distance } => {
                Self::Sliding { normal, distance: distance + normal.dot(by) }
            }
            Self::Universal { point, leg_axis, platform_axis } => {
                Self::Universal { point: point + by, leg_axis, platform_axis }
            }
            Self::Revolute { point, leg_axis, platform_normals } => {
                Self::Revolute { point: point + by, leg_axis, platform_normals }
            }
            Self::Fixed { frame } => Self::Fixed { frame: Pose::new(frame.rotation, frame.position + by) },
            Self::Carried { hub, point } => Self::Carried { hub, point: point + by },
            Self::Turning { axis, frame } => Self::Turning { axis, frame },
        }
    }
}

impl<T: Real, const N: usize> Leg<T, N> {
    /// The same leg as it was built.
    #[must_use]
    pub fn as_built(self, by: &LegCorrection<T>) -> Self {
        let mut chain = self.chain;
        let turn = turn_by(by.base_turn);
        for (k, link) in chain.links.iter_mut().enumerate() {
            let Pose { rotation, position } = link.placement;
            link.placement = if k == 0 {
                Pose::new(turn * rotation, position + by.base_shift)
            } else {
                let before = by.links.get(k - 1).copied().unwrap_or_else(T::zero);
                Pose::new(rotation, longer(position, before))
            };
            if link.active {
                link.placement = match link.kind {
                    JointKind::Revolute => link.placement * Pose::rotation_z(by.zero_angle),
                    JointKind::Prismatic => link.placement * Pose::translation(V3::along_z(by.zero_length)),
                };
            }
        }
        let last = N.checked_sub(1).and_then(|k| by.links.get(k)).copied().unwrap_or_else(T::zero);
        let tip = longer(chain.tip, last);
        let chain = Chain { tip, ..chain };
        Self { chain, attachment: self.attachment.shifted(by.platform_shift), inverse: self.inverse }
    }
}

impl<T: Real> AnyLeg<T> {
    /// The same leg as it was built.
    #[must_use]
    pub fn as_built(self, by: &LegCorrection<T>) -> Self {
        match self {
            Self::One(leg) => Self::One(leg.as_built(by)),
            Self::Two(leg) => Self::Two(leg.as_built(by)),
            Self::Three(leg) => Self::Three(leg.as_built(by)),
            Self::Four(leg) => Self::Four(leg.as_built(by)),
            Self::Five(leg) => Self::Five(leg.as_built(by)),
            Self::Six(leg) => Self::Six(leg.as_built(by)),
            Self::Ups(leg) => Self::Ups(leg.as_built(by)),
        }
    }
}
