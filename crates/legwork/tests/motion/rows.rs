//! Motions of every kind: between two heights, from rows, through several moves with what is picked up.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small counts
#![allow(clippy::needless_range_loop)] // rows and columns by their numbers

use legwork::analysis::size::Demand;
use legwork::experiment::{Given, LoadedRobot, MotionRow, ReferenceMotion, SampledMotion, TimedPath};
use legwork::recording::Recording;
use legwork::task::{
    CycleRequest, FollowRequest, Handle, MotionRequest, MotionRows, PlanRequest, PlanResult, SizeRequest,
};
use legwork::trajectory::{Law, Line, Path, Shape};
use legwork::{AnyRobot, PlatformState, V3, rotation};
use legwork_testkit::{Worst, highest, largest, nan_max};
use std::path::PathBuf;

/// A folder that goes away.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("legwork-motions-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

pub(super) fn norm(v: V3<f64>) -> f64 {
    v.norm_sq().sqrt()
}

fn plan(text: &str) -> PlanResult {
    toml::from_str::<PlanRequest>(text).unwrap().run(&Handle::none()).unwrap()
}

fn plan_error(text: &str) -> String {
    let error = toml::from_str::<PlanRequest>(text).unwrap().run(&Handle::none()).unwrap_err();
    format!("{error} | {}", error.hint().unwrap_or_default())
}

/// A platform that turns and goes round: known derivatives of every order.
fn known(time: f64) -> PlatformState {
    let (s, c) = time.sin_cos();
    let turn = 0.4 * (2.0 * time).sin();
    // About a fixed axis: ω and its change are along it.
    let axis = rotation::unit([1.0, 2.0, -0.5]);
    let (rate, change) = (0.8 * (2.0 * time).cos(), -1.6 * (2.0 * time).sin());
    PlatformState {
        twist: [-0.1 * s, 0.1 * c, 0.02, rate * axis[0], rate * axis[1], rate * axis[2]],
        acceleration: [-0.1 * c, -0.1 * s, 0.0, change * axis[0], change * axis[1], change * axis[2]],
        ..PlatformState::at([0.1 * c, 0.1 * s, 0.8 + 0.02 * time]).turned(rotation::about_axis(axis, turn))
    }
}

fn rows(step: f64, given: Given) -> SampledMotion {
    let count = (2.0 / step).round() as u32;
    // Its clock does not begin at zero.
    let row = |k: u32| {
        let time = f64::from(k) * step;
        MotionRow { time: 5.0 + time, platform: known(time), mass: 0.0 }
    };
    SampledMotion::new(&(0..=count).map(row).collect::<Vec<_>>(), given).unwrap()
}

/// Largest differences of position, velocity, angular velocity, acceleration and angular acceleration.
fn differences(motion: &SampledMotion, from: f64, to: f64) -> [f64; 4] {
    let mut worst = ["position", "rotation", "twist", "acceleration"].map(Worst::of);
    for k in 0..997 {
        let time = from + (to - from) * (f64::from(k) + 0.3) / 997.0;
        let (found, wanted) = (motion.platform(time), known(time));
        let apart = |a: &[f64], b: &[f64]| largest(a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>());
        worst[0].see(apart(&found.position, &wanted.position));
        worst[1].see(rotation::difference(&found.rotation, &wanted.rotation));
        worst[2].see(apart(&found.twist, &wanted.twist));
        worst[3].see(apart(&found.acceleration, &wanted.acceleration));
    }
    worst.map(|worst| worst.value())
}

const ALL: Given = Given { velocity: [true; 2], acceleration: [true; 2] };
const SPEEDS: Given = Given { velocity: [true; 2], acceleration: [false; 2] };

