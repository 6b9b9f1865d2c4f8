//! What the name of a column says: what it measures, of which motor, in which unit.

/// What a column measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Time,
    Position,
    Effort,
    Command,
    Current,
    Other,
}

const POSITION: &[&str] = &[
    "q",
    "pos",
    "position",
    "positions",
    "angle",
    "theta",
    "joint",
    "enc",
    "encoder",
    "length",
    "phi",
    "axis",
    "actual",
    "act",
    "meas",
    "measured",
    "motor",
    "m",
    "leg",
    "state",
    "states",
    "feedback",
    "fb",
    "arm",
];
const EFFORT: &[&str] =
    &["tau", "torque", "trq", "effort", "efforts", "force", "moment", "mot_torque", "load"];
const CURRENT: &[&str] = &["i", "cur", "curr", "current", "currents", "iq", "amp", "amps", "ampere"];
const COMMAND: &[&str] = &["u", "cmd", "command", "commanded"];
const NOT_MEASURED: &[&str] = &[
    "ref",
    "reference",
    "des",
    "desired",
    "target",
    "set",
    "setpoint",
    "goal",
    "err",
    "error",
    "qref",
    "qerr",
    "plan",
];
const RATES: &[&str] = &[
    "qd",
    "dq",
    "vel",
    "velocity",
    "velocities",
    "speed",
    "omega",
    "w",
    "v",
    "qdd",
    "ddq",
    "acc",
    "acceleration",
    "temp",
    "temperature",
    "voltage",
    "volt",
    "power",
    "status",
    "x",
    "y",
    "z",
    "roll",
    "pitch",
    "yaw",
];
const TIME: &[&str] = &[
    "t",
    "time",
    "timestamp",
    "stamp",
    "clock",
    "sec",
    "secs",
    "seconds",
    "zeit",
    "temps",
    "tiempo",
    "tempo",
];
const UNITS: &[&str] = &[
    "rad", "deg", "degree", "degrees", "rev", "revs", "turn", "turns", "count", "counts", "ticks", "inc",
    "m", "mm", "cm", "um", "nm", "mnm", "n", "kn", "a", "ma", "s", "ms", "us", "ns", "rpm",
];
const EFFORT_UNITS: &[&str] = &["nm", "n m", "mnm", "mn m", "n", "kn"];
const CURRENT_UNITS: &[&str] = &["a", "ma"];
const RATE_UNITS: &[&str] = &["rpm", "rad/s", "deg/s", "m/s", "mm/s", "rad/s^2", "m/s^2", "v", "w"];

/// Letters and numbers of a name: `joint_2.pos [deg]` is joint, 2, pos, deg; `ActPos` is act, pos, but `mNm` is one word.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut last, mut before) = (None, ' ');
    let mut next = name.chars().skip(1);
    for c in name.chars() {
        let ahead = next.next().unwrap_or(' ');
        let long = words.last().is_some_and(|word| word.chars().count() > 1);
        if c.is_uppercase() && before.is_lowercase() && ahead.is_lowercase() && long {
            last = None;
        }
        before = c;
        let kind = if c.is_ascii_digit() {
            1
        } else if c.is_alphabetic() {
            2
        } else {
            0
        };
        if kind != 0 {
            match words.last_mut() {
                Some(word) if last == Some(kind) => word.extend(c.to_lowercase()),
                _ => words.push(c.to_lowercase().collect()),
            }
        }
        last = Some(kind);
    }
    words
}

