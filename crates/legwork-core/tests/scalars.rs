//! One formula, many scalars: they must all say the same.

#![cfg(all(feature = "simd", feature = "trace"))]

use core::array::from_fn;
use legwork_core::lanes::{f32x8, f64x4, pack4, pack8, unpack4, unpack8};
use legwork_core::linalg::{column_singular_values, solve_qr, solve_spd};
use legwork_core::{Dual, Margin, Real, Sym3, Tape, Trace, V3};
use legwork_testkit::nan_max;

/// A formula that any scalar can run.
trait Formula<const I: usize, const O: usize> {
    fn run<T: Real>(x: [T; I]) -> [T; O];
}

/// Scalar and vector product, length.
struct Products;
impl Formula<6, 5> for Products {
    fn run<T: Real>([a, b, c, d, e, f]: [T; 6]) -> [T; 5] {
        let (u, v) = (V3::new(a, b, c), V3::new(d, e, f));
        let n = u.cross(v);
        [n.x, n.y, n.z, u.dot(v) / T::from_f64(4.0), n.norm_sq().sqrt() - T::from_f64(0.3)]
    }
}

/// 3×3 symmetric solution and margin, (4 + a aᵀ + …) y = b.
struct Symmetric;
impl Formula<9, 4> for Symmetric {
    fn run<T: Real>([a, b, c, d, e, f, g, h, i]: [T; 9]) -> [T; 4] {
        let (u, v) = (V3::new(a, b, c), V3::new(d, e, f));
        let m = Sym3::scalar(T::from_f64(4.0))
            + Sym3::symmetrized(u, u)
            + Sym3::symmetrized(u, v) * T::from_f64(0.5);
        let y = m.solve(V3::new(g, h, i));
        [y.value.x, y.value.y, y.value.z, y.margin]
    }
}

fn matrix6<T: Real>(x: [T; 42]) -> ([[T; 6]; 6], [T; 6]) {
    (from_fn(|i| from_fn(|j| x[6 * i + j])), from_fn(|i| x[36 + i]))
}

/// (B Bᵀ + 1) y = b by LDLᵀ.
struct Spd;
impl Formula<42, 7> for Spd {
    fn run<T: Real>(x: [T; 42]) -> [T; 7] {
        let (rows, b) = matrix6(x);
        let mut a = rows;
        for i in 0..6 {
            for j in 0..6 {
                let start = if i == j { T::one() } else { T::zero() };
                a[i][j] = (0..6).fold(start, |sum, k| sum + rows[i][k] * rows[j][k]);
            }
        }
        let y = solve_spd(&a, &b);
        from_fn(|i| if i < 6 { y.value[i] } else { y.margin })
    }
}

/// (B + 4) y = b by QR.
struct Qr;
impl Formula<42, 7> for Qr {
    fn run<T: Real>(x: [T; 42]) -> [T; 7] {
        let (mut a, b) = matrix6(x);
        for (i, row) in a.iter_mut().enumerate() {
            row[i] = row[i] + T::from_f64(4.0);
        }
        let y = solve_qr(&a, &b);
        from_fn(|i| if i < 6 { y.value[i] } else { y.margin })
    }
}

/// Choices without a branch.
struct Choice;
impl Formula<3, 5> for Choice {
    fn run<T: Real>([a, b, c]: [T; 3]) -> [T; 5] {
        let picked = T::select(a.lt(b), a * c, -(b - c));
        [
            picked,
            Real::min(Real::min(a, b), c),
            (a - b).signum0(),
            (a * b).abs(),
            (c - a).abs() / (T::one() + b.squared()),
        ]
    }
}

/// Sine, cosine and angle.
struct Angles;
impl Formula<3, 4> for Angles {
    fn run<T: Real>([a, b, c]: [T; 3]) -> [T; 4] {
        let (sin, cos) = (a * T::from_f64(3.0)).sin_cos();
        [sin, cos, b.atan2(c), (sin * b + c).atan2(cos - c)]
    }
}

/// Numbers in (−1, 1); the same on every machine.
struct Random(u64);
impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn array<const N: usize>(&mut self) -> [f64; N] {
        from_fn(|_| self.next())
    }
}

