//! Five formulations of the same torque: virtual work, Lagrange by dual numbers, the
//! constraint form reduced to the motors, the constraint form solved for the
//! accelerations, and golden data (`delta_golden.rs`); and Ngoc–Kim against the
//! half-and-half lumping.

use legwork_core::robots::catalog;
use legwork_core::robots::delta::constrained::{Baumgarte, Settings};
use legwork_core::robots::delta::{
    Assembly, Delta, Forearm, Geometry, Inertia, Linkage, Motion, Motor, to_constrained_frame,
};
use legwork_core::{M3, V3};
use legwork_testkit::{Seeded, nan_max, relative_error};

const SEED: u64 = 0x0f_1fe;
const STATES: usize = 300;

/// Robots with arms of any centre of mass and rods of any inertia, beside the catalogue.
fn robots(rng: &mut Seeded) -> Vec<Delta<f64>> {
    let mut all = vec![
        catalog::delta_direct_drive(),
        catalog::delta_industrial(),
        catalog::delta_ngoc_kim(),
        catalog::survey_delta(),
        catalog::delta_bortoff_b(),
    ];
    for _ in 0..10 {
        let mut u = |low: f64, high: f64| rng.uniform(low, high);
        let (arm, forearm) = (u(0.3, 0.4), u(0.75, 0.9));
        let geometry = Geometry {
            base_radius: u(0.1, 0.25),
            platform_radius: u(0.03, 0.06),
            arm,
            forearm,
            azimuth: Geometry::regular_azimuth(),
        };
        let inertia = Inertia {
            platform: u(0.1, 2.0),
            payload: u(0.0, 2.0),
            arm: u(0.1, 2.0),
            arm_centre: u(0.1, 0.9) * arm,
            arm_inertia: u(0.001, 0.02),
            elbow: u(0.0, 0.5),
            forearm: u(0.05, 1.0),
            forearm_centre: u(0.1, 0.9) * forearm,
            forearm_inertia: u(0.001, 0.1),
            gravity: V3::new(u(-7.0, 7.0), u(-7.0, 7.0), u(-7.0, 7.0)), // mounted anyhow
        };
        let motor = Motor { inertia: u(0.0, 0.05), ..Motor::ideal() };
        all.push(Delta::new(Linkage::new(geometry).unwrap(), inertia, motor).unwrap());
    }
    all
}

/// A motion through a posture well inside the workspace.
fn motion(delta: &Delta<f64>, rng: &mut Seeded) -> Motion<f64> {
    for _ in 0..10_000 {
        let q = V3::from([0; 3].map(|_| rng.uniform(-0.5, 1.0)));
        if let Ok(p) = delta.linkage().posture_from(q, Assembly::Below) {
            let inside =
                p.transmission().to_array().iter().all(|t| *t < -0.3) && p.forearm_volume().abs() > 0.1;
            if inside {
                return Motion {
                    position: p.position,
                    velocity: rng.triple(2.0).into(),
                    acceleration: rng.triple(50.0).into(),
                };
            }
        }
    }
    panic!("no posture of ten thousand is well inside the workspace")
}

#[test]
fn five_formulations_give_the_same_torque() {
    let mut rng = Seeded::new(SEED);
    let (mut lagrange, mut reduced, mut solved, mut newton) = (0.0, 0.0, 0.0, 0.0);
    for delta in robots(&mut rng) {
        let constrained = delta.to_constrained();
        for _ in 0..STATES / 15 {
            let m = motion(&delta, &mut rng);
            let effort = delta.inverse_dynamics(&m, V3::zero()).unwrap();
            let torque = effort.torque.to_array();
            let q = delta.linkage().inverse_kinematics(m.position).unwrap();

            let road = delta.lagrange_torque(q, effort.qdot, effort.qddot, Assembly::Below);
            lagrange = nan_max(lagrange, relative_error(&road.to_array(), &torque));

            let angles = constrained.inverse_kinematics(to_constrained_frame(m.position)).value;
            let v = constrained.velocities_from_motors(angles, effort.qdot).value;
            let vdot = constrained.accelerations_from_motors(angles, v, effort.qddot).value;
            let drive = constrained.inverse_dynamics(angles, v, vdot).value;
            // the constraint form carries the viscous friction of the motors inside
            let at_motor = effort.torque + delta.friction(effort.qdot);
            reduced = nan_max(reduced, relative_error(&drive.torque.to_array(), &at_motor.to_array()));

            let response = constrained.accelerations(angles, v, at_motor, Baumgarte::none()).value;
            let joint = response.accelerations.map(|arm| arm.x).to_array();
            solved = nan_max(solved, relative_error(&joint, &effort.qddot.to_array()));

            // Newton on the nine angles from a start that is off finds the closed form's posture.
            let start = angles.map(|arm| V3::new(arm.x, arm.y + 0.05, arm.z - 0.05));
            let found = constrained.newton_forward_kinematics(q, start, Settings::default()).unwrap();
            let back = to_constrained_frame(constrained.platform(found.value));
            newton = nan_max(newton, relative_error(&back.to_array(), &m.position.to_array()));
        }
    }
    println!("Lagrange {lagrange:.1e}, reduction {reduced:.1e}, KKT {solved:.1e}, Newton {newton:.1e}");
    // 1e-11: rounding, amplified by the condition of the postures allowed above (up to about 30).
    assert!(lagrange < 1e-11 && reduced < 1e-11 && solved < 1e-11 && newton < 1e-11);
}

