//! The UPS leg in closed form, in its own axes and without a trigonometric function.
//!
//! ```text
//! z = a3 = (P_i − B_i)/L,   y = a2 = unit(a3 × a1),   x = y × z,   κ = (a1·z)/(a1·x)
//! ```
//!
//! The universal joint lets the leg turn about a1 and a2 only, so its spin is not
//! free: ω_z = κ ω_x. With v, a the velocity and acceleration of P_i in leg axes
//!
//! ```text
//! ω = (−v_y, v_x, −κ v_y)/L,   L̇ = v_z                                              (1)
//! ω̇_y = (a_x − 2 L̇ ω_y)/L − ω_x ω_z,   ω̇_x = −(a_y + 2 L̇ ω_x)/L + ω_y ω_z            (2)
//! ω̇_z = κ ω̇_x + (1 + κ²) ω_x ω_y,      L̈ = a_z + L (ω_x² + ω_y²)                    (3)
//! N   = I ω̇ + ω × I ω + r × (2 L̇ ω × z + L̈ z) − S × g                               (4)
//! f_z = M L̈ + z·( ω̇ × r + ω × (ω × r) ) − M g_z + Ia L̈ + friction                    (5)
//! J_i^{−T} H = ( N_y/L, −(N_x + κ N_z)/L, f_z )                                      (6)
//! ```
//!
//! I, S: inertia and first moment of the whole leg about B_i; r, M: first moment
//! and mass of the rod. Derivation ours; the general chain is its judge.

use super::attachment::Attachment;
use super::chain::{Drive, JointKind, JointValue, frame_with_z};
use super::correction::{LegCorrection, turn_by};
use super::inverse::LegInverse;
use super::leg::{ActiveJoint, ActiveJoints, Leg, LegEffort, LegModel, LegTerms, Reaction};
use super::legs::UpsLeg;
use super::spatial::{PlatformMass, Pose, RigidBody, Twist, Wrench, rotated, steiner};
use crate::{M3, Real, Sym3, V3};

/// A UPS leg with its slide active: constants of (1)–(6). With lanes as the scalar
/// it is four legs side by side, or one leg in four states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ups<T> {
    /// B_i \[m\]
    pub base: V3<T>,
    /// a1, unit vector fixed in the base.
    pub first_axis: V3<T>,
    /// P_i in the platform's frame \[m\].
    pub platform_point: V3<T>,
    /// Cylinder about B_i plus rod about P_i, leg axes \[kg·m²\].
    inertia: Sym3<T>,
    /// First moment of the cylinder about B_i \[kg·m\].
    cylinder_first: V3<T>,
    /// First moment of the rod about P_i \[kg·m\].
    rod_first: V3<T>,
    /// M, the rod \[kg\].
    rod_mass: T,
    /// Cylinder and rod together \[kg\].
    leg_mass: T,
    /// Motor and friction of the slide.
    drive: Drive<T>,
    /// L at q = 0 \[m\]; zero unless the leg came from a chain that counts otherwise.
    zero_length: T,
}

/// A leg in one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpsPosture<T> {
    /// P P_i in base axes \[m\].
    pub offset: V3<T>,
    /// L \[m\]
    pub length: T,
    /// 1/L
    inverse_length: T,
    /// Leg axes in base axes.
    x: V3<T>,
    y: V3<T>,
    /// a3: the direction of the leg.
    pub z: V3<T>,
    /// κ
    kappa: T,
    /// sin² q2: zero with the leg along a1.
    pub margin: T,
}

impl<T> UpsPosture<T> {
    /// Every number through `f`: to another scalar.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> UpsPosture<U> {
        UpsPosture {
            offset: self.offset.map(&mut f),
            length: f(self.length),
            inverse_length: f(self.inverse_length),
            x: self.x.map(&mut f),
            y: self.y.map(&mut f),
            z: self.z.map(&mut f),
            kappa: f(self.kappa),
            margin: f(self.margin),
        }
    }
}

/// What a leg in motion does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpsForces<T> {
    /// L̇ \[m/s\]
    pub rate: T,
    /// L̈ \[m/s²\]
    pub acceleration: T,
    /// The passive part of (6) in base axes: a force across the leg, at P_i \[N\].
    pub across: V3<T>,
    /// H of the slide, f_z \[N\].
    pub along: T,
}

