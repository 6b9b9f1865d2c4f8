//! The task from files: what a person has, and what is wrong with it.

#![allow(clippy::format_collect)] // a few lines of a table

mod hidden;

use hidden::{Hidden, Seen};
use legwork::task::{Handle, Length, RobotRequest, TaskError};
use legwork_identify::dynamics::IdentifyRequest;
use legwork_identify::geometry::model::{Built, Place};
use legwork_identify::geometry::observation::Observations;
use legwork_identify::geometry::{CalibrateRequest, CalibrateResult, ParameterSet};
use legwork_testkit::nan_max;
use std::fmt::Write;
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("calibrate");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// Rows in degrees and millimetres.
fn csv(data: &Observations, turning: bool) -> String {
    let motors = data.rows[0].q.len();
    let unit = if turning { "deg" } else { "mm" };
    let mut text: String = (1..=motors).map(|k| format!("q{k} [{unit}],")).collect();
    text += "x [mm],y [mm],z [mm]\n";
    for row in &data.rows {
        for q in &row.q {
            let _ = write!(text, "{:.9},", if turning { q.to_degrees() } else { q * 1e3 });
        }
        let place = row.position.map(|x| format!("{:.6}", x.unwrap_or(0.0) * 1e3));
        let _ = writeln!(text, "{}", place.join(","));
    }
    text
}

fn delta() -> (Hidden, Observations) {
    let hidden = Hidden::new("delta-industrial", ParameterSet::Reduced, 0.5e-3, 5);
    let data = hidden.measured(30, 1e-5, &Seen::default(), 17);
    (hidden, data)
}

fn asked(name: &str, text: &str) -> CalibrateRequest {
    let path = folder(name);
    std::fs::write(&path, text).unwrap();
    CalibrateRequest {
        robot: RobotRequest::named("delta-industrial"),
        measurements: Some(path),
        ..CalibrateRequest::default()
    }
}

fn refused(name: &str, text: &str) -> String {
    let error: TaskError = asked(name, text).run(&Handle::none()).unwrap_err();
    format!("{error}; {}; {}", error.cause().unwrap_or_default(), error.hint().unwrap_or_default())
}

/// A log or a table that is not there is refused with what it should be.
#[test]
fn a_missing_file_comes_with_a_way_out() {
    let missing = folder("no-such-file.csv");
    let robot = RobotRequest::named("delta-industrial");
    let logs = vec![missing.clone()];
    let identify = IdentifyRequest { robot: robot.clone(), logs, ..IdentifyRequest::default() };
    let calibrate = CalibrateRequest { robot, measurements: Some(missing), ..CalibrateRequest::default() };
    let errors = [identify.run(&Handle::none()).unwrap_err(), calibrate.run(&Handle::none()).unwrap_err()];
    for error in errors {
        assert!(error.cause().unwrap().contains("there is no such file"), "{error}");
        assert!(error.hint().unwrap().contains(".csv, .parquet or .mcap"), "{error}");
    }
}

