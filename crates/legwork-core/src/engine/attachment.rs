//! How a leg ends at the platform: which velocity components it passes on.
//!
//! Component k compares the motion of the last link and of the platform along a
//! force n_k through the attachment point and a moment m_k:
//!
//! ```text
//! J_i(k, j)  = n_k·S_j.linear + m_k·S_j.angular
//! J_vi(k, :) = [ n_kᵀ, (d × n_k + m_k)ᵀ ],      d = P P_i
//! ```
//!
//! [KhalilIbrahim2007, Eq. 18, 19, 25, 26]. The passive joint's own freedoms never appear.

#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // every index is bounded by N or 3

use super::spatial::{Pose, Twist, Wrench};
use crate::{M3, Real, V3};

/// The joint between the last link of a leg and the platform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Attachment<T> {
    /// A ball joint passes on three velocities of its centre.
    Spherical {
        /// Centre in the platform's frame \[m\].
        point: V3<T>,
    },
    /// A pin in a planar robot passes on two velocities of its centre.
    Planar {
        /// Centre in the platform's frame \[m\].
        point: V3<T>,
        /// The two directions of the plane, base axes, unit vectors.
        directions: [V3<T>; 2],
    },
    /// A point of the leg that slides in a face of the platform passes on one
    /// velocity, along the normal: the joint of the C5.
    Sliding {
        /// Unit normal of the face, platform's frame.
        normal: V3<T>,
        /// Distance of the face from the platform's origin along the normal, δ \[m\].
        distance: T,
    },
    /// A universal joint passes on three velocities and the rotation about the
    /// common normal of its two axes.
    Universal {
        /// Centre in the platform's frame \[m\].
        point: V3<T>,
        /// Axis fixed to the leg, in the last link's frame, unit vector.
        leg_axis: V3<T>,
        /// Axis fixed to the platform, unit vector; perpendicular to the other one.
        platform_axis: V3<T>,
    },
    /// A hinge passes on all but the rotation about its axis.
    Revolute {
        /// A point of the axis in the platform's frame \[m\].
        point: V3<T>,
        /// The axis in the last link's frame, unit vector.
        leg_axis: V3<T>,
        /// Two directions of the platform perpendicular to the axis and to each other.
        platform_normals: [V3<T>; 2],
    },
    /// A weld passes on everything.
    Fixed {
        /// The attachment point and the last link's axes in the platform's frame.
        frame: Pose<T>,
    },
    /// A ball joint on a carriage that moves with a point of the platform and does not turn with it, as the plate of
    /// a Delta whose tool turns: passes on three velocities of that point.
    Carried {
        /// The point of the platform that the carriage moves with, platform's frame \[m\].
        hub: V3<T>,
        /// From there to the centre of the joint, base axes \[m\].
        point: V3<T>,
    },
    /// A shaft that follows the platform wherever it goes and turns with it passes on the rotation about one axis.
    Turning {
        /// The axis, base axes, unit vector.
        axis: V3<T>,
        /// The last link's axes in the platform's frame.
        frame: M3<T>,
    },
}

/// One component that a leg passes on, at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component<T> {
    /// n, m: unit force through the attachment point, unit moment.
    pub direction: Wrench<T>,
    /// J̇_vi V_P
    pub platform_bias: T,
    /// J̇_i q̇_i
    pub leg_bias: T,
}

/// Platform and leg at one instant, as an attachment sees them.
#[derive(Clone, Copy)]
pub(crate) struct AttachmentMotion<'a, T> {
    pub pose: &'a Pose<T>,
    pub twist: Twist<T>,
    /// Orientation of the last link.
    pub tip: M3<T>,
    /// Where the leg ends \[m\].
    pub leg_point: V3<T>,
    /// Twist of the last link at the attachment point.
    pub leg_twist: Twist<T>,
    /// Its acceleration without joint acceleration.
    pub leg_product: Twist<T>,
}

