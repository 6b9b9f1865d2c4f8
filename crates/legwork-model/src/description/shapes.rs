//! Reading what several families have: bodies, motors, limits, places.

use super::fields::{self, Field, Need, Range, Table};
use super::parts::{AngleLimits, Bar, Body, LengthLimits, LinearMotor, Motor, Placement};
use super::problem::ProblemKind;
use super::reader::Reader;
use crate::rotation;
use crate::units::Quantity::{Inertia, Length};

/// How far a rotation or an inertia may be from what it must be.
const ROTATION_TOLERANCE: f64 = 1e-6;
const SYMMETRY_TOLERANCE: f64 = 1e-9;

impl Reader<'_, '_> {
    /// The body in a table inside this one; massless if it is not there.
    pub fn body(&mut self, table: &'static Table) -> Body {
        let Some(mut reader) = self.open(table) else { return Body::MASSLESS };
        Body {
            mass: reader.number(&fields::BODY_MASS),
            centre: reader.vector(&fields::BODY_CENTRE).unwrap_or_default(),
            inertia: reader.inertia(table),
        }
    }

    /// xx, yy, zz; or these and xy, xz, yz; or three rows.
    pub(crate) fn inertia(&mut self, table: &Table) -> [[f64; 3]; 3] {
        let field = table.fields.iter().find(|field| field.key == fields::BODY_INERTIA.key);
        let Some(rows) = field.and_then(|field| self.rows(field)) else { return [[0.0; 3]; 3] };
        let key = fields::BODY_INERTIA.key;
        match (rows.matrix, rows.span) {
            (Ok(matrix), span) => {
                let largest = matrix.as_flattened().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                    let entries = (matrix[i][j], matrix[j][i]);
                    if (entries.0 - entries.1).abs() > SYMMETRY_TOLERANCE * largest {
                        let place = (i + 1, j + 1);
                        self.notes.note(Some(span), ProblemKind::NotSymmetric { key, place, entries });
                        break;
                    }
                }
                matrix
            }
            (Err(list), span) => match list[..] {
                [xx, yy, zz] => [[xx, 0.0, 0.0], [0.0, yy, 0.0], [0.0, 0.0, zz]],
                [xx, yy, zz, xy, xz, yz] => [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
                _ => {
                    self.notes.note(Some(span), ProblemKind::InertiaCount { key, found: list.len() });
                    [[0.0; 3]; 3]
                }
            },
        }
    }

    /// How a frame is turned: `orientation`, `rotation` or `quaternion_wxyz`; not at all if none is there.
    pub fn rotation(&mut self) -> [[f64; 3]; 3] {
        if let Some(angles) = self.vector(&fields::ORIENTATION) {
            return rotation::from_roll_pitch_yaw(angles);
        }
        if let Some(quaternion) = self.vector(&fields::QUATERNION) {
            return rotation::from_quaternion(quaternion);
        }
        if !self.has(fields::ROTATION.key) {
            return Placement::IDENTITY.rotation;
        }
        let Some(rows) = self.rows(&fields::ROTATION) else { return Placement::IDENTITY.rotation };
        let key = fields::ROTATION.key;
        let matrix = match rows.matrix {
            Ok(matrix) => matrix,
            Err(list) => {
                let needs = fields::Count::Exactly(3);
                let kind = ProblemKind::WrongCount { key, needs, found: list.len(), each: false, like: None };
                self.notes.note(Some(rows.span), kind);
                return Placement::IDENTITY.rotation;
            }
        };
        let error = rotation::error(&matrix);
        if error.is_nan() || error > ROTATION_TOLERANCE {
            self.notes.note(Some(rows.span), ProblemKind::NotARotation { key, error });
        }
        rotation::cleaned(&matrix)
    }

    /// `[home]` of a platform that turns.
    pub fn home_pose(&mut self) -> Option<Placement> {
        let mut reader = self.open(&fields::HOME_POSE)?;
        let position = reader.vector(&fields::HOME_POSITION);
        let rotation = reader.rotation();
        Some(Placement { position: position?, rotation })
    }

    /// `[home]` of a platform that only translates.
    pub fn home_position(&mut self) -> Option<[f64; 3]> {
        self.open(&fields::HOME)?.vector(&fields::HOME_POSITION)
    }

    /// A motor that turns an arm; without inertia and friction if its table is not there.
    pub fn motor(&mut self, table: &'static Table) -> Motor {
        self.open_or_empty(table).motor_here()
    }

    /// The same in its own table.
    pub fn motor_here(&mut self) -> Motor {
        let gear_ratio = self.number(&fields::GEAR_RATIO);
        let size = gear_ratio.abs();
        let mut lowest = |motor: &Field, at_arm: f64, joint: &Field, old: &Field| {
            let of_motor = self.optional_number(motor).map(|limit| limit * at_arm);
            let (named, unnamed) = (self.optional_number(joint), self.optional_number(old));
            let all = [of_motor, named, unnamed].into_iter().flatten();
            (all.reduce(legwork_core::Real::min), unnamed.is_some())
        };
        let (max_torque, torque_unnamed) =
            lowest(&fields::MOTOR_TORQUE, size, &fields::JOINT_TORQUE, &fields::MAX_TORQUE);
        let (max_speed, speed_unnamed) =
            lowest(&fields::MOTOR_SPEED, size.recip(), &fields::JOINT_SPEED, &fields::MAX_SPEED);
        Motor {
            rotor_inertia: self.number(&fields::ROTOR_INERTIA),
            gear_ratio,
            gear_inertia: self.number(&fields::GEAR_INERTIA),
            viscous_friction: self.number(&fields::VISCOUS_FRICTION),
            coulomb_friction: self.number(&fields::COULOMB_FRICTION),
            max_torque,
            max_speed,
            side_is_not_named: torque_unnamed || speed_unnamed,
        }
    }

