//! Poses, twists, wrenches and rigid bodies.
//!
//! All vectors are in base axes unless a name says otherwise. Flattened, the
//! linear part comes first, as in the rows `[nᵀ (c × n)ᵀ]` of the parallel-robot papers.

use crate::linalg::singular_values;
use crate::{M3, Real, Sym3, V3};
use core::fmt;
use core::ops::{Add, Mul, Sub};

/// Where a frame is: `R_BP` and `p_BP`, so that p_B = R p_P + p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<T> {
    /// Orientation: maps vectors of the frame to vectors of its reference.
    pub rotation: M3<T>,
    /// Origin of the frame in its reference \[m\].
    pub position: V3<T>,
}

impl<T: Real> Pose<T> {
    /// From rotation and position.
    #[inline(always)]
    pub const fn new(rotation: M3<T>, position: V3<T>) -> Self {
        Self { rotation, position }
    }

    /// The reference frame itself.
    #[inline(always)]
    pub fn identity() -> Self {
        Self::new(M3::diagonal(V3::splat(T::one())), V3::zero())
    }

    /// Moved without turning.
    #[inline(always)]
    pub fn translation(position: V3<T>) -> Self {
        Self { position, ..Self::identity() }
    }

    /// Turned by `angle` \[rad\] about z.
    pub fn rotation_z(angle: T) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self::new(M3::rotation_z(cos, sin), V3::zero())
    }

    /// A platform that moves in the x-y plane: position and angle \[m, rad\].
    pub fn planar(x: T, y: T, angle: T) -> Self {
        Self { position: V3::new(x, y, T::zero()), ..Self::rotation_z(angle) }
    }

    /// A point of the frame, seen from the reference.
    #[inline(always)]
    pub fn of(&self, point: V3<T>) -> V3<T> {
        self.rotation * point + self.position
    }

    /// The reference seen from the frame.
    #[inline(always)]
    pub fn inverse(&self) -> Self {
        let back = self.rotation.transpose();
        Self::new(back, -(back * self.position))
    }

    /// The frame after a small turn and shift, both in reference axes: `R ← C(w) R`,
    /// `p ← p + v`. C is Cayley's map, a rotation for every w and e^\[w\] to second order.
    #[inline(always)]
    pub fn moved(&self, step: &Twist<T>) -> Self {
        let u = step.angular * T::from_f64(0.5);
        let scale = T::from_f64(2.0) / (T::one() + u.norm_sq());
        let turn = |v: V3<T>| v + (u.cross(v) + u.cross(u.cross(v))) * scale;
        let columns = self.rotation.columns().map(turn);
        Self::new(M3::from_columns(columns.x, columns.y, columns.z), self.position + step.linear)
    }

    /// Every number through `f`.
    #[inline(always)]
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Pose<U> {
        Pose { rotation: M3(self.rotation.0.map(|row| row.map(&mut f))), position: self.position.map(&mut f) }
    }
}

/// Composition: `p_BC = p_BP * p_PC`.
impl<T: Real> Mul for Pose<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self::new(self.rotation * o.rotation, self.of(o.position))
    }
}

/// Velocity of a body reduced at a point; also an acceleration in the same parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist<T> {
    /// Velocity of the point \[m/s\].
    pub linear: V3<T>,
    /// Angular velocity \[rad/s\].
    pub angular: V3<T>,
}

impl<T: Real> Twist<T> {
    /// From its parts.
    #[inline(always)]
    pub const fn new(linear: V3<T>, angular: V3<T>) -> Self {
        Self { linear, angular }
    }

    /// At rest.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::new(V3::zero(), V3::zero())
    }

    /// The same motion at a point `offset` away: v + ω × d.
    #[inline(always)]
    pub fn at(self, offset: V3<T>) -> Self {
        Self::new(self.linear + self.angular.cross(offset), self.angular)
    }

    /// Rate of change of a twist `o` that is carried along by this one.
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        Self::new(self.angular.cross(o.linear) + self.linear.cross(o.angular), self.angular.cross(o.angular))
    }

    /// Rate of change of a wrench (or momentum) carried along by this twist.
    #[inline(always)]
    pub fn cross_wrench(self, w: Wrench<T>) -> Wrench<T> {
        Wrench::new(self.angular.cross(w.force), self.angular.cross(w.moment) + self.linear.cross(w.force))
    }

    /// (v, ω)
    #[inline(always)]
    pub fn to_vector_linear_first(self) -> [T; 6] {
        let (v, w) = (self.linear, self.angular);
        [v.x, v.y, v.z, w.x, w.y, w.z]
    }

    /// From (v, ω).
    #[inline(always)]
    pub fn from_vector_linear_first([a, b, c, d, e, f]: [T; 6]) -> Self {
        Self::new(V3::new(a, b, c), V3::new(d, e, f))
    }
}