#[test]
fn a_file_becomes_a_robot_file_that_is_where_the_tracker_saw_it() {
    let (hidden, data) = delta();
    let out = folder("found.toml");
    let request = CalibrateRequest {
        next: 3,
        out: Some(out.clone()),
        figure: Some(folder("error.svg")),
        ..asked("poses.csv", &csv(&data, true))
    };
    let result: CalibrateResult = request.run(&Handle::none()).unwrap();
    assert_eq!((result.rows, result.equations, result.free), (30, 90, 15));
    assert!(
        result.residuals[0].before > 1e-4 && result.residuals[0].after < 2.5e-5,
        "{:?}",
        result.residuals
    );
    assert!(
        result.error_before > 2e-4 && result.error_after < 1e-4,
        "{} {}",
        result.error_before,
        result.error_after
    );
    // The first order and chance agree.
    let tolerance = result.tolerance.as_ref().unwrap();
    let ratio = tolerance.home_by_chance / tolerance.home;
    assert!((0.85..1.15).contains(&ratio), "{ratio}");
    // More poses leave less.
    assert_eq!(result.next.len(), 3);
    assert!(result.next.windows(2).all(|pair| pair[1].after < pair[0].after));
    assert!(result.next[0].after < result.error_after);
    assert!(std::fs::read_to_string(folder("error.svg")).unwrap().contains("before"));
    // The file is a robot, whose points are those of the tracker but for its frame.
    let robot = legwork::AnyRobot::open(out.to_str().unwrap()).unwrap();
    let frame = legwork_identify::geometry::residual::frame_of(result.frame_position, result.frame_rotation);
    for row in &data.rows {
        let found = robot.forward_kinematics(&row.q, &robot.home()).unwrap().position;
        let gap = frame
            .of(found.into())
            .to_array()
            .iter()
            .zip(row.position)
            .map(|(a, b)| a - b.unwrap())
            .collect::<Vec<_>>();
        assert!(legwork_testkit::largest(&gap) < 6e-5, "{gap:?}");
    }
    // Its tolerance can be asked of the file alone.
    let alone =
        CalibrateRequest { robot: RobotRequest::named(out.to_str().unwrap()), ..CalibrateRequest::default() };
    assert!(alone.run(&Handle::none()).unwrap().tolerance.unwrap().home > 0.0);
    // Calibrated again from itself: nothing more to find.
    let again = CalibrateRequest {
        robot: RobotRequest::named(out.to_str().unwrap()),
        out: None,
        figure: None,
        ..request.clone()
    };
    let second = again.run(&Handle::none()).unwrap();
    assert!(second.error_before < 3.0 * result.error_after, "{}", second.error_before);
    for block in ["klipper", "linuxcnc", "twincat"] {
        assert!(result.controllers.iter().any(|own| own.controller == block), "{block}");
    }
    let text = &result.controllers[0].text;
    let arm = (hidden.model.robot.description().as_delta().unwrap().geometry.arm * 1e3).floor();
    assert!(text.contains("upper_arm_length") && arm > 0.0, "{text}");
}

#[test]
fn a_request_goes_through_json() {
    let request = CalibrateRequest { noise: Some(Length(1e-5)), next: 4, ..asked("json.csv", "q1\n1\n") };
    let text = serde_json::to_string(&request).unwrap();
    assert_eq!(serde_json::from_str::<CalibrateRequest>(&text).unwrap(), request);
}

#[test]
fn bad_data_are_told_with_a_way_out() {
    let (_, data) = delta();
    let good = csv(&data, true);
    let cases: &[(&str, String, &[&str])] = &[
        (
            "short.csv",
            good.lines().take(6).collect::<Vec<_>>().join("\n") + "\n",
            &["15 numbers", "record at least"],
        ),
        (
            "equal.csv",
            format!(
                "{}\n{}",
                good.lines().next().unwrap(),
                format!("{}\n", good.lines().nth(1).unwrap()).repeat(20)
            ),
            &["same readings", "workspace"],
        ),
        (
            "nan.csv",
            good.replacen(good.lines().nth(3).unwrap(), "1,2,3,NaN,1,1", 1),
            &["`x` of row 3 is not a number"],
        ),
        ("noq.csv", good.replacen("q1 [deg]", "angle", 1), &["`q1` is missing"]),
        ("two.csv", good.replacen("q3 [deg]", "third", 1), &["`q3` is missing", "3 motors"]),
        ("metres.csv", good.replacen("x [mm],y [mm],z [mm]", "x,y,z", 1), &["times as far", "mm"]),
        ("radians.csv", good.replacen("q1 [deg],q2 [deg],q3 [deg]", "q1,q2,q3", 1), &["deg"]),
        (
            "none.csv",
            good.lines().map(|line| line.split(',').take(3).collect::<Vec<_>>().join(",") + "\n").collect(),
            &["nothing was measured but the motors", "tracker"],
        ),
        ("unit.csv", good.replacen("x [mm]", "x [deg]", 1), &["`x`"]),
        (
            "four.csv",
            good.lines()
                .enumerate()
                .map(|(k, line)| format!("{line},{}\n", if k == 0 { "q4 [deg]" } else { "1" }))
                .collect(),
            &["`q4`", "another robot"],
        ),
    ];
    for (name, text, words) in cases {
        let said = refused(name, text);
        for word in *words {
            assert!(said.contains(word), "{name}: {said}");
        }
    }
    // Another robot's joints.
    let other = Hidden::new("delta-bortoff-b", ParameterSet::Reduced, 0.5e-3, 5);
    let strange = csv(&other.measured(30, 1e-5, &Seen::default(), 17), true);
    let said = refused("other.csv", &strange);
    assert!(said.contains("robot"), "{said}");
    // Nothing at all.
    let nothing =
        CalibrateRequest { robot: RobotRequest::named("delta-industrial"), ..CalibrateRequest::default() };
    assert!(nothing.run(&Handle::none()).unwrap_err().to_string().contains("nothing to calibrate with"));
    let held = CalibrateRequest { hold: vec!["amr".into()], ..asked("hold.csv", &good) };
    assert!(held.run(&Handle::none()).unwrap_err().to_string().contains("`amr`"));
}

