//! Paths: derivatives by arc length, known lengths and curvatures, orientation, way-points, bad input.

use legwork_core::engine::Pose;
use legwork_core::motion::Quaternion;
use legwork_core::trajectory::{
    Arc, Ends, Geodesic, InPlace, Law, Line, Path, PathError, PickAndPlace, Reversed, RotationSpline,
    RoundedCorner, SemiEllipse, Shape, Trajectory, Turned, Turning, WayPoints,
};
use legwork_core::{M3, V3};
use legwork_testkit::{highest, largest};
use std::f64::consts::PI;

fn v(x: f64, y: f64, z: f64) -> V3<f64> {
    V3::new(x, y, z)
}

fn norm(a: V3<f64>) -> f64 {
    a.norm_sq().sqrt()
}

fn rotation(axis: V3<f64>, angle: f64) -> M3<f64> {
    let n = axis * (1.0 / norm(axis));
    let (sin, cos) = (angle / 2.0).sin_cos();
    Quaternion { scalar: cos, vector: n * sin }.rotation()
}

const POINTS: [V3<f64>; 5] = [
    V3 { x: -0.2, y: 0.0, z: -0.8 },
    V3 { x: -0.1, y: 0.1, z: -0.7 },
    V3 { x: 0.05, y: 0.08, z: -0.72 },
    V3 { x: 0.1, y: -0.1, z: -0.8 },
    V3 { x: 0.2, y: -0.05, z: -0.78 },
];

fn ellipse() -> SemiEllipse {
    SemiEllipse::new(v(-0.125, 0.0, -0.5), v(0.125, 0.0, -0.5), v(0.0, 0.0, 0.06)).unwrap()
}

/// From one place to another 80 mm higher, with these distances up and down.
fn step(up_and_down: [f64; 2], reach: f64) -> PickAndPlace {
    let (from, to) = (v(-0.1, 0.05, -0.8), v(0.1, -0.02, -0.72));
    PickAndPlace::between(from, to, V3::along_z(1.0), up_and_down, reach).unwrap()
}

fn paths() -> Vec<(&'static str, Box<dyn Path>)> {
    let way = WayPoints::new(&POINTS, Ends::Natural).unwrap();
    let clamped = Ends::Clamped { start: [0.0, 0.0, 1.0], end: [0.0, 0.0, -1.0] };
    let turns = [0.0, 0.4, -0.3, 0.9, 0.2].map(|a: f64| rotation(v(0.3, a, 1.0), 1.7 * a + 0.1));
    vec![
        ("line", Box::new(Line::new(v(0.0, 0.1, 0.2), v(0.3, -0.2, 0.1)).unwrap())),
        ("arc", Box::new(Arc::through(v(0.1, 0.0, 0.0), v(0.0, 0.12, 0.01), v(-0.1, 0.0, 0.05)).unwrap())),
        (
            "arc about",
            Box::new(Arc::about(v(0.0, 0.0, 0.0), v(0.0, 0.0, 2.0), v(0.0, 0.3, 0.0), -2.0).unwrap()),
        ),
        ("ellipse", Box::new(ellipse())),
        (
            "tall ellipse",
            Box::new(SemiEllipse::new(v(0.0, 0.0, 0.0), v(0.01, 0.0, 0.0), v(0.0, 0.2, 0.0)).unwrap()),
        ),
        (
            "flat ellipse",
            Box::new(SemiEllipse::new(v(0.0, 0.0, 0.0), v(0.3, 0.0, 0.0), v(0.0, 0.0, 0.004)).unwrap()),
        ),
        ("adept", Box::new(PickAndPlace::adept(v(0.0, 0.0, -0.8), 0.02).unwrap())),
        ("adept, all round", Box::new(PickAndPlace::adept(v(0.0, 0.0, -0.8), 0.025).unwrap())),
        ("up a step", Box::new(step([0.13, 0.05], 0.04))),
        ("sloping across", Box::new(step([0.06, 0.09], 0.05))),
        (
            "leaning ellipse",
            Box::new(SemiEllipse::new(v(0.0, 0.0, 0.0), v(0.2, 0.0, 0.1), v(0.0, 0.0, 0.05)).unwrap()),
        ),
        (
            "corner of 150 degrees",
            Box::new(
                RoundedCorner::<24>::new(v(0.3, 0.0, 0.0), v(0.0, 0.0, 0.0), v(0.3, 0.17, 0.0), 0.1).unwrap(),
            ),
        ),
        ("way-points", Box::new(way)),
        ("clamped", Box::new(WayPoints::new(&POINTS, clamped).unwrap())),
        (
            "geodesic",
            Box::new(Turning {
                path: ellipse(),
                orientation: Geodesic::new(rotation(v(1.0, 0.0, 0.0), 0.3), rotation(v(0.2, 1.0, 0.4), 2.0))
                    .unwrap(),
            }),
        ),
        (
            "rotation spline",
            Box::new(Turning {
                path: way,
                orientation: RotationSpline::along(&turns, way.lengths()).unwrap(),
            }),
        ),
        (
            "in place",
            Box::new(
                InPlace::shortest(
                    v(0.0, 0.0, 1.0),
                    rotation(v(1.0, 0.0, 0.0), 0.3),
                    rotation(v(0.0, 1.0, 0.0), 1.0),
                )
                .unwrap(),
            ),
        ),
        (
            "reversed",
            Box::new(Reversed(Turning {
                path: ellipse(),
                orientation: Geodesic::new(rotation(v(1.0, 0.0, 0.0), 0.3), rotation(v(0.0, 1.0, 0.4), 1.0))
                    .unwrap(),
            })),
        ),
        ("turned", Box::new(Turned { path: ellipse(), rotation: rotation(v(1.0, 1.0, 0.0), 0.5) })),
    ]
}

