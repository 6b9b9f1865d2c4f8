//! Efforts for accelerations, accelerations for efforts, mass matrix and energies.
//!
//! ```text
//! (1)  f = m (v̇_O + α × c + ω × (v_O + ω × c)),   n = R (I α_b + ω_b × I ω_b) + c × f
//! (2)  F_k = wrench of body k and of all that hangs on it,   f_k = S_k·F_k (+ Ia u̇ + friction at motors)
//! (3)  Uᵀ λ = f_p,  f −= [C₁ D₁]ᵀ λ  leg by leg, then the core:  τ_y = f_y − K′ᵀ U_T⁻ᵀ f_x
//! (4)  with more motors than freedoms, q̇_d = Y y:  τ −= W⁻¹N (NᵀW⁻¹N)⁻¹ Nᵀ τ, N = [−Yᵀ; 1], W = 1
//! (5)  M ÿ = Yₐᵀ (τ − friction) − Uᵀ f(ÿ = 0),  Yₐ the motor rates per unit of y
//! ```

use super::idle::power;
use super::rows::{at, set, solve_symmetric, subtract};
use super::{Memory, Motor, NONE, Plan, Span};
use crate::engine::Wrench;
use crate::{Real, V3};

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

    /// Accelerations of all bodies, and (1), less what pulls at them.
    #[inline]
    fn needs(&self, wrench: &Wrench<T>, memory: &mut Memory<'_, T>) {
        self.accelerate_bodies(memory);
        if let Some(ground) = memory.wrenches.first_mut() {
            *ground = Wrench::zero();
        }
        // A loop of its own, in which no body needs another: the compiler takes four at a time.
        let states = memory.frames.iter().zip(memory.twists.iter()).zip(memory.motions.iter());
        let each = self.bodies.iter().zip(states.skip(1)).zip(memory.wrenches.iter_mut().skip(1));
        for ((body, ((frame, v), a)), into) in each {
            let own = &body.body;
            let (c, w) = (frame.of(own.centre), v.angular);
            let force = (a.linear + a.angular.cross(c) + w.cross(v.linear + w.cross(c))) * own.mass;
            let (turning, spinning_up) = (frame.inside(w), frame.inside(a.angular));
            let about = own.inertia * spinning_up + turning.cross(own.inertia * turning);
            *into = Wrench::new(force, c.cross(force) + frame.turned(about)); // (1)
        }
        self.load(wrench, memory);
    }

    /// Takes the external wrench and the springs off the bodies' wrenches.
    #[inline]
    fn load(&self, wrench: &Wrench<T>, memory: &mut Memory<'_, T>) {
        let point = self.platform_frame(memory).origin;
        if let Some(body) = memory.wrenches.get_mut(self.platform.body) {
            *body = *body - wrench.seen_from(point);
        }
        for spring in self.springs {
            let [first, second] = spring.ends(memory);
            let apart = second - first;
            let length = apart.norm_sq().sqrt();
            let pull = apart * (spring.stiffness * (length - spring.free_length) / length);
            for (body, point, force) in [(spring.bodies[0], first, pull), (spring.bodies[1], second, -pull)] {
                if let Some(body) = memory.wrenches.get_mut(body) {
                    *body = *body - Wrench::new(force, point.cross(force));
                }
            }
        }
    }

    /// (2)
    #[inline]
    fn collect(&self, memory: &mut Memory<'_, T>) {
        for (k, body) in self.bodies.iter().enumerate().rev() {
            let Some((before, rest)) = memory.wrenches.split_at_mut_checked(k + 1) else { return };
            let (Some(own), Some(parent)) = (rest.first(), before.get_mut(body.parent)) else { return };
            let span = Span { start: body.freedom, end: body.freedom + body.joint.freedoms() };
            if body.joint == super::TreeJoint::Free {
                if let [a, b, c, d, e, f] = span.of_mut(memory.forces) {
                    (*a, *b, *c) = (own.moment.x, own.moment.y, own.moment.z);
                    (*d, *e, *f) = (own.force.x, own.force.y, own.force.z);
                }
            } else {
                for (s, force) in span.of(memory.columns).iter().zip(span.of_mut(memory.forces)) {
                    *force = power(own, s);
                }
            }
            *parent = *parent + *own;
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
        self.needs(wrench, memory);
        self.collect(memory);
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
        self.needs(wrench, memory);
        if !self.idle.is_empty() {
            self.settle_alone(memory);
        }
        self.collect(memory);
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
            self.smallest(efforts, memory);
        }
    }

    /// Inverse dynamics: the efforts of all motors for these accelerations of the independent motors, friction
    /// included. With more motors than freedoms those of smallest norm. Returns the margin.
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

    /// (4): s = (1 + Y Yᵀ)⁻¹ (τ_d − Y τ_y), τ_y += Yᵀ s, τ_d −= s.
    fn smallest(&self, efforts: &mut [T], memory: &mut Memory<'_, T>) {
        let groups = self.independent().div_ceil(4);
        let dependent = || self.motors.iter().enumerate().filter(|(_, motor)| motor.independent == NONE);
        let count = dependent().count();
        let slopes = &*memory.slopes;
        let row = |freedom: usize| slopes.get(freedom * groups..(freedom + 1) * groups).unwrap_or_default();
        let Some((square, rest)) = memory.small.split_at_mut_checked(count * count) else { return };
        let Some(s) = rest.get_mut(..count) else { return };
        for ((i, motor), entry) in dependent().zip(s.iter_mut()) {
            let mut sum = efforts.get(i).copied().unwrap_or_else(T::zero);
            for (other, effort) in self.motors.iter().zip(efforts.iter()) {
                if other.independent != NONE {
                    sum = sum - at(row(motor.freedom), other.independent) * *effort;
                }
            }
            *entry = sum;
        }
        for ((i, (_, motor)), line) in dependent().enumerate().zip(square.chunks_exact_mut(count.max(1))) {
            for ((j, (_, other)), entry) in dependent().enumerate().zip(line) {
                let one = if i == j { T::one() } else { T::zero() };
                *entry = one + super::rows::dot(row(motor.freedom), row(other.freedom));
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
        let count = self.independent();
        let groups = count.div_ceil(4);
        self.write_mass_matrix(memory);
        accelerations.fill(T::zero());
        self.spread_accelerations(accelerations, memory);
        self.needs(wrench, memory);
        self.collect(memory);
        // (5): the forces against the motors' efforts, seen from y.
        for (motor, effort) in self.motors.iter().zip(efforts) {
            let rate = memory.rates.get(motor.freedom).copied().unwrap_or_else(T::zero);
            if let Some(force) = memory.forces.get_mut(motor.freedom) {
                *force = *force - (*effort - motor.drive.friction(rate));
            }
        }
        add_friction_of(self.drags, memory);
        let Some(vector) = memory.vector.get_mut(..groups) else { return T::zero() };
        vector.fill([T::zero(); 4]);
        for (force, slope) in memory.forces.iter().zip(memory.slopes.chunks_exact(groups.max(1))) {
            subtract(vector, *force, slope);
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
    fn ends(&self, memory: &Memory<'_, T>) -> [V3<T>; 2] {
        let end = |body: usize, point: V3<T>| {
            memory.frames.get(body).copied().unwrap_or_else(super::Frame::identity).of(point)
        };
        let ([a, b], [p, q]) = (self.bodies, self.points);
        [end(a, p), end(b, q)]
    }
}
