//! The checker itself: what it draws, where it searches from, and that each identity can fail.

use super::*;
use crate::check::check_with;
use crate::description::RobotDescription;

fn found(robot: &AnyRobot, plant: Option<(&'static str, f64)>) -> crate::check::CheckSummary {
    check_with(robot, 3, 7, &mut |_| true, Ledger { plant, ..Ledger::default() })
}

/// Every identity fails if its numbers are off by little more than its bar, or are none: of legs, and of bodies and joints.
#[test]
fn every_identity_can_fail() {
    for (name, count) in [("custom-gough-stewart", 15), ("3-rps", 16)] {
        let robot = AnyRobot::open(name).unwrap();
        let sound = found(&robot, None);
        assert!(sound.holds(), "{sound:?}");
        assert_eq!(sound.findings.len(), count, "{name}");
        for finding in &sound.findings {
            for error in [3.0 * finding.bar, f64::NAN] {
                let spoilt = found(&robot, Some((finding.name, error)));
                let wrong: Vec<_> = spoilt.findings.iter().filter(|f| !f.holds()).map(|f| f.name).collect();
                assert_eq!(wrong, [finding.name], "{name}: {error}");
                assert!(!spoilt.holds());
            }
        }
    }
}

/// A leg whose closed form takes the universal joint from its other side has the right joints and Jacobian, and
/// keeps every identity of its own; the plain chains tell.
#[test]
fn a_leg_that_was_recognised_wrongly_is_found() {
    let file = AnyRobot::open("custom-delta").unwrap().description().text.clone().unwrap();
    let lopsided =
        file.replacen("centre = [0, 0, \"-400 mm\"]", "centre = [\"10 mm\", \"15 mm\", \"-400 mm\"]", 1);
    assert_ne!(*file, *lopsided);
    let robot = AnyRobot::new(RobotDescription::parse(&lopsided, "test.toml").unwrap()).unwrap();
    assert!(found(&robot, None).holds());
    let wrong = found(&robot.turned_over(), None);
    let fails: Vec<_> = wrong.findings.iter().filter(|f| !f.holds()).map(|f| f.name).collect();
    assert_eq!(fails, [CHAIN_EFFORTS, CHAIN_MASSES]);
}

#[test]
fn only_positive_definite_matrices_are_taken_for_such() {
    assert!(is_positive_definite(&[2.0, 1.0, 1.0, 2.0], 2));
    assert!(!is_positive_definite(&[1.0, 2.0, 2.0, 1.0], 2));
    assert!(!is_positive_definite(&[1.0, f64::NAN, f64::NAN, 1.0], 2));
    assert!(!is_positive_definite(&[], 0));
}

/// A five-bar with both links of a leg 300 mm long, at home there.
fn five_bar(home: [f64; 2]) -> AnyRobot {
    let text = format!(
        "family = \"five-bar\"\nworking_mode = [\"left\", \"right\"]\n\
         [geometry]\nmotor_offset = 0.1\nproximal = 0.3\ndistal = 0.3\n\
         [mass]\nproximal = 0.6\ndistal = 0.4\nplatform = 0.5\n\
         [home]\nposition = {home:?}\n"
    );
    AnyRobot::new(RobotDescription::parse(&text, "five-bar.toml").unwrap()).unwrap()
}

/// Whether the largest of some numbers is at most this, and not much less.
fn reaches(numbers: &[f64], most: f64) -> bool {
    let found = largest(numbers);
    found <= most * (1.0 + 1e-12) && found > 0.9 * most
}

/// Positions, angles, velocities, accelerations and pulls are drawn up to a part of the robot's own units; only how far
/// from home depends on the spread.
#[test]
fn states_are_drawn_in_units_of_the_robot() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let (checker, home) = (Checker::new(&robot), robot.home());
    let Scales { length, .. } = checker.scales;
    let (speed, acceleration) = (checker.scales.speed(), checker.scales.acceleration());
    for spread in [1.0, 0.125] {
        let mut random = Random::new(7);
        let states: Vec<State> = (0..60).filter_map(|_| checker.drawn(&mut random, spread).ok()).collect();
        assert!(states.len() > 50);
        let all = |of: &dyn Fn(&State) -> Vec<f64>| states.iter().flat_map(of).collect::<Vec<_>>();
        let off = all(&|s| (0..3).map(|k| s.platform.position[k] - home.position[k]).collect());
        assert!(reaches(&off, FAR * length * spread), "{off:?}");
        // The antisymmetric part of a rotation is the sine of its angle: a turn about all three axes has less of it.
        let turned = all(&|s| {
            let r = s.platform.rotation;
            vec![r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]]
        });
        let turned = largest(&turned) / 2.0;
        assert!(turned < TURNED * spread && turned > 0.85 * TURNED * spread, "{turned}");
        assert!(reaches(&all(&|s| s.platform.twist[..3].to_vec()), speed));
        assert!(reaches(&all(&|s| s.platform.twist[3..].to_vec()), speed / length));
        assert!(reaches(&all(&|s| s.platform.acceleration[..3].to_vec()), acceleration));
        assert!(reaches(&all(&|s| s.platform.acceleration[3..].to_vec()), acceleration / length));
        // A pull accelerates the platform by about that much: its mass is the first entry of its row, and moments are in
        // the same proportion to the largest of theirs.
        let mass = |s: &State, k: usize| s.dynamics.as_ref().unwrap().platform_mass_matrix[k].clone();
        let pulls = all(&|s| (0..3).map(|k| s.platform.wrench[k] / mass(s, k)[k]).collect());
        assert!(reaches(&pulls, acceleration), "{pulls:?}");
        let inertia = |s: &State, k: usize| {
            let row = mass(s, k);
            largest(&[row[0], row[1], row[2], row[3] / length, row[4] / length, row[5] / length])
        };
        let moments = all(&|s| (3..6).map(|k| s.platform.wrench[k] / inertia(s, k)).collect());
        assert!(reaches(&moments, acceleration), "{moments:?}");
    }
}

