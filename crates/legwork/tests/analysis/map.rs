//! Fields over the workspace: the printed figures, the single states, any number of threads.

use legwork::analysis::map::{
    Coordinate, Direction, Extent, Grid, Map, MapError, MapTask, Quantity, Range, VolumeTask,
};
use legwork::recording::{Ending, Metadata, Recording};
use legwork::{AnyRobot, ForearmModel, PlatformState};
use legwork_testkit::{highest, largest, lowest};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

fn square(robot: &AnyRobot, z: f64) -> Grid {
    Grid::at_home(robot)
        .along(Range::new(Coordinate::X, -0.25, 0.25, 26))
        .and_then(|grid| grid.along(Range::new(Coordinate::Y, -0.25, 0.25, 26)))
        .and_then(|grid| grid.fixed(Coordinate::Z, z))
        .unwrap()
}

fn named(map: &Map, name: &str) -> usize {
    map.columns.iter().position(|column| column.name == name).unwrap()
}

/// spec of the maps of Codourey 1998, figures 4 and 5: lowest and highest diagonal entry, their ratio, the
/// largest coupling, and its ratio to the mean diagonal.
#[test]
fn the_maps_of_codourey_to_the_printed_digits() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let simplified = robot.with_forearm_model(ForearmModel::Simplified).unwrap();
    for (robot, z, printed) in [
        (&simplified, -0.23, ["0.0310", "0.0642", "2.07", "0.0175", "0.46"]),
        (&simplified, -0.35, ["0.0436", "0.0772", "1.77", "0.0285", "0.58"]),
        (&robot, -0.23, ["0.0285", "0.0641", "2.25", "0.0189", "0.52"]),
        (&robot, -0.35, ["0.0421", "0.0777", "1.85", "0.0302", "0.63"]),
    ] {
        let map = MapTask::new(robot, square(robot, z), &[Quantity::MassMatrix]).unwrap().run();
        assert_eq!(map.reached, 26 * 26);
        let diagonal: Vec<f64> =
            ["m11", "m22", "m33"].iter().flat_map(|n| map.column(named(&map, n))).collect();
        let coupling: Vec<f64> =
            ["m12", "m13", "m23"].iter().flat_map(|n| map.column(named(&map, n))).collect();
        let least = lowest(&diagonal);
        let most = highest(&diagonal);
        let mean = diagonal.iter().sum::<f64>() / diagonal.len() as f64;
        let off = largest(&coupling);
        let found = [
            format!("{least:.4}"),
            format!("{most:.4}"),
            format!("{:.2}", most / least),
            format!("{off:.4}"),
            format!("{:.2}", off / mean),
        ];
        assert_eq!(found, printed, "z = {z}");
    }
}

#[test]
fn the_worst_condition_of_both_slices() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    for (z, printed) in [(-0.23, "2.9"), (-0.35, "3.0")] {
        let map = MapTask::new(&robot, square(&robot, z), &[Quantity::Condition]).unwrap().run();
        assert_eq!(format!("{:.1}", map.summary(0).unwrap().highest.value), printed);
    }
}

/// A turn by 120° permutes the motors.
#[test]
fn the_mass_matrix_has_a_three_fold_symmetry() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let map = MapTask::new(&robot, square(&robot, -0.35), &[Quantity::MassMatrix]).unwrap().run();
    let (sin, cos) = 120_f64.to_radians().sin_cos();
    for pose in (0..map.grid.len()).step_by(37) {
        let [x, y, z, ..] = map.grid.coordinates(pose);
        let turned = PlatformState::at([cos * x - sin * y, sin * x + cos * y, z]);
        // The corners of the square leave the reach when turned.
        let Ok(state) = robot.state(&turned) else { continue };
        let mass = state.dynamics.unwrap().mass_matrix;
        let here = map.at(pose);
        for i in 0..3 {
            for j in 0..3 {
                // 1e-14: rounding of the turned position, times the condition (3), of entries of 0.05.
                assert!((mass[(i + 1) % 3][(j + 1) % 3] - here[3 * i + j]).abs() < 1e-14, "{pose}");
            }
        }
    }
}

