//! What a robot does when nothing else is asked: the tables `[motion]` and `[controller]`.
//!
//! A task that follows a path takes them where its request is silent, so a robot brings the experiment it was
//! published with, and a copy of its file brings it too.

use super::fields::{Alternative, Alternatives, Field, Need, Range, Table, ValueType, field, number};
use super::parts::ForearmModel;
use super::reader::Reader;
use crate::units::Quantity::{Acceleration, Frequency, Length, Ratio, Speed, Time};
use Need::{Default, OneOf, Optional};
use Range::Positive;

/// The motion of a robot that was asked for none: table `[motion]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionDefaults {
    /// What the platform follows; `None` is a path about home that fits the robot.
    pub path: Option<DefaultPath>,
    /// The shape of its timing law.
    pub law: LawShape,
    /// How fast; `None` is as fast as the limits of the motors allow.
    pub pace: Option<Pace>,
}

/// The path of a robot that was asked for none, in the user's frame, turned as at home.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DefaultPath {
    /// Its kind.
    pub shape: PathShape,
    /// Where it begins \[m\].
    pub from: [f64; 3],
    /// Where it ends \[m\].
    pub to: [f64; 3],
    /// Height of a semi-ellipse, lift of a pick-and-place cycle \[m\]; `None` is 0.24 of the way.
    pub height: Option<f64>,
    /// Where the corners of a pick-and-place cycle begin, from where straight lines would meet \[m\]; `None` is 0.8
    /// of the lift, or of half the way if that is less.
    pub corner: Option<f64>,
}

/// Paths between two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathShape {
    /// Half an ellipse, up and down again \[Codourey1998\].
    SemiEllipse,
    /// Straight.
    Line,
    /// Up, across and down with rounded corners.
    PickAndPlace,
}

impl PathShape {
    /// Every one with its name in a robot file.
    pub const NAMES: &[(Self, &'static str)] =
        &[(Self::SemiEllipse, "semi-ellipse"), (Self::Line, "line"), (Self::PickAndPlace, "pick-and-place")];

    /// Its name in a robot file.
    pub fn name(self) -> &'static str {
        name_of(Self::NAMES, self)
    }
}

/// Shapes of timing laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LawShape {
    /// A ramp with a sine laid on it: the acceleration is a period of a sine.
    Sine,
    /// Constant acceleration, then constant braking.
    Parabolic,
    /// 3t² − 2t³.
    Cubic,
    /// Continuous acceleration: 10t³ − 15t⁴ + 6t⁵.
    Quintic,
}

impl LawShape {
    /// Every one with its name in a robot file.
    pub const NAMES: &[(Self, &'static str)] = &[
        (Self::Sine, "sine"),
        (Self::Parabolic, "parabolic"),
        (Self::Cubic, "cubic"),
        (Self::Quintic, "quintic"),
    ];

    /// Its name in a robot file.
    pub fn name(self) -> &'static str {
        name_of(Self::NAMES, self)
    }
}

/// How fast a path is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// Peak acceleration along the path \[m/s²\].
    PeakAcceleration(f64),
    /// Average speed along the path \[m/s\].
    AverageSpeed(f64),
    /// Duration of the move \[s\].
    Duration(f64),
}

/// The controller of a robot that was asked for none: table `[controller]`.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerDefaults {
    /// How the controller models the forearms of a Delta; `None` is exactly.
    pub known_forearms: Option<ForearmModel>,
    /// The gains by their frequency \[Hz\], taken as it is; `None` is 20 Hz, lowered until the fastest mode of the
    /// robot does not ring.
    pub frequency: Option<f64>,
    /// The gains by their damping; `None` is 0.7.
    pub damping: Option<f64>,
    /// What is said below a comparison of regulators with this motion and this controller.
    pub note: Option<String>,
}

