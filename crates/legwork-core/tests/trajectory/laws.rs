//! Timing laws: derivatives, ends, peaks, the figures of Codourey's experiment, jerk limits.

use legwork_core::trajectory::{Law, LawError, LawPoint, Shape, ThereAndBack, TimeLaw};
use legwork_core::{Dual, Real};
use legwork_testkit::nan_max;
use proptest::prelude::*;
use std::f64::consts::PI;

/// The 250 mm semi-ellipse with a height of 60 mm.
const WAY: f64 = 0.29964;

fn shapes() -> Vec<Shape<f64>> {
    vec![
        Shape::parabolic(),
        Shape::Parabolic { rise: 0.3 },
        Shape::Cubic,
        Shape::Quintic,
        Shape::sine(),
        Shape::Sine { rise: 0.7 },
        Shape::SCurve { ramp: 0.3, smooth: 0.2 },
        Shape::SCurve { ramp: 0.5, smooth: 0.5 },
        Shape::SCurve { ramp: 0.5, smooth: 0.1 },
        Shape::SCurve { ramp: 0.25, smooth: 0.0 },
    ]
}

fn lifted<T: Real>(shape: Shape<f64>) -> Shape<T> {
    let n = T::from_f64;
    match shape {
        Shape::Parabolic { rise } => Shape::Parabolic { rise: n(rise) },
        Shape::Cubic => Shape::Cubic,
        Shape::Quintic => Shape::Quintic,
        Shape::Sine { rise } => Shape::Sine { rise: n(rise) },
        Shape::SCurve { ramp, smooth } => Shape::SCurve { ramp: n(ramp), smooth: n(smooth) },
    }
}

proptest! {
    // Dual numbers differentiate the formula of σ; rate, acceleration and jerk are formulas of their own.
    #[test]
    fn each_derivative_is_that_of_the_one_before(which in 0..10_usize, share in 0.001..0.999_f64) {
        type D = Dual<f64, 1>;
        let shape = shapes()[which];
        let law = Law::unchecked(lifted::<D>(shape), D::from_f64(WAY), D::from_f64(0.2));
        let t = Dual::variable(0.2 * share, 0);
        let LawPoint { distance, rate, acceleration, jerk } = law.at(t);
        let [_, peak] = Law::by_duration(shape, WAY, 0.2).unwrap().peak_accelerations();
        for (slope, value, size) in [
            (distance.eps[0], rate.re, WAY / 0.2),
            (rate.eps[0], acceleration.re, peak),
            (acceleration.eps[0], jerk.re, peak / 0.2),
        ] {
            // 1e-12: rounding of a dozen operations, the steepest shape has ten times the mean.
            prop_assert!((slope - value).abs() < 1e-12 * nan_max(size, value.abs()), "{shape:?}: {slope} {value}");
        }
    }
}

#[test]
fn ends_are_at_rest_and_held() {
    for shape in shapes() {
        let law = Law::by_duration(shape, WAY, 0.2).unwrap();
        for (t, distance) in [(-1.0, 0.0), (0.0, 0.0), (0.2, WAY), (7.0, WAY)] {
            let now = law.at(t);
            assert!((now.distance - distance).abs() < 1e-15, "{shape:?} at {t}: {now:?}");
            assert!(now.rate.abs() < 1e-13, "{shape:?} at {t}: {now:?}");
        }
        for t in [-1e-9, 0.2 + 1e-9] {
            assert_eq!((law.at(t).rate, law.at(t).acceleration, law.at(t).jerk), (0.0, 0.0, 0.0));
        }
    }
}

/// Largest speed, acceleration, braking and jerk by sampling.
fn sampled_peaks(law: &Law<f64>) -> [f64; 4] {
    let n = 40_000;
    let mut peaks = [0.0_f64; 4];
    for k in 0..=n {
        let now = law.at(law.duration() * f64::from(k) / f64::from(n));
        for (peak, value) in
            peaks.iter_mut().zip([now.rate, now.acceleration, -now.acceleration, now.jerk.abs()])
        {
            *peak = nan_max(*peak, value);
        }
    }
    peaks
}