/// Errors against the functions themselves, and how fast they fall with the step: h⁶ of a quintic's value, h⁴ of its
/// second derivative where all is given; h² of a cubic's where only places are.
#[test]
fn rows_become_the_motion_they_were_taken_from() {
    let [coarse, fine] = [0.1, 0.05].map(|step| differences(&rows(step, ALL), 0.0, 2.0));
    // Measured 5.6e-9 m, 1.4e-6 and 4.3e-5 rad/s² at 0.1 s, within a factor of two.
    assert!(coarse[0] < 1e-8 && coarse[1] < 1e-6 && coarse[2] < 1e-5 && coarse[3] < 3e-3, "{coarse:?}");
    assert!(fine[3] < coarse[3] / 8.0, "{fine:?} {coarse:?}");
    let [coarse, fine] = [0.1, 0.05].map(|step| differences(&rows(step, SPEEDS), 0.3, 1.7));
    assert!(fine[3] < coarse[3] / 4.0 && fine[3] < 1e-2, "{fine:?} {coarse:?}");
    // Without velocities it begins and ends at rest, which these rows do not: away from the ends it does not matter.
    let [coarse, fine] = [0.1, 0.05].map(|step| differences(&rows(step, Given::default()), 0.6, 1.4));
    assert!(fine[3] < coarse[3] / 3.0 && fine[3] < 2e-2, "{fine:?} {coarse:?}");
    let rest = rows(0.1, Given::default());
    for time in [0.0, 2.0] {
        // 1e-12: rounding of slopes that cancel.
        assert!(largest(rest.platform(time).twist) < 1e-12, "{:?}", rest.platform(time).twist);
    }
}

/// Velocity and acceleration are the derivatives of pose and velocity, and nothing jumps at a row.
#[test]
fn derivatives_of_rows_are_those_of_the_pose() {
    for given in [Given::default(), SPEEDS, ALL] {
        let motion = rows(0.1, given);
        let h = 1e-5;
        let (mut speed, mut change, mut jump) =
            (Worst::of("velocity"), Worst::of("acceleration"), Worst::of("jump"));
        for k in 1..200 {
            // Every tenth of them is at a row.
            let time = f64::from(k) * 0.01;
            let [before, here, after] = [time - h, time, time + h].map(|time| motion.platform(time));
            for i in 0..3 {
                speed.see((after.position[i] - before.position[i]) / (2.0 * h) - here.twist[i]);
            }
            for i in 0..6 {
                change.see((after.twist[i] - before.twist[i]) / (2.0 * h) - here.acceleration[i]);
                jump.see(after.acceleration[i] - before.acceleration[i]);
            }
            let turn = rotation::rotation_vector(&rotation::product(
                &after.rotation,
                &rotation::transposed(&before.rotation),
            ));
            for i in 0..3 {
                speed.see(turn[i] / (2.0 * h) - here.twist[3 + i]);
            }
        }
        // h² of the third derivative, and rounding over h.
        speed.below(1e-8);
        // At a row the third derivative jumps: a quarter of h times that.
        change.below(5e-3);
        // 2 h of the largest jerk, which is at the ends of rows that are not at rest there; a jump would be ten times it.
        jump.below(2e-2);
    }
}

/// A straight motion that stops softly, its places rounded to the digits of a file: the last rows differ in the
/// last digit only, and still it arrives along its line.
#[test]
fn a_motion_from_rounded_rows_arrives_along_its_way() {
    let round = |x: f64| (x * 1e9).round() * 1e-9;
    let row = |i: u32| {
        let t = f64::from(i) * 1e-3;
        let way = 0.3 * t.powi(3) * 1e3 * (10.0 - 150.0 * t + 600.0 * t * t); // 0.3 m in 100 ms
        let noise = 1e-9 * f64::from(i % 3);
        let position = [round(0.6 * way) + noise, round(0.8 * way) - noise, -0.7];
        MotionRow { time: t, platform: PlatformState::at(position), mass: 0.0 }
    };
    let motion = SampledMotion::new(&(0..=100).map(row).collect::<Vec<_>>(), Given::default()).unwrap();
    let [x, y, z] = motion.target().direction;
    assert!((x - 0.6).abs() < 1e-4 && (y - 0.8).abs() < 1e-4 && z.abs() < 1e-4, "{:?}", [x, y, z]);
}

