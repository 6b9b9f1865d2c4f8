//! Random states of every built-in robot: near home, far away, out of reach and absurd. Every refusal is counted by its
//! reason, every answer must be finite and must survive the way back.

use crate::corpus::below;
use crate::{Found, Length, grouped, robots_of_legs};
use legwork::description::BUILT_IN;
use legwork::engine::Forward;
use legwork::{AnyRobot, PlatformState, RobotError, State, StateMark, rotation_from_roll_pitch_yaw};
use legwork_testkit::{Seeded, largest, lowest, nan_max};
use std::collections::BTreeMap;

/// How badly conditioned a state may be for its way back to be judged: beyond, rounding is amplified too much. The
/// condition is that of the Jacobian, times how much nearer a leg is to its own singularity than at home.
const JUDGED_CONDITION: f64 = 1e4;
/// Error of the way back, over the condition: rounding of some hundred operations, and Newton's tolerance.
const BAR: f64 = 1e-11;

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    OutOfReach,
    Singular,
    NotConverged,
    NotFinite,
    NoMass,
    Other,
}

impl Reason {
    const ALL: [Self; 6] =
        [Self::OutOfReach, Self::Singular, Self::NotConverged, Self::NotFinite, Self::NoMass, Self::Other];

    fn of(error: &RobotError) -> Self {
        match error {
            RobotError::Forward(ended) if matches!(**ended, Forward::Stalled { .. }) => Self::NotConverged,
            RobotError::Forward(ended) if matches!(**ended, Forward::Singular { .. }) => Self::Singular,
            other => match other.mark() {
                StateMark::Unreachable => Self::OutOfReach,
                StateMark::SerialSingularity | StateMark::ParallelSingularity => Self::Singular,
                StateMark::NotFinite => Self::NotFinite,
                StateMark::NoMass => Self::NoMass,
                _ => Self::Other,
            },
        }
    }
}

/// Whether every number of a state is finite. The condition may be infinite, where the posture is singular.
pub fn is_finite(state: &State) -> bool {
    let finite = |list: &[f64]| list.iter().all(|x| x.is_finite());
    let rows = |rows: &[Vec<f64>]| rows.iter().all(|row| finite(row));
    let dynamics = state.dynamics.as_ref().is_none_or(|d| {
        let lists = [&d.motor, &d.effort, &d.inertial, &d.coriolis, &d.gravity, &d.external, &d.friction];
        lists.into_iter().all(|list| finite(list))
            && rows(&d.mass_matrix)
            && rows(&d.platform_mass_matrix)
            && finite(&d.leg_force)
            && d.kinetic_energy.is_finite()
            && d.potential_energy.is_finite()
    });
    finite(&state.q)
        && finite(&state.qd)
        && finite(&state.qdd)
        && rows(&state.jacobian)
        && finite(&state.singularity.serial)
        && !state.singularity.parallel.is_nan()
        && !state.singularity.condition.is_nan()
        && dynamics
}

/// Absurd numbers.
const ABSURD: [f64; 10] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 1e160, 1e-310, 1e12, -1e9, 4.9e-324];

/// A state in the freedoms of a robot: within so many sizes of the platform from home; one in sixty-four has an absurd
/// number, which is told.
fn some_state(robot: &AnyRobot, random: &mut Seeded) -> (PlatformState, bool) {
    let mut state = robot.home();
    let reach = [0.1, 0.5, 2.0, 10.0][below(random, 4)];
    let size = reach * largest([robot.platform_size(), 0.2 * largest(state.position)]);
    let turn = [0.1, 0.5, 3.0][below(random, 3)];
    let speed = [0.0, 1.0, 100.0][below(random, 3)];
    let mut angles = [0.0; 3];
    for freedom in robot.freedoms() {
        let k = freedom.component;
        if k < 3 {
            state.position[k] += random.uniform(-size, size);
        } else {
            angles[k - 3] = random.uniform(-turn, turn);
        }
        state.twist[k] = random.uniform(-speed, speed);
        state.acceleration[k] = random.uniform(-10.0 * speed, 10.0 * speed);
        state.wrench[k] = random.uniform(-100.0, 100.0);
    }
    state.rotation = legwork::rotation::product(&rotation_from_roll_pitch_yaw(angles), &state.rotation);
    let is_absurd = below(random, 64) == 0;
    if is_absurd {
        let absurd = ABSURD[below(random, ABSURD.len())];
        let freedoms = robot.freedoms();
        let k = freedoms[below(random, freedoms.len())].component;
        match below(random, 4) {
            0 if k < 3 => state.position[k] = absurd,
            1 => state.acceleration[k] = absurd,
            2 => state.wrench[k] = absurd,
            _ => state.twist[k] = absurd,
        }
    }
    (state, is_absurd)
}

