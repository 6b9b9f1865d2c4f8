//! The parameters that efforts are linear in: masses, first moments and inertias of the parts of a robot, inertia,
//! friction and offset of its motors.
//!
//! ```text
//! τ = τ_known + W θ                                                          (1)
//! ```
//!
//! Inertias are about the **origin** of the part's frame: about the centre of mass efforts are not linear in them. What
//! the platform carries, the tool, and friction of passive joints are known.

use super::matrix::Square;
use legwork::description::{Body, Family, IdentifiedMotor, InertialNumbers, InertialPart, RobotDescription};
use legwork::{AnyRobot, RobotError};

/// The ten numbers of a body: M, MX, MY, MZ, XX, YY, ZZ, XY, XZ, YZ, inertias about the origin, XY the entry of the matrix.
pub type Ten = [f64; 10];

/// Their names behind that of the part.
const TEN: [&str; 10] = ["mass", "mx", "my", "mz", "ixx", "iyy", "izz", "ixy", "ixz", "iyz"];

/// What kind of part it is, by what its shape leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A mass.
    Point,
    /// An inertia about one axis.
    Moment,
    /// A bar along x.
    Bar,
    /// A body in the plane.
    Planar,
    /// A body in space.
    Body,
}

impl PartKind {
    fn of(numbers: &InertialNumbers<'_>) -> Self {
        match numbers {
            InertialNumbers::Point(_) => Self::Point,
            InertialNumbers::Moment(_) => Self::Moment,
            InertialNumbers::Bar { .. } => Self::Bar,
            InertialNumbers::Planar(_) => Self::Planar,
            InertialNumbers::Body(_) => Self::Body,
        }
    }

    /// Which of the ten numbers it has.
    pub fn components(self) -> &'static [usize] {
        match self {
            Self::Point => &[0],
            Self::Moment => &[6],
            Self::Bar => &[0, 1, 6],
            Self::Planar => &[0, 1, 2, 6],
            Self::Body => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        }
    }

    /// Increments that leave every possible body possible: a mass at the origin, masses away from it, and pairs of
    /// masses opposite to each other whose own mass is left out. They span what the kind has.
    fn probes(self, mass: f64, length: f64) -> Vec<Ten> {
        let at = |p: [f64; 3]| point(mass, p.map(|x| x * length));
        let pair = |d: [f64; 3]| {
            let mut ten = point(mass, d.map(|x| x * length));
            ten[..4].fill(0.0);
            ten
        };
        let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        match self {
            Self::Point => vec![at([0.0; 3])],
            Self::Moment => vec![pair(x)],
            Self::Bar => vec![at([0.0; 3]), at(x), pair(x)],
            Self::Planar => vec![at([0.0; 3]), at(x), at(y), pair(x)],
            Self::Body => vec![
                at([0.0; 3]),
                at(x),
                at(y),
                at(z),
                pair(x),
                pair(y),
                pair(z),
                pair([1.0, 1.0, 0.0]),
                pair([1.0, 0.0, 1.0]),
                pair([0.0, 1.0, 1.0]),
            ],
        }
    }
}

/// The ten numbers of a point mass.
fn point(mass: f64, [x, y, z]: [f64; 3]) -> Ten {
    let m = mass;
    [
        m,
        m * x,
        m * y,
        m * z,
        m * (y * y + z * z),
        m * (z * z + x * x),
        m * (x * x + y * y),
        -m * x * y,
        -m * x * z,
        -m * y * z,
    ]
}

/// The ten numbers of a body.
pub fn ten_of(body: &Body) -> Ten {
    let mut ten = point(body.mass, body.centre);
    let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = body.inertia;
    for (slot, own) in ten[4..].iter_mut().zip([xx, yy, zz, xy, xz, yz]) {
        *slot += own;
    }
    ten
}

/// The body of ten numbers; without mass its centre is the origin.
pub fn body_of(ten: &Ten) -> Body {
    let mass = ten[0];
    let centre = if mass == 0.0 { [0.0; 3] } else { [1, 2, 3].map(|k| ten[k] / mass) };
    let away = point(mass, centre);
    let [xx, yy, zz, xy, xz, yz] = [4, 5, 6, 7, 8, 9].map(|k| ten[k] - away[k]);
    Body { mass, centre, inertia: [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] }
}

/// What is estimated of a motor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotorNumber {
    /// Rotor and gear as the joint feels them.
    Inertia,
    /// Friction that grows with speed.
    Viscous,
    /// Friction that only has a sign.
    Coulomb,
    /// What is needed besides.
    Offset,
}

impl MotorNumber {
    const ALL: [Self; 4] = [Self::Inertia, Self::Viscous, Self::Coulomb, Self::Offset];

