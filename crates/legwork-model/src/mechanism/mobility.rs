//! How a mechanism can move: freedoms, dependent constraints, idle freedoms, and what the motors hold.

use super::assembly::{Maximal, OPEN};
use super::linkage::Linkage;
use super::rank::{Rank, rank};
use super::{JointDescription, JointType, MechanismDescription, MechanismError};
use crate::random::DEFAULT_SEED;
use legwork_core::mechanism::Frame;
use legwork_core::{Real, V3};

/// Rows smaller than this depend on others, for geometry that is exact to rounding.
const EXACT: f64 = 1e-8;
/// How far the postures beside home are, in rad and lengths of the mechanism.
const BESIDE: f64 = 0.12;
/// How many postures beside home are tried.
const POSTURES: usize = 3;

/// How a mechanism can move.
#[derive(Clone, Debug, PartialEq)]
pub struct Mobility {
    /// Freedoms of all bodies together, 6 × bodies − rank of all constraint rows.
    pub freedoms: usize,
    /// Constraint rows of all joints.
    pub constraint_rows: usize,
    /// Rows that depend on others: an overconstrained mechanism has some.
    pub redundant_constraints: usize,
    /// Freedoms that move neither a motor nor the platform.
    pub idle_freedoms: usize,
    /// Bodies that idle freedoms move.
    pub idle_bodies: Vec<String>,
    /// Motors beyond the freedoms: those that follow from the others.
    pub dependent_motors: Vec<String>,
    /// Freedoms of the platform.
    pub platform_freedoms: usize,
    /// Components of the platform's twist (vx, vy, vz, wx, wy, wz from 0) that stand for its motion.
    pub coordinates: Vec<usize>,
    /// Other components that move, too: parasitic motion.
    pub following: Vec<usize>,
    /// Motors that complete the coordinates, as places in the list of motors: the platform's pose does not tell where they
    /// are, so they are held where they are told to be. Empty where all motors serve the platform.
    pub held: Vec<usize>,
    /// Whether the platform stands still when the motors do.
    pub motors_hold: bool,
    /// Largest gap that is left when the loops are closed, in lengths of the mechanism and rad.
    pub closing_gap: f64,
    /// Smallest size of rows that are independent, and largest of those that are not.
    pub kept: f64,
    /// See `kept`.
    pub dropped: f64,
    /// The length to which sizes are relative \[m\].
    pub length: f64,
}

/// What the rest of the set-up needs to know.
pub(super) struct Study {
    pub mobility: Mobility,
    /// Frames of the clusters in closed postures, home first.
    pub postures: Vec<Vec<Frame<f64>>>,
    /// Below this a pivot is zero.
    pub tolerance: f64,
}

fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn names(list: &[String], d: &MechanismDescription, linkage: &Linkage) -> Vec<String> {
    // All bodies of the clusters that are named by their first.
    let mut all = Vec::new();
    for (body, (cluster, _)) in d.bodies.iter().zip(&linkage.places) {
        if list.contains(&linkage.clusters[*cluster].name) {
            all.push(body.name.clone());
        }
    }
    all
}

