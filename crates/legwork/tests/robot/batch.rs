//! A batch gives each state what a call for it alone gives, to the bit, whatever the number of threads.

use crate::robot_support::{Seeded, some_state};
use legwork::coordinates::{CoordinateSchema, Group, StateRow, VELOCITY, WRENCH};
use legwork::description::BUILT_IN;
use legwork::{AnyRobot, PlatformState, PlatformStates, RobotError, RowList, StateMark, StateRows};

/// States in lists.
#[derive(Default)]
struct Lists {
    positions: Vec<f64>,
    rotations: Vec<f64>,
    twists: Vec<f64>,
    accelerations: Vec<f64>,
    wrenches: Vec<f64>,
}

impl Lists {
    fn of(states: &[PlatformState]) -> Self {
        let mut lists = Self::default();
        for state in states {
            lists.positions.extend(state.position);
            lists.rotations.extend(state.rotation.as_flattened());
            lists.twists.extend(state.twist);
            lists.accelerations.extend(state.acceleration);
            lists.wrenches.extend(state.wrench);
        }
        lists
    }

    fn states(&self) -> PlatformStates<'_> {
        PlatformStates::at(&self.positions)
            .turned(&self.rotations)
            .moving(&self.twists, &self.accelerations)
            .with_wrenches(&self.wrenches)
    }
}

/// Every seventh state is one that some robots refuse.
fn states(robot: &AnyRobot, count: usize) -> Vec<PlatformState> {
    let mut random = Seeded(count as u64);
    let spoil = |number: usize, state: &mut PlatformState| match number / 7 % 8 {
        0 => state.position[1] = f64::NAN,
        1 => state.position[2] += 50.0,
        2 => state.rotation[0] = [1.0, 0.1, 0.0],
        3 => state.twist[5] = f64::INFINITY,
        4 => state.twist[4] = 1.0,
        5 => state.acceleration[2] = 1.0,
        6 => state.wrench[3] = f64::NAN,
        _ => state.rotation = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    };
    (0..count)
        .map(|number| {
            let mut state = some_state(robot, &mut random);
            if number % 7 == 3 {
                spoil(number, &mut state);
            }
            state
        })
        .collect()
}

/// Holds the lists of a batch against the calls for single states.
fn check(
    what: &str,
    widths: &[usize],
    lists: &[&[f64]],
    marks: &[StateMark],
    single: impl Fn(usize) -> Result<Vec<Vec<f64>>, RobotError>,
) -> usize {
    let mut answered = 0;
    for (number, mark) in marks.iter().enumerate() {
        let alone = single(number);
        let expected_mark = alone.as_ref().map_or_else(RobotError::mark, |_| StateMark::Answered);
        assert_eq!(*mark, expected_mark, "{what}, state {number}: {alone:?}");
        answered += usize::from(alone.is_ok());
        for (k, (list, width)) in lists.iter().zip(widths).enumerate() {
            let found = &list[number * width..(number + 1) * width];
            match &alone {
                Ok(lists) => {
                    let bits = |list: &[f64]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    assert_eq!(bits(found), bits(&lists[k]), "{what}, state {number}: {found:?} {lists:?}");
                }
                Err(_) => assert!(found.iter().all(|x| x.is_nan()), "{what}, state {number}: {found:?}"),
            }
        }
    }
    answered
}

/// Rows of the numbers that a robot can have are the states that they stand for, whichever of them are the same for all.
#[test]
fn rows_give_what_their_states_give() {
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        let schema = CoordinateSchema::of(&robot);
        let count = if robot.is_followed() { 3 } else { 2 * 32 + 5 };
        let mut random = Seeded(7);
        let states: Vec<PlatformState> = (0..count).map(|_| some_state(&robot, &mut random)).collect();
        let width = |groups: &[Group], halves: usize| -> usize {
            groups[..halves].iter().map(|group| schema.group(*group).names.len()).sum()
        };
        let poses: Vec<f64> = states.iter().flat_map(|state| schema.coordinates_of(state)).collect();
        for halves in [1, 2] {
            let (v, w) = (width(VELOCITY, halves), width(WRENCH, halves));
            let velocities: Vec<f64> = (0..count * v).map(|_| random.uniform(0.5)).collect();
            let wrench: Vec<f64> = (0..w).map(|_| random.uniform(2.0)).collect();
            let rows = StateRows {
                layout: schema.row_layout(poses.len() / count, Some(v), None, Some(w)).unwrap(),
                count,
                poses: RowList::Each(&poses),
                velocities: Some(RowList::Each(&velocities)),
                accelerations: None,
                wrenches: Some(RowList::Same(&wrench)),
            };
            let joints = robot.joints().len();
            let (mut found, mut marks) = (vec![7.0; count * joints], vec![StateMark::Other; count]);
            let row = |i: usize| {
                let row = StateRow {
                    pose: &poses[i * (poses.len() / count)..(i + 1) * (poses.len() / count)],
                    velocity: Some(&velocities[i * v..(i + 1) * v]),
                    acceleration: None,
                    wrench: Some(&wrench),
                };
                schema.state_of_row(&row).unwrap()
            };
            let name = format!("{} with {halves} halves", robot.name());
            for i in [0, count / 2, count - 1] {
                assert_eq!(rows.get(i), row(i), "{name}");
            }
            let answered = robot.batch().inverse_kinematics(&rows, &mut found, &mut marks).unwrap();
            let alone = |i: usize| robot.inverse_kinematics(&row(i)).map(|found| vec![found.q]);
            assert_eq!(answered, check(&name, &[joints], &[&found], &marks, alone));
            if robot.has_masses() {
                let answered = robot.batch().inverse_dynamics(&rows, &mut found, &mut marks).unwrap();
                let alone = |i: usize| robot.inverse_dynamics(&row(i)).map(|found| vec![found]);
                assert_eq!(answered, check(&name, &[joints], &[&found], &marks, alone));
            }
            let short = StateRows { poses: RowList::Each(&poses[1..]), ..rows };
            assert!(robot.batch().inverse_kinematics(&short, &mut found, &mut marks).is_err());
        }
    }
}