#[test]
fn peaks_are_those_of_the_table() {
    let (length, duration) = (WAY, 0.2);
    let (speed, acceleration) = (length / duration, length / (duration * duration));
    let table = [
        (Shape::parabolic(), 2.0, 4.0),
        (Shape::Cubic, 1.5, 6.0),
        (Shape::sine(), 2.0, 2.0 * PI),
        (Shape::Quintic, 1.875, 5.773_502_691_896_258),
    ];
    for (shape, v, a) in table {
        let law = Law::by_duration(shape, length, duration).unwrap();
        assert!((law.peak_speed() - v * speed).abs() < 1e-13);
        assert!((law.peak_accelerations()[0] - a * acceleration).abs() < 1e-12);
    }
    for shape in shapes() {
        let law = Law::by_duration(shape, length, duration).unwrap();
        let [v, up, down, jerk] = sampled_peaks(&law);
        let [a1, a2] = law.peak_accelerations();
        // 1e-7: a sample misses the top of a parabola by at most (T/8e4)².
        for (found, told) in [(v, law.peak_speed()), (up, a1), (down, a2)] {
            assert!((found / told - 1.0).abs() < 1e-7, "{shape:?}: {found} {told}");
        }
        if let Some(told) = law.peak_jerk().filter(|jerk| jerk.is_finite()) {
            assert!((jerk / told - 1.0).abs() < 1e-7, "{shape:?}: {jerk} {told}");
        }
    }
}

#[test]
fn three_motions_of_the_experiment_last_equally_long() {
    let sine = Law::by_peak_acceleration(Shape::sine(), WAY, 80.0).unwrap();
    let lopsided = Law::sine_by_peaks(WAY, 120.0, 60.0).unwrap();
    let parabolic = Law::by_duration(Shape::parabolic(), WAY, sine.duration()).unwrap();
    assert!((sine.duration() - 0.15341).abs() < 5e-6, "{}", sine.duration());
    assert!((lopsided.duration() - 0.15341).abs() < 5e-6, "{}", lopsided.duration());
    assert!((parabolic.peak_accelerations()[0] - 50.9).abs() < 0.05);
    let [a1, a2] = lopsided.peak_accelerations();
    assert!((a1 - 120.0).abs() < 1e-10 && (a2 - 60.0).abs() < 1e-10);
    assert!((1.0 / (2.0 * sine.duration()) - 3.26).abs() < 0.005);
}

#[test]
fn non_symmetric_laws_are_those_of_the_formulas() {
    let (length, a1, a2) = (0.4, 90.0, 35.0);
    let law = Law::sine_by_peaks(length, a1, a2).unwrap();
    let t1 = (PI * length / (a1 * (1.0 + a1 / a2))).sqrt();
    let t2 = t1 * a1 / a2;
    let w = 2.0 * a1 * t1 / PI;
    assert!((law.duration() - t1 - t2).abs() < 1e-14);
    for k in 0..=20 {
        let t = law.duration() * f64::from(k) / 20.0;
        let u = t - t1;
        let sigma = if t <= t1 {
            w / 2.0 * (t - t1 / PI * (PI * t / t1).sin())
        } else {
            w * t1 / 2.0 + w / 2.0 * (u + t2 / PI * (PI * u / t2).sin())
        };
        assert!((law.at(t).distance - sigma).abs() < 1e-14);
    }
    let law = Law::parabolic_by_peaks(length, a1, a2).unwrap();
    let t1 = (2.0 * length / (a1 * (1.0 + a1 / a2))).sqrt();
    assert!((law.duration() - t1 * (1.0 + a1 / a2)).abs() < 1e-14);
    assert!((law.at(t1).distance - 0.5 * a1 * t1 * t1).abs() < 1e-14);
    assert!((law.at(t1 / 2.0).acceleration - a1).abs() < 1e-11);
    assert!((law.at(law.duration() * 0.99).acceleration + a2).abs() < 1e-11);
}

