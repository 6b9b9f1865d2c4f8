//! Freedoms that are those of a joint, and freedoms that roll.

use legwork_core::V3;
use legwork_core::engine::{MotionSpace, Pose};
use std::f64::consts::TAU;

/// Where a closed loop of two coordinates, each 0 … 1 rad and back, leads a platform that moves in S(pose, coordinates).
fn round_trip(space: impl Fn(f64) -> MotionSpace<f64, 2>) -> Pose<f64> {
    const STEPS: u32 = 20_000;
    let place = |t: f64| [0.5 - 0.5 * (TAU * t).cos(), 0.5 * (TAU * t).sin()];
    let mut pose = Pose::identity();
    for k in 0..STEPS {
        let [from, middle, to] = [0.0, 0.5, 1.0].map(|part| place((f64::from(k) + part) / f64::from(STEPS)));
        let step = [to[0] - from[0], to[1] - from[1]];
        pose = pose.moved(&space(middle[0]).twist(&step));
    }
    pose
}

fn turned(pose: &Pose<f64>) -> f64 {
    Pose::identity().way_to(pose).angular.norm_sq().sqrt()
}

#[test]
fn constant_freedoms_of_a_joint_close_on_themselves() {
    assert!((MotionSpace::<f64, 2>::of_components([3, 4]).rolling() - 1.0).abs() < 1e-15);
    assert!((MotionSpace::<f64, 5>::of_components([0, 1, 2, 3, 5]).rolling() - 1.0).abs() < 1e-15);
    assert!(MotionSpace::<f64, 6>::full().rolling() < 1e-15);
    assert!(MotionSpace::<f64, 3>::planar().rolling() < 1e-15);
    assert!(MotionSpace::<f64, 3>::of_components([3, 4, 5]).rolling() < 1e-15);
    assert!(MotionSpace::<f64, 1>::of_components([4]).rolling() < 1e-15);
    // Two screws of the same axis are a cylindrical joint.
    let screws = [[0.0, 0.0, 0.1, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0, 0.0, 2.0]];
    assert!(MotionSpace::constant(screws).rolling() < 1e-15);
}

/// About constant axes the platform comes back turned about the third, by the area of the loop to first order; about
/// the axes of a universal joint, the second turning with the first, it comes back.
#[test]
fn a_platform_that_rolls_does_not_come_back() {
    let rolled = round_trip(|_| MotionSpace::of_components([3, 4]));
    let yaw = Pose::identity().way_to(&rolled).angular.z.abs();
    let area = 0.25 * TAU / 2.0;
    assert!((yaw - area).abs() < 0.2 * area, "{yaw} rad, area {area}");
    let universal = round_trip(|first: f64| {
        let axis = V3::new(0.0, first.cos(), first.sin());
        MotionSpace::constant([[0.0, 0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, axis.x, axis.y, axis.z]])
    });
    // 1e-7: twenty thousand steps of second order.
    assert!(turned(&universal) < 1e-7, "{:e}", turned(&universal));
}
