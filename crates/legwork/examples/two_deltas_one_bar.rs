//! Two Deltas carry one bar: robots and an object joined by closure equations.
//!
//! The bar hangs in a ball joint at each platform. Six motors hold what they would have to hold
//! with half the bar each; the bar starts turned and off its middle, so it swings.
//!
//! `cargo run --release -p legwork --example two_deltas_one_bar`

use legwork::engine::{Pose, RigidBody, Twist};
use legwork::integrate::{Dopri5, Settings};
use legwork::motion::{Arms, CooperatingRobots, Driven, Formulation, Load, Multibody, Projected, Reply};
use legwork::robots::catalog;
use legwork::robots::delta::constrained::Baumgarte;
use legwork::{Sym3, V3};

const LENGTH: f64 = 1.2; // m
const MASS: f64 = 2.0; // kg
const GRAVITY: f64 = 9.81; // m/s²

/// Nine angles for each robot, pose and twist of the bar; loops and grips.
type Carried = Projected<CooperatingRobots<2, 3>, 25, 24, 18>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let delta = catalog::delta_industrial().with_payload(0.0);
    let half = V3::new(0.5 * LENGTH, 0.0, 0.0);
    let across = MASS * LENGTH * LENGTH / 12.0;
    let robots = CooperatingRobots {
        robots: [Arms::from(&delta); 2],
        bases: [-half, half],
        turns: [0.0, std::f64::consts::PI],
        object: RigidBody {
            // A tube: a little inertia about its own axis, so that its spin is determined.
            inertia: Sym3 { diagonal: V3::new(1e-3, across, across), off: V3::zero() },
            ..RigidBody::point(MASS, V3::zero())
        },
        grips: [-half, half],
        gravity: V3::along_z(-GRAVITY),
    };
    let loaded = delta.with_payload(0.5 * MASS);
    let [a, b, c] = loaded.gravity_torque(&loaded.linkage().posture(V3::new(0.0, 0.0, -0.75))?).to_array();
    let effort = [a, b, c, a, b, c];

    let form = Carried::new(robots);
    let turned = Pose::rotation_z(0.1).rotation;
    let x = form.state_at(&Pose::new(turned, V3::new(0.03, -0.02, -0.75)), Twist::zero())?;
    let start = form.energy(&x).total();
    let mut system = Driven::new(form, effort);
    let mut run = Dopri5::new(0.0, (x, [0.0; 2]), Settings::default().with_tolerance(1e-10));
    println!("   t        x        y        z      yaw     gap  balance   force on the bar, left      right");
    println!("   s        m        m        m      deg       m        J                        N          N");
    for k in 0..=10 {
        run.advance_to(&mut system, 0.05 * f64::from(k))?;
        let (x, [work, dissipation]) = run.state();
        let (pose, _) = form.platform(x);
        let yaw = pose.rotation.to_rows()[1][0].atan2(pose.rotation.to_rows()[0][0]).to_degrees();
        let balance = form.energy(x).total() - work + dissipation - start;
        let [left, right] = forces(&form, x, &effort)?;
        let V3 { x: px, y: py, z: pz } = pose.position;
        println!(
            "{:4.2} {px:8.4} {py:8.4} {pz:8.4} {yaw:8.3} {:7.0e} {balance:8.0e} {left:24.3} {right:10.3}",
            run.time(),
            form.loop_gap(x),
        );
    }
    println!("the bar weighs {:.3} N", MASS * GRAVITY);
    Ok(())
}

/// Upward force of each robot on its end of the bar \[N\]: minus the multipliers of its grip.
fn forces(
    form: &Carried,
    (q, v): &<Carried as Formulation>::State,
    effort: &[f64],
) -> Result<[f64; 2], Box<dyn std::error::Error>> {
    let reply: Reply<24, 18> = form.body.response(q, v, &Load::of_motors(effort), Baumgarte::none())?;
    Ok([8, 17].map(|z: usize| -reply.multipliers[z]))
}
