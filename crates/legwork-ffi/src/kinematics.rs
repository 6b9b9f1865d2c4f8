//! Kinematics of a robot.

use crate::border::{Given, Output, State, apart, call, legwork_state, put};
use crate::codes::Code;
use crate::message::Failure;
use crate::robot::{Robot, legwork_robot, with_robot};
use legwork::PlatformState;
use legwork::coordinates::StateRow;
use std::ffi::{c_char, c_int};

/// Joint values at a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_inverse_kinematics(
    robot: *const legwork_robot,
    state: *const legwork_state,
    q: *mut f64,
    q_length: usize,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            // SAFETY: "Pointers" of the header.
            let (state, mut q) =
                unsafe { (State::read(state)?, Output::new("q", q, q_length, robot.sizes.joints)?) };
            let state = state.of(&robot.schema)?;
            q.answer(|q| robot.model.inverse_kinematics_into(&state, q))
        })
    })
}

/// Joint values, speeds and accelerations for a motion of the platform.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_joint_motion(
    robot: *const legwork_robot,
    state: *const legwork_state,
    q: *mut f64,
    qd: *mut f64,
    qdd: *mut f64,
    joints: usize,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            apart(&[q, qd, qdd].map(|list| (list.cast_const(), joints)))?;
            let expected = robot.sizes.joints;
            // SAFETY: "Pointers" of the header; the lists are apart.
            let (state, mut q, mut qd, mut qdd) = unsafe {
                (
                    State::read(state)?,
                    Output::new("q", q, joints, expected)?,
                    Output::new("qd", qd, joints, expected)?,
                    Output::new("qdd", qdd, joints, expected)?,
                )
            };
            let state = state.of(&robot.schema)?;
            q.answer(|q| {
                qd.answer(|qd| qdd.answer(|qdd| robot.model.joints_from_platform_into(&state, q, qd, qdd)))
            })
        })
    })
}

/// The pose at which the joints are at q.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_forward_kinematics(
    robot: *const legwork_robot,
    q: *const f64,
    q_length: usize,
    near_pose: *const f64,
    near_length: usize,
    pose: *mut f64,
    pose_length: usize,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            // SAFETY: "Pointers" of the header; `q` and `near` are copied, so `pose` may be where they are.
            let (q, near, mut pose) = unsafe {
                (
                    Given::new("q", q, q_length)?,
                    Given::optional("near_pose", near_pose, near_length)?,
                    Output::new("pose", pose, pose_length, robot.sizes.coordinates)?,
                )
            };
            let mut place = start(robot, near.as_ref())?;
            let q = q.exactly("q", robot.sizes.joints)?;
            pose.answer(|pose| {
                robot.model.forward_kinematics_into(q, &mut place)?;
                robot.schema.coordinates_into(&place, pose);
                Ok::<(), Failure>(())
            })
        })
    })
}

/// Where forward kinematics begins: a pose, or home.
fn start(robot: &Robot, near: Option<&Given>) -> Result<PlatformState, Failure> {
    Ok(match near {
        Some(near) => robot.schema.state_of_row(&StateRow { pose: near.list(), ..StateRow::default() })?,
        None => robot.model.home(),
    })
}

/// Solutions row by row, their names line by line, and how many they are.
unsafe fn all_solutions(
    (rows, rows_length, width): (*mut f64, usize, usize),
    (modes, modes_length): (*mut c_char, usize),
    count: *mut usize,
    solutions: &[(Vec<f64>, String)],
) -> Result<(), Failure> {
    // SAFETY: the promise of the caller of this function, which is that of the header; here and below.
    unsafe { put("count", count, solutions.len()) }?;
    let names: Vec<&str> = solutions.iter().map(|(_, mode)| mode.as_str()).collect();
    // SAFETY: as above.
    unsafe { Output::text(modes, modes_length, &names.join("\n")) };
    let needed = solutions.len() * width;
    if rows.is_null() && rows_length == 0 {
        return Ok(());
    }
    if rows_length < needed {
        let (found, room) = (solutions.len(), rows_length.checked_div(width).unwrap_or(0));
        let text =
            format!("there are {found} solutions, and there is room for {room}: {needed} numbers are needed");
        return Err(Failure::Text(Code::Length, text));
    }
    // SAFETY: as above.
    let mut rows = unsafe { Output::new("rows", rows, rows_length, rows_length) }?;
    let found = solutions.iter().flat_map(|(row, _)| row);
    rows.list().iter_mut().zip(found).for_each(|(slot, value)| *slot = *value);
    Ok(())
}

/// Every inverse-kinematic solution.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_all_inverse_kinematics(
    robot: *const legwork_robot,
    state: *const legwork_state,
    rows: *mut f64,
    rows_length: usize,
    modes: *mut c_char,
    modes_length: usize,
    count: *mut usize,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            // SAFETY: "Pointers" of the header.
            let state = unsafe { State::read(state) }?.of(&robot.schema)?;
            let found = robot.model.all_inverse_kinematics(&state)?;
            let found: Vec<_> = found.into_iter().map(|it| (it.q, it.mode)).collect();
            // SAFETY: "Pointers" of the header.
            unsafe {
                all_solutions((rows, rows_length, robot.sizes.joints), (modes, modes_length), count, &found)
            }
        })
    })
}

/// Every forward-kinematic solution in the robot's working mode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_all_forward_kinematics(
    robot: *const legwork_robot,
    q: *const f64,
    q_length: usize,
    rows: *mut f64,
    rows_length: usize,
    modes: *mut c_char,
    modes_length: usize,
    count: *mut usize,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            // SAFETY: "Pointers" of the header.
            let q = unsafe { Given::new("q", q, q_length) }?;
            let found = robot.model.all_forward_kinematics(q.exactly("q", robot.sizes.joints)?)?;
            let pose = |it: legwork::PlatformSolution| {
                let place = PlatformState::at(it.position).turned(it.rotation);
                (robot.schema.coordinates_of(&place), it.mode)
            };
            let found: Vec<_> = found.into_iter().map(pose).collect();
            // SAFETY: "Pointers" of the header.
            unsafe {
                all_solutions(
                    (rows, rows_length, robot.sizes.coordinates),
                    (modes, modes_length),
                    count,
                    &found,
                )
            }
        })
    })
}

/// The Jacobian J in V = J q̇, row by row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_jacobian(
    robot: *const legwork_robot,
    state: *const legwork_state,
    rows: *mut f64,
    rows_length: usize,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            let expected = robot.sizes.freedoms * robot.sizes.joints;
            // SAFETY: "Pointers" of the header.
            let (state, mut rows) =
                unsafe { (State::read(state)?, Output::new("rows", rows, rows_length, expected)?) };
            let state = state.of(&robot.schema)?;
            rows.answer(|rows| robot.model.jacobian_into(&state, rows))
        })
    })
}

/// How far a pose is from singularities.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_singularity(
    robot: *const legwork_robot,
    state: *const legwork_state,
    serial: *mut f64,
    parallel: *mut f64,
    condition: *mut f64,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            // SAFETY: "Pointers" of the header.
            let state = unsafe { State::read(state) }?.of(&robot.schema)?;
            let found = robot.model.singularity(&state)?;
            let worst = found.serial.iter().copied().fold(f64::INFINITY, f64::min);
            // SAFETY: "Pointers" of the header.
            unsafe {
                put("serial", serial, worst)?;
                put("parallel", parallel, found.parallel)?;
                put("condition", condition, found.condition)
            }
        })
    })
}
