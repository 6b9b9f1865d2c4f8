//! End error against time: RK4 and Dormand–Prince on the swing of `golden/delta_swing.json`, the
//! general engines beside them.
//!
//! `cargo run --release -p legwork --example work_precision`

use legwork::V3;
use legwork::engine::{Pose, Twist};
use legwork::integrate::{Dopri5, Fixed, FixedMethod, Settings, Statistics};
use legwork::motion::{DeltaMinimal, Driven, Formulation};
use legwork::robots::catalog;
use std::hint::black_box;
use std::time::Instant;

/// Start, efforts and end of the file; its end is good to about 1e-12 m.
const START: V3<f64> = V3::new(0.15, -0.1, -0.72);
const EFFORT: [f64; 3] = [-5.495826591053523, -5.495826591053522, -5.495826591053523];
const END: V3<f64> = V3::new(-0.133533505484562, 0.08771880875562953, -0.7788207678410213);

type Form = DeltaMinimal;
type Full = (<Form as Formulation>::State, [f64; 2]);

/// End error \[m\], best wall time \[ms\] and effort of a run that is made anew each time.
fn measured(run: impl Fn() -> (Full, Statistics)) -> (f64, f64, Statistics) {
    let (((x, _), _), statistics) = run();
    let error = (V3::from(x) - END).norm_sq().sqrt();
    let best = (0..15)
        .map(|_| {
            let begin = Instant::now();
            black_box(run());
            begin.elapsed().as_secs_f64() * 1e3
        })
        .fold(f64::INFINITY, f64::min);
    (error, best, statistics)
}

fn main() {
    let form = DeltaMinimal::new(catalog::delta_industrial());
    let start = form.state_at(&Pose::translation(START), Twist::zero()).expect("the start is in reach");
    let full = (start, [0.0; 2]);
    println!("Delta (industrial), constant efforts from rest, 1 s: end error in m, time in ms\n");
    println!("{:34} {:>9} {:>10} {:>8} {:>8}", "", "error", "ms", "steps", "calls");
    let line = |name: String, (error, ms, s): (f64, f64, Statistics)| {
        println!("{name:34} {error:9.1e} {ms:10.4} {:8} {:8}", s.steps, s.evaluations);
    };
    for step in [2e-2, 1e-2, 5e-3, 4e-3, 2e-3, 1e-3, 1e-4] {
        let run = || {
            let mut system = Driven::new(form, EFFORT);
            let mut run = Fixed::new(0.0, full, FixedMethod::Rk4, step);
            run.advance_to(&mut system, 1.0).expect("the swing stays in reach");
            (*run.state(), run.statistics())
        };
        line(format!("legwork RK4, h = {} ms", step * 1e3), measured(run));
    }
    for tolerance in [1e-4, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12] {
        let run = || {
            let mut system = Driven::new(form, EFFORT);
            let mut run = Dopri5::new(0.0, full, Settings::default().with_tolerance(tolerance));
            run.advance_to(&mut system, 1.0).expect("the swing stays in reach");
            (*run.state(), run.statistics())
        };
        line(format!("legwork Dormand-Prince, {tolerance:.0e}"), measured(run));
    }
    // Measured on a machine of the same class under load; compare ratios.
    println!("\npeers, same swing (wall times under load: 22 to 29 ms were seen for the last one at 1 ms)");
    for (name, error, ms) in [
        ("MuJoCo 4.0 Euler, 1 ms", 5.4e-5, 6.0),
        ("MuJoCo 4.0 RK4, stiff, 1 ms", 3.5e-9, 20.0),
        ("Drake 1.51 SAP, 1 ms", 1.6e-4, 117.0),
        ("Pinocchio 4.1 Euler, Baumgarte, 1 ms", 1.6e-4, 5.3),
        ("Pinocchio 4.1 RK4, 4 ms", 1.2e-10, 5.5),
        ("Pinocchio 4.1 RK4, 1 ms", 4.8e-13, 22.0),
    ] {
        println!("{name:34} {error:9.1e} {ms:10.4}");
    }
}
