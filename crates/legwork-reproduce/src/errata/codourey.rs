//! Errata of \[Codourey1996\] and \[Codourey1998\]. Robot delta-direct-drive at (−80, 20, −310) mm, moving with
//! (2, 0.5, 1) m/s and (50, −10, 20) m/s².

use super::ErratumKind::{Claim, Misleading, Paper, PaperOrScan, Scan};
use super::{Erratum, ErrorSize, Sizes, in_words};
use crate::BoxError;
use crate::Paper::{Codourey1996, Codourey1998};
use crate::khalil_ibrahim::relative;
use legwork::links::GravitySplit;
use legwork::robots::catalog;
use legwork::robots::delta::{Assembly, Delta, Forearm, Motion, Posture};
use legwork::trajectory::{Law, Path, SemiEllipse, Shape, Trajectory};
use legwork::{Dual, M3, Real, V3};
use std::f64::consts::{PI, TAU};

pub(crate) const ERRATA_1998: &[Erratum] = &[
    Erratum {
        paper: Codourey1998,
        place: "eq. 7, 9",
        kind: Misleading,
        printed: "ω = e × (v₁ − v₂)/L, with e not said to point either way (the scan has 1/I)",
        right: "with e from end 1 to end 2 it is ω = e × (v₂ − v₁)/L; the energy is the same",
        sizes: Some(rod),
    },
    Erratum {
        paper: Codourey1998,
        place: "eq. 13, 46, 47",
        kind: Paper,
        printed: "the cross term of a forearm is J_uᵀJ alone, so A is not symmetric",
        right: "½ (J_uᵀJ + JᵀJ_u); the kinetic energy is the same, the columns of A are not",
        sizes: Some(cross_term),
    },
    in_words(Codourey1998, "eq. 28", Scan, "L_R", "L_B"),
    Erratum {
        paper: Codourey1998,
        place: "eq. 33, 34",
        kind: PaperOrScan,
        printed: "b = R [L_A sin q, 0, −L_A cos q]",
        right: "b = R [L_A sin q, 0, +L_A cos q], as eq. 38 and 42 need it",
        sizes: Some(elbow),
    },
    in_words(
        Codourey1998,
        "eq. 45",
        Scan,
        "the last matrix has lost its third column",
        "−R₃ [L_A sin q₃, 0, L_A cos q₃]",
    ),
    in_words(
        Codourey1998,
        "after eq. 47",
        Scan,
        "m_nt = m_n = m_ab",
        "m_nt = m_n + m_ab: three times a third",
    ),
    in_words(
        Codourey1998,
        "eq. 49",
        Misleading,
        "only one row is filled",
        "so it is before the cross term is made symmetric; afterwards row and column carry half each",
    ),
    Erratum {
        paper: Codourey1998,
        place: "eq. 50",
        kind: PaperOrScan,
        printed: "m_b/2 in the inertia of an arm (and the equation for A itself is lost)",
        right: "m_b/3, a rod about its end; A = I_bt + m_nt JᵀJ",
        sizes: Some(arm),
    },
    in_words(
        Codourey1998,
        "eq. 52, 54",
        Scan,
        "a minus is lost before G_n; cos q_i stands first",
        "Jᵀ(m_n ẍ − G_n); cos q₁",
    ),
    in_words(Codourey1998, "before eq. 56", Paper, "the derivative of (34)", "of (42)"),
    Erratum {
        paper: Codourey1998,
        place: "eq. 57",
        kind: PaperOrScan,
        printed: "Jᵀ ẍ: the mass of the platform is missing",
        right: "Jᵀ m_n ẍ",
        sizes: Some(platform),
    },
    Erratum {
        paper: Codourey1998,
        place: "eq. 58",
        kind: Misleading,
        printed: "the simplified model is efficient \"without much loss in precision\"",
        right: "some per cent: it depends on the forearms",
        sizes: Some(loss),
    },
    Erratum {
        paper: Codourey1998,
        place: "sec. 4.5",
        kind: Misleading,
        printed: "the last third of a forearm is put to the elbow for simplicity",
        right: "it is close to the best share there is",
        sizes: Some(share),
    },
    in_words(
        Codourey1998,
        "sec. 5.2",
        Scan,
        "regulators 3 and 4 run into each other",
        "3: model with T_m = 0; 4: the same with T_m = 2 ms",
    ),
    Erratum {
        paper: Codourey1998,
        place: "fig. 8",
        kind: Misleading,
        printed: "three peak accelerations, no durations",
        right: "all three motions last equally long, which also says what the laws are: T²/L is one number",
        sizes: Some(durations),
    },
];

