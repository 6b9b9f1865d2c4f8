//! The skeleton of every robot: bars keep their lengths, ends stay on base and platform, slides are as
//! long as the joint says.

use legwork::description::BUILT_IN;
use legwork::{AnyRobot, PartKind, PlatformState, Skeleton, rotation_from_roll_pitch_yaw};

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Home and a few places around it, in the freedoms that the robot has.
fn poses(robot: &AnyRobot) -> Vec<PlatformState> {
    let home = robot.home();
    let size = robot.platform_size().max(0.02);
    let mut all = vec![home];
    for step in [0.05, -0.08, 0.11] {
        let mut position = home.position;
        let mut angles = [0.0; 3];
        for (k, freedom) in robot.freedoms().iter().enumerate() {
            let step = if k % 2 == 0 { step } else { -0.7 * step };
            if freedom.turns() {
                angles[freedom.component - 3] = step;
            } else {
                position[freedom.component] += step * size;
            }
        }
        let turn = rotation_from_roll_pitch_yaw(angles);
        let entry = |i: usize, j: usize| (0..3).map(|k| turn[i][k] * home.rotation[k][j]).sum();
        let rotation = [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)));
        let rotation = if angles == [0.0; 3] { home.rotation } else { rotation };
        all.push(PlatformState::at(position).turned(rotation));
    }
    all.into_iter().filter(|pose| robot.inverse_kinematics(pose).is_ok()).collect()
}

fn every_robot() -> impl Iterator<Item = AnyRobot> {
    BUILT_IN.iter().map(|robot| AnyRobot::open(robot.name).unwrap())
}

fn skeletons(robot: &AnyRobot) -> Vec<Skeleton> {
    let all: Vec<_> = poses(robot).iter().map(|pose| robot.skeleton(pose).unwrap()).collect();
    assert!(all.len() >= 3, "{}: only {} poses can be reached", robot.name(), all.len());
    all
}

#[test]
fn parts_are_the_same_in_every_pose() {
    for robot in every_robot() {
        let all = skeletons(&robot);
        let first = &all[0];
        for other in &all[1..] {
            assert_eq!(first.parts, other.parts, "{}", robot.name());
            assert_eq!((&first.legs, &first.motors), (&other.legs, &other.motors), "{}", robot.name());
            assert_eq!(first.points.len(), other.points.len());
        }
        assert_eq!(first.motors.len(), robot.joints().len(), "{}", robot.name());
        let places = first.parts.iter().flat_map(|part| &part.points).chain(first.legs.iter().flatten());
        assert!(places.chain(&first.motors).all(|place| *place < first.points.len()));
    }
}

#[test]
fn bars_keep_their_lengths() {
    let mut bars = 0;
    for robot in every_robot() {
        let all = skeletons(&robot);
        for part in all[0].parts.iter().filter(|part| part.kind == PartKind::Link) {
            for pair in part.points.windows(2) {
                let length =
                    |skeleton: &Skeleton| distance(skeleton.points[pair[0]], skeleton.points[pair[1]]);
                for other in &all[1..] {
                    // Newton's method of custom legs closes to 1e-9.
                    assert!((length(&all[0]) - length(other)).abs() < 2e-9, "{}: {part:?}", robot.name());
                }
                // Two joints of a mechanism's body may be at one point.
                let is_mechanism = robot.mobility().is_some();
                assert!(is_mechanism || length(&all[0]) > 1e-4, "{}: {part:?} has no length", robot.name());
                bars += 1;
            }
        }
    }
    assert!(bars > 60, "only {bars} bars seen");
}

#[test]
fn the_outlines_are_rigid() {
    for robot in every_robot() {
        let all = skeletons(&robot);
        for part in &all[0].parts {
            let outline = match part.kind {
                PartKind::Base => &part.points,
                // Where ends slide on the platform there are only lines to them.
                PartKind::Platform if part.points.len() > 2 => &part.points,
                _ => continue,
            };
            for (a, b) in outline.iter().flat_map(|a| outline.iter().map(move |b| (*a, *b))) {
                for other in &all[1..] {
                    let gap = |s: &Skeleton| distance(s.points[a], s.points[b]);
                    assert!((gap(&all[0]) - gap(other)).abs() < 2e-9, "{}: {:?}", robot.name(), part.kind);
                    if part.kind == PartKind::Base {
                        assert_eq!(all[0].points[a], other.points[a], "{}: the base moves", robot.name());
                    }
                }
            }
        }
    }
}

#[test]
fn slides_of_a_hexapod_are_as_long_as_its_joints_say() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    for pose in poses(&robot) {
        let (skeleton, joints) = (robot.skeleton(&pose).unwrap(), robot.inverse_kinematics(&pose).unwrap());
        for (leg, q) in joints.q.iter().enumerate() {
            let ends = skeleton.joints(leg);
            assert!((distance(ends[0], ends[1]) - q).abs() < 1e-12, "leg {leg}");
        }
    }
}

/// The elbow from the angle alone, without the posture that the skeleton is made of.
#[test]
fn the_elbows_of_a_delta_are_where_its_angles_put_them() {
    for name in ["delta-industrial", "klipper-rotary-delta"] {
        let robot = AnyRobot::open(name).unwrap();
        let delta = robot.description().as_delta().unwrap();
        let g = &delta.geometry;
        for pose in poses(&robot) {
            let (skeleton, found) =
                (robot.skeleton(&pose).unwrap(), robot.inverse_kinematics(&pose).unwrap());
            assert_eq!(skeleton.points[skeleton.platform], pose.position);
            for (leg, azimuth) in g.azimuth.iter().enumerate() {
                let q = delta.frame.angle_from_user(found.q[leg]);
                let radius = g.base_radius + g.arm * q.cos();
                let own = [radius * azimuth.cos(), radius * azimuth.sin(), -g.arm * q.sin()];
                let elbow = delta.frame.position_to_user(own);
                let joints = skeleton.joints(leg);
                assert!(distance(joints[1], elbow) < 1e-12, "{name}, leg {leg}"); // rounding
                assert!((distance(joints[1], joints[2]) - g.forearm).abs() < 1e-12, "{name}, leg {leg}");
                let end = distance(joints[2], pose.position);
                assert!((end - g.platform_radius).abs() < 1e-12, "{name}, leg {leg}");
            }
        }
    }
}

#[test]
fn a_pose_that_has_no_joints_has_no_skeleton() {
    let mut refused = 0;
    for robot in every_robot() {
        let mut far = robot.home();
        far.position[0] += 1e3;
        let joints = robot.inverse_kinematics(&far);
        assert_eq!(robot.skeleton(&far).is_err(), joints.is_err(), "{}", robot.name());
        refused += usize::from(joints.is_err()); // a leg that only slides reaches any place
        far.position[0] = f64::NAN;
        assert!(robot.skeleton(&far).is_err(), "{}", robot.name());
    }
    assert!(refused > 10, "only {refused} robots have a reach");
}
