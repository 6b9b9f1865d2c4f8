//! Every assembly mode of every kind of robot, and the statement that is made of the list.

use legwork::assembly::{Completeness, Constraint, OriginConstraint, Poses, origin_places};
use legwork::engine::Route;
use legwork::random::Random;
use legwork::{AnyRobot, AssemblyModes, AssemblySolver, PlatformState};
use legwork_testkit::{gap, numbers};
use serde_json::Value;
use std::path::PathBuf;

/// Dietmaier's platform: forty real postures, computed by other people's elimination.
fn dietmaier() -> Value {
    serde_json::from_str(include_str!("dietmaier40.json")).unwrap()
}

fn triple(value: &Value) -> [f64; 3] {
    numbers(value).try_into().unwrap()
}

fn dietmaier_legs(file: &Value) -> [Constraint; 6] {
    let lengths = numbers(&file["leg_lengths"]);
    std::array::from_fn(|k| Constraint::Sphere {
        point: triple(&file["platform"][k]),
        center: triple(&file["base"][k]),
        radius: lengths[k],
    })
}

/// Every posture of the file is in the list, once, and no other.
fn agrees(file: &Value, found: &[([f64; 3], [[f64; 3]; 3])]) {
    let printed = file["postures"].as_array().unwrap();
    assert_eq!((printed.len(), found.len()), (40, 40));
    for posture in printed {
        let (t, r) = (triple(&posture["t"]), numbers(&posture["R"]));
        let near = |(position, rotation): &&([f64; 3], [[f64; 3]; 3])| {
            // 1e-10: rounding times the condition of the file's worst posture, 1.3e5, times ten.
            gap(position, t) < 1e-10 && gap(rotation.as_flattened(), &r) < 1e-10
        };
        assert_eq!(found.iter().filter(near).count(), 1, "{t:?}");
    }
}

fn dietmaier_by_seeds(seeds: std::ops::Range<u64>) {
    let file = dietmaier();
    let legs = dietmaier_legs(&file);
    for seed in seeds {
        let found = Poses::of_six_seeded(&legs, seed);
        assert_eq!(found.completeness, Completeness::Proved { solutions: 40, real: 40 }, "seed {seed}");
        let poses: Vec<_> = found.real.iter().map(|pose| (pose.position, pose.rotation)).collect();
        agrees(&file, &poses);
        for leg in &legs {
            assert!(found.real.iter().all(|pose| leg.gap(&pose.position, &pose.rotation).abs() < 1e-14));
        }
    }
}

#[test]
fn all_forty_postures_of_dietmaier_are_found_in_every_run() {
    dietmaier_by_seeds(0..4);
}

#[test]
#[ignore = "a thousand runs"]
fn all_forty_postures_of_dietmaier_are_found_in_a_thousand_runs() {
    dietmaier_by_seeds(4..1004);
}

/// The same through a robot file.
#[test]
fn the_robot_of_dietmaier_has_forty_assembly_modes() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/robot/dietmaier.toml");
    let robot = AnyRobot::open(path.to_str().unwrap()).unwrap();
    let file = dietmaier();
    let found = robot.assembly_modes(&numbers(&file["leg_lengths"])).unwrap();
    assert_eq!(found.completeness, Completeness::Proved { solutions: 40, real: 40 });
    let poses: Vec<_> =
        found.modes.iter().map(|mode| (mode.solution.position, mode.solution.rotation)).collect();
    agrees(&file, &poses);
    assert!(found.modes.iter().all(|mode| mode.is_own_mode && mode.solution.residual < 1e-14));
    assert_eq!(
        found.completeness.to_string(),
        "All postures: 40 complex solutions, 40 of them real. Complete and proved: 40 is the largest possible number."
    );
}

/// Near home, so that no symmetry hides what is general.
fn aside(robot: &AnyRobot) -> Vec<f64> {
    let mut state = robot.home();
    let steps = [0.03, -0.02, 0.01];
    for freedom in robot.freedoms().iter().filter(|freedom| !freedom.turns()) {
        state.position[freedom.component] += steps[freedom.component] * robot.platform_size();
    }
    robot.inverse_kinematics(&state).unwrap().q
}

fn opened(name: &str) -> (AnyRobot, AssemblyModes) {
    let robot = AnyRobot::open(name).unwrap();
    let found = robot.assembly_modes(&aside(&robot)).unwrap();
    (robot, found)
}