pub(crate) const ERRATA_1996: &[Erratum] = &[
    in_words(
        Codourey1996,
        "after eq. 4",
        PaperOrScan,
        "three evaluations for the numerical Jacobian",
        "four: f(q₁, q₂ + Δ, q₃) is missing",
    ),
    in_words(
        Codourey1996,
        "eq. 7",
        Scan,
        "the bracket after R_i is lost and a sign with it",
        "x − R_i ([R, 0, 0] + [L_A cos q, 0, −L_A sin q])",
    ),
    in_words(
        Codourey1996,
        "eq. 16–18, 24a",
        Misleading,
        "m_br is the arm, m_b arm, elbow and share of the forearm",
        "in the paper of 1998 the names are the other way round",
    ),
    Erratum {
        paper: Codourey1996,
        place: "eq. 19–27c",
        kind: Paper,
        printed: "m_n",
        right: "m_nt, with the thirds of the forearms, as in eq. 31 and 34",
        sizes: Some(thirds),
    },
    Erratum {
        paper: Codourey1996,
        place: "eq. 16, 24a, 27c",
        kind: Paper,
        printed: "the weight of a forearm is split ⅔–⅓ like its inertia",
        right: "½–½ is exact for the weight (eq. 58, 59 of 1998)",
        sizes: Some(weight),
    },
    in_words(Codourey1996, "sec. 5", Claim, "an error reduction of 600 %", "a factor of six"),
];

type State = (Delta<f64>, Posture<f64>, Motion<f64>);

fn state() -> Result<State, BoxError> {
    let delta = catalog::delta_direct_drive();
    let motion = Motion {
        position: V3::new(-0.08, 0.02, -0.31),
        velocity: V3::new(2.0, 0.5, 1.0),
        acceleration: V3::new(50.0, -10.0, 20.0),
    };
    Ok((delta, delta.linkage().posture(motion.position)?, motion))
}

fn flat(m: M3<f64>) -> Vec<f64> {
    m.to_rows().concat()
}

fn rod() -> Sizes {
    let (_, posture, motion) = state()?;
    let leg = posture.legs.x;
    let first = leg.b() * -posture.joint_velocity(motion.velocity).x;
    let (between, length) = (motion.velocity - first, leg.s.norm_sq().sqrt());
    let e = leg.s * length.recip();
    let left = |omega: V3<f64>| (between - omega.cross(leg.s)).norm_sq().sqrt();
    let right = e.cross(between) * length.recip();
    let printed = -right; // as printed, with e from end 1 to end 2
    Ok(vec![ErrorSize::of("v₂ − v₁ − ω × L e, forearm 1", "m/s", (left(right), 1e-13), left(printed))])
}

/// The mass matrix by Lagrange's equation, column by column.
fn mass_by_energies(delta: &Delta<f64>, q: V3<f64>) -> M3<f64> {
    let torque = |qddot| delta.lagrange_torque(q, V3::zero(), qddot, Assembly::Below);
    let column = |e: V3<f64>| torque(e) - torque(V3::zero());
    let [x, y, z] = [V3::new(1.0, 0.0, 0.0), V3::new(0.0, 1.0, 0.0), V3::new(0.0, 0.0, 1.0)];
    M3::from_columns(column(x), column(y), column(z))
}

fn scaled(m: M3<f64>, s: f64) -> M3<f64> {
    m * M3::diagonal(V3::splat(s))
}

fn plus(a: M3<f64>, b: M3<f64>) -> M3<f64> {
    M3(a.0.zip(b.0, |a, b| a + b))
}

