//! The families of robots: one file each, with its tables, its data and its reader.

pub mod c5;
pub mod custom;
pub mod delta;
pub mod five_bar;
pub mod gough_stewart;
pub mod hexa;
pub mod hexaglide;
pub mod linear_delta;
pub mod planar_3rrr;
pub mod space;

use super::fields::{self, Field, Table};
use super::parts::{Body, PlanarBody};
use super::reader::Reader;
use c5::C5Description;
use custom::CustomDescription;
use delta::DeltaDescription;
use five_bar::FiveBarDescription;
use gough_stewart::GoughStewartDescription;
use hexa::HexaDescription;
use hexaglide::HexaglideDescription;
use linear_delta::LinearDeltaDescription;
use planar_3rrr::Planar3RrrDescription;
use space::SpaceDescription;

/// Kind of robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Rotary Delta: three motors, three arms, three parallelograms, a platform that only translates.
    Delta,
    /// Gough–Stewart platform or hexapod, 6-UPS: legs that change their length.
    GoughStewart,
    /// Space robot of Khalil and Ibrahim, 3-UPS with two motors a leg.
    Space,
    /// C5 robot: six sliding legs whose ends slide in the faces of a cube.
    C5,
    /// Hexa, 6-RUS: six arms and six rods.
    Hexa,
    /// Hexaglide, 6-PUS: carriages on rails and rods.
    Hexaglide,
    /// Linear Delta: three carriages on rails, three parallelograms, a platform that only translates.
    LinearDelta,
    /// Planar five-bar, RRRRR.
    FiveBar,
    /// Planar 3-RRR.
    Planar3Rrr,
    /// A robot of one's own, by its legs.
    Custom,
}

impl Family {
    /// The row of the table that describes it.
    pub fn row(self) -> &'static FamilyRow {
        FAMILIES.iter().find(|row| row.family == self).unwrap_or(&delta::ROW)
    }

    /// Its name in a robot file.
    pub fn name(self) -> &'static str {
        self.row().name
    }
}

/// What a robot is made of, by its family.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Model {
    /// Rotary Delta.
    Delta(DeltaDescription),
    /// Gough–Stewart platform.
    GoughStewart(GoughStewartDescription),
    /// Space robot.
    Space(SpaceDescription),
    /// C5 robot.
    C5(C5Description),
    /// Hexa.
    Hexa(HexaDescription),
    /// Hexaglide.
    Hexaglide(HexaglideDescription),
    /// Linear Delta.
    LinearDelta(LinearDeltaDescription),
    /// Planar five-bar.
    FiveBar(FiveBarDescription),
    /// Planar 3-RRR.
    Planar3Rrr(Planar3RrrDescription),
    /// A robot of one's own.
    Custom(CustomDescription),
}

impl Model {
    /// Replaces what the platform carries by a point mass at the platform point \[kg\].
    /// Nothing changes for a robot with geometry only.
    pub fn set_payload(&mut self, mass: f64) {
        let body = Body { mass, ..Body::MASSLESS };
        match self {
            Self::Delta(d) => d.mass.iter_mut().for_each(|m| m.payload = mass),
            Self::GoughStewart(d) => d.mass.iter_mut().for_each(|m| m.payload = body),
            Self::Space(d) => d.mass.iter_mut().for_each(|m| m.payload = body),
            Self::C5(d) => d.mass.iter_mut().for_each(|m| m.payload = body),
            Self::Hexa(d) => d.mass.iter_mut().for_each(|m| m.payload = body),
            Self::Hexaglide(d) => d.mass.iter_mut().for_each(|m| m.payload = body),
            Self::LinearDelta(d) => d.mass.iter_mut().for_each(|m| m.payload = mass),
            Self::FiveBar(d) => d.mass.iter_mut().for_each(|m| m.payload = mass),
            Self::Planar3Rrr(d) => {
                let body = PlanarBody { mass, ..PlanarBody::MASSLESS };
                d.mass.iter_mut().for_each(|m| m.payload = body);
            }
            Self::Custom(d) => d.payload = body,
        }
    }
}

/// Everything a file of one family may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyRow {
    /// Which family.
    pub family: Family,
    /// Its name in a robot file.
    pub name: &'static str,
    /// What it is, in words.
    pub meaning: &'static str,
    /// How its frames and joints are counted, in words.
    pub frame: &'static str,
    /// The keys at the top of the file besides those of [`fields::TOP`].
    pub own_top: &'static [Field],
    /// Its tables.
    pub tables: &'static [Table],
}

impl FamilyRow {
    /// The keys at the top of the file.
    pub fn top(&self) -> impl Iterator<Item = &'static Field> {
        fields::TOP.fields.iter().chain(self.own_top)
    }

    /// Whether it can be given in the convention of another system.
    pub fn has_conventions(&self) -> bool {
        self.family == Family::Delta
    }
}

/// Every family.
pub const FAMILIES: &[FamilyRow] = &[
    delta::ROW,
    gough_stewart::ROW,
    space::ROW,
    c5::ROW,
    hexa::ROW,
    hexaglide::ROW,
    linear_delta::ROW,
    five_bar::ROW,
    planar_3rrr::ROW,
    custom::ROW,
];

/// Every name of a family.
pub const NAMES: &[&str] = &[
    "delta",
    "gough-stewart",
    "space",
    "c5",
    "hexa",
    "hexaglide",
    "linear-delta",
    "five-bar",
    "3-rrr",
    "custom",
];

/// Read what belongs to the family. `None` if so much is wrong that there is nothing to give.
pub(super) fn read(top: &mut Reader<'_, '_>) -> Option<Model> {
    Some(match top.family.family {
        Family::Delta => Model::Delta(delta::read(top)),
        Family::GoughStewart => Model::GoughStewart(gough_stewart::read(top)?),
        Family::Space => Model::Space(space::read(top)?),
        Family::C5 => Model::C5(c5::read(top)?),
        Family::Hexa => Model::Hexa(hexa::read(top)?),
        Family::Hexaglide => Model::Hexaglide(hexaglide::read(top)?),
        Family::LinearDelta => Model::LinearDelta(linear_delta::read(top)?),
        Family::FiveBar => Model::FiveBar(five_bar::read(top)?),
        Family::Planar3Rrr => Model::Planar3Rrr(planar_3rrr::read(top)?),
        Family::Custom => Model::Custom(custom::read(top)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_row() {
        let rows: Vec<_> = FAMILIES.iter().map(|row| row.name).collect();
        assert_eq!(rows, NAMES);
        for row in FAMILIES {
            assert_eq!(row.family.row(), row);
        }
    }

    #[test]
    fn the_ways_of_every_table_name_its_own_keys() {
        for table in FAMILIES.iter().flat_map(|row| row.tables).flat_map(Table::all) {
            for way in table.ways.iter().flat_map(|ways| ways.ways) {
                for key in way.needs.iter().chain(way.may) {
                    assert!(table.every_field().any(|field| field.key == *key), "{}: {key}", table.name);
                }
            }
        }
    }
}
