//! Forms in all joints for legs whose number and length are run-time numbers.

use crate::engine_support::{c5, five_bar, gough, hexa, pose, rrr3, space, with_wrist};
use crate::motion_support::run;
use legwork_core::V3;
use legwork_core::engine::legs::UpsLeg;
use legwork_core::engine::{AnyLeg, Leg, LegModel, Pose, RigidBody, Robot, Twist, Ups, Wrench};
use legwork_core::integrate::{List, Settings, Vector};
use legwork_core::motion::{
    AnyOpenLegs, Arms, Closing, Constrained, DeltaMinimal, Fault, Formulation, Load, MOST_LEGS, OpenForm,
    OpenLegs, Projected,
};
use legwork_core::robots::catalog;
use legwork_core::robots::delta::constrained::Baumgarte;
use legwork_core::robots::delta::{Delta, Forearm};
use legwork_core::robots::delta_legs::delta_legs;
use legwork_core::{Dual, Sym3};
use legwork_testkit::{Seeded, golden, largest, nan_max};

/// T by dual numbers in the joints.
fn gradient_by_duals<const N: usize>(leg: &Leg<f64, N>, q: &[f64; N], rate: &[f64; N]) -> [f64; N] {
    let chain = leg.chain.map(Dual::<f64, N>::constant);
    let q = std::array::from_fn(|j| Dual::variable(q[j], j));
    let posture = chain.posture(&chain.values(&q));
    chain.kinetic_energy(&posture, &(*rate).map(Dual::constant)).eps
}

fn check_gradient<const N: usize>(name: &str, leg: &Leg<f64, N>, random: &mut Seeded) {
    for _ in 0..20 {
        let q: [f64; N] = std::array::from_fn(|_| random.uniform(-1.5, 1.5));
        let rate: [f64; N] = std::array::from_fn(|_| random.uniform(-3.0, 3.0));
        let posture = leg.chain.posture(&leg.chain.values(&q));
        let inertias = leg.chain.inertias(&posture);
        let found = leg.chain.kinetic_gradient(&posture, &inertias, &rate);
        let size = 1.0 + leg.chain.kinetic_energy(&posture, &rate);
        for (a, b) in found.iter().zip(gradient_by_duals(leg, &q, &rate)) {
            assert!((a - b).abs() < 1e-12 * size, "{name}: {a} {b}"); // rounding of a dozen products
        }
    }
}

#[test]
fn the_gradient_of_the_kinetic_energy_is_its_derivative() {
    let mut random = Seeded::new(7);
    let legs =
        [gough(&golden("gough_stewart.json")).robot().legs[0], hexa(&golden("hexa.json")).robot().legs[1]];
    for leg in &legs {
        check_gradient("three joints", leg, &mut random);
        check_gradient(
            "five joints",
            &with_wrist::<5>(leg, &Pose::translation(V3::along_z(0.5))),
            &mut random,
        );
    }
    check_gradient("two joints", &five_bar(&golden("fivebar.json")).robot().legs[0], &mut random);
    check_gradient("one joint", &c5(&golden("c5.json")).robot().legs[0], &mut random);
}

#[test]
fn a_closed_form_leg_unfolds_into_its_chain() {
    let mut random = Seeded::new(11);
    let robot = gough(&golden("gough_stewart.json")).robot();
    let pose = Pose::translation(V3::new(0.05, -0.02, 0.9));
    for leg in robot.legs {
        let closed = Ups::recognized(&leg, &pose).unwrap();
        let again = closed.leg();
        let twist = Twist::new(V3::from(random.triple(1.0)), V3::from(random.triple(1.0)));
        let gravity = V3::from(random.triple(9.0));
        let (a, b) = (closed.terms(&pose, twist, gravity).value, again.terms(&pose, twist, gravity).value);
        for (a, b) in a.mass.to_matrix().as_flattened().iter().zip(b.mass.to_matrix().as_flattened()) {
            assert!((a - b).abs() < 1e-12, "{a} {b}"); // kg and kg·m² of order one
        }
        for (a, b) in a.coriolis.iter().chain(&a.gravity).zip(b.coriolis.iter().chain(&b.gravity)) {
            assert!((a - b).abs() < 1e-11, "{a} {b}"); // N and N·m of order ten
        }
    }
    // A leg without any mass has no centre of mass either.
    let bare = Ups::recognized(&robot.legs[0], &pose).unwrap().massless().leg();
    assert!(bare.chain.links.iter().all(|link| link.body.is_none_or(|body| body == RigidBody::massless())));
}

