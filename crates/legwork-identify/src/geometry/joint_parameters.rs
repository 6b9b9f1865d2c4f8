//! Which numbers of bodies and joints a calibration may change: zeros of motors, lengths of bodies with two joints, where
//! joints stand on their bodies, and which way they point. Of these only as many are free as change the platform's motion in
//! ways of their own, and only such that leave the loops closed.

use super::joint_terms::{JointPart, Term};
use super::joints::DrawnJoints;
use super::parameters::{Change, Parameter, ParameterSet, Parameters, XYZ};
use legwork::V3;
use legwork::description::{CalibratedJoint, MechanismJointKind};
use legwork::random::Random;
use nalgebra::{DMatrix, DVector};

/// A change that forces the joints by more than this part of itself jams the mechanism.
const FORCED: f64 = 1e-5;
/// What changes the platform's motion by less than this part of what others do, in a way of its own, is not free.
const OWN: f64 = 1e-7;

/// Loops of a mechanism that still moves close to this, in its lengths and rad: combinations that are right for small changes
/// alone, and leave more open for changes of a usual size, are not free.
const CLOSED: f64 = 1e-7;
/// A usual size, in units of how far a number may be off.
const USUAL: f64 = 0.5;
/// Robots that are tried.
const TRIED: u64 = 2;

/// The list, and what should be known of it.
pub(super) struct JointList {
    pub list: Vec<Parameter>,
    pub notes: Vec<String>,
}

/// A number that may be free, before it is judged.
struct Candidate {
    name: String,
    terms: Vec<Term>,
    is_angle: bool,
    drawn: Option<f64>,
    prior: f64,
}

/// The parameters of bodies and joints. `prior` is how far lengths may be off, as a standard deviation \[m\].
pub(super) fn joint_parameters(
    drawn: &DrawnJoints,
    (freedoms, size): (&[usize], f64),
    set: ParameterSet,
    prior: f64,
    start: &[CalibratedJoint],
) -> JointList {
    let candidates = candidates(drawn, size, set, prior);
    let mut notes = Vec::new();
    let Some(built) = drawn.built(start) else { return JointList { list: Vec::new(), notes } };
    let flat: Vec<Term> = candidates.iter().flat_map(|candidate| candidate.terms.clone()).collect();
    // Of every candidate, at every posture: what the platform does, and what forces the joints.
    let (mut moves, mut forced) = (Vec::new(), Vec::new());
    for place in &drawn.postures {
        let Some(effects) = built.effect(&flat, place, freedoms) else { continue };
        let (mut rows, mut jams) = (Vec::new(), Vec::new());
        let mut rest = effects.as_slice();
        for candidate in &candidates {
            let (own, others) = rest.split_at(candidate.terms.len());
            rest = others;
            let (mut six, mut jam) = ([0.0; 6], vec![0.0; own.first().map_or(0, |one| one.1.len())]);
            for (term, (twist, force)) in candidate.terms.iter().zip(own) {
                for (slot, x) in six.iter_mut().zip(twist) {
                    *slot += candidate.prior * term.factor * x;
                }
                for (slot, x) in jam.iter_mut().zip(force) {
                    *slot += candidate.prior * term.factor * x;
                }
            }
            six[3..].iter_mut().for_each(|x| *x *= size);
            rows.push(six.to_vec());
            jams.push(jam);
        }
        moves.push(rows);
        forced.push(jams);
    }
    let column = |all: &[Vec<Vec<f64>>], k: usize| -> DVector<f64> {
        DVector::from_vec(all.iter().flat_map(|posture| posture[k].clone()).collect())
    };
    let jams = |k: usize| column(&forced, k).amax() > FORCED * candidates[k].prior;
    let (free, jammed): (Vec<usize>, Vec<usize>) = (0..candidates.len()).partition(|k| !jams(*k));
    let mut ways: Vec<Vec<(usize, f64)>> = free.iter().map(|k| vec![(*k, 1.0)]).collect();
    let alone = ways.len();
    ways.extend(together(&jammed, |k| column(&forced, k)));
    // Those with a way of their own, the first ones first.
    let (mut list, mut basis, mut most) = (Vec::new(), Vec::<DVector<f64>>::new(), 0.0_f64);
    let (mut left_out, mut open) = (0, 0);
    for (place, way) in ways.into_iter().enumerate() {
        let mut own = DVector::zeros(moves.iter().map(|posture| 6 * usize::from(!posture.is_empty())).sum());
        for (k, factor) in &way {
            own += column(&moves, *k) * *factor;
        }
        let size = own.norm();
        for _ in 0..2 {
            for other in &basis {
                let part = other.dot(&own);
                own.axpy(-part, other, 1.0);
            }
        }
        most = most.max(size);
        let rest = own.norm();
        if !(rest > OWN * size && rest > OWN * most) {
            left_out += 1;
            continue;
        }
        list.push(parameter(&candidates, &way));
        if place >= alone && !(0..TRIED).all(|seed| closes(drawn, (&list, start), freedoms, seed)) {
            list.pop();
            open += 1;
            continue;
        }
        basis.push(own / rest);
    }
    if !jammed.is_empty() {
        notes.push(format!(
            "{} numbers of joints cannot change one by one, because constraints of this mechanism repeat each other and it \
             would jam: only together with others, as it can be built",
            jammed.len()
        ));
    }
    if open > 0 {
        notes.push(format!(
            "{open} combinations of these would jam it for changes of a usual size: they stay as in the file"
        ));
    }
    if left_out > 0 {
        notes.push(format!(
            "{left_out} numbers of joints change nothing of the platform that those in the list do not: they stay as in the \
             file"
        ));
    }
    JointList { list, notes }
}