    /// A motor that moves along a line; without inertia and friction if its table is not there.
    pub fn linear_motor(&mut self, table: &'static Table) -> LinearMotor {
        let mut reader = self.open_or_empty(table);
        let actuator_inertia = reader.number(&fields::ACTUATOR_MASS);
        reader.linear_motor_with(actuator_inertia)
    }

    /// The same in its own table, with an inertia that was read before.
    pub fn linear_motor_with(&mut self, actuator_inertia: f64) -> LinearMotor {
        LinearMotor {
            actuator_inertia,
            viscous_friction: self.number(&fields::LINEAR_VISCOUS),
            coulomb_friction: self.number(&fields::LINEAR_COULOMB),
            max_force: self.optional_number(&fields::MAX_FORCE),
            max_speed: self.optional_number(&fields::LINEAR_MAX_SPEED),
        }
    }

    /// Limits of the motor angles.
    pub fn angle_limits(&mut self) -> AngleLimits {
        let reader = self.open(&fields::ANGLE_LIMITS);
        let [min, max] = reader.map_or([None; 2], |mut r| r.ends(&fields::ANGLE_MIN, &fields::ANGLE_MAX));
        AngleLimits { min, max }
    }

    /// Limits of the leg lengths, and how far the legs may lean.
    pub fn leg_limits(&mut self) -> (LengthLimits, Option<f64>) {
        let Some(mut reader) = self.open(&fields::LEG_LIMITS) else {
            return (LengthLimits { min: None, max: None }, None);
        };
        let [min, max] = reader.ends(&fields::LENGTH_MIN, &fields::LENGTH_MAX);
        (LengthLimits { min, max }, reader.optional_number(&fields::LEG_CONE))
    }

    /// Limits of positions on rails, and how far the rods may lean.
    pub fn carriage_limits(&mut self) -> (LengthLimits, Option<f64>) {
        let Some(mut reader) = self.open(&fields::CARRIAGE_LIMITS) else {
            return (LengthLimits { min: None, max: None }, None);
        };
        let [min, max] = reader.ends(&fields::POSITION_MIN, &fields::POSITION_MAX);
        (LengthLimits { min, max }, reader.optional_number(&fields::ROD_CONE))
    }

    /// Limits of positions on rails.
    pub fn position_limits(&mut self) -> LengthLimits {
        let reader = self.open(&fields::POSITION_LIMITS);
        let [min, max] =
            reader.map_or([None; 2], |mut r| r.ends(&fields::POSITION_MIN, &fields::POSITION_MAX));
        LengthLimits { min, max }
    }

    /// A lower and an upper limit in this table.
    pub fn ends(&mut self, min: &Field, max: &Field) -> [Option<f64>; 2] {
        let ends = [self.optional_number(min), self.optional_number(max)];
        if let [Some(low), Some(high)] = ends
            && low >= high
        {
            let span = self.value(min.key).map(toml::Spanned::span);
            self.notes.note(span, ProblemKind::Reversed { keys: (*min, *max), values: (low, high) });
        }
        ends
    }

    /// A bar of a length: a thin rod unless the table says more.
    pub fn bar(&mut self, length: f64, keys: &BarFields) -> Bar {
        let mass = self.number(&keys.mass);
        Bar {
            mass,
            centre: self.number_or(&keys.centre, length / 2.0),
            inertia: self.number_or(&keys.inertia, mass * length * length / 12.0),
        }
    }
}

/// The keys of a bar in a `[mass]` table.
pub(crate) struct BarFields {
    pub mass: Field,
    pub centre: Field,
    pub inertia: Field,
}

impl BarFields {
    /// The arm of a rotary leg.
    pub const ARM: Self = Self {
        mass: fields::mass("arm", "One arm, without its elbow."),
        centre: centre("arm_centre", "half the arm", "Centre of mass of the arm, from the motor axis."),
        inertia: inertia(
            "arm_inertia",
            "Arm about its own centre of mass, about an axis parallel to the motor's.",
        ),
    };
    /// A rod that ends at the platform.
    pub const ROD: Self = Self {
        mass: fields::mass("rod", "One rod; with two rods a leg, both together."),
        centre: centre(
            "rod_centre",
            "half the rod",
            "Centre of mass of the rod, from the joint at the motor's side.",
        ),
        inertia: inertia(
            "rod_inertia",
            "Rod about its own centre of mass, across its length; it has none about its length.",
        ),
    };
    /// The first link of a planar leg.
    pub const PROXIMAL: Self = Self {
        mass: fields::mass("proximal", "One proximal link."),
        centre: centre("proximal_centre", "half the link", "Its centre of mass, from the motor axis."),
        inertia: inertia("proximal_inertia", "Its inertia about its own centre of mass."),
    };
    /// The second link of a planar leg.
    pub const DISTAL: Self = Self {
        mass: fields::mass("distal", "One distal link."),
        centre: centre("distal_centre", "half the link", "Its centre of mass, from the elbow."),
        inertia: inertia("distal_inertia", "Its inertia about its own centre of mass."),
    };
}

const fn centre(key: &'static str, half: &'static str, meaning: &'static str) -> Field {
    fields::number(key, Length, Range::Any, Need::Derived(half), meaning)
}

const fn inertia(key: &'static str, meaning: &'static str) -> Field {
    fields::number(key, Inertia, Range::NotNegative, Need::Derived("thin rod, m l^2 / 12"), meaning)
}
