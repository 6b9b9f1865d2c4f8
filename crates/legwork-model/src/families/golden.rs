//! The parameters of a golden file, from which a family builds the robot that the file describes.

use crate::description::{
    AngleLimits, Bar, Body, LengthLimits, LinearMotor, Motor, Placement, PlanarPlacement, UpsMass,
};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// No limits of motor angles.
pub(crate) const NO_ANGLE_LIMITS: AngleLimits = AngleLimits { min: None, max: None };
/// No limits of lengths.
pub(crate) const NO_LENGTH_LIMITS: LengthLimits = LengthLimits { min: None, max: None };

/// What is wrong with the parameters.
pub enum ParameterFault {
    /// One is missing or is not made of numbers.
    Missing {
        /// Where it should be: `/parameters/LA`.
        pointer: String,
    },
    /// One says something else than another, or than what the family is.
    Contradiction {
        /// Which one.
        pointer: String,
        /// What it contradicts.
        of: String,
    },
}

/// All numbers below a value, in order.
pub fn numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::Number(number) => number.as_f64().map(|x| vec![x]),
        Value::Array(items) => {
            items.iter().map(numbers).collect::<Option<Vec<_>>>().map(|lists| lists.concat())
        }
        _ => None,
    }
}

/// How far numbers may be apart that say the same: nine printed digits.
const SAME_NUMBERS: f64 = 1e-9;

fn at(pointer: &str) -> String {
    format!("/parameters{pointer}")
}

fn missing(pointer: &str) -> ParameterFault {
    ParameterFault::Missing { pointer: at(pointer) }
}

/// The parameters of a golden file and where its first state is.
pub struct GoldenParameters<'a> {
    values: &'a Value,
    /// The places that were read.
    read: RefCell<BTreeSet<String>>,
    /// The first state in space, if it is in space; taken as home.
    pub home: Option<Placement>,
    /// The first state in the plane, if it is in the plane; taken as home.
    pub planar_home: Option<PlanarPlacement>,
}

impl<'a> GoldenParameters<'a> {
    /// Of these parameters, with the platform of the first state.
    pub fn new(values: &'a Value, platform: &Value) -> Self {
        let list = |key: &str| platform.get(key).and_then(numbers).unwrap_or_default();
        let rotation: Option<[f64; 9]> = list("rotation").try_into().ok();
        let [a, b, c, d, e, f, g, h, i] = rotation.unwrap_or([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        let position = <[f64; 3]>::try_from(list("position")).ok();
        let planar = <[f64; 2]>::try_from(list("position")).ok();
        let angle = list("angle").first().copied().unwrap_or(0.0);
        Self {
            values,
            read: RefCell::default(),
            home: position
                .map(|position| Placement { position, rotation: [[a, b, c], [d, e, f], [g, h, i]] }),
            planar_home: planar.map(|position| PlanarPlacement { position, angle }),
        }
    }

    fn value(&self, pointer: &str) -> Option<&'a Value> {
        self.read.borrow_mut().insert(pointer.to_owned());
        self.values.pointer(pointer)
    }

    /// The first parameter that nothing has read: what it says would be ignored.
    pub fn unread(&self) -> Option<String> {
        fn leaves(value: &Value, pointer: &str, into: &mut Vec<String>) {
            match value {
                Value::Object(map) if !map.is_empty() => {
                    map.iter().for_each(|(key, value)| leaves(value, &format!("{pointer}/{key}"), into));
                }
                _ => into.push(pointer.to_owned()),
            }
        }
        let mut all = Vec::new();
        leaves(self.values, "", &mut all);
        let read = self.read.borrow();
        all.into_iter().find(|pointer| !read.contains(pointer)).map(|pointer| at(&pointer))
    }

    /// Whether `actuation` is this word, if it is there.
    pub fn actuation(&self, word: &str) -> Result<(), ParameterFault> {
        match self.value("/actuation") {
            Some(found) if found.as_str() != Some(word) => Err(ParameterFault::Contradiction {
                pointer: at("/actuation"),
                of: format!("the family of the other parameters, `{word}`"),
            }),
            _ => Ok(()),
        }
    }

    /// Whether numbers that follow from other parameters are what follows from them, if they are there.
    pub fn follows(&self, pointer: &str, expected: &[f64], of: &str) -> Result<(), ParameterFault> {
        let Some(found) = self.value(pointer) else { return Ok(()) };
        let found = numbers(found).ok_or_else(|| missing(pointer))?;
        let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let same = found.len() == expected.len()
            && found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= SAME_NUMBERS * size);
        let fault = || ParameterFault::Contradiction { pointer: at(pointer), of: of.to_owned() };
        if same { Ok(()) } else { Err(fault()) }
    }

