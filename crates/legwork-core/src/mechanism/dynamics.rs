//! Efforts for accelerations, accelerations for efforts, mass matrix and energies.
//!
//! ```text
//! (1)  f = m (v̇_O + α × c + ω × (v_O + ω × c)),   n = R (I α_b + ω_b × I ω_b) + c × f
//! (2)  F_k = wrench of body k and of all that hangs on it,   f_k = S_k·F_k (+ Ia u̇ + friction at motors)
//! (3)  Uᵀ λ = f_p,  f −= [C₁ D₁]ᵀ λ  leg by leg, then the core:  τ_y = f_y − K′ᵀ U_T⁻ᵀ f_x
//! (4)  with more motors than freedoms, q̇_d = Y y, the τ nearest to the preloads t: least (τ − t)ᵀW(τ − t),
//!      τ −= N s,  s = (NᵀWN)⁻¹ NᵀW (τ − t),  N = [−Yᵀ; 1], NᵀWN = W_d + Y W_y Yᵀ
//! (5)  M ÿ = Yₐᵀ (τ − friction) − Uᵀ f(ÿ = 0),  Yₐ the motor rates per unit of y
//! ```

use super::idle::power;
use super::rows::{at, set, solve_symmetric, subtract};
use super::{Frame, Memory, Motor, NONE, Plan, Share, TreeJoint};
use crate::engine::{Twist, Wrench};
use crate::{Real, Sym3, V3};

/// How a mechanism moves: its coordinates, closed, and the rates of its independent motors.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a, T> {
    /// Coordinates of the tree.
    pub coordinates: &'a [T],
    /// Rates of the independent motors.
    pub rates: &'a [T],
    /// Rates of the idle freedoms; without them they have no momentum.
    pub idle: Option<&'a [T]>,
    /// Force and moment about the platform's point that the environment gives to the platform.
    pub wrench: Wrench<T>,
}

/// The force of (1), for a body with its centre of mass at c.
#[inline(always)]
pub(super) fn centre_force<T: Real>(mass: T, c: V3<T>, v: &Twist<T>, a: &Twist<T>) -> V3<T> {
    let w = v.angular;
    (a.linear + a.angular.cross(c) + w.cross(v.linear + w.cross(c))) * mass
}

/// I α + ω × I ω in the body's axes.
#[inline(always)]
pub(super) fn turning_moment<T: Real>(
    inertia: &Sym3<T>,
    frame: &Frame<T>,
    v: &Twist<T>,
    a: &Twist<T>,
) -> V3<T> {
    let (turning, spinning_up) = (frame.inside(v.angular), frame.inside(a.angular));
    *inertia * spinning_up + turning.cross(*inertia * turning)
}

