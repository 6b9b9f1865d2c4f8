//! A Delta with four arms, and one whose first arm is longer and heavier than the others: arms are
//! replaceable, and their number is a number of the robot file.
//!
//! `cargo run --release -p legwork --example odd_arms`

use legwork::AnyRobot;
use legwork::description::RobotDescription;
use legwork::sim::{Efforts, FormulationKind, Integrator, Simulation};

const ROBOTS: [&str; 2] =
    [include_str!("robots/four-arm-delta.toml"), include_str!("robots/odd-arm-delta.toml")];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("a fall for 0.2 s under nine tenths of the holding torques");
    println!(
        "{:16} {:12} {:>30} {:>8} {:>10} {:>12}",
        "robot", "form", "end [m]", "steps", "gap [m]", "balance [J]"
    );
    for text in ROBOTS {
        let robot = AnyRobot::new(RobotDescription::parse(text, "robot.toml")?)?;
        let hold = robot.state(&robot.home())?.dynamics.ok_or("no masses")?.gravity;
        let nine_tenths: Vec<f64> = hold.iter().map(|u| 0.9 * u).collect();
        for form in [
            FormulationKind::Minimal,
            FormulationKind::Constrained { pole: 5.0 },
            FormulationKind::Projected,
            FormulationKind::Hamiltonian,
        ] {
            let run = Simulation::new(&robot, Efforts::Constant(nine_tenths.clone()))
                .lasting(0.2)
                .formulated_as(form)
                .integrated_by(Integrator::Dopri5 { tolerance: 1e-10 })
                .run()?;
            let end = run.samples.last().ok_or("no sample")?.platform.position;
            let end = end.map(|x| format!("{x:9.6}")).join(" ");
            let s = run.summary;
            println!(
                "{:16} {:12} {end:>30} {:8} {:10.1e} {:12.1e}",
                robot.name(),
                form.to_string(),
                s.statistics.steps,
                s.loop_gap,
                s.imbalance
            );
        }
    }
    Ok(())
}
