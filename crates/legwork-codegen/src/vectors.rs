//! Vectors for the self-tests: states about home at which every answer means something.

use crate::program::Function;
use crate::record::Subject;
use crate::request::Quantity;
use legwork::random::Random;

/// Inputs, and the outputs for them.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// Numbers of all groups.
    pub inputs: Vec<f64>,
    /// Numbers of all groups.
    pub outputs: Vec<f64>,
}

/// How far states are from home: in sizes of the robot, and in radians.
const FARTHEST: f64 = 0.25;

/// `count` states of a function; fewer if the robot answers at fewer.
pub(crate) fn vectors(subject: &Subject, function: &Function, count: usize, seed: u64) -> Vec<Vector> {
    let mut random = Random::new(seed);
    let asked = crate::record::Asked::default();
    let needs = |name: &str| function.inputs.iter().any(|group| group.name == name);
    let inverse = if needs("q") || needs("joints") || needs("measured_q") || needs("coordinates") {
        subject.record(Quantity::InverseKinematics, &asked)
    } else {
        None
    };
    let mut found = Vec::new();
    // Nearer to home after every state that is refused, and far again after one that is not.
    let mut spread = FARTHEST;
    for _ in 0..60 * count {
        if found.len() == count {
            break;
        }
        spread *= 0.9;
        let Some(inputs) = state(subject, function, inverse.as_ref(), spread, &mut random) else { continue };
        let outputs = function.evaluate(&inputs);
        let margin = function.output_place("margin").map_or(1.0, |place| outputs[place]);
        if margin > 1e-3 && outputs.iter().all(|x| x.is_finite()) {
            found.push(Vector { inputs, outputs });
            spread = FARTHEST;
        }
    }
    found
}

/// Inputs of a function at a random state, `None` if the robot does not reach it.
fn state(
    subject: &Subject,
    function: &Function,
    inverse: Option<&Function>,
    spread: f64,
    random: &mut Random,
) -> Option<Vec<f64>> {
    let pose = subject.scattered(spread, random);
    let home = subject.scattered(0.0, random);
    // The motors, joints and coordinates at the pose.
    let mut there: Vec<(&'static str, Vec<f64>)> = Vec::new();
    if let Some(inverse) = inverse {
        let start = subject.start();
        let inputs: Vec<f64> = inverse
            .inputs
            .iter()
            .flat_map(|group| {
                part(&pose, group.name).or_else(|| part(&start, group.name)).unwrap_or_default()
            })
            .collect();
        if inputs.len() != inverse.input_count() {
            return None;
        }
        let outputs = inverse.evaluate(&inputs);
        let margin = outputs[inverse.output_place("margin")?];
        if margin.is_nan() || margin <= 1e-3 {
            return None;
        }
        let mut at = 0;
        for group in &inverse.outputs {
            let name = if group.name == "q_there" { "q" } else { group.name };
            there.push((name, outputs[at..at + group.count()].to_vec()));
            at += group.count();
        }
    }
    let searches = function.iteration.is_some() || !function.before.is_empty();
    let by_motors = function.inputs.first().is_some_and(|group| group.name == "q");
    let mut inputs = Vec::new();
    for group in function.arguments() {
        let count = group.count();
        let mut some = |size: f64| -> Vec<f64> { (0..count).map(|_| random.uniform(-size, size)).collect() };
        let own = match group.name {
            // A search by motors begins at home.
            "position" | "rotation" | "angle" if searches && by_motors => part(&home, group.name)?,
            "position" | "rotation" | "angle" => part(&pose, group.name)?,
            "seen_position" | "seen_rotation" | "seen_angle" => part(&pose, own_name(group.name))?,
            "seen_joints" | "seen_coordinates" => part(&subject.start(), own_name(group.name))?,
            "joints" | "coordinates" if searches => part(&subject.start(), group.name)?,
            "joints" | "coordinates" | "q" => part(&there, group.name)?,
            // Not so near that the difference is rounding.
            "measured_q" => {
                let off =
                    |random: &mut Random| random.uniform(5e-4, 1e-3) * random.uniform(-1.0, 1.0).signum();
                part(&there, "q")?.iter().map(|q| q + off(random)).collect()
            }
            "velocity" | "qd" | "measured_qd" => some(0.5),
            "acceleration" | "qdd" => some(5.0),
            "torque" | "effort" | "force" | "wrench" => some(20.0),
            "gravity" => vec![0.3, -0.2, -9.81],
            "kp" => vec![200.0; count],
            "kd" => vec![5.0; count],
            "effort_limit" => vec![1e4; count],
            "rate_limit" => vec![1e8; count],
            "low" => vec![-50.0; count],
            "high" => vec![50.0; count],
            "speed_limit" => vec![100.0; count],
            "reading" => vec![1e-4; count],
            "tracking" => vec![0.5; count],
            "dt" => vec![1e-3],
            "interval" => vec![2e-3],
            "least_margin" => vec![1e-6],
            "ramp" => vec![0.2],
            "state" => vec![0.0; count],
            _ => (0..count).map(|_| random.uniform(0.1, 1.0)).collect(),
        };
        if own.len() != count {
            return None;
        }
        inputs.extend(own);
    }
    Some(inputs)
}

/// The name without that it is measured.
fn own_name(name: &str) -> &str {
    name.strip_prefix("seen_").unwrap_or(name)
}

/// The numbers of a name in a list.
fn part(list: &[(&'static str, Vec<f64>)], name: &str) -> Option<Vec<f64>> {
    list.iter().find(|(own, _)| *own == name).map(|(_, numbers)| numbers.clone())
}
