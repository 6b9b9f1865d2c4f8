//! Lagrange's equation of any robot, from its energies alone: a judge that shares no equation of motion with anybody.
//!
//! ```text
//! p = p₀ + ξ₁,   R = exp[ξ₂]× R₀,   ω = ξ̇₂ + c₁ ξ₂×ξ̇₂ + c₂ ξ₂×(ξ₂×ξ̇₂)           (1)
//! f = d/dt ∂T/∂ξ̇ − ∂T/∂ξ + ∂V/∂ξ,   Γ = Jᵀ f     at ξ = 0                         (2)
//! ```
//!
//! At ξ = 0 the twist is ξ̇ and its rate ξ̈. T is quadratic in ξ̇, so two values give ∂T/∂ξ̇ exactly; the other
//! derivatives are differences of sixth order.

use crate::BoxError;
use legwork::{AnyRobot, PlatformState};
use legwork::{M3, Real, V3};

/// Step of the differences \[m, rad, s/100\].
const STEP: f64 = 2e-3;

/// exp[φ]×; for |φ| below 0.3 rad to rounding.
pub(crate) fn rotation_by<T: Real>(phi: V3<T>) -> M3<T> {
    let x = phi.norm_sq();
    let s = series(x, [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0]);
    let (c1, _) = coefficients(x);
    let column = |e: V3<T>| {
        let across = phi.cross(e);
        e + across * s + phi.cross(across) * c1
    };
    let (o, l) = (T::zero(), T::one());
    M3::from_columns(column(V3::new(l, o, o)), column(V3::new(o, l, o)), column(V3::new(o, o, l)))
}

/// ω of (1).
pub(crate) fn angular_velocity<T: Real>(phi: V3<T>, rate: V3<T>) -> V3<T> {
    let (c1, c2) = coefficients(phi.norm_sq());
    let across = phi.cross(rate);
    rate + across * c1 + phi.cross(across) * c2
}

/// (1 − cos θ)/θ² and (θ − sin θ)/θ³, as series in θ².
fn coefficients<T: Real>(x: T) -> (T, T) {
    let c1 = series(x, [0.5, -1.0 / 24.0, 1.0 / 720.0, -1.0 / 40_320.0, 1.0 / 3_628_800.0]);
    let c2 = series(x, [1.0 / 6.0, -1.0 / 120.0, 1.0 / 5040.0, -1.0 / 362_880.0, 1.0 / 39_916_800.0]);
    (c1, c2)
}

fn series<T: Real>(x: T, list: [f64; 5]) -> T {
    list.iter().rev().fold(T::zero(), |sum, c| sum * x + T::from_f64(*c))
}

/// Kinetic and potential energy \[J\] at coordinates ξ with rates ξ̇ about a pose.
fn energies(
    robot: &AnyRobot,
    at: &PlatformState,
    xi: [f64; 6],
    rate: [f64; 6],
) -> Result<(f64, f64), BoxError> {
    let [x, y, z, a, b, c] = xi;
    let [vx, vy, vz, wa, wb, wc] = rate;
    let phi = V3::new(a, b, c);
    let omega = angular_velocity(phi, V3::new(wa, wb, wc));
    let [r0, r1, r2] = at.rotation.map(V3::from);
    let rotation = (rotation_by(phi) * M3::from_rows(r0, r1, r2)).to_rows();
    let place = PlatformState {
        position: [at.position[0] + x, at.position[1] + y, at.position[2] + z],
        rotation,
        twist: [vx, vy, vz, omega.x, omega.y, omega.z],
        acceleration: [0.0; 6],
        wrench: [0.0; 6],
    };
    let dynamics = robot.state(&place)?.dynamics.ok_or("the robot has no masses")?;
    Ok((dynamics.kinetic_energy, dynamics.potential_energy))
}

/// The derivative at 0, by differences of sixth order.
fn derivative(step: f64, mut f: impl FnMut(f64) -> Result<f64, BoxError>) -> Result<f64, BoxError> {
    let mut pair = |k: f64| -> Result<f64, BoxError> { Ok(f(k * step)? - f(-k * step)?) };
    Ok((45.0 * pair(1.0)? - 9.0 * pair(2.0)? + pair(3.0)?) / (60.0 * step))
}

/// Γ of (2): efforts of the actuated joints for the motion of a platform, without friction and outside wrench.
pub(crate) fn efforts(robot: &AnyRobot, at: &PlatformState) -> Result<Vec<f64>, BoxError> {
    let (v, a) = (at.twist, at.acceleration);
    let mut force = Vec::new();
    for freedom in robot.freedoms() {
        let k = freedom.component;
        let unit = |s: f64| std::array::from_fn(|i| if i == k { s } else { 0.0 });
        // ∂T/∂ξ̇ along the motion
        let momentum = |t: f64| -> Result<f64, BoxError> {
            let xi = std::array::from_fn(|i| v[i] * t + 0.5 * a[i] * t * t);
            let rate = |s: f64| std::array::from_fn(|i| v[i] + a[i] * t + if i == k { s } else { 0.0 });
            Ok(0.5 * (energies(robot, at, xi, rate(1.0))?.0 - energies(robot, at, xi, rate(-1.0))?.0))
        };
        let changed = derivative(0.1 * STEP, momentum)?;
        let lagrangian = |s: f64| -> Result<f64, BoxError> {
            let (kinetic, potential) = energies(robot, at, unit(s), v)?;
            Ok(kinetic - potential)
        };
        force.push(changed - derivative(STEP, lagrangian)?);
    }
    let jacobian = robot.state(at)?.jacobian;
    let motors = jacobian.first().map_or(0, Vec::len);
    Ok((0..motors).map(|j| jacobian.iter().zip(&force).map(|(row, f)| row[j] * f).sum()).collect())
}
