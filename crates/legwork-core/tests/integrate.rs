//! Integrators: orders, exact ends, events, an orbit from outside, typed ends.

use core::convert::Infallible;
use core::ops::ControlFlow;
use legwork_core::Real;
use legwork_core::integrate::{
    Dopri5, Ending, Fixed, FixedMethod, Halt, List, MOST_STEPS, Partitioned, Settings, Statistics, System,
    Vector, rk4_step, semi_implicit_euler_step,
};
use legwork_testkit::nan_max;

/// x'' = −x, as (position, velocity).
struct Oscillator;

impl<T: Real> System<T> for Oscillator {
    type State = ([T; 1], [T; 1]);
    type Stop = Infallible;
    fn derivative(&mut self, _t: T, &([x], [v]): &Self::State) -> Result<Self::State, Infallible> {
        Ok(([v], [-x]))
    }
}

impl<T: Real> Partitioned<T> for Oscillator {
    fn position_rate(&mut self, _t: T, &(_, v): &Self::State) -> Result<Self::State, Infallible> {
        Ok((v, [T::zero()]))
    }
    fn without_position_rate(&self, &(_, a): &Self::State) -> Self::State {
        ([T::zero()], a)
    }
}

/// A function of (t, x), as a system.
struct Rate<F>(F);

impl<const N: usize, E, F: FnMut(f64, &[f64; N]) -> Result<[f64; N], E>> System<f64> for Shaped<N, E, F> {
    type State = [f64; N];
    type Stop = E;
    fn derivative(&mut self, t: f64, x: &[f64; N]) -> Result<[f64; N], E> {
        (self.0.0)(t, x)
    }
}

/// With its length and its reason to stop in the type.
struct Shaped<const N: usize, E, F>(Rate<F>, core::marker::PhantomData<E>);

fn system<const N: usize, E, F: FnMut(f64, &[f64; N]) -> Result<[f64; N], E>>(f: F) -> Shaped<N, E, F> {
    Shaped(Rate(f), core::marker::PhantomData)
}

fn error_after(method: FixedMethod, step: f64) -> f64 {
    let mut run = Fixed::new(0.0, ([1.0], [0.0]), method, step);
    run.advance_to(&mut Oscillator, 2.0).unwrap();
    let ([x], [v]) = *run.state();
    (x - 2.0_f64.cos()).hypot(v + 2.0_f64.sin())
}

#[test]
fn fixed_steps_have_their_order() {
    for (method, order) in [(FixedMethod::Rk4, 4.0), (FixedMethod::SemiImplicitEuler, 1.0)] {
        let (coarse, fine) = (error_after(method, 0.02), error_after(method, 0.01));
        let found = (coarse / fine).log2();
        // 0.05: the next term of the error series, a hundredth of a step
        assert!((found - order).abs() < 0.05, "{method:?}: order {found:.3}");
    }
}

/// Its energy ½(x² + v²) + ½h x v is kept exactly by semi-implicit Euler: no drift but rounding.
#[test]
fn semi_implicit_euler_keeps_a_neighbouring_energy() {
    let (h, mut x) = (0.05, ([1.0], [0.0]));
    let energy = |([x], [v]): ([f64; 1], [f64; 1])| 0.5 * (x * x + v * v) - 0.5 * h * x * v;
    let start = energy(x);
    for _ in 0..100_000 {
        x = semi_implicit_euler_step(&mut Oscillator, 0.0, &x, h).unwrap();
    }
    assert!((energy(x) - start).abs() < 1e-12, "{:e}", energy(x) - start); // 1e5 roundings, random
}

/// The quadrature behind each formula integrates its degree exactly.
#[test]
fn polynomials_in_time_are_exact() {
    let mut cubic = system(|t: f64, _: &[f64; 1]| Ok::<_, Infallible>([4.0 * t.powi(3)]));
    let x = rk4_step(&mut cubic, 0.0, &[0.0], 2.0).unwrap();
    assert!((x[0] - 16.0).abs() < 1e-13);
    let mut quartic = system(|t: f64, _: &[f64; 1]| Ok::<_, Infallible>([5.0 * t.powi(4)]));
    let mut run = Dopri5::new(0.0, [0.0], Settings::default().with_tolerance(1e-3).with_longest_step(9.0));
    run.advance_to(&mut quartic, 2.0).unwrap();
    assert!((run.state()[0] - 32.0).abs() < 1e-12, "{:?}", run.state());
}

#[test]
fn the_error_follows_the_tolerance() {
    let mut before = f64::INFINITY;
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
        let mut run = Dopri5::new(0.0, ([1.0], [0.0]), Settings::default().with_tolerance(tolerance));
        run.advance_to(&mut Oscillator, 10.0).unwrap();
        let ([x], [v]) = *run.state();
        let error = (x - 10.0_f64.cos()).hypot(v + 10.0_f64.sin());
        // 30: ten seconds of local errors of one tolerance each
        assert!(error < 30.0 * tolerance && error < before, "{tolerance:e}: {error:e}");
        before = error;
    }
}

