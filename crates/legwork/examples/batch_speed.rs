//! Nanoseconds per state of a batch on one thread, for robots opened by name: the best of many rounds.
//! `ci/batch_speed.sh` runs an ordinary build and one for x86-64-v3 in turn and compares them.
//!
//! With the name of a question and a number of rounds it asks only that: for counting instructions.

use legwork::{AnyRobot, PlatformStates, RobotError, StateMark, rotation_from_roll_pitch_yaw};
use std::hint::black_box;
use std::time::Instant;

const STATES: usize = 1024;

struct Lists {
    positions: Vec<f64>,
    rotations: Vec<f64>,
    twists: Vec<f64>,
    accelerations: Vec<f64>,
}

/// States about home, the same on every machine.
fn lists(robot: &AnyRobot) -> Lists {
    let home = robot.home();
    let turns = robot.freedoms().len() == 6;
    let wave = |k: usize, i: usize| ((1 + k) as f64 * i as f64 * 0.37).sin();
    let (mut positions, mut rotations, mut twists, mut accelerations) = (vec![], vec![], vec![], vec![]);
    for i in 0..STATES {
        positions.extend((0..3).map(|k| home.position[k] + 0.05 * wave(k, i)));
        let angles = if turns { [0, 1, 2].map(|k| 0.1 * wave(k + 3, i)) } else { [0.0; 3] };
        rotations.extend(rotation_from_roll_pitch_yaw(angles).as_flattened());
        let moves = |k: usize| if k < 3 || turns { 1.0 } else { 0.0 };
        twists.extend((0..6).map(|k| moves(k) * wave(k + 6, i)));
        accelerations.extend((0..6).map(|k| 10.0 * moves(k) * wave(k + 12, i)));
    }
    Lists { positions, rotations, twists, accelerations }
}

/// A question to a robot about all its states.
struct Question {
    name: &'static str,
    robot: AnyRobot,
    lists: Lists,
    efforts: Vec<f64>,
}

impl Question {
    fn new(name: &'static str, robot: &str) -> Result<Self, RobotError> {
        let robot = AnyRobot::open(robot)?;
        let lists = lists(&robot);
        let mut question = Self { name, efforts: vec![0.0; STATES * robot.joints().len()], robot, lists };
        let mut efforts = question.efforts.clone();
        let states = question.states();
        question.robot.batch().inverse_dynamics(&states, &mut efforts, &mut [StateMark::Other; STATES])?;
        question.efforts = efforts;
        Ok(question)
    }

    fn states(&self) -> PlatformStates<'_> {
        let Lists { positions, rotations, twists, accelerations } = &self.lists;
        let states = PlatformStates::at(positions).moving(twists, accelerations);
        if self.robot.freedoms().len() == 6 { states.turned(rotations) } else { states }
    }

    /// One round over all states; returns how many have an answer.
    fn ask(&self, room: &mut Room) -> Result<usize, RobotError> {
        let (states, batch) = (black_box(self.states()), self.robot.batch().on_threads(1));
        let (joints, freedoms) = (self.robot.joints().len(), self.robot.freedoms().len());
        let (one, two) = (&mut room.one[..STATES * joints], &mut room.two[..STATES * freedoms]);
        match self.name.split_once('_').map(|(_, what)| what) {
            Some("joints") => batch.inverse_kinematics(&states, one, &mut room.marks),
            Some("forward") => batch.forward_dynamics(&states, &self.efforts, two, one, &mut room.marks),
            _ => batch.inverse_dynamics(&states, one, &mut room.marks),
        }
    }
}

/// Where the answers go.
struct Room {
    one: Vec<f64>,
    two: Vec<f64>,
    marks: Vec<StateMark>,
}

fn main() -> Result<(), RobotError> {
    let questions = [
        ("delta_joints", "delta-industrial"),
        ("delta_inverse", "delta-industrial"),
        ("delta_forward", "delta-industrial"),
        ("hexapod_joints", "gough-stewart"),
        ("hexapod_inverse", "gough-stewart"),
        ("hexapod_forward", "gough-stewart"),
    ];
    let mut room = Room {
        one: vec![0.0; STATES * 6],
        two: vec![0.0; STATES * 6],
        marks: vec![StateMark::Other; STATES],
    };
    let only = std::env::args().nth(1);
    let rounds: usize = std::env::args().nth(2).and_then(|text| text.parse().ok()).unwrap_or(100);
    for (name, robot) in questions {
        let question = Question::new(name, robot)?;
        if let Some(only) = &only {
            if only == name {
                for _ in 0..rounds {
                    black_box(question.ask(&mut room)?);
                }
            }
            continue;
        }
        let mut best = f64::INFINITY;
        for _ in 0..rounds {
            let start = Instant::now();
            let answered = black_box(question.ask(&mut room)?);
            best = legwork_testkit::nan_min(best, start.elapsed().as_secs_f64());
            assert_eq!(answered, STATES, "{name}");
        }
        println!("{name} {:.2}", best / STATES as f64 * 1e9);
    }
    Ok(())
}
