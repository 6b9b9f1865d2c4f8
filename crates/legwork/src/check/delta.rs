//! Identities of the Delta over random states of its workspace.

use super::ledger::{Ledger, within_half_a_turn};
use super::scales::{Scales, largest};
use super::states::{NEAR_PARALLEL, Unjudged, visit};
use super::{Checked, Watch};
use crate::random::Random;
use crate::{AnyRobot, PlatformState, RobotError};
use legwork_core::robots::delta::constrained::Baumgarte;
use legwork_core::robots::delta::{
    Assembly, Delta, Forearm, Inertia, Linkage, Motion, Motor, Posture, WorkingMode, to_constrained_frame,
};
use legwork_core::{Dual, M3, V3};

/// Rounding, times the depth of the formula, times the condition of the postures
/// that are visited (below about 50).
const BAR: f64 = 1e-11;
/// The same for formulas that go through the forward kinematics twice.
const LOOSE: f64 = 1e-10;
/// States are not taken closer to a singularity than this (0 singular, 1 best).
const KEEP_AWAY: f64 = 0.15;

const PERMUTES: &str = "a third of a turn permutes the legs";
const NGOC_KIM: &str = "Ngoc-Kim multipliers = half-and-half lumping";
const MODES: &str = "every working mode closes the loop";
const INVERSE: &str = "inverse of forward kinematics = identity";
const CHAIN_EFFORTS: &str = "virtual work = plain chains of joints";
const CHAIN_MASSES: &str = "mass matrix = that of plain chains";

/// Checks a Delta on random states of its workspace.
pub(super) fn check_delta(
    robot: &AnyRobot,
    linkage: &Linkage<f64>,
    states: usize,
    seed: u64,
    watch: Watch<'_>,
    mut ledger: Ledger,
) -> Checked {
    let mut skipped = Vec::new();
    let mut random = Random::new(seed);
    let linkage = *linkage;
    let regular = regular(&linkage);
    if !regular {
        skipped.push((PERMUTES, "the legs are not 120 deg apart"));
        skipped.push((NGOC_KIM, "the legs are not 120 deg apart"));
    }
    if robot.as_delta().is_none() {
        skipped.push(("all dynamics", "the masses are missing"));
    }
    let scales = Scales::of(robot);
    let chains = robot.as_chains();
    let home = home_angles(robot, &linkage);
    let draw = |spread: f64| -> Result<_, Unjudged> {
        let posture = sound_posture(&linkage, home, &mut random, spread)?;
        let motion = Motion {
            position: posture.position,
            velocity: V3::from(random.triple(scales.speed())),
            acceleration: V3::from(random.triple(3.0 * scales.acceleration())),
        };
        let mass = robot
            .as_delta()
            .map_or(0.0, |delta| largest(&flat(delta.platform_mass_matrix(&posture).to_matrix())));
        Ok((posture, motion, V3::from(random.triple(mass * scales.acceleration()))))
    };
    let tally = visit(states, watch, draw, |(posture, motion, force)| {
        kinematics(&mut ledger, &linkage, &posture, &motion, regular);
        if let Some(delta) = robot.as_delta() {
            dynamics(&mut ledger, delta, &posture, &motion, force);
            formulations(&mut ledger, delta, &posture, &motion, regular);
            plain_chains(&mut ledger, delta, &chains, &posture, &motion);
        }
    });
    (tally, ledger, skipped)
}

/// The motors where the platform rests, in our own frame; level arms if there is no such place.
fn home_angles(robot: &AnyRobot, linkage: &Linkage<f64>) -> V3<f64> {
    let place = robot.delta_parts().map(|(.., frame)| frame.position_from_user(robot.home().position));
    let out = linkage.with_working_mode(WorkingMode::OUT);
    place.and_then(|place| out.inverse_kinematics(place.into()).ok()).unwrap_or(V3::zero())
}

