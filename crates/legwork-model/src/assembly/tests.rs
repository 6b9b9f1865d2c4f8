//! The stored system, the certificate, and the counts of known geometries.

use super::certify::{Exact, angle, normalized};
use super::complex::{Complex, complex, dot};
use super::double::Double;
use super::form::{Constraint, Form, Scale, Study, rounded, row};
use super::monodromy;
use super::start::stored;
use super::{Completeness, PlanarLeg, Poses, PreparedGeometry, planar_poses};
use crate::random::Random;
use crate::rotation::Matrix;

type Points = [[f64; 3]; 6];

fn turn(random: &mut Random) -> Matrix {
    let q: [f64; 4] = std::array::from_fn(|_| random.normal());
    let size = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    crate::rotation::from_quaternion(q.map(|x| x / size))
}

fn moved(rotation: &Matrix, t: [f64; 3], p: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| t[i] + (0..3).map(|j| rotation[i][j] * p[j]).sum::<f64>())
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

/// Legs as long as a random pose asks.
fn legs(random: &mut Random, platform: &Points, base: &Points) -> [Constraint; 6] {
    let (rotation, t) =
        (turn(random), [random.uniform(-1., 1.), random.uniform(-1., 1.), random.uniform(0.5, 2.)]);
    std::array::from_fn(|k| {
        let radius = apart(moved(&rotation, t, platform[k]), base[k]);
        Constraint::Sphere { point: platform[k], center: base[k], radius }
    })
}

fn points(random: &mut Random, planar: bool) -> Points {
    std::array::from_fn(|_| {
        let [x, y, z] = random.triple(1.0);
        [x, y, if planar { 0.0 } else { z }]
    })
}

fn hexagon(radius: f64, half: f64, shift: f64) -> Points {
    std::array::from_fn(|k| {
        let side = if k % 2 == 0 { -half } else { half };
        let angle = (k / 2) as f64 * std::f64::consts::TAU / 3.0 + shift + side;
        [radius * angle.cos(), radius * angle.sin(), 0.0]
    })
}

/// Platform and base of a kind.
fn geometry(kind: &str, random: &mut Random) -> [Points; 2] {
    let planar = kind.contains("planar");
    let (mut a, mut b) = (points(random, planar), points(random, planar));
    let join = |points: &mut Points, pairs: &[usize]| pairs.iter().for_each(|k| points[k + 1] = points[*k]);
    match kind {
        "6-4" => join(&mut a, &[0, 2]),
        "5-5" => {
            join(&mut a, &[0]);
            join(&mut b, &[2]);
        }
        "6-3" => join(&mut a, &[0, 2, 4]),
        "3-6" => join(&mut b, &[0, 2, 4]),
        "congruent" | "congruent planar" => b = a,
        "similar planar" => b = a.map(|p| p.map(|x| x * 1.75)),
        "semi-regular" => {
            a = hexagon(random.uniform(0.3, 0.7), 0.25, std::f64::consts::FRAC_PI_3);
            b = hexagon(random.uniform(0.8, 1.5), 0.7, 0.0);
        }
        _ => {}
    }
    [a, b]
}

/// Solutions and paths at infinity.
fn count(found: &Completeness) -> (usize, usize) {
    match *found {
        Completeness::Proved { solutions, .. } => (solutions, 0),
        Completeness::Bezout { solutions, .. } => (solutions, 24),
        Completeness::Numerical { solutions, infinite, .. } => (solutions, infinite),
        other => panic!("{other}"),
    }
}

/// Real poses close all legs, and are certified.
fn closes(found: &Poses, legs: &[Constraint; 6]) {
    for pose in &found.real {
        assert!(pose.is_certified);
        for leg in legs {
            let gap = leg.gap(&pose.position, &pose.rotation).abs();
            assert!(gap < 1e-13, "{gap:.1e}"); // rounding of lengths of about 1
        }
    }
}

