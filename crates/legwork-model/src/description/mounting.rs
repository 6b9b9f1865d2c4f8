//! How a robot is used: where its base stands in the cell, and the tool that its platform carries.

use super::fields::{self, Field, Need, Table, ValueType, field, mass_or_none};
use super::model_error::Factors;
use super::parts::{Body, Placement};
use super::reader::Reader;
use crate::units::Quantity::Length;
use Need::Derived;

/// What is mounted on a platform. Poses, velocities and wrenches of the robot are then those of the tool point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tool {
    /// Tool point and axes of the tool in the platform's frame.
    pub placement: Placement,
    /// Its mass, with centre and axes in the platform's frame.
    pub body: Body,
}

impl Tool {
    /// Makes masses and lengths larger or smaller.
    pub(crate) fn scale(&mut self, factors: &Factors) {
        factors.points([&mut self.placement.position]);
        factors.bodies([&mut self.body]);
    }
}

/// `tool.offset`
pub const OFFSET: Field = field(
    "offset",
    ValueType::Vector(Length, 3),
    Derived("the platform point"),
    "The tool point, in the platform's frame.",
);
/// `tool.mass`
pub const MASS: Field = mass_or_none("mass", "Its mass.");
/// `tool.centre`
pub const CENTRE: Field = field(
    "centre",
    ValueType::Vector(Length, 3),
    Derived("the middle of the offset"),
    "Its centre of mass, in the platform's frame.",
);

/// `[tool]`
pub const TOOL: Table = Table {
    alternatives: &[fields::TURNED],
    ..Table::new(
        "tool",
        "What is mounted on the platform. Poses, speeds, forces and moments are then those of the tool point, and the \
         payload is carried there.",
        &[
            OFFSET,
            fields::ORIENTATION,
            fields::ROTATION,
            fields::QUATERNION,
            MASS,
            CENTRE,
            fields::BODY_INERTIA,
        ],
    )
};

/// `cell.position`
pub const POSITION: Field = field(
    "position",
    ValueType::Vector(Length, 3),
    Derived("[0, 0, 0]"),
    "Origin of the robot's frame, in the frame of the cell.",
);

/// `[cell]`
pub const CELL: Table = Table {
    alternatives: &[fields::TURNED],
    ..Table::new(
        "cell",
        "Where the robot stands in its cell. Poses, speeds and forces are then given in the frame of the cell, and \
         gravity pulls along -z of the cell unless `gravity_direction` says otherwise.",
        &[POSITION, fields::ORIENTATION, fields::ROTATION, fields::QUATERNION],
    )
};

/// `[tool]`, if it is there.
pub(super) fn tool(top: &mut Reader<'_, '_>) -> Option<Tool> {
    let bare_numbers = top.convention.row().bare_numbers;
    let mut reader = top.open(&TOOL)?;
    reader.bare_numbers = bare_numbers;
    let offset: [f64; 3] = reader.vector(&OFFSET).unwrap_or_default();
    let rotation = reader.rotation();
    let mass = reader.number(&MASS);
    let centre = reader.vector(&CENTRE).unwrap_or_else(|| offset.map(|x| x / 2.0));
    let inertia = reader.inertia(&TOOL);
    Some(Tool { placement: Placement { position: offset, rotation }, body: Body { mass, centre, inertia } })
}

/// `[cell]`, if it is there.
pub(super) fn cell(top: &mut Reader<'_, '_>) -> Option<Placement> {
    let bare_numbers = top.convention.row().bare_numbers;
    let mut reader = top.open(&CELL)?;
    reader.bare_numbers = bare_numbers;
    let position = reader.vector(&POSITION).unwrap_or_default();
    Some(Placement { position, rotation: reader.rotation() })
}
