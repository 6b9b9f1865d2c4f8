//! What the tape keeps, and what it says about mistakes.

use super::{EvaluateError, Node, Operand, OperationCount, Tape, Trace};
use crate::Real;
use crate::linalg::{M3, Sym3, V3, solve_qr};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::array::from_fn;

fn inputs<const I: usize>(tape: &Tape) -> [Trace<'_>; I] {
    from_fn(|_| tape.input("x"))
}

#[test]
fn counts_agree_with_pencil_and_paper() {
    let tape = Tape::new();
    let x: [Trace; 9] = inputs(&tape);
    let (u, v, w) = (V3::new(x[0], x[1], x[2]), V3::new(x[3], x[4], x[5]), V3::new(x[6], x[7], x[8]));
    let cross = tape.count(&u.cross(v).to_array());
    assert_eq!((cross.mul, cross.add, cross.flops()), (6, 3, 9));
    // Recorded before but not asked for: only the dot product counts.
    assert_eq!(tape.count(&[u.dot(w)]).flops(), 5);
    let y = Sym3 { diagonal: u, off: v }.solve(w);
    let count = tape.count(&[y.value.x, y.value.y, y.value.z, y.margin]);
    let count_ref =
        OperationCount { mul: 17, add: 12, div: 3, lt: 4, select: 4, ..OperationCount::default() };
    assert_eq!(count, count_ref);
    assert_eq!(
        count.to_string(),
        "flops 32 | mul 17 | add 12 | div 3 | sqrt 0 | sin 0 | cos 0 | atan2 0 | select 4 | neg 0 | abs 0 | lt 4"
    );
    // The last column of QR is not reflected: five square roots, not six.
    let matrix = from_fn(|_| inputs(&tape));
    let y = solve_qr::<_, 6>(&matrix, &inputs(&tape));
    let count = tape.count(&y.value);
    assert_eq!((count.sqrt, count.div, count.select), (5, 11, 10));
    // The structural zeros of a rotation about z vanish.
    let turned = M3::rotation_z(x[0], x[1]) * v;
    assert_eq!(tape.count(&turned.to_array()).flops(), 6);
}

/// Each rule: what is written, and what is left of it.
#[test]
fn rules_leave_what_they_should() {
    let tape = Tape::new();
    let [x, y] = inputs::<2>(&tape);
    let c = Trace::from_f64;
    let nodes = |outputs: &[Trace<'_>]| -> Vec<Node> {
        tape.live_nodes(outputs)
            .map(|(_, node)| node)
            .filter(|node| !matches!(node, Node::Input(_)))
            .collect()
    };
    let (a, b) = (x.operand(), y.operand());
    let k = Operand::Constant;
    let is_x = [
        x * c(1.0),
        c(1.0) * x,
        x + c(0.0),
        c(-0.0) + x,
        x - c(0.0),
        -(-x),
        x / c(1.0),
        (-x) * c(-1.0),
        c(0.0) - (-x),
        (-x) / c(-1.0),
        Trace::select(c(1.0).lt(c(2.0)), x, y),
        Trace::select(c(f64::INFINITY).lt(x), y, x),
        Trace::select(c(2.0).lt(c(1.0)), y, x),
        Trace::select(x.lt(x), y, x),
        Trace::select(x.lt(y), x, x),
    ];
    for (i, trace) in is_x.iter().enumerate() {
        assert_eq!(trace.operand(), a, "x, number {i}");
    }
    let constants = [
        (x * c(0.0), 0.0),
        (c(0.0) / x, 0.0),
        (c(2.0) + c(3.0), 5.0),
        (c(2.0) - c(3.0), -1.0),
        (c(2.0) * c(3.0), 6.0),
        (c(1.0) / c(3.0), 1.0 / 3.0),
        (c(2.0).sqrt(), Real::sqrt(2.0)),
        (c(-2.0).abs(), 2.0),
        (-c(0.0), 0.0),
        (c(0.5).sin_cos().1, Real::sin_cos(0.5).1),
        (c(0.5).atan2(c(-1.0)), Real::atan2(0.5, -1.0)),
    ];
    for (i, (trace, value)) in constants.iter().enumerate() {
        assert_eq!(trace.operand(), k(*value), "constant, number {i}");
    }
    let single = [
        (x * c(-1.0), Node::Neg(a)),
        (c(0.0) - x, Node::Neg(a)),
        (y + x, Node::Add(a, b)),
        (y * x, Node::Mul(a, b)),
        (x / c(4.0), Node::Mul(k(0.25), a)),
        (x / c(3.0), Node::Div(a, k(3.0))),
        (x - (-y), Node::Add(a, b)),
        (x + (-y), Node::Sub(a, b)),
        ((-y) + x, Node::Sub(a, b)),
        ((-x) * (-y), Node::Mul(a, b)),
        ((-x) / (-y), Node::Div(a, b)),
        ((-y) - (-x), Node::Sub(a, b)),
        (x + c(-2.0), Node::Sub(a, k(2.0))),
        ((-x).abs(), Node::Abs(a)),
        (x.abs().abs(), Node::Abs(a)),
        (x * c(3.0), Node::Mul(k(3.0), a)),
    ];
    for (i, (trace, node)) in single.iter().enumerate() {
        assert_eq!(nodes(&[*trace]), [*node], "node, number {i}");
    }
    // Recorded once, with operands exchanged or signs changed.
    assert_eq!(nodes(&[x * y, y * x, (-x) * y]).len(), 2); // x·y and its negative
    assert_eq!(tape.count(&[x - y, y - x]).add, 1);
    assert_eq!(nodes(&[x * c(0.7) - y, y + x * c(-0.7)]).len(), 3);
    assert_eq!(tape.input_names(), ["x", "x"]);
}