impl<T: Real> Add for Twist<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(self.linear + o.linear, self.angular + o.angular)
    }
}

impl<T: Real> Sub for Twist<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(self.linear - o.linear, self.angular - o.angular)
    }
}

impl<T: Real> Mul<T> for Twist<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        Self::new(self.linear * s, self.angular * s)
    }
}

/// Force and moment reduced at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench<T> {
    /// \[N\]
    pub force: V3<T>,
    /// About the point \[N·m\].
    pub moment: V3<T>,
}

impl<T: Real> Wrench<T> {
    /// From its parts.
    #[inline(always)]
    pub const fn new(force: V3<T>, moment: V3<T>) -> Self {
        Self { force, moment }
    }

    /// Nothing.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::new(V3::zero(), V3::zero())
    }

    /// Power of this wrench on a body that moves with `v` \[W\].
    #[inline(always)]
    pub fn power(self, v: Twist<T>) -> T {
        self.force.dot(v.linear) + self.moment.dot(v.angular)
    }

    /// The same wrench about a point from which its present one is `offset` away.
    #[inline(always)]
    pub fn seen_from(self, offset: V3<T>) -> Self {
        Self::new(self.force, self.moment + offset.cross(self.force))
    }

    /// (f, m)
    #[inline(always)]
    pub fn to_vector_linear_first(self) -> [T; 6] {
        let (f, m) = (self.force, self.moment);
        [f.x, f.y, f.z, m.x, m.y, m.z]
    }

    /// From (f, m).
    #[inline(always)]
    pub fn from_vector_linear_first([a, b, c, d, e, f]: [T; 6]) -> Self {
        Self::new(V3::new(a, b, c), V3::new(d, e, f))
    }
}

impl<T: Real> Add for Wrench<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(self.force + o.force, self.moment + o.moment)
    }
}

impl<T: Real> Sub for Wrench<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(self.force - o.force, self.moment - o.moment)
    }
}

impl<T: Real> Mul<T> for Wrench<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        Self::new(self.force * s, self.moment * s)
    }
}

/// R A Rᵀ
#[inline(always)]
pub(crate) fn rotated<T: Real>(r: M3<T>, a: Sym3<T>) -> Sym3<T> {
    let ra = r * a.to_matrix();
    let (x, y, z) = (r.0.x, r.0.y, r.0.z);
    Sym3 {
        diagonal: V3::new(ra.0.x.dot(x), ra.0.y.dot(y), ra.0.z.dot(z)),
        off: V3::new(ra.0.y.dot(z), ra.0.z.dot(x), ra.0.x.dot(y)),
    }
}

/// m (c·c 1 − c cᵀ): what a mass adds to the inertia about a point c away from it.
#[inline(always)]
pub(crate) fn steiner<T: Real>(mass: T, c: V3<T>) -> Sym3<T> {
    let mc = c * mass;
    let (x, y, z) = (mc.x * c.x, mc.y * c.y, mc.z * c.z);
    Sym3 { diagonal: V3::new(y + z, z + x, x + y), off: V3::new(-(mc.y * c.z), -(mc.z * c.x), -(mc.x * c.y)) }
}

/// Mass, centre and inertia of a rigid body, in a frame fixed to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidBody<T> {
    /// M \[kg\]
    pub mass: T,
    /// Centre of mass c in the body's frame \[m\].
    pub centre: V3<T>,
    /// Inertia about the **centre of mass** in the body's axes, I_c \[kg·m²\].
    pub inertia: Sym3<T>,
}

impl<T: Real> RigidBody<T> {
    /// Nothing: a link whose mass is neglected.
    pub fn massless() -> Self {
        Self::point(T::zero(), V3::zero())
    }

    /// A point mass.
    pub fn point(mass: T, centre: V3<T>) -> Self {
        Self { mass, centre, inertia: Sym3::scalar(T::zero()) }
    }

    /// A thin uniform rod between two points, all its mass on the line.
    pub fn thin_rod(mass: T, from: V3<T>, to: V3<T>) -> Self {
        let half = T::from_f64(0.5);
        Self { mass, centre: (from + to) * half, inertia: steiner(mass / T::from_f64(12.0), to - from) }
    }

    /// From the paper's parameters: first moments MS \[kg·m\] and inertia about the
    /// **origin** of the frame \[kg·m²\] \[KhalilIbrahim2007, Eq. 12–15\].
    pub fn from_origin(mass: T, first_moment: V3<T>, inertia: Sym3<T>) -> Self {
        let centre = first_moment * mass.recip();
        Self { mass, centre, inertia: inertia + steiner(-mass, centre) }
    }

