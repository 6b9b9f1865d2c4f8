//! What must hold whatever the numbers are.

use super::support::{described, four_bar, postures};
use legwork::mechanism::{CoreChoice, JointType, MechanismDescription, MechanismModel, Workspace};
use legwork_core::engine::Wrench;
use legwork_core::mechanism::Motion;
use legwork_core::{Dual, Real};
use legwork_testkit::{Worst, relative_error};

const ALL: [&str; 11] = [
    "agile_eye",
    "delta4",
    "delta_ss",
    "exechon",
    "planar_table",
    "prs3",
    "quattro",
    "rps3",
    "tricept",
    "two_deltas_bar",
    "upu3",
];

/// A Tricept whose legs spin: balls at both ends, so that cylinder and rod turn together with nobody feeling it.
fn spinning_legs() -> MechanismDescription {
    let mut tricept = described("tricept");
    for joint in tricept.joints.iter_mut().filter(|joint| joint.name.starts_with("yoke")) {
        joint.kind = JointType::Spherical;
    }
    tricept
}

/// Forward dynamics undoes inverse dynamics, also under a wrench.
#[test]
fn inverse_and_forward_dynamics_undo_each_other() {
    let mut worst = Worst::of("accelerations there and back");
    let spinning = spinning_legs();
    for model in ALL.iter().map(|name| described(name)).chain([spinning]) {
        let model = MechanismModel::new(&model).unwrap();
        let (list, mut workspace) = postures(&model, 5, 3);
        let wrench = [3.0, -7.0, 5.0, 0.4, -0.3, 0.8];
        for p in list {
            let efforts =
                model.inverse_dynamics(&p.at, &p.rates, &p.accelerations, wrench, &mut workspace).unwrap();
            let back = model.forward_dynamics(&p.at, &p.rates, &efforts, wrench, &mut workspace).unwrap();
            worst.see(relative_error(&back.motors, &p.accelerations));
        }
    }
    worst.below(1e-10); // rounding, times the condition of mass matrices
}

/// The dense method on all bodies and the elimination of legs are two ways to the same numbers.
#[test]
fn legs_in_a_core_and_everything_in_the_core_agree() {
    let mut worst = Worst::of("two formulations");
    for name in ALL.iter().filter(|name| **name != "delta_ss") {
        // What spins idly cannot be in the core.
        let description = described(name);
        let legs = MechanismModel::new(&description).unwrap();
        let dense = MechanismModel::with_core(&description, CoreChoice::Everything).unwrap();
        assert!(legs.plan().legs.len() > dense.plan().legs.len(), "{name}");
        let (list, mut workspace) = postures(&legs, 3, 5);
        let mut other = dense.workspace();
        for p in list {
            let q = legs.motor_values(&p.at);
            let at = dense.forward_kinematics(&q, dense.home(), &mut other).unwrap();
            let wrench = [1.0, 2.0, -3.0, 0.1, 0.2, -0.3];
            let a = legs.inverse_dynamics(&p.at, &p.rates, &p.accelerations, wrench, &mut workspace).unwrap();
            let b = dense.inverse_dynamics(&at, &p.rates, &p.accelerations, wrench, &mut other).unwrap();
            worst.see(relative_error(&a, &b));
            let a = legs.forward_dynamics(&p.at, &p.rates, &a, [0.0; 6], &mut workspace).unwrap();
            let b = dense.forward_dynamics(&at, &p.rates, &b, [0.0; 6], &mut other).unwrap();
            worst.see(relative_error(&a.platform, &b.platform));
        }
    }
    worst.below(1e-10); // rounding, times the condition of the postures
}

