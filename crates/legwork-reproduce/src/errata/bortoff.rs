//! Errata of \[Bortoff2018\]. Robot delta-bortoff-b with the platform at (60, −40) mm beside its axis, 0.35 m down.

use super::ErratumKind::{Claim, Misleading, Paper, Scan};
use super::{Erratum, ErrorSize, Sizes, in_words};
use crate::Paper::Bortoff2018;
use legwork::Real;
use legwork::V3;
use legwork::robots::catalog;
use legwork::robots::delta::constrained::{Angles, ArmParameters, Baumgarte, ConstrainedDelta};
use legwork::robots::delta::{Assembly, to_constrained_frame};

pub(crate) const ERRATA: &[Erratum] = &[
    Erratum {
        paper: Bortoff2018,
        place: "eq. 1, 5, Table I",
        kind: Paper,
        printed: "m₃ is a third of the platform by the table, and divided by three again in the equations",
        right: "divide once, as the appendix does",
        sizes: Some(third),
    },
    in_words(
        Bortoff2018,
        "Table I",
        Paper,
        "inertias in N m/s²",
        "kg m²; about the centres of mass, the rotor added to J₁",
    ),
    Erratum {
        paper: Bortoff2018,
        place: "eq. 3, 4",
        kind: Paper,
        printed: "no offset of the base",
        right: "+ (l₀ − l₃) in the second component, as in the appendix",
        sizes: Some(offset),
    },
    in_words(
        Bortoff2018,
        "eq. 8",
        Misleading,
        "no damping",
        "the appendix has D v; φ₂ and φ₃ are absolute angles, so D pulls against the world and not in the elbow",
    ),
    Erratum {
        paper: Bortoff2018,
        place: "eq. 9, 12",
        kind: Paper,
        printed: "λᵀh inside the Lagrangian and λᵀH on the right side as well (12, 15, 22: a row)",
        right: "the constraint force Hᵀλ once, a column",
        sizes: Some(twice),
    },
    in_words(
        Bortoff2018,
        "after eq. 16",
        Paper,
        "C and G are \"diag\"",
        "stacked vectors; M and B are block diagonal",
    ),
    in_words(Bortoff2018, "eq. 18", Misleading, "½ v ∂M/∂q v", "component k is ½ vᵀ (∂M/∂q_k) v"),
    in_words(Bortoff2018, "eq. 21", Paper, "∂H/∂q q̇", "H q̇, which is ∂h/∂q q̇"),
    in_words(
        Bortoff2018,
        "eq. 23",
        Misleading,
        "\"polynomial = 0 is Hurwitz\"",
        "its roots lie in the open left half plane; a pole of 5 is α₁ = 10, α₀ = 25",
    ),
    Erratum {
        paper: Bortoff2018,
        place: "eq. 29–31",
        kind: Paper,
        printed: "ψ(q_i) − w = 0 for every arm",
        right: "R_i ψ(q_i) − w = 0",
        sizes: Some(rotations),
    },
    in_words(Bortoff2018, "eq. 32", Paper, "a row times [B Hᵀ]", "[B Hᵀ] [u; λ] = G"),
    in_words(
        Bortoff2018,
        "after eq. 35",
        Paper,
        "α(q) and 1/β",
        "α(q, v) and the inverse of a 3 × 3 matrix β",
    ),
    Erratum {
        paper: Bortoff2018,
        place: "sec. I, IV.A",
        kind: Claim,
        printed: "the forward kinematics is one-to-one and has no analytic form",
        right: "three spheres of equal radius meet in closed form, below and above the elbows",
        sizes: Some(closed_form),
    },
    in_words(
        Bortoff2018,
        "sec. IV.E",
        Claim,
        "gravity compensation makes every equilibrium exponentially stable",
        "it makes every pose an equilibrium: three poles stay at 0 (computed under `gravity`); a PD around it does it",
    ),
    in_words(
        Bortoff2018,
        "fig. 5",
        Claim,
        "four poles at −2 ± j, \"moving slightly\" from −0.5 ± 5.5j",
        "that is not slight; see `fig5`",
    ),
    in_words(
        Bortoff2018,
        "appendix",
        Scan,
        "dps, arm1.ps, M1 and L2 without p., M and m, C1 and c1",
        "spelling only: every coefficient is right",
    ),
];

