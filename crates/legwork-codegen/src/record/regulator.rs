//! One sample of a regulator under supervision, put together from recorded functions.
//!
//! ```text
//! feed-forward      u = τ(x_d, ẋ_d, ẍ_d) + K_p (q_d − q) + K_d (q̇_d − q̇)
//! computed torque   u = τ at the measured q, q̇ for q̈ = q̈_d + K_p (q_d − q) + K_d (q̇_d − q̇)
//! ```
//!
//! Where joints or a pose are found by a search, the search runs first and its answer is kept for the next sample.
//!
//! The supervisor is the library's with its safe command `RampDown`: the first bad sample latches a fault, and from then on
//! the effort given last goes down to zero. Nothing here branches: what would is chosen.

use super::Symbol;
use crate::program::{Function, Group, Recording};
use crate::request::Quantity;
use legwork_core::Real;
use legwork_core::trace::{Tape, Trace};
use std::collections::BTreeMap;

/// What the codes of faults mean, from 1.
pub const FAULTS: [&str; 10] = [
    "time between samples not positive or too long",
    "a measured number is not finite",
    "a motor out of its range",
    "a motor jumped further than its speed allows",
    "a motor faster than it may",
    "a reference that is not finite",
    "a reference out of the range of a motor",
    "a reference out of reach or at a singularity",
    "a motor too far from its reference",
    "no finite effort",
];

/// 1 where a < b, else 0: also where one is NaN.
fn less<'t>(a: Trace<'t>, b: Trace<'t>) -> Trace<'t> {
    Trace::select(a.lt(b), Trace::one(), Trace::zero())
}

/// 1 where a flag is 0.
fn not(flag: Trace<'_>) -> Trace<'_> {
    Trace::one() - flag
}

/// One of two by a flag.
fn either<'t>(flag: Trace<'t>, yes: Trace<'t>, no: Trace<'t>) -> Trace<'t> {
    Trace::select(Trace::from_f64(0.5).lt(flag), yes, no)
}

/// The code of a fault where a flag is 1, else 0.
fn code(number: f64, flag: Trace<'_>) -> Trace<'_> {
    either(flag, Trace::from_f64(number), Trace::zero())
}

fn any<'t>(flags: impl IntoIterator<Item = Trace<'t>>) -> Trace<'t> {
    flags.into_iter().fold(Trace::zero(), |any, flag| either(any, Trace::one(), flag))
}

fn finite(x: Trace<'_>) -> Trace<'_> {
    less(x.abs(), Trace::from_f64(f64::MAX))
}

/// x, but not outside [low, high].
fn clamped<'t>(x: Trace<'t>, low: Trace<'t>, high: Trace<'t>) -> Trace<'t> {
    Trace::select(x.lt(low), low, Trace::select(high.lt(x), high, x))
}

/// What a regulator is put together from.
pub(super) struct Parts {
    /// The motion of the motors for that of the platform.
    pub joint_motion: Function,
    /// Efforts for the motion of the platform or, for computed torque, for that of the motors.
    pub torque: Function,
    /// The search for the joints at the reference, if it needs one.
    pub reference: Option<Function>,
    /// The search for the pose at the measured motors, if it needs one.
    pub seen: Option<Function>,
    /// Computed torque, or feed-forward.
    pub computed: bool,
}

/// What the platform's motion is given by.
fn is_of_platform(name: &str) -> bool {
    matches!(name, "position" | "rotation" | "angle" | "velocity" | "acceleration")
}

/// The search for the joints at the reference, as part of a step.
fn reference_search(search: &Function, step: &str) -> Option<Function> {
    let renamed = |name: &'static str| match name {
        "q" => "reference_q",
        "gap" => "reference_gap",
        other => other,
    };
    let outputs: &[&'static str] = match search.output_place("joints") {
        Some(_) => &["q", "joints", "gap"],
        None => &["coordinates", "gap"],
    };
    search.reduced(&format!("{step}_reference"), outputs, renamed)
}