fn compare(robot: &AnyRobot, count: usize, threads: usize) {
    let name = format!("{} with {count} states on {threads} threads", robot.name());
    let states = states(robot, count);
    let lists = Lists::of(&states);
    let batch = robot.batch().on_threads(threads);
    let (joints, freedoms) = (robot.joints().len(), robot.freedoms().len());
    let mut marks = vec![StateMark::Other; count];

    let mut q = vec![7.0; count * joints];
    let answered = batch.inverse_kinematics(&lists.states(), &mut q, &mut marks).unwrap();
    let alone = |i: usize| robot.inverse_kinematics(&states[i]).map(|found| vec![found.q]);
    assert_eq!(answered, check(&format!("{name}: joints"), &[joints], &[&q], &marks, alone));
    assert!(answered * 2 > count, "{name}: {answered}");

    let (mut jacobians, mut conditions) = (vec![7.0; count * joints * freedoms], vec![7.0; count]);
    let answered = batch.jacobian(&lists.states(), &mut jacobians, &mut conditions, &mut marks).unwrap();
    let alone = |i: usize| {
        let condition = robot.singularity(&states[i])?.condition;
        Ok(vec![robot.jacobian(&states[i])?.concat(), vec![condition]])
    };
    let widths = [joints * freedoms, 1];
    let found: [&[f64]; 2] = [&jacobians, &conditions];
    assert_eq!(answered, check(&format!("{name}: Jacobian"), &widths, &found, &marks, alone));

    let mut efforts = vec![7.0; count * joints];
    if !robot.has_masses() {
        assert!(batch.inverse_dynamics(&lists.states(), &mut efforts, &mut marks).is_err());
        return;
    }
    let answered = batch.inverse_dynamics(&lists.states(), &mut efforts, &mut marks).unwrap();
    let alone = |i: usize| robot.inverse_dynamics(&states[i]).map(|found| vec![found]);
    assert_eq!(answered, check(&format!("{name}: efforts"), &[joints], &[&efforts], &marks, alone));

    // Efforts of states without an answer are NaN: these are refused again.
    let (mut platform, mut qdd) = (vec![7.0; count * freedoms], vec![7.0; count * joints]);
    let answered =
        batch.forward_dynamics(&lists.states(), &efforts, &mut platform, &mut qdd, &mut marks).unwrap();
    let alone = |i: usize| {
        let found = robot.forward_dynamics(&states[i], &efforts[i * joints..(i + 1) * joints])?;
        Ok(vec![found.platform, found.joint])
    };
    let found: [&[f64]; 2] = [&platform, &qdd];
    assert_eq!(
        answered,
        check(&format!("{name}: accelerations"), &[freedoms, joints], &found, &marks, alone)
    );
}

#[test]
fn a_batch_is_its_states_one_by_one() {
    for entry in BUILT_IN {
        let robot = AnyRobot::open(entry.name).unwrap();
        compare(&robot, 70, 1);
        compare(&robot, 100, 2);
    }
    for name in ["delta-industrial", "gough-stewart", "five-bar"] {
        let robot = AnyRobot::open(name).unwrap();
        for (count, threads) in [(1, 0), (31, 0), (32, 3), (33, 3), (5000, 0), (4999, 3)] {
            compare(&robot, count, threads);
        }
    }
}

#[test]
fn lists_of_the_wrong_length_are_refused() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let positions = [0.0, 0.0, -0.8, 0.0, 0.0, -0.9];
    let (mut efforts, mut marks) = ([0.0; 6], [StateMark::Answered; 2]);
    let ask = |states: PlatformStates<'_>, efforts: &mut [f64], marks: &mut [StateMark]| {
        robot.batch().inverse_dynamics(&states, efforts, marks).map_err(|error| error.to_string())
    };
    let states = PlatformStates::at(&positions);
    assert_eq!(ask(states, &mut efforts, &mut marks), Ok(2));
    let error = ask(states, &mut efforts[..5], &mut marks).unwrap_err();
    assert_eq!(error, "efforts: 6 numbers expected, 5 given");
    let error = ask(states, &mut efforts, &mut marks[..1]).unwrap_err();
    assert_eq!(error, "marks: 2 numbers expected, 1 given");
    let error = ask(states.turned(&[1.0; 9]), &mut efforts, &mut marks).unwrap_err();
    assert_eq!(error, "rotations: 18 numbers expected, 9 given");
    let none = PlatformStates::at(&[]);
    assert_eq!(ask(none, &mut [], &mut []), Ok(0));
}
