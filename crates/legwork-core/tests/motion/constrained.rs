//! Constrained, projected and momentum form against each other and against the
//! minimal form; drift; arms that differ and robots with four of them.

use crate::motion_support::{Swing, arm, run, symmetric_start};
use legwork_core::V3;
use legwork_core::engine::{Mechanism, Pose, Twist};
use legwork_core::integrate::Settings;
use legwork_core::motion::{
    Arms, Constrained, DeltaMinimal, Formulation, Hamiltonian, Load, Minimal, Multibody, Projected,
};
use legwork_core::robots::catalog;
use legwork_core::robots::delta::constrained::{ArmParameters, Baumgarte, ConstrainedDelta};
use legwork_core::robots::delta::{Delta, Forearm, Geometry, Linkage};
use legwork_core::robots::delta_legs::delta_legs;
use legwork_testkit::{Seeded, largest};
use std::f64::consts::{FRAC_PI_4, TAU};

fn tolerance(tolerance: f64) -> Settings {
    Settings::default().with_tolerance(tolerance)
}

/// Accelerations and multipliers by tip masses, by the dense matrices, and by the 6×6 of the paper.
#[test]
fn three_roads_to_the_multipliers() {
    let mut random = Seeded::new(0xB0_27);
    for _ in 0..100 {
        let mut parts = [arm("bortoff_A"); 3];
        for part in &mut parts {
            *part = part.map(|x| x * random.uniform(0.9, 1.1));
        }
        let delta = ConstrainedDelta::new(parts.into());
        let arms = Arms::<3>::from(delta);
        let state = |low: [f64; 3], high: [f64; 3], r: &mut Seeded| -> [f64; 9] {
            std::array::from_fn(|k| r.uniform(low[k % 3], high[k % 3]))
        };
        let q = state([-0.6, 1.6, -0.5], [1.2, 2.9, 0.5], &mut random);
        let v = state([-3.0; 3], [3.0; 3], &mut random);
        let effort = random.triple(5.0);
        let (load, pull) = (Load::of_motors(&effort), Baumgarte::from_pole(5.0));
        let fast = Multibody::<9, 6>::response(&arms, &q, &v, &load, pull).unwrap();
        let dense = Multibody::<9, 6>::terms(&arms, &q, &v, &load).unwrap().response(&v, pull).unwrap();
        let three = |x: [f64; 9]| V3::new(0, 3, 6).map(|i| V3::new(x[i], x[i + 1], x[i + 2]));
        let paper = delta.accelerations(three(q), three(v), effort.into(), pull).value;
        let flat = paper.accelerations.map(V3::to_array).to_array().concat();
        let scale = largest(&flat);
        for (k, exact) in flat.iter().enumerate() {
            // 1e-9: rounding times the condition of nearly stretched arms
            assert!((fast.acceleration[k] - exact).abs() < 1e-9 * scale);
            assert!((dense.acceleration[k] - exact).abs() < 1e-9 * scale);
        }
        let lambda = paper.multipliers.to_array();
        let scale = largest(lambda);
        for (k, exact) in lambda.iter().enumerate() {
            assert!((fast.multipliers[k] - exact).abs() < 1e-9 * scale);
            assert!((dense.multipliers[k] - exact).abs() < 1e-9 * scale);
        }
    }
}

