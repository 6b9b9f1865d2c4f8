//! The Gough–Stewart platform with its legs in closed form, and with its legs
//! side by side in SIMD lanes: today's form of the paper's "m processors in parallel".
//!
//! [`Hexapod`] takes any scalar; with lanes as the scalar it computes four states
//! at once. `HexapodLanes` (feature `simd`) computes one state in `f64`, legs 1–4 in
//! one vector, 5 and 6 in a second one whose idle lanes hold massless copies. Both have a
//! checked layer in `f64` that turns margins into a [`StateError`](super::StateError).

mod checked;
mod kinematics;
#[cfg(feature = "simd")]
mod lanes;
#[cfg(feature = "simd")]
mod slopes;

pub use kinematics::HexapodJoints;
#[cfg(feature = "simd")]
pub use lanes::HexapodLanes;
#[cfg(feature = "simd")]
pub use slopes::HexapodSlopes;

use crate::engine::legs::UpsLeg;
use crate::engine::matrix;
use crate::engine::mechanism::Mechanism;
use crate::engine::robot::Robot;
use crate::engine::space::MotionSpace;
use crate::engine::spatial::{PlatformMass, Pose, RigidBody, SpatialInertia, Twist, Wrench};
use crate::engine::unrolled::{solve_qr6, solve_spd6};
use crate::engine::ups::{Ups, spread};
use crate::{Margin, Real, V3};
use core::ops::Add;

/// Six UPS legs in closed form and a platform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hexapod<T> {
    /// The legs, 1 to 6 of the papers.
    pub legs: [Ups<T>; 6],
    /// Mass and inertia in the platform's frame.
    pub platform: RigidBody<T>,
    /// Gravitational acceleration in base axes \[m/s²\].
    pub gravity: V3<T>,
}

/// What one leg (or four in lanes) adds to the inverse dynamics.
struct InverseShare<T> {
    row: Wrench<T>,
    across: Wrench<T>,
    along: T,
    margin: T,
}

#[inline(always)]
fn inverse_share<T: Real>(
    leg: &Ups<T>,
    pose: &Pose<T>,
    twist: Twist<T>,
    acceleration: Twist<T>,
    gravity: V3<T>,
) -> InverseShare<T> {
    let at = leg.posture(pose);
    let (v, a) = Ups::point_motion(&at, twist, acceleration);
    let f = leg.forces(&at, v, a, gravity);
    InverseShare {
        row: Ups::row(&at),
        across: Wrench::new(f.across, at.offset.cross(f.across)),
        along: f.along,
        margin: at.margin,
    }
}

/// What one leg (or four in lanes) adds to the direct dynamics.
struct DirectShare<T> {
    row: Wrench<T>,
    margin: T,
    mass: PlatformMass<T>,
    /// Motor force less everything that velocities and weight ask for, at the platform.
    push: Wrench<T>,
    /// What velocities alone add to L̈.
    bias: T,
    /// L̇
    rate: T,
    /// What friction takes of it \[W\].
    friction: T,
}

#[inline(always)]
fn direct_share<T: Real>(
    leg: &Ups<T>,
    pose: &Pose<T>,
    twist: Twist<T>,
    tau: T,
    gravity: V3<T>,
) -> DirectShare<T> {
    let at = leg.posture(pose);
    let w = twist.angular;
    let turning = w.cross(at.offset);
    let f = leg.forces(&at, twist.linear + turning, w.cross(turning), gravity);
    let force = at.z * (tau - f.along) - f.across;
    DirectShare {
        mass: spread(leg.mass(&at), at.offset),
        push: Wrench::new(force, at.offset.cross(force)),
        bias: f.acceleration,
        rate: f.rate,
        friction: leg.friction(f.rate) * f.rate,
        row: Ups::row(&at),
        margin: at.margin,
    }
}

/// F_P of (12) but for the acceleration part: ω×(ω×MS), ω×Iω.
#[inline(always)]
fn gyroscopic<T: Real>(inertia: &SpatialInertia<T>, w: V3<T>) -> Wrench<T> {
    Wrench::new(w.cross(w.cross(inertia.first)), w.cross(inertia.inertia * w))
}

/// F_P of (12) less the outside wrench.
#[inline(always)]
fn platform_demand<T: Real>(
    body: &RigidBody<T>,
    pose: &Pose<T>,
    twist: Twist<T>,
    acceleration: Twist<T>,
    gravity: V3<T>,
    external: Wrench<T>,
) -> Wrench<T> {
    let inertia = body.spatial(pose, pose.position);
    let falling = Twist::new(acceleration.linear - gravity, acceleration.angular);
    inertia.apply(falling) + gyroscopic(&inertia, twist.angular) - external
}

/// Accelerations of platform and legs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HexapodAcceleration<T> {
    /// V̇_P \[m/s², rad/s²\]
    pub platform: Twist<T>,
    /// L̈ of each leg \[m/s²\].
    pub joint: [T; 6],
}