    /// First moments MS = M c \[kg·m\].
    #[inline(always)]
    pub fn first_moment(&self) -> V3<T> {
        self.centre * self.mass
    }

    /// Inertia about the origin of the frame \[kg·m²\].
    #[inline(always)]
    pub fn inertia_about_origin(&self) -> Sym3<T> {
        self.inertia + steiner(self.mass, self.centre)
    }

    /// The same body seen from the reference of `pose`.
    pub fn seen_from(&self, pose: &Pose<T>) -> Self {
        Self { mass: self.mass, centre: pose.of(self.centre), inertia: rotated(pose.rotation, self.inertia) }
    }

    /// Two bodies of one frame joined. Without any mass the centre is the origin.
    pub fn joined(&self, o: &Self) -> Self {
        let mass = self.mass + o.mass;
        let share = T::select(T::zero().lt(mass), mass.recip(), T::zero());
        let centre = (self.first_moment() + o.first_moment()) * share;
        Self {
            mass,
            centre,
            inertia: self.inertia
                + o.inertia
                + steiner(self.mass, self.centre - centre)
                + steiner(o.mass, o.centre - centre),
        }
    }

    /// Every number through `f`.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> RigidBody<U> {
        RigidBody {
            mass: f(self.mass),
            centre: self.centre.map(&mut f),
            inertia: Sym3 { diagonal: self.inertia.diagonal.map(&mut f), off: self.inertia.off.map(&mut f) },
        }
    }

    /// The wrench about `point` that the motion of the body at a pose asks for: V and A are its twist
    /// and its acceleration in screw form, both reduced at `point`, everything in base axes.
    ///
    /// ```text
    /// f = M (a + α × c + ω × (v + ω × c)),   n = c × f + I_c α + ω × I_c ω
    /// ```
    #[inline(always)]
    pub fn inertial_wrench(&self, pose: &Pose<T>, point: V3<T>, v: Twist<T>, a: Twist<T>) -> Wrench<T> {
        let c = pose.of(self.centre) - point;
        let (w, to_body) = (v.angular, pose.rotation.transpose());
        let force = (a.linear + a.angular.cross(c) + w.cross(v.linear + w.cross(c))) * self.mass;
        let (turning, spinning_up) = (to_body * w, to_body * a.angular);
        let about_centre = self.inertia * spinning_up + turning.cross(self.inertia * turning);
        Wrench::new(force, c.cross(force) + pose.rotation * about_centre)
    }

    /// The body at a pose, its inertia about `point`, everything in base axes.
    #[inline(always)]
    pub fn spatial(&self, pose: &Pose<T>, point: V3<T>) -> SpatialInertia<T> {
        let c = pose.of(self.centre) - point;
        SpatialInertia {
            mass: self.mass,
            first: c * self.mass,
            inertia: rotated(pose.rotation, self.inertia) + steiner(self.mass, c),
        }
    }
}

/// I_S of \[KhalilIbrahim2007, Eq. 14\]: a body's inertia about a point, in base axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialInertia<T> {
    /// M \[kg\]
    pub mass: T,
    /// MS \[kg·m\]
    pub first: V3<T>,
    /// About the point \[kg·m²\].
    pub inertia: Sym3<T>,
}

impl<T: Real> SpatialInertia<T> {
    /// I_S V: momentum of a twist, or inertial wrench of an acceleration.
    #[inline(always)]
    pub fn apply(&self, v: Twist<T>) -> Wrench<T> {
        Wrench::new(
            v.linear * self.mass + v.angular.cross(self.first),
            self.first.cross(v.linear) + self.inertia * v.angular,
        )
    }

    /// Of nothing.
    #[inline(always)]
    pub fn zero() -> Self {
        Self { mass: T::zero(), first: V3::zero(), inertia: Sym3::scalar(T::zero()) }
    }

    /// The blocks M 1, MS^, I of (14).
    #[inline(always)]
    pub fn blocks(&self) -> PlatformMass<T> {
        let (o, s) = (T::zero(), self.first);
        let hat = M3::from_rows(V3::new(o, -s.z, s.y), V3::new(s.z, o, -s.x), V3::new(-s.y, s.x, o));
        PlatformMass { linear: Sym3::scalar(self.mass), coupling: hat, angular: self.inertia }
    }

    /// The 6×6 matrix \[M 1, −MS^; MS^, I\] (14), linear part first.
    #[inline(always)]
    pub fn to_matrix(&self) -> [[T; 6]; 6] {
        self.blocks().to_matrix()
    }
}

/// A symmetric 6×6 mass matrix \[A, Bᵀ; B, C\] in platform space, linear part first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlatformMass<T> {
    /// A \[kg\]
    pub linear: Sym3<T>,
    /// B \[kg·m\]
    pub coupling: M3<T>,
    /// C \[kg·m²\]
    pub angular: Sym3<T>,
}