fn cross_term() -> Sizes {
    let (delta, posture, motion) = state()?;
    let (m, a) = (delta.inertia(), delta.linkage().geometry().arm);
    let j = posture.jacobian();
    let gram = j.transpose() * j;
    let inertia = delta.motor().inertia + a * a * (m.arm / 3.0 + m.elbow + m.forearm / 3.0);
    let plain = plus(M3::diagonal(V3::splat(inertia)), scaled(gram, m.platform + m.forearm));
    // Rows −bᵢᵀ J: the sum of all J_uᵀ J.
    let rows = posture.legs.map(|leg| j.transpose() * -leg.b());
    let cross = M3::from_rows(rows.x, rows.y, rows.z);
    let right = plus(plain, scaled(plus(cross, cross.transpose()), m.forearm / 6.0));
    let printed = plus(plain, scaled(cross, m.forearm / 3.0)); // as printed
    let witness = mass_by_energies(&delta, posture.angles());
    let skew = relative(&flat(printed), &flat(printed.transpose()));
    let qdot = posture.joint_velocity(motion.velocity);
    let energy = |m: M3<f64>| 0.5 * qdot.dot(m * qdot);
    let same = (energy(printed) / energy(right) - 1.0).abs();
    Ok(vec![
        ErrorSize::of(
            "mass matrix",
            "",
            (relative(&flat(right), &flat(witness)), 1e-11),
            relative(&flat(printed), &flat(witness)),
        ),
        ErrorSize::of_printed("asymmetry of the printed matrix", "", skew),
        ErrorSize::of_printed("kinetic energy of the printed matrix", "", same),
    ])
}

fn elbow() -> Sizes {
    let (delta, posture, _) = state()?;
    let q = posture.angles();
    let variables = V3::new(Dual::<f64, 3>::variable(q.x, 0), Dual::variable(q.y, 1), Dual::variable(q.z, 2));
    let moved =
        delta.linkage().map(Dual::<f64, 3>::constant).posture_of(variables, Assembly::Below).value.position;
    let witness: Vec<f64> = moved.to_array().iter().flat_map(|x| x.eps).collect();
    let inverse = posture.forearms().inverse().value;
    let jacobian = |b: V3<V3<f64>>| {
        let k = posture.legs.zip(b, |leg, b| -leg.s.dot(b));
        flat(inverse * M3::diagonal(k))
    };
    let b = posture.legs.map(|leg| leg.b());
    let printed = b.map(|b| V3::new(b.x, b.y, -b.z)); // as printed
    let errors = [b, printed].map(|b| relative(&jacobian(b), &witness));
    Ok(vec![ErrorSize::of("Jacobian", "", (errors[0], 1e-12), errors[1])])
}

fn arm() -> Sizes {
    let (delta, posture, _) = state()?;
    let delta = delta.with_forearm(Forearm::SIMPLIFIED);
    let (m, a) = (delta.inertia(), delta.linkage().geometry().arm);
    let j = posture.jacobian();
    let matrix = |share: f64| {
        let inertia = delta.motor().inertia + a * a * (m.arm * share + m.elbow + 2.0 / 3.0 * m.forearm);
        flat(plus(M3::diagonal(V3::splat(inertia)), scaled(j.transpose() * j, m.platform + m.forearm)))
    };
    let witness = flat(mass_by_energies(&delta, posture.angles()));
    let printed = matrix(0.5); // as printed
    Ok(vec![ErrorSize::of(
        "mass matrix, simplified model",
        "",
        (relative(&matrix(1.0 / 3.0), &witness), 1e-11),
        relative(&printed, &witness),
    )])
}

fn platform() -> Sizes {
    let (delta, posture, motion) = state()?;
    let effort = delta.torque(&posture, motion.velocity, motion.acceleration, V3::zero());
    let witness = delta.lagrange_torque(posture.angles(), effort.qdot, effort.qddot, Assembly::Below);
    let along = posture.jacobian().transpose() * motion.acceleration;
    let printed = effort.torque + along * (1.0 - delta.inertia().platform); // as printed
    let error = |torque: V3<f64>| relative(&torque.to_array(), &witness.to_array());
    Ok(vec![ErrorSize::of("torque", "", (error(effort.torque), 1e-11), error(printed))])
}

/// The 26 × 26 poses of figure 4.
fn poses() -> impl Iterator<Item = V3<f64>> {
    let place = |k: i32| -0.25 + 0.02 * f64::from(k);
    (0..26).flat_map(move |i| (0..26).map(move |j| V3::new(place(i), place(j), -0.23)))
}

