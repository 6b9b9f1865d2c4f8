//! The general engine under the same proof: every function of a robot, for legs of
//! each kind, and for a robot whose legs are known only at run time.

use legwork_core::engine::{
    AnyLeg, Forward, ForwardSettings, Hexapod, Mechanism, PlatformMotion, Robot, Twist, Wrench,
};
use legwork_core::robots::{c5, five_bar, gough_stewart, linear_delta};

/// Everything a robot answers, as one number; negative if it refuses.
fn everything<const N: usize, const M: usize, const D: usize, const K: usize>(
    robot: Robot<f64, N, M, D, K>,
    motion: &PlatformMotion<f64, D>,
    tau: &[f64; K],
) -> f64 {
    let Ok(robot) = robot.checked() else { return -1.0 };
    let m = robot.mechanism();
    let Ok(effort) = m.effort_for(motion, Wrench::zero()) else { return -2.0 };
    let Ok(moved) = m.acceleration_for(&motion.pose, &motion.rate, tau, Wrench::zero()) else { return -3.0 };
    let Ok(joint) = m.joint_dynamics_at(&motion.pose, &motion.rate) else { return -4.0 };
    let (kinetic, potential) = m.energy(&motion.pose, &motion.rate);
    let gap = match m.forward_kinematics(tau, &motion.pose, ForwardSettings::default()) {
        Forward::Converged { gap, .. } | Forward::Stalled { gap, .. } | Forward::Singular { gap, .. } => gap,
    };
    let reaction = m.reaction(0, motion, tau).map_or(0.0, |r| r.wrench.force.x);
    effort.effort.iter().sum::<f64>()
        + moved.joint.iter().sum::<f64>()
        + joint.mass.iter().flatten().sum::<f64>()
        + kinetic
        + potential
        + gap
        + reaction
}

/// Spherical attachments, R, R, P.
#[unsafe(no_mangle)]
pub extern "C" fn gough(p: &gough_stewart::Parameters<f64>, m: &PlatformMotion<f64, 6>, tau: &[f64; 6]) -> f64 {
    let hexapod = p.hexapod();
    let (v, a) = (Twist::from_vector_linear_first(m.rate), Twist::from_vector_linear_first(m.acceleration));
    everything(p.robot(), m, tau)
        + hexapod.inverse_dynamics(&m.pose, v, a, Wrench::zero()).margin
        + hexapod.direct_dynamics(&m.pose, v, tau, Wrench::zero()).margin
}

/// Sliding attachments, P.
#[unsafe(no_mangle)]
pub extern "C" fn slides(p: &c5::Parameters<f64>, m: &PlatformMotion<f64, 6>, tau: &[f64; 6]) -> f64 {
    everything(p.robot(), m, tau)
}

/// Planar attachments, R, R.
#[unsafe(no_mangle)]
pub extern "C" fn planar(p: &five_bar::Parameters<f64>, m: &PlatformMotion<f64, 2>, tau: &[f64; 2]) -> f64 {
    everything(p.robot(), m, tau)
}

/// A platform that only translates, P, R, R.
#[unsafe(no_mangle)]
pub extern "C" fn linear(p: &linear_delta::Parameters<f64>, m: &PlatformMotion<f64, 3>, tau: &[f64; 3]) -> f64 {
    everything(p.robot(), m, tau)
}

/// Six joints a leg, more motors than freedoms.
#[unsafe(no_mangle)]
pub extern "C" fn redundant(r: &Robot<f64, 6, 8, 6, 8>, m: &PlatformMotion<f64, 6>, tau: &[f64; 8]) -> f64 {
    everything(*r, m, tau)
}

/// Legs known only at run time.
#[unsafe(no_mangle)]
pub extern "C" fn any(legs: &[AnyLeg<f64>; 6], r: &Robot<f64, 3, 6, 6, 6>, m: &PlatformMotion<f64, 6>) -> f64 {
    let Ok(r) = r.checked_at(&m.pose) else { return -1.0 };
    let robot = Mechanism::<f64, AnyLeg<f64>, 6, 6> { platform: r.platform, legs, space: r.space, gravity: r.gravity };
    let fast = Hexapod::recognized(&r, &m.pose).map_or(0.0, |h| h.lengths(&m.pose)[0]);
    robot.effort_for(m, Wrench::zero()).map_or(-1.0, |e| e.effort[0]) + fast
}
