//! Exact derivatives of a rotary Delta after the numbers of its model.

use super::{Effect, Parameter, Sensitivity, result, results};
use crate::analysis::linear::{DMatrix, LinearError, Pole};
use crate::robot::Resting;
use crate::{AnyRobot, PlatformState};
use legwork_core::robots::delta::{Delta, Geometry, Inertia, Linkage, Motor};
use legwork_core::{Dual, M3, Real, V3};
use nalgebra::Complex;

/// One parameter as a variable.
type One = Dual<f64, 1>;
/// And x, y, z below it: K is itself a derivative.
type Nested = Dual<Dual<f64, 3>, 1>;

/// The numbers of a Delta by name, with their units.
const PARAMETERS: [(&str, &str); 16] = [
    ("geometry.base_radius", "m"),
    ("geometry.platform_radius", "m"),
    ("geometry.arm", "m"),
    ("geometry.forearm", "m"),
    ("mass.platform", "kg"),
    ("mass.payload", "kg"),
    ("mass.arm", "kg"),
    ("mass.arm_centre", "m"),
    ("mass.arm_inertia", "kg m2"),
    ("mass.elbow", "kg"),
    ("mass.forearm", "kg"),
    ("mass.forearm_centre", "m"),
    ("mass.forearm_inertia", "kg m2"),
    ("gravity", "m/s2"),
    ("motor.inertia", "kg m2"),
    ("motor.viscous_friction", "N m s/rad"),
];

/// What every number of the model of a rotary Delta does to a result at a state of its platform, each alone.
pub fn of_delta(
    robot: &AnyRobot,
    platform: &PlatformState,
    effect: Effect,
) -> Result<Sensitivity, LinearError> {
    let Resting::Delta(delta, frame, x) = robot.resting(platform)? else {
        return Err(robot.no_closed_form("the exact sensitivity").into());
    };
    let reference = robot.inverse_kinematics(platform)?.q;
    let values = result(robot, platform, effect, &reference)?;
    let mut parameters = Vec::with_capacity(PARAMETERS.len());
    for (k, (name, unit)) in PARAMETERS.iter().enumerate() {
        let (varied, number) = varied::<One>(delta, k, One::variable(0.0, 0));
        let posture = varied.linkage().posture_at(x.map(One::from_f64)).value;
        let slopes: Vec<f64> = match effect {
            Effect::Efforts => {
                let [v, a, f] = [platform.twist, platform.acceleration, platform.wrench]
                    .map(|six| V3::new(six[0], six[1], six[2]).map(One::from_f64));
                let effort = varied.torque(&posture, v, a, f);
                let motor = effort.torque + varied.friction(effort.qdot);
                motor.to_array().map(|torque| torque.eps[0] * frame.angle_sign).to_vec()
            }
            Effect::Mass => {
                let mass = varied.mass_matrix(&posture).to_matrix().to_rows();
                mass.as_flattened().iter().map(|entry| entry.eps[0]).collect()
            }
            // The angles that a pose needs move by ∂q/∂p; kept where they were, the pose moves by −J ∂q/∂p.
            Effect::Shift => {
                let jacobian = M3(posture.jacobian().0.map(|row| row.map(|j| j.re)));
                let angles = posture.angles().map(|q| q.eps[0]);
                (-(jacobian * angles)).to_array().to_vec()
            }
            Effect::Pole => vec![pole_slope(robot, platform, delta, x, k)?],
        };
        let parameter = Parameter { name: (*name).into(), number, unit: (*unit).into(), slopes };
        if parameter.slopes.iter().any(|slope| !slope.is_finite()) {
            return Err(LinearError::NotFinite { what: "a slope" });
        }
        parameters.push(parameter);
    }
    let results = results(robot, effect);
    Ok(Sensitivity { results, values, parameters, refused: Vec::new(), exact: true }.ranked())
}

/// The model with parameter `k` changed by `step`, and its value.
fn varied<T: Real>(delta: &Delta<f64>, k: usize, step: T) -> (Delta<T>, f64) {
    let (g, m, motor) = (delta.linkage().geometry(), delta.inertia(), delta.motor());
    // Gravity grows in its own direction; where there is none, it would pull down.
    let size = m.gravity.norm_sq().sqrt();
    let down = if size > 0.0 { m.gravity * size.recip() } else { V3::along_z(-1.0) };
    let numbers = [
        g.base_radius,
        g.platform_radius,
        g.arm,
        g.forearm,
        m.platform,
        m.payload,
        m.arm,
        m.arm_centre,
        m.arm_inertia,
        m.elbow,
        m.forearm,
        m.forearm_centre,
        m.forearm_inertia,
        size,
        motor.inertia,
        motor.viscous,
    ];
    let mut p = numbers.map(T::from_f64);
    p[k] = p[k] + step;
    let geometry = Geometry {
        base_radius: p[0],
        platform_radius: p[1],
        arm: p[2],
        forearm: p[3],
        azimuth: g.azimuth.map(T::from_f64),
    };
    let linkage = Linkage::unchecked(geometry).with_working_mode(delta.linkage().working_mode());
    let inertia = Inertia {
        platform: p[4],
        payload: p[5],
        arm: p[6],
        arm_centre: p[7],
        arm_inertia: p[8],
        elbow: p[9],
        forearm: p[10],
        forearm_centre: p[11],
        forearm_inertia: p[12],
        gravity: down.map(T::from_f64) * p[13],
    };
    let motor = Motor { inertia: p[14], viscous: p[15], coulomb: T::from_f64(motor.coulomb) };
    (Delta::unchecked(linkage, inertia, motor).with_forearm(delta.forearm()), numbers[k])
}