/// Mean and largest relative error of a lumped mass matrix over the poses of figure 4.
fn lumped(at_elbow: f64) -> Result<(f64, f64), BoxError> {
    let delta = catalog::delta_direct_drive();
    let other = delta.with_forearm(Forearm::Lumped { at_elbow, gravity: GravitySplit::Half });
    let (mut sum, mut most, mut count) = (0.0, 0.0_f64, 0.0);
    for place in poses() {
        let [exact, near] = [delta, other].map(|delta| delta.mass_matrix_at(place));
        let error = relative(&flat(near?.to_matrix()), &flat(exact?.to_matrix()));
        sum += error;
        most = Real::max(most, error);
        count += 1.0;
    }
    Ok((sum / count, most))
}

fn loss() -> Sizes {
    let delta = catalog::delta_direct_drive();
    let simple = delta.with_forearm(Forearm::SIMPLIFIED);
    let [from, to] = [-0.125, 0.125].map(|x| V3::new(x, 0.0, -0.35));
    let path = SemiEllipse::new(from, to, V3::along_z(0.06))?;
    let law = Law::by_peak_acceleration(Shape::sine(), path.length(), 80.0)?;
    let run = Trajectory { path, law };
    let (mut off, mut size) = (0.0_f64, 0.0_f64);
    for k in 0..=200 {
        let motion = run.at(run.duration() * f64::from(k) / 200.0).motion();
        let [exact, near] = [delta, simple].map(|delta| delta.torque_for(&motion, V3::zero()).value.torque);
        for (exact, near) in exact.to_array().into_iter().zip(near.to_array()) {
            off = Real::max(off, (exact - near).abs());
            size = Real::max(size, exact.abs());
        }
    }
    let (mean, most) = lumped(2.0 / 3.0)?;
    Ok(vec![
        ErrorSize::of_printed(
            "largest error of the torque on the way of figure 7, of the largest torque",
            "",
            off / size,
        ),
        ErrorSize::of_printed("mass matrix over figure 4, mean", "", mean),
        ErrorSize::of_printed("mass matrix over figure 4, largest", "", most),
    ])
}

fn share() -> Sizes {
    [("½", 0.5), ("0.6", 0.6), ("⅔", 2.0 / 3.0), ("¾", 0.75)]
        .into_iter()
        .map(|(name, share)| {
            Ok(ErrorSize::of_printed(
                format!("{name} at the elbow: mean error of A over figure 4"),
                "",
                lumped(share)?.0,
            ))
        })
        .collect()
}

fn durations() -> Sizes {
    let laws = [
        ("parabolic, 4/51", 4.0 / 51.0),
        ("sine-on-ramp, 2π/80", TAU / 80.0),
        ("non-symmetric, 3π/120", 3.0 * PI / 120.0),
    ];
    Ok(laws.map(|(name, value)| ErrorSize::of_printed(format!("T²/L {name}"), "s²/m", value)).to_vec())
}

fn thirds() -> Sizes {
    let (delta, posture, motion) = state()?;
    let delta = delta.with_forearm(Forearm::SIMPLIFIED_1996);
    let effort = delta.torque(&posture, motion.velocity, motion.acceleration, V3::zero());
    let witness = delta.lagrange_torque(posture.angles(), effort.qdot, effort.qddot, Assembly::Below);
    let held = motion.acceleration - delta.inertia().gravity;
    let printed = effort.torque - posture.jacobian().transpose() * held * delta.inertia().forearm; // as printed
    let error = |torque: V3<f64>| relative(&torque.to_array(), &witness.to_array());
    Ok(vec![ErrorSize::of("torque", "", (error(effort.torque), 1e-11), error(printed))])
}

fn weight() -> Sizes {
    let exact = catalog::delta_direct_drive();
    let (mut right, mut printed, mut size) = (0.0_f64, 0.0_f64, 0.0_f64);
    for place in poses() {
        let posture = exact.linkage().posture(place)?;
        let torque = |forearm| exact.with_forearm(forearm).gravity_torque(&posture);
        let witness = torque(Forearm::Exact);
        let off = |other: V3<f64>| (other - witness).norm_sq().sqrt();
        right = Real::max(right, off(torque(Forearm::SIMPLIFIED)));
        printed = Real::max(printed, off(torque(Forearm::SIMPLIFIED_1996)));
        size = Real::max(size, witness.norm_sq().sqrt());
    }
    Ok(vec![
        ErrorSize::of("gravity torque over figure 4, largest error", "N m", (right, 1e-12), printed),
        ErrorSize::of_printed("of a gravity torque of", "N m", Real::abs(size)),
    ])
}