/// A Delta that hangs below the plate of a hexapod: nine motors, six or three of which the platform tells.
fn cell(asked: &str) -> AnyRobot {
    let text = format!(
        "name = 'cell'\nfamily = 'mechanism'\nplatform = 'delta.platform'\n{asked}\n\
         [[robot]]\nname = 'table'\nrobot = 'gough-stewart'\npayload = 0\n\
         [[robot]]\nname = 'delta'\nrobot = 'delta-industrial'\non = 'table.platform'\n\
         position = [0.1, 0.05, -0.2]\npayload = 0\n"
    );
    AnyRobot::new(RobotDescription::parse(&text, "cell.toml").unwrap()).unwrap()
}

/// Motors that the platform does not tell are drawn around their places at home, half as far as a platform.
#[test]
fn held_motors_are_drawn_in_units_of_the_robot() {
    for (asked, motors, slides) in
        [("", [6, 7, 8].as_slice(), false), ("held = ['table']", &[0, 1, 2, 3, 4, 5], true)]
    {
        let robot = cell(asked);
        assert_eq!(robot.held_motors(), motors);
        let (checker, home) = (Checker::new(&robot), robot.inverse_kinematics(&robot.home()).unwrap().q);
        let Scales { length, .. } = checker.scales;
        let (lever, far) = if slides { (1.0, FAR * length) } else { (length, TURNED) };
        for spread in [0.5, 0.125] {
            let mut random = Random::new(7);
            let mut drawn = || {
                let held = checker.with_held_drawn(&mut random, spread).ok()??;
                checker.of(&held).drawn(&mut random, spread).ok()
            };
            let states: Vec<State> = (0..25).filter_map(|_| drawn()).collect();
            println!("{} {}", motors.len(), states.len());
            let all = |of: &dyn Fn(&State, usize) -> f64| {
                states
                    .iter()
                    .flat_map(|state| motors.iter().map(|motor| of(state, *motor)))
                    .collect::<Vec<_>>()
            };
            assert!(reaches(&all(&|s, k| s.q[k] - home[k]), 0.5 * far * spread));
            assert!(reaches(&all(&|s, k| s.qd[k]), checker.scales.speed() / lever));
            assert!(reaches(&all(&|s, k| s.qdd[k]), checker.scales.acceleration() / lever));
        }
    }
}

/// The reasons for which states are refused, and the states that are not.
fn sorted_out(checker: &Checker<'_>) -> (Vec<State>, Vec<String>) {
    let mut random = Random::new(7);
    let (mut states, mut reasons) = (Vec::new(), Vec::new());
    for _ in 0..400 {
        match checker.drawn(&mut random, 1.0) {
            Ok(state) => states.push(state),
            Err(Unjudged::Refused(reason)) => reasons.push(reason),
            Err(Unjudged::Failed(reason)) => panic!("{reason}"),
        }
    }
    reasons.sort();
    reasons.dedup();
    (states, reasons)
}

/// No state is judged that is nearer to a singularity than said, and those that are refused are told apart.
#[test]
fn states_near_singularities_are_refused() {
    // The outer links are in line with each other nearby.
    let robot = five_bar([0.0, 0.0]);
    let (states, reasons) = sorted_out(&Checker::new(&robot));
    println!("{} {reasons:?}", states.len());
    assert!(reasons.contains(&NEAR_PARALLEL.to_owned()), "{reasons:?}");
    let worst = states.iter().map(|state| state.singularity.condition).collect::<Vec<_>>();
    assert!(largest(&worst) <= WORST_CONDITION && largest(&worst) > 0.1 * WORST_CONDITION);
    // A leg may come as near to being stretched as said.
    let robot = five_bar([0.0, 0.5]);
    let checker = Checker { nearest_leg: 0.2, ..Checker::new(&robot) };
    let (states, reasons) = sorted_out(&checker);
    println!("{} {reasons:?}", states.len());
    assert!(reasons.contains(&NEAR_SERIAL.to_owned()), "{reasons:?}");
    let nearest = least(&states.iter().map(|state| least(&state.singularity.serial)).collect::<Vec<_>>());
    assert!((0.2..0.25).contains(&nearest), "{nearest}");
}