/// Closes home and studies how the mechanism moves there and beside.
pub(super) fn study(d: &MechanismDescription, linkage: &Linkage) -> Result<Study, MechanismError> {
    let mut maximal = Maximal::new(linkage);
    let homes: Vec<Frame<f64>> = linkage.clusters.iter().map(|cluster| cluster.home).collect();
    let mut home = maximal.coordinates(&homes);
    let (gap, steps) = maximal.close(&mut home, None);
    if !(gap <= OPEN) {
        return Err(maximal.widest(&home, &d.joints, steps));
    }
    if let Some(joint) = maximal.flipped(&home) {
        let joint = &d.joints[joint];
        let bodies = [joint.parent.clone(), joint.child.clone()];
        return Err(MechanismError::FlippedAxis { joint: joint.name.clone(), bodies });
    }
    let tolerance = EXACT.max(100.0 * gap);
    let columns = maximal.columns();
    let platform =
        d.bodies.iter().position(|body| body.name == d.platform).ok_or_else(|| {
            MechanismError::UnknownName { place: "platform".into(), name: d.platform.clone() }
        })?;
    let (platform_cluster, platform_place) = linkage.places[platform];
    if platform_cluster == 0 {
        return Err(MechanismError::PlatformFixed { platform: d.platform.clone() });
    }
    let joints = maximal.joints(&home).rows;
    let all = rank(&joints, columns, tolerance);
    let freedoms = columns - all.rows;
    let redundant = joints.len() - all.rows + linkage.repeated_rows;
    if all.dropped > 0.01 * all.kept {
        return Err(MechanismError::Undecided { kept: all.kept, dropped: all.dropped });
    }
    // Postures beside home, along random combinations of all freedoms.
    let mut seed = DEFAULT_SEED;
    let mut postures = vec![home.clone()];
    let mut tries = 0;
    while postures.len() <= POSTURES && tries < 4 * POSTURES && freedoms > 0 {
        tries += 1;
        if let Some(beside) = beside(&mut maximal, &home, &all, &mut seed) {
            let rows = maximal.joints(&beside).rows;
            let there = rank(&rows, columns, tolerance);
            if columns - there.rows != freedoms {
                let lost = lost(&maximal, &all, &rows);
                let (home, nearby) = (freedoms, columns - there.rows);
                let bodies = names(&lost, d, linkage);
                let at = |joint: &&JointDescription| {
                    joint.kind != JointType::Fixed
                        && (bodies.contains(&joint.parent) || bodies.contains(&joint.child))
                };
                let joints = d.joints.iter().filter(at).map(|joint| joint.name.clone()).collect();
                return Err(MechanismError::MobilityChanges { home, nearby, bodies, joints });
            }
            postures.push(beside);
        }
    }
    let point = maximal.clusters(&home)[platform_cluster].of(platform_place.of(d.platform_point));
    let motor_rows = maximal.motors(&home);
    let with_motors: Vec<Vec<f64>> = joints.iter().chain(&motor_rows).cloned().collect();
    let held = rank(&with_motors, columns, tolerance);
    let platform_rows = maximal.body_rows(platform_cluster, point);
    let with_all: Vec<Vec<f64>> = with_motors.iter().chain(&platform_rows).cloned().collect();
    let idle = rank(&with_all, columns, tolerance);
    let idle_freedoms = columns - idle.rows;
    let uncontrolled = columns - held.rows - idle_freedoms;
    let felt = freedoms - idle_freedoms;
    let mut mobility = Mobility {
        freedoms,
        constraint_rows: linkage.rows,
        redundant_constraints: redundant,
        idle_freedoms,
        idle_bodies: names(&maximal.moving(&idle.null), d, linkage),
        dependent_motors: Vec::new(),
        platform_freedoms: 0,
        coordinates: Vec::new(),
        following: Vec::new(),
        held: Vec::new(),
        motors_hold: uncontrolled == 0,
        closing_gap: gap,
        kept: all.kept,
        dropped: all.dropped,
        length: linkage.length,
    };
    if felt == 0 {
        let joints = d.joints.iter().map(|joint| joint.name.clone()).collect();
        return Err(MechanismError::NoFreedom { rows: linkage.rows, idle: idle_freedoms, joints });
    }
    if uncontrolled > 0 {
        let bodies = names(&maximal.moving(&held.null), d, linkage);
        let motors = d.motors.len();
        if motors < felt {
            return Err(MechanismError::Underactuated { freedoms: felt, motors, bodies });
        }
        let dependent = repeated_motors(d, &joints, &motor_rows, columns, tolerance);
        return Err(MechanismError::NotHeld { free: uncontrolled, motors, dependent, bodies });
    }
    platform_coordinates(&mut mobility, d, (&mut maximal, &postures), platform_cluster, platform_place)?;
    let clusters = postures.iter().map(|posture| maximal.clusters(posture)).collect();
    Ok(Study { mobility, postures: clusters, tolerance })
}