/// Whether the legs are a third of a turn apart, counter-clockwise.
fn regular(linkage: &Linkage<f64>) -> bool {
    let V3 { x, y, z } = linkage.geometry().azimuth;
    let third = |from: f64, to: f64| {
        ((to - from).rem_euclid(std::f64::consts::TAU) - std::f64::consts::TAU / 3.0).abs() < 1e-9
    };
    third(x, y) && third(y, z)
}

/// A random posture below the elbows, elbows out, away from singularities: up to a part of the usual distance from
/// home.
fn sound_posture(
    linkage: &Linkage<f64>,
    home: V3<f64>,
    random: &mut Random,
    spread: f64,
) -> Result<Posture<f64>, Unjudged> {
    let q = home.map(|home| home + spread * (random.uniform(-1.0, 1.6) - home));
    let posture = linkage.posture_from(q, Assembly::Below).map_err(|_| Unjudged::refused("out of reach"))?;
    if !posture.transmission().to_array().iter().all(|t| *t < -KEEP_AWAY) {
        return Err(Unjudged::refused("a leg is nearly stretched or folded, or its elbow is in"));
    }
    let is_spatial = posture.forearm_volume().abs() > KEEP_AWAY / 3.0;
    if !is_spatial {
        return Err(Unjudged::refused(NEAR_PARALLEL));
    }
    Ok(posture)
}

