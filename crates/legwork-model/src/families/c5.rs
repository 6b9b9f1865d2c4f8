//! C5 robot: six sliding legs, two along each axis of the base, whose ends slide in the faces of the platform.

use super::blueprint::{
    Blueprint, BuildError, Construction, FULL, NOTHING, length_limits, linear, loaded, one_branch, pose,
};
use super::golden::{GoldenParameters, NO_LENGTH_LIMITS, ParameterFault, linear_motor};
use super::properties::{DriveProperties, Drives, LINE_MOTOR, Property, PropertyValue};
use super::{FamilyModel, FamilyRow, View};
use crate::description::built_in::built_in;
use crate::description::fields::{self, Count, Field, Need, Range, Table, ValueType};
use crate::description::model_error::Factors;
use crate::description::parts::{Body, LengthLimits, LinearMotor, Placement};
use crate::description::reader::Reader;
use crate::families::inertial::InertialPart;
use crate::units::Quantity::{Length, Mass as Kilograms};
use Need::{Default, Required};
use Range::NotNegative;
use fields::field;
use legwork_core::V3;
use legwork_core::engine::Pose;
use legwork_core::robots::c5;

/// A C5 robot. Legs 1, 2 slide along +x, 3, 4 along +y, 5, 6 along +z of the base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C5Description {
    /// Where the legs are.
    pub geometry: C5Geometry,
    /// Masses; `None` for a robot with geometry only.
    pub mass: Option<C5Mass>,
    /// The motor of each leg.
    pub motors: [LinearMotor; 6],
    /// Limits of the legs' positions.
    pub limits: LengthLimits,
    /// Platform at rest.
    pub home: Option<Placement>,
}

/// Legs and faces of a C5 robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C5Geometry {
    /// End of each leg at q = 0, B_i, in the base \[m\].
    pub base_points: [[f64; 3]; 6],
    /// Distance of each leg's face from the platform's origin along its normal, δ_i \[m\]; the normals are
    /// x, x, y, y, z, z of the platform.
    pub face_distances: [f64; 6],
}

/// Masses of a C5 robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C5Mass {
    /// What moves with each leg \[kg\].
    pub legs: [f64; 6],
    /// The platform, in its own frame.
    pub platform: Body,
    /// What it carries, in the platform's frame.
    pub payload: Body,
}

const SIX: Count = Count::Exactly(6);
const BASE_POINTS: Field = field(
    "base_points",
    ValueType::Points(Length, SIX),
    Required,
    "End of each leg at position 0, in the base.",
);
const FACE_DISTANCES: Field = field(
    "face_distances",
    ValueType::NumberPerLeg(Length, SIX),
    Default("0 m"),
    "Distance of the face from the platform's origin along its normal, for all legs or for each.",
);
const GEOMETRY: Table = Table::new(
    fields::GEOMETRY_NAME,
    "Legs 1, 2 slide along x, 3, 4 along y, 5, 6 along z of the base; their ends lie in faces of the platform \
     with the normals x, x, y, y, z, z.",
    &[BASE_POINTS, FACE_DISTANCES],
)
.required();
const LEG: Field = Field {
    range: NotNegative,
    ..field(
        "leg",
        ValueType::NumberPerLeg(Kilograms, SIX),
        Required,
        "What moves with a leg and has weight, for all legs or for each.",
    )
};
const MASS: Table = Table::new("mass", "Masses. Without them the robot has geometry only.", &[LEG]);
const ACTUATOR_MASS: Field = Field { kind: ValueType::NumberPerLeg(Kilograms, SIX), ..fields::ACTUATOR_MASS };
const MOTOR: Table = Table::new(
    "motor",
    "The motors. Without this table they have no inertia, no friction and no limits.",
    &[
        ACTUATOR_MASS,
        fields::LINEAR_VISCOUS,
        fields::LINEAR_COULOMB,
        fields::MAX_FORCE,
        fields::LINEAR_MAX_SPEED,
    ],
);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    // Legs along all three axes are nothing to see from one side.
    view: View::None,
    own_tables: &[
        GEOMETRY,
        MASS,
        fields::PLATFORM,
        fields::PAYLOAD,
        MOTOR,
        fields::POSITION_LIMITS,
        fields::HOME_POSE,
    ],
    golden_keys: &["base_points", "leg_mass", "actuator_inertia"],
    built_in: built_in!["c5"],
    ..FamilyRow::in_space(
        "c5",
        "C5 robot: six legs that slide along the axes of the base, two along each, and whose ends slide in \
         the faces of a cube.",
        "z up. The end of leg i is B_i + a_i q_i, with a_i the axis it slides along. The origin of the \
         platform is the corner where its faces meet.",
    )
};

