//! Dynamics of the Delta: every identity of the equation of motion, over random
//! robots with any centre of mass, random states and all models of the forearm.

use legwork_core::links::LinkWeights;
use legwork_core::robots::catalog;
use legwork_core::robots::delta::{
    Assembly, Delta, Forearm, Geometry, Inertia, Linkage, Motion, Motor, ParameterFault, Posture,
    PostureError,
};
use legwork_core::{Dual, M3, V3};
use legwork_testkit::relative_error;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const MODELS: [Forearm; 4] = [Forearm::Exact, Forearm::SIMPLIFIED, Forearm::SIMPLIFIED_1996, Forearm::HALVES];

/// A robot of industrial proportions with arbitrary masses and centres.
fn robot() -> impl Strategy<Value = Delta<f64>> {
    let lengths = (0.15..0.25, 0.03..0.06, 0.3..0.4, 0.75..0.9);
    let masses = (0.1..2.0, 0.0..2.0, 0.1..2.0, 0.0..0.5, 0.05..1.0);
    let shape = (0.2..0.8, 0.01..0.1, 0.2..0.8, 0.02..0.15, 0.0..0.05, [-9.0..9.0, -9.0..9.0, -9.0..9.0]);
    (lengths, masses, shape).prop_map(|(l, m, s)| {
        let geometry = Geometry {
            base_radius: l.0,
            platform_radius: l.1,
            arm: l.2,
            forearm: l.3,
            azimuth: Geometry::regular_azimuth(),
        };
        let inertia = Inertia {
            platform: m.0,
            payload: m.1,
            arm: m.2,
            arm_centre: s.0 * l.2,
            arm_inertia: s.1 * m.2 * l.2 * l.2,
            elbow: m.3,
            forearm: m.4,
            forearm_centre: s.2 * l.3,
            forearm_inertia: s.3 * m.4 * l.3 * l.3,
            gravity: V3::from(s.5), // mounted anyhow
        };
        let motor = Motor { inertia: s.4, ..Motor::ideal() };
        Delta::new(Linkage::new(geometry).unwrap(), inertia, motor).unwrap()
    })
}

fn vector(size: f64) -> impl Strategy<Value = V3<f64>> {
    let range = -size..size;
    (range.clone(), range.clone(), range).prop_map(|(x, y, z)| V3::new(x, y, z))
}

/// A motion inside the workspace of every [`robot`].
fn motion() -> impl Strategy<Value = Motion<f64>> {
    ((-0.2..0.2, -0.2..0.2, -0.9..-0.7), vector(3.0), vector(60.0)).prop_map(|(p, velocity, acceleration)| {
        Motion { position: V3::new(p.0, p.1, p.2), velocity, acceleration }
    })
}

fn posture(delta: &Delta<f64>, x: V3<f64>) -> Posture<f64> {
    delta.linkage().posture(x).unwrap()
}

/// A value that moves in time, as a dual number.
fn along(value: V3<f64>, rate: V3<f64>) -> V3<Dual<f64, 1>> {
    value.zip(rate, |re, e| Dual { re, eps: [e] })
}