/// Every family: what a map says is what a single state says, bit by bit.
#[test]
fn a_map_is_made_of_single_states() {
    for name in [
        "delta-industrial",
        "linuxcnc-rotary-delta",
        "gough-stewart",
        "five-bar",
        "planar-3rrr",
        "hexa",
        "linear-delta",
        "hexaglide",
        "c5",
        "space-table1",
    ] {
        let robot = AnyRobot::open(name).unwrap();
        let free = Coordinate::of(&robot);
        let home = Grid::at_home(&robot);
        let start = home.coordinates(0);
        let mut grid = home;
        for coordinate in free.iter().take(3) {
            let (middle, half) = (start[*coordinate as usize], if coordinate.turns() { 0.3 } else { 0.12 });
            grid = grid.along(Range::new(*coordinate, middle - half, middle + half, 5)).unwrap();
        }
        let masses = [Quantity::MassMatrix, Quantity::Gravity];
        let all = [Quantity::Condition, Quantity::Serial, Quantity::Parallel];
        let asked: Vec<Quantity> =
            all.into_iter().chain(masses.into_iter().filter(|_| robot.has_masses())).collect();
        let map = MapTask::new(&robot, grid.clone(), &asked).unwrap().ignoring_limits().run();
        assert!(map.reached > 20, "{name}: {}", map.reached);
        for pose in 0..grid.len() {
            let here = map.at(pose);
            let Ok(state) = robot.state(&grid.platform(grid.coordinates(pose))) else {
                assert!(here.iter().all(|value| value.is_nan()), "{name} {pose}");
                continue;
            };
            let mut expected = vec![state.singularity.condition];
            expected.extend(&state.singularity.serial);
            expected.push(lowest(&state.singularity.serial));
            expected.push(state.singularity.parallel);
            if let Some(dynamics) = state.dynamics.filter(|_| robot.has_masses()) {
                expected.extend(dynamics.mass_matrix.concat());
                expected.extend(&dynamics.gravity);
                expected.push(largest(&dynamics.gravity));
            }
            assert_eq!(here, expected, "{name} {pose}");
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    for name in ["delta-industrial", "gough-stewart"] {
        let robot = AnyRobot::open(name).unwrap();
        let home = Grid::at_home(&robot);
        let z = home.coordinates(0)[2];
        let bits = |threads: usize| -> Vec<u64> {
            let grid = Grid::at_home(&robot)
                .along(Range::new(Coordinate::X, -0.5, 0.5, 31))
                .and_then(|grid| grid.along(Range::new(Coordinate::Y, -0.5, 0.5, 31)))
                .and_then(|grid| grid.along(Range::new(Coordinate::Z, z - 0.1, z + 0.1, 3)))
                .unwrap();
            let asked =
                [Quantity::Reachable, Quantity::Amplification, Quantity::MassMatrix, Quantity::Passive];
            let map = MapTask::new(&robot, grid, &asked).unwrap().on_threads(threads).run();
            (0..map.grid.len()).flat_map(|pose| map.at(pose).to_vec()).map(f64::to_bits).collect()
        };
        let one = bits(1);
        assert!(one == bits(2) && one == bits(5), "{name}");
    }
}

/// The largest acceleration and force, by their definition: no motor beyond its limit, and one at it.
#[test]
fn peaks_bring_one_motor_to_its_limit() {
    let robot = AnyRobot::open("hexaglide").unwrap();
    let limit = robot.joints()[0].max_effort.unwrap();
    let home = Grid::at_home(&robot).coordinates(0);
    let grid = || {
        Grid::at_home(&robot)
            .along(Range::new(Coordinate::X, -0.05, 0.05, 3))
            .and_then(|grid| grid.along(Range::new(Coordinate::Z, home[2] - 0.02, home[2] + 0.02, 3)))
            .unwrap()
    };
    let asked = [Quantity::Acceleration, Quantity::Force];
    let direction = [0.6, 0.0, 0.8];
    let worst = MapTask::new(&robot, grid(), &asked).unwrap().run();
    let along =
        MapTask::new(&robot, grid(), &asked).unwrap().towards(Direction::Along(direction)).unwrap().run();
    for pose in 0..9 {
        let still = worst.grid.platform(worst.grid.coordinates(pose));
        let (a, f) = (along.at(pose)[0], along.at(pose)[1]);
        let largest = |state: &PlatformState| {
            let dynamics = robot.state(state).unwrap().dynamics.unwrap();
            let parts = dynamics.inertial.iter().zip(&dynamics.gravity).zip(&dynamics.external);
            largest(parts.map(|((i, g), e)| i + g + e))
        };
        let moving = still.moving([0.0; 3], direction.map(|x| x * a));
        // 1e-9: rounding, times the condition of the posture.
        assert!((largest(&moving) / limit - 1.0).abs() < 1e-9);
        // The environment pushes back.
        assert!((largest(&still.with_force(direction.map(|x| -x * f))) / limit - 1.0).abs() < 1e-9);
        assert!(worst.at(pose)[0] <= a && worst.at(pose)[1] <= f);
        // No direction is worse than the worst one: a ball of directions stays within the limits.
        for k in 0..200 {
            let (u, v) = (f64::from(k) * 2.399_963, 1.0 - 2.0 * (f64::from(k) + 0.5) / 200.0);
            let r = (1.0 - v * v).sqrt();
            let push = [r * u.cos(), r * u.sin(), v].map(|x| x * worst.at(pose)[1]);
            assert!(largest(&still.with_force(push)) <= limit * (1.0 + 1e-9));
        }
    }
}

#[test]
fn amplification_is_one_at_the_best_pose() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let map = MapTask::new(&robot, square(&robot, -0.35), &[Quantity::Amplification]).unwrap().run();
    let summary = map.summary(0).unwrap();
    assert_eq!(summary.lowest.value, 1.0);
    // By its definition at the worst pose: the norm of the longest column of J, in another order.
    let at = |place: [f64; 6]| {
        let state = robot.state(&map.grid.platform(place)).unwrap();
        largest((0..3).map(|k| state.jacobian.iter().map(|row| row[k] * row[k]).sum::<f64>().sqrt()))
    };
    let ratio = at(summary.highest.coordinates) / at(summary.lowest.coordinates);
    // 1e-11: the places are those of numbers equal to 1e-12.
    assert!((summary.highest.value / ratio - 1.0).abs() < 1e-11, "{ratio}");
}

#[test]
fn passive_angles_are_zero_at_home_and_those_of_the_triangle_elsewhere() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let home = robot.home();
    let here = PlatformState::at([home.position[0] + 0.1, home.position[1], home.position[2]]);
    let angles = robot.passive_angles(&here).unwrap();
    let linkage = robot.linkage().unwrap();
    let posture = linkage.posture(here.position.into()).unwrap();
    let g = linkage.geometry();
    for (k, leg) in posture.legs.to_array().iter().enumerate() {
        // Law of cosines in the triangle motor, elbow, platform joint.
        let far = (leg.arm() + leg.s).norm_sq();
        let cosine = (far - g.arm * g.arm - g.forearm * g.forearm) / (2.0 * g.arm * g.forearm);
        assert!((angles[2 * k].cos() - cosine).abs() < 1e-12);
    }
    // Leg 1 is in the plane y = 0, and so is the platform: it does not swing, the others do.
    assert!(angles[1].abs() < 1e-12 && angles[3].abs() > 0.05 && (angles[3] + angles[5]).abs() < 1e-12);
    let x = Range::new(Coordinate::X, home.position[0] - 0.1, home.position[0] + 0.1, 3);
    let grid = Grid::at_home(&robot).along(x).unwrap();
    let map = MapTask::new(&robot, grid, &[Quantity::Passive]).unwrap().run();
    assert!(map.at(1).iter().all(|angle| angle.abs() < 1e-12), "home");
    assert_eq!(map.columns.len(), 7);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let delta = AnyRobot::open("delta-direct-drive").unwrap();
    let home = || Grid::at_home(&delta);
    let x = Range::new(Coordinate::X, -0.1, 0.1, 3);
    assert!(matches!(home().fixed(Coordinate::Roll, 0.1), Err(MapError::NotAFreedom { .. })));
    assert!(matches!(home().along(x).unwrap().fixed(Coordinate::X, 0.0), Err(MapError::Twice { .. })));
    for empty in [(0.1, -0.1, 3), (0.1, 0.1, 3), (0.0, 0.1, 0), (0.0, 0.1, 1), (f64::NAN, 0.1, 3)] {
        let range = Range::new(Coordinate::X, empty.0, empty.1, empty.2);
        assert!(matches!(home().along(range), Err(MapError::EmptyRange { .. })), "{empty:?}");
    }
    assert!(matches!(MapTask::new(&delta, home(), &[Quantity::Condition]), Err(MapError::Nothing { .. })));
    let grid = || home().along(x).unwrap();
    assert!(matches!(MapTask::new(&delta, grid(), &[]), Err(MapError::Nothing { .. })));
    assert!(matches!(MapTask::new(&delta, grid(), &[Quantity::Force]), Err(MapError::NoEffortLimit { .. })));
    let huge = home().along(Range::new(Coordinate::X, 0.0, 0.1, usize::MAX)).unwrap();
    assert!(matches!(MapTask::new(&delta, huge, &[Quantity::Serial]), Err(MapError::TooMany { .. })));
    let bare = AnyRobot::open("irb360-flexpicker").unwrap();
    let grid = Grid::at_home(&bare).along(x).unwrap();
    assert!(matches!(MapTask::new(&bare, grid, &[Quantity::Gravity]), Err(MapError::NoMasses { .. })));
    let glide = AnyRobot::open("hexaglide").unwrap();
    let task = MapTask::new(&glide, Grid::at_home(&glide).along(x).unwrap(), &[Quantity::Force]).unwrap();
    assert!(matches!(task.towards(Direction::Along([0.0; 3])), Err(MapError::Direction { .. })));
}