/// Forms (2) to (4) are zero at poses that meet them, and only there: they grow as the square of the length does.
#[test]
fn forms_vanish_where_their_constraints_hold() {
    let mut random = Random::new(11);
    for _ in 0..20 {
        let (rotation, t) = (turn(&mut random), random.triple(1.0));
        let (a, b, n) = (random.triple(1.0), random.triple(1.0), turn(&mut random)[0]);
        let p = moved(&rotation, t, a);
        let normal = moved(&rotation, [0.0; 3], n);
        let flat = |x: [f64; 3], y: [f64; 3]| (0..3).map(|k| x[k] * y[k]).sum::<f64>();
        let off = random.uniform(0.0, 0.5);
        let all = [
            Constraint::Sphere { point: a, center: b, radius: (apart(p, b).powi(2) + off).sqrt() },
            Constraint::Plane { point: a, normal: n, distance: flat(n, p) + off },
            Constraint::Face {
                point: b,
                normal: n,
                distance: flat(normal, std::array::from_fn(|k| b[k] - t[k])) + off,
            },
        ];
        let scale = Scale { base: [0.0; 3], platform: [0.0; 3], length: 1.0 };
        let e = crate::rotation::to_quaternion(&rotation);
        let g = [
            -t[0] * e[1] - t[1] * e[2] - t[2] * e[3],
            t[0] * e[0] + t[1] * e[3] - t[2] * e[2],
            t[1] * e[0] + t[2] * e[1] - t[0] * e[3],
            t[2] * e[0] + t[0] * e[2] - t[1] * e[1],
        ];
        let x: Study = std::array::from_fn(|k| complex(if k < 4 { e[k] } else { g[k - 4] }, 0.0));
        for constraint in all {
            let form = rounded(&constraint.form(&scale));
            let value = dot(&row(&form, &x), &x).scaled(0.5);
            // |e| is 1, so the form is the constraint itself.
            assert!(legwork_testkit::gap([value.re, value.im], [-off, 0.0]) < 1e-13);
        }
    }
}

/// The row is the derivative of the form: by differences, exact for a quadratic.
#[test]
fn rows_are_derivatives() {
    let mut random = Random::new(12);
    let mut number = || complex(random.normal(), random.normal());
    let form: Form = std::array::from_fn(|_| number());
    let x: Study = std::array::from_fn(|_| number());
    let value = |x: &Study| dot(&row(&form, x), x).scaled(0.5);
    for k in 0..8 {
        let there = |step: f64| {
            let mut moved = x;
            moved[k] += complex(step, 0.0);
            value(&moved)
        };
        let slope = (there(0.5) - there(-0.5)) - row(&form, &x)[k];
        assert!(slope.norm() < 1e-13, "{k}: {:.1e}", slope.norm());
    }
}

#[test]
fn double_double_keeps_what_f64_loses() {
    let tiny = 2f64.powi(-80);
    let sum = Double::of(1.0) + Double::of(tiny) - Double::of(1.0);
    assert_eq!(sum.value(), tiny);
    let a = 1.0 + 2f64.powi(-40);
    let square = Double::of(a) * Double::of(a) - Double::of(1.0) - Double::of(2f64.powi(-39));
    assert_eq!(square.value(), tiny);
    assert_eq!((Double::difference(1.0, tiny) - Double::of(1.0)).value(), -tiny);
}

/// The forty stored solutions are what loops from one of them find, and the trace test says that they are all.
#[test]
fn the_stored_system_has_forty_solutions_and_no_more() {
    let stored = stored();
    assert_eq!(stored.solutions.len(), 40);
    for (k, x) in stored.solutions.iter().enumerate() {
        for form in &stored.forms {
            assert!(dot(&row(form, x), x).norm() < 1e-14);
        }
        assert!(stored.solutions[..k].iter().all(|other| angle(other, x) > 0.1));
    }
    let mut random = Random::new(3);
    let (forms, found) = monodromy::found(&mut random, 6);
    assert_eq!(found.len(), 40);
    let mut carried = monodromy::carried_to(&forms, &stored.forms, &found);
    carried.retain(|x| stored.solutions.iter().any(|other| angle(other, x) < 1e-9));
    assert_eq!(carried.len(), 40, "loops find the stored solutions");
    let [all, one_less] = monodromy::second_differences(&mut random, &stored.forms, &stored.solutions);
    assert!(all < 1e-8 && one_less > 1e-4, "trace test: {all:.1e} with all, {one_less:.1e} without one");
}

