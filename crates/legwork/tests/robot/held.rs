//! Cells whose motors move in more ways than their platform: a Delta on a hexapod, with nine motors, and two robots side
//! by side. What the platform does not tell is held, or given with the motors.

use super::mechanisms::parsed;
use legwork::check::check_robot;
use legwork::description::RobotDescription;
use legwork::sim::{Efforts, FormulationKind, Integrator, Simulation};
use legwork::task::RobotRequest;
use legwork::{AnyRobot, PlatformState};
use legwork_testkit::{gap, nan_max};
use std::collections::BTreeMap;

/// A Delta that hangs below the plate of a hexapod; what is asked of it follows.
const CELL: &str = "
[[robot]]
name = 'table'
robot = 'gough-stewart'
payload = 0
[[robot]]
name = 'delta'
robot = 'delta-industrial'
on = 'table.platform'
position = [0.1, 0.05, -0.2]
payload = 0
";

fn cell(asked: &str) -> AnyRobot {
    parsed(&format!("name = 'cell'\nfamily = 'mechanism'\n{asked}\n{CELL}")).unwrap()
}

fn all_moving(robot: &AnyRobot, seed: f64) -> [Vec<f64>; 3] {
    let q = robot.inverse_kinematics(&robot.home()).unwrap().q;
    let wave = |k: usize, by: f64| (seed + by + 1.9 * k as f64).sin();
    let q: Vec<f64> = q.iter().enumerate().map(|(k, q)| q + 0.03 * wave(k, 0.0)).collect();
    let list = |by: f64, size: f64| (0..q.len()).map(|k| size * wave(k, by)).collect::<Vec<f64>>();
    [q.clone(), list(0.4, 0.7), list(1.1, 5.0)]
}

/// The state in which all motors are and move so.
fn state_of(robot: &AnyRobot, [q, qd, qdd]: &[Vec<f64>; 3]) -> legwork::State {
    let platform = robot.platform_from_joints(q, qd, qdd, &robot.home()).unwrap();
    robot.holding(q, qd, qdd).unwrap().state(&platform).unwrap()
}

/// Which body is called the platform does not matter to the motors: efforts, mass matrix and energies of one motion of all
/// nine are the same by the Delta's platform with its motors held, with those of the hexapod held, and by the hexapod's.
#[test]
fn efforts_do_not_depend_on_what_is_called_the_platform() {
    let ways = [
        "platform = 'delta.platform'",
        "platform = 'delta.platform'\nheld = ['table']",
        "platform = 'table.platform'",
        "platform = 'table.platform'\nheld = ['delta.leg3_joint1', 'delta.leg1_joint1', 'delta.leg2_joint1']",
    ];
    let robots = ways.map(cell);
    let counts = robots.each_ref().map(|robot| (robot.freedoms().len(), robot.held_motors().to_vec()));
    assert_eq!(counts[0], (6, vec![6, 7, 8]));
    assert_eq!(counts[1], (3, vec![0, 1, 2, 3, 4, 5]));
    assert_eq!(counts[2], (6, vec![6, 7, 8]));
    assert_eq!(counts[3], (6, vec![6, 7, 8]));
    let mut worst: f64 = 0.0;
    for seed in [0.0, 1.0, 2.5] {
        let motion = all_moving(&robots[0], seed);
        let states = robots.each_ref().map(|robot| state_of(robot, &motion));
        let dynamics = states.each_ref().map(|state| state.dynamics.as_ref().unwrap());
        for (state, d) in states.iter().zip(dynamics) {
            for (found, given) in [&state.q, &state.qd, &state.qdd].into_iter().zip(&motion) {
                worst = nan_max(worst, gap(found, given));
            }
            worst = nan_max(worst, gap(&d.motor, &dynamics[0].motor) / 100.0);
            worst = nan_max(worst, gap(d.mass_matrix.concat(), dynamics[0].mass_matrix.concat()) / 10.0);
            worst = nan_max(worst, gap([d.kinetic_energy], [dynamics[0].kinetic_energy]));
        }
        // Efforts as found accelerate all nine motors as given.
        for (robot, d) in robots.iter().zip(dynamics) {
            let platform =
                robot.platform_from_joints(&motion[0], &motion[1], &motion[2], &robot.home()).unwrap();
            let there = robot.holding(&motion[0], &motion[1], &motion[2]).unwrap();
            let back = there.forward_dynamics(&platform, &d.motor).unwrap();
            worst = nan_max(worst, gap(&back.joint, &motion[2]) / 5.0);
        }
    }
    assert!(worst < 1e-10, "{worst:.1e}");
}