/// Whether a robot drawn at random with these parameters closes its loops all over the workspace.
fn closes(
    drawn: &DrawnJoints,
    (list, start): (&[Parameter], &[CalibratedJoint]),
    freedoms: &[usize],
    seed: u64,
) -> bool {
    let mut random = Random::new(seed);
    let mut parameters = Parameters::of_drawn_joints(drawn, start);
    parameters.list = list.to_vec();
    let values: Vec<f64> =
        list.iter().map(|parameter| USUAL * parameter.prior * random.uniform(-1.0, 1.0)).collect();
    let built = drawn.built(&parameters.joints(&values));
    built.is_some_and(|built| drawn.postures.iter().take(4).all(|at| built.closes(at, freedoms, CLOSED)))
}

/// A parameter that changes these candidates together, each in units of how far it may be off.
fn parameter(candidates: &[Candidate], way: &[(usize, f64)]) -> Parameter {
    let (lead, largest) = way
        .iter()
        .fold((way[0].0, 0.0_f64), |best, (k, x)| if x.abs() > best.1 { (*k, x.abs()) } else { best });
    let prior = candidates[lead].prior;
    let sign = way.iter().find(|(k, _)| *k == lead).map_or(1.0, |(_, x)| x.signum());
    let mut terms: Vec<Term> = Vec::new();
    for (k, x) in way {
        let own = &candidates[*k];
        let factor = sign * x / largest * own.prior / prior;
        terms.extend(own.terms.iter().map(|term| Term { factor: term.factor * factor, ..*term }));
    }
    let one = way.len() == 1;
    let name = &candidates[lead].name;
    Parameter {
        name: if one { name.clone() } else { format!("{name} and {} more", way.len() - 1) },
        leg: 0,
        change: Change::Joints { is_angle: candidates[lead].is_angle },
        drawn: candidates[lead].drawn.filter(|_| one),
        prior,
        terms,
    }
}

/// Combinations of changes that force the joints one by one and do not together.
fn together(jammed: &[usize], column: impl Fn(usize) -> DVector<f64>) -> Vec<Vec<(usize, f64)>> {
    if jammed.is_empty() {
        return Vec::new();
    }
    let columns: Vec<DVector<f64>> = jammed.iter().map(|k| column(*k)).collect();
    let most = columns.iter().map(DVector::norm).fold(0.0, f64::max);
    let n = columns.len();
    let gram = DMatrix::from_fn(n, n, |i, j| columns[i].dot(&columns[j]) / (most * most));
    let eigen = gram.symmetric_eigen();
    let quiet = (0..n).filter(|k| eigen.eigenvalues[*k] < FORCED * FORCED);
    let rows: Vec<Vec<f64>> = quiet.map(|k| eigen.eigenvectors.column(k).iter().copied().collect()).collect();
    super::answer::echelon(rows)
        .into_iter()
        .map(|row| {
            let parts = row.iter().enumerate().filter(|(_, x)| x.abs() > 1e-7);
            parts.map(|(k, x)| (jammed[k], *x)).collect()
        })
        .collect()
}