/// The search for the pose at the measured motors, as part of a step.
fn seen_search(search: &Function, step: &str) -> Option<Function> {
    let renamed = |name: &'static str| match name {
        "q" => "measured_q",
        "position" => "seen_position",
        "rotation" => "seen_rotation",
        "angle" => "seen_angle",
        "joints" => "seen_joints",
        "coordinates" => "seen_coordinates",
        "gap" => "seen_gap",
        other => other,
    };
    let carried = search.iteration.iter().flat_map(|search| &search.carried).map(|[_, to]| *to);
    let outputs: Vec<&'static str> = carried.chain(["gap"]).collect();
    search.reduced(&format!("{step}_seen"), &outputs, renamed)
}

/// The numbers of each name.
type Known<'t> = BTreeMap<&'static str, Vec<Trace<'t>>>;

/// The answers of a function whose inputs are known by their names, and its margin.
fn asked<'t>(
    function: &Function,
    known: impl Fn(&'static str) -> Option<Vec<Trace<'t>>>,
) -> Option<(Vec<Trace<'t>>, Trace<'t>)> {
    let inputs: Vec<Vec<Trace<'t>>> =
        function.inputs.iter().map(|group| known(group.name)).collect::<Option<_>>()?;
    let found = function.pass(&inputs.concat());
    let margin = found[function.output_place("margin")?];
    Some((found, margin))
}

