//! What acts on a joint besides its motor, and what its speed takes from the motor.

use crate::Real;

/// Dry friction that passes smoothly through zero, F q̇/√(q̇² + ε²): a jump has no
/// derivative to integrate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coulomb {
    /// F \[N·m or N\]
    pub size: f64,
    /// ε \[rad/s or m/s\]. Default [`Coulomb::WIDTH`].
    pub width: f64,
}

impl Coulomb {
    /// ε where nobody says another \[rad/s or m/s\].
    pub const WIDTH: f64 = 1e-3;

    /// With ε = 1e-3.
    pub fn new(size: f64) -> Self {
        Self { size, width: Self::WIDTH }
    }

    /// None.
    pub fn none() -> Self {
        Self::new(0.0)
    }

    /// What it takes at a speed.
    #[inline(always)]
    pub fn effort(&self, speed: f64) -> f64 {
        if self.size == 0.0 {
            return 0.0;
        }
        self.size * speed / Real::sqrt(speed * speed + self.width * self.width)
    }
}

/// Friction of a joint: D q̇ + F q̇/√(q̇² + ε²).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// D \[N·m·s/rad or N·s/m\]
    pub viscous: f64,
    /// The dry part.
    pub coulomb: Coulomb,
}

impl Friction {
    /// None.
    pub fn none() -> Self {
        Self { viscous: 0.0, coulomb: Coulomb::none() }
    }

    /// What it takes at a speed.
    #[inline]
    pub fn effort(&self, speed: f64) -> f64 {
        self.viscous * speed + self.coulomb.effort(speed)
    }
}

/// A motor that gives nothing beyond a speed, as its voltage allows: what would accelerate the joint
/// falls on a straight line from all of it at (1 − w) ω to nothing at ω. Braking is not cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedLimit<T> {
    /// ω \[rad/s or m/s\]
    pub speed: T,
    /// w, the part of ω over which it falls. Default 0.05.
    pub width: T,
}

impl<T: Real> SpeedLimit<T> {
    /// With w = 0.05.
    pub fn new(speed: T) -> Self {
        Self { speed, width: T::from_f64(0.05) }
    }

    /// What is left of an effort at a speed.
    #[inline]
    pub fn cut(&self, effort: T, speed: T) -> T {
        let one = T::one();
        let left = (self.speed - speed.abs()) / (self.speed * self.width);
        let share = left.min(one);
        let share = T::select(share.lt(T::zero()), T::zero(), share);
        T::select(T::zero().lt(effort * speed), effort * share, effort)
    }
}

/// Springs behind both ends of a joint's range. Deeper by δ > 0 than the end, with δ̇ its
/// rate, the joint is pushed back by k δ (1 + c δ̇), never pulled \[HuntCrossley1975\]: zero at
/// touch whatever the speed, so a run has no jump there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftStop {
    /// Lower end \[rad or m\]; −∞ for none.
    pub min: f64,
    /// Upper end \[rad or m\]; ∞ for none.
    pub max: f64,
    /// k \[N·m/rad or N/m\]
    pub stiffness: f64,
    /// c \[s/rad or s/m\]: an impact at a small speed v loses about ⅔ c v of it.
    pub damping: f64,
}

impl SoftStop {
    /// How deep a joint is in a stop, and the direction in which the stop pushes.
    fn depth(&self, q: f64) -> (f64, f64) {
        if q < self.min {
            (self.min - q, 1.0)
        } else if q > self.max {
            (q - self.max, -1.0)
        } else {
            (0.0, 0.0)
        }
    }

    /// Its effort on the joint, and the power that it turns into heat \[W\].
    pub fn effort(&self, q: f64, speed: f64) -> (f64, f64) {
        let (depth, direction) = self.depth(q);
        let spring = self.stiffness * depth;
        let rate = -direction * speed;
        let push = Real::abs(spring) * f64::max(0.0, 1.0 + self.damping * rate);
        // The spring takes k δ δ̇ and the joint gives push δ̇: heat is the rest. Where the
        // joint leaves faster than the spring can follow, that is what the spring held.
        (direction * push, (push - spring) * rate)
    }

    /// What its spring holds, ½ k δ² \[J\].
    pub fn energy(&self, q: f64) -> f64 {
        let (depth, _) = self.depth(q);
        0.5 * self.stiffness * depth * depth
    }
}

/// What of a plant depends on position and speed of one joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointParts {
    /// Beyond which the motor gives nothing.
    pub speed_limit: Option<SpeedLimit<f64>>,
    /// Friction besides that of the robot itself.
    pub friction: Friction,
    /// Ends of the range.
    pub stop: Option<SoftStop>,
}

/// What acts on a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acting {
    /// Effort of the motor, as far as its speed allows it.
    pub motor: f64,
    /// Effort of friction and stops on the joint.
    pub passive: f64,
    /// What friction and stops turn into heat \[W\].
    pub heat: f64,
}

impl JointParts {
    /// Nothing.
    pub fn none() -> Self {
        Self { speed_limit: None, friction: Friction::none(), stop: None }
    }

    /// Whether there is anything.
    pub fn is_some(&self) -> bool {
        *self != Self::none()
    }

    /// What acts on the joint for this effort of its motor.
    pub fn acting(&self, q: f64, speed: f64, effort: f64) -> Acting {
        let motor = self.speed_limit.map_or(effort, |limit| limit.cut(effort, speed));
        let friction = self.friction.effort(speed);
        let (stop, heat) = self.stop.map_or((0.0, 0.0), |stop| stop.effort(q, speed));
        Acting { motor, passive: stop - friction, heat: heat + friction * speed }
    }

    /// What the stop's spring holds \[J\].
    pub fn energy(&self, q: f64) -> f64 {
        self.stop.map_or(0.0, |stop| stop.energy(q))
    }
}
