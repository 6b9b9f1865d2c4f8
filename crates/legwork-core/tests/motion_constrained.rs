//! Constrained, projected and momentum form against each other and against the
//! minimal form; drift; arms that differ and robots with four of them.

mod motion_support;

use legwork_core::V3;
use legwork_core::engine::{Pose, Twist};
use legwork_core::integrate::Settings;
use legwork_core::motion::{
    Arms, Constrained, DeltaMinimal, Formulation, Hamiltonian, Load, Minimal, Multibody, Projected,
};
use legwork_core::robots::catalog;
use legwork_core::robots::delta::constrained::{Baumgarte, ConstrainedDelta};
use legwork_core::robots::delta_legs::delta_legs;
use legwork_testkit::Seeded;
use motion_support::{Swing, arm, run, symmetric_start};
use std::f64::consts::FRAC_PI_4;

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
        let fast = Multibody::<9, 9, 6>::response(&arms, &q, &v, &load, pull).unwrap();
        let dense = Multibody::<9, 9, 6>::terms(&arms, &q, &v, &load).unwrap().response(&v, pull).unwrap();
        let three = |x: [f64; 9]| V3::new(0, 3, 6).map(|i| V3::new(x[i], x[i + 1], x[i + 2]));
        let paper = delta.accelerations(three(q), three(v), effort.into(), pull).value;
        let flat = paper.accelerations.map(V3::to_array).to_array().concat();
        let scale = flat.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (k, exact) in flat.iter().enumerate() {
            // 1e-9: rounding times the condition of nearly stretched arms
            assert!((fast.acceleration[k] - exact).abs() < 1e-9 * scale);
            assert!((dense.acceleration[k] - exact).abs() < 1e-9 * scale);
        }
        let lambda = paper.multipliers.to_array();
        let scale = lambda.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
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
        let form = Constrained::<_, 9, 9, 6>::new(body, pole);
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
    end!("constrained", Constrained::<_, 9, 9, 6>::new(arms, 5.0), 1e-9);
    end!("projected", Projected::<_, 9, 9, 6>::new(arms), 1e-13);
    end!("hamiltonian", Hamiltonian::<_, 9, 6>::new(arms), 1e-13);
    for (name, end) in &ends {
        let off = (*end - ends[0].1).norm_sq().sqrt();
        println!("{name:12} off by {off:.1e} m");
        assert!(off < 1e-9, "{name} is {off:e} m off");
    }
}
