//! Errata of \[KhalilIbrahim2007\].

use super::ErratumKind::{Misleading, Paper, PaperOrScan, Scan};
use super::{Erratum, ErrorSize, Sizes, in_words};
use crate::BoxError;
use crate::Paper::KhalilIbrahim2007;
use crate::khalil_ibrahim::{
    active_rows, hexapod_chains, joint_efforts, motion, motor_efforts, platform_wrench, relative, states,
};
use crate::lagrange::rotation_by;
use legwork::description::FamilyData;
use legwork::engine::{AnyLeg, Leg, matrix};
use legwork::{AnyRobot, PlatformState};
use legwork::{Dual, M3, Real, V3};

pub(crate) const ERRATA: &[Erratum] = &[
    in_words(
        KhalilIbrahim2007,
        "eq. 12, 14, 15",
        Misleading,
        "the frame of V_P, MS and I_P is left open",
        "one frame for all of them: with V_P in base axes R·MS and R·I·Rᵀ, about the platform's origin",
    ),
    in_words(KhalilIbrahim2007, "before eq. 25", Paper, "differentiating (19)", "(18)"),
    Erratum {
        paper: KhalilIbrahim2007,
        place: "eq. 36",
        kind: Misleading,
        printed: "the inverse Jacobian of a leg, for every leg, with indices 1 and i mixed",
        right: "for legs with γ = 0; otherwise times Rz(γ)ᵀ from the right",
        sizes: Some(gamma),
    },
    in_words(
        KhalilIbrahim2007,
        "after eq. 36",
        Paper,
        "singular when L = 0 and sin q₂ = 0",
        "when one of both is",
    ),
    Erratum {
        paper: KhalilIbrahim2007,
        place: "eq. 42",
        kind: PaperOrScan,
        printed: "J_i⁻¹ H_i",
        right: "J_i⁻ᵀ H_i",
        sizes: Some(transposed),
    },
    in_words(
        KhalilIbrahim2007,
        "eq. 45, 49, 50, 58",
        Scan,
        "H_33 and H_23 twice; a minus before a skew matrix, a dot over J_v and an a_z lost",
        "[H11 H31 H12 H32 H13 H33], [H21 H22 H23]; [1, −(P₁P_i)×]; J̇_vi V_P; a_z",
    ),
    in_words(KhalilIbrahim2007, "sec. 5.1", Paper, "legs 4 and 5 along z", "legs 5 and 6"),
    Erratum {
        paper: KhalilIbrahim2007,
        place: "eq. 64, 65, 67",
        kind: Paper,
        printed: "the contact points of the C5 move with the platform; bias −r·ω × (v_P + a q̇)",
        right: "they belong to the legs and slide in the faces: r·[ω × (2(a q̇ − v_P) − ω × PP_i)]",
        sizes: Some(sliding),
    },
    Erratum {
        paper: KhalilIbrahim2007,
        place: "eq. 68",
        kind: PaperOrScan,
        printed: "J_iᵀ (…) J_i⁻¹",
        right: "J_i⁻ᵀ (…) J_i⁻¹, as in eq. 70",
        sizes: Some(slide_mass),
    },
];