/// Differences of angles, modulo a turn.
fn apart(a: V3<f64>, b: V3<f64>) -> [f64; 3] {
    (a - b).map(within_half_a_turn).to_array()
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
    let out = linkage.with_working_mode(WorkingMode::OUT);
    let back = out.posture_at(x).value;
    ledger.compare(INVERSE, BAR, &apart(back.angles(), q), &[0.0; 3], 1.0);
    let b = linkage.geometry().forearm;
    if let Some(all) = ledger.solved(MODES, linkage.all_inverse_kinematics(x)) {
        for (mode, _) in all {
            let closed = linkage.with_working_mode(mode).posture_at(x).value.legs;
            let lengths = closed.map(|leg| leg.s.norm_sq().sqrt()).to_array();
            ledger.compare(MODES, BAR, &lengths, &[b; 3], 0.0);
        }
    }
    for side in [Assembly::Below, Assembly::Above] {
        let lengths = linkage.posture_of(q, side).value.legs.map(|leg| leg.s.norm_sq().sqrt()).to_array();
        ledger.compare("both assembly modes close the loop", BAR, &lengths, &[b; 3], 0.0);
    }

    let dual = linkage.map(Dual::<f64, 3>::constant).posture_of(variables(q), Assembly::Below).value.position;
    let derivative: Vec<f64> = dual.to_array().iter().flat_map(|row| row.eps).collect();
    ledger.compare(
        "Jacobian = derivative of forward kinematics",
        BAR,
        &flat(posture.jacobian()),
        &derivative,
        0.0,
    );

    let moving = linkage
        .map(Dual::<f64, 1>::constant)
        .posture_of(along(q, posture.joint_velocity(m.velocity)), Assembly::Below);
    let rate: Vec<f64> = moving.value.jacobian().to_rows().concat().iter().map(|j| j.eps[0]).collect();
    ledger.compare(
        "Jacobian rate = its derivative in time",
        LOOSE,
        &flat(posture.jacobian_rate(m.velocity)),
        &rate,
        0.0,
    );
    let qdot = posture.joint_velocity(m.velocity);
    let qddot = posture.joint_acceleration(m.velocity, m.acceleration);
    let again = posture.platform_acceleration(m.velocity, qdot, qddot);
    ledger.compare("accelerations there and back", BAR, &again.to_array(), &m.acceleration.to_array(), 0.0);

    if regular {
        let third = std::f64::consts::TAU / 3.0;
        let turned = out.posture_at(M3::rotation_z(third.cos(), third.sin()) * x).value.angles();
        ledger.compare(PERMUTES, BAR, &apart(turned, V3::new(q.z, q.x, q.y)), &[0.0; 3], 1.0);
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
    ledger.compare(
        "torque = inertia + Coriolis + gravity - Jt f",
        BAR,
        &parts.to_array(),
        &effort.torque.to_array(),
        0.0,
    );

    let back = delta.acceleration(posture, v, effort.torque, force).value;
    ledger.compare(
        "forward of inverse dynamics = identity",
        BAR,
        &back.platform.to_array(),
        &m.acceleration.to_array(),
        0.0,
    );

    // power: d/dt (T + V) = τ·q̇ + f·ẋ
    let dual = delta.map(Dual::<f64, 1>::constant);
    let moving = dual.linkage().posture_of(along(posture.angles(), effort.qdot), Assembly::Below).value;
    let energy = dual.kinetic_energy(&moving, along(v, m.acceleration)) + dual.potential_energy(&moving);
    let terms = [effort.torque.scale(effort.qdot), force.scale(v)];
    let power: f64 = terms.iter().map(|t| t.sum()).sum();
    let scale: f64 = terms.iter().map(|t| t.map(f64::abs).sum()).sum();
    ledger.compare("power balances", BAR, &[energy.eps[0]], &[power], scale);

    let kinetic = 0.5 * effort.qdot.dot(mass * effort.qdot);
    ledger.compare(
        "kinetic energy = half qd A qd",
        BAR,
        &[kinetic],
        &[delta.kinetic_energy(posture, v)],
        0.0,
    );

    // q̇ᵀ(Ȧ − 2C)q̇ = 0, as ½ q̇ᵀȦq̇ = q̇·V
    let rate = dual.mass_matrix(&moving).to_matrix().0.map(|row| row.map(|entry| entry.eps[0]));
    let half = 0.5 * effort.qdot.dot(M3(rate) * effort.qdot);
    let coriolis = delta.coriolis_torque(posture, v).scale(effort.qdot);
    // Beside heavy rotors little of it is left: rounding is that of the whole mass, turning as fast as the joints.
    let whole = kinetic * largest(&effort.qdot.to_array());
    let scale = largest(&[coriolis.map(f64::abs).sum(), whole]);
    ledger.compare("Coriolis does the work of the changing mass", LOOSE, &[half], &[coriolis.sum()], scale);

    let slope = delta.map(Dual::<f64, 3>::constant);
    let gradient = slope
        .potential_energy(&slope.linkage().posture_of(variables(posture.angles()), Assembly::Below).value);
    let gravity = delta.gravity_torque(posture);
    ledger.compare("gravity torque = slope of the potential", BAR, &gravity.to_array(), &gradient.eps, 0.0);

    let pivot = mass.solve(V3::splat(1.0)).margin;
    ledger.require("mass matrix positive definite", pivot > 0.0);
    let platform = delta.platform_mass_matrix(posture).to_matrix();
    ledger.compare(
        "platform mass matrix: Jt M J = A",
        BAR,
        &flat(j.transpose() * platform * j),
        &flat(mass.to_matrix()),
        0.0,
    );

    let g = delta.linkage().geometry();
    let gravity = delta.inertia().gravity;
    let bare = Inertia { gravity, ..Inertia::thin_rods(g, 1.0, 0.0, 0.0, 0.0) };
    let massless = Delta::unchecked(*delta.linkage(), bare, Motor::ideal());
    let lift = posture.inverse_jacobian().transpose() * massless.gravity_torque(posture);
    ledger.compare(
        "massless legs carry just the platform",
        BAR,
        &lift.to_array(),
        &(-gravity).to_array(),
        0.0,
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
    ledger.compare("virtual work = Lagrange by dual numbers", LOOSE, &lagrange.to_array(), &torque, 0.0);

    let constrained = exact.to_constrained();
    let angles = constrained.inverse_kinematics(to_constrained_frame(posture.position)).value;
    let v = constrained.velocities_from_motors(angles, effort.qdot).value;
    let vdot = constrained.accelerations_from_motors(angles, v, effort.qddot).value;
    let damping = effort.qdot * exact.motor().viscous;
    let with_damping = effort.torque + damping;
    let drive = constrained.inverse_dynamics(angles, v, vdot).value.torque;
    ledger.compare(
        "virtual work = constraint form (Bortoff)",
        LOOSE,
        &drive.to_array(),
        &with_damping.to_array(),
        0.0,
    );
    let response = constrained.accelerations(angles, v, with_damping, Baumgarte::none()).value;
    let joint = response.accelerations.map(|arm| arm.x).to_array();
    // What damping alone, rounded with the rest of the torque, does to the joints.
    let damped = exact.mass_matrix(posture).solve(damping).value.to_array();
    ledger.compare(
        "multiplier solve gives the accelerations back",
        LOOSE,
        &joint,
        &effort.qddot.to_array(),
        largest(&damped),
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
        ledger.compare(NGOC_KIM, LOOSE, &(-theirs.torque).to_array(), &halves.torque.to_array(), 0.0);
    }
}

/// The same torque and mass by chains of joints, found by Newton's method.
fn plain_chains(
    ledger: &mut Ledger,
    delta: &Delta<f64>,
    chains: &Result<AnyRobot, RobotError>,
    posture: &Posture<f64>,
    m: &Motion<f64>,
) {
    let platform = PlatformState::at(posture.position.to_array())
        .moving(m.velocity.to_array(), m.acceleration.to_array());
    let chained = chains.as_ref().map_err(Clone::clone);
    let found = chained.and_then(|chains| chains.led_to(&platform)?.state(&platform));
    let Some(state) = ledger.solved(CHAIN_EFFORTS, found) else { return };
    let Some(plain) = &state.dynamics else {
        return ledger.fail(CHAIN_EFFORTS, "the chains have no masses");
    };
    let exact = delta.with_forearm(Forearm::Exact);
    let torque = exact.torque(posture, m.velocity, m.acceleration, V3::zero()).torque.to_array();
    // The chains find the torque with friction, and take it away again.
    ledger.compare(CHAIN_EFFORTS, LOOSE, &torque, &plain.effort, largest(&plain.friction));
    let mass = flat(exact.mass_matrix(posture).to_matrix());
    ledger.compare(CHAIN_MASSES, LOOSE, &mass, &plain.mass_matrix.concat(), 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckSummary, check_with};

    /// Every identity fails if its numbers are off by little more than its bar, or are none.
    #[test]
    fn every_identity_can_fail() {
        let robot = AnyRobot::open("delta-ngoc-kim").unwrap();
        let found = |plant| -> CheckSummary {
            check_with(&robot, 2, 7, &mut |_| true, Ledger { plant, ..Ledger::default() })
        };
        let sound = found(None);
        assert!(sound.holds(), "{sound:?}");
        assert_eq!(sound.findings.len(), 22);
        for finding in &sound.findings {
            for error in [3.0 * finding.bar, f64::NAN] {
                let spoilt = found(Some((finding.name, error)));
                let wrong: Vec<_> = spoilt.findings.iter().filter(|f| !f.holds()).map(|f| f.name).collect();
                assert_eq!(wrong, [finding.name], "{error}");
                assert!(!spoilt.holds());
            }
        }
    }

    /// A platform of less than no mass, which no file may have, keeps every identity but one.
    #[test]
    fn a_mass_matrix_that_is_not_positive_definite_is_found() {
        let robot = AnyRobot::open("delta-ngoc-kim").unwrap();
        let sound = *robot.as_delta().unwrap();
        let posture = sound.linkage().posture_of(V3::splat(0.3), Assembly::Below).value;
        let motion = Motion {
            position: posture.position,
            velocity: V3::new(0.3, 0.2, 0.1),
            acceleration: V3::new(1.0, 2.0, 3.0),
        };
        for (platform, wrong) in
            [(sound.inertia().platform, [].as_slice()), (-30.0, &["mass matrix positive definite"])]
        {
            let delta =
                Delta::unchecked(*sound.linkage(), Inertia { platform, ..*sound.inertia() }, *sound.motor());
            let mut ledger = Ledger::default();
            dynamics(&mut ledger, &delta, &posture, &motion, V3::zero());
            let found: Vec<_> =
                ledger.into_findings().into_iter().filter(|f| !f.holds()).map(|f| f.name).collect();
            assert_eq!(found, wrong);
        }
    }

    /// What becomes of postures that are drawn: those that are judged, and why others are refused.
    fn drawn(linkage: &Linkage<f64>, home: V3<f64>, spread: f64) -> (Vec<Posture<f64>>, Vec<String>) {
        let mut random = Random::new(7);
        let (mut postures, mut reasons) = (Vec::new(), Vec::new());
        for _ in 0..2000 {
            match sound_posture(linkage, home, &mut random, spread) {
                Ok(posture) => postures.push(posture),
                Err(Unjudged::Refused(reason)) => reasons.push(reason),
                Err(Unjudged::Failed(reason)) => panic!("{reason}"),
            }
        }
        reasons.sort();
        reasons.dedup();
        (postures, reasons)
    }

    /// Angles are drawn between -1 and 1.6 rad, or a part of the way there from home. No leg is nearer to being
    /// stretched or folded than said.
    #[test]
    fn postures_are_drawn_around_home() {
        let linkage = *AnyRobot::open("linuxcnc-rotary-delta").unwrap().linkage().unwrap();
        let home = V3::splat(0.4);
        for spread in [1.0, 1.0 / 64.0] {
            let (postures, reasons) = drawn(&linkage, home, spread);
            let angles: Vec<f64> =
                postures.iter().flat_map(|posture| (posture.angles() - home).to_array()).collect();
            let (up, down): (Vec<f64>, Vec<f64>) = angles.iter().partition(|angle| **angle < 0.0);
            assert!(largest(&up) < 1.4 * spread && largest(&up) > 1.2 * spread, "{}", largest(&up));
            assert!(largest(&down) < 1.2 * spread && largest(&down) > 1.1 * spread, "{}", largest(&down));
            if spread < 1.0 {
                continue;
            }
            assert_eq!(reasons, ["a leg is nearly stretched or folded, or its elbow is in"]);
            let transmissions = postures.iter().flat_map(|posture| posture.transmission().to_array());
            let nearest = largest(&transmissions.map(f64::recip).collect::<Vec<_>>()).recip();
            assert!(nearest > KEEP_AWAY && nearest < KEEP_AWAY + 0.01, "{nearest}");
        }
    }

    /// Forearms that are nearly level, and some that do not meet: no posture is flatter than said.
    #[test]
    fn flat_postures_are_refused() {
        let flat = "family = \"delta\"\n[geometry]\nbase_radius = 0.15\nplatform_radius = 0.02\narm = 0.1\n\
                    forearm = 0.21\n[home]\nposition = [0, 0, -0.22]\n";
        let description = crate::description::RobotDescription::parse(flat, "flat.toml").unwrap();
        let linkage = *AnyRobot::new(description).unwrap().linkage().unwrap();
        let (postures, reasons) = drawn(&linkage, V3::splat(0.645), 1.0 / 64.0);
        assert_eq!(reasons, [NEAR_PARALLEL, "out of reach"]);
        let flattest =
            largest(&postures.iter().map(|p| p.forearm_volume().recip()).collect::<Vec<_>>()).recip();
        assert!(flattest > KEEP_AWAY / 3.0 && flattest < KEEP_AWAY / 2.5, "{flattest}");
    }
}