/// What every built-in family comes to. The numbers of hexapods are those of a trial by other code.
#[test]
fn families_have_their_known_numbers() {
    for (name, solutions, infinite) in
        [("gough-stewart", 28, 12), ("custom-gough-stewart", 28, 12), ("mathworks-stewart", 28, 12)]
    {
        let (_, found) = opened(name);
        let Completeness::Numerical { solutions: n, infinite: m, .. } = found.completeness else {
            panic!("{name}: {}", found.completeness)
        };
        assert_eq!((n, m), (solutions, infinite), "{name}");
    }
    for name in ["hexa", "hexaglide"] {
        let (_, found) = opened(name);
        assert!(
            matches!(found.completeness, Completeness::Proved { solutions: 40, .. }),
            "{name}: {}",
            found.completeness
        );
    }
    for name in ["linuxcnc-hexapod", "space-radial", "space-table1"] {
        let (_, found) = opened(name);
        assert!(
            matches!(found.completeness, Completeness::Bezout { solutions: 16, .. }),
            "{name}: {}",
            found.completeness
        );
    }
    for name in
        ["linear-delta", "delta-four-axis", "five-bar", "custom-five-bar", "custom-delta", "irb360-1600"]
    {
        let (_, found) = opened(name);
        assert_eq!(found.completeness, Completeness::ClosedForm { real: 2 }, "{name}");
    }
    let (_, found) = opened("planar-3rrr");
    assert!(matches!(found.completeness, Completeness::Degree { degree: 6, .. }), "{}", found.completeness);
}

/// The home of a Hexa has all motors at one angle: its elbows are in a plane, and twelve solutions go to infinity.
#[test]
fn a_hexa_with_equal_angles_has_fewer() {
    let robot = AnyRobot::open("hexa").unwrap();
    let q = robot.inverse_kinematics(&robot.home()).unwrap().q;
    let equal = vec![q.iter().sum::<f64>() / 6.0; 6];
    let found = robot.assembly_modes(&equal).unwrap().completeness;
    assert!(matches!(found, Completeness::Numerical { solutions: 28, infinite: 12, .. }), "{found}");
}

/// LinuxCNC's hexapod at home: 16 solutions, 8 of them real, 4 above the base.
#[test]
fn linuxcnc_has_sixteen_of_which_eight_are_real() {
    let robot = AnyRobot::open("linuxcnc-hexapod").unwrap();
    let q = robot.inverse_kinematics(&PlatformState::at([0.0, 0.0, 20.0 * 0.0254])).unwrap().q;
    let found = robot.assembly_modes(&q).unwrap();
    assert_eq!(found.completeness, Completeness::Bezout { solutions: 16, real: 8 });
    assert_eq!(found.modes.iter().filter(|mode| mode.solution.position[2] > 0.0).count(), 4);
    let home: Vec<_> = found.modes.iter().filter(|mode| mode.is_reached_from_home).collect();
    assert_eq!(home.len(), 1);
    assert!((home[0].solution.position[2] - 20.0 * 0.0254).abs() < 1e-12);
}

/// The second witness: whatever Newton's method falls into from random starts is in the list.
#[test]
fn random_starts_find_nothing_else() {
    let mut random = Random::new(7);
    for name in [
        "gough-stewart",
        "hexaglide",
        "hexa",
        "planar-3rrr",
        "space-radial",
        "linear-delta",
        "five-bar",
        "c5",
    ] {
        let robot = AnyRobot::open(name).unwrap();
        let q = aside(&robot);
        let all = robot.assembly_modes(&q).unwrap();
        let size = robot.platform_size();
        let mut seen = 0;
        for _ in 0..30 {
            let mut start = robot.home();
            for freedom in robot.freedoms().iter().filter(|freedom| !freedom.turns()) {
                start.position[freedom.component] += random.uniform(-2.0, 2.0) * size;
            }
            let Ok(found) = robot.forward_kinematics(&q, &start) else { continue };
            seen += 1;
            let near = |mode: &&legwork::AssemblyMode| {
                gap(mode.solution.position, found.position) < 1e-7 * size
                    && gap(mode.solution.rotation.as_flattened(), found.rotation.as_flattened()) < 1e-7
            };
            let listed = all.modes.iter().filter(near).count();
            assert_eq!(listed, 1, "{name}: {:?} {}", found.position, all.completeness);
        }
        assert!(seen > 0, "{name}");
        // One posture is that of home, and its legs are in the robot's own mode.
        assert_eq!(all.modes.iter().filter(|mode| mode.is_reached_from_home).count(), 1, "{name}");
        assert!(all.modes.iter().all(|mode| mode.solution.residual < 1e-11), "{name}");
    }
}