    fn name(self) -> &'static str {
        match self {
            Self::Inertia => "inertia",
            Self::Viscous => "viscous",
            Self::Coulomb => "coulomb",
            Self::Offset => "offset",
        }
    }

    fn unit(self, slides: bool) -> &'static str {
        match (self, slides) {
            (Self::Inertia, false) => "kg m^2",
            (Self::Inertia, true) => "kg",
            (Self::Viscous, false) => "N m s/rad",
            (Self::Viscous, true) => "N s/m",
            (_, false) => "N m",
            (_, true) => "N",
        }
    }

    fn of(self, motor: &mut IdentifiedMotor) -> &mut f64 {
        match self {
            Self::Inertia => motor.inertia.get_or_insert(0.0),
            Self::Viscous => motor.viscous_friction.get_or_insert(0.0),
            Self::Coulomb => motor.coulomb_friction.get_or_insert(0.0),
            Self::Offset => &mut motor.offset,
        }
    }
}

/// Where a parameter stands in a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// One of the ten numbers of a part.
    Part {
        /// Place in the list of parts.
        part: usize,
        /// Which of the ten.
        component: usize,
    },
    /// A number of a motor, or of all of them.
    Motor {
        /// Place of the motor; `None` for a number that all motors share.
        motor: Option<usize>,
        /// Which number.
        number: MotorNumber,
    },
}

/// One parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// `forearm.mass`, `q2.coulomb`, `motors.inertia`.
    pub name: String,
    /// `kg m`
    pub unit: &'static str,
    /// Where it stands.
    pub place: Place,
    /// Its value in the robot's file.
    pub value: f64,
}

/// The parameters of a robot, and how a robot with other values is made.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The file of the robot, all motors written out.
    base: RobotDescription,
    /// The motors as the file writes them.
    own_motors: Vec<IdentifiedMotor>,
    mode: String,
    /// Kind and name of each part.
    pub parts: Vec<(String, PartKind)>,
    /// In the order of the regressor's columns.
    pub list: Vec<Parameter>,
    /// Of each motor, whether it slides.
    pub slides: Vec<bool>,
    mass: f64,
    length: f64,
}

impl Parameters {
    /// Of a robot with masses.
    pub fn of(robot: &AnyRobot) -> Result<Self, RobotError> {
        let mut base = robot.description().clone();
        let slides: Vec<bool> = robot.joints().iter().map(|joint| joint.slides).collect();
        let own_motors = std::mem::replace(&mut base.identified.motors, all_motors(robot)?);
        let mut parts = Vec::new();
        let mut list = Vec::new();
        for (part, found) in base.data.inertial_parts().iter().enumerate() {
            let (kind, ten) = (PartKind::of(&found.numbers), ten_of(&found.as_body()));
            for component in kind.components() {
                list.push(Parameter {
                    name: format!("{}.{}", found.name, TEN[*component]),
                    unit: ["kg", "kg m", "kg m^2"][usize::from(*component > 0) + usize::from(*component > 3)],
                    place: Place::Part { part, component: *component },
                    value: ten[*component],
                });
            }
            parts.push((found.name.clone(), kind));
        }
        let equal = !matches!(base.family(), Family::Custom | Family::Mechanism | Family::C5 | Family::Space);
        let same_inertia = base.identified.motors.windows(2).all(|two| two[0].inertia == two[1].inertia);
        let shared = equal && same_inertia && slides.windows(2).all(|two| two[0] == two[1]);
        for number in MotorNumber::ALL {
            for (motor, slides) in slides.iter().enumerate() {
                let all = shared && number == MotorNumber::Inertia;
                if all && motor > 0 {
                    continue;
                }
                let of = if all { "motors".into() } else { format!("q{}", motor + 1) };
                list.push(Parameter {
                    name: format!("{of}.{}", number.name()),
                    unit: number.unit(*slides),
                    place: Place::Motor { motor: (!all).then_some(motor), number },
                    value: *number.of(&mut base.identified.motors[motor]),
                });
            }
        }
        let mass = base.data.moving_mass();
        let (mode, length) = (robot.working_mode(), robot.length());
        Ok(Self { base, own_motors, mode, parts, list, slides, mass, length })
    }

    /// The values of the file.
    pub fn values(&self) -> Vec<f64> {
        self.list.iter().map(|parameter| parameter.value).collect()
    }

    /// The ten numbers of each part, as the file has them.
    pub fn tens(&self) -> Vec<Ten> {
        self.base.clone().data.inertial_parts().iter().map(|part| ten_of(&part.as_body())).collect()
    }

