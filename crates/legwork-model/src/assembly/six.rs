//! Every pose of a platform on six legs, with the statement that may be made.

use super::certify::{Certified, Exact};
use super::circles::{BEZOUT, triangles};
use super::complex::{Complex, complex};
use super::form::{Constraint, Form, Scale, Study, rounded};
use super::pairs::{Pairing, pairing};
use super::statement::Completeness;
use super::study::{Ends, Generic, MOST, Reduction, from_stored};
use super::track::PathWork;
use crate::random::{DEFAULT_SEED, Random};
use crate::sorting::sort_by;

/// Where a platform can be: one real solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosedPose {
    /// Platform origin in the base's frame \[m\].
    pub position: [f64; 3],
    /// By rows: maps vectors of the platform to the base.
    pub rotation: [[f64; 3]; 3],
    /// Whether it is an isolated solution, certified.
    pub is_certified: bool,
}

/// Every pose that was found, and what may be said of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Poses {
    /// Real ones, in no order.
    pub real: Vec<ClosedPose>,
    /// What may be said.
    pub completeness: Completeness,
    /// What it took.
    pub work: PathWork,
}

/// How many runs of the first stage are made until enough of them agree.
const FIRST_STAGES: usize = 7;
/// How often lengths are tried from new first stages.
const SECOND_STAGES: usize = 3;

/// The geometry of six legs, prepared: all poses at other lengths of the same legs take a few milliseconds.
#[derive(Clone, Debug)]
pub struct PreparedGeometry {
    constraints: [Constraint; 6],
    scale: Scale,
    /// The forms that were prepared.
    first: [Form; 6],
    stages: Vec<Generic>,
    /// Whether two runs agree on how many solutions there are.
    agreed: bool,
    random: Random,
    /// What the preparation took.
    pub work: PathWork,
}

impl PreparedGeometry {
    /// Follows the stored paths to the geometry of these legs with random complex lengths until two runs agree.
    pub fn new(constraints: &[Constraint; 6]) -> Self {
        Self::seeded(constraints, DEFAULT_SEED)
    }

    /// The same with another seed.
    pub fn seeded(constraints: &[Constraint; 6], seed: u64) -> Self {
        let scale = Scale::of(constraints);
        let first = constraints.each_ref().map(|constraint| rounded(&constraint.form(&scale)));
        let (stages, random) = (Vec::new(), Random::new(seed));
        let mut prepared = Self {
            constraints: *constraints,
            scale,
            first,
            stages,
            agreed: false,
            random,
            work: PathWork::default(),
        };
        for _ in 0..FIRST_STAGES {
            if !prepared.add_stage() {
                break;
            }
            let most = prepared.solutions();
            let agree = |stage: &&Generic| {
                stage.solutions.len() == most && stage.infinite == MOST - most && stage.unknown == 0
            };
            let agreeing = prepared.stages.iter().filter(agree).count();
            // Two runs of two, or three of more.
            if agreeing >= 2 + usize::from(agreeing < prepared.stages.len()) {
                prepared.agreed = true;
                break;
            }
        }
        prepared
    }

    /// Another run of the first stage; false for legs that depend on each other.
    fn add_stage(&mut self) -> bool {
        let mut work = PathWork::default();
        let stage = Generic::new(&self.first, &mut self.random, &mut work);
        self.work.add(work);
        match stage {
            Ok(stage) => self.stages.push(stage),
            Err(_) => return false,
        }
        // The run with the most solutions first.
        sort_by(&mut self.stages, |a, b| b.solutions.len().cmp(&a.solutions.len()));
        true
    }

    /// How many finite complex solutions the geometry has with any lengths, as far as is known; 40 at most.
    pub fn solutions(&self) -> usize {
        self.stages.first().map_or(0, |stage| stage.solutions.len())
    }

    /// Whether these legs differ from the prepared ones in their lengths alone.
    pub fn is_of(&self, constraints: &[Constraint; 6]) -> bool {
        self.constraints.iter().zip(constraints).all(|(a, b)| a.has_geometry_of(b))
    }

