//! The families of robots: one file each, and one list.
//!
//! A file of this folder says everything about its family: the keys of its robot files, its data, how a file
//! becomes the data, which legs the data describe, the names of its branches, what its platform carries, what is
//! shown of it, what a model error does to it, and which parameters of a golden file are its own. The robot
//! files that come with it are named there too. `FamilyModel` is that list of questions; [`Family`] and
//! [`FamilyData`] are made from the one list in this file.

pub(crate) mod blueprint;
pub mod c5;
pub mod calibrated;
pub(crate) mod closed_delta;
pub mod custom;
pub mod delta;
pub mod five_bar;
pub mod golden;
pub mod gough_stewart;
pub mod hexa;
pub mod hexaglide;
pub mod inertial;
pub mod linear_delta;
pub mod mechanism;
pub(crate) mod mounting;
pub mod planar_3rrr;
pub mod properties;
pub mod space;

use crate::description::built_in::BuiltIn;
use crate::description::calibration::CALIBRATION;
use crate::description::defaults;
use crate::description::fields::{self, Field, Table};
use crate::description::identified::IDENTIFIED;
use crate::description::joint_calibration::JOINT_CALIBRATION;
use crate::description::model_error::Factors;
use crate::description::mounting::{CELL, TOOL};
use crate::description::reader::Reader;
use blueprint::{BuildError, Construction};
use golden::{GoldenParameters, ParameterFault};
use inertial::InertialPart;
use legwork_core::V3;
use properties::{Drives, Property};

/// Everything that legwork asks of a family.
pub(crate) trait FamilyModel {
    /// Reads what belongs to the family; `None` if so much is wrong that there is nothing to give.
    fn read(top: &mut Reader<'_, '_>) -> Option<Self>
    where
        Self: Sized;

    /// How the robot is built, in its own frame; `gravity` \[m/s²\] is passed on as it is.
    fn construction(&self, gravity: V3<f64>) -> Result<Construction<'_>, BuildError>;

    /// How many legs it has.
    fn leg_count(&self) -> usize;

    /// Whether it has masses; otherwise it has geometry only.
    fn has_masses(&self) -> bool {
        !self.bodies().is_empty()
    }

    /// What its platform carries \[kg\].
    fn payload(&self) -> f64;

    /// Replaces what the platform carries by a point mass at the platform point \[kg\]. Nothing changes for a robot
    /// with geometry only.
    fn set_payload(&mut self, mass: f64);

    /// Whether the file says where the robot rests.
    fn has_home(&self) -> bool;

    /// How far its rods may lean from where their joints are centred, if its file says so.
    fn joint_cone(&self) -> Option<JointCone> {
        None
    }

    /// Its parts with mass, equal legs once, with the numbers of its file.
    fn inertial_parts(&mut self) -> Vec<InertialPart<'_>>;

    /// Makes masses, lengths and friction larger or smaller.
    fn scale(&mut self, factors: &Factors);

    /// Its lengths, points and directions, in the order of its file.
    fn geometry(&self) -> Vec<Property>;

    /// Its bodies; none for a robot with geometry only.
    fn bodies(&self) -> Vec<Property>;

    /// Mass of everything that moves, with what the platform carries \[kg\].
    fn moving_mass(&self) -> f64;

    /// Inertia and friction of its motors, as the joints feel them.
    fn drives(&self) -> Drives;

    /// The robot of a golden file that has all parameters of [`FamilyRow::golden_keys`].
    fn from_golden(_: &GoldenParameters<'_>) -> Result<Self, ParameterFault>
    where
        Self: Sized,
    {
        Err(ParameterFault::Missing { pointer: "/parameters".into() })
    }
}

/// What the joints at the ends of rods allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointCone {
    /// Ball joints whose pins lie across the plane of the leg: a rod may lean out of that plane.
    OutOfPlane {
        /// By so much \[rad\].
        most: f64,
        /// Direction of each leg about the base's z \[rad\].
        azimuth: [f64; 3],
    },
    /// Joints that are centred at home: a leg may lean from its direction there, seen from the base and from the platform.
    AboutHome {
        /// By so much \[rad\].
        most: f64,
    },
}