#[test]
fn a_map_out_of_reach_has_no_summary() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let map = MapTask::new(&robot, square(&robot, -3.0), &[Quantity::Condition, Quantity::Reachable])
        .unwrap()
        .run();
    assert_eq!((map.reached, map.summary(0), map.is_partial()), (0, None, false));
    assert_eq!(map.summary(1).unwrap().highest.value, 0.0);
}

#[test]
fn a_run_that_is_stopped_keeps_what_it_has() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let grid = Grid::at_home(&robot)
        .along(Range::new(Coordinate::X, -0.1, 0.1, 500))
        .and_then(|grid| grid.along(Range::new(Coordinate::Y, -0.1, 0.1, 100)))
        .unwrap();
    let stop = AtomicBool::new(false);
    let told = Mutex::new(Vec::new());
    let tell = |share: f64| {
        told.lock().unwrap().push(share);
        stop.store(share > 0.3, Ordering::Relaxed);
    };
    let map = MapTask::new(&robot, grid, &[Quantity::Condition])
        .unwrap()
        .on_threads(1)
        .until(&stop)
        .with_progress(&tell)
        .run();
    assert!(map.is_partial() && map.done > 15_000 && map.done < 15_600, "{}", map.done);
    assert_eq!(map.column(0).filter(|value| !value.is_nan()).count(), map.done);
    assert!(told.into_inner().unwrap().windows(2).all(|pair| pair[1] > pair[0]));
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("stopped.csv");
    map.save(&path, &Metadata::new()).unwrap();
    let ending = format!("interrupted after {} of 50000 poses, {} not computed", map.done, 50_000 - map.done);
    assert_eq!(Recording::open(path).unwrap().ending(), &Ending::Finished(ending));
}

