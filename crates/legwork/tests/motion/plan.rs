//! The fastest motion of any robot: the numbers of the core, limits kept, what cannot be done.

use legwork::description::{BUILT_IN, RobotDescription};
use legwork::experiment::{AnyPath, around_home, way_points};
use legwork::plan::{Bound, PlanError, PlanLimits, PlanTask, PoseFault, adept_cycle, check};
use legwork::task::{Choice, Handle, PathKind, PlanRequest, SizeRequest};
use legwork::trajectory::{
    Arc, Geodesic, Line, Path, PathFaultKind, PickAndPlace, Reversed, SemiEllipse, TimeLaw, Turned, Turning,
};
use legwork::units::Quantity;
use legwork::{AnyRobot, M3, PlatformState, V3};
use legwork_testkit::{Seeded, largest, nan_max};

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

/// A plan that is told to end does so at the next place of its path, not at the end of its grid.
#[test]
fn a_plan_ends_where_it_is_told() {
    let (robot, path) = (industrial(), adept());
    for most in [1, 3000, 30_000] {
        let asked = std::cell::Cell::new(0_u32);
        let go_on = || {
            asked.set(asked.get() + 1);
            asked.get() < most
        };
        let task = PlanTask::new(&robot, &path, limits(&robot)).with_intervals(10_000);
        assert!(task.run_while(&go_on).unwrap().is_none(), "{most}");
        assert!(asked.get() < most + 50, "{most}: asked {} times", asked.get());
    }
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
            let place = PlatformState::at(pose.position.to_array()).turned(pose.rotation.to_rows());
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
    let PlanError::CannotHold { s, motor, needed, limit, .. } = weak else { panic!("{weak}") };
    let place = path.at(s).pose.position.to_array();
    let held = robot.gravity(&PlatformState::at(place)).unwrap();
    // 1e-6: the robot creeps where it was asked.
    assert!((held[motor].abs() - needed).abs() < 1e-6 && limit == 1.0 && needed > 1.0, "{weak}");
    assert!(weak.to_string().contains("the motors cannot hold the robot"), "{weak}");

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

/// What each motor needs to hold and to begin to move the robot along a path, weight and Coulomb friction
/// together: with more than this there is always a motion, if only a slow one.
fn least_efforts(robot: &AnyRobot, path: &impl Path) -> Vec<f64> {
    const PLACES: u32 = 50;
    let mut most = vec![0.0; robot.joints().len()];
    for k in 0..=PLACES {
        let point = path.at(path.length() * f64::from(k) / f64::from(PLACES));
        // So slow that viscous friction and inertia are nothing beside the rest.
        for way in [0.0, 1e-9, -1e-9] {
            let state = point.moving(way, 0.0);
            let place = PlatformState {
                twist: state.twist.to_vector_linear_first(),
                ..PlatformState::at(state.pose.position.to_array()).turned(state.pose.rotation.to_rows())
            };
            let efforts = robot.inverse_dynamics(&place).unwrap();
            most.iter_mut().zip(efforts).for_each(|(most, effort)| *most = nan_max(*most, effort.abs()));
        }
    }
    most
}

/// The robots that have torques.
fn robots_with_masses() -> impl Iterator<Item = (&'static str, AnyRobot)> {
    BUILT_IN
        .iter()
        .map(|entry| (entry.name, AnyRobot::open(entry.name).unwrap()))
        // Mechanisms: some follow sideways and cannot go along a path in x, y and z, others have short strokes.
        .filter(|(_, robot)| robot.has_masses() && robot.mobility().is_none())
}

/// Limits of the motors for a path about home, as TOML: three times what holding takes, and something for motors that
/// hold nothing.
fn ample_limits(robot: &AnyRobot) -> String {
    let hold = least_efforts(robot, &adept_cycle(robot).unwrap());
    let limits: Vec<f64> = hold.iter().map(|hold| 3.0 * hold + 10.0).collect();
    format!("limits = {{ torque_limit = {limits:?} }}\n")
}

/// Every shape of path about home, there and back, on a coarse grid or on as fine a one as keeps the limits.
fn plan_every_shape((name, robot): (&str, AnyRobot), intervals: Option<usize>) -> usize {
    let limits = ample_limits(&robot);
    let grid = intervals.map_or(String::new(), |count| format!("intervals = {count}"));
    for (_, kind, _) in PathKind::CHOICES {
        if *kind == "turn" && !robot.freedoms().iter().any(legwork::Freedom::turns) {
            continue;
        }
        let asked = format!("robot = '{name}'\npath = {{ kind = '{kind}' }}\n{limits}{grid}");
        let plan: PlanRequest = toml::from_str(&asked).unwrap();
        let plan = plan.run(&Handle::none()).unwrap_or_else(|error| panic!("{name}, {kind}: {error}"));
        // A coarse grid bulges between its points.
        let most = if intervals.is_some() { 2.0 } else { 1.0 + 1e-6 };
        for way in [plan.there.as_ref().unwrap(), plan.back.as_ref().unwrap()] {
            assert!(way.duration > 0.0 && way.duration < 10.0, "{name}, {kind}: {} s", way.duration);
            let used = way.largest_use;
            assert!(used > 0.9 && used < most, "{name}, {kind}: {used}");
        }
    }
    PathKind::CHOICES.len() - 1
}

#[test]
fn every_robot_has_a_fastest_motion_along_every_shape_of_path() {
    let planned: usize = robots_with_masses().map(|robot| plan_every_shape(robot, Some(6))).sum();
    assert!(planned >= 5 * 20, "{planned}");
}

/// A robot whose limits leave no room for the Adept cycle is not refused: its usual path is one that fits, and so is
/// whatever goes between its ends.
#[test]
fn a_usual_path_fits_the_robot() {
    let text = RobotDescription::built_in("linear-delta").unwrap().text.unwrap();
    let narrow = text.to_string() + "\n[limits]\nposition_min = '300 mm'\nposition_max = '380 mm'\n";
    let robot = AnyRobot::new(RobotDescription::parse(&narrow, "narrow.toml").unwrap()).unwrap();
    check(&robot, &adept_cycle(&robot).unwrap()).expect_err("the Adept cycle is too wide for it");
    let folder = std::env::temp_dir().join(format!("legwork-narrow-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("narrow.toml");
    std::fs::write(&file, narrow).unwrap();
    for kind in ["", "line", "arc", "semi-ellipse", "pick-and-place", "way-points"] {
        let path = if kind.is_empty() { String::new() } else { format!("path = {{ kind = '{kind}' }}\n") };
        let asked = format!(
            "robot = '{}'\nlimits = {{ torque_limit = 200 }}\nintervals = 12\n{path}",
            file.display()
        );
        let plan: PlanRequest = toml::from_str(&asked).unwrap();
        let plan = plan.run(&Handle::none()).unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert!(plan.length > 0.01 && plan.length < 0.305, "{kind}: {} m", plan.length);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
#[ignore = "minutes without optimisation; the same on a coarse grid is not ignored"]
fn every_robot_keeps_its_limits_along_every_shape_of_path() {
    let planned: usize = robots_with_masses().map(|robot| plan_every_shape(robot, None)).sum();
    assert!(planned >= 5 * 20, "{planned}");
}

/// Where a motion begins or ends, dry friction has the sign of that motion: a motor that brakes with all it has keeps its
/// limit there too.
#[test]
fn friction_at_rest_is_within_the_limits() {
    let plan: PlanRequest = toml::from_str("robot = 'delta-four-axis'\npath = { kind = 'turn' }").unwrap();
    let plan = plan.run(&Handle::none()).unwrap();
    for way in [plan.there.as_ref().unwrap(), plan.back.as_ref().unwrap()] {
        assert!(way.largest_use > 0.999 && way.largest_use < 1.0 + 1e-6, "{}", way.largest_use);
    }
}

/// `size` with the fastest motion asks no more of the motors than it was given.
#[test]
fn the_fastest_cycle_of_size_keeps_its_limits() {
    for name in ["delta-bortoff-a", "survey-delta", "five-bar"] {
        let limits = ample_limits(&AnyRobot::open(name).unwrap());
        for path in ["", "path = { kind = 'pick-and-place' }"] {
            let asked = format!("robot = '{name}'\nfastest = true\n{limits}{path}");
            let size: SizeRequest = toml::from_str(&asked).unwrap();
            let most =
                size.limits.torque_limit.0.iter().map(|limit| limit.expect("", Quantity::Ratio).unwrap());
            let most: Vec<f64> = most.collect();
            let size = size.run(&Handle::none()).unwrap_or_else(|error| panic!("{name}, {path}: {error}"));
            for (joint, most) in size.joints.iter().zip(&most) {
                // 1e-5: efforts between the places at which the plan was verified.
                assert!(joint.peak_effort <= most * (1.0 + 1e-5), "{name}: {} of {most}", joint.peak_effort);
            }
        }
    }
}

/// A rotation by a random angle of at most this size \[rad\] about each axis that the platform turns about.
fn turned(random: &mut Seeded, robot: &AnyRobot, size: f64) -> M3<f64> {
    let mut angles = [0.0; 3];
    for freedom in robot.freedoms().iter().filter(|freedom| freedom.turns()) {
        angles[freedom.component - 3] = random.uniform(-size, size);
    }
    let [x, y, z] = legwork::rotation_from_roll_pitch_yaw(angles).map(V3::from);
    M3::from_rows(x, y, z)
}

/// A random path about home: any shape, any direction that the platform is free in, up to `size` \[m\], its
/// corners from nearly sharp to as round as they go; half of those of a platform that turns turn it.
fn random_path(random: &mut Seeded, robot: &AnyRobot, size: f64) -> Option<AnyPath> {
    let home = robot.home();
    let free = |k: usize| robot.freedoms().iter().any(|freedom| freedom.component == k);
    let place = |random: &mut Seeded, size: f64| {
        let away = random.triple(size);
        V3::from(std::array::from_fn(|k| home.position[k] + if free(k) { away[k] } else { 0.0 }))
    };
    let size = size * 10_f64.powf(random.uniform(-3.0, 0.0));
    let (a, b, c) = (place(random, size), place(random, size), place(random, size));
    let way = (b - a).norm_sq().sqrt();
    // Upright on the way, in the plane of a third point.
    let lift = (c - a) - (b - a) * ((c - a).dot(b - a) / (way * way));
    let height = lift.norm_sq().sqrt();
    let [x, y, z] = home.rotation.map(V3::from);
    let rotation = M3::from_rows(x, y, z);
    let shape = random.uniform(0.0, 5.0);
    let path = if shape < 1.0 {
        AnyPath::new(Line::new(a, b).ok()?)
    } else if shape < 2.0 {
        AnyPath::new(Arc::through(a, c, b).ok()?)
    } else if shape < 3.0 {
        AnyPath::new(SemiEllipse::new(a, b, lift).ok()?)
    } else if shape < 4.0 {
        let reach = height.min(0.5 * way) * 10_f64.powf(random.uniform(-3.0, 0.0));
        AnyPath::new(PickAndPlace::new(a, b, lift, reach).ok()?)
    } else {
        way_points(&[a, c, b], None).ok()?
    };
    let turns = robot.freedoms().iter().any(legwork::Freedom::turns) && random.uniform(0.0, 1.0) < 0.5;
    Some(if turns {
        let [from, to] = [(); 2].map(|()| turned(random, robot, 0.2) * rotation);
        AnyPath::new(Turning { path, orientation: Geodesic::new(from, to).ok()? })
    } else {
        AnyPath::new(Turned { path, rotation })
    })
}

/// Random paths of some robots with random limits that leave each motor 2 % or more beyond holding and friction:
/// a motion exists, so none may be refused. Gives how many were planned.
fn plan_random_paths(name: &str, size: f64, count: u32, seed: u64) -> u32 {
    let robot = AnyRobot::open(name).unwrap();
    let mut random = Seeded::new(seed);
    let mut planned = 0;
    for number in 0..count {
        let Some(path) = random_path(&mut random, &robot, size) else { continue };
        let more = 1.0 + 10_f64.powf(random.uniform(-1.7, 1.5));
        let speed = 10_f64.powf(random.uniform(-2.0, 3.0));
        // Out of reach and singular paths are another matter.
        let Ok(clearance) = check(&robot, &path) else { continue };
        let what =
            format!("{name}, seed {seed}, path {number} of {:.3e} m, {more:.3} of holding", path.length());
        let hold = least_efforts(&robot, &path);
        let least = 1e-3 * nan_max(1e-3, largest(&hold));
        let efforts: Vec<f64> = hold.iter().map(|hold| more * nan_max(*hold, least)).collect();
        let limits = PlanLimits::of(&robot).with_effort(&efforts).unwrap().with_speed(&[speed]).unwrap();
        let there = PlanTask::new(&robot, &path, limits.clone()).with_intervals(30);
        let there = there.with_clearance(clearance).run();
        let way_back = Reversed(&path);
        let back = PlanTask::new(&robot, &way_back, limits).with_intervals(30);
        let back = back.with_clearance(clearance.reversed(path.length())).run();
        for plan in [there, back] {
            let plan = plan.unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(plan.duration() > 0.0 && plan.duration().is_finite(), "{what}: {} s", plan.duration());
            // A coarse grid bulges between its points; a NaN is no number below two.
            assert!(plan.largest_use() < 2.0, "{what}: {}", plan.largest_use());
        }
        planned += 1;
    }
    planned
}

const RANDOM_PATHS: [(&str, f64); 8] = [
    ("delta-industrial", 0.3),
    ("delta-direct-drive", 0.2),
    ("five-bar", 0.2),
    ("linear-delta", 0.2),
    ("planar-3rrr", 0.1),
    ("gough-stewart", 0.2),
    ("space-radial", 0.2),
    ("hexa", 0.15),
];

/// The core does ten thousand on Deltas; these are the other robots, through the checked path and the verification.
#[test]
fn random_paths_are_not_refused() {
    let some = (1..).zip(RANDOM_PATHS);
    let planned: u32 = some.map(|(seed, (name, size))| plan_random_paths(name, size, 5, seed)).sum();
    assert!(planned > 20, "{planned}");
}

#[test]
#[ignore = "minutes without optimisation; a few of each robot are not ignored"]
fn ten_thousand_random_paths_are_not_refused() {
    let many = (1..).zip(RANDOM_PATHS);
    let planned: u32 = many.map(|(seed, (name, size))| plan_random_paths(name, size, 1250, seed)).sum();
    println!("{planned} of 10000 paths can be taken, and were planned both ways");
    assert!(planned > 5000, "{planned}");
}

/// The industrial Delta with the `[motor]` table of this text.
fn with_motor(lines: &str) -> AnyRobot {
    let text = RobotDescription::built_in("delta-industrial").unwrap().text.unwrap();
    let head = text.split("[motor]").next().unwrap();
    let text = format!("{head}[motor]\n{lines}\n");
    AnyRobot::new(RobotDescription::parse(&text, "geared.toml").unwrap()).unwrap()
}

/// A data sheet's motor, 6 N m and 3000 rpm, behind a gear of 10 is 60 N m and 300 rpm at the arm: the same cycle as with
/// these two, and both sides of every limit are told.
#[test]
fn a_motor_of_a_data_sheet_counts_before_its_gear() {
    let inertia = "rotor_inertia = '2e-4 kg m^2'\ngear_ratio = 10\n";
    let sheet = with_motor(&format!("{inertia}motor_torque = '6 N m'\nmotor_speed = '3000 rpm'"));
    let arm = with_motor(&format!("{inertia}joint_torque = '60 N m'\njoint_speed = '300 rpm'"));
    let old = with_motor(&format!("{inertia}max_torque = '60 N m'\nmax_speed = '300 rpm'"));
    let path = adept();
    let plan = |robot: &AnyRobot| {
        PlanTask::new(robot, &path, PlanLimits::of(robot)).with_intervals(200).run().unwrap().duration()
    };
    let [sheet_time, arm_time, old_time] = [&sheet, &arm, &old].map(plan);
    assert!((sheet_time / arm_time - 1.0).abs() < 1e-12 && arm_time == old_time, "{sheet_time} {arm_time}");
    let free = PlanTask::new(&industrial(), &path, limits(&industrial())).with_intervals(200).run().unwrap();
    // That one has the same inertia at the arm, 60 N m and 12 rad/s, and no motor is as fast. 1e-9: rounding.
    assert!((sheet_time / free.duration() - 1.0).abs() < 1e-9, "{sheet_time} {}", free.duration());

    let joint = &sheet.joints()[0];
    // 1e-12: rounding of a product.
    assert!((joint.max_effort.unwrap() - 60.0).abs() < 1e-12, "{joint:?}");
    assert!((joint.motor_effort(60.0) - 6.0).abs() < 1e-12 && joint.gear_ratio() == 10.0);
    // The lower one of what the motor gives and what the gear bears counts.
    let gear = with_motor(&format!("{inertia}motor_torque = '6 N m'\njoint_torque = '45 N m'"));
    assert_eq!(gear.joints()[0].max_effort, Some(45.0));

    let summary = |robot: &AnyRobot| {
        // Without its line breaks.
        let text = legwork::summary::RobotSummary::of(robot).to_string();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (named, unnamed) = (summary(&sheet), summary(&old));
    assert!(named.contains("60 N m at the arm, 6 N m at the motor"), "{named}");
    assert!(named.contains("3000 rpm at the motor") && !named.contains("max_torque"), "{named}");
    assert!(unnamed.contains("data sheet are motor_torque and motor_speed"), "{unnamed}");

    let both =
        RobotDescription::parse("family = 'delta'\n[motor]\nmax_torque = 1\njoint_torque = 2", "both.toml");
    let both = both.unwrap_err().to_string();
    assert!(both.contains("cannot stand beside"), "{both}");
}
