//! Proof by linking. This library has no allocator: if anything in the core
//! needed one, rustc would stop with "no global memory allocator found". Its panic handler
//! calls a function that exists nowhere: if any path of the functions below
//! could panic, the C program in `main.c` would not link.

#![no_std]

pub mod control;
pub mod drive;
pub mod engine;
pub mod motion;
pub mod trajectory;

use legwork_core::robots::catalog;
use legwork_core::robots::delta::constrained::{Baumgarte, Settings};
use legwork_core::robots::delta::{Assembly, Motion, to_constrained_frame};
use legwork_core::{Margin, V3};

unsafe extern "C" {
    fn legwork_core_can_panic() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: never linked, see above.
    unsafe { legwork_core_can_panic() }
}

/// Torques for a platform motion; false if the state has no answer.
///
/// # Safety
/// `motion` points to 9 numbers, `torque` to room for 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn torque(motion: &[f64; 9], torque: &mut [f64; 3]) -> bool {
    let [x, y, z, vx, vy, vz, ax, ay, az] = *motion;
    let motion = Motion {
        position: V3::new(x, y, z),
        velocity: V3::new(vx, vy, vz),
        acceleration: V3::new(ax, ay, az),
    };
    match catalog::delta_industrial().inverse_dynamics(&motion, V3::zero()) {
        Ok(effort) => {
            *torque = effort.torque.to_array();
            true
        }
        Err(_) => false,
    }
}

/// Joint accelerations for joint angles, velocities and torques, in `f32` as on a small controller.
///
/// # Safety
/// `state` points to 9 numbers, `qddot` to room for 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acceleration(state: &[f32; 9], qddot: &mut [f32; 3]) -> bool {
    let [a, b, c, d, e, f, g, h, i] = *state;
    let delta = catalog::delta_industrial().cast::<f32>();
    let (q, qdot, tau) = (V3::new(a, b, c), V3::new(d, e, f), V3::new(g, h, i));
    let Margin { value, margin } = delta.acceleration_of(q, qdot, tau, V3::zero(), Assembly::Below);
    *qddot = value.joint.to_array();
    margin > 0.0
}

/// Every other road: kinematics in all modes, the constraint form, Newton, Ngoc–Kim.
///
/// # Safety
/// `position` points to 3 numbers, `sum` to room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn other_roads(position: &[f64; 3], sum: &mut f64) -> bool {
    let delta = catalog::delta_industrial();
    let x = V3::from(*position);
    let Ok(all) = delta.linkage().all_inverse_kinematics(x) else { return false };
    let Ok(posture) = delta.linkage().posture(x) else { return false };
    let constrained = delta.to_constrained();
    let angles = constrained.inverse_kinematics(to_constrained_frame(x)).value;
    let hold = constrained.gravity_compensation(angles).value.torque;
    let rest = V3::splat(V3::zero());
    let response = constrained.accelerations(angles, rest, hold, Baumgarte::from_pole(5.0)).value;
    let Ok(newton) = constrained.newton_forward_kinematics(posture.angles(), angles, Settings::default()) else {
        return false;
    };
    let multipliers = delta.to_ngoc_kim().inverse_dynamics(x, V3::zero(), V3::zero()).value.torque;
    let singularity = posture.singularity();
    let lagrange = delta.lagrange_torque(posture.angles(), V3::zero(), V3::zero(), Assembly::Below);
    *sum = all.iter().fold(0.0, |s, (_, q)| s + q.sum())
        + hold.sum()
        + response.accelerations.x.sum()
        + newton.residual
        + multipliers.sum()
        + singularity.condition
        + lagrange.sum();
    true
}