/// Weight is the gradient of the potential energy: one dual number per motor, along the motion of that motor.
#[test]
fn gravity_is_the_derivative_of_the_potential_energy() {
    let mut worst = Worst::of("weight against potential energy");
    for name in ALL.iter().filter(|name| **name != "two_deltas_bar") {
        let model = MechanismModel::new(&described(name)).unwrap();
        let (list, mut workspace) = postures(&model, 2, 7);
        let plan = model.owned_plan().map(Dual::<f64, 1>::constant);
        let plan = plan.plan();
        let mut dual = Workspace::new(&plan);
        for p in list {
            let gravity = model.gravity(&p.at, &mut workspace).unwrap();
            let mut slopes = Vec::new();
            for motor in 0..gravity.len() {
                let f64_plan = model.plan();
                let mut memory = workspace.memory();
                f64_plan.place(p.at.coordinates(), &mut memory);
                f64_plan.close(&mut memory);
                f64_plan.write_slopes(&mut memory);
                let rates: Vec<f64> =
                    (0..f64_plan.freedoms).map(|k| f64_plan.slope(k, motor, &memory)).collect();
                let mut flow = vec![0.0; f64_plan.coordinates];
                f64_plan.flow(p.at.coordinates(), &rates, &mut flow);
                let coordinates: Vec<Dual<f64, 1>> =
                    p.at.coordinates().iter().zip(&flow).map(|(q, d)| Dual { re: *q, eps: [*d] }).collect();
                let mut memory = dual.memory();
                plan.place(&coordinates, &mut memory);
                slopes.push(plan.potential_energy(&memory).eps[0]);
            }
            worst.see(relative_error(&gravity, &slopes));
        }
    }
    worst.below(1e-11); // rounding
}

/// A kernel run in dual numbers differentiates the efforts: against differences of the same kernel.
#[test]
fn efforts_have_derivatives_by_dual_numbers() {
    let model = MechanismModel::new(&described("delta4")).unwrap();
    let (list, mut workspace) = postures(&model, 1, 9);
    let p = &list[0];
    let owned = model.owned_plan().map(Dual::<f64, 1>::constant);
    let plan = owned.plan();
    let mut dual = Workspace::new(&plan);
    for motor in 0..4 {
        let constant =
            |list: &[f64]| -> Vec<Dual<f64, 1>> { list.iter().map(|x| Dual::constant(*x)).collect() };
        let (coordinates, mut rates) = (constant(p.at.coordinates()), constant(&p.rates));
        rates[motor] = Dual::variable(p.rates[motor], 0);
        let motion = Motion { coordinates: &coordinates, rates: &rates, idle: None, wrench: Wrench::zero() };
        let mut efforts = vec![Dual::zero(); 4];
        let mut memory = dual.memory();
        plan.inverse_dynamics(&motion, &constant(&p.accelerations), &mut efforts, &mut memory);
        let mut at = |h: f64| {
            let mut rates = p.rates.clone();
            rates[motor] += h;
            model.inverse_dynamics(&p.at, &rates, &p.accelerations, [0.0; 6], &mut workspace).unwrap()
        };
        // Efforts are squares of the rates: differences are exact but for rounding.
        let (up, down) = (at(0.5), at(-0.5));
        let differences: Vec<f64> = up.iter().zip(&down).map(|(a, b)| a - b).collect();
        let found: Vec<f64> = efforts.iter().map(|e| e.eps[0]).collect();
        let mut worst = Worst::of("derivatives of efforts");
        worst.see(relative_error(&found, &differences));
        worst.below(1e-10); // differences of efforts ten times as large
    }
}

/// T + U − τ·q stays as it is, for legs that spin, too.
#[test]
fn energy_is_conserved() {
    for description in [spinning_legs(), described("delta_ss"), four_bar(1.0, [0.3, 0.9, 0.8], 0.4)] {
        let model = MechanismModel::new(&description).unwrap();
        let mut workspace = model.workspace();
        let still = vec![0.0; model.motors().len()];
        let efforts: Vec<f64> =
            model.gravity(model.home(), &mut workspace).unwrap().iter().map(|x| 0.8 * x + 0.1).collect();
        let run = model.run(model.home(), &still, &efforts, &[0.0, 0.05, 0.1]).unwrap();
        let energy = |k: usize| {
            let sample = &run[k];
            let found = sample.energies;
            let q = model.motor_values(&sample.at);
            let work: f64 = efforts.iter().zip(q).map(|(u, q)| u * q).sum();
            (found.kinetic, found.kinetic + found.potential - work)
        };
        let (first, last) = (energy(0), energy(2));
        assert!(last.0 > 1e-3, "{}: it moves", model.name());
        let mut worst = Worst::of("energy");
        worst.see((last.1 - first.1).abs() / last.0);
        worst.below(1e-10); // tolerance of the integrator, 1e-13, over many steps
    }
}

