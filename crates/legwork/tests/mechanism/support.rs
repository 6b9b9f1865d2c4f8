//! Mechanisms for the tests.

use legwork::check::golden_mechanism;
use legwork::mechanism::{
    BodyDescription, Configuration, JointDescription, JointType, MechanismDescription, MechanismModel, WORLD,
    Workspace,
};
use legwork_core::engine::{Drive, Pose, RigidBody};
use legwork_core::{M3, Sym3, V3};
use legwork_testkit::Seeded;
use std::path::PathBuf;

pub fn golden_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../golden/mechanisms").join(format!("{name}.json"))
}

pub fn described(name: &str) -> MechanismDescription {
    golden_mechanism(golden_path(name)).unwrap()
}

/// A closed posture beside home, rates and accelerations of the motors.
pub struct Posture {
    pub at: Configuration,
    pub rates: Vec<f64>,
    pub accelerations: Vec<f64>,
}

pub fn postures(model: &MechanismModel, count: usize, seed: u64) -> (Vec<Posture>, Workspace<f64>) {
    let mut random = Seeded::new(seed);
    let mut workspace = model.workspace();
    let home = model.motor_values(model.home());
    let independent: Vec<bool> = model.motors().iter().map(|motor| !motor.dependent).collect();
    let list = (0..count)
        .map(|_| {
            let way: Vec<f64> = (0..home.len())
                .filter(|k| independent[*k])
                .map(|k| {
                    random.uniform(-0.1, 0.1) * if model.motors()[k].slides { model.length() } else { 1.0 }
                })
                .collect();
            let at = model.follow_motors(&way, model.home(), &mut workspace).unwrap();
            let mut draw = |size: f64| -> Vec<f64> {
                let unit = |k: usize| if model.motors()[k].slides { model.length() } else { 1.0 };
                (0..home.len()).map(|k| random.uniform(-size, size) * unit(k)).collect()
            };
            let (rates, accelerations) = (draw(1.0), draw(5.0));
            let (rates, accelerations) =
                model.motor_rates(&at, &rates, &accelerations, &mut workspace).unwrap();
            Posture { at, rates, accelerations }
        })
        .collect();
    (list, workspace)
}

pub fn about_z(angle: f64) -> M3<f64> {
    Pose::rotation_z(angle).rotation
}

/// A bar along x of its own frame.
pub fn bar(name: &str, at: [f64; 2], angle: f64, length: f64) -> BodyDescription {
    let mass = 2.0 * length;
    let i = mass * length * length / 12.0;
    BodyDescription {
        name: name.into(),
        body: RigidBody {
            mass,
            centre: V3::new(length / 2.0, 0.0, 0.0),
            inertia: Sym3 { diagonal: V3::new(0.05 * i, i, i), off: V3::zero() },
        },
        home: Pose::new(about_z(angle), V3::new(at[0], at[1], 0.0)),
    }
}

pub fn pin(
    name: &str,
    parent: &str,
    at: [f64; 2],
    child: &str,
    on: [f64; 2],
    motor: bool,
) -> JointDescription {
    JointDescription {
        drag: None,
        name: name.into(),
        kind: JointType::Revolute,
        parent: parent.into(),
        parent_frame: Pose::translation(V3::new(at[0], at[1], 0.0)),
        child: child.into(),
        child_frame: Pose::translation(V3::new(on[0], on[1], 0.0)),
        motor: motor.then(|| Drive::with_inertia(0.01)),
    }
}

/// A plane four-bar: crank, coupler and rocker about z, closed by circles' intersection.
pub fn four_bar(ground: f64, [a, b, c]: [f64; 3], angle: f64) -> MechanismDescription {
    let (x, y) = (a * angle.cos(), a * angle.sin());
    // The far end of the coupler: distance b from the crank's end, c from the ground's.
    let (dx, dy) = (ground - x, -y);
    let d = dx.hypot(dy);
    let along = (b * b - c * c + d * d) / (2.0 * d);
    let across = (b * b - along * along).max(0.0).sqrt();
    let far = [x + (dx * along - dy * across) / d, y + (dy * along + dx * across) / d];
    let coupler = (far[1] - y).atan2(far[0] - x);
    let rocker = far[1].atan2(far[0] - ground);
    MechanismDescription {
        name: "four-bar".into(),
        bodies: vec![
            bar("crank", [0.0, 0.0], angle, a),
            bar("coupler", [x, y], coupler, b),
            bar("rocker", [ground, 0.0], rocker, c),
        ],
        joints: vec![
            pin("motor", WORLD, [0.0, 0.0], "crank", [0.0, 0.0], true),
            pin("knee", "crank", [a, 0.0], "coupler", [0.0, 0.0], false),
            pin("far", "coupler", [b, 0.0], "rocker", [c, 0.0], false),
            pin("foot", WORLD, [ground, 0.0], "rocker", [0.0, 0.0], false),
        ],
        motors: vec!["motor".into()],
        platform: "coupler".into(),
        platform_point: V3::new(b / 2.0, 0.0, 0.0),
        coordinates: None,
        held: Vec::new(),
        springs: Vec::new(),
        gravity: V3::new(0.0, -9.81, 0.0),
    }
}