fn any<const N: usize, const M: usize, const D: usize, const K: usize>(
    robot: &Robot<f64, N, M, D, K>,
) -> Vec<AnyLeg<f64>>
where
    AnyLeg<f64>: From<Leg<f64, N>>,
{
    robot.legs.iter().map(|leg| AnyLeg::from(*leg)).collect()
}

fn places<const D: usize>(columns: &[[f64; 6]; D]) -> Vec<usize> {
    columns.iter().map(|column| column.iter().position(|x| *x == 1.0).unwrap()).collect()
}

/// Open and moving apart: accelerations and pull against the dense form of constant sizes.
fn same_accelerations<
    const N: usize,
    const M: usize,
    const D: usize,
    const K: usize,
    const P: usize,
    const Q: usize,
    const C: usize,
>(
    name: &str,
    robot: &Robot<f64, N, M, D, K>,
    pose: &Pose<f64>,
) where
    AnyLeg<f64>: From<Leg<f64, N>>,
{
    let mut random = Seeded::new(3);
    let legs = any(robot);
    let freedoms = places(robot.space.columns());
    let open = AnyOpenLegs::new(&legs, robot.platform, &freedoms, robot.gravity).unwrap();
    let form = OpenForm::new(open, Closing::Pulled(Baumgarte::from_pole(5.0)));
    let dense = Constrained::<_, P, Q, C>::new(OpenLegs { robot: *robot }, 5.0);
    let effort: [f64; K] = std::array::from_fn(|_| random.uniform(-20.0, 20.0));
    let load = Load {
        effort: &effort,
        wrench: Wrench::new(V3::from(random.triple(10.0)), V3::from(random.triple(2.0))),
    };
    let (mut q, mut v) = dense.state_at(pose, Twist::zero()).unwrap();
    for q in &mut q {
        *q += random.uniform(-0.02, 0.02);
    }
    for v in &mut v {
        *v = random.uniform(-1.0, 1.0);
    }
    let (mut lq, mut lv) = (List::zeros(P), List::zeros(N * M + 6));
    lq.as_mut_slice().copy_from_slice(&q);
    lv.as_mut_slice()[..N * M].copy_from_slice(&v[..N * M]);
    for (place, value) in freedoms.iter().zip(&v[N * M..]) {
        lv.as_mut_slice()[N * M + place] = *value;
    }
    let (a, b) = (dense.rate(&(q, v), &load).unwrap(), form.rate(&(lq, lv), &load).unwrap());
    let size = nan_max(1.0, largest(a.state.1));
    for (k, a) in a.state.1.iter().enumerate() {
        let b = b.state.1.as_slice()[if k < N * M { k } else { N * M + freedoms[k - N * M] }];
        assert!((a - b).abs() < 1e-9 * size, "{name} {k}: {a} {b}"); // rounding times the condition of M, 1e5
    }
    assert!((a.work - b.work).abs() < 1e-10 && (a.dissipation - b.dissipation).abs() < 1e-10);
    assert_eq!(dense.energy(&(q, v)), form.energy(&(lq, lv)));
}

#[test]
fn open_loops_are_pulled_as_in_the_dense_form() {
    macro_rules! check {
        ($name:literal, $robot:expr, $p:literal, $q:literal, $c:literal) => {
            let file = golden(concat!($name, ".json"));
            same_accelerations::<_, _, _, _, $p, $q, $c>(
                $name,
                &$robot(&file).robot(),
                &pose(&file["states"][0]),
            );
        };
    }
    check!("gough_stewart", gough, 25, 24, 18);
    check!("space_table1", space, 16, 15, 9);
    check!("hexa", hexa, 25, 24, 18);
    check!("c5", c5, 13, 12, 6);
    check!("fivebar", five_bar, 11, 6, 4);
    check!("rrr3", rrr3, 13, 9, 6);
}

fn tolerance(tolerance: f64) -> Settings {
    Settings::default().with_tolerance(tolerance)
}