impl<T: Real> Plan<'_, T> {
    /// Frames, elimination, rates, twists and velocity products of a state. Returns the margin of
    /// [`close`](Self::close).
    #[inline]
    pub fn prepare(&self, motion: &Motion<'_, T>, memory: &mut Memory<'_, T>) -> T {
        self.place(motion.coordinates, memory);
        let margin = self.close(memory);
        if !self.idle.is_empty() {
            self.prepare_idle(memory);
        }
        for (k, idle) in self.idle.iter().enumerate() {
            let given = motion.idle.and_then(|rates| rates.get(k)).copied();
            if let Some(entry) = memory.rates.get_mut(idle.freedom) {
                *entry = given.unwrap_or_else(T::zero);
            }
        }
        self.spread_rates(motion.rates, memory);
        self.move_bodies(memory);
        if motion.idle.is_none() && !self.idle.is_empty() {
            self.settle_idle_rates(memory);
        }
        margin
    }

    /// What mass matrix and slopes need to know of idle rates, after [`close`](Self::close).
    pub fn prepare_idle_rates(&self, memory: &mut Memory<'_, T>) {
        if !self.idle.is_empty() {
            self.prepare_idle(memory);
        }
    }

    /// Accelerations of all bodies, and (1), less what pulls at them. `FULL`: of the bodies as they are, else of what
    /// the sums see of them.
    #[inline]
    fn needs<const FULL: bool>(&self, wrench: &Wrench<T>, memory: &mut Memory<'_, T>) {
        self.accelerate_bodies(memory);
        if let Some(ground) = memory.wrenches.first_mut() {
            *ground = Wrench::zero();
        }
        let states = memory.frames.iter().zip(memory.twists.iter()).zip(memory.motions.iter());
        let each = self.bodies.iter().zip(states.skip(1)).zip(memory.wrenches.iter_mut().skip(1));
        for ((body, ((frame, v), a)), into) in each {
            let (mass, centre, inertia) = match &body.share {
                _ if FULL => (body.body.mass, body.body.centre, Some(&body.body.inertia)),
                Share::Whole(own) => (own.mass, own.centre, Some(&own.inertia)),
                Share::Point { mass, centre } => (*mass, *centre, None),
                Share::Axis { .. } => {
                    *into = Wrench::zero();
                    continue;
                }
            };
            let c = frame.of(centre);
            let force = centre_force(mass, c, v, a);
            let mut moment = c.cross(force);
            if let Some(inertia) = inertia {
                moment = moment + frame.turned(turning_moment(inertia, frame, v, a));
            }
            *into = Wrench::new(force, moment); // (1)
        }
        self.load(wrench, memory);
    }

    /// Takes the external wrench and the springs off the bodies' wrenches.
    #[inline]
    fn load(&self, wrench: &Wrench<T>, memory: &mut Memory<'_, T>) {
        let point = self.platform_point(memory);
        if let Some(body) = memory.wrenches.get_mut(self.platform.body) {
            *body = *body - wrench.seen_from(point);
        }
        for spring in self.springs {
            for (body, pull) in spring.pulls(memory) {
                if let Some(body) = memory.wrenches.get_mut(body) {
                    *body = *body - pull;
                }
            }
        }
    }

    /// (2); with `FULL` as in [`needs`](Self::needs).
    #[inline]
    fn collect<const FULL: bool>(&self, memory: &mut Memory<'_, T>) {
        let (mut forces, mut columns) = (&mut *memory.forces, &*memory.columns);
        for (k, body) in self.bodies.iter().enumerate().rev() {
            let freedoms = body.joint.freedoms();
            let start = body.freedom;
            let (Some((before, own_forces)), Some((earlier, own))) =
                (core::mem::take(&mut forces).split_at_mut_checked(start), columns.split_at_checked(start))
            else {
                return;
            };
            (forces, columns) = (before, earlier);
            let Some(w) = memory.wrenches.get(k + 1).copied() else { return };
            match (body.joint, own, own_forces) {
                (TreeJoint::Revolute, [s, ..], [f, ..]) => {
                    *f = power(&w, s);
                    if let (false, Share::Axis { inertia, moment }) = (FULL, &body.share)
                        && let (Some(frame), Some(rate)) =
                            (memory.frames.get(k + 1), memory.accelerations.get(start))
                    {
                        *f = *f + *inertia * *rate + self.weight_about_axis(frame, *moment);
                    }
                }
                (TreeJoint::Prismatic, [s, ..], [f, ..]) => *f = w.force.dot(s.linear),
                (TreeJoint::Universal, [s, t, ..], [f, g, ..]) => {
                    (*f, *g) = (power(&w, s), power(&w, t));
                }
                (TreeJoint::Spherical, [s, t, r, ..], [f, g, h, ..]) => {
                    (*f, *g, *h) = (power(&w, s), power(&w, t), power(&w, r));
                }
                (TreeJoint::Free, _, [a, b, c, d, e, f, ..]) => {
                    (*a, *b, *c) = (w.moment.x, w.moment.y, w.moment.z);
                    (*d, *e, *f) = (w.force.x, w.force.y, w.force.z);
                }
                (_, own, own_forces) => {
                    for (s, f) in own.iter().zip(own_forces).take(freedoms) {
                        *f = power(&w, s);
                    }
                }
            }
            if body.parent > 0
                && let Some(parent) = memory.wrenches.get_mut(body.parent)
            {
                *parent = *parent + w;
            }
        }
        for driven in [self.motors, self.drags] {
            for motor in driven {
                let acceleration = memory.accelerations.get(motor.freedom).copied().unwrap_or_else(T::zero);
                if let Some(force) = memory.forces.get_mut(motor.freedom) {
                    *force = *force + motor.drive.inertia * acceleration;
                }
            }
        }
    }

    /// What each body and all behind it need, and what the motors do not give of it at their rates.
    pub(super) fn write_needs(&self, efforts: &[T], wrench: &Wrench<T>, memory: &mut Memory<'_, T>) {
        self.needs::<true>(wrench, memory);
        self.collect::<true>(memory);
        self.add_friction(memory);
        for (motor, effort) in self.motors.iter().zip(efforts) {
            if let Some(force) = memory.forces.get_mut(motor.freedom) {
                *force = *force - *effort;
            }
        }
    }

    /// Friction of each motor and of each passive rate that has some is added to its force.
    fn add_friction(&self, memory: &mut Memory<'_, T>) {
        add_friction_of(self.motors, memory);
        add_friction_of(self.drags, memory);
    }

    /// Inverse dynamics after [`prepare`](Self::prepare): the efforts of all motors, in their order, for these
    /// accelerations of the independent motors. Accelerations, wrenches and multipliers stay in the memory.
    #[inline]
    pub fn efforts_for(
        &self,
        accelerations: &[T],
        wrench: &Wrench<T>,
        friction: bool,
        efforts: &mut [T],
        memory: &mut Memory<'_, T>,
    ) {
        self.spread_accelerations(accelerations, memory);
        self.needs::<false>(wrench, memory);
        if !self.idle.is_empty() {
            self.settle_alone(memory);
        }
        self.collect::<false>(memory);
        if !self.idle.is_empty() {
            self.settle_together(memory);
        }
        if friction {
            self.add_friction(memory);
        }
        for leg in self.legs {
            self.transmit(leg, memory); // (3)
        }
        self.transmit(&self.core, memory);
        for (motor, effort) in self.motors.iter().zip(efforts.iter_mut()) {
            let force = memory.forces.get(motor.freedom).copied().unwrap_or_else(T::zero);
            *effort = if motor.independent == NONE { T::zero() } else { force };
        }
        if self.motors.len() > self.independent() {
            self.dependent_slopes(memory);
            self.nearest(efforts, memory);
        }
    }

    /// Inverse dynamics: the efforts of all motors for these accelerations of the independent motors, friction
    /// included. With more motors than freedoms those nearest to the preloads. Returns the margin.
    #[inline]
    pub fn inverse_dynamics(
        &self,
        motion: &Motion<'_, T>,
        accelerations: &[T],
        efforts: &mut [T],
        memory: &mut Memory<'_, T>,
    ) -> T {
        let margin = self.prepare(motion, memory);
        self.efforts_for(accelerations, &motion.wrench, true, efforts, memory);
        margin
    }

    /// Y: a row of `slopes` for each dependent motor, by one transposed solution each.
    fn dependent_slopes(&self, memory: &mut Memory<'_, T>) {
        let core = &self.core;
        let columns = core.columns.of(self.columns);
        let (pivots, groups) = (core.pivots.len(), self.independent().div_ceil(4));
        for motor in self.motors.iter().filter(|motor| motor.independent == NONE) {
            let Some(vector) = memory.vector.get_mut(..core.width) else { return };
            let Some(own) = columns.iter().take(pivots).position(|freedom| *freedom == motor.freedom) else {
                continue;
            };
            vector.fill([T::zero(); 4]);
            set(vector, own, T::one());
            let rows = core.matrix.of(memory.matrix).chunks_exact(core.width.max(1));
            for (k, (inverse, row)) in core.pivots.of(memory.inverses).iter().zip(rows).enumerate().skip(own)
            {
                let factor = at(vector, k) * *inverse;
                let (Some(row), Some(part)) = (row.get(k >> 2..), vector.get_mut(k >> 2..)) else { return };
                subtract(part, factor, row);
            }
            let Some(slopes) = memory.slopes.get_mut(motor.freedom * groups..(motor.freedom + 1) * groups)
            else {
                return;
            };
            slopes.fill([T::zero(); 4]);
            for k in pivots..columns.len() {
                set(slopes, k - pivots, at(vector, k));
            }
        }
    }

    /// (4)
    fn nearest(&self, efforts: &mut [T], memory: &mut Memory<'_, T>) {
        let groups = self.groups();
        let dependent = || self.motors.iter().enumerate().filter(|(_, motor)| motor.independent == NONE);
        let count = dependent().count();
        let slopes = &*memory.slopes;
        let row = |freedom: usize| slopes.get(freedom * groups..(freedom + 1) * groups).unwrap_or_default();
        let Some((square, rest)) = memory.small.split_at_mut_checked(count * count) else { return };
        let Some(s) = rest.get_mut(..count) else { return };
        // NᵀW (τ − t)
        for ((i, motor), entry) in dependent().zip(s.iter_mut()) {
            let off = efforts.get(i).copied().unwrap_or_else(T::zero) - motor.preload;
            let mut sum = motor.weight * off;
            for (other, effort) in self.motors.iter().zip(efforts.iter()) {
                if other.independent != NONE {
                    let share = at(row(motor.freedom), other.independent) * other.weight;
                    sum = sum - share * (*effort - other.preload);
                }
            }
            *entry = sum;
        }
        for ((i, (_, motor)), line) in dependent().enumerate().zip(square.chunks_exact_mut(count.max(1))) {
            for ((j, (_, other)), entry) in dependent().enumerate().zip(line) {
                let mut sum = if i == j { motor.weight } else { T::zero() };
                for own in self.motors.iter().filter(|own| own.independent != NONE) {
                    let [x, y] = [motor, other].map(|motor| at(row(motor.freedom), own.independent));
                    sum = sum + x * own.weight * y;
                }
                *entry = sum;
            }
        }
        solve_symmetric(square, s);
        for (motor, effort) in self.motors.iter().zip(efforts.iter_mut()) {
            if motor.independent == NONE {
                continue;
            }
            for ((_, other), s) in dependent().zip(s.iter()) {
                *effort = *effort + at(row(other.freedom), motor.independent) * *s;
            }
        }
        for ((i, _), s) in dependent().zip(s.iter()) {
            if let Some(effort) = efforts.get_mut(i) {
                *effort = *effort - *s;
            }
        }
    }

    /// Forward dynamics after [`prepare`](Self::prepare): accelerations of the independent motors under these
    /// efforts of all motors. Accelerations of all rates stay in the memory; those of the bodies are for ÿ = 0 until
    /// [`accelerate_bodies`](Self::accelerate_bodies). Returns the smallest pivot of the mass matrix, relative.
    #[inline]
    pub fn accelerations_for(
        &self,
        efforts: &[T],
        wrench: &Wrench<T>,
        accelerations: &mut [T],
        memory: &mut Memory<'_, T>,
    ) -> T {
        let (count, groups) = (self.independent(), self.groups());
        self.slopes(memory);
        accelerations.fill(T::zero());
        self.spread_accelerations(accelerations, memory);
        if self.idle.is_empty() {
            self.accelerate_bodies(memory);
        } else {
            // Idle rates are settled from the forces at ÿ = 0.
            self.needs::<false>(wrench, memory);
            self.collect::<false>(memory);
            add_friction_of(self.drags, memory);
        }
        self.sum_bodies::<true>(memory);
        self.load_bias(wrench, memory);
        // (5): the motors' efforts, seen from y.
        let Some(vector) = memory.vector.get_mut(..groups) else { return T::zero() };
        let driven = self.motors.iter().zip(efforts.iter().copied());
        for (motor, effort) in driven.chain(self.drags.iter().map(|drag| (drag, T::zero()))) {
            let of = |list: &[T]| list.get(motor.freedom).copied().unwrap_or_else(T::zero);
            let taken =
                motor.drive.friction(of(memory.rates)) + motor.drive.inertia * of(memory.accelerations);
            let start = motor.freedom * groups;
            let Some(slope) = memory.slopes.get(start..start + groups) else { return T::zero() };
            subtract(vector, taken - effort, slope);
        }
        let Some((square, rest)) = memory.small.split_at_mut_checked(count * count) else { return T::zero() };
        let Some(y) = rest.get_mut(..count) else { return T::zero() };
        for (k, entry) in y.iter_mut().enumerate() {
            *entry = at(vector, k);
        }
        for (row, line) in memory.mass.chunks_exact(groups.max(1)).zip(square.chunks_exact_mut(count.max(1)))
        {
            for (entry, value) in line.iter_mut().zip(row.as_flattened()) {
                *entry = *value;
            }
        }
        let margin = solve_symmetric(square, y);
        for (entry, value) in accelerations.iter_mut().zip(y.iter()) {
            *entry = *value;
        }
        vector.fill([T::zero(); 4]);
        for (k, value) in y.iter().enumerate() {
            set(vector, k, *value);
        }
        let slopes = memory.slopes.chunks_exact(groups.max(1));
        for (acceleration, slope) in memory.accelerations.iter_mut().zip(slopes) {
            *acceleration = *acceleration + super::rows::dot(slope, vector);
        }
        if !self.idle.is_empty() {
            self.settle_free_idle(memory);
        }
        margin
    }

    /// What the external wrench and the springs do at y, added to −(3).
    #[inline]
    fn load_bias(&self, wrench: &Wrench<T>, memory: &mut Memory<'_, T>) {
        let point = self.platform_point(memory);
        self.load_at(self.platform.body, &wrench.seen_from(point), memory);
        for spring in self.springs {
            for (body, pull) in spring.pulls(memory) {
                self.load_at(body, &pull, memory);
            }
        }
    }

    /// vector += Jᵀ w
    #[inline(always)]
    fn load_at(&self, body: usize, w: &Wrench<T>, memory: &mut Memory<'_, T>) {
        if body == 0 {
            return;
        }
        let (groups, (jacobians, _)) = (self.groups(), memory.jacobians.as_chunks::<6>());
        let own = jacobians.iter().skip(body * groups);
        for (into, [a, b, c, x, y, z]) in memory.vector.iter_mut().zip(own).take(groups) {
            let mut sum = *into;
            let factors = [w.moment.x, w.moment.y, w.moment.z, w.force.x, w.force.y, w.force.z];
            for (factor, row) in factors.into_iter().zip([a, b, c, x, y, z]) {
                sum = T::four_plus(sum, factor, *row);
            }
            *into = sum;
        }
    }

    /// Accelerations of idle rates that nothing drives, from forces at ÿ = 0.
    fn settle_free_idle(&self, memory: &mut Memory<'_, T>) {
        self.settle_together(memory);
        self.settle_alone(memory);
    }

    /// Forward dynamics: accelerations of the independent motors under these efforts of all motors, of which
    /// friction takes its part. Returns the margin of the elimination, and that of the mass matrix.
    #[inline]
    pub fn forward_dynamics(
        &self,
        motion: &Motion<'_, T>,
        efforts: &[T],
        accelerations: &mut [T],
        memory: &mut Memory<'_, T>,
    ) -> (T, T) {
        let margin = self.prepare(motion, memory);
        (margin, self.accelerations_for(efforts, &motion.wrench, accelerations, memory))
    }

    /// Kinetic energy, motors included, after [`prepare`](Self::prepare) \[J\].
    pub fn kinetic_energy(&self, memory: &Memory<'_, T>) -> T {
        let mut twice = T::zero();
        let states = memory.frames.iter().zip(memory.twists.iter()).skip(1);
        for (body, (frame, v)) in self.bodies.iter().zip(states) {
            let at_centre = v.linear + v.angular.cross(frame.of(body.body.centre));
            let turning = frame.inside(v.angular);
            twice = twice + at_centre.norm_sq() * body.body.mass + turning.dot(body.body.inertia * turning);
        }
        for motor in self.motors.iter().chain(self.drags) {
            let rate = memory.rates.get(motor.freedom).copied().unwrap_or_else(T::zero);
            twice = twice + motor.drive.inertia * rate * rate;
        }
        twice * T::from_f64(0.5)
    }

    /// Potential energy of weight and springs once the frames are known \[J\]: zero for weight at the origin.
    pub fn potential_energy(&self, memory: &Memory<'_, T>) -> T {
        let mut sum = T::zero();
        for (body, frame) in self.bodies.iter().zip(memory.frames.iter().skip(1)) {
            sum = sum - self.gravity.dot(frame.of(body.body.centre)) * body.body.mass;
        }
        for spring in self.springs {
            let [first, second] = spring.ends(memory);
            let stretch = (second - first).norm_sq().sqrt() - spring.free_length;
            sum = sum + spring.stiffness * stretch * stretch * T::from_f64(0.5);
        }
        sum
    }
}