/// A closed posture beside this one.
fn beside(maximal: &mut Maximal<'_>, home: &[f64], all: &Rank, seed: &mut u64) -> Option<Vec<f64>> {
    let mut step = vec![0.0; maximal.columns()];
    for motion in &all.null {
        let size = motion.iter().map(|x| x.abs()).fold(0.0, Real::max);
        let weight = uniform(seed) / size;
        for (sum, x) in step.iter_mut().zip(motion) {
            *sum += weight * x;
        }
    }
    let size = step.iter().map(|x| x.abs()).fold(0.0, Real::max);
    for x in &mut step {
        *x *= BESIDE / size;
    }
    let mut moved = home.to_vec();
    maximal.step(&mut moved, &step);
    let (gap, _) = maximal.close(&mut moved, None);
    (gap <= 1e-9 || gap <= OPEN * 1e-1).then_some(moved)
}

/// Bodies of the freedoms of home that the rows of another posture forbid.
fn lost(maximal: &Maximal<'_>, all: &Rank, rows: &[Vec<f64>]) -> Vec<String> {
    let motions: Vec<Vec<f64>> = all
        .null
        .iter()
        .filter(|motion| {
            rows.iter().any(|row| row.iter().zip(motion.iter()).map(|(a, b)| a * b).sum::<f64>().abs() > 1e-3)
        })
        .cloned()
        .collect();
    maximal.moving(if motions.is_empty() { &all.null } else { &motions })
}

/// Motors whose rows depend on joints and motors before them.
fn repeated_motors(
    d: &MechanismDescription,
    joints: &[Vec<f64>],
    motors: &[Vec<f64>],
    columns: usize,
    tolerance: f64,
) -> Vec<String> {
    let mut rows = joints.to_vec();
    let mut known = rank(&rows, columns, tolerance).rows;
    let mut repeated = Vec::new();
    for (name, row) in d.motors.iter().zip(motors) {
        rows.push(row.clone());
        let now = rank(&rows, columns, tolerance).rows;
        if now == known {
            repeated.push(name.clone());
        }
        known = now;
    }
    repeated
}

/// Motions of a posture, row by row in coordinates of its freedoms.
type MotionRows = Vec<Vec<f64>>;