impl JointCone {
    /// How far a rod may lean \[rad\].
    pub fn most(&self) -> f64 {
        match self {
            Self::OutOfPlane { most, .. } | Self::AboutHome { most } => *most,
        }
    }
}

/// What is the same for all robots of one family: its words, its keys, its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyRow {
    /// Its name in a robot file.
    pub name: &'static str,
    /// What it is, in words.
    pub meaning: &'static str,
    /// How its frames and joints are counted, in words.
    pub frame: &'static str,
    /// Whether its robots move in the x-y plane.
    pub in_plane: bool,
    /// Whether it can be given in the convention of another system.
    pub has_conventions: bool,
    /// The two branches that its legs have, if they have two.
    pub branches: Option<Branches>,
    /// How its robots are drawn with letters.
    pub view: View,
    /// The keys at the top of the file that no other family has.
    pub own_keys: &'static [Field],
    /// The tables of its files besides those that every family has: `[tool]`, `[cell]`, `[motion]`, `[controller]`, and `[[calibration]]`
    /// where it has legs, `[[joint_calibration]]` where it has bodies and joints.
    pub own_tables: &'static [Table],
    /// The parameters by which a golden file is known to be of this family; empty if there are no such files.
    pub golden_keys: &'static [&'static str],
    /// Its robots that come with legwork, those with masses first.
    pub built_in: &'static [BuiltIn],
}

/// The two ways a leg can reach the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branches {
    /// What differs: "elbows".
    pub what: &'static str,
    /// The names of the two.
    pub names: &'static [&'static str],
}

/// How a robot is drawn with letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// All legs from above.
    FromAbove,
    /// The first leg from the side.
    FirstLeg,
    /// Not at all: there is nothing to see from one side.
    None,
}

impl FamilyRow {
    /// A family of robots in space, with one branch for each leg.
    const fn in_space(name: &'static str, meaning: &'static str, frame: &'static str) -> Self {
        Self {
            name,
            meaning,
            frame,
            in_plane: false,
            has_conventions: false,
            branches: None,
            view: View::FromAbove,
            own_keys: &[],
            own_tables: &[],
            golden_keys: &[],
            built_in: &[],
        }
    }

    /// A family of robots in the x-y plane, with one branch for each leg.
    const fn in_plane(name: &'static str, meaning: &'static str, frame: &'static str) -> Self {
        Self { in_plane: true, ..Self::in_space(name, meaning, frame) }
    }

    /// The keys at the top of its files.
    pub fn top(&self) -> impl Iterator<Item = &'static Field> + use<> {
        let shared: &[Field] = match (self.has_conventions, self.in_plane) {
            (true, _) => &[fields::CONVENTION, fields::GRAVITY, fields::GRAVITY_DIRECTION],
            (_, false) => &[fields::OWN_CONVENTION, fields::GRAVITY, fields::GRAVITY_DIRECTION],
            (_, true) => &[fields::OWN_CONVENTION, fields::GRAVITY, fields::GRAVITY_IN_PLANE],
        };
        fields::TOP.fields.iter().chain(shared).chain(self.own_keys)
    }

    /// The tables of its files.
    pub fn tables(&self) -> impl Iterator<Item = &'static Table> + use<> {
        let shared = [&TOOL, &CELL, self.motion_table(), self.controller_table(), &IDENTIFIED];
        // `[[leg]]` tables may be legs, or bodies and joints.
        let built: &[&Table] = match (self.has_legs(), self.name == custom::ROW.name) {
            (_, true) => &[&CALIBRATION, &JOINT_CALIBRATION],
            (true, false) => &[&CALIBRATION],
            (false, false) => &[&JOINT_CALIBRATION],
        };
        self.own_tables.iter().chain(shared).chain(built.iter().copied())
    }

    /// Whether its robots are legs between a base and a platform, not bodies and joints.
    pub fn has_legs(&self) -> bool {
        self.name != mechanism::ROW.name
    }

    /// Its table `[motion]`.
    pub(crate) fn motion_table(&self) -> &'static Table {
        if self.in_plane { &defaults::MOTION_IN_PLANE } else { &defaults::MOTION }
    }

    /// Its table `[controller]`: only a Delta has models of its forearms.
    pub(crate) fn controller_table(&self) -> &'static Table {
        if self.has_conventions { &defaults::DELTA_CONTROLLER } else { &defaults::CONTROLLER }
    }

    /// Where gravity pulls unless a file says otherwise, in base axes.
    pub fn down(&self) -> [f64; 3] {
        if self.in_plane { [0.0, -1.0, 0.0] } else { [0.0, 0.0, -1.0] }
    }

    /// The tables that give its robots their masses.
    pub fn mass_tables(&self) -> impl Iterator<Item = &'static str> + use<> {
        let names = ["mass", "cylinder", "rod", "platform"];
        self.own_tables.iter().map(|table| table.name).filter(move |name| names.contains(name))
    }
}

