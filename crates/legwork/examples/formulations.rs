//! What each formulation costs: Bortoff's claim measured.
//!
//! The robot of set B without friction in the passive joints, from 45° at rest, torques
//! u_g (1 + 0.25 sin(2πt + phase)), 5 s, Dormand–Prince, at three tolerances.
//!
//! `cargo run --release -p legwork --example formulations`

use legwork::V3;
use legwork::engine::{Pose, Twist};
use legwork::integrate::{Dopri5, Settings, Statistics};
use legwork::motion::{
    Arms, Constrained, DeltaMinimal, Driven, Energy, Fault, Formulation, Hamiltonian, Input, Load, Minimal,
    Projected, Rate,
};
use legwork::robots::catalog;
use legwork::robots::delta::constrained::{Angles, Baumgarte, ConstrainedDelta, Settings as Newton};
use legwork::robots::delta::{Delta, to_constrained_frame};
use legwork::robots::delta_legs::delta_legs;
use legwork_testkit::{largest, nan_max, nan_min};
use std::cell::Cell;
use std::f64::consts::{FRAC_PI_4, TAU};
use std::hint::black_box;
use std::time::Instant;

const SECONDS: f64 = 5.0;

#[derive(Clone, Copy)]
struct Swing(f64);

impl Input for Swing {
    fn effort(&mut self, t: f64, effort: &mut [f64]) {
        for (i, u) in effort.iter_mut().enumerate() {
            *u = self.0 * (1.0 + 0.25 * (TAU * (t + i as f64 / 3.0)).sin());
        }
    }
}

/// Minimal coordinates as the paper has them: motor angles, the passive ones by Newton's
/// method at every evaluation, started from the last.
struct NewtonMinimal {
    robot: ConstrainedDelta<f64>,
    last: Cell<Angles<f64>>,
    iterations: Cell<u64>,
}

impl NewtonMinimal {
    fn angles(&self, q: [f64; 3]) -> Result<Angles<f64>, Fault> {
        let settings = Newton::default().with_tolerance(1e-12);
        let found = self
            .robot
            .newton_forward_kinematics(q.into(), self.last.get(), settings)
            .map_err(|_| Fault::Open { gap: f64::NAN, steps: settings.max_iterations })?;
        self.last.set(found.value);
        self.iterations.set(self.iterations.get() + u64::from(found.iterations));
        Ok(found.value)
    }
}

impl Formulation for NewtonMinimal {
    type State = ([f64; 3], [f64; 3]);

    fn motors(&self) -> usize {
        3
    }
    fn rate(&self, (q, qdot): &Self::State, load: &Load<'_>) -> Result<Rate<Self::State>, Fault> {
        let angles = self.angles(*q)?;
        let v = self.robot.velocities_from_motors(angles, (*qdot).into()).value;
        let tau = <[f64; 3]>::try_from(load.effort).map_err(|_| Fault::Count { motors: 3, found: 0 })?;
        let answer = self.robot.accelerations_by_tip_mass(angles, v, tau.into(), Baumgarte::none()).value;
        let qddot = answer.accelerations.map(|arm| arm.x).to_array();
        Ok(Rate { state: (*qdot, qddot), work: V3::from(tau).dot((*qdot).into()), dissipation: 0.0 })
    }
    fn position_rate(&self, (_, v): &Self::State) -> Result<Self::State, Fault> {
        Ok((*v, [0.0; 3]))
    }
    fn without_position_rate(&self, (_, a): &Self::State) -> Self::State {
        ([0.0; 3], *a)
    }
    fn state_at(&self, pose: &Pose<f64>, _: Twist<f64>) -> Result<Self::State, Fault> {
        let angles = self.robot.inverse_kinematics(to_constrained_frame(pose.position)).value;
        self.last.set(angles);
        Ok((angles.map(|arm| arm.x).to_array(), [0.0; 3]))
    }
    fn platform(&self, (q, _): &Self::State) -> (Pose<f64>, Twist<f64>) {
        let position = self.angles(*q).map_or(V3::splat(f64::NAN), |angles| self.robot.platform(angles));
        (Pose::translation(to_constrained_frame(position)), Twist::zero())
    }
    fn joints(&self, (q, v): &Self::State, position: &mut [f64], speed: &mut [f64]) -> Result<(), Fault> {
        position.copy_from_slice(q);
        speed.copy_from_slice(v);
        Ok(())
    }
    fn energy(&self, _: &Self::State) -> Energy {
        Energy { kinetic: 0.0, potential: 0.0 }
    }
    fn loop_gap(&self, (q, _): &Self::State) -> f64 {
        let residual = |angles| self.robot.closure_residual(angles).to_array();
        self.angles(*q).map_or(f64::NAN, |a| largest(residual(a)))
    }
}