impl<T: Real> Ups<T> {
    /// From the description of a leg whose first joint is passive.
    pub fn new(leg: &UpsLeg<T>) -> Self {
        Self {
            base: leg.base.position,
            first_axis: leg.base.rotation.columns().z,
            platform_point: leg.platform_point,
            inertia: leg.cylinder.inertia_about_origin() + leg.rod.inertia_about_origin(),
            cylinder_first: leg.cylinder.first_moment(),
            rod_first: leg.rod.first_moment(),
            rod_mass: leg.rod.mass,
            leg_mass: leg.cylinder.mass + leg.rod.mass,
            drive: leg.slide,
            zero_length: T::zero(),
        }
    }

    /// The same leg of a robot whose base stands at `base`.
    #[must_use]
    pub fn placed(self, base: &Pose<T>) -> Self {
        Self { base: base.of(self.base), first_axis: base.rotation * self.first_axis, ..self }
    }

    /// The same leg where the frame of the platform is another one of its frames, `tool`.
    #[must_use]
    pub fn seen_from(self, tool: &Pose<T>) -> Self {
        Self { platform_point: tool.inverse().of(self.platform_point), ..self }
    }

    /// The same leg as it was built; its links are one length, which is its joint.
    #[must_use]
    pub fn as_built(self, by: &LegCorrection<T>) -> Self {
        Self {
            base: self.base + by.base_shift,
            first_axis: turn_by(by.base_turn) * self.first_axis,
            platform_point: self.platform_point + by.platform_shift,
            zero_length: self.zero_length + by.zero_length,
            ..self
        }
    }