    /// Every pose of the prepared legs, with lengths of their own.
    pub fn poses(&self, constraints: &[Constraint; 6]) -> Poses {
        self.poses_beside(constraints, Vec::new(), PathWork::default())
    }

    /// The same, where some solutions are known already.
    fn poses_beside(&self, constraints: &[Constraint; 6], known: Vec<Certified>, before: PathWork) -> Poses {
        let mut work = before;
        let exact = Exact::new(constraints, &self.scale);
        let Ok(reduction) = Reduction::of(exact.rounded()) else {
            return Poses { real: Vec::new(), completeness: Completeness::NoFiniteSet, work };
        };
        let most = self.solutions();
        if most == 0 && self.agreed || self.stages.is_empty() {
            return Poses { real: Vec::new(), completeness: Completeness::NoFiniteSet, work };
        }
        let mut certified = known;
        let mut best: Option<Ends> = None;
        let mut other = None;
        for _ in 0..SECOND_STAGES {
            let stage = other.as_ref().or(self.stages.first());
            let Some(stage) = stage else { break };
            let ends = stage.with_lengths(&self.first, exact.rounded(), &reduction, &mut work);
            for x in ends.solutions.iter().chain(&ends.singular) {
                add(&mut certified, exact.certify(x));
            }
            let whole = certified.len() >= most;
            if best.as_ref().is_none_or(|best| ends.solutions.len() > best.solutions.len()) {
                best = Some(ends);
            }
            if whole {
                break;
            }
            // New lengths of the first stage, from which the paths go elsewhere.
            let mut random = Random::new(DEFAULT_SEED ^ 0x5eed ^ work.paths as u64);
            other = Generic::new(&self.first, &mut random, &mut work).ok();
        }
        let ends = best.unwrap_or_default();
        let real = certified.iter().filter(|one| one.is_real).count();
        let solutions = certified.len();
        let singular = ends.singular.iter().filter(|x| !is_near(&certified, x)).count();
        let completeness = if solutions == MOST {
            Completeness::Proved { solutions, real }
        } else if self.agreed && solutions == most {
            Completeness::Numerical { solutions, infinite: MOST - most, real }
        } else if 2 * singular > most {
            Completeness::Moves { paths: singular, of: most }
        } else if self.agreed && singular > 0 && solutions + singular == most {
            Completeness::SingularEnds { solutions, paths: singular, real }
        } else {
            Completeness::AtLeast { real, open: most.max(solutions + 1) - solutions }
        };
        let mut poses: Vec<ClosedPose> =
            certified.iter().filter(|one| one.is_real).map(|one| pose(&one.x, &self.scale, true)).collect();
        if matches!(completeness, Completeness::SingularEnds { .. }) {
            add_singular(&mut poses, &ends.singular, &certified, &self.scale);
        }
        Poses { real: poses, completeness, work }
    }
}

impl Poses {
    /// Every pose of a platform on six legs that are given once.
    pub fn of_six(constraints: &[Constraint; 6]) -> Self {
        Self::of_six_seeded(constraints, DEFAULT_SEED)
    }

    /// The same with another seed.
    pub fn of_six_seeded(constraints: &[Constraint; 6], seed: u64) -> Self {
        Self::found_once(constraints, seed).0
    }

    /// Every pose, and the geometry if it had to be prepared.
    pub(crate) fn once(constraints: &[Constraint; 6]) -> (Self, Option<PreparedGeometry>) {
        Self::found_once(constraints, DEFAULT_SEED)
    }

    /// Every pose, the geometry prepared for more of them; legs on three circles need no preparation.
    pub(crate) fn prepared(constraints: &[Constraint; 6]) -> (Self, Option<PreparedGeometry>) {
        if let Some(found) = Self::on_circles(constraints, DEFAULT_SEED) {
            return (found, None);
        }
        let prepared = PreparedGeometry::new(constraints);
        let found = prepared.poses_beside(constraints, Vec::new(), prepared.work);
        (found, Some(prepared))
    }

