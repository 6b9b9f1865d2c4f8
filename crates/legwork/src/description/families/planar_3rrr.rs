//! Planar 3-RRR: three motors, three legs of two links, a platform that moves and turns in the plane.

use super::delta::third_turns;
use super::five_bar::{BENDS, bend};
use super::{Family, FamilyRow};
use crate::description::defaults;
use crate::description::fields::{self, Count, Field, Kind, Need, Range, Table};
use crate::description::parts::{AngleLimits, Bar, Bend, Motor, PlanarBody, PlanarPlacement};
use crate::description::reader::Reader;
use crate::description::shapes::BarFields;
use crate::units::Quantity::{Angle, Inertia, Length};
use Need::{Default, Derived, Required};
use Range::{Any, NotNegative};
use fields::{field, length, number};

/// A 3-RRR in the x-y plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planar3RrrDescription {
    /// Lengths and directions.
    pub geometry: Planar3RrrGeometry,
    /// Masses; `None` for a robot with geometry only.
    pub mass: Option<Planar3RrrMass>,
    /// One motor with its gear; all are equal.
    pub motor: Motor,
    /// Limits of the motor angles.
    pub limits: AngleLimits,
    /// Platform at rest.
    pub home: Option<PlanarPlacement>,
    /// Which way the elbow of each leg bends.
    pub working_mode: [Bend; 3],
}

/// Lengths of a 3-RRR.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planar3RrrGeometry {
    /// Centre of the base to a motor axis, r_b \[m\].
    pub base_radius: f64,
    /// Origin of the platform to a joint, r_p \[m\].
    pub platform_radius: f64,
    /// Direction of each motor from +x, counter-clockwise \[rad\].
    pub azimuth: [f64; 3],
    /// Direction of each platform joint from +x of the platform \[rad\].
    pub platform_azimuth: [f64; 3],
    /// Motor axis to elbow, l_1 \[m\].
    pub proximal: f64,
    /// Elbow to platform joint, l_2 \[m\].
    pub distal: f64,
}

/// Masses of a 3-RRR.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planar3RrrMass {
    /// One proximal link, from the motor axis.
    pub proximal: Bar,
    /// One distal link, from the elbow.
    pub distal: Bar,
    /// The platform, in its own frame.
    pub platform: PlanarBody,
    /// What it carries, in the platform's frame.
    pub payload: PlanarBody,
}

const BASE_RADIUS: Field = length("base_radius", "Centre of the base to a motor axis.");
const PLATFORM_RADIUS: Field = length("platform_radius", "Origin of the platform to a joint.");
const AZIMUTH: Field = field(
    "azimuth",
    Kind::NumberPerLeg(Angle, Count::Exactly(3)),
    Derived("-90, 30, 150 deg; one angle is that of leg 1, the others follow 120 deg apart"),
    "Direction of the motors from +x, counter-clockwise.",
);
const PLATFORM_AZIMUTH: Field = field(
    "platform_azimuth",
    Kind::NumberPerLeg(Angle, Count::Exactly(3)),
    Derived("as `azimuth`"),
    "Direction of the platform joints from +x of the platform.",
);
const PROXIMAL: Field = length("proximal", "Motor axis to elbow.");
const DISTAL: Field = length("distal", "Elbow to platform joint.");
const GEOMETRY: Table = Table::new(
    fields::GEOMETRY_NAME,
    "Lengths and directions.",
    &[BASE_RADIUS, PLATFORM_RADIUS, AZIMUTH, PLATFORM_AZIMUTH, PROXIMAL, DISTAL],
)
.required();
const MASS: Table = Table::new(
    "mass",
    "Masses of the legs. Without them the robot has geometry only.",
    &[
        BarFields::PROXIMAL.mass,
        BarFields::PROXIMAL.centre,
        BarFields::PROXIMAL.inertia,
        BarFields::DISTAL.mass,
        BarFields::DISTAL.centre,
        BarFields::DISTAL.inertia,
    ],
);
const CENTRE: Field = field(
    "centre",
    Kind::Vector(Length, 2),
    Derived("the origin of its frame"),
    "Its centre of mass x, y, in the platform's frame.",
);
const INERTIA: Field =
    number("inertia", Inertia, NotNegative, Required, "Its inertia about its centre of mass, about z.");