proptest! {
    // The same cases on every machine; another seed looks further.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1998), failure_persistence: None, ..ProptestConfig::default() })]

    /// τ = A q̈ + V + G (eq 14), for every model.
    #[test]
    fn torque_is_mass_times_acceleration_plus_coriolis_plus_gravity(delta in robot(), m in motion()) {
        for model in MODELS {
            let delta = delta.with_forearm(model);
            let p = posture(&delta, m.position);
            let effort = delta.torque(&p, m.velocity, m.acceleration, V3::zero());
            let sum = delta.mass_matrix(&p) * effort.qddot
                + delta.coriolis_torque(&p, m.velocity)
                + delta.gravity_torque(&p);
            prop_assert!(relative_error(&sum.to_array(), &effort.torque.to_array()) < 1e-12); // rounding
        }
    }

    /// The forces of the forearms on the platform are all that accelerates and carries it, with what pulls at it.
    #[test]
    fn the_forearms_carry_the_platform(delta in robot(), m in motion(), force in vector(50.0)) {
        for model in MODELS {
            let delta = delta.with_forearm(model);
            let p = posture(&delta, m.position);
            let effort = delta.torque(&p, m.velocity, m.acceleration, force);
            let forces = delta.leg_forces(&p, m.acceleration, &effort);
            let inertia = delta.inertia();
            let wanted = (m.acceleration - inertia.gravity) * (inertia.platform + inertia.payload) - force;
            let sum = forces.x + forces.y + forces.z;
            // 1e-11: rounding, times the condition of the posture.
            let size = [forces.x, forces.y, forces.z].map(|f| f.norm_sq().sqrt()).iter().sum::<f64>();
            prop_assert!((sum - wanted).norm_sq().sqrt() < 1e-11 * size, "{model:?}: {sum:?} {wanted:?}");
        }
    }

    /// Lagrange's equation on the energies (eq 15) gives the same torque as virtual work, for every model.
    #[test]
    fn virtual_work_equals_lagrange(delta in robot(), m in motion()) {
        for model in MODELS {
            let delta = delta.with_forearm(model);
            let p = posture(&delta, m.position);
            let effort = delta.torque(&p, m.velocity, m.acceleration, V3::zero());
            let lagrange = delta.lagrange_torque(p.angles(), effort.qdot, effort.qddot, Assembly::Below);
            // 1e-11: second derivatives of the sphere intersection amplify rounding by its condition.
            prop_assert!(relative_error(&lagrange.to_array(), &effort.torque.to_array()) < 1e-11);
        }
    }

    /// d/dt (T + V) = τ·q̇ + f·ẋ, by dual numbers in time.
    #[test]
    fn power_balances(delta in robot(), m in motion(), force in vector(50.0)) {
        for model in MODELS {
            // The 1996 split takes the weight from other points than the inertia; its V is still a potential.
            let delta = delta.with_forearm(model);
            let p = posture(&delta, m.position);
            let effort = delta.torque(&p, m.velocity, m.acceleration, force);
            let dual = delta.map(Dual::<f64, 1>::constant);
            let moving = dual.linkage().posture_at(along(m.position, m.velocity)).value;
            let energy = dual.kinetic_energy(&moving, along(m.velocity, m.acceleration))
                + dual.potential_energy(&moving);
            let power = effort.torque.dot(effort.qdot) + force.dot(m.velocity);
            let scale = effort.torque.scale(effort.qdot).map(f64::abs).sum() + force.scale(m.velocity).map(f64::abs).sum();
            prop_assert!((energy.eps[0] - power).abs() < 1e-12 * scale); // rounding
        }
    }

    /// What the platform lacks is J⁻ᵀ times what the motors give too little, friction and an outside force included.
    #[test]
    fn what_the_platform_lacks_is_what_the_motors_do_not_give(
        delta in robot(), m in motion(), force in vector(50.0), given in vector(20.0), rub in (0.0..0.5, 0.0..2.0)
    ) {
        for model in MODELS {
            let motor = Motor { viscous: rub.0, coulomb: rub.1, ..*delta.motor() };
            let delta = Delta::unchecked(*delta.linkage(), *delta.inertia(), motor).with_forearm(model);
            let p = posture(&delta, m.position);
            let effort = delta.torque(&p, m.velocity, m.acceleration, force);
            let friction = effort.qdot.map(|rate| rub.0 * rate + rub.1 * rate.signum());
            let missing = effort.torque + friction - given;
            let wanted = p.inverse_jacobian().transpose() * missing;
            let found = delta.imbalance(&p, m.velocity, m.acceleration, given, force);
            prop_assert!(relative_error(&found.to_array(), &wanted.to_array()) < 1e-11); // condition of the posture
            // At rest dry friction takes nothing.
            let still = delta.torque(&p, V3::zero(), m.acceleration, force).torque - given;
            let found = delta.imbalance(&p, V3::zero(), m.acceleration, given, force);
            let wanted = p.inverse_jacobian().transpose() * still;
            prop_assert!(relative_error(&found.to_array(), &wanted.to_array()) < 1e-11);
        }
    }

    /// Kinetic energy = sum over the bodies, each by its own points; potential energy too, with legs in any directions:
    /// only where these are not regular do the joints of the base add to it.
    #[test]
    fn energy_is_the_sum_over_the_bodies(delta in robot(), m in motion(), lean in vector(0.3)) {
        let regular = *delta.linkage().geometry();
        let geometry = Geometry { azimuth: regular.azimuth + lean, ..regular };
        let delta = Delta::new(Linkage::new(geometry).unwrap(), *delta.inertia(), *delta.motor()).unwrap();
        let p = posture(&delta, m.position);
        let (i, g) = (delta.inertia(), delta.linkage().geometry());
        let (v, qdot) = (m.velocity, p.joint_velocity(m.velocity));
        let rod = LinkWeights::rod(i.forearm, g.forearm, i.forearm_centre / g.forearm, i.forearm_inertia);
        let mut kinetic = 0.5 * (i.platform + i.payload) * v.norm_sq();
        let mut moment = p.position * (i.platform + i.payload); // Σ m c
        let legs = p.legs.zip(g.azimuth, |leg, azimuth| (leg, V3::new(azimuth.cos(), azimuth.sin(), 0.0)));
        for ((leg, outward), rate) in legs.to_array().iter().zip(qdot.to_array()) {
            let elbow = leg.b() * -rate;
            let about_axis = delta.motor().inertia + i.arm_inertia + i.arm * i.arm_centre.powi(2);
            kinetic += 0.5 * about_axis * rate * rate + 0.5 * i.elbow * elbow.norm_sq() + rod.kinetic_energy(elbow, v);
            let (base, joint) = (*outward * g.base_radius, p.position + *outward * g.platform_radius);
            let (elbow, share) = (base + leg.arm(), i.forearm_centre / g.forearm);
            moment = moment + (base + leg.arm() * (i.arm_centre / g.arm)) * i.arm + elbow * i.elbow
                + (elbow * (1.0 - share) + joint * share) * i.forearm;
        }
        prop_assert!((delta.kinetic_energy(&p, v) - kinetic).abs() < 1e-13 * kinetic);
        let terms = i.gravity.scale(moment).map(f64::abs).sum() + i.gravity.norm_sq().sqrt();
        prop_assert!((delta.potential_energy(&p) + i.gravity.dot(moment)).abs() < 1e-12 * terms);
        // and ½ q̇ᵀ A q̇
        let matrix = 0.5 * qdot.dot(delta.mass_matrix(&p) * qdot);
        prop_assert!((matrix - kinetic).abs() < 1e-12 * kinetic);
    }

    /// Eq 47 built from the Jacobians of the link ends, term by term.
    #[test]
    fn mass_matrix_is_the_sum_of_its_bodies(delta in robot(), m in motion()) {
        let p = posture(&delta, m.position);
        let (i, g) = (delta.inertia(), delta.linkage().geometry());
        let j = p.jacobian();
        let about_axis = delta.motor().inertia + i.arm_inertia + i.arm * i.arm_centre.powi(2) + i.elbow * g.arm * g.arm;
        let mut a = M3::diagonal(V3::splat(about_axis)) + (j.transpose() * j) * (i.platform + i.payload); // (40), (41)
        let rod = LinkWeights::rod(i.forearm, g.forearm, i.forearm_centre / g.forearm, i.forearm_inertia);
        let o = V3::zero();
        let b = p.legs.map(|leg| -leg.b());
        for upper in [M3::from_columns(b.x, o, o), M3::from_columns(o, b.y, o), M3::from_columns(o, o, b.z)] {
            a = a + rod.mass_matrix(upper, j); // (43)–(46)
        }
        let found = delta.mass_matrix(&p).to_matrix().to_rows().concat();
        prop_assert!(relative_error(&found, &a.to_rows().concat()) < 1e-13);
        prop_assert!(delta.mass_matrix(&p).solve(V3::splat(1.0)).margin > 0.0, "positive definite");
        // platform space: Jᵀ M J = A
        let platform = delta.platform_mass_matrix(&p).to_matrix();
        prop_assert!(relative_error(&(j.transpose() * platform * j).to_rows().concat(), &found) < 1e-12);
    }

    /// G(q) = ∂V/∂q, by dual numbers through the forward kinematics.
    #[test]
    fn gravity_is_the_slope_of_the_potential(delta in robot(), m in motion()) {
        for model in MODELS {
            let delta = delta.with_forearm(model);
            let p = posture(&delta, m.position);
            let q = p.angles();
            let dual = delta.map(Dual::<f64, 3>::constant);
            let variables = V3::new(Dual::variable(q.x, 0), Dual::variable(q.y, 1), Dual::variable(q.z, 2));
            let slope = dual.potential_energy(&dual.linkage().posture_of(variables, Assembly::Below).value).eps;
            prop_assert!(relative_error(&delta.gravity_torque(&p).to_array(), &slope) < 1e-11);
        }
    }

    /// Forward dynamics undoes inverse dynamics, from the platform state and from the joint state.
    #[test]
    fn forward_dynamics_undoes_inverse_dynamics(delta in robot(), m in motion(), force in vector(50.0)) {
        for model in MODELS {
            let delta = delta.with_forearm(model);
            let effort = delta.inverse_dynamics(&m, force).unwrap();
            let back = delta.forward_dynamics(m.position, m.velocity, effort.torque, force).unwrap();
            prop_assert!(relative_error(&back.platform.to_array(), &m.acceleration.to_array()) < 1e-11);
            prop_assert!(relative_error(&back.joint.to_array(), &effort.qddot.to_array()) < 1e-11);
            let q = posture(&delta, m.position).angles();
            let joint = delta.acceleration_of(q, effort.qdot, effort.torque, force, Assembly::Below).value;
            prop_assert!(relative_error(&joint.joint.to_array(), &effort.qddot.to_array()) < 1e-10); // forward kinematics
        }
    }

    /// Platform space: M ẍ + coriolis + gravity = J⁻ᵀτ + f.
    #[test]
    fn platform_space_carries_the_same_equation(delta in robot(), m in motion(), force in vector(50.0)) {
        let p = posture(&delta, m.position);
        let tau = delta.torque(&p, m.velocity, m.acceleration, force).torque;
        let d = delta.platform_dynamics(&p, m.velocity);
        let left = d.mass * m.acceleration + d.coriolis + d.gravity;
        let right = p.inverse_jacobian().transpose() * tau + force;
        prop_assert!(relative_error(&left.to_array(), &right.to_array()) < 1e-11);
        let torque = Delta::static_torque(&p, d.gravity);
        prop_assert!(relative_error(&torque.to_array(), &delta.gravity_torque(&p).to_array()) < 1e-11);
    }

    /// \[Codourey1998, Eq. 58–59\] as printed, from J and ẍ, against the simplified model here.
    #[test]
    fn simplified_model_is_equation_58(delta in robot(), m in motion()) {
        let delta = delta.with_gravity(V3::along_z(-9.81)); // the paper's
        let simple = delta.with_forearm(Forearm::SIMPLIFIED);
        let p = posture(&simple, m.position);
        let effort = simple.torque(&p, m.velocity, m.acceleration, V3::zero());
        let (i, g) = (delta.inertia(), delta.linkage().geometry());
        let j = p.jacobian();
        let arm = i.arm_inertia + i.arm * i.arm_centre.powi(2);
        let i_bt = delta.motor().inertia + arm + g.arm.powi(2) * (i.elbow + 2.0 / 3.0 * i.forearm);
        let m_n = i.platform + i.payload;
        let (m_nt, m_ng) = (m_n + i.forearm, m_n + 1.5 * i.forearm);
        let g_bg = p.legs.map(|leg| {
            9.81 * leg.a_cos / g.arm * (i.arm * i.arm_centre + g.arm * (i.elbow + 0.5 * i.forearm)) // (59)
        });
        let lift = j.transpose() * (m.acceleration * m_nt + V3::along_z(9.81 * m_ng));
        let printed = effort.qddot * i_bt + lift - g_bg; // (58)
        prop_assert!(relative_error(&printed.to_array(), &effort.torque.to_array()) < 1e-12);
        let matrix = M3::diagonal(V3::splat(i_bt)) + (j.transpose() * j) * m_nt; // (50)
        let found = simple.mass_matrix(&p).to_matrix().to_rows().concat();
        prop_assert!(relative_error(&found, &matrix.to_rows().concat()) < 1e-12);
    }

    /// At rest with massless arms and forearms the motors carry the platform alone: J⁻ᵀτ = −m g.
    #[test]
    fn massless_legs_carry_only_the_platform(m in motion(), mass in 0.1..5.0_f64, g in vector(9.0)) {
        let linkage = *catalog::delta_industrial().linkage();
        let inertia = Inertia::thin_rods(linkage.geometry(), mass, 0.0, 0.0, 9.81);
        let delta = Delta::new(linkage, inertia, Motor::ideal()).unwrap().with_gravity(g);
        let p = posture(&delta, m.position);
        let force = p.inverse_jacobian().transpose() * delta.gravity_torque(&p);
        prop_assert!(relative_error(&force.to_array(), &(g * -mass).to_array()) < 1e-12);
    }

    /// A rod with a lump at its upper end is a thin rod and a heavier elbow.
    #[test]
    fn a_lump_on_the_rod_is_a_heavier_elbow(m in motion(), lump in 0.01..0.5_f64) {
        let plain = catalog::delta_industrial();
        let (i, b) = (*plain.inertia(), plain.linkage().geometry().forearm);
        let mass = i.forearm + lump;
        let centre = i.forearm * 0.5 * b / mass;
        let inertia = i.forearm * (b * b / 12.0 + (0.5 * b - centre).powi(2)) + lump * centre.powi(2);
        let with = |inertia: Inertia<f64>| Delta::new(*plain.linkage(), inertia, *plain.motor()).unwrap();
        let on_rod = with(Inertia { forearm: mass, forearm_centre: centre, forearm_inertia: inertia, ..i });
        let on_elbow = with(Inertia { elbow: i.elbow + lump, ..i });
        let torque = |d: &Delta<f64>| d.inverse_dynamics(&m, V3::zero()).unwrap().torque.to_array();
        prop_assert!(relative_error(&torque(&on_rod), &torque(&on_elbow)) < 1e-12);
    }

    /// A payload is a heavier platform; an outside force shifts the torque by −Jᵀf.
    #[test]
    fn payload_and_force_enter_as_they_should(m in motion(), payload in 0.0..5.0_f64, force in vector(50.0)) {
        let delta = catalog::delta_industrial().with_payload(payload);
        let i = *delta.inertia();
        let heavier = Inertia { platform: i.platform + payload, payload: 0.0, ..i };
        let same = Delta::new(*delta.linkage(), heavier, *delta.motor()).unwrap();
        let p = posture(&delta, m.position);
        let torque = |d: &Delta<f64>, f| d.torque(&p, m.velocity, m.acceleration, f).torque;
        let (with, without) = (torque(&delta, force), torque(&delta, V3::zero()));
        prop_assert!(relative_error(&torque(&same, V3::zero()).to_array(), &without.to_array()) < 1e-13);
        let shift = without - Delta::static_torque(&p, force);
        prop_assert!(relative_error(&with.to_array(), &shift.to_array()) < 1e-12);
    }

    /// A third of a turn of the motion and of gravity permutes the torques.
    #[test]
    fn a_third_of_a_turn_permutes_the_torques(delta in robot(), m in motion()) {
        let third = std::f64::consts::TAU / 3.0;
        let turn = M3::rotation_z(third.cos(), third.sin());
        let turned = Motion {
            position: turn * m.position,
            velocity: turn * m.velocity,
            acceleration: turn * m.acceleration,
        };
        let (t, s) = (
            delta.inverse_dynamics(&m, V3::zero()).unwrap().torque,
            delta.with_gravity(turn * delta.inertia().gravity).inverse_dynamics(&turned, V3::zero()).unwrap().torque,
        );
        prop_assert!(relative_error(&s.to_array(), &[t.z, t.x, t.y]) < 1e-11);
    }
}