    fn found_once(constraints: &[Constraint; 6], seed: u64) -> (Self, Option<PreparedGeometry>) {
        if let Some(found) = Self::on_circles(constraints, seed) {
            return (found, None);
        }
        let (single, certified) = Self::single_stage(constraints, seed);
        if matches!(single.completeness, Completeness::Proved { .. } | Completeness::NoFiniteSet) {
            return (single, None);
        }
        let prepared = PreparedGeometry::seeded(constraints, seed);
        let mut work = single.work;
        work.add(prepared.work);
        (prepared.poses_beside(constraints, certified, work), Some(prepared))
    }

    /// Legs in pairs at three points of the platform, or of the base; `None` where they are not, or where not all
    /// solutions are certified.
    pub(super) fn on_circles(constraints: &[Constraint; 6], seed: u64) -> Option<Self> {
        let exchanged = constraints.each_ref().map(Constraint::exchanged);
        let (paired, is_exchanged) = match (pairing(constraints), pairing(&exchanged)) {
            (Pairing::Circles(paired), _) => (paired, false),
            (_, Pairing::Circles(paired)) => (paired, true),
            (Pairing::Apart, _) | (_, Pairing::Apart) => {
                let completeness = Completeness::ClosedForm { real: 0 };
                return Some(Self { real: Vec::new(), completeness, work: PathWork::default() });
            }
            (Pairing::None, Pairing::None) => return None,
        };
        let mut work = PathWork::default();
        let sides = paired.sides().map(|side| side / paired.size());
        let found = triangles(&paired.scaled_circles(), sides, &mut Random::new(seed), &mut work);
        if found.solutions < BEZOUT {
            return None;
        }
        let scale = Scale::of(constraints);
        let exact = Exact::new(constraints, &scale);
        let real: Vec<ClosedPose> = found
            .real
            .iter()
            .map(|angles| {
                let (position, rotation) = paired.pose(angles);
                let (position, rotation) =
                    if is_exchanged { inverse(&position, &rotation) } else { (position, rotation) };
                // Polished and certified once more, in all six legs.
                let x = exact.certify(&study(&position, &rotation, &scale));
                let plain = ClosedPose { position, rotation, is_certified: false };
                x.filter(|one| one.is_real).map_or(plain, |one| pose(&one.x, &scale, true))
            })
            .collect();
        let completeness = Completeness::Bezout { solutions: found.solutions, real: real.len() };
        Some(Self { real, completeness, work })
    }

    /// All paths once, from the stored system straight to the real lengths: enough where there are forty solutions.
    fn single_stage(constraints: &[Constraint; 6], seed: u64) -> (Self, Vec<Certified>) {
        let scale = Scale::of(constraints);
        let exact = Exact::new(constraints, &scale);
        let mut work = PathWork::default();
        let Ok(reduction) = Reduction::of(exact.rounded()) else {
            let completeness = Completeness::NoFiniteSet;
            return (Self { real: Vec::new(), completeness, work }, Vec::new());
        };
        let ends = from_stored(exact.rounded(), &reduction, &mut Random::new(seed), &mut work);
        let mut certified = Vec::new();
        for x in ends.solutions.iter().chain(&ends.singular) {
            add(&mut certified, exact.certify(x));
        }
        let real: Vec<ClosedPose> =
            certified.iter().filter(|one| one.is_real).map(|one| pose(&one.x, &scale, true)).collect();
        let completeness = if certified.len() == MOST {
            Completeness::Proved { solutions: MOST, real: real.len() }
        } else {
            Completeness::AtLeast {
                real: real.len(),
                open: MOST - certified.len() - ends.infinite.min(MOST - certified.len()),
            }
        };
        (Self { real, completeness, work }, certified)
    }
}

/// The pose of the base as the platform sees it.
fn inverse(position: &[f64; 3], rotation: &[[f64; 3]; 3]) -> ([f64; 3], [[f64; 3]; 3]) {
    let back: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| rotation[j][i]));
    (std::array::from_fn(|i| -(0..3).map(|j| back[i][j] * position[j]).sum::<f64>()), back)
}