/// A leg may come as near to its singularity as a thousandth, or as a hundredth of where it is at home.
#[test]
fn a_leg_may_come_nearer_if_it_is_near_at_home() {
    let robot = five_bar([0.0, 0.36]);
    assert_eq!(Checker::new(&robot).nearest_leg, NEAREST_LEG);
    let robot = five_bar([0.0, 0.591]);
    let home = least(&robot.state(&robot.home()).unwrap().singularity.serial);
    assert!(home < 0.1, "{home}");
    assert!((Checker::new(&robot).nearest_leg / (0.01 * home) - 1.0).abs() < 1e-12);
}

/// A motor that the platform passes through turns by half a turn at once; on a way beside it, it does not.
#[test]
fn a_way_through_an_axis_is_not_smooth() {
    let robot = five_bar([0.0, 0.36]);
    let checker = Checker::new(&robot);
    let is_smooth = |position: [f64; 3]| checker.is_smooth_to(&PlatformState::at(position), [0.0; 3]);
    assert!(is_smooth([0.05, 0.3, 0.0]) && is_smooth([-0.05, 0.25, 0.0]));
    assert!(!is_smooth([0.2, -0.36, 0.0]), "through the motor at x = 0.1 m");
    assert!(is_smooth(robot.home().position));
}

/// The search begins a hundredth of the robot's time ahead, over the condition number, or where the legs still reach.
#[test]
fn a_search_begins_ahead_of_the_platform() {
    let robot = five_bar([0.0, 0.36]);
    let checker = Checker::new(&robot);
    let moving = |y: f64| PlatformState::at([0.0, y, 0.0]).moving([0.3, 0.4, 0.0], [0.0; 3]);
    let way = |platform: &PlatformState, condition: f64| {
        let start = checker.start_of_search(platform, condition).position;
        [start[0] - platform.position[0], start[1] - platform.position[1]]
    };
    for condition in [1.0, 4.0] {
        let [x, y] = way(&moving(0.36), condition);
        let time = AHEAD * checker.scales.time / condition;
        assert!((x / (0.3 * time) - 1.0).abs() < 1e-9 && (y / (0.4 * time) - 1.0).abs() < 1e-9);
    }
    // As good as stretched.
    let stretched = moving((0.36_f64 - 0.01).sqrt() - 1e-5);
    let [x, y] = way(&stretched, 1.0);
    assert!(y > 0.0 && y < 1e-5 && x > 0.0, "{x} {y}");
    assert!(robot.inverse_kinematics(&checker.start_of_search(&stretched, 1.0).at_rest()).is_ok());
    // Shifted along and turned about each axis by the velocity times the time.
    let mut turning = PlatformState::at([1.0, 2.0, 3.0]);
    turning.twist = [1.0, 2.0, 4.0, 0.1, 0.2, 0.4];
    assert_eq!(ahead(&turning, 0.125).position, [1.125, 2.25, 3.5]);
    let turned = ahead(&turning, 1e-3).rotation;
    let found = [turned[2][1], turned[0][2], turned[1][0]];
    assert!(
        found.iter().zip([1e-4, 2e-4, 4e-4]).all(|(found, angle)| (found - angle).abs() < 1e-6),
        "{found:?}"
    );
}

/// Joints that turn are the same after a turn; those that slide are not.
#[test]
fn only_angles_are_compared_modulo_a_turn() {
    let turn = std::f64::consts::TAU;
    let (turning, sliding) = (five_bar([0.0, 0.36]), AnyRobot::open("gough-stewart").unwrap());
    let checker = Checker::new(&turning);
    let apart = checker.apart(&[0.5 + turn, 0.3], &[0.5, 0.2]);
    assert!(apart[0].abs() < 1e-14 && (apart[1] - 0.1 * checker.scales.length).abs() < 1e-15, "{apart:?}");
    let apart = Checker::new(&sliding).apart(&[0.5 + turn; 6], &[0.5; 6]);
    assert!(apart.iter().all(|gap| (gap - turn).abs() < 1e-14), "{apart:?}");
}

