//! The torque path allocates nothing, counted.

use assert_no_alloc::{AllocDisabler, assert_no_alloc, violation_count};
use legwork::V3;
use legwork::robots::catalog;
use legwork::robots::delta::{Assembly, Motion};

#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

/// One test, because the count belongs to the whole process.
#[test]
fn torques_and_accelerations_allocate_nothing() {
    let delta = catalog::delta_industrial();
    let motion = Motion {
        position: V3::new(-0.28, -0.19, -0.86),
        velocity: V3::new(1.8, 1.1, -1.6),
        acceleration: V3::new(31.0, -9.6, -13.7),
    };
    let before = violation_count();
    let sum = assert_no_alloc(|| {
        let effort = delta.inverse_dynamics(&motion, V3::new(1.0, 2.0, 3.0)).map(|effort| effort.torque);
        let back = delta.forward_dynamics(motion.position, motion.velocity, V3::zero(), V3::zero());
        let q = delta.linkage().all_inverse_kinematics(motion.position);
        let x = delta.linkage().forward_kinematics(V3::splat(0.3), Assembly::Below);
        let bad = delta.inverse_dynamics(&Motion::rest(V3::new(0.0, 0.0, -9.0)), V3::zero());
        let lagrange = delta.lagrange_torque(V3::splat(0.3), V3::splat(1.0), V3::splat(2.0), Assembly::Below);
        (effort.is_ok(), back.is_ok(), q.is_ok(), x.is_ok(), bad.is_err(), lagrange.x.is_finite())
    });
    assert_eq!(sum, (true, true, true, true, true, true));
    assert_eq!(violation_count(), before, "the torque path allocated");
    // The counter does count.
    let boxed = assert_no_alloc(|| std::hint::black_box(Box::new(1.0)));
    assert!(violation_count() > before, "{boxed}");
}