#[test]
fn mistakes_are_told() {
    let (tape, other) = (Tape::new(), Tape::new());
    let (x, y) = (tape.input("x"), other.input("y"));
    assert_eq!(tape.evaluate(&[x], &[]), Err(EvaluateError::InputCount { expected: 1, given: 0 }));
    assert_eq!(tape.evaluate(&[x], &[1.0, 2.0]), Err(EvaluateError::InputCount { expected: 1, given: 2 }));
    assert_eq!(tape.evaluate(&[x, y], &[1.0]), Err(EvaluateError::OtherTape { output: 1 }));
    assert_eq!(tape.evaluate(&[x, Trace::from_f64(2.0)], &[1.0]), Ok(vec![1.0, 2.0]));
    // Mixed tapes give NaN, also through a comparison, and never a wrong node.
    for mixed in [x + y, x.atan2(y), Trace::select(x.lt(y), x, x), Trace::select(x.lt(-x), x, y), x.min(y)] {
        assert!(matches!(mixed.operand(), Operand::Constant(c) if c.is_nan()));
    }
}

/// Every number is itself again after it was put into a word; what is no number is a constant and no node.
#[test]
fn constants_survive() {
    let signed_nan = f64::from_bits(f64::NAN.to_bits() | 1 << 63 | 7 << 32 | 5);
    for value in [1.0, -1.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, f64::INFINITY, f64::NEG_INFINITY]
    {
        assert_eq!(Trace::from_f64(value).operand(), Operand::Constant(value));
    }
    for nan in [f64::NAN, -f64::NAN, signed_nan, 0.0 / f64::from_bits(0)] {
        assert!(matches!(Trace::from_f64(nan).operand(), Operand::Constant(c) if c.is_nan()));
    }
}

/// A tape that is gone leaves its place to the next one, and others that are open keep theirs.
#[test]
fn tapes_come_and_go() {
    let first = Tape::new();
    let x = first.input("x");
    for round in 1..100 {
        let (tape, another) = (Tape::new(), Tape::new());
        let y = tape.input("y");
        let sum = (0..round).fold(y, |sum, _| sum + y * sum);
        assert_eq!(tape.evaluate(&[sum], &[0.0]), Ok(vec![0.0]));
        assert_eq!(another.input("z").operand(), x.operand());
        drop(another);
        assert!(matches!((x + y).operand(), Operand::Constant(c) if c.is_nan()));
    }
    assert_eq!(first.evaluate(&[x + x], &[2.0]), Ok(vec![4.0]));
}
