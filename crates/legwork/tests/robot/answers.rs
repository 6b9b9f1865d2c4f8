//! Each answer of a robot by itself is the one that the whole state has, for every built-in robot.

use crate::robot_support::{Seeded, some_state};
use legwork::description::BUILT_IN;
use legwork::{AnyRobot, PlatformState, PlatformStates, RobotError, StateMark};
use legwork_testkit::{largest, nan_max, relative_error_above as apart};

/// Largest difference over the largest number; NaN counts.
#[test]
fn each_answer_alone_is_that_of_the_whole_state() {
    for (number, entry) in BUILT_IN.iter().enumerate() {
        let robot = AnyRobot::open(entry.name).unwrap();
        let (motors, freedoms) = (robot.joints().len(), robot.freedoms().len());
        let mut random = Seeded(number as u64);
        let mut seen = 0;
        for _ in 0..60 {
            let at = some_state(&robot, &mut random);
            let Ok(state) = robot.state(&at) else { continue };
            seen += 1;
            assert_eq!(robot.inverse_kinematics(&at).unwrap().q, state.q);
            let motion = robot.joints_from_platform(&at).unwrap();
            assert_eq!((&motion.q, &motion.qd, &motion.qdd), (&state.q, &state.qd, &state.qdd));
            let jacobian = robot.jacobian(&at).unwrap();
            assert_eq!(jacobian, state.jacobian, "{}", entry.name);
            assert_eq!(robot.singularity(&at).unwrap(), state.singularity, "{}", entry.name);
            let back = robot.platform_from_joints(&state.q, &state.qd, &state.qdd, &at).unwrap();
            // Of a mechanism the other components follow.
            let free = |six: &[f64; 6]| robot.freedoms().iter().map(|f| six[f.component]).collect::<Vec<_>>();
            let off = nan_max(
                apart(&free(&back.twist), &free(&at.twist), 1.0),
                apart(&free(&back.acceleration), &free(&at.acceleration), 1.0),
            );
            assert!(off < 1e-9 * state.singularity.condition.max(1.0), "{}: {off:e}", entry.name); // rounding
            let Some(d) = state.dynamics else {
                assert!(robot.inverse_dynamics(&at).is_err());
                continue;
            };
            // 1e-12: a hexapod in closed form adds up in another order.
            let efforts = largest(d.motor.iter().chain(&d.gravity));
            let close = |found: &[f64], expected: &[f64], what: &str| {
                let off = apart(found, expected, 1e-3 * efforts);
                assert!(off < 1e-12 * state.singularity.condition, "{}, {what}: {off:e}", entry.name);
            };
            close(&robot.inverse_dynamics(&at).unwrap(), &d.motor, "inverse dynamics");
            close(&robot.gravity(&at).unwrap(), &d.gravity, "gravity");
            assert_eq!(robot.coriolis(&at).unwrap(), d.coriolis);
            assert_eq!(robot.mass_matrix(&at).unwrap(), d.mass_matrix);
            assert_eq!(robot.platform_mass_matrix(&at).unwrap(), d.platform_mass_matrix);
            let energies = robot.energies(&at).unwrap();
            assert_eq!((energies.kinetic, energies.potential), (d.kinetic_energy, d.potential_energy));
            let axial: Vec<f64> = robot.leg_forces(&at).unwrap().iter().map(|leg| leg.axial).collect();
            let off = apart(&axial, &d.leg_force, 1e-3 * largest(&d.leg_force));
            assert!(off < 1e-11 * state.singularity.condition, "{}: {off:e}", entry.name);
            let forward = robot.forward_dynamics(&at, &d.motor).unwrap();
            let wanted: Vec<f64> = robot.freedoms().iter().map(|f| at.acceleration[f.component]).collect();
            let off =
                nan_max(apart(&forward.platform, &wanted, 10.0), apart(&forward.joint, &state.qdd, 10.0));
            assert!(off < 1e-9 * state.singularity.condition, "{}: {off:e}", entry.name); // condition of M
            let mut found = at;
            robot.forward_kinematics_into(&state.q, &mut found).unwrap();
            let off = apart(&found.position, &robot.whole_pose(&at).unwrap().position, 1.0);
            assert!(off < 1e-9 * state.singularity.condition, "{}: {off:e}", entry.name);
        }
        assert!(seen > 30, "{}: {seen} states, {motors} motors, {freedoms} freedoms", entry.name);
    }
}