/// The weight split of \[Codourey1996\] misses the exact gravity torque by several per cent; ½–½ does not.
#[test]
fn the_1996_weight_split_is_not_exact() {
    let delta = catalog::delta_direct_drive();
    let p = posture(&delta, V3::new(0.1, -0.05, -0.3));
    let gravity = |model| delta.with_forearm(model).gravity_torque(&p).to_array();
    let exact = gravity(Forearm::Exact);
    assert!(relative_error(&gravity(Forearm::SIMPLIFIED), &exact) < 1e-14);
    let off = relative_error(&gravity(Forearm::SIMPLIFIED_1996), &exact);
    assert!((0.01..0.10).contains(&off), "{off}");
}

#[test]
fn friction_opposes_motion_and_reflected_inertia_grows_with_the_square() {
    let motor = Motor { inertia: 0.0, viscous: 0.2, coulomb: 0.5 };
    let plain = catalog::delta_industrial();
    let delta = Delta::new(*plain.linkage(), *plain.inertia(), motor).unwrap();
    let friction = delta.friction(V3::new(2.0, 0.0, -3.0)).to_array();
    assert!(relative_error(&friction, &[0.9, 0.0, -1.1]) < 1e-15); // 0.2·2 + 0.5; nothing at rest
    assert!((Motor::reflected_inertia(1e-5, 2e-5, 55.0_f64) - 0.09075).abs() < 1e-16); // one ulp
}