    /// Whether all of these are there.
    pub fn has(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.values.get(key).is_some())
    }

    /// A number.
    pub fn number(&self, key: &str) -> Result<f64, ParameterFault> {
        let pointer = format!("/{key}");
        self.value(&pointer).and_then(Value::as_f64).ok_or_else(|| missing(&pointer))
    }

    /// So many numbers.
    pub fn list<const N: usize>(&self, pointer: &str) -> Result<[f64; N], ParameterFault> {
        let list = self.value(pointer).and_then(numbers).ok_or_else(|| missing(pointer))?;
        list.try_into().map_err(|_| missing(pointer))
    }

    /// Points, each of three numbers.
    pub fn points(&self, key: &str) -> Result<Vec<[f64; 3]>, ParameterFault> {
        let fault = || missing(&format!("/{key}"));
        let list = self.value(&format!("/{key}")).and_then(numbers).ok_or_else(fault)?;
        let (points, rest) = list.as_chunks::<3>();
        if rest.is_empty() { Ok(points.to_vec()) } else { Err(fault()) }
    }

    /// Directions: vectors of length 1.
    pub fn directions(&self, key: &str) -> Result<Vec<[f64; 3]>, ParameterFault> {
        let list = self.points(key)?;
        let is_unit = |[x, y, z]: &[f64; 3]| (x * x + y * y + z * z - 1.0).abs() <= SAME_NUMBERS;
        if list.iter().all(is_unit) {
            return Ok(list);
        }
        let of = "what a direction is: its length is 1".to_owned();
        Err(ParameterFault::Contradiction { pointer: at(&format!("/{key}")), of })
    }

    /// So many points.
    pub fn some_points<const N: usize>(&self, key: &str) -> Result<[[f64; 3]; N], ParameterFault> {
        self.points(key)?.try_into().map_err(|_| missing(&format!("/{key}")))
    }

    /// A rigid body: mass, centre and inertia about it.
    pub fn body(&self, key: &str) -> Result<Body, ParameterFault> {
        let [mass] = self.list(&format!("/{key}/mass"))?;
        let pointer = format!("/{key}/inertia_com");
        let [a, b, c, d, e, f, g, h, i] = self.list(&pointer)?;
        // Half of it would be ignored otherwise.
        self.follows(&pointer, &[a, b, c, b, e, f, c, f, i], "itself: an inertia is symmetric")?;
        Ok(Body {
            mass,
            centre: self.list(&format!("/{key}/com"))?,
            inertia: [[a, b, c], [d, e, f], [g, h, i]],
        })
    }

    /// A thin uniform rod.
    pub fn rod(&self, mass: &str, length: f64) -> Result<Bar, ParameterFault> {
        let mass = self.number(mass)?;
        Ok(Bar { mass, centre: length / 2.0, inertia: mass * length * length / 12.0 })
    }

    /// A bar by the keys of its mass, centre and inertia.
    pub fn bar(&self, [mass, centre, inertia]: [&str; 3]) -> Result<Bar, ParameterFault> {
        Ok(Bar { mass: self.number(mass)?, centre: self.number(centre)?, inertia: self.number(inertia)? })
    }

    /// A motor with this inertia and nothing else.
    pub fn motor(&self) -> Result<Motor, ParameterFault> {
        Ok(Motor { rotor_inertia: self.number("I_m")?, ..Motor::IDEAL })
    }

    /// The bodies of UPS legs and of their platform.
    pub fn ups_mass(&self) -> Result<UpsMass, ParameterFault> {
        Ok(UpsMass {
            cylinder: self.body("leg_cylinder")?,
            rod: self.body("leg_rod")?,
            platform: self.body("platform")?,
            payload: Body::MASSLESS,
        })
    }
}

/// A motor along a line with this inertia and nothing else.
pub(crate) fn linear_motor(actuator_inertia: f64) -> LinearMotor {
    LinearMotor { actuator_inertia, ..LinearMotor::IDEAL }
}

/// Three directions a third of a turn apart, the first along +x \[rad\].
pub(crate) fn thirds() -> [f64; 3] {
    let third = std::f64::consts::TAU / 3.0;
    [0.0, third, 2.0 * third]
}