/// What was not computed is told apart from what is out of reach: in the table, on the page and in the picture, on any
/// number of threads.
#[test]
fn a_map_that_is_stopped_marks_what_it_has_not_computed() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let grid = Grid::at_home(&robot)
        .along(Range::new(Coordinate::X, -0.9, 0.9, 100))
        .and_then(|grid| grid.along(Range::new(Coordinate::Y, -0.9, 0.9, 100)))
        .unwrap();
    let whole = MapTask::new(&robot, grid.clone(), &[Quantity::Condition]).unwrap().run();
    for threads in [1, 4] {
        let stop = AtomicBool::new(false);
        let tell = |share: f64| {
            stop.fetch_or(share > 0.5, Ordering::Relaxed);
        };
        let task = MapTask::new(&robot, grid.clone(), &[Quantity::Condition]).unwrap();
        assert_eq!(task.size().to_string(), "10000 poses with 1 number each, 80 kB of memory");
        let map = task.on_threads(threads).until(&stop).with_progress(&tell).run();
        assert!(map.is_partial() && map.done >= 5000, "{}", map.done);
        // The first poses, without a gap: to the bit those of the whole map.
        for pose in 0..10_000 {
            let (found, expected) = (map.at(pose)[0], whole.at(pose)[0]);
            if map.is_computed(pose) {
                assert_eq!(found.to_bits(), expected.to_bits(), "{pose} of {}", map.done);
            } else {
                assert!(found.is_nan(), "{pose} of {}", map.done);
            }
        }
        let path =
            std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("marked{threads}.parquet"));
        map.save(&path, &Metadata::new()).unwrap();
        let table = Recording::open(&path).unwrap();
        let (computed, numbers) = (table.values("computed").unwrap(), table.values("condition").unwrap());
        assert_eq!(computed.iter().filter(|mark| **mark == 1.0).count(), map.done);
        assert!(computed.iter().zip(numbers).any(|(mark, number)| *mark == 1.0 && number.is_nan()));
        let page = map.report().to_json().to_string();
        assert!(page.contains("dark grey: not computed") && page.contains("hatched: out of reach"));
        assert!(page.contains(&format!("\"computed\":{}", map.done)), "the page");
        assert_ne!(map.figure().to_png(), whole.figure().to_png());
    }
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("unmarked.parquet");
    whole.save(&path, &Metadata::new()).unwrap();
    assert_eq!(Recording::open(&path).unwrap().values("computed"), None);
}

