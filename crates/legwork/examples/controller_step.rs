//! Times one step of the full feed-forward regulator through the door of any robot: reference, inverse kinematics,
//! supervision, model, feedback. Run it with `cargo run --release -p legwork --example controller_step`.

use legwork::experiment::{ControllerKind, Experiment, TimedPath, around_home, gentle_law};
use legwork::sim::{Measured, SampledController};
use legwork::{AnyRobot, RobotError};
use std::hint::black_box;
use std::time::Instant;

const STEPS: usize = 1_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for name in ["delta-direct-drive", "gough-stewart"] {
        let robot = AnyRobot::open(name)?;
        for kind in [
            ControllerKind::Pd,
            ControllerKind::ModelShifted,
            ControllerKind::ComputedTorque,
            ControllerKind::Platform,
        ] {
            let [median, rare] = times(&robot, kind)?;
            println!("{name:20} {:16} median {median:7.2} µs   99.9 % {rare:7.2} µs", kind.name());
        }
    }
    Ok(())
}

/// Median and 99.9 % of the time of a step \[µs\].
fn times(robot: &AnyRobot, kind: ControllerKind) -> Result<[f64; 2], Box<dyn std::error::Error>> {
    let motion = if robot.name() == "delta-direct-drive" {
        TimedPath::codourey()?
    } else {
        let path = around_home(robot)?;
        let law = gentle_law(robot, &path)?;
        TimedPath::new(path, law)
    };
    // Back and forth for the whole time, as seen by perfect sensors.
    let motion = motion.there_and_back(0.0, 100_000);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some hundreds
    let samples = (2.0 * motion.move_duration() / 1e-3) as usize;
    let experiment = Experiment::new(robot, motion);
    let seen: Vec<Vec<f64>> = (0..samples)
        .map(|k| {
            let wanted = experiment.motion().at(k as f64 * 1e-3).pose;
            let place =
                legwork::PlatformState::at(wanted.position.to_array()).turned(wanted.rotation.to_rows());
            Ok(robot.inverse_kinematics(&place)?.q)
        })
        .collect::<Result<_, RobotError>>()?;
    let mut controller = experiment.controller(kind)?;
    let mut command = vec![0.0; robot.joints().len()];
    let mut spans = Vec::with_capacity(STEPS);
    for k in 0..STEPS {
        let round = k % samples;
        if round == 0 {
            controller.reset();
        }
        let measured = Measured { time: round as f64 * 1e-3, q: &seen[round], qd: None };
        let begin = Instant::now();
        controller.sample(black_box(&measured), &mut command)?;
        spans.push(begin.elapsed().as_secs_f64() * 1e6);
        black_box(&command);
    }
    if let Some((time, fault)) = controller.fault() {
        return Err(format!("{}, {}: {fault} at {time} s", robot.name(), kind.name()).into());
    }
    spans.sort_by(f64::total_cmp);
    Ok([STEPS / 2, STEPS - STEPS / 1000].map(|k| spans[k]))
}