/// Runs once for the figures, then several times for the best time.
fn report<F: Formulation>(name: &str, form: &F, start: &Pose<f64>, hold: f64, tolerance: f64) -> V3<f64> {
    let settings = Settings::default().with_tolerance(tolerance);
    let once = |watch: bool| {
        let x = form.state_at(start, Twist::zero()).expect("the start is in reach");
        let mut system = Driven::new(form, Swing(hold));
        let mut run = Dopri5::new(0.0, (x, [0.0; 2]), settings);
        let mut drift = 0.0_f64;
        while run.time() < SECONDS {
            run.step(&mut system, SECONDS).expect("the swing stays in reach");
            if watch {
                drift = nan_max(drift, form.loop_gap(&run.state().0));
            }
        }
        (run.state().0, run.statistics(), drift)
    };
    let (x, Statistics { steps, evaluations, .. }, drift) = once(true);
    let best = (0..7)
        .map(|_| {
            let begin = Instant::now();
            black_box(once(false));
            begin.elapsed().as_secs_f64() * 1e6
        })
        .fold(f64::INFINITY, nan_min);
    let per_call = best * 1e3 / evaluations as f64;
    println!("{name:40} {tolerance:7.0e} {steps:6} {evaluations:7} {best:9.0} {per_call:8.0} {drift:9.1e}");
    form.platform(&x).0.position
}

/// Platform point on the axis with all motors at an angle, and the torque that holds it there.
fn start(delta: &Delta<f64>, angle: f64) -> (Pose<f64>, f64) {
    let q = V3::splat(angle);
    let posture = delta.linkage().posture_of(q, legwork::robots::delta::Assembly::Below).value;
    (Pose::translation(posture.position), delta.gravity_torque(&posture).x)
}

fn main() {
    let delta = catalog::delta_bortoff_b();
    let (pose, hold) = start(&delta, FRAC_PI_4);
    let (arms, robot) = (Arms::from(&delta), delta_legs(&delta));
    let newton = NewtonMinimal {
        robot: delta.to_constrained(),
        last: Cell::new(V3::splat(V3::zero())),
        iterations: Cell::new(0),
    };
    println!(
        "{:40} {:>7} {:>6} {:>7} {:>9} {:>8} {:>9}",
        "", "rtol", "steps", "calls", "us", "ns/call", "gap m"
    );
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let ends = [
            report("minimal, closed form", &DeltaMinimal::new(delta), &pose, hold, tolerance),
            report(
                "minimal, general engine",
                &Minimal { mechanism: robot.mechanism() },
                &pose,
                hold,
                tolerance,
            ),
            report("minimal, Newton at every call", &newton, &pose, hold, tolerance),
            report(
                "constrained, Baumgarte 5",
                &Constrained::<_, 9, 6>::new(arms, 5.0),
                &pose,
                hold,
                tolerance,
            ),
            report(
                "constrained, no stabilisation",
                &Constrained::<_, 9, 6>::new(arms, 0.0),
                &pose,
                hold,
                tolerance,
            ),
            report("projected", &Projected::<_, 9, 6>::new(arms), &pose, hold, tolerance),
            report("hamiltonian, projected", &Hamiltonian::<_, 9, 6>::new(arms), &pose, hold, tolerance),
        ];
        let spread = largest(ends.iter().map(|end| (*end - ends[0]).norm_sq().sqrt()));
        println!("largest difference of the ends: {spread:.1e} m\n");
    }
}