#[test]
fn all_poses_on_a_line_are_refused() {
    let hidden = Hidden::new("delta-industrial", ParameterSet::Reduced, 0.0, 5);
    let built = hidden.model.built(&hidden.truth);
    let mut data = hidden.measured(30, 0.0, &Seen::known_frame(), 17);
    for (k, row) in data.rows.iter_mut().enumerate() {
        let mut place = hidden.model.drawn.home.clone();
        place.pose.position.x += 0.005 * k as f64 - 0.07;
        row.q = hidden.model.readings(&built, &place);
        row.position = hidden.model.to_user(&place.pose).position.to_array().map(Some);
    }
    assert!(refused("line.csv", &csv(&data, true)).contains("one line"));
}

/// A table of these columns, full precision.
fn wide(names: &str, rows: impl Iterator<Item = Vec<f64>>) -> String {
    let lines = rows.map(|row| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",") + "\n");
    format!("{names}\n{}", lines.collect::<String>())
}

/// A target somewhere on the tool, orientations as quaternions: the target is found too.
#[test]
fn poses_with_quaternions_find_the_target() {
    let seen = Seen { rotation: true, target: None, ..Seen::default() };
    let hidden = Hidden::new("gough-stewart", ParameterSet::Full, 0.5e-3, 5);
    let data = hidden.measured(40, 1e-5, &seen, 17);
    let rows = data.rows.iter().map(|row| {
        let turn = legwork::rotation::to_quaternion(&row.rotation.unwrap().to_rows());
        // The other sign is the same rotation.
        let place = row.position.map(|x| x.unwrap());
        row.q.iter().copied().chain(place).chain(turn.map(|x| -x)).collect()
    });
    let text = wide("q1,q2,q3,q4,q5,q6,x,y,z,qw,qx,qy,qz", rows);
    let request = CalibrateRequest {
        robot: RobotRequest::named("gough-stewart"),
        parameters: ParameterSet::Full,
        find_target: true,
        ..asked("quaternions.csv", &text)
    };
    let found = request.run(&Handle::none()).unwrap();
    // The one of the hidden measurement, to some noise over the lever of the platform.
    for (found, truth) in found.target.iter().zip([0.02, -0.03, 0.05]) {
        assert!((found - truth).abs() < 5e-4, "{found:?}");
    }
    let of = |kind: &str| found.residuals.iter().find(|own| own.kind == kind).unwrap().after;
    assert!(of("position") < 2e-5, "{:?}", found.residuals);
    // Without looking for it the rows do not fit.
    let other = CalibrateRequest { find_target: false, ..request }.run(&Handle::none());
    let fits = other.is_ok_and(|other| other.residuals.iter().all(|own| own.after < 2e-5));
    assert!(!fits, "the test tests nothing");
    // A quaternion that is none.
    let text = wide("q1,q2,q3,q4,q5,q6,qw,qx,qy,qz", [vec![1.0; 10]].into_iter());
    let bad =
        CalibrateRequest { robot: RobotRequest::named("gough-stewart"), ..asked("no-quaternion.csv", &text) };
    let error = bad.run(&Handle::none()).unwrap_err();
    assert!(error.cause().unwrap_or_default().contains("quaternion of row 1 has the length 2"), "{error}");
}

