//! Identities of the Delta over random states of its workspace.

use super::{CheckSummary, Ledger, Watch, relative_error};
use crate::AnyRobot;
use crate::random::Random;
use legwork_core::robots::delta::constrained::Baumgarte;
use legwork_core::robots::delta::{
    Assembly, Delta, Forearm, Inertia, Linkage, Motion, Motor, Posture, to_constrained_frame,
};
use legwork_core::{Dual, M3, V3};

/// Rounding, times the depth of the formula, times the condition of the postures
/// that are visited (below about 50).
const BAR: f64 = 1e-11;
/// The same for formulas that go through the forward kinematics twice.
const LOOSE: f64 = 1e-10;
/// States are not taken closer to a singularity than this (0 singular, 1 best).
const KEEP_AWAY: f64 = 0.15;

/// Checks a Delta on random states of its workspace.
pub(super) fn check_delta(
    robot: &AnyRobot,
    linkage: &Linkage<f64>,
    states: usize,
    seed: u64,
    watch: Watch<'_>,
) -> CheckSummary {
    let mut ledger = Ledger::default();
    let mut skipped = Vec::new();
    let mut random = Random::new(seed);
    let linkage = *linkage;
    let regular = regular(&linkage);
    if !regular {
        skipped.push(("a third of a turn permutes the legs", "the legs are not 120 deg apart"));
        skipped.push(("Ngoc-Kim multipliers = half-and-half lumping", "the legs are not 120 deg apart"));
    }
    if robot.as_delta().is_none() {
        skipped.push(("all dynamics", "the masses are missing"));
    }
    let mut visited = 0;
    // Random angles of a sound posture are found every few tries; give up on a robot that has none.
    for _ in 0..states.saturating_mul(200) {
        if visited == states || !watch(visited) {
            break;
        }
        let Some(posture) = sound_posture(&linkage, &mut random) else { continue };
        visited += 1;
        let size = linkage.geometry().arm + linkage.geometry().forearm;
        let motion = Motion {
            position: posture.position,
            velocity: V3::from(random.triple(3.0 * size)),
            acceleration: V3::from(random.triple(60.0 * size)),
        };
        kinematics(&mut ledger, &linkage, &posture, &motion, regular);
        if let Some(delta) = robot.as_delta() {
            let force = V3::from(random.triple(20.0));
            dynamics(&mut ledger, delta, &posture, &motion, force);
            formulations(&mut ledger, delta, &posture, &motion, regular);
        }
    }
    CheckSummary { states: visited, seed, findings: ledger.0, skipped }
}

/// Whether the legs are a third of a turn apart, counter-clockwise.
fn regular(linkage: &Linkage<f64>) -> bool {
    let V3 { x, y, z } = linkage.geometry().azimuth;
    let third = |from: f64, to: f64| {
        ((to - from).rem_euclid(std::f64::consts::TAU) - std::f64::consts::TAU / 3.0).abs() < 1e-9
    };
    third(x, y) && third(y, z)
}

/// A random posture below the elbows, elbows out, away from singularities.
fn sound_posture(linkage: &Linkage<f64>, random: &mut Random) -> Option<Posture<f64>> {
    let q = V3::from([0; 3].map(|_| random.uniform(-1.0, 1.6)));
    let posture = linkage.posture_from(q, Assembly::Below).ok()?;
    let sound = posture.transmission().to_array().iter().all(|t| *t < -KEEP_AWAY)
        && posture.forearm_volume().abs() > KEEP_AWAY / 3.0;
    sound.then_some(posture)
}

/// A quantity that moves in time, as a dual number.
fn along(value: V3<f64>, rate: V3<f64>) -> V3<Dual<f64, 1>> {
    value.zip(rate, |re, e| Dual { re, eps: [e] })
}

fn variables(q: V3<f64>) -> V3<Dual<f64, 3>> {
    V3::new(Dual::variable(q.x, 0), Dual::variable(q.y, 1), Dual::variable(q.z, 2))
}

fn flat(m: M3<f64>) -> Vec<f64> {
    m.to_rows().concat()
}

