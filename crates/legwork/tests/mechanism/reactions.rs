//! What joints carry in motion: the balance of every body, and two mechanisms by hand.

use super::support::{bar, described, four_bar, pin, postures};
use legwork::mechanism::{
    JointReaction, MechanismDescription, MechanismModel, PlatformPose, WORLD, Workspace,
};
use legwork_core::engine::RigidBody;
use legwork_core::{M3, V3};
use legwork_testkit::{Worst, gap, nan_max};

fn rotation(pose: &PlatformPose) -> M3<f64> {
    let [x, y, z] = pose.rotation.map(V3::from);
    M3::from_rows(x, y, z)
}

/// Poses of all bodies at five instants h apart around a posture, the motors moving with these rates and accelerations:
/// by forward kinematics alone.
fn around(
    model: &MechanismModel,
    at: &legwork::mechanism::Configuration,
    (rates, accelerations): (&[f64], &[f64]),
    h: f64,
    workspace: &mut Workspace<f64>,
) -> [Vec<PlatformPose>; 5] {
    [-2.0, -1.0, 0.0, 1.0, 2.0].map(|k| {
        let t = k * h;
        let way: Vec<f64> = model
            .motors()
            .iter()
            .zip(rates.iter().zip(accelerations))
            .filter(|(motor, _)| !motor.dependent)
            .map(|(_, (rate, acceleration))| rate * t + 0.5 * acceleration * t * t)
            .collect();
        let there = model.follow_motors(&way, at, workspace).unwrap();
        model.body_poses(&there, workspace)
    })
}

/// First and second derivative by differences of fourth order.
fn derivatives(five: [V3<f64>; 5], h: f64) -> [V3<f64>; 2] {
    let [a, b, c, d, e] = five;
    let first = (a - b * 8.0 + d * 8.0 - e) * (1.0 / (12.0 * h));
    let second = (b * 16.0 - a - c * 30.0 + d * 16.0 - e) * (1.0 / (12.0 * h * h));
    [first, second]
}

/// Newton's and Euler's equations of each body: what its joints give it, its weight and the outside wrench move it as forward
/// kinematics says that it moves. No acceleration of the kernel is used.
#[test]
fn joints_carry_each_body_in_motion() {
    for name in ["rps3", "delta4", "upu3", "planar_table", "two_deltas_bar", "quattro", "agile_eye"] {
        let d = described(name);
        let model = MechanismModel::new(&d).unwrap();
        let (list, mut workspace) = postures(&model, 2, 23);
        let mut worst = Worst::of("balance of bodies in motion");
        for p in list {
            let wrench = [4.0, 2.0, -3.0, 0.3, 0.2, -0.1];
            let carried =
                model.joint_reactions(&p.at, &p.rates, &p.accelerations, wrench, &mut workspace).unwrap();
            let h = 1e-3;
            let poses = around(&model, &p.at, (&p.rates, &p.accelerations), h, &mut workspace);
            let mut sums: Vec<[V3<f64>; 2]> = vec![[V3::zero(); 2]; d.bodies.len()];
            let place = |name: &str| d.bodies.iter().position(|body| body.name == name);
            let centre = |k: usize, pose: &PlatformPose| {
                V3::from(pose.position) + rotation(pose) * d.bodies[k].body.centre
            };
            for (joint, reaction) in d.joints.iter().zip(&carried) {
                assert_eq!(joint.name, reaction.joint);
                let (force, moment) = (V3::from(reaction.force), V3::from(reaction.moment));
                // The origin of the joint's frame in the child.
                let child = place(&joint.child).map(|k| &poses[2][k]);
                let point = child.map_or(joint.child_frame.position, |pose| {
                    V3::from(pose.position) + rotation(pose) * joint.child_frame.position
                });
                for (body, sign) in [(place(&joint.child), 1.0), (place(&joint.parent), -1.0)] {
                    let Some(k) = body else { continue };
                    let arm = point - centre(k, &poses[2][k]);
                    sums[k][0] = sums[k][0] + force * sign;
                    sums[k][1] = sums[k][1] + (moment + arm.cross(force)) * sign;
                }
            }
            let platform = place(&d.platform).unwrap();
            let (force, moment) =
                (V3::from([wrench[0], wrench[1], wrench[2]]), V3::from([wrench[3], wrench[4], wrench[5]]));
            let pose = &poses[2][platform];
            let point = V3::from(pose.position) + rotation(pose) * d.platform_point;
            sums[platform][0] = sums[platform][0] + force;
            sums[platform][1] = sums[platform][1] + moment + (point - centre(platform, pose)).cross(force);
            let mut size = 1.0_f64;
            let mut left = Vec::new();
            for (k, body) in d.bodies.iter().enumerate() {
                let five = [0, 1, 2, 3, 4].map(|t| &poses[t][k]);
                let [_, a] = derivatives(five.map(|pose| centre(k, pose)), h);
                // ω = ½ Σ e × ė and α = ½ Σ e × ë over the axes e.
                let (mut w, mut alpha) = (V3::zero(), V3::zero());
                for axis in 0..3 {
                    let column = |pose: &PlatformPose| V3::from(pose.rotation.map(|row| row[axis]));
                    let [first, second] = derivatives(five.map(column), h);
                    let e = column(five[2]);
                    w = w + e.cross(first) * 0.5;
                    alpha = alpha + e.cross(second) * 0.5;
                }
                let turned = rotation(five[2]);
                let inside = |v: V3<f64>| turned.transpose() * v;
                let (w_body, alpha_body) = (inside(w), inside(alpha));
                let inertia = body.body.inertia;
                let needs_force = (a - d.gravity) * body.body.mass;
                let needs_moment = turned * (inertia * alpha_body + w_body.cross(inertia * w_body));
                size = nan_max(size, needs_force.norm_sq().sqrt());
                left.extend((sums[k][0] - needs_force).to_array());
                left.extend((sums[k][1] - needs_moment).to_array());
            }
            for x in &left {
                worst.see(x.abs() / size);
            }
        }
        println!("{name}");
        worst.below(2e-7); // rounding of poses over h², times the condition of the loops
    }
}