/// Equal to the bit, any NaN being as good as another.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Runs four states in lanes, output by output, lane by lane.
fn in_lanes<F: Formula<I, O>, const I: usize, const O: usize>(states: &[[f64; I]; 4]) -> [[f64; 4]; O] {
    F::run::<f64x4>(from_fn(|k| f64x4::new(states.map(|s| s[k])))).map(f64x4::to_array)
}

fn lanes_equal_the_plain_scalar<F: Formula<I, O>, const I: usize, const O: usize>() {
    let mut random = Random(1);
    for _ in 0..50 {
        let states: [[f64; I]; 8] = from_fn(|_| random.array());
        let four = [states[0], states[1], states[2], states[3]];
        let lanes = in_lanes::<F, I, O>(&four);
        for (lane, state) in four.iter().enumerate() {
            let plain = F::run(*state);
            for k in 0..O {
                assert_eq!(
                    lanes[k][lane].to_bits(),
                    plain[k].to_bits(),
                    "output {k}, lane {lane}: {state:?}"
                );
            }
        }
        let single = states.map(|s| s.map(f32::from_f64));
        let lanes = F::run::<f32x8>(from_fn(|k| f32x8::new(single.map(|s| s[k])))).map(f32x8::to_array);
        for (lane, state) in single.iter().enumerate() {
            let plain = F::run(*state);
            for k in 0..O {
                assert_eq!(
                    lanes[k][lane].to_bits(),
                    plain[k].to_bits(),
                    "f32 output {k}, lane {lane}: {state:?}"
                );
            }
        }
    }
}

#[test]
fn each_lane_is_the_plain_scalar_to_the_bit() {
    lanes_equal_the_plain_scalar::<Products, 6, 5>();
    lanes_equal_the_plain_scalar::<Symmetric, 9, 4>();
    lanes_equal_the_plain_scalar::<Spd, 42, 7>();
    lanes_equal_the_plain_scalar::<Qr, 42, 7>();
    lanes_equal_the_plain_scalar::<Choice, 3, 5>();
}

#[test]
fn angles_in_lanes_are_close() {
    let mut random = Random(2);
    let mut states: Vec<[f64; 3]> = (0..400).map(|_| random.array()).collect();
    // The axes of atan2, and both sides of its cut.
    for b in [0.0, 1.0, -1.0, 1e-300, -1e-300] {
        states.extend([0.0, 1.0, -1.0].map(|c| [0.25, b, c]));
    }
    states.push([0.0, 0.5, 0.5]);
    for four in states.as_chunks::<4>().0 {
        let lanes = in_lanes::<Angles, 3, 4>(four);
        for (lane, state) in four.iter().enumerate() {
            let plain = Angles::run(*state);
            for k in 0..3 {
                let error = (lanes[k][lane] - plain[k]).abs();
                // 2 ulp of the largest value, π: one of each side.
                assert!(
                    error <= 4.0 * f64::EPSILON,
                    "output {k}: {state:?}: {} {}",
                    lanes[k][lane],
                    plain[k]
                );
            }
        }
    }
    for [a, b, c] in states {
        let plain = Angles::run([a, b, c].map(f32::from_f64));
        let lanes = Angles::run([a, b, c].map(f32x8::from_f64)).map(f32x8::to_array);
        for k in 0..3 {
            let error = (lanes[k][7] - plain[k]).abs();
            assert!(
                error <= 4.0 * f32::EPSILON,
                "f32 output {k}: {:?}: {} {}",
                [a, b, c],
                lanes[k][7],
                plain[k]
            );
        }
    }
}

#[test]
fn a_bad_lane_stays_alone() {
    fn check<F: Formula<I, O>, const I: usize, const O: usize>(bad: [f64; I]) {
        let mut random = Random(3);
        let mut states: [[f64; I]; 4] = from_fn(|_| random.array());
        states[2] = bad;
        let lanes = in_lanes::<F, I, O>(&states);
        for lane in 0..4 {
            let plain = F::run(states[lane]);
            for k in 0..O {
                assert!(same(lanes[k][lane], plain[k]), "output {k}, lane {lane}");
                assert!(lane == 2 || lanes[k][lane].is_finite());
            }
        }
        let margin = Margin { value: (), margin: lanes[O - 1][2] };
        assert!(!margin.is_valid(), "the last output is a margin and must not be positive");
    }
    let nan_at = |i: usize| -> [f64; 42] { from_fn(|k| if k == i { f64::NAN } else { 0.1 * k as f64 }) };
    for i in 0..36 {
        check::<Qr, 42, 7>(nan_at(i));
        check::<Spd, 42, 7>(nan_at(i));
    }
    check::<Symmetric, 9, 4>(from_fn(|k| if k == 1 { f64::NAN } else { 0.3 }));
    // (B + 4) singular by a column of zeros.
    check::<Qr, 42, 7>(from_fn(|k| if k == 14 { -4.0 } else { 0.0 }));
}