/// Rows of lengths of one robot: the same answers as one by one, for less work once the geometry is prepared.
#[test]
fn a_solver_is_prepared_by_the_second_row() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let mut solver = AssemblySolver::default();
    let mut q = aside(&robot);
    let mut work = Vec::new();
    for _ in 0..3 {
        q[2] += 0.004;
        let (row, alone) = (solver.modes(&robot, &q).unwrap(), robot.assembly_modes(&q).unwrap());
        assert_eq!(row.completeness, alone.completeness);
        for (a, b) in row.modes.iter().zip(&alone.modes) {
            assert!(gap(a.solution.position, b.solution.position) < 1e-11);
        }
        work.push(row.work.factorizations);
    }
    assert!(work[1] < work[0] / 3 && work[2] < work[0] / 3, "{work:?}");
}

/// Joint values that no posture has: a proof, not a search that ran out.
#[test]
fn no_posture_is_an_answer_too() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let mut q = aside(&robot);
    q[0] *= 4.0;
    let found = robot.assembly_modes(&q).unwrap();
    assert!(found.modes.is_empty());
    assert!(matches!(found.completeness, Completeness::Numerical { real: 0, .. }), "{}", found.completeness);
}

/// The posture that `fk` returns is that which the motors lead to from the start, or it says that it is not.
#[test]
fn forward_kinematics_says_when_it_is_elsewhere() {
    let robot = AnyRobot::open("five-bar").unwrap();
    let home = robot.home();
    let near = robot.inverse_kinematics(&PlatformState::at([0.05, 0.35, 0.0])).unwrap().q;
    assert_eq!(robot.forward_kinematics(&near, &home).unwrap().route, Route::Continuous);

    // Motors that pass through a singularity on their way: each robot has such joint values.
    let mut elsewhere = 0;
    let mut random = Random::new(17);
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let q = aside(&robot);
    for _ in 0..60 {
        let start = PlatformState { position: random.triple(0.9), ..robot.home() };
        let Ok(found) = robot.forward_kinematics(&q, &start) else { continue };
        match found.route {
            Route::Elsewhere { until } => {
                assert!((0.0..1.0).contains(&until));
                elsewhere += 1;
            }
            route => assert_eq!(route, Route::Continuous),
        }
        // Followed in small steps of the motors, the platform comes to the same posture or to none.
        let from = robot.inverse_kinematics(&start).unwrap().q;
        let mut pose = start;
        let arrives = (1..=400).all(|k| {
            let part = f64::from(k) / 400.0;
            let there: Vec<f64> = from.iter().zip(&q).map(|(a, b)| a + (b - a) * part).collect();
            robot.forward_kinematics_into(&there, &mut pose).is_ok()
        });
        if found.route == Route::Continuous {
            assert!(arrives);
            assert!(gap(pose.position, found.position) < 1e-9, "{:?} {:?}", pose.position, found.position);
        }
    }
    assert!(elsewhere > 0);
}

/// Rounding makes equations of legs that depend on each other; they are found out before.
#[test]
fn two_equal_legs_have_no_certificate() {
    let file = dietmaier();
    let mut legs = dietmaier_legs(&file);
    legs[4] = legs[2];
    let found = Poses::of_six(&legs);
    assert_eq!((found.completeness, found.real.len()), (Completeness::NoFiniteSet, 0));
    assert!(found.completeness.to_string().contains("two legs are the same"));
}

/// Three rods of different lengths: the place that they were measured from is found, and its mirror image in the plane of
/// their centres.
#[test]
fn unequal_spheres_meet_where_they_were_measured_from() {
    let mut random = Random::new(11);
    let mut judged = 0;
    for _ in 0..50 {
        let mut place = |size: f64| -> [f64; 3] { std::array::from_fn(|_| random.uniform(-size, size)) };
        let (origin, centers) = (place(0.7), [place(1.0), place(1.0), place(1.0)]);
        let minus = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] { std::array::from_fn(|k| a[k] - b[k]) };
        let dot = |a: [f64; 3], b: [f64; 3]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let spheres = centers.map(|center| {
            let away = minus(origin, center);
            OriginConstraint::Sphere { center, radius: dot(away, away).sqrt() }
        });
        let normal = cross(minus(centers[1], centers[0]), minus(centers[2], centers[0]));
        let size = dot(normal, normal);
        let height = dot(minus(origin, centers[0]), normal) / size;
        // Flat triangles and places in their plane lose digits.
        if size < 0.04 || (height * size.sqrt()).abs() < 0.05 {
            continue;
        }
        judged += 1;
        let mirrored = std::array::from_fn(|k| origin[k] - 2.0 * height * normal[k]);
        let (found, _) = origin_places(&spheres);
        assert_eq!(found.len(), 2);
        for wanted in [origin, mirrored] {
            // 1e-12: rounding over the height and the area left.
            assert!(found.iter().any(|one| gap(one.position, wanted) < 1e-12), "{wanted:?} {found:?}");
        }
    }
    assert!(judged > 30, "{judged}");
}