fn robot() -> (ConstrainedDelta<f64>, V3<f64>, Angles<f64>) {
    let robot = catalog::delta_bortoff_b().to_constrained();
    let place = V3::new(-0.04, 0.06, 0.35); // in the frame of the paper
    (robot, place, robot.inverse_kinematics(place).value)
}

fn third() -> Sizes {
    let (robot, place, angles) = robot();
    let delta = catalog::delta_bortoff_b();
    let witness = delta.gravity_torque(&delta.linkage().posture(to_constrained_frame(place))?);
    let error = |robot: ConstrainedDelta<f64>| {
        let torque = robot.gravity_compensation(angles).value.torque;
        ((torque - witness).norm_sq() / witness.norm_sq()).sqrt()
    };
    let arms = robot.arms.map(|arm| ArmParameters { tip_mass: arm.tip_mass / 3.0, ..arm }); // as printed
    Ok(vec![ErrorSize::of(
        "holding torque",
        "",
        (error(robot), 1e-12),
        error(ConstrainedDelta { arms, ..robot }),
    )])
}

fn offset() -> Sizes {
    let (robot, _, angles) = robot();
    let gap = |robot: ConstrainedDelta<f64>| {
        let h = robot.closure_residual(angles);
        (h.second.norm_sq() + h.third.norm_sq()).sqrt()
    };
    let arms = robot.arms.map(|arm| ArmParameters { base_offset: 0.0, ..arm }); // as printed
    Ok(vec![ErrorSize::of(
        "loops that are closed, left open by",
        "m",
        (gap(robot), 1e-13),
        gap(ConstrainedDelta { arms, ..robot }),
    )])
}

fn rotations() -> Sizes {
    let (robot, place, angles) = robot();
    let off = |tips: V3<V3<f64>>| {
        tips.map(|tip| (tip - place).norm_sq().sqrt()).to_array().into_iter().fold(0.0, Real::max)
    };
    let printed = robot.poses(angles).map(|arm| arm.tip()); // as printed: not turned
    Ok(vec![ErrorSize::of("ψ less w at the solution", "m", (off(robot.tips(angles)), 1e-13), off(printed))])
}

fn twice() -> Sizes {
    let (robot, _, angles) = robot();
    let rates = robot.velocities_from_motors(angles, V3::new(1.0, -0.5, 0.8)).value;
    let torque = V3::new(-3.0, -2.0, -4.0);
    let found = robot.accelerations(angles, rates, torque, Baumgarte::none()).value;
    let poses = robot.poses(angles).to_array();
    let forces = found.multipliers.tip_forces().to_array();
    let (mut right, mut printed) = (0.0_f64, 0.0_f64);
    for k in 0..3 {
        let turn = robot.rotations.to_array()[k];
        let pull = poses[k].tip_jacobian().transpose() * (turn.transpose() * forces[k]);
        let inertial = poses[k].mass_matrix() * found.accelerations.to_array()[k];
        let motor = V3::new(torque.to_array()[k], 0.0, 0.0);
        let rest = inertial + poses[k].bias(rates.to_array()[k]) - motor - pull;
        right = Real::max(right, rest.norm_sq().sqrt());
        printed = Real::max(printed, (rest - pull).norm_sq().sqrt()); // as printed: twice
    }
    Ok(vec![ErrorSize::of("balance of an arm in motion", "N m", (right, 1e-12), printed)])
}

fn closed_form() -> Sizes {
    let delta = catalog::delta_bortoff_b();
    let (_, place, _) = robot();
    let place = to_constrained_frame(place);
    let q = delta.linkage().inverse_kinematics(place)?;
    let below = delta.linkage().forward_kinematics(q, Assembly::Below)?;
    let above = delta.linkage().forward_kinematics(q, Assembly::Above)?;
    Ok(vec![
        ErrorSize::of_printed("closed form there and back", "m", (below - place).norm_sq().sqrt()),
        ErrorSize::of_printed("the other solution is away by", "m", (above - place).norm_sq().sqrt()),
    ])
}