/// The constraint form of every model of the forearms needs the torque of that model.
#[test]
fn the_constraint_form_takes_the_forearms_as_they_are_modelled() {
    let mut rng = Seeded::new(SEED + 4);
    let mut worst = 0.0;
    for delta in robots(&mut rng) {
        for model in [Forearm::Exact, Forearm::SIMPLIFIED, Forearm::SIMPLIFIED_1996, Forearm::HALVES] {
            let delta = delta.with_forearm(model);
            let constrained = delta.to_constrained_as_modelled();
            for _ in 0..5 {
                let m = motion(&delta, &mut rng);
                let effort = delta.inverse_dynamics(&m, V3::zero()).unwrap();
                let angles = constrained.inverse_kinematics(to_constrained_frame(m.position)).value;
                let v = constrained.velocities_from_motors(angles, effort.qdot).value;
                let vdot = constrained.accelerations_from_motors(angles, v, effort.qddot).value;
                let drive = constrained.inverse_dynamics(angles, v, vdot).value;
                let at_motor = effort.torque + delta.friction(effort.qdot);
                worst = nan_max(worst, relative_error(&drive.torque.to_array(), &at_motor.to_array()));
            }
        }
    }
    assert!(worst < 1e-11, "{worst:e}"); // rounding, as above
}

#[test]
fn ngoc_kim_is_the_half_and_half_lumping() {
    let mut rng = Seeded::new(SEED + 1);
    let (mut torque, mut force) = (0.0, 0.0);
    for delta in robots(&mut rng) {
        let lumped = delta.with_forearm(Forearm::HALVES);
        for _ in 0..STATES / 15 {
            let m = motion(&delta, &mut rng);
            let effort = lumped.inverse_dynamics(&m, V3::zero()).unwrap();
            let theirs = delta.to_ngoc_kim().inverse_dynamics(m.position, m.velocity, m.acceleration).value;
            // θ = −q there, so the torque changes its sign
            torque = nan_max(torque, relative_error(&(-theirs.torque).to_array(), &effort.torque.to_array()));
            let posture = lumped.linkage().posture(m.position).unwrap();
            let ours = posture.legs.zip(effort.multiplier, |leg, y| leg.s * y);
            for (f, g) in theirs.rod_forces.to_array().iter().zip(ours.to_array()) {
                force = nan_max(force, relative_error(&f.to_array(), &g.to_array()));
            }
        }
    }
    println!("torque {torque:.1e}, rod force {force:.1e}");
    assert!(torque < 1e-11 && force < 1e-11); // rounding, as above
}

/// The constraint form takes legs in any direction: a turned robot needs the same torque.
#[test]
fn any_azimuth_survives_the_change_of_formulation() {
    let mut rng = Seeded::new(SEED + 2);
    let plain = catalog::delta_industrial();
    let azimuth = V3::new(0.3, 2.5, 4.2);
    let linkage = Linkage::new(Geometry { azimuth, ..*plain.linkage().geometry() }).unwrap();
    let delta = Delta::new(linkage, *plain.inertia(), *plain.motor()).unwrap();
    let delta = delta.with_gravity(V3::new(5.0, -7.0, 3.0));
    let constrained = delta.to_constrained();
    for _ in 0..100 {
        let m = motion(&delta, &mut rng);
        let effort = delta.inverse_dynamics(&m, V3::zero()).unwrap();
        let angles = constrained.inverse_kinematics(to_constrained_frame(m.position)).value;
        let v = constrained.velocities_from_motors(angles, effort.qdot).value;
        let vdot = constrained.accelerations_from_motors(angles, v, effort.qddot).value;
        let drive = constrained.inverse_dynamics(angles, v, vdot).value;
        assert!(relative_error(&drive.torque.to_array(), &effort.torque.to_array()) < 1e-11);
    }
    // the frame change is half a turn about the line x = y, not a mirror
    let map = M3(V3::new(V3::new(1.0, 0.0, 0.0), V3::new(0.0, 1.0, 0.0), V3::new(0.0, 0.0, 1.0))
        .map(to_constrained_frame));
    assert_eq!(map.det(), 1.0);
}
