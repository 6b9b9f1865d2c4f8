//! A leg as a serial chain of revolute and prismatic joints: frames, joint
//! screws, and the recursive Newton–Euler equations.
//!
//! Everything is written in base axes and reduced at one point fixed in space,
//! the place where the attachment is at this instant. Then no vector has to be
//! turned from link to link, and the columns of J_i are the joint screws themselves.
//!
//! ```text
//! V_j = V_{j−1} + S_j q̇_j                                                       (1)
//! A_j = A_{j−1} + S_j q̈_j + V_{j−1} × S_j q̇_j,   A_0 = (−g, 0)                   (2)
//! f_j = M_j (a_j + α_j × c_j + ω_j × (v_j + ω_j × c_j)),   V_j = (v_j, ω_j), A_j = (a_j, α_j)
//! n_j = c_j × f_j + I_cj α_j + ω_j × I_cj ω_j
//! F_j = (f_j, n_j) + F_{j+1}                                                     (3)
//! H_j = S_j·F_j + Ia_j q̈_j + friction                                           (4)
//! ```
//!
//! with c_j from the attachment point to the centre of mass of link j, and I_cj its inertia
//! about that centre, which is applied in the axes of the link. These are the outward and
//! backward recursions of Newton and Euler \[KhalilIbrahim2007, Sec. 2.2\] in screw form; a
//! test holds them against the printed ones in link axes. What does not depend on q̈ is
//! worked out once, as a [`ChainMotion`].
#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // every index is bounded by N

use super::spatial::{Pose, RigidBody, SpatialInertia, Twist, Wrench};
use crate::{M3, Real, V3};
use core::array::from_fn;

/// A block for each joint j = 0 … N − 1 or back, written out for up to three joints: then the
/// compiler sees every index, and the frames of a leg stay in registers.
macro_rules! for_joints {
    ($n:ident, $j:ident => $body:block) => {
        if $n <= 3 {
            for_joints!(@one $n, $j, 0, $body);
            for_joints!(@one $n, $j, 1, $body);
            for_joints!(@one $n, $j, 2, $body);
        } else {
            for $j in 0..$n $body
        }
    };
    ($n:ident back, $j:ident => $body:block) => {
        if $n <= 3 {
            for_joints!(@one $n, $j, 2, $body);
            for_joints!(@one $n, $j, 1, $body);
            for_joints!(@one $n, $j, 0, $body);
        } else {
            for $j in (0..$n).rev() $body
        }
    };
    (@one $n:ident, $j:ident, $at:literal, $body:block) => {
        if $n > $at {
            let $j: usize = $at;
            $body
        }
    };
}
pub(super) use for_joints;

/// What a joint lets its link do along or about its z axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointKind {
    /// Turns about z, σ = 0.
    Revolute,
    /// Slides along z, σ = 1.
    Prismatic,
}

/// Where a joint is: an angle by its cosine and sine, or a distance.
///
/// Closed-form leg kinematics finds cosine and sine without a trigonometric
/// function; the angle itself is only worked out when asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointValue<T> {
    /// cos q; 1 for a prismatic joint.
    pub cos: T,
    /// sin q; 0 for a prismatic joint.
    pub sin: T,
    /// q \[m\]; 0 for a revolute joint.
    pub slide: T,
}

impl<T: Real> JointValue<T> {
    /// A revolute joint by cosine and sine.
    #[inline]
    pub fn turned(cos: T, sin: T) -> Self {
        Self { cos, sin, slide: T::zero() }
    }

    /// A prismatic joint \[m\].
    #[inline]
    pub fn slid(slide: T) -> Self {
        Self { cos: T::one(), sin: T::zero(), slide }
    }

    /// The value `q` \[rad or m\] of a joint of this kind.
    #[inline]
    pub fn of(kind: JointKind, q: T) -> Self {
        match kind {
            JointKind::Revolute => {
                let (sin, cos) = q.sin_cos();
                Self::turned(cos, sin)
            }
            JointKind::Prismatic => Self::slid(q),
        }
    }

    /// q \[rad, in (−π, π], or m\].
    #[inline]
    pub fn coordinate(&self, kind: JointKind) -> T {
        match kind {
            JointKind::Revolute => self.sin.atan2(self.cos),
            JointKind::Prismatic => self.slide,
        }
    }