/// The directions of all components at one instant, and where the attachment is.
///
/// The first three components are forces through the attachment point, the rest moments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttachmentJacobian<T, const N: usize> {
    /// n_k for k < 3, m_k beyond.
    axes: [V3<T>; N],
    /// Whether the first three are x, y, z of the base; then they are not in the list.
    base_axes: bool,
    /// Whether the one component is a rotation; only a leg of one joint has it.
    turns: bool,
    /// d = P P_i \[m\]
    offset: V3<T>,
}

impl<T: Real, const N: usize> AttachmentJacobian<T, N> {
    /// A place for one.
    #[inline(always)]
    pub(crate) fn blank() -> Self {
        Self { axes: [V3::zero(); N], base_axes: false, turns: false, offset: V3::zero() }
    }

    /// d = P P_i in base axes \[m\].
    #[inline(always)]
    pub fn offset(&self) -> V3<T> {
        self.offset
    }

    /// Whether the leg passes on the three velocities of a point along the axes of the base and no more.
    #[inline(always)]
    pub(crate) fn is_point(&self) -> bool {
        N == 3 && self.base_axes
    }

    /// Whether component `k` is a rotation.
    #[inline(always)]
    fn is_rotation(&self, k: usize) -> bool {
        k >= 3 || (N == 1 && self.turns)
    }

    /// From which component on they are rotations.
    #[inline(always)]
    pub(crate) fn first_rotation(&self) -> usize {
        if N == 1 && self.turns { 0 } else { 3 }
    }

    /// The components of a twist at the attachment point: n_k·v + m_k·ω.
    #[inline(always)]
    pub fn components(&self, twist: Twist<T>) -> [T; N] {
        let mut out = [T::zero(); N];
        if self.base_axes {
            for (slot, value) in out.iter_mut().zip(twist.linear.to_array()) {
                *slot = value;
            }
        }
        for k in if self.base_axes { 3 } else { 0 }..N {
            let axis = self.axes[k];
            out[k] = if self.is_rotation(k) { axis.dot(twist.angular) } else { axis.dot(twist.linear) };
        }
        out
    }

    /// J_i: the components of each joint screw, one column per joint (18).
    #[inline(always)]
    pub fn of_leg(&self, screws: &[Twist<T>; N]) -> [[T; N]; N] {
        let mut rows = [[T::zero(); N]; N];
        for j in 0..N {
            let column = self.components(screws[j]);
            for k in 0..N {
                rows[k][j] = column[k];
            }
        }
        rows
    }

    /// Σ size_k (n_k, m_k): force and moment at the attachment point.
    #[inline(always)]
    pub fn wrench(&self, sizes: &[T; N]) -> Wrench<T> {
        let mut sum = Wrench::zero();
        if self.base_axes && N >= 3 {
            sum.force = V3::new(sizes[0], sizes[1], sizes[2]);
        }
        for k in if self.base_axes { 3 } else { 0 }..N {
            if self.is_rotation(k) {
                sum.moment = sum.moment + self.axes[k] * sizes[k];
            } else {
                sum.force = sum.force + self.axes[k] * sizes[k];
            }
        }
        sum
    }

    /// The same at the platform's origin: J_viᵀ sizes (19).
    #[inline(always)]
    pub fn at_platform(&self, sizes: &[T; N]) -> Wrench<T> {
        let Wrench { force, moment } = self.wrench(sizes);
        let lever = self.offset.cross(force);
        Wrench::new(force, if N <= 3 && self.first_rotation() == 3 { lever } else { moment + lever })
    }

    /// J_vi: one row per component (19).
    pub fn of_platform(&self) -> [[T; 6]; N] {
        let mut rows = [[T::zero(); 6]; N];
        for k in 0..N {
            let mut unit = [T::zero(); N];
            unit[k] = T::one();
            rows[k] = self.at_platform(&unit).to_vector_linear_first();
        }
        rows
    }
}

impl<T: Real> Attachment<T> {
    /// How many components are passed on: a chain needs as many joints.
    pub fn components(&self) -> usize {
        match self {
            Self::Sliding { .. } | Self::Turning { .. } => 1,
            Self::Planar { .. } => 2,
            Self::Spherical { .. } | Self::Carried { .. } => 3,
            Self::Universal { .. } => 4,
            Self::Revolute { .. } => 5,
            Self::Fixed { .. } => 6,
        }
    }