#[inline(always)]
fn add_friction_of<T: Real>(driven: &[Motor<T>], memory: &mut Memory<'_, T>) {
    for motor in driven {
        let rate = memory.rates.get(motor.freedom).copied().unwrap_or_else(T::zero);
        if let Some(force) = memory.forces.get_mut(motor.freedom) {
            *force = *force + motor.drive.friction(rate);
        }
    }
}

impl<T: Real> super::Spring<T> {
    /// What it does to its bodies, about O.
    fn pulls(&self, memory: &Memory<'_, T>) -> [(usize, Wrench<T>); 2] {
        let [first, second] = self.ends(memory);
        let apart = second - first;
        let length = apart.norm_sq().sqrt();
        let pull = apart * (self.stiffness * (length - self.free_length) / length);
        let ([a, b], at) = (self.bodies, |point: V3<T>, f: V3<T>| Wrench::new(f, point.cross(f)));
        [(a, at(first, pull)), (b, at(second, -pull))]
    }

    fn ends(&self, memory: &Memory<'_, T>) -> [V3<T>; 2] {
        let end = |body: usize, point: V3<T>| {
            memory.frames.get(body).copied().unwrap_or_else(Frame::identity).of(point)
        };
        let ([a, b], [p, q]) = (self.bodies, self.points);
        [end(a, p), end(b, q)]
    }
}
