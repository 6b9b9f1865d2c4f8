//! The parts that robots of several families are made of, as plain numbers in SI units.

/// A rigid body in a frame of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// \[kg\]
    pub mass: f64,
    /// Centre of mass in the body's frame \[m\].
    pub centre: [f64; 3],
    /// Inertia matrix about the **centre of mass**, in the axes of the body's frame, by rows \[kg m²\].
    pub inertia: [[f64; 3]; 3],
}

impl Body {
    /// Nothing.
    pub const MASSLESS: Self = Self { mass: 0.0, centre: [0.0; 3], inertia: [[0.0; 3]; 3] };

    /// A point mass at the origin of its frame \[kg\].
    pub fn point(mass: f64) -> Self {
        Self { mass, ..Self::MASSLESS }
    }
}

/// A rigid body that moves in the x-y plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarBody {
    /// \[kg\]
    pub mass: f64,
    /// Centre of mass in the body's frame \[m\].
    pub centre: [f64; 2],
    /// About the **centre of mass**, about z \[kg m²\].
    pub inertia: f64,
}

impl PlanarBody {
    /// Nothing.
    pub const MASSLESS: Self = Self { mass: 0.0, centre: [0.0; 2], inertia: 0.0 };
}

/// A bar between two joints, with no inertia about its own length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// \[kg\]
    pub mass: f64,
    /// Centre of mass, from the joint nearer to the base, along the bar \[m\].
    pub centre: f64,
    /// About the **centre of mass**, across the bar \[kg m²\].
    pub inertia: f64,
}

/// Where a frame is: its origin, and the rotation that maps its vectors to those of its reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Origin in the reference \[m\].
    pub position: [f64; 3],
    /// Rotation matrix by rows: v_reference = R v_frame.
    pub rotation: [[f64; 3]; 3],
}

impl Placement {
    /// The reference itself.
    pub const IDENTITY: Self =
        Self { position: [0.0; 3], rotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] };
}

/// Where a platform in the x-y plane is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarPlacement {
    /// \[m\]
    pub position: [f64; 2],
    /// About z, counter-clockwise \[rad\].
    pub angle: f64,
}

/// One motor with its gear, that turns an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// Rotor, on the motor side \[kg m²\].
    pub rotor_inertia: f64,
    /// Turns of the motor for one turn of the arm; not zero.
    pub gear_ratio: f64,
    /// Gearbox, on the motor side \[kg m²\].
    pub gear_inertia: f64,
    /// Friction that grows with speed, on the arm side \[N m s/rad\].
    pub viscous_friction: f64,
    /// Friction that only has a sign, on the arm side \[N m\].
    pub coulomb_friction: f64,
    /// Largest torque at the arm, behind the gear \[N m\]: the lower one of what the motor gives and of what the file
    /// allows there.
    pub max_torque: Option<f64>,
    /// Largest speed at the arm, behind the gear \[rad/s\], in the same way.
    pub max_speed: Option<f64>,
    /// Whether a limit was given by a key that does not name its side, `max_torque` or `max_speed`.
    pub side_is_not_named: bool,
}

impl Motor {
    /// Without inertia, friction, gear or limits.
    pub const IDEAL: Self = Self {
        rotor_inertia: 0.0,
        gear_ratio: 1.0,
        gear_inertia: 0.0,
        viscous_friction: 0.0,
        coulomb_friction: 0.0,
        max_torque: None,
        max_speed: None,
        side_is_not_named: false,
    };

    /// Rotor and gearbox as the arm feels them, I_m \[kg m²\]: the sum times the square of the gear ratio.
    pub fn inertia_at_arm(&self) -> f64 {
        (self.rotor_inertia + self.gear_inertia) * self.gear_ratio * self.gear_ratio
    }
}

/// A gear between a motor and its joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointGear {
    /// Turns of the motor for one turn of the joint, without its sign.
    pub ratio: f64,
    /// Whether the robot's file limits the motor by a key that does not name its side of the gear.
    pub side_is_not_named: bool,
}

/// One motor that moves along a line, by itself or with a screw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearMotor {
    /// What turns or slides with the motor, as a mass along the joint that has no weight \[kg\].
    pub actuator_inertia: f64,
    /// Friction that grows with speed \[N s/m\].
    pub viscous_friction: f64,
    /// Friction that only has a sign \[N\].
    pub coulomb_friction: f64,
    /// Largest force \[N\].
    pub max_force: Option<f64>,
    /// Largest speed \[m/s\].
    pub max_speed: Option<f64>,
}

impl LinearMotor {
    /// Without inertia, friction or limits.
    pub const IDEAL: Self = Self {
        actuator_inertia: 0.0,
        viscous_friction: 0.0,
        coulomb_friction: 0.0,
        max_force: None,
        max_speed: None,
    };
}

/// Limits of the motor angles; `None` is no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleLimits {
    /// Smallest angle \[rad\].
    pub min: Option<f64>,
    /// Largest angle \[rad\].
    pub max: Option<f64>,
}

/// Limits of leg lengths or positions on a rail; `None` is no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthLimits {
    /// Smallest \[m\].
    pub min: Option<f64>,
    /// Largest \[m\].
    pub max: Option<f64>,
}

/// Which way an elbow bends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elbow {
    /// Away from the centre, as robots are built.
    Out,
    /// Towards the centre.
    In,
}

/// Which way the elbow of a leg in the x-y plane bends, seen along the line from the motor to the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bend {
    /// To the left: motor angle = direction of that line + acos(…).
    Left,
    /// To the right: motor angle = direction of that line − acos(…).
    Right,
}

/// On which side of the platform joint a carriage is, along the direction of its rail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Carriage {
    /// Farther along the rail: position = foot of the platform joint + √(…).
    Ahead,
    /// Less far along the rail: position = foot of the platform joint − √(…).
    Behind,
}

/// How the forearms of a Delta enter its torques.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ForearmModel {
    /// As rods: exact.
    Complete,
    /// Inertia ⅔ at the elbow and ⅓ at the platform, weight half and half \[Codourey1998\].
    Simplified,
    /// Inertia and weight ⅔ and ⅓ \[Codourey1996\].
    #[serde(rename = "simplified-1996")]
    Simplified1996,
    /// Inertia and weight half and half \[NgocKim2010\].
    Halves,
}

impl ForearmModel {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Complete, Self::Simplified, Self::Simplified1996, Self::Halves];

    /// The names of all, in this order.
    pub const WORDS: &[&str] = &["complete", "simplified", "simplified-1996", "halves"];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Simplified => "simplified",
            Self::Simplified1996 => "simplified-1996",
            Self::Halves => "halves",
        }
    }

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }
}
