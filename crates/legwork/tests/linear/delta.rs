//! Small motions of a Delta: the figures of Bortoff 2018, section IV and figure 5, and the two forms against each other.
//! The robots are fitted to the printed poles; the numbers expected here come from a prototype in another language.

use legwork::analysis::linear::{
    Constrained, Pole, Reduced, balance, largest_real_part, order, stability, zeros,
};
use legwork::{AnyRobot, PlatformState};

/// Name of the robot, damping of its three angles, and what is expected of it.
struct Set {
    name: &'static str,
    damping: [f64; 3],
    /// π/4: vertical pair, lateral pair; 0: vertical poles, lateral pair.
    vertical: [f64; 2],
    lateral: [f64; 2],
    falling: [f64; 2],
    swaying: [f64; 2],
    crossing: f64,
}

const SETS: [Set; 3] = [
    Set {
        name: "delta-bortoff-a",
        damping: [0.0895, 0.2094, 0.0567],
        vertical: [-0.69, 5.26],
        lateral: [-0.60, 5.63],
        falling: [5.29, -6.47],
        swaying: [-1.60, 1.60],
        crossing: 22.01,
    },
    Set {
        name: "delta-bortoff-b",
        damping: [0.0412, 0.0009, 0.0521],
        vertical: [-0.502, 5.506],
        lateral: [-0.499, 5.499],
        falling: [5.19, -6.50],
        swaying: [-0.93, 3.99],
        crossing: 21.98,
    },
    Set {
        name: "delta-bortoff-c",
        damping: [0.0863; 3],
        vertical: [-0.61, 5.25],
        lateral: [-0.68, 5.63],
        falling: [5.25, -6.55],
        swaying: [-1.50, 1.68],
        crossing: 22.08,
    },
];

/// Half a unit of the last digit printed in the table.
const PRINTED: f64 = 0.0051;

fn at(robot: &AnyRobot, angle: f64) -> PlatformState {
    stability::common_motor_path(robot)(angle).unwrap()
}

fn has(poles: &[Pole], [re, im]: [f64; 2], times: usize) {
    let wanted = Pole { re, im };
    let close = |pole: &&Pole| (pole.re - wanted.re).abs() < PRINTED && (pole.im - wanted.im).abs() < PRINTED;
    let found = poles.iter().filter(close).count();
    assert_eq!(found, times, "{wanted:?} in {poles:?}");
}

#[test]
fn printed_poles_come_out() {
    for set in &SETS {
        let robot = AnyRobot::open(set.name).unwrap();
        let poles = |angle: f64| {
            let pose = at(&robot, angle);
            let small = Reduced::at(&robot, &pose).unwrap();
            small.with_arm_damping(&robot, &pose, set.damping).unwrap().poles().unwrap()
        };
        let low = poles(std::f64::consts::FRAC_PI_4);
        has(&low, set.vertical, 1);
        has(&low, set.lateral, 2);
        let high = poles(0.0);
        has(&high, [set.falling[0], 0.0], 1);
        has(&high, [set.falling[1], 0.0], 1);
        has(&high, set.swaying, 2);
    }
}

#[test]
fn the_constrained_form_has_the_same_poles_and_twelve_of_the_loops() {
    for set in &SETS {
        let robot = AnyRobot::open(set.name).unwrap();
        for angle in [0.0, std::f64::consts::FRAC_PI_4] {
            let pose = at(&robot, angle);
            let form = Constrained::at(&robot, &pose, 5.0, Some(set.damping)).unwrap();
            let small = Reduced::at(&robot, &pose).unwrap();
            let own = small.with_arm_damping(&robot, &pose, set.damping).unwrap().poles().unwrap();
            let poles = form.model.poles().unwrap();
            let (count, scatter) = form.at_the_loops(&poles);
            assert_eq!((poles.len(), count), (18, 12), "{poles:?}");
            assert!(scatter < 1e-3, "{scatter}"); // double roots: √(ε · condition)
            for pole in own {
                // 1e-7: the robot's own poles are simple or twice, beside a cluster of twelve
                assert!(poles.iter().any(|other| other.distance(&pole) < 1e-7), "{pole:?} in {poles:?}");
            }
            let zeros = zeros::invariant_zeros(&form.model).unwrap();
            let (count, scatter) = form.at_the_loops(&zeros);
            assert_eq!((zeros.len(), count), (12, 12), "{zeros:?}");
            assert!(scatter < 1e-3, "{scatter}");
            // The torques do not reach the loops; the motor angles show half of an open loop's motion.
            let (moved, shown) = (order::controllable(&form.model), order::observable(&form.model));
            assert_eq!((moved.order, shown.order), (6, 12), "{moved:?} {shown:?}");
            for reach in [moved, shown] {
                // 1e-11: rounding times the condition of the nine angles (1e4)
                assert!(reach.largest_dropped < 1e-11 && reach.smallest_kept > 1e-3, "{reach:?}");
            }
        }
    }
}