    /// self − o: an angle comes out in (−π, π].
    #[inline]
    pub fn minus(&self, o: &Self, kind: JointKind) -> T {
        match kind {
            JointKind::Revolute => {
                let sin = self.sin * o.cos - self.cos * o.sin;
                sin.atan2(self.cos * o.cos + self.sin * o.sin)
            }
            JointKind::Prismatic => self.slide - o.slide,
        }
    }
}

/// What sits on a joint axis besides the link: motor, gear and friction, seen from the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive<T> {
    /// Rotor and gear reflected to the joint, Ia \[kg·m² or kg\]; has no weight.
    pub inertia: T,
    /// Viscous friction \[N·m·s/rad or N·s/m\].
    pub viscous: T,
    /// Coulomb friction \[N·m or N\].
    pub coulomb: T,
    /// Speed around which the Coulomb friction changes its sign \[rad/s or m/s\]; zero for a jump.
    pub smoothing: T,
    /// Effort that is needed besides, always the same: the zero of a current sensor, a spring, a cable \[N·m or N\].
    pub offset: T,
}

impl<T: Real> Drive<T> {
    /// No inertia, no friction.
    pub fn ideal() -> Self {
        let zero = T::zero();
        Self { inertia: zero, viscous: zero, coulomb: zero, smoothing: zero, offset: zero }
    }

    /// Inertia without friction.
    pub fn with_inertia(inertia: T) -> Self {
        Self { inertia, ..Self::ideal() }
    }

    /// The same with this speed of smoothing, for motion in time: a jump has no derivative to integrate.
    #[must_use]
    pub fn smoothed(self, smoothing: T) -> Self {
        Self { smoothing, ..self }
    }

    /// Effort that friction takes at a joint velocity, with the offset: D q̇ + F q̇/√(q̇² + ε²) + c, without ε
    /// D q̇ + F sign q̇ + c.
    #[inline(always)]
    pub fn friction(&self, rate: T) -> T {
        let smooth = rate / (rate.squared() + self.smoothing.squared()).sqrt();
        let direction = T::select(T::zero().lt(self.smoothing), smooth, rate.signum0());
        self.viscous * rate + self.coulomb * direction + self.offset
    }

    /// Every number through `f`.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Drive<U> {
        Drive {
            inertia: f(self.inertia),
            viscous: f(self.viscous),
            coulomb: f(self.coulomb),
            smoothing: f(self.smoothing),
            offset: f(self.offset),
        }
    }
}

/// One joint and the link it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link<T> {
    /// What the joint lets the link do.
    pub kind: JointKind,
    /// Whether a motor drives it, μ of the paper.
    pub active: bool,
    /// The link's frame at q = 0, seen from the link before it (the first: from the
    /// base). The joint's axis is z of this frame.
    pub placement: Pose<T>,
    /// Mass and inertia in the link's frame; `None` where they are neglected, as in the cross of a
    /// universal joint.
    pub body: Option<RigidBody<T>>,
    /// Motor and friction on the joint.
    pub drive: Drive<T>,
}

/// Parameters of Khalil and Kleinfinger for one joint: the frame is reached from
/// its parent by Rz(γ) Tz(b) Rx(α) Tx(d) Rz(θ) Tz(r).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModifiedDh<T> {
    /// γ \[rad\]
    pub gamma: T,
    /// b \[m\]
    pub b: T,
    /// α \[rad\]
    pub alpha: T,
    /// d \[m\]
    pub d: T,
    /// θ \[rad\]: of a prismatic joint; what a revolute one adds to its angle.
    pub theta: T,
    /// r \[m\]: of a revolute joint; what a prismatic one adds to its distance.
    pub r: T,
}

impl<T: Real> ModifiedDh<T> {
    /// The frame at q = 0. θ and r are about and along the same z, so their order does not matter.
    pub fn placement(&self) -> Pose<T> {
        let (o, l) = (T::zero(), T::one());
        let (sin, cos) = self.alpha.sin_cos();
        let tilt = M3::from_rows(V3::new(l, o, o), V3::new(o, cos, -sin), V3::new(o, sin, cos));
        let turn = |angle: T, along: T| Pose { position: V3::along_z(along), ..Pose::rotation_z(angle) };
        turn(self.gamma, self.b) * Pose::new(tilt, V3::new(self.d, o, o)) * turn(self.theta, self.r)
    }
}

