//! Calls that the header marks [real time] allocate nothing once their handle is made, counted.
#![allow(clippy::undocumented_unsafe_blocks)] // each call has lists of the lengths that it says

use assert_no_alloc::{AllocDisabler, assert_no_alloc, violation_count};
use legwork_c::dynamics::*;
use legwork_c::kinematics::*;
use legwork_c::regulator::*;
use legwork_c::robot::*;
use legwork_c::{Code, legwork_built_in, legwork_state};
use std::ffi::{CStr, CString};
use std::ptr::{null, null_mut};

#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

fn state(pose: &[f64], velocity: &[f64], acceleration: &[f64]) -> legwork_state {
    legwork_state {
        pose: pose.as_ptr(),
        pose_length: pose.len(),
        velocity: velocity.as_ptr(),
        velocity_length: velocity.len(),
        acceleration: acceleration.as_ptr(),
        acceleration_length: acceleration.len(),
        wrench: null(),
        wrench_length: 0,
    }
}

/// Every real-time call of one robot: the codes.
fn calls(
    robot: *const legwork_robot,
    at: &legwork_state,
    sizes: legwork_sizes,
    room: &mut [Vec<f64>; 4],
) -> [i32; 12] {
    let legwork_sizes { joints, freedoms, coordinates, legs } = sizes;
    let [a, b, c, matrix] = room;
    let [a, b, c, matrix] = [a.as_mut_ptr(), b.as_mut_ptr(), c.as_mut_ptr(), matrix.as_mut_ptr()];
    unsafe {
        let dynamics = [
            legwork_inverse_dynamics(robot, at, b, joints),
            legwork_forward_dynamics(robot, at, b, joints, a, freedoms, c, joints),
            legwork_mass_matrix(robot, at, matrix, joints * joints),
            legwork_platform_mass_matrix(robot, at, matrix, freedoms * freedoms),
            legwork_coriolis(robot, at, a, joints),
            legwork_gravity(robot, at, a, joints),
            legwork_energies(robot, at, a, b),
            legwork_leg_forces(robot, at, matrix, 3 * legs, a, legs),
        ];
        let kinematics = [
            legwork_joint_motion(robot, at, a, b, c, joints),
            legwork_jacobian(robot, at, matrix, freedoms * joints),
            legwork_forward_kinematics(robot, a, joints, null(), 0, matrix, coordinates),
            legwork_inverse_kinematics(robot, at, a, joints),
        ];
        let mut all = [0; 12];
        all[..8].copy_from_slice(&dynamics);
        all[8..].copy_from_slice(&kinematics);
        all
    }
}

/// One test, because the count belongs to the whole process.
#[test]
fn real_time_calls_allocate_nothing() {
    let names = (0..).map_while(|number| {
        let name = legwork_built_in(number);
        (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_owned())
    });
    let mut asked = 0;
    for name in names {
        let mut robot = null_mut();
        assert_eq!(unsafe { legwork_robot_open(name.as_ptr(), &raw mut robot) }, 0);
        let mut sizes = legwork_sizes::default();
        assert_eq!(unsafe { legwork_robot_sizes(robot, &raw mut sizes) }, 0);
        // A robot without masses refuses with its name, which is a text.
        if legwork_has_masses(robot) == 1 {
            let mut pose = vec![0.0; sizes.coordinates];
            assert_eq!(unsafe { legwork_home(robot, pose.as_mut_ptr(), pose.len()) }, 0);
            let (velocity, acceleration) = (vec![0.1; sizes.freedoms], vec![1.0; sizes.freedoms]);
            let at = state(&pose, &velocity, &acceleration);
            let most = sizes.joints + sizes.freedoms + sizes.legs + 6;
            let mut room = [vec![0.0; most], vec![0.0; most], vec![0.0; most], vec![0.0; 3 * most * most]];
            let before = violation_count();
            let codes = assert_no_alloc(|| calls(robot, &at, sizes, &mut room));
            assert_eq!(violation_count(), before, "{name:?} allocated");
            assert_eq!(codes, [0; 12], "{name:?}");
            asked += 1;
        }
        assert_eq!(legwork_robot_free(robot), 0);
    }
    assert!(asked > 10, "{asked}");
    refusals_allocate_nothing();
    regulators_allocate_nothing();
    let before = violation_count();
    let boxed = assert_no_alloc(|| std::hint::black_box(Box::new(1.0)));
    assert!(violation_count() > before, "{boxed}");
}