/// What files and sensors of others hold.
const HOSTILE: [f64; 9] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308, 1e200, 5e-324, -0.0, f64::MIN_POSITIVE];

/// Number `slot` of a state: position, rotation, twist, acceleration, wrench.
fn number(state: &mut PlatformState, slot: usize) -> &mut f64 {
    match slot {
        0..3 => &mut state.position[slot],
        3..12 => &mut state.rotation.as_flattened_mut()[slot - 3],
        12..18 => &mut state.twist[slot - 12],
        18..24 => &mut state.acceleration[slot - 18],
        _ => &mut state.wrench[slot - 24],
    }
}

/// All numbers of every answer about a state that there is, by the name of the question.
fn answers(
    robot: &AnyRobot,
    at: &PlatformState,
    efforts: &[f64],
) -> Vec<(&'static str, Result<Vec<f64>, RobotError>)> {
    let solution = |found: legwork::JointSolution| found.q;
    let all = |found: Vec<legwork::JointSolution>| found.into_iter().flat_map(|found| found.q).collect();
    let near = |q: &[f64]| {
        let found = robot.forward_kinematics(q, at)?;
        Ok([found.position.as_slice(), found.rotation.as_flattened()].concat())
    };
    let whole = |found: legwork::State| {
        let d = found.dynamics.map(|d| {
            let lists =
                [d.motor, d.effort, d.inertial, d.coriolis, d.gravity, d.external, d.friction, d.leg_force];
            let matrices = [d.mass_matrix.concat(), d.platform_mass_matrix.concat()];
            [lists.concat(), matrices.concat(), vec![d.kinetic_energy, d.potential_energy]].concat()
        });
        [found.q, found.qd, found.qdd, found.jacobian.concat(), d.unwrap_or_default()].concat()
    };
    vec![
        ("inverse kinematics", robot.inverse_kinematics(at).map(solution)),
        ("all inverse kinematics", robot.all_inverse_kinematics(at).map(all)),
        ("forward kinematics", near(efforts)),
        ("rates", robot.joints_from_platform(at).map(|m| [m.q, m.qd, m.qdd].concat())),
        (
            "platform rates",
            robot
                .platform_from_joints(efforts, efforts, efforts, at)
                .map(|p| [p.position.as_slice(), &p.twist, &p.acceleration].concat()),
        ),
        ("jacobian", robot.jacobian(at).map(|rows| rows.concat())),
        ("singularity", robot.singularity(at).map(|s| [s.serial, vec![s.parallel]].concat())),
        ("skeleton", robot.skeleton(at).map(|s| s.points.concat())),
        ("inverse dynamics", robot.inverse_dynamics(at)),
        ("forward dynamics", robot.forward_dynamics(at, efforts).map(|f| [f.platform, f.joint].concat())),
        ("mass matrix", robot.mass_matrix(at).map(|rows| rows.concat())),
        ("platform mass matrix", robot.platform_mass_matrix(at).map(|rows| rows.concat())),
        ("coriolis", robot.coriolis(at)),
        ("gravity", robot.gravity(at)),
        (
            "forces of the legs",
            robot.leg_forces(at).map(|all| all.iter().flat_map(|leg| [leg.force[0], leg.axial]).collect()),
        ),
        ("energies", robot.energies(at).map(|e| vec![e.kinetic, e.potential])),
        ("state", robot.state(at).map(whole)),
    ]
}

