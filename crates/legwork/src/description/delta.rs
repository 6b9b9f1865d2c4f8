//! From the tables of a file to a Delta robot in SI units and legwork's convention.

use super::convention::{Convention, Frame, Gives};
use super::fields::{self, Field, Table};
use super::problem::ProblemKind;
use super::reader::{Notes, Reader, described};
use super::{AngleLimits, DeltaGeometry, DeltaMass, Elbow, Family, Motor, RobotDescription};
use std::ops;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Read a whole file. Where something is wrong it is noted, and the values returned mean nothing.
pub(super) fn read<'t>(root: &DeTable<'t>, notes: &mut Notes<'t>, stem: &str) -> Option<RobotDescription> {
    let tables: Vec<_> = fields::TABLES.iter().map(|table| table.name).collect();
    let mut top = Reader {
        notes,
        name: "",
        table: root,
        header: None,
        convention: Convention::Legwork,
        bare_numbers: true,
    };
    top.refuse_unknown_keys(fields::TOP.fields, &tables);
    let name = top.text(&fields::NAME).unwrap_or_else(|| stem.to_owned());
    // Of an unknown family nothing more can be said.
    let known_family = top.word(&fields::FAMILY).is_some() || !has(root, &fields::FAMILY);
    let (source, note) = (top.text(&fields::SOURCE), top.text(&fields::NOTE));
    let convention = top.word(&fields::CONVENTION).and_then(Convention::from_name);
    let gravity = top.number(&fields::GRAVITY);
    let working_mode = top.words(&fields::WORKING_MODE).unwrap_or(["out"; 3]).map(elbow);
    if !known_family {
        return None;
    }

    let mut file = File { root, notes, convention: convention.unwrap_or(Convention::Legwork) };
    // Without its convention no key of [geometry] has a meaning.
    let (geometry, frame) = match convention {
        Some(_) => file.geometry(),
        None => (NO_GEOMETRY, NO_FRAME),
    };
    Some(RobotDescription {
        name,
        family: Family::Delta,
        source,
        note,
        convention: file.convention,
        frame,
        gravity,
        geometry,
        mass: file.mass(&geometry),
        motor: file.motor(),
        limits: file.limits(&frame),
        home: file.home(&frame),
        working_mode,
    })
}

fn has(table: &DeTable<'_>, field: &Field) -> bool {
    table.iter().any(|(key, _)| key.get_ref() == field.key)
}

fn elbow(word: &str) -> Elbow {
    if word == "in" { Elbow::In } else { Elbow::Out }
}

/// What stands in for a geometry that cannot be read.
const NO_GEOMETRY: DeltaGeometry = DeltaGeometry {
    base_radius: f64::NAN,
    platform_radius: f64::NAN,
    arm: f64::NAN,
    forearm: f64::NAN,
    azimuth: [f64::NAN; 3],
};
const NO_FRAME: Frame = Frame { z_offset: 0.0, angle_sign: 1.0, angle_zero: 0.0 };

/// The file, table by table.
struct File<'f, 't> {
    root: &'f DeTable<'t>,
    notes: &'f mut Notes<'t>,
    convention: Convention,
}

