//! The constrained form of a Delta: nine angles, six loop equations, their multipliers eliminated.
//!
//! ```text
//! x = (φ, φ̇) ∈ R¹⁸,   ẋ = (φ̇, φ̈(φ, φ̇, u)),   H φ̈ + Ḣ φ̇ + α₁ H φ̇ + α₀ h = 0        (1)
//! ```
//!
//! [Bortoff2018, Sec. IV]. Twelve of the eighteen poles are those of the loops, at −p with α₁ = 2p, α₀ = p²;
//! the inputs do not move them and twelve invariant zeros cancel them. Being twelve in one place they scatter
//! by about 1e-4 in double precision: the reduced form is the better conditioned one.

use super::{DMatrix, LinearError, Pole, Reduced, Signal, StateSpace};
use crate::robot::Resting;
use crate::{AnyRobot, PlatformState, RobotError};
use legwork_core::robots::delta::constrained::{Angles, ArmParameters, Baumgarte, ConstrainedDelta};
use legwork_core::robots::delta::{Posture, to_constrained_frame};
use legwork_core::{Dual, M3, Real, V3};

/// Derivatives along three numbers of one arm.
type Three = Dual<f64, 3>;

/// How far a pole may scatter about −p and still be one of the loops', relative to p.
const SCATTER: f64 = 1e-2;

/// The linear model of a Delta with all its angles.
#[derive(Clone, Debug, PartialEq)]
pub struct Constrained {
    /// Eighteen states: angles of \[Bortoff2018\] arm by arm, then their rates. Inputs the motor torques,
    /// outputs the motor angles, both as the user counts them.
    pub model: StateSpace,
    /// p \[1/s\]
    pub pole: f64,
    /// Torques that hold the robot \[N·m\].
    pub hold: Vec<f64>,
}

impl Constrained {
    /// At a pose; `pole` is p of the loops \[1/s\], `damping` that of the three angles of every arm
    /// \[N·m·s/rad\] instead of the viscous friction of the robot's motors.
    pub fn at(
        robot: &AnyRobot,
        platform: &PlatformState,
        pole: f64,
        damping: Option<[f64; 3]>,
    ) -> Result<Self, LinearError> {
        if !pole.is_finite() || pole < 0.0 {
            return Err(LinearError::Number {
                what: "the pole of the loops",
                value: pole,
                wanted: "zero or more",
            });
        }
        let Posed { delta, angles, sign } = posed("the constrained form", robot, platform, damping)?;
        let found = delta.gravity_compensation(angles);
        let hold = found.value.torque;
        let zero = V3::splat(V3::zero());
        let margin =
            delta.accelerations(angles, zero, hold, Baumgarte::from_pole(pole)).margin.min(found.margin);
        if margin.is_nan() || margin <= 0.0 {
            return Err(LinearError::NotFinite { what: "the constrained form at this pose" });
        }
        let mut model = linear(&delta, angles, hold, pole);
        model.b *= sign;
        model.c *= sign;
        if !model.is_finite() {
            return Err(LinearError::NotFinite { what: "the constrained form at this pose" });
        }
        Ok(Self { model, pole, hold: (hold * sign).to_array().to_vec() })
    }

    /// How many of these poles or zeros are those of the loops, and how far they scatter about −p \[1/s\].
    pub fn at_the_loops(&self, poles: &[Pole]) -> (usize, f64) {
        let place = Pole { re: -self.pole, im: 0.0 };
        let near: Vec<f64> = poles
            .iter()
            .map(|s| s.distance(&place))
            .filter(|distance| *distance <= SCATTER * self.pole.max(1.0))
            .collect();
        (near.len(), near.iter().copied().fold(0.0, f64::max))
    }
}

impl Reduced {
    /// The same Delta, with the damping of the three angles of every arm \[N·m·s/rad\] instead of the viscous
    /// friction of its motors: D = Nᵀ diag N, in joint coordinates.
    pub fn with_arm_damping(
        &self,
        robot: &AnyRobot,
        platform: &PlatformState,
        damping: [f64; 3],
    ) -> Result<Self, LinearError> {
        let Posed { delta, angles, .. } = posed("a damping of each angle", robot, platform, Some(damping))?;
        let blocks = delta.reduction(angles).value.blocks;
        let mut joint = DMatrix::zeros(3, 3);
        for n in blocks.to_array().map(M3::to_rows) {
            for (row, d) in n.iter().zip(damping) {
                joint += DMatrix::from_fn(3, 3, |i, j| row[i] * row[j] * d);
            }
        }
        // The signs of the user's angles cancel.
        Ok(self.with_damping(self.to_joints.transpose() * joint * &self.to_joints))
    }
}