    /// A pin of a robot in the x-y plane.
    pub fn planar_xy(point: V3<T>) -> Self {
        let (o, l) = (T::zero(), T::one());
        Self::Planar { point, directions: [V3::new(l, o, o), V3::new(o, l, o)] }
    }

    /// The attachment point on the platform, in base axes. The sliding point is
    /// where the leg is: it belongs to the leg, not to the platform (errata: (64), (65)).
    #[inline(always)]
    pub fn point(&self, pose: &Pose<T>, leg_point: V3<T>) -> V3<T> {
        match self {
            Self::Spherical { point }
            | Self::Planar { point, .. }
            | Self::Universal { point, .. }
            | Self::Revolute { point, .. } => pose.of(*point),
            Self::Fixed { frame } => pose.of(frame.position),
            Self::Sliding { .. } => leg_point,
            Self::Carried { hub, point } => pose.of(*hub) + *point,
            Self::Turning { .. } => pose.position,
        }
    }

    /// Every number through `f`.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Attachment<U> {
        match self {
            Self::Spherical { point } => Attachment::Spherical { point: point.map(&mut f) },
            Self::Planar { point, directions } => {
                Attachment::Planar { point: point.map(&mut f), directions: directions.map(|d| d.map(&mut f)) }
            }
            Self::Sliding { normal, distance } => {
                Attachment::Sliding { normal: normal.map(&mut f), distance: f(distance) }
            }
            Self::Universal { point, leg_axis, platform_axis } => Attachment::Universal {
                point: point.map(&mut f),
                leg_axis: leg_axis.map(&mut f),
                platform_axis: platform_axis.map(&mut f),
            },
            Self::Revolute { point, leg_axis, platform_normals } => Attachment::Revolute {
                point: point.map(&mut f),
                leg_axis: leg_axis.map(&mut f),
                platform_normals: platform_normals.map(|n| n.map(&mut f)),
            },
            Self::Fixed { frame } => Attachment::Fixed { frame: frame.map(&mut f) },
            Self::Carried { hub, point } => {
                Attachment::Carried { hub: hub.map(&mut f), point: point.map(&mut f) }
            }
            Self::Turning { axis, frame: M3(rows) } => {
                Attachment::Turning { axis: axis.map(&mut f), frame: M3(rows.map(|row| row.map(&mut f))) }
            }
        }
    }

    /// The same joint of a robot whose base is turned.
    #[must_use]
    pub fn with_base_turned(self, turn: M3<T>) -> Self {
        match self {
            Self::Planar { point, directions } => {
                Self::Planar { point, directions: directions.map(|direction| turn * direction) }
            }
            Self::Carried { hub, point } => Self::Carried { hub, point: turn * point },
            Self::Turning { axis, frame } => Self::Turning { axis: turn * axis, frame },
            in_platform => in_platform,
        }
    }

    /// The same joint where the frame of the platform is another one of its frames, `tool`.
    #[must_use]
    pub fn seen_from(self, tool: &Pose<T>) -> Self {
        let (back, turn) = (tool.inverse(), tool.rotation.transpose());
        match self {
            Self::Spherical { point } => Self::Spherical { point: back.of(point) },
            Self::Planar { point, directions } => Self::Planar { point: back.of(point), directions },
            Self::Sliding { normal, distance } => {
                Self::Sliding { normal: turn * normal, distance: distance - normal.dot(tool.position) }
            }
            Self::Universal { point, leg_axis, platform_axis } => {
                Self::Universal { point: back.of(point), leg_axis, platform_axis: turn * platform_axis }
            }
            Self::Revolute { point, leg_axis, platform_normals } => Self::Revolute {
                point: back.of(point),
                leg_axis,
                platform_normals: platform_normals.map(|normal| turn * normal),
            },
            Self::Fixed { frame } => Self::Fixed { frame: back * frame },
            Self::Carried { hub, point } => Self::Carried { hub: back.of(hub), point },
            Self::Turning { axis, frame } => Self::Turning { axis, frame: turn * frame },
        }
    }

    /// All directions at a pose, the last link turned by `tip` and ending at `leg_point`.
    #[inline(always)]
    pub fn jacobian<const N: usize>(
        &self,
        pose: &Pose<T>,
        tip: M3<T>,
        leg_point: V3<T>,
    ) -> AttachmentJacobian<T, N> {
        let turned = |v: V3<T>| pose.rotation * v;
        let zero = V3::zero();
        let mut axes = [zero; N];
        let (base_axes, offset) = match self {
            Self::Spherical { point } | Self::Universal { point, .. } | Self::Revolute { point, .. } => {
                (true, turned(*point))
            }
            Self::Fixed { frame } => (true, turned(frame.position)),
            Self::Carried { hub, .. } => (true, turned(*hub)),
            Self::Turning { axis, .. } => {
                axes.iter_mut().take(1).for_each(|slot| *slot = *axis);
                (false, V3::zero())
            }
            Self::Planar { point, directions } => {
                axes.iter_mut().zip(directions).for_each(|(axis, direction)| *axis = *direction);
                (false, turned(*point))
            }
            Self::Sliding { normal, .. } => {
                axes.iter_mut().take(1).for_each(|axis| *axis = turned(*normal));
                (false, leg_point - pose.position)
            }
        };
        for k in 3..N {
            axes[k] = self.direction(k, pose, tip).moment;
        }
        let turns = N == 1 && matches!(self, Self::Turning { .. });
        AttachmentJacobian { axes, base_axes, turns, offset }
    }

    /// J̇_vi V_P − J̇_i q̇_i of all components.
    #[inline(always)]
    pub(crate) fn velocity_products<const N: usize>(
        &self,
        jacobian: &AttachmentJacobian<T, N>,
        at: &AttachmentMotion<'_, T>,
    ) -> [T; N] {
        let mut out = [T::zero(); N];
        if jacobian.base_axes {
            // The first three components are those of the point itself.
            let w = at.twist.angular;
            let missing = w.cross(w.cross(jacobian.offset)) - at.leg_product.linear;
            for (slot, value) in out.iter_mut().zip(missing.to_array()) {
                *slot = value;
            }
        }
        for k in if jacobian.base_axes { 3 } else { 0 }..N {
            let at = *at; // what is handed on by reference here stays in registers elsewhere
            let component = self.component(k, &at);
            out[k] = component.platform_bias - component.leg_bias;
        }
        out
    }

    /// The directions n_k, m_k of component `k` alone.
    #[inline]
    pub(crate) fn direction(&self, k: usize, pose: &Pose<T>, tip: M3<T>) -> Wrench<T> {
        let turning =
            |leg_axis: V3<T>, w: V3<T>| Wrench::new(V3::zero(), (tip * leg_axis).cross(pose.rotation * w));
        match (self, k) {
            (Self::Sliding { normal, .. }, 0) => Wrench::new(pose.rotation * *normal, V3::zero()),
            (Self::Planar { directions: [u, _], .. }, 0) => Wrench::new(*u, V3::zero()),
            (Self::Planar { directions: [_, v], .. }, 1) => Wrench::new(*v, V3::zero()),
            (Self::Universal { leg_axis, platform_axis, .. }, 3) => turning(*leg_axis, *platform_axis),
            (Self::Revolute { leg_axis, platform_normals: [n, _], .. }, 3)
            | (Self::Revolute { leg_axis, platform_normals: [_, n], .. }, 4) => turning(*leg_axis, *n),
            (Self::Fixed { .. }, 3..=5) => Wrench::new(V3::zero(), unit(k - 3)),
            (Self::Turning { axis, .. }, 0) => Wrench::new(V3::zero(), *axis),
            (Self::Sliding { .. } | Self::Planar { .. } | Self::Turning { .. }, _) => Wrench::zero(),
            (_, 0..=2) => Wrench::new(unit(k), V3::zero()),
            _ => Wrench::zero(),
        }
    }

    /// Component `k` with its velocity products; zero beyond the last one.
    #[inline]
    pub(crate) fn component(&self, k: usize, at: &AttachmentMotion<'_, T>) -> Component<T> {
        let tip = at.tip;
        let direction = self.direction(k, at.pose, tip);
        let (v, w) = (at.twist.linear, at.twist.angular);
        let d = self.point(at.pose, at.leg_point) - at.pose.position;
        let (n, m) = (direction.force, direction.moment);
        match (self, k) {
            // d(PP_i)/dt = ṗ_i − v_P and ṅ = ω × n: what (65) of the paper misses.
            (Self::Sliding { .. }, _) => {
                let speed = at.leg_twist.linear;
                Component {
                    direction,
                    platform_bias: n.dot(w.cross(speed - v - v - w.cross(d))),
                    leg_bias: n.dot(at.leg_product.linear - w.cross(speed)),
                }
            }
            // m = u × w with u carried by the leg, w by the platform.
            (Self::Universal { leg_axis, platform_axis, .. }, 3) => {
                turning(direction, tip * *leg_axis, at.pose.rotation * *platform_axis, at)
            }
            (Self::Revolute { leg_axis, platform_normals: [a, b], .. }, 3 | 4) => {
                let normal = if k == 3 { *a } else { *b };
                turning(direction, tip * *leg_axis, at.pose.rotation * normal, at)
            }
            // Directions fixed in the base.
            _ => Component {
                direction,
                platform_bias: n.dot(w.cross(w.cross(d))),
                leg_bias: n.dot(at.leg_product.linear) + m.dot(at.leg_product.angular),
            },
        }
    }

    /// How far the leg is from being attached, component by component: zero when closed.
    #[inline]
    pub(crate) fn gap(&self, k: usize, pose: &Pose<T>, tip: M3<T>, leg_point: V3<T>) -> T {
        let between = self.point(pose, leg_point) - leg_point;
        let across = |leg_axis: V3<T>, w: V3<T>| -(tip * leg_axis).dot(pose.rotation * w);
        match (self, k) {
            (Self::Sliding { normal, distance }, 0) => {
                *distance - (pose.rotation * *normal).dot(leg_point - pose.position)
            }
            // d(u·w)/dt = (ω_leg − ω_platform)·(u × w)
            (Self::Universal { leg_axis, platform_axis, .. }, 3) => across(*leg_axis, *platform_axis),
            (Self::Revolute { leg_axis, platform_normals: [a, _], .. }, 3) => across(*leg_axis, *a),
            (Self::Revolute { leg_axis, platform_normals: [_, b], .. }, 4) => across(*leg_axis, *b),
            (Self::Fixed { frame }, 3..=5) => {
                turn_between(tip, pose.rotation * frame.rotation).dot(unit(k - 3))
            }
            (Self::Turning { axis, frame }, 0) => turn_between(tip, pose.rotation * *frame).dot(*axis),
            _ => self.direction(k, pose, tip).force.dot(between),
        }
    }
}

/// Half the sum of the cross products of corresponding axes: the turn from one frame to another.
#[inline]
fn turn_between<T: Real>(from: M3<T>, to: M3<T>) -> V3<T> {
    let (have, want) = (from.columns(), to.columns());
    let turn = have.x.cross(want.x) + have.y.cross(want.y) + have.z.cross(want.z);
    turn * T::from_f64(0.5)
}

#[inline]
fn turning<T: Real>(direction: Wrench<T>, u: V3<T>, w: V3<T>, at: &AttachmentMotion<'_, T>) -> Component<T> {
    let (leg, platform) = (at.leg_twist.angular, at.twist.angular);
    let rate = leg.cross(u).cross(w) + u.cross(platform.cross(w)); // d(u × w)/dt
    Component {
        direction,
        platform_bias: rate.dot(platform),
        leg_bias: rate.dot(leg) + direction.moment.dot(at.leg_product.angular),
    }
}

#[inline]
fn unit<T: Real>(k: usize) -> V3<T> {
    let at = |i: usize| if i == k { T::one() } else { T::zero() };
    V3::new(at(0), at(1), at(2))
}
