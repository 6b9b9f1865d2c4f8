//! Planar 3-RRR: three motors, three legs of two links, a platform that moves and turns in the plane.

use super::blueprint::{
    Blueprint, BuildError, Construction, NOTHING, angle_limits, loaded_in_plane, planar_bar, rotary,
    two_branches,
};
use super::delta::third_turns;
use super::five_bar::{BENDS, BENDS_OF_LEGS, bend, turn};
use super::golden::{GoldenParameters, NO_ANGLE_LIMITS, ParameterFault};
use super::properties::{ARM_MOTOR, DriveProperties, Drives, Property, PropertyValue};
use super::{FamilyModel, FamilyRow};
use crate::description::built_in::built_in;
use crate::description::fields::{self, Count, Field, Need, Range, Table, ValueType};
use crate::description::model_error::Factors;
use crate::description::parts::{AngleLimits, Bar, Bend, Motor, PlanarBody, PlanarPlacement};
use crate::description::reader::Reader;
use crate::description::shapes::BarFields;
use crate::families::inertial::InertialPart;
use crate::units::Quantity::{Angle, Inertia, Length};
use Need::{Default, Derived, Required};
use Range::{Any, NotNegative};
use fields::{field, length, number};
use legwork_core::V3;
use legwork_core::engine::{Pose, RigidBody};
use legwork_core::robots::rrr3;

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
    ValueType::NumberPerLeg(Angle, Count::Exactly(3)),
    Derived("-90, 30, 150 deg; one angle is that of leg 1, the others follow 120 deg apart"),
    "Direction of the motors from +x, counter-clockwise.",
);
const PLATFORM_AZIMUTH: Field = field(
    "platform_azimuth",
    ValueType::NumberPerLeg(Angle, Count::Exactly(3)),
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
    ValueType::Vector(Length, 2),
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
    ValueType::ChoicePerLeg(BENDS.names, Count::Exactly(3)),
    Default("left"),
    "To which side of the line from motor to platform joint the elbow bends, for all legs or for each.",
);
const HOME_ANGLE: Field =
    number("angle", Angle, Any, Default("0 deg"), "Angle of the platform, counter-clockwise.");
const HOME: Table = Table::new("home", "Where the robot rests.", &[fields::HOME_IN_PLANE, HOME_ANGLE]);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    branches: Some(BENDS),
    own_keys: &[WORKING_MODE],
    own_tables: &[GEOMETRY, MASS, PLATFORM, PAYLOAD, fields::MOTOR, fields::ANGLE_LIMITS, HOME],
    golden_keys: &["rb", "rp", "l1", "l2"],
    built_in: built_in!["planar-3rrr"],
    ..FamilyRow::in_plane(
        "3-rrr",
        "Planar 3-RRR: three motors, three legs of two links, a platform that moves and turns in the plane.",
        "The robot moves in the x-y plane. A motor angle is that of its proximal link from +x, \
         counter-clockwise; so is the angle of the platform.",
    )
};

impl FamilyModel for Planar3RrrDescription {
    fn read(top: &mut Reader<'_, '_>) -> Option<Self> {
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
        let mass = legs.filter(|_| any).map(|(proximal, distal)| Planar3RrrMass {
            proximal,
            distal,
            platform,
            payload,
        });
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

    fn construction(&self, gravity: V3<f64>) -> Result<Construction<'_>, BuildError> {
        let geometry = &self.geometry;
        let nothing = RigidBody::massless();
        let (proximal, distal, [platform, payload]) = match &self.mass {
            Some(m) => {
                let bodies = loaded_in_plane(&m.platform, &m.payload)?;
                (planar_bar(&m.proximal), planar_bar(&m.distal), bodies)
            }
            None => (nothing, nothing, NOTHING),
        };
        let build = |mode: [Bend; 3]| {
            rrr3::Parameters {
                base_radius: geometry.base_radius,
                platform_radius: geometry.platform_radius,
                azimuth: geometry.azimuth,
                platform_azimuth: geometry.platform_azimuth,
                lengths: [geometry.proximal, geometry.distal],
                proximal,
                distal,
                drive: rotary(&self.motor),
                platform,
                gravity: 0.0, // only the legs are taken
                mode: mode.map(turn),
            }
            .robot()
            .legs
        };
        let home = self
            .home
            .map_or_else(Pose::identity, |home| Pose::planar(home.position[0], home.position[1], home.angle));
        Ok(Construction::legs(Blueprint {
            platform,
            payload,
            legs: two_branches(BENDS_OF_LEGS, self.working_mode, build),
            freedoms: vec![0, 1, 5],
            gravity,
            has_masses: self.mass.is_some(),
            size: geometry.platform_radius,
            home,
            limits: vec![angle_limits(&self.limits, &self.motor); 3],
        }))
    }

