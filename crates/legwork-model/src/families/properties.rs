//! What is shown of a robot: names with values in SI units, for a program, a page or a notebook to print.

use super::mechanism::JointProperties;
use crate::description::{Bar, Body, CustomLeg, PlanarBody};
use crate::units::Quantity;

/// One property of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its name, in lower case with underscores.
    pub key: &'static str,
    /// Its value.
    pub value: PropertyValue,
}

/// The value of a property, in SI units.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PropertyValue {
    /// A number of this quantity.
    Number(f64, Quantity),
    /// Numbers of this quantity, one for each leg.
    Numbers(Vec<f64>, Quantity),
    /// Directions from +x, counter-clockwise seen from above, one for each leg \[rad\].
    Directions(Vec<f64>),
    /// A point for each leg \[m\].
    Points {
        /// What it is, in a word or two.
        heading: &'static str,
        /// x, y, z of each.
        points: Vec<[f64; 3]>,
    },
    /// A unit vector for each leg.
    Axes {
        /// What it is, in a word or two.
        heading: &'static str,
        /// x, y, z of each.
        axes: Vec<[f64; 3]>,
    },
    /// A bar.
    Bar {
        /// Its mass, centre and inertia.
        bar: Bar,
        /// The joint that its centre is measured from.
        from: &'static str,
    },
    /// A rigid body in its own frame.
    Body(Body),
    /// A rigid body that moves in the plane.
    PlanarBody(PlanarBody),
    /// Legs, joint by joint.
    Legs(Vec<CustomLeg>),
    /// Bodies of a mechanism with their names.
    Bodies(Vec<(String, Body)>),
    /// Joints of a mechanism.
    Joints(Vec<JointProperties>),
}

impl Property {
    pub(crate) fn new(key: &'static str, value: PropertyValue) -> Self {
        Self { key, value }
    }

    pub(crate) fn length(key: &'static str, length: f64) -> Self {
        Self::new(key, PropertyValue::Number(length, Quantity::Length))
    }

    pub(crate) fn mass(key: &'static str, mass: f64) -> Self {
        Self::new(key, PropertyValue::Number(mass, Quantity::Mass))
    }

    pub(crate) fn directions(key: &'static str, angles: &[f64]) -> Self {
        Self::new(key, PropertyValue::Directions(angles.to_vec()))
    }

    pub(crate) fn points(key: &'static str, heading: &'static str, points: &[[f64; 3]]) -> Self {
        Self::new(key, PropertyValue::Points { heading, points: points.to_vec() })
    }

    pub(crate) fn axes(key: &'static str, heading: &'static str, axes: &[[f64; 3]]) -> Self {
        Self::new(key, PropertyValue::Axes { heading, axes: axes.to_vec() })
    }

    pub(crate) fn bar(key: &'static str, bar: Bar, from: &'static str) -> Self {
        Self::new(key, PropertyValue::Bar { bar, from })
    }

    pub(crate) fn body(key: &'static str, body: Body) -> Self {
        Self::new(key, PropertyValue::Body(body))
    }
}

/// Inertia and friction of the motors of a robot.
#[derive(Clone, Debug, PartialEq)]
pub enum Drives {
    /// All motors are like this one.
    Equal(DriveProperties),
    /// One for each motor, or for each motor of one leg where the legs are equal.
    Listed(Vec<DriveProperties>),
}

impl Drives {
    /// All of them.
    pub fn list(&self) -> &[DriveProperties] {
        match self {
            Self::Equal(drive) => std::slice::from_ref(drive),
            Self::Listed(drives) => drives,
        }
    }
}

/// Inertia and friction of one motor, as its joint feels them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveProperties {
    /// What it drives, for a heading.
    pub title: &'static str,
    /// Whether it moves along a line; otherwise it turns.
    pub slides: bool,
    /// \[kg m²\], or \[kg\] along a line.
    pub inertia: f64,
    /// Rotor and gear that the inertia comes from, if they are known.
    pub gear: Option<GearProperties>,
    /// Friction that grows with speed \[N m s/rad\], \[N s/m\].
    pub viscous_friction: f64,
    /// Friction that only has a sign \[N m\], \[N\].
    pub coulomb_friction: f64,
}

/// A rotor and its gear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GearProperties {
    /// Rotor, on the motor side \[kg m²\].
    pub rotor_inertia: f64,
    /// Gearbox, on the motor side \[kg m²\].
    pub gear_inertia: f64,
    /// Turns of the motor for one turn of the arm.
    pub gear_ratio: f64,
}

impl DriveProperties {
    /// A motor that turns an arm.
    pub(crate) fn rotary(title: &'static str, motor: &crate::description::Motor) -> Self {
        Self {
            title,
            slides: false,
            inertia: motor.inertia_at_arm(),
            gear: Some(GearProperties {
                rotor_inertia: motor.rotor_inertia,
                gear_inertia: motor.gear_inertia,
                gear_ratio: motor.gear_ratio,
            }),
            viscous_friction: motor.viscous_friction,
            coulomb_friction: motor.coulomb_friction,
        }
    }

    /// A motor that moves along a line.
    pub(crate) fn linear(title: &'static str, motor: &crate::description::LinearMotor) -> Self {
        Self {
            title,
            slides: true,
            inertia: motor.actuator_inertia,
            gear: None,
            viscous_friction: motor.viscous_friction,
            coulomb_friction: motor.coulomb_friction,
        }
    }
}

/// Title of motors that turn an arm.
pub(crate) const ARM_MOTOR: &str = "motor, as the arm feels it";
/// Title of motors that move along a line.
pub(crate) const LINE_MOTOR: &str = "motor, along its joint";
