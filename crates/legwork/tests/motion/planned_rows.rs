//! Motions whose acceleration jumps between the rows of their file.

use legwork::experiment::{Given, MotionRow, ReferenceMotion, SampledMotion};
use legwork::recording::Recording;
use legwork::task::{Handle, MotionRequest, PlanRequest, RobotRequest, SizeRequest, Time};
use legwork::{PlatformState, rotation};
use legwork_testkit::{Worst, largest};
use std::sync::Mutex;

/// A Delta with something to carry.
const LOADED: &str = "delta-industrial, loaded";

const ALL: Given = Given { velocity: [true; 2], acceleration: [true; 2] };

/// Along a line and about an axis, a switch from +A to −A between two rows: place, speed and acceleration.
fn switched(time: f64, switch: f64) -> PlatformState {
    let a = 60.0;
    let s = (time - switch).max(0.0);
    let way = a * time * time / 2.0 - a * s * s;
    let rate = a * time - 2.0 * a * s;
    let change = if time < switch { a } else { -a };
    let (line, axis) = ([0.6, 0.0, 0.8], rotation::unit([1.0, 2.0, -0.5]));
    let both = |x: f64| std::array::from_fn(|k| if k < 3 { x * line[k] } else { 2.0 * x * axis[k - 3] });
    PlatformState {
        twist: both(rate),
        acceleration: both(change),
        ..PlatformState::at(line.map(|e| way * e)).turned(rotation::about_axis(axis, 2.0 * way))
    }
}

/// The switch is found where it was, wherever between two rows: the rows are the motion that they were taken from.
#[test]
fn a_switch_between_two_rows_is_found() {
    for share in [0.02, 0.3, 0.5, 0.77, 0.999] {
        let switch = 0.010 + 1e-3 * share;
        let row = |k: u32| {
            let time = f64::from(k) * 1e-3;
            MotionRow { time, platform: switched(time, switch), mass: 0.0 }
        };
        let motion = SampledMotion::new(&(0..=20).map(row).collect::<Vec<_>>(), ALL).unwrap();
        let mut worst = ["position", "twist", "acceleration"].map(Worst::of);
        for k in 0..4000 {
            let time = (f64::from(k) + 0.5) * 5e-6;
            let (found, truth) = (motion.platform(time), switched(time, switch));
            let apart =
                |a: &[f64], b: &[f64]| largest(a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>());
            worst[0].see(apart(&found.position, &truth.position));
            worst[1].see(apart(&found.twist, &truth.twist));
            // The switch itself is found within a hundredth of a row.
            if (time - switch).abs() > 1e-5 {
                worst[2].see(apart(&found.acceleration, &truth.acceleration));
            }
        }
        // Measured 7e-12 m, 5e-8 and 2e-4 rad/s², of 120 rad/s²: the quaternion's own curvature.
        worst[0].below(5e-11);
        worst[1].below(5e-7);
        worst[2].below(2e-3);
        let joints = motion.cycle_joints();
        assert!(joints.iter().any(|joint| (joint - switch).abs() < 2e-6), "{share}: {joints:?}");
    }
}

