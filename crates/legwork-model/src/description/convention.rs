//! Conventions: whose names, frame and signs a robot file uses.
//!
//! One row of [`CONVENTIONS`] holds everything that differs between two systems: the keys of `[geometry]`,
//! whether a triangle is given by its radius or its side, where the legs stand, where z = 0 is, and which
//! way the motors turn. A fact that turns out wrong is corrected in one place.

use super::fields::{Count, Field, Need, Range, ValueType, length, length_or_zero, number};
use crate::units::Quantity::Angle;

/// Whose names, frame and signs a robot file uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Convention {
    /// legwork's own: radii, leg 1 on +x, z up from the motor axes, angle 0 horizontal and positive down.
    Legwork,
    /// LinuxCNC `rotarydeltakins`.
    LinuxCnc,
    /// R. L. Williams, "The Delta Parallel Robot: Kinematics Solutions".
    Williams,
    /// Klipper `rotary_delta`.
    Klipper,
    /// FluidNC `ParallelDelta`, Delta X, and the forum tutorial both come from.
    FluidNc,
    /// Beckhoff TwinCAT `P_3C`.
    TwinCat,
}

impl Convention {
    /// The row of the table that describes this convention.
    pub fn row(self) -> &'static ConventionRow {
        CONVENTIONS.iter().find(|row| row.convention == self).unwrap_or(&LEGWORK)
    }

    /// The convention with this name or alias.
    pub fn from_name(name: &str) -> Option<Self> {
        CONVENTIONS.iter().find(|row| row.names.contains(&name)).map(|row| row.convention)
    }

    /// Its name in a robot file.
    pub fn name(self) -> &'static str {
        self.row().names.first().copied().unwrap_or("")
    }
}

/// Everything that differs between two conventions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConventionRow {
    /// Which convention.
    pub convention: Convention,
    /// Its name in a robot file, then its aliases.
    pub names: &'static [&'static str],
    /// The system it comes from.
    pub system: &'static str,
    /// The keys of `[geometry]` and what each one gives.
    pub geometry: &'static [(Field, Gives)],
    /// Direction of each leg from +x, counter-clockwise seen from above \[deg\].
    pub azimuth_deg: [f64; 3],
    /// The system's motor angle is `angle_sign` times ours plus `angle_zero_deg`; +1 is positive down.
    pub angle_sign: f64,
    /// The system's motor angle when the arm is horizontal \[deg\].
    pub angle_zero_deg: f64,
    /// Whether a bare number is taken as SI; if not, it is refused, as the system's own unit is not SI.
    pub bare_numbers: bool,
}

/// What a key of `[geometry]` gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// Distance of the motor axes from the centre.
    BaseRadius(Measured),
    /// Distance of the platform joints from the centre.
    PlatformRadius(Measured),
    /// Base radius less platform radius; only this difference matters to the motion.
    RadiusDifference,
    /// Motor axis to elbow.
    Arm,
    /// Elbow to platform joint.
    Forearm,
    /// Directions of the legs.
    Azimuth,
    /// Height of the motor axes in the system's frame.
    Height,
}

/// How the size of a triangle is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// The distance of the joints from the centre.
    Radius,
    /// The side; the joints are at the middle of the sides.
    SideJointsAtMiddle,
    /// The side; the joints are at the corners.
    SideJointsAtCorners,
}

impl Measured {
    /// Distance of the joints from the centre \[m\].
    pub fn radius(self, size: f64) -> f64 {
        match self {
            Self::Radius => size,
            Self::SideJointsAtMiddle => size / (2.0 * 3_f64.sqrt()),
            Self::SideJointsAtCorners => size / 3_f64.sqrt(),
        }
    }
}

/// Between the frame and signs of a convention and legwork's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// What makes a platform position of ours one of the user's \[m\]: the height of the motor axes in the user's
    /// frame, and the place in the cell and the offset of the tool where the robot has them.
    pub offset: [f64; 3],
    /// Angle of the user = `angle_sign` · our angle + `angle_zero`; +1 or −1.
    pub angle_sign: f64,
    /// Angle of the user when the arm is horizontal \[rad\].
    pub angle_zero: f64,
}

impl Frame {
    /// Our own.
    pub const OURS: Self = Self { offset: [0.0; 3], angle_sign: 1.0, angle_zero: 0.0 };