fn kinematics(
    ledger: &mut Ledger,
    linkage: &Linkage<f64>,
    posture: &Posture<f64>,
    m: &Motion<f64>,
    regular: bool,
) {
    let (x, q) = (posture.position, posture.angles());
    let out = linkage.with_working_mode(legwork_core::robots::delta::WorkingMode::OUT);
    let back = out.posture_at(x).value;
    ledger.note(
        "inverse of forward kinematics = identity",
        BAR,
        relative_error(&back.angles().to_array(), &q.to_array()),
    );
    let b = linkage.geometry().forearm;
    if let Ok(all) = linkage.all_inverse_kinematics(x) {
        for (mode, _) in all {
            let closed = linkage.with_working_mode(mode).posture_at(x).value.legs;
            let lengths = closed.map(|leg| leg.s.norm_sq().sqrt()).to_array();
            ledger.note("every working mode closes the loop", BAR, relative_error(&lengths, &[b; 3]));
        }
    }
    for side in [Assembly::Below, Assembly::Above] {
        let lengths = linkage.posture_of(q, side).value.legs.map(|leg| leg.s.norm_sq().sqrt()).to_array();
        ledger.note("both assembly modes close the loop", BAR, relative_error(&lengths, &[b; 3]));
    }

    let dual = linkage.map(Dual::<f64, 3>::constant).posture_of(variables(q), Assembly::Below).value.position;
    let derivative: Vec<f64> = dual.to_array().iter().flat_map(|row| row.eps).collect();
    ledger.note(
        "Jacobian = derivative of forward kinematics",
        BAR,
        relative_error(&flat(posture.jacobian()), &derivative),
    );

    let moving = linkage
        .map(Dual::<f64, 1>::constant)
        .posture_of(along(q, posture.joint_velocity(m.velocity)), Assembly::Below);
    let rate: Vec<f64> = moving.value.jacobian().to_rows().concat().iter().map(|j| j.eps[0]).collect();
    ledger.note(
        "Jacobian rate = its derivative in time",
        LOOSE,
        relative_error(&flat(posture.jacobian_rate(m.velocity)), &rate),
    );
    let qdot = posture.joint_velocity(m.velocity);
    let qddot = posture.joint_acceleration(m.velocity, m.acceleration);
    let again = posture.platform_acceleration(m.velocity, qdot, qddot);
    ledger.note(
        "accelerations there and back",
        BAR,
        relative_error(&again.to_array(), &m.acceleration.to_array()),
    );

    if regular {
        let third = std::f64::consts::TAU / 3.0;
        let turned = out.posture_at(M3::rotation_z(third.cos(), third.sin()) * x).value.angles();
        ledger.note(
            "a third of a turn permutes the legs",
            BAR,
            relative_error(&turned.to_array(), &[q.z, q.x, q.y]),
        );
    }
}

