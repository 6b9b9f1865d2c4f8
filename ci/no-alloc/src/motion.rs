//! Integrators and equations of motion under the same proof.

use legwork_core::V3;
use legwork_core::engine::{Pose, Twist};
use legwork_core::integrate::{Dopri5, Fixed, FixedMethod, Settings};
use legwork_core::motion::{
    Arms, Constrained, DeltaMinimal, Driven, Formulation, Hamiltonian, Load, Minimal, Projected,
};
use legwork_core::robots::{catalog, gough_stewart};

/// Steps of both kinds and everything that is said about a state; negative if it stops.
fn ran<F: Formulation + Copy>(form: F, start: &Pose<f64>, effort: [f64; 6]) -> f64 {
    let Ok(x) = form.state_at(start, Twist::zero()) else { return -1.0 };
    let mut system = Driven::new(form, effort);
    let mut run = Dopri5::new(0.0, (x, [0.0; 2]), Settings::default());
    if run.advance_until(&mut system, 0.01, |t, _| t - 0.005).is_err() || run.advance_to(&mut system, 0.01).is_err() {
        return -2.0;
    }
    let mut fixed = Fixed::new(run.time(), *run.state(), FixedMethod::Rk4, 1e-3);
    if fixed.advance_to(&mut system, 0.02).is_err() {
        return -3.0;
    }
    let (x, _) = *fixed.state();
    let (mut q, mut qdot) = ([0.0; 6], [0.0; 6]);
    if form.joints(&x, &mut q, &mut qdot).is_err() {
        return -4.0;
    }
    let pose = form.platform(&x).0;
    form.energy(&x).total() + form.loop_gap(&x) + pose.position.sum() + q.iter().sum::<f64>()
}

/// The Delta in every form.
#[unsafe(no_mangle)]
pub extern "C" fn delta_motion(start: &[f64; 3], effort: &[f64; 6]) -> f64 {
    let delta = catalog::delta_industrial();
    let (pose, arms) = (Pose::translation(V3::from(*start)), Arms::from(&delta));
    let momenta = Hamiltonian::<_, 9, 6>::new(arms);
    let symplectic = momenta.state_at(&pose, Twist::zero()).and_then(|x| {
        momenta.rattle_step(&x, &[0.0; 6], &Load::of_motors(effort), 1e-3)
    });
    ran(DeltaMinimal::new(delta), &pose, *effort)
        + ran(Constrained::<_, 9, 6>::new(arms, 5.0), &pose, *effort)
        + ran(Projected::<_, 9, 6>::new(arms), &pose, *effort)
        + ran(momenta, &pose, *effort)
        + symplectic.map_or(-1.0, |step| step.work)
}

/// A hexapod.
#[unsafe(no_mangle)]
pub extern "C" fn gough_motion(p: &gough_stewart::Parameters<f64>, start: &Pose<f64>, effort: &[f64; 6]) -> f64 {
    let robot = p.robot();
    ran(Minimal { mechanism: robot.mechanism() }, start, *effort)
}
