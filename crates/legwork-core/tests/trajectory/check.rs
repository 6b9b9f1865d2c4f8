//! A path checked before motion: where it comes closest to an edge, and where it fails.

use legwork_core::V3;
use legwork_core::engine::Pose;
use legwork_core::robots::delta::{Geometry, Linkage, PostureError, Reach, WorkingMode};
use legwork_core::robots::{catalog, delta_legs};
use legwork_core::trajectory::check::Clearance;
use legwork_core::trajectory::{
    CheckSettings, Line, Path, PathFaultKind, PathProbe, PickAndPlace, check_path,
};
use legwork_testkit::lowest;

fn line(from: [f64; 3], to: [f64; 3]) -> Line<f64> {
    Line::new(V3::from(from), V3::from(to)).unwrap()
}

#[test]
fn a_good_path_says_where_it_is_closest() {
    let delta = catalog::delta_industrial();
    let path = PickAndPlace::adept(V3::new(0.0, 0.1, -0.8), 0.02).unwrap();
    let check = check_path(&path, &delta, &CheckSettings::default()).unwrap();
    // Sampled ten times finer than asked, nothing is closer, and the places are right.
    let closest = |f: fn(&Clearance<3>) -> f64| {
        let places = (0..=2000).map(|k| path.length() * f64::from(k) / 2000.0);
        lowest(places.map(|s| f(&delta.clearance(&path.at(s).pose).unwrap())))
    };
    let (serial, parallel) = (closest(|c| c.serial), closest(|c| c.parallel.abs()));
    assert!(check.serial.0 <= serial + 1e-15 && serial - check.serial.0 < 1e-6, "{check:?} {serial}");
    assert!(
        check.parallel.0 <= parallel + 1e-15 && parallel - check.parallel.0 < 1e-6,
        "{check:?} {parallel}"
    );
    let there = delta.clearance(&path.at(check.serial.1).pose).unwrap();
    assert_eq!((there.serial, there.leg), (check.serial.0, check.serial.2));
    // The engine takes the same path.
    let legs = delta_legs::delta_legs(&delta);
    assert!(check_path(&path, &legs.mechanism(), &CheckSettings::default()).is_ok());
}

#[test]
fn the_place_where_reach_ends_is_found() {
    let delta = catalog::delta_industrial();
    let path = line([0.0, 0.0, -0.8], [0.0, 0.0, -1.4]);
    let mut settings = CheckSettings::default();
    (settings.serial, settings.intervals) = (0.0, 7);
    let fault = check_path(&path, &delta, &settings).unwrap_err();
    // Stretched legs on the axis: (R_A − R_B)² + z² = (a + b)².
    let z = (1.15_f64 * 1.15 - 0.155 * 0.155).sqrt();
    assert!((fault.s - (z - 0.8)).abs() < 1e-9, "{} {}", fault.s, z - 0.8);
    let PathFaultKind::Robot(PostureError::Unreachable { reach: Reach::TooFar, gap, .. }) = fault.kind else {
        panic!("{fault:?}")
    };
    assert!(gap < 1e-9, "just out of reach: {gap}");
    assert!((fault.pose.position.z + z).abs() < 1e-9);
    // With a distance to keep it fails earlier, and says which leg.
    settings.serial = 0.2;
    let earlier = check_path(&path, &delta, &settings).unwrap_err();
    assert!(earlier.s < fault.s);
    let PathFaultKind::Serial { distance, .. } = earlier.kind else { panic!("{earlier:?}") };
    assert!((distance - 0.2).abs() < 1e-9);
    assert!(earlier.to_string().contains("of a serial singularity"), "{earlier}");
}

#[test]
fn a_parallel_singularity_between_two_samples_is_found() {
    // A forearm longer than arm and offset together: the platform rises above the elbows.
    let g = Geometry {
        base_radius: 0.3,
        platform_radius: 0.1,
        arm: 0.3,
        forearm: 0.45,
        azimuth: Geometry::regular_azimuth(),
    };
    let linkage = Linkage::new(g).unwrap().with_working_mode(WorkingMode::all()[7]);
    let path = line([0.0, 0.0, -0.3], [0.0, 0.0, 0.3]);
    let volume = |z: f64| linkage.clearance(&Pose::translation(V3::new(0.0, 0.0, z))).map(|c| c.parallel);
    let (Ok(below), Ok(above)) = (volume(-0.3), volume(0.3)) else { panic!("reachable at both ends") };
    assert!(below * above < 0.0, "it passes a singularity: {below} {above}");
    for intervals in [3, 4, 100] {
        let mut settings = CheckSettings::default();
        (settings.intervals, settings.serial) = (intervals, 0.0);
        let fault = check_path(&path, &linkage, &settings).unwrap_err();
        let PathFaultKind::Parallel { distance } = fault.kind else { panic!("{fault:?}") };
        // The first place within 1e-3 of it.
        assert!((distance.abs() - 1e-3).abs() < 1e-9, "{intervals}: {distance}");
        let just_before = volume(fault.pose.position.z - 1e-9).unwrap();
        assert!(just_before.abs() >= 1e-3);
    }
}

#[test]
fn a_jump_to_another_working_mode_is_found() {
    // A robot whose inverse kinematics takes the other branch beyond x = 0.123.
    struct Jumps;
    impl PathProbe<1> for Jumps {
        type Fault = ();
        fn clearance(&self, pose: &Pose<f64>) -> Result<Clearance<1>, ()> {
            let x = pose.position.x;
            let joints = [if x < 0.123 { 20.0 * x } else { 20.0 * x + 1.5 }];
            Ok(Clearance { joints, serial: 1.0, leg: 0, parallel: 1.0 })
        }
    }
    let path = line([0.0, 0.0, 0.0], [0.4, 0.0, 0.0]);
    let fault = check_path(&path, &Jumps, &CheckSettings::default()).unwrap_err();
    let PathFaultKind::WorkingMode { motor: 0, jump } = fault.kind else { panic!("{fault:?}") };
    assert!((fault.s - 0.123).abs() < 1e-9 && (jump - 1.5).abs() < 1e-6, "{fault:?}");
    // Fast is not a jump.
    let mut coarse = CheckSettings::default();
    coarse.intervals = 3;
    assert!(check_path(&line([0.2, 0.0, 0.0], [0.4, 0.0, 0.0]), &Jumps, &coarse).is_ok());
}
