//! Many states at once, on several threads.

use crate::border::{Output, Rows, apart, call, legwork_batch, marks, put};
use crate::message::Failure;
use crate::robot::{Robot, legwork_robot, with_robot};
use legwork::{Batch, RobotError, StateMark, StateRows};
use std::ffi::c_int;

/// Where the answers of a batch go, beside the lists themselves.
#[derive(Clone, Copy)]
struct Marks {
    list: *mut u8,
    length: usize,
    answered: *mut usize,
}

/// Asks about all states; each that has no answer is NaN and has its mark.
unsafe fn ask<const N: usize>(
    robot: *const legwork_robot,
    batch: *const legwork_batch,
    lists: [(&'static str, *mut f64, usize); N],
    out: Marks,
    threads: usize,
    widths: impl FnOnce(&Robot) -> [usize; N],
    call_of: impl FnOnce(
        &Batch<'_>,
        &StateRows<'_>,
        [&mut [f64]; N],
        &mut [StateMark],
    ) -> Result<usize, RobotError>,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            let ranges = lists.map(|(_, list, length)| (list.cast_const(), length));
            apart(&ranges)?;
            // SAFETY: the promise of the caller of this function, which is that of the header, here and below.
            let rows = unsafe { Rows::read(batch, &ranges) }?;
            let states = rows.states(&robot.schema)?;
            let mut kept = Vec::with_capacity(N);
            for ((what, list, length), width) in lists.into_iter().zip(widths(robot)) {
                // SAFETY: as above; `apart` has seen that they share no memory.
                kept.push(unsafe { Output::new(what, list, length, width * rows.count()) }?);
            }
            // SAFETY: as above.
            let seen = unsafe { marks(out.list, out.length, rows.count()) }?;
            let mut found = vec![StateMark::Other; rows.count()];
            let mut kept = kept.iter_mut();
            let mut next = || kept.next().map(Output::list).unwrap_or_default();
            let mut asked = robot.model.batch();
            if threads > 0 {
                asked = asked.on_threads(threads);
            }
            let answered = call_of(&asked, &states, std::array::from_fn(|_| next()), &mut found)?;
            if let Some(seen) = seen {
                seen.iter_mut().zip(&found).for_each(|(slot, mark)| *slot = *mark as u8);
            }
            if !out.answered.is_null() {
                // SAFETY: as above.
                unsafe { put("answered", out.answered, answered) }?;
            }
            Ok::<(), Failure>(())
        })
    })
}

/// Joint values at many poses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_batch_inverse_kinematics(
    robot: *const legwork_robot,
    batch: *const legwork_batch,
    q: *mut f64,
    q_length: usize,
    marks: *mut u8,
    marks_length: usize,
    answered: *mut usize,
    threads: usize,
) -> c_int {
    let out = Marks { list: marks, length: marks_length, answered };
    let widths = |robot: &Robot| [robot.sizes.joints];
    // SAFETY: "Pointers" of the header.
    unsafe {
        ask(robot, batch, [("q", q, q_length)], out, threads, widths, |batch, states, [q], marks| {
            batch.inverse_kinematics(states, q, marks)
        })
    }
}

/// Efforts of the motors for many motions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_batch_inverse_dynamics(
    robot: *const legwork_robot,
    batch: *const legwork_batch,
    efforts: *mut f64,
    efforts_length: usize,
    marks: *mut u8,
    marks_length: usize,
    answered: *mut usize,
    threads: usize,
) -> c_int {
    let (lists, out) =
        ([("efforts", efforts, efforts_length)], Marks { list: marks, length: marks_length, answered });
    let widths = |robot: &Robot| [robot.sizes.joints];
    // SAFETY: "Pointers" of the header.
    unsafe {
        ask(robot, batch, lists, out, threads, widths, |batch, states, [efforts], marks| {
            batch.inverse_dynamics(states, efforts, marks)
        })
    }
}

/// Accelerations of many states under efforts of the motors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_batch_forward_dynamics(
    robot: *const legwork_robot,
    batch: *const legwork_batch,
    efforts: *const f64,
    efforts_length: usize,
    platform: *mut f64,
    platform_length: usize,
    joint: *mut f64,
    joint_length: usize,
    marks: *mut u8,
    marks_length: usize,
    answered: *mut usize,
    threads: usize,
) -> c_int {
    let out = Marks { list: marks, length: marks_length, answered };
    let lists = [("platform", platform, platform_length), ("joint", joint, joint_length)];
    let widths = |robot: &Robot| [robot.sizes.freedoms, robot.sizes.joints];
    // SAFETY: "Pointers" of the header.
    let efforts = match unsafe {
        crate::border::many(
            "efforts",
            efforts,
            efforts_length,
            &[(platform.cast_const(), platform_length), (joint.cast_const(), joint_length)],
        )
    } {
        Ok(efforts) => efforts,
        Err(failure) => return call(|| Err(failure)),
    };
    // SAFETY: "Pointers" of the header.
    unsafe {
        ask(robot, batch, lists, out, threads, widths, |batch, states, [platform, joint], marks| {
            batch.forward_dynamics(states, efforts, platform, joint, marks)
        })
    }
}

/// Jacobians at many poses, and their condition numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_batch_jacobian(
    robot: *const legwork_robot,
    batch: *const legwork_batch,
    rows: *mut f64,
    rows_length: usize,
    conditions: *mut f64,
    conditions_length: usize,
    marks: *mut u8,
    marks_length: usize,
    answered: *mut usize,
    threads: usize,
) -> c_int {
    let out = Marks { list: marks, length: marks_length, answered };
    let lists = [("rows", rows, rows_length), ("conditions", conditions, conditions_length)];
    let widths = |robot: &Robot| [robot.sizes.freedoms * robot.sizes.joints, 1];
    // SAFETY: "Pointers" of the header.
    unsafe {
        ask(robot, batch, lists, out, threads, widths, |batch, states, [rows, conditions], marks| {
            batch.jacobian(states, rows, conditions, marks)
        })
    }
}