#[test]
fn signs_are_signs() {
    assert_eq!([-2.0, 0.0, 2.0, f64::NAN].map(Real::signum0), [-1.0, 0.0, 1.0, 0.0]);
    assert_eq!((Real::min(1.0, -2.0), Real::max(1.0, -2.0), Real::max(3.0, 3.0)), (-2.0, 1.0, 3.0));
    for (a, b) in [(f64::NAN, 1.0), (1.0, f64::NAN), (f64::NAN, f64::NAN)] {
        assert!(Real::min(a, b).is_nan() && Real::max(a, b).is_nan());
    }
}

#[test]
fn packing_comes_back() {
    let mut random = Random(4);
    let four: [V3<f64>; 4] = from_fn(|_| random.array().into());
    assert_eq!(unpack4(pack4(four)), four);
    let eight: [V3<f32>; 8] = from_fn(|_| random.array().map(f32::from_f64).into());
    assert_eq!(unpack8(pack8(eight)), eight);
    assert_eq!(pack8(eight).y.to_array()[5], eight[5].y);
}

fn inputs<const I: usize>(tape: &Tape) -> [Trace<'_>; I] {
    from_fn(|k| tape.input(&format!("x{k}")))
}

fn traced_equals_plain<F: Formula<I, O>, const I: usize, const O: usize>() {
    let tape = Tape::new();
    let outputs = F::run(inputs::<I>(&tape));
    let mut random = Random(5);
    for _ in 0..50 {
        let x = random.array();
        let (recorded, plain) = (tape.evaluate(&outputs, &x).unwrap(), F::run(x));
        for k in 0..O {
            assert!(same(recorded[k], plain[k]), "output {k}: {} {}", recorded[k], plain[k]);
        }
    }
}

#[test]
fn a_trace_evaluates_to_the_bit() {
    traced_equals_plain::<Products, 6, 5>();
    traced_equals_plain::<Symmetric, 9, 4>();
    traced_equals_plain::<Spd, 42, 7>();
    traced_equals_plain::<Qr, 42, 7>();
    traced_equals_plain::<Choice, 3, 5>();
    traced_equals_plain::<Angles, 3, 4>();
}

/// Value and two derivatives: along a crowded direction, and by the first input alone.
fn dual_inputs<T: Real, const I: usize>(x: [T; I], direction: [f64; I]) -> [Dual<T, 2>; I] {
    from_fn(|k| Dual { re: x[k], eps: [T::from_f64(direction[k]), T::from_f64(f64::from(u8::from(k == 0)))] })
}

/// Numbers are equal to the bit; zeros may differ in sign, since Dual<f64> adds
/// products with ±0 that the tape leaves out.
fn dual_over_trace_equals_dual<F: Formula<I, O>, const I: usize, const O: usize>() {
    let mut random = Random(6);
    let direction = random.array();
    let tape = Tape::new();
    let recorded = F::run(dual_inputs(inputs::<I>(&tape), direction));
    let outputs: Vec<_> = recorded.iter().flat_map(|y| [y.re, y.eps[0], y.eps[1]]).collect();
    for _ in 0..20 {
        let x = random.array();
        let plain = F::run(dual_inputs(x, direction));
        let plain = plain.iter().flat_map(|y| [y.re, y.eps[0], y.eps[1]]);
        for (k, (a, b)) in tape.evaluate(&outputs, &x).unwrap().into_iter().zip(plain).enumerate() {
            assert!(same(a, b) || (a == 0.0 && b == 0.0), "number {k}: {a} {b}");
        }
    }
}