#[test]
fn impossible_masses_are_refused_with_the_number() {
    let good = catalog::delta_industrial();
    let with = |inertia| Delta::new(*good.linkage(), inertia, *good.motor()).unwrap_err();
    let error = with(Inertia { arm: -1.2, ..*good.inertia() });
    assert_eq!(error.to_string(), "`mass.arm` is -1.2; it must not be negative");
    let error = with(Inertia { platform: f64::NAN, ..*good.inertia() });
    assert!(matches!(error.fault, ParameterFault::NotFinite { .. }));
    let error = with(Inertia { forearm_centre: 0.9, ..*good.inertia() });
    assert_eq!(
        error.to_string(),
        "`mass.forearm_centre` is 900.000000 mm, outside its link of 800.000000 mm"
    );
    let error =
        with(Inertia { platform: 0.0, payload: 0.0, forearm: 0.0, forearm_inertia: 0.0, ..*good.inertia() });
    assert_eq!(error.fault, ParameterFault::NoMass);
}

#[test]
fn dynamics_refuse_singular_and_not_finite_states() {
    let delta = catalog::delta_direct_drive();
    let nan = Motion { velocity: V3::new(0.0, 0.0, f64::NAN), ..Motion::rest(V3::new(0.0, 0.0, -0.35)) };
    let error = delta.inverse_dynamics(&nan, V3::zero()).unwrap_err();
    assert_eq!(error.to_string(), "component 3 of the velocity is NaN");
    let stretched = -((0.26_f64 + 0.48).powi(2) - 0.08_f64.powi(2)).sqrt();
    let at = |z| delta.inverse_dynamics(&Motion::rest(V3::new(0.0, 0.0, z)), V3::zero());
    assert!(at(stretched + 1e-6).is_ok());
    let error = at(stretched + 1e-17).unwrap_err();
    assert!(
        matches!(error, PostureError::SerialSingularity { .. } | PostureError::Unreachable { .. }),
        "{error}"
    );
    // Forearms in the plane of the elbows: the platform gives way.
    let short = Geometry { forearm: 0.30, ..*delta.linkage().geometry() };
    let rods = Inertia::thin_rods(&short, 0.27, 0.4, 0.1, 9.81);
    let robot = Delta::new(Linkage::new(short).unwrap(), rods, Motor::ideal()).unwrap();
    let level = V3::new(0.0, 0.0, -(0.26_f64.powi(2) - 0.22_f64.powi(2)).sqrt());
    let error = robot.inverse_dynamics(&Motion::rest(level), V3::zero()).unwrap_err();
    assert!(matches!(error, PostureError::ParallelSingularity { .. }), "{error}");
    // Forward dynamics passes through there: the mass matrix at the platform stays regular.
    let fall = robot.forward_dynamics(level, V3::zero(), V3::zero(), V3::zero()).unwrap();
    assert!(fall.platform.z < 0.0 && fall.platform.z.is_finite());
}