struct Posed {
    delta: ConstrainedDelta<f64>,
    angles: Angles<f64>,
    /// ±1: how the user counts motor angles.
    sign: f64,
}

fn posed(
    what: &'static str,
    robot: &AnyRobot,
    platform: &PlatformState,
    damping: Option<[f64; 3]>,
) -> Result<Posed, LinearError> {
    let Resting::Delta(delta, frame, x) = robot.resting(platform)? else {
        return Err(robot.no_closed_form(what).into());
    };
    let posture = delta.linkage().posture(x).map_err(RobotError::from)?;
    posture.not_serial().and_then(Posture::not_parallel).map_err(RobotError::from)?;
    let mut arms = delta.to_constrained();
    if let Some(damping) = damping {
        if let Some(value) = damping.iter().find(|d| !d.is_finite() || **d < 0.0) {
            return Err(LinearError::Number { what: "a damping", value: *value, wanted: "zero or more" });
        }
        arms.arms = arms.arms.map(|arm| ArmParameters { damping: damping.into(), ..arm });
    }
    let angles = arms.angles_from_platform(to_constrained_frame(x), posture.angles());
    Ok(Posed { delta: arms, angles: angles.value, sign: frame.angle_sign })
}

/// The derivatives of (1), arm by arm.
fn linear(delta: &ConstrainedDelta<f64>, angles: Angles<f64>, hold: V3<f64>, pole: f64) -> StateSpace {
    let varied = delta.map(Three::from_f64);
    let still = V3::splat(V3::zero());
    let baumgarte = Baumgarte::from_pole(Three::from_f64(pole));
    let accelerations = |angles: Angles<Three>, rates: Angles<Three>, torque: V3<Three>| {
        let found = varied.accelerations(angles, rates, torque, baumgarte).value.accelerations;
        found.to_array().map(V3::to_array)
    };
    let (fixed, torque) = (angles.map(|arm| arm.map(Three::from_f64)), hold.map(Three::from_f64));
    let mut a = DMatrix::zeros(18, 18);
    let mut b = DMatrix::zeros(18, 3);
    a.view_mut((0, 9), (9, 9)).fill_with_identity();
    let mut take = |found: [[Three; 3]; 3], column: usize, into_b: bool| {
        for (row, value) in found.as_flattened().iter().enumerate() {
            for (k, slope) in value.eps.iter().enumerate() {
                let target = if into_b { &mut b } else { &mut a };
                target[(9 + row, column + k)] = *slope;
            }
        }
    };
    for arm in 0..3 {
        let step = |values: Angles<Three>| {
            let mut arms = values.to_array();
            let [x, y, z] = arms[arm].to_array().map(|value| value.re);
            arms[arm] = V3::new(Three::variable(x, 0), Three::variable(y, 1), Three::variable(z, 2));
            V3::from(arms)
        };
        take(accelerations(step(fixed), still, torque), 3 * arm, false);
        take(accelerations(fixed, step(still), torque), 9 + 3 * arm, false);
    }
    let [x, y, z] = hold.to_array();
    let pushed = V3::new(Three::variable(x, 0), Three::variable(y, 1), Three::variable(z, 2));
    take(accelerations(fixed, still, pushed), 0, true);
    let names = || (1..=3).flat_map(|arm| (1..=3).map(move |angle| format!("arm{arm}_phi{angle}")));
    StateSpace {
        a,
        b,
        c: DMatrix::from_fn(3, 18, |i, j| f64::from(u8::from(j == 3 * i))),
        d: DMatrix::zeros(3, 3),
        states: names()
            .map(|name| Signal::new(name, "rad"))
            .chain(names().map(|name| Signal::new(format!("{name}_rate"), "rad/s")))
            .collect(),
        inputs: (1..=3).map(|k| Signal::new(format!("u{k}"), "N m")).collect(),
        outputs: (1..=3).map(|k| Signal::new(format!("q{k}"), "rad")).collect(),
    }
}