/// Out of reach and NaN, of a Delta and of a robot of the general engine.
fn refusals_allocate_nothing() {
    for (name, far) in [(c"delta-industrial", vec![0.0, 0.0, -9.0]), (c"five-bar", vec![9.0, 9.0])] {
        let mut robot = null_mut();
        assert_eq!(unsafe { legwork_robot_open(name.as_ptr(), &raw mut robot) }, 0);
        let mut sizes = legwork_sizes::default();
        assert_eq!(unsafe { legwork_robot_sizes(robot, &raw mut sizes) }, 0);
        let no_number = vec![f64::NAN; far.len()];
        let mut q = vec![0.0; sizes.joints];
        let (out, nan) = (state(&far, &[], &[]), state(&no_number, &[], &[]));
        let ask = |at: &legwork_state, q: &mut Vec<f64>| unsafe {
            let at = legwork_state { velocity: null(), acceleration: null(), ..*at };
            legwork_inverse_kinematics(robot, &raw const at, q.as_mut_ptr(), q.len())
        };
        let before = violation_count();
        let codes = assert_no_alloc(|| [ask(&out, &mut q), ask(&nan, &mut q)]);
        assert_eq!(violation_count(), before, "{name:?} allocated");
        assert_eq!(codes, [Code::Unreachable as i32, Code::NotFinite as i32], "{name:?}");
        assert!(q.iter().all(|q| q.is_nan()));
        assert_eq!(legwork_robot_free(robot), 0);
    }
}

/// Samples of regulators along a motion and of ones with targets, a bad one among them: of a Delta, a hexapod, legs without a
/// closed form and a mechanism.
fn regulators_allocate_nothing() {
    for robot in ["delta-direct-drive", "gough-stewart", "custom-five-bar", "3-rps"] {
        for regulator in ["pid", "model-shifted", "computed-torque", "platform"] {
            for is_live in [false, true] {
                let request = format!(
                    r#"{{"task": "follow", "robot": "{robot}", "controller":
                        {{"regulators": ["{regulator}"], "frequency": 10, "exact_derivatives": true}}}}"#
                );
                regulator_allocates_nothing(&request, is_live);
            }
        }
    }
}

fn regulator_allocates_nothing(request: &str, is_live: bool) {
    let text = CString::new(request).expect("no zero");
    let (text, length) = (text.as_ptr(), request.len());
    let mut regulator = null_mut();
    let made = unsafe {
        if is_live {
            legwork_regulator_live(text, length, &raw mut regulator)
        } else {
            legwork_regulator_new(text, length, &raw mut regulator)
        }
    };
    assert_eq!(made, 0, "{request}");
    let mut info = legwork_regulator_info::default();
    assert_eq!(unsafe { legwork_regulator_about(regulator, &raw mut info) }, 0);
    let (mut q, mut efforts) = (vec![0.0; info.joints], vec![0.0; info.joints]);
    let mut pose = vec![0.0; info.coordinates];
    let (mut velocity, mut acceleration) = (vec![0.0; info.freedoms], vec![0.0; info.freedoms]);
    let before = violation_count();
    let codes = assert_no_alloc(|| unsafe {
        let mut refused = 0;
        for k in 0..20 {
            let time = f64::from(k) * info.period;
            let told = legwork_regulator_reference(regulator, time, q.as_mut_ptr(), q.len());
            let where_to = legwork_regulator_target(
                regulator,
                time,
                pose.as_mut_ptr(),
                pose.len(),
                velocity.as_mut_ptr(),
                acceleration.as_mut_ptr(),
                velocity.len(),
            );
            let target = state(&pose, &velocity, &acceleration);
            let set = if is_live { legwork_regulator_set_target(regulator, &raw const target) } else { 0 };
            let step = legwork_regulator_step(
                regulator,
                time,
                q.as_ptr(),
                q.len(),
                null(),
                0,
                efforts.as_mut_ptr(),
                efforts.len(),
            );
            refused += [told, where_to, set, step].iter().filter(|code| **code != 0).count();
        }
        q.fill(f64::NAN);
        let bad = legwork_regulator_step(
            regulator,
            20.0 * info.period,
            q.as_ptr(),
            q.len(),
            null(),
            0,
            efforts.as_mut_ptr(),
            efforts.len(),
        );
        (refused, [bad, legwork_regulator_reset(regulator)])
    });
    assert_eq!(violation_count(), before, "a sample allocated: {request}");
    assert_eq!(codes, (0, [Code::SafeCommand as i32, 0]), "{request}");
    assert!(efforts.iter().all(|effort| effort.is_finite()), "the safe command is finite: {request}");
    assert_eq!(legwork_regulator_free(regulator), 0);
}