#[test]
fn rows_that_cannot_be_used_say_which() {
    let row = |time: f64, x: f64| MotionRow { time, platform: PlatformState::at([x, 0.0, -0.8]), mass: 0.0 };
    let refused = |rows: &[MotionRow]| SampledMotion::new(rows, Given::default()).unwrap_err().to_string();
    assert_eq!(refused(&[]), "it has no rows; a motion has two at least");
    assert_eq!(refused(&[row(0.0, 0.0)]), "it has 1 row; a motion has two at least");
    assert_eq!(
        refused(&[row(0.0, 0.0), row(0.2, 0.0), row(0.2, 0.1)]),
        "row 3 is at 0.2 s and does not come after row 2 at 0.2 s"
    );
    assert_eq!(refused(&[row(0.0, 0.0), row(0.1, f64::NAN)]), "row 2 has a number that is not finite");
    assert_eq!(refused(&[row(0.0, 0.0), row(f64::NAN, 0.1)]), "row 2 has a number that is not finite");
    // Velocities a thousand times too large.
    let wrong: Vec<MotionRow> = (0..=20)
        .map(|k| {
            let mut row = row(f64::from(k) * 0.01, f64::from(k) * 0.001);
            row.platform.twist[0] = 100.0;
            row
        })
        .collect();
    let error = SampledMotion::new(&wrong, SPEEDS).unwrap_err().to_string();
    assert!(error.contains("the velocities are not those of the positions"), "{error}");
    assert!(error.contains("20.0000 m") && error.contains("0.0200 m"), "{error}");
}

/// The rows of a plan run as they are: by the platform, by the motors alone, and with its load.
#[test]
fn the_rows_of_a_plan_are_its_motion() {
    let scratch = Scratch::new("plan");
    for (name, limits, path) in [
        (
            "delta-industrial",
            "torque_limit = 60",
            "kind = 'pick-and-place', from = [-0.12, 0.0, -0.8], to = [0.12, 0.03, -0.75], lift = '80 mm'",
        ),
        (
            "gough-stewart",
            "torque_limit = '500 N'",
            "kind = 'line', from = [-0.1, 0, 0.85], to = [0.1, 0, 0.9, '10 deg', 0, '5 deg']",
        ),
    ] {
        let file = scratch.file(&format!("{name}.csv"));
        let planned = plan(&format!(
            "robot = '{name}'\nlimits = {{ {limits} }}\npath = {{ {path} }}\ncarry = '1 kg'\nout = ['{}']",
            file.display()
        ));
        let recording = Recording::open(&file).unwrap();
        let picked = recording.values("picked").unwrap();
        assert_eq!(picked[0], 1.0);
        assert_eq!(*picked.last().unwrap(), 0.0);
        let request = |motion: MotionRequest| SizeRequest {
            robot: legwork::task::RobotRequest::named(name),
            motion: Some(motion),
            ..SizeRequest::default()
        };
        let whole = request(MotionRequest::File(file.clone())).run(&Handle::none()).unwrap();
        // The last row is the end of the motion.
        assert!((whole.cycle_time - planned.cycle_time).abs() < 1e-12);
        // Joint columns alone.
        let names: Vec<String> = recording
            .columns()
            .iter()
            .map(|column| column.name.clone())
            .filter(|name| {
                let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
                name == "t" || name == "picked" || (name.starts_with('q') && digits.parse::<u32>().is_ok())
            })
            .collect();
        let rows = (0..recording.len())
            .map(|k| names.iter().map(|name| recording.values(name).unwrap()[k]).collect())
            .collect();
        let motors =
            request(MotionRequest::Rows(MotionRows { columns: names, rows })).run(&Handle::none()).unwrap();
        for (a, b) in whole.joints.iter().zip(&motors.joints) {
            // 1e-6: forward kinematics by Newton at each row, through the accelerations of 1 ms steps.
            assert!((a.rms_effort - b.rms_effort).abs() < 1e-6 * a.rms_effort, "{name}: {a:?} {b:?}");
            assert!((a.peak_speed - b.peak_speed).abs() < 1e-6 * a.peak_speed, "{name}: {a:?} {b:?}");
        }
        // Speeds are those of the plan; a jump of the acceleration is smoothed over a row of 1 ms.
        for (peaks, joint) in planned.peaks.iter().zip(&whole.joints) {
            let planned = peaks.speed.value.abs();
            assert!((planned - joint.peak_speed).abs() < 5e-3 * planned, "{name}: {peaks:?} {joint:?}");
        }
    }
}