/// w of Ṙ = [w×] R, from a difference of rotations.
fn turn(from: &Pose<f64>, to: &Pose<f64>, step: f64) -> V3<f64> {
    let r = to.rotation * from.rotation.transpose();
    let [[_, xy, xz], [yx, _, yz], [zx, zy, _]] = r.to_rows();
    v(zy - yz, xz - zx, yx - xy) * (0.5 / step)
}

#[test]
fn derivatives_are_those_of_the_pose() {
    for (name, path) in paths() {
        let (length, h) = (path.length(), 1e-5 * path.length());
        for k in 1..200 {
            let s = length * (f64::from(k) + 0.37) / 201.0;
            let (here, a, b) = (path.at(s), path.at(s - h), path.at(s + h));
            let first = (b.pose.position - a.pose.position) * (0.5 / h);
            let second = (b.first.linear - a.first.linear) * (0.5 / h);
            let w = turn(&a.pose, &b.pose, 2.0 * h);
            let w1 = (b.first.angular - a.first.angular) * (0.5 / h);
            // h² of the third derivative: curvature changes within a hundredth of the sharpest paths.
            let bend = 1.0 + norm(here.second.linear) * length;
            assert!(norm(first - here.first.linear) < 1e-7 * bend * bend, "{name} at {s}: p'");
            assert!(
                norm(second - here.second.linear) < 2e-6 * bend * bend * bend / length,
                "{name} at {s}: p''"
            );
            assert!(norm(w - here.first.angular) < 1e-7 * (1.0 + 10.0 / length), "{name} at {s}: w");
            assert!(norm(w1 - here.second.angular) < 1e-5 / (length * length) * 10.0, "{name} at {s}: w'");
            if norm(here.first.linear) > 0.0 {
                assert!((norm(here.first.linear) - 1.0).abs() < 1e-13, "{name}: a tangent of unit length");
                assert!(
                    here.first.linear.dot(here.second.linear).abs() * length < 1e-10,
                    "{name}: p'·p'' = 0"
                );
            }
        }
        // The ends are held.
        assert_eq!(path.at(-1.0).pose, path.at(0.0).pose, "{name}");
        assert_eq!(path.at(length + 1.0).pose, path.at(length).pose, "{name}");
    }
}

#[test]
fn arc_length_is_what_a_fine_polygon_measures() {
    for (name, path) in paths().into_iter().filter(|(name, _)| *name != "in place") {
        let (length, n) = (path.length(), 20_000);
        let points: Vec<V3<f64>> =
            (0..=n).map(|k| path.at(length * f64::from(k) / f64::from(n)).pose.position).collect();
        let chords: Vec<f64> = points.windows(2).map(|pair| norm(pair[1] - pair[0])).collect();
        // A chord is shorter than its arc by κ²h³/24; the sharpest curve here has κ h = 0.16.
        let measured: f64 = chords.iter().sum();
        assert!((measured / length - 1.0).abs() < 1e-5, "{name}: {measured} {length}");
        let even = length / f64::from(n);
        assert!(
            chords.iter().all(|c| (c / even - 1.0).abs() < 2e-3),
            "{name}: equal steps give equal chords"
        );
    }
}