    fn leg_count(&self) -> usize {
        3
    }

    fn payload(&self) -> f64 {
        self.mass.map_or(0.0, |m| m.payload.mass)
    }

    fn set_payload(&mut self, mass: f64) {
        let payload = PlanarBody { mass, ..PlanarBody::MASSLESS };
        self.mass.iter_mut().for_each(|m| m.payload = payload);
    }

    fn has_home(&self) -> bool {
        self.home.is_some()
    }

    fn inertial_parts(&mut self) -> Vec<InertialPart<'_>> {
        let Some(m) = &mut self.mass else { return Vec::new() };
        vec![
            InertialPart::planar("platform", &mut m.platform),
            InertialPart::bar("proximal", &mut m.proximal),
            InertialPart::bar("distal", &mut m.distal),
        ]
    }

    fn scale(&mut self, factors: &Factors) {
        let g = &mut self.geometry;
        factors.lengths([&mut g.base_radius, &mut g.platform_radius, &mut g.proximal, &mut g.distal]);
        factors.motor(&mut self.motor);
        if let Some(m) = &mut self.mass {
            factors.bars([&mut m.proximal, &mut m.distal]);
            factors.planar_body(&mut m.platform);
            factors.lengths(&mut m.payload.centre);
        }
    }

    fn geometry(&self) -> Vec<Property> {
        let g = &self.geometry;
        vec![
            Property::length("base_radius", g.base_radius),
            Property::length("platform_radius", g.platform_radius),
            Property::length("proximal", g.proximal),
            Property::length("distal", g.distal),
            Property::directions("azimuth", &g.azimuth),
            Property::directions("platform_joints", &g.platform_azimuth),
        ]
    }

    fn bodies(&self) -> Vec<Property> {
        let Some(m) = &self.mass else { return Vec::new() };
        vec![
            Property::new("platform", PropertyValue::PlanarBody(m.platform)),
            Property::new("payload", PropertyValue::PlanarBody(m.payload)),
            Property::bar("proximal", m.proximal, "motor"),
            Property::bar("distal", m.distal, "elbow"),
        ]
    }

    fn moving_mass(&self) -> f64 {
        let legs = |m: &Planar3RrrMass| 3.0 * (m.proximal.mass + m.distal.mass);
        self.mass.map_or(0.0, |m| m.platform.mass + m.payload.mass + legs(&m))
    }

    fn drives(&self) -> Drives {
        Drives::Equal(DriveProperties::rotary(ARM_MOTOR, &self.motor))
    }

    fn from_golden(p: &GoldenParameters<'_>) -> Result<Self, ParameterFault> {
        let azimuth = p.list("/angles_deg")?.map(f64::to_radians);
        let [mass] = p.list("/platform/mass")?;
        let [inertia] = p.list("/platform/Izz_com")?;
        Ok(Self {
            geometry: Planar3RrrGeometry {
                base_radius: p.number("rb")?,
                platform_radius: p.number("rp")?,
                azimuth,
                platform_azimuth: azimuth,
                proximal: p.number("l1")?,
                distal: p.number("l2")?,
            },
            mass: Some(Planar3RrrMass {
                proximal: p.bar(["m1", "c1", "I1"])?,
                distal: p.bar(["m2", "c2", "I2"])?,
                platform: PlanarBody { mass, centre: p.list("/platform/com_xy")?, inertia },
                payload: PlanarBody::MASSLESS,
            }),
            motor: p.motor()?,
            limits: NO_ANGLE_LIMITS,
            home: p.planar_home,
            working_mode: [Bend::Left; 3],
        })
    }
}

fn body(top: &mut Reader<'_, '_>, table: &'static Table, inertia: &Field) -> PlanarBody {
    let Some(mut reader) = top.open(table) else { return PlanarBody::MASSLESS };
    PlanarBody {
        mass: reader.number(&fields::BODY_MASS),
        centre: reader.vector(&CENTRE).unwrap_or_default(),
        inertia: reader.number(inertia),
    }
}
