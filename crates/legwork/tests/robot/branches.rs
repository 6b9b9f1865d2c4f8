//! Mechanisms: what a pose is, and whether motors lead to it.

use legwork::coordinates::{CoordinateSchema, POSE, Values};
use legwork::random::Random;
use legwork::task::{InverseTask, RobotRequest, StateTask};
use legwork::{AnyRobot, PlatformState};
use legwork_testkit::{gap, nan_max};

const MECHANISMS: [&str; 8] =
    ["3-rps", "z3-head", "tricept", "exechon", "3-upu", "orthoglide", "delta-two-rods", "quattro"];

/// Where motors have led it from home a mechanism is on its branch; a Tricept pulled through its base is not.
#[test]
fn only_poses_beyond_a_singularity_leave_the_branch() {
    let mut random = Random::new(5);
    for name in MECHANISMS {
        let robot = AnyRobot::open(name).unwrap();
        let home = robot.inverse_kinematics(&robot.home()).unwrap().q;
        let mut seen = 0;
        for _ in 0..12 {
            // A tenth of a metre or of a radian about home.
            let q: Vec<f64> = home.iter().map(|q| q + random.uniform(-0.1, 0.1)).collect();
            let Ok(found) = robot.forward_kinematics(&q, &robot.home()) else { continue };
            let pose = PlatformState::at(found.position).turned(found.rotation);
            assert!(!robot.leaves_branch(&pose).unwrap(), "{name} {q:?}");
            seen += 1;
        }
        assert!(seen > 8, "{name}: {seen}");
    }
    let tricept = AnyRobot::open("tricept").unwrap();
    // The legs lie flat at -300 mm.
    for (z, leaves) in [(-1.3, false), (-0.5, false), (-0.31, false), (-0.29, true), (0.1, true), (0.9, true)]
    {
        assert_eq!(tricept.leaves_branch(&PlatformState::at([0.0, 0.0, z])).unwrap(), leaves, "{z}");
    }
    assert!(
        !AnyRobot::open("delta-industrial")
            .unwrap()
            .leaves_branch(&PlatformState::at([0.0, 0.0, -0.8]))
            .unwrap()
    );
}

/// Two angles are enough where two are free; the third, if it is given, is the one that follows.
#[test]
fn angles_that_follow_may_be_left_out() {
    for (name, place) in [("3-rps", "0.8"), ("z3-head", "-0.9")] {
        let task = InverseTask::open(&RobotRequest::named(name), false).unwrap();
        let schema = CoordinateSchema::of(&task.robot);
        assert_eq!(schema.usage(), "Z [ROLL PITCH [YAW]]");
        let asked = |words: &[&str]| {
            let mut row = Values::default();
            schema.read_pose(&mut row, words, &[] as &[&str]).map_err(|error| error.to_string())?;
            let answers = task.answers(&row).map_err(|error| error.to_string())?;
            Ok::<_, String>((answers[0].pose, answers[0].solution.q.clone()))
        };
        let (pose, q) = asked(&[place, "5deg", "3deg"]).unwrap();
        let [roll, pitch, yaw] = legwork::rotation::to_roll_pitch_yaw(&pose.rotation);
        // 1e-9: the tolerance of the way to a pose.
        assert!((roll.to_degrees() - 5.0).abs() < 1e-9 && (pitch.to_degrees() - 3.0).abs() < 1e-9, "{name}");
        assert!(yaw.abs() > 1e-3, "{name}: {yaw}");
        assert_eq!(asked(&[place, "5deg", "3deg", "0"]).unwrap().1, q);
        let again = asked(&[place, "5deg", "3deg", &format!("{yaw}")]).unwrap().1;
        assert!(q.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-9), "{name}: {q:?} {again:?}");
        let error = asked(&[place, "5deg", "3deg", "4deg"]).unwrap_err();
        assert!(error.contains("yaw 4 deg is given") && error.contains("follows from the others"), "{error}");
        assert!(asked(&[place, "5deg"]).unwrap_err().contains("1 or 3 or 4 numbers"), "{name}");
    }
}

/// Rows of a stream lead a mechanism on: each is near the one before, on its branch, and where the branch ends is an error
/// after which the rows go on from the last good one.
#[test]
fn rows_of_a_stream_lead_a_mechanism_on() {
    let rows = |task: &InverseTask, k: u32| {
        let angle = 0.2 * f64::from(k);
        let mut row = Values::default();
        let texts =
            [0.8 + 0.05 * angle.sin(), 0.12 * angle.sin(), 0.12 * angle.cos()].map(|x| format!("{x:e}"));
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        task.schema().read(&mut row, "", POSE, &texts).unwrap();
        task.answers(&row).map(|answers| answers[0].solution.q.clone())
    };
    let request = RobotRequest::named("3-rps");
    let fresh = InverseTask::open(&request, false).unwrap();
    let led = InverseTask::open(&request, false).unwrap().following(true);
    let mut worst: f64 = 0.0;
    for k in 0..64 {
        worst = nan_max(worst, gap(rows(&led, k).unwrap(), rows(&fresh, k).unwrap()));
    }
    assert!(worst < 1e-11, "{worst:e}");
    // By the motors: there, to where the platform cannot go, and back.
    let robot = AnyRobot::open("3-rps").unwrap();
    let home = robot.inverse_kinematics(&robot.home()).unwrap().q;
    let moved: Vec<f64> = home.iter().map(|q| q + 0.1).collect();
    let led = robot.led_by_joints(&moved).unwrap();
    assert!(gap(&led.inverse_kinematics(&led.led_pose()).unwrap().q, &moved) < 1e-12);
    let error = led.led_by_joints(&[home[0], home[1], home[2] + 3.0]).unwrap_err().to_string();
    assert!(error.contains("the way ends after"), "{error}");
    let back = led.led_by_joints(&home).unwrap().led_pose();
    assert!(gap(back.position, robot.home().position) < 1e-12);
}