fn found<'r>(carried: &'r [JointReaction], joint: &str) -> &'r JointReaction {
    carried.iter().find(|reaction| reaction.joint == joint).unwrap()
}

/// A bar of length l and mass m on a pin, at an angle θ, with ω and α: with u along the bar and n across it,
///
/// F = m (l/2) (α n − ω² u) − m g,   M = (I + m l²/4) α + m g (l/2) cos θ
#[test]
fn a_pendulum_by_hand() {
    let (length, angle, rate, acceleration) = (0.8, 0.7_f64, 3.0, -5.0);
    let body = bar("bar", [0.0, 0.0], angle, length);
    let (mass, inertia) = (body.body.mass, body.body.inertia.diagonal.z);
    let model = MechanismModel::new(&MechanismDescription {
        name: "pendulum".into(),
        bodies: vec![body],
        joints: vec![pin("pin", WORLD, [0.0, 0.0], "bar", [0.0, 0.0], true)],
        motors: vec!["pin".into()],
        platform: "bar".into(),
        platform_point: V3::zero(),
        coordinates: None,
        held: Vec::new(),
        springs: Vec::new(),
        gravity: V3::new(0.0, -9.81, 0.0),
    })
    .unwrap();
    let carried = model
        .joint_reactions(model.home(), &[rate], &[acceleration], [0.0; 6], &mut model.workspace())
        .unwrap();
    let (sin, cos) = angle.sin_cos();
    let half = 0.5 * length;
    let force = [
        mass * half * (-acceleration * sin - rate * rate * cos),
        mass * half * (acceleration * cos - rate * rate * sin) + mass * 9.81,
        0.0,
    ];
    let moment = [0.0, 0.0, (inertia + mass * half * half) * acceleration + mass * 9.81 * half * cos];
    assert!(gap(found(&carried, "pin").force, force) < 1e-13, "{carried:?} {force:?}");
    assert!(gap(found(&carried, "pin").moment, moment) < 1e-13, "{carried:?} {moment:?}");
}

/// A parallelogram with cranks of length r without mass: the rod of mass m moves on a circle without turning, and the crank
/// without a motor carries along itself only. With a = r (α n − ω² u), the far pin gives the rod
///
/// F_y = m (a_y + g)/2,   F_x = F_y cot θ,   and the near one the rest of m (a − g); the motor r × it.
#[test]
fn a_parallelogram_by_hand() {
    let (ground, r, angle, rate, acceleration) = (0.6, 0.25, 1.1_f64, 4.0, 7.0);
    let mut d = four_bar(ground, [r, ground, r], angle);
    d.bodies[0].body = RigidBody::massless();
    d.bodies[2].body = RigidBody::massless();
    let mass = d.bodies[1].body.mass;
    let model = MechanismModel::new(&d).unwrap();
    let carried = model
        .joint_reactions(model.home(), &[rate], &[acceleration], [0.0; 6], &mut model.workspace())
        .unwrap();
    let (sin, cos) = angle.sin_cos();
    let a = [r * (-acceleration * sin - rate * rate * cos), r * (acceleration * cos - rate * rate * sin)];
    let far_y = 0.5 * mass * (a[1] + 9.81);
    let far = [far_y * cos / sin, far_y];
    let near = [mass * a[0] - far[0], mass * (a[1] + 9.81) - far[1]];
    // `far` has the rod as its parent: it tells what the rod gives to the rocker.
    let given = found(&carried, "far").force;
    assert!(gap(&given[..2], [-far[0], -far[1]]) < 1e-12, "{given:?} {far:?}");
    let given = found(&carried, "knee").force;
    assert!(gap(&given[..2], near) < 1e-12, "{given:?} {near:?}");
    // The crank hands on what the knee takes: force and moment of the motor.
    let motor = found(&carried, "motor");
    assert!(gap(&motor.force[..2], near) < 1e-12, "{motor:?}");
    let torque = r * (cos * near[1] - sin * near[0]);
    assert!((motor.moment[2] - torque).abs() < 1e-12, "{motor:?} {torque}");
    let foot = found(&carried, "foot").force;
    assert!(gap(&foot[..2], far) < 1e-12, "{foot:?}");
}