/// Tables as other programs write them: capitals, units in the names, semicolons with comma decimals, tabs.
#[test]
fn rows_of_other_programs_are_the_same_motion() {
    let scratch = Scratch::new("tables");
    let table = |name: &str, header: &str, row: &dyn Fn(f64, [f64; 3]) -> String| {
        let rows: String = (0..=20)
            .map(|k| {
                let t = f64::from(k) * 0.025;
                row(t, [0.1 * (3.0 * t).sin(), 0.05 * t, -0.8 + 0.02 * t * t]) + "\n"
            })
            .collect();
        let file = scratch.file(name);
        std::fs::write(&file, format!("{header}\n{rows}")).unwrap();
        let request = SizeRequest {
            robot: legwork::task::RobotRequest::named("delta-industrial"),
            motion: Some(MotionRequest::File(file)),
            ..SizeRequest::default()
        };
        let size = request.run(&Handle::none()).unwrap_or_else(|error| panic!("{name}: {error}"));
        size.joints.iter().map(|joint| joint.rms_effort).collect::<Vec<f64>>()
    };
    let plain = table("plain.csv", "t,x,y,z", &|t, [x, y, z]| format!("{t},{x},{y},{z}"));
    let others = [
        table("capitals.csv", "Time,X,Y,Z", &|t, [x, y, z]| format!("{t},{x},{y},{z}")),
        table("units.csv", "time_ms,x_mm,y_mm,z_mm", &|t, p| {
            let [x, y, z] = p.map(|m| m * 1e3);
            format!("{},{x},{y},{z}", t * 1e3)
        }),
        table("commas.csv", "t;x;y;z", &|t, [x, y, z]| format!("{t};{x};{y};{z}").replace('.', ",")),
        table("tabs.csv", "\u{feff}t\tx [mm]\ty\tz", &|t, [x, y, z]| format!("{t}\t{}\t{y}\t{z}", x * 1e3)),
    ];
    for other in others {
        // 1e-9: a number times a thousand and back, through two derivatives.
        assert!(plain.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-9 * a), "{plain:?} {other:?}");
    }
}

/// A regulator that knows all follows a plan from its rows as it follows the plan itself.
#[test]
fn a_plan_runs_in_a_closed_loop_from_its_rows() {
    let scratch = Scratch::new("loop");
    let file = scratch.file("fast.parquet");
    let path = "kind = 'pick-and-place', from = [-0.12, 0.0, -0.8], to = [0.12, 0.03, -0.75]";
    plan(&format!(
        "robot = 'delta-industrial'\nlimits = {{ torque_limit = 60 }}\npath = {{ {path} }}\nout = ['{}']",
        file.display()
    ));
    let run = |how: &str| {
        let text = format!("robot = 'delta-industrial'\ncontroller = {{ regulators = ['model'] }}\n{how}");
        let request: FollowRequest = toml::from_str(&text).unwrap();
        let (result, recordings) = request.run_recorded(&Handle::none()).unwrap();
        assert!(result.regulators[0].fault.is_none());
        (result.regulators[0].position_error, recordings)
    };
    let (direct, planned) =
        run(&format!("fastest = true\nback = true\nlimits = {{ torque_limit = 60 }}\npath = {{ {path} }}"));
    let (by_rows, sampled) = run(&format!("motion = {{ file = '{}' }}", file.display()));
    let x = |list: &[Recording]| list[0].values("x_ref").unwrap().to_vec();
    let apart = x(&planned).iter().zip(x(&sampled)).map(|(a, b)| a - b).collect::<Vec<f64>>();
    // A row every millisecond of a motion of 6 m/s² and more: within a tenth of a micrometre at the rows.
    assert!(apart.len() > 200 && largest(&apart) < 1e-7, "{}", largest(&apart));
    assert!((direct.max - by_rows.max).abs() < 0.05 * direct.max, "{direct:?} {by_rows:?}");
    // The recording carries the rows: it runs again without the file.
    let request = legwork::task::Request::parse(
        sampled[0].metadata().get(legwork::recording::REQUEST_KEY).unwrap(),
        legwork::task::RequestFormat::Json,
    );
    drop(scratch);
    let legwork::task::Request::Follow(again) = request.unwrap() else { panic!("another task") };
    assert_eq!(again.run(&Handle::none()).unwrap().regulators[0].position_error, by_rows);
}