/// What the rows of a plan ask of the motors is what the plan keeps, at the rows and between them.
#[test]
fn the_rows_of_a_plan_ask_no_more_of_the_motors_than_the_plan() {
    let folder = std::env::temp_dir().join(format!("legwork-planned-rows-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let place = "kind = 'pick-and-place', from = [-0.12, 0.02, -0.8], to = [0.13, -0.05, -0.75]";
    let cases = [
        ("delta-direct-drive", 12.0, "", 1e-3),
        ("delta-direct-drive", 17.0, "kind = 'line'", 0.7e-3),
        ("delta-industrial", 60.0, "", 0.4e-3),
        ("delta-industrial", 90.0, place, 1e-3),
        ("delta-industrial", 60.0, "kind = 'arc'", 2e-3),
        ("gough-stewart", 500.0, "", 1e-3),
        (
            "gough-stewart",
            700.0,
            "kind = 'line', from = [-0.1, 0, 0.85], to = [0.1, 0, 0.9, '10 deg', 0, '5 deg']",
            0.5e-3,
        ),
        ("five-bar", 6.0, "kind = 'semi-ellipse'", 1e-3),
        ("orthoglide", 60.0, "", 2e-3),
        // 1.5 kg one way: they are put down between two rows, where the acceleration jumps.
        (LOADED, 60.0, "", 1e-3),
    ];
    for (name, limit, path, sample) in cases {
        let (name, way) =
            if name == LOADED { ("delta-industrial", "carry = '1.5 kg'") } else { (name, "one_way = true") };
        let what = format!("{name}, {limit}, {path}, {sample} s");
        let [rows, fine] = ["rows.csv", "fine.csv"].map(|file| folder.join(file));
        let planned = PlanRequest {
            out: vec![rows.clone()],
            sample: Time(sample),
            ..toml::from_str(&format!(
                "robot = '{name}'\n{way}\nlimits = {{ torque_limit = {limit:?} }}\npath = {{ {path} }}"
            ))
            .unwrap()
        };
        let planned = planned.run(&Handle::none()).unwrap();
        assert!(planned.keeps_limits(), "{what}");
        let sized = SizeRequest {
            robot: RobotRequest::named(name),
            motion: Some(MotionRequest::File(rows)),
            out: vec![fine.clone()],
            sample: Time(sample / 10.0),
            ..SizeRequest::default()
        };
        let sized = sized.run(&Handle::none()).unwrap();
        let recording = Recording::open(&fine).unwrap();
        for ((peaks, joint), k) in planned.peaks.iter().zip(&sized.joints).zip(1..) {
            let kept = peaks.effort.value.abs();
            // 2 %: a law on a grid has several small jumps between two rows, of which rows tell nothing.
            assert!(joint.peak_effort < 1.02 * kept, "{what}: q{k} {} of {kept}", joint.peak_effort);
            // A peak shorter than a row may be missed.
            assert!(joint.peak_effort > 0.95 * kept, "{what}: q{k} {} of {kept}", joint.peak_effort);
            let column = ["tau", "f"].iter().find_map(|letter| recording.values(&format!("{letter}{k}")));
            let between = largest(column.unwrap().to_vec());
            assert!(between < 1.02 * kept, "{what}: q{k} {between} of {kept}");
        }
        // The energies agree over jumps too.
        let turned_over = sized.energy_without_regeneration;
        assert!(sized.imbalance.abs() < 1e-6 * turned_over, "{what}: {}", sized.imbalance);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Which columns of a recording are kept.
type Wanted<'a> = &'a dyn Fn(&str) -> bool;

/// Places alone, or places and velocities: where the acceleration jumps no spline goes on, so the motors are asked for little
/// more than with all three, and where there is a swing left it is told. Rows of the motors of mechanisms are rows too.
#[test]
fn rows_without_accelerations_do_not_swing_at_jumps() {
    let folder = std::env::temp_dir().join(format!("legwork-bare-rows-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // Of one spline through all rows: 33 %, 15 % and 28 % too much for places alone.
    let cases = [("gough-stewart", 500.0, 1.03), ("five-bar", 5.0, 1.05), ("tricept", 900.0, 1.2)];
    for (name, limit, most) in cases {
        let file = folder.join("rows.csv");
        let planned = PlanRequest {
            out: vec![file.clone()],
            sample: Time(1e-3),
            intervals: Some(400),
            ..toml::from_str(&format!(
                "robot = '{name}'\none_way = true\nlimits = {{ torque_limit = {limit:?} }}"
            ))
            .unwrap()
        };
        planned.run(&Handle::none()).unwrap();
        let recording = Recording::open(&file).unwrap();
        let is_place = |name: &str| ["x", "y", "z", "roll", "pitch", "yaw", "angle"].contains(&name);
        let is_speed = |name: &str| name.starts_with('v') || name.starts_with('w');
        let is_motor = |name: &str| name.strip_prefix('q').is_some_and(|k| k.parse::<u32>().is_ok());
        let kinds: [(&str, Wanted<'_>); 3] = [
            ("places", &is_place),
            ("speeds", &|name| is_place(name) || is_speed(name)),
            ("motors", &is_motor),
        ];
        for (kind, wanted) in kinds {
            let columns: Vec<String> = recording
                .columns()
                .iter()
                .map(|column| column.name.clone())
                .filter(|name| name == "t" || wanted(name))
                .collect();
            let rows = (0..recording.len())
                .map(|k| columns.iter().map(|name| recording.values(name).unwrap()[k]).collect())
                .collect();
            let request = SizeRequest {
                robot: RobotRequest::named(name),
                motion: Some(MotionRequest::Rows(legwork::task::MotionRows { columns, rows })),
                ..SizeRequest::default()
            };
            let notes = Mutex::new(Vec::new());
            let take = |note: &str| notes.lock().unwrap().push(note.to_owned());
            let sized = request.run(&Handle::none().with_notes(&take)).unwrap();
            let peak = largest(sized.joints.iter().map(|joint| joint.peak_effort).collect::<Vec<_>>());
            assert!(peak > 0.9 * limit && peak < most * limit, "{name}, {kind}: {peak} of {limit}");
            let is_told = notes.lock().unwrap().iter().any(|note| note.contains("have no accelerations"));
            assert!(is_told || peak < 1.13 * limit, "{name}, {kind}: {peak} of {limit}, and nothing is told");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