/// A state that is damaged on purpose is off by what the damage does, over what makes such numbers: joints that are wrong
/// place the platform wrong by so many lengths times the condition number, and so on.
#[test]
fn errors_are_told_beside_what_makes_them() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let checker = Checker::new(&robot);
    let sound = checker.drawn(&mut Random::new(7), 1.0).ok().unwrap();
    let (platform, condition) = (&sound.platform, sound.singularity.condition);
    let (length, acceleration) = (checker.scales.length, checker.scales.acceleration());
    let start = checker.start_of_search(platform, condition);
    assert!(condition > 2.0);
    let is_told = |state: &State, name: &str, off: f64| {
        let mut ledger = Ledger::default();
        checker.kinematics(&mut ledger, state);
        let found = ledger.into_findings().into_iter().find(|finding| finding.name == name).unwrap();
        assert!((found.worst / off - 1.0).abs() < 0.01 && !found.holds(), "{found:?}, {off}");
    };

    let mut damaged = sound.clone();
    damaged.q[0] += 1e-6;
    let found = robot.forward_kinematics(&damaged.q, &start).unwrap();
    let gaps = |a: &[f64], b: &[f64], unit: f64| {
        largest(&a.iter().zip(b).map(|(a, b)| (a - b) * unit).collect::<Vec<_>>())
    };
    let shifted = gaps(&found.position, &platform.position, 1.0);
    let turned = gaps(found.rotation.as_flattened(), platform.rotation.as_flattened(), length);
    is_told(&damaged, FORWARD_KINEMATICS, largest(&[shifted, turned]) / (length * condition));

    let mut damaged = sound.clone();
    damaged.qdd[0] += 1e-6 * acceleration;
    let back = robot.platform_from_joints(&damaged.q, &damaged.qd, &damaged.qdd, &start).unwrap();
    let off = gaps(&checker.free(&back.acceleration), &checker.free(&platform.acceleration), 1.0);
    is_told(&damaged, THERE_AND_BACK, off / (largest(&[acceleration, largest(&damaged.qdd)]) * condition));

    let mut damaged = sound.clone();
    let dynamics = damaged.dynamics.as_mut().unwrap();
    let wrong = 1e-3 * largest(&dynamics.effort);
    dynamics.effort[0] += wrong;
    let powers = dynamics.effort.iter().zip(&sound.qd).map(|(effort, rate)| effort * rate);
    let pulls = platform.wrench.iter().zip(platform.twist).map(|(force, speed)| force * speed);
    let rates = robot.engine_model().unwrap().along_motion(platform).energies;
    assert!(largest(&rates[..1]) > 0.0 && largest(&rates[1..]) > 0.0);
    let sizes: f64 = powers.chain(pulls).chain(rates).map(f64::abs).sum();
    is_told(&damaged, POWER, (wrong * sound.qd[0]).abs() / sizes);
}

/// Of a mechanism's platform a wrong rotation counts as its length times a wrong translation.
#[test]
fn angles_of_a_platform_count_as_lengths() {
    let robot = AnyRobot::open("3-rps").unwrap();
    let checker = Checker::new(&robot);
    let sound = checker.drawn(&mut Random::new(7), 1.0).ok().unwrap().platform;
    let exact = robot.mechanism_derivative(&sound).unwrap().unwrap();
    let off = |component: usize| {
        let mut wrong = sound;
        wrong.twist[component] += 1e-6;
        wrong.acceleration[component] += 1e-6;
        let mut ledger = Ledger::default();
        checker.platform_derivative(&mut ledger, &wrong, &exact);
        let findings = ledger.into_findings();
        assert_eq!(
            findings.iter().map(|f| f.name).collect::<Vec<_>>(),
            [LOOPS, PLATFORM_VELOCITY, PLATFORM_ACCELERATION]
        );
        [findings[1].worst, findings[2].worst]
    };
    let ([speed, acceleration], [turning, turning_up]) = (off(1), off(4));
    let length = checker.scales.length;
    assert!((length - 1.0).abs() > 0.1, "{length}");
    assert!(
        (turning / speed / length - 1.0).abs() < 0.01
            && (turning_up / acceleration / length - 1.0).abs() < 0.01
    );
}

/// Motors that the platform does not tell are accelerated as they should be, too.
#[test]
fn a_wrong_acceleration_of_a_held_motor_is_found() {
    let robot = cell("");
    let (checker, mut random) = (Checker::new(&robot), Random::new(7));
    let held = checker.with_held_drawn(&mut random, 0.125).ok().flatten().unwrap();
    let checker = checker.of(&held);
    let mut state = checker.drawn(&mut random, 0.125).ok().unwrap();
    let holds = |state: &State| {
        let mut ledger = Ledger::default();
        checker.dynamics(&mut ledger, state, state.dynamics.as_ref().unwrap());
        ledger.into_findings().iter().find(|finding| finding.name == FORWARD_DYNAMICS).unwrap().holds()
    };
    assert!(holds(&state));
    state.qdd[6] *= 1.001;
    assert!(!holds(&state));
}
