//! The words for what is wrong with a robot file, and for what to do about it.

use super::fields::{Field, Range, Table, ValueType};
use super::problem::{Problem, ProblemKind, Suggestion};
use crate::files::FileFault;
use crate::units::Quantity;
use std::fmt;

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ProblemKind::Unreadable { cause: FileFault::Missing { .. } } => {
                f.write_str("there is no such file")
            }
            ProblemKind::Unreadable { cause } => write!(f, "the file cannot be read: {cause}"),
            ProblemKind::NotUtf8 { offset } => {
                write!(f, "the file is not text in UTF-8: the byte at offset {offset} does not belong there")
            }
            ProblemKind::UnknownBuiltIn { name, .. } => write!(f, "there is no built-in robot `{name}`"),
            ProblemKind::Syntax { message } => write!(f, "this is not TOML: {message}"),
            ProblemKind::DuplicateKey { key } => write!(f, "`{key}` is there twice"),
            ProblemKind::Empty => f.write_str("the file is empty"),
            kind => tables(f, kind),
        }
    }
}

/// What is wrong with a table or its keys.
fn tables(f: &mut fmt::Formatter<'_>, kind: &ProblemKind) -> fmt::Result {
    match kind {
        ProblemKind::UnknownTable { name, .. } => write!(f, "[{name}] is not a table of a robot file"),
        ProblemKind::UnknownKey { table: Table { name: "", .. }, key, .. } => {
            write!(f, "`{key}` is not a key of a robot file")
        }
        ProblemKind::UnknownKey { table, key, .. } => write!(f, "`{key}` is not a key of {}", table.title()),
        ProblemKind::MissingTable { table } => write!(f, "the table {} is missing", table.title()),
        ProblemKind::MissingKey { table, field } => {
            write!(f, "`{}` is missing in {}: {}", field.key, table.title(), sentence_part(field.meaning))
        }
        ProblemKind::NoAlternative { table, keys } => {
            write!(f, "{} is missing in {}", either(keys), table.title())
        }
        ProblemKind::TwoAlternatives { key, other } => write!(f, "`{key}` cannot stand beside `{other}`"),
        ProblemKind::NotATable { table, found } if table.repeated => {
            write!(f, "`{}` must be an array of tables, not {found}", table.key())
        }
        ProblemKind::NotATable { table, found } => {
            write!(f, "`{}` must be a table, not {found}", table.key())
        }
        ProblemKind::ConventionOfDelta { family, convention } => {
            let (family, convention) = (family.name(), convention.name());
            write!(f, "convention \"{convention}\" is for Deltas, not for the family \"{family}\"")
        }
        ProblemKind::ChainLength { attachment, needs, joints } => write!(
            f,
            "a leg with a {attachment} attachment needs {}, and it has {}",
            counted(*needs, "joint"),
            counted(*joints, "joint")
        ),
        ProblemKind::Rolling { words: [first, second, third] } => write!(
            f,
            "{first} and {second} without {third} are a rolling constraint and no joint: turned about both axes there \
             and back, the platform is left turned about the third"
        ),
        ProblemKind::TooFewActive { freedoms, active } => write!(
            f,
            "the platform has {}, and the legs have {}",
            counted(*freedoms, "freedom"),
            counted(*active, "active joint")
        ),
        kind => mechanism(f, kind),
    }
}

