//! A small firmware with the library's own core: a Delta on a circle at 1 kHz. Each sample the reference is worked out, a
//! regulator with the model as feed-forward gives torques under its supervisor, and the forward dynamics stands for the
//! machine. After 0.8 s a sensor jumps: the supervisor latches its fault and takes the torques down.
//!
//! The same as `loop.c`, which does it with generated code; both print the same lines `name value`.

#![no_std]
#![no_main]

#[cfg_attr(target_arch = "aarch64", path = "linux.rs")]
mod board;

use board::{Clock, Terminal, exit};
use core::fmt::Write;
use legwork_core::control::{
    Command, Fault, Guard, Limits, Measured, Platform, Reference, Regulate, Regulator, SafeCommand, Settings,
    Supervisor,
};
use legwork_core::engine::{Pose, Twist};
use legwork_core::robots::catalog;
use legwork_core::robots::delta::Delta;
use legwork_core::{Real, V3};

#[cfg(not(feature = "single"))]
type Number = f64;
#[cfg(feature = "single")]
type Number = f32;

/// Time between samples \[s\].
const STEP: Number = 1e-3;

/// Where the platform should be at a sample: a circle of 80 mm at 6 rad/s.
fn reference(sample: u16) -> Platform<Number> {
    let (radius, turn): (Number, Number) = (0.08, 6.0);
    // The sine and cosine of the core: there is no standard library here.
    let (s, c) = Real::sin_cos(turn * STEP * Number::from(sample));
    Platform {
        pose: Pose::translation(V3::new(radius * c, radius * s, -0.8)),
        twist: Twist::new(V3::new(-radius * turn * s, radius * turn * c, 0.0), V3::zero()),
        acceleration: Twist::new(
            V3::new(-radius * turn * turn * c, -radius * turn * turn * s, 0.0),
            V3::zero(),
        ),
    }
}

/// One sample of the loop that is timed: the command for a reference and a measurement.
#[inline(never)]
fn regulator_step(
    supervisor: &mut Supervisor<Regulator<Delta<Number>, Number, 3>, Number, 3>,
    platform: &Platform<Number>,
    measured: &Measured<Number, 3>,
) -> Command<Number, 3> {
    let wanted = Reference::at(supervisor.regulator().model(), platform).value;
    supervisor.update(&wanted, Some(measured), STEP)
}

/// Called by the reset, with floating point on.
#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    exit(run().is_some_and(|fault| matches!(fault, Fault::Jump { .. })))
}

/// The run; the fault that ended it.
fn run() -> Option<Fault> {
    let delta = catalog::delta_industrial().cast::<Number>();
    let settings = Settings::pd([300.0; 3], [6.0; 3])
        .with_model()
        .with_limits(Limits { effort: [200.0; 3], rate: [1e5; 3] });
    let guard = Guard {
        low: [-2.0; 3],
        high: [3.0; 3],
        speed: [30.0; 3],
        reading: [0.0; 3],
        tracking: [0.3; 3],
        interval: 2e-3,
        margin: 1e-6,
        agreement: 1e-3,
        safe: SafeCommand::RampDown { time: 0.1 },
    };
    let begin = Reference::at(&delta, &reference(0)).value;
    let regulator = Regulator::new(delta, settings, &begin).ok()?;
    let mut supervisor = Supervisor::new(regulator, guard, &begin).ok()?;
    let mut x = reference(0).pose.position;
    let mut v = reference(0).twist.linear;
    let (mut worst, mut spent, mut samples): (Number, u32, u32) = (0.0, 0, 0);
    let clock = Clock::start();
    for n in 0..1000 {
        // The measurement; a state that the model has no answer for is refused, NaN too.
        let here = Platform {
            pose: Pose::translation(x),
            twist: Twist::new(v, V3::zero()),
            acceleration: Twist::zero(),
        };
        let seen = Reference::at(&delta, &here);
        if !(seen.margin > 1e-3) {
            return None;
        }
        let mut measured = Measured { q: seen.value.q, qdot: Some(seen.value.qdot) };
        if n >= 800 {
            measured.q[0] += 0.5; // the sensor that jumps
        }
        let platform = reference(n);
        let before = clock.now();
        let command = regulator_step(&mut supervisor, &platform, &measured);
        spent += Clock::instructions(before, clock.now());
        samples += 1;
        if command.fault.is_none() {
            worst = command.error.iter().fold(worst, |worst, e| if e.abs() > worst { e.abs() } else { worst });
        }
        if n == 799 {
            let V3 { x, y, z } = x;
            let torque = command.effort[0];
            writeln!(Terminal, "x {x:.9e}\ny {y:.9e}\nz {z:.9e}\ntorque {torque:.9e}").ok()?;
        }
        if command.fault.is_some() && n > 810 {
            break; // the fault is told; the machine is left to its brakes
        }
        // The machine.
        let posture = delta.linkage().posture_at(x).value;
        let driving = V3::from(command.effort) - delta.friction(posture.joint_velocity(v));
        let a = delta.acceleration(&posture, v, driving, V3::zero()).value.platform;
        v = v + a * STEP;
        x = x + v * STEP;
    }
    // The codes of the generated step: 4 is a motor that jumped.
    let code = if matches!(supervisor.fault(), Some(Fault::Jump { .. })) { 4 } else { 0 };
    writeln!(Terminal, "worst_error {worst:.9e}\nfault {code}\ninstructions {}", spent / samples).ok()?;
    supervisor.fault()
}
