//! Errata of \[NgocKim2010\]. Robot delta-ngoc-kim at (40, −30, −200) mm with (0.5, 0.8, −0.3) m/s and (20, −30, 10) m/s².

use super::ErratumKind::{Claim, Misleading, Paper, PaperOrScan};
use super::{Erratum, ErrorSize, Sizes, in_words};
use crate::Paper::NgocKim2010;
use crate::khalil_ibrahim::relative;
use legwork::Real;
use legwork::V3;
use legwork::robots::catalog;
use legwork::robots::delta::{Forearm, Motion};
use std::f64::consts::TAU;

pub(crate) const ERRATA: &[Erratum] = &[
    Erratum {
        paper: NgocKim2010,
        place: "sec. 2, t₁",
        kind: PaperOrScan,
        printed: "t = b ± √(b² − c_z² + a²)/(c_z + a)",
        right: "t = (b ± √(…))/(c_z + a); one root is false and the divisor can vanish, an arctangent of two arguments is better",
        sizes: Some(half_angle),
    },
    in_words(
        NgocKim2010,
        "sec. 2, θ₂",
        Misleading,
        "arccos κ",
        "−arccos κ with the elbows out: both signs are solutions",
    ),
    Erratum {
        paper: NgocKim2010,
        place: "eq. 3, J_q",
        kind: PaperOrScan,
        printed: "sin θ₁₁ in the first entry",
        right: "sin θ₂₁",
        sizes: Some(first_entry),
    },
    Erratum {
        paper: NgocKim2010,
        place: "sec. 3, torque",
        kind: PaperOrScan,
        printed: "the bracket closes before sin θ, so −p_z cos θ stands alone",
        right: "−2aλ [(p_x cos φ + p_y sin φ + h − r) sin θ − p_z cos θ]",
        sizes: Some(bracket),
    },
    in_words(
        NgocKim2010,
        "Table 1",
        Paper,
        "a and b are the radii of base and platform",
        "in the dynamics a and b are the lengths l₁ and l₂, r and h the radii",
    ),
    Erratum {
        paper: NgocKim2010,
        place: "sec. 3, lumping",
        kind: Misleading,
        printed: "m_b of the \"parallelogram\", half at each end",
        right: "the equations hold with m_b for one rod of two; half and half is exact for the weight, not for the inertia",
        sizes: Some(halves),
    },
    in_words(NgocKim2010, "sec. 3", Misleading, "no motor inertia", "add I_m θ̈"),
    in_words(NgocKim2010, "fig. 2", Claim, "actuator forces", "torques"),
];

fn motion() -> Motion<f64> {
    Motion {
        position: V3::new(0.04, -0.03, -0.2),
        velocity: V3::new(0.5, 0.8, -0.3),
        acceleration: V3::new(20.0, -30.0, 10.0),
    }
}

fn half_angle() -> Sizes {
    let robot = catalog::delta_ngoc_kim().to_ngoc_kim();
    let p = motion().position;
    let angles = robot.limb_angles(p).value.x;
    let (sin3, (sin2, cos2)) = (angles.theta3.sin(), angles.theta2.sin_cos());
    let a = robot.rod * sin3 * sin2;
    let b = robot.arm + robot.rod * sin3 * cos2;
    let root = (b * b - (p.z * p.z - a * a)).sqrt();
    let error = |t: f64| {
        let turns = (2.0 * t.atan() - angles.theta1) / TAU;
        (turns - turns.round()).abs() * TAU
    };
    let right = [1.0, -1.0].map(|sign| error((b + sign * root) / (p.z + a)));
    let printed = [1.0, -1.0].map(|sign| error(b + sign * root / (p.z + a))); // as printed
    let best = |list: [f64; 2]| Real::min(list[0], list[1]);
    Ok(vec![
        ErrorSize::of("θ₁ of limb 1, the better root", "rad", (best(right), 1e-12), best(printed)),
        ErrorSize::of_printed("θ₁ of limb 1, the false root", "rad", Real::max(right[0], right[1])),
    ])
}

fn first_entry() -> Sizes {
    let delta = catalog::delta_ngoc_kim();
    let robot = delta.to_ngoc_kim();
    let m = motion();
    let posture = delta.linkage().posture(m.position)?;
    // θ = −q: the rates of virtual work are the witness.
    let witness = -posture.joint_velocity(m.velocity).x;
    let angles = robot.limb_angles(m.position).value.x;
    let along = posture.legs.x.s.dot(m.velocity) / robot.rod;
    let rate = |sin: f64| along / (robot.arm * sin * angles.theta3.sin());
    let error = |rate: f64| (rate / witness - 1.0).abs();
    let printed = rate(angles.theta1.sin()); // as printed
    Ok(vec![ErrorSize::of("θ̇ of motor 1", "", (error(rate(angles.theta2.sin())), 1e-12), error(printed))])
}

fn bracket() -> Sizes {
    let delta = catalog::delta_ngoc_kim();
    let robot = delta.to_ngoc_kim();
    let m = motion();
    let found = robot.inverse_dynamics(m.position, m.velocity, m.acceleration).value;
    // τ along θ is minus that along q.
    let witness = -delta.with_forearm(Forearm::HALVES).torque_for(&m, V3::zero()).value.torque;
    let angles = robot.limb_angles(m.position).value;
    let more = angles.zip(found.multipliers, |angle, l| {
        let height = m.position.z * angle.theta1.cos();
        // as printed: −p_z cos θ instead of −2aλ (−p_z cos θ)
        -height - 2.0 * robot.arm * l * height
    });
    let off = |torque: V3<f64>| (torque - witness).norm_sq().sqrt();
    let size = ErrorSize::of("torques", "N m", (off(found.torque), 1e-12), off(found.torque + more));
    Ok(vec![size, ErrorSize::of_printed("of torques of", "N m", witness.norm_sq().sqrt())])
}

fn halves() -> Sizes {
    let delta = catalog::delta_ngoc_kim();
    let m = motion();
    let exact = delta.torque_for(&m, V3::zero()).value.torque.to_array();
    let error = |forearm| {
        let torque = delta.with_forearm(forearm).torque_for(&m, V3::zero()).value.torque;
        relative(&torque.to_array(), &exact)
    };
    Ok(vec![
        ErrorSize::of_printed("torque, half and half against thin rods", "", error(Forearm::HALVES)),
        ErrorSize::of_printed("torque, ⅔ and ⅓ against thin rods", "", error(Forearm::SIMPLIFIED)),
    ])
}