fn dynamics(
    ledger: &mut Ledger,
    delta: &Delta<f64>,
    posture: &Posture<f64>,
    m: &Motion<f64>,
    force: V3<f64>,
) {
    let v = m.velocity;
    let effort = delta.torque(posture, v, m.acceleration, force);
    let mass = delta.mass_matrix(posture);
    let j = posture.jacobian();

    let parts = mass * effort.qddot + delta.coriolis_torque(posture, v) + delta.gravity_torque(posture)
        - j.transpose() * force;
    ledger.note(
        "torque = inertia + Coriolis + gravity - Jt f",
        BAR,
        relative_error(&parts.to_array(), &effort.torque.to_array()),
    );

    let back = delta.acceleration(posture, v, effort.torque, force).value;
    ledger.note(
        "forward of inverse dynamics = identity",
        BAR,
        relative_error(&back.platform.to_array(), &m.acceleration.to_array()),
    );

    // power: d/dt (T + V) = τ·q̇ + f·ẋ
    let dual = delta.map(Dual::<f64, 1>::constant);
    let moving = dual.linkage().posture_of(along(posture.angles(), effort.qdot), Assembly::Below).value;
    let energy = dual.kinetic_energy(&moving, along(v, m.acceleration)) + dual.potential_energy(&moving);
    let terms = [effort.torque.scale(effort.qdot), force.scale(v)];
    let power: f64 = terms.iter().map(|t| t.sum()).sum();
    let scale: f64 = terms.iter().map(|t| t.map(f64::abs).sum()).sum();
    ledger.note("power balances", BAR, (energy.eps[0] - power).abs() / scale);

    let kinetic = 0.5 * effort.qdot.dot(mass * effort.qdot);
    ledger.note(
        "kinetic energy = half qd A qd",
        BAR,
        relative_error(&[kinetic], &[delta.kinetic_energy(posture, v)]),
    );

    // q̇ᵀ(Ȧ − 2C)q̇ = 0, as ½ q̇ᵀȦq̇ = q̇·V
    let rate = dual.mass_matrix(&moving).to_matrix().0.map(|row| row.map(|entry| entry.eps[0]));
    let half = 0.5 * effort.qdot.dot(M3(rate) * effort.qdot);
    let coriolis = delta.coriolis_torque(posture, v).scale(effort.qdot);
    ledger.note(
        "Coriolis does the work of the changing mass",
        LOOSE,
        (half - coriolis.sum()).abs() / coriolis.map(f64::abs).sum(),
    );

    let slope = delta.map(Dual::<f64, 3>::constant);
    let gradient = slope
        .potential_energy(&slope.linkage().posture_of(variables(posture.angles()), Assembly::Below).value);
    let gravity = delta.gravity_torque(posture);
    ledger.note(
        "gravity torque = slope of the potential",
        BAR,
        relative_error(&gravity.to_array(), &gradient.eps),
    );

    let pivot = mass.solve(V3::splat(1.0)).margin;
    ledger.note("mass matrix positive definite", 0.0, if pivot > 0.0 { 0.0 } else { f64::INFINITY });
    let platform = delta.platform_mass_matrix(posture).to_matrix();
    ledger.note(
        "platform mass matrix: Jt M J = A",
        BAR,
        relative_error(&flat(j.transpose() * platform * j), &flat(mass.to_matrix())),
    );

    let g = delta.linkage().geometry();
    let bare = Inertia::thin_rods(g, 1.0, 0.0, 0.0, delta.inertia().gravity);
    let massless = Delta::unchecked(*delta.linkage(), bare, Motor::ideal());
    let lift = posture.inverse_jacobian().transpose() * massless.gravity_torque(posture);
    ledger.note(
        "massless legs carry just the platform",
        BAR,
        relative_error(&lift.to_array(), &[0.0, 0.0, delta.inertia().gravity]),
    );
}

/// The same torque by other people's equations.
fn formulations(
    ledger: &mut Ledger,
    delta: &Delta<f64>,
    posture: &Posture<f64>,
    m: &Motion<f64>,
    regular: bool,
) {
    let exact = delta.with_forearm(Forearm::Exact);
    let effort = exact.torque(posture, m.velocity, m.acceleration, V3::zero());
    let torque = effort.torque.to_array();

    let lagrange = exact.lagrange_torque(posture.angles(), effort.qdot, effort.qddot, Assembly::Below);
    ledger.note(
        "virtual work = Lagrange by dual numbers",
        LOOSE,
        relative_error(&lagrange.to_array(), &torque),
    );

    let constrained = exact.to_constrained();
    let angles = constrained.inverse_kinematics(to_constrained_frame(posture.position)).value;
    let v = constrained.velocities_from_motors(angles, effort.qdot).value;
    let vdot = constrained.accelerations_from_motors(angles, v, effort.qddot).value;
    let with_damping = effort.torque + effort.qdot * exact.motor().viscous;
    let drive = constrained.inverse_dynamics(angles, v, vdot).value.torque;
    ledger.note(
        "virtual work = constraint form (Bortoff)",
        LOOSE,
        relative_error(&drive.to_array(), &with_damping.to_array()),
    );
    let response = constrained.accelerations(angles, v, with_damping, Baumgarte::none()).value;
    let joint = response.accelerations.map(|arm| arm.x).to_array();
    ledger.note(
        "multiplier solve gives the accelerations back",
        LOOSE,
        relative_error(&joint, &effort.qddot.to_array()),
    );

    if regular {
        // Their legs stand at 0°, 120°, 240°: turn the motion there.
        let first = exact.linkage().geometry().azimuth.x;
        let turn = M3::rotation_z(first.cos(), -first.sin());
        let theirs = exact
            .to_ngoc_kim()
            .inverse_dynamics(turn * m.position, turn * m.velocity, turn * m.acceleration)
            .value;
        let halves =
            exact.with_forearm(Forearm::HALVES).torque(posture, m.velocity, m.acceleration, V3::zero());
        ledger.note(
            "Ngoc-Kim multipliers = half-and-half lumping",
            LOOSE,
            relative_error(&(-theirs.torque).to_array(), &halves.torque.to_array()),
        );
    }
}