/// Arenstorf's orbit of the restricted three-body problem closes after its period,
/// \[HairerNorsettWanner1993, Sec. II.0\]: start and period are printed there.
#[test]
#[allow(clippy::excessive_precision)] // digits as printed
fn arenstorf_orbit_closes() {
    const MU: f64 = 0.012277471;
    let mut moon = system(|_: f64, &[x, y, vx, vy]: &[f64; 4]| {
        let d1 = ((x + MU).powi(2) + y * y).powf(1.5);
        let d2 = ((x - (1.0 - MU)).powi(2) + y * y).powf(1.5);
        Ok::<_, Infallible>([
            vx,
            vy,
            x + 2.0 * vy - (1.0 - MU) * (x + MU) / d1 - MU * (x - (1.0 - MU)) / d2,
            y - 2.0 * vx - (1.0 - MU) * y / d1 - MU * y / d2,
        ])
    });
    let start = [0.994, 0.0, 0.0, -2.001585106379082522];
    let mut run = Dopri5::new(0.0, start, Settings::default().with_tolerance(1e-13));
    run.advance_to(&mut moon, 17.06521656015796256).unwrap();
    let [x, y, ..] = *run.state();
    let off = (x - start[0]).hypot(y);
    // 1e-6: the orbit multiplies early errors by about a million
    assert!(off < 1e-6, "{off:e} with {:?}", run.statistics());
}

#[test]
fn dense_output_is_of_fourth_order() {
    let worst = |h: f64| {
        let settings = Settings::default().with_tolerance(1e-3).with_longest_step(h);
        let mut run = Dopri5::new(0.0, ([1.0], [0.0]), settings);
        let mut worst = 0.0_f64;
        while run.time() < 2.0 {
            run.step(&mut Oscillator, 2.0).unwrap();
            let d = run.dense();
            assert_eq!(d.at(d.start()).0[0], d.at(d.start()).0[0]);
            for k in 1..8 {
                let t = d.start() + (d.end() - d.start()) * f64::from(k) / 8.0;
                worst = nan_max(worst, (d.at(t).0[0] - t.cos()).abs());
            }
            assert!((d.at(d.end()).0[0] - run.state().0[0]).abs() < 1e-15);
        }
        worst
    };
    let order = (worst(0.1) / worst(0.05)).log2();
    assert!(order > 3.9, "order {order:.2}");
}

#[test]
fn steps_end_exactly_on_given_instants() {
    let mut run = Dopri5::new(0.0, ([1.0], [0.0]), Settings::default());
    let mut fixed = Fixed::new(0.0, ([1.0], [0.0]), FixedMethod::Rk4, 1e-3);
    for k in 1..=300 {
        let t = f64::from(k) * 0.0123;
        run.advance_to(&mut Oscillator, t).unwrap();
        fixed.advance_to(&mut Oscillator, t).unwrap();
        assert_eq!((run.time(), fixed.time()), (t, t)); // to the bit
    }
    assert_eq!(fixed.statistics(), Statistics { steps: 13 * 300, rejected: 0, evaluations: 4 * 13 * 300 });
    // Every step but those of the instants themselves is the controller's own choice.
    assert!(run.statistics().steps <= 600, "{:?}", run.statistics());
}

#[test]
fn events_are_found_on_the_dense_output() {
    let mut run = Dopri5::new(0.0, ([1.0], [0.0]), Settings::default().with_tolerance(1e-10));
    for k in 0..5 {
        let ending = run.advance_until(&mut Oscillator, 100.0, |_, x| x.0[0]).unwrap();
        let exact = (f64::from(k) + 0.5) * std::f64::consts::PI;
        assert_eq!(ending, Ending::Event);
        // the polynomial is one order below the step: 1e-8 at a tolerance of 1e-10
        assert!((run.time() - exact).abs() < 1e-8, "{:e}", run.time() - exact);
    }
    let ending = run.advance_until(&mut Oscillator, 14.2, |_, x| x.0[0] - 9.0).unwrap();
    assert_eq!((ending, run.time()), (Ending::Limit, 14.2));
}

/// A wall at x = 0.5 behind which there is no rate: the run ends in front of it.
#[test]
fn a_run_ends_at_the_edge_with_the_reason() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Wall;
    let mut toward = system(|_: f64, &[x]: &[f64; 1]| if x < 0.5 { Ok([1.0]) } else { Err(Wall) });
    let mut run = Dopri5::new(0.0, [0.0], Settings::default());
    assert_eq!(run.advance_to(&mut toward, 1.0), Err(Halt::System(Wall)));
    assert!((run.time() - 0.5).abs() < 1e-12 && run.time() < 0.5, "{}", run.time());
    assert!((run.state()[0] - run.time()).abs() < 1e-15);
}