#[test]
fn balanced_truncation_leaves_the_six_states_that_matter() {
    for (set, angle) in SETS.iter().flat_map(|set| [(set, 0.0), (set, 0.9)]) {
        let robot = AnyRobot::open(set.name).unwrap();
        let pose = at(&robot, angle);
        let form = Constrained::at(&robot, &pose, 5.0, Some(set.damping)).unwrap();
        let balanced = balance::balanced(&form.model).unwrap();
        assert_eq!(balanced.order(), 6, "{:?}", balanced.hankel);
        assert_eq!(balanced.shift > 0.0, angle == 0.0, "unstable at 0 only");
        assert!(balanced.residual < 1e-10, "{}", balanced.residual);
        let six = balanced.truncated(&form.model, 6).unwrap();
        let poles = form.model.poles().unwrap();
        for pole in six.poles().unwrap() {
            assert!(poles.iter().any(|other| other.distance(&pole) < 1e-5), "{pole:?} in {poles:?}");
        }
        // Nothing was cut that an output shows: the gains are those of the whole model.
        for omega in [0.3, 5.5, 40.0] {
            let (whole, part) = (form.model.gain(omega).unwrap(), six.gain(omega).unwrap());
            assert!((&whole - &part).amax() < 1e-6 * whole.amax(), "{whole} {part}");
        }
        assert!(balanced.truncated(&form.model, 7).is_err());
    }
}

#[test]
fn gravity_compensation_alone_is_not_stable() {
    let robot = AnyRobot::open("delta-bortoff-b").unwrap();
    let pose = at(&robot, 17_f64.to_radians());
    let small = Reduced::at(&robot, &pose).unwrap();
    let small = small.with_arm_damping(&robot, &pose, SETS[1].damping).unwrap().with_gravity_compensation();
    let poles = small.poles().unwrap();
    for (pole, wanted) in poles.iter().zip([0.0, 0.0, 0.0, -0.96, -1.47, -1.47]) {
        // 0.01: the digits given are cut off, not rounded (−1.476 is given as −1.47)
        assert!((pole.re - wanted).abs() < 0.01 && pole.im == 0.0, "{poles:?}");
    }
}

#[test]
fn the_robot_turns_unstable_at_22_degrees() {
    for set in &SETS {
        let robot = AnyRobot::open(set.name).unwrap();
        let range = [(-45_f64).to_radians(), 85_f64.to_radians()];
        let found = stability::crossings(&robot, stability::common_motor_path(&robot), range, 131).unwrap();
        let [crossing] = found.found.as_slice() else { panic!("{found:?}") };
        assert!(crossing.stable_after);
        let angle = crossing.parameter.to_degrees();
        assert!((angle - set.crossing).abs() < PRINTED, "{angle} {}", set.crossing);
        assert!(largest_real_part(&robot, &at(&robot, crossing.parameter - 1e-3)).unwrap() > 0.0);
        assert!(largest_real_part(&robot, &at(&robot, crossing.parameter + 1e-3)).unwrap() <= 0.0);
    }
}

/// Set B, motor angles −45°…85°, x and y within ±0.2 m, a grid of 4 cm: 61 % unstable; all down to 0.31 m,
/// 87 % at 0.35 m, none from 0.39 m on. (Of the whole reach, without the square, it is 65 %.)
#[test]
fn the_unstable_share_of_the_workspace() {
    let robot = AnyRobot::open("delta-bortoff-b").unwrap();
    let (mut all, mut unstable) = (0, 0);
    for level in 0..12 {
        let depth = 0.15 + 0.04 * f64::from(level);
        let (mut here, mut falling) = (0, 0);
        for (i, j) in (-5..=5).flat_map(|i| (-5..=5).map(move |j| (i, j))) {
            let pose = PlatformState::at([0.04 * f64::from(i), 0.04 * f64::from(j), -depth]);
            let Ok(found) = robot.inverse_kinematics(&pose) else { continue };
            let within = |q: &f64| (-45.0..=85.0).contains(&q.to_degrees());
            if found.q.iter().all(within)
                && let Ok(worst) = largest_real_part(&robot, &pose)
            {
                here += 1;
                falling += i32::from(worst > 0.0);
            }
        }
        match level {
            0..=4 => assert_eq!(falling, here, "at {depth}"),
            5 => assert_eq!((100 * falling + here / 2) / here, 87, "{falling} of {here}"),
            _ => assert_eq!(falling, 0, "at {depth}"),
        }
        all += here;
        unstable += falling;
    }
    assert_eq!((100 * unstable + all / 2) / all, 61, "{unstable} of {all}");
}