/// What a name says: meaning, number, unit. A unit that the file gives beside the name counts as one in it.
pub(super) fn understood(
    name: &str,
    given_unit: &str,
    own_names: &[String],
) -> (Meaning, Option<usize>, Option<String>) {
    let lower = name.to_lowercase();
    // A joint by the name that its file gives it, and what stands behind it.
    let own = own_names.iter().position(|own| !own.is_empty() && lower.starts_with(&own.to_lowercase()));
    let rest = own.and_then(|own| name.get(own_names[own].len()..)).unwrap_or(name);
    let mut words = words(rest);
    let number = match own {
        Some(own) => Some(own + 1),
        None => words.iter().find_map(|word| word.parse::<usize>().ok()),
    };
    words.retain(|word| word.parse::<usize>().is_err());
    let unit = words.last().filter(|word| words.len() > 1 && UNITS.contains(&word.as_str())).cloned();
    if unit.is_some() {
        words.pop();
    }
    let unit = if given_unit.is_empty() { unit } else { Some(given_unit.to_owned()) };
    // A unit says more than a letter: `M1 [Nm]` is a torque.
    let measures =
        |list: &[&str]| unit.as_ref().is_some_and(|unit| list.contains(&unit.to_lowercase().as_str()));
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let meaning = if has(TIME) && number.is_none() {
        Meaning::Time
    } else if measures(RATE_UNITS) {
        Meaning::Other
    } else if (has(EFFORT) || measures(EFFORT_UNITS)) && !has(NOT_MEASURED) {
        Meaning::Effort
    } else if (has(CURRENT) || measures(CURRENT_UNITS)) && !has(NOT_MEASURED) {
        Meaning::Current
    } else if has(RATES) || has(NOT_MEASURED) {
        Meaning::Other
    } else if has(COMMAND) {
        Meaning::Command
    } else if has(POSITION) || (own.is_some() && words.is_empty()) {
        Meaning::Position
    } else {
        Meaning::Other
    };
    (meaning, number, unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_people_write_them() {
        let own = vec!["slider".to_owned(), "crank".to_owned()];
        for (name, meaning, number, unit) in [
            ("t", Meaning::Time, None, None),
            ("Time_ms", Meaning::Time, None, Some("ms")),
            ("timestamp [s]", Meaning::Time, None, Some("s")),
            ("q1", Meaning::Position, Some(1), None),
            ("q_2_deg", Meaning::Position, Some(2), Some("deg")),
            ("pos[0]", Meaning::Position, Some(0), None),
            ("Joint3.Position", Meaning::Position, Some(3), None),
            ("axis1 actual position (deg)", Meaning::Position, Some(1), Some("deg")),
            ("qd1", Meaning::Other, Some(1), None),
            ("joint1_velocity", Meaning::Other, Some(1), None),
            ("q_ref1", Meaning::Other, Some(1), None),
            ("tau3", Meaning::Effort, Some(3), None),
            ("motor_2_torque_Nm", Meaning::Effort, Some(2), Some("nm")),
            ("i1_mA", Meaning::Current, Some(1), Some("ma")),
            ("Current2 [A]", Meaning::Current, Some(2), Some("a")),
            ("u2", Meaning::Command, Some(2), None),
            ("crank.position", Meaning::Position, Some(2), None),
            ("slider", Meaning::Position, Some(1), None),
            ("crank_effort", Meaning::Effort, Some(2), None),
            ("x", Meaning::Other, None, None),
            ("Axis 1.ActPos", Meaning::Position, Some(1), None),
            ("Axis2.ActTorque", Meaning::Effort, Some(2), None),
            ("n1_rpm", Meaning::Other, Some(1), Some("rpm")),
            ("M3_mNm", Meaning::Effort, Some(3), Some("mnm")),
            ("enc1_counts", Meaning::Position, Some(1), Some("counts")),
            ("Zeit", Meaning::Time, None, None),
        ] {
            let found = understood(name, "", &own);
            assert_eq!(found, (meaning, number, unit.map(str::to_owned)), "{name}");
        }
    }

    /// The unit beside a name decides what its letter leaves open.
    #[test]
    fn a_unit_says_what_is_measured() {
        for (unit, meaning) in [
            ("Nm", Meaning::Effort),
            ("A", Meaning::Current),
            ("deg", Meaning::Position),
            ("rpm", Meaning::Other),
        ] {
            assert_eq!(understood("M2", unit, &[]), (meaning, Some(2), Some(unit.to_owned())), "{unit}");
        }
    }
}