    /// Every number through `f`.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Ups<U> {
        Ups {
            base: self.base.map(&mut f),
            first_axis: self.first_axis.map(&mut f),
            platform_point: self.platform_point.map(&mut f),
            inertia: Sym3 { diagonal: self.inertia.diagonal.map(&mut f), off: self.inertia.off.map(&mut f) },
            cylinder_first: self.cylinder_first.map(&mut f),
            rod_first: self.rod_first.map(&mut f),
            rod_mass: f(self.rod_mass),
            leg_mass: f(self.leg_mass),
            drive: self.drive.map(&mut f),
            zero_length: f(self.zero_length),
        }
    }

    /// The same leg with dry friction that passes smoothly through zero, see [`Drive::smoothed`].
    #[must_use]
    pub fn smoothed(self, width: T) -> Self {
        Self { drive: self.drive.smoothed(width), ..self }
    }

    /// Motor and friction of its slide.
    pub(super) fn drive_mut(&mut self) -> &mut Drive<T> {
        &mut self.drive
    }

    /// The same leg without mass, motor and friction.
    #[must_use]
    pub fn massless(self) -> Self {
        let o = T::zero();
        Self {
            inertia: Sym3::scalar(o),
            cylinder_first: V3::zero(),
            rod_first: V3::zero(),
            rod_mass: o,
            leg_mass: o,
            drive: Drive::ideal(),
            ..self
        }
    }

    /// What friction takes of the motor at a speed of the slide \[N\].
    #[inline(always)]
    pub fn friction(&self, rate: T) -> T {
        self.drive.friction(rate)
    }

    /// The length of the leg with its slide at `q` \[m\].
    pub fn length_at(&self, q: T) -> T {
        self.zero_length + q
    }

    /// The leg for a pose of the platform.
    #[inline(always)]
    pub fn posture(&self, pose: &Pose<T>) -> UpsPosture<T> {
        let offset = pose.rotation * self.platform_point;
        let leg = offset + (pose.position - self.base);
        let length = leg.norm_sq().sqrt();
        let inverse_length = length.recip();
        let z = leg * inverse_length;
        let c = z.cross(self.first_axis);
        let sin_sq = c.norm_sq();
        let r = sin_sq.sqrt().recip();
        let y = c * r;
        let kappa = self.first_axis.dot(z) * r; // a1·x = |a3 × a1|
        UpsPosture { offset, length, inverse_length, x: y.cross(z), y, z, kappa, margin: sin_sq }
    }

    /// (1)–(6) for velocity and acceleration of P_i in base axes.
    #[inline(always)]
    pub fn forces(&self, at: &UpsPosture<T>, v: V3<T>, a: V3<T>, gravity: V3<T>) -> UpsForces<T> {
        let (rl, kappa) = (at.inverse_length, at.kappa);
        let rate = at.z.dot(v);
        let (wx, wy) = (-(at.y.dot(v) * rl), at.x.dot(v) * rl); // (1)
        let wz = kappa * wx;
        let twice = rate + rate;
        let (ux, uy) = (twice * wy, -(twice * wx)); // 2 L̇ ω × z
        let ay = (at.x.dot(a) - ux) * rl - wx * wz; // (2)
        let ax = wy * wz - (at.y.dot(a) - uy) * rl;
        let turning = wx * wx + wy * wy;
        let az = kappa * ax + (T::one() + kappa * kappa) * (wx * wy); // (3)
        let acceleration = at.z.dot(a) + at.length * turning;
        let g = V3::new(at.x.dot(gravity), at.y.dot(gravity), at.z.dot(gravity));

        // Inertia and first moments about B_i.
        let (inertia, r) = self.about_base(at.length);
        let s = self.cylinder_first + r;
        let (w, u) = (V3::new(wx, wy, wz), V3::new(ux, uy, acceleration));
        let moment = inertia * V3::new(ax, ay, az) + w.cross(inertia * w) + r.cross(u) - s.cross(g); // (4)
        let lateral = wx * r.x + wy * r.y;
        let along = (self.rod_mass + self.drive.inertia) * acceleration - self.rod_mass * g.z
            + (ax * r.y - ay * r.x)
            + (wz * lateral - r.z * turning)
            + self.drive.friction(rate); // (5)
        let across = at.x * (moment.y * rl) - at.y * ((moment.x + kappa * moment.z) * rl); // (6)
        UpsForces { rate, acceleration, across, along }
    }

    /// Inertia of the leg and first moment of the rod about B_i, in leg axes, at length L.
    #[inline(always)]
    fn about_base(&self, length: T) -> (Sym3<T>, V3<T>) {
        let s = self.rod_first;
        let ml = self.rod_mass * length;
        let more = (s.z + s.z + ml) * length;
        let d = self.inertia.diagonal;
        let o = self.inertia.off;
        let inertia = Sym3 {
            diagonal: V3::new(d.x + more, d.y + more, d.z),
            off: V3::new(o.x - s.y * length, o.y - s.x * length, o.z),
        };
        (inertia, V3::new(s.x, s.y, s.z + ml))
    }

    /// A_X = J_i^{−T} A_i J_i⁻¹ in base axes: the mass of the leg as P_i feels it.
    #[inline(always)]
    pub fn mass(&self, at: &UpsPosture<T>) -> Sym3<T> {
        let (i, r) = self.about_base(at.length);
        let (rl, kappa) = (at.inverse_length, at.kappa);
        let rl_sq = rl * rl;
        let (d, o) = (i.diagonal, i.off);
        let across = d.x + kappa * (o.y + o.y + kappa * d.z);
        let leg_axes = Sym3 {
            diagonal: V3::new(d.y * rl_sq, across * rl_sq, self.rod_mass + self.drive.inertia),
            off: V3::new(-(r.y * rl), -(r.x * rl), -((o.z + kappa * o.x) * rl_sq)),
        };
        rotated(M3::from_columns(at.x, at.y, at.z), leg_axes)
    }

    /// Velocity and acceleration of P_i.
    #[inline(always)]
    pub fn point_motion(at: &UpsPosture<T>, twist: Twist<T>, acceleration: Twist<T>) -> (V3<T>, V3<T>) {
        let w = twist.angular;
        let turning = w.cross(at.offset);
        (
            twist.linear + turning,
            acceleration.linear + acceleration.angular.cross(at.offset) + w.cross(turning),
        )
    }

    /// The length at which its joint is zero \[m\].
    #[inline(always)]
    pub fn zero_length(&self) -> T {
        self.zero_length
    }

    /// The row of J_r⁻¹: \[zᵀ, (P P_i × z)ᵀ\].
    #[inline(always)]
    pub fn row(at: &UpsPosture<T>) -> Wrench<T> {
        Wrench::new(at.z, at.offset.cross(at.z))
    }

    /// Contribution to the equation of motion in a posture.
    #[inline(always)]
    pub(super) fn put_terms(
        &self,
        at: &UpsPosture<T>,
        twist: Twist<T>,
        gravity: V3<T>,
        into: &mut LegTerms<T>,
    ) {
        let (v, a) = Self::point_motion(at, twist, Twist::zero());
        let friction = self.drive.friction(at.z.dot(v));
        let moving = self.forces(at, v, a, V3::zero());
        let still = self.forces(at, V3::zero(), V3::zero(), gravity);
        let whole = |f: &UpsForces<T>, less: T| {
            let force = f.across + at.z * (f.along - less);
            Wrench::new(force, at.offset.cross(force)).to_vector_linear_first()
        };
        into.mass = spread(self.mass(at), at.offset);
        into.coriolis = whole(&moving, friction);
        into.gravity = whole(&still, T::zero());
        into.friction = (Self::row(at) * friction).to_vector_linear_first();
        self.put_active(at, [moving.rate, moving.acceleration, T::zero()], &mut into.active);
    }

    /// Contribution to the inverse dynamics in a posture.
    #[inline(always)]
    pub(super) fn put_effort(
        &self,
        at: &UpsPosture<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
        into: &mut LegEffort<T>,
    ) {
        let (v, a) = Self::point_motion(at, twist, acceleration);
        let f = self.forces(at, v, a, gravity);
        // What velocities alone add to L̈ is L (ω_x² + ω_y²) and the centripetal part of a.
        let straight = Self::row(at).power(acceleration);
        into.wrench = Wrench::new(f.across, at.offset.cross(f.across)).to_vector_linear_first();
        self.put_active(at, [f.rate, f.acceleration - straight, f.along], &mut into.active);
    }

    /// Kinetic and potential energy \[J\] in a posture.
    pub(super) fn energy_at(&self, at: &UpsPosture<T>, twist: Twist<T>, gravity: V3<T>) -> (T, T) {
        let (v, _) = Self::point_motion(at, twist, Twist::zero());
        let (_, r) = self.about_base(at.length);
        let s = self.cylinder_first + r;
        let first = self.base * self.leg_mass + at.x * s.x + at.y * s.y + at.z * s.z; // about the base's origin
        let kinetic = v.dot(self.mass(at) * v) * T::from_f64(0.5);
        (kinetic, -gravity.dot(first))
    }

    pub(super) fn put_active(
        &self,
        at: &UpsPosture<T>,
        [rate, bias, effort]: [T; 3],
        into: &mut ActiveJoints<T>,
    ) {
        into.clear();
        into.push(ActiveJoint {
            kind: JointKind::Prismatic,
            value: JointValue::slid(at.length - self.zero_length),
            row: Self::row(at).to_vector_linear_first(),
            rate,
            bias,
            effort,
        });
    }
}