#[test]
fn each_way_to_build_a_law_keeps_its_promise() {
    for shape in shapes() {
        let speed = Law::by_average_speed(shape, WAY, 1.3).unwrap();
        assert!((WAY / speed.duration() - 1.3).abs() < 1e-14);
        let [a, b] = Law::by_peak_acceleration(shape, WAY, 33.0).unwrap().peak_accelerations();
        assert!((nan_max(a, b) - 33.0).abs() < 1e-12);
        assert!((Law::by_peak_speed(shape, WAY, 2.2).unwrap().peak_speed() - 2.2).abs() < 1e-14);
    }
}

/// Which limits the fastest jerk-limited motion reaches, with its duration worked out by hand.
#[test]
fn jerk_limits_give_seven_phases_or_fewer() {
    // length, speed, acceleration, jerk → duration; which of speed and acceleration are reached.
    let cases = [
        // All seven: T_j = 0.5, T_a = 2.5, cruise 3/2 − 2.5 < 0 would be four; with L = 10: T = 2.5 + 10/2.
        ((10.0, 2.0, 1.0, 2.0), 2.5 + 5.0, [true, true]),
        // Speed before acceleration: v j < a²: T_j = √(v/j) = 0.5, T_a = 1, T = 1 + L/v.
        ((10.0, 0.5, 4.0, 2.0), 1.0 + 20.0, [true, false]),
        // Acceleration but no speed: L = a (T_a − T_j) T_a, T_j = ½, L = 3: T_a = ¼ + √(1/16 + 3).
        ((3.0, 100.0, 1.0, 2.0), 2.0 * (0.25 + 3.0625_f64.sqrt()), [false, true]),
        // Neither: T = 4 ∛(L/2j), L = 4, j = 2: T_j = 1.
        ((4.0, 100.0, 100.0, 2.0), 4.0, [false, false]),
        // On the edge between the last two: L = 2 a³/j².
        ((0.5, 100.0, 1.0, 2.0), 2.0, [false, true]),
        // On the edge of having no cruise: L = v T_a.
        ((5.0, 2.0, 1.0, 2.0), 5.0, [true, true]),
    ];
    for ((l, v, a, j), duration, [fast, hard]) in cases {
        let law = Law::s_curve_within(l, v, a, j).unwrap();
        assert!((law.duration() - duration).abs() < 1e-12, "{l} {v} {a} {j}: {}", law.duration());
        let [speed, up, down, jerk] = sampled_peaks(&law);
        for (found, limit, reached) in [(speed, v, fast), (up, a, hard), (down, a, hard), (jerk, j, true)] {
            assert!(found <= limit * (1.0 + 1e-12), "{found} over {limit}");
            assert_eq!(found > limit * (1.0 - 1e-6), reached, "{found} of {limit}");
        }
    }
}

proptest! {
    // Jerk alone, summed up by time steps that end on its jumps, must lead to the end at rest.
    #[test]
    fn jerk_leads_to_the_end(
        l in 0.001..10.0_f64, v in 0.1..10.0_f64, a in 0.1..100.0_f64, j in 1.0..1e5_f64
    ) {
        let law = Law::s_curve_within(l, v, a, j).unwrap();
        let Shape::SCurve { ramp, smooth } = law.shape() else { panic!() };
        let (t, ta) = (law.duration(), law.duration() * ramp);
        let tj = ta * smooth;
        let marks = [0.0, tj, ta - tj, ta, t - ta, t - ta + tj, t - tj, t];
        let (mut s, mut rate, mut acceleration) = (0.0, 0.0, 0.0);
        for pair in marks.windows(2) {
            let h = pair[1] - pair[0];
            if h < 1e-12 * t {
                continue;
            }
            let jerk = law.at(0.5 * (pair[0] + pair[1])).jerk;
            s += h * (rate + h * (acceleration / 2.0 + h * jerk / 6.0));
            rate += h * (acceleration + h * jerk / 2.0);
            acceleration += h * jerk;
        }
        // 1e-9: the phases are differences of times, shares near their bounds lose digits.
        prop_assert!((s / l - 1.0).abs() < 1e-9, "{s} {l}");
        prop_assert!(rate.abs() < 1e-9 * v && acceleration.abs() < 1e-9 * a);
    }
}