/// (36) on a leg with γ = 60°, q = (0.4, 1.2), L = 0.8 m.
fn gamma() -> Sizes {
    let (gamma, q1, q2, length) = (60_f64.to_radians(), 0.4, 1.2, 0.8);
    let turn = M3::rotation_z(gamma.cos(), gamma.sin());
    let [q1d, q2d, ld] = [Dual::<f64, 3>::variable(q1, 0), Dual::variable(q2, 1), Dual::variable(length, 2)];
    let ((sin1, cos1), (sin2, cos2)) = (q1d.sin_cos(), q2d.sin_cos());
    let axis = V3::new(cos1 * sin2, -cos2, -(sin1 * sin2));
    let tip = turn.0.map(|row| row.map(Dual::constant).dot(axis * ld));
    let jacobian = M3(tip.map(|x| V3::from(x.eps)));
    let ((s1, c1), (s2, c2)) = (q1.sin_cos(), q2.sin_cos());
    let (l, o) = (length, 0.0);
    let inverse = M3::from_rows(
        V3::new(-s1 / (l * s2), o, -c1 / (l * s2)),
        V3::new(c1 * c2 / l, s2 / l, -c2 * s1 / l),
        V3::new(c1 * s2, -c2, -s1 * s2),
    );
    let error = |inverse: M3<f64>| {
        let rows = (inverse * jacobian).to_rows().concat();
        relative(&rows, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    };
    let right = error(inverse * turn.transpose());
    Ok(vec![ErrorSize::of("J⁻¹ J less 1, leg with γ = 60°", "", (right, 1e-13), error(inverse))])
}

/// J_viᵀ J_i⁻¹ H_i, as printed, and the rows of J_r⁻¹.
fn as_printed(leg: &Leg<f64, 3>, at: &PlatformState, gravity: V3<f64>) -> ([f64; 6], Vec<[f64; 6]>) {
    let (posture, efforts) = joint_efforts(leg, at, gravity);
    let wrong = matrix::times(&posture.jacobian_inverse, &efforts);
    (matrix::transposed_times(&posture.attachment.of_platform(), &wrong), active_rows(leg, &posture))
}

fn transposed() -> Sizes {
    let mut sizes = Vec::new();
    for name in ["space-table1", "gough-stewart"] {
        let robot = AnyRobot::open(name)?;
        let at = states(&robot, 1).first().copied().ok_or("no sound state")?;
        let model = robot.engine_model().ok_or("not of the engine")?;
        let legs: Vec<Leg<f64, 3>> = match model.legs.first() {
            Some(AnyLeg::Ups(_)) => hexapod_chains(&robot)?,
            _ => model
                .legs
                .iter()
                .filter_map(|leg| if let AnyLeg::Three(leg) = leg { Some(*leg) } else { None })
                .collect(),
        };
        let mut wrench = platform_wrench(&model.platform, &at, model.gravity);
        let mut rows = Vec::new();
        for leg in &legs {
            let (share, more) = as_printed(leg, &at, model.gravity);
            wrench = matrix::sum(&wrench, &share);
            rows.extend(more);
        }
        let printed = motor_efforts(&robot, &rows, &wrench)?;
        let found = robot.state(&at)?.dynamics.ok_or("the robot has no masses")?;
        let back = robot.forward_dynamics(&at, &found.motor)?.platform;
        let wanted: Vec<f64> = robot.freedoms().iter().map(|f| at.acceleration[f.component]).collect();
        let right = relative(&back, &wanted);
        sizes.push(ErrorSize::of(
            format!("efforts of {name}"),
            "",
            (right, 1e-10),
            relative(&printed, &found.effort),
        ));
    }
    Ok(sizes)
}

/// The C5, a state of it, and for each leg: a, r, PP_i.
struct Slides {
    robot: AnyRobot,
    at: PlatformState,
    legs: Vec<[V3<f64>; 3]>,
    masses: Vec<f64>,
}

fn slides() -> Result<Slides, BoxError> {
    let robot = AnyRobot::open("c5")?;
    let at = states(&robot, 1).first().copied().ok_or("no sound state")?;
    let q = robot.state(&at)?.q;
    let FamilyData::C5(d) = &robot.description().data else { return Err("not a C5".into()) };
    let mass = d.mass.as_ref().ok_or("the robot has no masses")?;
    let axes = [V3::new(1.0, 0.0, 0.0), V3::new(0.0, 1.0, 0.0), V3::new(0.0, 0.0, 1.0)];
    let [x, y, z] = at.rotation.map(V3::from);
    let normals = M3::from_rows(x, y, z).columns().to_array();
    let legs = (0..6).map(|i| {
        let (axis, normal) = (axes[i / 2], normals[i / 2]);
        let contact = V3::from(d.geometry.base_points[i]) + axis * q[i];
        [axis, normal, contact - V3::from(at.position)]
    });
    let legs = legs.collect();
    let masses = mass.legs.iter().zip(&d.motors).map(|(mass, motor)| mass + motor.actuator_inertia).collect();
    Ok(Slides { robot: robot.clone(), at, legs, masses })
}

/// Joint accelerations by differences of the inverse kinematics along the motion.
fn by_differences(robot: &AnyRobot, at: &PlatformState) -> Result<Vec<f64>, BoxError> {
    const STEP: f64 = 5e-3;
    let joints = |k: f64| -> Result<Vec<f64>, BoxError> {
        let t = k * STEP;
        let moved: [f64; 6] = std::array::from_fn(|i| at.twist[i] * t + 0.5 * at.acceleration[i] * t * t);
        let [x, y, z] = at.rotation.map(V3::from);
        let turn = rotation_by(V3::new(moved[3], moved[4], moved[5])) * M3::from_rows(x, y, z);
        let position = std::array::from_fn(|i| at.position[i] + moved[i]);
        Ok(robot.inverse_kinematics(&PlatformState::at(position).turned(turn.to_rows()))?.q)
    };
    let weights =
        [(0.0, -490.0), (1.0, 270.0), (-1.0, 270.0), (2.0, -27.0), (-2.0, -27.0), (3.0, 2.0), (-3.0, 2.0)];
    let mut sum = vec![0.0; robot.joints().len()];
    for (k, weight) in weights {
        sum.iter_mut().zip(joints(k)?).for_each(|(sum, q)| *sum += weight * q / (180.0 * STEP * STEP));
    }
    Ok(sum)
}

fn sliding() -> Sizes {
    let Slides { robot, at, legs, .. } = slides()?;
    let state = robot.state(&at)?;
    let [v, w, a, b] = [&at.twist[..3], &at.twist[3..], &at.acceleration[..3], &at.acceleration[3..]]
        .map(|part| V3::new(part[0], part[1], part[2]));
    let joint = |bias: &dyn Fn(&[V3<f64>; 3], f64) -> f64| -> Vec<f64> {
        let one = |(leg, rate): (&[V3<f64>; 3], &f64)| {
            let [axis, normal, arm] = leg;
            (normal.dot(a + b.cross(*arm)) + bias(leg, *rate)) / normal.dot(*axis)
        };
        legs.iter().zip(&state.qd).map(one).collect()
    };
    let right =
        joint(&|[axis, normal, arm], rate| normal.dot(w.cross((*axis * rate - v) * 2.0 - w.cross(*arm))));
    let printed = joint(&|[axis, normal, _], rate| -normal.dot(w.cross(v + *axis * rate))); // as printed
    let witness = by_differences(&robot, &at)?;
    // 1e-7: differences, rounding over the square of the step
    let errors = [&right, &printed].map(|found| relative(found, &witness));
    Ok(vec![ErrorSize::of("accelerations of the legs of c5", "", (errors[0], 1e-7), errors[1])])
}

fn slide_mass() -> Sizes {
    let Slides { robot, at, legs, masses } = slides()?;
    let model = robot.engine_model().ok_or("not of the engine")?;
    let (pose, _, _) = motion(&at);
    let own = model.platform.spatial(&pose, pose.position).to_matrix();
    let assembled = |share: fn(f64) -> f64| {
        let mut mass = own.concat();
        for ([axis, normal, arm], m) in legs.iter().zip(&masses) {
            let moment = arm.cross(*normal);
            let row = [normal.x, normal.y, normal.z, moment.x, moment.y, moment.z];
            for (k, entry) in mass.iter_mut().enumerate() {
                *entry += m * share(normal.dot(*axis)) * row[k / 6] * row[k % 6];
            }
        }
        mass
    };
    let witness = robot.state(&at)?.dynamics.ok_or("the robot has no masses")?.platform_mass_matrix.concat();
    let right = relative(&assembled(|j| 1.0 / (j * j)), &witness);
    let printed = relative(&assembled(|_| 1.0), &witness); // as printed: J_iᵀ m J_i⁻¹
    Ok(vec![ErrorSize::of("mass matrix of c5", "", (right, 1e-12), printed)])
}