fn norm(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Takes what a row says out of all rows of its posture: they are then those with it held.
fn hold(rows: &mut MotionRows, held: usize) {
    let size = norm(&rows[held]);
    let unit: Vec<f64> = rows[held].iter().map(|x| x / size).collect();
    for row in rows.iter_mut() {
        let along: f64 = row.iter().zip(&unit).map(|(a, b)| a * b).sum();
        for (x, u) in row.iter_mut().zip(&unit) {
            *x -= along * u;
        }
    }
}

/// Which components of the platform's twist are independent, and which follow; and which motors complete them, where the
/// motors move in more ways than the platform.
fn platform_coordinates(
    mobility: &mut Mobility,
    d: &MechanismDescription,
    (maximal, postures): (&mut Maximal<'_>, &[Vec<f64>]),
    cluster: usize,
    place: Frame<f64>,
) -> Result<(), MechanismError> {
    let columns = maximal.columns();
    let tolerance = EXACT.max(100.0 * mobility.closing_gap);
    // The platform's motion for each freedom, at every posture: six rows, linear first, lengths in proportion; then a row
    // for each motor.
    let mut rest: Vec<MotionRows> = Vec::new();
    for posture in postures {
        let joints = maximal.joints(posture).rows;
        let null = orthonormal(rank(&joints, columns, tolerance).null);
        let point: V3<f64> = maximal.clusters(posture)[cluster].of(place.of(d.platform_point));
        let rows = maximal.body_rows(cluster, point);
        let [a, b, c, x, y, z] = &rows[..] else { return Ok(()) };
        let motors = maximal.motors(posture);
        let rows = [x, y, z, a, b, c].into_iter().chain(&motors).map(|row| {
            null.iter().map(|n| n.iter().zip(row).map(|(p, q)| p * q).sum::<f64>()).collect::<Vec<f64>>()
        });
        rest.push(rows.collect());
    }
    let felt = mobility.freedoms - mobility.idle_freedoms;
    let size =
        |rest: &[MotionRows], k: usize| rest.iter().map(|rows| norm(&rows[k])).fold(f64::INFINITY, Real::min);
    let whole: Vec<f64> = (0..6 + d.motors.len()).map(|k| size(&rest, k)).collect();
    let mut held = Vec::new();
    for name in &d.held {
        let unknown = || MechanismError::UnknownName { place: "held".into(), name: name.clone() };
        let motor = d.motors.iter().position(|motor| motor == name).ok_or_else(unknown)?;
        if !(size(&rest, 6 + motor) > 1e-7 * whole[6 + motor]) {
            return Err(MechanismError::HeldTwice { motor: name.clone() });
        }
        for rows in &mut rest {
            hold(rows, 6 + motor);
        }
        held.push(motor);
    }
    let Some(at_home) = rest.first() else { return Ok(()) };
    let largest = at_home.iter().take(6).flatten().map(|x| x.abs()).fold(0.0, Real::max);
    let moves = |rows: &MotionRows, k: usize| rows[k].iter().any(|x| x.abs() > 1e-7 * largest);
    let moving: Vec<usize> = (0..6).filter(|k| rest.iter().any(|rows| moves(rows, *k))).collect();
    // One after the other the component with the most motion that the others do not have.
    let mut chosen: Vec<usize> = Vec::new();
    let asked = d.coordinates.clone();
    let mut margin = 1.0_f64;
    for turn in 0..6 {
        let best = if let Some(list) = &asked {
            match list.get(turn) {
                Some(k) if *k < 6 && !chosen.contains(k) => *k,
                Some(_) => return Err(MechanismError::Coordinates { freedoms: list.len(), margin: 0.0 }),
                None => break,
            }
        } else {
            (1..6).fold(0, |best, k| if size(&rest, k) > size(&rest, best) * 1.01 { k } else { best })
        };
        let share = size(&rest, best) / largest;
        if !(share > 1e-7) {
            if asked.is_some() {
                margin = margin.min(share);
                return Err(MechanismError::Coordinates {
                    freedoms: asked.map_or(0, |list| list.len()),
                    margin,
                });
            }
            break;
        }
        margin = margin.min(share);
        chosen.push(best);
        for rows in &mut rest {
            hold(rows, best);
        }
    }
    let left =
        rest.iter().flat_map(|rows| rows.iter().take(6)).flatten().map(|x| x.abs()).fold(0.0, Real::max);
    if asked.is_some() && left > 1e-6 * largest {
        return Err(MechanismError::Coordinates { freedoms: chosen.len() + 1, margin });
    }
    if asked.is_none() {
        chosen.sort_unstable();
    }
    // Motors that the platform does not tell: where none were named the last ones, those with little motion of their own
    // only where others do not do.
    for share in [0.05, 1e-7] {
        for motor in (0..d.motors.len()).rev() {
            let is_own = size(&rest, 6 + motor) > share * whole[6 + motor];
            if d.held.is_empty() && chosen.len() + held.len() < felt && is_own {
                for rows in &mut rest {
                    hold(rows, 6 + motor);
                }
                held.push(motor);
            }
        }
    }
    if chosen.len() + held.len() != felt || chosen.is_empty() {
        let (platform, motors) = (chosen.len(), held.len());
        return Err(MechanismError::SelfMotion { freedoms: felt, platform, held: motors });
    }
    held.sort_unstable();
    mobility.platform_freedoms = chosen.len();
    mobility.following = moving.into_iter().filter(|k| !chosen.contains(k)).collect();
    mobility.coordinates = chosen;
    mobility.held = held;
    Ok(())
}

/// The same span by vectors of length one at right angles.
fn orthonormal(vectors: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let mut done: Vec<Vec<f64>> = Vec::new();
    for mut v in vectors {
        for _ in 0..2 {
            for u in &done {
                let along: f64 = v.iter().zip(u).map(|(a, b)| a * b).sum();
                for (x, y) in v.iter_mut().zip(u) {
                    *x -= along * y;
                }
            }
        }
        let size = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size > 1e-12 {
            done.push(v.iter().map(|x| x / size).collect());
        }
    }
    done
}