    /// The description with other values; what no parameter stands for stays.
    pub fn described(&self, values: &[f64]) -> RobotDescription {
        let mut description = self.base.clone();
        let mut tens = self.tens();
        for (parameter, value) in self.list.iter().zip(values) {
            match parameter.place {
                Place::Part { part, component } => tens[part][component] = *value,
                Place::Motor { motor, number } => {
                    let motors = description.identified.motors.iter_mut().enumerate();
                    for (_, of) in motors.filter(|(k, _)| motor.is_none_or(|motor| motor == *k)) {
                        *number.of(of) = *value;
                    }
                }
            }
        }
        let changed = |part: usize| {
            self.list.iter().zip(values).any(|(parameter, value)| {
                matches!(parameter.place, Place::Part { part: of, .. } if of == part)
                    && *value != parameter.value
            })
        };
        for (part, found) in description.data.inertial_parts().iter_mut().enumerate() {
            // What is not changed stays to the bit.
            if changed(part) {
                set(found, &tens[part]);
            }
        }
        description
    }

    /// The robot with other values, in the same working mode.
    pub fn robot(&self, values: &[f64]) -> Result<AnyRobot, RobotError> {
        self.built(self.described(values))
    }

    fn built(&self, description: RobotDescription) -> Result<AnyRobot, RobotError> {
        let robot = AnyRobot::new(description)?;
        if robot.working_mode() == self.mode { Ok(robot) } else { robot.with_working_mode(&self.mode) }
    }

    /// Robots that differ from this one by increments that leave them possible, in groups of parameters: the places of a
    /// group, its robots, and the inverse of the matrix of increments, so that the columns of the group are the differences
    /// of efforts times it.
    pub(super) fn probes(&self) -> Result<Vec<Probe>, RobotError> {
        let values = self.values();
        let mut probes = Vec::new();
        for (part, (_, kind)) in self.parts.iter().enumerate() {
            let mut places = Vec::new();
            for (k, parameter) in self.list.iter().enumerate() {
                if matches!(parameter.place, Place::Part { part: of, .. } if of == part) {
                    places.push(k);
                }
            }
            let own = self.tens()[part][0];
            let mass = if own > 0.0 { own } else { self.mass.max(1e-3) };
            // The centre of a bar has to stay on it.
            let centre = if own > 0.0 { self.tens()[part][1] / own } else { 0.0 };
            let on_bar = *kind == PartKind::Bar && centre > 0.0;
            let increments = kind.probes(mass, if on_bar { centre } else { self.length });
            let mut robots = Vec::new();
            let mut matrix = Square::zero(places.len());
            for (column, ten) in increments.iter().enumerate() {
                let mut changed = values.clone();
                for (row, (place, component)) in places.iter().zip(kind.components()).enumerate() {
                    changed[*place] += ten[*component];
                    matrix.set(row, column, ten[*component]);
                }
                // Closed forms stay what they are: motors are written out only where they are asked for.
                robots.push(self.built(self.as_it_was(self.described(&changed)))?);
            }
            let inverse = matrix.inverse().unwrap_or_else(|| Square::zero(places.len()));
            probes.push(Probe { places, robots, inverse, of_motors: false });
        }
        for (k, parameter) in self.list.iter().enumerate() {
            let Place::Motor { motor, number } = parameter.place else { continue };
            let slides = self.slides[motor.unwrap_or(0)];
            let effort = self.mass.max(1e-3) * 9.81 * if slides { 1.0 } else { self.length };
            let step = match number {
                MotorNumber::Inertia if slides => self.mass.max(1e-3),
                MotorNumber::Inertia => self.mass.max(1e-3) * self.length * self.length,
                _ => effort,
            };
            let mut changed = values.clone();
            changed[k] += step;
            let mut inverse = Square::zero(1);
            inverse.set(0, 0, step.recip());
            let robots = vec![self.robot(&changed)?];
            probes.push(Probe { places: vec![k], robots, inverse, of_motors: true });
        }
        Ok(probes)
    }

    /// The same description with the motors as the robot's own file has them.
    fn as_it_was(&self, mut description: RobotDescription) -> RobotDescription {
        description.identified.motors.clone_from(&self.own_motors);
        description
    }
}

/// Robots that tell the columns of a group of parameters.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    pub places: Vec<usize>,
    pub robots: Vec<AnyRobot>,
    pub inverse: Square,
    /// Whether they differ from the robot with its motors written out.
    pub of_motors: bool,
}

fn set(part: &mut InertialPart<'_>, ten: &Ten) {
    part.set(&body_of(ten));
}

/// Inertia, friction and offset of each motor as the robot has them.
fn all_motors(robot: &AnyRobot) -> Result<Vec<IdentifiedMotor>, RobotError> {
    let drives = robot.drives()?;
    let joints = robot.joints().iter().zip(drives);
    Ok(joints
        .map(|(joint, drive)| IdentifiedMotor {
            joint: joint.name.clone(),
            slides: joint.slides,
            inertia: Some(drive.inertia),
            viscous_friction: Some(drive.viscous),
            coulomb_friction: Some(drive.coulomb),
            offset: drive.offset,
        })
        .collect())
}
