//! The parameters of a golden file, from which a family builds the robot that the file describes.

use crate::description::{
    AngleLimits, Bar, Body, LengthLimits, LinearMotor, Motor, Placement, PlanarPlacement, UpsMass,
};
use serde_json::Value;

/// No limits of motor angles.
pub(crate) const NO_ANGLE_LIMITS: AngleLimits = AngleLimits { min: None, max: None };
/// No limits of lengths.
pub(crate) const NO_LENGTH_LIMITS: LengthLimits = LengthLimits { min: None, max: None };

/// A parameter is missing or is not made of numbers.
pub(crate) struct MissingParameter {
    /// Where it should be: `/parameters/LA`.
    pub pointer: String,
}

/// All numbers below a value, in order.
pub(crate) fn numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::Number(number) => number.as_f64().map(|x| vec![x]),
        Value::Array(items) => {
            items.iter().map(numbers).collect::<Option<Vec<_>>>().map(|lists| lists.concat())
        }
        _ => None,
    }
}

fn missing(pointer: &str) -> MissingParameter {
    MissingParameter { pointer: format!("/parameters{pointer}") }
}

/// The parameters of a golden file and where its first state is.
pub(crate) struct GoldenParameters<'a> {
    values: &'a Value,
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
            home: position
                .map(|position| Placement { position, rotation: [[a, b, c], [d, e, f], [g, h, i]] }),
            planar_home: planar.map(|position| PlanarPlacement { position, angle }),
        }
    }

    /// Whether all of these are there.
    pub fn has(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.values.get(key).is_some())
    }

    pub fn number(&self, key: &str) -> Result<f64, MissingParameter> {
        self.values[key].as_f64().ok_or_else(|| missing(&format!("/{key}")))
    }

    pub fn list<const N: usize>(&self, pointer: &str) -> Result<[f64; N], MissingParameter> {
        let list = self.values.pointer(pointer).and_then(numbers).ok_or_else(|| missing(pointer))?;
        list.try_into().map_err(|_| missing(pointer))
    }

    pub fn points(&self, key: &str) -> Result<Vec<[f64; 3]>, MissingParameter> {
        let fault = || missing(&format!("/{key}"));
        let list = self.values.get(key).and_then(numbers).ok_or_else(fault)?;
        let (points, rest) = list.as_chunks::<3>();
        if rest.is_empty() { Ok(points.to_vec()) } else { Err(fault()) }
    }

    pub fn some_points<const N: usize>(&self, key: &str) -> Result<[[f64; 3]; N], MissingParameter> {
        self.points(key)?.try_into().map_err(|_| missing(&format!("/{key}")))
    }

    pub fn body(&self, key: &str) -> Result<Body, MissingParameter> {
        let [mass] = self.list(&format!("/{key}/mass"))?;
        let [a, b, c, d, e, f, g, h, i] = self.list(&format!("/{key}/inertia_com"))?;
        Ok(Body {
            mass,
            centre: self.list(&format!("/{key}/com"))?,
            inertia: [[a, b, c], [d, e, f], [g, h, i]],
        })
    }

    /// A thin uniform rod.
    pub fn rod(&self, mass: &str, length: f64) -> Result<Bar, MissingParameter> {
        let mass = self.number(mass)?;
        Ok(Bar { mass, centre: length / 2.0, inertia: mass * length * length / 12.0 })
    }

    pub fn bar(&self, [mass, centre, inertia]: [&str; 3]) -> Result<Bar, MissingParameter> {
        Ok(Bar { mass: self.number(mass)?, centre: self.number(centre)?, inertia: self.number(inertia)? })
    }

    /// A motor with this inertia and nothing else.
    pub fn motor(&self) -> Result<Motor, MissingParameter> {
        Ok(Motor { rotor_inertia: self.number("I_m")?, ..Motor::IDEAL })
    }

    pub fn ups_mass(&self) -> Result<UpsMass, MissingParameter> {
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