/// [`Family`] and [`FamilyData`] with everything that must be chosen by the family.
macro_rules! families {
    ($($module:ident: $variant:ident($data:ident)),* $(,)?) => {
        $(use $module::$data;)*

        /// Kind of robot.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Family {
            $(#[doc = concat!("See [`", stringify!($module), "`].")] $variant,)*
        }

        impl Family {
            /// Every family.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// What is the same for all of its robots.
            pub fn row(self) -> &'static FamilyRow {
                match self { $(Self::$variant => &$module::ROW,)* }
            }
        }

        /// Every name of a family.
        pub const NAMES: &[&str] = &[$($module::ROW.name),*];

        /// What a robot is made of, by its family.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum FamilyData {
            $(#[doc = concat!("See [`", stringify!($module), "`].")] $variant($data),)*
        }

        impl FamilyData {
            /// Its family.
            pub fn family(&self) -> Family {
                match self { $(Self::$variant(_) => Family::$variant,)* }
            }

            fn data(&self) -> &dyn FamilyModel {
                match self { $(Self::$variant(data) => data,)* }
            }

            fn data_mut(&mut self) -> &mut dyn FamilyModel {
                match self { $(Self::$variant(data) => data,)* }
            }

            /// What a file of this family says.
            pub(crate) fn read(family: Family, top: &mut Reader<'_, '_>) -> Option<Self> {
                match family { $(Family::$variant => $data::read(top).map(Self::$variant),)* }
            }

            /// What a golden file of this family says.
            pub fn from_golden(
                family: Family,
                parameters: &GoldenParameters<'_>,
            ) -> Result<Self, ParameterFault> {
                match family { $(Family::$variant => $data::from_golden(parameters).map(Self::$variant),)* }
            }
        }

        const BUILT_IN_LISTS: &[&[BuiltIn]] = &[$($module::ROW.built_in),*];
    };
}

// The one list: documentation, schema, programs and tests have their families in this order.
families! {
    delta: Delta(DeltaDescription),
    gough_stewart: GoughStewart(GoughStewartDescription),
    space: Space(SpaceDescription),
    c5: C5(C5Description),
    hexa: Hexa(HexaDescription),
    hexaglide: Hexaglide(HexaglideDescription),
    linear_delta: LinearDelta(LinearDeltaDescription),
    five_bar: FiveBar(FiveBarDescription),
    planar_3rrr: Planar3Rrr(Planar3RrrDescription),
    custom: Custom(CustomDescription),
    mechanism: Mechanism(MechanismDescription),
}

impl Family {
    /// Its name in a robot file.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The family with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|family| family.name() == name)
    }
}

impl FamilyData {
    /// How many legs it has.
    pub fn leg_count(&self) -> usize {
        self.data().leg_count()
    }

    /// Whether it has masses; otherwise it has geometry only.
    pub fn has_masses(&self) -> bool {
        self.data().has_masses()
    }