/// One joint by its axis in any direction, as robot files have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisLink<T> {
    /// What the joint lets the link do.
    pub kind: JointKind,
    /// Whether a motor drives it.
    pub active: bool,
    /// The link's frame at q = 0, seen from the link before it.
    pub placement: Pose<T>,
    /// Unit vector along the joint's axis in the link's frame.
    pub axis: V3<T>,
    /// Mass and inertia in the link's frame, if they are not neglected.
    pub body: Option<RigidBody<T>>,
    /// Motor and friction.
    pub drive: Drive<T>,
}

/// A rotation whose z column is the unit vector `axis`.
pub fn frame_with_z<T: Real>(axis: V3<T>) -> M3<T> {
    // The base axis least along it gives the first column: |axis.x| < 0.8 or else y.
    let (o, l) = (T::zero(), T::one());
    let steep = axis.x.abs().lt(T::from_f64(0.8));
    let helper = V3::new(T::select(steep, l, o), T::select(steep, o, l), o);
    let y = axis.cross(helper);
    let y = y * y.norm_sq().sqrt().recip();
    M3::from_columns(y.cross(axis), y, axis)
}

/// A serial chain of N joints and links from the base to an attachment point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain<T, const N: usize> {
    /// The links, base first.
    pub links: [Link<T>; N],
    /// The attachment point in the frame of the last link \[m\].
    pub tip: V3<T>,
}

impl<T: Real, const N: usize> Chain<T, N> {
    /// The size of a leg that ends at `end` and carries a platform whose origin is at `platform`, in base axes: the root
    /// of the sum of the squares of its links' lengths and of the distances from its first joint to both points \[m\];
    /// 1 where all of these are zero. What lengths and levers of the leg are compared with, so that its margins do not
    /// depend on the unit of length. The platform counts because a leg of slides alone may end where it begins.
    #[inline]
    pub fn size(&self, end: V3<T>, platform: V3<T>) -> T {
        let mut sum = self.tip.norm_sq();
        for (k, link) in self.links.iter().enumerate() {
            let p = link.placement.position;
            sum = sum + if k == 0 { (end - p).norm_sq() + (platform - p).norm_sq() } else { p.norm_sq() };
        }
        T::select(T::zero().lt(sum), sum.sqrt(), T::one())
    }

    /// What a column of J_i is measured in where rotations of the end count as lengths: `size` for a joint that
    /// turns, 1 for one that slides.
    #[inline]
    pub(crate) fn column_units(&self, size: T) -> [T; N] {
        self.links.map(|link| match link.kind {
            JointKind::Revolute => size,
            JointKind::Prismatic => T::one(),
        })
    }

    /// From links whose joints have axes of any direction. The link frames are
    /// turned so that z is the axis; bodies, later joints and the tip follow.
    /// Returns the chain and the rotation of the last link's frame, by which
    /// vectors of that link have to be turned too.
    pub fn from_axes(links: [AxisLink<T>; N], tip: V3<T>) -> (Self, M3<T>) {
        let mut turned = M3::diagonal(V3::splat(T::one())); // the previous link's frame ← its new frame
        let links = links.map(|link| {
            let before = Pose::new(turned.transpose(), V3::zero());
            turned = frame_with_z(link.axis);
            let now = Pose::new(turned, V3::zero());
            Link {
                kind: link.kind,
                active: link.active,
                placement: before * link.placement * now,
                body: link.body.map(|body| body.seen_from(&now.inverse())),
                drive: link.drive,
            }
        });
        (Self { links, tip: turned.transpose() * tip }, turned.transpose())
    }

    /// Every number through `f`.
    pub fn map<U: Real>(&self, mut f: impl FnMut(T) -> U) -> Chain<U, N> {
        Chain {
            links: self.links.map(|link| Link {
                kind: link.kind,
                active: link.active,
                placement: link.placement.map(&mut f),
                body: link.body.map(|body| body.map(&mut f)),
                drive: link.drive.map(&mut f),
            }),
            tip: self.tip.map(&mut f),
        }
    }

    /// Kinds of the joints.
    pub fn kinds(&self) -> [JointKind; N] {
        self.links.map(|link| link.kind)
    }

