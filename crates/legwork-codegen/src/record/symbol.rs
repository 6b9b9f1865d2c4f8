//! Parameters that can stay arguments of the generated functions.

/// A parameter of a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symbol {
    /// What the platform carries, a point at the platform point, instead of the file's.
    Payload,
    /// Acceleration of gravity in the axes of the base.
    Gravity,
    /// Mass of the platform of a Delta.
    Platform,
    /// Mass of each arm of a Delta.
    Arm,
    /// Mass of each forearm of a Delta.
    Forearm,
    /// Mass at each elbow of a Delta.
    Elbow,
    /// Viscous friction of each motor of a Delta.
    Viscous,
    /// Dry friction of each motor of a Delta.
    Coulomb,
}

impl Symbol {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Payload,
        Self::Gravity,
        Self::Platform,
        Self::Arm,
        Self::Forearm,
        Self::Elbow,
        Self::Viscous,
        Self::Coulomb,
    ];

    /// Its word, which is also its name in the code.
    pub fn name(self) -> &'static str {
        match self {
            Self::Payload => "payload",
            Self::Gravity => "gravity",
            Self::Platform => "platform",
            Self::Arm => "arm",
            Self::Forearm => "forearm",
            Self::Elbow => "elbow",
            Self::Viscous => "viscous",
            Self::Coulomb => "coulomb",
        }
    }

    /// What it is, with its unit.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Payload => "mass of what the platform carries, at the platform point [kg]",
            Self::Gravity => "acceleration of gravity in the axes of the base [m/s2]",
            Self::Platform => "mass of the platform [kg]",
            Self::Arm => "mass of each arm [kg]",
            Self::Forearm => "mass of each forearm, both rods together [kg]",
            Self::Elbow => "mass at each elbow [kg]",
            Self::Viscous => "viscous friction of each motor [N m s/rad]",
            Self::Coulomb => "dry friction of each motor [N m]",
        }
    }
}