#[test]
fn the_ellipse_of_the_experiment() {
    let path = ellipse();
    assert!((path.length() - 0.29964).abs() < 5e-6, "{}", path.length());
    // Half the perimeter by the arithmetic-geometric mean: π (a² − Σ 2^(n−1) c_n²)/AGM, c_0² = a² − b².
    let (a, b) = (0.125_f64, 0.06_f64);
    let (mut x, mut y, mut power, mut sum) = (a, b, 0.5, a * a - 0.5 * (a * a - b * b));
    for _ in 0..6 {
        let c = 0.5 * (x - y);
        (x, y, power) = (0.5 * (x + y), (x * y).sqrt(), power * 2.0);
        sum -= power * c * c;
    }
    assert!((path.length() - PI * sum / x).abs() < 1e-14, "{} {}", path.length(), PI * sum / x);
    // Leaves and arrives upright; curvature |w|/h² at the ends, h/|w|² at the top.
    let (start, top, end) = (path.at(0.0), path.at(path.length() / 2.0), path.at(path.length()));
    assert!(norm(start.first.linear - v(0.0, 0.0, 1.0)) < 1e-12);
    assert!(norm(end.first.linear - v(0.0, 0.0, -1.0)) < 1e-12);
    assert!((norm(start.second.linear) - a / (b * b)).abs() < 1e-9);
    assert!((norm(top.second.linear) - b / (a * a)).abs() < 1e-9);
    assert!(norm(top.pose.position - v(0.0, 0.0, -0.44)) < 1e-12);
}

#[test]
fn total_acceleration_of_the_experiment() {
    // 78, 107 and 158 m/s² on that ellipse.
    let path = ellipse();
    let sine = Law::by_peak_acceleration(Shape::sine(), path.length(), 80.0).unwrap();
    let parabolic = Law::by_duration(Shape::parabolic(), path.length(), sine.duration()).unwrap();
    let lopsided = Law::sine_by_peaks(path.length(), 120.0, 60.0).unwrap();
    for (law, printed) in [(parabolic, 78.0), (sine, 107.0), (lopsided, 158.0)] {
        let run = Trajectory { path, law };
        let times = (0..=10_000).map(|k| run.duration() * f64::from(k) / 1e4);
        let peak = largest(times.map(|t| norm(run.at(t).acceleration.linear)));
        assert!((peak - printed).abs() < 0.5, "{peak} {printed}");
    }
}

#[test]
fn a_trajectory_has_the_derivatives_of_its_poses() {
    let way = WayPoints::new(&POINTS, Ends::Natural).unwrap();
    let turns = [0.0, 0.4, -0.3, 0.9, 0.2].map(|a: f64| rotation(v(0.3, a, 1.0), 1.7 * a + 0.1));
    let path = Turning { path: way, orientation: RotationSpline::along(&turns, way.lengths()).unwrap() };
    let run = Trajectory { path, law: Law::by_duration(Shape::Quintic, path.length(), 0.4).unwrap() };
    let h = 1e-5;
    for k in 1..100 {
        let t = 0.4 * f64::from(k) / 100.0;
        let (a, here, b) = (run.at(t - h), run.at(t), run.at(t + h));
        let velocity = (b.pose.position - a.pose.position) * (0.5 / h);
        let acceleration = (b.twist.linear - a.twist.linear) * (0.5 / h);
        let spin = (b.twist.angular - a.twist.angular) * (0.5 / h);
        // h² times third derivatives of some 1e4 /s³.
        assert!(norm(velocity - here.twist.linear) < 1e-5);
        assert!(
            norm(acceleration - here.acceleration.linear) < 1e-4 * (1.0 + norm(here.acceleration.linear))
        );
        assert!(norm(turn(&a.pose, &b.pose, 2.0 * h) - here.twist.angular) < 1e-4);
        assert!(norm(spin - here.acceleration.angular) < 1e-3 * (1.0 + norm(here.acceleration.angular)));
    }
    let past = run.at(9.0);
    assert_eq!((norm(past.twist.linear), norm(past.acceleration.angular)), (0.0, 0.0));
    assert!(norm(past.pose.position - POINTS[4]) < 1e-12);
}