/// What a hexapod does under its motor forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HexapodMotion<T> {
    /// V̇_P \[m/s², rad/s²\]
    pub acceleration: Twist<T>,
    /// What motors and outside wrench give \[W\].
    pub work: T,
    /// What friction takes \[W\].
    pub dissipation: T,
    /// Smallest sin² q2 of the legs.
    pub reach: T,
    /// Smallest pivot of A_rob.
    pub margin: T,
}

/// Mean distance of six points from their middle; one if they are all at one place.
#[inline]
fn mean_distance<T: Real>(points: &[V3<T>; 6]) -> T {
    let sixth = T::from_f64(1.0 / 6.0);
    let middle = points.iter().fold(V3::zero(), |sum, point| sum + *point) * sixth;
    let sum = points.iter().fold(T::zero(), |sum, point| sum + (*point - middle).norm_sq().sqrt());
    let size = sum * sixth;
    T::select(T::zero().lt(size), size, T::one())
}

/// The legs and the platform together.
struct DirectSum<T> {
    mass: PlatformMass<T>,
    push: Wrench<T>,
    /// J_r⁻¹
    rows: [Wrench<T>; 6],
    bias: [T; 6],
    rate: [T; 6],
    friction: T,
    reach: T,
}

impl<T: Real> Hexapod<T> {
    /// From the descriptions of six legs.
    pub fn new(legs: &[UpsLeg<T>; 6], platform: RigidBody<T>, gravity: V3<T>) -> Self {
        Self { legs: legs.map(|leg| Ups::new(&leg)), platform, gravity }
    }

    /// Every number through `f`: to another scalar.
    pub fn map<U: Real>(&self, mut f: impl FnMut(T) -> U) -> Hexapod<U> {
        Hexapod {
            legs: self.legs.map(|leg| leg.map(&mut f)),
            platform: self.platform.map(&mut f),
            gravity: self.gravity.map(&mut f),
        }
    }