#[test]
fn dual_over_trace_is_dual_over_f64() {
    dual_over_trace_equals_dual::<Products, 6, 5>();
    dual_over_trace_equals_dual::<Symmetric, 9, 4>();
    dual_over_trace_equals_dual::<Spd, 42, 7>();
    dual_over_trace_equals_dual::<Qr, 42, 7>();
    dual_over_trace_equals_dual::<Choice, 3, 5>();
    dual_over_trace_equals_dual::<Angles, 3, 4>();
}

fn dual_matches_difference<F: Formula<I, O>, const I: usize, const O: usize>() {
    let mut random = Random(7);
    let step = 1e-5;
    for _ in 0..20 {
        let (x, direction): ([f64; I], [f64; I]) = (random.array(), random.array());
        let at = |t: f64| F::run::<f64>(from_fn(|k| x[k] + t * direction[k]));
        let (ahead, behind, dual) = (at(step), at(-step), F::run(dual_inputs(x, direction)));
        let plain = at(0.0);
        for k in 0..O {
            let difference = (ahead[k] - behind[k]) / (2.0 * step);
            let error = (dual[k].eps[0] - difference).abs();
            assert_eq!(dual[k].re.to_bits(), plain[k].to_bits(), "value {k}");
            // step² = 1e-10 times a third derivative of order 1000, ε/step = 2e-11
            assert!(error < 1e-7 * (1.0 + difference.abs()), "output {k}: {} {difference}", dual[k].eps[0]);
        }
    }
}

#[test]
fn dual_numbers_match_differences() {
    dual_matches_difference::<Products, 6, 5>();
    dual_matches_difference::<Symmetric, 9, 4>();
    dual_matches_difference::<Spd, 42, 7>();
    dual_matches_difference::<Qr, 42, 7>();
    dual_matches_difference::<Choice, 3, 5>();
    dual_matches_difference::<Angles, 3, 4>();
}

#[test]
fn dual_numbers_obey_calculus() {
    let mut random = Random(8);
    let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-14 * (1.0 + b.abs()), "{a} {b}"); // some tens of ε
    for _ in 0..100 {
        let [a, b, _] = random.array::<3>();
        let (x, y): (Dual<f64, 2>, Dual<f64, 2>) = (Dual::variable(2.5 + a, 0), Dual::variable(3.0 * b, 1));
        close(x.sqrt().eps[0], 0.5 / (2.5 + a).sqrt());
        close(y.abs().eps[1], b.signum());
        close(x.recip().eps[0], -1.0 / (2.5 + a).powi(2));
        // Polar coordinates and back: the angle changes with itself, not with the radius.
        let (sin, cos) = y.sin_cos();
        let angle = (x * sin).atan2(x * cos);
        close(angle.re, 3.0 * b);
        close(angle.eps[0], 0.0);
        close(angle.eps[1], 1.0);
        close((sin * sin + cos * cos).eps[1], 0.0);
        close(sin.eps[1], (3.0 * b).cos());
    }
}

#[test]
fn second_derivatives_of_an_angle() {
    type Second = Dual<Dual<f64, 2>, 2>;
    let (x, y) = (0.8, -1.7);
    let angle = Second::variable(Dual::variable(y, 1), 1).atan2(Second::variable(Dual::variable(x, 0), 0));
    let r4 = (x * x + y * y).powi(2);
    let hessian_ref = [[2.0 * x * y / r4, (y * y - x * x) / r4], [(y * y - x * x) / r4, -2.0 * x * y / r4]];
    for (hessian_row, row_ref) in angle.eps.iter().zip(hessian_ref) {
        for (second, second_ref) in hessian_row.eps.iter().zip(row_ref) {
            assert!((second - second_ref).abs() < 4.0 * f64::EPSILON, "{second} {second_ref}");
        }
    }
    let root = Dual::<Dual<f64, 1>, 1>::variable(Dual::variable(4.0, 0), 0).sqrt();
    assert_eq!(root.eps[0].eps[0], -1.0 / 32.0); // −¼ x^(−3/2)
}

