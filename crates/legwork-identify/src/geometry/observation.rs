//! What was measured on a robot: rows of motor readings, each with what was seen of its platform.

use legwork::M3;

/// Rows of a measurement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observations {
    /// The rows.
    pub rows: Vec<Row>,
    /// The joints that redundant sensors read: leg and joint, from 0; of bodies and joints the joint, and 0.
    pub sensors: Vec<(usize, usize)>,
}

/// One row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// What the motors read \[rad or m\].
    pub q: Vec<f64>,
    /// Where a tracker saw the tool point, those coordinates that it saw \[m\].
    pub position: [Option<f64>; 3],
    /// Axes of the tracker's target.
    pub rotation: Option<M3<f64>>,
    /// A touched plane, from 0, and the height of the tool point above it \[m\].
    pub plane: Option<(usize, f64)>,
    /// A distance: to the centre of a ball bar, or to where the motors read otherwise \[m\].
    pub distance: Option<(f64, Option<Vec<f64>>)>,
    /// What redundant sensors read, as [`Observations::sensors`] says \[rad or m\].
    pub sensors: Vec<f64>,
}

/// What a number of a residual is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A position.
    Position,
    /// An orientation.
    Rotation,
    /// A touched plane.
    Plane,
    /// A distance.
    Distance,
    /// A redundant sensor.
    Sensor,
}

impl Kind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Rotation => "orientation",
            Self::Plane => "plane",
            Self::Distance => "distance",
            Self::Sensor => "sensor",
        }
    }
}

/// Standard deviations of what was measured, or how it is weighed where they are not known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Of a coordinate of a position \[m\].
    pub position: f64,
    /// Of a rotation about an axis \[rad\].
    pub rotation: f64,
    /// Of a touched plane \[m\].
    pub plane: f64,
    /// Of a distance \[m\].
    pub distance: f64,
    /// Of a redundant sensor \[rad or m\].
    pub sensor: f64,
    /// Whether these are known, not only their ratios.
    pub is_known: bool,
}

impl Noise {
    /// Of this kind.
    pub fn of(&self, kind: Kind) -> f64 {
        match kind {
            Kind::Position => self.position,
            Kind::Rotation => self.rotation,
            Kind::Plane => self.plane,
            Kind::Distance => self.distance,
            Kind::Sensor => self.sensor,
        }
    }
}

/// What is known of how it was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Whether the frame of the tracker is that of the robot; else it is found.
    pub frame_is_known: bool,
    /// The target in the frame of the tool \[m\]; `None` if it is to be found.
    pub target: Option<[f64; 3]>,
    /// The height of the touched plane, horizontal in the frame of the robot \[m\]; `None` if planes are to be found.
    pub plane_height: Option<f64>,
    /// Centre of a ball bar in the frame of the robot \[m\]; `None` if it is to be found.
    pub centre: Option<[f64; 3]>,
    /// Whether redundant sensors have no offsets; else these are found.
    pub sensors_are_zeroed: bool,
}
