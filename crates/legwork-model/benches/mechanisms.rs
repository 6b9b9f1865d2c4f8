//! Instructions per call of mechanisms with loops, counted by valgrind: the kernel alone, from joint coordinates and
//! rates of the motors to efforts or accelerations, beside the home of each golden file; and of the Tricept with passive
//! UPS legs added.
//!
//! `./ci.sh bench` builds for x86-64-v3, runs this, holds the counts against the bars in `ci/bars.txt` and the cost of a
//! leg against that of other legs.

#![allow(missing_docs, unused_qualifications)] // the benchmark macros write such code

use gungraun::{library_benchmark, library_benchmark_group, main};
use legwork::check::golden_mechanism;
use legwork_core::engine::chain::frame_with_z;
use legwork_core::engine::{Pose, RigidBody, Wrench};
use legwork_core::mechanism::{Memory, Motion, Plan};
use legwork_core::{M3, Sym3, V3};
use legwork_model::mechanism::{
    BodyDescription, JointDescription, JointType, MechanismDescription, MechanismModel, WORLD, Workspace,
};
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

fn described(name: &str) -> MechanismDescription {
    let path = format!("{}/../../golden/mechanisms/{name}.json", env!("CARGO_MANIFEST_DIR"));
    golden_mechanism(path).expect("a golden file")
}

/// Legs without motors from the ground to the platform, around two circles: universal joint, slide, ball.
fn add_legs(mechanism: &mut MechanismDescription, count: usize) {
    let platform = mechanism.platform.clone();
    let home = mechanism.bodies.iter().find(|body| body.name == platform).expect("a platform").home;
    let on = |radius: f64, angle: f64| V3::new(radius * angle.cos(), radius * angle.sin(), 0.0);
    let body = |mass: f64, z: f64| RigidBody {
        mass,
        centre: V3::new(0.001, 0.002, z),
        inertia: Sym3 { diagonal: V3::new(0.05, 0.05, 0.003), off: V3::zero() },
    };
    for k in 0..count {
        let turn = 0.3 + k as f64 * std::f64::consts::TAU / count as f64;
        let (foot, ball) = (on(0.7, turn), on(0.2, turn + 0.4));
        let line = home.of(ball) - foot;
        let length = line.norm_sq().sqrt();
        let along = Pose::new(frame_with_z(line * (1.0 / length)), foot);
        // Both axes of the universal joint across the leg.
        let axes = along.rotation.columns();
        let base = Pose::new(M3::from_columns(axes.z, axes.x, axes.y), foot);
        let (cylinder, rod) = (format!("passive cylinder {k}"), format!("passive rod {k}"));
        let mut add_joint = |what: &str, kind, [parent, child]: [&str; 2], [p, c]: [Pose<f64>; 2]| {
            mechanism.joints.push(JointDescription {
                name: format!("passive {what} {k}"),
                kind,
                parent: parent.into(),
                parent_frame: p,
                child: child.into(),
                child_frame: c,
                motor: None,
                drag: None,
            });
        };
        add_joint("yoke", JointType::Universal, [WORLD, &cylinder], [base, along.inverse() * base]);
        let back = Pose::translation(V3::new(0.0, 0.0, -length));
        add_joint("slide", JointType::Prismatic, [&cylinder, &rod], [Pose::identity(), back]);
        let at_ball = [Pose::identity(), Pose::translation(ball)];
        add_joint("ball", JointType::Spherical, [&rod, &platform], at_ball);
        let top = Pose::new(along.rotation, home.of(ball));
        mechanism.bodies.push(BodyDescription { name: cylinder, body: body(2.4, 0.22), home: along });
        mechanism.bodies.push(BodyDescription { name: rod, body: body(1.1, -0.26), home: top });
    }
}

fn with_legs(count: usize) -> &'static mut Call {
    let mut description = described("tricept");
    add_legs(&mut description, count);
    prepared_from(&description, true)
}

fn prepared(name: &str, forward: bool) -> &'static mut Call {
    prepared_from(&described(name), forward)
}

fn prepared_from(description: &MechanismDescription, forward: bool) -> &'static mut Call {
    let model: &'static MechanismModel =
        Box::leak(Box::new(MechanismModel::new(description).expect("a model")));
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

#[library_benchmark]
#[benches::legs(args = [0, 3, 6, 12, 24], setup = with_legs)]
fn passive(call: &'static mut Call) -> (f64, f64) {
    let Call { plan, memory, coordinates, rates, given, answer } = call;
    let motion = Motion { coordinates, rates, idle: None, wrench: Wrench::zero() };
    black_box(plan.forward_dynamics(black_box(&motion), given, answer, memory))
}

library_benchmark_group!(name = legs; benchmarks = passive);

main!(library_benchmark_groups = mechanisms, legs);