    /// Its parts with mass that are not neglected, equal legs once, with the numbers of its file: what identification
    /// changes.
    pub fn inertial_parts(&mut self) -> Vec<InertialPart<'_>> {
        let mut parts = self.data_mut().inertial_parts();
        parts.retain(|part| !part.is_nothing());
        parts
    }

    /// What its platform carries \[kg\].
    pub fn payload(&self) -> f64 {
        self.data().payload()
    }

    /// Replaces what the platform carries by a point mass at the platform point \[kg\].
    /// Nothing changes for a robot with geometry only.
    pub fn set_payload(&mut self, mass: f64) {
        self.data_mut().set_payload(mass);
    }

    /// How far its rods may lean from where their joints are centred, if its file says so.
    pub fn joint_cone(&self) -> Option<JointCone> {
        self.data().joint_cone()
    }

    /// Whether the file says where the robot rests.
    pub fn has_home(&self) -> bool {
        self.data().has_home()
    }

    /// Its lengths, points and directions, in the order of its file.
    pub fn geometry(&self) -> Vec<Property> {
        self.data().geometry()
    }

    /// Its bodies; none for a robot with geometry only.
    pub fn bodies(&self) -> Vec<Property> {
        self.data().bodies()
    }

    /// Mass of everything that moves, with what the platform carries \[kg\]; 0 for a robot with geometry only.
    pub fn moving_mass(&self) -> f64 {
        self.data().moving_mass()
    }

    /// Inertia and friction of its motors, as the joints feel them.
    pub fn drives(&self) -> Drives {
        self.data().drives()
    }

    pub(crate) fn scale(&mut self, factors: &Factors) {
        self.data_mut().scale(factors);
    }

    pub(crate) fn construction(&self, gravity: V3<f64>) -> Result<Construction<'_>, BuildError> {
        self.data().construction(gravity)
    }

    /// Names of its joints, if it is bodies and joints.
    pub(crate) fn joint_names(&self) -> Option<Vec<String>> {
        let file = match self {
            Self::Mechanism(file) => std::borrow::Cow::Borrowed(file),
            Self::Custom(_) => match self.construction(V3::zero()) {
                Ok(Construction::Mechanism(file)) => file,
                _ => return None,
            },
            _ => return None,
        };
        Some(file.joints.iter().map(|joint| joint.name.clone()).collect())
    }
}

const BUILT_IN_COUNT: usize = {
    let (mut count, mut list) = (0, 0);
    while list < BUILT_IN_LISTS.len() {
        count += BUILT_IN_LISTS[list].len();
        list += 1;
    }
    count
};

/// Every robot that comes with legwork, by family; in each, robots with masses first, then those with geometry
/// only.
pub const BUILT_IN: &[BuiltIn] = &{
    let mut all = [BuiltIn { name: "", text: "" }; BUILT_IN_COUNT];
    let (mut count, mut list) = (0, 0);
    while list < BUILT_IN_LISTS.len() {
        let mut place = 0;
        while place < BUILT_IN_LISTS[list].len() {
            all[count] = BUILT_IN_LISTS[list][place];
            count += 1;
            place += 1;
        }
        list += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_that_of_one_family() {
        for (family, name) in Family::ALL.iter().zip(NAMES) {
            assert_eq!((family.name(), Family::from_name(name)), (*name, Some(*family)));
        }
    }

    #[test]
    fn every_robot_is_listed_by_its_family() {
        for family in Family::ALL {
            for robot in family.row().built_in {
                let description = crate::description::RobotDescription::built_in(robot.name).unwrap();
                assert_eq!(description.family(), *family, "{}", robot.name);
            }
        }
        assert!(BUILT_IN.iter().all(|robot| !robot.name.is_empty()));
    }

    #[test]
    fn the_ways_of_every_table_name_its_own_keys() {
        for table in Family::ALL.iter().flat_map(|family| family.row().tables()).flat_map(Table::all) {
            for choice in table.alternatives.iter().flat_map(|group| group.choices) {
                for key in choice.needs.iter().chain(choice.may) {
                    assert!(table.every_field().any(|field| field.key == *key), "{}: {key}", table.name);
                }
            }
        }
    }
}
