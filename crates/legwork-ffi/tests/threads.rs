//! The rules of the header about threads: one robot for all, a regulator for one at a time, an end that waits for the calls of others.
#![allow(clippy::undocumented_unsafe_blocks)] // each call has lists of the lengths that it says

use legwork_c::kinematics::legwork_inverse_kinematics;
use legwork_c::regulator::*;
use legwork_c::robot::*;
use legwork_c::{Code, legwork_last_message, legwork_state};
use std::ptr::{null, null_mut};
use std::sync::Barrier;
use std::thread;

/// Handles are numbers, which any thread may have.
#[derive(Clone, Copy)]
struct Robot(*mut legwork_robot);
unsafe impl Send for Robot {}
unsafe impl Sync for Robot {}

#[derive(Clone, Copy)]
struct Regulator(*mut legwork_regulator);
unsafe impl Send for Regulator {}
unsafe impl Sync for Regulator {}

impl Regulator {
    fn handle(self) -> *mut legwork_regulator {
        self.0
    }
}

fn opened(name: &std::ffi::CStr) -> Robot {
    let mut robot = null_mut();
    assert_eq!(unsafe { legwork_robot_open(name.as_ptr(), &raw mut robot) }, 0);
    Robot(robot)
}

/// Joints at a pose, and the code.
fn joints<const N: usize>(robot: Robot, pose: &[f64]) -> ([u64; N], i32) {
    let mut q = [0.0; N];
    let state = legwork_state {
        pose: pose.as_ptr(),
        pose_length: pose.len(),
        velocity: null(),
        velocity_length: 0,
        acceleration: null(),
        acceleration_length: 0,
        wrench: null(),
        wrench_length: 0,
    };
    let code = unsafe { legwork_inverse_kinematics(robot.0, &raw const state, q.as_mut_ptr(), N) };
    (q.map(f64::to_bits), code)
}

fn message() -> String {
    let mut text = [0_u8; 400];
    let length = unsafe { legwork_last_message(text.as_mut_ptr().cast(), text.len()) };
    String::from_utf8_lossy(text.get(..length).expect("a short message")).into_owned()
}

/// A Delta, and a mechanism, whose calls need memory.
#[test]
fn one_robot_answers_all_threads_to_the_bit() {
    fn same<const N: usize>(name: &std::ffi::CStr, places: &(impl Fn(u32) -> Vec<f64> + Sync)) {
        let robot = opened(name);
        let alone: Vec<_> = (0..200).map(|k| joints::<N>(robot, &places(k))).collect();
        assert!(alone.iter().all(|(_, code)| *code == 0), "{name:?}");
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let together: Vec<_> = (0..200).map(|k| joints::<N>(robot, &places(k))).collect();
                    assert!(together == alone, "{name:?}");
                });
            }
        });
        assert_eq!(legwork_robot_free(robot.0), 0);
    }
    let off = |k: u32| 0.01 * f64::from(k).sin();
    same::<3>(c"delta-industrial", &|k| vec![off(k), off(k + 1), -0.8]);
    same::<2>(c"custom-five-bar", &|k| vec![off(k), 0.36 + off(k + 1)]);
}

/// Messages belong to threads.
#[test]
fn every_thread_has_its_own_message() {
    let robot = opened(c"delta-industrial");
    let both = Barrier::new(2);
    thread::scope(|scope| {
        for (pose, wanted) in [(vec![0.0, 0.0, -9.0], "reach"), (vec![0.0, 0.0, f64::NAN], "NaN")] {
            let both = &both;
            scope.spawn(move || {
                let (_, code) = joints::<3>(robot, &pose);
                both.wait();
                assert_ne!(code, 0);
                let told = message();
                assert!(told.contains(wanted), "{told}");
            });
        }
    });
    assert_eq!(legwork_robot_free(robot.0), 0);
}

/// Two threads with one regulator: each call has its answer or is refused as busy, nothing else.
#[test]
fn a_regulator_in_use_is_busy() {
    let request =
        br#"{"task": "follow", "robot": "delta-direct-drive", "controller": {"regulators": ["model"]}}"#;
    let mut regulator = null_mut();
    let made = unsafe { legwork_regulator_new(request.as_ptr().cast(), request.len(), &raw mut regulator) };
    assert_eq!(made, 0, "{}", message());
    let regulator = Regulator(regulator);
    let answered: usize = thread::scope(|scope| {
        let threads = [(); 2].map(|()| {
            scope.spawn(|| {
                let mut answered = 0;
                for _ in 0..2000 {
                    let mut q = [0.0; 3];
                    let code =
                        unsafe { legwork_regulator_reference(regulator.handle(), 0.0, q.as_mut_ptr(), 3) };
                    assert!(code == 0 || code == Code::Busy as i32, "{code}");
                    answered += usize::from(code == 0);
                    assert_eq!(code == 0, q[0] != 0.0, "an answer or none");
                }
                answered
            })
        });
        threads.map(|thread| thread.join().unwrap()).into_iter().sum()
    });
    // Whoever comes while nobody else does is answered; how often two meet is not ours to say.
    assert!(answered > 0);
    let mut q = [0.0; 3];
    assert_eq!(unsafe { legwork_regulator_reference(regulator.handle(), 0.0, q.as_mut_ptr(), 3) }, 0);
    assert_eq!(legwork_regulator_free(regulator.handle()), 0);
}

/// A robot that is finished while others use it: they get their answers, and then are told.
#[test]
fn an_end_waits_for_the_calls_of_others() {
    for _ in 0..20 {
        let robot = opened(c"delta-industrial");
        let started = Barrier::new(3);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let (first, _) = joints::<3>(robot, &[0.1, 0.0, -0.8]);
                    started.wait();
                    loop {
                        let (q, code) = joints::<3>(robot, &[0.1, 0.0, -0.8]);
                        if code != 0 {
                            assert_eq!(code, Code::Finished as i32);
                            break;
                        }
                        assert_eq!(q, first);
                    }
                });
            }
            started.wait();
            assert_eq!(legwork_robot_free(robot.0), 0);
        });
    }
}
