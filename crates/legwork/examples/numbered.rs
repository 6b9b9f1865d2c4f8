//! Numbered examples, the same as `python/examples/numbered.py`: both print the same numbers, to the last digit.

use legwork::task::{FollowRequest, Handle, RobotRequest, SimulateRequest, Time};
use legwork::{AnyRobot, PlatformState};

/// A line for a list of numbers.
fn print(number: &str, what: &str, numbers: &[f64]) {
    let list: Vec<String> = numbers.iter().map(|x| format!("{x:.17e}")).collect();
    println!("{number} {what}: {}", list.join(" "));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = AnyRobot::open("delta-industrial")?;
    let at = PlatformState::at([0.1, -0.05, -0.8]);
    let moving = at.moving([1.0, 0.0, 0.0], [0.0, 0.0, 5.0]);

    // 1 Where are the motors, and where are they in the other working modes?
    print("1.1", "joints", &robot.inverse_kinematics(&at)?.q);
    for solution in robot.all_inverse_kinematics(&at)? {
        print("1.2", &solution.mode, &solution.q);
    }

    // 2 Where is the platform?
    let q = robot.inverse_kinematics(&at)?.q;
    print("2.1", "position", &robot.forward_kinematics(&q, &robot.home())?.position);
    print("2.2", "Jacobian", &robot.jacobian(&at)?.concat());
    print("2.3", "condition", &[robot.singularity(&at)?.condition]);

    // 3 What must the motors give, and what happens if they give it?
    let effort = robot.inverse_dynamics(&moving)?;
    print("3.1", "efforts", &effort);
    let found = robot.forward_dynamics(&moving, &effort)?;
    print("3.2", "accelerations of the joints", &found.joint);
    print("3.3", "mass matrix", &robot.mass_matrix(&at)?.concat());
    let energies = robot.energies(&moving)?;
    print("3.4", "energies", &[energies.kinetic, energies.potential]);

    // 4 How do they change?
    let slopes = robot.forward_dynamics_derivatives(&moving, &effort)?;
    print("4.1", "accelerations by pose", &slopes.pose);
    print("4.2", "accelerations by velocity", &slopes.velocity);
    print("4.3", "accelerations by efforts", &slopes.effort);
    print("4.4", "efforts by pose", &robot.inverse_dynamics_derivatives(&moving)?.pose);

    // 5 A robot that turns.
    let hexapod = AnyRobot::open("gough-stewart")?;
    let home = hexapod.home();
    print("5.1", "forces", &hexapod.gravity(&home)?);
    let slopes = hexapod.forward_dynamics_derivatives(&home, &hexapod.gravity(&home)?)?;
    print("5.2", "accelerations by pose", &slopes.pose);

    // 6 In time.
    let robot = RobotRequest::of(&robot);
    let request = SimulateRequest { robot, duration: Time(0.1), ..SimulateRequest::default() };
    let (result, recording) = request.run_recorded(&Handle::none())?;
    print("6.1", "time", &[result.time]);
    print("6.2", "x", recording.values("x").unwrap_or_default());

    // 7 A regulator in a loop of its own: one sample.
    let (reference, position) =
        FollowRequest::default().regulate(&Handle::none(), |regulator, experiment| {
            let mut q = vec![0.0; experiment.robot().joints().len()];
            regulator.reference(0.1, &mut q);
            (q, experiment.motion().platform(0.1).position)
        })?;
    print("7.1", "reference", &reference);
    print("7.2", "target", &position);
    Ok(())
}