/// Bortoff's claim, and what happens without stabilisation \[µm\]; the figures of a
/// NumPy prototype with RK45 stand in the last column.
#[test]
fn drift_stays_below_a_micrometre() {
    let (start, hold) = symmetric_start(arm("bortoff_B"), FRAC_PI_4);
    let body = Arms::<3>::regular(arm("bortoff_B"));
    let drift = |pole: f64, rtol: f64| {
        let form = Constrained::<_, 9, 6>::new(body, pole);
        let x = form.state_at(&Pose::translation(start), Twist::zero()).unwrap();
        let ran = run(form, x, Swing(hold), 5.0, tolerance(rtol)).unwrap();
        let (low, high) = (ran.motor.0.to_degrees(), ran.motor.1.to_degrees());
        println!(
            "pole {pole} rtol {rtol:e}: drift {:.2e} um, motor 1 {low:.1}..{high:.1} deg, {:?}",
            ran.drift * 1e6,
            ran.statistics
        );
        ran.drift * 1e6
    };
    for (rtol, bar) in [(1e-4, 30.0), (1e-6, 1.0), (1e-8, 1e-3)] {
        assert!(drift(5.0, rtol) < bar, "{rtol:e}");
    }
    assert!(drift(0.0, 1e-4) > 10.0 * drift(5.0, 1e-4)); // without stabilisation
}

/// The same run five ways: closed form, general engine, multipliers, projection, momenta.
#[test]
fn formulations_agree() {
    let delta = catalog::delta_bortoff_b();
    let (arms, robot) = (Arms::from(&delta), delta_legs(&delta));
    let (start, hold) = symmetric_start(arms.arms[0], FRAC_PI_4);
    let pose = Pose::translation(start + V3::new(0.03, -0.02, 0.01));
    let twist = Twist::new(V3::new(0.2, 0.1, -0.1), V3::zero());
    let mut ends = Vec::new();
    macro_rules! end {
        ($name:literal, $form:expr, $gap:literal) => {
            let form = $form;
            let x = form.state_at(&pose, twist).unwrap();
            let ran = run(form, x, Swing(hold), 2.0, tolerance(1e-11)).unwrap();
            println!(
                "{:12} {:?} drift {:.1e} imbalance {:.1e} J of {:.2}",
                $name, ran.statistics, ran.drift, ran.imbalance, ran.kinetic
            );
            assert!(ran.drift < $gap, "{}: loops open by {:e} m", $name, ran.drift);
            assert!(ran.imbalance < 1e-9 * ran.kinetic, "{}: {:e} J", $name, ran.imbalance);
            ends.push(($name, ran.position()));
        };
    }
    end!("minimal", DeltaMinimal::new(delta), 1e-12);
    end!("engine", Minimal { mechanism: robot.mechanism() }, 1e-12);
    end!("constrained", Constrained::<_, 9, 6>::new(arms, 5.0), 1e-9);
    end!("projected", Projected::<_, 9, 6>::new(arms), 1e-13);
    end!("hamiltonian", Hamiltonian::<_, 9, 6>::new(arms), 1e-13);
    for (name, end) in &ends {
        let off = (*end - ends[0].1).norm_sq().sqrt();
        println!("{name:12} off by {off:.1e} m");
        assert!(off < 1e-9, "{name} is {off:e} m off");
    }
}