    /// Joint values from coordinates \[rad or m\].
    pub fn values(&self, q: &[T; N]) -> [JointValue<T>; N] {
        from_fn(|j| JointValue::of(self.links[j].kind, q[j]))
    }

    /// Coordinates \[rad or m\] from joint values.
    pub fn coordinates(&self, q: &[JointValue<T>; N]) -> [T; N] {
        from_fn(|j| q[j].coordinate(self.links[j].kind))
    }

    /// The chain with its joints at `q`.
    #[inline]
    pub fn posture(&self, q: &[JointValue<T>; N]) -> ChainPosture<T, N> {
        let mut posture = ChainPosture::blank();
        self.posture_into(q, &mut posture);
        posture
    }

    /// The same in its place.
    #[inline(always)]
    pub(crate) fn posture_into(&self, q: &[JointValue<T>; N], posture: &mut ChainPosture<T, N>) {
        let mut frame = Pose::identity();
        for_joints!(N, j => {
            let link = &self.links[j];
            frame = if j == 0 { link.placement } else { frame * link.placement };
            let V3 { x, y, z } = frame.rotation.columns();
            match link.kind {
                JointKind::Revolute => {
                    let (cos, sin) = (q[j].cos, q[j].sin);
                    frame.rotation = M3::from_columns(x * cos + y * sin, y * cos - x * sin, z);
                }
                JointKind::Prismatic => frame.position = frame.position + z * q[j].slide,
            }
            posture.frames[j] = frame;
        });
        posture.point = if N == 0 { self.tip } else { frame.of(self.tip) };
        for_joints!(N, j => {
            let Pose { rotation, position } = &posture.frames[j];
            let axis = rotation.columns().z;
            posture.screws[j] = match self.links[j].kind {
                JointKind::Revolute => Twist::new(axis.cross(posture.point - *position), axis),
                JointKind::Prismatic => Twist::new(axis, V3::zero()),
            };
        });
    }

    /// The links' inertias about the attachment point.
    #[inline(always)]
    pub fn inertias(&self, posture: &ChainPosture<T, N>) -> [SpatialInertia<T>; N] {
        let mut inertias = [SpatialInertia::zero(); N];
        for_joints!(N, j => {
            if let Some(body) = &self.links[j].body {
                inertias[j] = body.spatial(&posture.frames[j], posture.point);
            }
        });
        inertias
    }

    /// How the links move with these joint rates, by (1) and (2).
    #[inline]
    pub fn motion(&self, posture: &ChainPosture<T, N>, rate: &[T; N]) -> ChainMotion<T, N> {
        let mut motion = ChainMotion::blank();
        self.motion_into(posture, rate, &mut motion);
        motion
    }

    /// The same in its place.
    #[inline(always)]
    pub(crate) fn motion_into(
        &self,
        posture: &ChainPosture<T, N>,
        rate: &[T; N],
        motion: &mut ChainMotion<T, N>,
    ) {
        let (mut v, mut a) = (Twist::zero(), Twist::zero());
        for_joints!(N, j => {
            let s = &posture.screws[j];
            match self.links[j].kind {
                JointKind::Revolute => {
                    let moving = *s * rate[j];
                    if j > 0 {
                        a = a + v.cross(moving); // (2)
                    }
                    v = if j > 0 { v + moving } else { moving }; // (1)
                }
                JointKind::Prismatic => {
                    let moving = s.linear * rate[j];
                    if j > 0 {
                        a.linear = a.linear + v.angular.cross(moving);
                    }
                    v.linear = if j > 0 { v.linear + moving } else { moving };
                }
            }
            motion.twists[j] = v;
            motion.products[j] = a;
        });
    }

    /// H_i: joint efforts without friction for a motion and joint accelerations, by (2)–(4).
    #[inline(always)]
    pub fn effort(
        &self,
        posture: &ChainPosture<T, N>,
        motion: &ChainMotion<T, N>,
        acceleration: &[T; N],
        gravity: V3<T>,
    ) -> [T; N] {
        self.recursion(posture, None, motion, acceleration, Twist::new(-gravity, V3::zero()))
    }