/// What was asked, and how often there was no answer.
#[derive(Default)]
struct Count {
    asked: u64,
    refused: BTreeMap<Reason, u64>,
}

impl Count {
    fn see<T>(&mut self, answer: Result<T, RobotError>) -> Option<T> {
        self.asked += 1;
        answer.map_err(|error| *self.refused.entry(Reason::of(&error)).or_default() += 1).ok()
    }

    fn add(&mut self, other: &Self) {
        self.asked += other.asked;
        for (reason, count) in &other.refused {
            *self.refused.entry(*reason).or_default() += count;
        }
    }

    fn row(&self) -> String {
        let refused = Reason::ALL.map(|reason| self.refused.get(&reason).copied().unwrap_or(0));
        let refused: Vec<String> = refused.iter().map(|count| format!("{count:>9}")).collect();
        format!("{:>9} {}", self.asked, refused.join(" "))
    }

    fn sum(&self) -> u64 {
        self.refused.values().sum()
    }
}

#[derive(Default)]
struct Tally {
    states: Count,
    forward: Count,
    dynamics: Count,
    not_judged: u64,
    judged: u64,
    worst_pose: f64,
    worst_acceleration: f64,
}

fn attack(robot: &AnyRobot, count: u64, seed: u64, found: &mut Found) -> Tally {
    let (mut random, mut tally) = (Seeded::new(seed), Tally::default());
    let name = robot.name();
    let mut q = vec![0.0; robot.joints().len()];
    let at_home = robot.singularity(&robot.home()).map_or(f64::NAN, |it| lowest(&it.serial));
    // How often each failure was seen; the first of each kind is told.
    let mut seen: BTreeMap<&str, (u64, String)> = BTreeMap::new();
    let mut fail = |kind: &'static str, what: String| seen.entry(kind).or_insert((0, what)).0 += 1;
    for case in 0..count {
        let (asked, is_absurd) = some_state(robot, &mut random);
        let place = format!("{name}, seed {seed}, state {case}");
        // The joints alone must be finite too, whatever becomes of the rest.
        if robot.inverse_kinematics_into(&asked, &mut q).is_ok() && !q.iter().all(|q| q.is_finite()) {
            fail("joints that are not finite", format!("{place}: {q:?}"));
        }
        let Some(state) = tally.states.see(robot.state(&asked)) else { continue };
        if !is_finite(&state) {
            fail("an answer that is not finite", place);
            continue;
        }
        // Near to a serial singularity rounding grows as near to a parallel one, and the condition does not see it.
        let serial = lowest(&state.singularity.serial) / at_home;
        let condition = state.singularity.condition * nan_max(1.0, 1.0 / serial);
        // Beside 1e12 m/s nothing is left of a pose or of an acceleration.
        if is_absurd || condition.is_nan() || condition > JUDGED_CONDITION {
            tally.not_judged += 1;
            continue;
        }
        tally.judged += 1;

        // Joints back to the pose, from a place beside it.
        let mut back = PlatformState { twist: [0.0; 6], acceleration: [0.0; 6], wrench: [0.0; 6], ..asked };
        let aside = 1e-3 * robot.platform_size() / condition;
        for freedom in robot.freedoms().iter().filter(|freedom| !freedom.turns()) {
            back.position[freedom.component] += random.uniform(-aside, aside);
        }
        let size = nan_max(robot.platform_size(), largest(asked.position));
        // Of a mechanism some components follow from those that are asked for.
        let there = if robot.mobility().is_some() { &state.platform } else { &asked };
        let away = |position: &[f64; 3], rotation: &[[f64; 3]; 3]| {
            let gap = legwork_testkit::gap(position, there.position) / size;
            let turned = legwork_testkit::gap(rotation.as_flattened(), there.rotation.as_flattened());
            nan_max(gap, turned) / condition
        };
        // A Delta has two assemblies, and this pose may be that above the elbows: one of both must be it.
        let error = if robot.linkage().is_some() {
            let both = tally.forward.see(robot.all_forward_kinematics(&state.q));
            both.map(|both| lowest(both.iter().map(|found| away(&found.position, &found.rotation))))
        } else {
            tally
                .forward
                .see(robot.forward_kinematics_into(&state.q, &mut back))
                .map(|()| away(&back.position, &back.rotation))
        };
        if let Some(error) = error {
            tally.worst_pose = nan_max(tally.worst_pose, error);
            if error.is_nan() || error > BAR {
                fail(
                    "forward kinematics leads elsewhere",
                    format!("{place}: {error:.1e}, condition {condition:.0}"),
                );
            }
        }

        // Efforts back to the acceleration.
        let Some(dynamics) = &state.dynamics else { continue };
        if let Some(forward) = tally.dynamics.see(robot.forward_dynamics(&asked, &dynamics.motor)) {
            let wanted: Vec<f64> = robot.freedoms().iter().map(|f| asked.acceleration[f.component]).collect();
            let efforts = largest(dynamics.motor.iter().chain(&dynamics.coriolis).chain(&dynamics.gravity));
            // What the efforts, rounded, can do to the platform.
            let lightest = lowest((0..wanted.len()).map(|k| dynamics.platform_mass_matrix[k][k]));
            let moved = efforts * condition / lightest;
            let scale = largest([largest(&wanted), moved, 1.0]);
            let error = legwork_testkit::gap(&forward.platform, &wanted) / scale / condition;
            tally.worst_acceleration = nan_max(tally.worst_acceleration, error);
            if error.is_nan() || error > BAR {
                fail(
                    "forward dynamics leads elsewhere",
                    format!("{place}: {error:.1e}, condition {condition:.0}"),
                );
            }
        }
    }
    for (kind, (times, first)) in seen {
        found.fail(format!("{kind}, {times} times: {first}"));
    }
    tally
}