impl<T: Real> PlatformMass<T> {
    /// The lower half of a symmetric matrix.
    pub fn from_matrix(m: &[[T; 6]; 6]) -> Self {
        let [[a, ..], [b, c, ..], [d, e, f, ..], low @ ..] = *m;
        let [[g, h, i, j, ..], [k, l, n, o, p, _], [q, r, s, t, u, v]] = low;
        Self {
            linear: Sym3 { diagonal: V3::new(a, c, f), off: V3::new(e, d, b) },
            coupling: M3::from_rows(V3::new(g, h, i), V3::new(k, l, n), V3::new(q, r, s)),
            angular: Sym3 { diagonal: V3::new(j, p, v), off: V3::new(u, t, o) },
        }
    }

    /// All of it.
    #[inline(always)]
    pub fn to_matrix(&self) -> [[T; 6]; 6] {
        let ([a0, a1, a2], [c0, c1, c2]) =
            (self.linear.to_matrix().to_rows(), self.angular.to_matrix().to_rows());
        let ([b0, b1, b2], across) = (self.coupling.to_rows(), self.coupling.columns().map(V3::to_array));
        let join = |[p, q, r]: [T; 3], [s, t, u]: [T; 3]| [p, q, r, s, t, u];
        [join(a0, across.x), join(a1, across.y), join(a2, across.z), join(b0, c0), join(b1, c1), join(b2, c2)]
    }
}

impl<T: Real> Add for PlatformMass<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self {
            linear: self.linear + o.linear,
            coupling: self.coupling + o.coupling,
            angular: self.angular + o.angular,
        }
    }
}

impl<T: Real> Add for SpatialInertia<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { mass: self.mass + o.mass, first: self.first + o.first, inertia: self.inertia + o.inertia }
    }
}

/// Why no body can have these numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BodyError {
    /// NaN or infinite.
    NotFinite {
        /// Which group of numbers.
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// Less than nothing.
    NegativeMass {
        /// \[kg\]
        mass: f64,
    },
    /// Inertia without mass.
    InertiaWithoutMass {
        /// Largest principal moment \[kg·m²\].
        moment: f64,
    },
    /// The largest principal moment exceeds the sum of the others (or one is
    /// negative): no distribution of mass has that.
    Impossible {
        /// Principal moments, largest first \[kg·m²\].
        principal: [f64; 3],
    },
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotFinite { what, value } => write!(f, "{what} has the entry {value}"),
            Self::NegativeMass { mass } => write!(f, "a mass of {mass} kg is less than nothing"),
            Self::InertiaWithoutMass { moment } => {
                write!(f, "no mass, but a moment of inertia of {moment:.3e} kg m2")
            }
            Self::Impossible { principal: [a, b, c] } => write!(
                f,
                "no body has the principal moments of inertia {a:.4e}, {b:.4e}, {c:.4e} kg m2: the largest must not \
                 exceed the sum of the others, and none may be negative"
            ),
        }
    }
}

impl core::error::Error for BodyError {}

impl RigidBody<f64> {
    /// The body itself if mass can be distributed so: principal moments not
    /// negative and within the triangle inequality (a thin rod sits on its edge).
    pub fn checked(self) -> Result<Self, BodyError> {
        let numbers = [
            ("the mass", V3::splat(self.mass)),
            ("the centre of mass", self.centre),
            ("the inertia", self.inertia.diagonal),
            ("the inertia", self.inertia.off),
        ];
        for (what, v) in numbers {
            if let Some(&value) = v.to_array().iter().find(|value| !value.is_finite()) {
                return Err(BodyError::NotFinite { what, value });
            }
        }
        if self.mass < 0.0 {
            return Err(BodyError::NegativeMass { mass: self.mass });
        }
        let V3 { x, y, z } = self.principal_moments();
        let slack = 1e-12 * x.abs(); // rounding of the eigenvalues
        if y + z < x - slack || z < -slack {
            return Err(BodyError::Impossible { principal: [x, y, z] });
        }
        if self.mass == 0.0 && x > 0.0 {
            return Err(BodyError::InertiaWithoutMass { moment: x });
        }
        Ok(self)
    }

    /// Principal moments of inertia about the centre, largest first \[kg·m²\].
    pub fn principal_moments(&self) -> V3<f64> {
        // Shifted by more than the size of the matrix all eigenvalues are positive, hence singular values.
        let i = &self.inertia;
        let shift = (i.diagonal.map(f64::abs) + i.off.map(f64::abs) * 2.0).sum();
        singular_values((*i + Sym3::scalar(shift)).to_matrix()) - V3::splat(shift)
    }
}
