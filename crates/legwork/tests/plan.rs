//! The fastest motion of any robot: the numbers of the core, limits kept, what cannot be done.

use legwork::experiment::{AnyPath, around_home};
use legwork::plan::{Bound, PlanError, PlanLimits, PlanTask, PoseFault, adept_cycle, check};
use legwork::trajectory::optimal::OptimalError;
use legwork::trajectory::{Line, Path, PathFaultKind, PickAndPlace, Reversed, TimeLaw, Turned};
use legwork::{AnyRobot, M3, V3};
use legwork_testkit::{largest, nan_max};

fn industrial() -> AnyRobot {
    AnyRobot::open("delta-industrial").unwrap()
}

/// The path of the core's own test: 25 mm, 305 mm, 25 mm at z = −0.8 m.
fn adept() -> AnyPath {
    AnyPath::new(PickAndPlace::adept(V3::new(0.0, 0.0, -0.8), 0.025).unwrap())
}

fn limits(robot: &AnyRobot) -> PlanLimits {
    PlanLimits::of(robot).with_effort(&[60.0]).unwrap().with_speed(&[12.0]).unwrap()
}

/// 0.162 s each way is what the core finds with its own closed form; here it is asked through the regulators' model.
#[test]
fn the_adept_cycle_of_the_industrial_delta() {
    let (robot, path) = (industrial(), adept());
    let plan = PlanTask::new(&robot, &path, limits(&robot)).run().unwrap();
    assert_eq!(format!("{:.3}", plan.duration()), "0.162");
    // 1e-6: what the verification on the finer grid allows.
    assert!(plan.largest_use() <= 1.0 + 1e-6, "{}", plan.largest_use());
    // Somewhere a limit is used up, or it would not be the fastest.
    assert!(plan.largest_use() > 1.0 - 1e-3, "{}", plan.largest_use());
    assert_eq!(plan.usage.len(), 6);
    let back = PlanTask::new(&robot, &Reversed(&path), limits(&robot)).run().unwrap();
    // The plane y = 0 is a mirror of the robot: leg 1 lies in it, so only the direction of x differs.
    assert!((back.duration() - plan.duration()).abs() < 0.02 * plan.duration());
}

#[test]
fn the_parts_cover_the_path_and_its_time() {
    let (robot, path) = (industrial(), adept());
    let plan = PlanTask::new(&robot, &path, limits(&robot)).run().unwrap();
    let (first, last) = (plan.parts.first().unwrap(), plan.parts.last().unwrap());
    assert_eq!((first.from, first.begin), (0.0, 0.0));
    assert_eq!((last.to, last.end), (path.length(), plan.duration()));
    for pair in plan.parts.windows(2) {
        assert_eq!((pair[0].to, pair[0].end), (pair[1].from, pair[1].begin));
    }
    // The law passes each of them when it says.
    for part in &plan.parts {
        // 1e-12: rounding of s over 0.3 m.
        assert!((plan.law.at(part.end).distance - part.to).abs() < 1e-12);
    }
}

/// A straight move of a robot that only pays for acceleration along it: the triangle of speed.
#[test]
fn acceleration_alone_gives_the_triangle() {
    let robot = industrial();
    let path = AnyPath::new(Line::new(V3::new(-0.1, 0.0, -0.8), V3::new(0.1, 0.0, -0.8)).unwrap());
    let limits = PlanLimits { tangential: 5.0, ..PlanLimits::of(&robot) };
    let plan = PlanTask::new(&robot, &path, limits).run().unwrap();
    // T = 2 √(L/a); 1e-9: rounding over 500 intervals.
    assert!((plan.duration() - 2.0 * (0.2_f64 / 5.0).sqrt()).abs() < 1e-9);
    assert_eq!(plan.usage.len(), 1);
    assert_eq!(plan.usage[0].bound, Bound::Tangential);
}

#[test]
fn every_robot_with_masses_has_a_plan() {
    for name in ["gough-stewart", "five-bar", "linear-delta", "hexa", "delta-direct-drive", "hexaglide"] {
        let robot = AnyRobot::open(name).unwrap();
        let path = around_home(&robot).unwrap();
        // Twice what it takes to hold the robot along the path.
        let hold = (0..=20).map(|k| {
            let pose = path.at(path.length() * f64::from(k) / 20.0).pose;
            let place = legwork::PlatformState::at(pose.position.to_array()).turned(pose.rotation.to_rows());
            let efforts = robot.state(&place).unwrap().dynamics.unwrap().motor;
            largest(efforts)
        });
        let limit = 2.0 * nan_max(1.0, largest(hold));
        let limits = PlanLimits::of(&robot).with_effort(&[limit]).unwrap();
        let plan = PlanTask::new(&robot, &path, limits).run().unwrap();
        assert!(plan.largest_use() <= 1.0 + 1e-6, "{name}: {}", plan.largest_use());
        assert!(plan.largest_use() > 0.99, "{name}: {}", plan.largest_use());
    }
}

#[test]
fn what_cannot_be_planned_says_where_and_why() {
    let (robot, path) = (industrial(), adept());
    let none = PlanTask::new(&robot, &path, PlanLimits::of(&robot)).run().unwrap_err();
    assert!(matches!(none, PlanError::NoLimits { .. }), "{none}");

    let weak = PlanLimits::of(&robot).with_effort(&[1.0]).unwrap();
    let weak = PlanTask::new(&robot, &path, weak).run().unwrap_err();
    assert!(matches!(weak, PlanError::Timing(OptimalError::Infeasible { .. })), "{weak}");
    assert!(weak.to_string().contains("motor"), "{weak}");

    let far = AnyPath::new(Line::new(V3::new(0.0, 0.0, -0.8), V3::new(2.0, 0.0, -0.8)).unwrap());
    let PlanError::Path(fault) = PlanTask::new(&robot, &far, limits(&robot)).run().unwrap_err() else {
        panic!("out of reach")
    };
    assert!(fault.s > 0.3 && fault.s < 1.0, "{fault}");

    let count = PlanLimits::of(&robot).with_effort(&[1.0, 2.0]).unwrap_err();
    assert_eq!(count, PlanError::Count { what: "effort limits", expected: 3, found: 2 });
    let massless = AnyRobot::open("irb360-1600").unwrap();
    let path = adept_cycle(&massless).unwrap();
    let limits = PlanLimits::of(&massless).with_effort(&[1.0]).unwrap();
    assert!(matches!(PlanTask::new(&massless, &path, limits).run(), Err(PlanError::Robot(_))));
}

#[test]
fn a_motor_at_its_limit_stops_a_path() {
    let robot = AnyRobot::open("irb360-flexpicker").unwrap();
    let home = robot.home().position;
    let to = V3::new(home[0], home[1], home[2] + 0.6);
    let path =
        Turned { path: Line::new(V3::from(home), to).unwrap(), rotation: M3::diagonal(V3::splat(1.0)) };
    let PlanError::Path(fault) = check(&robot, &path).unwrap_err() else { panic!("outside its limits") };
    let PathFaultKind::Robot(PoseFault::OutsideLimits { value, range, .. }) = fault.kind else {
        panic!("{fault}")
    };
    // The place is closed in on until the motor is at its limit.
    assert!((value - range[0].unwrap()).abs() < 1e-6, "{value}");
}