/// What is wrong with the bodies and joints of a mechanism.
fn mechanism(f: &mut fmt::Formatter<'_>, kind: &ProblemKind) -> fmt::Result {
    match kind {
        ProblemKind::NotHeld { name, known, .. } if known.contains(name) => {
            write!(f, "`held` has \"{name}\" twice")
        }
        ProblemKind::NotHeld { name, .. } => {
            write!(f, "`held` has \"{name}\", which is no joint with a motor and no robot that has some")
        }
        ProblemKind::NotABody { name, .. } => {
            write!(f, "[[identified.body]] has the name \"{name}\", which is no part with mass")
        }
        ProblemKind::NotAJoint { name, .. } => {
            write!(f, "[[joint_calibration]] has the joint \"{name}\", which is no joint of this robot")
        }
        ProblemKind::OtherCalibration { of_joints: true } => {
            f.write_str("[[calibration]] is for legs, and this robot is made of bodies and joints")
        }
        ProblemKind::OtherCalibration { of_joints: false } => {
            f.write_str("[[joint_calibration]] is for bodies and joints, and this robot is made of legs")
        }
        ProblemKind::UnknownBody { key, name, each: Some(times), .. } => {
            write!(f, "`{key}` is \"{name}\", and there are {times} of them")
        }
        ProblemKind::UnknownBody { key, name, .. } => write!(f, "`{key}` is \"{name}\", which is no body"),
        ProblemKind::CellRobot { name, robot, reason } => {
            write!(f, "the robot \"{name}\" cannot be \"{robot}\": {reason}")
        }
        ProblemKind::TooDeep { most } => {
            write!(f, "more than {most} cells stand within each other: a file names itself")
        }
        ProblemKind::NameTwice { what, name } => write!(f, "two {} are called \"{name}\"", plural(what)),
        ProblemKind::SameBody { name } => write!(f, "both sides of the joint are the body \"{name}\""),
        ProblemKind::UnlikeCopies { copies: (parent, child) } => {
            write!(f, "the joint has {parent} bodies on its one side and {child} on the other")
        }
        ProblemKind::Unconnected { bodies } => {
            let verb = if bodies.len() == 1 { "is" } else { "are" };
            write!(f, "{} {verb} connected with the base by no joints", quoted(bodies))
        }
        ProblemKind::NoMotor => f.write_str("no joint has a motor"),
        ProblemKind::NotPerpendicular { angle } => {
            write!(
                f,
                "`axis` and `second_axis` of a universal joint are at a right angle, these at {:.4} deg",
                angle.to_degrees()
            )
        }
        ProblemKind::ImpossibleBody { name, fault } => write!(f, "the body \"{name}\" cannot exist: {fault}"),
        kind => values(f, kind),
    }
}

fn plural(what: &str) -> &str {
    match what {
        "body" => "bodies",
        "joint" => "joints",
        "robot" => "robots",
        other => other,
    }
}

/// "\"arm1\", \"arm2\"".
fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

/// What is wrong with a value.
fn values(f: &mut fmt::Formatter<'_>, kind: &ProblemKind) -> fmt::Result {
    match kind {
        ProblemKind::WrongType { field, found } => {
            write!(f, "`{}` must be {}, not {found}", field.key, field.kind.described())
        }
        ProblemKind::TooManyTables { table, most, found } => {
            write!(f, "there are {found} tables {}, and there can be {most} at most", table.title())
        }
        ProblemKind::More { count } => write!(f, "{}, which are not listed", counted(*count, "more problem")),
        ProblemKind::WrongCount { key, needs, found, each: true, .. } => {
            write!(f, "each of `{key}` needs {needs} values, and this one has {}", counted(*found, "value"))
        }
        ProblemKind::WrongCount { key, needs, found, .. } => {
            write!(f, "`{key}` needs {needs} values and has {}", counted(*found, "value"))
        }
        ProblemKind::Unit { key, quantity, error } => {
            write!(f, "`{key}` is {}: {error}", quantity.described())
        }
        ProblemKind::BareNumber { key, number, convention, .. } => {
            let convention = convention.name();
            write!(f, "`{key}` is {number} without a unit, and convention \"{convention}\" needs one")
        }
        ProblemKind::NotFinite { key, value } => {
            write!(f, "`{key}` is {}, not a finite number", value.to_string().to_lowercase())
        }
        ProblemKind::OutOfRange { field, value } => {
            let rule = match field.range {
                Range::Positive => "must be greater than zero",
                Range::NotNegative => "must not be negative",
                Range::NotZero => "must not be zero",
                Range::HalfTurn => "must be between -180 and 180 deg",
                Range::Any => "is out of range",
            };
            write!(f, "`{}` {rule}, it is {}", field.key, with_unit(field, *value))
        }
        ProblemKind::NotThisWhole { field, number } => {
            write!(f, "`{}` must be {}, it is {number}", field.key, field.kind.described())
        }
        ProblemKind::UnknownWord { key, word, .. } => write!(f, "`{key}` cannot be \"{word}\""),
        ProblemKind::WordTwice { key, word } => write!(f, "`{key}` has \"{word}\" twice"),
        ProblemKind::NoDirection { key } => write!(f, "`{key}` is a direction and must not be zero"),
        ProblemKind::InertiaCount { key, found } => {
            write!(f, "`{key}` needs 3 numbers, 6 numbers or 3 rows and has {}", counted(*found, "number"))
        }
        ProblemKind::NotSymmetric { key, place: (row, column), entries: (entry, across) } => write!(
            f,
            "`{key}` is not symmetric: row {row}, column {column} is {entry}, row {column}, column {row} is {across}"
        ),
        ProblemKind::NotARotation { key, error } if error.is_nan() => {
            write!(f, "`{key}` mirrors: its determinant is not 1 but -1")
        }
        ProblemKind::NotARotation { key, error } => {
            write!(
                f,
                "`{key}` does not turn but stretch: its rows miss length 1 or a right angle by {error:.1e}"
            )
        }
        ProblemKind::Reversed { keys: (min, max), values: (low, high) } => write!(
            f,
            "`{}` is {}, not below `{}`, {}",
            min.key,
            with_unit(min, *low),
            max.key,
            with_unit(max, *high)
        ),
        ProblemKind::NoTangent { key, leg } => {
            write!(f, "`{key}` is needed: the base point of leg {leg} lies on the z axis and has no tangent")
        }
        ProblemKind::NotHorizontal { key, leg, z } => {
            write!(f, "`{key}` of leg {leg} must be horizontal, its z is {z:.3}")
        }
        // All others have their words above.
        _ => Ok(()),
    }
}