#[test]
fn a_table_reads_back() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let grid = Grid::at_home(&robot)
        .along(Range::new(Coordinate::Roll, -0.2, 0.2, 5))
        .and_then(|grid| grid.along(Range::new(Coordinate::Yaw, -0.2, 0.2, 4)))
        .unwrap();
    let map = MapTask::new(&robot, grid, &[Quantity::Condition]).unwrap().run();
    for name in ["map.csv", "map.parquet"] {
        let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        map.save(&path, &Metadata::new()).unwrap();
        let back = Recording::open(&path).unwrap();
        assert_eq!(back.values("condition").unwrap(), map.column(0).collect::<Vec<_>>());
        assert_eq!(back.values("yaw").unwrap()[5], map.grid.ranges()[1].at(1));
        assert!(back.metadata().get("z").is_some_and(|z| z.ends_with(" m")));
    }
    assert!(map.save("map.mcap", &Metadata::new()).is_err());
}

#[test]
fn pictures_of_every_dimension() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let stewart = AnyRobot::open("gough-stewart").unwrap();
    let home = Grid::at_home(&stewart).coordinates(0);
    let slice = || {
        Grid::at_home(&stewart)
            .along(Range::new(Coordinate::X, -0.3, 0.3, 11))
            .and_then(|grid| grid.along(Range::new(Coordinate::Y, -0.3, 0.3, 11)))
            .unwrap()
    };
    let run = |grid: Grid, quantity| MapTask::new(&stewart, grid, &[quantity]).unwrap().run();
    let masses = run(slice(), Quantity::MassMatrix).figure();
    let svg = masses.to_svg();
    assert_eq!(svg.matches("<image").count(), 37);
    assert!(svg.contains(">m66<") && svg.contains("[kg]"));
    let volume = slice().along(Range::new(Coordinate::Z, home[2] - 0.1, home[2] + 0.1, 20)).unwrap();
    let slices = run(volume, Quantity::Condition).figure();
    assert_eq!(slices.to_svg().matches("<image").count(), 10);
    let line = Grid::at_home(&stewart).along(Range::new(Coordinate::Yaw, -0.7, 0.7, 81)).unwrap();
    let line = run(line, Quantity::Gravity).figure();
    line.save(folder.join("line.png")).unwrap();
    assert!(line.to_svg().contains("yaw [deg]") && line.to_svg().contains("gravity6"));
}