impl<'f, 't> File<'f, 't> {
    /// A table of the file, if it is there.
    fn find(&mut self, table: &Table) -> Option<(&'f DeTable<'t>, ops::Range<usize>)> {
        let (_, value): (_, &Spanned<DeValue<'t>>) =
            self.root.iter().find(|(key, _)| key.get_ref() == table.name)?;
        match value.get_ref() {
            DeValue::Table(found) => Some((found, value.span())),
            other => {
                let kind = ProblemKind::NotATable { name: table.name, found: described(other) };
                self.notes.note(Some(value.span()), kind);
                None
            }
        }
    }

    /// A reader of a table with its unknown keys refused.
    fn open(&mut self, table: &Table, keys: &[Field], bare_numbers: bool) -> Option<Reader<'_, 't>> {
        let (found, header) = self.find(table)?;
        let mut reader = Reader {
            notes: self.notes,
            name: table.name,
            table: found,
            header: Some(header),
            convention: self.convention,
            bare_numbers,
        };
        reader.refuse_unknown_keys(keys, &[]);
        Some(reader)
    }

    fn geometry(&mut self) -> (DeltaGeometry, Frame) {
        let row = self.convention.row();
        let mut geometry = DeltaGeometry { azimuth: row.azimuth_deg.map(f64::to_radians), ..NO_GEOMETRY };
        let mut frame =
            Frame { z_offset: 0.0, angle_sign: row.angle_sign, angle_zero: row.angle_zero_deg.to_radians() };
        let keys: Vec<Field> = row.geometry.iter().map(|(field, _)| *field).collect();
        let Some(mut reader) = self.open(&fields::GEOMETRY, &keys, row.bare_numbers) else {
            if !self.root.iter().any(|(key, _)| key.get_ref() == fields::GEOMETRY.name) {
                self.notes.note(None, ProblemKind::MissingTable { table: fields::GEOMETRY });
            }
            return (geometry, frame);
        };
        for (field, gives) in row.geometry {
            match gives {
                Gives::BaseRadius(measured) => {
                    geometry.base_radius = measured.radius(reader.number(field));
                }
                Gives::PlatformRadius(measured) => {
                    geometry.platform_radius = measured.radius(reader.number(field));
                }
                Gives::RadiusDifference => {
                    geometry.base_radius = reader.number(field);
                    geometry.platform_radius = 0.0;
                }
                Gives::Arm => geometry.arm = reader.number(field),
                Gives::Forearm => geometry.forearm = reader.number(field),
                Gives::Height => frame.z_offset = reader.number(field),
                Gives::Azimuth => {
                    geometry.azimuth = reader.numbers(field, third_turns).unwrap_or(geometry.azimuth);
                }
            }
        }
        (geometry, frame)
    }

    fn mass(&mut self, geometry: &DeltaGeometry) -> Option<DeltaMass> {
        let mut reader = self.open(&fields::MASS, fields::MASS.fields, true)?;
        let (arm, forearm) = (reader.number(&fields::MASS_ARM), reader.number(&fields::MASS_FOREARM));
        let (a, b) = (geometry.arm, geometry.forearm);
        Some(DeltaMass {
            platform: reader.number(&fields::MASS_PLATFORM),
            payload: reader.number(&fields::PAYLOAD),
            arm,
            forearm,
            elbow: reader.number(&fields::ELBOW),
            arm_centre: reader.number_or(&fields::ARM_CENTRE, a / 2.0),
            arm_inertia: reader.number_or(&fields::ARM_INERTIA, arm * a * a / 12.0),
            forearm_centre: reader.number_or(&fields::FOREARM_CENTRE, b / 2.0),
            forearm_inertia: reader.number_or(&fields::FOREARM_INERTIA, forearm * b * b / 12.0),
        })
    }

    fn motor(&mut self) -> Motor {
        // An absent table is an empty one: every field has a default or stays unknown.
        let nothing = DeTable::new();
        let (table, header) =
            self.find(&fields::MOTOR).map_or((&nothing, None), |(table, header)| (table, Some(header)));
        let mut reader = Reader {
            notes: self.notes,
            name: fields::MOTOR.name,
            table,
            header,
            convention: self.convention,
            bare_numbers: true,
        };
        reader.refuse_unknown_keys(fields::MOTOR.fields, &[]);
        Motor {
            rotor_inertia: reader.number(&fields::ROTOR_INERTIA),
            gear_ratio: reader.number(&fields::GEAR_RATIO),
            gear_inertia: reader.number(&fields::GEAR_INERTIA),
            viscous_friction: reader.number(&fields::VISCOUS_FRICTION),
            coulomb_friction: reader.number(&fields::COULOMB_FRICTION),
            max_torque: reader.optional_number(&fields::MAX_TORQUE),
            max_speed: reader.optional_number(&fields::MAX_SPEED),
        }
    }

    fn limits(&mut self, frame: &Frame) -> AngleLimits {
        let bare_numbers = self.convention.row().bare_numbers;
        let Some(mut reader) = self.open(&fields::LIMITS, fields::LIMITS.fields, bare_numbers) else {
            return AngleLimits { min: None, max: None };
        };
        let ends = [reader.optional_number(&fields::ANGLE_MIN), reader.optional_number(&fields::ANGLE_MAX)];
        let [low, high] = ends.map(|angle| angle.map(|angle| frame.angle_from_user(angle)));
        // Where the user counts the other way round, the lowest angle is our highest.
        if frame.angle_sign < 0.0 {
            AngleLimits { min: high, max: low }
        } else {
            AngleLimits { min: low, max: high }
        }
    }

    fn home(&mut self, frame: &Frame) -> Option<[f64; 3]> {
        let bare_numbers = self.convention.row().bare_numbers;
        let mut reader = self.open(&fields::HOME, fields::HOME.fields, bare_numbers)?;
        let position = reader.numbers(&fields::HOME_POSITION, |x| [x; 3])?;
        Some(frame.position_from_user(position))
    }
}

/// Leg 1 at this angle, the others a third of a turn apart.
fn third_turns(first: f64) -> [f64; 3] {
    [0.0_f64, 120.0, 240.0].map(|turn| first + turn.to_radians())
}