/// The table of the trial, a robot or two of each kind.
#[test]
fn geometries_have_the_known_numbers_of_solutions() {
    for (kind, expected) in [
        ("general", (40, 0)),
        ("planar", (40, 0)),
        ("6-4", (32, 8)),
        ("5-5", (24, 16)),
        ("6-3", (16, 24)),
        ("3-6", (16, 24)),
        ("congruent", (24, 16)),
        ("congruent planar", (16, 24)),
        ("similar planar", (16, 24)),
        ("semi-regular", (28, 12)),
    ] {
        let mut random = Random::new(40);
        let [a, b] = geometry(kind, &mut random);
        let legs = legs(&mut random, &a, &b);
        let found = Poses::of_six(&legs);
        assert_eq!(count(&found.completeness), expected, "{kind}");
        assert!(!found.real.is_empty(), "{kind}: the pose that the lengths are of");
        if kind == "congruent planar" {
            assert_eq!(found.real.len(), 8);
        }
        closes(&found, &legs);
    }
}

/// Three circles and forty paths are two ways to the same postures.
#[test]
fn circles_and_paths_agree() {
    let mut random = Random::new(63);
    for kind in ["6-3", "3-6"] {
        let [a, b] = geometry(kind, &mut random);
        let legs = legs(&mut random, &a, &b);
        let circles = Poses::of_six(&legs);
        assert!(matches!(circles.completeness, Completeness::Bezout { solutions: 16, .. }), "{kind}");
        let paths = PreparedGeometry::new(&legs).poses(&legs);
        assert_eq!(count(&paths.completeness), (16, 24), "{kind}");
        assert_eq!(circles.real.len(), paths.real.len());
        for pose in &circles.real {
            let near = |other: &super::ClosedPose| apart(other.position, pose.position) < 1e-9;
            assert!(paths.real.iter().any(near), "{kind}");
        }
    }
}

/// A prepared geometry gives for other lengths what the stored system gives, for a fraction of the work.
#[test]
fn lengths_alone_take_less_work() {
    let mut random = Random::new(71);
    let [a, b] = geometry("general", &mut random);
    let prepared = PreparedGeometry::new(&legs(&mut random, &a, &b));
    for _ in 0..2 {
        let legs = legs(&mut random, &a, &b);
        let (long, short) = (Poses::of_six(&legs), prepared.poses(&legs));
        assert_eq!(long.completeness, short.completeness);
        closes(&short, &legs);
        assert!(long.work.factorizations < 16_000, "{:?}", long.work);
        assert!(short.work.factorizations < 6_000, "{:?}", short.work);
    }
}

/// Millimetres or kilometres, and far from the origin: the same count, the same postures.
#[test]
fn units_do_not_matter() {
    let mut random = Random::new(81);
    let [a, b] = geometry("6-4", &mut random);
    let plain = legs(&mut random, &a, &b);
    let expected = Poses::of_six(&plain);
    for (factor, shift) in [(1e-3, 0.0), (1e3, 0.0), (1.0, 36.0)] {
        let scaled = plain.map(|leg| match leg {
            Constraint::Sphere { point, center, radius } => Constraint::Sphere {
                point: point.map(|x| x * factor),
                center: center.map(|x| x * factor + shift),
                radius: radius * factor,
            },
            other => other,
        });
        let found = Poses::of_six(&scaled);
        assert_eq!(found.completeness, expected.completeness, "{factor} {shift}");
        for pose in &found.real {
            let back: [f64; 3] = pose.position.map(|x| (x - shift) / factor);
            let near = |other: &super::ClosedPose| apart(other.position, back) < 1e-11;
            assert!(expected.real.iter().any(near));
        }
    }
}