impl FamilyModel for C5Description {
    fn read(top: &mut Reader<'_, '_>) -> Option<Self> {
        let geometry = top.open(&GEOMETRY).and_then(|mut reader| {
            let base_points = reader.points(&BASE_POINTS, SIX);
            let face_distances = reader.numbers(&FACE_DISTANCES, |d| [d; 6]);
            Some(C5Geometry { base_points: base_points?.try_into().ok()?, face_distances: face_distances? })
        });
        let any = top.any_of(&[&MASS, &fields::PLATFORM], &[&fields::PAYLOAD]);
        let legs = top.open(&MASS).and_then(|mut reader| reader.numbers(&LEG, |mass| [mass; 6]));
        let (platform, payload) = (top.body(&fields::PLATFORM), top.body(&fields::PAYLOAD));
        let mass = any.then_some(C5Mass { legs: legs.unwrap_or([f64::NAN; 6]), platform, payload });
        let mut reader = top.open_or_empty(&MOTOR);
        let inertias = reader.numbers(&ACTUATOR_MASS, |mass| [mass; 6]).unwrap_or([f64::NAN; 6]);
        let motor = reader.linear_motor_with(0.0);
        let motors = inertias.map(|actuator_inertia| LinearMotor { actuator_inertia, ..motor });
        let limits = top.position_limits();
        let home = top.home_pose();
        Some(C5Description { geometry: geometry?, mass, motors, limits, home })
    }

    fn construction(&self, gravity: V3<f64>) -> Result<Construction<'_>, BuildError> {
        let [platform, payload] =
            self.mass.as_ref().map_or(Ok(NOTHING), |m| loaded(&m.platform, &m.payload))?;
        let base = self.geometry.base_points.map(V3::from);
        let parameters = c5::Parameters {
            base_points: base,
            face_distance: self.geometry.face_distances,
            leg_mass: self.mass.as_ref().map_or([0.0; 6], |m| m.legs),
            drive: self.motors.map(|motor| linear(&motor)),
            platform,
            gravity: 0.0, // only the legs are taken
        };
        Ok(Construction::legs(Blueprint {
            platform,
            payload,
            legs: one_branch(parameters.robot().legs),
            freedoms: FULL.to_vec(),
            gravity,
            has_masses: self.mass.is_some(),
            // Half the mean distance of the legs of a pair: the lever on which the platform turns.
            size: (0..3).map(|k| (base[2 * k] - base[2 * k + 1]).norm_sq().sqrt() / 6.0).sum::<f64>(),
            home: self.home.as_ref().map_or_else(Pose::identity, pose),
            limits: self.motors.map(|motor| length_limits(&self.limits, &motor)).to_vec(),
        }))
    }

    fn leg_count(&self) -> usize {
        6
    }

    fn payload(&self) -> f64 {
        self.mass.map_or(0.0, |m| m.payload.mass)
    }

    fn set_payload(&mut self, mass: f64) {
        self.mass.iter_mut().for_each(|m| m.payload = Body::point(mass));
    }

    fn has_home(&self) -> bool {
        self.home.is_some()
    }

    fn inertial_parts(&mut self) -> Vec<InertialPart<'_>> {
        let Some(m) = &mut self.mass else { return Vec::new() };
        let legs = m.legs.iter_mut().enumerate();
        let legs = legs.map(|(k, mass)| InertialPart::point(&format!("leg{}", k + 1), mass));
        std::iter::once(InertialPart::body("platform", &mut m.platform)).chain(legs).collect()
    }

    fn scale(&mut self, factors: &Factors) {
        factors.points(&mut self.geometry.base_points);
        factors.lengths(&mut self.geometry.face_distances);
        factors.linear_motors(&mut self.motors);
        if let Some(m) = &mut self.mass {
            factors.masses(&mut m.legs);
            factors.bodies([&mut m.platform]);
            factors.payload(&mut m.payload);
        }
    }

    fn geometry(&self) -> Vec<Property> {
        let g = &self.geometry;
        let directions = [0, 0, 1, 1, 2, 2].map(|axis| Placement::IDENTITY.rotation[axis]);
        vec![
            Property::new("face_distances", PropertyValue::Numbers(g.face_distances.to_vec(), Length)),
            Property::points("base_points", "end at 0", &g.base_points),
            Property::axes("directions", "slides", &directions),
        ]
    }

    fn bodies(&self) -> Vec<Property> {
        let Some(m) = &self.mass else { return Vec::new() };
        vec![
            Property::body("platform", m.platform),
            Property::body("payload", m.payload),
            Property::new("legs", PropertyValue::Numbers(m.legs.to_vec(), Kilograms)),
        ]
    }

    fn moving_mass(&self) -> f64 {
        self.mass.map_or(0.0, |m| m.platform.mass + m.payload.mass + m.legs.iter().sum::<f64>())
    }

    fn drives(&self) -> Drives {
        Drives::Listed(self.motors.iter().map(|motor| DriveProperties::linear(LINE_MOTOR, motor)).collect())
    }

    fn from_golden(p: &GoldenParameters<'_>) -> Result<Self, ParameterFault> {
        Ok(Self {
            geometry: C5Geometry { base_points: p.some_points("base_points")?, face_distances: [0.0; 6] },
            mass: Some(C5Mass {
                legs: p.list("/leg_mass")?,
                platform: p.body("platform")?,
                payload: Body::MASSLESS,
            }),
            motors: p.list::<6>("/actuator_inertia")?.map(linear_motor),
            limits: NO_LENGTH_LIMITS,
            home: p.home,
        })
    }
}