/// "1 joint", "3 joints".
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// "0.3 m", "-2".
fn with_unit(field: &Field, value: f64) -> String {
    match field.kind.quantity().map_or("", Quantity::si_unit) {
        "" => value.to_string(),
        unit => format!("{value} {unit}"),
    }
}

/// "`base_points` or `base_radius`".
fn either(keys: &[&str]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" or ")
}

/// The first sentence of a meaning as the end of another one: "Motor axis to elbow." → "motor axis to elbow".
fn sentence_part(meaning: &str) -> String {
    let sentence = meaning.split(". ").next().unwrap_or(meaning);
    let mut letters = sentence.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

impl Problem {
    /// What to do about it, if there is something to say.
    #[allow(clippy::too_many_lines)] // one hint for each kind
    pub fn hint(&self) -> Option<String> {
        Some(match &self.kind {
            ProblemKind::Unreadable { cause: FileFault::Missing { nearest: Some(name) } } => {
                did_you_mean(name)
            }
            ProblemKind::Unreadable { cause: FileFault::Missing { nearest: None } } => {
                "is it in another folder? A built-in robot is named without an ending".into()
            }
            ProblemKind::UnknownBuiltIn { nearest, .. } => did_you_mean((*nearest)?),
            ProblemKind::Empty => "a robot file starts with `family = \"delta\"`".into(),
            ProblemKind::UnknownTable { name, families, .. } if !families.is_empty() => {
                let names: Vec<_> = families.iter().map(|family| format!("\"{}\"", family.name())).collect();
                format!("[{name}] is a table of the family {}", names.join(", "))
            }
            ProblemKind::UnknownTable { nearest, .. } => format!("did you mean [{}]?", (*nearest)?),
            ProblemKind::UnknownKey { key, suggestion: Some(suggestion), .. } => suggested(key, *suggestion),
            ProblemKind::UnknownKey { table, suggestion: None, .. } => {
                let keys = keys_of(table);
                if keys.is_empty() {
                    return None;
                }
                format!("the keys of {} are {}", table.title(), keys.join(", "))
            }
            ProblemKind::MissingTable { table } => {
                format!("add {}: {}", table.title(), sentence_part(table.meaning))
            }
            ProblemKind::MissingKey { field, .. } => {
                let value = if field.unit_in_key.is_some() { "120".into() } else { field.kind.sketch() };
                format!("add it, for example `{} = {value}`", field.key)
            }
            ProblemKind::TwoAlternatives { .. } => {
                "they are two ways to say the same thing: keep one of them".into()
            }
            ProblemKind::NotATable { table, .. } if table.repeated => format!("write {}", table.title()),
            ProblemKind::WrongType { field, .. } => {
                format!("write it like `{} = {}`", field.key, field.kind.sketch())
            }
            ProblemKind::TooManyTables { .. } => "none of them was read; take some away".into(),
            ProblemKind::More { .. } => "mend those that are told, then the file is read again".into(),
            ProblemKind::WrongCount { like: Some(like), needs, .. } => {
                format!("one for each leg: `{like}` gives {needs}")
            }
            ProblemKind::Unit { error, .. } => error.hint(),
            ProblemKind::BareNumber { key, number, quantity, .. } => {
                format!("write the unit, for example `{key} = \"{number} {}\"`", quantity.usual_unit())
            }
            ProblemKind::UnknownWord { key: "family", word, nearest: None, known } => {
                known_as(word).map_or_else(|| one_of(known), |family| format!("did you mean \"{family}\"?"))
            }
            ProblemKind::UnknownWord { known, nearest, .. } => match nearest {
                Some(word) => format!("did you mean \"{word}\"?"),
                None => one_of(known),
            },
            ProblemKind::ConventionOfDelta { .. } => "leave `convention` out".into(),
            ProblemKind::InertiaCount { key, .. } => {
                format!(
                    "write it like `{key} = {}`, xx, yy, zz about the centre of mass",
                    ValueType::Inertia.sketch()
                )
            }
            ProblemKind::ChainLength { attachment, needs, .. } => format!(
                "a {attachment} joint passes on {}: the chain before it needs as many joints, or fewer",
                counted(*needs, "component")
            ),
            ProblemKind::Rolling { words: [first, second, third] } => format!(
                "give {third} too and a motor for it, or one of {first} and {second} alone; what a universal joint leaves \
                 free is not along constant axes, and `freedoms` are"
            ),
            ProblemKind::TooFewActive { .. } => {
                "mark more joints with `active = true`, or give fewer `freedoms`".into()
            }
            ProblemKind::NotHeld { name, known, .. } if known.contains(name) => "name each motor once".into(),
            ProblemKind::NotHeld { nearest: Some(nearest), .. }
            | ProblemKind::NotAJoint { nearest: Some(nearest), .. }
            | ProblemKind::NotABody { nearest: Some(nearest), .. } => format!("did you mean \"{nearest}\"?"),
            ProblemKind::NotABody { known, .. } if known.is_empty() => {
                "give the robot masses first; rough ones are enough".into()
            }
            ProblemKind::OtherCalibration { of_joints: true } => {
                "give [[joint_calibration]], one for each joint that differs".into()
            }
            ProblemKind::OtherCalibration { of_joints: false } => {
                "give [[calibration]], one for each leg".into()
            }
            ProblemKind::NotHeld { known, .. }
            | ProblemKind::NotABody { known, .. }
            | ProblemKind::NotAJoint { known, .. } => {
                format!("there are {}", quoted(known))
            }
            ProblemKind::UnknownBody { name, each: Some(times), .. } => {
                format!("name one of them, \"{name}1\" to \"{name}{times}\"")
            }
            ProblemKind::UnknownBody { nearest: Some(nearest), .. } => format!("did you mean \"{nearest}\"?"),
            ProblemKind::UnknownBody { known, .. } => {
                format!("the bodies are \"base\", {}", quoted(known))
            }
            ProblemKind::NameTwice { what: "body", .. } => {
                "give each body its own name; \"base\" is the ground".into()
            }
            ProblemKind::NameTwice { what: "robot", .. } => "give each robot its own `name`".into(),
            ProblemKind::NameTwice { .. } => "give each joint its own `name`".into(),
            ProblemKind::UnlikeCopies { .. } => {
                "name one copy, as in \"arm2\", or repeat both bodies as often".into()
            }
            ProblemKind::Unconnected { .. } => "add the [[joint]] tables that hold them, or leave them out".into(),
            ProblemKind::NoMotor => {
                "write `active = true` in the [[joint]] tables of the revolute or prismatic joints that motors drive"
                    .into()
            }
            _ => return None,
        })
    }
}

/// The keys of a table, each once: several of its types may share one.
fn keys_of(table: &Table) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for key in table.every_field().map(|field| format!("`{}`", field.key)) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// Where a key belongs, or which one was meant.
fn suggested(key: &str, suggestion: Suggestion) -> String {
    match suggestion {
        Suggestion::Key(key) => did_you_mean(key),
        Suggestion::Table(Table { name: "", .. }) => {
            format!("`{key}` belongs at the top of the file, before any [table]")
        }
        Suggestion::Table(table) => format!("`{key}` belongs in {}", table.title()),
        Suggestion::Family(family) => {
            format!("`{key}` is a key of other families, such as \"{}\"", family.name())
        }
        Suggestion::Type(word) => format!("`{key}` is a key of `type = \"{word}\"`"),
        Suggestion::Convention(convention) => {
            format!("`{key}` is a key of convention \"{0}\": add `convention = \"{0}\"`", convention.name())
        }
        Suggestion::KeyOf(convention, name) => {
            format!(
                "`{key}` is `{name}` of convention \"{0}\": add `convention = \"{0}\"`",
                convention.name()
            )
        }
    }
}

/// Other names by which a family is known.
fn known_as(word: &str) -> Option<&'static str> {
    let plain: String = word.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    Some(match plain.as_str() {
        "hexapod" | "stewart" | "stewartgough" | "stewartplatform" | "6ups" | "6sps" => "gough-stewart",
        "6rus" | "6rss" => "hexa",
        "6pus" | "6pss" | "paradex" | "linapod" => "hexaglide",
        "5bar" | "rrrrr" | "scara" => "five-bar",
        "rrr" | "planar3rrr" => "3-rrr",
        "kossel" | "rostock" | "3dprinter" => "linear-delta",
        "rotarydelta" => "delta",
        _ => return None,
    })
}

fn one_of(known: &[&str]) -> String {
    format!("use one of: {}", known.join(", "))
}

fn did_you_mean(word: &str) -> String {
    format!("did you mean `{word}`?")
}