/// A Delta with four arms through the constraint form, and the same robot in minimal form by
/// the general engine: four motors, three freedoms.
#[test]
fn four_arms_run_and_agree_with_the_engine() {
    let delta = catalog::delta_bortoff_b();
    let quarter = ArmParameters { tip_mass: 0.25 * delta.inertia().platform, ..Arms::from(&delta).arms[0] };
    let arms = Arms::<4>::regular(quarter);
    // The same legs for the engine: the first along +y of the paper's frame is our +x; theirs turn the other way.
    let legs = [0.0, 0.75, 0.5, 0.25].map(|turn: f64| {
        let g = Geometry {
            azimuth: Geometry::<f64>::regular_azimuth().map(|a| a + TAU * turn),
            ..*delta.linkage().geometry()
        };
        delta_legs(&Delta::unchecked(Linkage::unchecked(g), *delta.inertia(), *delta.motor())).legs[0]
    });
    let three = delta_legs(&delta);
    let mechanism: Mechanism<'_, f64, _, 3, 4> =
        Mechanism { platform: three.platform, legs: &legs, space: three.space, gravity: three.gravity };
    let (start, hold) = symmetric_start(Arms::from(&delta).arms[0], FRAC_PI_4);
    let (pose, twist) = (
        Pose::translation(start + V3::new(0.03, -0.02, 0.01)),
        Twist::new(V3::new(0.2, 0.1, -0.1), V3::zero()),
    );
    let minimal = Minimal { mechanism };
    let x = minimal.state_at(&pose, twist).unwrap();
    let exact = run(minimal, x, Swing(0.9 * hold), 1.0, tolerance(1e-11)).unwrap().position();
    let constrained = Constrained::<_, 12, 9>::new(arms, 5.0);
    let x = constrained.state_at(&pose, twist).unwrap();
    let a = run(constrained, x, Swing(0.9 * hold), 1.0, tolerance(1e-11)).unwrap();
    let projected = Projected::<_, 12, 9>::new(arms);
    let b = run(projected, x, Swing(0.9 * hold), 1.0, tolerance(1e-11)).unwrap();
    let momenta = Hamiltonian::<_, 12, 9>::new(arms);
    let x = momenta.state_at(&pose, twist).unwrap();
    let c = run(momenta, x, Swing(0.9 * hold), 1.0, tolerance(1e-11)).unwrap();
    for (name, ran, drift) in [("constrained", a.position(), a.drift), ("projected", b.position(), b.drift)] {
        let off = (ran - exact).norm_sq().sqrt();
        println!("{name}: {off:.1e} m off, drift {drift:.1e} m");
        assert!(off < 1e-9 && drift < 1e-9, "{name}: {off:e} m");
    }
    assert!((c.position() - exact).norm_sq().sqrt() < 1e-9);
}

/// One arm longer and heavier than the others: nobody has a closed form for it but the three
/// constraint forms, and energy.
#[test]
fn an_odd_arm_runs() {
    let mut arms = Arms::<3>::regular(ArmParameters { damping: V3::zero(), ..arm("bortoff_B") });
    arms.arms[1].lower *= 1.15;
    arms.arms[1].upper *= 0.9;
    arms.arms[1].upper_mass *= 1.3;
    let (start, hold) = symmetric_start(arms.arms[0], FRAC_PI_4);
    let pose = Pose::translation(start);
    let projected = Projected::<_, 9, 6>::new(arms);
    let x = projected.state_at(&pose, Twist::zero()).unwrap();
    let a = run(projected, x, Swing(hold), 1.0, tolerance(1e-11)).unwrap();
    let constrained = Constrained::<_, 9, 6>::new(arms, 5.0);
    let b = run(constrained, x, Swing(hold), 1.0, tolerance(1e-11)).unwrap();
    let momenta = Hamiltonian::<_, 9, 6>::new(arms);
    let c = run(momenta, momenta.state_at(&pose, Twist::zero()).unwrap(), Swing(hold), 1.0, tolerance(1e-11))
        .unwrap();
    assert!((a.position() - b.position()).norm_sq().sqrt() < 1e-9);
    assert!((a.position() - c.position()).norm_sq().sqrt() < 1e-9);
    for imbalance in [a.imbalance, b.imbalance, c.imbalance] {
        assert!(imbalance < 1e-9 * a.kinetic, "{imbalance:e} of {:e} J", a.kinetic);
    }
    assert!((a.position() - start).norm_sq().sqrt() > 1e-3); // it does move
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
    let form = Projected::<_, 9, 6>::new(Arms::from(delta));
    let y = form.state_at(start, Twist::zero()).unwrap();
    assert!((minimal.energy(&x).potential - form.energy(&y).potential).abs() < 1e-12);
    let found = run(form, y, hold, 0.3, tolerance(1e-11)).unwrap();
    let off = (found.position() - exact.position()).norm_sq().sqrt();
    assert!(off < 1e-9 && (found.kinetic - exact.kinetic).abs() < 1e-6, "{off:e} m");
    exact.position()
}