/// No answer holds a number that is not finite, whatever number of the question is hostile; a question that holds one
/// that is not finite has no answer, except where the answer does not depend on it.
#[test]
fn an_answer_is_finite_or_an_error() {
    let (mut answered, mut refused) = (0, 0);
    for (number_of_robot, entry) in BUILT_IN.iter().enumerate() {
        let robot = AnyRobot::open(entry.name).unwrap();
        let good = some_state(&robot, &mut Seeded(number_of_robot as u64));
        let joints = robot.inverse_kinematics(&robot.home()).unwrap().q;
        let mut states = Vec::new();
        for value in HOSTILE {
            for slot in 0..30 {
                let mut at = good;
                *number(&mut at, slot) = value;
                states.push(at);
            }
            // Everything that moves at once.
            states.push(PlatformState {
                twist: [value; 6],
                acceleration: [value; 6],
                wrench: [value; 6],
                ..good
            });
            let mut efforts = joints.clone();
            efforts[0] = value;
            for (what, answer) in answers(&robot, &robot.home(), &efforts) {
                let uses_efforts =
                    ["forward kinematics", "platform rates", "forward dynamics"].contains(&what);
                let is_refused = answer.is_err() || value.is_finite() || !uses_efforts;
                assert!(is_refused, "{} {what}: {value:e} as an effort or joint", entry.name);
                let finite = answer.is_ok_and(|list| list.iter().any(|x| !x.is_finite()));
                assert!(!finite, "{} {what}: {value:e}", entry.name);
            }
        }
        for at in &states {
            for (what, answer) in answers(&robot, at, &joints) {
                match answer {
                    Ok(list) => {
                        answered += 1;
                        assert!(
                            list.iter().all(|x| x.is_finite()),
                            "{} {what} at {at:?}: {list:?}",
                            entry.name
                        );
                    }
                    Err(error) => {
                        refused += 1;
                        assert!(error.to_string().len() < 300, "{error}");
                    }
                }
            }
        }
        in_a_batch(&robot, &states);
    }
    assert!(answered > 10_000 && refused > 10_000, "{answered} answered, {refused} refused");
}

/// A batch marks what has no finite answer, and answers what the call for one state answers.
fn in_a_batch(robot: &AnyRobot, states: &[PlatformState]) {
    let flat = |list: &dyn Fn(&PlatformState) -> Vec<f64>| states.iter().flat_map(list).collect::<Vec<f64>>();
    let (positions, rotations) = (flat(&|s| s.position.to_vec()), flat(&|s| s.rotation.concat()));
    let (twists, accelerations) = (flat(&|s| s.twist.to_vec()), flat(&|s| s.acceleration.to_vec()));
    let wrenches = flat(&|s| s.wrench.to_vec());
    let batch = PlatformStates {
        rotations: Some(&rotations),
        twists: Some(&twists),
        accelerations: Some(&accelerations),
        wrenches: Some(&wrenches),
        ..PlatformStates::at(&positions)
    };
    let motors = robot.joints().len();
    let mut marks = vec![StateMark::Other; states.len()];
    let mut q = vec![0.0; motors * states.len()];
    let judge = |list: &[f64], marks: &[StateMark], one: &dyn Fn(&PlatformState) -> bool| {
        for (k, (mark, numbers)) in marks.iter().zip(list.chunks(motors)).enumerate() {
            let is_finite = numbers.iter().all(|x| x.is_finite());
            let found = (*mark == StateMark::Answered, is_finite, one(&states[k]));
            assert!(
                found == (true, true, true) || found == (false, false, false),
                "{}: {found:?}",
                robot.name()
            );
        }
    };
    robot.batch().on_threads(1).inverse_kinematics(&batch, &mut q, &mut marks).unwrap();
    judge(&q, &marks, &|at| robot.inverse_kinematics(at).is_ok());
    if robot.has_masses() {
        robot.batch().on_threads(1).inverse_dynamics(&batch, &mut q, &mut marks).unwrap();
        judge(&q, &marks, &|at| robot.inverse_dynamics(at).is_ok());
        let (mut qdd, efforts) = (q.clone(), vec![1e200; q.len()]);
        let mut platform = vec![0.0; robot.freedoms().len() * states.len()];
        robot
            .batch()
            .on_threads(1)
            .forward_dynamics(&batch, &efforts, &mut platform, &mut qdd, &mut marks)
            .unwrap();
        judge(&qdd, &marks, &|at| robot.forward_dynamics(at, &efforts[..motors]).is_ok());
    }
}
