//! Two Deltas carry one bar: a cell of two robots and an object, from a robot file of forty lines.
//!
//! Six motors hold what they have to hold with the bar in the middle; it starts turned and off its middle, so it swings.
//!
//! `cargo run --release -p legwork --example two_deltas_one_bar`

use legwork::AnyRobot;
use legwork::sim::{Efforts, FormulationKind, Integrator, Simulation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cell = AnyRobot::open("two-deltas")?;
    let home = cell.home();
    let hold = cell.gravity(&home)?;
    let mut start = home;
    start.position = [home.position[0] + 0.03, home.position[1] - 0.02, home.position[2] - 0.05];
    start.rotation = legwork::rotation::from_rotation_vector([0.0, 0.0, 0.1]);
    println!("the bar hangs by six motors, which hold it in the middle with");
    println!("{} N m", hold.iter().map(|u| format!("{u:.3}")).collect::<Vec<_>>().join(", "));
    for form in [FormulationKind::Minimal, FormulationKind::Projected] {
        let run = Simulation::new(&cell, Efforts::Constant(hold.clone()))
            .starting_at(start)
            .lasting(0.5)
            .sampled_every(0.1)
            .formulated_as(form)
            .integrated_by(Integrator::Dopri5 { tolerance: 1e-10 })
            .run()?;
        println!(
            "\n{form}\n   t        x        y        z      yaw      gap\n   s        m        m        m      deg        m"
        );
        for sample in run.samples.iter() {
            let [x, y, z] = sample.platform.position;
            let yaw = legwork::rotation::to_roll_pitch_yaw(&sample.platform.rotation)[2].to_degrees();
            println!("{:4.2} {x:8.4} {y:8.4} {z:8.4} {yaw:8.3} {:8.0e}", sample.time, sample.loop_gap);
        }
        println!("energy balance {:.0e} J", run.summary.imbalance);
    }
    Ok(())
}