/// Trap 1: dependent legs give no certificate, whatever rounding makes of them.
#[test]
fn dependent_legs_have_no_finite_set() {
    let mut random = Random::new(91);
    let [a, b] = geometry("general", &mut random);
    let mut twice = legs(&mut random, &a, &b);
    twice[3] = twice[1];
    assert_eq!(Poses::of_six(&twice).completeness, Completeness::NoFiniteSet);
    // Regular hexagons: singular in every pose.
    let sixth = std::f64::consts::FRAC_PI_6;
    let [a, b] = [hexagon(0.5, sixth, 2.0 * sixth), hexagon(1.0, sixth, 0.0)];
    let regular = legs(&mut random, &a, &b);
    let found = Poses::of_six(&regular).completeness;
    assert!(!found.is_complete() && !matches!(found, Completeness::Numerical { .. }), "{found}");
}

/// Congruent planar platforms with equal legs move with locked motors.
#[test]
fn equal_legs_of_congruent_platforms_move() {
    let mut random = Random::new(92);
    let [a, b] = geometry("congruent planar", &mut random);
    let equal = std::array::from_fn(|k| Constraint::Sphere { point: a[k], center: b[k], radius: 1.0 });
    let found = Poses::of_six(&equal).completeness;
    assert!(matches!(found, Completeness::Moves { .. }), "{found}");
    assert!(found.to_string().contains("not isolated"));
}

/// A certificate says no where two solutions meet, and does not call complex points real.
#[test]
fn certificates_refuse_what_is_not_certain() {
    let mut random = Random::new(93);
    let [a, b] = geometry("general", &mut random);
    let legs = legs(&mut random, &a, &b);
    let exact = Exact::new(&legs, &Scale::of(&legs));
    let nowhere: Study = std::array::from_fn(|_| complex(random.normal(), random.normal()));
    assert!(exact.certify(&normalized(&nowhere)).is_none());
    // e = 0, g·g = 0 solves every system and is no pose.
    let mut ghost = [Complex::ZERO; 8];
    (ghost[4], ghost[5]) = (Complex::ONE, complex(0.0, 1.0));
    assert!(exact.certify(&ghost).is_none());
}

fn planar_legs(random: &mut Random, a: [[f64; 2]; 3], b: [[f64; 2]; 3]) -> [PlanarLeg; 3] {
    let (angle, x, y) = (random.uniform(-3., 3.), random.uniform(-1., 1.), random.uniform(-1., 1.));
    std::array::from_fn(|k| {
        let (sin, cos) = f64::sin_cos(angle);
        let p = [x + cos * a[k][0] - sin * a[k][1], y + sin * a[k][0] + cos * a[k][1]];
        let radius = ((p[0] - b[k][0]).powi(2) + (p[1] - b[k][1]).powi(2)).sqrt();
        PlanarLeg { point: a[k], center: b[k], radius }
    })
}

/// Six roots of the plane; four with similar triangles, whose false pair is told and not listed.
#[test]
fn platforms_in_the_plane_have_six_roots_or_four() {
    let mut random = Random::new(101);
    let mut seen = [false; 4];
    for round in 0..60 {
        let mut triangle = || [0; 3].map(|_| [random.uniform(-1., 1.), random.uniform(-1., 1.)]);
        let (a, mut b) = (triangle(), triangle());
        let similar = round % 2 == 1;
        if similar {
            let factor = if round % 4 == 1 { 1.0 } else { 1.6 };
            b = a.map(|p| p.map(|x| x * factor));
        }
        let legs = planar_legs(&mut random, a, b);
        let (poses, found) = planar_poses(&legs);
        let Completeness::Degree { degree, spurious, real } = found else { panic!("{round}: {found}") };
        assert_eq!((degree, spurious, real), (6, if similar { 2 } else { 0 }, poses.len()), "{round}");
        assert!(poses.len() % 2 == 0 && !poses.is_empty());
        seen[poses.len() / 2] = true;
        for pose in poses {
            for leg in legs {
                let gap = leg.gap(pose.position, pose.angle);
                assert!(gap.abs() < 1e-9, "{round}: {gap:.1e}"); // rounding over D, which is small at times
            }
        }
    }
    assert!(seen[1] && seen[2], "two and four real postures were seen");
}
