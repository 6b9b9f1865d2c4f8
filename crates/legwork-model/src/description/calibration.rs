//! A robot as it was built: by what each of its legs differs from the numbers of the file, and how sure that is.

use super::field::{Count, Field, Need, Range, Table, ValueType};
use super::fields::{field, number};
use super::joint_calibration::JOINT_CALIBRATION;
use super::problem::ProblemKind;
use super::reader::Reader;
use crate::units::Quantity::{Angle, Length};
use Need::Default;
use Range::Any;
use std::fmt::Write as _;

/// Most links of a leg.
pub const MOST_LINKS: usize = 6;

/// By what one leg differs from the numbers of its file; as standard deviations, how sure that is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegCalibration {
    /// Where its first joint is, base axes \[m\].
    pub base_shift: [f64; 3],
    /// Rotation vector of its first joint about its own origin, base axes \[rad\].
    pub base_turn: [f64; 3],
    /// Where its attachment is, platform's axes \[m\].
    pub platform_shift: [f64; 3],
    /// What is added to the reading of its motor that turns \[rad\].
    pub zero_angle: f64,
    /// The same of its motor that slides \[m\].
    pub zero_length: f64,
    /// Change of the length of each link, base first \[m\].
    pub links: [f64; MOST_LINKS],
}

/// What `[[calibration]]` of one leg says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CalibratedLeg {
    /// What was found.
    pub value: LegCalibration,
    /// Its standard deviations; zero where nothing was found, or nothing is known.
    pub sigma: LegCalibration,
}

const BASE_SHIFT: Field = field(
    "base_shift",
    ValueType::Vector(Length, 3),
    Need::Derived("[0, 0, 0]"),
    "By what its first joint is elsewhere, in axes of the base.",
);
const BASE_TURN: Field = field(
    "base_turn",
    ValueType::Vector(Angle, 3),
    Need::Derived("[0, 0, 0]"),
    "By what its first joint is turned about its own origin: axis times angle, in axes of the base.",
);
const PLATFORM_SHIFT: Field = field(
    "platform_shift",
    ValueType::Vector(Length, 3),
    Need::Derived("[0, 0, 0]"),
    "By what its joint at the platform is elsewhere, in axes of the platform.",
);
pub(super) const ZERO_ANGLE: Field = number(
    "zero_angle",
    Angle,
    Any,
    Default("0 deg"),
    "What is added to the reading of its motor that turns: the true angle is reading + zero.",
);
pub(super) const ZERO_LENGTH: Field = number(
    "zero_length",
    Length,
    Any,
    Default("0 m"),
    "What is added to the reading of its motor that slides: the true length is reading + zero.",
);
const fn link(key: &'static str, meaning: &'static str) -> Field {
    number(key, Length, Any, Default("0 m"), meaning)
}
const LINKS: [Field; MOST_LINKS] = [
    link("link_1", "How much longer it is from its first joint to the second: the arm of a Delta."),
    link(
        "link_2",
        "How much longer it is from its second joint to the third, or to the platform if it has two.",
    ),
    link("link_3", "The same of its third joint: the rod of a Delta, from the elbow to the platform."),
    link("link_4", "The same of its fourth joint."),
    link("link_5", "The same of its fifth joint."),
    link("link_6", "The same of its sixth joint."),
];
const KEYS: &[Field] = &[
    BASE_SHIFT,
    BASE_TURN,
    PLATFORM_SHIFT,
    ZERO_ANGLE,
    ZERO_LENGTH,
    LINKS[0],
    LINKS[1],
    LINKS[2],
    LINKS[3],
    LINKS[4],
    LINKS[5],
];

const SIGMA: Table = Table::new(
    "calibration.sigma",
    "Standard deviations of what was found, under the same names; what is left out is 0.",
    KEYS,
);

