//! The mass matrix of the independent motors, and the motion of bodies per unit of each.
//!
//! With rates u per unit of y, the twists J_k of body k are those of its parent and Σ S u. At its centre of mass, and
//! turned into its axes,
//!
//! ```text
//! (1)  v = J_v + J_ω × c,   w = Rᵀ J_ω
//! (2)  M = Σ_k m vᵀv + wᵀ I w  (+ rotors: Σ I_a uᵀu)
//! (3)  h = Σ_k vᵀ m a_c + wᵀ (I α + ω × I ω)
//! ```

use super::dynamics::{centre_force, turning_moment};
use super::rows::{at, pick, subtract};
use super::{Frame, Group, Memory, Plan, Share, Span, TreeJoint};
use crate::engine::Twist;
use crate::{Real, V3};

/// Three numbers for each of four motors.
type Three<T> = V3<Group<T>>;

/// j += s · u
#[inline(always)]
pub(super) fn add_turn<T: Real>(j: &mut [Group<T>; 6], s: &Twist<T>, u: Group<T>) {
    let [a, b, c, x, y, z] = j;
    *a = T::four_plus(*a, s.angular.x, u);
    *b = T::four_plus(*b, s.angular.y, u);
    *c = T::four_plus(*c, s.angular.z, u);
    *x = T::four_plus(*x, s.linear.x, u);
    *y = T::four_plus(*y, s.linear.y, u);
    *z = T::four_plus(*z, s.linear.z, u);
}

/// M += f sᵀs
#[inline(always)]
fn add_square<T: Real>(f: T, slope: &[Group<T>], groups: usize, mass: &mut [Group<T>]) {
    for (factor, row) in slope.as_flattened().iter().zip(mass.chunks_exact_mut(groups.max(1))) {
        subtract(row, -(*factor * f), slope);
    }
}

/// a + v × c
#[inline(always)]
fn plus_cross<T: Real>(a: Three<T>, v: Three<T>, c: V3<T>) -> Three<T> {
    let two = |a, f: T, v, g: T, w| T::four_plus(T::four_plus(a, f, v), -g, w);
    V3::new(two(a.x, c.z, v.y, c.y, v.z), two(a.y, c.x, v.z, c.z, v.x), two(a.z, c.y, v.x, c.x, v.y))
}

/// f · a
#[inline(always)]
fn times<T: Real>(f: T, a: Group<T>) -> Group<T> {
    T::four_times([f; 4], a)
}

/// v · a
#[inline(always)]
fn along<T: Real>(v: V3<T>, a: Three<T>) -> Group<T> {
    T::four_plus(T::four_plus(times(v.x, a.x), v.y, a.y), v.z, a.z)
}

/// sum − v · a
#[inline(always)]
fn less_along<T: Real>(sum: Group<T>, v: V3<T>, a: Three<T>) -> Group<T> {
    T::four_plus(T::four_plus(T::four_plus(sum, -v.x, a.x), -v.y, a.y), -v.z, a.z)
}

