//! Paths, laws, the fastest motion and the check of a path under the same proof.

use legwork_core::V3;
use legwork_core::engine::Pose;
use legwork_core::robots::{catalog, gough_stewart};
use legwork_core::trajectory::optimal::{GridPoint, Limits, Settings, time_optimal};
use legwork_core::trajectory::{
    CheckSettings, Ends, Geodesic, Law, Path, PickAndPlace, RotationSpline, SemiEllipse, Shape, ThereAndBack,
    TimeLaw, Trajectory, Turning, WayPoints, check_path,
};

fn ran<P: Path, L: TimeLaw>(path: P, law: L, time: f64) -> f64 {
    let state = Trajectory { path, law }.at(time);
    state.pose.position.sum() + state.twist.linear.sum() + state.acceleration.angular.sum()
}

/// Every kind of path under every kind of law; negative if one cannot be made.
#[unsafe(no_mangle)]
pub extern "C" fn trajectories(points: &[[f64; 3]; 4], turn: f64, time: f64) -> f64 {
    let [a, b, c, d] = points.map(V3::from);
    let (Ok(ellipse), Ok(way)) = (SemiEllipse::new(a, b, c), WayPoints::new(&[a, b, c, d], Ends::Natural)) else {
        return -1.0;
    };
    let turned = Pose::rotation_z(turn).rotation;
    let upright = Pose::<f64>::identity().rotation;
    let turns = RotationSpline::along(&[upright, turned, upright, turned], way.lengths());
    let (Ok(spline), Ok(geodesic)) = (turns, Geodesic::new(upright, turned)) else { return -2.0 };
    let length = way.length();
    let (Ok(sine), Ok(smooth)) =
        (Law::sine_by_peaks(length, 120.0, 60.0), Law::s_curve_within(length, 2.0, 50.0, 1e4))
    else {
        return -3.0;
    };
    let Ok(cubic) = Law::by_average_speed(Shape::Cubic, ellipse.length(), 1.0) else { return -4.0 };
    ran(Turning { path: way, orientation: spline }, ThereAndBack::once(sine, smooth), time)
        + ran(Turning { path: ellipse, orientation: geodesic }, cubic, time)
}

/// The fastest Adept cycle, and its check.
#[unsafe(no_mangle)]
pub extern "C" fn fastest(grid: &mut [GridPoint<3>; 101], effort: f64, time: f64) -> f64 {
    let delta = catalog::delta_industrial();
    let Ok(path) = PickAndPlace::adept(V3::new(0.0, 0.0, -0.8), 0.02) else { return -1.0 };
    let Ok(check) = check_path(&path, &delta, &CheckSettings::default()) else { return -2.0 };
    match time_optimal(&path, &delta, &Limits::effort(effort), &Settings::default(), grid) {
        Ok(law) => law.at(time).distance + law.duration() + law.stretches().count() as f64 + check.parallel.0,
        Err(_) => -3.0,
    }
}

/// A hexapod on a line.
#[unsafe(no_mangle)]
pub extern "C" fn fastest_hexapod(
    p: &gough_stewart::Parameters<f64>,
    grid: &mut [GridPoint<6>; 51],
    ends: &[[f64; 3]; 2],
) -> f64 {
    let [a, b] = ends.map(V3::from);
    let Ok(path) = legwork_core::trajectory::Line::new(a, b) else { return -1.0 };
    let robot = p.robot();
    if check_path(&path, &robot.mechanism(), &CheckSettings::default()).is_err() {
        return -2.0;
    }
    time_optimal(&path, &robot, &Limits::effort(500.0), &Settings::default(), grid).map_or(-3.0, |law| law.duration())
}