#[test]
fn way_points_and_their_orientations_are_met() {
    let way = WayPoints::new(&POINTS, Ends::Natural).unwrap();
    let turns = [0.0, 0.4, -0.3, 0.9, 0.2].map(|a: f64| rotation(v(0.3, a, 1.0), 1.7 * a + 0.1));
    let path = Turning { path: way, orientation: RotationSpline::along(&turns, way.lengths()).unwrap() };
    for (k, (&s, point)) in way.lengths().iter().zip(&POINTS).enumerate() {
        let there = path.at(s);
        assert!(norm(there.pose.position - *point) < 1e-12);
        let off = there.pose.rotation.to_rows().concat();
        let want = turns[k].to_rows().concat();
        assert!(off.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-12));
        // Second derivatives do not jump.
        let (a, b) = (path.at(s - 1e-9), path.at(s + 1e-9));
        assert!(norm(a.second.linear - b.second.linear) < 1e-4);
        assert!(norm(a.second.angular - b.second.angular) < 1e-4);
    }
    // Natural ends do not bend; two points make a straight line.
    assert!(norm(way.at(0.0).second.linear) < 1e-9 && norm(way.at(way.length()).second.linear) < 1e-9);
    let straight = WayPoints::new(&[POINTS[0], POINTS[3]], Ends::Natural).unwrap();
    assert!((straight.length() - norm(POINTS[3] - POINTS[0])).abs() < 1e-14);
    // A clamped spline starts in its direction.
    let ends = Ends::Clamped { start: [0.0, 0.0, 1.0], end: [1.0, 0.0, 0.0] };
    let clamped = WayPoints::new(&POINTS, ends).unwrap();
    assert!(norm(clamped.at(0.0).first.linear - v(0.0, 0.0, 1.0)) < 1e-12);
    assert!(norm(clamped.at(clamped.length()).first.linear - v(1.0, 0.0, 0.0)) < 1e-12);
}

#[test]
fn a_geodesic_turns_about_one_axis_at_one_rate() {
    let (from, to) = (rotation(v(1.0, 0.0, 0.0), 0.4), rotation(v(1.0, 2.0, -1.0), 3.0));
    let path = InPlace::shortest(v(0.0, 0.0, 0.5), from, to).unwrap();
    assert!(path.length() <= PI);
    let (a, b) = (path.at(0.0), path.at(path.length()));
    for (found, want) in [(a.pose.rotation, from), (b.pose.rotation, to)] {
        let pairs = found.to_rows().concat().into_iter().zip(want.to_rows().concat());
        assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-14));
    }
    assert!((norm(a.first.angular) - 1.0).abs() < 1e-14, "the parameter is the angle");
    assert_eq!(a.first.angular, path.at(0.3).first.angular);
    // No turn at all is an orientation, but not a path in place.
    assert_eq!(Geodesic::new(from, from).unwrap().angle(), 0.0);
    assert!(matches!(InPlace::shortest(v(0.0, 0.0, 0.0), to, to), Err(PathError::NotPositive { .. })));
}

#[test]
fn arcs_have_their_radius() {
    let arc = Arc::through(v(1.0, 0.0, 3.0), v(0.0, 1.0, 3.0), v(0.0, -1.0, 3.0)).unwrap();
    assert!((arc.radius() - 1.0).abs() < 1e-14 && (arc.length() - 1.5 * PI).abs() < 1e-13);
    assert!(norm(arc.at(PI / 2.0).pose.position - v(0.0, 1.0, 3.0)) < 1e-14);
    let about = Arc::about(v(0.0, 0.0, 3.0), v(0.0, 0.0, 5.0), v(1.0, 0.0, 3.0), 1.5 * PI).unwrap();
    assert!(norm(about.at(4.0).pose.position - arc.at(4.0).pose.position) < 1e-14);
}