/// Distances from one pose to another: only the size of the robot is told, and that is found.
#[test]
fn distances_between_two_poses_are_those_of_the_robot_that_was_built() {
    let hidden = Hidden::new("delta-industrial", ParameterSet::Reduced, 0.5e-3, 5);
    let truth = hidden.model.built(&hidden.truth);
    let (from, to) = (hidden.poses(60, 17), hidden.poses(60, 18));
    let mut random = legwork::random::Random::new(4);
    let place = |at: &Place| hidden.model.to_user(&at.pose).position;
    let rows: Vec<Vec<f64>> = from
        .iter()
        .zip(&to)
        .map(|(a, b)| {
            let length = (place(a) - place(b)).norm_sq().sqrt() + 1e-5 * random.normal();
            let q = [a, b].map(|at| hidden.model.readings(&truth, at));
            let [q, to] = q;
            q.into_iter().chain([length]).chain(to).collect()
        })
        .collect();
    let text = wide("q1,q2,q3,distance,to_q1,to_q2,to_q3", rows.into_iter());
    let found = asked("distances.csv", &text).calibrated(&Handle::none()).unwrap();
    let built = found.model.built(&found.values);
    let [mut before, mut after] = [0.0_f64; 2];
    let drawn = found.model.built(&vec![0.0; found.values.len()]);
    for (a, b) in hidden.poses(30, 40).iter().zip(&hidden.poses(30, 41)) {
        let wanted = (place(a) - place(b)).norm_sq().sqrt();
        let q = [a, b].map(|at| hidden.model.readings(&truth, at));
        let length = |own: &Built| {
            let [p, r] =
                [(&q[0], a), (&q[1], b)].map(|(q, near)| place(&found.model.pose(own, q, near).unwrap()));
            (p - r).norm_sq().sqrt()
        };
        before = nan_max(before, (length(&drawn) - wanted).abs());
        after = nan_max(after, (length(&built) - wanted).abs());
    }
    assert!(after < 1e-4 && after < 0.1 * before, "{before} {after}");
}

/// A part whose place is known, touched from the side and from above: two of three coordinates.
#[test]
fn a_known_part_that_is_touched_gives_the_robot() {
    let hidden = Hidden::new("delta-industrial", ParameterSet::Reduced, 0.5e-3, 5);
    let data = hidden.measured(50, 1e-5, &Seen::known_frame(), 17);
    let rows = data.rows.iter().map(|row| {
        row.q.iter().copied().chain([row.position[1].unwrap(), row.position[2].unwrap()]).collect()
    });
    let text = wide("q1,q2,q3,y,z", rows);
    let request = CalibrateRequest { robot_frame: true, ..asked("part.csv", &text) };
    let found = request.calibrated(&Handle::none()).unwrap();
    assert_eq!(found.result.equations, 100);
    for (k, parameter) in found.result.parameters.iter().enumerate() {
        let off = (parameter.change - hidden.truth[k]).abs();
        assert!(off < 5.0 * parameter.sigma, "{}: {off} {}", parameter.name, parameter.sigma);
    }
    assert!(found.result.error_after < 1e-4, "{}", found.result.error_after);
}

#[test]
fn rows_of_another_robot_and_a_file_that_is_not_there_are_refused_with_a_way_out() {
    let (_, data) = delta();
    for name in ["3-rps", "tricept"] {
        let request =
            CalibrateRequest { robot: RobotRequest::named(name), ..asked("legs.csv", &csv(&data, false)) };
        let error = request.run(&Handle::none()).unwrap_err();
        let said = format!("{}; {}", error.cause().unwrap_or_default(), error.hint().unwrap_or_default());
        assert!(said.contains("row ") && said.contains("readings"), "{said}");
    }
    let missing = CalibrateRequest {
        measurements: Some(folder("nothing-here.csv")),
        ..asked("unused.csv", &csv(&data, true))
    };
    let error = missing.run(&Handle::none()).unwrap_err();
    assert!(error.hint().unwrap_or_default().contains("q1"), "{:?}", error.hint());
}
