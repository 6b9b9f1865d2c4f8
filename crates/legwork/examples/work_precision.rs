//! End error against time: Runge–Kutta and Dormand–Prince on the swing of
//! `golden/delta_swing.json`, by the closed form of the Delta and by the general engine.
//!
//! `cargo run --release -p legwork --example work_precision` prints a table, with `-- csv` lines
//! `tool,method,step_s,tolerance,error_m,time_s`. A time is the best of three runs, as in the
//! programs of the peers; `ci/peers/work_precision.sh` takes medians over many of them.

use legwork::V3;
use legwork::engine::{Pose, Twist};
use legwork::integrate::{Dopri5, Fixed, FixedMethod, Settings, Statistics};
use legwork::motion::{DeltaMinimal, Driven, Formulation, Minimal};
use legwork::robots::catalog;
use legwork::robots::delta_legs::delta_legs;
use serde_json::Value;
use std::hint::black_box;
use std::time::Instant;

const STEPS: [f64; 11] = [4e-2, 2e-2, 1e-2, 8e-3, 5e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4];
const TOLERANCES: [f64; 10] = [1e-4, 1e-5, 1e-6, 1e-7, 3e-8, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12];

/// Start, efforts and end of the file; the end is good to about 1e-12 m.
struct Swing {
    start: V3<f64>,
    effort: [f64; 3],
    duration: f64,
    end: V3<f64>,
}

impl Swing {
    fn from_golden() -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/delta_swing.json");
        let text = std::fs::read_to_string(path).expect("the golden files are beside the crates");
        let file: Value = serde_json::from_str(&text).expect("the file is JSON");
        let three = |list: &Value| -> [f64; 3] {
            std::array::from_fn(|k| list[k].as_f64().expect("the file has three numbers here"))
        };
        let samples = file["samples"].as_array().expect("the file has samples");
        let [first, .., last] = samples.as_slice() else { panic!("the file has a first and a last sample") };
        Self {
            start: three(&first["position"]).into(),
            effort: three(&file["constant_effort"]),
            duration: last["t"].as_f64().expect("a sample has its time"),
            end: three(&last["position"]).into(),
        }
    }
}

/// What one setting of an integrator costs and gives.
struct Line {
    method: String,
    step: Option<f64>,
    tolerance: Option<f64>,
    error: f64,
    seconds: f64,
    statistics: Statistics,
}

impl Line {
    fn print(&self, csv: bool) {
        let Self { method, error, seconds, statistics, .. } = self;
        if csv {
            let text = |value: Option<f64>| value.map(|value| format!("{value:e}")).unwrap_or_default();
            println!(
                "legwork,{method},{},{},{error:.3e},{seconds:.3e}",
                text(self.step),
                text(self.tolerance)
            );
            return;
        }
        let setting = match (self.step, self.tolerance) {
            (Some(step), _) => format!("{} ms", step * 1e3),
            (None, Some(tolerance)) => format!("{tolerance:.0e}"),
            (None, None) => String::new(),
        };
        let milliseconds = seconds * 1e3;
        let Statistics { steps, evaluations, .. } = statistics;
        println!("{method:28} {setting:>7} {error:9.1e} {milliseconds:9.4} {steps:7} {evaluations:7}");
    }
}

/// End error \[m\], best wall time of three runs \[s\] and effort.
fn measured<F: Formulation>(
    form: &F,
    swing: &Swing,
    run: impl Fn() -> ((F::State, [f64; 2]), Statistics),
) -> (f64, f64, Statistics) {
    let ((state, _), statistics) = run();
    let error = (form.platform(&state).0.position - swing.end).norm_sq().sqrt();
    let seconds = (0..3).map(|_| {
        let begin = Instant::now();
        black_box(run());
        begin.elapsed().as_secs_f64()
    });
    (error, legwork_testkit::lowest(seconds), statistics)
}

/// Every step and every tolerance with one form of the equations.
fn lines<F: Formulation>(suffix: &str, form: &F, swing: &Swing) -> Vec<Line> {
    let start = form.state_at(&Pose::translation(swing.start), Twist::zero()).expect("the start is in reach");
    let start = (start, [0.0; 2]);
    let mut lines = Vec::new();
    for step in STEPS {
        let run = || {
            let mut system = Driven::new(form, swing.effort);
            let mut run = Fixed::new(0.0, start, FixedMethod::Rk4, step);
            run.advance_to(&mut system, swing.duration).expect("the swing stays in reach");
            (*run.state(), run.statistics())
        };
        let (error, seconds, statistics) = measured(form, swing, run);
        let method = format!("RK4{suffix}");
        lines.push(Line { method, step: Some(step), tolerance: None, error, seconds, statistics });
    }
    for tolerance in TOLERANCES {
        let run = || {
            let mut system = Driven::new(form, swing.effort);
            let mut run = Dopri5::new(0.0, start, Settings::default().with_tolerance(tolerance));
            run.advance_to(&mut system, swing.duration).expect("the swing stays in reach");
            (*run.state(), run.statistics())
        };
        let (error, seconds, statistics) = measured(form, swing, run);
        let method = format!("DOPRI5{suffix}");
        lines.push(Line { method, step: None, tolerance: Some(tolerance), error, seconds, statistics });
    }
    lines
}

fn main() {
    let csv = std::env::args().nth(1).is_some_and(|word| word == "csv");
    let (delta, swing) = (catalog::delta_industrial(), Swing::from_golden());
    let legs = delta_legs(&delta);
    if !csv {
        println!("Delta (industrial), constant efforts from rest, 1 s: end error in m, time in ms\n");
        println!("{:28} {:>7} {:>9} {:>9} {:>7} {:>7}", "", "", "error", "ms", "steps", "calls");
    }
    let closed = lines("", &DeltaMinimal::new(delta), &swing);
    let general = lines(" general engine", &Minimal { mechanism: legs.mechanism() }, &swing);
    for line in closed.iter().chain(&general) {
        line.print(csv);
    }
}