#[test]
fn corners_of_the_adept_cycle() {
    let reach = 0.02;
    let path = PickAndPlace::adept(v(0.0, 0.0, -0.8), reach).unwrap();
    // Straight parts 5, 265 and 5 mm and two corners, each shorter than its two legs.
    let straight = 0.005 + 0.265 + 0.005;
    let corner = (path.length() - straight) / 2.0;
    assert!(corner < 2.0 * reach && corner > 2.0_f64.sqrt() * reach);
    let (start, end) = (path.at(0.0), path.at(path.length()));
    assert!(norm(start.pose.position - v(-0.1525, 0.0, -0.8)) < 1e-15);
    assert!(norm(end.pose.position - v(0.1525, 0.0, -0.8)) < 1e-15);
    let samples: Vec<_> = (0..=4000).map(|k| path.at(path.length() * f64::from(k) / 4000.0)).collect();
    let top = highest(samples.iter().map(|p| p.pose.position.z));
    assert!((top + 0.775).abs() < 1e-15, "it never rises above its lift: {top}");
    // Stated with the curve: smallest radius 0.597 reach, cut 0.309 reach at the middle of the corner.
    let sharpest = largest(samples.iter().map(|p| norm(p.second.linear)));
    assert!((1.0 / sharpest / reach - 0.597).abs() < 1e-3, "{}", 1.0 / sharpest / reach);
    let middle = path.at(0.005 + corner / 2.0).pose.position;
    assert!((norm(middle - v(-0.1525, 0.0, -0.775)) / reach - 0.309).abs() < 1e-3);
    // Curvature does not jump where a corner begins.
    for s in [0.005, 0.005 + corner, 0.27 + corner, 0.27 + 2.0 * corner] {
        let jump = path.at(s - 1e-9).second.linear - path.at(s + 1e-9).second.linear;
        assert!(norm(jump) < 1e-4 / reach, "{s}: {}", norm(jump));
    }
}

/// Both distances are kept exactly: the way is straight up to where the first corner begins and straight down from where
/// the second ends; level across if the distances differ as the heights do.
#[test]
fn a_cycle_between_two_heights_lifts_and_lowers_as_told() {
    for (lift, lower, reach, slope) in [(0.13, 0.05, 0.04, 0.0), (0.06, 0.09, 0.05, 0.11)] {
        let path = step([lift, lower], reach);
        let (start, end) = (path.at(0.0).pose.position, path.at(path.length()).pose.position);
        // 1e-15: rounding of lengths below a metre.
        assert!(norm(start - v(-0.1, 0.05, -0.8)) < 1e-15 && norm(end - v(0.1, -0.02, -0.72)) < 1e-15);
        let (up, down) = (lift - reach, lower - reach);
        assert!(norm(path.at(up).pose.position - (start + V3::along_z(up))) < 1e-15);
        assert!(norm(path.at(path.length() - down).pose.position - (end + V3::along_z(down))) < 1e-15);
        let across = path.at(0.5 * path.length()).first.linear;
        let rise = (-0.72 + lower) - (-0.8 + lift);
        assert!((rise - slope).abs() < 1e-12, "{rise}");
        assert!((across.z - slope / norm(v(0.2, -0.07, slope))).abs() < 1e-14, "{}", across.z);
        // Curvature does not jump where its parts meet.
        let mut joint = path.next_joint(0.0);
        while joint < path.length() {
            let jump = path.at(joint - 1e-9).second.linear - path.at(joint + 1e-9).second.linear;
            assert!(norm(jump) < 1e-4 / reach, "{joint}: {}", norm(jump));
            joint = path.next_joint(joint);
        }
    }
    // Straight above each other there is nothing to go across.
    let above = PickAndPlace::between(V3::zero(), V3::along_z(0.1), V3::along_z(1.0), [0.2, 0.2], 0.01);
    assert!(
        matches!(above, Err(PathError::NotPositive { what: "way across of the cycle", .. })),
        "{above:?}"
    );
    let low = PickAndPlace::between(V3::zero(), v(0.2, 0.0, 0.1), V3::along_z(1.0), [0.2, 0.0], 0.01);
    assert!(matches!(low, Err(PathError::NotPositive { what: "lowering of the cycle", .. })), "{low:?}");
}