    /// The same robot as the general equations see it.
    pub fn mechanism(&self) -> Mechanism<'_, T, Ups<T>, 6, 6> {
        Mechanism {
            platform: self.platform,
            legs: &self.legs,
            space: MotionSpace::full().with_length(self.platform_size()),
            gravity: self.gravity,
        }
    }

    /// Mean distance of the platform's ball joints from their middle \[m\]: what makes its rotations comparable with its
    /// translations. 1 m if they are all at one point.
    #[inline]
    pub fn platform_size(&self) -> T {
        mean_distance(&each(&self.legs, |leg| leg.platform_point))
    }

    /// Leg lengths \[m\] at a pose.
    #[inline(always)]
    pub fn lengths(&self, pose: &Pose<T>) -> [T; 6] {
        each(&self.legs, |leg| leg.posture(pose).length)
    }

    /// Positions of the slides \[m\] at a pose. The margin is the smallest sin² q2 of the legs.
    #[inline(always)]
    pub fn slides(&self, pose: &Pose<T>) -> Margin<[T; 6], T> {
        let postures = each(&self.legs, |leg| {
            let at = leg.posture(pose);
            (at.length - leg.zero_length(), at.margin)
        });
        Margin { value: each(&postures, |at| at.0), margin: least(each(&postures, |at| at.1)) }
    }

    /// sin² q2 of each leg: not positive where the leg lies along its first axis.
    #[inline]
    pub fn leg_margins(&self, pose: &Pose<T>) -> [T; 6] {
        self.legs.map(|leg| leg.posture(pose).margin)
    }

    /// Motor forces \[N\] for a motion of the platform (21), kinematics included,
    /// while `external` acts on the platform from outside.
    ///
    /// The margin is the smaller of sin² q2 of the legs and |r_kk| of J_r⁻¹.
    #[inline(always)]
    pub fn inverse_dynamics(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        external: Wrench<T>,
    ) -> Margin<[T; 6], T> {
        let demand = platform_demand(&self.platform, pose, twist, acceleration, self.gravity, external);
        let share = |leg: &Ups<T>| inverse_share(leg, pose, twist, acceleration, self.gravity);
        let [a, b, c, d, e, f] = &self.legs;
        let shares = [share(a), share(b), share(c), share(d), share(e), share(f)];
        let held = demand + total(&shares, |share| share.across);
        let columns = columns(&each(&shares, |share| share.row)); // J_r^{−T}
        let own = each(&shares, |share| share.along);
        let reach = least(each(&shares, |share| share.margin));
        let Margin { value, margin } = solve_qr6(&columns, &held.to_vector_linear_first());
        Margin { value: matrix::sum(&own, &value), margin: margin.min(reach) }
    }

    /// Accelerations for motor forces `tau` \[N\] (28), from the platform state.
    ///
    /// The margin is the smaller of sin² q2 of the legs and the pivots of A_rob.
    #[inline(always)]
    pub fn direct_dynamics(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        tau: &[T; 6],
        external: Wrench<T>,
    ) -> Margin<HexapodAcceleration<T>, T> {
        let sum = self.summed(pose, twist, tau, external);
        let Margin { value, margin } = solve_spd6(&sum.mass.to_matrix(), &sum.push.to_vector_linear_first());
        let platform = Twist::from_vector_linear_first(value);
        let joint = matrix::sum(&each(&sum.rows, |row| row.power(platform)), &sum.bias);
        Margin { value: HexapodAcceleration { platform, joint }, margin: margin.min(sum.reach) }
    }

    /// The mass matrix that the platform feels (29) and J_r⁻¹, by rows.
    #[inline(always)]
    pub fn platform_mass_and_rows(&self, pose: &Pose<T>) -> ([[T; 6]; 6], [[T; 6]; 6]) {
        let zero = T::zero();
        let sum = self.summed(pose, Twist::zero(), &[zero; 6], Wrench::zero());
        (sum.mass.to_matrix(), each(&sum.rows, |row| row.to_vector_linear_first()))
    }

    /// V̇_P as [`direct_dynamics`](Self::direct_dynamics) gives it, and where energy goes meanwhile.
    #[inline(always)]
    pub fn moving(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        tau: &[T; 6],
        external: Wrench<T>,
    ) -> HexapodMotion<T> {
        let sum = self.summed(pose, twist, tau, external);
        let Margin { value, margin } = solve_spd6(&sum.mass.to_matrix(), &sum.push.to_vector_linear_first());
        HexapodMotion {
            acceleration: Twist::from_vector_linear_first(value),
            work: matrix::dot(tau, &sum.rate) + external.power(twist),
            dissipation: sum.friction,
            reach: sum.reach,
            margin,
        }
    }

    #[inline(always)]
    fn summed(&self, pose: &Pose<T>, twist: Twist<T>, tau: &[T; 6], external: Wrench<T>) -> DirectSum<T> {
        let inertia = self.platform.spatial(pose, pose.position);
        let weight = inertia.apply(Twist::new(self.gravity, V3::zero()));
        let share = |leg: &Ups<T>, tau: T| direct_share(leg, pose, twist, tau, self.gravity);
        let ([a, b, c, d, e, f], [p, q, r, s, t, u]) = (&self.legs, *tau);
        let shares = [share(a, p), share(b, q), share(c, r), share(d, s), share(e, t), share(f, u)];
        DirectSum {
            mass: inertia.blocks() + total(&shares, |share| share.mass),
            push: external + weight - gyroscopic(&inertia, twist.angular)
                + total(&shares, |share| share.push),
            rows: each(&shares, |share| share.row),
            bias: each(&shares, |share| share.bias),
            rate: each(&shares, |share| share.rate),
            friction: total(&shares, |share| share.friction),
            reach: least(each(&shares, |share| share.margin)),
        }
    }
}

impl Hexapod<f64> {
    /// The closed form of a robot of six chains, if every leg has one, see [`Ups::recognized`].
    pub fn recognized(robot: &Robot<f64, 3, 6, 6, 6>, home: &Pose<f64>) -> Option<Self> {
        let [a, b, c, d, e, f] = robot.legs.each_ref().map(|leg| Ups::recognized(leg, home));
        let full = robot.space.is_identity();
        let legs = [a?, b?, c?, d?, e?, f?];
        full.then_some(Self { legs, platform: robot.platform, gravity: robot.gravity })
    }
}

/// Something of each leg. Written out: in a loop over many states the compiler then sees straight lines and
/// makes vectors of them.
#[inline(always)]
fn each<S, U>([a, b, c, d, e, f]: &[S; 6], pick: impl Fn(&S) -> U) -> [U; 6] {
    [pick(a), pick(b), pick(c), pick(d), pick(e), pick(f)]
}

/// The sum over the legs, in the order of legs in lanes: 1 to 4 and below them 5 and 6.
#[inline(always)]
fn total<S, U: Add<Output = U>>(shares: &[S; 6], pick: impl Fn(&S) -> U) -> U {
    let [a, b, c, d, e, f] = each(shares, pick);
    ((a + e) + (b + f)) + (c + d)
}

#[inline(always)]
fn least<T: Real>([a, b, c, d, e, f]: [T; 6]) -> T {
    a.min(b).min(c).min(d).min(e).min(f)
}

/// The rows of J_r⁻¹ as columns of its transpose.
#[inline(always)]
fn columns<T: Real>(rows: &[Wrench<T>; 6]) -> [[T; 6]; 6] {
    [
        each(rows, |row| row.force.x),
        each(rows, |row| row.force.y),
        each(rows, |row| row.force.z),
        each(rows, |row| row.moment.x),
        each(rows, |row| row.moment.y),
        each(rows, |row| row.moment.z),
    ]
}
