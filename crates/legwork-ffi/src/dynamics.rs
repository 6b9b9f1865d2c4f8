//! Dynamics of a robot.

use crate::border::{Given, MOST, Output, State, apart, call, legwork_state, put};
use crate::message::Failure;
use crate::robot::{Robot, legwork_robot, with_robot};
use legwork::{AnyRobot, LegForce, PlatformState, RobotError};
use std::ffi::c_int;

/// One list about a state.
unsafe fn list(
    robot: *const legwork_robot,
    state: *const legwork_state,
    (what, list, length): (&'static str, *mut f64, usize),
    expected: impl FnOnce(&Robot) -> usize,
    ask: impl FnOnce(&AnyRobot, &PlatformState, &mut [f64]) -> Result<(), RobotError>,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            // SAFETY: the promise of the caller of this function, which is that of the header.
            let (state, mut list) =
                unsafe { (State::read(state)?, Output::new(what, list, length, expected(robot))?) };
            let state = state.of(&robot.schema)?;
            list.answer(|list| ask(&robot.model, &state, list))
        })
    })
}

/// Efforts of the motors for a motion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_inverse_dynamics(
    robot: *const legwork_robot,
    state: *const legwork_state,
    efforts: *mut f64,
    efforts_length: usize,
) -> c_int {
    // SAFETY: "Pointers" of the header.
    unsafe {
        let out = ("efforts", efforts, efforts_length);
        list(robot, state, out, |robot| robot.sizes.joints, AnyRobot::inverse_dynamics_into)
    }
}

/// Accelerations under efforts of the motors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_forward_dynamics(
    robot: *const legwork_robot,
    state: *const legwork_state,
    efforts: *const f64,
    efforts_length: usize,
    platform: *mut f64,
    platform_length: usize,
    joint: *mut f64,
    joint_length: usize,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            apart(&[(platform.cast_const(), platform_length), (joint.cast_const(), joint_length)])?;
            // SAFETY: "Pointers" of the header; the lists that are written are apart, the others are copied.
            let (state, efforts, mut platform, mut joint) = unsafe {
                (
                    State::read(state)?,
                    Given::new("efforts", efforts, efforts_length)?,
                    Output::new("platform", platform, platform_length, robot.sizes.freedoms)?,
                    Output::new("joint", joint, joint_length, robot.sizes.joints)?,
                )
            };
            let state = state.of(&robot.schema)?;
            let efforts = efforts.exactly("efforts", robot.sizes.joints)?;
            platform.answer(|platform| {
                joint.answer(|joint| robot.model.forward_dynamics_into(&state, efforts, platform, joint))
            })
        })
    })
}

/// The mass matrix at the joints, row by row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_mass_matrix(
    robot: *const legwork_robot,
    state: *const legwork_state,
    rows: *mut f64,
    rows_length: usize,
) -> c_int {
    // SAFETY: "Pointers" of the header.
    unsafe {
        let out = ("rows", rows, rows_length);
        list(robot, state, out, |robot| robot.sizes.joints.pow(2), AnyRobot::mass_matrix_into)
    }
}

/// The mass matrix that the platform feels in its freedoms, row by row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_platform_mass_matrix(
    robot: *const legwork_robot,
    state: *const legwork_state,
    rows: *mut f64,
    rows_length: usize,
) -> c_int {
    // SAFETY: "Pointers" of the header.
    unsafe {
        let out = ("rows", rows, rows_length);
        list(robot, state, out, |robot| robot.sizes.freedoms.pow(2), AnyRobot::platform_mass_matrix_into)
    }
}

/// Coriolis and centrifugal efforts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_coriolis(
    robot: *const legwork_robot,
    state: *const legwork_state,
    efforts: *mut f64,
    efforts_length: usize,
) -> c_int {
    // SAFETY: "Pointers" of the header.
    unsafe {
        let out = ("efforts", efforts, efforts_length);
        list(robot, state, out, |robot| robot.sizes.joints, AnyRobot::coriolis_into)
    }
}

/// Efforts that hold the robot at rest against its weight.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_gravity(
    robot: *const legwork_robot,
    state: *const legwork_state,
    efforts: *mut f64,
    efforts_length: usize,
) -> c_int {
    // SAFETY: "Pointers" of the header.
    unsafe {
        let out = ("efforts", efforts, efforts_length);
        list(robot, state, out, |robot| robot.sizes.joints, AnyRobot::gravity_into)
    }
}

/// Kinetic and potential energy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_energies(
    robot: *const legwork_robot,
    state: *const legwork_state,
    kinetic: *mut f64,
    potential: *mut f64,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            // SAFETY: "Pointers" of the header.
            let state = unsafe { State::read(state) }?.of(&robot.schema)?;
            let found = robot.model.energies(&state)?;
            // SAFETY: "Pointers" of the header.
            unsafe {
                put("kinetic", kinetic, found.kinetic)?;
                put("potential", potential, found.potential)
            }
        })
    })
}

/// What each leg does to the platform.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_leg_forces(
    robot: *const legwork_robot,
    state: *const legwork_state,
    forces: *mut f64,
    forces_length: usize,
    axial: *mut f64,
    axial_length: usize,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            apart(&[(forces.cast_const(), forces_length), (axial.cast_const(), axial_length)])?;
            let legs = robot.sizes.legs;
            // SAFETY: "Pointers" of the header; the lists are apart.
            let (state, mut forces, mut axial) = unsafe {
                (
                    State::read(state)?,
                    Output::new("forces", forces, forces_length, 3 * legs)?,
                    Output::new("axial", axial, axial_length, legs)?,
                )
            };
            let state = state.of(&robot.schema)?;
            // Room for the legs of any robot but one of very many.
            let mut room = [LegForce::default(); MOST];
            let mut many = Vec::new();
            let found = if legs <= MOST {
                room.get_mut(..legs).unwrap_or_default()
            } else {
                many.resize(legs, LegForce::default());
                &mut many
            };
            robot.model.leg_forces_into(&state, found)?;
            for (row, leg) in forces.list().chunks_exact_mut(3).zip(found.iter()) {
                row.copy_from_slice(&leg.force);
            }
            axial.list().iter_mut().zip(found.iter()).for_each(|(slot, leg)| *slot = leg.axial);
            Ok::<(), Failure>(())
        })
    })
}