    /// The same where the inertias about the attachment point are known already: the wrench of
    /// link j is then I_j A_j + V_j ×* I_j V_j.
    #[inline(always)]
    pub fn effort_with(
        &self,
        posture: &ChainPosture<T, N>,
        inertias: &[SpatialInertia<T>; N],
        motion: &ChainMotion<T, N>,
        acceleration: &[T; N],
        gravity: V3<T>,
    ) -> [T; N] {
        self.recursion(posture, Some(inertias), motion, acceleration, Twist::new(-gravity, V3::zero()))
    }

    /// How the links move with these joint rates on a base that moves with V_0 about the attachment point.
    pub(crate) fn motion_from(
        posture: &ChainPosture<T, N>,
        rate: &[T; N],
        base: Twist<T>,
    ) -> ChainMotion<T, N> {
        let mut motion = ChainMotion::blank();
        let (mut v, mut a) = (base, Twist::zero());
        for j in 0..N {
            let moving = posture.screws[j] * rate[j];
            a = v.cross(moving) + a; // (2)
            v = v + moving; // (1)
            motion.twists[j] = v;
            motion.products[j] = a;
        }
        motion
    }

    /// H_i without friction on a base with the acceleration A_0, from which gravity is taken off.
    pub(crate) fn effort_from(
        &self,
        posture: &ChainPosture<T, N>,
        motion: &ChainMotion<T, N>,
        acceleration: &[T; N],
        base: Twist<T>,
    ) -> [T; N] {
        self.recursion(posture, None, motion, acceleration, base)
    }

    /// (2)–(4)
    #[inline(always)]
    fn recursion(
        &self,
        posture: &ChainPosture<T, N>,
        inertias: Option<&[SpatialInertia<T>; N]>,
        motion: &ChainMotion<T, N>,
        acceleration: &[T; N],
        base: Twist<T>,
    ) -> [T; N] {
        let mut straight = base; // A_0 + Σ S q̈
        let mut wrenches = [Wrench::zero(); N];
        for_joints!(N, j => {
            let (link, s) = (&self.links[j], &posture.screws[j]);
            straight.linear = straight.linear + s.linear * acceleration[j];
            if matches!(link.kind, JointKind::Revolute) {
                straight.angular = straight.angular + s.angular * acceleration[j];
            }
            if let Some(body) = &link.body {
                let (v, a) = (motion.twists[j], straight + motion.products[j]); // (2)
                wrenches[j] = match inertias {
                    None => body.inertial_wrench(&posture.frames[j], posture.point, v, a), // (3)
                    Some(known) => known[j].apply(a) + v.cross_wrench(known[j].apply(v)),
                };
            }
        });
        let mut total = Wrench::zero();
        let mut effort = [T::zero(); N];
        for_joints!(N back, j => {
            if self.links[j].body.is_some() {
                total = if j + 1 < N { total + wrenches[j] } else { wrenches[j] }; // (3)
            }
            effort[j] = self.power(posture, j, total) + self.links[j].drive.inertia * acceleration[j]; // (4)
        });
        effort
    }

    /// S_j·F
    #[inline(always)]
    fn power(&self, posture: &ChainPosture<T, N>, j: usize, wrench: Wrench<T>) -> T {
        let s = &posture.screws[j];
        match self.links[j].kind {
            JointKind::Revolute => wrench.power(*s),
            JointKind::Prismatic => wrench.force.dot(s.linear),
        }
    }

    /// The part of H_i that holds the links against gravity.
    #[inline(always)]
    pub fn weight(
        &self,
        posture: &ChainPosture<T, N>,
        inertias: &[SpatialInertia<T>; N],
        gravity: V3<T>,
    ) -> [T; N] {
        let mut effort = [T::zero(); N];
        let (mut mass, mut first) = (T::zero(), V3::zero());
        for_joints!(N back, j => {
            if self.links[j].body.is_some() {
                mass = mass + inertias[j].mass;
                first = first + inertias[j].first;
            }
            let s = &posture.screws[j];
            let along = s.linear.dot(gravity) * mass;
            effort[j] = match self.links[j].kind {
                JointKind::Revolute => -(along + s.angular.dot(first.cross(gravity))),
                JointKind::Prismatic => -along,
            };
        });
        effort
    }

