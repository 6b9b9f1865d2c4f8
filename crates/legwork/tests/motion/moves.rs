//! Several moves: corners that are rounded, and sequences.

use super::rows::norm;
use legwork::experiment::{
    ControllerKind, Experiment, MoveSequence, ReferenceMotion, TimedMove, blended_lines,
};
use legwork::trajectory::{Law, Line, Path, Shape};
use legwork::{AnyRobot, M3, V3, rotation};
use legwork_testkit::{Worst, largest};
use std::sync::Arc;

fn blended(turned: bool) -> legwork::experiment::AnyPath {
    let points = [[0.0, 0.0, 0.0], [0.2, 0.0, 0.0], [0.2, 0.15, 0.0], [0.0, 0.1, 0.1]].map(V3::from);
    let turns = [0.0, 0.3, 0.3, -0.2].map(|angle: f64| if turned { angle } else { 0.0 });
    let turns = turns.map(|angle| {
        let [x, y, z] = rotation::about_axis(rotation::unit([0.2, 0.1, 1.0]), angle).map(V3::from);
        M3::from_rows(x, y, z)
    });
    blended_lines(&points, &turns, &[0.03, 0.05]).unwrap()
}

/// Each line is kept exactly up to the blend distance, and neither speed nor acceleration jumps anywhere.
#[test]
fn blends_keep_their_lines_and_accelerate_without_a_jump() {
    let path = blended(true);
    let lines = [([0.0, 0.0, 0.0], [0.2, 0.0, 0.0]), ([0.2, 0.0, 0.0], [0.2, 0.15, 0.0])];
    let count = 4000_u32;
    let place = |k: u32| path.at(path.length() * f64::from(k) / f64::from(count));
    let (mut on_line, mut second) = (0, Worst::of("change of the second derivative"));
    for k in 0..count {
        let (here, next) = (place(k), place(k + 1));
        let p = here.pose.position;
        for (from, to) in lines {
            let (from, to) = (V3::from(from), V3::from(to));
            let along = (to - from) * (1.0 / norm(to - from));
            let way = (p - from).dot(along);
            let beside = norm(p - from - along * way);
            let inner =
                [if from.norm_sq() == 0.0 { 0.0 } else { 0.03 }, if to.y > 0.0 { 0.05 } else { 0.03 }];
            if beside < 0.02 && way > inner[0] && way < norm(to - from) - inner[1] {
                // 1e-15: rounding of lengths below a metre.
                assert!(beside < 1e-15, "{beside} beside the line at {way}");
                on_line += 1;
            }
        }
        second.see(norm(next.second.linear - here.second.linear));
        second.see(norm(next.second.angular - here.second.angular) * 0.01);
        assert!((norm(here.first.linear) - 1.0).abs() < 1e-12);
    }
    assert!(on_line > 800, "{on_line}");
    // The curvature of the sharper corner, 56/m, comes and goes over some 50 mm: no step of 0.13 mm is a jump.
    second.below(1.0);
    // A corner of 2 mm that were a kink would be one: the direction before and behind it is the same.
    for joint in [0.17, 0.17 + 0.06] {
        let (a, b) = (path.at(joint - 1e-9).first.linear, path.at(joint + 1e-9).first.linear);
        assert!(norm(a - b) < 1e-6, "{joint}");
    }
}

#[test]
fn sequences_that_cannot_be_say_why() {
    let line = |from: [f64; 3], to: [f64; 3]| {
        let path = legwork::experiment::AnyPath::new(Line::new(from.into(), to.into()).unwrap());
        let law = Law::by_duration(Shape::Quintic, path.length(), 0.2).unwrap();
        TimedMove { path, law: Arc::new(law), dwell: 0.0, mass: 0.0 }
    };
    let (a, b, c) = ([0.0, 0.0, -0.8], [0.1, 0.0, -0.8], [0.1, 0.1, -0.8]);
    let refused = |moves: Vec<TimedMove>, after: f64| {
        let made = MoveSequence::new(moves, after).and_then(|sequence| sequence.repeated(2));
        made.map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(refused(vec![], 0.0), "a cycle has one move at least");
    assert_eq!(refused(vec![line(a, b), line(c, a)], 0.0), "move 2 does not begin where move 1 ends");
    assert!(refused(vec![line(a, b), line(b, c)], 0.0).contains("does not end where it begins"));
    assert!(refused(vec![line(a, b), line(b, a)], 1.5).contains("ends with 1.5 kg picked up"));
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let sequence = MoveSequence::new(vec![line(a, b), line(b, a)], 0.0).unwrap().repeated(3).unwrap();
    assert!((sequence.duration() - 1.2).abs() < 1e-12);
    // At rest before, between the cycles and after.
    for time in [-1.0, 0.4, 0.8, 1.2, 5.0] {
        let state = sequence.platform(time);
        assert!(largest(state.twist) < 1e-9, "{time}: {:?}", state.twist);
        assert!(norm(V3::from(state.position) - V3::from(a)) < 1e-12, "{time}");
    }
    assert!(Experiment::new(&robot, sequence).run(ControllerKind::Model).unwrap().fault.is_none());
}