#[test]
fn bad_numbers_are_named() {
    let law = Law::by_duration(Shape::Cubic, -1.0, 1.0);
    assert_eq!(law.unwrap_err(), LawError::NotPositive { what: "length", value: -1.0 });
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Law::by_duration(Shape::Cubic, 1.0, bad).is_err());
        assert!(Law::by_peak_acceleration(Shape::Cubic, 1.0, bad).is_err());
        assert!(Law::by_average_speed(Shape::Cubic, 1.0, bad).is_err());
        assert!(Law::by_peak_speed(Shape::Cubic, bad, 1.0).is_err());
        assert!(Law::sine_by_peaks(1.0, bad, 1.0).is_err());
        assert!(Law::parabolic_by_peaks(1.0, 1.0, bad).is_err());
        assert!(Law::s_curve_within(1.0, 1.0, 1.0, bad).is_err());
    }
    let shape = Shape::Sine { rise: 1.0 };
    let error = Law::by_duration(shape, 1.0, 1.0).unwrap_err();
    assert_eq!(error.to_string(), "the rise is 1; it must lie between 0 and 1");
    assert!(Law::by_duration(Shape::SCurve { ramp: 0.6, smooth: 0.1 }, 1.0, 1.0).is_err());
    assert!(Law::by_duration(Shape::SCurve { ramp: 0.3, smooth: f64::NAN }, 1.0, 1.0).is_err());
    // Good one by one, impossible together.
    let far = Law::by_duration(Shape::Cubic, 1e300, 1e-10);
    assert!(matches!(far, Err(LawError::Overflow { .. })), "{far:?}");
}

#[test]
fn there_and_back_comes_home() {
    let law = Law::by_duration(Shape::Quintic, WAY, 0.2).unwrap();
    let cycle = ThereAndBack { there: law, back: law, pause: 0.05, cycles: 2 };
    assert!((cycle.duration() - 1.0).abs() < 1e-15);
    for (t, distance, rate) in [
        (-1.0, 0.0, 0.0),
        (0.1, WAY / 2.0, law.peak_speed()),
        (0.22, WAY, 0.0),
        (0.35, WAY / 2.0, -law.peak_speed()),
        (0.47, 0.0, 0.0),
        (0.6, WAY / 2.0, law.peak_speed()),
        (0.99, 0.0, 0.0),
        (1.0, 0.0, 0.0),
        (5.0, 0.0, 0.0),
    ] {
        let now = cycle.at(t);
        assert!((now.distance - distance).abs() < 1e-14 && (now.rate - rate).abs() < 1e-12, "{t}: {now:?}");
    }
}

/// Acceleration and its slope jump at the joints and nowhere between them.
#[test]
fn joints_are_where_smooth_parts_meet() {
    let joints = |shape| {
        let law = Law::by_duration(shape, 0.5, 2.0).unwrap();
        let (mut all, mut time) = (Vec::new(), 0.0);
        while time < law.duration() {
            time = law.next_joint(time);
            all.push(time);
        }
        all
    };
    assert_eq!(joints(Shape::Parabolic { rise: 0.25 }), [0.5, 2.0]);
    assert_eq!(joints(Shape::Cubic), [2.0]);
    assert_eq!(joints(Shape::SCurve { ramp: 0.25, smooth: 0.5 }), [0.25, 0.5, 1.5, 1.75, 2.0]);
    // Across a joint of the S-curve the jerk jumps.
    let law = Law::by_duration(Shape::SCurve { ramp: 0.25, smooth: 0.5 }, 0.5, 2.0).unwrap();
    for joint in [0.25, 0.5, 1.5, 1.75] {
        let [before, after] = [-1e-9, 1e-9].map(|step| law.at(joint + step).jerk);
        assert!((after - before).abs() > 1.0, "{joint}: {before} {after}");
    }
}