impl<T: Real> Plan<'_, T> {
    /// Mass matrix (2) of the independent motors after [`close`](Self::close), left in `mass`, and the rates per
    /// unit of each in `slopes`.
    #[inline]
    pub fn write_mass_matrix(&self, memory: &mut Memory<'_, T>) {
        self.slopes(memory);
        self.sum_bodies::<false>(memory);
    }

    /// Twists of all bodies per unit of each independent motor, in `jacobians`, with idle rates such that they have no
    /// momentum; (2) and, with the bodies' accelerations, −(3), which is left in the first groups of `vector`.
    #[inline]
    pub(super) fn sum_bodies<const BIAS: bool>(&self, memory: &mut Memory<'_, T>) {
        // Sizes that the compiler knows where they are common.
        match self.independent() {
            3 => self.sum_bodies_in::<BIAS>((3, 1), memory),
            4 => self.sum_bodies_in::<BIAS>((4, 1), memory),
            count @ 5..=8 => self.sum_bodies_in::<BIAS>((count, 2), memory),
            count => self.sum_bodies_in::<BIAS>((count, self.groups()), memory),
        }
    }

    /// Twists per unit of each motor, and idle slopes.
    #[inline(always)]
    pub(super) fn move_by_slopes(&self, memory: &mut Memory<'_, T>) {
        let all = Span { start: 0, end: self.bodies.len() };
        match self.groups() {
            1 => self.body_jacobians(1, all, memory),
            2 => self.body_jacobians(2, all, memory),
            groups => self.body_jacobians(groups, all, memory),
        }
        if !self.idle.is_empty() {
            self.settle_slopes(memory);
        }
    }

    #[inline(always)]
    fn sum_bodies_in<const BIAS: bool>(&self, (count, groups): (usize, usize), memory: &mut Memory<'_, T>) {
        self.move_by_slopes(memory);
        memory.mass.fill([T::zero(); 4]);
        let Some(bias) = memory.vector.get_mut(..groups) else { return };
        bias.fill([T::zero(); 4]);
        let (jacobians, _) = memory.jacobians.as_chunks_mut::<6>();
        let Some((scratch, jacobians)) = jacobians.split_at_mut_checked(groups) else { return };
        let states = memory.frames.iter().zip(memory.twists.iter()).zip(memory.motions.iter());
        let each = self.bodies.iter().zip(states.skip(1)).zip(jacobians.chunks_exact(groups.max(1)));
        for ((body, ((frame, twist), motion)), jacobian) in each {
            let (mass, centre, own) = match &body.share {
                Share::Whole(own) => (own.mass, own.centre, Some(&own.inertia)),
                Share::Point { mass, centre } => (*mass, *centre, None),
                Share::Axis { inertia, moment } => {
                    let start = body.freedom * groups;
                    let Some(slope) = memory.slopes.get(start..start + groups) else { return };
                    add_square(*inertia, slope, groups, memory.mass);
                    if BIAS {
                        let rate = memory.accelerations.get(body.freedom).copied().unwrap_or_else(T::zero);
                        subtract(bias, *inertia * rate + self.weight_about_axis(frame, *moment), slope);
                    }
                    continue;
                }
            };
            let c = frame.of(centre);
            // (3)
            let force = if BIAS { centre_force(mass, c, twist, motion) } else { V3::zero() };
            let moment = match own {
                Some(inertia) if BIAS => turning_moment(inertia, frame, twist, motion),
                _ => V3::zero(),
            };
            for ((into, bias), j) in scratch.iter_mut().zip(bias.iter_mut()).zip(jacobian) {
                let [a, b, c_, x, y, z] = *j;
                let turning = V3::new(a, b, c_);
                let v = plus_cross(V3::new(x, y, z), turning, c); // (1)
                if BIAS {
                    *bias = less_along(*bias, force, v);
                }
                let [a, b, c_, x, y, z] = into;
                (*x, *y, *z) = (v.x, v.y, v.z);
                if own.is_some() {
                    let w =
                        V3::new(along(frame.x, turning), along(frame.y, turning), along(frame.z, turning));
                    if BIAS {
                        *bias = less_along(*bias, moment, w);
                    }
                    (*a, *b, *c_) = (w.x, w.y, w.z);
                }
            }
            for column in 0..groups {
                let Some([a, b, c_, x, y, z]) = scratch.get(column).copied() else { return };
                let p = [times(mass, x), times(mass, y), times(mass, z)];
                let h = own.map(|inertia| {
                    let (w, i) = (V3::new(a, b, c_), inertia.to_matrix().0);
                    [along(i.x, w), along(i.y, w), along(i.z, w)]
                });
                let Some(rows) = memory.mass.get_mut(..count * groups) else { return };
                for r in 0..count {
                    let (Some(row), Some(j)) = (rows.get_mut(r * groups + column), scratch.get(r >> 2))
                    else {
                        return;
                    };
                    let ([a, b, c_, x, y, z], [px, py, pz]) = (j.map(|row| pick(row, r)), p);
                    // (2)
                    let mut sum = T::four_plus(T::four_plus(T::four_plus(*row, x, px), y, py), z, pz);
                    if let Some([hx, hy, hz]) = h {
                        sum = T::four_plus(T::four_plus(T::four_plus(sum, a, hx), b, hy), c_, hz);
                    }
                    *row = sum;
                }
            }
        }
        for motor in self.motors.iter().chain(self.drags) {
            let start = motor.freedom * groups;
            let Some(slope) = memory.slopes.get(start..start + groups) else { return };
            add_square(motor.drive.inertia, slope, groups, memory.mass);
        }
    }

    /// What a body that turns about a fixed axis needs against its weight: z·(c × m(−g)) = m (c_y g·x − c_x g·y).
    #[inline(always)]
    pub(super) fn weight_about_axis(&self, frame: &Frame<T>, [x, y]: [T; 2]) -> T {
        y * self.gravity.dot(frame.x) - x * self.gravity.dot(frame.y)
    }

    /// J of some bodies, once more.
    pub(super) fn leg_jacobians(&self, bodies: Span, memory: &mut Memory<'_, T>) {
        self.body_jacobians(self.groups(), bodies, memory);
    }

    /// J of some bodies, along the tree.
    #[inline(always)]
    fn body_jacobians(&self, groups: usize, bodies: Span, memory: &mut Memory<'_, T>) {
        let (jacobians, _) = memory.jacobians.as_chunks_mut::<6>();
        let own = bodies.of(self.bodies);
        let first = own.first().map_or(0, |body| body.freedom);
        for group in 0..groups {
            let mut columns = memory.columns.get(first..).unwrap_or_default();
            let mut slopes = memory.slopes.get(first * groups..).unwrap_or_default();
            for (k, body) in own.iter().enumerate() {
                let k = bodies.start + k;
                let freedoms = body.joint.freedoms();
                let (Some((own, after)), Some((slope, later))) =
                    (columns.split_at_checked(freedoms), slopes.split_at_checked(freedoms * groups))
                else {
                    return;
                };
                (columns, slopes) = (after, later);
                let mut j = if body.parent == 0 {
                    [[T::zero(); 4]; 6]
                } else {
                    let Some(parent) = jacobians.get(body.parent * groups + group) else { return };
                    *parent
                };
                let mut each = own.iter().zip(slope.iter().skip(group).step_by(groups));
                match body.joint {
                    TreeJoint::Prismatic => {
                        if let Some((s, u)) = each.next() {
                            let [_, _, _, x, y, z] = &mut j;
                            *x = T::four_plus(*x, s.linear.x, *u);
                            *y = T::four_plus(*y, s.linear.y, *u);
                            *z = T::four_plus(*z, s.linear.z, *u);
                        }
                    }
                    TreeJoint::Free => {
                        for (row, (_, u)) in j.iter_mut().zip(each) {
                            *row = *u;
                        }
                    }
                    _ => each.for_each(|(s, u)| add_turn(&mut j, s, *u)),
                }
                if let Some(into) = jacobians.get_mut((k + 1) * groups + group) {
                    *into = j;
                }
            }
        }
    }

    /// The motion of the platform's point and of the platform per unit of each independent motor, a column
    /// each, after slopes are known ([`write_mass_matrix`](Self::write_mass_matrix) or
    /// [`write_slopes`](Self::write_slopes)).
    pub fn jacobian_column(&self, motor: usize, memory: &Memory<'_, T>) -> Twist<T> {
        let groups = self.groups();
        let mut sum = Twist::zero();
        let mut body = self.platform.body;
        while let Some(own) = body.checked_sub(1).and_then(|body| self.bodies.get(body)) {
            for freedom in own.freedom..own.freedom + own.joint.freedoms() {
                let slope = memory.slopes.get(freedom * groups..).unwrap_or_default();
                if let Some(s) = memory.columns.get(freedom) {
                    sum = sum + *s * at(slope, motor);
                }
            }
            body = own.parent;
        }
        sum.at(self.platform_frame(memory).origin)
    }

    /// Rates per unit of each independent motor after [`close`](Self::close), in `slopes`.
    pub fn write_slopes(&self, memory: &mut Memory<'_, T>) {
        self.slopes(memory);
        if !self.idle.is_empty() {
            self.prepare_idle(memory);
            self.move_by_slopes(memory);
        }
    }

    /// The rate of one freedom per unit of one independent motor.
    pub fn slope(&self, freedom: usize, motor: usize, memory: &Memory<'_, T>) -> T {
        at(memory.slopes.get(freedom * self.groups()..).unwrap_or_default(), motor)
    }

    /// An entry of the mass matrix.
    pub fn mass(&self, row: usize, column: usize, memory: &Memory<'_, T>) -> T {
        at(memory.mass.get(row * self.groups()..).unwrap_or_default(), column)
    }
}