    /// A platform position of ours, in the user's frame \[m\].
    pub fn position_to_user(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = self.offset;
        [x + a, y + b, z + c]
    }

    /// A platform position of the user's, in our frame \[m\].
    pub fn position_from_user(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = self.offset;
        [x - a, y - b, z - c]
    }

    /// A motor angle of ours, as the user counts it \[rad\].
    pub fn angle_to_user(&self, angle: f64) -> f64 {
        self.angle_sign * angle + self.angle_zero
    }

    /// A motor angle of the user's, as we count it \[rad\].
    pub fn angle_from_user(&self, angle: f64) -> f64 {
        self.angle_sign * (angle - self.angle_zero)
    }
}

/// A required length whose key names its unit.
const fn millimetres(key: &'static str, meaning: &'static str) -> Field {
    Field { unit_in_key: Some("mm"), ..length(key, meaning) }
}

/// The optional directions of the legs.
const fn azimuth(key: &'static str, default: &'static str, meaning: &'static str) -> Field {
    let field = number(key, Angle, Range::Any, Need::Derived(default), meaning);
    Field { kind: ValueType::NumberPerLeg(Angle, Count::Exactly(3)), ..field }
}

const LEGWORK: ConventionRow = ConventionRow {
    convention: Convention::Legwork,
    names: &["legwork"],
    system: "legwork",
    geometry: &[
        (length("base_radius", "Centre of the base to a motor axis."), Gives::BaseRadius(Measured::Radius)),
        (
            length_or_zero("platform_radius", "Centre of the platform to the joints of a forearm."),
            Gives::PlatformRadius(Measured::Radius),
        ),
        (length("arm", "Motor axis to elbow."), Gives::Arm),
        (length("forearm", "Elbow to platform joint."), Gives::Forearm),
        (
            azimuth(
                "azimuth",
                "0 deg; one angle is that of leg 1, the others follow 120 deg apart",
                "Direction of the legs from +x, counter-clockwise seen from above.",
            ),
            Gives::Azimuth,
        ),
    ],
    azimuth_deg: [0.0, 120.0, 240.0],
    angle_sign: 1.0,
    angle_zero_deg: 0.0,
    bare_numbers: true,
};

const LINUXCNC: ConventionRow = ConventionRow {
    convention: Convention::LinuxCnc,
    names: &["linuxcnc"],
    system: "LinuxCNC rotarydeltakins",
    geometry: &[
        (length("platformradius", "Origin to a hip joint."), Gives::BaseRadius(Measured::Radius)),
        (length("thighlength", "Hip to knee."), Gives::Arm),
        (length("shinlength", "Knee to ankle."), Gives::Forearm),
        (
            length_or_zero("footradius", "Controlled point to an ankle joint."),
            Gives::PlatformRadius(Measured::Radius),
        ),
    ],
    azimuth_deg: [-90.0, 30.0, 150.0],
    angle_sign: 1.0,
    angle_zero_deg: 0.0,
    bare_numbers: false,
};

const WILLIAMS: ConventionRow = ConventionRow {
    convention: Convention::Williams,
    names: &["williams"],
    system: "R. L. Williams, The Delta Parallel Robot: Kinematics Solutions",
    geometry: &[
        (
            length("base_side", "Side of the base triangle, s_B; the motors are at the middle of the sides."),
            Gives::BaseRadius(Measured::SideJointsAtMiddle),
        ),
        (
            length_or_zero(
                "platform_side",
                "Side of the platform triangle, s_P; the joints are at its corners.",
            ),
            Gives::PlatformRadius(Measured::SideJointsAtCorners),
        ),
        (length("upper_legs", "Length of the upper legs, L."), Gives::Arm),
        (length("lower_legs", "Length of the lower legs, l."), Gives::Forearm),
    ],
    azimuth_deg: [-90.0, 30.0, 150.0],
    angle_sign: 1.0,
    angle_zero_deg: 0.0,
    bare_numbers: false,
};