const LIFT: &str = "
robot = 'delta-industrial'
[cycle]
from = [0.0, 0.0, -0.85]
pick = '2 kg'
law = { shape = 'quintic', move_time = '0.3 s' }
[[cycle.moves]]
to = [0.1, 0.0, -0.75]
path = 'pick-and-place'
dwell = '50 ms'
put = true
[[cycle.moves]]
to = [0.0, 0.0, -0.85]
";

/// 2 kg lifted by 100 mm in every cycle, without friction: the motors give m g h and no more.
#[test]
fn a_load_that_is_lifted_costs_its_weight_times_the_height() {
    let result = toml::from_str::<SizeRequest>(LIFT).unwrap().run(&Handle::none()).unwrap();
    let description = AnyRobot::open("delta-industrial").unwrap();
    let weight = {
        // g of the robot's file, from the energy of the load itself.
        let heavy = description.with_payload(description.payload() + 2.0).unwrap();
        let energy = |robot: &AnyRobot, z: f64| {
            robot.state(&PlatformState::at([0.0, 0.0, z])).unwrap().dynamics.unwrap().potential_energy
        };
        let lifted = |robot: &AnyRobot| energy(robot, -0.75) - energy(robot, -0.85);
        lifted(&heavy) - lifted(&description)
    };
    assert!((weight - 2.0 * 9.81 * 0.1).abs() < 0.01, "{weight}");
    // 1e-9 J: quadrature of 400 panels and more.
    assert!((result.energy - weight).abs() < 1e-9, "{} J for {weight} J", result.energy);
    assert!(result.imbalance.abs() < 1e-9, "{}", result.imbalance);
    assert_eq!(result.moves.len(), 2);
    assert_eq!([result.moves[0].carried, result.moves[1].carried], [2.0, 0.0]);
    assert!((result.cycle_time - 0.65).abs() < 1e-12);
}

/// Efforts at every instant are those of the robot with what it carries then, and the peaks are where they are told.
#[test]
fn peaks_are_at_their_place_with_their_load() {
    let request: PlanRequest = toml::from_str(&format!("limits = {{ torque_limit = 60 }}\n{LIFT}")).unwrap();
    let request = PlanRequest {
        cycle: Some(CycleRequest {
            law: legwork::task::LawRequest::default(),
            ..request.cycle.clone().unwrap()
        }),
        ..request
    };
    let result = request.run(&Handle::none()).unwrap();
    assert!(result.keeps_limits() && result.moves.iter().all(|one| one.fastest.is_some()));
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let arrival = result.moves[0].duration;
    for peaks in &result.peaks {
        for peak in [&peaks.effort, &peaks.speed, &peaks.power] {
            assert!(peak.time >= 0.0 && peak.time <= result.cycle_time, "{peak:?}");
            assert_eq!(peak.at.len(), 3);
        }
        assert!((peaks.effort.value.abs() - 60.0).abs() < 0.1, "{peaks:?}");
    }
    // By a law of its own: every number again from the motion itself.
    let sized = toml::from_str::<SizeRequest>(LIFT).unwrap().run(&Handle::none()).unwrap();
    let moves = [(0.3, 2.0), (0.3, 0.0)];
    let lift = sized.moves[0].length;
    assert!(lift > 0.1 && arrival > 0.0);
    for (k, peaks) in sized.peaks.iter().enumerate() {
        let peak = &peaks.effort;
        let load = if peak.time < moves[0].0 { moves[0].1 } else { 0.0 };
        let loaded = robot.with_payload(robot.payload() + load).unwrap();
        // The demand found the same number by its own sums.
        // 1e-6: a peak that is larger by less is the same one.
        assert!((peak.value.abs() - sized.joints[k].peak_effort).abs() <= 2e-6 * sized.joints[k].peak_effort);
        let held = loaded.state(&PlatformState::at([peak.at[0], peak.at[1], peak.at[2]])).unwrap();
        assert_eq!(held.q.len(), 3);
        assert!(
            (sized.joints[k].peak_speed - peaks.speed.value.abs()).abs() <= 2e-6 * sized.joints[k].peak_speed
        );
        let power = nan_max(sized.joints[k].peak_power, sized.joints[k].peak_braking);
        assert!((power - peaks.power.value.abs()).abs() <= 2e-6 * power, "{peaks:?}");
    }
}