/// `[[calibration]]`
pub const CALIBRATION: Table = Table {
    repeated: true,
    tables: &[SIGMA],
    ..Table::new(
        "calibration",
        "The robot as it was built: by what a leg differs from the other numbers of the file, once for each leg in their \
         order, as `legwork calibrate` writes it. All that is computed is then computed with it. Bodies stay where they \
         are in the frames of their joints.",
        KEYS,
    )
};

/// `[[calibration]]`, if it is there.
pub(super) fn read(top: &mut Reader<'_, '_>) -> Vec<CalibratedLeg> {
    let bare_numbers = top.convention.row().bare_numbers;
    top.each(&CALIBRATION, |reader| {
        reader.bare_numbers = bare_numbers;
        let value = leg(reader);
        let sigma = reader.open(&CALIBRATION.tables[0]).map(|mut sigma| {
            sigma.bare_numbers = bare_numbers;
            leg(&mut sigma)
        });
        CalibratedLeg { value, sigma: sigma.unwrap_or_default() }
    })
}

/// Whether there is one for each of so many legs, or none.
pub(super) fn check_count(read: &[CalibratedLeg], legs: usize, top: &mut Reader<'_, '_>) {
    if !read.is_empty() && read.len() != legs {
        let span = top.value(CALIBRATION.key()).map(toml::Spanned::span);
        let needs = Count::Exactly(legs);
        let key = CALIBRATION.name;
        top.notes
            .note(span, ProblemKind::WrongCount { key, needs, found: read.len(), each: false, like: None });
    }
}

fn leg(reader: &mut Reader<'_, '_>) -> LegCalibration {
    LegCalibration {
        base_shift: reader.vector(&BASE_SHIFT).unwrap_or_default(),
        base_turn: reader.vector(&BASE_TURN).unwrap_or_default(),
        platform_shift: reader.vector(&PLATFORM_SHIFT).unwrap_or_default(),
        zero_angle: reader.number(&ZERO_ANGLE),
        zero_length: reader.number(&ZERO_LENGTH),
        links: LINKS.each_ref().map(|field| reader.number(field)),
    }
}

/// The tables `[[calibration]]` of these legs as text, every number to the bit and with its unit.
pub fn calibration_text(legs: &[CalibratedLeg]) -> String {
    let mut text = String::new();
    for (k, found) in legs.iter().enumerate() {
        let _ = write!(text, "\n[[calibration]] # leg {}\n", k + 1);
        put(&mut text, &found.value);
        if found.sigma != LegCalibration::default() {
            text.push_str("[calibration.sigma]\n");
            put(&mut text, &found.sigma);
        }
    }
    text
}

fn put(text: &mut String, leg: &LegCalibration) {
    put_vector(text, &BASE_SHIFT, leg.base_shift, "m");
    put_vector(text, &BASE_TURN, leg.base_turn, "rad");
    put_vector(text, &PLATFORM_SHIFT, leg.platform_shift, "m");
    put_number(text, &ZERO_ANGLE, leg.zero_angle, "rad");
    put_number(text, &ZERO_LENGTH, leg.zero_length, "m");
    for (field, by) in LINKS.iter().zip(leg.links) {
        put_number(text, field, by, "m");
    }
}

pub(super) fn put_vector(text: &mut String, field: &Field, vector: [f64; 3], unit: &str) {
    if vector != [0.0; 3] {
        let [x, y, z] = vector.map(|x| format!("\"{x:?} {unit}\""));
        let _ = writeln!(text, "{} = [{x}, {y}, {z}]", field.key);
    }
}

pub(super) fn put_number(text: &mut String, field: &Field, number: f64, unit: &str) {
    if number != 0.0 {
        let _ = writeln!(text, "{} = \"{number:?} {unit}\"", field.key);
    }
}

/// The text of a robot file without its `[[calibration]]` and `[[joint_calibration]]` tables.
pub fn without_calibration(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        if start.starts_with('[') {
            let name = start.trim_start_matches('[').trim_start();
            let word: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            inside = [CALIBRATION.name, JOINT_CALIBRATION.name].contains(&word.as_str());
        }
        if !inside {
            kept.push_str(line);
        }
    }
    kept
}