/// Without torque the industrial Delta falls until all legs are stretched, and swings through.
/// On the way J_i is singular; nine angles of the closed form are the judge.
#[test]
fn a_stretched_leg_is_passed() {
    let delta = catalog::delta_industrial();
    let robot = delta_legs(&delta);
    let legs = any(&robot);
    let open = AnyOpenLegs::new(&legs, robot.platform, &[0, 1, 2], robot.gravity).unwrap();
    let start = Pose::translation(V3::new(0.02, 0.01, -0.8));
    let arms = Projected::<_, 9, 9, 6>::new(Arms::from(&delta));
    let exact =
        run(arms, arms.state_at(&start, Twist::zero()).unwrap(), [0.0; 3], 0.6, tolerance(1e-11)).unwrap();
    let minimal = DeltaMinimal::new(delta);
    let x = minimal.state_at(&start, Twist::zero()).unwrap();
    assert!(
        run(minimal, x, [0.0; 3], 0.6, tolerance(1e-11)).is_err(),
        "the run should come to a stretched leg"
    );
    for closing in [Closing::Projected, Closing::Momenta, Closing::Pulled(Baumgarte::from_pole(5.0))] {
        let form = OpenForm::new(open, closing);
        let found = run(form, form.state_at(&start, Twist::zero()).unwrap(), [0.0; 3], 0.6, tolerance(1e-11))
            .unwrap();
        let off = (found.position() - exact.position()).norm_sq().sqrt();
        println!(
            "{closing:?}: {off:.1e} m, drift {:.1e} m, energy {:.1e} of {:.1e} J",
            found.drift, found.imbalance, found.kinetic
        );
        assert!(off < 1e-9, "{closing:?}: {off:e} m");
        assert!(found.imbalance < 1e-9 * found.kinetic, "{closing:?}: {:e} J", found.imbalance);
    }
}

/// Lumped forearms in nine angles move as they do in closed form, weight split as inertia or not.
#[test]
fn lumped_forearms_have_a_constrained_form() {
    let start = Pose::translation(V3::new(0.15, -0.1, -0.72));
    let exact_end = lumped_end(&catalog::delta_industrial(), &start);
    for forearm in [Forearm::SIMPLIFIED, Forearm::SIMPLIFIED_1996, Forearm::HALVES] {
        let delta = catalog::delta_industrial().with_forearm(forearm);
        let end = lumped_end(&delta, &start);
        assert!(
            (end - exact_end).norm_sq().sqrt() > 1e-5,
            "{forearm:?} should move otherwise than exact forearms"
        );
    }
}

fn lumped_end(delta: &Delta<f64>, start: &Pose<f64>) -> V3<f64> {
    let hold = delta.gravity_torque(&delta.linkage().posture(V3::new(0.0, 0.0, -0.8)).unwrap()).to_array();
    let minimal = DeltaMinimal::new(*delta);
    let x = minimal.state_at(start, Twist::zero()).unwrap();
    let exact = run(minimal, x, hold, 0.3, tolerance(1e-11)).unwrap();
    let form = Projected::<_, 9, 9, 6>::new(Arms::from(delta));
    let y = form.state_at(start, Twist::zero()).unwrap();
    assert!((minimal.energy(&x).potential - form.energy(&y).potential).abs() < 1e-12);
    let found = run(form, y, hold, 0.3, tolerance(1e-11)).unwrap();
    let off = (found.position() - exact.position()).norm_sq().sqrt();
    assert!(off < 1e-9 && (found.kinetic - exact.kinetic).abs() < 1e-6, "{off:e} m");
    exact.position()
}

#[test]
fn more_legs_than_fit_are_refused() {
    let leg = AnyLeg::from(
        UpsLeg {
            base: Pose::identity(),
            platform_point: V3::zero(),
            cylinder: RigidBody::massless(),
            rod: RigidBody { inertia: Sym3::scalar(0.1), ..RigidBody::point(1.0, V3::zero()) },
            first: None,
            slide: legwork_core::engine::Drive::ideal(),
        }
        .leg(),
    );
    let refused =
        AnyOpenLegs::new(&vec![leg; MOST_LEGS + 1], RigidBody::massless(), &[2], V3::zero()).unwrap_err();
    assert_eq!(refused, Fault::TooMany { what: "legs", most: MOST_LEGS, found: MOST_LEGS + 1 });
}

#[test]
fn a_list_counts_what_it_holds() {
    let mut a = List::<f64, 8>::zeros(3);
    a.as_mut_slice().copy_from_slice(&[1.0, 2.0, 3.0]);
    let longer = a.zip(&List::zeros(5), |a, b| a + b + 1.0);
    assert_eq!((a.length(), longer.as_slice()), (3, [2.0, 3.0, 4.0, 1.0, 1.0].as_slice()));
    assert_eq!(List::<f64, 8>::zero().zip(&a, |a, b| a - b).as_slice(), [-1.0, -2.0, -3.0]);
    assert_eq!((List::<f64, 8>::zeros(9).length(), (a, [0.0; 2]).length()), (8, 5));
}