const KLIPPER: ConventionRow = ConventionRow {
    convention: Convention::Klipper,
    names: &["klipper"],
    system: "Klipper rotary_delta",
    geometry: &[
        (
            length("shoulder_radius", "Radius of the shoulder circle less that of the effector joints."),
            Gives::RadiusDifference,
        ),
        (length("shoulder_height", "Height of the shoulders above z = 0, the bed."), Gives::Height),
        (length("upper_arm_length", "Shoulder to elbow."), Gives::Arm),
        (length("lower_arm_length", "Elbow to effector joint."), Gives::Forearm),
        (
            azimuth(
                "angle",
                "30, 150, 270 deg; one angle is that of stepper_a, the others follow 120 deg apart",
                "Direction of the arms from +x, counter-clockwise seen from above.",
            ),
            Gives::Azimuth,
        ),
    ],
    azimuth_deg: [30.0, 150.0, 270.0],
    angle_sign: -1.0,
    angle_zero_deg: 0.0,
    bare_numbers: false,
};

const FLUIDNC: ConventionRow = ConventionRow {
    convention: Convention::FluidNc,
    names: &["fluidnc", "deltax"],
    system: "FluidNC ParallelDelta; Delta X (RD_F, RD_E, RD_RF, RD_RE); forum tutorial (f, e, rf, re)",
    geometry: &[
        (
            millimetres(
                "base_triangle_mm",
                "Side of the base triangle, f; motors at the middle of the sides.",
            ),
            Gives::BaseRadius(Measured::SideJointsAtMiddle),
        ),
        (
            millimetres(
                "end_effector_triangle_mm",
                "Side of the platform triangle, e; joints at the middle of the sides.",
            ),
            Gives::PlatformRadius(Measured::SideJointsAtMiddle),
        ),
        (millimetres("crank_mm", "Length of the motor cranks, rf."), Gives::Arm),
        (millimetres("linkage_mm", "Length of the linkages, re."), Gives::Forearm),
    ],
    azimuth_deg: [-90.0, 30.0, 150.0],
    angle_sign: 1.0,
    angle_zero_deg: 0.0,
    bare_numbers: false,
};

const TWINCAT: ConventionRow = ConventionRow {
    convention: Convention::TwinCat,
    names: &["twincat"],
    system: "Beckhoff TwinCAT P_3C",
    geometry: &[
        (length("inner_arm_length", "Length between the pivots of the inner arm."), Gives::Arm),
        (length("outer_arm_length", "Length between the pivots of the outer arm."), Gives::Forearm),
        (
            length("displacement", "Centre of the base plate to the rotation axis of an inner arm."),
            Gives::BaseRadius(Measured::Radius),
        ),
        (
            length_or_zero("tcp_displacement", "Centre of the gripper plate to a pivot of an outer arm."),
            Gives::PlatformRadius(Measured::Radius),
        ),
    ],
    azimuth_deg: [0.0, 120.0, 240.0],
    angle_sign: 1.0,
    angle_zero_deg: 0.0,
    bare_numbers: false,
};

/// Every convention.
pub const CONVENTIONS: &[ConventionRow] = &[LEGWORK, LINUXCNC, WILLIAMS, KLIPPER, FLUIDNC, TWINCAT];

/// Every name and alias of a convention.
pub const NAMES: &[&str] = &["legwork", "linuxcnc", "williams", "klipper", "fluidnc", "deltax", "twincat"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_row_and_every_row_its_names() {
        let rows: Vec<_> = CONVENTIONS.iter().flat_map(|row| row.names).copied().collect();
        assert_eq!(rows, NAMES);
        for row in CONVENTIONS {
            assert_eq!(row.convention.row(), row);
            assert_eq!(Convention::from_name(row.convention.name()), Some(row.convention));
        }
    }

    #[test]
    fn every_convention_gives_a_complete_delta() {
        for row in CONVENTIONS {
            let gives = |wanted: fn(Gives) -> bool| row.geometry.iter().filter(|(_, g)| wanted(*g)).count();
            assert_eq!(gives(|g| g == Gives::Arm), 1);
            assert_eq!(gives(|g| g == Gives::Forearm), 1);
            let base = gives(|g| matches!(g, Gives::BaseRadius(_)));
            let platform = gives(|g| matches!(g, Gives::PlatformRadius(_)));
            let difference = gives(|g| g == Gives::RadiusDifference);
            assert!(matches!((base, platform, difference), (1, 1, 0) | (0, 0, 1)), "{:?}", row.convention);
            assert!(row.angle_sign.abs() == 1.0);
        }
    }
}