#[test]
fn f32_keeps_its_digits() {
    fn check<F: Formula<I, O>, const I: usize, const O: usize>() {
        let mut random = Random(9);
        for _ in 0..50 {
            let x = random.array::<I>().map(|x| f64::from(f32::from_f64(0.5 * x)));
            let (double, single) = (F::run(x), F::run(x.map(f32::from_f64)));
            for k in 0..O {
                // 2^-23 times a growth of at most 30: six rows, condition below 10
                let error = (double[k] - f64::from(single[k])).abs();
                assert!(
                    error <= 30.0 * f64::from(f32::EPSILON) * (1.0 + double[k].abs()),
                    "output {k}: {error}"
                );
            }
        }
    }
    check::<Products, 6, 5>();
    check::<Symmetric, 9, 4>();
    check::<Spd, 42, 7>();
    check::<Qr, 42, 7>();
}

#[test]
fn solvers_solve() {
    let mut random = Random(10);
    for _ in 0..100 {
        let (a, b) = matrix6(random.array());
        let qr = solve_qr(&a, &b);
        assert!(qr.is_valid());
        let (mut spd, mut lower) = ([[0.0; 6]; 6], [[f64::NAN; 6]; 6]);
        for i in 0..6 {
            let row = (0..6).map(|j| a[i][j] * qr.value[j]).sum::<f64>();
            let largest = nan_max(1.0, legwork_testkit::largest(qr.value));
            assert!((row - b[i]).abs() < 1e-14 * largest, "QR is backward stable: {}", row - b[i]);
            for j in 0..6 {
                spd[i][j] = (0..6).map(|k| a[i][k] * a[j][k]).sum::<f64>() + f64::from(u8::from(i == j));
                if j <= i {
                    lower[i][j] = spd[i][j];
                }
            }
        }
        let ldl = solve_spd(&lower, &b); // the upper triangle is not read
        assert!(ldl.is_valid());
        for i in 0..6 {
            let row = (0..6).map(|j| spd[i][j] * ldl.value[j]).sum::<f64>();
            assert!((row - b[i]).abs() < 1e-13, "LDLᵀ: {}", row - b[i]); // ε times condition, below 100
        }
        let m = Sym3 { diagonal: V3::new(3.0, 4.0, 5.0), off: V3::new(a[0][0], a[0][1], a[0][2]) };
        let rhs = V3::new(b[0], b[1], b[2]);
        let y = m.solve(rhs);
        assert!((m * y.value - rhs).norm_sq().sqrt() < 1e-14 && y.is_valid());
    }
}

/// A symmetric matrix times a number is the full matrix times it.
#[test]
fn a_symmetric_matrix_is_scaled_whole() {
    let m = Sym3 { diagonal: V3::new(3.0, 4.0, 5.0), off: V3::new(0.5, -1.5, 0.25) };
    assert_eq!((m * 4.0).to_matrix(), m.to_matrix() * 4.0);
    assert_eq!((m * 4.0).to_matrix().to_rows()[0], [12.0, 1.0, -6.0]);
}

/// Two columns a and b in the plane: σ₁² + σ₂² = a² + b², σ₁ σ₂ = |a × b|. Columns that are nearly orthogonal and of
/// different lengths are where the larger of the two angles would be lost to rounding.
#[test]
fn singular_values_of_two_columns() {
    let mut random = Random(12);
    for round in 0..300 {
        let size = 10.0_f64.powi(-(round % 9));
        let [a, b, c, d]: [f64; 4] = random.array();
        for columns in
            [[[a, b], [c * size, d * size]], [[a * size, b * size], [c, d]], [[a, size * b], [size * c, d]]]
        {
            let [[a, b], [c, d]] = columns;
            let [large, small] = column_singular_values(&columns);
            let (sum, product) = (a * a + b * b + c * c + d * d, (a * d - b * c).abs());
            assert!((large * large + small * small - sum).abs() < 1e-14 * sum, "{columns:?}");
            assert!((large * small - product).abs() < 1e-15 * sum, "{columns:?}: {large} {small}");
            assert!(large >= small, "{columns:?}");
        }
    }
}

fn diagonal(d: [f64; 6]) -> [[f64; 6]; 6] {
    from_fn(|i| from_fn(|j| if i == j { d[i] } else { 0.0 }))
}

