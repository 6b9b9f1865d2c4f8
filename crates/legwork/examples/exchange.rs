//! Robots as MJCF, URDF with its sidecar, and SDF, with states and a swing for other programs to compute again.
//!
//! `cargo run -p legwork --example exchange -- FOLDER [ROBOT ...]`, and `FOLDER --import FILE[,SIDECAR] PLATFORM ...` for files of
//! others; `ci/peers/exchange.py FOLDER` is the judge.

use legwork::exchange::{Dialect, ImportOptions, JointStates, export, import};
use legwork::random::Random;
use legwork::sim::{Efforts, Integrator, Simulation};
use legwork::{AnyRobot, PlatformState, rotation};
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;

const STATES: usize = 3;
/// Times of the swing \[s\].
const SWING: [f64; 3] = [0.0, 0.05, 0.1];

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().ok_or("which folder?")?;
    std::fs::create_dir_all(&folder)?;
    let mut names: Vec<String> = words.collect();
    if names.first().is_some_and(|word| word == "--import") {
        return foreign(&folder, &names.split_off(1));
    }
    let all = legwork::description::BUILT_IN.iter().map(|robot| robot.name.to_owned());
    for name in if names.is_empty() { all.collect() } else { names } {
        let robot = AnyRobot::open(&name)?;
        let path = Path::new(&folder);
        for dialect in Dialect::ALL {
            let exported = export(&robot, dialect)?;
            let ending = if dialect == Dialect::Mjcf { "xml" } else { dialect.name() };
            let stem = robot.name().to_owned();
            std::fs::write(path.join(format!("{stem}.{ending}")), exported.text)?;
            if let Some(sidecar) = exported.sidecar {
                std::fs::write(path.join(format!("{stem}.yaml")), sidecar)?;
            }
        }
        let states = states(&robot).map_err(|error| format!("{name}: {error}"))?;
        std::fs::write(path.join(format!("{}.json", robot.name())), serde_json::to_string(&states)?)?;
    }
    Ok(())
}

/// Files of others as robots, with states of their motors: `FILE[,SIDECAR] PLATFORM`.
fn foreign(folder: &str, words: &[String]) -> Result<(), Box<dyn Error>> {
    for pair in words.chunks(2) {
        let [names, platform] = pair else { return Err("a file and its platform".into()) };
        let texts = names.split(',').map(|name| Ok((name, std::fs::read_to_string(name)?)));
        let texts: Vec<(&str, String)> = texts.collect::<Result<_, std::io::Error>>()?;
        let files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let options = ImportOptions { platform: Some(platform.clone()), ..ImportOptions::default() };
        let made = import(&files, &options)?;
        let description = legwork::description::RobotDescription::parse(&made.robot_file, "imported.toml")?;
        let robot = AnyRobot::new(description)?;
        let names: Vec<&str> = robot
            .bodies_and_joints()
            .map_or_else(Vec::new, |all| all.driven().map(|joint| joint.name.as_str()).collect());
        let mut random = Random::new(5);
        let mut states = Vec::new();
        for _ in 0..STATES {
            let state = near(&robot, &mut random, 0.05)?;
            let motion = robot.joints_from_platform(&state)?;
            let effort = robot.inverse_dynamics(&state)?;
            states.push(json!({ "q": motion.q, "qd": motion.qd, "qdd": motion.qdd, "effort": effort }));
        }
        let file = Path::new(files[0].0);
        let answer = json!({ "file": file, "motors": names, "states": states });
        let name = format!("{}.foreign", file.file_name().unwrap_or_default().to_string_lossy());
        std::fs::write(Path::new(folder).join(name), serde_json::to_string(&answer)?)?;
    }
    Ok(())
}

/// A pose near home, nearer where that is out of reach, and a motion there.
fn near(robot: &AnyRobot, random: &mut Random, part: f64) -> Result<PlatformState, Box<dyn Error>> {
    match drawn(robot, random, part) {
        Err(_) if part > 1e-4 => near(robot, random, part / 4.0),
        found => found,
    }
}

fn drawn(robot: &AnyRobot, random: &mut Random, part: f64) -> Result<PlatformState, Box<dyn Error>> {
    let home = robot.home();
    let mut state = home;
    let mut turn = [0.0; 3];
    for freedom in robot.freedoms() {
        let (k, value) = (freedom.component, part * random.uniform(-1.0, 1.0));
        if k < 3 {
            state.position[k] += value * robot.length();
        } else {
            turn[k - 3] = value;
        }
    }
    state.rotation = rotation::product(&rotation::from_rotation_vector(turn), &home.rotation);
    let mut state = robot.whole_pose(&state)?;
    robot.as_mechanism()?.inverse_kinematics(&state)?;
    for freedom in robot.freedoms() {
        state.twist[freedom.component] = random.uniform(-1.0, 1.0);
        state.acceleration[freedom.component] = random.uniform(-5.0, 5.0);
    }
    Ok(state)
}

fn states(robot: &AnyRobot) -> Result<Value, Box<dyn Error>> {
    let mut random = Random::new(7);
    let mut joints = JointStates::new(robot)?;
    let mut states = Vec::new();
    for _ in 0..STATES {
        let state = near(robot, &mut random, 0.04)?;
        let effort = if robot.has_masses() { Some(robot.inverse_dynamics(&state)?) } else { None };
        states.push(json!({
            "position": state.position, "rotation": state.rotation,
            "twist": state.twist, "acceleration": state.acceleration,
            "joints": joints.at(&state)?, "motors": robot.inverse_kinematics(&state)?.q, "effort": effort,
        }));
    }
    let mut swing = Value::Null;
    if robot.has_masses() {
        let start = near(robot, &mut random, 0.02)?;
        let start = PlatformState::at(start.position).turned(start.rotation);
        let hold: Vec<f64> = robot.gravity(&start)?.iter().map(|effort| 0.7 * effort).collect();
        let run = Simulation::new(robot, Efforts::Constant(hold.clone()))
            .starting_at(start)
            .lasting(SWING[2])
            .sampled_at(SWING.to_vec())
            .integrated_by(Integrator::Dopri5 { tolerance: 1e-12 })
            .run();
        if let Ok(run) = run {
            let seen = run.samples.iter().map(|sample| {
                json!({ "time": sample.time, "position": sample.platform.position,
                        "rotation": sample.platform.rotation, "twist": sample.platform.twist })
            });
            swing = json!({ "effort": hold, "joints": joints.at(&start)?, "seen": seen.collect::<Vec<_>>() });
        }
    }
    let freedoms: Vec<usize> = robot.freedoms().iter().map(|freedom| freedom.component).collect();
    Ok(
        json!({ "robot": robot.name(), "names": joints.names(), "freedoms": freedoms, "states": states, "swing": swing }),
    )
}