#[test]
fn infinities_and_endless_runs_end() {
    // x' = x², x(0) = 1 goes to infinity at t = 1.
    let mut explosion = system(|_: f64, &[x]: &[f64; 1]| Ok::<_, Infallible>([x * x]));
    let mut run = Dopri5::new(0.0, [1.0], Settings::default());
    let halt = run.advance_to(&mut explosion, 2.0).unwrap_err();
    assert!(matches!(halt, Halt::StepTooShort { .. } | Halt::NotFinite { .. }), "{halt:?}");
    assert!((run.time() - 1.0).abs() < 1e-6 && run.state()[0].is_finite());

    let mut nan = system(|t: f64, _: &[f64; 1]| Ok::<_, Infallible>([if t < 0.3 { 1.0 } else { f64::NAN }]));
    let mut run = Dopri5::new(0.0, [1.0], Settings::default());
    let halt = run.advance_to(&mut nan, 2.0).unwrap_err();
    assert!(matches!(halt, Halt::NotFinite { component: 0, value } if value.is_nan()), "{halt:?}");
    assert!(run.time() <= 0.3 && run.time() > 0.29, "{}", run.time());

    let mut run = Dopri5::new(0.0, ([1.0], [0.0]), Settings::default().with_most_steps(10));
    assert_eq!(run.advance_to(&mut Oscillator, 1e9), Err(Halt::TooManySteps { steps: 10 }));
    assert!(run.time() > 0.0);
}

/// Steps that rounding swallows, more steps than a run may have, a limit that is no number: each has its reason,
/// at once.
#[test]
fn time_that_stands_still_is_told() {
    let still = |halt| matches!(halt, Err(Halt::TimeStandsStill { .. }));
    for method in [FixedMethod::Rk4, FixedMethod::SemiImplicitEuler] {
        let fixed = |time, step| Fixed::new(time, ([1.0], [0.0]), method, step);
        assert_eq!(
            fixed(0.0, 1e-300).advance_to(&mut Oscillator, 1.0),
            Err(Halt::TooManySteps { steps: MOST_STEPS })
        );
        assert_eq!(
            fixed(0.0, 1.0).advance_to(&mut Oscillator, 1e300),
            Err(Halt::TooManySteps { steps: MOST_STEPS })
        );
        let near = 1e9 + 2.0 * f64::EPSILON * 1e9;
        assert!(still(fixed(1e9, 1e-9).advance_to(&mut Oscillator, near)));
        for step in [0.0, -1.0, f64::NAN] {
            assert!(still(fixed(0.0, step).advance_to(&mut Oscillator, 1.0)), "{step}");
        }
        assert!(still(fixed(0.0, 1.0).advance_to(&mut Oscillator, f64::NAN)));
        // A limit that is already passed is no way to go, and no fault.
        assert_eq!(fixed(1.0, 0.1).advance_to(&mut Oscillator, 0.5), Ok(()));
    }
    let mut run = Dopri5::new(0.0, ([1.0], [0.0]), Settings::default());
    assert!(still(run.advance_to(&mut Oscillator, f64::NAN)));

    // A jump of the rate to 1e200 late in the day: the step it asks for is below the rounding of the time.
    let mut jump = system(|t: f64, _: &[f64; 1]| Ok::<_, Infallible>([if t < 1e6 { 1.0 } else { 1e200 }]));
    let mut run = Dopri5::new(999_999.9, [1.0], Settings::default());
    let halt = run.advance_to(&mut jump, 1e6 + 1.0).unwrap_err();
    assert!(matches!(halt, Halt::TimeStandsStill { .. } | Halt::StepTooShort { .. }), "{halt:?}");
    assert!(run.state()[0].is_finite() && run.statistics().steps < 1000);

    // Rates whose squares are infinite propose a first step that is not a number.
    let mut wild = system(|_: f64, &[x]: &[f64; 1]| Ok::<_, Infallible>([1e300 * (x + 1.0)]));
    let mut run = Dopri5::new(0.0, [1e300], Settings::default());
    let halt = run.advance_to(&mut wild, 1.0).unwrap_err();
    assert!(matches!(halt, Halt::StepTooShort { .. } | Halt::NotFinite { .. }), "{halt:?}");
    assert!(run.statistics().rejected < 1000, "{:?}", run.statistics());
}