    /// A_i: the mass matrix, by the inertia of the part of the chain beyond each joint.
    #[inline(always)]
    pub fn mass_matrix(
        &self,
        posture: &ChainPosture<T, N>,
        inertias: &[SpatialInertia<T>; N],
    ) -> [[T; N]; N] {
        let mut matrix = [[T::zero(); N]; N];
        let mut composite = SpatialInertia::zero();
        for_joints!(N back, j => {
            if self.links[j].body.is_some() {
                composite = if j + 1 < N { composite + inertias[j] } else { inertias[j] };
            }
            let s = &posture.screws[j];
            let wrench = match self.links[j].kind {
                JointKind::Revolute => composite.apply(*s),
                JointKind::Prismatic => {
                    Wrench::new(s.linear * composite.mass, composite.first.cross(s.linear))
                }
            };
            for i in 0..=j {
                matrix[i][j] = self.power(posture, i, wrench);
                matrix[j][i] = matrix[i][j];
            }
            matrix[j][j] = matrix[j][j] + self.links[j].drive.inertia;
        });
        matrix
    }

    /// Efforts that friction takes.
    #[inline]
    pub fn friction(&self, rate: &[T; N]) -> [T; N] {
        let mut effort = [T::zero(); N];
        for_joints!(N, j => {
            effort[j] = self.links[j].drive.friction(rate[j]);
        });
        effort
    }

    /// Kinetic energy \[J\], rotors included.
    pub fn kinetic_energy(&self, posture: &ChainPosture<T, N>, rate: &[T; N]) -> T {
        let inertias = self.inertias(posture);
        let mut v = Twist::zero();
        let mut twice = T::zero();
        for j in 0..N {
            v = v + posture.screws[j] * rate[j];
            twice = twice + inertias[j].apply(v).power(v) + self.links[j].drive.inertia * rate[j].squared();
        }
        twice * T::from_f64(0.5)
    }

    /// Potential energy \[J\]: zero with every centre of mass at the base's origin.
    pub fn potential_energy(&self, posture: &ChainPosture<T, N>, gravity: V3<T>) -> T {
        let mut energy = T::zero();
        for j in 0..N {
            if let Some(body) = &self.links[j].body {
                energy = energy - gravity.dot(posture.frames[j].of(body.centre)) * body.mass;
            }
        }
        energy
    }
}

/// A chain in one position, in base axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainPosture<T, const N: usize> {
    /// The frames of the links.
    pub frames: [Pose<T>; N],
    /// S_j: the twist of the attachment point per unit of joint j's rate.
    pub screws: [Twist<T>; N],
    /// The attachment point \[m\].
    pub point: V3<T>,
}

impl<T: Real, const N: usize> ChainPosture<T, N> {
    /// A place for a posture.
    #[inline(always)]
    pub(crate) fn blank() -> Self {
        let zero = V3::zero();
        Self { frames: [Pose::new(M3::diagonal(zero), zero); N], screws: [Twist::zero(); N], point: zero }
    }

    /// Orientation of the last link.
    #[inline]
    pub fn tip_rotation(&self) -> M3<T> {
        if N == 0 { Pose::identity().rotation } else { self.frames[N - 1].rotation }
    }
}

/// How the links of a chain move, in base axes and reduced at the attachment point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainMotion<T, const N: usize> {
    /// V_j
    pub twists: [Twist<T>; N],
    /// A_j without weight while no joint accelerates.
    pub products: [Twist<T>; N],
}

impl<T: Real, const N: usize> ChainMotion<T, N> {
    /// A place for a motion.
    #[inline(always)]
    pub(crate) fn blank() -> Self {
        Self { twists: [Twist::zero(); N], products: [Twist::zero(); N] }
    }

    /// Twist of the last link at the attachment point.
    #[inline]
    pub fn tip(&self) -> Twist<T> {
        if N == 0 { Twist::zero() } else { self.twists[N - 1] }
    }

    /// Acceleration of the attachment point and of the last link's turning when no
    /// joint accelerates: J̇ q̇ of the full 6-row Jacobian.
    #[inline]
    pub fn tip_product(&self) -> Twist<T> {
        if N == 0 {
            return Twist::zero();
        }
        let (v, a) = (self.twists[N - 1], self.products[N - 1]);
        // The point moves with v: its own acceleration is the screw's linear part and ω × v.
        Twist::new(a.linear + v.angular.cross(v.linear), a.angular)
    }
}