/// Any two lines, up to nearly back again: both are kept exactly up to the reach.
#[test]
fn a_rounded_corner_keeps_its_lines_up_to_its_reach() {
    for degrees in [1.0_f64, 30.0, 90.0, 135.0, 160.0] {
        let turn = degrees.to_radians();
        let (vertex, ahead) = (v(0.1, 0.2, 0.3), v(turn.cos(), turn.sin(), 0.0));
        let corner =
            RoundedCorner::<24>::new(vertex - v(1.0, 0.0, 0.0), vertex, vertex + ahead, 0.05).unwrap();
        let (start, end) = (corner.at(0.0), corner.at(corner.length()));
        // 1e-15: rounding of lengths below a metre.
        assert!(norm(start.pose.position - (vertex - v(0.05, 0.0, 0.0))) < 1e-15, "{degrees}");
        assert!(norm(end.pose.position - (vertex + ahead * 0.05)) < 1e-15, "{degrees}");
        assert!(
            norm(start.first.linear - v(1.0, 0.0, 0.0)) < 1e-13 && norm(end.first.linear - ahead) < 1e-13
        );
        assert!(norm(start.second.linear) < 1e-12 && norm(end.second.linear) < 1e-12, "{degrees}");
    }
    let back = RoundedCorner::<24>::new(V3::zero(), v(1.0, 0.0, 0.0), V3::zero(), 0.1);
    assert!(matches!(back, Err(PathError::Cusp { .. })), "{back:?}");
}

#[test]
fn bad_numbers_are_named() {
    let (o, x) = (v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0));
    let nan = v(f64::NAN, 0.0, 0.0);
    assert_eq!(Line::new(o, o).unwrap_err(), PathError::SamePoint { first: 0 });
    assert!(matches!(Line::new(o, nan), Err(PathError::NotFinite { what: "end of the line", .. })));
    assert_eq!(Arc::through(o, x, x + x).unwrap_err(), PathError::Collinear);
    assert!(matches!(Arc::through(o, x, x), Err(PathError::SamePoint { first: 1 })));
    assert!(matches!(Arc::about(o, x, x, 1.0), Err(PathError::NotPerpendicular { .. })));
    assert!(Arc::about(o, v(0.0, 0.0, 1.0), x, 0.0).is_err());
    assert!(matches!(SemiEllipse::new(o, x, x), Err(PathError::Steep { .. })));
    assert!(matches!(SemiEllipse::new(o, x, o), Err(PathError::NotPositive { .. })));
    // There and back on a line: the spline stops and turns round.
    assert!(matches!(WayPoints::new(&[o, x, o], Ends::Natural), Err(PathError::Cusp { .. })));
    let error = PickAndPlace::adept(o, 0.03).unwrap_err();
    assert_eq!(error.to_string(), "the reach of the corners is 0.03 m; it must not exceed 0.025 m here");
    assert!(matches!(WayPoints::new(&[o], Ends::Natural), Err(PathError::TooFewPoints { points: 1 })));
    assert_eq!(WayPoints::new(&[o, x, x], Ends::Natural).unwrap_err(), PathError::SamePoint { first: 1 });
    assert!(WayPoints::new(&[o, nan], Ends::Natural).is_err());
    let same = rotation(x, 0.1);
    assert!(matches!(
        RotationSpline::new(&[same; 3], [0.0, 0.6, 0.5]),
        Err(PathError::KnotOrder { first: 1 })
    ));
}

/// Backwards the joints are the same ones, each farther than the one before, however the lengths round.
#[test]
fn joints_of_a_reversed_path_are_the_same_and_go_forward() {
    let mut random = legwork_testkit::Seeded::new(11);
    for _ in 0..2000 {
        let [width, height, share] =
            [(0.01, 1.0), (0.001, 0.3), (0.05, 0.999)].map(|(a, b)| random.uniform(a, b));
        let reach = share * height.min(0.5 * width);
        let path =
            PickAndPlace::new(V3::zero(), V3::new(width, 0.0, 0.0), V3::along_z(height), reach).unwrap();
        let joints = |path: &dyn Path| {
            let (mut all, mut s) = (vec![], 0.0);
            while s < path.length() {
                let next = path.next_joint(s);
                assert!(next > s, "{next} after {s}");
                s = next;
                all.push(s);
            }
            all
        };
        let (forth, back) = (joints(&path), joints(&Reversed(path)));
        assert_eq!(forth.len(), back.len());
        for (a, b) in forth.iter().rev().skip(1).zip(&back) {
            // 1e-14: rounding of a difference of lengths.
            assert!((path.length() - a - b).abs() < 1e-14 * path.length().max(1.0), "{a} and {b}");
        }
    }
}