const PAYLOAD_INERTIA: Field = Field { need: Default("0 kg m^2"), ..INERTIA };
const PLATFORM: Table = Table::new(
    "platform",
    "The platform as a body, in the platform's frame. Without masses the robot has geometry only.",
    &[fields::BODY_MASS, CENTRE, INERTIA],
);
const PAYLOAD: Table = Table::new(
    "payload",
    "What the platform carries, in the platform's frame.",
    &[fields::BODY_MASS, CENTRE, PAYLOAD_INERTIA],
);
const WORKING_MODE: Field = field(
    "working_mode",
    Kind::ChoicePerLeg(BENDS, Count::Exactly(3)),
    Default("left"),
    "To which side of the line from motor to platform joint the elbow bends, for all legs or for each.",
);
const HOME_ANGLE: Field =
    number("angle", Angle, Any, Default("0 deg"), "Angle of the platform, counter-clockwise.");
const HOME: Table = Table::new("home", "Where the robot rests.", &[fields::HOME_IN_PLANE, HOME_ANGLE]);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    family: Family::Planar3Rrr,
    name: "3-rrr",
    meaning: "Planar 3-RRR: three motors, three legs of two links, a platform that moves and turns in the plane.",
    frame: "The robot moves in the x-y plane. A motor angle is that of its proximal link from +x, \
            counter-clockwise; so is the angle of the platform.",
    own_top: &[fields::OWN_CONVENTION, fields::GRAVITY_SIZE, fields::GRAVITY_IN_PLANE, WORKING_MODE],
    tables: &[
        GEOMETRY,
        MASS,
        PLATFORM,
        PAYLOAD,
        fields::MOTOR,
        fields::ANGLE_LIMITS,
        HOME,
        defaults::MOTION_IN_PLANE,
        defaults::CONTROLLER,
    ],
};

pub(super) fn read(top: &mut Reader<'_, '_>) -> Option<Planar3RrrDescription> {
    let words = top.words(&WORKING_MODE, Some(3)).and_then(|words| words.try_into().ok());
    let geometry = top.open(&GEOMETRY).map(|mut reader| {
        let azimuth =
            reader.numbers(&AZIMUTH, third_turns).unwrap_or_else(|| third_turns((-90_f64).to_radians()));
        Planar3RrrGeometry {
            base_radius: reader.number(&BASE_RADIUS),
            platform_radius: reader.number(&PLATFORM_RADIUS),
            azimuth,
            platform_azimuth: reader.numbers(&PLATFORM_AZIMUTH, third_turns).unwrap_or(azimuth),
            proximal: reader.number(&PROXIMAL),
            distal: reader.number(&DISTAL),
        }
    });
    let lengths = geometry.map_or((f64::NAN, f64::NAN), |geometry| (geometry.proximal, geometry.distal));
    let any = top.any_of(&[&MASS, &PLATFORM], &[&PAYLOAD]);
    let legs = top.open(&MASS).map(|mut reader| {
        (reader.bar(lengths.0, &BarFields::PROXIMAL), reader.bar(lengths.1, &BarFields::DISTAL))
    });
    let platform = body(top, &PLATFORM, &INERTIA);
    let payload = body(top, &PAYLOAD, &PAYLOAD_INERTIA);
    let mass =
        legs.filter(|_| any).map(|(proximal, distal)| Planar3RrrMass { proximal, distal, platform, payload });
    let motor = top.motor(&fields::MOTOR);
    let limits = top.angle_limits();
    let home = top.open(&HOME).and_then(|mut reader| {
        let position = reader.vector(&fields::HOME_IN_PLANE);
        let angle = reader.number(&HOME_ANGLE);
        Some(PlanarPlacement { position: position?, angle })
    });
    let working_mode = words.unwrap_or(["left"; 3]).map(bend);
    Some(Planar3RrrDescription { geometry: geometry?, mass, motor, limits, home, working_mode })
}

fn body(top: &mut Reader<'_, '_>, table: &'static Table, inertia: &Field) -> PlanarBody {
    let Some(mut reader) = top.open(table) else { return PlanarBody::MASSLESS };
    PlanarBody {
        mass: reader.number(&fields::BODY_MASS),
        centre: reader.vector(&CENTRE).unwrap_or_default(),
        inertia: reader.number(inertia),
    }
}