/// A caller can end a run inside a stretch, at any step.
#[test]
fn a_break_ends_a_stretch() {
    let mut steps = 0;
    let mut third = |_: &([f64; 1], [f64; 1])| {
        steps += 1;
        if steps == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut fixed = Fixed::new(0.0, ([1.0], [0.0]), FixedMethod::Rk4, 0.1);
    assert_eq!(fixed.advance_each(&mut Oscillator, 10.0, &mut third), Err(Halt::Interrupted));
    assert!((fixed.time() - 0.3).abs() < 1e-12);
    steps = 0;
    let mut third = |_: &([f64; 1], [f64; 1])| {
        steps += 1;
        if steps == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut run = Dopri5::new(0.0, ([1.0], [0.0]), Settings::default());
    assert_eq!(run.advance_each(&mut Oscillator, 10.0, &mut third), Err(Halt::Interrupted));
    assert_eq!(run.statistics().steps, 3);
}

/// x' = −λ (x − cos t): with λ = 1e8 stability allows steps of 3e-8 s, tolerance would allow ten million times as long
/// ones. Told after twenty thousand steps, and not at all where the end is near or where nothing is stiff.
#[test]
fn a_stiff_system_is_named() {
    let relaxing =
        |rate: f64| system(move |t: f64, &[x]: &[f64; 1]| Ok::<_, Infallible>([rate * (t.cos() - x)]));
    let mut run = Dopri5::new(0.0, [1.0], Settings::default().with_tolerance(1e-6));
    let halt = run.advance_to(&mut relaxing(1e8), 1.0).unwrap_err();
    let Halt::Stiff { step, left } = halt else { panic!("{halt:?}") };
    assert!((1e-8..1e-7).contains(&step) && (1e7..1e8).contains(&left), "{step:e} s, {left:e} left");
    assert!(run.statistics().steps + run.statistics().rejected < 21_000, "{:?}", run.statistics());
    assert!((run.state()[0] - run.time().cos()).abs() < 1e-4);

    // In stretches of a microsecond nothing is ever far: the end of the whole run judges.
    let settings = Settings::default().with_tolerance(1e-6).with_horizon(1.0);
    let mut run = Dopri5::new(0.0, [1.0], settings);
    let ends = (1..10_000).map(|k| 1e-6 * f64::from(k));
    let halts: Vec<_> =
        ends.filter_map(|end| run.advance_to(&mut relaxing(1e8), end).err()).take(1).collect();
    assert!(matches!(halts[..], [Halt::Stiff { .. }]), "{halts:?}");

    // As stiff, but twenty thousand steps reach the end.
    let mut run = Dopri5::new(0.0, [1.0], Settings::default().with_tolerance(1e-6));
    assert_eq!(run.advance_to(&mut relaxing(1e8), 1e-3), Ok(()));
    assert!(run.statistics().steps > 21_000);

    // An oscillation that really is fast is not stiff; it is too slow to wait for.
    let mut fast = system(|_: f64, &[x, v]: &[f64; 2]| Ok::<_, Infallible>([1e9 * v, -1e9 * x]));
    let mut run = Dopri5::new(0.0, [1.0, 0.0], Settings::default().with_tolerance(1e-6));
    let halt = run.advance_to(&mut fast, 1.0).unwrap_err();
    assert!(matches!(halt, Halt::TooSlow { .. }), "{halt:?}");
    assert!(run.statistics().steps < 250_000);
}

/// In lanes every state is the one of its own scalar run, to the bit.
#[cfg(feature = "simd")]
#[test]
fn lanes_equal_scalars() {
    use legwork_core::lanes::f64x4;
    let starts = [1.0, 0.5, -0.3, 2.0];
    let mut wide = ([f64x4::new(starts)], [f64x4::splat(0.1)]);
    let mut narrow = starts.map(|x| ([x], [0.1]));
    for _ in 0..100 {
        let (h, t) = (0.01, 0.0);
        wide = rk4_step(&mut Oscillator, f64x4::splat(t), &wide, f64x4::splat(h)).unwrap();
        narrow = narrow.map(|x| rk4_step(&mut Oscillator, t, &x, h).unwrap());
    }
    assert_eq!(wide.0[0].to_array(), narrow.map(|x| x.0[0]));
}

#[test]
fn a_list_counts_what_it_holds() {
    let mut a = List::<f64, 8>::zeros(3);
    a.as_mut_slice().copy_from_slice(&[1.0, 2.0, 3.0]);
    let longer = a.zip(&List::zeros(5), |a, b| a + b + 1.0);
    assert_eq!((a.length(), longer.as_slice()), (3, [2.0, 3.0, 4.0, 1.0, 1.0].as_slice()));
    assert_eq!(List::<f64, 8>::zero().zip(&a, |a, b| a - b).as_slice(), [-1.0, -2.0, -3.0]);
    assert_eq!((List::<f64, 8>::zeros(9).length(), (a, [0.0; 2]).length()), (8, 5));
}