impl Ups<f64> {
    /// The chain R, R, P that the constants stand for; where its first angle is zero is not known any more.
    ///
    /// (1)–(6) hold the sum of both inertias only: all of it that the rod's mass does not
    /// need is given to the cylinder.
    pub fn leg(&self) -> Leg<f64, 3> {
        let centred = |mass: f64, first: V3<f64>| if mass > 0.0 { first * (1.0 / mass) } else { V3::zero() };
        let rod = RigidBody::point(self.rod_mass, centred(self.rod_mass, self.rod_first));
        let mass = self.leg_mass - self.rod_mass;
        let centre = centred(mass, self.cylinder_first);
        let others = steiner(self.rod_mass, rod.centre) + steiner(mass, centre);
        let negative = Sym3 { diagonal: -others.diagonal, off: -others.off };
        let described = UpsLeg {
            base: Pose::new(frame_with_z(self.first_axis), self.base),
            platform_point: self.platform_point,
            cylinder: RigidBody { mass, centre, inertia: self.inertia + negative },
            rod,
            first: None,
            slide: self.drive,
        };
        let mut leg = described.leg();
        let [.., third] = &mut leg.chain.links;
        third.placement.position = third.placement.rotation.columns().z * self.zero_length;
        leg
    }

    /// The closed form of a chain, if it has one: R, R, P with axes that meet at right
    /// angles, the slide through their crossing and the ball joint, only the slide
    /// driven, no mass or friction on the first two joints' own parts. So a robot
    /// given by axes and placements runs as fast as its family.
    ///
    /// Which way round the universal joint stands, and with it cylinder and rod, is what the leg's own kinematics
    /// says at the pose `home`.
    pub fn recognized(leg: &Leg<f64, 3>, home: &Pose<f64>) -> Option<Self> {
        let [first, second, third] = &leg.chain.links;
        let Attachment::Spherical { point } = leg.attachment else { return None };
        let ideal = Drive::ideal();
        let kinds = [first.kind, second.kind, third.kind];
        let shape = kinds == [JointKind::Revolute, JointKind::Revolute, JointKind::Prismatic]
            && [first.active, second.active, third.active] == [false, false, true]
            && first.body.is_none_or(|body| body.mass == 0.0 && body.inertia == Sym3::scalar(0.0))
            && first.drive == ideal
            && second.drive == ideal;
        // In the frame of link 2: z is the second axis, `along` the slide.
        let along = third.placement.rotation.columns().z;
        let (start, tip) = (third.placement.position, third.placement.rotation * leg.chain.tip);
        let size = leg.chain.size(home.of(point), home.position);
        let apart = |gap: V3<f64>| Real::sqrt(gap.norm_sq()) / size;
        let off = [
            second.placement.rotation.columns().z.z.abs(),
            apart(second.placement.position),
            along.z.abs(),
            apart(start.cross(along)),
            apart(tip.cross(along)),
        ];
        // Axes and points typed with eleven digits.
        if !shape || off.iter().any(|gap| gap.is_nan() || *gap > 1e-11) {
            return None;
        }
        let side = match leg.inverse {
            LegInverse::Ups { side } => side,
            LegInverse::Numerical { .. } => {
                let found = leg.inverse.solve(&leg.chain, &leg.attachment, home);
                let frames = leg.chain.posture(&found.value).frames;
                let [a1, a2, a3] = frames.map(|frame| frame.rotation.columns().z);
                let turned = a3.cross(a1).dot(a2);
                // The second axis is ±(a3 × a1)/|a3 × a1|, or the leg is not closed or lies along its first axis.
                match found.margin > 0.0 && turned != 0.0 {
                    true if turned < 0.0 => -1.0,
                    true => 1.0,
                    false => return None,
                }
            }
            _ => return None,
        };
        let y = V3::along_z(side);
        let axes = M3::from_columns(y.cross(along), y, along); // leg axes in link 2
        let [cylinder, rod] = [second, third].map(|link| link.body.unwrap_or(RigidBody::massless()));
        let cylinder = cylinder.seen_from(&Pose::new(axes.transpose(), V3::zero()));
        let to_leg = axes.transpose() * third.placement.rotation;
        let rod = rod.seen_from(&Pose::new(to_leg, -(to_leg * leg.chain.tip)));
        let described = UpsLeg {
            base: first.placement,
            platform_point: point,
            cylinder,
            rod,
            first: None,
            slide: third.drive,
        };
        Some(Self { zero_length: along.dot(start + tip), ..Self::new(&described) })
    }
}