/// With the hexapod held level at home, the Delta on it is a Delta: its closed form says what its motors do.
#[test]
fn on_a_table_at_rest_the_delta_is_a_delta() {
    let robot = cell("platform = 'delta.platform'\nheld = ['table']");
    let alone = AnyRobot::open("delta-industrial").unwrap().with_payload(0.0).unwrap();
    let off = [0, 1, 2].map(|i| robot.home().position[i] - alone.home().position[i]);
    let mut worst: f64 = 0.0;
    for shift in [[0.0, 0.0, 0.0], [0.1, -0.05, 0.04], [-0.15, 0.1, -0.02]] {
        let own = PlatformState::at([0, 1, 2].map(|i| alone.home().position[i] + shift[i]))
            .moving([1.0, -2.0, 0.5], [10.0, 20.0, -5.0]);
        let placed = PlatformState { position: [0, 1, 2].map(|i| own.position[i] + off[i]), ..own };
        let (found, exact) = (robot.state(&placed).unwrap(), alone.state(&own).unwrap());
        worst = nan_max(worst, gap(&found.q[6..], &exact.q));
        worst = nan_max(worst, gap(&found.qdd[6..], &exact.qdd) / 100.0);
        let (found_d, exact_d) = (found.dynamics.unwrap(), exact.dynamics.unwrap());
        worst = nan_max(worst, gap(&found_d.motor[6..], &exact_d.motor) / 10.0);
        assert_eq!(found.qd[..6], [0.0; 6], "what is held stands still");
    }
    assert!(worst < 1e-10, "{worst:.1e}");
}

/// All identities of a robot hold, in states in which the held motors are elsewhere and move.
#[test]
fn every_identity_holds() {
    let cells = ["platform = 'delta.platform'", "platform = 'delta.platform'\nheld = ['table']"];
    let side_by_side = "name = 'two'\nfamily = 'mechanism'\nplatform = 'left.platform'\n\
        [[robot]]\nname = 'left'\nrobot = 'delta-industrial'\n\
        [[robot]]\nname = 'right'\nrobot = 'tricept'\nposition = [3, 0, 0]\n";
    for robot in cells.map(cell).iter().chain([&parsed(side_by_side).unwrap()]) {
        let found = check_robot(robot, 4, 5);
        assert!(found.holds(), "{found:?}");
    }
}