/// Joints carry nothing along their freedoms but the effort of their motor.
#[test]
fn joints_carry_no_load_along_their_freedoms() {
    for name in ["rps3", "delta4", "upu3", "planar_table", "two_deltas_bar", "delta_ss"] {
        let description = described(name);
        let model = MechanismModel::new(&description).unwrap();
        let (list, mut workspace) = postures(&model, 2, 11);
        for p in list {
            let wrench = [4.0, 2.0, -3.0, 0.3, 0.2, -0.1];
            let efforts =
                model.inverse_dynamics(&p.at, &p.rates, &p.accelerations, wrench, &mut workspace).unwrap();
            let reactions =
                model.joint_reactions(&p.at, &p.rates, &p.accelerations, wrench, &mut workspace).unwrap();
            let poses = model.body_poses(&p.at, &mut workspace);
            let size = legwork_testkit::largest(efforts.iter());
            let mut worst = Worst::of("load along freedoms");
            for (joint, carried) in description.joints.iter().zip(&reactions) {
                assert_eq!(joint.name, carried.joint);
                let place = description.bodies.iter().position(|body| body.name == joint.child).unwrap();
                let r = poses[place].rotation;
                let axes = joint.child_frame.rotation.columns();
                let world =
                    |v: legwork_core::V3<f64>| r.map(|row| row[0] * v.x + row[1] * v.y + row[2] * v.z);
                let along = |list: [f64; 3], axis: [f64; 3]| -> f64 {
                    list.iter().zip(axis).map(|(a, b)| a * b).sum()
                };
                let z = world(axes.z);
                let expected =
                    model.motors().iter().position(|motor| motor.name == joint.name).map_or(0.0, |k| {
                        let inertia = joint.motor.map_or(0.0, |drive| drive.inertia);
                        efforts[k] - inertia * p.accelerations[k]
                    });
                match joint.kind {
                    JointType::Revolute => worst.see((along(carried.moment, z) - expected).abs() / size),
                    JointType::Prismatic => worst.see((along(carried.force, z) - expected).abs() / size),
                    JointType::Spherical => {
                        worst.see(legwork_testkit::largest(carried.moment.iter()) / size);
                    }
                    JointType::Universal => worst.see(along(carried.moment, world(axes.y)).abs() / size),
                    JointType::Cylindrical => {
                        worst.see(along(carried.moment, z).abs() / size);
                        worst.see(along(carried.force, z).abs() / size);
                    }
                    JointType::Planar => worst.see(along(carried.moment, z).abs() / size),
                    JointType::Fixed => {}
                }
            }
            worst.below(1e-10); // rounding, times levers
        }
    }
}

/// The platform's mass matrix gives the same kinetic energy as the motors'.
#[test]
fn mass_matrices_of_motors_and_platform_tell_one_energy() {
    let model = MechanismModel::new(&described("prs3")).unwrap();
    let (list, mut workspace) = postures(&model, 3, 13);
    for p in list {
        let energy = model.energies(&p.at, &p.rates, &mut workspace).unwrap().kinetic;
        let (twist, _) = model.platform_motion(&p.at, &p.rates, &[0.0; 3], &mut workspace).unwrap();
        let v: Vec<f64> = model.mobility().coordinates.iter().map(|k| twist[*k]).collect();
        let half = |m: Vec<Vec<f64>>, v: &[f64]| -> f64 {
            let rows = m.iter().zip(v);
            0.5 * rows.map(|(row, x)| x * row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>()).sum::<f64>()
        };
        let motors = half(model.mass_matrix(&p.at, &mut workspace).unwrap(), &p.rates);
        let platform = half(model.platform_mass_matrix(&p.at, &mut workspace).unwrap(), &v);
        let mut worst = Worst::of("two mass matrices");
        worst.see(relative_error(&[motors, platform], &[energy, energy]));
        worst.below(1e-12); // rounding
    }
}