/// The 6×6 matrix J_vᵀ A J_v with J_v = \[1, −d^\], from its three blocks: A, d^A and −d^A d^.
#[inline(always)]
pub(crate) fn spread<T: Real>(a: Sym3<T>, d: V3<T>) -> PlatformMass<T> {
    let columns = a.to_matrix().0.map(|column| d.cross(column)); // columns of d^A
    let b = M3::from_columns(columns.x, columns.y, columns.z);
    let c = b.0.map(|row| d.cross(row)); // rows of −(d^A) d^
    let corner = Sym3 { diagonal: V3::new(c.x.x, c.y.y, c.z.z), off: V3::new(c.y.z, c.z.x, c.x.y) };
    PlatformMass { linear: a, coupling: b, angular: corner }
}

impl<T: Real> LegModel<T> for Ups<T> {
    fn active_joints(&self) -> usize {
        1
    }

    fn kinematics_into(&self, pose: &Pose<T>, into: &mut ActiveJoints<T>) -> T {
        let at = self.posture(pose);
        self.put_active(&at, [T::zero(); 3], into);
        at.margin
    }

    fn terms_into(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>, into: &mut LegTerms<T>) -> T {
        let at = self.posture(pose);
        self.put_terms(&at, twist, gravity, into);
        at.margin
    }

    fn effort_into(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
        into: &mut LegEffort<T>,
    ) -> T {
        let at = self.posture(pose);
        self.put_effort(&at, twist, acceleration, gravity, into);
        at.margin
    }

    fn energy(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>) -> (T, T) {
        self.energy_at(&self.posture(pose), twist, gravity)
    }

    fn reaction(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
        drive: &[T],
    ) -> Reaction<T> {
        let at = self.posture(pose);
        let (v, a) = Self::point_motion(&at, twist, acceleration);
        let f = self.forces(&at, v, a, gravity);
        let motor = drive.first().copied().unwrap_or(T::zero());
        let force = at.z * (motor - f.along) - f.across;
        Reaction { point: pose.position + at.offset, wrench: Wrench::new(force, V3::zero()) }
    }

    fn loop_gap(&self, pose: &Pose<T>) -> T {
        let at = self.posture(pose);
        (self.base + at.z * at.length - pose.of(self.platform_point)).norm_sq().sqrt()
    }
}