/// The step; `None` where the parts do not fit.
#[allow(clippy::too_many_lines)] // one sample, in the order of the library
pub(super) fn regulator(parts: &Parts) -> Option<Function> {
    let Parts { joint_motion, torque, computed, .. } = parts;
    let computed = *computed;
    let quantity = if computed { Quantity::ComputedTorque } else { Quantity::Regulator };
    let name = quantity.function_name();
    let motors = joint_motion.outputs.first()?.count();
    if torque.outputs.first()?.count() != motors {
        return None; // more motors than are independent
    }
    let mut searches = Vec::new();
    if let Some(search) = &parts.reference {
        searches.push(reference_search(search, name)?);
    }
    if let Some(search) = &parts.seen {
        searches.push(seen_search(search, name)?);
    }
    let tape = Tape::new();
    let mut recording = Recording::new(&tape);
    let mut known = Known::new();
    // The pose first, as the functions of the robot have it; then its derivatives.
    let first = parts.reference.as_ref().unwrap_or(joint_motion);
    for group in first.inputs.iter().chain(&joint_motion.inputs).filter(|group| is_of_platform(group.name)) {
        if !known.contains_key(group.name) {
            known.insert(group.name, recording.again(group));
        }
    }
    let platform: Vec<Trace<'_>> = known.values().flatten().copied().collect();
    // Parameters that stay arguments, and what pulls at the platform.
    let is_extra = |name: &str| {
        matches!(name, "wrench" | "force") || Symbol::ALL.iter().any(|symbol| symbol.name() == name)
    };
    for group in torque.inputs.iter().filter(|group| is_extra(group.name)) {
        known.insert(group.name, recording.again(group));
    }
    let mut list = |name: &'static str, meaning: &str| recording.list(name, motors, meaning);
    let q = list("measured_q", "measured motors [rad or m]");
    let qd = list("measured_qd", "measured speeds of the motors [rad/s or m/s]");
    let gain = if computed { ["[1/s2]", "[1/s]"] } else { ["[N m/rad or N/m]", "[N m s/rad or N s/m]"] };
    let kp = list("kp", &format!("K_p of each motor {}", gain[0]));
    let kd = list("kd", &format!("K_d of each motor {}", gain[1]));
    let most = list("effort_limit", "largest effort of each motor [N m or N]");
    let rate = list("rate_limit", "largest rate of the effort of each motor [N m/s or N/s]");
    let low = list("low", "lower end of each motor's range [rad or m]");
    let high = list("high", "upper end of each motor's range [rad or m]");
    let speed = list("speed_limit", "largest speed of each motor [rad/s or m/s]");
    let reading = list("reading", "how far a reading can be off [rad or m]");
    let tracking = list("tracking", "largest error of each motor [rad or m]");
    let dt = recording.one("dt", "time since the last sample [s]");
    let interval = recording.one("interval", "longest time between samples [s]");
    let least = recording.one("least_margin", "least margin of the model [1]");
    let ramp = recording.one("ramp", "how long the effort goes down to zero after a fault [s]");
    let state = recording.list("state", 3 * motors + 3, STATE);
    let (before, rest) = state.split_at(motors);
    let (given, rest) = rest.split_at(motors);
    let (from, rest) = rest.split_at(motors);
    let [seen, latched, elapsed] = [rest[0], rest[1], rest[2]];
    // What the searches keep from sample to sample, then what else they find.
    let mut kept = Vec::new();
    for search in &searches {
        for group in &search.outputs {
            if let Some(own) = search.inputs.iter().find(|own| own.name == group.name) {
                let meaning = format!("{}: where its search begins, and what it finds", own.meaning);
                let group = Group { meaning, ..group.clone() };
                known.insert(group.name, recording.again(&group));
                kept.push(group);
            }
        }
    }
    for group in searches.iter().flat_map(|search| &search.outputs) {
        if !known.contains_key(group.name) {
            known.insert(group.name, recording.again(group));
        }
    }
    // The model at the reference.
    let (found, reach) = asked(joint_motion, |name| known.get(name).cloned())?;
    // A search that did not close has no answer.
    let closed = |margin, gap: &str| known.get(gap).map_or(margin, |gap| super::closed(margin, gap[0]));
    let reach = closed(reach, "reference_gap");
    let part = |name: &str| -> Option<Vec<Trace<'_>>> {
        let start = joint_motion.output_place(name)?;
        Some(found[start..start + motors].to_vec())
    };
    let (q_d, qd_d, qdd_d) = (part("q")?, part("qd")?, part("qdd")?);
    // A motor of a leg that is searched for is where the search has led it, beyond half a turn too.
    let q_d = known.get("reference_q").cloned().unwrap_or(q_d);
    let error: Vec<_> = q_d.iter().zip(&q).map(|(d, q)| *d - *q).collect();
    let error_rate: Vec<_> = qd_d.iter().zip(&qd).map(|(d, q)| *d - *q).collect();
    let feedback: Vec<_> = (0..motors).map(|k| kp[k] * error[k] + kd[k] * error_rate[k]).collect();
    let (law, margin) = if computed {
        let wanted: Vec<_> = (0..motors).map(|k| qdd_d[k] + feedback[k]).collect();
        let (found, margin) = asked(torque, |name| match name {
            "q" => Some(q.clone()),
            "qd" => Some(qd.clone()),
            "qdd" => Some(wanted.clone()),
            other if is_extra(other) => known.get(other).cloned(),
            other => {
                known.iter().find(|(own, _)| own.strip_prefix("seen_") == Some(other)).map(|(_, x)| x.clone())
            }
        })?;
        (found[..motors].to_vec(), closed(margin, "seen_gap"))
    } else {
        let (found, margin) = asked(torque, |name| match name {
            "qd" => Some(qd_d.clone()),
            "qdd" => Some(qdd_d.clone()),
            other => known.get(other).cloned(),
        })?;
        let law = found[..motors].iter().zip(&feedback).map(|(ahead, back)| *ahead + *back).collect();
        (law, margin)
    };

    // What the motors can give of it.
    let applied: Vec<_> = (0..motors)
        .map(|k| {
            let change = rate[k] * dt;
            let near = clamped(law[k], given[k] - change, given[k] + change);
            clamped(near, -most[k], most[k])
        })
        .collect();

    // Judged in the order of the library.
    let in_time = either(less(Trace::zero(), dt), not(less(interval, dt)), Trace::zero());
    let bad_reading = |k: usize| {
        let (off, step) = (reading[k], speed[k] * dt + reading[k] + reading[k]);
        let out = any([less(q[k], low[k] - off), less(high[k] + off, q[k])]);
        let jump = either(seen, less(step, (q[k] - before[k]).abs()), Trace::zero());
        let fast = any([less(speed[k], qd[k].abs()), not(finite(qd[k]))]);
        // The first of them, as its code.
        let later = either(jump, Trace::from_f64(4.0), code(5.0, fast));
        either(out, Trace::from_f64(3.0), later)
    };
    let reading_code = (0..motors).rev().fold(Trace::zero(), |later, k| {
        let own = bad_reading(k);
        either(own, own, later)
    });
    let all_finite = not(any((0..motors).map(|k| any([not(finite(law[k])), not(finite(applied[k]))]))));
    let codes = [
        code(1.0, not(in_time)),
        code(2.0, any((0..motors).map(|k| not(finite(q[k]))))),
        reading_code,
        code(6.0, any(platform.iter().map(|x| not(finite(*x))))),
        code(7.0, any((0..motors).map(|k| any([less(q_d[k], low[k]), less(high[k], q_d[k])])))),
        code(8.0, not(less(least, reach))),
        code(9.0, any((0..motors).map(|k| not(less_or_equal(error[k].abs(), tracking[k]))))),
        either(all_finite, code(8.0, not(less(least, margin))), Trace::zero()),
        code(10.0, not(all_finite)),
    ];
    let first_code = codes.iter().rev().fold(Trace::zero(), |later, own| either(*own, *own, later));
    let fault = either(latched, latched, first_code);
    let first = either(latched, Trace::zero(), either(fault, Trace::one(), Trace::zero()));

    // A fault: from what was given last down to zero.
    let passed = either(in_time, dt, interval);
    let elapsed_now = either(first, Trace::zero(), elapsed) + passed;
    let left = Trace::one() - elapsed_now / ramp;
    let left = Trace::select(Trace::zero().lt(left), left, Trace::zero());
    let from_now: Vec<_> = (0..motors).map(|k| either(first, given[k], from[k])).collect();
    let effort: Vec<_> = (0..motors)
        .map(|k| {
            let safe = clamped(from_now[k] * left, -most[k], most[k]);
            either(fault, safe, applied[k])
        })
        .collect();
    let mut next = Vec::new();
    next.extend((0..motors).map(|k| either(fault, before[k], q[k])));
    next.extend(effort.iter().copied());
    next.extend((0..motors).map(|k| either(fault, from_now[k], from[k])));
    next.extend([Trace::one(), fault, either(fault, elapsed_now, Trace::zero())]);
    let margin = reach.min(margin);
    let mut outputs = vec![
        (Group::list("effort", motors, "what to give to the motors, always finite [N m or N]"), effort),
        (Group::one("fault", "0, or the code of the fault that the supervisor latched"), vec![fault]),
        (Group::list("error", motors, "reference less measurement [rad or m]"), error),
        (Group::list("state", 3 * motors + 3, "for the next sample"), next),
        (Group::one("margin", "margin of the model at this sample [1]"), vec![margin]),
    ];
    for group in kept {
        let list = known.get(group.name)?.clone();
        outputs.push((group, list));
    }
    let formula = "the library's Regulator under its Supervisor with RampDown";
    let mut function = recording.finish((name, quantity.meaning(), formula), outputs);
    function.before = searches;
    Some(function)
}

/// 1 where a ≤ b, else 0: also where one is NaN.
fn less_or_equal<'t>(a: Trace<'t>, b: Trace<'t>) -> Trace<'t> {
    let equal = either(less(a, b), Trace::one(), Trace::zero());
    // Neither is less and both are numbers: they are equal.
    let tie = not(any([less(a, b), less(b, a), not(finite(a)), not(finite(b))]));
    any([equal, tie])
}

const STATE: &str = "memory of the step: all zeros at the start, and again to forget a fault";