#[test]
fn a_workspace_has_a_size_and_a_closed_boundary() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let volume = VolumeTask::new(&robot, Grid::at_home(&robot)).with_cells(14).run().unwrap().unwrap();
    let finer = VolumeTask::new(&robot, Grid::at_home(&robot)).with_cells(28).run().unwrap().unwrap();
    assert!(
        (volume.size - finer.size).abs() < 2.0 * volume.error,
        "{} {} {}",
        volume.size,
        finer.size,
        volume.error
    );
    let mesh = finer.mesh.unwrap();
    assert!(mesh.is_closed() && (mesh.volume() - finer.size).abs() < 1e-15);
    // The lowest point is on the axis: stretched legs.
    let (lowest, ..) = robot.reach().unwrap();
    assert!((finer.bounds[2].0 - lowest).abs() < 5e-3, "{:?} {lowest}", finer.bounds);
    // A third of a turn does not move it: three supports at 120° are equally far.
    let support = |angle: f64| {
        let (sin, cos) = angle.to_radians().sin_cos();
        highest(mesh.vertices.iter().map(|v| v[0] * cos + v[1] * sin))
    };
    assert!((support(30.0) - support(150.0)).abs() < 2e-2 && (support(0.0) - support(240.0)).abs() < 2e-2);
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("reach.stl");
    mesh.save(&path).unwrap();
    assert_eq!(std::fs::read(path).unwrap().len(), 84 + 50 * mesh.triangles.len());
    assert!(mesh.save("reach.ply").is_err());
}

/// Both arms stretched: the reach of a five-bar is where two rings meet, an area known by quadrature.
#[test]
fn the_area_of_a_five_bar_is_that_of_two_rings() {
    let robot = AnyRobot::open("five-bar").unwrap();
    let grid = Grid::at_home(&robot);
    let volume = VolumeTask::new(&robot, grid.clone()).with_cells(60).run().unwrap().unwrap();
    assert_eq!((volume.unit, volume.mesh), ("m^2", None));
    let extent = Extent::of(&robot, &grid, &[Coordinate::X, Coordinate::Y], true);
    assert!(extent.is_bounded);
    // Counting points of a fine grid, no boundary and no bisection.
    let count = 150;
    let [(_, x0, x1), (_, y0, y1)] = extent.ranges[..] else { panic!() };
    let grid = grid
        .along(Range::new(Coordinate::X, x0, x1, count))
        .and_then(|grid| grid.along(Range::new(Coordinate::Y, y0, y1, count)))
        .unwrap();
    let map = MapTask::new(&robot, grid, &[Quantity::Reachable]).unwrap().run();
    let cell = (x1 - x0) * (y1 - y0) / ((count - 1) * (count - 1)) as f64;
    let counted = map.column(0).sum::<f64>() * cell;
    // Counting is good to the boundary's length times a cell; parts that do not hang together with home count too.
    assert!(volume.size < counted * 1.03 && volume.size > 0.3 * counted, "{} {counted}", volume.size);
}

/// A grid of 4 cm through the reach of set B, x and y within ±0.2 m.
fn four_centimetres(robot: &AnyRobot) -> Grid {
    Grid::at_home(robot)
        .along(Range::new(Coordinate::X, -0.2, 0.2, 11))
        .and_then(|grid| grid.along(Range::new(Coordinate::Y, -0.2, 0.2, 11)))
        .and_then(|grid| grid.along(Range::new(Coordinate::Z, -0.59, -0.15, 12)))
        .unwrap()
}

/// Set B with motor angles −45°…85°: 61 % unstable, all down to 0.31 m, 87 % at 0.35 m, none from 0.39 m on.
#[test]
fn the_unstable_share_of_a_map() {
    let mut text =
        legwork::description::BUILT_IN.iter().find(|r| r.name == "delta-bortoff-b").unwrap().text.to_owned();
    text.push_str("\n[limits]\nangle_min = \"-45 deg\"\nangle_max = \"85 deg\"\n");
    let robot = AnyRobot::new(legwork::description::RobotDescription::parse(&text, "b").unwrap()).unwrap();
    let map = MapTask::new(&robot, four_centimetres(&robot), &[Quantity::Stability]).unwrap().run();
    let share = map.unstable_share().unwrap();
    assert_eq!((100.0 * share).round(), 61.0);
    for (level, printed) in [(8, 100.0), (7, 100.0), (6, 87.0), (5, 0.0), (4, 0.0)] {
        let slice: Vec<f64> =
            map.column(0).skip(121 * level).take(121).filter(|part| !part.is_nan()).collect();
        let unstable = slice.iter().filter(|part| **part > 0.0).count();
        assert_eq!((100.0 * unstable as f64 / slice.len() as f64).round(), printed, "level {level}");
    }
}