fn name_of<T: Copy + PartialEq>(names: &[(T, &'static str)], value: T) -> &'static str {
    names.iter().find(|(known, _)| *known == value).map_or("", |(_, name)| name)
}

fn named<T: Copy>(names: &[(T, &'static str)], word: Option<&str>) -> Option<T> {
    names.iter().find(|(_, name)| Some(*name) == word).map(|(value, _)| *value)
}

const WITH_BOTH_ENDS: Need = OneOf("with `from` and `to`; without them the path is about home");
const PATH: Field = field(
    "path",
    ValueType::Choice(&["semi-ellipse", "line", "pick-and-place"]),
    Default("semi-ellipse"),
    "What the platform follows, turned as at home.",
);
const FROM: Field = field(
    "from",
    ValueType::Vector(Length, 3),
    WITH_BOTH_ENDS,
    "Platform position where the path begins, in the frame of the convention.",
);
const TO: Field =
    field("to", ValueType::Vector(Length, 3), WITH_BOTH_ENDS, "Platform position where it ends.");
const HEIGHT: Field = number(
    "height",
    Length,
    Positive,
    Optional("0.24 of the way"),
    "Height of a semi-ellipse, lift of a pick-and-place cycle.",
);
const CORNER: Field = number(
    "corner",
    Length,
    Positive,
    Optional("0.8 of the lift, or of half the way if that is less"),
    "Where the corners of a pick-and-place cycle begin, from where straight lines would meet.",
);
const LAW: Field = field(
    "law",
    ValueType::Choice(&["sine", "parabolic", "cubic", "quintic"]),
    Default("sine"),
    "When the platform is where on the path.",
);
const PEAK_ACCELERATION: Field = number(
    "peak_acceleration",
    Acceleration,
    Positive,
    Optional("as the motors allow, at most 10 m/s^2"),
    "Peak acceleration along the path.",
);
const AVERAGE_SPEED: Field = number(
    "average_speed",
    Speed,
    Positive,
    OneOf("instead of `peak_acceleration`"),
    "Average speed along the path.",
);
const DURATION: Field =
    number("duration", Time, Positive, OneOf("instead of `peak_acceleration`"), "Duration of the move.");

const MOTION_ALTERNATIVES: &[Alternatives] = &[
    Alternatives {
        required: false,
        choices: &[Alternative { needs: &["from", "to"], may: &["path", "height", "corner"] }],
    },
    Alternatives {
        required: false,
        choices: &[
            Alternative { needs: &["peak_acceleration"], may: &[] },
            Alternative { needs: &["average_speed"], may: &[] },
            Alternative { needs: &["duration"], may: &[] },
        ],
    },
];
const MOTION_MEANING: &str = "What the robot follows when no other path is asked for. Positions of a robot in the \
                              x-y plane are x, y.";

/// `[motion]`
pub const MOTION: Table = Table {
    alternatives: MOTION_ALTERNATIVES,
    ..Table::new(
        "motion",
        MOTION_MEANING,
        &[PATH, FROM, TO, HEIGHT, CORNER, LAW, PEAK_ACCELERATION, AVERAGE_SPEED, DURATION],
    )
};

const FROM_IN_PLANE: Field = Field {
    kind: ValueType::Vector(Length, 2),
    meaning: "Platform position x, y where the path begins.",
    ..FROM
};
const TO_IN_PLANE: Field = Field { kind: ValueType::Vector(Length, 2), ..TO };

/// `[motion]` of a robot in the x-y plane
pub const MOTION_IN_PLANE: Table = Table {
    alternatives: MOTION_ALTERNATIVES,
    ..Table::new(
        "motion",
        MOTION_MEANING,
        &[PATH, FROM_IN_PLANE, TO_IN_PLANE, HEIGHT, CORNER, LAW, PEAK_ACCELERATION, AVERAGE_SPEED, DURATION],
    )
};

const KNOWN_FOREARMS: Field = field(
    "known_forearms",
    ValueType::Choice(ForearmModel::WORDS),
    Optional("complete"),
    "How the controller models the forearms of a rotary Delta; only such a robot has this key.",
);
const FREQUENCY: Field = number(
    "frequency",
    Frequency,
    Positive,
    Optional("20 Hz, lowered until the fastest mode of the robot does not ring"),
    "The gains by their frequency, taken as it is.",
);
const DAMPING: Field = number("damping", Ratio, Positive, Optional("0.7"), "The gains by their damping.");
const CONTROLLER_NOTE: Field = field(
    "note",
    ValueType::Text,
    Optional("nothing"),
    "What is said below a comparison of regulators with this motion and this controller.",
);
const CONTROLLER_MEANING: &str = "How the robot is controlled when nothing else is asked for.";

/// `[controller]`
pub const CONTROLLER: Table =
    Table::new("controller", CONTROLLER_MEANING, &[FREQUENCY, DAMPING, CONTROLLER_NOTE]);
/// `[controller]` of a Delta
pub const DELTA_CONTROLLER: Table =
    Table::new("controller", CONTROLLER_MEANING, &[KNOWN_FOREARMS, FREQUENCY, DAMPING, CONTROLLER_NOTE]);

/// `[motion]`, if it is there.
pub(super) fn motion(top: &mut Reader<'_, '_>) -> Option<MotionDefaults> {
    let bare_numbers = top.convention.row().bare_numbers;
    let mut reader = top.open(top.family.row().motion_table())?;
    reader.bare_numbers = bare_numbers;
    let shape = named(PathShape::NAMES, reader.word(&PATH)).unwrap_or(PathShape::SemiEllipse);
    let (from, to) = (point(&mut reader, &FROM), point(&mut reader, &TO));
    let (height, corner) = (reader.optional_number(&HEIGHT), reader.optional_number(&CORNER));
    let law = named(LawShape::NAMES, reader.word(&LAW)).unwrap_or(LawShape::Sine);
    let peak = reader.optional_number(&PEAK_ACCELERATION).map(Pace::PeakAcceleration);
    let average = reader.optional_number(&AVERAGE_SPEED).map(Pace::AverageSpeed);
    let duration = reader.optional_number(&DURATION).map(Pace::Duration);
    let path = from.zip(to).map(|(from, to)| DefaultPath { shape, from, to, height, corner });
    Some(MotionDefaults { path, law, pace: peak.or(average).or(duration) })
}

/// A position in space, or in the plane z = 0.
fn point(reader: &mut Reader<'_, '_>, field: &Field) -> Option<[f64; 3]> {
    let own = reader.place.fields.iter().find(|own| own.key == field.key)?;
    if own.kind == ValueType::Vector(Length, 2) {
        reader.vector(own).map(|[x, y]| [x, y, 0.0])
    } else {
        reader.vector(own)
    }
}

/// `[controller]`, if it is there.
pub(super) fn controller(top: &mut Reader<'_, '_>) -> Option<ControllerDefaults> {
    let mut reader = top.open(top.family.row().controller_table())?;
    let models_forearms = reader.place.fields.contains(&KNOWN_FOREARMS);
    let word = if models_forearms { reader.word(&KNOWN_FOREARMS) } else { None };
    Some(ControllerDefaults {
        known_forearms: word.and_then(ForearmModel::from_name),
        frequency: reader.optional_number(&FREQUENCY),
        damping: reader.optional_number(&DAMPING),
        note: reader.text(&CONTROLLER_NOTE),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_a_shape() {
        let words = |field: &Field| match field.kind {
            ValueType::Choice(words) => words.to_vec(),
            _ => Vec::new(),
        };
        let names: Vec<_> = PathShape::NAMES.iter().map(|(shape, _)| shape.name()).collect();
        assert_eq!(names, words(&PATH));
        let names: Vec<_> = LawShape::NAMES.iter().map(|(shape, _)| shape.name()).collect();
        assert_eq!(names, words(&LAW));
        assert!(ForearmModel::WORDS.iter().all(|word| ForearmModel::from_name(word).is_some()));
    }
}