/// The Study coordinates of a pose.
fn study(position: &[f64; 3], rotation: &[[f64; 3]; 3], scale: &Scale) -> Study {
    let e = crate::rotation::to_quaternion(rotation);
    let t: [f64; 3] = std::array::from_fn(|i| {
        let turned = (0..3).map(|j| rotation[i][j] * scale.platform[j]).sum::<f64>();
        (position[i] + turned - scale.base[i]) / scale.length
    });
    let [e0, e1, e2, e3] = e;
    // g = t e
    let g = [
        -t[0] * e1 - t[1] * e2 - t[2] * e3,
        t[0] * e0 + t[1] * e3 - t[2] * e2,
        t[1] * e0 + t[2] * e1 - t[0] * e3,
        t[2] * e0 + t[0] * e2 - t[1] * e1,
    ];
    std::array::from_fn(|k| complex(if k < 4 { e[k] } else { g[k - 4] }, 0.0))
}

/// Adds a solution that is certainly another one than those there are.
fn add(certified: &mut Vec<Certified>, one: Option<Certified>) {
    if let Some(one) = one
        && certified.iter().all(|other| one.differs_from(other))
    {
        certified.push(one);
    }
}

fn is_near(certified: &[Certified], x: &Study) -> bool {
    certified.iter().any(|one| super::certify::angle(&one.x, x) < 1e-9)
}

/// Singular ends that are real as far as their few digits go.
fn add_singular(poses: &mut Vec<ClosedPose>, ends: &[Study], certified: &[Certified], scale: &Scale) {
    for x in ends {
        let conjugate = x.map(Complex::conj);
        if is_near(certified, x) || super::certify::angle(x, &conjugate) > 1e-4 {
            continue;
        }
        let found = pose(x, scale, false);
        let near = |other: &ClosedPose| {
            let rows = found.rotation.as_flattened().iter().zip(other.rotation.as_flattened());
            let places =
                found.position.iter().zip(&other.position).map(|(a, b)| (a - b).abs() / scale.length);
            rows.map(|(a, b)| (a - b).abs()).chain(places).all(|off| off < 1e-3)
        };
        if !poses.iter().any(near) {
            poses.push(found);
        }
    }
}

/// The pose of a real solution: R = R(e)/(e·e), t = vec(g ē)/(e·e), back in the robot's frames.
fn pose(x: &Study, scale: &Scale, is_certified: bool) -> ClosedPose {
    // A real solution is a real vector times a complex number: that of its largest component.
    let largest = x.iter().copied().fold(Complex::ZERO, |a, b| if b.norm_sq() > a.norm_sq() { b } else { a });
    let turn = largest.conj();
    let [e0, e1, e2, e3, g0, g1, g2, g3] = x.map(|z| (z * turn).re);
    let size = e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3;
    let rows = [
        [e0 * e0 + e1 * e1 - e2 * e2 - e3 * e3, 2.0 * (e1 * e2 - e0 * e3), 2.0 * (e1 * e3 + e0 * e2)],
        [2.0 * (e1 * e2 + e0 * e3), e0 * e0 - e1 * e1 + e2 * e2 - e3 * e3, 2.0 * (e2 * e3 - e0 * e1)],
        [2.0 * (e1 * e3 - e0 * e2), 2.0 * (e2 * e3 + e0 * e1), e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3],
    ];
    let rotation = rows.map(|row| row.map(|entry| entry / size));
    // vec(g ē)
    let t = [
        -g0 * e1 + g1 * e0 - g2 * e3 + g3 * e2,
        -g0 * e2 + g1 * e3 + g2 * e0 - g3 * e1,
        -g0 * e3 - g1 * e2 + g2 * e1 + g3 * e0,
    ];
    let position = std::array::from_fn(|i| {
        let turned = (0..3).map(|j| rotation[i][j] * scale.platform[j]).sum::<f64>();
        t[i] / size * scale.length - turned + scale.base[i]
    });
    ClosedPose { position, rotation, is_certified }
}