/// The same numbers from the outside: the motion is asked at the time of a peak, with what is carried then.
#[test]
fn a_demand_has_its_peaks_where_the_motion_has_them() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let path = Line::new(V3::new(-0.1, 0.0, -0.8), V3::new(0.1, 0.05, -0.72)).unwrap();
    let law = Law::by_duration(Shape::Quintic, path.length(), 0.25).unwrap();
    let motion = TimedPath::new(path, law).there_and_back(0.05, 1).carrying(1.5).unwrap();
    let loaded = LoadedRobot::new(&robot, &motion).unwrap();
    let demand = Demand::of(&robot, &motion).unwrap();
    let efforts = |time: f64| loaded.at(time).state(&motion.platform(time)).unwrap().dynamics.unwrap().motor;
    for (k, peaks) in demand.peaks.iter().enumerate() {
        let at_peak = efforts(peaks.effort.time)[k];
        assert!((at_peak - peaks.effort.value).abs() <= 1e-12 * at_peak.abs(), "{k}: {peaks:?}");
        let dense = largest((0..4000).map(|i| efforts(motion.cycle_duration() * f64::from(i) / 4000.0)[k]));
        assert!(dense <= peaks.effort.value.abs() * (1.0 + 2e-6), "{dense} {peaks:?}");
        assert_eq!(peaks.effort.platform.position, motion.platform(peaks.effort.time).position);
    }
}

/// With its load known, a perfect machine under computed torque has no error to speak of; without, it has.
#[test]
fn a_regulator_that_knows_its_load_does_not_feel_it() {
    let run = |ignores: bool, lift: &str| {
        let text = format!(
            "settle = '20 ms'\nplant = {{ lag = 0 }}\ncontroller = {{ regulators = ['model'], exact_derivatives = true, \
             ignores_loads = {ignores}, period = '0.5 ms' }}\ncycles = 2\n{lift}"
        );
        let request: FollowRequest = toml::from_str(&text).unwrap();
        let result = request.run(&Handle::none()).unwrap();
        assert!(result.regulators[0].fault.is_none() && result.regulators[0].arrival.is_some());
        assert!((result.move_time - 0.65).abs() < 1e-12 && (result.duration - 1.32).abs() < 1e-3);
        result.regulators[0].position_error.max
    };
    let without = LIFT.replace("pick = '2 kg'\n", "").replace("put = true\n", "");
    assert!(without.len() + 20 < LIFT.len());
    let [knows, ignores, nothing] = [run(false, LIFT), run(true, LIFT), run(false, &without)];
    // What is left is the half sample by which a held command is late, more of it for more mass.
    assert!(
        knows < 2.5 * nothing && ignores > 10.0 * knows,
        "{knows} m knowing it, {ignores} m not, {nothing} m without"
    );
}

/// Carried one way: there as with the payload all the time, back as without it.
#[test]
fn a_mass_that_is_carried_there_is_not_carried_back() {
    let text = |more: &str| {
        format!(
            "robot = {{ name = 'delta-industrial', payload = {more}\nlimits = {{ torque_limit = 60 }}\n\
             path = {{ kind = 'semi-ellipse', from = [-0.12, 0, -0.8], to = [0.12, 0, -0.75] }}"
        )
    };
    let one_way = plan(&text("0 }\ncarry = '3 kg'"));
    let (always, never) = (plan(&text("'3 kg' }")), plan(&text("0 }")));
    let there = |result: &PlanResult| result.there.as_ref().unwrap().duration;
    let back = |result: &PlanResult| result.back.as_ref().unwrap().duration;
    assert_eq!((there(&one_way), back(&one_way)), (there(&always), back(&never)));
    assert!(there(&one_way) > 1.1 * there(&never));
    assert!((one_way.cycle_time - there(&always) - back(&never)).abs() < 1e-12);
}

