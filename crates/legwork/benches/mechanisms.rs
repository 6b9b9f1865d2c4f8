//! Instructions per call of mechanisms with loops, counted by valgrind: the kernel alone, from joint coordinates and
//! rates of the motors to efforts or accelerations, in the first state of each golden file.
//!
//! `./ci.sh bench` builds for x86-64-v3, runs this and holds the counts against the bars in `ci/bars.txt`.

#![allow(missing_docs, unused_qualifications)] // the benchmark macros write such code

use gungraun::{library_benchmark, library_benchmark_group, main};
use legwork::check::golden_mechanism;
use legwork::mechanism::{MechanismModel, Workspace};
use legwork_core::engine::Wrench;
use legwork_core::mechanism::{Memory, Motion, Plan};
use std::hint::black_box;

/// Kept alive, so that dropping it is not counted.
struct Call {
    plan: Plan<'static, f64>,
    memory: Memory<'static, f64>,
    coordinates: Vec<f64>,
    rates: Vec<f64>,
    given: Vec<f64>,
    answer: Vec<f64>,
}

fn prepared(name: &str, forward: bool) -> &'static mut Call {
    let path = format!("{}/../../golden/mechanisms/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let description = golden_mechanism(path).expect("a golden file");
    let model: &'static MechanismModel =
        Box::leak(Box::new(MechanismModel::new(&description).expect("a model")));
    let plan = model.plan();
    let workspace: &'static mut Workspace<f64> = Box::leak(Box::new(model.workspace()));
    let way = vec![0.05; plan.independent()];
    let at = model.follow_motors(&way, model.home(), workspace).expect("a posture beside home");
    let rates = (0..plan.independent()).map(|k| 0.5 - 0.2 * k as f64).collect();
    let motors = plan.motors.len();
    let numbers = |count: usize| (0..count).map(|k| 3.0 - k as f64).collect::<Vec<f64>>();
    let (given, answer) = if forward {
        (numbers(motors), vec![0.0; plan.independent()])
    } else {
        (numbers(plan.independent()), vec![0.0; motors])
    };
    let coordinates = at.coordinates().to_vec();
    Box::leak(Box::new(Call { plan, memory: workspace.memory(), coordinates, rates, given, answer }))
}

macro_rules! mechanisms {
    ($($inverse:ident $forward:ident $name:literal)*) => {
        $(
            #[library_benchmark]
            #[bench::one(prepared($name, false))]
            fn $inverse(call: &'static mut Call) -> f64 {
                let Call { plan, memory, coordinates, rates, given, answer } = call;
                let motion = Motion { coordinates, rates, idle: None, wrench: Wrench::zero() };
                black_box(plan.inverse_dynamics(black_box(&motion), given, answer, memory))
            }

            #[library_benchmark]
            #[bench::one(prepared($name, true))]
            fn $forward(call: &'static mut Call) -> (f64, f64) {
                let Call { plan, memory, coordinates, rates, given, answer } = call;
                let motion = Motion { coordinates, rates, idle: None, wrench: Wrench::zero() };
                black_box(plan.forward_dynamics(black_box(&motion), given, answer, memory))
            }
        )*
        library_benchmark_group!(name = mechanisms; benchmarks = $($inverse, $forward),*);
    };
}

mechanisms! {
    rps3_inverse rps3_forward "rps3"
    tricept_inverse tricept_forward "tricept"
    upu3_inverse upu3_forward "upu3"
    quattro_inverse quattro_forward "quattro"
    delta4_inverse delta4_forward "delta4"
    delta_ss_inverse delta_ss_forward "delta_ss"
    agile_eye_inverse agile_eye_forward "agile_eye"
    two_deltas_bar_inverse two_deltas_bar_forward "two_deltas_bar"
}

main!(library_benchmark_groups = mechanisms);