/// ds/dp of the pole s with the largest real part, from det(M s² + D s + K) = 0:
///
/// ```text
/// Yᴴ (2 s M + D) X · S′ = −Yᴴ (s² M′ + s D′ + K′) X
/// ```
///
/// X, Y: right and left null vectors, as many as the pole is there; ds/dp the eigenvalue of S′ with the largest
/// real part.
fn pole_slope(
    robot: &AnyRobot,
    platform: &PlatformState,
    delta: &Delta<f64>,
    x: V3<f64>,
    k: usize,
) -> Result<f64, LinearError> {
    use crate::analysis::linear::{Coordinates, Reduced};
    let small = Reduced::within(robot, platform, Coordinates::Platform)?;
    let poles = small.poles()?;
    let Some(pole) = poles.iter().find(|pole| !pole.is_conjugate()).copied() else {
        return Err(LinearError::NotFinite { what: "the poles" });
    };
    let same = |other: &&Pole| other.distance(&pole) <= 1e-6 * pole.natural_frequency();
    let times = poles.iter().filter(same).count().clamp(1, 3);
    let (mass, damping, stiffness) = slopes(delta, x, k);
    let s = Complex::new(pole.re, pole.im);
    let complex = |m: &DMatrix<f64>| m.map(|x| Complex::new(x, 0.0));
    let pencil = complex(&small.mass) * (s * s) + complex(&small.damping) * s + complex(&small.stiffness);
    let svd = pencil.svd(true, true);
    let (Some(u), Some(vt)) = (svd.u, svd.v_t) else { return Err(LinearError::NotFinite { what: "a mode" }) };
    let right = vt.adjoint().columns(3 - times, times).into_owned();
    let left = u.columns(3 - times, times).adjoint();
    let gain = &left * (complex(&small.mass) * (s * 2.0) + complex(&small.damping)) * &right;
    let force = &left * (complex(&mass) * (s * s) + complex(&damping) * s + complex(&stiffness)) * &right;
    let moved = gain
        .lu()
        .solve(&-force)
        .ok_or(LinearError::NotFinite { what: "the slope of a double pole at zero" })?;
    // A robot without damping that stays has its poles on the axis, and they stay there.
    if small.damping.amax() == 0.0 && pole.re == 0.0 {
        return Ok(0.0);
    }
    let rates = moved.schur().unpack().1.diagonal();
    Ok(rates.iter().map(|rate| rate.re).fold(f64::NEG_INFINITY, Real::max))
}

/// M′, D′ and K′ after one parameter, in platform coordinates.
fn slopes(delta: &Delta<f64>, x: V3<f64>, k: usize) -> (DMatrix<f64>, DMatrix<f64>, DMatrix<f64>) {
    let step = Nested::variable(Dual::constant(0.0), 0);
    let (varied, _) = varied::<Nested>(delta, k, step);
    let [a, b, c] = x.to_array();
    let along = |value: f64, j: usize| Nested::constant(Dual::variable(value, j));
    let near = varied.linkage().posture_at(V3::new(along(a, 0), along(b, 1), along(c, 2))).value;
    let here = varied.linkage().posture_at(x.map(Nested::from_f64)).value;
    let hold = varied.gravity_torque(&here);
    let weight = varied.platform_dynamics(&near, V3::zero()).gravity;
    let f = (weight - near.inverse_jacobian().transpose() * hold).to_array();
    let rows = here.inverse_jacobian();
    let rubbing = (rows.transpose() * rows * varied.motor().viscous).to_rows();
    let mass = varied.platform_mass_matrix(&here).to_matrix().to_rows();
    (
        DMatrix::from_fn(3, 3, |i, j| mass[i][j].eps[0].re),
        DMatrix::from_fn(3, 3, |i, j| rubbing[i][j].eps[0].re),
        DMatrix::from_fn(3, 3, |i, j| f[i].eps[0].eps[j]),
    )
}