fn candidates(drawn: &DrawnJoints, size: f64, set: ParameterSet, prior: f64) -> Vec<Candidate> {
    let file = &drawn.described.file;
    let turn = prior / size;
    let mut list = Vec::new();
    let one = |joint: usize, part: JointPart| vec![Term { joint, part, factor: 1.0 }];
    // What stands for freedoms of a platform is none of the machine.
    let real: Vec<usize> = (0..file.joints.len())
        .filter(|k| {
            let joint = &file.joints[*k];
            joint.kind != MechanismJointKind::Fixed
                && !file.is_guide(joint.parent)
                && !file.is_guide(joint.child)
        })
        .collect();
    for k in &real {
        let joint = &file.joints[*k];
        if joint.motor.is_none() {
            continue;
        }
        let slides = joint.kind == MechanismJointKind::Prismatic;
        list.push(Candidate {
            name: format!("{}.{}", joint.name, if slides { "zero_length" } else { "zero" }),
            terms: one(*k, if slides { JointPart::ZeroLength } else { JointPart::ZeroAngle }),
            is_angle: !slides,
            drawn: None,
            prior: 10.0 * if slides { prior } else { turn },
        });
    }
    // Lengths of bodies between two joints that are points of them.
    for (body, of) in file.bodies.iter().enumerate() {
        let own: Vec<usize> = real
            .iter()
            .copied()
            .filter(|k| [file.joints[*k].parent, file.joints[*k].child].contains(&Some(body)))
            .collect();
        let [first, second] = own[..] else { continue };
        let slides = |k: usize| {
            matches!(
                file.joints[k].kind,
                MechanismJointKind::Prismatic | MechanismJointKind::Cylindrical | MechanismJointKind::Planar
            )
        };
        if slides(first) || slides(second) || body == file.platform {
            continue;
        }
        let at = |k: usize| {
            let joint = &file.joints[k];
            V3::from(if joint.parent == Some(body) { joint.parent_frame } else { joint.child_frame }.position)
        };
        let way = at(second) - at(first);
        let length = way.norm_sq().sqrt();
        if length < 1e-9 * size {
            continue;
        }
        let on_parent = file.joints[second].parent == Some(body);
        let terms = way.to_array().into_iter().enumerate().filter(|(_, x)| *x != 0.0).map(|(axis, x)| Term {
            joint: second,
            part: if on_parent { JointPart::ParentShift(axis) } else { JointPart::ChildShift(axis) },
            factor: x / length,
        });
        let (name, drawn) = (format!("{}.length", of.name), Some(length));
        list.push(Candidate { name, terms: terms.collect(), is_angle: false, drawn, prior });
    }
    // Joints on the base, then on bodies between, then on the platform; directions last.
    let sides: Vec<(usize, Option<usize>, bool)> = real
        .iter()
        .flat_map(|k| [(*k, file.joints[*k].parent, false), (*k, file.joints[*k].child, true)])
        .collect();
    let rank = |body: Option<usize>| match body {
        None => 0,
        Some(body) if body == file.platform => 2,
        Some(_) => 1,
    };
    for directions in [false, true] {
        if directions && set == ParameterSet::Reduced {
            break;
        }
        for level in 0..3 {
            for (k, body, on_child) in sides.iter().filter(|(_, body, _)| rank(*body) == level) {
                let joint = &file.joints[*k];
                if directions && joint.kind == MechanismJointKind::Spherical {
                    continue;
                }
                let frame = if *on_child { joint.child_frame } else { joint.parent_frame };
                for (axis, letter) in XYZ.into_iter().enumerate() {
                    let part = match (directions, on_child) {
                        (false, false) => JointPart::ParentShift(axis),
                        (false, true) => JointPart::ChildShift(axis),
                        (true, false) => JointPart::ParentTurn(axis),
                        (true, true) => JointPart::ChildTurn(axis),
                    };
                    let turns = if directions { "r" } else { "" };
                    list.push(Candidate {
                        name: format!("{}.{}.{turns}{}", joint.name, file.body_name(*body), letter),
                        terms: one(*k, part),
                        is_angle: directions,
                        drawn: (!directions).then(|| frame.position[axis]),
                        prior: if directions { turn } else { prior },
                    });
                }
            }
        }
    }
    list
}