/// Random states over all built-in robots. Mechanisms follow their branch from home at every question, so they are asked less
/// often.
///
/// # Panics
/// If a built-in robot cannot be built.
pub fn run(length: Length, seed: u64) -> Found {
    let legs = length.pick(1_000_000, 10_000_000) / robots_of_legs().count() as u64 + 1;
    let of_legs = |name: &str| robots_of_legs().any(|robot| robot.name == name);
    judged(&|name| if of_legs(name) { legs } else { length.pick(500, 20_000) }, seed)
}

/// So many states of each built-in robot.
fn judged(each: &dyn Fn(&str) -> u64, seed: u64) -> Found {
    let mut found = Found::default();
    let [mut states, mut forward, mut dynamics] = [Count::default(), Count::default(), Count::default()];
    let (mut robots, mut judged, mut not_judged, mut worst) = (0, 0, 0, [0.0, 0.0]);
    println!(
        "  refused:              asked  out of reach, singular, not converged, not finite, no mass, other"
    );
    for (number, entry) in BUILT_IN.iter().enumerate() {
        let count = each(entry.name);
        if count == 0 {
            continue;
        }
        robots += 1;
        let robot = AnyRobot::open(entry.name).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        let tally = attack(&robot, count, seed + number as u64, &mut found);
        println!(
            "  {:22} {}; ways back refused: {} and {}",
            entry.name,
            tally.states.row(),
            tally.forward.sum(),
            tally.dynamics.sum()
        );
        for (sum, part) in
            [(&mut states, &tally.states), (&mut forward, &tally.forward), (&mut dynamics, &tally.dynamics)]
        {
            sum.add(part);
        }
        (judged, not_judged) = (judged + tally.judged, not_judged + tally.not_judged);
        worst = [nan_max(worst[0], tally.worst_pose), nan_max(worst[1], tally.worst_acceleration)];
        if tally.judged == 0 {
            found.fail(format!("{}: no state could be judged", entry.name));
        }
    }
    for (what, count) in
        [("all states", &states), ("forward kinematics", &forward), ("forward dynamics", &dynamics)]
    {
        println!("  {what:22} {}", count.row());
        let other = count.refused.get(&Reason::Other).copied().unwrap_or(0);
        if other > 0 {
            found.fail(format!("{what}: {other} refused for a reason that has no name here"));
        }
    }
    println!(
        "  {judged} judged, {not_judged} absurd or too near to a singularity; worst over the condition {:.1e} and {:.1e}",
        worst[0], worst[1]
    );
    found.figure = format!(
        "{} states of {} robots: {} answered and finite, {} refused with a reason; {} brought back, worst error \
         {:.0e} (pose) and {:.0e} (acceleration) over the condition; {} ways back refused",
        grouped(states.asked),
        robots,
        grouped(states.asked - states.sum()),
        grouped(states.sum()),
        grouped(judged),
        worst[0],
        worst[1],
        grouped(forward.sum() + dynamics.sum()),
    );
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mechanisms of bodies and joints: every answer leads back, every refusal has its reason.
    #[test]
    fn mechanisms_survive_random_states() {
        let of_legs = |name: &str| robots_of_legs().any(|robot| robot.name == name);
        let count = std::env::var("LEGWORK_STATES").ok().and_then(|count| count.parse().ok()).unwrap_or(20);
        let found = judged(&|name| if of_legs(name) { 0 } else { count }, 3);
        println!("{}", found.figure);
        assert!(found.failures.is_empty(), "{:#?}", found.failures);
    }
}