#[test]
fn requests_that_contradict_themselves_say_how() {
    let head = "robot = 'delta-industrial'\nlimits = { torque_limit = 60 }\n";
    let cycle = |moves: &str| plan_error(&format!("{head}[cycle]\nfrom = [0, 0, -0.8]\n{moves}"));
    let path = |more: &str| {
        plan_error(&format!(
            "{head}path = {{ kind = 'pick-and-place', from = [-0.1, 0, -0.8], to = [0.1, 0, -0.7], {more} }}"
        ))
    };
    for (found, wanted) in [
        (cycle(""), "the cycle has no moves"),
        (
            cycle("[[cycle.moves]]\nto = [0.1, 0, -0.8]\nput = true"),
            "move 1: `put`, and nothing is picked up before",
        ),
        (
            cycle("pick = '1 kg'\n[[cycle.moves]]\nto = [0.1, 0, -0.8]\npick = '1 kg'"),
            "move 1: `pick`, and what was picked up before is still carried",
        ),
        (
            cycle("[[cycle.moves]]\nto = [0.1, 0, -0.8]\nblend = '10 mm'"),
            "move 1: a `blend` of 10 mm has no move after it",
        ),
        (
            cycle(
                "[[cycle.moves]]\nto = [0.1, 0, -0.8]\nblend = '10 mm'\ndwell = '1 ms'\n[[cycle.moves]]\nto = [0, 0, -0.8]",
            ),
            "goes past a place where the platform stops",
        ),
        (
            cycle(
                "[[cycle.moves]]\nto = [0.1, 0, -0.8]\nblend = '90 mm'\n[[cycle.moves]]\nto = [0.1, 0.05, -0.8]",
            ),
            "the line of move 2 is 50.0000 mm long, the blends at its ends take 90.0000 mm",
        ),
        (cycle("[[cycle.moves]]\nto = [0.1, 0, -0.8]\n[[cycle.moves]]\nto = [2.5, 0, -0.8]"), "move 2: "),
        (
            cycle("[[cycle.moves]]\nto = [0.1, 0, -0.8]\nfastest = true\nlaw = { move_time = '1 s' }"),
            "move 1: `fastest` and a `law` are two timings",
        ),
        (
            path("lift = '40 mm'"),
            "a `lift` of 40 mm leaves no level way across: the other end is 100 mm higher",
        ),
        (path("lift = '140 mm', height = '50 mm'"), "`height` and `lift` are two sizes of one lift"),
        (
            plan_error(&format!("{head}one_way = true\n[cycle]\n[[cycle.moves]]\nto = [0.1, 0, -0.8]")),
            "`cycle` and `one_way` do not go together",
        ),
    ] {
        assert!(found.contains(wanted), "{found}\nis not\n{wanted}");
    }
}

/// Between ends of different heights the way across is level above the higher one; with both distances given it is not.
#[test]
fn pick_and_place_crosses_above_the_higher_end() {
    let scratch = Scratch::new("heights");
    for (name, ends, sizes, top, limits) in [
        ("delta-industrial", "from = [-0.1, 0, -0.8], to = [0.1, 0, -0.7]", "height = '40 mm'", -0.66, "60"),
        ("delta-industrial", "from = [-0.1, 0, -0.7], to = [0.1, 0, -0.8]", "lower = '120 mm'", -0.68, "60"),
        (
            "delta-industrial",
            "from = [-0.1, 0, -0.8], to = [0.1, 0, -0.7]",
            "lift = '130 mm', lower = '50 mm', corner = '10 mm'",
            -0.65,
            "60",
        ),
        (
            "gough-stewart",
            "from = [-0.1, 0, 0.8], to = [0.1, 0, 0.86, 0, '8 deg', '5 deg']",
            "lift = '100 mm'",
            0.9,
            "'900 N'",
        ),
    ] {
        let file = scratch.file("cycle.csv");
        let result = plan(&format!(
            "robot = '{name}'\nlimits = {{ torque_limit = {limits} }}\none_way = true\nout = ['{}']\n\
             path = {{ kind = 'pick-and-place', {ends}, {sizes} }}",
            file.display()
        ));
        assert!(result.keeps_limits());
        let rows = Recording::open(&file).unwrap();
        let z = rows.values("z").unwrap();
        // A sloping way across ends in a corner of 10 mm, which is cut by a third of that; rows are a millisecond apart.
        let cut = if sizes.contains("corner") { 4e-3 } else { 1e-4 };
        assert!((highest(z) - top).abs() < cut, "{name}: {} m", highest(z));
        if let Some(pitch) = rows.values("pitch") {
            assert!((pitch.last().unwrap().to_degrees() - 8.0).abs() < 1e-9 && pitch[0].abs() < 1e-9);
        }
    }
}