/// Reflecting the last column too would turn R_66 to −|R_66|.
#[test]
fn qr_keeps_the_sign_of_the_last_row() {
    for last in [2.0, -2.0] {
        let mut a = diagonal([1.0, -1.0, 1.0, 1.0, -1.0, last]);
        a[5][4] = 3.0;
        let solution = solve_qr(&a, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let x_ref = [1.0, -2.0, 3.0, 4.0, -5.0, 21.0 / last];
        for (x, x_ref) in solution.value.into_iter().zip(x_ref) {
            assert!((x - x_ref).abs() < 1e-14, "{x} {x_ref}");
        }
    }
    assert_eq!(solve_qr(&[[-4.0]], &[8.0]).value, [-2.0]);
    assert_eq!(solve_qr(&[[4.0]], &[8.0]).value, [2.0]);
}

/// A reflection to the near side would lose the 1e-9 by cancellation.
#[test]
fn qr_reflects_to_the_far_side() {
    for first in [1.0, -1.0] {
        let solution = solve_qr(&[[first, 0.5], [1e-9, 1.0]], &[first + 0.5, 1.0 + 1e-9]);
        for x in solution.value {
            assert!((x - 1.0).abs() < 4.0 * f64::EPSILON, "{x}");
        }
    }
}

#[test]
fn margins_tell_singular_matrices() {
    let ones = [1.0; 6];
    for zero in 0..6 {
        let mut d = [1.0, 2.0, -3.0, 4.0, 5.0, 6.0];
        d[zero] = 0.0;
        assert_eq!(solve_qr(&diagonal(d), &ones).margin, 0.0);
    }
    // Two equal columns: zero but for rounding.
    let mut random = Random(11);
    let (mut a, b) = matrix6(random.array());
    for row in &mut a {
        row[4] = row[1];
    }
    assert!(solve_qr(&a, &b).margin < 1e-15);
    // The margin is |r_kk|, not just something small: R of a diagonal matrix.
    assert_eq!(solve_qr(&diagonal([3.0, -2.0, 4.0, 5.0, 6.0, 7.0]), &ones).margin, 2.0);
    assert_eq!(solve_qr(&diagonal([3.0, 9.0, 4.0, 5.0, 6.0, -1.0]), &ones).margin, 1.0);
}

#[test]
fn margins_tell_indefinite_matrices() {
    for negative in 0..6 {
        let mut d = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        d[negative] = -0.5;
        assert_eq!(solve_spd(&diagonal(d), &[1.0; 6]).margin, -0.5);
    }
    // Positive on the diagonal, yet with a negative eigenvalue.
    let mut a = diagonal([1.0; 6]);
    a[3][2] = 2.0;
    assert_eq!(solve_spd(&a, &[1.0; 6]).margin, -3.0);
    a[3][2] = 1.0;
    assert!(!solve_spd(&a, &[1.0; 6]).is_valid(), "semidefinite");
    let sym = |off| Sym3 { diagonal: V3::splat(1.0), off }.solve(V3::splat(1.0)).margin;
    assert_eq!(sym(V3::new(0.0, 0.0, 2.0)), -3.0);
    assert_eq!(sym(V3::new(2.0, 0.0, 0.0)), -3.0);
    assert_eq!(sym(V3::new(0.0, 2.0, 0.0)), -3.0);
    assert_eq!(sym(V3::zero()), 1.0);
}

/// Four numbers in one register are four numbers, to the bit, not finite ones included.
#[test]
fn four_numbers_at_once_are_four_numbers() {
    let mut random = Random(5);
    for round in 0..1000 {
        let mut numbers: [f64; 13] = random.array();
        match round {
            0 => numbers[2] = f64::NAN,
            1 => numbers[4] = f64::INFINITY,
            2 => numbers[12] = -0.0,
            _ => {}
        }
        let (a, b, c): ([f64; 4], [f64; 4], [f64; 4]) =
            (from_fn(|k| numbers[k]), from_fn(|k| numbers[4 + k]), from_fn(|k| numbers[8 + k]));
        let f = numbers[12];
        for k in 0..4 {
            for (found, expected) in [
                (f64::four_plus(a, f, b)[k], a[k] + f * b[k]),
                (f64::four_plus_times(a, b, c)[k], a[k] + b[k] * c[k]),
                (f64::four_times(a, b)[k], a[k] * b[k]),
            ] {
                assert!(
                    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()),
                    "{found} is not {expected}"
                );
            }
        }
    }
}