/// Where motors are held is a part of the robot: in its variant and in requests, by `q7` or the joint's name; what is not
/// held, and what cannot be, is told.
#[test]
fn motors_are_held_where_the_request_says() {
    let robot = cell("platform = 'delta.platform'");
    let values: BTreeMap<String, f64> = [("q7".into(), 0.9), ("delta.leg2_joint1".into(), 0.8)].into();
    let held = robot.with_held(&values).unwrap();
    let home = robot.held_values();
    assert_eq!(held.held_values(), [0.9, 0.8, home[2]]);
    assert!(held.held_text().unwrap().starts_with("the pose does not tell q7, q8, q9: held at 51.56"));
    let at_home = held.inverse_kinematics(&held.home()).unwrap().q;
    let own = robot.inverse_kinematics(&robot.home()).unwrap().q;
    assert!(gap(&at_home[..6], &own[..6]) < 1e-12, "at home the other motors are where they were");
    // A request that carries the robot gives the same one again; so does one that was rebuilt.
    let again = RobotRequest::of(&held).open().unwrap();
    assert_eq!(again.held_values(), held.held_values());
    assert_eq!(held.with_payload(1.0).unwrap().held_values(), held.held_values());
    let place = PlatformState { position: held.home().position.map(|x| x + 0.01), ..held.home() };
    assert_eq!(again.inverse_kinematics(&place).unwrap().q, held.inverse_kinematics(&place).unwrap().q);
    for (name, value, words) in [
        ("q1", 0.9, "`q1` is none of the motors of `cell` that are held: q7 (delta.leg1_joint1)"),
        ("q7", f64::NAN, "values of held motors"),
    ] {
        let said = robot.with_held(&[(name.to_owned(), value)].into()).unwrap_err().to_string();
        assert!(said.contains(words), "{name}: {said}");
    }
    let said = AnyRobot::open("3-rps").unwrap().with_held(&values).unwrap_err().to_string();
    assert!(said.contains("tells where all motors"), "{said}");
    let said = robot.on_moving_base().unwrap_err().to_string();
    assert!(said.contains("write the base as a body"), "{said}");
}

/// A cell falls the same in every form of the equations of motion, all nine motors free.
#[test]
fn all_nine_motors_move_in_time() {
    let robot = cell("platform = 'delta.platform'\nheld = ['table']");
    let hold = robot.gravity(&robot.home()).unwrap();
    let efforts: Vec<f64> = hold.iter().map(|effort| 0.97 * effort).collect();
    let run = |form| {
        let run = Simulation::new(&robot, Efforts::Constant(efforts.clone()))
            .starting_at(robot.home())
            .lasting(0.15)
            .formulated_as(form)
            .integrated_by(Integrator::Dopri5 { tolerance: 1e-11 })
            .run()
            .unwrap();
        assert!(run.summary.imbalance < 1e-8, "{form}: {:e} J", run.summary.imbalance);
        let last = run.samples.last().unwrap();
        [last.q, last.qd].concat()
    };
    let exact = run(FormulationKind::Minimal);
    assert!(exact[9..].iter().all(|rate| rate.abs() > 1e-3), "every motor moves: {exact:?}");
    for form in
        [FormulationKind::Constrained { pole: 5.0 }, FormulationKind::Projected, FormulationKind::Hamiltonian]
    {
        let off = gap(run(form), &exact);
        assert!(off < 1e-8, "{form}: {off:e}");
    }
}

/// What is said of a file that is no robot.
fn refused(text: &str) -> String {
    match RobotDescription::parse(text, "robot.toml") {
        Ok(description) => AnyRobot::new(description).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

/// Names in `held` are told when they are wrong.
#[test]
fn a_bad_list_of_held_motors_is_told() {
    for (held, words) in [
        ("['tabel']", "did you mean \"table\"?"),
        ("['table.leg1_joint1']", "no joint with a motor"),
        ("['table', 'table.leg1_joint3']", "twice"),
        ("[]", "`held` needs 1 to 200 values"),
        ("'table'", "an array of names"),
        (
            "['table.leg1_joint3']",
            "the motors move in 9 ways; with 1 motor held the platform moves in 6, and 2 more",
        ),
    ] {
        let text = format!(
            "name = 'cell'\nfamily = 'mechanism'\nplatform = 'delta.platform'\nheld = {held}\n{CELL}"
        );
        let said = refused(&text);
        assert!(said.contains(words), "{held}: {said}");
    }
    let said = refused(
        "name = 'one'\nfamily = 'mechanism'\nplatform = 'a.platform'\nheld = ['a.leg1_joint1', 'a.leg2_joint1']\n\
         [[robot]]\nname = 'a'\nrobot = 'five-bar'\n",
    );
    assert!(said.contains("with 2 motors held the platform does not move"), "{said}");
}
